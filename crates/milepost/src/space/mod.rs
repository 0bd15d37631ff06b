//! What can be searched: grids and graphs, their components, heuristics and goals.
//!
//! This room knows how one can move and what it costs. It must not know who searches, which index exists, or
//! where a map came from.

mod any;
mod belief;
mod climbing;
mod condensation;
mod edge_slot;
mod edits;
#[cfg(feature = "build")]
mod flood_visitor;
mod goal;
mod graph;
mod grid;
mod heuristic;
mod kind;
mod overlay;
mod stale;
mod visitor;

pub(crate) use any::{AnyMoves, AnyTarget, BoundedMoves};
pub use belief::moves::BeliefMoves;
pub(crate) use belief::moves::{CellMoves, named_by_parent};
pub use belief::prior_map::{PriorMap, PriorTarget};
pub use belief::{Belief, BeliefChange};
pub(crate) use belief::{Seen, blocked_or_outside};
pub(crate) use climbing::Climber;
pub use condensation::Reach;
pub(crate) use edge_slot::FIRST_LINK;
pub use edge_slot::{EdgeSlot, SlotExpander};
pub use edits::{Edit, EditError, EditReason};
#[cfg(feature = "build")]
pub(crate) use flood_visitor::{Estimates, EstimatesVisitor, FloodMoves, FloodVisitor};
pub use goal::{Target, Targets, Weight, Weighted};
pub use graph::visit::GraphTargets;
pub use graph::{Edge, Graph, GraphError, GraphMoves, NodePosition};
pub use grid::canonical::CanonicalMoves;
pub use grid::components::Components;
pub use grid::direction::{Direction, DirectionSet, Directions};
pub use grid::factors::ZeroFactor;
pub use grid::geometry::GridGeometry;
pub use grid::jumps::JumpMoves;
pub(crate) use grid::line_of_sight::LineOfSight;
pub use grid::links::Link;
pub use grid::moves::{FullMoves, GridMoves};
pub use grid::rule::Rule;
pub use grid::straight::StraightPath;
pub(crate) use grid::tight::TightMoves;
pub(crate) use grid::viewshed::{SeenLine, Viewshed};
pub use grid::{Grid, GridError, RowWriter};
pub use heuristic::{Cell, GridMetric, Heuristic, Metric, OctileMetric, Power, ZeroMetric};
pub use kind::{SpaceKind, UniformSteps};
pub use overlay::Overlay;
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
            _ => None,
        }
    }

    /// The graph, if it is one.
    pub fn as_graph(&self) -> Option<&Graph> {
        match self {
            Space::Graph(graph) => Some(graph),
            _ => None,
        }
    }
}
