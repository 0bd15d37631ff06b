//! What the colours of a picture mean: a strip below the map.

use super::palette::{BAND, CLOSED, INK, PAPER, RULE, WALL_EDGE};
use super::surface::{Colour, Surface};

/// Pixels of the line between the map and the legend.
const RULE_HEIGHT: u32 = 2;
/// No picture is narrower, so that the words of a legend fit.
pub(super) const LEAST_WIDTH: u32 = 360;
/// Pictures at least this wide have larger letters.
const WIDE: u32 = 2048;

/// How something is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Sample {
    /// A cell.
    Cell(Colour),
    /// Cells in two tones side by side.
    Bands,
    /// A wall with its edge.
    Wall(Colour),
    /// A line.
    Line(Colour),
    /// A disc.
    Disc(Colour),
    /// A square on its tip.
    Diamond(Colour),
}

/// Samples and what they mean, in lines.
pub(super) struct Legend {
    items: Vec<(Sample, String)>,
    width: u32,
    letter: u32,
}

impl Legend {
    /// The legend of a picture that is so wide.
    pub(super) fn new(items: Vec<(Sample, String)>, width: u32, letter: u32) -> Legend {
        let width = width.max(LEAST_WIDTH);
        Legend { items, width, letter: if width >= WIDE { letter * 3 / 2 } else { letter } }
    }

    /// Pixels from top to bottom.
    pub(super) fn height(&self) -> u32 {
        let lines = self.places().last().map_or(0, |(_, line)| line + 1);
        RULE_HEIGHT + lines * self.line_height() + self.letter / 2
    }

    fn line_height(&self) -> u32 {
        self.letter * 3 / 2
    }

    fn sample_width(&self, sample: Sample) -> u32 {
        if sample == Sample::Bands { 3 * self.letter } else { 3 * self.letter / 2 }
    }

    /// Where each item begins: from the left, and in which line.
    fn places(&self) -> Vec<(u32, u32)> {
        let (mut left, mut line, gap) = (self.letter, 0, self.letter);
        let mut places = Vec::with_capacity(self.items.len());
        for (sample, words) in &self.items {
            let words = words.chars().count() as u32 * self.letter;
            let width = self.sample_width(*sample) + self.letter / 2 + words;
            if left > self.letter && left + width + gap > self.width {
                (left, line) = (self.letter, line + 1);
            }
            places.push((left, line));
            left += width + gap;
        }
        places
    }

    /// Draws the legend from a row of pixels on.
    pub(super) fn draw(&self, top: u32, surface: &mut dyn Surface) {
        surface.rectangle((0, top), (self.width, RULE_HEIGHT), RULE);
        let first = top + RULE_HEIGHT;
        surface.rectangle((0, first), (self.width, self.height() - RULE_HEIGHT), PAPER);
        for ((sample, words), (left, line)) in self.items.iter().zip(self.places()) {
            let top = first + self.letter / 2 + line * self.line_height();
            let (width, middle) = (self.sample_width(*sample), top as f32 + self.letter as f32 / 2.0);
            let (begin, end) = ((left as f32, middle), ((left + width) as f32, middle));
            match *sample {
                Sample::Cell(colour) => {
                    surface.rectangle((left, top), (width, self.letter), RULE);
                    let inner = (width.saturating_sub(2), self.letter.saturating_sub(2));
                    surface.rectangle((left + 1, top + 1), inner, colour);
                }
                Sample::Wall(colour) => {
                    surface.rectangle((left, top), (width, self.letter), WALL_EDGE);
                    let inner = (width.saturating_sub(2), self.letter.saturating_sub(2));
                    surface.rectangle((left + 1, top + 1), inner, colour);
                }
                Sample::Bands => {
                    for (band, colour) in (0..).zip([CLOSED, BAND, CLOSED]) {
                        surface.rectangle((left + band * width / 3, top), (width / 3, self.letter), colour);
                    }
                }
                Sample::Line(colour) => surface.line(begin, end, self.letter as f32 / 5.0, colour),
                Sample::Disc(colour) => {
                    let at = ((begin.0 + end.0) / 2.0, middle);
                    surface.disc(at, self.letter as f32 / 2.0, colour);
                }
                Sample::Diamond(colour) => {
                    let at = ((begin.0 + end.0) / 2.0, middle);
                    surface.diamond(at, self.letter as f32 / 2.0, colour);
                }
            }
            surface.text((left + width + self.letter / 2, top), self.letter, words, INK);
        }
    }
}
