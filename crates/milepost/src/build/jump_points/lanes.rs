//! Arithmetic on sixteen sources side by side.
//!
//! Fixed arrays, and loops over them: compiled inside a function that runs with the machine's widest vector instructions
//! ([`with_vectors`](crate::core::vectors::with_vectors)), each becomes a handful of them. Every kernel has a scalar twin in the
//! tests.

use super::blocks::Bounds;
use super::packed_distances::{DistanceWord, PackedDistances};
use pulp::Simd;

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

/// Boxes of sixteen sources, as low and high columns and rows. Where one is empty, low is more than high.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxLanes {
    low: [PackedDistances<u32>; 2],
    high: [PackedDistances<u32>; 2],
}

impl BoxLanes {
    pub(crate) const EMPTY: BoxLanes =
        BoxLanes { low: [PackedDistances::ALL_BITS; 2], high: [PackedDistances::ALL_ZERO; 2] };

    /// Grows the boxes of the marked lanes to hold another box.
    #[inline(always)]
    pub(crate) fn grow<S: Simd>(&mut self, simd: S, lanes: LaneBits, bounds: &Bounds) {
        let mask = PackedDistances::<u32>::mask(lanes);
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
        let side = |words: &PackedDistances<u32>| words.0[lane] as i32;
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
    use crate::core::vectors::with_vectors;
    use crate::core::{Rng, vectorized};
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
