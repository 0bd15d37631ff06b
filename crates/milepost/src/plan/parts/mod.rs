//! What several planners, and agents that plan as they do, share below the algorithms.

mod arcs_back;
pub(crate) mod corner_search;
pub(super) mod legs;
pub(super) mod point_search;
pub(super) mod subgoal_tree;
pub(crate) mod subgoaling;
