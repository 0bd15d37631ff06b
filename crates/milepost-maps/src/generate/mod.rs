//! Maps from a seed: the same kind, size and seed give the same bytes on every machine, for ever.
//!
//! A kind is one file with one function. To add one: write the file, add it to [`Kind`] and to the `match` in
//! [`generate()`], and pin its hash in the tests.
//!
//! # Guarantees
//! Every map has free cells and a blocked border. A path leads from any free cell to any other, in four directions
//! already, so that this holds under every movement rule; only `random` shuts some cells in. A generator that
//! has been published never changes what a seed means: a better one gets another name.

mod arena;
mod caves;
mod city;
mod maze;
mod random;
mod reach;
mod roads;
mod rooms;

pub use roads::roads;

use crate::error::debug_as_sentence;
use thiserror::Error;

use super::tiles::{self, TileMap};
use milepost::Rng;

/// Fewer columns or rows than these make no level.
pub const MIN_SIZE: u32 = 8;

/// What kind of level to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A building: rooms of many sizes along corridors, walls with doors, pillars and pools.
    Rooms,
    /// A maze: winding corridors from one to three cells wide, with some ways around.
    Maze,
    /// Caves: winding caverns with ponds, joined by tunnels.
    Caves,
    /// A quarter of the cells blocked, at random.
    Random,
    /// A city: streets, buildings, squares, parks, and a river under its bridges.
    City,
    /// An arena for two teams: bases, lanes and cover, the same from both sides.
    Arena,
}

impl Kind {
    /// Every kind there is.
    pub const ALL: &[Kind] = &[Kind::Rooms, Kind::Maze, Kind::Caves, Kind::Random, Kind::City, Kind::Arena];

    /// The name by which users call it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Rooms => "rooms",
            Kind::Maze => "maze",
            Kind::Caves => "caves",
            Kind::Random => "random",
            Kind::City => "city",
            Kind::Arena => "arena",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Result<Kind, GenerateError> {
        let found = Kind::ALL.iter().copied().find(|kind| kind.name() == name);
        found.ok_or_else(|| GenerateError::UnknownKind { name: name.escape_debug().take(40).collect() })
    }
}

/// Why a map cannot be generated.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// No kind has this name.
    #[error("expected one of the kinds {}, found `{name}`", names())]
    UnknownKind {
        /// The name asked for.
        name: String,
    },
    /// A level needs some room.
    #[error(
        "expected a map of at least {MIN_SIZE} x {MIN_SIZE}, found {width} x {height}; ask for a larger one"
    )]
    TooSmall {
        /// The width asked for.
        width: u32,
        /// The height asked for.
        height: u32,
    },
    /// More cells than a state id can name.
    #[error("map too large: expected fewer than {limit} states, (width + 1) x (height + 2) + 1, found a map \
             of {width} x {height}; ask for a smaller one", limit = tiles::STATE_LIMIT)]
    TooLarge {
        /// The width asked for.
        width: u32,
        /// The height asked for.
        height: u32,
    },
}

debug_as_sentence!(GenerateError);

fn names() -> String {
    Kind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}

/// Makes a map.
///
/// ```
/// use milepost_maps::{Kind, generate};
/// let map = generate(Kind::Caves, 64, 32, 7)?;
/// assert_eq!((map.width(), map.height()), (64, 32));
/// # Ok::<(), milepost_maps::GenerateError>(())
/// ```
pub fn generate(kind: Kind, width: u32, height: u32, seed: u64) -> Result<TileMap, GenerateError> {
    if width < MIN_SIZE || height < MIN_SIZE {
        return Err(GenerateError::TooSmall { width, height });
    }
    if !tiles::fits(width, height) {
        return Err(GenerateError::TooLarge { width, height });
    }
    let mut rng = Rng::new(seed);
    let mut canvas = Canvas::new(width, height);
    match kind {
        Kind::Rooms => rooms::draw(&mut canvas, &mut rng),
        Kind::Maze => maze::draw(&mut canvas, &mut rng),
        Kind::Caves => caves::draw(&mut canvas, &mut rng),
        Kind::Random => random::draw(&mut canvas, &mut rng),
        Kind::City => city::draw(&mut canvas, &mut rng),
        Kind::Arena => arena::draw(&mut canvas, &mut rng),
    }
    Ok(TileMap::from_checked(width, height, canvas.tiles))
}

/// A map being drawn: everything is rock until something is carved.
struct Canvas {
    width: usize,
    height: usize,
    tiles: Vec<u8>,
}

const FLOOR: u8 = b'.';
const GROUND: u8 = b'G';
const ROCK: u8 = b'@';
const TREES: u8 = b'T';
const WATER: u8 = b'W';

impl Canvas {
    fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width as usize, height as usize);
        Canvas { width, height, tiles: vec![ROCK; width * height] }
    }

    /// Draws a rectangle; the cells `left..right` and `top..bottom`.
    fn fill(&mut self, area: Area, letter: u8) {
        for y in area.top..area.bottom {
            let begin = y as usize * self.width;
            self.tiles[begin + area.left as usize..begin + area.right as usize].fill(letter);
        }
    }

    fn get(&self, x: u32, y: u32) -> u8 {
        self.tiles[y as usize * self.width + x as usize]
    }

    fn set(&mut self, x: u32, y: u32, letter: u8) {
        self.tiles[y as usize * self.width + x as usize] = letter;
    }
}

/// A rectangle of cells: columns `left..right`, rows `top..bottom`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Area {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Area {
    fn width(&self) -> u32 {
        self.right - self.left
    }

    fn height(&self) -> u32 {
        self.bottom - self.top
    }

    /// Its columns, or else its rows, from the `from`-th up to the `to`-th.
    fn slice(&self, is_columns: bool, from: u32, to: u32) -> Area {
        if is_columns {
            Area { left: self.left + from, right: self.left + to, ..*self }
        } else {
            Area { top: self.top + from, bottom: self.top + to, ..*self }
        }
    }

    /// Columns and rows exchanged.
    fn turned(&self) -> Area {
        Area { left: self.top, top: self.left, right: self.bottom, bottom: self.right }
    }
}

/// Sets of things that are connected already: rooms, caverns (union-find with path halving).
struct Forest {
    parent: Vec<usize>,
}

impl Forest {
    /// `count` sets of one thing each.
    fn new(count: usize) -> Self {
        Forest { parent: (0..count).collect() }
    }

    /// Joins two sets; false if they were one already.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
        a != b
    }

    fn root(&mut self, mut thing: usize) -> usize {
        while self.parent[thing] != thing {
            self.parent[thing] = self.parent[self.parent[thing]];
            thing = self.parent[thing];
        }
        thing
    }
}

#[cfg(test)]
mod tests;
