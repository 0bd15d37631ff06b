//! A small part of a space, explored within one step: for agents that look a little way ahead.
//!
//! Its size is what was explored, not that of the map. Nodes are numbered in the order in which they were seen; the open
//! ones stand in a heap whose entries can be moved, so that no entry is ever stale and what is taken out is what is
//! expanded. Edges are kept, so that values can be carried back against them.

use super::{Cost, StateId};

/// No node, edge or place.
const NONE: u32 = u32::MAX;

/// What is known of a state nearby.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalNode {
    pub(crate) state: StateId,
    /// Cost of the best way found from where the exploration began.
    pub(crate) g: Cost,
    pub(crate) h: Cost,
    /// The node before it on that way.
    pub(crate) parent: u32,
    pub(crate) is_closed: bool,
    /// What the heap sorts by: least first, then the node seen first.
    key: (Cost, Cost),
    heap_place: u32,
    /// The edges that lead here, as a list.
    first_edge: u32,
}

#[derive(Clone, Copy, Debug)]
struct LocalEdge {
    from: u32,
    cost: Cost,
    next: u32,
}

/// Nodes, edges and a heap of nodes. After warm-up nothing is allocated, and starting anew takes O(1).
#[derive(Clone, Debug, Default)]
pub(crate) struct Local {
    nodes: Vec<LocalNode>,
    edges: Vec<LocalEdge>,
    heap: Vec<u32>,
    /// Where a state's node is, by open addressing: (epoch, node).
    places: Vec<(u32, u32)>,
    epoch: u32,
}

impl Local {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.heap.clear();
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.places.fill((0, 0));
            self.epoch = 1;
        }
    }

    pub(crate) fn nodes(&self) -> &[LocalNode] {
        &self.nodes
    }

    pub(crate) fn node(&mut self, node: u32) -> &mut LocalNode {
        &mut self.nodes[node as usize]
    }

    /// The node of a state, and whether it was not there before.
    pub(crate) fn add(&mut self, state: StateId) -> (u32, bool) {
        if self.places.len() < 2 * (self.nodes.len() + 1) {
            self.grow();
        }
        let place = self.place(state);
        let (epoch, node) = self.places[place];
        if epoch == self.epoch {
            return (node, false);
        }
        let node = self.nodes.len() as u32;
        self.places[place] = (self.epoch, node);
        self.nodes.push(LocalNode {
            state,
            g: Cost::MAX,
            h: Cost::ZERO,
            parent: NONE,
            is_closed: false,
            key: (Cost::MAX, Cost::MAX),
            heap_place: NONE,
            first_edge: NONE,
        });
        (node, true)
    }

    /// The place of a state, or the free one where it belongs.
    fn place(&self, state: StateId) -> usize {
        let mask = self.places.len() - 1;
        let mut place = (u64::from(state.number()).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.places[place].0 == self.epoch {
            let node = self.places[place].1 as usize;
            if self.nodes[node].state == state {
                break;
            }
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        let size = (4 * (self.nodes.len() + 1)).next_power_of_two().max(64);
        self.epoch = 1;
        self.places = vec![(0, 0); size];
        for node in 0..self.nodes.len() {
            let place = self.place(self.nodes[node].state);
            self.places[place] = (self.epoch, node as u32);
        }
    }

    /// Takes note of an edge.
    pub(crate) fn add_edge(&mut self, from: u32, to: u32, cost: Cost) {
        let edge = self.edges.len() as u32;
        let end = self.node(to);
        let next = std::mem::replace(&mut end.first_edge, edge);
        self.edges.push(LocalEdge { from, cost, next });
    }

    /// The first of the edges that lead to a node: where it begins, what it costs, and which one is next.
    pub(crate) fn first_edge(&self, node: u32) -> Option<(u32, Cost, u32)> {
        self.edge(self.nodes[node as usize].first_edge)
    }

    /// An edge of such a list.
    pub(crate) fn edge(&self, edge: u32) -> Option<(u32, Cost, u32)> {
        self.edges.get(edge as usize).map(|edge| (edge.from, edge.cost, edge.next))
    }

    /// Whether a node is in the heap.
    pub(crate) fn is_open(&self, node: u32) -> bool {
        self.nodes[node as usize].heap_place != NONE
    }

    /// Puts a node into the heap, or moves it to where its new key belongs.
    pub(crate) fn open(&mut self, node: u32, key: (Cost, Cost)) {
        self.node(node).key = key;
        let mut place = self.nodes[node as usize].heap_place;
        if place == NONE {
            place = self.heap.len() as u32;
            self.heap.push(node);
        }
        let place = self.sift_up(place as usize, node);
        self.sift_down(place, node);
    }

    /// The open node with the least key.
    pub(crate) fn first_open(&self) -> Option<u32> {
        self.heap.first().copied()
    }

    /// Takes the open node with the least key out.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let first = self.first_open()?;
        let last = self.heap.pop()?;
        if last != first {
            self.sift_down(0, last);
        }
        self.node(first).heap_place = NONE;
        Some(first)
    }

    /// How many nodes are open.
    pub(crate) fn open_count(&self) -> u64 {
        self.heap.len() as u64
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<LocalNode>()
            + self.edges.capacity() * size_of::<LocalEdge>()
            + self.heap.capacity() * size_of::<u32>()
            + self.places.capacity() * size_of::<(u32, u32)>()
    }

    fn rank(&self, node: u32) -> ((Cost, Cost), u32) {
        (self.nodes[node as usize].key, node)
    }

    fn put(&mut self, place: usize, node: u32) {
        self.heap[place] = node;
        self.node(node).heap_place = place as u32;
    }

    fn sift_up(&mut self, mut place: usize, node: u32) -> usize {
        while place > 0 {
            let above = self.heap[(place - 1) / 2];
            if self.rank(above) <= self.rank(node) {
                break;
            }
            self.put(place, above);
            place = (place - 1) / 2;
        }
        self.put(place, node);
        place
    }

    fn sift_down(&mut self, mut place: usize, node: u32) {
        loop {
            let children = 2 * place + 1..(2 * place + 3).min(self.heap.len());
            let Some(least) = children.min_by_key(|&child| self.rank(self.heap[child])) else { break };
            if self.rank(node) <= self.rank(self.heap[least]) {
                break;
            }
            self.put(place, self.heap[least]);
            place = least;
        }
        self.put(place, node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    #[test]
    fn nodes_come_out_by_their_last_keys_and_states_keep_their_nodes() {
        let mut rng = Rng::new(92);
        let mut local = Local::default();
        for _ in 0..200 {
            local.clear();
            let mut keys = Vec::new();
            for _ in 0..rng.below(300) {
                let state = StateId::new(rng.below(80) * 1000);
                let (node, is_new) = local.add(state);
                let key = (Cost::new(rng.below(20).into()), Cost::new(rng.below(3).into()));
                assert_eq!(is_new, node as usize == keys.len());
                if is_new {
                    keys.push(key);
                } else {
                    keys[node as usize] = key;
                }
                assert_eq!(local.nodes()[node as usize].state, state);
                local.open(node, key);
            }
            let mut expected: Vec<_> = keys.into_iter().zip(0..).collect();
            expected.sort_unstable();
            for (_, node) in expected {
                assert_eq!(local.pop(), Some(node));
            }
            assert_eq!(local.pop(), None);
        }
    }

    #[test]
    fn edges_are_found_from_their_ends() {
        let mut local = Local::default();
        local.clear();
        for state in 0..3 {
            local.add(StateId::new(state));
        }
        for (from, to) in [(0, 2), (1, 2), (2, 0)] {
            local.add_edge(from, to, Cost::new(u64::from(10 * from + to)));
        }
        let (from, cost, next) = local.first_edge(2).expect("two edges");
        assert_eq!((from, cost), (1, Cost::new(12)));
        let (from, cost, next) = local.edge(next).expect("another");
        assert_eq!((from, cost, local.edge(next)), (0, Cost::new(2), None));
        assert_eq!(local.first_edge(1), None);
    }
}
