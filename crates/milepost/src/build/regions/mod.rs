//! Builds [`regions`](crate::index::regions): groups of cells by a clique abstraction, and one flood from each region.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game pathfinding,
//! JAIR 2010, section 4, after V. Bulitko, M. Luštrek, J. Schaeffer, Y. Björnsson, S. Sigmundarson: Dynamic control in
//! real-time heuristic search, JAIR 2008.
//!
//! # Guarantees
//! Paths are shortest ones. The same bytes with any number of threads: floods are independent and put together in order.
//!
//! # Deviations
//! 1. The state that stands for a region is its state nearest to its centroid, then the one with the least id.
//! 2. Beside the exit of the paper, the first, the last one is recorded: a path may touch a neighbouring region and come
//!    back, and then the first exit leads an agent to and fro.

mod cliques;

use super::{BuildError, Estimate, Progress, parallel};
use crate::core::{Budget, Cost, Expander, Goal, Search, StateId};
use crate::index::regions::{NONE, Regions};
use crate::index::{Bytes, Exit, IndexKind, Section, SectionWriter};
use crate::space::{FloodMoves, FloodVisitor, SlotExpander, Space};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// More regions than this have more subgoals than a file should hold.
const MOST: u32 = 4096;

/// The regions of a space after so many levels.
pub(super) fn build(space: &Space, level: u32, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    let partition = Partition::new(space, level)?;
    let count = partition.standing.len();
    let done = AtomicU64::new(0);
    let rows: Vec<Row> = parallel::map_with(count, Search::new, |search, region| {
        let row = partition.row(space, region as u16, search);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, count as u64 + 1);
        row
    });
    let table =
        |pick: fn(&Row) -> &Vec<u32>| rows.iter().flat_map(|row| pick(row).clone()).collect::<Vec<u32>>();
    let standing: Vec<u32> = partition.standing.iter().map(|state| state.number()).collect();
    let mut writer = SectionWriter::default();
    writer.push(&[count as u32, 0, 0, 0]).push(&partition.of_ids).push(&standing);
    writer.push(&table(|row| &row.last)).push(&table(|row| &row.first));
    Ok(writer.finish())
}

/// Refuses what [`build`] refuses.
pub(super) fn check(space: &Space, level: u32) -> Result<(), BuildError> {
    Partition::new(space, level).map(drop)
}

/// Floods that an estimate tries.
const SAMPLE: usize = 8;

/// What [`build`] would take, from the abstraction and a few floods.
pub(super) fn estimate(space: &Space, level: u32) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let partition = Partition::new(space, level)?;
    let count = partition.standing.len();
    let abstraction = begin.elapsed().as_secs_f64();
    // Floods side by side, as in a build: two slow each other down.
    let sample: Vec<usize> = (0..count).step_by((count / SAMPLE).max(1)).take(SAMPLE).collect();
    let begin = Instant::now();
    parallel::map_list_with(&sample, Search::new, |search, &region| {
        partition.row(space, region as u16, search);
    });
    let share = count as f64 / sample.len().max(1) as f64;
    let seconds = abstraction + begin.elapsed().as_secs_f64() * share;
    let bytes = 2 * space.id_bound() + 4 * count + 8 * count * count + 400;
    Ok(Estimate::new(IndexKind::REGIONS, bytes as u64, seconds, None))
}

/// Every subgoal lies outside its region, in the strong component of both regions' states if they share one.
pub(super) fn verify(space: &Space, section: &Section) -> Result<(), String> {
    let regions = Regions::new(section);
    for from in 0..regions.count() {
        let standing = |region| regions.standing_for(region).unwrap_or(StateId::NONE);
        if regions.of(standing(from)) != Some(from) {
            return Err(format!("region {from} is stood for by a state of another"));
        }
        for (to, exit) in (0..regions.count()).flat_map(|to| [(to, Exit::First), (to, Exit::Last)]) {
            let Some(subgoal) = regions.subgoal(from, to, exit) else { continue };
            let component = space.component(standing(from));
            let is_joined = component == space.component(standing(to));
            if regions.of(subgoal) == Some(from) || is_joined && space.component(subgoal) != component {
                return Err(format!("the way from region {from} to {to} leaves it at {subgoal}"));
            }
        }
    }
    Ok(())
}

/// Regions, and the states that stand for them.
struct Partition {
    of_ids: Vec<u16>,
    standing: Vec<StateId>,
}

/// The subgoals of one region.
struct Row {
    first: Vec<u32>,
    last: Vec<u32>,
}

impl Partition {
    fn new(space: &Space, level: u32) -> Result<Partition, BuildError> {
        let (regions, count) = cliques::regions(space, level);
        if count > MOST {
            let why = format!(
                "level {level} gives {count} regions, more than {MOST}; a higher level, as in `regions:8`, has fewer"
            );
            return Err(BuildError::DoesNotPay { kind: IndexKind::REGIONS, why });
        }
        let mut of_ids = vec![NONE; space.id_bound()];
        let mut sums = vec![(0_i128, 0_i128, 0_i128); count as usize];
        for (state, region) in space.free_states().zip(&regions) {
            of_ids[state.index()] = *region as u16;
            let (point, sum) = (space.point(state), &mut sums[*region as usize]);
            *sum = (sum.0 + i128::from(point.x), sum.1 + i128::from(point.y), sum.2 + 1);
        }
        let mut nearest: Vec<Option<(i128, StateId)>> = vec![None; count as usize];
        for (state, region) in space.free_states().zip(&regions) {
            let (point, (x, y, members)) = (space.point(state), sums[*region as usize]);
            // Members times the distance from the centroid, squared.
            let (x, y) = (i128::from(point.x) * members - x, i128::from(point.y) * members - y);
            let this = (x.saturating_mul(x).saturating_add(y.saturating_mul(y)), state);
            let best = &mut nearest[*region as usize];
            *best = Some(best.map_or(this, |best| best.min(this)));
        }
        let standing =
            nearest.into_iter().map(|best| best.map_or(StateId::NONE, |(_, state)| state)).collect();
        Ok(Partition { of_ids, standing })
    }

    /// Shortest paths from one region's state to all others', and where each leaves the region.
    fn row(&self, space: &Space, region: u16, search: &mut Search) -> Row {
        space.visit_flood(FloodMoves::Canonical, RowFlood { partition: self, region, search })
    }

    fn flood<E: Expander>(&self, moves: &E, region: u16, search: &mut Search) -> Row {
        let none = StateId::NONE.number();
        let mut row = Row { first: vec![none; self.standing.len()], last: vec![none; self.standing.len()] };
        search.begin(moves, &Nowhere, self.standing[usize::from(region)]);
        search.run(moves, &Nowhere, &mut Budget::unlimited());
        let is_inside = |state: StateId| self.of_ids[state.index()] == region;
        for (to, &standing) in self.standing.iter().enumerate() {
            // Backwards, the last exit comes first.
            let mut after = standing;
            for state in search.trace(standing).skip(1) {
                if is_inside(state) && !is_inside(after) {
                    if row.last[to] == none {
                        row.last[to] = after.number();
                    }
                    row.first[to] = after.number();
                }
                after = state;
            }
        }
        row
    }
}

/// The flood that finds the row of a region.
struct RowFlood<'a> {
    partition: &'a Partition,
    region: u16,
    search: &'a mut Search,
}

impl FloodVisitor for RowFlood<'_> {
    type Answer = Row;

    fn visit<E: SlotExpander>(self, moves: &E) -> Row {
        self.partition.flood(moves, self.region, self.search)
    }
}

/// A flood wants to be everywhere.
struct Nowhere;

impl Goal for Nowhere {
    fn is_reached(&self, _: StateId) -> bool {
        false
    }

    fn estimate(&self, _: StateId) -> Cost {
        Cost::ZERO
    }
}

#[cfg(test)]
mod tests {
    use crate::build::{SILENT, build, verify};
    use crate::core::Rng;
    use crate::index::{Atlas, Exit, IndexKind, IndexSpec};
    use crate::space::{Grid, Rule};

    #[test]
    fn regions_cover_the_map_and_ways_leave_them_where_they_say() {
        // Walls here and there, in blocks that leave ways between them.
        let mut rng = Rng::new(7);
        let walls: Vec<bool> = (0..15 * 11).map(|_| rng.below(3) == 0).collect();
        let is_street = |at: u32| at.is_multiple_of(4);
        let is_free = |x: u32, y: u32| is_street(x) || is_street(y) || !walls[(y / 4 * 15 + x / 4) as usize];
        let atlas = Atlas::new(Grid::new(60, 44, Rule::Octile14, is_free).unwrap());
        let mut before = atlas.space().states();
        for level in 1..8 {
            let index = IndexSpec::new(IndexKind::REGIONS, level);
            let atlas = build(&atlas, index, SILENT).expect("regions");
            verify(&atlas).expect("what was built is true");
            let regions = atlas.regions(level).expect("they were built");
            // Each level makes them fewer, until there is one for each component.
            assert!(regions.count() < before || regions.count() == atlas.space().component_count());
            before = regions.count();
            for state in atlas.space().free_states() {
                let region = regions.of(state).expect("every free state has one");
                let standing = regions.standing_for(region).expect("every region has one");
                assert_eq!(atlas.space().component(state), atlas.space().component(standing));
            }
            for (from, to) in
                (0..regions.count()).flat_map(|from| (0..regions.count()).map(move |to| (from, to)))
            {
                let [from_state, to_state] =
                    [from, to].map(|region| regions.standing_for(region).expect("a state"));
                let is_joined = atlas.space().component(from_state) == atlas.space().component(to_state);
                for exit in [Exit::First, Exit::Last] {
                    assert_eq!(regions.subgoal(from, to, exit).is_some(), is_joined && from != to);
                }
            }
        }
        assert!(before < 40, "{before}");
    }
}
