//! Heads for a subgoal that can be walked to without losing one's way, from there for the next one, and so to the goal.
//! The subgoals are looked up in a tree that was worked out for the goal beforehand, or is before the first move.
//!
//! # Paper
//! C. Hernández, J. Baier: Fast subgoaling for pathfinding via real-time search, ICAPS 2011, Algorithm 3 and the last
//! section, which names other algorithms than LRTA* to be combined with. Algorithm 2 is in `plan/parts/subgoaling.rs`: the trees of
//! all goals come from the index (`build/subgoal_trees`); where that is missing, the agent makes the tree of its goal
//! (`plan/parts/subgoal_tree.rs`).
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
//! | `greedy` without the index | Algorithm 2: as `start-at-sub` | the same |
//!
//! # Guarantees
//! *Complete* in a strong component, but for `as-printed`. Each leg is walked by a learner that reaches any state there
//! (`learning/`). An agent that arrives at a subgoal heads for the next one, which is nearer to the goal; a state that is passed
//! turns the agent elsewhere at most [`TURNS`] times; so there are finitely many legs. Where the goal lies in another component, `greedy`
//! walks along its tree unless `base=lss-lrta`, and the others look for a way there first (`router.rs`).
//!
//! `as-printed` may be turned for ever, and stops when that is proved: it stands where it stood, heads for what it headed for,
//! and has learned nothing since. Values rise finitely often, so it arrives or comes to such a place.
//!
//! *Optimal* with `greedy` and `base=lrta` or `base=lrta-k` if the first goal was found in time (`first_goal.rs`), which on
//! all maps that were measured it is, and must be on small ones: [`Algorithm::is_optimal`]. Each leg is the greedy walk
//! that the builder has tried, since LRTA* takes the same step, and values it learns, LRTA*(k) too, are of states behind
//! it, where it does not return. LSS-LRTA* learns about states ahead, and leaves that walk.
//!
//! Without the index no variant promises that: Algorithm 2 takes a path that costs what it seems to for one that a learner walks.
//!
//! *Bounded*: what [`Algorithm::limits`] says. Without the index the tree is made in slices before the first move, as far
//! as the state where the agent stands; an edit or a new goal begins another. The tree is looked up, not unpacked; finding the first goal is cut into
//! steps of [`SLICE`] units and ends after [`FIND_UNITS`]. Values are never lowered.
//!
//! # Deviations
//! 1. Lines 1-4 touch every state before the first move. Here nothing is copied: `nextgoal` is a search among the runs of
//!    one subgoal (`index/layouts/subgoal_trees.rs`).
//! 2. Line 8, where the agent passes a state of the tree that it did not head for, is left out by `greedy` where
//!    legs are walked as they were built and need no correction, and done [`TURNS`] times for each state by `start-at-sub` and by
//!    `greedy` elsewhere: for ever it might lead in a circle. `as-printed` does it always.
//! 3. Where steps have any costs (weights, links, graphs), an agent beside its subgoal steps onto it: estimates may say
//!    otherwise. On plain grids LRTA* does so anyway.
//! 4. `base`: LRTA*(k) and LSS-LRTA* in place of lines 9 and 10.

mod first_goal;
mod on_demand;
mod tree;

use crate::agent::base::cycles::CycleDetector;
use crate::agent::base::router::Router;
use crate::agent::base::{
    About, Algorithm, Decision, Limits, Memory, Parameter, Ranks, Situation, SpaceLimits, Terrain, Value,
};
#[cfg(feature = "observe")]
use crate::agent::base::{Asked, Held};
use crate::agent::learning::{LearningMemory, Lrta, LrtaK, LssLrta};
use crate::core::{RadixMap, StateId};
use crate::index::{IndexKind, IndexSpec, SubgoalTrees as Trees};
use crate::plan::SubgoalTree;
use crate::space::Problem;
use crate::space::{Reach, Space};

use first_goal::{FIND_UNITS, FirstGoal, LEAST_SLICE, Query, SLICE, step_onto};
use on_demand::{overrun, tree_units};
use serde::{Deserialize, Serialize};
use tree::Tree;

/// How often a state of the tree turns an agent that passes it.
const TURNS: u32 = 4;

/// Agents that head for subgoals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SubgoalTrees {
    /// Which trees.
    pub variant: Variant,
    /// How the agent walks to a subgoal.
    pub base: Base,
}

/// Which trees, and where to begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Variant {
    /// A tree of greedy walks; first the subgoal of the start.
    Greedy,
    /// The paper's tree; first the subgoal of the start.
    StartAtSub,
    /// The paper's tree, and its first goal.
    AsPrinted,
}

/// How the agent walks to a subgoal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Base {
    /// LRTA* that looks at the next states.
    Lrta,
    /// LRTA*(k).
    LrtaK,
    /// LSS-LRTA*.
    LssLrta,
}

/// The learners, with their parameters.
const LRTA: Lrta = Lrta { g_max: 1000, estimate: None };
const LRTA_K: LrtaK = LrtaK { k: 16, estimate: None };
const LSS_LRTA: LssLrta = LssLrta { expansions: 32, estimate: None };

/// What the learner has learned about each subgoal, and where in the tree the agent is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SubgoalTreesMemory {
    learner: LearningMemory,
    /// The tree of the goal, where the index is missing.
    tree: Option<Box<SubgoalTree>>,
    /// The search for the first goal, until that is found.
    first_goal: Option<FirstGoal>,
    /// `goal`: the subgoal, or the goal.
    target: Option<StateId>,
    /// How often states have turned the agent that passed them.
    turns: RadixMap<u32>,
    /// Subgoals reached since the last turn.
    arrivals: u32,
    /// As printed: where it stood and what it headed for since it last learned.
    cycles: Option<CycleDetector>,
}

impl Algorithm for SubgoalTrees {
    const ABOUT: About = About {
        name: "subgoal-trees",
        summary: "heads for one subgoal after another, from the tree of its goal, which it makes where the index is missing",
        guarantee: "complete, but `as-printed` may stop; with its index optimal unless its first subgoal is not found in time",
        memory: "where it stands; a value for each state where a learner went wrong; without its index the tree, a node for each state",
        crosses: true,
        without_index: true,
        ranks: Ranks { on_file: Some(3), ..Ranks::NONE },
        ..About::USUAL
    };
    const DEFAULT: SubgoalTrees = SubgoalTrees { variant: Variant::Greedy, base: Base::Lrta };
    const PARAMETERS: &'static [Parameter<SubgoalTrees>] = &[
        Parameter {
            key: "",
            meaning: "which trees, and which subgoal comes first",
            value: Value::Words {
                words: &["greedy", "start-at-sub", "as-printed"],
                get: |trees| trees.variant as usize,
                set: |trees, word| {
                    trees.variant = [Variant::Greedy, Variant::StartAtSub, Variant::AsPrinted][word];
                },
            },
        },
        Parameter {
            key: "base",
            meaning: "how it walks to a subgoal",
            value: Value::Words {
                words: &["lrta", "lrta-k", "lss-lrta"],
                get: |trees| trees.base as usize,
                set: |trees, word| trees.base = [Base::Lrta, Base::LrtaK, Base::LssLrta][word],
            },
        },
    ];
    type Memory = SubgoalTreesMemory;

    fn limits(&self, space: SpaceLimits) -> Limits {
        let leg = self.base.limits(space);
        let (least_cross, most_cross, router) = match u64::from(space.one_way_states) {
            0 => (0, 0, 0),
            states => {
                let (least, most) = Router::units(space.expansion.into());
                (least, most, Router::most_thinking(states))
            }
        };
        let least_find = LEAST_SLICE + first_goal::turn(space).max(overrun(space) + u64::from(space.goal));
        let tree = tree_units(space).div_ceil(LEAST_SLICE);
        Limits {
            min_units: (beside(space) + leg.min_units).max(least_cross).max(least_find),
            max_units: leg.max_units.map(|most| slice(space) + (beside(space) + most).max(most_cross)),
            max_thinking: FIND_UNITS / LEAST_SLICE + 1 + router + tree,
        }
    }

    fn decide(&self, memory: &mut SubgoalTreesMemory, here: &mut Situation<'_>) -> Decision {
        // Line 2.
        let Some(atlas) = here.terrain.atlas() else { return Decision::IndexDamaged };
        if let Some(trees) = atlas.subgoal_trees(self.index()) {
            let Some(number) = trees.number(here.goal) else { return Decision::NoPath };
            return match self.find_stored(memory, here, atlas.space(), (trees, number)) {
                Ok(target) => self.walk(memory, here, (atlas.space(), target), &Tree::Stored(trees, number)),
                Err(decision) => decision,
            };
        }
        // The learner writes to the memory while the tree is read.
        let mut tree = memory.tree.take().unwrap_or_else(|| Box::new(SubgoalTree::towards(here.goal)));
        let decision = match self.find_made(memory, here, atlas.space(), &mut tree) {
            Ok(target) => self.walk(memory, here, (atlas.space(), target), &Tree::Made(&tree)),
            Err(decision) => decision,
        };
        memory.tree = Some(tree);
        decision
    }

    fn needs(&self) -> Option<IndexSpec> {
        Some(self.index())
    }

    fn is_optimal(&self, space: &Space) -> bool {
        // Then the first goal is found in time, whatever the tree.
        let (states, turn) = (u64::from(space.states()), first_goal::turn(SpaceLimits::of_space(space)));
        let most = (3 * states + 2).saturating_mul(states + 1).saturating_mul(turn);
        self.walks_as_built() && most <= FIND_UNITS
    }

    fn page_bytes(&self, memory: &SubgoalTreesMemory, space: SpaceLimits) -> usize {
        let router =
            if space.one_way_states > 0 { Router::page_bytes(None, space.expansion.into()) } else { 0 };
        let tree = on_demand::page_bytes(memory.tree.as_deref(), space);
        memory.turns.page_bytes(1) + self.base.page_bytes(&memory.learner, space).max(router) + tree
    }
}

impl SubgoalTrees {
    fn index(&self) -> IndexSpec {
        IndexSpec::new(IndexKind::SUBGOAL_TREES, u32::from(self.variant != Variant::Greedy))
    }

    /// Whether legs are walked as the builder has walked them.
    fn walks_as_built(&self) -> bool {
        self.variant == Variant::Greedy && self.base != Base::LssLrta
    }

    /// Line 5 with the trees of the index: the subgoal that is headed for, or what to do as long as there is none.
    fn find_stored(
        &self,
        memory: &mut SubgoalTreesMemory,
        here: &mut Situation<'_>,
        space: &Space,
        (trees, goal_number): (Trees<'_>, u32),
    ) -> Result<StateId, Decision> {
        let (s, t) = (here.at, here.goal);
        let is_sure = here.terrain.is_connected(s, t);
        if memory.target.is_none() && (is_sure || self.walks_as_built()) {
            // A way into the goal's component ends here.
            let first_goal = memory.first_goal.take().filter(|search| !is_sure || search.start() == s);
            let first_goal = memory.first_goal.insert(first_goal.unwrap_or_else(|| FirstGoal::new(s)));
            let query = Query::new(space, trees, self.variant, (t, goal_number), is_sure, here.space);
            if !here.within(slice(here.space), |here| first_goal.find(&query, here.budget)) {
                return Err(Decision::Think);
            }
            memory.target = first_goal.answer().or(is_sure.then_some(t));
            if memory.target.is_none() && first_goal.is_complete() {
                return Err(Decision::NoPath);
            }
        }
        memory.target.ok_or_else(|| cross(here))
    }

    /// Lines 8 to 11.
    fn walk(
        &self,
        memory: &mut SubgoalTreesMemory,
        here: &mut Situation<'_>,
        (space, target): (&Space, StateId),
        tree: &Tree<'_>,
    ) -> Decision {
        let (s, t) = (here.at, here.goal);
        memory.first_goal = None;
        if here.budget.left() < beside(here.space) + self.base.limits(here.space).min_units {
            return Decision::Think;
        }
        // Line 8.
        here.budget.charge(1);
        let Some(target) = self.turn(memory, target, tree, (s, t)) else {
            return Decision::Stop;
        };
        // Only a table that was tampered with names a state that cannot be reached.
        let is_lost = target == s || space.reach(s, target) == Reach::Never;
        let target = if is_lost { t } else { target };
        memory.target = Some(target);
        if self.variant == Variant::AsPrinted && memory.is_in_a_circle(s, target) {
            return Decision::Stop;
        }
        // Lines 9 to 11, with deviation 3.
        let problem = here.towards(target);
        if let Some((next, _)) = step_onto(space, &problem.moves, s, target, here.budget) {
            return Decision::Move(next);
        }
        let rises = memory.learner.rises();
        let decision = self.base.advance_on(&problem, &mut memory.learner, here, target);
        if memory.learner.rises() != rises {
            memory.cycles = None;
        }
        match decision {
            Decision::Hopeless(next) => {
                // Only values or a table that were tampered with lead here.
                memory.learner.forget();
                memory.target = Some(t);
                Decision::Move(next)
            }
            decision => decision,
        }
    }

    /// Line 8: where to head for now. `None` if the tree leads nowhere.
    fn turn(
        &self,
        memory: &mut SubgoalTreesMemory,
        target: StateId,
        tree: &Tree<'_>,
        (s, t): (StateId, StateId),
    ) -> Option<StateId> {
        let has_arrived = s == target;
        if !has_arrived && self.walks_as_built() && tree.is_greedy() {
            return Some(target);
        }
        let next = match tree.next(s, t) {
            Some(next) => next,
            None if has_arrived => t,
            None => return Some(target),
        };
        if self.variant == Variant::AsPrinted {
            return Some(next);
        }
        if has_arrived {
            // No branch of a tree has more subgoals than there are.
            memory.arrivals = memory.arrivals.saturating_add(1);
            return (memory.arrivals <= tree.subgoals().saturating_add(1)).then_some(next);
        }
        let key = u64::from(s.number());
        let turns = memory.turns.get(key).unwrap_or(0);
        if turns >= TURNS {
            return Some(target);
        }
        memory.turns.insert(key, turns + 1);
        memory.arrivals = 0;
        Some(next)
    }
}

/// The way into the goal's strong component, if the budget is enough for a part of it.
fn cross(here: &Situation<'_>) -> Decision {
    let (least, _) = Router::units(here.expansion_units());
    if here.budget.left() < least { Decision::Think } else { Decision::Cross }
}

/// What a step takes beside a move of the learner: the next subgoal, and whether it stands beside the agent.
fn beside(space: SpaceLimits) -> u64 {
    1 + u64::from(space.expansion)
}

/// What a step spends on finding the first goal.
fn slice(space: SpaceLimits) -> u64 {
    SLICE.max(LEAST_SLICE + first_goal::turn(space).max(overrun(space) + u64::from(space.goal)))
}

impl Base {
    fn limits(self, space: SpaceLimits) -> Limits {
        match self {
            Base::Lrta => LRTA.limits(space),
            Base::LrtaK => LRTA_K.limits(space),
            Base::LssLrta => LSS_LRTA.limits(space),
        }
    }

    fn page_bytes(self, learner: &LearningMemory, space: SpaceLimits) -> usize {
        match self {
            Base::Lrta => LRTA.page_bytes(learner, space),
            Base::LrtaK => LRTA_K.page_bytes(learner, space),
            Base::LssLrta => LSS_LRTA.page_bytes(learner, space),
        }
    }

    fn advance_on(
        self,
        problem: &Problem<'_>,
        learner: &mut LearningMemory,
        here: &mut Situation<'_>,
        target: StateId,
    ) -> Decision {
        match self {
            Base::Lrta => learner.advance_on(problem, &LRTA, here, target),
            Base::LrtaK => learner.advance_on(problem, &LRTA_K, here, target),
            Base::LssLrta => learner.advance_on(problem, &LSS_LRTA, here, target),
        }
    }
}

impl SubgoalTreesMemory {
    /// Whether an agent that decides on its next move here has done so before, and has learned nothing since.
    fn is_in_a_circle(&mut self, s: StateId, target: StateId) -> bool {
        if self.learner.has_plan(target) {
            return false;
        }
        let number = u64::from(s.number()) << 32 | u64::from(target.number());
        match &mut self.cycles {
            Some(cycles) => cycles.is_cycle_at(number),
            None => {
                self.cycles = Some(CycleDetector::from_number(number));
                false
            }
        }
    }
}

impl Memory for SubgoalTreesMemory {
    fn forget(&mut self) {
        self.learner.forget();
        self.turns.forget();
        // An agent that has its index again keeps no tree.
        self.tree = None;
        (self.first_goal, self.target, self.arrivals, self.cycles) = (None, None, 0, None);
    }

    fn is_sound(&mut self, terrain: Terrain<'_>, at: StateId, goal: StateId) -> bool {
        self.target.is_none_or(|target| terrain.is_state(target))
            && self.first_goal.as_ref().is_none_or(|search| search.is_sound(terrain))
            && self.tree.as_ref().is_none_or(|tree| {
                terrain.atlas().is_some_and(|atlas| tree.goal() == goal && tree.is_sound(atlas.space()))
            })
            && self.learner.is_sound(terrain, at, goal)
    }

    fn bytes(&self) -> usize {
        let tree = self.tree.as_ref().map_or(0, |tree| size_of::<SubgoalTree>() + tree.bytes());
        self.learner.bytes() + self.turns.bytes() + tree
    }

    fn remembered(&self) -> u64 {
        let tree = self.tree.as_ref().map_or(0, |tree| tree.remembered());
        self.learner.remembered() + self.turns.len() + tree
    }

    fn subgoal(&self) -> Option<StateId> {
        self.target
    }

    #[cfg(feature = "observe")]
    fn tell(&self, asked: &Asked<'_>, tell: &mut dyn FnMut(Held)) {
        self.learner.tell(asked, tell);
    }
}

#[cfg(test)]
mod tests;
