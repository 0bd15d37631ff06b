//! What can be searched: grids and graphs, their components, heuristics and goals.
//!
//! This room knows how one can move and what it costs. It must not know who searches, which index exists, or
//! where a map came from.

mod any;
mod belief;
mod belief_moves;
mod bits;
mod canonical;
mod climbing;
mod components;
mod condensation;
mod corners;
mod direction;
mod drawing;
mod edge_slot;
mod edits;
mod factors;
#[cfg(feature = "build")]
mod flood_visitor;
mod geometry;
mod goal;
mod graph;
mod graph_visit;
mod grid;
mod grid_visit;
mod heuristic;
mod jumps;
mod kind;
mod line_of_sight;
mod links;
mod locality;
mod moves;
mod nearest_free;
mod overlay;
mod prior_map;
mod rule;
mod runs;
mod stale;
mod stops;
mod straight;
mod tight;
mod viewshed;
mod visitor;

pub(crate) use any::{AnyMoves, AnyTarget, BoundedMoves};
pub use belief::{Belief, News};
pub(crate) use belief::{Seen, blocked_or_outside};
pub use belief_moves::BeliefMoves;
pub(crate) use belief_moves::{CellMoves, named_by_parent};
pub use canonical::CanonicalMoves;
pub(crate) use climbing::Climber;
pub use components::Components;
pub use condensation::Reach;
pub use direction::{Direction, DirectionSet, Directions};
pub(crate) use edge_slot::FIRST_LINK;
pub use edge_slot::{EdgeSlot, WayExpander};
pub use edits::{Edit, EditError, EditReason};
pub use factors::ZeroFactor;
#[cfg(feature = "build")]
pub(crate) use flood_visitor::{Estimates, EstimatesVisitor, FloodMoves, FloodVisitor};
pub use geometry::GridGeometry;
pub use goal::{Target, Targets, Weight, Weighted};
pub use graph::{Edge, Graph, GraphError, GraphMoves, NodePosition};
pub use graph_visit::GraphTargets;
pub use grid::{Grid, GridError, RowWriter};
pub use heuristic::{Cell, GridMetric, Heuristic, Metric, OctileMetric, Power, ZeroMetric};
pub use jumps::JumpMoves;
pub use kind::SpaceKind;
pub(crate) use line_of_sight::Sight;
pub use links::Link;
pub use moves::{FullMoves, GridMoves};
pub use overlay::Overlay;
pub use prior_map::{Ground, GroundTarget};
pub use rule::Rule;
pub use straight::StraightPath;
pub(crate) use tight::TightMoves;
pub(crate) use viewshed::{SeenLine, Viewshed};
pub(crate) use visitor::{SearchSpec, SpaceVisitor, Successors};

/// Anything that can be searched.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Space {
    /// A grid of cells.
    Grid(Grid),
    /// A graph of waypoints.
    Graph(Graph),
}

impl From<Grid> for Space {
    fn from(grid: Grid) -> Space {
        Space::Grid(grid)
    }
}

impl From<Graph> for Space {
    fn from(graph: Graph) -> Space {
        Space::Graph(graph)
    }
}

impl Space {
    /// The grid, if it is one.
    pub fn as_grid(&self) -> Option<&Grid> {
        match self {
            Space::Grid(grid) => Some(grid),
            Space::Graph(_) => None,
        }
    }

    /// The graph, if it is one.
    pub fn as_graph(&self) -> Option<&Graph> {
        match self {
            Space::Grid(_) => None,
            Space::Graph(graph) => Some(graph),
        }
    }
}
