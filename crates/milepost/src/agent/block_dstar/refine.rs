//! From pieces to cells: the best way from every cell of a piece to the next one, as one set of cells for each direction.
//!
//! A flood from the exit inwards, over all cells of equal cost at once: one word for each cost. The field that comes of it
//! serves wherever in the piece the scout stands.

use super::blocks::{Piece, Place, Terrain};
use super::masks::{back, border, facing, is_diagonal, moved};
use super::meter::Meter;

/// Costs of straight and of diagonal steps.
const STRAIGHT: u32 = 5;
const DIAGONAL: u32 = 7;

/// What a field leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// The goal, in the same piece.
    Cell(u64),
    /// A piece with these cells of the next block in a way; whether a diagonal step over the corner is allowed.
    Next { way: usize, cells: u64 },
}

/// Where a field is and what it leads to: the same places have the same field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Route {
    pub(super) place: Place,
    pub(super) cells: u64,
    pub(super) exit: Exit,
}

/// Where to go from every cell of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Field {
    pub(super) route: Route,
    /// For each direction the cells where it is the one to take.
    pub(super) ways: [u64; 8],
    /// Cells that were not reached yet.
    pub(super) rest: u64,
    /// The cost that comes next.
    pub(super) cost: u32,
    /// The cells of the last eight costs, by their last digit.
    pub(super) recent: [u64; 8],
}

impl Route {
    pub(super) fn to_piece(from: &Piece, way: usize, to: &Piece) -> Route {
        Route { place: from.place, cells: from.cells, exit: Exit::Next { way, cells: to.cells } }
    }

    pub(super) fn to_cell(from: &Piece, cell: u64) -> Route {
        Route { place: from.place, cells: from.cells, exit: Exit::Cell(cell) }
    }
}

impl Field {
    pub(super) fn new(route: Route) -> Field {
        let mut field = Field { route, ways: [0; 8], rest: route.cells, cost: 1, recent: [0; 8] };
        if let Exit::Cell(cell) = route.exit {
            field.recent[0] = cell;
            field.rest &= !cell;
        }
        field
    }

    /// The direction to take from a cell, if it has been reached.
    pub(super) fn way(&self, cell: u64) -> Option<usize> {
        self.ways.iter().position(|cells| cells & cell != 0)
    }

    /// Goes on until a cell is reached. Says no if units are missing, and `None` if it cannot be reached.
    pub(super) fn reach(&mut self, terrain: Terrain<'_>, cell: u64, meter: &mut Meter) -> Option<bool> {
        while self.rest & cell != 0 {
            // Nothing comes of eight costs in a row without any cell, once the exit has been told.
            if self.cost > DIAGONAL && self.recent.iter().fold(0, |any, cells| any | cells) == 0 {
                return None;
            }
            let straight = self.recent[(self.cost + 8 - STRAIGHT) as usize & 7];
            let diagonal = self.recent[(self.cost + 8 - DIAGONAL) as usize & 7];
            if (straight | diagonal != 0 || matches!(self.cost, STRAIGHT | DIAGONAL)) && !meter.begin() {
                return Some(false);
            }
            self.spread(terrain, straight, diagonal);
        }
        Some(true)
    }

    /// All cells of the next cost.
    fn spread(&mut self, terrain: Terrain<'_>, straight: u64, diagonal: u64) {
        let free = self.route.cells;
        let mut new = 0;
        for way in 0..8 {
            let source = if is_diagonal(way) { diagonal } else { straight };
            let mut cells = moved(source, back(way));
            if is_diagonal(way) && !terrain.cuts_corners() {
                // Both cells beside the step lie in the same piece.
                cells &= moved(free, (way + 3) & 7) & moved(free, (way + 5) & 7);
            }
            if let Exit::Next { way: out, cells: beyond } = self.route.exit {
                cells |= leaving(terrain, out, beyond, way, self.cost);
            }
            cells &= self.rest;
            self.ways[way] |= cells;
            self.rest &= !cells;
            new |= cells;
        }
        self.recent[self.cost as usize & 7] = new;
        self.cost += 1;
    }
}

/// The cells from which a step of this cost and direction leads into a piece of the next block in the way `out`.
fn leaving(terrain: Terrain<'_>, out: usize, beyond: u64, way: usize, cost: u32) -> u64 {
    if way == out && cost == if is_diagonal(way) { DIAGONAL } else { STRAIGHT } {
        return facing(beyond, out);
    }
    // A step aslant over a side. With strict corners a straight step is possible there, too, and cheaper.
    if cost == DIAGONAL && !is_diagonal(out) && terrain.cuts_corners() {
        let facing = facing(beyond, out);
        // Turned by an eighth to the right or to the left of the way out.
        if way == (out + 1) & 7 {
            return moved(facing, (out + 6) & 7) & border(out);
        }
        if way == (out + 7) & 7 {
            return moved(facing, (out + 2) & 7) & border(out);
        }
    }
    0
}
