//! Paths on a grid as straight runs: which cells lie between two turning points, and where a path turns.

use crate::core::{Path, StateId};
use crate::space::Grid;

impl Grid {
    /// Writes the cells of a path into a list, in place of what it holds: its turning points and what lies between them.
    pub(in crate::space) fn write_runs(&self, path: &Path, cells: &mut Vec<StateId>) {
        cells.clear();
        let waypoints = path.waypoints();
        let Some(&first) = waypoints.first() else { return };
        cells.push(first);
        if self.rule().hexagons().is_some() || !self.links().is_empty() {
            for (index, ends) in waypoints.windows(2).enumerate() {
                cells.extend(self.leg(ends[0], ends[1], path.is_hop(index)));
            }
            return;
        }
        // Steps between columns and rows add the same to every id: many cells at a time.
        let (mut from, mut at) = (first, self.run_coordinates(first));
        for &to in &waypoints[1..] {
            let there = self.run_coordinates(to);
            let (dx, dy) = (there.0 - at.0, there.1 - at.1);
            let steps = dx.abs().max(dy.abs()) as u32;
            let step = (dy.signum() * i64::from(self.stride()) + dx.signum()) as u32;
            let begin = from.number();
            cells.extend(
                (1..steps + 1).map(|count| StateId::new(begin.wrapping_add(step.wrapping_mul(count)))),
            );
            (from, at) = (to, there);
        }
    }

    /// The cells after `from` on the straight run to `to`, or `to` alone.
    fn leg(&self, from: StateId, to: StateId, is_hop: bool) -> impl Iterator<Item = StateId> + use<> {
        let (geometry, hexagons) = (*self.geometry(), self.rule().hexagons());
        let (a, b) = (self.run_coordinates(from), self.run_coordinates(to));
        let steps = (b.0 - a.0).abs().max((b.1 - a.1).abs()).max(1);
        let (dx, dy) = ((b.0 - a.0) / steps, (b.1 - a.1) / steps);
        let between = if is_hop { 1..1 } else { 1..steps };
        let middle = move |step: i64| {
            let (u, v) = (a.0 + dx * step, a.1 + dy * step);
            geometry.state(hexagons.map_or((u as u32, v as u32), |layout| layout.cell_of_axial((u, v))))
        };
        between.map(middle).chain(std::iter::once(to))
    }

    /// Coordinates in which straight runs have constant steps: column and row, or, on hexagons, axial ones.
    pub(in crate::space) fn run_coordinates(&self, state: StateId) -> (i64, i64) {
        let cell = self.column_and_row(state);
        self.rule()
            .hexagons()
            .map_or((i64::from(cell.0), i64::from(cell.1)), |layout| layout.axial_of_cell(cell))
    }

    /// Where a run that goes diagonally first and then straight turns, if it does. Squares only.
    pub(crate) fn elbow(&self, from: StateId, to: StateId) -> Option<StateId> {
        let (a, b) = (self.run_coordinates(from), self.run_coordinates(to));
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let diagonal = dx.abs().min(dy.abs());
        let turns = diagonal > 0 && dx.abs() != dy.abs();
        turns.then(|| {
            self.geometry()
                .state(((a.0 + diagonal * dx.signum()) as u32, (a.1 + diagonal * dy.signum()) as u32))
        })
    }
}
