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
//! 5. *Of the M records that are tried* the paper takes the first that fits. Here (`choose`) it is the one with the cheapest
//!    walk from the agent by way of it to the goal, as far as one can tell. `choose=first` is the paper's.
//! 6. With one-way moves: as all agents that learn it first finds a way into the goal's strong component, and stays there.

mod chain;
mod kind;
mod route;
mod select;
mod traveller;

pub use kind::{Choose, Fallback, KnnLrta};

use super::crossing::{Crossed, Crossing};
use super::journey::{Ground as Terrain, Journey};
use super::laps::Laps;
use super::learning::{Advance, Ground, Learner, Terms};
use super::{Agent, Refused, Step};
use crate::core::{Budget, Climb, Cost, Goal, Local, StateId};
use crate::index::Atlas;
use crate::index::case_base::CaseBase;
use crate::plan::{Refusal, Scratch};
use crate::space::{Climber, Reach, SlotExpander, Space, SpaceVisitor, Successors};
use chain::Chain;
use route::Route;
use select::Selection;

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
    selection: Box<Selection>,
    chain: Box<Chain>,
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

impl KnnLrta {
    /// An agent on a map. Whether it can work there is found out when it is stepped.
    pub fn start(&self, atlas: &Atlas, from: StateId, to: StateId) -> KnnLrtaAgent {
        KnnLrtaAgent {
            kind: *self,
            journey: Journey::new(atlas, from, to),
            terms: Terms::of(atlas.space()),
            phase: Phase::Fresh,
            selection: Box::default(),
            chain: Box::default(),
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
        let next = match scene.space.visit_towards(scene.t, Successors::InComponent, walk) {
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

impl SpaceVisitor for LearnerTurn<'_> {
    type Answer = Advance;

    fn visit<E: SlotExpander, G: Goal>(self, moves: &E, goal: &G) -> Advance {
        let Walk { agent_at, goal: target, space, learner } = self.walk;
        let ground =
            Ground { moves, cells: None, goal, target, one: space.scale().one(), widest: self.widest };
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
        let Some(base) = atlas.case_base(self.kind.index().parameter) else {
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
