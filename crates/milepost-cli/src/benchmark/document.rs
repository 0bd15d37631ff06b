//! The result of a benchmark as JSON. The fields are a contract: docs/json.md says what they mean.

use super::journeys::Journeys;
use super::reference::Difficulty;
use super::run::Run;
use super::{Benchmark, problems::Problems};
use crate::contestants::LeftOut;
use crate::world::MapFacts;
use milepost::Rule;
use serde::Serialize;

/// What `bench --json` prints.
#[derive(Serialize, Debug)]
pub(crate) struct Document {
    map: MapFacts,
    /// None for a graph.
    moves: Option<&'static str>,
    queries: usize,
    skipped: usize,
    scen_disagreements: Option<usize>,
    astar_difficulty: Difficulty,
    runs: Vec<Row>,
    left_out: Vec<LeftOut>,
}

impl Document {
    pub(crate) fn new(benchmark: &Benchmark<'_>) -> Document {
        let Problems { tasks, skipped, .. } = benchmark.problems;
        Document {
            map: benchmark.world.facts(),
            moves: benchmark.world.rule().map(Rule::name),
            queries: tasks.len(),
            skipped: *skipped,
            scen_disagreements: benchmark.disagreements().map(|problems| problems.len()),
            astar_difficulty: benchmark.difficulty(),
            runs: benchmark.runs.iter().map(Row::new).collect(),
            left_out: benchmark.left_out.to_vec(),
        }
    }
}

/// One planner, or one agent; what does not apply is null.
#[derive(Serialize, Debug, Default)]
struct Row {
    name: String,
    kind: &'static str,
    sight: Option<String>,
    index_bytes: Option<u64>,
    build_seconds: Option<f64>,
    solved: usize,
    failed: usize,
    optimal: Option<usize>,
    mean_cost: Option<f64>,
    mean_pulled_cost: Option<f64>,
    mean_suboptimality_percent: Option<f64>,
    median_suboptimality_percent: Option<f64>,
    total_suboptimality_percent: Option<f64>,
    worst_ratio: Option<f64>,
    mean_us: Option<f64>,
    p50_us: Option<f64>,
    p99_us: Option<f64>,
    max_us: Option<f64>,
    mean_us_cells: Option<f64>,
    mean_us_distance: Option<f64>,
    edit_us: Option<f64>,
    mean_expanded: Option<f64>,
    scratch_bytes: Option<usize>,
    open_bytes: Option<usize>,
    mean_moves: Option<f64>,
    mean_us_per_move: Option<f64>,
    max_us_per_move: Option<f64>,
    mean_us_first_move: Option<f64>,
    mean_us_per_episode: Option<f64>,
    mean_episodes: Option<f64>,
    mean_work_per_move: Option<f64>,
    max_work_per_move: Option<u64>,
    max_thinking: Option<u64>,
    agent_bytes: Option<f64>,
    agent_bytes_max: Option<u64>,
    online_states: Option<f64>,
    revisits: Option<f64>,
}

impl Row {
    fn new(run: &Run) -> Row {
        let longer = run.tally.longer();
        let row = Row {
            name: run.name.clone(),
            kind: if run.journeys.is_some() { "agent" } else { "planner" },
            sight: run.sight.map(|sight| sight.to_string()),
            index_bytes: Some(run.index_bytes),
            build_seconds: run.build_seconds,
            solved: run.tally.solved,
            failed: run.tally.failed,
            optimal: run.tally.optimal(),
            mean_cost: run.tally.mean_cost(),
            mean_pulled_cost: run.mean_pulled(),
            mean_suboptimality_percent: longer.mean_percent,
            median_suboptimality_percent: longer.median_percent,
            total_suboptimality_percent: longer.total_percent,
            worst_ratio: longer.worst_ratio,
            mean_us: run.times.mean,
            p50_us: run.times.p50,
            p99_us: run.times.p99,
            max_us: run.times.max,
            mean_us_cells: run.times.mean_cells,
            mean_us_distance: run.times.mean_distance,
            edit_us: run.edit_us,
            mean_expanded: run.mean_expanded,
            scratch_bytes: Some(run.scratch_bytes),
            open_bytes: Some(run.open_bytes),
            ..Row::default()
        };
        match &run.journeys {
            None => row,
            Some(journeys) => row.with_journeys(journeys),
        }
    }

    fn with_journeys(self, journeys: &Journeys) -> Row {
        Row {
            mean_moves: journeys.mean_moves,
            mean_us_per_move: journeys.us_per_move,
            max_us_per_move: journeys.max_us_per_move,
            mean_us_first_move: journeys.us_first_move,
            mean_us_per_episode: journeys.us_per_search,
            mean_episodes: journeys.mean_searches,
            mean_work_per_move: journeys.mean_work,
            max_work_per_move: journeys.max_work,
            max_thinking: journeys.max_thinking,
            agent_bytes: journeys.mean_bytes,
            agent_bytes_max: journeys.max_bytes,
            online_states: journeys.mean_remembered,
            revisits: journeys.mean_revisits,
            ..self
        }
    }
}
