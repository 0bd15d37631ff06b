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
//! | fragments of records count as records (which did not pay) | `fragments` |
//!
//! # Symbols
//! `s` where the agent stands, `t` the global goal, `r` a record, `M` the number of records that are tried. `reachable` is
//! a [climb](crate::core::climb) of at most `climb` steps.
//!
//! # Guarantees
//! *Complete* (theorem 7), whatever is in the case base: a record, a chain of regions, or a part of either, is walked to
//! its end once, by walks that end; whoever has none learns, and learning is complete ([`learning`](super::learning)).
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
//!    a leg cannot be walked or goes in a circle, which happens only with an index that somebody has changed, it learns.
//! 5. With one-way moves: as all agents that learn it first finds a way into the goal's strong component, and stays there.

mod chain;
mod route;
mod select;

use super::crossing::{Crossed, Crossing};
use super::journey::{Ground as Terrain, Journey};
use super::laps::Laps;
use super::learning::{Advance, Ground, Learner, Learning, Terms};
use super::{Agent, AgentKind, Limits, Refused, Restoring, SavedAgentError, Saving, Step, Traveller};
use crate::core::{Budget, Climb, Cost, Expander, Goal, Local, StateId};
use crate::index::case_base::{CaseBase, MOST_LEGS, MOST_NEIGHBOURS, MOST_REGIONS};
use crate::index::{Atlas, IndexKind, IndexSpec};
use crate::plan::{Refusal, Scratch};
use crate::space::{Climber, OnGround, Reach, Scope, Space};
use chain::Chain;
use route::Route;
use select::Selection;

/// Agents that look solutions of similar problems up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnnLrta {
    /// Records of random problems in the case base; 0 if it has regions alone.
    pub cases: u32,
    /// Steps after which a climb counts as failed.
    pub climb: u32,
    /// Records that are tried; `u32::MAX` for all.
    pub select: u32,
    /// How many times the estimated cost to the goal it learns before it looks for a record again; `None`: for ever.
    pub quota: Option<u32>,
    /// The first enhancement.
    pub goal_first: bool,
    /// The second.
    pub subgoal_first: bool,
    /// The third.
    pub last_leg: bool,
    /// The fifth.
    pub kdtree: bool,
    /// What happens when no record fits.
    pub fallback: Fallback,
}

/// What happens when no record fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fallback {
    /// It follows a chain of regions.
    Chain,
    /// LRTA* towards the goal, as printed.
    Lrta,
}

impl Default for KnnLrta {
    fn default() -> KnnLrta {
        KnnLrta {
            cases: 1000,
            climb: 250,
            select: 10,
            quota: Some(3),
            goal_first: true,
            subgoal_first: true,
            last_leg: true,
            kdtree: true,
            fallback: Fallback::Chain,
        }
    }
}

/// Units that a step spends on climbs, trees and chains where no state has more than eight successors.
const WORK: u64 = 2498;

impl KnnLrta {
    /// The case base that it reads.
    fn index(&self) -> IndexSpec {
        IndexSpec::new(IndexKind::CaseBase, self.cases)
    }

    /// How it learns where it must.
    fn learning(&self) -> Learning {
        match self.fallback {
            Fallback::Chain => Learning::LssLrta { expansions: 64 },
            Fallback::Lrta => Learning::Lrta { g_max: 1000 },
        }
    }

    fn limits_on(&self, terms: Terms) -> Limits {
        let others = terms.limits(self.learning());
        let widest = terms.widest;
        Limits {
            min_units: others.min_units.max(8 + 3 * widest + MOST_NEIGHBOURS as u64),
            max_units: others.max_units.max(1 + WORK + widest),
            max_thinking: others.max_thinking + self.most_thinking(widest),
        }
    }

    /// Steps without a move in a row: what a selection and a chain take at most, in steps that are used up.
    fn most_thinking(&self, widest: u64) -> u64 {
        let climbs = |count: u64, steps: u32| count * (u64::from(steps) * widest + 2);
        // Every record is looked at or passed over, at worst, and so is each subtree.
        let look = |records: u64| 2 * records + 1;
        let (cases, page) = (u64::from(self.cases), self.page() as u64);
        let tried = u64::from(self.select).min(cases);
        let selection = tried.div_ceil(page).max(1) * look(cases) + climbs(2 * tried + 2, self.climb);
        let chain = match self.fallback {
            Fallback::Chain => chain::most_units(MOST_REGIONS as u64, MOST_LEGS as u64, widest),
            Fallback::Lrta => 0,
        };
        // What is left at the end of a step is less than an expansion takes.
        (selection + chain).div_ceil(WORK - MOST_NEIGHBOURS as u64) + 4
    }

    /// Records that are looked up at once.
    fn page(&self) -> usize {
        self.select.clamp(1, 100) as usize
    }

    /// An agent on a map. Whether it can work there is found out when it is stepped.
    pub fn start(&self, atlas: &Atlas, from: StateId, to: StateId) -> KnnLrtaAgent {
        KnnLrtaAgent {
            kind: *self,
            journey: Journey::new(atlas, from, to),
            terms: Terms::of(atlas.space()),
            phase: Phase::Fresh,
            selection: Selection::default(),
            chain: Chain::default(),
            trial: None,
            route: Route::default(),
            laps: Laps::from(from),
            learner: Learner::new(self.learning()),
            crossing: Crossing::default(),
            failures: 0,
            quota: None,
            searches: 0,
        }
    }
}

impl AgentKind for KnnLrta {
    fn limits(&self) -> Limits {
        self.limits_on(Terms::PLAIN)
    }

    fn is_optimal(&self, _: &Space) -> bool {
        false
    }

    fn needs(&self) -> Option<IndexSpec> {
        Some(self.index())
    }
}

/// What the agent is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// It knows nothing of its goal yet.
    Fresh,
    /// It looks for a record.
    Selecting,
    /// It looks for a chain of regions.
    Chaining,
    /// It stands at a subgoal and looks whether it can leave some out.
    Cutting,
    /// It walks to the next subgoal.
    Walking,
    /// It walks to the goal and learns.
    Learning,
}

const PHASES: [Phase; 6] =
    [Phase::Fresh, Phase::Selecting, Phase::Chaining, Phase::Cutting, Phase::Walking, Phase::Learning];

/// A climb that is being tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Trial {
    at: StateId,
    steps: u32,
}

/// What a part of a step works with.
struct Scene<'a> {
    space: &'a Space,
    base: CaseBase<'a>,
    climber: Climber<'a>,
    s: StateId,
    t: StateId,
    widest: u64,
    work: Budget,
}

impl Scene<'_> {
    /// Whether one climbs from one state to another; `None` if that takes more than there is left, and is to be gone on
    /// with.
    fn climbs(&mut self, trial: &mut Option<Trial>, from: StateId, to: StateId, cap: u32) -> Option<bool> {
        let begun = trial.take().unwrap_or(Trial { at: from, steps: 0 });
        let Some(units) = self.work.left().checked_sub(self.widest + 1) else {
            *trial = Some(begun);
            return None;
        };
        self.work.charge(1);
        if !self.space.is_free(begun.at) || !self.space.is_free(to) {
            return Some(false);
        }
        let Trial { mut at, mut steps } = begun;
        let mut budget = Budget::units(units + 1);
        let ended = self.climber.climb(at, to, cap.saturating_sub(steps), &mut budget, |state| {
            at = state;
            steps += 1;
        });
        self.work.charge(budget.spent());
        match ended {
            Climb::Reached { .. } => Some(true),
            Climb::Capped(_) if steps < cap => {
                *trial = Some(Trial { at, steps });
                None
            }
            Climb::Stuck(_) | Climb::Capped(_) => Some(false),
        }
    }
}

/// An agent that looks solutions of similar problems up.
#[derive(Clone, Debug)]
pub struct KnnLrtaAgent {
    kind: KnnLrta,
    journey: Journey,
    /// Of the space that was seen last.
    terms: Terms,
    phase: Phase,
    selection: Selection,
    chain: Chain,
    trial: Option<Trial>,
    route: Route,
    /// Of the walk to the next subgoal.
    laps: Laps,
    learner: Learner,
    crossing: Crossing,
    /// Selections in a row that found nothing.
    failures: u32,
    /// What it may still walk before it looks for a record again; `None`: as much as it likes.
    quota: Option<Cost>,
    searches: u64,
}

impl KnnLrtaAgent {
    /// Its parameters.
    pub fn kind(&self) -> KnnLrta {
        self.kind
    }

    fn forget(&mut self) {
        self.phase = Phase::Fresh;
        self.trial = None;
        self.route.clear();
        self.chain.forget();
        self.learner.forget();
        self.crossing.forget();
        self.failures = 0;
        self.quota = None;
    }

    /// Goes on with what it is about until it moves, or the work of a step is done.
    fn go_on(&mut self, scene: &mut Scene<'_>, local: &mut Local) -> Step {
        loop {
            match self.phase {
                Phase::Fresh => {
                    self.selection.begin();
                    self.phase = Phase::Selecting;
                }
                Phase::Selecting => match self.selection.advance(&self.kind, scene, &mut self.trial) {
                    None => return Step::Thinking,
                    Some(select::Found::Goal) => self.follow(Route::straight()),
                    Some(select::Found::Record { number, skip }) => self.follow(Route::record(number, skip)),
                    Some(select::Found::Nothing) if self.kind.fallback == Fallback::Chain => {
                        self.chain.begin();
                        self.phase = Phase::Chaining;
                    }
                    Some(select::Found::Nothing) => self.learn(scene),
                },
                Phase::Chaining => match self.chain.advance(&self.kind, scene, &mut self.trial) {
                    None => return Step::Thinking,
                    Some(true) => {
                        let legs = self.chain.take_legs();
                        self.follow(Route::chain(legs));
                    }
                    Some(false) => self.learn(scene),
                },
                Phase::Cutting => match self.route.cut(&self.kind, scene, &mut self.trial) {
                    None => return Step::Thinking,
                    Some(()) => self.phase = Phase::Walking,
                },
                Phase::Walking => {
                    if let Some(step) = self.walk(scene) {
                        return step;
                    }
                }
                Phase::Learning => {
                    if let Some(step) = self.learn_and_move(scene, local) {
                        return step;
                    }
                }
            }
        }
    }

    /// Sets out on a route. A record was found, or what stands for one.
    fn follow(&mut self, route: Route) {
        self.route = route;
        self.failures = 0;
        self.phase = Phase::Cutting;
    }

    /// The sixth enhancement: no record was found.
    fn learn(&mut self, scene: &Scene<'_>) {
        self.failures = self.failures.saturating_add(1);
        let times = self.kind.quota.filter(|_| self.failures == 1);
        self.quota = times.map(|times| {
            let h = scene.climber.estimate(scene.s, scene.t).units();
            Cost::new(h.saturating_mul(times.into()))
        });
        self.phase = Phase::Learning;
    }

    /// One move towards the next subgoal; `None` if something else is to be done first.
    fn walk(&mut self, scene: &mut Scene<'_>) -> Option<Step> {
        let Some(to) = self.route.next().filter(|&to| scene.space.is_free(to)) else {
            return self.give_up();
        };
        if scene.s == to {
            self.route.arrive();
            self.laps = Laps::from(to);
            self.phase = Phase::Cutting;
            return None;
        }
        // A climb, and the look at a move that is none.
        if scene.work.left() < 2 * scene.widest {
            return Some(Step::Thinking);
        }
        let mut next = scene.s;
        let mut budget = Budget::units(scene.work.left() - scene.widest + 1);
        let climb = scene.climber.climb(scene.s, to, 1, &mut budget, |state| next = state);
        scene.work.charge(budget.spent());
        if let Climb::Stuck(_) = climb {
            scene.work.charge(scene.widest);
            if scene.space.step_cost(scene.s, to, None).is_none() {
                return self.give_up();
            }
            next = to;
        }
        if self.laps.come_round(next) {
            return self.give_up();
        }
        Some(Step::Move(next))
    }

    /// The route leads nowhere: it learns, and looks for no other.
    fn give_up(&mut self) -> Option<Step> {
        self.route.clear();
        self.quota = None;
        self.phase = Phase::Learning;
        None
    }

    /// One move of the learner; `None` if the quota is used up.
    fn learn_and_move(&mut self, scene: &mut Scene<'_>, local: &mut Local) -> Option<Step> {
        if self.quota == Some(Cost::ZERO) {
            self.learner.forget();
            self.selection.begin();
            self.phase = Phase::Selecting;
            return None;
        }
        let (least, _) = self.learner.learning().units(scene.widest);
        // The move is looked at once more for its cost.
        if scene.work.left() < least + self.terms.goal_units + scene.widest {
            return Some(Step::Thinking);
        }
        scene.work.charge(self.terms.goal_units + scene.widest);
        let walk = Walk { agent_at: scene.s, goal: scene.t, space: scene.space, learner: &mut self.learner };
        let walk = LearnerTurn { walk, local, budget: &mut scene.work, widest: scene.widest };
        let next = match scene.space.on_ground(scene.t, Scope::Component, walk) {
            Advance::Move(next) => next,
            Advance::Hopeless(next) => {
                self.learner.forget();
                next
            }
            Advance::Stuck => return Some(Step::NoPath),
        };
        if let Some(left) = &mut self.quota {
            let cost = scene.space.step_cost(scene.s, next, None).unwrap_or(Cost::ZERO);
            *left = Cost::new(left.units().saturating_sub(cost.units()));
        }
        Some(Step::Move(next))
    }
}

struct Walk<'a> {
    agent_at: StateId,
    goal: StateId,
    space: &'a Space,
    learner: &'a mut Learner,
}

/// A move of the learner, on whatever ground.
struct LearnerTurn<'a> {
    walk: Walk<'a>,
    local: &'a mut Local,
    budget: &'a mut Budget,
    widest: u64,
}

impl OnGround for LearnerTurn<'_> {
    type Answer = Advance;

    fn walk<E: Expander, G: Goal>(self, moves: &E, goal: &G) -> Advance {
        let Walk { agent_at, goal: target, space, learner } = self.walk;
        let ground = Ground { moves, goal, target, one: space.scale().one(), widest: self.widest };
        learner.step(&ground, agent_at, self.local, self.budget)
    }
}

impl Agent for KnnLrtaAgent {
    fn step(&mut self, atlas: &Atlas, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        let (s, t, space) = (self.journey.at, self.journey.goal, atlas.space());
        let terms = Terms::of(space);
        let limits = self.kind.limits_on(terms);
        if let Err(refused) = self.journey.check(atlas, limits, budget) {
            return Step::Refused(refused);
        }
        let Some(base) = atlas.case_base(self.kind.cases) else {
            return Step::Refused(Refused::Unable(Refusal::NoIndex(self.kind.index())));
        };
        self.terms = terms;
        budget.charge(1);
        if self.journey.begin(atlas) == Terrain::Edited {
            self.forget();
        }
        if !space.is_free(s) || !space.is_free(t) {
            return Step::NoPath;
        }
        if s == t {
            return Step::Arrived;
        }
        if self.phase == Phase::Fresh {
            match space.reach(s, t) {
                Reach::Never => return Step::NoPath,
                Reach::Perhaps => return self.cross(space, budget),
                Reach::Always => {}
            }
        }
        let work = Budget::units(budget.left().min(limits.max_units - 1));
        let climber = Climber::new(space);
        let mut scene = Scene { space, base, climber, s, t, widest: terms.widest, work };
        let step = self.go_on(&mut scene, &mut scratch.local);
        budget.charge(scene.work.spent());
        self.searches += u64::from(scene.work.spent() > 2 * terms.widest);
        if let Step::Move(next) = step {
            self.journey.at = next;
        }
        step
    }
}

impl Traveller for KnnLrtaAgent {
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
        self.kind.limits_on(self.terms)
    }

    fn page_bytes(&self) -> usize {
        let crossing = self.terms.states_to_cross.map_or(0, |_| Crossing::page_bytes(self.terms.widest));
        let thinking = self.selection.page_bytes(&self.kind) + self.chain.page_bytes() + route::PAGE_BYTES;
        (self.kind.learning().page_bytes() + thinking).max(crossing)
    }

    fn bytes(&self) -> usize {
        size_of::<KnnLrtaAgent>()
            + self.selection.bytes()
            + self.chain.bytes()
            + self.route.bytes()
            + self.learner.bytes()
            + self.crossing.bytes()
    }

    fn remembered(&self) -> u64 {
        self.learner.remembered() + self.crossing.remembered()
    }

    fn searches(&self) -> Option<u64> {
        Some(self.searches)
    }

    fn save(&self, saving: &mut Saving) {
        self.kind.save(saving);
        self.journey.save(saving);
        self.terms.save(saving);
        // A thought is begun anew: the agent stands where it began.
        let phase = if self.phase == Phase::Chaining { Phase::Selecting } else { self.phase };
        saving.u32(PHASES.iter().position(|other| *other == phase).unwrap_or(0) as u32);
        self.route.save(saving);
        self.laps.save(saving);
        self.learner.save(saving);
        self.crossing.save(saving);
        saving.u32(self.failures);
        saving.u64(self.quota.map_or(u64::MAX, Cost::units));
        saving.u64(self.searches);
    }
}

impl KnnLrtaAgent {
    /// Looks for a way into the goal's component.
    fn cross(&mut self, space: &Space, budget: &mut Budget) -> Step {
        match self.crossing.step(space, (self.journey.at, self.journey.goal), budget) {
            Crossed::Move(next) => {
                self.journey.at = next;
                Step::Move(next)
            }
            Crossed::Thinking => Step::Thinking,
            Crossed::NoPath => Step::NoPath,
        }
    }

    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<KnnLrtaAgent, SavedAgentError> {
        let kind = KnnLrta::restore(saved)?;
        let (journey, terms) = (Journey::restore(saved)?, Terms::restore(saved)?);
        let phase = *PHASES.get(saved.u32()? as usize).ok_or(SavedAgentError::Damaged)?;
        let mut agent = KnnLrtaAgent {
            kind,
            journey,
            terms,
            phase,
            selection: Selection::default(),
            chain: Chain::default(),
            trial: None,
            route: Route::restore(saved)?,
            laps: Laps::restore(saved)?,
            learner: Learner::restore(kind.learning().name(), saved)?,
            crossing: Crossing::restore(saved)?,
            failures: saved.u32()?,
            quota: Some(Cost::new(saved.u64()?)).filter(|quota| *quota != Cost::MAX),
            searches: saved.u64()?,
        };
        agent.selection.begin();
        agent.chain.begin();
        Ok(agent)
    }
}

impl KnnLrta {
    fn save(&self, saving: &mut Saving) {
        let KnnLrta { cases, climb, select, quota, .. } = *self;
        for number in [cases, climb, select, quota.unwrap_or(u32::MAX)] {
            saving.u32(number);
        }
        let switches = [
            self.goal_first,
            self.subgoal_first,
            self.last_leg,
            self.kdtree,
            self.fallback == Fallback::Chain,
        ];
        saving.u32((0..).zip(switches).map(|(bit, is_on)| u32::from(is_on) << bit).sum());
    }

    fn restore(saved: &mut Restoring<'_>) -> Result<KnnLrta, SavedAgentError> {
        let (cases, climb, select, quota) = (saved.u32()?, saved.u32()?, saved.u32()?, saved.u32()?);
        let switches = saved.u32()?;
        let is_on = |bit: u32| switches >> bit & 1 == 1;
        let kind = KnnLrta {
            cases,
            climb,
            select,
            quota: Some(quota).filter(|quota| *quota != u32::MAX),
            goal_first: is_on(0),
            subgoal_first: is_on(1),
            last_leg: is_on(2),
            kdtree: is_on(3),
            fallback: if is_on(4) { Fallback::Chain } else { Fallback::Lrta },
        };
        if switches < 32 && MOST_STEPS >= climb && select > 0 {
            Ok(kind)
        } else {
            Err(SavedAgentError::Damaged)
        }
    }
}

/// The longest climb that may be asked for.
pub(crate) const MOST_STEPS: u32 = 1_000_000;
