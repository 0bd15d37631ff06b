//! What a file holds that was given as a map and is none, where its ending names no format of maps; and a map that was given as
//! something else.

use crate::failure::Failure;
use crate::input::{self, told_by};
use milepost::files;
use milepost_maps::{Format, edits_file};
use std::path::Path;

/// What to do where nothing tells what a file holds.
pub(crate) const ENDINGS: &str = "; a file is read as its name ends: .map, .png, .tmx, .gr, .quad, .oct, .3dmap, .mesh, .json, .obj or \
                                  .milepost; --format FORMAT says what a file of another name holds";

/// What it holds instead, and what to type, if that can be told.
pub(crate) fn held(path: &Path) -> Option<String> {
    let file = path.display();
    let bytes = files::read(path).unwrap_or_default();
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_scenario = ["version"]
        .into_iter()
        .chain(SCENARIOS.map(|(first, _)| first))
        .any(|first| bytes.starts_with(first.as_bytes()));
    Some(match (ending.as_str(), told_by(&bytes)) {
        ("scen" | "p2p", _) => format!("holds problems, not a map: milepost bench MAP --scen {file}"),
        _ if is_scenario => format!("holds problems, not a map: milepost bench MAP --scen {file}"),
        ("co", _) => {
            let graph = path.with_extension("gr");
            format!(
                "holds where the nodes of a graph lie, and is read together with it: give {}",
                graph.display()
            )
        }
        (_, Some(format)) if format != Format::MovingAi => {
            format!(
                "is no map of letters; it begins as files of --format {} do: if it is one, say that",
                option(format)
            )
        }
        ("gif" | "jpg" | "jpeg" | "bmp" | "svg" | "webp" | "tif" | "tiff", _) => {
            "is a picture of a kind that is not read; save it as .png".to_owned()
        }
        ("tmj" | "tsx", _) => {
            "is a file of Tiled that is not read alone; save the map there as .tmx".to_owned()
        }
        _ if edits_file::read(&bytes).is_ok_and(|edits| !edits.is_empty()) => {
            format!("holds edits of a map, not a map: milepost path MAP --edits {file}")
        }
        _ => return None,
    })
}

/// Refuses a map where a command takes index files, with the call that builds one.
pub(crate) fn check_index(path: &Path, command: &str) -> Result<(), Failure> {
    let named = Format::named(path);
    if input::is_standard(path) || named == Some(Format::Index) {
        return Ok(());
    }
    // A file that cannot be read is answered where it is opened.
    let bytes = files::read(path).unwrap_or_default();
    match told_by(&bytes).or(named.filter(|_| !bytes.is_empty())) {
        None | Some(Format::Index) => Ok(()),
        Some(_) => {
            let (map, index) = (path.display(), path.with_extension("milepost"));
            let message = format!(
                "is no index file, and `{command}` takes those; build one: milepost build {map} -o {}",
                index.display()
            );
            Err(Failure::damaged(path, message))
        }
    }
}

/// What scenarios begin with that are for no map of cells, and what they are for.
const SCENARIOS: [(&str, &str); 2] =
    [("milepost-graph-scenario", "a graph"), ("milepost-mesh-scenario", "a mesh")];

/// Refuses a scenario for another kind of map where one for a map of cells is expected.
pub(crate) fn check_scenario(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    match SCENARIOS.iter().find(|(first, _)| bytes.starts_with(first.as_bytes())) {
        None => Ok(()),
        Some((_, held)) => {
            let message = format!(
                "line 1: expected a scenario for a map of cells, found one for {held}; give the map that it was made for, or make \
                 problems of this one: milepost scenarios MAP --count 100 -o FILE.scen"
            );
            Err(Failure::damaged(path, message))
        }
    }
}

/// What `--format` calls it.
fn option(format: Format) -> &'static str {
    match format {
        Format::MovingAi => "map",
        Format::Picture => "png",
        Format::Tiled => "tmx",
        Format::Roads => "gr",
        // The two trees are told apart by what is in the file.
        Format::Tree => "quad",
        Format::Voxels => "3dmap",
        Format::Mesh => "mesh",
        Format::MeshJson => "json",
        Format::MeshObj => "obj",
        Format::Index => "milepost",
    }
}
