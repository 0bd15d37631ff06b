//! RTAA* and daRTAA*: a small A* search around the agent; every state that it expanded is at least as far from the goal
//! as the search has come, less what it cost to come to that state. The agent walks to a state of the border and searches
//! again.
//!
//! # Paper
//! S. Koenig, M. Likhachev: Real-time adaptive A*, AAMAS 2006, as told by N. Rivera, L. Illanes, J. A. Baier: Real-time
//! pathfinding in unknown terrain via reconnection with an ideal tree, IBERAMIA 2014, section 2.1, whose steps (3) to (6)
//! the comments name. daRTAA* is only cited there; built is that of C. Hernández, J. A. Baier: Avoiding and escaping
//! depressions in real-time heuristic search, JAIR 43, 2012: the next state is not the open one with the least f, but the
//! one whose value was raised least, and among those the one with the least f.
//!
//! # Symbols
//! `s` where the agent stands; open, closed, `g`, `h`, `f` as in A*; `next` the open state with the least f; Delta(t) =
//! h(t) - h_0(t), how much was learned about t.
//!
//! # Guarantees
//! *Complete.* Step (5) never lowers a value and keeps the estimate consistent, so that it never exceeds the true cost and
//! stops rising; where nothing rises any more RTAA* comes to lower and lower values. For daRTAA* JAIR 2012 proves it.
//!
//! *Bounded*: so many expansions, a value for each state expanded, and a plan no longer than that; daRTAA* looks at each
//! state seen once more. With a smaller budget it expands fewer states, down to the agent's own.
//!
//! # Deviations
//! 1. Where the estimate is not consistent (it always is on grids), a value that would be lower than before is not taken.
//! 2. Ties on f go to the state nearer by h, then to the one seen first.

use super::{Advance, Ground, Mind};
use crate::agent::lookahead::{Answer, Found, LookAhead, cost_of_expansion};
use crate::core::{Budget, Expander, Goal, StateId};

/// A search that ends at the goal alone.
pub(crate) const UNLIMITED: u32 = u32::MAX;

/// Units of a step: at least, and at most.
pub(super) fn units(expansions: u32, widest: u64, avoids: bool) -> (u64, u64) {
    let each = cost_of_expansion(widest, widest, avoids);
    // A plan that does not fit is noticed by an expansion before the search; the state itself is looked at too.
    let beside = widest + 1;
    let most = if expansions == UNLIMITED { u64::MAX } else { u64::from(expansions) * each + beside };
    (each + beside, most)
}

pub(super) fn step<E: Expander, G: Goal>(
    ground: &Ground<'_, E, G>,
    s: StateId,
    most_expansions: u32,
    avoids: bool,
    mind: &mut Mind<'_>,
    budget: &mut Budget,
) -> Advance {
    let each = cost_of_expansion(ground.widest, ground.widest, avoids);
    let affordable = (budget.left().saturating_sub(1) / each).max(1);
    // Steps (3) to (5).
    let k = affordable.min(most_expansions.into());
    let ahead = LookAhead { moves: ground.moves, cells: ground.cells.as_ref(), h_0: ground.goal, k, avoids };
    let is_end = |state| if ground.goal.is_reached(state) { Answer::Yes } else { Answer::No };
    let found = ahead.run(s, mind.learned, mind.local, is_end, budget);
    let (next, is_lost) = match found {
        Found::End(next) | Found::Border(next) => (next, false),
        Found::Hopeless(next) => (next, true),
        // Everything that can be reached was closed, and the goal was not there.
        Found::Exhausted { .. } => return Advance::Stuck,
    };
    // Step (6): the first move; the others follow.
    mind.plan_to(next, 0, budget);
    match mind.plan.pop() {
        None => Advance::Stuck,
        Some(next) if is_lost => Advance::Hopeless(next),
        Some(next) => Advance::Move(next),
    }
}
