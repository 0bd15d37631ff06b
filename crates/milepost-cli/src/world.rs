//! A map under a movement rule, ready to be searched, and what can be said about it.

use crate::failure::Failure;
use crate::numbers::{count, counted};
use milepost::files::{self, FileError};
use milepost::maps::TileMap;
use milepost::space::GridError;
use milepost::{Atlas, CostScale, Grid, Point, Rule, StateId};
use serde::Serialize;
use std::path::Path;

/// A map that was loaded.
#[derive(Debug)]
pub(crate) struct World {
    /// The name of the file without its ending.
    pub(crate) name: String,
    /// The name of the file without its folder.
    pub(crate) file_name: String,
    pub(crate) grid: Grid,
    pub(crate) atlas: Atlas,
}

impl World {
    /// The map in a file.
    pub(crate) fn open(path: &Path, rule: Rule) -> Result<World, Failure> {
        let map = files::read_map(path)?;
        World::new(path, &map, rule)
            .map_err(|error| FileError { path: path.to_owned(), problem: error.into() }.into())
    }

    /// A map that could be in a file of this name.
    pub(crate) fn new(path: &Path, map: &TileMap, rule: Rule) -> Result<World, GridError> {
        let text = |name: Option<&std::ffi::OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
        let grid = map.grid(rule)?;
        let atlas = Atlas::new(grid.clone());
        Ok(World { name: text(path.file_stem()), file_name: text(path.file_name()), grid, atlas })
    }

    /// The state at a point that a user named.
    pub(crate) fn state_at(&self, option: &str, at: Point) -> Result<StateId, Failure> {
        self.grid.state_at(at).ok_or_else(|| {
            let (width, height) = (self.grid.width(), self.grid.height());
            let (right, bottom) = (width - 1, height - 1);
            let message = format!(
                "{option} {at} lies outside the map of {width} x {height}; expected 0,0 to {right},{bottom}"
            );
            Failure::usage("outside_map", message)
        })
    }

    /// What JSON documents say about the map.
    pub(crate) fn facts(&self) -> MapFacts {
        MapFacts {
            name: self.name.clone(),
            width: self.grid.width(),
            height: self.grid.height(),
            states: self.grid.states(),
            components: self.grid.components().count(),
            hash: format!("{:016x}", self.grid.hash()),
            scale: ScaleFacts::new(self.grid.scale()),
        }
    }

    /// The map in one line.
    pub(crate) fn headline(&self) -> String {
        format!(
            "{}: {} x {}, {}, {}, {} moves",
            self.name,
            count(self.grid.width().into()),
            count(self.grid.height().into()),
            counted(self.grid.states().into(), "free cell"),
            counted(self.grid.components().count().into(), "component"),
            self.grid.rule(),
        )
    }
}

/// The map in JSON documents.
#[derive(Serialize, Debug)]
pub(crate) struct MapFacts {
    pub(crate) name: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Free cells.
    pub(crate) states: u32,
    pub(crate) components: u32,
    /// 16 hexadecimal digits.
    pub(crate) hash: String,
    pub(crate) scale: ScaleFacts,
}

/// What costs are measured in.
#[derive(Serialize, Debug)]
pub(crate) struct ScaleFacts {
    /// Units of a straight step.
    straight: u64,
    /// Units of a diagonal step.
    diagonal: u64,
    /// Units of a cost of 1.0.
    one: u64,
    exact: bool,
}

impl ScaleFacts {
    fn new(scale: CostScale) -> ScaleFacts {
        ScaleFacts {
            straight: scale.straight(),
            diagonal: scale.diagonal(),
            one: scale.one(),
            exact: scale.is_exact(),
        }
    }

    /// The scale in a few words.
    pub(crate) fn describe(&self) -> String {
        let exact = if self.exact { "exact" } else { "exact on these integers only" };
        format!("{}/{}, {exact}", self.diagonal, self.straight)
    }
}
