//! The flood over a grid where steps cost what the rule says: which first steps begin a shortest path to each cell.
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

use crate::core::StateId;
use crate::index::{LegCosts, MOST_COLUMNS, PackedCell};
use crate::space::{Grid, Rule, SpaceKind, TightMoves};

/// The low bits of a word: first steps.
const STEPS: u32 = 0xff;
/// The bits of a cost.
const COST: u32 = 0xff_ffff;

const CONVERGENTS: [LegCosts; 4] = LegCosts::CONVERGENTS;

// Two diagonal steps are far from half of what a cost can be, and three buckets from all of it.
const _: () = assert!(CONVERGENTS[3].diagonal * 2 < COST / 2 && CONVERGENTS[3].straight * 3 < COST);

/// What steps cost on this map; `None` if the map is not plain, or no costs that fit are exact.
pub(super) fn costs(grid: &Grid) -> Option<LegCosts> {
    if !grid.is_plain() || grid.width().max(grid.height()) + 2 > MOST_COLUMNS {
        return None;
    }
    match grid.rule() {
        Rule::Octile14 | Rule::Octile14Cutting => return Some(LegCosts::COARSE),
        rule if !rule.is_octile() => return Some(LegCosts { straight: 1, diagonal: 1 }),
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
        longest = longest.max(at_most.min(2 * flood.run(terrain, PackedCell::of(grid, state), |_, _| {})));
    }
    longest
}

/// What floods read.
pub(super) struct Terrain {
    moves: TightMoves,
    /// By id.
    shapes: Vec<u16>,
    stride: u32,
    costs: LegCosts,
}

impl Terrain {
    pub(super) fn new(grid: &Grid, costs: LegCosts) -> Terrain {
        let mut shapes = vec![0; grid.id_bound()];
        for state in grid.free_states() {
            shapes[state.index()] = grid.shape(state);
        }
        Terrain { moves: TightMoves::new(grid), shapes, stride: grid.stride(), costs }
    }

    #[inline(always)]
    fn index(&self, cell: PackedCell) -> usize {
        cell.state(self.stride).index()
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
    fn new(cell: PackedCell, arrival: usize, cost: u32) -> Entry {
        Entry(u64::from(cell.number()) << 32 | u64::from(cost) << 8 | arrival as u64)
    }

    #[inline(always)]
    fn cell(self) -> PackedCell {
        PackedCell::from_number((self.0 >> 32) as u32)
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

/// Room for one flood after another.
pub(super) struct Flood {
    /// By id: cost and first steps.
    words: Vec<u32>,
    /// The current bucket and the two after it.
    buckets: [Vec<Entry>; 3],
}

impl Flood {
    pub(super) fn new(terrain: &Terrain) -> Flood {
        Flood { words: vec![0; terrain.shapes.len()], buckets: [const { Vec::new() }; 3] }
    }

    /// The first steps of shortest paths to a cell, as bits, after a flood: none if it was not reached, and some where
    /// the flood began.
    #[inline(always)]
    pub(super) fn first_steps(&self, state: StateId) -> u8 {
        self.words.get(state.index()).map_or(0, |word| (word & STEPS) as u8)
    }

    /// Floods from a cell and names all others with their first steps, nearest first. Returns the number of buckets: no
    /// state is farther away than so many straight steps.
    #[inline(always)]
    pub(super) fn run(
        &mut self,
        terrain: &Terrain,
        start: PackedCell,
        mut settle: impl FnMut(PackedCell, u8),
    ) -> u64 {
        self.words.fill(0);
        let Flood { words, buckets: [current, next, after_next] } = self;
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
                let cell = entry.cell();
                let index = terrain.index(cell);
                let word = words[index];
                if word >> 8 != entry.cost() {
                    continue;
                }
                settle(cell, (word & STEPS) as u8);
                let mut directions = terrain.moves.after(entry.arrival(), terrain.shapes[index]);
                while directions != 0 {
                    let direction = directions.trailing_zeros() as usize & 7;
                    directions &= directions - 1;
                    let there = cell.ahead(direction, 1);
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
}
