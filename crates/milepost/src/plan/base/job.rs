//! A query that goes on from frame to frame.

use super::{Goals, Outcome, Planner, Query, Refusal, Scratch};
use crate::core::{Budget, Path, Version};
use crate::index::Atlas;
use crate::space::{Overlay, Place};
use std::sync::Arc;

/// A query with its own scratch that is advanced a budget at a time.
///
/// ```
/// use milepost::{Atlas, Budget, Grid, Outcome, PlanJob, Point, Query, Rule, Scratch, catalog};
///
/// let atlas = Atlas::new(Grid::new(60, 40, Rule::Octile, |x, y| x % 7 != 3 || y % 9 == 4)?);
/// let query = Query::new(Point::new(0, 0), Point::new(58, 39));
/// let mut job = PlanJob::new(catalog::planner("astar")?, &query, Scratch::new());
/// let mut frames = 1;
/// while job.advance(&atlas, &mut Budget::units(200)) == Outcome::OutOfBudget {
///     frames += 1; // the game draws, and goes on with the query in its next frame
/// }
/// assert!(frames > 1 && !job.path().points().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlanJob {
    planner: Arc<dyn Planner>,
    start: Place,
    goals: Vec<Place>,
    overlay: Option<Overlay>,
    partial: bool,
    distance_only: bool,
    scratch: Scratch,
    /// The version of the map that the last call worked on, and what it said; `None` before the first.
    last: Option<(Version, Outcome)>,
}

impl PlanJob {
    /// A job that has not begun. It may work in a scratch that another job has given back.
    pub fn new(planner: Arc<dyn Planner>, query: &Query<'_>, scratch: Scratch) -> PlanJob {
        PlanJob {
            planner,
            start: query.start,
            goals: query.goals.iter().collect(),
            overlay: query.overlay.cloned(),
            partial: query.partial,
            distance_only: query.distance_only,
            scratch,
            last: None,
        }
    }

    /// Works on. Once the answer is neither out of budget nor partial for that reason, it stays.
    ///
    /// On another version of the map the job begins anew; on another map it answers
    /// [`OtherMap`](Refusal::OtherMap), and goes on when it is given its own again.
    pub fn advance(&mut self, atlas: &Atlas, budget: &mut Budget) -> Outcome {
        let query = Query {
            start: self.start,
            goals: Goals::NearestPlace(&self.goals),
            overlay: self.overlay.as_ref(),
            partial: self.partial,
            distance_only: self.distance_only,
        };
        let now = atlas.space().version();
        let outcome = match self.last {
            Some((before, _)) if !now.is_same_map(before) => return Outcome::Refused(Refusal::OtherMap),
            Some((before, outcome)) if now == before && !is_out_of_budget(outcome) => return outcome,
            Some((before, _)) if now == before => {
                self.planner.resume(atlas, &query, &mut self.scratch, budget)
            }
            _ => self.planner.plan(atlas, &query, &mut self.scratch, budget),
        };
        self.last = Some((now, outcome));
        outcome
    }

    /// The path, once there is one.
    pub fn path(&self) -> &Path {
        self.scratch.path()
    }

    /// Gives the scratch back.
    pub fn into_scratch(self) -> Scratch {
        self.scratch
    }
}

fn is_out_of_budget(outcome: Outcome) -> bool {
    use super::PartialReason;
    matches!(outcome, Outcome::OutOfBudget | Outcome::Partial { reason: PartialReason::OutOfBudget, .. })
}
