//! What has been worked out about a space beforehand, as planners and agents read it.
//!
//! This room knows the layout of precomputed data. It must not know how the data were computed, nor open a file.
//!
//! | file | what it holds |
//! |---|---|
//! | `atlas` | a space with its indexes |
//! | `kind` | the kinds of indexes |
//! | `bytes`, `section`, `damage` | shared bytes, the arrays in them, and what may be wrong with them |
//! | `curve`, `spot` | the order of cells, coordinates and costs that indexes use |
//! | `jump_table`, `jump_rows`, `goal_bounds` | one file for each index |

mod atlas;
mod bytes;
pub(crate) mod curve;
mod damage;
pub(crate) mod goal_bounds;
pub(crate) mod jump_rows;
pub(crate) mod jump_table;
mod kind;
mod section;
mod spot;

pub use atlas::Atlas;
pub use bytes::{Bytes, BytesBuffer};
pub use damage::Damage;
pub use goal_bounds::GoalBounds;
pub use kind::IndexKind;
pub use section::{Section, SectionKey};

pub(crate) use jump_rows::JumpRows;
pub(crate) use jump_table::JumpTable;
pub(crate) use section::SectionWriter;
pub(crate) use spot::{LegCosts, MOST_COLUMNS, Run, Spot, direction};
