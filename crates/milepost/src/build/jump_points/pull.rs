//! Every cell takes the symbol of the first jump point over which its way to a source leads.
//!
//! Cells are gone through along the curve, square by square, sixteen sources at a time. Where a square agrees (see
//! [`blocks`](super::blocks)) all its cells are settled at once; else its smaller squares are asked, and at last the
//! cells one by one. What comes out is a row for each source: runs of cells with the same symbol.

use super::Study;
use super::blocks::{Block, Bounds, Level};
use super::flood::Flood;
use super::lanes::{BoxLanes, LANES, LaneBits};
use super::words::{Word, Words};
use pulp::Simd;

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
#[derive(Debug)]
pub(crate) struct Puller<W> {
    relevant: Vec<Relevant<W>>,
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
struct Relevant<W> {
    point: u32,
    /// What it costs from each cell.
    costs: [W; LANES],
    /// All bits where the cell does not have it.
    absent: [W; LANES],
}

impl<W: Word> Puller<W> {
    pub(crate) fn new() -> Puller<W> {
        Puller { relevant: Vec::new(), stack: Vec::new() }
    }

    /// The rows of the sources of a flood.
    #[inline(always)]
    pub(crate) fn run<S: Simd>(&mut self, simd: S, study: &Study<'_>, flood: &Flood<W>) -> Vec<Pulled> {
        let sources = flood.hops.len();
        let pulled = |hops: usize| Pulled { runs: Vec::new(), bounds: vec![Bounds::EMPTY; hops] };
        let mut rows = Rows {
            current: Words::ALL_ZERO,
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
            let (rest, limit) = settle(simd, squares, next, lanes, flood, &mut rows);
            if rest == 0 {
                continue;
            }
            if level + 1 == study.levels.len() {
                self.find_relevant(simd, study, (squares, next), rest, &limit, flood);
                self.resolve(simd, &squares.blocks[next], rest, flood, &mut rows);
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

    /// The jump points of a smallest square that are within the limit of some source.
    #[inline(always)]
    fn find_relevant<S: Simd>(
        &mut self,
        simd: S,
        study: &Study<'_>,
        (squares, index): (&Level, usize),
        lanes: LaneBits,
        limit: &Words<W>,
        flood: &Flood<W>,
    ) {
        let block = &squares.blocks[index];
        let mask = Words::mask(lanes);
        let (mut columns, mut rows) = ([0; LANES], [0; LANES]);
        for (index, spot) in study.cells[block.from as usize..block.to as usize].iter().enumerate() {
            (columns[index], rows[index]) = (spot.column() as i32, spot.row() as i32);
        }
        self.relevant.clear();
        for near in squares.near(index) {
            let words = &flood.words[near.point as usize];
            if !words.is_within(simd, W::new(near.slack, 0), limit, &mask) {
                continue;
            }
            let at = study.points[near.point as usize];
            let (column, row) = (at.column() as i32, at.row() as i32);
            let mut relevant =
                Relevant { point: near.point, costs: [W::ZERO; LANES], absent: [W::ZERO; LANES] };
            for cell in 0..LANES {
                let cost = study.costs.of_steps(columns[cell] - column, rows[cell] - row);
                relevant.costs[cell] = W::new(cost, 0);
                relevant.absent[cell] = if near.cells >> cell & 1 == 1 { W::ZERO } else { W::ALL_BITS };
            }
            self.relevant.push(relevant);
        }
    }

    /// Settles the cells of a smallest square one by one.
    #[inline(always)]
    fn resolve<S: Simd>(
        &self,
        simd: S,
        block: &Block,
        lanes: LaneBits,
        flood: &Flood<W>,
        rows: &mut Rows<W>,
    ) {
        let mask = Words::mask(lanes);
        rows.boxes.grow(simd, lanes, &block.bounds);
        for (index, cell) in (block.from..block.to).enumerate() {
            let mut best = Words::ALL_FAR;
            for relevant in &self.relevant {
                let words = &flood.words[relevant.point as usize];
                let offer = (relevant.costs[index], relevant.absent[index]);
                best.relax_from_current(simd, words, offer, &rows.current);
            }
            // Words of the current symbol have lost it, and there is none where nothing was found.
            if best.differs(simd, &Words::ALL_ZERO, &mask) {
                let changed = best.other_symbols(&Words::ALL_ZERO) & lanes & !flood.sees[cell as usize];
                rows.begin_runs(cell, &best, changed);
                rows.boxes.grow(simd, changed, &block.bounds);
            }
        }
    }
}

/// Settles the sources for which all cells of a square agree. Returns the others, and how much a jump point's distance
/// plus slack may be to matter to them.
#[inline(always)]
fn settle<W: Word, S: Simd>(
    simd: S,
    squares: &Level,
    index: usize,
    lanes: LaneBits,
    flood: &Flood<W>,
    rows: &mut Rows<W>,
) -> (LaneBits, Words<W>) {
    let block = &squares.blocks[index];
    let lanes = lanes & !seen_by_all(block, &flood.sees);
    if lanes == 0 || block.of_middle == 0 {
        return (lanes, Words::ALL_BITS);
    }
    let near = squares.near(index);
    let mut best = Words::ALL_FAR;
    for near in &near[..block.of_middle as usize] {
        best.relax(simd, &flood.words[near.point as usize], W::new(near.cost, 0));
    }
    // Where the middle has no way but what it sees, everything that can be reached is another symbol.
    let limit = best.limit(simd, W::new(squares.base, 0));
    let mut others = Words::ALL_ZERO;
    for near in near {
        let words = &flood.words[near.point as usize];
        others.mark_others(simd, words, W::new(near.slack, 0), &limit, &best);
    }
    let mut disputed = 0;
    if others.differs(simd, &Words::ALL_ZERO, &Words::mask(lanes)) {
        disputed = others.other_symbols(&Words::ALL_ZERO) & lanes;
    }
    let settled = lanes & !disputed & best.below(W::FAR);
    rows.put(simd, block, &best, settled);
    (disputed, limit)
}

/// The sources that every cell of a block sees.
#[inline(always)]
fn seen_by_all(block: &Block, sees: &[LaneBits]) -> LaneBits {
    sees[block.from as usize..block.to as usize].iter().fold(LaneBits::MAX, |all, &bits| all & bits)
}

/// The rows of sixteen sources as they grow.
struct Rows<W> {
    /// The symbol of the open run; 0 before the first.
    current: Words<W>,
    /// The cells of the open run.
    boxes: BoxLanes,
    pulled: Vec<Pulled>,
}

impl<W: Word> Rows<W> {
    /// In the marked lanes all cells of a block have the symbols of these words.
    #[inline(always)]
    fn put<S: Simd>(&mut self, simd: S, block: &Block, words: &Words<W>, lanes: LaneBits) {
        if words.differs(simd, &self.current, &Words::mask(lanes)) {
            self.begin_runs(block.from, words, words.other_symbols(&self.current) & lanes);
        }
        self.boxes.grow(simd, lanes, &block.bounds);
    }

    /// From this cell on the marked lanes have the symbols of these words.
    #[inline(always)]
    fn begin_runs(&mut self, cell: u32, words: &Words<W>, mut lanes: LaneBits) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            self.close(lane);
            let symbol = words.0[lane].symbol();
            let runs = &mut self.pulled[lane].runs;
            let cell = if runs.is_empty() { 0 } else { cell };
            runs.push(RunStart { cell, hop: symbol.wrapping_sub(1) });
            self.current.0[lane] = W::new(0, symbol);
        }
    }

    fn close(&mut self, lane: usize) {
        let bounds = self.boxes.take(lane);
        let symbol = self.current.0[lane].symbol();
        if symbol > 0 {
            self.pulled[lane].bounds[usize::from(symbol) - 1].join(&bounds);
        }
    }

    fn finish(mut self) -> Vec<Pulled> {
        (0..self.pulled.len()).for_each(|lane| self.close(lane));
        self.pulled
    }
}
