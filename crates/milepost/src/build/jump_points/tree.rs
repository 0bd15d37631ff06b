//! The shortest-path tree of one source over the jump points, and the numbers that its nodes get.
//!
//! The *hops* of a source are the nodes of the first level: the jump points that see it. Every node carries the number of the
//! hop above or at it as its *hop_label*.

use super::JumpPointGraph;
use super::lanes::INFINITE;

/// A node without parent: the source sees it.
pub(crate) const NO_PARENT: u32 = u32::MAX;

/// The most hops that a source can have: hop_labels are bytes, 0 is none, and 255 stands in words for what is not there.
pub(crate) const MOST_HOPS: usize = 254;

/// Finds hops, with room to work in.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Nodes such that parents come first.
    order: Vec<u32>,
    counts: Vec<u32>,
    /// Jump points.
    pub(crate) hops: Vec<u32>,
    /// One more than the number of a node's hop; 0 for nodes that cannot be reached.
    pub(crate) hop_labels: Vec<u8>,
}

impl Tree {
    /// Numbers the hops of a source from the distances and parents of all jump points. False if there are more than
    /// numbers for them.
    pub(crate) fn number(
        &mut self,
        graph: &JumpPointGraph<'_>,
        source: u32,
        distances: &[u32],
        parents: &[u32],
    ) -> bool {
        self.sort(graph, source, distances);
        self.hops.clear();
        self.hop_labels.clear();
        self.hop_labels.resize(distances.len(), 0);
        for &point in &self.order {
            self.hop_labels[point as usize] = match parents[point as usize] {
                NO_PARENT if self.hops.len() == MOST_HOPS => return false,
                NO_PARENT => {
                    self.hops.push(point);
                    self.hops.len() as u8
                }
                parent => self.hop_labels[parent as usize],
            };
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
}
