//! Plane geometry in whole numbers: every decision is the sign of a determinant, so none depends on rounding.
//!
//! Vertices lie on a lattice, |x| < 2^29. Places that users give lie on a finer one, 2^20 steps to a step of the lattice;
//! midpoints of edges, where searches pass, lie on it too.

/// Coordinates stay below this many steps of the lattice.
pub(super) const MOST_STEPS: i64 = 1 << 29;
/// Steps of the finer lattice in a step of the lattice, as a power of 2.
pub(super) const FINE_BITS: u32 = 20;

/// A point of the lattice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct LatticePoint {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

/// A point of the finer lattice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct FinePoint {
    pub(crate) x: i64,
    pub(crate) y: i64,
}

impl LatticePoint {
    pub(super) const fn new(x: i32, y: i32) -> LatticePoint {
        LatticePoint { x, y }
    }

    #[inline]
    pub(super) const fn fine(self) -> FinePoint {
        FinePoint { x: (self.x as i64) << FINE_BITS, y: (self.y as i64) << FINE_BITS }
    }
}

impl FinePoint {
    /// The nearest point of the lattice; of two the one to the east, or to the south.
    pub(super) const fn rounded(self) -> LatticePoint {
        let half = 1 << (FINE_BITS - 1);
        LatticePoint { x: ((self.x + half) >> FINE_BITS) as i32, y: ((self.y + half) >> FINE_BITS) as i32 }
    }

    /// The square of the distance to another point, in steps of the finer lattice: below 2^102.
    #[inline]
    pub(super) const fn square_distance(self, other: FinePoint) -> u128 {
        let (x, y) = ((self.x - other.x) as i128, (self.y - other.y) as i128);
        (x * x + y * y) as u128
    }
}

impl FinePoint {
    /// The distance to another point, in steps of the finer lattice, rounded.
    #[inline]
    pub(super) fn distance(self, other: FinePoint) -> f64 {
        let (x, y) = ((self.x - other.x) as f64, (self.y - other.y) as f64);
        (x * x + y * y).sqrt()
    }
}

/// Twice the area of a triangle: positive if c lies to the left of the way from a to b, where x leads to the right and y
/// upwards.
#[inline]
pub(super) const fn orient(a: LatticePoint, b: LatticePoint, c: LatticePoint) -> i64 {
    let (bx, by) = ((b.x - a.x) as i64, (b.y - a.y) as i64);
    let (cx, cy) = ((c.x - a.x) as i64, (c.y - a.y) as i64);
    bx * cy - by * cx
}

/// The same on the finer lattice.
#[inline]
pub(super) const fn orient_fine(a: FinePoint, b: FinePoint, c: FinePoint) -> i128 {
    (b.x - a.x) as i128 * (c.y - a.y) as i128 - (b.y - a.y) as i128 * (c.x - a.x) as i128
}

/// Whether a point lies on the segment from a to b, its ends included.
#[inline]
pub(super) fn is_on(a: FinePoint, b: FinePoint, point: FinePoint) -> bool {
    let between = |a: i64, b: i64, value: i64| a.min(b) <= value && value <= a.max(b);
    between(a.x, b.x, point.x) && between(a.y, b.y, point.y) && orient_fine(a, b, point) == 0
}

/// Where a loop of points is no convex polygon that goes round once, counter-clockwise where y leads upwards: the place of
/// a point in the loop. Vertices on a straight side are allowed.
pub(super) fn find_dent(points: &[LatticePoint]) -> Option<usize> {
    let count = points.len();
    let upwards = |a: LatticePoint, b: LatticePoint| b.y > a.y || (b.y == a.y && b.x > a.x);
    let mut turns_up = 0;
    let mut first_turn = None;
    for place in 0..count {
        let (before, here) = (points[(place + count - 1) % count], points[place]);
        let after = points[(place + 1) % count];
        let turn = orient(before, here, after);
        // On a straight line one must go on, not back.
        if here == after || turn < 0 || (turn == 0 && upwards(before, here) != upwards(here, after)) {
            return Some(place);
        }
        if !upwards(before, here) && upwards(here, after) {
            turns_up += 1;
            first_turn = first_turn.or(Some(place));
        }
    }
    // Turning left all the time, a loop may still go round twice.
    if turns_up == 1 { None } else { first_turn.or(Some(0)) }
}

/// Twice the area of a loop: negative if it goes round clockwise where y leads upwards.
pub(super) fn double_area(points: &[LatticePoint]) -> i128 {
    let triangles = points.windows(2).skip(1);
    triangles.map(|pair| i128::from(orient(points[0], pair[0], pair[1]))).sum()
}

/// The nearest lattice point of a convex polygon to a point; of several the first by row and column. No more rows are looked at
/// than lie nearer than its nearest corner, which is such a point.
pub(super) fn nearest_inside(points: &[LatticePoint], to: FinePoint) -> LatticePoint {
    let rounded = to.rounded();
    if holds(points, rounded.fine()) {
        return rounded;
    }
    let distance = |point: LatticePoint| point.fine().square_distance(to);
    let mut best = points[0];
    for &corner in points {
        if (distance(corner), corner.y, corner.x) < (distance(best), best.y, best.x) {
            best = corner;
        }
    }
    let (low, high) =
        points.iter().fold((i32::MAX, i32::MIN), |(low, high), at| (low.min(at.y), high.max(at.y)));
    let start = rounded.y.clamp(low, high);
    let mut look = |row: i32| {
        let across = (i128::from(row) << FINE_BITS) - i128::from(to.y);
        if (across * across) as u128 > distance(best) {
            return false;
        }
        if let Some((west, east)) = row_inside(points, row) {
            let near = rounded.x.clamp(west, east);
            // Rounding breaks ties to the east: the one to the west may be as near.
            for x in [near.saturating_sub(1).clamp(west, east), near] {
                let point = LatticePoint::new(x, row);
                if (distance(point), row, x) < (distance(best), best.y, best.x) {
                    best = point;
                }
            }
        }
        true
    };
    let mut down = start;
    while down >= low && look(down) {
        down -= 1;
    }
    let mut up = start + 1;
    while up <= high && look(up) {
        up += 1;
    }
    best
}

/// The first and the last column of a row whose lattice points lie in a convex polygon; `None` if there is none.
fn row_inside(points: &[LatticePoint], row: i32) -> Option<(i32, i32)> {
    let (mut west, mut east) = (i64::from(i32::MIN), i64::from(i32::MAX));
    for (place, &a) in points.iter().enumerate() {
        let b = points[(place + 1) % points.len()];
        // orient(a, b, (x, row)) = rise_x * (row - a.y) - rise_y * (x - a.x) >= 0
        let (along, rise) = (i128::from(b.x) - i128::from(a.x), i128::from(b.y) - i128::from(a.y));
        let left = along * (i128::from(row) - i128::from(a.y));
        match rise.signum() {
            0 if left < 0 => return None,
            0 => {}
            1 => east = east.min((i128::from(a.x) + left.div_euclid(rise)) as i64),
            _ => west = west.max((i128::from(a.x) - left.div_euclid(-rise)) as i64),
        }
    }
    (west <= east).then_some((west as i32, east as i32))
}

/// Whether a convex polygon, its border included, holds a point.
#[inline]
pub(super) fn holds(points: &[LatticePoint], point: FinePoint) -> bool {
    let mut before = points[points.len() - 1].fine();
    points.iter().all(|corner| {
        let here = corner.fine();
        let is_left = orient_fine(before, here, point) >= 0;
        before = here;
        is_left
    })
}
