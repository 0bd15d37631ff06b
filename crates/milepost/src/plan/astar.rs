//! Expands the state with the least cost so far plus estimated cost to go.
//!
//! # Paper
//! P. Hart, N. Nilsson, B. Raphael: A formal basis for the heuristic determination of minimum cost paths, 1968;
//! as told by P. Fulmański, Artificial intelligence in games: Pathfinding, 2016, Algorithms 1 and 2. The loop is
//! [`Search`](crate::core::Search), and its deviations are listed there.
//!
//! # Symbols
//! `g` cost so far, `h` estimate, `f = g + h` key.
//!
//! # Guarantees
//! Complete. Optimal if the estimate is admissible for the rule (see [`Heuristic`]); the default is the tightest
//! one that is. With an inadmissible estimate, such as Manhattan where diagonal steps are allowed, paths may be
//! longer than needed.
//!
//! # Deviations
//! 1. Where all straight steps cost the same, `getChildren` leaves out children that are reached as well by another
//!    order of steps ([`CanonicalMoves`](crate::space::CanonicalMoves)): the states expanded are the same, half the
//!    time.
//! 2. The manual calls Manhattan's slight overestimate inadmissible without saying where: with four moves it is
//!    admissible and consistent, with diagonal moves it is neither.

use super::best_first::BestFirst;
use super::targets::Turn;
use super::{Outcome, Planner, Query, Refusal, Scratch};
use crate::core::Budget;
use crate::index::Atlas;
use crate::space::{Heuristic, Space};

/// A*.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Astar {
    /// The estimate; by default the tightest admissible one.
    pub heuristic: Option<Heuristic>,
}

impl Astar {
    fn setup(&self, atlas: &Atlas) -> BestFirst {
        let tightest = || atlas.space().tightest_heuristic();
        BestFirst {
            heuristic: self.heuristic.unwrap_or_else(tightest),
            weight: None,
            plain_moves: false,
            bounds: false,
        }
    }
}

impl Planner for Astar {
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

    fn refusal(&self, atlas: &Atlas) -> Option<Refusal> {
        Refusal::of_estimate(atlas, self.heuristic)
    }
}
