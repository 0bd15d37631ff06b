//! Where a user points on a map, as states: cells, nodes, and places in trees. Those on meshes are in `on_mesh.rs`.

use super::World;
use crate::failure::Failure;
use crate::place::Place;
use milepost::space::SpaceKind;
use milepost::{Graph, Point, Position, StateId};

impl World {
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
                    None if ["--from", "--to"].contains(&option) => {
                        "; --snap moves it to the nearest free cell".to_owned()
                    }
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
}

/// The number of the first node: files of roads count from 1, those of trees from 0.
pub(crate) fn first_node(graph: &Graph) -> u32 {
    u32::from(graph.extent().is_none())
}
