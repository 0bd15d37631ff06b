//! Paths that lead from jump point to jump point, as turning points.

use crate::core::StateId;
use crate::index::PackedCell;

/// Writes legs as turning points.
pub(in crate::plan) struct Legs<'a> {
    /// That of the map, which makes ids of places.
    stride: u32,
    last_direction: usize,
    waypoints: &'a mut Vec<StateId>,
}

impl<'a> Legs<'a> {
    /// A path that begins here.
    pub(in crate::plan) fn begin(
        stride: u32,
        start: PackedCell,
        waypoints: &'a mut Vec<StateId>,
    ) -> Legs<'a> {
        waypoints.clear();
        waypoints.push(start.state(stride));
        Legs { stride, last_direction: 8, waypoints }
    }

    /// A leg that the cell at its beginning sees.
    #[inline(always)]
    pub(in crate::plan) fn diagonal_first(&mut self, from: PackedCell, to: PackedCell) {
        let run = from.run_to(to);
        if run.diagonal > 0 {
            self.go(run.diagonal_direction, from.ahead(run.diagonal_direction, run.diagonal));
        }
        if run.straight > 0 {
            self.go(run.straight_direction, to);
        }
    }

    /// A leg that the cell at its end sees.
    #[inline(always)]
    pub(in crate::plan) fn straight_first(&mut self, from: PackedCell, to: PackedCell) {
        let run = to.run_to(from);
        if run.straight > 0 {
            self.go(run.straight_direction ^ 4, to.ahead(run.diagonal_direction & 7, run.diagonal));
        }
        if run.diagonal > 0 {
            self.go(run.diagonal_direction ^ 4, to);
        }
    }

    #[inline(always)]
    fn go(&mut self, direction: usize, to: PackedCell) {
        if direction == self.last_direction {
            self.waypoints.pop();
        }
        self.last_direction = direction;
        self.waypoints.push(to.state(self.stride));
    }
}
