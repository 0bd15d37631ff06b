//! A cost overlay: a factor for each cell, for one query - danger, crowding, a road that pays.

use super::{Grid, OverlayMoves, Rule};
use crate::core::{CostScale, StateId};
use std::sync::Arc;
use thiserror::Error;

/// Why an overlay cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OverlayError {
    /// A factor of zero.
    #[error("the overlay's factor at {x},{y} is 0; factors are 1 to 255")]
    Zero {
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
}

/// Integer factors 1 to 255 that multiply what a cell costs to cross. Cheap to clone.
///
/// A step from a to b costs its base times the mean of their factors. Costs under an overlay have a scale of
/// their own, in half units, so that they stay exact.
#[derive(Clone, Debug)]
pub struct Overlay {
    factors: Arc<[u8]>,
    least: u8,
    scale: CostScale,
    width: u32,
    rule: Rule,
}

impl Overlay {
    /// The overlay of `grid` with the factor that `factor(x, y)` gives each cell.
    pub fn new(grid: &Grid, mut factor: impl FnMut(u32, u32) -> u8) -> Result<Overlay, OverlayError> {
        let mut factors = vec![1; grid.id_bound()];
        let (mut least, mut largest) = (u8::MAX, 1);
        for state in grid.free_states() {
            let at = grid.point(state);
            let (x, y) = (at.x as u32, at.y as u32);
            let value = factor(x, y);
            if value == 0 {
                return Err(OverlayError::Zero { x, y });
            }
            factors[state.index()] = value;
            (least, largest) = (least.min(value), largest.max(value));
        }
        let cells = u64::from(grid.width()) * u64::from(grid.height());
        let scale = grid.rule().scale(cells, 2 * u64::from(largest));
        Ok(Overlay {
            factors: factors.into(),
            least: least.min(largest),
            scale,
            width: grid.width(),
            rule: grid.rule(),
        })
    }

    /// The factor of a cell.
    #[inline]
    pub fn factor(&self, state: StateId) -> u64 {
        u64::from(self.factors[state.index()])
    }

    /// The least factor of a free cell.
    pub fn least(&self) -> u8 {
        self.least
    }

    /// What costs under this overlay are measured in.
    pub fn scale(&self) -> CostScale {
        self.scale
    }

    /// Whether the overlay was made for a grid of this size and rule.
    pub fn fits(&self, grid: &Grid) -> bool {
        (self.factors.len(), self.width, self.rule) == (grid.id_bound(), grid.width(), grid.rule())
    }

    /// The moves of `grid` under this overlay.
    pub fn moves<'a>(&'a self, grid: &'a Grid) -> OverlayMoves<'a> {
        OverlayMoves::new(grid, self)
    }
}
