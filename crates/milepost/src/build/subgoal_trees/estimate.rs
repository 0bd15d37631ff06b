//! What trees would take, from those of a few goals.

use super::{Sharers, build, visit_terrain};
use crate::build::numbering::numbering;
use crate::build::{BuildError, Estimate, SILENT};
use crate::index::IndexKind;
use crate::index::goal_bounds::Rank;
use crate::index::state_numbers::Patch;
use crate::index::subgoal_trees::{BLOCK, Row, TreeArc};
use crate::space::{Space, SpaceKind};
use std::collections::BTreeSet;
use std::time::Instant;

/// Spaces up to this many states are built.
const SMALL: usize = 1024;

/// Goals that follow each other, and how many times.
const STRETCH: usize = 16;
const STRETCHES: usize = 48;

/// What [`build`] would take.
pub(in crate::build) fn estimate(space: &Space, parameter: u32) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let numbering = numbering(space)?;
    let states = numbering.order.len();
    let kind = IndexKind::SUBGOAL_TREES;
    if states <= SMALL {
        let bytes = build(space, parameter, SILENT)?.as_slice().len() as u64;
        return Ok(Estimate::new(kind, bytes, begin.elapsed().as_secs_f64(), None));
    }
    let stretch = |index: usize| (2 * index + 1) * (states - STRETCH) / (2 * STRETCHES);
    let goals: Vec<u32> =
        (0..STRETCHES).map(stretch).flat_map(|first| first as u32..(first + STRETCH) as u32).collect();
    let work = Sharers { goals: &goals, part: STRETCH, parameter, progress: SILENT };
    let parts = visit_terrain(space, &numbering.order, work);
    let seconds = begin.elapsed().as_secs_f64() * states as f64 / goals.len() as f64;

    // What changes at the first goal of a stretch is the whole tree.
    let changes: usize =
        parts.iter().map(|part| part.changes.iter().filter(|change| change.goal != part.begin).count()).sum();
    let runs = changes * states / (STRETCHES * (STRETCH - 1));
    let changed = parts.iter().flat_map(|part| &part.changes);
    let subgoals: BTreeSet<u32> = changed.map(|change| change.subgoal).collect();
    let listed: usize = (0..states.div_ceil(BLOCK as usize))
        .map(|block| {
            let lists = parts.iter().flat_map(|part| &part.lists[block]);
            lists.collect::<BTreeSet<&u32>>().len()
        })
        .sum();
    let places = match space.as_grid() {
        Some(grid) => (grid.id_bound() / 64) * size_of::<Patch>(),
        None => space.id_bound() * size_of::<u32>(),
    };
    let width = if states > 1 << 16 { 2 } else { 1 };
    let by_states = states / 64 * size_of::<Rank>() + states / BLOCK as usize * size_of::<u32>();
    let by_subgoals = subgoals.len() * (size_of::<u32>() + size_of::<Row>() + 4 * size_of::<TreeArc>());
    let bytes = places + by_states + by_subgoals + (runs * 4 + listed * 2) * width;
    Ok(Estimate::new(kind, bytes as u64, seconds, None))
}
