//! Edges by name: which of the ways out of a state a successor stands for, so that what is known of each edge can be
//! looked up before it is followed.

use super::Space;
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

impl Space {
    /// The ways out of a state have numbers: on grids a step has that of its direction and links follow from
    /// [`FIRST_LINK`] on, those to blocked cells included; on graphs the edges of a node are counted from 0.
    pub(crate) fn way_number(&self, state: StateId, way: Way) -> usize {
        match (self, way) {
            (_, Way::Direction(direction)) => direction,
            (Space::Grid(grid), Way::Link(place)) => {
                FIRST_LINK + place.saturating_sub(grid.link_list().from(state).0)
            }
            (Space::Graph(graph), Way::Edge(place)) => place.saturating_sub(graph.first_edge(state)),
            (Space::Grid(_), Way::Edge(place)) | (Space::Graph(_), Way::Link(place)) => place,
        }
    }

    /// Where the way of this number leads; `None` where there is none, or from no free state.
    #[inline]
    pub(crate) fn along(&self, state: StateId, number: usize) -> Option<StateId> {
        match self {
            Space::Grid(grid) if number < FIRST_LINK => {
                let is_allowed = grid.is_free(state) && grid.directions(state) >> number & 1 == 1;
                is_allowed.then(|| grid.beside(state, number))
            }
            Space::Grid(grid) => {
                let (_, links) = grid.link_list().from(state);
                let link = links.get(number - FIRST_LINK)?;
                (grid.is_free(state) && grid.is_free(link.to)).then_some(link.to)
            }
            Space::Graph(graph) => graph.edge_end(state, number),
        }
    }
}
