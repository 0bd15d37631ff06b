//! From a query to the one search and back to a path: what the best-first planners share.
//!
//! Options are looked at once, here, and the search is compiled for what they select: moves with or without an
//! overlay, within goal bounds or not, the common estimates or any other, one goal or many, inflated or not.

use super::bounded::Bounded;
use super::targets::{Turn, choose_targets};
use super::{Outcome, PartialReason, Query, Scratch};
use crate::core::{Budget, Cost, CostScale, Expander, Goal, StateId, Status};
use crate::index::{Atlas, GoalBounds};
use crate::space::{
    GraphTargets, Grid, Heuristic, Metric, OctileMetric, OtherMetric, Reach, Space, Target, Targets,
    WayExpander, Weight, Weighted, ZeroMetric,
};

/// What tells the best-first planners apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct BestFirst {
    pub(super) heuristic: Heuristic,
    pub(super) weight: Option<Weight>,
    /// All successors of every state, although one order of steps would do where costs are uniform.
    pub(super) plain_moves: bool,
    /// Only edges whose box of goals holds the goal.
    pub(super) bounds: bool,
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
        let space = atlas.space();
        let overlay_fits = match (query.overlay, space) {
            (None, _) => true,
            (Some(overlay), Space::Grid(grid)) => overlay.fits(grid),
            (Some(_), Space::Graph(_)) => false,
        };
        if !overlay_fits || !space.knows(self.heuristic) {
            return Outcome::Refused;
        }
        let bounds = if self.bounds { atlas.goal_bounds() } else { None };
        if self.bounds && (bounds.is_none() || query.overlay.is_some()) {
            return Outcome::Refused;
        }
        if turn == Turn::First {
            let scale = query.overlay.map_or(space.scale(), |overlay| overlay.scale());
            scratch.path.clear(scale, space.version());
            scratch.targets_are_substitutes = false;
            scratch.best_target = None;
            scratch.search.forget();
        }
        if turn == Turn::First && !choose_targets(space, query, scratch) {
            return Outcome::Unreachable;
        }
        // The targets are read while the search is written to.
        let targets = std::mem::take(&mut scratch.targets);
        // Square roots and powers are rounded by floats: consistent but for a hair.
        let is_rounded = matches!(self.heuristic, Heuristic::PNorm(_)) || space.as_graph().is_some();
        let costs_are_settled = self.weight.is_none() && space.is_admissible(self.heuristic) && !is_rounded;
        let mut run =
            Run { space, query, bounds, targets: &targets, scratch, budget, turn, costs_are_settled };
        let outcome = match space {
            Space::Grid(grid) => self.choose_moves(&mut run, grid),
            Space::Graph(graph) => {
                let goal = GraphTargets::new(graph, &targets, self.heuristic != Heuristic::Zero);
                match bounds {
                    None => self.choose_weight(&mut run, &graph.moves(), goal),
                    Some(bounds) => {
                        let moves = Bounded::new(graph.moves(), bounds, &targets);
                        self.choose_weight(&mut run, &moves, goal)
                    }
                }
            }
        };
        scratch.targets = targets;
        outcome
    }

    fn choose_moves(self, run: &mut Run<'_>, grid: &Grid) -> Outcome {
        match run.query.overlay {
            Some(overlay) => {
                self.choose_metric(run, grid, &overlay.moves(grid), overlay.scale(), overlay.cheapest(grid))
            }
            None if !grid.is_plain() => self.choose_bounds(run, grid, grid.full_moves(), grid.cheapest()),
            None if self.plain_moves || !grid.rule().is_octile() => {
                self.choose_bounds(run, grid, grid.moves(), 1)
            }
            None => self.choose_bounds(run, grid, grid.canonical_moves(), 1),
        }
    }

    fn choose_bounds<E: WayExpander>(
        self,
        run: &mut Run<'_>,
        grid: &Grid,
        expander: E,
        cheapest: u64,
    ) -> Outcome {
        match run.bounds {
            None => self.choose_metric(run, grid, &expander, grid.scale(), cheapest),
            Some(bounds) => {
                let bounded = Bounded::new(expander, bounds, run.targets);
                self.choose_metric(run, grid, &bounded, grid.scale(), cheapest)
            }
        }
    }

    /// `cheapest` is how many times its base the cheapest step costs.
    fn choose_metric<E: Expander>(
        self,
        run: &mut Run<'_>,
        grid: &Grid,
        expander: &E,
        scale: CostScale,
        cheapest: u64,
    ) -> Outcome {
        let (straight, diagonal) = (scale.straight() * cheapest, scale.diagonal() * cheapest);
        let one = scale.one();
        match OtherMetric::new(self.heuristic, grid.rule(), straight) {
            None => self.choose_goal(run, grid, expander, (ZeroMetric, one)),
            Some(_) if self.heuristic == Heuristic::Octile && grid.rule().is_octile() => {
                self.choose_goal(run, grid, expander, (OctileMetric::new(straight, diagonal), one))
            }
            Some(metric) => self.choose_goal(run, grid, expander, (metric, one)),
        }
    }

    fn choose_goal<E: Expander, M: Metric>(
        self,
        run: &mut Run<'_>,
        grid: &Grid,
        expander: &E,
        (metric, one): (M, u64),
    ) -> Outcome {
        match run.targets {
            &[target] => self.choose_weight(run, expander, Target::new(grid, target, metric, one)),
            targets => self.choose_weight(run, expander, Targets::new(grid, targets, metric, one)),
        }
    }

    fn choose_weight<E: Expander, G: Goal>(self, run: &mut Run<'_>, expander: &E, goal: G) -> Outcome {
        match self.weight {
            None => run.search(expander, &goal),
            Some(weight) => run.search(expander, &Weighted::new(goal, weight)),
        }
    }
}

/// One turn of a query.
struct Run<'a> {
    space: &'a Space,
    query: &'a Query<'a>,
    bounds: Option<GoalBounds<'a>>,
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
                        None if self.bounds.is_some() && self.is_sure() => Outcome::IndexDamaged,
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

    /// Whether some target can certainly be reached.
    fn is_sure(&self) -> bool {
        self.targets.iter().any(|&target| self.space.reach(self.query.start, target) == Reach::Always)
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
            self.space.step_cost(parent, state, self.query.overlay)
        };
        let cost = if self.costs_are_settled { known } else { search.trace(end).filter_map(step).sum() };
        path.set_cost(cost);
        if !self.query.distance_only {
            let space = self.space;
            let turns = |before, at, after| space.turns(before, at, after);
            path.fill_backwards(search.trace(end), turns, |from, to| space.is_hop(from, to));
        }
        cost
    }
}
