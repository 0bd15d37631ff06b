//! Squares of cells that get their answers together.
//!
//! Along the curve cells come in squares of 16, 64, 256 cells. Let `m` be a cell in the middle of a square, `D` the
//! distances from some source. A cell `x` of the square goes over its jump point `b` only if
//! `c(x,b) + D(b) = D(x) <= d(x,m) + D(m)`. So with
//! `slack(b) = min over the square's x that have b of c(x,b) - d(x,m)`,
//! only jump points with `D(b) + slack(b) <= D(m)` can matter to any cell of the square. If all of these carry the same
//! hop_label, the whole square has it. Any way from x to m will do for `d(x,m)`: a longer one only lets more through.

use super::first_jump_points::Leg;
use super::lanes::INFINITE;
use crate::index::small_box::SmallBox;
use crate::index::{LegCosts, PackedCell};
use crate::space::{Direction, Grid};

/// Columns and rows of a rectangle, ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(crate) low: [i32; 2],
    pub(crate) high: [i32; 2],
}

impl Bounds {
    pub(crate) const EMPTY: Bounds = Bounds { low: [i32::MAX; 2], high: [i32::MIN; 2] };

    /// The same in four bytes.
    pub(crate) fn small(&self, shift: u32) -> SmallBox {
        SmallBox::new(self.low, self.high, shift)
    }

    pub(crate) fn add(&mut self, packed: PackedCell) {
        let at = [packed.column() as i32, packed.row() as i32];
        self.join(&Bounds { low: at, high: at });
    }

    pub(crate) fn join(&mut self, other: &Bounds) {
        for axis in 0..2 {
            self.low[axis] = self.low[axis].min(other.low[axis]);
            self.high[axis] = self.high[axis].max(other.high[axis]);
        }
    }

    fn cells(&self) -> usize {
        (0..2).map(|axis| (self.high[axis] - self.low[axis] + 1).max(0) as usize).product()
    }
}

/// A square of the curve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Numbers of its cells.
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Its jump points begin here and end where those of the next block begin.
    pub(crate) near: u32,
    /// So many of them, at the beginning, are the middle's own; 0: the test is impossible, look closer.
    pub(crate) of_middle: u32,
    /// Its squares of the next finer level begin here.
    pub(crate) finer: u32,
    pub(crate) bounds: Bounds,
}

/// A jump point that some cell of a block has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) point: u32,
    /// The slack, plus the level's `base` so that it is never negative.
    pub(crate) slack: u32,
    /// From the middle, if that has it.
    pub(crate) cost: u32,
    /// Which cells have it, in blocks of at most 32.
    pub(crate) cells: u32,
}

/// All squares of one size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    /// No way to the middle that counts is longer.
    pub(crate) base: u32,
    /// A last, empty one closes the list.
    pub(crate) blocks: Vec<Block>,
    pub(crate) near: Vec<Near>,
}

impl Level {
    /// No squares yet of `2^bits` cells.
    pub(crate) fn new(bits: u32, legs: LegCosts) -> Level {
        Level { base: (16 << (bits / 2)) * legs.diagonal / 2, blocks: Vec::new(), near: Vec::new() }
    }

    #[inline(always)]
    pub(crate) fn near(&self, block: usize) -> &[Near] {
        &self.near[self.blocks[block].near as usize..self.blocks[block + 1].near as usize]
    }

    /// Appends another part of the same level, whose cells follow.
    pub(crate) fn append(&mut self, part: Level, finer_before: u32) {
        let before = self.near.len() as u32;
        self.near.extend(part.near);
        self.blocks.extend(part.blocks.into_iter().map(|block| Block {
            near: block.near + before,
            finer: block.finer + finer_before,
            ..block
        }));
    }

    /// Closes the list of blocks.
    pub(crate) fn close(&mut self, cells: u32, finer: u32) {
        let near = self.near.len() as u32;
        let bounds = Bounds::EMPTY;
        self.blocks.push(Block { from: cells, to: cells, near, of_middle: 0, finer, bounds });
    }
}

/// Cells with their first jump points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed<'a> {
    /// Number of the first cell.
    pub(crate) from: u32,
    pub(crate) packed_cells: &'a [PackedCell],
    /// Where the list of each cell begins; one more than there are cells.
    pub(crate) first: &'a [u32],
    pub(crate) legs: &'a [Leg],
}

impl<'a> Listed<'a> {
    fn list(&self, cell: usize) -> &'a [Leg] {
        &self.legs[self.first[cell] as usize..self.first[cell + 1] as usize]
    }

    /// The cells of a range, counted from the first of these.
    pub(crate) fn part(&self, range: std::ops::Range<usize>) -> Listed<'a> {
        Listed {
            from: self.from + range.start as u32,
            packed_cells: &self.packed_cells[range.clone()],
            first: &self.first[range.start..=range.end],
            legs: self.legs,
        }
    }
}

/// Makes blocks, with room to work in.
#[derive(Debug)]
pub(crate) struct BlockMaker<'a> {
    grid: &'a Grid,
    costs: LegCosts,
    /// For each jump point, in which block it was last met, and where.
    met: Vec<(u32, u32)>,
    blocks: u32,
    /// Distances from the middle, around the block at hand; all infinite between two blocks.
    distances: Vec<u32>,
    queue: Vec<PackedCell>,
}

/// How far ways to the middle may leave the block.
const MARGIN: i32 = 4;

impl<'a> BlockMaker<'a> {
    pub(crate) fn new(grid: &'a Grid, costs: LegCosts, points: usize) -> BlockMaker<'a> {
        BlockMaker {
            grid,
            costs,
            met: vec![(0, 0); points],
            blocks: 0,
            distances: Vec::new(),
            queue: Vec::new(),
        }
    }

    /// Appends the block of these cells to its level.
    pub(crate) fn append(&mut self, cells: Listed<'_>, finer: u32, level: &mut Level) {
        let mut bounds = Bounds::EMPTY;
        cells.packed_cells.iter().for_each(|&packed| bounds.add(packed));
        let middle = middle(cells.packed_cells, &bounds);
        let is_open = bounds.cells() == cells.packed_cells.len();
        if !is_open {
            self.flood(cells.packed_cells[middle], &bounds);
        }
        self.blocks += 1;
        let near = level.near.len() as u32;
        for leg in cells.list(middle) {
            self.met[leg.point as usize] = (self.blocks, level.near.len() as u32);
            level.near.push(Near { point: leg.point, slack: u32::MAX, cost: leg.cost, cells: 0 });
        }
        let mut of_middle = level.near.len() as u32 - near;
        for (cell, &packed) in cells.packed_cells.iter().enumerate() {
            let to_middle = if is_open {
                self.costs.octile(packed, cells.packed_cells[middle])
            } else {
                self.distances[place(&bounds, packed)]
            };
            if to_middle > level.base {
                of_middle = 0;
            }
            for leg in cells.list(cell) {
                let slack = level.base + leg.cost - to_middle.min(level.base);
                let bit = 1_u32 << (cell % 32);
                let (block, at) = self.met[leg.point as usize];
                if block == self.blocks {
                    let near = &mut level.near[at as usize];
                    near.slack = near.slack.min(slack);
                    near.cells |= bit;
                } else {
                    self.met[leg.point as usize] = (self.blocks, level.near.len() as u32);
                    level.near.push(Near { point: leg.point, slack, cost: 0, cells: bit });
                }
            }
        }
        let (from, to) = (cells.from, cells.from + cells.packed_cells.len() as u32);
        level.blocks.push(Block { from, to, near, of_middle, finer, bounds });
    }

    /// Distances from a cell within the bounds and a margin around them. Few cells: a plain queue, in which a cell may
    /// stand more than once.
    fn flood(&mut self, start: PackedCell, bounds: &Bounds) {
        self.distances.clear();
        self.distances.resize(side(bounds, 0) * side(bounds, 1), INFINITE);
        self.queue.clear();
        self.queue.push(start);
        self.distances[place(bounds, start)] = 0;
        let moves = self.grid.moves();
        let mut next = 0;
        while next < self.queue.len() {
            let packed = self.queue[next];
            next += 1;
            let here = self.distances[place(bounds, packed)];
            for direction in
                moves.allowed(packed.state(self.grid.stride())).into_iter().map(Direction::number)
            {
                let neighbour = packed.ahead(direction, 1);
                let cost = if direction % 2 == 0 { self.costs.straight } else { self.costs.diagonal };
                if is_around(bounds, neighbour) {
                    let there = &mut self.distances[place(bounds, neighbour)];
                    if here + cost < *there {
                        *there = here + cost;
                        self.queue.push(neighbour);
                    }
                }
            }
        }
    }
}

/// The cell nearest to the centre.
fn middle(packed_cells: &[PackedCell], bounds: &Bounds) -> usize {
    let away = |packed: &PackedCell| {
        let across = (2 * packed.column() as i32 - bounds.low[0] - bounds.high[0]).abs();
        across.max((2 * packed.row() as i32 - bounds.low[1] - bounds.high[1]).abs())
    };
    (0..packed_cells.len()).min_by_key(|&index| away(&packed_cells[index])).unwrap_or(0)
}

fn side(bounds: &Bounds, axis: usize) -> usize {
    (bounds.high[axis] - bounds.low[axis] + 1 + 2 * MARGIN) as usize
}

fn is_around(bounds: &Bounds, packed: PackedCell) -> bool {
    let at = [packed.column() as i32, packed.row() as i32];
    (0..2).all(|axis| at[axis] >= bounds.low[axis] - MARGIN && at[axis] <= bounds.high[axis] + MARGIN)
}

fn place(bounds: &Bounds, packed: PackedCell) -> usize {
    let column = packed.column() as i32 - bounds.low[0] + MARGIN;
    let row = packed.row() as i32 - bounds.low[1] + MARGIN;
    row as usize * side(bounds, 0) + column as usize
}
