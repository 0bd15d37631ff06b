//! The paths of TBA*, and where on them the agent stands.

use crate::core::{Budget, KeptSearch, StateId, StateList};
use serde::{Deserialize, Serialize};

/// A path, told backwards.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Trace {
    /// From where it leads to as far back as it was traced.
    pub(super) states: StateList,
    /// The path ends at the goal.
    pub(super) is_whole: bool,
}

impl Trace {
    pub(super) fn forget(&mut self) {
        self.states.forget();
        self.is_whole = false;
    }

    pub(super) fn at(&self, place: u32) -> Option<StateId> {
        self.states.get(place as usize)
    }

    /// Which of the states this is, if it is one, for a unit each state looked at: costs fall along the list.
    pub(super) fn find(&self, state: StateId, search: &KeptSearch, budget: &mut Budget) -> Option<u32> {
        let last = (self.states.len() as u32).checked_sub(1)?;
        if self.at(last) == Some(state) {
            return Some(last);
        }
        let (g, mut places) = (search.cost(state)?, 0..last);
        while !places.is_empty() {
            budget.charge(1);
            let middle = places.start.midpoint(places.end);
            let there = self.at(middle)?;
            if there == state {
                return Some(middle);
            }
            places = if search.cost(there) > Some(g) { middle + 1..places.end } else { places.start..middle };
        }
        None
    }

    /// Where an agent is on the path that has moved from a place of it.
    pub(super) fn beside(&self, place: Option<u32>, to: StateId) -> Option<u32> {
        let place = place?;
        [place.checked_sub(1), place.checked_add(1)]
            .into_iter()
            .flatten()
            .find(|beside| self.at(*beside) == Some(to))
    }
}
