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
#[cfg(test)]
mod tests;
mod verify;

pub(super) use verify::verify;

use super::{BuildError, Estimate, Progress, SILENT, parallel};
use crate::index::corner_hierarchy::MOST_CORNERS;
use crate::index::{Bytes, IndexKind};
use crate::space::{Grid, SpaceKind};
use contract::Contracted;
use cover::{Cover, Thinning};
use graph::HierarchyCosts;
use landmarks::Landmarks;
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
    costs: HierarchyCosts,
    contracted: Contracted,
    landmarks: Landmarks,
    /// What each block sees, in the order of corners.
    seen: Vec<Vec<SeenFrom>>,
}

impl<'a> ContractedCorners<'a> {
    fn new(
        grid: &'a Grid,
        is_wide: bool,
        progress: Progress<'_>,
    ) -> Result<ContractedCorners<'a>, BuildError> {
        let corners = Corners::of(grid);
        let blocks = blocks_for(grid);
        if corners.places.len() >= MOST_CORNERS {
            return Err(feasibility::refuse(format!("it has {} corners", corners.places.len())));
        }
        feasibility::check(grid, &corners, blocks)?;
        let all: Vec<u32> = (0..corners.places.len() as u32).collect();
        let total = (all.len() + blocks.count) as u64;
        let Sights { pairs, seen_from } = sights(grid, &corners, blocks, &all, progress, total);
        let mut edges = graph::graph(grid, &corners, &pairs);
        feasibility::check_graph(grid, &edges)?;
        let costs = graph::costs_for(grid, &edges, is_wide);
        graph::set_costs(&mut edges, &corners, costs.costs);
        let contracted = contract::contract(&edges, feasibility::most_edges(corners.places.len()));
        let too_many = || feasibility::refuse("there are too many ways between its corners".to_owned());
        let contracted = contracted.ok_or_else(too_many)?;
        graph::set_costs(&mut edges, &corners, costs.thinning);
        let landmarks = Landmarks::choose(&edges);
        let mut seen: Vec<Vec<SeenFrom>> = vec![Vec::new(); blocks.count];
        for one in seen_from {
            seen[one.block as usize].push(one);
        }
        Ok(ContractedCorners { grid, corners, blocks, costs, contracted, landmarks, seen })
    }

    /// The lists of some blocks.
    fn covers(&self, chosen: &[usize], progress: Progress<'_>) -> Vec<Cover> {
        let ContractedCorners { grid, corners, blocks, costs, landmarks, .. } = self;
        let thinning = Thinning { grid, corners, blocks: *blocks, landmarks, costs: costs.thinning };
        let (before, total) = (corners.places.len() as u64, (corners.places.len() + blocks.count) as u64);
        let done = AtomicU64::new(before);
        parallel::map_list(chosen, |&block| {
            let cover = thinning.cover(block, &self.seen[block]);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            cover
        })
    }

    /// The index with these lists.
    fn pack(&self, covers: &[Cover]) -> Result<Bytes, BuildError> {
        pack::pack(self.grid, &self.corners, self.blocks, self.costs, &self.contracted, covers)
    }
}

/// The index of a grid with strict corners, no weights and no links.
pub(super) fn build(grid: &Grid, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    build_in(grid, false, progress)
}

/// The same, in the wide form also where the narrow one would do: for tests.
fn build_in(grid: &Grid, is_wide: bool, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    let contracted_corners = ContractedCorners::new(grid, is_wide, progress)?;
    let all: Vec<usize> = (0..contracted_corners.blocks.count).collect();
    let covers = contracted_corners.covers(&all, progress);
    contracted_corners.pack(&covers)
}

/// Blocks whose lists an estimate makes.
const SAMPLE: usize = 256;

/// What [`build`] would take: all but the lists is built, which [`feasibility`] bounds, and the lists of a sample of blocks.
pub(super) fn estimate(grid: &Grid) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let contracted_corners = ContractedCorners::new(grid, false, SILENT)?;
    let (blocks, before) = (contracted_corners.blocks.count, begin.elapsed().as_secs_f64());
    let seeing: Vec<usize> =
        (0..blocks).filter(|&block| !contracted_corners.seen[block].is_empty()).collect();
    let chosen: Vec<usize> = seeing.iter().copied().step_by(seeing.len().div_ceil(SAMPLE).max(1)).collect();
    let begin = Instant::now();
    let mut covers = vec![Cover::NONE; blocks];
    for (&block, cover) in chosen.iter().zip(contracted_corners.covers(&chosen, SILENT)) {
        covers[block] = cover;
    }
    let (share, after) = (seeing.len() as f64 / chosen.len().max(1) as f64, begin.elapsed().as_secs_f64());
    let listed: usize = covers.iter().map(|cover| cover.corners.len()).sum();
    let bytes = contracted_corners.pack(&covers)?.as_slice().len() as u64;
    let count = contracted_corners.corners.places.len();
    let others = (listed as f64 * (share - 1.0)) as u64 * u64::from(pack::number_bytes(count));
    let seconds = before + after * share;
    Ok(Estimate::new(IndexKind::CORNER_HIERARCHY, bytes + others, seconds, Some(count as u32)))
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
