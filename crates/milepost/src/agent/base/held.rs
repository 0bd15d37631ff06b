//! What agents remember, named for viewers.

use super::situation::Terrain;
use crate::core::{Cost, StateId};

/// Something that is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// A state was seen, and is believed to be free or not.
    Seen {
        /// The state.
        state: StateId,
        /// Whether it is free.
        is_free: bool,
    },
    /// So many values were learned, about all goals together; those that are named are about this one.
    Values {
        /// How many.
        count: u64,
        /// The goal or subgoal that the agent heads for.
        target: StateId,
    },
    /// How far that target was learned to be from a state.
    Learned {
        /// The state.
        state: StateId,
        /// The value.
        value: Cost,
    },
    /// The next state of the way that the agent means to go, from where it stands on; between two of them it runs straight.
    Plan(StateId),
    /// The pointer of a state in the tree that the agent keeps.
    Pointer {
        /// The state.
        state: StateId,
        /// Where its pointer leads.
        parent: StateId,
    },
    /// A record that it goes by, or a part of it.
    Record {
        /// Where the record begins.
        from: StateId,
        /// Where it ends.
        to: StateId,
    },
    /// The region where it stands.
    Region(u32),
}

/// What a viewer asks of a memory.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// What the agent knows of the map.
    pub terrain: Terrain<'a>,
    /// Where it stands.
    pub at: StateId,
    /// Where it wants to be.
    pub goal: StateId,
    /// The states that are asked about: what was learned of them, and whether they were seen.
    pub about: &'a [StateId],
}
