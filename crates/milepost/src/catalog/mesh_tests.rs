//! Whatever runs on graphs runs on meshes: every index that can be built, every agent that is not for cells alone.

use super::{AGENTS, agent};
use crate::agent::{MapSensor, SensorRange, Step, View};
use crate::build::{SILENT, add_index};
use crate::core::{Budget, Position, Rng, StateId};
use crate::index::{Atlas, IndexSpec};
use crate::plan::Scratch;
use crate::space::mesh::tests::random_mesh;
use crate::space::{NavMesh, Place, Space, SpaceKind};
use std::collections::BTreeSet;

const INDEXES: [&str; 7] = [
    "goal-bounds",
    "goal-bounds:centres",
    "first-moves",
    "subgoal-trees",
    "case-base:50",
    "regions:1",
    "landmarks:4",
];

/// The agents with the indexes above, and what they read.
fn names() -> Vec<String> {
    let named = |name: &str| match name {
        "knn-lrta" => "knn-lrta:50".to_owned(),
        "d-lrta" => "d-lrta:1".to_owned(),
        name => name.to_owned(),
    };
    AGENTS.iter().map(|entry| named(entry.about.name)).collect()
}

fn mesh_of_one_component(rng: &mut Rng) -> NavMesh {
    loop {
        let mesh = random_mesh(rng);
        if mesh.component_count() == 1 && mesh.states() > 6 {
            return mesh;
        }
    }
}

/// Walks to the end, each move to a neighbour, and returns the trail.
fn walk(name: &str, space: &Space, view: View<'_>, from: StateId, to: StateId) -> Vec<StateId> {
    let mut walker = agent(name).expect("its name").start(view, from, to);
    let (mut scratch, mut trail) = (Scratch::new(), vec![from]);
    for _ in 0..200_000 {
        match walker.step_in(view, &mut scratch, &mut Budget::unlimited()) {
            Step::Move(next) => {
                assert!(
                    space.step_cost(trail[trail.len() - 1], next, None).is_some(),
                    "{name}: {trail:?} {next}"
                );
                trail.push(next);
            }
            Step::Thinking => {}
            end => {
                assert_eq!((end, trail.last()), (Step::Arrived, Some(&to)), "{name}");
                return trail;
            }
        }
    }
    panic!("{name} does not arrive");
}

#[test]
fn every_agent_that_is_not_for_cells_alone_arrives_on_meshes_by_the_map_and_by_sight() {
    let mut rng = Rng::new(88);
    let (mut on_map, mut by_sight) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..6 {
        let mesh = mesh_of_one_component(&mut rng);
        let mut atlas = Atlas::new(mesh.clone());
        for index in INDEXES {
            let index = IndexSpec::from_text(index).expect("its name");
            atlas = add_index(&atlas, index, SILENT, None).unwrap_or_else(|error| panic!("{index}: {error}"));
        }
        let atlas = Atlas::from_bytes(&atlas.to_bytes()).expect("our own bytes");
        let sensor = MapSensor::new(atlas.space(), SensorRange::default());
        let states: Vec<StateId> = mesh.free_states().collect();
        for name in names() {
            let kind = agent(&name).expect("its name");
            for _ in 0..6 {
                let mut any = || states[rng.below(states.len() as u32) as usize];
                let (from, to) = (any(), any());
                if kind.refusal(&atlas).is_none() {
                    let trail = walk(&name, atlas.space(), (&atlas).into(), from, to);
                    // What is drawn of a move never leaves the mesh.
                    let mut points: Vec<Position> = vec![mesh.centre(from)];
                    for pair in trail.windows(2) {
                        mesh.write_step(pair[0], pair[1], &mut points);
                    }
                    assert_eq!(points.len(), 2 * trail.len() - 1);
                    on_map.insert(name.clone());
                }
                if kind.refusal(&sensor).is_none() {
                    walk(&name, atlas.space(), (&sensor).into(), from, to);
                    by_sight.insert(name.clone());
                }
            }
        }
    }
    let expected =
        ["first-moves", "tba", "d-lrta:1", "knn-lrta:50", "subgoal-trees", "lss-lrta", "lrta-k", "lrta"];
    assert!(expected.iter().all(|name| on_map.contains(*name)), "{on_map:?}");
    let expected = ["replan", "da-rtaa", "rtaa", "lss-lrta", "lrta-k", "lrta"];
    assert!(expected.iter().all(|name| by_sight.contains(*name)), "{by_sight:?}");
}

#[test]
fn of_several_polygons_an_agent_takes_the_first_from_which_the_goal_is_reached() {
    let at = |x: f64, y: f64| Position::new(x, y, 0.0);
    // Two triangles that meet in one vertex alone, and one beside the second.
    let vertices = vec![at(0.0, 0.0), at(2.0, 0.0), at(2.0, 2.0), at(4.0, 2.0), at(4.0, 4.0), at(6.0, 4.0)];
    let mesh =
        NavMesh::new(vertices, vec![vec![0, 1, 2], vec![2, 3, 4], vec![3, 5, 4]], &[]).expect("a mesh");
    let space = Space::from(mesh);
    let (vertex, far) = (Place::from((2.0, 2.0)), Place::from((5.0, 3.5)));
    assert_eq!(space.states_between(vertex, far), (StateId::new(1), StateId::new(2)));
    assert_eq!(space.states_between(vertex, Place::from((1.5, 0.5))), (StateId::new(0), StateId::new(0)));
    assert_eq!(space.states_between(far, vertex), (StateId::new(2), StateId::new(1)));
    let outside = space.states_between(Place::from((0.0, 3.0)), far);
    assert_eq!(outside, (StateId::NONE, StateId::new(2)));
    let atlas = Atlas::new(space);
    let walker = atlas.agent("lrta", (2.0, 2.0), (5.0, 3.5)).expect("an agent");
    assert_eq!((walker.state(), walker.goal()), (StateId::new(1), StateId::new(2)));
    assert_eq!(atlas.fastest().name, "astar");
    let mut scratch = Scratch::new();
    assert!(atlas.path((2.0, 2.0), (5.0, 3.5), &mut scratch).cost().is_some());
    assert_eq!(scratch.path().points().len(), 2);
    assert!(atlas.distance((0.5, 0.25), (5.0, 3.5), &mut scratch).is_none());
}
