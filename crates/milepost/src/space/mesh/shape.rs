//! What no edit changes: vertices, polygons, who is whose neighbour, links. All checks of a mesh are here.

use super::geometry::{FinePoint, LatticePoint, double_area};
use super::lattice::Lattice;
use super::locate::PolygonTree;
use super::parts::{MeshError, MeshParts};
use crate::core::{Csr, Position};
use std::collections::HashMap;

/// No polygon: beyond a wall.
pub(crate) const WALL: u32 = u32::MAX;

/// Vertices, polygons and links.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) lattice: Lattice,
    pub(crate) height_unit: f64,
    pub(crate) has_heights: bool,
    pub(crate) y_up: bool,
    /// As they were given, for users' eyes, and where searches see them.
    pub(crate) positions: Vec<Position>,
    pub(crate) vertices: Vec<LatticePoint>,
    /// The vertices of each polygon, counter-clockwise where y leads upwards.
    pub(crate) polygons: Csr<u32>,
    /// The same as lattice points: what most questions need.
    pub(crate) corners: Csr<LatticePoint>,
    /// For each edge, numbered as its first vertex in `polygons`, the polygon beyond it, or [`WALL`].
    pub(crate) beyond: Vec<u32>,
    /// Its polygons by where they lie.
    pub(super) tree: PolygonTree,
}

impl Shape {
    /// Polygons.
    pub(crate) fn len(&self) -> usize {
        self.polygons.len()
    }

    /// The corners of a polygon.
    #[inline]
    pub(crate) fn corners(&self, polygon: u32) -> &[LatticePoint] {
        self.corners.list(polygon as usize)
    }

    /// The edges of a polygon.
    #[inline]
    pub(crate) fn edges(&self, polygon: u32) -> std::ops::Range<usize> {
        self.polygons.range(polygon as usize)
    }

    /// The vertices that an edge of a polygon leads from and to.
    #[inline]
    pub(crate) fn edge_vertices(&self, polygon: u32, edge: usize) -> (u32, u32) {
        let edges = self.edges(polygon);
        let next = if edge + 1 == edges.end { edges.start } else { edge + 1 };
        (self.polygons.items()[edge], self.polygons.items()[next])
    }

    /// Where an edge of a polygon leads from and to.
    #[inline]
    pub(crate) fn edge_ends(&self, polygon: u32, edge: usize) -> (LatticePoint, LatticePoint) {
        let (from, to) = self.edge_vertices(polygon, edge);
        (self.vertices[from as usize], self.vertices[to as usize])
    }

    /// The height of the floor of a polygon above a point that it holds: vertices are joined from the first one, and a
    /// point in a triangle has the height of its plane.
    pub(crate) fn height(&self, polygon: u32, at: FinePoint) -> f64 {
        if !self.has_heights {
            return 0.0;
        }
        let (corners, vertices) = (self.corners(polygon), self.polygons.list(polygon as usize));
        let height = |place: usize| self.positions[vertices[place] as usize].z;
        let first = corners[0].fine();
        for place in 1..corners.len() - 1 {
            let (b, c) = (corners[place].fine(), corners[place + 1].fine());
            let whole = super::geometry::orient_fine(first, b, c);
            let beside_b = super::geometry::orient_fine(first, at, c);
            let beside_c = super::geometry::orient_fine(first, b, at);
            // Triangles without area hold nothing that the others do not.
            if whole > 0 && beside_b >= 0 && beside_c >= 0 && beside_b + beside_c <= whole {
                let (of_b, of_c) = (beside_b as f64 / whole as f64, beside_c as f64 / whole as f64);
                return height(0) * (1.0 - of_b - of_c) + height(place) * of_b + height(place + 1) * of_c;
            }
        }
        // Of a point outside, that of the nearest corner.
        let nearest = (0..corners.len()).min_by_key(|&place| corners[place].fine().square_distance(at));
        nearest.map_or(0.0, height)
    }

    /// Checks all parts but areas and links.
    pub(super) fn new(parts: &mut MeshParts) -> Result<Shape, MeshError> {
        check_numbers(parts)?;
        turn_round(parts)?;
        let (lattice, mut vertices) = Lattice::choose(parts)?;
        let beyond = neighbours(parts)?;
        drop_unused(parts, &mut vertices);
        let polygons: Csr<u32> = parts.polygons.iter().map(|list| list.iter().copied()).collect();
        let corner = |&vertex: &u32| vertices[vertex as usize];
        let corners: Csr<LatticePoint> = parts.polygons.iter().map(|list| list.iter().map(corner)).collect();
        Ok(Shape {
            tree: PolygonTree::new(&corners),
            lattice,
            height_unit: parts.height_unit,
            has_heights: parts.has_heights,
            y_up: parts.y_up,
            positions: std::mem::take(&mut parts.vertices),
            corners,
            vertices,
            polygons,
            beyond,
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.positions.capacity() * size_of::<Position>()
            + self.vertices.capacity() * size_of::<LatticePoint>()
            + self.polygons.bytes()
            + self.corners.bytes()
            + self.beyond.capacity() * 4
    }
}

/// Lengths and numbers that can be checked without geometry.
fn check_numbers(parts: &MeshParts) -> Result<(), MeshError> {
    let edges: u64 = parts.polygons.iter().map(|list| list.len() as u64).sum();
    let vertices = parts.vertices.len() as u64;
    if edges > MeshError::MOST || vertices > MeshError::MOST {
        return Err(MeshError::TooLarge { vertices, edges });
    }
    if parts.polygons.is_empty() {
        return Err(MeshError::Empty);
    }
    if let Some(&unit) =
        [parts.unit, parts.height_unit].iter().find(|unit| !(unit.is_finite() && **unit > 0.0))
    {
        return Err(MeshError::Unit { unit });
    }
    for (vertex, at) in (0..).zip(&parts.vertices) {
        if ![at.x, at.y, at.z].iter().all(|value| value.is_finite()) {
            return Err(MeshError::NotFinite { vertex, x: at.x, y: at.y, z: at.z });
        }
    }
    let vertices = vertices as u32;
    let mut seen = Vec::new();
    for (polygon, list) in (0..).zip(&parts.polygons) {
        if list.len() < 3 {
            return Err(MeshError::TooFewVertices { polygon, vertices: list.len() });
        }
        if let Some(&vertex) = list.iter().find(|&&vertex| vertex >= vertices) {
            return Err(MeshError::NoSuchVertex { polygon, vertex, vertices });
        }
        seen.clear();
        seen.extend_from_slice(list);
        seen.sort_unstable();
        if let Some(pair) = seen.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(MeshError::RepeatedVertex { polygon, vertex: pair[0] });
        }
    }
    if let Some(lists) = &parts.neighbours {
        if lists.len() != parts.polygons.len() {
            return Err(MeshError::NeighbourLists { found: lists.len(), polygons: parts.polygons.len() });
        }
        for (polygon, (list, corners)) in (0..).zip(lists.iter().zip(&parts.polygons)) {
            if list.len() != corners.len() {
                return Err(MeshError::NeighbourCount {
                    polygon,
                    vertices: corners.len(),
                    found: list.len(),
                });
            }
        }
    }
    Ok(())
}

/// Makes every polygon go round counter-clockwise where y leads upwards: vertices and neighbours in the opposite order,
/// coordinates as they are.
fn turn_round(parts: &mut MeshParts) -> Result<(), MeshError> {
    // Signs alone are asked for, and those of polygons that have an area on the lattice are safe in floats. In units no mesh that
    // is not too wide has an area beyond them.
    let area = |list: &[u32]| -> f64 {
        let at = |place: usize| parts.vertices[list[place] as usize];
        let first = at(0);
        let triangle = |place: usize| {
            let (b, c) = (at(place), at(place + 1));
            let offset = |at: f64, first: f64| (at - first) / parts.unit;
            offset(b.x, first.x) * offset(c.y, first.y) - offset(b.y, first.y) * offset(c.x, first.x)
        };
        (1..list.len() - 1).map(triangle).sum()
    };
    let mut is_clockwise = None;
    for (polygon, list) in (0..).zip(&parts.polygons) {
        let area = area(list);
        if area == 0.0 {
            return Err(MeshError::ZeroArea { polygon });
        }
        if !area.is_finite() {
            // It is refused for its width.
            return Ok(());
        }
        match is_clockwise {
            None => is_clockwise = Some(area < 0.0),
            Some(first) if first != (area < 0.0) => return Err(MeshError::MixedWinding { polygon }),
            Some(_) => {}
        }
    }
    if is_clockwise != Some(true) {
        return Ok(());
    }
    for list in &mut parts.polygons {
        list.reverse();
    }
    for list in parts.neighbours.iter_mut().flatten() {
        // Edge k led from vertex k to the next one; the last edge stays the last.
        list.reverse();
        list.rotate_left(1);
    }
    Ok(())
}

/// Which vertices some polygon has.
pub(super) fn used_vertices(parts: &MeshParts) -> Vec<bool> {
    let mut is_used = vec![false; parts.vertices.len()];
    for &vertex in parts.polygons.iter().flatten() {
        is_used[vertex as usize] = true;
    }
    is_used
}

/// Leaves out vertices that no polygon has: they may lie anywhere.
fn drop_unused(parts: &mut MeshParts, points: &mut Vec<LatticePoint>) {
    let is_used = used_vertices(parts);
    if is_used.iter().all(|&is_used| is_used) {
        return;
    }
    let mut next = 0;
    let number: Vec<u32> = is_used
        .iter()
        .map(|&is_used| {
            next += u32::from(is_used);
            next.wrapping_sub(1)
        })
        .collect();
    let mut flags = is_used.iter();
    parts.vertices.retain(|_| flags.next() == Some(&true));
    let mut flags = is_used.iter();
    points.retain(|_| flags.next() == Some(&true));
    for vertex in parts.polygons.iter_mut().flatten() {
        *vertex = number[*vertex as usize];
    }
}

/// The polygon beyond each edge: those that share it, where the file does not say that there is a wall.
fn neighbours(parts: &MeshParts) -> Result<Vec<u32>, MeshError> {
    let mut owners: HashMap<(u32, u32), u32> = HashMap::new();
    let each_edge = |list: &[u32]| -> Vec<(u32, u32)> {
        let next = list.iter().cycle().skip(1);
        list.iter().copied().zip(next.copied()).collect()
    };
    for (polygon, list) in (0..).zip(&parts.polygons) {
        for (from, to) in each_edge(list) {
            if let Some(first) = owners.insert((from, to), polygon) {
                return Err(MeshError::NonManifold { from, to, first, second: polygon });
            }
        }
    }
    let mut beyond = Vec::new();
    for (polygon, list) in (0..).zip(&parts.polygons) {
        for (edge, (from, to)) in (0..).zip(each_edge(list)) {
            let shared = owners.get(&(to, from)).copied();
            let Some(stated) = &parts.neighbours else {
                beyond.push(shared.unwrap_or(WALL));
                continue;
            };
            let Some(neighbour) = stated[polygon as usize][edge as usize] else {
                beyond.push(WALL);
                continue;
            };
            if shared != Some(neighbour) {
                return Err(MeshError::NoSharedEdge { polygon, edge, neighbour });
            }
            let other = &parts.polygons[neighbour as usize];
            let back = other.iter().position(|&vertex| vertex == to);
            if back.is_none_or(|back| stated[neighbour as usize][back] != Some(polygon)) {
                return Err(MeshError::OneSidedWall { polygon, edge, neighbour });
            }
            beyond.push(neighbour);
        }
    }
    Ok(beyond)
}

/// The middle of a polygon: the centre of its area, at the nearest lattice point inside.
pub(super) fn centre(corners: &[LatticePoint]) -> LatticePoint {
    let first = corners[0];
    let (mut x, mut y) = (0_i128, 0_i128);
    for pair in corners.windows(2).skip(1) {
        let area = i128::from(super::geometry::orient(first, pair[0], pair[1]));
        let sum = |of: fn(LatticePoint) -> i32| {
            i128::from(of(pair[0])) + i128::from(of(pair[1])) - 2 * i128::from(of(first))
        };
        x += area * sum(|at| at.x);
        y += area * sum(|at| at.y);
    }
    let area = 3 * double_area(corners);
    // Offsets from the first corner on the finer lattice, rounded down.
    let offset = |sum: i128| {
        let (whole, rest) = (sum.div_euclid(area), sum.rem_euclid(area));
        (whole << super::geometry::FINE_BITS) as i64
            + ((rest << super::geometry::FINE_BITS).div_euclid(area)) as i64
    };
    let start = first.fine();
    super::geometry::nearest_inside(corners, FinePoint { x: start.x + offset(x), y: start.y + offset(y) })
}
