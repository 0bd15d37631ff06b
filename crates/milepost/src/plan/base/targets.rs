//! Where a query may end: decided before anything is searched, the same for all planners.

use super::{Query, Scratch};
use crate::core::StateId;
use crate::space::{Reach, Space};

/// Fills the scratch with the states the path may end at, in increasing order: the goals that may be reached, or, if
/// there is none and a partial path is welcome, the reachable states nearest to a goal. False if there is nowhere to
/// go.
pub(super) fn choose_targets(space: &Space, query: &Query<'_>, scratch: &mut Scratch) -> bool {
    let Scratch { targets, nearest, marks, stack, targets_are_substitutes, .. } = scratch;
    targets.clear();
    if !space.is_free(query.start) {
        return false;
    }
    let goals = query.goals.as_slice();
    targets.extend(goals.iter().copied().filter(|&goal| space.reach(query.start, goal) != Reach::Never));
    let is_sure = targets.iter().any(|&goal| space.reach(query.start, goal) == Reach::Always);
    if query.partial && !is_sure {
        // A search would have to find out; a partial path must know beforehand.
        space.mark_reachable(query.start, marks, stack);
        let is_reachable = |state: StateId| space.part(state).is_some_and(|part| marks[part]);
        targets.retain(|&goal| is_reachable(goal));
        if targets.is_empty() {
            *targets_are_substitutes = true;
            let mut least = i128::MAX;
            for &goal in goals.iter().filter(|goal| goal.index() < space.id_bound()) {
                let Some(distance) = space.nearest_where(goal, &is_reachable, nearest) else { continue };
                if distance < least {
                    targets.clear();
                    least = distance;
                }
                if distance == least {
                    targets.extend_from_slice(nearest);
                }
            }
        }
    }
    targets.sort_unstable();
    targets.dedup();
    !targets.is_empty()
}
