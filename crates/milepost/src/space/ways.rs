//! Edges by name: which of the ways out of a state a successor stands for, so that what is known of each edge can be
//! looked up before it is followed.

use crate::core::{Cost, Expander, StateId};

/// One of the ways out of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// A step of a grid, or the first step of a jump: directions are numbered clockwise from north.
    Direction(usize),
    /// A link of a grid, by its place in [`Grid::links`](super::Grid::links).
    Link(usize),
    /// An edge of a graph, by its place among [all edges](super::Graph::edges).
    Edge(usize),
}

/// An expander that names the way to each successor.
pub trait WayExpander: Expander {
    /// As [`Expander::expand`], but follows only those ways that `keeps` accepts. A way that is not followed is work
    /// all the same: the units are those of all ways.
    fn expand_ways(
        &self,
        state: StateId,
        parent: Option<StateId>,
        keeps: impl Fn(Way) -> bool,
        visit: impl FnMut(StateId, Cost),
    ) -> u64;
}

/// On grids the first number of a link: below are the directions.
pub(crate) const FIRST_LINK: usize = 8;
