//! Goals of searches on grids: one cell, the nearest of many, and either with an inflated estimate.
//!
//! Where the grid has links, estimates are capped by what the best link could give.

use super::grid::geometry::PaddedRectangle;
use super::grid::link_exits::MOST_OPENED;
use super::grid::links::{Link, link_cost};
use super::heuristic::Cell;
use super::{Belief, Grid, GridGeometry, GridMetric, Metric, OctileMetric};
use crate::core::{Cost, Goal, StateId};

/// One cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<M> {
    state: StateId,
    cell: Cell,
    rectangle: PaddedRectangle,
    metric: M,
    cap: u64,
}

impl<M: Metric> Target<M> {
    /// The goal to be at `state`. `one` is what a link of cost 1 costs.
    pub(crate) fn new(grid: &Grid, state: StateId, metric: M, one: u64) -> Target<M> {
        Target::capped(grid, state, metric, one, usize::MAX)
    }

    /// The same in bounded work: where ends of many links are about as near, its estimates may be a little lower.
    pub(super) fn bounded(grid: &Grid, state: StateId, metric: M, one: u64) -> Target<M> {
        Target::capped(grid, state, metric, one, MOST_OPENED)
    }

    fn capped(grid: &Grid, state: StateId, metric: M, one: u64, most_opened: usize) -> Target<M> {
        let mut target = Target::over_open_ground(grid.geometry(), state, metric);
        target.cap = grid.link_exits().least(target.cell, metric, one, most_opened);
        target
    }

    /// No estimate is higher than this.
    pub(crate) fn cap(&self) -> u64 {
        self.cap
    }

    /// The goal to be at `state` where no links are known.
    pub(super) fn over_open_ground(geometry: &GridGeometry, state: StateId, metric: M) -> Target<M> {
        Target { state, cell: geometry.cell(state), rectangle: geometry.rectangle(), metric, cap: u64::MAX }
    }

    /// The same where the links are known that were seen.
    pub(super) fn believed(geometry: &GridGeometry, belief: &Belief, state: StateId, metric: M) -> Target<M> {
        let target = Target::over_open_ground(geometry, state, metric);
        Target { cap: belief.least_through_links(geometry, target.cell, metric), ..target }
    }
}

impl Target<OctileMetric> {
    /// The same by a metric that is chosen when the search runs.
    pub(super) fn general(self) -> Target<GridMetric> {
        let Target { state, cell, rectangle, metric, cap } = self;
        Target { state, cell, rectangle, metric: GridMetric::Octile(metric), cap }
    }
}

impl<M: Metric> Goal for Target<M> {
    #[inline]
    fn is_reached(&self, state: StateId) -> bool {
        state == self.state
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        Cost::new(self.metric.distance(self.rectangle.cell(state), self.cell).min(self.cap))
    }
}

/// No way that uses a link is cheaper than this: the least cost of a link plus the estimate at its end.
fn cap(links: &[Link], one: u64, uncapped: &impl Goal) -> u64 {
    let through = |link: &Link| (link_cost(link, one) + uncapped.estimate(link.to)).units();
    links.iter().map(through).min().unwrap_or(u64::MAX)
}

/// Up to this many cells each is asked for its distance; beyond, the box around all of them.
const ASK_EACH: usize = 8;

/// The nearest of many cells. The estimate is the least distance to one of them, or, where they are many, the
/// distance to the box around them: as admissible and consistent as the metric is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets<'a, M> {
    /// In increasing order.
    states: &'a [StateId],
    geometry: GridGeometry,
    metric: M,
    /// Least and greatest column and row.
    columns: (u32, u32),
    rows: (u32, u32),
    cap: u64,
}

impl<'a, M: Metric> Targets<'a, M> {
    /// The goal to be at one of `states`, which must be in increasing order.
    pub(super) fn new(grid: &Grid, states: &'a [StateId], metric: M, one: u64) -> Targets<'a, M> {
        debug_assert!(states.is_sorted());
        let geometry = *grid.geometry();
        let (mut columns, mut rows) = ((u32::MAX, 0), (u32::MAX, 0));
        for &state in states {
            let (column, row) = geometry.cell(state);
            columns = (columns.0.min(column), columns.1.max(column));
            rows = (rows.0.min(row), rows.1.max(row));
        }
        let mut targets = Targets { states, geometry, metric, columns, rows, cap: u64::MAX };
        targets.cap = cap(grid.links(), one, &targets);
        targets
    }
}

impl<M: Metric> Goal for Targets<'_, M> {
    fn is_reached(&self, state: StateId) -> bool {
        self.states.binary_search(&state).is_ok()
    }

    fn estimate(&self, state: StateId) -> Cost {
        let (column, row) = self.geometry.cell(state);
        let distance = if self.states.len() <= ASK_EACH {
            let to = |&target: &StateId| self.metric.distance((column, row), self.geometry.cell(target));
            self.states.iter().map(to).min().unwrap_or(0)
        } else {
            let nearest = (column.clamp(self.columns.0, self.columns.1), row.clamp(self.rows.0, self.rows.1));
            self.metric.distance((column, row), nearest)
        };
        Cost::new(distance.min(self.cap))
    }
}

/// One cell or the nearest of many, by an estimate that is chosen when the search runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum GridGoal<'a> {
    One(Target<GridMetric>),
    Many(Targets<'a, GridMetric>),
}

impl<'a> GridGoal<'a> {
    pub(super) fn new(grid: &Grid, states: &'a [StateId], metric: GridMetric, one: u64) -> GridGoal<'a> {
        match states {
            &[state] => GridGoal::One(Target::new(grid, state, metric, one)),
            states => GridGoal::Many(Targets::new(grid, states, metric, one)),
        }
    }
}

impl Goal for GridGoal<'_> {
    #[inline]
    fn is_reached(&self, state: StateId) -> bool {
        match self {
            GridGoal::One(target) => target.is_reached(state),
            GridGoal::Many(targets) => targets.is_reached(state),
        }
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        match self {
            GridGoal::One(target) => target.estimate(state),
            GridGoal::Many(targets) => targets.estimate(state),
        }
    }
}

/// A factor of at least 1, in thousandths.
///
/// Shown by [`WeightedAstar`](crate::plan::WeightedAstar).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Weight(u32);

impl Weight {
    /// One and a half.
    pub const DEFAULT: Weight = Weight(1500);

    /// The factor `thousandths / 1000`, if it lies between 1 and 1000.
    pub fn from_thousandths(thousandths: u32) -> Option<Weight> {
        (1000..=1_000_000).contains(&thousandths).then_some(Weight(thousandths))
    }

    /// The factor in thousandths.
    pub fn thousandths(self) -> u32 {
        self.0
    }
}

/// A goal whose estimate is inflated by a weight, if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighted<G> {
    goal: G,
    weight: Option<Weight>,
}

impl<G: Goal> Weighted<G> {
    /// Inflates the estimates of `goal`.
    pub(crate) fn new(goal: G, weight: Option<Weight>) -> Weighted<G> {
        Weighted { goal, weight }
    }
}

/// Inflated estimates stop here, so that a key fits 64 bits. Cutting an estimate off lowers it, which no bound
/// minds.
const ESTIMATE_LIMIT: u128 = 1 << 62;

impl<G: Goal> Goal for Weighted<G> {
    #[inline]
    fn is_reached(&self, state: StateId) -> bool {
        self.goal.is_reached(state)
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        let h = self.goal.estimate(state);
        let Some(Weight(thousandths)) = self.weight else { return h };
        Cost::new((u128::from(h.units()) * u128::from(thousandths) / 1000).min(ESTIMATE_LIMIT) as u64)
    }
}
