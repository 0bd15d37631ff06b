//! A space as the builders of trees see it: numbered states, edges forwards and backwards, and estimates between any two.

use crate::build::network::Network;
use crate::core::{Csr, StateId};
use crate::space::{Estimates, Space};

/// An edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) to: u32,
    /// Which of the costs that occur.
    class: u32,
}

/// States and edges.
pub(super) struct Terrain<E> {
    arcs: Csr<Arc>,
    /// The same the other way round; none if every edge has its opposite.
    back: Option<Csr<Arc>>,
    /// The costs that occur, in increasing order.
    costs: Vec<u64>,
    /// The ids of states, in the order of their numbers.
    ids: Vec<u32>,
    pub(super) estimates: E,
}

impl<E: Estimates> Terrain<E> {
    pub(super) fn new(space: &Space, states: &[StateId], estimates: E) -> Terrain<E> {
        let network = Network::new(space, states);
        let numbers = 0..network.states() as u32;
        let mut costs: Vec<u64> = numbers.flat_map(|state| network.arcs(state)).map(|arc| arc.cost).collect();
        costs.sort_unstable();
        costs.dedup();
        let is_symmetric = space.as_grid().is_some_and(|grid| grid.links().is_empty());
        let arcs = compact(&network, &costs);
        let back = (!is_symmetric).then(|| compact(&network.reversed(), &costs));
        let ids = states.iter().map(|state| state.number()).collect();
        Terrain { arcs, back, costs, ids, estimates }
    }

    /// The ids of states, in the order of their numbers.
    pub(super) fn ids(&self) -> &[u32] {
        &self.ids
    }

    pub(super) fn states(&self) -> usize {
        self.arcs.len()
    }

    /// The edges that begin at a state, in the order in which agents look at them.
    #[inline(always)]
    pub(super) fn arcs(&self, state: u32) -> &[Arc] {
        self.arcs.list(state as usize)
    }

    /// The edges that end at a state; they lead to where they begin.
    #[inline(always)]
    pub(super) fn arcs_back(&self, state: u32) -> &[Arc] {
        self.back.as_ref().unwrap_or(&self.arcs).list(state as usize)
    }

    #[inline(always)]
    pub(super) fn cost(&self, arc: Arc) -> u64 {
        self.costs[arc.class as usize]
    }

    /// The least and the greatest cost of an edge.
    pub(super) fn cost_range(&self) -> (u64, u64) {
        (self.costs.first().copied().unwrap_or(1), self.costs.last().copied().unwrap_or(1))
    }

    /// The move of an agent that knows nothing but estimates: onto its subgoal if it stands beside it; else where cost
    /// and estimate are least together, then by the dearer step, then in the order of edges. `None` without any edge.
    #[inline]
    pub(super) fn greedy_step(&self, from: u32, to: u32) -> Option<(u32, u64)> {
        let mut best: Option<(u64, u64, u32, u64)> = None;
        let mut onto = u64::MAX;
        for &arc in self.arcs(from) {
            let cost = self.cost(arc);
            if arc.to == to {
                onto = onto.min(cost);
            }
            let h = self.estimates.between(arc.to, to);
            let sum = cost.saturating_add(h);
            if best.is_none_or(|(best_sum, best_h, ..)| (sum, h) < (best_sum, best_h)) {
                best = Some((sum, h, arc.to, cost));
            }
        }
        if onto != u64::MAX {
            return Some((to, onto));
        }
        best.map(|(.., step, cost)| (step, cost))
    }
}

fn compact(network: &Network, costs: &[u64]) -> Csr<Arc> {
    let class = |cost: u64| costs.binary_search(&cost).unwrap_or_default() as u32;
    let arcs = |state: u32| network.arcs(state).iter().map(|arc| Arc { to: arc.to, class: class(arc.cost) });
    (0..network.states() as u32).map(arcs).collect()
}
