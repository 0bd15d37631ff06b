//! The numbers of states in an order that keeps neighbours together, in a quarter of a byte a cell.

use crate::core::StateId;
use crate::index::curve::PLACES;
use crate::index::jump_table::{squares, squares_in_row};
use crate::index::{Corruption, MOST_COLUMNS, PackedCell, Section};
use crate::space::SpaceKind;
use crate::space::{Grid, Space};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// 8 x 8 cells of the padded rectangle. Bit `p` tells about the cell at place `p` of the curve inside the square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Patch {
    pub(crate) free: u64,
    /// Free cells before this square on the curve, and in the two highest bits how the curve is turned here.
    pub(crate) before: u32,
    /// The strong component that all its free cells belong to, or [`MIXED`].
    pub(crate) component: u32,
}

/// Instead of a component: there are several, or none.
pub(crate) const MIXED: u32 = u32::MAX;

/// What ids of graphs have instead that are no nodes.
pub(crate) const NO_NUMBER: u32 = u32::MAX;

const COUNT_MASK: u32 = (1 << 30) - 1;

/// The squares of a grid, row by row.
pub(crate) fn patches(grid: &Grid) -> Vec<Patch> {
    let in_row = squares_in_row(grid);
    let mut patches: Vec<Patch> = squares(grid, |_| false)
        .into_iter()
        .map(|square| Patch { free: square.free, before: square.free_before, component: MIXED })
        .collect();
    let mut is_known = vec![false; patches.len()];
    for state in grid.free_states() {
        let cell = PackedCell::of(grid, state);
        let index = (cell.row() >> 3) as usize * in_row + (cell.column() >> 3) as usize;
        let (patch, component) = (&mut patches[index], grid.component(state).unwrap_or(MIXED));
        if !std::mem::replace(&mut is_known[index], true) {
            patch.component = component;
        } else if patch.component != component {
            patch.component = MIXED;
        }
    }
    patches
}

/// Whether the cells of a grid can have numbers.
pub(crate) fn fits(grid: &Grid) -> bool {
    grid.width().max(grid.height()) + 2 <= MOST_COLUMNS && grid.states() <= COUNT_MASK
}

/// The numbers of the states of a space.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StateNumbers<'a> {
    Grid {
        grid: &'a Grid,
        patches: &'a [Patch],
        in_row: usize,
    },
    /// Of any other space.
    ById(&'a [u32]),
}

impl<'a> StateNumbers<'a> {
    #[inline(always)]
    pub(crate) fn new(space: &'a Space, section: &'a Section, array: usize) -> StateNumbers<'a> {
        match space.as_grid() {
            Some(grid) => {
                StateNumbers::Grid { grid, patches: section.array(array), in_row: squares_in_row(grid) }
            }
            None => StateNumbers::ById(section.array(array)),
        }
    }

    /// Whether exactly the free states have numbers, and which.
    pub(crate) fn check(space: &Space, section: &Section, array: usize) -> Result<(), Corruption> {
        match space.as_grid() {
            Some(grid) => check_grid(grid, section, array),
            None => check_numbers_by_id(space, section, array),
        }
    }

    /// The number of a cell; `None` if it is blocked.
    #[inline(always)]
    pub(crate) fn of_cell(grid: &Grid, patches: &[Patch], in_row: usize, state: StateId) -> Option<u32> {
        let (column, row) = grid.column_and_row(state);
        let patch = patches.get((row >> 3) as usize * in_row + (column >> 3) as usize)?;
        let place = PLACES[(patch.before >> 30) as usize][((row & 7) << 3 | column & 7) as usize] & 63;
        let below = patch.free & ((1 << place) - 1);
        (patch.free >> place & 1 == 1).then_some((patch.before & COUNT_MASK) + below.count_ones())
    }

    /// The number of a state; `None` if it is none.
    #[inline]
    pub(crate) fn number(&self, state: StateId) -> Option<u32> {
        match self {
            StateNumbers::Grid { grid, patches, in_row } => {
                StateNumbers::of_cell(grid, patches, *in_row, state)
            }
            StateNumbers::ById(numbers) => {
                numbers.get(state.index()).copied().filter(|&number| number != NO_NUMBER)
            }
        }
    }
}

fn check_grid(grid: &Grid, section: &Section, array: usize) -> Result<(), Corruption> {
    if !fits(grid) {
        let expected = format!("a map of at most {} columns and rows", MOST_COLUMNS - 2);
        return Err(Corruption::at(0, expected, format!("{} x {}", grid.width(), grid.height())));
    }
    let wanted = squares(grid, |_| false);
    let found = section.exactly::<Patch>(array, wanted.len())?;
    let differs = |(patch, square): (&Patch, &super::jump_table::Square)| {
        (patch.free, patch.before) != (square.free, square.free_before)
    };
    match found.iter().zip(&wanted).position(differs) {
        None => Ok(()),
        Some(index) => {
            let at = section.offset(array) + (index * size_of::<Patch>()) as u64;
            Err(Corruption::at(at, "the free cells of this grid, and their numbers", "others"))
        }
    }
}

/// Whether exactly the states have numbers, each its own.
pub(crate) fn check_numbers_by_id(space: &Space, section: &Section, array: usize) -> Result<(), Corruption> {
    let numbers = section.exactly::<u32>(array, space.id_bound())?;
    let mut is_taken = vec![false; space.states() as usize];
    for (index, &number) in numbers.iter().enumerate() {
        let corruption = |expected: &str| {
            let at = section.offset(array) + (index * size_of::<u32>()) as u64;
            Err(Corruption::at(at, expected, number.to_string()))
        };
        if !space.is_free(StateId::new(index as u32)) {
            if number != NO_NUMBER {
                return corruption("no number for what is no node");
            }
            continue;
        }
        match is_taken.get_mut(number as usize) {
            Some(is_taken) if !*is_taken => *is_taken = true,
            _ => return corruption("a number below the count of nodes that no other node has"),
        }
    }
    Ok(())
}
