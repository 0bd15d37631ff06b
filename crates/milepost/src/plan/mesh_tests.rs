//! Planners on meshes against plain floods over the same nodes, and lines that are pulled tight against the mesh.

use super::{Outcome, PLANNERS, Planner, Query, Scratch};
use crate::core::{Budget, NameArgs, Position, Rng, StateId};
use crate::index::Atlas;
use crate::space::mesh::tests::{random_mesh, random_parts};
use crate::space::{Edit, MeshArea, MeshLink, MeshParts, NavMesh, Place, Reach, Space, SpaceKind};
use std::sync::Arc;

fn planner(text: &str) -> Arc<dyn Planner> {
    let parameters = |entry: &super::PlannerEntry| entry.parameters.to_vec();
    let (entry, mut args) =
        NameArgs::read("planner", text, PLANNERS, |entry| (entry.name, entry.title), parameters)
            .expect("a planner");
    (entry.make)(&mut args).expect("its parameters")
}

fn plan(atlas: &Atlas, name: &str, from: Place, to: Place, scratch: &mut Scratch) -> Outcome {
    planner(name).plan(atlas, &Query::new(from, to), scratch, &mut Budget::unlimited())
}

/// A point of the lattice in a free polygon: on a corner, on an edge or inside.
fn lattice_point(mesh: &NavMesh, rng: &mut Rng) -> Option<Position> {
    let free: Vec<StateId> = mesh.free_states().collect();
    if free.is_empty() {
        return None;
    }
    let polygon = free[rng.below(free.len() as u32) as usize];
    let corners: Vec<Position> =
        mesh.polygon(polygon).iter().map(|&vertex| mesh.vertices()[vertex as usize]).collect();
    let corner = corners[rng.below(corners.len() as u32) as usize];
    let next = corners[rng.below(corners.len() as u32) as usize];
    let at = match rng.below(4) {
        0 => corner,
        1 => Position::new((corner.x + next.x) / 2.0, (corner.y + next.y) / 2.0, 0.0),
        _ => mesh.sampler(|other| other == polygon).draw(rng)?.at,
    };
    let round = |value: f64, origin: f64| ((value - origin) * 16.0).round() / 16.0 + origin;
    let (low, _) = mesh.bounds();
    let at = Position::new(round(at.x, low.x), round(at.y, low.y), 0.0);
    mesh.polygons_at(at).iter().any(|&polygon| mesh.is_free(polygon)).then_some(at)
}

fn free_at(mesh: &NavMesh, at: Position) -> Vec<StateId> {
    mesh.polygons_at(at).into_iter().filter(|&polygon| mesh.is_free(polygon)).collect()
}

/// The cost over middles of portals by a flood that repeats until nothing changes, in floats.
fn flood_over_portals(mesh: &NavMesh, from: Position, to: Position) -> f64 {
    let distance = |a: Position, b: Position| (a.x - b.x).hypot(a.y - b.y);
    let rate = |polygon: StateId| f64::from(mesh.polygon_cost(polygon)) / 100.0;
    // Start, goal and the middle of every edge between free polygons, with the polygons that they lie in.
    let mut nodes: Vec<(Position, Vec<StateId>)> = vec![(from, free_at(mesh, from)), (to, free_at(mesh, to))];
    for polygon in mesh.free_states() {
        for (place, beyond) in mesh.neighbours(polygon).enumerate() {
            let Some(beyond) = beyond.filter(|&beyond| beyond > polygon && mesh.is_free(beyond)) else {
                continue;
            };
            let corners = mesh.polygon(polygon);
            let [a, b] =
                [corners[place], corners[(place + 1) % corners.len()]].map(|v| mesh.vertices()[v as usize]);
            nodes.push((Position::new((a.x + b.x) / 2.0, (a.y + b.y) / 2.0, 0.0), vec![polygon, beyond]));
        }
    }
    let mut costs = vec![f64::INFINITY; nodes.len()];
    costs[0] = 0.0;
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for a in 0..nodes.len() {
            for b in 0..nodes.len() {
                for polygon in nodes[a].1.iter().filter(|polygon| nodes[b].1.contains(polygon)) {
                    let cost = costs[a] + rate(*polygon) * distance(nodes[a].0, nodes[b].0);
                    if cost < costs[b] - 1e-12 {
                        (costs[b], is_changed) = (cost, true);
                    }
                }
            }
        }
    }
    costs[1]
}

/// Every point of a line lies in a free polygon, but for rounding.
fn assert_is_on_mesh(mesh: &NavMesh, line: &[Position], said: &str) {
    for leg in line.windows(2) {
        for share in 0..=20 {
            let share = f64::from(share) / 20.0;
            let at = |a: f64, b: f64| a + (b - a) * share;
            let point = Position::new(at(leg[0].x, leg[1].x), at(leg[0].y, leg[1].y), f64::NAN);
            let near = mesh.nearest(point).expect("free polygons");
            let off = (near.at.x - point.x).hypot(near.at.y - point.y);
            assert!(off < 1e-6, "{said}: {point:?} is {off} off the mesh, of {line:?}");
        }
    }
}

#[test]
fn over_portals_costs_are_those_of_a_flood_and_pulled_lines_keep_to_the_mesh_and_cost_no_more() {
    let mut rng = Rng::new(220);
    let (mut found, mut bent, mut weighted) = (0, 0, 0);
    let mut scratch = Scratch::new();
    for _ in 0..250 {
        let mesh = random_mesh(&mut rng);
        let atlas = Atlas::new(mesh.clone());
        for _ in 0..12 {
            let (Some(from), Some(to)) = (lattice_point(&mesh, &mut rng), lattice_point(&mesh, &mut rng))
            else {
                continue;
            };
            let said = format!("{from:?} -> {to:?}");
            let expected = flood_over_portals(&mesh, from, to);
            let outcome = plan(&atlas, "dijkstra", from.into(), to.into(), &mut scratch);
            let Outcome::Found { cost, goal } = outcome else {
                assert!(
                    expected.is_infinite() && outcome == Outcome::Unreachable,
                    "{said}: {outcome:?}, {expected}"
                );
                continue;
            };
            found += 1;
            let path = scratch.path().clone();
            // Every edge is rounded up.
            let seen = path.cost_f64();
            let edges = f64::from(mesh.polygon_count()) * 4.0;
            assert!(
                seen >= expected - 1e-9 && seen <= expected + edges / 65536.0,
                "{said}: {seen}, {expected}"
            );
            for name in ["astar", "astar:nodes=portals", "astar:h=zero", "weighted-astar:1"] {
                let outcome = plan(&atlas, name, from.into(), to.into(), &mut scratch);
                assert_eq!(outcome.cost(), Some(cost), "{name}: {said}");
                assert_eq!(scratch.path().cost(), cost, "{name}: {said}");
            }
            assert_eq!(atlas_path(&atlas, from, to), Some(cost));
            let outcome = plan(&atlas, "weighted-astar:2", from.into(), to.into(), &mut scratch);
            assert!(
                outcome.cost().is_some_and(|dearer| dearer >= cost && dearer.units() <= 2 * cost.units())
            );

            let corridor = path.states();
            assert!(free_at(&mesh, from).contains(&corridor[0]), "{said}");
            assert!(corridor.last() == Some(&goal) && free_at(&mesh, to).contains(&goal), "{said}");
            for pair in corridor.windows(2) {
                assert!(mesh.neighbours(pair[0]).any(|next| next == Some(pair[1])), "{said}: {corridor:?}");
            }
            let points = path.points();
            assert_eq!((points.first(), points.last()), (Some(&from), Some(&to)), "{said}");
            assert_is_on_mesh(&mesh, points, &said);
            let pulled = path.pulled_cost().expect("pulled");
            assert!(pulled <= seen + 1e-9, "{said}: {pulled} after {seen}");
            let straight = (from.x - to.x).hypot(from.y - to.y);
            assert!(path.length() >= straight - 1e-9);
            let rates: Vec<u32> = corridor.iter().map(|&polygon| mesh.polygon_cost(polygon)).collect();
            if rates.iter().all(|&rate| rate == rates[0]) {
                assert!((pulled - path.length() * f64::from(rates[0]) / 100.0).abs() < 1e-6, "{said}");
            } else {
                weighted += 1;
            }
            bent += u32::from(points.len() > 2);
        }
    }
    assert!(found > 1500 && bent > 300 && weighted > 200, "{found} {bent} {weighted}");
}

fn atlas_path(atlas: &Atlas, from: Position, to: Position) -> Option<crate::core::Cost> {
    let entry = PLANNERS.iter().find(|entry| entry.name == "astar").expect("A*");
    let query = Query::new(from, to).distance_only();
    let mut scratch = Scratch::new();
    let outcome = entry.planner.plan(atlas, &query, &mut scratch, &mut Budget::unlimited());
    assert!(scratch.path().waypoints().is_empty() && scratch.path().points().is_empty());
    outcome.cost()
}

#[test]
fn over_centres_costs_are_those_of_steps_and_points_pass_the_middles_of_portals() {
    let mut rng = Rng::new(221);
    let (mut scratch, mut found) = (Scratch::new(), 0);
    for _ in 0..200 {
        let mesh = random_mesh(&mut rng);
        let atlas = Atlas::new(mesh.clone());
        let states: Vec<StateId> = mesh.free_states().collect();
        for &from in states.iter().take(4) {
            // All costs from here, until nothing changes.
            let mut costs = vec![u64::MAX; mesh.id_bound()];
            costs[from.index()] = 0;
            for _ in 0..states.len() {
                for (&a, &b) in states.iter().flat_map(|a| states.iter().map(move |b| (a, b))) {
                    if let Some(step) = mesh.step_cost(a, b, None).filter(|_| costs[a.index()] < u64::MAX) {
                        costs[b.index()] = costs[b.index()].min(costs[a.index()] + step.units());
                    }
                }
            }
            for &to in &states {
                for name in ["dijkstra:nodes=centres", "astar:nodes=centres"] {
                    let outcome = plan(&atlas, name, from.into(), to.into(), &mut scratch);
                    let expected = Some(costs[to.index()]).filter(|&cost| cost < u64::MAX);
                    assert_eq!(outcome.cost().map(|cost| cost.units()), expected, "{name}: {from} {to}");
                    if expected.is_none() {
                        assert_eq!(mesh.reach(from, to), Reach::Never);
                        continue;
                    }
                    found += 1;
                    let path = scratch.path();
                    assert_eq!((path.states().first(), path.states().last()), (Some(&from), Some(&to)));
                    assert_eq!(path.points().len(), 2 * path.states().len() - 1);
                    assert_eq!(path.pulled_cost(), None);
                    assert_is_on_mesh(&mesh, path.points(), name);
                }
            }
        }
    }
    assert!(found > 2000, "{found}");
}

/// Two rooms of four by four, side by side with a wall between them, joined by a link.
fn two_rooms(cost: u32, both_ways: bool) -> NavMesh {
    let at = |x: f64, y: f64| Position::new(x, y, 0.0);
    let vertices =
        [0.0, 6.0].iter().flat_map(|&x| [at(x, 0.0), at(x + 4.0, 0.0), at(x + 4.0, 4.0), at(x, 4.0)]);
    let mut parts = MeshParts::flat(vertices.collect(), vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]]);
    parts.links = vec![MeshLink { from: at(3.0, 2.0).into(), to: at(7.0, 2.0).into(), cost, both_ways }];
    NavMesh::from_parts(parts).expect("two rooms")
}

#[test]
fn links_are_taken_in_their_direction_and_stand_in_the_path() {
    let mut scratch = Scratch::new();
    let (from, to) = (Position::new(1.0, 2.0, 0.0), Position::new(9.0, 2.0, 0.0));
    for (cost, both_ways) in [(100, false), (100, true), (700, true)] {
        let atlas = Atlas::new(two_rooms(cost, both_ways));
        for name in ["dijkstra", "astar"] {
            assert!(plan(&atlas, name, from.into(), to.into(), &mut scratch).cost().is_some());
            let path = scratch.path();
            let expected = 4.0 + f64::from(cost) / 100.0;
            assert!((path.cost_f64() - expected).abs() < 1e-3, "{name}: {}", path.cost_f64());
            assert!((path.pulled_cost().unwrap_or(0.0) - expected).abs() < 1e-9);
            assert_eq!(path.points().len(), 4);
            assert_eq!(path.links(), [crate::core::PathLink { at: 1, link: 0 }]);
            assert!((path.length() - 4.0).abs() < 1e-9, "links are left out");
            assert_eq!(path.states(), [StateId::new(0), StateId::new(1)]);
            let back = plan(&atlas, name, to.into(), from.into(), &mut scratch);
            assert_eq!(back.cost().is_some(), both_ways, "{name}");
        }
        let centres = plan(&atlas, "astar:nodes=centres", from.into(), to.into(), &mut scratch);
        assert!(centres.cost().is_some());
        assert_eq!((scratch.path().points().len(), scratch.path().links().len()), (4, 1));
    }
}

#[test]
fn a_cheap_link_across_the_map_does_not_mislead_the_estimate() {
    let mut rng = Rng::new(222);
    let (mut scratch, mut used) = (Scratch::new(), 0);
    let mut meshes = 0;
    while meshes < 150 {
        let mut parts = random_parts(&mut rng);
        let Ok(plain) = NavMesh::from_parts(parts.clone()) else { continue };
        for _ in 0..1 + rng.below(3) {
            let sampler = plain.sampler(|_| true);
            let (Some(from), Some(to)) = (sampler.draw(&mut rng), sampler.draw(&mut rng)) else { continue };
            let end = |point: crate::space::MeshPoint| crate::space::MeshLinkEnd {
                at: point.at,
                polygon: Some(point.polygon.number()),
            };
            if from.polygon != to.polygon {
                let (cost, both_ways) = (1 + rng.below(600), rng.chance(1, 2));
                parts.links.push(MeshLink { from: end(from), to: end(to), cost, both_ways });
            }
        }
        let Ok(mesh) = NavMesh::from_parts(parts) else { continue };
        meshes += 1;
        let atlas = Atlas::new(mesh.clone());
        for _ in 0..12 {
            let sampler = mesh.sampler(|_| true);
            let (Some(from), Some(to)) = (sampler.draw(&mut rng), sampler.draw(&mut rng)) else { continue };
            let plain = plan(&atlas, "dijkstra", from.at.into(), to.at.into(), &mut scratch);
            used += u32::from(plain.cost().is_some() && !scratch.path().links().is_empty());
            let informed = plan(&atlas, "astar", from.at.into(), to.at.into(), &mut scratch);
            assert_eq!(plain.cost(), informed.cost(), "{from:?} -> {to:?}");
            if let Some(pulled) = scratch.path().pulled_cost() {
                assert!(pulled <= scratch.path().cost_f64() + 0.3, "points are not rounded to the lattice");
            }
            let centres = plan(&atlas, "astar:nodes=centres", from.at.into(), to.at.into(), &mut scratch);
            let flood = plan(&atlas, "dijkstra:nodes=centres", from.at.into(), to.at.into(), &mut scratch);
            assert_eq!(centres.cost(), flood.cost());
            assert_eq!(flood.cost().is_some(), plain.cost().is_some());
        }
    }
    assert!(used > 100, "{used}");
}

#[test]
fn closed_and_dearer_polygons_count_at_once_and_are_another_version_of_the_same_mesh() {
    let mut rng = Rng::new(223);
    let mut scratch = Scratch::new();
    for _ in 0..60 {
        let mut space = Space::from(random_mesh(&mut rng));
        for _ in 0..6 {
            let count = space.as_mesh().map_or(1, NavMesh::polygon_count);
            let polygon = StateId::new(rng.below(count));
            let edit = match rng.below(3) {
                0 => Edit::Polygon { polygon, free: rng.chance(1, 2) },
                1 => Edit::Polygon { polygon, free: false },
                _ => Edit::Area { polygon, cost: 1 + rng.below(500) },
            };
            let edited = space.edited(&[edit]).expect("the polygon is there");
            assert!(edited.version().is_same_map(space.version()));
            let atlas = Atlas::new(edited.clone());
            let mesh = edited.as_mesh().expect("a mesh");
            // The same as a mesh that was made so.
            let again = NavMesh::from_parts(mesh.to_parts()).expect("the same parts");
            assert_eq!((again.version(), again.hash()), (mesh.version(), mesh.hash()));
            let bytes = atlas.to_bytes();
            let opened = Atlas::from_bytes(&bytes).expect("our own bytes");
            assert_eq!(opened.space().version(), edited.version());
            assert_eq!(opened.to_bytes(), bytes);
            if let (Some(from), Some(to)) = (lattice_point(mesh, &mut rng), lattice_point(mesh, &mut rng)) {
                let expected = flood_over_portals(mesh, from, to);
                let outcome = plan(&opened, "astar", from.into(), to.into(), &mut scratch);
                assert_eq!(outcome.cost().is_some(), expected.is_finite());
                assert!(outcome.cost().is_none() || scratch.path().cost_f64() >= expected - 1e-9);
            }
            space = edited;
        }
        let last = space.as_mesh().map_or(0, NavMesh::polygon_count);
        let outside = Edit::Area { polygon: StateId::new(last), cost: 100 };
        assert!(space.edited(&[outside]).is_err());
        assert!(space.edited(&[Edit::Area { polygon: StateId::new(0), cost: 0 }]).is_err());
        let corner = crate::core::Point::new(0, 0);
        let hall = Edit::Cells { from: corner, to: crate::core::Point::new(1, 0), free: false };
        assert!(space.edited(&[hall]).is_err());
        assert!(space.edited(&[Edit::close(crate::core::Point::new(-900, 0))]).is_err());
    }
    let mesh = random_mesh(&mut rng);
    let water =
        mesh.with_areas(&[("mud", Some(900)), ("door", Some(100)), ("ground", None)]).expect("its areas");
    assert!(water.version().is_same_map(mesh.version()));
    assert!(
        water.free_states().all(|polygon| water.areas()[usize::from(water.area(polygon))].name != "ground")
    );
    assert!(
        mesh.with_areas(&[("lava", None)])
            .is_err_and(|error| error.to_string().contains("ground, mud, road"))
    );
    assert!(MeshArea::is_cost(100_000) && !MeshArea::is_cost(0));
}

#[test]
fn a_query_over_portals_that_is_cut_into_slices_gives_the_path_of_one_call() {
    let mut rng = Rng::new(224);
    let (mut whole, mut sliced) = (Scratch::new(), Scratch::new());
    for _ in 0..60 {
        let mesh = random_mesh(&mut rng);
        let atlas = Atlas::new(mesh.clone());
        let (Some(from), Some(to)) = (lattice_point(&mesh, &mut rng), lattice_point(&mesh, &mut rng)) else {
            continue;
        };
        for name in ["dijkstra", "astar", "astar:nodes=centres"] {
            for query in [Query::new(from, to), Query::new(from, to).or_partial()] {
                let planner = planner(name);
                let expected = planner.plan(&atlas, &query, &mut whole, &mut Budget::unlimited());
                let slice = 1 + u64::from(rng.below(4));
                let mut outcome = planner.plan(&atlas, &query, &mut sliced, &mut Budget::units(slice));
                let mut calls = 0;
                while matches!(outcome, Outcome::OutOfBudget)
                    || matches!(outcome, Outcome::Partial { reason: super::PartialReason::OutOfBudget, .. })
                {
                    if query.partial {
                        assert!(!sliced.path().states().is_empty());
                        assert_is_on_mesh(&mesh, sliced.path().points(), name);
                    }
                    outcome = planner.resume(&atlas, &query, &mut sliced, &mut Budget::units(slice));
                    calls += 1;
                    assert!(calls < 10_000);
                }
                assert_eq!(outcome, expected, "{name}");
                assert_eq!(sliced.path(), whole.path(), "{name}");
                assert_eq!(sliced.path().points(), whole.path().points(), "{name}");
            }
        }
    }
}
