//! The bytes of a file, wherever they lie, a piece at a time: the header first, so that nothing more is read of a file
//! whose header is wrong.

use super::{Bytes, Corruption, IndexFileError};
use std::ops::Range;

/// Gives pieces of a file.
pub(crate) trait ByteSource {
    /// What can go wrong.
    type Error: From<IndexFileError>;

    /// How long the file is.
    fn length(&self) -> u64;

    /// A piece of it. The caller has compared the range with the length.
    fn piece(&mut self, range: Range<u64>) -> Result<Bytes, Self::Error>;
}

/// Bytes in memory: pieces are shared, not copied.
impl ByteSource for Bytes {
    type Error = IndexFileError;

    fn length(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn piece(&mut self, range: Range<u64>) -> Result<Bytes, IndexFileError> {
        let missing = || Corruption::at(range.start, "a piece of it", "the end of the file");
        let part = self.part(range.start as usize..range.end as usize);
        part.ok_or_else(|| super::damaged("the file", missing()))
    }
}
