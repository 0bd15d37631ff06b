//! Straight lines over a mesh, and moves along its surface.
//!
//! A polygon meets a segment in an interval, and two neighbours share a point of theirs where their portal meets the
//! segment. So a segment is clear if and only if the polygon of its end is found by going, from polygon to polygon, through
//! portals that the segment meets: no order of crossings has to be decided, and corners need no rule of their own.

use super::geometry::{FinePoint, is_on, orient_fine};
use super::shape::Shape;

/// How far a straight line leads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Cast {
    /// The last polygon, and the last point that can be reached.
    pub(super) polygon: u32,
    pub(super) end: FinePoint,
    pub(super) is_clear: bool,
}

impl Shape {
    /// Follows a straight line from a point of a polygon through polygons that are open.
    pub(super) fn cast(
        &self,
        polygon: u32,
        from: FinePoint,
        to: FinePoint,
        is_open: impl Fn(u32) -> bool,
    ) -> Cast {
        let mut seen = vec![polygon];
        let mut farthest = (0.0, polygon);
        let mut next = 0;
        while let Some(&polygon) = seen.get(next) {
            next += 1;
            if self.holds(polygon, to) {
                return Cast { polygon, end: to, is_clear: true };
            }
            let share = self.leaving(polygon, from, to);
            if share > farthest.0 {
                farthest = (share, polygon);
            }
            for (edge, beyond) in self.portals_of(polygon) {
                let (a, b) = self.edge_ends(polygon, edge);
                if is_open(beyond) && !seen.contains(&beyond) && meets((from, to), (a.fine(), b.fine())) {
                    seen.push(beyond);
                }
            }
        }
        let (share, polygon) = farthest;
        let go = |from: i64, to: i64| from + ((to - from) as f64 * share).floor() as i64;
        let end = self.nearest_in(polygon, FinePoint { x: go(from.x, to.x), y: go(from.y, to.y) });
        Cast { polygon, end, is_clear: false }
    }

    /// How much of a segment, whose line meets the polygon, lies before the point where it leaves the polygon.
    fn leaving(&self, polygon: u32, from: FinePoint, to: FinePoint) -> f64 {
        let mut least: f64 = 1.0;
        for edge in self.edges(polygon) {
            let (a, b) = self.edge_ends(polygon, edge);
            let (start, end) = (orient_fine(a.fine(), b.fine(), from), orient_fine(a.fine(), b.fine(), to));
            if end < 0 && start > end {
                least = least.min((start as f64 / (start - end) as f64).max(0.0));
            }
        }
        least
    }

    /// Moves from a point of a polygon towards another point, and along walls where they are in the way: to the nearest point
    /// to it in the polygons that can be reached through portals near the straight line. Near is what lies in the circle whose
    /// diameter is that line.
    pub(super) fn slide(
        &self,
        polygon: u32,
        from: FinePoint,
        to: FinePoint,
        is_open: impl Fn(u32) -> bool,
    ) -> (u32, FinePoint) {
        let middle = FinePoint { x: from.x + (to.x - from.x) / 2, y: from.y + (to.y - from.y) / 2 };
        // Both halves of a line of odd length.
        let radius = middle.square_distance(from).max(middle.square_distance(to));
        let mut seen = vec![polygon];
        let mut best = (u128::MAX, polygon, from);
        let mut next = 0;
        while let Some(&polygon) = seen.get(next) {
            next += 1;
            let point = self.nearest_in(polygon, to);
            let found = (point.square_distance(to), polygon);
            if found < (best.0, best.1) || best.0 == u128::MAX {
                best = (found.0, polygon, point);
            }
            for (edge, beyond) in self.portals_of(polygon) {
                let (a, b) = self.edge_ends(polygon, edge);
                let is_near =
                    super::locate::nearest_on(a.fine(), b.fine(), middle).square_distance(middle) <= radius;
                if is_near && is_open(beyond) && !seen.contains(&beyond) {
                    seen.push(beyond);
                }
            }
        }
        (best.1, best.2)
    }
}

/// Whether two segments, their ends included, have a point in common.
pub(super) fn meets((from, to): (FinePoint, FinePoint), (a, b): (FinePoint, FinePoint)) -> bool {
    let (side_a, side_b) = (orient_fine(from, to, a).signum(), orient_fine(from, to, b).signum());
    let (side_from, side_to) = (orient_fine(a, b, from).signum(), orient_fine(a, b, to).signum());
    if side_a * side_b < 0 && side_from * side_to < 0 {
        return true;
    }
    is_on(from, to, a) || is_on(from, to, b) || is_on(a, b, from) || is_on(a, b, to)
}
