//! Builds [`corner-labels`](crate::index::corner_labels), on all threads.
//!
//! 1. The taut [graph] of corners, and distances to [landmarks].
//! 2. The first corners of every cell, as [lists] of squares.
//! 3. [Contraction](contract), [labels], and the [ways] that their entries name.
//!
//! # Guarantees
//! The same bytes with any number of threads: corners, lines and hubs are independent and put together in order. No map is
//! refused: where the contraction takes too much work or the labels would be too many, the graph stands in their place and
//! is searched; where lists would be too many, a query looks for first corners itself. Work and entries are counted, never
//! timed.
//!
//! # Why paths over these labels are shortest
//! See [the planner](crate::plan::CornerLabels); each step of its proof that the builder must keep stands at the head of the
//! file that keeps it.

mod contract;
mod graph;
mod labels;
mod landmarks;
mod lists;
mod pack;
mod rooms;
#[cfg(test)]
mod tests;
mod turns;
mod verify;
mod ways;

pub(super) use verify::verify;

use super::{BuildError, Estimate, Progress, SILENT};
use crate::index::corner_labels::{Broken, MOST_MARK, StepCosts};
use crate::index::{Bytes, IndexKind, LegCosts};
use crate::space::{Grid, SpaceKind};
use contract::Hierarchy;
use graph::{Corners, TautGraph};
use labels::Labels;
use landmarks::{Landmarks, largest_and_farthest};
use lists::Lists;
use std::time::Instant;
use turns::Turns;
use ways::Way;

/// Up to where labels and lists are kept.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Entries of labels, and members of lists, for each free cell.
    entries: usize,
    members: usize,
    /// Words of 128 bits also where 64 will do.
    is_wide: bool,
    /// For tests.
    broken: Broken,
}

const LIMITS: Limits = Limits { entries: 16, members: 16, is_wide: false, broken: Broken::NONE };

/// Maps of fewer free cells have as many entries and members as maps of so many.
const SMALL: usize = 1000;

/// Numbers of entries and members have 32 bits.
const MOST: usize = u32::MAX as usize;

/// Numbers of corners have 30 bits in lists and labels.
const MOST_CORNERS: usize = 1 << 30;

/// All that the index is packed from.
struct Parts<'a> {
    corners: &'a Corners<'a>,
    graph: TautGraph,
    costs: StepCosts,
    /// No way between two corners is longer.
    farthest: u64,
    landmarks: Landmarks,
    labels: Option<(Labels, Vec<Option<Way>>)>,
    lists: Option<Lists>,
}

/// The index of a grid with strict corners, no weights and no links.
pub(super) fn build(grid: &Grid, progress: Progress<'_>) -> Bytes {
    build_within(grid, &LIMITS, progress)
}

fn build_within(grid: &Grid, limits: &Limits, progress: Progress<'_>) -> Bytes {
    let corners = Corners::of(grid, limits.broken);
    let coarse =
        StepCosts { straight: LegCosts::COARSE.straight.into(), diagonal: LegCosts::COARSE.diagonal.into() };
    let graph = TautGraph::new(&corners, coarse);
    let (first, farthest) = largest_and_farthest(&graph);
    let (costs, farthest) = costs_for(grid, coarse, farthest);
    let graph = graph.with_costs(&corners, costs);
    progress(1, 4);
    let cells = (grid.states() as usize).max(SMALL);
    let turns = Turns::new(limits.broken);
    let has_numbers = corners.count() < MOST_CORNERS;
    let label = || {
        let hierarchy = has_numbers.then(|| Hierarchy::new(&corners, &graph, &turns)).flatten()?;
        let labels =
            Labels::new(&corners, &hierarchy, &turns, limits.entries.saturating_mul(cells).min(MOST))?;
        let ways = ways::ways(&corners, &labels, costs);
        Some((labels, ways))
    };
    let list = || {
        let landmarks = Landmarks::choose(&graph, first);
        let leads = graph.leads(&corners, &turns);
        let most = limits.members.saturating_mul(cells).min(MOST);
        (landmarks, has_numbers.then(|| lists::lists(&corners, &leads, most)).flatten())
    };
    let (labels, (landmarks, lists)) = rayon::join(label, list);
    progress(3, 4);
    pack::pack(&Parts { corners: &corners, graph, costs, farthest, landmarks, labels, lists }, limits.is_wide)
}

/// The smallest costs of steps that order all paths of a map as their lengths do, and more than the farthest corners are apart.
///
/// Twice the distance to the farthest corner and a leg across the map at both ends bound the length of every shortest path.
fn costs_for(grid: &Grid, coarse: StepCosts, farthest: u64) -> (StepCosts, u64) {
    let longest = 2 * (farthest + coarse.of_steps(grid.width(), grid.height()));
    // In straight steps; 1.0102 is a little more than sqrt 2 over 14/10.
    let steps = (longest / 10 + 1) * 10_102 / 10_000 + 1;
    let costs = StepCosts::exact(grid.rule(), steps).unwrap_or_else(|| StepCosts::of(grid.scale()));
    (costs, steps.saturating_mul(costs.diagonal))
}

/// What [`build`] would take: it is built, with work that is bounded.
pub(super) fn estimate(grid: &Grid) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let bytes = build(grid, SILENT).as_slice().len() as u64;
    let corners = grid.corner_sight().corners().count_ones();
    Ok(Estimate::new(IndexKind::CORNER_LABELS, bytes, begin.elapsed().as_secs_f64(), Some(corners)))
}

const _: () = assert!(MOST_MARK as u64 + 1 == 1 << 14, "marks and legs add up to less than 2^15");
