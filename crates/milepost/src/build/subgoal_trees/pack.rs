//! From what changes between trees to the arrays of the section.

use super::sharing::{Shared, Symbol};
use crate::core::StateId;
use crate::index::goal_bounds::Rank;
use crate::index::subgoal_trees::{FIRST_ARC, GOAL_FAR, GOAL_NEAR, Head, NOT_THERE, Row, TreeArc};
use crate::index::{Bytes, SectionWriter};
use std::collections::BTreeMap;

/// Symbols by subgoal, each from a goal on.
type Rows = Vec<Vec<(u32, Symbol)>>;

/// The section of trees that follow each other. `push_numbers` writes the array of numbers.
pub(super) fn section(
    order: &[StateId],
    parts: &[Shared],
    push_numbers: impl FnOnce(&mut SectionWriter),
) -> Bytes {
    let rows = rows(order.len(), parts);
    let lists = lists(parts);
    // The states that are subgoals, and which subgoal each is.
    let mut is_subgoal = vec![false; order.len()];
    for (state, row) in rows.iter().enumerate() {
        is_subgoal[state] |= !row.is_empty();
    }
    let ranks = ranks(&is_subgoal);
    let number = |state: u32| {
        let rank = ranks[state as usize / 64];
        rank.before + (rank.free & ((1 << (state % 64)) - 1)).count_ones()
    };
    let ids: Vec<u32> =
        order.iter().zip(&is_subgoal).filter(|(_, is)| **is).map(|(state, _)| state.number()).collect();

    let mut heads = vec![Row::default()];
    let (mut arcs, mut runs, mut surpluses) = (Vec::new(), Vec::<(u32, u32)>::new(), Vec::new());
    let mut places_of_surpluses = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.is_empty()) {
        let first_arc = arcs.len();
        for &(goal, symbol) in row {
            let code = match symbol {
                Symbol::NotThere => NOT_THERE,
                Symbol::Goal(true) => GOAL_NEAR,
                Symbol::Goal(false) => GOAL_FAR,
                Symbol::Subgoal(to, surplus) => {
                    let surplus = if surplus == 0 {
                        0
                    } else {
                        *places_of_surpluses.entry(surplus).or_insert_with(|| {
                            surpluses.push(surplus);
                            surpluses.len() as u32
                        })
                    };
                    let arc = TreeArc { to: number(to), surplus };
                    let known = arcs[first_arc..].iter().position(|other| *other == arc);
                    FIRST_ARC
                        + known.unwrap_or_else(|| {
                            arcs.push(arc);
                            arcs.len() - 1 - first_arc
                        }) as u32
                }
            };
            runs.push((goal, code));
        }
        heads.push(Row { first_arc: arcs.len() as u32, first_run: runs.len() as u32 });
    }

    let mut begins = vec![0];
    let mut listed: Vec<u32> = Vec::new();
    for list in &lists {
        listed.extend(list.iter().map(|&state| number(state)));
        begins.push(listed.len() as u32);
    }

    let is_wide = order.len() > 1 << 16 || runs.iter().any(|run| run.1 >= 1 << 16);
    let head = Head {
        states: order.len() as u32,
        subgoals: ids.len() as u32,
        is_wide: is_wide.into(),
        least: parts.iter().map(|part| part.least).min().unwrap_or(0),
        most: parts.iter().map(|part| part.most).max().unwrap_or(0),
        zero: 0,
        total: parts.iter().map(|part| part.total).sum(),
    };
    let mut writer = SectionWriter::default();
    writer.push(&[head]);
    push_numbers(&mut writer);
    writer.push(&ranks).push(&ids).push(&heads).push(&arcs);
    if is_wide {
        writer.push(&runs.iter().map(|run| u64::from(run.0) << 32 | u64::from(run.1)).collect::<Vec<u64>>());
    } else {
        writer.push(&runs.iter().map(|run| run.0 << 16 | run.1).collect::<Vec<u32>>());
    }
    writer.push(&surpluses).push(&begins);
    if is_wide {
        writer.push(&listed);
    } else {
        writer.push(&listed.iter().map(|&entry| entry as u16).collect::<Vec<u16>>());
    }
    writer.finish()
}

/// Puts the changes of all parts together, by state.
fn rows(states: usize, parts: &[Shared]) -> Rows {
    let mut rows: Rows = vec![Vec::new(); states];
    let last = |row: &[(u32, Symbol)]| row.last().map_or(Symbol::NotThere, |last| last.1);
    for part in parts {
        let first = part.changes.iter().take_while(|change| change.goal == part.begin);
        let mut is_named = vec![false; states];
        first.for_each(|change| is_named[change.subgoal as usize] = true);
        // Each part begins without any tree.
        for (row, is_named) in rows.iter_mut().zip(is_named) {
            if !is_named && last(row) != Symbol::NotThere {
                row.push((part.begin, Symbol::NotThere));
            }
        }
        for change in &part.changes {
            let row = &mut rows[change.subgoal as usize];
            if last(row) != change.symbol {
                row.push((change.goal, change.symbol));
            }
        }
    }
    rows
}

fn lists(parts: &[Shared]) -> Vec<Vec<u32>> {
    let count = parts.first().map_or(0, |part| part.lists.len());
    let joined = |block: usize| {
        let mut list: Vec<u32> = parts.iter().flat_map(|part| part.lists[block].iter().copied()).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    (0..count).map(joined).collect()
}

fn ranks(is_subgoal: &[bool]) -> Vec<Rank> {
    let mut before = 0;
    let rank = |flags: &[bool]| {
        let free = flags.iter().zip(0..).fold(0, |free, (&is, bit)| free | u64::from(is) << bit);
        let rank = Rank { free, before, zero: 0 };
        before += free.count_ones();
        rank
    };
    is_subgoal.chunks(64).map(rank).collect()
}
