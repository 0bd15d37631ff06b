//! A map from numbers to small values that grows a little at a time: nothing is ever moved all at once, so that an agent
//! that remembers more and more never has one dear step.
//!
//! # Paper
//! W. Litwin: Linear hashing: a new tool for file and table addressing, VLDB 1980.
//!
//! # Guarantees
//! A look-up and an insertion take constant expected time; an insertion splits at most one bucket, and allocates at most
//! one segment, one bucket beyond, or a place in the list of segments. What is in the map does not depend on the order of
//! insertions; [`Sparse::sorted`] tells it in one order.

/// Entries of a bucket; more go to a bucket behind it.
const ROOM: usize = 8;

/// With more entries for each bucket than this, one of them is split.
const LOAD: usize = 4;

/// A map from numbers to values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sparse<V> {
    /// Segment i holds the buckets `2^i - 1 .. 2^(i+1) - 1` that there are: none of them moves when others come.
    segments: Vec<Vec<Bucket<V>>>,
    buckets: usize,
    /// Buckets behind others.
    spilled: usize,
    len: usize,
}

#[derive(Clone, Debug)]
struct Bucket<V> {
    keys: [u32; ROOM],
    values: [V; ROOM],
    count: u8,
    behind: Option<Box<Bucket<V>>>,
}

impl<V: Copy + Default> Bucket<V> {
    fn new() -> Bucket<V> {
        Bucket { keys: [0; ROOM], values: [V::default(); ROOM], count: 0, behind: None }
    }

    #[inline]
    fn position(&self, key: u32) -> Option<usize> {
        self.keys[..usize::from(self.count)].iter().position(|other| *other == key)
    }

    /// Says whether a bucket behind this one was needed.
    fn push(&mut self, key: u32, value: V) -> bool {
        let count = usize::from(self.count);
        if count == ROOM {
            let is_new = self.behind.is_none();
            return self.behind.get_or_insert_with(|| Box::new(Bucket::new())).push(key, value) | is_new;
        }
        (self.keys[count], self.values[count]) = (key, value);
        self.count += 1;
        false
    }
}

impl<V: Copy + Default> Sparse<V> {
    /// An empty map.
    pub(crate) fn new() -> Sparse<V> {
        Sparse { segments: Vec::new(), buckets: 0, spilled: 0, len: 0 }
    }

    /// The value of a number, if it has one.
    #[inline]
    pub(crate) fn get(&self, key: u32) -> Option<V> {
        let mut bucket = self.bucket(self.home(key)?)?;
        loop {
            if let Some(position) = bucket.position(key) {
                return Some(bucket.values[position]);
            }
            bucket = bucket.behind.as_deref()?;
        }
    }

    /// Gives a number a value. Returns the one that it had.
    pub(crate) fn insert(&mut self, key: u32, value: V) -> Option<V> {
        if self.buckets == 0 {
            self.add_bucket();
        }
        let home = self.home(key)?;
        let mut bucket = self.bucket_mut(home)?;
        loop {
            if let Some(position) = bucket.position(key) {
                return Some(std::mem::replace(&mut bucket.values[position], value));
            }
            match bucket.behind {
                Some(ref mut behind) => bucket = behind,
                None => break,
            }
        }
        self.spilled += usize::from(bucket.push(key, value));
        self.len += 1;
        if self.len > LOAD * self.buckets {
            self.split();
        }
        None
    }

    /// All entries by their numbers, in increasing order.
    pub(crate) fn sorted(&self) -> Vec<(u32, V)> {
        let mut entries = Vec::with_capacity(self.len);
        for first in self.segments.iter().flatten() {
            let mut bucket = Some(first);
            while let Some(here) = bucket {
                let count = usize::from(here.count);
                entries.extend(here.keys.iter().copied().zip(here.values).take(count));
                bucket = here.behind.as_deref();
            }
        }
        entries.sort_unstable_by_key(|entry| entry.0);
        entries
    }

    /// Memory held, without the map itself.
    pub(crate) fn bytes(&self) -> usize {
        let segments: usize = self.segments.iter().map(Vec::capacity).sum();
        (segments + self.spilled) * size_of::<Bucket<V>>()
            + self.segments.capacity() * size_of::<Vec<Bucket<V>>>()
    }

    /// What so many insertions allocate at most: the next segments, each as large as all before it, a bucket behind
    /// another for each of them, and places in the list of segments.
    pub(crate) fn page_bytes(&self, insertions: usize) -> usize {
        let segments = 4 * (1_usize << self.segments.len()).max(insertions.next_power_of_two());
        (segments + 3 * insertions) * size_of::<Bucket<V>>()
            + 2 * (self.segments.len() + 4) * size_of::<Vec<Bucket<V>>>()
    }

    /// The bucket where a number belongs; none in an empty map.
    #[inline]
    fn home(&self, key: u32) -> Option<usize> {
        let half = 1_usize << self.buckets.checked_ilog2()?;
        let hash = (u64::from(key).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize;
        let place = hash & (2 * half - 1);
        // Buckets from `buckets` on have not been split off yet.
        Some(if place < self.buckets { place } else { place - half })
    }

    #[inline]
    fn bucket(&self, number: usize) -> Option<&Bucket<V>> {
        let segment = (number + 1).ilog2();
        self.segments.get(segment as usize)?.get(number + 1 - (1 << segment))
    }

    #[inline]
    fn bucket_mut(&mut self, number: usize) -> Option<&mut Bucket<V>> {
        let segment = (number + 1).ilog2();
        self.segments.get_mut(segment as usize)?.get_mut(number + 1 - (1 << segment))
    }

    fn add_bucket(&mut self) {
        let segment = (self.buckets + 1).ilog2() as usize;
        if segment == self.segments.len() {
            self.segments.push(Vec::with_capacity(1 << segment));
        }
        self.segments[segment].push(Bucket::new());
        self.buckets += 1;
    }

    /// Adds a bucket, and moves those entries there that belong there: all of them come from one other.
    fn split(&mut self) {
        let half = 1_usize << self.buckets.ilog2();
        let old = self.buckets - half;
        self.add_bucket();
        let Some(bucket) = self.bucket_mut(old) else { return };
        let mut whole = Some(Box::new(std::mem::replace(bucket, Bucket::new())));
        while let Some(mut bucket) = whole {
            let count = usize::from(bucket.count);
            for (key, value) in bucket.keys.into_iter().zip(bucket.values).take(count) {
                let home = self.home(key).unwrap_or(old);
                let is_spilled = self.bucket_mut(home).is_some_and(|bucket| bucket.push(key, value));
                self.spilled += usize::from(is_spilled);
            }
            whole = bucket.behind.take();
            self.spilled -= usize::from(whole.is_some());
        }
    }
}

/// A map from numbers to numbers that is emptied in O(1): entries of an older epoch count as none, and are used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forgetful {
    /// Values with the epoch that they are of.
    entries: Sparse<(u32, u32)>,
    epoch: u32,
    len: u64,
}

impl Forgetful {
    /// The value of a number, if it has one.
    #[inline]
    pub(crate) fn get(&self, key: u32) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        self.entries.get(key).filter(|entry| entry.1 == self.epoch).map(|entry| entry.0)
    }

    /// Gives a number a value.
    #[inline]
    pub(crate) fn insert(&mut self, key: u32, value: u32) {
        let before = self.entries.insert(key, (value, self.epoch));
        self.len += u64::from(before.is_none_or(|entry| entry.1 != self.epoch));
    }

    /// Empties the map in O(1); once in 2^32 times the memory is given back.
    pub(crate) fn forget(&mut self) {
        self.len = 0;
        match self.epoch.checked_add(1) {
            Some(epoch) => self.epoch = epoch,
            None => *self = Forgetful::default(),
        }
    }

    /// Entries.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Memory held, without the map itself.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.bytes()
    }

    /// What so many insertions allocate at most.
    pub(crate) fn page_bytes(&self, insertions: usize) -> usize {
        self.entries.page_bytes(insertions)
    }

    /// All entries by their numbers, in increasing order.
    pub(crate) fn sorted(&self) -> impl Iterator<Item = (u32, u32)> {
        let epoch = self.epoch;
        let entries = self.entries.sorted().into_iter().filter(move |(_, entry)| entry.1 == epoch);
        entries.map(|(key, entry)| (key, entry.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use std::collections::BTreeMap;

    #[test]
    fn a_sparse_map_holds_what_a_plain_one_does() {
        for (seed, range) in [(1, 40), (2, 3_000), (3, u32::MAX)] {
            let mut rng = Rng::new(seed);
            let (mut sparse, mut plain) = (Sparse::new(), BTreeMap::new());
            assert_eq!((sparse.get(0), sparse.len, sparse.bytes()), (None, 0, 0));
            for round in 0..20_000_u64 {
                let key = rng.below(range);
                assert_eq!(sparse.insert(key, round), plain.insert(key, round));
                let other = rng.below(range);
                assert_eq!(sparse.get(other), plain.get(&other).copied());
            }
            assert_eq!(sparse.len, plain.len());
            assert_eq!(sparse.sorted(), plain.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn memory_follows_what_is_in_it() {
        let mut sparse = Sparse::new();
        for key in 0..100_000_u32 {
            sparse.insert(key.wrapping_mul(7), 1_u64);
            let entries = sparse.len * 12;
            assert!(
                sparse.bytes() < 500 + 8 * entries,
                "{} bytes for {} entries",
                sparse.bytes(),
                sparse.len
            );
        }
    }

    #[test]
    fn what_was_forgotten_is_not_there_and_what_comes_after_is() {
        let mut rng = Rng::new(4);
        let (mut map, mut plain) = (Forgetful::default(), BTreeMap::new());
        for _ in 0..20_000 {
            if rng.below(500) == 0 {
                map.forget();
                plain.clear();
            }
            let (key, value) = (rng.below(300), rng.below(9));
            map.insert(key, value);
            plain.insert(key, value);
            let other = rng.below(300);
            assert_eq!(map.get(other), plain.get(&other).copied());
            assert_eq!(map.len(), plain.len() as u64);
        }
        assert_eq!(map.sorted().collect::<Vec<_>>(), plain.into_iter().collect::<Vec<_>>());
    }
}
