//! Random problems: the start uniform over the free states, the goal uniform over the start's component, in the
//! order in which the seed gives them, with exact optimal costs.

use crate::failure::Failure;
use crate::numbers::counted;
use crate::pool::Scratches;
use crate::progress;
use crate::world::World;
use milepost::space::{PointSampler, RandomPairs, SpaceKind};
use milepost::{Budget, Cost, NavMesh, Place, Position, Query, Rng, StateId};
use rayon::prelude::*;
use std::collections::BTreeMap;

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
    let mut pairs = RandomPairs::new(world.space(), seed).ok_or_else(|| {
        let message = format!("{}: no two free states are connected, so there are no problems", world.name);
        Failure::usage("no_problems", message)
    })?;
    let drawn = draw_from(world, count, limits, || pairs.draw())?;
    Ok(drawn.into_iter().map(|(start, goal, cost)| Drawn { start, goal, cost }).collect())
}

/// Two points of a mesh and what lies between them over portals.
pub(crate) type DrawnPoints = (Position, Position, Cost);

/// The same on a mesh: the start uniform over the free ground, the goal uniform over that of the start's component.
pub(crate) fn draw_points(
    world: &World,
    mesh: &NavMesh,
    count: u32,
    limits: Limits,
    seed: u64,
) -> Result<Vec<DrawnPoints>, Failure> {
    let nothing = || Failure::usage("no_problems", format!("{}: no polygon is free", world.name));
    let (all, mut rng) = (mesh.sampler(|_| true), Rng::new(seed));
    let first = all.draw(&mut rng).ok_or_else(nothing)?;
    let mut samplers: BTreeMap<u32, PointSampler<'_>> = BTreeMap::new();
    let mut rng = Rng::new(seed);
    draw_from(world, count, limits, || {
        // There are free polygons, as was seen, and the start's is one of its component.
        let start = all.draw(&mut rng).unwrap_or(first);
        let component = mesh.component(start.polygon).unwrap_or(0);
        let sampler = samplers
            .entry(component)
            .or_insert_with(|| mesh.sampler(|polygon| mesh.component(polygon) == Some(component)));
        (start.at, sampler.draw(&mut rng).unwrap_or(start).at)
    })
}

/// Draws problems until so many are within the limits.
fn draw_from<P: Copy + Send + Sync + Into<Place>>(
    world: &World,
    count: u32,
    limits: Limits,
    mut draw: impl FnMut() -> (P, P),
) -> Result<Vec<(P, P, Cost)>, Failure> {
    let most_draws = 10_000 + 1_000 * u64::from(count);
    let scratches = Scratches::default();
    let scale = world.scale();
    let bar = progress::bar("drawing problems", count as usize);
    let mut drawn: Vec<(P, P, Cost)> = Vec::new();
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
        let candidates: Vec<(P, P)> = (0..batch).map(|_| draw()).collect();
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
            cost.filter(|cost| limits.allow(scale.to_f64(*cost))).map(|cost| (start, goal, cost))
        });
        drawn.extend(fitting.take(missing));
        bar.set_position(drawn.len() as u64);
    }
    bar.finish_and_clear();
    Ok(drawn)
}
