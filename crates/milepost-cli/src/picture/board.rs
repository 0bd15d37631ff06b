//! Several scenes of one map side by side, each under its title, with one legend below all of them.

use super::canvas::Canvas;
use super::colours::Colours;
use super::legend::{Legend, Sample};
use super::palette::{INK, PAPER, SOFT_INK};
use super::surface::Surface;
use super::{Format, Layout, Scene};
use crate::failure::Failure;
use crate::save;
use crate::world::World;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};
use std::path::Path;

/// Scenes in a row.
const COLUMNS: u32 = 2;
/// Pixels between scenes, and around all of them.
const GAP: u32 = 24;

/// A scene and what stands above it.
pub(crate) struct Panel<'a> {
    pub(crate) title: String,
    pub(crate) note: String,
    pub(crate) scene: Scene<'a>,
}

/// Draws scenes of one map and saves them as one PNG file.
pub(crate) fn save_board(path: &Path, world: &World, panels: &[Panel<'_>]) -> Result<(), Failure> {
    let format = Format::PANEL;
    let Some(map) = Layout::new(world, format) else { return Ok(()) };
    let (map_width, map_height) = map.size();
    let head = 3 * format.letter;
    let (across, down) = (map_width + GAP, head + map_height + GAP);
    let width = GAP + COLUMNS * across;
    let rows = (panels.len() as u32).div_ceil(COLUMNS);

    // What means the same is said once.
    let mut items: Vec<(Sample, String)> = Vec::new();
    for (sample, words) in panels.iter().flat_map(|panel| panel.scene.legend(world, map.wall())) {
        if !items.iter().any(|(other, _)| *other == sample) {
            items.push((sample, words));
        }
    }
    let legend = Legend::new(items, width, format.letter);
    let bottom = GAP + rows * down;
    let mut canvas = Canvas::new(width, bottom + legend.height(), PAPER);
    for (panel, place) in panels.iter().zip(0_u32..) {
        let (left, top) = (GAP + place % COLUMNS * across, GAP + place / COLUMNS * down);
        let mut part = Canvas::new(map_width, map_height, PAPER);
        map.draw(world, &panel.scene, &mut part);
        canvas.text((left, top), format.letter, &panel.title, INK);
        canvas.text((left, top + 3 * format.letter / 2), format.letter, &panel.note, SOFT_INK);
        canvas.paste((left, top + head), &part);
    }
    legend.draw(bottom, &mut canvas);
    let bytes = canvas.light_png().map_err(|error| Failure::unwritable(path, error.to_string()))?;
    save::bytes(path, &bytes)
}

impl Canvas {
    /// The canvas as a PNG file with a table of colours, packed as well as can be: such pictures stand on pages.
    fn light_png(&self) -> Result<Vec<u8>, EncodingError> {
        let mut colours = Colours::default();
        let pixels: Vec<u8> = self.pixels().iter().map(|colour| colours.number(*colour)).collect();
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, self.size().0, self.size().1);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(colours.table());
        encoder.set_compression(Compression::High);
        encoder.set_filter(Filter::NoFilter);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Lays another canvas over this one; what lies outside is cut off.
    fn paste(&mut self, (left, top): (u32, u32), part: &Canvas) {
        for (row, y) in part.rows().zip(top..) {
            for (colour, x) in row.iter().zip(left..) {
                self.rectangle((x, y), (1, 1), *colour);
            }
        }
    }
}
