//! All distances between jump points, sixteen sources at a time, without a queue.
//!
//! The graph of jump points is contracted once: nodes are taken out one by one, and where a shortest way between two
//! neighbours led through the node, an edge takes its place. A search from any set of seeds is then two sweeps over
//! the nodes: in the order of contraction values flow up to nodes that were contracted later, in reverse order they
//! flow down.
//!
//! # Paper
//! R. Geisberger, P. Sanders, D. Schultes, D. Delling: Contraction hierarchies, WEA 2008; D. Delling, A. Goldberg,
//! A. Nowatzyk, R. Werneck: PHAST, hardware-accelerated shortest path trees, IPDPS 2011 (the sweeps).
//!
//! # Guarantees
//! [`Hierarchy::sweep`] leaves exact distances: every shortest way in the graph has a counterpart of equal cost in the
//! contracted one that first climbs and then descends.

use super::lanes::{INFINITE, Lanes};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A contracted graph.
#[derive(Debug)]
pub(crate) struct Hierarchy {
    /// When a node was contracted.
    rank: Vec<u32>,
    /// By rank: where its edges to higher ranks begin.
    first: Vec<u32>,
    /// Rank of the other end, cost.
    edges: Vec<(u32, u32)>,
}

impl Hierarchy {
    /// Contracts a graph of `nodes` nodes. Each edge (a, b, cost) goes both ways.
    pub(crate) fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32, u32)>) -> Hierarchy {
        let mut graph = Remaining { neighbours: vec![Vec::new(); nodes], reach: vec![INFINITE; nodes] };
        for (a, b, cost) in edges {
            graph.join(a, b, cost);
        }
        graph.drop_needless_edges();
        let mut depth = vec![0; nodes];
        let mut needed = Vec::new();
        let mut queue: BinaryHeap<Reverse<(i32, u32)>> = BinaryHeap::with_capacity(nodes);
        for node in 0..nodes as u32 {
            queue.push(Reverse((graph.priority(node, 0, &mut needed), node)));
        }
        let mut is_stale = vec![false; nodes];
        let mut hierarchy = Hierarchy { rank: vec![0; nodes], first: vec![0], edges: Vec::new() };
        while let Some(Reverse((_, node))) = queue.pop() {
            if std::mem::take(&mut is_stale[node as usize]) {
                let now = graph.priority(node, depth[node as usize], &mut needed);
                if queue.peek().is_some_and(|Reverse((next, _))| now > *next) {
                    queue.push(Reverse((now, node)));
                    continue;
                }
            }
            graph.shortcuts(node, &mut needed);
            let neighbours = graph.take(node);
            for &(other, _) in &neighbours {
                depth[other as usize] = depth[other as usize].max(depth[node as usize] + 1);
                is_stale[other as usize] = true;
            }
            for &(a, b, cost) in &needed {
                graph.join(a, b, cost);
            }
            hierarchy.rank[node as usize] = hierarchy.first.len() as u32 - 1;
            hierarchy.edges.extend(neighbours);
            hierarchy.first.push(hierarchy.edges.len() as u32);
        }
        let rank = &hierarchy.rank;
        hierarchy.edges.iter_mut().for_each(|edge| edge.0 = rank[edge.0 as usize]);
        hierarchy
    }

    /// When a node was contracted: its place in the arrays that [`Hierarchy::sweep`] works on.
    #[inline]
    pub(crate) fn rank(&self, node: u32) -> usize {
        self.rank[node as usize] as usize
    }

    /// Distances by rank: before, those of the seeds, infinite elsewhere; afterwards those of all nodes.
    #[inline(always)]
    pub(crate) fn sweep(&self, distances: &mut [Lanes]) {
        for rank in 0..distances.len() {
            let here = distances[rank];
            if here.is_infinite() {
                continue;
            }
            for &(above, cost) in self.edges_from(rank) {
                distances[above as usize].relax(&here, cost);
            }
        }
        for rank in (0..distances.len()).rev() {
            let mut here = distances[rank];
            for &(above, cost) in self.edges_from(rank) {
                here.relax(&distances[above as usize], cost);
            }
            distances[rank] = here;
        }
    }

    #[inline(always)]
    fn edges_from(&self, rank: usize) -> &[(u32, u32)] {
        &self.edges[self.first[rank] as usize..self.first[rank + 1] as usize]
    }
}

/// What is left of the graph while it is contracted.
struct Remaining {
    neighbours: Vec<Vec<(u32, u32)>>,
    /// Room for the costs of edges from one node; all infinite between two uses.
    reach: Vec<u32>,
}

impl Remaining {
    fn join(&mut self, a: u32, b: u32, cost: u32) {
        for (from, to) in [(a, b), (b, a)] {
            let edges = &mut self.neighbours[from as usize];
            match edges.iter_mut().find(|edge| edge.0 == to) {
                Some(edge) => edge.1 = edge.1.min(cost),
                None => edges.push((to, cost)),
            }
        }
    }

    /// Takes a node out and returns its edges.
    fn take(&mut self, node: u32) -> Vec<(u32, u32)> {
        let edges = std::mem::take(&mut self.neighbours[node as usize]);
        for &(other, _) in &edges {
            self.neighbours[other as usize].retain(|edge| edge.0 != node);
        }
        edges
    }

    /// Drops edges that a way over one other node replaces.
    fn drop_needless_edges(&mut self) {
        for a in 0..self.neighbours.len() {
            self.mark(a as u32);
            let is_needless = |&&(b, cost): &&(u32, u32)| {
                self.neighbours[b as usize].iter().any(|&(via, rest)| self.reach[via as usize] + rest <= cost)
            };
            let needless: Vec<u32> = self.neighbours[a].iter().filter(is_needless).map(|&(b, _)| b).collect();
            self.unmark(a as u32);
            for b in needless {
                self.neighbours[a].retain(|edge| edge.0 != b);
                self.neighbours[b as usize].retain(|edge| edge.0 != a as u32);
            }
        }
    }

    fn mark(&mut self, node: u32) {
        for &(other, cost) in &self.neighbours[node as usize] {
            self.reach[other as usize] = cost;
        }
    }

    fn unmark(&mut self, node: u32) {
        for &(other, _) in &self.neighbours[node as usize] {
            self.reach[other as usize] = INFINITE;
        }
    }

    /// The edges that must replace ways through a node when it goes: those between neighbours that neither an edge nor
    /// a way over one other node replaces.
    fn shortcuts(&mut self, node: u32, needed: &mut Vec<(u32, u32, u32)>) {
        needed.clear();
        for index in 0..self.neighbours[node as usize].len() {
            let (a, to_a) = self.neighbours[node as usize][index];
            self.mark(a);
            self.reach[node as usize] = INFINITE;
            for &(b, to_b) in &self.neighbours[node as usize][index + 1..] {
                let cost = to_a + to_b;
                let has_way = self.reach[b as usize] <= cost
                    || self.neighbours[b as usize]
                        .iter()
                        .any(|&(via, rest)| self.reach[via as usize] + rest <= cost);
                if !has_way {
                    needed.push((a, b, cost));
                }
            }
            self.unmark(a);
        }
    }

    /// Nodes of low priority go first: those that need few edges and lie on few levels.
    fn priority(&mut self, node: u32, depth: i32, needed: &mut Vec<(u32, u32, u32)>) -> i32 {
        self.shortcuts(node, needed);
        2 * needed.len() as i32 - 2 * self.neighbours[node as usize].len() as i32 + depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::jump_points::lanes::LANES;
    use crate::core::Rng;

    #[test]
    fn a_sweep_gives_the_distances_of_a_plain_relaxation() {
        let mut rng = Rng::new(64);
        for _ in 0..200 {
            let nodes = 1 + rng.below(40);
            let edges: Vec<(u32, u32, u32)> = (0..rng.below(3 * nodes))
                .map(|_| (rng.below(nodes), rng.below(nodes), 1 + rng.below(30)))
                .filter(|(a, b, _)| a != b)
                .collect();
            let hierarchy = Hierarchy::new(nodes as usize, edges.iter().copied());
            let mut swept = vec![Lanes::ALL_INFINITE; nodes as usize];
            let mut plain = swept.clone();
            for lane in 0..LANES {
                for _ in 0..1 + rng.below(3) {
                    let (seed, distance) = (rng.below(nodes), rng.below(20));
                    swept[hierarchy.rank(seed)].0[lane] = distance;
                    plain[seed as usize].0[lane] = distance;
                }
            }
            hierarchy.sweep(&mut swept);
            for _ in 0..nodes {
                for &(a, b, cost) in &edges {
                    let (from_a, from_b) = (plain[a as usize], plain[b as usize]);
                    plain[b as usize].relax(&from_a, cost);
                    plain[a as usize].relax(&from_b, cost);
                }
            }
            for node in 0..nodes {
                let expected = plain[node as usize].0.map(|value| value.min(INFINITE));
                assert_eq!(swept[hierarchy.rank(node)].0, expected);
            }
        }
    }
}
