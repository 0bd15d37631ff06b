//! The lemmas of the proof, each by itself: where a rule is broken these say which.

use super::super::contract::Hierarchy;
use super::super::graph::{Corners, DIAGONALS, Edge, TautGraph, ahead, beside, steps_between};
use super::super::labels::{Hub, Labels};
use super::super::lists::lists;
use super::super::turns::Turns;
use super::super::ways::ways;
use super::maps::{Truth, UNREACHED, step};
use crate::build::dijkstra::Dijkstra;
use crate::index::corner_labels::{Broken, Listed, StepCosts, blocks_of, square_of};
use crate::space::{Cell, Direction, SpaceKind};

/// Everything that the lemmas speak of, in the costs of the space.
struct Proof<'a> {
    truth: &'a Truth,
    corners: Corners<'a>,
    graph: TautGraph,
    /// d_G, by corners.
    over_graph: Vec<Vec<u64>>,
    /// A(x), by free cells.
    lists: Vec<Vec<Listed>>,
    labels: Labels,
}

impl<'a> Proof<'a> {
    fn of(truth: &'a Truth, broken: Broken) -> Proof<'a> {
        let corners = Corners::of(&truth.grid, broken);
        let graph = TautGraph::new(&corners, StepCosts::of(truth.grid.scale()));
        let turns = Turns::new(broken);
        let leads = graph.leads(&corners, &turns);
        let squares = lists(&corners, &leads, usize::MAX).expect("no limit");
        let blocks_in_row = blocks_of(&truth.grid).0;
        let listed = |&cell: &Cell| {
            let (block, square, bit) = square_of(blocks_in_row, cell);
            let members = squares.list(block * 16 + square).iter().filter(|(_, mask)| mask >> bit & 1 == 1);
            members.map(|(listed, _)| *listed).collect()
        };
        let lists = truth.cells.iter().map(listed).collect();
        let hierarchy = Hierarchy::for_labels(&corners, &graph, &turns).expect("few corners");
        let labels = Labels::new(&corners, &hierarchy, &turns, usize::MAX).expect("no limit");
        let flood = |from: u32| {
            let mut distances = vec![UNREACHED; corners.count()];
            let edges = |corner: u32| graph.edges(corner).iter().map(|edge| (edge.to, edge.cost));
            Dijkstra::default().run(from, &mut distances, edges, |_, _| {});
            distances
        };
        let over_graph = (0..corners.count() as u32).map(flood).collect();
        Proof { truth, corners, graph, over_graph, lists, labels }
    }

    fn fault(&self, lemma: &str, what: impl std::fmt::Debug) -> Result<(), String> {
        Err(format!("{lemma}: {what:?}\n{}", self.truth.show()))
    }

    fn count(&self) -> u32 {
        self.corners.count() as u32
    }
}

/// The lemma that does not hold, if one does not, and where.
pub(super) fn check_lemmas(truth: &Truth, broken: Broken) -> Result<(), String> {
    let proof = Proof::of(truth, broken);
    edge(&proof)?;
    turn(&proof)?;
    near(&proof)?;
    meet(&proof)?;
    cover(&proof)?;
    closed(&proof)
}

/// L4: corners that are joined by a leg are as far apart over the graph; no two are nearer there than they are.
fn edge(proof: &Proof<'_>) -> Result<(), String> {
    let Proof { truth, corners, over_graph, .. } = proof;
    for a in 0..proof.count() {
        for b in 0..proof.count() {
            let (from, to) = (corners.cell(a), corners.cell(b));
            let over = over_graph[a as usize][b as usize];
            if over != UNREACHED && over < truth.distance(from, to) {
                return proof.fault("edge: the graph is too short", (from, to));
            }
            if a == b || !corners.sight.sees_either_way(from, to) {
                continue;
            }
            let sign = |from: u32, to: u32| i64::from(to > from) - i64::from(to < from);
            let direction = Direction::towards(sign(from.0, to.0), sign(from.1, to.1)).expect("two cells");
            let is_joined = !direction.is_diagonal()
                || corners.kind(a).touches(direction) && corners.kind(b).touches(direction);
            if is_joined && over != truth.octile(from, to) {
                return proof.fault("edge", (from, to));
            }
        }
    }
    Ok(())
}

/// L1, L8: each direction of an edge is the first step of a shortest way of its cost.
fn turn(proof: &Proof<'_>) -> Result<(), String> {
    let Proof { truth, corners, graph, .. } = proof;
    let scale = truth.grid.scale();
    for corner in 0..proof.count() {
        for &Edge { to, cost, out, back, .. } in graph.edges(corner) {
            let ends = [(corner, to, out), (to, corner, back)];
            for (from, to, directions) in ends.map(|(a, b, set)| (corners.cell(a), corners.cell(b), set)) {
                let begins = |direction: usize| {
                    let first = if direction.is_multiple_of(2) { scale.straight() } else { scale.diagonal() };
                    step(&truth.grid, from, direction)
                        .is_some_and(|next| first + truth.distance(next, to) == cost)
                };
                let all_begin = (0..8).all(|direction| directions >> direction & 1 == 0 || begins(direction));
                if directions == 0 || cost != truth.distance(from, to) || !all_begin {
                    return proof.fault("turn", (from, to, directions));
                }
            }
        }
    }
    Ok(())
}

/// The first corners of a cell by their definition, without dominance; and L3 on the way.
fn first_corners(proof: &Proof<'_>, x: Cell) -> Result<Vec<u32>, String> {
    let Corners { sight, runs, .. } = &proof.corners;
    let mut found = Vec::new();
    for diagonal in DIAGONALS {
        for straight in beside(diagonal) {
            let reach = sight.reach(x, diagonal);
            for i in 0..=reach {
                let y = ahead(x, diagonal, i.into());
                if i > 0 && runs.is_corner(y) {
                    let forced = |z: Cell| beside(diagonal).iter().any(|&e| runs.forced(z, e).is_some());
                    let beyond = i64::from(sight.reach(y, diagonal));
                    if (0..=beyond).any(|steps| forced(ahead(y, diagonal, steps))) {
                        found.push(y);
                    }
                    break;
                }
                let Some(t) = runs.forced(y, straight) else { continue };
                match runs.touched(y, diagonal, straight) {
                    Some(u) if steps_between(y, u) <= steps_between(y, t) => found.push(u),
                    _ if i == 0 => found.push(t),
                    _ => proof.fault("plateau", (x, y, diagonal, straight))?,
                }
            }
        }
    }
    let mut corners: Vec<u32> = found.into_iter().map(|cell| proof.corners.number(cell)).collect();
    corners.sort_unstable();
    corners.dedup();
    Ok(corners)
}

/// Lists hold first corners, and each first corner or one that stands before it.
fn near(proof: &Proof<'_>) -> Result<(), String> {
    let Proof { truth, corners, over_graph, lists, .. } = proof;
    for (&x, list) in truth.cells.iter().zip(lists) {
        let plain = first_corners(proof, x)?;
        for listed in list {
            if !plain.contains(&listed.corner()) || !corners.sight.sees(x, corners.cell(listed.corner())) {
                return proof.fault("near: no first corner", (x, corners.cell(listed.corner())));
            }
        }
        for &corner in &plain {
            let q = corners.cell(corner);
            let stands_before = |listed: &Listed| {
                let a = corners.cell(listed.corner());
                truth.octile(x, a) + truth.octile(a, q) == truth.octile(x, q)
                    && over_graph[listed.corner() as usize][corner as usize] == truth.octile(a, q)
            };
            if !list.iter().any(stands_before) {
                return proof.fault("near: one is missing", (x, q));
            }
        }
    }
    Ok(())
}

/// L5, L6, L7: unless s sees t, some first corner of s lies on a shortest path; and first corners of both ends joined by the
/// graph do, or a first corner that t sees.
fn meet(proof: &Proof<'_>) -> Result<(), String> {
    let Proof { truth, corners, over_graph, lists, .. } = proof;
    for (&s, from) in truth.cells.iter().zip(lists) {
        for (&t, to) in truth.cells.iter().zip(lists) {
            let distance = truth.distance(s, t);
            if s == t || distance == UNREACHED || corners.sight.sees(s, t) {
                continue;
            }
            let cell = |listed: &Listed| corners.cell(listed.corner());
            if !from.iter().any(|a| truth.octile(s, cell(a)) + truth.distance(cell(a), t) == distance) {
                return proof.fault("entry", (s, t));
            }
            let is_seen = |a: &Listed| {
                distance == truth.octile(s, t)
                    && truth.octile(s, cell(a)) + truth.octile(cell(a), t) == distance
                    && corners.sight.sees(t, cell(a))
            };
            let leads = |listed: &Listed| listed.side() != Listed::NO_OTHER;
            let is_pair = |a: &Listed, b: &Listed| {
                let over = over_graph[a.corner() as usize][b.corner() as usize];
                (a.corner() == b.corner() || leads(a) && leads(b))
                    && over != UNREACHED
                    && truth.octile(s, cell(a)) + over + truth.octile(cell(b), t) == distance
            };
            if !from.iter().any(|a| is_seen(a) || to.iter().any(|b| is_pair(a, b))) {
                return proof.fault("meet", (s, t));
            }
        }
    }
    Ok(())
}

/// L9, L10: no entry is below the distance, and every true pair has a hub in common at its distance.
fn cover(proof: &Proof<'_>) -> Result<(), String> {
    let Proof { truth, corners, over_graph, labels, .. } = proof;
    let corner_of_hub = |hub: u32| {
        let is_hub = |corner: &u32| labels.of(*corner).last().is_some_and(|own| own.hub == hub);
        corners.cell((0..proof.count()).find(is_hub).expect("every hub is a corner"))
    };
    for a in 0..proof.count() {
        for entry in labels.of(a) {
            if entry.distance < truth.distance(corners.cell(a), corner_of_hub(entry.hub)) {
                return proof.fault("cover: an entry is too short", (corners.cell(a), entry));
            }
        }
        for b in 0..proof.count() {
            let distance = truth.distance(corners.cell(a), corners.cell(b));
            if distance == UNREACHED || over_graph[a as usize][b as usize] != distance {
                continue;
            }
            let meets = |x: &Hub, y: &Hub| x.hub == y.hub && x.distance + y.distance == distance;
            if !labels.of(a).iter().any(|x| labels.of(b).iter().any(|y| meets(x, y))) {
                return proof.fault("cover", (corners.cell(a), corners.cell(b)));
            }
        }
    }
    Ok(())
}

/// L11: an entry that is as long as the distance stays.
fn closed(proof: &Proof<'_>) -> Result<(), String> {
    let Proof { truth, corners, labels, .. } = proof;
    let kept = ways(corners, labels, StepCosts::of(truth.grid.scale()));
    let mut cells = vec![(0, 0); corners.count()];
    for corner in 0..proof.count() {
        let own = labels.of(corner).last().expect("a corner is its own hub");
        cells[own.hub as usize] = corners.cell(corner);
    }
    for corner in 0..proof.count() {
        for entry in labels.range(corner) {
            let Hub { hub, distance, .. } = labels.entries[entry];
            let is_exact = distance == truth.distance(corners.cell(corner), cells[hub as usize]);
            if is_exact && kept[entry].is_none() {
                return proof.fault("closed", (corners.cell(corner), cells[hub as usize]));
            }
        }
    }
    Ok(())
}
