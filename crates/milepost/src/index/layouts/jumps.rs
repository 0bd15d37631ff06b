//! What the distances of a [jump table](super::jump_table) say: jumps, free runs, first jump points.
//!
//! Every method returns something for every cell and comes to an end, whatever the distances are.

use super::packed_cell::{DirectionNumber, LegCosts, PackedCell};

/// One cell's distances, in eight directions.
pub(crate) type Entry = [i8; 8];

/// The value that says: read on 127 steps ahead.
pub(crate) const READ_ON: i8 = -127;
const READ_ON_STEPS: i32 = 127;

/// A cell from which no step leads on.
pub(crate) const WALLED_IN: Entry = [0; 8];

/// A jump point that is seen from a cell: by diagonal steps, then straight ones, with none between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ahead {
    pub(crate) at: PackedCell,
    /// Direction of the last, straight step, halved: 0 = going north, 1 = east, 2 = south, 3 = west.
    pub(crate) arrival: u32,
    pub(crate) straight: i32,
    pub(crate) diagonal: i32,
    /// Direction of the diagonal steps, if there are any.
    pub(crate) diagonal_direction: u32,
}

impl Ahead {
    #[inline]
    pub(crate) fn cost(&self, legs: LegCosts) -> u32 {
        (self.diagonal as u32)
            .wrapping_mul(legs.diagonal)
            .wrapping_add((self.straight as u32).wrapping_mul(legs.straight))
    }
}

/// Where the distances of cells can be looked up.
pub(crate) trait Jumps {
    /// A free cell's distances.
    fn entry(&self, cell: PackedCell) -> &Entry;

    /// Steps to the jump point ahead; 0 if there is none. `entry` is the one of `packed_cell`.
    #[inline(always)]
    fn jump(&self, entry: &Entry, cell: PackedCell, direction: DirectionNumber) -> i32 {
        let value = i32::from(entry[direction & 7]);
        if value != i32::from(READ_ON) {
            return value.max(0);
        }
        self.long_jump(cell, direction)
    }

    #[cold]
    fn long_jump(&self, mut cell: PackedCell, direction: DirectionNumber) -> i32 {
        // No row is longer; a table that was tampered with may say so.
        for steps in (0..1 << 16).step_by(READ_ON_STEPS as usize) {
            let value = self.entry(cell)[direction & 7];
            if value != READ_ON {
                return if value > 0 { steps + i32::from(value) } else { 0 };
            }
            cell = cell.ahead(direction, READ_ON_STEPS);
        }
        0
    }

    /// Whether so many steps ahead are free.
    #[inline(always)]
    fn is_clear(&self, mut cell: PackedCell, direction: DirectionNumber, mut steps: i32) -> bool {
        while steps > 0 {
            let value = self.entry(cell)[direction & 7];
            let free = i32::from(value).abs();
            if free >= steps {
                return true;
            }
            if value <= 0 && value != READ_ON {
                return false;
            }
            cell = cell.ahead(direction, free);
            steps -= free;
        }
        true
    }

    /// Free steps ahead before the wall, at most `most`.
    #[inline(always)]
    fn clear_steps(&self, mut cell: PackedCell, direction: DirectionNumber, most: i32) -> i32 {
        let mut steps = 0;
        while steps < most {
            let value = self.entry(cell)[direction & 7];
            let free = i32::from(value).abs();
            steps += free;
            if value <= 0 && value != READ_ON {
                break;
            }
            cell = cell.ahead(direction, free);
        }
        steps.min(most)
    }

    /// Whether the run from a to b is free: diagonal steps, then straight ones.
    #[inline(always)]
    fn is_direct(&self, a: PackedCell, b: PackedCell) -> bool {
        let run = a.run_to(b);
        if run.diagonal > 0 && !self.is_clear(a, run.diagonal_direction, run.diagonal) {
            return false;
        }
        run.straight == 0 || {
            let turn = if run.diagonal > 0 { a.ahead(run.diagonal_direction, run.diagonal) } else { a };
            self.is_clear(turn, run.straight_direction, run.straight)
        }
    }

    /// Names the first jump points of a cell: straight ahead in four directions, and beside the four diagonals.
    #[inline(always)]
    fn first_jump_points(&self, from: PackedCell, mut visit: impl FnMut(Ahead)) {
        let entry = *self.entry(from);
        for direction in [0, 2, 4, 6] {
            let straight = self.jump(&entry, from, direction);
            if straight > 0 {
                let (at, arrival) = (from.ahead(direction, straight), direction as u32 / 2);
                visit(Ahead { at, arrival, straight, diagonal: 0, diagonal_direction: 8 });
            }
        }
        for direction in [1, 3, 5, 7] {
            let (mut cell, mut entry, mut diagonal) = (from, entry, 0);
            loop {
                let jump = self.jump(&entry, cell, direction);
                // No diagonal is longer; a table that was tampered with may say so.
                if jump == 0 || diagonal > 1 << 16 {
                    break;
                }
                cell = cell.ahead(direction, jump);
                diagonal += jump;
                entry = *self.entry(cell);
                for beside in [direction - 1, (direction + 1) & 7] {
                    let straight = self.jump(&entry, cell, beside);
                    if straight > 0 {
                        let (at, arrival) = (cell.ahead(beside, straight), beside as u32 / 2);
                        let diagonal_direction = direction as u32;
                        visit(Ahead { at, arrival, straight, diagonal, diagonal_direction });
                    }
                }
            }
        }
    }
}
