//! Regions of a map, and for any two of them where the way from one to the other leaves the first.
//!
//! # Layout
//! docs/index-format.md describes the arrays.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game
//! pathfinding, JAIR 2010, section 4 (D LRTA*).

use crate::core::StateId;
use crate::index::{Atlas, Corruption, IndexKind, IndexSpec, Section};
use crate::space::Space;

/// No region.
pub(crate) const NONE: u16 = u16::MAX;

/// Where a path leaves a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) enum Exit {
    /// For the first time: it may come back.
    First,
    /// For the last time.
    #[default]
    Last,
}

/// Regions and their subgoals, as they are looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Regions<'a> {
    of_ids: &'a [u16],
    standing: &'a [u32],
    last: &'a [u32],
    first: &'a [u32],
}

impl Atlas {
    /// The regions of so many levels, if they have been worked out.
    #[inline]
    pub(crate) fn regions(&self, level: u32) -> Option<Regions<'_>> {
        self.section(IndexSpec::new(IndexKind::REGIONS, level)).map(Regions::new)
    }
}

impl<'a> Regions<'a> {
    pub(crate) fn new(section: &'a Section) -> Regions<'a> {
        Regions {
            of_ids: section.array(1),
            standing: section.array(2),
            last: section.array(3),
            first: section.array(4),
        }
    }

    /// Lengths, regions and states are those of the space.
    pub(crate) fn check(space: &Space, section: &Section) -> Result<(), Corruption> {
        let head: &[u32] = section.exactly(0, 4)?;
        let count = head[0] as usize;
        if count >= usize::from(NONE) || head[1..] != [0, 0, 0] {
            let found = format!("{head:?}");
            return Err(Corruption::at(section.offset(0), "fewer than 65535 regions, and zeros", found));
        }
        let of_ids: &[u16] = section.exactly(1, space.id_bound())?;
        for (id, &region) in of_ids.iter().enumerate() {
            let is_free = space.is_free(StateId::new(id as u32));
            if is_free && usize::from(region) >= count || !is_free && region != NONE {
                let expected = format!("the region of #{id}, below {count}, or 65535 if it is not free");
                return Err(Corruption::at(section.offset(1) + 2 * id as u64, expected, region.to_string()));
            }
        }
        section.exactly::<u32>(2, count)?;
        for array in 2..5 {
            let states: &[u32] =
                if array == 2 { section.array(2) } else { section.exactly(array, count * count)? };
            let is_sound = |state: u32| {
                space.is_free(StateId::new(state)) || array > 2 && state == StateId::NONE.number()
            };
            if let Some(place) = states.iter().position(|&state| !is_sound(state)) {
                let offset = section.offset(array) + 4 * place as u64;
                return Err(Corruption::at(offset, "a free state", states[place].to_string()));
            }
        }
        Ok(())
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.standing.len() as u32
    }

    /// The region of a free state.
    #[inline]
    pub(crate) fn of(&self, state: StateId) -> Option<u32> {
        self.of_ids.get(state.index()).copied().filter(|region| *region != NONE).map(u32::from)
    }

    /// The state that stands for a region.
    pub(crate) fn standing_for(&self, region: u32) -> Option<StateId> {
        self.standing.get(region as usize).copied().map(StateId::new)
    }

    /// Where to go from a region on the way to another.
    #[inline]
    pub(crate) fn subgoal(&self, from: u32, to: u32, exit: Exit) -> Option<StateId> {
        let table = match exit {
            Exit::First => self.first,
            Exit::Last => self.last,
        };
        let count = self.standing.len();
        let place = (from as usize).checked_mul(count)?.checked_add(to as usize)?;
        table.get(place).filter(|_| (to as usize) < count).and_then(|state| StateId::new(*state).known())
    }
}
