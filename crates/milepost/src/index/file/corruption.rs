//! What is wrong with the bytes of an index.

use crate::core::debug_as_sentence;
use thiserror::Error;

/// A place in the bytes that does not say what it should.
///
/// Shown by [`Section`](crate::index::Section).
#[derive(Clone, PartialEq, Eq, Error)]
#[error("at byte {offset}: expected {expected}, found {found}")]
pub struct Corruption {
    /// Counted from the beginning of what was read: a section or a file.
    pub offset: u64,
    /// What should be there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

debug_as_sentence!(Corruption);

impl Corruption {
    pub(crate) fn at(offset: u64, expected: impl Into<String>, found: impl Into<String>) -> Corruption {
        Corruption { offset, expected: expected.into(), found: found.into() }
    }
}
