//! Builds [`first-moves`](crate::index::first_moves): for small spaces the whole table, else rows for blocks of sources,
//! on all threads.
//!
//! 1. [`blocks`]: an order of states, and which sources share a row.
//! 2. For each block and every target the sets of right moves: from distances between jump points where paths jump
//!    ([`distances`], [`clusters`], [`pull`]), else by [`floods`].
//! 3. [`coder`]: from sets to runs; [`pack`]: from runs to words.
//!
//! # Guarantees
//! The same bytes with any number of threads: blocks are independent and put together in order. Memory does not grow with
//! the square of the states, but for small spaces.

mod blocks;
mod clusters;
mod coder;
mod distances;
mod floods;
mod greedy;
mod pack;
mod pull;
mod raw;
mod sets;

use super::{BuildError, Progress, jump_table, jumping_grid};
use crate::index::first_moves::places::NO_NUMBER;
use crate::index::first_moves::{Head, RAW, SQUARES};
use crate::index::{Bytes, IndexKind, JumpTable, SectionWriter};
use crate::space::{Grid, Space};
use blocks::{Block, Plan};
use coder::Row;
use distances::{Distances, MOST_POINTS};
use floods::{CellFloods, NetworkFloods};
use pack::PackedRow;
use pull::Pulls;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Works out the row of a block.
trait RowMaker: Sync {
    /// Room to work in, one for each thread.
    type Scratch: Send;

    fn scratch(&self) -> Self::Scratch;

    fn row(&self, block: &Block, scratch: &mut Self::Scratch) -> Row;
}

/// The first moves of a space.
pub(super) fn build(space: &Space, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    build_planned(&Plan::new(space, true)?, progress)
}

fn build_planned(plan: &Plan<'_>, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    if plan.form == RAW {
        return Ok(raw_section(plan));
    }
    let rows = match jumping_grid(plan.space, IndexKind::FirstMoves) {
        Ok(grid) => rows_by_jump_points(plan, grid, progress)?,
        Err(_) => None,
    };
    let rows = match rows {
        Some(rows) => rows,
        None => rows_by_floods(plan, progress)?,
    };
    section(plan, rows)
}

/// The rows of a grid on which paths can jump; `None` if it has too many jump points, or too long paths.
fn rows_by_jump_points(
    plan: &Plan<'_>,
    grid: &Grid,
    progress: Progress<'_>,
) -> Result<Option<Vec<PackedRow>>, BuildError> {
    let (squares, entries) = jump_table::table(grid)?;
    let table = JumpTable::of(grid, &squares, &entries);
    if table.jump_points() > MOST_POINTS {
        return Ok(None);
    }
    let Ok(distances) = Distances::new(grid, table) else { return Ok(None) };
    if distances.study.costs.diagonal <= u32::from(u16::MAX) / 16 {
        rows(plan, &Pulls::<u16>::new(plan, &distances), progress).map(Some)
    } else {
        rows(plan, &Pulls::<u32>::new(plan, &distances), progress).map(Some)
    }
}

/// The rows of anything.
fn rows_by_floods(plan: &Plan<'_>, progress: Progress<'_>) -> Result<Vec<PackedRow>, BuildError> {
    match CellFloods::new(plan) {
        Some(floods) => rows(plan, &floods, progress),
        None => rows(plan, &NetworkFloods::new(plan), progress),
    }
}

/// Blocks that are worked out one after another by the same thread.
const PART: usize = 16;

/// The rows of all blocks.
fn rows<M: RowMaker>(
    plan: &Plan<'_>,
    maker: &M,
    progress: Progress<'_>,
) -> Result<Vec<PackedRow>, BuildError> {
    let (all, done) = (plan.blocks.len() as u64, AtomicU64::new(0));
    let (targets, scratches) = (plan.order.len() as u32, Mutex::new(Vec::new()));
    progress(0, all);
    let parts: Result<Vec<Vec<PackedRow>>, BuildError> = plan
        .blocks
        .par_chunks(PART)
        .map(|blocks| {
            let kept = scratches.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut scratch = kept.unwrap_or_else(|| maker.scratch());
            let mut rows = Vec::with_capacity(blocks.len());
            for block in blocks {
                let row = maker.row(block, &mut scratch);
                rows.push(pack::pack(&row, targets).ok_or_else(pack::too_many)?);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
            }
            scratches.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
            Ok(rows)
        })
        .collect();
    Ok(parts?.into_iter().flatten().collect())
}

fn section(plan: &Plan<'_>, rows: Vec<PackedRow>) -> Result<Bytes, BuildError> {
    let places = plan.blocks.iter().map(|block| block.place);
    let (heads, words) = pack::join(places.zip(rows), plan.places)?;
    let mut writer = SectionWriter::default();
    writer.push(&[Head { form: plan.form, move_bytes: 0, states: plan.space.states(), zero: 0 }]);
    push_places(plan, &mut writer);
    writer.push(&heads).push(&words);
    match plan.space.as_grid().filter(|_| plan.form == SQUARES) {
        Some(grid) => {
            let allowed: Vec<u8> = plan.order.iter().map(|&state| grid.directions(state)).collect();
            writer.push(&allowed)
        }
        None => writer.push(&plan.first_lanes),
    };
    Ok(writer.finish())
}

fn raw_section(plan: &Plan<'_>) -> Bytes {
    let table = raw::build(plan.space, &plan.order);
    let mut writer = SectionWriter::default();
    let is_narrow = table.iter().all(|&way| way == raw::NO_WAY || way < u16::from(u8::MAX));
    let move_bytes = if is_narrow { 1 } else { 2 };
    writer.push(&[Head { form: RAW, move_bytes, states: plan.space.states(), zero: 0 }]);
    push_places(plan, &mut writer);
    if is_narrow {
        writer.push(&table.iter().map(|&way| way as u8).collect::<Vec<u8>>());
    } else {
        writer.push(&table);
    }
    writer.finish()
}

fn push_places(plan: &Plan<'_>, writer: &mut SectionWriter) {
    match plan.space {
        Space::Grid(_) => writer.push(&plan.patches),
        Space::Graph(graph) => {
            let mut numbers = vec![NO_NUMBER; graph.id_bound()];
            for (state, number) in plan.order.iter().zip(0..) {
                numbers[state.index()] = number;
            }
            writer.push(&numbers)
        }
    };
}

/// What [`build`] would take.
pub(super) fn estimate(space: &Space) -> Result<super::Estimate, BuildError> {
    let states = u64::from(space.states());
    let kind = IndexKind::FirstMoves;
    Ok(super::Estimate {
        kind,
        bytes: states * states,
        seconds: (states * states * states) as f64 * 1e-9,
        jump_points: None,
    })
}

#[cfg(test)]
mod tests;
