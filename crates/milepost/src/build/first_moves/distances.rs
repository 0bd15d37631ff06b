//! Distances between jump points, and the lists that carry them to all cells.

use crate::build::BuildError;
use crate::build::jump_points::Study;
use crate::build::jump_points::flat::NO_POINT;
use crate::build::jump_points::lanes::{INFINITE, LANES as BATCH, Lanes};
use crate::build::jump_points::lists::{Leg, Lister};
use crate::core::vectorized;
use crate::index::{IndexKind, JumpTable, Jumps, Spot};
use crate::space::{Grid, SpaceKind};
use rayon::prelude::*;

/// What is the same for all blocks of a grid with strict corners, no weights and no links.
#[derive(Debug)]
pub(super) struct Distances<'a> {
    pub(super) study: Study<'a>,
    /// The first jump points of a cell.
    first: Lists<Leg>,
    /// The jump points that a cell sees, once somebody wants to know all of them.
    seen: Lists<u32>,
    /// For every two jump points.
    between: Vec<u32>,
    /// By id, the number of a cell.
    numbers: Vec<u32>,
    /// By id, the directions that are allowed.
    directions: Vec<u8>,
}

/// A list for every cell, by its number.
#[derive(Debug)]
struct Lists<T> {
    begin: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    #[inline(always)]
    fn of(&self, cell: usize) -> &[T] {
        &self.items[self.begin[cell] as usize..self.begin[cell + 1] as usize]
    }
}

/// Jump points beyond which the distances between them take too much memory: more than 3.6 GB.
pub(super) const MOST_POINTS: usize = 30_000;

impl<'a> Distances<'a> {
    pub(super) fn new(grid: &'a Grid, table: JumpTable<'a>) -> Result<Distances<'a>, BuildError> {
        let (study, _) = Study::of_points(grid, table, IndexKind::FIRST_MOVES)?;
        let (mut numbers, mut directions) = (vec![u32::MAX; grid.id_bound()], vec![0; grid.id_bound()]);
        for state in grid.free_states() {
            numbers[state.index()] = study.table.number(Spot::of(grid, state));
            directions[state.index()] = grid.directions(state).bits();
        }
        let (first, between) = (first_points(&study), between(&study));
        let seen = Lists { begin: Vec::new(), items: Vec::new() };
        Ok(Distances { study, first, seen, between, numbers, directions })
    }

    /// With lists of the jump points that cells see.
    pub(super) fn with_seen(mut self) -> Distances<'a> {
        self.seen = turned_round(&seeing_cells(&self.study, &self.numbers), self.study.cells.len());
        self
    }

    /// How many jump points there are.
    #[inline(always)]
    pub(super) fn points(&self) -> usize {
        self.study.points.len()
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> u64 {
        let lists = self.first.items.len() * size_of::<Leg>() + self.seen.items.len() * size_of::<u32>();
        let by_cell = self.study.cells.len() * 3 * size_of::<u32>();
        (self.between.len() * size_of::<u32>() + lists + by_cell + self.numbers.len() * 5) as u64
    }

    /// Where a cell lies.
    #[inline(always)]
    pub(super) fn spot(&self, cell: u32) -> Spot {
        self.study.cells[cell as usize]
    }

    /// The first jump points of a cell.
    #[inline(always)]
    pub(super) fn first(&self, cell: u32) -> &[Leg] {
        self.first.of(cell as usize)
    }

    /// The longest list of first jump points.
    pub(super) fn most_first(&self) -> usize {
        self.first.begin.windows(2).map(|pair| (pair[1] - pair[0]) as usize).max().unwrap_or(0)
    }

    /// Distances from a jump point to all.
    #[inline(always)]
    fn distances_of_point(&self, point: u32) -> &[u32] {
        &self.between[point as usize * self.points()..][..self.points()]
    }

    /// Writes the distances from a cell to all jump points: the octile one to those that it sees, over its first jump
    /// points to the others. After [`Distances::with_seen`].
    #[inline(always)]
    pub(super) fn distances_of_cell(&self, cell: u32, distances: &mut [u32]) {
        let (study, spot) = (&self.study, self.spot(cell));
        if study.table.is_jump_point(spot) {
            distances.copy_from_slice(self.distances_of_point(study.table.jump_point(spot)));
            return;
        }
        distances.fill(INFINITE);
        for leg in self.first(cell) {
            for (distance, &rest) in distances.iter_mut().zip(self.distances_of_point(leg.point)) {
                *distance = (*distance).min(rest + leg.cost);
            }
        }
        for &point in self.seen.of(cell as usize) {
            distances[point as usize] = study.costs.octile(spot, study.points[point as usize]);
        }
    }

    /// From a cell to a jump point.
    #[inline]
    pub(super) fn to_point(&self, cell: u32, point: u32) -> u32 {
        let (study, from) = (&self.study, self.spot(cell));
        let own = study.flat.cell(from).point;
        if own != NO_POINT {
            return self.distances_of_point(own)[point as usize];
        }
        let legs = self.first(cell).iter();
        let over = legs.map(|leg| self.distances_of_point(leg.point)[point as usize] + leg.cost);
        let (over, to) = (over.min().unwrap_or(INFINITE), study.points[point as usize]);
        let octile = study.costs.octile(from, to);
        if over > octile && study.flat.is_direct(from, to) { octile } else { over }
    }

    /// The number of the cell that one step leads to.
    #[inline(always)]
    pub(super) fn neighbour(&self, cell: u32, direction: usize) -> Option<u32> {
        let state = self.spot(cell).state(self.study.grid.stride());
        let is_allowed = self.directions[state.index()] >> direction & 1 == 1;
        is_allowed.then(|| self.numbers[self.study.grid.neighbour(state, direction).index()])
    }

    /// Names the cells that see a cell: their runs of diagonal steps, then straight ones, end there.
    #[inline(always)]
    pub(super) fn seeing(&self, cell: u32, mut visit: impl FnMut(u32)) {
        let stride = self.study.grid.stride() as usize;
        let steps = [
            0_usize.wrapping_sub(stride),
            1_usize.wrapping_sub(stride),
            1,
            stride + 1,
            stride,
            stride.wrapping_sub(1),
            usize::MAX,
            usize::MAX.wrapping_sub(stride),
        ];
        let begin = self.spot(cell).state(stride as u32).index();
        let mut run = |from: usize, direction: usize| {
            let mut at = from;
            while self.directions[at] >> direction & 1 == 1 {
                at = at.wrapping_add(steps[direction]);
                visit(self.numbers[at]);
            }
        };
        for direction in [1, 3, 5, 7] {
            run(begin, direction);
        }
        for direction in [0, 2, 4, 6] {
            let mut turn = begin;
            while self.directions[turn] >> direction & 1 == 1 {
                turn = turn.wrapping_add(steps[direction]);
                for beside in [direction + 1, (direction + 7) % 8] {
                    run(turn, beside);
                }
            }
            run(begin, direction);
        }
    }
}

fn first_points(study: &Study<'_>) -> Lists<Leg> {
    let parts: Vec<(Vec<u32>, Vec<Leg>)> = study
        .cells
        .par_chunks(1024)
        .map(|cells| {
            let mut lister = Lister::new(&study.flat, study.costs);
            let (mut counts, mut legs) = (Vec::with_capacity(cells.len()), Vec::new());
            for &spot in cells {
                let before = legs.len();
                vectorized!(lister.append(spot, &mut legs));
                counts.push((legs.len() - before) as u32);
            }
            (counts, legs)
        })
        .collect();
    let mut lists = Lists { begin: vec![0], items: Vec::new() };
    let mut end = 0;
    for (counts, legs) in parts {
        lists.begin.extend(counts.iter().map(|count| {
            end += count;
            end
        }));
        lists.items.extend(legs);
    }
    lists
}

/// For every jump point the numbers of the cells that see it.
fn seeing_cells(study: &Study<'_>, numbers: &[u32]) -> Lists<u32> {
    let (mut lists, stride) = (Lists { begin: vec![0], items: Vec::new() }, study.grid.stride());
    for point in 0..study.points.len() as u32 {
        study.seen_from(point, |spot, _| lists.items.push(numbers[spot.state(stride).index()]));
        lists.begin.push(lists.items.len() as u32);
    }
    lists
}

/// For every item the lists that it is in.
fn turned_round(lists: &Lists<u32>, items: usize) -> Lists<u32> {
    let mut begin = vec![0_u32; items + 1];
    lists.items.iter().for_each(|&item| begin[item as usize + 1] += 1);
    for item in 0..items {
        begin[item + 1] += begin[item];
    }
    let mut next = begin.clone();
    let mut turned = vec![0; lists.items.len()];
    for list in 0..lists.begin.len() - 1 {
        for &item in lists.of(list) {
            let place = &mut next[item as usize];
            turned[*place as usize] = list as u32;
            *place += 1;
        }
    }
    Lists { begin, items: turned }
}

/// Sixteen jump points at a time: those that see them are the seeds of a sweep over the contracted graph.
fn between(study: &Study<'_>) -> Vec<u32> {
    let points = study.points.len();
    let mut between = vec![0; points * points];
    if points == 0 {
        return between;
    }
    between.par_chunks_mut(BATCH * points).enumerate().for_each_init(
        || vec![Lanes::ALL_INFINITE; points],
        |by_rank, (batch, rows)| {
            by_rank.fill(Lanes::ALL_INFINITE);
            let sources = batch * BATCH..batch * BATCH + rows.len() / points;
            for (lane, source) in sources.clone().enumerate() {
                let at = study.points[source];
                study.seen_from(source as u32, |spot, _| {
                    let point = study.flat.cell(spot).point;
                    if point != NO_POINT {
                        by_rank[study.hierarchy.rank(point)].0[lane] = study.costs.octile(spot, at);
                    }
                });
            }
            vectorized!(study.hierarchy.sweep(by_rank));
            for (lane, (source, row)) in sources.zip(rows.chunks_mut(points)).enumerate() {
                for (point, distance) in row.iter_mut().enumerate() {
                    *distance = by_rank[study.hierarchy.rank(point as u32)].0[lane];
                }
                row[source] = 0;
            }
        },
    );
    between
}
