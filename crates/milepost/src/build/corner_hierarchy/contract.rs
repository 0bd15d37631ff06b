//! [Contracts](crate::build::contraction) the graph of corners.
//!
//! # Deviations
//! 1. What is important: shortcuts that a node needs for each edge that goes with it, and how many were contracted below.

use super::graph::{CornerEdge, CornerEdges};
use crate::build::contraction::{self, Contraction, Edge, Remaining, Shortcut};
use crate::index::corner_hierarchy::INFINITE;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What an edge stands for, seen from the node that it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Via {
    /// A run on which this node sees the other.
    Sees,
    /// A run on which the other sees this one.
    Seen,
    /// The node that the shortcut replaces.
    Node(u32),
}

/// The contracted graph of corners.
pub(super) type Contracted = contraction::Contracted<Via>;

/// States that the search for witnesses settles: while nodes are compared, and when one goes.
const QUICK: usize = 60;
const THOROUGH: usize = 500;

/// Contracts a graph; `None` if that takes more than `most` edges.
pub(super) fn contract(edges: &CornerEdges, most: usize) -> Option<Contracted> {
    let plain = |edge: &CornerEdge| {
        let via = if edge.sees { Via::Sees } else { Via::Seen };
        Edge { to: edge.to, cost: edge.cost, via }
    };
    let graph = edges.iter().map(|list| list.iter().map(plain).collect()).collect();
    let mut search = WitnessSearch {
        distances: vec![INFINITE; edges.len()],
        touched: Vec::new(),
        open: BinaryHeap::new(),
    };
    contraction::contract(graph, &mut search, most)
}

/// Witnesses are found by a search from one neighbour to all others.
struct WitnessSearch {
    /// Infinite but for what was touched.
    distances: Vec<u64>,
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Contraction for WitnessSearch {
    type Via = Via;

    fn via(node: u32) -> Via {
        Via::Node(node)
    }

    fn shortcuts(&mut self, graph: &Remaining<Via>, node: u32, goes_now: bool, needed: &mut Vec<Shortcut>) {
        needed.clear();
        let (edges, settle) = (&graph[node as usize], if goes_now { THOROUGH } else { QUICK });
        for (index, from) in edges.iter().enumerate() {
            let others = &edges[index + 1..];
            let Some(farthest) = others.iter().map(|other| other.cost).max() else { break };
            self.search(graph, node, from.to, from.cost + farthest, settle, others);
            for to in others {
                if self.distances[to.to as usize] > from.cost + to.cost {
                    needed.push((from.to, to.to, from.cost + to.cost));
                }
            }
            for node in self.touched.drain(..) {
                self.distances[node as usize] = INFINITE;
            }
        }
    }

    /// Shortcuts that a node needs for each edge that goes with it, and how many levels were contracted below.
    fn importance(shortcuts: usize, edges: usize, depth: i64) -> i64 {
        let (added, gone) = (shortcuts as i64, edges.max(1) as i64);
        added * 1000 / gone + depth * 600 + added * 50 - gone * 50
    }
}

impl WitnessSearch {
    /// Distances from a node within a limit, without another one. A loop of its own: it stops in the middle, and is run
    /// more often than any other.
    fn search(
        &mut self,
        graph: &Remaining<Via>,
        without: u32,
        from: u32,
        limit: u64,
        mut settle: usize,
        targets: &[Edge<Via>],
    ) {
        self.open.clear();
        self.open.push(Reverse((0, from)));
        self.distances[from as usize] = 0;
        self.touched.push(from);
        let mut missing = targets.len();
        while let Some(Reverse((distance, node))) = self.open.pop() {
            if self.distances[node as usize] != distance {
                continue;
            }
            missing -= usize::from(targets.iter().any(|target| target.to == node));
            if settle == 0 || missing == 0 {
                return;
            }
            settle -= 1;
            for edge in &graph[node as usize] {
                let (there, before) = (distance + edge.cost, self.distances[edge.to as usize]);
                if edge.to != without && there <= limit && there < before {
                    if before == INFINITE {
                        self.touched.push(edge.to);
                    }
                    self.distances[edge.to as usize] = there;
                    self.open.push(Reverse((there, edge.to)));
                }
            }
        }
    }
}
