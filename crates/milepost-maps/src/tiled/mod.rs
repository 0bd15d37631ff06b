//! Maps of the Tiled editor, `.tmx`: layers of tiles, whose properties say what is blocked and what it costs to walk.
//!
//! For every cell the layers are asked from the top, hidden ones too, and the first that says something is believed:
//! - **blocked or not**: the property `blocked` of the tile, else that of its layer; tiles in a layer called `blocked`,
//!   `walls` or `collision` block. A cell without a tile is blocked, unless all layers are of the kind that blocks.
//! - **weight**: the property `weight` of the tile, from 1 to 255, else that of its layer; else 1.
//!
//! A layer has the properties and the name of the groups that it is in, where it does not say otherwise.
//!
//! | orientation | cells |
//! |---|---|
//! | orthogonal, isometric | squares; isometric ones are only drawn as rhombi |
//! | hexagonal | hexagons, as their [layout](HexLayout) has them |
//! | staggered | squares of a lattice, see [`Stagger`] |
//!
//! # Guarantees
//! Whatever the bytes are, [`read()`] does not panic, and takes no memory that they do not justify: at most
//! [`MAX_TILES`] tiles in all layers, each of which was there, and at most 64 cells a tile and 2^20 more, but no more than 2^26. What
//! [`write()`] wrote, [`read()`] reads back with the same cells blocked, and the same weights.
//!
//! # Deviations
//! 1. Layers in zstd and layers with an XML element for each tile are refused.
//! 2. Objects, templates and pictures are passed over.

mod cells;
mod data;
mod error;
mod guard;
mod lattice;
mod tilesets;
mod write;
mod xml;

use std::cell::Cell;
use std::io;
use std::path::Path;

use milepost::HexLayout;

pub use error::TiledError;
pub use lattice::{Axis, Index, Stagger};
pub use write::write;

use super::tiles::TileMap;
use error::spoken;
pub(crate) use tilesets::OutsideFolder;

/// Maps with more tiles, over all layers, are refused.
pub const MAX_TILES: u64 = 1 << 25;
/// Layers with one of these names block, in capitals or not.
pub const BLOCKED_LAYERS: [&str; 3] = ["blocked", "walls", "collision"];

/// What the properties and layers are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The bool property of tiles, layers and groups that says whether they block.
    pub blocked_property: String,
    /// The int property that says what they weigh.
    pub weight_property: String,
    /// The layers and groups that block, in capitals or not; each must be there. Without a list [`BLOCKED_LAYERS`],
    /// which need not be there.
    pub blocked_layers: Option<Vec<String>>,
    /// Whether [`read_tiled`](crate::read_tiled) may read tilesets that lie outside the folder of the map. A map from
    /// elsewhere could name any file of the machine.
    pub allow_outside: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (blocked_property, weight_property) = ("blocked".to_owned(), "weight".to_owned());
        Options { blocked_property, weight_property, blocked_layers: None, allow_outside: false }
    }
}

/// What cells look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// Squares in rows.
    #[default]
    Square,
    /// Squares seen from a corner: rows run to the lower right, columns to the lower left.
    Rhombus,
    /// The same, cut to a rectangle of the screen.
    Staggered(Stagger),
    /// Hexagons, of whose rows or columns every other one lies half a cell further.
    Hexagon(HexLayout),
}

impl Shape {
    /// What Tiled calls it.
    pub fn orientation(self) -> &'static str {
        match self {
            Shape::Square => "orthogonal",
            Shape::Rhombus => "isometric",
            Shape::Staggered(_) => "staggered",
            Shape::Hexagon(_) => "hexagonal",
        }
    }
}

/// A Tiled map as cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TiledMap {
    /// Floor and blocked cells.
    pub map: TileMap,
    /// The weight of every cell, row by row from the top; none where all free cells weigh 1.
    pub weights: Option<Vec<u8>>,
    /// What the cells look like.
    pub shape: Shape,
    /// What Tiled calls the cell 0,0 (of a staggered map: the first column and row). Infinite maps may begin anywhere.
    pub origin: (i32, i32),
    /// Whether anything on the map says that it is blocked, or that it is not.
    pub is_marked: bool,
}

/// Reads a `.tmx` file. `tileset` gives the bytes of a tileset in a file of its own, `.tsx`, whose path is relative to
/// the map.
///
/// ```
/// use milepost_maps::tiled::{self, Options};
/// let bytes = br#"<map version="1.10" orientation="orthogonal" width="3" height="1" tilewidth="8" tileheight="8">
///  <tileset firstgid="1" source="ground.tsx"/>
///  <layer name="ground" width="3" height="1"><data encoding="csv">1,0,2</data></layer>
/// </map>"#;
/// let tileset = br#"<tileset tilewidth="8" tileheight="8" tilecount="2" columns="2">
///  <tile id="1"><properties><property name="weight" type="int" value="5"/></properties></tile>
/// </tileset>"#;
/// let level = tiled::read(bytes, &Options::default(), |path| {
///     assert_eq!(path, "ground.tsx");
///     Ok(tileset.to_vec())
/// })?;
/// assert_eq!((level.map.row(0), level.weights), (&b".@."[..], Some(vec![1, 1, 5])));
/// # Ok::<(), milepost_maps::TiledError>(())
/// ```
pub fn read(
    bytes: &[u8],
    options: &Options,
    mut tileset: impl FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<TiledMap, TiledError> {
    let checked = guard::map(bytes, options, &mut tileset)?;
    let is_first = Cell::new(true);
    let files = |path: &Path| -> io::Result<&[u8]> {
        if is_first.replace(false) {
            return Ok(&checked.clean);
        }
        let file = path.to_str().and_then(|path| checked.tilesets.files.get(path));
        file.map(Vec::as_slice).ok_or_else(|| io::ErrorKind::NotFound.into())
    };
    let map = ::tiled::Loader::with_reader(files).load_tmx_map("map.tmx");
    let map = map.map_err(|error| TiledError::Refused { said: spoken(error) })?;
    cells::cells(&map, &checked, options)
}

#[cfg(test)]
mod tests;
