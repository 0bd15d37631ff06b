//! A map from numbers to small values whose memory follows what is in it, for what agents remember of a few states of a
//! large map. Numbers that are near each other lie together, so callers number states by where they lie.
//!
//! A tree with 64 branches at every node. A leaf has 64 places, and a word that says which of them are taken: only those
//! have a value, so that a leaf with little in it is small. A new number moves at most the values of one leaf, so that an
//! agent that remembers more and more never has one dear step.
//!
//! # Guarantees
//! A look-up and an insertion take a node for every six bits of the largest number. What is in the map does not depend on
//! the order of insertions; [`RadixMap::sorted`] tells it in one order. The map is emptied in O(1): leaves of an older epoch
//! count as empty, and are used again.

use std::sync::atomic::{AtomicU64, Ordering};

/// Branches of a node and places of a leaf, as bits of a number.
const DIGIT: u32 = 6;
const WIDE: usize = 1 << DIGIT;

/// No node yet.
const NONE: u32 = u32::MAX;

/// Leaves that are allocated at once.
const PAGE: usize = 8;

/// A map from numbers to values.
#[derive(Clone, Debug)]
pub(crate) struct RadixMap<V> {
    /// Nodes above the leaves, the first one first; branches are numbers of nodes, or of leaves at the lowest level.
    #[expect(clippy::vec_box, reason = "nodes do not move when their list grows")]
    nodes: Vec<Box<[u32; WIDE]>>,
    /// Pages that never move.
    leaves: Vec<Vec<Leaf<V>>>,
    /// The topmost node, or the leaf that is the whole map.
    top: u32,
    /// Nodes above a leaf: all numbers are below `64^(height + 1)`.
    height: u32,
    /// Values that there is room for.
    room: usize,
    epoch: u32,
    len: u64,
    last: LastLeaf,
}

/// The leaf that was asked for last and what its numbers begin with, in one word: the next look-up often asks there. It
/// is atomic so that maps can be read from many threads, and relaxed: each of its values is true of the map as it is.
#[derive(Debug, Default)]
struct LastLeaf(AtomicU64);

impl LastLeaf {
    /// What numbers begin with, one higher, so that an empty word is no leaf's; 0 if it does not fit.
    #[inline]
    fn tag(key: u64) -> u64 {
        let tag = (key >> DIGIT) + 1;
        if tag >> 32 == 0 { tag } else { 0 }
    }

    #[inline]
    fn get(&self, key: u64) -> Option<u32> {
        let (word, tag) = (self.0.load(Ordering::Relaxed), LastLeaf::tag(key));
        (word >> 32 == tag && tag != 0).then_some(word as u32)
    }

    /// `leaf` may be none: that becomes wrong when one is made there, which is then set.
    #[inline]
    fn set(&self, key: u64, leaf: u32) {
        self.0.store(LastLeaf::tag(key) << 32 | u64::from(leaf), Ordering::Relaxed);
    }
}

impl Clone for LastLeaf {
    fn clone(&self) -> LastLeaf {
        LastLeaf(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}

#[derive(Clone, Debug)]
struct Leaf<V> {
    /// Places with a value, if the leaf is of the map's epoch.
    taken: u64,
    epoch: u32,
    /// The values of these places, in their order.
    values: Vec<V>,
}

impl<V> Leaf<V> {
    /// Gives a place its first value. Returns for how many more there is room now.
    fn add(&mut self, place: usize, value: V) -> usize {
        let before = self.values.capacity();
        if self.values.len() == before {
            // Twice as many each time: neighbours often follow.
            self.values.reserve_exact(before.max(4));
        }
        self.values.insert(rank(self.taken, place), value);
        self.taken |= 1 << place;
        self.values.capacity() - before
    }
}

impl<V> Default for RadixMap<V> {
    fn default() -> RadixMap<V> {
        let (nodes, leaves) = (Vec::new(), Vec::new());
        RadixMap { nodes, leaves, top: NONE, height: 0, room: 0, epoch: 0, len: 0, last: LastLeaf::default() }
    }
}

/// Which branch leads to a number from a node this high, or which place of a leaf, at height 0, it has.
#[inline]
fn digit(key: u64, height: u32) -> usize {
    (key >> (DIGIT * height)) as usize % WIDE
}

impl<V: Copy> RadixMap<V> {
    /// An empty map.
    pub(crate) fn new() -> RadixMap<V> {
        RadixMap::default()
    }

    /// The value of a number, if it has one.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<V> {
        self.get_in(self.part(key), digit(key, 0))
    }

    /// Where the values of 64 numbers are, from a multiple of 64 on, this one among them: for [`RadixMap::get_in`], until the
    /// next insertion.
    #[inline]
    pub(crate) fn part(&self, key: u64) -> u32 {
        self.last.get(key).unwrap_or_else(|| {
            let leaf = self.find_leaf(key);
            self.last.set(key, leaf);
            leaf
        })
    }

    /// The value of the number at this place of the 64 of a part, if it has one.
    #[inline]
    pub(crate) fn get_in(&self, part: u32, place: usize) -> Option<V> {
        let leaf = self.leaves.get(part as usize / PAGE)?.get(part as usize % PAGE)?;
        let place = place % WIDE;
        if leaf.epoch != self.epoch || leaf.taken >> place & 1 == 0 {
            return None;
        }
        leaf.values.get(rank(leaf.taken, place)).copied()
    }

    /// Gives the number at this place of a part another value, if it has one. Returns whether it has.
    #[inline]
    pub(crate) fn replace_in(&mut self, part: u32, place: usize, value: V) -> bool {
        let epoch = self.epoch;
        let leaf =
            self.leaves.get_mut(part as usize / PAGE).and_then(|page| page.get_mut(part as usize % PAGE));
        let Some(leaf) = leaf.filter(|leaf| leaf.epoch == epoch && leaf.taken >> (place % WIDE) & 1 == 1)
        else {
            return false;
        };
        leaf.values[rank(leaf.taken, place % WIDE)] = value;
        true
    }

    /// Gives a number a value. Returns the one that it had.
    pub(crate) fn insert(&mut self, key: u64, value: V) -> Option<V> {
        let leaf = self.last.get(key).filter(|leaf| *leaf != NONE);
        let leaf = leaf.unwrap_or_else(|| self.leaf_of(key));
        let (slot, is_new) = self.slot(leaf, key, value);
        (!is_new).then(|| std::mem::replace(slot, value))
    }

    /// The value of a number of this leaf, which is given `new` if it has none; and whether it had none.
    #[inline]
    fn slot(&mut self, number: u32, key: u64, new: V) -> (&mut V, bool) {
        let epoch = self.epoch;
        let leaf = &mut self.leaves[number as usize / PAGE][number as usize % PAGE];
        if leaf.epoch != epoch {
            (leaf.epoch, leaf.taken) = (epoch, 0);
            leaf.values.clear();
        }
        let place = digit(key, 0);
        let position = rank(leaf.taken, place);
        let is_new = leaf.taken >> place & 1 == 0;
        if is_new {
            self.len += 1;
            self.room += leaf.add(place, new);
        }
        (&mut leaf.values[position], is_new)
    }

    /// Empties the map in O(1) and keeps its memory; once in 2^32 times it is given back.
    pub(crate) fn forget(&mut self) {
        self.len = 0;
        match self.epoch.checked_add(1) {
            Some(epoch) => self.epoch = epoch,
            None => *self = RadixMap::default(),
        }
    }

    /// Numbers with a value.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// All entries by their numbers, in increasing order.
    pub(crate) fn sorted(&self) -> Vec<(u64, V)> {
        let mut entries = Vec::with_capacity(self.len as usize);
        // Nodes and leaves still to be told, with their heights and their first numbers; the next one last.
        let mut open = vec![(self.top, self.height, 0_u64)];
        while let Some((number, height, first)) = open.pop() {
            if number == NONE {
                continue;
            }
            if height > 0 {
                let branches = self.nodes[number as usize].iter().enumerate().rev();
                let first_of = |branch: usize| (first << DIGIT) | branch as u64;
                open.extend(branches.map(|(branch, below)| (*below, height - 1, first_of(branch))));
                continue;
            }
            let leaf = &self.leaves[number as usize / PAGE][number as usize % PAGE];
            if leaf.epoch == self.epoch {
                let places = (0..WIDE as u64).filter(|place| leaf.taken >> place & 1 == 1);
                entries.extend(places.map(|place| first << DIGIT | place).zip(leaf.values.iter().copied()));
            }
        }
        entries
    }

    /// Memory held, without the map itself.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<[u32; WIDE]>()
            + self.nodes.capacity() * size_of::<Box<[u32; WIDE]>>()
            + self.leaves.len() * PAGE * size_of::<Leaf<V>>()
            + self.leaves.capacity() * size_of::<Vec<Leaf<V>>>()
            + self.room * size_of::<V>()
    }

    /// What so many insertions allocate at most, of numbers of up to 36 bits, as those of states and of cells by squares are.
    pub(crate) fn page_bytes(&self, insertions: usize) -> usize {
        self.page_bytes_of(insertions, 6 * DIGIT)
    }

    /// What so many insertions of numbers of so many bits allocate at most: nodes above the topmost one, and for each number
    /// one at every level, of which the upper levels have few; a leaf, in pages, and its values; and longer lists of nodes
    /// and pages.
    pub(crate) fn page_bytes_of(&self, insertions: usize, key_bits: u32) -> usize {
        let levels = key_bits.div_ceil(DIGIT).saturating_sub(1);
        let at_level = |level: u32| insertions.min(WIDE.saturating_pow(level));
        let nodes = (0..levels).fold(levels as usize, |all, level| all.saturating_add(at_level(level)));
        let node_entry = 4 * size_of::<Box<[u32; WIDE]>>();
        let page_entry = 4 * size_of::<Vec<Leaf<V>>>();
        let pages = (insertions / PAGE + 1).saturating_mul(PAGE * size_of::<Leaf<V>>() + page_entry);
        let lists = (self.nodes.capacity() + 4) * node_entry + (self.leaves.capacity() + 4) * page_entry;
        // A caller without a bound on its insertions has none on its memory.
        nodes
            .saturating_mul(size_of::<[u32; WIDE]>() + node_entry)
            .saturating_add(insertions.saturating_mul(WIDE * size_of::<V>()))
            .saturating_add(pages)
            .saturating_add(lists)
    }

    /// Whether the tree is high enough for a number.
    #[inline]
    fn is_below_top(&self, key: u64) -> bool {
        key.checked_shr(DIGIT * (self.height + 1)).is_none_or(|rest| rest == 0)
    }

    /// The leaf of a number, or none.
    fn find_leaf(&self, key: u64) -> u32 {
        let mut number = if self.is_below_top(key) { self.top } else { NONE };
        for height in (1..=self.height).rev() {
            number = self.nodes.get(number as usize).map_or(NONE, |node| node[digit(key, height)]);
        }
        number
    }

    /// The leaf of a number, which is there afterwards.
    fn leaf_of(&mut self, key: u64) -> u32 {
        while !self.is_below_top(key) {
            // An empty map becomes higher without a node.
            if self.top != NONE {
                let below = self.top;
                self.top = self.add_node();
                self.nodes[self.top as usize][0] = below;
            }
            self.height += 1;
        }
        if self.top == NONE {
            self.top = if self.height == 0 { self.add_leaf() } else { self.add_node() };
        }
        let mut number = self.top;
        for height in (1..=self.height).rev() {
            let branch = digit(key, height);
            let mut below = self.nodes[number as usize][branch];
            if below == NONE {
                below = if height == 1 { self.add_leaf() } else { self.add_node() };
                self.nodes[number as usize][branch] = below;
            }
            number = below;
        }
        self.last.set(key, number);
        number
    }

    fn add_node(&mut self) -> u32 {
        self.nodes.push(Box::new([NONE; WIDE]));
        (self.nodes.len() - 1) as u32
    }

    fn add_leaf(&mut self) -> u32 {
        let leaf = Leaf { taken: 0, epoch: self.epoch, values: Vec::new() };
        match self.leaves.last_mut() {
            Some(page) if page.len() < PAGE => page.push(leaf),
            _ => {
                let mut page = Vec::with_capacity(PAGE);
                page.push(leaf);
                self.leaves.push(page);
            }
        }
        let last = self.leaves.len() - 1;
        (last * PAGE + self.leaves[last].len() - 1) as u32
    }
}

/// How many places before one are taken.
#[inline]
fn rank(taken: u64, place: usize) -> usize {
    (taken & ((1 << place) - 1)).count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use std::collections::BTreeMap;

    /// Numbers as agents have them: a few close together, cells of a map, any states, and goals beside states.
    const RANGES: [(u64, u32, u32); 4] = [(1, 40, 0), (2, 3_000, 0), (3, u32::MAX, 0), (4, u32::MAX, 32)];

    #[test]
    fn a_radix_map_holds_what_a_plain_map_does_also_after_it_was_emptied() {
        for (seed, range, shift) in RANGES {
            let mut rng = Rng::new(seed);
            let (mut map, mut plain) = (RadixMap::new(), BTreeMap::new());
            assert_eq!((map.get(0), map.len(), map.bytes()), (None, 0, 0));
            for round in 0..20_000_u64 {
                if rng.below(4_000) == 0 {
                    map.forget();
                    plain.clear();
                }
                let mut draw = || u64::from(rng.below(range)) << shift;
                let (key, counted, other) = (draw(), draw(), draw());
                assert_eq!(map.insert(key, round), plain.insert(key, round));
                let count = map.get(counted).unwrap_or(0) + 1;
                assert_eq!(map.insert(counted, count), plain.insert(counted, count));
                assert_eq!(map.get(other), plain.get(&other).copied());
                let (part, place) = (map.part(other), other as usize % 64);
                assert_eq!(map.get_in(part, place), plain.get(&other).copied());
                assert_eq!(map.replace_in(part, place, round), plain.contains_key(&other));
                plain.entry(other).and_modify(|value| *value = round);
                assert_eq!(map.len(), plain.len() as u64);
            }
            assert_eq!(map.get(u64::MAX), None);
            assert_eq!(map.sorted(), plain.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_insertion_takes_at_most_what_is_stated_and_what_was_forgotten_is_used_again() {
        for (seed, range, shift) in RANGES {
            let mut rng = Rng::new(seed);
            let keys: Vec<u64> = (0..5_000).map(|_| u64::from(rng.below(range)) << shift).collect();
            let mut map = RadixMap::new();
            for key in &keys {
                let (before, stated) = (map.bytes(), map.page_bytes_of(1, u32::BITS + shift));
                map.insert(*key, 1_u64);
                assert!(map.bytes() <= before + stated, "{} after {before}, {stated}", map.bytes());
            }
            let bytes = map.bytes();
            map.forget();
            for key in keys {
                map.insert(key, 2);
            }
            assert_eq!(map.bytes(), bytes);
        }
    }

    #[test]
    fn memory_follows_what_is_in_it_and_is_cheap_where_neighbours_are() {
        let mut map = RadixMap::new();
        for key in 0..100_000_u64 {
            map.insert(key * 8, 1_u64);
            assert!(map.bytes() < 2_000 + 24 * map.len() as usize, "{} for {}", map.bytes(), map.len());
        }
    }
}
