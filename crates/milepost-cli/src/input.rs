//! What is read: a file, or with `-` standard input, whose first bytes tell what it holds.

use crate::args::TiledArgs;
use crate::failure::Failure;
use crate::numbers::counted;
use crate::{missing, output, stray};
use milepost::files::{self, FileError, FileProblem};
use milepost::{Atlas, Graph};
use milepost_maps::dimacs::Pair;
use milepost_maps::{
    Format, GraphProblem, ListedLength, MeshFile, MeshPlace, Picture, PointProblem, Problem, ReadError,
    ReadProblem, RoadFiles, TileMap, TiledMap, TimedEdit, Voxels, dimacs, edits_file, graph_scenario, mesh,
    mesh_scenario, movingai, picture, scenario, tiled, trees, voxels,
};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// How standard input and standard output are named.
const STANDARD: &str = "-";

/// What messages call standard input.
const STDIN: &str = "stdin";

/// More is not read.
const LIMIT: u64 = 1 << 28;

/// Whether a name stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// All bytes of standard input, which can be read once.
fn stdin() -> Result<Vec<u8>, Failure> {
    static IS_READ: AtomicBool = AtomicBool::new(false);
    if IS_READ.swap(true, Ordering::Relaxed) {
        let message = format!("`{STANDARD}` stands for two files, and standard input can be read once");
        return Err(Failure::usage("usage", message));
    }
    let wrap = |problem| FileError { path: PathBuf::from(STDIN), problem };
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(LIMIT + 1).read_to_end(&mut bytes);
    read.map_err(|error| wrap(FileProblem::Unreadable(error)))?;
    if bytes.len() as u64 > LIMIT {
        return Err(wrap(FileProblem::Endless { limit: LIMIT }).into());
    }
    Ok(bytes)
}

/// The bytes of a file, or of standard input.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    if is_standard(path) { stdin() } else { Ok(files::read(path)?) }
}

/// A map, a graph or an index file that is to be read.
pub(crate) struct Source {
    /// The file, or what messages call standard input.
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    /// Of standard input.
    bytes: Option<Vec<u8>>,
    /// Neither the call nor its ending says what it is: it is read as a map of letters.
    is_guess: bool,
}

impl Source {
    /// A file as its ending says, or standard input as its first bytes say, unless the format is given.
    pub(crate) fn open(path: &Path, format: Option<Format>) -> Result<Source, Failure> {
        if !is_standard(path) {
            let is_guess = format.is_none() && Format::named(path).is_none();
            let format = format.unwrap_or_else(|| Format::of(path));
            return Ok(Source { path: path.to_owned(), format, bytes: None, is_guess });
        }
        let bytes = stdin()?;
        let format = format.or_else(|| told_by(&bytes)).ok_or_else(|| {
            let message = "its first bytes do not tell what it is; say it with --format map, png, tmx, gr, quad, oct, \
                           3dmap, mesh, json, obj or milepost";
            Failure::damaged(Path::new(STDIN), message)
        })?;
        Ok(Source { path: PathBuf::from(STDIN), format, bytes: Some(bytes), is_guess: false })
    }

    pub(crate) fn map(&self) -> Result<TileMap, Failure> {
        match &self.bytes {
            None => milepost_maps::read_map(&self.path).map_err(|error| self.no_map(error)),
            Some(bytes) => in_stdin(movingai::read(bytes)),
        }
    }

    /// Why a file is no map of letters. If it was only a guess that it is one: what it holds instead, or which endings are read.
    fn no_map(&self, error: ReadError) -> Failure {
        if !self.is_guess || matches!(error.problem, ReadProblem::File(_)) {
            return error.into();
        }
        match stray::held(&self.path) {
            Some(held) => Failure::damaged(&self.path, held),
            None => Failure::from(error).and(stray::ENDINGS),
        }
    }

    pub(crate) fn picture(&self, options: picture::Options) -> Result<Picture, Failure> {
        match &self.bytes {
            None => Ok(milepost_maps::read_picture(&self.path, options)?),
            Some(bytes) => in_stdin(picture::read(bytes, options)),
        }
    }

    /// The map of a picture that is to be walked over. If its grey levels are no weights, a note tells the user what reads as plain
    /// floor all the same.
    pub(crate) fn ground(&self, options: picture::Options) -> Result<Picture, Failure> {
        let mut picture = self.picture(picture::Options { has_weights: true, ..options })?;
        if !options.has_weights {
            note_grey(&self.path, &picture.weights.take().unwrap_or_default());
        }
        Ok(picture)
    }

    /// The map of a .tmx file. A note tells the user if nothing says what is blocked.
    pub(crate) fn tiled(&self, args: &TiledArgs) -> Result<TiledMap, Failure> {
        let level = match &self.bytes {
            None => milepost_maps::read_tiled(&self.path, &args.options())?,
            Some(bytes) => {
                let no_file =
                    |_: &str| Err(io::Error::new(ErrorKind::NotFound, "is no part of standard input"));
                in_stdin(tiled::read(bytes, &args.options(), |tileset| no_file(tileset)))?
            }
        };
        note_unmarked(&self.path, args, &level);
        Ok(level)
    }

    pub(crate) fn roads(&self) -> Result<RoadFiles, Failure> {
        match &self.bytes {
            None => Ok(milepost_maps::read_roads(&self.path)?),
            Some(bytes) => {
                let roads = in_stdin(dimacs::read_graph(bytes))?;
                Ok(RoadFiles { roads, coordinates: Vec::new() })
            }
        }
    }

    pub(crate) fn graph(&self) -> Result<Graph, Failure> {
        match &self.bytes {
            None => Ok(milepost_maps::open_graph(&self.path)?),
            Some(_) => in_stdin(self.roads()?.graph()),
        }
    }

    pub(crate) fn voxels(&self) -> Result<Voxels, Failure> {
        match &self.bytes {
            None => Ok(milepost_maps::read_voxels(&self.path)?),
            Some(bytes) => in_stdin(voxels::read(bytes)),
        }
    }

    /// The quadtree or octree of a file, or that of its voxels.
    pub(crate) fn tree(&self) -> Result<Graph, Failure> {
        if self.format == Format::Voxels {
            let wrap =
                |error: milepost::GraphError| ReadError { path: self.path.clone(), problem: error.into() };
            return Ok(self.voxels()?.octree().map_err(wrap)?);
        }
        match &self.bytes {
            None => Ok(milepost_maps::open_tree(&self.path)?),
            Some(bytes) => in_stdin(trees::read(bytes)),
        }
    }

    pub(crate) fn mesh(&self) -> Result<MeshFile, Failure> {
        match (&self.bytes, self.format) {
            (None, _) => Ok(milepost_maps::read_mesh(&self.path)?),
            (Some(bytes), Format::MeshJson) => in_stdin(mesh::read_json(bytes, None)),
            (Some(bytes), Format::MeshObj) => in_stdin(mesh::obj::read(bytes)),
            (Some(bytes), _) => in_stdin(mesh::polyanya::read(bytes)),
        }
    }

    pub(crate) fn atlas(&self) -> Result<Atlas, Failure> {
        let Some(bytes) = &self.bytes else { return Ok(Atlas::open(&self.path)?) };
        let wrap = |problem| FileError { path: self.path.clone(), problem };
        Ok(Atlas::from_bytes(bytes).map_err(|error| wrap(error.into()))?)
    }
}

/// Adds where it came from to what is wrong with something.
fn in_stdin<T>(result: Result<T, impl Into<ReadProblem>>) -> Result<T, Failure> {
    result.map_err(|error| ReadError { path: PathBuf::from(STDIN), problem: error.into() }.into())
}

/// What the first bytes of a file tell about it.
pub(crate) fn told_by(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"\x89PNG") {
        return Some(Format::Picture);
    }
    if bytes.starts_with(b"MILEPOST") {
        return Some(Format::Index);
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    let first = bytes.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    match first {
        b"type" | b"height" | b"width" | b"map" => Some(Format::MovingAi),
        b"c" | b"p" | b"a" => Some(Format::Roads),
        b"milepost-quadtree" | b"milepost-octree" => Some(Format::Tree),
        b"voxel" => Some(Format::Voxels),
        b"mesh" | b"weighted_mesh" => Some(Format::Mesh),
        b"v" | b"o" | b"mtllib" => Some(Format::MeshObj),
        _ if first.starts_with(b"{") => Some(Format::MeshJson),
        _ if first.starts_with(b"<") => Some(Format::Tiled),
        _ => None,
    }
}

/// The problems of a .scen file.
pub(crate) fn scenario(path: &Path) -> Result<Vec<Problem>, Failure> {
    if is_standard(path) {
        let bytes = stdin()?;
        stray::check_scenario(Path::new(STDIN), &bytes)?;
        in_stdin(scenario::read(&bytes))
    } else {
        stray::check_scenario(path, &beginning(path))?;
        Ok(milepost_maps::read_scenario(path)?)
    }
}

/// The problems of a graph scenario.
pub(crate) fn graph_scenario(path: &Path) -> Result<Vec<GraphProblem>, Failure> {
    if is_standard(path) {
        return in_stdin(graph_scenario::read(&stdin()?));
    }
    Ok(milepost_maps::read_graph_scenario(path)?)
}

/// The problems on a mesh, each with its ends, what the file lists and its line: of a mesh scenario, or of a .scen file.
pub(crate) fn mesh_scenario(path: &Path) -> Result<Vec<(MeshPlace, MeshPlace, ListedLength, u32)>, Failure> {
    let bytes = if is_standard(path) { Some(stdin()?) } else { None };
    let is_scen = match &bytes {
        Some(bytes) => bytes.trim_ascii_start().starts_with(b"version"),
        None => beginning(path).starts_with(b"version"),
    };
    if is_scen {
        let problems = match &bytes {
            Some(bytes) => in_stdin(scenario::read_points(bytes))?,
            None => milepost_maps::read_point_scenario(path)?,
        };
        let place = |(x, y): (f64, f64)| MeshPlace { x, y, z: None };
        let of =
            |problem: PointProblem| (place(problem.start), place(problem.goal), problem.length, problem.line);
        return Ok(problems.into_iter().map(of).collect());
    }
    let problems = match &bytes {
        Some(bytes) => in_stdin(mesh_scenario::read(bytes))?,
        None => milepost_maps::read_mesh_scenario(path)?,
    };
    // As in other files, 0 says that there is no path.
    let listed = |cost: Option<f64>| ListedLength::computed(cost.unwrap_or(0.0));
    Ok(problems
        .iter()
        .map(|problem| (problem.from, problem.to, listed(problem.cost), problem.line))
        .collect())
}

/// The first bytes of a file; none if it cannot be read, which is answered where it is read as a whole.
fn beginning(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(64).read_to_end(&mut bytes));
    if read.is_ok() { bytes } else { Vec::new() }
}

/// Tells the user if nothing says what is blocked.
fn note_unmarked(path: &Path, args: &TiledArgs, level: &TiledMap) {
    if !level.is_marked && level.map.passable_cells() as usize == level.map.tiles().len() {
        output::note(&format!(
            "note: {}: nothing says what is blocked; expected a bool property `{}` of tiles or layers, a layer called {}, \
             or cells without a tile",
            path.display(),
            args.options().blocked_property,
            tiled::BLOCKED_LAYERS.join(", ")
        ));
    }
}

/// Tells the user of free pixels that would weigh more than white ones if grey levels were weights. What is hardly grey, such as
/// the rim of a smoothed line, weighs as much.
fn note_grey(path: &Path, weights: &[u8]) {
    let grey = weights.iter().filter(|weight| **weight > 1).count() as u64;
    if grey > 0 {
        let is_grey = if grey == 1 { "is grey and reads" } else { "are grey and read" };
        output::note(&format!(
            "note: {}: {} {is_grey} as plain floor; --grey-weights makes grey slow ground",
            path.display(),
            counted(grey, "free pixel")
        ));
    }
}

/// The problems of a .p2p file, for a graph with these many nodes.
pub(crate) fn pairs(path: &Path, nodes: u32) -> Result<Vec<Pair>, Failure> {
    Ok(milepost_maps::read_pairs(path, nodes)?)
}

/// The edits of an edits file.
pub(crate) fn edits(path: &Path) -> Result<Vec<TimedEdit>, Failure> {
    if is_standard(path) {
        in_stdin(edits_file::read(&stdin()?))
    } else {
        let advice =
            || "check the name and the folder; a line of it edits the map, such as `close 3,14`".to_owned();
        missing::check(path, advice)?;
        Ok(milepost_maps::read_edits(path)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_every_format() {
        for (bytes, format) in [
            (&b"type octile\nheight 1\n"[..], Some(Format::MovingAi)),
            (b"\xef\xbb\xbf\ntype octile", Some(Format::MovingAi)),
            (b"\x89PNG\r\n\x1a\n", Some(Format::Picture)),
            (b"<?xml version=\"1.0\"?>", Some(Format::Tiled)),
            (b"  <map version=\"1.10\">", Some(Format::Tiled)),
            (b"c roads\np sp 3 4\n", Some(Format::Roads)),
            (b"p sp 3 4\n", Some(Format::Roads)),
            (b"milepost-quadtree 1\n", Some(Format::Tree)),
            (b"voxel 1 2 3\n", Some(Format::Voxels)),
            (b"mesh\n2\n", Some(Format::Mesh)),
            (b"{\"nvp\": 6}", Some(Format::MeshJson)),
            (b"v 0 0 0\n", Some(Format::MeshObj)),
            (b"MILEPOST\x02\0", Some(Format::Index)),
            (b"", None),
            (b"\xff\xd8\xff\xe0", None),
            (b"version 1\n", None),
        ] {
            assert_eq!(told_by(bytes), format, "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
