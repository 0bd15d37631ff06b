//! Every planner: what it is called, what it promises, how a name makes it, and what `fastest` knows of it.

use super::greedy::Greedy;
use super::{
    Astar, AstarBounds, CornerHierarchy, CornerLabels, Dijkstra, FirstMoves, Jps, JpsPlus, JpsPlusBounds,
    JumpRows, Planner, WeightedAstar,
};
use crate::core::{NameArgs, NameError, ParameterInfo, Values};
use crate::space::{Heuristic, Nodes, Power, Weight};
use std::borrow::Cow;
use std::sync::Arc;

/// A planner that was chosen when the program runs.
pub type AnyPlanner = Arc<dyn Planner>;

/// A planner as users see it, and how it is made.
#[derive(Clone, Copy, Debug)]
pub struct PlannerEntry {
    /// The name users give. Its file in `plan/` is called so, too.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// What it promises.
    pub guarantee: &'static str,
    /// Its parameters.
    pub parameters: &'static [ParameterInfo],
    /// The planner with its defaults: where it works, what it reads.
    pub planner: &'static dyn Planner,
    /// Of the exact planners that an atlas allows and of which it has no [figures](crate::Atlas::figures), [`fastest`](crate::Atlas::fastest)
    /// takes the one with the least number; those without one it never takes. The order goes by how many states a query touches: one
    /// jump point after another; the few jump points that boxes of goals leave; every state of the path; corners; jump
    /// points; cells between them, scanned; all cells.
    pub preference: Option<u8>,
    /// What a unit of its work takes, in picoseconds: the units that a file counted times this is the time that
    /// [`fastest`](crate::Atlas::fastest) expects. Measured: docs/measurements.md says how. `None` for planners whose work is not counted when
    /// a file is built: those that are not exact, and those that an index of the file would not help.
    pub unit_picoseconds: Option<u32>,
    pub(crate) make: fn(&mut NameArgs<'_>) -> Result<AnyPlanner, NameError>,
}

const ESTIMATE: ParameterInfo = ParameterInfo {
    key: "h",
    letter: "H",
    noun: "an estimate",
    values: Values::Words(&["zero", "manhattan", "octile", "euclidean", "hex", "differential", "canonical"]),
    default: Cow::Borrowed("the tightest admissible one"),
    meaning: "the estimate; `differential` and `canonical` read distances to landmarks (index `landmarks`)",
};

const POWER: ParameterInfo = ParameterInfo {
    key: "p",
    letter: "P",
    noun: "a power",
    values: Values::Decimal { least: 1, greatest: 1000 },
    default: Cow::Borrowed(""),
    meaning: "the p-norm as estimate",
};

const BOUNDS: ParameterInfo = ParameterInfo {
    key: "bounds",
    letter: "B",
    noun: "a switch",
    values: Values::Words(&["on", "off"]),
    default: Cow::Borrowed("off"),
    meaning: "leaves out edges whose box of goals does not hold the goal (index `goal-bounds`)",
};

const NODES: ParameterInfo = ParameterInfo {
    key: "nodes",
    letter: "N",
    noun: "a kind of nodes",
    values: Values::Words(&["portals", "centres"]),
    // No word of these: other maps have no nodes to choose from.
    default: Cow::Borrowed("portals, on a mesh"),
    meaning: "what is passed on a mesh: middles of portals, or centres of polygons; refused on other maps",
};

const WEIGHT: ParameterInfo = ParameterInfo {
    key: "",
    letter: "W",
    noun: "a weight",
    values: Values::Decimal { least: 1, greatest: 1000 },
    default: Cow::Borrowed("1.5"),
    meaning: "the weight",
};

impl NameArgs<'_> {
    fn heuristic(&mut self) -> Result<Option<Heuristic>, NameError> {
        let power = self.decimal(&POWER)?.and_then(Power::from_thousandths).map(Heuristic::PNorm);
        let named = self.word(&ESTIMATE)?.map(|place| Heuristic::NAMED[place].1);
        match (named, power) {
            (Some(_), Some(_)) => Err(self.bad_value("p", "either h or p, not both")),
            (named, power) => Ok(named.or(power)),
        }
    }

    fn bounds(&mut self) -> Result<bool, NameError> {
        Ok(self.word(&BOUNDS)? == Some(0))
    }

    fn nodes(&mut self) -> Result<Option<Nodes>, NameError> {
        Ok(self.word(&NODES)?.map(|place| [Nodes::Portals, Nodes::Centres][place]))
    }

    fn weight(&mut self) -> Result<Weight, NameError> {
        Ok(self.decimal(&WEIGHT)?.and_then(Weight::from_thousandths).unwrap_or(Weight::DEFAULT))
    }
}

/// Every planner.
pub const PLANNERS: &[PlannerEntry] = &[
    PlannerEntry {
        name: "dijkstra",
        summary: "expands states in the order of their cost",
        guarantee: "complete, optimal",
        parameters: &[BOUNDS, NODES],
        planner: &Dijkstra { bounds: false, nodes: None },
        preference: None,
        unit_picoseconds: None,
        make: |args| Ok(Arc::new(Dijkstra { bounds: args.bounds()?, nodes: args.nodes()? })),
    },
    PlannerEntry {
        name: "astar",
        summary: "expands the state with the least cost so far plus estimate",
        guarantee: "complete; optimal with an admissible estimate",
        parameters: &[ESTIMATE, POWER, NODES],
        planner: &Astar { heuristic: None, nodes: None },
        preference: Some(8),
        unit_picoseconds: None,
        make: |args| Ok(Arc::new(Astar { heuristic: args.heuristic()?, nodes: args.nodes()? })),
    },
    PlannerEntry {
        name: "weighted-astar",
        summary: "A* with an inflated estimate: fewer expansions, longer paths",
        guarantee: "complete; at most W times the optimum with an admissible estimate",
        parameters: &[WEIGHT, ESTIMATE, POWER, BOUNDS, NODES],
        planner: &WeightedAstar { weight: Weight::DEFAULT, heuristic: None, bounds: false, nodes: None },
        preference: None,
        unit_picoseconds: None,
        make: |args| {
            let (weight, heuristic) = (args.weight()?, args.heuristic()?);
            let bounds = args.bounds()?;
            Ok(Arc::new(WeightedAstar { weight, heuristic, bounds, nodes: args.nodes()? }))
        },
    },
    PlannerEntry {
        name: "greedy",
        summary: "expands the state that seems nearest to the goal: few expansions, any path",
        guarantee: "complete",
        parameters: &[],
        planner: &Greedy,
        preference: None,
        unit_picoseconds: None,
        make: |_| Ok(Arc::new(Greedy)),
    },
    PlannerEntry {
        name: "astar-bounds",
        summary: "A* along edges whose box of goals holds the goal",
        guarantee: "complete; optimal with an admissible estimate",
        parameters: &[ESTIMATE, POWER, NODES],
        planner: &AstarBounds { heuristic: None, nodes: None },
        preference: Some(7),
        unit_picoseconds: Some(53_000),
        make: |args| Ok(Arc::new(AstarBounds { heuristic: args.heuristic()?, nodes: args.nodes()? })),
    },
    PlannerEntry {
        name: "jps",
        summary: "A* that jumps from corner to corner over uniform ground; no index",
        guarantee: "complete, optimal",
        parameters: &[BOUNDS],
        planner: &Jps { bounds: false },
        preference: Some(6),
        unit_picoseconds: Some(14_000),
        make: |args| Ok(Arc::new(Jps { bounds: args.bounds()? })),
    },
    PlannerEntry {
        name: "jps-plus",
        summary: "jump point search that looks jumps up in a table",
        guarantee: "complete, optimal",
        parameters: &[],
        planner: &JpsPlus,
        preference: Some(5),
        unit_picoseconds: Some(24_000),
        make: |_| Ok(Arc::new(JpsPlus)),
    },
    PlannerEntry {
        name: "jps-plus-bounds",
        summary: "A* from jump point to jump point that takes only ways whose box holds the goal",
        guarantee: "complete, optimal",
        parameters: &[],
        planner: &JpsPlusBounds,
        preference: Some(2),
        unit_picoseconds: Some(11_000),
        make: |_| Ok(Arc::new(JpsPlusBounds)),
    },
    PlannerEntry {
        name: "jump-rows",
        summary: "follows rows from jump point to jump point; no search at all",
        guarantee: "complete, optimal",
        parameters: &[],
        planner: &JumpRows,
        preference: Some(1),
        unit_picoseconds: Some(34_000),
        make: |_| Ok(Arc::new(JumpRows)),
    },
    PlannerEntry {
        name: "first-moves",
        summary: "looks one move after another up; no search at all",
        guarantee: "complete, optimal",
        parameters: &[],
        planner: &FirstMoves,
        preference: Some(3),
        unit_picoseconds: Some(34_000),
        make: |_| Ok(Arc::new(FirstMoves)),
    },
    PlannerEntry {
        name: "corner-hierarchy",
        summary: "searches a small hierarchy of corners from both ends; for maps too large for `jump-rows`",
        guarantee: "complete, optimal",
        parameters: &[],
        planner: &CornerHierarchy,
        preference: Some(4),
        unit_picoseconds: Some(16_000),
        make: |_| Ok(Arc::new(CornerHierarchy)),
    },
    PlannerEntry {
        name: "corner-labels",
        summary: "compares the labels of a few corners at both ends; no search at all",
        guarantee: "complete, optimal",
        parameters: &[],
        planner: &CornerLabels,
        preference: Some(0),
        unit_picoseconds: Some(27_000),
        make: |_| Ok(Arc::new(CornerLabels)),
    },
];
