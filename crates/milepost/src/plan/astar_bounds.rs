//! A* that follows an edge only if the goal lies in the box of those goals to which the edge begins a shortest path.
//!
//! # Paper
//! S. Rabin, N. Sturtevant: Faster A* with goal bounding, Game AI Pro 3, 2017, Listing 22.1; first as geometric
//! containers in D. Wagner, T. Willhalm, C. Zaroliagis: Geometric containers for efficient shortest-path computation,
//! ACM Journal of Experimental Algorithmics 10, 2005. The loop is [`Search`](crate::core::Search), the bold line of the
//! listing is [`Bounded`](super::bounded::Bounded).
//!
//! # Symbols
//! `n` the state expanded, `d` one of its neighbours, `WithinBoundingBox(n, d, goal)` whether the goal lies in the box
//! of that edge; `g` cost so far, `h` estimate, `f = g + h` key.
//!
//! # Guarantees
//! Complete. Optimal if the estimate is admissible, as [`Astar`](super::Astar) is: no edge of any shortest path to the
//! goal is left out, and the pruning rules of canonical moves argue about states of shortest paths alone, so they lose
//! none that they would keep without boxes. Works under every rule, with weights and links, and on graphs with
//! coordinates. Reads the index `goal-bounds`. Overlays are refused: they change what is shortest.
//!
//! # Deviations
//! 1. The chapter's boxes surround the goals whose marked path begins with an edge, one edge for each goal. Ours surround
//!    those of all shortest paths: larger boxes, but right whichever of several shortest paths the search prefers.
//! 2. With several goals an edge stays if one of them lies in its box (of more than eight: if its box meets the box
//!    around them).
//! 3. A box that cuts off a goal known to be reachable was tampered with: the answer is
//!    [`Outcome::IndexDamaged`], not unreachable.

use super::best_first::BestFirst;
use super::targets::Turn;
use super::{Outcome, Planner, Query, Refusal, Scratch};
use crate::core::Budget;
use crate::index::{Atlas, IndexKind};
use crate::space::{Heuristic, Space};

/// A* with goal bounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AstarBounds {
    /// The estimate; by default the tightest admissible one.
    pub heuristic: Option<Heuristic>,
}

/// What every planner with goal bounds reads.
pub(super) const NEEDS: [IndexKind; 1] = [IndexKind::GoalBounds];

impl AstarBounds {
    fn setup(&self, atlas: &Atlas) -> BestFirst {
        let tightest = || atlas.space().tightest_heuristic();
        BestFirst {
            heuristic: self.heuristic.unwrap_or_else(tightest),
            weight: None,
            plain_moves: false,
            bounds: true,
        }
    }
}

impl Planner for AstarBounds {
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
        self.heuristic.is_none_or(|heuristic| space.is_admissible(heuristic))
    }

    fn needs(&self) -> &'static [IndexKind] {
        &NEEDS
    }

    fn refusal(&self, atlas: &Atlas) -> Option<Refusal> {
        Refusal::of_estimate(atlas, self.heuristic).or_else(|| Refusal::of_missing(atlas, &NEEDS))
    }

    fn obeys_overlays(&self) -> bool {
        false
    }
}
