//! Builds [`jump-bounds`](crate::index::jump_bounds): for each jump point, which of its edges lead where.
//!
//! Distances between jump points are [flooded](super::jump_points::flood), and the hops of each source, those that see it, are
//! handed on to the cells ([`propagate`](super::jump_points::propagate)). A box may be larger than needed and stays right: a
//! superset only prunes less.
//!
//! # Paper
//! S. Rabin, N. Sturtevant: Combining bounding boxes and JPS to prune grid pathfinding, AAAI 2016. There one box for
//! each direction of each cell, by a flood from every cell; here one for each edge of each jump point.
//!
//! # Guarantees
//! Every cell that a jump point reaches and does not see lies in the box of an edge that begins a shortest path to it.
//! The same bytes with any number of threads.

use super::jump_points::JumpPointGraph;
use super::jump_points::batches::{self, PerSource};
use super::jump_points::feasibility::{check_hops, check_share};
use super::jump_points::flood::Flood;
use super::jump_points::packed_distances::DistanceWord;
use super::jump_points::propagate::FirstHopLabeller;
use super::{BuildError, Estimate, Progress, SILENT};
use crate::index::jump_bounds::{Edge, Header, Node};
use crate::index::small_box::SmallBox;
use crate::index::{Bytes, IndexKind, JumpTable, SectionWriter};
use crate::space::Grid;
use pulp::Simd;
use std::ops::Range;
use std::time::Instant;

/// One jump point's part of the index.
#[derive(PartialEq, Eq, Debug)]
struct Part {
    seen: SmallBox,
    edges: Vec<Edge>,
}

/// The index of a grid with strict corners, no weights and no links.
pub(super) fn build(grid: &Grid, table: JumpTable<'_>, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    let graph = jump_point_graph(grid, table)?;
    let all: Vec<u32> = (0..batches::count(&graph)).collect();
    let parts = parts_of(&graph, &all, progress)?;
    let mut nodes = Vec::with_capacity(parts.len() + 1);
    let mut edges = Vec::new();
    for part in &parts {
        nodes.push(Node { first_edge: edges.len() as u32, seen: part.seen });
        edges.extend_from_slice(&part.edges);
    }
    nodes.push(Node { first_edge: edges.len() as u32, seen: SmallBox::EMPTY });
    let header = Header { box_shift: box_shift(grid), zero: [0; 3] };
    Ok(SectionWriter::default().push(&[header]).push(&graph.points).push(&nodes).push(&edges).finish())
}

/// What [`build`] would take.
pub(super) fn estimate(grid: &Grid, table: JumpTable<'_>) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let graph = jump_point_graph(grid, table)?;
    let prepared = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    let parts = parts_of(&graph, &batches::spread(&graph, SAMPLE), SILENT)?;
    let share = graph.points.len() as f64 / parts.len().max(1) as f64;
    let bytes: usize = parts
        .iter()
        .map(|part| size_of::<u32>() + size_of::<Node>() + part.edges.len() * size_of::<Edge>())
        .sum();
    let bytes = (bytes as f64 * share) as u64 + 300;
    let seconds = prepared + begin.elapsed().as_secs_f64() * share;
    Ok(Estimate::new(IndexKind::JUMP_BOUNDS, bytes, seconds, Some(graph.points.len() as u32)))
}

/// Batches of sources that an estimate tries.
const SAMPLE: u32 = 12;

/// What [`build`] and [`estimate`] begin with, and refuse a map by.
pub(super) fn jump_point_graph<'a>(
    grid: &'a Grid,
    table: JumpTable<'a>,
) -> Result<JumpPointGraph<'a>, BuildError> {
    check_share(grid, &table, refuse)?;
    let graph = JumpPointGraph::new(grid, table, IndexKind::JUMP_BOUNDS)?;
    check_hops(&graph, refuse)?;
    Ok(graph)
}

fn refuse(why: String) -> BuildError {
    BuildError::DoesNotPay { kind: IndexKind::JUMP_BOUNDS, why }
}

fn box_shift(grid: &Grid) -> u32 {
    SmallBox::shift(grid.width().max(grid.height()) + 2)
}

/// The parts of batches of sources.
fn parts_of(
    graph: &JumpPointGraph<'_>,
    batches: &[u32],
    progress: Progress<'_>,
) -> Result<Vec<Part>, BuildError> {
    let parts = batches::run(&Boxes, graph, batches, progress);
    let parts = parts.ok_or_else(|| refuse("some corner sees more than 254 others".to_owned()))?;
    Ok(parts.into_iter().flatten().collect())
}

/// A box for each edge of a source.
struct Boxes;

impl PerSource for Boxes {
    type Part = Part;

    #[inline(always)]
    fn batch<W: DistanceWord, S: Simd>(
        &self,
        simd: S,
        graph: &JumpPointGraph<'_>,
        sources: Range<u32>,
        flood: &mut Flood<W>,
        labeller: &mut FirstHopLabeller<W>,
    ) -> Option<Vec<Part>> {
        if !flood.run(graph, sources) {
            return None;
        }
        let shift = box_shift(graph.grid);
        let labelled = labeller.run(simd, graph, flood);
        let parts = labelled.iter().zip(flood.hops.iter().zip(&flood.seen)).map(|(bounds, (hops, seen))| {
            let edges = hops.iter().zip(bounds);
            let edges = edges.map(|(&point, bounds)| Edge { point, goals: bounds.small(shift) });
            Part { seen: seen.small(shift), edges: edges.filter(|edge| !edge.goals.is_empty()).collect() }
        });
        Some(parts.collect())
    }
}

#[cfg(test)]
#[path = "jump_bounds_tests.rs"]
mod tests;
