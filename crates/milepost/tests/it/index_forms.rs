//! docs/index-format.md against forms of indexes that only large maps have, read by that page alone.

use crate::index_format::{Arrays, Cell, Map, arrays, number, numbers, octile14, sees_on};
use milepost::build::{SILENT, build};
use milepost::catalog::planner;
use milepost::index::IndexKind;
use milepost::{Atlas, Budget, Grid, Point, Query, Rng, Rule, Scratch};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A map with one index, and the arrays of that.
struct Built {
    map: Map,
    atlas: Atlas,
    arrays: Arrays,
}

fn built(width: u32, height: u32, kind: IndexKind, mut is_free: impl FnMut(u32, u32) -> bool) -> Built {
    let mut free = Vec::new();
    let grid = Grid::new(width, height, Rule::Octile14, |x, y| {
        free.push(is_free(x, y));
        free[free.len() - 1]
    });
    let atlas = build(&Atlas::new(grid.expect("a size that fits")), kind, SILENT).expect("it can be built");
    let section = atlas.sections().iter().find(|section| section.index().kind == kind).expect("it was built");
    let arrays = arrays(section.bytes());
    Built { map: Map { width: width.into(), height: height.into(), free }, atlas, arrays }
}

/// Corners and their edges: where each leads, what it costs, and its middle.
struct Edges {
    cells: Vec<Cell>,
    edges: Vec<Vec<(usize, u64, Option<usize>)>>,
}

impl Edges {
    /// An edge is a leg, or costs what those of its middle cost.
    fn check(&self, map: &Map) {
        for (corner, edges) in self.edges.iter().enumerate() {
            assert!(edges.windows(2).all(|pair| pair[0].0 < pair[1].0));
            for &(to, cost, middle) in edges {
                let (here, there) = (self.cells[corner], self.cells[to]);
                match middle {
                    None => {
                        assert_eq!(cost, octile14(here, there));
                        assert!(sees_on(map, here, there) || sees_on(map, there, here));
                    }
                    Some(middle) => {
                        let half =
                            |end| self.edges[middle].iter().find(|edge| edge.0 == end).expect("half").1;
                        assert_eq!(cost, half(corner) + half(to));
                    }
                }
            }
        }
    }

    /// What it costs from a cell up to corners, beginning with these.
    fn up(&self, from: Cell, first: impl Iterator<Item = usize>) -> HashMap<usize, u64> {
        let mut heap: BinaryHeap<_> =
            first.map(|corner| Reverse((octile14(from, self.cells[corner]), corner))).collect();
        let mut costs = HashMap::new();
        while let Some(Reverse((cost, corner))) = heap.pop() {
            if costs.contains_key(&corner) {
                continue;
            }
            costs.insert(corner, cost);
            heap.extend(self.edges[corner].iter().map(|&(to, edge, _)| Reverse((cost + edge, to))));
        }
        costs
    }
}

/// Compares the least sums over corners with what the planner finds. `first` names the corners that a cell begins with.
fn compare(built: &Built, edges: &Edges, name: &str, pairs: usize, first: impl Fn(Cell) -> Vec<usize>) {
    let Built { map, atlas, .. } = built;
    let (planner, mut scratch, mut rng) = (planner(name).expect("a planner"), Scratch::new(), Rng::new(3));
    let (cells, mut compared): (Vec<Cell>, _) = (map.cells().collect(), 0);
    for _ in 0..pairs {
        let [from, to] = [0; 2].map(|_| cells[rng.below(cells.len() as u32) as usize]);
        let state = |cell: Cell| atlas.state_at(Point::new(cell.0 - 1, cell.1 - 1)).expect("a cell");
        let query = Query::new(state(from), state(to));
        let cost = planner.plan(atlas, &query, &mut scratch, &mut Budget::unlimited()).cost();
        if cost.is_none_or(|cost| cost.units() == octile14(from, to)) {
            continue;
        }
        let (ways, back) = (edges.up(from, first(from).into_iter()), edges.up(to, first(to).into_iter()));
        let least = ways.iter().filter_map(|(corner, way)| Some(way + back.get(corner)?)).min();
        assert_eq!(least, cost.map(|cost| cost.units()), "{from:?} {to:?}");
        compared += 1;
    }
    assert!(compared > pairs / 4, "{compared}");
}

#[test]
fn corners_of_the_wide_form_are_where_the_page_says() {
    let walls = |x: u32, y: u32| y > 3 || x % 1500 != 7;
    let built = built(33_000, 5, IndexKind::CORNER_HIERARCHY, walls);
    let (arrays, header) = (&built.arrays, numbers(&built.arrays[0], 4));
    assert_eq!((&header[..2], header[5], numbers(&arrays[12], 8)), (&[0, 0][..], 1, vec![10, 14]));
    let (number_bytes, excess_bytes) = (header[3] as usize, header[4] as usize);
    let cells: Vec<Cell> =
        arrays[1].chunks(8).map(|cell| (number(cell, 0, 4) as i64, number(cell, 4, 4) as i64)).collect();
    let (targets, middles) = (numbers(&arrays[3], number_bytes), numbers(&arrays[4], number_bytes));
    let (firsts, excesses) = (numbers(&arrays[2], 4), numbers(&arrays[5], excess_bytes));
    let edge = |corner: usize, at: usize| {
        let (to, middle) = (targets[at] as usize, Some(middles[at] as usize));
        let cost = octile14(cells[corner], cells[to]) + excesses[at];
        (to, cost, middle.filter(|&middle| middle < cells.len()))
    };
    let edges_of = |corner: usize| {
        (firsts[corner] as usize..firsts[corner + 1] as usize).map(|at| edge(corner, at)).collect()
    };
    let edges = Edges { edges: (0..cells.len()).map(edges_of).collect(), cells: cells.clone() };
    edges.check(&built.map);
    compare(&built, &edges, "corner-hierarchy", 40, |from| {
        (0..cells.len()).filter(|&corner| sees_on(&built.map, from, cells[corner])).collect()
    });
}

#[test]
fn a_hierarchy_instead_of_labels_is_where_the_page_says() {
    let mut rng = Rng::new(5);
    let built = built(380, 380, IndexKind::CORNER_LABELS, |_, _| rng.below(100) >= 10);
    let (arrays, header) = (&built.arrays, numbers(&built.arrays[0], 4));
    // No labels, members of four bytes.
    assert_eq!((header[0], header[2], header[6], header[10]), (10, 14, 0, 4));
    let record = |corner: usize, place: usize| number(&arrays[1], 56 * corner + 4 * place, 4);
    let count = arrays[1].len() / 56 - 1;
    let cells: Vec<Cell> =
        (0..count).map(|corner| (record(corner, 0) as i64, record(corner, 1) as i64)).collect();
    let [targets, middles, excesses] = [8, 9, 10].map(|array| numbers(&arrays[array], 4));
    assert_eq!(arrays.len(), 11);
    let edge = |corner: usize, at: usize| {
        let (to, middle) = (targets[at] as usize, Some(middles[at] as usize));
        let cost = octile14(cells[corner], cells[to]) + excesses[at];
        (to, cost, middle.filter(|&middle| middle < 0xffff_ffff))
    };
    let edges_of = |corner: usize| {
        (record(corner, 2) as usize..record(corner + 1, 2) as usize).map(|at| edge(corner, at)).collect()
    };
    let edges = Edges { edges: (0..count).map(edges_of).collect(), cells };
    edges.check(&built.map);
    compare(&built, &edges, "corner-labels", 60, |cell| {
        let block = (cell.1 >> 4) * ((built.map.width >> 4) + 1) + (cell.0 >> 4);
        let block = number(&arrays[4], 4 * block as usize, 4);
        let square = 16 * block as usize + ((cell.1 >> 2 & 3) * 4 + (cell.0 >> 2 & 3)) as usize;
        let (first, end) = (number(&arrays[5], 4 * square, 4), number(&arrays[5], 4 * square + 4, 4));
        let bit = (cell.1 & 3) * 4 + (cell.0 & 3);
        let is_own = |at: &usize| number(&arrays[7], 2 * at, 2) >> bit & 1 == 1;
        (first as usize..end as usize)
            .filter(is_own)
            .map(|at| number(&arrays[6], 4 * at, 4) as usize / 4)
            .collect()
    });
}
