//! The first corners of an end of a query, as candidates: what it costs to go there, and how long a path over them is at
//! least.

use super::marks::{Marks, Span, units};
use crate::core::Budget;
use crate::index::CornerLabels as Index;
use crate::index::corner_labels::Listed;
use crate::space::{Cell, Direction, Grid};
use std::hint::select_unpredictable;

/// The first corners of one end. Those that lead to no other corner come last. Arrays have room behind the last candidate, so
/// that eight are worked out at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    pub(super) end: Cell,
    listed: Vec<u32>,
    columns: Vec<u32>,
    rows: Vec<u32>,
    marks: Vec<Marks>,
    costs: Vec<u64>,
    straight_on: Vec<u64>,
    bounds: Vec<u64>,
    /// How many were collected, and of these weighed.
    count: usize,
    weighed: usize,
    /// Those that lead to other corners, and of these bounded.
    pub(super) leading: usize,
    bounded: usize,
    /// The candidate with the least bound so far.
    pub(super) best: usize,
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

/// Candidates that are worked out at once.
const LANES: usize = 8;

impl Candidates {
    pub(super) fn begin(&mut self, end: Cell) {
        self.end = end;
        (self.count, self.weighed, self.leading, self.bounded, self.best) = (0, 0, 0, 0, 0);
        self.span = Span::default();
        self.progress = Progress::default();
    }

    /// Corners with the side of their labels.
    #[inline(always)]
    pub(super) fn listed(&self) -> &[u32] {
        &self.listed[..self.count]
    }

    /// What it costs to go there.
    #[inline(always)]
    pub(super) fn costs(&self) -> &[u64] {
        &self.costs[..self.count]
    }

    /// That, and the octile distance to the other end.
    #[inline(always)]
    pub(super) fn straight_on(&self) -> &[u64] {
        &self.straight_on[..self.count]
    }

    /// How many have their costs.
    #[cfg(feature = "observe")]
    pub(super) fn weighed(&self) -> usize {
        self.weighed.min(self.count)
    }

    /// Where a candidate is.
    #[inline(always)]
    pub(super) fn cell(&self, place: usize) -> Cell {
        (self.columns[place], self.rows[place])
    }

    /// How many have their bounds.
    #[inline(always)]
    pub(super) fn bounded(&self) -> usize {
        self.bounded
    }

    /// Whether a path over a candidate may be shorter than this.
    #[inline(always)]
    pub(super) fn is_below(&self, place: usize, cost: u64) -> bool {
        self.bounds[place] < cost
    }

    /// The same of the 64 candidates from a place on, a bit each. All are looked at: which one counts is nothing that a
    /// processor could guess.
    #[inline(always)]
    pub(super) fn all_below(&self, first: usize, cost: u64) -> u64 {
        let lanes = first..self.bounded.min(first + 64).next_multiple_of(LANES);
        let bounds = self.bounds.get(lanes).unwrap_or(&[]);
        let eights = bounds.chunks_exact(LANES).rev();
        eights.fold(0, |all, eight| {
            all << LANES | eight.iter().rev().fold(0, |bits, &bound| bits << 1 | u64::from(bound < cost))
        })
    }

    /// The next candidate from a place on over which the legs there and on to the other end are this long.
    #[inline(always)]
    pub(super) fn next_as_long(&self, first: usize, length: u64) -> Option<usize> {
        // Most often none is, which takes a look at several at once. What is behind the last does no harm here.
        let mut eights = self.straight_on[..self.weighed.next_multiple_of(LANES)].chunks_exact(LANES);
        if !eights.any(|eight| eight.iter().fold(false, |any, &straight_on| any | (straight_on == length))) {
            return None;
        }
        let lengths = self.straight_on().get(first..)?;
        lengths.iter().position(|&straight_on| straight_on == length).map(|place| first + place)
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
        self.weigh(index, grid, other);
        is_done
    }

    /// Makes room for so many more, and for lanes behind them.
    #[inline(always)]
    fn make_room(&mut self, more: usize) {
        let needed = self.count + more + LANES;
        if self.listed.len() < needed {
            self.grow_to(needed.next_power_of_two());
        }
    }

    #[cold]
    fn grow_to(&mut self, room: usize) {
        for numbers in [&mut self.listed, &mut self.columns, &mut self.rows] {
            numbers.resize(room, 0);
        }
        for lengths in [&mut self.costs, &mut self.straight_on, &mut self.bounds] {
            lengths.resize(room, 0);
        }
        self.marks.resize(room, Marks::default());
    }

    #[inline(always)]
    fn read_list(&mut self, index: &Index<'_>, grid: &Grid, budget: &mut Budget) -> bool {
        let (list, bit) = index.list(grid, self.end);
        let first = list.start + self.progress.member;
        let count = eights(list.end - first, budget);
        self.make_room(count);
        self.count += index.members(first..first + count, bit, &mut self.listed[self.count..]);
        self.progress.member += count;
        first + count == list.end
    }

    /// Looks along the rays of all octants, as the lists are made, but leaves out less.
    #[inline(never)]
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
            let next = step(at, diagonal);
            let mut goes_on = sight.sees(at, next);
            let mut found = None;
            if !is_own_run && runs.is_corner(at) {
                found = Some(at);
                goes_on = false;
            } else if let Some(forced) = runs.forced(at, straight) {
                let steps = |cell: Cell| at.0.abs_diff(cell.0) + at.1.abs_diff(cell.1);
                let touched = runs.touched(at, diagonal, straight);
                let touched = touched.filter(|&touched| steps(touched) <= steps(forced));
                found = touched.or(is_own_run.then_some(forced));
            }
            if let Some(corner) = found.and_then(|cell| index.corner_at(cell)) {
                self.make_room(1);
                self.listed[self.count] = Listed::new(corner, Listed::ALL).0;
                self.count += 1;
            }
            self.progress.is_own_run = false;
            self.progress.at = goes_on.then_some(next);
            self.progress.octant += usize::from(!goes_on);
        }
        true
    }

    /// What it costs to go to those that were collected since. In passes, so that many are worked out at once.
    #[inline(always)]
    fn weigh(&mut self, index: &Index<'_>, grid: &Grid, other: Cell) {
        let (costs, shift) = (index.header.costs, index.header.mark_shift);
        let (first, leading) = (self.weighed, self.leading);
        let new = first..self.count;
        let places = self.columns[new.clone()].iter_mut().zip(&mut self.rows[new.clone()]);
        let corners = self.listed[new.clone()].iter().zip(places.zip(&mut self.marks[new]));
        for (&listed, ((column, row), marks)) in corners {
            let corner = index.corner(Listed(listed).corner());
            // One after the other: as one value they would be copied twice.
            *marks = corner.marks;
            (*column, *row) = corner.cell();
        }
        match costs.narrow(grid) {
            Some([straight, more]) => self.measure(other, |long, short| {
                long.wrapping_mul(straight).wrapping_add(short.wrapping_mul(more))
            }),
            None => self.measure(other, |long, short| costs.of_steps(long, short)),
        }
        if leading < first {
            return;
        }
        let mut span = self.span;
        let corners = self.listed[first..self.count].iter().zip(&self.marks[first..self.count]);
        for ((&listed, marks), &cost) in corners.zip(&self.costs[first..self.count]) {
            // Those that lead to no other come last.
            if Listed(listed).side() == Listed::NO_OTHER {
                break;
            }
            span.grow(marks, units(cost, shift));
            self.leading += 1;
        }
        self.span = span;
    }

    /// The lengths of legs to those that were collected since, and on to the other end, worked out in numbers that both fit.
    /// Behind the last there may be anything.
    #[inline(always)]
    fn measure<N: Length>(&mut self, other: Cell, cost_of: impl Fn(u32, u32) -> N) {
        let (first, end) = (self.weighed, self.end);
        let lanes = first..first + (self.count - first).next_multiple_of(LANES);
        let places = self.columns[lanes.clone()].iter().zip(&self.rows[lanes.clone()]);
        let lengths = self.costs[lanes.clone()].iter_mut().zip(&mut self.straight_on[lanes]);
        // A loop of no known length: the compiler takes several at once, and none is left over.
        for ((&column, &row), (cost, length)) in places.zip(lengths) {
            let leg = |end: Cell| {
                let wide = column.max(end.0) - column.min(end.0);
                let high = row.max(end.1) - row.min(end.1);
                cost_of(wide.max(high), wide.min(high))
            };
            let there = leg(end);
            (*cost, *length) = (there.into(), there.plus(leg(other)).into());
        }
        self.weighed = self.count;
    }

    /// Bounds the candidates that lead on, how long a path is at least that leads over each and over a first corner of the
    /// other end, a unit each; false if the budget is gone before all are bounded.
    #[inline(always)]
    pub(super) fn bound(&mut self, index: &Index<'_>, other: &Span, budget: &mut Budget) -> bool {
        let (shift, other) = (index.header.mark_shift, *other);
        let done = self.bounded;
        let count = (self.leading - done).min(usize::try_from(budget.left()).unwrap_or(usize::MAX));
        budget.charge(count as u64);
        let new = done..done + count;
        let (mut best, mut least) = (self.best, if done > 0 { self.bounds[self.best] } else { u64::MAX });
        let lengths = self.costs[new.clone()].iter().zip(&self.straight_on[new.clone()]);
        let all = self.marks[new.clone()].iter().zip(lengths).zip(&mut self.bounds[new.clone()]).zip(new);
        for (((marks, (&cost, &straight_on)), bound), place) in all {
            let apart = other.apart(marks);
            // Neither is near the end of its word. Which one is larger is nothing that a processor could guess.
            let around = cost.wrapping_add(apart << shift);
            *bound = select_unpredictable(around > straight_on, around, straight_on);
            (best, least) = select_unpredictable(*bound < least, (place, *bound), (best, least));
        }
        (self.best, self.bounded) = (best, done + count);
        // Behind the last no path is shorter than any.
        self.bounds[done + count..][..LANES].fill(u64::MAX);
        self.bounded == self.leading
    }

    pub(super) fn bytes(&self) -> usize {
        (self.listed.capacity() + self.columns.capacity() + self.rows.capacity()) * size_of::<u32>()
            + self.marks.capacity() * size_of::<Marks>()
            + (self.costs.capacity() + self.straight_on.capacity() + self.bounds.capacity())
                * size_of::<u64>()
    }
}

/// Numbers that lengths are worked out in: the narrower, the more at once.
trait Length: Copy + Into<u64> {
    /// Modulo their size.
    fn plus(self, other: Self) -> Self;
}

impl Length for u32 {
    #[inline(always)]
    fn plus(self, other: u32) -> u32 {
        self.wrapping_add(other)
    }
}

impl Length for u64 {
    #[inline(always)]
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }
}

/// As many of so many things as the budget allows for, a unit for eight; they are charged.
#[inline(always)]
pub(super) fn eights(count: usize, budget: &mut Budget) -> usize {
    let units = count.div_ceil(8) as u64;
    if units <= budget.left() {
        budget.charge(units);
        return count;
    }
    let allowed = budget.left();
    budget.charge(allowed);
    8 * allowed as usize
}

fn step((column, row): Cell, direction: Direction) -> Cell {
    let (dx, dy) = direction.offset();
    (column.wrapping_add(dx as u32), row.wrapping_add(dy as u32))
}
