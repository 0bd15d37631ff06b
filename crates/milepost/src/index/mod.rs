//! What has been worked out about a space beforehand, as planners and agents read it.
//!
//! This room knows the layout of precomputed data. It must not know how the data were computed, nor open a file.
//!
//! | file | what it holds |
//! |---|---|
//! | `atlas` | a space with its indexes |
//! | `figures` | what planners took on random problems |
//! | `kind`, `registry` | the kinds of indexes, and all that is known of each |
//! | `file/` | the bytes of an index file: shared bytes, the arrays in them, what may be wrong with them, the map |
//! | `layouts/` | one file or folder for each index |

mod atlas;
mod figures;
mod file;
mod kind;
mod layouts;
mod registry;

pub use atlas::Atlas;
pub(crate) use atlas::KnownIndexes;
pub use figures::Figure;
pub(crate) use file::Bytes;
pub(crate) use file::{ArrayReader, SectionKey};
#[cfg_attr(not(feature = "files"), allow(unused_imports))]
pub(crate) use file::{ByteSource, BytesBuffer};
pub use file::{Corruption, IndexFileError, Section};
pub(crate) use kind::RetiredIndex;
pub use kind::{IndexKind, IndexNameError, IndexParameter, IndexSpec};
pub use layouts::first_moves::{FirstMoves, NextMove, Towards};
pub(crate) use registry::Facts;
pub use registry::{INDEXES, IndexEntry};

pub(crate) use file::SectionWriter;
pub(crate) use layouts::case_base::CaseBase;
pub(crate) use layouts::corner_hierarchy::CornerHierarchy;
pub(crate) use layouts::corner_labels::CornerLabels;
pub(crate) use layouts::goal_bounds::GoalBounds;
pub(crate) use layouts::jump_bounds::JumpBounds;
pub(crate) use layouts::jump_links::JumpLinks;
pub(crate) use layouts::jump_table::JumpTable;
pub(crate) use layouts::jumps::Jumps;
pub(crate) use layouts::packed_cell::{LegCosts, MOST_COLUMNS, PackedCell, direction};
pub(crate) use layouts::regions::{Exit, Regions};
pub(crate) use layouts::step_costs::StepCosts;
pub(crate) use layouts::subgoal_trees::SubgoalTrees;
pub(crate) use layouts::{
    case_base, corner_hierarchy, corner_labels, curve, first_moves, goal_bounds, jump_bounds, jump_links,
    jump_table, jumps, landmarks, regions, small_box, state_numbers, subgoal_trees,
};
