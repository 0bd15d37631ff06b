//! What the 3 x 3 square around a cell says about connectivity.

use crate::core::StateId;
use crate::space::{Cell, Direction, Grid, Rule, SpaceKind};

/// The cells around one cell, and which of them are free. Positions 0 to 8, row by row; the cell itself is 4.
#[derive(Clone, Copy, Debug)]
pub(in crate::space) struct Neighbourhood {
    rule: Rule,
    /// The cell's column and row in the padded rectangle.
    centre: Cell,
    /// Free cells as bits, without the cell itself.
    free: u16,
    ids: [StateId; 9],
}

impl Neighbourhood {
    /// The square around a cell of a grid.
    pub(in crate::space) fn new(grid: &Grid, centre: StateId) -> Neighbourhood {
        let stride = i64::from(grid.stride());
        let ids = std::array::from_fn(|position| {
            let (dx, dy) = offset(position);
            StateId::new((i64::from(centre.number()) + dy * stride + dx) as u32)
        });
        let free = (0..9)
            .filter(|&position| position != 4 && grid.is_free(ids[position]))
            .fold(0, |bits, position| bits | 1 << position);
        Neighbourhood { rule: grid.rule(), centre: grid.column_and_row(centre), free, ids }
    }

    fn is_free(&self, position: usize) -> bool {
        self.free >> position & 1 == 1
    }

    /// Whether the rule allows a step between two positions, the centre taken as free if `centre_is_free`.
    fn is_step(&self, a: usize, b: usize, centre_is_free: bool) -> bool {
        let free = |position: usize| if position == 4 { centre_is_free } else { self.is_free(position) };
        let ((ax, ay), (bx, by)) = (offset(a), offset(b));
        let Some(direction) = Direction::towards(bx - ax, by - ay) else { return false };
        if !free(a) || !free(b) {
            return false;
        }
        if direction.is_diagonal() && self.rule.has_strict_corners() {
            return [position(bx, ay), position(ax, by)].into_iter().all(free);
        }
        // Never outside the padded rectangle, whose border is blocked.
        let at = |centre: u32, offset: i64| (i64::from(centre) + offset) as u32;
        self.rule.joins((at(self.centre.0, ax), at(self.centre.1, ay)), direction)
    }

    /// The cells that one step joins with the centre, which counts as free.
    fn joined(&self) -> impl Iterator<Item = usize> + '_ {
        (0..9).filter(|&position| position != 4 && self.is_step(4, position, true))
    }

    /// The cells that one step joins with the centre.
    pub(in crate::space) fn neighbours(&self) -> impl Iterator<Item = StateId> + '_ {
        self.joined().map(|position| self.ids[position])
    }
}

fn offset(position: usize) -> (i64, i64) {
    (position as i64 % 3 - 1, position as i64 / 3 - 1)
}

fn position(dx: i64, dy: i64) -> usize {
    ((dy + 1) * 3 + dx + 1) as usize
}

/// Whether the cells that the centre joined are still joined inside the square without it. (A diagonal step past the
/// centre, which strict corners forbid once it is blocked, joins two of its own neighbours: nothing else is lost.)
pub(in crate::space) fn keeps_together(square: &Neighbourhood) -> bool {
    let Some(first) = square.joined().next() else { return true };
    let (mut reached, mut stack) = (1_u16 << first, vec![first]);
    while let Some(at) = stack.pop() {
        for next in (0..9).filter(|&next| next != 4 && square.is_step(at, next, false)) {
            if reached >> next & 1 == 0 {
                reached |= 1 << next;
                stack.push(next);
            }
        }
    }
    square.joined().all(|position| reached >> position & 1 == 1)
}
