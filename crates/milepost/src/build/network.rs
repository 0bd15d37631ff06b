//! Any space as numbered states and edges, and floods over it: weights, links, graphs. Dijkstra's algorithm, with buckets
//! where edges cost nearly the same, then one pass in the order of distance for every 64 edges of the start.

use super::dijkstra::Dijkstra;
use crate::core::{Cost, Csr, StateId};
use crate::space::{EdgeSlot, FloodMoves, FloodVisitor, SlotExpander, Space};
use std::cell::Cell;

/// The states of a space in some order, numbered from 0, and all edges.
#[derive(Debug)]
pub(super) struct Network {
    arcs: Csr<Arc>,
    /// Their names, beside them: floods do not ask for them. None in a reversed network.
    slots: Vec<EdgeSlot>,
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) to: u32,
    pub(super) cost: u64,
}

impl Network {
    /// The network of all states of a space, numbered in the order in which they are given.
    pub(super) fn new(space: &Space, states: &[StateId]) -> Network {
        space.visit_flood(FloodMoves::All, Networker { states })
    }

    /// The network of these moves between states, numbered likewise.
    pub(super) fn of_moves(states: &[StateId], moves: &impl SlotExpander) -> Network {
        Networker { states }.visit(moves)
    }
}

/// Takes down all moves of a space.
struct Networker<'a> {
    states: &'a [StateId],
}

impl FloodVisitor for Networker<'_> {
    type Answer = Network;

    fn visit<E: SlotExpander>(self, moves: &E) -> Network {
        let states = self.states;
        let mut numbers = vec![u32::MAX; moves.id_bound()];
        for (state, number) in states.iter().zip(0..) {
            numbers[state.index()] = number;
        }
        let mut network = Network { arcs: Csr::default(), slots: Vec::new() };
        for &state in states {
            // The edge slot of the successor that is named next.
            let slot = Cell::new(EdgeSlot::Edge(0));
            let keeps = |this| {
                slot.set(this);
                true
            };
            moves.expand_slots(state, None, keeps, |child, cost: Cost| {
                network.arcs.push(Arc { to: numbers[child.index()], cost: cost.units() });
                network.slots.push(slot.get());
            });
            network.arcs.close();
        }
        network
    }
}

impl Network {
    /// The same with other costs.
    pub(super) fn with_costs(mut self, cost_of: impl Fn(EdgeSlot) -> u64) -> Network {
        self.arcs.items_mut().iter_mut().zip(&self.slots).for_each(|(arc, &slot)| arc.cost = cost_of(slot));
        self
    }

    /// The same with every edge the other way round, the cheapest of those between the same two states.
    pub(super) fn reversed(&self) -> Network {
        let mut edges = Vec::with_capacity(self.arcs.items().len());
        // By state, the last one with an edge to it so far, and which edge that is.
        let mut known = vec![(u32::MAX, 0); self.states()];
        for from in 0..self.states() as u32 {
            for arc in self.arcs(from) {
                let back = Arc { to: from, ..*arc };
                let (last, place) = &mut known[arc.to as usize];
                if std::mem::replace(last, from) != from {
                    *place = edges.len();
                    edges.push((arc.to, back));
                } else if arc.cost < edges[*place].1.cost {
                    edges[*place].1 = back;
                }
            }
        }
        Network { arcs: Csr::sorted(self.states(), edges.iter().copied()), slots: Vec::new() }
    }

    /// How many states there are.
    pub(super) fn states(&self) -> usize {
        self.arcs.len()
    }

    /// The edges of a state.
    pub(super) fn arcs(&self, state: u32) -> &[Arc] {
        self.arcs.list(state as usize)
    }

    /// The names of these edges, in the same order.
    pub(super) fn slots(&self, state: u32) -> &[EdgeSlot] {
        &self.slots[self.arcs.range(state as usize)]
    }

    /// Edges and their names.
    pub(super) fn named_arcs(&self, state: u32) -> impl Iterator<Item = (&Arc, EdgeSlot)> {
        self.arcs(state).iter().zip(self.slots(state).iter().copied())
    }
}

/// Room for one flood after another.
pub(super) struct NetworkFlood {
    distances: Vec<u64>,
    /// The states that can be reached, each behind all that lie on shortest paths to it.
    order: Vec<u32>,
    /// The edges of the start that begin a shortest path to a state, 64 of them at a time.
    labels: Vec<u64>,
    heap: Dijkstra,
    /// Instead of the heap, where edges cost nearly the same.
    buckets: Option<Buckets>,
}

/// Open states by `distance >> shift`. No edge costs less than `2^shift`, so nothing in a bucket can improve anything else
/// in it: its states are settled in any order. No edge leads past the last of the buckets, which are used in turn.
struct Buckets {
    shift: u32,
    lists: Vec<Vec<(u64, u32)>>,
}

impl Buckets {
    /// Buckets for which a heap is not quicker.
    const MOST: u64 = 64;

    fn new(network: &Network) -> Option<Buckets> {
        let costs = || network.arcs.items().iter().map(|arc| arc.cost);
        let shift = costs().min()?.checked_ilog2()?;
        let last = (costs().max()? >> shift) + 1;
        (last < Buckets::MOST).then(|| Buckets { shift, lists: vec![Vec::new(); last as usize + 1] })
    }
}

impl NetworkFlood {
    pub(super) fn new(network: &Network) -> NetworkFlood {
        let states = network.states();
        NetworkFlood {
            distances: vec![u64::MAX; states],
            order: Vec::with_capacity(states),
            labels: vec![0; states],
            heap: Dijkstra::default(),
            buckets: Buckets::new(network),
        }
    }

    /// Distances from the start, and the order of states.
    pub(super) fn measure(&mut self, network: &Network, start: u32) {
        self.distances.fill(u64::MAX);
        self.order.clear();
        self.distances[start as usize] = 0;
        match self.buckets.take() {
            None => {
                let edges = |state: u32| network.arcs(state).iter().map(|arc| (arc.to, arc.cost));
                let NetworkFlood { distances, order, heap, .. } = self;
                heap.run(start, distances, edges, |state, _| order.push(state));
            }
            Some(mut buckets) => {
                self.measure_by_buckets(network, start, &mut buckets);
                self.buckets = Some(buckets);
            }
        }
    }

    fn measure_by_buckets(&mut self, network: &Network, start: u32, buckets: &mut Buckets) {
        let Buckets { shift, lists } = buckets;
        let count = lists.len();
        lists[0].push((0, start));
        let (mut now, mut open, mut settling) = (0, 1, Vec::new());
        while open > 0 {
            std::mem::swap(&mut lists[now], &mut settling);
            open -= settling.len();
            for (distance, state) in settling.drain(..) {
                if distance > self.distances[state as usize] {
                    continue;
                }
                self.order.push(state);
                for arc in network.arcs(state) {
                    let there = distance + arc.cost;
                    if there < self.distances[arc.to as usize] {
                        self.distances[arc.to as usize] = there;
                        let ahead = now + ((there >> *shift) - (distance >> *shift)) as usize;
                        lists[if ahead < count { ahead } else { ahead - count }].push((there, arc.to));
                        open += 1;
                    }
                }
            }
            now = if now + 1 == count { 0 } else { now + 1 };
        }
    }

    /// After [`NetworkFlood::measure`]: how far it is to a state, `u64::MAX` if there is no path.
    #[inline]
    pub(super) fn distance(&self, state: u32) -> u64 {
        self.distances[state as usize]
    }

    /// After [`NetworkFlood::measure`]: names all states but the start that a shortest path reaches over one of up to 64
    /// of its edges, with the set of these edges as bits.
    pub(super) fn label(&mut self, network: &Network, edges: &[Arc], mut visit: impl FnMut(u32, u64)) {
        self.labels.fill(0);
        for (bit, arc) in edges.iter().take(64).enumerate() {
            if self.distances[arc.to as usize] == arc.cost {
                self.labels[arc.to as usize] |= 1 << bit;
            }
        }
        // All tight predecessors of a state stand before it.
        for &state in self.order.iter().skip(1) {
            let label = self.labels[state as usize];
            if label == 0 {
                continue;
            }
            for arc in network.arcs(state) {
                if self.distances[state as usize] + arc.cost == self.distances[arc.to as usize] {
                    self.labels[arc.to as usize] |= label;
                }
            }
            visit(state, label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    #[test]
    fn buckets_measure_what_a_heap_measures() {
        let mut rng = Rng::new(5);
        for round in 0..300 {
            let (states, least) = (2 + rng.below(60), 1 + u64::from(rng.below(40)));
            let mut network = Network { arcs: Csr::default(), slots: Vec::new() };
            for _ in 0..states {
                for _ in 0..rng.below(4) {
                    let cost = least + u64::from(rng.below(1 + round % 100));
                    network.arcs.push(Arc { to: rng.below(states), cost });
                }
                network.arcs.close();
            }
            let mut floods = [NetworkFlood::new(&network), NetworkFlood::new(&network)];
            floods[1].buckets = None;
            for start in 0..states {
                let [seen, plain] = floods.each_mut().map(|flood| {
                    flood.measure(&network, start);
                    let mut seen = Vec::new();
                    flood.label(&network, network.arcs(start), |state, label| seen.push((state, label)));
                    seen.sort_unstable();
                    seen
                });
                assert_eq!(seen, plain);
                assert_eq!(floods[0].distances, floods[1].distances);
            }
        }
    }
}
