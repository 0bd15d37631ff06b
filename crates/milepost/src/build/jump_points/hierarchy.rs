//! All distances between jump points, sixteen sources at a time, without a queue.
//!
//! The graph of jump points is [contracted](crate::build::contraction) once. A search from any set of seeds is then two
//! sweeps over the nodes: in the order of contraction values flow up to nodes that were contracted later, in reverse
//! order they flow down.
//!
//! # Paper
//! D. Delling, A. Goldberg, A. Nowatzyk, R. Werneck: PHAST, hardware-accelerated shortest path trees, IPDPS 2011.
//!
//! # Guarantees
//! [`Hierarchy::sweep`] leaves exact distances: every shortest way in the graph has a counterpart of equal cost in the
//! contracted one that first climbs and then descends.

use super::lanes::{INFINITE, Lanes};
use crate::build::contraction::{Contraction, Edge, Remaining, Shortcut, contract, join};
use crate::core::Csr;

/// A contracted graph.
#[derive(Debug)]
pub(crate) struct Hierarchy {
    /// When a node was contracted.
    rank: Vec<u32>,
    /// By rank, its edges to higher ranks: rank of the other end, cost.
    edges: Csr<(u32, u32)>,
}

impl Hierarchy {
    /// Contracts a graph of `nodes` nodes. Each edge (a, b, cost) goes both ways.
    pub(crate) fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32, u32)>) -> Hierarchy {
        let mut graph = vec![Vec::new(); nodes];
        for (a, b, cost) in edges {
            join(&mut graph, (a, b), cost.into(), ());
        }
        let mut witnesses = OneNode { reach: vec![INFINITE.into(); nodes] };
        witnesses.drop_needless_edges(&mut graph);
        let mut rank = vec![0; nodes];
        let Some(contracted) = contract(graph, &mut witnesses, usize::MAX) else {
            return Hierarchy { rank, edges: Csr::default() };
        };
        for (number, &node) in contracted.order.iter().enumerate() {
            rank[node as usize] = number as u32;
        }
        let ranked = |edge: &Edge<()>| (rank[edge.to as usize], edge.cost as u32);
        let edges = contracted.edges.lists().map(|list| list.iter().map(ranked)).collect();
        Hierarchy { rank, edges }
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
            for &(above, cost) in self.edges.list(rank) {
                distances[above as usize].relax(&here, cost);
            }
        }
        for rank in (0..distances.len()).rev() {
            let mut here = distances[rank];
            for &(above, cost) in self.edges.list(rank) {
                here.relax(&distances[above as usize], cost);
            }
            distances[rank] = here;
        }
    }
}

/// Witnesses are edges, and ways over one other node.
struct OneNode {
    /// Room for the costs of edges from one node; all infinite between two uses.
    reach: Vec<u64>,
}

impl OneNode {
    /// Drops edges that a way over one other node replaces.
    fn drop_needless_edges(&mut self, graph: &mut Remaining<()>) {
        for a in 0..graph.len() {
            self.mark(&graph[a]);
            let is_needless = |edge: &&Edge<()>| self.leads_on(&graph[edge.to as usize], edge.cost);
            let needless: Vec<u32> = graph[a].iter().filter(is_needless).map(|edge| edge.to).collect();
            self.unmark(&graph[a]);
            for b in needless {
                graph[a].retain(|edge| edge.to != b);
                graph[b as usize].retain(|edge| edge.to != a as u32);
            }
        }
    }

    fn mark(&mut self, edges: &[Edge<()>]) {
        for edge in edges {
            self.reach[edge.to as usize] = edge.cost;
        }
    }

    fn unmark(&mut self, edges: &[Edge<()>]) {
        for edge in edges {
            self.reach[edge.to as usize] = INFINITE.into();
        }
    }

    /// Whether an edge that is marked and one of these lead somewhere at no more than this cost.
    #[inline]
    fn leads_on(&self, edges: &[Edge<()>], cost: u64) -> bool {
        edges.iter().any(|edge| self.reach[edge.to as usize] + edge.cost <= cost)
    }
}

impl Contraction for OneNode {
    type Via = ();

    fn via(_: u32) {}

    fn shortcuts(&mut self, graph: &Remaining<()>, node: u32, _: bool, needed: &mut Vec<Shortcut>) {
        needed.clear();
        let edges = &graph[node as usize];
        for (index, a) in edges.iter().enumerate() {
            self.mark(&graph[a.to as usize]);
            self.reach[node as usize] = INFINITE.into();
            for b in &edges[index + 1..] {
                let cost = a.cost + b.cost;
                let has_witness =
                    self.reach[b.to as usize] <= cost || self.leads_on(&graph[b.to as usize], cost);
                if !has_witness {
                    needed.push((a.to, b.to, cost));
                }
            }
            self.unmark(&graph[a.to as usize]);
        }
    }

    /// Nodes go first that need few shortcuts and lie on few levels.
    fn importance(shortcuts: usize, edges: usize, depth: i64) -> i64 {
        2 * shortcuts as i64 - 2 * edges as i64 + depth
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
