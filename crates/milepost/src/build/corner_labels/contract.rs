//! Contracts the taut graph: corners are taken out one by one, the least important first; where a shortest way between two
//! neighbours may lead over the corner, a shortcut takes its place.
//!
//! # Paper
//! R. Geisberger, P. Sanders, D. Schultes, D. Delling: Contraction hierarchies: faster and simpler hierarchical routing in
//! road networks, WEA 2008.
//!
//! # Guarantees
//! Call two corners a *true pair* if d_G between them is the distance on the map. **L9**: a true pair both of which are still
//! there is one after a corner v went. Let a shortest way between them lead over x - v - y: (x, y) is a true pair, so its
//! turn at v is not forbidden (L8), and there is a shortcut, or a witness that is as short. Turns at a witness are not looked
//! at: one with a forbidden turn would be longer than the distance. ∎
//!
//! # Deviations
//! 1. No shortcut over a forbidden turn. Witnesses are single edges and pairs of edges.
//! 2. What is important: shortcuts for each edge that goes, how many corners are below, how deep they lie.
//! 3. Where corners have so many neighbours that the work exceeds a bound, there is no hierarchy.

use super::graph::{Corners, Edge, TautGraph};
use super::turns::Turns;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What counts against 1000 for a shortcut for each edge: a level of depth, a doubling of the corners below.
const DEPTH: i64 = 100;
const BELOW: i64 = 700;
/// A corner that became more important since it was weighed still goes if it is so near to the next one.
const LAZY: i64 = 200;
/// Pairs of neighbours that may be looked at, in all and for each corner.
const MOST_WORK: u64 = 40_000_000;
const MOST_WORK_OF_A_CORNER: u64 = 300;

/// Farther than any way.
const INFINITE: u64 = u64::MAX / 4;

/// The contracted graph.
pub(super) struct Hierarchy {
    /// The corners in the order in which they went.
    pub(super) order: Vec<u32>,
    /// By corner, its edges to corners that went later.
    pub(super) up: Vec<Vec<Edge>>,
}

/// What is left of the graph, and room to look for witnesses.
struct Remaining<'a> {
    corners: &'a Corners<'a>,
    turns: &'a Turns,
    edges: Vec<Vec<Edge>>,
    /// Infinite but while a neighbour is looked at.
    distances: Vec<u64>,
    /// Pairs of edges of the corner last looked at that need a shortcut.
    needed: Vec<(u32, u32)>,
}

impl Remaining<'_> {
    /// Finds the shortcuts that are needed when a corner goes.
    fn find_shortcuts(&mut self, corner: u32) {
        let Remaining { corners, turns, edges, distances, needed } = self;
        needed.clear();
        let own = &edges[corner as usize];
        for (index, a) in own.iter().enumerate() {
            let forbidden = turns.forbidden(corners.kind(corner), a.out);
            let others = &own[index + 1..];
            if others.iter().all(|b| b.out & forbidden != 0) {
                continue;
            }
            edges[a.to as usize].iter().for_each(|edge| distances[edge.to as usize] = edge.cost);
            distances[corner as usize] = INFINITE;
            for (place, b) in others.iter().enumerate().filter(|(_, b)| b.out & forbidden == 0) {
                let cost = a.cost + b.cost;
                let is_witness = |edge: &Edge| distances[edge.to as usize] + edge.cost <= cost;
                if distances[b.to as usize] > cost && !edges[b.to as usize].iter().any(is_witness) {
                    needed.push((index as u32, (index + 1 + place) as u32));
                }
            }
            edges[a.to as usize].iter().for_each(|edge| distances[edge.to as usize] = INFINITE);
        }
    }

    fn importance(&mut self, corner: u32, depth: i64, below: u64) -> i64 {
        self.find_shortcuts(corner);
        let edges = self.edges[corner as usize].len().max(1) as i64;
        1000 * self.needed.len() as i64 / edges + depth * DEPTH + i64::from(below.ilog2()) * BELOW
    }

    /// Adds an edge, or puts it in the place of a dearer one.
    fn join(&mut self, from: u32, new: Edge) {
        let edges = &mut self.edges[from as usize];
        match edges.iter_mut().find(|edge| edge.to == new.to) {
            Some(edge) if new.cost < edge.cost => *edge = new,
            Some(_) => {}
            None => edges.push(new),
        }
    }

    /// Takes a corner out, for which shortcuts were found, and returns its edges.
    fn take(&mut self, corner: u32) -> Vec<Edge> {
        let own = std::mem::take(&mut self.edges[corner as usize]);
        // By neighbour, the first corner on its way to this one.
        let mut firsts = Vec::with_capacity(own.len());
        for edge in &own {
            let others = &mut self.edges[edge.to as usize];
            if let Some(place) = others.iter().position(|back| back.to == corner) {
                firsts.push(others.swap_remove(place).first);
            }
        }
        for (i, j) in std::mem::take(&mut self.needed) {
            let (a, b) = (own[i as usize], own[j as usize]);
            let cost = a.cost + b.cost;
            let [first_a, first_b] = [firsts[i as usize], firsts[j as usize]];
            self.join(a.to, Edge { to: b.to, first: first_a, cost, out: a.back, back: b.back });
            self.join(b.to, Edge { to: a.to, first: first_b, cost, out: b.back, back: a.back });
        }
        own
    }
}

impl Hierarchy {
    /// Contracts a graph; `None` if that would take too much work.
    pub(super) fn new(corners: &Corners<'_>, graph: &TautGraph, turns: &Turns) -> Option<Hierarchy> {
        let count = corners.count();
        let edges = graph.edges.lists().map(<[Edge]>::to_vec).collect();
        let distances = vec![INFINITE; count];
        let mut remaining = Remaining { corners, turns, edges, distances, needed: Vec::new() };
        let (mut depth, mut below) = (vec![0_i64; count], vec![1_u64; count]);
        let mut queue: BinaryHeap<Reverse<(i64, u32)>> =
            (0..count as u32).map(|corner| Reverse((remaining.importance(corner, 0, 1), corner))).collect();
        let mut hierarchy = Hierarchy { order: Vec::with_capacity(count), up: vec![Vec::new(); count] };
        let mut work_left = MOST_WORK + MOST_WORK_OF_A_CORNER * count as u64;
        while let Some(Reverse((before, corner))) = queue.pop() {
            let v = corner as usize;
            work_left = work_left.checked_sub((remaining.edges[v].len() as u64).pow(2))?;
            let now = remaining.importance(corner, depth[v], below[v]);
            if now > before && queue.peek().is_some_and(|Reverse((next, _))| now > next + LAZY) {
                queue.push(Reverse((now, corner)));
                continue;
            }
            let own = remaining.take(corner);
            for edge in &own {
                let to = edge.to as usize;
                depth[to] = depth[to].max(depth[v] + 1);
                below[to] += below[v] / own.len() as u64 + 1;
            }
            hierarchy.order.push(corner);
            hierarchy.up[v] = own;
        }
        Some(hierarchy)
    }
}
