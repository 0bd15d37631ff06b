//! Where runs over uniform ground end, as bits: one look finds the end of a straight run within 64 cells.
//!
//! A run to the east stops at blocked cells and at *forced* ones: cells beside which, to the north or to the south,
//! there is a free cell whose western neighbour is blocked, so that it is not reached as well by turning earlier. Both
//! kinds are one bits of one map for each of the four directions.
//!
//! A diagonal run need look aside only where a straight run that branches off is *open*, that is ends at a forced
//! cell; such cells, and those where it cannot go on, are one bits of one map for each diagonal.
//!
//! All maps are computed 64 cells at a time, when a grid is made or edited, and take a byte for each cell.

use super::bits::{Bits, transposed};

/// One bits where runs stop, in each direction.
#[derive(Clone, Debug)]
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

impl Stops {
    /// For the free cells of a padded rectangle of so many columns and rows, row by row and column by column, with
    /// their strides.
    pub(in crate::space) fn new(
        (width, height): (u32, u32),
        (rows, stride): (&Bits, usize),
        (columns, column_stride): (&Bits, usize),
    ) -> Stops {
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
