//! A list in pages: what is in it never moves to a larger place, so that an agent that remembers more and more never has one
//! dear step.

use super::StateId;
use serde::{Deserialize, Serialize};

/// Values of a page.
pub(super) const PAGE: usize = 64;

/// A list whose values are given room page by page; its user knows which of them mean something.
#[derive(Clone, Debug)]
pub(super) struct PagedList<T> {
    pages: Vec<Box<[T; PAGE]>>,
}

impl<T> Default for PagedList<T> {
    fn default() -> PagedList<T> {
        PagedList { pages: Vec::new() }
    }
}

impl<T: Copy + Default> PagedList<T> {
    #[inline]
    pub(super) fn get(&self, index: usize) -> T {
        self.pages[index / PAGE][index % PAGE]
    }

    #[inline]
    pub(super) fn at(&mut self, index: usize) -> &mut T {
        &mut self.pages[index / PAGE][index % PAGE]
    }

    /// So many values from one on, if they lie in one page.
    #[inline]
    pub(super) fn part<const N: usize>(&self, index: usize) -> Option<&[T; N]> {
        self.pages.get(index / PAGE)?.get(index % PAGE..)?.first_chunk()
    }

    /// The same, to be changed.
    #[inline]
    pub(super) fn part_mut<const N: usize>(&mut self, index: usize) -> Option<&mut [T; N]> {
        self.pages.get_mut(index / PAGE)?.get_mut(index % PAGE..)?.first_chunk_mut()
    }

    /// Makes room for a value at this index; those before it have room.
    #[inline]
    pub(super) fn make_room(&mut self, index: usize) {
        if index / PAGE == self.pages.len() {
            self.pages.push(Box::new([T::default(); PAGE]));
        }
    }

    /// Memory held, without the list itself.
    pub(super) fn bytes(&self) -> usize {
        self.pages.len() * size_of::<[T; PAGE]>() + self.pages.capacity() * size_of::<Box<[T; PAGE]>>()
    }

    /// What room for so many more values allocates at most: pages, and a longer list of them.
    pub(super) fn page_bytes(&self, values: usize) -> usize {
        let pages = values / PAGE + 1;
        let list = 2 * (self.pages.capacity() + pages) + 4;
        pages * size_of::<[T; PAGE]>() + list * size_of::<Box<[T; PAGE]>>()
    }
}

/// States one after another, in pages.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<StateId>", into = "Vec<StateId>")]
pub(crate) struct StateList {
    states: PagedList<StateId>,
    len: usize,
}

impl StateList {
    #[inline]
    pub(crate) fn push(&mut self, state: StateId) {
        self.states.make_room(self.len);
        *self.states.at(self.len) = state;
        self.len += 1;
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<StateId> {
        (index < self.len).then(|| self.states.get(index))
    }

    pub(crate) fn last(&self) -> Option<StateId> {
        self.get(self.len.checked_sub(1)?)
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = StateId> {
        (0..self.len).map(|index| self.states.get(index))
    }

    /// Empties the list in O(1) and keeps its memory.
    pub(crate) fn forget(&mut self) {
        self.len = 0;
    }

    /// Memory held, without the list itself.
    pub(crate) fn bytes(&self) -> usize {
        self.states.bytes()
    }

    /// What so many more states allocate at most.
    pub(crate) fn page_bytes(&self, states: usize) -> usize {
        self.states.page_bytes(states)
    }
}

impl From<Vec<StateId>> for StateList {
    fn from(states: Vec<StateId>) -> StateList {
        let mut list = StateList::default();
        states.into_iter().for_each(|state| list.push(state));
        list
    }
}

impl From<StateList> for Vec<StateId> {
    fn from(list: StateList) -> Vec<StateId> {
        list.iter().collect()
    }
}
