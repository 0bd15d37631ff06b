//! What an agent states before it takes a step: on what it cannot work, and what a step takes at least and at most. It follows from
//! the algorithm and from the space that the agent is shown.

use super::agent::View;
use super::algorithm::{Algorithm, LookUnits, SpaceLimits};
use super::router::Router;
use super::sensor::Sensor;
use super::step::{Limits, Step};
use crate::core::Budget;
use crate::plan::{PLANNERS, Refusal};
use crate::space::{Belief, PriorMap, Space};

/// What a decision takes at least. It is asked at every step.
#[inline]
pub(super) fn least_decision<A: Algorithm>(algorithm: &A, space: SpaceLimits) -> u64 {
    let least = algorithm.limits(space).min_units;
    match needs_router::<A>(space) {
        true => least.max(Router::units(space.expansion.into()).0),
        false => least,
    }
}

/// Whether the chassis finds the way into another strong component, or to what was not seen.
#[inline]
fn needs_router<A: Algorithm>(space: SpaceLimits) -> bool {
    space.one_way_states > 0 && !A::ABOUT.crosses
}

/// What a decision takes: that of the algorithm, or the way of the router.
fn decision_limits<A: Algorithm>(algorithm: &A, space: SpaceLimits) -> Limits {
    let Limits { mut max_units, mut max_thinking, .. } = algorithm.limits(space);
    if needs_router::<A>(space) {
        let (_, most) = Router::units(space.expansion.into());
        max_units = max_units.map(|units| units.max(most));
        let router = Router::most_thinking(space.one_way_states.into());
        max_thinking = match space.neighbours > 0 {
            // By sight it begins after the algorithm has found no way.
            true => max_thinking.saturating_add(1).saturating_add(router),
            false => max_thinking.max(router),
        };
    }
    Limits { min_units: least_decision(algorithm, space), max_units, max_thinking }
}

/// What a step takes: a unit to see whether the goal is reached, or a look; and what a decision takes.
pub(crate) fn limits<A: Algorithm>(algorithm: &A, space: SpaceLimits) -> Limits {
    let Limits { min_units, max_units, max_thinking } = decision_limits(algorithm, space);
    let look = space.look(algorithm.units_of_change(space));
    let (least, most) = look.map_or((1, 1), |look| (look.least(), look.most()));
    let min_units = min_units.saturating_add(least);
    Limits {
        min_units,
        max_units: max_units.map(|units| units.saturating_add(most)),
        max_thinking: max_thinking.saturating_add(look.map_or(0, |look| look.most_thinking(min_units))),
    }
}

/// Whether the budget is too small for a step which begins with this look and decides with so many units.
#[inline]
pub(super) fn starved(look: Option<LookUnits>, decision: u64, budget: &Budget) -> Option<Step> {
    let min_units = decision.saturating_add(look.map_or(1, |look| look.least()));
    (budget.left() < min_units).then_some(Step::Starved { min_units })
}

/// Why an algorithm cannot work on what its agents are shown, if it cannot.
#[inline]
pub(crate) fn refusal<A: Algorithm>(algorithm: &A, view: View<'_>) -> Option<Refusal> {
    match view {
        View::Map(_) if !A::ABOUT.on_map => Some(Refusal::BySightAlone),
        View::Map(atlas) => algorithm.refusal_on(atlas),
        View::Sensor(sensor) => refusal_by_sight(algorithm, &sensor.prior()),
    }
}

/// The same of what its agents are shown by a sensor.
#[inline]
pub(super) fn refusal_by_sight<A: Algorithm>(algorithm: &A, prior: &PriorMap<'_>) -> Option<Refusal> {
    match prior {
        // Distances were measured on a map that it has not seen.
        _ if !A::ABOUT.by_sight || algorithm.landmarks().is_some() => Some(Refusal::NotBySight),
        PriorMap::Graph(_) => (!A::ABOUT.graphs).then_some(Refusal::Graph),
        PriorMap::Grid(geometry) if !A::ABOUT.rules.contains(&geometry.rule()) => {
            Some(Refusal::Rule(geometry.rule()))
        }
        PriorMap::Grid(geometry) if geometry.has_weights() && !A::ABOUT.weights_by_sight => {
            Some(Refusal::Weights)
        }
        PriorMap::Grid(geometry) => {
            (geometry.has_links() && !A::ABOUT.links_by_sight).then_some(Refusal::Links)
        }
    }
}

/// What an algorithm states its limits from: on a known map with what planners take, if it calls them, and with the size of the
/// map, if it must do without its index.
pub(super) fn space_limits<A: Algorithm>(algorithm: &A, view: View<'_>) -> SpaceLimits {
    let atlas = match view {
        View::Map(atlas) => atlas,
        View::Sensor(sensor) => return SpaceLimits::of_unseen(sensor.prior(), sensor),
    };
    let mut limits = SpaceLimits::of_space(atlas.space());
    if A::ABOUT.calls_planners {
        let able = PLANNERS.iter().filter(|entry| entry.planner.refusal(atlas).is_none());
        let overrun = able.map(|entry| entry.planner.overrun(atlas)).max().unwrap_or(0);
        limits.overrun = u32::try_from(overrun).unwrap_or(u32::MAX);
    }
    if A::ABOUT.without_index && algorithm.needs().is_some_and(|index| !atlas.serves(index)) {
        let space = atlas.space();
        let cells = space.as_grid().map(|grid| space.states().saturating_add(grid.links().len() as u32));
        limits.unindexed_states = cells.unwrap_or(space.id_bound() as u32);
    }
    limits
}

impl SpaceLimits {
    /// Of a known space.
    pub(crate) fn of_space(space: &Space) -> SpaceLimits {
        SpaceLimits {
            expansion: space.expansion_units() as u32,
            goal: space.goal_units() as u32,
            one_way_states: if space.has_one_way_moves() { space.states() } else { 0 },
            states: space.states(),
            ids: space.id_bound() as u32,
            overrun: 0,
            unindexed_states: 0,
            neighbours: 0,
            view: 0,
            unseen_links: 0,
            unseen_states: 0,
            is_grid: space.as_grid().is_some(),
        }
    }

    /// Of a space that a sensor shows, which is asked for what is known from the beginning once a step.
    pub(super) fn of_unseen(prior: PriorMap<'_>, sensor: &dyn Sensor) -> SpaceLimits {
        let (neighbours, unseen_states) = (prior.most_neighbours(), prior.id_bound() as u32);
        let (goal, one_way_states) = match prior.has_links() {
            true => (Belief::LINK_UNITS, unseen_states),
            false => (0, 0),
        };
        SpaceLimits {
            expansion: prior.expansion_units(),
            goal,
            one_way_states,
            neighbours,
            // No state is told of twice.
            view: sensor.most_seen().min(unseen_states).max(neighbours),
            unseen_links: prior.as_grid().map_or(0, |geometry| geometry.most_links()),
            unseen_states,
            is_grid: prior.as_grid().is_some(),
            ..SpaceLimits::PLAIN
        }
    }
}
