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
    /// Number of the direction of the last part.
    heading: u32,
    /// The turning points so far, and room behind them.
    waypoints: &'a mut Vec<StateId>,
    count: usize,
}

/// No direction.
const NOWHERE: u32 = 8;

/// Room is made for so many turning points at a time.
const ROOM: usize = 64;

impl<'a> Legs<'a> {
    /// A path that begins here.
    #[inline]
    pub(in crate::plan) fn begin(
        stride: u32,
        start: impl Into<Cell>,
        waypoints: &'a mut Vec<StateId>,
    ) -> Legs<'a> {
        waypoints.clear();
        waypoints.push(state(stride, start.into()));
        Legs { stride, heading: NOWHERE, waypoints, count: 1 }
    }

    /// A leg that the cell at its beginning sees.
    #[inline(always)]
    pub(in crate::plan) fn diagonal_first(&mut self, from: impl Into<Cell>, to: impl Into<Cell>) {
        self.go(from.into(), to.into(), false);
    }

    /// A leg that the cell at its end sees.
    #[inline(always)]
    pub(in crate::plan) fn straight_first(&mut self, from: impl Into<Cell>, to: impl Into<Cell>) {
        self.go(from.into(), to.into(), true);
    }

    /// A leg whose straight steps come first, or whose diagonal ones do.
    #[inline(always)]
    pub(in crate::plan) fn go(&mut self, from: Cell, to: Cell, is_straight_first: bool) {
        let (wide, high) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        let (is_east, is_south) = (to.0 > from.0, to.1 > from.1);
        let diagonal_steps = wide.min(high);
        let diagonal = (diagonal_steps > 0, u32::from(is_east) | u32::from(is_south) << 1);
        let heading = if wide > high { 4 | u32::from(is_east) } else { 6 | u32::from(is_south) };
        let straight = (wide != high, heading);
        // From the end that sees the other, along the diagonal.
        let (seeing, first, last) =
            if is_straight_first { (to, straight, diagonal) } else { (from, diagonal, straight) };
        let along = |at: u32, grows: bool| {
            if grows { at.wrapping_add(diagonal_steps) } else { at.wrapping_sub(diagonal_steps) }
        };
        let elbow = (along(seeing.0, is_east != is_straight_first), along(seeing.1, is_south != is_straight_first));
        if self.waypoints.len() < self.count + 2 {
            self.make_room();
        }
        self.part(first, elbow);
        self.part(last, to);
    }

    /// A part of a leg, if it has steps: their direction, and where they lead.
    #[inline(always)]
    fn part(&mut self, (counts, heading): (bool, u32), to: Cell) {
        self.count -= usize::from(counts & (heading == self.heading));
        self.waypoints[self.count] = state(self.stride, to);
        self.count += usize::from(counts);
        self.heading = if counts { heading } else { self.heading };
    }

    #[cold]
    fn make_room(&mut self) {
        self.waypoints.resize(self.count + ROOM, StateId::NONE);
    }
}

impl Drop for Legs<'_> {
    /// Room that was not needed goes.
    fn drop(&mut self) {
        self.waypoints.truncate(self.count);
    }
}

/// The id of a cell on a grid of this stride.
#[inline(always)]
fn state(stride: u32, (column, row): Cell) -> StateId {
    StateId::new(row.wrapping_mul(stride).wrapping_add(column))
}
