//! Small maps, and the truth about them by an own flood from every cell.

use crate::core::Rng;
use crate::space::{Cell, Grid, Rule, SpaceKind};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A map with its distances.
pub(in crate::build) struct Truth {
    pub(in crate::build) grid: Grid,
    pub(in crate::build) cells: Vec<Cell>,
    places: Vec<usize>,
    distances: Vec<u64>,
}

pub(in crate::build) const UNREACHED: u64 = u64::MAX;

pub(in crate::build) const STEPS: [(i64, i64); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// Where a step leads, if it is legal.
pub(in crate::build) fn step(grid: &Grid, from: Cell, direction: usize) -> Option<Cell> {
    let at = |direction: usize| {
        let (dx, dy) = STEPS[direction % 8];
        (i64::from(from.0) + dx, i64::from(from.1) + dy)
    };
    let is_free = |direction: usize| grid.has_free(at(direction).0 as i32, at(direction).1 as i32);
    let is_legal = is_free(direction)
        && (direction.is_multiple_of(2) || is_free(direction + 7) && is_free(direction + 1));
    let (column, row) = at(direction);
    is_legal.then_some((column as u32, row as u32))
}

impl Truth {
    pub(in crate::build) fn of(grid: Grid) -> Truth {
        let cells: Vec<Cell> = grid.free_states().map(|state| grid.column_and_row(state)).collect();
        let mut truth =
            Truth { places: vec![usize::MAX; grid.id_bound()], distances: Vec::new(), grid, cells };
        for (place, &cell) in truth.cells.iter().enumerate() {
            truth.places[truth.grid.geometry().state(cell).index()] = place;
        }
        let (straight, diagonal) = (truth.grid.scale().straight(), truth.grid.scale().diagonal());
        let neighbours: Vec<Vec<(usize, u64)>> = truth
            .cells
            .iter()
            .map(|&cell| {
                let steps =
                    (0..8).filter_map(|direction| Some((direction, step(&truth.grid, cell, direction)?)));
                steps.map(|(d, to)| (truth.place(to), if d % 2 == 0 { straight } else { diagonal })).collect()
            })
            .collect();
        let mut heap = BinaryHeap::new();
        for start in 0..truth.cells.len() {
            let mut known = vec![UNREACHED; truth.cells.len()];
            known[start] = 0;
            heap.push(Reverse((0, start)));
            while let Some(Reverse((distance, at))) = heap.pop() {
                if distance > known[at] {
                    continue;
                }
                for &(to, cost) in &neighbours[at] {
                    if distance + cost < known[to] {
                        known[to] = distance + cost;
                        heap.push(Reverse((known[to], to)));
                    }
                }
            }
            truth.distances.extend(known);
        }
        truth
    }

    fn place(&self, cell: Cell) -> usize {
        self.places[self.grid.geometry().state(cell).index()]
    }

    pub(in crate::build) fn distance(&self, from: Cell, to: Cell) -> u64 {
        self.distances[self.place(from) * self.cells.len() + self.place(to)]
    }

    /// What a leg costs on an empty map.
    pub(in crate::build) fn octile(&self, a: Cell, b: Cell) -> u64 {
        let (wide, high) = (u64::from(a.0.abs_diff(b.0)), u64::from(a.1.abs_diff(b.1)));
        let diagonal = wide.min(high);
        (wide.max(high) - diagonal) * self.grid.scale().straight() + diagonal * self.grid.scale().diagonal()
    }

    pub(in crate::build) fn show(&self) -> String {
        let row = |row: u32| -> String {
            let letter = |column| if self.grid.has_free(column as i32, row as i32) { '.' } else { '@' };
            (1..=self.grid.width()).map(letter).collect()
        };
        (1..=self.grid.height()).map(row).collect::<Vec<String>>().join("\n")
    }
}

/// A map drawn in one line, rows divided by strokes.
pub(in crate::build) fn drawn(drawing: &str, rule: Rule) -> Grid {
    Grid::from_ascii(&drawing.replace('/', "\n"), rule).expect("a well-drawn map")
}

/// The map of so many cells whose walls are the ones of a number.
pub(in crate::build) fn numbered(width: u32, height: u32, rule: Rule, number: u64) -> Grid {
    Grid::new(width, height, rule, |x, y| number >> (y * width + x) & 1 == 0).expect("a small map")
}

/// Random maps of seven kinds: noise (two parts of seven), blocks, corridors straight and slanting, enlarged ones, thin walls,
/// few single cells.
pub(in crate::build) fn random(rng: &mut Rng, rule: Rule) -> Grid {
    let (kind, width, height) = (rng.below(7), 4 + rng.below(9), 4 + rng.below(9));
    let percent = 5 + rng.below(46);
    let mut walls = vec![kind == 3; (width * height) as usize];
    let mut put = |x: i64, y: i64, is_wall: bool| {
        if (0..i64::from(width)).contains(&x) && (0..i64::from(height)).contains(&y) {
            walls[(y * i64::from(width) + x) as usize] = is_wall;
        }
    };
    let (w, h) = (i64::from(width), i64::from(height));
    let mut any = |below: i64| i64::from(rng.below(below as u32));
    let all = || (0..h).flat_map(move |y| (0..w).map(move |x| (x, y)));
    match kind {
        0 | 1 => all().for_each(|(x, y)| put(x, y, any(100) < i64::from(percent))),
        2 => {
            let side = 1 + any(3);
            for _ in 0..w * h * i64::from(percent) / 100 / (side * side) + 1 {
                let (x, y) = (any(w), any(h));
                (0..side * side).for_each(|cell| put(x + cell % side, y + cell / side, true));
            }
        }
        3 => {
            let (mut x, mut y) = (any(w), any(h));
            for _ in 0..3 + any(12) {
                let (dx, dy) = STEPS[any(8) as usize];
                for _ in 0..1 + any(8) {
                    put(x, y, false);
                    if !(0..w).contains(&(x + dx)) || !(0..h).contains(&(y + dy)) {
                        break;
                    }
                    if dx != 0 && dy != 0 {
                        put(x + dx, y, false);
                        put(x, y + dy, false);
                    }
                    (x, y) = (x + dx, y + dy);
                }
            }
        }
        4 => {
            let (factor, bits) = (2 + any(2), any(1 << 30));
            all().for_each(|(x, y)| put(x, y, bits >> ((x / factor + 5 * (y / factor)) % 30) & 1 == 1));
            for _ in 0..any(4) {
                let (x, y) = (any(w), any(h));
                put(x, y, any(2) == 0);
            }
        }
        5 => {
            for _ in 0..1 + any(6) {
                let (mut x, mut y, (dx, dy)) = (any(w), any(h), STEPS[any(8) as usize]);
                for _ in 0..1 + any(8) {
                    put(x, y, true);
                    (x, y) = (x + dx, y + dy);
                }
            }
        }
        _ => (0..1 + any(9)).for_each(|_| {
            let (x, y) = (any(w), any(h));
            put(x, y, true);
        }),
    }
    Grid::new(width, height, rule, |x, y| !walls[(y * width + x) as usize]).expect("a small map")
}
