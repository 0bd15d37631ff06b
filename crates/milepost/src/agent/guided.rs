//! A scout in a known map: somebody who has the whole map shows it what it can see there.

use super::{Agent, Eyes, Limits, Saving, Scout, Sight, Step, Traveller};
use crate::core::{Budget, StateId};
use crate::index::Atlas;
use crate::plan::Scratch;

/// A scout with eyes on the map of the atlas that it is stepped with.
#[derive(Clone, Debug)]
pub struct Guided<S> {
    /// The scout.
    pub scout: S,
    /// How far it sees; on graphs it sees its neighbours.
    pub sight: Sight,
}

impl<S: Scout> Agent for Guided<S> {
    fn step(&mut self, atlas: &Atlas, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        self.scout.step(&Eyes::new(atlas.space(), self.sight), scratch, budget)
    }
}

impl<S: Scout> Traveller for Guided<S> {
    fn retarget(&mut self, goal: StateId) {
        self.scout.retarget(goal);
    }

    fn state(&self) -> StateId {
        self.scout.state()
    }

    fn goal(&self) -> StateId {
        self.scout.goal()
    }

    fn subgoal(&self) -> Option<StateId> {
        self.scout.subgoal()
    }

    fn limits(&self) -> Limits {
        self.scout.limits()
    }

    fn page_bytes(&self) -> usize {
        self.scout.page_bytes()
    }

    fn bytes(&self) -> usize {
        size_of::<Guided<S>>() - size_of::<S>() + self.scout.bytes()
    }

    fn remembered(&self) -> u64 {
        self.scout.remembered()
    }

    fn searches(&self) -> Option<u64> {
        self.scout.searches()
    }

    fn save(&self, saving: &mut Saving) {
        self.scout.save(saving);
    }
}
