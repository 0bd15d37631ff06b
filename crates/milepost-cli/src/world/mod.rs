//! A map or graph, ready to be searched.
//!
//! | file | what it holds |
//! |---|---|
//! | `places` | where a user points on it, as states |
//! | `facts` | what can be said about it |

mod facts;
mod places;

use crate::args::{Globals, MapArgs, ReadingArgs};
use crate::failure::Failure;
use crate::input::Source;
use crate::{progress, stray};
use milepost::build::{BuildError, CheckpointStore};
use milepost::index::{IndexSpec, Section};
use milepost::space::GridError;
use milepost::{Atlas, CostScale, Graph, Grid, Rule, Space};
use milepost_maps::tiled::Shape;
use milepost_maps::{Format, ReadError, ReadProblem, TileMap, TiledMap};
use std::path::Path;
use std::time::Instant;

pub(crate) use facts::MapFacts;
pub(crate) use places::first_node;

/// A map or graph that was loaded. Copies share it.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// The name of the file without its ending.
    pub(crate) name: String,
    /// The name of the file without its folder.
    pub(crate) file_name: String,
    pub(crate) atlas: Atlas,
    /// It came from an index file: what is not there is not built.
    pub(crate) is_file: bool,
    /// How long it took to build each index; those that were in a file are not listed.
    pub(crate) built: Vec<(IndexSpec, f64)>,
    /// What the cells of a map of Tiled look like.
    pub(crate) shape: Option<Shape>,
    /// What Tiled calls the first column and row of such a map.
    pub(crate) origin: Option<(i32, i32)>,
}

impl World {
    /// What is in a file. Its ending says how to read it.
    pub(crate) fn open(globals: &Globals, args: &MapArgs) -> Result<World, Failure> {
        let source = Source::open(&args.map, args.reading.format.map(Format::from))?;
        args.check(globals, source.format)?;
        let path = source.path.as_path();
        let wrap = |problem: ReadProblem| ReadError { path: path.to_owned(), problem };
        let world = match source.format {
            Format::MovingAi => {
                let map = source.map()?;
                let grid = map.grid(globals.rule()).map_err(|error| wrap(error.into()))?;
                let weights = args.reading.weights.map(|weights| weights.weights_of(&map));
                World::of(path, weighted(path, grid, weights.as_deref())?)
            }
            Format::Picture => {
                let picture = source.ground(args.picture_options())?;
                let grid = picture.map.grid(globals.rule()).map_err(|error| wrap(error.into()))?;
                World::of(path, weighted(path, grid, picture.weights.as_deref())?)
            }
            Format::Tiled => World::tiled(path, globals.moves, &source.tiled(&args.reading.tiled)?)?,
            Format::Roads => World::of(path, source.graph()?),
            Format::Tree | Format::Voxels => World::of(path, source.tree()?),
            Format::Mesh | Format::MeshJson | Format::MeshObj => {
                World::of(path, source.mesh()?.mesh().map_err(|error| wrap(error.into()))?)
            }
            Format::Index => World::indexed(&source, globals.moves)?,
        };
        match &args.reading.areas {
            Some(areas) => world.with_areas(areas),
            None => Ok(world),
        }
    }

    /// The index file of this name, whatever its ending. A map in its place is answered by the call that builds one.
    pub(crate) fn open_index(globals: &Globals, path: &Path, command: &str) -> Result<World, Failure> {
        stray::check_index(path, command)?;
        World::indexed(&Source::open(path, Some(Format::Index))?, globals.moves)
    }

    /// The map in a file, under the rule of another world.
    pub(crate) fn open_for(
        globals: &Globals,
        path: &Path,
        reading: &ReadingArgs,
        rule: Option<Rule>,
    ) -> Result<World, Failure> {
        let format = reading.format.map_or_else(|| Format::of(path), Format::from);
        let moves = if format.is_graph() || format.is_mesh() { None } else { globals.moves.or(rule) };
        let args = MapArgs { map: path.to_owned(), reading: reading.clone() };
        World::open(&Globals { moves, ..*globals }, &args)
    }

    /// What an index file holds. Its map has a rule of its own.
    fn indexed(source: &Source, moves: Option<Rule>) -> Result<World, Failure> {
        let path = source.path.as_path();
        let world = World { is_file: true, ..World::of_atlas(path, source.atlas()?) };
        match (moves, world.rule()) {
            (Some(asked), Some(rule)) if asked != rule => {
                let message = format!(
                    "--moves {asked}: the index {} was built for `{rule}`; leave --moves out, or build another",
                    path.display()
                );
                Err(Failure::usage("other_rule", message))
            }
            (Some(asked), None) => {
                let (path, kind) = (path.display(), world.kind());
                let message = format!("--moves {asked} is for maps of cells, and {path} holds {kind}");
                Err(Failure::usage("not_for_this_map", message))
            }
            _ => Ok(world),
        }
    }

    /// A map of Tiled. Hexagons lie as the map has them, and have no other rule than their own.
    pub(crate) fn tiled(path: &Path, moves: Option<Rule>, level: &TiledMap) -> Result<World, Failure> {
        let own = if let Shape::Hexagon(layout) = level.shape { Some(layout.rule()) } else { None };
        if let (Some(asked), Some(rule)) = (moves, own)
            && asked != rule
        {
            let message = format!(
                "--moves {asked}: the hexagons of {} lie as `{rule}` has them; leave --moves out, or change the map in Tiled",
                path.display()
            );
            return Err(Failure::usage("other_rule", message));
        }
        let grid = level.map.grid(moves.or(own).unwrap_or_default());
        let grid = grid.map_err(|error| ReadError { path: path.to_owned(), problem: error.into() })?;
        let world = World::of(path, weighted(path, grid, level.weights.as_deref())?);
        Ok(World { shape: Some(level.shape), origin: Some(level.origin), ..world })
    }

    /// A map that could be in a file of this name.
    pub(crate) fn new(path: &Path, map: &TileMap, rule: Rule) -> Result<World, GridError> {
        Ok(World::of(path, map.grid(rule)?))
    }

    /// A space that could be in a file of this name.
    pub(crate) fn of(path: &Path, space: impl Into<Space>) -> World {
        World::of_atlas(path, Atlas::new(space))
    }

    fn of_atlas(path: &Path, atlas: Atlas) -> World {
        let text = |name: Option<&std::ffi::OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
        World {
            name: text(path.file_stem()),
            file_name: text(path.file_name()),
            atlas,
            is_file: false,
            built: Vec::new(),
            shape: None,
            origin: None,
        }
    }

    /// Builds indexes that are not there yet, and those that they are read together with; no figures, which files alone have.
    pub(crate) fn build(&mut self, indexes: &[IndexSpec]) -> Result<(), BuildError> {
        self.build_kept(indexes, None)
    }

    /// The same, with a store that keeps what is finished.
    pub(crate) fn build_kept(
        &mut self,
        indexes: &[IndexSpec],
        store: Option<&dyn CheckpointStore>,
    ) -> Result<(), BuildError> {
        for index in indexes.iter().flat_map(|index| index.with_needs()) {
            if self.atlas.has(index) {
                continue;
            }
            let bar = progress::bar(index.to_string(), 1);
            let begin = Instant::now();
            let report = |done: u64, of: u64| {
                bar.set_length(of);
                bar.set_position(done);
            };
            self.atlas = milepost::build::add_index(&self.atlas, index, &report, store)?;
            self.built.push((index, begin.elapsed().as_secs_f64()));
            bar.finish_and_clear();
        }
        Ok(())
    }

    /// Bytes of the sections of these indexes.
    pub(crate) fn index_bytes(&self, indexes: &[IndexSpec]) -> u64 {
        let is_asked_for = |section: &&Section| indexes.iter().any(|index| section.index() == *index);
        let sections = self.atlas.sections().iter().filter(is_asked_for);
        sections.map(|section| section.bytes().len() as u64).sum()
    }

    /// How long it took to build the sections of these indexes; none for those of a file, which holds no times.
    pub(crate) fn build_seconds(&self, indexes: &[IndexSpec]) -> Option<f64> {
        let built = self.built.iter().filter(|(index, _)| indexes.contains(index));
        // A sum of nothing would be a negative zero.
        (!self.is_file).then(|| built.fold(0.0, |sum, (_, seconds)| sum + seconds))
    }

    pub(crate) fn space(&self) -> &Space {
        self.atlas.space()
    }

    pub(crate) fn grid(&self) -> Option<&Grid> {
        self.space().as_grid()
    }

    pub(crate) fn graph(&self) -> Option<&Graph> {
        self.space().as_graph()
    }

    /// The movement rule; graphs have none.
    pub(crate) fn rule(&self) -> Option<Rule> {
        self.grid().map(Grid::rule)
    }

    pub(crate) fn scale(&self) -> CostScale {
        self.space().scale()
    }
}

/// The grid with these weights, row by row.
fn weighted(path: &Path, grid: Grid, weights: Option<&[u8]>) -> Result<Grid, Failure> {
    let Some(weights) = weights else { return Ok(grid) };
    let width = grid.width() as usize;
    grid.with_weights(|x, y| weights[y as usize * width + x as usize])
        .map_err(|error| Failure::damaged(path, error.to_string()))
}
