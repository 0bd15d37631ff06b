//! Looking for cells outward from a point, ring by ring.

use crate::core::{Point, StateId};
use crate::space::{Grid, Rule, SpaceKind};

impl Grid {
    /// The free cell nearest to a point (which may be blocked or outside the map) by the rule's own distance; among
    /// equals the one with the least id. `None` if no cell is free.
    pub fn nearest_free(&self, point: Point) -> Option<StateId> {
        let mut nearest = Vec::new();
        self.nearest_to(point, |state| self.is_free(state), &mut nearest);
        nearest.first().copied()
    }

    /// Writes all cells that `accept` and share the least distance from a point by the rule on an empty map, in
    /// increasing order. Returns that distance, in base units.
    pub(in crate::space) fn nearest_to(
        &self,
        point: Point,
        accept: impl Fn(StateId) -> bool,
        nearest: &mut Vec<StateId>,
    ) -> Option<i128> {
        nearest.clear();
        // Wide numbers: the point may be as far away as it likes.
        let (px, py) = (i128::from(point.x), i128::from(point.y));
        let (width, height) = (i128::from(self.width()), i128::from(self.height()));
        let straight = i128::from(self.scale().straight());
        let outside = |at: i128, size: i128| (-at).max(at - (size - 1)).max(0);
        let farthest = |at: i128, size: i128| at.abs().max((size - 1 - at).abs());
        // Rings that miss the map altogether are skipped; no cell lies beyond the last.
        let first = outside(px, width).max(outside(py, height));
        let last = farthest(px, width).max(farthest(py, height));
        let mut least = None;
        for radius in first..=last {
            // Every cell of this ring and the next ones is at least this far away.
            if least.is_some_and(|least| radius * straight > least) {
                break;
            }
            let mut look = |x: i128, y: i128| {
                if x < 0 || x >= width {
                    return;
                }
                let at = Point::new(x as i64, y as i64);
                let Some(state) = self.state_at(at).filter(|&state| accept(state)) else { return };
                let distance = self.empty_distance((px, py), (x, y));
                if least.is_none_or(|least| distance < least) {
                    least = Some(distance);
                    nearest.clear();
                }
                if least == Some(distance) {
                    nearest.push(state);
                }
            };
            for y in (py - radius).max(0)..=(py + radius).min(height - 1) {
                if (y - py).abs() == radius {
                    ((px - radius).max(0)..=(px + radius).min(width - 1)).for_each(|x| look(x, y));
                } else {
                    look(px - radius, y);
                    look(px + radius, y);
                }
            }
        }
        nearest.sort_unstable();
        least
    }

    /// What a way between two points would cost by the rule if nothing were blocked, in base units.
    fn empty_distance(&self, (ax, ay): (i128, i128), (bx, by): (i128, i128)) -> i128 {
        let straight = i128::from(self.scale().straight());
        let (columns, rows) = ((ax - bx).abs(), (ay - by).abs());
        if let Some(layout) = self.rule().hexagons() {
            let (from, to) = (layout.axial((ax, ay)), layout.axial((bx, by)));
            let (a, b) = (from.0 - to.0, from.1 - to.1);
            return a.abs().max(b.abs()).max((a + b).abs()) * straight;
        }
        if self.rule() == Rule::Four {
            return (columns + rows) * straight;
        }
        let surplus = i128::from(self.scale().diagonal()) - straight;
        columns.max(rows) * straight + columns.min(rows) * surplus
    }
}
