//! Looks up how a similar problem was solved, and walks from one state of that solution to the next.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game
//! pathfinding, JAIR 2010: figure 1 with the selection of figure 8 (`selectSubgoals`, in `select.rs`) and the six
//! enhancements of section 6.2. Figures 5 to 7 are the index `case-base`.
//!
//! | enhancement | parameter |
//! |---|---|
//! | 1: the goal, if it can be climbed to | `goal-first` |
//! | 2: the first subgoal instead of the record's start, if it can be climbed to | `subgoal-first` |
//! | 3: from the last subgoal to the goal, if it can be climbed to | `last-leg` |
//! | 4: only the M most similar records are tried | `select` |
//! | 5: a k-d tree finds them | `kdtree` |
//! | 6: LRTA* towards the goal is interrupted once, and a record looked for again | `quota` |
//! | none, since it did not pay: parts of records count as records, too | `fragments` |
//!
//! # Symbols
//! `s` where the agent stands, `t` the global goal, `r` a record, `M` the number of records that are tried. `reachable` is
//! a [climb](crate::core::climb) of at most `climb` steps.
//!
//! # Guarantees
//! *Complete* (theorem 7), whatever is in the case base: a record, a chain of regions, or a part of either, is walked to
//! its end once, by walks that end; an agent that has none learns, and learning is complete
//! ([`learning`](crate::agent::learning)).
//!
//! *Bounded*: a step takes at most 2,500 units, or what the learner takes if that is more: every climb and every look into
//! the tree is cut where the budget ends, and goes on in the next step. The number of these steps follows from the
//! parameters and from how many regions there can be, not from the map. While the agent walks along a record it takes one
//! unit a move.
//!
//! *Memory*: the next eight subgoals, the records found, and, where regions are chained, 16 bytes for each region while it
//! looks for the chain and 4 for each leg of it; what the learner learns comes on top. A saved agent that was thinking
//! begins that thought anew when it is restored, and makes the same moves.
//!
//! # Deviations
//! 1. *No learning on legs that were climbed.* By theorem 5 LRTA* walks there as the climb did, and what it learns changes
//!    no move. So nothing is learned, and a move of the climb is made.
//! 2. *When no record fits* the paper walks to the goal by LRTA*, at a cost of a hundred thousand per cent. Here
//!    (`chain.rs`) the agent climbs to the centre of its region and follows a chain of regions to one from whose centre it
//!    can climb to the goal, with shortcuts. `fallback=lrta` is the paper's.
//! 3. If that fails too, it learns by LSS-LRTA* with the quota of the sixth enhancement.
//! 4. A record's neighbouring states that one does not climb between (the estimate may be flat) are walked by that move. If
//!    a leg cannot be walked or goes in a circle, which happens only with an index that was tampered with, it learns.
//! 5. *Of the M records that are tried* the paper takes the first that fits. Here (`choose`) it is the one with the cheapest
//!    walk from the agent by way of it to the goal, as far as one can tell. `choose=first` is the paper's.
//! 6. With one-way moves: as all agents that learn it first finds a way into the goal's strong component, and stays there.

mod chain;
mod parameters;
mod route;
mod select;

pub(crate) use parameters::{Choose, Fallback, KnnLrta};

use crate::agent::base::cycles::CycleDetector;
use crate::agent::base::{
    About, Algorithm, Decision, Limits, Memory, Parameter, Ranks, Situation, SpaceLimits, Terrain,
};
#[cfg(feature = "observe")]
use crate::agent::base::{Asked, Held};
use crate::agent::learning::{LearningMemory, Lrta, LssLrta};
use crate::core::{Budget, Climb, Cost, StateId};
use crate::index::IndexSpec;
use crate::index::case_base::{CaseBase, MOST_FRAGMENTS, MOST_LEGS, MOST_NEIGHBOURS, MOST_REGIONS};
use crate::space::{Climber, Space};
use chain::Chain;
use route::Route;
use select::{Found, Selection};
use serde::{Deserialize, Serialize};

/// How it learns where it must: deviation 3, and as printed.
const LSS_LRTA: LssLrta = LssLrta { expansions: 64, estimate: None };
const LRTA: Lrta = Lrta { g_max: 1000, estimate: None };

/// Units that a step spends on climbs, trees and chains where no state has more than eight successors.
const WORK: u64 = 2498;

/// What the agent is about, and what it has learned.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct KnnLrtaMemory {
    phase: Phase,
    /// The climb that is being tried.
    #[serde(skip)]
    trial: Option<Trial>,
    /// Of its walk since it was at a subgoal, or since it began.
    cycles: Option<CycleDetector>,
    learner: LearningMemory,
    /// Selections in a row that found nothing.
    failures: u32,
    /// Regions and legs of the case base in which a chain was looked for last.
    #[serde(skip)]
    chained: (usize, usize),
}

/// What the agent is about. A thought that is saved is begun anew: the agent stands where it began.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Phase {
    /// It looks for a record.
    Selecting(#[serde(skip)] Selection),
    /// It looks for a chain of regions.
    Chaining(#[serde(skip)] Box<Chain>),
    /// It stands at a subgoal and looks whether it can leave some out.
    Cutting(Route),
    /// It walks to the next subgoal.
    Walking(Route),
    /// It walks to the goal and learns, before it looks for a record again for this cost; `None`: as much as it likes.
    Learning(Option<Cost>),
}

impl Default for Phase {
    fn default() -> Phase {
        Phase::Selecting(Selection::default())
    }
}

/// A climb that is being tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Trial {
    at: StateId,
    steps: u32,
}

impl Algorithm for KnnLrta {
    const ABOUT: About = About {
        name: "knn-lrta",
        summary: "looks up how a similar problem was solved, and climbs from one state of that solution to the next",
        memory: "the next subgoals; while it looks for a chain of regions 16 bytes for each",
        ranks: Ranks { on_file: Some(4), ..Ranks::NONE },
        ..About::USUAL
    };
    const DEFAULT: KnnLrta = parameters::DEFAULT;
    const PARAMETERS: &'static [Parameter<KnnLrta>] = parameters::PARAMETERS;
    type Memory = KnnLrtaMemory;

    fn conflict(&self) -> Option<(&'static str, &'static str)> {
        let expected = "a number of records; partitions have no fragments";
        (self.fragments && self.cases == 0).then_some(("fragments=on", expected))
    }

    fn limits(&self, space: SpaceLimits) -> Limits {
        let expansion = u64::from(space.expansion);
        Limits {
            min_units: self.learning_limits(space).min_units.max(7 + 3 * expansion + MOST_NEIGHBOURS as u64),
            max_units: Some(self.most_units(space)),
            max_thinking: self.most_thinking(expansion),
        }
    }

    fn decide(&self, memory: &mut KnnLrtaMemory, here: &mut Situation<'_>) -> Decision {
        let atlas = here.terrain.atlas();
        let Some((atlas, base)) =
            atlas.and_then(|atlas| Some((atlas, atlas.case_base(self.index().parameter)?)))
        else {
            return Decision::IndexDamaged;
        };
        let cases = Cases { space: atlas.space(), base, climber: Climber::new(atlas.space()) };
        let (searches, spent) = (*here.searches, here.budget.spent());
        let decision = here.within(self.most_units(here.space), |here| self.go_on(memory, &cases, here));
        // A search is what takes more than a step of a climb, whatever it is.
        let has_searched = here.budget.spent() - spent > 2 * here.expansion_units();
        *here.searches = searches + u64::from(has_searched);
        decision
    }

    fn needs(&self) -> Option<IndexSpec> {
        Some(self.index())
    }

    fn page_bytes(&self, memory: &KnnLrtaMemory, space: SpaceLimits) -> usize {
        let learning = match self.fallback {
            Fallback::Chain => LSS_LRTA.page_bytes(&memory.learner, space),
            Fallback::Lrta => LRTA.page_bytes(&memory.learner, space),
        };
        learning + Selection::page_bytes(self) + Chain::page_bytes(memory.chained) + route::PAGE_BYTES
    }
}

impl KnnLrta {
    /// Goes on with what it is about until it moves, or the work of a step is done.
    fn go_on(&self, memory: &mut KnnLrtaMemory, cases: &Cases<'_>, here: &mut Situation<'_>) -> Decision {
        loop {
            let KnnLrtaMemory { phase, trial, cycles, .. } = memory;
            let cycles = cycles.get_or_insert_with(|| CycleDetector::from(here.at));
            let next = match phase {
                Phase::Selecting(selection) => match selection.advance(self, cases, here, trial) {
                    None => return Decision::Think,
                    Some(Found::Goal) => memory.follow(Route::straight()),
                    Some(Found::Record { number, skip }) => memory.follow(Route::record(number, skip)),
                    Some(Found::Nothing) if self.fallback == Fallback::Chain => {
                        Phase::Chaining(Box::default())
                    }
                    Some(Found::Nothing) => self.learn(memory, cases, here),
                },
                Phase::Chaining(chain) => {
                    memory.chained = (cases.base.regions(), cases.base.leg_count());
                    match chain.advance(self, cases, here, trial) {
                        None => return Decision::Think,
                        Some(true) => {
                            let legs = chain.take_legs();
                            memory.follow(Route::chain(legs))
                        }
                        Some(false) => self.learn(memory, cases, here),
                    }
                }
                Phase::Cutting(route) => match route.cut(self, cases, here, trial) {
                    None => return Decision::Think,
                    Some(()) => Phase::Walking(std::mem::take(route)),
                },
                Phase::Walking(route) => match walk(route, cycles, cases, here) {
                    Walk::On(decision) => return decision,
                    Walk::Arrived => {
                        *cycles = CycleDetector::from(here.at);
                        Phase::Cutting(std::mem::take(route))
                    }
                    // It learns, and looks for no other route.
                    Walk::Lost => Phase::Learning(None),
                },
                // What was learned of the goal stays true, and serves if no record is found again.
                Phase::Learning(Some(Cost::ZERO)) => Phase::default(),
                Phase::Learning(quota) => {
                    return self.learn_and_move(quota, &mut memory.learner, cases, here);
                }
            };
            memory.phase = next;
        }
    }

    /// The sixth enhancement: no record was found.
    fn learn(&self, memory: &mut KnnLrtaMemory, cases: &Cases<'_>, here: &Situation<'_>) -> Phase {
        memory.failures = memory.failures.saturating_add(1);
        let times = self.quota().filter(|_| memory.failures == 1);
        let h = cases.climber.estimate(here.at, here.goal).units();
        Phase::Learning(times.map(|times| Cost::new(h.saturating_mul(times.into()))))
    }

    /// One move of the learner.
    fn learn_and_move(
        &self,
        quota: &mut Option<Cost>,
        learner: &mut LearningMemory,
        cases: &Cases<'_>,
        here: &mut Situation<'_>,
    ) -> Decision {
        // The move is looked at once more for its cost.
        let (s, look) = (here.at, here.expansion_units());
        if here.budget.left() < self.learning_limits(here.space).min_units + look {
            return Decision::Think;
        }
        here.budget.charge(look);
        let decision = match self.fallback {
            Fallback::Chain => learner.advance(&LSS_LRTA, here, here.goal),
            Fallback::Lrta => learner.advance(&LRTA, here, here.goal),
        };
        if let (Decision::Move(next), Some(left)) = (decision, quota) {
            let cost = cases.space.step_cost(s, next, None).unwrap_or(Cost::ZERO);
            *left = Cost::new(left.units().saturating_sub(cost.units()));
        }
        decision
    }

    fn learning_limits(&self, space: SpaceLimits) -> Limits {
        match self.fallback {
            Fallback::Chain => LSS_LRTA.limits(space),
            Fallback::Lrta => LRTA.limits(space),
        }
    }

    fn most_units(&self, space: SpaceLimits) -> u64 {
        self.learning_limits(space).max_units.unwrap_or(u64::MAX).max(WORK + u64::from(space.expansion))
    }

    /// Steps without a move in a row: what a selection and a chain take at most, in steps that are used up.
    fn most_thinking(&self, expansion: u64) -> u64 {
        let climbs = |count: u64, steps: u32| count * (u64::from(steps) * expansion + 2);
        // Every record is looked at or passed over, at worst, and so is each subtree.
        let look = |records: u64| 2 * records + 1;
        let parts = if self.fragments { u64::from(MOST_FRAGMENTS) } else { 1 };
        let (records, page) = (u64::from(self.cases) * parts, self.page() as u64);
        let tried = u64::from(self.select).min(records);
        let selection = tried.div_ceil(page).max(1) * look(records) + climbs(2 * tried + 2, self.climb);
        let chain = match self.fallback {
            Fallback::Chain => chain::most_units(MOST_REGIONS as u64, MOST_LEGS as u64, expansion),
            Fallback::Lrta => 0,
        };
        // What is left at the end of a step is less than an expansion takes.
        (selection + chain).div_ceil(WORK - MOST_NEIGHBOURS as u64) + 4
    }
}

/// What comes of walking to a subgoal.
enum Walk {
    On(Decision),
    Arrived,
    /// The route leads nowhere.
    Lost,
}

/// One move towards the next subgoal.
fn walk(route: &mut Route, cycles: &mut CycleDetector, cases: &Cases<'_>, here: &mut Situation<'_>) -> Walk {
    let Some(to) = route.next() else { return Walk::Lost };
    if here.at == to {
        route.arrive();
        return Walk::Arrived;
    }
    // A climb, and the look at a move that is none.
    let expansion = here.expansion_units();
    if here.budget.left() < 2 * expansion {
        return Walk::On(Decision::Think);
    }
    let mut next = here.at;
    let mut budget = Budget::units(here.budget.left() - expansion + 1);
    let climb = cases.climber.climb(here.at, to, 1, &mut budget, |state| next = state);
    here.budget.charge(budget.spent());
    if let Climb::Stuck(_) = climb {
        here.budget.charge(expansion);
        if cases.space.step_cost(here.at, to, None).is_none() {
            return Walk::Lost;
        }
        next = to;
    }
    if cycles.is_cycle(next) { Walk::Lost } else { Walk::On(Decision::Move(next)) }
}

/// What the agent reads at a step: the map, the case base, and how one climbs there.
struct Cases<'a> {
    space: &'a Space,
    base: CaseBase<'a>,
    climber: Climber<'a>,
}

impl Cases<'_> {
    /// `reachable`: whether one climbs from one state to another; `None` if that takes more than there is left, and is to
    /// be gone on with.
    fn climbs(
        &self,
        here: &mut Situation<'_>,
        trial: &mut Option<Trial>,
        from: StateId,
        to: StateId,
        cap: u32,
    ) -> Option<bool> {
        let begun = trial.take().unwrap_or(Trial { at: from, steps: 0 });
        let Some(units) = here.budget.left().checked_sub(here.expansion_units() + 1) else {
            *trial = Some(begun);
            return None;
        };
        here.budget.charge(1);
        let Trial { mut at, mut steps } = begun;
        let mut budget = Budget::units(units + 1);
        let ended = self.climber.climb(at, to, cap.saturating_sub(steps), &mut budget, |state| {
            at = state;
            steps += 1;
        });
        here.budget.charge(budget.spent());
        match ended {
            Climb::Reached { .. } => Some(true),
            Climb::Capped(_) if steps < cap => {
                *trial = Some(Trial { at, steps });
                None
            }
            Climb::Stuck(_) | Climb::Capped(_) => Some(false),
        }
    }

    /// Whether records can be told apart by where they are.
    fn is_grid(&self) -> bool {
        self.space.as_grid().is_some()
    }
}

impl KnnLrtaMemory {
    /// Sets out on a route. A record was found, or what stands for one.
    fn follow(&mut self, route: Route) -> Phase {
        self.failures = 0;
        Phase::Cutting(route)
    }

    fn route(&self) -> Option<&Route> {
        match &self.phase {
            Phase::Cutting(route) | Phase::Walking(route) => Some(route),
            Phase::Selecting(_) | Phase::Chaining(_) | Phase::Learning(_) => None,
        }
    }
}

impl Memory for KnnLrtaMemory {
    fn forget(&mut self) {
        self.learner.forget();
        (self.phase, self.trial, self.cycles, self.failures) = (Phase::default(), None, None, 0);
    }

    fn is_sound(&mut self, terrain: Terrain<'_>, at: StateId, goal: StateId) -> bool {
        self.route().is_none_or(|route| route.is_sound(terrain)) && self.learner.is_sound(terrain, at, goal)
    }

    fn bytes(&self) -> usize {
        let phase = match &self.phase {
            Phase::Selecting(selection) => selection.bytes(),
            Phase::Chaining(chain) => chain.bytes(),
            Phase::Cutting(route) | Phase::Walking(route) => route.bytes(),
            Phase::Learning(_) => 0,
        };
        phase + self.learner.bytes()
    }

    fn remembered(&self) -> u64 {
        self.learner.remembered()
    }

    fn subgoal(&self) -> Option<StateId> {
        self.route().and_then(Route::next)
    }

    #[cfg(feature = "observe")]
    fn tell(&self, asked: &Asked<'_>, tell: &mut dyn FnMut(Held)) {
        self.learner.tell(asked, tell);
        if let (Some(route), Some(atlas)) = (self.route(), asked.terrain.atlas()) {
            route.tell(atlas, tell);
        }
    }
}
