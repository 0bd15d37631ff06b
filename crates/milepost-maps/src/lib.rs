//! Maps for Milepost: readers, writers and generators.
//!
//! Bytes come in and values go out, or the other way round; `files` alone opens files, and adds their names to
//! errors. A [`TileMap`] is letters in a rectangle; [`TileMap::grid`] makes a grid of it. Of the engine this crate
//! knows spaces: grids, graphs, meshes and their edits.
//!
//! ```no_run
//! use milepost::{Atlas, Rule};
//! let atlas = Atlas::new(milepost_maps::open_grid("level.map", Rule::Octile)?);
//! # Ok::<(), milepost_maps::ReadError>(())
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | [`tiles`] | the map itself: a rectangle of letters, and which letters are passable |
//! | [`edits_file`] | reads edits of a space, one a line |
//! | [`movingai`] | reads and writes `.map` files |
//! | [`scenario`] | reads and writes `.scen` files: lists of problems with their optimal lengths |
//! | [`weights`] | what a step costs on each letter |
//! | [`picture`] | reads and writes PNG: dark is blocked, grey levels can be weights |
//! | [`tiled`] | reads and writes maps of the Tiled editor: `.tmx` files |
//! | [`dimacs`] | reads and writes road networks: `.gr`, `.co` and `.p2p` files |
//! | [`trees`] | reads and writes quadtrees and octrees: `.quad` and `.oct` files |
//! | [`voxels`] | reads MovingAI's voxel maps: `.3dmap` files |
//! | [`mesh`] | reads, writes and makes navigation meshes: `.mesh`, `.json` and `.obj` files |
//! | [`mesh_scenario`] | reads and writes lists of problems on meshes with their costs |
//! | [`graph_scenario`] | reads and writes lists of problems on graphs with their optimal costs |
//! | `files` | opens all these by the names of their files |
//! | [`mod@generate`] | makes maps and road networks from a seed |
//!
//! # Promises
//! - Whatever the bytes are, a reader neither panics nor allocates more than the bytes justify: a header that
//!   promises a billion rows is refused before a row is reserved.
//! - An error says where (line, column, byte), what was expected, what was found, and what to do.
//! - What a writer wrote, its reader reads back as the same value.
//! - A seed gives the same bytes on every machine.
//!
//! The formats are described in `docs/map-formats.md`.

pub mod dimacs;
pub mod edits_file;
mod files;
pub mod generate;
pub mod graph_scenario;
pub mod mesh;
pub mod mesh_scenario;
pub mod movingai;
pub mod picture;
pub mod scenario;
pub mod tiled;
pub mod tiles;
pub mod trees;
pub mod voxels;
pub mod weights;

#[cfg(test)]
mod any_input;
mod cells;
mod error;
mod format_error;
mod lines;
mod tileset_files;

pub use dimacs::{DimacsError, RoadGraph};
pub use edits_file::{EditsError, TimedEdit};
pub use error::{Excerpt, MapError, Place, ScenError};
pub use files::{
    Format, ReadError, ReadProblem, RoadFiles, open_graph, open_grid, open_mesh, open_tree, read_edits,
    read_graph_scenario, read_map, read_mesh, read_mesh_scenario, read_pairs, read_picture,
    read_point_scenario, read_roads, read_scenario, read_tiled, read_voxels,
};
pub use format_error::FormatError;
pub use generate::{GenerateError, Kind, generate};
pub use graph_scenario::{GraphProblem, GraphScenarioError};
pub use mesh::{MeshFile, MeshFileError};
pub use mesh_scenario::{MeshPlace, MeshProblem};
pub use picture::{Picture, PictureError};
pub use scenario::{ListedLength, PointProblem, Problem};
pub use tiled::{TiledError, TiledMap};
pub use tiles::{TileError, TileMap};
pub use voxels::Voxels;
pub use weights::{Weights, WeightsError};
