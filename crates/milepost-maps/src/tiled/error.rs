//! What can be wrong with a Tiled map, said so that its owner can mend it.

use crate::error::debug_as_sentence;
use thiserror::Error;

use crate::{Excerpt, Place};

/// Why bytes are not a Tiled map that can be read.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TiledError {
    /// There is nothing in the file.
    #[error(
        "the file is empty: expected XML that begins with <{root}>, found {bytes} bytes of nothing but blanks; get \
         the file again"
    )]
    Empty {
        /// `map` or `tileset`.
        root: &'static str,
        /// How many blanks there are.
        bytes: u64,
    },
    /// Something else stands there than has to.
    #[error("{place}: expected {expected}, found {found}; {remedy}")]
    Wrong {
        /// Where it stands.
        place: Place,
        /// What could have stood there.
        expected: String,
        /// What stands there.
        found: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The file ends inside an element.
    #[error("{place}: expected </{open}>, found the end of the file; the file was cut off, get it again")]
    CutOff {
        /// Where the file ends.
        place: Place,
        /// The element that is still open.
        open: String,
    },
    /// A tileset in a file of its own cannot be had.
    #[error(
        "{place}: expected the tileset {tileset}, found that it {said}; put it there, or embed it in Tiled \
         (Tilesets: Embed Tileset)"
    )]
    Tileset {
        /// Where the map names it.
        place: Place,
        /// Its path, as the map has it.
        tileset: Excerpt,
        /// Why it cannot be had.
        said: String,
    },
    /// A tileset in a file of its own is wrong.
    #[error("tileset {tileset}: {problem}")]
    InTileset {
        /// Its path, as the map has it.
        tileset: Excerpt,
        /// What is wrong there.
        problem: Box<TiledError>,
    },
    /// A tileset lies where a map may not reach.
    #[error(
        "{place}: expected a tileset in the map's folder or below it, found {tileset}, which lies outside; move it \
         there, embed it in Tiled (Tilesets: Embed Tileset), or allow it (--allow-outside, in Rust `allow_outside`)"
    )]
    Outside {
        /// Where the map names it.
        place: Place,
        /// Its path, as the map has it.
        tileset: Excerpt,
    },
    /// A tileset outside the folder of the map is wrong. What stands in it is not shown: it may be any file.
    #[error(
        "tileset {tileset}: expected a tileset that Tiled has saved, found something else, which is not shown, since the \
         file lies outside the map's folder; correct its path, or move it below that folder to read more"
    )]
    Foreign {
        /// Its path, as the map has it.
        tileset: Excerpt,
    },
    /// The map has nothing to walk on.
    #[error("expected a map with a tile layer, found none; add one in Tiled (Layer: New: Tile Layer)")]
    NoLayer,
    /// The map is infinite, and nothing is on it.
    #[error("expected a map with tiles, found an infinite one without any; draw something")]
    NoChunk,
    /// The map has more cells than one that is written may have.
    #[error("expected a map of at most {limit} cells, found {width} x {height}; cut it into pieces", limit = super::MAX_TILES)]
    TooLarge {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// No layer or group has the name that was asked for.
    #[error("expected a tile layer or group called {name}, found {known}; correct the name")]
    NoSuchLayer {
        /// The name asked for.
        name: Excerpt,
        /// The names that there are.
        known: String,
    },
    /// More cells than the tiles justify.
    #[error(
        "map too large: expected at most {limit} cells, found {width} x {height} of them for {tiles} tiles; move what \
         lies far away, or cut the map into pieces"
    )]
    Spread {
        /// Columns of cells.
        width: u64,
        /// Rows of cells.
        height: u64,
        /// Tiles in the file.
        tiles: u64,
        /// The most cells that so many tiles may take.
        limit: u64,
    },
    /// What was looked through is refused all the same.
    #[error("expected a map that Tiled has saved, found that the reader says: {said}; save it anew in Tiled")]
    Refused {
        /// What the reader says.
        said: String,
    },
}

debug_as_sentence!(TiledError);

/// A text of another program, fit for a terminal.
pub(super) fn spoken(said: impl ToString) -> String {
    said.to_string().replace(char::is_control, " ").chars().take(120).collect()
}
