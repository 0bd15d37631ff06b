//! For every pair of states the first move of a shortest path, ready to be looked up.
//!
//! # Layout
//! | array | what it holds |
//! |---|---|
//! | 0 | a [`Head`] |
//! | 1 | numbers of states: grids one [`Patch`](places::Patch) for every 8 x 8 cells of the padded rectangle, row by row; graphs a `u32` for each id |
//! | 2 | raw: for each state and each target, by their numbers, the number of a way, of 1 or 2 bytes; all ones where there is none |
//!
//! # Paper
//! The lookup table of the chapter "Precalculated pathfinding" of lecture notes on A* and lookup tables: for every pair
//! of nodes the first node of a path that is not its start.

pub(crate) mod places;

use super::{Atlas, Damage, Section};
use crate::core::StateId;
use crate::space::Space;
use places::Places;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Where to go now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NextMove {
    /// Here is the goal.
    Arrived,
    /// To this state, by a move that the map allows: the first of a shortest path.
    Move(StateId),
    /// No path leads there, or one of the two is no free state.
    Unreachable,
    /// Nobody has worked out first moves for this version of the map.
    NoIndex,
    /// The index names a move that the map does not allow: somebody has changed it. `milepost verify` tells more.
    Damaged,
}

/// What is at the head of the section.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Head {
    /// How moves are stored: [`RAW`].
    pub(crate) form: u32,
    /// Bytes of a move in raw form.
    pub(crate) move_bytes: u32,
    /// Free states.
    pub(crate) states: u32,
    /// Nothing.
    pub(crate) zero: u32,
}

/// One number for each pair of states.
pub(crate) const RAW: u32 = 0;

/// The moves of a raw table.
#[derive(Clone, Copy, Debug)]
enum Raw<'a> {
    Bytes(&'a [u8]),
    Shorts(&'a [u16]),
}

impl Raw<'_> {
    /// The way from one state towards another; `None` if there is none.
    #[inline]
    fn way(&self, place: usize) -> Option<usize> {
        match self {
            Raw::Bytes(ways) => ways.get(place).filter(|&&way| way != u8::MAX).map(|&way| usize::from(way)),
            Raw::Shorts(ways) => ways.get(place).filter(|&&way| way != u16::MAX).map(|&way| usize::from(way)),
        }
    }
}

/// First moves, ready to be read. Every method returns something for every state, whatever the bytes are.
#[derive(Clone, Copy, Debug)]
pub struct FirstMoves<'a> {
    space: &'a Space,
    places: Places<'a>,
    states: usize,
    raw: Raw<'a>,
}

impl Atlas {
    /// The first move of a shortest path from a state to a goal: one look-up, without a search, scratch memory or
    /// allocation. Reads the index `first-moves`; a loop over many moves may keep [`Atlas::first_moves`] at hand.
    #[inline]
    pub fn next_move(&self, state: StateId, goal: StateId) -> NextMove {
        self.first_moves().map_or(NextMove::NoIndex, |moves| moves.next_move(state, goal))
    }
}

impl<'a> FirstMoves<'a> {
    /// A section that [`FirstMoves::check`] has accepted.
    #[inline]
    pub(crate) fn new(space: &'a Space, section: &'a Section) -> FirstMoves<'a> {
        let head = section.array::<Head>(0).first().copied().unwrap_or_default();
        FirstMoves {
            space,
            places: Places::new(space, section, 1),
            states: space.states() as usize,
            raw: match head.move_bytes {
                1 => Raw::Bytes(section.array(2)),
                _ => Raw::Shorts(section.array(2)),
            },
        }
    }

    /// Whether a section can hold the first moves of a space: its head, the lengths of its arrays, and its numbers.
    pub(crate) fn check(space: &Space, section: &Section) -> Result<(), Damage> {
        let head = section.exactly::<Head>(0, 1)?[0];
        let states = space.states() as usize;
        let wanted =
            Head { form: RAW, move_bytes: head.move_bytes.clamp(1, 2), states: space.states(), zero: 0 };
        if head != wanted {
            return Err(Damage::at(section.offset(0), format!("{wanted:?}"), format!("{head:?}")));
        }
        Places::check(space, section, 1)?;
        let pairs = states.checked_mul(states).unwrap_or(usize::MAX);
        match head.move_bytes {
            1 => section.exactly::<u8>(2, pairs).map(drop),
            _ => section.exactly::<u16>(2, pairs).map(drop),
        }
    }

    /// The first move of a shortest path from a state to a goal.
    #[inline]
    pub fn next_move(&self, state: StateId, goal: StateId) -> NextMove {
        let (Some(from), Some(to)) = (self.places.number(state), self.places.number(goal)) else {
            return NextMove::Unreachable;
        };
        if state == goal {
            return NextMove::Arrived;
        }
        let Some(way) = self.raw.way(from as usize * self.states + to as usize) else {
            return NextMove::Unreachable;
        };
        self.space.along(state, way).map_or(NextMove::Damaged, NextMove::Move)
    }
}
