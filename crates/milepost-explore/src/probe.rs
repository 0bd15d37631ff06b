//! `probe`: what is known of one state, by the map, its indexes and a run.

use crate::fault::Fault;
use crate::maps::Map;
use crate::message::Answer;
use crate::walker::Play;
use milepost::agent::{Held, MapSensor, View};
use milepost::observe::{goal_boxes, hubs};
use milepost::{Space, StateId};
use serde_json::{Map as Object, Value, json};

/// What is known of a state of a map, and of a run on it, if one is asked for.
pub(crate) fn probe(map: &Map, play: Option<&Play>, state: StateId) -> Result<Answer, Fault> {
    let atlas = play.map_or(&map.atlas, |play| &play.atlas);
    let space = atlas.space();
    let mut lines = vec![place_line(map, state)];
    lines.push(ground_line(space, state));
    if let Some(component) = space.component(state) {
        lines.push(format!("component {component} of {}", space.component_count()));
    }
    let mut values = Object::new();
    if let Some(play) = play {
        held(play, state, &mut lines, &mut values);
    }
    let boxes: Vec<Value> = goal_boxes(atlas, state)
        .iter()
        .map(|goals| {
            json!({ "edge": [goals.from.number(), goals.to.number()],
                    "box": [goals.low.x, goals.low.y, goals.high.x + 1, goals.high.y + 1] })
        })
        .collect();
    let scale = space.scale();
    let hubs: Vec<Value> = hubs(atlas, state)
        .iter()
        .map(|hub| json!({ "cell": hub.state.number(), "distance": scale.to_f64(hub.distance) }))
        .collect();
    for (count, what) in [(boxes.len(), "boxes of goals"), (hubs.len(), "hubs")] {
        if count > 0 {
            lines.push(format!("{count} {what}"));
        }
    }
    Ok(Answer::new(json!({ "cell": state.number(), "lines": lines, "boxes": boxes, "hubs": hubs,
                           "values": values })))
}

fn place_line(map: &Map, state: StateId) -> String {
    let at = map.place(state);
    match map.space() {
        Space::Grid(_) => format!("cell {}, {}", at.x, at.y),
        Space::Mesh(_) => format!("polygon {} around {:.2}, {:.2}", state.number(), at.x, at.y),
        _ => format!("node {} at {}, {}", state.number(), at.x, at.y),
    }
}

fn ground_line(space: &Space, state: StateId) -> String {
    if !space.is_free(state) {
        return "blocked".to_owned();
    }
    match space {
        Space::Grid(grid) if grid.weight(state) > 1 => {
            format!("ground that costs {} times as much", grid.weight(state))
        }
        Space::Mesh(mesh) => {
            let area = mesh.areas().get(usize::from(mesh.area(state))).map_or("", |area| &area.name);
            format!("ground of the area {area}")
        }
        _ => "free".to_owned(),
    }
}

/// What the agent of a run has seen and learned of a state.
fn held(play: &Play, state: StateId, lines: &mut Vec<String>, values: &mut Object<String, Value>) {
    let Some(run) = play.agent() else { return };
    let scale = play.atlas.space().scale();
    if let Some(value) = run.learned(state) {
        values.insert("learned".to_owned(), json!(scale.to_f64(value)));
        lines.push(format!("learned to be {:.2} from the goal", scale.to_f64(value)));
    }
    if play.scene.family.name() == "scout" {
        let seen = run.has_seen(state);
        lines.push(match seen {
            None => "not seen yet: taken for free".to_owned(),
            Some(true) => "seen: free".to_owned(),
            Some(false) => "seen: blocked".to_owned(),
        });
    }
    let range = play.scene.family.sight();
    let sensor = range.map(|range| MapSensor::new(play.atlas.space(), range));
    let view = sensor.as_ref().map_or(View::Map(&play.atlas), |sensor| View::Sensor(sensor));
    run.agent().tell_held(view, &[state], &mut |told| {
        if let Held::Pointer { state: at, parent } = told
            && at == state
        {
            lines.push(format!("its pointer leads to {}", parent.number()));
        }
    });
}
