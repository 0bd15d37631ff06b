//! Looking for cells outward from a point, ring by ring.

use super::{Grid, Metric, OctileMetric};
use crate::core::{Point, StateId};

impl Grid {
    /// The free cell nearest to a point (which may be blocked or outside the map) by octile distance; among
    /// equals the one with the least id. `None` if no cell is free.
    pub fn nearest_free(&self, point: Point) -> Option<StateId> {
        let mut nearest = Vec::new();
        self.nearest_where(point, |state| self.is_free(state), &mut nearest);
        nearest.first().copied()
    }

    /// Writes all cells that `accept` and share the least octile distance from a point, in increasing order.
    /// Returns that distance.
    pub(crate) fn nearest_where(
        &self,
        point: Point,
        accept: impl Fn(StateId) -> bool,
        nearest: &mut Vec<StateId>,
    ) -> Option<u64> {
        nearest.clear();
        let metric = OctileMetric::new(self.scale().straight(), self.scale().diagonal());
        let (width, height) = (i64::from(self.width()), i64::from(self.height()));
        let outside = |at: i64, size: i64| (-at).max(at - (size - 1)).max(0);
        let farthest = |at: i64, size: i64| at.abs().max((size - 1 - at).abs());
        // Rings that miss the map altogether are skipped; no cell lies beyond the last.
        let first = outside(point.x, width).max(outside(point.y, height));
        let last = farthest(point.x, width).max(farthest(point.y, height));
        let mut least = None;
        for radius in first..=last {
            // Every cell of this ring and the next ones is at least this far away.
            if least.is_some_and(|least| metric.distance(to_u32(radius), 0) > least) {
                break;
            }
            let mut look = |x: i64, y: i64| {
                let at = Point::new(x, y);
                let Some(state) = self.state_at(at).filter(|&state| accept(state)) else { return };
                let distance = metric.distance(to_u32((x - point.x).abs()), to_u32((y - point.y).abs()));
                if least.is_none_or(|least| distance < least) {
                    least = Some(distance);
                    nearest.clear();
                }
                if least == Some(distance) {
                    nearest.push(state);
                }
            };
            let rows = (point.y - radius).max(0)..=(point.y + radius).min(height - 1);
            for y in rows {
                if (y - point.y).abs() == radius {
                    let columns = (point.x - radius).max(0)..=(point.x + radius).min(width - 1);
                    columns.for_each(|x| look(x, y));
                } else {
                    look(point.x - radius, y);
                    look(point.x + radius, y);
                }
            }
        }
        nearest.sort_unstable();
        least
    }
}

/// Distances beyond the range of ids are all equally hopeless.
fn to_u32(distance: i64) -> u32 {
    u32::try_from(distance).unwrap_or(u32::MAX)
}
