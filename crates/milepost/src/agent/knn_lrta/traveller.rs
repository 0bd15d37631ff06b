//! What is asked of the agent between its steps; and the agent as bytes.

use super::{
    Chain, Crossing, Journey, KnnLrta, KnnLrtaAgent, Laps, Learner, PHASES, Phase, Route, Selection, Terms,
    route,
};
use crate::agent::{Limits, Restoring, SavedAgentError, Saving, Traveller};
use crate::core::{Cost, StateId};

impl Traveller for KnnLrtaAgent {
    fn retarget(&mut self, goal: StateId) {
        self.journey.goal = goal;
        self.forget();
    }

    fn state(&self) -> StateId {
        self.journey.at
    }

    fn goal(&self) -> StateId {
        self.journey.goal
    }

    fn subgoal(&self) -> Option<StateId> {
        self.route.next().filter(|subgoal| *subgoal != self.journey.goal)
    }

    fn limits(&self) -> Limits {
        self.kind.limits_on(self.terms)
    }

    fn page_bytes(&self) -> usize {
        let crossing = self.terms.states_to_cross.map_or(0, |_| Crossing::page_bytes(self.terms.widest));
        let thinking = self.selection.page_bytes(&self.kind) + self.chain.page_bytes() + route::PAGE_BYTES;
        (self.learner.page_bytes() + thinking).max(crossing)
    }

    fn bytes(&self) -> usize {
        size_of::<KnnLrtaAgent>()
            + size_of::<Selection>()
            + size_of::<Chain>()
            + self.selection.bytes()
            + self.chain.bytes()
            + self.route.bytes()
            + self.learner.bytes()
            + self.crossing.bytes()
    }

    fn remembered(&self) -> u64 {
        self.learner.remembered() + self.crossing.remembered()
    }

    fn searches(&self) -> Option<u64> {
        Some(self.searches)
    }

    fn save(&self, saving: &mut Saving) {
        self.kind.save(saving);
        self.journey.save(saving);
        self.terms.save(saving);
        // A thought is begun anew: the agent stands where it began.
        let phase = if self.phase == Phase::Chaining { Phase::Selecting } else { self.phase };
        saving.u32(PHASES.iter().position(|other| *other == phase).unwrap_or(0) as u32);
        self.route.save(saving);
        self.laps.save(saving);
        self.learner.save(saving);
        self.crossing.save(saving);
        saving.u32(self.failures);
        saving.u64(self.quota.map_or(u64::MAX, Cost::units));
        saving.u64(self.searches);
    }
}

impl KnnLrtaAgent {
    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<KnnLrtaAgent, SavedAgentError> {
        let kind = KnnLrta::restore(saved)?;
        let (journey, terms) = (Journey::restore(saved)?, Terms::restore(saved)?);
        let phase = *PHASES.get(saved.u32()? as usize).ok_or(SavedAgentError::Damaged)?;
        let mut agent = KnnLrtaAgent {
            kind,
            journey,
            terms,
            phase,
            selection: Box::default(),
            chain: Box::default(),
            trial: None,
            route: Route::restore(saved)?,
            laps: Laps::restore(saved)?,
            learner: Learner::restore(kind.learning().name(), saved)?,
            crossing: Crossing::restore(saved)?,
            failures: saved.u32()?,
            quota: Some(Cost::new(saved.u64()?)).filter(|quota| *quota != Cost::MAX),
            searches: saved.u64()?,
        };
        agent.selection.begin();
        agent.chain.begin();
        Ok(agent)
    }
}
