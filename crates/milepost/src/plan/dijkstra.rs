//! Expands states in the order of their cost until the goal comes up: no estimate, no assumption.
//!
//! # Paper
//! E. Dijkstra: A note on two problems in connexion with graphs, Numerische Mathematik 1, 1959. The manual of
//! [`Search`](crate::core::Search) calls it A* with h = 0.
//!
//! # Guarantees
//! Complete and optimal on every space. Expands every state nearer than the goal, and looks at all successors of
//! each: the plainest planner there is, against which the others are checked.

use super::best_first::BestFirst;
use super::targets::Turn;
use super::{Outcome, Planner, Query, Scratch};
use crate::core::Budget;
use crate::index::Atlas;
use crate::space::{Heuristic, Space};

/// Dijkstra's algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dijkstra;

const SETUP: BestFirst = BestFirst { heuristic: Heuristic::Zero, weight: None, plain_moves: true };

impl Planner for Dijkstra {
    fn plan(&self, atlas: &Atlas, query: &Query<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Outcome {
        SETUP.plan(atlas, query, scratch, budget, Turn::First)
    }

    fn resume(
        &self,
        atlas: &Atlas,
        query: &Query<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Outcome {
        SETUP.plan(atlas, query, scratch, budget, Turn::Next)
    }

    fn is_optimal(&self, _: &Space) -> bool {
        true
    }
}
