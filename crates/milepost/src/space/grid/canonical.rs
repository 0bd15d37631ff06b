//! Moves without detours: after a step from p to x, only those successors of x that are not reached as well
//! without x.
//!
//! Between two cells of open ground there are many shortest paths that differ in the order of their steps alone.
//! A search that follows them all meets most states eight times. This expander follows one order, diagonal steps
//! first, and meets most states once; what A* expands stays the same, what it generates shrinks.
//!
//! # Paper
//! D. Harabor, A. Grastien: Online graph pruning for pathfinding on grid maps, AAAI 2011 (the pruning rules);
//! N. Sturtevant, S. Rabin: Canonical orderings on grids, IJCAI 2016 (using them without jumps).
//!
//! # Guarantees
//! Searches that keep the first parent of least cost, and open a state again when a better way is found, find
//! optimal costs, under rules where all straight steps cost one value and all diagonal ones another.
//!
//! *The rule.* After p -> x a successor n is left out if some way from p to n inside the 3 x 3 square around x
//! and without x costs less than c(p,x) + c(x,n), or the same if p -> x is straight.
//!
//! *Why no cost is lost.* Suppose n is a state of least true distance g*(n) that never gets it. Every x with
//! g*(x) + c(x,n) = g*(n) did get g*(x), with some parent p, and left n out. Cheaper ways from p to n would
//! contradict g*(n), so the way found costs the same, and p -> x is straight, say to the east. Comparing lengths
//! in the square, n can only be the north-east (or south-east) neighbour of x, and the other way leads by a
//! diagonal step to y = north of x and then east to n. So y is such an x too, and was entered by a straight step
//! from its own parent: from the west - but going on straight is never left out; from the north - but then n is
//! cheaper by the diagonal from there, against g*(n); from x - but then g*(y) = g*(x) + 1 and not
//! g*(p) + diagonal, which is less; from n - against g*(y) < g*(n). ∎

use super::moves::GridMoves;
use crate::core::{Cost, Expander, KeyRange, StateId};
use crate::space::{DirectionSet, EdgeSlot, Grid, Rule, SlotExpander};
use std::sync::LazyLock;

/// For each parent position in the 3 x 3 square (row by row, 4 = none) and each mask of free cells, the
/// directions to follow.
type Table = [[DirectionSet; 512]; 9];

/// The moves of a grid in canonical order. For uniform costs only; with an overlay use
/// [`FullMoves`](crate::space::FullMoves).
#[derive(Clone, Copy, Debug)]
pub(crate) struct CanonicalMoves<'a> {
    base: GridMoves<'a>,
    table: &'static Table,
}

impl<'a> CanonicalMoves<'a> {
    pub(in crate::space) fn new(grid: &'a Grid) -> CanonicalMoves<'a> {
        CanonicalMoves { base: grid.moves(), table: CanonicalMoves::table_of(grid.rule()) }
    }

    /// The table of a rule. It is made once in a program, with its first grid, so that no query waits for it.
    pub(in crate::space) fn table_of(rule: Rule) -> &'static Table {
        LazyLock::force(if rule.cuts_corners() { &CUTTING } else { &STRICT })
    }

    /// The directions to follow after a step by `came` columns and rows into `state`, as bits. After (0, 0), that is
    /// from a start, all that are allowed.
    #[inline]
    pub(in crate::space) fn directions_after(&self, state: StateId, came: (i64, i64)) -> DirectionSet {
        let parent = 4 - 3 * came.1 - came.0;
        self.table[parent as usize][self.base.neighbourhood_mask(state)]
    }

    /// Where in the square around `state` its parent lies.
    #[inline]
    fn parent_position(&self, state: StateId, parent: Option<StateId>) -> usize {
        let Some(parent) = parent else { return 4 };
        let stride = self.base.stride() as u32;
        // 0, 1, 2 in the row above; stride and stride + 2 beside; 2 * stride and on below.
        let offset = parent.number().wrapping_sub(state.number()).wrapping_add(stride + 1);
        let row = u32::from(offset > 2) + u32::from(offset > stride + 2);
        (row * 3 + offset.wrapping_sub(row * stride)) as usize
    }
}

impl Expander for CanonicalMoves<'_> {
    fn id_bound(&self) -> usize {
        self.base.id_bound()
    }

    fn keys(&self) -> KeyRange {
        self.base.keys()
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.expand_slots(state, parent, |_| true, visit)
    }
}

impl SlotExpander for CanonicalMoves<'_> {
    #[inline]
    fn expand_slots(
        &self,
        state: StateId,
        parent: Option<StateId>,
        keeps: impl Fn(EdgeSlot) -> bool,
        visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        let directions = self.table[self.parent_position(state, parent)][self.base.neighbourhood_mask(state)];
        self.base.follow(state, directions, keeps, visit);
        0
    }
}

static STRICT: LazyLock<Table> = LazyLock::new(|| table(Rule::Octile, Ties::OneStays));
static CUTTING: LazyLock<Table> = LazyLock::new(|| table(Rule::OctileCutting, Ties::OneStays));

/// What becomes of ways that cost the same.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::space) enum Ties {
    /// One order of steps is followed.
    OneStays,
    /// All are: only what is strictly beaten is left out.
    AllStay,
}

/// Straight and diagonal steps: 12 and 17 compare as 1 and sqrt 2 (and as 10 and 14) over the few steps that fit
/// a square.
const COSTS: [u32; 2] = [12, 17];

pub(in crate::space) fn table(rule: Rule, ties: Ties) -> Table {
    let moves = rule.move_table();
    std::array::from_fn(|parent| {
        std::array::from_fn(|neighbourhood_mask| {
            let allowed = moves[neighbourhood_mask];
            if parent == 4 || neighbourhood_mask >> parent & 1 == 0 {
                return allowed;
            }
            let without = distances_without_centre(rule, parent, neighbourhood_mask);
            let into = step_cost(parent, 4);
            let one_stays = into == COSTS[0] && ties == Ties::OneStays;
            allowed.into_iter().fold(DirectionSet::NONE, |kept, direction| {
                let child = direction.square_bit() as usize;
                let through = into + step_cost(4, child);
                let is_redundant = without[child] < through || one_stays && without[child] == through;
                if is_redundant { kept } else { kept.with(direction) }
            })
        })
    })
}

fn step_cost(a: usize, b: usize) -> u32 {
    COSTS[usize::from(a % 3 != b % 3 && a / 3 != b / 3)]
}

/// Distances from one cell of a 3 x 3 square to the others without its centre.
fn distances_without_centre(rule: Rule, from: usize, neighbourhood_mask: usize) -> [u32; 9] {
    let is_free = |cell: usize| neighbourhood_mask >> cell & 1 == 1;
    let is_step = |a: usize, b: usize| {
        let (dx, dy) = ((a % 3).abs_diff(b % 3), (a / 3).abs_diff(b / 3));
        let beside = [a / 3 * 3 + b % 3, b / 3 * 3 + a % 3];
        dx.max(dy) == 1 && (dx + dy == 1 || rule.cuts_corners() || beside.into_iter().all(is_free))
    };
    let mut distances = [u32::MAX; 9];
    distances[from] = 0;
    // Eight rounds of relaxing all steps: no shortest way has more steps than cells.
    for _ in 0..8 {
        for a in (0..9).filter(|&a| a != 4 && is_free(a)) {
            for b in (0..9).filter(|&b| b != 4 && is_free(b) && is_step(a, b)) {
                distances[b] = distances[b].min(distances[a].saturating_add(step_cost(a, b)));
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Budget, Rng, Search};
    use crate::space::{Direction, SpaceKind, Target, ZeroMetric};

    #[test]
    fn a_flood_in_canonical_order_gives_every_state_the_cost_of_a_plain_flood() {
        let mut rng = Rng::new(41);
        let (mut plain, mut canonical): (Search, Search) = (Search::new(), Search::new());
        for round in 0..900 {
            let rule = [Rule::Octile, Rule::Octile14, Rule::OctileCutting, Rule::Octile14Cutting][round % 4];
            let (width, height, blocked) = (1 + rng.below(40), 1 + rng.below(40), rng.below(50));
            let grid = Grid::new(width, height, rule, |_, _| rng.below(100) >= blocked).unwrap();
            let nowhere = Target::new(&grid, StateId::NONE, ZeroMetric, 1);
            for start in grid.free_states().step_by(97) {
                plain.begin(&grid.moves(), &nowhere, start);
                plain.run(&grid.moves(), &nowhere, &mut Budget::unlimited());
                canonical.begin(&grid.canonical_moves(), &nowhere, start);
                canonical.run(&grid.canonical_moves(), &nowhere, &mut Budget::unlimited());
                for state in grid.free_states() {
                    assert_eq!(canonical.cost(state), plain.cost(state), "{rule}, {width} x {height}");
                }
            }
        }
    }

    fn kept(rule: Rule, parent: usize, drawing: &str) -> Vec<Direction> {
        let free = drawing.bytes().filter(|byte| !byte.is_ascii_whitespace());
        let neighbourhood_mask = free.enumerate().fold(0, |bits, (i, b)| bits | usize::from(b == b'.') << i);
        table(rule, Ties::OneStays)[parent][neighbourhood_mask].into_iter().collect()
    }

    #[test]
    fn on_open_ground_a_straight_step_goes_on_and_a_diagonal_one_spreads() {
        use Direction::*;
        for rule in [Rule::Octile, Rule::OctileCutting] {
            assert_eq!(kept(rule, 3, "... ... ..."), [East]);
            assert_eq!(kept(rule, 6, "... ... ..."), [North, NorthEast, East]);
            assert_eq!(kept(rule, 4, "... ... ...").len(), 8);
        }
    }

    #[test]
    fn corners_force_the_neighbours_behind_them() {
        use Direction::*;
        // Cutting: the wall above x hides its north-eastern neighbour from p.
        assert_eq!(kept(Rule::OctileCutting, 3, ".@. ... ..."), [NorthEast, East]);
        // Strict: the wall above p hides the northern one, and with it the north-eastern one.
        assert_eq!(kept(Rule::Octile, 3, "@.. ... ..."), [North, NorthEast, East]);
        assert_eq!(kept(Rule::Octile, 3, ".@. ... ..."), [East]);
        // A diagonal step past a blocked cell.
        assert_eq!(kept(Rule::OctileCutting, 6, "... @.. ..."), [North, NorthEast, East, NorthWest]);
    }
}
