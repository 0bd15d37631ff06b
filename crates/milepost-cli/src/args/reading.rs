//! How a map is read: from which file, of which format, and what its letters, pixels, tiles and areas mean.

use crate::on_mesh::Areas;
use clap::{Args, ValueEnum};
use milepost_maps::{Format, Weights};
use std::path::PathBuf;

/// A map, and how to read it.
#[derive(Args, Clone, Debug)]
pub(crate) struct MapArgs {
    /// A map or graph: .map (MovingAI), .png (a picture), .tmx (Tiled), .gr (DIMACS; coordinates from a .co file
    /// beside it), .quad and .oct (a quadtree, an octree), .3dmap (voxels, as an octree), or .milepost (an index file);
    /// `-` for standard input, whose first bytes tell which
    pub(crate) map: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// What a file holds, whatever its name ends in.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileFormat {
    // No docs: they would stretch the help of every command that reads maps.
    Map,
    Png,
    Tmx,
    Gr,
    Quad,
    Oct,
    #[value(name = "3dmap")]
    Voxels,
    Mesh,
    Json,
    Obj,
    Milepost,
}

impl From<FileFormat> for Format {
    fn from(format: FileFormat) -> Format {
        match format {
            FileFormat::Map => Format::MovingAi,
            FileFormat::Png => Format::Picture,
            FileFormat::Tmx => Format::Tiled,
            FileFormat::Gr => Format::Roads,
            FileFormat::Quad | FileFormat::Oct => Format::Tree,
            FileFormat::Voxels => Format::Voxels,
            FileFormat::Mesh => Format::Mesh,
            FileFormat::Json => Format::MeshJson,
            FileFormat::Obj => Format::MeshObj,
            FileFormat::Milepost => Format::Index,
        }
    }
}

/// How to read a map.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadingArgs {
    /// What the map is, whatever its name ends in and its first bytes tell
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<FileFormat>,
    /// What letters of a .map file weigh, from 1 to 255, such as S=3,G=2: a step costs the mean of its two cells
    #[arg(long, value_name = "LIST", value_parser = Weights::parse)]
    pub(crate) weights: Option<Weights>,
    /// What a unit of length costs in areas of a mesh, from 0.01 to 1000, or that they are blocked, such as
    /// water=4,3=2.5,door=blocked
    #[arg(long, value_name = "LIST", value_parser = Areas::parse)]
    pub(crate) areas: Option<Areas>,
    /// Pixels of a picture darker than this are blocked [default: 128]
    #[arg(long, value_name = "N")]
    pub(crate) threshold: Option<u8>,
    /// Grey levels of a picture are weights: white 1, each 16 levels darker one more
    #[arg(long)]
    pub(crate) grey_weights: bool,
    #[command(flatten)]
    pub(crate) tiled: TiledArgs,
}

impl ReadingArgs {
    /// Whether none is given.
    pub(crate) fn are_default(&self) -> bool {
        let ReadingArgs { format, weights, areas, threshold, grey_weights, tiled } = self;
        let is_given = format.is_some() || weights.is_some() || areas.is_some() || threshold.is_some();
        !is_given && !grey_weights && *tiled == TiledArgs::default()
    }
}

/// What a map of Tiled calls things.
#[derive(Args, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TiledArgs {
    /// The bool property of tiles, layers and groups of a .tmx file that says what is blocked [default: blocked]
    #[arg(long, value_name = "NAME")]
    pub(crate) blocked_property: Option<String>,
    /// The int property of tiles, layers and groups of a .tmx file that says what they weigh [default: weight]
    #[arg(long, value_name = "NAME")]
    pub(crate) weight_property: Option<String>,
    /// A layer or group of a .tmx file whose tiles are blocked; may be given several times [default: blocked, walls,
    /// collision]
    #[arg(long, value_name = "NAME")]
    pub(crate) blocked_layer: Vec<String>,
    /// Read tilesets of a .tmx file that lie outside its folder too; without this they are an error, since a map could
    /// name any file of the machine
    #[arg(long)]
    pub(crate) allow_outside: bool,
}
