//! Dijkstra's algorithm with a heap, over numbered nodes: the plain flood. Floods that are run once for every state have
//! loops of their own ([`network`](super::network), [`cell_flood`](super::cell_flood),
//! [`subgoal_trees`](super::subgoal_trees)), which tests hold against this one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Instead of the distance of a node that cannot be reached.
pub(super) const UNREACHED: u64 = u64::MAX;

/// Room for one flood after another.
#[derive(Debug, Default)]
pub(super) struct Dijkstra {
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Dijkstra {
    /// Floods from a node. Distances are lowered, from [`UNREACHED`] where a node is not known yet; `edges` names where the
    /// edges of a node lead and what they cost; nodes are settled by distance, then by number.
    pub(super) fn run<E: Iterator<Item = (u32, u64)>>(
        &mut self,
        start: u32,
        distances: &mut [u64],
        edges: impl Fn(u32) -> E,
        mut settle: impl FnMut(u32, u64),
    ) {
        self.open.clear();
        distances[start as usize] = 0;
        self.open.push(Reverse((0, start)));
        while let Some(Reverse((distance, node))) = self.open.pop() {
            if distance > distances[node as usize] {
                continue;
            }
            settle(node, distance);
            for (to, cost) in edges(node) {
                let there = distance + cost;
                if there < distances[to as usize] {
                    distances[to as usize] = there;
                    self.open.push(Reverse((there, to)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Csr, Rng};

    #[test]
    fn distances_are_those_of_a_relaxation_of_all_edges_until_nothing_changes() {
        let mut rng = Rng::new(18);
        for _ in 0..200 {
            let nodes = 1 + rng.below(30);
            let edges: Vec<(u32, (u32, u64))> = (0..rng.below(3 * nodes))
                .map(|_| (rng.below(nodes), (rng.below(nodes), 1 + u64::from(rng.below(20)))))
                .collect();
            let lists = Csr::sorted(nodes as usize, edges.iter().copied());
            let mut distances = vec![UNREACHED; nodes as usize];
            let mut settled = Vec::new();
            let list = |node: u32| lists.list(node as usize).iter().copied();
            Dijkstra::default().run(0, &mut distances, list, |node, distance| settled.push((distance, node)));
            let mut plain = vec![UNREACHED; nodes as usize];
            plain[0] = 0;
            for _ in 0..nodes {
                for &(from, (to, cost)) in &edges {
                    let there = plain[from as usize].saturating_add(cost);
                    plain[to as usize] = plain[to as usize].min(there);
                }
            }
            assert_eq!(distances, plain);
            assert!(settled.is_sorted() && settled.iter().all(|&(at, node)| plain[node as usize] == at));
            assert_eq!(settled.len(), plain.iter().filter(|&&distance| distance != UNREACHED).count());
        }
    }
}
