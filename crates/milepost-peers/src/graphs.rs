//! The benchmark on graphs.

use milepost::Rng;
use milepost::plan::Astar;
use milepost::{Atlas, Budget, Graph, Outcome, Planner, Query, Scratch, SpaceKind, StateId};
use std::path::Path;
use std::time::{Duration, Instant};

/// What a benchmark measured.
pub(crate) struct Row {
    map: String,
    queries: usize,
    ours_us: f64,
    theirs_us: f64,
    scratch_bytes_per_id: f64,
}

impl Row {
    pub(crate) fn show(&self) {
        println!(
            "{:24} {:5} queries  milepost astar {:9.1} us  pathfinding astar {:9.1} us  ratio {:.2}  scratch {:.1} B a state number",
            self.map,
            self.queries,
            self.ours_us,
            self.theirs_us,
            self.theirs_us / self.ours_us,
            self.scratch_bytes_per_id
        );
    }

    pub(crate) fn to_json(&self) -> serde_json::Value {
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

/// Both engines on the same random problems in turn.
pub(crate) fn benchmark(path: &Path, queries: usize) -> Result<Row, String> {
    let clock = Instant::now();
    let graph = milepost_maps::open_graph(path).map_err(|error| error.to_string())?;
    let loading = clock.elapsed();
    eprintln!(
        "{}: {} nodes, {} edges, loaded with components and fingerprint in {loading:.2?}",
        path.display(),
        graph.states(),
        graph.edge_count()
    );
    let atlas = Atlas::new(graph.clone());
    let nodes: Vec<StateId> = graph.free_states().collect();
    let mut rng = Rng::new(1);
    let mut draw = || nodes[rng.below(nodes.len() as u32) as usize];
    let mut scratch = Scratch::new();
    let (mut ours, mut theirs, mut solved) = (Duration::ZERO, Duration::ZERO, 0);
    // The scratch grows with the first query on a graph: that is no part of a query.
    Astar::default().plan(&atlas, &Query::new(nodes[0], nodes[0]), &mut scratch, &mut Budget::unlimited());
    let slope = least_slope(&graph);
    for _ in 0..queries {
        let (start, goal) = (draw(), draw());
        let clock = Instant::now();
        let outcome =
            Astar::default().plan(&atlas, &Query::new(start, goal), &mut scratch, &mut Budget::unlimited());
        ours += clock.elapsed();

        let clock = Instant::now();
        let answer = peer(&graph, slope, start, goal);
        theirs += clock.elapsed();

        let cost = match outcome {
            Outcome::Found { cost, .. } => Some(cost.units()),
            _ => None,
        };
        if cost != answer {
            return Err(format!("costs from {start} to {goal} differ: {cost:?} and {answer:?}"));
        }
        solved += usize::from(cost.is_some());
    }
    println!("{solved} of {queries} problems have a path");
    let count = queries as f64;
    Ok(Row {
        map: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        queries,
        ours_us: ours.as_secs_f64() * 1e6 / count,
        theirs_us: theirs.as_secs_f64() * 1e6 / count,
        scratch_bytes_per_id: scratch.bytes() as f64 / graph.id_bound() as f64,
    })
}

fn distance(graph: &Graph, a: StateId, b: StateId) -> f64 {
    let (Some(a), Some(b)) = (graph.node_position(a), graph.node_position(b)) else { return 0.0 };
    let (dx, dy) = (f64::from(a.x) - f64::from(b.x), f64::from(a.y) - f64::from(b.y));
    (dx * dx + dy * dy).sqrt()
}

/// What the cheapest edge costs for each unit of distance, less a hair.
fn least_slope(graph: &Graph) -> f64 {
    let slope = |edge: milepost::Edge| f64::from(edge.cost) / distance(graph, edge.from, edge.to);
    graph.edges().map(slope).filter(|slope| slope.is_finite()).fold(f64::INFINITY, f64::min) * (1.0 - 1e-9)
}

fn peer(graph: &Graph, slope: f64, start: StateId, goal: StateId) -> Option<u64> {
    let slope = if slope.is_finite() { slope } else { 0.0 };
    pathfinding::directed::astar::astar(
        &start,
        |&state| graph.edges_from(state).map(|edge| (edge.to, u64::from(edge.cost))),
        |&state| (distance(graph, state, goal) * slope) as u64,
        |&state| state == goal,
    )
    .map(|(_, cost)| cost)
}
