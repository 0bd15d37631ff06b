//! Sets of right moves by floods: one from each source, on any space.
//!
//! A flood names for every target the set of first moves that begin a shortest path there. The floods of the sources of
//! a block are kept side by side, then looked at target by target.
//!
//! # Guarantees
//! The sets are exact. Memory for each thread: 2 bytes for each source of a block and target.

use super::RowMaker;
use super::blocks::{Block, Plan, digits};
use super::coder::{Coder, Row};
use super::greedy::BlockGreedy;
use super::sets::LaneSets;
use crate::build::cell_flood::{self, Flood, Terrain};
use crate::build::network::{Network, NetworkFlood};
use crate::core::vectorized;
use crate::index::PackedCell;
use crate::index::first_moves::rows::LANES;
use crate::index::first_moves::{DIGIT_BASE, NO_PATH, SQUARES, link_symbol};
use crate::space::{FIRST_LINK, Grid, Reach, SpaceKind};

/// Targets that are looked at together.
const CHUNK: usize = 64;

/// The sets of a block, source by source.
struct MoveSets {
    /// For each lane, a set for each target.
    sets: Vec<u16>,
    targets: usize,
}

impl MoveSets {
    fn new(targets: usize) -> MoveSets {
        MoveSets { sets: vec![0; targets * LANES], targets }
    }

    fn lane(&mut self, lane: usize) -> &mut [u16] {
        &mut self.sets[lane * self.targets..][..self.targets]
    }

    /// Codes the row, target by target.
    #[inline(always)]
    fn code(
        &self,
        plan: &Plan<'_>,
        block: &Block,
        greedy: Option<(&Grid, &BlockGreedy)>,
        coder: &mut Coder,
    ) -> Row {
        coder.begin(&block.allowed);
        let mut chunk = [LaneSets::ANY; CHUNK];
        for first in (0..self.targets).step_by(CHUNK) {
            let count = CHUNK.min(self.targets - first);
            for (lane, _) in block.used() {
                let sets = &self.sets[lane * self.targets + first..][..count];
                for (chunk, &set) in chunk.iter_mut().zip(sets) {
                    chunk.0[lane] = set;
                }
            }
            for (index, sets) in chunk[..count].iter_mut().enumerate() {
                if let Some((grid, greedy)) = greedy {
                    greedy.add(PackedCell::of(grid, plan.order[first + index]), sets);
                }
                coder.push((first + index) as u32, sets);
            }
        }
        coder.finish()
    }
}

/// Floods over a grid where steps cost what the rule says.
pub(super) struct CellFloods<'a> {
    plan: &'a Plan<'a>,
    grid: &'a Grid,
    terrain: Terrain,
}

impl<'a> CellFloods<'a> {
    /// `None` where steps cost something else, or too much for these floods.
    pub(super) fn new(plan: &'a Plan<'a>) -> Option<CellFloods<'a>> {
        let grid = plan.space.as_grid()?;
        let costs = cell_flood::costs(grid)?;
        (plan.form == SQUARES).then(|| CellFloods { plan, grid, terrain: Terrain::new(grid, costs) })
    }
}

impl CellFloods<'_> {
    /// Memory that a thread takes.
    pub(super) fn bytes(&self) -> u64 {
        self.plan.order.len() as u64 * 2 * LANES as u64 + self.grid.id_bound() as u64 * 4
    }
}

pub(super) struct CellScratch {
    flood: Flood,
    move_sets: MoveSets,
    coder: Coder,
}

impl RowMaker for CellFloods<'_> {
    type Scratch = CellScratch;

    fn scratch(&self) -> CellScratch {
        let targets = self.plan.order.len();
        CellScratch {
            flood: Flood::new(&self.terrain),
            move_sets: MoveSets::new(targets),
            coder: Coder::new(),
        }
    }

    fn row(&self, block: &Block, scratch: &mut CellScratch) -> Row {
        let CellScratch { flood, move_sets, coder } = scratch;
        let order = &self.plan.order;
        for (lane, source) in block.used() {
            let start = PackedCell::of(self.grid, order[source as usize]);
            let sets = move_sets.lane(lane);
            vectorized!({
                flood.run(&self.terrain, start, |_, _| {});
                for (set, &state) in sets.iter_mut().zip(order) {
                    // What cannot be reached, and the start itself: any move will do.
                    let steps = flood.first_steps(state);
                    *set = if steps == 0 { u16::MAX } else { u16::from(steps) };
                }
                sets[source as usize] = u16::MAX;
            });
        }
        let greedy = BlockGreedy::new(self.grid, order, block);
        vectorized!(move_sets.code(self.plan, block, Some((self.grid, &greedy)), coder))
    }
}

/// Floods over anything.
pub(super) struct NetworkFloods<'a> {
    plan: &'a Plan<'a>,
    network: Network,
}

impl<'a> NetworkFloods<'a> {
    pub(super) fn new(plan: &'a Plan<'a>) -> NetworkFloods<'a> {
        NetworkFloods { plan, network: Network::new(plan.space, &plan.order) }
    }

    /// Memory that a thread takes.
    pub(super) fn bytes(&self) -> u64 {
        self.plan.order.len() as u64 * (2 * LANES as u64 + 32)
    }

    /// The sets of one lane.
    fn flood(&self, block: &Block, lane: usize, source: u32, flood: &mut NetworkFlood, sets: &mut [u16]) {
        let (plan, space) = (self.plan, self.plan.space);
        let state = plan.order[source as usize];
        // What cannot be reached: that must be said, unless it is known without.
        for (set, &target) in sets.iter_mut().zip(&plan.order) {
            *set = if space.reach(state, target) == Reach::Never { u16::MAX } else { 0 };
        }
        flood.measure(&self.network, source);
        let arcs = self.network.arcs(source);
        let names = self.network.slots(source).iter();
        let numbers: Vec<usize> = names.map(|&slot| space.slot_number(state, slot)).collect();
        let is_list = plan.form != SQUARES;
        let digits = if is_list { digits(space.edge_slots(state)) } else { 1 };
        for (arcs, numbers) in arcs.chunks(64).zip(numbers.chunks(64)) {
            flood.label(&self.network, arcs, |target, mut label| {
                let set = &mut sets[target as usize];
                if digits > 1 {
                    // One edge slot of several, since digits cannot be chosen one by one.
                    let slot = numbers[label.trailing_zeros() as usize];
                    let digit = slot / DIGIT_BASE.pow(u32::from(block.digits[lane])) % DIGIT_BASE;
                    *set = if *set == 0 { 1 << digit } else { *set };
                    return;
                }
                while label != 0 {
                    let slot = numbers[label.trailing_zeros() as usize];
                    let symbol =
                        if is_list || slot < FIRST_LINK { slot } else { link_symbol(slot - FIRST_LINK) };
                    *set |= 1 << symbol;
                    label &= label - 1;
                }
            });
        }
        sets[source as usize] = u16::MAX;
        sets.iter_mut().filter(|set| **set == 0).for_each(|set| *set = 1 << NO_PATH);
    }
}

pub(super) struct NetworkScratch {
    flood: NetworkFlood,
    move_sets: MoveSets,
    coder: Coder,
}

impl RowMaker for NetworkFloods<'_> {
    type Scratch = NetworkScratch;

    fn scratch(&self) -> NetworkScratch {
        let move_sets = MoveSets::new(self.plan.order.len());
        NetworkScratch { flood: NetworkFlood::new(&self.network), move_sets, coder: Coder::new() }
    }

    fn row(&self, block: &Block, scratch: &mut NetworkScratch) -> Row {
        let NetworkScratch { flood, move_sets, coder } = scratch;
        for (lane, source) in block.used() {
            self.flood(block, lane, source, flood, move_sets.lane(lane));
        }
        let grid = self.plan.space.as_grid().filter(|_| self.plan.form == SQUARES);
        let greedy = grid.map(|grid| (grid, BlockGreedy::new(grid, &self.plan.order, block)));
        let greedy = greedy.as_ref().map(|(grid, greedy)| (*grid, greedy));
        vectorized!(move_sets.code(self.plan, block, greedy, coder))
    }
}
