//! The lines of the subgoaling algorithm that decide: which state a state heads for, and which one becomes a subgoal.
//!
//! A flood from the goal, backwards. A state heads for what its parent heads for, unless a path from there that the flood has
//! just found costs something else than it seems to: then the parent becomes a subgoal, and its children head for it.
//!
//! # Paper
//! C. Hernández, J. Baier: Fast subgoaling for pathfinding via real-time search, ICAPS 2011, Algorithm 2. Lines 1 to 8 and 22,
//! the flood, belong to the callers: one that makes the trees of all goals (`build/subgoal_trees`), and one that makes the tree
//! of one goal in slices (`subgoal_tree.rs`). Both take states of equal g in the order of their ids, so that they make the
//! same tree.
//!
//! # Symbols
//! `g(s)` the cost from s to the goal, `Sub(s)` the subgoal that s heads for, `g_sub(s)` the cost from s to Sub(s), `h(s', s)`
//! the estimate, `Tree` the subgoals and what comes after each.
//!
//! # Guarantees
//! The order in which the children of a state are named changes nothing, if each is named once, at its least cost.
//!
//! # Deviations
//! 1. g_sub is not kept: Sub(s) lies on the path that the flood has found from s, so that g_sub(s) = g(s) - g(Sub(s)).
//! 2. A state that is its own subgoal already stays so: lines 18 to 20 are done once.

/// What is known of states while the flood goes on.
pub(crate) trait Labels {
    /// A state, as the caller numbers them.
    type State: Copy + Eq;

    /// The cost from a state that was reached to the goal.
    fn g(&self, state: Self::State) -> u64;

    /// Sub of a state that was settled: the state itself, if it is in the tree.
    fn sub(&self, state: Self::State) -> Self::State;

    /// Says what a state heads for that was just settled.
    fn set_sub(&mut self, state: Self::State, sub: Self::State);

    /// Puts a state into the tree; what it headed for comes after it.
    fn push(&mut self, state: Self::State);

    /// Lines 13, 14, 16, 21 and 22: takes note of a way over a state, if it is better than those before; says whether it is.
    fn reach(&mut self, state: Self::State, g: u64, parent: Self::State) -> bool;
}

/// Alg. 2, l. 3 and 9-11: a state is settled, the goal without a parent.
#[inline(always)]
pub(crate) fn settle<L: Labels>(labels: &mut L, s: L::State, parent: Option<L::State>) {
    let sub = parent.map_or(s, |parent| labels.sub(parent));
    labels.set_sub(s, sub);
}

/// Alg. 2, l. 12-22 for one child of a state that was settled, where `h` estimates the cost from the child to a subgoal.
#[inline(always)]
pub(crate) fn generate<L: Labels>(
    labels: &mut L,
    s: L::State,
    (child, cost): (L::State, u64),
    h: impl FnOnce(L::State) -> u64,
) {
    // L. 13-16. Arcs of a save that was tampered with may add up to anything.
    let g = labels.g(s).saturating_add(cost);
    if !labels.reach(child, g, s) {
        return;
    }
    // L. 17-20.
    let sub = labels.sub(s);
    if sub != s && g.saturating_sub(labels.g(sub)) != h(sub) {
        labels.push(s);
    }
}
