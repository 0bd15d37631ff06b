//! docs/index-format.md against the golden files: a reader written from that page alone, which finds what the library
//! says. It uses nothing of the library's reader; only the answers are compared.

use milepost::index::{IndexKind, IndexSpec, NextMove};
use milepost::space::SpaceKind;
use milepost::{Atlas, Budget, Outcome, Point, Query, Scratch, files};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../milepost-cli/tests/golden").join(name)
}

pub(crate) fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    bytes[at..at + size].iter().rev().fold(0, |number, &byte| number * 256 + u64::from(byte))
}

pub(crate) fn numbers(bytes: &[u8], size: usize) -> Vec<u64> {
    assert_eq!(bytes.len() % size, 0);
    bytes.chunks(size).map(|chunk| number(chunk, 0, size)).collect()
}

fn aligned(end: usize) -> usize {
    end.div_ceil(64) * 64
}

/// The arrays of a section, each with its bytes.
pub(crate) type Arrays = Vec<Vec<u8>>;

/// "The file", "A section".
struct File {
    hash: u64,
    rule: u64,
    scale: Vec<u64>,
    /// By kind.
    sections: HashMap<u64, Arrays>,
    /// In the order of the file.
    kinds: Vec<u64>,
}

fn file(bytes: &[u8]) -> File {
    assert_eq!(&bytes[..8], b"MILEPOST");
    assert_eq!((number(bytes, 8, 4), number(bytes, 16, 8)), (2, bytes.len() as u64));
    let count = number(bytes, 12, 4) as usize;
    assert_eq!(number(bytes, 36, 4), 0);
    let table_end = 64 + 32 * count;
    assert_eq!(number(bytes, table_end, 8), xxh3_64(&bytes[..table_end]));
    let mut end = table_end + 8;
    let (mut sections, mut keys) = (HashMap::new(), Vec::new());
    for entry in bytes[64..table_end].chunks(32) {
        let (kind, view, parameter) = (number(entry, 0, 2), number(entry, 2, 2), number(entry, 4, 4));
        let (offset, length) = (number(entry, 8, 8) as usize, number(entry, 16, 8) as usize);
        assert_eq!((offset, view), (aligned(end), 0));
        assert!(parameter == 0 || [22, 23, 26].contains(&kind), "{kind}: {parameter}");
        assert!(bytes[end..offset].iter().all(|&byte| byte == 0));
        end = offset + length;
        let section = &bytes[offset..end];
        assert_eq!(number(entry, 24, 8), xxh3_64(section));
        keys.push((kind, parameter, view));
        sections.insert(kind, arrays(section));
    }
    assert_eq!(end, bytes.len());
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:?}");
    let scale = numbers(&bytes[40..64], 8);
    let kinds = keys.into_iter().map(|(kind, _, _)| kind).collect();
    File { hash: number(bytes, 24, 8), rule: number(bytes, 32, 4), scale, sections, kinds }
}

pub(crate) fn arrays(section: &[u8]) -> Arrays {
    let count = number(section, 0, 8) as usize;
    let mut end = 8 + 16 * count;
    let mut arrays = Vec::new();
    for index in 0..count {
        let at = 8 + 16 * index;
        let (offset, length) = (number(section, at, 8) as usize, number(section, at + 8, 8) as usize);
        assert_eq!(offset, aligned(end));
        assert!(section[end..offset].iter().all(|&byte| byte == 0));
        end = offset + length;
        arrays.push(section[offset..end].to_vec());
    }
    assert_eq!(end, section.len());
    arrays
}

/// "The map" of a grid, in columns and rows of the padded rectangle.
pub(crate) struct Map {
    pub(crate) width: i64,
    pub(crate) height: i64,
    pub(crate) free: Vec<bool>,
}

pub(crate) type Cell = (i64, i64);

const STEPS: [Cell; 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

fn ahead((column, row): Cell, direction: usize, steps: i64) -> Cell {
    (column + STEPS[direction % 8].0 * steps, row + STEPS[direction % 8].1 * steps)
}

impl Map {
    fn new(arrays: &Arrays) -> Map {
        let size = numbers(&arrays[0], 4);
        let (words, cells) = (numbers(&arrays[1], 8), (size[0] * size[1]) as usize);
        assert_eq!(words.len(), cells.div_ceil(64));
        let bit = |cell: usize| words[cell / 64] >> (cell % 64) & 1 == 1;
        assert!((cells..words.len() * 64).all(|cell| !bit(cell)));
        Map { width: size[0] as i64, height: size[1] as i64, free: (0..cells).map(bit).collect() }
    }

    fn is_free(&self, (column, row): Cell) -> bool {
        let is_inside = (1..=self.width).contains(&column) && (1..=self.height).contains(&row);
        is_inside && self.free[((row - 1) * self.width + column - 1) as usize]
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> {
        let all = (1..=self.height).flat_map(|row| (1..=self.width).map(move |column| (column, row)));
        all.filter(|&cell| self.is_free(cell))
    }

    fn may_step(&self, from: Cell, direction: usize) -> bool {
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

    fn is_jump_point(&self, at: Cell) -> bool {
        [0, 2, 4, 6].into_iter().any(|direction| self.is_jump_point_for(at, direction))
    }

    /// Steps to the next jump point in a direction, or minus the steps to the wall.
    fn jump(&self, from: Cell, direction: usize) -> i64 {
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
    fn hash(&self) -> u64 {
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

/// "Cells, directions and the curve".
fn place(levels: u32, x: i64, y: i64, mut turn: i64) -> (u64, i64) {
    let mut number = 0;
    for level in (0..levels).rev() {
        let (mut column, mut row) = (x >> level & 1, y >> level & 1);
        if turn & 2 != 0 {
            (column, row) = (1 - column, 1 - row);
        }
        if turn & 1 != 0 {
            (column, row) = (row, column);
        }
        number = 4 * number + ((3 * column) ^ row) as u64;
        if row == 0 {
            turn = turn ^ 1 ^ (2 * column);
        }
    }
    (number, turn)
}

/// "`jump-table`".
struct Table {
    /// Of every free cell.
    numbers: HashMap<Cell, usize>,
    values: Vec<[i8; 8]>,
}

impl Table {
    fn new(map: &Map, arrays: &Arrays) -> Table {
        let k = (map.width + 2).max(map.height + 2).max(8) as u64;
        let k = k.next_power_of_two().ilog2();
        let mut along: Vec<Cell> = map.cells().collect();
        along.sort_by_key(|&(column, row)| place(k, column, row, 0).0);
        let numbers: HashMap<Cell, usize> = along.iter().copied().zip(0..).collect();
        let points: Vec<Cell> = along.iter().copied().filter(|&cell| map.is_jump_point(cell)).collect();
        let (in_row, in_column) = ((map.width + 2 + 7) / 8, (map.height + 2 + 7) / 8);
        assert_eq!(arrays[0].len() as i64, 24 * in_row * in_column);
        let (mut cells_seen, mut points_seen) = (0, 0);
        for (index, square) in arrays[0].chunks(24).enumerate() {
            let (first_column, first_row) = (index as i64 % in_row * 8, index as i64 / in_row * 8);
            let turn = place(k - 3, first_column / 8, first_row / 8, 0).1;
            let (free, jump_points) = (number(square, 0, 8), number(square, 8, 8));
            let (free_before, points_before) = (number(square, 16, 4), number(square, 20, 4));
            assert_eq!((free_before >> 30) as i64, turn);
            let free_before = (free_before & ((1 << 30) - 1)) as usize;
            for inside in 0..64 {
                let cell = (first_column + inside % 8, first_row + inside / 8);
                let bit = place(3, inside % 8, inside / 8, turn).0;
                let lower = (1_u64 << bit) - 1;
                assert_eq!(free >> bit & 1 == 1, map.is_free(cell), "{cell:?}");
                assert_eq!(jump_points >> bit & 1 == 1, map.is_jump_point(cell), "{cell:?}");
                if map.is_free(cell) {
                    assert_eq!(numbers[&cell], free_before + (free & lower).count_ones() as usize);
                    cells_seen += 1;
                }
                if map.is_jump_point(cell) {
                    let point = points_before as usize + (jump_points & lower).count_ones() as usize;
                    assert_eq!(points[point], cell);
                    points_seen += 1;
                }
            }
        }
        assert_eq!((cells_seen, points_seen), (numbers.len(), points.len()));
        let values = arrays[1].chunks(8).map(|chunk| std::array::from_fn(|at| chunk[at] as i8)).collect();
        Table { numbers, values }
    }

    /// What the values say, read on where they say so.
    fn jump(&self, mut from: Cell, direction: usize) -> i64 {
        let mut steps = 0;
        loop {
            let value = i64::from(self.values[self.numbers[&from]][direction]);
            if value != -127 {
                return if value > 0 { steps + value } else { value - steps };
            }
            steps += 127;
            from = ahead(from, direction, 127);
        }
    }
}

#[test]
fn sections_stand_in_increasing_order_of_kind() {
    // Built from a list in another order, of kinds whose order in version 1 was not that of their numbers.
    let name = "caves-40x30-5-several.milepost";
    let bytes = files::read(&golden(name)).expect("a golden file");
    assert_eq!(file(&bytes).kinds, [1, 16, 21, 22, 23, 24, 25, 64]);
    let atlas = Atlas::open(golden(name)).expect("a file that follows the page is read");
    assert!(atlas.to_bytes() == bytes, "written again, it is the same");
}

#[test]
fn figures_are_read_as_the_page_says_and_tell_what_planners_take() {
    let name = "caves-40x30-5-several.milepost";
    let file = file(&files::read(&golden(name)).expect("a golden file"));
    let atlas = Atlas::open(golden(name)).expect("a sound file");
    let array = match file.sections[&64].as_slice() {
        [array] => array,
        arrays => panic!("{} arrays", arrays.len()),
    };
    assert_eq!(array.len() % 48, 0);
    let mut scratch = Scratch::new();
    let mut names = Vec::new();
    for line in array.chunks(48) {
        let name = std::str::from_utf8(&line[..32]).expect("letters").trim_end_matches('\0').to_owned();
        let planner = milepost::catalog::planner(&name).expect("a planner");
        let (units, problems) = (number(line, 32, 8), number(line, 40, 4));
        assert_eq!((problems, number(line, 44, 4)), (200, 0));
        let mut pairs = milepost::space::RandomPairs::new(atlas.space(), 0).expect("connected cells");
        let mut budget = Budget::unlimited();
        for _ in 0..problems {
            let (start, goal) = pairs.draw();
            planner.plan(&atlas, &Query::new(start, goal), &mut scratch, &mut budget);
        }
        assert_eq!(budget.spent(), units, "{name}");
        names.push(name);
    }
    assert_eq!(names, ["corner-hierarchy", "corner-labels", "jps", "jps-plus"]);
}

#[test]
fn a_reader_written_from_the_page_finds_what_the_library_says() {
    for (name, rule) in [("rooms-40x28-3.milepost", 1), ("caves-40x30-5-octile14.milepost", 2)] {
        let bytes = files::read(&golden(name)).expect(name);
        assert!(bytes.len() < 100_000, "{name} is too large for a golden file");
        let file = file(&bytes);
        assert_eq!((file.rule, file.kinds[0]), (rule, 1));
        let map = Map::new(&file.sections[&1]);
        let table = Table::new(&map, &file.sections[&16]);
        let labels = CornerLabels::new(&map, &file.sections[&25]);
        assert_eq!(map.hash(), file.hash);

        let atlas = Atlas::open(golden(name)).expect(name);
        let space = atlas.space();
        assert_eq!((space.hash(), space.states() as usize), (file.hash, table.numbers.len()));
        let scale = space.scale();
        assert_eq!(file.scale, [scale.straight(), scale.diagonal(), scale.one()]);
        for cell in map.cells() {
            for direction in 0..8 {
                assert_eq!(table.jump(cell, direction), map.jump(cell, direction), "{cell:?} {direction}");
            }
        }
        let state = |cell: Cell| atlas.state_at(Point::new(cell.0 - 1, cell.1 - 1)).expect("a cell");
        let mut scratch = Scratch::new();
        let cells: Vec<Cell> = map.cells().collect();
        let mut compared = 0;
        for (from, to) in
            cells.iter().step_by(13).flat_map(|a| cells.iter().step_by(7).map(move |b| (*a, *b)))
        {
            let Outcome::Found { .. } = atlas.path(state(from), state(to), &mut scratch) else { continue };
            let found = labels.cost(&map, from, to).expect("a path") as f64 / labels.costs[0] as f64;
            let said = scratch.path().cost_f64();
            assert!((found - said).abs() < 1e-4 * (1.0 + said), "{from:?} {to:?}: {found} {said}");
            compared += 1;
        }
        assert!(compared > 4000, "{name}: {compared}");
    }
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
    // "Fingerprint" of a graph.
    let mut bytes = b"graph".to_vec();
    bytes.extend((nodes as u64).to_le_bytes());
    bytes.extend(&arrays[1]);
    for node in 0..=nodes as u64 {
        bytes.extend((edges.iter().filter(|edge| edge.0 < node).count() as u32).to_le_bytes());
    }
    bytes.extend(edges.iter().flat_map(|edge| [edge.1 as u32, edge.2 as u32]).flat_map(u32::to_le_bytes));
    bytes.extend(&arrays[3]);
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
    // "Fingerprint" of a graph.
    let nodes = number(&arrays[0], 0, 4);
    let edges: Vec<u64> = numbers(&arrays[2], 4);
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
    bytes.extend(b"scale");
    bytes.extend(65536_u32.to_le_bytes());
    bytes.extend(b"leaves");
    bytes.extend(&arrays[4][4..]);
    bytes.extend(&arrays[5]);
    assert_eq!((xxh3_64(&bytes), tree.hash), (tree.hash, graph.hash()));
}

/// Square, lane and number of every free cell.
fn places(map: &Map, squares: &[u8]) -> HashMap<Cell, (usize, usize, usize)> {
    let k = (map.width + 2).max(map.height + 2).max(8) as u64;
    let k = k.next_power_of_two().ilog2();
    let in_row = (map.width + 2).div_euclid(8) + i64::from((map.width + 2) % 8 != 0);
    let mut places = HashMap::new();
    for (column, row) in map.cells() {
        let square = (row / 8 * in_row + column / 8) as usize;
        let record = &squares[16 * square..][..16];
        let (free, before) = (number(record, 0, 8), number(record, 8, 4));
        let turn = place(k - 3, column / 8, row / 8, 0).1;
        assert_eq!(before >> 30, turn as u64);
        let lane = place(3, column % 8, row % 8, turn).0;
        assert_eq!(free >> lane & 1, 1);
        let below = (free & ((1 << lane) - 1)).count_ones() as u64;
        places.insert((column, row), (square, lane as usize, ((before & 0x3fff_ffff) + below) as usize));
    }
    places
}

/// "`first-moves`" of a grid, in squares.
struct Moves {
    /// Patch, lane and number of every free cell.
    places: HashMap<Cell, (usize, usize, usize)>,
    heads: Vec<u64>,
    words: Vec<u64>,
    allowed: HashMap<Cell, u8>,
}

impl Moves {
    fn new(map: &Map, arrays: &Arrays) -> Moves {
        let states = map.cells().count();
        assert_eq!(numbers(&arrays[0], 4), [1, 0, states as u64, 0]);
        let k = (map.width + 2).max(map.height + 2).max(8) as u64;
        let k = k.next_power_of_two().ilog2();
        let in_row = (map.width + 2).div_euclid(8) + i64::from((map.width + 2) % 8 != 0);
        let (mut places, mut allowed, mut along) = (HashMap::new(), HashMap::new(), Vec::new());
        for (column, row) in map.cells() {
            let square = (row / 8 * in_row + column / 8) as usize;
            let patch = number(&arrays[1], 4 * square, 4) as usize;
            let record = &arrays[2][136 * patch..][..136];
            let cell = number(record, 8 + 2 * (row % 8 * 8 + column % 8) as usize, 2);
            assert_eq!(cell >> 6 & 3, 2);
            let at = number(record, 0, 4) + (cell & 63);
            let lane = (row % 8 / 4 * 2 + column % 8 / 4) * 16 + row % 4 * 4 + column % 4;
            places.insert((column, row), (patch, lane as usize, at as usize));
            allowed.insert((column, row), (cell >> 8) as u8);
            // Along the curve.
            let (square, turn) = place(k - 3, column / 8, row / 8, 0);
            along.push((square, place(3, column % 8, row % 8, turn).0, at));
        }
        along.sort_unstable();
        assert!(along.iter().map(|cell| cell.2).eq(0..states as u64));
        assert_eq!(arrays[2].len() / 136, arrays[3].len() / 8);
        Moves { places, heads: numbers(&arrays[3], 4), words: numbers(&arrays[4], 2), allowed }
    }

    fn symbol(&self, from: Cell, to: Cell) -> u64 {
        let ((patch, lane, _), (_, _, target)) = (self.places[&from], self.places[&to]);
        let (begin, shape) = (4 * self.heads[2 * patch] as usize, self.heads[2 * patch + 1]);
        let (i, l, q) = (shape & 31, 16 - (shape & 31), (shape >> 12) as usize);
        assert_eq!(shape >> 5 & 127, 0, "an ordinary row");
        // A run begins at the place in its bucket.
        let buckets = ((self.places.len() - 1) >> l) + 1;
        let directory = &self.words[begin..=begin + buckets];
        let runs = &self.words[begin + buckets + 1..begin + directory[buckets] as usize];
        let first = |run: usize| {
            let bucket = (0..buckets)
                .rfind(|&bucket| directory[bucket] as usize <= buckets + 1 + run)
                .expect("a bucket");
            (bucket << l) + (runs[run] >> i) as usize
        };
        let run = (0..runs.len()).rfind(|&run| first(run) <= target).expect("a run");
        let pattern = (runs[run] & ((1 << i) - 1)) as usize;
        let two = self.words[begin - 4 * q - 2 * (pattern + 1) + lane / 32];
        let quarter = (two >> (lane / 16 % 2 * 8) & 255) as usize;
        self.words[begin - 4 * (quarter + 1) + lane % 16 / 4] >> (lane % 4 * 4) & 15
    }

    /// Where the first move leads.
    fn next(&self, map: &Map, from: Cell, to: Cell) -> Cell {
        let may = |direction: usize| self.allowed[&from] >> direction & 1 == 1;
        assert!((0..8).all(|direction| may(direction) == map.may_step(from, direction)));
        let symbol = self.symbol(from, to) as usize;
        if symbol < 8 {
            return ahead(from, symbol, 1);
        }
        assert_eq!(symbol, 8);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (along_columns, along_rows) = ((dx.signum(), 0), (0, dy.signum()));
        let is_wide = dx.abs() >= dy.abs();
        let (longer, shorter) =
            if is_wide { (along_columns, along_rows) } else { (along_rows, along_columns) };
        let direction = |step: Cell| STEPS.iter().position(|other| *other == step);
        let tries = [(dx.signum(), dy.signum()), longer, shorter];
        let taken = tries.into_iter().filter_map(direction).find(|&direction| may(direction));
        ahead(from, taken.expect("a greedy move"), 1)
    }
}

#[test]
fn first_moves_are_where_the_page_says() {
    let name = "caves-40x30-5-moves.milepost";
    let file = file(&files::read(&golden(name)).expect("a golden file"));
    let map = Map::new(&file.sections[&1]);
    let moves = Moves::new(&map, &file.sections[&20]);
    let atlas = Atlas::open(golden(name)).expect("a sound file");
    let state = |cell: Cell| atlas.state_at(Point::new(cell.0 - 1, cell.1 - 1)).expect("a cell");
    let cells: Vec<Cell> = map.cells().collect();
    let mut compared = 0;
    for (from, to) in cells.iter().step_by(5).flat_map(|a| cells.iter().step_by(3).map(move |b| (*a, *b))) {
        if let NextMove::Move(next) = atlas.next_move(state(from), state(to)) {
            assert_eq!(state(moves.next(&map, from, to)), next, "{from:?} {to:?}");
            compared += 1;
        }
    }
    assert!(compared > 10_000, "{compared}");
}

/// "`corner-hierarchy`".
struct Corners {
    corner_cells: Vec<Cell>,
    /// For each corner, the corner that an edge leads up to, what it costs, and its middle.
    edges: Vec<Vec<(usize, u64, u64)>>,
    lists: Vec<(Vec<usize>, usize)>,
    shift: u64,
}

pub(crate) fn octile14(a: Cell, b: Cell) -> u64 {
    octile([10, 14], a, b)
}

fn octile([straight, diagonal]: [u64; 2], (x, y): Cell, (u, v): Cell) -> u64 {
    let (wide, high) = (x.abs_diff(u), y.abs_diff(v));
    straight * wide.max(high) + (diagonal - straight) * wide.min(high)
}

impl Corners {
    fn new(map: &Map, arrays: &Arrays) -> Corners {
        let header = numbers(&arrays[0], 4);
        assert_eq!((&header[..2], header[5]), (&[10, 14][..], 2));
        let (number_bytes, excess_bytes) = (header[3] as usize, header[4] as usize);
        let corner_cells: Vec<Cell> = arrays[1]
            .chunks(4)
            .map(|packed| (number(packed, 0, 2) as i64, number(packed, 2, 2) as i64))
            .collect();
        let firsts = numbers(&arrays[2], 4);
        let (targets, middles) = (numbers(&arrays[3], number_bytes), numbers(&arrays[4], number_bytes));
        let excesses = numbers(&arrays[5], excess_bytes);
        let edge = |corner: usize, edge: u64| {
            let to = targets[edge as usize] as usize;
            let cost = octile14(corner_cells[corner], corner_cells[to]) + 2 * excesses[edge as usize];
            (to, cost, middles[edge as usize])
        };
        let edges_of =
            |corner: usize| (firsts[corner]..firsts[corner + 1]).map(|at| edge(corner, at)).collect();
        let edges = (0..corner_cells.len()).map(edges_of).collect();
        // Row by row.
        let mut by_place: Vec<usize> = (0..corner_cells.len()).collect();
        by_place.sort_unstable_by_key(|&corner| (corner_cells[corner].1, corner_cells[corner].0));
        let stored = numbers(&arrays[6], number_bytes);
        assert!(stored.iter().map(|&corner| corner as usize).eq(by_place.iter().copied()));
        for (row, first) in numbers(&arrays[7], 4).into_iter().enumerate() {
            let before = by_place.iter().filter(|&&corner| corner_cells[corner].1 < row as i64).count();
            assert_eq!(first, before as u64, "row {row} of {}", map.height);
        }
        let (starts, all) = (numbers(&arrays[8], 4), numbers(&arrays[10], number_bytes));
        let list = |(block, ends): (usize, &[u64])| {
            let corners = all[ends[0] as usize..ends[1] as usize].iter().map(|&corner| corner as usize);
            (corners.collect(), usize::from(arrays[9][block]))
        };
        let lists: Vec<(Vec<usize>, usize)> = starts.windows(2).enumerate().map(list).collect();
        assert_eq!(arrays[11].len(), lists.len() * (header[6] as usize + 1));
        Corners { corner_cells, edges, lists, shift: header[2] }
    }

    /// What it costs to come from a cell up to each corner, beginning with those that it sees.
    fn up(&self, sees: impl Fn(Cell) -> bool, from: Cell) -> Vec<u64> {
        let begin = |packed: &Cell| if sees(*packed) { octile14(from, *packed) } else { u64::MAX / 4 };
        let mut costs: Vec<u64> = self.corner_cells.iter().map(begin).collect();
        for corner in 0..costs.len() {
            for &(to, cost, _) in &self.edges[corner] {
                costs[to] = costs[to].min(costs[corner] + cost);
            }
        }
        costs
    }
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

#[test]
fn corners_are_where_the_page_says() {
    let name = "caves-40x30-5-corners.milepost";
    let file = file(&files::read(&golden(name)).expect("a golden file"));
    let map = Map::new(&file.sections[&1]);
    let corners = Corners::new(&map, &file.sections[&24]);
    for (corner, edges) in corners.edges.iter().enumerate() {
        for &(to, cost, middle) in edges {
            let (here, there) = (corners.corner_cells[corner], corners.corner_cells[to]);
            match middle {
                0xffff => assert!(sees_on(&map, here, there) && cost == octile14(here, there)),
                0xfffe => assert!(sees_on(&map, there, here) && cost == octile14(here, there)),
                middle => {
                    let half = |end| {
                        corners.edges[middle as usize].iter().find(|edge| edge.0 == end).expect("half").1
                    };
                    assert_eq!(cost, half(corner) + half(to));
                }
            }
        }
    }
    let across = (map.width >> corners.shift) + 1;
    let atlas = Atlas::open(golden(name)).expect("a sound file");
    let (mut scratch, mut compared) = (Scratch::new(), 0);
    let cells: Vec<Cell> = map.cells().collect();
    for &from in &cells {
        let (list, sure) =
            &corners.lists[((from.1 >> corners.shift) * across + (from.0 >> corners.shift)) as usize];
        assert!(list[..*sure].iter().all(|&corner| sees_on(&map, from, corners.corner_cells[corner])));
    }
    for (from, to) in cells.iter().step_by(17).flat_map(|a| cells.iter().step_by(13).map(move |b| (*a, *b))) {
        let state = |cell: Cell| atlas.state_at(Point::new(cell.0 - 1, cell.1 - 1)).expect("a cell");
        let Outcome::Found { cost, .. } = atlas.path(state(from), state(to), &mut scratch) else { continue };
        if sees_on(&map, from, to) || sees_on(&map, to, from) {
            assert_eq!(cost.units(), octile14(from, to));
            continue;
        }
        let seen_from = |end: Cell| corners.up(|packed| sees_on(&map, end, packed), end);
        let (up, down) = (seen_from(from), seen_from(to));
        let least = up.iter().zip(&down).map(|(up, down)| up + down).min();
        assert_eq!(least, Some(cost.units()), "{from:?} {to:?}");
        compared += 1;
    }
    assert!(compared > 500, "{compared}");
}

/// "`corner-labels`".
struct CornerLabels<'a> {
    arrays: &'a Arrays,
    /// Of a straight and of a diagonal step.
    costs: [u64; 2],
    corners: Vec<Cell>,
    /// For each corner, hub and distance of its entries.
    labels: Vec<Vec<(u64, u64)>>,
    /// For each corner, the places in its label where the middle begins and ends.
    middles: Vec<(usize, usize)>,
}

impl CornerLabels<'_> {
    fn new<'a>(map: &Map, arrays: &'a Arrays) -> CornerLabels<'a> {
        let header = numbers(&arrays[0], 4);
        assert_eq!((header[6], header[10]), (8, 2));
        let costs = [number(&arrays[0], 0, 8), number(&arrays[0], 8, 8)];
        let record = |corner: usize, place: usize| number(&arrays[1], 56 * corner + 4 * place, 4);
        let count = arrays[1].len() / 56 - 1;
        let corners: Vec<Cell> =
            (0..count).map(|corner| (record(corner, 0) as i64, record(corner, 1) as i64)).collect();
        let (entries, turns) = (numbers(&arrays[2], 8), numbers(&arrays[3], 4));
        let field = |entry: u64, from: u64, bits: u64| entry >> from & ((1 << bits) - 1);
        let read = |at: u64| {
            let entry = entries[at as usize];
            let (hub, place, turn) = (header[7], header[8], header[9]);
            let rest = entry >> (hub + place + turn);
            (field(entry, 0, hub), field(entry, hub, place), field(entry, hub + place, turn), rest)
        };
        let mut hubs = HashMap::new();
        for (corner, &here) in corners.iter().enumerate() {
            for at in record(corner, 2)..record(corner + 1, 2) {
                let (hub, place, turn, distance) = read(at);
                assert!(distance <= number(&arrays[0], 16, 8));
                if distance == 0 {
                    assert_eq!(hubs.insert(hub, corner), None);
                    continue;
                }
                let turn = turns[(record(corner, 5) + turn) as usize];
                let (next, there) = (turn as usize / 2, corners[turn as usize / 2]);
                assert!(if turn % 2 == 1 { sees_on(map, there, here) } else { sees_on(map, here, there) });
                let (same_hub, _, _, rest) = read(record(next, 2) + place);
                assert_eq!((same_hub, rest + octile(costs, here, there)), (hub, distance));
            }
        }
        assert_eq!(hubs.len(), count);
        let label = |corner: usize| {
            let entries = record(corner, 2)..record(corner + 1, 2);
            entries.map(|at| (read(at).0, read(at).3)).collect()
        };
        let middle = |corner: usize| {
            let place = |number: usize| (record(corner, number) - record(corner, 2)) as usize;
            (place(3), place(4))
        };
        let (labels, middles) = ((0..count).map(label).collect(), (0..count).map(middle).collect());
        CornerLabels { arrays, costs, corners, labels, middles }
    }

    /// The corners that a cell lists, and their sides.
    fn listed(&self, map: &Map, cell: Cell) -> Vec<(usize, u64)> {
        let block = (cell.1 >> 4) * ((map.width >> 4) + 1) + (cell.0 >> 4);
        let block = number(&self.arrays[4], 4 * block as usize, 4);
        let square = 16 * block as usize + ((cell.1 >> 2 & 3) * 4 + (cell.0 >> 2 & 3)) as usize;
        let (first, end) =
            (number(&self.arrays[5], 4 * square, 4), number(&self.arrays[5], 4 * square + 4, 4));
        let bit = (cell.1 & 3) * 4 + (cell.0 & 3);
        let is_own = |at: &u64| number(&self.arrays[7], 2 * *at as usize, 2) >> bit & 1 == 1;
        let member = |at: u64| number(&self.arrays[6], 2 * at as usize, 2);
        (first..end).filter(is_own).map(|at| (member(at) as usize / 4, member(at) % 4)).collect()
    }

    /// By hub, the least way to it from a cell; by corner, that to those that no other follows.
    fn ways(&self, map: &Map, from: Cell) -> HashMap<(bool, u64), u64> {
        let mut ways = HashMap::new();
        let mut add = |key: (bool, u64), way: u64| {
            let least = ways.entry(key).or_insert(way);
            *least = way.min(*least);
        };
        for (corner, side) in self.listed(map, from) {
            assert!(sees_on(map, from, self.corners[corner]));
            let (way, (begin, end)) = (octile(self.costs, from, self.corners[corner]), self.middles[corner]);
            add((true, corner as u64), way);
            let label = &self.labels[corner];
            let half = [&label[..end], &label[begin..], label, &[]][side as usize];
            half.iter().for_each(|&(hub, distance)| add((false, hub), way + distance));
        }
        ways
    }

    fn cost(&self, map: &Map, from: Cell, to: Cell) -> Option<u64> {
        let octile = |a: Cell, b: Cell| octile(self.costs, a, b);
        let is_seen = |&(corner, _): &(usize, u64)| {
            let cell = self.corners[corner];
            octile(from, cell) + octile(cell, to) == octile(from, to) && sees_on(map, to, cell)
        };
        let sees = sees_on(map, from, to) || sees_on(map, to, from);
        if sees || self.listed(map, from).iter().any(is_seen) {
            return Some(octile(from, to));
        }
        let (ways, back) = (self.ways(map, from), self.ways(map, to));
        ways.iter().filter_map(|(key, way)| Some(way + back.get(key)?)).min()
    }
}

#[test]
fn cases_are_where_the_page_says() {
    let name = "caves-40x30-5-cases.milepost";
    let file = file(&files::read(&golden(name)).expect("a golden file"));
    let (map, arrays) = (Map::new(&file.sections[&1]), &file.sections[&22]);
    let atlas = Atlas::open(golden(name)).expect("a sound file");
    let fact = |name| atlas.fact(IndexSpec::new(IndexKind::CASE_BASE, 40), name);
    let [ends, firsts, subgoals, centres, first_legs, legs] =
        [1, 2, 3, 4, 5, 6].map(|index| numbers(&arrays[index], 4));
    let counts = [ends.len() / 2, centres.len()].map(|count| Some(count as f64));
    assert_eq!(["records", "regions"].map(fact), counts);
    assert_eq!((ends.len(), arrays.len(), numbers(&arrays[0], 4)[1]), (80, 8, 0));
    let stride = map.width as u64 + 1;
    let cell = |state: u64| ((state % stride) as i64, (state / stride) as i64);
    let free: Vec<Cell> = map.cells().collect();
    assert!(ends.iter().chain(&subgoals).chain(&centres).all(|&state| free.contains(&cell(state))));
    assert_eq!(firsts.len(), ends.len() / 2 + legs.len() / 2 + 1);
    assert!(firsts.is_sorted() && firsts.last() == Some(&(subgoals.len() as u64)));
    // The order of the tree.
    let record = |number: usize| {
        let ((x, y), (u, v)) = (cell(ends[2 * number]), cell(ends[2 * number + 1]));
        [x, y, u, v]
    };
    let mut parts = vec![(0, ends.len() / 2, 0)];
    while let Some((begin, end, axis)) = parts.pop() {
        if begin < end {
            let middle = (begin + end) / 2;
            assert!((begin..middle).all(|number| record(number)[axis] <= record(middle)[axis]));
            assert!((middle..end).all(|number| record(number)[axis] >= record(middle)[axis]));
            parts.extend([(begin, middle, (axis + 1) % 4), (middle + 1, end, (axis + 1) % 4)]);
        }
    }
    // What records cost at least, and what legs cost.
    let mut scratch = Scratch::new();
    let shift = numbers(&arrays[0], 4)[0];
    let costs = numbers(&arrays[7], 4);
    assert_eq!(costs.len(), ends.len() / 2);
    for (ends, &told) in ends.chunks(2).zip(&costs) {
        let [from, to] = [ends[0], ends[1]].map(|state| milepost::StateId::new(state as u32));
        let Outcome::Found { cost, .. } = atlas.path(from, to, &mut scratch) else {
            panic!("{from} to {to}")
        };
        assert!((cost.units()..2 * cost.units()).contains(&(told << shift)), "{told} {}", cost.units());
    }
    assert_eq!(first_legs.len(), centres.len() + 1);
    for (region, legs_of) in first_legs.windows(2).enumerate() {
        for leg in legs_of[0] as usize..legs_of[1] as usize {
            let state = |region: usize| milepost::StateId::new(centres[region] as u32);
            let to = legs[2 * leg] as usize;
            let outcome = atlas.path(state(region), state(to), &mut scratch);
            let Outcome::Found { cost, .. } = outcome else { panic!("{region} to {to}") };
            assert_eq!(cost.units().div_ceil(1 << shift), legs[2 * leg + 1]);
        }
    }
}

/// "`regions`": states stand for the regions that they lie in, and exits lie on shortest paths, outside.
#[test]
fn regions_are_where_the_page_says() {
    let name = "caves-40x30-5-regions.milepost";
    let file = file(&files::read(&golden(name)).expect("a golden file"));
    let (map, arrays) = (Map::new(&file.sections[&1]), &file.sections[&23]);
    let atlas = Atlas::open(golden(name)).expect("a sound file");
    let head = numbers(&arrays[0], 4);
    let (count, none) = (head[0] as usize, u64::from(u32::MAX));
    assert_eq!((head.len(), &head[1..], arrays.len()), (4, &[0; 3][..], 5));
    assert!(count > 5, "{count}");
    let (of_ids, standing) = (numbers(&arrays[1], 2), numbers(&arrays[2], 4));
    let id = |cell: Cell| (cell.1 * (map.width + 1) + cell.0) as usize;
    let free: Vec<usize> = map.cells().map(id).collect();
    for (state, &region) in of_ids.iter().enumerate() {
        assert_eq!(region == 65535, !free.contains(&state), "{state}");
        assert!(region == 65535 || (region as usize) < count);
    }
    let region_of = |state: u64| of_ids[state as usize] as usize;
    assert_eq!(standing.len(), count);
    assert!((0..count).all(|region| region_of(standing[region]) == region));
    let mut scratch = Scratch::new();
    let mut cost = |from: u64, to: u64| {
        let [from, to] = [from, to].map(|state| milepost::StateId::new(state as u32));
        match atlas.path(from, to, &mut scratch) {
            Outcome::Found { cost, .. } => Some(cost.units()),
            _ => None,
        }
    };
    let mut differ = 0;
    let (last, first) = (numbers(&arrays[3], 4), numbers(&arrays[4], 4));
    assert_eq!((last.len(), first.len()), (count * count, count * count));
    for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))) {
        let (start, end) = (standing[from], standing[to]);
        let Some(whole) = cost(start, end).filter(|_| from != to) else {
            assert_eq!((last[from * count + to], first[from * count + to]), (none, none));
            continue;
        };
        for exit in [last[from * count + to], first[from * count + to]] {
            assert_ne!(region_of(exit), from);
            assert_eq!(cost(start, exit).zip(cost(exit, end)).map(|(a, b)| a + b), Some(whole));
        }
        differ += usize::from(last[from * count + to] != first[from * count + to]);
    }
    assert!(differ > 0, "a path that comes back");
}

/// What a path costs; `None` if there is none.
fn cost_between(atlas: &Atlas, from: u64, to: u64, scratch: &mut Scratch) -> Option<u64> {
    let [from, to] = [from, to].map(|state| milepost::StateId::new(state as u32));
    atlas.path(from, to, scratch).cost().map(|cost| cost.units())
}

/// "`landmarks`": distances are what paths cost, and the nearest landmark is the nearest.
#[test]
fn landmarks_are_where_the_page_says() {
    let mut scratch = Scratch::new();
    for (name, is_canonical) in
        [("caves-40x30-5-landmarks.milepost", false), ("roads-120-4-landmarks.milepost", true)]
    {
        let bytes = files::read(&golden(name)).expect("a golden file");
        let file = file(&bytes);
        let arrays = &file.sections[&26];
        let atlas = Atlas::open(golden(name)).expect("a sound file");
        let (head, most) = (numbers(&arrays[0][..16], 4), numbers(&arrays[0][16..], 8));
        let [count, storage, directions, halves] = [0, 1, 2, 3].map(|place| head[place] as usize);
        // Roads have one-way streets.
        let expected = if is_canonical { (2, 1, 6) } else { (1, 1, 5) };
        assert_eq!((directions, halves, arrays.len()), expected, "{name}");
        let steps = |word: u64| match storage {
            _ if word == u64::from(u32::MAX) => None,
            1 => Some((word & 0xffff, word >> 16)),
            2 => Some((word, 0)),
            _ => panic!("{name}: distances are short"),
        };
        let cost = |word: u64| steps(word).map(|(a, b)| a * file.scale[0] + b * file.scale[1]);
        let (bits, before) = (numbers(&arrays[1], 8), numbers(&arrays[2], 4));
        let row = |id: usize| {
            let (word, bit) = (bits[id / 64], id % 64);
            (word >> bit & 1 == 1)
                .then(|| before[id / 64] as usize + (word & ((1 << bit) - 1)).count_ones() as usize)
        };
        let landmarks = numbers(&arrays[3], 4);
        assert_eq!(landmarks.len(), count);
        let distances = numbers(arrays.last().expect("distances"), 4);
        let longest = distances
            .iter()
            .filter_map(|word| steps(*word))
            .fold((0, 0), |most: (u64, u64), steps| (most.0.max(steps.0), most.1.max(steps.1)));
        assert_eq!(most, [longest.0, longest.1]);
        let free: Vec<usize> = atlas.space().free_states().map(milepost::StateId::index).collect();
        let with_row: Vec<usize> = (0..bits.len() * 64).filter(|id| row(*id).is_some()).collect();
        assert_eq!(free, with_row);
        for id in free {
            let row = row(id).expect("every free state has one");
            let mut true_costs = |direction: usize| -> Vec<Option<u64>> {
                let ends = |landmark: u64| [(landmark, id as u64), (id as u64, landmark)][direction];
                let cost = |landmark: &u64| {
                    let (from, to) = ends(*landmark);
                    cost_between(&atlas, from, to, &mut scratch)
                };
                landmarks.iter().map(cost).collect()
            };
            if !is_canonical {
                let stored: Vec<Option<u64>> =
                    distances[row * count..(row + 1) * count].iter().map(|word| cost(*word)).collect();
                assert_eq!(stored, true_costs(0), "{id}");
                continue;
            }
            for direction in 0..directions {
                let (place, true_costs) = (row * directions + direction, true_costs(direction));
                let nearest = number(&arrays[4], 2 * place, 2) as usize;
                assert_eq!(cost(distances[place]), true_costs[nearest]);
                assert_eq!(true_costs[nearest], true_costs.iter().flatten().copied().min());
            }
        }
        for (from, to) in
            (0..count).flat_map(|from| (0..count).map(move |to| (from, to))).filter(|_| is_canonical)
        {
            let stored = distances[arrays[4].len() / 2 + from * count + to];
            assert_eq!(cost(stored), cost_between(&atlas, landmarks[from], landmarks[to], &mut scratch));
        }
    }
}

/// "`subgoal-trees`": from every subgoal of a goal's tree the legs add up to what the shortest path costs.
#[test]
fn subgoal_trees_are_where_the_page_says() {
    let name = "caves-40x30-5-trees.milepost";
    let file = file(&files::read(&golden(name)).expect("a golden file"));
    let map = Map::new(&file.sections[&1]);
    let arrays = &file.sections[&21];
    let head = numbers(&arrays[0], 4);
    assert_eq!((head[0], head[2], head[5]), (map.cells().count() as u64, 0, 0));
    let number_of = places(&map, &arrays[1]);
    let atlas = Atlas::open(golden(name)).expect("a sound file");
    let scale = atlas.space().scale();
    let state = |cell: Cell| atlas.state_at(Point::new(cell.0 - 1, cell.1 - 1)).expect("a cell");
    let octile = |a: Cell, b: Cell| {
        let (dx, dy) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        dx.max(dy) * scale.straight() + dx.min(dy) * (scale.diagonal() - scale.straight())
    };
    // The cells of subgoals, from their bits, which must be where their ids are.
    let mut subgoals: Vec<(usize, Cell)> = number_of
        .iter()
        .map(|(cell, place)| (place.2, *cell))
        .filter(|(number, _)| number_at(&arrays[2], number / 64) >> (number % 64) & 1 == 1)
        .collect();
    subgoals.sort_unstable();
    let ids: Vec<u64> = subgoals.iter().map(|(_, cell)| u64::from(state(*cell).number())).collect();
    assert_eq!(ids, numbers(&arrays[3], 4));
    let (rows, arcs) = (numbers(&arrays[4], 4), numbers(&arrays[5], 4));
    let (runs, surpluses) = (numbers(&arrays[6], 4), numbers(&arrays[7], 8));
    let symbol = |subgoal: usize, goal: u64| {
        let own = &runs[rows[2 * subgoal + 1] as usize..rows[2 * subgoal + 3] as usize];
        own.iter().rfind(|run| *run >> 16 <= goal).map_or(0, |run| run & 0xffff)
    };
    let (mut scratch, mut compared) = (Scratch::new(), 0);
    for (goal, place) in number_of.iter().filter(|(_, place)| place.2 % 3 == 0) {
        for first in 0..subgoals.len() {
            let (mut at, mut cost) = (first, 0);
            let is_known = loop {
                match symbol(at, place.2 as u64) {
                    0 => break false,
                    1 => {
                        cost += octile(subgoals[at].1, *goal);
                        break true;
                    }
                    2 => break false,
                    symbol => {
                        let arc = (rows[2 * at] + symbol - 3) as usize;
                        let (to, surplus) = (arcs[2 * arc] as usize, arcs[2 * arc + 1] as usize);
                        cost += octile(subgoals[at].1, subgoals[to].1);
                        cost += surplus.checked_sub(1).map_or(0, |place| surpluses[place]);
                        at = to;
                    }
                }
            };
            if is_known {
                let query = Query::new(state(subgoals[first].1), state(*goal));
                let planner = milepost::catalog::planner("dijkstra").expect("a planner");
                let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                let Outcome::Found { cost: least, .. } = outcome else { panic!("{outcome:?}") };
                assert_eq!(cost, least.units(), "{goal:?} from {:?}", subgoals[first].1);
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
    // The lists name subgoals, and follow each other.
    let (begins, lists) = (numbers(&arrays[8], 4), numbers(&arrays[9], 2));
    assert!(begins.is_sorted() && begins.last() == Some(&(lists.len() as u64)));
    assert_eq!(begins.len(), number_of.len().div_ceil(16) + 1);
    assert!(lists.iter().all(|&subgoal| subgoal < head[1]));
}

/// The `u64` at the beginning of a record of 16 bytes.
fn number_at(records: &[u8], index: usize) -> u64 {
    number(&records[16 * index..], 0, 8)
}
