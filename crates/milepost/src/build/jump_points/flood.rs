//! Distances from sixteen jump points to all others, the tree of each, and what is known of the cells that see them.

use super::JumpPointGraph;
use super::blocks::Bounds;
use super::flat::NO_POINT;
use super::lanes::{LANES, LaneBits, Lanes, choose_tight};
use super::packed_distances::{DistanceWord, PackedDistances};
use super::tree::{NO_PARENT, Tree};
use std::ops::Range;

/// What is known about a batch of sources: neighbours on the curve, one to a lane.
#[derive(Debug)]
pub(crate) struct Flood<W> {
    /// By rank in the hierarchy.
    by_rank: Vec<Lanes>,
    /// By jump point: the distance to each source and the hop_label of the hop that leads there.
    pub(crate) words: Vec<PackedDistances<W>>,
    /// By cell: the sources that it sees, for which any hop_label will do.
    pub(crate) sees: Vec<LaneBits>,
    /// The hops of each source.
    pub(crate) hops: Vec<Vec<u32>>,
    /// For each source, the cells that see it.
    pub(crate) seen: Vec<Bounds>,
    /// Distances and parents, lane by lane.
    flat_distances: Vec<u32>,
    flat_parents: Vec<u32>,
    /// By jump point.
    hop_labels: Vec<[u8; LANES]>,
    tree: Tree,
}

impl<W: DistanceWord> Flood<W> {
    pub(crate) fn new(graph: &JumpPointGraph<'_>) -> Flood<W> {
        let points = graph.points.len();
        Flood {
            by_rank: vec![Lanes::ALL_INFINITE; points],
            words: vec![PackedDistances::ALL_FAR; points],
            sees: vec![0; graph.cells.len()],
            hops: Vec::new(),
            seen: Vec::new(),
            flat_distances: vec![0; points * LANES],
            flat_parents: vec![0; points * LANES],
            hop_labels: vec![[0; LANES]; points],
            tree: Tree::default(),
        }
    }

    /// Floods from a batch of at most sixteen sources. False if some source sees too many jump points.
    #[inline(always)]
    pub(crate) fn run(&mut self, graph: &JumpPointGraph<'_>, sources: Range<u32>) -> bool {
        self.seed(graph, sources.clone());
        graph.hierarchy.sweep(&mut self.by_rank);
        self.find_parents(graph, sources.len());
        self.hop_labels.fill([0; LANES]);
        self.hops.clear();
        let points = graph.points.len();
        for (lane, source) in sources.enumerate() {
            let range = lane * points..(lane + 1) * points;
            let (distances, parents) = (&self.flat_distances[range.clone()], &self.flat_parents[range]);
            if !self.tree.number(graph, source, distances, parents) {
                return false;
            }
            for (hop_labels, &hop_label) in self.hop_labels.iter_mut().zip(&self.tree.hop_labels) {
                hop_labels[lane] = hop_label;
            }
            self.hops.push(self.tree.hops.clone());
        }
        // The source itself has no hop_label, so no cell goes over it: those whose first jump point it is see it.
        for (point, (words, hop_labels)) in self.words.iter_mut().zip(&self.hop_labels).enumerate() {
            *words = PackedDistances::pack(&self.by_rank[graph.hierarchy.rank(point as u32)], hop_labels);
        }
        true
    }

    /// Finds which cells and jump points see the sources.
    #[inline(always)]
    fn seed(&mut self, graph: &JumpPointGraph<'_>, sources: Range<u32>) {
        self.by_rank.fill(Lanes::ALL_INFINITE);
        self.sees.fill(0);
        self.seen.clear();
        for (lane, source) in sources.enumerate() {
            let at = graph.points[source as usize];
            self.sees[graph.table.number(at) as usize] |= 1 << lane;
            let mut seen = Bounds::EMPTY;
            graph.seen_from(
                source,
                #[inline(always)]
                |packed| {
                    let cell = graph.flat.cell(packed);
                    self.sees[cell.number as usize] |= 1 << lane;
                    seen.add(packed);
                    if cell.point != NO_POINT {
                        let rank = graph.hierarchy.rank(cell.point);
                        self.by_rank[rank].0[lane] = graph.costs.octile(packed, at);
                    }
                },
            );
            self.seen.push(seen);
        }
    }

    /// The parent of a jump point is the farthest of its first jump points over which its distance comes; none if it
    /// sees the source. The source itself carries what the sweep gave it, more than 0, and so is the parent of none.
    #[inline(always)]
    fn find_parents(&mut self, graph: &JumpPointGraph<'_>, lanes: usize) {
        let points = graph.points.len();
        for point in 0..points {
            let here = self.by_rank[graph.hierarchy.rank(point as u32)];
            let legs = graph.links.list(point);
            let mut chosen = Lanes([NO_PARENT; LANES]);
            for (index, leg) in legs.iter().enumerate() {
                let there = &self.by_rank[graph.hierarchy.rank(leg.point)];
                choose_tight(there, leg.cost, &here, index as u32, &mut chosen);
            }
            for lane in 0..lanes {
                self.flat_distances[lane * points + point] = here.0[lane];
                self.flat_parents[lane * points + point] =
                    legs.get(chosen.0[lane] as usize).map_or(NO_PARENT, |leg| leg.point);
            }
        }
    }
}
