//! What can be wrong with a map or scenario file, said so that its owner can mend it.
//!
//! Every message has the same four parts: where, what was expected, what was found, what to do. The name of
//! the file is not among them, because no file is opened in this room.

use std::fmt;

use thiserror::Error;

/// Prints an error for debugging as it is printed for users: `fn main() -> Result<(), Box<dyn Error>>`, `unwrap` and `expect` do.
macro_rules! debug_as_sentence {
    ($error:ty) => {
        impl std::fmt::Debug for $error {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, out)
            }
        }
    };
}

pub(crate) use debug_as_sentence;

/// A position in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The byte within the line, from 1.
    pub column: u32,
    /// The byte within the file, from 0.
    pub offset: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {} (byte {})", self.line, self.column, self.offset)
    }
}

/// A piece of a file for an error message: quoted, shortened, control characters and broken text escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt(String);

impl Excerpt {
    /// More characters than these are cut off.
    pub const MAX_CHARS: usize = 40;

    /// The excerpt that shows the beginning of `bytes`.
    pub fn new(bytes: &[u8]) -> Self {
        let mut text = String::from("\"");
        let mut room = Self::MAX_CHARS;
        // A character has at most four bytes, so what is cut off here would not be shown anyway.
        let shown = &bytes[..bytes.len().min(4 * (Self::MAX_CHARS + 1))];
        'all: for chunk in shown.utf8_chunks() {
            let valid = chunk.valid().chars().map(|c| c.escape_debug().to_string());
            let broken = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
            for piece in valid.chain(broken) {
                if room == 0 {
                    text.push_str("...");
                    break 'all;
                }
                room -= 1;
                text.push_str(&piece);
            }
        }
        text.push('"');
        Excerpt(text)
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why bytes are not a MovingAI map.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MapError {
    /// There is nothing in the file.
    #[error(
        "the file is empty: expected the line `type octile`, found {bytes} bytes of nothing but blanks; \
             get the map again"
    )]
    Empty {
        /// How many blanks there are.
        bytes: u64,
    },
    /// A header line is not what has to stand there.
    #[error(
        "{place}: expected {expected}, found {found}; \
             a MovingAI map is plain text that begins with the lines type, height, width and map"
    )]
    Header {
        /// Where it stands.
        place: Place,
        /// What could have stood there.
        expected: &'static str,
        /// What stands there.
        found: Excerpt,
    },
    /// The file ends inside its header.
    #[error("{place}: expected {expected}, found the end of the file; the file was cut off, get it again")]
    HeaderEnds {
        /// Where the file ends.
        place: Place,
        /// What is missing.
        expected: &'static str,
    },
    /// The map is of the format with heights at corners.
    #[error(
        "{place}: expected `type octile`, found `type octile-corner`: that is another format (heights of \
             corners, then terrain) which is not supported; convert the map to `type octile`"
    )]
    OctileCorner {
        /// Where the type stands.
        place: Place,
    },
    /// The map is of an unknown type.
    #[error("{place}: expected `octile`, found type {found}; convert the map to `type octile`")]
    Type {
        /// Where the type stands.
        place: Place,
        /// The type.
        found: Excerpt,
    },
    /// A size is said twice.
    #[error("{place}: expected `{name}` once, found it again (first in line {first}); remove one of the two")]
    Duplicate {
        /// Where it stands the second time.
        place: Place,
        /// `height` or `width`.
        name: &'static str,
        /// The line where it stood first.
        first: u32,
    },
    /// A size is no number, zero, or does not fit 32 bits.
    #[error("{place}: expected a {name} from 1 to 4294967295 in digits, found {found}; correct the header")]
    Size {
        /// Where it stands.
        place: Place,
        /// `height` or `width`.
        name: &'static str,
        /// What stands there.
        found: Excerpt,
    },
    /// The bytes that follow the header cannot hold the promised rows.
    #[error(
        "{place}: expected at least {needed} bytes for {height} rows of {width} letters, found {left} \
             bytes; the file was cut off, get it again, or correct its header"
    )]
    Bytes {
        /// Where the rows begin.
        place: Place,
        /// The promised width.
        width: u32,
        /// The promised height.
        height: u32,
        /// How many bytes the rows take.
        needed: u64,
        /// How many bytes are left.
        left: u64,
    },
    /// The map has more cells than a state id can name.
    #[error("map too large: expected fewer than {limit} states, (width + 1) x (height + 2) + 1, found a map \
             of {width} x {height}; cut it into pieces", limit = super::tiles::STATE_LIMIT)]
    TooLarge {
        /// The width of the map.
        width: u32,
        /// The height of the map.
        height: u32,
    },
    /// A letter that means nothing.
    #[error(
        "{place}: expected one of the letters . G S (free) or @ O T W (blocked), found {found}; \
             replace the letter"
    )]
    Letter {
        /// Where it stands.
        place: Place,
        /// The letter.
        found: Excerpt,
    },
    /// A row with too few or too many letters.
    #[error("{place}: expected a row of {width} letters, found {count}; correct the row or the width")]
    Row {
        /// Where the letters end, or where the first one too many stands.
        place: Place,
        /// The width of the map.
        width: u32,
        /// How many letters the row has.
        count: u64,
    },
    /// The file ends before the last row.
    #[error(
        "{place}: expected {height} rows, found {count}; the file was cut off, get it again, or correct \
             the height"
    )]
    Rows {
        /// Where the file ends.
        place: Place,
        /// The height of the map.
        height: u32,
        /// How many rows there are.
        count: u32,
    },
    /// Something follows the last row.
    #[error(
        "{place}: expected nothing after row {height}, the last one, found {found}; correct the height or \
             remove the rest"
    )]
    Rest {
        /// Where it begins.
        place: Place,
        /// The height of the map.
        height: u32,
        /// What follows.
        found: Excerpt,
    },
}

debug_as_sentence!(MapError);

/// Why bytes are not a MovingAI scenario.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScenError {
    /// There is nothing in the file.
    #[error(
        "the file is empty: expected the line `version 1` or a problem, found {bytes} bytes of nothing but \
             blanks; get the scenario again"
    )]
    Empty {
        /// How many blanks there are.
        bytes: u64,
    },
    /// The file is of another version.
    #[error("{place}: expected version 1 or 1.0, found {found}; convert the scenario to version 1")]
    Version {
        /// Where it stands.
        place: Place,
        /// The version.
        found: Excerpt,
    },
    /// A line has too few or too many columns.
    #[error(
        "{place}: expected {expected}, found {count} columns in {found}; correct the line (a map name with \
             blanks needs tabs between the columns)"
    )]
    Columns {
        /// Where the line begins.
        place: Place,
        /// The columns of such a line.
        expected: &'static str,
        /// How many columns it has.
        count: usize,
        /// The line.
        found: Excerpt,
    },
    /// A column holds something else than it should.
    #[error("{place}: expected {expected} as {name}, found {found}; correct the line")]
    Column {
        /// Where the column begins.
        place: Place,
        /// What the column is called.
        name: &'static str,
        /// What such a column can hold.
        expected: &'static str,
        /// What it holds.
        found: Excerpt,
    },
    /// A start or goal lies outside the map.
    #[error(
        "{place}: expected the {name} inside the map of {width} x {height}, found {x},{y}; correct the line"
    )]
    Outside {
        /// Where its first coordinate stands.
        place: Place,
        /// `start` or `goal`.
        name: &'static str,
        /// Its column on the map.
        x: u32,
        /// Its row on the map.
        y: u32,
        /// The width that the line gives.
        width: u32,
        /// The height that the line gives.
        height: u32,
    },
}

debug_as_sentence!(ScenError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_quoted_and_escaped() {
        assert_eq!(Excerpt::new(b"a \"b\"\t\0").to_string(), r#""a \"b\"\t\0""#);
        assert_eq!(Excerpt::new(b"\xff\xfe\x1b[31m").to_string(), r#""\xff\xfe\u{1b}[31m""#);
        assert_eq!(Excerpt::new("grün".as_bytes()).to_string(), "\"grün\"");
        assert_eq!(Excerpt::new(b"").to_string(), "\"\"");
    }

    #[test]
    fn an_excerpt_of_a_long_line_is_short() {
        assert_eq!(Excerpt::new(&[b'x'; 40]).to_string(), format!("\"{}\"", "x".repeat(40)));
        assert_eq!(Excerpt::new(&[b'x'; 41]).to_string(), format!("\"{}...\"", "x".repeat(40)));
        assert!(Excerpt::new(&[0xff; 100_000]).to_string().len() < 200);
        assert!(Excerpt::new("🦀".repeat(10_000).as_bytes()).to_string().ends_with("...\""));
    }
}
