//! What is worked out over jump points: the base of the indexes `jump-bounds` and `jump-rows`.
//!
//! # The idea
//! A shortest path over uniform ground turns only at jump points: the cells beside which a wall ends. Let `A(x)` be
//! the first jump points of cell `x`: those seen by diagonal steps followed by straight ones. Then for a jump point `j`
//!
//! `D(x,j)` = the octile distance if `x` sees `j` itself, else the least `c(x,a) + D(a,j)` over `a` in `A(x)`.
//!
//! So all distances to `j` follow from those between jump points, and these from one search over the graph of jump
//! points. Jump points are 2 to 6 % of the cells of a game map: the work is some thousand times less than one flood
//! for every cell.
//!
//! 1. [`Study`]: the lists `A(x)`, thinned ([`lists`]); [squares of cells](blocks); the [contracted graph](hierarchy).
//! 2. For sixteen sources at a time ([`lanes`]): distances and shortest-path trees over the jump points ([`flood`],
//!    [`tree`]).
//! 3. What the tree says is handed on to the cells: [`pull`].
//!
//! # Guarantees
//! Distances are exact: see the recursion above. It is used backwards, from `x` to `j`: a jump point can be reached
//! optimally without being a forced arrival, so a forward search over arrivals would overestimate some.
//! All numbers are 32 bits wide on a convergent of sqrt 2 that is large enough for the map ([`Study::new`]).
//!
//! # Paper
//! The recursion over first jump points builds on D. Harabor, A. Grastien: Online graph pruning for pathfinding on
//! grid maps, AAAI 2011, and on T. Uras, S. Koenig, C. Hernández: Subgoal graphs for optimal pathfinding in eight-
//! neighbor grids, ICAPS 2013.

pub(crate) mod blocks;
pub(crate) mod flood;
pub(crate) mod hierarchy;
pub(crate) mod lanes;
pub(crate) mod lists;
pub(crate) mod pull;
pub(crate) mod tree;

use super::BuildError;
use crate::index::jump_table::JumpTable;
use crate::index::{IndexKind, LegCosts, Spot};
use crate::space::{Grid, Rule};
use blocks::{BlockMaker, Level, Listed};
use hierarchy::Hierarchy;
use lanes::INFINITE;
use lists::{Leg, Lister};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, Ordering};

/// All that is the same for every source.
#[derive(Debug)]
pub(crate) struct Study<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) table: JumpTable<'a>,
    pub(crate) costs: LegCosts,
    /// The jump points along the curve.
    pub(crate) points: Vec<Spot>,
    /// The free cells along the curve.
    pub(crate) cells: Vec<Spot>,
    /// The first jump points of every jump point, the longest legs last.
    pub(crate) links: Links,
    pub(crate) hierarchy: Hierarchy,
    /// The coarsest first.
    pub(crate) levels: Vec<Level>,
    /// About 64 times the number of cells whose first jump point this is, alone or among others.
    pub(crate) owned: Vec<u32>,
}

/// Lists of legs, one for each jump point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    first: Vec<u32>,
    legs: Vec<Leg>,
}

impl Links {
    #[inline(always)]
    pub(crate) fn of(&self, point: usize) -> &[Leg] {
        &self.legs[self.first[point] as usize..self.first[point + 1] as usize]
    }
}

/// Squares of this many cells, as powers of two.
const FINE: u32 = 4;

impl<'a> Study<'a> {
    /// Studies a grid. `kind` is what will be built, for the error message.
    pub(crate) fn new(
        grid: &'a Grid,
        table: JumpTable<'a>,
        kind: IndexKind,
    ) -> Result<Study<'a>, BuildError> {
        let mut study = Study::of_points(grid, table, kind)?;
        let owned: Vec<AtomicU32> = study.points.iter().map(|_| AtomicU32::new(1)).collect();
        study.levels = levels(grid, &table, study.costs, &study.cells, &owned);
        study.owned = owned.into_iter().map(AtomicU32::into_inner).collect();
        Ok(study)
    }

    /// Studies the jump points of a grid alone: nothing is known of squares of cells.
    pub(crate) fn of_points(
        grid: &'a Grid,
        table: JumpTable<'a>,
        kind: IndexKind,
    ) -> Result<Study<'a>, BuildError> {
        let (cells, points) = along_the_curve(grid, &table);
        let costs = leg_costs(grid, &table, &points).ok_or_else(|| BuildError::DoesNotPay {
            kind,
            why: "its paths are too long for 32-bit costs".to_owned(),
            instead: "jps-plus",
        })?;
        let links = links(&table, costs, &points);
        let edges = (0..points.len())
            .flat_map(|point| links.of(point).iter().map(move |leg| (point as u32, leg.point, leg.cost)));
        let hierarchy = Hierarchy::new(points.len(), edges);
        let (levels, owned) = (Vec::new(), Vec::new());
        Ok(Study { grid, table, costs, points, cells, links, hierarchy, levels, owned })
    }

    /// Names all cells that see a jump point, and the direction in which the way to each leaves the jump point:
    /// straight steps first, since the cells see it diagonal steps first.
    #[inline(always)]
    pub(crate) fn seen_from(&self, point: u32, visit: impl FnMut(Spot, usize)) {
        self.seen_from_spot(self.points[point as usize], visit);
    }

    /// The same for any cell.
    #[inline(always)]
    pub(crate) fn seen_from_spot(&self, at: Spot, mut visit: impl FnMut(Spot, usize)) {
        const MOST: i32 = 1 << 16;
        let table = &self.table;
        for direction in [1, 3, 5, 7] {
            for steps in 1..=table.clear_steps(at, direction, MOST) {
                visit(at.ahead(direction, steps), direction);
            }
        }
        for direction in [0, 2, 4, 6] {
            for steps in 1..=table.clear_steps(at, direction, MOST) {
                let turn = at.ahead(direction, steps);
                visit(turn, direction);
                for beside in [direction + 1, (direction + 7) % 8] {
                    for steps in 1..=table.clear_steps(turn, beside, MOST) {
                        visit(turn.ahead(beside, steps), direction);
                    }
                }
            }
        }
    }
}

/// Free cells and jump points in the order of their numbers.
fn along_the_curve(grid: &Grid, table: &JumpTable<'_>) -> (Vec<Spot>, Vec<Spot>) {
    let mut cells = vec![Spot::default(); grid.states() as usize];
    for state in grid.free_states() {
        let spot = Spot::of(grid, state);
        cells[table.number(spot) as usize] = spot;
    }
    let points = super::jump_table::points(grid, table);
    (cells, points)
}

/// The smallest costs of steps that keep comparisons exact on this map and let every distance fit; `None` if none do.
///
/// Let `L` bound the length of every shortest path. It has fewer than `L / sqrt 2` diagonal steps, and a path with more
/// than that is longer than any shortest one, in integers too, since the convergents are from above. So `q > L / sqrt 2`
/// is enough. For `L` twice the distance from one jump point to the farthest in its component will do, and the legs to
/// the cells at both ends.
pub(crate) fn leg_costs(grid: &Grid, table: &JumpTable<'_>, points: &[Spot]) -> Option<LegCosts> {
    let coarse = LegCosts { straight: 10, diagonal: 14 };
    let links = links(table, coarse, points);
    let bound = path_bound(&links, points.len());
    // In straight steps, with 14/10 a little less than sqrt 2.
    let steps = (bound / 10 + 1) * 102 / 100 + 2 * u64::from(grid.width().max(grid.height()));
    LegCosts::of_rule(grid.rule()).iter().copied().find(|costs| {
        let is_exact = grid.rule() == Rule::Octile14 || steps * 10 < u64::from(costs.straight) * 14;
        is_exact && steps * u64::from(costs.diagonal) < u64::from(INFINITE) / 2
    })
}

/// At least the cost between any two jump points that reach each other: in each component twice the distance from one in
/// the middle to the farthest.
fn path_bound(links: &Links, points: usize) -> u64 {
    let mut reverse: Vec<Vec<(u32, u32)>> = vec![Vec::new(); points];
    for point in 0..points {
        for leg in links.of(point) {
            reverse[leg.point as usize].push((point as u32, leg.cost));
        }
    }
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
        let reached = (0..points).filter(|&point| from_seed[point] < u64::MAX);
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
    let finite = (0..distances.len()).filter(|&point| distances[point] < u64::MAX);
    finite.max_by_key(|&point| distances[point]).unwrap_or(0)
}

fn distances_from(links: &Links, reverse: &[Vec<(u32, u32)>], from: usize) -> Vec<u64> {
    let mut distances = vec![u64::MAX; reverse.len()];
    let mut queue = BinaryHeap::new();
    distances[from] = 0;
    queue.push(Reverse((0, from as u32)));
    while let Some(Reverse((distance, point))) = queue.pop() {
        if distance > distances[point as usize] {
            continue;
        }
        let forward = links.of(point as usize).iter().map(|leg| (leg.point, leg.cost));
        for (other, cost) in forward.chain(reverse[point as usize].iter().copied()) {
            let there = distance + u64::from(cost);
            if there < distances[other as usize] {
                distances[other as usize] = there;
                queue.push(Reverse((there, other)));
            }
        }
    }
    distances
}

/// The first jump points of the jump points.
fn links(table: &JumpTable<'_>, costs: LegCosts, points: &[Spot]) -> Links {
    let lists: Vec<Vec<Leg>> = points
        .par_iter()
        .map_init(
            || Lister::new(*table, costs),
            |lister, &spot| {
                let mut list = Vec::new();
                lister.append(spot, &mut list);
                list.sort_unstable_by_key(|leg| (leg.cost, leg.point));
                list
            },
        )
        .collect();
    let mut links = Links { first: vec![0], legs: Vec::new() };
    for list in lists {
        links.legs.extend(list);
        links.first.push(links.legs.len() as u32);
    }
    links
}

/// Squares of cells on all levels, the coarsest first.
fn levels(
    grid: &Grid,
    table: &JumpTable<'_>,
    costs: LegCosts,
    cells: &[Spot],
    owned: &[AtomicU32],
) -> Vec<Level> {
    let sizes = level_sizes(cells.len());
    let curve_levels = crate::index::curve::levels(grid.width() + 2, grid.height() + 2);
    let square = |spot: Spot, bits: u32| {
        crate::index::curve::place(curve_levels, spot.column(), spot.row(), 0).0 >> bits
    };
    let coarsest = split(cells, |spot| square(spot, sizes[0]));
    // Each coarse square by itself, with all that lies in it.
    let parts: Vec<Vec<Level>> = coarsest
        .par_iter()
        .map_init(
            || (Lister::new(*table, costs), BlockMaker::new(grid, costs, owned.len())),
            |(lister, maker), range| {
                let spots = &cells[range.clone()];
                let (mut first, mut legs) = (vec![0], Vec::new());
                for &spot in spots {
                    let before = legs.len();
                    lister.append(spot, &mut legs);
                    let share = 64 / (legs.len() - before).max(1) as u32;
                    for leg in &legs[before..] {
                        owned[leg.point as usize].fetch_add(share, Ordering::Relaxed);
                    }
                    first.push(legs.len() as u32);
                }
                let listed = Listed { from: range.start as u32, spots, first: &first, legs: &legs };
                let mut levels: Vec<Level> = sizes.iter().map(|&bits| Level::new(bits, costs)).collect();
                for depth in 0..sizes.len() {
                    let blocks = split(spots, |spot| square(spot, sizes[depth]));
                    let finer: Vec<_> = sizes
                        .get(depth + 1)
                        .map_or_else(Vec::new, |&bits| split(spots, |spot| square(spot, bits)));
                    let mut finer_index = 0;
                    for block in blocks {
                        while finer.get(finer_index).is_some_and(|other| other.start < block.start) {
                            finer_index += 1;
                        }
                        maker.append(listed.part(block), finer_index as u32, &mut levels[depth]);
                    }
                }
                levels
            },
        )
        .collect();
    let mut levels: Vec<Level> = sizes.iter().map(|&bits| Level::new(bits, costs)).collect();
    for part in parts {
        let finer: Vec<u32> =
            levels.iter().skip(1).map(|level| level.blocks.len() as u32).chain([0]).collect();
        for ((level, part), finer) in levels.iter_mut().zip(part).zip(finer) {
            level.append(part, finer);
        }
    }
    let finer: Vec<u32> = levels.iter().skip(1).map(|level| level.blocks.len() as u32).chain([0]).collect();
    for (level, finer) in levels.iter_mut().zip(finer) {
        level.close(cells.len() as u32, finer);
    }
    levels
}

/// Larger maps profit from larger squares above the small ones.
fn level_sizes(cells: usize) -> Vec<u32> {
    match cells {
        0..=200_000 => vec![6, FINE],
        200_001..=2_000_000 => vec![8, 6, FINE],
        _ => vec![10, 8, 6, FINE],
    }
}

/// Ranges of cells that share a square.
fn split(cells: &[Spot], square: impl Fn(Spot) -> u64) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut from = 0;
    let squares: Vec<u64> = cells.iter().map(|&spot| square(spot)).collect();
    for to in 1..=cells.len() {
        if to == cells.len() || squares[to] != squares[from] {
            ranges.push(from..to);
            from = to;
        }
    }
    ranges
}
