//! Makes a path a few states, of which each is reached from the one before by a greedy walk.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game
//! pathfinding, JAIR 2010, figures 6 (`compress`) and 7 (`reachable`).
//!
//! # Symbols
//! `s_1 .. s_t` the path, counted from 0 here; `gamma` the places of the states that are kept.
//!
//! # Guarantees
//! The first and the last state are kept. From each state kept the next one is reached by a greedy walk, unless it is the
//! next one of the path.
//!
//! # Deviations
//! 1. The paper says that the next state of a path is always reached. Where the estimate does not fall along an edge (it
//!    is a plateau, as everywhere on a graph without positions) it is not, and the agent must know what to do then.
//! 2. There is no cap on a walk, but one that takes more than four times the steps of the path that it replaces counts as
//!    failed: where steps differ in cost it may walk in a circle.
//! 3. The binary search takes for granted that what lies before a reachable state is reachable too, which is not so near
//!    obstacles: a longer leg may be missed, but those kept are valid.

use super::walker::Walker;
use crate::core::{Cost, StateId};
use crate::space::Space;

/// A state that is kept, and what the walk from the first one by way of all between costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KeptState {
    pub(super) state: StateId,
    pub(super) walked: Cost,
}

/// Where one is a move away from the other: what an agent pays that climbs there, or, on a plateau, makes that move.
/// `None` if no move leads there.
pub(super) fn cost_to_neighbour(
    space: &Space,
    walker: &Walker<'_>,
    from: StateId,
    to: StateId,
) -> Option<Cost> {
    let step = space.step_cost(from, to, None)?;
    Some(walker.climb(from, to, LONGEST_TO_NEIGHBOUR).unwrap_or(step))
}

/// A climb to a neighbour that takes more steps goes in a circle.
const LONGEST_TO_NEIGHBOUR: u32 = 10_000;

/// Writes the states that are kept of a path, its first and last ones included, in place of what `kept` holds.
pub(super) fn compress(space: &Space, walker: &Walker<'_>, path: &[StateId], kept: &mut Vec<KeptState>) {
    kept.clear();
    let Some(last) = path.len().checked_sub(1) else { return };
    // Line 1.
    let (mut end, mut walked) = (0, Cost::ZERO);
    kept.push(KeptState { state: path[end], walked });
    // Line 2: while the last state is not kept.
    while end < last {
        // Lines 3-5: the next state of the path, and the scope of a binary search behind it.
        let mut i = end + 1;
        let mut leg = None;
        let (mut l, mut r) = (i + 1, last);
        // Lines 6-14.
        while l <= r {
            let m = usize::midpoint(l, r);
            let cap = u32::try_from(m - end).unwrap_or(u32::MAX).saturating_mul(4);
            if let Some(cost) = walker.climb(path[end], path[m], cap) {
                (i, leg) = (m, Some(cost));
                l = m + 1;
            } else {
                r = m - 1;
            }
        }
        // Line 15.
        let leg = leg.or_else(|| cost_to_neighbour(space, walker, path[end], path[i]));
        walked = walked.saturating_add(leg.unwrap_or(Cost::ZERO));
        kept.push(KeptState { state: path[i], walked });
        end = i;
    }
}
