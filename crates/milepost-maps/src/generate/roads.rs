//! Roads: a road network from a seed, for tests and timings where no real one is at hand.
//!
//! 1. Nodes stand on a square grid, each pushed aside at random. Streets may join neighbours, and in one
//!    square of eight a diagonal.
//! 2. Some rows and columns of the grid are highways: their cost for the same distance is two fifths.
//! 3. Streets come in random order after the highways. One that joins two parts that were apart is built; of
//!    the others one in four. Of those, one in twelve is one-way.
//!
//! # Guarantees
//! From every node every other can be reached. A cost is the distance, or two fifths of it, rounded to the
//! nearest whole number. There are about five arcs for two nodes, sorted by `from`, then `to`; no two are
//! parallel. Time is n log n in the nodes.

use super::{Forest, Rng};
use crate::dimacs::{Arc, Coordinate, RoadGraph};

/// Units between two nodes of the grid.
const SPACING: u32 = 1000;
/// How far a node is pushed aside at most.
const PUSH: u32 = 350;
/// Costs a unit of distance, in tenths.
const STREET: u64 = 10;
const HIGHWAY: u64 = 4;

/// A road network with so many nodes, and where they lie: node `i` is at place `i - 1` of the coordinates.
///
/// ```
/// let (graph, coordinates) = milepost_maps::generate::roads(100, 7);
/// assert_eq!((graph.nodes, coordinates.len()), (100, 100));
/// ```
///
/// # Panics
/// If there are more streets to choose from than 32 bits can count: from about two billion nodes on.
pub fn roads(nodes: u32, seed: u64) -> (RoadGraph, Vec<Coordinate>) {
    let mut rng = Rng::new(seed);
    let columns = u64::from(nodes).isqrt().max(1) as u32;
    let coordinates: Vec<Coordinate> = (0..nodes)
        .map(|node| {
            let mut push = |at: u32| {
                i64::from(at) * i64::from(SPACING) + i64::from(rng.below(2 * PUSH + 1)) - i64::from(PUSH)
            };
            (node + 1, push(node % columns), push(node / columns))
        })
        .collect();

    let (highways, mut streets) = plan(nodes, columns, &mut rng);
    rng.shuffle(&mut streets);
    let mut forest = Forest::new(nodes as usize);
    let mut arcs = Vec::new();
    let roads = highways
        .into_iter()
        .map(|road| (road, HIGHWAY))
        .chain(streets.into_iter().map(|road| (road, STREET)));
    for ((from, to), factor) in roads {
        let is_needed = forest.join(from as usize, to as usize);
        if !is_needed && factor == STREET && !rng.chance(1, 4) {
            continue;
        }
        let cost = cost(&coordinates, from, to, factor);
        let (from, to) = (from + 1, to + 1);
        let (mut there, mut back) = (true, true);
        if !is_needed && factor == STREET && rng.chance(1, 12) {
            there = rng.chance(1, 2);
            back = !there;
        }
        arcs.extend(there.then_some(Arc { from, to, cost }));
        arcs.extend(back.then_some(Arc { from: to, to: from, cost }));
    }
    arcs.sort_unstable_by_key(|arc| (arc.from, arc.to));
    (RoadGraph { nodes, arcs }, coordinates)
}

/// Two nodes, counted from 0.
type Road = (u32, u32);

/// All roads that could be built: highways, and streets.
fn plan(nodes: u32, columns: u32, rng: &mut Rng) -> (Vec<Road>, Vec<Road>) {
    let rows = nodes.div_ceil(columns);
    let (is_highway_column, is_highway_row) = (choose_lines(columns, rng), choose_lines(rows, rng));
    let (mut highways, mut streets) = (Vec::new(), Vec::new());
    for node in 0..nodes {
        let (x, y) = (node % columns, node / columns);
        let below = node.checked_add(columns).filter(|below| *below < nodes);
        if x + 1 < columns && node + 1 < nodes {
            let roads = if is_highway_row[y as usize] { &mut highways } else { &mut streets };
            roads.push((node, node + 1));
        }
        if let Some(below) = below {
            let roads = if is_highway_column[x as usize] { &mut highways } else { &mut streets };
            roads.push((node, below));
            if x + 1 < columns && below + 1 < nodes && rng.chance(1, 8) {
                streets.push(if rng.chance(1, 2) { (node, below + 1) } else { (node + 1, below) });
            }
        }
    }
    (highways, streets)
}

/// Which of the rows, or columns, are highways.
fn choose_lines(count: u32, rng: &mut Rng) -> Vec<bool> {
    let mut is_highway = vec![false; count as usize];
    let mut at = rng.range(4..16);
    while at < count {
        is_highway[at as usize] = true;
        at += rng.range(10..30);
    }
    is_highway
}

/// The distance times the factor, rounded to the nearest whole number, at least 1.
fn cost(coordinates: &[Coordinate], from: u32, to: u32, factor: u64) -> u32 {
    let ((_, x, y), (_, to_x, to_y)) = (coordinates[from as usize], coordinates[to as usize]);
    let square = x.abs_diff(to_x).pow(2) + y.abs_diff(to_y).pow(2);
    // The root of 4 n is twice the root of n: one more half and the halves cut off is rounding.
    let doubled = (4 * square * factor * factor / 100).isqrt();
    doubled.div_ceil(2).max(1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dimacs;

    /// How many nodes are reached from node 1 along the arcs, or against them.
    fn reached(graph: &RoadGraph, is_reverse: bool) -> usize {
        let mut next = vec![Vec::new(); graph.nodes as usize + 1];
        for arc in &graph.arcs {
            let (from, to) = if is_reverse { (arc.to, arc.from) } else { (arc.from, arc.to) };
            next[from as usize].push(to);
        }
        let mut is_reached = vec![false; next.len()];
        is_reached[1] = true;
        let mut open = vec![1u32];
        let mut count = 0;
        while let Some(node) = open.pop() {
            count += 1;
            for &to in &next[node as usize] {
                if !std::mem::replace(&mut is_reached[to as usize], true) {
                    open.push(to);
                }
            }
        }
        count
    }

    #[test]
    fn every_node_reaches_every_other() {
        for nodes in [1, 2, 3, 5, 7, 10, 99, 100, 101, 1000, 5000] {
            for seed in 0..5 {
                let (graph, coordinates) = roads(nodes, seed);
                assert_eq!((graph.nodes, coordinates.len()), (nodes, nodes as usize));
                assert_eq!(reached(&graph, false), nodes as usize, "{nodes} nodes, seed {seed}");
                assert_eq!(reached(&graph, true), nodes as usize, "{nodes} nodes, seed {seed}");
            }
        }
        assert_eq!(roads(0, 1), (RoadGraph { nodes: 0, arcs: vec![] }, vec![]));
    }

    #[test]
    fn a_network_looks_like_roads() {
        let (graph, coordinates) = roads(40_000, 3);
        assert!((96_000..104_000).contains(&graph.arcs.len()), "{}", graph.arcs.len());
        let both: std::collections::HashSet<_> = graph.arcs.iter().map(|arc| (arc.from, arc.to)).collect();
        assert_eq!(both.len(), graph.arcs.len(), "parallel arcs");
        let one_way = both.iter().filter(|(from, to)| !both.contains(&(*to, *from))).count();
        assert!((400..1600).contains(&one_way), "{one_way}");
        let mut fast = 0;
        for arc in &graph.arcs {
            let ((_, x, y), (_, to_x, to_y)) =
                (coordinates[arc.from as usize - 1], coordinates[arc.to as usize - 1]);
            let length = ((x - to_x) as f64).hypot((y - to_y) as f64);
            let factor = f64::from(arc.cost) / length;
            assert!((factor - 1.0).abs() < 0.01 || (factor - 0.4).abs() < 0.01, "{factor}");
            fast += usize::from(factor < 0.5);
        }
        assert!((4_000..16_000).contains(&fast), "{fast}");
    }

    /// If this fails, a seed no longer means the network it meant: restore the generator.
    #[test]
    fn a_seed_means_the_same_roads_for_ever() {
        let hash = |nodes, seed| {
            let (graph, coordinates) = roads(nodes, seed);
            let mut bytes = dimacs::write_graph(&graph);
            bytes.extend(dimacs::write_coordinates(&coordinates));
            bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
            })
        };
        let pinned = [0xae86_75a7_455b_05c8u64, 0xe421_d571_39ae_d4bc, 0x2e57_f7c2_7ba5_334d];
        let found = [hash(1, 0), hash(1000, 1), hash(12_345, u64::MAX)];
        assert_eq!(found, pinned, "{found:#x?}");
    }
}
