//! Where a query may end: decided before anything is searched, the same for all planners.

use super::{Goals, Query, Scratch};
use crate::core::StateId;
use crate::space::{Place, Reach, Space, SpaceKind};

/// Fills the scratch with the states the path may end at, in increasing order: the goals that may be reached, or, if
/// there is none and a partial path is welcome, the reachable states nearest to a goal. False if there is nowhere to
/// go.
pub(super) fn choose_targets(space: &Space, query: &Query<'_>, scratch: &mut Scratch) -> bool {
    // Most queries, without a loop: from one cell to another that can be reached for sure.
    if let (Some(grid), Place::State(from), Goals::One(Place::State(to))) =
        (space.as_grid(), query.start, query.goals)
        && grid.reach(from, to) == Reach::Always
    {
        scratch.start = from;
        scratch.goals.clear();
        scratch.goals.push(to);
        scratch.targets.clear();
        scratch.targets.push(to);
        return true;
    }
    find_states(space, query, scratch);
    let Scratch { start, goals, targets, nearest, marks, stack, targets_are_substitutes, ends, .. } = scratch;
    let start = *start;
    targets.clear();
    if !space.is_free(start) {
        return false;
    }
    let mut is_sure = false;
    for &goal in goals.iter() {
        let reach = space.reach(start, goal);
        is_sure |= reach == Reach::Always;
        if reach != Reach::Never {
            targets.push(goal);
        }
    }
    if query.partial && !is_sure {
        // A search would have to find out; a partial path must know beforehand.
        space.mark_reachable(start, marks, stack);
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
    if targets.len() > 1 {
        targets.sort_unstable();
        targets.dedup();
    }
    if let Some(mesh) = space.as_mesh().filter(|_| *targets_are_substitutes) {
        ends.locate(mesh, query.start, targets.iter().map(|&target| Place::State(target)));
    }
    !targets.is_empty()
}

/// Notes in the scratch which states the query's places are: of the polygons that hold a point the first from which a goal can be
/// reached, and for each goal the first that can be reached from there.
fn find_states(space: &Space, query: &Query<'_>, scratch: &mut Scratch) {
    let Scratch { start, goals, ends, nearest, .. } = scratch;
    goals.clear();
    if let Some(mesh) = space.as_mesh() {
        ends.locate(mesh, query.start, query.goals.iter());
        let reaches = |from: StateId, to: StateId| space.reach(from, to) != Reach::Never;
        let is_way_out =
            |from: &StateId| ends.goal_polygons().any(|mut polygons| polygons.any(|to| reaches(*from, to)));
        let mut starts = ends.start_polygons();
        *start = starts.clone().find(is_way_out).or_else(|| starts.next()).unwrap_or(StateId::NONE);
        goals.extend(ends.goal_polygons().filter_map(|mut polygons| {
            polygons.clone().find(|&to| reaches(*start, to)).or_else(|| polygons.next())
        }));
        return;
    }
    let state = |place: Place| match place {
        Place::State(state) => state,
        place => {
            space.write_states_at(place, nearest);
            nearest.first().copied().unwrap_or(StateId::NONE)
        }
    };
    let mut states = std::iter::once(query.start).chain(query.goals.iter()).map(state);
    *start = states.next().unwrap_or(StateId::NONE);
    goals.extend(states);
}
