//! Records by number, in pages that never move: one more record allocates at most one page.

/// Records of one kind. Their numbers are given out in order; the owner keeps a list of those that it frees.
#[derive(Clone, Debug)]
pub(super) struct Arena<T, const PAGE: usize> {
    pages: Vec<Vec<T>>,
    len: u32,
}

impl<T: Copy, const PAGE: usize> Arena<T, PAGE> {
    const POWER_OF_TWO: () = assert!(PAGE.is_power_of_two());

    pub(super) fn new() -> Arena<T, PAGE> {
        let () = Self::POWER_OF_TWO;
        Arena { pages: Vec::new(), len: 0 }
    }

    /// Records that there are, those included that were freed.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Appends a record. Returns its number.
    pub(super) fn push(&mut self, record: T) -> u32 {
        let number = self.len;
        if (number as usize).is_multiple_of(PAGE) {
            self.pages.push(Vec::with_capacity(PAGE));
        }
        if let Some(page) = self.pages.last_mut() {
            page.push(record);
        }
        self.len += 1;
        number
    }

    /// The record of this number.
    #[inline]
    pub(super) fn at(&self, number: u32) -> &T {
        &self.pages[number as usize / PAGE][number as usize % PAGE]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, number: u32) -> &mut T {
        &mut self.pages[number as usize / PAGE][number as usize % PAGE]
    }

    /// What so many more records allocate at most: their pages, and the growing list of pages.
    pub(super) fn page_bytes(&self, records: usize) -> usize {
        let pages = records / PAGE + 1;
        pages * PAGE * size_of::<T>() + 4 * (self.pages.capacity() + pages + 4) * size_of::<Vec<T>>()
    }

    /// Memory held, without the arena itself.
    pub(super) fn bytes(&self) -> usize {
        self.pages.len() * PAGE * size_of::<T>() + self.pages.capacity() * size_of::<Vec<T>>()
    }
}
