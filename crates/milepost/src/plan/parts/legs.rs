//! Paths that lead from corner to corner, as turning points.
//!
//! How long a part of a leg is, and whether it goes on as the path did before, differs from leg to leg as by chance: a
//! processor guesses wrong, and loses more than the work takes. So a leg is written without a branch: the state before each of its
//! parts is written behind the last one that counts, and then counts if the path turns there.

use crate::core::StateId;
use crate::space::Cell;
use std::hint::select_unpredictable;

/// Writes legs as turning points.
pub(in crate::plan) struct Legs<'a> {
    /// That of the map, which makes ids of places.
    stride: u32,
    /// Where the path has come to, which is not yet written, and what its last step added to the number of a state; 0 where there
    /// was none.
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
        let mut legs = Legs { stride, at, step: 0, waypoints, count: 0 };
        write(&mut legs);
        // The end counts wherever the path came from.
        legs.turn(legs.at, None);
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
        let (diagonal, diagonal_steps) = (across.wrapping_add(down), wide.min(high));
        let (straight, straight_steps) =
            (if wide > high { across } else { down }, wide.max(high) - diagonal_steps);
        // A part without steps goes as the other one does, and a leg that leads nowhere as the path did before: it turns nowhere.
        let straight = if straight_steps > 0 { straight } else { diagonal };
        let diagonal = if diagonal_steps > 0 { diagonal } else { straight };
        let goes = (wide | high) != 0;
        let pick = |one: u32, other: u32| select_unpredictable(is_straight_first, one, other);
        let first = select_unpredictable(goes, pick(straight, diagonal), self.step);
        let last = select_unpredictable(goes, pick(diagonal, straight), self.step);
        let elbow = self.at.wrapping_add(first.wrapping_mul(pick(straight_steps, diagonal_steps)));
        self.turn(self.at, Some(first));
        self.step = first;
        self.turn(elbow, Some(last));
        self.at = to.1.wrapping_mul(self.stride).wrapping_add(to.0);
        self.step = last;
    }

    /// Writes a state, which counts if the next step is another one than the last.
    #[inline(always)]
    fn turn(&mut self, state: u32, next: Option<u32>) {
        if let Some(waypoint) = self.waypoints.get_mut(self.count) {
            *waypoint = StateId::new(state);
        }
        self.count += usize::from(next != Some(self.step));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    #[test]
    fn turning_points_are_where_steps_one_by_one_change_their_direction() {
        let mut rng = Rng::new(51);
        let (mut waypoints, stride) = (Vec::new(), 40);
        for round in 0..3000 {
            // Small maps: many legs go on as the last one went, some lead nowhere.
            let size = 1 + round % 30;
            let mut cell = || (1 + rng.below(size), 1 + rng.below(size));
            let cells: Vec<Cell> = (0..=round / 30 % 20).map(|_| cell()).collect();
            let is_straight_first = |leg: usize| (leg * leg + round as usize).is_multiple_of(3);
            // The steps, one by one.
            let mut steps = Vec::new();
            for (leg, ends) in cells.windows(2).enumerate() {
                let (dx, dy) = (ends[1].0 as i32 - ends[0].0 as i32, ends[1].1 as i32 - ends[0].1 as i32);
                let diagonal = (dx.signum(), dy.signum());
                let straight = if dx.abs() > dy.abs() { (dx.signum(), 0) } else { (0, dy.signum()) };
                let diagonal_steps = dx.abs().min(dy.abs());
                let straight_steps = dx.abs().max(dy.abs()) - diagonal_steps;
                let mut parts = [(straight, straight_steps), (diagonal, diagonal_steps)];
                if !is_straight_first(leg) {
                    parts.reverse();
                }
                for (step, count) in parts {
                    steps.extend((0..count).map(|_| step));
                }
            }
            let mut at = (cells[0].0 as i32, cells[0].1 as i32);
            let state = |(x, y): (i32, i32)| StateId::new((y * stride + x) as u32);
            let mut expected = vec![state(at)];
            for (place, step) in steps.iter().enumerate() {
                at = (at.0 + step.0, at.1 + step.1);
                if steps.get(place + 1) != Some(step) {
                    expected.push(state(at));
                }
            }
            Legs::write(stride as u32, cells[0], cells.len() - 1, &mut waypoints, |legs| {
                for (leg, ends) in cells.windows(2).enumerate() {
                    legs.go(ends[0], ends[1], is_straight_first(leg));
                }
            });
            assert_eq!(waypoints, expected, "{cells:?}");
        }
    }
}
