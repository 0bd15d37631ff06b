//! An expander around another one that leaves out edges whose box does not hold the goal: one test for each edge, and
//! the whole of goal bounding.
//!
//! # Paper
//! S. Rabin, N. Sturtevant: Faster A* with goal bounding, Game AI Pro 3, 2017, Listing 22.1: `WithinBoundingBox(n, d,
//! goal)` is [`GoalBounds`]' answer for the way `d` out of the state `n`.
//!
//! # Guarantees
//! Boxes hold every goal to which some shortest path begins with their edge. So on shortest paths to a goal no edge is
//! left out, and a search that finds one of them without boxes finds one with them (the builder of `goal-bounds` carries
//! the argument). With several goals an edge stays if its box holds one of them, or, where they are many, meets the box
//! around all of them: no edge is left out that would stay for one of the goals alone.

use crate::core::{Cost, Expander, KeyRange, StateId};
use crate::index::GoalBounds;
use crate::index::goal_bounds::Aim;
use crate::space::WayExpander;

/// An expander that looks only where a goal can lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounded<'a, E> {
    inner: E,
    bounds: GoalBounds<'a>,
    aim: Aim,
}

impl<'a, E: WayExpander> Bounded<'a, E> {
    /// The expander towards these goals, which must be free states.
    pub(super) fn new(inner: E, bounds: GoalBounds<'a>, goals: &[StateId]) -> Bounded<'a, E> {
        Bounded { inner, bounds, aim: bounds.aim(goals) }
    }
}

impl<E: WayExpander> Expander for Bounded<'_, E> {
    fn id_bound(&self) -> usize {
        self.inner.id_bound()
    }

    fn keys(&self) -> KeyRange {
        self.inner.keys()
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        let here = self.bounds.of(state);
        self.inner.expand_ways(state, parent, |way| self.bounds.holds(here, way, &self.aim), visit)
    }
}
