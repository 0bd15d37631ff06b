//! A search from both ends over a hierarchy of corners, upwards only, that can be interrupted anywhere.
//!
//! # Paper
//! R. Geisberger, P. Sanders, D. Schultes, D. Delling: Contraction hierarchies, WEA 2008 (the search, and stalling on
//! demand); P. Hart, N. Nilsson, B. Raphael: A formal basis for the heuristic determination of minimum cost paths, 1968
//! (the keys).
//!
//! # Symbols
//! Side 0 is the start's, side 1 the goal's. `g` what it costs from a side's end to a corner, `f` that and the octile
//! distance to the other end, `best` the cost of the best path so far and `meeting` its highest corner.
//!
//! # Guarantees
//! Of all paths from a corner that the start was said to see to one that the goal was said to see the least cost is found:
//! every shortest path of the graph has a counterpart that climbs to its highest corner and then descends; both sides
//! reach that corner, and none of their corners on the way has an `f` above the cost of the path; so the search may stop
//! when the least `f` of each side is no less than `best`.
//!
//! A corner that is only *perhaps* seen gets no label, so the other side does not meet it, until the caller has
//! looked ([`Searched::Look`]); the search asks for that only when it would expand the corner next.
//!
//! One unit for a corner that is taken from an open list and has at most 8 edges, else one for each edge.

mod chain;

pub(crate) use chain::{Chain, Unpacked};

use crate::core::{Budget, EpochMap};
use crate::index::corner_hierarchy::INFINITE;
use crate::index::{CornerHierarchy, PackedCell};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How a corner was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Label {
    pub(crate) g: u32,
    pub(crate) parent: u32,
}

/// A corner that is to be expanded: of equal `f` the one with the least way to go first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) f: u32,
    /// `f - g`.
    pub(crate) rest: u32,
    /// With [`UNSURE`] set if the caller has not looked yet whether it is seen.
    pub(crate) corner: u32,
}

pub(crate) const UNSURE: u32 = 1 << 31;

/// A corner whose edges are being followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Expanding {
    pub(crate) side: u32,
    pub(crate) corner: u32,
    pub(crate) next_edge: u32,
}

/// What came of one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Searched {
    /// There is nothing better to be found.
    Done,
    /// Does the end of this side see this corner? If so, [`CornerSearch::seed`] it and go on; else go on.
    Look { side: usize, corner: u32 },
    /// The budget is gone.
    Suspended,
}

/// The state of a search.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CornerSearch {
    /// Known to the agent that restores it.
    #[serde(skip)]
    pub(crate) ends: [PackedCell; 2],
    /// By corners, each from one of both sides.
    pub(crate) labels: EpochMap<u32, Label>,
    pub(crate) open: [BinaryHeap<Reverse<Entry>>; 2],
    pub(crate) best: u32,
    pub(crate) meeting: Option<u32>,
    pub(crate) expanding: Option<Expanding>,
    #[serde(skip)]
    expanded: u64,
}

#[inline]
fn key(side: usize, corner: u32) -> u32 {
    corner << 1 | side as u32
}

impl CornerSearch {
    /// Begins anew.
    pub(crate) fn begin(&mut self, from: PackedCell, to: PackedCell) {
        self.ends = [from, to];
        self.labels.clear();
        self.open.iter_mut().for_each(BinaryHeap::clear);
        (self.best, self.meeting, self.expanding, self.expanded) = (INFINITE, None, None, 0);
    }

    /// Whether this can have been restored: every corner was reached from a lower one, or from an end.
    pub(crate) fn is_sound(&self) -> bool {
        self.labels.iter().all(|(key, label)| label.parent <= key >> 1)
            && self.expanding.is_none_or(|expanding| expanding.side < 2)
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        let entries: usize = self.open.iter().map(BinaryHeap::capacity).sum();
        self.labels.bytes() + entries * size_of::<Entry>()
    }

    /// Corners expanded.
    pub(crate) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The end of a side sees a corner.
    pub(crate) fn seed(&mut self, index: &CornerHierarchy<'_>, side: usize, corner: u32) {
        let g = index.octile(self.ends[side], index.cell_of(corner));
        self.reach(index, side, corner, g, corner);
    }

    /// The end of a side may see a corner.
    #[inline]
    pub(crate) fn seed_unsure(&mut self, index: &CornerHierarchy<'_>, side: usize, corner: u32) {
        let cell = index.cell_of(corner);
        if cell == self.ends[side] {
            return self.seed(index, side, corner);
        }
        let rest = index.octile(cell, self.ends[1 - side]);
        let f = index.octile(self.ends[side], cell).saturating_add(rest);
        self.open[side].push(Reverse(Entry { f, rest, corner: corner | UNSURE }));
    }

    /// A way to a corner.
    #[inline]
    fn reach(&mut self, index: &CornerHierarchy<'_>, side: usize, corner: u32, g: u32, parent: u32) {
        if self.labels.get(key(side, corner)).is_some_and(|label| label.g <= g) {
            return;
        }
        let rest = index.octile(index.cell_of(corner), self.ends[1 - side]);
        let f = g.saturating_add(rest);
        if f >= self.best {
            return;
        }
        self.labels.set(key(side, corner), Label { g, parent });
        self.open[side].push(Reverse(Entry { f, rest, corner }));
        if let Some(other) = self.labels.get(key(1 - side, corner)) {
            let cost = g.saturating_add(other.g);
            if cost < self.best {
                (self.best, self.meeting) = (cost, Some(corner));
            }
        }
    }

    /// What lies before a corner on the way from the end of a side; itself if nothing does.
    pub(crate) fn parent(&self, side: usize, corner: u32) -> Option<u32> {
        self.labels.get(key(side, corner)).map(|label| label.parent)
    }

    /// Goes on.
    pub(crate) fn run(&mut self, index: &CornerHierarchy<'_>, budget: &mut Budget) -> Searched {
        loop {
            if !self.follow_edges(index, budget) {
                return Searched::Suspended;
            }
            let least = |side: usize| self.open[side].peek().map_or(u32::MAX, |entry| entry.0.f);
            let side = usize::from(least(1) < least(0));
            if least(side) >= self.best.min(INFINITE) {
                return Searched::Done;
            }
            if !budget.take() {
                return Searched::Suspended;
            }
            let Some(Reverse(entry)) = self.open[side].pop() else { return Searched::Done };
            let (corner, g) = (entry.corner & !UNSURE, entry.f.saturating_sub(entry.rest));
            let label = self.labels.get(key(side, corner));
            if entry.corner & UNSURE != 0 {
                if label.is_none_or(|label| label.g > g) {
                    return Searched::Look { side, corner };
                }
            } else if label.is_some_and(|label| label.g == g) {
                self.expanded += 1;
                let next_edge = index.edges(corner).start;
                self.expanding = Some(Expanding { side: side as u32, corner, next_edge });
            }
        }
    }

    /// Follows the edges of the corner that is being expanded. False if the budget is gone before.
    fn follow_edges(&mut self, index: &CornerHierarchy<'_>, budget: &mut Budget) -> bool {
        let Some(Expanding { side, corner, next_edge }) = self.expanding else { return true };
        let side = side as usize;
        let Some(g) = self.labels.get(key(side, corner)).map(|label| label.g) else {
            self.expanding = None;
            return true;
        };
        let (edges, cell) = (index.edges(corner), index.cell_of(corner));
        let is_dear = edges.len() > 8;
        for edge in next_edge.max(edges.start)..edges.end {
            if is_dear && edge > edges.start && !budget.take() {
                self.expanding = Some(Expanding { side: side as u32, corner, next_edge: edge });
                return false;
            }
            let target = index.target(edge);
            let cost = index.octile(cell, index.cell_of(target)).saturating_add(index.excess(edge));
            // Stalling: over a higher corner this one is reached at less cost, so no shortest path climbs from it.
            if self.labels.get(key(side, target)).is_some_and(|above| above.g.saturating_add(cost) < g) {
                break;
            }
            self.reach(index, side, target, g.saturating_add(cost).min(INFINITE), corner);
        }
        self.expanding = None;
        true
    }
}
