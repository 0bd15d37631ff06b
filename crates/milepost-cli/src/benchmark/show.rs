//! The result of a benchmark as text: a headline, a table, and a note on everything that is not as it
//! should be.

use super::run::Run;
use super::{Benchmark, Difficulty};
use crate::args::Check;
use crate::numbers::{bytes, count, counted, percent, three_digits, time};
use crate::table::Side::{Left, Right};
use crate::table::Table;
use std::fmt::Write as _;

/// Disagreeing lines that are shown one by one.
const SHOWN: usize = 5;

/// The whole result.
pub(crate) fn show(benchmark: &Benchmark<'_>) -> String {
    let mut text = format!("{}\n{}\n\n", benchmark.world.headline(), problems(benchmark));
    let tables = [planners(benchmark), agents(benchmark)];
    text.push_str(&tables.into_iter().flatten().collect::<Vec<String>>().join("\n"));
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
    let mut table = Table::new(&[
        ("planner", Left),
        ("solved", Right),
        ("optimal", Right),
        ("longer", Right),
        ("worst", Right),
        ("mean", Right),
        ("p50", Right),
        ("p99", Right),
        ("max", Right),
        ("with cells", Right),
        ("expanded", Right),
        ("memory", Right),
        ("open list", Right),
    ]);
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
    let mut table = Table::new(&[
        ("agent", Left),
        ("solved", Right),
        ("optimal", Right),
        ("longer", Right),
        ("worst", Right),
        ("journey", Right),
        ("moves", Right),
        ("a move", Right),
        ("largest", Right),
        ("first move", Right),
        ("work", Right),
        ("thinking", Right),
        ("revisits", Right),
        ("memory", Right),
    ]);
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
    let mut notes = vec![format!("{total} of the .scen file {verb} with ours{under}:")];
    for (task, reference) in problems.iter().take(SHOWN) {
        let ours = match reference.optimum {
            Some(optimum) => world.show_cost(world.scale().to_f64(optimum), 8),
            None => "no path".to_owned(),
        };
        let listed = match task.listed {
            Some(listed) if world.graph().is_some() => world.show_cost(listed.value(), 0),
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
