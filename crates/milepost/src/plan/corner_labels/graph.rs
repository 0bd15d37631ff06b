//! Where there are no labels: A* over the corners, from the first corners of the start to those of the goal.
//!
//! The start and the goal are two more states behind the corners. The estimate, the octile distance or what landmarks say,
//! never exceeds the way over a first corner of the goal; states are opened again where it is not consistent.

use super::candidates::Candidates;
use super::marks::Span;
use crate::core::{Cost, EpochMap, Expander, Goal, KeyRange, StateId};
use crate::index::CornerLabels as Index;
use crate::index::corner_labels::Listed;
use crate::space::Cell;

/// The edges of corners, and those from and to the ends.
pub(super) struct CornerMoves<'a> {
    pub(super) index: Index<'a>,
    pub(super) from: &'a Candidates,
    /// What it costs to go from a corner to the goal.
    pub(super) last_legs: &'a EpochMap<u32, u64>,
}

impl CornerMoves<'_> {
    pub(super) fn start(index: &Index<'_>) -> StateId {
        StateId::new(index.count() as u32)
    }

    pub(super) fn goal(index: &Index<'_>) -> StateId {
        StateId::new(index.count() as u32 + 1)
    }
}

impl Expander for CornerMoves<'_> {
    fn id_bound(&self) -> usize {
        self.index.count() + 2
    }

    fn keys(&self) -> KeyRange {
        let costs = self.index.header.costs;
        let bound = self.index.header.farthest.saturating_mul(2);
        KeyRange { cheapest: Cost::new(costs.straight.max(1)), bound: Cost::new(bound.max(2)) }
    }

    fn expand(&self, state: StateId, _: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        if state == CornerMoves::start(&self.index) {
            let leading = &self.from.listed[..self.from.leading];
            for (&listed, &cost) in leading.iter().zip(&self.from.costs) {
                visit(StateId::new(Listed(listed).corner()), Cost::new(cost));
            }
            return (leading.len() as u64).saturating_sub(8);
        }
        let (here, edges) = (self.index.corner(state.number()).cell(), self.index.edges(state.number()));
        for &to in edges {
            let cost = self.index.header.costs.octile(here, self.index.corner(to).cell());
            visit(StateId::new(to), Cost::new(cost));
        }
        if let Some(cost) = self.last_legs.get(state.number()) {
            visit(CornerMoves::goal(&self.index), Cost::new(cost));
        }
        (edges.len() as u64).saturating_sub(8)
    }
}

/// The goal, and how far it seems.
pub(super) struct Towards<'a> {
    pub(super) index: Index<'a>,
    pub(super) goal: Cell,
    pub(super) span: Span,
}

impl Goal for Towards<'_> {
    fn is_reached(&self, state: StateId) -> bool {
        state == CornerMoves::goal(&self.index)
    }

    fn estimate(&self, state: StateId) -> Cost {
        if state.index() >= self.index.count() {
            return Cost::ZERO;
        }
        let corner = self.index.corner(state.number());
        let octile = self.index.header.costs.octile(corner.cell(), self.goal);
        Cost::new(octile.max(self.span.apart(&corner.marks) << self.index.header.mark_shift))
    }
}
