//! Every cell takes the hop_label of the first jump point over which its way to a source leads.
//!
//! Cells are gone through along the curve, square by square, sixteen sources at a time. Where a square agrees (see
//! [`blocks`](super::blocks)) all its cells are settled at once; else its smaller squares are asked, and at last the
//! cells one by one. What comes out is a row for each source: runs of cells with the same hop_label.

use super::JumpPointGraph;
use super::blocks::{Block, Bounds, Level};
use super::flood::Flood;
use super::lanes::{BoxLanes, LANES, LaneBits};
use super::packed_distances::{DistanceWord, PackedDistances};
use pulp::Simd;

/// Where a run of cells with the same hop begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RunStart {
    pub(crate) cell: u32,
    pub(crate) hop: u8,
}

/// One source's row.
#[derive(Clone, Debug, Default)]
pub(crate) struct LabelledRow {
    /// The first begins at cell 0. Empty if no cell needs a hop.
    pub(crate) runs: Vec<RunStart>,
    /// For each hop, the cells of its runs (and those of the smallest squares they touch).
    pub(crate) bounds: Vec<Bounds>,
}

/// Labels, with room to work in.
#[derive(Debug)]
pub(crate) struct FirstHopLabeller<W> {
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

impl<W: DistanceWord> FirstHopLabeller<W> {
    pub(crate) fn new() -> FirstHopLabeller<W> {
        FirstHopLabeller { relevant: Vec::new(), stack: Vec::new() }
    }

    /// The rows of the sources of a flood.
    #[inline(always)]
    pub(crate) fn run<S: Simd>(
        &mut self,
        simd: S,
        graph: &JumpPointGraph<'_>,
        flood: &Flood<W>,
    ) -> Vec<LabelledRow> {
        let sources = flood.hops.len();
        let labelled = |hops: usize| LabelledRow { runs: Vec::new(), bounds: vec![Bounds::EMPTY; hops] };
        let mut rows = Rows {
            current: PackedDistances::ALL_ZERO,
            boxes: BoxLanes::EMPTY,
            labelled: flood.hops.iter().map(|hops| labelled(hops.len())).collect(),
        };
        let all = if sources == LANES { LaneBits::MAX } else { (1 << sources) - 1 };
        let squares = |level: usize| graph.levels[level].blocks.len() - 1;
        self.stack.push(Turn { level: 0, next: 0, end: squares(0), lanes: all });
        while let Some(turn) = self.stack.last_mut() {
            let Turn { level, next, end, lanes } = *turn;
            if next == end {
                self.stack.pop();
                continue;
            }
            turn.next += 1;
            let squares = &graph.levels[level];
            let (rest, limit) = settle(simd, squares, next, lanes, flood, &mut rows);
            if rest == 0 {
                continue;
            }
            if level + 1 == graph.levels.len() {
                self.find_relevant(simd, graph, (squares, next), rest, &limit, flood);
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
        graph: &JumpPointGraph<'_>,
        (squares, index): (&Level, usize),
        lanes: LaneBits,
        limit: &PackedDistances<W>,
        flood: &Flood<W>,
    ) {
        let block = &squares.blocks[index];
        let mask = PackedDistances::mask(lanes);
        let (mut columns, mut rows) = ([0; LANES], [0; LANES]);
        for (index, packed) in graph.cells[block.from as usize..block.to as usize].iter().enumerate() {
            (columns[index], rows[index]) = (packed.column() as i32, packed.row() as i32);
        }
        self.relevant.clear();
        for near in squares.near(index) {
            let words = &flood.words[near.point as usize];
            if !words.is_within(simd, W::new(near.slack, 0), limit, &mask) {
                continue;
            }
            let at = graph.points[near.point as usize];
            let (column, row) = (at.column() as i32, at.row() as i32);
            let mut relevant =
                Relevant { point: near.point, costs: [W::ZERO; LANES], absent: [W::ZERO; LANES] };
            for cell in 0..LANES {
                let cost = graph.costs.of_steps(columns[cell] - column, rows[cell] - row);
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
        let mask = PackedDistances::mask(lanes);
        rows.boxes.grow(simd, lanes, &block.bounds);
        for (index, cell) in (block.from..block.to).enumerate() {
            let mut best = PackedDistances::ALL_FAR;
            for relevant in &self.relevant {
                let words = &flood.words[relevant.point as usize];
                let offer = (relevant.costs[index], relevant.absent[index]);
                best.relax_from_current(simd, words, offer, &rows.current);
            }
            // PackedDistances of the current hop_label have lost it, and there is none where nothing was found.
            if best.differs(simd, &PackedDistances::ALL_ZERO, &mask) {
                let changed =
                    best.other_hop_labels(&PackedDistances::ALL_ZERO) & lanes & !flood.sees[cell as usize];
                rows.begin_runs(cell, &best, changed);
                rows.boxes.grow(simd, changed, &block.bounds);
            }
        }
    }
}

/// Settles the sources for which all cells of a square agree. Returns the others, and how much a jump point's distance
/// plus slack may be to matter to them.
#[inline(always)]
fn settle<W: DistanceWord, S: Simd>(
    simd: S,
    squares: &Level,
    index: usize,
    lanes: LaneBits,
    flood: &Flood<W>,
    rows: &mut Rows<W>,
) -> (LaneBits, PackedDistances<W>) {
    let block = &squares.blocks[index];
    let lanes = lanes & !seen_by_all(block, &flood.sees);
    if lanes == 0 || block.of_middle == 0 {
        return (lanes, PackedDistances::ALL_BITS);
    }
    let near = squares.near(index);
    let mut best = PackedDistances::ALL_FAR;
    for near in &near[..block.of_middle as usize] {
        best.relax(simd, &flood.words[near.point as usize], W::new(near.cost, 0));
    }
    // Where the middle has no way but what it sees, everything that can be reached is another hop_label.
    let limit = best.limit(simd, W::new(squares.base, 0));
    let mut others = PackedDistances::ALL_ZERO;
    for near in near {
        let words = &flood.words[near.point as usize];
        others.mark_others(simd, words, W::new(near.slack, 0), &limit, &best);
    }
    let mut disputed = 0;
    if others.differs(simd, &PackedDistances::ALL_ZERO, &PackedDistances::mask(lanes)) {
        disputed = others.other_hop_labels(&PackedDistances::ALL_ZERO) & lanes;
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
    /// The hop_label of the open run; 0 before the first.
    current: PackedDistances<W>,
    /// The cells of the open run.
    boxes: BoxLanes,
    labelled: Vec<LabelledRow>,
}

impl<W: DistanceWord> Rows<W> {
    /// In the marked lanes all cells of a block have the hop_labels of these words.
    #[inline(always)]
    fn put<S: Simd>(&mut self, simd: S, block: &Block, words: &PackedDistances<W>, lanes: LaneBits) {
        if words.differs(simd, &self.current, &PackedDistances::mask(lanes)) {
            self.begin_runs(block.from, words, words.other_hop_labels(&self.current) & lanes);
        }
        self.boxes.grow(simd, lanes, &block.bounds);
    }

    /// From this cell on the marked lanes have the hop_labels of these words.
    #[inline(always)]
    fn begin_runs(&mut self, cell: u32, words: &PackedDistances<W>, mut lanes: LaneBits) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            self.close(lane);
            let hop_label = words.0[lane].hop_label();
            let runs = &mut self.labelled[lane].runs;
            let cell = if runs.is_empty() { 0 } else { cell };
            runs.push(RunStart { cell, hop: hop_label.wrapping_sub(1) });
            self.current.0[lane] = W::new(0, hop_label);
        }
    }

    fn close(&mut self, lane: usize) {
        let bounds = self.boxes.take(lane);
        let hop_label = self.current.0[lane].hop_label();
        if hop_label > 0 {
            self.labelled[lane].bounds[usize::from(hop_label) - 1].join(&bounds);
        }
    }

    fn finish(mut self) -> Vec<LabelledRow> {
        (0..self.labelled.len()).for_each(|lane| self.close(lane));
        self.labelled
    }
}
