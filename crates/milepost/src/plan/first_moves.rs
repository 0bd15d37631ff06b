//! Whole paths by looking up one move after another: no open list, no search at all.
//!
//! # Paper
//! The chapter "Precalculated pathfinding" of lecture notes on A* and lookup tables: shortest paths have optimal
//! substructure, so the first move is all that one needs to know in each state. A. Botea: Ultra-fast optimal pathfinding
//! without runtime search, AIIDE 2011.
//!
//! # Symbols
//! `at` where the path has come to, `g` what it has cost so far.
//!
//! # Guarantees
//! Complete and optimal on every space: all rules, weights, links, graphs; no overlays, which the table does not know.
//! Reads the index `first-moves`. Work: one unit for each look-up, of which there are as many as moves. A query that is
//! cut goes on from where it was; a partial path leads that far.
//!
//! *Ending.* Each move brings the goal nearer by what it costs, so no state comes twice. A file that was tampered with may
//! lead in a circle: after as many moves as there are states the answer is
//! [`IndexDamaged`](Outcome::IndexDamaged).
//!
//! # Deviations
//! 1. With several goals each is walked to, until the way costs more than the best so far.

#[cfg(feature = "observe")]
mod watch;

use super::{Outcome, PartialReason, Phase, Planner, Query, Refusal, Scratch, Support, Task};
use crate::core::{Budget, Cost, StateId};
use crate::index::{Atlas, FirstMoves as Moves, IndexKind, IndexSpec, NextMove};
use crate::space::{Reach, Space};

/// Paths along first moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct FirstMoves;

const NEEDS: [IndexSpec; 1] = [IndexSpec::of(IndexKind::FIRST_MOVES)];

impl Planner for FirstMoves {
    fn advance(&self, task: &mut Task<'_>) -> Outcome {
        let Some(moves) = task.atlas.first_moves() else {
            return Outcome::Refused(Refusal::NoIndex(IndexKind::FIRST_MOVES.into()));
        };
        let (space, query, start, mut phase) = (task.space(), task.query, task.start(), task.phase);
        let Task { scratch, budget, .. } = task;
        while let Some(&goal) = scratch.targets.get(scratch.current_target) {
            if phase == Phase::Begin {
                scratch.move_walk.begin(start, query);
            }
            // Goals come with rising ids: a later one must be nearer.
            let limit = match scratch.best_target {
                None => u64::MAX,
                Some((Cost::ZERO, _)) => break,
                Some((cost, _)) => cost.units() - 1,
            };
            match walk(space, &moves, goal, limit, query, &mut scratch.move_walk, budget) {
                Walked::Arrived => {
                    scratch.best_target = Some((Cost::new(scratch.move_walk.g), goal));
                    keep_path(space, scratch);
                }
                Walked::NoBetter => {}
                Walked::Damaged => return Outcome::IndexDamaged,
                Walked::Suspended if !query.partial => return Outcome::OutOfBudget,
                Walked::Suspended => {
                    // A goal that was reached is better than any state on the way to another.
                    let (cost, end) = scratch.best_target.unwrap_or_else(|| {
                        keep_path(space, scratch);
                        (Cost::new(scratch.move_walk.g), scratch.move_walk.at)
                    });
                    return Outcome::Partial { cost, end, reason: PartialReason::OutOfBudget };
                }
            }
            scratch.current_target += 1;
            phase = Phase::Begin;
        }
        task.best_reached()
    }

    fn is_optimal(&self, _: &Space) -> bool {
        true
    }

    fn support(&self) -> Support {
        Support::INDEXED
    }

    fn needs(&self) -> &'static [IndexSpec] {
        &NEEDS
    }

    fn overrun(&self, _: &Atlas) -> u64 {
        0
    }
}

/// The way to one goal, as far as it has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoveWalk {
    at: StateId,
    g: u64,
    moves: u32,
    /// Every state so far, if the query asks for the path.
    states: Vec<StateId>,
}

impl MoveWalk {
    fn begin(&mut self, start: StateId, query: &Query<'_>) {
        (self.at, self.g, self.moves) = (start, 0, 0);
        self.states.clear();
        if !query.distance_only {
            self.states.push(start);
        }
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<StateId>()
    }
}

/// What came of one call towards one goal.
enum Walked {
    Arrived,
    /// There is no way, or none that is worth it.
    NoBetter,
    Suspended,
    Damaged,
}

/// Looks one move after another up.
fn walk(
    space: &Space,
    moves: &Moves<'_>,
    goal: StateId,
    limit: u64,
    query: &Query<'_>,
    walk: &mut MoveWalk,
    budget: &mut Budget,
) -> Walked {
    // Asked once, and not at every move.
    let (uniform, states) = (space.uniform_steps(), space.states());
    while walk.at != goal {
        if !budget.take() {
            return Walked::Suspended;
        }
        let next = match moves.next_move(walk.at, goal) {
            NextMove::Move(next) => next,
            // Only the table knows that there is no way.
            NextMove::Unreachable if walk.moves == 0 && space.reach(walk.at, goal) == Reach::Perhaps => {
                return Walked::NoBetter;
            }
            _ => return Walked::Damaged,
        };
        let step = match uniform {
            Some(steps) => Some(steps.cost(walk.at, next)),
            None => space.step_cost(walk.at, next, None),
        };
        let Some(step) = step else { return Walked::Damaged };
        walk.g = walk.g.saturating_add(step.units());
        walk.moves += 1;
        if walk.moves > states {
            return Walked::Damaged;
        }
        walk.at = next;
        if walk.g > limit {
            return Walked::NoBetter;
        }
        if !query.distance_only {
            walk.states.push(next);
        }
    }
    Walked::Arrived
}

/// Writes the path of the walk.
fn keep_path(space: &Space, scratch: &mut Scratch) {
    let Scratch { path, move_walk, .. } = scratch;
    path.set_cost(Cost::new(move_walk.g));
    if !move_walk.states.is_empty() {
        space.write_waypoints(&move_walk.states, path);
    }
}
