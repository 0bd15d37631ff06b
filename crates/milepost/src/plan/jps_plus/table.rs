//! The published search: A* over the cells where jumps end, which the jump table knows for every cell and direction.
//!
//! # Paper
//! S. Rabin, F. Silva: JPS+: An extreme A* speed optimization for static uniform cost grids, Game AI Pro 2, 2015, section
//! 14.7; with the test of Listing 22.1 of S. Rabin, N. Sturtevant: Faster A* with goal bounding, Game AI Pro 3, 2017.
//!
//! # Symbols
//! `distances[d]`: above 0 the steps to the jump point ahead, else minus the steps to the wall. The *target jump point* of a
//! cell: where a diagonal run meets the row or the column of the goal.
//!
//! # Guarantees
//! Complete and optimal where jumps are. *Why no cost is lost*: it is the proof of
//! [`JumpMoves`](crate::space::JumpMoves), whose rules the directions after an arrival are: behind a straight step into
//! `x`, past a side whose cell is free, the cell beside the last one is blocked just if the diagonal step there from `x` is. A straight jump
//! passes over cells where nothing is forced. A diagonal jump passes over cells from which neither of its two straight
//! directions leads to a jump point, nor to the goal: that lies in the row or the column of the target jump point, where
//! the jump ends. Such straight runs to a wall are not made, for the table knows that nothing is forced on them; the proof
//! counts the values that they would give to their cells, none of which is the goal. A cell where a jump ends is expanded with its
//! least cost and the direction of its first parent of least cost. With boxes read it for the states of shortest paths from the start to
//! the goal alone.
//!
//! Work: a unit for each cell that comes out of the open list, with the eight distances of its entry, and one for each
//! entry more where a distance is greater than an entry can say, every 127 steps. A query is cut between any two: no call
//! takes more than its budget.
//!
//! # Deviations
//! 1. Diagonal steps need both cells beside them free, as in the published program; the rules of 2011 differ. The chapter goes on
//!    to both sides behind a straight jump; its program, and ours, only where something is forced.
//! 2. A closed cell is opened again if a better way is found; with this estimate it never is.
//! 3. The published program keeps children that cost no more than their parent seemed to on a stack beside the open list; here
//!    there is one open list.

use super::{BOUNDS, TABLE};
use crate::core::{Budget, Cost, StateId};
use crate::index::jumps::{Entry, READ_ON};
use crate::index::{Atlas, IndexSpec, JumpTable, Jumps, PackedCell, direction};
use crate::plan::Scratch;
use crate::plan::astar_bounds::search_within;
use crate::plan::base::multi_goal::{Attempt, GoalQuery, SingleGoalPlanner};
use crate::space::{EdgeSlot, Grid, GridGeometry, JumpExpander, SpaceKind};

/// A* over the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableSearch {
    pub(super) bounds: bool,
}

impl SingleGoalPlanner for TableSearch {
    fn reads(&self) -> &'static [IndexSpec] {
        if self.bounds { &[TABLE, BOUNDS] } else { &[TABLE] }
    }

    fn run(
        &self,
        atlas: &Atlas,
        goal_query: &GoalQuery<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Attempt {
        let Some(table) = atlas.jump_table() else { return Attempt::Damaged };
        let GoalQuery { grid, goal, .. } = *goal_query;
        let moves = TableMoves { table, grid, goal: PackedCell::of(grid, goal) };
        search_within(goal_query, &moves, atlas.goal_bounds().filter(|_| self.bounds), scratch, budget)
    }
}

/// The jumps that the table knows, and those to the target jump point.
#[derive(Clone, Copy, Debug)]
struct TableMoves<'a> {
    table: JumpTable<'a>,
    grid: &'a Grid,
    goal: PackedCell,
}

/// `ValidDirLookUpTable`: the directions, as bits, in which the search goes on after a step in this direction; from the start,
/// where there was none, all of them. After a diagonal step straight on and the two beside it; after a straight one straight
/// on and to both sides, but not to a side where nothing is forced: there the step back past the side is free.
#[inline(always)]
fn valid_directions(came: usize, distances: &Entry) -> u8 {
    if came > 7 {
        return u8::MAX;
    }
    // Bit 2 is straight on.
    let ahead: u8 = if came % 2 == 1 {
        0b0000_1110
    } else {
        let is_forced = |back: usize| distances[(came + back) & 7] == 0;
        0b0000_0100 | if is_forced(5) { 0b0000_0011 } else { 0 } | if is_forced(3) { 0b0001_1000 } else { 0 }
    };
    ahead.rotate_left(came as u32).rotate_right(2)
}

impl JumpExpander for TableMoves<'_> {
    fn geometry(&self) -> &GridGeometry {
        self.grid.geometry()
    }

    /// Where it stops: the number of a direction in the upper half, and behind how many steps in the lower one, never 0.
    #[inline(always)]
    fn jump_part(
        &self,
        (state, parent): (StateId, Option<StateId>),
        from: u64,
        budget: &mut Budget,
        keeps: impl Fn(EdgeSlot) -> bool,
        mut visit: impl FnMut(StateId, Cost),
    ) -> Option<u64> {
        let (scale, id_bound) = (self.grid.scale(), self.grid.id_bound());
        let at = PackedCell::of(self.grid, state);
        let distances = *self.table.entry(at);
        let (dx, dy) = at.to(self.goal);
        // The direction in which the goal lies, exactly or in general, and the steps to it or to the target jump point.
        let goal_direction = direction(dx.signum(), dy.signum());
        let goal_steps = if dx == 0 || dy == 0 { dx.abs() + dy.abs() } else { dx.abs().min(dy.abs()) };
        let came = parent.map_or(8, |parent| {
            let (dx, dy) = PackedCell::of(self.grid, parent).to(at);
            direction(dx.signum(), dy.signum())
        });
        let (first, mut steps) = ((from >> 32) as u32, from as u32 as i32);
        let mut directions = valid_directions(came, &distances) & u8::MAX << (first & 7);
        // foreach (direction in ValidDirLookUpTable given parentNode)
        while directions != 0 {
            let d = directions.trailing_zeros() as usize;
            directions &= directions - 1;
            let mut passed = std::mem::take(&mut steps);
            // Listing 22.1: WithinBoundingBox(n, d, goal).
            if distances[d] == 0 || !keeps(EdgeSlot::Direction(d)) {
                continue;
            }
            let successor = loop {
                let distance = match passed {
                    0 => distances[d],
                    _ if !budget.take() => return Some((d as u64) << 32 | passed as u64),
                    _ => self.table.entry(at.ahead(d, passed))[d],
                };
                let reach = passed + i32::from(distance).abs();
                if d == goal_direction && goal_steps <= reach {
                    // The goal, or the target jump point, is no farther than the wall or the jump point.
                    break goal_steps;
                } else if distance != READ_ON {
                    // Jump point in this direction.
                    break if distance > 0 { reach } else { 0 };
                } else if reach > 1 << 16 {
                    // No row is longer; a table that was tampered with may say so.
                    break 0;
                }
                passed = reach;
            };
            let child = at.ahead(d, successor).state(self.grid.stride());
            if successor > 0 && child.index() < id_bound {
                let step = if d % 2 == 1 { scale.diagonal() } else { scale.straight() };
                visit(child, Cost::new(successor as u64 * step));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_valid_directions_are_those_that_are_printed() {
        let valid = |came: usize, distances: &Entry| {
            let all = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
            let directions = valid_directions(came, distances);
            (0..8).filter(|bit| directions >> bit & 1 == 1).map(|bit| all[bit]).collect::<Vec<_>>()
        };
        // Walls on all sides: something is forced to both.
        let walled = [0; 8];
        assert_eq!(valid(4, &walled), ["E", "SE", "S", "SW", "W"], "traveling south");
        assert_eq!(valid(3, &walled), ["E", "SE", "S"], "traveling southeast");
        assert_eq!(valid(0, &walled), ["N", "NE", "E", "W", "NW"], "traveling north");
        assert_eq!(valid(7, &walled), ["N", "W", "NW"], "traveling northwest");
        assert_eq!(valid(8, &walled).len(), 8, "from the start");
        // To the east, with the wall behind in the north-west, or in the south-west.
        assert_eq!(valid(2, &[1, 1, 1, 1, 1, 1, 1, 0]), ["N", "NE", "E"]);
        assert_eq!(valid(2, &[1, 1, 1, 1, 1, 0, 1, 1]), ["E", "SE", "S"]);
        assert_eq!(valid(2, &[1; 8]), ["E"]);
    }
}
