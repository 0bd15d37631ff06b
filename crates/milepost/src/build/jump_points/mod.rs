//! What is worked out over jump points: the base of the index `jump-bounds`, and of distances for first moves.
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
//! 1. [`JumpPointGraph`]: the lists `A(x)`, thinned ([`first_jump_points`]); [squares of cells](blocks); the
//!    [contracted graph](hierarchy).
//! 2. For sixteen sources at a time ([`lanes`], [`packed_distances`]): distances and shortest-path trees over the jump
//!    points ([`flood`], [`tree`]).
//! 3. What the tree says is handed on to the cells: [`propagate`].
//! 4. All of that for all sources, on all threads: [`batches`].
//!
//! # Guarantees
//! Distances are exact: see the recursion above. It is used backwards, from `x` to `j`: a jump point can be reached
//! optimally without being a forced arrival, so a forward search over arrivals would overestimate some.
//! All numbers are 32 bits wide on a convergent of sqrt 2 that is large enough for the map ([`reach`]).
//!
//! # Paper
//! The recursion over first jump points builds on D. Harabor, A. Grastien: Online graph pruning for pathfinding on
//! grid maps, AAAI 2011, and on T. Uras, S. Koenig, C. Hernández: Subgoal graphs for optimal pathfinding in eight-
//! neighbor grids, ICAPS 2013.

pub(crate) mod batches;
pub(crate) mod blocks;
pub(crate) mod feasibility;
pub(crate) mod first_jump_points;
pub(crate) mod flat;
pub(crate) mod flood;
pub(crate) mod hierarchy;
pub(crate) mod lanes;
pub(crate) mod packed_distances;
pub(crate) mod propagate;
pub(crate) mod reach;
pub(crate) mod tree;

use super::{BuildError, parallel};
use crate::core::{Csr, IS_COMPACT, vectorized};
use crate::index::jump_table::JumpTable;
use crate::index::{IndexKind, Jumps, LegCosts, PackedCell};
use crate::space::{Grid, SpaceKind};
use blocks::{BlockMaker, Level, Listed};
use first_jump_points::{FirstJumpPoints, Leg};
use flat::FlatTable;
use hierarchy::Hierarchy;
use packed_distances::DistanceWord;
use reach::{leg_costs, longest_leg};

/// All that is the same for every source.
#[derive(Debug)]
pub(crate) struct JumpPointGraph<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) table: JumpTable<'a>,
    pub(crate) flat: FlatTable,
    pub(crate) costs: LegCosts,
    /// Whether distances fit words of 32 bits beside a hop_label.
    pub(in crate::build) is_narrow: bool,
    /// The jump points along the curve.
    pub(crate) points: Vec<PackedCell>,
    /// The free cells along the curve.
    pub(crate) cells: Vec<PackedCell>,
    /// The first jump points of every jump point, the longest legs last.
    pub(crate) links: Links,
    pub(crate) hierarchy: Hierarchy,
    /// The coarsest first.
    pub(crate) levels: Vec<Level>,
}

/// Lists of legs, one for each jump point.
pub(crate) type Links = Csr<Leg>;

/// Squares of this many cells, as powers of two.
const FINE: u32 = 4;

impl<'a> JumpPointGraph<'a> {
    /// Studies a grid. `kind` is what will be built, for the error message.
    pub(crate) fn new(
        grid: &'a Grid,
        table: JumpTable<'a>,
        kind: IndexKind,
    ) -> Result<JumpPointGraph<'a>, BuildError> {
        let (mut graph, farthest) = JumpPointGraph::of_points(grid, table, kind)?;
        graph.levels = levels(grid, &graph.flat, graph.costs, &graph.cells, graph.points.len());
        let base = graph.levels.iter().map(|level| level.base).max().unwrap_or(0);
        graph.is_narrow = u32::holds(farthest, longest_leg(grid, graph.costs) + 2 * u64::from(base));
        Ok(graph)
    }

    /// Studies the jump points of a grid alone: nothing is known of squares of cells. Also more than any distance.
    pub(crate) fn of_points(
        grid: &'a Grid,
        table: JumpTable<'a>,
        kind: IndexKind,
    ) -> Result<(JumpPointGraph<'a>, u64), BuildError> {
        let (cells, points) = along_the_curve(grid, &table);
        let flat = FlatTable::new(grid, &table);
        let why = "its paths are too long for 32-bit costs".to_owned();
        let too_long = || BuildError::DoesNotPay { kind, why };
        let (costs, farthest) = leg_costs(grid, &flat, &points).ok_or_else(too_long)?;
        let links = links(&flat, costs, &points);
        let edges = (0..points.len())
            .flat_map(|point| links.list(point).iter().map(move |leg| (point as u32, leg.point, leg.cost)));
        let hierarchy = Hierarchy::new(points.len(), edges);
        let (levels, is_narrow) = (Vec::new(), false);
        let graph =
            JumpPointGraph { grid, table, flat, costs, is_narrow, points, cells, links, hierarchy, levels };
        Ok((graph, farthest))
    }

    /// Whether distances are kept in words of 32 bits.
    #[inline]
    pub(crate) fn is_narrow(&self) -> bool {
        self.is_narrow && !IS_COMPACT
    }

    /// Names all cells that see a jump point.
    #[inline(always)]
    pub(crate) fn seen_from(&self, point: u32, mut visit: impl FnMut(PackedCell)) {
        const MOST: i32 = 1 << 16;
        let (table, at) = (&self.flat, self.points[point as usize]);
        for direction in [1, 3, 5, 7] {
            for steps in 1..=table.clear_steps(at, direction, MOST) {
                visit(at.ahead(direction, steps));
            }
        }
        for direction in [0, 2, 4, 6] {
            for steps in 1..=table.clear_steps(at, direction, MOST) {
                let turn = at.ahead(direction, steps);
                visit(turn);
                for beside in [direction + 1, (direction + 7) % 8] {
                    for steps in 1..=table.clear_steps(turn, beside, MOST) {
                        visit(turn.ahead(beside, steps));
                    }
                }
            }
        }
    }
}

/// Free cells and jump points in the order of their numbers.
fn along_the_curve(grid: &Grid, table: &JumpTable<'_>) -> (Vec<PackedCell>, Vec<PackedCell>) {
    let mut cells = vec![PackedCell::default(); grid.states() as usize];
    for state in grid.free_states() {
        let cell = PackedCell::of(grid, state);
        cells[table.number(cell) as usize] = cell;
    }
    let points = super::jump_table::points(grid, table);
    (cells, points)
}

/// The first jump points of the jump points.
fn links(table: &FlatTable, costs: LegCosts, points: &[PackedCell]) -> Links {
    let room = || FirstJumpPoints::new(table, costs);
    let lists: Vec<Vec<Leg>> = parallel::map_list_with(points, room, |jump_points, &cell| {
        let mut list = Vec::new();
        vectorized!(jump_points.append(cell, &mut list));
        list.sort_unstable_by_key(|leg| (leg.cost, leg.point));
        list
    });
    lists.into_iter().collect()
}

/// Squares of cells on all levels, the coarsest first.
fn levels(
    grid: &Grid,
    table: &FlatTable,
    costs: LegCosts,
    cells: &[PackedCell],
    points: usize,
) -> Vec<Level> {
    let sizes = level_sizes(cells.len());
    let curve_levels = crate::index::curve::levels(grid.width() + 2, grid.height() + 2);
    let square = |cell: PackedCell, bits: u32| {
        crate::index::curve::place(curve_levels, cell.column(), cell.row(), 0).0 >> bits
    };
    let coarsest = split(cells, |cell| square(cell, sizes[0]));
    // Each coarse square by itself, with all that lies in it.
    let room = || (FirstJumpPoints::new(table, costs), BlockMaker::new(grid, costs, points));
    let parts: Vec<Vec<Level>> = parallel::map_list_with(&coarsest, room, |(jump_points, maker), range| {
        let packed_cells = &cells[range.clone()];
        let (mut first, mut legs) = (vec![0], Vec::new());
        for &cell in packed_cells {
            vectorized!(jump_points.append(cell, &mut legs));
            first.push(legs.len() as u32);
        }
        let listed = Listed { from: range.start as u32, packed_cells, first: &first, legs: &legs };
        let mut levels: Vec<Level> = sizes.iter().map(|&bits| Level::new(bits, costs)).collect();
        for depth in 0..sizes.len() {
            let blocks = split(packed_cells, |cell| square(cell, sizes[depth]));
            let finer: Vec<_> = sizes
                .get(depth + 1)
                .map_or_else(Vec::new, |&bits| split(packed_cells, |cell| square(cell, bits)));
            let mut finer_index = 0;
            for block in blocks {
                while finer.get(finer_index).is_some_and(|other| other.start < block.start) {
                    finer_index += 1;
                }
                maker.append(listed.part(block), finer_index as u32, &mut levels[depth]);
            }
        }
        levels
    });
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
fn split(cells: &[PackedCell], square: impl Fn(PackedCell) -> u64) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut from = 0;
    let squares: Vec<u64> = cells.iter().map(|&cell| square(cell)).collect();
    for to in 1..=cells.len() {
        if to == cells.len() || squares[to] != squares[from] {
            ranges.push(from..to);
            from = to;
        }
    }
    ranges
}
