//! Unpacks the path that a query found, hop by hop, and writes it, leg by leg.

use super::{Found, LabelQuery};
use crate::core::{Budget, StateId};
use crate::index::CornerLabels as Index;
use crate::index::corner_labels::{Listed, NextCorner, Word};
use crate::plan::parts::legs::Legs;
use crate::space::{Cell, Grid};

/// Corners that are walked to one after another, with room behind the last.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    corners: Vec<NextCorner>,
    count: usize,
}

/// Room is made for so many corners at a time.
const ROOM: usize = 64;

impl Chain {
    fn begin(&mut self) {
        self.count = 0;
    }

    /// Writes down one more corner, if it counts.
    #[inline(always)]
    fn push_if(&mut self, counts: bool, corner: NextCorner) {
        if self.corners.len() == self.count {
            self.corners.resize(self.count + ROOM, NextCorner::default());
        }
        self.corners[self.count] = corner;
        self.count += usize::from(counts);
    }

    fn corners(&self) -> &[NextCorner] {
        &self.corners[..self.count]
    }

    pub(super) fn bytes(&self) -> usize {
        self.corners.capacity() * size_of::<NextCorner>()
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
                let has_entry = |corner: &u32| index.range(*corner).contains(&goal_entry);
                let likely = to.listed().get(to.best).into_iter().chain(to.listed());
                let last = likely.map(corner_of).find(has_entry).unwrap_or(0);
                let first = from.listed().get(candidate as usize).map_or(0, corner_of);
                let ways = [(first, entry as usize), (last, goal_entry)];
                for (chain, (corner, _)) in self.chains.iter_mut().zip(ways) {
                    chain.push_if(true, NextCorner::seen(corner));
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
                Hop::Entries(ways) if index.header.entry_bytes == 8 => self.follow::<u64>(index, ways),
                Hop::Entries(ways) => self.follow::<u128>(index, ways),
                Hop::Parent { side, corner } => Some(self.follow_parent(index, side, corner)),
                Hop::Edge => self.unpack_edges(index),
            };
        }
        true
    }

    /// Both ways at once nearer to the hub, as many hops as there is a unit for, which is taken for an even number: a processor
    /// waits for the entries of both together, and guesses once where a way ends. It ends: each entry is nearer to the hub than
    /// the one before.
    #[inline(always)]
    fn follow<W: Word>(&mut self, index: &Index<'_>, mut ways: [Way; 2]) -> Option<Hop> {
        let (entries, fields) = (index.entries::<W>(), index.fields());
        while self.hops_left > 0 {
            for (way, chain) in ways.iter_mut().zip(&mut self.chains) {
                self.hops_left -= u32::from(!way.is_there);
                let entry = fields.read(entries.get(way.entry).copied().unwrap_or_default());
                let next = index.turn(way.first_turn, entry.turn);
                let there = index.corner(next.corner());
                let goes_on = entry.distance > 0;
                chain.push_if(goes_on, next);
                let first_turn = if goes_on { there.first_turn } else { way.first_turn };
                let entry =
                    if goes_on { there.first as usize + entry.place as usize } else { way.entry };
                *way = Way { first_turn, entry, is_there: !goes_on };
            }
            if ways[0].is_there & ways[1].is_there {
                return None;
            }
        }
        Some(Hop::Entries(ways))
    }

    /// One edge back from the meeting of the search to a first corner, of the goal and then of the start. Edges are kept so that
    /// the first of the path is the last of the list. All of them are edges of the corner that was expanded.
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
        self.chains[0].push_if(true, NextCorner::seen(corner));
        Hop::Edge
    }

    /// The next edges of the path, or of those that they stand for, as many as there is a unit for. It ends: the costs of both
    /// parts, which are edges of their middle, add up to that of their edge.
    fn unpack_edges(&mut self, index: &Index<'_>) -> Option<Hop> {
        while self.hops_left > 0 {
            let Some(Edge { from, to, middle }) = self.edges.pop() else {
                self.hops_left -= 1;
                return None;
            };
            self.hops_left -= 1;
            let Some(middle) = middle else {
                self.chains[0].push_if(true, NextCorner::seen(to));
                continue;
            };
            let [first, last] = index.edges_to(middle, [from, to]);
            let [first, last] = [first, last].map(|edge| edge.and_then(|edge| index.middle(edge)));
            self.edges.extend([
                Edge { from: middle, to, middle: last },
                Edge { from, to: middle, middle: first },
            ]);
        }
        Some(Hop::Edge)
    }

    /// The turning points of the path that was unpacked.
    pub(super) fn write(&self, index: &Index<'_>, grid: &Grid, waypoints: &mut Vec<StateId>) {
        let ([from, to], [there, back]) = (&self.candidates, &self.chains);
        let (start, goal) = (from.end, to.end);
        let mut legs = Legs::begin(grid.stride(), start, waypoints);
        let mut at = start;
        let mut go = |to: Cell, sees: bool| {
            legs.go(at, to, sees);
            at = to;
            at
        };
        let cell = |corner: NextCorner| index.corner(corner.corner()).cell();
        match self.found {
            Found::Leg { is_seen } => {
                go(goal, is_seen);
            }
            Found::Over(corner) => {
                go(corner, false);
                go(goal, true);
            }
            Found::Hub { .. } => {
                for &next in there.corners() {
                    go(cell(next), next.sees());
                }
                // Against their direction: what saw is now seen.
                for pair in back.corners().windows(2).rev() {
                    go(cell(pair[0]), !pair[1].sees());
                }
                go(goal, true);
            }
            Found::Searched => {
                let (sight, mut here) = (grid.sight(), start);
                for &next in there.corners() {
                    here = go(cell(next), !sight.sees(here, cell(next)));
                }
                go(goal, true);
            }
        }
    }
}

fn corner_of(listed: &u32) -> u32 {
    Listed(*listed).corner()
}
