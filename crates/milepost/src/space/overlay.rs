//! A cost overlay: a factor for each cell, for one query - danger, crowding, a road that pays.

use super::grid::factors::{Factors, ZeroFactor};
use super::grid::moves::MoveTable;
use super::{FullMoves, Grid, Rule, SpaceKind};
use crate::core::{CostScale, StateId};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Integer factors 1 to 255 that multiply what a cell costs to cross. Cheap to clone.
///
/// A step from a to b costs its base times the mean of their factors (times their weights, where the map has some).
/// Costs under an overlay have a scale of their own, in half units, so that they stay exact.
///
/// ```
/// use milepost::space::ZeroFactor;
/// use milepost::{Atlas, Budget, Grid, Overlay, Point, Query, Rule, Scratch};
///
/// let grid = Grid::from_ascii("...\n.@.\n...", Rule::Four)?;
/// let danger = Overlay::new(&grid, |_, y| if y == 0 { 9 } else { 1 })?; // a tower watches the first row
/// let query = Query::new(Point::new(0, 1), Point::new(2, 1)).with_overlay(&danger);
/// let mut scratch = Scratch::new();
/// Atlas::new(&grid).plan(&query, &mut scratch, &mut Budget::unlimited());
/// assert!(scratch.path().points().iter().all(|at| at.y > 0.0));
/// assert_eq!(Overlay::new(&grid, |_, _| 0).unwrap_err(), ZeroFactor { x: 0, y: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Overlay {
    factors: Factors,
    scale: CostScale,
    /// The moves of the grid at base costs of this scale.
    table: Arc<MoveTable>,
    /// Of all factors.
    hash: u64,
    made_for: (usize, u32, Rule, CostScale),
}

impl Overlay {
    /// The overlay of `grid` with the factor that `factor(x, y)` gives each cell, also those that are blocked now.
    pub fn new(grid: &Grid, mut factor: impl FnMut(u32, u32) -> u8) -> Result<Overlay, ZeroFactor> {
        let mut values = vec![1; grid.id_bound()];
        for state in grid.all_cells() {
            let at = grid.point(state);
            let (x, y) = (at.x as u32, at.y as u32);
            values[state.index()] = factor(x, y);
            if values[state.index()] == 0 {
                return Err(ZeroFactor { x, y });
            }
        }
        let factors = Factors::new(values, grid.all_cells());
        let scale = grid.rule().scale(grid.step_range(Some(factors.largest())));
        let hash = xxh3_64(factors.values());
        let table = Arc::new(MoveTable::new(grid.geometry().with_costs(grid.rule(), scale)));
        Ok(Overlay { factors, scale, table, hash, made_for: Overlay::mark(grid) })
    }

    fn mark(grid: &Grid) -> (usize, u32, Rule, CostScale) {
        (grid.id_bound(), grid.width(), grid.rule(), grid.scale())
    }

    /// The factor of a cell.
    pub fn factor(&self, state: StateId) -> u64 {
        self.factors.of(state)
    }

    /// What costs under this overlay are measured in.
    pub fn scale(&self) -> CostScale {
        self.scale
    }

    /// By which an overlay is known again: those with the same factors have the same.
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether the overlay was made for a grid of this size, rule and weights.
    pub fn fits(&self, grid: &Grid) -> bool {
        self.made_for == Overlay::mark(grid)
    }

    /// The moves of `grid` under this overlay.
    pub(crate) fn moves<'a>(&'a self, grid: &'a Grid) -> FullMoves<'a> {
        FullMoves::new(grid, Some(self))
    }

    /// How many times its base the cheapest step costs.
    pub(crate) fn cheapest(&self, grid: &Grid) -> u64 {
        2 * self.factors.least() * grid.weights().map_or(1, Factors::least)
    }

    pub(super) fn factors(&self) -> &Factors {
        &self.factors
    }

    pub(super) fn table(&self) -> &MoveTable {
        &self.table
    }
}
