//! Looks a file through before the reader gets it: sizes, numbers and nesting, and that every layer decodes to as many
//! tiles as it promises, known ones. The reader trusts all of that and would panic, or take memory without end.
//!
//! What does not matter here - objects, pictures, animations, other properties - is overwritten with blanks, so that
//! the reader never sees it, and nothing in it can be wrong.

use std::io;

use milepost::HexLayout;

use super::data::Encoding;
use super::error::TiledError;
use super::lattice::{Axis, Index, Stagger};
use super::tilesets::Tilesets;
use super::xml::{Attribute, Document, Element, RESAVE, place};
use super::{MAX_TILES, Options};
use crate::{Excerpt, tiles};

/// Groups in groups in groups ...
const DEEPEST: u32 = 32;
/// Chunks of an infinite map lie at most so far from the origin.
const FARTHEST: i32 = 1 << 24;

/// How the cells of a map lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Orientation {
    Orthogonal,
    Isometric,
    Staggered(Axis, Index),
    Hexagonal(HexLayout),
}

/// A file that may be read.
pub(super) struct Checked {
    /// The file, with blanks for what does not matter.
    pub(super) clean: Vec<u8>,
    pub(super) orientation: Orientation,
    /// The first column and row, other than 0 on infinite maps only.
    pub(super) origin: (i32, i32),
    /// Columns and rows; at least one.
    pub(super) width: u32,
    pub(super) height: u32,
    /// Over all layers.
    pub(super) tiles: u64,
    pub(super) tilesets: Tilesets,
}

/// Looks a map through. `tileset` gives the bytes of tilesets in files of their own.
pub(super) fn map(
    bytes: &[u8],
    options: &Options,
    tileset: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<Checked, TiledError> {
    let mut guard = Document::new(bytes, "map", options)?;
    let root = guard.root("map")?;
    let head = guard.head(&root)?;
    let mut sheet = Sheet { head, tilesets: Tilesets::default(), tiles: 0, layers: 0, bounds: None };
    while let Some(child) = guard.child(&root)? {
        match child.name() {
            b"tileset" => guard.tileset(&child, &mut sheet.tilesets, tileset)?,
            b"layer" => guard.layer(&child, &mut sheet)?,
            b"group" => guard.group(&child, &mut sheet, 1)?,
            _ => guard.blank(&child)?,
        }
    }
    // The parser takes a last tag without its end for a whole one.
    if !bytes[..guard.position()].ends_with(b">") {
        return Err(TiledError::CutOff { place: place(bytes, bytes.len()), open: "map".to_owned() });
    }
    if sheet.layers == 0 {
        return Err(TiledError::NoLayer);
    }
    let Sheet { head, tilesets, tiles, bounds, .. } = sheet;
    let (origin, width, height) = head.extent(bounds).ok_or(TiledError::NoChunk)?;
    Ok(Checked { clean: guard.clean, orientation: head.orientation, origin, width, height, tiles, tilesets })
}

/// What is known about a map while its layers are looked through.
pub(super) struct Sheet {
    head: Head,
    pub(super) tilesets: Tilesets,
    pub(super) tiles: u64,
    layers: u32,
    /// Of the chunks of an infinite map.
    bounds: Option<Bounds>,
}

/// The attributes of a map.
#[derive(Clone, Copy)]
struct Head {
    orientation: Orientation,
    width: u32,
    height: u32,
    is_infinite: bool,
}

/// The first and the last column and row, the last ones excluded.
#[derive(Clone, Copy)]
struct Bounds {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl Bounds {
    fn with(self, other: Bounds) -> Bounds {
        Bounds {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

impl Head {
    /// The first cell, and how many columns and rows there are; none if nothing is there.
    fn extent(&self, bounds: Option<Bounds>) -> Option<((i32, i32), u32, u32)> {
        if !self.is_infinite {
            return Some(((0, 0), self.width, self.height));
        }
        let bounds = bounds?;
        let is_staggered = matches!(self.orientation, Orientation::Staggered(..) | Orientation::Hexagonal(_));
        // Which rows or columns are shifted must not change.
        let even = |at: i32| if is_staggered { at & !1 } else { at };
        let (left, top) = (even(bounds.left), even(bounds.top));
        Some(((left, top), (bounds.right - left) as u32, (bounds.bottom - top) as u32))
    }
}

impl<'a> Document<'a> {
    fn head(&self, root: &Element<'a>) -> Result<Head, TiledError> {
        let word = |name: &str| self.attribute(root, name);
        let orientation = word("orientation")?.ok_or_else(|| self.missing(root, "orientation"))?;
        let (axis, index) = (word("staggeraxis")?, word("staggerindex")?);
        let one_of = |attribute: &Option<Attribute>, name: &str, first: &str, second: &str| {
            let Some(attribute) = attribute else { return Ok(None) };
            if attribute.value == first || attribute.value == second {
                return Ok(Some(attribute.value == second));
            }
            let found = Excerpt::new(attribute.value.as_bytes()).to_string();
            Err(self.wrong(attribute.at, format!("`{first}` or `{second}` as `{name}`"), found, RESAVE))
        };
        let is_y = one_of(&axis, "staggeraxis", "x", "y")?.unwrap_or(true);
        let is_odd = one_of(&index, "staggerindex", "even", "odd")?.unwrap_or(true);
        let orientation = match &*orientation.value {
            "orthogonal" => Orientation::Orthogonal,
            "isometric" => Orientation::Isometric,
            "staggered" => Orientation::Staggered(
                if is_y { Axis::Rows } else { Axis::Columns },
                if is_odd { Index::Odd } else { Index::Even },
            ),
            "hexagonal" => Orientation::Hexagonal(match (is_y, is_odd) {
                (true, true) => HexLayout::OddRows,
                (true, false) => HexLayout::EvenRows,
                (false, true) => HexLayout::OddColumns,
                (false, false) => HexLayout::EvenColumns,
            }),
            other => {
                let found = Excerpt::new(other.as_bytes()).to_string();
                let expected = "`orthogonal`, `isometric`, `staggered` or `hexagonal` as `orientation`";
                let remedy = "choose one of these in Tiled (Map: Map Properties: Orientation)";
                return Err(self.wrong(orientation.at, expected, found, remedy));
            }
        };
        word("version")?.ok_or_else(|| self.missing(root, "version"))?;
        self.needed::<u32>(root, "tilewidth", "a whole number")?;
        self.needed::<u32>(root, "tileheight", "a whole number")?;
        let is_infinite = word("infinite")?.is_some_and(|infinite| infinite.value == "1");
        let width: u32 = self.needed(root, "width", "a whole number")?;
        let height: u32 = self.needed(root, "height", "a whole number")?;
        let tiles = u64::from(width) * u64::from(height);
        if !is_infinite && (tiles == 0 || tiles > MAX_TILES || !tiles::fits(width, height)) {
            let expected = format!("a map with 1 to {MAX_TILES} cells");
            return Err(self.wrong(
                root.begin,
                expected,
                format!("{width} x {height}"),
                "cut it into pieces",
            ));
        }
        Ok(Head { orientation, width, height, is_infinite })
    }

    fn group(&mut self, element: &Element<'a>, sheet: &mut Sheet, depth: u32) -> Result<(), TiledError> {
        if depth > DEEPEST {
            let expected = format!("at most {DEEPEST} groups in each other");
            return Err(self.wrong(element.begin, expected, "one more", "move its layers out of it"));
        }
        while let Some(child) = self.child(element)? {
            match child.name() {
                b"layer" => self.layer(&child, sheet)?,
                b"group" => self.group(&child, sheet, depth + 1)?,
                b"properties" => self.properties(&child)?,
                _ => self.blank(&child)?,
            }
        }
        Ok(())
    }

    fn layer(&mut self, element: &Element<'a>, sheet: &mut Sheet) -> Result<(), TiledError> {
        let width: u32 = self.needed(element, "width", "a whole number")?;
        let height: u32 = self.needed(element, "height", "a whole number")?;
        let head = sheet.head;
        if !head.is_infinite && (width, height) != (head.width, head.height) {
            let expected = format!("a layer of {} x {}, as the map has", head.width, head.height);
            return Err(self.wrong(element.begin, expected, format!("{width} x {height}"), RESAVE));
        }
        let mut has_data = false;
        while let Some(child) = self.child(element)? {
            match child.name() {
                b"properties" => self.properties(&child)?,
                b"data" if has_data => {
                    return Err(self.wrong(child.begin, "one element <data> in a layer", "another", RESAVE));
                }
                b"data" => {
                    has_data = true;
                    let encoding = self.encoding(&child)?;
                    if head.is_infinite {
                        self.chunks(&child, encoding, sheet)?;
                    } else {
                        self.data(&child, encoding, (width, height), sheet)?;
                    }
                }
                _ => self.blank(&child)?,
            }
        }
        if !has_data {
            return Err(self.wrong(element.begin, "a layer with an element <data>", "none", RESAVE));
        }
        sheet.layers += 1;
        Ok(())
    }

    fn chunks(
        &mut self,
        data: &Element<'a>,
        encoding: Encoding,
        sheet: &mut Sheet,
    ) -> Result<(), TiledError> {
        while let Some(chunk) = self.child(data)? {
            if chunk.name() != b"chunk" {
                let found = format!("<{}>", chunk.spelled());
                return Err(self.wrong(chunk.begin, "<chunk>", found, RESAVE));
            }
            let x: i32 = self.needed(&chunk, "x", "a whole number")?;
            let y: i32 = self.needed(&chunk, "y", "a whole number")?;
            let width: u32 = self.needed(&chunk, "width", "a whole number")?;
            let height: u32 = self.needed(&chunk, "height", "a whole number")?;
            let is_near = x.unsigned_abs().max(y.unsigned_abs()) <= FARTHEST as u32;
            let is_small = (1..=FARTHEST as u32).contains(&width) && (1..=FARTHEST as u32).contains(&height);
            if !is_near || !is_small {
                let expected =
                    format!("a chunk with at least one tile, at most {FARTHEST} cells from the origin");
                return Err(self.wrong(
                    chunk.begin,
                    expected,
                    format!("{width} x {height} at {x},{y}"),
                    RESAVE,
                ));
            }
            self.data(&chunk, encoding, (width, height), sheet)?;
            let bounds = Bounds { left: x, top: y, right: x + width as i32, bottom: y + height as i32 };
            sheet.bounds = Some(sheet.bounds.map_or(bounds, |before| before.with(bounds)));
        }
        Ok(())
    }
}

impl Orientation {
    /// How a staggered map of this size lies.
    pub(super) fn stagger(self, columns: u32, rows: u32) -> Option<Stagger> {
        match self {
            Orientation::Staggered(axis, index) => Some(Stagger { axis, index, columns, rows }),
            _ => None,
        }
    }
}
