//! Sets of right moves from what is known of jump points alone.
//!
//! Let `t` be a target. A source `x` that `t` sees is at the octile distance; otherwise `d(x,t)` is the least
//! `c(t,a) + d(a,x)` over the first jump points `a` of `t`, and every move of `x` that is optimal towards an `a` that
//! attains it is optimal towards `t`. So a target takes its few first jump points, leaves out those that are too far for
//! the whole cluster (`c(t,a) + d(x0,a) > d(x0,t) + 2R`), and for 64 sources at once takes the least distance and joins
//! the moves that attain it.
//!
//! # Symbols
//! As in [`clusters`](super::clusters); `t` the target.

use super::RowMaker;
use super::blocks::{Block, Plan};
use super::clusters::{Offset, Offsets, Tables, clusters};
use super::coder::{Coder, Row};
use super::distances::Distances;
use super::greedy::BlockGreedy;
use super::sets::LaneSets;
use crate::build::jump_points::lanes::INFINITE;
use crate::core::vectorized;
use crate::index::PackedCell;
use crate::index::direction;
use crate::index::first_moves::rows::LANES;
use std::marker::PhantomData;

/// Works rows out from jump points.
pub(super) struct RowPropagation<'a, T> {
    plan: &'a Plan<'a>,
    distances: &'a Distances<'a>,
    offsets: PhantomData<T>,
}

impl<'a, T: Offset> RowPropagation<'a, T> {
    pub(super) fn new(plan: &'a Plan<'a>, distances: &'a Distances<'a>) -> RowPropagation<'a, T> {
        RowPropagation { plan, distances, offsets: PhantomData }
    }
}

pub(super) struct PropagationScratch<T> {
    /// One for each cluster of a block.
    tables: Vec<Tables<T>>,
    propagator: Propagator<T>,
    coder: Coder,
}

impl<T: Offset> RowMaker for RowPropagation<'_, T> {
    type Scratch = PropagationScratch<T>;

    fn scratch(&self) -> PropagationScratch<T> {
        let kept = vec![(0, T::ZERO); self.distances.most_first() + 1];
        PropagationScratch { tables: Vec::new(), propagator: Propagator { kept }, coder: Coder::new() }
    }

    fn row(&self, block: &Block, scratch: &mut PropagationScratch<T>) -> Row {
        let (distances, PropagationScratch { tables, propagator, coder }) = (self.distances, scratch);
        let clusters = clusters::<T>(distances, block);
        while tables.len() < clusters.len() {
            tables.push(Tables::new(distances));
        }
        let tables = &mut tables[..clusters.len()];
        for (tables, cluster) in tables.iter_mut().zip(&clusters) {
            vectorized!(tables.load(distances, cluster));
        }
        let greedy = BlockGreedy::new(distances.graph.grid, &self.plan.order, block);
        coder.begin(&block.allowed);
        vectorized!({
            for target in 0..distances.graph.cells.len() as u32 {
                let mut sets = propagator.propagate(distances, &tables[0], target);
                for tables in &tables[1..] {
                    sets.intersect(&propagator.propagate(distances, tables, target));
                }
                greedy.add(distances.packed_cell(target), &mut sets);
                coder.push(target, &sets);
            }
        });
        coder.finish()
    }
}

/// Room for the jump points of one target.
struct Propagator<T> {
    kept: Vec<(u32, T)>,
}

impl<T: Offset> Propagator<T> {
    /// The right moves of all sources of a cluster towards a target.
    #[inline(always)]
    fn propagate(&mut self, distances: &Distances<'_>, tables: &Tables<T>, target: u32) -> LaneSets {
        let legs = distances.first(target);
        let mut best = INFINITE;
        for leg in legs {
            best = best.min(tables.base[leg.point as usize] + leg.cost);
        }
        let seen = tables.seen[target as usize];
        let own = seen & tables.own();
        if own & 1 == 1 {
            // The centre itself.
            best = distances
                .graph
                .costs
                .octile(distances.packed_cell(tables.halo[0]), distances.packed_cell(target));
        }
        if best >= INFINITE {
            return LaneSets::ANY;
        }
        let limit = best + 2 * tables.radius;
        let mut count = 0;
        for leg in legs {
            let over = tables.base[leg.point as usize] + leg.cost;
            self.kept[count] = (leg.point, T::of(over.wrapping_sub(best)));
            count += usize::from(over <= limit);
        }
        let kept = &self.kept[..count];
        match kept {
            [(point, _)] if own == 0 => tables.moves[*point as usize],
            _ if own == 0 => {
                let nothing = Offsets([T::FARTHEST; LANES]);
                join(tables, kept, nothing, &LaneSets([0; LANES]))
            }
            _ => {
                let (direct, moves) = see(distances, tables, target, best);
                join(tables, kept, direct, &moves)
            }
        }
    }
}

/// The least distance of each source, and the moves that attain it: over the jump points that are kept, or directly.
#[inline(always)]
fn join<T: Offset>(tables: &Tables<T>, kept: &[(u32, T)], direct: Offsets<T>, moves: &LaneSets) -> LaneSets {
    let mut least = direct;
    for &(point, over) in kept {
        let offsets = &tables.offsets[point as usize].0;
        for (least, offset) in least.0.iter_mut().zip(offsets) {
            *least = (*least).min(offset.plus(over));
        }
    }
    let mut sets = LaneSets([0; LANES]);
    for lane in 0..LANES {
        sets.0[lane] = whole(direct.0[lane] == least.0[lane]) & moves.0[lane];
    }
    for &(point, over) in kept {
        let (offsets, moves) = (&tables.offsets[point as usize].0, &tables.moves[point as usize].0);
        for lane in 0..LANES {
            sets.0[lane] |= whole(offsets[lane].plus(over) == least.0[lane]) & moves[lane];
        }
    }
    sets
}

/// All bits, or none: loops over lanes must not branch.
#[inline(always)]
fn whole(is_set: bool) -> u16 {
    u16::from(is_set).wrapping_neg()
}

/// Distances and moves of the sources that a target sees. Moves lead to neighbours that it sees too, so that they are at
/// the octile distance.
#[inline(always)]
fn see<T: Offset>(
    distances: &Distances<'_>,
    tables: &Tables<T>,
    target: u32,
    best: u32,
) -> (Offsets<T>, LaneSets) {
    let (mut direct, mut moves) = (Offsets([T::FARTHEST; LANES]), tables.idle);
    let (at, seen) = (distances.packed_cell(target), tables.seen[target as usize]);
    let mut own = seen & tables.own();
    while own != 0 {
        let source = own.trailing_zeros() as usize;
        own &= own - 1;
        let (lane, cell) = tables.sources[source];
        let packed = distances.packed_cell(cell);
        let octile = distances.graph.costs.octile(packed, at);
        direct.0[lane] = T::of((octile + tables.radius).wrapping_sub(best));
        moves.0[lane] = nearer(packed, at).into_iter().fold(0, |set, direction| {
            let neighbour = tables.neighbours[source].get(direction).map_or(128, |&place| u32::from(place));
            let is_seen = neighbour < 128 && seen >> neighbour & 1 == 1;
            set | if is_seen { 1 << direction } else { 0 }
        });
        if packed == at {
            moves.0[lane] = u16::MAX;
        }
    }
    (direct, moves)
}

/// The directions of steps that lead nearer by what they cost: the diagonal one, and the straight one along the longer
/// side; 8 where there is none.
#[inline(always)]
fn nearer(from: PackedCell, to: PackedCell) -> [usize; 2] {
    let (dx, dy) = from.to(to);
    let diagonal = if dx != 0 && dy != 0 { direction(dx.signum(), dy.signum()) } else { 8 };
    let straight = match dx.abs().cmp(&dy.abs()) {
        std::cmp::Ordering::Greater => direction(dx.signum(), 0),
        std::cmp::Ordering::Less => direction(0, dy.signum()),
        std::cmp::Ordering::Equal => 8,
    };
    [diagonal, straight]
}
