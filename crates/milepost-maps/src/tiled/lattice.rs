//! Staggered maps: rhombi in rows, every other row half a tile aside. They are the cells of a square lattice that is
//! turned by 45 degrees: cells that share an edge are neighbours in a row or column of the lattice, cells that share a
//! corner are neighbours on a diagonal.
//!
//! # Symbols
//! Column and row in Tiled are `x` and `y`, in the lattice `a` and `b`; `a` grows to the lower right on the screen,
//! `b` to the lower left. `e` is 1 if even rows are shifted, else 0. With shifted rows
//!
//! ```text
//! a = x + ceil((y + e) / 2) - e
//! b = floor((y + e) / 2) - x + columns - 1
//! ```
//!
//! and with shifted columns
//!
//! ```text
//! a = y + ceil((x + e) / 2) - e
//! b = y - floor((x + e) / 2) + floor((columns - 1 + e) / 2)
//! ```
//!
//! so that the least `a` and `b` of a map are 0. Positions of the lattice that are no cell of the map are blocked.

/// Whether rows or columns are shifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// Every other row lies half a tile to the right: the stagger axis is Y.
    Rows,
    /// Every other column lies half a tile lower: the stagger axis is X.
    Columns,
}

/// Which of them are shifted, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Index {
    Odd,
    Even,
}

/// How a staggered map lies in its lattice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stagger {
    /// What is shifted.
    pub axis: Axis,
    /// Which of them.
    pub index: Index,
    /// Columns in Tiled, at least 1.
    pub columns: u32,
    /// Rows in Tiled, at least 1.
    pub rows: u32,
}

impl Stagger {
    fn even(&self) -> i64 {
        i64::from(self.index == Index::Even)
    }

    /// What is added to `b`.
    fn shift(&self) -> i64 {
        let last = i64::from(self.columns) - 1;
        match self.axis {
            Axis::Rows => last,
            Axis::Columns => (last + self.even()) / 2,
        }
    }

    /// Columns and rows of the lattice.
    pub fn size(&self) -> (u64, u64) {
        let (columns, rows, e) = (u64::from(self.columns), u64::from(self.rows), self.even() as u64);
        match self.axis {
            Axis::Rows => (columns + (rows - 1 + e).div_ceil(2) - e, columns + (rows - 1 + e) / 2),
            Axis::Columns => (rows + (columns - 1 + e).div_ceil(2) - e, rows + (columns - 1 + e) / 2),
        }
    }

    /// Where a cell of Tiled lies in the lattice.
    pub fn lattice(&self, x: u32, y: u32) -> (u32, u32) {
        let (x, y, e) = (i64::from(x), i64::from(y), self.even());
        let half_up = |number: i64| (number + 1) / 2;
        let (a, b) = match self.axis {
            Axis::Rows => (x + half_up(y + e) - e, (y + e) / 2 - x),
            Axis::Columns => (y + half_up(x + e) - e, y - (x + e) / 2),
        };
        (a as u32, (b + self.shift()) as u32)
    }

    /// The cell of Tiled at a position of the lattice, if there is one.
    pub fn cell(&self, a: u32, b: u32) -> Option<(u32, u32)> {
        let e = self.even();
        let (a, b) = (i64::from(a) + e, i64::from(b) - self.shift());
        let half_up = |number: i64| (number + 1).div_euclid(2);
        let (x, y) = match self.axis {
            Axis::Rows => (a - half_up(a + b), a + b - e),
            Axis::Columns => (a - b - e, a - half_up(a - b)),
        };
        let inside = |at: i64, size: u32| u32::try_from(at).ok().filter(|at| *at < size);
        Some((inside(x, self.columns)?, inside(y, self.rows)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Stagger> {
        let sizes = [(1, 1), (1, 2), (2, 1), (3, 4), (4, 3), (5, 5), (1, 7), (7, 1), (6, 8)];
        sizes.into_iter().flat_map(|(columns, rows)| {
            [Axis::Rows, Axis::Columns].into_iter().flat_map(move |axis| {
                [Index::Odd, Index::Even].map(|index| Stagger { axis, index, columns, rows })
            })
        })
    }

    /// Where the middle of a cell is on the screen, in half tiles.
    fn screen(stagger: &Stagger, x: u32, y: u32) -> (i64, i64) {
        let is_shifted = |at: u32| i64::from((at % 2 == 1) == (stagger.index == Index::Odd));
        let (column, row) = (i64::from(x), i64::from(y));
        match stagger.axis {
            Axis::Rows => (2 * column + is_shifted(y), row),
            Axis::Columns => (column, 2 * row + is_shifted(x)),
        }
    }

    #[test]
    fn neighbours_on_the_screen_are_neighbours_in_the_lattice() {
        for stagger in all() {
            let cells: Vec<(u32, u32)> =
                (0..stagger.rows).flat_map(|y| (0..stagger.columns).map(move |x| (x, y))).collect();
            for &(x, y) in &cells {
                for &(other_x, other_y) in &cells {
                    let (from, to) = (screen(&stagger, x, y), screen(&stagger, other_x, other_y));
                    let (right, down) = (to.0 - from.0, to.1 - from.1);
                    let (from, to) = (stagger.lattice(x, y), stagger.lattice(other_x, other_y));
                    let (a, b) = (i64::from(to.0) - i64::from(from.0), i64::from(to.1) - i64::from(from.1));
                    assert_eq!((a - b, a + b), (right, down), "{stagger:?}: {x},{y} to {other_x},{other_y}");
                }
            }
        }
    }

    #[test]
    fn the_lattice_is_as_small_as_can_be_and_leads_back() {
        for stagger in all() {
            let (width, height) = stagger.size();
            let mut found = Vec::new();
            for (b, a) in (0..height as u32).flat_map(|b| (0..width as u32).map(move |a| (b, a))) {
                if let Some((x, y)) = stagger.cell(a, b) {
                    assert_eq!(stagger.lattice(x, y), (a, b), "{stagger:?}");
                    found.push((a, b));
                }
            }
            assert_eq!(found.len(), (stagger.columns * stagger.rows) as usize, "{stagger:?}");
            let most =
                |along: fn(&(u32, u32)) -> u32| found.iter().map(along).max().map(|most| u64::from(most) + 1);
            let least = |along: fn(&(u32, u32)) -> u32| found.iter().map(along).min();
            assert_eq!((most(|at| at.0), most(|at| at.1)), (Some(width), Some(height)), "{stagger:?}");
            assert_eq!((least(|at| at.0), least(|at| at.1)), (Some(0), Some(0)), "{stagger:?}");
        }
    }
}
