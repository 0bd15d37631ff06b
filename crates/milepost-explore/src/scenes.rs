//! Scenes that a page offers at first sight: a map, two ends, and what runs there. Chosen so that each shows one idea.

use serde_json::{Value, json};

/// A scene; `start` and `goal` are columns and rows on grids, absent where the ends that `open` names will do.
struct Scene {
    title: &'static str,
    line: &'static str,
    /// The key of a shipped map.
    map: &'static str,
    start: Option<[u32; 2]>,
    goal: Option<[u32; 2]>,
    /// As links name them: `family/name:key=value`.
    lanes: &'static [&'static str],
    /// What panes keep in step by.
    lock: &'static str,
}

const SCENES: &[Scene] = &[
    Scene {
        title: "A* at work",
        line: "closed states, the open frontier, the path",
        map: "caverns",
        start: Some([34, 85]),
        goal: Some([148, 25]),
        lanes: &["planner/astar"],
        lock: "work",
    },
    Scene {
        title: "A scout in the dark",
        line: "what it has seen, what it has learned, where it went twice",
        map: "caverns",
        start: Some([148, 25]),
        goal: Some([34, 85]),
        lanes: &["scout/rtaa:K=64:sight=8"],
        lock: "work",
    },
    Scene {
        title: "Three planners",
        line: "the same cost for less and less work",
        map: "harbour",
        start: Some([4, 73]),
        goal: Some([124, 11]),
        lanes: &["planner/dijkstra", "planner/astar", "planner/jps"],
        lock: "work",
    },
    Scene {
        title: "Learn by walking",
        line: "three agents that know the map, with little work a step",
        map: "caverns",
        start: Some([10, 60]),
        goal: Some([148, 25]),
        lanes: &["agent/lrta", "agent/lss-lrta:N=64", "agent/tba:R=50"],
        lock: "work",
    },
    Scene {
        title: "Four scouts race",
        line: "step by step through the same dark",
        map: "offices",
        start: Some([115, 29]),
        goal: Some([31, 56]),
        lanes: &[
            "scout/rtaa:K=64:sight=6",
            "scout/lss-lrta:N=64:sight=6",
            "scout/frit-bfs:sight=6",
            "scout/replan:sight=6",
        ],
        lock: "steps",
    },
    Scene {
        title: "Dear ground",
        line: "a search that goes round a marsh",
        map: "marsh",
        start: None,
        goal: None,
        lanes: &["planner/astar"],
        lock: "work",
    },
    Scene {
        title: "Rooms as a mesh",
        line: "polygons in place of cells",
        map: "navmesh",
        start: None,
        goal: None,
        lanes: &["planner/astar"],
        lock: "work",
    },
    Scene {
        title: "Two million cells",
        line: "jump point search through a whole city",
        map: "metropolis",
        start: None,
        goal: None,
        lanes: &["planner/jps"],
        lock: "work",
    },
];

/// All scenes as `hello` tells them.
pub(crate) fn scenes() -> Vec<Value> {
    let told = |scene: &Scene| {
        json!({ "title": scene.title, "line": scene.line, "map": scene.map, "start": scene.start, "goal": scene.goal,
                "lanes": scene.lanes, "lock": scene.lock })
    };
    SCENES.iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shipped::SHIPPED;
    use milepost::catalog::{AGENTS, PLANNERS};

    #[test]
    fn every_scene_names_a_shipped_map_and_algorithms_that_exist() {
        for scene in SCENES {
            assert!(SHIPPED.iter().any(|map| map.key == scene.map), "{}", scene.title);
            assert!(!scene.lanes.is_empty() && scene.lanes.len() <= 4, "{}", scene.title);
            for lane in scene.lanes {
                let (family, rest) = lane.split_once('/').unwrap_or_default();
                let name = rest.split(':').next().unwrap_or_default();
                let is_known = match family {
                    "planner" => PLANNERS.iter().any(|entry| entry.name == name),
                    "agent" => AGENTS.iter().any(|entry| entry.about.on_map && entry.about.name == name),
                    _ => AGENTS.iter().any(|entry| entry.about.by_sight && entry.about.name == name),
                };
                assert!(is_known, "{}: {lane}", scene.title);
            }
        }
    }
}
