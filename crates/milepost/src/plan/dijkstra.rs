//! Expands states in the order of their cost until the goal comes up: no estimate, no assumption.
//!
//! # Paper
//! E. Dijkstra: A note on two problems in connexion with graphs, Numerische Mathematik 1, 1959. The manual of
//! [`Search`](crate::core::Search) calls it A* with h = 0.
//!
//! # Guarantees
//! Complete and optimal on every space. Expands every state nearer than the goal, and looks at all successors of
//! each: the plainest planner there is, against which the others are checked. With [goal bounds](super::AstarBounds) it
//! leaves out edges whose box does not hold the goal: still complete and optimal, no longer plain.

use super::astar_bounds::NEEDS;
use super::best_first::BestFirst;
use super::targets::Turn;
use super::{Outcome, Planner, Query, Refusal, Scratch};
use crate::core::Budget;
use crate::index::{Atlas, IndexKind};
use crate::space::{Heuristic, Space};

/// Dijkstra's algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dijkstra {
    /// Whether edges are left out whose box of goals does not hold the goal.
    pub bounds: bool,
}

impl Dijkstra {
    fn setup(&self) -> BestFirst {
        BestFirst { heuristic: Heuristic::Zero, weight: None, plain_moves: true, bounds: self.bounds }
    }
}

impl Planner for Dijkstra {
    fn plan(&self, atlas: &Atlas, query: &Query<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Outcome {
        self.setup().plan(atlas, query, scratch, budget, Turn::First)
    }

    fn resume(
        &self,
        atlas: &Atlas,
        query: &Query<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Outcome {
        self.setup().plan(atlas, query, scratch, budget, Turn::Next)
    }

    fn is_optimal(&self, _: &Space) -> bool {
        true
    }

    fn needs(&self) -> &'static [IndexKind] {
        if self.bounds { &NEEDS } else { &[] }
    }

    fn refusal(&self, atlas: &Atlas) -> Option<Refusal> {
        Refusal::of_missing(atlas, self.needs())
    }

    fn obeys_overlays(&self) -> bool {
        !self.bounds
    }
}
