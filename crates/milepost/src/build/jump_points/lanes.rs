//! Arithmetic on sixteen sources side by side.
//!
//! Plain loops over fixed arrays: compiled inside a function that runs with the machine's widest vector instructions
//! ([`with_vectors`](crate::core::with_vectors)), each becomes a handful of them. Every kernel has a scalar twin in the tests.

/// Sources that are worked on together.
pub(crate) const LANES: usize = 16;

/// Farther than anything. Sums of two such values and a cost still fit 32 bits.
pub(crate) const INFINITE: u32 = 1 << 30;

/// A number for each source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [u32; LANES]);

/// A small number for each source.
pub(crate) type ByteLanes = [u8; LANES];

/// One bit for each source.
pub(crate) type LaneBits = u16;

impl Lanes {
    pub(crate) const ALL_INFINITE: Lanes = Lanes([INFINITE; LANES]);

    /// `self = min(self, other + cost)`.
    #[inline(always)]
    pub(crate) fn relax(&mut self, other: &Lanes, cost: u32) {
        for lane in 0..LANES {
            self.0[lane] = self.0[lane].min(other.0[lane] + cost);
        }
    }

    #[inline(always)]
    pub(crate) fn is_infinite(&self) -> bool {
        let mut least = INFINITE;
        for lane in 0..LANES {
            least = least.min(self.0[lane]);
        }
        least == INFINITE
    }
}

/// Where `distance + cost` equals `to`, `chosen` becomes `index`.
#[inline(always)]
pub(crate) fn choose_tight(distance: &Lanes, cost: u32, to: &Lanes, index: u32, chosen: &mut Lanes) {
    for lane in 0..LANES {
        let is_tight = distance.0[lane] + cost == to.0[lane];
        chosen.0[lane] = if is_tight { index } else { chosen.0[lane] };
    }
}

/// Symbols of those whose value is within a limit: bits that all of them have, and bits that any of them has. If both
/// are equal, there is but one symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agreement {
    pub(crate) all: Lanes,
    pub(crate) any: Lanes,
}

impl Agreement {
    pub(crate) const NONE: Agreement = Agreement { all: Lanes([u32::MAX; LANES]), any: Lanes([0; LANES]) };

    /// Counts `symbols` where `distance + slack <= limit`.
    #[inline(always)]
    pub(crate) fn add(&mut self, distance: &Lanes, slack: u32, limit: &Lanes, symbols: &ByteLanes) {
        for (lane, &symbol) in symbols.iter().enumerate() {
            let symbol = u32::from(symbol);
            let within = if distance.0[lane] + slack <= limit.0[lane] { u32::MAX } else { 0 };
            self.all.0[lane] &= symbol | !within;
            self.any.0[lane] |= symbol & within;
        }
    }

    /// Bits of the lanes in which more than one symbol was counted.
    #[inline(always)]
    pub(crate) fn disputed(&self) -> LaneBits {
        let mut bits = 0;
        for lane in 0..LANES {
            bits |= LaneBits::from(self.all.0[lane] != self.any.0[lane]) << lane;
        }
        bits
    }
}

/// The best value so far and its symbol; among equal values the current symbol wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best {
    /// Twice the value, plus 1 if the symbol is not the current one.
    rank: Lanes,
    symbol: Lanes,
}

impl Best {
    pub(crate) const NONE: Best = Best { rank: Lanes([2 * INFINITE; LANES]), symbol: Lanes([0; LANES]) };

    /// Offers `distance + cost` with these symbols.
    #[inline(always)]
    pub(crate) fn offer(&mut self, distance: &Lanes, cost: u32, symbols: &ByteLanes, current: &Lanes) {
        for (lane, &symbol) in symbols.iter().enumerate() {
            let symbol = u32::from(symbol);
            let rank = (distance.0[lane] + cost) * 2 + u32::from(symbol != current.0[lane]);
            let better = rank < self.rank.0[lane];
            self.rank.0[lane] = if better { rank } else { self.rank.0[lane] };
            self.symbol.0[lane] = if better { symbol } else { self.symbol.0[lane] };
        }
    }

    /// The symbols, and the lanes in which one was found that is not the current one.
    #[inline(always)]
    pub(crate) fn changed(&self, current: &Lanes) -> (Lanes, LaneBits) {
        let mut bits = 0;
        for lane in 0..LANES {
            let is_found = self.rank.0[lane] < 2 * INFINITE;
            bits |= LaneBits::from(is_found && self.symbol.0[lane] != current.0[lane]) << lane;
        }
        (self.symbol, bits)
    }
}

/// Boxes of sixteen sources, as low and high columns and rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxLanes {
    low: [[i32; LANES]; 2],
    high: [[i32; LANES]; 2],
}

impl BoxLanes {
    pub(crate) const EMPTY: BoxLanes = BoxLanes { low: [[i32::MAX; LANES]; 2], high: [[i32::MIN; LANES]; 2] };

    /// Grows the boxes of the marked lanes to hold another box.
    #[inline(always)]
    pub(crate) fn grow(&mut self, lanes: LaneBits, low: [i32; 2], high: [i32; 2]) {
        for axis in 0..2 {
            for lane in 0..LANES {
                let is_in = lanes >> lane & 1 == 1;
                let (at_least, at_most) = if is_in { (low[axis], high[axis]) } else { (i32::MAX, i32::MIN) };
                self.low[axis][lane] = self.low[axis][lane].min(at_least);
                self.high[axis][lane] = self.high[axis][lane].max(at_most);
            }
        }
    }

    /// Takes one lane's box out: low column and row, high column and row.
    #[inline(always)]
    pub(crate) fn take(&mut self, lane: usize) -> ([i32; 2], [i32; 2]) {
        let taken = (self.low.map(|axis| axis[lane]), self.high.map(|axis| axis[lane]));
        for axis in 0..2 {
            self.low[axis][lane] = i32::MAX;
            self.high[axis][lane] = i32::MIN;
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Rng, with_vectors};

    fn draw(rng: &mut Rng, below: u32) -> Lanes {
        Lanes(std::array::from_fn(|_| if rng.chance(1, 8) { INFINITE } else { rng.below(below) }))
    }

    #[test]
    fn lanes_do_what_scalars_do() {
        let mut rng = Rng::new(61);
        for _ in 0..2000 {
            let (a, b, cost) = (draw(&mut rng, 50), draw(&mut rng, 50), rng.below(20));
            let mut relaxed = a;
            with_vectors(
                #[inline(always)]
                || relaxed.relax(&b, cost),
            );
            assert_eq!(relaxed.0, std::array::from_fn(|lane| a.0[lane].min(b.0[lane] + cost)));
            assert_eq!(a.is_infinite(), a.0.iter().all(|&value| value == INFINITE));

            let mut chosen = Lanes([7; LANES]);
            with_vectors(
                #[inline(always)]
                || choose_tight(&a, cost, &b, 3, &mut chosen),
            );
            let twin = |lane: usize| if a.0[lane] + cost == b.0[lane] { 3 } else { 7 };
            assert_eq!(chosen.0, std::array::from_fn(twin));
        }
    }

    #[test]
    fn agreement_is_one_symbol_within_the_limit() {
        let mut rng = Rng::new(62);
        for _ in 0..2000 {
            let limit = draw(&mut rng, 60);
            let offers: Vec<(Lanes, u32, ByteLanes)> = (0..rng.below(6))
                .map(|_| (draw(&mut rng, 50), rng.below(30), std::array::from_fn(|_| 1 + rng.below(3) as u8)))
                .collect();
            let mut agreement = Agreement::NONE;
            with_vectors(
                #[inline(always)]
                || offers.iter().for_each(|(d, slack, s)| agreement.add(d, *slack, &limit, s)),
            );
            let disputed = agreement.disputed();
            for lane in 0..LANES {
                let mut symbols: Vec<u8> = offers
                    .iter()
                    .filter(|(d, slack, _)| d.0[lane] + slack <= limit.0[lane])
                    .map(|(_, _, symbols)| symbols[lane])
                    .collect();
                symbols.sort_unstable();
                symbols.dedup();
                assert_eq!(disputed >> lane & 1 == 1, symbols.len() != 1, "{symbols:?}");
                if let [symbol] = symbols[..] {
                    assert_eq!(agreement.any.0[lane], u32::from(symbol));
                }
            }
        }
    }

    #[test]
    fn the_best_offer_wins_and_the_current_symbol_wins_ties() {
        let mut rng = Rng::new(63);
        for _ in 0..2000 {
            let current = Lanes(std::array::from_fn(|_| rng.below(4)));
            let offers: Vec<(Lanes, u32, ByteLanes)> = (0..rng.below(6))
                .map(|_| (draw(&mut rng, 6), rng.below(3), std::array::from_fn(|_| 1 + rng.below(3) as u8)))
                .collect();
            let mut best = Best::NONE;
            with_vectors(
                #[inline(always)]
                || offers.iter().for_each(|(d, cost, s)| best.offer(d, *cost, s, &current)),
            );
            let (symbols, changed) = best.changed(&current);
            for lane in 0..LANES {
                let values = offers.iter().map(|(d, cost, s)| (d.0[lane] + cost, u32::from(s[lane])));
                let values = values.filter(|(value, _)| *value < INFINITE);
                let least = values.clone().map(|(value, _)| value).min();
                let tied: Vec<u32> =
                    values.filter(|(value, _)| Some(*value) == least).map(|(_, symbol)| symbol).collect();
                let stays = tied.is_empty() || tied.contains(&current.0[lane]);
                assert_eq!(changed >> lane & 1 == 0, stays);
                assert!(stays || tied.contains(&symbols.0[lane]));
            }
        }
    }

    #[test]
    fn boxes_grow_in_the_marked_lanes_alone() {
        let mut boxes = BoxLanes::EMPTY;
        boxes.grow(0b101, [3, 4], [5, 6]);
        boxes.grow(0b100, [1, 9], [2, 9]);
        assert_eq!(boxes.take(0), ([3, 4], [5, 6]));
        assert_eq!(boxes.take(1), ([i32::MAX; 2], [i32::MIN; 2]));
        assert_eq!(boxes.take(2), ([1, 4], [5, 9]));
        assert_eq!(boxes.take(2), ([i32::MAX; 2], [i32::MIN; 2]));
    }
}
