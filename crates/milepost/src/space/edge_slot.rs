//! Edge slots: the name of each edge out of a state, so that a search can look up what is known of an edge before it
//! follows it.

use crate::core::{Budget, Cost, Expander, StateId};

/// An edge out of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeSlot {
    /// A step of a grid, or the first step of a jump: directions are numbered clockwise from north.
    Direction(usize),
    /// A link of a grid, by its place in [`Grid::links`](super::Grid::links).
    Link(usize),
    /// An edge of a graph, by its place among [all edges](super::Graph::edges).
    Edge(usize),
}

/// An expander that names the edge to each successor.
pub(crate) trait SlotExpander: Expander {
    /// As [`Expander::expand`], but follows only those edges that `keeps` accepts. An edge that is not followed is work
    /// all the same: the units are those of all edges.
    fn expand_slots(
        &self,
        state: StateId,
        parent: Option<StateId>,
        keeps: impl Fn(EdgeSlot) -> bool,
        visit: impl FnMut(StateId, Cost),
    ) -> u64;

    /// As [`Expander::expand_part`], likewise.
    #[inline(always)]
    fn expand_slots_part(
        &self,
        (state, parent): (StateId, Option<StateId>),
        _from: u64,
        budget: &mut Budget,
        keeps: impl Fn(EdgeSlot) -> bool,
        visit: impl FnMut(StateId, Cost),
    ) -> Option<u64> {
        budget.charge(self.expand_slots(state, parent, keeps, visit));
        None
    }
}

/// On grids the first [slot number](super::SpaceKind::slot_number) of a link: below are the directions.
pub(crate) const FIRST_LINK: usize = 8;
