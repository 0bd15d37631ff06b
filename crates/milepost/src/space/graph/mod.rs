//! A directed graph of waypoints: nodes that may have coordinates, edges with any positive integer costs.
//!
//! # Layout
//! Compressed rows: the edges of a node stand together, in the order in which they were given.
//! Several edges between the same two nodes and nodes without edges are allowed. Nodes that have been removed, or
//! never existed (files that count from 1 have no node 0), keep their numbers and are no states.

mod kind;
mod pull;
mod tree;
pub(super) mod visit;

use super::condensation::Condensation;
use super::{EdgeSlot, Grid, SlotExpander, SpaceKind};
use crate::core::debug_as_sentence;
use crate::core::{Cost, Csr, Expander, KeyRange, Point, StateId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;
use tree::Tree;
pub use tree::{Extent, Leaf};
use xxhash_rust::xxh3::Xxh3;

/// An edge of a graph, one way.
///
/// Shown by [`Graph`].
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
///
/// Shown by [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
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
///
/// ```
/// use milepost::{Edge, Graph, GraphError, StateId};
///
/// let (from, to) = (StateId::new(0), StateId::new(5));
/// let error = Graph::from_edges(2, &[Edge { from, to, cost: 1 }], Vec::new()).unwrap_err();
/// assert_eq!(error, GraphError::NoSuchNode { from, to, nodes: 2 });
/// println!("{error}");
/// ```
#[derive(Clone, PartialEq, Eq, Error)]
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
    #[error("one unit of cost is divided into {scale} parts; expected 1 to 4294967295")]
    Scale { scale: u32 },
    #[error(
        "a tree of {width} x {height} x {depth} cells; expected sides of 1 to {most} cells (a depth of 0 on the plane)",
        most = Extent::MOST
    )]
    Extent { width: u32, height: u32, depth: u32 },
    #[error("leaf {leaf}: expected {expected}")]
    Leaf { leaf: StateId, expected: &'static str },
    #[error("{leaves} leaves for {nodes} nodes: there must be one for each")]
    Leaves { leaves: usize, nodes: u32 },
    #[error("node {node} lies elsewhere than the centre of its leaf")]
    OffCentre { node: StateId },
    #[error("the tree would have more than {most} leaves for {blocked} blocked cells; cut it into pieces")]
    ManyLeaves { most: usize, blocked: usize },
}

debug_as_sentence!(GraphError);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Arc32 {
    to: u32,
    cost: u32,
}

/// A directed graph. Cheap to clone, never changed by a query.
///
/// ```
/// use milepost::{Atlas, Edge, Graph, NodePosition, Scratch, StateId};
///
/// let node = StateId::new;
/// let edge = |from, to, cost| Edge { from: node(from), to: node(to), cost }; // one way
/// let positions = vec![NodePosition::new(0, 0), NodePosition::new(3, 0), NodePosition::new(3, 4)];
/// let graph = Graph::from_edges(3, &[edge(0, 1, 3), edge(1, 2, 4), edge(0, 2, 9)], positions)?;
/// let mut scratch = Scratch::new();
/// Atlas::new(graph).path(node(0), node(2), &mut scratch);
/// assert_eq!(scratch.path().waypoints(), [node(0), node(1), node(2)]);
/// assert_eq!(scratch.path().cost_f64(), 7.0);
/// # Ok::<(), milepost::GraphError>(())
/// ```
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
    /// Units of a cost of 1.0.
    scale: u32,
    /// The leaves of a quadtree or octree, whose positions are in half cells.
    tree: Option<Tree>,
    hash: u64,
}

/// What a graph is made of.
pub(crate) struct GraphParts {
    pub(crate) is_node: Vec<bool>,
    pub(crate) edges: Vec<Edge>,
    /// Empty, or one for each node.
    pub(crate) positions: Vec<NodePosition>,
    /// Units of a cost of 1.0.
    pub(crate) scale: u32,
    /// Of a tree: how many cells it divides, and a leaf for each node.
    pub(crate) leaves: Option<(Extent, Vec<Leaf>)>,
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
        Graph::from_all(GraphParts { is_node, edges: edges.to_vec(), positions, scale: 1, leaves: None })
    }

    /// The same graph where a cost of 1.0 is `scale` units: edges cost what they did, and users see that divided.
    pub fn with_scale(&self, scale: u32) -> Result<Graph, GraphError> {
        Graph::from_all(GraphParts { scale, ..self.to_parts() })
    }

    /// The quadtree or octree with these leaves, in the order of their Morton codes (Z-order). An edge joins leaves that share a
    /// face and costs the distance of their centres in 2^-16 of a cell, rounded up.
    pub fn from_leaves(extent: Extent, leaves: Vec<Leaf>) -> Result<Graph, GraphError> {
        let tree = Tree::new(extent, leaves)?;
        let (edges, positions) = (tree.edges(), tree.positions());
        let is_node = vec![true; tree.leaves.len()];
        let leaves = Some((extent, tree.leaves));
        Graph::from_all(GraphParts { is_node, edges, positions, scale: tree::UNITS, leaves })
    }

    /// The quadtree of the free cells of a grid, whatever they weigh.
    pub fn quadtree(grid: &Grid) -> Result<Graph, GraphError> {
        let extent = Extent { width: grid.width(), height: grid.height(), depth: 0 };
        let is_blocked = |&(x, y): &(u32, u32)| !grid.is_free_at(Point::new(x.into(), y.into()));
        let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
        let blocked: Vec<[u32; 3]> = cells.filter(is_blocked).map(|(x, y)| [x, y, 0]).collect();
        Graph::divided(extent, &blocked, usize::MAX)
    }

    /// The octree of all voxels but the blocked ones, which may be named in any order. There are at most 64 leaves for each of
    /// them, and a million more: a few numbers must not take much memory.
    pub fn octree(extent: Extent, blocked: &[[u32; 3]]) -> Result<Graph, GraphError> {
        Graph::divided(extent, blocked, LONELY_LEAVES + LEAVES_OF_A_VOXEL * blocked.len())
    }

    fn divided(extent: Extent, blocked: &[[u32; 3]], most: usize) -> Result<Graph, GraphError> {
        // Refuses sides that are too long before anything is made of them.
        Tree::new(extent, Vec::new())?;
        let leaves = Tree::divide(extent, blocked, most);
        Graph::from_leaves(extent, leaves.ok_or(GraphError::ManyLeaves { most, blocked: blocked.len() })?)
    }

    /// What this graph is made of.
    pub(crate) fn to_parts(&self) -> GraphParts {
        GraphParts {
            is_node: self.data.is_node.clone(),
            edges: self.edges().collect(),
            positions: self.data.positions.clone(),
            scale: self.data.scale,
            leaves: self.data.tree.clone().map(|tree| (tree.extent, tree.leaves)),
        }
    }

    /// The graph of these parts.
    pub(crate) fn from_all(parts: GraphParts) -> Result<Graph, GraphError> {
        let GraphParts { is_node, edges, positions, scale, leaves } = parts;
        if is_node.len() as u64 >= u64::from(u32::MAX) || edges.len() as u64 >= u64::from(u32::MAX) {
            return Err(GraphError::TooLarge { nodes: is_node.len() as u64, edges: edges.len() as u64 });
        }
        let nodes = is_node.len() as u32;
        if !positions.is_empty() && positions.len() != is_node.len() {
            return Err(GraphError::Positions { positions: positions.len(), nodes });
        }
        if scale == 0 {
            return Err(GraphError::Scale { scale });
        }
        let tree = leaves.map(|(extent, leaves)| Tree::new(extent, leaves)).transpose()?;
        if let Some(tree) = &tree {
            if tree.leaves.len() != is_node.len() {
                return Err(GraphError::Leaves { leaves: tree.leaves.len(), nodes });
            }
            let centres = tree.positions();
            let other = centres.iter().enumerate().find(|(node, at)| positions.get(*node) != Some(*at));
            if let Some((node, _)) = other {
                return Err(GraphError::OffCentre { node: StateId::new(node as u32) });
            }
        }
        let exists = |state: StateId| is_node.get(state.index()) == Some(&true);
        for &Edge { from, to, cost } in &edges {
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
            least_slope: least_slope(&edges, &positions),
            cheapest: edges.iter().map(|edge| edge.cost).min().unwrap_or(1),
            dearest: edges.iter().map(|edge| edge.cost).max().unwrap_or(1),
            most_edges: arcs.lists().map(<[_]>::len).max().unwrap_or(0) as u32,
            hash: fingerprint(&is_node, &arcs, &positions, (scale, tree.as_ref())),
            nodes: is_node.iter().filter(|&&is_node| is_node).count() as u32,
            condensation,
            is_two_way,
            arcs,
            positions,
            is_node,
            scale,
            tree,
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

    /// Units of a cost of 1.0: 1 where costs are whole numbers, 65536 in trees.
    pub fn units_of_one(&self) -> u32 {
        self.data.scale
    }

    /// How many cells a quadtree or octree divides; `None` where the graph is none.
    pub fn extent(&self) -> Option<Extent> {
        self.data.tree.as_ref().map(|tree| tree.extent)
    }

    /// The leaves of a tree, one for each node number; empty where the graph is none.
    pub fn leaves(&self) -> &[Leaf] {
        self.data.tree.as_ref().map_or(&[], |tree| &tree.leaves)
    }

    /// The leaf of a tree that holds a cell; `None` where it is blocked or outside. On the plane z is 0.
    pub fn leaf_at(&self, cell: [i64; 3]) -> Option<StateId> {
        let leaf = self.data.tree.as_ref()?.leaf_at(cell)?;
        self.is_free(leaf).then_some(leaf)
    }

    /// The leaf of a tree whose box is nearest to the middle of a cell, the first of several.
    pub fn nearest_leaf(&self, cell: [i64; 3]) -> Option<StateId> {
        let gap = |at: i64, low: u32, size: u32| {
            let (low, high) = (i64::from(low), i64::from(low) + i64::from(size) - 1);
            i128::from((low - at).max(at - high).max(0)).pow(2)
        };
        let [x, y, z] = cell;
        let is_flat = self.extent()?.is_flat();
        let squares = |leaf: &Leaf| {
            let up = if is_flat { 0 } else { gap(z, leaf.z, leaf.size) };
            gap(x, leaf.x, leaf.size) + gap(y, leaf.y, leaf.size) + up
        };
        let leaves = self.free_states().map(|state| (squares(&self.leaves()[state.index()]), state));
        leaves.min().map(|(_, state)| state)
    }

    /// Where a node lies, in a tree in half cells; `None` where the graph has no coordinates.
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

/// Leaves that an octree may have without any blocked voxel ...
const LONELY_LEAVES: usize = 1 << 20;
/// ... and so many more for each of them.
const LEAVES_OF_A_VOXEL: usize = 64;

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

fn fingerprint(
    is_node: &[bool],
    arcs: &Csr<Arc32>,
    positions: &[NodePosition],
    (scale, tree): (u32, Option<&Tree>),
) -> u64 {
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
    // Graphs whose costs are whole numbers had their fingerprints before there were others.
    if scale != 1 {
        hasher.update(b"scale");
        hasher.update(&scale.to_le_bytes());
    }
    if let Some(Tree { extent, leaves }) = tree {
        hasher.update(b"leaves");
        let mut numbers =
            |values: &[u32]| values.iter().for_each(|value| hasher.update(&value.to_le_bytes()));
        numbers(&[extent.width, extent.height, extent.depth]);
        leaves.iter().for_each(|leaf| numbers(&[leaf.x, leaf.y, leaf.z, leaf.size]));
    }
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
