//! The agent as numbers.
//!
//! Lists come with their lengths. Labels and open lists are sorted, so that the same agent gives the same bytes; in which
//! order they lie in memory decides nothing. What is restored is not believed: whoever reads it expects numbers that point
//! to nothing.

use super::near::Near;
use super::planning::{Phase, Planning};
use super::walking::Leg;
use super::{CornerWalk, CornerWalkAgent};
use crate::agent::journey::Journey;
use crate::agent::{Restoring, SavedAgentError, Saving};
use crate::index::{MOST_COLUMNS, PackedCell};
use crate::plan::corner_search::{Chain, CornerSearch, Entry, Expanding, Label, Labels};
use crate::space::{Cell, Sight};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Stands for what is not there.
const NONE: u32 = u32::MAX;

/// No table of labels is larger.
const MOST_SLOTS: usize = 1 << 14;

pub(super) fn save(agent: &CornerWalkAgent, saving: &mut Saving) {
    saving.u64(agent.units);
    agent.journey.save(saving);
    phase_numbers(agent.phase).into_iter().for_each(|number| saving.u32(number));
    saving.u32(agent.start.number());
    saving.u32(agent.chain.edges.len() as u32);
    for &(from, to) in &agent.chain.edges {
        saving.u32(from);
        saving.u32(to);
    }
    saving.u32(agent.legs.len() as u32);
    for leg in &agent.legs {
        save_place(leg.to, saving);
        saving.u32(leg.is_diagonal_first.into());
    }
    saving.u32(agent.has_ended.into());
    saving.u32(agent.unpacked);
    for directions in [&agent.steps, &agent.trail] {
        saving.u32(directions.len() as u32);
        directions.iter().for_each(|&direction| saving.u32(direction.into()));
    }
    save_place(agent.lean, saving);
    saving.u32(agent.line.is_some().into());
    save_place(agent.line.unwrap_or_default(), saving);
    saving.u32(agent.thinking as u32);
    saving.u32(agent.failures);
    saving.u64(agent.searches);
    saving.u32(agent.planning.is_some().into());
    if let Some(planning) = &agent.planning {
        save_search(&planning.search, saving);
        save_place(planning.sight.at, saving);
        save_place(planning.sight.to, saving);
        save_labels(&planning.near.labels, saving);
        save_open(&planning.near.open, saving);
    }
}

fn save_place((column, row): Cell, saving: &mut Saving) {
    saving.u32(PackedCell::new(column, row).number());
}

fn save_search(search: &CornerSearch, saving: &mut Saving) {
    search.ends.iter().for_each(|end| saving.u32(end.number()));
    save_labels(&search.labels, saving);
    search.open.iter().for_each(|open| save_open(open, saving));
    saving.u32(search.best);
    saving.u32(search.meeting.unwrap_or(NONE));
    let none = Expanding { side: NONE, corner: 0, next_edge: 0 };
    let expanding = search.expanding.unwrap_or(none);
    [expanding.side, expanding.corner, expanding.next_edge].into_iter().for_each(|number| saving.u32(number));
}

fn save_labels(labels: &Labels, saving: &mut Saving) {
    let mut sorted: Vec<Label> = labels.iter().collect();
    sorted.sort_unstable();
    saving.u32(labels.slots() as u32);
    saving.u32(sorted.len() as u32);
    for label in sorted {
        [label.key, label.g, label.parent].into_iter().for_each(|number| saving.u32(number));
    }
}

fn save_open(open: &BinaryHeap<Reverse<Entry>>, saving: &mut Saving) {
    saving.u32(open.len() as u32);
    for Reverse(entry) in open.clone().into_sorted_vec() {
        [entry.f, entry.rest, entry.corner].into_iter().for_each(|number| saving.u32(number));
    }
}

fn phase_numbers(phase: Phase) -> [u32; 3] {
    match phase {
        Phase::Fresh => [0, 0, 0],
        Phase::Seed { side, number } => [1, side, number],
        Phase::Search => [2, 0, 0],
        Phase::Look { side, corner } => [3, side, corner],
        Phase::Climb { side, corner } => [4, side, corner],
        Phase::Forward => [5, 0, 0],
        Phase::Backward => [6, 0, 0],
        Phase::Near => [7, 0, 0],
        Phase::NearBack { cell } => [8, cell, 0],
        Phase::Walk => [9, 0, 0],
    }
}

fn phase([code, first, second]: [u32; 3]) -> Result<Phase, SavedAgentError> {
    let is_side = first < 2;
    Ok(match code {
        0 => Phase::Fresh,
        1 if is_side => Phase::Seed { side: first, number: second },
        2 => Phase::Search,
        3 if is_side => Phase::Look { side: first, corner: second },
        4 if is_side => Phase::Climb { side: first, corner: second },
        5 => Phase::Forward,
        6 => Phase::Backward,
        7 => Phase::Near,
        8 => Phase::NearBack { cell: first },
        9 => Phase::Walk,
        _ => return Err(SavedAgentError::Damaged),
    })
}

pub(super) fn restore(saved: &mut Restoring<'_>) -> Result<CornerWalkAgent, SavedAgentError> {
    let units = saved.u64()?;
    if units < CornerWalk::LEAST_UNITS {
        return Err(SavedAgentError::Damaged);
    }
    Ok(CornerWalkAgent {
        units,
        journey: Journey::restore(saved)?,
        phase: phase(three(saved)?)?,
        start: spot(saved)?,
        chain: Chain { edges: list(saved, |saved| Ok((saved.u32()?, saved.u32()?)))? },
        legs: list(saved, |saved| Ok(Leg { to: place(saved)?, is_diagonal_first: flag(saved)? }))?,
        has_ended: flag(saved)?,
        unpacked: saved.u32()?,
        steps: list(saved, direction)?,
        trail: list(saved, direction)?,
        lean: place(saved)?,
        line: {
            let (is_there, place) = (flag(saved)?, place(saved)?);
            is_there.then_some(place)
        },
        thinking: saved.u32()?.into(),
        failures: saved.u32()?,
        searches: saved.u64()?,
        planning: if flag(saved)? { Some(Box::new(planning(saved)?)) } else { None },
    })
}

fn planning(saved: &mut Restoring<'_>) -> Result<Planning, SavedAgentError> {
    Ok(Planning {
        search: search(saved)?,
        sight: Sight::new(place(saved)?, place(saved)?),
        near: Near { labels: labels(saved)?, open: open(saved)? },
    })
}

fn search(saved: &mut Restoring<'_>) -> Result<CornerSearch, SavedAgentError> {
    let mut search = CornerSearch::default();
    search.begin(spot(saved)?, spot(saved)?);
    search.labels = labels(saved)?;
    search.open = [open(saved)?, open(saved)?];
    search.best = saved.u32()?;
    search.meeting = Some(saved.u32()?).filter(|&corner| corner != NONE);
    let [side, corner, next_edge] = three(saved)?;
    search.expanding = (side != NONE).then_some(Expanding { side, corner, next_edge });
    Ok(search)
}

fn three(saved: &mut Restoring<'_>) -> Result<[u32; 3], SavedAgentError> {
    Ok([saved.u32()?, saved.u32()?, saved.u32()?])
}

fn flag(saved: &mut Restoring<'_>) -> Result<bool, SavedAgentError> {
    match saved.u32()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(SavedAgentError::Damaged),
    }
}

fn spot(saved: &mut Restoring<'_>) -> Result<PackedCell, SavedAgentError> {
    let spot = PackedCell::from_number(saved.u32()?);
    let is_possible = spot.column() <= MOST_COLUMNS && spot.row() <= MOST_COLUMNS;
    if is_possible { Ok(spot) } else { Err(SavedAgentError::Damaged) }
}

fn place(saved: &mut Restoring<'_>) -> Result<Cell, SavedAgentError> {
    spot(saved).map(super::place)
}

fn direction(saved: &mut Restoring<'_>) -> Result<u8, SavedAgentError> {
    u8::try_from(saved.u32()?).ok().filter(|&direction| direction < 8).ok_or(SavedAgentError::Damaged)
}

/// A list of any length; what is not there ends it with an error.
fn list<T>(
    saved: &mut Restoring<'_>,
    mut one: impl FnMut(&mut Restoring<'_>) -> Result<T, SavedAgentError>,
) -> Result<Vec<T>, SavedAgentError> {
    let mut list = Vec::new();
    for _ in 0..saved.u32()? {
        list.push(one(saved)?);
    }
    Ok(list)
}

fn labels(saved: &mut Restoring<'_>) -> Result<Labels, SavedAgentError> {
    // As large as it was, so that it need not grow in a step.
    let slots = saved.u32()? as usize;
    if slots > MOST_SLOTS {
        return Err(SavedAgentError::Damaged);
    }
    let mut labels = Labels::default();
    labels.clear();
    labels.reserve_slots(slots);
    for label in list(saved, |saved| three(saved).map(|[key, g, parent]| Label { key, g, parent }))? {
        labels.set(label);
    }
    Ok(labels)
}

fn open(saved: &mut Restoring<'_>) -> Result<BinaryHeap<Reverse<Entry>>, SavedAgentError> {
    let entry =
        |saved: &mut Restoring<'_>| three(saved).map(|[f, rest, corner]| Reverse(Entry { f, rest, corner }));
    list(saved, entry).map(BinaryHeap::from)
}
