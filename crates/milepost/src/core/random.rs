//! A pinned generator of random numbers: the same seed gives the same numbers on every machine, for ever.
//!
//! Generated maps, random problems and sampled checks must be reproducible from their seed alone, so nothing
//! here may depend on the machine, on floats or on a library that could change. The algorithm is part of the
//! public contract: if it changed, every published seed would mean another map.
//!
//! # Paper
//! D. Blackman, S. Vigna: Scrambled Linear Pseudorandom Number Generators, ACM Transactions on Mathematical
//! Software 47(4), 2021: xoshiro256**, seeded as its authors advise by SplitMix64.
//! D. Lemire: Fast Random Integer Generation in an Interval, ACM Transactions on Modeling and Computer
//! Simulation 29(1), 2019: [`Rng::below`] is its Algorithm 5.
//!
//! # Guarantees
//! A period of 2^256 - 1. `below`, `range`, `chance` and `shuffle` are unbiased. Not for secrets.

use std::ops::Range;

/// A random number generator that never changes: xoshiro256**, seeded by SplitMix64.
///
/// ```
/// use milepost::Rng;
/// let mut rng = Rng::new(7);
/// let throws: Vec<u32> = (0..6).map(|_| rng.range(1..7)).collect();
/// assert_eq!(throws, [5, 2, 6, 6, 6, 6]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    /// Never all zero: SplitMix64 gives zero for only one of its states.
    state: [u64; 4],
}

impl Rng {
    /// A generator whose numbers depend on `seed` only.
    pub fn new(seed: u64) -> Self {
        let mut mixer = seed;
        Rng { state: std::array::from_fn(|_| split_mix(&mut mixer)) }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let result = self.state[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = self.state[1] << 17;
        self.state[2] ^= self.state[0];
        self.state[3] ^= self.state[1];
        self.state[1] ^= self.state[2];
        self.state[0] ^= self.state[3];
        self.state[2] ^= shifted;
        self.state[3] = self.state[3].rotate_left(45);
        result
    }

    /// A number from 0 to `n - 1`, all equally likely.
    ///
    /// # Panics
    /// If `n` is 0: there is no such number.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "there is no number below 0");
        let mut product = self.next_u32() * u64::from(n);
        if (product as u32) < n {
            // 2^32 mod n: products whose low half is smaller belong to intervals with one number too many.
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = self.next_u32() * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// A number from the range, all equally likely.
    ///
    /// # Panics
    /// If the range is empty.
    #[inline]
    pub fn range(&mut self, range: Range<u32>) -> u32 {
        assert!(range.start < range.end, "there is no number in an empty range");
        range.start + self.below(range.end - range.start)
    }

    /// True in `num` of `den` cases; always when `num >= den`.
    ///
    /// # Panics
    /// If `den` is 0.
    #[inline]
    pub fn chance(&mut self, num: u32, den: u32) -> bool {
        self.below(den) < num
    }

    /// Puts the items into a random order, all orders equally likely.
    ///
    /// # Panics
    /// If there are more than 2^32 - 1 items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        assert!(u32::try_from(items.len()).is_ok(), "more items than 32 bits can count");
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }

    /// The upper, better half of the next number.
    #[inline]
    fn next_u32(&mut self) -> u64 {
        self.next_u64() >> 32
    }
}

/// SplitMix64: turns a counter into well-mixed words, whatever the seed was.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_gives_the_published_numbers() {
        let mut state = 1_234_567;
        let numbers: Vec<u64> = (0..5).map(|_| split_mix(&mut state)).collect();
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(numbers, published);
    }

    #[test]
    fn xoshiro_gives_the_published_numbers() {
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let numbers: Vec<u64> = (0..10).map(|_| rng.next_u64()).collect();
        let published = [
            11_520,
            0,
            1_509_978_240,
            1_215_971_899_390_074_240,
            1_216_172_134_540_287_360,
            607_988_272_756_665_600,
            16_172_922_978_634_559_625,
            8_476_171_486_693_032_832,
            10_595_114_339_597_558_777,
            2_904_607_092_377_533_576,
        ];
        assert_eq!(numbers, published);
    }

    #[test]
    fn a_seed_means_the_same_numbers_for_ever() {
        let mut rng = Rng::new(42);
        assert_eq!([rng.next_u64(), rng.next_u64()], [1_546_998_764_402_558_742, 6_990_951_692_964_543_102]);
        let small: Vec<u32> = (0..12).map(|_| rng.below(10)).collect();
        assert_eq!(small, [6, 9, 9, 7, 7, 8, 7, 5, 6, 2, 8, 3]);
        let mut order: Vec<u32> = (0..10).collect();
        rng.shuffle(&mut order);
        assert_eq!(order, [1, 2, 6, 0, 3, 8, 5, 4, 9, 7]);
    }

    #[test]
    fn below_reaches_every_number_equally_often() {
        let mut rng = Rng::new(1);
        let mut count = [0u32; 7];
        for _ in 0..70_000 {
            count[rng.below(7) as usize] += 1;
        }
        assert!(count.iter().all(|c| (9_600..10_400).contains(c)), "{count:?}");
    }

    #[test]
    fn below_throws_away_what_would_favour_some_numbers() {
        // With n = 3 * 2^30 a third of the raw numbers is refused: without that, every third result
        // would come twice as often.
        let n = 3 << 30;
        let mut rng = Rng::new(2);
        let divisible = (0..30_000).filter(|_| rng.below(n).is_multiple_of(3)).count();
        assert!((9_600..10_400).contains(&divisible), "{divisible}");
    }

    #[test]
    fn below_one_is_always_zero_and_the_largest_bound_works() {
        let mut rng = Rng::new(3);
        assert!((0..100).all(|_| rng.below(1) == 0));
        assert!((0..100).all(|_| rng.below(u32::MAX) < u32::MAX));
    }

    #[test]
    fn chance_is_never_with_zero_and_always_with_all() {
        let mut rng = Rng::new(4);
        assert!((0..100).all(|_| !rng.chance(0, 5) && rng.chance(5, 5)));
    }

    #[test]
    fn shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..1000).collect();
        Rng::new(5).shuffle(&mut items);
        assert!(items.windows(2).any(|pair| pair[0] > pair[1]));
        items.sort_unstable();
        assert!(items.iter().copied().eq(0..1000));
    }
}
