//! Heads for a subgoal that can be walked to without losing one's way, from there for the next one, and so to the goal.
//! The subgoals are looked up in a tree that was worked out for the goal beforehand.
//!
//! # Paper
//! C. Hernández, J. Baier: Fast subgoaling for pathfinding via real-time search, ICAPS 2011, Algorithm 3 and the last
//! section, which names other algorithms than LRTA* to be combined with. Algorithm 2 is in `build/subgoal_trees`.
//!
//! # Symbols
//! `s` where the agent stands, `s_0` where it began, `goal` the subgoal it heads for (`target`), `s_goal` where it wants
//! to be (`t`), `nextgoal(s)` what comes next in the tree, `h(s, goal)` what its learner knows.
//!
//! | variant | tree | first goal |
//! |---|---|---|
//! | `as-printed` | Algorithm 2 | line 5: the state of the tree that seems nearest |
//! | `start-at-sub` | Algorithm 2 | the subgoal that the backward search had for s_0 |
//! | `greedy`, the default | its test is that a greedy walk leads to the subgoal at least cost | the same |
//!
//! # Guarantees
//! *Complete* in a strong component. Each leg is walked by a learner that reaches any state there (`learning/`). Who
//! arrives at a subgoal heads for the next one, which is nearer to the goal; a state that is passed turns the agent
//! elsewhere at most [`TURNS`] times; so there are finitely many legs. Where the goal lies in another component, `greedy`
//! walks along its tree unless `base=lss-lrta`, and the others look for a way there first (`crossing.rs`).
//!
//! *Optimal* with `greedy` and `base=lrta` or `base=lrta-k` if the first goal was found in time (`first_goal.rs`), which on
//! all maps that were measured it is, and must be on small ones: [`AgentKind::is_optimal`]. Each leg is the greedy walk
//! that the builder has tried, since LRTA* takes the same step, and values it learns, LRTA*(k) too, are of states behind
//! it, where it does not return. LSS-LRTA* learns about states ahead, and leaves that walk.
//!
//! *Bounded*: what [`SubgoalTrees::limits`] says. The tree is looked up, not unpacked; finding the first goal is cut into
//! steps of [`SLICE`] units and ends after [`FIND_UNITS`]. Values are never lowered.
//!
//! # Deviations
//! 1. Lines 1-4 touch every state before the first move. Here nothing is copied: `nextgoal` is a search among the runs of
//!    one subgoal (`index/layouts/subgoal_trees.rs`).
//! 2. Line 8, where the agent passes a state of the tree that it did not head for, is left out by `greedy` where
//!    legs are walked as they were built and need no correction, and otherwise done [`TURNS`] times for each state: for ever it might
//!    lead in a circle.
//! 3. Where steps have any costs (weights, links, graphs), who stands beside his subgoal steps onto it: estimates may
//!    say otherwise. On plain grids LRTA* does so anyway.
//! 4. `base`: LRTA*(k) and LSS-LRTA* in place of lines 9 and 10.

mod first_goal;
mod leg;

use super::crossing::{Crossed, Crossing};
use super::journey::{Ground as Terrain, Journey};
use super::learning::{Advance, Learner, Learning, Terms};
use super::{Agent, AgentKind, Limits, Refused, Restoring, SavedAgentError, Saving, Step, Traveller};
use crate::core::{Budget, PageTable, StateId};
use crate::index::subgoal_trees::Next;
use crate::index::{Atlas, IndexKind, IndexSpec, SubgoalTrees as Trees};
use crate::plan::{Refusal, Scratch};
use crate::space::{Reach, Space, Successors};
use first_goal::{FIND_UNITS, FirstGoal, LEAST_SLICE, Problem, SLICE};
use leg::Leg;

/// How often a state of the tree turns somebody who passes it.
const TURNS: u32 = 4;

/// Which trees, and where to begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// The paper's tree, and its first goal.
    AsPrinted,
    /// The paper's tree; first the subgoal of the start.
    StartAtSub,
    /// A tree of greedy walks; first the subgoal of the start.
    #[default]
    Greedy,
}

const VARIANTS: [Variant; 3] = [Variant::AsPrinted, Variant::StartAtSub, Variant::Greedy];

/// Agents that head for subgoals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubgoalTrees {
    /// Which trees.
    pub variant: Variant,
    /// How the agent walks to a subgoal.
    pub base: Learning,
}

impl Default for SubgoalTrees {
    fn default() -> SubgoalTrees {
        SubgoalTrees { variant: Variant::Greedy, base: Learning::Lrta { g_max: 1000 } }
    }
}

impl SubgoalTrees {
    /// The index that it reads.
    pub fn index(&self) -> IndexSpec {
        IndexSpec::new(IndexKind::SUBGOAL_TREES, u32::from(self.variant != Variant::Greedy))
    }

    /// An agent on a map. Whether it can work there is found out when it is stepped.
    pub fn start(&self, atlas: &Atlas, from: StateId, to: StateId) -> SubgoalTreesAgent {
        SubgoalTreesAgent {
            variant: self.variant,
            journey: Journey::new(atlas, from, to),
            learner: Learner::new(self.base),
            crossing: Crossing::default(),
            terms: Terms::of(atlas.space()),
            first_goal: FirstGoal::new(from),
            target: StateId::NONE,
            turns: PageTable::default(),
            arrivals: 0,
        }
    }

    /// Whether legs are walked as the builder has walked them.
    fn walks_as_built(&self) -> bool {
        let is_plain = matches!(self.base, Learning::Lrta { g_max: 0..2000 } | Learning::LrtaK { .. });
        self.variant == Variant::Greedy && is_plain
    }

    fn limits_on(&self, terms: &Terms) -> Limits {
        let (least_move, most_move) = self.base.units(terms.widest);
        let (least_cross, most_cross) =
            terms.states_to_cross.map_or((0, 0), |_| Crossing::units(terms.widest));
        // The next subgoal, its estimate, and whether it stands beside the agent.
        let before = 1 + terms.goal_units + terms.widest;
        let (least_find, most_find) = (LEAST_SLICE + first_goal::turn(terms), slice(terms));
        Limits {
            // One unit to see whether it has arrived.
            min_units: 1 + (before + least_move).max(least_cross).max(least_find),
            max_units: 1 + most_find + (before + most_move).max(most_cross),
            max_thinking: FIND_UNITS / LEAST_SLICE
                + 1
                + terms.states_to_cross.map_or(0, Crossing::most_thinking),
        }
    }
}

/// What a step spends on finding the first goal.
fn slice(terms: &Terms) -> u64 {
    SLICE.max(LEAST_SLICE + first_goal::turn(terms))
}

impl AgentKind for SubgoalTrees {
    fn limits(&self) -> Limits {
        self.limits_on(&Terms::PLAIN)
    }

    fn is_optimal(&self, space: &Space) -> bool {
        // Then the first goal is found in time, whatever the tree.
        let (states, terms) = (u64::from(space.states()), Terms::of(space));
        let most = (3 * states + 2).saturating_mul(states + 1).saturating_mul(first_goal::turn(&terms));
        self.walks_as_built() && most <= FIND_UNITS
    }

    fn needs(&self) -> Option<IndexSpec> {
        Some(self.index())
    }
}

/// The learners that may walk from subgoal to subgoal, in the order of their numbers in saved agents.
const BASES: [&str; 5] = ["lrta", "lrta-k", "lss-lrta", "rtaa", "da-rtaa"];

/// An agent that heads for subgoals.
#[derive(Clone, Debug)]
pub struct SubgoalTreesAgent {
    variant: Variant,
    journey: Journey,
    learner: Learner,
    crossing: Crossing,
    /// Of the space that was seen last.
    terms: Terms,
    first_goal: FirstGoal,
    /// The subgoal, or the goal; nobody until it is found.
    target: StateId,
    /// How often states have turned the agent who passed them.
    turns: PageTable<u32>,
    /// Subgoals reached since the last turn.
    arrivals: u32,
}

impl SubgoalTreesAgent {
    /// Its kind.
    pub fn kind(&self) -> SubgoalTrees {
        SubgoalTrees { variant: self.variant, base: self.learner.learning() }
    }

    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<SubgoalTreesAgent, SavedAgentError> {
        let damaged = SavedAgentError::Damaged;
        let variant = *VARIANTS.get(saved.u32()? as usize).ok_or(damaged.clone())?;
        let base = *BASES.get(saved.u32()? as usize).ok_or(damaged.clone())?;
        let mut agent = SubgoalTreesAgent {
            variant,
            journey: Journey::restore(saved)?,
            learner: Learner::restore(base, saved)?,
            crossing: Crossing::restore(saved)?,
            terms: Terms::restore(saved)?,
            first_goal: FirstGoal::restore(saved)?,
            target: StateId::new(saved.u32()?),
            turns: PageTable::default(),
            arrivals: saved.u32()?,
        };
        for _ in 0..saved.u64()? {
            let (state, turns) = (saved.u64()?, saved.u32()?);
            agent.turns.insert(state, turns);
        }
        Ok(agent)
    }

    fn forget(&mut self) {
        self.learner.forget();
        self.crossing.forget();
        self.first_goal = FirstGoal::new(self.journey.at);
        self.target = StateId::NONE;
        self.turns.forget();
        self.arrivals = 0;
    }

    /// Line 8. Says whether the tree leads somewhere.
    fn turn(&mut self, trees: &Trees<'_>, goal_number: u32) -> bool {
        let (s, t) = (self.journey.at, self.journey.goal);
        let has_arrived = s == self.target;
        if !has_arrived && self.kind().walks_as_built() {
            return true;
        }
        let next = match trees.subgoal_at(s).map(|subgoal| trees.next(subgoal, goal_number)) {
            Some(Next::Subgoal(next, _)) => trees.state(next),
            Some(Next::Goal(_)) => t,
            Some(Next::NotThere) | None if has_arrived => t,
            Some(Next::NotThere) | None => return true,
        };
        if has_arrived {
            // No branch of a tree has more subgoals than there are.
            self.arrivals = self.arrivals.saturating_add(1);
            self.target = next;
            return self.arrivals <= trees.subgoals().saturating_add(1);
        }
        let key = u64::from(s.number());
        let turns = self.turns.get(key).unwrap_or(0);
        if turns < TURNS {
            self.turns.insert(key, turns + 1);
            (self.target, self.arrivals) = (next, 0);
        }
        true
    }
}

impl Agent for SubgoalTreesAgent {
    fn step(&mut self, atlas: &Atlas, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        let (s, t, space, kind) = (self.journey.at, self.journey.goal, atlas.space(), self.kind());
        let terms = Terms::of(space);
        let limits = kind.limits_on(&terms);
        if let Err(refused) = self.journey.check(atlas, limits, budget) {
            return Step::Refused(refused);
        }
        // Line 2.
        let Some(trees) = atlas.subgoal_trees(kind.index()) else {
            return Step::Refused(Refused::Unable(Refusal::NoIndex(kind.index())));
        };
        self.terms = terms;
        budget.charge(1);
        if self.journey.begin(atlas) == Terrain::Edited {
            self.forget();
        }
        let reach = space.reach(s, t);
        if reach == Reach::Never {
            return Step::NoPath;
        }
        // Line 7.
        if s == t {
            return Step::Arrived;
        }
        let is_sure = reach == Reach::Always;
        let Some(goal_number) = trees.number(t) else { return Step::NoPath };
        // Line 5.
        if self.target == StateId::NONE && (is_sure || kind.walks_as_built()) {
            let scope = if is_sure { Successors::InComponent } else { Successors::All };
            if is_sure && self.first_goal.start() != s {
                // A crossing ends here.
                self.first_goal = FirstGoal::new(s);
            }
            let variant = self.variant;
            let problem = Problem { space, trees, variant, goal: t, goal_number, scope, terms };
            let mut slice = Budget::units(slice(&terms).min(budget.left()));
            let is_found = self.first_goal.find(&problem, &mut slice);
            budget.charge(slice.spent());
            if !is_found {
                return Step::Thinking;
            }
            self.target = self.first_goal.answer().unwrap_or(if is_sure { t } else { StateId::NONE });
            if self.target == StateId::NONE && self.first_goal.is_complete() {
                return Step::NoPath;
            }
        }
        if self.target == StateId::NONE {
            if budget.left() < Crossing::units(terms.widest).0 {
                return Step::Thinking;
            }
            let next = match self.crossing.step(space, (s, t), budget) {
                Crossed::Move(next) => next,
                Crossed::Thinking => return Step::Thinking,
                Crossed::NoPath => return Step::NoPath,
            };
            self.journey.at = next;
            return Step::Move(next);
        }
        let before = 1 + terms.goal_units + terms.widest;
        if budget.left() < before + kind.base.units(terms.widest).0 {
            return Step::Thinking;
        }
        // Line 8.
        budget.charge(1);
        if !self.turn(&trees, goal_number) {
            return Step::Stopped;
        }
        if self.target == s || space.reach(s, self.target) == Reach::Never {
            // Only a table that was tampered with leads here.
            self.target = t;
        }
        // Lines 9 and 10.
        budget.charge(terms.goal_units);
        let target = self.target;
        let scope =
            if space.reach(s, target) == Reach::Always { Successors::InComponent } else { Successors::All };
        let leg =
            Leg { space, s, target, terms, learner: &mut self.learner, local: &mut scratch.local, budget };
        let next = match space.visit_towards(target, scope, leg) {
            Advance::Move(next) => next,
            Advance::Hopeless(next) => {
                // Only values or a table that were tampered with lead here.
                self.learner.forget();
                self.target = t;
                next
            }
            Advance::Stuck => return Step::NoPath,
        };
        // Line 11.
        self.journey.at = next;
        Step::Move(next)
    }
}

impl Traveller for SubgoalTreesAgent {
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
        self.target.known().filter(|subgoal| *subgoal != self.journey.goal)
    }

    fn limits(&self) -> Limits {
        self.kind().limits_on(&self.terms)
    }

    fn page_bytes(&self) -> usize {
        let crossing = self.terms.states_to_cross.map_or(0, |_| Crossing::page_bytes(self.terms.widest));
        PageTable::<u32>::PAGE_BYTES + self.learner.page_bytes().max(crossing)
    }

    fn bytes(&self) -> usize {
        size_of::<SubgoalTreesAgent>() + self.learner.bytes() + self.crossing.bytes() + self.turns.bytes()
    }

    fn remembered(&self) -> u64 {
        self.learner.remembered() + self.crossing.remembered() + self.turns.len()
    }

    fn searches(&self) -> Option<u64> {
        Some(self.learner.searches())
    }

    fn save(&self, saving: &mut Saving) {
        let variant = VARIANTS.iter().position(|variant| *variant == self.variant);
        saving.u32(variant.unwrap_or(0) as u32);
        let base = BASES.iter().position(|base| *base == self.learner.learning().name());
        saving.u32(base.unwrap_or(0) as u32);
        self.journey.save(saving);
        self.learner.save(saving);
        self.crossing.save(saving);
        self.terms.save(saving);
        self.first_goal.save(saving);
        saving.u32(self.target.number());
        saving.u32(self.arrivals);
        saving.u64(self.turns.len());
        for (state, turns) in self.turns.entries() {
            saving.u64(state);
            saving.u32(turns);
        }
    }
}
