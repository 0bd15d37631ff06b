//! `milepost convert`: a map in another format, or larger.

use crate::args::{ConvertArgs, Globals};
use crate::failure::Failure;
use crate::input::{self, Source};
use crate::numbers::{bytes, count};
use crate::output::{self, Answer};
use crate::save;
use milepost::Rule;
use milepost_maps::Format;
use milepost_maps::tiled::Shape;
use milepost_maps::{TileMap, picture};
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Document {
    file: String,
    bytes: usize,
    /// None for a graph, as is the height.
    width: Option<u32>,
    height: Option<u32>,
    /// The file beside a graph that says where its nodes lie.
    coordinates_file: Option<String>,
}

pub(crate) fn run(globals: &Globals, args: &ConvertArgs) -> Result<Answer, Failure> {
    output::check_files(globals.json, &[Some(&args.output)])?;
    let source = Source::open(&args.input, args.format.map(Format::from))?;
    let from = source.format;
    let plain = if from == Format::Roads { Format::Roads } else { Format::MovingAi };
    let to = match input::is_standard(&args.output) {
        true => plain,
        false => Format::named(&args.output).ok_or_else(|| unsupported(args))?,
    };
    if (from == Format::Roads) != (to == Format::Roads) || [from, to].contains(&Format::Index) {
        return Err(unsupported(args));
    }
    if args.threshold.is_some() && from != Format::Picture {
        let message = format!("--threshold is for pictures (.png), and {} is none", args.input.display());
        return Err(Failure::usage("not_for_this_map", message));
    }
    args.tiled.check(&args.input, from)?;
    let document = if from == Format::Roads { roads(args, &source)? } else { cells(globals, args, &source)? };
    Ok(Answer::new(globals.json, &document, || render_text(&document)))
}

fn cells(globals: &Globals, args: &ConvertArgs, source: &Source) -> Result<Document, Failure> {
    let (map, weights, shape) = match source.format {
        Format::Picture => {
            let default = picture::Options::default();
            let options =
                picture::Options { threshold: args.threshold.unwrap_or(default.threshold), ..default };
            (source.picture(options)?.map, None, Shape::Square)
        }
        Format::Tiled => {
            let level = source.tiled(&args.tiled)?;
            (level.map, level.weights, level.shape)
        }
        _ => (source.map()?, None, Shape::Square),
    };
    let shape = globals.moves.and_then(Rule::hexagons).map_or(shape, Shape::Hexagon);
    if weights.is_some() && Format::of(&args.output) != Format::Tiled {
        output::note(&format!("note: {}: only .tmx keeps weights", args.output.display()));
    }
    let scale = args.scale.unwrap_or(1);
    let width = map.width();
    let map = enlarged(map, scale)?;
    let weights = weights.map(|weights| enlarged_weights(&weights, width, scale));
    let bytes = save::map(&args.output, &map, weights.as_deref(), shape)?;
    Ok(Document {
        file: name(&args.output),
        bytes,
        width: Some(map.width()),
        height: Some(map.height()),
        coordinates_file: None,
    })
}

fn enlarged(map: TileMap, scale: u32) -> Result<TileMap, Failure> {
    if scale == 1 {
        return Ok(map);
    }
    let wide = |size: u32| u64::from(size) * u64::from(scale);
    save::check_size(wide(map.width()), wide(map.height()))?;
    map.scaled(scale).map_err(|error| Failure::usage("map_size", error.to_string()))
}

/// The weights of a map that is enlarged.
fn enlarged_weights(weights: &[u8], width: u32, scale: u32) -> Vec<u8> {
    let scale = scale as usize;
    let wide =
        |row: &[u8]| row.iter().flat_map(|weight| std::iter::repeat_n(*weight, scale)).collect::<Vec<u8>>();
    weights.chunks(width as usize).flat_map(|row| wide(row).repeat(scale)).collect()
}

fn roads(args: &ConvertArgs, source: &Source) -> Result<Document, Failure> {
    if args.scale.is_some() {
        let message = "--scale is for maps of cells (.map, .png and .tmx), and a graph has none";
        return Err(Failure::usage("not_for_this_map", message));
    }
    let files = source.roads()?;
    let (bytes, coordinates) = save::roads(&args.output, &files)?;
    Ok(Document {
        file: name(&args.output),
        bytes,
        width: None,
        height: None,
        coordinates_file: coordinates.as_deref().map(name),
    })
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn unsupported(args: &ConvertArgs) -> Failure {
    let message = format!(
        "{} cannot become {}; possible are .map, .png and .tmx to .map, .png and .tmx, and .gr to .gr; an index file \
         is written by `milepost build`",
        args.input.display(),
        args.output.display()
    );
    Failure::usage("unsupported_pair", message)
}

fn render_text(document: &Document) -> String {
    let size = match (document.width, document.height) {
        (Some(width), Some(height)) => format!("{} x {}, ", count(width.into()), count(height.into())),
        _ => String::new(),
    };
    let beside = document.coordinates_file.as_ref().map_or(String::new(), |file| format!("wrote {file}\n"));
    format!("wrote {}: {size}{}\n{beside}", document.file, bytes(document.bytes))
}
