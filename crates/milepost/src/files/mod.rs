//! The one place that opens and saves files. A file is saved whole or not at all, and every error names it.

#[cfg(feature = "build")]
mod checkpoint;
mod save;

#[cfg(feature = "build")]
pub use checkpoint::Checkpoint;
pub use save::{remove_unfinished, save_whole};

use crate::core::debug_as_sentence;
use crate::index::{Atlas, ByteSource, Bytes, BytesBuffer, IndexFileError};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What went wrong with a file.
///
/// ```
/// use milepost::Atlas;
/// use milepost::files::{FileError, FileProblem};
///
/// let error: FileError = Atlas::open("no such file.milepost").unwrap_err();
/// assert!(matches!(error.problem, FileProblem::Unreadable(_)));
/// println!("{error}"); // names the file
/// ```
#[derive(Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    #[source]
    pub problem: FileProblem,
}

debug_as_sentence!(FileError);

/// What can go wrong with a file.
///
/// Shown by [`FileError`].
#[derive(Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum FileProblem {
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("is a folder; expected a file")]
    Folder,
    #[error("is larger than {limit} bytes, the most that is read from what is no ordinary file")]
    Endless { limit: u64 },
    #[error(
        "takes {bytes} bytes of memory, more than there are; expected a smaller file: close other programs, or use a \
         machine with more memory"
    )]
    TooLarge { bytes: u64 },
    #[error("cannot be written: {0}")]
    Unwritable(io::Error),
    #[error(transparent)]
    Index(#[from] IndexFileError),
}

debug_as_sentence!(FileProblem);

/// What is read at most from a pipe or device, which does not say how long it is.
const STREAM_LIMIT: u64 = 1 << 28;

/// Whether there is memory is asked before more than this is read.
const MUCH: u64 = 1 << 26;

/// The bytes of a file.
///
/// Shown by [`save_whole`].
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let wrap = |problem| FileError { path: path.to_owned(), problem };
    let unreadable = |error| wrap(FileProblem::Unreadable(error));
    let kind = fs::metadata(path).map_err(unreadable)?;
    if kind.is_dir() {
        return Err(wrap(FileProblem::Folder));
    }
    if kind.is_file() {
        check_memory(kind.len()).map_err(wrap)?;
        return fs::read(path).map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => wrap(FileProblem::TooLarge { bytes: kind.len() }),
            _ => unreadable(error),
        });
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
    /// for ever or read outside, whatever the file holds. The header is read first and compared with the length of the
    /// file; each section takes memory once all before it are right. Takes the feature `files`; without it,
    /// [`Atlas::from_bytes`] does the same with bytes.
    pub fn open(path: impl AsRef<Path>) -> Result<Atlas, FileError> {
        let path = path.as_ref();
        let wrap = |problem| FileError { path: path.to_owned(), problem };
        let unreadable = |error| wrap(FileProblem::Unreadable(error));
        let kind = fs::metadata(path).map_err(unreadable)?;
        if !kind.is_file() {
            return Atlas::from_bytes(&read(path)?).map_err(|error| wrap(error.into()));
        }
        let file = File::open(path).map_err(unreadable)?;
        Atlas::from_source(&mut FilePieces { file, length: kind.len() }).map_err(wrap)
    }

    /// Saves the atlas, whole or not at all. Says how many bytes that took. Takes the feature `files`.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<usize, FileError> {
        let bytes = self.to_bytes();
        save_whole(path.as_ref(), &bytes)?;
        Ok(bytes.len())
    }
}

/// A file that is read a piece at a time, each where it will stay: aligned, and shared by all its readers.
struct FilePieces {
    file: File,
    length: u64,
}

impl ByteSource for FilePieces {
    type Error = FileProblem;

    fn length(&self) -> u64 {
        self.length
    }

    fn piece(&mut self, range: Range<u64>) -> Result<Bytes, FileProblem> {
        let bytes = range.end - range.start;
        check_memory(bytes)?;
        let buffer = usize::try_from(bytes).ok().and_then(BytesBuffer::try_zeros);
        let mut buffer = buffer.ok_or(FileProblem::TooLarge { bytes })?;
        self.file.seek(SeekFrom::Start(range.start)).map_err(FileProblem::Unreadable)?;
        self.file.read_exact(buffer.as_mut_slice()).map_err(FileProblem::Unreadable)?;
        Ok(buffer.share())
    }
}

/// Refuses what does not fit the memory: some systems give more addresses than they have memory, and end the program
/// that fills them.
fn check_memory(bytes: u64) -> Result<(), FileProblem> {
    if bytes > MUCH && available_memory().is_some_and(|available| bytes > available) {
        return Err(FileProblem::TooLarge { bytes });
    }
    Ok(())
}

#[cfg(feature = "build")]
impl crate::build::Estimate {
    /// The bytes of memory that there are, where the system says so and building would take more.
    pub fn lacks_memory(&self) -> Option<u64> {
        available_memory().filter(|&available| self.memory.is_some_and(|needed| needed > available))
    }
}

/// How much memory programs could still take, in bytes, where the system says so.
fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Grid, Rule};
    use std::io::Write;

    /// A folder of a test's own.
    pub(super) fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("milepost-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn folders_and_missing_files_are_named() {
        let folder = folder("read");
        assert!(read(&folder).unwrap_err().to_string().contains("is a folder"));
        let message = read(&folder.join("nowhere.map")).unwrap_err().to_string();
        assert!(message.contains("nowhere.map: cannot be read"), "{message}");
        fs::remove_dir_all(folder).unwrap();
    }

    /// A file that says it is as long as the file system allows, up to 10 TB, with these first bytes and nothing else.
    fn vast(path: &Path, first: impl Fn(u64) -> Vec<u8>) -> u64 {
        let mut file = File::create(path).unwrap();
        let length =
            (33..=43).rev().map(|bits| 10_u64 << (bits - 3)).find(|&length| file.set_len(length).is_ok());
        let length = length.expect("the file system takes 10 GB of nothing");
        file.write_all(&first(length)).unwrap();
        length
    }

    #[test]
    fn a_vast_file_is_an_error_by_its_header_and_never_an_abort() {
        let folder = folder("vast");
        let path = folder.join("vast.milepost");
        let message = || Atlas::open(&path).unwrap_err().to_string();
        vast(&path, |_| Vec::new());
        assert!(message().contains("is no index file"), "{}", message());
        // A header that is right, but of a file of another length.
        let atlas = Atlas::new(Grid::new(4, 4, Rule::Octile, |_, _| true).unwrap());
        let length = vast(&path, |_| atlas.to_bytes());
        let found = format!("found {length} bytes");
        assert!(message().contains("the header") && message().contains(&found), "{}", message());
        // One whose table would not fit any memory.
        vast(&path, |_| {
            let mut bytes = atlas.to_bytes();
            bytes[12..16].fill(0xff);
            bytes
        });
        assert!(message().contains("at most 65536 sections"), "{}", message());
        // One that promises all of it: header, table and its checksum agree with the file.
        let length = vast(&path, |length| {
            let mut bytes = atlas.to_bytes();
            bytes[16..24].copy_from_slice(&length.to_le_bytes());
            let offset = u64::from_le_bytes(*bytes[72..].first_chunk().unwrap());
            bytes[80..88].copy_from_slice(&(length - offset).to_le_bytes());
            let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[..96]);
            bytes[96..104].copy_from_slice(&checksum.to_le_bytes());
            bytes
        });
        let memory = available_memory().unwrap_or(u64::MAX);
        if length > memory {
            assert!(message().contains("bytes of memory, more than there are"), "{}", message());
        }
        // The same for files that are read whole.
        if length > memory {
            assert!(read(&path).unwrap_err().to_string().contains("more than there are"));
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
