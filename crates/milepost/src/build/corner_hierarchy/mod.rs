//! Builds [`corner-hierarchy`](crate::index::corner_hierarchy), on all threads.
//!
//! 1. [Sights](sights): from which corners and blocks each corner is seen.
//! 2. The [graph] of corners, without ways that others replace.
//! 3. [Contraction](contract), and distances to [landmarks].
//! 4. A [list](cover) of corners for each block.
//!
//! # Guarantees
//! The same bytes with any number of threads: corners and blocks are independent and put together in order.
//!
//! # Why paths over these corners are shortest
//! See [the planner](crate::plan::CornerHierarchy).

mod contract;
mod cover;
mod gate;
mod graph;
mod landmarks;
mod pack;
mod sights;
mod verify;

pub(super) use verify::verify;

use super::{BuildError, Estimate, Progress, SILENT};
use crate::index::{Bytes, IndexKind, MOST_COLUMNS};
use crate::space::Grid;
use cover::{Cover, Thinning};
use landmarks::Landmarks;
use rayon::prelude::*;
use sights::{Blocks, Corners, SeenFrom, Sights, sights};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Maps of more free cells have blocks of 32 columns and rows, others of 16.
const LARGE: u32 = 1_000_000;

/// The index of a grid with strict corners, no weights and no links.
pub(super) fn build(grid: &Grid, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    if grid.width().max(grid.height()) + 2 > MOST_COLUMNS {
        return Err(BuildError::TooLarge { most_columns: MOST_COLUMNS - 2, most_cells: u32::MAX });
    }
    let corners = Corners::of(grid);
    let blocks = Blocks::of(grid, if grid.states() > LARGE { 5 } else { 4 });
    gate::check(grid, &corners, blocks)?;
    let total = (corners.places.len() + blocks.count) as u64;
    let all: Vec<u32> = (0..corners.places.len() as u32).collect();
    let Sights { pairs, seen_from } = sights(grid, &corners, blocks, &all, progress, total);
    let too_long = || gate::refuse("its paths are too long".to_owned());
    let (ways, costs) = graph::graph(grid, &corners, &pairs).ok_or_else(too_long)?;
    drop(pairs);
    gate::check_graph(grid, &ways)?;
    let contracted = contract::contract(&ways, gate::most_edges(corners.places.len()));
    let contracted =
        contracted.ok_or_else(|| gate::refuse("there are too many ways between its corners".into()))?;
    let landmarks = Landmarks::choose(&ways);
    let thinning = Thinning { grid, corners: &corners, blocks, landmarks: &landmarks, costs };
    let covers = covers(&thinning, &by_block(seen_from, blocks.count), progress, total);
    pack::pack(grid, &corners, blocks, costs, &contracted, &covers)
}

/// What each block sees, in the order of corners.
fn by_block(seen_from: Vec<SeenFrom>, blocks: usize) -> Vec<Vec<SeenFrom>> {
    let mut of_block: Vec<Vec<SeenFrom>> = vec![Vec::new(); blocks];
    for seen in seen_from {
        of_block[seen.block as usize].push(seen);
    }
    of_block
}

fn covers(
    thinning: &Thinning<'_>,
    of_block: &[Vec<SeenFrom>],
    progress: Progress<'_>,
    total: u64,
) -> Vec<Cover> {
    let done = AtomicU64::new(thinning.corners.places.len() as u64);
    of_block
        .par_iter()
        .enumerate()
        .map(|(block, raw)| {
            let cover = thinning.cover(block, raw);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            cover
        })
        .collect()
}

/// What [`build`] would take. Its time does not follow from the size of the map, so a small map's is built, and of a
/// large one the sights of some corners are found.
pub(super) fn estimate(grid: &Grid) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let bytes = build(grid, SILENT)?.as_slice().len() as u64;
    let corners = Corners::of(grid).places.len() as u32;
    Ok(Estimate::new(IndexKind::CornerHierarchy, bytes, begin.elapsed().as_secs_f64(), Some(corners)))
}
