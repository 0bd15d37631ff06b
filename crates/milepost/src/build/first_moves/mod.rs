//! Builds [`first-moves`](crate::index::first_moves): for small spaces the whole table, else rows for blocks of sources,
//! on all threads.
//!
//! 1. [`blocks`]: an order of states, and which sources share a row.
//! 2. For each block and every target the sets of right moves: from distances between jump points where paths jump
//!    ([`distances`], [`clusters`], [`propagate`]), else by [`floods`].
//! 3. [`coder`]: from sets to runs; [`pack`]: from runs to words; [`checkpoints`]: parts that are finished.
//!
//! When a space changes its table can be [repaired](repair()) instead.
//!
//! # Guarantees
//! The same bytes with any number of threads: blocks are independent and put together in order. Memory does not grow with
//! the square of the states, but for small spaces.

mod blocks;
mod checkpoints;
mod clusters;
mod coder;
mod distances;
mod estimate;
mod floods;
mod greedy;
mod pack;
mod propagate;
mod raw;
mod repair;
mod sets;
mod verify;

pub(super) use estimate::{estimate, is_sure};
pub use repair::{RepairError, RepairMethod, RepairReport, repair};
pub(super) use verify::verify;

use super::{BuildError, CheckpointStore, Progress, jump_table, jumping_grid, parallel};
use crate::build::numbering::numbers_by_id;
use crate::core::IS_COMPACT;
use crate::index::first_moves::places::Patch;
use crate::index::first_moves::{Head, RAW, SQUARES};
use crate::index::jump_table::Square;
use crate::index::jumps::Entry;
use crate::index::{Bytes, IndexKind, JumpTable, SectionWriter};
use crate::space::Space;
use blocks::{Block, Plan};
use checkpoints::Checkpoints;
use coder::Row;
use distances::{Distances, MOST_POINTS};
use floods::{CellFloods, NetworkFloods};
use pack::PackedRow;
use propagate::RowPropagation;
use std::sync::atomic::{AtomicU64, Ordering};

/// Works out the row of a block.
trait RowMaker: Sync {
    /// Room to work in, one for each thread.
    type Scratch: Send;

    fn scratch(&self) -> Self::Scratch;

    fn row(&self, block: &Block, scratch: &mut Self::Scratch) -> Row;
}

/// The first moves of a space. Parts that a store has are not worked out again.
pub(super) fn build(
    space: &Space,
    progress: Progress<'_>,
    store: Option<&dyn CheckpointStore>,
) -> Result<Bytes, BuildError> {
    build_planned(&Plan::new(space, true)?, progress, store)
}

fn build_planned(
    plan: &Plan<'_>,
    progress: Progress<'_>,
    store: Option<&dyn CheckpointStore>,
) -> Result<Bytes, BuildError> {
    if plan.form == RAW {
        return Ok(raw_section(plan, &raw::build(plan.space, &plan.order)));
    }
    let checkpoints = store.map(|store| Checkpoints::new(store, plan));
    let (tables, _) = Method::tables(plan)?;
    let rows = Method::new(plan, tables.as_ref()).rows(plan, &plan.blocks, progress, checkpoints.as_ref())?;
    section(plan, rows)
}

/// The jump table of a grid on which paths can jump.
struct JumpArrays {
    squares: Vec<Square>,
    entries: Vec<Entry>,
}

/// How the rows of a space are worked out.
enum Method<'a> {
    /// From jump points, with costs that are small or not.
    Narrow(Distances<'a>),
    Wide(Distances<'a>),
    Cells(CellFloods<'a>),
    Network(NetworkFloods<'a>),
}

impl<'a> Method<'a> {
    /// The jump table, where jump points will do, and how many there are. They do not if there are too many.
    fn tables(plan: &Plan<'_>) -> Result<(Option<JumpArrays>, Option<u32>), BuildError> {
        let Ok(grid) = jumping_grid(plan.space, IndexKind::FIRST_MOVES) else { return Ok((None, None)) };
        let (squares, entries) = jump_table::table(grid)?;
        let points = JumpTable::of(grid, &squares, &entries).jump_points();
        let fits = points <= MOST_POINTS && plan.form == SQUARES;
        Ok((fits.then_some(JumpArrays { squares, entries }), Some(points as u32)))
    }

    fn new(plan: &'a Plan<'a>, tables: Option<&'a JumpArrays>) -> Method<'a> {
        if let (Some(arrays), Some(grid)) = (tables, plan.space.as_grid()) {
            let table = JumpTable::of(grid, &arrays.squares, &arrays.entries);
            // Paths that are too long for its costs are for floods.
            if let Ok(distances) = Distances::new(grid, table) {
                return Method::of_distances(distances.with_seen());
            }
        }
        Method::of_floods(plan)
    }

    fn of_distances(distances: Distances<'a>) -> Method<'a> {
        let is_narrow = distances.graph.costs.diagonal <= u32::from(u16::MAX) / 16;
        if is_narrow { Method::Narrow(distances) } else { Method::Wide(distances) }
    }

    fn of_floods(plan: &'a Plan<'a>) -> Method<'a> {
        CellFloods::new(plan).map_or_else(|| Method::Network(NetworkFloods::new(plan)), Method::Cells)
    }

    fn rows(
        &self,
        plan: &Plan<'_>,
        blocks: &[Block],
        progress: Progress<'_>,
        checkpoints: Option<&Checkpoints<'_>>,
    ) -> Result<Vec<PackedRow>, BuildError> {
        match self {
            Method::Narrow(distances) if !IS_COMPACT => {
                rows(plan, &RowPropagation::<u16>::new(plan, distances), blocks, progress, checkpoints)
            }
            Method::Narrow(distances) | Method::Wide(distances) => {
                rows(plan, &RowPropagation::<u32>::new(plan, distances), blocks, progress, checkpoints)
            }
            Method::Cells(floods) => rows(plan, floods, blocks, progress, checkpoints),
            Method::Network(floods) => rows(plan, floods, blocks, progress, checkpoints),
        }
    }

    /// Memory that it holds and that its threads will take.
    fn memory(&self) -> u64 {
        let threads = parallel::threads() as u64;
        match self {
            Method::Narrow(distances) => distances.bytes() + threads * clusters::bytes::<u16>(distances),
            Method::Wide(distances) => distances.bytes() + threads * clusters::bytes::<u32>(distances),
            Method::Cells(floods) => threads * floods.bytes(),
            Method::Network(floods) => threads * floods.bytes(),
        }
    }
}

/// Blocks that are worked out one after another by the same thread, and kept together.
const PART: usize = 16;

/// The rows of blocks, on all threads.
fn rows<M: RowMaker>(
    plan: &Plan<'_>,
    maker: &M,
    blocks: &[Block],
    progress: Progress<'_>,
    checkpoints: Option<&Checkpoints<'_>>,
) -> Result<Vec<PackedRow>, BuildError> {
    let (all, done) = (blocks.len() as u64, AtomicU64::new(0));
    let targets = plan.order.len() as u32;
    let report =
        |blocks: usize| progress(done.fetch_add(blocks as u64, Ordering::Relaxed) + blocks as u64, all);
    progress(0, all);
    let parts: Vec<&[Block]> = blocks.chunks(PART).collect();
    // Where all parts are kept, no thread takes room.
    let rows_of = |scratch: &mut Option<M::Scratch>, part: usize| -> Result<Vec<PackedRow>, BuildError> {
        let blocks = parts[part];
        if let Some(rows) =
            checkpoints.map(|checkpoints| checkpoints.load(part, blocks.len())).transpose()?.flatten()
        {
            report(blocks.len());
            return Ok(rows);
        }
        let scratch = scratch.get_or_insert_with(|| maker.scratch());
        let mut rows = Vec::with_capacity(blocks.len());
        for block in blocks {
            let row = maker.row(block, scratch);
            rows.push(pack::pack(&row, targets).ok_or_else(pack::too_many)?);
            report(1);
        }
        if let Some(checkpoints) = checkpoints {
            checkpoints.save(part, &rows)?;
        }
        Ok(rows)
    };
    let rows = parallel::try_map_with(parts.len(), || None, rows_of)?;
    Ok(rows.into_iter().flatten().collect())
}

fn section(plan: &Plan<'_>, rows: Vec<PackedRow>) -> Result<Bytes, BuildError> {
    let places = plan.blocks.iter().map(|block| block.place);
    let (heads, words) = pack::join(places.zip(rows), plan.places)?;
    let mut writer = SectionWriter::default();
    writer.push(&[Head { form: plan.form, move_bytes: 0, states: plan.space.states(), zero: 0 }]);
    push_places(plan, &mut writer);
    writer.push(&heads).push(&words).push(&plan.first_lanes);
    Ok(writer.finish())
}

fn raw_section(plan: &Plan<'_>, table: &[u16]) -> Bytes {
    let mut writer = SectionWriter::default();
    let is_narrow = table.iter().all(|&slot| slot == raw::NO_SLOT || slot < u16::from(u8::MAX));
    let move_bytes = if is_narrow { 1 } else { 2 };
    writer.push(&[Head { form: RAW, move_bytes, states: plan.space.states(), zero: 0 }]);
    push_places(plan, &mut writer);
    if is_narrow {
        writer.push(&table.iter().map(|&slot| slot as u8).collect::<Vec<u8>>());
    } else {
        writer.push(table);
    }
    writer.finish()
}

fn push_places(plan: &Plan<'_>, writer: &mut SectionWriter) {
    match plan.space.as_grid() {
        Some(_) => writer.push(&plan.patches.squares).push(&plan.patches.patches),
        None => writer.push(&numbers_by_id(plan.space, &plan.order)).push::<Patch>(&[]),
    };
}

#[cfg(test)]
mod tests;
