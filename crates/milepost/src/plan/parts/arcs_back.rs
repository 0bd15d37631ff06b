//! The moves of a space the other way round, for a search that begins at its goal and is cut into slices.
//!
//! Steps of a grid lead both ways at one cost, and are asked for where they are needed. Links and the edges of a graph are taken down
//! first, piece by piece: each arc knows the one before it that ends at the same state.
//!
//! # Guarantees
//! Every arc is named once, at its least cost. Memory follows what was taken down, in pages.

use crate::core::{Budget, Cost, Expander, RadixMap, StateId};
use crate::space::{EdgeSlot, Grid, SlotExpander, Space, SpaceKind};
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// No arc.
const NONE: u32 = u32::MAX;

/// An arc that was taken down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Arc {
    /// Where it begins.
    from: u32,
    /// The arc before it that ends where it does.
    before: u32,
    cost: u64,
}

/// Arcs by where they end.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ArcsBack {
    /// By state, the last arc that ends there.
    last: RadixMap<u32>,
    /// By number.
    arcs: RadixMap<Arc>,
    /// Links, or ids of nodes, that were looked at.
    looked_at: u32,
}

impl ArcsBack {
    /// Forgets all arcs.
    pub(crate) fn forget(&mut self) {
        self.last.forget();
        self.arcs.forget();
        self.looked_at = 0;
    }

    /// Takes down arcs while the budget lasts, one state a unit, and those that its expansion takes more. Says whether all are there.
    pub(crate) fn take_down(&mut self, space: &Space, budget: &mut Budget) -> bool {
        loop {
            let from = match space.as_grid() {
                Some(grid) => grid.links().get(self.looked_at as usize).map(|link| link.from),
                None => Some(StateId::new(self.looked_at)).filter(|state| state.index() < space.id_bound()),
            };
            let Some(from) = from else { return true };
            if !budget.take() {
                return false;
            }
            if let Some(grid) = space.as_grid() {
                self.looked_at += grid.links_from(from).len() as u32;
                if grid.is_free(from) {
                    budget.charge(self.take_links(grid, from));
                }
            } else if let Some(graph) = space.walked_graph() {
                self.looked_at += 1;
                if graph.is_free(from) {
                    let moves = graph.moves();
                    budget.charge(moves.expand(from, None, |to, cost| self.add(from, to, cost)));
                }
            }
        }
    }

    /// The links of a cell, but for those that cost no less than a step to the same cell.
    fn take_links(&mut self, grid: &Grid, from: StateId) -> u64 {
        let mut steps = [(StateId::NONE, Cost::ZERO); 8];
        let mut count = 0;
        let is_link = Cell::new(false);
        let keeps = |slot: EdgeSlot| {
            is_link.set(matches!(slot, EdgeSlot::Link(_)));
            true
        };
        // Steps are named before links.
        grid.full_moves().expand_slots(from, None, keeps, |to, cost| {
            if !is_link.get() {
                steps[count] = (to, cost);
                count += 1;
            } else if !steps[..count].iter().any(|step| step.0 == to && step.1 <= cost) {
                self.add(from, to, cost);
            }
        })
    }

    /// Arcs that begin at the same state follow each other.
    fn add(&mut self, from: StateId, to: StateId, cost: Cost) {
        let before = self.last.get(key(to)).unwrap_or(NONE);
        if let Some(arc) = self.arcs.get(before.into()).filter(|arc| arc.from == from.number()) {
            let cost = arc.cost.min(cost.units());
            self.arcs.insert(before.into(), Arc { cost, ..arc });
            return;
        }
        let number = self.arcs.len();
        self.arcs.insert(number, Arc { from: from.number(), before, cost: cost.units() });
        self.last.insert(key(to), number as u32);
    }

    /// The first to be named of the arcs that were taken down and end at a state.
    pub(crate) fn first(&self, to: StateId) -> Option<u32> {
        self.last.get(key(to))
    }

    /// Where an arc begins, what it costs, and which one comes next.
    pub(crate) fn arc(&self, number: u32) -> Option<(StateId, Cost, Option<u32>)> {
        let arc = self.arcs.get(number.into())?;
        Some((StateId::new(arc.from), Cost::new(arc.cost), (arc.before != NONE).then_some(arc.before)))
    }

    /// Names the steps that end at a state and were not taken down: where they begin, and what they cost. Returns what that
    /// takes beyond a unit.
    pub(crate) fn steps(space: &Space, to: StateId, visit: impl FnMut(StateId, Cost)) -> u64 {
        match space.as_grid() {
            Some(grid) if grid.is_plain() => grid.moves().expand(to, None, visit),
            Some(grid) => {
                let is_step = |slot: EdgeSlot| matches!(slot, EdgeSlot::Direction(_));
                grid.full_moves().expand_slots(to, None, is_step, visit)
            }
            None => 0,
        }
    }

    /// Whether these can be arcs of a space: states are states, and no list leads in a circle.
    pub(crate) fn is_sound(&self, space: &Space) -> bool {
        let is_earlier = |arc: u32, than: u64| arc == NONE || u64::from(arc) < than;
        let arcs = self.arcs.sorted();
        (0..).zip(&arcs).all(|(number, (at, arc))| {
            number == *at && is_earlier(arc.before, number) && space.is_free(StateId::new(arc.from))
        }) && self.last.sorted().iter().all(|(_, last)| u64::from(*last) < arcs.len() as u64)
    }

    /// Memory held beside itself.
    pub(crate) fn bytes(&self) -> usize {
        self.last.bytes() + self.arcs.bytes()
    }

    /// What taking down so many more arcs allocates at most.
    pub(crate) fn page_bytes(&self, arcs: usize) -> usize {
        self.last.page_bytes(arcs) + self.arcs.page_bytes(arcs)
    }
}

fn key(state: StateId) -> u64 {
    state.number().into()
}
