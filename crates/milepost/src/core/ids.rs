//! Names for the things a search talks about: states, points, positions, versions of a space.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place an agent can be: a cell of a grid or a node of a graph.
///
/// Ids are dense enough to index an array. On grids an id is the position in the padded rectangle, so that it
/// stays the same when cells are opened and closed.
///
/// ```
/// use milepost::{Atlas, Grid, Point, Rule, StateId};
///
/// let atlas = Atlas::new(Grid::from_ascii("..\n..", Rule::Octile)?);
/// let cell: StateId = atlas.state_at(Point::new(1, 0)).expect("inside the map");
/// assert_eq!(atlas.space().point(cell), Point::new(1, 0)); // and back
/// let mut visits = vec![0; atlas.space().id_bound()]; // ids are places in an array
/// visits[cell.index()] += 1;
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[repr(transparent)]
pub struct StateId(u32);

impl StateId {
    /// The number that no state has; parents of start states are this.
    pub const NONE: StateId = StateId(u32::MAX);

    /// The state with this number.
    #[inline]
    pub const fn new(number: u32) -> StateId {
        StateId(number)
    }

    /// The number of this state.
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The number as an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// `None` for [`StateId::NONE`].
    #[inline]
    pub fn known(self) -> Option<StateId> {
        (self != StateId::NONE).then_some(self)
    }
}

impl fmt::Display for StateId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "#{}", self.0)
    }
}

/// A place on the plane, origin top left, y downwards. It may lie outside every map.
///
/// Shown by [`StateId`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// Column, counted from the left.
    pub x: i64,
    /// Row, counted from the top.
    pub y: i64,
}

impl Point {
    /// The point in column `x` and row `y`.
    pub const fn new(x: i64, y: i64) -> Point {
        Point { x, y }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{},{}", self.x, self.y)
    }
}

/// A place in space as users see it: x to the east, y to the south, z upwards. Nothing is decided by comparing positions;
/// costs and states do that.
///
/// The position of a cell is its coordinates, (x, y, 0), and stands for the middle of the cell, as a [`Point`] does in a
/// straightened path: no caller has to know whether halves were added. Hexagons have their column and row, not the
/// place where they are drawn.
///
/// ```
/// use milepost::{Atlas, Grid, Point, Position, Rule, Scratch};
///
/// let atlas = Atlas::new(Grid::from_ascii("....", Rule::Octile)?);
/// let mut scratch = Scratch::new();
/// atlas.path(Point::new(0, 0), Point::new(3, 0), &mut scratch);
/// assert_eq!(scratch.path().points(), [Position::new(0.0, 0.0, 0.0), Position::new(3.0, 0.0, 0.0)]);
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Position {
    /// East.
    pub x: f64,
    /// South.
    pub y: f64,
    /// Up.
    pub z: f64,
}

impl Position {
    /// The position with these coordinates.
    pub const fn new(x: f64, y: f64, z: f64) -> Position {
        Position { x, y, z }
    }
}

/// Which version of which map something was made for. A version is what the map holds, not how it came to hold it: the
/// same map by other edits, or saved and opened again, is the same version.
///
/// ```
/// use milepost::{Edit, Grid, Point, Rule, SpaceKind, Version};
///
/// let open = Grid::from_ascii("...", Rule::Octile)?;
/// let door = Point::new(1, 0);
/// let shut = open.edited(&[Edit::close(door)])?;
/// let (before, after): (Version, Version) = (open.version(), shut.version());
/// assert!(before != after && before.is_same_map(after));
/// assert_eq!(shut.edited(&[Edit::open(door)])?.version(), before); // what counts is what the map holds
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Version {
    /// Fingerprint of what no edit changes.
    map: u64,
    /// Fingerprint of the content.
    content: u64,
}

impl Version {
    /// The version with this content of the map of this frame.
    pub(crate) const fn new(map: u64, content: u64) -> Version {
        Version { map, content }
    }

    /// Whether edits could lead from one to the other: the same kind of space under the same rule, on grids of the same
    /// size.
    pub fn is_same_map(self, other: Version) -> bool {
        self.map == other.map
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:016x}", self.content)
    }
}
