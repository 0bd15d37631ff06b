//! The worked example of the lecture notes, where their repair fails, and that the exact one does not.

use super::*;
use crate::build::first_moves::tests::{
    assert_moves_are_shortest, distances, random_graph, random_grid, random_links, with_raw, with_rows,
};
use crate::build::{SILENT, verify};
use crate::core::{Point, Rng, rounds};
use crate::index::NextMove;
use crate::space::{Edge, EditError, Graph, NodePosition, Rule};

const A: StateId = StateId::new(0);
const B: StateId = StateId::new(1);
const C: StateId = StateId::new(2);
const D: StateId = StateId::new(3);
const E: StateId = StateId::new(4);

/// ```text
/// A - B - C
///  \  |   |
///    \E - D
/// ```
fn five_nodes() -> Atlas {
    let pairs = [(A, B), (A, E), (B, C), (B, E), (C, D), (D, E)];
    let both = pairs.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
    let edges: Vec<Edge> = both.map(|(from, to)| Edge { from, to, cost: 1 }).collect();
    with_raw(&Graph::from_edges(5, &edges, Vec::new()).unwrap().into())
}

fn cut(a: StateId, b: StateId) -> Vec<Edit> {
    vec![Edit::Unedge { from: a, to: b }, Edit::Unedge { from: b, to: a }]
}

/// What the table says of a node towards all five.
fn row(atlas: &Atlas, from: StateId) -> Vec<Option<StateId>> {
    let next = |to: StateId| match atlas.next_move(from, to) {
        NextMove::Move(next) => Some(next),
        _ => None,
    };
    [A, B, C, D, E].map(next).to_vec()
}

#[test]
fn the_worked_example_is_repaired_step_by_step_as_printed() {
    let before = five_nodes();
    let (after, report) = repair(&before, &cut(A, E), RepairMethod::Printed, SILENT).unwrap();
    assert_eq!(report.open_lists, [vec![A, E], vec![E, B], vec![B, D], vec![D], vec![]]);
    assert_eq!(report.examined, [A, B, D, E], "C is left untouched");
    assert_eq!(report.changed, [A, E]);
    assert_eq!(row(&after, A), [None, Some(B), Some(B), Some(B), Some(B)]);
    // From E to C both ways are as short, and the stored one stays.
    assert_eq!(row(&after, E), [Some(B), Some(B), row(&before, E)[2], Some(D), None]);
    for same in [B, C, D] {
        assert_eq!(row(&before, same), row(&after, same), "{same}");
    }
    assert_moves_are_shortest(&after, &distances(after.space()));
}

#[test]
fn nodes_that_appear_or_vanish_are_repaired_as_printed() {
    let before = five_nodes();
    let (without, report) =
        repair(&before, &[Edit::Unnode { node: E }], RepairMethod::Printed, SILENT).unwrap();
    assert_eq!(report.open_lists[0], [A, B, D]);
    assert_moves_are_shortest(&without, &distances(without.space()));
    let back = [
        Edit::Node { node: E, at: NodePosition::default() },
        Edit::Edge { from: E, to: D, cost: 1 },
        Edit::Edge { from: D, to: E, cost: 1 },
    ];
    let (again, report) = repair(&without, &back, RepairMethod::Printed, SILENT).unwrap();
    assert_eq!(report.open_lists[0], [D, E]);
    assert_eq!(report.changed, [A, B, C, D, E], "every state has a new target");
    assert_moves_are_shortest(&again, &distances(again.space()));
}

/// Whether every stored move begins a shortest path.
fn is_optimal(atlas: &Atlas) -> bool {
    let (states, lengths) = distances(atlas.space());
    let is_right =
        |from: usize, to: usize| match (lengths[from][to], atlas.next_move(states[from], states[to])) {
            (Some(0), NextMove::Arrived) | (None, NextMove::Unreachable) => true,
            (Some(length), NextMove::Move(next)) => {
                let step = atlas.space().step_cost(states[from], next, None).map(|cost| cost.units());
                let rest = lengths[states.binary_search(&next).unwrap()][to];
                step.zip(rest).map(|(step, rest)| step + rest) == Some(length)
            }
            _ => false,
        };
    (0..states.len()).all(|from| (0..states.len()).all(|to| is_right(from, to)))
}

fn some_free_cell(rng: &mut Rng, grid: &Grid) -> Option<Point> {
    let cells: Vec<StateId> = grid.free_states().collect();
    (!cells.is_empty()).then(|| grid.point(cells[rng.below(cells.len() as u32) as usize]))
}

#[test]
fn the_printed_repair_leaves_stale_rows_where_moves_stay_while_distances_grow() {
    let (mut rng, mut stale, mut rounds) = (Rng::new(611), 0, 0);
    while rounds < 300 {
        let grid = Grid::new(9, 9, Rule::Octile, |_, _| rng.below(100) >= 25).unwrap();
        let Some(at) = some_free_cell(&mut rng, &grid) else { continue };
        rounds += 1;
        let atlas = with_raw(&grid.into());
        let (printed, _) = repair(&atlas, &[Edit::close(at)], RepairMethod::Printed, SILENT).unwrap();
        stale += u32::from(!is_optimal(&printed));
        let (exact, report) = repair(&atlas, &[Edit::close(at)], RepairMethod::Exact, SILENT).unwrap();
        assert_eq!(report.built_anew, None);
        assert!(is_optimal(&exact), "{at}");
    }
    assert!((30..200).contains(&stale), "{stale} of 300");
}

/// A random edit that can be made.
fn any_edit(rng: &mut Rng, space: &Space) -> Edit {
    match space {
        Space::Grid(grid) => {
            let any =
                |rng: &mut Rng| Point::new(rng.below(grid.width()).into(), rng.below(grid.height()).into());
            let at = any(rng);
            match rng.below(6) {
                0 if grid.is_weighted() => Edit::Weight { at, weight: 1 + rng.below(4) as u8 },
                1 if !grid.links().is_empty() => {
                    Edit::Link { from: at, to: any(rng), cost: 1 + rng.below(9) }
                }
                2 if !grid.links().is_empty() => {
                    let link = grid.links()[rng.below(grid.links().len() as u32) as usize];
                    Edit::Unlink { from: grid.point(link.from), to: grid.point(link.to) }
                }
                _ if grid.is_free_at(at) => Edit::close(at),
                _ => Edit::open(at),
            }
        }
        Space::Graph(graph) => {
            let nodes: Vec<StateId> = graph.free_states().collect();
            let edges: Vec<Edge> = graph.edges().collect();
            let node = nodes[rng.below(nodes.len() as u32) as usize];
            let to = nodes[rng.below(nodes.len() as u32) as usize];
            match rng.below(8) {
                0 if nodes.len() > 2 => Edit::Unnode { node },
                1 => Edit::Node { node: StateId::new(graph.id_bound() as u32), at: NodePosition::default() },
                2..=4 if !edges.is_empty() => {
                    let edge = edges[rng.below(edges.len() as u32) as usize];
                    match rng.below(2) {
                        0 => Edit::Unedge { from: edge.from, to: edge.to },
                        _ => Edit::Edge { cost: 1 + rng.below(6), from: edge.from, to: edge.to },
                    }
                }
                _ => Edit::Edge { from: node, to, cost: 1 + rng.below(6) },
            }
        }
        Space::Mesh(mesh) => {
            let polygon = StateId::new(rng.below(mesh.polygon_count()));
            match rng.below(3) {
                0 => Edit::Area { polygon, cost: [50, 100, 300][rng.below(3) as usize] },
                _ => Edit::Polygon { polygon, free: !mesh.is_free(polygon) },
            }
        }
    }
}

#[test]
fn after_each_of_many_random_edits_every_move_of_an_exact_repair_begins_a_shortest_path() {
    let mut rng = Rng::new(612);
    let mut built_anew = 0;
    for round in 0..100_usize {
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let space: Space = match round / 5 % 4 {
            0 => random_grid(&mut rng, 14, rule).into(),
            1 => {
                let grid = random_grid(&mut rng, 11, rule);
                grid.with_weights(|x, y| 1 + ((x * 5 + y * 3) % 4) as u8).unwrap().into()
            }
            2 => {
                let grid = random_grid(&mut rng, 10, rule);
                random_links(&mut rng, &grid, 24).into()
            }
            _ => random_graph(&mut rng, 3 + round as u32 % 40, 5).into(),
        };
        if space.states() < 3 {
            continue;
        }
        let (mut raw, mut rows) = (with_raw(&space), with_rows(&space));
        for step in 0..6 {
            let edit = any_edit(&mut rng, raw.space());
            let expected = distances(&raw.space().edited(&[edit]).unwrap());
            for atlas in [&mut raw, &mut rows] {
                let (repaired, report) = repair(atlas, &[edit], RepairMethod::Exact, SILENT).unwrap();
                assert_moves_are_shortest(&repaired, &expected);
                let proof = verify(&repaired);
                assert!(proof.is_ok(), "round {round}, step {step}, {edit:?}: {proof:?}");
                built_anew += u32::from(report.built_anew.is_some());
                *atlas = repaired;
            }
            if rows.section(IndexKind::FIRST_MOVES).map(form) == Some(RAW) {
                rows = with_rows(rows.space());
            }
        }
    }
    assert!(built_anew < 350, "{built_anew} of 1,200 tables were built anew");
}

/// Walking by a table and by one that is built anew costs the same.
fn assert_walks_are_as_long_as_in_a_new_table(repaired: &Atlas, rng: &mut Rng) {
    let (fresh, space) = (with_rows(repaired.space()), repaired.space());
    let length = |atlas: &Atlas, mut at: StateId, goal: StateId| {
        let (mut cost, mut steps) = (0, 0);
        while let NextMove::Move(next) = atlas.next_move(at, goal) {
            cost += space.step_cost(at, next, None).unwrap().units();
            (at, steps) = (next, steps + 1);
            assert!(steps <= space.states());
        }
        (cost, at == goal)
    };
    let all: Vec<StateId> = space.free_states().collect();
    for _ in 0..3000 {
        let mut any = || all[rng.below(all.len() as u32) as usize];
        let (from, to) = (any(), any());
        assert_eq!(length(repaired, from, to), length(&fresh, from, to), "{from} {to}");
    }
}

#[test]
fn edits_of_larger_maps_are_repaired_in_rows_also_several_at_once() {
    let (mut rng, mut built_anew) = (Rng::new(613), 0);
    for round in 0..rounds(12) {
        let rule = [Rule::Octile, Rule::Octile14, Rule::OctileCutting][round % 3];
        let grid = Grid::new(40, 30, rule, |_, _| rng.below(100) >= 20).unwrap();
        let mut atlas = with_rows(&grid.into());
        for count in [1, 1, 3] {
            let edits: Vec<Edit> = (0..count).map(|_| any_edit(&mut rng, atlas.space())).collect();
            let (repaired, report) = repair(&atlas, &edits, RepairMethod::Exact, SILENT).unwrap();
            built_anew += u32::from(report.built_anew.is_some());
            assert!(report.changed.iter().all(|state| report.examined.contains(state)));
            assert!(verify(&repaired).is_ok());
            assert_walks_are_as_long_as_in_a_new_table(&repaired, &mut rng);
            atlas = repaired;
        }
    }
    assert!(built_anew <= 18, "{built_anew} of 36 tables were built anew");
}

#[test]
fn many_cells_that_close_or_open_together_are_repaired_by_floods_from_those_beside_them() {
    let mut rng = Rng::new(614);
    for rule in [Rule::Octile, Rule::Octile14, Rule::Octile, Rule::Octile14] {
        // Rooms of 5 x 4 cells without doors: what happens in one breaks few moves.
        let grid = Grid::new(42, 30, rule, |x, y| x % 6 < 5 && y % 5 < 4).unwrap();
        let inside = Point::new((1 + rng.below(3)).into(), (1 + rng.below(2)).into());
        let rooms = || (0..12).map(|room| Point::new(inside.x + room % 6 * 6, inside.y + room / 6 * 5));
        let mut atlas = with_rows(&grid.into());
        for edits in [rooms().map(Edit::close).collect::<Vec<_>>(), rooms().map(Edit::open).collect()] {
            let (repaired, report) = repair(&atlas, &edits, RepairMethod::Exact, SILENT).unwrap();
            assert_eq!(report.built_anew, None);
            // More than are looked at one by one.
            assert!(report.rebuilt.len() >= 96, "{}", report.rebuilt.len());
            assert!(verify(&repaired).is_ok());
            assert_walks_are_as_long_as_in_a_new_table(&repaired, &mut rng);
            atlas = repaired;
        }
    }
}

#[test]
fn an_edit_that_cannot_be_made_is_named_and_printed_needs_a_raw_table() {
    let atlas = five_nodes();
    let edits = [cut(A, E), cut(A, E)].concat();
    let error = repair(&atlas, &edits, RepairMethod::Exact, SILENT).unwrap_err();
    assert!(matches!(error, RepairError::Edit(EditError { place: 2, .. })), "{error}");
    let rows = with_rows(atlas.space());
    assert_eq!(repair(&rows, &[], RepairMethod::Printed, SILENT).unwrap_err(), RepairError::NotRaw);
    let nothing = Atlas::new(atlas.space().clone());
    assert_eq!(repair(&nothing, &[], RepairMethod::Exact, SILENT).unwrap_err(), RepairError::NoIndex);
}
