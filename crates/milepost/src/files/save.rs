//! Saves files whole or not at all: under a temporary name beside the place they belong, then renamed.
//!
//! # Temporary names
//! `.BEGIN.HASH.PROCESS.NUMBER.unfinished`: how the file's name begins, the hash of all of it, so that a name of any length
//! has temporary ones of its own, the process that writes it, and a number that no two saves of a process share. The
//! writer holds a lock on the file while it writes. A process that is killed leaves such a file behind; the next save of
//! the same name removes it if that process is gone.

use super::{FileError, FileProblem};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// Files being written under a temporary name.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Counts the saves of this process.
static SAVES: AtomicU64 = AtomicU64::new(0);

/// How temporary names end.
const ENDING: &str = ".unfinished";

/// Bytes of a file's name that its temporary names show.
const SHOWN: usize = 64;

/// Symbolic links that are followed one after another.
const MOST_LINKS: usize = 40;

/// Saves a file whole or not at all: writes it under a temporary name beside the place it belongs, then renames. A
/// symbolic link is followed, also one to a file that is not there yet; a pipe or device is written to as it is. The file
/// keeps the mode of the one that it replaces.
///
/// ```
/// use milepost::files::{read, save_whole};
///
/// let file = std::env::temp_dir().join(format!("milepost-save-{}", std::process::id()));
/// save_whole(&file, b"a saved game")?; // a crash in between leaves the old file, or none
/// assert_eq!(read(&file)?, b"a saved game");
/// std::fs::remove_file(&file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    save(path, bytes, true)
}

/// As [`save_whole`], but what killed processes left is not looked for: for the parts of a build.
#[cfg(feature = "build")]
pub(super) fn save_without_look(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    save(path, bytes, false)
}

fn save(path: &Path, bytes: &[u8], looks_for_leftovers: bool) -> Result<(), FileError> {
    let unwritable = |error| FileError { path: path.to_owned(), problem: FileProblem::Unwritable(error) };
    let target = followed(path).map_err(unwritable)?;
    let replaced = fs::metadata(&target).ok();
    if replaced.as_ref().is_some_and(|kind| !kind.is_file() && !kind.is_dir()) {
        let out = OpenOptions::new().write(true).open(&target);
        return out.and_then(|mut out| out.write_all(bytes)).map_err(unwritable);
    }
    let (folder, stem) = (folder_of(&target), stem(target.file_name().unwrap_or_default()));
    if looks_for_leftovers {
        remove_leftovers(&folder, &stem);
    }
    let (temporary, file) = Temporary::new(&folder, &stem, replaced.as_ref()).map_err(unwritable)?;
    let written = write(file, bytes, replaced).and_then(|()| fs::rename(&temporary.path, &target));
    temporary.end(written.is_ok());
    written.map_err(unwritable)
}

/// Writes all bytes, until they are on the disk, with the mode of the file that they replace.
fn write(mut file: File, bytes: &[u8], replaced: Option<fs::Metadata>) -> io::Result<()> {
    // Where the file system has no locks, the process in the name has to do.
    let _ = file.try_lock();
    file.write_all(bytes)?;
    if let Some(replaced) = replaced.filter(fs::Metadata::is_file) {
        file.set_permissions(replaced.permissions())?;
    }
    file.sync_all()
}

/// Where a save belongs: symbolic links are followed, as far as they lead.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            // A relative link begins in the folder that it lies in; an absolute one replaces the whole path.
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links follow each other"))
}

/// The folder that a file lies in.
fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

/// A temporary name, which is in the list of unfinished files until it ends.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// A new file under a name that no other save has. Users that cannot read what it replaces cannot read it either.
    fn new(folder: &Path, stem: &str, replaced: Option<&fs::Metadata>) -> io::Result<(Temporary, File)> {
        loop {
            let number = SAVES.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{stem}{}.{number}{ENDING}", std::process::id()));
            // Held until the file is there: a program that ends must not miss it.
            let mut names = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
            match options(replaced).open(&path) {
                Ok(file) => {
                    names.insert(path.clone());
                    return Ok((Temporary { path }, file));
                }
                // Left by another process that had the same number: the next name.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The file has got its name, or is removed.
    fn end(self, is_renamed: bool) {
        if !is_renamed {
            let _ = fs::remove_file(&self.path);
        }
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.path);
    }
}

/// How temporary files are made.
fn options(replaced: Option<&fs::Metadata>) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(replaced) = replaced {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
        options.mode(replaced.mode() & 0o777);
    }
    #[cfg(not(unix))]
    let _ = replaced;
    options
}

/// How all temporary names of a file begin.
fn stem(name: &OsStr) -> String {
    let shown: String = name
        .to_string_lossy()
        .chars()
        .scan(0, |bytes, letter| {
            *bytes += letter.len_utf8();
            (*bytes <= SHOWN).then_some(letter)
        })
        .collect();
    format!(".{shown}.{:016x}.", xxh3_64(name.as_encoded_bytes()))
}

/// Removes files in a folder that killed processes left under temporary names that begin like this.
pub(super) fn remove_leftovers(folder: &Path, stem: &str) {
    // What cannot be looked through or removed does no harm: it only takes room.
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().filter(|name| name.starts_with(stem)).and_then(process_in) else {
            continue;
        };
        let path = entry.path();
        if is_gone(process, &path) && !is_locked(&path) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The process in a temporary name.
fn process_in(name: &str) -> Option<u32> {
    let (rest, number) = name.strip_prefix('.')?.strip_suffix(ENDING)?.rsplit_once('.')?;
    let (rest, process) = rest.rsplit_once('.')?;
    let (_, hash) = rest.rsplit_once('.')?;
    let is_hash = hash.len() == 16 && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
    number.parse::<u64>().ok().filter(|_| is_hash)?;
    process.parse().ok()
}

/// Whether the process that began a temporary file is gone, as far as the system tells.
fn is_gone(process: u32, path: &Path) -> bool {
    if process == std::process::id() {
        // What this process has begun is listed; the rest is of an earlier one with the same number.
        return !UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).contains(path);
    }
    let processes = Path::new("/proc");
    // Where the system does not list processes, the lock tells.
    !processes.join("self").exists() || !processes.join(process.to_string()).exists()
}

/// Whether a process holds the file that it writes, perhaps on another machine or in a container.
fn is_locked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Removes what [`save_whole`] has not finished. For programs that are interrupted: call it, then exit. Nothing can be saved
/// any more afterwards.
///
/// ```no_run
/// use milepost::files::remove_unfinished;
///
/// // In the handler of Ctrl-C:
/// remove_unfinished();
/// std::process::exit(130);
/// ```
pub fn remove_unfinished() {
    let names = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for name in names.iter() {
        let _ = fs::remove_file(name);
    }
    // Kept locked: a save that begins now must not leave anything behind either.
    std::mem::forget(names);
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::super::tests::folder;
    use super::*;

    #[test]
    fn a_saved_file_is_whole_and_leaves_nothing_beside_it() {
        let folder = folder("save");
        let path = folder.join("a.map");
        save_whole(&path, b"one").unwrap();
        save_whole(&path, b"two").unwrap();
        assert_eq!(read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_saved_is_named_and_nothing_is_left() {
        let folder = folder("unwritable");
        let path = folder.join("missing").join("a.map");
        let message = save_whole(&path, b"one").unwrap_err().to_string();
        assert!(message.contains("a.map: cannot be written"), "{message}");
        // A folder in the place of the file: the temporary file is written, the renaming fails.
        let path = folder.join("taken");
        fs::create_dir(&path).unwrap();
        assert!(save_whole(&path, b"one").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_and_a_device_stays_a_device() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = folder("link");
        let (file, link) = (folder.join("file"), folder.join("link"));
        save_whole(&file, b"one").unwrap();
        symlink(&file, &link).unwrap();
        save_whole(&link, b"two").unwrap();
        assert_eq!(read(&file).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let null = Path::new("/dev/null");
        save_whole(null, b"three").unwrap();
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_that_is_not_there_yet_is_followed_and_stays_a_link() {
        use std::os::unix::fs::symlink;
        let folder = folder("dangling");
        fs::create_dir(folder.join("there")).unwrap();
        let (first, second) = (folder.join("first"), folder.join("there/second"));
        symlink("there/second", &first).unwrap();
        symlink("file", &second).unwrap();
        save_whole(&first, b"one").unwrap();
        assert_eq!(read(&folder.join("there/file")).unwrap(), b"one");
        for link in [&first, &second] {
            assert!(fs::symlink_metadata(link).unwrap().is_symlink());
        }
        assert_eq!(
            (fs::read_dir(&folder).unwrap().count(), fs::read_dir(folder.join("there")).unwrap().count()),
            (2, 2)
        );
        // Round in circles there is no file.
        symlink("round", folder.join("round")).unwrap();
        let message = save_whole(&folder.join("round"), b"one").unwrap_err().to_string();
        assert!(message.contains("round: cannot be written: too many symbolic links"), "{message}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_the_mode_of_the_one_it_replaces() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("mode");
        let path = folder.join("a.map");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        save_whole(&path, b"one").unwrap();
        for wanted in [0o600, 0o640, 0o444, 0o777] {
            fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).unwrap();
            save_whole(&path, b"two").unwrap();
            assert_eq!(mode(&path), wanted, "expected {wanted:o}, found {:o}", mode(&path));
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_name_of_255_bytes_is_saved() {
        let folder = folder("long");
        for name in ["a".repeat(255), format!("{}a", "ö".repeat(127))] {
            save_whole(&folder.join(&name), b"one").unwrap();
            assert_eq!(read(&folder.join(&name)).unwrap(), b"one");
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn threads_that_save_one_name_at_once_leave_one_whole_file() {
        let folder = folder("threads");
        let path = folder.join("a.map");
        std::thread::scope(|scope| {
            for letter in b'a'..b'i' {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..50 {
                        save_whole(path, &vec![letter; 100_000]).unwrap();
                    }
                });
            }
        });
        let bytes = read(&path).unwrap();
        assert!(bytes.len() == 100_000 && bytes.iter().all(|byte| *byte == bytes[0]));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_killed_process_left_is_removed_by_the_next_save_of_that_name() {
        let folder = folder("leftovers");
        // A process that is gone, and one that is not.
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let gone = child.id();
        child.wait().unwrap();
        let alive = std::os::unix::process::parent_id();
        let own = std::process::id();
        let left = |name: &str, process: u32| {
            let path = folder.join(format!("{}{process}.{}{ENDING}", stem(OsStr::new(name)), u64::MAX));
            fs::write(&path, b"half").unwrap();
            path
        };
        let removed = [left("a.map", gone), left("a.map", own)];
        let kept = [left("a.map", alive), left("b.map", gone), folder.join(".a.map.unfinished")];
        fs::write(&kept[2], b"a user's own").unwrap();
        // Written to under a number that another container gave out: the lock tells.
        let held = left("a.map", gone + 1_000_000_000);
        let writer = File::options().write(true).open(&held).unwrap();
        writer.try_lock().unwrap();
        save_whole(&folder.join("a.map"), b"whole").unwrap();
        assert!(removed.iter().all(|path| !path.exists()));
        assert!(kept.iter().all(|path| path.exists()) && held.exists());
        drop(writer);
        save_whole(&folder.join("a.map"), b"whole").unwrap();
        assert!(!held.exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
