//! What goal bounds know of a mesh: where nodes lie, which edges lead between them, and which nodes stand for a goal.

use super::ends::MeshEnds;
use super::measure::NodePoint;
use super::{NavMesh, Nodes};
#[cfg(feature = "observe")]
use crate::core::Position;
use crate::core::StateId;
#[cfg(feature = "build")]
use crate::core::{Cost, Expander, KeyRange};
use crate::space::NodePosition;
#[cfg(feature = "build")]
use crate::space::{EdgeSlot, SlotExpander};

/// The squares that boxes of goals are made of: so many across the whole mesh, a power of 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squares<'a> {
    mesh: &'a NavMesh,
    bits: u32,
}

impl<'a> Squares<'a> {
    /// 2^`bits` squares in each direction.
    pub(crate) fn new(mesh: &'a NavMesh, bits: u32) -> Squares<'a> {
        Squares { mesh, bits }
    }

    /// The square that holds a point: boxes that are told in squares are rounded outwards.
    fn of(&self, at: NodePoint) -> NodePosition {
        let (low, high) = self.mesh.body.extent;
        let square = |at: i32, low: i32, high: i32| {
            let across = i64::from(high) - i64::from(low) + 1;
            (((i64::from(at) - i64::from(low)) << self.bits) / across) as i32
        };
        NodePosition::new(square(at.x, low.x, high.x), square(at.y, low.y, high.y))
    }

    /// Where a node lies.
    pub(crate) fn of_node(&self, nodes: Nodes, node: StateId) -> NodePosition {
        match nodes {
            Nodes::Portals => self.of(self.mesh.body.nodes.at[node.index()]),
            Nodes::Centres => self.of(self.mesh.body.centres[node.index()]),
        }
    }

    /// The corners of the box around the nodes that stand for the goals of a query: those of all polygons that hold one. `None` if
    /// there are no nodes.
    pub(crate) fn around_goals(&self, ends: &MeshEnds) -> Option<[NodePosition; 2]> {
        let nodes = &self.mesh.body.nodes;
        let anchors = ends.goals().iter().flat_map(|goal| &goal.anchors);
        let numbers = anchors.flat_map(|anchor| nodes.of_polygon.list(anchor.polygon as usize));
        let corners = numbers.map(|&node| nodes.at[node as usize]).map(|at| (at, at));
        let around = |(low, high): (NodePoint, NodePoint), (at, _): (NodePoint, NodePoint)| {
            let low = NodePoint { x: low.x.min(at.x), y: low.y.min(at.y) };
            (low, NodePoint { x: high.x.max(at.x), y: high.y.max(at.y) })
        };
        corners.reduce(around).map(|(low, high)| [self.of(low), self.of(high)])
    }
}

impl NavMesh {
    /// Edges of a search over these nodes.
    pub(crate) fn node_edges(&self, nodes: Nodes) -> usize {
        match nodes {
            Nodes::Portals => self.ground.portal_arcs.items().len(),
            Nodes::Centres => self.centres().edge_count(),
        }
    }

    /// Where the nodes of a search over portals lie, for viewers.
    #[cfg(feature = "observe")]
    pub(crate) fn node_positions(&self, ends: &MeshEnds) -> Vec<Position> {
        let middle = |at: &NodePoint| {
            let (x, y) = self.body.shape.lattice.place(at.fine());
            Position::new(x, y, 0.0)
        };
        let ends = std::iter::once(&ends.start).chain(ends.goals());
        self.body.nodes.at.iter().map(middle).chain(ends.map(|end| end.given)).collect()
    }

    /// Nodes of portals and links.
    pub(crate) fn portal_nodes(&self) -> usize {
        self.body.nodes.len()
    }
}

/// The edges of a search over portals, without start and goals: for builders.
#[cfg(feature = "build")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortalEdges<'a>(pub(crate) &'a NavMesh);

#[cfg(feature = "build")]
impl Expander for PortalEdges<'_> {
    fn id_bound(&self) -> usize {
        self.0.portal_nodes()
    }

    fn keys(&self) -> KeyRange {
        KeyRange { cheapest: Cost::new(1), bound: Cost::new(self.0.path_bound().min(1 << 63)) }
    }

    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.expand_slots(state, parent, |_| true, visit)
    }
}

#[cfg(feature = "build")]
impl SlotExpander for PortalEdges<'_> {
    fn expand_slots(
        &self,
        state: StateId,
        _: Option<StateId>,
        keeps: impl Fn(EdgeSlot) -> bool,
        mut visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        let (first, arcs) = self.0.portal_arcs(state.number());
        for (arc, place) in arcs.iter().zip(first..) {
            if keeps(EdgeSlot::Edge(place)) {
                visit(StateId::new(arc.to), Cost::new(arc.cost));
            }
        }
        0
    }
}
