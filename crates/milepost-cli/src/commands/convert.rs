//! `milepost convert`: a map in another format, or larger.

use crate::args::{FileFormat, Globals, TiledArgs};
use crate::failure::Failure;
use crate::input::{self, Source};
use crate::numbers::{bytes, count};
use crate::output::{self, Answer};
use crate::save;
use clap::Args;
use milepost::{Graph, MeshParts, Rule};
use milepost_maps::mesh::make::{self, Keep};
use milepost_maps::mesh::{cells as mesh_cells, json, polyanya};
use milepost_maps::tiled::Shape;
use milepost_maps::{Format, ReadError, TileMap, Weights, picture, trees};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// The file to read: .map, .png, .tmx, .gr, .3dmap, .mesh, .json or .obj; `-` for standard input
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write: .map, .png, .tmx, .quad, .mesh or .json (a mesh) for a map of cells, .gr for a graph, .oct for
    /// voxels, .map, .mesh or .json for a mesh; `-` for standard output, as .map or .gr
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// What the file to read holds, whatever its name ends in and its first bytes tell
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<FileFormat>,
    /// Every cell becomes N x N cells
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) scale: Option<u32>,
    /// What letters of a .map file weigh, for a mesh: ground of different weight becomes areas of their own
    #[arg(long, value_name = "LIST", value_parser = Weights::parse)]
    pub(crate) weights: Option<Weights>,
    /// A rectangle of cells that becomes polygons of its own in a mesh, such as a door; may be given several times
    #[arg(long, value_name = "X,Y,W,H", value_parser = keep)]
    pub(crate) keep: Vec<Keep>,
    /// How large the cells of a map are that is made from a mesh [default: 1]
    #[arg(long, value_name = "S")]
    pub(crate) cell: Option<f64>,
    /// Pixels of a picture darker than this are blocked [default: 128]
    #[arg(long, value_name = "N")]
    pub(crate) threshold: Option<u8>,
    #[command(flatten)]
    pub(crate) tiled: TiledArgs,
}

fn keep(text: &str) -> Result<Keep, String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, width, height]) => Ok(Keep { x, y, width, height }),
        _ => Err("expected X,Y,W,H in whole numbers, such as 12,7,2,1".to_owned()),
    }
}

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
    let plain = match from {
        Format::Roads => Format::Roads,
        Format::Voxels => Format::Tree,
        from if from.is_mesh() => Format::MeshJson,
        _ => Format::MovingAi,
    };
    let to = match input::is_standard(&args.output) {
        true => plain,
        false => Format::named(&args.output).ok_or_else(|| unsupported(args))?,
    };
    if !is_possible(args, from, to) {
        return Err(unsupported(args));
    }
    if args.threshold.is_some() && from != Format::Picture {
        let message = format!("--threshold is for pictures (.png), and {} is none", args.input.display());
        return Err(Failure::usage("not_for_this_map", message));
    }
    args.tiled.check(&args.input, from)?;
    check_options(args, from, to)?;
    let document = match from {
        Format::Roads => roads(args, &source)?,
        Format::Voxels => voxels(args, &source)?,
        from if from.is_mesh() => mesh(args, &source, to)?,
        _ => cells(globals, args, &source, to)?,
    };
    Ok(Answer::new(globals.json, &document, || render_text(&document)))
}

/// Whether one can become the other.
fn is_possible(args: &ConvertArgs, from: Format, to: Format) -> bool {
    let has_ending = |ending: &str| {
        input::is_standard(&args.output)
            || args.output.extension().is_some_and(|name| name.eq_ignore_ascii_case(ending))
    };
    let is_cells = |format: Format| matches!(format, Format::MovingAi | Format::Picture | Format::Tiled);
    let is_mesh = matches!(to, Format::Mesh | Format::MeshJson);
    match from {
        Format::Roads => to == Format::Roads,
        Format::Voxels => to == Format::Tree && has_ending("oct"),
        Format::Tree | Format::Index => false,
        from if from.is_mesh() => is_mesh || is_cells(to),
        _ => is_cells(to) || is_mesh || (to == Format::Tree && has_ending("quad")),
    }
}

/// Refuses options that mean nothing for this pair.
fn check_options(args: &ConvertArgs, from: Format, to: Format) -> Result<(), Failure> {
    let makes_mesh = !from.is_mesh() && to.is_mesh();
    let given = [
        ("--keep", !args.keep.is_empty() && !makes_mesh, "a mesh that is made from a map of cells"),
        ("--weights", args.weights.is_some() && !makes_mesh, "a mesh that is made from a map of cells"),
        ("--weights", args.weights.is_some() && from != Format::MovingAi, "maps of letters (.map)"),
        (
            "--cell",
            args.cell.is_some() && (!from.is_mesh() || to.is_mesh()),
            "a map of cells that is made from a mesh",
        ),
        (
            "--scale",
            args.scale.is_some() && (from.is_mesh() || from.is_graph()),
            "maps of cells (.map, .png and .tmx)",
        ),
    ];
    match given.into_iter().find(|(_, is_wrong, _)| *is_wrong) {
        Some((option, _, wants)) => {
            let message = format!("{option} is for {wants}; leave it out");
            Err(Failure::usage("not_for_this_map", message))
        }
        None => Ok(()),
    }
}

fn cells(globals: &Globals, args: &ConvertArgs, source: &Source, to: Format) -> Result<Document, Failure> {
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
    if weights.is_some() && to != Format::Tiled && !to.is_mesh() {
        output::note(&format!("note: {}: only .tmx and meshes keep weights", args.output.display()));
    }
    let weights = weights.or_else(|| args.weights.map(|weights| weights.weights_of(&map)));
    let scale = args.scale.unwrap_or(1);
    let width = map.width();
    let map = enlarged(map, scale)?;
    let weights = weights.map(|weights| enlarged_weights(&weights, width, scale));
    let bytes = match to {
        Format::Tree => quadtree(args, &map)?,
        Format::Mesh | Format::MeshJson if !matches!(shape, Shape::Hexagon(_)) => {
            let options = make::Options { weights: weights.as_deref(), keep: &args.keep, is_unmerged: false };
            let parts = make::mesh(&map, &options)
                .map_err(|error| Failure::usage("no_mesh", format!("{}: {error}", args.input.display())))?;
            write_mesh(args, &parts, to)?
        }
        Format::Mesh | Format::MeshJson => {
            let message =
                format!("{}: a mesh is made from squares, and the map has hexagons", args.input.display());
            return Err(Failure::usage("not_for_this_map", message));
        }
        _ => save::map(&args.output, &map, weights.as_deref(), shape)?,
    };
    Ok(Document {
        file: name(&args.output),
        bytes,
        width: Some(map.width()),
        height: Some(map.height()),
        coordinates_file: None,
    })
}

/// Saves the quadtree of a map. Says how many bytes that took.
fn quadtree(args: &ConvertArgs, map: &TileMap) -> Result<usize, Failure> {
    let wrong = |error: String| Failure::usage("map_size", error);
    let grid = map.grid(Rule::default()).map_err(|error| wrong(error.to_string()))?;
    let tree = Graph::quadtree(&grid).map_err(|error| wrong(error.to_string()))?;
    save_tree(args, &tree)
}

fn save_tree(args: &ConvertArgs, tree: &Graph) -> Result<usize, Failure> {
    let text = trees::write(tree).unwrap_or_default();
    save::bytes(&args.output, text.as_bytes())?;
    Ok(text.len())
}

/// The octree of voxels.
fn voxels(args: &ConvertArgs, source: &Source) -> Result<Document, Failure> {
    let tree = source.tree()?;
    let extent = tree.extent();
    Ok(Document {
        file: name(&args.output),
        bytes: save_tree(args, &tree)?,
        width: extent.map(|extent| extent.width),
        height: extent.map(|extent| extent.height),
        coordinates_file: None,
    })
}

/// A mesh in another format, or a map of cells from it.
fn mesh(args: &ConvertArgs, source: &Source, to: Format) -> Result<Document, Failure> {
    let file = source.mesh()?;
    // What cannot be a mesh is not handed on.
    file.mesh().map_err(|error| ReadError { path: source.path.clone(), problem: error.into() })?;
    if to.is_mesh() {
        let bytes = write_mesh(args, &file.parts, to)?;
        return Ok(Document {
            file: name(&args.output),
            bytes,
            width: None,
            height: None,
            coordinates_file: None,
        });
    }
    let made = mesh_cells::map(&file.parts, args.cell.unwrap_or(1.0))
        .map_err(|error| Failure::usage("map_size", format!("{}: {error}", args.input.display())))?;
    if made.origin != (0.0, 0.0) {
        let (x, y) = made.origin;
        output::note(&format!("note: {}: cell 0,0 begins at {x},{y} of the mesh", args.output.display()));
    }
    Ok(Document {
        file: name(&args.output),
        bytes: save::map(&args.output, &made.map, None, Shape::Square)?,
        width: Some(made.map.width()),
        height: Some(made.map.height()),
        coordinates_file: None,
    })
}

/// Saves a mesh as its name says. Says how many bytes that took.
fn write_mesh(args: &ConvertArgs, parts: &MeshParts, to: Format) -> Result<usize, Failure> {
    let text = match to {
        Format::Mesh => polyanya::write(parts).ok_or_else(|| {
            let message = format!(
                "{}: .mesh has no place for heights, links and blocked areas; write .json",
                args.output.display()
            );
            Failure::usage("unsupported_pair", message)
        })?,
        _ => json::write(parts),
    };
    save::bytes(&args.output, text.as_bytes())?;
    Ok(text.len())
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
        "{} cannot become {}; possible are .map, .png and .tmx to .map, .png, .tmx, .quad, .mesh and .json, .mesh, .json and \
         .obj to .mesh, .json, .map, .png and .tmx, .3dmap to .oct, and .gr to .gr; an index file is written by `milepost build`",
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
