//! Where a state stands: its number in the order of targets, and its lane among the sources that share a row.

use crate::core::StateId;
use crate::index::curve::PLACES;
use crate::index::jump_table::{squares, squares_in_row};
pub(crate) use crate::index::state_numbers::NO_NUMBER;
use crate::index::state_numbers::check_numbers_by_id;
use crate::index::{Corruption, MOST_COLUMNS, Section};
use crate::space::{Grid, Space, SpaceKind};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// 8 x 8 cells of the padded rectangle, some of which are free.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Patch {
    /// Free cells before this square on the curve.
    pub(crate) before: u32,
    /// The strong component that all its free cells belong to, or [`MIXED`].
    pub(crate) component: u32,
    /// Row by row; of a free cell bits 0 to 5 how many free cells of the square come before it on the curve, bit 7, and in
    /// bits 8 to 15 the directions that are allowed; else nothing.
    pub(crate) cells: [u16; 64],
}

/// The bit of free cells.
const FREE: u16 = 1 << 7;

/// For each cell of a square, row by row, its lane: quarters of a row's pattern are 4 x 4 cells, row by row.
const LANES_OF_CELLS: [u8; 64] = {
    let mut lanes = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        let (column, row) = (cell % 8, cell / 8);
        lanes[cell] = ((row / 4 * 2 + column / 4) * 16 + row % 4 * 4 + column % 4) as u8;
        cell += 1;
    }
    lanes
};

/// Instead of the number of a patch: no cell of the square is free.
const NO_PATCH: u32 = u32::MAX;

/// Instead of a component: there are several, or none.
pub(crate) const MIXED: u32 = u32::MAX;

/// The most cells that can have numbers.
const MOST_CELLS: u32 = (1 << 30) - 1;

/// Where a state of a grid stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The number of its patch.
    pub(crate) patch: usize,
    /// Its lane in the row of the patch.
    pub(crate) lane: usize,
    /// Its number along the curve.
    pub(crate) number: u32,
    pub(crate) component: u32,
    /// The directions that are allowed.
    pub(crate) allowed: u8,
    /// Its column and row in the padded rectangle.
    pub(crate) column: i32,
    pub(crate) row: i32,
}

/// Where the cells of a grid stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Patches {
    /// For every square of the padded rectangle, row by row, the number of its patch, or [`NO_PATCH`].
    pub(crate) squares: Vec<u32>,
    pub(crate) patches: Vec<Patch>,
}

impl Patches {
    pub(crate) fn new(grid: &Grid) -> Patches {
        let mut this = Patches::without_components(grid);
        let mut is_known = vec![false; this.patches.len()];
        for state in grid.free_states() {
            let Some(place) = this.read(grid).cell(state) else { continue };
            let component = grid.component(state).unwrap_or(MIXED);
            let patch = &mut this.patches[place.patch];
            if !std::mem::replace(&mut is_known[place.patch], true) {
                patch.component = component;
            } else if patch.component != component {
                patch.component = MIXED;
            }
        }
        this
    }

    fn without_components(grid: &Grid) -> Patches {
        let (in_row, squares) = (squares_in_row(grid), squares(grid, |_| false));
        let mut this = Patches::default();
        for square in &squares {
            if square.free == 0 {
                this.squares.push(NO_PATCH);
                continue;
            }
            this.squares.push(this.patches.len() as u32);
            let before = square.free_before & MOST_CELLS;
            this.patches.push(Patch { before, component: MIXED, cells: [0; 64] });
        }
        for state in grid.free_states() {
            let (column, row) = grid.column_and_row(state);
            let index = (row >> 3) as usize * in_row + (column >> 3) as usize;
            let (square, cell) = (&squares[index], ((row & 7) << 3 | column & 7) as usize);
            let place = PLACES[(square.free_before >> 30) as usize][cell] & 63;
            let rank = (square.free & ((1 << place) - 1)).count_ones() as u16;
            let patch = &mut this.patches[this.squares[index] as usize];
            patch.cells[cell] = rank | FREE | u16::from(grid.directions(state).bits()) << 8;
        }
        this
    }

    /// The same, to be read.
    pub(crate) fn read<'a>(&'a self, grid: &'a Grid) -> GridPlaces<'a> {
        GridPlaces { grid, in_row: squares_in_row(grid), squares: &self.squares, patches: &self.patches }
    }
}

/// Whether the cells of a grid can have places.
pub(crate) fn fits(grid: &Grid) -> bool {
    grid.width().max(grid.height()) + 2 <= MOST_COLUMNS && grid.states() <= MOST_CELLS
}

/// Places of the cells of a grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridPlaces<'a> {
    grid: &'a Grid,
    in_row: usize,
    squares: &'a [u32],
    patches: &'a [Patch],
}

impl<'a> GridPlaces<'a> {
    /// The place of a cell; `None` if it is blocked.
    #[inline(always)]
    pub(crate) fn cell(&self, state: StateId) -> Option<Place> {
        let (column, row) = self.grid.column_and_row(state);
        let square = (row >> 3) as usize * self.in_row + (column >> 3) as usize;
        let index = *self.squares.get(square)? as usize;
        let patch = self.patches.get(index)?;
        let inside = ((row & 7) << 3 | column & 7) as usize;
        let cell = patch.cells[inside];
        (cell & FREE != 0).then_some(Place {
            patch: index,
            lane: usize::from(LANES_OF_CELLS[inside]),
            number: patch.before.wrapping_add(u32::from(cell & 63)),
            component: patch.component,
            allowed: (cell >> 8) as u8,
            column: column as i32,
            row: row as i32,
        })
    }

    /// The number of the patch that a cell lies in, free or not; `None` if it has no free cells.
    pub(crate) fn patch(&self, state: StateId) -> Option<usize> {
        let (column, row) = self.grid.column_and_row(state);
        let square = (row >> 3) as usize * self.in_row + (column >> 3) as usize;
        self.squares.get(square).filter(|&&patch| patch != NO_PATCH).map(|&patch| patch as usize)
    }

    /// The grid.
    #[inline(always)]
    pub(crate) fn grid(&self) -> &'a Grid {
        self.grid
    }
}

/// Places of the states of a space.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Places<'a> {
    Grid(GridPlaces<'a>),
    /// Of any other space.
    ById(&'a [u32]),
}

impl<'a> Places<'a> {
    /// From two arrays, one of which is that of the patches.
    #[inline(always)]
    pub(crate) fn new(space: &'a Space, section: &'a Section, [numbers, patches]: [usize; 2]) -> Places<'a> {
        match space.as_grid() {
            Some(grid) => Places::Grid(GridPlaces {
                grid,
                in_row: squares_in_row(grid),
                squares: section.array(numbers),
                patches: section.array(patches),
            }),
            None => Places::ById(section.array(numbers)),
        }
    }

    /// Whether exactly the free states have numbers, and which.
    pub(crate) fn check(
        space: &Space,
        section: &Section,
        [numbers, patches]: [usize; 2],
    ) -> Result<(), Corruption> {
        match space.as_grid() {
            Some(grid) => check_grid(grid, section, [numbers, patches]),
            None => {
                section.exactly::<Patch>(patches, 0)?;
                check_numbers_by_id(space, section, numbers)
            }
        }
    }

    /// The number of a state in the order of targets; `None` if it is none.
    #[inline]
    pub(crate) fn number(&self, state: StateId) -> Option<u32> {
        match self {
            Places::Grid(places) => places.cell(state).map(|place| place.number),
            Places::ById(numbers) => {
                numbers.get(state.index()).copied().filter(|&number| number != NO_NUMBER)
            }
        }
    }
}

/// Components may be others: `build::verify` looks at them.
fn check_grid(grid: &Grid, section: &Section, [squares, patches]: [usize; 2]) -> Result<(), Corruption> {
    if !fits(grid) {
        let expected = format!("a map of at most {} columns and rows", MOST_COLUMNS - 2);
        return Err(Corruption::at(0, expected, format!("{} x {}", grid.width(), grid.height())));
    }
    let wanted = Patches::without_components(grid);
    let found = section.exactly::<u32>(squares, wanted.squares.len())?;
    if let Some(index) = found.iter().zip(&wanted.squares).position(|(found, wanted)| found != wanted) {
        let at = section.offset(squares) + (index * size_of::<u32>()) as u64;
        return Err(Corruption::at(at, format!("patch {}", wanted.squares[index]), found[index].to_string()));
    }
    let found = section.exactly::<Patch>(patches, wanted.patches.len())?;
    let differs = |(a, b): (&Patch, &Patch)| (a.before, &a.cells) != (b.before, &b.cells);
    match found.iter().zip(&wanted.patches).position(differs) {
        None => Ok(()),
        Some(index) => {
            let at = section.offset(patches) + (index * size_of::<Patch>()) as u64;
            Err(Corruption::at(at, "the free cells of this grid, their numbers and directions", "others"))
        }
    }
}
