//! The flood over a grid where steps cost what the rule says.
//!
//! # Buckets need no sorting
//! Bucket b holds the states whose cost lies in [b * q, (b + 1) * q), where q is what a straight step costs, the
//! cheapest there is. A step leads at least one bucket on, so nothing in a bucket can improve anything else in it: its
//! states are settled in any order. A step leads at most two buckets on, so three lists are all there are.
//!
//! # Costs in 24 bits
//! A state's cost and its set of first steps share one word: 24 bits and 8. The cost is kept modulo 2^24. That is
//! enough: the costs of two neighbours differ by less than two diagonal steps (the tentative one of the second by no
//! more than one step from the final one of the first), far less than 2^23, so the sign of the difference is right. A
//! state that has not been reached has the empty set, which no state that has been reached has.
//!
//! # Which costs
//! For `sqrt 2` diagonals the smallest convergent of [`CostScale`](crate::core::CostScale) that is exact on this map. Let
//! L bound the length of every shortest path. It has fewer than L / sqrt 2 diagonal steps; what a flood compares is a
//! shortest path, perhaps with one step more. A path with more diagonal steps than that is longer than any shortest one,
//! in integers too, for the convergents are from above. So q > L / sqrt 2 + 1 is enough. A flood from one cell of a
//! component measures its radius r in buckets; then L <= 2 * r there, whichever convergent measured it, since from above
//! means never too short.
//!
//! # Which steps
//! Those that may be tight, given one tight predecessor ([`TightMoves`]): on open ground three of eight.

use super::Solid;
use crate::build::Progress;
use crate::core::with_vectors;
use crate::index::goal_bounds::{EMPTY_SOLID, slots};
use crate::index::{LegCosts, MOST_COLUMNS, Spot};
use crate::space::{Grid, Rule, TightMoves};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The low bits of a word: first steps.
const STEPS: u32 = 0xff;
/// The bits of a cost.
const COST: u32 = 0xff_ffff;

/// The boxes of all free cells, `slots` for each; `None` if some path is too long for any costs that fit.
pub(super) fn boxes(grid: &Grid, progress: Progress<'_>) -> Option<Vec<Solid>> {
    Some(boxes_at(grid, costs(grid)?, progress))
}

/// The same with costs that are exact on this map.
pub(super) fn boxes_at(grid: &Grid, costs: LegCosts, progress: Progress<'_>) -> Vec<Solid> {
    let slots = slots(grid.rule());
    let terrain = Terrain::new(grid, costs);
    let cells: Vec<Spot> = grid.free_states().map(|state| Spot::of(grid, state)).collect();
    let mut boxes = vec![EMPTY_SOLID; cells.len() * slots.count];
    let (all, done) = (cells.len() as u64, AtomicU64::new(0));
    progress(0, all);
    boxes.par_chunks_mut(slots.count).zip(&cells).for_each_init(
        || Flood::new(&terrain),
        |flood, (boxes, &start)| {
            with_vectors(
                #[inline(always)]
                || flood.run(&terrain, start),
            );
            for (direction, values) in flood.boxes().into_iter().enumerate() {
                if let Some(slot) = boxes.get_mut(slots.slot(start.row() - 1, direction)) {
                    *slot = values;
                }
            }
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
        },
    );
    boxes
}

/// Floods from some cells, spread over a plain map, and tells from how many; `None` if other floods would be used.
pub(super) fn sample(grid: &Grid, most: usize) -> Option<usize> {
    if !grid.is_plain() || grid.width().max(grid.height()) + 2 > MOST_COLUMNS {
        return None;
    }
    let terrain = Terrain::new(grid, costs(grid)?);
    let stride = (grid.states() as usize / most).max(1);
    let cells: Vec<Spot> = grid.free_states().step_by(stride).map(|state| Spot::of(grid, state)).collect();
    cells.par_iter().for_each_init(
        || Flood::new(&terrain),
        |flood, &start| {
            with_vectors(
                #[inline(always)]
                || flood.run(&terrain, start),
            );
        },
    );
    Some(cells.len())
}

/// Convergents from above, the smallest first: straight and diagonal.
pub(super) const CONVERGENTS: [LegCosts; 4] = [
    LegCosts { straight: 2378, diagonal: 3363 },
    LegCosts { straight: 13_860, diagonal: 19_601 },
    LegCosts { straight: 80_782, diagonal: 114_243 },
    LegCosts { straight: 470_832, diagonal: 665_857 },
];

// Two diagonal steps are far from half of what a cost can be, and three buckets from all of it.
const _: () = assert!(CONVERGENTS[3].diagonal * 2 < COST / 2 && CONVERGENTS[3].straight * 3 < COST);

/// What steps cost on this map; `None` if no costs that fit are exact.
pub(super) fn costs(grid: &Grid) -> Option<LegCosts> {
    match grid.rule() {
        Rule::Four | Rule::Hex => return Some(LegCosts { straight: 1, diagonal: 1 }),
        Rule::Octile14 => return Some(LegCosts { straight: 10, diagonal: 14 }),
        _ => {}
    }
    let longest = longest_path(grid, CONVERGENTS[0]);
    CONVERGENTS.into_iter().find(|&costs| are_exact(costs, longest))
}

/// Whether costs are exact where no shortest path is longer than so many straight steps.
fn are_exact(costs: LegCosts, longest: u64) -> bool {
    // 14/10 is a little less than sqrt 2.
    longest * 10 < (u64::from(costs.straight) - 1) * 14
}

/// No shortest path is longer, in straight steps.
fn longest_path(grid: &Grid, any: LegCosts) -> u64 {
    let sizes = grid.components().sizes();
    // A path that visits no cell twice.
    let by_size = |size: u32| u64::from(size) * 142 / 100;
    let mut measured = vec![false; sizes.len()];
    let mut longest = 0;
    let mut flooding: Option<(Terrain, Flood)> = None;
    for state in grid.free_states() {
        let Some(component) = grid.components().of(grid, state).map(|component| component as usize) else {
            continue;
        };
        if std::mem::replace(&mut measured[component], true) {
            continue;
        }
        let at_most = by_size(sizes[component]);
        if are_exact(any, at_most) {
            longest = longest.max(at_most);
            continue;
        }
        let (terrain, flood) = flooding.get_or_insert_with(|| {
            let terrain = Terrain::new(grid, any);
            let flood = Flood::new(&terrain);
            (terrain, flood)
        });
        longest = longest.max(at_most.min(2 * flood.run(terrain, Spot::of(grid, state))));
    }
    longest
}

/// What floods read.
struct Terrain {
    moves: TightMoves,
    /// By id.
    shapes: Vec<u16>,
    stride: u32,
    costs: LegCosts,
}

impl Terrain {
    fn new(grid: &Grid, costs: LegCosts) -> Terrain {
        let mut shapes = vec![0; grid.id_bound()];
        for state in grid.free_states() {
            shapes[state.index()] = grid.shape(state);
        }
        Terrain { moves: TightMoves::new(grid), shapes, stride: grid.stride(), costs }
    }

    #[inline(always)]
    fn index(&self, spot: Spot) -> usize {
        spot.state(self.stride).index()
    }

    #[inline(always)]
    fn step(&self, direction: usize) -> u32 {
        if direction % 2 == 1 { self.costs.diagonal } else { self.costs.straight }
    }
}

/// A state in a bucket: where it is, how it was reached, and at which cost. If that is no longer its cost, a better
/// entry stands elsewhere.
#[derive(Clone, Copy, Debug)]
struct Entry(u64);

impl Entry {
    #[inline(always)]
    fn new(spot: Spot, arrival: usize, cost: u32) -> Entry {
        Entry(u64::from(spot.number()) << 32 | u64::from(cost) << 8 | arrival as u64)
    }

    #[inline(always)]
    fn spot(self) -> Spot {
        Spot::from_number((self.0 >> 32) as u32)
    }

    #[inline(always)]
    fn arrival(self) -> usize {
        (self.0 & 0xff) as usize
    }

    #[inline(always)]
    fn cost(self) -> u32 {
        (self.0 >> 8) as u32 & COST
    }
}

/// A box in the padded rectangle: least and greatest column and row.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    least: [u16; 2],
    greatest: [u16; 2],
}

const NOTHING: Bounds = Bounds { least: [u16::MAX; 2], greatest: [0; 2] };

impl Bounds {
    #[inline(always)]
    fn add(&mut self, spot: Spot) {
        let at = [spot.column() as u16, spot.row() as u16];
        self.join(&Bounds { least: at, greatest: at });
    }

    #[inline(always)]
    fn join(&mut self, other: &Bounds) {
        for axis in 0..2 {
            self.least[axis] = self.least[axis].min(other.least[axis]);
            self.greatest[axis] = self.greatest[axis].max(other.greatest[axis]);
        }
    }
}

/// Room for one flood after another.
struct Flood {
    /// By id: cost and first steps.
    words: Vec<u32>,
    /// The current bucket and the two after it.
    buckets: [Vec<Entry>; 3],
    /// For each set of first steps, the box around the states that have it.
    bounds: Box<[Bounds; 256]>,
}

impl Flood {
    fn new(terrain: &Terrain) -> Flood {
        Flood {
            words: vec![0; terrain.shapes.len()],
            buckets: [const { Vec::new() }; 3],
            bounds: Box::new([NOTHING; 256]),
        }
    }

    /// Floods from a cell. Returns the number of buckets: no state is farther away than so many straight steps.
    #[inline(always)]
    fn run(&mut self, terrain: &Terrain, start: Spot) -> u64 {
        self.words.fill(0);
        self.bounds.fill(NOTHING);
        let Flood { words, buckets: [current, next, after_next], bounds } = self;
        // The start has cost 0 and some set: it is never reached again.
        words[terrain.index(start)] = STEPS;
        let two_steps = 2 * terrain.costs.straight;
        // The cost at which the current bucket begins; the first one holds the start alone.
        let (mut begin, mut count) = (0_u32, 1);
        let mut directions = terrain.moves.after(8, terrain.shapes[terrain.index(start)]);
        while directions != 0 {
            let direction = directions.trailing_zeros() as usize & 7;
            directions &= directions - 1;
            let (there, cost) = (start.ahead(direction, 1), terrain.step(direction));
            words[terrain.index(there)] = cost << 8 | 1 << direction;
            let bucket = if cost < two_steps { &mut *next } else { &mut *after_next };
            bucket.push(Entry::new(there, direction, cost));
        }
        loop {
            std::mem::swap(current, next);
            std::mem::swap(next, after_next);
            begin = begin.wrapping_add(terrain.costs.straight) & COST;
            if current.is_empty() && next.is_empty() {
                return count;
            }
            count += 1;
            for entry in current.drain(..) {
                let spot = entry.spot();
                let index = terrain.index(spot);
                let word = words[index];
                if word >> 8 != entry.cost() {
                    continue;
                }
                bounds[(word & STEPS) as usize].add(spot);
                let mut directions = terrain.moves.after(entry.arrival(), terrain.shapes[index]);
                while directions != 0 {
                    let direction = directions.trailing_zeros() as usize & 7;
                    directions &= directions - 1;
                    let there = spot.ahead(direction, 1);
                    let other = &mut words[terrain.index(there)];
                    let new = word.wrapping_add(terrain.step(direction) << 8);
                    let old = *other;
                    if old & STEPS == 0 || (new ^ old) > STEPS && (new.wrapping_sub(old) as i32) < 0 {
                        *other = new;
                        let cost = new >> 8;
                        let bucket = if cost.wrapping_sub(begin) & COST < two_steps {
                            &mut *next
                        } else {
                            &mut *after_next
                        };
                        bucket.push(Entry::new(there, direction, cost));
                    } else if (new ^ old) <= STEPS {
                        *other = old | new;
                    }
                }
            }
        }
    }

    /// The box of each direction, in columns and rows of the map.
    fn boxes(&self) -> [Solid; 8] {
        let mut joined = [NOTHING; 8];
        for (steps, bounds) in self.bounds.iter().enumerate().skip(1) {
            if bounds.least[0] <= bounds.greatest[0] {
                for (direction, joined) in joined.iter_mut().enumerate() {
                    if steps >> direction & 1 == 1 {
                        joined.join(bounds);
                    }
                }
            }
        }
        joined.map(|Bounds { least, greatest }| {
            if least[0] > greatest[0] {
                return EMPTY_SOLID;
            }
            let [left, right, top, bottom] =
                [least[0], greatest[0], least[1], greatest[1]].map(|at| i32::from(at) - 1);
            [left, right, top, bottom, 0, 0]
        })
    }
}
