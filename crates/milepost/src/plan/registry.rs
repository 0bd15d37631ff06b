//! Every planner: what it is called, what it promises, how a name makes it, and what `fastest` knows of it.

use super::greedy::Greedy;
use super::{
    Astar, AstarBounds, CornerHierarchy, CornerLabels, Dijkstra, FirstMoves, Jps, JpsPlus, JpsPlusBounds,
    JumpSearch, Planner, WeightedAstar,
};
use crate::core::{NameArgs, NameError, ParameterInfo, Values};
use crate::index::goal_bounds::BoxForm;
use crate::space::{Heuristic, Nodes, Power, Space, Weight};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// A planner that was chosen when the program runs.
///
/// Shown by [`planner`](crate::catalog::planner).
pub type AnyPlanner = Arc<dyn Planner>;

/// The planner that a text names.
pub(crate) fn planner(text: &str) -> Result<AnyPlanner, NameError> {
    let asked = text.split(':').next();
    if let Some(&(name, instead)) = RETIRED_PLANNERS.iter().find(|(name, _)| asked == Some(name)) {
        return Err(NameError::Gone { what: "planner", name, instead });
    }
    let parameters = |entry: &PlannerEntry| entry.parameters.to_vec();
    let (entry, mut args) =
        NameArgs::read("planner", text, PLANNERS, |entry| (entry.name, entry.title), parameters)?;
    let planner = (entry.make)(&mut args)?;
    args.nothing_left().map(|()| planner)
}

/// A planner and the text that names it, which is all that is saved of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct NamedPlanner {
    text: String,
    planner: AnyPlanner,
}

impl NamedPlanner {
    /// The planner.
    pub(crate) fn planner(&self) -> &dyn Planner {
        &*self.planner
    }
}

impl TryFrom<String> for NamedPlanner {
    type Error = NameError;

    fn try_from(text: String) -> Result<NamedPlanner, NameError> {
        planner(&text).map(|planner| NamedPlanner { text, planner })
    }
}

impl From<NamedPlanner> for String {
    fn from(named: NamedPlanner) -> String {
        named.text
    }
}

/// A planner as users see it, and how it is made.
///
/// Shown by [`PLANNERS`].
#[derive(Clone, Copy, Debug)]
pub struct PlannerEntry {
    /// The name users give. Its file in `plan/` is called so, too.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What a viewer shows of it beside the path: names of kinds of events' layers.
    pub layers: &'static [&'static str],
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// What it promises.
    pub guarantee: &'static str,
    /// Its parameters.
    pub parameters: &'static [ParameterInfo],
    /// The planner with its defaults: where it works, what it reads.
    pub planner: &'static dyn Planner,
    /// Of the exact planners that an atlas allows and of which it has no [figures](crate::Atlas::figures), [`fastest`](crate::Atlas::fastest)
    /// takes the one with the least number; those without one it never takes. The order goes by how many states a query touches: a
    /// few corners at both ends; the few jump points that boxes of goals leave; every state of the path; corners; jump
    /// points; cells between them, scanned; all cells. By it `build::Indexes::standard` chooses, too.
    pub preference: Option<u8>,
    /// What a unit of its work takes, in picoseconds: the units that a file counted times this is the time that
    /// [`fastest`](crate::Atlas::fastest) expects. Measured: docs/measurements.md says how. `None` for planners whose work is not counted when
    /// a file is built: those that are not exact, and those that an index of the file would not help.
    pub unit_picoseconds: Option<u32>,
    /// Whether its work is counted on graphs and meshes alone, where it takes the place of the one that scans cells.
    pub is_counted_off_grids: bool,
    pub(crate) make: fn(&mut NameArgs<'_>) -> Result<AnyPlanner, NameError>,
}

impl PlannerEntry {
    /// What a unit of its work takes, in picoseconds, where its work is counted on such a space.
    pub fn unit_on(&self, space: &Space) -> Option<u32> {
        self.unit_picoseconds.filter(|_| !self.is_counted_off_grids || space.as_grid().is_none())
    }
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

const BOX_FORM: ParameterInfo = ParameterInfo {
    key: "bounds",
    letter: "B",
    noun: "a kind of boxes",
    values: Values::Words(&["all-ties", "as-printed"]),
    default: Cow::Borrowed("all-ties"),
    meaning: "the boxes: where several edges begin a shortest path to a goal, those of all of them hold it (index \
              `goal-bounds`), or that of the first as in the chapter (index `goal-bounds:as-printed`)",
};

const JUMP_SEARCH: ParameterInfo = ParameterInfo {
    key: "search",
    letter: "S",
    noun: "a search",
    values: Values::Words(&["table", "graph"]),
    default: Cow::Borrowed("graph, with boxes table: the faster one"),
    meaning: "what is searched: the jump table itself, as published, or the links between jump points",
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

    fn box_form(&mut self) -> Result<BoxForm, NameError> {
        Ok(self.word(&BOX_FORM)?.map_or(BoxForm::default(), |place| BoxForm::ALL[place]))
    }

    fn jump_search(&mut self) -> Result<Option<JumpSearch>, NameError> {
        Ok(self.word(&JUMP_SEARCH)?.map(|place| JumpSearch::ALL[place]))
    }

    fn nodes(&mut self) -> Result<Option<Nodes>, NameError> {
        Ok(self.word(&NODES)?.map(|place| [Nodes::Portals, Nodes::Centres][place]))
    }

    fn weight(&mut self) -> Result<Weight, NameError> {
        Ok(self.decimal(&WEIGHT)?.and_then(Weight::from_thousandths).unwrap_or(Weight::DEFAULT))
    }
}

/// Names of planners that are gone, which never stand for another one, and those that took their place.
pub(crate) const RETIRED_PLANNERS: &[(&str, &str)] = &[("jump-rows", "corner-labels")];

/// Every planner.
///
/// ```
/// use milepost::PlannerEntry;
/// use milepost::catalog::{PLANNERS, ParameterInfo, Values};
///
/// for PlannerEntry { name, summary, parameters, .. } in PLANNERS {
///     println!("{name}: {summary}");
///     for parameter in *parameters {
///         let kind = if matches!(parameter.values, Values::Words(_)) { "words" } else { "a number" };
///         println!("    {}: {kind}, {}", ParameterInfo::name(parameter), parameter.meaning);
///     }
/// }
/// ```
// What a constant names is compiled anew in every crate that reads it.
pub static PLANNERS: &[PlannerEntry] = &[
    PlannerEntry {
        name: "dijkstra",
        title: "Dijkstra",
        layers: &["open", "closed"],
        summary: "expands states in the order of their cost",
        guarantee: "complete, optimal",
        parameters: &[BOUNDS, NODES],
        planner: &Dijkstra { bounds: false, nodes: None },
        preference: None,
        unit_picoseconds: None,
        is_counted_off_grids: false,
        make: |args| Ok(Arc::new(Dijkstra { bounds: args.bounds()?, nodes: args.nodes()? })),
    },
    PlannerEntry {
        name: "astar",
        title: "A*",
        layers: &["open", "closed"],
        summary: "expands the state with the least cost so far plus estimate, over canonical moves where costs are uniform",
        guarantee: "complete; optimal with an admissible estimate",
        parameters: &[ESTIMATE, POWER, NODES],
        planner: &Astar { heuristic: None, nodes: None },
        preference: Some(7),
        unit_picoseconds: Some(60_000),
        is_counted_off_grids: true,
        make: |args| Ok(Arc::new(Astar { heuristic: args.heuristic()?, nodes: args.nodes()? })),
    },
    PlannerEntry {
        name: "weighted-astar",
        title: "Weighted A*",
        layers: &["open", "closed"],
        summary: "A* with an inflated estimate, over canonical moves too: fewer expansions, longer paths",
        guarantee: "complete; at most W times the optimum with an admissible estimate",
        parameters: &[WEIGHT, ESTIMATE, POWER, BOUNDS, NODES],
        planner: &WeightedAstar { weight: Weight::DEFAULT, heuristic: None, bounds: false, nodes: None },
        preference: None,
        unit_picoseconds: None,
        is_counted_off_grids: false,
        make: |args| {
            let (weight, heuristic) = (args.weight()?, args.heuristic()?);
            let bounds = args.bounds()?;
            Ok(Arc::new(WeightedAstar { weight, heuristic, bounds, nodes: args.nodes()? }))
        },
    },
    PlannerEntry {
        name: "greedy",
        title: "Greedy best-first",
        layers: &["open", "closed"],
        summary: "expands the state that seems nearest to the goal: few expansions, any path",
        guarantee: "complete",
        parameters: &[],
        planner: &Greedy,
        preference: None,
        unit_picoseconds: None,
        is_counted_off_grids: false,
        make: |_| Ok(Arc::new(Greedy)),
    },
    PlannerEntry {
        name: "astar-bounds",
        title: "A* with goal bounds",
        layers: &["open", "closed", "boxes"],
        summary: "A* along edges whose box of goals holds the goal",
        guarantee: "complete; optimal with an admissible estimate",
        parameters: &[ESTIMATE, POWER, BOX_FORM, NODES],
        planner: &AstarBounds { heuristic: None, bounds: BoxForm::AllTies, nodes: None },
        preference: Some(6),
        unit_picoseconds: Some(53_000),
        is_counted_off_grids: false,
        make: |args| {
            let (heuristic, bounds, nodes) = (args.heuristic()?, args.box_form()?, args.nodes()?);
            Ok(Arc::new(AstarBounds { heuristic, bounds, nodes }))
        },
    },
    PlannerEntry {
        name: "jps",
        title: "Jump point search",
        layers: &["open", "closed", "jumps"],
        summary: "A* that jumps from corner to corner over uniform ground; no index",
        guarantee: "complete, optimal",
        parameters: &[BOUNDS],
        planner: &Jps { bounds: false },
        preference: Some(5),
        unit_picoseconds: Some(14_000),
        is_counted_off_grids: false,
        make: |args| Ok(Arc::new(Jps { bounds: args.bounds()? })),
    },
    PlannerEntry {
        name: "jps-plus",
        title: "JPS+",
        layers: &["open", "closed", "jumps"],
        summary: "jump point search that looks jumps up in a table",
        guarantee: "complete, optimal",
        parameters: &[JUMP_SEARCH, BOUNDS],
        planner: &JpsPlus { search: None, bounds: false },
        preference: Some(4),
        unit_picoseconds: Some(24_000),
        is_counted_off_grids: false,
        make: |args| Ok(Arc::new(JpsPlus { search: args.jump_search()?, bounds: args.bounds()? })),
    },
    PlannerEntry {
        name: "jps-plus-bounds",
        title: "JPS+ with goal bounds",
        layers: &["open", "closed", "jumps", "boxes"],
        summary: "A* from jump point to jump point that takes only ways whose box holds the goal",
        guarantee: "complete, optimal",
        parameters: &[],
        planner: &JpsPlusBounds,
        preference: Some(1),
        unit_picoseconds: Some(11_000),
        is_counted_off_grids: false,
        make: |_| Ok(Arc::new(JpsPlusBounds)),
    },
    PlannerEntry {
        name: "first-moves",
        title: "First moves",
        layers: &["hops"],
        summary: "looks one move after another up; no search at all",
        guarantee: "complete, optimal",
        parameters: &[],
        planner: &FirstMoves,
        preference: Some(2),
        unit_picoseconds: Some(34_000),
        is_counted_off_grids: false,
        make: |_| Ok(Arc::new(FirstMoves)),
    },
    PlannerEntry {
        name: "corner-hierarchy",
        title: "Corner hierarchy",
        layers: &["open", "closed", "jumps", "hops"],
        summary: "searches a small hierarchy of corners from both ends; the smallest index",
        guarantee: "complete, optimal",
        parameters: &[],
        planner: &CornerHierarchy,
        preference: Some(3),
        unit_picoseconds: Some(16_000),
        is_counted_off_grids: false,
        make: |_| Ok(Arc::new(CornerHierarchy)),
    },
    PlannerEntry {
        name: "corner-labels",
        title: "Corner labels",
        layers: &["open", "closed", "jumps", "hops", "hubs"],
        summary: "compares the labels of a few corners at both ends; no search at all",
        guarantee: "complete, optimal",
        parameters: &[],
        planner: &CornerLabels,
        preference: Some(0),
        unit_picoseconds: Some(22_000),
        is_counted_off_grids: false,
        make: |_| Ok(Arc::new(CornerLabels)),
    },
];
