//! Which cells can reach each other: answers "unreachable" without a search.
//!
//! Each row is cut into runs of free cells; runs of neighbouring rows that touch are united. Labels are kept for
//! runs, not for cells: a map of 768 x 768 takes about 100 KB, and asking is a binary search in one row.

use super::locality::{Neighbourhood, keeps_together};
use crate::core::StateId;
use crate::space::{Direction, Grid, SpaceKind};

/// A maximal run of free cells in one row of the padded rectangle.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// First and last id.
    first: u32,
    last: u32,
    component: u32,
}

/// The connected components of a grid under its rule, without links. On a new grid they are numbered in the order of
/// their least ids; after edits the numbers are what they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Components {
    /// All runs in the order of their ids.
    runs: Vec<Run>,
    /// `row_starts[r]` is the first run of padded row `r`.
    row_starts: Vec<u32>,
    /// Cells in each component.
    sizes: Vec<u32>,
}

impl Components {
    /// Finds the components of a grid.
    pub(in crate::space) fn new(grid: &Grid) -> Components {
        let stride = grid.stride();
        let mut runs = Vec::new();
        let mut row_starts = vec![0];
        let mut above = 0..0;
        for row in 0..grid.height() + 2 {
            let here = runs.len();
            push_runs(grid, row * stride, stride, &mut runs);
            for index in here..runs.len() {
                let (first, last) = (runs[index].first - stride, runs[index].last - stride);
                // How far the run touches the row above beyond its own columns.
                let touches = |above: u32, direction| {
                    u32::from(grid.rule().joins((above - (row - 1) * stride, row), direction))
                };
                let (west, east) =
                    (touches(first, Direction::NorthWest), touches(last, Direction::NorthEast));
                // Runs above that end before this one begins cannot touch this one or any later one.
                while above.start < above.end && runs[above.start].last + west < first {
                    above.start += 1;
                }
                for other in above.clone() {
                    if runs[other].first > last + east {
                        break;
                    }
                    unite(&mut runs, other as u32, index as u32);
                }
            }
            above = here..runs.len();
            row_starts.push(runs.len() as u32);
        }
        let sizes = number(&mut runs);
        Components { runs, row_starts, sizes }
    }

    /// Components that must be found anew.
    pub(in crate::space) fn stale() -> Components {
        Components::default()
    }

    pub(in crate::space) fn is_stale(&self) -> bool {
        self.row_starts.is_empty()
    }

    /// Follows one cell of the grid that was just opened or closed. False if closing it may have split its component: then
    /// they must be found anew.
    pub(in crate::space) fn follow(&mut self, grid: &Grid, state: StateId) -> bool {
        if self.is_stale() {
            return false;
        }
        let (_, row) = grid.column_and_row(state);
        let range = self.row_starts[row as usize] as usize..self.row_starts[row as usize + 1] as usize;
        // The first run of the row that ends at or after the cell.
        let index = range.start + self.runs[range.clone()].partition_point(|run| run.last < state.number());
        let square = Neighbourhood::new(grid, state);
        if grid.is_free(state) {
            let component = self.join(grid, &square);
            self.sizes[component as usize] += 1;
            self.open_cell(row, range, index, state.number(), component);
        } else {
            if !keeps_together(&square) {
                return false;
            }
            let component = self.runs[index].component;
            self.sizes[component as usize] -= 1;
            self.close_cell(row, index, state.number());
            if self.sizes[component as usize] == 0 {
                self.drop_number(component);
            }
        }
        true
    }

    /// Makes one component of those that the neighbours of a cell belong to, or a new one if there is none.
    fn join(&mut self, grid: &Grid, square: &Neighbourhood) -> u32 {
        let mut joined: Vec<u32> = square.neighbours().filter_map(|state| self.of(grid, state)).collect();
        joined.sort_unstable();
        joined.dedup();
        let Some((&kept, others)) = joined.split_first() else {
            self.sizes.push(0);
            return self.count() - 1;
        };
        // The highest first, so that the numbers of the others stay.
        for &other in others.iter().rev() {
            self.rename(other, kept);
            self.sizes[kept as usize] += self.sizes[other as usize];
            self.drop_number(other);
        }
        kept
    }

    /// Gives the runs of a component another number.
    fn rename(&mut self, from: u32, to: u32) {
        self.runs.iter_mut().filter(|run| run.component == from).for_each(|run| run.component = to);
    }

    /// Takes away the number of a component that has no runs: the last one gets it.
    fn drop_number(&mut self, component: u32) {
        self.rename(self.count() - 1, component);
        self.sizes.swap_remove(component as usize);
    }

    fn open_cell(&mut self, row: u32, range: std::ops::Range<usize>, index: usize, at: u32, component: u32) {
        let joins_before = index > range.start && self.runs[index - 1].last + 1 == at;
        let joins_after = index < range.end && self.runs[index].first == at + 1;
        match (joins_before, joins_after) {
            (true, true) => {
                self.runs[index - 1].last = self.runs[index].last;
                self.runs.remove(index);
                self.shift_rows(row, -1);
            }
            (true, false) => self.runs[index - 1].last = at,
            (false, true) => self.runs[index].first = at,
            (false, false) => {
                self.runs.insert(index, Run { first: at, last: at, component });
                self.shift_rows(row, 1);
            }
        }
    }

    fn close_cell(&mut self, row: u32, index: usize, at: u32) {
        let run = self.runs[index];
        match (run.first == at, run.last == at) {
            (true, true) => {
                self.runs.remove(index);
                self.shift_rows(row, -1);
            }
            (true, false) => self.runs[index].first = at + 1,
            (false, true) => self.runs[index].last = at - 1,
            (false, false) => {
                self.runs[index].last = at - 1;
                self.runs.insert(index + 1, Run { first: at + 1, ..run });
                self.shift_rows(row, 1);
            }
        }
    }

    /// Counts a run more or less in `row`.
    fn shift_rows(&mut self, row: u32, by: i32) {
        for start in &mut self.row_starts[row as usize + 1..] {
            *start = start.wrapping_add_signed(by);
        }
    }

    /// The component of a free state, `None` for anything else.
    pub(crate) fn of(&self, grid: &Grid, state: StateId) -> Option<u32> {
        if !grid.is_free(state) {
            return None;
        }
        if self.sizes.len() == 1 {
            return Some(0);
        }
        let (_, row) = grid.column_and_row(state);
        let row =
            &self.runs[self.row_starts[row as usize] as usize..self.row_starts[row as usize + 1] as usize];
        let after = row.partition_point(|run| run.first <= state.number());
        row.get(after.checked_sub(1)?).map(|run| run.component)
    }

    /// How many components there are.
    pub(crate) fn count(&self) -> u32 {
        self.sizes.len() as u32
    }

    /// Cells of each component.
    pub(crate) fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.runs.capacity() * size_of::<Run>() + (self.row_starts.capacity() + self.sizes.capacity()) * 4
    }
}

/// Appends the runs of the padded row that starts at id `start`, each its own parent.
fn push_runs(grid: &Grid, start: u32, stride: u32, runs: &mut Vec<Run>) {
    let (bits, end) = (grid.rows(), start + stride);
    // Padding separates rows, so a run never crosses into the next one.
    let mut at = start;
    while at < end {
        let free = bits.window(at as usize);
        if free == 0 {
            at += 64;
            continue;
        }
        let first = at + free.trailing_zeros();
        if first >= end {
            break;
        }
        let mut next = first;
        loop {
            let ones = bits.window(next as usize).trailing_ones();
            next += ones;
            if ones < 64 {
                break;
            }
        }
        let own = runs.len() as u32;
        runs.push(Run { first, last: next - 1, component: own });
        at = next;
    }
}

/// While uniting, `component` is the index of a parent run that does not come later; roots are their own.
fn root(runs: &mut [Run], mut index: u32) -> u32 {
    while runs[index as usize].component != index {
        let parent = runs[index as usize].component;
        let grandparent = runs[parent as usize].component;
        runs[index as usize].component = grandparent;
        index = grandparent;
    }
    index
}

fn unite(runs: &mut [Run], a: u32, b: u32) {
    let (a, b) = (root(runs, a), root(runs, b));
    runs[a.max(b) as usize].component = a.min(b);
}

/// Replaces parents by component numbers; returns the sizes.
fn number(runs: &mut [Run]) -> Vec<u32> {
    let mut sizes = Vec::new();
    for index in 0..runs.len() {
        let Run { first, last, component: parent } = runs[index];
        // Parents come first, so the parent has its number already.
        let component = if parent as usize == index {
            sizes.push(0);
            sizes.len() as u32 - 1
        } else {
            runs[parent as usize].component
        };
        runs[index].component = component;
        sizes[component as usize] += last - first + 1;
    }
    sizes
}
