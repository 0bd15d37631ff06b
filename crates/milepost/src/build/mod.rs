//! Working out indexes: the offline half, one file or folder for each. Runs on all threads of the current pool and
//! gives the same bytes with any number of them.
//!
//! This room knows spaces, the layouts of indexes, and planners that it may use. No planner or agent knows it.

mod case_base;
mod cell_flood;
mod contraction;
mod corner_hierarchy;
mod corner_labels;
mod dijkstra;
mod error;
mod estimate;
mod figures;
mod first_moves;
mod goal_bounds;
mod indexes;
mod jump_bounds;
mod jump_points;
mod jump_table;
mod landmarks;
mod network;
mod numbering;
mod parallel;
mod regions;
mod registry;
mod subgoal_trees;
mod verify;

pub use error::BuildError;
pub use estimate::{Estimate, estimate};
pub use figures::with_figures;
pub use first_moves::{RepairError, RepairMethod, RepairReport, repair};
pub use indexes::Indexes;
pub use verify::{VerifyError, verify};

use crate::index::{Atlas, IndexKind, IndexSpec};
use crate::space::{Grid, Space};
use registry::Order;

/// Told how far a build has come: parts done, of how many. Called from any thread.
///
/// Shown by [`build`](build()).
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// The caller does not want to know.
///
/// Shown by [`build`](build()).
pub const SILENT: Progress<'static> = &|_, _| {};

/// Keeps parts of a build that are finished, so that a build that was stopped can go on. Errors complete the sentence "the
/// part ...", as in "cannot be written: no space left".
///
/// ```
/// use milepost::build::{CheckpointStore, SILENT, add_index};
/// use milepost::index::IndexKind;
/// use milepost::{Atlas, Grid, Rule};
/// use std::collections::HashMap;
/// use std::sync::Mutex;
///
/// /// Keeps parts in memory; [`files::Checkpoint`](milepost::files::Checkpoint) keeps them in a folder.
/// #[derive(Default)]
/// struct Memory(Mutex<HashMap<String, Vec<u8>>>);
///
/// impl CheckpointStore for Memory {
///     fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
///         Ok(self.0.lock().map_err(|error| error.to_string())?.get(name).cloned())
///     }
///     fn save(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
///         self.0.lock().map_err(|error| error.to_string())?.insert(name.to_owned(), bytes.to_vec());
///         Ok(())
///     }
/// }
///
/// let atlas = Atlas::new(Grid::new(20, 20, Rule::Octile, |x, y| x != 9 || y == 4)?);
/// let built = add_index(&atlas, IndexKind::FIRST_MOVES, SILENT, Some(&Memory::default()))?;
/// assert!(built.has(IndexKind::FIRST_MOVES));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait CheckpointStore: Sync {
    /// The bytes of the part of this name; `None` if there is none.
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String>;

    /// Keeps a part, whole or not at all.
    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), String>;
}

/// An atlas with one more index or several, with those that they are read together with, and with [figures](with_figures). A file
/// that it is saved to is that of the command.
///
/// ```
/// use milepost::build::{Progress, SILENT, build};
/// use milepost::index::IndexKind;
/// use milepost::{Atlas, Grid, Rule};
///
/// let atlas = Atlas::new(Grid::new(30, 20, Rule::Octile, |x, y| x % 7 != 3 || y % 5 == 1)?);
/// let atlas = build(&atlas, IndexKind::CORNER_LABELS, SILENT)?;
/// let progress: Progress<'_> = &|done, all| eprintln!("{done} of {all}");
/// let atlas = build(&atlas, IndexKind::FIRST_MOVES, progress)?; // one more
/// assert!(atlas.has(IndexKind::CORNER_LABELS) && atlas.has(IndexKind::FIRST_MOVES));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(
    atlas: &Atlas,
    indexes: impl Into<Indexes>,
    progress: Progress<'_>,
) -> Result<Atlas, BuildError> {
    let mut built = atlas.clone();
    for index in indexes.into().on(atlas.space()) {
        built = add_index(&built, index, progress, None)?;
    }
    Ok(with_figures(&built))
}

/// An atlas with one more index and those that it is read together with, without figures: for callers that add several, and [count at
/// the end](with_figures). What a store has is not worked out again, and what is finished is given to it; only `first-moves` take so
/// long that they make use of one.
///
/// Shown by [`CheckpointStore`].
pub fn add_index(
    atlas: &Atlas,
    index: impl Into<IndexSpec>,
    progress: Progress<'_>,
    store: Option<&dyn CheckpointStore>,
) -> Result<Atlas, BuildError> {
    let mut atlas = atlas.clone();
    for other in index.into().with_needs() {
        if !atlas.has(other) {
            atlas = build_one(&atlas, other, progress, store)?;
        }
    }
    Ok(atlas)
}

fn build_one(
    atlas: &Atlas,
    index: IndexSpec,
    progress: Progress<'_>,
    store: Option<&dyn CheckpointStore>,
) -> Result<Atlas, BuildError> {
    let bytes = (registry::builder(index.kind).build)(Order { atlas, index, progress, store })?;
    progress(1, 1);
    Ok(atlas.with_shared(index.into(), bytes)?)
}

/// The grid, if paths can jump on it.
fn jumping_grid(space: &Space, kind: IndexKind) -> Result<&Grid, BuildError> {
    let refuse = |what| Err(BuildError::NotForThisSpace { kind, what });
    match space.as_grid() {
        None if space.as_mesh().is_some() => refuse("meshes"),
        None => refuse("graphs"),
        Some(grid) if !grid.rule().has_strict_corners() => refuse("rules other than octile and octile14"),
        Some(grid) if grid.is_weighted() => refuse("maps with weights"),
        Some(grid) if !grid.links().is_empty() => refuse("maps with links"),
        Some(grid) => Ok(grid),
    }
}
