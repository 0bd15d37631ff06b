//! A* from jump point to jump point that takes only ways whose box holds the goal.
//!
//! # Paper
//! S. Rabin, N. Sturtevant: Combining bounding boxes and JPS to prune grid pathfinding, AAAI 2016; S. Rabin,
//! N. Sturtevant: Faster A* with goal bounding, Game AI Pro 3, 2017, Listing 22.1 (one extra test for each edge).
//!
//! # Symbols
//! `s` start, `t` goal, `A(s)` the first jump points of the start, `g` cost so far, `h` octile distance, `f = g + h`.
//!
//! # Guarantees
//! Complete and optimal under `octile` and `octile14`, without weights, links and overlays. Reads the indexes
//! `jump-table` and `jump-bounds`.
//!
//! *Why no path is lost.* If `s` does not see `t`, a shortest path leads over some `a` in `A(s)`, and all of these are
//! opened. At a jump point `j` that does not see `t`, one edge begins a shortest path from `j` to `t`, and the box of that
//! very edge holds `t`, whichever way the builder's ties fell; it is the only one that must be kept, so nothing is
//! pruned by how `j` was reached. By induction a path of least cost stays in the graph that is searched, and `h` is
//! consistent on it.
//!
//! Work: one unit for each jump point that comes out of the open list and has at most 8 edges, else one for each of them; one
//! for each entry of the table that is read to find out whether the start or a jump point sees the goal, and for each
//! direction and each cell of a diagonal in the look for the first jump points of the start. A query is cut anywhere
//! between them: no call takes more than its budget.
//!
//! # Deviations
//! 1. Boxes at jump points alone, one for each edge to another jump point instead of one for each direction. The start
//!    is expanded without boxes.
//! 2. A loop of its own over jump points alone: [`point_search`](super::parts::point_search).

use super::base::multi_goal::GoalQuery;
use super::parts::point_search::{JumpGraph, PointPlanner};
use crate::index::{Atlas, IndexKind, IndexSpec, JumpBounds, PackedCell};
use std::ops::Range;

/// JPS+ with boxes of goals at jump points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct JpsPlusBounds;

impl PointPlanner for JpsPlusBounds {
    const NEEDS: &'static [IndexSpec] =
        &[IndexSpec::of(IndexKind::JUMP_TABLE), IndexSpec::of(IndexKind::JUMP_BOUNDS)];
    type Jumps<'a> = Bounded<'a>;

    #[inline]
    fn jumps<'a>(&self, atlas: &'a Atlas, goal_query: &GoalQuery<'_>) -> Option<Bounded<'a>> {
        let bounds = atlas.jump_bounds()?;
        let goal = bounds.unit(PackedCell::of(goal_query.grid, goal_query.goal));
        Some(Bounded { bounds, goal })
    }
}

/// The edges whose box holds the goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded<'a> {
    bounds: JumpBounds<'a>,
    /// In the units of boxes.
    goal: (u8, u8),
}

impl JumpGraph for Bounded<'_> {
    // An edge leads to a jump point that sees the one where it begins.
    const DIAGONAL_FIRST: bool = false;

    #[inline(always)]
    fn points(&self) -> usize {
        self.bounds.points()
    }

    #[inline(always)]
    fn cell_of(&self, point: u32) -> PackedCell {
        self.bounds.cell_of(point)
    }

    #[inline(always)]
    fn sight(&self, point: u32, goal: PackedCell) -> Option<(PackedCell, PackedCell)> {
        self.bounds.may_see(goal, point).then(|| (goal, self.cell_of(point)))
    }

    #[inline(always)]
    fn links(&self, point: u32) -> Range<usize> {
        self.bounds.edge_range(point)
    }

    // Listing 22.1: one extra test for each edge.
    #[inline(always)]
    fn next(&self, _: u32, links: Range<usize>, _: PackedCell, _: PackedCell, mut visit: impl FnMut(u32)) {
        for edge in self.bounds.edges_in(links) {
            if edge.goals.holds(self.goal) {
                visit(edge.point);
            }
        }
    }
}
