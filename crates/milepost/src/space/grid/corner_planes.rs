//! Corners as bits: where the next corner stands on a straight run, of any kind or of one at which something can happen.
//!
//! # Symbols
//! Directions are numbered clockwise from north, e straight, D diagonal, sums modulo 8. `kind(c)` of a free cell c: the
//! diagonals q with c + q blocked, c + (q - 1) and c + (q + 1) free; c is a *corner* if there is one.
//! `forced_e(c)`: e + 3 or e - 3 in kind(c), the blocked cell lies behind a path that arrives by e. `touch_D(c)`: D + 2 or
//! D - 2 in kind(c), a leg along D can touch the blocked cell from the side.
//! `T(y, e)`: the first forced_e corner beyond y on the run e. `U(y, D, e)`: the first touch_D corner there.

use super::bits::{Bits, transposed};
use crate::space::{Cell, Direction, Grid};

/// The kind of a cell: a bit for each diagonal, north-east first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CornerKind(u8);

impl CornerKind {
    /// Kinds that there are.
    pub(crate) const COUNT: usize = 16;

    pub(crate) const fn from_number(number: usize) -> CornerKind {
        CornerKind(number as u8 & 15)
    }

    pub(crate) const fn number(self) -> usize {
        self.0 as usize
    }

    #[cfg(test)]
    pub(crate) const fn is_corner(self) -> bool {
        self.0 != 0
    }

    /// Whether this diagonal is in it.
    pub(crate) const fn contains(self, diagonal: Direction) -> bool {
        self.0 >> (diagonal.number() / 2) & 1 == 1
    }

    /// touch_D: whether a leg along this diagonal can touch the corner.
    pub(crate) const fn touches(self, diagonal: Direction) -> bool {
        self.contains(diagonal.clockwise(2)) || self.contains(diagonal.clockwise(6))
    }

    /// forced_e: whether a path that arrives in this straight direction may have to turn.
    #[cfg(test)]
    pub(crate) const fn forces(self, straight: Direction) -> bool {
        self.contains(straight.clockwise(3)) || self.contains(straight.clockwise(5))
    }
}

/// One bits where a run stops: at blocked cells, and at some corners.
#[derive(Clone, Debug)]
struct Stop {
    /// Numbered as rows are, as columns are.
    rows: Bits,
    columns: Bits,
}

/// Where runs come to corners.
#[derive(Clone, Debug)]
pub(in crate::space) struct CornerPlanes {
    /// Any corner.
    any: Stop,
    /// forced_e corners: north, east, south, west; numbered as the lines of their direction are.
    forced: [Bits; 4],
    /// touch_D corners: along north-east and south-west, along north-west and south-east.
    touch: [Stop; 2],
}

impl CornerPlanes {
    pub(in crate::space) fn new(grid: &Grid) -> CornerPlanes {
        let (rows, stride) = (grid.rows(), i64::from(grid.stride()));
        // Corners whose blocked cell lies to the north-east, south-east, south-west, north-west.
        let kinds = [(1, -stride), (1, stride), (-1, stride), (-1, -stride)].map(|(column, row)| {
            rows.map_words(|index, here| {
                let moved = |by: i64| rows.window_or_zeros(index as i64 * 64 + by);
                here & moved(column) & moved(row) & !moved(column + row)
            })
        });
        let [north_east, south_east, south_west, north_west] = &kinds;
        let both = |a: &Bits, b: &Bits| a.map_words(|index, word| word | b.words()[index]);
        let turned = |corners: &Bits| {
            let zeros = Bits::zeros_like(grid.columns());
            transposed(corners, stride as usize, (grid.width(), grid.height()), zeros, grid.column_stride())
        };
        let or_blocked =
            |corners: &Bits, free: &Bits| corners.map_words(|index, word| word | !free.words()[index]);
        let stop = |corners: &Bits| Stop {
            rows: or_blocked(corners, rows),
            columns: or_blocked(&turned(corners), grid.columns()),
        };
        let aside = [both(north_west, south_east), both(north_east, south_west)];
        CornerPlanes {
            any: stop(&both(&aside[0], &aside[1])),
            forced: [
                or_blocked(&turned(&both(south_east, south_west)), grid.columns()),
                or_blocked(&both(north_west, south_west), rows),
                or_blocked(&turned(&both(north_east, north_west)), grid.columns()),
                or_blocked(&both(north_east, south_east), rows),
            ],
            touch: [stop(&aside[0]), stop(&aside[1])],
        }
    }

    pub(in crate::space) fn bytes(&self) -> usize {
        let stops = [&self.any, &self.touch[0], &self.touch[1]];
        stops
            .into_iter()
            .flat_map(|stop| [&stop.rows, &stop.columns])
            .chain(&self.forced)
            .map(Bits::bytes)
            .sum()
    }
}

/// Looks for corners along straight runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CornerSight<'a> {
    grid: &'a Grid,
    planes: &'a CornerPlanes,
}

impl Grid {
    /// The kind of a free cell.
    pub(crate) fn corner_kind(&self, (column, row): Cell) -> CornerKind {
        let (column, row) = (column as i32, row as i32);
        let is_free = |(dx, dy): (i64, i64)| self.has_free(column + dx as i32, row + dy as i32);
        let is_turn = |number: &usize| {
            let diagonal = Direction::from_number(*number);
            !is_free(diagonal.offset())
                && is_free(diagonal.clockwise(1).offset())
                && is_free(diagonal.clockwise(7).offset())
        };
        CornerKind([1, 3, 5, 7].into_iter().filter(is_turn).fold(0, |kind, number| kind | 1 << (number / 2)))
    }

    /// The bit maps of its corners, made when first asked for. Right under rules with strict corners.
    pub(crate) fn corner_sight(&self) -> CornerSight<'_> {
        CornerSight { grid: self, planes: self.corner_planes() }
    }
}

impl CornerSight<'_> {
    /// All corners, as bits by the numbers of their states.
    #[cfg(feature = "build")]
    pub(crate) fn corners(&self) -> Bits {
        let free = self.grid.rows();
        self.planes.any.rows.map_words(|index, word| word & free.words()[index])
    }

    /// Whether a free cell is a corner.
    #[inline(always)]
    pub(crate) fn is_corner(&self, (column, row): Cell) -> bool {
        self.planes.any.rows.get(row as usize * self.grid.stride() as usize + column as usize)
    }

    /// The first corner beyond a cell in a straight direction.
    pub(crate) fn next(&self, from: Cell, straight: Direction) -> Option<Cell> {
        self.find(&self.planes.any.rows, &self.planes.any.columns, from, straight)
    }

    /// T: the first corner beyond a cell at which a path that goes this straight direction may have to turn.
    #[inline(always)]
    pub(crate) fn forced(&self, from: Cell, straight: Direction) -> Option<Cell> {
        let stop = &self.planes.forced[straight.number() / 2];
        self.find(stop, stop, from, straight)
    }

    /// U: the first corner beyond a cell in a straight direction that a leg along a diagonal can touch.
    #[inline(always)]
    pub(crate) fn touched(&self, from: Cell, diagonal: Direction, straight: Direction) -> Option<Cell> {
        let stop = &self.planes.touch[diagonal.number() / 2 % 2];
        self.find(&stop.rows, &stop.columns, from, straight)
    }

    /// The first stop beyond a cell, if that is free.
    #[inline(always)]
    fn find(&self, rows: &Bits, columns: &Bits, (column, row): Cell, straight: Direction) -> Option<Cell> {
        let (x, y) = (column as usize, row as usize);
        let row_start = y * self.grid.stride() as usize;
        let column_start = x * self.grid.column_stride();
        let (free, at, there) = match straight {
            Direction::North => {
                let at = columns.last_one(column_start + y - 1);
                (self.grid.columns(), at, (column, (at - column_start) as u32))
            }
            Direction::South => {
                let at = columns.next_one(column_start + y + 1);
                (self.grid.columns(), at, (column, (at - column_start) as u32))
            }
            Direction::East => {
                let at = rows.next_one(row_start + x + 1);
                (self.grid.rows(), at, ((at - row_start) as u32, row))
            }
            _ => {
                let at = rows.last_one(row_start + x - 1);
                (self.grid.rows(), at, ((at - row_start) as u32, row))
            }
        };
        free.get(at).then_some(there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Rng, StateId};
    use crate::space::{Rule, SpaceKind};

    #[test]
    fn the_next_corner_is_the_one_that_single_steps_come_to() {
        let mut rng = Rng::new(32);
        for round in 0..300 {
            let (width, height) = if round % 3 == 0 {
                (1 + rng.below(140), 1 + rng.below(140))
            } else {
                (1 + rng.below(9), 1 + rng.below(9))
            };
            let percent = rng.below(40);
            let grid =
                Grid::new(width, height, Rule::Octile, |_, _| rng.below(100) >= percent).expect("a map");
            let sight = grid.corner_sight();
            let walk = |from: Cell, straight: Direction, stops: &dyn Fn(CornerKind) -> bool| {
                let (dx, dy) = straight.offset();
                let (mut column, mut row) = (i64::from(from.0), i64::from(from.1));
                loop {
                    (column, row) = (column + dx, row + dy);
                    let at = (column as u32, row as u32);
                    if !grid.has_free(column as i32, row as i32) {
                        return None;
                    }
                    if stops(grid.corner_kind(at)) {
                        return Some(at);
                    }
                }
            };
            for state in grid.free_states().step_by(1 + grid.states() as usize / 300) {
                let from = grid.column_and_row(state);
                for straight in [0, 2, 4, 6].map(Direction::from_number) {
                    assert_eq!(sight.next(from, straight), walk(from, straight, &|kind| kind.is_corner()));
                    let forced = walk(from, straight, &|kind| kind.forces(straight));
                    assert_eq!(sight.forced(from, straight), forced);
                    for diagonal in [straight.clockwise(1), straight.clockwise(7)] {
                        let touched = walk(from, straight, &|kind| kind.touches(diagonal));
                        assert_eq!(sight.touched(from, diagonal, straight), touched);
                    }
                }
            }
            let is_corner = |state: &StateId| grid.corner_kind(grid.column_and_row(*state)).is_corner();
            let corners = grid.free_states().filter(is_corner).map(StateId::index);
            assert!(sight.corners().ones().eq(corners));
            assert!(
                grid.free_states()
                    .all(|state| sight.is_corner(grid.column_and_row(state)) == is_corner(&state))
            );
        }
    }
}
