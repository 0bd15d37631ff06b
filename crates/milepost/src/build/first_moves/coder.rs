//! From sets of right symbols, target by target, to the runs of a row.
//!
//! A run lasts as long as every source has some symbol that is right for all its targets: sets are intersected until one
//! is empty. Then the run is closed with any pattern that fits: one that was used before if there is one, else one made
//! of quarters that were used before as far as they fit. Symbols of new quarters are the greedy move where it is right,
//! else the lowest.
//!
//! # Guarantees
//! Cutting as late as possible gives the fewest runs for a given order of targets.

use super::sets::LaneSets;
use crate::index::first_moves::GREEDY;
use crate::index::first_moves::rows::{LANES, QUARTER};

/// The sets of a quarter, or one symbol of each.
type Quarter = [u16; QUARTER];

/// Patterns beyond the newest so many are not tried again.
const TRIED: usize = 512;

/// A row, not yet packed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Row {
    /// First target and pattern of each run.
    pub(crate) runs: Vec<(u32, u32)>,
    /// Four quarters each.
    pub(crate) patterns: Vec<[u32; 4]>,
    /// Sixteen symbols each, the first in the lowest bits.
    pub(crate) quarters: Vec<u64>,
}

/// Makes one row after another.
#[derive(Debug)]
pub(crate) struct Coder {
    /// What may be named for each source at all.
    allowed: LaneSets,
    /// What is right for all targets of the run so far.
    current: LaneSets,
    first: u32,
    /// The symbols of each quarter of the dictionary, as sets of one.
    symbols: Vec<Quarter>,
    row: Row,
    /// For each of the four quarters of the block, which of the dictionary fit.
    fitting: [Vec<bool>; 4],
}

impl Coder {
    pub(crate) fn new() -> Coder {
        Coder {
            allowed: LaneSets::ANY,
            current: LaneSets::ANY,
            first: 0,
            symbols: Vec::new(),
            row: Row::default(),
            fitting: Default::default(),
        }
    }

    /// Begins a row of sources for which these symbols exist.
    pub(crate) fn begin(&mut self, allowed: &LaneSets) {
        (self.allowed, self.current, self.first) = (*allowed, *allowed, 0);
        self.symbols.clear();
        self.row = Row::default();
    }

    /// The sets for the next target, `number`.
    #[inline(always)]
    pub(crate) fn push(&mut self, number: u32, sets: &LaneSets) {
        let mut next = self.current;
        next.intersect(sets);
        let mut empty = 0_u16;
        for lane in 0..LANES {
            empty |= u16::from(next.0[lane] == 0);
        }
        if empty == 0 {
            self.current = next;
        } else {
            self.cut(number, sets);
        }
    }

    #[inline(never)]
    fn cut(&mut self, number: u32, sets: &LaneSets) {
        self.close();
        self.first = number;
        self.current = self.allowed;
        self.current.intersect(sets);
    }

    /// The row.
    pub(crate) fn finish(&mut self) -> Row {
        self.close();
        std::mem::take(&mut self.row)
    }

    /// Ends the run with a pattern that fits.
    fn close(&mut self) {
        for (quarter, fitting) in self.fitting.iter_mut().enumerate() {
            let sets = &self.current.0[quarter * QUARTER..][..QUARTER];
            fitting.clear();
            fitting.extend(self.symbols.iter().map(|symbols| fits(symbols, sets)));
        }
        let patterns = &self.row.patterns;
        let is_right = |pattern: &[u32; 4]| {
            pattern.iter().zip(&self.fitting).all(|(&quarter, fitting)| fitting[quarter as usize])
        };
        let oldest = patterns.len().saturating_sub(TRIED);
        let found = patterns[oldest..].iter().position(is_right).map(|index| oldest + index);
        let id = found.unwrap_or_else(|| {
            let pattern = std::array::from_fn(|quarter| self.quarter(quarter));
            self.row.patterns.push(pattern);
            self.row.patterns.len() - 1
        });
        self.row.runs.push((self.first, id as u32));
    }

    /// A quarter of the dictionary that fits a quarter of the block; a new one if there is none.
    fn quarter(&mut self, quarter: usize) -> u32 {
        if let Some(index) = self.fitting[quarter].iter().position(|&fits| fits) {
            return index as u32;
        }
        let sets: &Quarter =
            self.current.0[quarter * QUARTER..].first_chunk().unwrap_or(&[u16::MAX; QUARTER]);
        let symbol =
            |set: u16| if set >> GREEDY & 1 == 1 { GREEDY } else { set.trailing_zeros() as usize & 15 };
        let symbols = sets.map(|set| 1 << symbol(set));
        let packed = sets.iter().rev().fold(0, |packed, &set| packed << 4 | symbol(set) as u64);
        self.symbols.push(symbols);
        self.row.quarters.push(packed);
        for (other, fitting) in self.fitting.iter_mut().enumerate() {
            fitting.push(fits(&symbols, &self.current.0[other * QUARTER..][..QUARTER]));
        }
        self.symbols.len() as u32 - 1
    }
}

/// Whether a symbol of each source is in its set.
#[inline(always)]
fn fits(symbols: &Quarter, sets: &[u16]) -> bool {
    let mut misses = false;
    for (&symbol, &set) in symbols.iter().zip(sets) {
        misses |= symbol & set == 0;
    }
    !misses
}
