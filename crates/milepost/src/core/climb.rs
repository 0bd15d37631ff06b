//! Hill climbing: walk greedily towards a goal for as long as every step brings the estimate down.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game
//! pathfinding, JAIR 2010, figure 7 (`reachable`).
//!
//! # Guarantees
//! The walk ends after `cap` steps at the latest (where steps cost alike each one lowers the estimate, so that no
//! state comes twice). One unit of the budget for each step. No memory.
//!
//! # Deviations
//! 1. The step taken is the one an LRTA* agent with a lookahead of one would take (least cost + estimate, then
//!    the dearer step, then the expander's order), and the walk stops where the estimate is at most the least
//!    estimate of a successor: that an agent follows the same walk without learning depends on both.

use super::{Budget, Cost, Expander, Goal, StateId};

/// How a walk ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Climb {
    /// The goal was reached at this cost.
    Reached {
        /// Cost of the walk.
        cost: Cost,
        /// Steps taken.
        steps: u32,
    },
    /// No successor seems nearer than this state.
    Stuck(StateId),
    /// The cap on steps, or the budget, ended the walk here.
    Capped(StateId),
}

/// The successor that a greedy walk, and an LRTA* agent that looks one move ahead, goes to next: the least cost + estimate,
/// then the dearer step, then the expander's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BestSuccessor {
    pub(crate) state: StateId,
    pub(crate) step: Cost,
    /// Its estimate.
    pub(crate) h: Cost,
    /// The step and the estimate.
    pub(crate) f: Cost,
    /// The least estimate of any successor.
    pub(crate) least_h: Cost,
}

/// Looks at the successors of a state; takes what that is beyond the unit of every expansion. `None` if there is none.
#[inline]
pub(crate) fn best_successor<E: Expander, G: Goal>(
    expander: &E,
    goal: &G,
    state: StateId,
    budget: &mut Budget,
) -> Option<BestSuccessor> {
    let mut best: Option<BestSuccessor> = None;
    let extra = expander.expand(state, None, |child, step| {
        let h = goal.estimate(child);
        let f = step.saturating_add(h);
        let least_h = best.map_or(h, |best| best.least_h.min(h));
        // Among equal sums the least h is the dearer step.
        match &mut best {
            Some(best) if (best.f, best.h) <= (f, h) => best.least_h = least_h,
            _ => best = Some(BestSuccessor { state: child, step, h, f, least_h }),
        }
    });
    budget.charge(extra);
    best
}

/// Walks from `start` towards `goal`, telling `follow` each state entered.
pub(crate) fn climb<E: Expander, G: Goal>(
    expander: &E,
    goal: &G,
    start: StateId,
    cap: u32,
    budget: &mut Budget,
    mut follow: impl FnMut(StateId),
) -> Climb {
    let (mut state, mut h) = (start, goal.estimate(start));
    let (mut cost, mut steps) = (Cost::ZERO, 0);
    while !goal.is_reached(state) {
        if steps == cap || !budget.take() {
            return Climb::Capped(state);
        }
        match best_successor(expander, goal, state, budget) {
            Some(best) if h > best.least_h => {
                (state, h) = (best.state, best.h);
                // Where steps differ in cost a walk may go in circles until its cap.
                cost = cost.saturating_add(best.step);
                steps += 1;
                follow(state);
            }
            _ => return Climb::Stuck(state),
        }
    }
    Climb::Reached { cost, steps }
}
