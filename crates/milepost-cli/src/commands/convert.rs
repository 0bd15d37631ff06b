//! `milepost convert`: a map in another format, or larger.

use crate::args::{ConvertArgs, Globals};
use crate::failure::Failure;
use crate::numbers::{bytes, count};
use crate::output::Answer;
use crate::save;
use milepost::files::{self, Format};
use milepost::maps::{TileMap, picture};
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
    let from = Format::of(&args.input);
    let to = Format::named(&args.output).ok_or_else(|| unsupported(args))?;
    if (from == Format::Roads) != (to == Format::Roads) {
        return Err(unsupported(args));
    }
    if args.threshold.is_some() && from != Format::Picture {
        let message = format!("--threshold is for pictures (.png), and {} is none", args.input.display());
        return Err(Failure::usage("not_for_this_map", message));
    }
    let document = if from == Format::Roads { roads(args)? } else { cells(args, from)? };
    Ok(Answer::new(globals.json, &document, || people(&document)))
}

fn cells(args: &ConvertArgs, from: Format) -> Result<Document, Failure> {
    let map = match (from, args.threshold) {
        (Format::Picture, threshold) => {
            let default = picture::Options::default();
            let options = picture::Options { threshold: threshold.unwrap_or(default.threshold), ..default };
            files::read_picture(&args.input, options)?.map
        }
        _ => files::read_map(&args.input)?,
    };
    let map = enlarged(map, args.scale.unwrap_or(1))?;
    let bytes = save::map(&args.output, &map)?;
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

fn roads(args: &ConvertArgs) -> Result<Document, Failure> {
    if args.scale.is_some() {
        let message = "--scale is for maps of cells (.map and .png), and a graph has none";
        return Err(Failure::usage("not_for_this_map", message));
    }
    let files = files::read_roads(&args.input)?;
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
        "{} cannot become {}; possible are .map and .png to .map and .png, and .gr to .gr",
        args.input.display(),
        args.output.display()
    );
    Failure::usage("unsupported_pair", message)
}

fn people(document: &Document) -> String {
    let size = match (document.width, document.height) {
        (Some(width), Some(height)) => format!("{} x {}, ", count(width.into()), count(height.into())),
        _ => String::new(),
    };
    let beside = document.coordinates_file.as_ref().map_or(String::new(), |file| format!("wrote {file}\n"));
    format!("wrote {}: {size}{}\n{beside}", document.file, bytes(document.bytes))
}
