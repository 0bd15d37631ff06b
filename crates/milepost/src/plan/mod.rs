//! Whole paths: a question in, a path or the reason why there is none out. One file for each planner.
//!
//! This room knows spaces and indexes. It must not know how indexes are built, nor any agent, file, thread or
//! clock.

mod astar;
mod astar_bounds;
mod best_first;
mod bounded;
pub(crate) mod corner_hierarchy;
pub(crate) mod corner_search;
mod dijkstra;
pub(crate) mod first_moves;
mod job;
mod jps;
mod jps_plus;
mod jps_plus_bounds;
pub(crate) mod jump_rows;
mod legs;
mod one_by_one;
mod point_search;
mod query;
mod refusal;
mod scratch;
mod targets;
mod weighted_astar;

pub use astar::Astar;
pub use astar_bounds::AstarBounds;
pub use corner_hierarchy::CornerHierarchy;
pub use dijkstra::Dijkstra;
pub use first_moves::FirstMoves;
pub use job::PlanJob;
pub use jps::Jps;
pub use jps_plus::JpsPlus;
pub use jps_plus_bounds::JpsPlusBounds;
pub use jump_rows::JumpRows;
pub use query::{Goals, Outcome, PartialReason, Query};
pub use refusal::Refusal;
pub use scratch::Scratch;
pub use weighted_astar::WeightedAstar;

use crate::core::Budget;
use crate::index::{Atlas, IndexKind};
use crate::space::Space;

/// A way to find whole paths: a small value of parameters.
pub trait Planner {
    /// Answers a query. The path is left in the scratch.
    fn plan(&self, atlas: &Atlas, query: &Query<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Outcome;

    /// Goes on with the query that this planner was last given with this scratch, after it ran out of budget.
    /// However often a query is cut, the path is the one that a single call would have given.
    fn resume(&self, atlas: &Atlas, query: &Query<'_>, scratch: &mut Scratch, budget: &mut Budget)
    -> Outcome;

    /// Whether its paths are optimal on this space.
    fn is_optimal(&self, space: &Space) -> bool;

    /// The indexes that it reads.
    fn needs(&self) -> &'static [IndexKind] {
        &[]
    }

    /// Why it cannot work on this atlas, if it cannot. Asked anyway, it answers [`Outcome::Refused`].
    fn refusal(&self, _atlas: &Atlas) -> Option<Refusal> {
        None
    }

    /// Whether it obeys the cost overlay of a query. If not, such a query is [`Outcome::Refused`].
    fn obeys_overlays(&self) -> bool {
        true
    }
}
