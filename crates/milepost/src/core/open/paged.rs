//! A heap in pages: no push ever moves all entries to a larger place, for searches that an agent keeps from step to step.

use super::{Entry, KeyRange, OpenList};

/// Entries of a page, and pages of a directory.
const PAGE: usize = 256;

/// A binary heap in pages of 256 entries; it hands out the same sequence as the others.
#[derive(Clone, Debug, Default)]
pub struct PagedHeap {
    /// Entry n is `directories[n / 2^16][n / 2^8 % 2^8][n % 2^8]`. A directory is made with room for all its pages.
    directories: Vec<Vec<Box<[Entry; PAGE]>>>,
    len: usize,
}

impl PagedHeap {
    /// What one push allocates at most: a page, its directory, and room for more directories, while there are fewer than
    /// 64 (4 million entries) of them.
    const PAGE_BYTES: usize = PAGE * (size_of::<Entry>() + size_of::<Box<[Entry; PAGE]>>())
        + 64 * size_of::<Vec<Box<[Entry; PAGE]>>>();

    /// What so many pushes allocate at most.
    pub fn page_bytes(pushes: usize) -> usize {
        (pushes / PAGE + 1) * Self::PAGE_BYTES
    }

    #[inline]
    fn at(&self, index: usize) -> Entry {
        self.directories[index / (PAGE * PAGE)][index / PAGE % PAGE][index % PAGE]
    }

    #[inline]
    fn put(&mut self, index: usize, entry: Entry) {
        self.directories[index / (PAGE * PAGE)][index / PAGE % PAGE][index % PAGE] = entry;
    }

    fn make_room(&mut self) {
        let (directory, page) = (self.len / (PAGE * PAGE), self.len / PAGE % PAGE);
        if self.directories.len() == directory {
            if directory == 0 {
                self.directories.reserve_exact(64);
            }
            self.directories.push(Vec::with_capacity(PAGE));
        }
        if self.directories[directory].len() == page {
            self.directories[directory].push(Box::new([Entry::default(); PAGE]));
        }
    }

    fn sift_down(&mut self, entry: Entry) {
        let mut index = 0;
        loop {
            let children = 2 * index + 1..(2 * index + 3).min(self.len);
            let Some(least) = children.min_by_key(|&child| self.at(child)) else { break };
            if entry <= self.at(least) {
                break;
            }
            self.put(index, self.at(least));
            index = least;
        }
        self.put(index, entry);
    }
}

impl OpenList for PagedHeap {
    fn reset(&mut self, _keys: KeyRange) {
        self.len = 0;
    }

    fn push(&mut self, entry: Entry) {
        self.make_room();
        let mut index = self.len;
        self.len += 1;
        while index > 0 {
            let above = self.at((index - 1) / 2);
            if above <= entry {
                break;
            }
            self.put(index, above);
            index = (index - 1) / 2;
        }
        self.put(index, entry);
    }

    fn pop(&mut self) -> Option<Entry> {
        self.len = self.len.checked_sub(1)?;
        let last = self.at(self.len);
        if self.len == 0 {
            return Some(last);
        }
        let first = self.at(0);
        self.sift_down(last);
        Some(first)
    }

    fn put_back(&mut self, entry: Entry) {
        self.push(entry);
    }

    fn len(&self) -> usize {
        self.len
    }

    fn entries(&self) -> Vec<Entry> {
        (0..self.len).map(|index| self.at(index)).collect()
    }

    fn bytes(&self) -> usize {
        let pages: usize = self.directories.iter().map(Vec::len).sum();
        pages * size_of::<[Entry; PAGE]>()
            + self.directories.len() * PAGE * size_of::<Box<[Entry; PAGE]>>()
            + self.directories.capacity() * size_of::<Vec<Box<[Entry; PAGE]>>>()
    }
}
