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
    /// at the end of straight steps, only those that jump point search would turn at. Returns the work: diagonal cells
    /// passed and words read. Under rules by which one cannot jump there are none.
    pub(crate) fn corners_seen(&self, from: StateId, all: bool, mut visit: impl FnMut(StateId)) -> u64 {
        let Some(stops) = self.stops() else { return 0 };
        let (stride, column_stride) = (self.stride() as usize, self.column_stride());
        let (column, row) = self.column_and_row(from);
        let start = (column as usize, row as usize);
        let mut words = 0;
        let mut look = |(column, row): (i32, i32), is_east: Option<bool>, is_south: Option<bool>| {
            let (column, row) = (column as usize, row as usize);
            let at = row * stride + column;
            if all && (column, row) != start && (stops.east.get(at) || stops.west.get(at)) {
                visit(StateId::new(at as u32));
            }
            let pair = |up: bool, higher, lower| {
                let (ahead, back): (&Bits, &Bits) = if up { (higher, lower) } else { (lower, higher) };
                Line { free: self.rows(), ahead, back: all.then_some(back), up }
            };
            if let Some(is_east) = is_east {
                pair(is_east, &stops.east, &stops.west).stops(
                    row * stride + column,
                    &mut words,
                    |_, there| {
                        visit(StateId::new(there as u32));
                    },
                );
            }
            if let Some(is_south) = is_south {
                let line = Line { free: self.columns(), ..pair(is_south, &stops.south, &stops.north) };
                line.stops(column * column_stride + row, &mut words, |steps, _| {
                    let row = if is_south { row + steps } else { row - steps };
                    visit(StateId::new((row * stride + column) as u32));
                });
            }
            words += 1;
        };
        let (column, row) = (column as i32, row as i32);
        look((column, row), Some(true), Some(true));
        look((column, row), Some(false), Some(false));
        for (is_east, is_south) in [(true, true), (false, true), (true, false), (false, false)] {
            let (dx, dy) = (if is_east { 1 } else { -1 }, if is_south { 1 } else { -1 });
            let looks = &stops.diagonals[diagonal(is_east, is_south)];
            let (mut column, mut row) = (column, row);
            while self.has_free(column + dx, row)
                && self.has_free(column, row + dy)
                && self.has_free(column + dx, row + dy)
            {
                (column, row) = (column + dx, row + dy);
                let at = row as usize * stride + column as usize;
                let asks = all || looks.get(at);
                look((column, row), asks.then_some(is_east), asks.then_some(is_south));
            }
        }
        words
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
    /// Names every free stop from a free cell up to the wall: steps to it, and its number.
    fn stops(&self, from: usize, words: &mut u64, mut visit: impl FnMut(usize, usize)) {
        let mut steps = 1;
        loop {
            *words += 1;
            let window = |bits: &Bits| {
                if self.up { bits.window(from + steps) } else { bits.window_ending(from - steps) }
            };
            let stops = window(self.ahead) | self.back.map_or(0, window);
            // All 64 if there is none. The border is one, so nothing leaves the map.
            steps += if self.up { stops.trailing_zeros() } else { stops.leading_zeros() } as usize;
            if stops == 0 {
                continue;
            }
            let there = if self.up { from + steps } else { from - steps };
            if !self.free.get(there) {
                return;
            }
            visit(steps, there);
            steps += 1;
        }
    }
}
