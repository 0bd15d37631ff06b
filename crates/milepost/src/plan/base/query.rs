//! What is asked of a planner, and what it answers.

use super::Refusal;
use crate::core::{Cost, StateId};
use crate::space::{Overlay, Place};

/// Where a path may end.
///
/// ```
/// use milepost::{Goals, Point, Query, Place};
///
/// let exits = [Place::from(Point::new(0, 0)), Place::from((9.0, 4.0))];
/// let query = Query::nearest_place(Point::new(5, 2), &exits);
/// assert!(matches!(query.goals, Goals::NearestPlace(places) if places.len() == 2));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Goals<'a> {
    /// At this place.
    One(Place),
    /// At whichever of these can be reached at least cost; among equals the least id.
    NearestOf(&'a [StateId]),
    /// The same among places.
    NearestPlace(&'a [Place]),
}

impl Goals<'_> {
    /// The places.
    pub fn iter(&self) -> impl Iterator<Item = Place> + Clone + '_ {
        let (one, states, places) = match self {
            Goals::One(place) => (Some(*place), &[][..], &[][..]),
            Goals::NearestOf(states) => (None, *states, &[][..]),
            Goals::NearestPlace(places) => (None, &[][..], *places),
        };
        one.into_iter().chain(states.iter().map(|&state| Place::State(state))).chain(places.iter().copied())
    }

    /// The states among the places.
    pub fn states(&self) -> impl Iterator<Item = StateId> + Clone + '_ {
        self.iter().filter_map(Place::state)
    }
}

/// A question: how to get from a start to a goal.
///
/// ```
/// use milepost::{Atlas, Budget, Grid, Outcome, PartialReason, Point, Query, Rule, Scratch};
///
/// let atlas = Atlas::new(Grid::from_ascii("......@.", Rule::Octile)?);
/// let cell = |x| atlas.state_at(Point::new(x, 0)).expect("inside the map");
/// let mut scratch = Scratch::new();
/// let mut ask = |query: Query<'_>| atlas.plan(&query, &mut scratch, &mut Budget::unlimited());
///
/// // Which of two wells is nearer?
/// let wells = [cell(0), cell(5)];
/// assert!(matches!(ask(Query::nearest_of(cell(3), &wells)), Outcome::Found { goal, .. } if goal == cell(5)));
/// // As near as possible to a goal behind a wall.
/// let near = ask(Query::new(cell(3), cell(7)).or_partial());
/// assert!(matches!(near, Outcome::Partial { end, reason: PartialReason::Unreachable, .. } if end == cell(5)));
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Where the path begins.
    pub start: Place,
    /// Where it may end.
    pub goals: Goals<'a>,
    /// Factors on the costs of cells, for this query alone.
    pub overlay: Option<&'a Overlay>,
    /// If the goal cannot be reached, or not within the budget: a path to the best state instead.
    pub partial: bool,
    /// The cost alone; the path stays empty.
    pub distance_only: bool,
}

impl<'a> Query<'a> {
    /// From a start to a goal.
    pub fn new(start: impl Into<Place>, goal: impl Into<Place>) -> Query<'a> {
        Query::to_goals(start, Goals::One(goal.into()))
    }

    fn to_goals(start: impl Into<Place>, goals: Goals<'a>) -> Query<'a> {
        Query { start: start.into(), goals, overlay: None, partial: false, distance_only: false }
    }

    /// From a start to the nearest of many goals.
    pub fn nearest_of(start: impl Into<Place>, goals: &'a [StateId]) -> Query<'a> {
        Query::to_goals(start, Goals::NearestOf(goals))
    }

    /// The same among places.
    pub fn nearest_place(start: impl Into<Place>, goals: &'a [Place]) -> Query<'a> {
        Query::to_goals(start, Goals::NearestPlace(goals))
    }

    /// The same with factors on the costs. An overlay made for another map is refused.
    pub fn with_overlay(self, overlay: &'a Overlay) -> Query<'a> {
        Query { overlay: Some(overlay), ..self }
    }

    /// The same, with a partial path instead of none.
    pub fn or_partial(self) -> Query<'a> {
        Query { partial: true, ..self }
    }

    /// The same, asking for the cost alone.
    pub fn distance_only(self) -> Query<'a> {
        Query { distance_only: true, ..self }
    }
}

/// Why a path ends before the goal.
///
/// Shown by [`Query`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartialReason {
    /// The goal cannot be reached. The path leads to the reachable state nearest to a goal by the rule's own
    /// distance; among equals to the cheapest, then to the one with the least id.
    Unreachable,
    /// The budget is gone. The path leads to the expanded state nearest to the goal by the planner's estimate;
    /// among equals the cheapest, then the one with the least id. [`Planner::resume`](super::Planner::resume)
    /// goes on.
    OutOfBudget,
}

/// A planner's answer.
///
/// ```
/// use milepost::{Atlas, Budget, Grid, Outcome, Point, Query, Rule, Scratch};
///
/// let atlas = Atlas::new(Grid::from_ascii("..@.", Rule::Octile)?);
/// let mut scratch = Scratch::new();
/// let query = Query::new(Point::new(0, 0), Point::new(3, 0));
/// match atlas.plan(&query, &mut scratch, &mut Budget::units(1000)) {
///     Outcome::Found { .. } => println!("along {:?}", scratch.path().points()),
///     Outcome::Unreachable => println!("there is no way"), // here: known without a search
///     Outcome::Partial { .. } => println!("as far as {:?}", scratch.path().points().last()),
///     Outcome::OutOfBudget => println!("not yet: go on in the next frame"),
///     Outcome::Refused(refusal) => println!("{refusal}"),
///     other => println!("{other:?}"),
/// }
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// A path was found.
    Found {
        /// What it costs.
        cost: Cost,
        /// The goal it leads to.
        goal: StateId,
    },
    /// No goal can be reached, or no free state is at the start or at any goal. Known without a search.
    Unreachable,
    /// A path to somewhere else, as asked for.
    Partial {
        /// What it costs.
        cost: Cost,
        /// Where it ends.
        end: StateId,
        /// Why there.
        reason: PartialReason,
    },
    /// The budget is gone; [`Planner::resume`](super::Planner::resume) goes on.
    OutOfBudget,
    /// The planner does not work here, as [`Planner::refusal`](super::Planner::refusal) says beforehand, or not with this
    /// query's overlay.
    Refused(Refusal),
    /// An index says what cannot be: its bytes were changed. `milepost verify` tells more.
    IndexDamaged,
}

impl Outcome {
    /// The cost of a whole path.
    pub fn cost(&self) -> Option<Cost> {
        match self {
            Outcome::Found { cost, .. } => Some(*cost),
            _ => None,
        }
    }

    /// Where a goal can be reached for sure, an index that finds no way to it is damaged.
    pub(in crate::plan) fn or_damaged(self) -> Outcome {
        if self == Outcome::Unreachable { Outcome::IndexDamaged } else { self }
    }
}
