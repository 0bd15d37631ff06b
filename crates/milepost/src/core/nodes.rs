//! Where a search keeps what it knows of states.

use super::StateId;
use super::radix_map::{LastLeaf, RadixMap};
use super::zeroed::zeroed;
use zerocopy::FromZeros;

/// What a search knows of one state.
#[derive(Clone, Copy, Debug, Default, FromZeros)]
pub struct Node {
    pub(super) g: u64,
    pub(super) parent: u32,
    /// `2 * epoch + closed`: a node of another epoch is untouched.
    pub(super) stamp: u32,
}

/// A node for each state. Those that were never touched are [`Node::default`].
pub trait Nodes: Default {
    /// Makes room for ids below this. All nodes may be untouched then.
    fn prepare(&mut self, id_bound: usize);

    /// The node of a state.
    fn node(&mut self, state: StateId) -> &mut Node;

    /// The node of a state, if there is one.
    fn peek(&self, state: StateId) -> Option<Node>;

    /// A new query begins: nodes of the old one will not be asked for. O(1).
    fn next_query(&mut self);

    /// All nodes are untouched.
    fn wipe(&mut self);

    /// Memory held.
    fn bytes(&self) -> usize;
}

/// A node for every id: the fastest, for searches that are lent to many. They lie in [zeroed] memory, so that a first
/// query touches no more of it than later ones do.
#[derive(Clone, Debug, Default)]
pub struct DenseNodes(pub(super) Vec<Node>);

/// A node of no query, with a bit set: zeros might be left to the system.
const UNTOUCHED: Node = Node { g: 0, parent: StateId::NONE.number(), stamp: 0 };

impl DenseNodes {
    /// Makes room for ids below this, and writes to all of it: the system has nothing left to do for later queries. All nodes
    /// are untouched then.
    pub(super) fn warm(&mut self, id_bound: usize) {
        let bound = id_bound.max(self.0.len());
        self.0.clear();
        self.0.resize(bound, UNTOUCHED);
    }
}

impl Nodes for DenseNodes {
    fn prepare(&mut self, id_bound: usize) {
        if self.0.len() < id_bound {
            self.0 = zeroed(id_bound);
        }
    }

    #[inline(always)]
    fn node(&mut self, state: StateId) -> &mut Node {
        &mut self.0[state.index()]
    }

    #[inline]
    fn peek(&self, state: StateId) -> Option<Node> {
        self.0.get(state.index()).copied()
    }

    fn next_query(&mut self) {}

    fn wipe(&mut self) {
        self.0 = zeroed(self.0.len());
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Node>()
    }
}

/// Nodes of the states that were touched alone: for searches that an agent keeps.
#[derive(Clone, Debug, Default)]
pub struct PagedNodes {
    pub(super) map: RadixMap<Node>,
    /// Leaves that were asked for lately: the rows of a grid around a state lie in different ones.
    recent: [LastLeaf; RECENT],
}

const RECENT: usize = 8;

/// Where the leaf of a state is remembered: by a hash, since rows of a grid may lie a multiple of so many leaves apart.
#[inline]
fn place_of_leaf(state: StateId) -> usize {
    (state.number() >> 6).wrapping_mul(0x9e37_79b1) as usize >> 29 & (RECENT - 1)
}

impl Nodes for PagedNodes {
    fn prepare(&mut self, _: usize) {}

    #[inline]
    fn node(&mut self, state: StateId) -> &mut Node {
        let key = u64::from(state.number());
        let recent = &self.recent[place_of_leaf(state)];
        let leaf = recent.get(key).unwrap_or_else(|| {
            let leaf = self.map.leaf_of(key);
            recent.set(key, leaf);
            leaf
        });
        self.map.entry_in(leaf, key)
    }

    #[inline]
    fn peek(&self, state: StateId) -> Option<Node> {
        self.map.get(state.number().into())
    }

    fn next_query(&mut self) {
        self.map.forget();
        self.recent = Default::default();
    }

    fn wipe(&mut self) {
        self.next_query();
    }

    fn bytes(&self) -> usize {
        self.map.bytes()
    }
}
