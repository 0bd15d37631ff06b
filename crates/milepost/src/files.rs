//! The one place that opens and saves files. A file is saved whole or not at all, and every error names it.

use crate::index::{Atlas, BytesBuffer, IndexFileError};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// What went wrong with a file.
#[derive(Debug, Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    #[source]
    pub problem: FileProblem,
}

/// What can go wrong with a file.
#[derive(Debug, Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum FileProblem {
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("is a folder; expected a file")]
    Folder,
    #[error("is larger than {limit} bytes, the most that is read from what is no ordinary file")]
    Endless { limit: u64 },
    #[error("cannot be written: {0}")]
    Unwritable(io::Error),
    #[error(transparent)]
    Index(#[from] IndexFileError),
}

/// What is read at most from a pipe or device, which does not say how long it is.
const STREAM_LIMIT: u64 = 1 << 28;

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let wrap = |problem| FileError { path: path.to_owned(), problem };
    let unreadable = |error| wrap(FileProblem::Unreadable(error));
    let kind = fs::metadata(path).map_err(unreadable)?;
    if kind.is_dir() {
        return Err(wrap(FileProblem::Folder));
    }
    if kind.is_file() {
        return fs::read(path).map_err(unreadable);
    }
    let mut bytes = Vec::new();
    let stream = File::open(path).map_err(unreadable)?;
    stream.take(STREAM_LIMIT + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > STREAM_LIMIT {
        return Err(wrap(FileProblem::Endless { limit: STREAM_LIMIT }));
    }
    Ok(bytes)
}

impl Atlas {
    /// The atlas in an index file. Lengths, numbers and checksums are checked, so that no later look-up can panic, loop
    /// for ever or read outside, whatever the file holds.
    pub fn open(path: impl AsRef<Path>) -> Result<Atlas, FileError> {
        let path = path.as_ref();
        let wrap = |problem| FileError { path: path.to_owned(), problem };
        let unreadable = |error| wrap(FileProblem::Unreadable(error));
        let kind = fs::metadata(path).map_err(unreadable)?;
        if !kind.is_file() {
            return Atlas::from_bytes(&read(path)?).map_err(|error| wrap(error.into()));
        }
        // Read where it will stay: aligned, and shared by all sections.
        let mut buffer = BytesBuffer::zeros(usize::try_from(kind.len()).unwrap_or(usize::MAX));
        File::open(path).and_then(|mut file| file.read_exact(buffer.as_mut_slice())).map_err(unreadable)?;
        Atlas::from_shared(&buffer.share()).map_err(|error| wrap(error.into()))
    }

    /// Saves the atlas, whole or not at all. Says how many bytes that took.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<usize, FileError> {
        let bytes = self.to_bytes();
        save_whole(path.as_ref(), &bytes)?;
        Ok(bytes.len())
    }
}

/// A folder in which a build that takes long keeps what is finished.
#[cfg(feature = "build")]
#[derive(Clone, Debug)]
pub struct Checkpoint {
    folder: PathBuf,
}

#[cfg(feature = "build")]
impl Checkpoint {
    /// The checkpoint in a folder, which is made if there is none.
    pub fn open(folder: &Path) -> Result<Checkpoint, FileError> {
        let wrap = |error| FileError { path: folder.to_owned(), problem: FileProblem::Unwritable(error) };
        fs::create_dir_all(folder).map_err(wrap)?;
        Ok(Checkpoint { folder: folder.to_owned() })
    }
}

#[cfg(feature = "build")]
impl crate::build::CheckpointStore for Checkpoint {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        match fs::read(self.folder.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("cannot be read in {} ({error})", self.folder.display())),
        }
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        save_whole(&self.folder.join(name), bytes).map_err(|error| format!("cannot be kept ({error})"))
    }
}

/// Files being written under a temporary name.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Saves a file whole or not at all: writes it under a temporary name beside the place it belongs, then renames. A
/// link is followed; a pipe or device is written to as it is.
pub fn save_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let unwritable = |error| FileError { path: path.to_owned(), problem: FileProblem::Unwritable(error) };
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&target).is_ok_and(|kind| !kind.is_file() && !kind.is_dir()) {
        return fs::OpenOptions::new()
            .write(true)
            .open(&target)
            .and_then(|mut out| out.write_all(bytes))
            .map_err(unwritable);
    }
    let temporary = temporary_name(&target);
    let unfinished = |change: &dyn Fn(&mut BTreeSet<PathBuf>)| {
        change(&mut UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner));
    };
    unfinished(&|names| {
        names.insert(temporary.clone());
    });
    let written = (|| {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, &target)
    })();
    if written.is_err() {
        // The error that matters is the one above; the temporary file may not even exist.
        let _ = fs::remove_file(&temporary);
    }
    unfinished(&|names| {
        names.remove(&temporary);
    });
    written.map_err(unwritable)
}

/// Removes what [`save_whole`] has not finished. For programs that are interrupted: call it, then exit. Nothing can be saved
/// any more afterwards.
pub fn remove_unfinished() {
    let names = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for name in names.iter() {
        let _ = fs::remove_file(name);
    }
    // Kept locked: a save that begins now must not leave anything behind either.
    std::mem::forget(names);
}

fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.unfinished", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("milepost-files-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

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

    #[test]
    fn folders_and_missing_files_are_named() {
        let folder = folder("read");
        assert!(read(&folder).unwrap_err().to_string().contains("is a folder"));
        let message = read(&folder.join("nowhere.map")).unwrap_err().to_string();
        assert!(message.contains("nowhere.map: cannot be read"), "{message}");
        fs::remove_dir_all(folder).unwrap();
    }
}
