//! `milepost walk`: one agent's journey.

use crate::args::{Globals, WalkArgs};
use crate::commands::path::points;
use crate::failure::Failure;
use crate::journey::{self, End, Journey, Visits};
use crate::numbers::{count, counted};
use crate::output::Answer;
use crate::place::Place;
use crate::why::{Ends, Why};
use crate::world::World;
use crate::{agents, picture, pool};
use milepost::plan::Dijkstra;
use milepost::{Budget, Planner, Query, Refused, Rule, Scratch, StateId};
use serde::Serialize;

#[derive(Serialize)]
struct Document {
    status: &'static str,
    /// Why it did not arrive, and what to do.
    #[serde(flatten)]
    why: Why,
    /// What its moves cost; none if it had nowhere to stand.
    cost: Option<f64>,
    /// What the best path costs; none without one.
    optimal_cost: Option<f64>,
    moves: u64,
    /// The units of the dearest step.
    max_work: u64,
    /// Where it was, from the start on.
    trail: Option<Vec<[i64; 2]>>,
    /// The nodes of a trail on a graph.
    states: Option<Vec<u32>>,
    /// The start and the goal after they were moved to free cells.
    snapped: Option<[[i64; 2]; 2]>,
    /// Moves to where it had been before.
    revisits: u64,
    /// The longest row of steps without a move.
    max_thinking: u64,
    agent: String,
    /// None for a graph.
    rule: Option<&'static str>,
    png: Option<String>,
}

pub(crate) fn run(globals: &Globals, args: &WalkArgs) -> Result<Answer, Failure> {
    let sight = args.journey.sight;
    let named = args.agent.as_deref().map(|text| agents::agent(text, sight)).transpose()?;
    pool::start_threads(globals)?;
    let mut world = World::open(globals, &args.map)?;
    let named = named.map_or_else(|| agents::best(&world, sight), Ok)?;
    let state = |option: &str, place: Place| {
        if args.snap { world.snapped(option, place) } else { world.state_at(option, place) }
    };
    let (start, goal) = (state("--from", args.from)?, state("--to", args.to)?);
    if args.png.is_some() {
        picture::check(&world)?;
    }
    let is_blocked = [start, goal].iter().any(|state| !world.space().is_free(*state));
    if !is_blocked {
        named.prepare(&mut world)?;
    }
    let world = &world;

    let (mut scratch, mut journey) = (Scratch::new(), None);
    let (mut trail, mut subgoals) = (Vec::new(), Vec::new());
    if !is_blocked {
        trail.push(start);
        let shown = named.shown(world);
        let mut agent = named.start(&shown, start, goal);
        let pair = (world, shown.view());
        let memory = (&mut scratch, &mut Visits::default());
        journey = Some(journey::walk(pair, &mut *agent, args.journey.max_moves, memory, |state, subgoal| {
            trail.push(state);
            if let Some(subgoal) = subgoal.filter(|subgoal| subgoals.last() != Some(subgoal)) {
                subgoals.push(subgoal);
            }
        }));
    }
    let no_path = || Why::no_path(world, &Ends { start, goals: &[goal], offer: "" });
    let (status, why) = match journey.map(|journey| journey.end) {
        None => ("blocked", no_path()),
        Some(End::Arrived) => ("arrived", Why::default()),
        Some(End::NoPath) => ("no_path", no_path()),
        Some(End::Stopped) => {
            let advice = "it has proved that it walks in a circle; another agent may arrive, `milepost list` has them all";
            ("stopped", Why::new("circle", advice))
        }
        Some(End::TooManyMoves) => {
            let advice = format!(
                "it has not arrived after {}; raise --max-moves, or take another agent",
                counted(args.journey.max_moves, "move")
            );
            ("stopped", Why::new("max_moves", advice))
        }
        Some(End::Refused(Refused::IndexDamaged)) => {
            let message =
                "an index leads nowhere; `milepost verify` says what is wrong, or build the file anew";
            return Err(Failure::damaged(&args.map.map, message));
        }
        Some(End::Refused(refused)) => {
            return Err(Failure::usage("refused", refused.said_of(&format!("`{}`", named.name))));
        }
        Some(End::Broke(offence)) => {
            return Err(Failure::damaged(&args.map.map, format!("`{}` went wrong: {offence}", named.name)));
        }
    };
    let optimum = Dijkstra::default().plan(
        &world.atlas,
        &Query::new(start, goal).distance_only(),
        &mut scratch,
        &mut Budget::unlimited(),
    );
    if let Some(path) = &args.png {
        let goals = [goal];
        let scene = picture::Scene::of_journey(&trail, start, &goals).with_subgoals(&subgoals);
        picture::save(path, world, &scene)?;
    }
    let figure = |figure: fn(&Journey) -> u64| journey.as_ref().map_or(0, figure);
    let shown = |trail: &[StateId]| trail.iter().map(|state| state.number()).collect();
    let document = Document {
        status,
        why,
        cost: journey.map(|journey| world.scale().to_f64(journey.cost)),
        optimal_cost: optimum.cost().map(|cost| world.scale().to_f64(cost)),
        moves: figure(|journey| journey.moves),
        max_work: figure(|journey| journey.max_work),
        trail: points(world.space(), &trail).filter(|_| !is_blocked),
        states: (!is_blocked && world.graph().is_some()).then(|| shown(&trail)),
        snapped: args
            .snap
            .then(|| [start, goal].map(|state| world.space().point(state)).map(|at| [at.x, at.y])),
        revisits: figure(|journey| journey.revisits),
        max_thinking: figure(|journey| journey.max_thinking),
        agent: named.name,
        rule: world.rule().map(Rule::name),
        png: args.png.as_ref().map(|path| path.to_string_lossy().into_owned()),
    };
    let is_negative = status != "arrived";
    Ok(Answer::new(globals.json, &document, || render_text(world, &document, &trail))
        .negative_if(is_negative))
}

/// Places that the text shows: the trail in lines of so many, and no more than so many lines.
const A_LINE: usize = 12;
const LINES: usize = 20;

fn render_text(world: &World, document: &Document, trail: &[StateId]) -> String {
    let mut text = String::new();
    let mut line = |what: &str, value: String| text.push_str(&format!("{what:<12}{value}\n"));
    line("status", document.status.replace('_', " "));
    if let Some(advice) = &document.why.advice {
        line("why", advice.clone());
    }
    if let Some(snapped) = document.snapped {
        line("snapped", snapped.map(|[x, y]| format!("{x},{y}")).join(" "));
    }
    if let Some(cost) = document.cost {
        line("cost", world.show_cost(cost, 6));
    }
    if let Some(optimum) = document.optimal_cost {
        line("optimal", world.show_cost(optimum, 6));
    }
    line("moves", count(document.moves));
    line("revisits", count(document.revisits));
    line("work", format!("{} at most in a step", counted(document.max_work, "unit")));
    line("thinking", format!("{} at most in a row", counted(document.max_thinking, "step")));
    let rule = document.rule.map_or(String::new(), |rule| format!(", {rule} moves"));
    line("agent", format!("{}{rule}", document.agent));
    if let Some(png) = &document.png {
        line("picture", png.clone());
    }
    if trail.is_empty() {
        return text;
    }
    text.push('\n');
    for places in trail.chunks(A_LINE).take(LINES) {
        let places: Vec<String> = places.iter().map(|state| world.place(*state).to_string()).collect();
        text.push_str(&format!("{}\n", places.join(" ")));
    }
    if let Some(more) = trail.len().checked_sub(A_LINE * LINES).filter(|more| *more > 0) {
        text.push_str(&format!("and {} more\n", count(more as u64)));
    }
    text
}
