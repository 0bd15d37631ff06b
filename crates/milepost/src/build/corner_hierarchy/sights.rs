//! Which corners see each other: for every corner, the other corners and the blocks of cells from which it is seen.

use crate::build::{Progress, parallel};
use crate::core::StateId;
use crate::index::corner_hierarchy::blocks_of;
use crate::space::{Cell, Grid, SeenLine, SpaceKind, Viewshed};
use std::sync::atomic::{AtomicU64, Ordering};

/// The corners of a grid, row by row, and where they are.
pub(super) struct Corners {
    pub(super) places: Vec<Cell>,
    words_per_row: usize,
    /// Bits of each row, and the number of the first corner of each word.
    rows: Vec<u64>,
    firsts: Vec<u32>,
    words_per_column: usize,
    columns: Vec<u64>,
}

impl Corners {
    pub(super) fn of(grid: &Grid) -> Corners {
        let (columns, rows) = (grid.width() as usize + 2, grid.height() as usize + 2);
        let (words_per_row, words_per_column) = (columns / 64 + 1, rows / 64 + 1);
        let mut corners = Corners {
            places: Vec::new(),
            words_per_row,
            rows: vec![0; rows * words_per_row],
            firsts: vec![0; rows * words_per_row],
            words_per_column,
            columns: vec![0; columns * words_per_column],
        };
        let states: Vec<StateId> = grid.free_states().collect();
        let is_corner = |state: &StateId| grid.corner(*state).arrivals != 0;
        let are_corners = parallel::map_list(&states, is_corner);
        let found = states.iter().zip(are_corners).filter(|(_, is_corner)| *is_corner);
        let found: Vec<Cell> = found.map(|(state, _)| grid.column_and_row(*state)).collect();
        for (number, &(column, row)) in found.iter().enumerate() {
            let (column, row) = (column as usize, row as usize);
            let word = row * words_per_row + column / 64;
            if corners.rows[word] == 0 {
                corners.firsts[word] = number as u32;
            }
            corners.rows[word] |= 1 << (column % 64);
            corners.columns[column * words_per_column + row / 64] |= 1 << (row % 64);
        }
        corners.places = found;
        corners
    }

    pub(super) fn cell_of(&self, corner: u32) -> Cell {
        self.places[corner as usize]
    }

    /// The number of the corner in a column and row that has one.
    fn number(&self, column: usize, row: usize) -> u32 {
        let word = row * self.words_per_row + column / 64;
        self.firsts[word] + (self.rows[word] & ((1 << (column % 64)) - 1)).count_ones()
    }

    /// The corners of a line, named by their numbers.
    fn each_of(&self, line: &SeenLine<'_>, mut visit: impl FnMut(u32)) {
        let (bits, per_line) = if line.is_row {
            (&self.rows, self.words_per_row)
        } else {
            (&self.columns, self.words_per_column)
        };
        for (index, &seen) in line.words.iter().enumerate() {
            let word = line.first_word + index;
            let mut hits = if word < per_line { seen & bits[line.line * per_line + word] } else { 0 };
            while hits != 0 {
                let place = word * 64 + hits.trailing_zeros() as usize;
                hits &= hits - 1;
                let (column, row) = if line.is_row { (place, line.line) } else { (line.line, place) };
                visit(self.number(column, row));
            }
        }
    }
}

/// One corner sees another, at which a path that comes so may turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Pair {
    pub(super) from: u32,
    pub(super) to: u32,
}

/// Cells of a block see a corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenFrom {
    pub(super) block: u32,
    pub(super) corner: u32,
    /// How many cells.
    pub(super) cells: u32,
    /// Which cells of the lattice.
    pub(super) lattice: [u64; 2],
}

/// Blocks, and in each a lattice of 128 cells that stand for the others: in two squares of 8 x 8, the second half a step
/// from the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    pub(super) shift: u32,
    /// Blocks in a row, and in all.
    pub(super) across: usize,
    pub(super) count: usize,
}

impl Blocks {
    pub(super) fn of(grid: &Grid, shift: u32) -> Blocks {
        let (across, count) = blocks_of(grid, shift);
        Blocks { shift, across, count }
    }

    /// Columns and rows from cell to cell of one square.
    fn step(self) -> usize {
        1 << (self.shift - 3)
    }

    /// The first column and row of a block.
    pub(super) fn origin(self, block: usize) -> Cell {
        (((block % self.across) << self.shift) as u32, ((block / self.across) << self.shift) as u32)
    }

    /// A cell of the lattice.
    pub(super) fn lattice_place(self, block: usize, number: usize) -> Cell {
        let ((column, row), step) = (self.origin(block), self.step());
        let offset = if number < 64 { 0 } else { step / 2 };
        let (x, y) = (number % 8 * step + offset, number % 64 / 8 * step + offset);
        (column + x as u32, row + y as u32)
    }

    /// Adds the cells of a line to the tallies of their blocks.
    fn tally(self, line: &SeenLine<'_>, tallies: &mut Tallies) {
        let (side, step) = (1_usize << self.shift, self.step());
        let in_block = line.line % side;
        // Which square the line belongs to, and which of its lines it is.
        let square = match in_block % step {
            0 => Some(0),
            rest if rest == step / 2 && step > 1 => Some(1),
            _ => None,
        };
        let mask = if side == 64 { u64::MAX } else { (1 << side) - 1 };
        for (index, &seen) in line.words.iter().enumerate().filter(|(_, seen)| **seen != 0) {
            for part in 0..64 / side {
                let cells = seen >> (part * side) & mask;
                if cells == 0 {
                    continue;
                }
                let place = (((line.first_word + index) * 64) >> self.shift) + part;
                let line_of_blocks = line.line >> self.shift;
                let block = if line.is_row {
                    line_of_blocks * self.across + place
                } else {
                    place * self.across + line_of_blocks
                };
                let tally = tallies.of(block);
                tally.0 += cells.count_ones();
                let Some(square) = square else { continue };
                let offset = square * (step / 2);
                for number in 0..8 {
                    let bit = cells >> (number * step + offset) & 1;
                    let lane = in_block / step;
                    let place = if line.is_row { lane * 8 + number } else { number * 8 + lane };
                    tally.1[square] |= bit << place;
                }
            }
        }
    }
}

/// What one corner is seen from, block by block.
struct Tallies {
    of_block: Vec<(u32, [u64; 2])>,
    touched: Vec<u32>,
}

impl Tallies {
    #[inline]
    fn of(&mut self, block: usize) -> &mut (u32, [u64; 2]) {
        if self.of_block[block].0 == 0 {
            self.touched.push(block as u32);
        }
        &mut self.of_block[block]
    }
}

/// What one corner is seen from.
#[derive(Debug, Default)]
pub(super) struct Sights {
    pub(super) pairs: Vec<Pair>,
    pub(super) seen_from: Vec<SeenFrom>,
}

/// What so many corners, from the first on by steps, are seen from.
pub(super) fn sights(
    grid: &Grid,
    corners: &Corners,
    blocks: Blocks,
    chosen: &[u32],
    progress: Progress<'_>,
    total: u64,
) -> Sights {
    let done = AtomicU64::new(0);
    let room = || {
        let tallies = Tallies { of_block: vec![(0, [0; 2]); blocks.count], touched: Vec::new() };
        (Viewshed::default(), tallies)
    };
    let chunks: Vec<&[u32]> = chosen.chunks(32).collect();
    let parts: Vec<Sights> = parallel::map_list_with(&chunks, room, |(viewshed, tallies), chunk| {
        let mut sights = Sights::default();
        for &corner in *chunk {
            of_corner(grid, corners, blocks, corner, viewshed, tallies, &mut sights);
        }
        progress(done.fetch_add(chunk.len() as u64, Ordering::Relaxed) + chunk.len() as u64, total);
        sights
    });
    let mut all = Sights::default();
    for part in parts {
        all.pairs.extend(part.pairs);
        all.seen_from.extend(part.seen_from);
    }
    all
}

fn of_corner(
    grid: &Grid,
    corners: &Corners,
    blocks: Blocks,
    corner: u32,
    viewshed: &mut Viewshed,
    tallies: &mut Tallies,
    sights: &mut Sights,
) {
    let (column, row) = corners.places[corner as usize];
    // It sees itself.
    let own = [1 << (column % 64)];
    let itself = SeenLine { is_row: true, line: row as usize, first_word: column as usize / 64, words: &own };
    blocks.tally(&itself, tallies);
    viewshed.of(grid, (column, row), |line| {
        blocks.tally(&line, tallies);
        corners.each_of(&line, |other| sights.pairs.push(Pair { from: other, to: corner }));
    });
    tallies.touched.sort_unstable();
    for block in tallies.touched.drain(..) {
        let (cells, lattice) = std::mem::take(&mut tallies.of_block[block as usize]);
        sights.seen_from.push(SeenFrom { block, corner, cells, lattice });
    }
}
