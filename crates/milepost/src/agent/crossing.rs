//! Finds a way out of a strong component into that of the goal, where moves cannot be undone: an agent that tried one
//! after the other might fall into a pit.
//!
//! A breadth-first search, a slice at each step, while the agent stays where it is. Once the goal's component is found,
//! the way there is told forwards, and walked. On maps whose moves all lead both ways nobody comes here.
//!
//! # Guarantees
//! Finds the way with the fewest moves if there is one, and says that there is none otherwise: states from which the
//! goal certainly cannot be reached are left out. Each step takes at most [`Crossing::units`]. Its memory follows what was
//! seen, one page after another. Every state is expanded once and told once, so that there are at most
//! [`Crossing::most_thinking`] steps without a move.

use super::{Restoring, SavedAgentError, Saving};
use crate::core::{Budget, Expander, Goal, PageTable, StateId};
use crate::space::{Reach, Space, SpaceVisitor, Successors, WayExpander};

/// States that one step expands at most, where each takes a unit.
const SLICE: u64 = 256;

/// What is known of a state that was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Hop {
    /// Where it was seen from.
    before: u32,
    /// The state that was seen after it, while they wait to be expanded; the next one on the way, once that is known.
    after: u32,
}

/// A search for a way out, or the way.
#[derive(Clone, Debug)]
pub(crate) struct Crossing {
    hops: PageTable<Hop>,
    phase: Phase,
    /// Where the search began.
    start: StateId,
    /// The state that is to be expanded or told next.
    next: StateId,
    /// The state that was seen last.
    last: StateId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Nothing was seen.
    Idle,
    /// States are expanded, from `next` to `last`.
    Searching,
    /// The way is told backwards, from `next` to `start`.
    Telling,
    /// The way is known.
    Walking,
    /// There is no way.
    Nowhere,
}

const PHASES: [Phase; 5] = [Phase::Idle, Phase::Searching, Phase::Telling, Phase::Walking, Phase::Nowhere];

/// What came of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Crossed {
    Move(StateId),
    Thinking,
    NoPath,
}

impl Default for Crossing {
    fn default() -> Crossing {
        let none = StateId::NONE;
        Crossing { hops: PageTable::default(), phase: Phase::Idle, start: none, next: none, last: none }
    }
}

impl Crossing {
    /// What a step takes at least and at most, where expanding a state takes up to `widest` units.
    pub(crate) fn units(widest: u64) -> (u64, u64) {
        (widest, SLICE.max(widest))
    }

    /// Steps in a row without a move, among so many free states.
    pub(crate) fn most_thinking(states: u64) -> u64 {
        2 * states + 2
    }

    /// What a step allocates at most: a page for each state that it sees.
    pub(crate) fn page_bytes(widest: u64) -> usize {
        (8 * SLICE.max(widest) as usize + 1) * PageTable::<Hop>::PAGE_BYTES
    }

    /// Goes on with the search, or along the way. The goal must be in another strong component.
    pub(crate) fn step(
        &mut self,
        space: &Space,
        (at, goal): (StateId, StateId),
        budget: &mut Budget,
    ) -> Crossed {
        let mut slice = Budget::units(SLICE.max(space.widest_expansion()).min(budget.left()));
        let crossed = space.visit_towards(
            goal,
            Successors::All,
            Turn { space, at, goal, crossing: self, budget: &mut slice },
        );
        budget.charge(slice.spent());
        crossed
    }

    fn turn<E: Expander>(
        &mut self,
        moves: &E,
        space: &Space,
        (at, goal): (StateId, StateId),
        budget: &mut Budget,
    ) -> Crossed {
        if self.phase == Phase::Walking {
            match self.walk(moves, space, at, budget) {
                Some(next) => return Crossed::Move(next),
                // Only an agent that was tampered with is beside its way.
                None => self.forget(),
            }
        }
        if self.phase == Phase::Idle {
            self.begin(at);
        }
        let widest = space.widest_expansion();
        while budget.left() >= widest {
            budget.charge(1);
            match self.phase {
                Phase::Searching => self.expand(moves, space, goal, budget),
                Phase::Telling => self.tell(),
                Phase::Nowhere => return Crossed::NoPath,
                Phase::Idle | Phase::Walking => break,
            }
        }
        Crossed::Thinking
    }

    fn begin(&mut self, at: StateId) {
        let none = StateId::NONE.number();
        self.hops.insert(key(at), Hop { before: none, after: none });
        (self.phase, self.start, self.next, self.last) = (Phase::Searching, at, at, at);
    }

    /// Expands the next state, and looks for the goal's component among its successors.
    fn expand<E: Expander>(&mut self, moves: &E, space: &Space, goal: StateId, budget: &mut Budget) {
        let state = self.next;
        let mut found = None;
        if space.is_free(state) {
            let extra = moves.expand(state, None, |child, _| {
                let reach = space.reach(child, goal);
                if found.is_some() || reach == Reach::Never || self.hops.get(key(child)).is_some() {
                    return;
                }
                self.hops.insert(key(child), Hop { before: state.number(), after: StateId::NONE.number() });
                if let Some(last) = self.hops.get(key(self.last)) {
                    self.hops.insert(key(self.last), Hop { after: child.number(), ..last });
                }
                self.last = child;
                found = (reach == Reach::Always).then_some(child);
            });
            budget.charge(extra);
        }
        if let Some(found) = found {
            (self.phase, self.next, self.last) = (Phase::Telling, found, StateId::NONE);
            return;
        }
        match self.hops.get(key(state)).and_then(|hop| StateId::new(hop.after).known()) {
            Some(next) => self.next = next,
            None => self.phase = Phase::Nowhere,
        }
    }

    /// Tells a state of the way which one comes after it: the one that was told before.
    fn tell(&mut self) {
        let Some(hop) = self.hops.get(key(self.next)) else {
            // Only an agent that was tampered with has lost its way.
            return self.forget();
        };
        self.hops.insert(key(self.next), Hop { after: self.last.number(), ..hop });
        if self.next == self.start {
            self.phase = Phase::Walking;
        } else {
            (self.last, self.next) = (self.next, StateId::new(hop.before));
        }
    }

    /// The next state of the way, if a move leads there.
    fn walk<E: Expander>(
        &self,
        moves: &E,
        space: &Space,
        at: StateId,
        budget: &mut Budget,
    ) -> Option<StateId> {
        let next = StateId::new(self.hops.get(key(at)).filter(|_| space.is_free(at))?.after);
        let mut is_move = false;
        budget.charge(1);
        budget.charge(moves.expand(at, None, |child, _| is_move |= child == next));
        is_move.then_some(next)
    }

    /// Begins anew with the next step.
    pub(crate) fn forget(&mut self) {
        self.hops.forget();
        self.phase = Phase::Idle;
    }

    /// Memory held beside itself.
    pub(crate) fn bytes(&self) -> usize {
        self.hops.bytes()
    }

    /// States that were seen.
    pub(crate) fn remembered(&self) -> u64 {
        self.hops.len()
    }

    pub(crate) fn save(&self, saving: &mut Saving) {
        let phase = PHASES.iter().position(|phase| *phase == self.phase);
        saving.u32(phase.unwrap_or(0) as u32);
        for state in [self.start, self.next, self.last] {
            saving.u32(state.number());
        }
        saving.u64(self.hops.len());
        for (state, hop) in self.hops.entries() {
            saving.u64(state);
            saving.u32(hop.before);
            saving.u32(hop.after);
        }
    }

    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<Crossing, SavedAgentError> {
        let mut crossing = Crossing {
            phase: *PHASES.get(saved.u32()? as usize).ok_or(SavedAgentError::Damaged)?,
            start: StateId::new(saved.u32()?),
            next: StateId::new(saved.u32()?),
            last: StateId::new(saved.u32()?),
            ..Crossing::default()
        };
        for _ in 0..saved.u64()? {
            let state = saved.u64()?;
            crossing.hops.insert(state, Hop { before: saved.u32()?, after: saved.u32()? });
        }
        Ok(crossing)
    }
}

fn key(state: StateId) -> u64 {
    state.number().into()
}

/// A step on whatever ground.
struct Turn<'a> {
    space: &'a Space,
    at: StateId,
    goal: StateId,
    crossing: &'a mut Crossing,
    budget: &'a mut Budget,
}

impl SpaceVisitor for Turn<'_> {
    type Answer = Crossed;

    fn visit<E: WayExpander, G: Goal>(self, moves: &E, _: &G) -> Crossed {
        self.crossing.turn(moves, self.space, (self.at, self.goal), self.budget)
    }
}
