//! Where a search over portals begins and ends: places, located and rounded to the lattice in every polygon that holds them.

use super::NavMesh;
use super::geometry::{FinePoint, nearest_inside};
use super::measure::NodePoint;
use crate::core::{Position, StateId};
use crate::space::{Place, SpaceKind};

/// A place in one of the polygons that hold it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Anchor {
    pub(super) polygon: u32,
    /// The nearest point of the lattice in that polygon: costs are measured from here.
    pub(super) at: NodePoint,
}

/// The start or a goal.
#[derive(Clone, Debug, Default)]
pub(super) struct End {
    /// As it was given; z is the height of the floor if none was.
    pub(super) given: Position,
    pub(super) fine: FinePoint,
    /// In increasing order of polygons; empty for a place that no free polygon holds.
    pub(super) anchors: Vec<Anchor>,
}

/// The start and the goals of a query on a mesh, and room to write its path.
#[derive(Clone, Debug, Default)]
pub(crate) struct MeshEnds {
    pub(super) start: End,
    pub(super) goals: Vec<End>,
    /// Goals that this query has; others are room for later ones.
    pub(super) count: usize,
    /// Where the goals are, for estimates: one for each anchor.
    pub(super) points: Vec<NodePoint>,
    /// What no estimate may exceed: what a shortcut to the goals costs.
    pub(super) cap: u64,
    polygons: Vec<u32>,
}

impl MeshEnds {
    /// Locates the start and the goals.
    pub(crate) fn locate(&mut self, mesh: &NavMesh, start: Place, goals: impl Iterator<Item = Place>) {
        let MeshEnds { start: first, goals: ends, count, points, cap, polygons, .. } = self;
        first.locate(mesh, start, polygons);
        *count = 0;
        points.clear();
        for goal in goals {
            if ends.len() == *count {
                ends.push(End::default());
            }
            ends[*count].locate(mesh, goal, polygons);
            points.extend(ends[*count].anchors.iter().map(|anchor| anchor.at));
            *count += 1;
        }
        *cap = mesh.shortcut_cap(points);
    }

    /// The polygons that hold the start.
    pub(crate) fn start_polygons(&self) -> impl Iterator<Item = StateId> + Clone + '_ {
        self.start.anchors.iter().map(|anchor| StateId::new(anchor.polygon))
    }

    /// For each goal the polygons that hold it.
    pub(crate) fn goal_polygons(
        &self,
    ) -> impl Iterator<Item = impl Iterator<Item = StateId> + Clone> + Clone {
        self.goals().iter().map(|goal| goal.anchors.iter().map(|anchor| StateId::new(anchor.polygon)))
    }

    /// The goals of this query.
    pub(super) fn goals(&self) -> &[End] {
        &self.goals[..self.count]
    }

    pub(crate) fn bytes(&self) -> usize {
        let anchors: usize = self.goals.iter().map(|end| end.anchors.capacity()).sum();
        (anchors + self.start.anchors.capacity()) * size_of::<Anchor>()
            + self.goals.capacity() * size_of::<End>()
            + self.points.capacity() * size_of::<NodePoint>()
            + self.polygons.capacity() * 4
    }
}

impl End {
    fn locate(&mut self, mesh: &NavMesh, place: Place, polygons: &mut Vec<u32>) {
        self.anchors.clear();
        let shape = &mesh.body.shape;
        match place {
            Place::State(state) => {
                if mesh.is_free(state) {
                    let at = mesh.body.centres[state.index()];
                    self.anchors.push(Anchor { polygon: state.number(), at });
                    self.given = mesh.centre(state);
                    self.fine = at.fine();
                }
            }
            Place::Point { at } => {
                polygons.clear();
                let Some(fine) = shape.lattice.fine(at.x, at.y) else { return };
                shape.polygons_at(fine, at.z, polygons);
                polygons.retain(|&polygon| mesh.is_open(polygon));
                self.fine = fine;
                self.anchors.extend(polygons.iter().map(|&polygon| {
                    let at = NodePoint::of(nearest_inside(shape.corners(polygon), fine));
                    Anchor { polygon, at }
                }));
                self.given = at;
                if let (true, Some(anchor)) = (at.z.is_nan(), self.anchors.first()) {
                    self.given.z = shape.height(anchor.polygon, fine);
                }
            }
        }
    }

    /// The first of its polygons.
    pub(super) fn first_polygon(&self) -> StateId {
        self.anchors.first().map_or(StateId::NONE, |anchor| StateId::new(anchor.polygon))
    }
}
