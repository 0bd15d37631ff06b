//! Writes a table anew after corrections: rows that nothing has happened to stay as they are, but for the numbers of
//! their targets.

use super::versions::{Correction, NO_STATE, Versions};
use crate::build::BuildError;
use crate::build::first_moves::blocks::{Block, Plan, digits};
use crate::build::first_moves::coder::Row;
use crate::build::first_moves::pack::{self, PackedRow};
use crate::build::first_moves::{raw, raw_section, section};
use crate::core::StateId;
use crate::index::first_moves::greedy::{bearing, greedy};
use crate::index::first_moves::rows::{LANES, QUARTER};
use crate::index::first_moves::{DIGIT_BASE, GREEDY, NO_PATH, RAW, SQUARES, link_symbol};
use crate::index::{Bytes, FirstMoves, PackedCell};
use crate::space::{FIRST_LINK, Reach};
use std::collections::HashMap;

/// The symbols of 64 sources, in four quarters.
type Pattern = [u64; LANES / QUARTER];

/// The section of the new version.
pub(super) fn write(
    plan: &Plan<'_>,
    versions: &Versions<'_>,
    stored: &FirstMoves<'_>,
    corrections: &[Correction],
) -> Result<Bytes, BuildError> {
    if plan.form == RAW {
        return Ok(raw_section(plan, &raw_table(versions, stored, corrections)));
    }
    // By source, its block and lanes; by block, what there is to correct.
    let mut lanes: Vec<(u32, usize, usize)> = Vec::with_capacity(plan.order.len());
    for (index, block) in plan.blocks.iter().enumerate() {
        lanes.extend(block.used().map(|(lane, source)| (source, index, lane)));
    }
    lanes.sort_unstable();
    let mut first = vec![0; plan.order.len() + 1];
    lanes.iter().for_each(|lane| first[lane.0 as usize + 1] += 1);
    (0..plan.order.len()).for_each(|source| first[source + 1] += first[source]);
    let mut by_block: Vec<Vec<(Correction, usize)>> = vec![Vec::new(); plan.blocks.len()];
    for &correction in corrections {
        let source = correction.source as usize;
        for &(_, block, lane) in &lanes[first[source]..first[source + 1]] {
            by_block[block].push((correction, lane));
        }
    }
    let writer = RowWriter { plan, versions, begins: begins(versions) };
    let rows: Result<Vec<PackedRow>, BuildError> = plan
        .blocks
        .iter()
        .zip(&mut by_block)
        .map(|(block, corrections)| {
            // A stable sort: they come in a few parts that are in order.
            corrections.sort_by_key(|(correction, _)| correction.target);
            let row = writer.row(block, stored, corrections);
            pack::pack(&row, plan.order.len() as u32).ok_or_else(pack::too_many)
        })
        .collect();
    section(plan, rows?)
}

/// By old number the new one of the first state from there on that is still there.
fn begins(versions: &Versions<'_>) -> Vec<u32> {
    let mut begins = vec![NO_STATE; versions.new_of_old.len()];
    let mut next = NO_STATE;
    for (begin, &new) in begins.iter_mut().zip(&versions.new_of_old).rev() {
        next = if new == NO_STATE { next } else { new };
        *begin = next;
    }
    begins
}

struct RowWriter<'a> {
    plan: &'a Plan<'a>,
    versions: &'a Versions<'a>,
    begins: Vec<u32>,
}

impl RowWriter<'_> {
    fn row(&self, block: &Block, stored: &FirstMoves<'_>, corrections: &[(Correction, usize)]) -> Row {
        let state = block.used().next().map_or(StateId::NONE, |(_, source)| self.plan.order[source as usize]);
        let mut row = match stored.row_parts(block.place, state) {
            Some(parts) => Row { runs: parts.runs, patterns: parts.patterns, quarters: parts.quarters },
            // A square of cells that was blocked: any symbols will do for a beginning.
            None => Row { runs: vec![(0, 0)], patterns: vec![[0; 4]], quarters: vec![any_symbols()] },
        };
        let begin = |run: (u32, u32)| (self.begins.get(run.0 as usize).copied().unwrap_or(NO_STATE), run.1);
        let mut runs: Vec<(u32, u32)> =
            row.runs.iter().map(|&run| begin(run)).filter(|run| run.0 != NO_STATE).collect();
        if runs.is_empty() {
            runs.push((0, 0));
        }
        // Of two runs that begin at the same target the later counts; what appears before the first belongs to it.
        runs.reverse();
        runs.dedup_by_key(|run| run.0);
        runs.reverse();
        runs[0].0 = 0;
        row.runs = runs;
        if corrections.is_empty() { row } else { self.corrected(block, &row, corrections) }
    }

    /// The row with single symbols replaced.
    fn corrected(&self, block: &Block, row: &Row, corrections: &[(Correction, usize)]) -> Row {
        let symbols =
            |id: u32| -> Pattern { row.patterns[id as usize].map(|quarter| row.quarters[quarter as usize]) };
        let targets = self.plan.order.len() as u32;
        let mut runs: Vec<(u32, Pattern)> = Vec::with_capacity(row.runs.len());
        let mut push = |first: u32, pattern: Pattern| {
            if runs.last().is_none_or(|last| last.1 != pattern) {
                runs.push((first, pattern));
            }
        };
        let mut left = corrections;
        for (index, &(first, id)) in row.runs.iter().enumerate() {
            let end = row.runs.get(index + 1).map_or(targets, |run| run.0);
            let (mut from, old) = (first, symbols(id));
            while let Some(target) =
                left.first().map(|(correction, _)| correction.target).filter(|&t| t < end)
            {
                let here = left.iter().take_while(|(correction, _)| correction.target == target).count();
                let mut pattern = old;
                for (correction, lane) in &left[..here] {
                    let place = &mut pattern[lane / QUARTER];
                    let shift = lane % QUARTER * 4;
                    let symbol = self.symbol(block, *lane, *correction, (*place >> shift) as usize & 15);
                    *place = *place & !(15 << shift) | (symbol as u64) << shift;
                }
                left = &left[here..];
                if pattern != old {
                    if target > from {
                        push(from, old);
                    }
                    push(target, pattern);
                    from = target + 1;
                }
            }
            if from < end {
                push(from, old);
            }
        }
        coded(&runs)
    }

    /// The symbol for a pair: the old one if it means the same.
    fn symbol(&self, block: &Block, lane: usize, correction: Correction, old: usize) -> usize {
        let Correction { target, source, next } = correction;
        let (space, order) = (self.plan.space, &self.plan.order);
        let (state, goal) = (order[source as usize], order[target as usize]);
        let is_allowed = block.allowed.0[lane] >> old & 1 == 1;
        let Some(slot) = slot_to(self.versions, source, next) else {
            return match space.reach(state, goal) {
                Reach::Perhaps if source != target => NO_PATH,
                _ if is_allowed => old,
                _ => block.allowed.0[lane].trailing_zeros() as usize & 15,
            };
        };
        let Some(grid) = space.as_grid().filter(|_| self.plan.form == SQUARES) else {
            let digit = if digits(space.edge_slots(state)) > 1 { u32::from(block.digits[lane]) } else { 0 };
            return slot / DIGIT_BASE.pow(digit) % DIGIT_BASE;
        };
        let (dx, dy) = PackedCell::of(grid, state).to(PackedCell::of(grid, goal));
        // Where there is no greedy move its number is that of the first link.
        let is_greedy = slot < FIRST_LINK && greedy(grid.directions(state).bits(), bearing(dx, dy)) == slot;
        let plain = if slot < FIRST_LINK { slot } else { link_symbol(slot - FIRST_LINK) };
        match old {
            GREEDY if is_greedy => GREEDY,
            _ if old == plain => plain,
            _ if is_greedy => GREEDY,
            _ => plain,
        }
    }
}

/// Sixteen times the greedy move.
fn any_symbols() -> u64 {
    (0..QUARTER).fold(0, |packed, _| packed << 4 | GREEDY as u64)
}

/// The edge slot of the cheapest edge from a state to the next.
fn slot_to(versions: &Versions<'_>, source: u32, next: u32) -> Option<usize> {
    let arcs = versions.new_network.named_arcs(source).filter(|(arc, _)| arc.to == next);
    let state = versions.new_order[source as usize];
    arcs.min_by_key(|(arc, _)| arc.cost).map(|(_, slot)| versions.new.slot_number(state, slot))
}

/// The row of runs whose patterns are spelled out.
fn coded(runs: &[(u32, Pattern)]) -> Row {
    let mut row = Row::default();
    let (mut quarters, mut patterns) = (HashMap::new(), HashMap::new());
    for &(first, pattern) in runs {
        let numbers = pattern.map(|quarter| {
            *quarters.entry(quarter).or_insert_with(|| {
                row.quarters.push(quarter);
                row.quarters.len() as u32 - 1
            })
        });
        let id = *patterns.entry(numbers).or_insert_with(|| {
            row.patterns.push(numbers);
            row.patterns.len() as u32 - 1
        });
        row.runs.push((first, id));
    }
    row
}

/// The raw table of the new version.
fn raw_table(versions: &Versions<'_>, stored: &FirstMoves<'_>, corrections: &[Correction]) -> Vec<u16> {
    let (order, states) = (&versions.new_order, versions.new_order.len());
    let mut table = vec![raw::NO_SLOT; states * states];
    for (from, &state) in order.iter().enumerate() {
        for (to, &goal) in order.iter().enumerate() {
            let slot = stored.raw_slot(state, goal).map_or(raw::NO_SLOT, |slot| slot as u16);
            table[from * states + to] = slot;
        }
    }
    for &Correction { target, source, next } in corrections {
        let slot = slot_to(versions, source, next).map_or(raw::NO_SLOT, |slot| slot as u16);
        table[source as usize * states + target as usize] = slot;
    }
    table
}
