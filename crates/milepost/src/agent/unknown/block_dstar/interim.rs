//! How the agent walks while the search is not ready: along a wall, or aside and back again.

use super::masks;
use serde::{Deserialize, Serialize};

/// How it walks while the search goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct InterimMoves {
    /// The direction of the last move.
    pub(super) heading: usize,
    /// Moves along a wall since something was discovered.
    pub(super) wall_moves: u32,
    /// Moves on a way that was not settled, since something was discovered.
    pub(super) unsettled_moves: u32,
    /// Turns for each try: 1 to the right, 7 to the left.
    pub(super) turn: usize,
    /// The direction back from a step aside.
    pub(super) back: Option<usize>,
    /// Whether that step has left the component that the search looks for a way from.
    pub(super) is_away: bool,
}

impl InterimMoves {
    /// Whether all directions are some.
    pub(super) fn is_sound(&self) -> bool {
        self.heading < 8 && self.turn < 8 && self.back.is_none_or(|back| back < 8)
    }

    /// A move along the wall.
    pub(super) fn follow_wall(&mut self, legal: u8) -> usize {
        let turns = |heading: usize, turn: usize| {
            (0..8).find(|turns| legal >> ((heading + turns * turn) & 7) & 1 == 1).unwrap_or(8)
        };
        if self.wall_moves == 0 {
            self.turn = if turns(self.heading, 1) <= turns(self.heading, 7) { 1 } else { 7 };
        } else {
            // Towards the wall, to go round its end.
            self.heading = (self.heading + 16 - 2 * self.turn) & 7;
        }
        self.wall_moves += 1;
        (self.heading + turns(self.heading, self.turn) * self.turn) & 7
    }

    /// A step aside, and back again: inside the component if that can be.
    pub(super) fn step_aside(&mut self, legal: u8, cell: u64, inside: u64) -> usize {
        if let Some(back) = self.back.take().filter(|back| legal >> back & 1 == 1) {
            self.is_away = false;
            return back;
        }
        self.is_away = false;
        let is_legal = |direction: &usize| legal >> direction & 1 == 1;
        let order = [0, 2, 4, 6, 1, 3, 5, 7];
        let in_component =
            order.into_iter().filter(is_legal).find(|direction| masks::moved(cell, *direction) & inside != 0);
        let direction = in_component.or_else(|| order.into_iter().find(is_legal)).unwrap_or(0);
        self.is_away = in_component.is_none();
        self.back = Some(masks::back(direction));
        direction
    }
}
