//! A curve through all cells that keeps neighbours together.
//!
//! Cells, jump points and the columns of rows are numbered along a Hilbert curve: cells that are near each other have
//! numbers that are near each other, so what is looked up together lies together, and equal answers form long runs.
//!
//! # Paper
//! D. Hilbert: Über die stetige Abbildung einer Linie auf ein Flächenstück, Mathematische Annalen 38, 1891.

/// How a square of the curve is turned against the square of the whole: two bits, 1 = axes swapped, 2 = both mirrored.
pub(crate) type Turn = u8;

/// The place of a cell along the curve through a square of `2^levels` x `2^levels` cells, and how the curve is turned
/// inside that cell.
pub(crate) const fn place(levels: u32, x: u32, y: u32, turn: Turn) -> (u64, Turn) {
    let (mut place, mut turn, mut level) = (0, turn, levels);
    while level > 0 {
        level -= 1;
        let (bit_x, bit_y) = (x >> level & 1, y >> level & 1);
        let mirrored = if turn & 2 != 0 { 1 } else { 0 };
        let (mut column, mut row) = (bit_x ^ mirrored, bit_y ^ mirrored);
        if turn & 1 != 0 {
            (column, row) = (row, column);
        }
        place = place << 2 | ((3 * column) ^ row) as u64;
        if row == 0 {
            turn ^= 1 | (column as Turn) << 1;
        }
    }
    (place, turn)
}

/// For each turn, the places of the cells of an 8 x 8 square, by row and column.
pub(crate) static PLACES: [[u8; 64]; 4] = {
    let mut places = [[0; 64]; 4];
    let mut turn = 0;
    while turn < 4 {
        let mut cell = 0;
        while cell < 64 {
            places[turn][cell] = place(3, cell as u32 % 8, cell as u32 / 8, turn as Turn).0 as u8;
            cell += 1;
        }
        turn += 1;
    }
    places
};

/// The other way round: for each turn and place, the cell, row by row.
pub(crate) static CELLS: [[u8; 64]; 4] = {
    let mut cells = [[0; 64]; 4];
    let mut turn = 0;
    while turn < 4 {
        let mut cell = 0;
        while cell < 64 {
            cells[turn][PLACES[turn][cell] as usize] = cell as u8;
            cell += 1;
        }
        turn += 1;
    }
    cells
};

/// Levels of the smallest square that holds this many columns and rows, at least an 8 x 8 one.
pub(crate) fn levels(columns: u32, rows: u32) -> u32 {
    columns.max(rows).max(8).next_power_of_two().ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_visits_every_cell_once_and_goes_from_neighbour_to_neighbour() {
        let mut cells: Vec<(u64, i32, i32)> = (0..64 * 64)
            .map(|cell| (place(6, cell % 64, cell / 64, 0).0, (cell % 64) as i32, (cell / 64) as i32))
            .collect();
        cells.sort_unstable();
        for (number, pair) in cells.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            assert_eq!(from.0, number as u64);
            assert_eq!((from.1 - to.1).abs() + (from.2 - to.2).abs(), 1, "{from:?} {to:?}");
        }
    }

    #[test]
    fn a_square_of_the_curve_is_the_curve_turned() {
        for cell in 0..64 * 64_u32 {
            let (x, y) = (cell % 64, cell / 64);
            let (square, turn) = place(3, x / 8, y / 8, 0);
            let inside = PLACES[usize::from(turn)][(y % 8 * 8 + x % 8) as usize];
            assert_eq!(place(6, x, y, 0).0, square * 64 + u64::from(inside));
        }
    }
}
