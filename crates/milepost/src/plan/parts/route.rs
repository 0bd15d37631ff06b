//! Paths that lead from corner to corner, as turning points, for planners whose whole query takes no longer than writing such a
//! path leg by leg would: legs are collected first, then all of them are measured side by side, and at last those of their ends
//! are kept at which the path turns. The same turning points as [`Legs`](super::legs::Legs) writes.

use crate::core::StateId;
use crate::space::Cell;

/// Legs that are measured at once, or a part of them.
const LANES: usize = 8;

/// The legs of a path. Arrays have room behind the last leg, so that whole lanes are measured.
#[derive(Clone, Debug, Default)]
pub(in crate::plan) struct Route {
    /// That of the map, which makes ids of places.
    stride: u32,
    /// Where the path begins, and then where each leg ends.
    columns: Vec<u32>,
    rows: Vec<u32>,
    /// By leg, 1 if its straight steps come before its diagonal ones.
    straight_first: Vec<u32>,
    /// By leg, the states at which its first part ends, and its last.
    elbows: Vec<u32>,
    ends: Vec<u32>,
    /// By leg, what a step of either part adds to the number of a state; 0 where the part has no steps.
    first_steps: Vec<u32>,
    last_steps: Vec<u32>,
    count: usize,
}

impl Route {
    /// A path on a map of this stride that begins here and has at most so many legs.
    #[inline(always)]
    pub(in crate::plan) fn begin(&mut self, stride: u32, start: Cell, most: usize) {
        if self.ends.len() < most + LANES {
            self.grow_to((most + LANES).next_power_of_two());
        }
        (self.count, self.stride) = (0, stride);
        (self.columns[0], self.rows[0]) = start;
    }

    #[cold]
    fn grow_to(&mut self, room: usize) {
        let Route { columns, rows, straight_first, elbows, ends, first_steps, last_steps, .. } = self;
        [columns, rows].into_iter().for_each(|places| places.resize(room + 1, 0));
        [straight_first, elbows, ends, first_steps, last_steps]
            .into_iter()
            .for_each(|legs| legs.resize(room, 0));
    }

    /// One more leg, if there is room: to where, and whether its straight steps come first.
    #[inline(always)]
    pub(in crate::plan) fn push(&mut self, (column, row): Cell, is_straight_first: bool) {
        let Route { columns, rows, straight_first, ends, count, .. } = self;
        let places = (columns.get_mut(*count + 1), rows.get_mut(*count + 1));
        let legs = (straight_first.get_mut(*count), ends.get_mut(*count));
        if let ((Some(to_column), Some(to_row)), (Some(first), Some(end))) = (places, legs) {
            (*to_column, *to_row, *first) = (column, row, u32::from(is_straight_first));
            *end = row.wrapping_mul(self.stride).wrapping_add(column);
            *count += 1;
        }
    }

    /// Measures all legs.
    #[inline(always)]
    pub(in crate::plan) fn measure(&mut self) {
        let lanes = self.count.next_multiple_of(LANES).min(self.ends.len());
        measure(
            &self.columns[..lanes + 1],
            &self.rows[..lanes + 1],
            &self.straight_first[..lanes],
            &mut self.elbows[..lanes],
            &mut self.first_steps[..lanes],
            &mut self.last_steps[..lanes],
            self.stride,
        );
    }

    /// Writes the turning points of the legs that were measured. Whether the path turns is as by chance, so each end is written
    /// behind the last one that counts, and then counts or not.
    pub(in crate::plan) fn write(&self, start: StateId, waypoints: &mut Vec<StateId>) {
        let Route { elbows, ends, first_steps, last_steps, count: legs, .. } = self;
        waypoints.clear();
        // A leg turns once.
        waypoints.resize(1 + 2 * legs, start);
        let (mut count, mut step_before) = (1, 0);
        let parts = elbows.iter().zip(first_steps).zip(ends.iter().zip(last_steps));
        for (first, last) in parts.take(*legs) {
            for (&end, &step) in [first, last] {
                let counts = step != 0;
                count -= usize::from(counts & (step == step_before));
                if let Some(waypoint) = waypoints.get_mut(count) {
                    *waypoint = StateId::new(end);
                }
                count += usize::from(counts);
                step_before = if counts { step } else { step_before };
            }
        }
        waypoints.truncate(count);
    }

    pub(in crate::plan) fn bytes(&self) -> usize {
        let Route { columns, rows, straight_first, elbows, ends, first_steps, last_steps, .. } = self;
        let all = [columns, rows, straight_first, elbows, ends, first_steps, last_steps];
        all.into_iter().map(Vec::capacity).sum::<usize>() * size_of::<u32>()
    }
}

/// The elbow of each leg between two places, and the steps of its parts. Each slice is an argument of its own, so that the compiler
/// knows that they lie apart, and measures several legs at once.
#[inline(always)]
fn measure(
    columns: &[u32],
    rows: &[u32],
    straight_first: &[u32],
    elbows: &mut [u32],
    first_steps: &mut [u32],
    last_steps: &mut [u32],
    stride: u32,
) {
    let from = columns.iter().zip(rows);
    let to = columns.iter().zip(rows).skip(1);
    let legs = from.zip(to).zip(straight_first);
    let measured = elbows.iter_mut().zip(first_steps.iter_mut().zip(last_steps));
    for ((((&column, &row), (&to_column, &to_row)), &straight_first), (elbow, (first, last))) in
        legs.zip(measured)
    {
        let (dx, dy) = (to_column.wrapping_sub(column) as i32, to_row.wrapping_sub(row) as i32);
        let (wide, high) = (dx.unsigned_abs(), dy.unsigned_abs());
        let across = if dx > 0 { 1 } else { u32::MAX };
        let down = if dy > 0 { stride } else { stride.wrapping_neg() };
        let (diagonal, diagonal_steps) = (across.wrapping_add(down), wide.min(high));
        let (straight, straight_steps) =
            (if wide > high { across } else { down }, wide.max(high) - diagonal_steps);
        let pick = |one: u32, other: u32| if straight_first != 0 { one } else { other };
        let way = pick(straight.wrapping_mul(straight_steps), diagonal.wrapping_mul(diagonal_steps));
        *elbow = row.wrapping_mul(stride).wrapping_add(column).wrapping_add(way);
        let diagonal = if diagonal_steps > 0 { diagonal } else { 0 };
        let straight = if straight_steps > 0 { straight } else { 0 };
        (*first, *last) = (pick(straight, diagonal), pick(diagonal, straight));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use crate::plan::parts::legs::Legs;

    #[test]
    fn legs_measured_side_by_side_turn_where_those_written_one_by_one_do() {
        let mut rng = Rng::new(51);
        let (mut route, mut waypoints, mut one_by_one) = (Route::default(), Vec::new(), Vec::new());
        for round in 0..3000 {
            // Small maps: many legs go on as the last one went, some lead nowhere.
            let (width, height) = (1 + rng.below(if round % 3 == 0 { 4000 } else { 5 }), 1 + rng.below(5));
            let stride = width + 2;
            let mut cell = || (1 + rng.below(width), 1 + rng.below(height));
            let start = cell();
            let count = round as usize % 40;
            let legs: Vec<(Cell, bool)> = (0..count).map(|_| (cell(), cell().1 % 2 == 0)).collect();
            route.begin(stride, start, count);
            legs.iter().for_each(|&(to, is_straight_first)| route.push(to, is_straight_first));
            route.measure();
            route.write(StateId::new(start.1 * stride + start.0), &mut waypoints);
            Legs::write(stride, start, count, &mut one_by_one, |written| {
                let mut at = start;
                for &(to, is_straight_first) in &legs {
                    written.go(at, to, is_straight_first);
                    at = to;
                }
            });
            assert_eq!(waypoints, one_by_one, "{start:?} {legs:?}");
        }
    }
}
