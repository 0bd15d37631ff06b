//! A 4-ary heap: half as deep as a binary one, and the four children share a cache line.

use super::{Entry, KeyRange, OpenList};

/// The plain priority queue.
#[derive(Default, Clone, Debug)]
pub(crate) struct Heap {
    /// `entries[i] <= entries[4*i + 1 ..= 4*i + 4]`.
    entries: Vec<Entry>,
}

impl Heap {
    /// Takes over unsorted entries; the heap must be empty.
    pub(super) fn fill(&mut self, entries: impl Iterator<Item = Entry>) {
        debug_assert!(self.entries.is_empty());
        self.entries.extend(entries);
        for index in (0..self.entries.len().div_ceil(4)).rev() {
            let entry = self.entries[index];
            self.sift_down(index, entry);
        }
    }

    /// Makes room for so many entries, and writes to it. It must be reset then.
    pub(super) fn warm(&mut self, entries: usize) {
        let entry = Entry { f: u64::MAX, tie_and_state: u64::MAX };
        self.entries.resize(self.entries.len().max(entries), entry);
    }

    /// Lets `entry` sink from the hole at `index` to its place.
    #[inline]
    fn sift_down(&mut self, mut index: usize, entry: Entry) {
        loop {
            let first = 4 * index + 1;
            let least = if let Some(children) = self.entries.get(first..first + 4) {
                // A small tournament: two independent comparisons, then one.
                let left = usize::from(children[1].rank() < children[0].rank());
                let right = 2 + usize::from(children[3].rank() < children[2].rank());
                first + if children[right].rank() < children[left].rank() { right } else { left }
            } else if first < self.entries.len() {
                (first + 1..self.entries.len())
                    .fold(first, |best, i| if self.entries[i] < self.entries[best] { i } else { best })
            } else {
                break;
            };
            let child = self.entries[least];
            if entry.rank() <= child.rank() {
                break;
            }
            self.entries[index] = child;
            index = least;
        }
        self.entries[index] = entry;
    }

    pub(super) fn as_slice(&self) -> &[Entry] {
        &self.entries
    }
}

impl OpenList for Heap {
    fn reset(&mut self, _keys: KeyRange) {
        self.entries.clear();
    }

    #[inline]
    fn push(&mut self, entry: Entry) {
        let mut index = self.entries.len();
        self.entries.push(entry);
        while index > 0 {
            let parent = (index - 1) / 4;
            let above = self.entries[parent];
            if above.rank() <= entry.rank() {
                break;
            }
            self.entries[index] = above;
            index = parent;
        }
        self.entries[index] = entry;
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry> {
        let last = self.entries.pop()?;
        match self.entries.first().copied() {
            None => Some(last),
            Some(first) => {
                self.sift_down(0, last);
                Some(first)
            }
        }
    }

    fn put_back(&mut self, entry: Entry) {
        self.push(entry);
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn entries(&self) -> Vec<Entry> {
        self.entries.clone()
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}
