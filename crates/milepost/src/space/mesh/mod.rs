//! A navigation mesh: convex polygons that share edges. States are polygons.
//!
//! Vertices lie on a lattice that is chosen when the mesh is made, and every decision is made in whole numbers. Costs and
//! lengths are those of the plane; heights choose among floors that lie over each other, and stand in the points of paths.
//! Agents walk over centres of polygons, on a graph like any other; planners search the middles of portals as well.

mod ends;
mod funnel;
mod geometry;
mod ground;
mod kind;
mod lattice;
mod locate;
mod measure;
mod nodes;
mod parts;
mod portals;
mod pull;
mod shape;
mod steps;
#[cfg(test)]
pub(crate) mod tests;
mod walk;

use crate::core::{Position, StateId};
use crate::space::{Nodes, SpaceKind};
use geometry::{FinePoint, nearest_inside};
use ground::{Ground, PlacedLink, PolygonGround, PortalNodes};
use measure::NodePoint;
use shape::{Shape, WALL};
use std::collections::HashSet;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

pub(crate) use ends::MeshEnds;
pub use locate::{MeshPoint, PointSampler};
#[cfg(feature = "build")]
pub(crate) use nodes::PortalEdges;
pub(crate) use nodes::Squares;
pub use parts::{MeshArea, MeshError, MeshLink, MeshLinkEnd, MeshParts};
pub(crate) use pull::Pulling;

/// A navigation mesh. Cheap to clone, never changed by a query.
///
/// ```
/// use milepost::{Atlas, NavMesh, Position, Scratch};
///
/// // Three squares around a corner:   0---1---2
/// //                                  | A | B |
/// //                                  3---4---5
/// //                                      | C |
/// //                                      6---7
/// let at = |(x, y): (f64, f64)| Position::new(x, y, 0.0);
/// let above = [(0.0, 0.0), (2.0, 0.0), (4.0, 0.0), (0.0, 2.0), (2.0, 2.0), (4.0, 2.0)];
/// let vertices = above.into_iter().chain([(2.0, 4.0), (4.0, 4.0)]).map(at).collect();
/// let mesh = NavMesh::new(vertices, vec![vec![0, 1, 4, 3], vec![1, 2, 5, 4], vec![4, 5, 7, 6]], &[])?;
/// let mut scratch = Scratch::new();
/// Atlas::new(mesh).path((0.5, 1.5), (2.5, 3.5), &mut scratch);
/// assert_eq!(scratch.path().points()[1], at((2.0, 2.0))); // pulled tight around the corner
/// # Ok::<(), milepost::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NavMesh {
    body: Arc<Body>,
    ground: Arc<Ground>,
    hash: u64,
}

/// What no edit changes.
#[derive(Debug)]
struct Body {
    shape: Shape,
    centres: Vec<NodePoint>,
    nodes: PortalNodes,
    links: Vec<PlacedLink>,
    /// The area of each polygon, and what they are.
    areas: Vec<u16>,
    area_kinds: Vec<MeshArea>,
    /// The corners of the box around all vertices.
    extent: (NodePoint, NodePoint),
    /// The same as users see it.
    bounds: (Position, Position),
    hash: u64,
}

/// How far a straight line over a mesh leads.
///
/// Shown by [`MeshPoint`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RayCast {
    /// The last point of the line that can be reached from its beginning.
    pub end: MeshPoint,
    /// Whether that is the whole line.
    pub is_clear: bool,
}

impl NavMesh {
    /// The mesh of these polygons, each a loop of vertices, all in the same sense. `costs` says what a unit of length costs
    /// in each polygon, in hundredths; it is empty if all of them cost 1.
    ///
    /// ```
    /// use milepost::{NavMesh, Position};
    ///
    /// let at = |x: f64, y: f64| Position::new(x, y, 0.0);
    /// let vertices = vec![at(0.0, 0.0), at(4.0, 0.0), at(4.0, 4.0), at(0.0, 4.0)];
    /// let mesh = NavMesh::new(vertices, vec![vec![0, 1, 2], vec![0, 2, 3]], &[])?;
    /// assert_eq!(mesh.polygon_count(), 2);
    /// assert_eq!(mesh.polygons_at(at(2.0, 2.0)).len(), 2); // on the edge between them
    /// # Ok::<(), milepost::MeshError>(())
    /// ```
    pub fn new(
        vertices: Vec<Position>,
        polygons: Vec<Vec<u32>>,
        costs: &[u32],
    ) -> Result<NavMesh, MeshError> {
        let mut parts = MeshParts::flat(vertices, polygons);
        let mut kinds: Vec<u32> = costs.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.len() > MeshError::MOST_AREAS {
            return Err(MeshError::TooManyAreas { areas: kinds.len() });
        }
        let of = |cost: &u32| kinds.binary_search(cost).unwrap_or(0) as u16;
        parts.areas = costs.iter().map(of).collect();
        parts.area_kinds =
            kinds.iter().map(|&cost| MeshArea::new(format!("{}", f64::from(cost) / 100.0), cost)).collect();
        NavMesh::from_parts(parts)
    }

    /// The mesh of these parts, or what is wrong with them.
    pub fn from_parts(mut parts: MeshParts) -> Result<NavMesh, MeshError> {
        let shape = Shape::new(&mut parts)?;
        let (areas, area_kinds) = checked_areas(&parts)?;
        let links: Result<Vec<PlacedLink>, MeshError> =
            (0..).zip(&parts.links).map(|(number, link)| place_link(&shape, number, link)).collect();
        let links = links?;
        let of = |&area: &u16| {
            let MeshArea { cost, is_blocked, .. } = area_kinds[area as usize];
            PolygonGround { cost, is_blocked }
        };
        let polygons: Vec<PolygonGround> = areas.iter().map(of).collect();
        let body = Body {
            centres: ground::centres(&shape),
            nodes: PortalNodes::new(&shape, &links),
            extent: extent(&shape),
            bounds: bounds(&shape.positions),
            hash: fingerprint(&shape, &links),
            shape,
            links,
            areas,
            area_kinds,
        };
        NavMesh::on(Arc::new(body), polygons)
    }

    /// The version of a mesh with this ground, or between which polygons that makes a way too dear.
    fn on(body: Arc<Body>, polygons: Vec<PolygonGround>) -> Result<NavMesh, MeshError> {
        let mut hasher = Xxh3::new();
        hasher.update(&body.hash.to_le_bytes());
        for ground in &polygons {
            hasher.update(&(u64::from(ground.cost) << 1 | u64::from(ground.is_blocked)).to_le_bytes());
        }
        let ground = Ground::new(&body.shape, &body.centres, &body.nodes, &body.links, polygons)?;
        Ok(NavMesh { body, ground: Arc::new(ground), hash: hasher.digest() })
    }

    /// What it is made of, as it is now: [`NavMesh::from_parts`] makes the same mesh of it, but that polygons whose ground was
    /// edited are of areas of their own.
    pub fn to_parts(&self) -> MeshParts {
        let mut parts = self.unedited_parts();
        for (area, ground) in parts.areas.iter_mut().zip(&self.ground.polygons) {
            let PolygonGround { cost, is_blocked } = *ground;
            let fits = |kind: &MeshArea| (kind.cost, kind.is_blocked) == (cost, is_blocked);
            if !fits(&parts.area_kinds[*area as usize]) {
                let name = format!(
                    "{} {cost}{}",
                    parts.area_kinds[*area as usize].name,
                    if is_blocked { " blocked" } else { "" }
                );
                let known = parts.area_kinds.iter().position(|kind| kind.name == name && fits(kind));
                *area = known.unwrap_or(parts.area_kinds.len()) as u16;
                if known.is_none() {
                    parts.area_kinds.push(MeshArea { name, cost, is_blocked });
                }
            }
        }
        parts
    }

    /// The same with other costs for some areas, by their names: in hundredths, or `None` for areas that are blocked. That
    /// counts as an edit: it is another version of the same mesh. Polygons that were edited before take part.
    pub fn with_areas(&self, changes: &[(&str, Option<u32>)]) -> Result<NavMesh, MeshError> {
        let mut polygons = self.ground.polygons.clone();
        let kinds = &self.body.area_kinds;
        for &(name, cost) in changes {
            let Some(number) = kinds.iter().position(|kind| kind.name == name) else {
                let known = kinds.iter().map(|kind| kind.name.clone()).collect();
                return Err(MeshError::UnknownArea { name: name.to_owned(), known });
            };
            if let Some(cost) = cost.filter(|&cost| !MeshArea::is_cost(cost)) {
                return Err(MeshError::AreaCost { name: name.to_owned(), cost });
            }
            for (ground, &area) in polygons.iter_mut().zip(&self.body.areas) {
                if usize::from(area) == number {
                    ground.is_blocked = cost.is_none();
                    ground.cost = cost.unwrap_or(ground.cost);
                }
            }
        }
        NavMesh::on(self.body.clone(), polygons)
    }

    /// The same with other ground in some polygons.
    pub(super) fn with_ground(
        &self,
        change: impl FnOnce(&mut [PolygonGround]),
    ) -> Result<NavMesh, MeshError> {
        let mut polygons = self.ground.polygons.clone();
        change(&mut polygons);
        NavMesh::on(self.body.clone(), polygons)
    }

    /// The same with this ground, cost and whether it is blocked, in each polygon; `None` if these are not as many, or costs are
    /// out of range.
    pub(crate) fn with_stored_ground(&self, stored: &[(u32, bool)]) -> Option<NavMesh> {
        let is_right =
            stored.len() == self.body.shape.len() && stored.iter().all(|ground| MeshArea::is_cost(ground.0));
        let grounds = stored.iter().map(|&(cost, is_blocked)| PolygonGround { cost, is_blocked });
        is_right.then(|| NavMesh::on(self.body.clone(), grounds.collect()).ok()).flatten()
    }

    /// As it was made: areas as they were given, whatever was edited since.
    pub(crate) fn unedited_parts(&self) -> MeshParts {
        let Shape { lattice, height_unit, has_heights, y_up, positions, polygons, .. } = &self.body.shape;
        let beyond = |edge: usize| {
            let beyond = self.body.shape.beyond[edge];
            (beyond != WALL).then_some(beyond)
        };
        let link = |placed: &PlacedLink| {
            let [from, to] = placed.polygons;
            MeshLink {
                from: MeshLinkEnd { polygon: Some(from), ..placed.link.from },
                to: MeshLinkEnd { polygon: Some(to), ..placed.link.to },
                ..placed.link
            }
        };
        MeshParts {
            unit: lattice.unit,
            height_unit: *height_unit,
            vertices: positions.clone(),
            has_heights: *has_heights,
            y_up: *y_up,
            polygons: polygons.lists().map(<[u32]>::to_vec).collect(),
            neighbours: Some(
                (0..polygons.len()).map(|at| polygons.range(at).map(beyond).collect()).collect(),
            ),
            areas: self.body.areas.clone(),
            area_kinds: self.body.area_kinds.clone(),
            links: self.body.links.iter().map(link).collect(),
        }
    }

    /// Polygons, blocked ones included.
    pub fn polygon_count(&self) -> u32 {
        self.body.shape.len() as u32
    }

    /// The vertices that polygons are made of.
    pub fn vertices(&self) -> &[Position] {
        &self.body.shape.positions
    }

    /// The vertices of a polygon, by their numbers, in the sense that leads from x to y.
    pub fn polygon(&self, polygon: StateId) -> &[u32] {
        self.body.shape.polygons.list(polygon.index())
    }

    /// For each edge of a polygon the polygon beyond it, blocked or not; `None` for a wall. Edge k leads from vertex k of
    /// the polygon to the next one.
    pub fn neighbours(&self, polygon: StateId) -> impl Iterator<Item = Option<StateId>> + '_ {
        let edges = self.body.shape.edges(polygon.number());
        edges.map(|edge| StateId::new(self.body.shape.beyond[edge]).known())
    }

    /// Edges that two polygons share.
    pub fn portal_count(&self) -> u32 {
        (self.body.nodes.len() - 2 * self.body.links.len()) as u32
    }

    /// The areas.
    pub fn areas(&self) -> &[MeshArea] {
        &self.body.area_kinds
    }

    /// The area of a polygon, as its place in [`NavMesh::areas`].
    pub fn area(&self, polygon: StateId) -> u16 {
        self.body.areas[polygon.index()]
    }

    /// What a unit of length costs in a polygon, in hundredths, after edits.
    pub fn polygon_cost(&self, polygon: StateId) -> u32 {
        self.ground.polygons[polygon.index()].cost
    }

    /// Off-mesh links.
    pub fn links(&self) -> impl ExactSizeIterator<Item = &MeshLink> {
        self.body.links.iter().map(|placed| &placed.link)
    }

    /// Whether polygons have heights.
    pub fn has_heights(&self) -> bool {
        self.body.shape.has_heights
    }

    /// Whether the file had y upwards.
    pub fn is_y_up(&self) -> bool {
        self.body.shape.y_up
    }

    /// The file's own unit, and a step of the lattice.
    pub fn unit_and_step(&self) -> (f64, f64) {
        (self.body.shape.lattice.unit, self.body.shape.lattice.step())
    }

    /// The corners of the box around all vertices.
    pub fn bounds(&self) -> (Position, Position) {
        self.body.bounds
    }

    /// The middle of a polygon: the centre of its area, at the nearest lattice point inside.
    pub fn centre(&self, polygon: StateId) -> Position {
        let at = self.body.centres[polygon.index()];
        let point = geometry::LatticePoint::new(at.x / 2, at.y / 2);
        self.body.shape.position(polygon.number(), point.fine())
    }

    /// The polygons, blocked or not, that hold a place, on one floor: that which is nearest to its height, or the lowest if z
    /// is no number ([`f64::NAN`]). Borders belong to all polygons that share them.
    pub fn polygons_at(&self, at: Position) -> Vec<StateId> {
        let mut polygons = Vec::new();
        if let Some(point) = self.fine(at) {
            self.body.shape.polygons_at(point, at.z, &mut polygons);
        }
        polygons.into_iter().map(StateId::new).collect()
    }

    fn fine(&self, at: Position) -> Option<FinePoint> {
        self.body.shape.lattice.fine(at.x, at.y)
    }

    fn is_open(&self, polygon: u32) -> bool {
        !self.ground.polygons[polygon as usize].is_blocked
    }

    fn mesh_point(&self, polygon: u32, point: FinePoint) -> MeshPoint {
        MeshPoint { polygon: StateId::new(polygon), at: self.body.shape.position(polygon, point) }
    }

    /// The nearest place in a polygon that is not blocked; heights count if z is a number. `None` if there is no such polygon,
    /// and for coordinates far beyond any mesh.
    pub fn nearest(&self, at: Position) -> Option<MeshPoint> {
        self.nearest_among(at, |_| true)
    }

    /// The same, within a [component](SpaceKind::component).
    pub fn nearest_in_component(&self, at: Position, component: u32) -> Option<MeshPoint> {
        self.nearest_among(at, |polygon| self.component(polygon) == Some(component))
    }

    /// The same, in free polygons that are accepted.
    pub fn nearest_among(&self, at: Position, accept: impl Fn(StateId) -> bool) -> Option<MeshPoint> {
        let is_asked = |polygon: u32| self.is_open(polygon) && accept(StateId::new(polygon));
        let (polygon, point) = self.body.shape.nearest(self.fine(at)?, at.z, is_asked)?;
        Some(self.mesh_point(polygon, point))
    }

    /// Draws points uniformly from the free polygons that are accepted.
    pub fn sampler(&self, accept: impl Fn(StateId) -> bool) -> PointSampler<'_> {
        let is_asked = |&polygon: &u32| self.is_open(polygon) && accept(StateId::new(polygon));
        PointSampler::new(&self.body.shape, (0..self.polygon_count()).filter(is_asked).collect())
    }

    /// How far a straight line leads from a point of a polygon, over free polygons and the portals between them; borders may
    /// be touched. `None` if the polygon does not hold the point.
    pub fn ray_cast(&self, from: MeshPoint, to: Position) -> Option<RayCast> {
        let (polygon, start, end) = self.line(from, to)?;
        let cast = self.body.shape.cast(polygon, start, end, |polygon| self.is_open(polygon));
        Some(RayCast { end: self.mesh_point(cast.polygon, cast.end), is_clear: cast.is_clear })
    }

    /// Moves from a point of a polygon towards a place, and along walls where they are in the way. The end is the nearest point
    /// to that place in the free polygons that are joined to the first one by portals in the circle whose diameter is the
    /// move. `None` if the polygon does not hold the point.
    pub fn move_along(&self, from: MeshPoint, to: Position) -> Option<MeshPoint> {
        let (polygon, start, end) = self.line(from, to)?;
        let (polygon, end) = self.body.shape.slide(polygon, start, end, |polygon| self.is_open(polygon));
        Some(self.mesh_point(polygon, end))
    }

    fn line(&self, from: MeshPoint, to: Position) -> Option<(u32, FinePoint, FinePoint)> {
        let (polygon, start, end) = (from.polygon.number(), self.fine(from.at)?, self.fine(to)?);
        let is_inside =
            polygon < self.polygon_count() && self.is_open(polygon) && self.body.shape.holds(polygon, start);
        is_inside.then_some((polygon, start, end))
    }
}

/// The area of each polygon, and what they are.
fn checked_areas(parts: &MeshParts) -> Result<(Vec<u16>, Vec<MeshArea>), MeshError> {
    let MeshParts { areas, area_kinds, polygons, .. } = parts;
    if !areas.is_empty() && areas.len() != polygons.len() {
        return Err(MeshError::Areas { found: areas.len(), polygons: polygons.len() });
    }
    let areas = if areas.is_empty() { vec![0; polygons.len()] } else { areas.clone() };
    let kinds = match area_kinds.is_empty() {
        true => vec![MeshArea::new("ground", MeshArea::USUAL_COST)],
        false => area_kinds.clone(),
    };
    let mut names = HashSet::new();
    for kind in &kinds {
        if !MeshArea::is_cost(kind.cost) {
            return Err(MeshError::AreaCost { name: kind.name.clone(), cost: kind.cost });
        }
        if !names.insert(&kind.name) {
            return Err(MeshError::SameArea { name: kind.name.clone() });
        }
    }
    match (0..).zip(&areas).find(|(_, area)| usize::from(**area) >= kinds.len()) {
        Some((polygon, &area)) => Err(MeshError::NoSuchArea { polygon, area, areas: kinds.len() }),
        None => Ok((areas, kinds)),
    }
}

/// Finds the polygons at both ends of a link.
fn place_link(shape: &Shape, number: u32, link: &MeshLink) -> Result<PlacedLink, MeshError> {
    if link.cost == 0 {
        return Err(MeshError::FreeLink { link: number });
    }
    let cost = f64::from(link.cost) / 100.0;
    if cost / shape.lattice.unit > MeshError::MOST_UNITS {
        return Err(MeshError::DearLink { link: number, cost, unit: shape.lattice.unit });
    }
    let mut found = Vec::new();
    let mut end = |end: &MeshLinkEnd| {
        let MeshLinkEnd { at: Position { x, y, z }, polygon } = *end;
        let outside = MeshError::LinkOutside { link: number, x, y };
        let point = shape.lattice.fine(x, y).ok_or(outside.clone())?;
        let polygon = match polygon {
            Some(polygon) if polygon as usize >= shape.len() || !shape.holds(polygon, point) => {
                return Err(MeshError::LinkPolygon { link: number, polygon, x, y });
            }
            Some(polygon) => polygon,
            None => {
                shape.polygons_at(point, z, &mut found);
                *found.first().ok_or(outside)?
            }
        };
        let z = if z.is_nan() { shape.height(polygon, point) } else { z };
        let placed = MeshLinkEnd { at: Position::new(x, y, z), ..*end };
        Ok((polygon, NodePoint::of(nearest_inside(shape.corners(polygon), point)), placed))
    };
    let (from, to) = (end(&link.from)?, end(&link.to)?);
    if from.0 == to.0 {
        return Err(MeshError::LinkToItself { link: number, polygon: from.0 });
    }
    let link = MeshLink { from: from.2, to: to.2, ..*link };
    Ok(PlacedLink { link, polygons: [from.0, to.0], at: [from.1, to.1] })
}

fn bounds(positions: &[Position]) -> (Position, Position) {
    let mut positions = positions.iter().copied();
    let first = positions.next().unwrap_or_default();
    let pick = |a: Position, b: Position, of: fn(f64, f64) -> f64| {
        Position::new(of(a.x, b.x), of(a.y, b.y), of(a.z, b.z))
    };
    positions.fold((first, first), |(low, high), at| (pick(low, at, f64::min), pick(high, at, f64::max)))
}

fn extent(shape: &Shape) -> (NodePoint, NodePoint) {
    let points = || shape.vertices.iter().map(|&at| NodePoint::of(at));
    let pick = |of: fn(i32, i32) -> i32| {
        points().reduce(|a, b| NodePoint { x: of(a.x, b.x), y: of(a.y, b.y) }).unwrap_or_default()
    };
    (pick(i32::min), pick(i32::max))
}

/// Of what no edit changes: the same on every machine.
fn fingerprint(shape: &Shape, links: &[PlacedLink]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(b"mesh");
    let mut number = |value: u64| hasher.update(&value.to_le_bytes());
    [shape.lattice.unit, shape.height_unit].into_iter().for_each(|unit| number(unit.to_bits()));
    number(u64::from(shape.has_heights));
    number(shape.positions.len() as u64);
    for at in &shape.positions {
        [at.x, at.y, at.z].into_iter().for_each(|value| number((value + 0.0).to_bits()));
    }
    number(shape.len() as u64);
    for list in shape.polygons.lists() {
        number(list.len() as u64);
        list.iter().for_each(|&vertex| number(vertex.into()));
    }
    shape.beyond.iter().for_each(|&beyond| number(beyond.into()));
    number(links.len() as u64);
    for PlacedLink { link, polygons, at } in links {
        polygons.iter().for_each(|&polygon| number(polygon.into()));
        at.iter().for_each(|at| [at.x, at.y].into_iter().for_each(|value| number(value as u32 as u64)));
        number(u64::from(link.cost) << 1 | u64::from(link.both_ways));
    }
    hasher.digest()
}
