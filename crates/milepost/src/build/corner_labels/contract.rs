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
//! 1. No shortcut over a forbidden turn. Witnesses are single edges and pairs of edges; in a hierarchy that is searched, which
//!    must have few edges, a search of its own looks for longer ones.
//! 2. What is important: shortcuts for each edge that goes, how many corners are below, how deep they lie.
//! 3. Where corners have so many neighbours that the work exceeds a bound, there is no hierarchy for labels; in one that is
//!    searched the corners that are left then are its *core*, and keep all edges between them.

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

/// Corners that a search for a longer witness settles, and edges that all of them may look at, in all and for each corner.
const SETTLED: usize = 300;
const MOST_LOOKS: u64 = 1_000_000_000;
const MOST_LOOKS_OF_A_CORNER: u64 = 1000;

/// Farther than any way.
const INFINITE: u64 = u64::MAX / 4;

/// The contracted graph.
pub(super) struct Hierarchy {
    /// The corners in the order in which they went.
    pub(super) order: Vec<u32>,
    /// By corner, its edges to corners that went later; of the core, all that are left. A shortcut names its first corner, or,
    /// if the hierarchy is to be searched, the corner that it replaced.
    pub(super) up: Vec<Vec<Edge>>,
    /// By how many corners went before, the work until then.
    work: Vec<u64>,
}

/// What contracting on would come to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Expected {
    pub(super) edges: u64,
    /// For each unit of work that was done.
    pub(super) work: f64,
}

/// How a graph is contracted.
#[derive(Clone, Copy, Debug)]
enum Purpose {
    Labels,
    Search,
}

/// What is left of the graph, and room to look for witnesses.
struct Remaining<'a> {
    corners: &'a Corners<'a>,
    turns: &'a Turns,
    purpose: Purpose,
    edges: Vec<Vec<Edge>>,
    /// Infinite but while a neighbour is looked at.
    distances: Vec<u64>,
    /// Where they are not, and what is to be settled, while a longer witness is looked for.
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// Pairs of edges of the corner last looked at that need a shortcut.
    needed: Vec<(u32, u32)>,
}

impl Remaining<'_> {
    /// Finds the shortcuts that are needed when a corner goes.
    fn find_shortcuts(&mut self, corner: u32) {
        let Remaining { corners, turns, edges, distances, needed, .. } = self;
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

    /// Leaves out shortcuts for which a longer witness is found. Returns how many edges were looked at.
    fn find_longer_witnesses(&mut self, corner: u32) -> u64 {
        let Remaining { edges, distances, touched, open, needed, .. } = self;
        let (own, mut looks, mut begin, mut kept) = (&edges[corner as usize], 0, 0, 0);
        while let Some(&(a, _)) = needed.get(begin) {
            let end = begin + needed[begin..].iter().take_while(|pair| pair.0 == a).count();
            let from = own[a as usize];
            let ends = begin..end;
            let farthest =
                needed[ends.clone()].iter().map(|pair| own[pair.1 as usize].cost).max().unwrap_or(0);
            let (mut missing, mut settled) = (ends.len(), 0);
            distances[from.to as usize] = 0;
            touched.push(from.to);
            open.push(Reverse((0, from.to)));
            while let Some(Reverse((distance, at))) = open.pop() {
                if distances[at as usize] != distance {
                    continue;
                }
                missing -= usize::from(needed[ends.clone()].iter().any(|pair| own[pair.1 as usize].to == at));
                if missing == 0 || settled == SETTLED {
                    break;
                }
                settled += 1;
                looks += edges[at as usize].len() as u64;
                for edge in &edges[at as usize] {
                    let (there, before) = (distance + edge.cost, distances[edge.to as usize]);
                    if edge.to != corner && there < before && there <= from.cost + farthest {
                        if before == INFINITE {
                            touched.push(edge.to);
                        }
                        distances[edge.to as usize] = there;
                        open.push(Reverse((there, edge.to)));
                    }
                }
            }
            open.clear();
            for place in ends {
                let (_, b) = needed[place];
                let to = own[b as usize];
                if distances[to.to as usize] > from.cost + to.cost {
                    needed[kept] = (a, b);
                    kept += 1;
                }
            }
            touched.drain(..).for_each(|at| distances[at as usize] = INFINITE);
            begin = end;
        }
        needed.truncate(kept);
        looks
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
            let [first_a, first_b] = match self.purpose {
                Purpose::Labels => [firsts[i as usize], firsts[j as usize]],
                Purpose::Search => [corner; 2],
            };
            self.join(a.to, Edge { to: b.to, first: first_a, cost, out: a.back, back: b.back });
            self.join(b.to, Edge { to: a.to, first: first_b, cost, out: b.back, back: a.back });
        }
        own
    }
}

impl Hierarchy {
    /// Contracts a graph for labels; `None` if that would take too much work.
    pub(super) fn for_labels(corners: &Corners<'_>, graph: &TautGraph, turns: &Turns) -> Option<Hierarchy> {
        let most = MOST_WORK + MOST_WORK_OF_A_CORNER * corners.count() as u64;
        let hierarchy = Hierarchy::new(corners, graph, turns, Purpose::Labels, most);
        (hierarchy.order.len() == corners.count()).then_some(hierarchy)
    }

    /// Contracts a graph to be searched, up to a core.
    pub(super) fn for_search(
        corners: &Corners<'_>,
        graph: &TautGraph,
        turns: &Turns,
        most: u64,
    ) -> Hierarchy {
        Hierarchy::new(corners, graph, turns, Purpose::Search, most)
    }

    fn new(
        corners: &Corners<'_>,
        graph: &TautGraph,
        turns: &Turns,
        purpose: Purpose,
        most: u64,
    ) -> Hierarchy {
        let count = corners.count();
        let mut remaining = Remaining {
            corners,
            turns,
            purpose,
            edges: graph.edges.lists().map(<[Edge]>::to_vec).collect(),
            distances: vec![INFINITE; count],
            touched: Vec::new(),
            open: BinaryHeap::new(),
            needed: Vec::new(),
        };
        let (mut depth, mut below) = (vec![0_i64; count], vec![1_u64; count]);
        let mut queue: BinaryHeap<Reverse<(i64, u32)>> =
            (0..count as u32).map(|corner| Reverse((remaining.importance(corner, 0, 1), corner))).collect();
        let mut hierarchy =
            Hierarchy { order: Vec::with_capacity(count), up: vec![Vec::new(); count], work: vec![0] };
        let mut work = 0;
        while let Some(Reverse((before, corner))) = queue.pop() {
            let v = corner as usize;
            (corners.progress)(1, 4);
            work += (remaining.edges[v].len() as u64).pow(2);
            if work > most {
                break;
            }
            let now = remaining.importance(corner, depth[v], below[v]);
            if now > before && queue.peek().is_some_and(|Reverse((next, _))| now > next + LAZY) {
                queue.push(Reverse((now, corner)));
                continue;
            }
            if let Purpose::Search = purpose {
                work += remaining.find_longer_witnesses(corner);
            }
            let own = remaining.take(corner);
            for edge in &own {
                let to = edge.to as usize;
                depth[to] = depth[to].max(depth[v] + 1);
                below[to] += below[v] / own.len() as u64 + 1;
            }
            hierarchy.order.push(corner);
            hierarchy.up[v] = own;
            hierarchy.work.push(work);
        }
        for (up, left) in hierarchy.up.iter_mut().zip(remaining.edges).filter(|(_, left)| !left.is_empty()) {
            *up = left;
        }
        hierarchy
    }
}

impl Hierarchy {
    /// The work of contracting.
    #[cfg(test)]
    pub(super) fn work(&self) -> u64 {
        self.work[self.order.len()]
    }

    /// What contracting the core as well would come to, with so much work at most. Where obstacles are strewn at random, and a
    /// core stays nowhere else, every two edges of it become 1.4 times as many, and half of the corners that are left take 3.5
    /// times as much as the last half took, until 500 are left (512 x 512 cells, a tenth or a quarter of them blocked).
    pub(super) fn expected(&self, most: u64) -> Expected {
        let (gone, left) = (self.order.len(), self.up.len() - self.order.len());
        if left == 0 {
            return Expected { edges: 0, work: 0.0 };
        }
        let is_gone = self.order.iter().fold(vec![false; self.up.len()], |mut gone, &corner| {
            gone[corner as usize] = true;
            gone
        });
        let core = self.up.iter().zip(is_gone).filter(|(_, is_gone)| !is_gone);
        let edges: usize = core.map(|(up, _)| up.len()).sum();
        let (done, halvings) = (self.work[gone].max(1) as f64, (left as f64 / 500.0).log2().max(0.0));
        let last_half = done - self.work[gone.saturating_sub(left)] as f64;
        let work = (3.5 * last_half * halvings).min((most as f64 - done).max(0.0));
        Expected { edges: edges as u64 * 2 / 5, work: work / done }
    }
}

/// Work that contracting so many corners for a search may take.
pub(super) fn most_looks(corners: usize) -> u64 {
    MOST_LOOKS + MOST_LOOKS_OF_A_CORNER * corners as u64
}
