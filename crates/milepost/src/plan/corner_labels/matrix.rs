//! Distances from some states to others: each end's labels are put together once, and a pair is a look at one against the
//! other.

use super::LabelQuery;
use super::candidates::Candidates;
use super::comparison::Comparison;
use super::hubs::{Hubs, Layout};
use crate::core::{Budget, Cost, StateId};
use crate::index::CornerLabels as Index;
use crate::index::corner_labels::{Listed, Word};
use crate::space::{Cell, Grid, Sight, SpaceKind};

/// An end of many queries.
#[derive(Clone, Debug, Default)]
struct End<W> {
    cell: Cell,
    component: Option<u32>,
    /// Entries of all its candidates, for each hub the nearest: words whose distance is that from the end.
    label: Vec<W>,
    /// Its candidates, and what it costs to go there.
    first: Vec<(Cell, u64)>,
}

/// Room for the distances of one call after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Room<W> {
    start: End<W>,
    goals: Vec<End<W>>,
}

impl<W> Room<W> {
    pub(super) fn bytes(&self) -> usize {
        let of_end = |end: &End<W>| {
            end.label.capacity() * size_of::<W>() + end.first.capacity() * size_of::<(Cell, u64)>()
        };
        self.goals.iter().map(of_end).sum::<usize>()
            + of_end(&self.start)
            + self.goals.capacity() * size_of::<End<W>>()
    }
}

impl LabelQuery {
    /// The distances of all pairs, row by row; `None` where there is no path. There are labels and lists.
    pub(crate) fn distances(
        &mut self,
        index: &Index<'_>,
        grid: &Grid,
        (from, to): (&[StateId], &[StateId]),
        costs: &mut [Option<Cost>],
    ) {
        let LabelQuery { candidates: [candidates, _], narrow, wide, narrow_ends, wide_ends, .. } = self;
        if index.header.entry_bytes == 8 {
            let matrix = Matrix { index, grid, sight: grid.sight() };
            matrix.fill(candidates, narrow, narrow_ends, (from, to), costs);
        } else {
            let matrix = Matrix { index, grid, sight: grid.sight() };
            matrix.fill(candidates, wide, wide_ends, (from, to), costs);
        }
    }
}

struct Matrix<'a> {
    index: &'a Index<'a>,
    grid: &'a Grid,
    sight: Sight<'a>,
}

impl Matrix<'_> {
    fn fill<W: Word>(
        &self,
        candidates: &mut Candidates,
        comparison: &mut Comparison<W>,
        room: &mut Room<W>,
        (from, to): (&[StateId], &[StateId]),
        costs: &mut [Option<Cost>],
    ) {
        room.goals.resize_with(room.goals.len().max(to.len()), End::default);
        for (goal, &state) in room.goals.iter_mut().zip(to) {
            self.put_together(candidates, &mut comparison.hubs, state, goal);
        }
        for (&state, row) in from.iter().zip(costs.chunks_mut(to.len().max(1))) {
            let layout = self.put_together(candidates, &mut comparison.hubs, state, &mut room.start);
            for (cost, goal) in row.iter_mut().zip(&room.goals) {
                let distance = self.distance(&comparison.hubs, &layout, &room.start, goal);
                *cost = distance.map(|distance| Cost::new(self.index.cost_in_space(distance, self.grid)));
            }
        }
    }

    /// Collects the candidates of an end, and of their labels for each hub the nearest entry, which is left written down.
    fn put_together<W: Word>(
        &self,
        candidates: &mut Candidates,
        hubs: &mut Hubs<W>,
        state: StateId,
        end: &mut End<W>,
    ) -> Layout<W> {
        let Matrix { index, grid, .. } = *self;
        let entries = index.entries::<W>();
        let layout = hubs.begin(index.count(), index.sum_bits(grid), entries.len(), index.fields());
        end.label.clear();
        end.first.clear();
        end.component = grid.component(state);
        if end.component.is_none() {
            return layout;
        }
        end.cell = grid.column_and_row(state);
        candidates.begin(end.cell);
        candidates.collect(index, grid, end.cell, &mut Budget::unlimited());
        let halves = || {
            let all = candidates.listed().iter().zip(candidates.costs());
            all.map(|(&listed, &cost)| (index.half_or_hub(Listed(listed)), cost))
        };
        for (half, cost) in halves() {
            hubs.enter(&layout, entries.get(half.clone()).unwrap_or(&[]), half.start, cost);
        }
        for (half, _) in halves() {
            let part = entries.get(half.clone()).unwrap_or(&[]).iter().zip(half);
            end.label.extend(part.filter_map(|(&entry, place)| hubs.nearest(&layout, entry, place)));
        }
        let costs = candidates.costs().iter().enumerate();
        end.first.extend(costs.map(|(place, &cost)| (candidates.cell(place), cost)));
        layout
    }

    /// The distance from the start, whose labels are written down, to a goal, in units of the index.
    #[inline(always)]
    fn distance<W: Word>(
        &self,
        hubs: &Hubs<W>,
        layout: &Layout<W>,
        start: &End<W>,
        goal: &End<W>,
    ) -> Option<u64> {
        if start.component.is_none() || start.component != goal.component {
            return None;
        }
        let octile = self.index.header.costs.octile(start.cell, goal.cell);
        if self.sight.sees_either_way(start.cell, goal.cell) {
            return Some(octile);
        }
        let is_seen = |&(cell, cost): &(Cell, u64)| {
            cost + self.index.header.costs.octile(cell, goal.cell) == octile
                && self.sight.sees(goal.cell, cell)
        };
        if start.first.iter().any(is_seen) {
            return Some(octile);
        }
        hubs.least(layout, &goal.label)
    }
}
