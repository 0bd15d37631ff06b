//! Open lists: the states a search has seen and not yet expanded, best first.
//!
//! # The order
//!
//! The order is total, so that every list gives the same sequence and every machine the same path:
//! 1. the least key `f`;
//! 2. among equal `f`, by the search's [`Ties`]: the least estimate `h` ("deepest first", compared in units of
//!    2^-32 of the largest possible cost), or the oldest entry;
//! 3. among equals, the least state number.
//!
//! # Two lists, one order
//!
//! [`Heap`] is a plain 4-ary heap and the reference. [`Buckets`] keeps all but the next few entries unsorted in
//! buckets and only the current bucket in a heap; it hands out the very same sequence (tested), and is what
//! [`Search`](crate::core::Search) uses: on real maps A* takes 3 to 15 % less time with it, and up to 25 % less where
//! all moves are looked at and the list is long. A search that is kept
//! for many steps has a heap of its own, of the same order, whose entries can be moved (`kept_search.rs`).

mod buckets;
mod heap;

pub(crate) use buckets::Buckets;
pub(crate) use heap::Heap;

use super::{Cost, KeyRange, StateId};

/// What decides between entries of equal key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Ties {
    /// Least estimate first: among equals the state that seems nearest to the goal.
    #[default]
    Deepest,
    /// First in, first out: how the printed example breaks ties that the search is tested by.
    #[cfg_attr(not(test), allow(dead_code))]
    Oldest,
}

/// A state with its key. Entries order as the module describes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Entry {
    f: u64,
    /// Tie value in the upper, state in the lower half.
    tie_and_state: u64,
}

impl Entry {
    /// An entry for `state` with key `f`; of two entries with the same key the one with the lower `tie` comes
    /// first.
    #[inline]
    pub fn new(f: Cost, tie: u32, state: StateId) -> Entry {
        Entry { f: f.units(), tie_and_state: u64::from(tie) << 32 | u64::from(state.number()) }
    }

    /// The state.
    #[inline]
    pub fn state(&self) -> StateId {
        StateId::new(self.tie_and_state as u32)
    }

    /// The key.
    #[inline]
    pub fn f(&self) -> Cost {
        Cost::new(self.f)
    }

    /// The entry as two numbers.
    pub(crate) fn parts(&self) -> (u64, u64) {
        (self.f, self.tie_and_state)
    }

    /// The entry that gave these [`Entry::parts`].
    pub(crate) fn from_parts((f, tie_and_state): (u64, u64)) -> Entry {
        Entry { f, tie_and_state }
    }

    /// The whole order as one number: comparing it takes no branch.
    #[inline]
    pub(super) fn rank(&self) -> u128 {
        u128::from(self.f) << 64 | u128::from(self.tie_and_state)
    }
}

/// A priority queue of entries. There is no decrease-key: a better entry for the same state is pushed beside the
/// old one, which the search recognises as stale when it comes out.
pub trait OpenList: Default {
    /// Forgets all entries, keeps the memory, and prepares for keys of this range. O(1).
    fn reset(&mut self, keys: KeyRange);
    /// Adds an entry.
    fn push(&mut self, entry: Entry);
    /// Takes the first entry.
    fn pop(&mut self) -> Option<Entry>;
    /// Adds an entry back that was just popped: it will be the next to come out.
    fn put_back(&mut self, entry: Entry);
    /// How many entries there are, stale ones included.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// All entries in no particular order (stale ones included), for viewers and tests.
    fn entries(&self) -> Vec<Entry>;
    /// Memory held.
    fn bytes(&self) -> usize;
}

#[cfg(test)]
mod tests;
