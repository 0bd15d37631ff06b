//! The tree of one goal, and how it is made.

use super::terrain::Terrain;
use crate::space::Estimates;

/// No state.
pub(super) const NO_STATE: u32 = u32::MAX;

/// The tree of one goal.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) goal: u32,
    /// The cost from each state to the goal; `u64::MAX` where there is no path.
    pub(super) g: Vec<u64>,
    /// Sub: the subgoal that is headed for from each state, or the goal; of a state of the tree, the next one.
    pub(super) sub: Vec<u32>,
    /// Whether a state is in the tree, below the goal.
    pub(super) is_subgoal: Vec<bool>,
    /// The states of the tree in the order in which they came in.
    pub(super) subgoals: Vec<u32>,
}

impl Tree {
    pub(super) fn new(states: usize) -> Tree {
        Tree {
            goal: NO_STATE,
            g: vec![u64::MAX; states],
            sub: vec![NO_STATE; states],
            is_subgoal: vec![false; states],
            subgoals: Vec::new(),
        }
    }

    /// What states that come after this one on the way from the goal head for.
    #[inline(always)]
    pub(super) fn headed_for_behind(&self, state: u32) -> u32 {
        if self.is_subgoal[state as usize] { state } else { self.sub[state as usize] }
    }

    /// Puts a state into the tree.
    pub(super) fn push(&mut self, state: u32) {
        self.is_subgoal[state as usize] = true;
        self.subgoals.push(state);
    }

    /// Whether an agent that knows nothing but estimates gets from one state to another at least cost, if both are on a
    /// shortest path to the goal. Where it heads for the other one already, that is known.
    pub(super) fn is_walk<E: Estimates>(&self, terrain: &Terrain<E>, from: u32, to: u32) -> bool {
        let mut at = from;
        while at != to {
            let Some((next, cost)) = terrain.greedy_step(at, to) else { return false };
            let left = self.g[next as usize];
            if left.saturating_add(cost) != self.g[at as usize] || left < self.g[to as usize] {
                return false;
            }
            at = next;
            if self.sub[at as usize] == to {
                return true;
            }
        }
        true
    }
}

/// Makes trees, one after another.
pub(super) trait TreeMaker<E>: Send {
    /// Forgets what it remembers of trees before: the next one depends on its goal alone.
    fn forget(&mut self);

    fn make(&mut self, terrain: &Terrain<E>, goal: u32) -> &Tree;
}
