//! Contracts a graph: nodes are taken out one by one, the least important first; where a shortest way between two
//! neighbours led through the node, a shortcut takes its place.
//!
//! # Paper
//! R. Geisberger, P. Sanders, D. Schultes, D. Delling: Contraction hierarchies: faster and simpler hierarchical routing in
//! road networks, WEA 2008. A witness, another way that is as short, spares a shortcut; how far witnesses are looked for,
//! and what makes a node important, is for each graph to say.
//!
//! # Guarantees
//! Every shortest way in the graph has a counterpart of equal cost that first climbs to nodes that went later and then
//! descends, also where witnesses are overlooked.

use crate::core::Csr;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An edge, seen from the node that it leaves. All edges can be gone backwards at the same cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<V> {
    pub(super) to: u32,
    pub(super) cost: u64,
    /// What it stands for.
    pub(super) via: V,
}

/// What is left of a graph while it is contracted: the edges of each node, at most one to each other.
pub(super) type Remaining<V> = Vec<Vec<Edge<V>>>;

/// A shortcut: both its ends, and its cost.
pub(super) type Shortcut = (u32, u32, u64);

/// How a graph is contracted.
pub(super) trait Contraction {
    /// What is remembered of an edge beside its cost.
    type Via: Copy;

    /// What is remembered of a shortcut that replaces a node.
    fn via(node: u32) -> Self::Via;

    /// Finds the shortcuts that are needed when a node goes. More thoroughly if it goes now, than if it is only compared
    /// with others.
    fn shortcuts(
        &mut self,
        graph: &Remaining<Self::Via>,
        node: u32,
        goes_now: bool,
        needed: &mut Vec<Shortcut>,
    );

    /// How important a node is that needs so many shortcuts, has so many edges, and has so many levels of nodes below it
    /// that went.
    fn importance(shortcuts: usize, edges: usize, depth: i64) -> i64;
}

/// A contracted graph.
#[derive(Debug)]
pub(super) struct Contracted<V> {
    /// The nodes in the order in which they went.
    pub(super) order: Vec<u32>,
    /// For each node in that order, its edges to nodes that went later.
    pub(super) edges: Csr<Edge<V>>,
}

/// Contracts a graph; `None` if that takes more than `most` edges.
pub(super) fn contract<C: Contraction>(
    mut graph: Remaining<C::Via>,
    rules: &mut C,
    most: usize,
) -> Option<Contracted<C::Via>> {
    let (count, mut needed) = (graph.len(), Vec::new());
    let (mut depth, mut is_stale) = (vec![0_i64; count], vec![false; count]);
    let mut importance = |graph: &Remaining<C::Via>, rules: &mut C, node: u32, depth: i64| {
        rules.shortcuts(graph, node, false, &mut needed);
        C::importance(needed.len(), graph[node as usize].len(), depth)
    };
    let mut queue: BinaryHeap<Reverse<(i64, u32)>> =
        (0..count as u32).map(|node| Reverse((importance(&graph, rules, node, 0), node))).collect();
    let mut contracted = Contracted { order: Vec::with_capacity(count), edges: Csr::default() };
    let mut shortcuts = Vec::new();
    while let Some(Reverse((_, node))) = queue.pop() {
        if std::mem::take(&mut is_stale[node as usize]) {
            let now = importance(&graph, rules, node, depth[node as usize]);
            if queue.peek().is_some_and(|Reverse((next, _))| now > *next) {
                queue.push(Reverse((now, node)));
                continue;
            }
        }
        rules.shortcuts(&graph, node, true, &mut shortcuts);
        let edges = take(&mut graph, node);
        for edge in &edges {
            depth[edge.to as usize] = depth[edge.to as usize].max(depth[node as usize] + 1);
            is_stale[edge.to as usize] = true;
        }
        for &(a, b, cost) in &shortcuts {
            join(&mut graph, (a, b), cost, C::via(node));
        }
        contracted.order.push(node);
        contracted.edges.push_list(edges);
        if contracted.edges.items().len() > most {
            return None;
        }
    }
    Some(contracted)
}

/// Adds an edge between two nodes, or puts it in the place of a dearer one.
pub(super) fn join<V: Copy>(graph: &mut Remaining<V>, (a, b): (u32, u32), cost: u64, via: V) {
    for (from, to) in [(a, b), (b, a)] {
        let edges = &mut graph[from as usize];
        let new = Edge { to, cost, via };
        match edges.iter_mut().find(|edge| edge.to == to) {
            Some(edge) if edge.cost > cost => *edge = new,
            Some(_) => {}
            None => edges.push(new),
        }
    }
}

/// Takes a node out and returns its edges.
fn take<V>(graph: &mut Remaining<V>, node: u32) -> Vec<Edge<V>> {
    let edges = std::mem::take(&mut graph[node as usize]);
    for edge in &edges {
        graph[edge.to as usize].retain(|back| back.to != node);
    }
    edges
}
