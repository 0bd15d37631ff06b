//! A line for each problem of each run, as comma-separated values: docs/json.md says what the columns mean.

use super::Benchmark;
use super::check::Verdict;
use super::problems::Task;
use super::reference::Reference;
use super::run::{Answer, Run};
use crate::world::World;
use std::fmt::Display;

const COLUMNS: &str = "query,line,start,goal,name,kind,status,fault,cost,optimal_cost,us,us_cells,expanded,moves,work,\
                       max_work,max_thinking,revisits,sight,pulled_cost\n";

/// All lines under a line of heads.
pub(crate) fn rows(benchmark: &Benchmark<'_>) -> String {
    let mut text = COLUMNS.to_owned();
    for run in &benchmark.runs {
        for ((task, reference), answer) in
            benchmark.problems.tasks.iter().zip(&benchmark.references).zip(&run.answers)
        {
            text.push_str(&row(benchmark.world, run, (task, reference), answer).join(","));
            text.push('\n');
        }
    }
    text
}

fn row(world: &World, run: &Run, (task, reference): (&Task, &Reference), answer: &Answer) -> Vec<String> {
    let cost = |cost| reference.scale.to_f64(cost).to_string();
    let (status, fault, costs) = match answer.verdict {
        Verdict::Path(found) => ("found", String::new(), cost(found)),
        Verdict::NoPath => ("no_path", String::new(), String::new()),
        Verdict::Wrong(fault) => ("failed", quoted(fault), String::new()),
    };
    let journey = answer.journey.as_ref();
    vec![
        task.number.to_string(),
        perhaps(Some(task.line).filter(|line| *line > 0)),
        quoted(task.place(world, 0)),
        quoted(task.place(world, 1)),
        quoted(&run.name),
        if run.journeys.is_some() { "agent" } else { "planner" }.to_owned(),
        status.to_owned(),
        fault,
        costs,
        reference.optimum.map_or(String::new(), cost),
        format!("{:.3}", answer.micros),
        answer.micros_cells.map_or(String::new(), |micros| format!("{micros:.3}")),
        perhaps(answer.expanded),
        perhaps(journey.map(|journey| journey.moves)),
        perhaps(journey.map(|journey| journey.work)),
        perhaps(journey.map(|journey| journey.max_work)),
        perhaps(journey.map(|journey| journey.max_thinking)),
        perhaps(journey.map(|journey| journey.revisits)),
        perhaps(run.sight),
        perhaps(answer.pulled),
    ]
}

fn perhaps(value: Option<impl Display>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// In quotes where a comma, a quote or the end of a line would be misread.
fn quoted(value: impl Display) -> String {
    let text = value.to_string();
    let is_plain = !text.contains([',', '"', '\n', '\r']);
    if is_plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}
