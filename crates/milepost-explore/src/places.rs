//! `near` and `path`: the free state nearest to a place, and the best way between two.

use crate::fault::Fault;
use crate::maps::Map;
use crate::message::{Answer, Fields, block_of_f32, block_of_u32, missing, wrong};
use crate::open::state;
use milepost::{Place, Point, Position, Scratch, Space, StateId};
use serde_json::{Value, json};

/// A place of a message: the number of a state, or a point.
pub(crate) fn place(map: &Map, fields: &Fields<'_>, name: &str) -> Result<Place, Fault> {
    match fields.get(name) {
        None => Err(missing(name, "the number of a state, or [x, y]")),
        Some(Value::Array(at)) => point(at, name).map(|at| on_states(map, at)),
        Some(value) => state(map, name, value).map(Place::State),
    }
}

/// A point as it is: on a mesh; elsewhere the state that is nearest.
fn on_states(map: &Map, at: Position) -> Place {
    match map.space() {
        Space::Mesh(_) => Place::Point { at },
        _ => Place::State(nearest(map, at).unwrap_or(StateId::NONE)),
    }
}

fn point(at: &[Value], name: &str) -> Result<Position, Fault> {
    let number = |place: usize| at.get(place).and_then(Value::as_f64).filter(|value| value.is_finite());
    match (number(0), number(1)) {
        (Some(x), Some(y)) => Ok(Position::new(x, y, number(2).unwrap_or(f64::NAN))),
        _ => Err(wrong(name, "[x, y]", &Value::Array(at.to_vec()))),
    }
}

/// The free state nearest to a place.
fn nearest(map: &Map, at: Position) -> Option<StateId> {
    let whole = |value: f64| value.floor().clamp(-1e9, 1e9) as i64;
    match map.space() {
        Space::Grid(grid) => grid.nearest_free(Point::new(whole(at.x), whole(at.y))),
        Space::Mesh(mesh) => mesh.nearest(at).map(|found| found.polygon),
        space => {
            let z = if at.z.is_nan() { 0.0 } else { at.z };
            if let Some(graph) = space.as_graph().filter(|graph| graph.extent().is_some()) {
                return graph.nearest_leaf([whole(at.x), whole(at.y), whole(z)]);
            }
            let apart = |state: StateId| {
                let there = map.place(state);
                (there.x - at.x).powi(2) + (there.y - at.y).powi(2)
            };
            space.free_states().min_by(|one, other| apart(*one).total_cmp(&apart(*other)))
        }
    }
}

/// `near`.
pub(crate) fn near(map: &Map, fields: &Fields<'_>) -> Result<Answer, Fault> {
    let nothing = || Fault::new("the map has no free place", "open some ground first");
    let at = match (fields.get("cell"), fields.get("at")) {
        (Some(cell), _) => {
            let cell = state(map, "cell", cell)?;
            if map.space().is_free(cell) {
                let at = map.place(cell);
                return Ok(Answer::new(json!({ "cell": cell.number(), "at": [at.x, at.y] })));
            }
            map.place(cell)
        }
        (None, Some(Value::Array(at))) => point(at, "at")?,
        (None, Some(other)) => return Err(wrong("at", "[x, y]", other)),
        (None, None) => return Err(missing("at", "[x, y], or `cell`")),
    };
    let cell = nearest(map, at).ok_or_else(nothing)?;
    let there = match map.space() {
        Space::Mesh(mesh) => mesh.nearest(at).map_or(at, |found| found.at),
        _ => map.place(cell),
    };
    Ok(Answer::new(json!({ "cell": cell.number(), "at": [there.x, there.y] })))
}

/// The cost of the best path between two places, by the fastest exact planner.
pub(crate) fn optimum(map: &Map, start: Place, goal: Place, scratch: &mut Scratch) -> Option<f64> {
    match map.atlas().path(start, goal, scratch) {
        milepost::Outcome::Found { .. } => {
            let path = scratch.path();
            Some(path.pulled_cost().unwrap_or_else(|| path.cost_f64()))
        }
        _ => None,
    }
}

/// `path`: the answer, the problem, and what the best path costs.
pub(crate) fn path(
    map: &Map,
    fields: &Fields<'_>,
    scratch: &mut Scratch,
    clock: &dyn Fn() -> f64,
) -> Result<(Answer, [Place; 2], Option<f64>), Fault> {
    let (start, goal) = (place(map, fields, "start")?, place(map, fields, "goal")?);
    let begin = clock();
    let cost = optimum(map, start, goal, scratch);
    let ms = clock() - begin;
    let (mut cells, mut points) = (Vec::new(), Vec::new());
    if cost.is_some() {
        cells = map.space().cells(scratch.path()).map(StateId::number).collect();
        points = scratch.path().points().to_vec();
    }
    let points = points.iter().flat_map(|at| [at.x as f32, at.y as f32]);
    let answer = Answer::new(json!({ "cost": cost, "ms": ms }))
        .with_block("cells", block_of_u32(cells))
        .with_block("points", block_of_f32(points));
    Ok((answer, [start, goal], cost))
}
