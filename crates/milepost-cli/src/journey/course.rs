//! The map that an agent walks over, and how it changes on the way.

use super::{Journey, Visits, Walk};
use crate::agents::{NamedAgent, Shown};
use crate::commands::walk::WalkArgs;
use crate::contestants::Candidate;
use crate::edits::Schedule;
use crate::failure::Failure;
use crate::place::Place;
use crate::world::World;
use milepost::observe::Event;
use milepost::{Agent, Scratch, StateId};
use std::borrow::Cow;

/// A map and its edits.
pub(crate) struct Course {
    /// As it was read.
    base: World,
    /// After the edits that come before the first move.
    pub(crate) world: World,
    schedule: Schedule,
    /// What edits make of it.
    pub(crate) kinds: Vec<World>,
    /// The first edits that come later.
    later: usize,
}

/// How a journey over a course ended.
pub(crate) struct Ended {
    pub(crate) journey: Journey,
    /// What its moves cost, in whatever units.
    cost: f64,
    agent: Box<dyn Agent>,
    /// The map by then, if it was edited on the way.
    world: Option<World>,
}

/// What is kept of a journey beside its figures.
#[derive(Default)]
pub(crate) struct Track {
    /// Where the agent was, from the start on; empty if it could not begin.
    pub(crate) trail: Vec<StateId>,
    /// Where it headed for on its way.
    pub(crate) subgoals: Vec<StateId>,
    pub(crate) cost: f64,
    /// As it ended.
    pub(crate) agent: Option<Box<dyn Agent>>,
    last: Option<World>,
}

impl Track {
    /// Takes note of where an agent is, and where it heads for.
    pub(crate) fn follow(&mut self, agent: &dyn Agent) {
        self.trail.push(agent.state());
        let subgoal = agent.subgoal().filter(|subgoal| self.subgoals.last() != Some(subgoal));
        // Before its first move an agent heads for nothing yet.
        self.subgoals.extend(subgoal.filter(|_| self.trail.len() > 1));
    }

    /// Takes note of the end.
    pub(crate) fn take(&mut self, ended: Ended) {
        self.cost = ended.cost;
        self.agent = Some(ended.agent);
        self.last = ended.world;
    }
}

impl Course {
    /// The edits that a journey of so many moves leaves undone, in words.
    pub(crate) fn left_after(&self, moves: u64) -> Option<String> {
        let (line, before) = self.schedule.first_after(moves)?;
        let file = self.schedule.file().display();
        Some(format!("line {line} of {file}, before move {before}: the agent had stopped by then"))
    }

    pub(crate) fn new(base: World, schedule: Schedule) -> Result<Course, Failure> {
        let kinds = schedule.kinds_of_worlds(&base)?;
        let later = usize::from(schedule.before(0) == Some(0));
        let world = if later > 0 { schedule.edited(&base, 0)? } else { base.clone() };
        Ok(Course { base, world, schedule, kinds, later })
    }

    /// The map at the end of a journey.
    pub(crate) fn end_of<'a>(&'a self, track: &'a Track) -> &'a World {
        track.last.as_ref().unwrap_or(&self.world)
    }

    /// The start and the goal. An edit that closes the start is refused, as if the agent stood there.
    pub(crate) fn ends(&self, args: &WalkArgs) -> Result<(StateId, StateId), Failure> {
        let state = |option: &str, place: Place| {
            if args.snap {
                return self.world.snapped(option, place);
            }
            // A node that an edit has removed was one.
            self.world.state_at(option, place).or_else(|_| self.base.state_at(option, place))
        };
        let (start, goal) = match self.world.mesh() {
            Some(_) => {
                let end = |option: &str, place: Place| self.world.end_at(option, place, args.snap);
                self.world.space().states_between(end("--from", args.from)?, end("--to", args.to)?)
            }
            None => (state("--from", args.from)?, state("--to", args.to)?),
        };
        if self.has_closed(start) {
            return Err(self.schedule.closed_on_agent(&self.world, 0, start));
        }
        Ok((start, goal))
    }

    /// Whether the edits before the first move have closed a state.
    fn has_closed(&self, state: StateId) -> bool {
        self.base.space().is_free(state) && !self.world.space().is_free(state)
    }

    /// The edit that closed a state on a journey of so many moves, in words, and how many moves came before it. None if no edit did.
    pub(crate) fn closed_by(&self, state: StateId, moves: u64) -> Result<Option<(String, u32)>, Failure> {
        let (mut current, mut found) = (Cow::Borrowed(&self.base), None);
        for place in 0.. {
            let Some(before) = self.schedule.before(place).filter(|&before| u64::from(before) <= moves)
            else {
                break;
            };
            let edited = self.schedule.edited(&current, place)?;
            if current.space().is_free(state) && !edited.space().is_free(state) {
                found = Some((self.schedule.closing(&current, place, state), before));
            }
            current = Cow::Owned(edited);
        }
        Ok(found)
    }

    /// Whether the edits after the first move have taken an index from an agent: how many moves came before them.
    pub(crate) fn moves_before_drop(&self, named: &NamedAgent) -> Result<Option<u32>, Failure> {
        let (mut current, mut place) = (Cow::Borrowed(&self.world), self.later);
        while let Some(moves) = self.schedule.before(place).filter(|_| !named.lacks_index(&current)) {
            current = Cow::Owned(self.schedule.edited(&current, place)?);
            if named.lacks_index(&current) {
                return Ok(Some(moves));
            }
            place += 1;
        }
        Ok(None)
    }

    /// Whether an end was blocked from the beginning; to a goal that an edit has closed there is no path.
    pub(crate) fn is_blocked(&self, start: StateId, goal: StateId) -> bool {
        let is_free = |state| self.world.space().is_free(state);
        !is_free(start) || !(is_free(goal) || self.has_closed(goal))
    }

    /// Lets an agent walk the same way, watched: `tell` is told what happened in each step, and on which map.
    pub(crate) fn watch(
        &self,
        named: &NamedAgent,
        (start, goal): (StateId, StateId),
        max_moves: u64,
        mut tell: impl FnMut(&World, &[Event]),
    ) -> Result<(), Failure> {
        let (mut current, mut place) = (Cow::Borrowed(&self.world), self.later);
        let mut run = named.watched(&current, start, goal);
        let mut events = Vec::new();
        while run.ended().is_none() && run.moves() < max_moves {
            let next = self.schedule.before(place).filter(|_| run.agent().state() != goal);
            if next.is_some_and(|moves| run.moves() >= moves.into()) {
                current = Cow::Owned(self.schedule.edited(&current, place)?);
                place += 1;
                continue;
            }
            events.clear();
            run.step(&current.atlas, &mut events);
            tell(&current, &events);
        }
        Ok(())
    }

    /// Lets an agent walk while the map is edited. `follow` is shown it at its start and after every move.
    pub(crate) fn travel(
        &self,
        named: &NamedAgent,
        (start, goal): (StateId, StateId),
        max_moves: u64,
        scratch: &mut Scratch,
        mut follow: impl FnMut(&Shown<'_>, &dyn Agent),
    ) -> Result<Ended, Failure> {
        let (mut current, mut place, mut cost) = (Cow::Borrowed(&self.world), self.later, 0.0);
        let mut agent = named.start(&named.shown(&current), start, goal);
        let mut visits = Visits::default();
        let mut walk = Walk::new(&current, &*agent, max_moves, (scratch, &mut visits));
        follow(&named.shown(&current), &*agent);
        loop {
            // At the goal no move comes that an edit could come before.
            let next = self.schedule.before(place).filter(|_| agent.state() != goal);
            let shown = named.shown(&current);
            let moves = next.map_or(u64::MAX, u64::from);
            if walk.go_on(&shown, &mut *agent, moves, |agent| follow(&shown, agent)) {
                break;
            }
            if agent.state() == goal {
                continue;
            }
            let edited = self.schedule.edited(&current, place)?;
            if !edited.space().is_free(agent.state()) {
                return Err(self.schedule.closed_on_agent(&current, place, agent.state()));
            }
            if edited.scale() != current.scale() {
                cost += current.scale().to_f64(walk.take_cost());
            }
            (current, place) = (Cow::Owned(edited), place + 1);
        }
        let journey = walk.end(&*agent);
        cost += current.scale().to_f64(journey.cost);
        let world = match current {
            Cow::Owned(edited) => Some(edited),
            Cow::Borrowed(_) => None,
        };
        Ok(Ended { journey, cost, agent, world })
    }
}
