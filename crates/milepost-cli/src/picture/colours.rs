//! The colours of a picture by number, for files that hold a table of them.

use super::surface::Colour;
use std::collections::BTreeMap;

/// Colours that such a table can have.
const MOST: usize = 256;

/// The colours so far, in the order in which they came.
#[derive(Default)]
pub(super) struct Colours {
    table: Vec<Colour>,
    numbers: BTreeMap<Colour, u8>,
}

impl Colours {
    /// Red, green and blue of one colour after the other.
    pub(super) fn table(&self) -> &[u8] {
        self.table.as_flattened()
    }

    /// The number of a colour; of the one nearest to it when there are as many as there can be.
    pub(super) fn number(&mut self, colour: Colour) -> u8 {
        if let Some(number) = self.numbers.get(&colour) {
            return *number;
        }
        let distance = |other: &Colour| -> u32 {
            other.iter().zip(colour).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
        };
        if self.table.len() < MOST {
            self.table.push(colour);
        }
        let nearest = self.table.iter().zip(0_u8..=u8::MAX).min_by_key(|(other, _)| distance(other));
        let number = nearest.map_or(0, |(_, number)| number);
        self.numbers.insert(colour, number);
        number
    }
}
