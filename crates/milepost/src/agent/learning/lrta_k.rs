//! LRTA*(k): as LRTA* with a lookahead of one, but a value that has changed is carried on to the states around it where the
//! agent has learned before, and from there further, until k states were looked at.
//!
//! # Paper
//! C. Hernández, P. Meseguer: LRTA*(k), IJCAI 2005, the algorithm of its title with its queue `Q` and counter `cont`. (It
//! is cited by V. Bulitko, Y. Björnsson and R. Lawrence, JAIR 2010, without a listing.)
//!
//! # Symbols
//! `x` where the agent stands, `v` the state whose value is looked at, `w` a successor of it, `Q` the states that wait
//! (nodes of the local space, in the order in which they were added), `cont` how many may still be added.
//!
//! # Guarantees
//! *Complete*, as LRTA* with a lookahead of one (`lrta.rs`): values are never lowered and never exceed true costs, and
//! once none rises any more each move leads to a lower one. *Bounded*: k states are looked at, each with up to two
//! expansions, and the agent's own once more. With a smaller budget fewer, down to the agent's own.
//!
//! # Deviations
//! 1. There values are carried on to all states where the agent has been, here to those where it has learned something: it
//!    need not remember the others. (If values were carried on to states where it has not been, it would turn away from a
//!    way that it was about to walk, since the states ahead know more and those aside still promise too much: from subgoal
//!    to subgoal it then walks twice as far as LRTA*.)
//! 2. Ties are not broken at random but as in LRTA*: the dearer step, then the moves' order.

use super::{Advance, Ground, Mind, is_hopeless};
use crate::agent::lookahead::Values;
use crate::core::{Budget, Cost, Expander, Goal, StateId, best_successor};

/// Units of a step: at least, and at most.
pub(super) fn units(k: u64, widest: u64) -> (u64, u64) {
    // Two expansions and a value for each, and an expansion to find the move.
    (2 * widest + 1 + widest, k * (2 * widest + 1) + widest)
}

pub(super) fn step<E: Expander, G: Goal>(
    ground: &Ground<'_, E, G>,
    x: StateId,
    k: u32,
    mind: &mut Mind<'_>,
    budget: &mut Budget,
) -> Advance {
    let Mind { learned, local, .. } = mind;
    // Q <- (x), cont <- k - 1. Nodes that wait are open; their order is that of the sequence.
    let (mut added, mut cont) = (0, k.saturating_sub(1));
    let order = |added: u64| (Cost::new(added), Cost::ZERO);
    local.clear();
    let (first, _) = local.add(x);
    local.open(first, order(added));
    let mut must_be_paid = false;
    while let Some(node) = local.pop() {
        let v = local.nodes()[node as usize].state;
        if std::mem::replace(&mut must_be_paid, true) && budget.left() < 3 * ground.widest + 1 {
            break;
        }
        if ground.goal.is_reached(v) {
            continue;
        }
        // LookaheadUpdate1(v)
        let h = learned.about(ground.goal);
        budget.charge(1);
        let Some(best) = best_successor(ground.moves, &h, v, budget) else { continue };
        if best.f <= h.estimate(v) || is_hopeless(ground.moves, h.estimate(v)) {
            continue;
        }
        // Where moves cannot be undone, another state may be lost and this one not.
        if node == first && is_hopeless(ground.moves, best.f) {
            return Advance::Hopeless(best.state);
        }
        budget.charge(1);
        learned.raise(v, best.f);
        // Its successors may have to follow.
        if cont > 0 {
            budget.charge(1);
            let extra = ground.moves.expand(v, None, |w, _| {
                if !learned.knows(w) {
                    return;
                }
                let (w, _) = local.add(w);
                if cont > 0 && !local.is_open(w) {
                    (cont, added) = (cont - 1, added + 1);
                    local.open(w, order(added));
                }
            });
            budget.charge(extra);
        }
    }
    let h = learned.about(ground.goal);
    budget.charge(1);
    match best_successor(ground.moves, &h, x, budget) {
        Some(best) => Advance::Move(best.state),
        None => Advance::Stuck,
    }
}
