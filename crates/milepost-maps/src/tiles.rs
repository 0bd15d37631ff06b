//! A map as letters in a rectangle, and which letters are passable.
//!
//! | letter | meaning | |
//! |---|---|---|
//! | `.` | floor | passable |
//! | `G` | ground | passable |
//! | `S` | swamp | passable |
//! | `@` | outside | blocked |
//! | `O` | outside | blocked |
//! | `T` | trees, walls | blocked |
//! | `W` | water | blocked |
//!
//! # Guarantees
//! A [`TileMap`] has at least one cell, holds no other letters than these, and is small enough that every
//! cell has a state id: there is no way to make another one.

use crate::error::debug_as_sentence;
use std::fmt;

use thiserror::Error;

/// A map has fewer states than this, so that 32 bits name every one of them and one value is left to say
/// "none". The states are those of the rectangle with a border: (width + 1) x (height + 2) + 1.
pub const STATE_LIMIT: u32 = u32::MAX;

/// Classes of letters.
const PASSABLE: u8 = 0;
const BLOCKED: u8 = 1;
const UNKNOWN: u8 = 2;

/// The class of every byte.
static CLASS: [u8; 256] = {
    let mut class = [UNKNOWN; 256];
    let mut i = 0;
    while i < b".GS".len() {
        class[b".GS"[i] as usize] = PASSABLE;
        i += 1;
    }
    i = 0;
    while i < b"@OTW".len() {
        class[b"@OTW"[i] as usize] = BLOCKED;
        i += 1;
    }
    class
};

/// Whether this letter is passable. Unknown letters are not.
#[inline]
pub fn is_passable_letter(letter: u8) -> bool {
    CLASS[letter as usize] == PASSABLE
}

/// Whether the letter means anything on a map.
#[inline]
pub fn is_known_letter(letter: u8) -> bool {
    CLASS[letter as usize] != UNKNOWN
}

/// Whether all letters are known. Comparisons instead of the table and no branch: compilers make this loop
/// work on many letters at once, and reading a map is more than twice as fast.
#[inline]
pub(super) fn are_known_letters(letters: &[u8]) -> bool {
    let is_known = |letter: u8| {
        (letter == b'.')
            | (letter == b'@')
            | (letter == b'T')
            | (letter == b'S')
            | (letter == b'W')
            | (letter == b'G')
            | (letter == b'O')
    };
    letters.iter().fold(true, |all, &letter| all & is_known(letter))
}

/// Whether a map of this size has fewer states than [`STATE_LIMIT`].
pub fn fits(width: u32, height: u32) -> bool {
    let states =
        (u64::from(width) + 1).checked_mul(u64::from(height) + 2).and_then(|padded| padded.checked_add(1));
    states.is_some_and(|states| states < u64::from(STATE_LIMIT))
}

/// Why a map cannot be made or changed in this way.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TileError {
    /// A map has at least one cell.
    #[error("expected a map with at least one cell, found {width} x {height}")]
    Empty {
        /// The width asked for.
        width: u32,
        /// The height asked for.
        height: u32,
    },
    /// More cells than a state id can name.
    #[error(
        "map too large: expected fewer than {STATE_LIMIT} states, (width + 1) x (height + 2) + 1, found a \
             map of {width} x {height}"
    )]
    TooLarge {
        /// The width asked for.
        width: u64,
        /// The height asked for.
        height: u64,
    },
    /// The number of letters is not width times height.
    #[error("expected {expected} letters for a map of {width} x {height}, found {found}")]
    Count {
        /// The width asked for.
        width: u32,
        /// The height asked for.
        height: u32,
        /// Width times height.
        expected: u64,
        /// How many letters there are.
        found: u64,
    },
    /// A letter that means nothing.
    #[error("at {x},{y}: expected one of the letters . G S (free) or @ O T W (blocked), found `{}`", 
            .letter.escape_ascii())]
    Letter {
        /// The column, from 0.
        x: u32,
        /// The row, from 0.
        y: u32,
        /// The letter.
        letter: u8,
    },
    /// A drawn map whose lines differ in length.
    #[error("row {row} of the drawing: expected {expected} letters as in the first row, found {found}")]
    Ragged {
        /// The row, from 0.
        row: usize,
        /// The letters of the first row.
        expected: usize,
        /// The letters of this row.
        found: usize,
    },
    /// A cell outside the map.
    #[error("expected a cell inside the map of {width} x {height}, found {x},{y}")]
    Outside {
        /// The column asked for.
        x: u32,
        /// The row asked for.
        y: u32,
        /// The width of the map.
        width: u32,
        /// The height of the map.
        height: u32,
    },
}

debug_as_sentence!(TileError);

/// A map: letters row by row, top to bottom.
///
/// ```
/// use milepost_maps::TileMap;
/// let map = TileMap::from_ascii(
///     "..@
///      ..T",
/// )?;
/// assert_eq!((map.width(), map.height()), (3, 2));
/// assert!(map.is_passable(1, 0) && !map.is_passable(2, 1));
/// # Ok::<(), milepost_maps::TileError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TileMap {
    /// At least 1.
    width: u32,
    /// At least 1; `fits(width, height)`.
    height: u32,
    /// `tiles.len() == width * height`, known letters only.
    tiles: Vec<u8>,
}

impl TileMap {
    /// A map of these letters, row by row from the top.
    pub fn new(width: u32, height: u32, tiles: Vec<u8>) -> Result<Self, TileError> {
        let expected = cells(width, height)?;
        if tiles.len() as u64 != expected {
            return Err(TileError::Count { width, height, expected, found: tiles.len() as u64 });
        }
        if !are_known_letters(&tiles)
            && let Some(at) = tiles.iter().position(|&letter| !is_known_letter(letter))
        {
            let (x, y) = (at as u64 % u64::from(width), at as u64 / u64::from(width));
            return Err(TileError::Letter { x: x as u32, y: y as u32, letter: tiles[at] });
        }
        Ok(TileMap { width, height, tiles })
    }

    /// A map with the same letter everywhere.
    pub fn filled(width: u32, height: u32, letter: u8) -> Result<Self, TileError> {
        let count = cells(width, height)?;
        if !is_known_letter(letter) {
            return Err(TileError::Letter { x: 0, y: 0, letter });
        }
        Ok(TileMap { width, height, tiles: vec![letter; count as usize] })
    }

    /// A map drawn in a string: a line is a row. Blanks do not count, nor do blank lines around the map.
    pub fn from_ascii(drawing: &str) -> Result<Self, TileError> {
        let without_blanks = |line: &str| line.replace(char::is_whitespace, "");
        let rows: Vec<String> = drawing.trim().lines().map(without_blanks).collect();
        let width = rows.first().map_or(0, String::len);
        if let Some((row, found)) =
            rows.iter().map(|row| row.len()).enumerate().find(|(_, len)| *len != width)
        {
            return Err(TileError::Ragged { row, expected: width, found });
        }
        let too_large = TileError::TooLarge { width: width as u64, height: rows.len() as u64 };
        match (u32::try_from(width), u32::try_from(rows.len())) {
            (Ok(width), Ok(height)) => Self::new(width, height, rows.concat().into_bytes()),
            _ => Err(too_large),
        }
    }

    /// A map whose parts have been checked already.
    pub(super) fn from_checked(width: u32, height: u32, tiles: Vec<u8>) -> Self {
        debug_assert!(width > 0 && height > 0 && fits(width, height));
        debug_assert_eq!(tiles.len() as u64, u64::from(width) * u64::from(height));
        debug_assert!(are_known_letters(&tiles));
        TileMap { width, height, tiles }
    }

    /// Cells in a row.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[inline]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All letters, row by row from the top.
    #[inline]
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// All letters, without the map.
    pub fn into_tiles(self) -> Vec<u8> {
        self.tiles
    }

    /// The letter of a cell; none outside the map.
    #[inline]
    pub fn tile(&self, x: u32, y: u32) -> Option<u8> {
        self.position(x, y).map(|at| self.tiles[at])
    }

    /// Whether a cell is passable; no cell outside the map is.
    #[inline]
    pub fn is_passable(&self, x: u32, y: u32) -> bool {
        self.tile(x, y).is_some_and(is_passable_letter)
    }

    /// The letters of a row.
    ///
    /// # Panics
    /// If `y` is not below the height.
    #[inline]
    pub fn row(&self, y: u32) -> &[u8] {
        assert!(y < self.height, "row {y} of a map with {} rows", self.height);
        let begin = y as usize * self.width as usize;
        &self.tiles[begin..begin + self.width as usize]
    }

    /// Rows from top to bottom.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.tiles.chunks_exact(self.width as usize)
    }

    /// How many cells are passable.
    pub fn passable_cells(&self) -> u32 {
        // fits(width, height) holds, so the count fits 32 bits.
        self.tiles.iter().filter(|letter| is_passable_letter(**letter)).count() as u32
    }

    /// Changes the letter of a cell.
    pub fn set(&mut self, x: u32, y: u32, letter: u8) -> Result<(), TileError> {
        if !is_known_letter(letter) {
            return Err(TileError::Letter { x, y, letter });
        }
        let Some(at) = self.position(x, y) else {
            return Err(TileError::Outside { x, y, width: self.width, height: self.height });
        };
        self.tiles[at] = letter;
        Ok(())
    }

    /// The map enlarged: every cell becomes `factor` x `factor` cells.
    pub fn scaled(&self, factor: u32) -> Result<Self, TileError> {
        let width = u64::from(self.width) * u64::from(factor);
        let height = u64::from(self.height) * u64::from(factor);
        match (u32::try_from(width), u32::try_from(height)) {
            (Ok(width), Ok(height)) => self.resized(width, height),
            _ => Err(TileError::TooLarge { width, height }),
        }
    }

    /// The map stretched or shrunk to another size by nearest neighbour: cell (x, y) takes the letter of
    /// (x * old width / width, y * old height / height), rounded down.
    pub fn resized(&self, width: u32, height: u32) -> Result<Self, TileError> {
        let count = cells(width, height)?;
        let columns: Vec<usize> = (0..width).map(|x| nearest(x, width, self.width)).collect();
        let mut tiles = Vec::with_capacity(count as usize);
        let mut copied = None;
        for y in 0..height {
            let source = nearest(y, height, self.height);
            if copied == Some(source) {
                tiles.extend_from_within(tiles.len() - width as usize..);
            } else {
                let row = self.row(source as u32);
                tiles.extend(columns.iter().map(|&x| row[x]));
                copied = Some(source);
            }
        }
        Ok(TileMap { width, height, tiles })
    }

    fn position(&self, x: u32, y: u32) -> Option<usize> {
        (x < self.width && y < self.height).then(|| y as usize * self.width as usize + x as usize)
    }
}

/// How many cells a map of this size has, if there can be one.
fn cells(width: u32, height: u32) -> Result<u64, TileError> {
    if width == 0 || height == 0 {
        return Err(TileError::Empty { width, height });
    }
    if !fits(width, height) {
        return Err(TileError::TooLarge { width: u64::from(width), height: u64::from(height) });
    }
    Ok(u64::from(width) * u64::from(height))
}

/// The old coordinate that the new coordinate `at` shows.
fn nearest(at: u32, new_size: u32, old_size: u32) -> usize {
    (u64::from(at) * u64::from(old_size) / u64::from(new_size)) as usize
}

impl fmt::Display for TileMap {
    /// Draws the map, a line a row, as [`TileMap::from_ascii`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.rows() {
            writeln!(f, "{}", row.escape_ascii())?;
        }
        Ok(())
    }
}

impl fmt::Debug for TileMap {
    /// The size only: a failed assertion is to be read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TileMap({} x {})", self.width, self.height)
    }
}

#[cfg(test)]
#[path = "tiles_tests.rs"]
mod tests;
