//! Index files that were changed, and whose checksums were put right again.
//!
//! Knows the layout of the file (docs/index-format.md) as far as checksums go, and what must hold of whatever opens.

use super::catalog_planners;
use milepost::Rng;
use milepost::catalog::{self, AGENTS};
use milepost::index::IndexFileError;
use milepost::{Atlas, Budget, Outcome, Query, Scratch, StateId, Step};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

const HEADER: usize = 64;
const ENTRY: usize = 32;

fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let slice = bytes.get(at..at.checked_add(size)?)?;
    Some(slice.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

fn entries(bytes: &[u8]) -> usize {
    let count = number(bytes, 12, 4).unwrap_or(0) as usize;
    count.min(bytes.len().saturating_sub(HEADER + 8) / ENTRY)
}

/// Where the sections are, as far as the table of sections can be believed.
pub fn sections(bytes: &[u8]) -> Vec<Range<usize>> {
    let range = |index: usize| {
        let at = HEADER + ENTRY * index;
        let (from, length) = (number(bytes, at + 8, 8)?, number(bytes, at + 16, 8)?);
        let (from, to) = (usize::try_from(from).ok()?, usize::try_from(from.checked_add(length)?).ok()?);
        (to <= bytes.len()).then_some(from..to)
    };
    (0..entries(bytes)).filter_map(range).collect()
}

/// The sections of an atlas by name, with their places in its bytes: the map, every index, figures.
pub fn named_sections(atlas: &Atlas) -> Vec<(&'static str, Range<usize>)> {
    let indexes = atlas.sections().iter().map(|section| section.index().kind.name());
    let figures = (!atlas.figures().is_empty()).then_some("figures");
    let names: Vec<&str> = ["map"].into_iter().chain(indexes).chain(figures).collect();
    let ranges = sections(&atlas.to_bytes());
    assert_eq!(names.len(), ranges.len(), "{names:?}");
    names.into_iter().zip(ranges).collect()
}

/// Makes every checksum that of the bytes as they are.
pub fn put_right(bytes: &mut [u8]) {
    let count = entries(bytes);
    for (index, range) in sections(bytes).into_iter().enumerate() {
        let checksum = xxh3_64(&bytes[range]).to_le_bytes();
        bytes[HEADER + ENTRY * index + 24..][..8].copy_from_slice(&checksum);
    }
    let end = HEADER + ENTRY * count;
    if end + 8 <= bytes.len() {
        let checksum = xxh3_64(&bytes[..end]).to_le_bytes();
        bytes[end..end + 8].copy_from_slice(&checksum);
    }
}

/// Opens bytes after checksums, and the fingerprint and the scale of the map, were made what they should be.
pub fn open(bytes: &mut [u8]) -> Option<Atlas> {
    for _ in 0..3 {
        put_right(bytes);
        match Atlas::from_bytes(bytes) {
            Ok(atlas) => return Some(atlas),
            Err(IndexFileError::Damaged { corruption, .. }) if corruption.offset == 24 => {
                let hash = u64::from_str_radix(&corruption.found, 16).ok()?;
                bytes[24..32].copy_from_slice(&hash.to_le_bytes());
            }
            Err(IndexFileError::Damaged { corruption, .. }) if corruption.offset == 40 => {
                let numbers: Vec<u64> = corruption
                    .expected
                    .split(|letter: char| !letter.is_ascii_digit())
                    .filter_map(|digits| digits.parse().ok())
                    .collect();
                for (index, number) in numbers.into_iter().take(3).enumerate() {
                    bytes[40 + 8 * index..][..8].copy_from_slice(&number.to_le_bytes());
                }
            }
            Err(_) => return None,
        }
    }
    None
}

/// Changes some bytes of a range: single ones, runs, numbers, pieces that change places.
pub fn mutate(bytes: &mut [u8], range: Range<usize>, rng: &mut Rng) {
    let length = range.len() as u32;
    if length == 0 {
        return;
    }
    let part = &mut bytes[range];
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(length) as usize;
        match rng.below(7) {
            0 => part[at] = rng.below(256) as u8,
            1 => part[at] ^= 1 << rng.below(8),
            2 => part[at] = part[at].wrapping_add([1, 255, 127, 128][rng.below(4) as usize]),
            3 => {
                let end = (at + 1 + rng.below(16) as usize).min(part.len());
                part[at..end].iter_mut().for_each(|byte| *byte = rng.below(256) as u8);
            }
            4 => {
                let other = rng.below(length) as usize;
                part.swap(at, other);
            }
            5 => {
                // Whole elements of 4, 8, 24 or 64 bytes.
                let size = [4, 8, 24, 64][rng.below(4) as usize];
                let (a, b) = (at / size * size, rng.below(length) as usize / size * size);
                if a + size <= part.len() && b + size <= part.len() {
                    (0..size).for_each(|byte| part.swap(a + byte, b + byte));
                }
            }
            _ => {
                let at = at / 4 * 4;
                let value = [0, 1, 0x7f, 0xff, 0xffff, 0x7fff_ffff, u32::MAX][rng.below(7) as usize];
                if let Some(number) = part.get_mut(at..at + 4) {
                    number.copy_from_slice(&value.to_le_bytes());
                }
            }
        }
    }
}

/// Puts random queries to every planner that does not refuse the atlas, more to those that read an index with their defaults. None may
/// panic, each must end. If `verify` finds nothing wrong, every path can be walked and costs what is said. Returns
/// whether it did.
pub fn exercise(atlas: &Atlas, queries: u32, rng: &mut Rng, scratch: &mut Scratch) -> bool {
    let is_verified = milepost::build::verify(atlas).is_ok();
    let states: Vec<StateId> = atlas.space().free_states().collect();
    if states.is_empty() {
        return is_verified;
    }
    for (name, planner) in catalog_planners() {
        if planner.refusal(atlas).is_some() {
            continue;
        }
        let queries = match (planner.needs().is_empty(), name.contains(':')) {
            (true, _) => 2,
            (false, true) => queries / 8,
            (false, false) => queries,
        };
        for round in 0..queries {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (start, goals) = (any(), [any(), any(), any()]);
            let goals = if round % 8 == 0 { &goals[..] } else { &goals[..1] };
            let mut query = Query::nearest_of(start, goals);
            query.partial = round % 5 == 0;
            // Far more than any map of a test needs.
            let outcome = planner.plan(atlas, &query, scratch, &mut Budget::units(1_000_000));
            assert_ne!(outcome, Outcome::OutOfBudget, "{}: {start:?} to {goals:?}", name);
            let cells: Vec<StateId> = atlas.space().cells(scratch.path()).take(1_000_000).collect();
            assert!(cells.len() < 1_000_000, "{}: an endless path", name);
            if is_verified && let Outcome::Found { cost, goal } = outcome {
                let ends = (cells.first().copied(), cells.last().copied());
                assert_eq!(ends, (Some(start), Some(goal)), "{}", name);
                let step = |pair: &[StateId]| atlas.space().step_cost(pair[0], pair[1], None);
                let sum: Option<u64> = cells.windows(2).map(|pair| step(pair).map(|cost| cost.units())).sum();
                assert_eq!(sum, Some(cost.units()), "{}: {start:?} to {goal:?}: {cells:?}", name);
            }
        }
    }
    walk_agents(atlas, &states, rng, scratch);
    is_verified
}

/// Lets every agent that does not refuse the atlas walk: each journey ends, by legal moves, with the work that is stated.
fn walk_agents(atlas: &Atlas, states: &[StateId], rng: &mut Rng, scratch: &mut Scratch) {
    for entry in AGENTS.iter().filter(|entry| entry.about.on_map) {
        let kind = catalog::agent(entry.about.name).expect("a name of the catalog");
        for _ in 0..if kind.refusal(atlas).is_none() { 10 } else { 0 } {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut agent = kind.start(atlas, any(), any());
            let mut budget = Budget::units(1_000_000);
            loop {
                let before = (agent.state(), budget.spent());
                let step = agent.step(atlas, scratch, &mut budget);
                assert!(
                    agent.limits().max_units.is_none_or(|most| budget.spent() - before.1 <= most),
                    "{}",
                    entry.about.name
                );
                match step {
                    Step::Move(to) => {
                        assert!(
                            atlas.space().step_cost(before.0, to, None).is_some(),
                            "{}",
                            entry.about.name
                        );
                    }
                    Step::Thinking => {}
                    Step::Starved { .. } => {
                        // Learning takes as long as the dearest edge is dear, and the costs were changed.
                        assert!(agent.remembered() > 0, "{}: an endless journey", entry.about.name);
                        break;
                    }
                    _ => break,
                }
            }
        }
    }
}
