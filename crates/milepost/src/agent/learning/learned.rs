//! What an agent has learned about how far goals really are.

use crate::agent::lookahead::Values;
use crate::agent::{Restoring, SavedAgentError, Saving};
use crate::core::{Cost, Goal, Sparse, StateId};
use crate::space::GridGeometry;

/// Bits of a state's number in the number of a value; those above tell the goal.
const STATE_BITS: u32 = 32;

/// Values of states that proved to be higher than their estimates, apart for each goal. Its memory follows what was
/// learned: nothing before the first value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learned {
    values: Sparse<u64>,
    /// The goals about which something was learned, and which place each has among them.
    goals: Vec<StateId>,
    places: Sparse<u32>,
    /// The goal that is asked about, and its place; the next one while nothing was learned about it.
    goal: StateId,
    place: u32,
    /// Where the states lie, if they are cells: those near each other are then kept together.
    outline: Option<GridGeometry>,
}

impl Learned {
    /// From now on the values are those about this goal.
    #[inline]
    pub(crate) fn turn_to(&mut self, goal: StateId) {
        if goal != self.goal {
            self.goal = goal;
            self.place = self.places.get(goal.number().into()).unwrap_or(self.goals.len() as u32);
        }
    }

    /// The states are cells of this map; always the same one.
    #[inline]
    pub(crate) fn lie_on(&mut self, outline: Option<GridGeometry>) {
        self.outline = outline;
    }

    /// The space's goal as it seems now; it must be the one that was turned to.
    pub(crate) fn about<'a, G: Goal>(&'a self, goal: &'a G) -> LearnedGoal<'a, G> {
        LearnedGoal { goal, learned: self }
    }

    /// Whether a value is held.
    pub(crate) fn knows(&self, state: StateId) -> bool {
        self.of(state).is_some()
    }

    /// Every value, with the places of goals and the states in the halves of a number.
    #[cfg(test)]
    pub(crate) fn entries(&self) -> Vec<(u64, u64)> {
        self.values.sorted()
    }

    /// Nothing was learned. O(1); the memory is kept.
    pub(crate) fn forget(&mut self) {
        self.values.forget();
        self.goals.clear();
        self.places.forget();
        (self.goal, self.place) = (StateId::NONE, 0);
    }

    /// Values held.
    pub(crate) fn len(&self) -> u64 {
        self.values.len() as u64
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        let goals = self.goals.capacity() * size_of::<StateId>();
        self.values.bytes() + self.places.bytes() + goals
    }

    /// What so many values about one goal allocate at most.
    pub(crate) fn page_bytes(&self, values: usize) -> usize {
        let goals = 2 * (self.goals.len() + 4) * size_of::<StateId>();
        self.values.page_bytes(values) + self.places.page_bytes(1) + goals
    }

    pub(crate) fn save(&self, saving: &mut Saving) {
        saving.states(&self.goals);
        saving.u64(self.len());
        for (key, value) in self.values.sorted() {
            saving.u64(key);
            saving.u64(value);
        }
    }

    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<Learned, SavedAgentError> {
        let mut learned = Learned { goals: saved.states()?, goal: StateId::NONE, ..Learned::default() };
        for (goal, place) in learned.goals.iter().zip(0..) {
            if learned.places.insert(goal.number().into(), place).is_some() {
                return Err(SavedAgentError::Damaged);
            }
        }
        let mut last = None;
        for _ in 0..saved.u64()? {
            let (key, value) = (saved.u64()?, saved.u64()?);
            let is_next = last.replace(key).is_none_or(|last| last < key);
            if !is_next || key >> STATE_BITS >= learned.goals.len() as u64 {
                return Err(SavedAgentError::Damaged);
            }
            learned.values.insert(key, value);
        }
        Ok(learned)
    }
}

impl Values for Learned {
    #[inline]
    fn table(&self) -> &Sparse<u64> {
        &self.values
    }

    #[inline]
    fn table_mut(&mut self) -> &mut Sparse<u64> {
        &mut self.values
    }

    #[inline]
    fn key(&self, state: StateId) -> u64 {
        let number = self.outline.map_or(state.number().into(), |outline| outline.key(state));
        u64::from(self.place) << STATE_BITS | number
    }

    fn key_of_square(&self, square: u32) -> u64 {
        debug_assert!(self.outline.is_some(), "only then are values kept by squares");
        u64::from(self.place) << STATE_BITS | u64::from(square) << 6
    }

    fn raise(&mut self, state: StateId, h: Cost) {
        if self.place as usize == self.goals.len() {
            self.goals.push(self.goal);
            self.places.insert(self.goal.number().into(), self.place);
        }
        self.values.insert(self.key(state), h.units());
    }
}

/// A goal whose distance is estimated by what was learned, and by the space where nothing was.
pub(crate) struct LearnedGoal<'a, G> {
    goal: &'a G,
    learned: &'a Learned,
}

impl<G: Goal> Goal for LearnedGoal<'_, G> {
    #[inline]
    fn is_reached(&self, state: StateId) -> bool {
        self.goal.is_reached(state)
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        let h = self.goal.estimate(state);
        self.learned.of(state).map_or(h, |learned| learned.max(h))
    }
}
