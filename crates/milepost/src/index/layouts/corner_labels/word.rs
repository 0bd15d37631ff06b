//! Entries of labels as words: 64 bits, or 128 where a map needs them. The same words, read otherwise, are what a query
//! writes down for each hub.

use std::fmt::Debug;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// A word of 64 or 128 bits.
pub(crate) trait Word:
    Copy + Ord + Debug + Send + Sync + Default + FromBytes + IntoBytes + Immutable + KnownLayout + 'static
{
    const BITS: u32;

    fn from_number(number: u64) -> Self;

    /// Those of its kind.
    fn of<'a>(words: (&'a [u64], &'a [u128])) -> &'a [Self];

    /// Its lowest 64 bits.
    fn low(self) -> u64;

    /// Moved up; what leaves the word is lost.
    fn up(self, bits: u32) -> Self;

    /// Moved down.
    fn down(self, bits: u32) -> Self;

    /// Modulo the size of the word.
    fn plus(self, other: Self) -> Self;

    /// Modulo the size of the word.
    fn minus(self, other: Self) -> Self;
}

macro_rules! word {
    ($word:ty, $kind:tt) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;

            #[inline(always)]
            fn from_number(number: u64) -> $word {
                <$word>::from(number)
            }

            #[inline(always)]
            fn of<'a>(words: (&'a [u64], &'a [u128])) -> &'a [$word] {
                words.$kind
            }

            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn up(self, bits: u32) -> $word {
                self << (bits & (<$word>::BITS - 1))
            }

            #[inline(always)]
            fn down(self, bits: u32) -> $word {
                self >> (bits & (<$word>::BITS - 1))
            }

            #[inline(always)]
            fn plus(self, other: $word) -> $word {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: $word) -> $word {
                self.wrapping_sub(other)
            }
        }
    };
}

word!(u64, 0);
word!(u128, 1);

/// Bits that it takes to write the numbers up to this one.
pub(crate) const fn bits_of(largest: u64) -> u32 {
    u64::BITS - largest.leading_zeros()
}

/// How the bits of an entry are shared out, lowest first: its hub, its place in the label of the next corner, the turn
/// that leads there, and the distance in the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Fields {
    pub(crate) hub: u32,
    pub(crate) place: u32,
    pub(crate) turn: u32,
}

/// What an entry says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LabelEntry {
    /// Hubs are corners, numbered from the most important on.
    pub(crate) hub: u32,
    /// The entry of the same hub in the label of the next corner.
    pub(crate) place: u32,
    /// Which of the corner's turns leads to the next corner.
    pub(crate) turn: u32,
    pub(crate) distance: u64,
}

impl Fields {
    /// The bits of the hub.
    #[inline(always)]
    pub(crate) fn hub_mask(self) -> u64 {
        (1 << self.hub) - 1
    }

    /// Bits below the distance.
    #[inline(always)]
    pub(crate) fn below(self) -> u32 {
        self.hub + self.place + self.turn
    }

    pub(crate) fn pack<W: Word>(self, entry: LabelEntry) -> W {
        let low = u64::from(entry.hub);
        let place = W::from_number(entry.place.into()).up(self.hub);
        let turn = W::from_number(entry.turn.into()).up(self.hub + self.place);
        W::from_number(low).plus(place).plus(turn).plus(W::from_number(entry.distance).up(self.below()))
    }

    #[inline(always)]
    pub(crate) fn read<W: Word>(self, word: W) -> LabelEntry {
        let field = |from: u32, bits: u32| (word.down(from).low() & ((1 << bits) - 1)) as u32;
        LabelEntry {
            hub: field(0, self.hub),
            place: field(self.hub, self.place),
            turn: field(self.hub + self.place, self.turn),
            distance: self.distance(word),
        }
    }

    #[inline(always)]
    pub(crate) fn distance<W: Word>(self, word: W) -> u64 {
        word.down(self.below()).low()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_comes_back_from_its_word() {
        let narrow = Fields { hub: 14, place: 7, turn: 4 };
        let entry = LabelEntry { hub: 16_383, place: 127, turn: 9, distance: (1 << 39) - 1 };
        assert_eq!(narrow.read(narrow.pack::<u64>(entry)), entry);
        let wide = Fields { hub: 32, place: 20, turn: 12 };
        let entry = LabelEntry { hub: u32::MAX, place: 1 << 19, turn: 4095, distance: u64::MAX };
        assert_eq!(wide.read(wide.pack::<u128>(entry)), entry);
        assert_eq!([0, 1, 2, 255, 256].map(bits_of), [0, 1, 2, 8, 9]);
    }
}
