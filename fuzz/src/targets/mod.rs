//! The targets, a file each. What one is given may be any bytes.

mod dimacs_reader;
mod edits_reader;
mod graph_scenario_reader;
mod index_file;
mod map_reader;
mod mesh_reader;
mod mesh_scenario_reader;
mod names;
mod picture_reader;
mod saved_agent;
mod scenario_reader;
mod tiled_reader;
mod tree_reader;

use std::sync::LazyLock;

/// A target panics where an input breaks a promise.
type Target = fn(&[u8]);

const TARGETS: &[(&str, Target)] = &[
    ("dimacs_reader", dimacs_reader::check),
    ("edits_reader", edits_reader::check),
    ("graph_scenario_reader", graph_scenario_reader::check),
    ("index_file", index_file::check),
    ("map_reader", map_reader::check),
    ("mesh_reader", mesh_reader::check),
    ("mesh_scenario_reader", mesh_scenario_reader::check),
    ("names", names::check),
    ("picture_reader", picture_reader::check),
    ("saved_agent", saved_agent::check),
    ("scenario_reader", scenario_reader::check),
    ("tiled_reader", tiled_reader::check),
    ("tree_reader", tree_reader::check),
];

/// The target that the environment names.
pub(crate) fn chosen() -> Target {
    static CHOSEN: LazyLock<Target> = LazyLock::new(|| {
        let name = std::env::var("MILEPOST_FUZZ_TARGET").unwrap_or_default();
        let found = TARGETS.iter().find(|target| target.0 == name);
        let names: Vec<&str> = TARGETS.iter().map(|target| target.0).collect();
        found.unwrap_or_else(|| panic!("MILEPOST_FUZZ_TARGET is `{name}`, not one of {names:?}")).1
    });
    *CHOSEN
}
