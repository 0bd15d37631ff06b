//! Why an index cannot be built.

use super::registry::{WITHOUT_DISTANCES, builder};
use crate::index::{Corruption, IndexKind};
use thiserror::Error;

/// Why an index cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The index means nothing on this space.
    #[error("`{kind}` is not for {what}")]
    NotForThisSpace {
        /// The index.
        kind: IndexKind,
        /// What the space is.
        what: &'static str,
    },
    /// Coordinates or cells do not fit the layout.
    #[error(
        "the map is too large for jump tables: at most {most_columns} columns and rows and {most_cells} free cells \
         are possible; split the map, or use planners that need no index"
    )]
    TooLarge {
        /// Columns and rows possible.
        most_columns: u32,
        /// Free cells possible.
        most_cells: u32,
    },
    /// It could be built, but would take more time or memory than it saves.
    #[error("`{kind}` does not pay on this map: {why}; use {instead} instead")]
    DoesNotPay {
        /// The index.
        kind: IndexKind,
        /// The figures.
        why: String,
        /// What does pay.
        instead: &'static str,
    },
    /// A part that was kept of an earlier build, or one that should be, is of no use.
    #[error("the part {name} of a build that was stopped {what}")]
    Checkpoint {
        /// The part.
        name: String,
        /// What is wrong with it, and what to do.
        what: String,
    },
    /// What was built is not what can be read: a fault of this program.
    #[error("what was built cannot be read back: {0}")]
    Unreadable(#[from] Corruption),
}

impl BuildError {
    /// An index that does not pay for this reason, with the advice that the registry has for it.
    pub(super) fn does_not_pay(kind: IndexKind, why: String) -> BuildError {
        BuildError::DoesNotPay { kind, why, instead: builder(kind).instead }
    }

    /// An index that has no room for what lies between jump points: what does without is advised.
    pub(super) fn too_long(kind: IndexKind, why: &str) -> BuildError {
        BuildError::DoesNotPay { kind, why: why.to_owned(), instead: WITHOUT_DISTANCES }
    }
}
