//! A canvas of pixels: blocks, smooth lines and discs, and letters.

use super::surface::{Colour, Surface, mix};
use crate::failure::Failure;
use font8x8::legacy::BASIC_LEGACY;
use milepost_maps::picture::{Channels, encode};
use std::path::Path;

/// Pixels, row by row from the top.
#[derive(Debug)]
pub(crate) struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<Colour>,
    /// Pixels at the edge of a shape have colours in between.
    is_smooth: bool,
}

impl Canvas {
    /// A canvas of one colour.
    pub(crate) fn new(width: u32, height: u32, colour: Colour) -> Canvas {
        let pixels = vec![colour; width as usize * height as usize];
        Canvas { width, height, pixels, is_smooth: true }
    }

    /// The same without colours in between.
    pub(crate) fn with_hard_edges(self) -> Canvas {
        Canvas { is_smooth: false, ..self }
    }

    /// All pixels.
    pub(crate) fn pixels(&self) -> &[Colour] {
        &self.pixels
    }

    /// Pixels from side to side, and from top to bottom.
    pub(super) fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// The pixels row by row.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[Colour]> {
        self.pixels.chunks(self.width as usize)
    }

    fn blend(&mut self, x: u32, y: u32, colour: Colour, cover: f32) {
        let cover = if self.is_smooth { cover } else { cover.round() };
        let pixel = &mut self.pixels[y as usize * self.width as usize + x as usize];
        *pixel = mix(*pixel, colour, cover);
    }

    /// A figure that stands on its tip; pixels whose middle lies inside belong to it.
    fn tilted(&mut self, middle: (f32, f32), (half_width, half_height): (f32, f32), colour: Colour) {
        let first = |edge: f32, size: u32| ((edge - 0.5).ceil() as u32).min(size);
        for y in first(middle.1 - half_height, self.height)..first(middle.1 + half_height, self.height) {
            let off = (y as f32 + 0.5 - middle.1).abs();
            let half = (half_height - off).max(0.0) * half_width / half_height;
            let (left, right) = (first(middle.0 - half, self.width), first(middle.0 + half, self.width));
            let row = y as usize * self.width as usize;
            self.pixels[row + left.min(right) as usize..row + right as usize].fill(colour);
        }
    }

    /// The canvas as a PNG file.
    pub(crate) fn png(&self, path: &Path) -> Result<Vec<u8>, Failure> {
        encode(self.pixels.as_flattened(), (self.width, self.height), Channels::Rgb)
            .map_err(|error| Failure::unwritable(path, error.to_string()))
    }
}

impl Surface for Canvas {
    fn rectangle(&mut self, (left, top): (u32, u32), (width, height): (u32, u32), colour: Colour) {
        let right = left.saturating_add(width).min(self.width);
        for y in top.min(self.height)..top.saturating_add(height).min(self.height) {
            let row = y as usize * self.width as usize;
            self.pixels[row + left.min(right) as usize..row + right as usize].fill(colour);
        }
    }

    fn line(&mut self, from: (f32, f32), to: (f32, f32), radius: f32, colour: Colour) {
        let reach = radius + 1.0;
        // `as` saturates, so that nothing outside the canvas is touched.
        let pixel = |at: f32, size: u32| (at as u32).min(size);
        let rows = pixel(from.1.min(to.1) - reach, self.height)
            ..pixel((from.1.max(to.1) + reach).ceil(), self.height);
        let (along_x, along_y) = (to.0 - from.0, to.1 - from.1);
        let square = along_x * along_x + along_y * along_y;
        for y in rows {
            let middle_y = y as f32 + 0.5;
            // Only what is near the line in this row: long slanted lines would else touch half the canvas.
            let share_at =
                |row: f32| if along_y == 0.0 { 0.0 } else { ((row - from.1) / along_y).clamp(0.0, 1.0) };
            let (one, other) = if along_y == 0.0 {
                (from.0, to.0)
            } else {
                (from.0 + share_at(middle_y - reach) * along_x, from.0 + share_at(middle_y + reach) * along_x)
            };
            let columns =
                pixel(one.min(other) - reach, self.width)..pixel((one.max(other) + reach).ceil(), self.width);
            for x in columns {
                // How far the middle of this pixel is from the line.
                let (off_x, off_y) = (x as f32 + 0.5 - from.0, middle_y - from.1);
                let share = if square > 0.0 { (off_x * along_x + off_y * along_y) / square } else { 0.0 };
                let share = share.clamp(0.0, 1.0);
                let (miss_x, miss_y) = (off_x - share * along_x, off_y - share * along_y);
                let distance = (miss_x * miss_x + miss_y * miss_y).sqrt();
                self.blend(x, y, colour, (radius + 0.5 - distance).clamp(0.0, 1.0));
            }
        }
    }

    /// Pixels whose middle lies inside belong to it, so that hexagons side by side leave no gap and do not overlap.
    fn hexagon(&mut self, middle: (f32, f32), width: f32, colour: Colour) {
        let half_height = width / 3_f32.sqrt();
        let first = |edge: f32, size: u32| ((edge - 0.5).ceil() as u32).min(size);
        for y in first(middle.1 - half_height, self.height)..first(middle.1 + half_height, self.height) {
            let off = (y as f32 + 0.5 - middle.1).abs();
            // Full width between the two upright sides, then less towards the tips.
            let half = (width / 2.0).min((half_height - off) * 3_f32.sqrt());
            let (left, right) = (first(middle.0 - half, self.width), first(middle.0 + half, self.width));
            let row = y as usize * self.width as usize;
            self.pixels[row + left.min(right) as usize..row + right as usize].fill(colour);
        }
    }

    /// Likewise.
    fn lying_hexagon(&mut self, middle: (f32, f32), height: f32, colour: Colour) {
        let first = |edge: f32, size: u32| ((edge - 0.5).ceil() as u32).min(size);
        for y in first(middle.1 - height / 2.0, self.height)..first(middle.1 + height / 2.0, self.height) {
            let off = (y as f32 + 0.5 - middle.1).abs();
            // From tip to tip in the middle, then less towards the sides above and below.
            let half = (height - off) / 3_f32.sqrt();
            let (left, right) = (first(middle.0 - half, self.width), first(middle.0 + half, self.width));
            let row = y as usize * self.width as usize;
            self.pixels[row + left.min(right) as usize..row + right as usize].fill(colour);
        }
    }

    /// As with hexagons, those side by side leave no gap.
    fn rhombus(&mut self, middle: (f32, f32), width: f32, colour: Colour) {
        self.tilted(middle, (width / 2.0, width / 4.0), colour);
    }

    fn diamond(&mut self, middle: (f32, f32), radius: f32, colour: Colour) {
        self.tilted(middle, (radius, radius), colour);
    }

    /// As with hexagons, those side by side leave no gap.
    fn polygon(&mut self, corners: &[(f32, f32)], colour: Colour) {
        let first = |edge: f32, size: u32| ((edge - 0.5).ceil() as u32).min(size);
        let (low, high) = corners.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), corner| {
            (low.min(corner.1), high.max(corner.1))
        });
        for y in first(low, self.height)..first(high, self.height) {
            let at = y as f32 + 0.5;
            let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
            for (&from, &to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                if (from.1 <= at) != (to.1 <= at) {
                    let x = from.0 + (to.0 - from.0) * (at - from.1) / (to.1 - from.1);
                    (left, right) = (left.min(x), right.max(x));
                }
            }
            if left < right {
                let (left, right) = (first(left, self.width), first(right, self.width));
                let row = y as usize * self.width as usize;
                self.pixels[row + left.min(right) as usize..row + right as usize].fill(colour);
            }
        }
    }

    fn text(&mut self, (left, top): (u32, u32), size: u32, words: &str, colour: Colour) {
        let dot = (size / 8).max(1);
        for (letter, place) in words.chars().zip(0_u32..) {
            let Some(rows) = BASIC_LEGACY.get(letter as usize) else { continue };
            for (row, y) in rows.iter().zip(0_u32..) {
                for x in (0..8).filter(|x| row >> x & 1 == 1) {
                    self.rectangle((left + place * 8 * dot + x * dot, top + y * dot), (dot, dot), colour);
                }
            }
        }
    }
}
