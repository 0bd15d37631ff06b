//! Goals of searches on graphs, and how far they seem.

use super::Graph;
use crate::core::{Cost, Goal, StateId};

/// The nearest of one or more nodes of a graph, by straight lines at the least cost for each unit of distance.
#[derive(Clone, Copy, Debug)]
pub struct GraphTargets<'a> {
    graph: &'a Graph,
    /// In increasing order.
    states: &'a [StateId],
    /// Zero where nothing is known.
    slope: f64,
}

/// Beyond this many targets the estimate is zero: asking each would cost more than it saves.
const ASK_EACH: usize = 8;

impl<'a> GraphTargets<'a> {
    /// The goal to be at one of `states`, which must be in increasing order. Without `use_positions` nothing is
    /// estimated.
    pub fn new(graph: &'a Graph, states: &'a [StateId], use_positions: bool) -> GraphTargets<'a> {
        let estimates = use_positions && graph.has_positions() && states.len() <= ASK_EACH;
        GraphTargets { graph, states, slope: if estimates { graph.slope() } else { 0.0 } }
    }
}

impl Goal for GraphTargets<'_> {
    #[inline]
    fn is_reached(&self, state: StateId) -> bool {
        match self.states {
            &[target] => state == target,
            states => states.binary_search(&state).is_ok(),
        }
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        if self.slope == 0.0 {
            return Cost::ZERO;
        }
        let here = self.graph.positions()[state.index()];
        let to = |target: &StateId| here.distance(self.graph.positions()[target.index()]);
        let distance = self.states.iter().map(to).fold(f64::INFINITY, f64::min);
        Cost::new((distance * self.slope) as u64)
    }
}

/// One node of a graph, by a straight line at the least cost for each unit of distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphTarget<'a> {
    graph: &'a Graph,
    state: StateId,
    /// Zero where nothing is known.
    slope: f64,
}

impl<'a> GraphTarget<'a> {
    /// The goal to be at a node.
    pub(crate) fn new(graph: &'a Graph, state: StateId) -> GraphTarget<'a> {
        GraphTarget { graph, state, slope: if graph.has_positions() { graph.slope() } else { 0.0 } }
    }
}

impl Goal for GraphTarget<'_> {
    #[inline]
    fn is_reached(&self, state: StateId) -> bool {
        state == self.state
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        GraphTargets { graph: self.graph, states: &[self.state], slope: self.slope }.estimate(state)
    }
}
