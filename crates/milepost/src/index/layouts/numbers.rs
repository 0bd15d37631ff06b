//! Arrays of numbers that take two bytes each, or four where a map needs them.

use crate::index::ArrayReader;

/// Numbers, narrow or wide.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbers<'a> {
    Narrow(&'a [u16]),
    Wide(&'a [u32]),
}

impl<'a> Numbers<'a> {
    /// An array of a section, of numbers of this many bytes.
    #[inline(always)]
    pub(in crate::index) fn of(arrays: ArrayReader<'a>, array: usize, bytes: u32) -> Numbers<'a> {
        if bytes == 2 { Numbers::Narrow(arrays.array(array)) } else { Numbers::Wide(arrays.array(array)) }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Numbers::Narrow(numbers) => numbers.len(),
            Numbers::Wide(numbers) => numbers.len(),
        }
    }

    /// A number; the largest there is outside the array.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> u32 {
        match self {
            Numbers::Narrow(numbers) => numbers.get(index).map_or(u32::MAX, |&number| number.into()),
            Numbers::Wide(numbers) => numbers.get(index).copied().unwrap_or(u32::MAX),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (narrow, wide): (&[u16], &[u32]) = match *self {
            Numbers::Narrow(numbers) => (numbers, &[]),
            Numbers::Wide(numbers) => (&[], numbers),
        };
        narrow.iter().map(|&number| number.into()).chain(wide.iter().copied())
    }
}
