//! PNG files for tests: pixels in, pixels out.

use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

/// Red, green, blue.
pub(crate) type Colour = [u8; 3];

/// The line between a map and its legend.
const RULE: Colour = [0x8a, 0x90, 0x9c];

/// A picture that the program wrote.
pub(crate) struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<Colour>,
}

impl Picture {
    pub(crate) fn open(path: &Path) -> Picture {
        let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut decoder = Decoder::new(BufReader::new(file));
        decoder.set_transformations(Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("a picture");
        assert_eq!(reader.output_color_type(), (ColorType::Rgb, BitDepth::Eight));
        let mut bytes = vec![0; reader.output_buffer_size().expect("a small picture")];
        let frame = reader.next_frame(&mut bytes).expect("a picture");
        let pixels = bytes.as_chunks::<3>().0.to_vec();
        Picture { width: frame.width, height: frame.height, pixels }
    }

    /// The size of what is above the legend, which a line in a colour of its own begins.
    pub(crate) fn map_dimensions(&self) -> (u32, u32) {
        let is_rule = |y: &u32| (0..self.width).all(|x| self.get_pixel(x, *y) == RULE);
        let rows = (0..self.height).filter(is_rule).collect::<Vec<u32>>();
        assert!(rows.len() == 2 && rows[1] == rows[0] + 1, "one line of two pixels: {rows:?}");
        (self.width, rows[0])
    }

    /// Whether a colour is somewhere on the legend.
    pub(crate) fn legend_shows(&self, colour: Colour) -> bool {
        let legend = self.map_dimensions().1 * self.width;
        self.pixels[legend as usize..].contains(&colour)
    }

    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    pub(crate) fn get_pixel(&self, x: u32, y: u32) -> Colour {
        assert!(x < self.width && y < self.height, "{x},{y} of {} x {}", self.width, self.height);
        self.pixels[y as usize * self.width as usize + x as usize]
    }
}

/// Saves a picture of these bytes.
pub(crate) fn save(path: &Path, size: (u32, u32), colours: ColorType, depth: BitDepth, bytes: &[u8]) {
    let file = File::create(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut encoder = Encoder::new(BufWriter::new(file), size.0, size.1);
    encoder.set_color(colours);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().expect("a small picture");
    writer.write_image_data(bytes).expect("a small picture");
    writer.finish().expect("a small picture");
}

/// Saves a picture in shades of grey.
pub(crate) fn save_grey(path: &Path, (width, height): (u32, u32), grey: impl Fn(u32, u32) -> u8) {
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let bytes: Vec<u8> = cells.map(|(x, y)| grey(x, y)).collect();
    save(path, (width, height), ColorType::Grayscale, BitDepth::Eight, &bytes);
}
