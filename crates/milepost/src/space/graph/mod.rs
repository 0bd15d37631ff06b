//! A directed graph of waypoints: nodes that may have coordinates, edges with any positive integer costs.
//!
//! # Layout
//! Compressed rows: the edges of a node stand together, in the order in which they were given.
//! Several edges between the same two nodes and nodes without edges are allowed. Nodes that have been removed, or
//! never existed (files that count from 1 have no node 0), keep their numbers and are no states.

mod kind;
pub(super) mod visit;

use super::condensation::Condensation;
use super::{EdgeSlot, SlotExpander, SpaceKind};
use crate::core::{Cost, Csr, Expander, KeyRange, StateId};
use std::sync::Arc;
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

/// An edge of a graph, one way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// Where it begins.
    pub from: StateId,
    /// Where it ends.
    pub to: StateId,
    /// What it costs: at least 1.
    pub cost: u32,
}

/// Where a node lies, in the whole numbers that graphs are made of and files hold. z is 0 where there is no third
/// dimension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct NodePosition {
    /// East.
    pub x: i32,
    /// South.
    pub y: i32,
    /// Up.
    pub z: i32,
}

impl NodePosition {
    /// A position on the plane.
    pub const fn new(x: i32, y: i32) -> NodePosition {
        NodePosition { x, y, z: 0 }
    }

    pub(super) fn distance(self, other: NodePosition) -> f64 {
        let square = |a: i32, b: i32| (f64::from(a) - f64::from(b)) * (f64::from(a) - f64::from(b));
        (square(self.x, other.x) + square(self.y, other.y) + square(self.z, other.z)).sqrt()
    }
}

/// Why a graph cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum GraphError {
    #[error(
        "the edge {from} -> {to} leads to or from a node that does not exist; there are nodes below #{nodes}"
    )]
    NoSuchNode { from: StateId, to: StateId, nodes: u32 },
    #[error("the edge {from} -> {to} costs nothing; costs are 1 to 4294967295")]
    FreeEdge { from: StateId, to: StateId },
    #[error("{positions} positions for {nodes} nodes: there must be one for each, or none")]
    Positions { positions: usize, nodes: u32 },
    #[error(
        "the graph is too large: {nodes} nodes and {edges} edges, at most 4294967294 of each are possible"
    )]
    TooLarge { nodes: u64, edges: u64 },
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Arc32 {
    to: u32,
    cost: u32,
}

/// A directed graph. Cheap to clone, never changed by a query.
#[derive(Clone, Debug)]
pub struct Graph {
    data: Arc<Data>,
}

#[derive(Debug)]
struct Data {
    arcs: Csr<Arc32>,
    /// Empty, or one for each node.
    positions: Vec<NodePosition>,
    is_node: Vec<bool>,
    nodes: u32,
    condensation: Condensation,
    /// Whether for every edge one leads back.
    is_two_way: bool,
    cheapest: u32,
    dearest: u32,
    /// No node has more edges than this.
    most_edges: u32,
    /// No edge costs less than this for each unit of distance between its ends.
    least_slope: f64,
    hash: u64,
}

impl Graph {
    /// The graph with the nodes 0 to `nodes` - 1 and these edges. `positions` is empty, or has one for each node.
    pub fn from_edges(nodes: u32, edges: &[Edge], positions: Vec<NodePosition>) -> Result<Graph, GraphError> {
        Graph::from_parts(vec![true; nodes as usize], edges, positions)
    }

    /// As [`Graph::from_edges`], where node n exists if `is_node[n]`.
    pub fn from_parts(
        is_node: Vec<bool>,
        edges: &[Edge],
        positions: Vec<NodePosition>,
    ) -> Result<Graph, GraphError> {
        if is_node.len() as u64 >= u64::from(u32::MAX) || edges.len() as u64 >= u64::from(u32::MAX) {
            return Err(GraphError::TooLarge { nodes: is_node.len() as u64, edges: edges.len() as u64 });
        }
        let nodes = is_node.len() as u32;
        if !positions.is_empty() && positions.len() != is_node.len() {
            return Err(GraphError::Positions { positions: positions.len(), nodes });
        }
        let exists = |state: StateId| is_node.get(state.index()) == Some(&true);
        for &Edge { from, to, cost } in edges {
            if !exists(from) || !exists(to) {
                return Err(GraphError::NoSuchNode { from, to, nodes });
            }
            if cost == 0 {
                return Err(GraphError::FreeEdge { from, to });
            }
        }
        let arc = |edge: &Edge| (edge.from.number(), Arc32 { to: edge.to.number(), cost: edge.cost });
        // In one order, however the graph came by them: the same edges are the same graph.
        let mut arcs = Csr::sorted(is_node.len(), edges.iter().map(arc));
        arcs.sort_lists();
        let condensation = Condensation::new(nodes, |node, k| {
            arcs.list(node as usize).get(k as usize).map(|arc: &Arc32| arc.to)
        });
        let leads_back = |from: usize, arc: &Arc32| {
            let arcs_back = arcs.list(arc.to as usize);
            let first = arcs_back.partition_point(|back| (back.to as usize) < from);
            arcs_back.get(first).is_some_and(|back| back.to as usize == from)
        };
        let is_two_way =
            arcs.lists().enumerate().all(|(from, list)| list.iter().all(|arc| leads_back(from, arc)));
        let data = Data {
            least_slope: least_slope(edges, &positions),
            cheapest: edges.iter().map(|edge| edge.cost).min().unwrap_or(1),
            dearest: edges.iter().map(|edge| edge.cost).max().unwrap_or(1),
            most_edges: arcs.lists().map(<[_]>::len).max().unwrap_or(0) as u32,
            hash: fingerprint(&is_node, &arcs, &positions),
            nodes: is_node.iter().filter(|&&is_node| is_node).count() as u32,
            condensation,
            is_two_way,
            arcs,
            positions,
            is_node,
        };
        Ok(Graph { data: Arc::new(data) })
    }

    /// The graph of a `petgraph` graph whose edges weigh what they cost; edges without direction lead both ways.
    #[cfg(feature = "petgraph")]
    pub fn from_petgraph<N, D: petgraph::EdgeType>(
        graph: &petgraph::Graph<N, u32, D>,
    ) -> Result<Graph, GraphError> {
        use petgraph::visit::EdgeRef;
        let state = |node: petgraph::graph::NodeIndex| StateId::new(node.index() as u32);
        let mut edges = Vec::with_capacity(graph.edge_count());
        for edge in graph.edge_references() {
            let (from, to, cost) = (state(edge.source()), state(edge.target()), *edge.weight());
            edges.push(Edge { from, to, cost });
            if !graph.is_directed() && from != to {
                edges.push(Edge { from: to, to: from, cost });
            }
        }
        Graph::from_edges(graph.node_count() as u32, &edges, Vec::new())
    }

    /// Edges.
    pub fn edge_count(&self) -> usize {
        self.data.arcs.items().len()
    }

    /// The edges that begin at a node.
    pub fn edges_from(&self, from: StateId) -> impl Iterator<Item = Edge> {
        let number = from.index();
        self.data.arcs.list(number).iter().map(move |arc| Edge {
            from,
            to: StateId::new(arc.to),
            cost: arc.cost,
        })
    }

    /// The place of a node's first edge among all.
    pub(super) fn first_edge(&self, from: StateId) -> usize {
        self.data.arcs.starts().get(from.index()).map_or(0, |&first| first as usize)
    }

    /// The same, for tests of other rooms.
    #[cfg(all(test, feature = "build"))]
    pub(crate) fn first_edge_of(&self, from: StateId) -> usize {
        self.first_edge(from)
    }

    /// Where the edge of this number among those of a node leads; `None` where there is none.
    #[inline]
    pub(super) fn edge_end(&self, from: StateId, number: usize) -> Option<StateId> {
        let arcs = &self.data.arcs;
        let list = (from.index() < arcs.len()).then(|| arcs.list(from.index()))?;
        list.get(number).map(|arc| StateId::new(arc.to))
    }

    /// All edges.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        (0..self.id_bound() as u32).flat_map(|number| self.edges_from(StateId::new(number)))
    }

    /// Where a node lies; `None` where the graph has no coordinates.
    pub fn node_position(&self, state: StateId) -> Option<NodePosition> {
        self.data.positions.get(state.index()).copied()
    }

    /// Whether nodes have coordinates.
    pub fn has_positions(&self) -> bool {
        !self.data.positions.is_empty()
    }

    /// All positions, or none.
    pub fn positions(&self) -> &[NodePosition] {
        &self.data.positions
    }

    /// No node has more edges than this.
    pub(crate) fn most_edges(&self) -> u32 {
        self.data.most_edges
    }

    /// Which numbers are nodes.
    pub(super) fn node_flags(&self) -> &[bool] {
        &self.data.is_node
    }

    /// Where one can go and what it costs.
    pub(crate) fn moves(&self) -> GraphMoves<'_> {
        GraphMoves { graph: &self.data }
    }

    /// What an estimate may count for each unit of distance: a little less than the cheapest edge does.
    pub(super) fn slope(&self) -> f64 {
        // The margin covers the rounding of square roots and products.
        self.data.least_slope * (1.0 - 1.0 / (1_u64 << 40) as f64)
    }
}

fn least_slope(edges: &[Edge], positions: &[NodePosition]) -> f64 {
    if positions.is_empty() {
        return 0.0;
    }
    let slope = |edge: &Edge| {
        let distance = positions[edge.from.index()].distance(positions[edge.to.index()]);
        (distance > 0.0).then(|| f64::from(edge.cost) / distance)
    };
    let least = edges.iter().filter_map(slope).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 0.0 }
}

fn fingerprint(is_node: &[bool], arcs: &Csr<Arc32>, positions: &[NodePosition]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(b"graph");
    hasher.update(&(is_node.len() as u64).to_le_bytes());
    for chunk in is_node.chunks(512) {
        let bytes: Vec<u8> = chunk.iter().map(|&is_node| u8::from(is_node)).collect();
        hasher.update(&bytes);
    }
    let mut numbers = |values: &mut dyn Iterator<Item = u32>| {
        let mut buffer = Vec::with_capacity(4096);
        for value in values {
            buffer.extend_from_slice(&value.to_le_bytes());
            if buffer.len() >= 4096 {
                hasher.update(&buffer);
                buffer.clear();
            }
        }
        hasher.update(&buffer);
    };
    numbers(&mut arcs.starts().iter().copied());
    numbers(&mut arcs.items().iter().flat_map(|arc| [arc.to, arc.cost]));
    numbers(&mut positions.iter().flat_map(|at| [at.x as u32, at.y as u32, at.z as u32]));
    hasher.digest()
}

/// The edges of a graph, forwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphMoves<'a> {
    graph: &'a Data,
}

impl Expander for GraphMoves<'_> {
    fn id_bound(&self) -> usize {
        self.graph.is_node.len()
    }

    fn keys(&self) -> KeyRange {
        let bound = self.graph.is_node.len() as u128 * u128::from(self.graph.dearest);
        // An open list sorts finely enough if most edges span a few buckets: the cheapest one may be far below them.
        let cheapest = u64::from(self.graph.cheapest.max(self.graph.dearest / 64).max(1));
        KeyRange { cheapest: Cost::new(cheapest), bound: Cost::new(bound.min(1 << 63) as u64) }
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.expand_slots(state, parent, |_| true, visit)
    }
}

impl SlotExpander for GraphMoves<'_> {
    #[inline]
    fn expand_slots(
        &self,
        state: StateId,
        _: Option<StateId>,
        keeps: impl Fn(EdgeSlot) -> bool,
        mut visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        let number = state.index();
        let range = self.graph.arcs.range(number);
        let arcs = &self.graph.arcs.items()[range.clone()];
        for (arc, place) in arcs.iter().zip(range) {
            if keeps(EdgeSlot::Edge(place)) {
                visit(StateId::new(arc.to), Cost::new(arc.cost.into()));
            }
        }
        // More than eight successors count one by one.
        if arcs.len() > 8 { arcs.len() as u64 - 1 } else { 0 }
    }
}

#[cfg(all(test, feature = "petgraph"))]
mod tests {
    use super::*;

    #[test]
    fn a_petgraph_becomes_a_graph_and_edges_without_direction_lead_both_ways() {
        let mut drawn = petgraph::Graph::<(), u32>::new();
        let nodes = [drawn.add_node(()), drawn.add_node(()), drawn.add_node(())];
        drawn.extend_with_edges([(nodes[0], nodes[1], 5), (nodes[1], nodes[2], 7)]);
        let directed = Graph::from_petgraph(&drawn).unwrap();
        assert_eq!((directed.states(), directed.edge_count(), directed.component_count()), (3, 2, 3));
        let undirected = Graph::from_petgraph(&drawn.into_edge_type::<petgraph::Undirected>()).unwrap();
        assert_eq!((undirected.edge_count(), undirected.component_count()), (4, 1));
        assert_eq!(undirected.step_cost(StateId::new(2), StateId::new(1), None), Some(Cost::new(7)));
        let free = petgraph::Graph::<(), u32>::from_edges([(0, 1, 0)]);
        assert!(matches!(Graph::from_petgraph(&free), Err(GraphError::FreeEdge { .. })));
    }
}
