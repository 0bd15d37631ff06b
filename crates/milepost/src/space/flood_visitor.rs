//! The door through which builders see a space: its moves without a goal, and estimates between any two states, as types
//! that a flood is compiled for.
//!
//! A builder hands over a [`FloodVisitor`] or an [`EstimatesVisitor`]; the space calls it once.

use super::{Cell, Graph, GraphTargets, Grid, GridMetric, Metric, SlotExpander, Space, Target};
use crate::core::{Goal, StateId};
use crate::space::SpaceKind;

/// Work that is done with the moves of a space, whatever kind of space it is.
pub(crate) trait FloodVisitor {
    /// What comes of it.
    type Answer;

    /// Does it.
    fn visit<E: SlotExpander>(self, moves: &E) -> Self::Answer;
}

/// Which successors of a state a flood is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloodMoves {
    /// All of them, weights and links included.
    All,
    /// Where costs are uniform, those that are not reached as well by another order of steps: enough for optimal costs.
    Canonical,
}

impl Space {
    /// Does something with the moves of this space.
    pub(crate) fn visit_flood<V: FloodVisitor>(&self, moves: FloodMoves, visitor: V) -> V::Answer {
        match self {
            Space::Grid(grid) => grid.visit_flood(moves, visitor),
            Space::Graph(graph) => visitor.visit(&graph.moves()),
            Space::Mesh(mesh) => visitor.visit(&mesh.centres().moves()),
        }
    }

    /// Does something with the tightest estimates between any two of these states, which are numbered in their order.
    pub(crate) fn visit_estimates<V: EstimatesVisitor>(&self, states: &[StateId], visitor: V) -> V::Answer {
        match self {
            Space::Grid(grid) => match grid.metric() {
                GridMetric::Octile(metric) => visitor.visit(GridEstimates::new(grid, states, metric)),
                metric => visitor.visit(GridEstimates::new(grid, states, metric)),
            },
            Space::Graph(graph) => visitor.visit(GraphEstimates { graph, states }),
            Space::Mesh(mesh) => visitor.visit(GraphEstimates { graph: mesh.centres(), states }),
        }
    }
}

impl Grid {
    fn visit_flood<V: FloodVisitor>(&self, moves: FloodMoves, visitor: V) -> V::Answer {
        let is_canonical = moves == FloodMoves::Canonical && self.is_plain() && self.rule().is_octile();
        if is_canonical { visitor.visit(&self.canonical_moves()) } else { visitor.visit(&self.full_moves()) }
    }
}

/// Work that is done with estimates between the states of a space.
pub(crate) trait EstimatesVisitor {
    /// What comes of it.
    type Answer;

    /// Does it.
    fn visit<E: Estimates>(self, estimates: E) -> Self::Answer;
}

/// The estimated cost from one numbered state to another: the very one that agents use.
pub(crate) trait Estimates: Sync {
    fn between(&self, from: u32, to: u32) -> u64;
}

/// Between the cells of a grid.
struct GridEstimates<M> {
    metric: M,
    cells: Vec<Cell>,
    /// No estimate for a state is higher than its cap; empty where there are no links.
    caps: Vec<u64>,
}

impl<M: Metric + Sync> GridEstimates<M> {
    fn new(grid: &Grid, states: &[StateId], metric: M) -> GridEstimates<M> {
        let cap = |&state: &StateId| Target::bounded(grid, state, metric, grid.scale().one()).cap();
        GridEstimates {
            metric,
            cells: states.iter().map(|&state| grid.column_and_row(state)).collect(),
            caps: if grid.links().is_empty() { Vec::new() } else { states.iter().map(cap).collect() },
        }
    }
}

impl<M: Metric + Sync> Estimates for GridEstimates<M> {
    #[inline(always)]
    fn between(&self, from: u32, to: u32) -> u64 {
        let distance = self.metric.distance(self.cells[from as usize], self.cells[to as usize]);
        self.caps.get(to as usize).map_or(distance, |&cap| distance.min(cap))
    }
}

/// Between the nodes of a graph.
struct GraphEstimates<'a> {
    graph: &'a Graph,
    states: &'a [StateId],
}

impl Estimates for GraphEstimates<'_> {
    fn between(&self, from: u32, to: u32) -> u64 {
        let target = std::slice::from_ref(&self.states[to as usize]);
        GraphTargets::new(self.graph, target, true).estimate(self.states[from as usize]).units()
    }
}
