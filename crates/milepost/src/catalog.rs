//! Planners, agents and indexes by name. Planners and agents are called `NAME[:VALUE[:VALUE]][:key=value]...`, such as
//! `weighted-astar:1.5` or `astar:h=manhattan`.
//!
//! Names are resolved once, here; after that a planner is a value, and a kind of agent is one. Every planner stands in
//! [`PLANNERS`], every agent in [`AGENTS`], every index in [`INDEXES`], from which help texts and the tables of the
//! README are checked.

mod agents;
mod knn;
mod scouts;

pub use agents::{AGENTS, AgentEntry, AgentError, AnyAgent, AnyAgentKind, agent};
pub use scouts::{AnyScout, AnyScoutKind, SCOUTS, ScoutEntry, scout};

use crate::agent::AgentKind;
use crate::core::Budget;
use crate::index::{Atlas, IndexKind};
use crate::plan::{
    Astar, AstarBounds, CornerHierarchy, Dijkstra, FirstMoves, Jps, JpsPlus, JpsPlusBounds, JumpRows,
    Outcome, Planner, Query, Refusal, Scratch, WeightedAstar,
};
use crate::space::{Heuristic, Power, Rule, Space, Weight};
use std::ops::RangeInclusive;
use thiserror::Error;

/// A parameter that a name may carry.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// `key`, or empty for a plain value.
    pub key: &'static str,
    /// What may stand there.
    pub values: &'static str,
    /// What holds without it.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// A planner as users see it.
#[derive(Clone, Copy, Debug)]
pub struct PlannerEntry {
    /// The name users give.
    pub name: &'static str,
    /// The file in `plan/` that holds it.
    pub module: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// What it promises.
    pub guarantee: &'static str,
    /// The rules it works under.
    pub rules: &'static [Rule],
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

/// An index as users see it.
#[derive(Clone, Copy, Debug)]
pub struct IndexEntry {
    /// The name users give.
    pub name: &'static str,
    /// The file in `index/` that holds its layout.
    pub module: &'static str,
    /// What it is.
    pub kind: IndexKind,
    /// What it holds, in a sentence.
    pub summary: &'static str,
    /// The rules under which it can be built.
    pub rules: &'static [Rule],
    /// Whether it can be built for maps with weights and links, and for graphs.
    pub any_costs: bool,
}

impl IndexEntry {
    /// The planners that read it.
    pub fn planners(&self) -> impl Iterator<Item = &'static PlannerEntry> + use<> {
        let kind = self.kind;
        PLANNERS
            .iter()
            .filter(move |entry| planner(entry.name).is_ok_and(|planner| planner.needs().contains(&kind)))
    }

    /// The agents that read it.
    pub fn agents(&self) -> impl Iterator<Item = &'static AgentEntry> + use<> {
        let kind = self.kind;
        let reads = move |agent: AnyAgentKind| agent.needs().is_some_and(|index| index.kind == kind);
        AGENTS.iter().filter(move |entry| agent(entry.name).is_ok_and(reads))
    }
}

const HEURISTIC: [Parameter; 2] = [
    Parameter {
        key: "h",
        values: "zero|manhattan|octile|euclidean|hex",
        default: "the tightest admissible one",
        meaning: "the estimate",
    },
    Parameter { key: "p", values: "1..1000", default: "", meaning: "the p-norm as estimate" },
];

const BOUNDS: Parameter = Parameter {
    key: "bounds",
    values: "on|off",
    default: "off",
    meaning: "leaves out edges whose box of goals does not hold the goal (index `goal-bounds`)",
};

/// The rules under which paths can jump.
const STRICT_CORNERS: [Rule; 2] = [Rule::Octile, Rule::Octile14];

/// Every planner.
pub const PLANNERS: &[PlannerEntry] = &[
    PlannerEntry {
        name: "dijkstra",
        module: "dijkstra",
        summary: "expands states in the order of their cost",
        guarantee: "complete, optimal",
        rules: &Rule::ALL,
        parameters: &[BOUNDS],
    },
    PlannerEntry {
        name: "astar",
        module: "astar",
        summary: "expands the state with the least cost so far plus estimate",
        guarantee: "complete; optimal with an admissible estimate",
        rules: &Rule::ALL,
        parameters: &HEURISTIC,
    },
    PlannerEntry {
        name: "weighted-astar",
        module: "weighted_astar",
        summary: "A* with an inflated estimate: fewer expansions, longer paths",
        guarantee: "complete; at most W times the optimum with an admissible estimate",
        rules: &Rule::ALL,
        parameters: &[
            Parameter { key: "", values: "W in 1..1000", default: "1.5", meaning: "the weight" },
            HEURISTIC[0],
            HEURISTIC[1],
            BOUNDS,
        ],
    },
    PlannerEntry {
        name: "astar-bounds",
        module: "astar_bounds",
        summary: "A* along edges whose box of goals holds the goal",
        guarantee: "complete; optimal with an admissible estimate",
        rules: &Rule::ALL,
        parameters: &HEURISTIC,
    },
    PlannerEntry {
        name: "jps",
        module: "jps",
        summary: "A* that jumps from corner to corner over uniform ground; no index",
        guarantee: "complete, optimal",
        rules: &STRICT_CORNERS,
        parameters: &[BOUNDS],
    },
    PlannerEntry {
        name: "jps-plus",
        module: "jps_plus",
        summary: "jump point search that looks jumps up in a table",
        guarantee: "complete, optimal",
        rules: &STRICT_CORNERS,
        parameters: &[],
    },
    PlannerEntry {
        name: "jps-plus-bounds",
        module: "jps_plus_bounds",
        summary: "A* from jump point to jump point that takes only ways whose box holds the goal",
        guarantee: "complete, optimal",
        rules: &STRICT_CORNERS,
        parameters: &[],
    },
    PlannerEntry {
        name: "jump-rows",
        module: "jump_rows",
        summary: "follows rows from jump point to jump point; no search at all",
        guarantee: "complete, optimal",
        rules: &STRICT_CORNERS,
        parameters: &[],
    },
    PlannerEntry {
        name: "first-moves",
        module: "first_moves",
        summary: "looks one move after another up; no search at all",
        guarantee: "complete, optimal",
        rules: &Rule::ALL,
        parameters: &[],
    },
    PlannerEntry {
        name: "corner-hierarchy",
        module: "corner_hierarchy",
        summary: "searches a small hierarchy of corners from both ends; for maps too large for `jump-rows`",
        guarantee: "complete, optimal",
        rules: &STRICT_CORNERS,
        parameters: &[],
    },
];

/// Every index that can be built.
pub const INDEXES: &[IndexEntry] = &[
    IndexEntry {
        name: "jump-table",
        module: "jump_table",
        kind: IndexKind::JumpTable,
        summary: "how far it is to the next jump point or wall, for every cell and direction; built in milliseconds",
        rules: &STRICT_CORNERS,
        any_costs: false,
    },
    IndexEntry {
        name: "goal-bounds",
        module: "goal_bounds",
        kind: IndexKind::GoalBounds,
        summary: "a box of goals for every edge of every state; one flood from each, so minutes on large maps",
        rules: &Rule::ALL,
        any_costs: true,
    },
    IndexEntry {
        name: "jump-bounds",
        module: "jump_bounds",
        kind: IndexKind::JumpBounds,
        summary: "a box of goals for every way from one jump point to the next; built in seconds",
        rules: &STRICT_CORNERS,
        any_costs: false,
    },
    IndexEntry {
        name: "jump-rows",
        module: "jump_rows",
        kind: IndexKind::JumpRows,
        summary: "for every jump point, which one comes next on the way to any cell; built in seconds",
        rules: &STRICT_CORNERS,
        any_costs: false,
    },
    IndexEntry {
        name: "first-moves",
        module: "first_moves",
        kind: IndexKind::FirstMoves,
        summary: "the first move of a shortest path between any two states; seconds to minutes, more on large maps",
        rules: &Rule::ALL,
        any_costs: true,
    },
    IndexEntry {
        name: "regions",
        module: "regions",
        kind: IndexKind::Regions,
        summary: "regions of a map, and for any two of them where the way between them leaves; a flood for each region",
        rules: &Rule::ALL,
        any_costs: true,
    },
    IndexEntry {
        name: "corner-hierarchy",
        module: "corner_hierarchy",
        kind: IndexKind::CornerHierarchy,
        summary: "a hierarchy of ways between corners, and a short list of corners for each block of cells; small, \
                  built in seconds even for millions of cells",
        rules: &STRICT_CORNERS,
        any_costs: false,
    },
    IndexEntry {
        name: "case-base",
        module: "case_base",
        kind: IndexKind::CaseBase,
        summary: "problems solved and compressed, and regions with ways between them; built in seconds",
        rules: &Rule::ALL,
        any_costs: true,
    },
    IndexEntry {
        name: "subgoal-trees",
        module: "subgoal_trees",
        kind: IndexKind::SubgoalTrees,
        summary: "a tree of subgoals for every goal; one flood from each, so seconds to minutes",
        rules: &Rule::ALL,
        any_costs: true,
    },
];

/// The estimates that can be chosen by name.
pub const HEURISTICS: [(&str, Heuristic); 5] = [
    ("zero", Heuristic::Zero),
    ("manhattan", Heuristic::Manhattan),
    ("octile", Heuristic::Octile),
    ("euclidean", Heuristic::Euclidean),
    ("hex", Heuristic::Hex),
];

/// Any planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum AnyPlanner {
    Dijkstra(Dijkstra),
    Astar(Astar),
    WeightedAstar(WeightedAstar),
    AstarBounds(AstarBounds),
    Jps(Jps),
    JpsPlus(JpsPlus),
    JpsPlusBounds(JpsPlusBounds),
    JumpRows(JumpRows),
    FirstMoves(FirstMoves),
    CornerHierarchy(CornerHierarchy),
}

impl AnyPlanner {
    fn inner(&self) -> &dyn Planner {
        match self {
            AnyPlanner::Dijkstra(planner) => planner,
            AnyPlanner::Astar(planner) => planner,
            AnyPlanner::WeightedAstar(planner) => planner,
            AnyPlanner::AstarBounds(planner) => planner,
            AnyPlanner::Jps(planner) => planner,
            AnyPlanner::JpsPlus(planner) => planner,
            AnyPlanner::JpsPlusBounds(planner) => planner,
            AnyPlanner::JumpRows(planner) => planner,
            AnyPlanner::FirstMoves(planner) => planner,
            AnyPlanner::CornerHierarchy(planner) => planner,
        }
    }
}

impl Planner for AnyPlanner {
    fn plan(&self, atlas: &Atlas, query: &Query<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Outcome {
        self.inner().plan(atlas, query, scratch, budget)
    }

    fn resume(
        &self,
        atlas: &Atlas,
        query: &Query<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Outcome {
        self.inner().resume(atlas, query, scratch, budget)
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

    fn obeys_overlays(&self) -> bool {
        self.inner().obeys_overlays()
    }
}

/// The fastest exact planner that an atlas allows.
pub fn fastest(atlas: &Atlas) -> AnyPlanner {
    let from_fast_to_slow = [
        AnyPlanner::JumpRows(JumpRows),
        AnyPlanner::JpsPlusBounds(JpsPlusBounds),
        AnyPlanner::FirstMoves(FirstMoves),
        AnyPlanner::Jps(Jps::default()),
        AnyPlanner::AstarBounds(AstarBounds::default()),
    ];
    from_fast_to_slow
        .into_iter()
        .find(|planner| planner.refusal(atlas).is_none())
        .unwrap_or(AnyPlanner::Astar(Astar::default()))
}

/// What is wrong with a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// Nobody has this name.
    #[error("there is no {what} `{name}`; there are {known}")]
    Unknown {
        /// What was to be named: `planner` or `agent`.
        what: &'static str,
        /// The name given.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// A parameter that means nothing to this planner or agent, or one too many.
    #[error("`{name}` takes no parameter `{parameter}`; it takes {accepted}")]
    NoSuchParameter {
        /// The planner or agent.
        name: &'static str,
        /// The parameter given.
        parameter: String,
        /// What it does take.
        accepted: String,
    },
    /// A parameter with a value out of range.
    #[error("`{parameter}` is no value for `{name}`: expected {expected}")]
    BadValue {
        /// The planner or agent.
        name: &'static str,
        /// The parameter given.
        parameter: String,
        /// What may stand there.
        expected: &'static str,
    },
}

/// The planner that a text names.
pub fn planner(text: &str) -> Result<AnyPlanner, NameError> {
    let (entry, mut given) = Given::read("planner", text, PLANNERS, |entry| (entry.name, entry.parameters))?;
    let planner = match entry.name {
        "dijkstra" => AnyPlanner::Dijkstra(Dijkstra { bounds: given.bounds()? }),
        "astar" => AnyPlanner::Astar(Astar { heuristic: given.heuristic()? }),
        "astar-bounds" => AnyPlanner::AstarBounds(AstarBounds { heuristic: given.heuristic()? }),
        "jps" => AnyPlanner::Jps(Jps { bounds: given.bounds()? }),
        "jps-plus" => AnyPlanner::JpsPlus(JpsPlus),
        "jps-plus-bounds" => AnyPlanner::JpsPlusBounds(JpsPlusBounds),
        "jump-rows" => AnyPlanner::JumpRows(JumpRows),
        "first-moves" => AnyPlanner::FirstMoves(FirstMoves),
        "corner-hierarchy" => AnyPlanner::CornerHierarchy(CornerHierarchy),
        _ => AnyPlanner::WeightedAstar(WeightedAstar {
            weight: given.weight()?,
            heuristic: given.heuristic()?,
            bounds: given.bounds()?,
        }),
    };
    given.nothing_left().map(|()| planner)
}

/// The parameters of a name that have not been looked at yet.
struct Given<'a> {
    name: &'static str,
    /// What may be given.
    parameters: &'static [Parameter],
    texts: Vec<&'a str>,
}

impl<'a> Given<'a> {
    /// The entry that a text names, and what is given with the name. `describe` says what an entry is called and takes.
    fn read<E>(
        what: &'static str,
        text: &'a str,
        entries: &'static [E],
        describe: impl Fn(&E) -> (&'static str, &'static [Parameter]),
    ) -> Result<(&'static E, Given<'a>), NameError> {
        let (asked, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let entry = entries.iter().find(|entry| describe(entry).0 == asked).ok_or_else(|| {
            let known = entries.iter().map(|entry| describe(entry).0).collect::<Vec<_>>().join(", ");
            NameError::Unknown { what, name: asked.to_owned(), known }
        })?;
        let (name, parameters) = describe(entry);
        let texts = rest.map_or_else(Vec::new, |rest| rest.split(':').collect());
        Ok((entry, Given { name, parameters, texts }))
    }

    /// Takes the value of `key`, or the first plain value if it is empty.
    fn take(&mut self, key: &str) -> Option<(&'a str, &'a str)> {
        let split = |text: &'a str| text.split_once('=').unwrap_or(("", text));
        let index = self.texts.iter().position(|text| split(text).0 == key)?;
        let text = self.texts.remove(index);
        Some((text, split(text).1))
    }

    fn bad_value(&self, parameter: &str, expected: &'static str) -> NameError {
        NameError::BadValue { name: self.name, parameter: parameter.to_owned(), expected }
    }

    fn heuristic(&mut self) -> Result<Option<Heuristic>, NameError> {
        let (by_name, by_power) = (self.take("h"), self.take("p"));
        match (by_name, by_power) {
            (None, None) => Ok(None),
            (Some((text, value)), None) => HEURISTICS
                .iter()
                .find(|(name, _)| *name == value)
                .map(|&(_, heuristic)| Some(heuristic))
                .ok_or_else(|| self.bad_value(text, "h=zero, h=manhattan, h=octile, h=euclidean or h=hex")),
            (None, Some((text, value))) => thousandths(value)
                .and_then(Power::from_thousandths)
                .map(|power| Some(Heuristic::PNorm(power)))
                .ok_or_else(|| self.bad_value(text, "p=V with V from 1 to 1000, at most three decimals")),
            (Some(_), Some((text, _))) => Err(self.bad_value(text, "either h or p, not both")),
        }
    }

    fn bounds(&mut self) -> Result<bool, NameError> {
        match self.take("bounds") {
            None | Some((_, "off")) => Ok(false),
            Some((_, "on")) => Ok(true),
            Some((text, _)) => Err(self.bad_value(text, "bounds=on or bounds=off")),
        }
    }

    fn weight(&mut self) -> Result<Weight, NameError> {
        let (text, value) = self.take("").unwrap_or(("1.5", "1.5"));
        thousandths(value)
            .and_then(Weight::from_thousandths)
            .ok_or_else(|| self.bad_value(text, "a weight from 1 to 1000, at most three decimals"))
    }

    /// The plain value as a whole number in a range.
    fn count(
        &mut self,
        default: &'static str,
        range: RangeInclusive<u32>,
        expected: &'static str,
    ) -> Result<u32, NameError> {
        self.keyed_count("", default, range, expected)
    }

    /// The value of a key as a whole number in a range.
    fn keyed_count(
        &mut self,
        key: &'static str,
        default: &'static str,
        range: RangeInclusive<u32>,
        expected: &'static str,
    ) -> Result<u32, NameError> {
        let (text, value) = self.take(key).unwrap_or((default, default));
        let is_plain = value.bytes().all(|byte| byte.is_ascii_digit());
        let value = value.parse().ok().filter(|value| is_plain && range.contains(value));
        value.ok_or_else(|| self.bad_value(text, expected))
    }

    /// The plain value, times 1000, in a range.
    fn thousandths(
        &mut self,
        default: &'static str,
        range: RangeInclusive<u32>,
        expected: &'static str,
    ) -> Result<u32, NameError> {
        let (text, value) = self.take("").unwrap_or((default, default));
        let value = thousandths(value).filter(|value| range.contains(value));
        value.ok_or_else(|| self.bad_value(text, expected))
    }

    fn nothing_left(&self) -> Result<(), NameError> {
        let Some(parameter) = self.texts.first() else { return Ok(()) };
        let describe = |parameter: &Parameter| match parameter.key {
            "" => parameter.values.to_owned(),
            key => format!("{key}={}", parameter.values),
        };
        let accepted = self.parameters.iter().map(describe).collect::<Vec<_>>().join(", ");
        Err(NameError::NoSuchParameter {
            name: self.name,
            parameter: (*parameter).to_owned(),
            accepted: if accepted.is_empty() { "none".to_owned() } else { accepted },
        })
    }
}

/// A decimal number with at most three decimals, times 1000.
fn thousandths(text: &str) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits =
        |text: &str, most| (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole, 6) || !digits(decimals, 3) {
        return None;
    }
    let decimals = decimals.parse::<u32>().ok()? * 10_u32.pow(3 - decimals.len() as u32);
    Some(whole.parse::<u32>().ok()? * 1000 + decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_a_planner_with_its_defaults() {
        for entry in PLANNERS {
            assert!(planner(entry.name).is_ok(), "{}", entry.name);
        }
    }

    #[test]
    fn names_carry_parameters() {
        let weight = Weight::from_thousandths(2250).unwrap();
        let weighted = WeightedAstar { weight, heuristic: None, bounds: false };
        assert_eq!(planner("weighted-astar:2.25"), Ok(AnyPlanner::WeightedAstar(weighted)));
        let manhattan = Astar { heuristic: Some(Heuristic::Manhattan) };
        assert_eq!(planner("astar:h=manhattan"), Ok(AnyPlanner::Astar(manhattan)));
        let power = Heuristic::PNorm(Power::from_thousandths(2500).unwrap());
        assert_eq!(planner("astar:p=2.5"), Ok(AnyPlanner::Astar(Astar { heuristic: Some(power) })));
        let both = planner("weighted-astar:h=zero:3").unwrap();
        assert_eq!(both, planner("weighted-astar:3.000:h=zero").unwrap());
        assert_eq!(planner("dijkstra:bounds=on"), Ok(AnyPlanner::Dijkstra(Dijkstra { bounds: true })));
        assert_eq!(planner("jps:bounds=off"), planner("jps"));
        assert_eq!(planner("jps:bounds=on").unwrap().needs(), [IndexKind::GoalBounds]);
        assert!(planner("dijkstra").unwrap().needs().is_empty());
    }

    #[test]
    fn every_index_that_a_planner_reads_is_listed_under_its_name() {
        for entry in INDEXES {
            assert_eq!((entry.kind.name(), IndexKind::from_name(entry.name)), (entry.name, Some(entry.kind)));
            assert!(entry.planners().count() + entry.agents().count() > 0, "{}", entry.name);
        }
        for entry in PLANNERS {
            for kind in planner(entry.name).unwrap().needs() {
                let listed =
                    INDEXES.iter().find(|index| index.kind == *kind).unwrap_or_else(|| panic!("{kind}"));
                assert!(listed.planners().any(|reader| reader.name == entry.name));
            }
        }
    }

    #[test]
    fn what_a_name_does_not_take_is_refused_with_what_it_takes() {
        for (text, piece) in [
            ("nosuch", "there are dijkstra, astar, weighted-astar"),
            ("", "there is no planner ``"),
            ("dijkstra:h=zero", "takes no parameter `h=zero`; it takes bounds=on|off"),
            ("jps-plus:h=zero", "takes no parameter `h=zero`; it takes none"),
            ("jps:bounds=yes", "expected bounds=on or bounds=off"),
            ("astar:bounds=on", "takes no parameter `bounds=on`"),
            ("astar:2", "takes no parameter `2`; it takes h=zero|manhattan|octile|euclidean|hex, p=1..1000"),
            ("astar:", "takes no parameter ``"),
            ("astar:h=fast", "expected h=zero"),
            ("astar:h=zero:h=zero", "takes no parameter `h=zero`"),
            ("astar:h=zero:p=2", "either h or p"),
            ("astar:p=0.5", "1 to 1000"),
            ("weighted-astar:0.9", "a weight from 1 to 1000"),
            ("weighted-astar:1e3", "a weight from 1 to 1000"),
            ("weighted-astar:-1", "a weight from 1 to 1000"),
            ("weighted-astar:1:2", "takes no parameter `2`"),
            ("weighted-astar:1.2345", "at most three decimals"),
        ] {
            let message = planner(text).expect_err(text).to_string();
            assert!(message.contains(piece), "{text}: {message}");
        }
    }
}
