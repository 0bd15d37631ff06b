//! One journey of an agent, from its start to whatever end, every step of it looked at.

#[cfg(test)]
pub(crate) mod actor;

use crate::place::Place;
use crate::world::World;
use milepost::agent::View;
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

/// Lets an agent walk until it ends or has made so many moves, and tells `follow` every state it comes to, and the subgoal
/// that it heads for.
pub(crate) fn walk(
    (world, view): (&World, View<'_>),
    agent: &mut dyn Agent,
    max_moves: u64,
    (scratch, visits): (&mut Scratch, &mut Visits),
    mut follow: impl FnMut(StateId, Option<StateId>),
) -> Journey {
    let (limits, space) = (agent.limits(), world.space());
    let mut journey = Journey {
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
    let mut pace = Pace::new(agent, max_moves);
    journey.end = loop {
        let (before, mut budget) = (agent.state(), Budget::unlimited());
        let step = agent.step_in(view, scratch, &mut budget);
        journey.work = journey.work.saturating_add(budget.spent());
        journey.max_work = journey.max_work.max(budget.spent());
        journey.bytes = journey.bytes.max(agent.bytes());
        journey.remembered = journey.remembered.max(agent.remembered());
        if let Some(stated) = limits.max_units.filter(|most| budget.spent() > *most) {
            break End::Broke(Offence::TooMuchWork { units: budget.spent(), stated });
        }
        let goes_on = pace.goes_on(step);
        match step {
            Step::Move(to) => {
                let Some(cost) = space.step_cost(before, to, None).filter(|_| agent.state() == to) else {
                    break End::Broke(Offence::IllegalStep(world.place(before), world.place(to)));
                };
                journey.cost = journey.cost.saturating_add(cost);
                journey.moves = pace.moves;
                journey.revisits += u64::from(visits.again(to));
                follow(to, agent.subgoal());
                // An agent that stands at the goal needs no further move.
                if !goes_on && to != agent.goal() {
                    break End::TooManyMoves;
                }
            }
            Step::Thinking => {
                journey.max_thinking = journey.max_thinking.max(pace.thinking);
                if !goes_on {
                    break End::Broke(Offence::TooMuchThinking { stated: limits.max_thinking });
                }
            }
            Step::Arrived if before == agent.goal() => break End::Arrived,
            Step::Arrived => break End::Broke(Offence::Elsewhere(world.place(before))),
            Step::NoPath => break End::NoPath,
            Step::Stopped => break End::Stopped,
            Step::Starved { min_units } => break End::Broke(Offence::Starved { min_units }),
            Step::Refused(refused) => break End::Refused(refused),
        }
    };
    journey.searches = agent.searches();
    journey
}

#[cfg(test)]
mod tests {
    use super::actor::Act::{self, Go, Say};
    use super::actor::{Actor, row};
    use super::*;
    use crate::agents::Shown;
    use milepost::Point;

    fn acted(script: &[(Act, u64)], max_moves: u64) -> Journey {
        let world = row();
        let memory = (&mut Scratch::new(), &mut Visits::default());
        let shown = Shown::new(&world, None);
        walk((&world, shown.view()), &mut Actor::new(&world, script), max_moves, memory, |_, _| {})
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
