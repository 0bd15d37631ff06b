//! The search of RTAA*: a small A* from where somebody stands, after which every state that it expanded knows more.
//!
//! # Paper
//! S. Koenig, M. Likhachev: Real-time adaptive A*, AAMAS 2006; lines are those of Algorithms 3 and 4 in N. Rivera,
//! L. Illanes, J. A. Baier: Real-time pathfinding in unknown terrain via reconnection with an ideal tree, IBERAMIA 2014,
//! where the search may also end at any state that a test accepts. The choice of daRTAA* is that of C. Hernández,
//! J. A. Baier: Avoiding and escaping depressions in real-time heuristic search, JAIR 43, 2012.
//!
//! # Guarantees
//! At most k expansions, each a unit and what lies beyond eight successors, and for each a value and, with `avoids`, a
//! look at what it saw. Values are never lowered; a consistent estimate stays consistent.

use crate::core::{Budget, Cost, Expander, Goal, Local, LocalNode, StateId};

/// Whether a search may end at a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    Yes,
    No,
    /// Nobody has had the time to find out.
    Unknown,
}

/// What was learned about one goal.
pub(super) trait Values {
    /// The value of a state, if one was learned.
    fn of(&self, state: StateId) -> Option<Cost>;

    /// Takes note of a value. It must be higher than the one before.
    fn raise(&mut self, state: StateId, h: Cost);
}

/// What a search is given.
pub(super) struct LookAhead<'a, E, G> {
    pub(super) moves: &'a E,
    pub(super) h_0: &'a G,
    /// The most states to expand.
    pub(super) k: u64,
    /// Whether it goes where least was learned.
    pub(super) avoids: bool,
}

/// What an expansion takes with all that follows from it: the value, a step of the plan, another look at what it saw.
pub(super) fn cost_of_expansion(expansion: u64, widest: u64, avoids: bool) -> u64 {
    expansion + 2 + if avoids { widest.max(8) } else { 0 }
}

/// What came of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// The search may end at this node.
    End(u32),
    /// This one is the best of the border.
    Border(u32),
    /// This is, but its value is one that no path can cost.
    Hopeless(u32),
    /// No state is left. Says whether all of them are known not to be an end.
    Exhausted { is_known: bool },
}

impl<E: Expander, G: Goal> LookAhead<'_, E, G> {
    /// Searches from `s`, and learns.
    pub(super) fn run(
        &self,
        s: StateId,
        learned: &mut impl Values,
        local: &mut Local,
        mut is_end: impl FnMut(StateId) -> Answer,
        budget: &mut Budget,
    ) -> Found {
        let found = self.search(s, learned, local, &mut is_end, budget);
        let next = match found {
            Found::End(next) | Found::Border(next) => next,
            Found::Hopeless(_) | Found::Exhausted { .. } => return found,
        };
        let f = local.nodes()[next as usize].g.saturating_add(local.nodes()[next as usize].h);
        if f >= self.moves.keys().bound && found == Found::Border(next) {
            return Found::Hopeless(next);
        }
        // Alg. 3, l. 7-8.
        for node in local.nodes().iter().filter(|node| node.is_closed) {
            let h = Cost::new(f.units().saturating_sub(node.g.units()));
            if h > node.h {
                budget.charge(1);
                learned.raise(node.state, h);
            }
        }
        match found {
            Found::Border(next) if self.avoids => {
                Found::Border(self.least_learned(local, budget).unwrap_or(next))
            }
            found => found,
        }
    }

    /// Algorithm 4.
    fn search(
        &self,
        s: StateId,
        learned: &impl Values,
        local: &mut Local,
        is_end: &mut impl FnMut(StateId) -> Answer,
        budget: &mut Budget,
    ) -> Found {
        let h = |state: StateId| {
            let h_0 = self.h_0.estimate(state);
            learned.of(state).map_or(h_0, |learned| learned.max(h_0))
        };
        // l. 2-5.
        local.clear();
        let (start, _) = local.add(s);
        let h_of_s = h(s);
        (local.node(start).g, local.node(start).h) = (Cost::ZERO, h_of_s);
        local.open(start, (h_of_s, h_of_s));
        let (mut expansions, mut is_known) = (0, true);
        // l. 6.
        while let Some(node) = local.first_open() {
            let LocalNode { state, g, parent, .. } = local.nodes()[node as usize];
            let parent = local.nodes().get(parent as usize).map(|parent| parent.state);
            match is_end(state) {
                Answer::Yes => return Found::End(node),
                Answer::No => {}
                Answer::Unknown => is_known = false,
            }
            if expansions == self.k {
                return Found::Border(node);
            }
            // l. 7-8.
            local.pop();
            local.node(node).is_closed = true;
            budget.charge(1);
            // l. 9-15.
            let extra = self.moves.expand_beyond(state, parent, |child, cost| {
                let (child, is_new) = local.add(child);
                let to = local.node(child);
                if is_new {
                    to.h = h(to.state);
                }
                let new_g = g.saturating_add(cost);
                if new_g < to.g {
                    (to.g, to.parent, to.is_closed) = (new_g, node, false);
                    let key = (new_g.saturating_add(to.h), to.h);
                    local.open(child, key);
                }
            });
            budget.charge(extra);
            // l. 16.
            expansions += 1;
        }
        Found::Exhausted { is_known }
    }

    /// daRTAA*: the open state about which least was learned, then the one with the least f, then the one seen first.
    fn least_learned(&self, local: &Local, budget: &mut Budget) -> Option<u32> {
        budget.charge(local.nodes().len() as u64);
        let open = (0..).zip(local.nodes()).filter(|(_, node)| !node.is_closed);
        let key = |(number, node): (u32, &LocalNode)| {
            let learned = node.h.units().saturating_sub(self.h_0.estimate(node.state).units());
            (learned, node.g.saturating_add(node.h), number)
        };
        open.map(key).min().map(|(_, _, number)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::learning::Learned;
    use crate::core::Rng;
    use crate::space::{Belief, Grid, Ground, Outline, Rule};

    /// The moves of a map that somebody has seen all of.
    fn seen(grid: &Grid) -> Belief {
        let mut belief = Belief::new();
        for cell in grid.all_cells() {
            belief.take_in(Ground::Grid(Outline::of(grid)), cell, grid.is_free(cell));
        }
        belief
    }

    #[test]
    fn learning_never_lowers_a_value_and_keeps_the_estimate_consistent() {
        let mut rng = Rng::new(91);
        for round in 0..60 {
            let rule = [Rule::Octile, Rule::OctileCutting, Rule::Octile14][round % 3];
            let grid = Grid::new(9, 9, rule, |_, _| rng.below(100) < 70).expect("a small map");
            let free: Vec<StateId> = grid.free_states().collect();
            let (belief, ground) = (seen(&grid), Ground::Grid(Outline::of(&grid)));
            let (moves, mut local, mut learned) =
                (belief.moves(ground), Local::default(), Learned::default());
            let goal = free[rng.below(free.len() as u32) as usize];
            learned.turn_to(goal);
            let target = ground.target(&goal);
            let k = u64::from(1 + rng.below(12));
            let ahead = LookAhead { moves: &moves, h_0: &target, k, avoids: false };
            for _ in 0..80 {
                let value = |learned: &Learned, state| learned.about(&target).estimate(state);
                let before: Vec<Cost> = free.iter().map(|state| value(&learned, *state)).collect();
                let s = free[rng.below(free.len() as u32) as usize];
                let is_end = |state| if state == goal { Answer::Yes } else { Answer::No };
                let mut budget = Budget::unlimited();
                ahead.run(s, &mut learned, &mut local, is_end, &mut budget);
                assert!(budget.spent() <= k * cost_of_expansion(1, 8, false));
                assert_eq!(value(&learned, goal), Cost::ZERO);
                for (state, before) in free.iter().zip(&before) {
                    let h = value(&learned, *state);
                    assert!(h >= *before);
                    moves.expand(*state, None, |next, cost| {
                        assert!(h <= cost.saturating_add(value(&learned, next)), "{state} to {next}");
                    });
                }
            }
        }
    }
}
