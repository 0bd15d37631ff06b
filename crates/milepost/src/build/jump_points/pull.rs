//! Every cell takes the symbol of the first jump point over which its way to a source leads.
//!
//! Cells are gone through along the curve, square by square, sixteen sources at a time. Where a square agrees (see
//! [`blocks`](super::blocks)) all its cells are settled at once; else its smaller squares are asked, and at last the
//! cells one by one. What comes out is a row for each source: runs of cells with the same symbol.

use super::Study;
use super::blocks::{Block, Bounds, Level, Near};
use super::flood::Flood;
use super::lanes::{Agreement, Best, BoxLanes, INFINITE, LANES, LaneBits, Lanes};

/// Where a run of cells with the same hop begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RunStart {
    pub(crate) cell: u32,
    pub(crate) hop: u8,
}

/// One source's row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pulled {
    /// The first begins at cell 0. Empty if no cell needs a hop.
    pub(crate) runs: Vec<RunStart>,
    /// For each hop, the cells of its runs (and those of the smallest squares they touch).
    pub(crate) bounds: Vec<Bounds>,
}

/// Pulls, with room to work in.
#[derive(Debug, Default)]
pub(crate) struct Puller {
    relevant: Vec<Relevant>,
    stack: Vec<Turn>,
}

/// Squares of one level that are still to be looked at, for some sources.
#[derive(Clone, Copy, Debug)]
struct Turn {
    level: usize,
    next: usize,
    end: usize,
    lanes: LaneBits,
}

/// A jump point that can matter to some cell of a smallest square.
#[derive(Clone, Copy, Debug)]
struct Relevant {
    point: u32,
    /// What it costs from each cell; infinite where the cell does not have it.
    costs: [u32; LANES],
}

impl Puller {
    /// The rows of the sources of a flood.
    #[inline(always)]
    pub(crate) fn run(&mut self, study: &Study<'_>, flood: &Flood) -> Vec<Pulled> {
        let sources = flood.hops.len();
        let pulled = |hops: usize| Pulled { runs: Vec::new(), bounds: vec![Bounds::EMPTY; hops] };
        let mut rows = Rows {
            current: Lanes([0; LANES]),
            boxes: BoxLanes::EMPTY,
            pulled: flood.hops.iter().map(|hops| pulled(hops.len())).collect(),
        };
        let all = if sources == LANES { LaneBits::MAX } else { (1 << sources) - 1 };
        let squares = |level: usize| study.levels[level].blocks.len() - 1;
        self.stack.push(Turn { level: 0, next: 0, end: squares(0), lanes: all });
        while let Some(turn) = self.stack.last_mut() {
            let Turn { level, next, end, lanes } = *turn;
            if next == end {
                self.stack.pop();
                continue;
            }
            turn.next += 1;
            let squares = &study.levels[level];
            let (rest, limit) = settle(squares, next, lanes, flood, &mut rows);
            if rest == 0 {
                continue;
            }
            if level + 1 == study.levels.len() {
                self.resolve(study, squares, next, rest, &limit, flood, &mut rows);
            } else {
                let (next, end) = (squares.blocks[next].finer, squares.blocks[next + 1].finer);
                self.stack.push(Turn {
                    level: level + 1,
                    next: next as usize,
                    end: end as usize,
                    lanes: rest,
                });
            }
        }
        rows.finish()
    }

    /// Settles the cells of a smallest square one by one.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn resolve(
        &mut self,
        study: &Study<'_>,
        squares: &Level,
        index: usize,
        lanes: LaneBits,
        limit: &Lanes,
        flood: &Flood,
        rows: &mut Rows,
    ) {
        let block = &squares.blocks[index];
        let cells = block.from as usize..block.to as usize;
        self.relevant.clear();
        for near in squares.near(index) {
            let distances = &flood.distances[near.point as usize];
            let mut within = 0;
            for lane in 0..LANES {
                let is_within = distances.0[lane] + near.slack <= limit.0[lane];
                within |= LaneBits::from(is_within) << lane;
            }
            if within & lanes != 0 {
                let mut costs = [INFINITE; LANES];
                let at = study.points[near.point as usize];
                for (cell, (cost, &spot)) in costs.iter_mut().zip(&study.cells[cells.clone()]).enumerate() {
                    if near.cells >> cell & 1 == 1 {
                        *cost = study.costs.octile(spot, at);
                    }
                }
                self.relevant.push(Relevant { point: near.point, costs });
            }
        }
        rows.boxes.grow(lanes, block.bounds.low, block.bounds.high);
        for (index, cell) in cells.enumerate() {
            let mut best = Best::NONE;
            for relevant in &self.relevant {
                let cost = relevant.costs[index];
                if cost < INFINITE {
                    let point = relevant.point as usize;
                    best.offer(&flood.distances[point], cost, &flood.symbols[point], &rows.current);
                }
            }
            let (symbols, changed) = best.changed(&rows.current);
            let changed = changed & lanes & !flood.sees[cell];
            if changed != 0 {
                rows.begin_runs(cell as u32, &symbols, changed);
                rows.boxes.grow(changed, block.bounds.low, block.bounds.high);
            }
        }
    }
}

/// Settles the sources for which all cells of a square agree. Returns the others, and how much a jump point's distance
/// plus slack may be to matter to them.
#[inline(always)]
fn settle(
    squares: &Level,
    index: usize,
    lanes: LaneBits,
    flood: &Flood,
    rows: &mut Rows,
) -> (LaneBits, Lanes) {
    let block = &squares.blocks[index];
    let lanes = lanes & !seen_by_all(block, &flood.sees);
    if lanes == 0 || block.of_middle == 0 {
        return (lanes, Lanes([u32::MAX; LANES]));
    }
    let near = squares.near(index);
    let mut limit = Lanes::ALL_INFINITE;
    for near in &near[..block.of_middle as usize] {
        limit.relax(&flood.distances[near.point as usize], near.cost);
    }
    let mut reached = 0;
    for lane in 0..LANES {
        reached |= LaneBits::from(limit.0[lane] < INFINITE) << lane;
        limit.0[lane] += squares.base;
    }
    let mut agreement = Agreement::NONE;
    for near in near {
        let point = near.point as usize;
        agreement.add(&flood.distances[point], near.slack, &limit, &flood.symbols[point]);
    }
    let disputed = agreement.disputed() & lanes & reached;
    let settled = lanes & reached & !disputed;
    rows.put(block.from, &agreement.any, settled, &block.bounds);
    let unknown = lanes & !reached;
    if unknown == 0 {
        return (disputed, limit);
    }
    // The middle has no way but what it sees; other cells may have one.
    for lane in 0..LANES {
        limit.0[lane] = if unknown >> lane & 1 == 1 { u32::MAX } else { limit.0[lane] };
    }
    (disputed | unknown & reached_by_any(near, flood), limit)
}

/// The sources from which any of these jump points can be reached.
#[cold]
fn reached_by_any(near: &[Near], flood: &Flood) -> LaneBits {
    let mut reached = 0;
    for near in near {
        for (lane, &distance) in flood.distances[near.point as usize].0.iter().enumerate() {
            reached |= LaneBits::from(distance < INFINITE) << lane;
        }
    }
    reached
}

/// The sources that every cell of a block sees.
#[inline(always)]
fn seen_by_all(block: &Block, sees: &[LaneBits]) -> LaneBits {
    sees[block.from as usize..block.to as usize].iter().fold(LaneBits::MAX, |all, &bits| all & bits)
}

/// The rows of sixteen sources as they grow.
struct Rows {
    /// The symbol of the open run; 0 before the first.
    current: Lanes,
    /// The cells of the open run.
    boxes: BoxLanes,
    pulled: Vec<Pulled>,
}

impl Rows {
    /// From this cell on the marked sources have these symbols, for a square of these bounds.
    #[inline(always)]
    fn put(&mut self, cell: u32, symbols: &Lanes, lanes: LaneBits, bounds: &Bounds) {
        let mut changed = 0;
        for lane in 0..LANES {
            changed |= LaneBits::from(symbols.0[lane] != self.current.0[lane]) << lane;
        }
        let changed = changed & lanes;
        if changed != 0 {
            self.begin_runs(cell, symbols, changed);
        }
        self.boxes.grow(lanes, bounds.low, bounds.high);
    }

    fn begin_runs(&mut self, cell: u32, symbols: &Lanes, mut lanes: LaneBits) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            self.close(lane);
            let runs = &mut self.pulled[lane].runs;
            let cell = if runs.is_empty() { 0 } else { cell };
            runs.push(RunStart { cell, hop: (symbols.0[lane] - 1) as u8 });
            self.current.0[lane] = symbols.0[lane];
        }
    }

    fn close(&mut self, lane: usize) {
        let (low, high) = self.boxes.take(lane);
        let symbol = self.current.0[lane];
        if symbol > 0 {
            self.pulled[lane].bounds[symbol as usize - 1].join(&Bounds { low, high });
        }
    }

    fn finish(mut self) -> Vec<Pulled> {
        (0..self.pulled.len()).for_each(|lane| self.close(lane));
        self.pulled
    }
}
