//! Rows: for up to 64 sources that lie together, what to do towards any target.
//!
//! A row cuts the targets, in the order of their numbers, into *runs*. A run names a *pattern*: one *symbol* of 4 bits
//! for each of the 64 sources. Neighbours mostly do the same, so a pattern lasts for long, and patterns come again.
//!
//! # Layout
//! docs/index-format.md describes the words of a row.

use crate::core::first_above;
use crate::index::{Corruption, Section};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Sources of a row.
pub(crate) const LANES: usize = 64;

/// Sources of a quarter.
pub(crate) const QUARTER: usize = 16;

/// Words after the last row.
pub(crate) const GUARD: usize = 16;

/// Where a row is, and what it looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct RowHead {
    /// Its beginning, in units of 4 words.
    pub(crate) begin: u32,
    /// Bits 0 to 4 `id_bits`, 10 whether it is long, 11 whether numbers of quarters have 16 bits, 12 to 31 the size of
    /// the dictionary. All zeros: there is no row.
    pub(crate) shape: u32,
}

impl RowHead {
    pub(crate) const MOST_QUARTERS: usize = (1 << 20) - 1;

    #[inline(always)]
    pub(crate) fn id_bits(self) -> u32 {
        self.shape & 31
    }

    /// Bits of a number inside its bucket.
    #[inline(always)]
    pub(crate) fn low(self) -> u32 {
        (if self.is_long() { 32_u32 } else { 16 }).wrapping_sub(self.id_bits()) & 31
    }

    #[inline(always)]
    pub(crate) fn is_long(self) -> bool {
        self.shape >> 10 & 1 == 1
    }

    /// Whether it is long or has many quarters.
    #[inline(always)]
    fn is_unusual(self) -> bool {
        self.shape >> 10 & 3 != 0
    }

    /// Words of a pattern.
    #[inline(always)]
    pub(crate) fn pattern_words(self) -> usize {
        2 + 2 * (self.shape >> 11 & 1) as usize
    }

    #[inline(always)]
    pub(crate) fn quarters(self) -> usize {
        (self.shape >> 12) as usize
    }

    #[inline(always)]
    fn word(self) -> usize {
        self.begin as usize * 4
    }
}

/// A row taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct RowParts {
    /// First target and pattern of each run.
    pub(crate) runs: Vec<(u32, u32)>,
    /// Four quarters each.
    pub(crate) patterns: Vec<[u32; LANES / QUARTER]>,
    /// Sixteen symbols each, the first in the lowest bits.
    pub(crate) quarters: Vec<u64>,
}

/// The rows, ready to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    heads: &'a [RowHead],
    words: &'a [u16],
    /// The highest number of a target.
    last: u32,
}

impl<'a> Rows<'a> {
    #[inline]
    pub(crate) fn new(heads: &'a [RowHead], words: &'a [u16], targets: u32) -> Rows<'a> {
        Rows { heads, words, last: targets.saturating_sub(1) }
    }

    /// The symbol of a source towards a target; `None` if there is no such row, or a damaged one.
    #[inline(always)]
    pub(crate) fn symbol(&self, row: usize, lane: usize, target: u32) -> Option<usize> {
        let head = *self.heads.get(row)?;
        if head.is_unusual() {
            return self.unusual_symbol(head, lane, target);
        }
        let (bytes, begin) = (self.words.as_bytes(), 2 * head.word());
        // What does not depend on the run comes first, so that little has to wait for it.
        let first_pattern = (begin + lane / QUARTER).wrapping_sub(8 * head.quarters() + 4);
        let first_quarter = (begin + lane % QUARTER / 2).wrapping_sub(8);
        let id = self.run(head, target)?;
        let quarter = usize::from(*bytes.get(first_pattern.wrapping_sub(4 * id))?);
        let two = *bytes.get(first_quarter.wrapping_sub(8 * quarter))?;
        Some(usize::from(two >> (lane % 2 * 4) & 15))
    }

    /// The same for long rows, and for many quarters.
    #[cold]
    #[inline(never)]
    fn unusual_symbol(&self, head: RowHead, lane: usize, target: u32) -> Option<usize> {
        let id = if head.is_long() { self.long_run(head, target)? } else { self.run(head, target)? };
        self.symbol_of(head, id, lane)
    }

    /// The number of the pattern for a target.
    #[inline(always)]
    fn run(&self, head: RowHead, target: u32) -> Option<usize> {
        let (begin, id_bits) = (head.word(), head.id_bits());
        let bucket = begin + (target >> (16_u32.wrapping_sub(id_bits) & 31)) as usize;
        let &[first, end] = self.words.get(bucket..)?.first_chunk::<2>()?;
        let ids = (1_u32 << id_bits) - 1;
        let key = (target << id_bits | ids) as u16;
        // The run before those of the bucket: it may last into it.
        let mut at = (begin + usize::from(first)).wrapping_sub(1);
        let mut count = u32::from(end.wrapping_sub(first));
        // Seldom: buckets are chosen such that few have more runs. (No branch but that: it could not be foreseen.)
        while count > GUARD as u32 {
            let half = count / 2;
            let is_before = *self.words.get(at.wrapping_add(half as usize + 1))? <= key;
            at += half as usize * usize::from(is_before);
            count -= half;
        }
        let words = self.words.get(at..)?.first_chunk::<{ GUARD + 1 }>()?;
        let run = *words.get(first_above(words.last_chunk::<GUARD>()?, key, count) as usize)?;
        Some((u32::from(run) & ids) as usize)
    }

    /// The same in a long row.
    fn long_run(&self, head: RowHead, target: u32) -> Option<usize> {
        let (low, id_bits) = (head.low(), head.id_bits());
        let long = |place: usize| {
            let [lower, upper] = *self.words.get(head.word() + 2 * place..)?.first_chunk::<2>()?;
            Some(u32::from(upper) << 16 | u32::from(lower))
        };
        let bucket = (target >> low) as usize;
        let (mut from, mut to) = (long(bucket)? as usize, long(bucket + 1)? as usize);
        let ids = (1_u64 << id_bits) - 1;
        let key = (u64::from(target) % (1 << low)) << id_bits | ids;
        // The first run of the bucket that begins behind the target.
        while from < to {
            let middle = from + (to - from) / 2;
            if u64::from(long(middle)?) <= key {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        Some((u64::from(long(from.checked_sub(1)?)?) & ids) as usize)
    }

    /// The symbol of a source in a pattern.
    pub(crate) fn symbol_of(&self, head: RowHead, id: usize, lane: usize) -> Option<usize> {
        let quarter = self.quarter_of(head, id, lane / QUARTER)?;
        let at = head.word().wrapping_sub(4 * (quarter + 1)) + lane % QUARTER / 4;
        Some(usize::from(self.words.get(at)? >> (lane % 4 * 4)) & 15)
    }

    /// The number of a quarter in a pattern.
    fn quarter_of(&self, head: RowHead, id: usize, quarter: usize) -> Option<usize> {
        let words = head.pattern_words();
        let pattern = head.word().wrapping_sub(4 * head.quarters() + words * (id + 1));
        // Two numbers in a word, or one.
        let (at, shift, mask) =
            if words == 2 { (quarter / 2, quarter % 2 * 8, 0xff) } else { (quarter, 0, 0xffff) };
        Some(usize::from(self.words.get(pattern.wrapping_add(at))? >> shift & mask))
    }

    /// The symbols of all patterns that the runs of a row name; `None` if one of them is not there.
    pub(crate) fn patterns(&self, row: usize) -> Option<Vec<[usize; LANES]>> {
        let head = *self.heads.get(row)?;
        let mut named: Vec<usize> = self.runs(head)?.collect();
        named.sort_unstable();
        named.dedup();
        let symbols = |id: usize| {
            let mut symbols = [0; LANES];
            for (lane, symbol) in symbols.iter_mut().enumerate() {
                *symbol = self.symbol_of(head, id, lane)?;
            }
            Some(symbols)
        };
        named.into_iter().map(symbols).collect()
    }

    /// The numbers of the patterns of all runs.
    fn runs(&self, head: RowHead) -> Option<impl Iterator<Item = usize>> {
        let step = if head.is_long() { 2 } else { 1 };
        let directory = (self.last >> head.low()) as usize + 2;
        let words = self.words.get(head.word()..)?;
        let read = move |words: &[u16], place: usize| -> Option<u32> {
            let lower = u32::from(*words.get(step * place)?);
            Some(if step == 2 { u32::from(*words.get(2 * place + 1)?) << 16 | lower } else { lower })
        };
        let count = (read(words, directory - 1)? as usize).checked_sub(directory)?;
        let runs = words.get(step * directory..)?.get(..step * count)?;
        let ids = (1_u64 << head.id_bits()) - 1;
        Some((0..count).map(move |place| (u64::from(read(runs, place).unwrap_or(0)) & ids) as usize))
    }

    /// A row taken apart: the first target and the pattern of each run, the quarters of each pattern, and the dictionary;
    /// `None` if there is no such row, or one that names what is not there.
    pub(crate) fn parts(&self, row: usize) -> Option<RowParts> {
        let head = self.heads.get(row).copied().filter(|&head| head != RowHead::default())?;
        let ids: Vec<u32> = self.runs(head)?.map(|id| id as u32).collect();
        let patterns = ids.iter().max().map_or(0, |&id| id as usize + 1);
        let mut parts = RowParts::default();
        for id in 0..patterns {
            let mut pattern = [0; LANES / QUARTER];
            for (quarter, number) in pattern.iter_mut().enumerate() {
                *number =
                    self.quarter_of(head, id, quarter).filter(|&number| number < head.quarters())? as u32;
            }
            parts.patterns.push(pattern);
        }
        for number in 0..head.quarters() {
            let at = head.word().checked_sub(4 * (number + 1))?;
            let words = self.words.get(at..)?.first_chunk::<4>()?;
            parts.quarters.push(words.iter().rev().fold(0, |packed, &word| packed << 16 | u64::from(word)));
        }
        parts.runs = self.firsts(head)?.into_iter().zip(ids).collect();
        Some(parts)
    }

    /// The first targets of all runs.
    fn firsts(&self, head: RowHead) -> Option<Vec<u32>> {
        let step = if head.is_long() { 2 } else { 1 };
        let read = |place: usize| -> Option<u32> {
            let lower = u32::from(*self.words.get(head.word() + step * place)?);
            let upper = if step == 2 { u32::from(*self.words.get(head.word() + 2 * place + 1)?) } else { 0 };
            Some(upper << 16 | lower)
        };
        let buckets = (self.last >> head.low()) as usize + 1;
        let mut firsts = Vec::new();
        for bucket in 0..buckets {
            for run in read(bucket)?..read(bucket + 1)? {
                let inside = u64::from(read(run as usize)?) >> head.id_bits();
                firsts.push((((bucket as u64) << head.low()) + inside) as u32);
            }
        }
        Some(firsts)
    }

    /// Whether rows lie where their heads say: their widths, and that directories rise and end within the words.
    pub(crate) fn check(&self, section: &Section, array: usize) -> Result<(), Corruption> {
        for (index, &head) in self.heads.iter().enumerate() {
            if head == RowHead::default() {
                continue;
            }
            if !self.is_sound(head) {
                let at = section.offset(array) + (index * size_of::<RowHead>()) as u64;
                let found = format!("{head:?}");
                return Err(Corruption::at(
                    at,
                    "a row whose directory rises and ends within the words",
                    found,
                ));
            }
        }
        Ok(())
    }

    fn is_sound(&self, head: RowHead) -> bool {
        let (bits, step) = if head.is_long() { (32_u32, 2) } else { (16, 1) };
        let is_known = head.shape >> 5 & 31 == 0 && (bits.saturating_sub(30)..bits).contains(&head.id_bits());
        if !is_known || 4 * head.quarters() > head.word() {
            return false;
        }
        let directory = (self.last >> head.low()) as usize + 2;
        let begin = head.word();
        let Some(words) = self.words.get(begin..).and_then(|words| words.get(..step * directory)) else {
            return false;
        };
        let long = |pair: &[u16]| u32::from(pair[1]) << 16 | u32::from(pair[0]);
        let (rises, first, end) = if step == 1 {
            (words.is_sorted(), usize::from(words[0]), usize::from(words[directory - 1]))
        } else {
            let pairs = words.chunks_exact(2).map(long);
            (pairs.is_sorted(), long(words) as usize, long(&words[2 * directory - 2..]) as usize)
        };
        rises && first == directory && end > directory && begin + step * end + GUARD <= self.words.len()
    }
}
