//! An order of states that keeps neighbours together, for indexes that store runs along it.

use super::BuildError;
use crate::core::StateId;
use crate::index::jump_table::{MOST_CELLS, squares_in_row};
use crate::index::state_numbers::{self, NO_NUMBER, Patch, StateNumbers};
use crate::index::{MOST_COLUMNS, SectionWriter};
use crate::space::SpaceKind;
use crate::space::{FloodMoves, FloodVisitor, Grid, SlotExpander, Space};

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
        match space.as_grid() {
            Some(_) => writer.push(&self.patches),
            None => writer.push(&numbers_by_id(space, &self.order)),
        };
    }
}

/// The order of states that keeps neighbours together: along a curve through the cells of a grid, depth first through
/// any other space.
pub(super) fn numbering(space: &Space) -> Result<Numbering, BuildError> {
    match space.as_grid() {
        Some(grid) if !state_numbers::fits(grid) => {
            Err(BuildError::TooLarge { most_columns: MOST_COLUMNS - 2, most_cells: MOST_CELLS })
        }
        Some(grid) => {
            let patches = state_numbers::patches(grid);
            Ok(Numbering { order: along_the_curve(grid, &patches), patches })
        }
        None => Ok(Numbering { order: depth_first(space), patches: Vec::new() }),
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

/// The states of a space depth first: neighbours mostly have numbers that are near each other.
pub(super) fn depth_first(space: &Space) -> Vec<StateId> {
    space.visit_flood(FloodMoves::All, DepthFirst { space })
}

struct DepthFirst<'a> {
    space: &'a Space,
}

impl FloodVisitor for DepthFirst<'_> {
    type Answer = Vec<StateId>;

    fn visit<E: SlotExpander>(self, moves: &E) -> Vec<StateId> {
        let (mut is_known, mut stack, mut order) = (vec![false; moves.id_bound()], Vec::new(), Vec::new());
        for root in self.space.free_states() {
            stack.push(root);
            while let Some(state) = stack.pop() {
                if !std::mem::replace(&mut is_known[state.index()], true) {
                    order.push(state);
                    moves.expand(state, None, |child, _| stack.push(child));
                }
            }
        }
        order
    }
}

/// The number of each id in an order of states, [`NO_NUMBER`] where it is no state.
pub(super) fn numbers_by_id(space: &Space, order: &[StateId]) -> Vec<u32> {
    let mut numbers = vec![NO_NUMBER; space.id_bound()];
    for (state, number) in order.iter().zip(0..) {
        numbers[state.index()] = number;
    }
    numbers
}
