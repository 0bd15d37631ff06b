//! From a query to the one search and back to a path: what the best-first planners share.
//!
//! Options are looked at once, here, and the search is compiled for what they select: moves with or without an
//! overlay, the common estimates or any other, one goal or many, inflated or not.

use super::{Outcome, PartialReason, Query};
use crate::core::{Budget, Cost, CostScale, Expander, Goal, Scratch, StateId, Status};
use crate::index::Atlas;
use crate::space::{
    Grid, Heuristic, Metric, OctileMetric, OtherMetric, Space, Target, Targets, Weight, Weighted, ZeroMetric,
};

/// What tells the best-first planners apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct BestFirst {
    pub(super) heuristic: Heuristic,
    pub(super) weight: Option<Weight>,
    /// All successors of every state, although one order of steps would do where costs are uniform.
    pub(super) plain_moves: bool,
}

/// Whether a query begins or goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    First,
    Next,
}

impl BestFirst {
    /// Answers a query, or goes on with it.
    pub(super) fn plan(
        self,
        atlas: &Atlas,
        query: &Query<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
        turn: Turn,
    ) -> Outcome {
        let Space::Grid(grid) = atlas.space();
        if query.overlay.is_some_and(|overlay| !overlay.fits(grid)) {
            return Outcome::Refused;
        }
        if turn == Turn::First {
            let scale = query.overlay.map_or(grid.scale(), |overlay| overlay.scale());
            scratch.path.clear(scale, grid.version());
            scratch.targets_are_substitutes = false;
            scratch.best_target = None;
            scratch.search.forget();
        }
        if turn == Turn::First && !choose_targets(grid, query, scratch) {
            return Outcome::Unreachable;
        }
        // The targets are read while the search is written to.
        let targets = std::mem::take(&mut scratch.targets);
        let costs_are_settled = self.weight.is_none()
            && self.heuristic.is_admissible(grid.rule())
            && !matches!(self.heuristic, Heuristic::PNorm(_));
        let mut run = Run { grid, query, targets: &targets, scratch, budget, turn, costs_are_settled };
        let outcome = match query.overlay {
            None if self.plain_moves => self.choose_metric(&mut run, &grid.moves(), grid.scale(), 1),
            None => self.choose_metric(&mut run, &grid.canonical_moves(), grid.scale(), 1),
            Some(overlay) => {
                // Half units: the cheapest step counts its factor twice.
                let least = 2 * u64::from(overlay.least());
                self.choose_metric(&mut run, &overlay.moves(grid), overlay.scale(), least)
            }
        };
        scratch.targets = targets;
        outcome
    }

    fn choose_metric(
        self,
        run: &mut Run<'_>,
        expander: &impl Expander,
        scale: CostScale,
        least: u64,
    ) -> Outcome {
        let (straight, diagonal) = (scale.straight() * least, scale.diagonal() * least);
        match self.heuristic {
            Heuristic::Zero => self.choose_goal(run, expander, ZeroMetric),
            Heuristic::Octile => self.choose_goal(run, expander, OctileMetric::new(straight, diagonal)),
            Heuristic::Manhattan => self.choose_goal(run, expander, OtherMetric::manhattan(straight)),
            Heuristic::Euclidean => self.choose_goal(run, expander, OtherMetric::euclidean(straight)),
            Heuristic::PNorm(power) => self.choose_goal(run, expander, OtherMetric::p_norm(straight, power)),
        }
    }

    fn choose_goal<E: Expander, M: Metric>(self, run: &mut Run<'_>, expander: &E, metric: M) -> Outcome {
        match run.targets {
            &[target] => self.choose_weight(run, expander, Target::new(run.grid, target, metric)),
            targets => self.choose_weight(run, expander, Targets::new(run.grid, targets, metric)),
        }
    }

    fn choose_weight<E: Expander, G: Goal>(self, run: &mut Run<'_>, expander: &E, goal: G) -> Outcome {
        match self.weight {
            None => run.search(expander, &goal),
            Some(weight) => run.search(expander, &Weighted::new(goal, weight)),
        }
    }
}

/// Fills the scratch with the states the path may end at, in increasing order: the goals in the start's
/// component, or, if there is none and a partial path is welcome, the states nearest to a goal. False if there is
/// nowhere to go.
fn choose_targets(grid: &Grid, query: &Query<'_>, scratch: &mut Scratch) -> bool {
    let component_of = |state| grid.components().of(grid, state);
    scratch.targets.clear();
    let Some(component) = component_of(query.start) else { return false };
    let goals = query.goals.as_slice();
    scratch.targets.extend(goals.iter().copied().filter(|&goal| component_of(goal) == Some(component)));
    if scratch.targets.is_empty() && query.partial {
        scratch.targets_are_substitutes = true;
        let mut least = i128::MAX;
        for &goal in goals.iter().filter(|goal| goal.index() < grid.id_bound()) {
            let here = |state| component_of(state) == Some(component);
            let Some(distance) = grid.nearest_where(grid.point(goal), here, &mut scratch.nearest) else {
                continue;
            };
            if distance < least {
                scratch.targets.clear();
                least = distance;
            }
            if distance == least {
                scratch.targets.extend_from_slice(&scratch.nearest);
            }
        }
    }
    scratch.targets.sort_unstable();
    scratch.targets.dedup();
    !scratch.targets.is_empty()
}

/// One turn of a query.
struct Run<'a> {
    grid: &'a Grid,
    query: &'a Query<'a>,
    targets: &'a [StateId],
    scratch: &'a mut Scratch,
    budget: &'a mut Budget,
    turn: Turn,
    /// The estimate is consistent, so no closed state is opened again.
    costs_are_settled: bool,
}

impl Run<'_> {
    fn search<E: Expander, G: Goal>(&mut self, expander: &E, goal: &G) -> Outcome {
        let search = &mut self.scratch.search;
        if self.turn == Turn::First {
            search.begin(expander, goal, self.query.start);
            if self.query.partial {
                search.track_nearest();
            }
        }
        loop {
            match search.run(expander, goal, self.budget) {
                Status::Reached(state) => {
                    let cost = search.cost(state).unwrap_or(Cost::MAX);
                    let best = self.scratch.best_target.map_or((cost, state), |best| best.min((cost, state)));
                    if self.targets.len() == 1 {
                        return self.arrive(best);
                    }
                    // Another target may cost the same and have a lower id: all keys up to this cost count.
                    self.scratch.best_target = Some(best);
                    search.set_limit(Some(best.0));
                }
                Status::Exhausted => {
                    return match self.scratch.best_target {
                        Some(best) => self.arrive(best),
                        None => Outcome::Unreachable,
                    };
                }
                Status::Suspended => {
                    if !self.query.partial {
                        return Outcome::OutOfBudget;
                    }
                    let end = search.nearest().unwrap_or(self.query.start);
                    let known = search.cost(end).unwrap_or(Cost::ZERO);
                    let cost = self.write_path(known, end);
                    return Outcome::Partial { cost, end, reason: PartialReason::OutOfBudget };
                }
            }
        }
    }

    fn arrive(&mut self, (known, state): (Cost, StateId)) -> Outcome {
        let cost = self.write_path(known, state);
        if self.scratch.targets_are_substitutes {
            Outcome::Partial { cost, end: state, reason: PartialReason::Unreachable }
        } else {
            Outcome::Found { cost, goal: state }
        }
    }

    /// Writes the path to `end` and returns its cost. What the search knows of it may be too much where closed states
    /// are opened again: a state before the end may have found a better way since the end was reached through it.
    fn write_path(&mut self, known: Cost, end: StateId) -> Cost {
        let Scratch { search, path, .. } = &mut *self.scratch;
        let step = |state| {
            let parent = search.parent(state)?;
            self.grid.step_cost(parent, state, self.query.overlay)
        };
        let cost = if self.costs_are_settled { known } else { search.trace(end).filter_map(step).sum() };
        path.set_cost(cost);
        if !self.query.distance_only {
            path.fill_backwards(search.trace(end), |before, at, after| self.grid.turns(before, at, after));
        }
        cost
    }
}
