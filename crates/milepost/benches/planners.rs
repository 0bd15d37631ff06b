//! Planners on real maps: mean time of a query and its 99th percentile, with all cells written, for the cost alone, and an
//! entry of a matrix of distances; and what their indexes take. Each kind of query has passes of its own, so that none finds the
//! branches that another has left, and counts the best time of each problem.
//!
//! `MILEPOST_MAPS=FOLDER cargo bench --bench planners -- dao/brc202d sc1/Inferno --planners corner-labels --passes 5`

use milepost::build::{SILENT, add_index};
use milepost::catalog::{AnyPlanner, planner};
use milepost::{Atlas, Budget, Point, Query, Rule, Scratch, StateId};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

fn main() {
    let Some(folder) = std::env::var_os("MILEPOST_MAPS") else {
        println!("skipped: MILEPOST_MAPS is unset");
        return;
    };
    let (mut maps, mut planners, mut passes) = (Vec::new(), "jps-plus-bounds,corner-labels".to_owned(), 3);
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        match word.as_str() {
            "--planners" => planners = words.next().unwrap_or_default(),
            "--passes" => passes = words.next().and_then(|word| word.parse().ok()).unwrap_or(passes),
            _ => maps.push(word),
        }
    }
    if maps.is_empty() {
        maps = ["dao/brc202d", "dao/orz900d", "sc1/ArcticStation"].map(str::to_owned).into();
    }
    println!(
        "{:<20} {:>16} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>10}",
        "map", "planner", "build s", "B/state", "us", "us p99", "us cells", "us cost", "work", "ns matrix"
    );
    for map in maps {
        for name in planners.split(',') {
            let planner = planner(name).unwrap_or_else(|error| panic!("{error}"));
            measure(Path::new(&folder), &map, name, &planner, passes);
        }
    }
}

fn measure(folder: &Path, map: &str, name: &str, planner: &AnyPlanner, passes: u32) {
    let tiles =
        milepost_maps::read_map(folder.join(format!("{map}.map"))).unwrap_or_else(|error| panic!("{error}"));
    let problems = milepost_maps::read_scenario(folder.join(format!("{map}.map.scen")))
        .unwrap_or_else(|error| panic!("{error}"));
    let mut atlas = Atlas::new(tiles.grid(Rule::Octile).expect("a map that fits"));
    let begin = Instant::now();
    for &kind in planner.needs() {
        match add_index(&atlas, kind, SILENT, None) {
            Ok(built) => atlas = built,
            Err(error) => return println!("{map:<20} {name:>16} {error}"),
        }
    }
    let built = begin.elapsed().as_secs_f64();
    let file = atlas.to_bytes().len() as f64 / f64::from(atlas.space().states());
    let cell = |(x, y): (u32, u32)| atlas.state_at(Point::new(x.into(), y.into())).expect("inside the map");
    let queries: Vec<(StateId, StateId)> =
        problems.iter().map(|problem| (cell(problem.start), cell(problem.goal))).collect();
    let mut times = Times { atlas: &atlas, planner, scratch: Scratch::new(), cells: Vec::new() };
    let work: u64 = queries.iter().map(|&ends| times.work(ends)).sum();
    let kinds = if planner.knows_distances() { 3 } else { 2 };
    // The best time of each query, in microseconds: other programs disturb the others. Twice in a row, since the first pass
    // finds the caches as another kind has left them.
    let mut best = vec![[f64::INFINITY; 3]; queries.len()];
    for _ in 0..passes {
        for kind in (0..kinds).flat_map(|kind| [kind, kind]) {
            for (&ends, best) in queries.iter().zip(&mut best) {
                best[kind] = best[kind].min(times.query(kind, ends));
            }
        }
    }
    let count = queries.len().max(1) as f64;
    let mean = |kind: usize| best.iter().map(|best| best[kind]).sum::<f64>() / count;
    let mut waypoints: Vec<f64> = best.iter().map(|best| best[0]).collect();
    waypoints.sort_by(f64::total_cmp);
    let p99 = waypoints.get(waypoints.len() * 99 / 100).copied().unwrap_or(0.0);
    let [cost, matrix] = match kinds {
        3 => [format!("{:.3}", mean(2)), format!("{:.1}", times.matrix(&queries, passes))],
        _ => ["-".to_owned(), "-".to_owned()],
    };
    println!(
        "{map:<20} {name:>16} {built:>8.3} {file:>8.1} {:>8.3} {p99:>8.3} {:>9.3} {cost:>9} {:>8.1} {matrix:>10}",
        mean(0),
        mean(1),
        work as f64 / count
    );
}

/// What is timed.
struct Times<'a> {
    atlas: &'a Atlas,
    planner: &'a AnyPlanner,
    scratch: Scratch,
    cells: Vec<StateId>,
}

/// Ends of a matrix, on either side.
const ENDS: usize = 50;

impl Times<'_> {
    /// Units of a query.
    fn work(&mut self, (start, goal): (StateId, StateId)) -> u64 {
        let mut budget = Budget::unlimited();
        self.planner.plan(self.atlas, &Query::new(start, goal), &mut self.scratch, &mut budget);
        budget.spent()
    }

    /// Microseconds of a query: for turning points, for all cells, or for the cost alone.
    fn query(&mut self, kind: usize, (start, goal): (StateId, StateId)) -> f64 {
        let begin = Instant::now();
        let query = Query { distance_only: kind == 2, ..Query::new(start, goal) };
        black_box(self.planner.plan(self.atlas, &query, &mut self.scratch, &mut Budget::unlimited()));
        if kind == 1 {
            self.atlas.space().write_cells(self.scratch.path(), &mut self.cells);
            black_box(&self.cells);
        }
        begin.elapsed().as_secs_f64() * 1e6
    }

    /// Nanoseconds of an entry of a matrix between the ends of some of the problems.
    fn matrix(&mut self, queries: &[(StateId, StateId)], passes: u32) -> f64 {
        let some = || queries.iter().step_by((queries.len() / ENDS).max(1)).take(ENDS);
        let (from, to): (Vec<StateId>, Vec<StateId>) = some().copied().unzip();
        let mut costs = vec![None; from.len() * to.len()];
        let mut best = f64::INFINITY;
        for _ in 0..=passes {
            let begin = Instant::now();
            self.atlas.distance_matrix(&from, &to, &mut costs, &mut self.scratch);
            black_box(&costs);
            best = best.min(begin.elapsed().as_secs_f64() * 1e9);
        }
        best / costs.len().max(1) as f64
    }
}
