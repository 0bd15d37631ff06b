//! What changes from one goal's tree to the next one's.

use super::terrain::Terrain;
use super::tree::{NO_STATE, Tree};
use crate::index::subgoal_trees::BLOCK;
use crate::space::Estimates;

/// What comes after a subgoal for a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    NotThere,
    /// The goal; whether it is as far away as estimated.
    Goal(bool),
    /// Another subgoal, and by how much it is farther away than estimated.
    Subgoal(u32, u64),
}

/// A symbol that holds from a goal on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) subgoal: u32,
    pub(super) goal: u32,
    pub(super) symbol: Symbol,
}

/// Trees of goals that follow each other.
#[derive(Debug)]
pub(super) struct Shared {
    /// The first goal.
    pub(super) begin: u32,
    /// In the order of goals.
    pub(super) changes: Vec<Change>,
    /// For every [`BLOCK`] states, the subgoals that come first from one of them.
    pub(super) lists: Vec<Vec<u32>>,
    /// States of all trees, of the smallest and of the largest one.
    pub(super) total: u64,
    pub(super) least: u32,
    pub(super) most: u32,
}

/// Takes in one tree after another.
pub(super) struct Sharing {
    shared: Shared,
    /// Symbols of the tree before, by state.
    symbols: Vec<Symbol>,
    /// The states that have one.
    there: Vec<u32>,
    /// The subgoal that each state headed for in the tree before, if it was not the goal.
    headed_for: Vec<u32>,
    /// Whether a symbol that still leads along a shortest path may stay, although the tree says otherwise or nothing.
    is_exact: bool,
}

impl Sharing {
    pub(super) fn new(states: usize, begin: u32, is_exact: bool) -> Sharing {
        let lists = vec![Vec::new(); states.div_ceil(BLOCK as usize)];
        Sharing {
            shared: Shared { begin, changes: Vec::new(), lists, total: 0, least: u32::MAX, most: 0 },
            symbols: vec![Symbol::NotThere; states],
            there: Vec::new(),
            headed_for: vec![NO_STATE; states],
            is_exact,
        }
    }

    pub(super) fn finish(self) -> Shared {
        self.shared
    }

    pub(super) fn add<E: Estimates>(&mut self, terrain: &Terrain<E>, tree: &Tree) {
        let size = tree.subgoals.len() as u32;
        let shared = &mut self.shared;
        shared.total += u64::from(size);
        (shared.least, shared.most) = (shared.least.min(size), shared.most.max(size));
        self.list(tree);
        self.change(terrain, tree);
    }

    /// Takes note of the subgoals that come first.
    fn list(&mut self, tree: &Tree) {
        let states = self.headed_for.iter_mut().zip(&tree.sub).zip(&tree.g);
        for (state, ((before, &subgoal), &g)) in states.enumerate() {
            if *before == subgoal {
                continue;
            }
            let is_listed = subgoal != tree.goal && g != u64::MAX;
            *before = if is_listed { subgoal } else { NO_STATE };
            let list = &mut self.shared.lists[state / BLOCK as usize];
            if is_listed && !list.contains(&subgoal) {
                list.push(subgoal);
            }
        }
    }

    fn change<E: Estimates>(&mut self, terrain: &Terrain<E>, tree: &Tree) {
        let is_new = |subgoal: &&u32| self.symbols[**subgoal as usize] == Symbol::NotThere;
        let new = tree.subgoals.iter().filter(is_new).copied().collect::<Vec<u32>>();
        self.there.extend(new);
        // What comes next is looked at before.
        self.there.sort_unstable_by_key(|&subgoal| (tree.g[subgoal as usize], subgoal));
        for index in 0..self.there.len() {
            let subgoal = self.there[index];
            let before = self.symbols[subgoal as usize];
            let symbol = if !self.is_exact && self.holds(terrain, tree, subgoal, before) {
                before
            } else if tree.is_subgoal[subgoal as usize] {
                symbol_of(terrain, tree, subgoal, tree.sub[subgoal as usize])
            } else {
                Symbol::NotThere
            };
            if symbol != before {
                self.shared.changes.push(Change { subgoal, goal: tree.goal, symbol });
                self.symbols[subgoal as usize] = symbol;
            }
        }
        let symbols = &self.symbols;
        self.there.retain(|&subgoal| symbols[subgoal as usize] != Symbol::NotThere);
    }

    /// Whether a symbol is right for this goal too.
    fn holds<E: Estimates>(&self, terrain: &Terrain<E>, tree: &Tree, subgoal: u32, symbol: Symbol) -> bool {
        let to = match symbol {
            Symbol::NotThere => return false,
            Symbol::Goal(_) => tree.goal,
            Symbol::Subgoal(to, _) => to,
        };
        let is_there = to == tree.goal || self.symbols[to as usize] != Symbol::NotThere;
        let (left, behind) = (tree.g[subgoal as usize], tree.g[to as usize]);
        is_there
            && subgoal != to
            && left != u64::MAX
            && behind < left
            && (tree.sub[subgoal as usize] == to || tree.is_walk(terrain, subgoal, to))
            && symbol_of(terrain, tree, subgoal, to) == symbol
    }
}

fn symbol_of<E: Estimates>(terrain: &Terrain<E>, tree: &Tree, subgoal: u32, to: u32) -> Symbol {
    let cost = tree.g[subgoal as usize] - tree.g[to as usize];
    // Estimates of graphs are rounded; what exceeds the cost by a hair counts as equal.
    let surplus = cost.saturating_sub(terrain.estimates.between(subgoal, to));
    if to == tree.goal { Symbol::Goal(surplus == 0) } else { Symbol::Subgoal(to, surplus) }
}
