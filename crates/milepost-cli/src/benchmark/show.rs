//! The result of a benchmark as text: a headline, a table, and a note on everything that is not as it
//! should be.

use super::run::Run;
use super::{Benchmark, Difficulty};
use crate::args::Check;
use crate::contestants::LeftOut;
use crate::numbers::{bytes, count, counted, percent, three_digits, time};
use crate::table::Side::{self, Left, Right};
use crate::table::Table;
use milepost::Grid;
use std::fmt::Write as _;

/// Disagreeing lines that are shown one by one.
const SHOWN: usize = 5;

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

const AGENT_COLUMNS: [Column; 9] = [
    ("journey", Right, "time of a whole journey, the mean"),
    ("moves", Right, "of a journey, the mean over those that arrived"),
    ("a move", Right, "time of solved journeys over their moves"),
    ("largest", Right, "the longest single step; milliseconds beside little `work` come from the scheduler"),
    ("first move", Right, "time from the making of an agent to its first move, the mean"),
    ("work", Right, "the most units of work that a step took"),
    ("thinking", Right, "the most steps in a row without a move"),
    ("revisits", Right, "moves of a journey to where the agent had been before, the mean"),
    ("memory", Right, "the most that an agent held on a journey, the mean"),
];

/// What the heads of the columns mean, a line each.
fn explained(columns: &[Column]) -> String {
    columns.iter().map(|(head, _, meaning)| format!("  {head:<12}{meaning}\n")).collect()
}

/// What the heads of all columns mean, for the help.
pub(crate) fn column_help() -> String {
    format!(
        "Columns of both tables:\n{}\nColumns of planners:\n{}\nColumns of agents:\n{}",
        explained(&QUALITY),
        explained(&PLANNER_COLUMNS),
        explained(&AGENT_COLUMNS)
    )
}

/// An empty table with these columns.
fn table(first: &'static str, columns: &[Column]) -> Table {
    let heads = QUALITY.iter().chain(columns).map(|(head, side, _)| (*head, *side));
    Table::new(&std::iter::once((first, Left)).chain(heads).collect::<Vec<(&str, Side)>>())
}

/// The whole result; `explains` says what the columns mean.
pub(crate) fn show(benchmark: &Benchmark<'_>, explains: bool) -> String {
    let mut text = format!("{}\n{}\n\n", benchmark.world.headline(), problems(benchmark));
    let tables = [planners(benchmark), agents(benchmark)];
    text.push_str(&tables.into_iter().flatten().collect::<Vec<String>>().join("\n"));
    if !benchmark.left_out.is_empty() {
        let _ = write!(text, "\nleft out: {}", left_out(benchmark.left_out));
        if benchmark.left_out.iter().any(|left| left.wants_map) {
            let _ =
                write!(text, "; give the map in place of {} to have them built", benchmark.world.file_name);
        }
        text.push('\n');
    }
    if explains {
        let has = |agents: bool| benchmark.runs.iter().any(|run| run.journeys.is_some() == agents);
        let _ = write!(text, "\n{}", explained(&QUALITY));
        text.push_str(&if has(false) { explained(&PLANNER_COLUMNS) } else { String::new() });
        text.push_str(&if has(true) { explained(&AGENT_COLUMNS) } else { String::new() });
    }
    let notes: Vec<String> = benchmark
        .runs
        .iter()
        .flat_map(|run| notes(run, benchmark.check))
        .chain(disagreements(benchmark))
        .map(|note| format!("{note}\n"))
        .collect();
    if !notes.is_empty() {
        text.push('\n');
        text.extend(notes);
    }
    text
}

fn problems(benchmark: &Benchmark<'_>) -> String {
    let mut text = counted(benchmark.problems.tasks.len() as u64, "problem");
    if benchmark.problems.skipped > 0 {
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            text,
            " ({} more skipped: start or goal is blocked)",
            count(benchmark.problems.skipped as u64)
        );
    }
    text.push_str(match benchmark.check {
        Check::Exact => "; costs compared with Dijkstra's",
        Check::Scen => "; costs compared with the file's lengths",
        Check::None => "; costs not compared",
    });
    if let Difficulty {
        min: Some(min),
        mean: Some(mean),
        median: Some(median),
        sd: Some(sd),
        max: Some(max),
    } = benchmark.difficulty()
    {
        let _ = write!(
            text,
            "\nA* expands {} states for each edge of a path (median {}, deviation {}, from {} to {})",
            three_digits(mean),
            three_digits(median),
            three_digits(sd),
            three_digits(min),
            three_digits(max),
        );
    }
    text
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
            or_dash(run.times.mean.map(time)),
            or_dash(journeys.mean_moves.map(three_digits)),
            or_dash(journeys.us_per_move.map(time)),
            or_dash(journeys.max_us_per_move.map(time)),
            or_dash(journeys.us_first_move.map(time)),
            or_dash(journeys.max_work.map(count)),
            or_dash(journeys.max_thinking.map(count)),
            or_dash(journeys.mean_revisits.map(three_digits)),
            or_dash(journeys.mean_bytes.map(|mean| bytes(mean.ceil() as usize))),
        ]);
        table.row(row);
    }
    Some(table.render())
}

/// Names and why they were left out; those with the same reason stand together.
fn left_out(all: &[LeftOut]) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for LeftOut { name, reason, .. } in all {
        match groups.iter_mut().find(|(other, _)| other == reason) {
            // A planner and an agent may have one name.
            Some((_, names)) if names.contains(&name.as_str()) => {}
            Some((_, names)) => names.push(name),
            None => groups.push((reason, vec![name])),
        }
    }
    let groups = groups.iter().map(|(reason, names)| {
        let reason = if names.len() > 1 { of_several(reason) } else { (*reason).to_owned() };
        format!("{} ({reason})", names.join(", "))
    });
    groups.collect::<Vec<String>>().join("; ")
}

/// The reason for which one was left out, said of several.
fn of_several(reason: &str) -> String {
    let begins = [
        ("its ", "their "),
        ("it does ", "they do "),
        ("it needs ", "they need "),
        ("it works ", "they work "),
    ];
    let begin = begins.iter().find_map(|(one, several)| Some((reason.strip_prefix(one)?, several)));
    let reason = begin.map_or_else(|| reason.to_owned(), |(rest, several)| format!("{several}{rest}"));
    reason.replace("; name it", "; name one")
}

/// What has to be said about a planner or agent beyond its row.
fn notes(run: &Run, check: Check) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some((line, fault)) = run.tally.first_fault {
        let place = if line > 0 { format!("line {line}: ") } else { String::new() };
        let failures = counted(run.tally.failed as u64, "wrong answer");
        notes.push(format!("{}: {failures}; the first: {place}{fault}", run.name));
    }
    let longer = run.tally.longer();
    if let (Some(mean), Some(worst)) = (longer.mean_percent, longer.worst_ratio)
        && run.tally.worse > 0
    {
        let than = if check == Check::Scen { "listed" } else { "the best" };
        let promise = if run.is_promised {
            "BROKE ITS PROMISE of optimal paths"
        } else {
            "does not promise optimal paths"
        };
        notes.push(format!(
            "{} {promise}: {} longer than {than}, {mean:.2} % on average over all, {:.2} % at worst",
            run.name,
            if run.tally.worse == 1 {
                "1 is".to_owned()
            } else {
                format!("{} are", count(run.tally.worse as u64))
            },
            (worst - 1.0) * 100.0
        ));
    }
    notes
}

/// Listed lengths that are not the true ones.
fn disagreements(benchmark: &Benchmark<'_>) -> Vec<String> {
    let problems = benchmark.disagreements().unwrap_or_default();
    if problems.is_empty() {
        return Vec::new();
    }
    let total = counted(problems.len() as u64, "listed length");
    let verb = if problems.len() == 1 { "disagrees" } else { "disagree" };
    let world = benchmark.world;
    let under = world.rule().map_or(String::new(), |rule| format!(" under `{rule}`"));
    let is_weighted = world.grid().is_some_and(Grid::is_weighted);
    let weights = if is_weighted { " with weights, which the file may know nothing of" } else { "" };
    let mut notes = vec![format!("{total} of the .scen file {verb} with ours{under}{weights}:")];
    for (task, reference) in problems.iter().take(SHOWN) {
        let ours = match reference.optimum {
            Some(optimum) => world.show_cost(world.scale().to_f64(optimum), 8),
            None => "no path".to_owned(),
        };
        let listed = match task.listed {
            Some(listed) if world.graph().is_some() => world.show_cost(listed.value(), 8),
            Some(listed) => listed.to_string(),
            None => "nothing".to_owned(),
        };
        notes.push(format!("  line {}: listed {listed}, ours {ours}", task.line));
    }
    if problems.len() > SHOWN {
        notes.push(format!("  and {} more", count((problems.len() - SHOWN) as u64)));
    }
    notes
}
