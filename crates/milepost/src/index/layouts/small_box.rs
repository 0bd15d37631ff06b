//! Rectangles of cells in four bytes.

use super::packed_cell::PackedCell;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// A rectangle of cells: low and high column, low and high row, in units of `2^shift` columns and rows, rounded
/// outwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct SmallBox([u8; 4]);

impl SmallBox {
    pub(crate) const EMPTY: SmallBox = SmallBox([1, 0, 1, 0]);

    /// The box of these columns and rows, ends included; empty if the low column is above the high one.
    pub(crate) fn new(low: [i32; 2], high: [i32; 2], shift: u32) -> SmallBox {
        if low[0] > high[0] {
            return SmallBox::EMPTY;
        }
        let unit = |value: i32| (value >> shift) as u8;
        SmallBox([unit(low[0]), unit(high[0]), unit(low[1]), unit(high[1])])
    }

    /// Units in which the coordinates of a padded rectangle of so many columns and rows fit a byte.
    pub(crate) fn shift(columns_and_rows: u32) -> u32 {
        columns_and_rows.next_power_of_two().ilog2().saturating_sub(8)
    }

    /// A cell in such units.
    #[inline(always)]
    pub(crate) fn unit(cell: PackedCell, shift: u32) -> (u8, u8) {
        ((cell.column() >> shift) as u8, (cell.row() >> shift) as u8)
    }

    #[inline(always)]
    pub(crate) fn holds(&self, (column, row): (u8, u8)) -> bool {
        (column >= self.0[0]) & (column <= self.0[1]) & (row >= self.0[2]) & (row <= self.0[3])
    }

    /// Low and high column, low and high row, ends included, where units are those of this shift.
    #[cfg(feature = "observe")]
    pub(crate) fn corners(&self, shift: u32) -> [i32; 4] {
        let [left, right, top, bottom] = self.0.map(i32::from);
        [left << shift, ((right + 1) << shift) - 1, top << shift, ((bottom + 1) << shift) - 1]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0[0] > self.0[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_holds_its_cells_and_few_others() {
        let (low, high, shift) = ([10, 300], [90, 700], SmallBox::shift(770));
        let small = SmallBox::new(low, high, shift);
        for (column, row) in [(10, 300), (90, 700), (50, 500)] {
            assert!(small.holds(SmallBox::unit(PackedCell::new(column, row), shift)));
        }
        for (column, row) in [(7, 500), (96, 500), (50, 296), (50, 704)] {
            assert!(!small.holds(SmallBox::unit(PackedCell::new(column, row), shift)));
        }
        assert!(SmallBox::new([5, 5], [4, 4], 0).is_empty() && !small.is_empty());
    }
}
