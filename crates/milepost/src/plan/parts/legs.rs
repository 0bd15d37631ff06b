//! Paths that lead from corner to corner, as turning points.
//!
//! How long a part of a leg is, and whether it goes on as the path did before, differs from leg to leg as by chance: a
//! processor guesses wrong, and loses more than the work takes. So a leg is written without a branch: each of its parts is
//! written behind the last one that counts, and then counts or not.

use crate::core::StateId;
use crate::space::Cell;

/// Writes legs as turning points.
pub(in crate::plan) struct Legs<'a> {
    /// That of the map, which makes ids of places.
    stride: u32,
    /// Where the path has come to, and what its last step added to the number of a state.
    at: u32,
    step: u32,
    /// The turning points so far, and room behind them.
    waypoints: &'a mut [StateId],
    count: usize,
}

impl Legs<'_> {
    /// A path that begins here and has at most so many legs, which `write` writes.
    #[inline(always)]
    pub(in crate::plan) fn write(
        stride: u32,
        start: impl Into<Cell>,
        most: usize,
        waypoints: &mut Vec<StateId>,
        write: impl FnOnce(&mut Legs<'_>),
    ) {
        let (column, row) = start.into();
        let at = row.wrapping_mul(stride).wrapping_add(column);
        waypoints.clear();
        // A leg turns once.
        waypoints.resize(1 + 2 * most, StateId::new(at));
        // No step adds nothing.
        let mut legs = Legs { stride, at, step: 0, waypoints, count: 1 };
        write(&mut legs);
        let count = legs.count;
        waypoints.truncate(count);
    }

    /// A leg from where the path has come to, which the cell there sees.
    #[inline(always)]
    pub(in crate::plan) fn diagonal_first(&mut self, from: impl Into<Cell>, to: impl Into<Cell>) {
        self.go(from.into(), to.into(), false);
    }

    /// The same, if the cell at its end sees it.
    #[inline(always)]
    pub(in crate::plan) fn straight_first(&mut self, from: impl Into<Cell>, to: impl Into<Cell>) {
        self.go(from.into(), to.into(), true);
    }

    /// A leg from where the path has come to: its straight steps come first, or its diagonal ones do.
    #[inline(always)]
    pub(in crate::plan) fn go(&mut self, from: Cell, to: Cell, is_straight_first: bool) {
        let (dx, dy) = (to.0.wrapping_sub(from.0) as i32, to.1.wrapping_sub(from.1) as i32);
        let (wide, high) = (dx.unsigned_abs(), dy.unsigned_abs());
        let across = if dx > 0 { 1 } else { u32::MAX };
        let down = if dy > 0 { self.stride } else { self.stride.wrapping_neg() };
        let diagonal = (wide.min(high), across.wrapping_add(down));
        let straight = (wide.max(high) - wide.min(high), if wide > high { across } else { down });
        let pick = |one: u32, other: u32| if is_straight_first { one } else { other };
        let first = (pick(straight.0, diagonal.0), pick(straight.1, diagonal.1));
        let last = (pick(diagonal.0, straight.0), pick(diagonal.1, straight.1));
        self.part(first);
        self.part(last);
    }

    /// A part of a leg, if it has steps: so many, each of which adds this.
    #[inline(always)]
    fn part(&mut self, (steps, step): (u32, u32)) {
        let counts = steps > 0;
        self.at = self.at.wrapping_add(steps.wrapping_mul(step));
        self.count -= usize::from(counts & (step == self.step));
        if let Some(waypoint) = self.waypoints.get_mut(self.count) {
            *waypoint = StateId::new(self.at);
        }
        self.count += usize::from(counts);
        self.step = if counts { step } else { self.step };
    }
}
