//! What a step costs on each letter of a map: `S=3,G=2` makes swamp three times and ground twice as dear as
//! floor.
//!
//! A text is a list of `LETTER=WEIGHT` with commas between them and blanks anywhere around them. Letters are the
//! passable ones, `.`, `G` and `S`, each at most once; weights are whole numbers from 1 to 255. Letters
//! that the text does not name weigh 1.

use crate::error::debug_as_sentence;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::error::Excerpt;
use super::tiles::{TileMap, is_passable_letter};

/// The letters that can have a weight.
const LETTERS: [u8; 3] = *b".GS";

/// The weight of every passable letter.
///
/// ```
/// use milepost_maps::{TileMap, Weights};
/// let weights: Weights = "S=3,G=2".parse()?;
/// let map = TileMap::from_ascii(".GS@").unwrap();
/// assert_eq!(weights.weights_of(&map), [1, 2, 3, 1]);
/// # Ok::<(), milepost_maps::WeightsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Weights {
    /// In the order of `LETTERS`; at least 1.
    of_letter: [u8; 3],
}

/// Why a text says no weights.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// There is nothing between two commas, or nothing at all.
    #[error(
        "character {column}: expected LETTER=WEIGHT, as in `S=3,G=2`, found nothing; remove the \
             comma or add a weight"
    )]
    Empty {
        /// The character, from 1.
        column: usize,
    },
    /// An item is not a letter, an equals sign and a number.
    #[error("character {column}: expected LETTER=WEIGHT, as in `S=3,G=2`, found {found}; correct the text")]
    Item {
        /// The character, from 1.
        column: usize,
        /// The item.
        found: Excerpt,
    },
    /// A letter that means nothing, or that is not passable.
    #[error(
        "character {column}: expected one of the passable letters . G S, found {found}; \
             only such letters have a weight"
    )]
    Letter {
        /// The character, from 1.
        column: usize,
        /// The letter.
        found: Excerpt,
    },
    /// A weight that is no number, zero, or too large.
    #[error(
        "character {column}: expected a whole number from 1 to 255 as the weight of `{}`, found {found}; \
             correct the weight", *letter as char
    )]
    Weight {
        /// The character, from 1.
        column: usize,
        /// The letter.
        letter: u8,
        /// What stands there.
        found: Excerpt,
    },
    /// A letter with two weights.
    #[error("character {column}: expected a weight for `{}` once, found it again; remove one of the two",
            *letter as char)]
    Twice {
        /// The character, from 1.
        column: usize,
        /// The letter.
        letter: u8,
    },
}

debug_as_sentence!(WeightsError);

impl Default for Weights {
    /// Every letter weighs 1.
    fn default() -> Self {
        Weights { of_letter: [1; 3] }
    }
}

impl Weights {
    /// Reads a list such as `S=3,G=2`.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let mut weights = Weights::default();
        let mut is_named = [false; 3];
        let mut begin = 1;
        for part in text.split(',') {
            let column = begin + part.chars().take_while(|letter| letter.is_whitespace()).count();
            begin += part.chars().count() + 1;
            let item = part.trim();
            if item.is_empty() {
                return Err(WeightsError::Empty { column });
            }
            let Some((name, number)) = item.split_once('=') else {
                return Err(WeightsError::Item { column, found: Excerpt::new(item.as_bytes()) });
            };
            let name = name.trim();
            let Some(index) = LETTERS.iter().position(|letter| name.as_bytes() == [*letter]) else {
                return Err(WeightsError::Letter { column, found: Excerpt::new(name.as_bytes()) });
            };
            if std::mem::replace(&mut is_named[index], true) {
                return Err(WeightsError::Twice { column, letter: LETTERS[index] });
            }
            weights.of_letter[index] = weight(number.trim()).ok_or_else(|| WeightsError::Weight {
                column: column + item.chars().count() - number.trim_start().chars().count(),
                letter: LETTERS[index],
                found: Excerpt::new(number.trim().as_bytes()),
            })?;
        }
        Ok(weights)
    }

    /// The weight of a letter; 1 for letters that are not passable.
    #[inline]
    pub fn of(&self, letter: u8) -> u8 {
        LETTERS.iter().position(|known| *known == letter).map_or(1, |index| self.of_letter[index])
    }

    /// Whether every letter weighs the same, so that the weights change no path.
    pub fn are_uniform(&self) -> bool {
        self.of_letter.iter().all(|weight| *weight == self.of_letter[0])
    }

    /// The weight of every cell, row by row from the top; 1 where the cell is blocked.
    pub fn weights_of(&self, map: &TileMap) -> Vec<u8> {
        let mut of_byte = [1; 256];
        for letter in LETTERS {
            debug_assert!(is_passable_letter(letter));
            of_byte[usize::from(letter)] = self.of(letter);
        }
        map.tiles().iter().map(|letter| of_byte[usize::from(*letter)]).collect()
    }
}

/// A weight in digits.
fn weight(digits: &str) -> Option<u8> {
    // The standard parser would accept a plus.
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|weight| is_plain && *weight > 0)
}

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        Weights::parse(text)
    }
}

impl fmt::Display for Weights {
    /// All weights, as [`Weights::parse`] reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [floor, ground, swamp] = self.of_letter;
        write!(f, ".={floor},G={ground},S={swamp}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn weights_are_given_to_letters() {
        let weights = Weights::parse(" S = 3,\tG=255 ").expect("good weights");
        assert_eq!((weights.of(b'.'), weights.of(b'G'), weights.of(b'S'), weights.of(b'@')), (1, 255, 3, 1));
        let map = TileMap::from_ascii(".GS\nTWS").expect("a good drawing");
        assert_eq!(weights.weights_of(&map), [1, 255, 3, 1, 1, 3]);
    }

    #[test]
    fn weights_without_names_are_one() {
        assert_eq!(Weights::parse(".=1"), Ok(Weights::default()));
        assert_eq!(Weights::default().to_string(), ".=1,G=1,S=1");
        assert!(Weights::default().are_uniform() && !Weights::parse("S=2").expect("good").are_uniform());
        assert!(Weights::parse(".=7,S=7,G=7").expect("good").are_uniform());
    }

    #[test]
    fn columns_count_characters() {
        let said = |text: &str| Weights::parse(text).expect_err("bad weights").to_string();
        assert!(said("S=3, G= x").starts_with("character 9: "), "{}", said("S=3, G= x"));
        assert!(said("S=3, é=2").starts_with("character 6: "), "{}", said("S=3, é=2"));
        assert!(said("S=3,").starts_with("character 5: "), "{}", said("S=3,"));
    }

    proptest! {
        #[test]
        fn arbitrary_texts_never_panic(text: String) {
            let _ = Weights::parse(&text);
        }

        #[test]
        fn damaged_weights_never_panic(text in "[SG.@=,0-9 é+-]{0,20}") {
            if let Ok(weights) = Weights::parse(&text) {
                prop_assert_eq!(Weights::parse(&weights.to_string()), Ok(weights));
            }
        }

        #[test]
        fn all_weights_survive_the_round_trip(floor in 1u8.., ground in 1u8.., swamp in 1u8..) {
            let weights = Weights { of_letter: [floor, ground, swamp] };
            prop_assert_eq!(weights.to_string().parse(), Ok(weights));
        }
    }
}
