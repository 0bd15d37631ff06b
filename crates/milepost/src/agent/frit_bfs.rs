//! FRIT(BFS): follows a tree of pointers that would lead to the goal if nothing were blocked, and where a wall cuts the
//! tree, looks for the nearest state that is still connected, by breadth-first search.
//!
//! # Paper
//! N. Rivera, L. Illanes, J. A. Baier, C. Hernández: Reconnecting with the ideal tree: an alternative to heuristic learning
//! in real-time search, SoCS 2013, as told by the first three, IBERAMIA 2014, section 2.2 and figure 1.
//!
//! # Symbols
//! `p(s)` the pointer of s, in-tree test and ideal tree are those of `frit/`.
//!
//! # Guarantees
//! Complete: after every search the pointers lead from here to the goal through everything not seen blocked, so that either
//! the goal is reached or a wall is seen that was not known. A search that finds nothing has looked at all that can be
//! reached. *Not real-time*: a step may search everything that was not seen blocked.
//!
//! # Deviations
//! 1. On graphs the ideal pointers need not make a tree (`frit/mod.rs`), so the first step asks whether they do.

use super::errand::Errand;
use super::frit::{Chains, Order, Pointers, Tree};
use super::lookahead::Answer;
use super::{Limits, Refused, Restoring, SavedAgentError, Saving, Scout, ScoutKind, Sensor, Step, Traveller};
use crate::core::open::Ties;
use crate::core::{Budget, Cost, Expander, Goal, KeyRange, StateId, Status};
use crate::plan::{Refusal, Scratch};
use crate::space::{BeliefMoves, Ground};
use std::cell::RefCell;

/// Scouts that reconnect with an ideal tree by breadth-first search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FritBfs;

/// A whole search cannot be cut short.
const LIMITS: Limits = Limits { min_units: u64::MAX, max_units: u64::MAX, max_thinking: 0 };

impl ScoutKind for FritBfs {
    fn limits(&self) -> Limits {
        LIMITS
    }

    fn refusal(&self, ground: Ground<'_>) -> Option<Refusal> {
        Refusal::of_scouts(ground)
    }
}

impl FritBfs {
    /// A scout on this ground.
    pub fn start(&self, ground: Ground<'_>, from: StateId, to: StateId) -> FritBfsScout {
        let errand = Errand::new(ground, from, to);
        let is_connected = errand.is_on_grid();
        FritBfsScout { errand, pointers: Pointers::default(), is_connected, searches: 0 }
    }
}

/// A scout that reconnects with an ideal tree by breadth-first search.
#[derive(Clone, Debug)]
pub struct FritBfsScout {
    errand: Errand,
    pointers: Pointers,
    /// Whether the pointers are known to have led to the goal, before walls cut them.
    is_connected: bool,
    searches: u64,
}

/// To be in the tree again.
struct InTree<'a> {
    tree: Tree<'a>,
    chains: RefCell<Chains>,
    steps: RefCell<u64>,
}

impl Goal for InTree<'_> {
    fn is_reached(&self, state: StateId) -> bool {
        let mut hops = u64::MAX;
        let answer = self.chains.borrow_mut().ask(&self.tree, state, &mut hops);
        *self.steps.borrow_mut() += u64::MAX - hops;
        answer == Answer::Yes
    }

    fn estimate(&self, _: StateId) -> Cost {
        Cost::ZERO
    }
}

/// Moves that all cost the same.
struct Hops<'a>(BeliefMoves<'a>);

impl Expander for Hops<'_> {
    fn id_bound(&self) -> usize {
        self.0.id_bound()
    }

    fn keys(&self) -> KeyRange {
        KeyRange { cheapest: Cost::new(1), bound: Cost::new(self.0.id_bound() as u64 + 1) }
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        self.0.expand(state, parent, |child, _| visit(child, Cost::new(1)))
    }
}

impl FritBfsScout {
    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<FritBfsScout, SavedAgentError> {
        let (errand, pointers) = (Errand::restore(saved)?, Pointers::restore(saved)?);
        // Whether the pointers still lead to the goal is asked again: somebody may have changed them.
        Ok(FritBfsScout { errand, pointers, is_connected: false, searches: saved.u64()? })
    }

    fn give_up(&mut self) -> Step {
        self.pointers.forget();
        self.is_connected = self.errand.is_on_grid();
        self.errand.give_up()
    }

    /// Where the pointer leads, if it does.
    fn parent(&self, ground: Ground<'_>) -> Option<StateId> {
        Tree::of(&self.errand, ground, Order::default(), &self.pointers).parent(self.errand.at)
    }

    /// The reconnection search. Says whether the pointers lead to the goal.
    fn reconnect(&mut self, ground: Ground<'_>, scratch: &mut Scratch, budget: &mut Budget) -> bool {
        let goal = InTree {
            tree: Tree::of(&self.errand, ground, Order::default(), &self.pointers),
            chains: RefCell::default(),
            steps: RefCell::default(),
        };
        let moves = Hops(self.errand.moves(ground));
        scratch.search.set_ties(Ties::Oldest);
        scratch.search.begin(&moves, &goal, self.errand.at);
        let status = scratch.search.run(&moves, &goal, budget);
        scratch.search.set_ties(Ties::Deepest);
        budget.charge(goal.steps.into_inner());
        let Status::Reached(connected) = status else { return false };
        self.searches += u64::from(connected != self.errand.at);
        let mut next = connected;
        for state in scratch.search.trace(connected).skip(1) {
            self.pointers.set(ground, state, next);
            next = state;
        }
        true
    }
}

impl Scout for FritBfsScout {
    fn step(&mut self, sensor: &dyn Sensor, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        let ground = sensor.ground();
        if let Err(refused) = self.errand.check(ground, LIMITS, budget) {
            return Step::Refused(refused);
        }
        if let Some(refusal) = FritBfs.refusal(ground) {
            return Step::Refused(Refused::Unable(refusal));
        }
        self.errand.look(sensor, usize::MAX, budget);
        if !self.errand.is_possible(ground) {
            return self.give_up();
        }
        if self.errand.at == self.errand.goal {
            return Step::Arrived;
        }
        let mut next = self.parent(ground);
        if next.is_none() || !self.is_connected {
            if !self.reconnect(ground, scratch, budget) {
                return self.give_up();
            }
            self.is_connected = true;
            next = self.parent(ground);
        }
        budget.charge(1);
        match next {
            Some(next) => {
                self.errand.at = next;
                Step::Move(next)
            }
            None => self.give_up(),
        }
    }
}

impl Traveller for FritBfsScout {
    fn retarget(&mut self, goal: StateId) {
        self.errand.goal = goal;
        self.pointers.forget();
        self.is_connected = self.errand.is_on_grid();
    }

    fn state(&self) -> StateId {
        self.errand.at
    }

    fn goal(&self) -> StateId {
        self.errand.goal
    }

    fn limits(&self) -> Limits {
        LIMITS
    }

    fn page_bytes(&self) -> usize {
        usize::MAX
    }

    fn bytes(&self) -> usize {
        size_of::<FritBfsScout>() + self.errand.bytes() + self.pointers.bytes()
    }

    fn remembered(&self) -> u64 {
        self.errand.belief.states() + self.pointers.len()
    }

    fn searches(&self) -> Option<u64> {
        Some(self.searches)
    }

    fn save(&self, saving: &mut Saving) {
        self.errand.save(saving);
        self.pointers.save(saving);
        saving.u64(self.searches);
    }
}
