//! Two versions of a space side by side: which number a state had and has, and whose edges have changed.

use crate::build::network::Network;
use crate::core::StateId;
use crate::index::LegCosts;
use crate::space::{EdgeSlot, Space};
use std::collections::BTreeMap;

/// No state.
pub(super) const NO_STATE: u32 = u32::MAX;

/// A space before and after an edit.
pub(super) struct Versions<'a> {
    pub(super) old: &'a Space,
    pub(super) new: &'a Space,
    /// The states by their numbers.
    pub(super) old_order: &'a [StateId],
    pub(super) new_order: &'a [StateId],
    /// By old number the new one, and the other way round; [`NO_STATE`] for states that vanish or appear.
    pub(super) new_of_old: Vec<u32>,
    pub(super) old_of_new: Vec<u32>,
    /// By id the new number.
    numbers: Vec<u32>,
    pub(super) old_network: Network,
    pub(super) new_network: Network,
}

impl<'a> Versions<'a> {
    /// Both versions, with the costs of the space, or those that the caller measures in.
    pub(super) fn new(
        (old, old_order): (&'a Space, &'a [StateId]),
        (new, new_order): (&'a Space, &'a [StateId]),
        costs: Option<LegCosts>,
    ) -> Versions<'a> {
        let mut numbers = vec![NO_STATE; new.id_bound()];
        for (state, number) in new_order.iter().zip(0..) {
            numbers[state.index()] = number;
        }
        let new_of_old: Vec<u32> =
            old_order.iter().map(|state| numbers.get(state.index()).copied().unwrap_or(NO_STATE)).collect();
        let mut old_of_new = vec![NO_STATE; new_order.len()];
        for (&number, old) in new_of_old.iter().zip(0..) {
            if number != NO_STATE {
                old_of_new[number as usize] = old;
            }
        }
        let network = |space, order| {
            let network = Network::new(space, order);
            match costs {
                Some(costs) => network.with_costs(|slot| step_cost(costs, slot)),
                None => network,
            }
        };
        let (old_network, new_network) = (network(old, old_order), network(new, new_order));
        Versions { old, new, old_order, new_order, new_of_old, old_of_new, numbers, old_network, new_network }
    }

    /// The new number of a state.
    pub(super) fn number(&self, state: StateId) -> u32 {
        self.numbers.get(state.index()).copied().unwrap_or(NO_STATE)
    }

    /// The edges of a state of the old version: where they lead, their numbers and costs.
    fn old_edges(&self, number: usize) -> impl Iterator<Item = (StateId, usize, u64)> {
        let state = self.old_order[number];
        let arcs = self.old_network.named_arcs(number as u32);
        arcs.map(move |(arc, slot)| {
            (self.old_order[arc.to as usize], self.old.slot_number(state, slot), arc.cost)
        })
    }

    /// The same in the new version.
    fn new_edges(&self, number: usize) -> impl Iterator<Item = (StateId, usize, u64)> {
        let state = self.new_order[number];
        let arcs = self.new_network.named_arcs(number as u32);
        arcs.map(move |(arc, slot)| {
            (self.new_order[arc.to as usize], self.new.slot_number(state, slot), arc.cost)
        })
    }

    /// What has changed.
    pub(super) fn changes(&self) -> Changes {
        let mut changes = Changes::default();
        for old in 0..self.old_order.len() {
            let new = self.new_of_old[old];
            if new != NO_STATE && self.old_edges(old).eq(self.new_edges(new as usize)) {
                continue;
            }
            let mut costs: BTreeMap<StateId, [u64; 2]> = BTreeMap::new();
            let mut note = |to: StateId, version: usize, cost: u64| {
                let costs = costs.entry(to).or_insert([u64::MAX; 2]);
                costs[version] = costs[version].min(cost);
            };
            self.old_edges(old).for_each(|(to, _, cost)| note(to, 0, cost));
            if new != NO_STATE {
                changes.near.push(new);
                self.new_edges(new as usize).for_each(|(to, _, cost)| note(to, 1, cost));
            }
            for (to, [before, after]) in costs {
                changes.grows |= after > before;
                changes.shrinks |= after < before;
                if after != before {
                    changes.edges.push((self.old_order[old], to));
                }
            }
        }
        for new in (0..self.new_order.len()).filter(|&new| self.old_of_new[new] == NO_STATE) {
            changes.near.push(new as u32);
            changes.appeared.push(new as u32);
            changes.shrinks = true;
            changes.edges.extend(self.new_edges(new).map(|(to, _, _)| (self.new_order[new], to)));
        }
        changes.edges.sort_unstable();
        changes
    }
}

fn step_cost(costs: LegCosts, slot: EdgeSlot) -> u64 {
    match slot {
        EdgeSlot::Direction(direction) if direction % 2 == 1 => costs.diagonal.into(),
        _ => costs.straight.into(),
    }
}

/// How two versions differ.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// New numbers of the states whose edges are others than before, those that appear included.
    pub(super) near: Vec<u32>,
    /// New numbers of the states that appear.
    pub(super) appeared: Vec<u32>,
    /// Edges that appear, vanish or cost something else, in the order of their ends.
    pub(super) edges: Vec<(StateId, StateId)>,
    /// Some edge vanishes or costs more.
    pub(super) grows: bool,
    /// Some edge appears or costs less.
    pub(super) shrinks: bool,
}

/// What a repaired table says of a pair: the next state on the way, or [`NO_STATE`]. All by their new numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Correction {
    pub(super) target: u32,
    pub(super) source: u32,
    pub(super) next: u32,
}
