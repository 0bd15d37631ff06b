//! Maps, graphs and trees.

use super::{Arrays, file, golden, number, numbers};
use milepost::space::SpaceKind;
use milepost::{Atlas, Point, files};
use xxhash_rust::xxh3::xxh3_64;

/// "The map" of a grid, in columns and rows of the padded rectangle.
pub(crate) struct Map {
    pub(crate) width: i64,
    pub(crate) height: i64,
    pub(crate) free: Vec<bool>,
}

pub(crate) type Cell = (i64, i64);

pub(super) const STEPS: [Cell; 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

pub(super) fn ahead((column, row): Cell, direction: usize, steps: i64) -> Cell {
    (column + STEPS[direction % 8].0 * steps, row + STEPS[direction % 8].1 * steps)
}

impl Map {
    pub(super) fn new(arrays: &Arrays) -> Map {
        let size = numbers(&arrays[0], 4);
        let (words, cells) = (numbers(&arrays[1], 8), (size[0] * size[1]) as usize);
        assert_eq!(words.len(), cells.div_ceil(64));
        let bit = |cell: usize| words[cell / 64] >> (cell % 64) & 1 == 1;
        assert!((cells..words.len() * 64).all(|cell| !bit(cell)));
        Map { width: size[0] as i64, height: size[1] as i64, free: (0..cells).map(bit).collect() }
    }

    pub(super) fn is_free(&self, (column, row): Cell) -> bool {
        let is_inside = (1..=self.width).contains(&column) && (1..=self.height).contains(&row);
        is_inside && self.free[((row - 1) * self.width + column - 1) as usize]
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> {
        let all = (1..=self.height).flat_map(|row| (1..=self.width).map(move |column| (column, row)));
        all.filter(|&cell| self.is_free(cell))
    }

    pub(super) fn may_step(&self, from: Cell, direction: usize) -> bool {
        let beside = [ahead(from, direction + 7, 1), ahead(from, direction + 1, 1)];
        let is_diagonal = direction % 2 == 1;
        self.is_free(ahead(from, direction, 1))
            && (!is_diagonal || beside.into_iter().all(|at| self.is_free(at)))
    }

    /// Whether a straight step to a cell makes it a jump point.
    fn is_jump_point_for(&self, at: Cell, direction: usize) -> bool {
        let before = ahead(at, direction, -1);
        let side = |turn| {
            !self.is_free(ahead(before, direction + turn, 1)) && self.is_free(ahead(at, direction + turn, 1))
        };
        self.is_free(at) && self.is_free(before) && (side(2) || side(6))
    }

    pub(super) fn is_jump_point(&self, at: Cell) -> bool {
        [0, 2, 4, 6].into_iter().any(|direction| self.is_jump_point_for(at, direction))
    }

    /// Steps to the next jump point in a direction, or minus the steps to the wall.
    pub(super) fn jump(&self, from: Cell, direction: usize) -> i64 {
        let mut steps = 0;
        while self.may_step(ahead(from, direction, steps), direction) {
            steps += 1;
            let at = ahead(from, direction, steps);
            let is_one = if direction.is_multiple_of(2) {
                self.is_jump_point_for(at, direction)
            } else {
                [direction + 7, direction + 1].into_iter().any(|beside| self.jump(at, beside % 8) > 0)
            };
            if is_one {
                return steps;
            }
        }
        -steps
    }

    /// "Fingerprint".
    pub(super) fn hash(&self) -> u64 {
        let ids = (self.width + 1) * (self.height + 2) + 1;
        let mut words = vec![0_u64; (ids / 64 + 2) as usize];
        for (column, row) in self.cells() {
            let id = row * (self.width + 1) + column;
            words[(id / 64) as usize] |= 1 << (id % 64);
        }
        let mut bytes = (self.width as u32).to_le_bytes().to_vec();
        bytes.extend((self.height as u32).to_le_bytes());
        bytes.extend(words.into_iter().flat_map(u64::to_le_bytes));
        xxh3_64(&bytes)
    }
}

/// What it costs at least to go from one cell to another, by the costs of a straight and of a diagonal step.
pub(super) fn octile([straight, diagonal]: [u64; 2], (x, y): Cell, (u, v): Cell) -> u64 {
    let (wide, high) = (x.abs_diff(u), y.abs_diff(v));
    straight * wide.max(high) + (diagonal - straight) * wide.min(high)
}

/// Whether one cell sees another: diagonal steps first.
pub(crate) fn sees_on(map: &Map, mut at: Cell, to: Cell) -> bool {
    while at != to {
        let next = (at.0 + (to.0 - at.0).signum(), at.1 + (to.1 - at.1).signum());
        if ![next, (next.0, at.1), (at.0, next.1)].into_iter().all(|cell| map.is_free(cell)) {
            return false;
        }
        at = next;
    }
    true
}

/// "Fingerprint" of a graph: what is hashed of each.
fn graph_bytes(arrays: &Arrays) -> Vec<u8> {
    let (nodes, edges) = (number(&arrays[0], 0, 4), numbers(&arrays[2], 4));
    let mut bytes = b"graph".to_vec();
    bytes.extend(nodes.to_le_bytes());
    bytes.extend(&arrays[1]);
    for node in 0..=nodes {
        let before = edges.chunks(3).filter(|edge| edge[0] < node).count() as u32;
        bytes.extend(before.to_le_bytes());
    }
    let ends = edges.chunks(3).flat_map(|edge| [edge[1] as u32, edge[2] as u32]);
    bytes.extend(ends.flat_map(u32::to_le_bytes));
    bytes.extend(&arrays[3]);
    bytes
}

#[test]
fn the_weights_and_the_graphs_of_a_file_are_where_the_page_says() {
    let weighted = file(&files::read(&golden("rooms-40x28-3-weights.milepost")).expect("a golden file"));
    let arrays = &weighted.sections[&1];
    let atlas = Atlas::open(golden("rooms-40x28-3-weights.milepost")).expect("a sound file");
    let grid = atlas.space().as_grid().expect("a grid");
    assert_eq!((weighted.rule, weighted.sections.len(), arrays[2].len()), (4, 1, 40 * 28));
    for (index, &weight) in arrays[2].iter().enumerate() {
        let at = Point::new(index as i64 % 40, index as i64 / 40);
        assert_eq!(grid.weight(grid.state_at(at).expect("a cell")), weight);
    }

    let roads = file(&files::read(&golden("roads-120-4.milepost")).expect("a golden file"));
    assert_eq!((roads.rule, roads.kinds[0], roads.sections.len()), (0, 2, 1));
    let arrays = &roads.sections[&2];
    let atlas = Atlas::open(golden("roads-120-4.milepost")).expect("a sound file");
    let graph = atlas.space().as_graph().expect("a graph");
    let nodes = number(&arrays[0], 0, 4) as usize;
    assert_eq!((arrays[1].len(), arrays[1].iter().filter(|&&byte| byte == 1).count()), (nodes, 120));
    let edges: Vec<(u64, u64, u64)> =
        numbers(&arrays[2], 4).chunks(3).map(|edge| (edge[0], edge[1], edge[2])).collect();
    let said: Vec<(u64, u64, u64)> = graph
        .edges()
        .map(|edge| (edge.from.number().into(), edge.to.number().into(), edge.cost.into()))
        .collect();
    assert_eq!(edges, said);
    assert!(edges.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    assert_eq!(arrays[3].len(), 12 * nodes);
    let bytes = graph_bytes(arrays);
    assert_eq!((xxh3_64(&bytes), roads.hash), (roads.hash, graph.hash()));
}

#[test]
fn the_leaves_of_a_tree_are_where_the_page_says() {
    let grid =
        milepost::Grid::from_ascii("......\n....@.\n......", milepost::Rule::Octile).expect("a small map");
    let graph = milepost::Graph::quadtree(&grid).expect("a small tree");
    let tree = file(&Atlas::new(graph.clone()).to_bytes());
    let arrays = &tree.sections[&2];
    assert_eq!((arrays.len(), numbers(&arrays[4], 4)), (6, vec![65536, 6, 3, 0]));
    let leaves: Vec<u64> = numbers(&arrays[5], 4);
    let said = graph.leaves().iter().flat_map(|leaf| [leaf.x, leaf.y, leaf.z, leaf.size]);
    assert_eq!(leaves, said.map(u64::from).collect::<Vec<u64>>());
    // Coordinates are twice the centres.
    for (leaf, place) in leaves.chunks(4).zip(numbers(&arrays[3], 4).chunks(3)) {
        assert_eq!(place, [2 * leaf[0] + leaf[3], 2 * leaf[1] + leaf[3], 0]);
    }
    let mut bytes = graph_bytes(arrays);
    bytes.extend(b"scale");
    bytes.extend(65536_u32.to_le_bytes());
    bytes.extend(b"leaves");
    bytes.extend(&arrays[4][4..]);
    bytes.extend(&arrays[5]);
    assert_eq!((xxh3_64(&bytes), tree.hash), (tree.hash, graph.hash()));
}
