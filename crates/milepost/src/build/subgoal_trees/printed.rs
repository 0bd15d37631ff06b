//! Algorithm 2 as it is printed.

use super::terrain::Terrain;
use super::tree::{NO_STATE, Tree, TreeMaker};
use crate::space::Estimates;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Room to make trees as printed.
pub(super) struct PrintedTrees {
    tree: Tree,
    g_sub: Vec<u64>,
    parent: Vec<u32>,
    is_closed: Vec<bool>,
    /// Ordered by g, then by the numbers of states. What should have been removed (l. 21) is known to be closed.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// By state of the tree, the one that comes next.
    next: Vec<u32>,
}

impl PrintedTrees {
    pub(super) fn new<E: Estimates>(terrain: &Terrain<E>) -> PrintedTrees {
        let states = terrain.states();
        PrintedTrees {
            tree: Tree::new(states),
            g_sub: vec![0; states],
            parent: vec![NO_STATE; states],
            is_closed: vec![false; states],
            open: BinaryHeap::new(),
            next: vec![NO_STATE; states],
        }
    }
}

impl<E: Estimates> TreeMaker<E> for PrintedTrees {
    fn forget(&mut self) {}

    fn make(&mut self, terrain: &Terrain<E>, goal: u32) -> &Tree {
        let PrintedTrees { tree, g_sub, parent, is_closed, open, next } = self;
        // Alg. 2, l. 1-6.
        tree.goal = goal;
        for subgoal in tree.subgoals.drain(..) {
            tree.is_subgoal[subgoal as usize] = false;
        }
        tree.g.fill(u64::MAX);
        tree.sub.fill(NO_STATE);
        is_closed.fill(false);
        (tree.sub[goal as usize], tree.g[goal as usize]) = (goal, 0);
        g_sub[goal as usize] = 0;
        open.push(Reverse((0, goal)));
        // L. 7-8.
        while let Some(Reverse((_, s))) = open.pop() {
            if std::mem::replace(&mut is_closed[s as usize], true) {
                continue;
            }
            // L. 9-11: the cost of the step is what g has grown by.
            if s != goal {
                let from = parent[s as usize] as usize;
                tree.sub[s as usize] = tree.sub[from];
                g_sub[s as usize] = g_sub[from] + (tree.g[s as usize] - tree.g[from]);
            }
            // L. 12-16.
            for &arc in terrain.arcs_back(s) {
                let (child, cost) = (arc.to, terrain.cost(arc));
                if tree.g[child as usize] <= tree.g[s as usize] + cost {
                    continue;
                }
                tree.g[child as usize] = tree.g[s as usize] + cost;
                parent[child as usize] = s;
                let g_sub_child = g_sub[s as usize] + cost;
                // L. 17-20. A state that is its own subgoal already stays so.
                let sub = tree.sub[s as usize];
                if sub != s && g_sub_child != terrain.estimates.between(child, sub) {
                    g_sub[s as usize] = 0;
                    next[s as usize] = sub;
                    tree.push(s);
                    tree.sub[s as usize] = s;
                }
                // L. 21-22.
                open.push(Reverse((tree.g[child as usize], child)));
            }
        }
        // What a state of the tree heads for itself is the one that comes next.
        for &subgoal in &tree.subgoals {
            tree.sub[subgoal as usize] = next[subgoal as usize];
        }
        &*tree
    }
}
