//! Agents by name.

use super::{Given, NameError, Parameter, STRICT_CORNERS};
use crate::agent::{
    self, Agent, AgentKind, CornerWalk, CornerWalkAgent, FirstMoves, FirstMovesAgent, Limits, Restoring,
    SavedAgentError, Saving, Step,
};
use crate::core::{Budget, StateId};
use crate::index::{Atlas, IndexKind};
use crate::plan::{Refusal, Scratch};
use crate::space::{Rule, Space};
use thiserror::Error;

/// A kind of agent as users see it. What its steps take, [`AgentKind::limits`] says.
#[derive(Clone, Copy, Debug)]
pub struct AgentEntry {
    /// The name users give.
    pub name: &'static str,
    /// The file in `agent/` that holds it.
    pub module: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// What it promises.
    pub guarantee: &'static str,
    /// What an agent remembers.
    pub memory: &'static str,
    /// The rules it works under.
    pub rules: &'static [Rule],
    /// Its parameters.
    pub parameters: &'static [Parameter],
    make: fn(&mut Given<'_>) -> Result<AnyAgentKind, NameError>,
    restore: fn(&mut Restoring<'_>) -> Result<AnyAgent, SavedAgentError>,
}

/// Every kind of agent.
pub const AGENTS: &[AgentEntry] = &[
    AgentEntry {
        name: "corner-walk",
        module: "corner_walk",
        summary: "plans over a hierarchy of corners, in slices, while it walks",
        guarantee: "complete; mostly within 0.1 % of the optimum where paths are long",
        memory: "while it plans a table of up to 16,384 labels of 16 bytes, usually 2,048; then about 2 KiB",
        rules: &STRICT_CORNERS,
        parameters: &[UNITS],
        make: |given| Ok(AnyAgentKind::CornerWalk(CornerWalk { units: given.units()? })),
        restore: |saved| CornerWalkAgent::restore(saved).map(AnyAgent::CornerWalk),
    },
    AgentEntry {
        name: "first-moves",
        module: "first_moves",
        summary: "looks every move up in a table of first moves; no search at all",
        guarantee: "complete, optimal",
        memory: "where it stands; less than 100 bytes",
        rules: &Rule::ALL,
        parameters: &[],
        make: |_| Ok(AnyAgentKind::FirstMoves(FirstMoves)),
        restore: |saved| FirstMovesAgent::restore(saved).map(AnyAgent::FirstMoves),
    },
];

const UNITS: Parameter = Parameter {
    key: "",
    values: "UNITS in 96..1000000",
    default: "500",
    meaning: "the most that a step may take",
};

impl Given<'_> {
    /// The units of a step.
    fn units(&mut self) -> Result<u64, NameError> {
        let Some((text, value)) = self.take("") else { return Ok(CornerWalk::default().units) };
        let units = value.parse().ok().filter(|units| (CornerWalk::LEAST_UNITS..=1_000_000).contains(units));
        units.ok_or_else(|| self.bad_value(text, "a number of units from 96 to 1000000"))
    }
}

/// Any kind of agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum AnyAgentKind {
    CornerWalk(CornerWalk),
    FirstMoves(FirstMoves),
}

impl AnyAgentKind {
    fn inner(&self) -> &dyn AgentKind {
        match self {
            AnyAgentKind::CornerWalk(kind) => kind,
            AnyAgentKind::FirstMoves(kind) => kind,
        }
    }

    /// An agent of this kind. Whether it can work on the atlas [`AgentKind::refusal`] says; if the start is no free
    /// state, or the goal cannot be reached, the agent finds no path.
    pub fn start(&self, atlas: &Atlas, from: StateId, to: StateId) -> AnyAgent {
        match self {
            AnyAgentKind::CornerWalk(kind) => AnyAgent::CornerWalk(kind.start(atlas, from, to)),
            AnyAgentKind::FirstMoves(kind) => AnyAgent::FirstMoves(kind.start(atlas, from, to)),
        }
    }
}

impl AgentKind for AnyAgentKind {
    fn limits(&self) -> Limits {
        self.inner().limits()
    }

    fn is_optimal(&self, space: &Space) -> bool {
        self.inner().is_optimal(space)
    }

    fn needs(&self) -> &'static [IndexKind] {
        self.inner().needs()
    }

    fn refusal(&self, atlas: &Atlas) -> Option<Refusal> {
        self.inner().refusal(atlas)
    }
}

/// Any agent.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum AnyAgent {
    CornerWalk(CornerWalkAgent),
    FirstMoves(FirstMovesAgent),
}

impl AnyAgent {
    /// The agent as bytes, from which [`AnyAgent::restore`] makes one that goes on as this one would.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut saving = Saving::new(self.name());
        self.save(&mut saving);
        agent::finish(saving)
    }

    /// The agent that was saved. It must be shown the map that it was saved on.
    pub fn restore(bytes: &[u8]) -> Result<AnyAgent, SavedAgentError> {
        let (name, mut saved) = agent::open(bytes)?;
        let unknown = || SavedAgentError::Unknown { name: name.to_owned() };
        let entry = AGENTS.iter().find(|entry| entry.name == name).ok_or_else(unknown)?;
        let agent = (entry.restore)(&mut saved)?;
        saved.end().map(|()| agent)
    }

    /// The name of its kind, without parameters.
    pub fn name(&self) -> &'static str {
        match self {
            AnyAgent::CornerWalk(_) => "corner-walk",
            AnyAgent::FirstMoves(_) => "first-moves",
        }
    }

    fn inner(&self) -> &dyn Agent {
        match self {
            AnyAgent::CornerWalk(agent) => agent,
            AnyAgent::FirstMoves(agent) => agent,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Agent {
        match self {
            AnyAgent::CornerWalk(agent) => agent,
            AnyAgent::FirstMoves(agent) => agent,
        }
    }
}

impl Agent for AnyAgent {
    fn step(&mut self, atlas: &Atlas, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        self.inner_mut().step(atlas, scratch, budget)
    }

    fn retarget(&mut self, goal: StateId) {
        self.inner_mut().retarget(goal);
    }

    fn state(&self) -> StateId {
        self.inner().state()
    }

    fn goal(&self) -> StateId {
        self.inner().goal()
    }

    fn limits(&self) -> Limits {
        self.inner().limits()
    }

    fn bytes(&self) -> usize {
        // What is inside counts itself; around it there may be room for others.
        size_of::<AnyAgent>() - size_of_val(self.inner()) + self.inner().bytes()
    }

    fn remembered(&self) -> u64 {
        self.inner().remembered()
    }

    fn searches(&self) -> Option<u64> {
        self.inner().searches()
    }

    fn save(&self, saving: &mut Saving) {
        self.inner().save(saving);
    }
}

/// Why there is no agent of a name on an atlas.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentError {
    /// There is no such name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// It does not work there.
    #[error("`{name}` {refusal}")]
    Refused {
        /// The name given.
        name: String,
        /// Why not.
        refusal: Refusal,
    },
}

/// The kind of agent that a text names.
pub fn agent(text: &str) -> Result<AnyAgentKind, NameError> {
    let (entry, mut given) = Given::read("agent", text, AGENTS, |entry| (entry.name, entry.parameters))?;
    let kind = (entry.make)(&mut given)?;
    given.nothing_left().map(|()| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_an_agent_with_its_defaults() {
        for entry in AGENTS {
            let kind = agent(entry.name).expect(entry.name);
            let limits = kind.limits();
            assert!(limits.min_units <= limits.max_units, "{}", entry.name);
        }
    }

    #[test]
    fn agents_can_be_cloned_and_sent_to_another_thread() {
        fn check<T: Clone + Send + Sync + 'static>() {}
        check::<AnyAgent>();
        check::<AnyAgentKind>();
    }

    #[test]
    fn an_agent_is_called_what_its_entry_says() {
        let atlas =
            Atlas::new(crate::space::Grid::new(2, 1, Rule::Octile, |_, _| true).expect("a small map"));
        for entry in AGENTS {
            let agent = agent(entry.name).expect(entry.name).start(&atlas, StateId::NONE, StateId::NONE);
            assert_eq!(agent.name(), entry.name);
            assert!(agent.bytes() >= size_of::<AnyAgent>());
        }
    }

    #[test]
    fn what_no_agent_is_called_is_refused_with_what_there_is() {
        for (text, piece) in [
            ("nosuch", "there is no agent `nosuch`; there are corner-walk, first-moves"),
            ("", "there is no agent ``"),
            (
                "corner-walk:95",
                "`95` is no value for `corner-walk`: expected a number of units from 96 to 1000000",
            ),
            ("corner-walk:500:9", "`corner-walk` takes no parameter `9`"),
            ("first-moves:3", "`first-moves` takes no parameter `3`; it takes none"),
        ] {
            let message = agent(text).expect_err(text).to_string();
            assert!(message.contains(piece), "{text}: {message}");
        }
    }
}
