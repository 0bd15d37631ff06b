//! Where states lie, as documents and texts spell it.

use crate::place::Place;
use milepost::{Graph, Position, Space, StateId};
use serde::Serialize;
use std::fmt;

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

impl fmt::Display for Coordinates {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Coordinates::Cell([x, y]) => write!(out, "{x},{y}"),
            Coordinates::Flat([x, y]) => write!(out, "{x},{y}"),
            Coordinates::High([x, y, z]) => write!(out, "{x},{y},{z}"),
        }
    }
}

/// Which of these places were moved, and where to: `1,1 -> 1,0`.
pub(crate) fn moved(places: impl IntoIterator<Item = Place>, to: &[Coordinates]) -> String {
    // A node is free, and has no coordinates to be moved from.
    let pairs = places.into_iter().zip(to).filter(|(place, _)| !matches!(place, Place::Node(_)));
    let spelled = pairs.map(|(place, to)| (place.to_string(), to.to_string()));
    let moved = spelled.filter(|(place, to)| place != to).map(|(place, to)| format!("{place} -> {to}"));
    let moved = moved.collect::<Vec<String>>().join(", ");
    if moved.is_empty() { "nothing: all of it was free".to_owned() } else { moved }
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

/// Whether a tree lies on the plane.
pub(crate) fn is_flat(space: &Space) -> bool {
    space.as_graph().and_then(Graph::extent).is_none_or(|extent| extent.is_flat())
}
