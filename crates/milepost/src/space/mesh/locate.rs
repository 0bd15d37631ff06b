//! Which polygons hold a point, and what is nearest to one: a tree of boxes leads to a few polygons, whole numbers decide.

use super::geometry::{FINE_BITS, FinePoint, LatticePoint, holds, nearest_inside};
use super::shape::{Shape, WALL};
use crate::core::{Position, Rng, StateId};
use rstar::{AABB, PointDistance, RTree, RTreeObject};
use std::ops::ControlFlow;

/// A place on a mesh.
///
/// ```
/// use milepost::space::{PointSampler, RayCast};
/// use milepost::{MeshPoint, NavMesh, Position, Rng};
///
/// let at = |x: f64, y: f64| Position::new(x, y, 0.0);
/// let corners = vec![at(0.0, 0.0), at(4.0, 0.0), at(4.0, 4.0), at(0.0, 4.0)];
/// let mesh = NavMesh::new(corners, vec![vec![0, 1, 2], vec![0, 2, 3]], &[])?;
/// let start: MeshPoint = mesh.nearest(at(-3.0, 1.0)).expect("some ground is free"); // a click beside the mesh
/// assert_eq!(start.at, at(0.0, 1.0));
/// let cast: RayCast = mesh.ray_cast(start, at(9.0, 1.0)).expect("the start lies in its polygon");
/// assert!(!cast.is_clear && cast.end.at == at(4.0, 1.0)); // a wall stops the line
/// let sampler: PointSampler<'_> = mesh.sampler(|_| true);
/// let anywhere = sampler.draw(&mut Rng::new(7)).expect("some ground is free");
/// assert!(mesh.is_within_bounds(anywhere.at));
/// # Ok::<(), milepost::MeshError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshPoint {
    /// The polygon that holds it, perhaps among others.
    pub polygon: StateId,
    /// Where it lies; z is the height of the floor.
    pub at: Position,
}

/// The polygons of a mesh by their boxes.
#[derive(Debug)]
pub(super) struct PolygonTree(RTree<PolygonBox>);

#[derive(Debug)]
struct PolygonBox {
    polygon: u32,
    /// In steps of the lattice: whole numbers that floats hold exactly.
    around: AABB<[f64; 2]>,
}

impl RTreeObject for PolygonBox {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> AABB<[f64; 2]> {
        self.around
    }
}

impl PointDistance for PolygonBox {
    fn distance_2(&self, point: &[f64; 2]) -> f64 {
        self.around.distance_2(point)
    }
}

/// In steps of the lattice.
fn in_steps(point: FinePoint) -> [f64; 2] {
    let steps = |value: i64| value as f64 / (1_u64 << FINE_BITS) as f64;
    [steps(point.x), steps(point.y)]
}

impl PolygonTree {
    pub(super) fn new(shape_corners: &crate::core::Csr<LatticePoint>) -> PolygonTree {
        let of = |(polygon, corners): (u32, &[LatticePoint])| {
            let over = |of: fn(&LatticePoint) -> i32, pick: fn(i32, i32) -> i32| {
                f64::from(corners.iter().map(of).reduce(pick).unwrap_or(0))
            };
            let low = [over(|at| at.x, i32::min), over(|at| at.y, i32::min)];
            let high = [over(|at| at.x, i32::max), over(|at| at.y, i32::max)];
            PolygonBox { polygon, around: AABB::from_corners(low, high) }
        };
        PolygonTree(RTree::bulk_load((0..).zip(shape_corners.lists()).map(of).collect()))
    }
}

impl Shape {
    /// Whether a polygon, its border included, holds a point.
    #[inline]
    pub(super) fn holds(&self, polygon: u32, point: FinePoint) -> bool {
        holds(self.corners(polygon), point)
    }

    /// Writes the polygons that hold a point, on one floor, in increasing order: the floor that is nearest to the height, or
    /// the lowest if that is no number.
    pub(super) fn polygons_at(&self, point: FinePoint, height: f64, polygons: &mut Vec<u32>) {
        polygons.clear();
        let [x, y] = in_steps(point);
        let envelope = AABB::from_corners([x.floor(), y.floor()], [x.ceil(), y.ceil()]);
        let _ = self.tree.0.locate_in_envelope_intersecting_int(&envelope, |found: &PolygonBox| {
            if self.holds(found.polygon, point) {
                polygons.push(found.polygon);
            }
            ControlFlow::<()>::Continue(())
        });
        polygons.sort_unstable();
        if !self.has_heights || polygons.len() < 2 {
            return;
        }
        let floor_of = |polygon: &u32| self.height(*polygon, point);
        let distance = |floor: f64| if height.is_nan() { floor } else { (floor - height).abs() };
        let least = |best: f64, floor: f64| if distance(floor) < distance(best) { floor } else { best };
        let floor = polygons.iter().map(floor_of).reduce(least).unwrap_or(0.0);
        // Polygons that meet at a point have one height there, but for rounding.
        polygons.retain(|polygon| (floor_of(polygon) - floor).abs() <= self.height_unit / 16.0);
    }

    /// The point of a polygon that is nearest to a point, on the finer lattice.
    pub(super) fn nearest_in(&self, polygon: u32, to: FinePoint) -> FinePoint {
        if self.holds(polygon, to) {
            return to;
        }
        let corners = self.corners(polygon);
        let (mut best, mut least) = (corners[0].fine(), u128::MAX);
        let mut before = corners[corners.len() - 1].fine();
        for corner in corners {
            let here = corner.fine();
            let point = nearest_on(before, here, to);
            let distance = point.square_distance(to);
            if distance < least {
                (best, least) = (point, distance);
            }
            before = here;
        }
        // The foot of a perpendicular is rounded, and may lie outside by a hair.
        let offsets = [0, -1, 1, -2, 2];
        let around = offsets.iter().flat_map(|&y| offsets.iter().map(move |&x| (x, y)));
        let mut near = around.map(|(x, y)| FinePoint { x: best.x + x, y: best.y + y });
        near.find(|&point| holds(corners, point)).unwrap_or_else(|| nearest_inside(corners, best).fine())
    }

    /// Where a point of a polygon lies; a corner as it was given.
    pub(super) fn position(&self, polygon: u32, point: FinePoint) -> Position {
        let place = self.corners(polygon).iter().position(|corner| corner.fine() == point);
        if let Some(place) = place {
            return self.positions[self.polygons.list(polygon as usize)[place] as usize];
        }
        let (x, y) = self.lattice.place(point);
        Position::new(x, y, self.height(polygon, point))
    }

    /// The nearest place to a point among the polygons that are accepted, and of several the one in the first polygon.
    /// Heights count if one is given.
    pub(super) fn nearest(
        &self,
        to: FinePoint,
        height: f64,
        accept: impl Fn(u32) -> bool,
    ) -> Option<(u32, FinePoint)> {
        let step = self.lattice.step();
        let mut best: Option<(f64, u32, FinePoint)> = None;
        for (found, box_distance) in self.tree.0.nearest_neighbor_iter_with_distance_2(&in_steps(to)) {
            // The margin covers the rounding of squares.
            if best.is_some_and(|(least, ..)| box_distance * (1.0 - 1e-9) > least) {
                break;
            }
            if !accept(found.polygon) {
                continue;
            }
            let point = self.nearest_in(found.polygon, to);
            let fine = (1_u64 << FINE_BITS) as f64;
            let mut distance = point.square_distance(to) as f64 / (fine * fine);
            if self.has_heights && !height.is_nan() {
                let up = (self.height(found.polygon, point) - height) / step;
                distance += up * up;
            }
            if best.is_none_or(|(least, polygon, _)| (distance, found.polygon) < (least, polygon)) {
                best = Some((distance, found.polygon, point));
            }
        }
        best.map(|(_, polygon, point)| (polygon, point))
    }

    /// The portals of a polygon: its edges that lead somewhere, and where to.
    pub(super) fn portals_of(&self, polygon: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.edges(polygon).map(|edge| (edge, self.beyond[edge])).filter(|&(_, beyond)| beyond != WALL)
    }
}

/// The nearest point of a segment to a point, rounded to the finer lattice.
pub(super) fn nearest_on(from: FinePoint, to: FinePoint, point: FinePoint) -> FinePoint {
    let (along_x, along_y) = (i128::from(to.x - from.x), i128::from(to.y - from.y));
    let (off_x, off_y) = (i128::from(point.x - from.x), i128::from(point.y - from.y));
    let square = along_x * along_x + along_y * along_y;
    let dot = off_x * along_x + off_y * along_y;
    if dot <= 0 {
        return from;
    }
    if dot >= square {
        return to;
    }
    let share = dot as f64 / square as f64;
    let go = |start: i64, along: i128| start + (along as f64 * share).round() as i64;
    FinePoint { x: go(from.x, along_x), y: go(from.y, along_y) }
}

/// Draws points of a mesh, each as likely as any other of those polygons that were asked for.
///
/// Shown by [`MeshPoint`].
#[derive(Clone, Debug)]
pub struct PointSampler<'a> {
    shape: &'a Shape,
    polygons: Vec<u32>,
    /// Twice the areas of the polygons so far.
    areas: Vec<u128>,
}

impl<'a> PointSampler<'a> {
    pub(super) fn new(shape: &'a Shape, polygons: Vec<u32>) -> PointSampler<'a> {
        let mut sum = 0;
        let areas = polygons.iter().map(|&polygon| {
            sum += super::geometry::double_area(shape.corners(polygon)) as u128;
            sum
        });
        PointSampler { areas: areas.collect(), shape, polygons }
    }

    /// The next point; `None` if there is no polygon.
    pub fn draw(&self, rng: &mut Rng) -> Option<MeshPoint> {
        // A number below the sum: the bias of a remainder of 128 bits is nothing.
        let mut below =
            |sum: u128| (u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())) % sum.max(1);
        let drawn = below(*self.areas.last()?);
        let polygon = self.polygons[self.areas.partition_point(|&sum| sum <= drawn)];
        let corners = self.shape.corners(polygon);
        let mut rest = below(super::geometry::double_area(corners) as u128);
        let mut triangle = [corners[0], corners[1], corners[2]];
        for pair in corners.windows(2).skip(1) {
            let area = super::geometry::orient(corners[0], pair[0], pair[1]) as u128;
            triangle = [corners[0], pair[0], pair[1]];
            if rest < area {
                break;
            }
            rest -= area;
        }
        // Two sides of a parallelogram; its other half is turned over.
        const ONE: i128 = 1 << 30;
        let (mut b, mut c) = (below(ONE as u128) as i128, below(ONE as u128) as i128);
        if b + c > ONE {
            (b, c) = (ONE - b, ONE - c);
        }
        let [origin, first, second] = triangle.map(LatticePoint::fine);
        let mix = |o: i64, p: i64, q: i64| o + ((i128::from(p - o) * b + i128::from(q - o) * c) / ONE) as i64;
        let point = FinePoint { x: mix(origin.x, first.x, second.x), y: mix(origin.y, first.y, second.y) };
        let point = self.shape.nearest_in(polygon, point);
        Some(MeshPoint { polygon: StateId::new(polygon), at: self.shape.position(polygon, point) })
    }
}
