//! Those who travel by another one: a choice between several, or a scout whom somebody guides.

use super::{Limits, Saving, Traveller};
use crate::core::StateId;

/// Somebody who leaves travelling to another one and is a [`Traveller`] by that.
pub trait Carrier: Send {
    /// The other one.
    fn carried(&self) -> &dyn Traveller;

    /// The other one, to be told something.
    fn carried_mut(&mut self) -> &mut dyn Traveller;

    /// Memory held beside what the other one counts, which is itself and all that it holds.
    fn bytes_around(&self) -> usize;
}

impl<C: Carrier> Traveller for C {
    fn retarget(&mut self, goal: StateId) {
        self.carried_mut().retarget(goal);
    }

    fn state(&self) -> StateId {
        self.carried().state()
    }

    fn goal(&self) -> StateId {
        self.carried().goal()
    }

    fn subgoal(&self) -> Option<StateId> {
        self.carried().subgoal()
    }

    fn limits(&self) -> Limits {
        self.carried().limits()
    }

    fn page_bytes(&self) -> usize {
        self.carried().page_bytes()
    }

    fn bytes(&self) -> usize {
        self.bytes_around() + self.carried().bytes()
    }

    fn remembered(&self) -> u64 {
        self.carried().remembered()
    }

    fn searches(&self) -> Option<u64> {
        self.carried().searches()
    }

    fn save(&self, saving: &mut Saving) {
        self.carried().save(saving);
    }
}
