//! For every free cell and each of eight directions: how far it is to the next jump point, or to the wall.
//!
//! # Layout
//! docs/index-format.md describes the arrays. Free cells are numbered along a [curve](super::curve), and so are the
//! jump points among them. Eight bytes a free cell, and 24 for each 64 cells of the padded rectangle; beside them, for
//! the jump points alone, what walking over the table from each of them finds ([`JumpLinks`]).
//!
//! # Paper
//! S. Rabin, N. Sturtevant: Faster A* with goal bounding, Game AI Pro 3, 2017, on JPS+; D. Harabor, A. Grastien:
//! Improving jump point search, ICAPS 2014.

use super::band::Band;
use super::curve::{CELLS, PLACES, levels, place};
use super::jump_links::JumpLinks;
use super::jumps::{Entry, Jumps, WALLED_IN};
use super::packed_cell::{MOST_COLUMNS, PackedCell};
use crate::core::StateId;
use crate::index::{Atlas, Corruption, IndexKind, Section};
use crate::space::{Grid, SpaceKind};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// 8 x 8 cells of the padded rectangle. Bit `p` tells about the cell at place `p` of the curve inside the square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Square {
    pub(crate) free: u64,
    pub(crate) jump_points: u64,
    /// Free cells before this square on the curve, and in the two highest bits how the curve is turned here.
    pub(crate) free_before: u32,
    pub(crate) jump_points_before: u32,
}

/// Maps with more free cells are refused.
pub(crate) const MOST_CELLS: u32 = (1 << 30) - 1;
const COUNT_MASK: u32 = (1 << 30) - 1;

/// The table, ready to be read. Every method returns something for every cell, whatever the bytes are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpTable<'a> {
    squares: &'a [Square],
    squares_in_row: usize,
    entries: &'a [Entry],
    stride: u32,
}

const NOWHERE: Square = Square { free: 0, jump_points: 0, free_before: 0, jump_points_before: 0 };

impl Atlas {
    /// The grid and its jump table.
    #[inline]
    pub(crate) fn jump_table(&self) -> Option<JumpTable<'_>> {
        let grid = self.space().as_grid()?;
        Some(JumpTable::new(grid, self.section(IndexKind::JUMP_TABLE)?))
    }

    /// The jump points of the jump table, and their links.
    #[inline]
    pub(crate) fn jump_links(&self) -> Option<JumpLinks<'_>> {
        let grid = self.space().as_grid()?;
        self.section(IndexKind::JUMP_TABLE).map(|section| JumpLinks::new(grid, section))
    }
}

impl<'a> JumpTable<'a> {
    /// A section that [`JumpTable::check`] has accepted.
    #[inline]
    pub(crate) fn new(grid: &Grid, section: &'a Section) -> JumpTable<'a> {
        JumpTable::of(grid, section.array(0), section.array(1))
    }

    pub(crate) fn of(grid: &Grid, squares: &'a [Square], entries: &'a [Entry]) -> JumpTable<'a> {
        JumpTable { squares, squares_in_row: squares_in_row(grid), entries, stride: grid.stride() }
    }

    /// Whether a section can be the table of a grid: the lengths of its arrays, that exactly the free cells have
    /// numbers, and that so many steps from a cell as each of its values says lies a free cell. So jumps stay on the
    /// map and come to an end, whatever else the values say.
    pub(crate) fn check(grid: &Grid, section: &Section) -> Result<(), Corruption> {
        let (columns, rows) = (grid.width() + 2, grid.height() + 2);
        if columns.max(rows) > MOST_COLUMNS {
            let expected = format!("a map of at most {} columns and rows", MOST_COLUMNS - 2);
            return Err(Corruption::at(0, expected, format!("{} x {}", grid.width(), grid.height())));
        }
        let squares = section.exactly::<Square>(0, squares_in_row(grid) * squares_in_column(grid))?;
        let entries = section.exactly::<Entry>(1, grid.states() as usize)?;
        let in_row = squares_in_row(grid);
        let (mut cells, mut band) = (0, Band::new(in_row * 8));
        for (index, square) in squares.iter().enumerate() {
            let at = section.offset(0) + (index * size_of::<Square>()) as u64;
            let (first_column, first_row) = ((index % in_row) as u32 * 8, (index / in_row) as u32 * 8);
            let number = square.free_before & COUNT_MASK;
            let entries = entries.get(number as usize..).unwrap_or_default();
            if entries.len() < square.free.count_ones() as usize {
                let expected = format!("numbers of cells below {}", grid.states());
                return Err(Corruption::at(at, expected, format!("cells from number {number} on")));
            }
            let cell_at = &CELLS[(square.free_before >> 30) as usize];
            let mut places = square.free;
            for entry in entries.iter().take(square.free.count_ones() as usize) {
                let cell = u32::from(cell_at[(places.trailing_zeros() & 63) as usize]);
                places &= places.wrapping_sub(1);
                let (column, row) = (first_column + (cell & 7), first_row + (cell >> 3));
                if !grid.has_free(column as i32, row as i32) {
                    let expected = format!("no number for the blocked cell in column {column}, row {row}");
                    return Err(Corruption::at(at, expected, "one"));
                }
                band.put(column, cell >> 3, entry);
            }
            cells += square.free.count_ones();
            if (index + 1) % in_row == 0 {
                if let Some((column, row)) = band.wrong_cell(grid, first_row) {
                    let found = format!("others from column {column}, row {row}");
                    return Err(Corruption::at(section.offset(1), "steps that end on free cells", found));
                }
                band.move_on();
            }
        }
        if cells != grid.states() {
            let found = format!("numbers for {cells}");
            return Err(Corruption::at(
                section.offset(0),
                format!("numbers for {} cells", grid.states()),
                found,
            ));
        }
        JumpLinks::check(grid, JumpTable::new(grid, section).jump_points(), section)
    }

    #[inline(always)]
    fn square(&self, packed: PackedCell) -> (&Square, u64) {
        let index = (packed.row() >> 3) as usize * self.squares_in_row + (packed.column() >> 3) as usize;
        let square = self.squares.get(index).unwrap_or(&NOWHERE);
        let places = &PLACES[(square.free_before >> 30) as usize];
        let place = places[((packed.row() & 7) << 3 | packed.column() & 7) as usize];
        (square, 1 << (place & 63))
    }

    /// The number of a free cell along the curve.
    #[inline(always)]
    pub(crate) fn number(&self, packed: PackedCell) -> u32 {
        let (square, bit) = self.square(packed);
        (square.free_before & COUNT_MASK) + (square.free & (bit - 1)).count_ones()
    }

    #[inline(always)]
    pub(crate) fn is_jump_point(&self, packed: PackedCell) -> bool {
        let (square, bit) = self.square(packed);
        square.jump_points & bit != 0
    }

    /// The number of a jump point along the curve.
    #[inline(always)]
    pub(crate) fn jump_point(&self, packed: PackedCell) -> u32 {
        let (square, bit) = self.square(packed);
        square.jump_points_before.wrapping_add((square.jump_points & (bit - 1)).count_ones())
    }

    /// How many jump points there are.
    pub(crate) fn jump_points(&self) -> usize {
        self.squares.iter().map(|square| square.jump_points.count_ones() as usize).sum()
    }

    /// The id of a cell.
    #[inline]
    pub(crate) fn state(&self, packed: PackedCell) -> StateId {
        packed.state(self.stride)
    }

    /// What ids of cells below each other differ by.
    #[inline]
    pub(crate) fn stride(&self) -> u32 {
        self.stride
    }
}

impl Jumps for JumpTable<'_> {
    #[inline(always)]
    fn entry(&self, packed: PackedCell) -> &Entry {
        self.entries.get(self.number(packed) as usize).unwrap_or(&WALLED_IN)
    }
}

pub(crate) fn squares_in_row(grid: &Grid) -> usize {
    (grid.width() as usize + 2).div_ceil(8)
}

pub(crate) fn squares_in_column(grid: &Grid) -> usize {
    (grid.height() as usize + 2).div_ceil(8)
}

/// The squares of a grid.
pub(crate) fn squares(grid: &Grid, is_jump_point: impl Fn(StateId) -> bool) -> Vec<Square> {
    let (in_row, in_column) = (squares_in_row(grid), squares_in_column(grid));
    let levels = levels(grid.width() + 2, grid.height() + 2) - 3;
    let mut squares = vec![Square::default(); in_row * in_column];
    let mut along_the_curve: Vec<(u64, u8, u32)> = (0..squares.len())
        .map(|index| {
            let (place, turn) = place(levels, (index % in_row) as u32, (index / in_row) as u32, 0);
            (place, turn, index as u32)
        })
        .collect();
    along_the_curve.sort_unstable();
    for &(_, turn, index) in &along_the_curve {
        squares[index as usize].free_before = u32::from(turn) << 30;
    }
    for state in grid.free_states() {
        let packed = PackedCell::of(grid, state);
        let square = &mut squares[(packed.row() >> 3) as usize * in_row + (packed.column() >> 3) as usize];
        let places = &PLACES[(square.free_before >> 30) as usize];
        let bit = 1 << places[((packed.row() & 7) << 3 | packed.column() & 7) as usize];
        square.free |= bit;
        if is_jump_point(state) {
            square.jump_points |= bit;
        }
    }
    let (mut free, mut jump_points) = (0, 0);
    for &(_, _, index) in &along_the_curve {
        let square = &mut squares[index as usize];
        square.free_before |= free;
        square.jump_points_before = jump_points;
        free += square.free.count_ones();
        jump_points += square.jump_points.count_ones();
    }
    squares
}
