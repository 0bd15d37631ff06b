//! One agent on all problems: one pass that looks at every step, one that is timed from start to end without a clock in
//! between, and one with a clock around every step. Everything happens on one thread, and nothing else does meanwhile.

use super::check::{Fault, Verdict, judge_journey};
use super::problems::{Problems, Task};
use super::reference::Reference;
use super::run::{Answer, Run, Times, indexes_read};
use super::tally::Tally;
use super::{Terms, statistics};
use crate::agents::{NamedAgent, Shown};
use crate::contestants::Candidate;
use crate::journey::{End, Journey, Pace, Visits, walk};
use crate::progress;
use crate::world::World;
use milepost::{Agent, Budget, Scratch, Step};
use std::hint::black_box;
use std::time::Instant;

/// What is known of agents alone.
#[derive(Debug)]
pub(super) struct Journeys {
    /// Over journeys that arrived.
    pub(super) mean_moves: Option<f64>,
    pub(super) us_per_move: Option<f64>,
    pub(super) max_us_per_move: Option<f64>,
    pub(super) us_first_move: Option<f64>,
    pub(super) us_per_search: Option<f64>,
    /// None for an agent that never searches.
    pub(super) mean_searches: Option<f64>,
    pub(super) mean_work: Option<f64>,
    pub(super) max_work: Option<u64>,
    pub(super) max_thinking: Option<u64>,
    /// The most that an agent held on a journey: the mean over all journeys, and the most of all.
    pub(super) mean_bytes: Option<f64>,
    pub(super) max_bytes: Option<u64>,
    /// The same of the states that it remembered.
    pub(super) mean_remembered: Option<f64>,
    pub(super) mean_revisits: Option<f64>,
}

impl Run {
    /// Lets an agent run.
    pub(super) fn of_agent(
        world: &World,
        problems: &Problems,
        references: &[Reference],
        terms: Terms,
        named: &NamedAgent,
    ) -> Run {
        let bar = progress::bar(named.name.clone(), problems.tasks.len() * 3);
        let start = |shown: &Shown<'_>, task: &Task| named.start(shown, task.start, task.goal);
        let mut course = Course { max_moves: terms.max_moves, scratch: Scratch::new(), start };
        let passes = course.passes((world, problems), |world| named.shown(world), || bar.inc(1));
        bar.finish_and_clear();

        let is_promised = named.is_optimal(world);
        let mut tally = Tally::new(terms.check);
        let mut answers = Vec::with_capacity(problems.tasks.len());
        for (((task, reference), seen), whole) in
            problems.tasks.iter().zip(references).zip(&passes.seen).zip(&passes.whole)
        {
            let verdict = verdict(seen, whole, reference);
            tally.count(task, reference, verdict);
            let (micros, journey) = (whole.micros, Some(*seen));
            answers.push(Answer {
                verdict,
                micros,
                micros_cells: None,
                expanded: None,
                pulled: None,
                journey,
            });
        }
        let times = statistics::sorted(passes.whole.iter().map(|whole| whole.micros));
        let is_solved = |answer: &Answer| !matches!(answer.verdict, Verdict::Wrong(_));
        let solved: Vec<bool> = answers.iter().map(is_solved).collect();
        let needs = named.needs();
        Run {
            name: named.name.clone(),
            is_promised,
            broken_promises: if is_promised { tally.worse } else { 0 },
            tally,
            times: Times {
                mean: statistics::mean(&times),
                p50: statistics::percentile(&times, 50),
                p99: statistics::percentile(&times, 99),
                max: times.last().copied(),
                mean_cells: None,
                mean_distance: None,
            },
            mean_expanded: None,
            sight: Some(named.sight()),
            indexes: indexes_read(world, &needs),
            index_bytes: world.index_bytes(&needs),
            build_seconds: world.build_seconds(&needs),
            scratch_bytes: course.scratch.bytes(),
            open_bytes: course.scratch.open_bytes(),
            is_by_sight: named.is_by_sight(),
            journeys: Some(Journeys::new(&passes, &solved)),
            edit_us: None,
            answers,
        }
    }
}

/// What became of a problem: as it was seen, if the next journey was the same.
fn verdict(seen: &Journey, whole: &Whole, reference: &Reference) -> Verdict {
    match judge_journey(seen, reference.is_reachable) {
        Verdict::Path(_) | Verdict::NoPath if whole.moves != seen.moves => Verdict::Wrong(Fault::Changed),
        verdict => verdict,
    }
}

/// What was found out about each problem.
#[derive(Default)]
struct Passes {
    seen: Vec<Journey>,
    whole: Vec<Whole>,
    steps: Vec<Steps>,
}

/// A journey that was timed as a whole.
#[derive(Clone, Copy, Debug)]
struct Whole {
    micros: f64,
    moves: u64,
}

/// The times of the steps of a journey, in microseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Steps {
    largest: f64,
    /// From the beginning to the first move.
    first_move: Option<f64>,
    /// Of all steps that searched.
    searching: f64,
}

/// How an agent is made for a problem, and how far it may go.
struct Course<S> {
    max_moves: u64,
    scratch: Scratch,
    start: S,
}

impl<S: Fn(&Shown<'_>, &Task) -> Box<dyn Agent>> Course<S> {
    /// Three passes over all problems, each from the map without edits on; `shown` is what agents see of a world.
    fn passes(
        &mut self,
        (world, problems): (&World, &Problems),
        shown: impl for<'w> Fn(&'w World) -> Shown<'w>,
        tick: impl Fn(),
    ) -> Passes {
        let (mut visits, mut passes) = (Visits::default(), Passes::default());
        let mut pass = |take: &mut dyn FnMut(&mut Self, &Shown<'_>, &Task)| {
            problems.for_each_stretch(world, |stretch| {
                let shown = shown(stretch.world);
                for task in &problems.tasks[stretch.tasks] {
                    take(self, &shown, task);
                    tick();
                }
            });
        };
        pass(&mut |course, shown, task| passes.seen.push(course.look(shown, task, &mut visits)));
        pass(&mut |course, shown, task| passes.whole.push(course.time_whole(shown, task)));
        pass(&mut |course, shown, task| passes.steps.push(course.time_steps(shown, task)));
        passes
    }

    fn look(&mut self, shown: &Shown<'_>, task: &Task, visits: &mut Visits) -> Journey {
        let mut agent = (self.start)(shown, task);
        walk(shown, &mut *agent, self.max_moves, (&mut self.scratch, visits))
    }

    fn time_whole(&mut self, shown: &Shown<'_>, task: &Task) -> Whole {
        let begin = Instant::now();
        let mut agent = (self.start)(shown, task);
        let mut pace = Pace::new(&*agent, self.max_moves);
        let view = shown.view();
        while pace.goes_on(agent.step_in(view, &mut self.scratch, &mut Budget::unlimited())) {}
        let micros = begin.elapsed().as_secs_f64() * 1e6;
        black_box(&agent);
        Whole { micros, moves: pace.moves }
    }

    fn time_steps(&mut self, shown: &Shown<'_>, task: &Task) -> Steps {
        let mut steps = Steps::default();
        let begin = Instant::now();
        let mut agent = (self.start)(shown, task);
        let mut pace = Pace::new(&*agent, self.max_moves);
        loop {
            let (searches, step_begin) = (agent.searches(), Instant::now());
            let step = agent.step_in(shown.view(), &mut self.scratch, &mut Budget::unlimited());
            let (micros, so_far) = (step_begin.elapsed(), begin.elapsed());
            let micros = micros.as_secs_f64() * 1e6;
            steps.largest = steps.largest.max(micros);
            if agent.searches() != searches {
                steps.searching += micros;
            }
            if matches!(step, Step::Move(_)) && steps.first_move.is_none() {
                steps.first_move = Some(so_far.as_secs_f64() * 1e6);
            }
            if !pace.goes_on(step) {
                return steps;
            }
        }
    }
}

impl Journeys {
    /// Means a move are of journeys that were `solved`: one that was stopped is as long as it was let be.
    fn new(passes: &Passes, solved: &[bool]) -> Journeys {
        let Passes { seen, whole, steps } = passes;
        let mean_of =
            |figure: fn(&Journey) -> f64| statistics::mean(&seen.iter().map(figure).collect::<Vec<f64>>());
        let arrived = seen.iter().filter(|journey| journey.end == End::Arrived);
        let moves: Vec<f64> = arrived.map(|journey| journey.moves as f64).collect();
        let whole_solved = || whole.iter().zip(solved).filter(|(_, solved)| **solved).map(|(whole, _)| whole);
        let seen_solved = || seen.iter().zip(solved).filter(|(_, solved)| **solved).map(|(seen, _)| seen);
        let all_moves: u64 = whole_solved().map(|whole| whole.moves).sum();
        let seen_moves: u64 = seen_solved().map(|journey| journey.moves).sum();
        let work: u64 = seen_solved().map(|journey| journey.work).sum();
        let micros: f64 = whole_solved().map(|whole| whole.micros).sum();
        let searches: Option<u64> = seen.iter().map(|journey| journey.searches).sum();
        let searching: f64 = steps.iter().map(|steps| steps.searching).sum();
        let first: Vec<f64> = steps.iter().filter_map(|steps| steps.first_move).collect();
        Journeys {
            mean_moves: statistics::mean(&moves),
            us_per_move: (all_moves > 0).then(|| micros / all_moves as f64),
            max_us_per_move: steps.iter().map(|steps| steps.largest).max_by(f64::total_cmp),
            us_first_move: statistics::mean(&first),
            us_per_search: searches.filter(|all| *all > 0).map(|all| searching / all as f64),
            mean_searches: searches.filter(|_| !seen.is_empty()).map(|all| all as f64 / seen.len() as f64),
            mean_work: (seen_moves > 0).then(|| work as f64 / seen_moves as f64),
            max_work: seen.iter().map(|journey| journey.max_work).max(),
            max_thinking: seen.iter().map(|journey| journey.max_thinking).max(),
            mean_bytes: mean_of(|journey| journey.bytes as f64),
            max_bytes: seen.iter().map(|journey| journey.bytes as u64).max(),
            mean_remembered: mean_of(|journey| journey.remembered as f64),
            mean_revisits: mean_of(|journey| journey.revisits as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journey::actor::Act::{Go, Say};
    use crate::journey::actor::{Actor, cell, row};

    #[test]
    fn journeys_are_summed_up_over_all_problems_and_means_a_move_over_solved_ones() {
        let world = row();
        let think = (Say(Step::Thinking), 5);
        let straight = [think, (Go(1), 1), (Go(2), 1), (Go(3), 1), (Go(4), 1), (Say(Step::Arrived), 0)];
        let back = [think, (Go(1), 2), think, think, (Go(0), 1), (Say(Step::Stopped), 0)];
        let task = |goal, number| {
            let (start, goal) = (cell(&world, 0), cell(&world, goal));
            Task { start, goal, points: None, listed: None, line: 0, number }
        };
        let problems = Problems::of(&[task(4, 0), task(3, 1)]);
        // The goal of a task tells which of the two is played.
        let start = |_: &Shown<'_>, task: &Task| -> Box<dyn Agent> {
            Box::new(Actor::new(&world, if task.goal == cell(&world, 4) { &straight } else { &back }))
        };
        fn shown(world: &World) -> Shown<'_> {
            Shown::new(world, None)
        }
        let mut course = Course { max_moves: 100, scratch: Scratch::new(), start };
        let passes = course.passes((&world, &problems), shown, || {});
        let ends: Vec<End> = passes.seen.iter().map(|seen| seen.end).collect();
        assert_eq!(ends, [End::Arrived, End::Stopped]);
        assert_eq!(passes.whole.iter().map(|whole| whole.moves).collect::<Vec<u64>>(), [4, 2]);
        let journeys = Journeys::new(&passes, &[true, false]);
        // Only the first has arrived; one and four steps searched, and the second came back to its start.
        assert_eq!((journeys.mean_moves, journeys.mean_searches), (Some(4.0), Some(2.5)));
        assert_eq!((journeys.max_work, journeys.max_thinking), (Some(5), Some(2)));
        // Means a move are of the first, which was solved.
        assert_eq!(journeys.mean_work, Some(9.0 / 4.0));
        assert_eq!(Journeys::new(&passes, &[true, true]).mean_work, Some(27.0 / 6.0));
        assert_eq!((journeys.mean_revisits, journeys.mean_remembered), (Some(0.5), Some(2.5)));
        assert_eq!((journeys.mean_bytes, journeys.max_bytes), (Some(106.0), Some(106)));
        for time in
            [journeys.us_per_move, journeys.max_us_per_move, journeys.us_first_move, journeys.us_per_search]
        {
            assert!(time.is_some_and(|time| time > 0.0), "{journeys:?}");
        }
        // Cut short, both have been stopped after a move.
        course.max_moves = 1;
        let passes = course.passes((&world, &problems), shown, || {});
        let ends: Vec<End> = passes.seen.iter().map(|seen| seen.end).collect();
        assert_eq!(ends, [End::TooManyMoves; 2]);
        let nothing = course.passes((&world, &Problems::of(&[])), shown, || {});
        let nothing = Journeys::new(&nothing, &[]);
        assert_eq!((nothing.mean_moves, nothing.us_per_move, nothing.max_work), (None, None, None));
    }
}
