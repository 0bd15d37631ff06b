//! Repairs a table as the lecture notes do: rebuild the rows at the ends of an edge that changed, go on to the
//! neighbours of every row that is another one now, and stop where rows stay.
//!
//! # Paper
//! Lecture notes on A* and lookup tables, chapter "Precalculated pathfinding", section "Dynamic state space": the list
//! `open` of nodes that need to be looked at, the list `closed` of those that have been.
//!
//! # Symbols
//! `open` and `closed` as there. A row is what the table says of one node towards all others.
//!
//! # Guarantees
//! Rows that were rebuilt are right. **Others may not be**: where distances from a node grow while its first moves stay,
//! its row does not change, and the repair does not look at its neighbours, whose moves may be wrong now. On random
//! maps of 9 x 9 cells about every third edit leaves some row that is not optimal; the exact repair leaves none. Each
//! row is rebuilt at most once, by one flood.
//!
//! # Deviations
//! 1. A rebuilt row keeps a stored move that is still optimal; otherwise entries that tie would seem to change.
//! 2. Where edges lead one way only, the neighbours of a node are those that an edge leads from to it: only their paths
//!    go on through it.
//! 3. A node that appears is on the list `open` with its neighbours; one that vanishes leaves its neighbours there.

use super::versions::{Changes, Correction, NO_STATE, Versions};
use crate::build::network::NetworkFlood;
use crate::core::StateId;
use crate::index::{FirstMoves, NextMove};
use std::collections::VecDeque;

/// What happened to the rows.
#[derive(Debug, Default)]
pub(super) struct PrintedWave {
    /// `open`, at the beginning and after every row.
    pub(super) open_lists: Vec<Vec<StateId>>,
    /// New numbers of the rows that were looked at, and of those that are others now.
    pub(super) closed: Vec<u32>,
    pub(super) changed: Vec<u32>,
    pub(super) corrections: Vec<Correction>,
}

/// The wave of rebuilt rows.
pub(super) fn repair(versions: &Versions<'_>, changes: &Changes, stored: &FirstMoves<'_>) -> PrintedWave {
    let (network, backwards) = (&versions.new_network, versions.new_network.reversed());
    let mut wave = PrintedWave::default();
    let mut is_listed = vec![false; versions.new_order.len()];
    let mut open = VecDeque::new();
    let mut list = |open: &mut VecDeque<u32>, node: u32| {
        if node != NO_STATE && !std::mem::replace(&mut is_listed[node as usize], true) {
            open.push_back(node);
        }
    };
    // Initialization: both nodes of the connection.
    for &(from, to) in &changes.edges {
        list(&mut open, versions.number(from));
        list(&mut open, versions.number(to));
    }
    // Their edges have other numbers, or they have none yet.
    changes.near.iter().for_each(|&node| list(&mut open, node));
    let named = |open: &VecDeque<u32>| open.iter().map(|&node| versions.new_order[node as usize]).collect();
    wave.open_lists.push(named(&open));
    let mut flood = NetworkFlood::new(network);
    // Iteration: select and remove the first node from open, add it to closed and rebuild its row.
    while let Some(node) = open.pop_front() {
        wave.closed.push(node);
        let row = rebuilt_row(versions, stored, &mut flood, node);
        // Because the row has changed, add all neighbours which are not yet opened or closed.
        if row.has_changed {
            wave.changed.push(node);
            backwards.arcs(node).iter().for_each(|arc| list(&mut open, arc.to));
        }
        wave.corrections.extend(row.corrections);
        wave.open_lists.push(named(&open));
    }
    wave
}

struct RebuiltRow {
    corrections: Vec<Correction>,
    has_changed: bool,
}

/// The row of a node, by a flood from it.
fn rebuilt_row(
    versions: &Versions<'_>,
    stored: &FirstMoves<'_>,
    flood: &mut NetworkFlood,
    node: u32,
) -> RebuiltRow {
    let network = &versions.new_network;
    let before = stored_row(versions, stored, node);
    let mut row = vec![NO_STATE; versions.new_order.len()];
    flood.measure(network, node);
    for arcs in network.arcs(node).chunks(64) {
        flood.label(network, arcs, |target, mut label| {
            let next = &mut row[target as usize];
            while label != 0 {
                let to = arcs[label.trailing_zeros() as usize].to;
                label &= label - 1;
                if *next == NO_STATE || to == before[target as usize] {
                    *next = to;
                }
            }
        });
    }
    let has_changed = versions.old_of_new[node as usize] == NO_STATE || row != before;
    let corrections =
        (0..).zip(row).map(|(target, next)| Correction { target, source: node, next }).collect();
    RebuiltRow { corrections, has_changed }
}

/// The next states that the table names from a state towards all targets; [`NO_STATE`] where it names none that is still
/// there.
pub(super) fn stored_row(versions: &Versions<'_>, stored: &FirstMoves<'_>, source: u32) -> Vec<u32> {
    let state = versions.new_order[source as usize];
    let is_old = versions.old_of_new[source as usize] != NO_STATE;
    let next = |(&target, &old): (&StateId, &u32)| match stored.next_move(state, target) {
        NextMove::Move(next) if is_old && old != NO_STATE => versions.number(next),
        _ => NO_STATE,
    };
    versions.new_order.iter().zip(&versions.old_of_new).map(next).collect()
}
