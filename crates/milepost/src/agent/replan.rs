//! Plans a whole path with A* over what it believes, follows it, and plans anew when it sees that the path is blocked or
//! that something has opened.
//!
//! # Paper
//! A. Zelinsky: A mobile robot exploration algorithm, IEEE Transactions on Robotics and Automation 1992. N. Rivera,
//! L. Illanes, J. A. Baier: Real-time pathfinding in unknown terrain via reconnection with an ideal tree, IBERAMIA 2014,
//! gets the same moves, up to ties, from RTAA* with unlimited lookahead and calls their cost optimal.
//!
//! # Guarantees
//! Complete: every plan is a path through everything not seen blocked, so that either the goal is reached or a wall is
//! seen that was not known, of which there are finitely many. On a map that holds still the last plan leads to the goal,
//! or there is none. *Not real-time*: a step may search everything that was not seen blocked.
//!
//! # Deviations
//! None.

use super::errand::Errand;
use super::{Limits, Refused, Restoring, SavedAgentError, Saving, Scout, ScoutKind, Sensor, Step, Traveller};
use crate::core::{Budget, StateId, Status};
use crate::plan::{Refusal, Scratch};
use crate::space::{Ground, News};

/// Scouts that plan anew whenever they must.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Replan;

/// A whole search cannot be cut short.
const LIMITS: Limits = Limits { min_units: u64::MAX, max_units: u64::MAX, max_thinking: 0 };

impl ScoutKind for Replan {
    fn limits(&self) -> Limits {
        LIMITS
    }

    fn refusal(&self, ground: Ground<'_>) -> Option<Refusal> {
        Refusal::of_scouts(ground)
    }
}

impl Replan {
    /// A scout on this ground.
    pub fn start(&self, ground: Ground<'_>, from: StateId, to: StateId) -> ReplanScout {
        ReplanScout { errand: Errand::new(ground, from, to), plan: Vec::new(), searches: 0 }
    }
}

/// A scout that plans anew whenever it must.
#[derive(Clone, Debug)]
pub struct ReplanScout {
    errand: Errand,
    /// The way from here to the goal, the next state last; empty if there is no plan.
    plan: Vec<StateId>,
    searches: u64,
}

impl ReplanScout {
    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<ReplanScout, SavedAgentError> {
        let (errand, searches) = (Errand::restore(saved)?, saved.u64()?);
        Ok(ReplanScout { errand, plan: saved.states()?, searches })
    }

    /// Whether what was seen last may change the plan.
    fn is_stale(&self) -> bool {
        self.errand.has_opened || self.errand.news.iter().any(|(_, news)| *news == News::Blocked)
    }

    /// The best way to the goal through what is believed to be free.
    fn make_plan(&mut self, ground: Ground<'_>, scratch: &mut Scratch, budget: &mut Budget) {
        let target = ground.target(&self.errand.goal);
        let moves = self.errand.moves(ground);
        self.plan.clear();
        self.searches += 1;
        scratch.search.begin(&moves, &target, self.errand.at);
        if let Status::Reached(goal) = scratch.search.run(&moves, &target, budget) {
            self.plan.extend(scratch.search.trace(goal));
            // The last one is where it stands.
            self.plan.pop();
        }
    }
}

impl Scout for ReplanScout {
    fn step(&mut self, sensor: &dyn Sensor, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        let ground = sensor.ground();
        if let Err(refused) = self.errand.check(ground, LIMITS, budget) {
            return Step::Refused(refused);
        }
        if let Some(refusal) = Replan.refusal(ground) {
            return Step::Refused(Refused::Unable(refusal));
        }
        self.errand.look(sensor, usize::MAX, budget);
        if self.is_stale() {
            self.plan.clear();
        }
        if !self.errand.is_possible(ground) {
            return self.errand.give_up();
        }
        if self.errand.at == self.errand.goal {
            return Step::Arrived;
        }
        // Somebody may have changed the bytes that this scout was restored from.
        let is_legal = |next: &StateId| self.errand.moves(ground).step_cost(self.errand.at, *next).is_some();
        if !self.plan.last().is_some_and(is_legal) {
            self.make_plan(ground, scratch, budget);
        }
        match self.plan.pop() {
            Some(next) => {
                self.errand.at = next;
                Step::Move(next)
            }
            None => self.errand.give_up(),
        }
    }
}

impl Traveller for ReplanScout {
    fn retarget(&mut self, goal: StateId) {
        self.errand.goal = goal;
        self.plan.clear();
    }

    fn state(&self) -> StateId {
        self.errand.at
    }

    fn goal(&self) -> StateId {
        self.errand.goal
    }

    fn limits(&self) -> Limits {
        LIMITS
    }

    fn page_bytes(&self) -> usize {
        usize::MAX
    }

    fn bytes(&self) -> usize {
        size_of::<ReplanScout>() + self.errand.bytes() + self.plan.capacity() * size_of::<StateId>()
    }

    fn remembered(&self) -> u64 {
        self.errand.belief.states()
    }

    fn searches(&self) -> Option<u64> {
        Some(self.searches)
    }

    fn save(&self, saving: &mut Saving) {
        self.errand.save(saving);
        saving.u64(self.searches);
        saving.states(&self.plan);
    }
}
