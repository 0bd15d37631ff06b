//! What an agent has learned about how far goals really are.

use crate::agent::lookahead::Values;
use crate::agent::{Restoring, SavedAgentError, Saving};
use crate::core::{Cost, Goal, PageTable, StateId};

/// Values of states that proved to be higher than their estimates, apart for each goal. Its memory follows what was
/// learned: no page before the first value, and at most one for each value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learned {
    values: PageTable<u64>,
}

impl Learned {
    /// What a value takes at most.
    pub(crate) const PAGE_BYTES: usize = PageTable::<u64>::PAGE_BYTES;

    fn of(&self, target: StateId, state: StateId) -> Option<Cost> {
        if self.values.is_empty() {
            return None;
        }
        self.values.get(key(target, state)).map(Cost::new)
    }

    /// A goal as it seems now.
    pub(crate) fn about<'a, G: Goal>(&'a self, goal: &'a G, target: StateId) -> LearnedGoal<'a, G> {
        LearnedGoal { goal, learned: self, target }
    }

    /// Whether a value is held.
    pub(crate) fn knows(&self, target: StateId, state: StateId) -> bool {
        self.of(target, state).is_some()
    }

    /// Takes note of a value. It must be higher than the one before.
    pub(crate) fn raise(&mut self, target: StateId, state: StateId, h: Cost) {
        self.values.insert(key(target, state), h.units());
    }

    /// What was learned about one goal.
    pub(crate) fn towards(&mut self, target: StateId) -> Towards<'_> {
        Towards { learned: self, target }
    }

    /// Every value, with goal and state in the halves of a number.
    #[cfg(test)]
    pub(super) fn entries(&self) -> Vec<(u64, u64)> {
        self.values.entries()
    }

    /// Nothing was learned. O(1); the pages are kept.
    pub(crate) fn forget(&mut self) {
        self.values.forget();
    }

    /// Values held.
    pub(crate) fn len(&self) -> u64 {
        self.values.len()
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.values.bytes()
    }

    pub(crate) fn save(&self, saving: &mut Saving) {
        saving.u64(self.values.len());
        for (key, value) in self.values.entries() {
            saving.u64(key);
            saving.u64(value);
        }
    }

    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<Learned, SavedAgentError> {
        let mut learned = Learned::default();
        let mut last = None;
        for _ in 0..saved.u64()? {
            let (key, value) = (saved.u64()?, saved.u64()?);
            if last.replace(key).is_some_and(|last| last >= key) {
                return Err(SavedAgentError::Damaged);
            }
            learned.values.insert(key, value);
        }
        Ok(learned)
    }
}

/// What was learned about one goal.
pub(crate) struct Towards<'a> {
    learned: &'a mut Learned,
    target: StateId,
}

impl Values for Towards<'_> {
    #[inline]
    fn of(&self, state: StateId) -> Option<Cost> {
        self.learned.of(self.target, state)
    }

    fn raise(&mut self, state: StateId, h: Cost) {
        self.learned.raise(self.target, state, h);
    }
}

fn key(target: StateId, state: StateId) -> u64 {
    u64::from(target.number()) << 32 | u64::from(state.number())
}

/// A goal whose distance is estimated by what was learned, and by the space where nothing was.
pub(crate) struct LearnedGoal<'a, G> {
    goal: &'a G,
    learned: &'a Learned,
    target: StateId,
}

impl<G: Goal> Goal for LearnedGoal<'_, G> {
    #[inline]
    fn is_reached(&self, state: StateId) -> bool {
        self.goal.is_reached(state)
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        let h = self.goal.estimate(state);
        self.learned.of(self.target, state).map_or(h, |learned| learned.max(h))
    }
}
