//! Makes the tree of the goal where the index is missing: Algorithm 2 in slices, before the first move.

use super::first_goal::FirstGoal;
use super::{SubgoalTrees, SubgoalTreesMemory, Variant, cross, slice};
use crate::agent::base::{Decision, Situation, SpaceLimits};
use crate::core::StateId;
use crate::plan::SubgoalTree;
use crate::space::Space;

impl SubgoalTrees {
    /// Algorithm 2, and line 5 with the tree that it gives: the subgoal that is headed for, or what to do as long as there is none.
    pub(super) fn find_made(
        &self,
        memory: &mut SubgoalTreesMemory,
        here: &mut Situation<'_>,
        space: &Space,
        tree: &mut SubgoalTree,
    ) -> Result<StateId, Decision> {
        let (s, t) = (here.at, here.goal);
        if let Some(target) = memory.target {
            return Ok(target);
        }
        if !here.terrain.is_connected(s, t) {
            return Err(cross(here));
        }
        // As printed the whole tree is looked at.
        let from = (self.variant != Variant::AsPrinted).then_some(s);
        let (most, beyond) = (slice(here.space).min(here.budget.left()), overrun(here.space));
        let made = |here: &mut Situation<'_>| tree.advance_to(space, from, here.budget);
        let before = here.budget.spent();
        if !here.within(most.saturating_sub(beyond), made) {
            return Err(Decision::Think);
        }
        let found = match from {
            Some(_) => tree.subgoal(s),
            None => {
                let first_goal = memory.first_goal.get_or_insert_with(|| FirstGoal::new(s));
                let left = most.saturating_sub(here.budget.spent() - before);
                let limits = here.space;
                if !here.within(left, |here| first_goal.scan_found(tree, space, limits, here.budget)) {
                    return Err(Decision::Think);
                }
                first_goal.answer()
            }
        };
        Ok(*memory.target.insert(found.unwrap_or(t)))
    }
}

/// What a slice of a tree on demand may take beyond its units: an estimate, and an expansion.
pub(super) fn overrun(space: SpaceLimits) -> u64 {
    1 + u64::from(space.goal) + u64::from(space.expansion)
}

/// What a tree on demand takes at most, and looking at all its states: each state is looked at for arcs, settled, asked for its steps,
/// and estimated twice; each arc is taken down by one unit and named by another.
pub(super) fn tree_units(space: SpaceLimits) -> u64 {
    let a_state = 4 + 2 * u64::from(space.goal) + 10 * u64::from(space.expansion);
    u64::from(space.unindexed_states).saturating_mul(a_state)
}

/// What a step allocates for the tree at most.
pub(super) fn page_bytes(tree: Option<&SubgoalTree>, space: SpaceLimits) -> usize {
    let units = (slice(space) as usize, space.expansion as usize);
    match tree {
        _ if space.unindexed_states == 0 => 0,
        Some(tree) => tree.page_bytes(units),
        None => size_of::<SubgoalTree>() + SubgoalTree::towards(StateId::NONE).page_bytes(units),
    }
}
