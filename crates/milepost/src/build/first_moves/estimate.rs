//! What a table would take, from the rows of a few blocks.

use super::blocks::{Block, Plan};
use super::distances::Distances;
use super::{JumpArrays, Method, RAW};
use crate::build::{BuildError, Estimate, SILENT};
use crate::index::first_moves::places::Patch;
use crate::index::first_moves::rows::{LANES, RowHead};
use crate::index::{IndexKind, JumpTable};
use crate::space::{Grid, Space};
use std::time::Instant;

/// Blocks that are tried, as many as the bound on work allows.
const MOST_BLOCKS: usize = 96;
const LEAST_BLOCKS: usize = 2;

/// Work of all blocks that are tried, in states that a flood or a row looks at.
const WORK: usize = 32_000_000;

/// Work of a block for each state: by jump points, or by a flood from each of its sources.
const WORK_BY_POINTS: usize = 8;
const WORK_BY_FLOODS: usize = LANES;

/// States of which each could have a pattern of its own, and a row would still have numbers for them: there are four
/// quarters to a pattern.
const SURE: u32 = (u16::MAX / 4) as u32;

/// Whether a table can be built, as far as that is known beforehand; false in doubt.
pub(in crate::build) fn is_sure(space: &Space) -> bool {
    let Ok(plan) = Plan::new(space, true) else { return false };
    space.states() <= SURE || Method::tables(&plan).is_ok_and(|(tables, _)| tables.is_some())
}

/// A method that can work out the rows of some blocks.
struct Trial<'a> {
    method: Method<'a>,
    blocks: Vec<Block>,
    /// What the method for all blocks takes to prepare, and memory beyond that of this one.
    seconds: f64,
    more_memory: u64,
}

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
    let planned = begin.elapsed().as_secs_f64();
    let Trial { method, blocks, seconds: prepared, more_memory } = Trial::new(&plan, tables.as_ref());
    let begin = Instant::now();
    let rows = method.rows(&plan, &blocks, SILENT, None)?;
    let share = plan.blocks.len() as f64 / blocks.len().max(1) as f64;
    let seconds = planned + prepared + begin.elapsed().as_secs_f64() * share;
    let words: usize = rows.iter().map(|row| row.words.len()).sum();
    // Rows begin at multiples of four words, by numbers of 32 bits.
    if words as f64 * share / 4.0 > f64::from(u32::MAX) {
        return Err(super::pack::too_many());
    }
    let bytes = words as f64 * 2.0 * share + fixed_bytes(&plan) as f64;
    let memory = method.memory() + more_memory + 2 * bytes as u64;
    Ok(Estimate { kind, bytes: bytes as u64, seconds, jump_points, raw_bytes, memory: Some(memory) })
}

impl<'a> Trial<'a> {
    fn new(plan: &'a Plan<'a>, tables: Option<&'a JumpArrays>) -> Trial<'a> {
        let begin = Instant::now();
        if let (Some(arrays), Some(grid)) = (tables, plan.space.as_grid()) {
            let table = JumpTable::of(grid, &arrays.squares, &arrays.entries);
            if let Some(trial) = Trial::by_points(plan, grid, table) {
                return trial;
            }
        }
        let (method, blocks) = (Method::of_floods(plan), sample(plan, WORK_BY_FLOODS));
        Trial { method, blocks, seconds: begin.elapsed().as_secs_f64(), more_memory: 0 }
    }

    /// Of the distances between jump points only those that the blocks need are worked out.
    fn by_points(plan: &'a Plan<'a>, grid: &'a Grid, table: JumpTable<'a>) -> Option<Trial<'a>> {
        let begin = Instant::now();
        let distances = Distances::without_rows(grid, table).ok()?;
        let (blocks, all) = (sample(plan, WORK_BY_POINTS), distances.points());
        let (cells, points) = distances.needed_for(&blocks);
        let fixed = begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        let distances = distances.with_rows(&points);
        let rows = begin.elapsed().as_secs_f64() * all as f64 / points.len().max(1) as f64;
        let begin = Instant::now();
        let distances = distances.with_seen_by(&cells);
        // The lists of all cells are written beside.
        let seen = 2.0 * begin.elapsed().as_secs_f64();
        let more_memory = distances.bytes_of_all_rows();
        let method = Method::of_distances(distances);
        Some(Trial { method, blocks, seconds: fixed + rows + seen, more_memory })
    }
}

/// Blocks that are spread over all, as many as the work allows that each takes for every state.
fn sample(plan: &Plan<'_>, work_of_state: usize) -> Vec<Block> {
    let affordable = WORK / (work_of_state * plan.order.len()).max(1);
    let (all, some) = (plan.blocks.len(), affordable.clamp(LEAST_BLOCKS, MOST_BLOCKS).min(plan.blocks.len()));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Rule;

    #[test]
    fn an_estimate_tries_fewer_blocks_the_larger_the_map_is() {
        for (side, by_points, by_floods) in [(40, 96, 96), (250, 64, 8), (700, 8, 2)] {
            let space = Space::from(Grid::new(side, side, Rule::Octile, |_, _| true).unwrap());
            let plan = Plan::new(&space, true).unwrap();
            let tried = |work: usize| sample(&plan, work).len();
            let expected = (by_points.min(plan.blocks.len()), by_floods.min(plan.blocks.len()));
            assert_eq!((tried(WORK_BY_POINTS), tried(WORK_BY_FLOODS)), expected, "{side}");
        }
    }

    #[test]
    fn rows_from_some_distances_are_those_from_all() {
        let mut rng = crate::core::Rng::new(77);
        for _ in 0..crate::core::rounds(20) {
            let grid = Grid::new(60, 50, Rule::Octile, |_, _| rng.below(100) >= 20).unwrap();
            let space = Space::from(grid);
            let plan = Plan::new(&space, false).unwrap();
            let (tables, _) = Method::tables(&plan).unwrap();
            let trial = Trial::new(&plan, tables.as_ref());
            let rows = |method: &Method<'_>| method.rows(&plan, &trial.blocks[3..9], SILENT, None).unwrap();
            assert!(rows(&trial.method) == rows(&Method::new(&plan, tables.as_ref())));
        }
    }
}
