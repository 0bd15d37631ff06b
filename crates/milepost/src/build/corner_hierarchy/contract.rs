//! Contracts the graph of corners.
//!
//! # Paper
//! R. Geisberger, P. Sanders, D. Schultes, D. Delling: Contraction hierarchies: faster and simpler hierarchical routing in
//! road networks, WEA 2008: nodes go one by one, the least important first; where a shortest way between two neighbours
//! led through the node, a shortcut takes its place. A witness, another way that is as short, spares the shortcut.
//!
//! # Deviations
//! 1. What is important: shortcuts that a node needs for each edge that goes with it, and how many were contracted below.

use super::graph::Ways;
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

#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) cost: u32,
    pub(super) via: Via,
}

/// A contracted graph.
#[derive(Debug, Default)]
pub(super) struct Contracted {
    /// The nodes in the order in which they went.
    pub(super) order: Vec<u32>,
    /// For each node in that order, its edges to nodes that went later.
    pub(super) edges: Vec<Vec<Edge>>,
}

/// States that the search for witnesses settles: while nodes are compared, and when one goes.
const QUICK: usize = 60;
const THOROUGH: usize = 500;

/// Contracts a graph; `None` if that takes more than `most` edges.
pub(super) fn contract(ways: &Ways, most: usize) -> Option<Contracted> {
    let count = ways.len();
    let edge = |way: &super::graph::Way| {
        let via = if way.sees { Via::Sees } else { Via::Seen };
        Edge { to: way.to, cost: way.cost, via }
    };
    let edges = ways.iter().map(|ways| ways.iter().map(edge).collect()).collect();
    let mut graph =
        Remaining { edges, distances: vec![INFINITE; count], touched: Vec::new(), open: BinaryHeap::new() };
    let (mut depth, mut needed) = (vec![0_i64; count], Vec::new());
    let mut queue: BinaryHeap<Reverse<(i64, u32)>> = BinaryHeap::with_capacity(count);
    for node in 0..count as u32 {
        queue.push(Reverse((graph.importance(node, 0, &mut needed), node)));
    }
    let mut contracted = Contracted::default();
    let mut total = 0;
    let mut is_stale = vec![false; count];
    while let Some(Reverse((_, node))) = queue.pop() {
        if std::mem::take(&mut is_stale[node as usize]) {
            let now = graph.importance(node, depth[node as usize], &mut needed);
            if queue.peek().is_some_and(|Reverse((next, _))| now > *next) {
                queue.push(Reverse((now, node)));
                continue;
            }
        }
        graph.shortcuts(node, THOROUGH, &mut needed);
        let edges = graph.take(node);
        for edge in &edges {
            depth[edge.to as usize] = depth[edge.to as usize].max(depth[node as usize] + 1);
            is_stale[edge.to as usize] = true;
        }
        for &(a, b, cost) in &needed {
            graph.join(a, b, cost, node);
        }
        total += edges.len();
        if total > most {
            return None;
        }
        contracted.order.push(node);
        contracted.edges.push(edges);
    }
    Some(contracted)
}

/// What is left of the graph while it is contracted.
struct Remaining {
    edges: Vec<Vec<Edge>>,
    /// Room for a search: infinite but for what was touched.
    distances: Vec<u32>,
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Remaining {
    fn join(&mut self, a: u32, b: u32, cost: u32, via: u32) {
        for (from, to) in [(a, b), (b, a)] {
            let edges = &mut self.edges[from as usize];
            let new = Edge { to, cost, via: Via::Node(via) };
            match edges.iter_mut().find(|edge| edge.to == to) {
                Some(edge) if edge.cost > cost => *edge = new,
                Some(_) => {}
                None => edges.push(new),
            }
        }
    }

    /// Takes a node out and returns its edges.
    fn take(&mut self, node: u32) -> Vec<Edge> {
        let edges = std::mem::take(&mut self.edges[node as usize]);
        for edge in &edges {
            self.edges[edge.to as usize].retain(|back| back.to != node);
        }
        edges
    }

    /// The shortcuts that are needed when a node goes.
    fn shortcuts(&mut self, node: u32, settle: usize, needed: &mut Vec<(u32, u32, u32)>) {
        needed.clear();
        let neighbours: Vec<(u32, u32)> =
            self.edges[node as usize].iter().map(|edge| (edge.to, edge.cost)).collect();
        for (index, &(from, cost)) in neighbours.iter().enumerate() {
            let others = &neighbours[index + 1..];
            let Some(farthest) = others.iter().map(|other| other.1).max() else { break };
            self.search(node, from, cost + farthest, settle, others);
            for &(to, rest) in others {
                if self.distances[to as usize] > cost + rest {
                    needed.push((from, to, cost + rest));
                }
            }
            for node in self.touched.drain(..) {
                self.distances[node as usize] = INFINITE;
            }
        }
    }

    /// Distances from a node within a limit, without another one.
    fn search(&mut self, without: u32, from: u32, limit: u32, mut settle: usize, targets: &[(u32, u32)]) {
        self.open.clear();
        self.open.push(Reverse((0, from)));
        self.distances[from as usize] = 0;
        self.touched.push(from);
        let mut missing = targets.len();
        while let Some(Reverse((distance, node))) = self.open.pop() {
            if self.distances[node as usize] != distance {
                continue;
            }
            missing -= usize::from(targets.iter().any(|target| target.0 == node));
            if settle == 0 || missing == 0 {
                return;
            }
            settle -= 1;
            for edge in &self.edges[node as usize] {
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

    fn importance(&mut self, node: u32, depth: i64, needed: &mut Vec<(u32, u32, u32)>) -> i64 {
        self.shortcuts(node, QUICK, needed);
        let (added, gone) = (needed.len() as i64, self.edges[node as usize].len().max(1) as i64);
        added * 1000 / gone + depth * 600 + added * 50 - gone * 50
    }
}
