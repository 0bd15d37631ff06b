//! The map as bits along its diagonals: whether one cell sees another is a look at a few words, however far they are apart.
//!
//! # Layout
//! For each of two kinds of diagonal, south-east and south-west, a bit map of lines: bit `row` of a line says whether the
//! step from the line's cell in that row is legal. The cells `(column, row)` of a south-eastern line have equal
//! `column - row`, those of a south-western one equal `column + row`, both modulo the stride of the map. So a line comes to
//! the map's other side where it leaves it; between the two lies the blocked column, over which no step leads.

use super::bits::{Bits, transpose};
use crate::space::{Cell, Direction, Grid};

/// The legal diagonal steps of a grid with strict corners.
#[derive(Clone, Debug)]
pub(in crate::space) struct Diagonals {
    /// To the south-east, to the south-west.
    lines: [Bits; 2],
}

/// Legal diagonal steps by cells, numbered as rows are: to the south-east, to the south-west.
fn steps(rows: &Bits, stride: usize) -> [Bits; 2] {
    [1, -1].map(|column: i64| {
        rows.map_words(|index, here| {
            let moved = |by: i64| rows.window_or_zeros(index as i64 * 64 + by);
            here & moved(column) & moved(stride as i64) & moved(stride as i64 + column)
        })
    })
}

/// Up to 64 bits of a row from a column on; behind the last column the row begins again.
fn cyclic_window(bits: &Bits, row: usize, stride: usize, mut column: usize, count: usize) -> u64 {
    let (mut word, mut filled) = (0, 0);
    while filled < count {
        let piece = (stride - column).min(count - filled);
        let mask = u64::MAX >> (64 - piece);
        word |= (bits.window_or_zeros((row * stride + column) as i64) & mask) << filled;
        (filled, column) = (filled + piece, 0);
    }
    word
}

impl Diagonals {
    pub(in crate::space) fn new(grid: &Grid) -> Diagonals {
        let (stride, height) = (grid.stride() as usize, grid.height() as usize + 2);
        let steps = steps(grid.rows(), stride);
        let line_up = |is_west: bool| {
            let mut lines = Bits::zeros(stride * height);
            for row in (0..height).step_by(64) {
                for line in (0..stride).step_by(64) {
                    let count = (stride - line).min(64);
                    let mut block = [0; 64];
                    for (word, row) in block.iter_mut().zip(row..height) {
                        let shift = row % stride;
                        let column = if is_west { line + stride - shift } else { line + shift } % stride;
                        *word = cyclic_window(&steps[usize::from(is_west)], row, stride, column, count);
                    }
                    transpose(&mut block);
                    for (offset, &word) in block[..count].iter().enumerate() {
                        if word != 0 {
                            lines.or_window((line + offset) * height + row, word);
                        }
                    }
                }
            }
            lines
        };
        Diagonals { lines: [line_up(false), line_up(true)] }
    }

    pub(in crate::space) fn bytes(&self) -> usize {
        self.lines.iter().map(Bits::bytes).sum()
    }
}

/// The four bit maps of a grid: rows, columns and diagonals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight<'a> {
    rows: &'a Bits,
    columns: &'a Bits,
    diagonals: &'a [Bits; 2],
    stride: u32,
    column_stride: usize,
    diagonal_stride: usize,
}

impl Grid {
    /// The bit maps that looks along diagonals need, made when first asked for. Right under rules with strict corners.
    pub(crate) fn sight(&self) -> Sight<'_> {
        Sight {
            rows: self.rows(),
            columns: self.columns(),
            diagonals: &self.diagonals().lines,
            stride: self.stride(),
            column_stride: self.column_stride(),
            diagonal_stride: self.height() as usize + 2,
        }
    }
}

impl Sight<'_> {
    /// Where the diagonal of a cell begins.
    #[inline(always)]
    fn line(&self, (column, row): Cell, is_west: bool) -> usize {
        let shift = row % self.stride;
        let line = if is_west { column + shift } else { column + self.stride - shift };
        (if line >= self.stride { line - self.stride } else { line }) as usize * self.diagonal_stride
    }

    /// Whether a free cell sees another: the steps of the leg, diagonal ones first, are legal.
    #[inline(always)]
    pub(crate) fn sees(&self, from: Cell, to: Cell) -> bool {
        let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        let (is_east, is_south) = (to.0 > from.0, to.1 > from.1);
        let steps = dx.min(dy);
        let column = if is_east { from.0 + steps } else { from.0 - steps };
        let row = if is_south { from.1 + steps } else { from.1 - steps };
        let is_west = is_east != is_south;
        let line = self.line(from, is_west);
        let diagonal = &self.diagonals[usize::from(is_west)];
        if !diagonal.is_full(line + row.min(from.1) as usize, line + row.max(from.1) as usize) {
            return false;
        }
        let (bits, line, ends) = if dx > dy {
            (self.rows, row as usize * self.stride as usize, (column, to.0))
        } else {
            (self.columns, column as usize * self.column_stride, (row, to.1))
        };
        bits.is_full(line + ends.0.min(ends.1) as usize, line + ends.0.max(ends.1) as usize + 1)
    }

    /// How many steps can be made from a free cell along a diagonal.
    #[cfg(feature = "build")]
    pub(crate) fn reach(&self, from: Cell, diagonal: Direction) -> u32 {
        let is_west = matches!(diagonal, Direction::SouthWest | Direction::NorthEast);
        let (lines, at) = (&self.diagonals[usize::from(is_west)], self.line(from, is_west) + from.1 as usize);
        (if diagonal.offset().1 > 0 { lines.ones_after(at) } else { lines.ones_before(at) }) as u32
    }

    /// Whether either sees the other.
    #[inline(always)]
    pub(crate) fn sees_either_way(&self, a: Cell, b: Cell) -> bool {
        self.sees(a, b) || self.sees(b, a)
    }
}

#[cfg(test)]
mod tests {
    use crate::core::Rng;
    use crate::space::{Cell, Direction, Grid, Rule, SpaceKind};

    #[test]
    fn a_look_at_words_sees_what_single_steps_see() {
        let mut rng = Rng::new(31);
        for round in 0..400 {
            let (width, height) = match round % 4 {
                0 => (1 + rng.below(150), 1 + rng.below(5)),
                1 => (1 + rng.below(5), 1 + rng.below(150)),
                _ => (1 + rng.below(12), 1 + rng.below(12)),
            };
            let percent = rng.below(45);
            let grid =
                Grid::new(width, height, Rule::Octile, |_, _| rng.below(100) >= percent).expect("a map");
            let sight = grid.sight();
            let cells: Vec<Cell> = grid.free_states().map(|state| grid.column_and_row(state)).collect();
            for &from in cells.iter().step_by(1 + cells.len() / 150) {
                for diagonal in [1, 3, 5, 7].map(Direction::from_number) {
                    let (dx, dy) = diagonal.offset();
                    let there = |steps: i64| {
                        ((i64::from(from.0) + dx * steps) as u32, (i64::from(from.1) + dy * steps) as u32)
                    };
                    let reach = i64::from(sight.reach(from, diagonal));
                    assert!(
                        grid.sees_by_run(from, there(reach)) && !grid.sees_by_run(from, there(reach + 1))
                    );
                }
                for &to in &cells {
                    assert_eq!(sight.sees(from, to), grid.sees_by_run(from, to), "{from:?} to {to:?}");
                }
            }
        }
    }
}
