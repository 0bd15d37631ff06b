//! From a query to one goal after another and back to a path: what planners share that know only one goal at a time.
//!
//! Goals are tried in the order of their estimates. Each must beat the best one so far, so most of the others end
//! early; and the path to the best one so far is kept, since the next try overwrites what it was read from. The answer
//! is that of the best-first planners: least cost, then least id.

use super::targets::{Turn, choose_targets};
use super::{Outcome, PartialReason, Planner, Query, Refusal, Scratch};
use crate::core::{Budget, Cost, Expander, Goal, StateId, Status, with_vectors};
use crate::index::{Atlas, IndexKind};
use crate::space::{Grid, OctileMetric, Space, Target};

/// One goal of a query, and what it must beat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg<'a> {
    pub(super) grid: &'a Grid,
    pub(super) start: StateId,
    pub(super) goal: StateId,
    /// A path that costs more is of no use.
    pub(super) limit: Option<Cost>,
    /// Somebody may ask for the best state so far.
    pub(super) partial: bool,
    pub(super) turn: Turn,
}

/// What came of one turn towards one goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tried {
    /// There is a path within the limit, at this cost.
    Found(Cost),
    /// There is no path within the limit.
    NoBetter,
    /// The budget is gone; the next turn goes on.
    Suspended,
    /// An index says what cannot be.
    Damaged,
}

/// A planner that knows how to get from one state to one other, on grids without overlays. The methods that are given
/// read the scratch's search; a planner that keeps what it found elsewhere brings its own. All of them jump over uniform
/// ground and find optimal paths; what else a [`Planner`] is follows.
pub(super) trait ToOne {
    /// The indexes that it reads.
    fn reads(&self) -> &'static [IndexKind] {
        &[]
    }

    /// Begins ([`Turn::First`]) or goes on towards the goal of a leg. The goal can be reached.
    fn run(&self, atlas: &Atlas, leg: &Leg<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Tried;

    /// After [`Tried::Suspended`]: the best state so far as [`PartialReason::OutOfBudget`] describes it, and what the
    /// way there costs. Asked only if the leg says so.
    fn best_so_far(&self, leg: &Leg<'_>, scratch: &Scratch) -> (Cost, StateId) {
        let end = scratch.search.nearest().unwrap_or(leg.start);
        (scratch.search.cost(end).unwrap_or(Cost::ZERO), end)
    }

    /// Writes the waypoints of the way to `end`, which is the goal found or the best state so far.
    fn write_path(&self, _atlas: &Atlas, leg: &Leg<'_>, end: StateId, scratch: &mut Scratch) {
        let (Scratch { search, path, .. }, grid) = (scratch, leg.grid);
        let states = search.trace(end).flat_map(|state| {
            let elbow = search.parent(state).and_then(|parent| grid.elbow(parent, state));
            std::iter::once(state).chain(elbow)
        });
        path.fill_backwards(states, |before, at, after| grid.turns(before, at, after), |_, _| false);
    }
}

impl<P: ToOne> Planner for P {
    fn plan(&self, atlas: &Atlas, query: &Query<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Outcome {
        plan(self, atlas, query, scratch, budget, Turn::First)
    }

    fn resume(
        &self,
        atlas: &Atlas,
        query: &Query<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Outcome {
        plan(self, atlas, query, scratch, budget, Turn::Next)
    }

    fn is_optimal(&self, _: &Space) -> bool {
        true
    }

    fn needs(&self) -> &'static [IndexKind] {
        self.reads()
    }

    fn refusal(&self, atlas: &Atlas) -> Option<Refusal> {
        Refusal::of_jumping(atlas.space()).or_else(|| Refusal::of_missing(atlas, self.reads()))
    }

    fn obeys_overlays(&self) -> bool {
        false
    }
}

/// One turn of a search towards the goal of a leg, for planners that are one.
pub(super) fn search<E: Expander>(
    leg: &Leg<'_>,
    expander: &E,
    scratch: &mut Scratch,
    budget: &mut Budget,
) -> Tried {
    let (search, target) = (&mut scratch.search, target(leg.grid, leg.goal));
    if leg.turn == Turn::First {
        search.begin(expander, &target, leg.start);
        search.set_limit(leg.limit);
        if leg.partial {
            search.track_nearest();
        }
    }
    match with_vectors(
        #[inline(always)]
        || search.run(expander, &target, budget),
    ) {
        Status::Reached(state) => Tried::Found(search.cost(state).unwrap_or(Cost::MAX)),
        Status::Exhausted => Tried::NoBetter,
        Status::Suspended => Tried::Suspended,
    }
}

fn target(grid: &Grid, goal: StateId) -> Target<OctileMetric> {
    let scale = grid.scale();
    Target::new(grid, goal, OctileMetric::new(scale.straight(), scale.diagonal()), scale.one())
}

/// The estimated cost between two cells: never too much under the octile rules.
fn estimate(grid: &Grid, from: StateId, to: StateId) -> Cost {
    target(grid, to).estimate(from)
}

/// Answers a query, or goes on with it.
fn plan<P: ToOne>(
    planner: &P,
    atlas: &Atlas,
    query: &Query<'_>,
    scratch: &mut Scratch,
    budget: &mut Budget,
    mut turn: Turn,
) -> Outcome {
    let space = atlas.space();
    let Some(grid) = space.as_grid() else { return Outcome::Refused };
    if query.overlay.is_some() || planner.refusal(atlas).is_some() {
        return Outcome::Refused;
    }
    if turn == Turn::First {
        scratch.path.clear(space.scale(), space.version());
        scratch.targets_are_substitutes = false;
        scratch.best_target = None;
        scratch.current_target = 0;
        scratch.search.forget();
        if !choose_targets(space, query, scratch) {
            return Outcome::Unreachable;
        }
        if scratch.targets.len() > 1 {
            scratch.targets.sort_unstable_by_key(|&target| (estimate(grid, query.start, target), target));
        }
    }
    while let Some(&goal) = scratch.targets.get(scratch.current_target) {
        let best = scratch.best_target;
        if best.is_some_and(|best| (estimate(grid, query.start, goal), goal) > best) {
            // Nor can those that seem farther away; of those that seem as far this has the least id.
            break;
        }
        // A path as long as the best one so far is better if it leads to a lower id.
        let limit = best.map(|(cost, id)| if goal < id { cost } else { cost - Cost::new(1) });
        let leg = Leg { grid, start: query.start, goal, limit, partial: query.partial, turn };
        match planner.run(atlas, &leg, scratch, budget) {
            Tried::Found(cost) => {
                scratch.best_target = Some((cost, goal));
                keep_path(planner, atlas, &leg, query, (cost, goal), scratch);
            }
            Tried::NoBetter => {}
            Tried::Damaged => return Outcome::IndexDamaged,
            Tried::Suspended if !query.partial => return Outcome::OutOfBudget,
            Tried::Suspended => {
                // A goal that was reached is nearer than any other state, and its path is there already.
                let (cost, end) = best.unwrap_or_else(|| {
                    let so_far = planner.best_so_far(&leg, scratch);
                    keep_path(planner, atlas, &leg, query, so_far, scratch);
                    so_far
                });
                return Outcome::Partial { cost, end, reason: PartialReason::OutOfBudget };
            }
        }
        scratch.current_target += 1;
        turn = Turn::First;
    }
    match scratch.best_target {
        None => Outcome::Unreachable,
        Some((cost, end)) if scratch.targets_are_substitutes => {
            Outcome::Partial { cost, end, reason: PartialReason::Unreachable }
        }
        Some((cost, goal)) => Outcome::Found { cost, goal },
    }
}

fn keep_path<P: ToOne>(
    planner: &P,
    atlas: &Atlas,
    leg: &Leg<'_>,
    query: &Query<'_>,
    (cost, end): (Cost, StateId),
    scratch: &mut Scratch,
) {
    scratch.path.set_cost(cost);
    if !query.distance_only {
        planner.write_path(atlas, leg, end, scratch);
    }
}
