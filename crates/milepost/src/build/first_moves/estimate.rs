//! What a table would take, from the rows of a few blocks.

use super::blocks::{Block, Plan};
use super::{Method, RAW};
use crate::build::{BuildError, Estimate, SILENT};
use crate::index::IndexKind;
use crate::index::first_moves::places::Patch;
use crate::index::first_moves::rows::{LANES, RowHead};
use crate::space::Space;
use std::time::Instant;

/// Blocks that are tried.
const SAMPLE: usize = 96;

/// What [`build`](super::build) would take.
pub(in crate::build) fn estimate(space: &Space) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let plan = Plan::new(space, true)?;
    let states = u64::from(space.states());
    let raw_bytes = Some(states.saturating_mul(states));
    let kind = IndexKind::FIRST_MOVES;
    if plan.form == RAW {
        let bytes = super::build_planned(&plan, SILENT, None)?.as_slice().len() as u64;
        let seconds = begin.elapsed().as_secs_f64();
        return Ok(Estimate { kind, bytes, seconds, jump_points: None, raw_bytes, memory: None });
    }
    let (tables, jump_points) = Method::tables(&plan)?;
    let method = Method::new(&plan, tables.as_ref());
    let prepared = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    let blocks = sample(&plan);
    let rows = method.rows(&plan, &blocks, SILENT, None)?;
    let share = plan.blocks.len() as f64 / blocks.len().max(1) as f64;
    let seconds = prepared + begin.elapsed().as_secs_f64() * share;
    let words: usize = rows.iter().map(|row| row.words.len()).sum();
    let bytes = words as f64 * 2.0 * share + fixed_bytes(&plan) as f64;
    let memory = method.memory() + 2 * bytes as u64;
    Ok(Estimate { kind, bytes: bytes as u64, seconds, jump_points, raw_bytes, memory: Some(memory) })
}

/// Blocks that are spread over all.
fn sample(plan: &Plan<'_>) -> Vec<Block> {
    let (all, some) = (plan.blocks.len(), SAMPLE.min(plan.blocks.len()));
    (0..some).map(|index| plan.blocks[(2 * index + 1) * all / (2 * some)].clone()).collect()
}

/// Bytes that do not depend on the rows.
fn fixed_bytes(plan: &Plan<'_>) -> usize {
    let numbers = match plan.space.as_grid() {
        Some(_) => {
            plan.patches.squares.len() * size_of::<u32>() + plan.patches.patches.len() * size_of::<Patch>()
        }
        None => plan.space.id_bound() * size_of::<u32>(),
    };
    let lanes = plan.first_lanes.len() * size_of::<u32>();
    numbers + lanes + plan.places * size_of::<RowHead>() + 8 * LANES
}
