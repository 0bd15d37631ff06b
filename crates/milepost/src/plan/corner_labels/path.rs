//! Writes the path that a query found, leg by leg.

use super::candidates::Candidates;
use super::graph::corners_of_way;
use super::{Found, LabelQuery};
use crate::core::StateId;
use crate::index::CornerLabels as Index;
use crate::index::corner_labels::{Listed, Word};
use crate::plan::parts::legs::Legs;
use crate::space::{Cell, Grid};

/// A leg of a label's way: where it leads, and whether that cell is the one that sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    to: Cell,
    is_seen: bool,
}

/// Follows an entry of a corner's label to its hub. It ends: each entry is nearer to the hub than the one before.
#[inline(always)]
fn follow<W: Word>(index: &Index<'_>, mut corner: u32, mut entry: usize, mut visit: impl FnMut(Leg)) {
    let (entries, fields) = (index.entries::<W>(), index.fields());
    while let Some(&word) = entries.get(entry) {
        let read = fields.read(word);
        if read.distance == 0 {
            return;
        }
        let (next, is_seen) = index.turn(corner, read.turn);
        visit(Leg { to: index.corner(next).cell(), is_seen });
        entry = index.corner(next).first as usize + read.place as usize;
        corner = next;
    }
}

/// Legs that are walked one after another.
struct Walk<'a> {
    at: Cell,
    legs: Legs<'a>,
}

impl Walk<'_> {
    #[inline(always)]
    fn go(&mut self, to: Cell, is_seen: bool) {
        if is_seen {
            self.legs.straight_first(self.at, to);
        } else {
            self.legs.diagonal_first(self.at, to);
        }
        self.at = to;
    }
}

impl LabelQuery {
    /// The turning points of the path that was found.
    pub(super) fn write(&mut self, index: &Index<'_>, grid: &Grid, waypoints: &mut Vec<StateId>) {
        let [from, to] = &self.candidates;
        let (start, goal) = (from.end, to.end);
        let mut walk = Walk { at: start, legs: Legs::begin(grid.stride(), start, waypoints) };
        match self.found {
            Found::Leg { is_seen } => walk.go(goal, is_seen),
            Found::Over(corner) => {
                walk.go(corner, false);
                walk.go(goal, true);
            }
            Found::Hub { candidate, entry, goal_entry } => {
                let back = &mut self.back;
                if index.header.entry_bytes == 8 {
                    walk_over_hub::<u64>(index, [from, to], (candidate, entry, goal_entry), back, &mut walk);
                } else {
                    walk_over_hub::<u128>(index, [from, to], (candidate, entry, goal_entry), back, &mut walk);
                }
                walk.go(goal, true);
            }
            Found::Searched => {
                let sight = grid.sight();
                corners_of_way(index, &self.search, |corner| {
                    let cell = index.corner(corner).cell();
                    walk.go(cell, !sight.sees(walk.at, cell));
                });
                walk.go(goal, true);
            }
        }
    }
}

/// From the start over a candidate to the hub, and from there to the goal's candidate.
#[inline(always)]
fn walk_over_hub<W: Word>(
    index: &Index<'_>,
    [from, to]: [&Candidates; 2],
    (candidate, entry, goal_entry): (u32, u32, usize),
    back: &mut Vec<Leg>,
    walk: &mut Walk<'_>,
) {
    let corner_of = |listed: &u32| Listed(*listed).corner();
    let first = from.listed.get(candidate as usize).map_or(0, corner_of);
    walk.go(index.corner(first).cell(), false);
    follow::<W>(index, first, entry as usize, |leg| walk.go(leg.to, leg.is_seen));
    let has_entry = |corner: &u32| index.range(*corner).contains(&goal_entry);
    let last = to.listed.iter().map(corner_of).find(has_entry).unwrap_or(0);
    back.clear();
    back.push(Leg { to: index.corner(last).cell(), is_seen: false });
    follow::<W>(index, last, goal_entry, |leg| back.push(leg));
    // Against their direction: what saw is now seen.
    for pair in back.windows(2).rev() {
        walk.go(pair[0].to, !pair[1].is_seen);
    }
}
