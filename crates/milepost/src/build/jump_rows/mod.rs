//! Builds [`jump-rows`](crate::index::jump_rows): sixteen jump points at a time, on all threads.
//!
//! 0. [Feasibility](feasibility): whether it pays on this map.
//! 1. The [`JumpPointGraph`] of the map, [floods](super::jump_points::flood) over it, and first hops
//!    [propagated](super::jump_points::propagate) to the cells.
//! 2. [`join`] runs of a row that nearly agree, and [`straighten`](pack::straighten) the chains of hops.
//! 3. [Pack](pack) rows and hops.
//!
//! # Guarantees
//! The same bytes with any number of threads: batches are independent and put together in order.

mod feasibility;
pub(crate) mod join;
mod pack;

use super::jump_points::JumpPointGraph;
use super::jump_points::batches::{self, PerSource};
use super::jump_points::blocks::Bounds;
use super::jump_points::feasibility::check_hops;
use super::jump_points::flood::Flood;
use super::jump_points::packed_distances::DistanceWord;
use super::jump_points::propagate::{FirstHopLabeller, LabelledRow, RunStart};
use super::jump_points::tree::{Hop, NO_HOP};
use super::{BuildError, Estimate, Progress};
use crate::index::{Bytes, IndexKind, JumpTable, PackedCell, direction};
use crate::space::Grid;
use pulp::Simd;
use std::ops::Range;
use std::time::Instant;

/// Hops that a jump point may have beyond those it sees: numbers of seven bits, the highest meaning none.
const MOST_HOPS: usize = 127;

/// How much a row may lose when runs are joined: levels of the tree of hops, for each cell of the map.
const PRICE_PER_CELL: u64 = 1;

/// One jump point's part of the index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) runs: Vec<RunStart>,
    pub(crate) hops: Vec<Hop>,
    /// The hops that are kept, as they will lie in the index.
    pub(crate) order: Vec<u8>,
    /// For each straight arrival, the cells that a shortest path can go on to.
    pub(crate) arrivals: [Bounds; 4],
    pub(crate) seen: Bounds,
}

/// The index of a grid with strict corners, no weights and no links.
pub(super) fn build(grid: &Grid, table: JumpTable<'_>, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    let Sampled { graph, rows: sample, .. } = Sampled::new(grid, table)?;
    let tried = batches::spread(&graph, feasibility::SAMPLE);
    let others: Vec<u32> = (0..batches::count(&graph)).filter(|batch| !tried.contains(batch)).collect();
    let rows = rows_of(&graph, &others, progress)?;
    let mut numbered: Vec<(u32, Vec<Row>)> =
        tried.into_iter().zip(sample).chain(others.into_iter().zip(rows)).collect();
    numbered.sort_unstable_by_key(|(batch, _)| *batch);
    let rows: Vec<Row> = numbered.into_iter().flat_map(|(_, rows)| rows).collect();
    pack::pack(&graph, &rows)
}

/// What [`build`] would take.
pub(super) fn estimate(grid: &Grid, table: JumpTable<'_>) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let Sampled { graph, rows, seconds: sampled } = Sampled::new(grid, table)?;
    let prepared = (begin.elapsed().as_secs_f64() - sampled).max(0.0);
    let points = graph.points.len();
    let sampled_points: usize = rows.iter().map(Vec::len).sum();
    let share = points as f64 / sampled_points.max(1) as f64;
    let bytes = pack::bytes_of(&graph, rows.iter().flatten()) as f64 * share + 400.0;
    let seconds = prepared + sampled * share * feasibility::PACKING;
    Ok(Estimate::new(IndexKind::JUMP_ROWS, bytes as u64, seconds, Some(points as u32)))
}

/// What [`build`] and [`estimate`] begin with, and refuse a map by: the graph, and the rows of some batches.
pub(super) struct Sampled<'a> {
    graph: JumpPointGraph<'a>,
    rows: Vec<Vec<Row>>,
    /// What the rows took.
    seconds: f64,
}

impl<'a> Sampled<'a> {
    pub(super) fn new(grid: &'a Grid, table: JumpTable<'a>) -> Result<Sampled<'a>, BuildError> {
        feasibility::check_corners(grid, &table)?;
        let graph = JumpPointGraph::new(grid, table, IndexKind::JUMP_ROWS)?;
        check_hops(&graph, feasibility::refuse)?;
        let begin = Instant::now();
        let rows = sample(&graph)?;
        let seconds = begin.elapsed().as_secs_f64();
        feasibility::check_sample(&graph, &rows)?;
        Ok(Sampled { graph, rows, seconds })
    }
}

/// The rows of some batches, spread over the map.
fn sample(graph: &JumpPointGraph<'_>) -> Result<Vec<Vec<Row>>, BuildError> {
    rows_of(graph, &batches::spread(graph, feasibility::SAMPLE), super::SILENT)
}

/// The rows of batches of sources.
fn rows_of(
    graph: &JumpPointGraph<'_>,
    batches: &[u32],
    progress: Progress<'_>,
) -> Result<Vec<Vec<Row>>, BuildError> {
    batches::run(&Rows, graph, batches, progress)
        .ok_or_else(|| feasibility::refuse("some corner sees more than 254 others".to_owned()))
}

/// A row for each source.
struct Rows;

impl PerSource for Rows {
    type Part = Row;

    #[inline(always)]
    fn batch<W: DistanceWord, S: Simd>(
        &self,
        simd: S,
        graph: &JumpPointGraph<'_>,
        sources: Range<u32>,
        flood: &mut Flood<W>,
        labeller: &mut FirstHopLabeller<W>,
    ) -> Option<Vec<Row>> {
        if !flood.run(graph, sources.clone(), MOST_HOPS) {
            return None;
        }
        let labelled = labeller.run(simd, graph, flood);
        let parts = sources.zip(labelled).zip(flood.hops.iter().zip(&flood.cones));
        Some(
            parts
                .map(|((source, labelled), (hops, cones))| row(graph, source, labelled, hops, cones))
                .collect(),
        )
    }
}

fn row(
    graph: &JumpPointGraph<'_>,
    source: u32,
    labelled: LabelledRow,
    hops: &[Hop],
    cones: &[Bounds; 8],
) -> Row {
    let arrivals = arrivals(graph, source, &labelled, hops, cones);
    let mut seen = Bounds::EMPTY;
    cones.iter().for_each(|cone| seen.join(cone));
    let price = PRICE_PER_CELL * graph.cells.len() as u64;
    let cells = graph.cells.len() as u32;
    let (runs, mut hops) = join::join(labelled.runs, hops.to_vec(), cells, price);
    pack::straighten(graph, source, &mut hops);
    let order = pack::heavy_paths(&runs, &hops, cells);
    Row { runs, hops, order, arrivals, seen }
}

/// The direction in which the way from one jump point to the next leaves: straight steps first.
pub(crate) fn leaving(from: PackedCell, to: PackedCell) -> usize {
    let (dx, dy) = from.to(to);
    let (wide, high) = (dx.abs(), dy.abs());
    direction(if wide >= high { dx.signum() } else { 0 }, if high >= wide { dy.signum() } else { 0 })
}

/// For each straight arrival at a jump point, the cells to which its row leads on in a direction that is not strictly
/// longer than a way around, and those that are seen in such a direction.
fn arrivals(
    graph: &JumpPointGraph<'_>,
    source: u32,
    labelled: &LabelledRow,
    hops: &[Hop],
    cones: &[Bounds; 8],
) -> [Bounds; 4] {
    let at = graph.points[source as usize];
    let corner = graph.grid.corner(graph.table.state(at));
    let mut directions: Vec<usize> = Vec::with_capacity(hops.len());
    let mut arrivals = [Bounds::EMPTY; 4];
    let mut add = |direction: usize, bounds: &Bounds| {
        for (arrival, joined) in arrivals.iter_mut().enumerate() {
            if corner.unbeaten[arrival] >> direction & 1 == 1 {
                joined.join(bounds);
            }
        }
    };
    for (hop, bounds) in hops.iter().zip(&labelled.bounds) {
        let direction = match hop.before {
            NO_HOP => leaving(at, graph.points[hop.point as usize]),
            before => directions[usize::from(before)],
        };
        directions.push(direction);
        add(direction, bounds);
    }
    for (direction, cone) in cones.iter().enumerate() {
        add(direction, cone);
    }
    arrivals
}

#[cfg(test)]
mod tests;
