//! Agents that learn: each looks at a few states around it, corrects how far the goal seems from there, and goes where
//! it seems nearest.
//!
//! # Paper
//! Each has its own file, which names its paper.
//!
//! | name | file | looks at | learns |
//! |---|---|---|---|
//! | `lrta` | `lrta.rs` | the states within `g_max` | the value of the state where it stands |
//! | `lrta-k` | `lrta_k.rs` | the next states, from up to k states | the values of up to k states where it has learned before |
//! | `lss-lrta` | `lss_lrta.rs` | what an A* search of so many expansions sees | the values of all states expanded |
//! | `rtaa`, `da-rtaa` | `rtaa.rs` | the same | the same, by one subtraction each |
//!
//! `learned.rs` is the table of what was learned, `agent.rs` the agent, this file what they share. [`Learner`] knows no
//! map: it is given moves and a goal, so that agents that head for subgoals, and agents that see only their surroundings,
//! can hold one.
//!
//! # Symbols
//! `s` where the agent stands, `s_goal` where it wants to be ([`Ground::target`]), `h` how far that seems: what was
//! learned, else the space's estimate.
//!
//! # Guarantees
//! *Complete* in a strong component, which the agent never leaves: values are never lowered and never exceed true
//! costs, so they stop rising after finitely many moves; and where none rises any more every decision leads to a state
//! with a lower value (the files say why), so that the goal comes. Where the goal lies in another strong component the
//! agent first looks for a way there (`crossing.rs`).
//!
//! *Bounded*: a step takes what [`Learning::limits`] says, whatever the map; more only where a state has more than eight
//! successors or the map has links. What a step allocates follows from the values it learns. A look at what was learned of
//! a successor belongs to the unit of the expansion that names it.
//!
//! # Deviations
//! 1. A value that no path can cost proves that what the agent remembers is wrong (a saved agent was tampered with), or,
//!    if it is not, that there is no path: [`Advance::Hopeless`].
//! 2. On another version of the map everything is forgotten: cells that were opened may have made values too high.

mod agent;
mod learned;
mod lrta;
mod lrta_k;
mod lss_lrta;
mod rtaa;

pub use agent::LearningAgent;
pub(super) use agent::Terms;
pub(crate) use learned::Learned;
pub(crate) use rtaa::UNLIMITED;

use super::{Restoring, SavedAgentError, Saving};
use crate::core::{Budget, Cost, Expander, Goal, Local, StateId};
use crate::space::{BeliefMoves, GridGeometry};

/// How an agent learns: one of these algorithms, with its parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learning {
    /// LRTA*.
    Lrta {
        /// How far it looks ahead, in thousandths of a straight step; below 2000 it looks at the next states.
        g_max: u32,
    },
    /// LRTA*(k).
    LrtaK {
        /// States whose values are looked at, at each move.
        k: u32,
    },
    /// LSS-LRTA*.
    LssLrta {
        /// States that one search expands.
        expansions: u32,
    },
    /// RTAA*.
    Rtaa {
        /// States that one search expands; `u32::MAX` if as many as it takes.
        expansions: u32,
    },
    /// daRTAA*: RTAA* that goes where it has learned least.
    DaRtaa {
        /// States that one search expands; `u32::MAX` if as many as it takes.
        expansions: u32,
    },
}

impl Learning {
    /// The name in the catalog.
    pub fn name(&self) -> &'static str {
        match self {
            Learning::Lrta { .. } => "lrta",
            Learning::LrtaK { .. } => "lrta-k",
            Learning::LssLrta { .. } => "lss-lrta",
            Learning::Rtaa { .. } => "rtaa",
            Learning::DaRtaa { .. } => "da-rtaa",
        }
    }

    /// What a step takes at least and at most, where expanding a state takes up to `widest` units.
    pub(crate) fn units(&self, widest: u64) -> (u64, u64) {
        match *self {
            Learning::Lrta { g_max } => lrta::units(g_max, widest),
            Learning::LrtaK { k } => lrta_k::units(k.into(), widest),
            Learning::LssLrta { expansions } => lss_lrta::units(expansions.into(), widest),
            Learning::Rtaa { expansions } => rtaa::units(expansions, widest, false),
            Learning::DaRtaa { expansions } => rtaa::units(expansions, widest, true),
        }
    }

    /// States that a step looks behind at most before it learns from them; `None` if it learns from some of them alone.
    pub(crate) fn most_expansions(&self) -> Option<u64> {
        match *self {
            Learning::Lrta { g_max } => (lrta::longest_plan(g_max) == 0).then_some(1),
            Learning::LrtaK { k } => Some(k.into()),
            Learning::LssLrta { expansions } => Some(expansions.into()),
            Learning::Rtaa { expansions } | Learning::DaRtaa { expansions } => {
                (expansions != UNLIMITED).then_some(expansions.into())
            }
        }
    }

    /// Values that a step learns at most, and states of the plan that it makes.
    fn most_kept(&self) -> (u32, u32) {
        match *self {
            Learning::Lrta { g_max } => (1, lrta::longest_plan(g_max)),
            Learning::LrtaK { k } => (k, 0),
            Learning::LssLrta { expansions }
            | Learning::Rtaa { expansions }
            | Learning::DaRtaa { expansions } => (expansions, expansions),
        }
    }

    fn save(&self, saving: &mut Saving) {
        let (Learning::Lrta { g_max: value }
        | Learning::LrtaK { k: value }
        | Learning::LssLrta { expansions: value }
        | Learning::Rtaa { expansions: value }
        | Learning::DaRtaa { expansions: value }) = *self;
        saving.u32(value);
    }

    /// The parameter of the algorithm of this name. Any number will do: it bounds loops that the budget bounds too.
    fn restore(name: &str, saved: &mut Restoring<'_>) -> Result<Learning, SavedAgentError> {
        let value = saved.u32()?;
        let (learning, range) = match name {
            "lrta" => (Learning::Lrta { g_max: value }, G_MAX),
            "lrta-k" => (Learning::LrtaK { k: value }, K),
            "rtaa" => (Learning::Rtaa { expansions: value }, 1..=UNLIMITED),
            "da-rtaa" => (Learning::DaRtaa { expansions: value }, 1..=UNLIMITED),
            _ => (Learning::LssLrta { expansions: value }, EXPANSIONS),
        };
        if range.contains(&value) { Ok(learning) } else { Err(SavedAgentError::Damaged) }
    }
}

/// The parameters that there are.
pub(crate) const G_MAX: std::ops::RangeInclusive<u32> = 1000..=10_000;
pub(crate) const K: std::ops::RangeInclusive<u32> = 1..=1000;
pub(crate) const EXPANSIONS: std::ops::RangeInclusive<u32> = 1..=1000;

/// Where somebody walks: the moves that he knows, and how far the state `target` seems by the space's estimate.
pub(crate) struct Ground<'a, E, G> {
    pub(crate) moves: &'a E,
    /// The same, if they lead from cell to cell as somebody believes.
    pub(crate) cells: Option<BeliefMoves<'a>>,
    pub(crate) goal: &'a G,
    pub(crate) target: StateId,
    /// Units of cost of a straight step.
    pub(crate) one: u64,
    /// Units of work that no expansion exceeds.
    pub(crate) widest: u64,
}

/// What a learner says after it has looked around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Advance {
    /// Go to this state, next to the one where you are.
    Move(StateId),
    /// No path costs as much as the goal is away by now, so there is none. Whoever knows better goes to this state, and
    /// lets the learner forget what it has learned.
    Hopeless(StateId),
    /// No move leads anywhere.
    Stuck,
}

/// Somebody who learns: what he has learned, and where he is on his way to.
#[derive(Clone, Debug)]
pub(crate) struct Learner {
    learning: Learning,
    learned: Learned,
    /// The states that he has decided to walk along, the next one last, on the way to `planned_for`.
    plan: Vec<StateId>,
    planned_for: StateId,
    searches: u64,
}

impl Learner {
    pub(crate) fn new(learning: Learning) -> Learner {
        let planned_for = StateId::NONE;
        Learner { learning, learned: Learned::default(), plan: Vec::new(), planned_for, searches: 0 }
    }

    pub(crate) fn learning(&self) -> Learning {
        self.learning
    }

    /// Decides on a move from `at`, which must be a state of the ground and not the target. Another target than before
    /// may be given at any time: what was learned is kept apart for each.
    pub(crate) fn step<E: Expander, G: Goal>(
        &mut self,
        ground: &Ground<'_, E, G>,
        at: StateId,
        local: &mut Local,
        budget: &mut Budget,
    ) -> Advance {
        if std::mem::replace(&mut self.planned_for, ground.target) != ground.target {
            self.plan.clear();
        }
        self.learned.turn_to(ground.target);
        let mut mind = Mind { learned: &mut self.learned, plan: &mut self.plan, local };
        let (advance, has_searched) = match self.learning {
            Learning::Lrta { g_max } => (lrta::step(ground, at, g_max, &mut mind, budget), true),
            Learning::LrtaK { k } => (lrta_k::step(ground, at, k, &mut mind, budget), true),
            Learning::LssLrta { expansions } => match follow(ground, at, mind.plan, budget) {
                Some(next) => (Advance::Move(next), false),
                None => (lss_lrta::step(ground, at, expansions, &mut mind, budget), true),
            },
            Learning::Rtaa { expansions } | Learning::DaRtaa { expansions } => {
                let avoids = matches!(self.learning, Learning::DaRtaa { .. });
                match follow(ground, at, mind.plan, budget) {
                    Some(next) => (Advance::Move(next), false),
                    None => (rtaa::step(ground, at, expansions, avoids, &mut mind, budget), true),
                }
            }
        };
        self.searches += u64::from(has_searched);
        advance
    }

    /// Forgets everything: the ground is another one.
    pub(crate) fn forget(&mut self) {
        self.learned.forget();
        self.plan.clear();
    }

    /// The states are cells of this map: what is learned about those near each other is then kept together.
    pub(crate) fn lie_on(&mut self, outline: Option<GridGeometry>) {
        self.learned.lie_on(outline);
    }

    /// What a step allocates at most.
    pub(crate) fn page_bytes(&self) -> usize {
        let (values, plan) = self.learning.most_kept();
        let plan = (plan as usize).saturating_mul(size_of::<StateId>());
        self.learned.page_bytes(values as usize).saturating_add(plan)
    }

    /// Memory held beside itself.
    pub(crate) fn bytes(&self) -> usize {
        self.learned.bytes() + self.plan.capacity() * size_of::<StateId>()
    }

    /// States whose value was learned, counted for each goal.
    pub(crate) fn remembered(&self) -> u64 {
        self.learned.len()
    }

    pub(crate) fn searches(&self) -> u64 {
        self.searches
    }

    pub(crate) fn save(&self, saving: &mut Saving) {
        self.learning.save(saving);
        self.learned.save(saving);
        saving.u32(self.planned_for.number());
        saving.u32(self.plan.len() as u32);
        self.plan.iter().for_each(|state| saving.u32(state.number()));
        saving.u64(self.searches);
    }

    /// `name` is that of the algorithm.
    pub(crate) fn restore(name: &str, saved: &mut Restoring<'_>) -> Result<Learner, SavedAgentError> {
        let mut learner = Learner::new(Learning::restore(name, saved)?);
        learner.learned = Learned::restore(saved)?;
        learner.planned_for = StateId::new(saved.u32()?);
        for _ in 0..saved.u32()? {
            learner.plan.push(StateId::new(saved.u32()?));
        }
        learner.searches = saved.u64()?;
        Ok(learner)
    }
}

/// What the algorithms work with.
struct Mind<'a> {
    learned: &'a mut Learned,
    plan: &'a mut Vec<StateId>,
    local: &'a mut Local,
}

impl Mind<'_> {
    /// Decides to walk to a node of the local space, from the first one. `most` is how long a plan can be.
    fn plan_to(&mut self, node: u32, most: u32, budget: &mut Budget) {
        self.plan.clear();
        self.plan.reserve_exact(most as usize);
        let mut at = &self.local.nodes()[node as usize];
        while let Some(parent) = self.local.nodes().get(at.parent as usize) {
            budget.charge(1);
            self.plan.push(at.state);
            at = parent;
        }
    }
}

/// The next state of a plan, if a move leads there from `at`; a plan that does not fit is given up.
fn follow<E: Expander, G: Goal>(
    ground: &Ground<'_, E, G>,
    at: StateId,
    plan: &mut Vec<StateId>,
    budget: &mut Budget,
) -> Option<StateId> {
    let next = plan.pop()?;
    let mut is_move = false;
    budget.charge(1);
    match ground.cells {
        Some(moves) => is_move = moves.allows(at, next),
        None => budget.charge(ground.moves.expand(at, None, |child, _| is_move |= child == next)),
    }
    if !is_move {
        plan.clear();
    }
    is_move.then_some(next)
}

/// Whether a value is one that no path can cost.
fn is_hopeless<E: Expander>(moves: &E, h: Cost) -> bool {
    h >= moves.keys().bound
}

#[cfg(test)]
mod tests;
