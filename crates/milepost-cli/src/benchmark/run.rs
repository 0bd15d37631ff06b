//! One planner on all problems: one pass to warm up and to check every path, then three that are timed. Of a
//! query's three times the best counts; everything happens on one thread.

use super::check::{Fault, Verdict, judge};
use super::journeys::Journeys;
use super::problems::Task;
use super::reference::Reference;
use super::tally::Tally;
use super::{Terms, statistics};
use crate::names::Named;
use crate::progress;
use crate::world::World;
use milepost::{Budget, Outcome, Planner, Query, Scratch, StateId};
use std::hint::black_box;
use std::time::Instant;

/// Timed passes over the problems.
const PASSES: usize = 3;

/// What came of one planner or agent.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) name: String,
    /// Whether it promises optimal paths under this rule.
    pub(super) is_promised: bool,
    /// Costs above the optimum in spite of the promise.
    pub(super) broken_promises: usize,
    pub(super) tally: Tally,
    pub(super) times: Times,
    pub(super) mean_expanded: Option<f64>,
    /// Bytes of the sections that it reads.
    pub(super) index_bytes: u64,
    /// What it took to build them; none if they came from a file.
    pub(super) build_seconds: Option<f64>,
    pub(super) scratch_bytes: usize,
    pub(super) open_bytes: usize,
    /// Of an agent only.
    pub(super) journeys: Option<Journeys>,
}

/// Microseconds of a query, or of a journey.
#[derive(Debug)]
pub(super) struct Times {
    pub(super) mean: Option<f64>,
    pub(super) p50: Option<f64>,
    pub(super) p99: Option<f64>,
    pub(super) max: Option<f64>,
    /// Mean with every cell of the path written out.
    pub(super) mean_cells: Option<f64>,
}

impl Run {
    /// Lets a planner run.
    pub(super) fn of_planner(
        world: &World,
        tasks: &[Task],
        references: &[Reference],
        terms: Terms,
        named: &Named,
    ) -> Run {
        let mut course = Course::new(world, tasks, &*named.planner);
        let bar = progress::bar(named.name.clone(), tasks.len() * (1 + PASSES));
        course.warm_up(references, || bar.inc(1));
        for _ in 0..PASSES {
            course.time(|| bar.inc(1));
        }
        bar.finish_and_clear();
        course.finish(references, terms, named)
    }
}

/// A run that is under way.
struct Course<'a> {
    world: &'a World,
    tasks: &'a [Task],
    planner: &'a dyn Planner,
    scratch: Scratch,
    cells: Vec<StateId>,
    /// What the warm-up pass was told, and how many turning points its path had.
    outcomes: Vec<(Outcome, usize)>,
    verdicts: Vec<Verdict>,
    expanded: u64,
    /// The best times so far, in microseconds: the query, and the query with its cells.
    best: Vec<(f64, f64)>,
}

impl<'a> Course<'a> {
    fn new(world: &'a World, tasks: &'a [Task], planner: &'a dyn Planner) -> Course<'a> {
        Course {
            world,
            tasks,
            planner,
            scratch: Scratch::new(),
            cells: Vec::new(),
            outcomes: Vec::with_capacity(tasks.len()),
            verdicts: Vec::with_capacity(tasks.len()),
            expanded: 0,
            best: vec![(f64::INFINITY, f64::INFINITY); tasks.len()],
        }
    }

    fn warm_up(&mut self, references: &[Reference], tick: impl Fn()) {
        let atlas = &self.world.atlas;
        for (task, reference) in self.tasks.iter().zip(references) {
            let query = Query::new(task.start, task.goal);
            let outcome = self.planner.plan(atlas, &query, &mut self.scratch, &mut Budget::unlimited());
            let path = self.scratch.path();
            self.outcomes.push((outcome, path.waypoints().len()));
            self.verdicts.push(judge(self.world, task, reference.is_reachable, outcome, path));
            // Without a search the scratch still tells of the last one.
            if outcome != Outcome::Unreachable {
                self.expanded += self.scratch.search().expanded();
            }
            tick();
        }
    }

    fn time(&mut self, tick: impl Fn()) {
        let atlas = &self.world.atlas;
        for (index, task) in self.tasks.iter().enumerate() {
            let query = Query::new(task.start, task.goal);
            let begin = Instant::now();
            let outcome = self.planner.plan(atlas, &query, &mut self.scratch, &mut Budget::unlimited());
            let planned = begin.elapsed();
            atlas.space().write_cells(self.scratch.path(), &mut self.cells);
            black_box(&self.cells);
            let written = begin.elapsed();
            let best = &mut self.best[index];
            best.0 = best.0.min(planned.as_secs_f64() * 1e6);
            best.1 = best.1.min(written.as_secs_f64() * 1e6);
            if self.outcomes[index] != (outcome, self.scratch.path().waypoints().len()) {
                self.verdicts[index] = Verdict::Wrong(Fault::Changed);
            }
            tick();
        }
    }

    fn finish(self, references: &[Reference], terms: Terms, named: &Named) -> Run {
        let is_promised = named.planner.is_optimal(self.world.atlas.space());
        let mut tally = Tally::new(self.world.scale(), terms.check);
        for ((task, reference), verdict) in self.tasks.iter().zip(references).zip(&self.verdicts) {
            tally.count(task, reference, *verdict);
        }
        let planned = statistics::sorted(self.best.iter().map(|best| best.0));
        let written: Vec<f64> = self.best.iter().map(|best| best.1).collect();
        let queries = self.tasks.len();
        Run {
            name: named.name.clone(),
            is_promised,
            broken_promises: if is_promised { tally.worse } else { 0 },
            tally,
            times: Times {
                mean: statistics::mean(&planned),
                p50: statistics::percentile(&planned, 50),
                p99: statistics::percentile(&planned, 99),
                max: planned.last().copied(),
                mean_cells: statistics::mean(&written),
            },
            mean_expanded: (queries > 0).then(|| self.expanded as f64 / queries as f64),
            index_bytes: self.world.index_bytes(&named.needs()),
            build_seconds: self.world.build_seconds(&named.needs()),
            scratch_bytes: self.scratch.bytes(),
            open_bytes: self.scratch.open_bytes(),
            journeys: None,
        }
    }
}
