//! The viewshed of a corner: all cells that [see](super::line_of_sight) it and from which a shortest path may turn there,
//! 64 at a time.
//!
//! A cell sees the corner if diagonal steps lead from it to a straight ray of the corner. So the cells are found from the
//! rays outwards: each line of cells follows from the one before it by one diagonal step of all its cells at once, which
//! on bits is a shift and three masks.
//!
//! A path that comes from `z` can turn at the corner `c` around a blocked cell `q`, diagonally next to it, only if `z` does
//! not lie in the quadrant opposite to `q` (its edges included): there every turn has a shorter way.

use super::bits::Bits;
use crate::space::{Cell, Grid};

/// Cells of one line that see a corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenLine<'a> {
    /// Whether the line is a row of the padded rectangle, not a column.
    pub(crate) is_row: bool,
    pub(crate) line: usize,
    /// The place in the line of the first bit, divided by 64.
    pub(crate) first_word: usize,
    pub(crate) words: &'a [u64],
}

/// Room for lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Viewshed {
    seen: Vec<u64>,
    /// Free cells of the line, and of the next one.
    free: Vec<u64>,
    next: Vec<u64>,
}

/// The blocked cells around which a path can turn at a corner: their columns and rows from there.
fn turns_of(grid: &Grid, (column, row): Cell) -> impl Iterator<Item = (i32, i32)> + Clone + use<'_> {
    let (column, row) = (column as i32, row as i32);
    [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter().filter(move |&(dx, dy)| {
        !grid.has_free(column + dx, row + dy)
            && grid.has_free(column + dx, row)
            && grid.has_free(column, row + dy)
    })
}

impl Grid {
    /// Whether a path may have to turn at a free cell.
    pub(crate) fn is_corner(&self, at: Cell) -> bool {
        turns_of(self, at).next().is_some()
    }

    /// Whether a shortest path that comes from another cell, or leads there, may turn at a corner.
    pub(crate) fn turns_at(&self, corner: Cell, other: Cell) -> bool {
        let (dx, dy) = (other.0 as i32 - corner.0 as i32, other.1 as i32 - corner.1 as i32);
        is_useful(turns_of(self, corner), dx, dy)
    }
}

fn is_useful(mut turns: impl Iterator<Item = (i32, i32)>, dx: i32, dy: i32) -> bool {
    turns.any(|(qx, qy)| qx * dx > 0 || qy * dy > 0)
}

impl Viewshed {
    /// Names the cells that see a corner, without itself, each once.
    pub(crate) fn of(&mut self, grid: &Grid, corner: Cell, mut visit: impl FnMut(SeenLine<'_>)) {
        let turns = turns_of(grid, corner);
        for is_row in [true, false] {
            for along in [1, -1] {
                let (dx, dy) = if is_row { (along, 0) } else { (0, along) };
                for across in [1, -1] {
                    let (ax, ay) = if is_row { (dx, across) } else { (across, dy) };
                    if is_useful(turns.clone(), ax, ay) {
                        self.octant(grid, corner, is_row, along, across, &mut visit);
                    }
                }
                if is_useful(turns.clone(), dx, dy) {
                    let first_word = self.ray(grid, corner, is_row, along, false);
                    let line = if is_row { corner.1 } else { corner.0 } as usize;
                    visit(SeenLine { is_row, line, first_word, words: &self.seen });
                }
            }
        }
    }

    /// The straight ray from a corner to the first wall, with or without the corner. Returns its first word.
    fn ray(&mut self, grid: &Grid, corner: Cell, is_row: bool, along: i32, with_corner: bool) -> usize {
        let (line, place) = if is_row { (corner.1, corner.0) } else { (corner.0, corner.1) };
        let (bits, stride) = lines(grid, is_row);
        let from = line as usize * stride + place as usize;
        let mut length = 0;
        loop {
            let ones = if along > 0 {
                bits.window(from + 1 + length).trailing_ones()
            } else {
                bits.window_ending(from - 1 - length).leading_ones()
            };
            length += ones as usize;
            if ones < 64 {
                break;
            }
        }
        let place = place as usize;
        let near = usize::from(!with_corner);
        let (first, end) =
            if along > 0 { (place + near, place + length + 1) } else { (place - length, place + 1 - near) };
        self.seen.clear();
        if first >= end {
            return 0;
        }
        let first_word = first / 64;
        self.seen.extend((first_word..end.div_ceil(64)).map(|word| {
            let (low, high) = (first.max(word * 64) - word * 64, end.min(word * 64 + 64) - word * 64);
            (u64::MAX >> (64 - (high - low))) << low
        }));
        first_word
    }

    /// Cells that lie beside a ray: more steps along it than across, or, beside rows, as many.
    fn octant(
        &mut self,
        grid: &Grid,
        corner: Cell,
        is_row: bool,
        along: i32,
        across: i32,
        visit: &mut impl FnMut(SeenLine<'_>),
    ) {
        let mut first_word = self.ray(grid, corner, is_row, along, is_row);
        let (bits, stride) = lines(grid, is_row);
        let mut line = if is_row { corner.1 } else { corner.0 } as usize;
        let word_of = |line: usize, word: usize| bits.window_or_zeros((line * stride + word * 64) as i64);
        // One word more on the outer side, into which the line may move.
        if along > 0 {
            self.seen.push(0);
        } else if first_word > 0 {
            self.seen.insert(0, 0);
            first_word -= 1;
        }
        let words = first_word..first_word + self.seen.len();
        self.free.clear();
        self.free.extend(words.map(|word| word_of(line, word)));
        while self.seen.iter().any(|&word| word != 0) {
            line = if across > 0 { line + 1 } else { line - 1 };
            self.next.clear();
            self.next.extend((first_word..first_word + self.seen.len()).map(|word| word_of(line, word)));
            let mut carry = 0;
            let count = self.seen.len();
            for step in 0..count {
                let index = if along > 0 { step } else { count - 1 - step };
                let going = self.seen[index] & self.next[index];
                let (moved, out) = if along > 0 {
                    (going << 1 | carry, going >> 63)
                } else {
                    (going >> 1 | carry, going << 63)
                };
                self.seen[index] = moved & self.free[index] & self.next[index];
                carry = out;
            }
            std::mem::swap(&mut self.free, &mut self.next);
            visit(SeenLine { is_row, line, first_word, words: &self.seen });
            // What is empty at either end is left behind, but for one word on the outer side.
            while self.seen.len() > 1 && self.seen[0] == 0 && (along > 0 || self.seen[1] == 0) {
                self.seen.remove(0);
                self.free.remove(0);
                first_word += 1;
            }
            while self.seen.len() > 1
                && self.seen[self.seen.len() - 1] == 0
                && (along < 0 || self.seen[self.seen.len() - 2] == 0)
            {
                self.seen.pop();
                self.free.pop();
            }
            if along > 0 && self.seen.last() != Some(&0) {
                self.free.push(word_of(line, first_word + self.seen.len()));
                self.seen.push(0);
            } else if along < 0 && self.seen.first() != Some(&0) && first_word > 0 {
                first_word -= 1;
                self.seen.insert(0, 0);
                self.free.insert(0, word_of(line, first_word));
            }
        }
    }
}

fn lines(grid: &Grid, is_row: bool) -> (&Bits, usize) {
    if is_row { (grid.rows(), grid.stride() as usize) } else { (grid.columns(), grid.column_stride()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Rng, StateId};
    use crate::space::{Rule, SpaceKind};

    #[test]
    fn a_viewshed_names_the_cells_that_see_a_corner_once() {
        let mut rng = Rng::new(17);
        let mut viewshed = Viewshed::default();
        for round in 0..150 {
            let (width, height) =
                if round % 3 == 0 { (1 + rng.below(150), 1 + rng.below(90)) } else { (9, 8) };
            let walls = if round % 3 == 0 { 1 + rng.below(4) } else { 30 };
            let grid = Grid::new(width, height, Rule::Octile, |_, _| rng.below(100) >= walls).expect("a map");
            for state in grid.free_states().filter(|_| round % 3 > 0 || rng.below(20) == 0) {
                let corner = grid.column_and_row(state);
                if !grid.is_corner(corner) {
                    continue;
                }
                let mut seen = vec![0_u32; grid.id_bound()];
                viewshed.of(&grid, corner, |line| {
                    for (index, word) in line.words.iter().enumerate() {
                        for bit in (0..64).filter(|bit| word >> bit & 1 == 1) {
                            let place = (line.first_word + index) * 64 + bit;
                            let (column, row) =
                                if line.is_row { (place, line.line) } else { (line.line, place) };
                            seen[row * grid.stride() as usize + column] += 1;
                        }
                    }
                });
                for other in grid.free_states() {
                    let at = grid.column_and_row(other);
                    let expected = at != corner && grid.turns_at(corner, at) && grid.sees_by_run(at, corner);
                    assert_eq!(seen[other.index()], u32::from(expected), "{at:?} to {corner:?}");
                }
                // Nothing that is blocked.
                let count: u32 = seen.iter().sum();
                assert_eq!(count, grid.free_states().map(|state| seen[state.index()]).sum::<u32>());
            }
        }
    }

    #[test]
    fn a_cell_names_all_corners_at_which_a_path_may_turn() {
        let mut rng = Rng::new(18);
        for _ in 0..200 {
            let grid = Grid::new(9, 8, Rule::Octile, |_, _| rng.below(100) >= 25).expect("a map");
            for state in grid.free_states() {
                let from = grid.column_and_row(state);
                let named = |all| {
                    let mut named = Vec::new();
                    grid.corners_seen(state, all, |corner| named.push(corner));
                    named.sort_unstable();
                    named
                };
                let turns = |corner: StateId| {
                    let at = grid.column_and_row(corner);
                    at != from && grid.is_corner(at) && grid.sees_by_run(from, at) && grid.turns_at(at, from)
                };
                let expected: Vec<StateId> = grid.free_states().filter(|corner| turns(*corner)).collect();
                let (all, some) = (named(true), named(false));
                assert!(expected.iter().all(|corner| all.binary_search(corner).is_ok()));
                assert!(all.is_sorted_by(|a, b| a < b) && some.is_sorted_by(|a, b| a < b));
                assert!(some.iter().all(|corner| turns(*corner)));
            }
        }
    }
}
