//! Agents by name.

use super::{Given, NameError, Parameter};
use crate::agent::{
    self, Agent, AgentKind, FirstMoves, FirstMovesAgent, Learning, LearningAgent, Limits, Restoring,
    SavedAgentError, Saving, Step, Tba, TbaAgent, Traveller,
};
use crate::core::{Budget, StateId};
use crate::index::{Atlas, IndexSpec};
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
    AgentEntry {
        name: "lrta",
        module: "learning",
        summary: "goes where the goal seems nearest and remembers how far it was",
        guarantee: "complete",
        memory: "a value for each state where it went wrong",
        rules: &Rule::ALL,
        parameters: &[Parameter {
            key: "",
            values: "G in 1..10",
            default: "1",
            meaning: "how far it looks ahead, in straight steps; below 2 at the next states",
        }],
        make: |given| {
            let g_max =
                given.thousandths("1", agent::G_MAX, "a distance from 1 to 10, at most three decimals")?;
            Ok(AnyAgentKind::Learning(Learning::Lrta { g_max }))
        },
        restore: |saved| LearningAgent::restore("lrta", saved).map(AnyAgent::Learning),
    },
    AgentEntry {
        name: "lrta-k",
        module: "learning",
        summary: "as lrta; what it learns it carries on to the states around",
        guarantee: "complete",
        memory: "a value for each state around where it went wrong",
        rules: &Rule::ALL,
        parameters: &[Parameter {
            key: "",
            values: "K in 1..1000",
            default: "16",
            meaning: "states whose values are looked at, at each move",
        }],
        make: |given| {
            let k = given.count("16", agent::K, "a number of states from 1 to 1000")?;
            Ok(AnyAgentKind::Learning(Learning::LrtaK { k }))
        },
        restore: |saved| LearningAgent::restore("lrta-k", saved).map(AnyAgent::Learning),
    },
    AgentEntry {
        name: "lss-lrta",
        module: "learning",
        summary: "a small A* search, after which all its states know more; then to the best state of its border",
        guarantee: "complete",
        memory: "a value for each state that its searches expanded and had taken for nearer",
        rules: &Rule::ALL,
        parameters: &[Parameter {
            key: "",
            values: "N in 1..1000",
            default: "32",
            meaning: "states that one search expands",
        }],
        make: |given| {
            let expansions = given.count("32", agent::EXPANSIONS, "a number of states from 1 to 1000")?;
            Ok(AnyAgentKind::Learning(Learning::LssLrta { expansions }))
        },
        restore: |saved| LearningAgent::restore("lss-lrta", saved).map(AnyAgent::Learning),
    },
    AgentEntry {
        name: "tba",
        module: "tba",
        summary: "A* in slices; walks towards the best state so far, and back where branches part",
        guarantee: "complete",
        memory: "a node for each state its search has touched",
        rules: &Rule::ALL,
        parameters: &[
            Parameter {
                key: "",
                values: "R in 5..5000",
                default: "100",
                meaning: "what a step takes, in expansions; a tenth of it goes into tracing paths",
            },
            Parameter {
                key: "ratio",
                values: "1..100",
                default: "10",
                meaning: "hops of a trace that cost as much as an expansion",
            },
        ],
        make: |given| {
            let ratio = given.keyed_count("ratio", "10", agent::RATIO, "ratio=C with C from 1 to 100")?;
            let slice = given.count("100", agent::SLICE, "a number of expansions from 5 to 5000")?;
            Ok(AnyAgentKind::Tba(Tba { slice, ratio }))
        },
        restore: |saved| TbaAgent::restore(saved).map(|agent| AnyAgent::Tba(Box::new(agent))),
    },
];

/// Any kind of agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum AnyAgentKind {
    FirstMoves(FirstMoves),
    Learning(Learning),
    Tba(Tba),
}

impl AnyAgentKind {
    fn inner(&self) -> &dyn AgentKind {
        match self {
            AnyAgentKind::FirstMoves(kind) => kind,
            AnyAgentKind::Learning(kind) => kind,
            AnyAgentKind::Tba(kind) => kind,
        }
    }

    /// An agent of this kind. Whether it can work on the atlas [`AgentKind::refusal`] says; if the start is no free
    /// state, or the goal cannot be reached, the agent finds no path.
    pub fn start(&self, atlas: &Atlas, from: StateId, to: StateId) -> AnyAgent {
        match self {
            AnyAgentKind::FirstMoves(kind) => AnyAgent::FirstMoves(kind.start(atlas, from, to)),
            AnyAgentKind::Learning(kind) => AnyAgent::Learning(kind.start(atlas, from, to)),
            AnyAgentKind::Tba(kind) => AnyAgent::Tba(Box::new(kind.start(atlas, from, to))),
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

    fn needs(&self) -> Option<IndexSpec> {
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
    FirstMoves(FirstMovesAgent),
    Learning(LearningAgent),
    Tba(Box<TbaAgent>),
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
            AnyAgent::FirstMoves(_) => "first-moves",
            AnyAgent::Learning(agent) => agent.learning().name(),
            AnyAgent::Tba(_) => "tba",
        }
    }

    fn inner(&self) -> &dyn Agent {
        match self {
            AnyAgent::FirstMoves(agent) => agent,
            AnyAgent::Learning(agent) => agent,
            AnyAgent::Tba(agent) => &**agent,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Agent {
        match self {
            AnyAgent::FirstMoves(agent) => agent,
            AnyAgent::Learning(agent) => agent,
            AnyAgent::Tba(agent) => &mut **agent,
        }
    }
}

impl Agent for AnyAgent {
    fn step(&mut self, atlas: &Atlas, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        self.inner_mut().step(atlas, scratch, budget)
    }
}

impl Traveller for AnyAgent {
    fn retarget(&mut self, goal: StateId) {
        self.inner_mut().retarget(goal);
    }

    fn state(&self) -> StateId {
        self.inner().state()
    }

    fn goal(&self) -> StateId {
        self.inner().goal()
    }

    fn subgoal(&self) -> Option<StateId> {
        self.inner().subgoal()
    }

    fn limits(&self) -> Limits {
        self.inner().limits()
    }

    fn page_bytes(&self) -> usize {
        self.inner().page_bytes()
    }

    fn bytes(&self) -> usize {
        // What is inside counts itself; around it there may be room for others. What is in a box is not inside.
        let inside = match self {
            AnyAgent::Tba(_) => 0,
            _ => size_of_val(self.inner()),
        };
        size_of::<AnyAgent>() - inside + self.inner().bytes()
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
            ("nosuch", "there is no agent `nosuch`; there are first-moves"),
            ("", "there is no agent ``"),
            ("first-moves:3", "`first-moves` takes no parameter `3`; it takes none"),
        ] {
            let message = agent(text).expect_err(text).to_string();
            assert!(message.contains(piece), "{text}: {message}");
        }
    }
}
