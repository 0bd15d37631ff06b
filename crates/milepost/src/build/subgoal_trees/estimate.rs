//! What trees would take, from those of a few goals.

use super::{Sharers, build, visit_terrain};
use crate::build::numbering::numbering;
use crate::build::{BuildError, Estimate, SILENT};
use crate::index::IndexKind;
use crate::index::goal_bounds::Rank;
use crate::index::state_numbers::Patch;
use crate::index::subgoal_trees::{BLOCK, Row, TreeArc};
use crate::space::{Space, SpaceKind};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Spaces up to this many states are built.
const SMALL: usize = 1024;

/// Goals that follow each other, fewer where trees are large, and how many times: as often as the bound on work allows.
const STRETCH: usize = 16;
const SHORT_STRETCH: usize = 8;
const MOST_STRETCHES: usize = 48;
const LEAST_STRETCHES: usize = 4;

/// States of all trees that are made.
const WORK: usize = 12_000_000;

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
    let is_long = STRETCH * LEAST_STRETCHES * states <= WORK;
    let length = if is_long { STRETCH } else { SHORT_STRETCH };
    let stretches = (WORK / (length * states)).clamp(LEAST_STRETCHES, MOST_STRETCHES);
    let stretch = |index: usize| (2 * index + 1) * (states - length) / (2 * stretches);
    let goals: Vec<u32> =
        (0..stretches).map(stretch).flat_map(|first| first as u32..(first + length) as u32).collect();
    let work = Sharers { goals: &goals, part: length, parameter, progress: SILENT };
    let parts = visit_terrain(space, &numbering.order, work);
    let seconds = begin.elapsed().as_secs_f64() * states as f64 / goals.len() as f64;

    // What changes at the first goal of a stretch is the whole tree.
    let changes: usize =
        parts.iter().map(|part| part.changes.iter().filter(|change| change.goal != part.begin).count()).sum();
    let runs = changes * states / (stretches * (length - 1));
    let subgoals = all_of(
        parts.iter().map(|part| part.changes.iter().map(|change| change.subgoal).collect::<BTreeSet<u32>>()),
    );
    let listed: usize = (0..states.div_ceil(BLOCK as usize))
        .map(|block| all_of(parts.iter().map(|part| part.lists[block].iter().copied().collect())))
        .sum();
    let places = match space.as_grid() {
        Some(grid) => (grid.id_bound() / 64) * size_of::<Patch>(),
        None => space.id_bound() * size_of::<u32>(),
    };
    let width = if states > 1 << 16 { 2 } else { 1 };
    let by_states = states / 64 * size_of::<Rank>() + states / BLOCK as usize * size_of::<u32>();
    let by_subgoals = subgoals * (size_of::<u32>() + size_of::<Row>() + 4 * size_of::<TreeArc>());
    let bytes = places + by_states + by_subgoals + (runs * 4 + listed * 2) * width;
    Ok(Estimate::new(kind, bytes as u64, seconds, None))
}

/// How many things there are, from those that turn up in each of some samples: the more turn up once, of those that turn up
/// at all, the more are still unseen.
///
/// # Paper
/// A. Chao: Estimating the population size for capture-recapture data with unequal catchability, Biometrics 1987.
fn all_of(samples: impl Iterator<Item = BTreeSet<u32>>) -> usize {
    let mut times: BTreeMap<u32, usize> = BTreeMap::new();
    let mut count = 0_usize;
    for sample in samples {
        count += 1;
        sample.into_iter().for_each(|thing| *times.entry(thing).or_default() += 1);
    }
    let turned_up = |often: usize| times.values().filter(|&&times| times == often).count();
    let (once, twice) = (turned_up(1), turned_up(2));
    let unseen = once * once.saturating_sub(1) / (2 * (twice + 1));
    times.len() + unseen * count.saturating_sub(1) / count.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_up_once_tells_of_what_has_not_turned_up() {
        let sets = |sets: &[&[u32]]| all_of(sets.iter().map(|set| set.iter().copied().collect()));
        // All of them turn up everywhere: there are no others.
        assert_eq!(sets(&[&[1, 2, 3], &[1, 2, 3], &[1, 2, 3]]), 3);
        // None turns up twice: there must be many.
        assert!(sets(&[&[1, 2, 3], &[4, 5, 6], &[7, 8, 9]]) > 20);
        assert_eq!(sets(&[]), 0);
    }
}
