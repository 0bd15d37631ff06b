//! Meshes made from maps of cells: every planner on all pairs of polygons, and what boxes of goals take.

use crate::support::{catalog_planners, close, indexed, journeys, mesh_of, random_mesh, rounds};
use milepost::build::{SILENT, add_index};
use milepost::index::{IndexKind, IndexSpec};
use milepost::plan::Dijkstra;
use milepost::{Atlas, Budget, Outcome, Planner, Query, Rng, Scratch, StateId};
use milepost_maps::mesh::make::Options;
use milepost_maps::{Kind, generate};
use std::collections::BTreeSet;

#[test]
fn every_planner_equals_dijkstra_over_its_own_nodes_on_all_pairs_of_small_meshes() {
    let mut rng = Rng::new(2205);
    let (mut scratch, mut plain) = (Scratch::new(), Scratch::new());
    let planners = catalog_planners();
    let mut answered = BTreeSet::new();
    for _ in 0..rounds(60) {
        let mesh = random_mesh(&mut rng, 6);
        let atlas = indexed(Atlas::new(mesh.clone()), planners.iter().map(|(_, planner)| planner));
        let (states, by_centres) = journeys::truth(atlas.space());
        for (start, costs) in states.iter().zip(&by_centres) {
            for (goal, over_centres) in states.iter().zip(costs) {
                let query = Query::new(*start, *goal);
                let portals = Dijkstra::default().plan(&atlas, &query, &mut plain, &mut Budget::unlimited());
                let over_portals = match portals {
                    Outcome::Found { .. } => plain.path().cost_f64(),
                    _ => f64::INFINITY,
                };
                assert_eq!(over_portals.is_finite(), over_centres.is_finite(), "{start} -> {goal}");
                for (name, planner) in
                    planners.iter().filter(|(_, planner)| planner.refusal(&atlas).is_none())
                {
                    answered.insert(name.as_str());
                    let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                    let expected = if planner.passes_portals() { over_portals } else { *over_centres };
                    if expected.is_infinite() {
                        assert_eq!(outcome, Outcome::Unreachable, "{name}: {start} -> {goal}");
                        continue;
                    }
                    let path = scratch.path();
                    let is_right = match planner.is_optimal(atlas.space()) {
                        true => close(path.cost_f64(), expected),
                        false => path.cost_f64() > expected - 1e-6,
                    };
                    assert!(is_right, "{name}: {start} -> {goal}: {} for {expected}", path.cost_f64());
                    let states = path.states();
                    assert_eq!((states.first(), states.last()), (Some(start), Some(goal)), "{name}");
                    let points = path.points();
                    assert_eq!(points.first().copied(), atlas.space().position(*start), "{name}");
                    assert_eq!(points.last().copied(), atlas.space().position(*goal), "{name}");
                    if let Some(pulled) = path.pulled_cost() {
                        // Centres lie on the lattice: nothing is rounded.
                        assert!(pulled <= path.cost_f64() + 1e-9, "{name}: {start} -> {goal}: {pulled}");
                    }
                }
            }
        }
    }
    for name in ["dijkstra", "astar", "astar:nodes=centres", "astar-bounds", "weighted-astar", "first-moves"]
    {
        assert!(answered.contains(name), "{name} refuses meshes: {answered:?}");
    }
}

/// Goal bounding, chapter 22: "less than 100 KB for 4,000 nodes".
#[test]
fn the_boxes_of_four_thousand_triangles_take_a_hundred_thousand_bytes() {
    let made = |side: u32| {
        let map = generate(Kind::Caves, 8 * side, 7 * side, 22).expect("a size that fits");
        mesh_of(&map, &Options { is_unmerged: true, ..Options::default() })
    };
    let mesh = (24..).map(made).find(|mesh| mesh.polygon_count() >= 4000).expect("a larger map");
    let triangles = mesh.polygon_count();
    assert!((0..triangles).all(|polygon| mesh.polygon(StateId::new(polygon)).len() == 3));
    assert!(triangles < 4600, "{triangles} triangles");
    for parameter in [0, IndexSpec::CENTRES] {
        let index = IndexSpec::new(IndexKind::GOAL_BOUNDS, parameter);
        let atlas = add_index(&Atlas::new(mesh.clone()), index, SILENT, None).expect("bounds of a mesh");
        let bytes = atlas.sections()[0].bytes().len();
        assert!(bytes <= 100_000, "{index}: {bytes} bytes for {triangles} triangles");
    }
}
