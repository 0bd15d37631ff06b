//! Corners: what the walls around a cell force upon a path that passes it, under rules with strict corners.
//!
//! A straight step from `b` to `x` makes `x` a *jump point* on one side if the cell beside `b` on that side is blocked
//! and the cell beside `x` is free: only through `x` is that cell reached as cheaply. All that follows depends on the
//! 3 x 3 square around `x` alone, so it is tabled for the 512 masks of free cells.

use crate::core::StateId;
use crate::space::Grid;

/// What the walls around a free cell say, for each straight arrival: 0 = going north, 1 = east, 2 = south, 3 = west.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Corner {
    /// Bit `a`: the cell is a jump point for arrival `a`.
    pub(crate) arrivals: u8,
    /// For each arrival, the directions (as bits, clockwise from north) that lead where nothing else leads as cheaply:
    /// the side cell behind a wall, and the diagonal next to it.
    pub(crate) forced: [u8; 4],
    /// For each arrival, the directions that are not strictly longer than a way around this cell: a superset of the
    /// straight on and forced ones. Zero where the cell behind is blocked.
    pub(crate) unbeaten: [u8; 4],
}

/// By neighbourhood mask: three bits for the row above from west to east, then the middle row, then the row below.
static CORNERS: [Corner; 512] = {
    let mut table = [Corner { arrivals: 0, forced: [0; 4], unbeaten: [0; 4] }; 512];
    let mut neighbourhood_mask = 0;
    while neighbourhood_mask < 512 {
        if is_free(neighbourhood_mask, 0, 0) {
            table[neighbourhood_mask] = corner(neighbourhood_mask);
        }
        neighbourhood_mask += 1;
    }
    table
};

/// Columns and rows of the straight directions.
const STEPS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

const fn corner(neighbourhood_mask: usize) -> Corner {
    let mut corner = Corner { arrivals: 0, forced: [0; 4], unbeaten: [0; 4] };
    let mut arrival = 0;
    while arrival < 4 {
        let (dx, dy) = STEPS[arrival];
        if is_free(neighbourhood_mask, -dx, -dy) {
            let ahead = 2 * arrival;
            let mut unbeaten = 1 << ahead | 1 << ((ahead + 1) % 8) | 1 << ((ahead + 7) % 8);
            let mut side = 0;
            while side < 2 {
                // To the right of the arrival, then to the left.
                let turn = if side == 0 { 2 } else { 6 };
                let direction = (ahead + turn) % 8;
                let (sx, sy) = STEPS[direction / 2];
                if !is_free(neighbourhood_mask, sx - dx, sy - dy) {
                    unbeaten |= 1 << direction;
                    if is_free(neighbourhood_mask, sx, sy) {
                        corner.arrivals |= 1 << arrival;
                        let diagonal = if side == 0 { (ahead + 1) % 8 } else { (ahead + 7) % 8 };
                        corner.forced[arrival] |= 1 << direction | 1 << diagonal;
                    }
                }
                side += 1;
            }
            corner.unbeaten[arrival] = unbeaten;
        }
        arrival += 1;
    }
    corner
}

const fn is_free(neighbourhood_mask: usize, dx: i32, dy: i32) -> bool {
    neighbourhood_mask >> ((dy + 1) * 3 + dx + 1) & 1 == 1
}

impl Grid {
    /// What the walls around a free cell force. Meaningful under rules with strict corners.
    #[inline]
    pub(crate) fn corner(&self, state: StateId) -> &'static Corner {
        &CORNERS[self.moves().neighbourhood_mask(state)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(drawing: &str) -> Corner {
        let cells = drawing.bytes().filter(|byte| !byte.is_ascii_whitespace());
        CORNERS[cells.enumerate().fold(0, |bits, (i, b)| bits | usize::from(b == b'.') << i)]
    }

    #[test]
    fn open_ground_forces_nothing() {
        let corner = drawn("... ... ...");
        assert_eq!((corner.arrivals, corner.forced), (0, [0; 4]));
        // Going east: east and the two diagonals beside it can tie, all else is beaten.
        assert_eq!(corner.unbeaten[1], 0b0000_1110);
    }

    #[test]
    fn a_wall_that_ends_forces_the_cell_behind_it() {
        let corner = drawn("@.. ... ...");
        // Going east past the wall: north and north-east. Going south the wall is on the right, but beside the cell
        // that comes from above there is no free cell to the west that it hides.
        assert_eq!(corner.arrivals, 0b0110);
        assert_eq!(corner.forced[1], 0b0000_0011);
        assert_eq!(corner.unbeaten[1], 0b0000_1111);
        // Going south from the north cell, whose western neighbour is blocked: west and south-west.
        assert_eq!(corner.forced[2], 0b0110_0000);
    }

    #[test]
    fn no_path_arrives_from_a_blocked_cell() {
        let corner = drawn("@.. @.. @..");
        assert_eq!((corner.arrivals & 0b0010, corner.unbeaten[1]), (0, 0));
    }
}
