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
pub enum Climb {
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

/// Walks from `start` towards `goal`, telling `follow` each state entered.
pub fn climb<E: Expander, G: Goal>(
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
        let mut least_h = Cost::MAX;
        // (cost + h, h, ...): among equal sums the least h is the dearer step.
        let mut best: Option<(Cost, Cost, StateId, Cost)> = None;
        let extra = expander.expand(state, None, |child, step| {
            let h = goal.estimate(child);
            least_h = least_h.min(h);
            let sum = step.saturating_add(h);
            if best.is_none_or(|(best_sum, best_h, ..)| (sum, h) < (best_sum, best_h)) {
                best = Some((sum, h, child, step));
            }
        });
        budget.charge(extra);
        match best {
            Some((_, child_h, child, step)) if h > least_h => {
                (state, h) = (child, child_h);
                cost += step;
                steps += 1;
                follow(state);
            }
            _ => return Climb::Stuck(state),
        }
    }
    Climb::Reached { cost, steps }
}
