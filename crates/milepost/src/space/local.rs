//! A small part of a space, explored within one step: for agents that look a little way ahead.
//!
//! Its size is what was explored, not that of the map. Nodes are numbered in the order in which they were seen; the open
//! ones stand in a heap whose entries can be moved, so that no entry is ever stale and what is taken out is what is
//! expanded. Edges are kept, so that values can be carried back against them.

use super::{Window, WindowCell};
use crate::core::{Cost, EpochMap, StateId};

/// No node, edge or place.
const NONE: u32 = u32::MAX;

/// Children of a place of the heap.
const CHILDREN: usize = 4;

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
    /// For callers that ask of each node once whether they may end there.
    pub(crate) is_asked: bool,
    /// Where it lies in the window, if it is a cell there.
    pub(crate) cell: WindowCell,
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

/// An open node, and what the heap sorts by.
#[derive(Clone, Copy, Debug)]
struct Open {
    key: (Cost, Cost),
    node: u32,
}

impl Open {
    /// The least key comes first, then the node seen first. No branch, which the processor could not foresee. (Keys
    /// of two costs that are both the greatest there is are no way's.)
    #[inline]
    fn precedes(&self, other: &Open) -> bool {
        let joined = |(f, h): (Cost, Cost)| u128::from(f.units()) << 64 | u128::from(h.units());
        joined(self.key) < joined(other.key).wrapping_add((self.node < other.node).into())
    }
}

/// Nodes, edges and a heap of nodes. After warm-up nothing is allocated, and starting anew takes O(1).
#[derive(Clone, Debug, Default)]
pub(crate) struct Local {
    nodes: Vec<LocalNode>,
    edges: Vec<LocalEdge>,
    heap: Vec<Open>,
    /// What was in the first place of the heap was taken out, and nothing has come there yet.
    has_gap: bool,
    /// What is to come there: the first of the nodes that were opened since, which is most often the first of all. Its
    /// place is 0 already.
    pending_root: Option<Open>,
    /// The nodes of states.
    numbers: EpochMap<u32, u32>,
    /// For callers that list nodes, and empty it themselves.
    pub(crate) list: Vec<u32>,
    /// For callers that find nodes by where they lie, and empty it themselves.
    pub(crate) window: Window,
}

impl Local {
    /// Forgets everything but the window.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.heap.clear();
        (self.has_gap, self.pending_root) = (false, None);
        self.numbers.clear();
    }

    pub(crate) fn nodes(&self) -> &[LocalNode] {
        &self.nodes
    }

    pub(crate) fn node(&mut self, node: u32) -> &mut LocalNode {
        &mut self.nodes[node as usize]
    }

    /// The node of a state, and whether it was not there before.
    #[inline]
    pub(crate) fn add(&mut self, state: StateId) -> (u32, bool) {
        match self.numbers.get_or_set(state.number(), self.nodes.len() as u32) {
            Some(node) => (node, false),
            None => (self.push_node(state, Cost::ZERO, WindowCell::NOWHERE), true),
        }
    }

    /// A new node of a state that the caller finds by the window; such nodes and those of [`Local::add`] are not
    /// mixed.
    #[inline]
    pub(crate) fn push_node(&mut self, state: StateId, h: Cost, cell: WindowCell) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(LocalNode {
            state,
            g: Cost::MAX,
            h,
            parent: NONE,
            is_closed: false,
            is_asked: false,
            cell,
            heap_place: NONE,
            first_edge: NONE,
        });
        node
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
    #[inline]
    pub(crate) fn open(&mut self, node: u32, key: (Cost, Cost)) {
        let entry = Open { key, node };
        if self.is_open(node) {
            self.move_to(entry);
        } else if self.has_gap {
            self.offer_pending_root(entry);
        } else {
            self.push(entry);
        }
    }

    /// The open node with the least key.
    #[inline]
    pub(crate) fn first_open(&mut self) -> Option<u32> {
        self.close_gap();
        self.heap.first().map(|first| first.node)
    }

    /// Lists the open nodes whose f is that of the [first one](Local::first_open), asked for just before.
    pub(crate) fn list_first_ones(&self, list: &mut Vec<u32>) {
        list.clear();
        let Some(f) = self.heap.first().map(|first| first.key.0) else { return };
        // Places of the heap at first: what is below a higher f is higher too.
        list.push(0);
        let mut looked = 0;
        while let Some(&place) = list.get(looked) {
            let below = CHILDREN * place as usize + 1;
            for place in below..self.heap.len().min(below + CHILDREN) {
                if self.heap[place].key.0 == f {
                    list.push(place as u32);
                }
            }
            looked += 1;
        }
        list.iter_mut().for_each(|place| *place = self.heap[*place as usize].node);
    }

    /// Takes the open node with the least key out.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let first = self.first_open()?;
        self.has_gap = true;
        self.node(first).heap_place = NONE;
        Some(first)
    }

    /// As [`Local::open`] after the last [`Local::pop`] before everything is forgotten: nodes are not sorted any more, but for
    /// the one with the least key, which [`Local::first_after_last_pop`] tells.
    #[inline]
    pub(crate) fn open_after_last_pop(&mut self, node: u32, key: (Cost, Cost)) {
        let entry = Open { key, node };
        if self.pending_root.is_none_or(|held| entry.precedes(&held)) {
            self.pending_root = Some(entry);
        }
    }

    /// The open node with the least key, after the last pop.
    pub(crate) fn first_after_last_pop(&self) -> Option<u32> {
        let first = self.least_child(0).map(|place| self.heap[place]);
        let held = self.pending_root.filter(|held| first.is_none_or(|first| held.precedes(&first)));
        held.or(first).map(|first| first.node)
    }

    /// How many nodes are open.
    pub(crate) fn open_count(&self) -> u64 {
        (self.heap.len() + usize::from(self.pending_root.is_some()) - usize::from(self.has_gap)) as u64
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<LocalNode>()
            + self.edges.capacity() * size_of::<LocalEdge>()
            + self.heap.capacity() * size_of::<Open>()
            + self.numbers.bytes()
            + self.list.capacity() * size_of::<u32>()
            + self.window.bytes()
    }

    #[inline]
    fn close_gap(&mut self) {
        if !std::mem::take(&mut self.has_gap) {
            return;
        }
        let last = self.pending_root.take().or_else(|| self.heap.pop().filter(|_| !self.heap.is_empty()));
        if let Some(entry) = last {
            self.sift_down(0, entry);
        }
    }

    /// Keeps the first of the nodes that were opened out of the heap, to be its root.
    #[inline]
    fn offer_pending_root(&mut self, entry: Open) {
        let (first, other) = match self.pending_root {
            Some(held) if held.precedes(&entry) => (held, Some(entry)),
            held => (entry, held),
        };
        self.pending_root = Some(first);
        self.nodes[first.node as usize].heap_place = 0;
        if let Some(other) = other {
            self.push(other);
        }
    }

    #[inline]
    fn push(&mut self, entry: Open) {
        self.heap.push(entry);
        self.sift_up(self.heap.len() - 1, entry);
    }

    /// Moves an open node to where its new key belongs.
    fn move_to(&mut self, entry: Open) {
        let place = self.nodes[entry.node as usize].heap_place as usize;
        if self.has_gap && place == 0 {
            self.pending_root = Some(entry);
        } else if self.heap[place].precedes(&entry) {
            self.sift_down(place, entry);
        } else {
            self.sift_up(place, entry);
        }
    }

    #[inline]
    fn put(&mut self, place: usize, entry: Open) {
        self.heap[place] = entry;
        self.nodes[entry.node as usize].heap_place = place as u32;
    }

    #[inline]
    fn sift_up(&mut self, mut place: usize, entry: Open) {
        // What is below a gap goes no higher.
        let highest = if self.has_gap { CHILDREN } else { 0 };
        while place > highest {
            let above = (place - 1) / CHILDREN;
            if self.heap[above].precedes(&entry) {
                break;
            }
            self.put(place, self.heap[above]);
            place = above;
        }
        self.put(place, entry);
    }

    fn sift_down(&mut self, mut place: usize, entry: Open) {
        while let Some(least) = self.least_child(place) {
            if entry.precedes(&self.heap[least]) {
                break;
            }
            self.put(place, self.heap[least]);
            place = least;
        }
        self.put(place, entry);
    }

    /// The place below another one that comes first.
    #[inline]
    fn least_child(&self, place: usize) -> Option<usize> {
        let first = CHILDREN * place + 1;
        let least = |one: usize, other: usize, children: &[Open]| {
            one + (other - one) * usize::from(children[other].precedes(&children[one]))
        };
        match self.heap.get(first..first + CHILDREN) {
            Some(children) => Some(first + least(least(0, 1, children), least(2, 3, children), children)),
            None => {
                let children = self.heap.get(first..).filter(|children| !children.is_empty())?;
                Some(first + (1..children.len()).fold(0, |best, child| least(best, child, children)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use std::collections::BTreeMap;

    #[test]
    fn nodes_come_out_by_their_last_keys_and_states_keep_their_nodes() {
        let mut rng = Rng::new(92);
        let mut local = Local::default();
        for round in 0..300 {
            local.clear();
            // All nodes, and the keys of those that are open.
            let (mut nodes, mut open) = (Vec::new(), BTreeMap::new());
            for _ in 0..rng.below(300) {
                // Now and then some are taken out, so that others come in where these were.
                for _ in 0..rng.below(round % 4 + 1) {
                    let first = open.iter().map(|(node, key)| (*key, *node)).min().map(|(_, node)| node);
                    assert_eq!(local.first_open(), first);
                    assert_eq!(local.pop(), first);
                    first.map(|node| open.remove(&node));
                }
                let state = StateId::new(rng.below(80) * 1000);
                let (node, is_new) = local.add(state);
                assert_eq!(is_new, node as usize == nodes.len());
                if is_new {
                    nodes.push(state);
                }
                assert_eq!((nodes[node as usize], local.nodes()[node as usize].state), (state, state));
                assert_eq!(local.is_open(node), open.contains_key(&node));
                let key = (Cost::new(rng.below(20).into()), Cost::new(rng.below(3).into()));
                local.open(node, key);
                open.insert(node, key);
                assert_eq!(local.open_count(), open.len() as u64);
            }
            let mut last = local.clone();
            let mut expected: Vec<_> = open.iter().map(|(node, key)| (*key, *node)).collect();
            expected.sort_unstable();
            for (_, node) in expected {
                assert_eq!(local.pop(), Some(node));
            }
            assert_eq!((local.pop(), local.open_count()), (None, 0));
            // The same after a last node was taken out and others were opened, or moved forward.
            last.pop().map(|node| open.remove(&node));
            for _ in 0..rng.below(6) {
                let (node, _) = last.add(StateId::new(rng.below(80) * 1000));
                let key = (Cost::new(rng.below(20).into()), Cost::new(rng.below(3).into()));
                if last.has_gap && open.get(&node).is_none_or(|before| key < *before) {
                    last.open_after_last_pop(node, key);
                    open.insert(node, key);
                }
            }
            let first = open.iter().map(|(node, key)| (*key, *node)).min().map(|(_, node)| node);
            assert!(!last.has_gap || last.first_after_last_pop() == first);
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
