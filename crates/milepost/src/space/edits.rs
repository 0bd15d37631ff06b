//! Edits: a new version of a space that shares what has not changed.
//!
//! Ids stay what they were. Components stay right: a closed cell whose free neighbours are still joined in its own
//! 3 x 3 square cannot have split anything, and an opened cell joins those components that it touches; only otherwise
//! are the components found anew.
//!
//! On grids an edit takes time for what it changes, but for copies of what is kept as bits, bytes and runs of free cells, for
//! hashing them, and for those components. On graphs it takes time for the whole graph.

use super::graph::GraphParts;
use super::{Edge, Graph, Grid, Link, NodePosition, Space, SpaceKind};
use crate::core::debug_as_sentence;
use crate::core::{Point, Position, StateId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One change of a space.
///
/// ```
/// use milepost::space::EditReason;
/// use milepost::{Atlas, Edit, Grid, Outcome, Point, Rule, Scratch};
///
/// let open = Atlas::new(Grid::from_ascii("...\n@.@\n...", Rule::Octile)?);
/// let door = Point::new(1, 1);
/// let shut = open.edited(&[Edit::close(door)])?; // a new version; the old one stays as it is
/// let (above, below) = (Point::new(0, 0), Point::new(2, 2));
/// let mut scratch = Scratch::new();
/// assert_eq!(shut.path(above, below, &mut scratch), Outcome::Unreachable);
/// assert!(matches!(open.path(above, below, &mut scratch), Outcome::Found { .. }));
///
/// let error = open.edited(&[Edit::open(door), Edit::close(Point::new(9, 9))]).unwrap_err();
/// assert!(matches!(error.reason, EditReason::Outside { width: 3, height: 3, .. }) && error.place == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Edit {
    /// Frees or blocks all cells of a rectangle, both corners included. On a mesh a rectangle of one cell means the place with
    /// these coordinates, as [`Edit::Place`] without a height does.
    Cells { from: Point, to: Point, free: bool },
    /// Changes what crossing a cell costs.
    Weight { at: Point, weight: u8 },
    /// Adds a one-way link between two cells, or changes its cost, in straight steps.
    Link { from: Point, to: Point, cost: u32 },
    /// Removes a link.
    Unlink { from: Point, to: Point },
    /// Adds an edge to a graph, in place of all that lead from the one node to the other. It costs this many times 1.0: in a
    /// tree, cells.
    Edge { from: StateId, to: StateId, cost: u32 },
    /// Removes all edges from one node to another.
    Unedge { from: StateId, to: StateId },
    /// Adds a node to a graph, or moves it. In a tree it brings back a leaf that was removed, without edges, and leaves it where it
    /// was.
    Node { node: StateId, at: NodePosition },
    /// Removes a node and all its edges.
    Unnode { node: StateId },
    /// Frees or blocks a polygon of a mesh.
    Polygon { polygon: StateId, free: bool },
    /// Frees or blocks the polygon of a mesh that holds a place, on the floor nearest to its height, or on the lowest if z is no
    /// number; of several the one with the least number.
    Place { at: Position, free: bool },
    /// Changes what a unit of length costs in a polygon of a mesh, in hundredths.
    Area { polygon: StateId, cost: u32 },
}

impl Edit {
    /// Blocks one cell.
    pub const fn close(at: Point) -> Edit {
        Edit::Cells { from: at, to: at, free: false }
    }

    /// Frees one cell.
    pub const fn open(at: Point) -> Edit {
        Edit::Cells { from: at, to: at, free: true }
    }
}

/// Which of several edits cannot be made, and why.
///
/// ```
/// use milepost::space::EditError;
/// use milepost::{Edit, Grid, Point, Rule};
///
/// let grid = Grid::from_ascii("...", Rule::Octile)?;
/// let error: EditError = grid.edited(&[Edit::close(Point::new(0, 7))]).unwrap_err();
/// assert_eq!(error.to_string(), "edit 1: 0,7 lies outside the map of 3 x 1 cells");
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Error)]
#[error("edit {}: {reason}", place + 1)]
pub struct EditError {
    /// Its place in the list, counted from 0.
    pub place: usize,
    /// What is wrong with it, after those before it.
    pub reason: EditReason,
}

debug_as_sentence!(EditError);

/// Why an edit cannot be made.
///
/// Shown by [`Edit`].
#[derive(Clone, Copy, PartialEq, Error)]
#[allow(missing_docs)]
pub enum EditReason {
    #[error("{at} lies outside the map of {width} x {height} cells")]
    Outside { at: Point, width: u32, height: u32 },
    #[error("a weight of 0; weights are 1 to 255")]
    ZeroWeight,
    #[error("a link costs 1 to {most} straight steps, not {cost}", most = Link::MOST)]
    LinkCost { cost: u32 },
    #[error("there is no link from {from} to {to}")]
    NoLink { from: Point, to: Point },
    #[error("an edge costs 1 to 4294967295")]
    FreeEdge,
    #[error("there is no edge from {from} to {to}")]
    NoEdge { from: StateId, to: StateId },
    #[error("there is no node {node}")]
    NoNode { node: StateId },
    #[error(
        "node {node} would be far beyond the last one, {last}; new nodes are numbered without large gaps"
    )]
    Gap { node: StateId, last: StateId },
    #[error("the graph would have more nodes or edges than 32 bits can number")]
    TooLarge,
    #[error("an edge of this tree costs 1 to {most} cells")]
    DearEdge { most: u32 },
    #[error("node {node} is no leaf of this tree; a tree gets no new ones")]
    NoLeaf { node: StateId },
    #[error(
        "cells are opened and closed on grids, this is a tree; its leaves are edited as a graph: `unnode #ID` closes one, \
         `node #ID X,Y` and `edge #A #B COST` open it again, `unedge #A #B` parts two"
    )]
    NotOnTrees,
    #[error("there is no polygon {polygon}; there are polygons below #{polygons}")]
    NoPolygon { polygon: StateId, polygons: u32 },
    #[error("no polygon holds {x},{y}")]
    NoPolygonAt { x: f64, y: f64 },
    #[error("ground costs 0.01 to 1000, not {}", f64::from(*hundredths) / 100.0)]
    AreaCost { hundredths: u32 },
    #[error("the way from polygon {from} to polygon {to} would cost more than {most} units", most = u32::MAX)]
    TooDear { from: StateId, to: StateId },
    #[error(
        "on graphs edges and nodes are edited; cells, weights and links are those of grids, polygons and places with \
         fractions those of meshes"
    )]
    NotOnGraphs,
    #[error(
        "on grids cells, weights and links are edited; edges and nodes are those of graphs, polygons and places with \
         fractions or heights those of meshes"
    )]
    NotOnGrids,
    #[error(
        "on meshes polygons are closed, opened and given costs, by number or, for the first two, by a place in them; \
         rectangles, weights and links are those of grids, edges and nodes those of graphs"
    )]
    NotOnMeshes,
}

debug_as_sentence!(EditReason);

impl Space {
    /// The next version of this space: all edits in their order, or none of them.
    pub fn edited(&self, edits: &[Edit]) -> Result<Space, EditError> {
        match self {
            Space::Grid(grid) => grid.edited(edits).map(Space::Grid),
            Space::Graph(graph) => graph.edited(edits).map(Space::Graph),
            Space::Mesh(mesh) => mesh.edited(edits).map(Space::Mesh),
        }
    }
}

impl Space {
    /// Whether these edits make no way of this space cheaper, as far as each of them tells: cells are closed, weights raised,
    /// links, edges and nodes removed or made dearer. A node that is added has no edges, and where it lies costs nothing.
    pub(crate) fn only_dearer(&self, edits: &[Edit]) -> bool {
        edits.iter().all(|edit| match (self, *edit) {
            (Space::Grid(grid), Edit::Cells { from, to, free: true }) => grid.is_free_between(from, to),
            (Space::Grid(grid), Edit::Weight { at, weight }) => {
                grid.state_at(at).is_none_or(|state| weight >= grid.weight(state))
            }
            (Space::Grid(grid), Edit::Link { from, to, cost }) => {
                let ends = grid.state_at(from).zip(grid.state_at(to));
                grid.links().iter().any(|link| Some((link.from, link.to)) == ends && link.cost <= cost)
            }
            (Space::Graph(graph), Edit::Edge { from, to, cost }) => {
                let units = u64::from(cost) * u64::from(graph.units_of_one());
                let mut edges = graph.edges_from(from);
                graph.is_free(from) && edges.any(|edge| edge.to == to && u64::from(edge.cost) <= units)
            }
            (Space::Mesh(mesh), Edit::Cells { .. } | Edit::Place { .. } | Edit::Polygon { .. }) => {
                match mesh.edit_by_number(*edit) {
                    Ok(Edit::Polygon { polygon, free: true }) => mesh.is_free(polygon),
                    _ => true,
                }
            }
            (Space::Mesh(mesh), Edit::Area { polygon, cost }) => {
                polygon.number() < mesh.polygon_count() && mesh.polygon_cost(polygon) <= cost
            }
            _ => true,
        })
    }
}

impl Grid {
    /// Whether all cells of a rectangle are free.
    fn is_free_between(&self, from: Point, to: Point) -> bool {
        let between = |one: i64, other: i64| one.min(other)..=one.max(other);
        let mut rows = between(from.y, to.y);
        rows.all(|y| between(from.x, to.x).all(|x| self.is_free_at(Point::new(x, y))))
    }

    /// The next version of this grid: all edits in their order, or none of them.
    pub fn edited(&self, edits: &[Edit]) -> Result<Grid, EditError> {
        let mut grid = self.clone();
        let (mut changed, mut weights) = (Vec::new(), Vec::new());
        for (place, edit) in edits.iter().enumerate() {
            let made = grid.apply(*edit, &mut changed, &mut weights);
            made.map_err(|reason| EditError { place, reason })?;
        }
        grid.finish_edits(&changed, &weights);
        Ok(grid)
    }

    /// Makes one edit; weights are only noted, and cells that are opened or closed are noted, too.
    fn apply(
        &mut self,
        edit: Edit,
        changed: &mut Vec<StateId>,
        weights: &mut Vec<(StateId, u8)>,
    ) -> Result<(), EditReason> {
        let geometry = *self.geometry();
        let inside = |at: Point| {
            let outside = EditReason::Outside { at, width: geometry.width(), height: geometry.height() };
            geometry.state_at(at).ok_or(outside)
        };
        match edit {
            Edit::Cells { from, to, free } => {
                inside(from)?;
                inside(to)?;
                self.set_cells(from, to, free, changed);
            }
            Edit::Weight { weight: 0, .. } => return Err(EditReason::ZeroWeight),
            Edit::Weight { at, weight } => weights.push((inside(at)?, weight)),
            Edit::Link { cost, .. } if cost == 0 || cost > Link::MOST => {
                return Err(EditReason::LinkCost { cost });
            }
            Edit::Link { from, to, cost } => {
                self.links_mut().add(Link { from: inside(from)?, to: inside(to)?, cost });
            }
            Edit::Unlink { from, to } => {
                if !self.links_mut().remove(inside(from)?, inside(to)?) {
                    return Err(EditReason::NoLink { from, to });
                }
            }
            _ => return Err(EditReason::NotOnGrids),
        }
        Ok(())
    }
}

/// A new node may leave at most this many numbers unused.
const LARGEST_GAP: u32 = 1 << 20;

impl Graph {
    /// The next version of this graph: all edits in their order, or none of them. Takes time in proportion to the
    /// whole graph.
    pub fn edited(&self, edits: &[Edit]) -> Result<Graph, EditError> {
        let mut parts =
            EditedGraph { has_positions: self.has_positions() || self.states() == 0, parts: self.to_parts() };
        for (place, edit) in edits.iter().enumerate() {
            parts.apply(*edit).map_err(|reason| EditError { place, reason })?;
        }
        // Every edge joins nodes and costs something, and positions are all or none: only size is left to fail.
        let too_large = EditError { place: edits.len().saturating_sub(1), reason: EditReason::TooLarge };
        Graph::from_all(parts.parts).map_err(|_| too_large)
    }
}

/// A graph while it is edited.
struct EditedGraph {
    /// Whether new nodes have positions.
    has_positions: bool,
    parts: GraphParts,
}

impl EditedGraph {
    /// Makes one edit.
    fn apply(&mut self, edit: Edit) -> Result<(), EditReason> {
        let EditedGraph { has_positions, parts: GraphParts { is_node, edges, positions, scale, leaves } } =
            self;
        let known = |node: StateId| is_node.get(node.index()) == Some(&true);
        match edit {
            Edit::Edge { cost: 0, .. } => return Err(EditReason::FreeEdge),
            Edit::Edge { from, to, cost } => {
                if let Some(&node) = [from, to].iter().find(|&&node| !known(node)) {
                    return Err(EditReason::NoNode { node });
                }
                let dear = EditReason::DearEdge { most: u32::MAX / *scale };
                let cost = cost.checked_mul(*scale).ok_or(dear)?;
                edges.retain(|edge| (edge.from, edge.to) != (from, to));
                edges.push(Edge { from, to, cost });
            }
            Edit::Unedge { from, to } => {
                let before = edges.len();
                edges.retain(|edge| (edge.from, edge.to) != (from, to));
                if edges.len() == before {
                    return Err(EditReason::NoEdge { from, to });
                }
            }
            Edit::Node { node, .. } if leaves.is_some() => {
                *is_node.get_mut(node.index()).ok_or(EditReason::NoLeaf { node })? = true;
            }
            Edit::Node { node, at } => {
                let last = StateId::new(is_node.len().saturating_sub(1) as u32);
                if node.number().saturating_sub(last.number()) > LARGEST_GAP || node == StateId::NONE {
                    return Err(EditReason::Gap { node, last });
                }
                let bound = is_node.len().max(node.index() + 1);
                is_node.resize(bound, false);
                is_node[node.index()] = true;
                if *has_positions {
                    positions.resize(bound, NodePosition::default());
                    positions[node.index()] = at;
                }
            }
            Edit::Unnode { node } => {
                if !known(node) {
                    return Err(EditReason::NoNode { node });
                }
                is_node[node.index()] = false;
                edges.retain(|edge| edge.from != node && edge.to != node);
            }
            _ if leaves.is_some() => return Err(EditReason::NotOnTrees),
            _ => return Err(EditReason::NotOnGraphs),
        }
        Ok(())
    }
}
