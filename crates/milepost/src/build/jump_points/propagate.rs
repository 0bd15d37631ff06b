//! Every cell takes the hop_label of the first jump point over which its way to a source leads.
//!
//! Cells are gone through along the curve, square by square, sixteen sources at a time. Where a square agrees (see
//! [`blocks`](super::blocks)) all its cells are settled at once; else its smaller squares are asked, and at last the
//! cells one by one. Runs of cells with the same hop_label follow each other so; what is kept for each source are the boxes around
//! all runs of each hop.

use super::JumpPointGraph;
use super::blocks::{Block, Bounds, Level};
use super::flood::Flood;
use super::lanes::{BoxLanes, LANES, LaneBits};
use super::packed_distances::{DistanceWord, PackedDistances};
use pulp::Simd;

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

    /// For each source of a flood and each of its hops, the cells of its runs, and those of the smallest squares that they touch.
    #[inline(always)]
    pub(crate) fn run<S: Simd>(
        &mut self,
        simd: S,
        graph: &JumpPointGraph<'_>,
        flood: &Flood<W>,
    ) -> Vec<Vec<Bounds>> {
        let sources = flood.hops.len();
        let mut runs = Runs {
            current: PackedDistances::ALL_ZERO,
            boxes: BoxLanes::EMPTY,
            bounds: flood.hops.iter().map(|hops| vec![Bounds::EMPTY; hops.len()]).collect(),
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
            let (rest, limit) = settle(simd, squares, next, lanes, flood, &mut runs);
            if rest == 0 {
                continue;
            }
            if level + 1 == graph.levels.len() {
                self.find_relevant(simd, graph, (squares, next), rest, &limit, flood);
                self.resolve(simd, &squares.blocks[next], rest, flood, &mut runs);
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
        runs.finish()
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
        runs: &mut Runs<W>,
    ) {
        let mask = PackedDistances::mask(lanes);
        runs.boxes.grow(simd, lanes, &block.bounds);
        for (index, cell) in (block.from..block.to).enumerate() {
            let mut best = PackedDistances::ALL_FAR;
            for relevant in &self.relevant {
                let words = &flood.words[relevant.point as usize];
                let offer = (relevant.costs[index], relevant.absent[index]);
                best.relax_from_current(simd, words, offer, &runs.current);
            }
            // PackedDistances of the current hop_label have lost it, and there is none where nothing was found.
            if best.differs(simd, &PackedDistances::ALL_ZERO, &mask) {
                let changed =
                    best.other_hop_labels(&PackedDistances::ALL_ZERO) & lanes & !flood.sees[cell as usize];
                runs.begin(&best, changed);
                runs.boxes.grow(simd, changed, &block.bounds);
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
    runs: &mut Runs<W>,
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
    runs.put(simd, block, &best, settled);
    (disputed, limit)
}

/// The sources that every cell of a block sees.
#[inline(always)]
fn seen_by_all(block: &Block, sees: &[LaneBits]) -> LaneBits {
    sees[block.from as usize..block.to as usize].iter().fold(LaneBits::MAX, |all, &bits| all & bits)
}

/// The runs of sixteen sources as they grow.
struct Runs<W> {
    /// The hop_label of the open run; 0 before the first.
    current: PackedDistances<W>,
    /// The cells of the open run.
    boxes: BoxLanes,
    /// By source and hop: the cells of its runs so far.
    bounds: Vec<Vec<Bounds>>,
}

impl<W: DistanceWord> Runs<W> {
    /// In the marked lanes all cells of a block have the hop_labels of these words.
    #[inline(always)]
    fn put<S: Simd>(&mut self, simd: S, block: &Block, words: &PackedDistances<W>, lanes: LaneBits) {
        if words.differs(simd, &self.current, &PackedDistances::mask(lanes)) {
            self.begin(words, words.other_hop_labels(&self.current) & lanes);
        }
        self.boxes.grow(simd, lanes, &block.bounds);
    }

    /// From here on the marked lanes have the hop_labels of these words.
    #[inline(always)]
    fn begin(&mut self, words: &PackedDistances<W>, mut lanes: LaneBits) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            self.close(lane);
            self.current.0[lane] = W::new(0, words.0[lane].hop_label());
        }
    }

    fn close(&mut self, lane: usize) {
        let bounds = self.boxes.take(lane);
        let hop_label = self.current.0[lane].hop_label();
        if hop_label > 0 {
            self.bounds[lane][usize::from(hop_label) - 1].join(&bounds);
        }
    }

    fn finish(mut self) -> Vec<Vec<Bounds>> {
        (0..self.bounds.len()).for_each(|lane| self.close(lane));
        self.bounds
    }
}
