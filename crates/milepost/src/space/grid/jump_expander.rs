//! What expanders that jump over a grid have in common: an expansion may take many units, and stops where they are gone.

use crate::core::{Budget, Cost, Expander, KeyRange, StateId};
use crate::space::{EdgeSlot, GridGeometry, SlotExpander};

/// An expander that jumps. The rest of an [`Expander`] and a [`SlotExpander`] follows.
pub(crate) trait JumpExpander {
    /// The shape of its grid.
    fn geometry(&self) -> &GridGeometry;

    /// [`SlotExpander::expand_slots_part`].
    fn jump_part(
        &self,
        expanded: (StateId, Option<StateId>),
        from: u64,
        budget: &mut Budget,
        keeps: impl Fn(EdgeSlot) -> bool,
        visit: impl FnMut(StateId, Cost),
    ) -> Option<u64>;
}

impl<J: JumpExpander> Expander for J {
    fn id_bound(&self) -> usize {
        self.geometry().id_bound()
    }

    fn keys(&self) -> KeyRange {
        // Jumps are long: with buckets made for single steps most keys would lie beyond all of them.
        let scale = self.geometry().scale();
        let cheapest = Cost::new(scale.straight().saturating_mul(32));
        KeyRange { cheapest, bound: Cost::new(scale.bound()) }
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.expand_slots(state, parent, |_| true, visit)
    }

    const STOPS: bool = true;

    #[inline(always)]
    fn expand_part(
        &self,
        state: StateId,
        parent: Option<StateId>,
        from: u64,
        budget: &mut Budget,
        visit: impl FnMut(StateId, Cost),
    ) -> Option<u64> {
        self.jump_part((state, parent), from, budget, |_| true, visit)
    }
}

impl<J: JumpExpander> SlotExpander for J {
    fn expand_slots(
        &self,
        state: StateId,
        parent: Option<StateId>,
        keeps: impl Fn(EdgeSlot) -> bool,
        visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        let mut budget = Budget::unlimited();
        self.jump_part((state, parent), 0, &mut budget, keeps, visit);
        budget.spent()
    }

    #[inline(always)]
    fn expand_slots_part(
        &self,
        expanded: (StateId, Option<StateId>),
        from: u64,
        budget: &mut Budget,
        keeps: impl Fn(EdgeSlot) -> bool,
        visit: impl FnMut(StateId, Cost),
    ) -> Option<u64> {
        self.jump_part(expanded, from, budget, keeps, visit)
    }
}
