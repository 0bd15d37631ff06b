//! The cells around a small search, by squares of 8 x 8: where the nodes of a square are, and what is asked of its cells
//! again and again. A square is looked up once in a search, and its neighbours are found from it.
//!
//! # Guarantees
//! Starting anew takes O(1). The memory is that of the squares of the largest search.

use super::direction::Direction;
use crate::core::EpochMap;

/// No square or node yet.
const NONE: u32 = u32::MAX;

/// Where the square itself stands among those around it, row by row.
const HERE: u8 = 4;

/// A cell of a window: its square in the upper bits, and its bit there in the lower six.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WindowCell(u32);

impl WindowCell {
    /// In no window.
    pub(crate) const NOWHERE: WindowCell = WindowCell(NONE);

    #[inline]
    fn new(square: u32, bit: u32) -> WindowCell {
        WindowCell(square << 6 | bit)
    }

    #[inline]
    fn square(self) -> usize {
        (self.0 >> 6) as usize
    }

    /// Row and column in the square, three bits each.
    #[inline]
    pub(crate) fn bit(self) -> u32 {
        self.0 & 63
    }
}

/// What the caller knows of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SquareFacts {
    /// Cells that are blocked, or outside the map.
    pub(crate) blocked: u64,
    /// A number that the caller wants to have at hand for cells of this square.
    pub(crate) part: u32,
}

#[derive(Clone, Debug)]
struct Square {
    column: u32,
    row: u32,
    facts: SquareFacts,
    /// Cells that have a node, and which one; the others have old numbers.
    has_node: u64,
    nodes: [u32; 64],
    /// The squares around this one, if they are in the window and the caller has gone there from here.
    around: [u32; 9],
}

/// Squares of cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Window {
    /// The first of them, as many as have numbers, are of this search.
    squares: Vec<Square>,
    /// The numbers of squares, by row and column.
    numbers: EpochMap<u64, u32>,
}

/// For each cell of a square and each direction, clockwise from north: in which square around it a step ends, and at which
/// bit.
const STEPS: [[(u8, u8); 8]; 64] = {
    let mut steps = [[(0, 0); 8]; 64];
    let mut bit = 0;
    while bit < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (columns, rows) = Direction::from_number(direction).offset();
            let (column, row) = (bit as i64 % 8 + columns, bit as i64 / 8 + rows);
            let which = (row.div_euclid(8) + 1) * 3 + column.div_euclid(8) + 1;
            steps[bit][direction] = (which as u8, (row.rem_euclid(8) * 8 + column.rem_euclid(8)) as u8);
            direction += 1;
        }
        bit += 1;
    }
    steps
};

/// Cells of a square all of whose neighbours are in it.
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;

/// The bits of the 3 x 3 cells around one of a square of 8 x 8, row by row, if all of them lie in it.
#[inline]
pub(crate) fn nine_within(square: u64, bit: u32) -> Option<usize> {
    (INNER >> bit & 1 == 1).then(|| nine_of_rows(square >> (bit - 9)))
}

/// The first three bits of three bytes, one after the other.
#[inline]
fn nine_of_rows(rows: u64) -> usize {
    (rows & 0o7 | rows >> 5 & 0o70 | rows >> 10 & 0o700) as usize
}

impl Window {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
    }

    /// The cell in a column and a row. `look` tells what is known of a square, from its column and row among squares.
    pub(crate) fn cell(
        &mut self,
        (column, row): (u32, u32),
        look: &impl Fn(u32, u32) -> SquareFacts,
    ) -> WindowCell {
        WindowCell::new(self.square_at(column >> 3, row >> 3, look), (row & 7) << 3 | column & 7)
    }

    /// The cell next to another in a direction clockwise from north. It must lie in a column and row from 0.
    #[inline]
    pub(crate) fn beside(
        &mut self,
        cell: WindowCell,
        direction: u32,
        look: &impl Fn(u32, u32) -> SquareFacts,
    ) -> WindowCell {
        let (which, bit) = STEPS[cell.bit() as usize][direction as usize & 7];
        if which == HERE {
            return WindowCell(cell.0 & !63 | u32::from(bit));
        }
        WindowCell::new(self.square_beside(cell.square(), which.into(), look), bit.into())
    }

    /// The cells of the 3 x 3 square around a cell that are free, bit by bit, row by row. The cell must not lie in column
    /// or row 0.
    #[inline]
    pub(crate) fn neighbourhood_mask(
        &mut self,
        cell: WindowCell,
        look: &impl Fn(u32, u32) -> SquareFacts,
    ) -> usize {
        let within = nine_within(self.squares[cell.square()].facts.blocked, cell.bit());
        !within.unwrap_or_else(|| self.blocked_at_side(cell, look)) & 0o777
    }

    /// The node of a cell; if it has none, `new` is its node from now on, and the number to have at hand is told.
    #[inline]
    pub(crate) fn node_or_part(&mut self, cell: WindowCell, new: u32) -> Result<u32, u32> {
        let (square, bit) = (&mut self.squares[cell.square()], cell.bit());
        if square.has_node >> bit & 1 == 1 {
            return Ok(square.nodes[bit as usize]);
        }
        square.has_node |= 1 << bit;
        square.nodes[bit as usize] = new;
        Err(square.facts.part)
    }

    /// The number to have at hand; `None` of a cell that is nowhere.
    #[inline]
    pub(crate) fn part(&self, cell: WindowCell) -> Option<u32> {
        self.squares.get(cell.square()).map(|square| square.facts.part)
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.squares.capacity() * size_of::<Square>() + self.numbers.bytes()
    }

    /// The blocked ones of the 3 x 3 cells around one that has neighbours in other squares.
    fn blocked_at_side(&mut self, cell: WindowCell, look: &impl Fn(u32, u32) -> SquareFacts) -> usize {
        let (column, row) = (cell.bit() & 7, cell.bit() >> 3);
        let mut blocked = |which: usize| {
            let square = match which {
                4 => cell.square(),
                _ => self.square_beside(cell.square(), which, look) as usize,
            };
            self.squares[square].facts.blocked
        };
        // The rows above, of and below the cell, a byte each, in the squares at one side of its own or in this one.
        let mut rows = |side: usize| match row {
            0 => blocked(side) >> 56 | (blocked(3 + side) & 0xffff) << 8,
            7 => blocked(3 + side) >> 48 | (blocked(6 + side) & 0xff) << 16,
            _ => blocked(3 + side) >> (8 * (row - 1)),
        };
        let threes = match column {
            0 => rows(0) >> 7 & 0x01_0101 | (rows(1) & 0x03_0303) << 1,
            7 => rows(1) >> 6 & 0x03_0303 | (rows(2) & 0x01_0101) << 2,
            _ => rows(1) >> (column - 1) & 0x07_0707,
        };
        nine_of_rows(threes)
    }

    #[inline]
    fn square_beside(&mut self, square: usize, which: usize, look: &impl Fn(u32, u32) -> SquareFacts) -> u32 {
        let from = &self.squares[square];
        if from.around[which] != NONE {
            return from.around[which];
        }
        let column = (from.column + which as u32 % 3).wrapping_sub(1);
        let row = (from.row + which as u32 / 3).wrapping_sub(1);
        let found = self.square_at(column, row, look);
        self.squares[square].around[which] = found;
        self.squares[found as usize].around[8 - which] = square as u32;
        found
    }

    #[inline(never)]
    fn square_at(&mut self, column: u32, row: u32, look: &impl Fn(u32, u32) -> SquareFacts) -> u32 {
        let number = self.numbers.len();
        if let Some(found) = self.numbers.get_or_set(u64::from(row) << 32 | u64::from(column), number as u32)
        {
            return found;
        }
        let (facts, around) = (look(column, row), [NONE; 9]);
        match self.squares.get_mut(number) {
            Some(old) => {
                (old.column, old.row, old.facts, old.has_node, old.around) = (column, row, facts, 0, around);
            }
            None => self.squares.push(Square { column, row, facts, has_node: 0, nodes: [NONE; 64], around }),
        }
        number as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use std::collections::BTreeMap;

    #[test]
    fn cells_are_found_from_any_side_with_their_nodes_and_what_lies_around_them() {
        let (mut rng, mut window) = (Rng::new(94), Window::default());
        for round in 0..200_u64 {
            window.clear();
            let facts = |column: u32, row: u32| {
                let seed = round << 32 | u64::from(row << 8 | column);
                let mut rng = Rng::new(seed);
                let half = |rng: &mut Rng| u64::from(rng.below(u32::MAX));
                SquareFacts { blocked: half(&mut rng) << 32 | half(&mut rng), part: seed as u32 }
            };
            let is_free = |column: u32, row: u32| {
                facts(column >> 3, row >> 3).blocked >> ((row & 7) << 3 | column & 7) & 1 == 0
            };
            let (mut column, mut row) = (1 + rng.below(60), 1 + rng.below(60));
            let mut cell = window.cell((column, row), &facts);
            let mut nodes = BTreeMap::new();
            for _ in 0..300 {
                let neighbourhood_mask =
                    (0..9).filter(|bit| is_free(column + bit % 3 - 1, row + bit / 3 - 1));
                assert_eq!(
                    window.neighbourhood_mask(cell, &facts),
                    neighbourhood_mask.fold(0, |all, bit| all | 1 << bit)
                );
                assert_eq!(window.part(cell), Some(facts(column >> 3, row >> 3).part));
                let new = nodes.len() as u32;
                match nodes.get(&(column, row)) {
                    Some(node) => assert_eq!(window.node_or_part(cell, new), Ok(*node)),
                    None => {
                        let part = window.part(cell).expect("it is in the window");
                        assert_eq!(window.node_or_part(cell, new), Err(part));
                        nodes.insert((column, row), new);
                    }
                }
                let direction = rng.below(8);
                let (dx, dy) = Direction::from_number(direction as usize).offset();
                let (x, y) = (column.wrapping_add_signed(dx as i32), row.wrapping_add_signed(dy as i32));
                if x == 0 || y == 0 {
                    continue;
                }
                (column, row, cell) = (x, y, window.beside(cell, direction, &facts));
                assert_eq!(cell, window.cell((column, row), &facts));
            }
        }
        assert_eq!(window.part(WindowCell::NOWHERE), None);
    }
}
