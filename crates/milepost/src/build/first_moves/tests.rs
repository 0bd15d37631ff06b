//! Every look-up begins a shortest path, whichever form the table has and however it was worked out.

use super::*;
use crate::build::SILENT;
use crate::core::{Rng, StateId, rounds};
use crate::index::{Atlas, NextMove, SectionKey};
use crate::space::{Edge, Graph, Grid, Link, Rule};

/// A table without a raw one, however small the space.
pub(super) fn with_rows(space: &Space) -> Atlas {
    let bytes = build_planned(&Plan::new(space, false).unwrap(), SILENT, None).unwrap();
    Atlas::new(space.clone()).with_shared(SectionKey::plain(IndexKind::FIRST_MOVES), bytes).unwrap()
}

/// The same with the raw table, also for larger spaces.
pub(super) fn with_raw(space: &Space) -> Atlas {
    let mut plan = Plan::new(space, false).unwrap();
    plan.form = RAW;
    let bytes = build_planned(&plan, SILENT, None).unwrap();
    Atlas::new(space.clone()).with_shared(SectionKey::plain(IndexKind::FIRST_MOVES), bytes).unwrap()
}

/// Distances between all states by the plainest means: relaxing all edges until nothing changes.
pub(super) fn distances(space: &Space) -> (Vec<StateId>, Vec<Vec<Option<u64>>>) {
    let states: Vec<StateId> = space.free_states().collect();
    let step = |a: StateId, b: StateId| space.step_cost(a, b, None).map(|cost| cost.units());
    let mut edges = Vec::new();
    for (from, &a) in states.iter().enumerate() {
        for (to, &b) in states.iter().enumerate() {
            edges.extend(step(a, b).filter(|_| from != to).map(|cost| (from, to, cost)));
        }
    }
    let flood = |start: usize| {
        let mut distances = vec![None; states.len()];
        distances[start] = Some(0);
        loop {
            let mut has_changed = false;
            for &(from, to, cost) in &edges {
                let Some(there) = distances[from].map(|distance: u64| distance + cost) else { continue };
                if distances[to].is_none_or(|distance| there < distance) {
                    (distances[to], has_changed) = (Some(there), true);
                }
            }
            if !has_changed {
                return distances;
            }
        }
    };
    let all = (0..states.len()).map(flood).collect();
    (states, all)
}

/// Every pair of states.
pub(super) fn assert_moves_are_shortest(
    atlas: &Atlas,
    (states, distances): &(Vec<StateId>, Vec<Vec<Option<u64>>>),
) {
    let space = atlas.space();
    for (from, &state) in states.iter().enumerate() {
        for (to, &goal) in states.iter().enumerate() {
            let found = atlas.next_move(state, goal);
            match (distances[from][to], found) {
                (Some(0), NextMove::Arrived) | (None, NextMove::Unreachable) => {}
                (Some(distance), NextMove::Move(next)) if distance > 0 => {
                    let step = space.step_cost(state, next, None).expect("an allowed step").units();
                    let rest = distances[states.binary_search(&next).unwrap()][to];
                    assert_eq!(Some(distance), rest.map(|rest| rest + step), "{state} to {goal} over {next}");
                }
                (distance, found) => panic!("{state} to {goal}: {found:?}, distance {distance:?}"),
            }
        }
    }
}

pub(super) fn random_grid(rng: &mut Rng, side: u32, rule: Rule) -> Grid {
    let (width, height, blocked) = (1 + rng.below(side), 1 + rng.below(side), rng.below(50));
    let size = 1 + rng.below(3);
    let walls: Vec<(u32, u32)> = (0..width * height * blocked / (100 * size * size))
        .map(|_| (rng.below(width), rng.below(height)))
        .collect();
    let is_in = |x: u32, at: u32| (at..at + size).contains(&x);
    Grid::new(width, height, rule, |x, y| !walls.iter().any(|&(a, b)| is_in(x, a) && is_in(y, b))).unwrap()
}

pub(super) fn random_links(rng: &mut Rng, grid: &Grid, most: u32) -> Grid {
    let cells: Vec<StateId> = grid.all_cells().collect();
    let any = |rng: &mut Rng| cells[rng.below(cells.len() as u32) as usize];
    let hub = any(rng);
    let mut links = Vec::new();
    for _ in 0..rng.below(most) {
        let from = if rng.chance(1, 2) { hub } else { any(rng) };
        links.push(Link { from, to: any(rng), cost: 1 + rng.below(9) });
    }
    grid.with_links(&links).unwrap()
}

pub(super) fn random_graph(rng: &mut Rng, nodes: u32, degree: u32) -> Graph {
    let is_node: Vec<bool> = (0..nodes).map(|_| !rng.chance(1, 10)).collect();
    let all: Vec<u32> = (0..nodes).filter(|&node| is_node[node as usize]).collect();
    let mut edges = Vec::new();
    for _ in 0..nodes * rng.below(degree + 1) {
        let mut any =
            || StateId::new(all.get(rng.below(all.len().max(1) as u32) as usize).copied().unwrap_or(0));
        // A hub, so that some node has many edges.
        let (from, to) = (any(), any());
        let from = if rng.chance(1, 3) { StateId::new(all.first().copied().unwrap_or(0)) } else { from };
        edges.push(Edge { from, to, cost: 1 + rng.below(6) });
    }
    if all.is_empty() {
        edges.clear();
    }
    Graph::from_parts(is_node, &edges, Vec::new()).unwrap()
}

#[test]
fn every_move_of_small_spaces_begins_a_shortest_path_in_both_forms() {
    let mut rng = Rng::new(601);
    for round in 0..2000_usize {
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let space: Space = match round / 5 % 4 {
            0 => random_grid(&mut rng, 12, rule).into(),
            1 => {
                let weight = 1 + rng.below(4);
                let grid = random_grid(&mut rng, 10, rule);
                grid.with_weights(|x, y| 1 + ((x * 5 + y * 3) % weight) as u8).unwrap().into()
            }
            2 => {
                let grid = random_grid(&mut rng, 9, rule);
                random_links(&mut rng, &grid, 24).into()
            }
            _ => random_graph(&mut rng, 1 + round as u32 % 40, 4).into(),
        };
        let expected = distances(&space);
        assert_moves_are_shortest(&with_rows(&space), &expected);
        assert_moves_are_shortest(&with_raw(&space), &expected);
    }
}

#[test]
fn jump_points_and_floods_give_the_same_bytes() {
    let mut rng = Rng::new(602);
    for round in 0..rounds::<usize>(300) {
        let side = if round % 30 == 0 { 70 } else { 26 };
        let grid = random_grid(&mut rng, side, [Rule::Octile, Rule::Octile14][round % 2]);
        let space = Space::from(grid.clone());
        let plan = Plan::new(&space, false).unwrap();
        let (tables, _) = Method::tables(&plan).unwrap();
        let all = |method: Method<'_>| method.rows(&plan, &plan.blocks, SILENT, None).unwrap();
        let method = Method::new(&plan, tables.as_ref());
        assert!(matches!(method, Method::Narrow(_)));
        let (jumps, cells) = (all(method), all(Method::new(&plan, None)));
        assert!(jumps == cells, "round {round}: {} x {} {}", grid.width(), grid.height(), grid.rule());
        if round % 5 == 0 {
            assert!(jumps == all(Method::Network(NetworkFloods::new(&plan))));
        }
    }
}
