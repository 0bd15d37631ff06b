//! LSS-LRTA*: a small A* search around the agent; all states that it expanded learn how far the goal is through its
//! border, and the agent walks to the best state of that border before it searches again.
//!
//! # Paper
//! S. Koenig, X. Sun: Comparing real-time and incremental heuristic search for real-time situated agents, Autonomous
//! Agents and Multi-Agent Systems 18, 2009: A* with a lookahead, Dijkstra's algorithm for the values, all moves to the
//! border. (It grew out of S. Koenig's search of AAMAS 2004, which V. Bulitko, Y. Björnsson and R. Lawrence, JAIR 2010,
//! cite without a listing.)
//!
//! # Symbols
//! `s` where the agent stands; open, closed, `g`, `h`, `f` as in A*; the local search space is what is closed, its border
//! what is open.
//!
//! # Guarantees
//! *Complete.* A closed state's value becomes the least cost to a border state plus its value, which never exceeds the
//! true cost, and is never lowered. Once no value rises any more, the border state s' that the agent walks to from s has
//! h(s') <= h(s) - g(s'): values fall from search to search, and no search comes twice.
//!
//! *Bounded*: a search expands at most as many states as it is told to, carries values over as many nodes as those have
//! successors, and with a smaller budget expands fewer, down to the agent's own. A move along a plan is one expansion,
//! which sees that the move is there.
//!
//! # Deviations
//! 1. There the agent searches again as soon as it sees that its way has become dearer; a map that is known does not
//!    change, and where it does, everything is forgotten (`mod.rs`). Whoever sees only his surroundings gives up plans
//!    that cannot be walked (`follow`).
//! 2. Estimates need not be consistent: a closed state with a better way is opened again, and a value that would be
//!    lower than the one before is not taken.

use super::{Advance, Ground, Mind, is_hopeless};
use crate::agent::lookahead::Values;
use crate::core::{Budget, Cost, Expander, Goal, Local, StateId};

/// Units of a step: at least, and at most.
pub(super) fn units(expansions: u64, widest: u64) -> (u64, u64) {
    let seen = |expansions: u64| 1 + expansions * widest.max(8);
    let most = |expansions: u64| expansions * widest + bill(expansions, seen(expansions), widest);
    // A plan that does not fit is noticed by an expansion before the search.
    (most(1) + widest, most(expansions) + widest)
}

/// What is to be paid after so many expansions that have seen so many nodes: a plan, two looks at each node, one for each
/// eight edges, and a value for each that was expanded.
fn bill(expansions: u64, seen: u64, widest: u64) -> u64 {
    expansions + 2 * seen + expansions * widest + expansions
}

pub(super) fn step<E: Expander, G: Goal>(
    ground: &Ground<'_, E, G>,
    s: StateId,
    most_expansions: u32,
    mind: &mut Mind<'_>,
    budget: &mut Budget,
) -> Advance {
    search(ground, s, most_expansions.into(), mind, budget);
    let Some(best) = mind.local.first_open() else { return Advance::Stuck };
    let node = &mind.local.nodes()[best as usize];
    let is_lost = is_hopeless(ground.moves, node.g.saturating_add(node.h));
    mind.plan_to(best, most_expansions, budget);
    if !is_lost {
        learn(mind, budget);
    }
    match mind.plan.pop() {
        None => Advance::Stuck,
        Some(next) if is_lost => Advance::Hopeless(next),
        Some(next) => Advance::Move(next),
    }
}

/// A* from s until the goal is the best of the open states, or enough states are closed.
fn search<E: Expander, G: Goal>(
    ground: &Ground<'_, E, G>,
    s: StateId,
    most_expansions: u64,
    mind: &mut Mind<'_>,
    budget: &mut Budget,
) {
    let Mind { learned, local, .. } = mind;
    let h = learned.about(ground.goal);
    let by_f = |g: Cost, h: Cost| (g.saturating_add(h), h);
    local.clear();
    let (start, _) = local.add(s);
    (local.node(start).g, local.node(start).h) = (Cost::ZERO, h.estimate(s));
    local.open(start, by_f(Cost::ZERO, h.estimate(s)));
    for expansions in 1..=most_expansions {
        let Some(node) = local.first_open() else { break };
        let (state, g) = (local.nodes()[node as usize].state, local.nodes()[node as usize].g);
        let seen = local.nodes().len() as u64 + ground.widest.max(8);
        let is_paid = budget.left() >= ground.widest + bill(expansions, seen, ground.widest);
        if ground.goal.is_reached(state) || expansions > 1 && !is_paid {
            break;
        }
        local.pop();
        local.node(node).is_closed = true;
        budget.charge(1);
        let extra = ground.moves.expand(state, None, |child, cost| {
            let (child, is_new) = local.add(child);
            local.add_edge(node, child, cost);
            let to = local.node(child);
            if is_new {
                to.h = h.estimate(to.state);
            }
            let new_g = g.saturating_add(cost);
            if new_g < to.g {
                (to.g, to.parent, to.is_closed) = (new_g, node, false);
                let key = by_f(new_g, to.h);
                local.open(child, key);
            }
        });
        budget.charge(extra);
    }
}

/// Dijkstra's algorithm from the open states backwards. From here on `g` of a node is its new value.
fn learn(mind: &mut Mind<'_>, budget: &mut Budget) {
    let Mind { learned, local, .. } = mind;
    let mut waiting = 0;
    for node in 0..local.nodes().len() as u32 {
        budget.charge(1);
        let this = local.node(node);
        this.g = if this.is_closed { Cost::MAX } else { this.h };
        waiting += u64::from(this.is_closed);
        if !this.is_closed {
            let h = this.h;
            local.open(node, (h, Cost::ZERO));
        }
    }
    while waiting > 0
        && let Some(node) = local.pop()
    {
        budget.charge(1);
        let this = local.nodes()[node as usize];
        if this.is_closed {
            waiting -= 1;
            if this.g > this.h {
                budget.charge(1);
                learned.raise(this.state, this.g);
            }
        }
        carry_back(local, node, this.g, budget);
    }
}

/// A closed state from which an edge leads to `node` is not farther away than that edge and the node's value.
fn carry_back(local: &mut Local, node: u32, value: Cost, budget: &mut Budget) {
    let (mut edge, mut edges) = (local.first_edge(node), 0_u64);
    while let Some((from, cost, next)) = edge {
        let through = value.saturating_add(cost);
        let before = local.node(from);
        if before.is_closed && through < before.g {
            before.g = through;
            local.open(from, (through, Cost::ZERO));
        }
        edges += 1;
        edge = local.edge(next);
    }
    budget.charge(edges / 8);
}
