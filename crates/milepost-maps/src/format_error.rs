//! What can be wrong with a text file of trees, voxels, meshes and their scenarios: where, what was expected, what was found,
//! what to do.

use super::error::{Excerpt, Place};
use super::lines::{Line, Lines, real_number, whole_number, words};
use crate::error::debug_as_sentence;
use milepost::GraphError;
use thiserror::Error;

/// Why bytes are not what they should be.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// There is nothing in the file.
    #[error(
        "the file is empty: expected {expected}, found {bytes} bytes of nothing but blanks; get the file again"
    )]
    Empty {
        /// What should stand there first.
        expected: &'static str,
        /// How many blanks there are.
        bytes: u64,
    },
    /// Something else stands there.
    #[error("{place}: expected {expected}, found {found}; correct the line")]
    Unexpected {
        /// Where.
        place: Place,
        /// What could have stood there.
        expected: String,
        /// What does.
        found: Excerpt,
    },
    /// The file ends too early.
    #[error("{place}: expected {expected}, found the end of the file; the file was cut off, get it again")]
    Ends {
        /// Where it ends.
        place: Place,
        /// What is missing.
        expected: String,
    },
    /// The numbers can be read, but they are those of no tree.
    #[error("{place}: {error}; correct the line")]
    Tree {
        /// The line.
        place: Place,
        /// What is wrong.
        error: GraphError,
    },
}

debug_as_sentence!(FormatError);

impl FormatError {
    /// Something else than expected stands in a line, at one of its words.
    pub(crate) fn at(line: &Line<'_>, (at, word): Word<'_>, expected: impl Into<String>) -> FormatError {
        FormatError::Unexpected {
            place: line.place_at(at),
            expected: expected.into(),
            found: Excerpt::new(word),
        }
    }

    /// Something else than expected stands in a whole line.
    pub(crate) fn line(line: &Line<'_>, expected: impl Into<String>) -> FormatError {
        FormatError::at(line, (0, line.text), expected)
    }
}

/// A word of a line, and where it begins there.
pub(crate) type Word<'a> = (usize, &'a [u8]);

/// The lines of a file that hold something: blank ones, and what follows `#` in a line, mean nothing.
pub(crate) struct Records<'a> {
    lines: Lines<'a>,
}

impl<'a> Records<'a> {
    pub(crate) fn new(bytes: &'a [u8], expected: &'static str) -> Result<Records<'a>, FormatError> {
        let lines = Lines::new(bytes);
        if lines.rest().iter().all(u8::is_ascii_whitespace) {
            return Err(FormatError::Empty { expected, bytes: bytes.len() as u64 });
        }
        Ok(Records { lines })
    }

    /// The next line.
    pub(crate) fn expect(&mut self, expected: &str) -> Result<Line<'a>, FormatError> {
        let place = self.lines.place();
        self.next().ok_or_else(|| FormatError::Ends { place, expected: expected.to_owned() })
    }

    /// Refuses whatever follows.
    pub(crate) fn end(&mut self, after: &str) -> Result<(), FormatError> {
        self.next().map_or(Ok(()), |line| Err(FormatError::line(&line, format!("nothing after {after}"))))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        self.lines.by_ref().find_map(|line| {
            let comment = line.text.iter().position(|&byte| byte == b'#').unwrap_or(line.text.len());
            let text = line.text[..comment].trim_ascii_end();
            (!text.is_empty()).then_some(Line { text, ..line })
        })
    }
}

/// A line of these many words.
pub(crate) fn exactly<'a, const N: usize>(
    line: &Line<'a>,
    expected: &str,
) -> Result<[Word<'a>; N], FormatError> {
    let mut found = words(line.text);
    let mut all = [(0, &b""[..]); N];
    for slot in &mut all {
        *slot = found.next().ok_or_else(|| FormatError::line(line, expected))?;
    }
    match found.next() {
        Some(word) => Err(FormatError::at(line, word, format!("no more than {expected}"))),
        None => Ok(all),
    }
}

/// A whole number.
pub(crate) fn whole(line: &Line<'_>, word: Word<'_>, name: &str) -> Result<u32, FormatError> {
    whole_number(word.1).ok_or_else(|| {
        FormatError::at(line, word, format!("{name} as a whole number from 0 to 4294967295 in digits"))
    })
}

/// A finite number.
pub(crate) fn real(line: &Line<'_>, word: Word<'_>, name: &str) -> Result<f64, FormatError> {
    real_number(word.1).ok_or_else(|| FormatError::at(line, word, format!("{name} as a finite number")))
}
