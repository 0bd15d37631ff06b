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
//! each diagonal cell looked at, each corner expanded (one for each of its edges if it has more than 8), each step down from
//! where the sides met; an edge that is unpacked takes up to 16. A query is cut anywhere between them, so that a call takes
//! at most 15 units more than its budget. Memory: a label for each corner that the search came to.
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

#[cfg(feature = "observe")]
mod watch;

use super::base::multi_goal::{Attempt, GoalQuery, SingleGoalPlanner};
use super::parts::corner_search::{Between, Chain, CornerSearch, Searched, Unpacked};
use super::parts::legs::Legs;
use super::{Phase, Scratch};
use crate::core::{Budget, Cost, StateId};
use crate::index::corner_hierarchy::INFINITE;
use crate::index::{Atlas, CornerHierarchy as Index, IndexKind, IndexSpec, StepCosts};
use crate::space::{Cell, CornerScan, Grid, LineOfSight, SpaceKind};

/// Paths over a hierarchy of corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CornerHierarchy;

const NEEDS: [IndexSpec; 1] = [IndexSpec::of(IndexKind::CORNER_HIERARCHY)];

impl SingleGoalPlanner for CornerHierarchy {
    fn reads(&self) -> &'static [IndexSpec] {
        &NEEDS
    }

    fn most_overrun(&self, _: &Grid) -> u64 {
        Chain::OVERRUN
    }

    fn run(
        &self,
        atlas: &Atlas,
        goal_query: &GoalQuery<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Attempt {
        let Some(index) = atlas.corner_hierarchy() else { return Attempt::Damaged };
        let Scratch { corners, search, .. } = scratch;
        if goal_query.phase == Phase::Begin {
            corners.begin(goal_query);
        }
        let attempt = corners.advance(&index, goal_query, budget);
        search.count_expansions(corners.search.expanded());
        match attempt {
            Attempt::Found(cost) if goal_query.limit.is_some_and(|limit| cost > limit) => Attempt::NoBetter,
            attempt => attempt,
        }
    }

    fn best_so_far(&self, goal_query: &GoalQuery<'_>, _: &Scratch) -> (Cost, StateId) {
        (Cost::ZERO, goal_query.start)
    }

    fn write_path(&self, _: &Atlas, goal_query: &GoalQuery<'_>, end: StateId, scratch: &mut Scratch) {
        let start = goal_query.grid.column_and_row(goal_query.start);
        let runs: &[_] = if end == goal_query.goal { &scratch.corners.runs } else { &[] };
        let waypoints = scratch.path.waypoints_mut();
        Legs::write(goal_query.grid.stride(), start, runs.len(), waypoints, |legs| {
            let mut at = start;
            for run in runs {
                legs.go(at, run.to, !run.is_diagonal_first);
                at = run.to;
            }
        });
    }
}

/// A query on its way to one goal.
#[derive(Clone, Debug, Default)]
pub(crate) struct CornerQuery {
    turn: Turn,
    ends: [Cell; 2],
    sight: LineOfSight,
    scan: CornerScan,
    search: CornerSearch,
    /// The edges of the path from the corner where both sides met to the goal, in their order.
    beyond: Vec<(u32, u32)>,
    /// Those before it, and what they are made of.
    chain: Chain,
    /// The path, and what it costs.
    runs: Vec<Run>,
    cost: Cost,
}

/// What is done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Turn {
    /// Does the start see the goal?
    #[default]
    Forward,
    /// Does the goal see the start?
    Backward,
    /// Which corners does the end of this side see?
    Scan { side: usize },
    /// The search from both sides.
    Search,
    /// Down from where both sides met, on this side, at this corner.
    Climb { side: usize, corner: u32 },
    /// Edges become runs; so many of those beyond the meeting have been taken up.
    Unpack { beyond: usize },
}

/// A free run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    to: Cell,
    is_diagonal_first: bool,
}

impl CornerQuery {
    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.search.bytes()
            + (self.beyond.capacity() + self.chain.edges.capacity()) * size_of::<(u32, u32)>()
            + self.runs.capacity() * size_of::<Run>()
    }

    /// Room for so many labels.
    pub(crate) fn warm(&mut self, labels: usize) {
        self.search.reserve(labels);
    }

    fn begin(&mut self, goal_query: &GoalQuery<'_>) {
        self.ends = [goal_query.start, goal_query.goal].map(|end| goal_query.grid.column_and_row(end));
        self.search.begin(INFINITE);
        self.sight = LineOfSight::new(self.ends[0], self.ends[1]);
        self.beyond.clear();
        self.chain.edges.clear();
        self.runs.clear();
        (self.turn, self.cost) = (Turn::Forward, Cost::ZERO);
    }

    /// Goes on. The goal can be reached: an index that does not lead there is damaged.
    fn advance(&mut self, index: &Index<'_>, goal_query: &GoalQuery<'_>, budget: &mut Budget) -> Attempt {
        let (grid, [start, goal]) = (goal_query.grid, self.ends);
        let graph = Between { index, ends: self.ends };
        loop {
            match self.turn {
                Turn::Forward => match self.sight.advance(grid, budget) {
                    None => return Attempt::Suspended,
                    Some(true) => return self.arrive(grid, true),
                    Some(false) => {
                        self.sight = LineOfSight::new(goal, start);
                        self.turn = Turn::Backward;
                    }
                },
                Turn::Backward => match self.sight.advance(grid, budget) {
                    None => return Attempt::Suspended,
                    Some(true) => return self.arrive(grid, false),
                    Some(false) => {
                        self.scan = CornerScan::new(grid, goal_query.start, false);
                        self.turn = Turn::Scan { side: 0 };
                    }
                },
                Turn::Scan { side } => {
                    let search = &mut self.search;
                    let is_done = self.scan.advance(grid, budget, |corner| {
                        if let Some(corner) = index.corner_at(grid.column_and_row(corner)) {
                            search.seed(&graph, side, corner, graph.first_leg(side, corner));
                        }
                    });
                    if !is_done {
                        return Attempt::Suspended;
                    }
                    self.scan = CornerScan::new(grid, goal_query.goal, true);
                    self.turn = if side == 0 { Turn::Scan { side: 1 } } else { Turn::Search };
                }
                Turn::Search => match self.search.run(&graph, budget) {
                    Searched::Suspended => return Attempt::Suspended,
                    // No corner is unsure.
                    Searched::Look { .. } => {}
                    Searched::Done => {
                        let Some(corner) = self.search.meeting else { return Attempt::Damaged };
                        self.turn = Turn::Climb { side: 1, corner };
                    }
                },
                Turn::Climb { side, corner } => {
                    if !budget.take() {
                        return Attempt::Suspended;
                    }
                    let Some(parent) = self.search.parent(side, corner) else { return Attempt::Damaged };
                    self.climb_down(index, grid, side, (corner, parent));
                }
                Turn::Unpack { beyond } => match self.chain.next(index, budget) {
                    Unpacked::Leg(leg) => self.go(grid, index.place(leg.corner), leg.is_diagonal_first),
                    Unpacked::Suspended => return Attempt::Suspended,
                    Unpacked::Damaged => return Attempt::Damaged,
                    Unpacked::End => match self.beyond.get(beyond) {
                        None => return self.arrive(grid, false),
                        Some(&edge) => {
                            self.chain.edges.push(edge);
                            self.turn = Turn::Unpack { beyond: beyond + 1 };
                        }
                    },
                },
            }
            // A path comes to no corner twice.
            if self.runs.len() > index.corners() {
                return Attempt::Damaged;
            }
        }
    }

    /// Takes up the edge between a corner and the one before it on its side.
    fn climb_down(&mut self, index: &Index<'_>, grid: &Grid, side: usize, (corner, parent): (u32, u32)) {
        self.turn = Turn::Climb { side, corner: parent };
        if parent != corner {
            match side {
                0 => self.chain.edges.push((parent, corner)),
                _ => self.beyond.push((corner, parent)),
            }
        } else if side == 1 {
            self.turn = Turn::Climb { side: 0, corner: self.search.meeting.unwrap_or(corner) };
        } else {
            // All of these corners are seen from the ends, diagonal steps first.
            self.go(grid, index.place(corner), true);
            self.turn = Turn::Unpack { beyond: 0 };
        }
    }

    /// A run, its diagonal steps first or last.
    fn go(&mut self, grid: &Grid, to: Cell, is_diagonal_first: bool) {
        let from = self.runs.last().map_or(self.ends[0], |run| run.to);
        self.cost += Cost::new(StepCosts::of(grid.scale()).octile(from, to));
        self.runs.push(Run { to, is_diagonal_first });
    }

    /// The last run, to the goal.
    fn arrive(&mut self, grid: &Grid, is_diagonal_first: bool) -> Attempt {
        self.go(grid, self.ends[1], is_diagonal_first);
        Attempt::Found(self.cost)
    }
}
