//! Arithmetic on sixteen sources side by side.
//!
//! Fixed arrays, and loops over them: compiled inside a function that runs with the machine's widest vector instructions
//! ([`with_vectors`](crate::core::with_vectors)), each becomes a handful of them. Every kernel has a scalar twin in the
//! tests.

use super::blocks::Bounds;
use pulp::Simd;
use std::fmt::Debug;
use std::ops::{BitOr, BitXor};

/// Sources that are worked on together.
pub(crate) const LANES: usize = 16;

/// Farther than anything. Sums of two such values and a cost still fit 32 bits.
pub(crate) const INFINITE: u32 = 1 << 30;

/// A number for each source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [u32; LANES]);

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

/// A distance and, in its lowest byte, a symbol: one comparison finds the nearest and knows its name. Symbol 0 is none.
/// Numbers of 32 bits do where distances are short (see [`Word::holds`]), others take twice the room.
///
/// Below the numbers themselves stands what vectors of them can do: compilers cut loops over sixteen of them into odd
/// pieces, so these are spelled out (three times faster for [`Words::relax_from_current`]).
pub(crate) trait Word:
    Copy + Ord + Debug + Send + Sync + BitOr<Output = Self> + BitXor<Output = Self>
{
    const ZERO: Self;
    const ALL_BITS: Self;
    /// The bits of the symbol.
    const SYMBOL: Self;
    /// All other bits.
    const DISTANCE: Self;
    /// Farther than any distance plus a cost. With a cost added it still fits.
    const FAR: Self;

    /// Whether distances up to `farthest` and costs up to `longest` may be added up in such words.
    fn holds(farthest: u64, longest: u64) -> bool;
    fn new(distance: u32, symbol: u8) -> Self;
    fn symbol(self) -> u8;

    type Vector<S: Simd>: Copy;
    fn vectors<S: Simd>(lanes: &[Self; LANES]) -> &[Self::Vector<S>];
    fn vectors_mut<S: Simd>(lanes: &mut [Self; LANES]) -> &mut [Self::Vector<S>];
    fn all<S: Simd>(simd: S, word: Self) -> Self::Vector<S>;
    fn add<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn least<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn and<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn or<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn xor<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    /// `then` where `a` and `b` are equal, else `otherwise`.
    fn if_equal<S: Simd>(
        simd: S,
        a: Self::Vector<S>,
        b: Self::Vector<S>,
        then: Self::Vector<S>,
        otherwise: Self::Vector<S>,
    ) -> Self::Vector<S>;
    /// `then` where `a` is at most `b`, else zero.
    fn if_at_most<S: Simd>(
        simd: S,
        a: Self::Vector<S>,
        b: Self::Vector<S>,
        then: Self::Vector<S>,
    ) -> Self::Vector<S>;
    /// Whether any of them has any of these bits.
    fn any<S: Simd>(simd: S, a: Self::Vector<S>, bits: Self) -> bool;
}

macro_rules! word {
    (
        $number:ty, $far:expr, $vector:ident, $vectors:ident, $vectors_mut:ident, $all:ident, $add:ident, $min:ident,
        $and:ident, $or:ident, $xor:ident, $equal:ident, $at_most:ident, $above:ident, $select:ident, $first:ident,
        $lanes:ident
    ) => {
        impl Word for $number {
            const ZERO: Self = 0;
            const ALL_BITS: Self = <$number>::MAX;
            const SYMBOL: Self = 0xff;
            const DISTANCE: Self = !0xff;
            const FAR: Self = $far;

            fn holds(farthest: u64, longest: u64) -> bool {
                let (far, room) = (u64::from(Self::FAR), u64::from(<$number>::MAX - Self::FAR));
                (farthest + longest) < far >> 8 && longest < room >> 8
            }

            #[inline(always)]
            fn new(distance: u32, symbol: u8) -> Self {
                (distance as $number) << 8 | symbol as $number
            }

            #[inline(always)]
            fn symbol(self) -> u8 {
                self as u8
            }

            type Vector<S: Simd> = S::$vector;

            #[inline(always)]
            fn vectors<S: Simd>(lanes: &[Self; LANES]) -> &[S::$vector] {
                S::$vectors(lanes).0
            }

            #[inline(always)]
            fn vectors_mut<S: Simd>(lanes: &mut [Self; LANES]) -> &mut [S::$vector] {
                S::$vectors_mut(lanes).0
            }

            #[inline(always)]
            fn all<S: Simd>(simd: S, word: Self) -> S::$vector {
                simd.$all(word)
            }

            #[inline(always)]
            fn add<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$add(a, b)
            }

            #[inline(always)]
            fn least<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$min(a, b)
            }

            #[inline(always)]
            fn and<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$and(a, b)
            }

            #[inline(always)]
            fn or<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$or(a, b)
            }

            #[inline(always)]
            fn xor<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$xor(a, b)
            }

            #[inline(always)]
            fn if_equal<S: Simd>(
                simd: S,
                a: S::$vector,
                b: S::$vector,
                then: S::$vector,
                otherwise: S::$vector,
            ) -> S::$vector {
                simd.$select(simd.$equal(a, b), then, otherwise)
            }

            #[inline(always)]
            fn if_at_most<S: Simd>(simd: S, a: S::$vector, b: S::$vector, then: S::$vector) -> S::$vector {
                simd.$select(simd.$at_most(a, b), then, simd.$all(0))
            }

            #[inline(always)]
            fn any<S: Simd>(simd: S, a: S::$vector, bits: Self) -> bool {
                simd.$first(simd.$above(simd.$and(a, simd.$all(bits)), simd.$all(0))) < S::$lanes
            }
        }
    };
}

word!(
    u32,
    0xb000_0000,
    u32s,
    as_simd_u32s,
    as_mut_simd_u32s,
    splat_u32s,
    add_u32s,
    min_u32s,
    and_u32s,
    or_u32s,
    xor_u32s,
    equal_u32s,
    less_than_or_equal_u32s,
    greater_than_u32s,
    select_u32s,
    first_true_m32s,
    U32_LANES
);
word!(
    u64,
    1 << 62,
    u64s,
    as_simd_u64s,
    as_mut_simd_u64s,
    splat_u64s,
    add_u64s,
    min_u64s,
    and_u64s,
    or_u64s,
    xor_u64s,
    equal_u64s,
    less_than_or_equal_u64s,
    greater_than_u64s,
    select_u64s,
    first_true_m64s,
    U64_LANES
);

/// A word for each source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Words<W>(pub(crate) [W; LANES]);

impl<W: Word> Words<W> {
    pub(crate) const ALL_FAR: Words<W> = Words([W::FAR; LANES]);
    pub(crate) const ALL_ZERO: Words<W> = Words([W::ZERO; LANES]);
    pub(crate) const ALL_BITS: Words<W> = Words([W::ALL_BITS; LANES]);

    /// All bits in the lanes that are marked, none in the others.
    #[inline(always)]
    pub(crate) fn mask(lanes: LaneBits) -> Words<W> {
        let mut mask = Words::ALL_ZERO;
        for lane in 0..LANES {
            mask.0[lane] = if lanes >> lane & 1 == 1 { W::ALL_BITS } else { W::ZERO };
        }
        mask
    }

    /// The distances of these lanes with these symbols; far where there is none.
    #[inline(always)]
    pub(crate) fn pack(distances: &Lanes, symbols: &[u8; LANES]) -> Words<W> {
        let mut packed = Words::ALL_FAR;
        for ((packed, &distance), &symbol) in packed.0.iter_mut().zip(&distances.0).zip(symbols) {
            *packed = if symbol == 0 { W::FAR } else { W::new(distance, symbol) };
        }
        packed
    }

    /// `self = min(self, other + cost)`.
    #[inline(always)]
    pub(crate) fn relax<S: Simd>(&mut self, simd: S, other: &Words<W>, cost: W) {
        let cost = W::all(simd, cost);
        for (best, &other) in W::vectors_mut::<S>(&mut self.0).iter_mut().zip(W::vectors::<S>(&other.0)) {
            *best = W::least(simd, *best, W::add(simd, other, cost));
        }
    }

    /// The same, where a word that carries the current symbol loses it, and so wins ties and says so. `absent` has all
    /// bits if there is nothing to be offered, else none.
    #[inline(always)]
    pub(crate) fn relax_from_current<S: Simd>(
        &mut self,
        simd: S,
        other: &Words<W>,
        (cost, absent): (W, W),
        current: &Words<W>,
    ) {
        let (cost, absent) = (W::all(simd, cost), W::all(simd, absent));
        let (symbol, distance) = (W::all(simd, W::SYMBOL), W::all(simd, W::DISTANCE));
        let both = W::vectors::<S>(&other.0).iter().zip(W::vectors::<S>(&current.0));
        for (best, (&other, &current)) in W::vectors_mut::<S>(&mut self.0).iter_mut().zip(both) {
            let word = W::or(simd, W::add(simd, other, cost), absent);
            let without = W::and(simd, word, distance);
            let word = W::if_equal(simd, W::and(simd, word, symbol), current, without, word);
            *best = W::least(simd, *best, word);
        }
    }

    /// So much farther, whatever the symbol.
    #[inline(always)]
    pub(crate) fn limit<S: Simd>(&self, simd: S, more: W) -> Words<W> {
        let (more, symbol) = (W::all(simd, more), W::all(simd, W::SYMBOL));
        let mut limit = *self;
        for word in W::vectors_mut::<S>(&mut limit.0) {
            *word = W::or(simd, W::add(simd, *word, more), symbol);
        }
        limit
    }

    /// Marks in `self` the lanes in which `words + slack` is within the limit with another symbol than `best`.
    #[inline(always)]
    pub(crate) fn mark_others<S: Simd>(
        &mut self,
        simd: S,
        words: &Words<W>,
        slack: W,
        limit: &Words<W>,
        best: &Words<W>,
    ) {
        let slack = W::all(simd, slack);
        let others = W::vectors_mut::<S>(&mut self.0);
        let (words, limit, best) =
            (W::vectors::<S>(&words.0), W::vectors::<S>(&limit.0), W::vectors::<S>(&best.0));
        for (((others, &word), &limit), &best) in others.iter_mut().zip(words).zip(limit).zip(best) {
            let differs = W::xor(simd, word, best);
            *others = W::or(simd, *others, W::if_at_most(simd, W::add(simd, word, slack), limit, differs));
        }
    }

    /// Whether `self + slack` is within the limit in any lane of the mask.
    #[inline(always)]
    pub(crate) fn is_within<S: Simd>(&self, simd: S, slack: W, limit: &Words<W>, mask: &Words<W>) -> bool {
        let slack = W::all(simd, slack);
        let (words, limit, mask) =
            (W::vectors::<S>(&self.0), W::vectors::<S>(&limit.0), W::vectors::<S>(&mask.0));
        let mut any = W::all(simd, W::ZERO);
        for ((&word, &limit), &mask) in words.iter().zip(limit).zip(mask) {
            any = W::or(simd, any, W::if_at_most(simd, W::add(simd, word, slack), limit, mask));
        }
        W::any(simd, any, W::ALL_BITS)
    }

    /// Whether any lane of the mask has another symbol than these.
    #[inline(always)]
    pub(crate) fn differs<S: Simd>(&self, simd: S, symbols: &Words<W>, mask: &Words<W>) -> bool {
        let mut any = W::all(simd, W::ZERO);
        let both = W::vectors::<S>(&symbols.0).iter().zip(W::vectors::<S>(&mask.0));
        for (&word, (&symbols, &mask)) in W::vectors::<S>(&self.0).iter().zip(both) {
            any = W::or(simd, any, W::and(simd, W::xor(simd, word, symbols), mask));
        }
        W::any(simd, any, W::SYMBOL)
    }

    /// The lanes whose word is below another.
    #[inline(always)]
    pub(crate) fn below(&self, bound: W) -> LaneBits {
        let mut bits = 0;
        for lane in 0..LANES {
            bits |= LaneBits::from(self.0[lane] < bound) << lane;
        }
        bits
    }

    /// The lanes that carry another symbol than these.
    #[inline(always)]
    pub(crate) fn other_symbols(&self, symbols: &Words<W>) -> LaneBits {
        let mut bits = 0;
        for lane in 0..LANES {
            bits |= LaneBits::from((self.0[lane] ^ symbols.0[lane]).symbol() != 0) << lane;
        }
        bits
    }
}

/// Boxes of sixteen sources, as low and high columns and rows. Where one is empty, low is more than high.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxLanes {
    low: [Words<u32>; 2],
    high: [Words<u32>; 2],
}

impl BoxLanes {
    pub(crate) const EMPTY: BoxLanes = BoxLanes { low: [Words::ALL_BITS; 2], high: [Words::ALL_ZERO; 2] };

    /// Grows the boxes of the marked lanes to hold another box.
    #[inline(always)]
    pub(crate) fn grow<S: Simd>(&mut self, simd: S, lanes: LaneBits, bounds: &Bounds) {
        let mask = Words::<u32>::mask(lanes);
        for axis in 0..2 {
            let at_least = simd.splat_u32s(bounds.low[axis] as u32);
            let at_most = simd.splat_u32s(bounds.high[axis] as u32);
            let low = u32::vectors_mut::<S>(&mut self.low[axis].0).iter_mut();
            let high = u32::vectors_mut::<S>(&mut self.high[axis].0).iter_mut();
            for ((low, high), &mask) in low.zip(high).zip(u32::vectors::<S>(&mask.0)) {
                *low = simd.min_u32s(*low, simd.or_u32s(at_least, simd.not_u32s(mask)));
                *high = simd.max_u32s(*high, simd.and_u32s(at_most, mask));
            }
        }
    }

    /// Takes one lane's box out.
    #[inline(always)]
    pub(crate) fn take(&mut self, lane: usize) -> Bounds {
        let side = |words: &Words<u32>| words.0[lane] as i32;
        let taken = Bounds {
            low: [0, 1].map(|axis| side(&self.low[axis])),
            high: [0, 1].map(|axis| side(&self.high[axis])),
        };
        let is_empty = self.low[0].0[lane] > self.high[0].0[lane];
        for axis in 0..2 {
            self.low[axis].0[lane] = u32::MAX;
            self.high[axis].0[lane] = 0;
        }
        if is_empty { Bounds::EMPTY } else { taken }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Rng, vectorized, with_vectors};
    use pulp::WithSimd;

    fn draw(rng: &mut Rng, below: u32) -> Lanes {
        Lanes(std::array::from_fn(|_| if rng.chance(1, 8) { INFINITE } else { rng.below(below) }))
    }

    #[test]
    fn lanes_do_what_scalars_do() {
        let mut rng = Rng::new(61);
        for _ in 0..2000 {
            let (a, b, cost) = (draw(&mut rng, 50), draw(&mut rng, 50), rng.below(20));
            let mut relaxed = a;
            vectorized!(relaxed.relax(&b, cost));
            assert_eq!(relaxed.0, std::array::from_fn(|lane| a.0[lane].min(b.0[lane] + cost)));
            assert_eq!(a.is_infinite(), a.0.iter().all(|&value| value == INFINITE));

            let mut chosen = Lanes([7; LANES]);
            vectorized!(choose_tight(&a, cost, &b, 3, &mut chosen));
            let twin = |lane: usize| if a.0[lane] + cost == b.0[lane] { 3 } else { 7 };
            assert_eq!(chosen.0, std::array::from_fn(twin));
        }
    }

    /// Distances with symbols 1 to 3, or none.
    fn draw_words<W: Word>(rng: &mut Rng, below: u32) -> Words<W> {
        let word = |rng: &mut Rng| match rng.below(8) {
            0 => W::FAR,
            _ => W::new(rng.below(below), 1 + rng.below(3) as u8),
        };
        Words(std::array::from_fn(|_| word(rng)))
    }

    /// A word that is so much farther, or none.
    fn farther<W: Word>(word: W, cost: u32) -> Option<W> {
        let distance = |word: W| (0..1000).find(|&distance| W::new(distance, word.symbol()) == word);
        (word < W::FAR).then(|| W::new(distance(word).expect("a short one") + cost, word.symbol()))
    }

    /// What a square is asked.
    struct Square<W> {
        middle: Vec<(Words<W>, u32)>,
        offers: Vec<(Words<W>, u32)>,
        mask: Words<W>,
    }

    struct Answers<W> {
        best: Words<W>,
        limit: Words<W>,
        others: Words<W>,
        is_disputed: bool,
        within: Vec<bool>,
    }

    impl<W: Word> WithSimd for &Square<W> {
        type Output = Answers<W>;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Answers<W> {
            let (mut best, mut others) = (Words::ALL_FAR, Words::ALL_ZERO);
            self.middle.iter().for_each(|(words, cost)| best.relax(simd, words, W::new(*cost, 0)));
            let limit = best.limit(simd, W::new(9, 0));
            for (words, slack) in &self.offers {
                others.mark_others(simd, words, W::new(*slack, 0), &limit, &best);
            }
            let is_within = |(words, slack): &(Words<W>, u32)| {
                words.is_within(simd, W::new(*slack, 0), &limit, &self.mask)
            };
            let within = self.offers.iter().map(is_within).collect();
            Answers {
                best,
                limit,
                others,
                is_disputed: others.differs(simd, &Words::ALL_ZERO, &self.mask),
                within,
            }
        }
    }

    fn disputes_are_other_symbols_within_the_limit<W: Word>() {
        let mut rng = Rng::new(62);
        for _ in 0..2000 {
            let middle = (0..rng.below(3)).map(|_| (draw_words(&mut rng, 50), rng.below(20))).collect();
            let offers = (0..rng.below(6)).map(|_| (draw_words(&mut rng, 50), rng.below(30))).collect();
            let lanes = rng.below(1 << LANES) as LaneBits;
            let square: Square<W> = Square { middle, offers, mask: Words::mask(lanes) };
            let answers = with_vectors(&square);
            let mut disputed = 0;
            for lane in 0..LANES {
                let of_middle =
                    square.middle.iter().filter_map(|(words, cost)| farther(words.0[lane], *cost));
                let best = of_middle.min();
                assert_eq!(answers.best.0[lane].min(W::FAR), best.unwrap_or(W::FAR));
                let limit =
                    best.and_then(|best| farther(best, 9)).map_or(W::ALL_BITS, |word| word | W::SYMBOL);
                let is_disputed = square.offers.iter().any(|(words, slack)| {
                    let word = words.0[lane];
                    let is_within = farther(word, *slack).is_some_and(|word| word <= limit);
                    is_within && best.is_none_or(|best| best.symbol() != word.symbol())
                });
                disputed |= LaneBits::from(is_disputed) << lane;
            }
            assert_eq!(answers.others.other_symbols(&Words::ALL_ZERO), disputed);
            assert_eq!(answers.is_disputed, disputed & lanes != 0);
            for ((words, slack), within) in square.offers.iter().zip(answers.within) {
                let is_within = |lane: usize| {
                    farther(words.0[lane], *slack).is_some_and(|word| word <= answers.limit.0[lane])
                };
                let is_far = |lane: usize| answers.limit.0[lane] >= W::FAR;
                let mut marked = (0..LANES).filter(|lane| lanes >> lane & 1 == 1);
                // Where there is no limit, everything may be within.
                assert!(within || !marked.clone().any(is_within));
                assert!(!within || marked.any(|lane| is_within(lane) || is_far(lane)));
            }
        }
    }

    /// What a cell is offered.
    struct Cell<W> {
        current: Words<W>,
        offers: Vec<(Words<W>, u32, bool)>,
    }

    impl<W: Word> WithSimd for &Cell<W> {
        type Output = Words<W>;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Words<W> {
            let mut best = Words::ALL_FAR;
            for (words, cost, is_absent) in &self.offers {
                let absent = if *is_absent { W::ALL_BITS } else { W::ZERO };
                best.relax_from_current(simd, words, (W::new(*cost, 0), absent), &self.current);
            }
            best
        }
    }

    fn the_nearest_wins_and_the_current_symbol_wins_ties<W: Word>() {
        let mut rng = Rng::new(63);
        for _ in 0..2000 {
            let current = Words(std::array::from_fn(|_| W::new(0, rng.below(4) as u8)));
            let offers = (0..rng.below(6))
                .map(|_| (draw_words(&mut rng, 6), rng.below(3), rng.chance(1, 4)))
                .collect();
            let cell: Cell<W> = Cell { current, offers };
            let best = with_vectors(&cell);
            for lane in 0..LANES {
                let present = cell.offers.iter().filter(|(_, _, is_absent)| !is_absent);
                let found = present.filter_map(|(words, cost, _)| farther(words.0[lane], *cost));
                let least = found.clone().map(|word| word | W::SYMBOL).min();
                let tied: Vec<u8> =
                    found.filter(|&word| Some(word | W::SYMBOL) == least).map(Word::symbol).collect();
                let stays = tied.is_empty() || tied.contains(&cell.current.0[lane].symbol());
                assert_eq!(best.0[lane].symbol() == 0, stays, "{tied:?}");
                assert!(stays || tied.contains(&best.0[lane].symbol()));
                assert_eq!(best.below(W::FAR) >> lane & 1 == 1, !tied.is_empty());
            }
        }
    }

    #[test]
    fn words_of_both_widths_do_what_scalars_do() {
        disputes_are_other_symbols_within_the_limit::<u32>();
        disputes_are_other_symbols_within_the_limit::<u64>();
        the_nearest_wins_and_the_current_symbol_wins_ties::<u32>();
        the_nearest_wins_and_the_current_symbol_wins_ties::<u64>();
    }

    #[test]
    fn words_say_what_they_hold() {
        for (farthest, longest) in [(1000, 1000), (11_000_000, 500_000), (1 << 40, 1 << 40)] {
            assert!(u64::holds(farthest, longest));
            if u32::holds(farthest, longest) {
                let far = u32::new((farthest + longest) as u32, u8::MAX);
                assert!(far < u32::FAR && u32::FAR.checked_add(u32::new(longest as u32, 0)).is_some());
            }
        }
        assert!(
            u32::holds(11_000_000, 500_000) && !u32::holds(11_100_000, 500_000) && !u32::holds(0, 6_000_000)
        );
    }

    #[test]
    fn packed_words_are_far_where_there_is_no_symbol() {
        let distances = Lanes(std::array::from_fn(|lane| 7 * lane as u32));
        let symbols = std::array::from_fn(|lane| lane as u8 % 3);
        let packed: Words<u32> = Words::pack(&distances, &symbols);
        for (lane, &word) in packed.0.iter().enumerate() {
            let expected = if lane % 3 == 0 { u32::FAR } else { u32::new(7 * lane as u32, lane as u8 % 3) };
            assert_eq!(word, expected);
        }
    }

    struct Growing(BoxLanes, LaneBits, Bounds);

    impl WithSimd for Growing {
        type Output = BoxLanes;

        #[inline(always)]
        fn with_simd<S: Simd>(mut self, simd: S) -> BoxLanes {
            self.0.grow(simd, self.1, &self.2);
            self.0
        }
    }

    #[test]
    fn boxes_grow_in_the_marked_lanes_alone() {
        let bounds = |low, high| Bounds { low, high };
        let boxes = with_vectors(Growing(BoxLanes::EMPTY, 0b101, bounds([3, 4], [5, 6])));
        let mut boxes = with_vectors(Growing(boxes, 0b100, bounds([1, 9], [2, 9])));
        assert_eq!(boxes.take(0), bounds([3, 4], [5, 6]));
        assert_eq!(boxes.take(1), Bounds::EMPTY);
        assert_eq!(boxes.take(2), bounds([1, 4], [5, 9]));
        assert_eq!(boxes.take(2), Bounds::EMPTY);
    }
}
