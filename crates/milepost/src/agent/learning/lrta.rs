//! LRTA*: looks at the states up to a cost of `g_max` away, goes one step towards the one through which the goal seems
//! nearest, and remembers how far that was.
//!
//! # Paper
//! R. E. Korf: Real-time heuristic search, Artificial Intelligence 42, 1990; as printed by V. Bulitko, Y. Björnsson and
//! R. Lawrence: Case-based subgoaling in real-time heuristic search for video game pathfinding, JAIR 2010, figure 1,
//! whose lines the comments name.
//!
//! # Symbols
//! `s` where the agent stands, `s'` the frontier state it goes towards (`best`), `g(s, s')` and `h` as in the paper.
//!
//! # Guarantees
//! *Complete.* h(s) becomes the least g + h of the frontier, which every path to the goal crosses, so that it never
//! exceeds the true cost. Once no value rises any more, whoever decides at s on s' finds h(s') <= h(s) - g(s, s') when
//! he comes there: values fall from decision to decision, and none comes twice. For next states alone that is figure 1;
//! for more see deviation 2. The goal is reached without coming anywhere twice if it is hill-climbing reachable
//! (Theorem 5): the next state is that of [`climb`](crate::core::climb), found by the same routine.
//!
//! *Bounded*: two expansions for each state within reach, of which at most (2 `g_max` - 1)^2 are looked behind, nearest
//! first; with a smaller budget fewer, down to the next states alone. One value is learned at each move.
//!
//! # Deviations
//! 1. What the frontier of line 4 is: a state is looked behind if all its successors lie within `g_max`, and s always;
//!    states that were seen and not looked behind are the frontier. So the frontier has no holes, and with `g_max` below
//!    two steps it is the next states, whatever they cost.
//! 2. Line 7 makes one step, and then decides anew. With a larger lookahead that can go on for ever without learning
//!    anything: s looks as far as x and goes there; its neighbour looks beyond x, where it is bad, and goes back; neither
//!    learns about x. So an agent that has learned nothing new keeps going to the s' it has decided on before.

use super::{Advance, Ground, Mind, follow, is_hopeless};
use crate::agent::lookahead::Values;
use crate::core::{Budget, Cost, Expander, Goal, StateId, best_successor};

/// States that are looked behind at most.
fn most_expansions(g_max: u32) -> u64 {
    let steps = u64::from(g_max.div_ceil(1000));
    if looks_at_next_states(g_max) { 1 } else { (2 * steps - 1).pow(2) }
}

/// No two steps cost less than two.
fn looks_at_next_states(g_max: u32) -> bool {
    g_max < 2000
}

/// How many states a plan may have.
pub(super) fn longest_plan(g_max: u32) -> u32 {
    if looks_at_next_states(g_max) { 0 } else { most_expansions(g_max) as u32 }
}

/// Units of a step: at least, and at most.
pub(super) fn units(g_max: u32, widest: u64) -> (u64, u64) {
    if looks_at_next_states(g_max) {
        // The expansion, and the value.
        return (widest + 1, widest + 1);
    }
    // Beside the expansions: each state that comes out is taken out and looked at; a plan is made or followed, and a
    // value learned.
    let least = 1 + widest + widest.max(8) + 1 + widest + 1;
    let expansions = most_expansions(g_max);
    let seen = 1 + expansions * widest.max(8);
    (least, seen * (1 + widest) + expansions * widest + expansions + widest + 1)
}

pub(super) fn step<E: Expander, G: Goal>(
    ground: &Ground<'_, E, G>,
    s: StateId,
    g_max: u32,
    mind: &mut Mind<'_>,
    budget: &mut Budget,
) -> Advance {
    if !looks_at_next_states(g_max) {
        return look_ahead(ground, s, g_max, mind, budget);
    }
    // Lines 4 and 5.
    let h = mind.learned.about(ground.goal);
    budget.charge(1);
    let Some(best) = best_successor(ground.moves, &h, s, budget) else { return Advance::Stuck };
    if is_hopeless(ground.moves, best.f) {
        return Advance::Hopeless(best.state);
    }
    // Line 6.
    if best.f > h.estimate(s) {
        budget.charge(1);
        mind.learned.raise(s, best.f);
    }
    // Line 7.
    Advance::Move(best.state)
}

fn look_ahead<E: Expander, G: Goal>(
    ground: &Ground<'_, E, G>,
    s: StateId,
    g_max: u32,
    mind: &mut Mind<'_>,
    budget: &mut Budget,
) -> Advance {
    let reach = Cost::new((u128::from(g_max) * u128::from(ground.one) / 1000).min(1 << 63) as u64);
    // Line 4.
    let Some((f, best)) = search(ground, s, (reach, most_expansions(g_max)), mind, budget) else {
        return Advance::Stuck;
    };
    let h_of_s = mind.learned.about(ground.goal).estimate(s);
    let is_lost = is_hopeless(ground.moves, f);
    // Line 6, and deviation 2.
    let has_learned = f > h_of_s && !is_lost;
    if has_learned {
        budget.charge(1);
        mind.learned.raise(s, f);
    }
    let planned = if has_learned { None } else { follow(ground, s, mind.plan, budget) };
    // Line 7.
    let next = planned.or_else(|| {
        mind.plan_to(best, longest_plan(g_max), budget);
        mind.plan.pop()
    });
    match next {
        None => Advance::Stuck,
        Some(next) if is_lost => Advance::Hopeless(next),
        Some(next) => Advance::Move(next),
    }
}

/// Lines 4 and 5: the frontier state with the least g + h, then the least h, which is the highest g, then the one seen
/// first.
fn search<E: Expander, G: Goal>(
    ground: &Ground<'_, E, G>,
    s: StateId,
    (reach, most_expansions): (Cost, u64),
    mind: &mut Mind<'_>,
    budget: &mut Budget,
) -> Option<(Cost, u32)> {
    let Mind { learned, local, .. } = mind;
    let h = learned.about(ground.goal);
    local.clear();
    let (start, _) = local.add(s);
    local.node(start).g = Cost::ZERO;
    local.open(start, (Cost::ZERO, Cost::ZERO));
    let mut best: Option<(Cost, Cost, u32)> = None;
    let mut expansions = 0;
    // In the order of their cost, so that no way is found that is better than one taken before.
    while let Some(node) = local.pop() {
        budget.charge(1);
        let (state, g) = (local.nodes()[node as usize].state, local.nodes()[node as usize].g);
        let is_start = node == start;
        // All that is open, and what this one opens, must still be taken out.
        let open = local.open_count() + ground.widest.max(8);
        let rest = 2 * ground.widest + open + (expansions + 1) + ground.widest + 1;
        let may_expand = is_start
            || expansions < most_expansions && budget.left() >= rest && !ground.goal.is_reached(state);
        let is_inside = is_start
            || may_expand && {
                let mut dearest = Cost::ZERO;
                budget.charge(1);
                let extra = ground.moves.expand(state, None, |_, cost| dearest = dearest.max(cost));
                budget.charge(extra);
                g.saturating_add(dearest) <= reach
            };
        if !is_inside {
            let h = h.estimate(state);
            let f = g.saturating_add(h);
            if best.is_none_or(|(best_f, best_h, seen)| (f, h, node) < (best_f, best_h, seen)) {
                best = Some((f, h, node));
            }
            continue;
        }
        expansions += 1;
        budget.charge(1);
        local.node(node).is_closed = true;
        let extra = ground.moves.expand(state, None, |child, cost| {
            let (child, _) = local.add(child);
            let new_g = g.saturating_add(cost);
            let to = local.node(child);
            if !to.is_closed && new_g < to.g {
                (to.g, to.parent) = (new_g, node);
                local.open(child, (new_g, Cost::ZERO));
            }
        });
        budget.charge(extra);
    }
    best.map(|(f, _, node)| (f, node))
}
