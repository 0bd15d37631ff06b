//! What planners and agents read: one file or folder for each index, and what several of them share.
//!
//! | file | what it holds |
//! |---|---|
//! | `curve`, `numbers`, `packed_cell`, `small_box`, `step_costs` | the order of cells, numbers of several sizes, coordinates, boxes and costs that indexes use |
//! | `jump_table` with `jump_links` and `jumps`, `goal_bounds`, `jump_bounds`, `first_moves`, `regions`, `landmarks`, `corner_hierarchy`, `corner_labels`, `case_base`, `subgoal_trees` with `state_numbers` | the indexes |
//! | `band` | a check of jump tables |

mod band;
pub(crate) mod case_base;
pub(crate) mod corner_hierarchy;
pub(crate) mod corner_labels;
pub(crate) mod curve;
pub(crate) mod first_moves;
pub(crate) mod goal_bounds;
pub(crate) mod jump_bounds;
pub(crate) mod jump_links;
pub(crate) mod jump_table;
pub(crate) mod jumps;
pub(crate) mod landmarks;
pub(crate) mod numbers;
pub(crate) mod packed_cell;
pub(crate) mod regions;
pub(crate) mod small_box;
pub(crate) mod state_numbers;
pub(crate) mod step_costs;
pub(crate) mod subgoal_trees;
