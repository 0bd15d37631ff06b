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
        let blocks = Blocks::of(grid, if grid.states() > LARGE { 5 } else { 4 });
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

/// What [`build`] would take: the hierarchy is built, and the lists of some blocks.
pub(super) fn estimate(grid: &Grid) -> Result<Estimate, BuildError> {
    const SAMPLED: usize = 16;
    let begin = Instant::now();
    let contracted_corners = ContractedCorners::new(grid, SILENT)?;
    let prepared = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    let chosen: Vec<usize> = (0..contracted_corners.blocks.count).step_by(SAMPLED).collect();
    let covers = contracted_corners.covers(&chosen, SILENT);
    let share = contracted_corners.blocks.count as f64 / chosen.len().max(1) as f64;
    let seconds = prepared + begin.elapsed().as_secs_f64() * share;
    // As if every block had the list of a sampled one.
    let all: Vec<Cover> =
        (0..contracted_corners.blocks.count).map(|block| covers[block / SAMPLED].clone()).collect();
    let bytes = pack::pack(
        grid,
        &contracted_corners.corners,
        contracted_corners.blocks,
        contracted_corners.costs,
        &contracted_corners.contracted,
        &all,
    )?;
    let corners = contracted_corners.corners.places.len() as u32;
    Ok(Estimate::new(IndexKind::CORNER_HIERARCHY, bytes.as_slice().len() as u64, seconds, Some(corners)))
}
