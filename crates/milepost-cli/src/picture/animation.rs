//! A journey as a GIF: a frame every so many moves.

use super::canvas::Canvas;
use super::colours::Colours;
use super::palette::OUTSIDE;
use super::{Format, Scene, Sheet};
use crate::failure::Failure;
use crate::save;
use crate::world::World;
use gif::{Encoder, EncodingError, Frame, Repeat};
use std::path::Path;

/// No animation has more frames: longer journeys take larger steps.
pub(crate) const MOST_FRAMES: u64 = 120;
/// How long a frame and the last one are shown, in hundredths of a second.
const DELAY: u16 = 8;
const LAST_DELAY: u16 = 200;

/// Frames, and the colours in them.
#[derive(Default)]
pub(crate) struct Animation {
    size: (u32, u32),
    colours: Colours,
    /// Pixels as numbers of colours.
    frames: Vec<Vec<u8>>,
}

impl Animation {
    /// Adds a frame. All are as large as the first; the legend is that of the `whole` journey.
    pub(crate) fn add(&mut self, world: &World, scene: &Scene<'_>, whole: &Scene<'_>) {
        let Some(sheet) = Sheet::new(world, whole, Format::MOVING) else { return };
        if self.frames.is_empty() {
            self.size = sheet.size();
        }
        let mut canvas = Canvas::new(self.size.0, self.size.1, OUTSIDE).with_hard_edges();
        sheet.draw(world, scene, &mut canvas);
        let frame = canvas.pixels().iter().map(|colour| self.colours.number(*colour)).collect();
        self.frames.push(frame);
    }

    /// Saves the frames as a GIF file.
    pub(crate) fn save(&self, path: &Path) -> Result<(), Failure> {
        let bytes = self.encoded().map_err(|error| Failure::unwritable(path, error.to_string()))?;
        save::bytes(path, &bytes)
    }

    fn encoded(&self) -> Result<Vec<u8>, EncodingError> {
        let mut bytes = Vec::new();
        let side = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
        let size = (side(self.size.0), side(self.size.1));
        let mut encoder = Encoder::new(&mut bytes, size.0, size.1, self.colours.table())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let mut before: Option<&Vec<u8>> = None;
        for (place, frame) in self.frames.iter().enumerate() {
            // Only what has changed is written.
            let (first, last) =
                before.map_or((0, self.size.1 as usize), |before| self.changed_rows(before, frame));
            let width = self.size.0 as usize;
            let delay = if place + 1 == self.frames.len() { LAST_DELAY } else { DELAY };
            encoder.write_frame(&Frame {
                width: size.0,
                top: first as u16,
                height: (last - first) as u16,
                delay,
                buffer: frame[first * width..last * width].into(),
                ..Frame::default()
            })?;
            before = Some(frame);
        }
        drop(encoder);
        Ok(bytes)
    }

    /// The first row in which two frames differ, and the row after the last one; one row at least.
    fn changed_rows(&self, before: &[u8], after: &[u8]) -> (usize, usize) {
        let width = self.size.0 as usize;
        let differs = |row: &usize| before[row * width..][..width] != after[row * width..][..width];
        let rows = 0..self.size.1 as usize;
        let first = rows.clone().find(differs).unwrap_or(0);
        let last = rows.rev().find(differs).unwrap_or(0);
        (first, last.max(first) + 1)
    }
}
