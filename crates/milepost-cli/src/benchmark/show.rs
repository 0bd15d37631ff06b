//! The result of a benchmark as text: a headline, the tables, and a note on everything that is not as it
//! should be.

use super::run::Run;
use super::{Benchmark, Difficulty, tables};
use crate::args::Check;
use crate::contestants::LeftOut;
use crate::numbers::{count, counted, three_digits};
use milepost::Grid;
use std::fmt::Write as _;

/// Disagreeing lines that are shown one by one.
const SHOWN: usize = 5;

/// The whole result; `explains` says what the columns mean.
pub(crate) fn show(benchmark: &Benchmark<'_>, explains: bool) -> String {
    let mut text = format!("{}\n{}\n\n", benchmark.world.headline(), problems(benchmark));
    text.push_str(&tables::all(benchmark).join("\n"));
    text.push_str(&over_portals(benchmark));
    if !benchmark.left_out.is_empty() {
        let _ = write!(text, "\nleft out: {}", left_out(benchmark.left_out));
        if benchmark.left_out.iter().any(|left| left.wants_map) {
            let _ =
                write!(text, "; give the map in place of {} to have them built", benchmark.world.file_name);
        }
        text.push('\n');
    }
    if explains {
        let _ = write!(text, "\n{}", tables::legend(benchmark));
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

/// On a mesh: what is measured, and what becomes of it.
fn over_portals(benchmark: &Benchmark<'_>) -> String {
    let world = benchmark.world;
    if world.mesh().is_none() {
        return String::new();
    }
    let shown = |run: &Run| {
        let (pulled, cost) = (run.mean_pulled()?, run.tally.mean_cost()?);
        Some(format!("{} {} of {}", run.name, world.show_cost(pulled, 2), world.show_cost(cost, 2)))
    };
    let pulled: Vec<String> = benchmark.runs.iter().filter_map(shown).collect();
    if pulled.is_empty() {
        return "\ncosts are those from centre to centre of polygons\n".to_owned();
    }
    let others =
        if pulled.len() < benchmark.runs.len() { "; all others go from centre to centre" } else { "" };
    format!(
        "\ncosts are those over middles of portals; paths are then pulled tight, and cost on average: {}{others}\n",
        pulled.join(", ")
    )
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
    // A file of another program lists what paths over a mesh cost once they are pulled tight, or are shortest.
    let of_what = if world.mesh().is_some() { ", which are those over middles of portals" } else { "" };
    let mut notes = vec![format!("{total} of the .scen file {verb} with ours{under}{weights}{of_what}:")];
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
        let pulled = reference
            .pulled
            .map_or(String::new(), |pulled| format!(", pulled tight {}", world.show_cost(pulled, 8)));
        notes.push(format!("  line {}: listed {listed}, ours {ours}{pulled}", task.line));
    }
    if problems.len() > SHOWN {
        notes.push(format!("  and {} more", count((problems.len() - SHOWN) as u64)));
    }
    notes
}
