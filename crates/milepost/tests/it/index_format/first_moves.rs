//! "`first-moves`" of a grid, in squares.

use super::curve::{levels, place};
use super::spaces::{STEPS, ahead};
use super::{Arrays, Cell, Map, file, golden, number, numbers};
use milepost::index::NextMove;
use milepost::{Atlas, Point, files};
use std::collections::HashMap;

/// Rows of first moves, and where their cells are.
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
        let k = levels(map);
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
