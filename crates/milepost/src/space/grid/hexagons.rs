//! How hexagons lie in the columns and rows of a map.
//!
//! Every other row lies half a cell to the right, or every other column half a cell down. Either way a hexagon touches the
//! cells north, east, south and west of it in the rectangle, and two of the four diagonal ones.
//!
//! Straight runs have constant steps in axial coordinates: how far along a row (or a column), counted from an axis aslant
//! that gains half a cell with each of them, and which row (or column) it is. Between (a, b) and (c, d) there are
//! max(|a - c|, |b - d|, |a - c + b - d|) steps.

use super::direction::{Direction, DirectionSet};
use super::rule::Rule;
use crate::space::Cell;
use std::ops::{Add, Shr, Sub};

/// Which rows or columns of hexagons lie half a cell further, counted from 0.
///
/// ```
/// use milepost::{Grid, HexLayout, Rule};
///
/// let grid = Grid::new(8, 6, HexLayout::EvenColumns.rule(), |_, _| true)?;
/// assert_eq!(grid.rule(), Rule::HexEvenQ);
/// assert!(HexLayout::EvenColumns.shifts(2, 0) && !HexLayout::EvenColumns.shifts(3, 0));
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HexLayout {
    /// Odd rows, to the right.
    OddRows,
    /// Even rows, to the right.
    EvenRows,
    /// Odd columns, down.
    OddColumns,
    /// Even columns, down.
    EvenColumns,
}

impl HexLayout {
    /// All of them.
    pub const ALL: [HexLayout; 4] =
        [HexLayout::OddRows, HexLayout::EvenRows, HexLayout::OddColumns, HexLayout::EvenColumns];

    /// The rule by which one moves between such hexagons.
    pub const fn rule(self) -> Rule {
        match self {
            HexLayout::OddRows => Rule::Hex,
            HexLayout::EvenRows => Rule::HexEvenR,
            HexLayout::OddColumns => Rule::HexOddQ,
            HexLayout::EvenColumns => Rule::HexEvenQ,
        }
    }

    /// Whether rows are shifted, and not columns.
    #[inline]
    pub const fn shifts_rows(self) -> bool {
        matches!(self, HexLayout::OddRows | HexLayout::EvenRows)
    }

    /// Whether the even ones are shifted, and not the odd ones.
    #[inline]
    pub const fn shifts_even(self) -> bool {
        matches!(self, HexLayout::EvenRows | HexLayout::EvenColumns)
    }

    /// Whether a row or a column of this number is shifted, in a layout that shifts rows or columns.
    #[inline]
    const fn is_shifted(self, number: i64) -> bool {
        (number.rem_euclid(2) == 0) == self.shifts_even()
    }

    /// Whether a cell of a map lies half a cell further than the others of its column or row.
    #[inline]
    pub const fn shifts(self, x: i64, y: i64) -> bool {
        self.is_shifted(if self.shifts_rows() { y } else { x })
    }

    /// The same by the column and the row in the padded rectangle.
    #[inline]
    pub(crate) const fn shifts_cell(self, (column, row): Cell) -> bool {
        // Both are one more than on the map.
        self.shifts(column as i64 - 1, row as i64 - 1)
    }

    /// The layout as columns and rows of the padded rectangle have it, which are one more than those of the map.
    const fn padded(self) -> HexLayout {
        match self {
            HexLayout::OddRows => HexLayout::EvenRows,
            HexLayout::EvenRows => HexLayout::OddRows,
            HexLayout::OddColumns => HexLayout::EvenColumns,
            HexLayout::EvenColumns => HexLayout::OddColumns,
        }
    }

    /// The axial coordinates of a cell of a map: along its row and the row, or along its column and the column.
    #[inline]
    pub(crate) fn axial<N>(self, (x, y): (N, N)) -> (N, N)
    where
        N: Copy + From<bool> + Add<Output = N> + Sub<Output = N> + Shr<u32, Output = N>,
    {
        let (along, number) = if self.shifts_rows() { (x, y) } else { (y, x) };
        (along - self.lean(number), number)
    }

    /// The cell with these axial coordinates.
    #[inline]
    fn of_axial(self, (a, number): (i64, i64)) -> (i64, i64) {
        let along = a + self.lean(number);
        if self.shifts_rows() { (along, number) } else { (number, along) }
    }

    /// How many cells the axis aslant has gained at a row or column of this number: half of it, rounded down; up where even
    /// ones are shifted.
    #[inline]
    fn lean<N: From<bool> + Add<Output = N> + Shr<u32, Output = N>>(self, number: N) -> N {
        (number + N::from(self.shifts_even())) >> 1
    }

    /// The axial coordinates of a column and a row of the padded rectangle, up to a constant.
    #[inline]
    pub(crate) fn axial_of_cell(self, (column, row): Cell) -> (i64, i64) {
        self.padded().axial((i64::from(column), i64::from(row)))
    }

    /// The column and the row of the padded rectangle with [these](HexLayout::axial_of_cell) axial coordinates, which must
    /// lie in it.
    #[inline]
    pub(crate) fn cell_of_axial(self, axial: (i64, i64)) -> Cell {
        let (column, row) = self.column_and_row_of_axial(axial);
        (column as u32, row as u32)
    }

    /// The same of coordinates that may lie outside.
    pub(crate) fn column_and_row_of_axial(self, axial: (i64, i64)) -> (i64, i64) {
        self.padded().of_axial(axial)
    }

    /// The directions in which a cell touches others, shifted or not.
    pub(crate) const fn directions(self, is_shifted: bool) -> DirectionSet {
        let (one, other) = match (self.shifts_rows(), is_shifted) {
            (true, false) => (Direction::NorthWest, Direction::SouthWest),
            (true, true) => (Direction::NorthEast, Direction::SouthEast),
            (false, false) => (Direction::NorthWest, Direction::NorthEast),
            (false, true) => (Direction::SouthWest, Direction::SouthEast),
        };
        DirectionSet::STRAIGHT.with(one).with(other)
    }
}

/// Steps between two hexagons, from the differences of their axial coordinates.
#[inline]
pub(crate) fn hex_steps(a: i64, b: i64) -> u64 {
    a.unsigned_abs().max(b.unsigned_abs()).max((a + b).unsigned_abs())
}
