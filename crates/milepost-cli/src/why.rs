//! Why an answer is negative, and what to do about it: a word for programs, a place nearby, a sentence.

use crate::place::Place;
use crate::world::World;
use milepost::StateId;
use milepost::space::{NoPath, NoPathReason};
use milepost_maps::MeshPlace;
use serde::Serialize;
use std::fmt;

/// What documents say about a negative answer; all null for a good one.
#[derive(Serialize, Clone, Debug, Default, PartialEq)]
pub(crate) struct Why {
    pub(crate) reason: Option<&'static str>,
    /// Where a path could begin or end instead.
    nearest: Option<Spot>,
    /// If both ends are blocked, where a path could end.
    nearest_goal: Option<Spot>,
    /// What to do, in a sentence.
    pub(crate) advice: Option<String>,
}

/// A place in a document: `[x, y]`, or `#ID` on a graph and for a polygon.
#[derive(Serialize, Clone, Debug, PartialEq)]
#[serde(untagged)]
pub(crate) enum Spot {
    Cell([i64; 2]),
    Voxel([i64; 3]),
    Flat([f64; 2]),
    High([f64; 3]),
    Node(String),
}

impl fmt::Display for Spot {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spot::Cell([x, y]) => write!(out, "{x},{y}"),
            Spot::Voxel([x, y, z]) => write!(out, "{x},{y},{z}"),
            Spot::Flat([x, y]) => write!(out, "{x},{y}"),
            Spot::High([x, y, z]) => write!(out, "{x},{y},{z}"),
            Spot::Node(id) => out.write_str(id),
        }
    }
}

impl Spot {
    fn new(world: &World, state: StateId) -> Spot {
        match world.place(state) {
            Place::Cell(at) => Spot::Cell([at.x, at.y]),
            node => Spot::Node(node.to_string()),
        }
    }

    pub(crate) fn of(place: Place) -> Spot {
        match place {
            Place::Cell(at) => Spot::Cell([at.x, at.y]),
            Place::Voxel(at) => Spot::Voxel(at),
            Place::Spot(MeshPlace { x, y, z: None }) => Spot::Flat([x, y]),
            Place::Spot(MeshPlace { x, y, z: Some(z) }) => Spot::High([x, y, z]),
            Place::Node(_) => Spot::Node(place.to_string()),
        }
    }
}

/// What to do about an end that is blocked.
const SNAP: &str = "; --snap moves it there";

/// The ends of a query or a journey that came to nothing.
pub(crate) struct Ends<'a> {
    pub(crate) start: StateId,
    pub(crate) goals: &'a [StateId],
    /// The goals as the user named them.
    pub(crate) places: &'a [Place],
    /// What else the command offers where no goal can be reached, such as "; --partial leads there".
    pub(crate) offer: &'static str,
}

impl Why {
    /// A reason with advice, and no place.
    pub(crate) fn new(reason: &'static str, advice: impl Into<String>) -> Why {
        Why { reason: Some(reason), advice: Some(advice.into()), ..Why::default() }
    }

    /// The same, and a place nearby.
    pub(crate) fn near(self, world: &World, state: StateId) -> Why {
        let is_known = world.graph().is_none_or(|graph| graph.has_positions());
        Why { nearest: is_known.then(|| Spot::new(world, state)), ..self }
    }

    /// The same of a goal that an edit has closed: which one, and whether --snap would help.
    pub(crate) fn since(self, edit: &str, can_snap: bool) -> Why {
        let advice = self.advice.map(|advice| {
            let advice = advice.replacen("is blocked", &format!("is blocked since {edit}"), 1);
            if can_snap { advice } else { advice.replace(SNAP, "") }
        });
        Why { advice, ..self }
    }

    /// Why no path leads from one place of a tree or a mesh to another, if one of them, or every goal, is a cell that no leaf or a
    /// point that no free polygon holds.
    pub(crate) fn blocked_at(world: &World, start: Place, goals: &[Place]) -> Option<Why> {
        let near = |place: Place| world.free_near(place).filter(|_| world.is_blocked_at(place));
        let (start_near, goal_near) = (near(start), goals.first().and_then(|&goal| near(goal)));
        let (is_start, is_goal) = (
            world.is_blocked_at(start),
            !goals.is_empty() && goals.iter().all(|&goal| world.is_blocked_at(goal)),
        );
        let told = |near: Option<Place>| {
            let what = if world.mesh().is_some() { "place" } else { "cell" };
            near.map_or(String::new(), |near| format!("; the free {what} nearest to it is {near}{SNAP}"))
        };
        let goal = goals.first().map_or(String::new(), |goal| format!("the goal {goal}"));
        Some(match (is_start, is_goal) {
            (false, false) => return None,
            (true, true) => Why {
                reason: Some(NoPathReason::BothBlocked.name()),
                nearest: start_near.map(Spot::of),
                nearest_goal: goal_near.map(Spot::of),
                advice: Some(format!(
                    "the start {start} is blocked, and so is {goal}{}",
                    told(start_near).replace("to it", "to the start").replace("moves it there", "moves both")
                )),
            },
            (true, false) => Why {
                nearest: start_near.map(Spot::of),
                ..Why::new(
                    NoPathReason::StartBlocked.name(),
                    format!("the start {start} is blocked{}", told(start_near)),
                )
            },
            (false, true) => Why {
                nearest: goal_near.map(Spot::of),
                ..Why::new(NoPathReason::GoalBlocked.name(), format!("{goal} is blocked{}", told(goal_near)))
            },
        })
    }

    /// Why no path leads from the start to a goal on the map of this world; nothing if one does.
    pub(crate) fn no_path(world: &World, ends: &Ends<'_>) -> Why {
        let Some(found) = world.space().why_no_path(ends.start, ends.goals) else { return Why::default() };
        let spot = |state: Option<StateId>| state.map(|state| Spot::new(world, state));
        let reached = reached_on_mesh(world, ends, &found);
        Why {
            reason: Some(found.reason.name()),
            nearest: reached.map(Spot::of).or(spot(found.nearest)),
            nearest_goal: spot(found.nearest_goal),
            advice: Some(advice(world, ends, &found, reached)),
        }
    }
}

/// The place nearest to the first goal that can be reached on a mesh, where none of the ends is blocked.
fn reached_on_mesh(world: &World, ends: &Ends<'_>, found: &NoPath) -> Option<Place> {
    let goal = *ends.places.first()?;
    match found.reason {
        NoPathReason::OtherComponent => world.place_joined_to(ends.start, goal),
        NoPathReason::OneWay => world.place_in_polygon(found.nearest?, goal),
        _ => None,
    }
}

/// What is wrong, and what to do.
fn advice(world: &World, ends: &Ends<'_>, found: &NoPath, reached: Option<Place>) -> String {
    let (state, snap) = match (world.grid(), world.mesh()) {
        (Some(_), _) => ("cell", SNAP),
        (_, Some(_)) => ("polygon", SNAP),
        _ => ("node", ""),
    };
    let start = format!("the start {}", world.place(ends.start));
    let goal = match ends.goals {
        [goal] => format!("the goal {}", world.place(*goal)),
        _ => "every goal".to_owned(),
    };
    let place = |near: StateId| world.place(near);
    match (found.reason, found.nearest, found.nearest_goal) {
        (NoPathReason::StartBlocked, Some(near), _) => {
            format!("{start} is blocked; the free {state} nearest to it is {}{snap}", place(near))
        }
        (NoPathReason::StartBlocked, None, _) => format!("{start} is blocked"),
        (NoPathReason::GoalBlocked, Some(near), _) => {
            let to = if ends.goals.len() > 1 { "the first" } else { "it" };
            format!("{goal} is blocked; the free {state} nearest to {to} is {}{snap}", place(near))
        }
        (NoPathReason::GoalBlocked, None, _) => format!("{goal} is blocked"),
        (NoPathReason::BothBlocked, Some(from), Some(to)) => format!(
            "{start} is blocked, and so is {goal}; the free {state}s nearest to them are {} and {}{}",
            place(from),
            place(to),
            snap.replace("it", "both")
        ),
        (NoPathReason::BothBlocked, _, _) => format!("{start} is blocked, and so is {goal}"),
        (reason, near, _) => {
            let why = match reason {
                NoPathReason::OneWay => "moves that can be made one way only keep the start from it",
                _ => "nothing joins its part of the map to the start's",
            };
            let near = near.map_or(String::new(), |near| {
                let (what, near) = reached.map_or((state, place(near)), |reached| ("place", reached));
                format!("; the {what} nearest to it that can be reached is {near}{}", ends.offer)
            });
            let goal = if ends.goals.len() > 1 { "any goal" } else { goal.as_str() };
            format!("no way leads to {goal}: {why}{near}")
        }
    }
}
