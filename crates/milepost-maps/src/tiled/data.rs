//! The tiles of a layer, as text: as many as promised, all of them known.

use std::io::Read;

use base64::Engine as _;
use base64::engine::{GeneralPurpose, general_purpose};
use flate2::bufread::{GzDecoder, ZlibDecoder};
use quick_xml::events::Event;

use super::MAX_TILES;
use super::error::{TiledError, spoken};
use super::guard::Sheet;
use super::tilesets::{TURNS, Tilesets};
use super::xml::{AGAIN, Attribute, Document, Element, excerpt, place};

const FORMAT: &str = "choose another format in Tiled (Map: Map Properties: Tile Layer Format: CSV)";

/// How a layer is written down.
#[derive(Clone, Copy)]
pub(super) enum Encoding {
    Csv,
    Base64,
    Zlib,
    Gzip,
}

impl<'a> Document<'a> {
    pub(super) fn encoding(&self, data: &Element<'a>) -> Result<Encoding, TiledError> {
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

    /// The tiles of a layer or chunk: as many as promised, all of them known.
    pub(super) fn data(
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
        // Whole tiles, and whether a part of one follows, which the reader would leave out.
        let (count, has_part) = match encoding {
            Encoding::Csv => (self.numbers(text, begin, &sheet.tilesets)?, false),
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
                (unpacked.len() as u64 / 4, unpacked.len() % 4 != 0)
            }
        };
        if count != expected || has_part {
            let promise = format!("{expected} tiles for {width} x {height}");
            let found = match has_part {
                _ if count >= expected => "more".to_owned(),
                true => format!("{count} and a part of one"),
                false => count.to_string(),
            };
            return Err(self.wrong(begin, promise, found, AGAIN));
        }
        Ok(())
    }

    /// The text in an element that has nothing else in it.
    fn text(&mut self, element: &Element<'a>) -> Result<&'a [u8], TiledError> {
        let mut text: &'a [u8] = b"";
        loop {
            let before = self.position();
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
