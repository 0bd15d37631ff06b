//! Builds [`corner-labels`](crate::index::corner_labels), on all threads.
//!
//! 1. The taut [graph] of corners, and distances to [landmarks].
//! 2. The first corners of every cell, as [lists] of squares.
//! 3. [Contraction](contract), [labels], and the [ways] that their entries name.
//!
//! # Guarantees
//! The same bytes with any number of threads: corners, lines and hubs are independent and put together in order. No map is
//! refused: where the contraction takes too much work or the labels would be too many, a hierarchy stands in their place and
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
pub(super) mod tests;
mod turns;
mod verify;
mod ways;

pub(super) use verify::verify;

use super::{BuildError, Estimate, Progress, parallel};
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
    /// Work that contracting for a search may take.
    looks: u64,
    /// Words of 128 bits also where 64 will do.
    is_wide: bool,
    /// For tests.
    broken: Broken,
}

const LIMITS: Limits =
    Limits { entries: 16, members: 16, looks: u64::MAX, is_wide: false, broken: Broken::NONE };

/// Maps of fewer free cells have as many entries and members as maps of so many.
const SMALL: usize = 1000;

/// Numbers of entries and members have 32 bits.
const MOST: usize = u32::MAX as usize;

/// Numbers of corners have 30 bits in lists and labels.
const MOST_CORNERS: usize = 1 << 30;

/// All that the index is packed from.
struct Parts<'a> {
    corners: &'a Corners<'a>,
    costs: StepCosts,
    /// No way between two corners is longer.
    farthest: u64,
    landmarks: Landmarks,
    between: Between,
    lists: Option<Lists>,
}

/// What leads from corner to corner.
enum Between {
    Labels(Labels, Vec<Option<Way>>),
    Hierarchy(Hierarchy),
}

/// The index of a grid with strict corners, no weights and no links.
pub(super) fn build(grid: &Grid, progress: Progress<'_>) -> Bytes {
    build_within(grid, &LIMITS, progress)
}

fn build_within(grid: &Grid, limits: &Limits, progress: Progress<'_>) -> Bytes {
    let corners = Corners::of(grid, limits.broken).with_progress(progress);
    let draft = Draft::new(&corners, limits);
    progress(1, 4);
    let between = || draft.labels().unwrap_or_else(|| Between::Hierarchy(draft.hierarchy(limits.looks)));
    let (between, (landmarks, lists)) = parallel::both(between, || draft.lists());
    progress(3, 4);
    draft.pack(between, landmarks, lists)
}

/// The graph of the corners of a grid, and what is made from it.
struct Draft<'a> {
    corners: &'a Corners<'a>,
    limits: &'a Limits,
    graph: TautGraph,
    turns: Turns,
    costs: StepCosts,
    /// No way between two corners is longer.
    farthest: u64,
    /// The first landmark.
    first: u32,
}

impl<'a> Draft<'a> {
    fn new(corners: &'a Corners<'a>, limits: &'a Limits) -> Draft<'a> {
        let coarse = StepCosts::from(LegCosts::COARSE);
        let graph = TautGraph::new(corners, coarse);
        let (first, farthest) = largest_and_farthest(&graph);
        let (costs, farthest) = costs_for(corners.grid, coarse, farthest);
        let graph = graph.with_costs(corners, costs);
        Draft { corners, limits, graph, turns: Turns::new(limits.broken), costs, farthest, first }
    }

    /// So many for each free cell.
    fn most(&self, of_a_cell: usize) -> usize {
        of_a_cell.saturating_mul((self.corners.grid.states() as usize).max(SMALL)).min(MOST)
    }

    fn has_numbers(&self) -> bool {
        self.corners.count() < MOST_CORNERS
    }

    /// Labels, unless there would be too many or it takes too much work to find out.
    fn labels(&self) -> Option<Between> {
        let Draft { corners, graph, turns, costs, .. } = self;
        let most = self.most(self.limits.entries);
        let is_asked = self.has_numbers() && most > 0;
        let hierarchy = is_asked.then(|| Hierarchy::for_labels(corners, graph, turns)).flatten()?;
        let labels = Labels::new(corners, &hierarchy, turns, most)?;
        let ways = ways::ways(corners, &labels, *costs);
        Some(Between::Labels(labels, ways))
    }

    /// What is searched instead, contracted with so much work at most.
    fn hierarchy(&self, most: u64) -> Hierarchy {
        let most = most.min(contract::most_looks(self.corners.count()));
        Hierarchy::for_search(self.corners, &self.graph, &self.turns, most)
    }

    fn lists(&self) -> (Landmarks, Option<Lists>) {
        let landmarks = Landmarks::choose(&self.graph, self.first);
        let leads = self.graph.leads(self.corners, &self.turns);
        let most = self.most(self.limits.members);
        (landmarks, self.has_numbers().then(|| lists::lists(self.corners, &leads, most)).flatten())
    }

    fn pack(&self, between: Between, landmarks: Landmarks, lists: Option<Lists>) -> Bytes {
        let Draft { corners, costs, farthest, limits, .. } = *self;
        pack::pack(&Parts { corners, costs, farthest, landmarks, between, lists }, limits.is_wide)
    }
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

/// Work of contracting for a search that an estimate does.
const SAMPLE_LOOKS: u64 = 25_000_000;

/// What [`build`] would take: it is built, but for a hierarchy that is to be searched, which is begun.
pub(super) fn estimate(grid: &Grid) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let corners = Corners::of(grid, Broken::NONE);
    let draft = Draft::new(&corners, &LIMITS);
    let (labels, (landmarks, lists)) = parallel::both(|| draft.labels(), || draft.lists());
    let (mut others, mut more_seconds) = (0, 0.0);
    let between = labels.unwrap_or_else(|| {
        let begin = Instant::now();
        let hierarchy = draft.hierarchy(SAMPLE_LOOKS);
        let more = hierarchy.expected(contract::most_looks(corners.count()));
        (others, more_seconds) = (more.edges * pack::EDGE_BYTES, begin.elapsed().as_secs_f64() * more.work);
        Between::Hierarchy(hierarchy)
    });
    let bytes = draft.pack(between, landmarks, lists).as_slice().len() as u64 + others;
    let seconds = begin.elapsed().as_secs_f64() + more_seconds;
    Ok(Estimate::new(IndexKind::CORNER_LABELS, bytes, seconds, Some(corners.count() as u32)))
}

const _: () = assert!(MOST_MARK as u64 + 1 == 1 << 14, "marks and legs add up to less than 2^15");
