//! Thins the list of corners that a block sees to those that are needed.
//!
//! Sample cells of the block stand for all of its cells, landmarks for all goals. For a sample and a landmark any corner
//! will do over which the way is at most a thousandth longer than over the best one. The list is a set cover of these
//! pairs, found greedily; corners that all cells see count more, since a query need not look for them.
//!
//! What a sample sees other cells may not see. So a cell of the lattice that sees no superset of what some sample sees
//! of the list becomes a sample itself, until there is none.
//!
//! At last every cell must see a corner of the list, if there is one that it sees and at which a path may turn.

use super::landmarks::{LANDMARKS, Landmarks};
use super::sights::{Blocks, Corners, SeenFrom};
use crate::index::StepCosts;
use crate::index::corner_hierarchy::NARROW_INFINITE as INFINITE;
use crate::space::{Cell, Grid};

/// Landmarks that hints are for: the first ones.
pub(super) const HINTS: usize = 16;

/// Samples of a block at most.
const SAMPLES: usize = 24;

/// How much longer than over the best corner a way may be: one part in so many.
const LOSS: u32 = 1000;

/// How much more a corner counts that all cells see.
const SURE: u32 = 4;

/// The list of one block.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub(super) corners: Vec<u32>,
    /// All cells see so many of them, the first ones.
    pub(super) sure: usize,
    /// The nearest landmark, then for each landmark the place of a corner in the list.
    pub(super) hints: [u8; HINTS + 1],
}

const NO_HINT: u8 = 255;

impl Cover {
    /// An empty list.
    pub(super) const NONE: Cover = Cover { corners: Vec::new(), sure: 0, hints: [NO_HINT; HINTS + 1] };
}

/// What a block is thinned by.
pub(super) struct Thinning<'a> {
    pub(super) grid: &'a Grid,
    pub(super) corners: &'a Corners,
    pub(super) blocks: Blocks,
    pub(super) landmarks: &'a Landmarks,
    pub(super) costs: StepCosts,
}

type Bits = [u64; LANDMARKS / 64];

/// A sample cell: for each landmark, whether it has yet to be served; for each corner, which ones that serves.
struct Sample {
    at: Cell,
    /// Its number in the lattice; `None` for a cell beside it.
    number: Option<usize>,
    open: Bits,
    served: Vec<Bits>,
}

impl Thinning<'_> {
    /// The list of a block whose cells see these corners.
    pub(super) fn cover(&self, block: usize, raw: &[SeenFrom]) -> Cover {
        let cells = self.free_cells(block);
        let is_sure: Vec<bool> = raw.iter().map(|seen| seen.cells as usize == cells.len()).collect();
        let mut picked: Vec<usize> = Vec::new();
        let mut samples: Vec<Sample> = Vec::new();
        let mut fresh = self.first_samples(block, &cells);
        while !fresh.is_empty() {
            for (at, number) in fresh.drain(..) {
                samples.push(self.sample(at, number, raw, &is_sure, &picked));
            }
            pick(&mut samples, &is_sure, &mut picked);
            self.add_differing(block, raw, &is_sure, &picked, &samples, &mut fresh);
        }
        self.show_one_to_every_cell(raw, &is_sure, &cells, &mut picked);
        // Stable: of equals those that serve most come first.
        picked.sort_by_key(|&index| !is_sure[index]);
        Cover {
            corners: picked.iter().map(|&index| raw[index].corner).collect(),
            sure: picked.iter().filter(|&&index| is_sure[index]).count().min(255),
            hints: self.hints(raw, &is_sure, &picked, samples.first()),
        }
    }

    fn free_cells(&self, block: usize) -> Vec<Cell> {
        let ((column, row), side) = (self.blocks.origin(block), 1 << self.blocks.shift);
        let places =
            (row..row + side).flat_map(|row| (column..column + side).map(move |column| (column, row)));
        places.filter(|&(column, row)| self.grid.has_free(column as i32, row as i32)).collect()
    }

    /// Cells spread over the block: the middle, then towards the corners and sides.
    fn first_samples(&self, block: usize, cells: &[Cell]) -> Vec<(Cell, Option<usize>)> {
        const SPREAD: [(u32, u32); 7] = [(4, 4), (1, 1), (7, 1), (1, 7), (7, 7), (4, 0), (0, 4)];
        let ((column, row), side) = (self.blocks.origin(block), 1 << self.blocks.shift);
        let lattice: Vec<(Cell, Option<usize>)> = (0..128)
            .map(|number| (self.blocks.lattice_place(block, number), Some(number)))
            .filter(|((column, row), _)| self.grid.has_free(*column as i32, *row as i32))
            .collect();
        let mut chosen: Vec<(Cell, Option<usize>)> = Vec::new();
        for (x, y) in SPREAD {
            let wanted = (column + side * x / 8, row + side * y / 8);
            let apart = |&&(at, _): &&(Cell, Option<usize>)| {
                at.0.abs_diff(wanted.0).pow(2) + at.1.abs_diff(wanted.1).pow(2)
            };
            chosen.extend(
                lattice.iter().min_by_key(apart).filter(|nearest| !chosen.contains(nearest)).copied(),
            );
        }
        if chosen.is_empty() {
            chosen.extend(cells.first().map(|&cell| (cell, None)));
        }
        chosen
    }

    fn sees(&self, at: Cell, number: Option<usize>, seen: &SeenFrom, is_sure: bool) -> bool {
        match number {
            _ if is_sure => true,
            Some(number) => seen.lattice[number / 64] >> (number % 64) & 1 == 1,
            None => self.sees_by_looking(at, seen.corner),
        }
    }

    fn sees_by_looking(&self, at: Cell, corner: u32) -> bool {
        let there = self.corners.places[corner as usize];
        at == there || self.grid.sees_by_run(at, there) && self.grid.turns_at(there, at)
    }

    fn octile(&self, at: Cell, corner: u32) -> u32 {
        let there = self.corners.places[corner as usize];
        self.costs.octile(at, there).min(INFINITE.into()) as u32
    }

    fn sample(
        &self,
        at: Cell,
        number: Option<usize>,
        raw: &[SeenFrom],
        is_sure: &[bool],
        picked: &[usize],
    ) -> Sample {
        let mut best = [INFINITE; LANDMARKS];
        let costs: Vec<Option<u32>> = (raw.iter().zip(is_sure))
            .map(|(seen, &sure)| self.sees(at, number, seen, sure).then(|| self.octile(at, seen.corner)))
            .collect();
        for (seen, cost) in raw.iter().zip(&costs) {
            let Some(cost) = *cost else { continue };
            for (best, distance) in best.iter_mut().zip(self.landmarks.of(seen.corner)) {
                *best = (*best).min(cost + distance);
            }
        }
        // What cannot be reached needs no corner.
        let limits = best.map(|best| if best < INFINITE { best + best / LOSS } else { 0 });
        let mut open = Bits::default();
        let mut served = vec![Bits::default(); raw.len()];
        for ((seen, cost), served) in raw.iter().zip(&costs).zip(&mut served) {
            let Some(cost) = *cost else { continue };
            let distances = self.landmarks.of(seen.corner);
            for (word, bits) in served.iter_mut().enumerate() {
                for bit in 0..64 {
                    let is_served = cost + distances[word * 64 + bit] <= limits[word * 64 + bit];
                    *bits |= u64::from(is_served) << bit;
                }
                open[word] |= *bits;
            }
        }
        for &index in picked {
            (0..open.len()).for_each(|word| open[word] &= !served[index][word]);
        }
        Sample { at, number, open, served }
    }

    /// Cells of the lattice that see no superset of what some sample sees of the list.
    fn add_differing(
        &self,
        block: usize,
        raw: &[SeenFrom],
        is_sure: &[bool],
        picked: &[usize],
        samples: &[Sample],
        fresh: &mut Vec<(Cell, Option<usize>)>,
    ) {
        let odd: Vec<usize> = picked.iter().copied().filter(|&index| !is_sure[index]).take(64).collect();
        let sees_mask = |at: Cell, number: Option<usize>| {
            let bit =
                |(bit, &index): (usize, &usize)| u64::from(self.sees(at, number, &raw[index], false)) << bit;
            odd.iter().enumerate().map(bit).fold(0, |sees_mask, bit| sees_mask | bit)
        };
        let mut known: Vec<u64> = samples.iter().map(|sample| sees_mask(sample.at, sample.number)).collect();
        for number in 0..128 {
            if known.len() >= SAMPLES {
                return;
            }
            let at = self.blocks.lattice_place(block, number);
            let seen = sees_mask(at, Some(number));
            if self.grid.has_free(at.0 as i32, at.1 as i32) && !known.iter().any(|known| known & !seen == 0) {
                known.push(seen);
                fresh.push((at, Some(number)));
            }
        }
    }

    /// Adds corners until every cell that sees one sees one of the list.
    fn show_one_to_every_cell(
        &self,
        raw: &[SeenFrom],
        is_sure: &[bool],
        cells: &[Cell],
        picked: &mut Vec<usize>,
    ) {
        if picked.iter().any(|&index| is_sure[index]) {
            return;
        }
        for &cell in cells {
            let sees = |&index: &usize| self.sees_by_looking(cell, raw[index].corner);
            if !picked.iter().any(sees) {
                let nearest =
                    (0..raw.len()).filter(sees).min_by_key(|&index| self.octile(cell, raw[index].corner));
                picked.extend(nearest);
            }
        }
    }

    fn hints(
        &self,
        raw: &[SeenFrom],
        is_sure: &[bool],
        picked: &[usize],
        from: Option<&Sample>,
    ) -> [u8; HINTS + 1] {
        let mut hints = [NO_HINT; HINTS + 1];
        let Some(from) = from else { return hints };
        let mut nearest = INFINITE;
        for landmark in 0..HINTS {
            let over = |(place, &index): (usize, &usize)| {
                let seen = &raw[index];
                let cost = self.octile(from.at, seen.corner) + self.landmarks.of(seen.corner)[landmark];
                let is_seen = self.sees(from.at, from.number, seen, is_sure[index]);
                (is_seen && cost < INFINITE && place < usize::from(NO_HINT)).then_some((cost, place as u8))
            };
            let Some((cost, place)) = picked.iter().enumerate().filter_map(over).min() else { continue };
            hints[landmark + 1] = place;
            if cost < nearest {
                (nearest, hints[0]) = (cost, landmark as u8);
            }
        }
        hints
    }
}

/// Picks corners until all samples are served.
fn pick(samples: &mut [Sample], is_sure: &[bool], picked: &mut Vec<usize>) {
    loop {
        let gain = |index: usize| -> u32 {
            let served = |sample: &Sample| -> u32 {
                sample
                    .open
                    .iter()
                    .zip(&sample.served[index])
                    .map(|(open, bits)| (open & bits).count_ones())
                    .sum()
            };
            samples.iter().map(served).sum::<u32>() * if is_sure[index] { SURE } else { 1 }
        };
        let best = (0..is_sure.len()).map(|index| (gain(index), std::cmp::Reverse(index))).max();
        let Some((1.., std::cmp::Reverse(index))) = best else { return };
        picked.push(index);
        for sample in samples.iter_mut() {
            for (open, bits) in sample.open.iter_mut().zip(&sample.served[index]) {
                *open &= !bits;
            }
        }
    }
}
