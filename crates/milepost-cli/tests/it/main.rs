//! All tests of the command in one executable.

mod bench;
mod broken_files;
mod broken_spaces;
mod common;
mod contestants;
mod demo;
mod determinism;
mod edits;
mod exit_codes;
mod figures;
mod follow;
mod golden;
mod index_files;
mod meshes;
mod mistakes;
mod mistakes_in_rust;
mod pages;
mod pictures;
mod real_maps;
mod reasons;
mod snapshots;
mod spaces;
mod standard_streams;
mod tiled;
mod traces;
mod trees;
