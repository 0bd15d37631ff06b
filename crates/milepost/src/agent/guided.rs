//! A scout in a known map: somebody who has the whole map shows it what it can see there.

use super::{Agent, Carrier, Eyes, Scout, Sight, Step, Traveller};
use crate::core::Budget;
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

impl<S: Scout> Carrier for Guided<S> {
    fn carried(&self) -> &dyn Traveller {
        &self.scout
    }

    fn carried_mut(&mut self) -> &mut dyn Traveller {
        &mut self.scout
    }

    fn bytes_around(&self) -> usize {
        size_of::<Guided<S>>() - size_of::<S>()
    }
}
