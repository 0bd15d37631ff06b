//! A map or graph, ready to be searched, and what can be said about it.

use crate::args::{Globals, MapArgs, ReadingArgs, TiledArgs};
use crate::failure::Failure;
use crate::input::Source;
use crate::numbers::{count, counted};
use crate::output;
use crate::place::Place;
use crate::progress;
use milepost::build::{BuildError, CheckpointStore};
use milepost::index::{IndexSpec, Section};
use milepost::space::GridError;
use milepost::space::SpaceKind;
use milepost::{Atlas, CostScale, Graph, Grid, Point, Position, Rule, Space, StateId};
use milepost_maps::tiled::{self, Shape};
use milepost_maps::{Format, ReadError, ReadProblem, TileMap, TiledMap, picture};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

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
        check_options(globals, args, source.format)?;
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
                let picture = source.picture(args.picture_options())?;
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

    /// The index file of this name, whatever its ending.
    pub(crate) fn open_index(globals: &Globals, path: &Path) -> Result<World, Failure> {
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
                let holds = if world.mesh().is_some() { "mesh" } else { "graph" };
                let message =
                    format!("--moves {asked} is for maps of cells, and {} holds a {holds}", path.display());
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

    /// A state as users spell it.
    pub(crate) fn place(&self, state: StateId) -> Place {
        match self.space().as_grid() {
            Some(grid) => Place::Cell(grid.point(state)),
            None => Place::Node(state.number()),
        }
    }

    /// The state at a place that a user named.
    pub(crate) fn state_at(&self, option: &str, place: Place) -> Result<StateId, Failure> {
        match (self.grid(), self.graph(), place) {
            (Some(grid), _, Place::Cell(at)) => grid.state_at(at).ok_or_else(|| {
                let (width, height) = (grid.width(), grid.height());
                let (right, bottom) = (width - 1, height - 1);
                // Most often the two were swapped.
                let swapped = Point::new(at.y, at.x);
                let hint = match grid.state_at(swapped) {
                    Some(_) => format!("; X comes first, from the left: did you mean {swapped}?"),
                    None => String::new(),
                };
                Failure::usage(
                    "outside_map",
                    format!(
                        "{option} {at} lies outside the map of {width} x {height}; expected 0,0 to {right},{bottom}{hint}"
                    ),
                )
            }),
            (_, Some(graph), Place::Node(id)) => {
                let state = StateId::new(id);
                if graph.is_free(state) {
                    return Ok(state);
                }
                let (first, last) = (first_node(graph), graph.id_bound().saturating_sub(1));
                let message =
                    format!("{option} #{id} is no node of {}; expected #{first} to #{last}", self.name);
                Err(Failure::usage("outside_map", message))
            }
            (_, Some(graph), Place::Cell(_) | Place::Voxel(_) | Place::Spot(_))
                if graph.extent().is_some() =>
            {
                // A blocked cell is in no leaf: a state that is none is blocked, too.
                let cell = self.tree_cell(option, place)?;
                Ok(graph.leaf_at(cell).unwrap_or(StateId::NONE))
            }
            (None, None, _) => {
                let meant = self.end_at(option, place, false)?;
                Ok(self.first_state(meant))
            }
            (Some(_), _, Place::Spot(_)) => {
                let message = format!(
                    "{option} {place} is a point of a mesh, but {} is a map of cells; expected X,Y in whole numbers",
                    self.name
                );
                Err(Failure::usage("wrong_place", message))
            }
            (Some(_), _, Place::Voxel(_)) => {
                let message =
                    format!("{option} {place} is a voxel, but {} is a map of cells; expected X,Y", self.name);
                Err(Failure::usage("wrong_place", message))
            }
            (Some(_), _, Place::Node(_)) => {
                let message = format!("{option} {place} is a node, but {} is a map of cells; expected X,Y, such as 0,0", self.name);
                Err(Failure::usage("wrong_place", message))
            }
            _ => {
                let message = format!("{option} {place} is a cell, but {} is a graph; expected the number of a node, such as #1", self.name);
                Err(Failure::usage("wrong_place", message))
            }
        }
    }

    /// The cell of a tree at a place that a user named.
    fn tree_cell(&self, option: &str, place: Place) -> Result<[i64; 3], Failure> {
        let Some(extent) = self.graph().and_then(Graph::extent) else {
            let message = format!("{option} {place} is a cell, but {} is a graph; expected #ID", self.name);
            return Err(Failure::usage("wrong_place", message));
        };
        let cell = match place {
            Place::Cell(at) if extent.is_flat() => [at.x, at.y, 0],
            Place::Voxel(at) if !extent.is_flat() => at,
            _ => {
                let expected = if extent.is_flat() {
                    "a quadtree; expected X,Y in whole numbers"
                } else {
                    "an octree; expected X,Y,Z in whole numbers"
                };
                let message = format!("{option} {place}: {} is {expected} or #ID", self.name);
                return Err(Failure::usage("wrong_place", message));
            }
        };
        if extent.holds(cell) {
            return Ok(cell);
        }
        let (right, bottom, top) = (extent.width - 1, extent.height - 1, extent.depth.saturating_sub(1));
        let (size, last) = match extent.is_flat() {
            true => (format!("{} x {}", extent.width, extent.height), format!("0,0 to {right},{bottom}")),
            false => (
                format!("{} x {} x {}", extent.width, extent.height, extent.depth),
                format!("0,0,0 to {right},{bottom},{top}"),
            ),
        };
        let message = format!("{option} {place} lies outside the tree of {size}; expected {last}");
        Err(Failure::usage("outside_map", message))
    }

    /// Whether a place is a cell of a tree that no leaf holds, or a point of a mesh that no free polygon holds.
    pub(crate) fn is_blocked_at(&self, place: Place) -> bool {
        if self.mesh().is_some() {
            return self.is_blocked_on_mesh(place);
        }
        let cell = self.tree_cell("", place).ok();
        !matches!(place, Place::Node(_))
            && self.graph().zip(cell).is_some_and(|(graph, cell)| graph.leaf_at(cell).is_none())
    }

    /// A place in a tree or on a mesh, moved to the nearest free one.
    pub(crate) fn snapped_place(&self, place: Place) -> Place {
        self.free_near(place).filter(|_| self.is_blocked_at(place)).unwrap_or(place)
    }

    /// The free cell of a tree that is nearest to a cell of it, or the free place of a mesh.
    pub(crate) fn free_near(&self, place: Place) -> Option<Place> {
        if self.mesh().is_some() {
            return self.free_place_near(place);
        }
        let graph = self.graph()?;
        let cell = self.tree_cell("", place).ok()?;
        let leaf = graph.leaves()[graph.nearest_leaf(cell)?.index()];
        let into = |at: i64, low: u32| at.clamp(low.into(), i64::from(low) + i64::from(leaf.size) - 1);
        let near = [into(cell[0], leaf.x), into(cell[1], leaf.y), into(cell[2], leaf.z)];
        Some(match graph.extent()?.is_flat() {
            true => Place::Cell(Point::new(near[0], near[1])),
            false => Place::Voxel(near),
        })
    }

    /// Where a path over a tree begins or ends: the middle of the cell that a user named, or that of a leaf.
    pub(crate) fn middle_in_tree(&self, place: Place, state: StateId) -> Option<Position> {
        let extent = self.graph()?.extent()?;
        let half = |at: i64| at as f64 + 0.5;
        match place {
            Place::Node(_) | Place::Spot(_) => self.space().position(state),
            Place::Cell(at) => Some(Position::new(half(at.x), half(at.y), 0.0)),
            Place::Voxel([x, y, z]) => {
                Some(Position::new(half(x), half(y), if extent.is_flat() { 0.0 } else { half(z) }))
            }
        }
    }

    /// The free state nearest to a place that a user named; where nothing is free, the place itself, if it lies on the map.
    pub(crate) fn snapped(&self, option: &str, place: Place) -> Result<StateId, Failure> {
        if self.graph().is_some_and(|graph| graph.extent().is_some()) {
            return self.state_at(option, self.snapped_place(place));
        }
        let Some(grid) = self.grid() else {
            let message = format!("--snap is for maps of cells, and {} is a graph", self.name);
            return Err(Failure::usage("not_for_this_map", message));
        };
        match place {
            Place::Cell(at) => grid.nearest_free(at).map_or_else(|| self.state_at(option, place), Ok),
            Place::Node(_) | Place::Voxel(_) | Place::Spot(_) => self.state_at(option, place),
        }
    }

    /// What JSON documents say about the map.
    pub(crate) fn facts(&self) -> MapFacts {
        let space = self.space();
        let extent = self.graph().and_then(Graph::extent);
        MapFacts {
            name: self.name.clone(),
            width: self.grid().map(Grid::width).or(extent.map(|extent| extent.width)),
            height: self.grid().map(Grid::height).or(extent.map(|extent| extent.height)),
            states: space.states(),
            edges: self.graph().map(Graph::edge_count),
            components: space.component_count(),
            hash: format!("{:016x}", space.hash()),
            scale: ScaleFacts::new(self.scale()),
        }
    }

    /// The map in one line.
    pub(crate) fn headline(&self) -> String {
        let components = counted(self.space().component_count().into(), "component");
        let states = u64::from(self.space().states());
        match (self.space().as_grid(), self.space().as_graph()) {
            (Some(grid), _) => format!(
                "{}: {} x {}, {}, {components}, {}{} moves",
                self.name,
                count(grid.width().into()),
                count(grid.height().into()),
                counted(states, "free cell"),
                if grid.is_weighted() { "weighted " } else { "" },
                grid.rule(),
            ),
            (_, Some(graph)) if graph.extent().is_some() => format!(
                "{}: {}, {}, {}, {components}",
                self.name,
                tree_size(graph),
                counted(states, "leaf").replace("leafs", "leaves"),
                counted(graph.edge_count() as u64, "edge"),
            ),
            (None, None) => format!(
                "{}: a mesh, {}, {}, {components}",
                self.name,
                counted(states, "free polygon"),
                counted(self.mesh().map_or(0, |mesh| mesh.portal_count().into()), "portal"),
            ),
            (_, graph) => format!(
                "{}: a graph, {}, {}, {components}",
                self.name,
                counted(states, "node"),
                counted(graph.map_or(0, |graph| graph.edge_count() as u64), "edge"),
            ),
        }
    }

    /// A cost with as many decimals as it can have; those of most graphs are whole numbers.
    pub(crate) fn show_cost(&self, cost: f64, decimals: usize) -> String {
        let is_whole = self.graph().is_some_and(|graph| graph.units_of_one() == 1);
        let decimals = if is_whole { 0 } else { decimals };
        format!("{cost:.decimals$}")
    }
}

/// The number of the first node: files of roads count from 1, those of trees from 0.
pub(crate) fn first_node(graph: &Graph) -> u32 {
    u32::from(graph.extent().is_none())
}

/// A tree in a few words.
fn tree_size(graph: &Graph) -> String {
    match graph.extent() {
        Some(extent) if extent.is_flat() => {
            format!("a quadtree of {} x {} cells", count(extent.width.into()), count(extent.height.into()))
        }
        Some(extent) => format!(
            "an octree of {} x {} x {} voxels",
            count(extent.width.into()),
            count(extent.height.into()),
            count(extent.depth.into())
        ),
        None => "a graph".to_owned(),
    }
}

/// The map in a .tmx file. A note tells the user if nothing says what is blocked.
pub(crate) fn read_tiled(path: &Path, args: &TiledArgs) -> Result<TiledMap, Failure> {
    let level = milepost_maps::read_tiled(path, &args.options())?;
    note_unmarked(path, args, &level);
    Ok(level)
}

/// Tells the user if nothing says what is blocked.
pub(crate) fn note_unmarked(path: &Path, args: &TiledArgs, level: &TiledMap) {
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

/// The grid with these weights, row by row.
fn weighted(path: &Path, grid: Grid, weights: Option<&[u8]>) -> Result<Grid, Failure> {
    let Some(weights) = weights else { return Ok(grid) };
    let width = grid.width() as usize;
    grid.with_weights(|x, y| weights[y as usize * width + x as usize])
        .map_err(|error| Failure::damaged(path, error.to_string()))
}

/// Refuses options that mean nothing for a file of this kind.
fn check_options(globals: &Globals, args: &MapArgs, format: Format) -> Result<(), Failure> {
    let refuse = |option: &str, wants: &str| {
        let message = format!("{option} is for {wants}, and {} is none", args.map.display());
        Err(Failure::usage("not_for_this_map", message))
    };
    if args.reading.weights.is_some() && format != Format::MovingAi {
        return refuse(
            "--weights",
            "maps of letters (.map; for a picture, --grey-weights; a map of Tiled has its own)",
        );
    }
    if args.reading.threshold.is_some() && format != Format::Picture {
        return refuse("--threshold", "pictures (.png)");
    }
    if args.reading.grey_weights && format != Format::Picture {
        return refuse("--grey-weights", "pictures (.png; for a map of letters, --weights)");
    }
    if globals.moves.is_some() && (format.is_graph() || format.is_mesh()) {
        return refuse("--moves", "maps of cells (.map, .png and .tmx)");
    }
    args.reading.tiled.check(&args.map, format)
}

impl MapArgs {
    /// How to read a picture.
    fn picture_options(&self) -> picture::Options {
        let default = picture::Options::default();
        picture::Options {
            threshold: self.reading.threshold.unwrap_or(default.threshold),
            has_weights: self.reading.grey_weights,
        }
    }
}

/// The map in JSON documents.
#[derive(Serialize, Debug)]
pub(crate) struct MapFacts {
    pub(crate) name: String,
    /// None for a graph that is no tree, as is the height.
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    /// Free cells, or nodes.
    pub(crate) states: u32,
    /// Of a graph only.
    pub(crate) edges: Option<usize>,
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
        if self.straight == self.diagonal {
            let parts = self.one / self.straight.max(1);
            let numbers = match parts {
                1 => "whole numbers".to_owned(),
                2 => "halves".to_owned(),
                parts => format!("1/{parts} of a unit"),
            };
            return format!("{numbers}, {exact}");
        }
        format!("{}/{}, {exact}", self.diagonal, self.straight)
    }
}
