//! D LRTA*: heads for where the way to the goal's region leaves its own, from region to region, and for the goal in the
//! last one; so LRTA* has only short ways to go, about which there is little to learn.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, M. Luštrek, J. Schaeffer, S. Sigmundarson: Dynamic control in path-planning with real-time
//! heuristic search, ICAPS 2007, and V. Bulitko, M. Luštrek, J. Schaeffer, Y. Björnsson, S. Sigmundarson, JAIR 2008; as
//! told by V. Bulitko, Y. Björnsson and R. Lawrence, JAIR 2010, section 4, with LRTA* of its figure 1.
//!
//! # Symbols
//! `s` where the agent stands, `s_goal` the subgoal, `s_global_goal` its goal (`t`).
//!
//! # Guarantees
//! *Complete* with `exit=last`: each subgoal is reached, as LRTA* is complete and remembers what it has learned for each
//! subgoal. The region where a subgoal lies decides, with the goal's region, on the next one; so either the goal's region
//! comes, or a region comes again, which is noticed (`laps.rs`), and from then on the agent heads for the goal itself.
//!
//! *Bounded*: a step of LRTA* and two look-ups.
//!
//! # Deviations
//! 1. The paper records the first exit from a region: then an agent can be led to and fro between two regions for ever.
//!    That is `exit=first`; such an agent is [`Step::Stopped`] when a region comes again.
//! 2. Where the goal lies in another strong component, `crossing.rs` finds the way there.

use super::crossing::{Crossed, Crossing};
use super::journey::{Ground as Terrain, Journey};
use super::laps::Laps;
use super::learning::{Advance, Ground, Learner, Learning, Terms};
use super::{Agent, AgentKind, Limits, Refused, Restoring, SavedAgentError, Saving, Step, Traveller};
use crate::core::{Budget, Goal, Local, StateId};
use crate::index::{Atlas, Exit, IndexKind, IndexSpec, Regions};
use crate::plan::{Refusal, Scratch};
use crate::space::{Reach, Space, SpaceVisitor, Successors, WayExpander};

/// Agents that go from region to region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DLrta {
    /// Levels of the abstraction that the regions come from.
    pub level: u32,
    /// Which exit is headed for.
    pub exit: Exit,
}

/// LRTA* with a lookahead of one, as in figure 1 where `g_max` is a step.
const BASE: Learning = Learning::Lrta { g_max: 1000 };

impl AgentKind for DLrta {
    fn limits(&self) -> Limits {
        limits(&Terms::PLAIN)
    }

    fn is_optimal(&self, _: &Space) -> bool {
        false
    }

    fn needs(&self) -> Option<IndexSpec> {
        Some(IndexSpec::new(IndexKind::REGIONS, self.level))
    }
}

/// Two look-ups, of a region and of a subgoal, beside what LRTA* takes.
fn limits(terms: &Terms) -> Limits {
    let base = terms.limits(BASE);
    Limits { min_units: base.min_units + 2, max_units: base.max_units + 2, ..base }
}

impl DLrta {
    /// An agent on a map. Whether it can work there is found out when it is stepped.
    pub fn start(&self, atlas: &Atlas, from: StateId, to: StateId) -> DLrtaAgent {
        DLrtaAgent {
            kind: *self,
            journey: Journey::new(atlas, from, to),
            learner: Learner::new(BASE),
            crossing: Crossing::default(),
            subgoal: StateId::NONE,
            laps: None,
            is_direct: false,
            terms: Terms::of(atlas.space()),
        }
    }
}

/// An agent that goes from region to region.
#[derive(Clone, Debug)]
pub struct DLrtaAgent {
    kind: DLrta,
    journey: Journey,
    learner: Learner,
    crossing: Crossing,
    /// Where it is heading; none before the first.
    subgoal: StateId,
    /// The regions that it has headed from.
    laps: Option<Laps>,
    /// A region has come again: the goal itself is the subgoal.
    is_direct: bool,
    /// Of the space that was seen last.
    terms: Terms,
}

impl DLrtaAgent {
    /// Line 3 of figure 1: a new subgoal. False if the agent was led in a circle and must stop.
    fn choose(&mut self, space: &Space, regions: &Regions<'_>) -> bool {
        let (s, t) = (self.journey.at, self.journey.goal);
        self.subgoal = t;
        let (Some(here), Some(there)) = (regions.of(s), regions.of(t)) else { return true };
        if here == there || self.is_direct {
            return true;
        }
        let region = StateId::new(here);
        let has_come_round = match &mut self.laps {
            Some(laps) => laps.come_round(region),
            None => {
                self.laps = Some(Laps::from(region));
                false
            }
        };
        if has_come_round {
            self.is_direct = true;
            return self.kind.exit == Exit::Last;
        }
        let exit = regions.subgoal(here, there, self.kind.exit);
        // Only a table that somebody has changed names a state that cannot be reached.
        let exit = exit.filter(|&exit| exit != s && space.reach(s, exit) == Reach::Always);
        self.subgoal = exit.unwrap_or(t);
        true
    }

    fn forget(&mut self) {
        self.learner.forget();
        self.crossing.forget();
        (self.subgoal, self.laps, self.is_direct) = (StateId::NONE, None, false);
    }

    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<DLrtaAgent, SavedAgentError> {
        let level = saved.u32()?;
        let exit = match saved.u32()? {
            0 => Exit::First,
            1 => Exit::Last,
            _ => return Err(SavedAgentError::Damaged),
        };
        let journey = Journey::restore(saved)?;
        let learner = Learner::restore(BASE.name(), saved)?;
        let crossing = Crossing::restore(saved)?;
        let subgoal = StateId::new(saved.u32()?);
        let flags = saved.u32()?;
        let laps = if flags & 1 == 1 { Some(Laps::restore(saved)?) } else { None };
        let terms = Terms::restore(saved)?;
        if flags > 3 || learner.learning() != BASE {
            return Err(SavedAgentError::Damaged);
        }
        let (kind, is_direct) = (DLrta { level, exit }, flags & 2 == 2);
        Ok(DLrtaAgent { kind, journey, learner, crossing, subgoal, laps, is_direct, terms })
    }
}

impl Agent for DLrtaAgent {
    fn step(&mut self, atlas: &Atlas, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        let (s, t, space) = (self.journey.at, self.journey.goal, atlas.space());
        let terms = Terms::of(space);
        if let Err(refused) = self.journey.check(atlas, limits(&terms), budget) {
            return Step::Refused(refused);
        }
        let Some(regions) = atlas.regions(self.kind.level) else {
            let missing = IndexSpec::new(IndexKind::REGIONS, self.kind.level);
            return Step::Refused(Refused::Unable(Refusal::NoIndex(missing)));
        };
        self.terms = terms;
        budget.charge(1);
        if self.journey.begin(atlas) == Terrain::Edited {
            self.forget();
        }
        let next = match space.reach(s, t) {
            Reach::Never => return Step::NoPath,
            _ if s == t => return Step::Arrived,
            Reach::Perhaps => match self.crossing.step(space, (s, t), budget) {
                Crossed::Move(next) => next,
                Crossed::Thinking => return Step::Thinking,
                Crossed::NoPath => return Step::NoPath,
            },
            Reach::Always => {
                // Line 3. An agent that was tampered with may head for what is no state of its component.
                let is_lost = self.subgoal == s || space.reach(s, self.subgoal) != Reach::Always;
                if is_lost {
                    budget.charge(2);
                    if !self.choose(space, &regions) {
                        return Step::Stopped;
                    }
                }
                // Lines 4 to 7.
                budget.charge(terms.goal_units);
                let (learner, local) = (&mut self.learner, &mut scratch.local);
                let walk = Walk { space, s, target: self.subgoal, learner, local, budget };
                match space.visit_towards(self.subgoal, Successors::InComponent, walk) {
                    Advance::Move(next) => next,
                    Advance::Hopeless(next) => {
                        self.learner.forget();
                        next
                    }
                    Advance::Stuck => return Step::NoPath,
                }
            }
        };
        self.journey.at = next;
        Step::Move(next)
    }
}

impl Traveller for DLrtaAgent {
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

    fn subgoal(&self) -> Option<StateId> {
        self.subgoal.known().filter(|subgoal| *subgoal != self.journey.goal)
    }

    fn limits(&self) -> Limits {
        limits(&self.terms)
    }

    fn page_bytes(&self) -> usize {
        self.terms.page_bytes(&self.learner)
    }

    fn bytes(&self) -> usize {
        size_of::<DLrtaAgent>() + self.learner.bytes() + self.crossing.bytes()
    }

    fn remembered(&self) -> u64 {
        self.learner.remembered() + self.crossing.remembered()
    }

    fn searches(&self) -> Option<u64> {
        Some(self.learner.searches())
    }

    fn save(&self, saving: &mut Saving) {
        saving.u32(self.kind.level);
        saving.u32(u32::from(self.kind.exit == Exit::Last));
        self.journey.save(saving);
        self.learner.save(saving);
        self.crossing.save(saving);
        saving.u32(self.subgoal.number());
        saving.u32(u32::from(self.laps.is_some()) | u32::from(self.is_direct) << 1);
        if let Some(laps) = &self.laps {
            laps.save(saving);
        }
        self.terms.save(saving);
    }
}

/// A move of LRTA*, on whatever ground.
struct Walk<'a> {
    space: &'a Space,
    s: StateId,
    target: StateId,
    learner: &'a mut Learner,
    local: &'a mut Local,
    budget: &'a mut Budget,
}

impl SpaceVisitor for Walk<'_> {
    type Answer = Advance;

    fn visit<E: WayExpander, G: Goal>(self, moves: &E, goal: &G) -> Advance {
        let (one, widest) = (self.space.scale().one(), self.space.widest_expansion());
        let ground = Ground { moves, cells: None, goal, target: self.target, one, widest };
        self.learner.step(&ground, self.s, self.local, self.budget)
    }
}
