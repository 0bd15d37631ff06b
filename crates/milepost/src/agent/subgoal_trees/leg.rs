//! One move towards a subgoal.

use crate::agent::learning::{Advance, Ground, Learner, Terms};
use crate::core::{Budget, Cost, Expander, Goal, Local, StateId};
use crate::space::{SlotExpander, Space, SpaceVisitor};

/// A move towards a subgoal, on whatever ground.
pub(super) struct Leg<'a> {
    pub(super) space: &'a Space,
    pub(super) s: StateId,
    pub(super) target: StateId,
    pub(super) terms: Terms,
    pub(super) learner: &'a mut Learner,
    pub(super) local: &'a mut Local,
    pub(super) budget: &'a mut Budget,
}

impl SpaceVisitor for Leg<'_> {
    type Answer = Advance;

    fn visit<E: SlotExpander, G: Goal>(self, moves: &E, goal: &G) -> Advance {
        // Deviation 3 of `mod.rs`.
        if let Some((next, _)) = step_onto(self.space, moves, self.s, self.target, self.budget) {
            return Advance::Move(next);
        }
        let (one, widest) = (self.space.scale().one(), self.terms.widest);
        let ground = Ground { moves, cells: None, goal, target: self.target, one, widest };
        self.learner.step(&ground, self.s, self.local, self.budget)
    }
}

/// The step onto a state, if one stands beside it and steps have any costs.
pub(super) fn step_onto<E: Expander>(
    space: &Space,
    moves: &E,
    from: StateId,
    to: StateId,
    budget: &mut Budget,
) -> Option<(StateId, Cost)> {
    if space.as_grid().is_some_and(|grid| grid.is_plain()) {
        return None;
    }
    let mut least: Option<Cost> = None;
    budget.charge(1);
    let extra = moves.expand(from, None, |child, cost| {
        if child == to {
            least = Some(least.map_or(cost, |least| least.min(cost)));
        }
    });
    budget.charge(extra);
    least.map(|cost| (to, cost))
}
