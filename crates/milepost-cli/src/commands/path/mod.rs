//! `milepost path`: one path.

mod document;

use crate::args::{Globals, MapArgs, PictureArgs, TraceArgs};
use crate::contestants::{Candidate, check_edits};
use crate::edits::Schedule;
use crate::failure::Failure;
use crate::numbers::counted;
use crate::output::{self, Answer};
use crate::place::Place;
use crate::why::{Ends, Why};
use crate::world::World;
use crate::{names, overlay, picture, trace};
use clap::Args;
use document::{Answered, Document};
use milepost::{Atlas, Budget, Outcome, PartialReason, Planner, Position, Query, Scratch, StateId};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Args, Clone, Debug)]
pub(crate) struct PathArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// Where the path begins: X,Y, or #ID on a graph or a mesh
    #[arg(long, value_name = "PLACE", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) from: Place,
    /// Where it ends; if given several times, the goal that costs least
    #[arg(long, value_name = "PLACE", value_parser = Place::parse, allow_hyphen_values = true, required = true)]
    pub(crate) to: Vec<Place>,
    /// The planner, as `NAME[:VALUE][:key=value]...`; `milepost list planners` shows them all [default: the fastest exact one]
    #[arg(long, value_name = "PLANNER")]
    pub(crate) planner: Option<String>,
    /// If no goal can be reached, or not within the budget: a path to the best place instead
    #[arg(long)]
    pub(crate) partial: bool,
    /// Move a start or goal that is blocked or outside the map to the nearest free cell
    #[arg(long)]
    pub(crate) snap: bool,
    /// As --snap, but goals move to places that are joined to the start alone: never onto another island; on meshes
    #[arg(long, conflicts_with = "snap")]
    pub(crate) snap_joined: bool,
    /// Also pull the path straight: segments between cells that see each other; not on hexagons and graphs
    #[arg(long)]
    pub(crate) straight: bool,
    /// Ask for the cost alone: no path is written
    #[arg(long, conflicts_with_all = ["straight", "png", "svg", "trace"])]
    pub(crate) distance: bool,
    /// A grey picture as large as the map that makes cells dearer: white costs 1 times, black 255 times
    #[arg(long, value_name = "PNG", conflicts_with = "trace")]
    pub(crate) overlay: Option<PathBuf>,
    /// The most work to do, in units of about one expanded state
    #[arg(long, value_name = "N", conflicts_with = "trace")]
    pub(crate) budget: Option<u64>,
    /// Edit the map first: lines as `milepost repair` reads them
    #[arg(long, value_name = "FILE")]
    pub(crate) edits: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) picture: PictureArgs,
    #[command(flatten)]
    pub(crate) trace: TraceArgs,
}

pub(crate) fn run(globals: &Globals, args: &PathArgs) -> Result<Answer, Failure> {
    let mut args = args.clone();
    let named = args.planner.as_deref().map(names::planner).transpose()?;
    let PictureArgs { png, svg, .. } = &args.picture;
    output::check_files(globals.json, &[png.as_deref(), svg.as_deref(), args.trace.trace.as_deref()])?;
    trace::check(&args.trace)?;
    let schedule = Schedule::open(args.edits.as_deref())?;
    schedule.check_at_once()?;
    let mut world = World::open(globals, &args.map)?;
    let edited = Instant::now();
    let is_edited = !schedule.is_empty();
    if is_edited {
        world = schedule.edited(&world, 0)?;
    }
    let edit_us = edited.elapsed().as_secs_f64() * 1e6;
    if let Some(named) = named.as_ref().filter(|_| is_edited) {
        check_edits(named, std::slice::from_ref(&world))?;
    }
    let has_overlay = args.overlay.is_some();
    let named = named.map_or_else(|| names::fastest(&world.atlas, has_overlay), Ok)?;
    named.check(&world)?;
    if has_overlay {
        named.check_overlays(&world)?;
    }
    picture::check(&world, &args.picture, None)?;
    if args.straight {
        check_straight(&world, args.overlay.is_some())?;
    }
    let is_joined = std::mem::take(&mut args.snap_joined);
    args.snap |= is_joined;
    let from = world.end_at("--from", args.from, args.snap)?;
    if is_joined {
        args.to = world.joined_places(from, &args.to)?;
    }
    let args = &args;
    let to = args.to.iter().map(|&place| world.end_at("--to", place, args.snap));
    let to = to.collect::<Result<Vec<milepost::Place>, Failure>>()?;
    let start = world.first_state(from);
    let goals: Vec<StateId> = to.iter().map(|&place| world.first_state(place)).collect();
    let overlay = args.overlay.as_deref().map(|path| overlay::open(path, &world)).transpose()?;

    let mut query = match world.mesh() {
        Some(_) => Query::nearest_place(from, &to),
        None => Query::nearest_of(start, &goals),
    };
    query.overlay = overlay.as_ref();
    query.partial = args.partial;
    query.distance_only = args.distance;
    let mut scratch = Scratch::new();
    let mut budget = args.budget.map_or(Budget::unlimited(), Budget::units);
    let (outcome, micros) = timed(&*named.planner, &world.atlas, &query, &mut scratch, &mut budget);
    let straight = world.grid().filter(|_| args.straight).and_then(|grid| grid.straighten(scratch.path()));
    if args.picture.are_given() {
        let corners: Option<Vec<StateId>> = straight.as_ref().map(|straight| {
            straight.corners.iter().filter_map(|corner| world.atlas.state_at(*corner)).collect()
        });
        let scene = picture::Scene::of_query(&world, &scratch, (start, &goals), !args.picture.no_search);
        let line = world.mesh().map(|_| scratch.path().points().to_vec());
        picture::save(&args.picture, &world, &scene.with_straight(corners.as_deref()).with_points(line))?;
    }

    let reached = match outcome {
        Outcome::Found { goal, .. } if world.mesh().is_none() => goal.into(),
        _ => to.first().copied().unwrap_or(from),
    };
    let goal = match outcome {
        Outcome::Found { goal, .. } => {
            let mut scratch = Scratch::new();
            let turns = || turns(&*named.planner, &world.atlas, &query, &mut scratch);
            reached_goal(&world, args, &to, goal, turns)
        }
        _ => None,
    };
    let trace_left = trace::of_query(&args.trace, &world, named.planner.clone(), (from, reached))?;
    let (status, why) = judged(&world, args, (start, &goals), outcome, &named.name)?;
    let document = Document::new(Answered {
        world: &world,
        args,
        scratch: &scratch,
        ends: (start, &goals),
        straight,
        status,
        why,
        goal,
        planner: named.name,
        micros,
        edit_us: is_edited.then_some(edit_us + micros),
        trace_left,
    });
    Ok(Answer::new(globals.json, &document, || document.render_text(&world, args))
        .negative_if(status != "found"))
}

/// The goal that a path leads to, as the user named it, or where it was moved to. On a mesh several goals may lie in the polygon
/// where the path ends: of these it is the one where it turns last.
fn reached_goal(
    world: &World,
    args: &PathArgs,
    to: &[milepost::Place],
    reached: StateId,
    turns: impl FnOnce() -> Vec<Position>,
) -> Option<Place> {
    let mut states = Vec::new();
    let mut holds = |place: milepost::Place| {
        states.clear();
        world.space().write_states_at(place, &mut states);
        states.contains(&reached)
    };
    let candidates: Vec<usize> = (0..to.len()).filter(|&goal| holds(to[goal])).collect();
    let number = match candidates[..] {
        [_, _, ..] if world.mesh().is_some() => {
            let end = turns().last().copied()?;
            let away = |goal: usize| {
                let at = world.position_on_mesh(args.to[goal]);
                at.map_or(f64::INFINITY, |at| (at.x - end.x).hypot(at.y - end.y))
            };
            candidates.into_iter().min_by(|&one, &other| away(one).total_cmp(&away(other)))?
        }
        _ => *candidates.first()?,
    };
    let named = args.to[number];
    Some(match world.grid() {
        Some(_) => world.place(reached),
        None if args.snap => world.snapped_place(named),
        None => named,
    })
}

/// Where the path of a query turns. It is asked anew: a query for the cost alone writes none.
fn turns(planner: &dyn Planner, atlas: &Atlas, query: &Query<'_>, scratch: &mut Scratch) -> Vec<Position> {
    let query = Query { distance_only: false, ..*query };
    planner.plan(atlas, &query, scratch, &mut Budget::unlimited());
    scratch.path().points().to_vec()
}

/// The status of an answer and, if it is negative, why that is so.
fn judged(
    world: &World,
    args: &PathArgs,
    (start, goals): (StateId, &[StateId]),
    outcome: Outcome,
    name: &str,
) -> Result<(&'static str, Why), Failure> {
    let is_free = |state: &StateId| world.space().is_free(*state);
    let is_blocked = !is_free(&start) || !goals.iter().any(is_free);
    let no_path = || {
        let in_tree = Why::blocked_at(world, args.from, &args.to);
        in_tree.unwrap_or_else(|| {
            Why::no_path(world, &Ends { start, goals, places: &args.to, offer: "; --partial leads there" })
        })
    };
    Ok(match outcome {
        Outcome::Found { .. } => ("found", Why::default()),
        Outcome::Partial { reason: PartialReason::Unreachable, end, .. } => {
            let advice = format!(
                "the goal cannot be reached; the path leads to {}, the nearest place that can be",
                world.place(end)
            );
            ("partial", Why::new("unreachable", advice).near(world, end))
        }
        Outcome::Partial { reason: PartialReason::OutOfBudget, end, .. } => {
            let advice = format!(
                "the goal is beyond the budget; the path leads to {}, the nearest place found so far; raise --budget",
                world.place(end)
            );
            ("partial", Why::new("out_of_budget", advice).near(world, end))
        }
        Outcome::OutOfBudget => {
            let units = args
                .budget
                .map_or("the budget".to_owned(), |units| format!("the budget of {}", counted(units, "unit")));
            let advice = format!(
                "{units} was used up before a path was found; raise --budget, leave it out, or take what was found so \
                 far with --partial"
            );
            ("out_of_budget", Why::new("out_of_budget", advice))
        }
        Outcome::Unreachable if is_blocked => ("blocked", no_path()),
        Outcome::Unreachable => ("unreachable", no_path()),
        Outcome::IndexDamaged => {
            let message =
                "an index leads nowhere; `milepost verify` says what is wrong, or build the file anew";
            return Err(Failure::damaged(&args.map.map, message));
        }
        Outcome::Refused(refusal) => {
            return Err(Failure::usage("refused", refusal.said_of(&format!("`{name}`"))));
        }
        _ => {
            let message = format!("`{name}` gave an answer that this command does not know");
            return Err(Failure::usage("refused", message));
        }
    })
}

/// Plans once, and says how many microseconds that took: a user waits for the first query, whose memory is cold.
fn timed(
    planner: &dyn Planner,
    atlas: &Atlas,
    query: &Query<'_>,
    scratch: &mut Scratch,
    budget: &mut Budget,
) -> (Outcome, f64) {
    let begin = Instant::now();
    let outcome = planner.plan(atlas, query, scratch, budget);
    (outcome, begin.elapsed().as_secs_f64() * 1e6)
}

/// Refuses to pull paths straight where that means nothing.
fn check_straight(world: &World, has_overlay: bool) -> Result<(), Failure> {
    let message = match world.rule() {
        None if world.mesh().is_some() => {
            "--straight is for maps of cells; paths on meshes are pulled straight as they are".to_owned()
        }
        None => format!("--straight is for maps of cells, and {} is a graph", world.name),
        Some(rule) if rule.hexagons().is_some() => {
            let message =
                format!("--straight is for squares, and the rule `{rule}` has none; try another with --moves");
            return Err(Failure::usage("not_for_this_rule", message));
        }
        Some(_) if has_overlay => {
            "--straight does not look at an --overlay, and a straight line could cross what it makes dear; leave out \
             one of the two"
                .to_owned()
        }
        Some(_) => return Ok(()),
    };
    Err(Failure::usage("not_for_this_map", message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use milepost::plan::Task;
    use milepost::{Grid, Point, Rule, Space};
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    /// Counts how often it is asked, and takes two milliseconds.
    #[derive(Debug, Default)]
    struct Counting(AtomicU32);

    impl Planner for Counting {
        fn advance(&self, _: &mut Task<'_>) -> Outcome {
            self.0.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(2));
            Outcome::OutOfBudget
        }

        fn is_optimal(&self, _: &Space) -> bool {
            true
        }
    }

    #[test]
    fn a_path_is_planned_once() {
        let atlas = Atlas::new(Grid::new(3, 1, Rule::Octile, |_, _| true).expect("a small map"));
        let cell = |x| atlas.state_at(Point::new(x, 0)).expect("inside");
        let (planner, query) = (Counting::default(), Query::new(cell(0), cell(2)));
        let (outcome, micros) =
            timed(&planner, &atlas, &query, &mut Scratch::new(), &mut Budget::unlimited());
        assert_eq!((outcome, planner.0.into_inner()), (Outcome::OutOfBudget, 1));
        assert!(micros >= 2000.0, "{micros}");
    }
}
