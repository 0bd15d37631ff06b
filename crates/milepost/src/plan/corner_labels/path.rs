//! Unpacks the path that a query found, hop by hop, and writes it, leg by leg.

use super::{Found, LabelQuery};
use crate::core::{Budget, StateId};
use crate::index::CornerLabels as Index;
use crate::index::corner_labels::{Listed, Word};
use crate::plan::parts::legs::Legs;
use crate::space::{Cell, Grid};

/// A leg of a label's way: where it leads, and whether that cell is the one that sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub(super) to: Cell,
    is_seen: bool,
}

/// What is unpacked next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hop {
    /// An entry of a corner's label, on the way to the hub from a first corner of the start, side 0, or of the goal.
    Entry { side: usize, corner: u32, entry: usize },
    /// A corner of the search, on the way back from the meeting to the end of a side.
    Parent { side: usize, corner: u32 },
    /// The last edge of the list.
    Edge,
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

/// Hops that a unit is taken for.
const HOPS: u32 = 8;

impl LabelQuery {
    pub(super) fn begin_unpacking(&mut self, index: &Index<'_>) {
        self.ways.iter_mut().for_each(Vec::clear);
        self.edges.clear();
        self.next_hop = match self.found {
            Found::Leg { .. } | Found::Over(_) => None,
            Found::Hub { candidate, entry, .. } => {
                let listed = self.candidates[0].listed.get(candidate as usize);
                Some(self.enter_way(index, 0, listed.map_or(0, corner_of), entry as usize))
            }
            Found::Searched => self.search.meeting.map(|corner| Hop::Parent { side: 1, corner }),
        };
    }

    /// Unpacks the path that was found; false if the budget is gone before.
    pub(super) fn unpack(&mut self, index: &Index<'_>, budget: &mut Budget) -> bool {
        let mut next = self.next_hop;
        while next.is_some() {
            if !budget.take() {
                self.next_hop = next;
                return false;
            }
            for _ in 0..HOPS {
                next = match next {
                    None => break,
                    Some(Hop::Entry { side, corner, entry }) if index.header.entry_bytes == 8 => {
                        self.follow::<u64>(index, side, corner, entry)
                    }
                    Some(Hop::Entry { side, corner, entry }) => {
                        self.follow::<u128>(index, side, corner, entry)
                    }
                    Some(Hop::Parent { side, corner }) => Some(self.follow_parent(index, side, corner)),
                    Some(Hop::Edge) => self.unpack_edge(index),
                };
            }
        }
        self.next_hop = None;
        true
    }

    /// The way from a first corner of one end begins.
    #[inline(always)]
    fn enter_way(&mut self, index: &Index<'_>, side: usize, corner: u32, entry: usize) -> Hop {
        self.ways[side].push(Leg { to: index.corner(corner).cell(), is_seen: false });
        Hop::Entry { side, corner, entry }
    }

    /// One leg nearer to the hub; at the hub the way from the goal's first corner begins. It ends: each entry is nearer to the
    /// hub than the one before.
    #[inline(always)]
    fn follow<W: Word>(&mut self, index: &Index<'_>, side: usize, corner: u32, entry: usize) -> Option<Hop> {
        let read = index.entries::<W>().get(entry).map(|&word| index.fields().read(word));
        if let Some(read) = read.filter(|read| read.distance > 0) {
            let (next, is_seen) = index.turn(corner, read.turn);
            let there = index.corner(next);
            self.ways[side].push(Leg { to: there.cell(), is_seen });
            let entry = there.first as usize + read.place as usize;
            return Some(Hop::Entry { side, corner: next, entry });
        }
        match self.found {
            Found::Hub { goal_entry, .. } if side == 0 => {
                let has_entry = |corner: &u32| index.range(*corner).contains(&goal_entry);
                let last = self.candidates[1].listed.iter().map(corner_of).find(has_entry);
                Some(self.enter_way(index, 1, last.unwrap_or(0), goal_entry))
            }
            _ => None,
        }
    }

    /// One edge back from the meeting of the search to a first corner, of the goal and then of the start. Edges are kept so that
    /// the first of the path is the last of the list.
    fn follow_parent(&mut self, index: &Index<'_>, side: usize, corner: u32) -> Hop {
        let LabelQuery { search, edges, .. } = self;
        if let Some(parent) = search.parent(side, corner).filter(|&parent| parent != corner) {
            edges.push(if side == 0 { (parent, corner) } else { (corner, parent) });
            return Hop::Parent { side, corner: parent };
        }
        if side == 1 {
            edges.reverse();
            return Hop::Parent { side: 0, corner: search.meeting.unwrap_or(corner) };
        }
        self.ways[0].push(Leg { to: index.corner(corner).cell(), is_seen: false });
        Hop::Edge
    }

    /// The next edge of the path, or of those that it stands for. It ends: the costs of both parts add up to that of their edge.
    fn unpack_edge(&mut self, index: &Index<'_>) -> Option<Hop> {
        let (from, to) = self.edges.pop()?;
        let edge = index.edge_to(from, to).or_else(|| index.edge_to(to, from));
        match edge.and_then(|edge| index.middle(edge)) {
            Some(middle) => self.edges.extend([(middle, to), (from, middle)]),
            None => self.ways[0].push(Leg { to: index.corner(to).cell(), is_seen: false }),
        }
        Some(Hop::Edge)
    }

    /// The turning points of the path that was unpacked.
    pub(super) fn write(&self, grid: &Grid, waypoints: &mut Vec<StateId>) {
        let ([from, to], [there, back]) = (&self.candidates, &self.ways);
        let (start, goal) = (from.end, to.end);
        let mut walk = Walk { at: start, legs: Legs::begin(grid.stride(), start, waypoints) };
        match self.found {
            Found::Leg { is_seen } => walk.go(goal, is_seen),
            Found::Over(corner) => {
                walk.go(corner, false);
                walk.go(goal, true);
            }
            Found::Hub { .. } => {
                there.iter().for_each(|leg| walk.go(leg.to, leg.is_seen));
                // Against their direction: what saw is now seen.
                for pair in back.windows(2).rev() {
                    walk.go(pair[0].to, !pair[1].is_seen);
                }
                walk.go(goal, true);
            }
            Found::Searched => {
                let sight = grid.sight();
                for leg in there {
                    walk.go(leg.to, !sight.sees(walk.at, leg.to));
                }
                walk.go(goal, true);
            }
        }
    }
}

fn corner_of(listed: &u32) -> u32 {
    Listed(*listed).corner()
}
