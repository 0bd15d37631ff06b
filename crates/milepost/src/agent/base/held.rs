//! What agents remember, named for viewers.

use super::situation::Terrain;
use crate::core::{Cost, StateId};

/// Something that is remembered.
///
/// ```
/// use milepost::agent::{Asked, Held, Memory, View};
/// use milepost::{Agent, Atlas, Budget, Grid, Point, Rule, Scratch, StateId};
///
/// /// The memory of an agent of one's own: the way that it means to go.
/// #[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
/// struct Way(Vec<StateId>);
///
/// impl Memory for Way {
///     fn tell(&self, _: &Asked<'_>, tell: &mut dyn FnMut(Held)) {
///         self.0.iter().for_each(|state| tell(Held::Plan(*state)));
///     }
/// }
///
/// let atlas = Atlas::new(Grid::from_ascii(".....", Rule::Octile)?);
/// let mut agent = atlas.agent("tba", Point::new(0, 0), Point::new(4, 0))?;
/// agent.step(&atlas, &mut Scratch::new(), &mut Budget::unlimited());
/// let mut plan = Vec::new();
/// agent.tell_held(View::Map(&atlas), &[], &mut |held| plan.push(held));
/// assert!(plan.iter().any(|held| matches!(held, Held::Plan(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
///
/// Shown by [`Held`].
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
