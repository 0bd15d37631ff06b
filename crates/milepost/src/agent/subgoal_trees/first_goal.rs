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

use super::super::laps::Laps;
use super::Variant;
use super::leg::step_onto;
use crate::agent::learning::Terms;
use crate::agent::{Restoring, SavedAgentError, Saving};
use crate::core::{Budget, Cost, Goal, StateId, best_successor};
use crate::index::SubgoalTrees as Trees;
use crate::index::subgoal_trees::Next;
use crate::space::{SlotExpander, Space, SpaceVisitor, Successors};

/// Units that a step spends on it at most, where a turn takes no more.
pub(super) const SLICE: u64 = 512;

/// Units that a step spends at least, beside a turn.
pub(super) const LEAST_SLICE: u64 = 32;

/// Units after which it ends.
pub(super) const FIND_UNITS: u64 = 1 << 16;

/// Units that one turn takes at most: an estimate, and two looks at successors.
pub(super) fn turn(terms: &Terms) -> u64 {
    1 + terms.goal_units + 2 * terms.widest
}

/// What is to be found.
pub(super) struct Problem<'a> {
    pub(super) space: &'a Space,
    pub(super) trees: Trees<'a>,
    pub(super) variant: Variant,
    pub(super) goal: StateId,
    pub(super) goal_number: u32,
    pub(super) scope: Successors,
    pub(super) terms: Terms,
}

impl Problem<'_> {
    fn estimate(&self, from: StateId, to: StateId, budget: &mut Budget) -> Cost {
        budget.charge(self.terms.goal_units);
        if !self.space.is_free(from) || !self.space.is_free(to) {
            // Only an agent that was tampered with asks.
            return Cost::MAX;
        }
        self.space.visit_towards(to, self.scope, Estimate(from))
    }
}

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

const PHASES: [Phase; 5] = [Phase::Next, Phase::Behind, Phase::LastLeg, Phase::Before, Phase::Done];

/// A search for the first goal.
#[derive(Clone, Debug)]
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
    laps: Laps,
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
            candidate: StateId::NONE,
            near: Cost::ZERO,
            link: 0,
            behind: Cost::ZERO,
            at: start,
            walked: Cost::ZERO,
            laps: Laps::from(start),
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
    pub(super) fn find(&mut self, problem: &Problem<'_>, budget: &mut Budget) -> bool {
        while self.phase != Phase::Done && self.spent < FIND_UNITS {
            if budget.left() < turn(&problem.terms) {
                return false;
            }
            let before = budget.spent();
            budget.charge(1);
            match self.phase {
                Phase::Next if problem.variant == Variant::AsPrinted => self.scan(problem, budget),
                Phase::Next => self.begin(problem, budget),
                Phase::Behind => self.sum_up(problem, budget),
                Phase::LastLeg => self.walk_last_leg(problem, budget),
                Phase::Before => self.walk_there(problem, budget),
                Phase::Done => {}
            }
            self.spent += budget.spent() - before;
        }
        true
    }

    /// Line 5 as it is printed: one state of the tree.
    fn scan(&mut self, problem: &Problem<'_>, budget: &mut Budget) {
        let trees = &problem.trees;
        let state = match self.count.checked_sub(1) {
            None => problem.goal,
            Some(subgoal) if subgoal >= trees.subgoals() => {
                self.phase = Phase::Done;
                return;
            }
            Some(subgoal) => trees.state(subgoal),
        };
        let is_there = self.count == 0 || trees.next(self.count - 1, problem.goal_number) != Next::NotThere;
        self.count += 1;
        if is_there {
            let h = problem.estimate(self.start, state, budget);
            if self.best.is_none_or(|(least, _)| h < least) {
                self.best = Some((h, state));
            }
        }
    }

    /// Begins with the next candidate: the goal, then the list of the start.
    fn begin(&mut self, problem: &Problem<'_>, budget: &mut Budget) {
        let trees = &problem.trees;
        let number = self.count;
        self.count += 1;
        self.behind = Cost::ZERO;
        let Some(index) = number.checked_sub(1) else {
            (self.candidate, self.near) = (problem.goal, problem.estimate(self.start, problem.goal, budget));
            self.set_out(self.start, Phase::Before);
            return;
        };
        match trees.first(self.start, index) {
            None => self.phase = Phase::Done,
            Some(subgoal) => {
                (self.candidate, self.link) = (trees.state(subgoal), subgoal);
                self.near = problem.estimate(self.start, self.candidate, budget);
                self.phase = Phase::Behind;
            }
        }
    }

    fn set_out(&mut self, from: StateId, phase: Phase) {
        (self.at, self.walked, self.laps, self.phase) = (from, Cost::ZERO, Laps::from(from), phase);
    }

    /// One leg of what lies behind the candidate.
    fn sum_up(&mut self, problem: &Problem<'_>, budget: &mut Budget) {
        let trees = &problem.trees;
        let here = trees.state(self.link);
        match trees.next(self.link, problem.goal_number) {
            Next::NotThere => self.phase = Phase::Next,
            Next::Goal(true) => {
                let leg = problem.estimate(here, problem.goal, budget);
                self.behind = self.behind.saturating_add(leg);
                self.set_out(self.start, Phase::Before);
            }
            Next::Goal(false) => self.set_out(here, Phase::LastLeg),
            Next::Subgoal(next, surplus) => {
                let leg = problem.estimate(here, trees.state(next), budget).saturating_add(surplus);
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

    fn walk_last_leg(&mut self, problem: &Problem<'_>, budget: &mut Budget) {
        match self.walk(problem, problem.goal, budget) {
            Walk::Unfinished if !self.is_beaten(self.walked) => {}
            Walk::Unfinished | Walk::Lost => self.phase = Phase::Next,
            Walk::Arrived => {
                self.behind = self.behind.saturating_add(self.walked);
                let is_beaten = self.is_beaten(self.near);
                self.set_out(self.start, if is_beaten { Phase::Next } else { Phase::Before });
            }
        }
    }

    fn walk_there(&mut self, problem: &Problem<'_>, budget: &mut Budget) {
        let walk = self.walk(problem, self.candidate, budget);
        if walk == Walk::Unfinished && !self.is_beaten(self.walked) {
            return;
        }
        self.phase = Phase::Next;
        if walk == Walk::Arrived && !self.is_beaten(self.walked) {
            self.best = Some((self.walked.saturating_add(self.behind), self.candidate));
            // No way is shorter than the estimate from the start to the goal; on graphs it is rounded.
            if self.candidate == problem.goal && self.walked == self.near && problem.space.as_grid().is_some()
            {
                self.phase = Phase::Done;
            }
        } else if walk == Walk::Lost && problem.variant == Variant::StartAtSub {
            let seems = (self.near.saturating_add(self.behind), self.candidate);
            self.second_best = Some(self.second_best.map_or(seems, |best| best.min(seems)));
        }
    }

    fn walk(&mut self, problem: &Problem<'_>, target: StateId, budget: &mut Budget) -> Walk {
        budget.charge(problem.terms.goal_units);
        if !problem.space.is_free(target) {
            return Walk::Lost;
        }
        problem.space.visit_towards(
            target,
            problem.scope,
            Stroll { problem, target, first_goal: self, budget },
        )
    }

    pub(super) fn save(&self, saving: &mut Saving) {
        let phase = PHASES.iter().position(|phase| *phase == self.phase);
        saving.u32(phase.unwrap_or(0) as u32);
        for number in [self.start.number(), self.count, self.candidate.number(), self.link, self.at.number()]
        {
            saving.u32(number);
        }
        for number in [self.near.units(), self.behind.units(), self.walked.units(), self.spent] {
            saving.u64(number);
        }
        self.laps.save(saving);
        for found in [self.best, self.second_best] {
            let (cost, state) = found.unwrap_or((Cost::MAX, StateId::NONE));
            saving.u64(cost.units());
            saving.u32(state.number());
        }
    }

    pub(super) fn restore(saved: &mut Restoring<'_>) -> Result<FirstGoal, SavedAgentError> {
        let phase = *PHASES.get(saved.u32()? as usize).ok_or(SavedAgentError::Damaged)?;
        let mut search = FirstGoal::new(StateId::new(saved.u32()?));
        search.phase = phase;
        search.count = saved.u32()?;
        search.candidate = StateId::new(saved.u32()?);
        search.link = saved.u32()?;
        search.at = StateId::new(saved.u32()?);
        search.near = Cost::new(saved.u64()?);
        search.behind = Cost::new(saved.u64()?);
        search.walked = Cost::new(saved.u64()?);
        search.spent = saved.u64()?;
        search.laps = Laps::restore(saved)?;
        for found in [&mut search.best, &mut search.second_best] {
            let (cost, state) = (Cost::new(saved.u64()?), StateId::new(saved.u32()?));
            *found = (state != StateId::NONE).then_some((cost, state));
        }
        Ok(search)
    }
}

/// The estimate of a state.
struct Estimate(StateId);

impl SpaceVisitor for Estimate {
    type Answer = Cost;

    fn visit<E: SlotExpander, G: Goal>(self, _: &E, goal: &G) -> Cost {
        goal.estimate(self.0)
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

/// A greedy walk: the way of an agent that has learned nothing.
struct Stroll<'a, 'b> {
    problem: &'a Problem<'b>,
    target: StateId,
    first_goal: &'a mut FirstGoal,
    budget: &'a mut Budget,
}

impl SpaceVisitor for Stroll<'_, '_> {
    type Answer = Walk;

    fn visit<E: SlotExpander, G: Goal>(self, moves: &E, goal: &G) -> Walk {
        let Stroll { problem, target, first_goal: walker, budget } = self;
        while !goal.is_reached(walker.at) {
            let at = walker.at;
            if !problem.space.is_free(at) {
                // Only an agent that was tampered with stands there.
                return Walk::Lost;
            }
            if walker.is_beaten(walker.walked) || budget.left() < 2 * problem.terms.widest {
                return Walk::Unfinished;
            }
            let step = step_onto(problem.space, moves, at, target, budget).or_else(|| {
                budget.charge(1);
                best_successor(moves, goal, at, budget).map(|best| (best.state, best.step))
            });
            let Some((next, cost)) = step else { return Walk::Lost };
            (walker.at, walker.walked) = (next, walker.walked.saturating_add(cost));
            if walker.laps.come_round(next) {
                return Walk::Lost;
            }
        }
        Walk::Arrived
    }
}
