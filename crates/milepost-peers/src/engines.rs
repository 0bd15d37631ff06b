//! The engines, each behind the same few calls.

use fast_paths::{FastGraph, InputGraph, PathCalculator};
use grid_pathfinding::PathingGrid;
use grid_util::ValueGrid;
use hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache, PathCacheConfig};
use milepost::build::{SILENT, add_index};
use milepost::search::Expander;
use milepost::space::SpaceKind;
use milepost::{AnyPlanner, Atlas, Budget, Grid, Outcome, Point, Query, Rule, Scratch, Space, StateId};
use milepost_maps::TileMap;

/// The other engines by name.
pub(crate) const PEERS: [&str; 4] =
    ["pathfinding", "fast_paths", "grid_pathfinding", "hierarchical_pathfinding"];

/// Something that finds paths on a map.
pub(crate) trait Engine {
    /// Finds a path with all its cells and keeps it. This is what is timed.
    fn find(&mut self, start: StateId, goal: StateId) -> bool;

    /// Finds a path and keeps its turning points alone, if the engine has such paths. Timed as well.
    fn find_turns(&mut self, _: StateId, _: StateId) -> Option<bool> {
        None
    }

    /// What it keeps for this map, if it knows; else what it asked for while it was built is counted, on one thread.
    fn known_bytes(&self) -> Option<i64> {
        None
    }

    /// The cells of the path, start and goal included.
    fn cells(&self) -> Vec<Point>;

    /// The rule by which its paths are judged.
    fn rule(&self) -> Rule {
        Rule::Octile
    }

    /// What a reader of its figures must know.
    fn remark(&self) -> &'static str {
        ""
    }
}

/// Builds an engine of another house.
pub(crate) fn peer(name: &str, tiles: &TileMap, grid: &Grid) -> Result<Box<dyn Engine>, String> {
    match name {
        "pathfinding" => {
            Ok(Box::new(Astar { grid: grid.clone(), space: grid.clone().into(), path: Vec::new() }))
        }
        "fast_paths" => Ok(Box::new(Hierarchy::new(grid))),
        "grid_pathfinding" => Ok(Box::new(Jumping::new(tiles, grid))),
        "hierarchical_pathfinding" => Ok(Box::new(Chunks::new(tiles, grid))),
        _ => Err(format!("there is no peer `{name}`; there are {}", PEERS.join(", "))),
    }
}

/// One of Milepost's planners.
pub(crate) struct Ours {
    planner: AnyPlanner,
    atlas: Atlas,
    scratch: Scratch,
    cells: Vec<StateId>,
}

impl Ours {
    pub(crate) fn new(planner: AnyPlanner, tiles: &TileMap) -> Result<Ours, String> {
        let grid = tiles.grid(Rule::Octile).map_err(|error| error.to_string())?;
        let mut atlas = Atlas::new(grid);
        for &kind in planner.needs() {
            atlas = add_index(&atlas, kind, SILENT, None).map_err(|error| error.to_string())?;
        }
        if let Some(refusal) = planner.refusal(&atlas) {
            return Err(refusal.said_of("a planner"));
        }
        Ok(Ours { planner, atlas, scratch: Scratch::new(), cells: Vec::new() })
    }

    fn plan(&mut self, start: StateId, goal: StateId) -> bool {
        let query = Query::new(start, goal);
        let outcome = self.planner.plan(&self.atlas, &query, &mut self.scratch, &mut Budget::unlimited());
        matches!(outcome, Outcome::Found { .. })
    }
}

impl Engine for Ours {
    fn find(&mut self, start: StateId, goal: StateId) -> bool {
        let is_found = self.plan(start, goal);
        self.atlas.space().write_cells(self.scratch.path(), &mut self.cells);
        is_found
    }

    fn find_turns(&mut self, start: StateId, goal: StateId) -> Option<bool> {
        Some(self.plan(start, goal))
    }

    fn known_bytes(&self) -> Option<i64> {
        let sections = self.atlas.sections().iter().map(|section| section.bytes().len());
        Some((self.atlas.space().bytes() + sections.sum::<usize>()) as i64)
    }

    fn cells(&self) -> Vec<Point> {
        self.cells.iter().map(|&state| self.atlas.space().point(state)).collect()
    }
}

/// The A* of `pathfinding` with Milepost's neighbours, costs and estimate.
struct Astar {
    grid: Grid,
    /// The same grid.
    space: Space,
    path: Vec<StateId>,
}

impl Engine for Astar {
    fn find(&mut self, start: StateId, goal: StateId) -> bool {
        let (straight, diagonal) = (self.grid.scale().straight(), self.grid.scale().diagonal());
        let moves = self.space.problem(goal);
        let target = self.grid.point(goal);
        let found = pathfinding::directed::astar::astar(
            &start,
            |&state| {
                let mut children = [(StateId::NONE, 0); 8];
                let mut count = 0;
                moves.expand(state, None, |child, cost| {
                    children[count] = (child, cost.units());
                    count += 1;
                });
                children.into_iter().take(count)
            },
            |&state| {
                let at = self.grid.point(state);
                let (dx, dy) = (at.x.abs_diff(target.x), at.y.abs_diff(target.y));
                dx.max(dy) * straight + dx.min(dy) * (diagonal - straight)
            },
            |&state| state == goal,
        );
        self.path.clear();
        let is_found = found.is_some();
        self.path.extend(found.into_iter().flat_map(|(path, _)| path));
        is_found
    }

    fn cells(&self) -> Vec<Point> {
        self.path.iter().map(|&state| self.grid.point(state)).collect()
    }

    fn remark(&self) -> &'static str {
        "its astar, given Milepost's neighbours and estimate: nothing to build"
    }
}

/// The contraction hierarchy of `fast_paths`: the same costs on the graph of all steps.
struct Hierarchy {
    graph: FastGraph,
    calculator: PathCalculator,
    /// Nodes are numbered without gaps.
    node_of: Vec<u32>,
    points: Vec<Point>,
    path: Vec<usize>,
}

impl Hierarchy {
    fn new(grid: &Grid) -> Hierarchy {
        let mut node_of = vec![u32::MAX; grid.id_bound()];
        let mut points = Vec::new();
        for state in grid.free_states() {
            node_of[state.index()] = points.len() as u32;
            points.push(grid.point(state));
        }
        let mut input = InputGraph::new();
        let node = |state: StateId| node_of[state.index()] as usize;
        let space = Space::from(grid.clone());
        for state in grid.free_states() {
            space.problem(state).expand(state, None, |child, cost| {
                input.add_edge(node(state), node(child), cost.units() as usize);
            });
        }
        input.freeze();
        let graph = fast_paths::prepare(&input);
        let calculator = fast_paths::create_calculator(&graph);
        Hierarchy { graph, calculator, node_of, points, path: Vec::new() }
    }
}

impl Engine for Hierarchy {
    fn find(&mut self, start: StateId, goal: StateId) -> bool {
        let node = |state: StateId| self.node_of[state.index()] as usize;
        let found = self.calculator.calc_path(&self.graph, node(start), node(goal));
        self.path.clear();
        let is_found = found.is_some();
        self.path.extend(found.iter().flat_map(|path| path.get_nodes()));
        is_found
    }

    fn cells(&self) -> Vec<Point> {
        self.path.iter().map(|&node| self.points[node]).collect()
    }

    fn remark(&self) -> &'static str {
        "a contraction hierarchy over all steps with the same costs"
    }
}

/// The jump point search of `grid_pathfinding`.
struct Jumping {
    pathing: PathingGrid,
    grid: Grid,
    path: Vec<grid_util::point::Point>,
}

impl Jumping {
    fn new(tiles: &TileMap, grid: &Grid) -> Jumping {
        let (width, height) = (tiles.width(), tiles.height());
        let mut pathing = PathingGrid::new(width as usize, height as usize, false);
        for y in 0..height {
            for x in (0..width).filter(|&x| !tiles.is_passable(x, y)) {
                pathing.set(x as i32, y as i32, true);
            }
        }
        pathing.generate_components();
        Jumping { pathing, grid: grid.clone(), path: Vec::new() }
    }
}

impl Engine for Jumping {
    fn find(&mut self, start: StateId, goal: StateId) -> bool {
        let point = |state| {
            let at = self.grid.point(state);
            grid_util::point::Point::new(at.x as i32, at.y as i32)
        };
        let found = self.pathing.get_path_single_goal(point(start), point(goal), false);
        let is_found = found.is_some();
        self.path = found.unwrap_or_default();
        is_found
    }

    fn cells(&self) -> Vec<Point> {
        self.path.iter().map(|at| Point::new(at.x.into(), at.y.into())).collect()
    }

    fn rule(&self) -> Rule {
        Rule::OctileCutting
    }

    fn remark(&self) -> &'static str {
        "jump point search with steps of 70 and 99; cuts corners, an easier problem: judged by `octile-cutting`"
    }
}

/// The chunks of `hierarchical_pathfinding`.
struct Chunks {
    cache: PathCache<MooreNeighborhood>,
    tiles: TileMap,
    grid: Grid,
    start: Point,
    path: Vec<(usize, usize)>,
}

/// Every free tile costs the same.
fn tile_cost(tiles: &TileMap, (x, y): (usize, usize)) -> isize {
    if tiles.is_passable(x as u32, y as u32) { 1 } else { -1 }
}

impl Chunks {
    fn new(tiles: &TileMap, grid: &Grid) -> Chunks {
        let size = (tiles.width() as usize, tiles.height() as usize);
        let neighborhood = MooreNeighborhood::new(size.0, size.1);
        let cost = |at| tile_cost(tiles, at);
        let cache = PathCache::new(size, cost, neighborhood, PathCacheConfig::default());
        Chunks { cache, tiles: tiles.clone(), grid: grid.clone(), start: Point::default(), path: Vec::new() }
    }
}

impl Engine for Chunks {
    fn find(&mut self, start: StateId, goal: StateId) -> bool {
        self.start = self.grid.point(start);
        let tile = |at: Point| (at.x as usize, at.y as usize);
        let cost = |at| tile_cost(&self.tiles, at);
        let found = self.cache.find_path(tile(self.start), tile(self.grid.point(goal)), cost);
        let is_found = found.is_some();
        self.path = found.map(|path| path.resolve(cost)).unwrap_or_default();
        is_found
    }

    fn cells(&self) -> Vec<Point> {
        let rest = self.path.iter().map(|&(x, y)| Point::new(x as i64, y as i64));
        std::iter::once(self.start).chain(rest).collect()
    }

    fn rule(&self) -> Rule {
        Rule::OctileCutting
    }

    fn remark(&self) -> &'static str {
        "chunks of 8 x 8, not optimal by design; cuts corners and counts a diagonal step as 1: judged by `octile-cutting`"
    }
}
