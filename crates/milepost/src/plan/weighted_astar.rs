//! A* that trusts its estimate more than it should: fewer expansions for paths at most `w` times too long.
//!
//! # Paper
//! I. Pohl: Heuristic search viewed as path finding in a graph, Artificial Intelligence 1, 1970.
//!
//! # Symbols
//! `w` the weight, `f = g + w * h` the key.
//!
//! # Guarantees
//! Complete. With an admissible `h` the path costs at most `w` times the optimum: as long as the goal has not
//! come out of the open list, some state `n` of an optimal path is open with `g(n)` optimal (closed states are
//! opened again when a better way is found), so the key of the goal when it does come out, which is its cost, is
//! at most `g(n) + w * h(n) <= w * (g(n) + h(n)) <= w * optimum`. Rounding `w * h` down only lowers the key.
//!
//! With [goal bounds](super::AstarBounds) the bound stays: the argument speaks of the states of optimal paths alone, and
//! between those no edge is left out. What is cut are other ways to the goal, so the path may be another one; the key
//! with which the goal comes out is bounded as before.

use super::astar_bounds::NEEDS;
use super::best_first::BestFirst;
use super::targets::Turn;
use super::{Outcome, Planner, Query, Refusal, Scratch};
use crate::core::Budget;
use crate::index::{Atlas, IndexKind};
use crate::space::{Heuristic, Space, Weight};

/// Weighted A*.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightedAstar {
    /// How much the estimate is inflated.
    pub weight: Weight,
    /// The estimate; by default the tightest admissible one.
    pub heuristic: Option<Heuristic>,
    /// Whether edges are left out whose box of goals does not hold the goal.
    pub bounds: bool,
}

impl WeightedAstar {
    fn setup(&self, atlas: &Atlas) -> BestFirst {
        let tightest = || atlas.space().tightest_heuristic();
        BestFirst {
            heuristic: self.heuristic.unwrap_or_else(tightest),
            weight: Some(self.weight),
            plain_moves: false,
            bounds: self.bounds,
        }
    }
}

impl Planner for WeightedAstar {
    fn plan(&self, atlas: &Atlas, query: &Query<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Outcome {
        self.setup(atlas).plan(atlas, query, scratch, budget, Turn::First)
    }

    fn resume(
        &self,
        atlas: &Atlas,
        query: &Query<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Outcome {
        self.setup(atlas).plan(atlas, query, scratch, budget, Turn::Next)
    }

    fn is_optimal(&self, space: &Space) -> bool {
        self.weight.thousandths() == 1000
            && self.heuristic.is_none_or(|heuristic| space.is_admissible(heuristic))
    }

    fn needs(&self) -> &'static [IndexKind] {
        if self.bounds { &NEEDS } else { &[] }
    }

    fn refusal(&self, atlas: &Atlas) -> Option<Refusal> {
        Refusal::of_estimate(atlas, self.heuristic).or_else(|| Refusal::of_missing(atlas, self.needs()))
    }

    fn obeys_overlays(&self) -> bool {
        !self.bounds
    }
}
