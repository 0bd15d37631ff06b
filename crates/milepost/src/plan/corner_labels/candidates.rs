//! The first corners of an end of a query, as candidates: what it costs to go there, and how long a path over them is at
//! least.

use super::marks::{Span, units};
use crate::core::Budget;
use crate::index::CornerLabels as Index;
use crate::index::corner_labels::Listed;
use crate::space::{Cell, Direction, Grid};

/// The first corners of one end. Those that lead to no other corner come last.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    pub(super) end: Cell,
    /// Corners with the side of their labels.
    pub(super) listed: Vec<u32>,
    pub(super) cells: Vec<Cell>,
    /// What it costs to go there.
    pub(super) costs: Vec<u64>,
    /// That, and the octile distance to the other end.
    pub(super) straight_on: Vec<u64>,
    /// How long a path is at least that leads over it and over a first corner of the other end.
    pub(super) bounds: Vec<u64>,
    /// Those that lead to other corners.
    pub(super) leading: usize,
    pub(super) span: Span,
    /// How far the list, or the map, was gone through.
    progress: Progress,
}

/// Where a look for first corners has come to.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// The next member of a list; or the octant, and the cell of its ray.
    member: usize,
    octant: usize,
    at: Option<Cell>,
    is_own_run: bool,
}

impl Candidates {
    pub(super) fn begin(&mut self, end: Cell) {
        self.end = end;
        self.listed.clear();
        self.cells.clear();
        self.costs.clear();
        self.straight_on.clear();
        self.bounds.clear();
        self.leading = 0;
        self.span = Span::default();
        self.progress = Progress::default();
    }

    /// Collects the first corners. A unit for eight members of a list, or for a cell that is looked from; false if the
    /// budget is gone before all are known.
    #[inline(always)]
    pub(super) fn collect(
        &mut self,
        index: &Index<'_>,
        grid: &Grid,
        other: Cell,
        budget: &mut Budget,
    ) -> bool {
        let is_done = if index.header.list_bytes == 0 {
            self.look(index, grid, budget)
        } else {
            self.read_list(index, grid, budget)
        };
        self.weigh(index, other);
        is_done
    }

    #[inline(always)]
    fn read_list(&mut self, index: &Index<'_>, grid: &Grid, budget: &mut Budget) -> bool {
        let (list, bit) = index.list(grid, self.end);
        let first = list.start + self.progress.member;
        let count = eights(list.end - first, budget);
        index.members(first..first + count, bit, &mut self.listed);
        self.progress.member += count;
        first + count == list.end
    }

    /// Looks along the rays of all octants, as the lists are made, but leaves out less.
    fn look(&mut self, index: &Index<'_>, grid: &Grid, budget: &mut Budget) -> bool {
        let (sight, runs, end) = (grid.sight(), grid.corner_sight(), self.end);
        while self.progress.octant < 8 {
            let diagonal = Direction::from_number(self.progress.octant | 1);
            let straight = diagonal.clockwise(if self.progress.octant.is_multiple_of(2) { 7 } else { 1 });
            let Some(at) = self.progress.at else {
                (self.progress.at, self.progress.is_own_run) = (Some(end), true);
                continue;
            };
            if !budget.take() {
                return false;
            }
            let is_own_run = self.progress.is_own_run;
            let mut list = |cell: Cell| {
                self.listed.extend(index.corner_at(cell).map(|corner| Listed::new(corner, Listed::ALL).0));
            };
            let next = step(at, diagonal);
            let mut goes_on = sight.sees(at, next);
            if !is_own_run && runs.is_corner(at) {
                list(at);
                goes_on = false;
            } else if let Some(forced) = runs.forced(at, straight) {
                let steps = |cell: Cell| at.0.abs_diff(cell.0) + at.1.abs_diff(cell.1);
                let touched = runs.touched(at, diagonal, straight);
                match touched.filter(|&touched| steps(touched) <= steps(forced)) {
                    Some(touched) => list(touched),
                    None if is_own_run => list(forced),
                    None => {}
                }
            }
            self.progress.is_own_run = false;
            self.progress.at = goes_on.then_some(next);
            self.progress.octant += usize::from(!goes_on);
        }
        true
    }

    /// What it costs to go to those that were collected since. In passes, so that many are worked out at once.
    #[inline(always)]
    fn weigh(&mut self, index: &Index<'_>, other: Cell) {
        let (costs, shift, end) = (index.header.costs, index.header.mark_shift, self.end);
        let (done, leading) = (self.cells.len(), self.leading);
        let new = &self.listed[done..];
        self.cells.extend(new.iter().map(|&listed| index.corner(Listed(listed).corner()).cell()));
        self.costs.extend(self.cells[done..].iter().map(|&cell| costs.octile(end, cell)));
        let both = self.cells[done..].iter().zip(&self.costs[done..]);
        self.straight_on.extend(both.map(|(&cell, &cost)| cost + costs.octile(cell, other)));
        let leads = |&listed: &u32| Listed(listed).side() != Listed::NO_OTHER;
        self.leading = self.listed.iter().rposition(leads).map_or(0, |last| last + 1);
        for place in leading.max(done)..self.leading {
            let corner = index.corner(Listed(self.listed[place]).corner());
            self.span.grow(&corner.marks, units(self.costs[place], shift));
        }
    }

    /// Bounds the candidates that lead on, a unit each; false if the budget is gone before all are bounded.
    #[inline(always)]
    pub(super) fn bound(&mut self, index: &Index<'_>, other: &Span, budget: &mut Budget) -> bool {
        let shift = index.header.mark_shift;
        let done = self.bounds.len();
        let count = (self.leading - done).min(usize::try_from(budget.left()).unwrap_or(usize::MAX));
        budget.charge(count as u64);
        for place in done..done + count {
            let marks = &index.corner(Listed(self.listed[place]).corner()).marks;
            let bound = self.costs[place].saturating_add(other.apart(marks) << shift);
            self.bounds.push(bound.max(self.straight_on[place]));
        }
        done + count == self.leading
    }

    /// The candidate with the least bound.
    pub(super) fn best(&self) -> usize {
        let bounds = self.bounds.iter().enumerate();
        bounds.min_by_key(|&(place, bound)| (bound, place)).map_or(0, |(place, _)| place)
    }

    pub(super) fn bytes(&self) -> usize {
        self.listed.capacity() * size_of::<u32>()
            + self.cells.capacity() * size_of::<Cell>()
            + (self.costs.capacity() + self.straight_on.capacity() + self.bounds.capacity())
                * size_of::<u64>()
    }
}

/// As many of so many things as the budget allows for, a unit for eight; they are charged.
#[inline(always)]
pub(super) fn eights(count: usize, budget: &mut Budget) -> usize {
    let allowed = (count as u64).min(budget.left().saturating_mul(8));
    budget.charge(allowed.div_ceil(8));
    allowed as usize
}

fn step((column, row): Cell, direction: Direction) -> Cell {
    let (dx, dy) = direction.offset();
    (column.wrapping_add(dx as u32), row.wrapping_add(dy as u32))
}
