//! A bit map that is read through unaligned windows.

/// Bits, numbered from 0, with guard words at the end so that every window of a valid position exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// `len` zeros.
    pub(crate) fn zeros(len: usize) -> Bits {
        Bits { words: vec![0; len / 64 + 2] }
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    pub(crate) fn set(&mut self, index: usize, value: bool) {
        let bit = 1 << (index % 64);
        if value {
            self.words[index / 64] |= bit;
        } else {
            self.words[index / 64] &= !bit;
        }
    }

    /// As many zeros as there are bits in another map.
    pub(crate) fn zeros_like(other: &Bits) -> Bits {
        Bits { words: vec![0; other.words.len()] }
    }

    /// Sets bits of one aligned word.
    pub(crate) fn or_word(&mut self, index: usize, bits: u64) {
        self.words[index] |= bits;
    }

    /// The 64 bits from `index` on, the first one lowest.
    #[inline]
    pub(crate) fn window(&self, index: usize) -> u64 {
        let pair = &self.words[index / 64..][..2];
        ((u128::from(pair[1]) << 64 | u128::from(pair[0])) >> (index % 64)) as u64
    }

    /// The 64 bits up to and including `index`, the last one highest; bits before the first are zeros.
    #[inline]
    pub(crate) fn window_ending(&self, index: usize) -> u64 {
        let (word, shift) = (index / 64, 63 - index % 64);
        let below = if word == 0 { 0 } else { self.words[word - 1] };
        ((u128::from(self.words[word]) << 64 | u128::from(below)) << shift >> 64) as u64
    }

    /// The 64 bits from `first` on, wherever that is: before the first bit and after the last there are zeros.
    pub(crate) fn window_or_zeros(&self, first: i64) -> u64 {
        let bits = 64 * self.words.len() as i64;
        if first < -63 || first >= bits {
            0
        } else if first < 0 {
            self.window_ending((first + 63) as usize)
        } else if first < bits - 64 {
            self.window(first as usize)
        } else {
            self.words[self.words.len() - 1] >> (first % 64)
        }
    }

    /// Whether the bits of a range are all ones.
    #[inline(always)]
    pub(crate) fn is_full(&self, from: usize, end: usize) -> bool {
        let (first, last) = (from / 64, end / 64);
        let (low, high) = (u64::MAX << (from % 64), !(u64::MAX << (end % 64)));
        let words = &self.words[first..=last];
        if let [word] = words {
            return !word & low & high == 0;
        }
        let ends = (!words[0] & low) | (!words[words.len() - 1] & high);
        ends == 0 && words[1..words.len() - 1].iter().all(|&word| word == u64::MAX)
    }

    /// How many ones follow each other from a place on; a zero comes behind them.
    #[cfg(feature = "build")]
    pub(crate) fn ones_after(&self, from: usize) -> usize {
        let mut count = 0;
        loop {
            let ones = self.window(from + count).trailing_ones();
            count += ones as usize;
            if ones < 64 {
                return count;
            }
        }
    }

    /// How many ones stand one after the other before a place; a zero, or the beginning, comes before them.
    #[cfg(feature = "build")]
    pub(crate) fn ones_before(&self, end: usize) -> usize {
        let mut count = 0;
        while count < end {
            let ones = self.window_ending(end - 1 - count).leading_ones();
            count += ones as usize;
            if ones < 64 {
                break;
            }
        }
        count
    }

    /// The first one at or after a place; there is one.
    #[inline(always)]
    pub(crate) fn next_one(&self, from: usize) -> usize {
        let mut at = from / 64;
        let mut word = self.words[at] & u64::MAX << (from % 64);
        while word == 0 {
            at += 1;
            word = self.words[at];
        }
        at * 64 + word.trailing_zeros() as usize
    }

    /// The last one at or before a place; there is one.
    #[inline(always)]
    pub(crate) fn last_one(&self, from: usize) -> usize {
        let mut at = from / 64;
        let mut word = self.words[at] & u64::MAX >> (63 - from % 64);
        while word == 0 {
            at -= 1;
            word = self.words[at];
        }
        at * 64 + 63 - word.leading_zeros() as usize
    }

    /// Sets those of the 64 bits from `index` on that are set in `bits`.
    pub(crate) fn or_window(&mut self, index: usize, bits: u64) {
        let shifted = u128::from(bits) << (index % 64);
        self.words[index / 64] |= shifted as u64;
        self.words[index / 64 + 1] |= (shifted >> 64) as u64;
    }

    /// Bits of the same number, word by word.
    pub(crate) fn map_words(&self, word: impl Fn(usize, u64) -> u64) -> Bits {
        Bits { words: self.words.iter().enumerate().map(|(index, &bits)| word(index, bits)).collect() }
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Positions of the set bits in increasing order.
    pub(crate) fn ones(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors((word != 0).then_some(word), |word| {
                let rest = word & (word - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |word| index * 64 + word.trailing_zeros() as usize)
        })
    }

    pub(crate) fn count_ones(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}

/// Turns a 64 x 64 block of bits: afterwards bit `i` of word `j` is what bit `j` of word `i` was.
pub(crate) fn transpose(block: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width > 0 {
        for row in (0..64).filter(|row| row & width == 0) {
            let swapped = (block[row] >> width ^ block[row + width]) & mask;
            block[row] ^= swapped << width;
            block[row + width] ^= swapped;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// Turns a map of padded lines: cell (x, y) with bit `(y + 1) * stride + x + 1` is copied into `turned`, all zeros before,
/// as bit `(x + 1) * turned_stride + y + 1`.
pub(crate) fn transposed(
    bits: &Bits,
    stride: usize,
    (width, height): (u32, u32),
    mut turned: Bits,
    turned_stride: usize,
) -> Bits {
    for y in (0..height).step_by(64) {
        for x in (0..width).step_by(64) {
            let room = width - x;
            let mask = if room >= 64 { u64::MAX } else { (1 << room) - 1 };
            let mut block = [0; 64];
            for (word, y) in block.iter_mut().zip(y..height) {
                *word = bits.window((y as usize + 1) * stride + x as usize + 1) & mask;
            }
            transpose(&mut block);
            for (word, x) in block.into_iter().zip(x..width) {
                turned.or_window((x as usize + 1) * turned_stride + y as usize + 1, word);
            }
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    #[test]
    fn windows_read_what_was_set_at_any_offset() {
        let mut rng = Rng::new(7);
        let mut bits = Bits::zeros(1000);
        let plain: Vec<bool> = (0..1000).map(|_| rng.below(2) == 1).collect();
        for (index, &value) in plain.iter().enumerate() {
            bits.set(index, value);
        }
        for start in 0..=936 {
            let expected = (0..64).fold(0, |word, i| word | u64::from(plain[start + i]) << i);
            assert_eq!(bits.window(start), expected, "from {start}");
            assert_eq!(bits.window_ending(start + 63), expected, "to {}", start + 63);
        }
        for end in 0..63 {
            let expected = (0..=end).fold(0, |word, i| word | u64::from(plain[i]) << (63 - end + i));
            assert_eq!(bits.window_ending(end), expected, "to {end}");
        }
        for first in -70..1200_i64 {
            let bit = |i: i64| usize::try_from(i).is_ok_and(|i| i < 1000 && plain[i]);
            let expected = (0..64).fold(0, |word, i| word | u64::from(bit(first + i)) << i);
            assert_eq!(bits.window_or_zeros(first), expected, "from {first}");
        }
        let ones: Vec<usize> = (0..1000).filter(|&i| plain[i]).collect();
        assert!(bits.ones().eq(ones.iter().copied()));
        assert_eq!(bits.count_ones() as usize, ones.len());
    }

    #[test]
    fn or_window_sets_bits_across_words() {
        let mut bits = Bits::zeros(200);
        bits.or_window(60, 0b1011);
        bits.or_window(128, u64::MAX);
        assert!(bits.ones().eq([60, 61, 63].into_iter().chain(128..192)));
    }

    #[test]
    fn transpose_swaps_rows_and_columns() {
        let mut rng = Rng::new(8);
        let before: [u64; 64] = std::array::from_fn(|_| rng.next_u64());
        let mut after = before;
        transpose(&mut after);
        for (i, row) in before.iter().enumerate() {
            for (j, column) in after.iter().enumerate() {
                assert_eq!(column >> i & 1, row >> j & 1);
            }
        }
    }
}
