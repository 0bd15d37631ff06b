//! Tables of labels that a search has no more use for, kept for the next one: new ones have to be zeroed, and old ones are emptied
//! in O(1).

use super::Label;
use crate::core::EpochMap;

/// What an agent needs at once: a table for each side, and one for cells.
const TABLES: usize = 3;

/// Tables that are lent.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpareLabels {
    /// Those that are lent now are without slots.
    tables: [EpochMap<u32, Label>; TABLES],
    /// Where the next one is put that finds no place.
    next: usize,
}

impl SpareLabels {
    /// An empty table with room for so many labels: one as large as a new one, so that what its user holds does not depend on
    /// who used it before.
    pub(crate) fn lend(&mut self, labels: usize) -> EpochMap<u32, Label> {
        let bytes = EpochMap::<u32, Label>::bytes_for(labels);
        let mut table = match self.tables.iter_mut().find(|table| table.bytes() == bytes) {
            Some(table) => std::mem::take(table),
            None => EpochMap::default(),
        };
        table.clear();
        table.reserve(labels);
        table
    }

    /// Takes a table back.
    pub(crate) fn take_back(&mut self, table: EpochMap<u32, Label>) {
        if table.bytes() == 0 {
            return;
        }
        let free = self.tables.iter().position(|table| table.bytes() == 0);
        let place = free.unwrap_or_else(|| {
            self.next = (self.next + 1) % TABLES;
            self.next
        });
        self.tables[place] = table;
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.iter().map(EpochMap::bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_was_taken_back_is_lent_again_empty_and_no_other_size_is() {
        let mut spare = SpareLabels::default();
        let mut table = spare.lend(100);
        assert_eq!(table.bytes(), EpochMap::<u32, Label>::bytes_for(100));
        table.set(7, Label { g: 1, parent: 7 });
        let bytes = table.bytes();
        spare.take_back(table);
        assert_eq!(spare.bytes(), bytes);
        let other = spare.lend(1000);
        assert!(other.bytes() > bytes && spare.bytes() == bytes);
        let again = spare.lend(100);
        assert_eq!((again.get(7), again.len(), again.bytes(), spare.bytes()), (None, 0, bytes, 0));
        for labels in [1000, 100, 50, 30, 20] {
            let table = spare.lend(labels);
            spare.take_back(table);
        }
        let kept: usize = [50, 30, 20].map(EpochMap::<u32, Label>::bytes_for).iter().sum();
        assert!(spare.bytes() >= kept, "{} of {kept}", spare.bytes());
    }
}
