//! Whether the steps in a jump table end on free cells, for all cells and directions of some rows at once.
//!
//! Where a cell says one step more than its neighbour ahead, both end on the same cell, and it is enough to look at the
//! neighbour. So only few cells must be looked up: those before a jump point, and those whose table says something odd.
//! That makes the check several times faster than a look-up for each value.

use super::jumps::Entry;
use super::packed_cell::step;
use crate::core::vectorized;
use crate::space::Grid;

/// The steps of every cell in ten rows: two of the rows before, and the eight of a row of squares. Byte `d` of a word is
/// for direction `d`.
#[derive(Debug)]
pub(super) struct Band {
    /// Words of a row: one for each column, and one on either side.
    length: usize,
    words: Vec<u64>,
    /// For one row of cells: the highest bit of every byte that must be looked up.
    odd: Vec<u64>,
}

const ROWS: usize = 10;

/// What stands for a blocked cell: with one step more it is still no number of steps.
const BLOCKED: u64 = 0xfefe_fefe_fefe_fefe;
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

impl Band {
    pub(super) fn new(columns: usize) -> Band {
        let length = columns + 2;
        Band { length, words: vec![BLOCKED; ROWS * length], odd: vec![0; columns] }
    }

    /// Notes a free cell in a row of the squares, 0 to 7.
    #[inline]
    pub(super) fn put(&mut self, column: u32, row: u32, entry: &Entry) {
        // Each byte without its sign, all at once.
        let word = u64::from_le_bytes(entry.map(|value| value as u8));
        let signs = (word & HIGH) >> 7;
        let word = (word ^ (signs * 0xff)) + signs;
        let index = (row as usize + 2) * self.length + column as usize + 1;
        if let Some(place) = self.words.get_mut(index) {
            *place = word;
        }
    }

    /// A cell whose steps do not all end on free cells, in all rows but the last, which waits for the next squares.
    /// `first_row` is the first row of the squares.
    pub(super) fn wrong_cell(&mut self, grid: &Grid, first_row: u32) -> Option<(i32, i32)> {
        let Band { length, words, odd } = self;
        for row in 1..ROWS - 1 {
            let around = &words[(row - 1) * *length..(row + 2) * *length];
            vectorized!(find_odd(around, odd));
            for (column, &odd) in odd.iter().enumerate().filter(|(_, odd)| **odd != 0) {
                let word = around[*length + column + 1];
                let (column, row) = (column as i32, first_row as i32 + row as i32 - 2);
                if !ends_on_free_cells(grid, column, row, word, odd) {
                    return Some((column, row));
                }
            }
        }
        None
    }

    /// Makes room for the next row of squares.
    pub(super) fn move_on(&mut self) {
        self.words.copy_within((ROWS - 2) * self.length.., 0);
        self.words[2 * self.length..].fill(BLOCKED);
    }
}

/// Marks the bytes of the middle one of three rows that are neither zero nor one more than their neighbours' ahead.
#[inline(always)]
fn find_odd(rows: &[u64], odd: &mut [u64]) {
    let (columns, length) = (odd.len(), odd.len() + 2);
    let byte = |word: u64, direction: u32| word & 0xff << (8 * direction);
    let from = |row: usize, column: usize| &rows[row * length + column..][..columns];
    let (nw, n, ne) = (from(0, 0), from(0, 1), from(0, 2));
    let (w, here, e) = (from(1, 0), from(1, 1), from(1, 2));
    let (sw, s, se) = (from(2, 0), from(2, 1), from(2, 2));
    for column in 0..columns {
        let ahead = byte(n[column], 0)
            | byte(ne[column], 1)
            | byte(e[column], 2)
            | byte(se[column], 3)
            | byte(s[column], 4)
            | byte(sw[column], 5)
            | byte(w[column], 6)
            | byte(nw[column], 7);
        let word = here[column];
        let is_free = if word == BLOCKED { 0 } else { u64::MAX };
        odd[column] = some_bits(word ^ (ahead + ONES)) & some_bits(word) & is_free;
    }
}

/// The highest bit of every byte that is not zero.
#[inline(always)]
fn some_bits(word: u64) -> u64 {
    (((word & !HIGH) + (ONES * 0x7f)) | word) & HIGH
}

/// Looks up where the steps of a cell end, in the directions whose bits are set.
fn ends_on_free_cells(grid: &Grid, column: i32, row: i32, word: u64, mut directions: u64) -> bool {
    let mut are_free = true;
    while directions != 0 {
        let direction = directions.trailing_zeros() as usize / 8;
        directions &= directions - 1;
        let steps = i32::from(word.to_le_bytes()[direction]);
        let (dx, dy) = step(direction);
        are_free &= grid.has_free(column + dx * steps, row + dy * steps);
    }
    are_free
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Point, Rng};
    use crate::space::Rule;

    /// Looks every value up.
    fn wrong_cells(grid: &Grid, entries: &[Vec<Entry>]) -> Vec<(i32, i32)> {
        let mut wrong = Vec::new();
        for (row, entries) in (1..).zip(entries) {
            for (column, entry) in (1..).zip(entries) {
                let is_free =
                    |x: i32, y: i32| grid.is_free_at(Point::new(i64::from(x) - 1, i64::from(y) - 1));
                let lands = |direction: usize| {
                    let steps = i32::from(entry[direction].unsigned_abs());
                    is_free(column + step(direction).0 * steps, row + step(direction).1 * steps)
                };
                if is_free(column, row) && !(0..8).all(lands) {
                    wrong.push((column, row));
                }
            }
        }
        wrong
    }

    #[test]
    fn a_band_finds_a_wrong_cell_where_looking_every_value_up_does() {
        let mut rng = Rng::new(72);
        let mut found = 0;
        for round in 0..3000 {
            let (width, height) = (1 + rng.below(20), 1 + rng.below(20));
            let grid = Grid::new(width, height, Rule::Octile, |_, _| rng.below(5) > 0).unwrap();
            // Walks of any length, mostly over free cells.
            let mut entry = |column: i32, row: i32| -> Entry {
                std::array::from_fn(|direction| {
                    let mut steps = 0;
                    let (dx, dy) = step(direction);
                    while rng.below(8) > 0 && grid.has_free(column + dx * (steps + 1), row + dy * (steps + 1))
                    {
                        steps += 1;
                    }
                    let is_odd = round % 2 == 0 && rng.below(2000) == 0;
                    if is_odd {
                        rng.below(256) as u8 as i8
                    } else {
                        steps as i8 * if steps % 2 == 0 { 1 } else { -1 }
                    }
                })
            };
            let entries: Vec<Vec<Entry>> = (1..=height as i32)
                .map(|row| (1..=width as i32).map(|column| entry(column, row)).collect())
                .collect();
            let in_row = (width as usize + 2).div_ceil(8);
            let mut band = Band::new(in_row * 8);
            let mut wrong = None;
            for first_row in (0..height + 2).step_by(8) {
                for row in first_row..first_row + 8 {
                    for column in 0..=width {
                        if grid.has_free(column as i32, row as i32) {
                            band.put(
                                column,
                                row - first_row,
                                &entries[row as usize - 1][column as usize - 1],
                            );
                        }
                    }
                }
                wrong = wrong.or(band.wrong_cell(&grid, first_row));
                band.move_on();
            }
            let expected = wrong_cells(&grid, &entries);
            assert_eq!(wrong, expected.first().copied(), "{round}");
            found += usize::from(wrong.is_some());
        }
        assert!(found > 100, "{found}");
    }
}
