//! What an agent has seen of a space, and what it takes for free meanwhile: everything that it has not seen blocked. Where
//! cells have weights, it takes those that it has not seen for as light as the lightest cell of the map, which it knows of.
//! So what is seen makes believed ways dearer, or leaves them as they are, as long as the map holds still; but a link, of which
//! an agent does not know before it has seen where it begins, makes them cheaper.
//!
//! Two masks for every square of 8 x 8 cells (or 64 nodes) of which something was seen, a byte for each cell that is
//! heavier than the lightest, and an entry for each link; memory follows what was seen, not how large the map is.

mod links;
pub(super) mod moves;
pub(super) mod prior_map;

use super::grid::window::nine_within;
use super::{BeliefMoves, Cell, GridGeometry, Link, Metric, PriorMap};
use crate::core::{RadixMap, StateId};
use links::SeenLinks;
use serde::{Deserialize, Serialize};

/// What was seen of 64 states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// Bits of the states that were seen.
    pub(crate) seen: u64,
    /// Those of them that were blocked when they were seen last.
    pub(crate) blocked: u64,
}

/// What an agent has seen.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "SavedBelief", into = "SavedBelief")]
pub struct Belief {
    squares: RadixMap<Seen>,
    states: u64,
    /// By the key of a cell, what it weighed when it was seen last, if that was ever other than the least weight.
    weights: RadixMap<u8>,
    /// The greatest of all weights that were ever seen; 0 if none was above the least.
    heaviest: u8,
    links: SeenLinks,
}

/// A belief as it is saved.
#[derive(Serialize, Deserialize)]
struct SavedBelief {
    squares: Vec<(u32, Seen)>,
    weights: RadixMap<u8>,
    heaviest: u8,
    links: SeenLinks,
}

impl From<Belief> for SavedBelief {
    fn from(belief: Belief) -> SavedBelief {
        let squares = belief.squares();
        let Belief { weights, heaviest, links, .. } = belief;
        SavedBelief { squares, weights, heaviest, links }
    }
}

impl TryFrom<SavedBelief> for Belief {
    type Error = &'static str;

    fn try_from(saved: SavedBelief) -> Result<Belief, &'static str> {
        let SavedBelief { squares, weights, heaviest, links } = saved;
        if weights.sorted().iter().any(|(_, weight)| *weight == 0 || *weight > heaviest) {
            return Err("a weight is none, or above the heaviest");
        }
        // In increasing order, so that the same belief is the same bytes.
        let belief = Some(squares).filter(|squares| squares.is_sorted_by_key(|(place, _)| *place));
        let belief = belief.and_then(Belief::from_squares).ok_or("what is blocked was not seen")?;
        Ok(Belief { weights, heaviest, links, ..belief })
    }
}

/// What a look at a state told.
///
/// Shown by [`Change`](crate::agent::Change).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeliefChange {
    /// What was believed.
    Nothing,
    /// It is blocked, and was believed to be free.
    Blocked,
    /// It is free again.
    Freed,
    /// It is heavier than believed.
    Dearer,
    /// It is lighter than when it was seen before.
    Cheaper,
    /// A link begins there of which the agent did not know, or one that it knew costs less.
    Linked,
    /// A link that began there is gone, or costs more.
    Unlinked,
}

impl BeliefChange {
    /// Whether ways may have become cheaper.
    pub(crate) fn may_open(self) -> bool {
        matches!(self, BeliefChange::Freed | BeliefChange::Cheaper | BeliefChange::Linked)
    }
}

impl Belief {
    /// Nothing was seen yet.
    pub fn new() -> Belief {
        Belief::default()
    }

    /// Takes note of what a state is like.
    pub fn record(&mut self, prior: PriorMap<'_>, state: StateId, is_free: bool) -> BeliefChange {
        let (place, bit) = prior.place(state);
        let mut square = self.square(place);
        let change = self.record_in(&mut square, bit, is_free);
        self.set_square(place, square);
        change
    }

    /// The same where it is known what is believed about its square, for a caller that [sets](Belief::set_square) it once it has
    /// told of all its states.
    #[inline]
    pub(crate) fn record_in(&mut self, square: &mut Seen, bit: u32, is_free: bool) -> BeliefChange {
        let (before, mask) = (*square, 1 << bit);
        square.seen |= mask;
        square.blocked = if is_free { before.blocked & !mask } else { before.blocked | mask };
        self.states += u64::from(before.seen & mask == 0);
        match (before.blocked & mask != 0, is_free) {
            (false, false) => BeliefChange::Blocked,
            (true, true) => BeliefChange::Freed,
            _ => BeliefChange::Nothing,
        }
    }

    /// Believes this about the states of a square.
    #[inline]
    pub(crate) fn set_square(&mut self, place: u32, square: Seen) {
        self.squares.insert(place.into(), square);
    }

    /// Takes note of what a free cell weighs, where cells have weights.
    pub(crate) fn record_weight(
        &mut self,
        geometry: GridGeometry,
        cell: StateId,
        weight: u8,
    ) -> BeliefChange {
        // A sensor that tells of less than the least weight breaks its contract.
        let (before, weight) = (self.weight(geometry, cell), weight.max(geometry.least_weight()));
        if weight == before {
            return BeliefChange::Nothing;
        }
        self.weights.insert(geometry.key(cell), weight);
        self.heaviest = self.heaviest.max(weight);
        if weight > before { BeliefChange::Dearer } else { BeliefChange::Cheaper }
    }

    /// What a cell is believed to weigh, where cells have weights.
    #[inline]
    pub(crate) fn weight(&self, geometry: GridGeometry, cell: StateId) -> u8 {
        self.weights.get(geometry.key(cell)).unwrap_or(geometry.least_weight())
    }

    /// Takes note of the links that begin at a free cell, where there are links. Returns the units that this takes, at most
    /// one for each link of a cell.
    pub(crate) fn record_links(
        &mut self,
        geometry: GridGeometry,
        cell: StateId,
        told: &[Link],
    ) -> (u64, BeliefChange) {
        self.links.record(geometry, cell, told)
    }

    /// No way to a cell that uses a link costs less than this, as far as was seen.
    #[inline]
    pub(crate) fn least_through_links(
        &self,
        geometry: &GridGeometry,
        goal: Cell,
        metric: impl Metric,
    ) -> u64 {
        match geometry.has_links() {
            true => self.links.least_to(goal, metric, geometry.scale().one()),
            false => u64::MAX,
        }
    }

    /// Units to find the least cost of a way through links, where there are links.
    pub(crate) const LINK_UNITS: u32 = 8;

    /// No way costs more for links than this, as far as was seen.
    pub(crate) fn cost_of_links(&self, geometry: GridGeometry) -> u64 {
        self.links.total().saturating_mul(geometry.scale().one())
    }

    /// Whether what was restored can have been seen on this map.
    #[cfg(feature = "saves")]
    pub(crate) fn is_sound(&self, prior: PriorMap<'_>) -> bool {
        prior.as_grid().is_none_or(|geometry| self.links.is_inside(geometry))
    }

    /// What the base cost of a step is multiplied by at most, as far as was seen.
    pub(crate) fn dearest(&self, geometry: GridGeometry) -> u64 {
        geometry.cheapest().max(2 * u64::from(self.heaviest))
    }

    /// Whether a state is believed to be free: it is inside the borders, and was not blocked when it was seen last.
    #[inline]
    pub fn is_free(&self, prior: PriorMap<'_>, state: StateId) -> bool {
        self.is_free_on(&prior, state)
    }

    /// The same without a copy of what is known of the map: it is asked at every step.
    #[inline]
    pub(crate) fn is_free_on(&self, prior: &PriorMap<'_>, state: StateId) -> bool {
        let (place, bit) = prior.place(state);
        prior.contains(state) && self.square(place).blocked >> bit & 1 == 0
    }

    /// Whether a state was seen.
    pub fn has_seen(&self, prior: PriorMap<'_>, state: StateId) -> bool {
        let (place, bit) = prior.place(state);
        self.square(place).seen >> bit & 1 == 1
    }

    /// What was seen of 64 states, by their [place](PriorMap::place).
    #[inline]
    pub(crate) fn square(&self, place: u32) -> Seen {
        self.squares.get(place.into()).unwrap_or_default()
    }

    /// States that were seen.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Memory held, without the belief itself.
    pub fn bytes(&self) -> usize {
        self.squares.bytes() + self.weights.bytes() + self.links.bytes()
    }

    /// What is allocated at most when so many squares are taken in.
    pub(crate) fn page_bytes(&self, squares: usize) -> usize {
        self.squares.page_bytes(squares)
    }

    /// What is allocated at most when the weights of so many cells are taken in.
    pub(crate) fn page_bytes_of_weights(&self, cells: usize) -> usize {
        self.weights.page_bytes(cells)
    }

    /// What is allocated at most when so many cells with so many links each are taken in.
    pub(crate) fn page_bytes_of_links(&self, cells: usize, most: usize) -> usize {
        self.links.page_bytes(cells, most)
    }

    /// Everything seen, square by square, in increasing order.
    pub(crate) fn squares(&self) -> Vec<(u32, Seen)> {
        self.squares.sorted().into_iter().map(|(place, seen)| (place as u32, seen)).collect()
    }

    /// Tells of every state that was seen whether it is believed to be free, in the order of squares.
    pub(crate) fn each_seen(&self, prior: PriorMap<'_>, tell: &mut dyn FnMut(StateId, bool)) {
        for (place, square) in self.squares() {
            for bit in (0..u64::BITS).filter(|bit| square.seen >> bit & 1 == 1) {
                tell(prior.state_at_place(place, bit), square.blocked >> bit & 1 == 0);
            }
        }
    }

    /// The belief with these squares; `None` if what is blocked was not seen.
    pub(crate) fn from_squares(squares: impl IntoIterator<Item = (u32, Seen)>) -> Option<Belief> {
        let mut belief = Belief::new();
        for (place, seen) in squares {
            if seen.blocked & !seen.seen != 0 || belief.squares.insert(place.into(), seen).is_some() {
                return None;
            }
            belief.states += u64::from(seen.seen.count_ones());
        }
        Some(belief)
    }

    /// The moves that are believed to be possible.
    pub(crate) fn moves<'a>(&'a self, prior: &'a PriorMap<'a>) -> BeliefMoves<'a> {
        BeliefMoves::new(prior, self)
    }

    /// The cells of the 3 x 3 square around a cell that are believed to be free, bit by bit, row by row.
    #[inline]
    pub(crate) fn neighbourhood_mask(&self, geometry: &GridGeometry, state: StateId) -> usize {
        let (column, row) = geometry.cell(state);
        let [blocked] = self.nine(geometry, (column, row), |square| [square.blocked]);
        !blocked & inside(geometry, column, row)
    }

    /// The cells of that square that were not seen, or were not as `free` has them.
    #[inline]
    pub(crate) fn differing(&self, geometry: &GridGeometry, state: StateId, free: usize) -> usize {
        let (column, row) = geometry.cell(state);
        let [seen, blocked] = self.nine(geometry, (column, row), |square| [square.seen, square.blocked]);
        inside(geometry, column, row) & !(seen & (blocked ^ free))
    }

    /// Bits of the 3 x 3 cells around one, row by row, from masks of their squares.
    #[inline]
    fn nine<const N: usize>(
        &self,
        geometry: &GridGeometry,
        (column, row): (u32, u32),
        masks: impl Fn(Seen) -> [u64; N],
    ) -> [usize; N] {
        let here = masks(self.square(geometry.block(column >> 3, row >> 3)));
        let within = here.map(|mask| nine_within(mask, (row & 7) << 3 | column & 7));
        if within.iter().all(Option::is_some) {
            return within.map(Option::unwrap_or_default);
        }
        let (west, east) = ((column - 1) >> 3, (column + 1) >> 3);
        let band = |row: u32| {
            let left = masks(self.square(geometry.block(west, row)));
            let right = if east == west { [0; N] } else { masks(self.square(geometry.block(east, row))) };
            (left, right)
        };
        let (above, below) = ((row - 1) >> 3, (row + 1) >> 3);
        let first = band(above);
        let last = if below == above { first } else { band(below) };
        let shift = (column - 1) & 7;
        std::array::from_fn(|mask| {
            let three = |row: u32| {
                let (left, right) = if row >> 3 == above { first } else { last };
                let byte = |word: u64| (word >> ((row & 7) << 3) & 0xff) as usize;
                (byte(left[mask]) | byte(right[mask]) << 8) >> shift & 0b111
            };
            three(row - 1) | three(row) << 3 | three(row + 1) << 6
        })
    }
}

/// Cells of a square of 8 x 8, from its column and row among squares, that are believed to be blocked or lie outside the
/// borders.
pub(crate) fn blocked_or_outside(geometry: GridGeometry, belief: &Belief, column: u32, row: u32) -> u64 {
    // Which of eight columns or rows lie inside: from, and up to but without.
    let inside = |first: u32, last: u32| (u32::from(first == 0), (last + 1).saturating_sub(8 * first).min(8));
    let ((west, east), (north, south)) = (inside(column, geometry.width()), inside(row, geometry.height()));
    if west >= east || north >= south {
        return u64::MAX;
    }
    let blocked = belief.square(geometry.block(column, row)).blocked;
    if (west, east, north, south) == (0, 8, 0, 8) {
        return blocked;
    }
    let columns = (0xff << west & 0xff >> (8 - east)) * 0x0101_0101_0101_0101;
    let cells = columns & u64::MAX << (8 * north) & u64::MAX >> (64 - 8 * south);
    blocked | !cells
}

/// The cells of the 3 x 3 square around a cell that lie inside the borders, bit by bit.
#[inline]
fn inside(geometry: &GridGeometry, column: u32, row: u32) -> usize {
    let mut neighbourhood_mask = 0b111_111_111;
    if column == 1 {
        neighbourhood_mask &= 0b110_110_110;
    }
    if column == geometry.width() {
        neighbourhood_mask &= 0b011_011_011;
    }
    if row == 1 {
        neighbourhood_mask &= 0b111_111_000;
    }
    if row == geometry.height() {
        neighbourhood_mask &= 0b000_111_111;
    }
    neighbourhood_mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use crate::space::Rule;

    #[test]
    fn every_state_that_was_seen_is_told_once_as_it_is_believed() {
        let mut rng = Rng::new(8);
        for _ in 0..40 {
            let geometry = GridGeometry::new(1 + rng.below(200), 1 + rng.below(90), Rule::Octile);
            let (prior, mut belief) = (PriorMap::Grid(geometry), Belief::new());
            let mut expected = std::collections::BTreeMap::new();
            for _ in 0..300 {
                let cell = (1 + rng.below(geometry.width()), 1 + rng.below(geometry.height()));
                let (cell, is_free) = (geometry.state(cell), rng.below(3) > 0);
                belief.record(prior, cell, is_free);
                expected.insert(cell, is_free);
            }
            let mut told = Vec::new();
            belief.each_seen(prior, &mut |state, is_free| told.push((state, is_free)));
            told.sort_unstable();
            assert_eq!(told, expected.into_iter().collect::<Vec<(StateId, bool)>>());
        }
    }

    #[test]
    fn squares_show_what_is_blocked_or_outside_and_3x3_cells_what_is_new() {
        let mut rng = Rng::new(7);
        for _ in 0..40 {
            let geometry = GridGeometry::new(1 + rng.below(70), 1 + rng.below(20), Rule::OctileCutting);
            let (prior, mut belief) = (PriorMap::Grid(geometry), Belief::new());
            let (width, height) = (geometry.width(), geometry.height());
            for _ in 0..width * height {
                let cell = geometry.state((1 + rng.below(width), 1 + rng.below(height)));
                belief.record(prior, cell, rng.below(3) > 0);
            }
            let is_inside = |column, row| (1..=width).contains(&column) && (1..=height).contains(&row);
            for (column, row) in (0..=width / 8 + 2).flat_map(|x| (0..=height / 8 + 2).map(move |y| (x, y))) {
                let blocked = blocked_or_outside(geometry, &belief, column, row);
                for bit in 0..64 {
                    let (x, y) = (8 * column + bit % 8, 8 * row + bit / 8);
                    let is_free = is_inside(x, y) && belief.is_free(prior, geometry.state((x, y)));
                    assert_eq!(blocked >> bit & 1 == 0, is_free, "{x} {y} of {width} x {height}");
                }
            }
            for (column, row) in (1..=width).flat_map(|x| (1..=height).map(move |y| (x, y))) {
                let free = rng.below(512) as usize;
                let differing = belief.differing(&geometry, geometry.state((column, row)), free);
                for bit in 0..9 {
                    let (x, y) = (column + bit % 3 - 1, row + bit / 3 - 1);
                    let is_different = is_inside(x, y) && {
                        let cell = geometry.state((x, y));
                        !belief.has_seen(prior, cell) || belief.is_free(prior, cell) != (free >> bit & 1 == 1)
                    };
                    assert_eq!(differing >> bit & 1 == 1, is_different);
                }
            }
        }
    }
}
