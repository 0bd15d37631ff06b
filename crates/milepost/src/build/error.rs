//! Why an index cannot be built.

use super::registry;
use crate::core::debug_as_sentence;
use crate::index::{Atlas, Corruption, IndexKind};
use thiserror::Error;

/// Why an index cannot be built.
///
/// ```
/// use milepost::build::BuildError;
/// use milepost::index::IndexKind;
/// use milepost::{Atlas, Grid, Rule};
///
/// let hexagons = Grid::from_ascii("...", Rule::Hex)?;
/// let error = Atlas::build(&hexagons, IndexKind::CORNER_LABELS).unwrap_err();
/// assert!(matches!(error, BuildError::NotForThisSpace { .. }));
/// println!("{error}; instead: {:?}", error.alternatives(&Atlas::new(hexagons)));
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Error)]
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
         are possible; split the map"
    )]
    TooLarge {
        /// Columns and rows possible.
        most_columns: u32,
        /// Free cells possible.
        most_cells: u32,
    },
    /// It could be built, but would take more time or memory than it saves. [`BuildError::alternatives`] names
    /// what can be built here.
    #[error("`{kind}` does not pay on this map: {why}")]
    DoesNotPay {
        /// The index.
        kind: IndexKind,
        /// The figures.
        why: String,
    },
    /// A part that was kept of an earlier build cannot be read.
    #[error(
        "the part {name} of a build that was stopped cannot be had: it {what}; delete it and begin the build again"
    )]
    PartUnreadable {
        /// The part.
        name: String,
        /// What its store says.
        what: String,
    },
    /// A part that was kept of an earlier build is not what was kept.
    #[error("the part {name} of a build that was stopped is damaged; delete it and begin the build again")]
    PartDamaged {
        /// The part.
        name: String,
    },
    /// A part that is finished cannot be kept, perhaps because the disk is full.
    #[error(
        "the part {name} of the build {what}; make room, or take another folder: the parts that are finished \
         stay, and the build goes on from them"
    )]
    PartUnwritable {
        /// The part.
        name: String,
        /// What its store says.
        what: String,
    },
    /// What was built is not what can be read: a fault of this program.
    #[error("what was built cannot be read back: {0}")]
    Unreadable(#[from] Corruption),
}

debug_as_sentence!(BuildError);

impl BuildError {
    /// What else can be built on an atlas, for a caller that was refused an index. Every other builder is asked, with default
    /// parameters; one that would have to do much work to find out is left out.
    pub fn alternatives(&self, atlas: &Atlas) -> Vec<IndexKind> {
        match self {
            BuildError::DoesNotPay { kind, .. } | BuildError::NotForThisSpace { kind, .. } => {
                registry::alternatives(atlas, *kind)
            }
            _ => Vec::new(),
        }
    }
}
