//! Between ids and the padded rectangle that a grid lies in.

use super::Direction;
use crate::core::StateId;

/// The shape of the padded rectangle: turns ids into columns and rows and back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    stride: u32,
    /// 2^64 / stride, rounded up: `(id * reciprocal) >> 64 == id / stride` for every id below 2^32, since the
    /// rounding adds less than id / 2^64 < 2^-32 to a quotient whose fraction is at most 1 - 1/stride.
    reciprocal: u64,
}

impl Frame {
    pub(super) fn new(width: u32) -> Frame {
        let stride = width + 1;
        Frame { stride, reciprocal: u64::MAX / u64::from(stride) + 1 }
    }

    pub(super) fn stride(self) -> i64 {
        i64::from(self.stride)
    }

    /// Column and row in the padded rectangle.
    #[inline]
    pub(super) fn column_and_row(self, state: StateId) -> (u32, u32) {
        let row = ((u128::from(state.number()) * u128::from(self.reciprocal)) >> 64) as u32;
        (state.number().wrapping_sub(row.wrapping_mul(self.stride)), row)
    }

    /// What is added to an id, wrapping around, to go one step in each direction, clockwise from north.
    pub(super) fn offsets(self) -> [u32; 8] {
        Direction::ALL.map(|direction| {
            let (columns, rows) = direction.offset();
            (rows * self.stride() + columns) as u32
        })
    }

    #[inline]
    pub(super) fn state(self, x: u32, y: u32) -> StateId {
        StateId::new((y + 1) * self.stride + x + 1)
    }

    /// The id in a column and row of the padded rectangle.
    #[inline]
    pub(super) fn at(self, column: i64, row: i64) -> StateId {
        StateId::new((row * self.stride() + column) as u32)
    }
}
