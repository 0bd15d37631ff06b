//! Algorithm 2 as it is printed: the flood, lines 1 to 8 and 22. What it decides is in `plan/parts/subgoaling.rs`.

use super::terrain::Terrain;
use super::tree::{NO_STATE, Tree, TreeMaker};
use crate::plan::parts::subgoaling::{Labels, generate, settle};
use crate::space::Estimates;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Room to make trees as printed.
pub(super) struct PrintedTrees {
    flood: PrintedFlood,
    is_closed: Vec<bool>,
}

/// What is known of states while a tree is made.
struct PrintedFlood {
    tree: Tree,
    parent: Vec<u32>,
    /// The ids of states, in the order of their numbers.
    ids: Vec<u32>,
    /// Ordered by g, then by the ids of states. What should have been removed (l. 21) is known to be closed.
    open: BinaryHeap<Reverse<(u64, u32, u32)>>,
    /// By state of the tree, the one that comes next.
    next: Vec<u32>,
}

impl PrintedTrees {
    pub(super) fn new<E: Estimates>(terrain: &Terrain<E>) -> PrintedTrees {
        let states = terrain.states();
        let flood = PrintedFlood {
            tree: Tree::new(states),
            parent: vec![NO_STATE; states],
            ids: terrain.ids().to_vec(),
            open: BinaryHeap::new(),
            next: vec![NO_STATE; states],
        };
        PrintedTrees { flood, is_closed: vec![false; states] }
    }
}

impl Labels for PrintedFlood {
    type State = u32;

    #[inline(always)]
    fn g(&self, state: u32) -> u64 {
        self.tree.g[state as usize]
    }

    #[inline(always)]
    fn sub(&self, state: u32) -> u32 {
        self.tree.sub[state as usize]
    }

    #[inline(always)]
    fn set_sub(&mut self, state: u32, sub: u32) {
        self.tree.sub[state as usize] = sub;
    }

    fn push(&mut self, state: u32) {
        self.next[state as usize] = self.tree.sub[state as usize];
        self.tree.push(state);
        self.tree.sub[state as usize] = state;
    }

    #[inline(always)]
    fn reach(&mut self, state: u32, g: u64, parent: u32) -> bool {
        let known = &mut self.tree.g[state as usize];
        let is_better = g < *known;
        if is_better {
            *known = g;
            self.parent[state as usize] = parent;
            self.open.push(Reverse((g, self.ids[state as usize], state)));
        }
        is_better
    }
}

impl<E: Estimates> TreeMaker<E> for PrintedTrees {
    fn forget(&mut self) {}

    fn make(&mut self, terrain: &Terrain<E>, goal: u32) -> &Tree {
        let PrintedTrees { flood, is_closed } = self;
        // Alg. 2, l. 1-6.
        let tree = &mut flood.tree;
        tree.goal = goal;
        for subgoal in tree.subgoals.drain(..) {
            tree.is_subgoal[subgoal as usize] = false;
        }
        tree.g.fill(u64::MAX);
        tree.sub.fill(NO_STATE);
        is_closed.fill(false);
        flood.reach(goal, 0, NO_STATE);
        // L. 7-8.
        while let Some(Reverse((_, _, s))) = flood.open.pop() {
            if std::mem::replace(&mut is_closed[s as usize], true) {
                continue;
            }
            // L. 9-22.
            let parent = flood.parent[s as usize];
            settle(flood, s, (s != goal).then_some(parent));
            for &arc in terrain.arcs_back(s) {
                let child = (arc.to, terrain.cost(arc));
                generate(flood, s, child, |sub| terrain.estimates.between(arc.to, sub));
            }
        }
        // What a state of the tree heads for itself is the one that comes next.
        let PrintedFlood { tree, next, .. } = flood;
        for &subgoal in &tree.subgoals {
            tree.sub[subgoal as usize] = next[subgoal as usize];
        }
        &*tree
    }
}
