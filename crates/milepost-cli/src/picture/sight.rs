//! What an agent by sight has seen of a map, and what it believes about it.

use super::palette::{BELIEVED_BLOCKED, BELIEVED_FREE, FOG_GROUND, FOG_WALL, GROUND};
use super::surface::{Colour, mix};
use milepost::agent::View;
use milepost::{Agent, StateId};

/// What is known of each state, by its id.
pub(crate) struct Seen {
    states: Vec<Known>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    Free,
    Blocked,
}

impl Seen {
    /// What an agent has seen, shown this map; none if it knows the map.
    pub(crate) fn by(agent: &dyn Agent, view: View<'_>, id_bound: usize) -> Option<Seen> {
        let mut states = vec![Known::Nothing; id_bound];
        agent.each_seen(view, &mut |state, is_free| {
            if let Some(known) = states.get_mut(state.index()) {
                *known = if is_free { Known::Free } else { Known::Blocked };
            }
        });
        matches!(view, View::Sensor(_)).then_some(Seen { states })
    }

    pub(super) fn has_seen(&self, state: StateId) -> bool {
        self.states.get(state.index()).is_some_and(|known| *known != Known::Nothing)
    }

    /// The colour of a state with this ground: in fog if it was not seen, striking if it is not as believed.
    pub(super) fn colour(&self, state: StateId, is_free: bool, ground: Colour) -> Colour {
        match (self.states.get(state.index()), is_free) {
            (Some(Known::Blocked), true) => BELIEVED_BLOCKED,
            (Some(Known::Free), false) => BELIEVED_FREE,
            (None | Some(Known::Nothing), true) => fogged(ground),
            (None | Some(Known::Nothing), false) => FOG_WALL,
            _ => ground,
        }
    }

    /// Whether anything is not as believed: what is free by now, and what is blocked.
    pub(super) fn is_mistaken(&self, is_free: impl Fn(StateId) -> bool) -> (bool, bool) {
        let (mut blocked, mut free) = (false, false);
        for (known, id) in self.states.iter().zip(0..) {
            match (known, *known != Known::Nothing && is_free(StateId::new(id))) {
                (Known::Blocked, true) => blocked = true,
                (Known::Free, false) => free = true,
                _ => {}
            }
        }
        (blocked, free)
    }
}

/// The colour of free ground under fog: what is heavy shows through.
fn fogged(ground: Colour) -> Colour {
    if ground == GROUND { FOG_GROUND } else { mix(ground, FOG_GROUND, 0.7) }
}
