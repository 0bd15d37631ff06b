//! The one place that opens and saves files. A file is saved whole or not at all, and every error names it.

use crate::core::StateId;
use crate::index::{Atlas, BytesBuffer, IndexFileError};
use crate::maps::dimacs::{self, Coordinate, Pair};
use crate::maps::{
    DimacsError, GraphProblem, GraphScenarioError, MapError, Picture, PictureError, Problem, RoadGraph,
    ScenError, TileMap, TiledError, TiledMap, graph_scenario, movingai, picture, scenario, tiled,
};
use crate::space::{Edge, Graph, GraphError, Grid, GridError, NodePosition, Rule};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// What went wrong with a file.
#[derive(Debug, Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    #[source]
    pub problem: FileProblem,
}

/// What can go wrong with a file.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum FileProblem {
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("is a folder; expected a file")]
    Folder,
    #[error("is larger than {limit} bytes, the most that is read from what is no ordinary file")]
    Endless { limit: u64 },
    #[error("cannot be written: {0}")]
    Unwritable(io::Error),
    #[error(transparent)]
    Map(#[from] MapError),
    #[error(transparent)]
    Scenario(#[from] ScenError),
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    Picture(#[from] PictureError),
    #[error(transparent)]
    Tiled(#[from] TiledError),
    #[error(transparent)]
    Roads(#[from] DimacsError),
    #[error(transparent)]
    GraphScenario(#[from] GraphScenarioError),
    #[error(transparent)]
    Graph(#[from] GraphError),
    #[error(transparent)]
    Index(#[from] IndexFileError),
    #[error(
        "node {node} lies at {x},{y}; expected coordinates from -2147483648 to 2147483647, scale them down"
    )]
    FarAway { node: u32, x: i64, y: i64 },
    #[error(
        "{nodes} nodes are promised for {arcs} arcs, and nearly all of them would have none; expected at most {limit} \
         nodes, correct the number"
    )]
    LonelyNodes { nodes: u32, arcs: usize, limit: u64 },
}

/// What kind of world a file holds, by the ending of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `.map`: letters in rows, as MovingAI writes them. Also what has any other ending.
    MovingAi,
    /// `.png`: a picture.
    Picture,
    /// `.tmx`: a map of the Tiled editor.
    Tiled,
    /// `.gr`: a road network, as DIMACS writes them.
    Roads,
    /// `.milepost`: an index file, which holds its map.
    Index,
}

impl Format {
    /// The format that an ending stands for, in capitals or not.
    pub fn named(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "map" => Some(Format::MovingAi),
            "png" => Some(Format::Picture),
            "tmx" => Some(Format::Tiled),
            "gr" => Some(Format::Roads),
            "milepost" => Some(Format::Index),
            _ => None,
        }
    }

    /// The format of a file that is to be read.
    pub fn of(path: &Path) -> Format {
        Format::named(path).unwrap_or(Format::MovingAi)
    }
}

/// What is read at most from a pipe or device, which does not say how long it is.
const STREAM_LIMIT: u64 = 1 << 28;

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let wrap = |problem| FileError { path: path.to_owned(), problem };
    let unreadable = |error| wrap(FileProblem::Unreadable(error));
    let kind = fs::metadata(path).map_err(unreadable)?;
    if kind.is_dir() {
        return Err(wrap(FileProblem::Folder));
    }
    if kind.is_file() {
        return fs::read(path).map_err(unreadable);
    }
    let mut bytes = Vec::new();
    let stream = File::open(path).map_err(unreadable)?;
    stream.take(STREAM_LIMIT + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > STREAM_LIMIT {
        return Err(wrap(FileProblem::Endless { limit: STREAM_LIMIT }));
    }
    Ok(bytes)
}

impl Atlas {
    /// The atlas in an index file. Lengths, numbers and checksums are checked, so that no later look-up can panic, loop
    /// for ever or read outside, whatever the file holds.
    pub fn open(path: impl AsRef<Path>) -> Result<Atlas, FileError> {
        let path = path.as_ref();
        let wrap = |problem| FileError { path: path.to_owned(), problem };
        let unreadable = |error| wrap(FileProblem::Unreadable(error));
        let kind = fs::metadata(path).map_err(unreadable)?;
        if !kind.is_file() {
            return Atlas::from_bytes(&read(path)?).map_err(|error| wrap(error.into()));
        }
        // Read where it will stay: aligned, and shared by all sections.
        let mut buffer = BytesBuffer::zeros(usize::try_from(kind.len()).unwrap_or(usize::MAX));
        File::open(path).and_then(|mut file| file.read_exact(buffer.as_mut_slice())).map_err(unreadable)?;
        Atlas::from_shared(&buffer.share()).map_err(|error| wrap(error.into()))
    }

    /// Saves the atlas, whole or not at all. Says how many bytes that took.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<usize, FileError> {
        let bytes = self.to_bytes();
        save(path.as_ref(), &bytes)?;
        Ok(bytes.len())
    }
}

/// A folder in which a build that takes long keeps what is finished.
#[cfg(feature = "build")]
#[derive(Clone, Debug)]
pub struct Checkpoint {
    folder: PathBuf,
}

#[cfg(feature = "build")]
impl Checkpoint {
    /// The checkpoint in a folder, which is made if there is none.
    pub fn open(folder: &Path) -> Result<Checkpoint, FileError> {
        let wrap = |error| FileError { path: folder.to_owned(), problem: FileProblem::Unwritable(error) };
        fs::create_dir_all(folder).map_err(wrap)?;
        Ok(Checkpoint { folder: folder.to_owned() })
    }
}

#[cfg(feature = "build")]
impl crate::build::Keeper for Checkpoint {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        match fs::read(self.folder.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("cannot be read in {} ({error})", self.folder.display())),
        }
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        save(&self.folder.join(name), bytes).map_err(|error| format!("cannot be kept ({error})"))
    }
}

/// How much memory programs could still take, in bytes, where the system says so.
pub fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The map in a MovingAI `.map` file.
pub fn read_map(path: &Path) -> Result<TileMap, FileError> {
    movingai::read(&read(path)?).map_err(|error| FileError { path: path.to_owned(), problem: error.into() })
}

/// The problems in a `.scen` file.
pub fn read_scenario(path: &Path) -> Result<Vec<Problem>, FileError> {
    scenario::read(&read(path)?).map_err(|error| FileError { path: path.to_owned(), problem: error.into() })
}

/// The map in a PNG picture.
pub fn read_picture(path: &Path, options: picture::Options) -> Result<Picture, FileError> {
    picture::read(&read(path)?, options)
        .map_err(|error| FileError { path: path.to_owned(), problem: error.into() })
}

/// Tilesets in larger files are not read.
const TILESET_LIMIT: u64 = 1 << 26;

/// The map in a Tiled `.tmx` file. Tilesets in files of their own are looked for beside it, where it says.
pub fn read_tiled(path: &Path, options: &tiled::Options) -> Result<TiledMap, FileError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    tiled::read(&read(path)?, options, |tileset| read_tileset(&folder.join(tileset)))
        .map_err(|error| FileError { path: path.to_owned(), problem: error.into() })
}

/// The bytes of a tileset; the error goes on where a sentence says "it".
fn read_tileset(path: &Path) -> io::Result<Vec<u8>> {
    let said = |what: String| io::Error::other(what);
    let unreadable = |error: io::Error| said(format!("cannot be read at {} ({error})", path.display()));
    let kind = fs::metadata(path).map_err(unreadable)?;
    if !kind.is_file() {
        return Err(said(format!("is no ordinary file at {}", path.display())));
    }
    if kind.len() > TILESET_LIMIT {
        return Err(said(format!(
            "has {} bytes at {}, more than {TILESET_LIMIT}",
            kind.len(),
            path.display()
        )));
    }
    fs::read(path).map_err(unreadable)
}

/// A road network as its files hold it: `.gr`, and where its nodes lie, if there is a `.co` file beside it.
#[derive(Clone, Debug)]
pub struct RoadFiles {
    /// The nodes and arcs.
    pub roads: RoadGraph,
    /// Every node once; empty without a `.co` file.
    pub coordinates: Vec<Coordinate>,
}

impl RoadFiles {
    /// Where the coordinates of a `.gr` file are: the same name, ending in `.co`.
    pub fn coordinates_path(path: &Path) -> PathBuf {
        path.with_extension("co")
    }

    /// The graph. Its nodes have the numbers of the files, so there is no node 0.
    pub fn graph(&self) -> Result<Graph, FileProblem> {
        let RoadGraph { nodes, arcs } = &self.roads;
        // A short file must not take much memory: nodes that nothing is said about are free only up to a point.
        let limit = LONELY_NODES + LONELY_NODES_OF_AN_ARC * arcs.len() as u64;
        if self.coordinates.is_empty() && u64::from(*nodes) > limit {
            return Err(FileProblem::LonelyNodes { nodes: *nodes, arcs: arcs.len(), limit });
        }
        let ids = *nodes as usize + 1;
        let mut is_node = vec![true; ids];
        is_node[0] = false;
        let mut positions = Vec::new();
        if !self.coordinates.is_empty() {
            positions.resize(ids, NodePosition::default());
        }
        for &(node, x, y) in &self.coordinates {
            let far = FileProblem::FarAway { node, x, y };
            let (Ok(x), Ok(y)) = (i32::try_from(x), i32::try_from(y)) else { return Err(far) };
            positions[node as usize] = NodePosition::new(x, y);
        }
        let state = StateId::new;
        let edges: Vec<Edge> = arcs
            .iter()
            .map(|arc| Edge { from: state(arc.from), to: state(arc.to), cost: arc.cost })
            .collect();
        Ok(Graph::from_parts(is_node, &edges, positions)?)
    }
}

/// Nodes that a road network may have without any arc ...
const LONELY_NODES: u64 = 1 << 20;
/// ... and so many more for each arc it has.
const LONELY_NODES_OF_AN_ARC: u64 = 16;

/// The road network in a `.gr` file, with the coordinates in the `.co` file beside it, if there is one.
pub fn read_roads(path: &Path) -> Result<RoadFiles, FileError> {
    let wrap = |path: &Path, error: DimacsError| FileError { path: path.to_owned(), problem: error.into() };
    let roads = dimacs::read_graph(&read(path)?).map_err(|error| wrap(path, error))?;
    let beside = RoadFiles::coordinates_path(path);
    let coordinates = if beside != path && beside.exists() {
        dimacs::read_coordinates(&read(&beside)?, Some(roads.nodes)).map_err(|error| wrap(&beside, error))?
    } else {
        Vec::new()
    };
    Ok(RoadFiles { roads, coordinates })
}

/// The problems on a graph, in the format of [`graph_scenario`].
pub fn read_graph_scenario(path: &Path) -> Result<Vec<GraphProblem>, FileError> {
    graph_scenario::read(&read(path)?)
        .map_err(|error| FileError { path: path.to_owned(), problem: error.into() })
}

/// The problems in a `.p2p` file, for a graph with these many nodes.
pub fn read_pairs(path: &Path, nodes: u32) -> Result<Vec<Pair>, FileError> {
    dimacs::read_pairs(&read(path)?, Some(nodes))
        .map_err(|error| FileError { path: path.to_owned(), problem: error.into() })
}

impl Graph {
    /// The graph in a `.gr` file, with the coordinates in the `.co` file beside it, if there is one. Nodes have the
    /// numbers of the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Graph, FileError> {
        let path = path.as_ref();
        read_roads(path)?.graph().map_err(|problem| {
            // What is wrong with a place is wrong with the file of places.
            let is_place = matches!(problem, FileProblem::FarAway { .. });
            let path = if is_place { RoadFiles::coordinates_path(path) } else { path.to_owned() };
            FileError { path, problem }
        })
    }
}

impl Grid {
    /// The grid in a MovingAI `.map` file, under the default rule.
    pub fn open(path: impl AsRef<Path>) -> Result<Grid, FileError> {
        let path = path.as_ref();
        let map = read_map(path)?;
        map.grid(Rule::default()).map_err(|error| FileError { path: path.to_owned(), problem: error.into() })
    }
}

/// Files being written under a temporary name.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Saves a file whole or not at all: writes it under a temporary name beside the place it belongs, then renames. A
/// link is followed; a pipe or device is written to as it is.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let unwritable = |error| FileError { path: path.to_owned(), problem: FileProblem::Unwritable(error) };
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&target).is_ok_and(|kind| !kind.is_file() && !kind.is_dir()) {
        return fs::OpenOptions::new()
            .write(true)
            .open(&target)
            .and_then(|mut out| out.write_all(bytes))
            .map_err(unwritable);
    }
    let temporary = temporary_name(&target);
    let unfinished = |change: &dyn Fn(&mut BTreeSet<PathBuf>)| {
        change(&mut UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner));
    };
    unfinished(&|names| {
        names.insert(temporary.clone());
    });
    let written = (|| {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, &target)
    })();
    if written.is_err() {
        // The error that matters is the one above; the temporary file may not even exist.
        let _ = fs::remove_file(&temporary);
    }
    unfinished(&|names| {
        names.remove(&temporary);
    });
    written.map_err(unwritable)
}

/// Removes what [`save`] has not finished. For programs that are interrupted: call it, then exit. Nothing can be saved
/// any more afterwards.
pub fn remove_unfinished() {
    let names = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for name in names.iter() {
        let _ = fs::remove_file(name);
    }
    // Kept locked: a save that begins now must not leave anything behind either.
    std::mem::forget(names);
}

fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.unfinished", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::SpaceKind;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("milepost-files-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_saved_file_is_whole_and_leaves_nothing_beside_it() {
        let folder = folder("save");
        let path = folder.join("a.map");
        save(&path, b"one").unwrap();
        save(&path, b"two").unwrap();
        assert_eq!(read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_saved_is_named_and_nothing_is_left() {
        let folder = folder("unwritable");
        let path = folder.join("missing").join("a.map");
        let message = save(&path, b"one").unwrap_err().to_string();
        assert!(message.contains("a.map: cannot be written"), "{message}");
        // A folder in the place of the file: the temporary file is written, the renaming fails.
        let path = folder.join("taken");
        fs::create_dir(&path).unwrap();
        assert!(save(&path, b"one").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_and_a_device_stays_a_device() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = folder("link");
        let (file, link) = (folder.join("file"), folder.join("link"));
        save(&file, b"one").unwrap();
        symlink(&file, &link).unwrap();
        save(&link, b"two").unwrap();
        assert_eq!(read(&file).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let null = Path::new("/dev/null");
        save(null, b"three").unwrap();
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn folders_and_missing_files_are_named() {
        let folder = folder("read");
        assert!(read(&folder).unwrap_err().to_string().contains("is a folder"));
        let message = read_map(&folder.join("nowhere.map")).unwrap_err().to_string();
        assert!(message.contains("nowhere.map: cannot be read"), "{message}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn tilesets_are_looked_for_beside_the_map_and_named_if_missing() {
        let folder = folder("tilesets");
        fs::create_dir_all(folder.join("levels")).unwrap();
        let path = folder.join("levels/a.tmx");
        let map = "<map version=\"1.10\" orientation=\"orthogonal\" width=\"2\" height=\"1\" tilewidth=\"8\" \
            tileheight=\"8\">\n<tileset firstgid=\"1\" source=\"../ground.tsx\"/>\n<layer name=\"a\" width=\"2\" \
            height=\"1\"><data encoding=\"csv\">1,0</data></layer></map>";
        save(&path, map.as_bytes()).unwrap();
        let message = |path: &Path| read_tiled(path, &tiled::Options::default()).unwrap_err().to_string();
        let said = message(&path);
        for piece in ["a.tmx: line 2", "the tileset \"../ground.tsx\"", "cannot be read at", "put it there"] {
            assert!(said.contains(piece), "{said}");
        }
        let tileset = "<tileset tilewidth=\"8\" tileheight=\"8\" tilecount=\"1\" columns=\"1\"></tileset>";
        save(&folder.join("ground.tsx"), tileset.as_bytes()).unwrap();
        assert_eq!(read_tiled(&path, &tiled::Options::default()).unwrap().map.tiles(), b".@");
        fs::remove_file(folder.join("ground.tsx")).unwrap();
        fs::create_dir(folder.join("ground.tsx")).unwrap();
        assert!(message(&path).contains("is no ordinary file"), "{}", message(&path));
        fs::remove_dir(folder.join("ground.tsx")).unwrap();
        File::create(folder.join("ground.tsx")).unwrap().set_len(TILESET_LIMIT + 1).unwrap();
        assert!(message(&path).contains("more than 67108864"), "{}", message(&path));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_graph_keeps_the_numbers_of_its_file() {
        let folder = folder("graph");
        let path = folder.join("a.gr");
        save(&path, b"p sp 3 2\na 1 2 5\na 2 3 7\n").unwrap();
        let graph = Graph::open(&path).unwrap();
        assert_eq!((graph.states(), graph.edge_count(), graph.has_positions()), (3, 2, false));
        assert!(!graph.is_free(StateId::new(0)) && graph.is_free(StateId::new(3)));
        save(&folder.join("a.co"), b"p aux sp co 3\nv 2 3 4\nv 1 0 0\nv 3 9 4\n").unwrap();
        assert_eq!(Graph::open(&path).unwrap().node_position(StateId::new(2)), Some(NodePosition::new(3, 4)));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn coordinates_that_do_not_fit_are_named() {
        let folder = folder("coordinates");
        let path = folder.join("a.gr");
        save(&path, b"p sp 1 0\n").unwrap();
        for (text, piece) in [
            ("p aux sp co 1\nv 1 2147483648 0\n", "a.co: node 1 lies at 2147483648,0"),
            ("p aux sp co 2\nv 1 0 0\nv 2 0 0\n", "a.co: "),
            ("", "a.co: the file is empty"),
        ] {
            save(&folder.join("a.co"), text.as_bytes()).unwrap();
            let message = Graph::open(&path).unwrap_err().to_string();
            assert!(message.contains(piece), "{message}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_short_file_does_not_promise_billions_of_nodes() {
        let folder = folder("lonely");
        let path = folder.join("a.gr");
        save(&path, b"p sp 4294967295 0\n").unwrap();
        let message = Graph::open(&path).unwrap_err().to_string();
        assert!(message.contains("a.gr: 4294967295 nodes are promised for 0 arcs"), "{message}");
        fs::remove_dir_all(folder).unwrap();
    }
}
