//! `milepost generate`: a map or a road network from a seed.

use crate::args::Globals;
use crate::failure::Failure;
use crate::numbers::counted;
use crate::output::{self, Answer};
use crate::world::{MapFacts, World};
use crate::{input, save};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use milepost::Rule;
use milepost_maps::generate::{self, Kind, MIN_SIZE};
use milepost_maps::tiled::Shape;
use milepost_maps::{Format, GenerateError, RoadFiles};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    /// What kind of map
    #[arg(value_parser = kinds())]
    pub(crate) kind: Made,
    /// Columns of a map
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(i64::from(MIN_SIZE)..))]
    pub(crate) width: Option<u32>,
    /// Rows of a map
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u32).range(i64::from(MIN_SIZE)..))]
    pub(crate) height: Option<u32>,
    /// Nodes of a road network
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_NODES))]
    pub(crate) nodes: Option<u32>,
    /// The file to write: .map, .png or .tmx for a map; .gr for roads, whose .co file comes beside it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// Road networks with more nodes are not generated: they would take more memory than most machines have.
const MOST_NODES: i64 = 1 << 26;

/// What can be generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Made {
    Map(Kind),
    Roads,
}

impl Made {
    /// The name by which users call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Made::Map(kind) => kind.name(),
            Made::Roads => "roads",
        }
    }
}

fn kinds() -> impl TypedValueParser<Value = Made> {
    let names: Vec<&str> =
        Kind::ALL.iter().map(|kind| Made::Map(*kind)).chain([Made::Roads]).map(Made::name).collect();
    PossibleValuesParser::new(names).try_map(|name| {
        if name == Made::Roads.name() {
            return Ok::<Made, GenerateError>(Made::Roads);
        }
        Kind::from_name(&name).map(Made::Map)
    })
}

#[derive(Serialize)]
struct Document {
    file: String,
    kind: &'static str,
    seed: u64,
    bytes: usize,
    /// Of roads only: the file that says where nodes lie.
    coordinates_file: Option<String>,
    map: MapFacts,
}

pub(crate) fn run(globals: &Globals, args: &GenerateArgs) -> Result<Answer, Failure> {
    output::check_files(globals.json, &[Some(&args.output)])?;
    let (world, bytes, coordinates_file) = match args.kind {
        Made::Map(kind) => map(globals, args, kind)?,
        Made::Roads => roads(globals, args)?,
    };
    let document = Document {
        file: args.output.to_string_lossy().into_owned(),
        kind: args.kind.name(),
        seed: globals.seed,
        bytes,
        coordinates_file,
        map: world.facts(),
    };
    Ok(Answer::new(globals.json, &document, || render_text(&document)))
}

/// The world that was made, how many bytes it took, and where its coordinates are.
type Written = (World, usize, Option<String>);

fn map(globals: &Globals, args: &GenerateArgs, kind: Kind) -> Result<Written, Failure> {
    let (Some(width), Some(height), None) = (args.width, args.height, args.nodes) else {
        let kind = kind.name();
        let message = match args.nodes {
            Some(_) => format!("`generate {kind}` takes --width and --height; --nodes is for roads"),
            None => format!("`generate {kind}` takes --width and --height, such as --width 96 --height 64"),
        };
        return Err(Failure::usage("usage", message));
    };
    if Format::of(&args.output) == Format::Roads {
        let message = format!(
            "{}: .gr is for roads; expected .map, .png or .tmx for a map of cells",
            args.output.display()
        );
        return Err(Failure::usage("usage", message));
    }
    let wrong = |error: String| Failure::usage("map_size", error);
    save::check_size(width.into(), height.into())?;
    let map =
        generate::generate(kind, width, height, globals.seed).map_err(|error| wrong(error.to_string()))?;
    let world = World::new(&args.output, &map, globals.rule()).map_err(|error| wrong(error.to_string()))?;
    let shape = globals.moves.and_then(Rule::hexagons).map_or(Shape::Square, Shape::Hexagon);
    let bytes = save::map(&args.output, &map, None, shape)?;
    Ok((world, bytes, None))
}

fn roads(globals: &Globals, args: &GenerateArgs) -> Result<Written, Failure> {
    let (None, None, Some(nodes)) = (args.width, args.height, args.nodes) else {
        let message = match args.nodes {
            Some(_) => "`generate roads` takes --nodes; --width and --height are for maps of cells",
            None => "`generate roads` takes --nodes, such as --nodes 5000",
        };
        return Err(Failure::usage("usage", message));
    };
    if Format::named(&args.output) != Some(Format::Roads) && !input::is_standard(&args.output) {
        let message = format!("{}: expected a name that ends in .gr for roads", args.output.display());
        return Err(Failure::usage("usage", message));
    }
    let (roads, coordinates) = generate::roads(nodes, globals.seed);
    let files = RoadFiles { roads, coordinates };
    let graph = files.graph().map_err(|error| Failure::usage("map_size", error.to_string()))?;
    let (bytes, coordinates) = save::roads(&args.output, &files)?;
    let coordinates = coordinates.map(|path| path.to_string_lossy().into_owned());
    Ok((World::of(&args.output, graph), bytes, coordinates))
}

fn render_text(document: &Document) -> String {
    let Document { file, kind, seed, map, .. } = document;
    let states = u64::from(map.states);
    match (map.width, map.height, map.edges) {
        (Some(width), Some(height), _) => {
            format!(
                "wrote {file}: {kind} {width} x {height}, seed {seed}, {}\n",
                counted(states, "free cell")
            )
        }
        (_, _, edges) => format!(
            "wrote {file}{}: {kind}, seed {seed}, {}, {}\n",
            document.coordinates_file.as_deref().map_or(String::new(), |file| format!(" and {file}")),
            counted(states, "node"),
            counted(edges.unwrap_or(0) as u64, "edge")
        ),
    }
}
