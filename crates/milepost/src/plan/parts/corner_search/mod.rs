//! A search from both ends over a hierarchy of corners, upwards only, that can be interrupted anywhere.
//!
//! # Paper
//! R. Geisberger, P. Sanders, D. Schultes, D. Delling: Contraction hierarchies, WEA 2008 (the search, and stalling on
//! demand); P. Hart, N. Nilsson, B. Raphael: A formal basis for the heuristic determination of minimum cost paths, 1968
//! (the keys).
//!
//! # Symbols
//! Side 0 is the start's, side 1 the goal's. `g` what it costs from a side's end to a corner, `f` that and what it costs at
//! least from there to the other end, `best` the cost of the best path so far and `meeting` its highest corner.
//!
//! # Guarantees
//! Of all paths from a corner that the start was said to see to one that the goal was said to see the least cost is found,
//! if some path of that cost climbs to its highest corner and then descends: both sides reach that corner, and none of
//! their corners on the way has an `f` above the cost of the path; so the search may stop when the least `f` of each side is
//! no less than `best`. *Stalling*: where a higher corner tells a way to a corner that is shorter than its `g`, this is not on
//! a shortest path by way of that `g`; no more is asked of the edges than that each stands for a way of its cost.
//!
//! Corners that were never contracted, a *core*, have their edges at both ends; there either side goes on to all others.
//!
//! A corner that is only *perhaps* seen gets no label, so the other side does not meet it, until the caller has
//! looked ([`Searched::Look`]); the search asks for that only when it would expand the corner next.
//!
//! One unit for a corner that is taken from an open list and has at most 8 edges, else one for each edge.

mod chain;
mod spare;
#[cfg(feature = "observe")]
mod watch;

pub(crate) use chain::{Chain, Unpacked};
pub(crate) use spare::SpareLabels;

use crate::core::{Budget, EpochMap};
use crate::index::CornerHierarchy;
use crate::index::corner_hierarchy::INFINITE;
use crate::space::Cell;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use zerocopy::FromZeros;

/// Edges of corners that lead up, and how far it is at least to either end.
pub(crate) trait Upward {
    /// The edges of a corner.
    fn edges(&self, corner: u32) -> Range<u32>;

    /// Where an edge leads.
    fn target(&self, edge: u32) -> u32;

    /// What an edge of a corner costs.
    fn cost(&self, corner: u32, edge: u32) -> u64;

    /// No more than it costs from a corner to the end that is not this side's.
    fn rest(&self, side: usize, corner: u32) -> u64;
}

/// A hierarchy of corners between two ends.
pub(crate) struct Between<'a> {
    pub(crate) index: &'a CornerHierarchy<'a>,
    pub(crate) ends: [Cell; 2],
}

impl Between<'_> {
    /// What it costs from the end of a side to a corner that it sees.
    pub(crate) fn first_leg(&self, side: usize, corner: u32) -> u64 {
        self.index.octile(self.ends[side], self.index.place(corner))
    }
}

impl Upward for Between<'_> {
    #[inline(always)]
    fn edges(&self, corner: u32) -> Range<u32> {
        self.index.edges(corner)
    }

    #[inline(always)]
    fn target(&self, edge: u32) -> u32 {
        self.index.target(edge)
    }

    #[inline(always)]
    fn cost(&self, corner: u32, edge: u32) -> u64 {
        let octile = self.index.octile(self.index.place(corner), self.index.place(self.index.target(edge)));
        octile.saturating_add(self.index.excess(edge))
    }

    #[inline(always)]
    fn rest(&self, side: usize, corner: u32) -> u64 {
        self.index.octile(self.index.place(corner), self.ends[1 - side])
    }
}

/// How a corner was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromZeros, Serialize, Deserialize)]
pub(crate) struct Label {
    pub(crate) g: u64,
    pub(crate) parent: u32,
}

/// A corner that is to be expanded: of equal `f` the one with the least way to go first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) f: u64,
    /// `f - g`.
    pub(crate) rest: u64,
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
    /// Of each side, by corners.
    pub(crate) labels: [EpochMap<u32, Label>; 2],
    pub(crate) open: [BinaryHeap<Reverse<Entry>>; 2],
    pub(crate) best: u64,
    pub(crate) meeting: Option<u32>,
    pub(crate) expanding: Option<Expanding>,
    #[serde(skip)]
    expanded: u64,
}

impl CornerSearch {
    /// Begins anew. Nothing is found that costs as much as `best`.
    pub(crate) fn begin(&mut self, best: u64) {
        self.labels.iter_mut().for_each(EpochMap::clear);
        self.open.iter_mut().for_each(BinaryHeap::clear);
        (self.best, self.meeting, self.expanding, self.expanded) = (best.min(INFINITE), None, None, 0);
    }

    /// Makes room for so many labels, half of them on each side.
    pub(crate) fn reserve(&mut self, labels: usize) {
        self.labels.iter_mut().for_each(|side| side.reserve(labels.div_ceil(2)));
    }

    /// Whether this can have been restored: every corner was reached from a lower one, or from an end.
    pub(crate) fn is_sound(&self) -> bool {
        self.labels.iter().flat_map(EpochMap::iter).all(|(corner, label)| label.parent <= corner)
            && self.expanding.is_none_or(|expanding| expanding.side < 2)
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        let entries: usize = self.open.iter().map(BinaryHeap::capacity).sum();
        self.label_bytes() + entries * size_of::<Entry>()
    }

    /// Memory that labels take.
    pub(crate) fn label_bytes(&self) -> usize {
        self.labels.iter().map(EpochMap::bytes).sum()
    }

    /// Corners that were reached, from either side.
    pub(crate) fn reached(&self) -> usize {
        self.labels.iter().map(EpochMap::len).sum()
    }

    /// Corners expanded.
    pub(crate) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The end of a side sees a corner, at this cost.
    #[inline]
    pub(crate) fn seed(&mut self, graph: &impl Upward, side: usize, corner: u32, g: u64) {
        let known = self.labels[side].get(corner);
        self.reach(graph, side, (corner, known), g, corner);
    }

    /// The end of a side may see a corner.
    #[inline]
    pub(crate) fn seed_unsure(&mut self, graph: &impl Upward, side: usize, corner: u32, g: u64) {
        if g == 0 {
            return self.seed(graph, side, corner, g);
        }
        let rest = graph.rest(side, corner);
        let f = g.saturating_add(rest);
        self.open[side].push(Reverse(Entry { f, rest, corner: corner | UNSURE }));
    }

    /// A way to a corner, of which this is known.
    #[inline]
    fn reach(
        &mut self,
        graph: &impl Upward,
        side: usize,
        (corner, known): (u32, Option<Label>),
        g: u64,
        parent: u32,
    ) {
        if known.is_some_and(|label| label.g <= g) {
            return;
        }
        let rest = graph.rest(side, corner);
        let f = g.saturating_add(rest);
        if f >= self.best {
            return;
        }
        self.labels[side].set(corner, Label { g, parent });
        self.open[side].push(Reverse(Entry { f, rest, corner }));
        if let Some(other) = self.labels[1 - side].get(corner) {
            let cost = g.saturating_add(other.g);
            if cost < self.best {
                (self.best, self.meeting) = (cost, Some(corner));
            }
        }
    }

    /// What lies before a corner on the way from the end of a side; itself if nothing does.
    pub(crate) fn parent(&self, side: usize, corner: u32) -> Option<u32> {
        self.labels[side].get(corner).map(|label| label.parent)
    }

    /// Goes on.
    #[inline]
    pub(crate) fn run(&mut self, graph: &impl Upward, budget: &mut Budget) -> Searched {
        loop {
            if !self.follow_edges(graph, budget) {
                return Searched::Suspended;
            }
            let least = |side: usize| self.open[side].peek().map_or(u64::MAX, |entry| entry.0.f);
            let side = usize::from(least(1) < least(0));
            if least(side) >= self.best.min(INFINITE) {
                return Searched::Done;
            }
            if !budget.take() {
                return Searched::Suspended;
            }
            let Some(Reverse(entry)) = self.open[side].pop() else { return Searched::Done };
            let (corner, g) = (entry.corner & !UNSURE, entry.f.saturating_sub(entry.rest));
            let label = self.labels[side].get(corner);
            if entry.corner & UNSURE != 0 {
                if label.is_none_or(|label| label.g > g) {
                    return Searched::Look { side, corner };
                }
            } else if label.is_some_and(|label| label.g == g) {
                self.expanded += 1;
                let next_edge = graph.edges(corner).start;
                self.expanding = Some(Expanding { side: side as u32, corner, next_edge });
            }
        }
    }

    /// Follows the edges of the corner that is being expanded. False if the budget is gone before.
    #[inline]
    fn follow_edges(&mut self, graph: &impl Upward, budget: &mut Budget) -> bool {
        let Some(Expanding { side, corner, next_edge }) = self.expanding else { return true };
        let side = side as usize;
        let Some(g) = self.labels[side].get(corner).map(|label| label.g) else {
            self.expanding = None;
            return true;
        };
        let edges = graph.edges(corner);
        let is_dear = edges.len() > 8;
        for edge in next_edge.max(edges.start)..edges.end {
            if is_dear && edge > edges.start && !budget.take() {
                self.expanding = Some(Expanding { side: side as u32, corner, next_edge: edge });
                return false;
            }
            let (target, cost) = (graph.target(edge), graph.cost(corner, edge));
            let known = self.labels[side].get(target);
            // Stalling: over a higher corner this one is reached at less cost, so no shortest path climbs from it.
            if known.is_some_and(|above| above.g.saturating_add(cost) < g) {
                break;
            }
            self.reach(graph, side, (target, known), g.saturating_add(cost).min(INFINITE), corner);
        }
        self.expanding = None;
        true
    }
}
