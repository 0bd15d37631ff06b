//! Sources that share a row: 8 x 8 cells of a grid, or 64 states that follow each other in the order of numbers.

use super::sets::LaneSets;
use crate::build::BuildError;
use crate::build::numbering::depth_first;
use crate::core::StateId;
use crate::index::MOST_COLUMNS;
use crate::index::first_moves::places::{self, Patches};
use crate::index::first_moves::rows::LANES;
use crate::index::first_moves::{
    DIGIT_BASE, GREEDY, LINK_SYMBOLS, LISTS, NO_PATH, RAW, SQUARES, link_symbol,
};
use crate::index::jump_table::MOST_CELLS;
use crate::space::{FIRST_LINK, Grid, Space, SpaceKind};

/// States up to which the table is kept as it is.
pub(super) const RAW_MOST: u32 = 256;

/// No source.
pub(super) const IDLE: u32 = u32::MAX;

/// Up to 64 sources.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The place of its row among all.
    pub(super) place: usize,
    /// The number of each source, or [`IDLE`].
    pub(super) sources: [u32; LANES],
    /// Which digit of its edge slot a lane stands for, where slots have several.
    pub(super) digits: [u8; LANES],
    /// The symbols that mean something for each source; all for lanes without.
    pub(super) allowed: LaneSets,
}

impl Block {
    fn empty(place: usize) -> Block {
        Block { place, sources: [IDLE; LANES], digits: [0; LANES], allowed: LaneSets::ANY }
    }

    /// The lanes that have a source.
    pub(super) fn used(&self) -> impl Iterator<Item = (usize, u32)> {
        self.sources.iter().copied().enumerate().filter(|&(_, source)| source != IDLE)
    }
}

/// How the table of a space is laid out.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub(super) space: &'a Space,
    /// The states by their numbers.
    pub(super) order: Vec<StateId>,
    pub(super) form: u32,
    /// Of a grid.
    pub(super) patches: Patches,
    pub(super) blocks: Vec<Block>,
    /// How many rows may have a head.
    pub(super) places: usize,
    /// For each number, and one more, its first lane; empty if every state has one.
    pub(super) first_lanes: Vec<u32>,
}

impl<'a> Plan<'a> {
    /// The plan for a space, in the form that suits it, or without a raw table in any case.
    pub(crate) fn new(space: &'a Space, may_be_raw: bool) -> Result<Plan<'a>, BuildError> {
        let (order, patches) = match space.as_grid() {
            Some(grid) if !places::fits(grid) => {
                return Err(BuildError::TooLarge { most_columns: MOST_COLUMNS - 2, most_cells: MOST_CELLS });
            }
            Some(grid) => {
                let patches = Patches::new(grid);
                (along_the_curve(grid, &patches), patches)
            }
            None => (depth_first(space), Patches::default()),
        };
        Ok(Plan::laid_out(space, may_be_raw, order, patches))
    }

    /// The plan for a space whose states, if it is a graph, have these numbers already.
    pub(crate) fn numbered(
        space: &'a Space,
        may_be_raw: bool,
        order: Vec<StateId>,
    ) -> Result<Plan<'a>, BuildError> {
        match space.as_grid() {
            Some(_) => Plan::new(space, may_be_raw),
            None => Ok(Plan::laid_out(space, may_be_raw, order, Patches::default())),
        }
    }

    fn laid_out(space: &'a Space, may_be_raw: bool, order: Vec<StateId>, patches: Patches) -> Plan<'a> {
        let mut plan =
            Plan { space, order, form: RAW, patches, blocks: Vec::new(), places: 0, first_lanes: Vec::new() };
        match space.as_grid() {
            _ if may_be_raw && space.states() <= RAW_MOST => {}
            Some(grid) if most_links(grid) <= LINK_SYMBOLS => plan.cut_into_squares(grid),
            _ => plan.cut_into_lists(),
        }
        plan
    }

    fn cut_into_squares(&mut self, grid: &Grid) {
        (self.form, self.places) = (SQUARES, self.patches.patches.len());
        let mut blocks: Vec<Option<Block>> = vec![None; self.places];
        let mut along: Vec<usize> = Vec::new();
        for (&state, number) in self.order.iter().zip(0..) {
            let Some(place) = self.patches.read(grid).cell(state) else { continue };
            let block = blocks[place.patch].get_or_insert_with(|| {
                along.push(place.patch);
                Block::empty(place.patch)
            });
            block.sources[place.lane] = number;
            block.allowed.0[place.lane] = symbols_of_cell(self.space, grid, state);
        }
        self.blocks = along.into_iter().filter_map(|patch| blocks[patch].take()).collect();
    }

    fn cut_into_lists(&mut self) {
        self.form = LISTS;
        let mut first_lanes = vec![0];
        let mut lanes: Vec<(u32, u8, u16)> = Vec::new();
        for (&state, number) in self.order.iter().zip(0..) {
            let slots = self.space.edge_slots(state);
            let digits = digits(slots);
            for digit in 0..digits {
                let allowed = match digits {
                    1 => (0..slots).fold(1 << NO_PATH, |set, slot| {
                        set | u16::from(self.space.successor_at(state, slot).is_some()) << slot
                    }),
                    _ => u16::MAX,
                };
                lanes.push((number, digit, allowed));
            }
            first_lanes.push(lanes.len() as u32);
        }
        let block = |(place, lanes): (usize, &[(u32, u8, u16)])| {
            let mut block = Block::empty(place);
            for (lane, &(source, digit, allowed)) in lanes.iter().enumerate() {
                (block.sources[lane], block.digits[lane], block.allowed.0[lane]) = (source, digit, allowed);
            }
            block
        };
        self.blocks = lanes.chunks(LANES).enumerate().map(block).collect();
        self.places = self.blocks.len();
        self.first_lanes = if lanes.len() == self.order.len() { Vec::new() } else { first_lanes };
    }
}

/// The cells in the order of their numbers.
fn along_the_curve(grid: &Grid, patches: &Patches) -> Vec<StateId> {
    let mut order = vec![StateId::NONE; grid.states() as usize];
    for state in grid.free_states() {
        if let Some(place) = patches.read(grid).cell(state) {
            order[place.number as usize] = state;
        }
    }
    order
}

/// The most links that begin at one cell.
fn most_links(grid: &Grid) -> usize {
    let links = grid.links();
    links.chunk_by(|a, b| a.from == b.from).map(<[_]>::len).max().unwrap_or(0)
}

/// The symbols that mean something for a cell.
fn symbols_of_cell(space: &Space, grid: &Grid, state: StateId) -> u16 {
    let mut symbols = u16::from(grid.directions(state).bits()) | 1 << GREEDY;
    if !grid.links().is_empty() {
        symbols |= 1 << NO_PATH;
        let links = (0..LINK_SYMBOLS).filter(|link| space.successor_at(state, FIRST_LINK + link).is_some());
        links.for_each(|link| symbols |= 1 << link_symbol(link));
    }
    symbols
}

/// How many digits the numbers of so many edge slots have.
pub(crate) fn digits(slots: usize) -> u8 {
    let (mut digits, mut reach) = (1, DIGIT_BASE);
    while reach < slots {
        (digits, reach) = (digits + 1, reach * DIGIT_BASE);
    }
    digits
}
