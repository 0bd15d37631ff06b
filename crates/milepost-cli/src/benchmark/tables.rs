//! The tables of a benchmark as text: of planners, of agents, and of the indexes that they read.

use super::Benchmark;
use super::run::Run;
use crate::numbers::{bytes, count, percent, seconds, three_digits, time};
use crate::table::Side::{self, Left, Right};
use crate::table::Table;

/// A column: its head, the side that it keeps to, and what stands in it.
type Column = (&'static str, Side, &'static str);

/// What planners and agents have in common: how good the answers were.
const QUALITY: [Column; 4] = [
    ("solved", Right, "good answers: a legal path or journey, or no path where there is none"),
    ("optimal", Right, "answers that cost what the best path costs"),
    ("longer", Right, "by how much paths are longer than the best, the mean over solved problems"),
    ("worst", Right, "the same of the worst path"),
];

const PLANNER_COLUMNS: [Column; 9] = [
    ("mean", Right, "time of a query, turning points and cost included, in warm memory; the best of three"),
    ("p50", Right, "half of the queries take no longer"),
    ("p99", Right, "99 of 100 queries take no longer"),
    ("max", Right, "the longest query"),
    ("with cells", Right, "the mean time with every cell of the path written out"),
    ("distance", Right, "the mean time of a query for the cost alone"),
    ("expanded", Right, "states that a query expands, the mean"),
    ("memory", Right, "of the scratch after the run, without its open list"),
    ("open list", Right, "memory of the open list"),
];

const AGENT_COLUMNS: [Column; 11] = [
    ("sight", Right, "how far the agent sees: `all` of the map, so many cells, or lines of sight, `los`"),
    ("journey", Right, "time of a whole journey, the mean"),
    ("moves", Right, "of a journey, the mean over those that arrived"),
    ("a move", Right, "time of solved journeys over their moves"),
    (
        "largest",
        Right,
        "the longest single step; milliseconds beside little `most work` come from the scheduler",
    ),
    ("first move", Right, "time from the making of an agent to its first move, the mean"),
    ("work a move", Right, "units of work of solved journeys over their moves"),
    ("most work", Right, "the most units of work that a step took"),
    ("thinking", Right, "the most steps in a row without a move"),
    ("revisits", Right, "moves of a journey to where the agent had been before, the mean"),
    ("memory", Right, "the most that an agent held on a journey, the mean"),
];

const INDEX_COLUMNS: [Column; 4] = [
    ("index", Left, "what is read, without what comes along with it"),
    ("size", Right, "of the index, and of what comes along with it"),
    ("build time", Right, "what building it took, on all threads; unknown (-) of an index file"),
    ("read by", Left, "planners and agents of the other tables"),
];

/// What the heads of the columns mean, a line each.
fn explained(columns: &[Column]) -> String {
    columns.iter().map(|(head, _, meaning)| format!("  {head:<12}{meaning}\n")).collect()
}

/// What the heads of all columns mean, for the help.
pub(crate) fn column_help() -> String {
    format!(
        "Columns of both tables:\n{}\nColumns of planners:\n{}\nColumns of agents:\n{}\nColumns of indexes:\n{}",
        explained(&QUALITY),
        explained(&PLANNER_COLUMNS),
        explained(&AGENT_COLUMNS),
        explained(&INDEX_COLUMNS)
    )
}

/// An empty table with these columns.
fn table(first: &'static str, columns: &[Column]) -> Table {
    let heads = QUALITY.iter().chain(columns).map(|(head, side, _)| (*head, *side));
    Table::new(&std::iter::once((first, Left)).chain(heads).collect::<Vec<(&str, Side)>>())
}

fn or_dash(value: Option<String>) -> String {
    value.unwrap_or_else(|| "-".to_owned())
}

/// Name, solved, optimal, longer and worst: how good the answers were.
fn quality(run: &Run, queries: usize) -> Vec<String> {
    let longer = run.tally.longer();
    vec![
        run.name.clone(),
        percent(run.tally.solved, queries),
        or_dash(run.tally.optimal().map(|optimal| percent(optimal, queries))),
        or_dash(longer.mean_percent.map(|percent| format!("{percent:.2} %"))),
        or_dash(longer.worst_ratio.map(|ratio| format!("{:.2} %", (ratio - 1.0) * 100.0))),
    ]
}

/// A table of all planners; none without any.
fn planners(benchmark: &Benchmark<'_>) -> Option<String> {
    let mut table = table("planner", &PLANNER_COLUMNS);
    let mut runs = benchmark.runs.iter().filter(|run| run.journeys.is_none()).peekable();
    runs.peek()?;
    for run in runs {
        let mut row = quality(run, benchmark.problems.tasks.len());
        row.extend([
            or_dash(run.times.mean.map(time)),
            or_dash(run.times.p50.map(time)),
            or_dash(run.times.p99.map(time)),
            or_dash(run.times.max.map(time)),
            or_dash(run.times.mean_cells.map(time)),
            or_dash(run.times.mean_distance.map(time)),
            or_dash(run.mean_expanded.map(|expanded| count(expanded.round() as u64))),
            bytes(run.scratch_bytes),
            bytes(run.open_bytes),
        ]);
        table.row(row);
    }
    Some(table.render())
}

/// A table of all agents; none without any.
fn agents(benchmark: &Benchmark<'_>) -> Option<String> {
    let mut table = table("agent", &AGENT_COLUMNS);
    let mut runs = benchmark.runs.iter().filter_map(|run| Some((run, run.journeys.as_ref()?))).peekable();
    runs.peek()?;
    for (run, journeys) in runs {
        let mut row = quality(run, benchmark.problems.tasks.len());
        row.extend([
            or_dash(run.sight.map(|sight| sight.to_string())),
            or_dash(run.times.mean.map(time)),
            or_dash(journeys.mean_moves.map(three_digits)),
            or_dash(journeys.us_per_move.map(time)),
            or_dash(journeys.max_us_per_move.map(time)),
            or_dash(journeys.us_first_move.map(time)),
            or_dash(journeys.mean_work.map(three_digits)),
            or_dash(journeys.max_work.map(count)),
            or_dash(journeys.max_thinking.map(count)),
            or_dash(journeys.mean_revisits.map(three_digits)),
            or_dash(journeys.mean_bytes.map(|mean| bytes(mean.ceil() as usize))),
        ]);
        table.row(row);
    }
    Some(table.render())
}

/// A table of all indexes that are read: those of a run stand together. None if nothing reads one.
fn indexes(benchmark: &Benchmark<'_>) -> Option<String> {
    let mut groups: Vec<(&Run, Vec<&str>)> = Vec::new();
    for run in benchmark.runs.iter().filter(|run| !run.indexes.is_empty()) {
        match groups.iter_mut().find(|(other, _)| other.indexes == run.indexes) {
            // A planner and an agent may have one name.
            Some((_, names)) if names.contains(&run.name.as_str()) => {}
            Some((_, names)) => names.push(&run.name),
            None => groups.push((run, vec![&run.name])),
        }
    }
    let mut table = Table::new(&INDEX_COLUMNS.map(|(head, side, _)| (head, side)));
    for (run, names) in &groups {
        table.row(vec![
            run.indexes.replace(',', ", "),
            bytes(run.index_bytes as usize),
            or_dash(run.build_seconds.map(seconds)),
            names.join(", "),
        ]);
    }
    (!groups.is_empty()).then(|| table.render())
}

/// All tables that there is something for.
pub(super) fn all(benchmark: &Benchmark<'_>) -> Vec<String> {
    [planners(benchmark), agents(benchmark), indexes(benchmark)].into_iter().flatten().collect()
}

/// What the heads of the columns of these tables mean.
pub(super) fn legend(benchmark: &Benchmark<'_>) -> String {
    let has = |agents: bool| benchmark.runs.iter().any(|run| run.journeys.is_some() == agents);
    let is_read = benchmark.runs.iter().any(|run| !run.indexes.is_empty());
    let parts: [(bool, &[Column]); 4] = [
        (true, &QUALITY),
        (has(false), &PLANNER_COLUMNS),
        (has(true), &AGENT_COLUMNS),
        (is_read, &INDEX_COLUMNS),
    ];
    parts.iter().filter(|(is_shown, _)| *is_shown).map(|(_, columns)| explained(columns)).collect()
}
