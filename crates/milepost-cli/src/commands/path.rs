//! `milepost path`: one path.

use crate::args::{Globals, PathArgs};
use crate::failure::Failure;
use crate::numbers::{count, time};
use crate::output::Answer;
use crate::world::World;
use crate::{names, overlay, picture};
use milepost::{Budget, Outcome, PartialReason, Planner, Query, Scratch, StateId};
use serde::Serialize;
use std::f64::consts::SQRT_2;
use std::time::Instant;

#[derive(Serialize)]
struct Document {
    status: &'static str,
    /// Why a path is partial: `unreachable` or `out_of_budget`.
    reason: Option<&'static str>,
    /// Under the rule and the overlay.
    cost: Option<f64>,
    /// Geometric.
    length: Option<f64>,
    waypoints: Option<Vec<[i64; 2]>>,
    cells: Option<Vec<[i64; 2]>>,
    expanded: u64,
    micros: f64,
    planner: String,
    moves: &'static str,
    png: Option<String>,
}

pub(crate) fn run(globals: &Globals, args: &PathArgs) -> Result<Answer, Failure> {
    let world = World::open(&args.map, globals.moves)?;
    let start = world.state_at("--from", args.from)?;
    let goals =
        args.to.iter().map(|&at| world.state_at("--to", at)).collect::<Result<Vec<StateId>, Failure>>()?;
    let named = match &args.planner {
        Some(text) => names::planner(text, globals.moves)?,
        None => names::fastest(&world.atlas),
    };
    let overlay = args.overlay.as_deref().map(|path| overlay::open(path, &world.grid)).transpose()?;

    let mut query = Query::nearest_of(start, &goals);
    query.overlay = overlay.as_ref();
    query.partial = args.partial;
    let mut scratch = Scratch::new();
    let mut micros = 0.0;
    let mut outcome = Outcome::Unreachable;
    // The first turn makes memory warm, the second is timed.
    for _ in 0..2 {
        let mut budget = args.budget.map_or(Budget::unlimited(), Budget::units);
        let begin = Instant::now();
        outcome = named.planner.plan(&world.atlas, &query, &mut scratch, &mut budget);
        micros = begin.elapsed().as_secs_f64() * 1e6;
    }
    if let Some(path) = &args.png {
        picture::save(path, &world.grid, &scratch, start, &goals)?;
    }

    let is_free = |state: &StateId| world.grid.is_free(*state);
    let is_blocked = !is_free(&start) || !goals.iter().any(is_free);
    let (status, reason) = match outcome {
        Outcome::Found { .. } => ("found", None),
        Outcome::Partial { reason: PartialReason::Unreachable, .. } => ("partial", Some("unreachable")),
        Outcome::Partial { reason: PartialReason::OutOfBudget, .. } => ("partial", Some("out_of_budget")),
        Outcome::OutOfBudget => ("out_of_budget", None),
        Outcome::Unreachable if is_blocked => ("blocked", None),
        Outcome::Unreachable => ("unreachable", None),
        other => {
            return Err(Failure::usage("refused", format!("`{}` refuses this query: {other:?}", named.name)));
        }
    };
    let has_path = matches!(status, "found" | "partial");
    let path = scratch.path();
    let point = |state: StateId| {
        let at = world.grid.point(state);
        [at.x, at.y]
    };
    let cells: Vec<[i64; 2]> = world.atlas.space().cells(path).map(point).collect();
    let document = Document {
        status,
        reason,
        cost: has_path.then(|| path.cost_f64()),
        length: has_path.then(|| length(&cells)),
        waypoints: has_path.then(|| path.waypoints().iter().copied().map(point).collect()),
        cells: has_path.then_some(cells),
        expanded: scratch.search().expanded(),
        micros,
        planner: named.name,
        moves: world.grid.rule().name(),
        png: args.png.as_ref().map(|path| path.to_string_lossy().into_owned()),
    };
    Ok(Answer::new(globals.json, &document, || people(&document)).negative_if(status != "found"))
}

/// The length of a path as the crow flies from cell to cell. Steps are counted first: one rounding, not many.
fn length(cells: &[[i64; 2]]) -> f64 {
    let is_diagonal = |step: &&[[i64; 2]]| step[0][0] != step[1][0] && step[0][1] != step[1][1];
    let diagonal = cells.windows(2).filter(is_diagonal).count();
    let straight = cells.len().saturating_sub(1) - diagonal;
    straight as f64 + diagonal as f64 * SQRT_2
}

/// Waypoints that people are shown in a line.
const A_LINE: usize = 12;

fn people(document: &Document) -> String {
    let mut text = String::new();
    let mut line = |what: &str, value: String| text.push_str(&format!("{what:<12}{value}\n"));
    let status = document.status.replace('_', " ");
    match document.reason {
        Some(reason) => line(
            "status",
            format!("{status}: the goal is {}", reason.replace("out_of_budget", "beyond the budget")),
        ),
        None => line("status", status),
    }
    if let (Some(cost), Some(length)) = (document.cost, document.length) {
        line("cost", format!("{cost:.6}"));
        line("length", format!("{length:.6}"));
    }
    if let (Some(waypoints), Some(cells)) = (&document.waypoints, &document.cells) {
        line("waypoints", count(waypoints.len() as u64));
        line("cells", count(cells.len() as u64));
    }
    line("planner", format!("{}, {} moves", document.planner, document.moves));
    line("expanded", count(document.expanded));
    line("time", time(document.micros));
    if let Some(png) = &document.png {
        line("picture", png.clone());
    }
    text.push_str(if document.waypoints.is_some() { "\n" } else { "" });
    for waypoints in document.waypoints.iter().flat_map(|waypoints| waypoints.chunks(A_LINE)) {
        let points: Vec<String> = waypoints.iter().map(|[x, y]| format!("{x},{y}")).collect();
        text.push_str(&format!("{}\n", points.join(" ")));
    }
    text
}
