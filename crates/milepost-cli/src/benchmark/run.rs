//! One planner on all problems: one pass to warm up and to check every path, then three that are timed. Of a
//! query's three times the best counts; everything happens on one thread.

use super::check::{Fault, Verdict, judge};
use super::journeys::Journeys;
use super::problems::{Problems, Stretch};
use super::reference::Reference;
use super::tally::Tally;
use super::{Terms, statistics};
use crate::args::Sight;
use crate::contestants::Candidate;
use crate::journey::Journey;
use crate::names::{self, Named};
use crate::progress;
use crate::world::World;
use milepost::index::IndexSpec;
use milepost::{Budget, Outcome, Planner, Scratch, StateId};
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
    /// How far an agent sees; none for a planner.
    pub(super) sight: Option<Sight>,
    /// The indexes that it reads, without what comes along with them; empty without any.
    pub(super) indexes: String,
    /// Bytes of the sections that it reads.
    pub(super) index_bytes: u64,
    /// What it took to build them, in seconds; none if they came from a file.
    pub(super) build_seconds: Option<f64>,
    pub(super) scratch_bytes: usize,
    pub(super) open_bytes: usize,
    /// Whether it is an agent that finds its way by what it sees.
    pub(super) is_by_sight: bool,
    /// Of an agent only.
    pub(super) journeys: Option<Journeys>,
    /// The longest time from an edit of the map to the first answer after it, in microseconds; none without edits.
    pub(super) edit_us: Option<f64>,
    /// One for each problem.
    pub(super) answers: Vec<Answer>,
}

/// What came of one problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) verdict: Verdict,
    /// Microseconds of the query, or of the journey.
    pub(super) micros: f64,
    /// Microseconds with every cell of the path written out; of planners only.
    pub(super) micros_cells: Option<f64>,
    /// States that were expanded; of planners only.
    pub(super) expanded: Option<u64>,
    /// On a mesh what the path costs once it is pulled tight.
    pub(super) pulled: Option<f64>,
    /// Of an agent only.
    pub(super) journey: Option<Journey>,
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
    /// Mean without the path.
    pub(super) mean_distance: Option<f64>,
}

/// The names of those indexes that are there to be read.
pub(super) fn indexes_read(world: &World, needs: &[IndexSpec]) -> String {
    let there: Vec<IndexSpec> = needs.iter().filter(|index| world.atlas.has(**index)).copied().collect();
    names::without_needs(&there)
}

impl Run {
    /// Lets a planner run.
    pub(super) fn of_planner(
        world: &World,
        problems: &Problems,
        references: &[Reference],
        terms: Terms,
        named: &Named,
    ) -> Run {
        let mut course = Course::new(problems, &*named.planner);
        let bar = progress::bar(named.name.clone(), problems.tasks.len() * (1 + PASSES));
        problems.for_each_stretch(world, |stretch| course.warm_up(&stretch, references, || bar.inc(1)));
        for _ in 0..PASSES {
            let mut edits = 0;
            problems.for_each_stretch(world, |stretch| {
                course.time(&stretch, edits, || bar.inc(1));
                edits += usize::from(stretch.edited.is_some());
            });
        }
        bar.finish_and_clear();
        course.finish(world, references, terms, named)
    }
}

impl Run {
    /// What paths over a mesh cost once they are pulled tight, the mean; none where none is pulled.
    pub(super) fn mean_pulled(&self) -> Option<f64> {
        statistics::mean(&self.answers.iter().filter_map(|answer| answer.pulled).collect::<Vec<f64>>())
    }
}

/// A run that is under way.
struct Course<'a> {
    problems: &'a Problems,
    planner: &'a dyn Planner,
    scratch: Scratch,
    cells: Vec<StateId>,
    /// What the warm-up pass was told, how many turning points its path had, and how many states were expanded.
    outcomes: Vec<(Outcome, usize, u64)>,
    verdicts: Vec<Verdict>,
    /// What the paths cost once they are pulled tight; none for those that cannot be.
    pulled: Vec<Option<f64>>,
    /// The best times so far, in microseconds: the query, the query with its cells, and the query for the cost alone.
    best: Vec<[f64; 3]>,
    /// The same from each edit to the first answer after it.
    best_edits: Vec<f64>,
}

impl<'a> Course<'a> {
    fn new(problems: &'a Problems, planner: &'a dyn Planner) -> Course<'a> {
        let queries = problems.tasks.len();
        Course {
            problems,
            planner,
            scratch: Scratch::new(),
            cells: Vec::new(),
            outcomes: Vec::with_capacity(queries),
            verdicts: Vec::with_capacity(queries),
            pulled: Vec::with_capacity(queries),
            best: vec![[f64::INFINITY; 3]; queries],
            best_edits: Vec::new(),
        }
    }

    fn warm_up(&mut self, stretch: &Stretch<'_>, references: &[Reference], tick: impl Fn()) {
        let world = stretch.world;
        for index in stretch.tasks.clone() {
            let (task, reference) = (&self.problems.tasks[index], &references[index]);
            let query = task.query();
            let outcome =
                self.planner.plan(&world.atlas, &query, &mut self.scratch, &mut Budget::unlimited());
            let path = self.scratch.path();
            // Without a search the scratch still tells of the last one.
            let is_searched = outcome != Outcome::Unreachable;
            let expanded = if is_searched { self.scratch.search().expanded() } else { 0 };
            self.outcomes.push((outcome, path.waypoints().len(), expanded));
            self.pulled.push(path.pulled_cost().filter(|_| outcome.cost().is_some()));
            self.verdicts.push(judge(world, task, reference.is_reachable, outcome, path));
            tick();
        }
    }

    /// Times a stretch, before which the map was edited so often.
    fn time(&mut self, stretch: &Stretch<'_>, edits: usize, tick: impl Fn()) {
        let (atlas, mut edited) = (&stretch.world.atlas, stretch.edited);
        for index in stretch.tasks.clone() {
            let task = &self.problems.tasks[index];
            let query = task.query();
            let begin = Instant::now();
            let outcome = self.planner.plan(atlas, &query, &mut self.scratch, &mut Budget::unlimited());
            let planned = begin.elapsed();
            if let Some(edited) = edited.take() {
                self.best_edits.resize(self.best_edits.len().max(edits + 1), f64::INFINITY);
                let best = &mut self.best_edits[edits];
                *best = best.min(edited.elapsed().as_secs_f64() * 1e6);
            }
            atlas.space().write_cells(self.scratch.path(), &mut self.cells);
            black_box(&self.cells);
            let written = begin.elapsed();
            let (expected, waypoints, _) = self.outcomes[index];
            let is_same = (expected, waypoints) == (outcome, self.scratch.path().waypoints().len());
            let times = [planned, written].map(|time| time.as_secs_f64() * 1e6);
            self.best[index].iter_mut().zip(times).for_each(|(best, time)| *best = best.min(time));
            let mut has_same_cost = true;
            if self.planner.knows_distances() {
                let begin = Instant::now();
                let query = query.distance_only();
                let distance = self.planner.plan(atlas, &query, &mut self.scratch, &mut Budget::unlimited());
                let best = &mut self.best[index][2];
                *best = best.min(begin.elapsed().as_secs_f64() * 1e6);
                has_same_cost = distance.cost() == outcome.cost();
            }
            if !is_same || !has_same_cost {
                self.verdicts[index] = Verdict::Wrong(Fault::Changed);
            }
            tick();
        }
    }

    fn finish(self, world: &World, references: &[Reference], terms: Terms, named: &Named) -> Run {
        let is_promised = named.planner.is_optimal(world.space());
        let mut tally = Tally::new(terms.check);
        for ((task, reference), verdict) in self.problems.tasks.iter().zip(references).zip(&self.verdicts) {
            tally.count(task, reference, *verdict);
        }
        let planned = statistics::sorted(self.best.iter().map(|best| best[0]));
        let mean_of = |time: usize| {
            let times: Vec<f64> = self.best.iter().map(|best| best[time]).collect();
            statistics::mean(&times)
        };
        let queries = self.problems.tasks.len();
        let expanded: u64 = self.outcomes.iter().map(|(_, _, expanded)| expanded).sum();
        let answers = self.verdicts.iter().zip(&self.best).zip(&self.outcomes).zip(&self.pulled);
        let answers = answers.map(|(((verdict, best), (_, _, expanded)), pulled)| Answer {
            verdict: *verdict,
            micros: best[0],
            micros_cells: Some(best[1]),
            expanded: Some(*expanded),
            pulled: *pulled,
            journey: None,
        });
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
                mean_cells: mean_of(1),
                mean_distance: self.planner.knows_distances().then(|| mean_of(2)).flatten(),
            },
            mean_expanded: (queries > 0).then(|| expanded as f64 / queries as f64),
            sight: None,
            indexes: indexes_read(world, &named.needs()),
            index_bytes: world.index_bytes(&named.needs()),
            build_seconds: world.build_seconds(&named.needs()),
            scratch_bytes: self.scratch.bytes(),
            open_bytes: self.scratch.open_bytes(),
            is_by_sight: false,
            journeys: None,
            edit_us: self.best_edits.iter().copied().max_by(f64::total_cmp),
            answers: answers.collect(),
        }
    }
}
