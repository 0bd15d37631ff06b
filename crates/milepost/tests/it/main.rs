//! All integration tests of the library in one executable.

mod agents;
mod agents_by_sight;
mod agents_in_slices;
mod allocations;
mod broken_index;
mod conformance;
mod corner_walk;
mod estimates;
mod examples;
mod first_moves;
mod goal_bounds;
mod index_format;
mod knn_lrta;
mod landmarks;
mod lrta;
mod overlays;
mod real_maps;
mod reconnection;
mod saves;
mod spaces;
mod subgoal_trees;
mod support;
mod threads;
mod versions;
