//! What a file holds that was given as a map and is none, where its ending names no format of maps.

use crate::input::told_by;
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
    let is_scenario = ["version", "milepost-graph-scenario", "milepost-mesh-scenario"]
        .iter()
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
