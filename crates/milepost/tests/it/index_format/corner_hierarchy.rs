//! "`corner-hierarchy`".

use super::spaces::octile;
use super::{Arrays, Cell, Map, file, golden, number, numbers, sees_on};
use milepost::{Atlas, Outcome, Point, Scratch, files};

/// Corners, ways up from them, and the lists of blocks.
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
