//! The tree that an agent walks along: one of the index, or its own.

use crate::core::StateId;
use crate::index::SubgoalTrees as Trees;
use crate::index::subgoal_trees::Next;
use crate::plan::SubgoalTree;

/// The tree of the goal.
pub(super) enum Tree<'a> {
    /// In the index, where the goal has this number.
    Stored(Trees<'a>, u32),
    /// On demand.
    Made(&'a SubgoalTree),
}

impl Tree<'_> {
    /// `nextgoal(s)`.
    pub(super) fn next(&self, s: StateId, t: StateId) -> Option<StateId> {
        match self {
            Tree::Stored(trees, goal) => match trees.next(trees.subgoal_at(s)?, *goal) {
                Next::Subgoal(next, _) => Some(trees.state(next)),
                Next::Goal(_) => Some(t),
                Next::NotThere => None,
            },
            Tree::Made(tree) => tree.next(s),
        }
    }

    /// No branch has more subgoals.
    pub(super) fn subgoals(&self) -> u32 {
        match self {
            Tree::Stored(trees, _) => trees.subgoals(),
            Tree::Made(tree) => tree.len() as u32,
        }
    }

    /// Whether the trees of the variant `greedy` are: what is made on demand is made by Algorithm 2.
    pub(super) fn is_greedy(&self) -> bool {
        matches!(self, Tree::Stored(..))
    }
}
