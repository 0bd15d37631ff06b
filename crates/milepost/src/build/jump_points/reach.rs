//! How far apart cells of a map can be, and so which small costs of steps are exact on it.

use super::first_jump_points::Leg;
use super::flat::FlatTable;
use super::lanes::INFINITE;
use super::{Links, links};
use crate::build::dijkstra::{Dijkstra, UNREACHED};
use crate::build::parallel;
use crate::core::{Csr, StateId};
use crate::index::{Jumps, LegCosts, PackedCell};
use crate::space::{Grid, Rule, SpaceKind};

/// The smallest costs of steps that keep comparisons exact on this map and let every distance fit, and more than the
/// farthest of these; `None` if none do.
///
/// Let `L` bound the length of every shortest path. It has fewer than `L / sqrt 2` diagonal steps, and a path with more
/// than that is longer than any shortest one, in integers too, since the convergents are from above. So `q > L / sqrt 2`
/// is enough. For `L` twice the distance from one jump point to the farthest in its component will do, and at both ends
/// the leg from the cell to the nearest of its first jump points.
pub(crate) fn leg_costs(grid: &Grid, table: &FlatTable, points: &[PackedCell]) -> Option<(LegCosts, u64)> {
    let coarse = LegCosts::COARSE;
    let links = links(table, coarse, points);
    let bound = path_bound(&links, points.len());
    // Cells that have no first jump point see whatever they reach, as others see some.
    let seen = u64::from(coarse.of_steps(grid.width() as i32, grid.height() as i32));
    let longest = (bound + 2 * farthest_first(grid, table, coarse)).max(seen);
    let (costs, steps) = exact_costs(grid.rule(), longest, INFINITE)?;
    Some((costs, steps * u64::from(costs.straight)))
}

/// The smallest costs of steps that are exact where no path is longer than this, counted in costs of 10 and 14, and let
/// every distance be less than half of `infinite`; and no fewer straight steps than the longest path is long.
pub(in crate::build) fn exact_costs(rule: Rule, longest: u64, infinite: u32) -> Option<(LegCosts, u64)> {
    // In straight steps; 1.0102 is a little more than sqrt 2 over 14/10, and 1.4142 a little less than sqrt 2.
    let steps = (longest / 10 + 1) * 10_102 / 10_000 + 1;
    let costs = LegCosts::of_rule(rule).iter().copied().find(|costs| {
        let is_exact = rule == Rule::Octile14 || steps * 10_000 < u64::from(costs.straight) * 14_142;
        is_exact && steps * u64::from(costs.diagonal) < u64::from(infinite) / 2
    })?;
    Some((costs, steps))
}

/// The cost from the cell that is farthest from the nearest of its first jump points, or a little more: a jump point
/// straight ahead within some steps is near enough, no nearer one is looked for.
fn farthest_first(grid: &Grid, table: &FlatTable, costs: LegCosts) -> u64 {
    const NEAR: u32 = 64;
    let nearest_first = |&state: &StateId| {
        let cell = PackedCell::of(grid, state);
        let entry = *table.entry(cell);
        let straight = [0, 2, 4, 6].map(|direction| table.jump(&entry, cell, direction));
        let straight = straight.into_iter().filter(|&steps| steps > 0).min();
        let mut nearest = straight.map_or(u32::MAX, |steps| steps as u32 * costs.straight);
        if nearest > NEAR * costs.straight {
            table.first_jump_points(cell, |ahead| nearest = nearest.min(ahead.cost(costs)));
        }
        if nearest < u32::MAX { nearest } else { 0 }
    };
    let states: Vec<StateId> = grid.free_states().collect();
    let nearest = parallel::map_list(&states, nearest_first);
    nearest.into_iter().max().unwrap_or(0).into()
}

/// At least the cost from any cell to any of its first jump points: as many diagonal steps as can follow each other
/// somewhere, and as many straight ones.
pub(crate) fn longest_leg(grid: &Grid, costs: LegCosts) -> u64 {
    let columns = grid.width() as usize + 2;
    // Steps that can be made up to here: north, north-west and north-east, by column.
    let mut above = vec![[0_u32; 3]; columns + 1];
    let (mut straight, mut diagonal) = (0, 0);
    for row in 1..=grid.height() as i32 {
        let (mut west, mut before) = (0, [0; 3]);
        for column in 1..columns - 1 {
            let is_free = |dx: i32, dy: i32| grid.has_free(column as i32 + dx, row + dy);
            let here = if is_free(0, 0) {
                west = if is_free(-1, 0) { west + 1 } else { 0 };
                let can_slant = |dx: i32| is_free(dx, 0) && is_free(0, -1) && is_free(dx, -1);
                let north = if is_free(0, -1) { above[column][0] + 1 } else { 0 };
                let north_west = if can_slant(-1) { before[1] + 1 } else { 0 };
                let north_east = if can_slant(1) { above[column + 1][2] + 1 } else { 0 };
                straight = straight.max(west).max(north);
                diagonal = diagonal.max(north_west).max(north_east);
                [north, north_west, north_east]
            } else {
                [0; 3]
            };
            before = std::mem::replace(&mut above[column], here);
        }
    }
    u64::from(straight) * u64::from(costs.straight) + u64::from(diagonal) * u64::from(costs.diagonal)
}

/// At least the cost between any two jump points that reach each other: in each component twice the distance from one in
/// the middle to the farthest.
fn path_bound(links: &Links, points: usize) -> u64 {
    let back = (0..points).flat_map(|point| {
        let from = point as u32;
        links.list(point).iter().map(move |leg| (leg.point, Leg { point: from, cost: leg.cost }))
    });
    let reverse = Csr::sorted(points, back);
    let mut is_known = vec![false; points];
    let mut bound = 0;
    for seed in 0..points {
        if is_known[seed] {
            continue;
        }
        // Twice to the farthest: nearly the two that are farthest from each other. Their middle is near the centre.
        let from_seed = distances_from(links, &reverse, seed);
        let one_end = farthest(&from_seed);
        let from_one = distances_from(links, &reverse, one_end);
        let from_other = distances_from(links, &reverse, farthest(&from_one));
        let reached = (0..points).filter(|&point| from_seed[point] < UNREACHED);
        let middle =
            reached.clone().min_by_key(|&point| from_one[point].max(from_other[point])).unwrap_or(seed);
        let from_middle = distances_from(links, &reverse, middle);
        bound = bound.max(2 * from_middle[farthest(&from_middle)]);
        reached.for_each(|point| is_known[point] = true);
    }
    bound
}

/// The jump point at the largest finite distance.
fn farthest(distances: &[u64]) -> usize {
    let finite = (0..distances.len()).filter(|&point| distances[point] < UNREACHED);
    finite.max_by_key(|&point| distances[point]).unwrap_or(0)
}

fn distances_from(links: &Links, reverse: &Links, from: usize) -> Vec<u64> {
    let mut distances = vec![UNREACHED; links.len()];
    let edges = |point: u32| {
        let both_ways = links.list(point as usize).iter().chain(reverse.list(point as usize));
        both_ways.map(|leg| (leg.point, u64::from(leg.cost)))
    };
    Dijkstra::default().run(from as u32, &mut distances, edges, |_, _| {});
    distances
}
