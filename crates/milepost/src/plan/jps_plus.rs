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
//! Work: one unit for each jump point that comes out of the open list and has at most 8 links, else one for each of them; one
//! for each entry of the table that is read to find out whether the start or a jump point sees the goal, and for each
//! direction and each cell of a diagonal in the look for the first jump points of the start. A query is cut anywhere
//! between them: no call takes more than its budget.
//!
//! # Deviations
//! 1. The jumps from a jump point are not looked up one after another but stored as a list: straight jumps that branch
//!    off its diagonals included, needless ones left out. From the start they are looked up.
//! 2. A loop of its own over jump points alone: [`point_search`](super::parts::point_search).

use super::base::multi_goal::GoalQuery;
use super::parts::point_search::{JumpGraph, PointPlanner};
use crate::index::{Atlas, IndexKind, IndexSpec, JumpLinks, PackedCell};
use std::ops::Range;

/// JPS+.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct JpsPlus;

impl PointPlanner for JpsPlus {
    const NEEDS: &'static [IndexSpec] = &[IndexSpec::of(IndexKind::JUMP_TABLE)];
    type Jumps<'a> = Linked<'a>;

    #[inline]
    fn jumps<'a>(&self, atlas: &'a Atlas, _: &GoalQuery<'_>) -> Option<Linked<'a>> {
        Some(Linked { links: atlas.jump_links()? })
    }
}

/// The jumps that lists know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linked<'a> {
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
    fn sight(&self, point: u32, goal: PackedCell) -> Option<(PackedCell, PackedCell)> {
        self.links.may_see(point, goal).then(|| (self.cell_of(point), goal))
    }

    #[inline(always)]
    fn links(&self, point: u32) -> Range<usize> {
        self.links.links(point)
    }

    #[inline(always)]
    fn next(
        &self,
        point: u32,
        links: Range<usize>,
        at: PackedCell,
        from: PackedCell,
        visit: impl FnMut(u32),
    ) {
        let directions = if from == at {
            u8::MAX
        } else {
            self.links.unbeaten(point, from.run_to(at).last_direction() / 2)
        };
        self.links.ahead(links, directions, visit);
    }
}
