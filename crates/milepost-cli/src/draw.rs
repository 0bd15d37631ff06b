//! Random problems: the start uniform over the free states, the goal uniform over the start's component, in the
//! order in which the seed gives them, with exact optimal costs.

use crate::failure::Failure;
use crate::numbers::counted;
use crate::pool::Scratches;
use crate::progress;
use crate::world::World;
use milepost::Rng;
use milepost::{Budget, Cost, Query, StateId};
use rayon::prelude::*;

/// Problems whose costs are computed together. It changes nothing but the speed.
const BATCH: usize = 1024;

/// A start, a goal in its component, and what lies between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn {
    pub(crate) start: StateId,
    pub(crate) goal: StateId,
    pub(crate) cost: Cost,
}

/// How expensive problems may be, as users see costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Limits {
    /// Any cost.
    pub(crate) const NONE: Limits = Limits { least: 0.0, most: f64::INFINITY };

    fn allow(self, cost: f64) -> bool {
        (self.least..=self.most).contains(&cost)
    }
}

/// Draws `count` problems within the limits.
pub(crate) fn draw(world: &World, count: u32, limits: Limits, seed: u64) -> Result<Vec<Drawn>, Failure> {
    let mut pairs = Pairs::new(world, seed)?;
    let most_draws = 10_000 + 1_000 * u64::from(count);
    let scratches = Scratches::default();
    let scale = world.scale();
    let bar = progress::bar("drawing problems", count as usize);
    let mut drawn: Vec<Drawn> = Vec::new();
    let mut draws = 0;
    while drawn.len() < count as usize {
        let missing = count as usize - drawn.len();
        let left = usize::try_from(most_draws - draws).unwrap_or(usize::MAX);
        // Without limits every draw fits; with limits some more are drawn at once.
        let batch =
            BATCH.min(left).min(if limits.least > 0.0 || limits.most.is_finite() { BATCH } else { missing });
        if batch == 0 {
            bar.finish_and_clear();
            let message = format!(
                "after {} only {} of {count} cost from {} to {}; widen the limits or ask for fewer",
                counted(draws, "draw"),
                counted(drawn.len() as u64, "problem"),
                limits.least,
                limits.most,
            );
            return Err(Failure::usage("no_such_problems", message));
        }
        let candidates: Vec<(StateId, StateId)> = (0..batch).map(|_| pairs.draw()).collect();
        draws += batch as u64;
        let costs: Vec<Option<Cost>> = candidates
            .par_iter()
            .map(|&(start, goal)| {
                scratches.lend(|scratch| {
                    let planner = world.atlas.fastest().planner;
                    let query = Query::new(start, goal).distance_only();
                    planner.plan(&world.atlas, &query, scratch, &mut Budget::unlimited()).cost()
                })
            })
            .collect();
        let fitting = candidates.into_iter().zip(costs).filter_map(|((start, goal), cost)| {
            cost.filter(|cost| limits.allow(scale.to_f64(*cost))).map(|cost| Drawn { start, goal, cost })
        });
        drawn.extend(fitting.take(missing));
        bar.set_position(drawn.len() as u64);
    }
    bar.finish_and_clear();
    Ok(drawn)
}

/// Draws pairs of different states of one component.
struct Pairs {
    /// States that have somewhere to go, component by component.
    states: Vec<StateId>,
    /// Where the component of each of them begins and ends in `states`; one entry for each component.
    ends: Vec<u32>,
    rng: Rng,
}

impl Pairs {
    fn new(world: &World, seed: u64) -> Result<Pairs, Failure> {
        let sizes = world.component_sizes();
        // States that are alone in their component are left out: nothing can be asked about them.
        let mut ends: Vec<u32> = Vec::with_capacity(sizes.len());
        let mut next: Vec<u32> = Vec::with_capacity(sizes.len());
        let mut total = 0;
        for &size in &sizes {
            next.push(total);
            total += if size > 1 { size } else { 0 };
            ends.push(total);
        }
        if total == 0 {
            let message =
                format!("{}: no two free states are connected, so there are no problems", world.name);
            return Err(Failure::usage("no_problems", message));
        }
        let mut states = vec![StateId::NONE; total as usize];
        for state in world.space().free_states() {
            if let Some(component) = world.space().component(state).map(|component| component as usize)
                && sizes[component] > 1
            {
                states[next[component] as usize] = state;
                next[component] += 1;
            }
        }
        Ok(Pairs { states, ends, rng: Rng::new(seed) })
    }

    fn draw(&mut self) -> (StateId, StateId) {
        let start = self.rng.below(self.states.len() as u32);
        // The component that the start lies in: empty ones end where they begin, so none of them is found.
        let component = self.ends.partition_point(|end| *end <= start);
        let begin = if component == 0 { 0 } else { self.ends[component - 1] };
        let size = self.ends[component] - begin;
        // Any of the others: the start's own place is skipped.
        let goal = begin + self.rng.below(size - 1);
        let goal = goal + u32::from(goal >= start);
        (self.states[start as usize], self.states[goal as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use milepost::Rule;
    use milepost_maps::TileMap;
    use std::path::Path;

    fn world(drawing: &str) -> World {
        let map = TileMap::from_ascii(drawing).expect("a good drawing");
        World::new(Path::new("drawn.map"), &map, Rule::Octile).expect("a small map")
    }

    #[test]
    fn pairs_lie_in_one_component_and_all_of_them_come() {
        // A lone cell, a pair, another lone cell, and three in a row: 2 + 6 ordered pairs.
        let world = world(
            ". @ . . @
             @ @ @ @ @
             . @ . . .",
        );
        let mut pairs = Pairs::new(&world, 1).expect("there are pairs");
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..10_000 {
            *seen.entry(pairs.draw()).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 8);
        for ((start, goal), count) in seen {
            assert_ne!(start, goal);
            let component = |state| world.space().component(state);
            assert_eq!(component(start), component(goal));
            // Starts are uniform over five cells, goals over one or two others.
            let expected = if world.space().point(start).y == 0 { 2_000 } else { 1_000 };
            assert!((expected - 200..expected + 200).contains(&count), "{count} of {expected}");
        }
    }

    #[test]
    fn a_map_of_lone_cells_has_no_problems() {
        assert!(Pairs::new(&world(". @ .\n@ . @"), 0).is_err());
        assert!(Pairs::new(&world("@ @"), 0).is_err());
    }
}
