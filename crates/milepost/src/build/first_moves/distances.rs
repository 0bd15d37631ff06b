//! Distances between jump points, and the lists that carry them to all cells.

use super::blocks::Block;
use crate::build::BuildError;
use crate::build::jump_points::JumpPointGraph;
use crate::build::jump_points::first_jump_points::{FirstJumpPoints, Leg};
use crate::build::jump_points::flat::NO_POINT;
use crate::build::jump_points::lanes::{INFINITE, LANES as BATCH, Lanes};
use crate::build::parallel;
use crate::core::{Csr, vectorized};
use crate::index::{IndexKind, JumpTable, Jumps, PackedCell};
use crate::space::{Grid, SpaceKind};

/// What is the same for all blocks of a grid with strict corners, no weights and no links.
#[derive(Debug)]
pub(super) struct Distances<'a> {
    pub(super) graph: JumpPointGraph<'a>,
    /// The first jump points of a cell.
    first: Csr<Leg>,
    /// The jump points that a cell sees, once the caller asks for all of them.
    seen: Csr<u32>,
    /// For a jump point and every other: all of them, or those that some blocks need.
    between: Vec<u32>,
    /// By jump point, the place of its row among those; empty if all have one.
    rows: Vec<u32>,
    /// By id, the number of a cell.
    numbers: Vec<u32>,
    /// By id, the directions that are allowed.
    directions: Vec<u8>,
}

/// Jump points beyond which the distances between them take too much memory: more than 3.6 GB.
pub(super) const MOST_POINTS: usize = 30_000;

impl<'a> Distances<'a> {
    pub(super) fn new(grid: &'a Grid, table: JumpTable<'a>) -> Result<Distances<'a>, BuildError> {
        Ok(Distances::without_rows(grid, table)?.with_all_rows())
    }

    /// All but the distances between jump points.
    pub(super) fn without_rows(grid: &'a Grid, table: JumpTable<'a>) -> Result<Distances<'a>, BuildError> {
        let (graph, _) = JumpPointGraph::of_points(grid, table, IndexKind::FIRST_MOVES)?;
        let (mut numbers, mut directions) = (vec![u32::MAX; grid.id_bound()], vec![0; grid.id_bound()]);
        for state in grid.free_states() {
            numbers[state.index()] = graph.table.number(PackedCell::of(grid, state));
            directions[state.index()] = grid.directions(state).bits();
        }
        let (first, seen) = (first_points(&graph), Csr::default());
        Ok(Distances { graph, first, seen, between: Vec::new(), rows: Vec::new(), numbers, directions })
    }

    fn with_all_rows(mut self) -> Distances<'a> {
        let all: Vec<u32> = (0..self.points() as u32).collect();
        self.between = between(&self.graph, &all);
        self
    }

    /// With the distances from these jump points alone.
    pub(super) fn with_rows(mut self, of: &[u32]) -> Distances<'a> {
        self.between = between(&self.graph, of);
        self.rows = vec![u32::MAX; self.points()];
        for (place, &point) in of.iter().enumerate() {
            self.rows[point as usize] = place as u32;
        }
        self
    }

    /// The cells of blocks and their neighbours, and the jump points whose distances their rows follow from.
    pub(super) fn needed_for(&self, blocks: &[Block]) -> (Vec<u32>, Vec<u32>) {
        let mut cells: Vec<u32> = Vec::new();
        for (_, cell) in blocks.iter().flat_map(Block::used) {
            cells.push(cell);
            cells.extend((0..8).filter_map(|direction| self.neighbour(cell, direction)));
        }
        cells.sort_unstable();
        cells.dedup();
        let mut points: Vec<u32> = Vec::new();
        for &cell in &cells {
            match self.graph.flat.cell(self.packed_cell(cell)).point {
                NO_POINT => points.extend(self.first(cell).iter().map(|leg| leg.point)),
                own => points.push(own),
            }
        }
        points.sort_unstable();
        points.dedup();
        (cells, points)
    }

    /// With lists of the jump points that cells see.
    pub(super) fn with_seen(mut self) -> Distances<'a> {
        self.seen = turned_round(&seeing_cells(&self.graph, &self.numbers), self.graph.cells.len());
        self
    }

    /// The same for these cells alone.
    pub(super) fn with_seen_by(mut self, cells: &[u32]) -> Distances<'a> {
        let mut is_wanted = vec![false; self.graph.cells.len()];
        cells.iter().for_each(|&cell| is_wanted[cell as usize] = true);
        let (stride, wanted) = (self.graph.grid.stride(), &is_wanted);
        let seeing = |point: u32| {
            let mut seeing = Vec::new();
            self.graph.seen_from(point, |packed| {
                let cell = self.numbers[packed.state(stride).index()];
                if wanted[cell as usize] {
                    seeing.push((cell, point));
                }
            });
            seeing
        };
        let pairs: Vec<Vec<(u32, u32)>> = parallel::map(self.points(), |point| seeing(point as u32));
        self.seen = Csr::sorted(self.graph.cells.len(), pairs.iter().flatten().copied());
        self
    }

    /// Memory that the distances between all jump points would take.
    pub(super) fn bytes_of_all_rows(&self) -> u64 {
        (self.points() * self.points() * size_of::<u32>()) as u64
    }

    /// How many jump points there are.
    #[inline(always)]
    pub(super) fn points(&self) -> usize {
        self.graph.points.len()
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> u64 {
        let lists = size_of_val(self.first.items()) + size_of_val(self.seen.items());
        let by_cell = self.graph.cells.len() * 3 * size_of::<u32>();
        (self.between.len() * size_of::<u32>() + lists + by_cell + self.numbers.len() * 5) as u64
    }

    /// Where a cell lies.
    #[inline(always)]
    pub(super) fn packed_cell(&self, cell: u32) -> PackedCell {
        self.graph.cells[cell as usize]
    }

    /// The first jump points of a cell.
    #[inline(always)]
    pub(super) fn first(&self, cell: u32) -> &[Leg] {
        self.first.list(cell as usize)
    }

    /// The longest list of first jump points.
    pub(super) fn most_first(&self) -> usize {
        self.first.lists().map(<[Leg]>::len).max().unwrap_or(0)
    }

    /// Distances from a jump point to all.
    #[inline(always)]
    fn distances_of_point(&self, point: u32) -> &[u32] {
        let row = self.rows.get(point as usize).copied().unwrap_or(point);
        &self.between[row as usize * self.points()..][..self.points()]
    }

    /// Writes the distances from a cell to all jump points: the octile one to those that it sees, over its first jump
    /// points to the others. After [`Distances::with_seen`].
    #[inline(always)]
    pub(super) fn distances_of_cell(&self, cell: u32, distances: &mut [u32]) {
        let (graph, packed) = (&self.graph, self.packed_cell(cell));
        if graph.table.is_jump_point(packed) {
            distances.copy_from_slice(self.distances_of_point(graph.table.jump_point(packed)));
            return;
        }
        distances.fill(INFINITE);
        for leg in self.first(cell) {
            for (distance, &rest) in distances.iter_mut().zip(self.distances_of_point(leg.point)) {
                *distance = (*distance).min(rest + leg.cost);
            }
        }
        for &point in self.seen.list(cell as usize) {
            distances[point as usize] = graph.costs.octile(packed, graph.points[point as usize]);
        }
    }

    /// From a cell to a jump point.
    #[inline]
    pub(super) fn to_point(&self, cell: u32, point: u32) -> u32 {
        let (graph, from) = (&self.graph, self.packed_cell(cell));
        let own = graph.flat.cell(from).point;
        if own != NO_POINT {
            return self.distances_of_point(own)[point as usize];
        }
        let legs = self.first(cell).iter();
        let over = legs.map(|leg| self.distances_of_point(leg.point)[point as usize] + leg.cost);
        let (over, to) = (over.min().unwrap_or(INFINITE), graph.points[point as usize]);
        let octile = graph.costs.octile(from, to);
        if over > octile && graph.flat.is_direct(from, to) { octile } else { over }
    }

    /// The number of the cell that one step leads to.
    #[inline(always)]
    pub(super) fn neighbour(&self, cell: u32, direction: usize) -> Option<u32> {
        let state = self.packed_cell(cell).state(self.graph.grid.stride());
        let is_allowed = self.directions[state.index()] >> direction & 1 == 1;
        is_allowed.then(|| self.numbers[self.graph.grid.neighbour(state, direction).index()])
    }

    /// Names the cells that see a cell: their runs of diagonal steps, then straight ones, end there.
    #[inline(always)]
    pub(super) fn seeing(&self, cell: u32, mut visit: impl FnMut(u32)) {
        let stride = self.graph.grid.stride() as usize;
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
        let begin = self.packed_cell(cell).state(stride as u32).index();
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

/// The first jump points of every cell, by its number.
fn first_points(graph: &JumpPointGraph<'_>) -> Csr<Leg> {
    let part = |cells: &[PackedCell]| {
        let mut first = FirstJumpPoints::new(&graph.flat, graph.costs);
        let (mut lists, mut list) = (Csr::default(), Vec::new());
        for &packed in cells {
            vectorized!(first.append(packed, &mut list));
            lists.push_list(list.drain(..));
        }
        lists
    };
    let parts: Vec<Csr<Leg>> = parallel::map_chunks(&graph.cells, 1024, part);
    parts.iter().flat_map(Csr::lists).map(|list| list.iter().copied()).collect()
}

/// For every jump point the numbers of the cells that see it.
fn seeing_cells(graph: &JumpPointGraph<'_>, numbers: &[u32]) -> Csr<u32> {
    let (mut lists, stride) = (Csr::default(), graph.grid.stride());
    for point in 0..graph.points.len() as u32 {
        graph.seen_from(point, |packed| lists.push(numbers[packed.state(stride).index()]));
        lists.close();
    }
    lists
}

/// For every item the lists that it is in.
fn turned_round(lists: &Csr<u32>, items: usize) -> Csr<u32> {
    let named = |list: usize| lists.list(list).iter().map(move |&item| (item, list as u32));
    Csr::sorted(items, (0..lists.len()).flat_map(named))
}

/// The distances from some jump points to all, sixteen at a time: those that see them are the seeds of a sweep over the
/// contracted graph.
fn between(graph: &JumpPointGraph<'_>, sources: &[u32]) -> Vec<u32> {
    let points = graph.points.len();
    let mut between = vec![0; sources.len() * points];
    if points == 0 {
        return between;
    }
    let room = || vec![Lanes::ALL_INFINITE; points];
    parallel::fill_chunks(&mut between, BATCH * points, room, |by_rank, batch, rows| {
        let sources = &sources[batch * BATCH..sources.len().min((batch + 1) * BATCH)];
        by_rank.fill(Lanes::ALL_INFINITE);
        for (lane, &source) in sources.iter().enumerate() {
            let at = graph.points[source as usize];
            graph.seen_from(source, |packed| {
                let point = graph.flat.cell(packed).point;
                if point != NO_POINT {
                    by_rank[graph.hierarchy.rank(point)].0[lane] = graph.costs.octile(packed, at);
                }
            });
        }
        vectorized!(graph.hierarchy.sweep(by_rank));
        for (lane, (&source, row)) in sources.iter().zip(rows.chunks_mut(points)).enumerate() {
            for (point, distance) in row.iter_mut().enumerate() {
                *distance = by_rank[graph.hierarchy.rank(point as u32)].0[lane];
            }
            row[source as usize] = 0;
        }
    });
    between
}
