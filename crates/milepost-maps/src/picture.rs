//! Pictures as maps: a pixel is a cell, dark pixels are blocked, grey levels can be weights. PNG only.
//!
//! - The *luma* of a pixel is its grey level from 0 (black) to 255 (white); for colours
//!   (2126 red + 7152 green + 722 blue) / 10000, rounded. Of 16 bits a channel, the upper eight count.
//! - A pixel is blocked if its luma is below the threshold (128 unless told otherwise) or if it is
//!   transparent: alpha below 128. Other pixels are floor.
//! - The weight of a free pixel is 1 + (255 - luma) / 16, rounded to the nearest: white is 1, each 16 levels
//!   darker one more, and 9 at the threshold of 128; a lower threshold reaches at most 17. Blocked cells have
//!   weight 1.
//!
//! # Guarantees
//! Whatever the bytes are, [`read()`] does not panic. Size and compression are checked against the length of
//! the file before anything is decoded: at most [`MAX_PIXELS`] pixels, and no more than that many bytes could
//! decompress to. Decoding takes at most 64 bytes a pixel and a fixed amount for what else the file holds.
//! What [`write()`] wrote, [`read()`] reads back with the same cells blocked.

use crate::error::debug_as_sentence;
use std::io::Cursor;

use png::{BitDepth, ColorType, Compression, Decoder, DecodingError, Encoder, EncodingError, Filter, Limits};
use thiserror::Error;

use milepost::{Grid, GridError, Rule};

use super::error::Excerpt;
use super::tiles::{self, TileMap};

/// Pictures with more pixels are refused.
pub const MAX_PIXELS: u64 = 1 << 28;
/// A compressed byte makes at most so many: a match of 258 bytes takes two bits at least.
const MAX_RATIO: u64 = 1032;
/// What the decoder may use besides the pixels, for profiles and texts in the file.
const SPARE_BYTES: u64 = 1 << 20;
/// What every PNG begins with.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The signature and the first chunk, which holds the size.
const HEADER_BYTES: usize = 8 + 8 + 13 + 4;

/// How to read a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Pixels with a lower luma are blocked.
    pub threshold: u8,
    /// Whether the grey levels of free pixels are weights.
    pub has_weights: bool,
}

impl Default for Options {
    /// Threshold 128, no weights.
    fn default() -> Self {
        Options { threshold: 128, has_weights: false }
    }
}

/// A picture as a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Floor and blocked cells.
    pub map: TileMap,
    /// The weight of every cell, row by row from the top; only if weights were asked for.
    pub weights: Option<Vec<u8>>,
}

impl Picture {
    /// The cells under a rule, with the weights if they were asked for. A cell without a weight, or with 0, is as light as can be.
    ///
    /// Shown by [`read_picture`](crate::read_picture).
    pub fn grid(&self, rule: Rule) -> Result<Grid, GridError> {
        let (grid, width) = (self.map.grid(rule)?, self.map.width() as usize);
        let Some(weights) = &self.weights else { return Ok(grid) };
        let weight =
            |x: u32, y: u32| weights.get(y as usize * width + x as usize).map_or(1, |weight| *weight.max(&1));
        // None is 0, which is all that could be refused.
        Ok(grid.with_weights(weight).unwrap_or(grid))
    }
}

/// Why bytes are not a picture that can be a map.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PictureError {
    /// Another kind of file.
    #[error("byte 0: expected a PNG, which begins with \"\\x89PNG\", found {found}; save the picture as PNG")]
    Signature {
        /// The first bytes.
        found: Excerpt,
    },
    /// The file ends inside its header.
    #[error(
        "byte {bytes}: expected the {HEADER_BYTES} bytes of a PNG's header, found the end of the \
             file; the file was cut off, get it again"
    )]
    HeaderEnds {
        /// How many bytes there are.
        bytes: u64,
    },
    /// The first chunk is not the header.
    #[error(
        "byte 8: expected the chunk IHDR with 13 bytes, found {found}; the file is damaged, get it again"
    )]
    Header {
        /// The length and the name that stand there.
        found: Excerpt,
    },
    /// Too many pixels, or none.
    #[error(
        "byte 16: expected a picture with 1 to {MAX_PIXELS} pixels, found {width} x {height}; cut it \
             into pieces"
    )]
    Size {
        /// The width of the picture.
        width: u32,
        /// The height of the picture.
        height: u32,
    },
    /// The bytes cannot hold the promised pixels, however well they are compressed.
    #[error(
        "byte 16: expected at least {needed} bytes for {width} x {height} pixels, found {found} bytes; \
             the file was cut off, get it again"
    )]
    Bytes {
        /// The promised width.
        width: u32,
        /// The promised height.
        height: u32,
        /// How many bytes the pixels take at least.
        needed: u64,
        /// How long the file is.
        found: u64,
    },
    /// A palette is not made of colours.
    #[error(
        "byte {offset}: expected a palette of three bytes a colour, found {length} bytes; the file is \
             damaged, save it anew"
    )]
    Palette {
        /// Where the palette's chunk begins.
        offset: u64,
        /// How many bytes it has.
        length: u32,
    },
    /// The decoder cannot read the file.
    #[error(
        "expected a PNG that can be decoded, found a damaged one: {said}; get the file again, or save it anew"
    )]
    Damaged {
        /// What the decoder says.
        said: String,
    },
    /// The encoder cannot write these pixels.
    #[error("expected pixels that make a PNG, found others: {said}")]
    Refused {
        /// What the encoder says.
        said: String,
    },
    /// The decoder would need more memory than the picture justifies.
    #[error(
        "expected a PNG that needs at most {limit} bytes to decode, found one that needs more; save \
             it without profiles and texts"
    )]
    Memory {
        /// How many bytes there are for it.
        limit: u64,
    },
}

debug_as_sentence!(PictureError);

/// Reads a PNG.
///
/// ```
/// use milepost_maps::{TileMap, picture};
/// let map = TileMap::from_ascii("..@\n.T.").unwrap();
/// let read_back = picture::read(&picture::write(&map)?, picture::Options::default())?;
/// assert_eq!(read_back.map.row(1), b".@.");
/// # Ok::<(), milepost_maps::PictureError>(())
/// ```
pub fn read(bytes: &[u8], options: Options) -> Result<Picture, PictureError> {
    let (width, height) = size(bytes)?;
    let pixels = Pixels::decode(bytes, (width, height))?;
    let mut sheet = Sheet::new(options, width as usize * height as usize);
    let (depth, all) = (pixels.depth, pixels.each());
    // Of two bytes a channel the first is the upper one.
    match pixels.channels {
        1 => all.for_each(|pixel| sheet.grey(pixel[0], 255)),
        2 => all.for_each(|pixel| sheet.grey(pixel[0], pixel[depth])),
        3 => all.for_each(|pixel| sheet.colour([pixel[0], pixel[depth], pixel[2 * depth]], 255)),
        _ => all.for_each(|pixel| {
            sheet.colour([pixel[0], pixel[depth], pixel[2 * depth]], pixel[3 * depth]);
        }),
    }
    Ok(Picture { map: TileMap::from_checked(width, height, sheet.tiles), weights: sheet.weights })
}

/// The size that a PNG's header promises: columns and rows. Nothing is decoded, but a file that is too short for so many
/// pixels, or promises too many, is refused.
pub fn size(bytes: &[u8]) -> Result<(u32, u32), PictureError> {
    check_header(bytes)
}

/// The luma of every pixel of a PNG, row by row from the top, rounded to eight bits; transparency is not looked at.
pub fn greys(bytes: &[u8]) -> Result<Vec<u8>, PictureError> {
    let pixels = Pixels::decode(bytes, size(bytes)?)?;
    // Sixteen bits go up to 257 x 255.
    let white = if pixels.depth == 2 { 257 } else { 1 };
    let channel = |pixel: &[u8], at: usize| {
        pixel[at * pixels.depth..][..pixels.depth].iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
    };
    let luma = |pixel: &[u8]| match pixels.channels {
        1 | 2 => 10_000 * channel(pixel, 0),
        _ => 2126 * channel(pixel, 0) + 7152 * channel(pixel, 1) + 722 * channel(pixel, 2),
    };
    Ok(pixels.each().map(|pixel| ((luma(pixel) + 5000 * white) / (10_000 * white)) as u8).collect())
}

/// What a PNG holds: channels of one or two bytes, the upper one first.
struct Pixels {
    /// Grey, grey and alpha, red green blue, or those and alpha.
    channels: usize,
    /// Bytes a channel.
    depth: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    /// Decodes a picture of a size that has been checked. Palettes become colours, fewer bits than eight become eight.
    fn decode(bytes: &[u8], (width, height): (u32, u32)) -> Result<Pixels, PictureError> {
        check_palettes(bytes)?;
        let limit = 64 * u64::from(width) * u64::from(height) + SPARE_BYTES;
        let refused = |error| from_decoder(&error, limit);
        let limits = Limits { bytes: usize::try_from(limit).unwrap_or(usize::MAX) };
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().map_err(refused)?;
        let (colours, bits) = reader.output_color_type();
        let size = reader.output_buffer_size().ok_or(PictureError::Memory { limit })?;
        let mut bytes = vec![0; size];
        reader.next_frame(&mut bytes).map_err(refused)?;
        Ok(Pixels {
            channels: colours.samples(),
            depth: if bits == BitDepth::Sixteen { 2 } else { 1 },
            bytes,
        })
    }

    /// The bytes of each pixel, row by row from the top.
    fn each(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.channels * self.depth)
    }
}

/// Writes a PNG in shades of grey: floor white, outside black, the other letters between them on their side
/// of the threshold of 128.
pub fn write(map: &TileMap) -> Result<Vec<u8>, PictureError> {
    let (width, height) = (map.width(), map.height());
    if map.tiles().len() as u64 > MAX_PIXELS {
        return Err(PictureError::Size { width, height });
    }
    let pixels: Vec<u8> = map.tiles().iter().map(|letter| shade(*letter)).collect();
    encode(&pixels, (width, height), Channels::Grey)
}

/// What the bytes of a pixel are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channels {
    /// One byte: how light.
    Grey,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, and how far from transparent.
    Rgba,
}

/// A PNG of these pixels, row by row from the top. Refuses what are not as many bytes as the size asks for.
pub fn encode(pixels: &[u8], size: (u32, u32), channels: Channels) -> Result<Vec<u8>, PictureError> {
    encoded(pixels, size, channels)
        .map_err(|error| PictureError::Refused { said: fit_for_a_line(&error.to_string()) })
}

fn encoded(pixels: &[u8], size: (u32, u32), channels: Channels) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size.0, size.1);
    encoder.set_color(match channels {
        Channels::Grey => ColorType::Grayscale,
        Channels::Rgb => ColorType::Rgb,
        Channels::Rgba => ColorType::Rgba,
    });
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// The grey level in which a letter is drawn.
pub(super) fn shade(letter: u8) -> u8 {
    match letter {
        b'.' => 255,
        b'G' => 223,
        b'S' => 191,
        b'W' => 96,
        b'T' => 64,
        b'O' => 32,
        _ => 0,
    }
}

/// Finds the size of the picture, and makes sure that the file is long enough for it.
fn check_header(bytes: &[u8]) -> Result<(u32, u32), PictureError> {
    let begins = &bytes[..bytes.len().min(SIGNATURE.len())];
    if bytes.is_empty() || !SIGNATURE.starts_with(begins) {
        return Err(PictureError::Signature { found: Excerpt::new(begins) });
    }
    let Some(header) = bytes.get(SIGNATURE.len()..HEADER_BYTES) else {
        return Err(PictureError::HeaderEnds { bytes: bytes.len() as u64 });
    };
    if !header.starts_with(b"\0\0\0\rIHDR") {
        return Err(PictureError::Header { found: Excerpt::new(&header[..8]) });
    }
    let (width, height, depth, colours) =
        (number(&header[8..12]), number(&header[12..16]), header[16], header[17]);
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 || pixels > MAX_PIXELS || !tiles::fits(width, height) {
        return Err(PictureError::Size { width, height });
    }
    // What it decompresses to: rows of whole bytes, each with one more for its filter.
    let channels = match colours {
        2 => 3,
        4 => 2,
        6 => 4,
        _ => 1,
    };
    let row = (u64::from(width) * u64::from(depth) * channels).div_ceil(8) + 1;
    let needed = (row * u64::from(height)).div_ceil(MAX_RATIO) + HEADER_BYTES as u64;
    let found = bytes.len() as u64;
    if found < needed {
        return Err(PictureError::Bytes { width, height, needed, found });
    }
    Ok((width, height))
}

/// Refuses palettes with a part of a colour at their end: version 0.18.1 of the decoder panics on them.
fn check_palettes(bytes: &[u8]) -> Result<(), PictureError> {
    let mut at = SIGNATURE.len();
    // A chunk is its length, its name, its data and a check sum.
    while let Some(head) = bytes.get(at..).and_then(|rest| rest.get(..8)) {
        let length = number(&head[..4]);
        if &head[4..] == b"PLTE" && !length.is_multiple_of(3) {
            return Err(PictureError::Palette { offset: at as u64, length });
        }
        at = at.saturating_add(12).saturating_add(length as usize);
    }
    Ok(())
}

/// The number that bytes hold, the highest first.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn from_decoder(error: &DecodingError, limit: u64) -> PictureError {
    match error {
        DecodingError::LimitsExceeded => PictureError::Memory { limit },
        other => PictureError::Damaged { said: fit_for_a_line(&other.to_string()) },
    }
}

/// What the decoder says, without what a terminal would act on.
fn fit_for_a_line(said: &str) -> String {
    said.replace(char::is_control, " ").chars().take(160).collect()
}

/// Cells as they are read.
struct Sheet {
    threshold: u8,
    tiles: Vec<u8>,
    weights: Option<Vec<u8>>,
}

impl Sheet {
    fn new(options: Options, pixels: usize) -> Self {
        Sheet {
            threshold: options.threshold,
            tiles: Vec::with_capacity(pixels),
            weights: options.has_weights.then(|| Vec::with_capacity(pixels)),
        }
    }

    #[inline]
    fn colour(&mut self, [red, green, blue]: [u8; 3], alpha: u8) {
        let luma = 2126 * u32::from(red) + 7152 * u32::from(green) + 722 * u32::from(blue);
        self.grey(((luma + 5000) / 10_000) as u8, alpha);
    }

    #[inline]
    fn grey(&mut self, luma: u8, alpha: u8) {
        let is_free = luma >= self.threshold && alpha >= 128;
        self.tiles.push(if is_free { b'.' } else { b'@' });
        if let Some(weights) = &mut self.weights {
            weights.push(if is_free { weight(luma) } else { 1 });
        }
    }
}

/// The weight of a free pixel.
fn weight(luma: u8) -> u8 {
    1 + ((255 - u16::from(luma) + 8) / 16) as u8
}

#[cfg(test)]
#[path = "picture_tests.rs"]
mod tests;
