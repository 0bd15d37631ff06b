//! An order of states that keeps neighbours together, for indexes that store runs along it.

use super::BuildError;
use super::first_moves::depth_first;
use crate::core::StateId;
use crate::index::jump_table::{MOST_CELLS, squares_in_row};
use crate::index::state_numbers::{self, NO_NUMBER, Patch, StateNumbers};
use crate::index::{MOST_COLUMNS, SectionWriter};
use crate::space::{Grid, Space, SpaceKind};

/// An order of states.
#[derive(Debug)]
pub(super) struct Numbering {
    /// The states by their numbers.
    pub(super) order: Vec<StateId>,
    /// Of a grid, from which numbers follow.
    patches: Vec<Patch>,
}

impl Numbering {
    /// Writes the array from which [`StateNumbers`] are read.
    pub(super) fn push(&self, space: &Space, writer: &mut SectionWriter) {
        match space {
            Space::Grid(_) => writer.push(&self.patches),
            Space::Graph(graph) => {
                let mut numbers = vec![NO_NUMBER; graph.id_bound()];
                for (state, number) in self.order.iter().zip(0..) {
                    numbers[state.index()] = number;
                }
                writer.push(&numbers)
            }
        };
    }
}

/// The order of states that keeps neighbours together: along a curve through the cells of a grid, depth first through
/// the nodes of a graph.
pub(super) fn numbering(space: &Space) -> Result<Numbering, BuildError> {
    match space {
        Space::Grid(grid) if !state_numbers::fits(grid) => {
            Err(BuildError::TooLarge { most_columns: MOST_COLUMNS - 2, most_cells: MOST_CELLS })
        }
        Space::Grid(grid) => {
            let patches = state_numbers::patches(grid);
            Ok(Numbering { order: along_the_curve(grid, &patches), patches })
        }
        Space::Graph(_) => Ok(Numbering { order: depth_first(space), patches: Vec::new() }),
    }
}

/// The cells in the order of their numbers.
fn along_the_curve(grid: &Grid, patches: &[Patch]) -> Vec<StateId> {
    let in_row = squares_in_row(grid);
    let mut order = vec![StateId::NONE; grid.states() as usize];
    for state in grid.free_states() {
        if let Some(number) = StateNumbers::of_cell(grid, patches, in_row, state) {
            order[number as usize] = state;
        }
    }
    order
}
