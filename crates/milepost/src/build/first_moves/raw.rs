//! The whole table, one number for each pair: the shortest paths between all states at once.
//!
//! # Paper
//! R. Floyd: Algorithm 97: Shortest path, Communications of the ACM 5, 1962; with the first edge of each path kept beside
//! its length. S. Rabin, N. Sturtevant: Faster A* with goal bounding, Game AI Pro 3, 2017, section 22.6, compare goal
//! bounds with such a table.
//!
//! # Guarantees
//! Exact, O(n^3) time and O(n^2) memory: for small spaces, and what other builders are tested against. Among paths of
//! equal length the first that is found stays: an edge before a detour, the first of several edges.

use crate::build::network::Network;
use crate::core::StateId;
use crate::space::Space;

/// No path, or no move needed.
pub(super) const NO_SLOT: u16 = u16::MAX;

/// For each pair of states, by their places in the order given, the number of the edge slot that a shortest path begins with.
pub(super) fn build(space: &Space, order: &[StateId]) -> Vec<u16> {
    let (network, states) = (Network::new(space, order), order.len());
    let mut lengths = vec![u64::MAX; states * states];
    let mut slots = vec![NO_SLOT; states * states];
    for (from, &state) in order.iter().enumerate() {
        lengths[from * states + from] = 0;
        for (arc, slot) in network.named_arcs(from as u32) {
            let pair = from * states + arc.to as usize;
            if arc.cost < lengths[pair] {
                lengths[pair] = arc.cost;
                slots[pair] = space.slot_number(state, slot) as u16;
            }
        }
    }
    for via in 0..states {
        let onward = lengths[via * states..][..states].to_vec();
        for from in 0..states {
            let (there, slot) = (lengths[from * states + via], slots[from * states + via]);
            if there == u64::MAX || from == via {
                continue;
            }
            let row = from * states..(from + 1) * states;
            for ((length, best), &rest) in lengths[row.clone()].iter_mut().zip(&mut slots[row]).zip(&onward) {
                let detour = there.saturating_add(rest);
                if detour < *length {
                    (*length, *best) = (detour, slot);
                }
            }
        }
    }
    slots
}
