//! Moves from polygon to polygon as lines: from the centre of a polygon over the middle of a portal, or by a link, to the next
//! centre. No such line leaves the mesh.

use super::NavMesh;
use super::ground::PlacedLink;
use super::measure::NodePoint;
use crate::core::{Path, PathLink, Position, StateId};
use crate::space::{Edit, EditError, EditReason, MeshArea, MeshError};

/// How a move leads from one polygon to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Crossing {
    /// Through an edge of the first polygon.
    Portal(usize),
    /// By a link, perhaps backwards.
    Link { number: u32, is_back: bool },
}

impl NavMesh {
    /// Writes where a move leads, from the centre of one polygon, left out, to that of another, which must be a successor.
    /// Returns the number of the link that it takes, if any: it leads between the first two points.
    pub fn write_step(&self, from: StateId, to: StateId, points: &mut Vec<Position>) -> Option<u32> {
        let mut taken = None;
        match self.cheapest_crossing(from.number(), to.number()) {
            Some(Crossing::Portal(edge)) => points.push(self.portal_middle(from.number(), edge)),
            Some(Crossing::Link { number, is_back }) => {
                let [start, end] = self.link_positions(number);
                points.extend(if is_back { [end, start] } else { [start, end] });
                taken = Some(number);
            }
            None => {}
        }
        points.push(self.centre(to));
        taken
    }

    /// Where the middle of an edge lies.
    pub(super) fn portal_middle(&self, polygon: u32, edge: usize) -> Position {
        let (from, to) = self.body.shape.edge_vertices(polygon, edge);
        let [a, b] = [from, to].map(|vertex| self.body.shape.positions[vertex as usize]);
        Position::new((a.x + b.x) / 2.0, (a.y + b.y) / 2.0, (a.z + b.z) / 2.0)
    }

    /// Where the ends of a link lie.
    pub(super) fn link_positions(&self, number: u32) -> [Position; 2] {
        let PlacedLink { link, polygons, .. } = &self.body.links[number as usize];
        let at = |end: Position, polygon: u32| {
            let height = self.fine(end).map_or(0.0, |point| self.body.shape.height(polygon, point));
            Position::new(end.x, end.y, height)
        };
        [at(link.from.at, polygons[0]), at(link.to.at, polygons[1])]
    }

    /// The cheapest way of a move; of several the first portal, then the first link.
    fn cheapest_crossing(&self, from: u32, to: u32) -> Option<Crossing> {
        let (shape, centres) = (&self.body.shape, &self.body.centres);
        let rates = [from, to].map(|polygon| self.ground.rate(shape, polygon));
        let over = |entry: NodePoint, exit: NodePoint| {
            rates[0].up(centres[from as usize], entry) + rates[1].up(exit, centres[to as usize])
        };
        let portals = shape.portals_of(from).filter(|&(_, beyond)| beyond == to).map(|(edge, _)| {
            let (a, b) = shape.edge_ends(from, edge);
            let middle = NodePoint::middle(a, b);
            (over(middle, middle), Crossing::Portal(edge))
        });
        let links = (0..).zip(&self.body.links).filter_map(|(number, placed)| {
            let is_back = placed.polygons == [to, from] && placed.link.both_ways;
            let leads = placed.polygons == [from, to] || is_back;
            let [entry, exit] = if is_back { [placed.at[1], placed.at[0]] } else { placed.at };
            let cost = over(entry, exit) + self.ground.link_cost(&self.body.shape, placed);
            leads.then_some((cost, Crossing::Link { number, is_back }))
        });
        portals.chain(links).min_by_key(|(cost, _)| *cost).map(|(_, crossing)| crossing)
    }

    /// Writes the points of a path from centre to centre.
    pub(super) fn write_centre_points(&self, path: &mut Path) {
        let (polygons, points, links) = path.corridor_mut();
        points.clear();
        links.clear();
        points.extend(polygons.first().map(|&first| self.centre(first)));
        for pair in polygons.windows(2) {
            let at = points.len() as u32;
            let link = self.write_step(pair[0], pair[1], points);
            links.extend(link.map(|link| PathLink { at, link }));
        }
    }

    /// An edit that names a polygon by a place in it, as one that names it by its number; others as they are.
    pub fn edit_by_number(&self, edit: Edit) -> Result<Edit, EditReason> {
        let (at, free) = match edit {
            Edit::Cells { from, to, free } if from == to => {
                (Position::new(from.x as f64, from.y as f64, f64::NAN), free)
            }
            Edit::Place { at, free } => (at, free),
            _ => return Ok(edit),
        };
        let polygon = self.polygons_at(at).first().copied();
        let polygon = polygon.ok_or(EditReason::NoPolygonAt { x: at.x, y: at.y })?;
        Ok(Edit::Polygon { polygon, free })
    }

    /// The next version of this mesh: all edits in their order, or none of them.
    pub fn edited(&self, edits: &[Edit]) -> Result<NavMesh, EditError> {
        let polygons = self.polygon_count();
        let checked = |edit: Edit| match self.edit_by_number(edit)? {
            Edit::Polygon { polygon, .. } | Edit::Area { polygon, .. } if polygon.number() >= polygons => {
                Err(EditReason::NoPolygon { polygon, polygons })
            }
            Edit::Area { cost, .. } if !MeshArea::is_cost(cost) => {
                Err(EditReason::AreaCost { hundredths: cost })
            }
            edit @ (Edit::Polygon { .. } | Edit::Area { .. }) => Ok(edit),
            _ => Err(EditReason::NotOnMeshes),
        };
        let checked = |(place, &edit)| checked(edit).map_err(|reason| EditError { place, reason });
        let edits = edits.iter().enumerate().map(checked).collect::<Result<Vec<Edit>, EditError>>()?;
        // Ways become dearer by costs of polygons alone.
        let place = edits.iter().rposition(|edit| matches!(edit, Edit::Area { .. })).unwrap_or(0);
        let edited = self.with_ground(|ground| {
            for edit in edits {
                match edit {
                    Edit::Polygon { polygon, free } => ground[polygon.index()].is_blocked = !free,
                    Edit::Area { polygon, cost } => ground[polygon.index()].cost = cost,
                    _ => {}
                }
            }
        });
        edited.map_err(|error| match error {
            MeshError::TooDear { from, to } => {
                let (from, to) = (StateId::new(from), StateId::new(to));
                EditError { place, reason: EditReason::TooDear { from, to } }
            }
            _ => EditError { place, reason: EditReason::NotOnMeshes },
        })
    }
}
