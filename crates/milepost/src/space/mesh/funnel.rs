//! The shortest line through a row of portals, by a funnel that is narrowed at each of them.
//!
//! # Paper
//! D. T. Lee, F. Preparata: Euclidean shortest paths in the presence of rectilinear barriers, Networks 14, 1984; as games know
//! it from M. Mononen's "simple stupid funnel algorithm", 2010.
//!
//! # Guarantees
//! Every test is the sign of a determinant of whole numbers. Linear in the portals but where a bend sends it back.
//!
//! # Deviations
//! The textbook version leaves the shortest line where ends lie on vertices or edges. Three repairs:
//! 1. A portal that holds the apex while the funnel has not opened begins it anew.
//! 2. The row is cut at the first portal that holds the end (by the caller, who knows which floor it is on).
//! 3. A portal on one line with the apex is its nearer end.

use super::geometry::{FinePoint, LatticePoint, is_on, orient_fine};
use super::walk::meets;

/// Where a line bends: at a vertex, or somewhere else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bend {
    pub(super) at: FinePoint,
    /// [`NO_VERTEX`] if it is none.
    pub(super) vertex: u32,
    /// The portal that a line bends at, counted from the first one that it was pulled through; 0 where nothing was pulled.
    pub(super) place: u32,
}

pub(super) const NO_VERTEX: u32 = u32::MAX;

impl Bend {
    pub(super) const fn point(at: FinePoint) -> Bend {
        Bend { at, vertex: NO_VERTEX, place: 0 }
    }
}

/// An edge that a line crosses, as one sees it who walks along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Portal {
    pub(super) left: LatticePoint,
    pub(super) right: LatticePoint,
    pub(super) left_vertex: u32,
    pub(super) right_vertex: u32,
    /// The node where the search crossed it.
    pub(super) node: u32,
}

impl Portal {
    /// Its ends, the left one first.
    #[inline]
    pub(super) fn ends(&self) -> (FinePoint, FinePoint) {
        (self.left.fine(), self.right.fine())
    }

    #[inline]
    fn bends(&self) -> (Bend, Bend) {
        let (left, right) = self.ends();
        (
            Bend { vertex: self.left_vertex, ..Bend::point(left) },
            Bend { vertex: self.right_vertex, ..Bend::point(right) },
        )
    }
}

/// Adds the bends of the shortest line from a point to another through portals, both ends left out. y leads upwards where
/// left and right are told.
pub(super) fn pull(start: FinePoint, end: FinePoint, portals: &[Portal], bends: &mut Vec<Bend>) {
    let (mut apex, mut left, mut right) = (Bend::point(start), Bend::point(start), Bend::point(start));
    let (mut left_place, mut right_place) = (0, 0);
    let mut place = 0;
    let first = bends.len();
    while place <= portals.len() {
        let (mut next_left, mut next_right) = match portals.get(place) {
            Some(portal) => portal.bends(),
            None => (Bend::point(end), Bend::point(end)),
        };
        let is_closed = left.at == apex.at && right.at == apex.at;
        if place < portals.len() && is_closed && is_on(next_left.at, next_right.at, apex.at) {
            (left, right, left_place, right_place) = (apex, apex, place, place);
            place += 1;
            continue;
        }
        if next_left != next_right && orient_fine(next_left.at, next_right.at, apex.at) == 0 {
            let to_left = apex.at.square_distance(next_left.at);
            let nearer =
                if to_left < apex.at.square_distance(next_right.at) { next_left } else { next_right };
            (next_left, next_right) = (nearer, nearer);
        }
        if orient_fine(apex.at, right.at, next_right.at) >= 0 {
            if apex.at == right.at || orient_fine(apex.at, left.at, next_right.at) < 0 {
                (right, right_place) = (next_right, place);
            } else {
                add(bends, first, start, left, left_place);
                (apex, right, right_place) = (left, left, left_place);
                place = left_place + 1;
                continue;
            }
        }
        if orient_fine(apex.at, left.at, next_left.at) <= 0 {
            if apex.at == left.at || orient_fine(apex.at, right.at, next_left.at) > 0 {
                (left, left_place) = (next_left, place);
            } else {
                add(bends, first, start, right, right_place);
                (apex, left, left_place) = (right, right, right_place);
                place = right_place + 1;
                continue;
            }
        }
        place += 1;
    }
    if bends.len() > first && bends.last().is_some_and(|bend| bend.at == end) {
        bends.pop();
    }
}

fn add(bends: &mut Vec<Bend>, first: usize, start: FinePoint, bend: Bend, place: usize) {
    let last = if bends.len() > first { bends.last().map_or(start, |last| last.at) } else { start };
    if last != bend.at {
        bends.push(Bend { place: place as u32, ..bend });
    }
}

/// Whether a line that was pulled through portals meets all of them in their order. Then it keeps to the polygons between them:
/// a leg meets each of these in an interval, and neighbours share the point where it meets their portal.
pub(super) fn keeps_to(portals: &[Portal], start: FinePoint, bends: &[Bend], end: FinePoint) -> bool {
    legs_pass(portals, start, bends, end, passes) || legs_pass(portals, start, bends, end, is_met)
}

/// Whether each leg begins and ends at the portal of its bend, and a test holds for the leg and every portal between them.
#[inline(always)]
fn legs_pass(
    portals: &[Portal],
    start: FinePoint,
    bends: &[Bend],
    end: FinePoint,
    test: impl Fn((FinePoint, FinePoint), &Portal) -> bool,
) -> bool {
    let (mut from, mut next) = (start, 0);
    let ends = bends.iter().map(|bend| (bend.at, bend.place as usize));
    for (to, place) in ends.chain([(end, portals.len())]) {
        let Some(passed) = portals.get(next..place) else { return false };
        let is_at_portal =
            portals.get(place).is_none_or(|portal| portal.left.fine() == to || portal.right.fine() == to);
        if !is_at_portal || !passed.iter().all(|portal| test((from, to), portal)) {
            return false;
        }
        (from, next) = (to, place);
    }
    true
}

/// Whether the line of a leg leaves one polygon for the next through a portal: the quick half of [`is_met`], which is enough where
/// it holds for all portals of a leg.
///
/// *Claim.* Then the leg itself meets them, in their order. *Proof.* The line meets portal k in one point q(k), and leads outwards there.
/// The leg begins in the first polygon. If a point of the line lies in a polygon that the line leaves at q(k), then it does not lie
/// behind q(k): so q(1) is not before the beginning, and q(k + 1) not before q(k), which lies in that polygon. The end of the leg lies in
/// the polygon that is entered at the last of them, so it is not before that point either. ∎
#[inline(always)]
fn passes((from, to): (FinePoint, FinePoint), portal: &Portal) -> bool {
    let (left, right) = portal.ends();
    let (left, right) = (orient_fine(from, to, left), orient_fine(from, to, right));
    left >= 0 && right <= 0 && left != right
}

/// Whether a leg meets a portal.
#[inline]
fn is_met((from, to): (FinePoint, FinePoint), portal: &Portal) -> bool {
    let (left, right) = portal.ends();
    let ends = (orient_fine(from, to, left), orient_fine(from, to, right));
    let sides = (orient_fine(left, right, from), orient_fine(left, right, to));
    let is_across = |(one, other): (i128, i128)| one.signum() * other.signum() <= 0;
    // Where all four lie on one line these tests say nothing.
    if sides != (0, 0) || ends != (0, 0) {
        return is_across(ends) && is_across(sides);
    }
    meets((from, to), (left, right))
}
