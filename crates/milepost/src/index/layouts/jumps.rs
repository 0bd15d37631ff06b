//! What the distances of a [jump table](super::jump_table) say: jumps, free runs, first jump points.
//!
//! Every method returns something for every cell and comes to an end, whatever the distances are.

use super::packed_cell::{DirectionNumber, LegCosts, PackedCell};
use crate::core::Budget;

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

    /// Steps to the jump point ahead; 0 if there is none. `entry` is the one of `cell`. Jumps of more than 126 steps read on,
    /// an entry for each 127.
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

    /// The same as a look that can be interrupted anywhere: `at` is where it has come to, and begins at `a`. One unit for each
    /// entry read; `None` if the budget is gone before the answer is known.
    #[inline(always)]
    fn look(&self, at: &mut PackedCell, b: PackedCell, budget: &mut Budget) -> Option<bool> {
        let run = at.run_to(b);
        for (direction, mut steps) in
            [(run.diagonal_direction, run.diagonal), (run.straight_direction, run.straight)]
        {
            while steps > 0 {
                if !budget.take() {
                    return None;
                }
                let value = self.entry(*at)[direction & 7];
                let free = i32::from(value).abs();
                if free < steps && value <= 0 && value != READ_ON {
                    return Some(false);
                }
                *at = at.ahead(direction, free.min(steps));
                steps -= free;
            }
        }
        Some(true)
    }

    /// Names the first jump points of a cell: straight ahead in four directions, and beside the four diagonals.
    #[inline(always)]
    fn first_jump_points(&self, from: PackedCell, visit: impl FnMut(Ahead)) {
        JumpScan::new(from).advance(self, &mut Budget::unlimited(), visit);
    }
}

/// A look for the first jump points of a cell that can be interrupted anywhere. One unit for each direction, and for each cell
/// of a diagonal from which it looks aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct JumpScan {
    from: PackedCell,
    /// The directions in which it looks, as bits.
    directions: u8,
    /// Four straight directions, then four diagonals.
    turn: usize,
    /// Where the look along the diagonal has come to, by so many steps.
    at: PackedCell,
    diagonal: i32,
}

impl JumpScan {
    pub(crate) fn new(from: PackedCell) -> JumpScan {
        JumpScan { from, directions: u8::MAX, turn: 0, at: from, diagonal: 0 }
    }

    /// The same in these directions alone, given as bits.
    pub(crate) fn along(self, directions: u8) -> JumpScan {
        JumpScan { directions, ..self }
    }

    /// Goes on. False if the budget is gone before the end.
    #[inline(always)]
    pub(crate) fn advance<J: Jumps + ?Sized>(
        &mut self,
        jumps: &J,
        budget: &mut Budget,
        mut visit: impl FnMut(Ahead),
    ) -> bool {
        let first = *jumps.entry(self.from);
        while self.turn < 4 {
            if !budget.take() {
                return false;
            }
            let direction = 2 * self.turn;
            let straight = jumps.jump(&first, self.from, direction);
            if straight > 0 && self.directions >> direction & 1 == 1 {
                let (at, arrival) = (self.from.ahead(direction, straight), self.turn as u32);
                visit(Ahead { at, arrival, straight, diagonal: 0, diagonal_direction: 8 });
            }
            self.turn += 1;
        }
        while self.turn < 8 {
            let direction = 2 * (self.turn - 4) + 1;
            let (mut cell, mut diagonal) = (self.at, self.diagonal);
            let mut entry = if diagonal == 0 { first } else { *jumps.entry(cell) };
            loop {
                if !budget.take() {
                    (self.at, self.diagonal) = (cell, diagonal);
                    return false;
                }
                let jump = jumps.jump(&entry, cell, direction);
                // No diagonal is longer; a table that was tampered with may say so.
                if jump == 0 || diagonal > 1 << 16 || self.directions >> direction & 1 == 0 {
                    break;
                }
                cell = cell.ahead(direction, jump);
                diagonal += jump;
                entry = *jumps.entry(cell);
                for beside in [direction - 1, (direction + 1) & 7] {
                    let straight = jumps.jump(&entry, cell, beside);
                    if straight > 0 {
                        let (at, arrival) = (cell.ahead(beside, straight), beside as u32 / 2);
                        let diagonal_direction = direction as u32;
                        visit(Ahead { at, arrival, straight, diagonal, diagonal_direction });
                    }
                }
            }
            (self.turn, self.at, self.diagonal) = (self.turn + 1, self.from, 0);
        }
        true
    }
}
