//! Labels from the contracted graph, without a search: from the most important corner down, a corner's candidates are the
//! labels of its neighbours above it.
//!
//! # Paper
//! I. Abraham, D. Delling, A. Goldberg, R. Werneck: Hierarchical hub labelings for shortest paths, ESA 2012 (labels from a
//! contraction hierarchy, and pruning them).
//!
//! # Guarantees
//! Call (v, h) *canonical* if it is a true pair and h is the highest of all corners on all shortest ways between them.
//! **L10**: then h is in L(v) with its distance, and every true pair has a hub in both labels whose distances add up to the
//! pair's. When v goes, the distance to h over the rest is still d(v, h) (L9); let v - u be the first edge of such a way: u is
//! above v, (u, h) is canonical, so in L(u) by induction, and the turn at u is allowed (L8): the candidate is d(v, h). It is
//! dropped only if a higher hub lies on a way as short, against canonical. For a true pair take the highest corner on all
//! shortest ways between the two. ∎

use super::contract::Hierarchy;
use super::graph::Corners;
use super::rooms::Rooms;
use super::turns::{Directions, Turns};
use crate::build::parallel;

/// An entry of a label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hub {
    /// Numbered from the most important corner on.
    pub(super) hub: u32,
    /// The next corner on the way.
    pub(super) next: u32,
    pub(super) distance: u64,
    /// First directions of legal ways of this length.
    out: Directions,
}

/// The labels of all corners.
#[derive(Default)]
pub(super) struct Labels {
    /// By corner, its entries: hubs rise, and the corner itself is the last.
    ranges: Vec<(u32, u32)>,
    pub(super) entries: Vec<Hub>,
}

/// Instead of the distance of a hub that is no candidate.
const NONE: u64 = u64::MAX / 4;

/// Room to make one label after another.
struct Room {
    /// By hub: the least distance, and the next corner and first directions on the way.
    candidates: Vec<(u64, u32, Directions)>,
    hubs: Vec<u32>,
}

/// Corners of a level whose labels are made before the limit is looked at again.
const BATCH: usize = 1 << 14;

impl Labels {
    pub(super) fn range(&self, corner: u32) -> std::ops::Range<usize> {
        let (first, end) = self.ranges[corner as usize];
        first as usize..end as usize
    }

    pub(super) fn of(&self, corner: u32) -> &[Hub] {
        &self.entries[self.range(corner)]
    }

    /// The labels; `None` if they have more entries than `most`.
    pub(super) fn new(
        corners: &Corners<'_>,
        hierarchy: &Hierarchy,
        turns: &Turns,
        most: usize,
    ) -> Option<Labels> {
        let count = corners.count();
        let Hierarchy { order, up, .. } = hierarchy;
        // A level needs the labels of higher ones alone.
        let mut levels: Vec<Vec<u32>> = Vec::new();
        let mut level_of = vec![0_usize; count];
        for &corner in order.iter().rev() {
            let level =
                up[corner as usize].iter().map(|edge| level_of[edge.to as usize] + 1).max().unwrap_or(0);
            level_of[corner as usize] = level;
            if level == levels.len() {
                levels.push(Vec::new());
            }
            levels[level].push(corner);
        }
        let mut rank = vec![0_u32; count];
        for (hub, &corner) in order.iter().rev().enumerate() {
            rank[corner as usize] = hub as u32;
        }
        let mut labels = Labels { ranges: vec![(0, 0); count], entries: Vec::new() };
        let rooms = Rooms::new(|| Room { candidates: vec![(NONE, 0, 0); count], hubs: Vec::new() });
        for batch in levels.iter().flat_map(|level| level.chunks(BATCH)) {
            (corners.progress)(2, 4);
            let make = |room: &mut Room, corner: u32| {
                let mut label = Vec::new();
                labels.make(corners, hierarchy, turns, room, corner, &mut label);
                label.push(Hub { hub: rank[corner as usize], next: corner, distance: 0, out: 0 });
                label
            };
            // A few labels are made sooner than threads are called.
            let made: Vec<Vec<Hub>> = if batch.len() < 64 {
                rooms.within(|room| batch.iter().map(|&corner| make(room, corner)).collect())
            } else {
                let length = batch.len().div_ceil(4 * parallel::threads());
                let make_all = |piece: &[u32]| -> Vec<Vec<Hub>> {
                    rooms.within(|room| piece.iter().map(|&corner| make(room, corner)).collect())
                };
                parallel::map_chunks(batch, length, make_all).into_iter().flatten().collect()
            };
            for (&corner, label) in batch.iter().zip(made) {
                let first = labels.entries.len() as u32;
                labels.entries.extend(label);
                if labels.entries.len() > most {
                    return None;
                }
                labels.ranges[corner as usize] = (first, labels.entries.len() as u32);
            }
        }
        Some(labels)
    }

    /// The entries of a corner but itself.
    fn make(
        &self,
        corners: &Corners<'_>,
        hierarchy: &Hierarchy,
        turns: &Turns,
        room: &mut Room,
        corner: u32,
        label: &mut Vec<Hub>,
    ) {
        let Room { candidates, hubs } = room;
        for edge in &hierarchy.up[corner as usize] {
            let forbidden = turns.forbidden(corners.kind(edge.to), edge.back);
            for entry in self.of(edge.to).iter().filter(|entry| entry.out & forbidden == 0) {
                let candidate = &mut candidates[entry.hub as usize];
                if candidate.0 == NONE {
                    hubs.push(entry.hub);
                }
                let distance = edge.cost + entry.distance;
                if distance < candidate.0 {
                    *candidate = (distance, edge.first, edge.out);
                }
            }
        }
        hubs.sort_unstable();
        for &hub in hubs.iter() {
            let (distance, next, out) = candidates[hub as usize];
            let of_hub = self.of(hierarchy.order[hierarchy.order.len() - 1 - hub as usize]);
            // All but the hub itself.
            let above = &of_hub[..of_hub.len() - 1];
            if !above.iter().any(|entry| candidates[entry.hub as usize].0 + entry.distance <= distance) {
                label.push(Hub { hub, next, distance, out });
            }
        }
        for hub in hubs.drain(..) {
            candidates[hub as usize].0 = NONE;
        }
    }
}
