//! The blocks of 8 x 8 cells that the search has met, and their pieces: connected sets of cells that are believed to be
//! free.
//!
//! Blocks lie in sheets of 8 x 8 blocks that know their neighbours, so that from a block to the next one there is nothing
//! to look up. Memory follows the blocks that were met.

use super::arena::Arena;
use super::masks::{along, border, facing, is_diagonal, offset};
use super::queue::NO_ENTRY;
use crate::core::{Sparse, StateId};
use crate::space::{Belief, GridGeometry, PriorMap};
use std::ops::{Index, IndexMut};

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceId(pub(super) u32);

impl PieceId {
    pub(super) const NONE: PieceId = PieceId(u32::MAX);
    /// In place of the first piece of a block that nobody has met yet; as the next piece on the way to the goal where it
    /// has to be found out; as a mark in lists before the first piece.
    pub(super) const UNKNOWN: PieceId = PieceId(u32::MAX - 1);

    /// Whether this is a piece.
    #[inline]
    pub(super) fn is_some(self) -> bool {
        self.0 < PieceId::UNKNOWN.0
    }
}

/// A block that was met: the number of its sheet and its place there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(pub(super) u32);

impl Place {
    #[inline]
    fn new(sheet: u32, slot: usize) -> Place {
        Place(sheet << 6 | slot as u32)
    }

    #[inline]
    fn sheet(self) -> u32 {
        self.0 >> 6
    }

    #[inline]
    fn slot(self) -> usize {
        self.0 as usize & 63
    }
}

/// The cost of going on from a piece where none does.
pub(super) const INFINITE: u32 = 1 << 30;

/// Connected cells of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) cells: u64,
    pub(super) place: Place,
    /// The next one of its block: those with higher lowest cells come later.
    pub(super) next: PieceId,
    /// The cost from here to the goal as it was when this piece was expanded last.
    pub(super) g: u32,
    /// The cost by the best neighbour; while `via` is unknown the true one is at least this.
    pub(super) rhs: u32,
    /// That neighbour.
    pub(super) via: PieceId,
    /// Its entry in the open list.
    pub(super) entry: u32,
}

impl Piece {
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.entry != NO_ENTRY
    }
}

/// The records of all pieces.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    records: Arena<Piece, 32>,
    /// The first one that nobody uses; its `next` is the next of them.
    unused: PieceId,
    len: u32,
}

impl Index<PieceId> for Pieces {
    type Output = Piece;

    #[inline]
    fn index(&self, piece: PieceId) -> &Piece {
        self.records.at(piece.0)
    }
}

impl IndexMut<PieceId> for Pieces {
    #[inline]
    fn index_mut(&mut self, piece: PieceId) -> &mut Piece {
        self.records.at_mut(piece.0)
    }
}

impl Pieces {
    pub(super) fn new() -> Pieces {
        Pieces { records: Arena::new(), unused: PieceId::NONE, len: 0 }
    }

    /// Pieces that there are.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Numbers that were given out.
    pub(super) fn bound(&self) -> u32 {
        self.records.len()
    }

    /// A new piece, from which nothing is known to lead to the goal.
    pub(super) fn add(&mut self, cells: u64, place: Place) -> PieceId {
        let piece = Piece {
            cells,
            place,
            next: PieceId::NONE,
            g: INFINITE,
            rhs: INFINITE,
            via: PieceId::NONE,
            entry: NO_ENTRY,
        };
        self.len += 1;
        let unused = self.unused;
        if !unused.is_some() {
            return PieceId(self.records.push(piece));
        }
        self.unused = self[unused].next;
        self[unused] = piece;
        unused
    }

    /// Gives a piece up that is in no list.
    pub(super) fn free(&mut self, piece: PieceId) {
        self[piece].next = self.unused;
        self.unused = piece;
        self.len -= 1;
    }

    /// What so many more pieces allocate at most.
    pub(super) fn page_bytes(&self, pieces: usize) -> usize {
        self.records.page_bytes(pieces)
    }

    pub(super) fn bytes(&self) -> usize {
        self.records.bytes()
    }
}

/// 8 x 8 blocks.
#[derive(Clone, Copy, Debug)]
struct Sheet {
    /// Its column and row among sheets.
    at: (u32, u32),
    /// The sheets around it, if they have been asked for.
    around: [u32; 8],
    /// The first pieces of its blocks.
    first: [PieceId; 64],
    /// Blocks of which something has changed that their pieces do not know yet.
    stale: u64,
}

const NO_SHEET: u32 = u32::MAX;

/// What is believed, as words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terrain<'a> {
    pub(super) outline: GridGeometry,
    pub(super) belief: &'a Belief,
}

impl Terrain<'_> {
    /// The cells of the block in this column and row of blocks that are believed to be free.
    pub(super) fn free(&self, (x, y): (u32, u32)) -> u64 {
        let (width, height) = (self.outline.width(), self.outline.height());
        // Columns and rows are counted from 1.
        let span = |block: u32, last: u32| {
            let first = u64::from(block) * 8;
            (0..8)
                .filter(|i| (1..=u64::from(last)).contains(&(first + i)))
                .fold(0_u64, |bits, i| bits | 1 << i)
        };
        let inside = if x > 0 && y > 0 && x < width >> 3 && y < height >> 3 {
            u64::MAX
        } else if !self.contains((x, y)) {
            0
        } else {
            let (columns, rows) = (span(x, width), span(y, height));
            (0..8).filter(|row| rows >> row & 1 == 1).fold(0, |cells, row| cells | columns << (8 * row))
        };
        if inside == 0 { 0 } else { inside & !self.belief.square(self.outline.block(x, y)).blocked }
    }

    /// Whether a block has cells of the map.
    pub(super) fn contains(&self, (x, y): (u32, u32)) -> bool {
        x <= self.outline.width() >> 3 && y <= self.outline.height() >> 3
    }

    /// The block of a cell, by its column and row among blocks, and the cell in it.
    #[inline]
    pub(super) fn block(&self, cell: StateId) -> ((u32, u32), u64) {
        let (column, row) = self.outline.cell(cell);
        ((column >> 3, row >> 3), 1 << ((row & 7) << 3 | column & 7))
    }

    /// Whether a diagonal step passes corners.
    pub(super) fn cuts_corners(&self) -> bool {
        self.outline.rule().cuts_corners()
    }

    /// Whether both cells beside the step from the corner of a block to the next one in a diagonal way are believed to be
    /// free.
    fn is_open_beside(&self, (x, y): (u32, u32), way: usize) -> bool {
        let (dx, dy) = offset(way);
        let (column, row) = (x * 8 + if dx > 0 { 7 } else { 0 }, y * 8 + if dy > 0 { 7 } else { 0 });
        let is_free = |column: i64, row: i64| {
            let (Ok(column), Ok(row)) = (u32::try_from(column), u32::try_from(row)) else { return false };
            let cell = self.outline.state((column, row));
            column <= self.outline.width() && self.belief.is_free(PriorMap::Grid(self.outline), cell)
        };
        let (column, row) = (i64::from(column), i64::from(row));
        is_free(column + dx, row) && is_free(column, row + dy)
    }
}

/// The blocks that were met.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    sheets: Arena<Sheet, 4>,
    /// Sheets by their column and row.
    numbers: Sparse<u32>,
}

impl Blocks {
    pub(super) fn new() -> Blocks {
        Blocks { sheets: Arena::new(), numbers: Sparse::new() }
    }

    /// The place of a block of the map, by its column and row among blocks.
    pub(super) fn place(&mut self, outline: GridGeometry, (x, y): (u32, u32)) -> Place {
        let sheet = self.sheet(outline, (x >> 3, y >> 3));
        Place::new(sheet, ((y & 7) << 3 | x & 7) as usize)
    }

    fn sheet(&mut self, outline: GridGeometry, at: (u32, u32)) -> u32 {
        let number = at.1 * ((outline.width() >> 6) + 1) + at.0;
        if let Some(sheet) = self.numbers.get(number.into()) {
            return sheet;
        }
        let first = [PieceId::UNKNOWN; 64];
        let sheet = self.sheets.push(Sheet { at, around: [NO_SHEET; 8], first, stale: 0 });
        self.numbers.insert(number.into(), sheet);
        sheet
    }

    /// The column and the row of a block among blocks.
    #[inline]
    pub(super) fn at(&self, place: Place) -> (u32, u32) {
        let (x, y) = self.sheets.at(place.sheet()).at;
        let slot = place.slot() as u32;
        (x << 3 | slot & 7, y << 3 | slot >> 3)
    }

    /// The first piece of a block; [`PieceId::UNKNOWN`] if nobody has met it yet.
    #[inline]
    pub(super) fn first(&self, place: Place) -> PieceId {
        self.sheets.at(place.sheet()).first[place.slot()]
    }

    #[inline]
    pub(super) fn set_first(&mut self, place: Place, piece: PieceId) {
        self.sheets.at_mut(place.sheet()).first[place.slot()] = piece;
    }

    /// Takes note that a block has changed. Says whether it was met, and whether this is new.
    pub(super) fn set_stale(&mut self, place: Place) -> bool {
        let sheet = self.sheets.at_mut(place.sheet());
        let bit = 1 << place.slot();
        let is_new = sheet.first[place.slot()] != PieceId::UNKNOWN && sheet.stale & bit == 0;
        if is_new {
            sheet.stale |= bit;
        }
        is_new
    }

    pub(super) fn clear_stale(&mut self, place: Place) {
        self.sheets.at_mut(place.sheet()).stale &= !(1 << place.slot());
    }

    /// The next block in a way; `None` outside the map.
    #[inline]
    pub(super) fn next(&mut self, outline: GridGeometry, place: Place, way: usize) -> Option<Place> {
        let (dx, dy) = offset(way);
        let slot = place.slot() as i64;
        let (x, y) = ((slot & 7) + dx, (slot >> 3) + dy);
        let in_sheet = ((y & 7) << 3 | x & 7) as usize;
        if (x | y) & !7 == 0 {
            return Some(Place::new(place.sheet(), in_sheet));
        }
        // The sheet that it lies in may be in another way than the block.
        let (dx, dy) = (x >> 3, y >> 3);
        let way = (0..8).find(|way| offset(*way) == (dx, dy))?;
        let known = self.sheets.at(place.sheet()).around[way];
        if known != NO_SHEET {
            return Some(Place::new(known, in_sheet));
        }
        let (x, y) = self.sheets.at(place.sheet()).at;
        let x = u32::try_from(i64::from(x) + dx).ok().filter(|x| *x <= outline.width() >> 6)?;
        let y = u32::try_from(i64::from(y) + dy).ok().filter(|y| *y <= outline.height() >> 6)?;
        let sheet = self.sheet(outline, (x, y));
        self.sheets.at_mut(place.sheet()).around[way] = sheet;
        Some(Place::new(sheet, in_sheet))
    }

    /// Whether one move leads from a piece to one of the next block in a way.
    #[inline]
    pub(super) fn are_joined(&self, terrain: Terrain<'_>, from: &Piece, to: u64, way: usize) -> bool {
        let mut facing = facing(to, way);
        if is_diagonal(way) {
            return from.cells & facing != 0
                && (terrain.cuts_corners() || terrain.is_open_beside(self.at(from.place), way));
        }
        if terrain.cuts_corners() {
            facing = along(facing, way) & border(way);
        }
        from.cells & facing != 0
    }

    /// The way from a block to one around it.
    pub(super) fn way(&self, from: Place, to: Place) -> Option<usize> {
        let ((x, y), (to_x, to_y)) = (self.at(from), self.at(to));
        let step = (i64::from(to_x) - i64::from(x), i64::from(to_y) - i64::from(y));
        (0..8).find(|way| offset(*way) == step)
    }

    /// Every block that was met, sheet by sheet in the order of the map.
    pub(super) fn met(&self) -> impl Iterator<Item = Place> {
        let sheets = self.numbers.sorted();
        sheets.into_iter().flat_map(|(_, sheet)| (0..64).map(move |slot| Place::new(sheet, slot)))
    }

    /// What so many more sheets allocate at most.
    pub(super) fn page_bytes(&self, sheets: usize) -> usize {
        self.sheets.page_bytes(sheets) + self.numbers.page_bytes(sheets)
    }

    pub(super) fn bytes(&self) -> usize {
        self.sheets.bytes() + self.numbers.bytes()
    }
}
