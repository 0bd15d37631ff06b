//! "`jump-table`".

use super::curve::{levels, place};
use super::spaces::ahead;
use super::{Arrays, Cell, Map, number};
use std::collections::HashMap;

/// The numbers of cells, and what is said of each.
pub(super) struct Table {
    /// Of every free cell.
    pub(super) numbers: HashMap<Cell, usize>,
    values: Vec<[i8; 8]>,
}

impl Table {
    pub(super) fn new(map: &Map, arrays: &Arrays) -> Table {
        let k = levels(map);
        let mut along: Vec<Cell> = map.cells().collect();
        along.sort_by_key(|&(column, row)| place(k, column, row, 0).0);
        let numbers: HashMap<Cell, usize> = along.iter().copied().zip(0..).collect();
        let points: Vec<Cell> = along.iter().copied().filter(|&cell| map.is_jump_point(cell)).collect();
        let (in_row, in_column) = ((map.width + 2 + 7) / 8, (map.height + 2 + 7) / 8);
        assert_eq!(arrays[0].len() as i64, 24 * in_row * in_column);
        let (mut cells_seen, mut points_seen) = (0, 0);
        for (index, square) in arrays[0].chunks(24).enumerate() {
            let (first_column, first_row) = (index as i64 % in_row * 8, index as i64 / in_row * 8);
            let turn = place(k - 3, first_column / 8, first_row / 8, 0).1;
            let (free, jump_points) = (number(square, 0, 8), number(square, 8, 8));
            let (free_before, points_before) = (number(square, 16, 4), number(square, 20, 4));
            assert_eq!((free_before >> 30) as i64, turn);
            let free_before = (free_before & ((1 << 30) - 1)) as usize;
            for inside in 0..64 {
                let cell = (first_column + inside % 8, first_row + inside / 8);
                let bit = place(3, inside % 8, inside / 8, turn).0;
                let lower = (1_u64 << bit) - 1;
                assert_eq!(free >> bit & 1 == 1, map.is_free(cell), "{cell:?}");
                assert_eq!(jump_points >> bit & 1 == 1, map.is_jump_point(cell), "{cell:?}");
                if map.is_free(cell) {
                    assert_eq!(numbers[&cell], free_before + (free & lower).count_ones() as usize);
                    cells_seen += 1;
                }
                if map.is_jump_point(cell) {
                    let point = points_before as usize + (jump_points & lower).count_ones() as usize;
                    assert_eq!(points[point], cell);
                    points_seen += 1;
                }
            }
        }
        assert_eq!((cells_seen, points_seen), (numbers.len(), points.len()));
        let values = arrays[1].chunks(8).map(|chunk| std::array::from_fn(|at| chunk[at] as i8)).collect();
        Table { numbers, values }
    }

    /// What the values say, read on where they say so.
    pub(super) fn jump(&self, mut from: Cell, direction: usize) -> i64 {
        let mut steps = 0;
        loop {
            let value = i64::from(self.values[self.numbers[&from]][direction]);
            if value != -127 {
                return if value > 0 { steps + value } else { value - steps };
            }
            steps += 127;
            from = ahead(from, direction, 127);
        }
    }
}
