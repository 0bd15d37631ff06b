//! Opening the files of maps, roads, problems and edits. Every error names the file.

use crate::dimacs::{self, Coordinate, Pair};
use crate::edits_file::{self, EditsError, TimedEdit};
use crate::error::debug_as_sentence;
use crate::tileset_files::TilesetFiles;
use crate::{
    DimacsError, FormatError, GraphProblem, GraphScenarioError, MapError, MeshFile, MeshFileError,
    MeshProblem, Picture, PictureError, PointProblem, Problem, RoadGraph, ScenError, TileMap, TiledError,
    TiledMap, Voxels, graph_scenario, mesh, mesh_scenario, movingai, picture, scenario, tiled, trees, voxels,
};
use milepost::files::{FileError, FileProblem, read};
use milepost::{Edge, Graph, GraphError, Grid, GridError, NavMesh, NodePosition, Rule, StateId};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What went wrong with a file that was to be read.
#[derive(Error)]
#[error("{}: {problem}", path.display())]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    #[source]
    pub problem: ReadProblem,
}

debug_as_sentence!(ReadError);

impl From<FileError> for ReadError {
    fn from(error: FileError) -> ReadError {
        ReadError { path: error.path, problem: error.problem.into() }
    }
}

/// Adds the name of the file to what is wrong with it.
fn in_file<T, E: Into<ReadProblem>>(path: &Path, result: Result<T, E>) -> Result<T, ReadError> {
    result.map_err(|error| ReadError { path: path.to_owned(), problem: error.into() })
}

/// What can go wrong with a file that is to be read.
#[derive(Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum ReadProblem {
    #[error(transparent)]
    File(#[from] FileProblem),
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
    Edits(#[from] EditsError),
    #[error(transparent)]
    Text(#[from] FormatError),
    #[error(transparent)]
    Mesh(#[from] MeshFileError),
    #[error(
        "node {node} lies at {x},{y}; expected coordinates from -2147483648 to 2147483647, scale them down"
    )]
    FarAway { node: u32, x: i64, y: i64 },
    #[error(
        "{nodes} nodes are promised for {arcs} arcs, and nearly all of them would have none; expected at most {limit} \
         nodes, correct the number"
    )]
    LonelyNodes { nodes: u32, arcs: usize, limit: u64 },
    #[error("expected a map of cells (.map or .png), found {found} by its name; open it with {instead}")]
    NoCells { found: &'static str, instead: &'static str },
}

debug_as_sentence!(ReadProblem);

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
    /// `.quad`, `.oct`: a quadtree or an octree.
    Tree,
    /// `.3dmap`: voxels, as MovingAI writes them.
    Voxels,
    /// `.mesh`: a mesh, as Polyanya writes them.
    Mesh,
    /// `.json`: a mesh of our own or of Recast.
    MeshJson,
    /// `.obj`: a mesh of faces, as Wavefront writes them.
    MeshObj,
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
            "quad" | "oct" => Some(Format::Tree),
            "3dmap" => Some(Format::Voxels),
            "mesh" => Some(Format::Mesh),
            "json" => Some(Format::MeshJson),
            "obj" => Some(Format::MeshObj),
            "milepost" => Some(Format::Index),
            _ => None,
        }
    }

    /// Whether such a file holds a mesh.
    pub fn is_mesh(self) -> bool {
        matches!(self, Format::Mesh | Format::MeshJson | Format::MeshObj)
    }

    /// Whether such a file holds a graph.
    pub fn is_graph(self) -> bool {
        matches!(self, Format::Roads | Format::Tree | Format::Voxels)
    }

    /// The format of a file that is to be read.
    pub fn of(path: &Path) -> Format {
        Format::named(path).unwrap_or(Format::MovingAi)
    }
}

/// The map in a MovingAI `.map` file.
pub fn read_map(path: impl AsRef<Path>) -> Result<TileMap, ReadError> {
    let path = path.as_ref();
    in_file(path, movingai::read(&read(path)?))
}

/// The problems in a `.scen` file.
pub fn read_scenario(path: impl AsRef<Path>) -> Result<Vec<Problem>, ReadError> {
    let path = path.as_ref();
    in_file(path, scenario::read(&read(path)?))
}

/// The map in a PNG picture, with the weights of its grey levels if they are asked for:
///
/// ```no_run
/// use milepost::{Grid, Rule};
/// use milepost_maps::picture::Options;
/// use milepost_maps::read_picture;
///
/// let options = Options { has_weights: true, ..Options::default() }; // grey is slow ground: mud, a swamp
/// let grid: Grid = read_picture("level.png", options)?.grid(Rule::Octile)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_picture(path: impl AsRef<Path>, options: picture::Options) -> Result<Picture, ReadError> {
    let path = path.as_ref();
    in_file(path, picture::read(&read(path)?, options))
}

/// The map in a Tiled `.tmx` file. Tilesets in files of their own are looked for beside it, where it says; but only in the
/// folder of the map and below it, unless [`tiled::Options::allow_outside`] says otherwise.
pub fn read_tiled(path: impl AsRef<Path>, options: &tiled::Options) -> Result<TiledMap, ReadError> {
    let path = path.as_ref();
    let mut tilesets = TilesetFiles::beside(path, options.allow_outside);
    let level = tiled::read(&read(path)?, options, |tileset| tilesets.read(tileset));
    in_file(path, level.map_err(|error| tilesets.without_quotes(error)))
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
    pub fn graph(&self) -> Result<Graph, ReadProblem> {
        let RoadGraph { nodes, arcs } = &self.roads;
        // A short file must not take much memory: nodes that nothing is said about are free only up to a point.
        let limit = LONELY_NODES + LONELY_NODES_OF_AN_ARC * arcs.len() as u64;
        if self.coordinates.is_empty() && u64::from(*nodes) > limit {
            return Err(ReadProblem::LonelyNodes { nodes: *nodes, arcs: arcs.len(), limit });
        }
        let ids = *nodes as usize + 1;
        let mut is_node = vec![true; ids];
        is_node[0] = false;
        let mut positions = Vec::new();
        if !self.coordinates.is_empty() {
            positions.resize(ids, NodePosition::default());
        }
        for &(node, x, y) in &self.coordinates {
            let far = ReadProblem::FarAway { node, x, y };
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
pub fn read_roads(path: impl AsRef<Path>) -> Result<RoadFiles, ReadError> {
    let path = path.as_ref();
    let roads = in_file(path, dimacs::read_graph(&read(path)?))?;
    let beside = RoadFiles::coordinates_path(path);
    let coordinates = if beside != path && beside.exists() {
        in_file(&beside, dimacs::read_coordinates(&read(&beside)?, Some(roads.nodes)))?
    } else {
        Vec::new()
    };
    Ok(RoadFiles { roads, coordinates })
}

/// The problems on a graph, in the format of [`graph_scenario`].
pub fn read_graph_scenario(path: impl AsRef<Path>) -> Result<Vec<GraphProblem>, ReadError> {
    let path = path.as_ref();
    in_file(path, graph_scenario::read(&read(path)?))
}

/// The problems in a `.p2p` file, for a graph with these many nodes.
pub fn read_pairs(path: impl AsRef<Path>, nodes: u32) -> Result<Vec<Pair>, ReadError> {
    let path = path.as_ref();
    in_file(path, dimacs::read_pairs(&read(path)?, Some(nodes)))
}

/// The voxels in a `.3dmap` file.
pub fn read_voxels(path: impl AsRef<Path>) -> Result<Voxels, ReadError> {
    let path = path.as_ref();
    in_file(path, voxels::read(&read(path)?))
}

/// The quadtree or octree in a `.quad` or `.oct` file, or that of the voxels in a `.3dmap` file.
pub fn open_tree(path: impl AsRef<Path>) -> Result<Graph, ReadError> {
    let path = path.as_ref();
    match Format::named(path) {
        Some(Format::Voxels) => in_file(path, read_voxels(path)?.octree()),
        _ => in_file(path, trees::read(&read(path)?)),
    }
}

/// What a mesh in a `.mesh`, `.json` or `.obj` file is made of. Beside `NAME-poly_mesh.json` of Recast, or `NAME.json`, the
/// configuration `NAME-config.json` is read where the mesh does not say where it lies.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    let path = path.as_ref();
    let bytes = read(path)?;
    match Format::of(path) {
        Format::MeshJson => {
            let beside = config_path(path);
            let config = if beside.exists() { Some(read(&beside)?) } else { None };
            in_file(path, mesh::read_json(&bytes, config.as_deref()))
        }
        Format::MeshObj => in_file(path, mesh::obj::read(&bytes)),
        _ => in_file(path, mesh::polyanya::read(&bytes)),
    }
}

/// Where the configuration of a mesh of Recast is.
fn config_path(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = stem.strip_suffix("-poly_mesh").unwrap_or(&stem);
    path.with_file_name(format!("{name}-config.json"))
}

/// The mesh in a `.mesh`, `.json` or `.obj` file.
pub fn open_mesh(path: impl AsRef<Path>) -> Result<NavMesh, ReadError> {
    let path = path.as_ref();
    in_file(path, read_mesh(path)?.mesh())
}

/// The problems on a mesh, in the format of [`mesh_scenario`].
pub fn read_mesh_scenario(path: impl AsRef<Path>) -> Result<Vec<MeshProblem>, ReadError> {
    let path = path.as_ref();
    in_file(path, mesh_scenario::read(&read(path)?))
}

/// The problems in a `.scen` file as places on a mesh.
pub fn read_point_scenario(path: impl AsRef<Path>) -> Result<Vec<PointProblem>, ReadError> {
    let path = path.as_ref();
    in_file(path, scenario::read_points(&read(path)?))
}

/// The edits in an edits file.
pub fn read_edits(path: impl AsRef<Path>) -> Result<Vec<TimedEdit>, ReadError> {
    let path = path.as_ref();
    in_file(path, edits_file::read(&read(path)?))
}

/// The grid in a MovingAI `.map` file or, if it is called `.png`, in a picture whose dark pixels are walls; all others are floor. [`read_picture`]
/// takes another threshold, or grey levels for weights; [`read_tiled`] reads maps of the Tiled editor.
///
/// ```no_run
/// use milepost::Rule;
/// let grid = milepost_maps::open_grid("level.png", Rule::Octile)?;
/// # Ok::<(), milepost_maps::ReadError>(())
/// ```
pub fn open_grid(path: impl AsRef<Path>, rule: Rule) -> Result<Grid, ReadError> {
    let path = path.as_ref();
    let refuse = |found, instead| in_file(path, Err(ReadProblem::NoCells { found, instead }));
    let map = match Format::of(path) {
        Format::MovingAi => read_map(path)?,
        Format::Picture => read_picture(path, picture::Options::default())?.map,
        Format::Tiled => return refuse("a map of Tiled", "`read_tiled`"),
        Format::Roads => return refuse("a road network", "`open_graph`"),
        Format::Tree | Format::Voxels => return refuse("a tree", "`open_tree`"),
        Format::Mesh | Format::MeshJson | Format::MeshObj => return refuse("a mesh", "`open_mesh`"),
        Format::Index => return refuse("an index file", "`milepost::Atlas::open`"),
    };
    in_file(path, map.grid(rule))
}

/// The graph in a `.gr` file, with the coordinates in the `.co` file beside it, if there is one. Nodes have the
/// numbers of the file.
pub fn open_graph(path: impl AsRef<Path>) -> Result<Graph, ReadError> {
    let path = path.as_ref();
    read_roads(path)?.graph().map_err(|problem| {
        // What is wrong with a place is wrong with the file of places.
        let is_place = matches!(problem, ReadProblem::FarAway { .. });
        let path = if is_place { RoadFiles::coordinates_path(path) } else { path.to_owned() };
        ReadError { path, problem }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use milepost::SpaceKind;
    use milepost::files::save_whole;
    use std::fs;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("milepost-maps-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_missing_map_is_named() {
        let message = read_map(Path::new("nowhere.map")).unwrap_err().to_string();
        assert!(message.contains("nowhere.map: cannot be read"), "{message}");
    }

    #[test]
    fn a_grid_is_opened_from_letters_and_from_a_picture_by_the_ending() {
        let folder = folder("grid");
        let (letters, pixels) = (folder.join("a.map"), folder.join("a.PNG"));
        save_whole(&letters, b"type octile\nheight 2\nwidth 3\nmap\n..@\n.@.\n").unwrap();
        save_whole(&pixels, &picture::write(&read_map(&letters).unwrap()).unwrap()).unwrap();
        let versions = [&letters, &pixels].map(|path| open_grid(path, Rule::Octile).unwrap().version());
        assert_eq!(versions[0], versions[1]);
        save_whole(&pixels, b"no picture").unwrap();
        let message = open_grid(&pixels, Rule::Octile).unwrap_err().to_string();
        assert!(message.contains("a.PNG: "), "{message}");
        for (name, instead) in [
            ("a.tmx", "`read_tiled`"),
            ("a.gr", "`open_graph`"),
            ("a.quad", "`open_tree`"),
            ("a.mesh", "`open_mesh`"),
            ("a.milepost", "`milepost::Atlas::open`"),
        ] {
            let message = open_grid(folder.join(name), Rule::Octile).unwrap_err().to_string();
            assert!(message.contains(name) && message.ends_with(instead), "{message}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_graph_keeps_the_numbers_of_its_file() {
        let folder = folder("graph");
        let path = folder.join("a.gr");
        save_whole(&path, b"p sp 3 2\na 1 2 5\na 2 3 7\n").unwrap();
        let graph = open_graph(&path).unwrap();
        assert_eq!((graph.states(), graph.edge_count(), graph.has_positions()), (3, 2, false));
        assert!(!graph.is_free(StateId::new(0)) && graph.is_free(StateId::new(3)));
        save_whole(&folder.join("a.co"), b"p aux sp co 3\nv 2 3 4\nv 1 0 0\nv 3 9 4\n").unwrap();
        assert_eq!(open_graph(&path).unwrap().node_position(StateId::new(2)), Some(NodePosition::new(3, 4)));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn coordinates_that_do_not_fit_are_named() {
        let folder = folder("coordinates");
        let path = folder.join("a.gr");
        save_whole(&path, b"p sp 1 0\n").unwrap();
        for (text, piece) in [
            ("p aux sp co 1\nv 1 2147483648 0\n", "a.co: node 1 lies at 2147483648,0"),
            ("p aux sp co 2\nv 1 0 0\nv 2 0 0\n", "a.co: "),
            ("", "a.co: the file is empty"),
        ] {
            save_whole(&folder.join("a.co"), text.as_bytes()).unwrap();
            let message = open_graph(&path).unwrap_err().to_string();
            assert!(message.contains(piece), "{message}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_short_file_does_not_promise_billions_of_nodes() {
        let folder = folder("lonely");
        let path = folder.join("a.gr");
        save_whole(&path, b"p sp 4294967295 0\n").unwrap();
        let message = open_graph(&path).unwrap_err().to_string();
        assert!(message.contains("a.gr: 4294967295 nodes are promised for 0 arcs"), "{message}");
        fs::remove_dir_all(folder).unwrap();
    }
}
