//! What has been worked out about a space beforehand, as planners and agents read it.
//!
//! This room knows the layout of precomputed data. It must not know how the data were computed, nor open a file.
//!
//! | file | what it holds |
//! |---|---|
//! | `atlas` | a space with its indexes |
//! | `kind`, `registry` | the kinds of indexes, and all that is known of each |
//! | `bytes`, `section`, `corruption` | shared bytes, the arrays in them, and what may be wrong with them |
//! | `file`, `map_section` | the bytes of an index file, and of the map in it |
//! | `curve`, `packed_cell`, `small_box` | the order of cells, coordinates, costs and boxes that indexes use |
//! | `jump_table` with `jump_links` and `jumps`, `goal_bounds`, `jump_bounds`, `jump_rows`, `first_moves`, `regions`, `corner_hierarchy`, `case_base`, `subgoal_trees` with `state_numbers` | one file or folder for each index |
//! | `band` | a check of jump tables |

mod atlas;
mod band;
mod bytes;
pub(crate) mod case_base;
pub(crate) mod corner_hierarchy;
mod corruption;
pub(crate) mod curve;
mod file;
pub(crate) mod first_moves;
pub(crate) mod goal_bounds;
pub(crate) mod jump_bounds;
pub(crate) mod jump_links;
pub(crate) mod jump_rows;
pub(crate) mod jump_table;
pub(crate) mod jumps;
mod kind;
mod map_section;
mod packed_cell;
pub(crate) mod regions;
mod registry;
mod section;
pub(crate) mod small_box;
pub(crate) mod state_numbers;
pub(crate) mod subgoal_trees;

pub use atlas::Atlas;
pub use bytes::{Bytes, BytesBuffer};
pub use case_base::CaseBase;
pub use corruption::Corruption;
pub use file::{FORMAT_VERSION, IndexFileError};
pub use first_moves::{FirstMoves, NextMove, Towards};
pub use goal_bounds::GoalBounds;
pub use kind::{IndexKind, IndexNameError, IndexParameter, IndexSpec};
pub use regions::{Exit, Regions};
pub use registry::{INDEXES, IndexEntry};
pub use section::{Section, SectionKey};
pub use subgoal_trees::{SubgoalTrees, TreeSizes};

pub(crate) use corner_hierarchy::CornerHierarchy;
pub(crate) use jump_bounds::JumpBounds;
pub(crate) use jump_links::JumpLinks;
pub(crate) use jump_rows::JumpRows;
pub(crate) use jump_table::JumpTable;
pub(crate) use jumps::Jumps;
pub(crate) use packed_cell::{LegCosts, MOST_COLUMNS, PackedCell, direction};
pub(crate) use section::SectionWriter;
