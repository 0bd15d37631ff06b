//! The boxes of anything: weights, links, graphs.

use super::{Solid, kept};
use crate::build::network::{Network, NetworkFlood};
use crate::build::{Progress, parallel};
use crate::core::StateId;
use crate::index::goal_bounds::{BoxForm, EMPTY_SOLID, extend, position};
use crate::space::{EdgeSlot, NodePosition, Space};
use std::sync::atomic::{AtomicU64, Ordering};

/// The states of a space, numbered in the order of their ids, and where they lie.
#[derive(Debug)]
pub(super) struct PlacedNetwork {
    network: Network,
    places: Vec<NodePosition>,
}

/// An edge as others see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedEdge {
    /// The number of the state where it begins.
    pub(super) from: usize,
    pub(super) slot: EdgeSlot,
}

impl PlacedNetwork {
    pub(super) fn new(space: &Space) -> PlacedNetwork {
        let states: Vec<StateId> = space.free_states().collect();
        let place = |&state: &StateId| position(space, state);
        PlacedNetwork { network: Network::new(space, &states), places: states.iter().map(place).collect() }
    }

    /// Numbered states, and where they lie.
    pub(super) fn of(network: Network, places: Vec<NodePosition>) -> PlacedNetwork {
        PlacedNetwork { network, places }
    }

    /// All edges, state by state.
    pub(super) fn edges(&self) -> impl Iterator<Item = NamedEdge> {
        (0..self.places.len()).flat_map(move |from| {
            self.network.slots(from as u32).iter().map(move |&slot| NamedEdge { from, slot })
        })
    }

    /// The boxes of all edges, in their order.
    pub(super) fn boxes(&self, form: BoxForm, progress: Progress<'_>) -> Vec<Solid> {
        let (states, done) = (self.places.len(), AtomicU64::new(0));
        progress(0, states as u64);
        let room = || NetworkFlood::new(&self.network);
        let by_state: Vec<Vec<Solid>> = parallel::map_with(states, room, |flood, start| {
            let boxes = self.boxes_of(start as u32, form, flood);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, states as u64);
            boxes
        });
        by_state.concat()
    }

    /// Floods from some states, spread over the space, and tells from how many.
    pub(super) fn sample(&self, most: usize) -> usize {
        let states = self.places.len();
        let starts: Vec<usize> = (0..states).step_by((states / most).max(1)).collect();
        let room = || NetworkFlood::new(&self.network);
        parallel::map_list_with(&starts, room, |flood, &start| {
            drop(self.boxes_of(start as u32, BoxForm::AllTies, flood));
        });
        starts.len()
    }

    /// The boxes of the edges of one state.
    fn boxes_of(&self, start: u32, form: BoxForm, flood: &mut NetworkFlood) -> Vec<Solid> {
        flood.measure(&self.network, start);
        let first_edges = self.network.arcs(start);
        let mut boxes = vec![EMPTY_SOLID; first_edges.len()];
        // The states that lie in the box of an edge of an earlier chunk, where one is all that they lie in.
        let mut marked = vec![false; if form == BoxForm::AsPrinted { self.places.len() } else { 0 }];
        for (edges, boxes) in first_edges.chunks(64).zip(boxes.chunks_mut(64)) {
            flood.label(&self.network, edges, |state, label| {
                let is_marked =
                    marked.get_mut(state as usize).is_some_and(|mark| std::mem::replace(mark, true));
                let mut label = if is_marked { 0 } else { kept(form, label) };
                while label != 0 {
                    extend(&mut boxes[label.trailing_zeros() as usize], self.places[state as usize]);
                    label &= label - 1;
                }
            });
        }
        boxes
    }
}
