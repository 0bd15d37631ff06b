//! The search over jump points alone: the jumps from each of them are stored as a list of links.
//!
//! # Guarantees
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
//! 2. A loop of its own over jump points alone: [`point_search`](crate::plan::parts::point_search).
//! 3. With boxes, links are left out by the box of their first step. A jump point that sees the goal needs no box.

use super::{BOUNDS, TABLE};
use crate::index::goal_bounds::Aim;
use crate::index::{Atlas, GoalBounds, IndexSpec, JumpLinks, PackedCell};
use crate::plan::base::multi_goal::GoalQuery;
use crate::plan::parts::point_search::{JumpGraph, PointPlanner};
use std::ops::Range;

/// All links.
#[derive(Clone, Copy, Debug)]
pub(super) struct GraphSearch;

impl PointPlanner for GraphSearch {
    const NEEDS: &'static [IndexSpec] = &[TABLE];
    type Jumps<'a> = Linked<'a, NoBoxes>;

    #[inline]
    fn jumps<'a>(&self, atlas: &'a Atlas, _: &GoalQuery<'_>) -> Option<Linked<'a, NoBoxes>> {
        Some(Linked { links: atlas.jump_links()?, boxes: NoBoxes })
    }
}

/// Links whose first step has a box that holds the goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundedGraphSearch;

impl PointPlanner for BoundedGraphSearch {
    const NEEDS: &'static [IndexSpec] = &[TABLE, BOUNDS];
    type Jumps<'a> = Linked<'a, GoalBoxes<'a>>;

    #[inline]
    fn jumps<'a>(&self, atlas: &'a Atlas, goal_query: &GoalQuery<'_>) -> Option<Linked<'a, GoalBoxes<'a>>> {
        let bounds = atlas.goal_bounds()?;
        let (aim, stride) = (bounds.aim(&[goal_query.goal]), goal_query.grid.stride());
        Some(Linked { links: atlas.jump_links()?, boxes: GoalBoxes { bounds, aim, stride } })
    }
}

/// What boxes leave of the directions of a cell.
pub(in crate::plan) trait Boxes: Copy {
    /// As bits.
    fn directions(&self, cell: PackedCell) -> u8;
}

/// Everything.
#[derive(Clone, Copy, Debug)]
pub(in crate::plan) struct NoBoxes;

impl Boxes for NoBoxes {
    #[inline(always)]
    fn directions(&self, _: PackedCell) -> u8 {
        u8::MAX
    }
}

/// Those whose box holds the goal.
#[derive(Clone, Copy, Debug)]
pub(in crate::plan) struct GoalBoxes<'a> {
    bounds: GoalBounds<'a>,
    aim: Aim,
    /// That of the map, which makes ids of places.
    stride: u32,
}

impl Boxes for GoalBoxes<'_> {
    // Listing 22.1: one extra test for each direction.
    #[inline(always)]
    fn directions(&self, cell: PackedCell) -> u8 {
        self.bounds.directions(cell.state(self.stride), &self.aim)
    }
}

/// The jumps that lists know.
#[derive(Clone, Copy, Debug)]
pub(in crate::plan) struct Linked<'a, B> {
    links: JumpLinks<'a>,
    boxes: B,
}

impl<B: Boxes> JumpGraph for Linked<'_, B> {
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
    fn first_directions(&self, start: PackedCell) -> u8 {
        self.boxes.directions(start)
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
        let unbeaten = if from == at {
            u8::MAX
        } else {
            self.links.unbeaten(point, from.run_to(at).last_direction() / 2)
        };
        self.links.ahead(links, unbeaten & self.boxes.directions(at), visit);
    }
}
