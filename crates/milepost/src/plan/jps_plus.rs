//! Jump point search that looks jumps up instead of scanning for them.
//!
//! # Paper
//! D. Harabor, A. Grastien: Improving jump point search, ICAPS 2014 (JPS+); S. Rabin, N. Sturtevant: Faster A* with goal
//! bounding, Game AI Pro 3, 2017, section 22.5.1.
//!
//! # Symbols
//! `x` the state expanded, `t` the goal.
//!
//! # Guarantees
//! Complete and optimal under `octile` and `octile14`, without weights, links and overlays. Reads the index
//! `jump-table`.
//!
//! *Why no path is lost.* A shortest path from a cell that does not see the goal leads over one of its first jump points,
//! and still does if those are left out over which no path is shorter than over another one. Where a path arrives at a
//! jump point by a straight step and goes on, it is not a shortest one if a way around is strictly shorter; only such
//! directions are left out, never ties, so it does not matter which of several equal ways the lists have kept.
//!
//! Work: one unit for each jump point expanded.
//!
//! # Deviations
//! 1. The jumps from a jump point are not looked up one after another but stored as a list: straight jumps that branch
//!    off its diagonals included, needless ones left out. From the start they are looked up.
//! 2. A loop of its own over jump points alone: [`point_search`](super::parts::point_search).

use super::Scratch;
use super::base::multi_goal::{Attempt, GoalQuery, SingleGoalPlanner};
use super::parts::point_search::{JumpGraph, PointQuery};
use crate::core::{Budget, Cost, StateId};
use crate::index::{Atlas, IndexKind, JumpLinks, JumpTable, PackedCell};

/// JPS+.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct JpsPlus;

const NEEDS: [IndexKind; 1] = [IndexKind::JUMP_TABLE];

impl SingleGoalPlanner for JpsPlus {
    fn reads(&self) -> &'static [IndexKind] {
        &NEEDS
    }

    fn run(
        &self,
        atlas: &Atlas,
        goal_query: &GoalQuery<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Attempt {
        let Some(query) = query(atlas, goal_query) else { return Attempt::Damaged };
        let tried = query.run(goal_query, &mut scratch.point_search, budget);
        scratch.search.count_expansions(scratch.point_search.expanded());
        tried
    }

    fn best_so_far(&self, goal_query: &GoalQuery<'_>, scratch: &Scratch) -> (Cost, StateId) {
        scratch.point_search.best_so_far(goal_query)
    }

    fn write_path(&self, atlas: &Atlas, goal_query: &GoalQuery<'_>, end: StateId, scratch: &mut Scratch) {
        if let Some(query) = query(atlas, goal_query) {
            query.write(&mut scratch.point_search, end == goal_query.goal, scratch.path.waypoints_mut());
        }
    }
}

#[inline]
fn query<'a>(atlas: &'a Atlas, goal_query: &GoalQuery<'a>) -> Option<PointQuery<'a, Linked<'a>>> {
    let jumps = Linked { links: atlas.jump_links()? };
    Some(PointQuery::new(atlas.jump_table()?, jumps, goal_query))
}

/// The jumps that lists know.
#[derive(Clone, Copy, Debug)]
struct Linked<'a> {
    links: JumpLinks<'a>,
}

impl JumpGraph for Linked<'_> {
    const DIAGONAL_FIRST: bool = true;

    #[inline(always)]
    fn points(&self) -> usize {
        self.links.points()
    }

    #[inline(always)]
    fn cell_of(&self, point: u32) -> PackedCell {
        self.links.cell_of(point)
    }

    #[inline(always)]
    fn sees(&self, table: &JumpTable<'_>, point: u32, goal: PackedCell) -> bool {
        self.links.sees(table, point, goal)
    }

    #[inline(always)]
    fn next(&self, point: u32, at: PackedCell, from: PackedCell, visit: impl FnMut(u32)) {
        let directions = if from == at {
            u8::MAX
        } else {
            self.links.unbeaten(point, from.run_to(at).last_direction() / 2)
        };
        self.links.ahead(point, directions, visit);
    }
}
