//! What an index would take, before it is built.

use super::{BuildError, jump_table, jumping_grid};
use crate::index::{Atlas, IndexKind, IndexSpec, JumpTable};
use std::time::Instant;

/// What building an index would take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The index.
    pub kind: IndexKind,
    /// Bytes of its section, within 1.3 times.
    pub bytes: u64,
    /// Seconds on this machine with the threads of the current pool, within 2 times.
    pub seconds: f64,
    /// Jump points of the map, for indexes that are built over them.
    pub jump_points: Option<u32>,
    /// Bytes of the same without compression, one for each pair of states, for indexes that have something for each.
    pub raw_bytes: Option<u64>,
    /// Memory that building takes, where it is much more than the index.
    pub memory: Option<u64>,
}

impl Estimate {
    /// An index whose making takes no memory to speak of.
    pub(super) fn new(kind: IndexKind, bytes: u64, seconds: f64, jump_points: Option<u32>) -> Estimate {
        Estimate { kind, bytes, seconds, jump_points, raw_bytes: None, memory: None }
    }
}

/// Estimates an index alone, without those that it is read together with. What is small is built; of what is large a
/// sample is, and timed.
pub fn estimate(atlas: &Atlas, index: impl Into<IndexSpec>) -> Result<Estimate, BuildError> {
    let IndexSpec { kind, parameter } = index.into();
    let begin = Instant::now();
    match kind {
        IndexKind::JumpTable => {
            let bytes = jump_table::build(jumping_grid(atlas.space(), kind)?)?;
            let (bytes, seconds) = (bytes.as_slice().len() as u64, begin.elapsed().as_secs_f64());
            Ok(Estimate::new(kind, bytes, seconds, None))
        }
        IndexKind::JumpBounds | IndexKind::JumpRows => {
            let grid = jumping_grid(atlas.space(), kind)?;
            let (squares, entries) = jump_table::table(grid)?;
            let table = JumpTable::of(grid, &squares, &entries);
            match kind {
                IndexKind::JumpBounds => super::jump_bounds::estimate(grid, table),
                _ => super::jump_rows::estimate(grid, table),
            }
        }
        IndexKind::GoalBounds => super::goal_bounds::estimate(atlas.space()),
        IndexKind::FirstMoves => super::first_moves::estimate(atlas.space()),
        IndexKind::Regions => super::regions::estimate(atlas.space(), parameter),
        IndexKind::CornerHierarchy => super::corner_hierarchy::estimate(jumping_grid(atlas.space(), kind)?),
        IndexKind::CaseBase => super::case_base::estimate(atlas, parameter),
        IndexKind::SubgoalTrees => super::subgoal_trees::estimate(atlas.space(), parameter),
    }
}
