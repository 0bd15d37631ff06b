//! A map that a page has opened, and how it is told: letters of cells, edges of graphs, polygons of meshes.

use crate::ground::Ground;
use crate::message::{Answer, block_of_f32, block_of_u32};
use milepost::space::{RandomPairs, SpaceKind};
use milepost::{Atlas, Graph, Grid, NavMesh, Position, Space, StateId};
use serde_json::{Map as Object, Value, json};

/// A start, a goal, and what the best path costs as far as a file says it.
pub(crate) type ListedProblem = (StateId, StateId, f64);

/// A map that is open.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub(crate) name: String,
    pub(crate) ground: Ground,
    /// On grids the letter of each cell, row by row.
    pub(crate) letters: Vec<u8>,
    /// How often it was edited.
    pub(crate) version: u64,
    pub(crate) problems: Vec<ListedProblem>,
}

/// Edges of graphs that are told; of road networks with more the rest is left out.
const MOST_EDGES: usize = 200_000;

/// The letter of a free cell with this weight: floor, a digit, a small letter; above that two weights share one.
pub(crate) fn letter_of_weight(weight: u8) -> u8 {
    match weight {
        0 | 1 => b'.',
        2..=9 => b'0' + weight,
        10..=35 => b'a' + (weight - 10),
        _ => 128 + (weight - 36) / 2,
    }
}

/// The weight of a letter; none for one that blocks or means nothing.
pub(crate) fn weight_of_letter(letter: u8) -> Option<u8> {
    match letter {
        b'.' | b'G' | b'S' => Some(1),
        b'2'..=b'9' => Some(letter - b'0'),
        b'a'..=b'z' => Some(letter - b'a' + 10),
        128..=237 => Some(36 + 2 * (letter - 128)),
        _ => None,
    }
}

/// Whether a letter is one that blocks.
pub(crate) fn is_wall(letter: u8) -> bool {
    matches!(letter, b'@' | b'T' | b'W' | b'O')
}

impl Map {
    /// A map of this space. Letters that are not given are floor and walls, or weights.
    pub(crate) fn new(name: &str, atlas: Atlas, letters: Option<Vec<u8>>) -> Map {
        let letters = match atlas.space().as_grid() {
            Some(grid) => letters.unwrap_or_else(|| letters_of(grid)),
            None => Vec::new(),
        };
        Map { name: name.to_owned(), ground: Ground::new(atlas), letters, version: 0, problems: Vec::new() }
    }

    pub(crate) fn space(&self) -> &Space {
        self.ground.space()
    }

    pub(crate) fn atlas(&self) -> &Atlas {
        self.ground.atlas()
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        let sections: usize = self.atlas().sections().iter().map(|section| section.bytes().len()).sum();
        self.space().bytes()
            + sections
            + self.letters.len()
            + self.problems.len() * size_of::<ListedProblem>()
    }

    /// The indexes that are there, as users name them.
    pub(crate) fn indexes(&self) -> Vec<String> {
        self.atlas().sections().iter().map(|section| section.index().to_string()).collect()
    }

    /// All that a page must know to draw it.
    pub(crate) fn told(&self, id: u64) -> Answer {
        let space = self.space();
        let answer = Answer::new(json!({
            "map": id,
            "name": self.name,
            "hash": format!("{:016x}", space.hash()),
            "free": space.states(),
            "version": self.version,
            "near": self.good_ends().map(|(from, to)| [from.number(), to.number()]),
            "indexes": self.indexes(),
            "problems": self.problems.len(),
            "links": space.as_grid().map_or(0, |grid| grid.links().len()),
        }));
        match space {
            Space::Grid(grid) => self.told_grid(grid, answer),
            Space::Mesh(mesh) => told_mesh(mesh, answer),
            _ => match space.as_graph() {
                Some(graph) => told_graph(graph, answer),
                None => answer,
            },
        }
    }

    fn told_grid(&self, grid: &Grid, answer: Answer) -> Answer {
        let stride = grid.width() + 1;
        let mut weights = Object::new();
        if grid.is_weighted() {
            let mut occurs = [false; 256];
            self.letters.iter().for_each(|letter| occurs[usize::from(*letter)] = true);
            for letter in (0..=u8::MAX).filter(|letter| occurs[usize::from(*letter)]) {
                if let Some(weight) = weight_of_letter(letter) {
                    weights.insert(char::from(letter).to_string(), json!(weight));
                }
            }
        }
        answer
            .with("kind", "grid")
            .with("width", grid.width())
            .with("height", grid.height())
            .with("stride", stride)
            .with("base", stride + 1)
            .with("rule", grid.rule().name())
            .with("weights", if weights.is_empty() { Value::Null } else { Value::Object(weights) })
            .with_block("cells", self.letters.clone())
    }

    /// Two states that make a good first problem: of some random pairs the two that lie farthest apart.
    pub(crate) fn good_ends(&self) -> Option<(StateId, StateId)> {
        let space = self.space();
        let mut pairs = RandomPairs::new(space, 7)?;
        let apart = |(from, to): (StateId, StateId)| {
            let (from, to) = (self.place(from), self.place(to));
            (from.x - to.x).hypot(from.y - to.y) + (from.z - to.z).abs()
        };
        let drawn = (0..24).map(|_| pairs.draw());
        drawn
            .map(|pair| (pair, apart(pair)))
            .max_by(|one, other| one.1.total_cmp(&other.1))
            .map(|(pair, _)| pair)
    }

    /// Where a state is drawn.
    pub(crate) fn place(&self, state: StateId) -> Position {
        let place = match self.space().as_graph() {
            Some(graph) if !graph.has_positions() && graph.extent().is_none() => None,
            _ => self.space().position(state),
        };
        place.unwrap_or_else(|| on_a_spiral(state))
    }
}

/// Where a node is drawn that lies nowhere: on a spiral, as seeds of a sunflower do.
fn on_a_spiral(state: StateId) -> Position {
    let (turn, radius) = (f64::from(state.number()) * 2.399_963, f64::from(state.number()).sqrt());
    Position::new(radius * turn.cos(), radius * turn.sin(), 0.0)
}

fn letters_of(grid: &Grid) -> Vec<u8> {
    let letter = |state: StateId| {
        if grid.is_free(state) { letter_of_weight(grid.weight(state)) } else { b'@' }
    };
    grid.all_cells().map(letter).collect()
}

fn told_graph(graph: &Graph, answer: Answer) -> Answer {
    let extent = graph.extent();
    let dims = if extent.is_some_and(|extent| !extent.is_flat()) { 3 } else { 2 };
    let ids = graph.id_bound() as u32;
    let place = |node: u32| {
        let state = StateId::new(node);
        let known = graph.has_positions() || extent.is_some();
        known.then(|| graph.position(state)).flatten().unwrap_or_else(|| on_a_spiral(state))
    };
    let positions = (0..ids).flat_map(|node| {
        let at = place(node);
        [at.x, at.y, at.z].into_iter().take(dims).map(|value| value as f32)
    });
    // An edge that leads both ways is told once.
    let has = |from: StateId, to: StateId| graph.edges_from(from).any(|edge| edge.to == to);
    let once = graph.edges().filter(|edge| edge.from < edge.to || !has(edge.to, edge.from));
    let mut edges: Vec<u32> = Vec::new();
    let mut left = 0_u64;
    for edge in once {
        if edges.len() < 2 * MOST_EDGES {
            edges.extend([edge.from.number(), edge.to.number()]);
        } else {
            left += 1;
        }
    }
    let answer = answer
        .with("kind", if extent.is_some() { "tree" } else { "graph" })
        .with("nodes", ids)
        .with("dims", dims)
        .with("left", left)
        .with_block("positions", block_of_f32(positions))
        .with_block("edges", block_of_u32(edges));
    match extent {
        None => answer,
        Some(extent) => {
            let boxes = graph
                .leaves()
                .iter()
                .flat_map(|leaf| [leaf.x, leaf.y, leaf.z, leaf.size].map(|value| value as f32));
            answer
                .with("width", extent.width)
                .with("height", extent.height)
                .with("depth", extent.depth)
                .with_block("boxes", block_of_f32(boxes))
        }
    }
}

fn told_mesh(mesh: &NavMesh, answer: Answer) -> Answer {
    let polygons = (0..mesh.polygon_count()).map(StateId::new);
    let vertices = mesh.vertices().iter().flat_map(|at| [at.x, at.y, at.z].map(|value| value as f32));
    let mut offsets = vec![0_u32];
    let mut corners = Vec::new();
    for polygon in polygons.clone() {
        corners.extend_from_slice(mesh.polygon(polygon));
        offsets.push(corners.len() as u32);
    }
    let areas: Vec<u8> = polygons.clone().flat_map(|polygon| mesh.area(polygon).to_le_bytes()).collect();
    let free: Vec<u8> = polygons.map(|polygon| u8::from(mesh.is_free(polygon))).collect();
    let names: Vec<&str> = mesh.areas().iter().map(|area| area.name.as_str()).collect();
    answer
        .with("kind", "mesh")
        .with("polygons_count", mesh.polygon_count())
        .with("y_up", mesh.is_y_up())
        .with("area_names", json!(names))
        .with_block("vertices", block_of_f32(vertices))
        .with_block("polygons", block_of_u32(offsets.into_iter().chain(corners)))
        .with_block("areas", areas)
        .with_block("open", free)
}
