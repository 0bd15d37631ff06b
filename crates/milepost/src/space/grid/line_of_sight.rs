//! Looking along octile runs: whether one is free, and which corners can be seen.
//!
//! A cell *sees* another if the run of diagonal steps first and straight ones after them leads there over free cells, no
//! diagonal step passing a blocked one. Seeing is not mutual: backwards the run goes over other cells.

use super::bits::Bits;
use super::stops::diagonal;
use crate::core::{Budget, StateId};
use crate::space::{Cell, Grid};
use serde::{Deserialize, Serialize};

/// A look from one cell to another that can be interrupted anywhere: where it has come to, and where it leads. One unit
/// for each diagonal step, and for each 64 straight ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LineOfSight {
    pub(crate) at: Cell,
    pub(crate) to: Cell,
}

impl LineOfSight {
    pub(crate) fn new(from: Cell, to: Cell) -> LineOfSight {
        LineOfSight { at: from, to }
    }

    /// Goes on, from a free cell: whether the rest of the way is free, or `None` if the budget is gone before that is
    /// known.
    pub(crate) fn advance(&mut self, grid: &Grid, budget: &mut Budget) -> Option<bool> {
        let (to_column, to_row) = (self.to.0 as i32, self.to.1 as i32);
        let (mut column, mut row) = (self.at.0 as i32, self.at.1 as i32);
        let (dx, dy) = ((to_column - column).signum(), (to_row - row).signum());
        while column != to_column && row != to_row {
            if !budget.take() {
                self.at = (column as u32, row as u32);
                return None;
            }
            if !grid.has_free(column + dx, row)
                || !grid.has_free(column, row + dy)
                || !grid.has_free(column + dx, row + dy)
            {
                return Some(false);
            }
            (column, row) = (column + dx, row + dy);
        }
        self.at = (column as u32, row as u32);
        self.straight(grid, budget)
    }

    /// The straight end of the run.
    fn straight(&mut self, grid: &Grid, budget: &mut Budget) -> Option<bool> {
        let ((from_column, from_row), (column, row)) = (self.at, self.to);
        // Between two cells of the rectangle all others are inside as well.
        if !grid.has_free(column as i32, row as i32) || !grid.has_free(from_column as i32, from_row as i32) {
            return Some(false);
        }
        let is_row = from_row == row;
        let run = if is_row {
            let number = |(column, row): Cell| row as usize * grid.stride() as usize + column as usize;
            is_run_free(grid.rows(), number(self.at), number(self.to), budget)
        } else {
            let number = |(column, row): Cell| column as usize * grid.column_stride() + row as usize;
            is_run_free(grid.columns(), number(self.at), number(self.to), budget)
        };
        let back = |from: u32, to: u32, left: u32| if from < to { to - left } else { to + left };
        match run {
            Ok(is_free) => Some(is_free),
            Err(left) => {
                self.at = if is_row {
                    (back(from_column, column, left), row)
                } else {
                    (column, back(from_row, row, left))
                };
                None
            }
        }
    }
}

/// Whether all bits between two are ones, the last included; or how many are left to be looked at.
fn is_run_free(bits: &Bits, from: usize, to: usize, budget: &mut Budget) -> Result<bool, u32> {
    let mut left = from.abs_diff(to);
    while left > 0 {
        if !budget.take() {
            return Err(left as u32);
        }
        let ones = if from < to {
            bits.window(to + 1 - left).trailing_ones()
        } else {
            bits.window_ending(to + left - 1).leading_ones()
        };
        if (ones as usize) < left.min(64) {
            return Ok(false);
        }
        left = left.saturating_sub(64);
    }
    Ok(true)
}

impl Grid {
    /// Whether a free cell sees another.
    pub(crate) fn sees_by_run(&self, from: Cell, to: Cell) -> bool {
        LineOfSight::new(from, to).advance(self, &mut Budget::unlimited()) == Some(true)
    }

    /// Names corners that a free cell sees and at which a shortest path that came so may turn: all of them, or, of those
    /// at the end of straight steps, only those that jump point search would turn at. Under rules by which one cannot
    /// jump there are none.
    pub(crate) fn corners_seen(&self, from: StateId, all: bool, visit: impl FnMut(StateId)) {
        CornerScan::new(self, from, all).advance(self, &mut Budget::unlimited(), visit);
    }
}

/// The look around a cell of [`Grid::corners_seen`], which can be interrupted anywhere: straight lines from the cell itself,
/// then four diagonals, and straight lines from each of their cells. One unit for each cell looked from, and for each word
/// read; a word names one corner at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CornerScan {
    from: Cell,
    all: bool,
    /// Which of [`TURNS`] it is at.
    turn: usize,
    /// The cell that it looks from.
    at: Cell,
    part: Part,
    /// Steps along a line to the first cell that was not looked at yet.
    steps: u32,
}

/// What is looked at next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Part {
    /// The cell looked from.
    #[default]
    Cell,
    Row,
    Column,
    /// The next cell.
    Step,
}

/// Whether the lines lead to the east and to the south: the first two turns stay at the cell itself, the others go along the
/// diagonal between their lines.
const TURNS: [(bool, bool); 6] =
    [(true, true), (false, false), (true, true), (false, true), (true, false), (false, false)];
const AT_THE_CELL: usize = 2;

impl CornerScan {
    /// From a free cell.
    pub(crate) fn new(grid: &Grid, from: StateId, all: bool) -> CornerScan {
        let cell = grid.column_and_row(from);
        CornerScan { from: cell, all, turn: 0, at: cell, part: Part::Cell, steps: 1 }
    }

    /// Goes on. False if the budget is gone before the end.
    pub(crate) fn advance(
        &mut self,
        grid: &Grid,
        budget: &mut Budget,
        mut visit: impl FnMut(StateId),
    ) -> bool {
        let Some(stops) = grid.stops() else { return true };
        let (stride, column_stride) = (grid.stride() as usize, grid.column_stride());
        while let Some(&(is_east, is_south)) = TURNS.get(self.turn) {
            let (column, row) = (self.at.0 as usize, self.at.1 as usize);
            let at = row * stride + column;
            let line = |free, up: bool, higher, lower| {
                let (ahead, back): (&Bits, &Bits) = if up { (higher, lower) } else { (lower, higher) };
                Line { free, ahead, back: self.all.then_some(back), up }
            };
            match self.part {
                Part::Cell => {
                    if !budget.take() {
                        return false;
                    }
                    if self.all && self.at != self.from && (stops.east.get(at) || stops.west.get(at)) {
                        visit(StateId::new(at as u32));
                    }
                    let asks = self.all
                        || self.turn < AT_THE_CELL
                        || stops.diagonals[diagonal(is_east, is_south)].get(at);
                    self.part = if asks { Part::Row } else { Part::Step };
                }
                Part::Row => {
                    let line = line(grid.rows(), is_east, &stops.east, &stops.west);
                    let name = |_, there| visit(StateId::new(there as u32));
                    if !line.stops(at, &mut self.steps, budget, name) {
                        return false;
                    }
                    (self.part, self.steps) = (Part::Column, 1);
                }
                Part::Column => {
                    let line = line(grid.columns(), is_south, &stops.south, &stops.north);
                    let name = |steps: usize, _| {
                        let row = if is_south { row + steps } else { row - steps };
                        visit(StateId::new((row * stride + column) as u32));
                    };
                    if !line.stops(column * column_stride + row, &mut self.steps, budget, name) {
                        return false;
                    }
                    (self.part, self.steps) = (Part::Step, 1);
                }
                Part::Step => self.step(grid, (is_east, is_south)),
            }
        }
        true
    }

    /// To the next cell of the diagonal, or to the next turn.
    fn step(&mut self, grid: &Grid, (is_east, is_south): (bool, bool)) {
        let (dx, dy) = (if is_east { 1 } else { -1 }, if is_south { 1 } else { -1 });
        let (column, row) = (self.at.0 as i32, self.at.1 as i32);
        let goes_on = self.turn >= AT_THE_CELL
            && grid.has_free(column + dx, row)
            && grid.has_free(column, row + dy)
            && grid.has_free(column + dx, row + dy);
        if goes_on {
            (self.at, self.part) = (((column + dx) as u32, (row + dy) as u32), Part::Cell);
        } else {
            (self.turn, self.at) = (self.turn + 1, self.from);
            self.part = if self.turn < AT_THE_CELL { Part::Cell } else { Part::Step };
        }
    }
}

/// A line of cells, and where runs along it stop: those that look, and if asked for those that come back.
struct Line<'a> {
    free: &'a Bits,
    ahead: &'a Bits,
    back: Option<&'a Bits>,
    /// Towards higher numbers.
    up: bool,
}

impl Line<'_> {
    /// Names every free stop from a free cell up to the wall, from so many steps on: steps to it, and its number. False if
    /// the budget is gone before the wall.
    fn stops(
        &self,
        from: usize,
        steps: &mut u32,
        budget: &mut Budget,
        mut visit: impl FnMut(usize, usize),
    ) -> bool {
        loop {
            if !budget.take() {
                return false;
            }
            let next = *steps as usize;
            let window = |bits: &Bits| {
                if self.up { bits.window(from + next) } else { bits.window_ending(from - next) }
            };
            let stops = window(self.ahead) | self.back.map_or(0, window);
            // All 64 if there is none. The border is one, so nothing leaves the map.
            *steps += if self.up { stops.trailing_zeros() } else { stops.leading_zeros() };
            if stops == 0 {
                continue;
            }
            let passed = *steps as usize;
            let there = if self.up { from + passed } else { from - passed };
            if !self.free.get(there) {
                return true;
            }
            visit(passed, there);
            *steps += 1;
        }
    }
}
