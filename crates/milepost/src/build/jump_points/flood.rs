//! Distances from sixteen jump points to all others, the tree of each, and what is known of the cells that see them.

use super::Study;
use super::blocks::Bounds;
use super::flat::NO_POINT;
use super::lanes::{LANES, LaneBits, Lanes, choose_tight};
use super::tree::{Hop, MOST_HOPS, NO_PARENT, Tree};
use super::words::{Word, Words};
use std::ops::Range;

/// What is known about a batch of sources: neighbours on the curve, one to a lane.
#[derive(Debug)]
pub(crate) struct Flood<W> {
    /// By rank in the hierarchy.
    by_rank: Vec<Lanes>,
    /// By jump point: the distance to each source and the symbol of the hop that leads there.
    pub(crate) words: Vec<Words<W>>,
    /// By cell: the sources that it sees, for which any symbol will do.
    pub(crate) sees: Vec<LaneBits>,
    /// The hops of each source.
    pub(crate) hops: Vec<Vec<Hop>>,
    /// For each source, the cells that see it, by the direction in which the way to them leaves the source.
    pub(crate) cones: Vec<[Bounds; 8]>,
    /// Distances and parents, lane by lane.
    flat_distances: Vec<u32>,
    flat_parents: Vec<u32>,
    /// By jump point.
    symbols: Vec<[u8; LANES]>,
    tree: Tree,
}

impl<W: Word> Flood<W> {
    pub(crate) fn new(study: &Study<'_>) -> Flood<W> {
        let points = study.points.len();
        Flood {
            by_rank: vec![Lanes::ALL_INFINITE; points],
            words: vec![Words::ALL_FAR; points],
            sees: vec![0; study.cells.len()],
            hops: Vec::new(),
            cones: Vec::new(),
            flat_distances: vec![0; points * LANES],
            flat_parents: vec![0; points * LANES],
            symbols: vec![[0; LANES]; points],
            tree: Tree::default(),
        }
    }

    /// Floods from a batch of at most sixteen sources. Each gets at most `most_hops` hops, if its first level is no
    /// more than that. False if some source sees too many jump points.
    #[inline(always)]
    pub(crate) fn run(&mut self, study: &Study<'_>, sources: Range<u32>, most_hops: usize) -> bool {
        self.seed(study, sources.clone());
        study.hierarchy.sweep(&mut self.by_rank);
        self.find_parents(study, sources.len());
        self.symbols.fill([0; LANES]);
        self.hops.clear();
        let points = study.points.len();
        for (lane, source) in sources.enumerate() {
            let range = lane * points..(lane + 1) * points;
            let (distances, parents) = (&self.flat_distances[range.clone()], &self.flat_parents[range]);
            if !self.tree.number(study, source, distances, parents, most_hops) {
                return false;
            }
            debug_assert!(self.tree.hops.len() <= MOST_HOPS);
            for (symbols, &symbol) in self.symbols.iter_mut().zip(&self.tree.symbols) {
                symbols[lane] = symbol;
            }
            self.hops.push(self.tree.hops.clone());
        }
        // The source itself has no symbol, so no cell goes over it: those whose first jump point it is see it.
        for (point, (words, symbols)) in self.words.iter_mut().zip(&self.symbols).enumerate() {
            *words = Words::pack(&self.by_rank[study.hierarchy.rank(point as u32)], symbols);
        }
        true
    }

    /// Who sees the sources.
    #[inline(always)]
    fn seed(&mut self, study: &Study<'_>, sources: Range<u32>) {
        self.by_rank.fill(Lanes::ALL_INFINITE);
        self.sees.fill(0);
        self.cones.clear();
        for (lane, source) in sources.enumerate() {
            let at = study.points[source as usize];
            self.sees[study.table.number(at) as usize] |= 1 << lane;
            let mut cones = [Bounds::EMPTY; 8];
            study.seen_from(
                source,
                #[inline(always)]
                |spot, out| {
                    let cell = study.flat.cell(spot);
                    self.sees[cell.number as usize] |= 1 << lane;
                    cones[out].add(spot);
                    if cell.point != NO_POINT {
                        let rank = study.hierarchy.rank(cell.point);
                        self.by_rank[rank].0[lane] = study.costs.octile(spot, at);
                    }
                },
            );
            self.cones.push(cones);
        }
    }

    /// The parent of a jump point is the farthest of its first jump points over which its distance comes; none if it
    /// sees the source. The source itself carries what the sweep gave it, more than 0, and so is nobody's parent.
    #[inline(always)]
    fn find_parents(&mut self, study: &Study<'_>, lanes: usize) {
        let points = study.points.len();
        for point in 0..points {
            let here = self.by_rank[study.hierarchy.rank(point as u32)];
            let legs = study.links.list(point);
            let mut chosen = Lanes([NO_PARENT; LANES]);
            for (index, leg) in legs.iter().enumerate() {
                let there = &self.by_rank[study.hierarchy.rank(leg.point)];
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
