//! The agent that learns and nothing else: `lrta`, `lrta-k`, `lss-lrta`, `rtaa` and `da-rtaa` on maps that are known.

use super::{Advance, Ground, Learner, Learning};
use crate::agent::crossing::{Crossed, Crossing};
use crate::agent::journey::{Ground as Terrain, Journey};
use crate::agent::{Agent, AgentKind, Limits, Restoring, SavedAgentError, Saving, Step, Traveller};
use crate::core::{Budget, Goal, Local, StateId};
use crate::index::Atlas;
use crate::plan::Scratch;
use crate::space::{Reach, Space, SpaceVisitor, Successors, WayExpander};

impl AgentKind for Learning {
    fn limits(&self) -> Limits {
        Terms::PLAIN.limits(*self)
    }

    fn is_optimal(&self, _: &Space) -> bool {
        false
    }
}

/// What there is to know of a space before a step.
#[derive(Clone, Copy, Debug)]
pub(in crate::agent) struct Terms {
    pub(in crate::agent) widest: u64,
    pub(in crate::agent) goal_units: u64,
    /// The free states, where there are moves that cannot be undone.
    pub(in crate::agent) states_to_cross: Option<u64>,
}

impl Terms {
    /// Of a map without links.
    pub(in crate::agent) const PLAIN: Terms = Terms { widest: 1, goal_units: 0, states_to_cross: None };

    pub(in crate::agent) fn of(space: &Space) -> Terms {
        Terms {
            widest: space.widest_expansion(),
            goal_units: space.goal_units(),
            states_to_cross: space.has_one_way_moves().then(|| space.states().into()),
        }
    }

    pub(in crate::agent) fn save(&self, saving: &mut Saving) {
        saving.u64(self.widest);
        saving.u64(self.goal_units);
        saving.u64(self.states_to_cross.map_or(0, |states| states + 1));
    }

    pub(in crate::agent) fn restore(saved: &mut Restoring<'_>) -> Result<Terms, SavedAgentError> {
        let (widest, goal_units, states) = (saved.u64()?, saved.u64()?, saved.u64()?);
        // No map has more states, ways or links than there are ids.
        if [widest, goal_units, states].iter().any(|number| *number > 1 << 33) {
            return Err(SavedAgentError::Damaged);
        }
        Ok(Terms { widest, goal_units, states_to_cross: states.checked_sub(1) })
    }

    /// What a step allocates at most.
    pub(in crate::agent) fn page_bytes(&self, learner: &Learner) -> usize {
        let crossing = self.states_to_cross.map_or(0, |_| Crossing::page_bytes(self.widest));
        learner.page_bytes().max(crossing)
    }

    pub(in crate::agent) fn limits(&self, learning: Learning) -> Limits {
        let (min, max) = learning.units(self.widest);
        let (crossing_min, crossing_max) =
            self.states_to_cross.map_or((0, 0), |_| Crossing::units(self.widest));
        // One unit to see whether it has arrived.
        let before = 1 + self.goal_units;
        Limits {
            min_units: before + min.max(crossing_min),
            max_units: before + max.max(crossing_max),
            max_thinking: self.states_to_cross.map_or(0, Crossing::most_thinking),
        }
    }
}

impl Learning {
    /// An agent on a map.
    pub fn start(&self, atlas: &Atlas, from: StateId, to: StateId) -> LearningAgent {
        LearningAgent {
            journey: Journey::new(atlas, from, to),
            learner: Learner::new(*self),
            crossing: Crossing::default(),
            terms: Terms::of(atlas.space()),
        }
    }
}

/// An agent that learns.
#[derive(Clone, Debug)]
pub struct LearningAgent {
    journey: Journey,
    learner: Learner,
    crossing: Crossing,
    /// Of the space that was seen last.
    terms: Terms,
}

impl LearningAgent {
    /// How it learns.
    pub fn learning(&self) -> Learning {
        self.learner.learning()
    }

    pub(crate) fn restore(name: &str, saved: &mut Restoring<'_>) -> Result<LearningAgent, SavedAgentError> {
        Ok(LearningAgent {
            journey: Journey::restore(saved)?,
            learner: Learner::restore(name, saved)?,
            crossing: Crossing::restore(saved)?,
            terms: Terms::restore(saved)?,
        })
    }

    fn forget(&mut self) {
        self.learner.forget();
        self.crossing.forget();
    }
}

impl Agent for LearningAgent {
    fn step(&mut self, atlas: &Atlas, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        let (s, t, space) = (self.journey.at, self.journey.goal, atlas.space());
        let terms = Terms::of(space);
        if let Err(refused) = self.journey.check(atlas, terms.limits(self.learning()), budget) {
            return Step::Refused(refused);
        }
        self.terms = terms;
        budget.charge(1);
        if self.journey.begin(atlas) == Terrain::Edited {
            self.forget();
        }
        let next = match space.reach(s, t) {
            Reach::Never => return Step::NoPath,
            _ if s == t => return Step::Arrived,
            Reach::Always => {
                budget.charge(terms.goal_units);
                let walk = Walk {
                    space,
                    s,
                    t,
                    terms,
                    learner: &mut self.learner,
                    local: &mut scratch.local,
                    budget,
                };
                match space.visit_towards(t, Successors::InComponent, walk) {
                    Advance::Move(next) => next,
                    Advance::Hopeless(next) => {
                        self.forget();
                        next
                    }
                    Advance::Stuck => return Step::NoPath,
                }
            }
            Reach::Perhaps => match self.crossing.step(space, (s, t), budget) {
                Crossed::Move(next) => next,
                Crossed::Thinking => return Step::Thinking,
                Crossed::NoPath => return Step::NoPath,
            },
        };
        self.journey.at = next;
        Step::Move(next)
    }
}

impl Traveller for LearningAgent {
    fn retarget(&mut self, goal: StateId) {
        self.journey.goal = goal;
        self.forget();
    }

    fn state(&self) -> StateId {
        self.journey.at
    }

    fn goal(&self) -> StateId {
        self.journey.goal
    }

    fn limits(&self) -> Limits {
        self.terms.limits(self.learning())
    }

    fn page_bytes(&self) -> usize {
        self.terms.page_bytes(&self.learner)
    }

    fn bytes(&self) -> usize {
        size_of::<LearningAgent>() + self.learner.bytes() + self.crossing.bytes()
    }

    fn remembered(&self) -> u64 {
        self.learner.remembered() + self.crossing.remembered()
    }

    fn searches(&self) -> Option<u64> {
        Some(self.learner.searches())
    }

    fn save(&self, saving: &mut Saving) {
        self.journey.save(saving);
        self.learner.save(saving);
        self.crossing.save(saving);
        self.terms.save(saving);
    }
}

/// A move of the learner, on whatever ground.
struct Walk<'a> {
    space: &'a Space,
    s: StateId,
    t: StateId,
    terms: Terms,
    learner: &'a mut Learner,
    local: &'a mut Local,
    budget: &'a mut Budget,
}

impl SpaceVisitor for Walk<'_> {
    type Answer = Advance;

    fn visit<E: WayExpander, G: Goal>(self, moves: &E, goal: &G) -> Advance {
        let (one, widest) = (self.space.scale().one(), self.terms.widest);
        let ground = Ground { moves, cells: None, goal, target: self.t, one, widest };
        self.learner.step(&ground, self.s, self.local, self.budget)
    }
}
