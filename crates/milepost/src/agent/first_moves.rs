//! Asks a table that was worked out beforehand which way to go, and goes there: one look-up for each move.
//!
//! # Paper
//! P. Fulmański: Artificial intelligence in games: pathfinding, lecture, 2016, "Precalculated pathfinding". In this form,
//! without a loop over the whole path: A. Botea: Ultra-fast optimal pathfinding without runtime search, AIIDE 2011.
//!
//! # Symbols
//! `s` where the agent stands, `t` its goal.
//!
//! # Guarantees
//! Complete and optimal: the table names the first move of a shortest path from any state to any other, so each move
//! brings the goal nearer by what it costs. A step takes one unit, one look-up, whatever the map. The agent remembers
//! where it stands and little else: a new goal costs nothing, and on another version of the map, once that has its
//! table, it goes on at once. It never thinks, and allocates nothing.
//!
//! *Ending.* A table that tells the truth leads nobody in a circle. One that was tampered with may: then the walk comes
//! back to where it was, which is noticed (`laps.rs`), and the agent is [`Step::Stopped`].
//!
//! # Deviations
//! None. The loop over the path is the caller's.

use super::journey::{Ground, Journey};
use super::laps::Laps;
use super::{Agent, AgentKind, Limits, Refused, Restoring, SavedAgentError, Saving, Step, Traveller};
use crate::core::{Budget, StateId};
use crate::index::{Atlas, IndexKind, IndexSpec, NextMove};
use crate::plan::{Refusal, Scratch};
use crate::space::Space;

/// Agents that look their moves up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FirstMoves;

const LIMITS: Limits = Limits { min_units: 1, max_units: 1, max_thinking: 0 };

impl AgentKind for FirstMoves {
    fn limits(&self) -> Limits {
        LIMITS
    }

    fn is_optimal(&self, _: &Space) -> bool {
        true
    }

    fn needs(&self) -> Option<IndexSpec> {
        Some(IndexKind::FIRST_MOVES.into())
    }
}

impl FirstMoves {
    /// An agent on a map. Whether it can work there is found out when it is stepped.
    pub fn start(&self, atlas: &Atlas, from: StateId, to: StateId) -> FirstMovesAgent {
        FirstMovesAgent { journey: Journey::new(atlas, from, to), laps: Laps::from(from) }
    }
}

/// An agent that looks its moves up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstMovesAgent {
    journey: Journey,
    laps: Laps,
}

impl FirstMovesAgent {
    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<FirstMovesAgent, SavedAgentError> {
        Ok(FirstMovesAgent { journey: Journey::restore(saved)?, laps: Laps::restore(saved)? })
    }
}

impl Agent for FirstMovesAgent {
    fn step(&mut self, atlas: &Atlas, _: &mut Scratch, budget: &mut Budget) -> Step {
        let (s, t) = (self.journey.at, self.journey.goal);
        if let Err(refused) = self.journey.check(atlas, LIMITS, budget) {
            return Step::Refused(refused);
        }
        let Some(table) = atlas.first_moves() else {
            return Step::Refused(Refused::Unable(Refusal::NoIndex(IndexKind::FIRST_MOVES.into())));
        };
        budget.charge(1);
        let next = match table.next_move(s, t) {
            NextMove::Move(next) => next,
            NextMove::Arrived => return Step::Arrived,
            NextMove::Unreachable => return Step::NoPath,
            _ => return Step::Refused(Refused::IndexDamaged),
        };
        if self.journey.begin(atlas) == Ground::Edited {
            // What is a circle now need not have been one.
            self.laps = Laps::from(s);
        }
        if self.laps.come_round(next) {
            return Step::Stopped;
        }
        self.journey.at = next;
        Step::Move(next)
    }
}

impl Traveller for FirstMovesAgent {
    fn retarget(&mut self, goal: StateId) {
        self.journey.goal = goal;
        self.laps = Laps::from(self.journey.at);
    }

    fn state(&self) -> StateId {
        self.journey.at
    }

    fn goal(&self) -> StateId {
        self.journey.goal
    }

    fn limits(&self) -> Limits {
        LIMITS
    }

    fn bytes(&self) -> usize {
        size_of::<FirstMovesAgent>()
    }

    fn save(&self, saving: &mut Saving) {
        self.journey.save(saving);
        self.laps.save(saving);
    }
}
