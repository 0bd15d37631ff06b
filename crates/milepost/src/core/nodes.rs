//! Where a search keeps what it knows of states.

use super::{RadixMap, StateId};

/// What a search knows of one state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    pub(super) g: u64,
    pub(super) parent: u32,
    /// `2 * epoch + closed`: a node of another epoch is untouched.
    pub(super) stamp: u32,
}

/// A node for each state. Those that were never touched are [`Node::default`].
pub trait Nodes: Default {
    /// Makes room for ids below this.
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

/// A node for every id: the fastest, for searches that are lent to many.
#[derive(Clone, Debug, Default)]
pub struct DenseNodes(pub(super) Vec<Node>);

impl Nodes for DenseNodes {
    fn prepare(&mut self, id_bound: usize) {
        if self.0.len() < id_bound {
            self.0.resize(id_bound, Node::default());
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
        self.0.fill(Node::default());
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Node>()
    }
}

/// Nodes of the states that were touched alone: for searches that an agent keeps.
#[derive(Clone, Debug, Default)]
pub struct PagedNodes(pub(super) RadixMap<Node>);

impl Nodes for PagedNodes {
    fn prepare(&mut self, _: usize) {}

    #[inline]
    fn node(&mut self, state: StateId) -> &mut Node {
        self.0.entry(state.number().into())
    }

    #[inline]
    fn peek(&self, state: StateId) -> Option<Node> {
        self.0.get(state.number().into())
    }

    fn next_query(&mut self) {
        self.0.forget();
    }

    fn wipe(&mut self) {
        self.0.forget();
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
