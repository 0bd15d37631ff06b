//! Agents by name.

use super::{Given, NameError, Parameter, STRICT_CORNERS, Values, knn};
use crate::agent::{
    self, Agent, AgentKind, Carrier, CornerWalk, CornerWalkAgent, DLrta, DLrtaAgent, FirstMoves,
    FirstMovesAgent, KnnLrta, KnnLrtaAgent, Learning, LearningAgent, Limits, Restoring, SavedAgentError,
    Saving, Step, SubgoalTrees, SubgoalTreesAgent, Tba, TbaAgent, Traveller, Variant,
};
use crate::core::{Budget, StateId};
use crate::index::{Atlas, Exit, IndexSpec};
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
    AgentEntry {
        name: "lrta",
        module: "learning",
        summary: "goes where the goal seems nearest and remembers how far it was",
        guarantee: "complete",
        memory: "a value for each state where it went wrong",
        rules: &Rule::ALL,
        parameters: &[Parameter {
            key: "",
            values: Values::Text("G in 1..10"),
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
        memory: "a value for each state where it went wrong",
        rules: &Rule::ALL,
        parameters: &[Parameter {
            key: "",
            values: Values::Text("K in 1..1000"),
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
            values: Values::Text("N in 1..1000"),
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
                values: Values::Text("R in 5..5000"),
                default: "100",
                meaning: "what a step takes, in expansions; a tenth of it goes into tracing paths",
            },
            Parameter {
                key: "ratio",
                values: Values::Text("1..100"),
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
    AgentEntry {
        name: "d-lrta",
        module: "d_lrta",
        summary: "lrta from region to region: heads for where the way to the goal's region leaves its own",
        guarantee: "complete; with exit=first it may stop",
        memory: "a value for each state where it went wrong, for each subgoal",
        rules: &Rule::ALL,
        parameters: &[
            Parameter {
                key: "",
                values: Values::Text("LEVEL in 1..16"),
                default: "4",
                meaning: "the level of the index `regions`",
            },
            Parameter {
                key: "exit",
                values: Values::Text("last|first"),
                default: "last",
                meaning: "where ways leave a region: for the last time, or, as printed, for the first time",
            },
        ],
        make: |given| {
            let exit = match given.take("exit") {
                None | Some((_, "last")) => Exit::Last,
                Some((_, "first")) => Exit::First,
                Some((text, _)) => return Err(given.bad_value(text, "exit=last or exit=first")),
            };
            let level = given.count("4", 1..=16, "a level from 1 to 16")?;
            Ok(AnyAgentKind::DLrta(DLrta { level, exit }))
        },
        restore: |saved| DLrtaAgent::restore(saved).map(|agent| AnyAgent::DLrta(Box::new(agent))),
    },
    AgentEntry {
        name: "knn-lrta",
        module: "knn_lrta",
        summary: "looks up how a similar problem was solved, and climbs from one state of that solution to the next",
        guarantee: "complete",
        memory: "the next subgoals; while it looks for a chain of regions 16 bytes for each",
        rules: &Rule::ALL,
        parameters: &knn::PARAMETERS,
        make: |given| knn::read(given).map(AnyAgentKind::KnnLrta),
        restore: |saved| KnnLrtaAgent::restore(saved).map(AnyAgent::KnnLrta),
    },
    AgentEntry {
        name: "subgoal-trees",
        module: "subgoal_trees",
        summary: "heads for one subgoal after another, from a tree that was worked out for its goal",
        guarantee: "complete; optimal unless its first subgoal is not found in time",
        memory: "where it stands; a value for each state where a learner went wrong",
        rules: &Rule::ALL,
        parameters: &[
            Parameter {
                key: "",
                values: Values::Text("greedy|start-at-sub|as-printed"),
                default: "greedy",
                meaning: "which trees, and which subgoal comes first",
            },
            Parameter {
                key: "base",
                values: Values::Text("lrta|lrta-k|lss-lrta"),
                default: "lrta",
                meaning: "how it walks to a subgoal",
            },
        ],
        make: |given| {
            let (variant, base) = (given.variant()?, given.base()?);
            Ok(AnyAgentKind::SubgoalTrees(SubgoalTrees { variant, base }))
        },
        restore: |saved| SubgoalTreesAgent::restore(saved).map(AnyAgent::SubgoalTrees),
    },
];

const UNITS: Parameter = Parameter {
    key: "",
    values: Values::Text("UNITS in 96..1000000"),
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
    Learning(Learning),
    Tba(Tba),
    DLrta(DLrta),
    KnnLrta(KnnLrta),
    SubgoalTrees(SubgoalTrees),
}

impl AnyAgentKind {
    fn inner(&self) -> &dyn AgentKind {
        match self {
            AnyAgentKind::CornerWalk(kind) => kind,
            AnyAgentKind::FirstMoves(kind) => kind,
            AnyAgentKind::Learning(kind) => kind,
            AnyAgentKind::Tba(kind) => kind,
            AnyAgentKind::DLrta(kind) => kind,
            AnyAgentKind::KnnLrta(kind) => kind,
            AnyAgentKind::SubgoalTrees(kind) => kind,
        }
    }

    /// An agent of this kind. Whether it can work on the atlas [`AgentKind::refusal`] says; if the start is no free
    /// state, or the goal cannot be reached, the agent finds no path.
    pub fn start(&self, atlas: &Atlas, from: StateId, to: StateId) -> AnyAgent {
        match self {
            AnyAgentKind::CornerWalk(kind) => AnyAgent::CornerWalk(kind.start(atlas, from, to)),
            AnyAgentKind::FirstMoves(kind) => AnyAgent::FirstMoves(kind.start(atlas, from, to)),
            AnyAgentKind::Learning(kind) => AnyAgent::Learning(kind.start(atlas, from, to)),
            AnyAgentKind::Tba(kind) => AnyAgent::Tba(Box::new(kind.start(atlas, from, to))),
            AnyAgentKind::DLrta(kind) => AnyAgent::DLrta(Box::new(kind.start(atlas, from, to))),
            AnyAgentKind::KnnLrta(kind) => AnyAgent::KnnLrta(kind.start(atlas, from, to)),
            AnyAgentKind::SubgoalTrees(kind) => AnyAgent::SubgoalTrees(kind.start(atlas, from, to)),
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
    CornerWalk(CornerWalkAgent),
    FirstMoves(FirstMovesAgent),
    Learning(LearningAgent),
    Tba(Box<TbaAgent>),
    DLrta(Box<DLrtaAgent>),
    KnnLrta(KnnLrtaAgent),
    SubgoalTrees(SubgoalTreesAgent),
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
            AnyAgent::Learning(agent) => agent.learning().name(),
            AnyAgent::Tba(_) => "tba",
            AnyAgent::DLrta(_) => "d-lrta",
            AnyAgent::KnnLrta(_) => "knn-lrta",
            AnyAgent::SubgoalTrees(_) => "subgoal-trees",
        }
    }

    fn inner(&self) -> &dyn Agent {
        match self {
            AnyAgent::CornerWalk(agent) => agent,
            AnyAgent::FirstMoves(agent) => agent,
            AnyAgent::Learning(agent) => agent,
            AnyAgent::Tba(agent) => &**agent,
            AnyAgent::DLrta(agent) => &**agent,
            AnyAgent::KnnLrta(agent) => agent,
            AnyAgent::SubgoalTrees(agent) => agent,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Agent {
        match self {
            AnyAgent::CornerWalk(agent) => agent,
            AnyAgent::FirstMoves(agent) => agent,
            AnyAgent::Learning(agent) => agent,
            AnyAgent::Tba(agent) => &mut **agent,
            AnyAgent::DLrta(agent) => &mut **agent,
            AnyAgent::KnnLrta(agent) => agent,
            AnyAgent::SubgoalTrees(agent) => agent,
        }
    }
}

impl Agent for AnyAgent {
    fn step(&mut self, atlas: &Atlas, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        self.inner_mut().step(atlas, scratch, budget)
    }
}

impl Carrier for AnyAgent {
    fn carried(&self) -> &dyn Traveller {
        self.inner()
    }

    fn carried_mut(&mut self) -> &mut dyn Traveller {
        self.inner_mut()
    }

    fn bytes_around(&self) -> usize {
        // There may be room for others. What is in a box is not inside.
        let inside = match self {
            AnyAgent::Tba(_) | AnyAgent::DLrta(_) => 0,
            _ => size_of_val(self.inner()),
        };
        size_of::<AnyAgent>() - inside
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

impl Given<'_> {
    fn variant(&mut self) -> Result<Variant, NameError> {
        match self.take("") {
            None | Some((_, "greedy")) => Ok(Variant::Greedy),
            Some((_, "start-at-sub")) => Ok(Variant::StartAtSub),
            Some((_, "as-printed")) => Ok(Variant::AsPrinted),
            Some((text, _)) => Err(self.bad_value(text, "greedy, start-at-sub or as-printed")),
        }
    }

    fn base(&mut self) -> Result<Learning, NameError> {
        match self.take("base") {
            None | Some((_, "lrta")) => Ok(Learning::Lrta { g_max: 1000 }),
            Some((_, "lrta-k")) => Ok(Learning::LrtaK { k: 16 }),
            Some((_, "lss-lrta")) => Ok(Learning::LssLrta { expansions: 32 }),
            Some((text, _)) => Err(self.bad_value(text, "base=lrta, base=lrta-k or base=lss-lrta")),
        }
    }
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
