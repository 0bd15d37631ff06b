//! From components to cells: the best way from every cell of a component to the next one, as one set of cells for each
//! direction.
//!
//! Most moves go straight on to the next block, which takes no flood to see. For the others there is a flood from the exit
//! inwards, over all cells that are equally many moves away at once: a word for each number of moves. The field that comes
//! of it serves wherever in the component the agent stands.

use super::blocks::{BelievedGrid, Component, is_block};
use super::masks::{back, facing, is_diagonal, moved, offset};
use super::meter::Meter;
use crate::space::GridGeometry;
use serde::{Deserialize, Serialize};

/// All directions, the straight ones first.
const STRAIGHT_FIRST: [usize; 8] = [0, 2, 4, 6, 1, 3, 5, 7];

/// What a field leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Exit {
    /// The goal, in the same component.
    Cell(u64),
    /// A component with these cells of the next block in a direction; whether a diagonal step over the corner is allowed.
    Next { direction: usize, cells: u64 },
}

/// Where a field is and what it leads to: the same places have the same field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Route {
    /// The column and the row of its block among blocks.
    pub(super) block: (u32, u32),
    pub(super) cells: u64,
    pub(super) exit: Exit,
}

/// Where to go from every cell of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Field {
    pub(super) route: Route,
    /// For each direction the cells where it is the one to take.
    pub(super) by_direction: [u64; 8],
    /// Cells that were not reached yet.
    pub(super) rest: u64,
    /// Whether the flood has begun.
    pub(super) has_begun: bool,
    /// The cells that were reached last.
    pub(super) edge: u64,
}

/// What a field says of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FieldAnswer {
    /// Take this direction.
    Go(usize),
    /// Units are missing to find it.
    Later,
    /// The exit cannot be reached.
    Nowhere,
}

impl Route {
    pub(super) fn to_component(
        block: (u32, u32),
        from: &Component,
        direction: usize,
        to: &Component,
    ) -> Route {
        Route { block, cells: from.cells, exit: Exit::Next { direction, cells: to.cells } }
    }

    pub(super) fn to_cell(block: (u32, u32), from: &Component, cell: u64) -> Route {
        Route { block, cells: from.cells, exit: Exit::Cell(cell) }
    }

    /// The first move of a way to the exit that turns once at most, if nothing lies in between: none is shorter. Where steps
    /// are not straight and diagonal, only over a side.
    pub(super) fn straight_exit(&self, believed: BelievedGrid<'_>, cell: u64) -> Option<usize> {
        let target = match self.exit {
            Exit::Cell(target) => target,
            Exit::Next { direction, cells } if is_diagonal(direction) => facing(cells, direction),
            Exit::Next { direction, cells } => {
                let mut ray = cell;
                (0..7).for_each(|_| ray |= moved(ray, direction));
                return (ray & !self.cells == 0 && ray & facing(cells, direction) != 0).then_some(direction);
            }
        };
        let mut first = None;
        let mut at = cell;
        while at != target {
            let direction = towards(at, target).filter(|_| believed.geometry.rule().is_octile())?;
            let beside = if is_diagonal(direction) && believed.is_strict() {
                moved(at, direction + 7) | moved(at, direction + 1)
            } else {
                0
            };
            at = moved(at, direction);
            if at == 0 || (at | beside) & !self.cells != 0 {
                return None;
            }
            first = first.or(Some(direction));
        }
        match self.exit {
            Exit::Next { direction, .. } => first.or(Some(direction)),
            Exit::Cell(_) => first,
        }
    }
}

/// The direction from one cell to another, a diagonal one unless they lie in a row or a column.
fn towards(cell: u64, target: u64) -> Option<usize> {
    let (from, to) = (i64::from(cell.trailing_zeros()), i64::from(target.trailing_zeros()));
    let step = (((to & 7) - (from & 7)).signum(), ((to >> 3) - (from >> 3)).signum());
    (0..8).find(|direction| offset(*direction) == step)
}

impl Field {
    /// Whether this can be a field on this map.
    pub(super) fn is_sound(&self, geometry: GridGeometry) -> bool {
        let has_direction = match self.route.exit {
            Exit::Cell(_) => true,
            Exit::Next { direction, .. } => direction < 8,
        };
        has_direction && is_block(geometry, self.route.block)
    }

    pub(super) fn new(route: Route) -> Field {
        let mut field = Field { route, by_direction: [0; 8], rest: route.cells, has_begun: false, edge: 0 };
        if let Exit::Cell(cell) = route.exit {
            field.edge = cell;
            field.rest &= !cell;
        }
        field
    }

    /// The direction to take from a cell: straight to the exit, or found by going on with the flood until it is reached.
    pub(super) fn direction(
        &mut self,
        believed: BelievedGrid<'_>,
        cell: u64,
        meter: &mut Meter,
    ) -> FieldAnswer {
        // Paid for by the move.
        if let Some(direction) = self.route.straight_exit(believed, cell) {
            return FieldAnswer::Go(direction);
        }
        while self.rest & cell != 0 {
            if self.has_begun && self.edge == 0 {
                return FieldAnswer::Nowhere;
            }
            if !meter.begin() {
                return FieldAnswer::Later;
            }
            self.spread(believed);
        }
        self.by_direction
            .iter()
            .position(|cells| cells & cell != 0)
            .map_or(FieldAnswer::Nowhere, FieldAnswer::Go)
    }

    /// All cells that are one move farther. Of moves to the same number of them the straight ones are shorter.
    fn spread(&mut self, believed: BelievedGrid<'_>) {
        let free = self.route.cells;
        let mut new = 0;
        for direction in STRAIGHT_FIRST {
            let mut cells = moved(self.edge, back(direction));
            cells &= believed.stepping(direction);
            if is_diagonal(direction) && believed.is_strict() {
                // Both cells beside the step lie in the same component.
                cells &= moved(free, (direction + 3) & 7) & moved(free, (direction + 5) & 7);
            }
            if let Exit::Next { direction: out, cells: beyond } = self.route.exit
                && !self.has_begun
            {
                cells |= believed.leaving(out, beyond, direction);
            }
            cells &= self.rest;
            self.by_direction[direction] |= cells;
            self.rest &= !cells;
            new |= cells;
        }
        self.edge = new;
        self.has_begun = true;
    }
}
