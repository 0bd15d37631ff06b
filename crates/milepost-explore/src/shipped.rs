//! Maps that come with the explorer: made by generators from seeds that look good, so that nothing but this table is shipped.

use crate::fault::Fault;
use crate::maps::Map;
use milepost::{Atlas, Extent, Graph, NavMesh, Rng, Rule, Space};
use milepost_maps::{Kind, RoadFiles, TileMap, generate, mesh};

/// A map that is made when it is opened.
pub(crate) struct Shipped {
    pub(crate) key: &'static str,
    pub(crate) title: &'static str,
    pub(crate) line: &'static str,
    kind: Kind,
    pub(crate) width: u32,
    pub(crate) height: u32,
    seed: u64,
    form: Form,
}

/// What is made of the cells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Cells,
    /// Ponds and trees become ground that costs more.
    Weights,
    Mesh,
    Tree,
    /// Buildings are towers, round which one flies.
    Towers,
    /// Cells are not asked for: a network of roads with so many nodes as there are cells.
    Roads,
}

const fn shipped(
    key: &'static str,
    (title, line): (&'static str, &'static str),
    kind: Kind,
    (width, height): (u32, u32),
    seed: u64,
    form: Form,
) -> Shipped {
    Shipped { key, title, line, kind, width, height, seed, form }
}

/// Every map; the first one is what a page begins with.
pub(crate) const SHIPPED: &[Shipped] = &[
    shipped(
        "harbour",
        ("Harbour town", "streets, squares and a river under its bridges"),
        Kind::City,
        (160, 100),
        12,
        Form::Cells,
    ),
    shipped(
        "caverns",
        ("Caverns", "winding caves joined by tunnels, with dead ends that mislead"),
        Kind::Caves,
        (160, 100),
        5,
        Form::Cells,
    ),
    shipped(
        "offices",
        ("Offices", "rooms of many sizes along corridors, walls with doors"),
        Kind::Rooms,
        (128, 80),
        3,
        Form::Cells,
    ),
    shipped(
        "arena",
        ("Arena", "two bases, lanes and cover, the same from both sides"),
        Kind::Arena,
        (96, 64),
        4,
        Form::Cells,
    ),
    shipped("maze", ("Maze", "corridors one to three cells wide"), Kind::Maze, (96, 64), 9, Form::Cells),
    shipped(
        "rubble",
        ("Rubble", "a quarter of the cells blocked at random"),
        Kind::Random,
        (96, 64),
        2,
        Form::Cells,
    ),
    shipped(
        "marsh",
        ("Marsh", "caves with ground that costs three and six times as much"),
        Kind::Caves,
        (120, 80),
        21,
        Form::Weights,
    ),
    shipped(
        "navmesh",
        ("Offices as a mesh", "the same kind of rooms as convex polygons"),
        Kind::Rooms,
        (96, 64),
        17,
        Form::Mesh,
    ),
    shipped(
        "quadtree",
        ("Caverns as a quadtree", "squares of many sizes, each a state"),
        Kind::Caves,
        (128, 128),
        8,
        Form::Tree,
    ),
    shipped(
        "towers",
        ("Towers", "a town to fly through as an octree: boxes of many sizes, each a state"),
        Kind::City,
        (48, 48),
        14,
        Form::Towers,
    ),
    shipped(
        "roads",
        ("Road network", "streets and highways between two thousand crossings"),
        Kind::Random,
        (50, 40),
        6,
        Form::Roads,
    ),
    shipped(
        "metropolis",
        ("Metropolis", "a city of more than two million cells"),
        Kind::City,
        (1500, 1500),
        31,
        Form::Cells,
    ),
];

impl Shipped {
    /// What it is drawn as.
    pub(crate) fn kind(&self) -> &'static str {
        match self.form {
            Form::Cells | Form::Weights => "grid",
            Form::Mesh => "mesh",
            Form::Tree | Form::Towers => "tree",
            Form::Roads => "graph",
        }
    }

    /// The map, under a rule if it is one of cells.
    pub(crate) fn make(&self, rule: Rule) -> Result<Map, Fault> {
        let fault = |error: &dyn std::fmt::Display| Fault::new(error, "choose another map");
        if self.form == Form::Roads {
            let (roads, coordinates) = generate::roads(self.width * self.height, self.seed);
            let graph = RoadFiles { roads, coordinates }.graph().map_err(|error| fault(&error))?;
            return Ok(Map::new(self.title, Atlas::new(graph), None));
        }
        let tiles = generate(self.kind, self.width, self.height, self.seed).map_err(|error| fault(&error))?;
        let grid = tiles.grid(rule).map_err(|error| fault(&error))?;
        let space: Space = match self.form {
            Form::Tree => Graph::quadtree(&grid).map_err(|error| fault(&error))?.into(),
            Form::Mesh => {
                let parts = mesh::make::mesh(&tiles, &mesh::make::Options::default());
                let parts = parts.map_err(|error| fault(&error))?;
                NavMesh::from_parts(parts).map_err(|error| fault(&error))?.into()
            }
            Form::Towers => {
                let extent = Extent { width: self.width, height: self.height, depth: TALLEST };
                Graph::octree(extent, &towers(&tiles)).map_err(|error| fault(&error))?.into()
            }
            Form::Weights => return self.marsh(rule),
            Form::Cells | Form::Roads => grid.into(),
        };
        let letters = (self.form == Form::Cells).then(|| tiles.into_tiles());
        Ok(Map::new(self.title, Atlas::new(space), letters))
    }

    /// Water becomes ground that is dear near its middle.
    fn marsh(&self, rule: Rule) -> Result<Map, Fault> {
        let fault = |error: &dyn std::fmt::Display| Fault::new(error, "choose another map");
        let tiles = generate(self.kind, self.width, self.height, self.seed).map_err(|error| fault(&error))?;
        let (width, height) = (tiles.width() as usize, tiles.height() as usize);
        let cells = tiles.tiles();
        let is_water = |x: usize, y: usize| cells.get(y * width + x) == Some(&b'W');
        let letters = (0..width * height).map(|place| {
            let (x, y) = (place % width, place / width);
            let around = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)];
            let count = around.iter().filter(|(dx, dy)| {
                (x + dx).checked_sub(1).zip((y + dy).checked_sub(1)).is_some_and(|(x, y)| is_water(x, y))
            });
            match (is_water(x, y), count.count()) {
                (true, 8) => b'6',
                (true, _) => b'3',
                (false, 1..) if cells[place] == b'.' => b'3',
                _ => cells[place],
            }
        });
        let letters: Vec<u8> = letters.collect();
        let map = crate::open::of_letters(self.title, (self.width, self.height), letters, rule)?;
        Ok(map)
    }
}

/// Levels of a town of towers.
const TALLEST: u32 = 24;

/// The voxels of a town whose buildings rise over its map: all cells of a building as high as its first one, trees two cells.
fn towers(tiles: &TileMap) -> Vec<[u32; 3]> {
    let (width, cells) = (tiles.width() as usize, tiles.tiles());
    let mut heights = vec![0; cells.len()];
    let mut rng = Rng::new(5);
    for first in 0..cells.len() {
        if cells[first] == b'T' {
            heights[first] = 2;
        }
        if cells[first] != b'@' || heights[first] > 0 {
            continue;
        }
        let height = rng.range(3..TALLEST - 2);
        let mut stack = vec![first];
        while let Some(place) = stack.pop() {
            if cells.get(place) != Some(&b'@') || std::mem::replace(&mut heights[place], height) > 0 {
                continue;
            }
            // A building that touches the border may go on in the next row: it is as high there.
            stack.extend([place + 1, place + width]);
            stack.extend([1, width].iter().filter_map(|back| place.checked_sub(*back)));
        }
    }
    let voxel = |(place, height): (usize, &u32)| {
        let (x, y) = ((place % width) as u32, (place / width) as u32);
        (0..*height).map(move |z| [x, y, z])
    };
    heights.iter().enumerate().flat_map(voxel).collect()
}
