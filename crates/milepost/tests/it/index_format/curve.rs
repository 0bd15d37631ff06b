//! "Cells, directions and the curve".

use super::{Cell, Map, number};
use std::collections::HashMap;

/// k: the curve runs through a square of 2^k cells a side.
pub(super) fn levels(map: &Map) -> u32 {
    let side = (map.width + 2).max(map.height + 2).max(8) as u64;
    side.next_power_of_two().ilog2()
}

/// The number of a place along the curve, and how the curve is turned there.
pub(super) fn place(levels: u32, x: i64, y: i64, mut turn: i64) -> (u64, i64) {
    let mut number = 0;
    for level in (0..levels).rev() {
        let (mut column, mut row) = (x >> level & 1, y >> level & 1);
        if turn & 2 != 0 {
            (column, row) = (1 - column, 1 - row);
        }
        if turn & 1 != 0 {
            (column, row) = (row, column);
        }
        number = 4 * number + ((3 * column) ^ row) as u64;
        if row == 0 {
            turn = turn ^ 1 ^ (2 * column);
        }
    }
    (number, turn)
}

/// Square, lane and number of every free cell.
pub(super) fn places(map: &Map, squares: &[u8]) -> HashMap<Cell, (usize, usize, usize)> {
    let k = levels(map);
    let in_row = (map.width + 2).div_euclid(8) + i64::from((map.width + 2) % 8 != 0);
    let mut places = HashMap::new();
    for (column, row) in map.cells() {
        let square = (row / 8 * in_row + column / 8) as usize;
        let record = &squares[16 * square..][..16];
        let (free, before) = (number(record, 0, 8), number(record, 8, 4));
        let turn = place(k - 3, column / 8, row / 8, 0).1;
        assert_eq!(before >> 30, turn as u64);
        let lane = place(3, column % 8, row % 8, turn).0;
        assert_eq!(free >> lane & 1, 1);
        let below = (free & ((1 << lane) - 1)).count_ones() as u64;
        places.insert((column, row), (square, lane as usize, ((before & 0x3fff_ffff) + below) as usize));
    }
    places
}
