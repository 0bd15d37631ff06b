//! What can be searched: grids, graphs and meshes, their components, heuristics and goals.
//!
//! This room knows how one can move and what it costs. It must not know which planner searches, which index exists, or
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
mod landmarks;
mod local;
pub(crate) mod mesh;
mod no_path;
mod overlay;
mod place;
mod random_pairs;
mod stale;
mod visitor;

pub use any::Problem;
pub(crate) use any::{AnyMoves, AnyTarget};
pub(crate) use belief::Belief;
pub use belief::BeliefChange;
pub(crate) use belief::moves::{BeliefMoves, CellMoves, named_by_parent};
pub use belief::prior_map::PriorMap;
pub(crate) use belief::prior_map::PriorTarget;
pub(crate) use belief::{Seen, blocked_or_outside};
pub(crate) use climbing::Climber;
pub use condensation::Reach;
pub(crate) use edge_slot::{EdgeSlot, FIRST_LINK, SlotExpander};
pub use edits::{Edit, EditError, EditReason};
#[cfg(feature = "build")]
pub(crate) use flood_visitor::{Estimates, EstimatesVisitor, FloodMoves, FloodVisitor};
pub use goal::Weight;
pub(crate) use goal::{Target, Weighted};
pub(crate) use graph::GraphMoves;
pub(crate) use graph::GraphParts;
pub(crate) use graph::visit::GraphTargets;
pub use graph::{Edge, Extent, Graph, GraphError, Leaf, NodePosition};
#[cfg(feature = "build")]
pub(crate) use grid::bits::Bits;
pub(crate) use grid::canonical::CanonicalMoves;
pub(crate) use grid::components::Components;
pub(crate) use grid::corner_planes::{CornerKind, CornerSight};
pub use grid::direction::Direction;
pub(crate) use grid::direction::DirectionSet;
pub use grid::factors::ZeroFactor;
pub use grid::geometry::GridGeometry;
pub use grid::hexagons::HexLayout;
pub(crate) use grid::jump_expander::JumpExpander;
pub(crate) use grid::jumps::JumpMoves;
pub(crate) use grid::line_of_sight::{CornerScan, LineOfSight};
pub use grid::links::Link;
pub(crate) use grid::moves::{FullMoves, GridMoves};
pub use grid::rule::Rule;
pub(crate) use grid::sight::Sight;
pub use grid::straight::StraightPath;
pub(crate) use grid::tight::TightMoves;
pub(crate) use grid::viewshed::{SeenLine, Viewshed};
pub(crate) use grid::window::{SquareFacts, Window, WindowCell};
pub use grid::{Grid, GridError};
pub(crate) use heuristic::{Cell, GridMetric, Metric, OctileMetric, ZeroMetric};
pub use heuristic::{Heuristic, Power};
pub use kind::SpaceKind;
pub(crate) use kind::UniformSteps;
pub use landmarks::LandmarkForm;
pub(crate) use landmarks::{
    Distances, Informed, Landmarks, LongSteps, NO_LANDMARK, RowNumbers, ShortSteps, StoredDistance,
    StraightSteps,
};
pub(crate) use local::{Local, LocalNode};
#[cfg(feature = "build")]
pub(crate) use mesh::PortalEdges;
pub use mesh::{
    MeshArea, MeshError, MeshLink, MeshLinkEnd, MeshParts, MeshPoint, NavMesh, PointSampler, RayCast,
};
pub(crate) use mesh::{MeshEnds, Pulling, Squares};
pub use no_path::{NoPath, NoPathReason};
pub use overlay::Overlay;
pub use place::Place;
pub use random_pairs::RandomPairs;
pub use visitor::Nodes;
pub(crate) use visitor::{SearchSpec, SpaceVisitor, Successors};

/// Anything that can be searched.
///
/// ```
/// use milepost::{Grid, Rule, Space};
///
/// let space = Space::from(Grid::from_ascii("..@\n...", Rule::Octile)?);
/// assert_eq!((space.states(), space.component_count()), (5, 1));
/// for state in space.free_states() {
///     println!("state {state} at {}", space.point(state));
/// }
/// assert!(space.as_grid().is_some() && space.as_graph().is_none() && space.as_mesh().is_none());
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Space {
    /// A grid of cells.
    Grid(Grid),
    /// A graph of waypoints.
    Graph(Graph),
    /// A navigation mesh.
    Mesh(NavMesh),
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

impl From<&Grid> for Space {
    /// Shares all of it.
    fn from(grid: &Grid) -> Space {
        Space::Grid(grid.clone())
    }
}

impl From<&Graph> for Space {
    /// Shares all of it.
    fn from(graph: &Graph) -> Space {
        Space::Graph(graph.clone())
    }
}

impl From<NavMesh> for Space {
    fn from(mesh: NavMesh) -> Space {
        Space::Mesh(mesh)
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

    /// The mesh, if it is one.
    pub fn as_mesh(&self) -> Option<&NavMesh> {
        match self {
            Space::Mesh(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// The graph that agents and builders know: the graph itself, or that of the polygons of a mesh.
    pub(crate) fn walked_graph(&self) -> Option<&Graph> {
        match self {
            Space::Grid(_) => None,
            Space::Graph(graph) => Some(graph),
            Space::Mesh(mesh) => Some(mesh.centres()),
        }
    }

    /// How many states each strong component has, by its number; graphs may leave numbers out.
    pub fn component_sizes(&self) -> Vec<u32> {
        if let Some(grid) = self.as_grid().filter(|grid| grid.links().is_empty()) {
            return grid.component_sizes().to_vec();
        }
        let mut sizes = Vec::new();
        for component in self.free_states().filter_map(|state| self.component(state)) {
            let component = component as usize;
            if component >= sizes.len() {
                sizes.resize(component + 1, 0);
            }
            sizes[component] += 1;
        }
        sizes
    }
}
