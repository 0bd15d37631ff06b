//! All integration tests of the readers and writers in one executable.

mod broken_formats;
mod broken_maps;
mod broken_meshes;
mod broken_tiled;
mod mesh_making;
mod mesh_questions;
mod meshes;
mod support;
