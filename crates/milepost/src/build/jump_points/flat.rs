//! The jump table of a map laid out flat, for builders: sixteen bytes for every cell of the padded rectangle, one look-up
//! instead of three.

use crate::index::jumps::{Entry, Jumps, WALLED_IN};
use crate::index::{JumpTable, PackedCell};
use crate::space::{Grid, SpaceKind};

/// What is known about a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    entry: Entry,
    /// Its number along the curve.
    pub(crate) number: u32,
    /// Its number among the jump points, or [`NO_POINT`].
    pub(crate) point: u32,
}

/// Instead of the number of a jump point.
pub(crate) const NO_POINT: u32 = u32::MAX;

const NO_CELL: Cell = Cell { entry: WALLED_IN, number: 0, point: NO_POINT };

/// A flat jump table.
#[derive(Debug)]
pub(crate) struct FlatTable {
    columns: usize,
    cells: Vec<Cell>,
}

impl FlatTable {
    /// Lays out the table of a grid.
    pub(crate) fn new(grid: &Grid, table: &JumpTable<'_>) -> FlatTable {
        let (columns, rows) = (grid.width() as usize + 2, grid.height() as usize + 2);
        let mut flat = FlatTable { columns, cells: vec![NO_CELL; columns * rows] };
        for state in grid.free_states() {
            let cell = PackedCell::of(grid, state);
            let point = if table.is_jump_point(cell) { table.jump_point(cell) } else { NO_POINT };
            let index = flat.index(cell);
            flat.cells[index] = Cell { entry: *table.entry(cell), number: table.number(cell), point };
        }
        flat
    }

    #[inline(always)]
    fn index(&self, cell: PackedCell) -> usize {
        cell.row() as usize * self.columns + cell.column() as usize
    }

    #[inline(always)]
    pub(crate) fn cell(&self, cell: PackedCell) -> &Cell {
        self.cells.get(self.index(cell)).unwrap_or(&NO_CELL)
    }
}

impl Jumps for FlatTable {
    #[inline(always)]
    fn entry(&self, cell: PackedCell) -> &Entry {
        &self.cell(cell).entry
    }
}
