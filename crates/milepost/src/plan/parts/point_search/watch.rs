//! Writes down what a search over jump points does: jumps around its own that tell which points are expanded, and where jumps lead.

use super::{JumpGraph, PointQuery, PointSearch, START};
use crate::core::{Budget, Cost, Watch};
use crate::index::PackedCell;
use crate::plan::Phase;
use crate::plan::base::multi_goal::{Attempt, GoalQuery};
use std::cell::RefCell;
use std::ops::Range;

impl<W: JumpGraph> PointQuery<'_, W> {
    /// Begins, or goes on, and writes down what happens.
    pub(super) fn run_watched(
        &self,
        goal_query: &GoalQuery<'_>,
        search: &mut PointSearch,
        budget: &mut Budget,
        watch: &mut Watch,
    ) -> Attempt {
        let start = self.id(self.start);
        if goal_query.phase == Phase::Begin {
            watch.begin();
            watch.offer(start, start, 0, || self.rest(self.start));
        }
        let cell = RefCell::new(watch);
        let jumps = WatchedJumps { query: self, watch: &cell };
        let Self { table, start: from, goal, straight, slant, bound, keeps_nearest, .. } = *self;
        let watched = PointQuery { table, jumps, start: from, goal, straight, slant, bound, keeps_nearest };
        let tried = watched.run(goal_query, search, budget);
        let watch = cell.into_inner();
        if search.expanded() == 0 {
            // What the start itself leads to is not asked of the jumps.
            for &entry in &search.open.0 {
                let point = super::Keys::point(entry);
                let Some(node) = search.nodes.get(point as usize) else { continue };
                let at = self.jumps.cell_of(point);
                watch.offer(start, self.id(at), node.g, || self.rest(at));
            }
        }
        if let Attempt::Found(cost) = tried {
            let last = if search.last == START { start } else { self.id(self.jumps.cell_of(search.last)) };
            watch.offer(last, self.id(self.goal), cost.units(), || Cost::ZERO);
            watch.close(self.id(self.goal), || Cost::ZERO);
        }
        tried
    }

    fn id(&self, at: PackedCell) -> u32 {
        at.state(self.table.stride()).number()
    }

    /// How far the goal seems.
    fn rest(&self, at: PackedCell) -> Cost {
        Cost::new(self.octile(at, self.goal))
    }
}

/// Jumps that are written down.
struct WatchedJumps<'a, 'q, 'w, W> {
    query: &'a PointQuery<'q, W>,
    watch: &'a RefCell<&'w mut Watch>,
}

impl<W> Clone for WatchedJumps<'_, '_, '_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for WatchedJumps<'_, '_, '_, W> {}

impl<W: JumpGraph> JumpGraph for WatchedJumps<'_, '_, '_, W> {
    const DIAGONAL_FIRST: bool = W::DIAGONAL_FIRST;

    fn points(&self) -> usize {
        self.query.jumps.points()
    }

    fn cell_of(&self, point: u32) -> PackedCell {
        self.query.jumps.cell_of(point)
    }

    /// Asked once of each jump point that comes out of the open list.
    fn sight(&self, point: u32, goal: PackedCell) -> Option<(PackedCell, PackedCell)> {
        let (query, at) = (self.query, self.cell_of(point));
        let mut watch = self.watch.borrow_mut();
        if watch.cost(query.id(at)).is_none() {
            // One of those that the start leads to, in the slice that found them.
            let g = query.octile(query.start, at);
            watch.offer(query.id(query.start), query.id(at), g, || query.rest(at));
        }
        watch.close(query.id(at), || query.rest(at));
        query.jumps.sight(point, goal)
    }

    fn first_directions(&self, start: PackedCell) -> u8 {
        self.query.jumps.first_directions(start)
    }

    fn links(&self, point: u32) -> Range<usize> {
        self.query.jumps.links(point)
    }

    fn next(
        &self,
        point: u32,
        links: Range<usize>,
        at: PackedCell,
        from: PackedCell,
        mut visit: impl FnMut(u32),
    ) {
        let query = self.query;
        query.jumps.next(point, links, at, from, |next| {
            let there = self.cell_of(next);
            let mut watch = self.watch.borrow_mut();
            let g = watch.cost(query.id(at)).unwrap_or(0).saturating_add(query.octile(at, there));
            watch.offer(query.id(at), query.id(there), g, || query.rest(there));
            drop(watch);
            visit(next);
        });
    }
}
