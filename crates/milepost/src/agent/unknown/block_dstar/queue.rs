//! The open list of the search: first come the components with the least keys, and of equal ones those that came last.
//!
//! A tree with 64 branches at every node, each with a word that says which of them hold anything. Five levels hold all
//! keys, so that finding, inserting and removing take five words each, however many components are open: a heap would take
//! more and more of them.

use super::arena::Arena;
use super::blocks::{Component, ComponentId, Components};

/// Digits of a key, six bits each.
const LEVELS: u32 = 5;

/// All keys are below this.
pub(super) const KEY_BOUND: u32 = 1 << (6 * LEVELS);

/// In place of the entry of components that are not in the list.
pub(super) const NO_ENTRY: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Branches with something in them.
    used: u64,
    /// Nodes of the next level; of the last one the first entries of lists.
    branches: [u32; 64],
}

/// A component in the list. Components know their entries; few of them have one at a time.
#[derive(Clone, Copy, Debug)]
struct Entry {
    component: ComponentId,
    key: u32,
    /// The entries of its key around it; of those that are free the next one.
    before: u32,
    after: u32,
}

/// Components by their keys.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    nodes: Arena<Node, 4>,
    entries: Arena<Entry, 32>,
    /// The first of the free entries.
    vacant: u32,
    /// The first of the free nodes, each with the next one as its first branch.
    unused: u32,
    len: u32,
}

const ROOT: u32 = 0;
const NONE: u32 = u32::MAX;

impl Queue {
    pub(super) fn new() -> Queue {
        Queue { nodes: Arena::new(), entries: Arena::new(), vacant: NONE, unused: NONE, len: 0 }
    }

    /// The component that comes first, with its key.
    #[inline]
    pub(super) fn first(&self) -> Option<(ComponentId, u32)> {
        if self.len == 0 {
            return None;
        }
        let mut node = ROOT;
        for _ in 0..LEVELS {
            let Node { used, branches } = self.nodes.at(node);
            node = branches[used.trailing_zeros() as usize & 63];
        }
        let Entry { component, key, .. } = *self.entries.at(node);
        Some((component, key))
    }

    /// The key of a component, if it is in the list.
    #[inline]
    pub(super) fn key_of(&self, component: &Component) -> Option<u32> {
        component.is_open().then(|| self.entries.at(component.entry).key)
    }

    /// Puts a component that is not in the list there, before all others of its key.
    pub(super) fn insert(&mut self, components: &mut Components, component: ComponentId, key: u32) {
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
        let after = if leaf.used >> digit & 1 == 1 { leaf.branches[digit] } else { NONE };
        leaf.used |= 1 << digit;
        let entry = Entry { component, key, before: NONE, after };
        let number = match self.vacant {
            NONE => self.entries.push(entry),
            vacant => {
                self.vacant = self.entries.at(vacant).after;
                *self.entries.at_mut(vacant) = entry;
                vacant
            }
        };
        self.nodes.at_mut(node).branches[digit] = number;
        if after != NONE {
            self.entries.at_mut(after).before = number;
        }
        components[component].entry = number;
        self.len += 1;
    }

    /// Takes a component out that is in the list.
    pub(super) fn remove(&mut self, components: &mut Components, component: ComponentId) {
        let number = std::mem::replace(&mut components[component].entry, NO_ENTRY);
        let Entry { key, before, after, .. } = *self.entries.at(number);
        self.entries.at_mut(number).after = std::mem::replace(&mut self.vacant, number);
        self.len -= 1;
        if after != NONE {
            self.entries.at_mut(after).before = before;
        }
        if before != NONE {
            self.entries.at_mut(before).after = after;
            return;
        }
        let mut branch = [ROOT; LEVELS as usize];
        for level in (1..LEVELS).rev() {
            let node = branch[level as usize];
            branch[level as usize - 1] = self.nodes.at(node).branches[digit(key, level)];
        }
        if after != NONE {
            self.nodes.at_mut(branch[0]).branches[digit(key, 0)] = after;
            return;
        }
        for level in 0..LEVELS {
            let node = branch[level as usize];
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

    /// What opening so many more components allocates at most.
    pub(super) fn page_bytes(&self, components: usize) -> usize {
        self.nodes.page_bytes(components * LEVELS as usize) + self.entries.page_bytes(components)
    }

    /// Memory held, without the list itself.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.entries.bytes()
    }

    /// Everything in the list, the first one first.
    pub(super) fn in_order(&self) -> Vec<(ComponentId, u32)> {
        let mut order = Vec::with_capacity(self.len as usize);
        if self.len == 0 {
            return order;
        }
        // Nodes and lists still to be told, the next one last.
        let mut open = vec![(ROOT, LEVELS)];
        while let Some((branch, level)) = open.pop() {
            if level == 0 {
                let mut number = branch;
                while number != NONE {
                    let Entry { component, key, after, .. } = *self.entries.at(number);
                    order.push((component, key));
                    number = after;
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
