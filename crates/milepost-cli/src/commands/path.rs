//! `milepost path`: one path.

use crate::args::{Globals, PathArgs, PictureArgs};
use crate::contestants::{Candidate, check_edits};
use crate::edits::Schedule;
use crate::failure::Failure;
use crate::numbers::{count, counted, time};
use crate::output::{self, Answer};
use crate::place::Place;
use crate::why::{Ends, Why};
use crate::world::World;
use crate::{names, on_mesh, overlay, picture, trace};
use milepost::space::SpaceKind;
use milepost::{
    Atlas, Budget, Graph, NavMesh, Outcome, PartialReason, Planner, Position, Query, Rule, Scratch, Space,
    StateId,
};
use serde::Serialize;
use std::f64::consts::SQRT_2;
use std::time::Instant;

#[derive(Serialize)]
struct Document {
    status: &'static str,
    /// Why the answer is negative, and what to do.
    #[serde(flatten)]
    why: Why,
    /// Under the rule, the weights and the overlay.
    cost: Option<f64>,
    /// Geometric.
    length: Option<f64>,
    waypoints: Option<Vec<Coordinates>>,
    /// None for a tree.
    cells: Option<Vec<Coordinates>>,
    /// The path pulled straight, where that was asked for.
    straight: Option<Straight>,
    /// What is known of a path on a mesh alone.
    #[serde(flatten)]
    mesh: Option<MeshDocument>,
    /// The nodes of a path on a graph, or its polygons on a mesh.
    states: Option<Vec<u32>>,
    /// The start and the goals after they were moved to free cells.
    snapped: Option<Vec<Coordinates>>,
    expanded: u64,
    micros: f64,
    /// From the edits of the map to the answer.
    edit_us: Option<f64>,
    planner: String,
    /// None for a graph.
    moves: Option<&'static str>,
    png: Option<String>,
    svg: Option<String>,
    /// The trace, and the events that were left out of it.
    trace: Option<String>,
    trace_left: Option<u64>,
}

/// A path on a mesh.
#[derive(Serialize)]
struct MeshDocument {
    /// What the waypoints cost to follow; none where the path passes centres of polygons.
    pulled_cost: Option<f64>,
    /// The links that it takes.
    links: Option<Vec<LinkDocument>>,
}

#[derive(Serialize)]
struct LinkDocument {
    /// The index of the waypoint where it is entered; it leads to the next one.
    at: u32,
    link: u32,
}

/// Where something lies: a cell or a node, or a place between them.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
#[serde(untagged)]
pub(crate) enum Coordinates {
    Cell([i64; 2]),
    Flat([f64; 2]),
    High([f64; 3]),
}

impl Coordinates {
    pub(crate) fn new(at: Position, is_flat: bool) -> Coordinates {
        if is_flat { Coordinates::Flat([at.x, at.y]) } else { Coordinates::High([at.x, at.y, at.z]) }
    }
}

impl std::fmt::Display for Coordinates {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Coordinates::Cell([x, y]) => write!(out, "{x},{y}"),
            Coordinates::Flat([x, y]) => write!(out, "{x},{y}"),
            Coordinates::High([x, y, z]) => write!(out, "{x},{y},{z}"),
        }
    }
}

/// A path as segments between cells that see each other.
#[derive(Serialize)]
struct Straight {
    corners: Vec<[i64; 2]>,
    length: f64,
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
    let trace_left = trace::of_query(&args.trace, &world, named.planner.clone(), (from, reached))?;
    let (status, why) = judged(&world, args, (start, &goals), outcome, &named.name)?;
    let has_path = matches!(status, "found" | "partial");
    let path = scratch.path();
    let cells: Vec<StateId> = world.space().cells(path).collect();
    let is_written = has_path && !args.distance;
    let points = |states: &[StateId]| points(world.space(), states).filter(|_| is_written);
    let (is_graph, mesh) = (world.graph().is_some(), world.mesh());
    let pulled = pulled(&world, args, (start, &goals), path.waypoints()).filter(|_| is_written);
    let document = Document {
        status,
        why,
        cost: has_path.then(|| path.cost_f64()),
        length: match &pulled {
            None if mesh.is_some() => is_written.then(|| path.length()),
            Some(points) => Some(total(points.windows(2).map(|pair| distance(pair[0], pair[1])))),
            None => length(world.space(), &cells).filter(|_| is_written),
        },
        waypoints: match &pulled {
            None if let Some(mesh) = mesh => is_written
                .then(|| path.points().iter().map(|&at| Coordinates::new(at, !mesh.has_heights())).collect()),
            Some(points) => {
                Some(points.iter().map(|&at| Coordinates::new(at, is_flat(world.space()))).collect())
            }
            None => points(path.waypoints()),
        },
        cells: points(&cells).filter(|_| pulled.is_none() && mesh.is_none()),
        straight: straight.filter(|_| has_path).map(|straight| Straight {
            corners: straight.corners.iter().map(|corner| [corner.x, corner.y]).collect(),
            length: straight.length,
        }),
        mesh: mesh.map(|_| MeshDocument {
            pulled_cost: path.pulled_cost().filter(|_| is_written),
            links: is_written.then(|| {
                path.links().iter().map(|link| LinkDocument { at: link.at, link: link.link }).collect()
            }),
        }),
        states: (is_written && world.grid().is_none())
            .then(|| cells.iter().map(|state| state.number()).collect()),
        snapped: args.snap.then(|| {
            let places = std::iter::once(args.from).chain(args.to.iter().copied());
            let states = [start].into_iter().chain(goals.iter().copied());
            let snapped = |(place, state): (Place, StateId)| match world.snapped_place(place) {
                place if mesh.is_some() => {
                    let at = on_mesh::position(place).or_else(|| world.space().position(state));
                    let at = at.unwrap_or_default();
                    Coordinates::new(at, at.z.is_nan() || !mesh.is_some_and(NavMesh::has_heights))
                }
                Place::Voxel(at) => Coordinates::High(at.map(|value| value as f64)),
                Place::Cell(at) if is_graph => Coordinates::Cell([at.x, at.y]),
                _ => {
                    let at = world.space().point(state);
                    Coordinates::Cell([at.x, at.y])
                }
            };
            places.zip(states).map(snapped).collect()
        }),
        expanded: scratch.search().expanded(),
        micros,
        edit_us: is_edited.then_some(edit_us + micros),
        planner: named.name,
        moves: world.rule().map(Rule::name),
        png: args.picture.png.as_ref().map(|path| path.to_string_lossy().into_owned()),
        svg: args.picture.svg.as_ref().map(|path| path.to_string_lossy().into_owned()),
        trace: args.trace.trace.as_ref().map(|path| path.to_string_lossy().into_owned()),
        trace_left,
    };
    Ok(Answer::new(globals.json, &document, || render_text(&world, &document)).negative_if(status != "found"))
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

/// Where a path over a tree turns when it is pulled straight from the middle of one cell to that of another; none elsewhere.
fn pulled(
    world: &World,
    args: &PathArgs,
    (start, goals): (StateId, &[StateId]),
    leaves: &[StateId],
) -> Option<Vec<Position>> {
    let last = leaves.last()?;
    let given = |place: Place| if args.snap { world.snapped_place(place) } else { place };
    let from = world.middle_in_tree(given(args.from), start)?;
    // A path that leads to no goal ends in the middle of a leaf.
    let goal = goals.iter().zip(&args.to).find(|(goal, _)| *goal == last);
    let to = goal
        .map_or_else(|| world.space().position(*last), |(_, &to)| world.middle_in_tree(given(to), *last))?;
    Some(world.graph()?.pulled(leaves, from, to))
}

/// Whether a tree lies on the plane.
fn is_flat(space: &Space) -> bool {
    space.as_graph().and_then(Graph::extent).is_none_or(|extent| extent.is_flat())
}

/// Where states lie; none on a graph without coordinates.
pub(crate) fn points(space: &Space, states: &[StateId]) -> Option<Vec<Coordinates>> {
    let is_known = space.as_graph().is_none_or(Graph::has_positions);
    if space.as_graph().and_then(Graph::extent).is_some() {
        let point = |state: &StateId| space.position(*state).map(|at| Coordinates::new(at, is_flat(space)));
        return states.iter().map(point).collect();
    }
    let point = |state: &StateId| {
        let at = space.point(*state);
        Coordinates::Cell([at.x, at.y])
    };
    is_known.then(|| states.iter().map(point).collect())
}

/// The length of a path as the crow flies from state to state; none on a graph without coordinates.
fn length(space: &Space, states: &[StateId]) -> Option<f64> {
    let steps = states.windows(2);
    if let Some(grid) = space.as_grid() {
        // Steps are counted first: one rounding, not many. All steps between hexagons are equally long.
        let is_diagonal = |step: &&[StateId]| {
            let (from, to) = (grid.point(step[0]), grid.point(step[1]));
            grid.rule().hexagons().is_none() && from.x != to.x && from.y != to.y
        };
        let diagonal = steps.clone().filter(is_diagonal).count();
        return Some((steps.len() - diagonal) as f64 + diagonal as f64 * SQRT_2);
    }
    let leg = |step: &[StateId]| Some(distance(space.position(step[0])?, space.position(step[1])?));
    steps.map(leg).collect::<Option<Vec<f64>>>().map(|legs| total(legs.into_iter()))
}

/// From 0: the sum of no numbers at all is written as -0.
fn total(legs: impl Iterator<Item = f64>) -> f64 {
    legs.fold(0.0, |sum, leg| sum + leg)
}

fn distance(from: Position, to: Position) -> f64 {
    ((from.x - to.x).powi(2) + (from.y - to.y).powi(2) + (from.z - to.z).powi(2)).sqrt()
}

/// Waypoints that the text shows in a line.
const A_LINE: usize = 12;

fn render_text(world: &World, document: &Document) -> String {
    let mut text = String::new();
    let mut line = |what: &str, value: String| text.push_str(&format!("{what:<12}{value}\n"));
    line("status", document.status.replace('_', " "));
    if let Some(advice) = &document.why.advice {
        line("why", advice.clone());
    }
    if let Some(snapped) = &document.snapped {
        line("snapped", snapped.iter().map(Coordinates::to_string).collect::<Vec<String>>().join(" "));
    }
    if let Some(cost) = document.cost {
        line("cost", world.show_cost(cost, 6));
    }
    if let Some(length) = document.length {
        line("length", format!("{length:.6}"));
    }
    if let Some(cost) = document.mesh.as_ref().and_then(|mesh| mesh.pulled_cost) {
        line("pulled", format!("{cost:.6}"));
    }
    if let Some(straight) = &document.straight {
        line("straight", format!("{:.6}, corners {}", straight.length, spelled(&straight.corners).join(" ")));
    }
    if let (Some(states), Some(waypoints), Some(_)) = (&document.states, &document.waypoints, &document.mesh)
    {
        line("waypoints", count(waypoints.len() as u64));
        line("polygons", count(states.len() as u64));
    } else if let Some(states) = &document.states {
        line("nodes", count(states.len() as u64));
    } else if let (Some(waypoints), Some(cells)) = (&document.waypoints, &document.cells) {
        line("waypoints", count(waypoints.len() as u64));
        line("cells", count(cells.len() as u64));
    }
    let moves = document.moves.map_or(String::new(), |moves| format!(", {moves} moves"));
    line("planner", format!("{}{moves}", document.planner));
    line("expanded", count(document.expanded));
    line("time", time(document.micros));
    for picture in [&document.png, &document.svg].into_iter().flatten() {
        line("picture", picture.clone());
    }
    if let Some(trace) = &document.trace {
        line("trace", trace.clone());
    }
    let turns: Vec<String> = match (&document.states, &document.waypoints) {
        (Some(states), _) if document.mesh.is_none() => {
            states.iter().map(|id| Place::Node(*id).to_string()).collect()
        }
        (_, Some(waypoints)) => waypoints.iter().map(Coordinates::to_string).collect(),
        _ => return text,
    };
    text.push('\n');
    for turns in turns.chunks(A_LINE) {
        text.push_str(&format!("{}\n", turns.join(" ")));
    }
    text
}

fn spelled(points: &[[i64; 2]]) -> Vec<String> {
    points.iter().map(|[x, y]| format!("{x},{y}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use milepost::plan::Task;
    use milepost::{Grid, Point};
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Counts how often it is asked.
    #[derive(Debug, Default)]
    struct Counting(AtomicU32);

    impl Planner for Counting {
        fn advance(&self, _: &mut Task<'_>) -> Outcome {
            self.0.fetch_add(1, Ordering::Relaxed);
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
        assert!(micros >= 0.0);
    }
}
