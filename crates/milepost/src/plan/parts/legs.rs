//! Paths that lead from corner to corner, as turning points.

use crate::core::StateId;
use crate::space::{Cell, Direction};

/// Writes legs as turning points.
pub(in crate::plan) struct Legs<'a> {
    /// That of the map, which makes ids of places.
    stride: u32,
    last_direction: Option<Direction>,
    waypoints: &'a mut Vec<StateId>,
}

/// The two parts of a leg: diagonal steps, and straight ones in a direction. From one cell to another the diagonal ones
/// come first.
#[derive(Clone, Copy)]
struct Parts {
    diagonal: Option<Direction>,
    straight: Option<Direction>,
    /// Where the leg turns.
    elbow: Cell,
}

impl Parts {
    #[inline(always)]
    fn of(from: Cell, to: Cell) -> Parts {
        let (wide, high) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        let steps = wide.min(high);
        let dx = i64::from(to.0 > from.0) - i64::from(to.0 < from.0);
        let dy = i64::from(to.1 > from.1) - i64::from(to.1 < from.1);
        let along = |from: u32, sign: i64| from.wrapping_add((sign as u32).wrapping_mul(steps));
        let straight = if wide > high { Direction::towards(dx, 0) } else { Direction::towards(0, dy) };
        Parts {
            diagonal: if steps > 0 { Direction::towards(dx, dy) } else { None },
            straight: if wide == high { None } else { straight },
            elbow: (along(from.0, dx), along(from.1, dy)),
        }
    }
}

impl<'a> Legs<'a> {
    /// A path that begins here.
    pub(in crate::plan) fn begin(
        stride: u32,
        start: impl Into<Cell>,
        waypoints: &'a mut Vec<StateId>,
    ) -> Legs<'a> {
        waypoints.clear();
        waypoints.push(state(stride, start.into()));
        Legs { stride, last_direction: None, waypoints }
    }

    /// A leg that the cell at its beginning sees.
    #[inline(always)]
    pub(in crate::plan) fn diagonal_first(&mut self, from: impl Into<Cell>, to: impl Into<Cell>) {
        let (from, to) = (from.into(), to.into());
        let Parts { diagonal, straight, elbow } = Parts::of(from, to);
        self.go(diagonal, elbow);
        self.go(straight, to);
    }

    /// A leg that the cell at its end sees.
    #[inline(always)]
    pub(in crate::plan) fn straight_first(&mut self, from: impl Into<Cell>, to: impl Into<Cell>) {
        let (from, to) = (from.into(), to.into());
        let Parts { diagonal, straight, elbow } = Parts::of(to, from);
        self.go(straight.map(Direction::opposite), elbow);
        self.go(diagonal.map(Direction::opposite), to);
    }

    #[inline(always)]
    fn go(&mut self, direction: Option<Direction>, to: Cell) {
        if direction.is_none() {
            return;
        }
        if direction == self.last_direction {
            self.waypoints.pop();
        }
        self.last_direction = direction;
        self.waypoints.push(state(self.stride, to));
    }
}

/// The id of a cell on a grid of this stride.
#[inline(always)]
fn state(stride: u32, (column, row): Cell) -> StateId {
    StateId::new(row.wrapping_mul(stride).wrapping_add(column))
}
