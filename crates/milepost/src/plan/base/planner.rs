//! What a planner is: the trait to implement.

use super::{Outcome, Phase, Query, Refusal, Scratch, Support, Task};
use crate::core::Budget;
use crate::index::{Atlas, IndexSpec};
use crate::space::Space;
use std::fmt;

/// A way to find whole paths: a small value of parameters.
///
/// ```
/// use milepost::plan::{Astar, Dijkstra};
/// use milepost::{Atlas, Budget, Grid, Heuristic, Planner, Point, Query, Rule, Scratch};
///
/// let atlas = Atlas::new(Grid::new(30, 30, Rule::Octile, |_, _| true)?);
/// let query = Query::new(Point::new(0, 0), Point::new(20, 10));
/// let astar = Astar { heuristic: Some(Heuristic::Octile), ..Astar::default() };
/// let mut scratch = Scratch::new();
/// let mut expanded = |planner: &dyn Planner| {
///     planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
///     scratch.search().expanded()
/// };
/// assert!(expanded(&astar) < expanded(&Dijkstra::default()));
/// assert!(astar.is_optimal(atlas.space()));
/// # Ok::<(), milepost::GridError>(())
/// ```
pub trait Planner: fmt::Debug + Send + Sync {
    /// Begins or goes on with a query that it [supports](Planner::support), towards the targets that were chosen.
    fn advance(&self, task: &mut Task<'_>) -> Outcome;

    /// Whether its paths are optimal on this space.
    fn is_optimal(&self, space: &Space) -> bool;

    /// Its paths cost at most so many times the optimum on this space; `None` if it promises nothing.
    fn bound(&self, space: &Space) -> Option<f64> {
        self.is_optimal(space).then_some(1.0)
    }

    /// Where it works.
    fn support(&self) -> Support {
        Support::EVERYWHERE
    }

    /// Whether it passes portals on a mesh, so that paths begin and end at points; if not, it leads from centre to centre.
    fn passes_portals(&self) -> bool {
        false
    }

    /// Whether the states of its paths, walked from one to the next, cost as little as any such walk on this space. Where it passes
    /// portals they are the corridor of a path that costs something else.
    fn is_optimal_from_state_to_state(&self, space: &Space) -> bool {
        self.is_optimal(space) && !(space.as_mesh().is_some() && self.passes_portals())
    }

    /// The indexes that it reads.
    fn needs(&self) -> &'static [IndexSpec] {
        &[]
    }

    /// A call takes at most so many units more than its budget: what it has begun with its last unit it ends. A query takes
    /// the same units however it is cut, so that slices of `k` units are at most one more than a `k`-th of them.
    ///
    /// What is not counted is choosing the targets, which takes time for each goal and, for a partial path, a look around
    /// goals that cannot be reached; and writing the path, once it is found or as far as it leads.
    fn overrun(&self, atlas: &Atlas) -> u64 {
        match atlas.space().as_mesh() {
            Some(mesh) if self.passes_portals() => mesh.node_units() - 1,
            _ => (**atlas.space()).expansion_units() - 1,
        }
    }

    /// Whether it has a way of its own to the cost alone, which leaves the path out.
    fn knows_distances(&self) -> bool {
        false
    }

    /// Why it cannot work on this atlas, if it cannot. Asked anyway, it answers [`Outcome::Refused`].
    fn refusal(&self, atlas: &Atlas) -> Option<Refusal> {
        self.support().refusal(atlas.space()).or_else(|| Refusal::of_missing(atlas, self.needs()))
    }

    /// Answers a query. The path is left in the scratch.
    fn plan(&self, atlas: &Atlas, query: &Query<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Outcome {
        Task { atlas, query, scratch, budget, phase: Phase::Begin }.run(self)
    }

    /// Goes on with the query that this planner was last given with this scratch, after it ran out of budget.
    /// However often a query is cut, the path is the one that a single call would have given.
    fn resume(
        &self,
        atlas: &Atlas,
        query: &Query<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Outcome {
        Task { atlas, query, scratch, budget, phase: Phase::Continue }.run(self)
    }

    /// Whether it obeys the cost overlay of a query. If not, such a query is [`Outcome::Refused`].
    fn obeys_overlays(&self) -> bool {
        self.support().overlays
    }
}
