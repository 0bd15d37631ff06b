//! Sets of cells of a block of 8 x 8 cells, as bits of a word: row by row from the north, each from the west.
//!
//! Directions are given by their number, clockwise from north, as in [`Direction::ALL`](crate::space::Direction).

use crate::space::{Direction, HexLayout};

const WEST: u64 = 0x0101_0101_0101_0101;
const EAST: u64 = WEST << 7;
const NORTH: u64 = 0xff;
const SOUTH: u64 = NORTH << 56;

/// Columns and rows of a step in a direction.
#[inline]
pub(super) fn offset(direction: usize) -> (i64, i64) {
    Direction::ALL[direction & 7].offset()
}

/// Whether a direction is a diagonal one.
#[inline]
pub(super) const fn is_diagonal(direction: usize) -> bool {
    direction & 1 == 1
}

/// The opposite direction.
#[inline]
pub(super) const fn back(direction: usize) -> usize {
    (direction + 4) & 7
}

/// The set moved by one cell; what would leave the block is lost.
#[inline]
pub(super) const fn moved(cells: u64, direction: usize) -> u64 {
    let east = (cells & !EAST) << 1;
    let west = (cells & !WEST) >> 1;
    match direction & 7 {
        0 => cells >> 8,
        1 => east >> 8,
        2 => east,
        3 => east << 8,
        4 => cells << 8,
        5 => west << 8,
        6 => west,
        _ => west >> 8,
    }
}

/// The cells of a block along its border in a direction: a side or a corner.
#[inline]
pub(super) const fn border(direction: usize) -> u64 {
    match direction & 7 {
        0 => NORTH,
        1 => NORTH & EAST,
        2 => EAST,
        3 => SOUTH & EAST,
        4 => SOUTH,
        5 => SOUTH & WEST,
        6 => WEST,
        _ => NORTH & WEST,
    }
}

/// The cells of a block from which one step in this direction leads to `cells` of the next block in it.
#[inline]
pub(super) const fn facing(cells: u64, direction: usize) -> u64 {
    match direction & 7 {
        0 => (cells & SOUTH) >> 56,
        1 => (cells & border(5)) >> 49,
        2 => (cells & WEST) << 7,
        3 => (cells & border(7)) << 63,
        4 => (cells & NORTH) << 56,
        5 => (cells & border(1)) << 49,
        6 => (cells & EAST) >> 7,
        _ => (cells & border(3)) >> 63,
    }
}

/// The cells of `free` that are connected with `seed`, by straight steps or by all eight.
#[inline]
pub(super) const fn flood(seed: u64, free: u64, by_corners: bool) -> u64 {
    let mut cells = seed & free;
    loop {
        let row = cells | moved(cells, 2) | moved(cells, 6);
        let from = if by_corners { row } else { cells };
        let wider = (row | from << 8 | from >> 8) & free;
        if wider == cells {
            return cells;
        }
        cells = wider;
    }
}

/// The hexagons of `free` that are connected with `seed`.
pub(super) fn flood_hexagons(seed: u64, free: u64, layout: HexLayout) -> u64 {
    let mut cells = seed & free;
    loop {
        let step = |wider: u64, direction| wider | moved(cells & hexagons(layout, direction), direction);
        let wider = (0..8).fold(cells, step) & free;
        if wider == cells {
            return cells;
        }
        cells = wider;
    }
}

/// The hexagons of a block that have a neighbour in a direction.
#[inline]
pub(super) const fn hexagons(layout: HexLayout, direction: usize) -> u64 {
    HEXAGONS[layout as usize][direction & 7]
}

/// For each layout and direction. Blocks begin at even columns and rows of the padded rectangle, so all are alike.
const HEXAGONS: [[u64; 8]; 4] = {
    let mut hexagons = [[0; 8]; 4];
    let mut number = 0;
    while number < 4 {
        let layout = HexLayout::ALL[number];
        let mut cell = 0;
        while cell < 64 {
            let directions = layout.directions(layout.shifts_cell((cell % 8, cell / 8)));
            let mut direction = 0;
            while direction < 8 {
                if directions.contains(Direction::from_number(direction)) {
                    hexagons[layout as usize][direction] |= 1 << cell;
                }
                direction += 1;
            }
            cell += 1;
        }
        number += 1;
    }
    hexagons
};

/// The lowest cell of a set, as a set.
#[inline]
pub(super) const fn lowest(cells: u64) -> u64 {
    cells & cells.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of a cell of one block and a step from it.
    fn steps() -> impl Iterator<Item = (i64, i64, usize)> {
        (0..64).flat_map(|cell| (0..8).map(move |direction| (cell % 8, cell / 8, direction)))
    }

    #[test]
    fn steps_stay_in_a_block_or_lead_to_the_next_one() {
        for (x, y, direction) in steps() {
            let bit = |x: i64, y: i64| 1_u64 << (y * 8 + x);
            let (dx, dy) = offset(direction);
            let (to_x, to_y) = (x + dx, y + dy);
            let is_inside = (0..8).contains(&to_x) && (0..8).contains(&to_y);
            assert_eq!(moved(bit(x, y), direction), if is_inside { bit(to_x, to_y) } else { 0 });
            // Straight or diagonal, the step leads into the block in that direction if both coordinates leave that can.
            let leaves = (dx == 0 || !(0..8).contains(&to_x)) && (dy == 0 || !(0..8).contains(&to_y));
            assert_eq!(border(direction) & bit(x, y) != 0, leaves);
            if leaves {
                let beyond = bit(to_x.rem_euclid(8), to_y.rem_euclid(8));
                assert_eq!(facing(beyond, direction), bit(x, y), "{x} {y} {direction}");
            }
        }
    }

    #[test]
    fn hexagons_lead_where_they_touch_and_back() {
        for layout in HexLayout::ALL {
            for (x, y, direction) in steps() {
                let (dx, dy) = offset(direction);
                let cell = 1_u64 << (y * 8 + x);
                let touches = layout.directions(layout.shifts(x - 1, y - 1));
                let is_neighbour = touches.contains(Direction::from_number(direction));
                assert_eq!(hexagons(layout, direction) & cell != 0, is_neighbour, "{layout:?}");
                if (0..8).contains(&(x + dx)) && (0..8).contains(&(y + dy)) {
                    let back = hexagons(layout, back(direction)) & moved(cell, direction) != 0;
                    assert_eq!(back, is_neighbour, "{layout:?}");
                }
            }
            assert_eq!(flood_hexagons(1, u64::MAX, layout), u64::MAX);
            // Two cells corner to corner: of the two diagonals between any four cells one joins.
            let joined = |one: u32, other: u32| {
                let both = 1_u64 << one | 1 << other;
                flood_hexagons(1 << one, both, layout) == both
            };
            assert!(joined(0, 9) != joined(1, 8), "{layout:?}");
        }
    }

    #[test]
    fn floods_reach_what_is_connected() {
        let corners = 1 | 1 << 9 | 1 << 18;
        assert_eq!((flood(1, corners, true), flood(1, corners, false)), (corners, 1));
        assert_eq!(flood(1, u64::MAX, false), u64::MAX);
        assert_eq!(flood(1, WEST | SOUTH | EAST, false), WEST | SOUTH | EAST);
    }
}
