//! Planners by name.

use super::given::Given;
use super::{NameError, Parameter, STRICT_CORNERS};
use crate::core::Budget;
use crate::index::{Atlas, IndexKind};
use crate::plan::{
    Astar, AstarBounds, CornerHierarchy, Dijkstra, FirstMoves, Jps, JpsPlus, JpsPlusBounds, JumpRows,
    Outcome, Planner, Query, Refusal, Scratch, WeightedAstar,
};
use crate::space::{Heuristic, Rule, Space};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Power, Weight};

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
