//! Searches that are compiled once, whatever moves and goal they are given: they call both through pointers. For searches whose
//! speed does not matter, since a viewer waits for each of their steps, and for programs that have to be small
//! ([`IS_COMPACT`](super::IS_COMPACT): the module for browsers). They do what the others do.

use super::{Budget, Cost, Expander, Goal, KeyRange, Search, StateId, Status};

/// An [`Expander`] behind a pointer.
pub(crate) trait AnyExpander {
    fn id_bound(&self) -> usize;

    fn keys(&self) -> KeyRange;

    fn expand(
        &self,
        state: StateId,
        parent: Option<StateId>,
        from: u64,
        budget: &mut Budget,
        visit: &mut dyn FnMut(StateId, Cost),
    ) -> Option<u64>;
}

impl<E: Expander> AnyExpander for E {
    fn id_bound(&self) -> usize {
        Expander::id_bound(self)
    }

    fn keys(&self) -> KeyRange {
        Expander::keys(self)
    }

    fn expand(
        &self,
        state: StateId,
        parent: Option<StateId>,
        from: u64,
        budget: &mut Budget,
        visit: &mut dyn FnMut(StateId, Cost),
    ) -> Option<u64> {
        self.expand_part(state, parent, from, budget, visit)
    }
}

/// Moves, whatever they are.
#[derive(Clone, Copy)]
pub(crate) struct Erased<'a>(pub(crate) &'a dyn AnyExpander);

impl Expander for Erased<'_> {
    fn id_bound(&self) -> usize {
        self.0.id_bound()
    }

    fn keys(&self) -> KeyRange {
        self.0.keys()
    }

    fn expand(&self, state: StateId, parent: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        let mut budget = Budget::unlimited();
        let mut from = Some(0);
        while let Some(place) = from {
            from = self.0.expand(state, parent, place, &mut budget, &mut visit);
        }
        budget.spent()
    }

    // Those that never stop charge an expansion in full here too.
    const STOPS: bool = true;

    fn expand_part(
        &self,
        state: StateId,
        parent: Option<StateId>,
        from: u64,
        budget: &mut Budget,
        mut visit: impl FnMut(StateId, Cost),
    ) -> Option<u64> {
        self.0.expand(state, parent, from, budget, &mut visit)
    }
}

/// A goal, whatever it is.
#[derive(Clone, Copy)]
pub(crate) struct ErasedGoal<'a>(pub(crate) &'a dyn Goal);

impl Goal for ErasedGoal<'_> {
    fn is_reached(&self, state: StateId) -> bool {
        self.0.is_reached(state)
    }

    fn estimate(&self, state: StateId) -> Cost {
        self.0.estimate(state)
    }
}

/// [`Search::run`], compiled once.
#[inline(never)]
pub(crate) fn run_erased(
    search: &mut Search,
    expander: Erased<'_>,
    goal: ErasedGoal<'_>,
    budget: &mut Budget,
) -> Status {
    search.run(&expander, &goal, budget)
}
