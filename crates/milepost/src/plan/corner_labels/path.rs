//! Unpacks the path that a query found, hop by hop, and writes it, leg by leg.

use super::{Found, LabelQuery};
use crate::core::{Budget, StateId};
use crate::index::CornerLabels as Index;
use crate::index::corner_labels::{Listed, Word};
use crate::plan::parts::legs::Legs;
use crate::space::{Cell, Grid};
use std::hint::select_unpredictable;

/// A leg: where it leads, and whether that cell sees the other, not the other way round.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Leg {
    pub(super) to: Cell,
    sees: bool,
}

/// Legs one after another, with room behind the last.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    legs: Vec<Leg>,
    count: usize,
}

/// Room is made for so many legs at a time, and for as many hops as a unit is taken for at least.
const ROOM: usize = 64;

impl Chain {
    fn begin(&mut self) {
        self.count = 0;
    }

    /// Makes room for the hops of a unit, and for one more that does not count.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.legs.len() <= self.count + HOPS as usize {
            self.legs.resize(self.count + ROOM, Leg::default());
        }
    }

    /// Writes down one more leg, if it counts, where there is room.
    #[inline(always)]
    fn push_if(&mut self, counts: bool, leg: Leg) {
        if let Some(place) = self.legs.get_mut(self.count) {
            *place = leg;
        }
        self.count += usize::from(counts);
    }

    /// A leg to a corner that is seen.
    #[inline(always)]
    fn push_seen(&mut self, index: &Index<'_>, corner: u32) {
        self.make_room();
        self.push_if(true, Leg { to: index.corner(corner).cell(), sees: false });
    }

    pub(super) fn legs(&self) -> &[Leg] {
        &self.legs[..self.count]
    }

    pub(super) fn bytes(&self) -> usize {
        self.legs.capacity() * size_of::<Leg>()
    }
}

/// An edge of the search's path, or of those that it stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    from: u32,
    to: u32,
    /// What it leads over, unless it is a leg. Known beforehand, so that a processor fetches those of several edges at once.
    middle: Option<u32>,
}

/// How far a way to the hub was followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way {
    /// The first turn of the corner there, and the entry of its label.
    first_turn: u32,
    entry: usize,
    is_there: bool,
}

/// What is unpacked next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hop {
    /// Entries of labels, on the ways to the hub from first corners of the start and of the goal.
    Entries([Way; 2]),
    /// A corner of the search, on the way back from the meeting to the end of a side.
    Parent { side: usize, corner: u32 },
    /// The last edge of the list.
    Edge,
}

/// Hops that a unit is taken for.
const HOPS: u32 = 8;

impl LabelQuery {
    #[inline(always)]
    pub(super) fn begin_unpacking(&mut self, index: &Index<'_>) {
        self.chains.iter_mut().for_each(Chain::begin);
        self.edges.clear();
        self.hops_left = 0;
        self.next_hop = match self.found {
            Found::Leg { .. } | Found::Over(_) => None,
            Found::Hub { candidate, entry, goal_entry } => {
                let [from, to] = &self.candidates;
                let corner = |place: usize| Listed(from.listed().get(place).copied().unwrap_or(0)).corner();
                let has_entry = |&corner: &u32| index.range(corner).contains(&goal_entry);
                let first = corner(candidate as usize);
                // Most often the most promising one.
                let mut last = Listed(to.listed().get(to.best).copied().unwrap_or(0)).corner();
                if !has_entry(&last) {
                    let all = to.listed().iter().map(|&listed| Listed(listed).corner());
                    last = all.clone().find(has_entry).unwrap_or(last);
                }
                let ways = [(first, entry as usize), (last, goal_entry)];
                for (chain, (corner, _)) in self.chains.iter_mut().zip(ways) {
                    chain.push_seen(index, corner);
                }
                Some(Hop::Entries(ways.map(|(corner, entry)| Way {
                    first_turn: index.corner(corner).first_turn,
                    entry,
                    is_there: false,
                })))
            }
            Found::Searched => self.search.meeting.map(|corner| Hop::Parent { side: 1, corner }),
        };
    }

    /// Unpacks the path that was found; false if the budget is gone before.
    #[inline(always)]
    pub(super) fn unpack(&mut self, index: &Index<'_>, budget: &mut Budget) -> bool {
        while let Some(hop) = self.next_hop {
            if self.hops_left == 0 {
                if !budget.take() {
                    return false;
                }
                self.hops_left = HOPS;
            }
            self.next_hop = match hop {
                Hop::Entries(ways) if index.header.entry_bytes == 8 => {
                    self.follow::<u64>(index, ways, budget)
                }
                Hop::Entries(ways) => self.follow_wide(index, ways, budget),
                Hop::Parent { side, corner } => Some(self.follow_parent(index, side, corner)),
                Hop::Edge => self.unpack_edges(index),
            };
        }
        true
    }

    /// Both ways at once to the hub, or as far as there are units, each for as many hops, which is an even number: a processor
    /// waits for the entries of both together, and guesses once where a way ends. It ends: each entry is nearer to the hub than
    /// the one before.
    #[inline(always)]
    fn follow<W: Word>(&mut self, index: &Index<'_>, mut ways: [Way; 2], budget: &mut Budget) -> Option<Hop> {
        let (entries, fields) = (index.entries::<W>(), index.fields());
        let mut hops_left = self.hops_left;
        loop {
            self.chains.iter_mut().for_each(Chain::make_room);
            let [there, back] = &mut self.chains;
            while hops_left > 0 && !(ways[0].is_there & ways[1].is_there) {
                for (way, chain) in ways.iter_mut().zip([&mut *there, &mut *back]) {
                    hops_left -= u32::from(!way.is_there);
                    let entry = fields.read(entries.get(way.entry).copied().unwrap_or_default());
                    let next = index.turn(way.first_turn, entry.turn);
                    let there = index.corner(next.corner());
                    let goes_on = entry.distance > 0;
                    chain.push_if(goes_on, Leg { to: there.cell(), sees: next.sees() });
                    let next_entry = there.first as usize + entry.place as usize;
                    *way = Way {
                        first_turn: select_unpredictable(goes_on, there.first_turn, way.first_turn),
                        entry: select_unpredictable(goes_on, next_entry, way.entry),
                        is_there: !goes_on,
                    };
                }
            }
            let are_there = ways[0].is_there & ways[1].is_there;
            if are_there || !budget.take() {
                self.hops_left = hops_left;
                return (!are_there).then_some(Hop::Entries(ways));
            }
            hops_left = HOPS;
        }
    }

    /// The same in words of 128 bits, apart: code that most maps run lies together.
    #[inline(never)]
    fn follow_wide(&mut self, index: &Index<'_>, ways: [Way; 2], budget: &mut Budget) -> Option<Hop> {
        self.follow::<u128>(index, ways, budget)
    }

    /// One edge back from the meeting of the search to a first corner, of the goal and then of the start. Edges are kept so that
    /// the first of the path is the last of the list. All of them are edges of the corner that was expanded.
    #[inline(never)]
    fn follow_parent(&mut self, index: &Index<'_>, side: usize, corner: u32) -> Hop {
        let LabelQuery { search, edges, .. } = self;
        self.hops_left -= 1;
        if let Some(parent) = search.parent(side, corner).filter(|&parent| parent != corner) {
            let (from, to) = if side == 0 { (parent, corner) } else { (corner, parent) };
            let edge = index.edge_to(parent, corner);
            edges.push(Edge { from, to, middle: edge.and_then(|edge| index.middle(edge)) });
            return Hop::Parent { side, corner: parent };
        }
        if side == 1 {
            edges.reverse();
            return Hop::Parent { side: 0, corner: search.meeting.unwrap_or(corner) };
        }
        self.chains[0].push_seen(index, corner);
        Hop::Edge
    }

    /// The next edges of the path, or of those that they stand for, as many as there is a unit for. It ends: the costs of both
    /// parts, which are edges of their middle, add up to that of their edge.
    #[inline(never)]
    fn unpack_edges(&mut self, index: &Index<'_>) -> Option<Hop> {
        while self.hops_left > 0 {
            let Some(Edge { from, to, middle }) = self.edges.pop() else {
                self.hops_left -= 1;
                return None;
            };
            self.hops_left -= 1;
            let Some(middle) = middle else {
                self.chains[0].push_seen(index, to);
                continue;
            };
            let [first, last] = index.edges_to(middle, [from, to]);
            let [first, last] = [first, last].map(|edge| edge.and_then(|edge| index.middle(edge)));
            self.edges
                .extend([Edge { from: middle, to, middle: last }, Edge { from, to: middle, middle: first }]);
        }
        Some(Hop::Edge)
    }

    /// Writes the path that was unpacked.
    pub(super) fn write(&self, grid: &Grid, waypoints: &mut Vec<StateId>) {
        let LabelQuery { candidates: [from, to], chains: [there, back], found, .. } = self;
        let (start, goal) = (from.end, to.end);
        let most = there.count + back.count + 2;
        Legs::write(grid.stride(), start, most, waypoints, |written| match *found {
            Found::Leg { is_seen } => written.go(start, goal, is_seen),
            Found::Over(corner) => {
                written.diagonal_first(start, corner);
                written.straight_first(corner, goal);
            }
            Found::Hub { .. } => {
                let mut at = start;
                for leg in there.legs() {
                    written.go(at, leg.to, leg.sees);
                    at = leg.to;
                }
                // Against their direction: what saw is now seen.
                for pair in back.legs().windows(2).rev() {
                    written.go(at, pair[0].to, !pair[1].sees);
                    at = pair[0].to;
                }
                written.straight_first(at, goal);
            }
            Found::Searched => {
                let (sight, mut at) = (grid.sight(), start);
                for leg in there.legs() {
                    written.go(at, leg.to, !sight.sees(at, leg.to));
                    at = leg.to;
                }
                written.straight_first(at, goal);
            }
        });
    }
}
