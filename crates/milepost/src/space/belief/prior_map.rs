//! What is known of a space before anything of it was seen: how large it is and how one moves there, and of a graph its
//! nodes and edges, of a map with weights the least, of one with links the most that a cell has. Which states are blocked, what they
//! weigh and where links lead is not there, so that no agent that is given this can know.

use crate::core::{Cost, CostScale, Goal, StateId};
use crate::space::{Graph, GraphTargets, Grid, GridGeometry, GridMetric, SpaceKind, Target};

impl GridGeometry {
    /// What is known of a grid from the beginning: its borders, its rule, and the least weight, where cells have weights, and
    /// the most links that a cell has, where there are links.
    pub fn of(grid: &Grid) -> GridGeometry {
        // Asked at every look: what the grid has worked out need not be worked out again.
        if grid.is_plain() {
            return *grid.geometry();
        }
        let geometry = GridGeometry::new(grid.width(), grid.height(), grid.rule());
        let geometry = match grid.least_of_weights() {
            Some(least) => geometry.with_weights_from(least),
            None => geometry,
        };
        match grid.most_links() {
            0 => geometry,
            most => geometry.with_links_up_to(most),
        }
    }
}

/// What is known of a space from the beginning.
///
/// Shown by [`Sensor`](crate::Sensor).
#[derive(Clone, Copy, Debug)]
pub enum PriorMap<'a> {
    /// A grid: its borders, the least weight of its cells, and the most links of a cell. Which cells are blocked, what they
    /// weigh, and where links lead from them, has to be seen.
    Grid(GridGeometry),
    /// A graph: its nodes and edges. Which nodes are blocked has to be seen.
    Graph(&'a Graph),
}

impl<'a> PriorMap<'a> {
    /// Whether this is a state, blocked or not.
    #[inline]
    pub fn contains(&self, state: StateId) -> bool {
        match self {
            PriorMap::Grid(geometry) => geometry.contains(state),
            PriorMap::Graph(graph) => graph.is_free(state),
        }
    }

    /// All ids are below this.
    pub fn id_bound(&self) -> usize {
        match self {
            PriorMap::Grid(geometry) => geometry.id_bound(),
            PriorMap::Graph(graph) => graph.id_bound(),
        }
    }

    /// No state has more neighbours; at least the eight of a cell.
    pub(crate) fn most_neighbours(&self) -> u32 {
        match self {
            PriorMap::Grid(_) => 8,
            PriorMap::Graph(graph) => graph.most_edges().max(8),
        }
    }

    /// Units that no expansion exceeds: 1, or the most successors of a state where that is above 8.
    pub(crate) fn expansion_units(&self) -> u32 {
        let successors = match self {
            PriorMap::Grid(geometry) => geometry.most_links().saturating_add(8),
            PriorMap::Graph(graph) => graph.most_edges(),
        };
        if successors > 8 { successors } else { 1 }
    }

    /// Whether there are links that have to be seen.
    #[inline]
    pub(crate) fn has_links(&self) -> bool {
        matches!(self, PriorMap::Grid(geometry) if geometry.has_links())
    }

    /// The grid, if it is one.
    pub fn as_grid(&self) -> Option<GridGeometry> {
        match self {
            PriorMap::Grid(geometry) => Some(*geometry),
            PriorMap::Graph(_) => None,
        }
    }

    /// The same without a copy.
    #[inline]
    pub(crate) fn geometry(&self) -> Option<&GridGeometry> {
        match self {
            PriorMap::Grid(geometry) => Some(geometry),
            PriorMap::Graph(_) => None,
        }
    }

    /// What costs are measured in.
    pub fn scale(&self) -> CostScale {
        match self {
            PriorMap::Grid(geometry) => geometry.scale(),
            PriorMap::Graph(graph) => graph.scale(),
        }
    }

    /// The goal to be at a state, with the distance over open ground as estimate.
    pub(crate) fn target(&self, goal: &'a StateId) -> PriorTarget<'a> {
        match self {
            PriorMap::Grid(geometry) => {
                PriorTarget::Cell(Target::over_open_ground(geometry, *goal, geometry.metric()))
            }
            PriorMap::Graph(graph) => {
                PriorTarget::Node(GraphTargets::new(graph, std::slice::from_ref(goal), true))
            }
        }
    }

    /// Where a state's bit lies among words of 64: of a grid those are squares of 8 x 8 cells, row by row.
    #[inline]
    pub(crate) fn place(&self, state: StateId) -> (u32, u32) {
        match self {
            PriorMap::Grid(geometry) => geometry.block_and_bit(state),
            PriorMap::Graph(_) => (state.number() >> 6, state.number() & 63),
        }
    }

    /// The state at a [place](PriorMap::place).
    pub(crate) fn state_at_place(&self, place: u32, bit: u32) -> StateId {
        match self {
            PriorMap::Grid(geometry) => geometry.state_in_block(place, bit),
            PriorMap::Graph(_) => StateId::new(place << 6 | bit),
        }
    }

    /// A number for a state such that those near each other have numbers near each other.
    #[inline]
    pub(crate) fn key(&self, state: StateId) -> u64 {
        match self {
            PriorMap::Grid(geometry) => geometry.key(state),
            PriorMap::Graph(_) => state.number().into(),
        }
    }
}

/// The goal to be at one state of a space that the agent has not seen yet.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PriorTarget<'a> {
    /// A cell.
    Cell(Target<GridMetric>),
    /// A node.
    Node(GraphTargets<'a>),
}

impl Goal for PriorTarget<'_> {
    #[inline]
    fn is_reached(&self, state: StateId) -> bool {
        match self {
            PriorTarget::Cell(target) => target.is_reached(state),
            PriorTarget::Node(target) => target.is_reached(state),
        }
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        match self {
            PriorTarget::Cell(target) => target.estimate(state),
            PriorTarget::Node(target) => target.estimate(state),
        }
    }
}
