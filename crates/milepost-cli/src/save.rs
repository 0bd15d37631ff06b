//! Maps and graphs into files, as their endings say.

use crate::failure::Failure;
use crate::{input, output};
use milepost::{Atlas, files};
use milepost_maps::tiled::{self, Shape};
use milepost_maps::{Format, RoadFiles};
use milepost_maps::{TileMap, dimacs, movingai, picture};
use std::path::{Path, PathBuf};

/// Saves bytes, whole or not at all; `-` is standard output.
pub(crate) fn bytes(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if input::is_standard(path) {
        return output::write_file(bytes);
    }
    Ok(files::save_whole(path, bytes)?)
}

/// Saves an index file. Says how many bytes that took.
pub(crate) fn atlas(path: &Path, atlas: &Atlas) -> Result<usize, Failure> {
    if input::is_standard(path) {
        let whole = atlas.to_bytes();
        bytes(path, &whole)?;
        return Ok(whole.len());
    }
    Ok(atlas.save(path)?)
}

/// Refuses a name that is not that of an index file.
pub(crate) fn check_index_name(path: &Path) -> Result<(), Failure> {
    if Format::named(path) == Some(Format::Index) || input::is_standard(path) {
        return Ok(());
    }
    let instead = path.with_extension("milepost");
    let (path, instead) = (path.display(), instead.display());
    let message = format!("{path}: an index file is called NAME.milepost; say -o {instead}");
    Err(Failure::usage("unsupported_pair", message))
}

/// Maps with more cells are not made.
const MOST_CELLS: u64 = 1 << 31;

/// Refuses a size that no map should have.
pub(crate) fn check_size(width: u64, height: u64) -> Result<(), Failure> {
    if width.checked_mul(height).is_some_and(|cells| cells <= MOST_CELLS) {
        return Ok(());
    }
    let message = format!("a map of {width} x {height} is too large; expected at most {MOST_CELLS} cells");
    Err(Failure::usage("map_size", message))
}

/// Saves a map as a picture where the name ends in .png, for Tiled where it ends in .tmx, else as MovingAI writes them.
/// Only Tiled knows weights and shapes. Says how many bytes that took.
pub(crate) fn map(
    path: &Path,
    map: &TileMap,
    weights: Option<&[u8]>,
    shape: Shape,
) -> Result<usize, Failure> {
    let wrong = |error: String| Failure::usage("map_size", error);
    let bytes = match Format::of(path) {
        Format::Picture => picture::write(map).map_err(|error| wrong(error.to_string()))?,
        Format::Tiled => tiled::write(map, weights, shape).map_err(|error| wrong(error.to_string()))?,
        Format::MovingAi => movingai::write(map),
        format if format.is_graph() || format.is_mesh() => {
            let message = format!(
                "{}: this name is for graphs and meshes; expected .map, .png or .tmx for a map of cells",
                path.display()
            );
            return Err(Failure::usage("unsupported_pair", message));
        }
        _ => {
            let message = format!("{}: an index file is written by `milepost build`", path.display());
            return Err(Failure::usage("unsupported_pair", message));
        }
    };
    self::bytes(path, &bytes)?;
    Ok(bytes.len())
}

/// Saves a road network, and its coordinates, if there are any, beside it. Says how many bytes both took, and where
/// the coordinates are.
pub(crate) fn roads(path: &Path, files: &RoadFiles) -> Result<(usize, Option<PathBuf>), Failure> {
    let bytes = dimacs::write_graph(&files.roads);
    let is_standard = input::is_standard(path);
    if files.coordinates.is_empty() || is_standard {
        if is_standard && !files.coordinates.is_empty() {
            output::note("note: standard output holds the graph alone, without the coordinates of its nodes");
        }
        self::bytes(path, &bytes)?;
        return Ok((bytes.len(), None));
    }
    let beside = RoadFiles::coordinates_path(path);
    let coordinates = dimacs::write_coordinates(&files.coordinates);
    files::save_whole(&beside, &coordinates)?;
    files::save_whole(path, &bytes)?;
    Ok((bytes.len() + coordinates.len(), Some(beside)))
}
