//! For which sources of a block the greedy move is right.

use super::blocks::Block;
use super::sets::LaneSets;
use crate::core::StateId;
use crate::index::PackedCell;
use crate::index::first_moves::GREEDY;
use crate::index::first_moves::greedy::{BEARINGS, bearing, greedy};
use crate::index::first_moves::rows::LANES;
use crate::space::Grid;

/// The greedy move of each source, as a set of one, by where a target lies.
///
/// A target that lies beside neither the columns nor the rows of the block has one quadrant for all sources, and which
/// side is longer depends on the difference of the distances alone. Far along its columns or rows the column or row of
/// the target says all. Only near the block each source has to be asked.
#[derive(Debug)]
pub(super) struct BlockGreedy {
    left: i32,
    top: i32,
    places: [(i32, i32); LANES],
    /// By bearing.
    moves: Vec<LaneSets>,
    /// By quadrant and by how much wider than high.
    quadrants: Vec<LaneSets>,
    /// By column or row inside the block, and side.
    strips: Vec<LaneSets>,
}

/// Differences of distances beyond which nothing changes.
const MOST_DIFFERENCE: i32 = 15;
const DIFFERENCES: usize = 2 * MOST_DIFFERENCE as usize + 1;

impl BlockGreedy {
    /// Of a block of 8 x 8 cells.
    pub(super) fn new(grid: &Grid, order: &[StateId], block: &Block) -> BlockGreedy {
        let first = block
            .used()
            .next()
            .map_or(PackedCell::default(), |(_, source)| PackedCell::of(grid, order[source as usize]));
        let none = LaneSets([0; LANES]);
        let mut this = BlockGreedy {
            left: first.column() as i32 & !7,
            top: first.row() as i32 & !7,
            places: [(0, 0); LANES],
            moves: vec![none; BEARINGS],
            quadrants: vec![none; 4 * DIFFERENCES],
            strips: vec![none; 32],
        };
        for (lane, source) in block.used() {
            let state = order[source as usize];
            let (cell, allowed) = (PackedCell::of(grid, state), grid.directions(state).bits());
            let (x, y) = (cell.column() as i32, cell.row() as i32);
            this.places[lane] = (x, y);
            for bearing in 0..BEARINGS {
                let direction = greedy(allowed, bearing);
                let is_allowed = direction < 8 && allowed >> direction & 1 == 1;
                this.moves[bearing].0[lane] = if is_allowed { 1 << direction } else { 0 };
            }
            this.add_quadrants(lane, x - this.left, y - this.top);
            this.add_strips(lane, x - this.left, y - this.top);
        }
        this
    }

    fn add_quadrants(&mut self, lane: usize, x: i32, y: i32) {
        for quadrant in 0..4 {
            let (side_x, side_y) =
                (if quadrant & 1 != 0 { 1 } else { -1 }, if quadrant & 2 != 0 { 1 } else { -1 });
            for (index, difference) in (-MOST_DIFFERENCE..=MOST_DIFFERENCE).enumerate() {
                // Anywhere in the quadrant where the distances from the corner of the block differ so.
                let (dx, dy) = (100 + difference - side_x * x, 100 - side_y * y);
                let bearing = bearing(side_x * dx, side_y * dy);
                self.quadrants[quadrant * DIFFERENCES + index].0[lane] = self.moves[bearing].0[lane];
            }
        }
    }

    fn add_strips(&mut self, lane: usize, x: i32, y: i32) {
        for inside in 0..8 {
            for (side, far) in [-100, 100].into_iter().enumerate() {
                let strip = inside as usize * 4 + side * 2;
                self.strips[strip].0[lane] = self.moves[bearing(inside - x, far - y)].0[lane];
                self.strips[strip + 1].0[lane] = self.moves[bearing(far - x, inside - y)].0[lane];
            }
        }
    }

    /// Adds the symbol for greedy moves to the sets for a target, where it is right.
    #[inline(always)]
    pub(super) fn add(&self, target: PackedCell, sets: &mut LaneSets) {
        let (tx, ty) = (target.column() as i32, target.row() as i32);
        let (x, y) = (tx - self.left, ty - self.top);
        let is_beside = |at: i32| (0..8).contains(&at);
        // Farther than any two sources are apart.
        let is_far = |at: i32| !(-8..16).contains(&at);
        let near;
        let moves = if !is_beside(x) && !is_beside(y) {
            let quadrant = usize::from(x > 0) + 2 * usize::from(y > 0);
            let difference = (x.abs() - y.abs()).clamp(-MOST_DIFFERENCE, MOST_DIFFERENCE) + MOST_DIFFERENCE;
            &self.quadrants[quadrant * DIFFERENCES + difference as usize]
        } else if is_beside(x) && is_far(y) {
            &self.strips[x as usize * 4 + usize::from(y > 0) * 2]
        } else if is_beside(y) && is_far(x) {
            &self.strips[y as usize * 4 + usize::from(x > 0) * 2 + 1]
        } else {
            near = self.near(tx, ty);
            &near
        };
        for lane in 0..LANES {
            sets.0[lane] |= u16::from(sets.0[lane] & moves.0[lane] != 0) << GREEDY;
        }
    }

    #[inline(never)]
    fn near(&self, x: i32, y: i32) -> LaneSets {
        let of = |lane: usize| {
            let (from_x, from_y) = self.places[lane];
            self.moves[bearing(x - from_x, y - from_y)].0[lane]
        };
        LaneSets(std::array::from_fn(of))
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::Plan;
    use super::*;
    use crate::core::Rng;
    use crate::space::{Rule, Space};

    #[test]
    fn targets_near_and_far_get_the_greedy_move_of_every_source() {
        let mut rng = Rng::new(81);
        for round in 0..20 {
            let grid =
                Grid::new(60, 50, Rule::ALL[round % Rule::ALL.len()], |_, _| rng.below(10) > 1).unwrap();
            let space = Space::from(grid.clone());
            let plan = Plan::new(&space, false).unwrap();
            for block in plan.blocks.iter().step_by(7) {
                let moves = BlockGreedy::new(&grid, &plan.order, block);
                for &target in &plan.order {
                    let mut sets = LaneSets(std::array::from_fn(|_| 1 << rng.below(8)));
                    let before = sets;
                    moves.add(PackedCell::of(&grid, target), &mut sets);
                    for (lane, source) in block.used() {
                        let state = plan.order[source as usize];
                        let (dx, dy) = PackedCell::of(&grid, state).to(PackedCell::of(&grid, target));
                        let allowed = grid.directions(state).bits();
                        let direction = greedy(allowed, bearing(dx, dy));
                        let is_allowed = direction < 8 && allowed >> direction & 1 == 1;
                        let is_right = is_allowed && before.0[lane] >> direction & 1 == 1;
                        assert_eq!(sets.0[lane] >> GREEDY & 1 == 1, is_right, "{dx} {dy}");
                    }
                }
            }
        }
    }
}
