//! The benchmark on maps.

use crate::engines::{Engine, Ours, peer};
use milepost::catalog;
use milepost::plan::Astar;
use milepost::{Atlas, Budget, Cost, Grid, Planner, Point, Query, Rule, Scratch, SpaceKind, StateId};
use std::path::Path;
use std::time::{Duration, Instant};

/// Timed passes over the problems.
const PASSES: usize = 3;

/// An engine whose first pass takes longer is timed in that one alone.
const LONG_PASS: Duration = Duration::from_secs(5);

/// What a benchmark measured.
pub(crate) struct Benchmark {
    map: String,
    queries: usize,
    rows: Vec<Row>,
}

/// One engine.
struct Row {
    name: String,
    engine: Box<dyn Engine>,
    building: Duration,
    /// What it kept of the memory that it asked for while it was built.
    bytes: i64,
    /// The best time of each query, every cell of the path written out.
    answering: Vec<Duration>,
    /// The best time of each query with turning points alone, if the engine has such paths.
    turning: Option<Vec<Duration>>,
    unanswered: usize,
    illegal: usize,
    not_optimal: usize,
    /// Sum of what its paths cost over the optimum, as a fraction.
    excess: f64,
}

/// A map under a rule, with the optima of all problems.
struct Truth {
    grid: Grid,
    optima: Vec<Cost>,
}

impl Truth {
    fn new(grid: Grid, problems: &[(StateId, StateId)]) -> Truth {
        let atlas = Atlas::new(grid.clone());
        let mut scratch = Scratch::new();
        let mut optimum = |&(start, goal): &(StateId, StateId)| {
            let query = Query::new(start, goal).distance_only();
            let outcome = Astar::default().plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
            outcome.cost().unwrap_or(Cost::MAX)
        };
        let optima = problems.iter().map(&mut optimum).collect();
        Truth { grid, optima }
    }

    /// What a path costs; `None` if it is none.
    fn cost(&self, cells: &[Point], start: StateId, goal: StateId) -> Option<Cost> {
        let ends = (*cells.first()?, *cells.last()?);
        if ends != (self.grid.point(start), self.grid.point(goal)) {
            return None;
        }
        let mut cost = 0;
        for two in cells.windows(2) {
            let (dx, dy) = (two[1].x - two[0].x, two[1].y - two[0].y);
            let is_diagonal = dx != 0 && dy != 0;
            let beside = [Point::new(two[1].x, two[0].y), Point::new(two[0].x, two[1].y)];
            let is_cut = is_diagonal && !beside.iter().all(|&at| self.grid.is_free_at(at));
            let is_step = dx.abs().max(dy.abs()) <= 1 && self.grid.is_free_at(two[1]);
            if !is_step || is_cut && self.grid.rule() != Rule::OctileCutting {
                return None;
            }
            let scale = self.grid.scale();
            cost += match (dx, dy) {
                (0, 0) => 0,
                _ if is_diagonal => scale.diagonal(),
                _ => scale.straight(),
            };
        }
        Some(Cost::new(cost))
    }
}

/// All engines on all problems: one pass to warm up and to judge the paths, then timed ones. Of a query's times the best
/// counts.
pub(crate) fn benchmark(
    map: &Path,
    scenario: &Path,
    every: usize,
    planners: &[String],
    peers: &[String],
) -> Result<Benchmark, String> {
    let tiles = milepost_maps::read_map(map).map_err(|error| error.to_string())?;
    let grid = tiles.grid(Rule::Octile).map_err(|error| error.to_string())?;
    let listed = milepost_maps::read_scenario(scenario).map_err(|error| error.to_string())?;
    let state = |(x, y): (u32, u32)| grid.state_at(Point::new(x.into(), y.into()));
    let problems: Vec<(StateId, StateId)> = listed
        .iter()
        .step_by(every)
        .filter_map(|problem| Some((state(problem.start)?, state(problem.goal)?)))
        .filter(|&(start, goal)| grid.component(start).is_some_and(|c| grid.component(goal) == Some(c)))
        .collect();

    let mut rows = Vec::new();
    for name in planners {
        let planner = catalog::planner(name).map_err(|error| error.to_string())?;
        rows.push(Row::new(format!("milepost {name}"), || Ok(Box::new(Ours::new(planner, &tiles)?)))?);
    }
    for name in peers {
        eprintln!("building {name}");
        rows.push(Row::new(name.clone(), || peer(name, &tiles, &grid))?);
    }
    for rule in [Rule::Octile, Rule::OctileCutting] {
        if rows.iter().any(|row| row.engine.rule() == rule) {
            let truth = Truth::new(grid.with_rule(rule), &problems);
            rows.iter_mut()
                .filter(|row| row.engine.rule() == rule)
                .for_each(|row| row.judge(&truth, &problems));
        }
    }
    for row in rows.iter_mut().filter(|row| row.answering.iter().sum::<Duration>() < LONG_PASS) {
        (0..PASSES).for_each(|_| row.time(&problems));
    }
    let map = map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Benchmark { map, queries: problems.len(), rows })
}

impl Row {
    fn new(name: String, build: impl FnOnce() -> Result<Box<dyn Engine>, String>) -> Result<Row, String> {
        let mut built = None;
        let clock = Instant::now();
        let memory = allocation_counter::measure(|| built = Some(build()));
        let building = clock.elapsed();
        let engine =
            built.ok_or("the builder did not run")?.map_err(|message| format!("{name}: {message}"))?;
        let bytes = engine.known_bytes().unwrap_or(memory.bytes_current);
        Ok(Row {
            name,
            engine,
            building,
            bytes,
            answering: Vec::new(),
            turning: None,
            unanswered: 0,
            illegal: 0,
            not_optimal: 0,
            excess: 0.0,
        })
    }

    fn judge(&mut self, truth: &Truth, problems: &[(StateId, StateId)]) {
        self.answering = vec![Duration::MAX; problems.len()];
        let both = problems.iter().zip(&truth.optima).zip(&mut self.answering);
        for ((&(start, goal), &optimum), time) in both {
            let clock = Instant::now();
            let is_found = self.engine.find(start, goal);
            *time = clock.elapsed();
            if !is_found {
                self.unanswered += 1;
                continue;
            }
            match truth.cost(&self.engine.cells(), start, goal) {
                None => self.illegal += 1,
                Some(cost) if cost > optimum => {
                    self.not_optimal += 1;
                    self.excess += cost.units() as f64 / optimum.units().max(1) as f64 - 1.0;
                }
                Some(_) => {}
            }
        }
    }

    fn time(&mut self, problems: &[(StateId, StateId)]) {
        for (&(start, goal), best) in problems.iter().zip(&mut self.answering) {
            let clock = Instant::now();
            self.engine.find(start, goal);
            *best = clock.elapsed().min(*best);
        }
        let mut turning = self.turning.take().unwrap_or_else(|| vec![Duration::MAX; problems.len()]);
        for (&(start, goal), best) in problems.iter().zip(&mut turning) {
            let clock = Instant::now();
            if self.engine.find_turns(start, goal).is_none() {
                return;
            }
            *best = clock.elapsed().min(*best);
        }
        self.turning = Some(turning);
    }
}

impl Benchmark {
    fn mean_us(&self, row: &Row) -> f64 {
        self.mean(&row.answering)
    }

    /// With turning points alone.
    fn mean_us_turns(&self, row: &Row) -> Option<f64> {
        row.turning.as_ref().map(|times| self.mean(times))
    }

    fn mean(&self, times: &[Duration]) -> f64 {
        times.iter().sum::<Duration>().as_secs_f64() * 1e6 / self.queries.max(1) as f64
    }

    /// Every engine with its times: turning points, all cells.
    pub(crate) fn times(&self) -> impl Iterator<Item = (&str, Option<f64>, f64)> {
        self.rows.iter().map(|row| (row.name.as_str(), self.mean_us_turns(row), self.mean_us(row)))
    }

    fn excess_percent(&self, row: &Row) -> f64 {
        let answered = self.queries - row.unanswered - row.illegal;
        100.0 * row.excess / answered.max(1) as f64
    }

    pub(crate) fn show(&self) {
        println!(
            "{}, {} queries, best of {PASSES} (of one, if that takes over {} s)",
            self.map,
            self.queries,
            LONG_PASS.as_secs()
        );
        println!(
            "{:26} {:>10} {:>10} {:>9} {:>9} {:>12} {:>11} {:>9} {:>8}",
            "engine",
            "us, turns",
            "us, cells",
            "build s",
            "MB",
            "not optimal",
            "too long %",
            "no path",
            "illegal"
        );
        for row in &self.rows {
            println!(
                "{:26} {:>10} {:10.2} {:9.2} {:9.1} {:12} {:11.2} {:9} {:8}",
                row.name,
                self.mean_us_turns(row).map_or("-".to_owned(), |mean| format!("{mean:.2}")),
                self.mean_us(row),
                row.building.as_secs_f64(),
                row.bytes as f64 / 1e6,
                row.not_optimal,
                self.excess_percent(row),
                row.unanswered,
                row.illegal
            );
        }
        for row in self.rows.iter().filter(|row| !row.engine.remark().is_empty()) {
            println!("  {}: {}", row.name, row.engine.remark());
        }
        println!("  MB: what the engine keeps of the memory it asked for while it was built\n");
    }

    pub(crate) fn to_json(&self) -> serde_json::Value {
        let rows = self.rows.iter().map(|row| {
            serde_json::json!({
                "name": row.name,
                "mean_us": self.mean_us(row),
                "mean_us_turns": self.mean_us_turns(row),
                "build_seconds": row.building.as_secs_f64(),
                "bytes": row.bytes,
                "not_optimal": row.not_optimal,
                "mean_excess_percent": self.excess_percent(row),
                "unanswered": row.unanswered,
                "illegal": row.illegal,
                "judged_by": row.engine.rule().name(),
            })
        });
        serde_json::json!({ "map": self.map, "queries": self.queries, "engines": rows.collect::<Vec<_>>() })
    }
}

/// The geometric means of each engine's times over several maps, and how they compare with one engine.
pub(crate) fn show_means(benchmarks: &[Benchmark], against: &str) {
    let Some(first) = benchmarks.first().filter(|_| benchmarks.len() > 1) else { return };
    let mean = |name: &str, pick: fn(Option<f64>, f64) -> Option<f64>| {
        let logarithms = benchmarks.iter().map(|benchmark| {
            let (_, turns, cells) = benchmark.times().find(|(other, ..)| *other == name)?;
            Some(pick(turns, cells)?.ln())
        });
        let sum: Option<f64> = logarithms.sum();
        sum.map(|sum| (sum / benchmarks.len() as f64).exp())
    };
    let yardstick = mean(against, |_, cells| Some(cells));
    println!("geometric means of {} maps, and how many times faster than {against}", benchmarks.len());
    println!("{:26} {:>10} {:>9} {:>10} {:>9}", "engine", "us, turns", "times", "us, cells", "times");
    for (name, ..) in first.times() {
        let column = |time: Option<f64>| match (time, yardstick) {
            (Some(time), Some(yardstick)) => format!("{time:10.2} {:9.0}", yardstick / time),
            (Some(time), None) => format!("{time:10.2} {:>9}", "-"),
            (None, _) => format!("{:>10} {:>9}", "-", "-"),
        };
        println!(
            "{name:26} {} {}",
            column(mean(name, |turns, _| turns)),
            column(mean(name, |_, cells| Some(cells)))
        );
    }
}
