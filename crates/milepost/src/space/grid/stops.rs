//! Where runs over uniform ground end, as bits: one look finds the end of a straight run within 64 cells.
//!
//! A run to the east stops at blocked cells and at *forced* ones: cells beside which, to the north or to the south,
//! there is a free cell whose western neighbour is blocked, so that it is not reached as well by turning earlier. Both
//! kinds are one bits of one map for each of the four directions.
//!
//! A diagonal run need look aside only where a straight run that branches off is *open*, that is ends at a forced
//! cell; such cells, and those where it cannot go on, are one bits of one map for each diagonal.
//!
//! All maps are computed 64 cells at a time when a grid is made, and take a byte for each cell. An edit copies them, and
//! finds those bits anew that the cells around the edit decide: along straight runs that end beside it.

use super::bits::{Bits, transposed};

/// One bits where runs stop, in each direction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::space) struct Stops {
    /// Numbered as rows are.
    pub(in crate::space) east: Bits,
    pub(in crate::space) west: Bits,
    /// Numbered as columns are.
    pub(in crate::space) south: Bits,
    pub(in crate::space) north: Bits,
    /// To the south-east, south-west, north-east, north-west, numbered as rows are.
    pub(in crate::space) diagonals: [Bits; 4],
}

/// Which of [`Stops::diagonals`] holds a direction.
pub(in crate::space) const fn diagonal(east: bool, south: bool) -> usize {
    (if east { 0 } else { 1 }) + (if south { 0 } else { 2 })
}

/// The free cells of a padded rectangle: of so many columns and rows, row by row and column by column, with their strides.
#[derive(Clone, Copy, Debug)]
pub(in crate::space) struct FreeCells<'a> {
    pub(in crate::space) size: (u32, u32),
    pub(in crate::space) rows: (&'a Bits, usize),
    pub(in crate::space) columns: (&'a Bits, usize),
}

/// With more edits than one for so many cells all maps are computed anew: that is less work then.
const CELLS_PER_EDIT: usize = 1024;

impl Stops {
    pub(in crate::space) fn new(cells: FreeCells<'_>) -> Stops {
        let FreeCells { size: (width, height), rows: (rows, stride), columns: (columns, column_stride) } =
            cells;
        let (east, west) = (stops::<true>(rows, stride), stops::<false>(rows, stride));
        let (south, north) = (stops::<true>(columns, column_stride), stops::<false>(columns, column_stride));
        let aside = [open::<true>(rows, &east), open::<false>(rows, &west)];
        let along = [open::<true>(columns, &south), open::<false>(columns, &north)]
            .map(|open| transposed(&open, column_stride, (height, width), Bits::zeros_like(rows), stride));
        let diagonals = std::array::from_fn(|index| {
            let (aside, along) = (&aside[index & 1], &along[index >> 1]);
            let column = if index & 1 == 0 { 1 } else { -1 };
            let row = if index >> 1 == 0 { stride as i64 } else { -(stride as i64) };
            rows.map_words(|index, _| {
                let moved = |by: i64| rows.window_or_zeros(index as i64 * 64 + by);
                let goes_on = moved(column) & moved(row) & moved(column + row);
                aside.words()[index] | along.words()[index] | !goes_on
            })
        });
        Stops { east, west, south, north, diagonals }
    }

    /// Follows cells, by their columns and rows, that were opened or closed; all others are as they were.
    pub(in crate::space) fn follow(&mut self, cells: FreeCells<'_>, changed: &[(u32, u32)]) {
        let (width, height) = cells.size;
        if changed.len() > width as usize * height as usize / CELLS_PER_EDIT {
            *self = Stops::new(cells);
            return;
        }
        // Whether a run stops at a cell is decided by the square around it.
        for &(column, row) in changed {
            for row in around(row, height) {
                for column in around(column, width) {
                    self.find_straight(cells, column, row);
                }
            }
        }
        // Whether a run is open, and so what diagonals look for, by where it stops first.
        for &(column, row) in changed {
            for row in around(row, height) {
                let at = |column: usize| row * cells.rows.1 + column;
                let (beside, end) = (around(column, width), width as usize);
                let first = before(*beside.start(), |column| self.east.get(at(column)));
                let last = behind(*beside.end(), end, |column| self.west.get(at(column)));
                (first..=last).for_each(|column| self.find_diagonals(cells, column, row));
            }
            for column in around(column, width) {
                let at = |row: usize| column * cells.columns.1 + row;
                let (beside, end) = (around(row, height), height as usize);
                let first = before(*beside.start(), |row| self.south.get(at(row)));
                let last = behind(*beside.end(), end, |row| self.north.get(at(row)));
                (first..=last).for_each(|row| self.find_diagonals(cells, column, row));
            }
        }
    }

    /// Whether straight runs stop at a cell.
    fn find_straight(&mut self, cells: FreeCells<'_>, column: usize, row: usize) {
        let ((rows, stride), (columns, column_stride)) = (cells.rows, cells.columns);
        let (in_rows, in_columns) = (row * stride + column, column * column_stride + row);
        self.east.set(in_rows, stops_at::<true>(rows, stride, in_rows));
        self.west.set(in_rows, stops_at::<false>(rows, stride, in_rows));
        self.south.set(in_columns, stops_at::<true>(columns, column_stride, in_columns));
        self.north.set(in_columns, stops_at::<false>(columns, column_stride, in_columns));
    }

    /// Whether diagonal runs need look at a cell.
    fn find_diagonals(&mut self, cells: FreeCells<'_>, column: usize, row: usize) {
        let ((rows, stride), (columns, column_stride)) = (cells.rows, cells.columns);
        let (at, in_columns) = (row * stride + column, column * column_stride + row);
        let aside = [is_open::<true>(rows, &self.east, at), is_open::<false>(rows, &self.west, at)];
        let along = [
            is_open::<true>(columns, &self.south, in_columns),
            is_open::<false>(columns, &self.north, in_columns),
        ];
        for (index, stops) in self.diagonals.iter_mut().enumerate() {
            let beside = if index & 1 == 0 { at + 1 } else { at - 1 };
            let next = |at: usize| if index >> 1 == 0 { at + stride } else { at - stride };
            let goes_on = rows.get(beside) && rows.get(next(at)) && rows.get(next(beside));
            stops.set(at, aside[index & 1] || along[index >> 1] || !goes_on);
        }
    }

    pub(in crate::space) fn bytes(&self) -> usize {
        let straight = [&self.east, &self.west, &self.south, &self.north];
        straight.into_iter().chain(&self.diagonals).map(Bits::bytes).sum()
    }
}

/// Where runs along the lines of `free` stop, towards higher numbers if `UP`.
fn stops<const UP: bool>(free: &Bits, stride: usize) -> Bits {
    let back = if UP { -1 } else { 1 };
    // Free cells behind a blocked one, as the run goes.
    let behind_walls = free.map_words(|index, here| here & !free.window_or_zeros(index as i64 * 64 + back));
    free.map_words(|index, here| {
        let moved = |by: i64| behind_walls.window_or_zeros(index as i64 * 64 + by);
        !here | moved(stride as i64) | moved(-(stride as i64))
    })
}

/// The same for one cell of the map.
fn stops_at<const UP: bool>(free: &Bits, stride: usize, at: usize) -> bool {
    let is_behind_wall = |at: usize| free.get(at) && !free.get(if UP { at - 1 } else { at + 1 });
    !free.get(at) || is_behind_wall(at - stride) || is_behind_wall(at + stride)
}

/// Whether the run from a cell of the map is open, see [`open`].
fn is_open<const UP: bool>(free: &Bits, stops: &Bits, from: usize) -> bool {
    let mut at = if UP { from + 1 } else { from - 1 };
    loop {
        // The border is a stop, so a run never leaves the map.
        if UP {
            let window = stops.window(at);
            at += window.trailing_zeros() as usize;
            if window != 0 {
                return free.get(at);
            }
        } else {
            let window = stops.window_ending(at);
            at -= window.leading_zeros() as usize;
            if window != 0 {
                return free.get(at);
            }
        }
    }
}

/// A column or row of the padded rectangle and those beside it, of so many that are inside the map.
fn around(line: u32, count: u32) -> std::ops::RangeInclusive<usize> {
    (line.max(2) - 1) as usize..=(line + 1).min(count) as usize
}

/// The next stop before a place, or the first place of the map.
fn before(place: usize, is_stop: impl Fn(usize) -> bool) -> usize {
    (1..place).rev().find(|&place| is_stop(place)).unwrap_or(1)
}

/// The next stop behind a place, or the last place of the map.
fn behind(place: usize, end: usize, is_stop: impl Fn(usize) -> bool) -> usize {
    (place + 1..=end).find(|&place| is_stop(place)).unwrap_or(end)
}

/// From where runs are open: the next stop, towards higher numbers if `UP`, is a free cell.
fn open<const UP: bool>(free: &Bits, stops: &Bits) -> Bits {
    let count = free.words().len();
    let mut open = Bits::zeros_like(free);
    // Whether the first stop of the words behind is free.
    let mut carry = 0;
    for step in 0..count {
        let index = if UP { count - 1 - step } else { step };
        let (free, stops) = (free.words()[index], stops.words()[index]);
        // One bits at stops that are free, spread backwards over what is no stop, in doubling steps.
        let (mut spread, mut passes) = (free & stops, !stops);
        spread |= passes & if UP { carry << 63 } else { carry };
        for log in 0..6 {
            let by = 1 << log;
            spread |= passes & if UP { spread >> by } else { spread << by };
            passes &= if UP { passes >> by } else { passes << by };
        }
        // A run from a cell begins at the next one.
        open.or_word(index, if UP { spread >> 1 | carry << 63 } else { spread << 1 | carry });
        carry = if UP { spread & 1 } else { spread >> 63 };
    }
    open
}

#[cfg(test)]
mod tests {
    use crate::core::{Point, Rng};
    use crate::space::{Edit, Grid, Rule};

    #[test]
    fn after_each_of_many_edits_runs_stop_where_they_would_on_a_new_grid() {
        let mut rng = Rng::new(61);
        let mut followed = 0;
        for (width, height, rounds) in
            [(80, 70, 600), (200, 3, 300), (2, 150, 300), (1, 1, 5), (130, 130, 200)]
        {
            let density = 5 + rng.below(40);
            let mut grid = Grid::new(width, height, Rule::Octile, |_, _| rng.below(100) >= density).unwrap();
            for round in 0..rounds {
                let cell = |rng: &mut Rng| Point::new(rng.below(width).into(), rng.below(height).into());
                let (from, free) = (cell(&mut rng), rng.chance(1, 2));
                let to = match round % 40 {
                    0 => cell(&mut rng),
                    1..20 => from,
                    _ => Point::new((from.x + 3).min(i64::from(width) - 1), from.y),
                };
                let edits = [Edit::Cells { from, to, free }, Edit::open(cell(&mut rng))];
                grid = grid.edited(&edits).unwrap();
                let anew = Grid::new(width, height, Rule::Octile, |x, y| {
                    grid.is_free_at(Point::new(x.into(), y.into()))
                });
                assert!(grid.stops() == anew.unwrap().stops(), "{width} x {height}, edit {round}: {edits:?}");
                followed += usize::from(from == to);
            }
        }
        assert!(followed > 400, "{followed}");
    }
}
