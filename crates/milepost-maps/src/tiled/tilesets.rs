//! The tilesets of a map: which numbers their tiles have, and that their properties are of the right type.

use std::collections::HashMap;
use std::io;

use super::error::{TiledError, spoken};
use super::xml::{Document, Element, RESAVE, excerpt, place};
use crate::Excerpt;

/// A map has at most so many: the reader looks through all of them for each tile.
const MOST_TILESETS: usize = 256;
/// Sizes in pixels.
const MOST_PIXELS: u32 = 1 << 16;
/// Bits of a tile number that say how the tile is turned: flipped three ways, or by 120 degrees.
pub(super) const TURNS: u32 = 0xf000_0000;

/// What is said of a tileset that lies where the map may not reach, as the inner error of an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[error("lies outside the folder of the map")]
pub(crate) struct OutsideFolder;

/// The tilesets of a map, in ascending order of their first number.
#[derive(Default)]
pub(super) struct Tilesets {
    list: Vec<Tileset>,
    /// Files that may be read, by the path that the map gives.
    pub(super) files: HashMap<String, Vec<u8>>,
}

/// A tileset: its numbers begin at `first`, and there are `count` of them, perhaps not all in use.
struct Tileset {
    first: u32,
    count: u32,
}

impl Tilesets {
    /// The tileset of a tile, by its place in the list, and the number of the tile in it.
    pub(super) fn find(&self, gid: u32) -> Option<(usize, u32)> {
        let gid = gid & !TURNS;
        let at = self.list.partition_point(|tileset| tileset.first <= gid).checked_sub(1)?;
        let id = gid - self.list[at].first;
        (id < self.list[at].count).then_some((at, id))
    }

    /// The number of a tile, perhaps with a turn in it, from what the reader makes of it.
    pub(super) fn gid(&self, tileset: usize, id: u32) -> u32 {
        self.list[tileset].first + id
    }
}

impl<'a> Document<'a> {
    /// A tileset of a map: here, or in a file of its own.
    pub(super) fn tileset(
        &mut self,
        element: &Element<'a>,
        tilesets: &mut Tilesets,
        give: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    ) -> Result<(), TiledError> {
        if tilesets.list.len() == MOST_TILESETS {
            let expected = format!("at most {MOST_TILESETS} tilesets");
            return Err(self.wrong(
                element.begin,
                expected,
                "more",
                "remove those that the map does not use",
            ));
        }
        let first: u32 = self.needed(element, "firstgid", "a whole number")?;
        let least = tilesets.list.last().map_or(1, |last| last.first.saturating_add(1));
        if first < least || first & TURNS != 0 {
            let expected = format!("a number from {least} to {} as `firstgid`", !TURNS);
            return Err(self.wrong(element.begin, expected, first.to_string(), RESAVE));
        }
        let Some(source) = self.attribute(element, "source")? else {
            let count = self.tiles_of(element)?;
            tilesets.list.push(Tileset { first, count });
            return Ok(());
        };
        // The reader takes a tileset with a count for one that is here.
        if self.attribute(element, "tilecount")?.is_some() {
            let found = "both in one";
            return Err(self.wrong(
                element.begin,
                "a tileset with `source` or with `tilecount`",
                found,
                RESAVE,
            ));
        }
        self.skip(element)?;
        let tileset = Excerpt::new(source.value.as_bytes());
        let bytes = give(&source.value).map_err(|error| {
            let (place, tileset) = (place(self.bytes, source.at), tileset.clone());
            if error.get_ref().is_some_and(|inner| inner.is::<OutsideFolder>()) {
                return TiledError::Outside { place, tileset };
            }
            TiledError::Tileset { place, tileset, said: spoken(error) }
        })?;
        let inside = |problem| TiledError::InTileset { tileset: tileset.clone(), problem: Box::new(problem) };
        let mut guard = Document::new(&bytes, "tileset", self.options).map_err(inside)?;
        let count = guard.root("tileset").and_then(|root| guard.tiles_of(&root)).map_err(inside)?;
        let clean = std::mem::take(&mut guard.clean);
        tilesets.files.insert(source.value, clean);
        tilesets.list.push(Tileset { first, count });
        Ok(())
    }

    /// Looks a tileset through, and says how many numbers its tiles take.
    fn tiles_of(&mut self, element: &Element<'a>) -> Result<u32, TiledError> {
        let mut count: u32 = self.needed(element, "tilecount", "a whole number")?;
        // The reader would make room for that many at once.
        if let Some(promise) = self.attribute(element, "tilecount")? {
            self.clean[promise.at..promise.at + promise.length].fill(b'0');
        }
        let wide: u32 = self.needed(element, "tilewidth", "a whole number")?;
        self.needed::<u32>(element, "tileheight", "a whole number")?;
        let has_columns = self.number::<u32>(element, "columns", "a whole number")?.is_some();
        let spacing: u32 = self.number(element, "spacing", "a whole number")?.unwrap_or(0);
        let margin: u32 = self.number(element, "margin", "a whole number")?.unwrap_or(0);
        let mut has_picture = false;
        while let Some(child) = self.child(element)? {
            match child.name() {
                b"tile" => {
                    let id: u32 = self.needed(&child, "id", "a whole number")?;
                    if id & TURNS != 0 {
                        return Err(self.wrong(
                            child.begin,
                            format!("a number below {}", !TURNS),
                            id.to_string(),
                            RESAVE,
                        ));
                    }
                    count = count.max(id + 1);
                    while let Some(inner) = self.child(&child)? {
                        if inner.name() == b"properties" {
                            self.properties(&inner)?
                        } else {
                            self.blank(&inner)?
                        }
                    }
                }
                // Without columns the reader counts them on the picture.
                b"image" if !has_columns => {
                    has_picture = true;
                    let width: u32 = self.needed(&child, "width", "a whole number")?;
                    let is_good = (1..=MOST_PIXELS).contains(&wide)
                        && (margin..=MOST_PIXELS).contains(&width)
                        && spacing <= MOST_PIXELS;
                    if !is_good {
                        let expected =
                            format!("a picture with tiles in it, at most {MOST_PIXELS} pixels wide");
                        let found = format!("{width} pixels for tiles of {wide}, with margins of {margin}");
                        return Err(self.wrong(child.begin, expected, found, RESAVE));
                    }
                    self.skip(&child)?;
                }
                _ => self.blank(&child)?,
            }
        }
        if !has_columns && !has_picture {
            return Err(self.missing(element, "columns"));
        }
        Ok(count)
    }

    /// Properties: only those that mean something here stay.
    pub(super) fn properties(&mut self, element: &Element<'a>) -> Result<(), TiledError> {
        while let Some(property) = self.child(element)? {
            let name = self.attribute(&property, "name")?;
            let name = name.as_ref().map(|name| &*name.value);
            let is_blocked = name == Some(self.options.blocked_property.as_str());
            let is_weight = name == Some(self.options.weight_property.as_str());
            if property.name() != b"property" || !(is_blocked || is_weight) {
                self.blank(&property)?;
                continue;
            }
            let kind = self.attribute(&property, "type")?;
            let kind = kind.as_ref().map_or("string", |kind| &*kind.value);
            let value = self.attribute(&property, "value")?;
            let spelled = value.as_ref().map_or("", |value| &*value.value);
            let (expected, is_good) = if is_blocked {
                ("a property of type bool", kind == "bool" && spelled.parse::<bool>().is_ok())
            } else {
                let in_range = spelled.parse::<i32>().is_ok_and(|weight| (1..=255).contains(&weight));
                ("a property of type int from 1 to 255", kind == "int" && in_range)
            };
            if !is_good {
                let name = Excerpt::new(name.unwrap_or_default().as_bytes());
                let found = format!("{} of type {}", excerpt(spelled), excerpt(kind));
                let remedy = "correct it in Tiled (Properties: Add Property, with this type)";
                return Err(self.wrong(property.begin, format!("{expected} called {name}"), found, remedy));
            }
            self.skip(&property)?;
        }
        Ok(())
    }
}
