//! `milepost walk`: one agent's journey.

use crate::agents::{self, NamedAgent, Shown};
use crate::args::{Globals, JourneyArgs, MapArgs, PictureArgs, TraceArgs};
use crate::contestants::{Candidate, check_edits};
use crate::coordinates::{Coordinates, moved, points};
use crate::edits::Schedule;
use crate::failure::Failure;
use crate::journey::course::{Course, Track};
use crate::journey::{End, Journey};
use crate::numbers::{count, counted};
use crate::output::{self, Answer};
use crate::picture::{self, Animation, MOST_FRAMES, Scene, Seen};
use crate::place::Place;
use crate::why::{Ends, Why};
use crate::world::World;
use crate::{names, on_mesh, pool, trace};
use clap::Args;
use milepost::plan::Dijkstra;
use milepost::{Agent, Budget, Planner, Query, Refused, Rule, Scratch, StateId};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct WalkArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// Where the agent stands: X,Y, or #ID on a graph or a mesh
    #[arg(long, value_name = "PLACE", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) from: Place,
    /// Where it wants to be
    #[arg(long, value_name = "PLACE", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) to: Place,
    /// The agent, as `NAME[:VALUE][:key=value]...`; `milepost list agents` shows them all. What it reads is built on the spot
    /// for a map; an index file must hold it [default: the best one that an index file allows; for a map the best one; with --edits one
    /// that follows the paths of planners and plans anew]
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// Move a start or goal that is blocked or outside the map to the nearest free cell
    #[arg(long)]
    pub(crate) snap: bool,
    #[command(flatten)]
    pub(crate) journey: JourneyArgs,
    /// Edit the map on the way: lines as `milepost repair` reads them, those that begin with `@N` before move N, counted
    /// from 0, the others before all of them
    #[arg(long, value_name = "FILE")]
    pub(crate) edits: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) picture: PictureArgs,
    /// Draw the journey as a .gif file, a frame every so many moves
    #[arg(long, value_name = "FILE")]
    pub(crate) gif: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) trace: TraceArgs,
}

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
    trail: Option<Vec<Coordinates>>,
    /// The nodes of a trail on a graph, or its polygons on a mesh.
    states: Option<Vec<u32>>,
    /// The start and the goal after they were moved to free cells.
    snapped: Option<Vec<Coordinates>>,
    /// Moves to where it had been before.
    revisits: u64,
    /// The longest row of steps without a move.
    max_thinking: u64,
    agent: String,
    /// How far it sees.
    sight: String,
    /// The same where the user has not said it, in words.
    #[serde(skip)]
    seen: &'static str,
    /// The planner that has planned in place of the one that the agent's name says.
    stand_in: Option<&'static str>,
    #[serde(skip)]
    why_stand_in: String,
    /// None for a graph.
    rule: Option<&'static str>,
    png: Option<String>,
    svg: Option<String>,
    gif: Option<String>,
    /// The trace, and the events that were left out of it.
    trace: Option<String>,
    trace_left: Option<u64>,
}

/// The index was in the file, and edits before the first move have dropped it: building it into the file would not help.
fn dropped_at_once(named: &NamedAgent, world: &World) -> Failure {
    let message = format!(
        "`{}` needs the index `{}`, which the edits before the first move drop; begin them later, as in `@1 close X,Y`, give \
         the map that {} was built from, or take an agent that needs no index: --agent follow",
        named.name(),
        names::indexes_to_build(world, &named.needs()),
        world.file_name
    );
    Failure::usage("no_index", message)
}

pub(crate) fn run(globals: &Globals, args: &WalkArgs) -> Result<Answer, Failure> {
    let sight = args.journey.sight;
    let named = args.agent.as_deref().map(|text| agents::agent(text, sight)).transpose()?;
    let PictureArgs { png, svg, .. } = &args.picture;
    let traced = args.trace.trace.as_deref();
    output::check_files(globals.json, &[png.as_deref(), svg.as_deref(), args.gif.as_deref(), traced])?;
    trace::check(&args.trace)?;
    pool::start_threads(globals)?;
    let base = World::open(globals, &args.map)?;
    let lacked_index = named.as_ref().is_some_and(|named| named.lacks_index(&base));
    let mut course = Course::new(base, Schedule::open(args.edits.as_deref())?)?;
    let kinds = &course.kinds;
    let named = match named {
        Some(named) if named.outlasts_edits() => named,
        Some(named) => check_edits(&named, kinds).map(|()| named)?,
        None => match kinds.first() {
            None => agents::best(&course.world, sight, true)?,
            // The best of the map as it is, if it goes on where edits drop what it reads; else another that does.
            Some(edited) => match agents::best(&course.world, sight, false) {
                Ok(named) if named.outlasts_edits() => named,
                _ => agents::lasting(edited, sight).map_or_else(|| agents::best(edited, sight, false), Ok)?,
            },
        },
    };
    let (start, goal) = course.ends(args)?;
    picture::check(&course.world, &args.picture, args.gif.as_deref())?;
    let is_blocked = course.is_blocked(start, goal);
    if !is_blocked {
        let world = &mut course.world;
        if world.is_file && !lacked_index && named.lacks_index(world) {
            return Err(dropped_at_once(&named, world));
        }
        // What an index is needed for was refused where edits drop it later.
        named.prepare(world)?;
    }

    let (course, mut scratch, mut track) = (&course, Scratch::new(), Track::default());
    let world = &course.world;
    let mut journey = None;
    if !is_blocked {
        let follow = |_: &Shown<'_>, agent: &dyn Agent| track.follow(agent);
        let end = course.travel(&named, (start, goal), args.journey.max_moves, &mut scratch, follow)?;
        journey = Some(end.journey);
        track.take(end);
    }
    let (last, trail) = (course.end_of(&track), &track.trail);
    let at = trail.last().copied().unwrap_or(start);
    let made = journey.as_ref().map_or(0, |journey| journey.moves);
    let closed = if last.space().is_free(goal) { None } else { course.closed_by(goal, made)? };
    let no_path = || {
        let in_tree = Why::blocked_at(last, args.from, &[args.to]);
        let why = in_tree.unwrap_or_else(|| {
            Why::no_path(last, &Ends { start: at, goals: &[goal], places: &[args.to], offer: "" })
        });
        match &closed {
            // Before its first move alone a goal is moved to a free place.
            Some((edit, moves)) => why.since(edit, *moves == 0 && !args.snap),
            None => why,
        }
    };
    let (status, why) = match journey.map(|journey| journey.end) {
        None => ("blocked", no_path()),
        Some(End::Arrived) => ("arrived", Why::default()),
        Some(End::NoPath) => ("no_path", no_path()),
        Some(End::Stopped) => {
            let advice = "it has proved that it walks in a circle; another agent may arrive, `milepost list agents` has them all";
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
    // On a mesh an agent goes from centre to centre.
    let exact = world.mesh().map_or_else(Dijkstra::default, |_| names::over_centres());
    let optimum = exact.plan(
        &world.atlas,
        &Query::new(start, goal).distance_only(),
        &mut scratch,
        &mut Budget::unlimited(),
    );
    let goals = [goal];
    if args.picture.are_given() {
        picture::save(&args.picture, last, &scene(last, (&named, args), &track, (start, &goals)))?;
    }
    if let Some(path) = &args.gif {
        animate(course, (&named, args), &track, (start, &goals))?.save(path)?;
    }
    let trace_left = match is_blocked {
        true => None,
        false => trace::of_journey(&args.trace, course, &named, (start, goal), args.journey.max_moves)?,
    };
    let figure = |figure: fn(&Journey) -> u64| journey.as_ref().map_or(0, figure);
    let name = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
    let shown = |trail: &[StateId]| trail.iter().map(|state| state.number()).collect();
    let document = Document {
        status,
        why,
        cost: journey.map(|_| track.cost),
        optimal_cost: optimum.cost().map(|cost| world.scale().to_f64(cost)),
        moves: figure(|journey| journey.moves),
        max_work: figure(|journey| journey.max_work),
        trail: match world.mesh() {
            Some(mesh) => Some(on_mesh::trail(mesh, trail))
                .map(|points| points.iter().map(|&at| Coordinates::new(at, !mesh.has_heights())).collect()),
            None => points(world.space(), trail),
        }
        .filter(|_| !is_blocked),
        states: (!is_blocked && world.grid().is_none()).then(|| shown(trail)),
        snapped: args.snap.then(|| {
            let place = |state: StateId| match (world.mesh(), world.space().point(state)) {
                (Some(mesh), _) => Coordinates::new(mesh.centre(state), !mesh.has_heights()),
                (None, at) => Coordinates::Cell([at.x, at.y]),
            };
            [start, goal].into_iter().filter(|&state| state != StateId::NONE).map(place).collect()
        }),
        revisits: figure(|journey| journey.revisits),
        max_thinking: figure(|journey| journey.max_thinking),
        stand_in: track.agent.as_ref().and_then(|agent| agent.stand_in()),
        why_stand_in: why_stand_in(&named, course, last)?,
        sight: named.sight().to_string(),
        seen: match (named.is_by_sight(), world.grid()) {
            (false, _) => "all: it knows the map",
            (true, Some(_)) => "1, the cells around it; --sight R or --sight los sees farther",
            (true, None) => "1, the neighbours",
        },
        agent: named.name,
        rule: world.rule().map(Rule::name),
        png: name(&args.picture.png),
        svg: name(&args.picture.svg),
        gif: name(&args.gif),
        trace: name(&args.trace.trace).filter(|_| trace_left.is_some()),
        trace_left,
    };
    let is_negative = status != "arrived";
    Ok(Answer::new(globals.json, &document, || render_text(args, course, &document, trail))
        .negative_if(is_negative))
}

/// Why another planner than the named one has planned, to be read after its name.
fn why_stand_in(named: &NamedAgent, course: &Course, last: &World) -> Result<String, Failure> {
    let refusal = match named.refusal(last) {
        None => return Ok(": the one that was named was given up".to_owned()),
        Some(refusal) => refusal,
    };
    // The index was there: to have it built would not help.
    let moves = if named.lacks_index(last) { course.moves_before_drop(named)? } else { None };
    Ok(match moves {
        Some(moves) => format!(
            " since the edit before move {moves}, which dropped the index `{}`",
            names::indexes_to_build(last, &named.needs())
        ),
        None => format!(": {}", refusal.said_of(&format!("`{}`", named.name))),
    })
}

/// Draws the journey as an animation. It is made again: agents make the same moves every time.
fn animate(
    course: &Course,
    (named, args): (&NamedAgent, &WalkArgs),
    track: &Track,
    (start, goals): (StateId, &[StateId]),
) -> Result<Animation, Failure> {
    let shows_search = !args.picture.no_search;
    let (mut animation, trail) = (Animation::default(), &track.trail);
    let whole = scene(course.end_of(track), (named, args), track, (start, goals));
    let moves = trail.len().saturating_sub(1) as u64;
    let (frames, mut made) = (moves.clamp(1, MOST_FRAMES), 0_u64);
    if trail.is_empty() {
        animation.add(&course.world, &whole, &whole);
        return Ok(animation);
    }
    course.travel(
        named,
        (start, goals[0]),
        args.journey.max_moves,
        &mut Scratch::new(),
        |shown, agent| {
            // The number of the frame that this move belongs to, if it is the first of it.
            let frame = |made: u64| u128::from(made) * u128::from(frames) / u128::from(moves.max(1));
            if made == 0 || made == moves || frame(made) != frame(made - 1) {
                let so_far = &trail[..=(made as usize).min(trail.len() - 1)];
                let points = shown.world().mesh().map(|mesh| on_mesh::trail(mesh, so_far));
                let scene = Scene::of_journey(so_far, (start, goals), shows_search).with_points(points);
                let sight = Seen::by(agent, shown.view(), shown.world().space().id_bound());
                animation.add(shown.world(), &scene.with_sight(sight.filter(|_| shows_search)), &whole);
            }
            made += 1;
        },
    )?;
    Ok(animation)
}

/// What a picture of the whole journey shows.
fn scene<'a>(
    world: &World,
    (named, args): (&NamedAgent, &WalkArgs),
    track: &'a Track,
    ends: (StateId, &'a [StateId]),
) -> Scene<'a> {
    let shows_search = !args.picture.no_search;
    let shown = named.shown(world);
    let sight = track
        .agent
        .as_ref()
        .filter(|_| shows_search)
        .and_then(|agent| Seen::by(&**agent, shown.view(), world.space().id_bound()));
    let points = world.mesh().map(|mesh| on_mesh::trail(mesh, &track.trail));
    let scene = Scene::of_journey(&track.trail, ends, shows_search).with_points(points);
    scene.with_subgoals(&track.subgoals).with_sight(sight)
}

/// Places that the text shows: the trail in lines of so many, if it has no more lines than so many; else the first line and the last.
const A_LINE: usize = 12;
const LINES: usize = 4;

fn render_text(args: &WalkArgs, course: &Course, document: &Document, trail: &[StateId]) -> String {
    let world = &course.world;
    let mut text = String::new();
    let mut line = |what: &str, value: String| text.push_str(&format!("{what:<12}{value}\n"));
    line("status", document.status.replace('_', " "));
    if let Some(advice) = &document.why.advice {
        line("why", advice.clone());
    }
    if let Some(snapped) = &document.snapped {
        line("snapped", moved([args.from, args.to], snapped));
    }
    if let Some(cost) = document.cost {
        line("cost", world.show_cost(cost, 6));
    }
    if let Some(optimum) = document.optimal_cost {
        let of_what = if course.kinds.is_empty() { "" } else { " before the first move" };
        line("optimal", format!("{}{of_what}", world.show_cost(optimum, 6)));
    }
    line("moves", count(document.moves));
    if let Some(left) = course.left_after(document.moves) {
        line("not made", left);
    }
    line("revisits", count(document.revisits));
    line("work", format!("{} at most in a step", counted(document.max_work, "unit")));
    line("thinking", format!("{} at most in a row", counted(document.max_thinking, "step")));
    let rule = document.rule.map_or(String::new(), |rule| format!(", {rule} moves"));
    line("agent", format!("{}{rule}", document.agent));
    let seen = if args.journey.sight.is_none() { document.seen } else { &document.sight };
    line("sight", seen.to_owned());
    if let Some(planner) = document.stand_in {
        line("planned by", format!("{planner}{}", document.why_stand_in));
    }
    for picture in [&document.png, &document.svg, &document.gif].into_iter().flatten() {
        line("picture", picture.clone());
    }
    if let Some(trace) = &document.trace {
        line("trace", trace.clone());
    }
    if trail.is_empty() {
        return text;
    }
    text.push('\n');
    let lines = |trail: &[StateId]| -> String {
        let line = |places: &[StateId]| {
            let places: Vec<String> = places.iter().map(|state| world.place(*state).to_string()).collect();
            places.join(" ") + "\n"
        };
        trail.chunks(A_LINE).map(line).collect()
    };
    if trail.len() <= A_LINE * LINES {
        return text + &lines(trail);
    }
    let (first, rest) = trail.split_at(A_LINE);
    let (left, last) = rest.split_at(rest.len() - A_LINE);
    let left = format!("... {} more, all of them with --json ...\n", count(left.len() as u64));
    text + &lines(first) + &left + &lines(last)
}
