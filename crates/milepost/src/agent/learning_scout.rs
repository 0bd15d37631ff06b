//! The learning agents where the map has to be found out: they learn about what they believe to be there.
//!
//! # Paper
//! L. Illanes, J. A. Baier: Fast subgoaling for pathfinding via real-time search, Algorithm 1, line 3: before each decision
//! the costs of moves are updated by what is seen. N. Rivera, L. Illanes, J. A. Baier, IBERAMIA 2014, section 2.1, step
//! (2), for RTAA*. The algorithms themselves are in `learning/`.
//!
//! # Symbols
//! `L` the states whose values were raised.
//!
//! # Guarantees
//! *Complete*: what is not seen blocked is taken for free, so that values never exceed the true costs of what is believed,
//! nor those of the map, which has fewer moves. Walls that are seen later only make costs rise. When something opens,
//! everything learned is forgotten; that happens finitely often on a map that holds still.
//!
//! *No path* is known as soon as a search runs out of states, or a value is one that no path can cost: a path leaves L
//! at some state, whose value is the estimate, after at most as many steps as L has states. So the proof takes as long as
//! it takes to learn about the part of the map that can be reached, however large the rest is. (LRTA* that looks farther
//! ahead than the next states learns about some of them alone; its proof takes values as high as the longest path.)
//!
//! *Bounded*: the look, and what `learning/` states.
//!
//! # Deviations
//! None.

use super::errand::Errand;
use super::learning::{Advance, Ground as Known, Learner, Learning};
use super::{Limits, Refused, Restoring, SavedAgentError, Saving, Scout, ScoutKind, Sensor, Step, Traveller};
use crate::core::{Budget, Cost, Expander, KeyRange, StateId};
use crate::plan::{Refusal, Scratch};
use crate::space::{BeliefMoves, Ground};

/// Scouts that learn in one of these ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LearningUnknown(pub Learning);

impl ScoutKind for LearningUnknown {
    fn limits(&self) -> Limits {
        limits(self.0, 8)
    }

    fn refusal(&self, ground: Ground<'_>) -> Option<Refusal> {
        Refusal::of_scouts(ground)
    }
}

/// Where no state has more than `widest` neighbours, eight at least.
fn limits(learning: Learning, widest: u32) -> Limits {
    let (min, max) = learning.units(if widest > 8 { widest.into() } else { 1 });
    let look = Errand::look_units(widest);
    Limits { min_units: look + min, max_units: max.saturating_add(look), max_thinking: 0 }
}

impl LearningUnknown {
    /// A scout on this ground.
    pub fn start(&self, ground: Ground<'_>, from: StateId, to: StateId) -> LearningScout {
        LearningScout { errand: Errand::new(ground, from, to), learner: Learner::new(self.0) }
    }
}

/// A scout that learns.
#[derive(Clone, Debug)]
pub struct LearningScout {
    errand: Errand,
    learner: Learner,
}

impl LearningScout {
    /// How it learns.
    pub fn learning(&self) -> Learning {
        self.learner.learning()
    }

    pub(crate) fn restore(name: &str, saved: &mut Restoring<'_>) -> Result<LearningScout, SavedAgentError> {
        Ok(LearningScout { errand: Errand::restore(saved)?, learner: Learner::restore(name, saved)? })
    }

    fn give_up(&mut self) -> Step {
        self.learner.forget();
        self.errand.give_up()
    }
}

impl Scout for LearningScout {
    fn step(&mut self, sensor: &dyn Sensor, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        let ground = sensor.ground();
        let limits = limits(self.learning(), self.errand.widest);
        if let Err(refused) = self.errand.check(ground, limits, budget) {
            return Step::Refused(refused);
        }
        if let Some(refusal) = Refusal::of_scouts(ground) {
            return Step::Refused(Refused::Unable(refusal));
        }
        self.errand.look_around(sensor, budget);
        if self.errand.has_opened {
            self.learner.forget();
        }
        if !self.errand.is_possible(ground) {
            return self.give_up();
        }
        let (at, goal) = (self.errand.at, self.errand.goal);
        if at == goal {
            return Step::Arrived;
        }
        let learned =
            self.learning().most_expansions().map(|most| most.saturating_add(self.learner.remembered()));
        let moves = BoundedMoves { moves: self.errand.moves(ground), bound: cost_bound(ground, learned) };
        let known = Known {
            moves: &moves,
            cells: ground.as_grid().map(|_| moves.moves),
            goal: &ground.target(&goal),
            target: goal,
            one: ground.scale().one(),
            widest: self.errand.expansion_units(),
        };
        self.learner.lie_on(ground.as_grid());
        match self.learner.step(&known, at, &mut scratch.local, budget) {
            Advance::Move(next) => {
                self.errand.at = next;
                Step::Move(next)
            }
            Advance::Hopeless(_) | Advance::Stuck => self.give_up(),
        }
    }
}

/// What no path costs to a state whose value was not raised, with the estimate from there, if so many values were; `None`
/// where that is not known.
pub(super) fn cost_bound(ground: Ground<'_>, learned: Option<u64>) -> Option<Cost> {
    let outline = ground.as_grid()?;
    let (scale, states) = (outline.scale(), learned?);
    let across = u64::from(outline.width().max(outline.height()));
    states.checked_add(across)?.checked_mul(scale.diagonal())?.checked_add(1).map(Cost::new)
}

/// Moves no way along which costs as much as a bound.
pub(super) struct BoundedMoves<E> {
    pub(super) moves: E,
    pub(super) bound: Option<Cost>,
}

impl Expander for BoundedMoves<BeliefMoves<'_>> {
    fn id_bound(&self) -> usize {
        self.moves.id_bound()
    }

    fn keys(&self) -> KeyRange {
        let keys = self.moves.keys();
        KeyRange { bound: self.bound.map_or(keys.bound, |bound| bound.min(keys.bound)), ..keys }
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.moves.expand(state, parent, visit)
    }

    #[inline]
    fn expand_beyond(
        &self,
        state: StateId,
        parent: Option<StateId>,
        visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        self.moves.expand_beyond(state, parent, visit)
    }
}

impl Traveller for LearningScout {
    fn retarget(&mut self, goal: StateId) {
        self.errand.goal = goal;
    }

    fn state(&self) -> StateId {
        self.errand.at
    }

    fn goal(&self) -> StateId {
        self.errand.goal
    }

    fn limits(&self) -> Limits {
        limits(self.learning(), self.errand.widest)
    }

    fn page_bytes(&self) -> usize {
        self.errand.page_bytes().saturating_add(self.learner.page_bytes())
    }

    fn bytes(&self) -> usize {
        size_of::<LearningScout>() + self.errand.bytes() + self.learner.bytes()
    }

    fn remembered(&self) -> u64 {
        self.errand.belief.states() + self.learner.remembered()
    }

    fn searches(&self) -> Option<u64> {
        Some(self.learner.searches())
    }

    fn save(&self, saving: &mut Saving) {
        self.errand.save(saving);
        self.learner.save(saving);
    }
}
