//! Whether rows pay on a map.
//!
//! Rows cost time and memory with the square of the number of corners, and shorten paths where corners are few. Where
//! obstacles are scattered at random, nearly every second cell is a corner: there a table of jumps, or boxes, do better.
//! The decision depends on the map alone, not on the machine.

use super::super::BuildError;
use super::super::jump_points::JumpPointGraph;
use super::super::jump_points::feasibility::{FEW, check_share};
use super::{Row, pack};
use crate::index::{IndexKind, JumpTable};
use crate::space::{Grid, SpaceKind};

/// Batches of sources that are tried before the others.
pub(super) const SAMPLE: u32 = 12;

/// Bytes of rows for each free cell beyond which they do not pay.
const MOST_BYTES: u64 = 120;

/// Work beyond which a build is not begun, in units of about a nanosecond.
const MOST_WORK: u64 = 1_000_000_000_000;

/// How much longer everything takes than the rows alone.
pub(super) const PACKING: f64 = 1.05;

pub(super) fn refuse(why: String) -> BuildError {
    BuildError::DoesNotPay { kind: IndexKind::JUMP_ROWS, why }
}

/// Refuses maps that have too many corners.
pub(super) fn check_corners(grid: &Grid, table: &JumpTable<'_>) -> Result<(), BuildError> {
    check_share(grid, table, refuse)?;
    let (corners, cells) = (table.jump_points() as u64, u64::from(grid.states()));
    // Each pair of corners, and each corner with each cell.
    let work = corners * corners * 60 + corners * cells * 8 / 5;
    if work > MOST_WORK {
        let minutes = work / 60_000_000_000;
        return Err(refuse(format!("with {corners} corners it would take about {minutes} minutes to build")));
    }
    Ok(())
}

/// Refuses maps whose rows, going by a sample, would be too large.
pub(super) fn check_sample(graph: &JumpPointGraph<'_>, rows: &[Vec<Row>]) -> Result<(), BuildError> {
    let (points, cells) = (graph.points.len() as u64, graph.cells.len() as u64);
    let sampled: usize = rows.iter().map(Vec::len).sum();
    let bytes =
        pack::bytes_of(graph, rows.iter().flatten()) * points / (sampled as u64).max(1) / cells.max(1);
    if bytes > MOST_BYTES && points > FEW {
        return Err(refuse(format!("its rows would take about {bytes} bytes for each free cell")));
    }
    Ok(())
}
