//! Cells as pairs of 16-bit coordinates, and what lies between two of them.

use crate::core::StateId;
use crate::space::{Cell, Direction, Grid, Rule};
use serde::{Deserialize, Serialize};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// A cell by its column and row in the padded rectangle, which are one more than those of the map. Cells outside the
/// rectangle exist; what reads tables at a cell must expect them.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Default,
    FromBytes,
    IntoBytes,
    Immutable,
    KnownLayout,
    Serialize,
    Deserialize,
)]
#[repr(transparent)]
pub(crate) struct PackedCell(u32);

/// Directions are numbered clockwise from north; even ones are straight.
pub(crate) type DirectionNumber = usize;

/// Columns and rows of one step.
#[inline]
pub(super) const fn step(direction: DirectionNumber) -> (i32, i32) {
    let (columns, rows) = Direction::from_number(direction).offset();
    (columns as i32, rows as i32)
}

/// What one step adds to a cell, modulo 2^32.
const STEPS: [u32; 8] = {
    let mut steps = [0; 8];
    let mut number = 0;
    while number < 8 {
        let (columns, rows) = step(number);
        steps[number] = ((rows << 16) + columns) as u32;
        number += 1;
    }
    steps
};

/// Maps whose padded rectangle is larger have no cells.
pub(crate) const MOST_COLUMNS: u32 = 0x7fff;

impl PackedCell {
    #[inline]
    pub(crate) const fn new(column: u32, row: u32) -> PackedCell {
        PackedCell(row << 16 | column)
    }

    #[inline]
    pub(crate) fn of(grid: &Grid, state: StateId) -> PackedCell {
        let (column, row) = grid.column_and_row(state);
        PackedCell::new(column, row)
    }

    /// Column and row in one number.
    #[inline]
    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    /// The cell of this number.
    #[inline]
    pub(crate) const fn from_number(number: u32) -> PackedCell {
        PackedCell(number)
    }

    /// The id of this cell on a grid of this stride.
    #[inline]
    pub(crate) fn state(self, stride: u32) -> StateId {
        StateId::new(self.row().wrapping_mul(stride).wrapping_add(self.column()))
    }

    #[inline]
    pub(crate) const fn column(self) -> u32 {
        self.0 & 0xffff
    }

    #[inline]
    pub(crate) const fn row(self) -> u32 {
        self.0 >> 16
    }

    /// Whether it is a free cell of a grid.
    pub(crate) fn is_free_on(self, grid: &Grid) -> bool {
        grid.has_free(self.column() as i32, self.row() as i32)
    }

    /// The cell so many steps ahead.
    #[inline]
    pub(crate) const fn ahead(self, direction: DirectionNumber, steps: i32) -> PackedCell {
        PackedCell(self.0.wrapping_add(STEPS[direction & 7].wrapping_mul(steps as u32)))
    }

    /// Columns and rows from here to there.
    #[inline]
    pub(crate) const fn to(self, other: PackedCell) -> (i32, i32) {
        (other.column() as i32 - self.column() as i32, other.row() as i32 - self.row() as i32)
    }

    /// The run from here to there: diagonal steps first, then straight ones.
    #[inline]
    pub(crate) fn run_to(self, other: PackedCell) -> Run {
        let (dx, dy) = self.to(other);
        let (wide, high) = (dx.abs(), dy.abs());
        let diagonal = wide.min(high);
        let straight_direction =
            if wide > high { direction(dx.signum(), 0) } else { direction(0, dy.signum()) };
        Run {
            diagonal,
            diagonal_direction: direction(dx.signum(), dy.signum()),
            straight: wide.max(high) - diagonal,
            straight_direction,
        }
    }
}

impl From<PackedCell> for Cell {
    #[inline(always)]
    fn from(packed: PackedCell) -> Cell {
        (packed.column(), packed.row())
    }
}

/// Diagonal steps, then straight ones. A direction whose steps are none means nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) diagonal: i32,
    pub(crate) diagonal_direction: DirectionNumber,
    pub(crate) straight: i32,
    pub(crate) straight_direction: DirectionNumber,
}

impl Run {
    /// The direction of its first step, if it has one.
    #[inline]
    pub(crate) fn first_direction(&self) -> DirectionNumber {
        (if self.diagonal > 0 { self.diagonal_direction } else { self.straight_direction }) & 7
    }

    /// The direction of its last step, if it has one.
    #[inline]
    pub(crate) fn last_direction(&self) -> DirectionNumber {
        if self.straight > 0 { self.straight_direction } else { self.diagonal_direction }
    }
}

/// The direction of a step with these signs; 8 if there is none.
#[inline]
pub(crate) const fn direction(dx: i32, dy: i32) -> DirectionNumber {
    const NUMBERS: [u8; 9] = [7, 0, 1, 6, 8, 2, 5, 4, 3];
    NUMBERS[((dy + 1) * 3 + dx + 1) as usize % 9] as usize
}

/// What steps cost in the 32-bit numbers of an index: a smaller convergent than the space's own (see
/// [`CostScale`]), chosen so that comparing stays exact on its map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct LegCosts {
    pub(crate) straight: u32,
    pub(crate) diagonal: u32,
}

impl LegCosts {
    /// What steps cost under octile14, and what lengths are first measured in elsewhere.
    pub(crate) const COARSE: LegCosts = LegCosts { straight: 10, diagonal: 14 };

    /// Convergents of `sqrt 2` from above, the smallest first.
    pub(crate) const CONVERGENTS: [LegCosts; 4] = [
        LegCosts { straight: 2378, diagonal: 3363 },
        LegCosts { straight: 13_860, diagonal: 19_601 },
        LegCosts { straight: 80_782, diagonal: 114_243 },
        LegCosts { straight: 470_832, diagonal: 665_857 },
    ];

    /// Those that an index may use under a rule, the smallest first; none where nothing jumps.
    pub(crate) const fn of_rule(rule: Rule) -> &'static [LegCosts] {
        match rule {
            Rule::Octile => LegCosts::CONVERGENTS.split_at(3).0,
            Rule::Octile14 => &[LegCosts::COARSE],
            _ => &[],
        }
    }

    /// The cost of a run between two cells, walls left aside.
    #[inline]
    pub(crate) fn octile(self, a: PackedCell, b: PackedCell) -> u32 {
        let (dx, dy) = a.to(b);
        self.of_steps(dx, dy)
    }

    /// The cost of a run over so many columns and rows, walls left aside.
    #[inline(always)]
    pub(crate) fn of_steps(self, dx: i32, dy: i32) -> u32 {
        let (wide, high) = (dx.unsigned_abs(), dy.unsigned_abs());
        wide.max(high)
            .wrapping_mul(self.straight)
            .wrapping_add(wide.min(high).wrapping_mul(self.diagonal.wrapping_sub(self.straight)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_add_up_in_every_direction() {
        let from = PackedCell::new(700, 900);
        for number in 0..8 {
            let there = from.ahead(number, 5);
            let (dx, dy) = from.to(there);
            assert_eq!(direction(dx.signum(), dy.signum()), number);
            assert_eq!(dx.abs().max(dy.abs()), 5);
            assert_eq!(there.ahead(number, -5), from);
            assert_eq!(there.ahead(number ^ 4, 5), from);
        }
    }

    #[test]
    fn a_run_is_diagonal_first() {
        let run = PackedCell::new(10, 10).run_to(PackedCell::new(13, 2));
        assert_eq!(
            (run.diagonal, run.diagonal_direction, run.straight, run.straight_direction),
            (3, 1, 5, 0)
        );
        assert_eq!(run.last_direction(), 0);
    }
}
