//! What several planners, and agents that plan as they do, share below the algorithms.

pub(crate) mod corner_search;
pub(super) mod legs;
pub(super) mod point_search;
