//! Lists of different lengths in two arrays: compressed sparse rows.

use std::ops::Range;

/// Lists, numbered from 0 in the order in which they were closed; together at most `u32::MAX` items.
#[derive(Clone, Debug)]
pub(crate) struct Csr<T> {
    /// List n is `items[starts[n]..starts[n + 1]]`.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Csr<T> {
    fn default() -> Csr<T> {
        Csr { starts: vec![0], items: Vec::new() }
    }
}

impl<T> Csr<T> {
    /// How many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// A list.
    #[inline(always)]
    pub(crate) fn list(&self, number: usize) -> &[T] {
        &self.items[self.range(number)]
    }

    /// The places of its items among all.
    #[inline(always)]
    pub(crate) fn range(&self, number: usize) -> Range<usize> {
        self.starts[number] as usize..self.starts[number + 1] as usize
    }

    /// All lists, in their order.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).map(|number| self.list(number))
    }

    /// The items of all lists, one after the other.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    #[cfg(feature = "build")]
    pub(crate) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Where each list begins, and where the last one ends.
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Adds an item to the list that is closed next.
    #[cfg(feature = "build")]
    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Makes a list of what was added since the last one.
    pub(crate) fn close(&mut self) {
        assert!(self.items.len() <= u32::MAX as usize, "lists of more than 2^32 items");
        self.starts.push(self.items.len() as u32);
    }

    /// Adds a list.
    pub(crate) fn push_list(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.close();
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.items.capacity() * size_of::<T>()
    }
}

impl<T: Copy> Csr<T> {
    /// As many lists as asked for, of items that each name theirs; those of a list keep their order. A counting sort: the
    /// items are asked for twice.
    pub(crate) fn sorted(lists: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Csr<T> {
        let mut starts = vec![0_u32; lists + 1];
        items.clone().for_each(|(list, _)| starts[list as usize + 1] += 1);
        for list in 0..lists {
            starts[list + 1] += starts[list];
        }
        let Some((_, any)) = items.clone().next() else { return Csr { starts, items: Vec::new() } };
        let (mut next, mut sorted) = (starts.clone(), vec![any; starts[lists] as usize]);
        for (list, item) in items {
            sorted[next[list as usize] as usize] = item;
            next[list as usize] += 1;
        }
        Csr { starts, items: sorted }
    }

    /// Sorts the items of each list.
    pub(crate) fn sort_lists(&mut self)
    where
        T: Ord,
    {
        for ends in self.starts.windows(2) {
            self.items[ends[0] as usize..ends[1] as usize].sort_unstable();
        }
    }
}

impl<T, L: IntoIterator<Item = T>> FromIterator<L> for Csr<T> {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Csr<T> {
        let mut csr = Csr::default();
        lists.into_iter().for_each(|list| csr.push_list(list));
        csr
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    #[test]
    fn lists_are_what_was_pushed_and_what_was_sorted() {
        let mut rng = Rng::new(3);
        for _ in 0..100 {
            let count = rng.below(8);
            let pairs: Vec<(u32, u32)> = match count {
                0 => Vec::new(),
                count => (0..rng.below(30)).map(|item| (rng.below(count), item)).collect(),
            };
            let of = |list: u32| pairs.iter().filter(move |pair| pair.0 == list).map(|pair| pair.1);
            let pushed: Csr<u32> = (0..count).map(of).collect();
            let sorted = Csr::sorted(count as usize, pairs.iter().copied());
            assert_eq!((pushed.starts(), pushed.items()), (sorted.starts(), sorted.items()));
            for list in 0..count {
                assert!(sorted.list(list as usize).iter().copied().eq(of(list)));
            }
            assert_eq!((sorted.len(), sorted.lists().count()), (count as usize, count as usize));
        }
    }
}
