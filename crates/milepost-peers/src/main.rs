//! Milepost's `astar` against the `pathfinding` crate's on the same problems, in one run.
//!
//! `cargo run --release --manifest-path crates/milepost-peers/Cargo.toml -- MAP.map MAP.map.scen [--every K] [--json]`
//! `cargo run --release --manifest-path crates/milepost-peers/Cargo.toml -- GRAPH.gr [--queries N] [--json]`
//!
//! On maps both move by the rule `octile` (no corner cutting), both write every cell of the path out. The peer is given
//! Milepost's own neighbours and integer costs, which are faster than a table of cells would be, so that the race is
//! about the search alone and the answers can be compared exactly. On graphs both get the same successors and the same
//! estimate, and random problems.

mod graphs;

use milepost::core::Expander;
use milepost::plan::Astar;
use milepost::{Atlas, Budget, Outcome, Planner, Point, Query, Rule, Scratch, StateId, files};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

struct Arguments {
    files: Vec<PathBuf>,
    every: usize,
    queries: usize,
    json: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments { files: Vec::new(), every: 1, queries: 50, json: false };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let number = |given: &mut dyn Iterator<Item = String>| {
            let number = given.next().and_then(|text| text.parse().ok()).filter(|&number| number > 0);
            number.ok_or(format!("{argument} needs a number of at least 1"))
        };
        match argument.as_str() {
            "--json" => arguments.json = true,
            "--every" => arguments.every = number(&mut given)?,
            "--queries" => arguments.queries = number(&mut given)?,
            _ => arguments.files.push(PathBuf::from(argument)),
        }
    }
    Ok(arguments)
}

fn run() -> Result<(), String> {
    let Arguments { files, every, queries, json } = arguments()?;
    let mut rows = Vec::new();
    let mut rest = files.as_slice();
    while let [first, others @ ..] = rest {
        let is_graph = first.extension().is_some_and(|ending| ending == "gr");
        let row = match others {
            _ if is_graph => graphs::race(first, queries)?,
            [scenario, ..] => race(first, scenario, every)?,
            [] => return Err("expected MAP.map MAP.map.scen, or GRAPH.gr".to_owned()),
        };
        rest = if is_graph { others } else { &others[1..] };
        if !json {
            println!(
                "{:24} {:5} queries  milepost astar {:9.1} us  pathfinding astar {:9.1} us  ratio {:.2}  scratch {:.1} B a state number",
                row.map,
                row.queries,
                row.ours_us,
                row.theirs_us,
                row.theirs_us / row.ours_us,
                row.scratch_bytes_per_id
            );
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Err("expected MAP.map MAP.map.scen, or GRAPH.gr".to_owned());
    }
    if json {
        let rows: Vec<_> = rows.iter().map(Row::to_json).collect();
        println!("{}", serde_json::json!({ "runs": rows }));
    }
    Ok(())
}

struct Row {
    map: String,
    queries: usize,
    ours_us: f64,
    theirs_us: f64,
    scratch_bytes_per_id: f64,
}

impl Row {
    fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "map": self.map,
            "queries": self.queries,
            "milepost_us": self.ours_us,
            "pathfinding_us": self.theirs_us,
            "ratio": self.theirs_us / self.ours_us,
            "scratch_bytes_per_state_number": self.scratch_bytes_per_id,
        })
    }
}

/// Both engines on every problem in turn, so that a slow moment of the machine hits both.
fn race(map: &Path, scenario: &Path, every: usize) -> Result<Row, String> {
    let tiles = files::read_map(map).map_err(|error| error.to_string())?;
    let grid = tiles.grid(Rule::Octile).map_err(|error| error.to_string())?;
    let atlas = Atlas::new(grid.clone());
    let problems = files::read_scenario(scenario).map_err(|error| error.to_string())?;
    let state = |(x, y): (u32, u32)| atlas.state_at(Point::new(x.into(), y.into()));
    let queries: Vec<(StateId, StateId)> = problems
        .iter()
        .step_by(every)
        .filter_map(|problem| Some((state(problem.start)?, state(problem.goal)?)))
        .filter(|&(start, goal)| {
            atlas.space().component(start).is_some_and(|c| atlas.space().component(goal) == Some(c))
        })
        .collect();

    let peer = Peer::new(&grid);
    let mut scratch = Scratch::new();
    let mut cells = Vec::new();
    let (mut ours, mut theirs) = (Duration::ZERO, Duration::ZERO);
    for &(start, goal) in &queries {
        let clock = Instant::now();
        let outcome =
            Astar::default().plan(&atlas, &Query::new(start, goal), &mut scratch, &mut Budget::unlimited());
        cells.clear();
        cells.extend(atlas.space().cells(scratch.path()));
        ours += clock.elapsed();

        let clock = Instant::now();
        let answer = peer.astar(start, goal);
        theirs += clock.elapsed();

        let Outcome::Found { cost, .. } = outcome else {
            return Err(format!("milepost found no path: {outcome:?}"));
        };
        match answer {
            Some((path, peer_cost)) if peer_cost == cost.units() && path.first() == cells.first() => {}
            answer => return Err(format!("costs differ: {cost:?} and {:?}", answer.map(|(_, cost)| cost))),
        }
    }
    let count = queries.len().max(1) as f64;
    Ok(Row {
        map: map.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        queries: queries.len(),
        ours_us: ours.as_secs_f64() * 1e6 / count,
        theirs_us: theirs.as_secs_f64() * 1e6 / count,
        scratch_bytes_per_id: scratch.bytes() as f64 / grid.id_bound() as f64,
    })
}

/// The map as the `pathfinding` crate sees it: successors with costs, and an estimate.
struct Peer<'a> {
    grid: &'a milepost::Grid,
    straight: u64,
    diagonal: u64,
}

impl<'a> Peer<'a> {
    fn new(grid: &'a milepost::Grid) -> Peer<'a> {
        Peer { grid, straight: grid.scale().straight(), diagonal: grid.scale().diagonal() }
    }

    fn astar(&self, start: StateId, goal: StateId) -> Option<(Vec<StateId>, u64)> {
        let moves = self.grid.moves();
        let target = self.grid.point(goal);
        pathfinding::directed::astar::astar(
            &start,
            |&state| {
                let mut children = [(StateId::NONE, 0); 8];
                let mut count = 0;
                moves.expand(state, None, |child, cost| {
                    children[count] = (child, cost.units());
                    count += 1;
                });
                children.into_iter().take(count)
            },
            |&state| {
                let at = self.grid.point(state);
                let (dx, dy) = (at.x.abs_diff(target.x), at.y.abs_diff(target.y));
                dx.max(dy) * self.straight + dx.min(dy) * (self.diagonal - self.straight)
            },
            |&state| state == goal,
        )
    }
}
