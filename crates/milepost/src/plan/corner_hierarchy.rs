//! Whole paths over corners: those that the start sees, those that the goal sees, and between them a search in a small
//! hierarchy that was worked out beforehand.
//!
//! # Paper
//! Ours. It builds on corners as subgoals (T. Uras, S. Koenig, C. Hernández: Subgoal graphs for optimal pathfinding in
//! eight-neighbor grids, ICAPS 2013; T. Uras, S. Koenig: Identifying hierarchies for fast optimal search, AAAI 2014), on
//! the rules of jump point search (see [`JumpMoves`](crate::space::JumpMoves)) and on contraction hierarchies (see
//! [`corner_search`](super::parts::corner_search)).
//!
//! # Symbols
//! A cell *sees* another if the run of diagonal steps first, then straight ones, is free. `V(x)`: the corners that `x` sees
//! and at which a path that comes from `x` may turn. Two corners are *joined* if one sees the other and at each of them a
//! path from or to the other may turn.
//!
//! # Guarantees
//! Complete and optimal, under `octile` and `octile14` without weights and links. Work: one unit for each 64-cell word and
//! each diagonal cell looked at, each corner seen, each corner expanded. A query is answered in one call: it is begun if
//! there is a unit left, and charged in full. Memory: a label for each corner that the search came to.
//!
//! *Why the cost is least.* Let neither of `s` and `t` see the other. Jump point search finds a shortest path from `s` to
//! `t` by runs from jump point to jump point, each diagonal first, which go on straight or turn in a forced direction. Leave
//! out the jump points where it goes straight on: two runs become one, still diagonal first. At each one `b` that is left
//! the path arrives by a straight step `d` and leaves for a side `e`, straight or diagonally on, around the blocked cell
//! `q = -d + e` next to `b`. What is before `b` lies behind it (component `-d`), what comes after lies on the side `e`; so at
//! `b` one may turn, seen from both neighbours: all runs between corners join them, and the first corner is in `V(s)`.
//!
//! The last corner `b` sees `t`, but need `t` see `b`? If not, take instead of the last run a shortest path from `t` to `b`
//! found in the same way, with the corner `c` next to `b`. Since the last run is an octile one, all shortest paths from `b`
//! to `t` consist of its two kinds of steps. If `c` has a component `e` from `b`, then `b` and `c` are joined. Else the path
//! leaves `b` straight on in direction `d`, and `b` is left out: its predecessor (or `s`) sees `c` by the run over `b`, goes
//! off to the same side as before, and lies behind `c` as `b` does. Either way all runs between corners join them, the
//! first corner is in `V(s)` and the last one in `V(t)`. ∎
//!
//! At the first corner jump point search arrives by a straight step and turns in a forced direction, so of `V(s)` no others
//! are looked for. (In the other case `c` is such a corner too: the cell around which one turns there lies behind it.)
//!
//! # Deviations
//! 1. Two joined corners have no edge where two shorter ones do as well: that changes no distance.
//! 2. Corners between which no joined ones lead have an edge all the same if they are in one component. No shortest path
//!    needs it; an agent that knows fewer corners than it sees may.

use super::Scratch;
use super::base::multi_goal::{Attempt, GoalQuery, SingleGoalPlanner};
use super::parts::corner_search::{Chain, CornerSearch, Searched, Unpacked};
use super::parts::legs::Legs;
use crate::core::{Budget, Cost, StateId};
use crate::index::{Atlas, CornerHierarchy as Index, IndexKind, IndexSpec, PackedCell};
use crate::space::{Grid, LineOfSight, SpaceKind};

/// Paths over a hierarchy of corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CornerHierarchy;

const NEEDS: [IndexSpec; 1] = [IndexSpec::of(IndexKind::CORNER_HIERARCHY)];

/// Room for one query.
#[derive(Clone, Debug, Default)]
pub(crate) struct CornerQuery {
    search: CornerSearch,
    chain: Chain,
    /// The turning points of the path found.
    waypoints: Vec<StateId>,
}

impl CornerQuery {
    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.search.bytes()
            + self.chain.edges.capacity() * size_of::<(u32, u32)>()
            + self.waypoints.capacity() * size_of::<StateId>()
    }
}

impl SingleGoalPlanner for CornerHierarchy {
    fn reads(&self) -> &'static [IndexSpec] {
        &NEEDS
    }

    fn run(
        &self,
        atlas: &Atlas,
        goal_query: &GoalQuery<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Attempt {
        if !budget.take() {
            return Attempt::Suspended;
        }
        let Some(index) = atlas.corner_hierarchy() else { return Attempt::Damaged };
        let mut work = Budget::unlimited();
        let found = find(&index, goal_query, &mut scratch.corners, &mut work);
        scratch.search.count_expansions(scratch.corners.search.expanded());
        budget.charge(work.spent().saturating_sub(1));
        match found {
            None => Attempt::Damaged,
            Some(cost) if goal_query.limit.is_some_and(|limit| cost > limit) => Attempt::NoBetter,
            Some(cost) => Attempt::Found(cost),
        }
    }

    fn best_so_far(&self, goal_query: &GoalQuery<'_>, _: &Scratch) -> (Cost, StateId) {
        (Cost::ZERO, goal_query.start)
    }

    fn write_path(&self, _: &Atlas, goal_query: &GoalQuery<'_>, end: StateId, scratch: &mut Scratch) {
        let waypoints = scratch.path.waypoints_mut();
        waypoints.clear();
        if end == goal_query.goal {
            waypoints.extend_from_slice(&scratch.corners.waypoints);
        } else {
            waypoints.push(goal_query.start);
        }
    }
}

/// The cost of a shortest path, whose turning points are left in the query. The goal can be reached; `None` if the index
/// does not lead there.
fn find(
    index: &Index<'_>,
    goal_query: &GoalQuery<'_>,
    query: &mut CornerQuery,
    work: &mut Budget,
) -> Option<Cost> {
    let grid = goal_query.grid;
    let (start, goal) = (PackedCell::of(grid, goal_query.start), PackedCell::of(grid, goal_query.goal));
    let mut path = Course::begin(grid, start, &mut query.waypoints);
    let sees = |from: PackedCell, to: PackedCell, work: &mut Budget| {
        let place = |cell: PackedCell| (cell.column(), cell.row());
        LineOfSight::new(place(from), place(to)).advance(grid, work) == Some(true)
    };
    let search = &mut query.search;
    search.begin(start, goal);
    if sees(start, goal, work) {
        path.go(goal, true);
        return Some(path.cost);
    }
    if sees(goal, start, work) {
        path.go(goal, false);
        return Some(path.cost);
    }
    for (side, end) in [goal_query.start, goal_query.goal].into_iter().enumerate() {
        let mut seen = 0;
        let words = grid.corners_seen(end, side == 1, |corner| {
            seen += 1;
            if let Some(corner) = index.corner_at(PackedCell::of(grid, corner)) {
                search.seed(index, side, corner);
            }
        });
        work.charge(words + seen);
    }
    while search.run(index, work) != Searched::Done {}
    let meeting = search.meeting?;
    let first = climb_down(search, meeting, &mut query.chain, work)?;
    // All of these corners are seen from the ends, diagonal steps first.
    path.go(index.cell_of(first), true);
    loop {
        match query.chain.next(index, work) {
            Unpacked::Leg(leg) => path.go(index.cell_of(leg.corner), leg.is_diagonal_first),
            Unpacked::End => break,
            Unpacked::Suspended | Unpacked::Damaged => return None,
        }
        // A path comes to no corner twice.
        if path.runs > index.corners() {
            return None;
        }
    }
    path.go(goal, false);
    Some(path.cost)
}

/// Writes the edges of the path over a corner into a chain, and returns the first corner.
fn climb_down(search: &CornerSearch, meeting: u32, chain: &mut Chain, work: &mut Budget) -> Option<u32> {
    chain.edges.clear();
    for side in [1, 0] {
        let mut corner = meeting;
        loop {
            work.charge(1);
            let parent = search.parent(side, corner)?;
            if parent == corner {
                break;
            }
            chain.edges.push(if side == 1 { (corner, parent) } else { (parent, corner) });
            corner = parent;
        }
        if side == 1 {
            chain.edges.reverse();
        } else {
            return Some(corner);
        }
    }
    None
}

/// Writes runs as turning points, and adds their costs up.
struct Course<'a> {
    grid: &'a Grid,
    at: PackedCell,
    cost: Cost,
    runs: usize,
    legs: Legs<'a>,
}

impl<'a> Course<'a> {
    fn begin(grid: &'a Grid, start: PackedCell, waypoints: &'a mut Vec<StateId>) -> Course<'a> {
        let legs = Legs::begin(grid.stride(), start, waypoints);
        Course { grid, at: start, cost: Cost::ZERO, runs: 0, legs }
    }

    /// A run, its diagonal steps first or last.
    fn go(&mut self, to: PackedCell, is_diagonal_first: bool) {
        let (run, scale) = (self.at.run_to(to), self.grid.scale());
        self.cost +=
            Cost::new(scale.straight() * run.straight as u64 + scale.diagonal() * run.diagonal as u64);
        if is_diagonal_first {
            self.legs.diagonal_first(self.at, to);
        } else {
            self.legs.straight_first(self.at, to);
        }
        self.runs += 1;
        self.at = to;
    }
}
