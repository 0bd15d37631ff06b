//! A* over cells between ends that are near each other, in slices, up to a fixed number of cells.
//!
//! # Paper
//! P. Hart, N. Nilsson, B. Raphael: A formal basis for the heuristic determination of minimum cost paths, 1968.
//!
//! # Guarantees
//! Finds a shortest path if it costs less than `best`, unless that takes more than [`MOST_CELLS`]. One unit for each cell
//! that is taken from the open list.

use super::walking::signs;
use crate::core::{Budget, EpochMap, Expander, StateId};
use crate::index::{StepCosts, direction};
use crate::plan::parts::corner_search::{Entry, Label, SpareLabels};
use crate::space::{Grid, SpaceKind};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cells that may be reached.
const MOST_CELLS: usize = 1360;

/// What came of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Searched {
    Found,
    /// Or it would take too many cells to find out.
    NothingBetter,
    Suspended,
}

/// The state of the search: labels by the numbers of cells.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Near {
    pub(super) labels: EpochMap<u32, Label>,
    pub(super) open: BinaryHeap<Reverse<Entry>>,
}

impl Near {
    pub(super) fn bytes(&self) -> usize {
        self.labels.bytes() + self.open.capacity() * size_of::<Entry>()
    }

    /// Whether this can have been restored on a grid: labels are those of free cells, and costs fall along ways back.
    pub(super) fn is_sound(&self, grid: &Grid) -> bool {
        let leads_back = |key: u32, label: Label| {
            label.parent == key || self.labels.get(label.parent).is_some_and(|parent| parent.g < label.g)
        };
        self.labels.iter().all(|(key, label)| grid.is_free(StateId::new(key)) && leads_back(key, label))
    }

    /// Makes room for all cells that may be reached.
    pub(super) fn reserve(&mut self, spare: &mut SpareLabels) {
        self.labels = spare.lend(MOST_CELLS);
        self.open.reserve(MOST_CELLS);
    }

    pub(super) fn begin(&mut self, start: StateId, rest: u64) {
        self.labels.clear();
        self.open.clear();
        self.labels.set(start.number(), Label { g: 0, parent: start.number() });
        self.open.push(Reverse(Entry { f: rest, rest, corner: start.number() }));
    }

    /// Goes on towards a goal that is worth less than `best`.
    pub(super) fn run(
        &mut self,
        grid: &Grid,
        costs: StepCosts,
        goal: StateId,
        best: u64,
        budget: &mut Budget,
    ) -> Searched {
        let (moves, goal_cell, stride) = (grid.moves(), grid.column_and_row(goal), grid.stride());
        let Near { labels, open } = self;
        loop {
            match open.peek() {
                Some(Reverse(entry)) if entry.f < best && labels.len() < MOST_CELLS => {}
                _ => return Searched::NothingBetter,
            }
            if !budget.take() {
                return Searched::Suspended;
            }
            let Some(Reverse(entry)) = open.pop() else { return Searched::NothingBetter };
            let (cell, g) = (StateId::new(entry.corner), entry.f.saturating_sub(entry.rest));
            if labels.get(entry.corner).is_none_or(|label| label.g != g) {
                continue;
            }
            if cell == goal {
                return Searched::Found;
            }
            moves.expand(cell, None, |child, _| {
                let apart = child.number().abs_diff(cell.number());
                let step = if apart == 1 || apart == stride { costs.straight } else { costs.diagonal };
                let g = g.saturating_add(step);
                let rest = costs.octile(grid.column_and_row(child), goal_cell);
                let f = g.saturating_add(rest);
                if f < best && labels.get(child.number()).is_none_or(|label| label.g > g) {
                    labels.set(child.number(), Label { g, parent: cell.number() });
                    open.push(Reverse(Entry { f, rest, corner: child.number() }));
                }
            });
        }
    }

    /// What lies before a cell on the way found, itself if nothing does, and the direction from there.
    pub(super) fn step_to(&self, grid: &Grid, cell: u32) -> Option<(u32, u8)> {
        let parent = self.labels.get(cell)?.parent;
        let [from, to] = [parent, cell].map(|number| grid.column_and_row(StateId::new(number)));
        let (dx, dy) = signs(from, to);
        Some((parent, direction(dx, dy) as u8))
    }
}
