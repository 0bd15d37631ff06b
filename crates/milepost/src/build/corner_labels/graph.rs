//! The taut graph: corners, and the legs between them that a shortest path may be made of.
//!
//! Edges of cost oct, both ways: (a) each corner to the next corner of any kind on each straight run; (b) from a corner a
//! along each diagonal D that touches it: of every cell y of the ray, up to the first corner on it, the first corner
//! U(y, D, e) that D touches on the runs e beside D, or y itself if it is a corner. An edge of (b) is left out where a corner
//! that is kept stands between, nearer to the ray.
//!
//! **L4**: corners that are joined by a leg have d_G = oct between them if the leg is straight or its diagonal touches both.
//! An edge must not ask that a forced corner follows (a list may).

use super::turns::{Directions, Turns, leaving};
use crate::build::{Progress, SILENT, parallel};
use crate::core::Csr;
use crate::index::corner_labels::{Broken, ProofRule, StepCosts};
use crate::space::{Bits, Cell, CornerKind, CornerSight, Direction, Grid, Sight};

/// The corners of a grid, numbered row by row.
pub(super) struct Corners<'a> {
    pub(super) grid: &'a Grid,
    pub(super) sight: Sight<'a>,
    pub(super) runs: CornerSight<'a>,
    pub(super) cells: Vec<Cell>,
    pub(super) kinds: Vec<CornerKind>,
    pub(super) broken: Broken,
    /// Hears often that the work goes on.
    pub(super) progress: Progress<'a>,
    bits: Bits,
    /// Corners before each word of the bits.
    before: Vec<u32>,
}

impl<'a> Corners<'a> {
    pub(super) fn of(grid: &'a Grid, broken: Broken) -> Corners<'a> {
        let runs = grid.corner_sight();
        let (bits, stride) = (runs.corners(), grid.stride() as usize);
        let cells: Vec<Cell> =
            bits.ones().map(|number| ((number % stride) as u32, (number / stride) as u32)).collect();
        let kinds = cells.iter().map(|&cell| grid.corner_kind(cell)).collect();
        let mut count = 0;
        let before = bits.words().iter().map(|word| {
            let before = count;
            count += word.count_ones();
            before
        });
        let before = before.collect();
        Corners { grid, sight: grid.sight(), runs, cells, kinds, broken, progress: SILENT, bits, before }
    }

    pub(super) fn with_progress(self, progress: Progress<'a>) -> Corners<'a> {
        Corners { progress, ..self }
    }

    pub(super) fn count(&self) -> usize {
        self.cells.len()
    }

    /// The number of the corner at a cell.
    #[inline(always)]
    pub(super) fn number(&self, (column, row): Cell) -> u32 {
        let place = row as usize * self.grid.stride() as usize + column as usize;
        let word = self.bits.words()[place / 64] & ((1 << (place % 64)) - 1);
        self.before[place / 64] + word.count_ones()
    }

    #[inline(always)]
    pub(super) fn cell(&self, corner: u32) -> Cell {
        self.cells[corner as usize]
    }

    #[inline(always)]
    pub(super) fn kind(&self, corner: u32) -> CornerKind {
        self.kinds[corner as usize]
    }
}

/// A cell so many steps ahead.
#[inline(always)]
pub(super) fn ahead((column, row): Cell, direction: Direction, steps: i64) -> Cell {
    let (dx, dy) = direction.offset();
    ((i64::from(column) + dx * steps) as u32, (i64::from(row) + dy * steps) as u32)
}

/// Steps between two cells of a straight run.
#[inline(always)]
pub(super) fn steps_between(a: Cell, b: Cell) -> u32 {
    a.0.abs_diff(b.0) + a.1.abs_diff(b.1)
}

/// Both straight directions beside a diagonal.
pub(super) fn beside(diagonal: Direction) -> [Direction; 2] {
    [diagonal.clockwise(7), diagonal.clockwise(1)]
}

pub(super) const DIAGONALS: [Direction; 4] =
    [Direction::NorthEast, Direction::SouthEast, Direction::SouthWest, Direction::NorthWest];

/// An edge or a shortcut, seen from the corner that it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    /// The first corner on the way.
    pub(super) first: u32,
    pub(super) cost: u64,
    /// First directions of legal ways of this cost, at this end and at the other.
    pub(super) out: Directions,
    pub(super) back: Directions,
}

/// The corners that a corner has edges to.
fn neighbours(corners: &Corners<'_>, corner: u32, mut visit: impl FnMut(Cell)) {
    let Corners { sight, runs, .. } = corners;
    let from = corners.cell(corner);
    // (a) The runs to the north and west are those of the others to the south and east.
    [Direction::East, Direction::South].into_iter().filter_map(|e| runs.next(from, e)).for_each(&mut visit);
    // (b)
    let mut kept: Vec<(Cell, u32)> = Vec::new();
    for diagonal in DIAGONALS.into_iter().filter(|&diagonal| corners.kind(corner).touches(diagonal)) {
        let reach = sight.reach(from, diagonal);
        for (octant, straight) in beside(diagonal).into_iter().enumerate() {
            kept.clear();
            // What lies on the corner's own run has straight edges; it hides others all the same.
            kept.extend(runs.touched(from, diagonal, straight).map(|u| (u, steps_between(from, u))));
            for step in 1..=reach {
                let y = ahead(from, diagonal, step.into());
                if runs.is_corner(y) {
                    if octant == 0 {
                        visit(y);
                    }
                    break;
                }
                let mut touched = runs.touched(y, diagonal, straight);
                if corners.broken.breaks(ProofRule::Edges) {
                    touched = touched.filter(|_| runs.forced(y, straight).is_some());
                }
                let Some(u) = touched else { continue };
                let n = steps_between(y, u);
                if !kept.iter().any(|&(q, nearer)| nearer <= n && sight.sees(q, u)) {
                    kept.push((u, n));
                    visit(u);
                }
            }
        }
    }
}

/// The taut graph. Every edge stands at both of its ends, in the order of the other ends.
pub(super) struct TautGraph {
    pub(super) edges: Csr<Edge>,
}

impl TautGraph {
    pub(super) fn new(corners: &Corners<'_>, costs: StepCosts) -> TautGraph {
        let pairs_of = |corner: u32| {
            let mut pairs = Vec::new();
            neighbours(corners, corner, |cell| {
                let other = corners.number(cell);
                pairs.push((corner.min(other), corner.max(other)));
            });
            pairs
        };
        let mut pairs = parallel::map(corners.count(), |corner| pairs_of(corner as u32)).concat();
        parallel::sort(&mut pairs);
        pairs.dedup();
        let edge = |&(a, b): &(u32, u32)| {
            let (from, to) = (corners.cell(a), corners.cell(b));
            let [sees, is_seen] = [corners.sight.sees(from, to), corners.sight.sees(to, from)].map(u8::from);
            let directions = |from: Cell, to: Cell, sees: u8, is_seen: u8| {
                sees << leaving(from, to, false).number() | is_seen << leaving(from, to, true).number()
            };
            let (out, back) = (directions(from, to, sees, is_seen), directions(to, from, is_seen, sees));
            Edge { to: b, first: b, cost: costs.octile(from, to), out, back }
        };
        let edges: Vec<Edge> = parallel::map_list(&pairs, edge);
        let there = pairs.iter().zip(&edges).map(|(pair, edge)| (pair.0, *edge));
        let back = pairs.iter().zip(&edges).map(|(&(a, b), edge)| {
            (b, Edge { to: a, first: a, cost: edge.cost, out: edge.back, back: edge.out })
        });
        // Ends below a corner come before those above it.
        let edges = Csr::sorted(corners.count(), back.chain(there));
        TautGraph { edges }
    }

    /// The edges of a corner.
    #[inline(always)]
    pub(super) fn edges(&self, corner: u32) -> &[Edge] {
        self.edges.list(corner as usize)
    }

    /// The same with steps of other costs.
    pub(super) fn with_costs(mut self, corners: &Corners<'_>, costs: StepCosts) -> TautGraph {
        for corner in 0..corners.count() {
            let range = self.edges.range(corner);
            for edge in &mut self.edges.items_mut()[range] {
                edge.cost = costs.octile(corners.cells[corner], corners.cell(edge.to));
            }
        }
        self
    }

    /// By corner, the directions of arrival (a bit each) from which some edge leads on.
    pub(super) fn leads(&self, corners: &Corners<'_>, turns: &Turns) -> Vec<Directions> {
        let leads = |corner: u32| {
            let goes_on = |arrival: &Direction| {
                let forbidden = turns.forbidden(corners.kind(corner), 1 << arrival.opposite().number());
                self.edges(corner).iter().any(|edge| edge.out & forbidden == 0)
            };
            Direction::ALL.into_iter().filter(goes_on).fold(0, |all, arrival| all | 1 << arrival.number())
        };
        parallel::map(corners.count(), |corner| leads(corner as u32))
    }
}
