//! Looks a file through before the reader gets it: sizes, numbers and nesting, and that every layer decodes to as many
//! tiles as it promises, known ones. The reader trusts all of that and would panic, or take memory without end.
//!
//! What does not matter here - objects, pictures, animations, other properties - is overwritten with blanks, so that
//! the reader never sees it, and nothing in it can be wrong.

use std::collections::HashMap;
use std::io::{self, Read};

use base64::Engine as _;
use base64::engine::{GeneralPurpose, general_purpose};
use flate2::bufread::{GzDecoder, ZlibDecoder};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::error::{TiledError, spoken};
use super::lattice::{Axis, Index, Stagger};
use super::{MAX_TILES, Options};
use crate::maps::{Excerpt, Place, tiles};

/// Groups in groups in groups ...
const DEEPEST: u32 = 32;
/// Chunks of an infinite map lie at most so far from the origin.
const FARTHEST: i32 = 1 << 24;
/// Sizes in pixels.
const MOST_PIXELS: u32 = 1 << 16;
/// Bits of a tile number that say how the tile is turned: flipped three ways, or by 120 degrees.
const TURNS: u32 = 0xf000_0000;

const RESAVE: &str = "correct it, or save the file anew in Tiled";
const FORMAT: &str = "choose another format in Tiled (Map: Map Properties: Tile Layer Format: CSV)";
const AGAIN: &str = "the file is damaged, get it again";

/// How the cells of a map lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Orientation {
    Orthogonal,
    Isometric,
    Staggered(Axis, Index),
    Hexagonal,
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

/// Looks a map through. `tileset` gives the bytes of tilesets in files of their own.
pub(super) fn map(
    bytes: &[u8],
    options: &Options,
    tileset: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<Checked, TiledError> {
    let mut guard = Guard::new(bytes, "map", options)?;
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
    if !bytes[..guard.reader.buffer_position().min(bytes.len())].ends_with(b">") {
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
struct Sheet {
    head: Head,
    tilesets: Tilesets,
    tiles: u64,
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
        let is_staggered = matches!(self.orientation, Orientation::Staggered(..) | Orientation::Hexagonal);
        // Which rows are shifted must not change.
        let even = |at: i32| if is_staggered { at & !1 } else { at };
        let (left, top) = (even(bounds.left), even(bounds.top));
        Some(((left, top), (bounds.right - left) as u32, (bounds.bottom - top) as u32))
    }
}

/// An element, and where it begins.
struct Element<'a> {
    tag: BytesStart<'a>,
    begin: usize,
}

impl Element<'_> {
    fn name(&self) -> &[u8] {
        self.tag.local_name().into_inner()
    }

    fn spelled(&self) -> String {
        let name = Excerpt::new(self.name()).to_string();
        name.trim_matches('"').to_owned()
    }
}

/// An attribute: its value, and where that stands.
struct Attribute {
    value: String,
    at: usize,
    length: usize,
}

/// How a layer is written down.
#[derive(Clone, Copy)]
enum Encoding {
    Csv,
    Base64,
    Zlib,
    Gzip,
}

struct Guard<'a> {
    bytes: &'a [u8],
    clean: Vec<u8>,
    reader: Reader<&'a [u8]>,
    options: &'a Options,
}

impl<'a> Guard<'a> {
    fn new(bytes: &'a [u8], root: &'static str, options: &'a Options) -> Result<Self, TiledError> {
        let mark: &[u8] = b"\xef\xbb\xbf";
        let text = bytes.strip_prefix(mark).unwrap_or(bytes);
        if text.iter().all(u8::is_ascii_whitespace) {
            return Err(TiledError::Empty { root, bytes: text.len() as u64 });
        }
        if let Err(error) = std::str::from_utf8(bytes) {
            let at = error.valid_up_to();
            let found = Excerpt::new(&bytes[at..(at + 1).min(bytes.len())]).to_string();
            let (place, expected) = (place(bytes, at), "text in UTF-8".to_owned());
            return Err(TiledError::Wrong { place, expected, found, remedy: AGAIN });
        }
        let mut clean = bytes.to_vec();
        clean[..bytes.len() - text.len()].fill(b' ');
        let mut reader = Reader::from_reader(bytes);
        reader.expand_empty_elements(true);
        Ok(Guard { bytes, clean, reader, options })
    }

    fn wrong(
        &self,
        at: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
        remedy: &'static str,
    ) -> TiledError {
        let (expected, found) = (expected.into(), found.into());
        TiledError::Wrong { place: place(self.bytes, at), expected, found, remedy }
    }

    /// Where a piece of the file begins.
    fn offset(&self, piece: &[u8]) -> usize {
        (piece.as_ptr() as usize).saturating_sub(self.bytes.as_ptr() as usize).min(self.bytes.len())
    }

    fn erase(&mut self, begin: usize, end: usize) {
        let end = end.min(self.clean.len());
        for byte in &mut self.clean[begin.min(end)..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    fn event(&mut self) -> Result<Event<'a>, TiledError> {
        match self.reader.read_event() {
            Ok(event) => Ok(event),
            Err(error) => Err(self.broken(&error)),
        }
    }

    fn broken(&self, error: &quick_xml::Error) -> TiledError {
        self.wrong(self.reader.buffer_position(), "well-formed XML", spoken(error), AGAIN)
    }

    /// The next element inside one that is open; none at its end. What else stands between is passed over.
    fn child(&mut self, parent: &Element<'_>) -> Result<Option<Element<'a>>, TiledError> {
        loop {
            match self.event()? {
                Event::Start(tag) => {
                    let begin = self.offset(&tag).saturating_sub(1);
                    return Ok(Some(Element { tag, begin }));
                }
                Event::End(_) => return Ok(None),
                Event::Eof => {
                    let place = place(self.bytes, self.bytes.len());
                    return Err(TiledError::CutOff { place, open: parent.spelled() });
                }
                _ => {}
            }
        }
    }

    /// The outermost element.
    fn root(&mut self, name: &'static str) -> Result<Element<'a>, TiledError> {
        loop {
            let before = self.reader.buffer_position();
            match self.event()? {
                Event::Start(tag) if tag.local_name().into_inner() == name.as_bytes() => {
                    let begin = self.offset(&tag).saturating_sub(1);
                    return Ok(Element { tag, begin });
                }
                Event::Start(tag) => {
                    let root = Element { begin: self.offset(&tag).saturating_sub(1), tag };
                    let remedy = "take another file, or save it anew in Tiled";
                    return Err(self.wrong(
                        root.begin,
                        format!("<{name}>"),
                        format!("<{}>", root.spelled()),
                        remedy,
                    ));
                }
                Event::DocType(text) if text.contains(&b'[') => {
                    let found = "a document type with definitions of its own";
                    return Err(self.wrong(before, "a plain document type, or none", found, "remove it"));
                }
                Event::DocType(_) | Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
                Event::Text(text) if text.iter().all(u8::is_ascii_whitespace) => {}
                Event::Text(text) if text.starts_with("\u{feff}".as_bytes()) => {}
                Event::Eof => {
                    let remedy = "the file was cut off, get it again";
                    return Err(self.wrong(
                        self.bytes.len(),
                        format!("<{name}>"),
                        "the end of the file",
                        remedy,
                    ));
                }
                other => {
                    let found = Excerpt::new(&other).to_string();
                    let remedy = "take another file, or save it anew in Tiled";
                    return Err(self.wrong(before, format!("XML that begins with <{name}>"), found, remedy));
                }
            }
        }
    }

    /// Passes over an element.
    fn skip(&mut self, element: &Element<'_>) -> Result<(), TiledError> {
        match self.reader.read_to_end(element.tag.name()) {
            Ok(_) => Ok(()),
            Err(quick_xml::Error::UnexpectedEof(_)) => {
                let place = place(self.bytes, self.bytes.len());
                Err(TiledError::CutOff { place, open: element.spelled() })
            }
            Err(error) => Err(self.broken(&error)),
        }
    }

    /// Passes over an element that does not matter, and hides it from the reader.
    fn blank(&mut self, element: &Element<'_>) -> Result<(), TiledError> {
        self.skip(element)?;
        self.erase(element.begin, self.reader.buffer_position());
        Ok(())
    }

    /// An attribute by its name without a prefix, as the reader looks for it.
    fn attribute(&self, element: &Element<'a>, name: &str) -> Result<Option<Attribute>, TiledError> {
        let mut found = None;
        for attribute in element.tag.attributes() {
            let attribute = attribute.map_err(|error| self.broken_tag(element, &error))?;
            if attribute.key.local_name().into_inner() != name.as_bytes() {
                continue;
            }
            let at = self.offset(&attribute.value);
            let length = attribute.value.len();
            let value = attribute.unescape_value().map_err(|error| self.broken_tag(element, &error))?;
            let value = value.into_owned();
            if found.replace(Attribute { value, at, length }).is_some() {
                return Err(self.wrong(at, format!("the attribute `{name}` once"), "it again", RESAVE));
            }
        }
        Ok(found)
    }

    fn broken_tag(&self, element: &Element<'_>, error: &dyn std::error::Error) -> TiledError {
        let found = format!("<{}> with this fault: {}", element.spelled(), spoken(error));
        self.wrong(element.begin, "well-formed XML", found, AGAIN)
    }

    /// A number among the attributes.
    fn number<T>(&self, element: &Element<'a>, name: &str, expected: &str) -> Result<Option<T>, TiledError>
    where
        T: std::str::FromStr,
    {
        let Some(attribute) = self.attribute(element, name)? else { return Ok(None) };
        let wrong = |_| {
            let found = Excerpt::new(attribute.value.as_bytes()).to_string();
            self.wrong(
                attribute.at,
                format!("{expected} as `{name}` of <{}>", element.spelled()),
                found,
                RESAVE,
            )
        };
        attribute.value.parse().map(Some).map_err(wrong)
    }

    /// A number that has to be there.
    fn needed<T>(&self, element: &Element<'a>, name: &str, expected: &str) -> Result<T, TiledError>
    where
        T: std::str::FromStr,
    {
        self.number(element, name, expected)?.ok_or_else(|| self.missing(element, name))
    }

    fn missing(&self, element: &Element<'_>, name: &str) -> TiledError {
        let name = format!("the attribute `{name}` in <{}>", element.spelled());
        self.wrong(element.begin, name, "none", "save the file anew in Tiled (1.0 or newer)")
    }

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
            "hexagonal" if is_y && is_odd => Orientation::Hexagonal,
            "hexagonal" => {
                let (at, found) = match (&axis, &index) {
                    (Some(axis), _) if !is_y => (axis.at, "columns (`staggeraxis` is x)"),
                    (_, Some(index)) => (index.at, "even rows (`staggerindex` is even)"),
                    _ => (root.begin, "others"),
                };
                let remedy = "change it in Tiled (Map: Map Properties: Stagger Axis Y, Stagger Index Odd)";
                return Err(self.wrong(at, "hexagons whose odd rows are shifted", found, remedy));
            }
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

    /// A tileset of a map: here, or in a file of its own.
    fn tileset(
        &mut self,
        element: &Element<'a>,
        tilesets: &mut Tilesets,
        give: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    ) -> Result<(), TiledError> {
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
        let bytes = give(&source.value).map_err(|error| TiledError::Tileset {
            place: place(self.bytes, source.at),
            tileset: tileset.clone(),
            said: spoken(error),
        })?;
        let inside = |problem| TiledError::InTileset { tileset: tileset.clone(), problem: Box::new(problem) };
        let mut guard = Guard::new(&bytes, "tileset", self.options).map_err(inside)?;
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
    fn properties(&mut self, element: &Element<'a>) -> Result<(), TiledError> {
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

    fn encoding(&self, data: &Element<'a>) -> Result<Encoding, TiledError> {
        let (encoding, compression) =
            (self.attribute(data, "encoding")?, self.attribute(data, "compression")?);
        let word =
            |attribute: &Option<Attribute>| attribute.as_ref().map(|attribute| attribute.value.to_string());
        let (encoding, compression) = (word(&encoding), word(&compression));
        match (encoding.as_deref(), compression.as_deref()) {
            (Some("csv"), None) => Ok(Encoding::Csv),
            (Some("base64"), None) => Ok(Encoding::Base64),
            (Some("base64"), Some("zlib")) => Ok(Encoding::Zlib),
            (Some("base64"), Some("gzip")) => Ok(Encoding::Gzip),
            (encoding, compression) => {
                let found = match (encoding, compression) {
                    (None, None) => "an element for each tile".to_owned(),
                    (encoding, None) => excerpt(encoding.unwrap_or_default()),
                    (encoding, Some(compression)) => {
                        format!("{} with {}", excerpt(encoding.unwrap_or_default()), excerpt(compression))
                    }
                };
                let expected = "a layer in CSV, or in Base64: uncompressed, zlib or gzip";
                Err(self.wrong(data.begin, expected, found, FORMAT))
            }
        }
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

    /// The tiles of a layer or chunk: as many as promised, all of them known.
    fn data(
        &mut self,
        element: &Element<'a>,
        encoding: Encoding,
        (width, height): (u32, u32),
        sheet: &mut Sheet,
    ) -> Result<(), TiledError> {
        let expected = u64::from(width) * u64::from(height);
        sheet.tiles += expected;
        if sheet.tiles > MAX_TILES {
            let expected = format!("at most {MAX_TILES} tiles in all layers");
            return Err(self.wrong(element.begin, expected, "more", "cut the map into pieces"));
        }
        let text: &'a [u8] = self.text(element)?;
        let begin = if text.is_empty() { element.begin } else { self.offset(text) };
        let count = match encoding {
            Encoding::Csv => self.numbers(text, begin, &sheet.tilesets)?,
            Encoding::Base64 | Encoding::Zlib | Encoding::Gzip => {
                let limit = 4 * expected + 4;
                let unpacked = unpack(text, encoding, limit).map_err(|said| {
                    let what =
                        if matches!(encoding, Encoding::Base64) { "Base64" } else { "compressed Base64" };
                    self.wrong(begin, format!("tiles in {what}"), said, AGAIN)
                })?;
                for bits in unpacked.chunks_exact(4) {
                    let gid = u32::from_le_bytes([bits[0], bits[1], bits[2], bits[3]]);
                    self.known(gid, begin, &sheet.tilesets)?;
                }
                // A part of a number is one too many.
                (unpacked.len() as u64).div_ceil(4)
            }
        };
        if count != expected {
            let promise = format!("{expected} tiles for {width} x {height}");
            let found = if count > expected { "more".to_owned() } else { count.to_string() };
            return Err(self.wrong(begin, promise, found, AGAIN));
        }
        Ok(())
    }

    /// The text in an element that has nothing else in it.
    fn text(&mut self, element: &Element<'a>) -> Result<&'a [u8], TiledError> {
        let mut text: &'a [u8] = b"";
        loop {
            let before = self.reader.buffer_position();
            match self.event()? {
                Event::Text(part) if text.is_empty() => {
                    let begin = self.offset(&part);
                    let end = begin + part.len();
                    text = &self.bytes[begin..end];
                }
                Event::End(_) => return Ok(text),
                Event::Eof => {
                    let place = place(self.bytes, self.bytes.len());
                    return Err(TiledError::CutOff { place, open: element.spelled() });
                }
                Event::Start(tag) => {
                    let child = Element { begin: self.offset(&tag).saturating_sub(1), tag };
                    let found = format!("<{}>", child.spelled());
                    return Err(self.wrong(child.begin, "the tiles of the layer as text", found, FORMAT));
                }
                _ => return Err(self.wrong(before, "the tiles of the layer as text alone", "more", FORMAT)),
            }
        }
    }

    /// How many numbers of tiles stand in a text that begins at `begin`.
    fn numbers(&self, text: &[u8], begin: usize, tilesets: &Tilesets) -> Result<u64, TiledError> {
        let mut count = 0;
        let mut at = begin;
        for word in text.split(|byte| *byte == b',') {
            let spelled = std::str::from_utf8(word).unwrap_or_default().trim();
            let blanks = word.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let Ok(gid) = spelled.parse() else {
                return Err(self.wrong(at + blanks, "the number of a tile", excerpt(spelled), AGAIN));
            };
            self.known(gid, at + blanks, tilesets)?;
            count += 1;
            at += word.len() + 1;
        }
        Ok(count)
    }

    /// Refuses a tile that no tileset has.
    fn known(&self, gid: u32, at: usize, tilesets: &Tilesets) -> Result<(), TiledError> {
        if gid & !TURNS == 0 || tilesets.find(gid).is_some() {
            return Ok(());
        }
        let remedy = "add the tileset that it was drawn with, or erase the tile";
        Err(self.wrong(at, "a tile of one of the tilesets", format!("number {}", gid & !TURNS), remedy))
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

fn excerpt(text: &str) -> String {
    Excerpt::new(text.as_bytes()).to_string()
}

/// What a text stands for, up to a limit; or why it stands for nothing.
fn unpack(text: &[u8], encoding: Encoding, limit: u64) -> Result<Vec<u8>, String> {
    let base64 = GeneralPurpose::new(&base64::alphabet::STANDARD, general_purpose::PAD);
    let packed = base64.decode(text.trim_ascii()).map_err(spoken)?;
    let mut bytes = Vec::new();
    let read = match encoding {
        Encoding::Zlib => ZlibDecoder::new(&packed[..]).take(limit).read_to_end(&mut bytes),
        Encoding::Gzip => GzDecoder::new(&packed[..]).take(limit).read_to_end(&mut bytes),
        Encoding::Csv | Encoding::Base64 => return Ok(packed),
    };
    read.map(|_| bytes).map_err(spoken)
}

/// The line and column of a byte.
fn place(bytes: &[u8], at: usize) -> Place {
    let before = &bytes[..at.min(bytes.len())];
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let line = before.iter().filter(|byte| **byte == b'\n').count();
    let begin = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    Place { line: count(line + 1), column: count(before.len() - begin + 1), offset: before.len() as u64 }
}
