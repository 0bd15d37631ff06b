//! Builds [`case-base`](crate::index::case_base): random problems, solved and compressed, and regions with the ways
//! between them.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game
//! pathfinding, JAIR 2010: figure 5 (`computeSubgoals`); for the regions section 10 ([`regions`]).
//!
//! # Symbols
//! `N` the number of records, `p` a path, `Gamma_p` the states kept of it.
//!
//! # Guarantees
//! The same bytes with any number of threads: every record has its own random numbers, by its number and the map's
//! fingerprint.
//!
//! # Deviations
//! 1. Paths are found by jump point search with a table where the rule allows, elsewhere by A*: which of several shortest
//!    paths is found differs, nothing else. Both states are of one strong component, as the paper presumes, so that no search is in vain.
//! 2. There are no more records than states: on a map so small they would be the same ones.
//! 3. With fragments (section 6.2, the paper's negative result) every part of a record that begins and ends with a state
//!    kept is a record too, up to [`MOST_FRAGMENTS`] of each path, the longest first.
//! 4. A record is given up after [`DRAWS`] pairs of states without a path of three: on a map of two cells there is none.

mod compress;
mod regions;
mod verify;
mod walker;

pub(super) use verify::verify;

use super::{BuildError, Estimate, Progress, SILENT, jump_table, jumping_grid, parallel};
use crate::core::{Budget, Cost, Rng, StateId};
use crate::index::case_base::nearest::{arrange, place_on};
use crate::index::case_base::{Ends, Head, Leg, MOST_FRAGMENTS};
use crate::index::{Atlas, Bytes, IndexKind, IndexSpec, SectionKey, SectionWriter};
use crate::plan::{Astar, JpsPlus, Outcome, Planner, Query, Scratch};
use crate::space::{Reach, Space};
use compress::{KeptState, compress};
use regions::{Regions, RegionsEstimate};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use walker::Walker;

/// Pairs of states that are drawn for a record.
const DRAWS: u32 = 1000;

/// Records that are made in one go by one thread.
const BATCH: u32 = 64;

/// The case base that the parameter says: with so many records of random problems; with none of them, regions alone.
pub(super) fn build(atlas: &Atlas, parameter: u32, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    let atlas = &with_table(atlas)?;
    let (solver, records) = Solver::new(atlas, parameter);
    let cases = solver.cases(0..records, records, progress);
    let mut cases: Vec<(u32, Case)> = (0..).zip(cases).collect();
    let divided = Regions::of(&solver).and_then(|regions| regions.with_legs(&solver));
    let (regions, legs) = unless_alone(divided, parameter)?.unwrap_or_else(|| (Regions::none(), Vec::new()));
    if let Some(grid) = atlas.space().as_grid() {
        let place = |case: &(u32, Case)| place_on(grid, case.1.start, case.1.end);
        arrange(&mut cases, &place, &|case| case.0);
    }
    Ok(section(cases.iter().map(|(_, case)| case), &regions, &legs))
}

/// What [`build`] would take: the regions of some pieces are made, and a sample of the records.
pub(super) fn estimate(atlas: &Atlas, parameter: u32) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let atlas = &with_table(atlas)?;
    let (solver, records) = Solver::new(atlas, parameter);
    let fixed = begin.elapsed().as_secs_f64();
    let regions = unless_alone(Regions::estimate(&solver), parameter)?;
    let regions = regions.unwrap_or(RegionsEstimate { bytes: 0, seconds: 0.0 });
    let sample = records.min(SAMPLE);
    let begin = Instant::now();
    let cases = solver.cases(0..sample, records, SILENT);
    let share = f64::from(records) / f64::from(sample.max(1));
    let seconds = fixed + regions.seconds + begin.elapsed().as_secs_f64() * share;
    let none = section([].into_iter(), &Regions::none(), &[]).as_slice().len();
    let all = section(cases.iter(), &Regions::none(), &[]).as_slice().len();
    let bytes = none as u64 + regions.bytes + ((all - none) as f64 * share) as u64;
    Ok(Estimate::new(IndexKind::CASE_BASE, bytes, seconds, None))
}

/// Records serve without regions too; but a case base of regions alone, on a space that cannot be divided, would be empty, and is
/// refused.
fn unless_alone<T>(divided: Result<T, BuildError>, parameter: u32) -> Result<Option<T>, BuildError> {
    match divided {
        Err(refused) if parameter & !IndexSpec::FRAGMENTS == 0 => Err(refused),
        divided => Ok(divided.ok()),
    }
}

/// Records that an estimate tries.
const SAMPLE: u32 = 512;

/// The same with a jump table, where paths can jump and the map is not too large for one.
fn with_table(atlas: &Atlas) -> Result<Atlas, BuildError> {
    let table = SectionKey::plain(IndexKind::JUMP_TABLE);
    match jumping_grid(atlas.space(), IndexKind::JUMP_TABLE).and_then(jump_table::build) {
        Ok(bytes) if !atlas.has(IndexKind::JUMP_TABLE) => Ok(atlas.with_shared(table, bytes)?),
        _ => Ok(atlas.clone()),
    }
}

/// A path as it is kept.
#[derive(Clone, Debug)]
struct Case {
    start: StateId,
    end: StateId,
    /// What lies between them.
    subgoals: Vec<u32>,
    /// What the walk along all of them costs.
    walked: Cost,
}

impl Case {
    fn of(kept: &[KeptState]) -> Case {
        let last = kept.len() - 1;
        Case {
            start: kept[0].state,
            end: kept[last].state,
            subgoals: kept[1.min(last)..last].iter().map(|kept| kept.state.number()).collect(),
            walked: Cost::new(kept[last].walked.units().saturating_sub(kept[0].walked.units())),
        }
    }
}

/// A way between two regions.
#[derive(Clone, Debug)]
struct Passage {
    from: u32,
    to: u32,
    cost: Cost,
    case: Case,
}

/// Finds and compresses paths.
struct Solver<'a> {
    /// With a jump table where one can jump.
    atlas: &'a Atlas,
    space: &'a Space,
    walker: Walker<'a>,
    states: Vec<StateId>,
    /// Records that one path gives at most.
    most_of_a_path: usize,
}

/// What one thread works in.
#[derive(Default)]
struct Bench {
    scratch: Scratch,
    cells: Vec<StateId>,
    kept: Vec<KeptState>,
}

impl<'a> Solver<'a> {
    /// And how many paths there are to be: by deviation 2 no more than states.
    fn new(atlas: &'a Atlas, parameter: u32) -> (Solver<'a>, u32) {
        let space = atlas.space();
        let states: Vec<StateId> = space.free_states().collect();
        let paths = (parameter & !IndexSpec::FRAGMENTS).min(states.len() as u32);
        let most_of_a_path = if parameter & IndexSpec::FRAGMENTS == 0 { 1 } else { MOST_FRAGMENTS as usize };
        (Solver { atlas, space, walker: Walker::new(atlas), states, most_of_a_path }, paths)
    }

    /// Some of the records that there are to be.
    fn cases(&self, numbers: std::ops::Range<u32>, total: u32, progress: Progress<'_>) -> Vec<Case> {
        let done = AtomicU64::new(0);
        let batches: Vec<u32> = numbers.clone().step_by(BATCH as usize).collect();
        let parts = parallel::map_list_with(&batches, Bench::default, |bench, &first| {
            let batch = first..first.saturating_add(BATCH).min(numbers.end);
            let mut cases = Vec::new();
            batch.for_each(|number| self.record(number, bench, &mut cases));
            progress(done.fetch_add(u64::from(BATCH), Ordering::Relaxed), total.into());
            cases
        });
        parts.into_iter().flatten().collect()
    }

    /// Figure 5, lines 3-7: one record, or those of one path.
    fn record(&self, number: u32, bench: &mut Bench, cases: &mut Vec<Case>) {
        let mut rng = Rng::new(self.space.hash() ^ u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let count = self.states.len() as u32;
        for _ in 0..DRAWS {
            // Line 3.
            let mut any = || self.states[rng.below(count) as usize];
            let (start, goal) = (any(), any());
            // Lines 4 and 5.
            if self.space.reach(start, goal) != Reach::Always || self.path(start, goal, bench).is_none() {
                continue;
            }
            if bench.cells.len() >= 3 {
                // Line 6.
                compress(self.space, &self.walker, &bench.cells, &mut bench.kept);
                let kept = &bench.kept;
                let fragments = (2..=kept.len()).rev().flat_map(|length| kept.windows(length));
                cases.extend(fragments.take(self.most_of_a_path).map(Case::of));
                return;
            }
        }
    }

    /// The cost of a shortest path, whose states are left in `cells`.
    fn path(&self, from: StateId, to: StateId, bench: &mut Bench) -> Option<Cost> {
        let (query, budget) = (Query::new(from, to), &mut Budget::unlimited());
        let scratch = &mut bench.scratch;
        let jps_plus = JpsPlus::default();
        let outcome = if jps_plus.refusal(self.atlas).is_none() {
            jps_plus.plan(self.atlas, &query, scratch, budget)
        } else {
            Astar::default().plan(self.atlas, &query, scratch, budget)
        };
        let Outcome::Found { cost, .. } = outcome else { return None };
        self.space.write_cells(scratch.path(), &mut bench.cells);
        Some(cost)
    }

    /// The path whose states are in `cells`, compressed.
    fn case(&self, bench: &mut Bench) -> Case {
        compress(self.space, &self.walker, &bench.cells, &mut bench.kept);
        Case::of(&bench.kept)
    }
}

fn section<'a>(cases: impl Iterator<Item = &'a Case>, regions: &Regions, legs: &[Passage]) -> Bytes {
    let (mut ends, mut firsts, mut subgoals) = (Vec::new(), Vec::new(), Vec::new());
    let mut walked = Vec::new();
    let mut keep = |case: &Case| {
        firsts.push(subgoals.len() as u32);
        subgoals.extend_from_slice(&case.subgoals);
    };
    for case in cases {
        ends.push(Ends { start: case.start.number(), end: case.end.number() });
        walked.push(case.walked.units());
        keep(case);
    }
    legs.iter().for_each(|leg| keep(&leg.case));
    firsts.push(subgoals.len() as u32);
    let dearest = legs.iter().map(|leg| leg.cost.units()).chain(walked.iter().copied()).max().unwrap_or(0);
    // One more bit, since costs are rounded up.
    let cost_shift = (u64::BITS + 1 - dearest.leading_zeros()).saturating_sub(u32::BITS);
    let rounded = |units: u64| units.div_ceil(1 << cost_shift) as u32;
    let stored = |leg: &Passage| Leg { to: leg.to, cost: rounded(leg.cost.units()) };
    let centres: Vec<u32> = regions.centres.iter().map(|centre| centre.number()).collect();
    let first_legs: Vec<u32> = (0..=centres.len() as u32)
        .map(|region| legs.partition_point(|leg| leg.from < region) as u32)
        .collect();
    SectionWriter::default()
        .push(&[Head { cost_shift, zero: 0 }])
        .push(&ends)
        .push(&firsts)
        .push(&subgoals)
        .push(&centres)
        .push(&first_legs)
        .push(&legs.iter().map(stored).collect::<Vec<Leg>>())
        .push(&walked.into_iter().map(rounded).collect::<Vec<u32>>())
        .finish()
}

#[cfg(test)]
mod tests;
