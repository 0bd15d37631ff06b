//! The open list of the search: first come the pieces with the least keys, and of equal ones those that came last.
//!
//! A tree with 64 branches at every node, each with a word that says which of them hold anything. Five levels hold all
//! keys, so that finding, inserting and removing take five words each, however many pieces are open: a heap would take
//! more and more of them.

use super::arena::Arena;
use super::blocks::{PieceId, Pieces};

/// Digits of a key, six bits each.
const LEVELS: u32 = 5;

/// All keys are below this.
pub(super) const KEY_BOUND: u32 = 1 << (6 * LEVELS);

/// The key of pieces that are not in the list.
pub(super) const NO_KEY: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Branches with something in them.
    used: u64,
    /// Nodes of the next level; of the last one the first pieces of lists.
    branches: [u32; 64],
}

/// Pieces by their keys. What is in the list stands in the pieces: key, and the ones before and after it.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    nodes: Arena<Node, 8>,
    /// The first of the nodes that nobody uses, each with the next one as its first branch.
    unused: u32,
    len: u32,
}

const ROOT: u32 = 0;
const NONE: u32 = u32::MAX;

impl Queue {
    pub(super) fn new() -> Queue {
        Queue { nodes: Arena::new(), unused: NONE, len: 0 }
    }

    /// The piece that comes first.
    #[inline]
    pub(super) fn first(&self) -> Option<PieceId> {
        if self.len == 0 {
            return None;
        }
        let mut node = ROOT;
        for _ in 0..LEVELS {
            let Node { used, branches } = self.nodes.at(node);
            node = branches[used.trailing_zeros() as usize & 63];
        }
        Some(PieceId(node))
    }

    /// Puts a piece that is not in the list there, before all others of its key.
    pub(super) fn insert(&mut self, pieces: &mut Pieces, piece: PieceId, key: u32) {
        if self.nodes.len() == 0 {
            self.nodes.push(Node { used: 0, branches: [NONE; 64] });
        }
        let mut node = ROOT;
        for level in (1..LEVELS).rev() {
            let digit = digit(key, level);
            let here = self.nodes.at(node);
            if here.used >> digit & 1 == 1 {
                node = here.branches[digit];
                continue;
            }
            let new = self.new_node();
            let here = self.nodes.at_mut(node);
            here.used |= 1 << digit;
            here.branches[digit] = new;
            node = new;
        }
        let (leaf, digit) = (self.nodes.at_mut(node), digit(key, 0));
        let after = if leaf.used >> digit & 1 == 1 { PieceId(leaf.branches[digit]) } else { PieceId::NONE };
        leaf.used |= 1 << digit;
        leaf.branches[digit] = piece.0;
        if after != PieceId::NONE {
            pieces[after].before = piece;
        }
        let record = &mut pieces[piece];
        (record.key, record.before, record.after) = (key, PieceId::NONE, after);
        self.len += 1;
    }

    /// Takes a piece out that is in the list.
    pub(super) fn remove(&mut self, pieces: &mut Pieces, piece: PieceId) {
        let record = &mut pieces[piece];
        let (key, before, after) = (record.key, record.before, record.after);
        record.key = NO_KEY;
        self.len -= 1;
        if after != PieceId::NONE {
            pieces[after].before = before;
        }
        if before != PieceId::NONE {
            pieces[before].after = after;
            return;
        }
        let mut trail = [ROOT; LEVELS as usize];
        for level in (1..LEVELS).rev() {
            let node = trail[level as usize];
            trail[level as usize - 1] = self.nodes.at(node).branches[digit(key, level)];
        }
        if after != PieceId::NONE {
            self.nodes.at_mut(trail[0]).branches[digit(key, 0)] = after.0;
            return;
        }
        for level in 0..LEVELS {
            let node = trail[level as usize];
            let here = self.nodes.at_mut(node);
            here.used &= !(1 << digit(key, level));
            if here.used != 0 || node == ROOT {
                return;
            }
            here.branches[0] = self.unused;
            self.unused = node;
        }
    }

    fn new_node(&mut self) -> u32 {
        let unused = self.unused;
        if unused == NONE {
            return self.nodes.push(Node { used: 0, branches: [NONE; 64] });
        }
        self.unused = self.nodes.at(unused).branches[0];
        unused
    }

    /// Memory held, without the list itself.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.bytes()
    }

    /// Everything in the list, the first one first.
    pub(super) fn in_order(&self, pieces: &Pieces) -> Vec<PieceId> {
        let mut order = Vec::with_capacity(self.len as usize);
        if self.len == 0 {
            return order;
        }
        // Nodes and lists still to be told, the next one last.
        let mut open = vec![(ROOT, LEVELS)];
        while let Some((branch, level)) = open.pop() {
            if level == 0 {
                let mut piece = PieceId(branch);
                while piece != PieceId::NONE {
                    order.push(piece);
                    piece = pieces[piece].after;
                }
                continue;
            }
            let Node { used, branches } = self.nodes.at(branch);
            let held = (0..64).rev().filter(|digit| used >> digit & 1 == 1);
            open.extend(held.map(|digit| (branches[digit], level - 1)));
        }
        order
    }
}

#[inline]
const fn digit(key: u32, level: u32) -> usize {
    (key >> (6 * level)) as usize & 63
}
