//! Builds [`corner-hierarchy`](crate::index::corner_hierarchy), on all threads.
//!
//! 1. [Sights](sights): from which corners and blocks each corner is seen.
//! 2. The [graph] of corners, without edges that others replace.
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
mod feasibility;
mod graph;
mod landmarks;
mod pack;
mod sights;
mod verify;

pub(super) use verify::verify;

use super::{BuildError, Estimate, Progress, SILENT};
use crate::index::{Bytes, IndexKind, LegCosts, MOST_COLUMNS};
use crate::space::{Grid, SpaceKind};
use contract::Contracted;
use cover::{Cover, Thinning};
use landmarks::Landmarks;
use rayon::prelude::*;
use sights::{Blocks, Corners, SeenFrom, Sights, sights};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Maps of more free cells have blocks of 32 columns and rows, others of 16.
const LARGE: u32 = 1_000_000;

/// All but the lists.
struct ContractedCorners<'a> {
    grid: &'a Grid,
    corners: Corners,
    blocks: Blocks,
    costs: LegCosts,
    contracted: Contracted,
    landmarks: Landmarks,
    /// What each block sees, in the order of corners.
    seen: Vec<Vec<SeenFrom>>,
}

impl<'a> ContractedCorners<'a> {
    fn new(grid: &'a Grid, progress: Progress<'_>) -> Result<ContractedCorners<'a>, BuildError> {
        if grid.width().max(grid.height()) + 2 > MOST_COLUMNS {
            return Err(BuildError::TooLarge { most_columns: MOST_COLUMNS - 2, most_cells: u32::MAX });
        }
        let corners = Corners::of(grid);
        let blocks = blocks_for(grid);
        feasibility::check(grid, &corners, blocks)?;
        let all: Vec<u32> = (0..corners.places.len() as u32).collect();
        let total = (all.len() + blocks.count) as u64;
        let Sights { pairs, seen_from } = sights(grid, &corners, blocks, &all, progress, total);
        let too_long = || feasibility::refuse("its paths are too long".to_owned());
        let (edges, costs) = graph::graph(grid, &corners, &pairs).ok_or_else(too_long)?;
        feasibility::check_graph(grid, &edges)?;
        let contracted = contract::contract(&edges, feasibility::most_edges(corners.places.len()));
        let too_many = || feasibility::refuse("there are too many ways between its corners".to_owned());
        let (contracted, landmarks) = (contracted.ok_or_else(too_many)?, Landmarks::choose(&edges));
        let mut seen: Vec<Vec<SeenFrom>> = vec![Vec::new(); blocks.count];
        for one in seen_from {
            seen[one.block as usize].push(one);
        }
        Ok(ContractedCorners { grid, corners, blocks, costs, contracted, landmarks, seen })
    }

    /// The lists of some blocks.
    fn covers(&self, chosen: &[usize], progress: Progress<'_>) -> Vec<Cover> {
        let ContractedCorners { grid, corners, blocks, costs, landmarks, .. } = self;
        let thinning = Thinning { grid, corners, blocks: *blocks, landmarks, costs: *costs };
        let (before, total) = (corners.places.len() as u64, (corners.places.len() + blocks.count) as u64);
        let done = AtomicU64::new(before);
        chosen
            .par_iter()
            .map(|&block| {
                let cover = thinning.cover(block, &self.seen[block]);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
                cover
            })
            .collect()
    }
}

/// The index of a grid with strict corners, no weights and no links.
pub(super) fn build(grid: &Grid, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    let contracted_corners = ContractedCorners::new(grid, progress)?;
    let all: Vec<usize> = (0..contracted_corners.blocks.count).collect();
    let covers = contracted_corners.covers(&all, progress);
    pack::pack(
        grid,
        &contracted_corners.corners,
        contracted_corners.blocks,
        contracted_corners.costs,
        &contracted_corners.contracted,
        &covers,
    )
}

/// What [`build`] would take: it is built. What makes a map too much for it shows at the end only, and up to there is most
/// of the work, which [`feasibility`] bounds.
pub(super) fn estimate(grid: &Grid) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let bytes = build(grid, SILENT)?.as_slice().len() as u64;
    let corners = Corners::of(grid).places.len() as u32;
    Ok(Estimate::new(IndexKind::CORNER_HIERARCHY, bytes, begin.elapsed().as_secs_f64(), Some(corners)))
}

/// Whether it can be built; false where that would take much work to find out.
pub(super) fn is_sure(grid: &Grid) -> bool {
    let corners = Corners::of(grid);
    feasibility::is_little(grid, &corners, blocks_for(grid)) && build(grid, SILENT).is_ok()
}

/// The blocks of a grid.
fn blocks_for(grid: &Grid) -> Blocks {
    Blocks::of(grid, if grid.states() > LARGE { 5 } else { 4 })
}
