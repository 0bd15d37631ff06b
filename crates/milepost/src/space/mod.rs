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
mod ground;
mod heuristic;
mod jumps;
mod kind;
mod links;
mod locality;
mod moves;
mod outlook;
mod outward;
mod overlay;
mod rule;
mod runs;
mod sight;
mod stale;
mod stops;
mod straight;
mod tight;
mod visitor;
mod ways;

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
pub use edits::{Edit, EditError};
pub use factors::ZeroFactor;
#[cfg(feature = "build")]
pub(crate) use flood_visitor::{Estimates, EstimatesVisitor, FloodMoves, FloodVisitor};
pub use geometry::GridGeometry;
pub use goal::{Target, Targets, Weight, Weighted};
pub use graph::{Edge, Graph, GraphError, GraphMoves, Position};
pub use graph_visit::GraphTargets;
pub use grid::{Grid, GridError, RowWriter};
pub use ground::{Ground, GroundTarget};
pub use heuristic::{Cell, GridMetric, Heuristic, Metric, OctileMetric, Power, ZeroMetric};
pub use jumps::JumpMoves;
pub use kind::SpaceKind;
pub use links::Link;
pub use moves::{FullMoves, GridMoves};
pub(crate) use outlook::{Outlook, SeenLine};
pub use overlay::Overlay;
pub use rule::Rule;
pub(crate) use sight::Sight;
pub use straight::StraightPath;
pub(crate) use tight::TightMoves;
pub(crate) use visitor::{SearchSpec, SpaceVisitor, Successors};
pub(crate) use ways::FIRST_LINK;
pub use ways::{Way, WayExpander};

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
