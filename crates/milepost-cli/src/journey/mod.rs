//! One journey of an agent, from its start to whatever end, every step of it looked at.

#[cfg(test)]
pub(crate) mod actor;
pub(crate) mod course;

use crate::agents::Shown;
use crate::place::Place;
use crate::world::World;
use milepost::agent::Limits;
use milepost::{Agent, Budget, Cost, Refused, Scratch, StateId, Step};
use std::fmt;

/// How a journey ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Arrived,
    NoPath,
    /// The agent proved that it walks in a circle.
    Stopped,
    /// It made as many moves as it was allowed to.
    TooManyMoves,
    Refused(Refused),
    /// The agent broke a rule.
    Broke(Offence),
}

/// What no agent may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Offence {
    /// A move that the map does not allow.
    IllegalStep(Place, Place),
    /// It says that it has arrived, and stands here.
    Elsewhere(Place),
    /// A step took more units than the agent says that any takes.
    TooMuchWork { units: u64, stated: u64 },
    /// It thought more often in a row than it says that it may.
    TooMuchThinking { stated: u64 },
    /// It says that a budget without bounds is too small.
    Starved { min_units: u64 },
}

impl fmt::Display for Offence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Offence::IllegalStep(from, to) => write!(out, "the step from {from} to {to} is not allowed"),
            Offence::Elsewhere(at) => write!(out, "it says that it has arrived, and stands at {at}"),
            Offence::TooMuchWork { units, stated } => {
                write!(out, "a step took {units} units of work, at most {stated} are stated")
            }
            Offence::TooMuchThinking { stated } => {
                write!(out, "it thought more than {stated} times in a row, which it states as the most")
            }
            Offence::Starved { min_units } => {
                write!(out, "it asks for {min_units} units, and the step had no bound")
            }
        }
    }
}

/// What a journey was like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Journey {
    pub(crate) end: End,
    pub(crate) cost: Cost,
    pub(crate) moves: u64,
    /// Moves to a state where it had been before.
    pub(crate) revisits: u64,
    /// The units of all steps, and of the dearest one.
    pub(crate) work: u64,
    pub(crate) max_work: u64,
    /// The longest row of steps without a move.
    pub(crate) max_thinking: u64,
    /// The most memory that the agent held, and the most states that it remembered.
    pub(crate) bytes: usize,
    pub(crate) remembered: u64,
    /// Steps that searched; none for an agent that never does.
    pub(crate) searches: Option<u64>,
}

/// How far a journey may go on.
pub(crate) struct Pace {
    pub(crate) moves: u64,
    thinking: u64,
    max_moves: u64,
    max_thinking: u64,
}

impl Pace {
    /// Of an agent that has not made a step.
    pub(crate) fn new(agent: &dyn Agent, max_moves: u64) -> Pace {
        Pace { moves: 0, thinking: 0, max_moves, max_thinking: agent.limits().max_thinking }
    }

    /// Takes note of a step. Says whether another one may follow.
    #[inline]
    pub(crate) fn goes_on(&mut self, step: Step) -> bool {
        match step {
            Step::Move(_) => {
                self.moves += 1;
                self.thinking = 0;
                self.moves < self.max_moves
            }
            Step::Thinking => {
                self.thinking += 1;
                self.thinking <= self.max_thinking
            }
            _ => false,
        }
    }
}

/// Which states a journey has led to. One for many journeys: a new one begins with a new number.
#[derive(Default)]
pub(crate) struct Visits {
    last: Vec<u32>,
    journey: u32,
}

impl Visits {
    fn begin(&mut self, world: &World) {
        self.journey = self.journey.wrapping_add(1);
        if self.last.len() != world.space().id_bound() || self.journey == 0 {
            self.last = vec![0; world.space().id_bound()];
            self.journey = 1;
        }
    }

    /// Takes note of a visit. Says whether it is not the first.
    fn again(&mut self, state: StateId) -> bool {
        let last = self.last.get_mut(state.index());
        last.is_some_and(|last| std::mem::replace(last, self.journey) == self.journey)
    }
}

/// Lets an agent walk over a map that stays as it is until it ends or has made so many moves.
pub(crate) fn walk(
    shown: &Shown<'_>,
    agent: &mut dyn Agent,
    max_moves: u64,
    memory: (&mut Scratch, &mut Visits),
) -> Journey {
    let mut walk = Walk::new(shown.world(), agent, max_moves, memory);
    walk.go_on(shown, agent, u64::MAX, |_| {});
    walk.end(agent)
}

/// A journey that is under way.
pub(crate) struct Walk<'m> {
    journey: Journey,
    /// None while it goes on.
    end: Option<End>,
    pace: Pace,
    limits: Limits,
    scratch: &'m mut Scratch,
    visits: &'m mut Visits,
}

impl<'m> Walk<'m> {
    /// Of an agent that has not made a step.
    pub(crate) fn new(
        world: &World,
        agent: &dyn Agent,
        max_moves: u64,
        (scratch, visits): (&'m mut Scratch, &'m mut Visits),
    ) -> Walk<'m> {
        let journey = Journey {
            end: End::TooManyMoves,
            cost: Cost::ZERO,
            moves: 0,
            revisits: 0,
            work: 0,
            max_work: 0,
            max_thinking: 0,
            bytes: agent.bytes(),
            remembered: agent.remembered(),
            searches: None,
        };
        visits.begin(world);
        visits.again(agent.state());
        let (pace, limits) = (Pace::new(agent, max_moves), agent.limits());
        Walk { journey, end: None, pace, limits, scratch, visits }
    }

    /// Goes on until the agent ends or has made so many moves in all, and tells `follow` of the agent after every move.
    /// Says whether the journey has ended. Between two calls the map may be edited.
    pub(crate) fn go_on(
        &mut self,
        shown: &Shown<'_>,
        agent: &mut dyn Agent,
        moves: u64,
        mut follow: impl FnMut(&dyn Agent),
    ) -> bool {
        while self.end.is_none() && self.pace.moves < moves {
            self.end = self.step(shown, agent, &mut follow);
        }
        self.end.is_some()
    }

    /// Makes a step. Says how the journey ended, if it did.
    fn step(
        &mut self,
        shown: &Shown<'_>,
        agent: &mut dyn Agent,
        follow: &mut impl FnMut(&dyn Agent),
    ) -> Option<End> {
        let (world, journey) = (shown.world(), &mut self.journey);
        let (before, mut budget) = (agent.state(), Budget::unlimited());
        let step = agent.step_in(shown.view(), self.scratch, &mut budget);
        journey.work = journey.work.saturating_add(budget.spent());
        journey.max_work = journey.max_work.max(budget.spent());
        journey.bytes = journey.bytes.max(agent.bytes());
        journey.remembered = journey.remembered.max(agent.remembered());
        // After an edit an agent may state more; it has said so by the end of its first step there.
        let (stated, now) = (self.limits, agent.limits());
        self.limits = now;
        let max_units = stated.max_units.zip(now.max_units).map(|(before, now)| before.max(now));
        if let Some(stated) = max_units.filter(|most| budget.spent() > *most) {
            return Some(End::Broke(Offence::TooMuchWork { units: budget.spent(), stated }));
        }
        self.pace.max_thinking = stated.max_thinking.max(now.max_thinking);
        let goes_on = self.pace.goes_on(step);
        match step {
            Step::Move(to) => {
                let cost = world.space().step_cost(before, to, None);
                let Some(cost) = cost.filter(|_| agent.state() == to) else {
                    return Some(End::Broke(Offence::IllegalStep(world.place(before), world.place(to))));
                };
                journey.cost = journey.cost.saturating_add(cost);
                journey.moves = self.pace.moves;
                journey.revisits += u64::from(self.visits.again(to));
                follow(agent);
                // An agent that stands at the goal needs no further move.
                (!goes_on && to != agent.goal()).then_some(End::TooManyMoves)
            }
            Step::Thinking => {
                journey.max_thinking = journey.max_thinking.max(self.pace.thinking);
                let stated = self.pace.max_thinking;
                (!goes_on).then_some(End::Broke(Offence::TooMuchThinking { stated }))
            }
            Step::Arrived if before == agent.goal() => Some(End::Arrived),
            Step::Arrived => Some(End::Broke(Offence::Elsewhere(world.place(before)))),
            Step::NoPath => Some(End::NoPath),
            Step::Stopped => Some(End::Stopped),
            Step::Starved { min_units } => Some(End::Broke(Offence::Starved { min_units })),
            Step::Refused(refused) => Some(End::Refused(refused)),
        }
    }

    /// What the moves cost so far; from here on they are added up anew, in the units of an edited map.
    pub(crate) fn take_cost(&mut self) -> Cost {
        std::mem::replace(&mut self.journey.cost, Cost::ZERO)
    }

    /// How it went.
    pub(crate) fn end(self, agent: &dyn Agent) -> Journey {
        let end = self.end.unwrap_or(End::TooManyMoves);
        Journey { end, searches: agent.searches(), ..self.journey }
    }
}

#[cfg(test)]
mod tests {
    use super::actor::Act::{self, Go, Say};
    use super::actor::{Actor, row};
    use super::*;
    use milepost::Point;

    fn acted(script: &[(Act, u64)], max_moves: u64) -> Journey {
        let world = row();
        let memory = (&mut Scratch::new(), &mut Visits::default());
        let shown = Shown::new(&world, None);
        walk(&shown, &mut Actor::new(&world, script), max_moves, memory)
    }

    #[test]
    fn a_journey_is_counted_as_it_went() {
        let script = [
            (Say(Step::Thinking), 9),
            (Go(1), 3),
            (Go(2), 1),
            (Go(1), 1),
            (Say(Step::Thinking), 2),
            (Say(Step::Thinking), 2),
            (Go(2), 1),
            (Go(3), 1),
            (Go(4), 1),
            (Say(Step::Arrived), 1),
        ];
        let journey = acted(&script, 100);
        assert_eq!((journey.end, journey.moves, journey.revisits), (End::Arrived, 6, 2));
        assert_eq!((journey.work, journey.max_work, journey.max_thinking), (22, 9, 2));
        assert_eq!((journey.searches, journey.remembered, journey.bytes), (Some(4), 4, 110));
        // Six moves are enough, five are not.
        assert_eq!(acted(&script, 6).end, End::Arrived);
        assert_eq!((acted(&script, 5).end, acted(&script, 5).moves), (End::TooManyMoves, 5));
    }

    #[test]
    fn ends_are_what_the_agent_says() {
        for (step, end) in [
            (Step::NoPath, End::NoPath),
            (Step::Stopped, End::Stopped),
            (Step::Refused(Refused::OtherMap), End::Refused(Refused::OtherMap)),
        ] {
            assert_eq!(acted(&[(Go(1), 1), (Say(step), 1)], 100).end, end);
        }
    }

    #[test]
    fn an_agent_that_breaks_a_rule_is_caught() {
        let place = |x| Place::Cell(Point::new(x, 0));
        for (script, offence) in [
            (vec![(Go(2), 1)], Offence::IllegalStep(place(0), place(2))),
            (vec![(Go(1), 1), (Say(Step::Arrived), 1)], Offence::Elsewhere(place(1))),
            (vec![(Go(1), 10)], Offence::TooMuchWork { units: 10, stated: 9 }),
            (vec![(Say(Step::Thinking), 1); 3], Offence::TooMuchThinking { stated: 2 }),
        ] {
            assert_eq!(acted(&script, 100).end, End::Broke(offence), "{offence}");
        }
    }
}
