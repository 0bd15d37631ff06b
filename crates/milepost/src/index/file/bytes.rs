//! Bytes that begin at a cache line and are shared between clones: what sections of an index are read from.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout};

/// Where every array of an index begins: at a multiple of this.
pub(crate) const ALIGNMENT: usize = 64;

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
struct Block([u8; ALIGNMENT]);

/// Memory to be filled and then shared, where it is.
#[derive(Debug)]
pub(crate) struct BytesBuffer {
    blocks: Vec<Block>,
    length: usize,
}

impl fmt::Debug for Block {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("..")
    }
}

impl BytesBuffer {
    /// Zeros. The system gives pages of them where they are first touched.
    pub(crate) fn zeros(length: usize) -> BytesBuffer {
        // More than there is: ends the program as every other allocation would.
        BytesBuffer::try_zeros(length).unwrap_or_else(|| {
            let blocks = vec![Block::new_zeroed(); length.div_ceil(ALIGNMENT)];
            BytesBuffer { blocks, length }
        })
    }

    /// The same; `None` if the system does not give that much memory.
    pub(crate) fn try_zeros(length: usize) -> Option<BytesBuffer> {
        let blocks = Block::new_vec_zeroed(length.div_ceil(ALIGNMENT)).ok()?;
        Some(BytesBuffer { blocks, length })
    }

    /// The bytes to fill.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.blocks.as_mut_bytes()[..self.length]
    }

    /// The bytes, from now on shared.
    pub(crate) fn share(self) -> Bytes {
        Bytes { blocks: Arc::new(self.blocks), range: 0..self.length }
    }
}

/// Shared bytes, aligned to cache lines.
#[derive(Clone)]
pub(crate) struct Bytes {
    /// Not a slice in the `Arc`, into which it would be copied.
    blocks: Arc<Vec<Block>>,
    range: Range<usize>,
}

impl Bytes {
    /// A copy of these bytes.
    pub(crate) fn copied(bytes: &[u8]) -> Bytes {
        let mut buffer = BytesBuffer::zeros(bytes.len());
        buffer.as_mut_slice().copy_from_slice(bytes);
        buffer.share()
    }

    /// The bytes.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.blocks.as_bytes()[self.range.clone()]
    }

    /// A part of them; `None` if they do not reach that far.
    pub(crate) fn part(&self, range: Range<usize>) -> Option<Bytes> {
        if range.start > range.end || range.end > self.range.len() {
            return None;
        }
        let range = self.range.start + range.start..self.range.start + range.end;
        Some(Bytes { blocks: Arc::clone(&self.blocks), range })
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} bytes", self.range.len())
    }
}
