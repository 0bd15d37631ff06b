//! A section: the arrays of one index, read in place.
//!
//! # Layout
//! `u64` number of arrays; for each a `u64` offset from the beginning of the section and a `u64` length in bytes; then
//! the arrays, each beginning at a multiple of 64, with zeros between them. All numbers are little-endian.

use super::bytes::{ALIGNMENT, Bytes};
use crate::index::{Corruption, IndexKind, IndexSpec};
use std::ops::Range;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

// Arrays are read in place, so a number's bytes must lie in memory as they lie in the file.
const _: () =
    assert!(cfg!(target_endian = "little"), "indexes are read in place on little-endian machines only");

/// Which index a section holds: its kind, its parameter (such as the number of cases), and which view of the map it
/// is for (0; others are kept for agents of other sizes).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SectionKey {
    /// The kind.
    pub kind: IndexKind,
    /// Its parameter; 0 where it takes none.
    pub parameter: u32,
    /// The view.
    pub view: u16,
}

impl SectionKey {
    /// An index without parameter.
    pub(crate) const fn plain(kind: IndexKind) -> SectionKey {
        SectionKey { kind, parameter: 0, view: 0 }
    }

    /// The key as one number: an agent that reads an index asks for it at every step.
    #[inline]
    pub(crate) const fn number(self) -> u64 {
        (self.kind.code() as u64) << 48 | (self.parameter as u64) << 16 | self.view as u64
    }
}

/// The arrays of one index.
///
/// ```
/// use milepost::index::{Corruption, IndexKind, Section};
/// use milepost::{Atlas, Grid, Rule};
///
/// let atlas = Atlas::build(&Grid::from_ascii("..\n..", Rule::Octile)?, IndexKind::FIRST_MOVES)?;
/// let section: &Section = &atlas.sections()[0];
/// println!("{} takes {} bytes", section.index(), section.bytes().len());
/// // Bytes from elsewhere are checked before they are read.
/// let damaged: Corruption = atlas.with_section(IndexKind::FIRST_MOVES, b"nonsense").unwrap_err();
/// println!("{damaged}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Section {
    key: SectionKey,
    /// [`SectionKey::number`] of its key.
    number: u64,
    arrays: Arrays,
}

impl Section {
    /// Reads the directory of arrays.
    pub(crate) fn open(key: SectionKey, bytes: Bytes) -> Result<Section, Corruption> {
        Ok(Section { key, number: key.number(), arrays: Arrays::open(bytes)? })
    }

    /// What it holds.
    pub fn index(&self) -> IndexSpec {
        IndexSpec::new(self.key.kind, self.key.parameter)
    }

    pub(crate) fn key(&self) -> SectionKey {
        self.key
    }

    /// Its key as one number.
    #[inline]
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The whole section.
    pub fn bytes(&self) -> &[u8] {
        self.arrays.bytes.as_slice()
    }

    /// Where one of its arrays begins.
    pub(crate) fn offset(&self, index: usize) -> u64 {
        self.arrays.offset(index)
    }

    /// One of its arrays; empty if there is none, or if its length is no multiple of the size of an element.
    #[inline]
    pub(crate) fn array<T: FromBytes + Immutable + KnownLayout>(&self, index: usize) -> &[T] {
        self.arrays.array(index)
    }

    /// For many of them.
    #[inline(always)]
    pub(crate) fn reader(&self) -> ArrayReader<'_> {
        self.arrays.reader()
    }

    /// As [`Section::array`], but with exactly this many elements.
    pub(crate) fn exactly<T: FromBytes + Immutable + KnownLayout>(
        &self,
        index: usize,
        count: usize,
    ) -> Result<&[T], Corruption> {
        self.arrays.exactly(index, count)
    }
}

/// The arrays of a section, whatever it holds: an index or the map.
#[derive(Clone, Debug)]
pub(super) struct Arrays {
    bytes: Bytes,
    ranges: Box<[Range<usize>]>,
}

impl Arrays {
    /// Reads the directory of arrays.
    pub(super) fn open(bytes: Bytes) -> Result<Arrays, Corruption> {
        let ranges = directory(bytes.as_slice())?;
        Ok(Arrays { bytes, ranges })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.ranges.len()
    }

    /// Where one of them begins.
    pub(super) fn offset(&self, index: usize) -> u64 {
        self.ranges.get(index).map_or(0, |range| range.start as u64)
    }

    #[inline(always)]
    fn reader(&self) -> ArrayReader<'_> {
        ArrayReader { bytes: self.bytes.as_slice(), ranges: &self.ranges }
    }

    /// One of the arrays; empty if there is none, or if its length is no multiple of the size of an element.
    #[inline]
    pub(super) fn array<T: FromBytes + Immutable + KnownLayout>(&self, index: usize) -> &[T] {
        self.reader().array(index)
    }

    /// As [`Arrays::array`], but with exactly this many elements.
    pub(super) fn exactly<T: FromBytes + Immutable + KnownLayout>(
        &self,
        index: usize,
        count: usize,
    ) -> Result<&[T], Corruption> {
        let (size, range) = (size_of::<T>(), self.ranges.get(index).cloned().unwrap_or(0..0));
        if Some(range.len()) != count.checked_mul(size) {
            let expected = format!("{count} elements of {size} bytes in array {index}");
            return Err(Corruption::at(range.start as u64, expected, format!("{} bytes", range.len())));
        }
        Ok(self.array(index))
    }
}

/// The arrays of a section, to be read one after another by a query that takes less than a microsecond: where the bytes lie is
/// looked up once for all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayReader<'a> {
    bytes: &'a [u8],
    ranges: &'a [Range<usize>],
}

impl<'a> ArrayReader<'a> {
    /// As [`Section::array`].
    #[inline(always)]
    pub(crate) fn array<T: FromBytes + Immutable + KnownLayout>(&self, index: usize) -> &'a [T] {
        let Some(range) = self.ranges.get(index) else { return &[] };
        let bytes = self.bytes.get(range.clone()).unwrap_or(&[]);
        <[T]>::ref_from_bytes(bytes).unwrap_or(&[])
    }
}

fn directory(bytes: &[u8]) -> Result<Box<[Range<usize>]>, Corruption> {
    let word = |index: usize| -> Option<u64> {
        let bytes = bytes.get(index.checked_mul(8)?..)?.first_chunk::<8>()?;
        Some(u64::from_le_bytes(*bytes))
    };
    let corruption = |offset: usize, expected: &str, found: u64| {
        Corruption::at(offset as u64, expected, found.to_string())
    };
    let count = word(0).ok_or_else(|| corruption(0, "a section of at least 8 bytes", bytes.len() as u64))?;
    let count = usize::try_from(count)
        .ok()
        .filter(|&count| count <= MOST_ARRAYS)
        .ok_or_else(|| corruption(0, "at most 32 arrays", count))?;
    let mut arrays = Vec::with_capacity(count);
    let mut end = 8 + 16 * count;
    for index in 0..count {
        let at = 8 + 16 * index;
        let (Some(offset), Some(length)) = (word(1 + 2 * index), word(2 + 2 * index)) else {
            return Err(corruption(at, "an offset and a length", bytes.len() as u64));
        };
        let begin = end.next_multiple_of(ALIGNMENT);
        if offset != begin as u64 {
            return Err(corruption(at, &format!("an array that begins at {begin}"), offset));
        }
        let Some(room) = bytes.len().checked_sub(begin) else {
            return Err(corruption(at, &format!("at least {begin} bytes"), bytes.len() as u64));
        };
        let length = usize::try_from(length).ok().filter(|&length| length <= room);
        let length = length.ok_or_else(|| {
            corruption(at + 8, &format!("at most {room} bytes"), word(2 + 2 * index).unwrap_or(0))
        })?;
        if let Some(position) = bytes[end..begin].iter().position(|&byte| byte != 0) {
            return Err(corruption(
                end + position,
                "a zero between arrays",
                u64::from(bytes[end + position]),
            ));
        }
        arrays.push(begin..begin + length);
        end = begin + length;
    }
    if end != bytes.len() {
        return Err(corruption(end, "the end of the section", bytes.len() as u64));
    }
    Ok(arrays.into())
}

const MOST_ARRAYS: usize = 32;

/// Puts arrays together to a section.
#[derive(Debug, Default)]
pub(crate) struct SectionWriter {
    arrays: Vec<Vec<u8>>,
}

impl SectionWriter {
    pub(crate) fn push<T: IntoBytes + Immutable>(&mut self, array: &[T]) -> &mut SectionWriter {
        self.arrays.push(array.as_bytes().to_vec());
        self
    }

    pub(crate) fn finish(&self) -> Bytes {
        let mut bytes = (self.arrays.len() as u64).to_le_bytes().to_vec();
        let mut end = 8 + 16 * self.arrays.len();
        for array in &self.arrays {
            let begin = end.next_multiple_of(ALIGNMENT);
            bytes.extend((begin as u64).to_le_bytes());
            bytes.extend((array.len() as u64).to_le_bytes());
            end = begin + array.len();
        }
        for array in &self.arrays {
            bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
            bytes.extend(array);
        }
        Bytes::copied(&bytes)
    }
}
