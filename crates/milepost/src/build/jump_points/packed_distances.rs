//! Distances of sixteen sources side by side, each in one number with the hop_label of the hop that leads there.
//!
//! As in [`lanes`](super::lanes), each kernel becomes a handful of vector instructions and has a scalar twin in the tests.

use super::lanes::{LANES, LaneBits, Lanes};
use pulp::Simd;
use std::fmt::Debug;
use std::ops::{BitOr, BitXor};

/// A distance and, in its lowest byte, a hop_label: one comparison finds the nearest and knows its name. Hop label 0 is none.
/// Numbers of 32 bits do where distances are short (see [`DistanceWord::holds`]), others take twice the room.
///
/// Below the numbers themselves stands what vectors of them can do: compilers cut loops over sixteen of them into odd
/// pieces, so these are spelled out (three times faster for [`PackedDistances::relax_from_current`]).
pub(crate) trait DistanceWord:
    Copy + Ord + Debug + Send + Sync + BitOr<Output = Self> + BitXor<Output = Self>
{
    const ZERO: Self;
    const ALL_BITS: Self;
    /// The bits of the hop_label.
    const HOP_LABEL: Self;
    /// All other bits.
    const DISTANCE: Self;
    /// Farther than any distance plus a cost. With a cost added it still fits.
    const FAR: Self;

    /// Whether distances up to `farthest` and costs up to `longest` may be added up in such words.
    fn holds(farthest: u64, longest: u64) -> bool;
    fn new(distance: u32, hop_label: u8) -> Self;
    fn hop_label(self) -> u8;

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
        impl DistanceWord for $number {
            const ZERO: Self = 0;
            const ALL_BITS: Self = <$number>::MAX;
            const HOP_LABEL: Self = 0xff;
            const DISTANCE: Self = !0xff;
            const FAR: Self = $far;

            fn holds(farthest: u64, longest: u64) -> bool {
                let (far, room) = (u64::from(Self::FAR), u64::from(<$number>::MAX - Self::FAR));
                (farthest + longest) < far >> 8 && longest < room >> 8
            }

            #[inline(always)]
            fn new(distance: u32, hop_label: u8) -> Self {
                (distance as $number) << 8 | hop_label as $number
            }

            #[inline(always)]
            fn hop_label(self) -> u8 {
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
pub(crate) struct PackedDistances<W>(pub(crate) [W; LANES]);

impl<W: DistanceWord> PackedDistances<W> {
    pub(crate) const ALL_FAR: PackedDistances<W> = PackedDistances([W::FAR; LANES]);
    pub(crate) const ALL_ZERO: PackedDistances<W> = PackedDistances([W::ZERO; LANES]);
    pub(crate) const ALL_BITS: PackedDistances<W> = PackedDistances([W::ALL_BITS; LANES]);

    /// All bits in the lanes that are marked, none in the others.
    #[inline(always)]
    pub(crate) fn mask(lanes: LaneBits) -> PackedDistances<W> {
        let mut mask = PackedDistances::ALL_ZERO;
        for lane in 0..LANES {
            mask.0[lane] = if lanes >> lane & 1 == 1 { W::ALL_BITS } else { W::ZERO };
        }
        mask
    }

    /// The distances of these lanes with these hop_labels; far where there is none.
    #[inline(always)]
    pub(crate) fn pack(distances: &Lanes, hop_labels: &[u8; LANES]) -> PackedDistances<W> {
        let mut packed = PackedDistances::ALL_FAR;
        for ((packed, &distance), &hop_label) in packed.0.iter_mut().zip(&distances.0).zip(hop_labels) {
            *packed = if hop_label == 0 { W::FAR } else { W::new(distance, hop_label) };
        }
        packed
    }

    /// `self = min(self, other + cost)`.
    #[inline(always)]
    pub(crate) fn relax<S: Simd>(&mut self, simd: S, other: &PackedDistances<W>, cost: W) {
        let cost = W::all(simd, cost);
        for (best, &other) in W::vectors_mut::<S>(&mut self.0).iter_mut().zip(W::vectors::<S>(&other.0)) {
            *best = W::least(simd, *best, W::add(simd, other, cost));
        }
    }

    /// The same, where a word that carries the current hop_label loses it, and so wins ties and says so. `absent` has all
    /// bits if there is nothing to be offered, else none.
    #[inline(always)]
    pub(crate) fn relax_from_current<S: Simd>(
        &mut self,
        simd: S,
        other: &PackedDistances<W>,
        (cost, absent): (W, W),
        current: &PackedDistances<W>,
    ) {
        let (cost, absent) = (W::all(simd, cost), W::all(simd, absent));
        let (hop_label, distance) = (W::all(simd, W::HOP_LABEL), W::all(simd, W::DISTANCE));
        let both = W::vectors::<S>(&other.0).iter().zip(W::vectors::<S>(&current.0));
        for (best, (&other, &current)) in W::vectors_mut::<S>(&mut self.0).iter_mut().zip(both) {
            let word = W::or(simd, W::add(simd, other, cost), absent);
            let without = W::and(simd, word, distance);
            let word = W::if_equal(simd, W::and(simd, word, hop_label), current, without, word);
            *best = W::least(simd, *best, word);
        }
    }

    /// So much farther, whatever the hop_label.
    #[inline(always)]
    pub(crate) fn limit<S: Simd>(&self, simd: S, more: W) -> PackedDistances<W> {
        let (more, hop_label) = (W::all(simd, more), W::all(simd, W::HOP_LABEL));
        let mut limit = *self;
        for word in W::vectors_mut::<S>(&mut limit.0) {
            *word = W::or(simd, W::add(simd, *word, more), hop_label);
        }
        limit
    }

    /// Marks in `self` the lanes in which `words + slack` is within the limit with another hop_label than `best`.
    #[inline(always)]
    pub(crate) fn mark_others<S: Simd>(
        &mut self,
        simd: S,
        words: &PackedDistances<W>,
        slack: W,
        limit: &PackedDistances<W>,
        best: &PackedDistances<W>,
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
    pub(crate) fn is_within<S: Simd>(
        &self,
        simd: S,
        slack: W,
        limit: &PackedDistances<W>,
        mask: &PackedDistances<W>,
    ) -> bool {
        let slack = W::all(simd, slack);
        let (words, limit, mask) =
            (W::vectors::<S>(&self.0), W::vectors::<S>(&limit.0), W::vectors::<S>(&mask.0));
        let mut any = W::all(simd, W::ZERO);
        for ((&word, &limit), &mask) in words.iter().zip(limit).zip(mask) {
            any = W::or(simd, any, W::if_at_most(simd, W::add(simd, word, slack), limit, mask));
        }
        W::any(simd, any, W::ALL_BITS)
    }

    /// Whether any lane of the mask has another hop_label than these.
    #[inline(always)]
    pub(crate) fn differs<S: Simd>(
        &self,
        simd: S,
        hop_labels: &PackedDistances<W>,
        mask: &PackedDistances<W>,
    ) -> bool {
        let mut any = W::all(simd, W::ZERO);
        let both = W::vectors::<S>(&hop_labels.0).iter().zip(W::vectors::<S>(&mask.0));
        for (&word, (&hop_labels, &mask)) in W::vectors::<S>(&self.0).iter().zip(both) {
            any = W::or(simd, any, W::and(simd, W::xor(simd, word, hop_labels), mask));
        }
        W::any(simd, any, W::HOP_LABEL)
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

    /// The lanes that carry another hop_label than these.
    #[inline(always)]
    pub(crate) fn other_hop_labels(&self, hop_labels: &PackedDistances<W>) -> LaneBits {
        let mut bits = 0;
        for lane in 0..LANES {
            bits |= LaneBits::from((self.0[lane] ^ hop_labels.0[lane]).hop_label() != 0) << lane;
        }
        bits
    }
}

#[cfg(test)]
#[path = "packed_distances_tests.rs"]
mod tests;
