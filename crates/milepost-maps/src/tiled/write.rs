//! Writes `.tmx` files: one layer in CSV, and one tileset inside the file, a tile for each letter and weight.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose;

use super::error::{TiledError, spoken};
use super::{Axis, Index, MAX_TILES, Shape};
use crate::TileMap;
use crate::picture::{Channels, encode, shade};
use crate::tiles::is_passable_letter;

/// The letters, each at the number of its tile.
const LETTERS: [u8; 7] = *b".GS@OTW";

/// Writes a map, perhaps with weights, row by row as the map has its cells.
///
/// # Panics
/// If there are weights, but not one for each cell, or one is 0.
pub fn write(map: &TileMap, weights: Option<&[u8]>, shape: Shape) -> Result<Vec<u8>, TiledError> {
    let cells = map.tiles();
    assert!(weights.is_none_or(|weights| weights.len() == cells.len() && !weights.contains(&0)));
    let weight = |at: usize| weights.map_or(1, |weights| weights[at]);
    let (columns, rows, stagger) = match shape {
        Shape::Staggered(stagger) if stagger.size() == (map.width().into(), map.height().into()) => {
            (stagger.columns, stagger.rows, Some(stagger))
        }
        _ => (map.width(), map.height(), None),
    };
    if u64::from(columns) * u64::from(rows) > MAX_TILES {
        return Err(TiledError::TooLarge { width: columns, height: rows });
    }
    let (wide, high) = tile_size(shape);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let put = |text: &mut String, line: std::fmt::Arguments<'_>| {
        // Writing to a string does not fail.
        let _ = text.write_fmt(line);
        text.push('\n');
    };
    let shifted = |shifts_rows: bool, shifts_even: bool| {
        let (axis, index) = (if shifts_rows { "y" } else { "x" }, if shifts_even { "even" } else { "odd" });
        format!("staggeraxis=\"{axis}\" staggerindex=\"{index}\" ")
    };
    let lie = match (shape, stagger) {
        (Shape::Hexagon(layout), _) => {
            let lie = shifted(layout.shifts_rows(), layout.shifts_even());
            format!("hexsidelength=\"{}\" {lie}", wide.max(high) / 2)
        }
        (_, Some(stagger)) => shifted(stagger.axis == Axis::Rows, stagger.index == Index::Even),
        _ => String::new(),
    };
    // A lattice that was enlarged is no rectangle of the screen any more.
    let orientation =
        if stagger.is_none() && matches!(shape, Shape::Staggered(_)) { Shape::Rhombus } else { shape }
            .orientation();
    put(
        &mut text,
        format_args!(
            "<map version=\"1.10\" orientation=\"{orientation}\" renderorder=\"right-down\" width=\"{columns}\" \
             height=\"{rows}\" tilewidth=\"{wide}\" tileheight=\"{high}\" infinite=\"0\" {lie}nextlayerid=\"2\" \
             nextobjectid=\"1\">"
        ),
    );
    let mut is_used = [false; 256];
    (0..cells.len())
        .filter(|&at| is_passable_letter(cells[at]))
        .for_each(|at| is_used[usize::from(weight(at))] = true);
    let heavy: Vec<u8> = (2..=u8::MAX).filter(|weight| is_used[usize::from(*weight)]).collect();
    put(
        &mut text,
        format_args!(
            " <tileset firstgid=\"1\" name=\"milepost\" tilewidth=\"{wide}\" tileheight=\"{high}\" tilecount=\"{}\" \
             columns=\"0\">",
            LETTERS.len() + heavy.len()
        ),
    );
    for (id, letter) in LETTERS.into_iter().enumerate() {
        let property =
            if is_passable_letter(letter) { None } else { Some(("blocked", "bool", "true".to_owned())) };
        let grey = shade(letter);
        tile(&mut text, id, property, [grey; 3], shape)?;
    }
    for weight in &heavy {
        let property = Some(("weight", "int", weight.to_string()));
        // From sand to dark earth.
        let colour = [0xd8, 0xc0, 0x90].map(|channel: u8| channel - weight / 2);
        tile(&mut text, heavy_id(*weight), property, colour, shape)?;
    }
    text.push_str(" </tileset>\n");
    put(&mut text, format_args!(" <layer id=\"1\" name=\"ground\" width=\"{columns}\" height=\"{rows}\">"));
    text.push_str("  <data encoding=\"csv\">\n");
    for y in 0..rows {
        for x in 0..columns {
            let (a, b) = stagger.map_or((x, y), |stagger| stagger.lattice(x, y));
            let at = b as usize * map.width() as usize + a as usize;
            let letter = cells[at];
            let id = if is_passable_letter(letter) && weight(at) > 1 {
                heavy_id(weight(at))
            } else {
                LETTERS.iter().position(|known| *known == letter).unwrap_or(0)
            };
            let is_last = x + 1 == columns && y + 1 == rows;
            let _ = write!(text, "{}{}", id + 1, if is_last { "" } else { "," });
        }
        text.push('\n');
    }
    text.push_str("  </data>\n </layer>\n</map>\n");
    Ok(text.into_bytes())
}

/// The number of the tile of a weight above 1.
fn heavy_id(weight: u8) -> usize {
    LETTERS.len() + usize::from(weight) - 2
}

/// Pixels of a tile.
fn tile_size(shape: Shape) -> (u32, u32) {
    match shape {
        Shape::Square => (16, 16),
        Shape::Rhombus | Shape::Staggered(_) => (32, 16),
        Shape::Hexagon(layout) if layout.shifts_rows() => (28, 32),
        Shape::Hexagon(_) => (32, 28),
    }
}

/// A tile, perhaps with a property, and a picture of it in one colour.
fn tile(
    text: &mut String,
    id: usize,
    property: Option<(&str, &str, String)>,
    colour: [u8; 3],
    shape: Shape,
) -> Result<(), TiledError> {
    let (wide, high) = tile_size(shape);
    let _ = writeln!(text, "  <tile id=\"{id}\">");
    if let Some((name, kind, value)) = property {
        let _ = writeln!(text, "   <properties>");
        let _ = writeln!(text, "    <property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/>");
        let _ = writeln!(text, "   </properties>");
    }
    let mut pixels = Vec::new();
    for (y, x) in (0..high).flat_map(|y| (0..wide).map(move |x| (y, x))) {
        // From the middle, so that 1 is the edge of the tile.
        let off = |at: u32, size: u32| ((f64::from(at) + 0.5) * 2.0 / f64::from(size) - 1.0).abs();
        let (off_x, off_y) = (off(x, wide), off(y, high));
        let is_inside = match shape {
            Shape::Square => true,
            Shape::Rhombus | Shape::Staggered(_) => off_x + off_y <= 1.0,
            Shape::Hexagon(layout) if layout.shifts_rows() => off_x / 2.0 + off_y <= 1.0,
            Shape::Hexagon(_) => off_x + off_y / 2.0 <= 1.0,
        };
        let [red, green, blue] = colour;
        pixels.extend([red, green, blue, if is_inside { 255 } else { 0 }]);
    }
    let png = encode(&pixels, (wide, high), Channels::Rgba)
        .map_err(|error| TiledError::Refused { said: spoken(error) })?;
    let png = general_purpose::STANDARD.encode(png);
    let _ = writeln!(text, "   <image format=\"png\" width=\"{wide}\" height=\"{high}\">");
    let _ = writeln!(text, "    <data encoding=\"base64\">{png}</data>");
    text.push_str("   </image>\n  </tile>\n");
    Ok(())
}
