//! Moves that may lie on a shortest path: what floods follow that must see every one of them.
//!
//! [`CanonicalMoves`](crate::space::CanonicalMoves) keep one of several shortest paths. A flood that asks *which* first steps
//! begin a shortest path must keep all, and may leave out only what is never on one: after a step from p to x those
//! neighbours n for which some way from p inside the 3 x 3 square around x, without x, costs strictly less than over x.
//! If p -> x is tight (the distance of x is that of p plus the step) then x -> n is not. On open ground three of eight
//! neighbours are left.

use super::canonical::{Ties, table};
use crate::core::StateId;
use crate::space::{Direction, DirectionSet, Grid};

/// For a grid without weights and links.
#[derive(Clone, Debug)]
pub(crate) struct TightMoves {
    /// By shape and direction of arrival (8 = none): the directions to follow, as bits.
    after: Box<[[DirectionSet; 1024]; 9]>,
}

impl TightMoves {
    pub(crate) fn new(grid: &Grid) -> TightMoves {
        let rule = grid.rule();
        let mut after = Box::new([[DirectionSet::NONE; 1024]; 9]);
        if rule.is_octile() {
            let by_parent = table(rule, Ties::AllStay);
            for (arrival, after) in after.iter_mut().enumerate() {
                let (dx, dy) = Direction::ALL.get(arrival).map_or((0, 0), |direction| direction.offset());
                let parent = (4 - 3 * dy - dx) as usize;
                after[..512].copy_from_slice(&by_parent[parent]);
            }
        } else {
            // Whatever the arrival.
            let [others, shifted] = rule.move_tables();
            for after in after.iter_mut() {
                after[..512].copy_from_slice(others);
                after[512..].copy_from_slice(shifted);
            }
        }
        TightMoves { after }
    }

    /// The directions to follow at a cell of this [shape](Grid::shape) after a step in direction `arrival`.
    #[inline(always)]
    pub(crate) fn after(&self, arrival: usize, shape: u16) -> u8 {
        self.after[arrival.min(8)][usize::from(shape) & 1023].bits()
    }
}

impl Grid {
    /// What the moves from a free cell depend on: the cells around it, and of a hexagon whether it is shifted.
    pub(crate) fn shape(&self, state: StateId) -> u16 {
        self.moves().shape(state) as u16
    }
}
