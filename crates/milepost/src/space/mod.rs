//! What can be searched: grids (graphs and others are to come), their components, heuristics and goals.
//!
//! This room knows how one can move and what it costs. It must not know who searches, which index exists, or
//! where a map came from.

mod bits;
mod canonical;
mod components;
mod goal;
mod grid;
mod heuristic;
mod moves;
mod outward;
mod overlay;
mod rule;

pub use canonical::CanonicalMoves;
pub use components::Components;
pub use goal::{Target, Targets, Weight, Weighted};
pub use grid::{CellEdit, Grid, GridError};
pub use heuristic::{
    EuclideanMetric, Heuristic, ManhattanMetric, Metric, OctileMetric, OtherMetric, PNormMetric, Power,
    ZeroMetric,
};
pub use moves::{GridMoves, OverlayMoves};
pub use overlay::{Overlay, OverlayError};
pub use rule::{Direction, Rule};

use crate::core::{Cost, CostScale, Path, Point, StateId, Version};

/// Anything that can be searched.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Space {
    /// A grid of cells.
    Grid(Grid),
}

impl From<Grid> for Space {
    fn from(grid: Grid) -> Space {
        Space::Grid(grid)
    }
}

impl Space {
    /// The grid, if it is one.
    pub fn as_grid(&self) -> Option<&Grid> {
        match self {
            Space::Grid(grid) => Some(grid),
        }
    }

    /// Whether an agent can be at this state. False for any number that is no state.
    pub fn is_free(&self, state: StateId) -> bool {
        match self {
            Space::Grid(grid) => grid.is_free(state),
        }
    }

    /// The component of a free state. Two states can reach each other if and only if theirs are equal.
    pub fn component(&self, state: StateId) -> Option<u32> {
        match self {
            Space::Grid(grid) => grid.components().of(grid, state),
        }
    }

    /// How many components there are.
    pub fn component_count(&self) -> u32 {
        match self {
            Space::Grid(grid) => grid.components().count(),
        }
    }

    /// Free states.
    pub fn states(&self) -> u32 {
        match self {
            Space::Grid(grid) => grid.states(),
        }
    }

    /// All free states, in the order of their ids.
    pub fn free_states(&self) -> impl Iterator<Item = StateId> {
        match self {
            Space::Grid(grid) => grid.free_states(),
        }
    }

    /// All ids are below this.
    pub fn id_bound(&self) -> usize {
        match self {
            Space::Grid(grid) => grid.id_bound(),
        }
    }

    /// Where a state lies.
    pub fn point(&self, state: StateId) -> Point {
        match self {
            Space::Grid(grid) => grid.point(state),
        }
    }

    /// What costs are measured in.
    pub fn scale(&self) -> CostScale {
        match self {
            Space::Grid(grid) => grid.scale(),
        }
    }

    /// The tightest admissible estimate.
    pub fn tightest_heuristic(&self) -> Heuristic {
        match self {
            Space::Grid(grid) => Heuristic::tightest(grid.rule()),
        }
    }

    /// Fingerprint of the content.
    pub fn hash(&self) -> u64 {
        match self {
            Space::Grid(grid) => grid.hash(),
        }
    }

    /// Fingerprint at load, and edits since.
    pub fn version(&self) -> Version {
        match self {
            Space::Grid(grid) => grid.version(),
        }
    }

    /// Every state of a path from start to end, turning points and what lies between them.
    pub fn cells<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = StateId> + 'a {
        match self {
            Space::Grid(grid) => grid.cells(path.waypoints()),
        }
    }

    /// What one step costs under the rule, without any search; `None` where it is not allowed.
    pub fn step_cost(&self, from: StateId, to: StateId, overlay: Option<&Overlay>) -> Option<Cost> {
        match self {
            Space::Grid(grid) => grid.step_cost(from, to, overlay),
        }
    }
}
