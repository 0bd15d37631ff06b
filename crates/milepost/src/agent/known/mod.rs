//! Algorithms on maps that are known: one file or folder each.

mod corner_walk;
mod d_lrta;
mod first_moves;
mod follow;
mod knn_lrta;
mod subgoal_trees;
mod tba;

pub(crate) use corner_walk::CornerWalk;
pub(crate) use d_lrta::DLrta;
pub(crate) use first_moves::FirstMoves;
pub(crate) use follow::Follow;
pub(crate) use knn_lrta::KnnLrta;
pub(crate) use subgoal_trees::SubgoalTrees;
pub(crate) use tba::Tba;
