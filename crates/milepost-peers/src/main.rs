//! Milepost's planners against other engines on the same problems, in one run.
//!
//! `cargo run --release --manifest-path crates/milepost-peers/Cargo.toml -- MAP.map MAP.map.scen [--every K]
//! [--planners LIST] [--peers LIST] [--json]`
//! `cargo run --release --manifest-path crates/milepost-peers/Cargo.toml -- GRAPH.gr [--queries N] [--json]`
//! `cargo run --release --manifest-path crates/milepost-peers/Cargo.toml -- MAP.mesh [MAP.map.scen] [--queries N] [--json]`
//!
//! On maps every engine writes every cell of its paths out; Milepost is also timed with turning points alone. Milepost, `pathfinding` and `fast_paths` move by the rule
//! `octile` (no corner cutting) and are given the same integer costs, so that their answers can be compared exactly;
//! `pathfinding` is given Milepost's own neighbours, which are faster than a table of cells would be, so that the benchmark
//! is about the search alone. The others solve an easier problem, which the table says. On graphs Milepost's `astar`
//! and `pathfinding` get the same successors and the same estimate, and random problems. On meshes `astar-bounds` is held against
//! `polyanya`, and against the paths of a grid where the scenario of the same map follows.

mod engines;
mod graphs;
mod maps;
mod meshes;

use std::path::PathBuf;
use std::process::ExitCode;

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
    planners: Vec<String>,
    peers: Vec<String>,
    json: bool,
}

fn arguments() -> Result<Arguments, String> {
    let list = |text: &str| text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let mut arguments = Arguments {
        files: Vec::new(),
        every: 1,
        queries: 50,
        planners: list("astar,jps"),
        peers: engines::PEERS.map(str::to_owned).to_vec(),
        json: false,
    };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let number = |given: &mut dyn Iterator<Item = String>| {
            let number = given.next().and_then(|text| text.parse().ok()).filter(|&number| number > 0);
            number.ok_or(format!("{argument} needs a number of at least 1"))
        };
        let names = |given: &mut dyn Iterator<Item = String>| {
            given.next().map(|text| list(&text)).ok_or(format!("{argument} needs names, separated by commas"))
        };
        match argument.as_str() {
            "--json" => arguments.json = true,
            "--every" => arguments.every = number(&mut given)?,
            "--queries" => arguments.queries = number(&mut given)?,
            "--planners" => arguments.planners = names(&mut given)?,
            "--peers" => arguments.peers = names(&mut given)?,
            _ if argument.starts_with("--") => return Err(format!("there is no option {argument}")),
            _ => arguments.files.push(PathBuf::from(argument)),
        }
    }
    Ok(arguments)
}

fn run() -> Result<(), String> {
    let Arguments { files, every, queries, planners, peers, json } = arguments()?;
    let (mut documents, mut benchmarks, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = files.as_slice();
    while let [first, others @ ..] = rest {
        let ends_in = |path: &PathBuf, wanted: &str| path.extension().is_some_and(|ending| ending == wanted);
        if ends_in(first, "mesh") {
            let scenario = others.first().filter(|next| ends_in(next, "scen"));
            let row = meshes::benchmark(first, scenario.map(PathBuf::as_path), queries)?;
            if !json {
                row.show();
            }
            documents.push(row.to_json());
            rows.push(row);
            rest = &others[usize::from(scenario.is_some())..];
            continue;
        }
        let is_graph = ends_in(first, "gr");
        let document = match others {
            _ if is_graph => {
                let row = graphs::benchmark(first, queries)?;
                if !json {
                    row.show();
                }
                row.to_json()
            }
            [scenario, ..] => {
                let benchmark = maps::benchmark(first, scenario, every, &planners, &peers)?;
                if !json {
                    benchmark.show();
                }
                let document = benchmark.to_json();
                benchmarks.push(benchmark);
                document
            }
            [] => {
                return Err("expected MAP.map MAP.map.scen, GRAPH.gr, or MAP.mesh [MAP.map.scen]".to_owned());
            }
        };
        rest = if is_graph { others } else { &others[1..] };
        documents.push(document);
    }
    if documents.is_empty() {
        return Err("expected MAP.map MAP.map.scen, GRAPH.gr, or MAP.mesh [MAP.map.scen]".to_owned());
    }
    if json {
        println!("{}", serde_json::json!({ "runs": documents }));
    } else {
        maps::show_means(&benchmarks, "pathfinding");
        meshes::show_means(&rows);
    }
    Ok(())
}
