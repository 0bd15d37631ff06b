//! The shortest-path tree of one source over the jump points, and the numbers that its nodes get.
//!
//! A *hop* is a node of the tree that a row may name. All nodes of the first level are hops: those that the source
//! sees. Beyond them the nodes with the most cells behind them may be hops too: one look-up then crosses several jump
//! points. Every node carries the number of the nearest hop above or at it as its *hop_label*.

use super::JumpPointGraph;
use super::lanes::INFINITE;

/// A node without parent: the source sees it.
pub(crate) const NO_PARENT: u32 = u32::MAX;

/// A hop without a hop before it.
pub(crate) const NO_HOP: u8 = u8::MAX;

/// The most hops that a source can have: hop_labels are bytes, 0 is none, and 255 is [`NO_HOP`].
pub(crate) const MOST_HOPS: usize = 254;

/// A node of the tree that has a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hop {
    /// The jump point.
    pub(crate) point: u32,
    /// The hop before it on the way, or [`NO_HOP`].
    pub(crate) before: u8,
}

/// Finds hops, with room to work in.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Nodes such that parents come first.
    order: Vec<u32>,
    counts: Vec<u32>,
    weights: Vec<u32>,
    heavy: Vec<u32>,
    pub(crate) hops: Vec<Hop>,
    /// One more than the number of a node's hop; 0 for nodes that cannot be reached.
    pub(crate) hop_labels: Vec<u8>,
}

impl Tree {
    /// Numbers the hops of a source from the distances and parents of all jump points. All nodes of the first level
    /// are hops, and the heaviest others up to `most` in all. False if the first level alone is more than there are
    /// numbers for.
    pub(crate) fn number(
        &mut self,
        graph: &JumpPointGraph<'_>,
        source: u32,
        distances: &[u32],
        parents: &[u32],
        most: usize,
    ) -> bool {
        self.sort(graph, source, distances);
        self.weights.clear();
        self.weights.extend_from_slice(&graph.cells_behind);
        let mut first_level = 0;
        let mut total = 0_u64;
        for &point in self.order.iter().rev() {
            let weight = self.weights[point as usize];
            match parents[point as usize] {
                NO_PARENT => {
                    first_level += 1;
                    total += u64::from(weight);
                }
                parent => {
                    self.weights[parent as usize] = self.weights[parent as usize].saturating_add(weight)
                }
            }
        }
        let least = self.least_weight(parents, total, most.saturating_sub(first_level));
        self.hops.clear();
        self.hop_labels.clear();
        self.hop_labels.resize(distances.len(), 0);
        for &point in &self.order {
            let parent = parents[point as usize];
            let above = if parent == NO_PARENT { 0 } else { self.hop_labels[parent as usize] };
            self.hop_labels[point as usize] = above;
            if parent == NO_PARENT || self.weights[point as usize] > least {
                if self.hops.len() == MOST_HOPS {
                    return false;
                }
                self.hops.push(Hop { point, before: above.wrapping_sub(1) });
                self.hop_labels[point as usize] = self.hops.len() as u8;
            }
        }
        true
    }

    /// Sorts the nodes that can be reached, but for the source, such that parents come first: by buckets no wider than
    /// the shortest edge.
    fn sort(&mut self, graph: &JumpPointGraph<'_>, source: u32, distances: &[u32]) {
        let shift = graph.costs.straight.ilog2();
        let farthest = distances.iter().copied().filter(|&distance| distance < INFINITE).max().unwrap_or(0);
        self.counts.clear();
        self.counts.resize((farthest >> shift) as usize + 2, 0);
        let is_node = |point: usize| distances[point] < INFINITE && point != source as usize;
        for point in (0..distances.len()).filter(|&point| is_node(point)) {
            self.counts[(distances[point] >> shift) as usize + 1] += 1;
        }
        for bucket in 1..self.counts.len() {
            self.counts[bucket] += self.counts[bucket - 1];
        }
        self.order.clear();
        self.order.resize(self.counts.last().map_or(0, |&count| count as usize), 0);
        for point in (0..distances.len()).filter(|&point| is_node(point)) {
            let place = &mut self.counts[(distances[point] >> shift) as usize];
            self.order[*place as usize] = point as u32;
            *place += 1;
        }
    }

    /// Nodes beyond the first level become hops if they weigh more than this: at most `more` of them, and only those
    /// with more than a thousandth of all cells behind them.
    fn least_weight(&mut self, parents: &[u32], total: u64, more: usize) -> u32 {
        if more == 0 {
            return u32::MAX;
        }
        let negligible = (total / 1000).min(u64::from(u32::MAX)) as u32;
        let Tree { order, weights, heavy, .. } = self;
        let beyond = order.iter().filter(|&&point| parents[point as usize] != NO_PARENT);
        heavy.clear();
        heavy.extend(beyond.map(|&point| weights[point as usize]).filter(|&weight| weight > negligible));
        if heavy.len() <= more {
            return negligible;
        }
        *heavy.select_nth_unstable_by(more, |a, b| b.cmp(a)).1
    }
}
