//! TBA*: A* in slices, one at each move. While it has not found the goal the agent walks towards the state that seems best
//! so far; if that turns out to lie on another branch, it goes back to where the branches part.
//!
//! # Paper
//! Y. Björnsson, V. Bulitko, N. Sturtevant: TBA*: time-bounded A*, IJCAI 2009, the algorithm with its three phases (plan,
//! trace, execution) and its shares: nine tenths of a slice of R are expansions, one tenth is spent on tracing, where an
//! expansion is worth c = `ratio` hops. It is told without a listing by V. Bulitko, Y. Björnsson and R. Lawrence, JAIR
//! 2010, section 4, whose tables 4 and 5 show it (R there is 5 to 5000 expansions).
//!
//! # Symbols
//! `R` the slice, `N_E` its expansions, `N_T` its hops, `loc` where the agent stands (`s`), `pathFollow` and `pathNew`
//! (`followed`, `traced`: for each state of the path the next one), `loc_last` the state before this one.
//!
//! # Guarantees
//! *Complete*: the search is A* from the start, which ends; then the path is traced, and from wherever it is in the tree
//! the agent comes to it by going back. It stays in its strong component, or, where the goal is in another one, walks only
//! moves that it can undo until it knows the whole way.
//!
//! *Bounded*: N_E + N_T units a step and a few for the move. Memory: a node for each state touched, and the open list, in
//! pages; nothing is moved to a larger place.
//!
//! # Deviations
//! 1. At the end of a path that leads nowhere yet the listing goes on stepping back, since it takes states off the path as
//!    it walks. Here they stay on it: the agent steps back and forth there until it knows better.
//! 2. A move that is not there, or cannot be undone while the way is not known, is not made: the agent thinks.
//! 3. On another version of the map it searches anew, from where it stands.

use super::journey::{Ground, Journey};
use super::{Agent, AgentKind, Limits, Restoring, SavedAgentError, Saving, Step, Traveller};
use crate::core::nodes::Node;
use crate::core::open::PagedHeap;
use crate::core::{
    Budget, Cost, Expander, Goal, KeptSearch, KeyRange, PageTable, SearchParts, StateId, Status,
};
use crate::index::Atlas;
use crate::plan::Scratch;
use crate::space::{Reach, Space, SpaceVisitor, Successors, WayExpander};
use std::ops::RangeInclusive;

/// Agents that search in slices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tba {
    /// R: what a step takes, in expansions; from 5 to 5000.
    pub slice: u32,
    /// c: hops that cost as much as an expansion; from 1 to 100.
    pub ratio: u32,
}

pub(crate) const SLICE: RangeInclusive<u32> = 5..=5000;
pub(crate) const RATIO: RangeInclusive<u32> = 1..=100;

impl Tba {
    /// `N_E`.
    fn expansions(&self) -> u64 {
        u64::from(self.slice) * 9 / 10
    }

    /// `N_T`.
    fn hops(&self) -> u64 {
        (u64::from(self.slice) - self.expansions()) * u64::from(self.ratio)
    }

    /// An agent on a map.
    pub fn start(&self, atlas: &Atlas, from: StateId, to: StateId) -> TbaAgent {
        TbaAgent {
            kind: *self,
            journey: Journey::new(atlas, from, to),
            search: KeptSearch::new(),
            start: from,
            has_begun: false,
            is_found: false,
            followed: Trace::default(),
            traced: Trace::default(),
            last: from,
            walked: 0,
            terms: Terms::of(atlas.space()),
            searches: 0,
        }
    }
}

impl AgentKind for Tba {
    fn limits(&self) -> Limits {
        Terms { widest: 1, goal_units: 0, one_way_states: 0 }.limits(self)
    }

    fn is_optimal(&self, _: &Space) -> bool {
        false
    }
}

/// What there is to know of a space before a step.
#[derive(Clone, Copy, Debug)]
struct Terms {
    widest: u64,
    goal_units: u64,
    /// Free states, if there are moves that cannot be undone.
    one_way_states: u64,
}

impl Terms {
    fn of(space: &Space) -> Terms {
        let one_way_states = if space.has_one_way_moves() { space.states().into() } else { 0 };
        Terms { widest: space.widest_expansion(), goal_units: space.goal_units(), one_way_states }
    }

    /// Units to see where it is, and to make a move: whether it is there, and whether it can be undone.
    fn for_the_move(&self) -> u64 {
        2 + self.goal_units + 2 * self.widest
    }

    fn limits(&self, kind: &Tba) -> Limits {
        Limits {
            min_units: self.for_the_move() + self.widest + 2,
            max_units: self.for_the_move() + self.widest + kind.expansions() + kind.hops(),
            // The first trace is not longer than the first slice. Who must wait for the whole search waits while states
            // are taken from the open list, each as often as it was put there, and traced.
            max_thinking: kind.expansions() + 3 + self.one_way_states * (2 + 8 * self.widest),
        }
    }

    /// What is left for expansions and for hops.
    fn shares(&self, kind: &Tba, left: u64) -> (u64, u64) {
        let left = left.saturating_sub(self.for_the_move() - 1 - self.goal_units + self.widest);
        let (expansions, hops) = (kind.expansions(), kind.hops());
        if left >= expansions + hops {
            return (expansions, hops);
        }
        let hops = (left * hops / (expansions + hops)).max(1);
        ((left.saturating_sub(hops)).clamp(1, expansions), hops)
    }
}

/// A path, told backwards: for each state on it the next one.
#[derive(Clone, Debug)]
struct Trace {
    ahead: PageTable<u32>,
    /// The state told last; NONE before the first.
    at: StateId,
    hops: u64,
    /// The path ends at the goal.
    is_whole: bool,
}

impl Default for Trace {
    fn default() -> Trace {
        Trace { ahead: PageTable::default(), at: StateId::NONE, hops: 0, is_whole: false }
    }
}

impl Trace {
    fn forget(&mut self) {
        self.ahead.forget();
        (self.at, self.hops, self.is_whole) = (StateId::NONE, 0, false);
    }

    fn next(&self, state: StateId) -> Option<StateId> {
        self.ahead.get(state.number().into()).map(StateId::new)
    }

    fn save(&self, saving: &mut Saving) {
        saving.u32(self.at.number());
        saving.u64(self.hops);
        saving.u32(u32::from(self.is_whole));
        saving.u64(self.ahead.len());
        for (state, next) in self.ahead.entries() {
            saving.u32(state as u32);
            saving.u32(next);
        }
    }

    fn restore(saved: &mut Restoring<'_>) -> Result<Trace, SavedAgentError> {
        let mut trace = Trace { at: StateId::new(saved.u32()?), hops: saved.u64()?, ..Trace::default() };
        trace.is_whole = saved.u32()? == 1;
        for _ in 0..saved.u64()? {
            let (state, next) = (saved.u32()?, saved.u32()?);
            trace.ahead.insert(state.into(), next);
        }
        Ok(trace)
    }
}

/// An agent that searches in slices.
#[derive(Clone, Debug)]
pub struct TbaAgent {
    kind: Tba,
    journey: Journey,
    search: KeptSearch,
    /// Where the search began.
    start: StateId,
    has_begun: bool,
    is_found: bool,
    followed: Trace,
    traced: Trace,
    last: StateId,
    /// Moves since the whole path is known.
    walked: u64,
    terms: Terms,
    searches: u64,
}

impl TbaAgent {
    fn begin_anew(&mut self) {
        self.has_begun = false;
    }

    fn turn<E: Expander, G: Goal>(
        &mut self,
        moves: &E,
        goal: &G,
        is_one_way: bool,
        budget: &mut Budget,
    ) -> Step {
        let s = self.journey.at;
        let (expansions, hops) = self.terms.shares(&self.kind, budget.left());
        if !self.has_begun {
            self.search.begin(moves, goal, s);
            (self.start, self.last, self.has_begun, self.is_found) = (s, s, true, false);
            self.walked = 0;
            self.followed.forget();
            self.traced.forget();
        }
        // Plan.
        if !self.is_found {
            self.searches += 1;
            let mut slice = Budget::units(expansions);
            let status = self.search.run(moves, goal, &mut slice);
            budget.charge(slice.spent());
            match status {
                Status::Reached(_) => self.is_found = true,
                Status::Suspended => {}
                Status::Exhausted => return Step::NoPath,
            }
        }
        // Trace.
        if !self.followed.is_whole {
            let mut slice = Budget::units(hops);
            self.trace(&mut slice);
            budget.charge(slice.spent());
        }
        // Execution.
        let ahead = self.followed.next(s);
        let back = || if s == self.start { Some(self.last) } else { self.search.parent(s) };
        let Some(next) = ahead.or_else(back).filter(|next| *next != s) else { return Step::Thinking };
        let leads = |from: StateId, to: StateId, budget: &mut Budget| {
            let mut is_move = false;
            budget.charge(1);
            budget.charge(moves.expand(from, None, |child, _| is_move |= child == to));
            is_move
        };
        // It goes back and then forward over states that were touched: more moves are made only by an agent that was
        // tampered with.
        self.walked += u64::from(self.followed.is_whole);
        if !leads(s, next, budget) || self.walked > 2 * self.search.touched() {
            self.begin_anew();
            return Step::Thinking;
        }
        if is_one_way && !self.followed.is_whole && !leads(next, s, budget) {
            return Step::Thinking;
        }
        (self.journey.at, self.last) = (next, s);
        Step::Move(next)
    }

    /// Goes on telling the path to the most promising state, until it comes to where the agent is or began.
    fn trace(&mut self, hops: &mut Budget) {
        if self.traced.at == StateId::NONE {
            self.traced.forget();
            let front = if self.is_found { Some(self.journey.goal) } else { self.search.first_open(hops) };
            let Some(front) = front else { return };
            (self.traced.at, self.traced.is_whole) = (front, self.is_found);
        }
        loop {
            let at = self.traced.at;
            if at == self.journey.at || at == self.start {
                std::mem::swap(&mut self.followed, &mut self.traced);
                self.traced.forget();
                return;
            }
            if !hops.take() {
                return;
            }
            let parent = self.search.parent(at).filter(|_| self.traced.hops <= self.search.touched());
            let Some(parent) = parent else {
                // Only an agent that was tampered with has lost its way.
                return self.begin_anew();
            };
            self.traced.ahead.insert(parent.number().into(), at.number());
            (self.traced.at, self.traced.hops) = (parent, self.traced.hops + 1);
        }
    }

    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<TbaAgent, SavedAgentError> {
        let kind = Tba { slice: saved.u32()?, ratio: saved.u32()? };
        let journey = Journey::restore(saved)?;
        let (start, last) = (StateId::new(saved.u32()?), StateId::new(saved.u32()?));
        let flags = saved.u32()?;
        let (widest, goal_units, one_way_states) = (saved.u64()?, saved.u64()?, saved.u64()?);
        // No map has more ways, links or states than there are ids.
        let is_sound = [widest, goal_units, one_way_states].iter().all(|number| *number < 1 << 28);
        if !SLICE.contains(&kind.slice) || !RATIO.contains(&kind.ratio) || flags > 3 || !is_sound {
            return Err(SavedAgentError::Damaged);
        }
        let terms = Terms { widest, goal_units, one_way_states };
        let walked = saved.u64()?.min(1 << 40);
        let (searches, tie_shift, expanded) = (saved.u64()?, saved.u32()?, saved.u64()?);
        let mut parts = SearchParts { nodes: Vec::new(), entries: Vec::new(), tie_shift, expanded };
        for _ in 0..saved.u64()? {
            let (state, g, parent) = (saved.u32()?, saved.u64()?, saved.u32()?);
            parts.nodes.push((state, g, parent, saved.u32()? == 1));
        }
        for _ in 0..saved.u64()? {
            parts.entries.push((saved.u64()?, saved.u64()?));
        }
        Ok(TbaAgent {
            kind,
            journey,
            search: KeptSearch::from_parts(&parts),
            start,
            has_begun: flags & 1 == 1,
            is_found: flags & 2 == 2,
            followed: Trace::restore(saved)?,
            traced: Trace::restore(saved)?,
            last,
            walked,
            terms,
            searches,
        })
    }
}

impl Agent for TbaAgent {
    fn step(&mut self, atlas: &Atlas, _: &mut Scratch, budget: &mut Budget) -> Step {
        let (s, t, space) = (self.journey.at, self.journey.goal, atlas.space());
        let terms = Terms::of(space);
        if let Err(refused) = self.journey.check(atlas, terms.limits(&self.kind), budget) {
            return Step::Refused(refused);
        }
        self.terms = terms;
        budget.charge(1 + terms.goal_units);
        if self.journey.begin(atlas) == Ground::Edited {
            self.begin_anew();
        }
        let scope = match space.reach(s, t) {
            Reach::Never => return Step::NoPath,
            _ if s == t => return Step::Arrived,
            Reach::Always => Successors::InComponent,
            Reach::Perhaps => Successors::All,
        };
        space.visit_towards(t, scope, Turn { space, agent: self, budget })
    }
}

impl Traveller for TbaAgent {
    fn retarget(&mut self, goal: StateId) {
        self.journey.goal = goal;
        self.begin_anew();
    }

    fn state(&self) -> StateId {
        self.journey.at
    }

    fn goal(&self) -> StateId {
        self.journey.goal
    }

    fn limits(&self) -> Limits {
        self.terms.limits(&self.kind)
    }

    fn page_bytes(&self) -> usize {
        // What a slice may touch, and what it may trace.
        let seen = 8 * (self.kind.expansions() + self.terms.widest) as usize;
        seen * PageTable::<Node>::PAGE_BYTES
            + (seen / 256 + 1) * PagedHeap::PAGE_BYTES
            + self.kind.hops() as usize * PageTable::<u32>::PAGE_BYTES
    }

    fn bytes(&self) -> usize {
        let Trace { ahead: followed, .. } = &self.followed;
        let Trace { ahead: traced, .. } = &self.traced;
        let search = self.search.bytes() + crate::core::open::OpenList::bytes(self.search.open());
        size_of::<TbaAgent>() + search + followed.bytes() + traced.bytes()
    }

    fn remembered(&self) -> u64 {
        if self.has_begun { self.search.touched() } else { 0 }
    }

    fn searches(&self) -> Option<u64> {
        Some(self.searches)
    }

    fn save(&self, saving: &mut Saving) {
        saving.u32(self.kind.slice);
        saving.u32(self.kind.ratio);
        self.journey.save(saving);
        saving.u32(self.start.number());
        saving.u32(self.last.number());
        saving.u32(u32::from(self.has_begun) | u32::from(self.is_found) << 1);
        for number in [self.terms.widest, self.terms.goal_units, self.terms.one_way_states] {
            saving.u64(number);
        }
        saving.u64(self.walked);
        // A search that will begin anew is not worth writing down.
        let parts = if self.has_begun { self.search.parts() } else { KeptSearch::new().parts() };
        saving.u64(self.searches);
        saving.u32(parts.tie_shift);
        saving.u64(parts.expanded);
        saving.u64(parts.nodes.len() as u64);
        for (state, g, parent, is_closed) in parts.nodes {
            saving.u32(state);
            saving.u64(g);
            saving.u32(parent);
            saving.u32(u32::from(is_closed));
        }
        saving.u64(parts.entries.len() as u64);
        for (key, rest) in parts.entries {
            saving.u64(key);
            saving.u64(rest);
        }
        self.followed.save(saving);
        self.traced.save(saving);
    }
}

/// A step on whatever ground.
struct Turn<'a> {
    space: &'a Space,
    agent: &'a mut TbaAgent,
    budget: &'a mut Budget,
}

impl SpaceVisitor for Turn<'_> {
    type Answer = Step;

    fn visit<E: WayExpander, G: Goal>(self, moves: &E, goal: &G) -> Step {
        let moves = FromStates { moves, space: self.space };
        self.agent.turn(&moves, goal, self.space.has_one_way_moves(), self.budget)
    }
}

/// Moves from states of the space: an agent that was tampered with may ask for others.
struct FromStates<'a, E> {
    moves: &'a E,
    space: &'a Space,
}

impl<E: Expander> Expander for FromStates<'_, E> {
    fn id_bound(&self) -> usize {
        self.moves.id_bound()
    }

    fn keys(&self) -> KeyRange {
        self.moves.keys()
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        if self.space.is_free(state) { self.moves.expand(state, parent, visit) } else { 0 }
    }
}
