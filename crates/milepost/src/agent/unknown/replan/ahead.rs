//! The plan as a list of states, and the place on it where the agent stands: so the next state is not looked for.

use crate::core::{RadixMap, StateId, StateList};
use crate::space::BeliefMoves;
use serde::{Deserialize, Serialize};

/// What is ahead of an agent, and what it has come by on the same plan. It is saved as a table: for each state the next one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "RadixMap<u32>", into = "RadixMap<u32>")]
pub(super) struct Ahead {
    /// From the goal back to where the plan begins, as it is told; no state twice, and none or at least two.
    states: StateList,
    /// Where in the list the agent stands, once the plan is told.
    place: usize,
}

impl Ahead {
    pub(super) fn forget(&mut self) {
        self.states.forget();
        self.place = 0;
    }

    /// How many hops were told.
    pub(super) fn hops(&self) -> usize {
        self.states.len().saturating_sub(1)
    }

    /// Another hop: to where the plan begins so far, or at first to the goal.
    pub(super) fn tell(&mut self, from: StateId, to: StateId) {
        if self.states.len() == 0 {
            self.states.push(to);
        }
        self.states.push(from);
    }

    /// All of it is told, and the agent stands where it begins.
    pub(super) fn begin(&mut self) {
        self.place = self.hops();
    }

    /// The agent takes a step along the plan, from where it stands.
    pub(super) fn step(&mut self, at: StateId) -> Option<StateId> {
        let place = self.place.checked_sub(1).filter(|_| self.states.get(self.place) == Some(at))?;
        self.place = place;
        self.states.get(place)
    }

    /// The states that are ahead of an agent that stands here.
    #[cfg(feature = "observe")]
    pub(super) fn rest(&self, at: StateId) -> impl Iterator<Item = StateId> {
        let rest = if self.states.get(self.place) == Some(at) { self.place } else { 0 };
        (0..rest).rev().filter_map(|place| self.states.get(place))
    }

    /// Whether the plan begins here, as far as it was told.
    pub(super) fn begins_at(&self, state: StateId) -> bool {
        self.states.last() == Some(state)
    }

    /// Stands an agent that was restored where it is on the plan, if it is.
    pub(super) fn stand(&mut self, at: StateId) -> bool {
        let place = self.states.iter().position(|state| state == at);
        self.place = place.unwrap_or(0);
        place.is_some()
    }

    /// Whether moves lead from its beginning to the goal.
    pub(super) fn leads(&self, goal: StateId, moves: BeliefMoves<'_>) -> bool {
        let mut hops = self.states.iter().zip(self.states.iter().skip(1));
        self.states.get(0) == Some(goal) && hops.all(|(to, from)| moves.step_cost(from, to).is_some())
    }

    pub(super) fn bytes(&self) -> usize {
        self.states.bytes()
    }
}

impl From<Ahead> for RadixMap<u32> {
    fn from(ahead: Ahead) -> RadixMap<u32> {
        let mut table = RadixMap::new();
        for (to, from) in ahead.states.iter().zip(ahead.states.iter().skip(1)) {
            table.insert(from.number().into(), to.number());
        }
        table
    }
}

impl TryFrom<RadixMap<u32>> for Ahead {
    type Error = &'static str;

    fn try_from(table: RadixMap<u32>) -> Result<Ahead, &'static str> {
        let (hops, mut is_next) = (table.sorted(), RadixMap::new());
        for (_, to) in &hops {
            is_next.insert((*to).into(), ());
        }
        let mut ahead = Ahead::default();
        let Some((first, _)) = hops.iter().find(|(from, _)| is_next.get(*from).is_none()) else {
            return if hops.is_empty() { Ok(ahead) } else { Err("a plan leads in a circle") };
        };
        // A chain with as many hops as there are is all of them, and comes nowhere twice.
        let chain = std::iter::successors(Some(*first), |state| table.get(*state).map(u64::from));
        let mut states: Vec<u64> = chain.take(hops.len() + 2).collect();
        if states.len() != hops.len() + 1 {
            return Err("a plan is not one chain");
        }
        states.reverse();
        states.into_iter().for_each(|state| ahead.states.push(StateId::new(state as u32)));
        Ok(ahead)
    }
}
