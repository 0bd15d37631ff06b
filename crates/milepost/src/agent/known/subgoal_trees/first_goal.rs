//! Finds the subgoal to begin with.
//!
//! *As printed*, line 5: of all states of the tree the one that seems nearest.
//!
//! *Else* Sub(s_0) of the backward search. A table of it for every start and goal would be many times as large as the
//! trees. But the subgoals that come first from s_0 for any goal at all are few: they are near, and stand in a list that
//! 16 neighbours share. Those of them that are in this goal's tree are tried: what lies behind a subgoal is the sum of
//! the legs from there on, what lies before it a greedy walk tells. All sums are costs of real walks, and one of them is
//! that of the backward search, so the least is the cost of a shortest path.
//!
//! # Guarantees
//! One state is looked at, or one step walked, for each [`turn`]'s worth of units; the search stops and goes on anywhere. It
//! ends after [`FIND_UNITS`] with the best found so far.

use super::Variant;
use crate::agent::base::cycles::CycleDetector;
use crate::agent::base::{SpaceLimits, Terrain};
use crate::core::{Budget, Cost, Expander, Goal, IS_COMPACT, StateId, best_successor};
use crate::index::SubgoalTrees as Trees;
use crate::index::subgoal_trees::Next;
use crate::plan::SubgoalTree;
use crate::space::{AnyMoves, AnyTarget, Problem, Space, Successors};
use serde::{Deserialize, Serialize};

/// Units that a step spends on it at most, where a turn takes no more.
pub(super) const SLICE: u64 = 512;

/// Units that a step spends at least, beside a turn.
pub(super) const LEAST_SLICE: u64 = 32;

/// Units after which it ends.
pub(super) const FIND_UNITS: u64 = 1 << 16;

/// Units that one turn takes at most: an estimate, and two looks at successors.
pub(super) fn turn(space: SpaceLimits) -> u64 {
    1 + u64::from(space.goal) + 2 * u64::from(space.expansion)
}

/// What is to be found.
pub(super) struct Query<'a> {
    space: &'a Space,
    trees: Trees<'a>,
    variant: Variant,
    goal: StateId,
    /// Of the goal in the trees.
    goal_number: u32,
    /// Walks stay in the strong component of the state that they lead to, where the goal can certainly be reached.
    successors: Successors,
    limits: SpaceLimits,
}

impl<'a> Query<'a> {
    pub(super) fn new(
        space: &'a Space,
        trees: Trees<'a>,
        variant: Variant,
        (goal, goal_number): (StateId, u32),
        is_sure: bool,
        limits: SpaceLimits,
    ) -> Query<'a> {
        let successors = if is_sure { Successors::InComponent } else { Successors::All };
        Query { space, trees, variant, goal, goal_number, successors, limits }
    }

    /// The moves, and the heuristic of a state.
    #[inline]
    fn towards(&self, target: StateId, budget: &mut Budget) -> (AnyMoves<'a>, AnyTarget<'a>) {
        budget.charge(self.limits.goal.into());
        let Problem { moves, target } = self.space.towards(target, self.successors);
        (moves, target)
    }

    fn estimate(&self, from: StateId, to: StateId, budget: &mut Budget) -> Cost {
        let (_, target) = self.towards(to, budget);
        target.estimate(from)
    }
}

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Phase {
    /// The next candidate is to be looked at.
    Next,
    /// What lies behind the candidate is summed up.
    Behind,
    /// The last leg of that is walked, since it costs more than estimated.
    LastLeg,
    /// The way to the candidate is walked.
    Before,
    /// It is over.
    Done,
}

/// A search for the first goal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FirstGoal {
    start: StateId,
    phase: Phase,
    /// Candidates looked at so far. The goal is the first one.
    count: u32,
    candidate: StateId,
    /// The estimate from the start to the candidate.
    near: Cost,
    /// The subgoal that the sum has come to.
    link: u32,
    /// What lies behind the candidate, as far as it is known.
    behind: Cost,
    /// Where a walk has come to, and at which cost.
    at: StateId,
    walked: Cost,
    cycles: CycleDetector,
    /// The least sum, and its candidate.
    best: Option<(Cost, StateId)>,
    /// The same among those that no greedy walk leads to: of the paper's trees it may be one of them.
    second_best: Option<(Cost, StateId)>,
    spent: u64,
}

impl FirstGoal {
    pub(super) fn new(start: StateId) -> FirstGoal {
        FirstGoal {
            start,
            phase: Phase::Next,
            count: 0,
            candidate: start,
            near: Cost::ZERO,
            link: 0,
            behind: Cost::ZERO,
            at: start,
            walked: Cost::ZERO,
            cycles: CycleDetector::from(start),
            best: None,
            second_best: None,
            spent: 0,
        }
    }

    /// Where the way begins.
    pub(super) fn start(&self) -> StateId {
        self.start
    }

    /// What was found.
    pub(super) fn answer(&self) -> Option<StateId> {
        self.best.or(self.second_best).map(|(_, state)| state)
    }

    /// Whether everything was looked at.
    pub(super) fn is_complete(&self) -> bool {
        self.spent < FIND_UNITS
    }

    /// Goes on for as long as the budget allows. Says whether it is over.
    pub(super) fn find(&mut self, query: &Query<'_>, budget: &mut Budget) -> bool {
        while self.phase != Phase::Done && self.spent < FIND_UNITS {
            if budget.left() < turn(query.limits) {
                return false;
            }
            let before = budget.spent();
            budget.charge(1);
            match self.phase {
                Phase::Next if query.variant == Variant::AsPrinted => self.scan(query, budget),
                Phase::Next => self.begin(query, budget),
                Phase::Behind => self.sum_up(query, budget),
                Phase::LastLeg => self.walk_last_leg(query, budget),
                Phase::Before => self.walk_there(query, budget),
                Phase::Done => {}
            }
            self.spent += budget.spent() - before;
        }
        true
    }

    /// Line 5 as it is printed: one state of the tree.
    fn scan(&mut self, query: &Query<'_>, budget: &mut Budget) {
        let trees = &query.trees;
        let state = match self.count.checked_sub(1) {
            None => query.goal,
            Some(subgoal) if subgoal >= trees.subgoals() => {
                self.phase = Phase::Done;
                return;
            }
            Some(subgoal) => trees.state(subgoal),
        };
        let is_there = self.count == 0 || trees.next(self.count - 1, query.goal_number) != Next::NotThere;
        self.count += 1;
        if is_there {
            let h = query.estimate(self.start, state, budget);
            if self.best.is_none_or(|(least, _)| h < least) {
                self.best = Some((h, state));
            }
        }
    }

    /// Line 5 as it is printed on a tree that was made on demand, for as long as the budget allows. Says whether it is over.
    pub(super) fn scan_found(
        &mut self,
        tree: &SubgoalTree,
        space: &Space,
        limits: SpaceLimits,
        budget: &mut Budget,
    ) -> bool {
        while budget.left() >= turn(limits) {
            let place = self.count.checked_sub(1).map(|place| place as usize);
            let Some(state) = place.map_or(Some(tree.goal()), |place| tree.found(place)) else { return true };
            self.count += 1;
            budget.charge(1 + u64::from(limits.goal));
            let h = space.towards(state, Successors::All).target.estimate(self.start);
            if self.best.is_none_or(|(least, _)| h < least) {
                self.best = Some((h, state));
            }
        }
        false
    }

    /// Begins with the next candidate: the goal, then the list of the start.
    fn begin(&mut self, query: &Query<'_>, budget: &mut Budget) {
        let trees = &query.trees;
        let number = self.count;
        self.count += 1;
        self.behind = Cost::ZERO;
        let Some(index) = number.checked_sub(1) else {
            (self.candidate, self.near) = (query.goal, query.estimate(self.start, query.goal, budget));
            self.set_out(self.start, Phase::Before);
            return;
        };
        match trees.first(self.start, index) {
            None => self.phase = Phase::Done,
            Some(subgoal) => {
                (self.candidate, self.link) = (trees.state(subgoal), subgoal);
                self.near = query.estimate(self.start, self.candidate, budget);
                self.phase = Phase::Behind;
            }
        }
    }

    fn set_out(&mut self, from: StateId, phase: Phase) {
        (self.at, self.walked, self.cycles, self.phase) =
            (from, Cost::ZERO, CycleDetector::from(from), phase);
    }

    /// One leg of what lies behind the candidate.
    fn sum_up(&mut self, query: &Query<'_>, budget: &mut Budget) {
        let trees = &query.trees;
        let here = trees.state(self.link);
        match trees.next(self.link, query.goal_number) {
            Next::NotThere => self.phase = Phase::Next,
            Next::Goal(true) => {
                let leg = query.estimate(here, query.goal, budget);
                self.behind = self.behind.saturating_add(leg);
                self.set_out(self.start, Phase::Before);
            }
            Next::Goal(false) => self.set_out(here, Phase::LastLeg),
            Next::Subgoal(next, surplus) => {
                let leg = query.estimate(here, trees.state(next), budget).saturating_add(surplus);
                self.behind = self.behind.saturating_add(leg);
                self.link = next;
            }
        }
        if self.is_beaten(self.near) {
            self.phase = Phase::Next;
        }
    }

    /// Whether a way of this cost to the candidate is none too good.
    fn is_beaten(&self, before: Cost) -> bool {
        self.best.is_some_and(|(least, _)| before.saturating_add(self.behind) >= least)
    }

    fn walk_last_leg(&mut self, query: &Query<'_>, budget: &mut Budget) {
        match self.walk(query, query.goal, budget) {
            Walk::Unfinished if !self.is_beaten(self.walked) => {}
            Walk::Unfinished | Walk::Lost => self.phase = Phase::Next,
            Walk::Arrived => {
                self.behind = self.behind.saturating_add(self.walked);
                let is_beaten = self.is_beaten(self.near);
                self.set_out(self.start, if is_beaten { Phase::Next } else { Phase::Before });
            }
        }
    }

    fn walk_there(&mut self, query: &Query<'_>, budget: &mut Budget) {
        let walk = self.walk(query, self.candidate, budget);
        if walk == Walk::Unfinished && !self.is_beaten(self.walked) {
            return;
        }
        self.phase = Phase::Next;
        if walk == Walk::Arrived && !self.is_beaten(self.walked) {
            self.best = Some((self.walked.saturating_add(self.behind), self.candidate));
            // No way is shorter than the estimate from the start to the goal; on graphs it is rounded.
            if self.candidate == query.goal && self.walked == self.near && query.space.as_grid().is_some() {
                self.phase = Phase::Done;
            }
        } else if walk == Walk::Lost && query.variant == Variant::StartAtSub {
            let seems = (self.near.saturating_add(self.behind), self.candidate);
            self.second_best = Some(self.second_best.map_or(seems, |best| best.min(seems)));
        }
    }

    /// A greedy walk: the way of an agent that has learned nothing.
    fn walk(&mut self, query: &Query<'_>, target: StateId, budget: &mut Budget) -> Walk {
        let (moves, goal) = query.towards(target, budget);
        // Compiled apart for uniform grids.
        match (&moves, &goal) {
            (AnyMoves::Plain(moves), AnyTarget::Octile(goal)) if !IS_COMPACT => {
                self.walk_on(query, moves, goal, target, budget)
            }
            _ => self.walk_on(query, &moves, &goal, target, budget),
        }
    }

    fn walk_on(
        &mut self,
        query: &Query<'_>,
        moves: &impl Expander,
        goal: &impl Goal,
        target: StateId,
        budget: &mut Budget,
    ) -> Walk {
        while !goal.is_reached(self.at) {
            if self.is_beaten(self.walked) || budget.left() < 2 * u64::from(query.limits.expansion) {
                return Walk::Unfinished;
            }
            let step = step_onto(query.space, moves, self.at, target, budget).or_else(|| {
                budget.charge(1);
                best_successor(moves, goal, self.at, budget).map(|best| (best.state, best.step))
            });
            let Some((next, cost)) = step else { return Walk::Lost };
            (self.at, self.walked) = (next, self.walked.saturating_add(cost));
            if self.cycles.is_cycle(next) {
                return Walk::Lost;
            }
        }
        Walk::Arrived
    }

    /// Whether this can have been found on a map: every state is one, and candidates can be counted on.
    pub(super) fn is_sound(&self, terrain: Terrain<'_>) -> bool {
        let found = [self.best, self.second_best].into_iter().flatten().map(|(_, state)| state);
        let mut states = [self.start, self.candidate, self.at].into_iter().chain(found);
        states.all(|state| terrain.is_state(state)) && self.count < u32::MAX
    }
}

/// What comes of a greedy walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Walk {
    Arrived,
    /// It comes back to where it was, or leads nowhere.
    Lost,
    /// It has not come to an end.
    Unfinished,
}

/// The step onto a state from one beside it, where steps have any costs.
pub(super) fn step_onto(
    space: &Space,
    moves: &impl Expander,
    from: StateId,
    to: StateId,
    budget: &mut Budget,
) -> Option<(StateId, Cost)> {
    if space.as_grid().is_some_and(|grid| grid.is_plain()) {
        return None;
    }
    let mut least: Option<Cost> = None;
    budget.charge(1);
    let extra = moves.expand(from, None, |child, cost| {
        if child == to {
            least = Some(least.map_or(cost, |least| least.min(cost)));
        }
    });
    budget.charge(extra);
    least.map(|cost| (to, cost))
}
