//! How a map is read: from which file, of which format, and what its letters, pixels, tiles and areas mean.

use super::Globals;
use crate::failure::Failure;
use crate::on_mesh::Areas;
use clap::{Args, ValueEnum};
use milepost_maps::{Format, Weights, picture, tiled};
use std::path::{Path, PathBuf};

/// A map, and how to read it.
#[derive(Args, Clone, Debug)]
pub(crate) struct MapArgs {
    /// A map, a graph or a mesh: .map (MovingAI), .png (a picture), .tmx (Tiled), .gr (DIMACS; coordinates from a .co
    /// file beside it), .quad and .oct (a quadtree, an octree), .3dmap (voxels, as an octree), .mesh (a mesh of
    /// Polyanya), .json (a mesh of our own or of Recast), .obj (a mesh of faces), or .milepost (an index file); `-` for
    /// standard input, whose first bytes tell which
    pub(crate) map: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

impl MapArgs {
    /// Refuses options that mean nothing for a file of this kind.
    pub(crate) fn check(&self, globals: &Globals, format: Format) -> Result<(), Failure> {
        let refuse = |option: &str, wants: &str| {
            let message = format!("{option} is for {wants}, and {} is none", self.map.display());
            Err(Failure::usage("not_for_this_map", message))
        };
        if self.reading.weights.is_some() && format != Format::MovingAi {
            return refuse(
                "--weights",
                "maps of letters (.map; for a picture, --grey-weights; a map of Tiled has its own)",
            );
        }
        if self.reading.threshold.is_some() && format != Format::Picture {
            return refuse("--threshold", "pictures (.png)");
        }
        if self.reading.grey_weights && format != Format::Picture {
            return refuse("--grey-weights", "pictures (.png; for a map of letters, --weights)");
        }
        if globals.moves.is_some() && (format.is_graph() || format.is_mesh()) {
            return refuse("--moves", "maps of cells (.map, .png and .tmx)");
        }
        self.reading.tiled.check(&self.map, format)
    }

    /// How to read a picture.
    pub(crate) fn picture_options(&self) -> picture::Options {
        let default = picture::Options::default();
        picture::Options {
            threshold: self.reading.threshold.unwrap_or(default.threshold),
            has_weights: self.reading.grey_weights,
        }
    }
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
    /// Grey levels of a picture are weights: white 1, each 16 levels darker one more, rounded to the nearest, so that
    /// 160 weighs 7
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

impl TiledArgs {
    /// How to read a map of Tiled.
    pub(crate) fn options(&self) -> tiled::Options {
        let default = tiled::Options::default();
        tiled::Options {
            blocked_property: self.blocked_property.clone().unwrap_or(default.blocked_property),
            weight_property: self.weight_property.clone().unwrap_or(default.weight_property),
            blocked_layers: (!self.blocked_layer.is_empty()).then(|| self.blocked_layer.clone()),
            allow_outside: self.allow_outside,
        }
    }

    /// Refuses these options for a file of another kind; but a permission that is not needed does no harm.
    pub(crate) fn check(&self, path: &Path, format: Format) -> Result<(), Failure> {
        let given = [
            ("--blocked-property", self.blocked_property.is_some()),
            ("--weight-property", self.weight_property.is_some()),
            ("--blocked-layer", !self.blocked_layer.is_empty()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) if format != Format::Tiled => {
                let message = format!("{option} is for maps of Tiled (.tmx), and {} is none", path.display());
                Err(Failure::usage("not_for_this_map", message))
            }
            _ => Ok(()),
        }
    }
}
