//! A tree whose test is the walk itself: a state heads for a subgoal only if an agent that knows nothing but estimates
//! gets there at least cost.
//!
//! 1. A flood gives all distances to the goal.
//! 2. In its order every state looks at all states that come next on a shortest path, and at what is headed for from
//!    there. It takes the first of these subgoals that it can walk to.
//! 3. If there is none, one of the states that come next becomes a subgoal: one can always step there.
//!
//! Algorithm 2 decides when a state is generated and knows one way there; after a flood all shortest ways are known,
//! which halves the trees.
//!
//! # The tree of the goal before
//! Goals follow each other along the order of states, and most states head for the same subgoal as before. If the first
//! step there still is one of a shortest path, to a state that heads for it too, it is taken without looking further.
//! So of several subgoals that would do a state keeps the one that it has: trees differ less, and are made sooner.

use super::flood::Flood;
use super::terrain::Terrain;
use super::tree::{NO_STATE, Tree, TreeMaker};
use crate::space::Estimates;

/// Room to make greedy trees.
pub(super) struct GreedyTrees {
    flood: Flood,
    tree: Tree,
    /// The last greedy step that was asked for from each state. It depends on no goal.
    steps: Vec<Step>,
    /// Whether a state was in a tree since [`TreeMaker::forget`].
    was_subgoal: Vec<bool>,
    /// The states that come next, and the subgoals headed for from there.
    nexts: Vec<u32>,
    subgoals: Vec<u32>,
}

/// A greedy step towards a state.
#[derive(Clone, Copy, Debug)]
struct Step {
    towards: u32,
    to: u32,
    cost: u64,
}

impl GreedyTrees {
    pub(super) fn new<E: Estimates>(terrain: &Terrain<E>) -> GreedyTrees {
        let states = terrain.states();
        GreedyTrees {
            flood: Flood::new(terrain),
            tree: Tree::new(states),
            steps: vec![Step { towards: NO_STATE, to: NO_STATE, cost: 0 }; states],
            was_subgoal: vec![false; states],
            nexts: Vec::new(),
            subgoals: Vec::new(),
        }
    }

    /// The greedy step from a state that has an edge.
    #[inline(always)]
    fn step<E: Estimates>(&mut self, terrain: &Terrain<E>, from: u32, towards: u32) -> Step {
        let known = &mut self.steps[from as usize];
        if known.towards != towards {
            let (to, cost) = terrain.greedy_step(from, towards).unwrap_or((from, 0));
            *known = Step { towards, to, cost };
        }
        *known
    }

    /// Whether a state heads for the same subgoal as for the goal before: step 2, in short.
    #[inline(always)]
    fn keeps<E: Estimates>(&mut self, terrain: &Terrain<E>, state: u32, subgoal: u32) -> bool {
        if subgoal == NO_STATE || !(subgoal == self.tree.goal || self.tree.is_subgoal[subgoal as usize]) {
            return false;
        }
        let step = self.step(terrain, state, subgoal);
        let is_tight = self.tree.g[step.to as usize].saturating_add(step.cost) == self.tree.g[state as usize];
        is_tight && self.tree.headed_for_behind(step.to) == subgoal
    }

    /// Steps 2 and 3.
    fn choose<E: Estimates>(&mut self, terrain: &Terrain<E>, state: u32) -> u32 {
        let tree = &self.tree;
        self.nexts.clear();
        self.subgoals.clear();
        for &arc in terrain.arcs(state) {
            let left = tree.g[arc.to as usize];
            if left.saturating_add(terrain.cost(arc)) == tree.g[state as usize] {
                self.nexts.push(arc.to);
                let subgoal = tree.headed_for_behind(arc.to);
                if !self.subgoals.contains(&subgoal) {
                    self.subgoals.push(subgoal);
                }
            }
        }
        // The nearest one first: most often it is the one whose walks are known.
        self.subgoals.sort_unstable_by_key(|&subgoal| (std::cmp::Reverse(tree.g[subgoal as usize]), subgoal));
        if let Some(&subgoal) = self.subgoals.iter().find(|&&subgoal| tree.is_walk(terrain, state, subgoal)) {
            return subgoal;
        }
        let was_subgoal = &self.was_subgoal;
        let best = |&next: &u32| (!was_subgoal[next as usize], tree.g[next as usize], next);
        let Some(next) = self.nexts.iter().copied().min_by_key(best) else { return NO_STATE };
        self.tree.push(next);
        self.was_subgoal[next as usize] = true;
        next
    }
}

impl<E: Estimates> TreeMaker<E> for GreedyTrees {
    fn forget(&mut self) {
        self.tree.goal = NO_STATE;
        self.tree.sub.fill(NO_STATE);
        self.was_subgoal.fill(false);
    }

    fn make(&mut self, terrain: &Terrain<E>, goal: u32) -> &Tree {
        self.flood.run(terrain, goal);
        std::mem::swap(&mut self.flood.g, &mut self.tree.g);
        let tree = &mut self.tree;
        let goal_before = std::mem::replace(&mut tree.goal, goal);
        for subgoal in tree.subgoals.drain(..) {
            tree.is_subgoal[subgoal as usize] = false;
        }
        tree.sub[goal as usize] = goal;
        let order = std::mem::take(&mut self.flood.order);
        for &state in order.iter().skip(1) {
            let before = self.tree.sub[state as usize];
            let before = if before == goal_before { goal } else { before };
            let subgoal =
                if self.keeps(terrain, state, before) { before } else { self.choose(terrain, state) };
            self.tree.sub[state as usize] = subgoal;
        }
        self.flood.order = order;
        &self.tree
    }
}
