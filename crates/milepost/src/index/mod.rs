//! What has been worked out about a space beforehand, as planners and agents read it.
//!
//! This room knows the layout of precomputed data. It must not know how the data were computed, nor open a file.

mod atlas;
mod kind;

pub use atlas::Atlas;
pub use kind::IndexKind;
