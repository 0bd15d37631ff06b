//! What is said of a path: the JSON document, and the same in words.

use super::PathArgs;
use crate::coordinates::{Coordinates, is_flat, moved, points};
use crate::numbers::{count, time};
use crate::on_mesh;
use crate::place::Place;
use crate::why::{Spot, Why};
use crate::world::World;
use milepost::space::{SpaceKind, StraightPath};
use milepost::{NavMesh, Position, Rule, Scratch, Space, StateId};
use serde::Serialize;
use std::f64::consts::SQRT_2;

/// An answer, and what it was asked for.
pub(super) struct Answered<'a> {
    pub(super) world: &'a World,
    pub(super) args: &'a PathArgs,
    /// Where the path was left.
    pub(super) scratch: &'a Scratch,
    /// The start and the goals.
    pub(super) ends: (StateId, &'a [StateId]),
    pub(super) straight: Option<StraightPath>,
    pub(super) status: &'static str,
    pub(super) why: Why,
    /// The goal that was found.
    pub(super) goal: Option<Place>,
    pub(super) planner: String,
    pub(super) micros: f64,
    /// From the edits of the map to the answer.
    pub(super) edit_us: Option<f64>,
    /// The events that were left out of the trace.
    pub(super) trace_left: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct Document {
    status: &'static str,
    /// Why the answer is negative, and what to do.
    #[serde(flatten)]
    why: Why,
    /// The goal that the path leads to.
    goal: Option<Spot>,
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

/// A path as segments between cells that see each other.
#[derive(Serialize)]
struct Straight {
    corners: Vec<[i64; 2]>,
    length: f64,
}

/// Waypoints that the text shows in a line.
const A_LINE: usize = 12;

impl Document {
    /// What is said of an answer.
    pub(super) fn new(answered: Answered<'_>) -> Document {
        let Answered { world, args, scratch, ends: (start, goals), straight, status, why, .. } = answered;
        let Answered { goal, planner, micros, edit_us, trace_left, .. } = answered;
        let has_path = matches!(status, "found" | "partial");
        let path = scratch.path();
        let cells: Vec<StateId> = world.space().cells(path).collect();
        let is_written = has_path && !args.distance;
        let points = |states: &[StateId]| points(world.space(), states).filter(|_| is_written);
        let mesh = world.mesh();
        let pulled = pulled(world, args, (start, goals), path.waypoints()).filter(|_| is_written);
        Document {
            status,
            why,
            goal: goal.map(Spot::of),
            cost: has_path.then(|| path.cost_f64()),
            length: match &pulled {
                None if mesh.is_some() => is_written.then(|| path.length()),
                Some(points) => Some(total(points.windows(2).map(|pair| distance(pair[0], pair[1])))),
                None => length(world.space(), &cells).filter(|_| is_written),
            },
            waypoints: match (&pulled, mesh) {
                (None, Some(mesh)) => is_written.then(|| {
                    path.points().iter().map(|&at| Coordinates::new(at, !mesh.has_heights())).collect()
                }),
                (Some(points), _) => {
                    Some(points.iter().map(|&at| Coordinates::new(at, is_flat(world.space()))).collect())
                }
                (None, None) => points(path.waypoints()),
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
            snapped: args.snap.then(|| snapped(world, args, (start, goals))),
            expanded: scratch.search().expanded(),
            micros,
            edit_us,
            planner,
            moves: world.rule().map(Rule::name),
            png: args.picture.png.as_ref().map(|path| path.to_string_lossy().into_owned()),
            svg: args.picture.svg.as_ref().map(|path| path.to_string_lossy().into_owned()),
            trace: args.trace.trace.as_ref().map(|path| path.to_string_lossy().into_owned()),
            trace_left,
        }
    }

    /// The same in words.
    pub(super) fn render_text(&self, world: &World, args: &PathArgs) -> String {
        let mut text = String::new();
        let mut line = |what: &str, value: String| text.push_str(&format!("{what:<12}{value}\n"));
        line("status", self.status.replace('_', " "));
        if let Some(advice) = &self.why.advice {
            line("why", advice.clone());
        }
        if let Some(snapped) = &self.snapped {
            line("snapped", moved(places(args), snapped));
        }
        if let Some(goal) = self.goal.as_ref().filter(|_| args.to.len() > 1) {
            line("goal", goal.to_string());
        }
        if let Some(cost) = self.cost {
            line("cost", world.show_cost(cost, 6));
        }
        if let Some(length) = self.length {
            line("length", format!("{length:.6}"));
        }
        if let Some(cost) = self.mesh.as_ref().and_then(|mesh| mesh.pulled_cost) {
            line("pulled", format!("{cost:.6}"));
        }
        if let Some(straight) = &self.straight {
            line(
                "straight",
                format!("{:.6}, corners {}", straight.length, spelled(&straight.corners).join(" ")),
            );
        }
        if let (Some(states), Some(waypoints), Some(_)) = (&self.states, &self.waypoints, &self.mesh) {
            line("waypoints", count(waypoints.len() as u64));
            line("polygons", count(states.len() as u64));
        } else if let Some(states) = &self.states {
            line("nodes", count(states.len() as u64));
        } else if let (Some(waypoints), Some(cells)) = (&self.waypoints, &self.cells) {
            line("waypoints", count(waypoints.len() as u64));
            line("cells", count(cells.len() as u64));
        }
        let moves = self.moves.map_or(String::new(), |moves| format!(", {moves} moves"));
        line("planner", format!("{}{moves}", self.planner));
        line("expanded", count(self.expanded));
        line("time", time(self.micros));
        for picture in [&self.png, &self.svg].into_iter().flatten() {
            line("picture", picture.clone());
        }
        if let Some(trace) = &self.trace {
            line("trace", trace.clone());
        }
        let turns: Vec<String> = match (&self.states, &self.waypoints) {
            (Some(states), _) if self.mesh.is_none() => {
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
}

/// The start and the goals after they were moved.
fn snapped(world: &World, args: &PathArgs, (start, goals): (StateId, &[StateId])) -> Vec<Coordinates> {
    let (is_graph, mesh) = (world.graph().is_some(), world.mesh());
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
    places(args).zip(states).map(snapped).collect()
}

/// The start and the goals as the user named them.
fn places(args: &PathArgs) -> impl Iterator<Item = Place> {
    std::iter::once(args.from).chain(args.to.iter().copied())
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

fn spelled(points: &[[i64; 2]]) -> Vec<String> {
    points.iter().map(|[x, y]| format!("{x},{y}")).collect()
}
