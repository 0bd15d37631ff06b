//! The boxes of a mesh: over portals or over centres, in as few bytes as are enough.

use super::network::PlacedNetwork;
use super::{Solid, packed};
use crate::build::network::Network;
use crate::build::{BuildError, Estimate, Progress};
use crate::core::{Budget, StateId};
use crate::index::goal_bounds::{BoxForm, EMPTY_SOLID, Head, nodes_of};
use crate::index::{Atlas, Bytes, IndexKind, IndexSpec, SectionWriter};
use crate::plan::{AstarBounds, Planner, Query, Scratch};
use crate::space::{NavMesh, Nodes, RandomPairs, SpaceKind, Squares};
use std::time::Instant;

/// Problems by which it is found out whether small boxes are enough, and their seed.
const PROBLEMS: u32 = 200;
const SEED: u64 = 0;
/// Small boxes are enough if no more than this share of expansions is added, in hundredths.
const MOST_ADDED: u64 = 2;

/// The bounds of a mesh: 4 bytes an edge, or 8 where searches would expand much more with 4.
pub(super) fn build(
    atlas: &Atlas,
    mesh: &NavMesh,
    index: IndexSpec,
    progress: Progress<'_>,
) -> Result<Bytes, BuildError> {
    let nodes = nodes_of(index.parameter);
    let fine = network(mesh, nodes, 16).boxes(BoxForm::AllTies, progress);
    let shorts = section(Head::of_mesh(2), &fine);
    let coarse: Vec<Solid> = fine.iter().map(|&values| coarser(values)).collect();
    let bytes = section(Head::of_mesh(1), &coarse);
    let expanded = |bytes: &Bytes| -> Option<u64> {
        let atlas = atlas.with_section(index, bytes.as_slice()).ok()?;
        let planner = AstarBounds { heuristic: None, bounds: BoxForm::AllTies, nodes: Some(nodes) };
        let mut pairs = RandomPairs::new(atlas.space(), SEED)?;
        let mut scratch = Scratch::new();
        let mut solve = |_| {
            let (start, goal) = pairs.draw();
            planner.plan(&atlas, &Query::new(start, goal), &mut scratch, &mut Budget::unlimited());
            scratch.search().expanded()
        };
        Some((0..PROBLEMS).map(&mut solve).sum())
    };
    let is_enough = match (expanded(&bytes), expanded(&shorts)) {
        (Some(coarse), Some(fine)) => coarse * 100 <= fine * (100 + MOST_ADDED),
        _ => true,
    };
    Ok(if is_enough { bytes } else { shorts })
}

/// What [`build`] would take, from the floods of a few nodes.
pub(super) fn estimate(mesh: &NavMesh, index: IndexSpec, floods: usize) -> Estimate {
    let nodes = nodes_of(index.parameter);
    let count = match nodes {
        Nodes::Portals => mesh.portal_nodes(),
        Nodes::Centres => mesh.states() as usize,
    };
    let begin = Instant::now();
    let flooded = network(mesh, nodes, 16).sample(floods);
    let seconds = begin.elapsed().as_secs_f64() * count as f64 / flooded.max(1) as f64;
    Estimate::new(IndexKind::GOAL_BOUNDS, (mesh.node_edges(nodes) * 4 + 200) as u64, seconds, None)
}

/// The nodes of a search, and the squares that they lie in.
fn network(mesh: &NavMesh, nodes: Nodes, bits: u32) -> PlacedNetwork {
    let squares = Squares::new(mesh, bits);
    let (states, network): (Vec<StateId>, Network) = match nodes {
        Nodes::Portals => {
            let states: Vec<StateId> = (0..mesh.portal_nodes() as u32).map(StateId::new).collect();
            let network = Network::of_moves(&states, &crate::space::PortalEdges(mesh));
            (states, network)
        }
        Nodes::Centres => {
            let states: Vec<StateId> = mesh.free_states().collect();
            let network = Network::of_moves(&states, &mesh.centres().moves());
            (states, network)
        }
    };
    let places = states.iter().map(|&node| squares.of_node(nodes, node)).collect();
    PlacedNetwork::of(network, places)
}

/// The same in squares that are 256 times as large.
fn coarser(values: Solid) -> Solid {
    if values[0] > values[1] { EMPTY_SOLID } else { values.map(|value| value >> 8) }
}

fn section(head: Head, boxes: &[Solid]) -> Bytes {
    let mut writer = SectionWriter::default();
    writer.push(&[head]).push::<u8>(&[]);
    match head.value_bytes {
        1 => writer.push(&packed(boxes, |value| value.clamp(0, 0xff) as u8)),
        _ => writer.push(&packed(boxes, |value| value.clamp(0, 0xffff) as u16)),
    };
    writer.push::<u8>(&[]);
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{SILENT, add_index};
    use crate::core::{Cost, Position, Rng};
    use crate::plan::{Astar, Outcome};
    use crate::space::mesh::tests::{random_mesh, random_parts};
    use crate::space::{MeshLink, MeshLinkEnd};

    fn with_bounds(mesh: &NavMesh, nodes: Nodes) -> Atlas {
        let parameter = if nodes == Nodes::Centres { IndexSpec::CENTRES } else { 0 };
        let index = IndexSpec::new(IndexKind::GOAL_BOUNDS, parameter);
        add_index(&Atlas::new(mesh.clone()), index, SILENT, None).expect("bounds of a mesh")
    }

    /// A mesh of random ground with a few links.
    fn linked_mesh(rng: &mut Rng) -> NavMesh {
        loop {
            let mut parts = random_parts(rng);
            let Ok(plain) = NavMesh::from_parts(parts.clone()) else { continue };
            let sampler = plain.sampler(|_| true);
            for _ in 0..rng.below(3) {
                let (Some(from), Some(to)) = (sampler.draw(rng), sampler.draw(rng)) else { continue };
                let [from, to] = [from, to]
                    .map(|point| MeshLinkEnd { at: point.at, polygon: Some(point.polygon.number()) });
                if from.polygon != to.polygon {
                    parts.links.push(MeshLink {
                        from,
                        to,
                        cost: 1 + rng.below(500),
                        both_ways: rng.chance(1, 2),
                    });
                }
            }
            if let Ok(mesh) = NavMesh::from_parts(parts) {
                return mesh;
            }
        }
    }

    #[test]
    fn costs_are_equal_with_and_without_boxes_over_portals_and_over_centres_with_areas_and_links() {
        let mut rng = Rng::new(2222);
        let (mut scratch, mut found, mut fewer) = (Scratch::new(), 0, 0);
        for round in 0..120 {
            let mesh = if round % 2 == 0 { random_mesh(&mut rng) } else { linked_mesh(&mut rng) };
            for nodes in [Nodes::Portals, Nodes::Centres] {
                let atlas = with_bounds(&mesh, nodes);
                let (plain, bounded) = (
                    Astar { heuristic: None, nodes: Some(nodes) },
                    AstarBounds { heuristic: None, bounds: BoxForm::AllTies, nodes: Some(nodes) },
                );
                assert_eq!(bounded.refusal(&atlas), None);
                let sampler = mesh.sampler(|_| true);
                for _ in 0..15 {
                    let (Some(from), Some(to)) = (sampler.draw(&mut rng), sampler.draw(&mut rng)) else {
                        continue;
                    };
                    let query = Query::new(from.at, to.at);
                    let mut solve = |planner: &dyn Planner| {
                        let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                        (outcome.cost(), outcome, scratch.search().expanded())
                    };
                    let (expected, ..) = solve(&plain);
                    let (_, _, all) = solve(&plain);
                    let (cost, outcome, expanded) = solve(&bounded);
                    assert_eq!(cost, expected, "{from:?} -> {to:?}: {outcome:?}");
                    assert!(expanded <= all);
                    found += u32::from(cost.is_some());
                    fewer += u32::from(expanded < all);
                }
            }
        }
        assert!(found > 1000 && fewer > 200, "{found} {fewer}");
    }

    #[test]
    fn a_file_with_bounds_of_a_mesh_is_opened_and_its_bounds_are_left_out_after_an_edit() {
        let mut rng = Rng::new(2223);
        let mesh = random_mesh(&mut rng);
        let atlas = with_bounds(&mesh, Nodes::Portals);
        let opened = Atlas::from_bytes(&atlas.to_bytes()).expect("our own bytes");
        assert_eq!(opened.to_bytes(), atlas.to_bytes());
        let index = IndexSpec::new(IndexKind::GOAL_BOUNDS, IndexSpec::CENTRES);
        assert_eq!(
            (index.to_string(), IndexSpec::from_text("goal-bounds:centres")),
            ("goal-bounds:centres".to_owned(), Ok(index))
        );
        let edit = crate::space::Edit::Area { polygon: StateId::new(0), cost: 777 };
        assert!(opened.edited(&[edit]).expect("an edit").sections().is_empty());
    }

    /// Ten by six squares, each of two triangles, with a hole: the figures of the chapter on a mesh of our own.
    fn drawn_mesh() -> NavMesh {
        let at = |x: u32, y: u32| Position::new(f64::from(x), f64::from(y), 0.0);
        let vertices = (0..=6).flat_map(|y| (0..=10).map(move |x| at(x, y))).collect();
        let is_hole = |x: u32, y: u32| (4..6).contains(&x) && (1..4).contains(&y);
        let squares = (0..6).flat_map(|y| (0..10).map(move |x| (x, y))).filter(|&(x, y)| !is_hole(x, y));
        let triangles = |(x, y): (u32, u32)| {
            let [a, b, c, d] = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)].map(|(x, y)| y * 11 + x);
            [vec![a, b, c], vec![a, c, d]]
        };
        NavMesh::new(vertices, squares.flat_map(triangles).collect(), &[]).expect("a mesh")
    }

    /// Figures 22.2 and 22.3: the nodes that are reached through each edge of one node, and the box around them.
    #[test]
    fn the_figures_of_the_chapter_are_redrawn_on_a_mesh() {
        let mesh = drawn_mesh();
        let atlas = with_bounds(&mesh, Nodes::Centres);
        let black = StateId::new(2 * 12);
        // All costs between polygons, until nothing changes.
        let count = mesh.polygon_count() as usize;
        let costs_from = |start: StateId| {
            let mut costs = vec![u64::MAX; count];
            costs[start.index()] = 0;
            let mut is_changed = true;
            while is_changed {
                is_changed = false;
                for from in
                    mesh.free_states().filter(|from| costs[from.index()] < u64::MAX).collect::<Vec<_>>()
                {
                    for to in mesh.neighbours(from).flatten() {
                        let step = mesh.step_cost(from, to, None).map_or(0, Cost::units);
                        if costs[from.index()] + step < costs[to.index()] {
                            (costs[to.index()], is_changed) = (costs[from.index()] + step, true);
                        }
                    }
                }
            }
            costs
        };
        let here = costs_from(black);
        let section = atlas.sections().first().expect("bounds");
        let boxes = section.array::<[u8; 4]>(2);
        let (first, edges) = (mesh.centres().first_edge_of(black), mesh.centres().edges_from(black));
        let squares = Squares::new(&mesh, 8);
        let mut drawing = String::new();
        for (place, edge) in edges.enumerate() {
            let there = costs_from(edge.to);
            let through =
                |to: &StateId| *to != black && here[to.index()] == u64::from(edge.cost) + there[to.index()];
            let reached: Vec<StateId> = mesh.free_states().filter(through).collect();
            // The box is the least one around these nodes, rounded outwards to 1/256 of the mesh.
            let mut hull = EMPTY_SOLID;
            for &to in &reached {
                crate::index::goal_bounds::extend(&mut hull, squares.of_node(Nodes::Centres, to));
            }
            assert_eq!(boxes[first + place].map(i32::from), hull[..4], "through {}", edge.to);
            drawing += &format!("through {}:\n", edge.to);
            for y in 0..6 {
                for x in 0..10 {
                    let square = Position::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0);
                    let halves = mesh.polygons_at(square);
                    let mark = |half: Option<&StateId>| match half {
                        None => ' ',
                        Some(half) if *half == black => '#',
                        Some(half) if reached.contains(half) => 'o',
                        Some(_) => '.',
                    };
                    drawing.extend([mark(halves.first()), mark(halves.get(1))]);
                }
                drawing.push('\n');
            }
        }
        assert_eq!(drawing, FIGURES);
    }

    /// For each square its two triangles: `#` the node, `o` what a shortest path reaches through the edge, `.` the rest.
    const FIGURES: &str = "\
through #5:
oooooooooooooooooooo
....#...    oooooooo
........    oooooooo
........    o.oooooo
..................o.
....................
through #25:
oo.o................
oooo#o..    ........
oooooo.o    ........
oooooooo    oo.o....
oooooooooooooooooo.o
oooooooooooooooooooo
through #27:
......oooooooooooooo
....#.oo    oooooooo
......oo    oooooooo
......oo    oooooooo
......oooooooooooooo
......oooooooooooooo
";

    #[test]
    fn every_pair_of_a_mesh_costs_the_same_with_boxes() {
        let mesh = drawn_mesh();
        let atlas = with_bounds(&mesh, Nodes::Portals);
        let mut scratch = Scratch::new();
        let states: Vec<StateId> = mesh.free_states().collect();
        let (mut all, mut kept) = (0, 0);
        for (&from, &to) in states.iter().flat_map(|from| states.iter().map(move |to| (from, to))) {
            let query = Query::new(from, to);
            let mut solve = |planner: &dyn Planner| {
                let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                assert!(matches!(outcome, Outcome::Found { .. }), "{from} {to}: {outcome:?}");
                (outcome.cost(), scratch.search().expanded())
            };
            let (plain, bounded) = (solve(&Astar::default()), solve(&AstarBounds::default()));
            assert_eq!(plain.0, bounded.0, "{from} {to}");
            (all, kept) = (all + plain.1, kept + bounded.1);
        }
        // Many ways over equal triangles are as short as each other: boxes are large here.
        assert!(kept < all, "{kept} of {all}");
    }
}
