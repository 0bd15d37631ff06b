//! `probe`: what is known of one state, by the map, its indexes and a run.

use crate::fault::Fault;
use crate::maps::Map;
use crate::message::Answer;
use crate::walker::Play;
use milepost::agent::Held;
use milepost::observe::{Reached, goal_boxes, hubs};
use milepost::{Space, StateId};
use serde_json::{Map as Object, Value, json};

/// What is asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) state: StateId,
    /// The node of the run's search, where nodes are no states.
    pub(crate) node: Option<u64>,
}

/// What is known of a state of a map, and of a run on it, if one is asked for.
pub(crate) fn probe(map: &Map, play: Option<&Play>, asked: Asked) -> Result<Answer, Fault> {
    let (atlas, Asked { state, .. }) = (play.map_or(map.atlas(), Play::atlas), asked);
    let space = atlas.space();
    let mut lines = vec![place_line(map, state)];
    lines.push(ground_line(space, state));
    if let Some(component) = space.component(state) {
        lines.push(format!("component {component} of {}", space.component_count()));
    }
    let mut values = Object::new();
    if let Some(play) = play {
        searched(play, asked, &mut lines, &mut values);
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

/// How the search of a run has reached a state.
fn searched(play: &Play, asked: Asked, lines: &mut Vec<String>, values: &mut Object<String, Value>) {
    let node = match asked.node {
        None => asked.state.number(),
        Some(node) => u32::try_from(node).unwrap_or(u32::MAX),
    };
    for (side, way) in play.reached(node).into_iter().enumerate() {
        let Some(Reached { g, h, f, from, is_expanded }) = way else { continue };
        let place = if is_expanded { "expanded" } else { "open" };
        let (after, key) = if side == 0 { ("", "way") } else { (", from the goal", "back") };
        lines.push(format!("{place}{after}: g {g:.2} + h {h:.2} = f {f:.2}"));
        values
            .insert(key.to_owned(), json!({ "g": g, "h": h, "f": f, "from": from, "expanded": is_expanded }));
    }
}

/// What the agent of a run has seen and learned of a state.
fn held(play: &Play, state: StateId, lines: &mut Vec<String>, values: &mut Object<String, Value>) {
    let Some(run) = play.agent() else { return };
    let scale = play.atlas().space().scale();
    let first = run.first_estimate(play.atlas(), state);
    if let Some(value) = run.learned(state) {
        let learned = scale.to_f64(value);
        values.insert("learned".to_owned(), json!(learned));
        lines.push(match first {
            Some(first) => format!("learned h {learned:.2}, at first {first:.2}"),
            None => format!("learned h {learned:.2}"),
        });
    } else if let Some(first) = first {
        lines.push(format!("h {first:.2}, nothing learned"));
    }
    if let Some(first) = first {
        values.insert("first".to_owned(), json!(first));
    }
    if play.scene.family.name() == "scout" {
        let seen = run.has_seen(state);
        lines.push(match seen {
            None => "not seen yet: taken for free".to_owned(),
            Some(true) => "seen: free".to_owned(),
            Some(false) => "seen: blocked".to_owned(),
        });
    }
    run.tell_held_of(play.atlas(), state, &mut |told| {
        if let Held::Pointer { state: at, parent } = told
            && at == state
        {
            lines.push(format!("its pointer leads to {}", parent.number()));
        }
    });
}
