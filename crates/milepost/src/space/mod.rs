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
mod edits;
mod factors;
mod frame;
mod goal;
mod graph;
mod graph_goal;
mod grid;
mod ground;
mod heuristic;
mod jumps;
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
mod walking;
mod ways;

pub(crate) use any::{AnyMoves, AnyTarget, BoundedMoves};
pub use belief::{Belief, News};
pub(crate) use belief::{Seen, blocked_or_outside};
pub use belief_moves::BeliefMoves;
pub(crate) use belief_moves::{BIT, CellMoves, named_by_parent};
pub use canonical::CanonicalMoves;
pub(crate) use climbing::{AnyMetric, Climber};
pub use components::Components;
pub use condensation::Reach;
pub use edits::{Edit, EditError};
pub use factors::ZeroFactor;
pub use goal::{Target, Targets, Weight, Weighted};
pub use graph::{Edge, Graph, GraphError, GraphMoves, Position};
pub use graph_goal::GraphTargets;
pub use grid::{Grid, GridError, RowWriter};
pub use ground::{Ground, GroundTarget, Outline};
pub use heuristic::{Cell, Heuristic, Metric, OctileMetric, OtherMetric, Power, ZeroMetric};
pub use jumps::JumpMoves;
pub use links::Link;
pub use moves::{FullMoves, GridMoves};
pub(crate) use outlook::{Outlook, SeenLine};
pub use overlay::Overlay;
pub use rule::{Direction, Rule};
pub(crate) use sight::{Place, Sight};
pub use straight::StraightPath;
pub(crate) use tight::TightMoves;
pub(crate) use walking::{OnGround, Scope};
pub(crate) use ways::FIRST_LINK;
pub use ways::{Way, WayExpander};

use crate::core::{Cost, CostScale, Path, Point, StateId, Version};

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

    /// Whether an agent can be at this state. False for any number that is no state.
    pub fn is_free(&self, state: StateId) -> bool {
        match self {
            Space::Grid(grid) => grid.is_free(state),
            Space::Graph(graph) => graph.is_node(state),
        }
    }

    /// The strong component of a free state. Two states can reach each other if and only if theirs are equal.
    pub fn component(&self, state: StateId) -> Option<u32> {
        match self {
            Space::Grid(grid) => grid.component(state),
            Space::Graph(graph) => graph.component(state),
        }
    }

    /// How many strong components there are.
    pub fn component_count(&self) -> u32 {
        match self {
            Space::Grid(grid) => grid.component_count(),
            Space::Graph(graph) => graph.component_count(),
        }
    }

    /// Whether one state can be reached from another, as far as that is known without a search.
    pub fn reach(&self, from: StateId, to: StateId) -> Reach {
        match self {
            Space::Grid(grid) => grid.reach(from, to),
            Space::Graph(graph) => graph.reach(from, to),
        }
    }

    /// Free states.
    pub fn states(&self) -> u32 {
        match self {
            Space::Grid(grid) => grid.states(),
            Space::Graph(graph) => graph.states(),
        }
    }

    /// All free states, in the order of their ids.
    pub fn free_states(&self) -> impl Iterator<Item = StateId> {
        match self {
            Space::Grid(grid) => Either::Left(grid.free_states()),
            Space::Graph(graph) => Either::Right(graph.nodes()),
        }
    }

    /// All ids are below this.
    pub fn id_bound(&self) -> usize {
        match self {
            Space::Grid(grid) => grid.id_bound(),
            Space::Graph(graph) => graph.id_bound(),
        }
    }

    /// Where a state lies.
    pub fn point(&self, state: StateId) -> Point {
        match self {
            Space::Grid(grid) => grid.point(state),
            Space::Graph(graph) => graph.point(state),
        }
    }

    /// What costs are measured in.
    pub fn scale(&self) -> CostScale {
        match self {
            Space::Grid(grid) => grid.scale(),
            Space::Graph(graph) => graph.scale(),
        }
    }

    /// The tightest admissible estimate.
    pub fn tightest_heuristic(&self) -> Heuristic {
        match self {
            Space::Grid(grid) => Heuristic::tightest(grid.rule()),
            Space::Graph(graph) if graph.has_positions() => Heuristic::Euclidean,
            Space::Graph(_) => Heuristic::Zero,
        }
    }

    /// Whether an estimate means something here. On graphs distances are straight lines or nothing; steps between
    /// hexagons need hexagons.
    pub fn knows(&self, heuristic: Heuristic) -> bool {
        match self {
            Space::Grid(grid) => heuristic != Heuristic::Hex || grid.rule() == Rule::Hex,
            Space::Graph(_) => matches!(heuristic, Heuristic::Zero | Heuristic::Euclidean),
        }
    }

    /// Whether an estimate never exceeds the true cost here.
    pub fn is_admissible(&self, heuristic: Heuristic) -> bool {
        match self {
            Space::Grid(grid) => heuristic.is_admissible(grid.rule()),
            // Straight lines count the least cost of an edge for each unit of distance.
            Space::Graph(_) => self.knows(heuristic),
        }
    }

    /// Fingerprint of the content.
    pub fn hash(&self) -> u64 {
        match self {
            Space::Grid(grid) => grid.hash(),
            Space::Graph(graph) => graph.hash(),
        }
    }

    /// Fingerprint at load, and edits since.
    pub fn version(&self) -> Version {
        match self {
            Space::Grid(grid) => grid.version(),
            Space::Graph(graph) => graph.version(),
        }
    }

    /// Memory held, shared between clones.
    pub fn bytes(&self) -> usize {
        match self {
            Space::Grid(grid) => grid.bytes(),
            Space::Graph(graph) => graph.bytes(),
        }
    }

    /// Every state of a path from start to end, turning points and what lies between them.
    pub fn cells<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = StateId> + 'a {
        match self {
            Space::Grid(grid) => Either::Left(grid.cells(path)),
            Space::Graph(_) => Either::Right(path.waypoints().iter().copied()),
        }
    }

    /// Writes every state of a path into a list, in place of what it holds.
    pub fn write_cells(&self, path: &Path, cells: &mut Vec<StateId>) {
        match self {
            Space::Grid(grid) => grid.write_cells(path, cells),
            Space::Graph(_) => {
                cells.clear();
                cells.extend_from_slice(path.waypoints());
            }
        }
    }

    /// Whether a path that goes from `before` to `at` to `after` must name `at`.
    pub(crate) fn turns(&self, before: StateId, at: StateId, after: StateId) -> bool {
        match self {
            Space::Grid(grid) => grid.turns(before, at, after),
            Space::Graph(_) => true,
        }
    }

    /// Whether only a link leads from one state to the other.
    pub(crate) fn is_hop(&self, from: StateId, to: StateId) -> bool {
        match self {
            Space::Grid(grid) => grid.is_hop(from, to),
            Space::Graph(_) => false,
        }
    }

    /// What one step costs, without any search; `None` where it is not allowed.
    pub fn step_cost(&self, from: StateId, to: StateId, overlay: Option<&Overlay>) -> Option<Cost> {
        match self {
            Space::Grid(grid) => grid.step_cost(from, to, overlay),
            Space::Graph(graph) => graph.step_cost(from, to),
        }
    }

    /// Writes all states that `accept` and share the least distance from the place of `goal`, in increasing order.
    /// Returns that distance.
    pub(crate) fn nearest_where(
        &self,
        goal: StateId,
        accept: impl Fn(StateId) -> bool,
        nearest: &mut Vec<StateId>,
    ) -> Option<i128> {
        let point = self.point(goal);
        match self {
            Space::Grid(grid) => grid.nearest_where(point, accept, nearest),
            Space::Graph(graph) => graph.nearest_where(point, accept, nearest),
        }
    }

    /// Marks everything that can be reached from a state; [`Space::mark`] says which mark is a state's.
    pub(crate) fn mark_reachable(&self, start: StateId, marks: &mut Vec<bool>, stack: &mut Vec<u32>) {
        marks.clear();
        stack.clear();
        let bound = match self {
            Space::Grid(grid) => grid.components().count() as usize,
            Space::Graph(graph) => graph.id_bound(),
        };
        marks.resize(bound, false);
        stack.extend(self.mark(start).map(|mark| mark as u32));
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut marks[at as usize], true) {
                continue;
            }
            match self {
                Space::Grid(grid) => {
                    let leaves = |link: &&Link| self.mark(link.from) == Some(at as usize);
                    let ends = grid.links().iter().filter(leaves).filter_map(|link| self.mark(link.to));
                    stack.extend(ends.map(|mark| mark as u32));
                }
                Space::Graph(graph) => {
                    stack.extend(graph.edges_from(StateId::new(at)).map(|edge| edge.to.number()));
                }
            }
        }
    }

    /// The index of the mark that tells about a state.
    pub(crate) fn mark(&self, state: StateId) -> Option<usize> {
        match self {
            Space::Grid(grid) => grid.components().of(grid, state).map(|component| component as usize),
            Space::Graph(graph) => graph.is_node(state).then_some(state.index()),
        }
    }
}

/// One of two iterators.
enum Either<A, B> {
    Left(A),
    Right(B),
}

impl<A: Iterator<Item = StateId>, B: Iterator<Item = StateId>> Iterator for Either<A, B> {
    type Item = StateId;

    #[inline]
    fn next(&mut self) -> Option<StateId> {
        match self {
            Either::Left(left) => left.next(),
            Either::Right(right) => right.next(),
        }
    }
}
