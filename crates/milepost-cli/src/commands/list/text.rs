//! The list in words.

use super::{
    AgentDocument, Document, EstimateDocument, IndexDocument, ParameterDocument, PlannerDocument,
    PromiseDocument, RuleDocument,
};
use crate::numbers::{count, counted};
use crate::table::Side::Left;
use crate::table::Table;
use milepost::Rule;
use std::fmt::Write as _;

/// What a planner's guarantee means on meshes.
const ON_MESHES: &str = "\
On a mesh a planner is optimal over the middles of portals, or the centres of polygons, that it passes. The path is then
pulled tight: mostly within one percent of the shortest, at worst some tens of percent longer.
";

/// What the units of a step are true of.
const A_STEP: &str = "\
What a step takes is that on maps of cells without links, at --sight 1: links, a wider view, and polygons or nodes with more
than eight neighbours take more, which is stated too (`Agent::limits`).
";

const PARTS: &str = "\
`milepost list WHAT` shows a part, planners, agents, scouts (the agents that see their surroundings), indexes, rules or
estimates, or what has a name, such as `milepost list octile`.
";

/// The parts that there are; of the whole list also how to ask for one.
pub(super) fn render_text(document: &Document, is_whole: bool) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(planners) = &document.planners {
        let planners: String = planners.iter().map(spelled_planner).collect();
        parts.push(format!("PLANNERS, as NAME[:VALUE][:key=value]...\n{ON_MESHES}{planners}"));
    }
    if let Some(agents) = &document.agents {
        let agents: String = agents.iter().map(spelled_agent).collect();
        parts.push(format!("AGENTS that know the map, as NAME[:VALUE][:key=value]...\n{A_STEP}{agents}"));
    }
    if let Some(agents) = &document.agents_by_sight {
        let agents: String = agents.iter().map(spelled_agent).collect();
        parts.push(format!(
            "AGENTS that see their surroundings, as NAME[:VALUE][:key=value]...\n{A_STEP}{agents}"
        ));
    }
    if let Some(indexes) = &document.indexes {
        let indexes: String = indexes.iter().map(spelled_index).collect();
        parts.push(format!("INDEXES for build --index\n{indexes}"));
    }
    if let Some(rules) = &document.rules {
        parts.push(format!("RULES for --moves\n\n{}", rule_table(rules)));
    }
    if let Some(estimates) = &document.estimates {
        let table = estimate_table(estimates);
        parts.push(format!("ESTIMATES of A*: whether its paths are optimal\n\n{table}"));
    }
    if is_whole {
        parts.push(PARTS.to_owned());
    }
    parts.join("\n")
}

fn spelled_planner(planner: &PlannerDocument) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{}\n  {}\n", planner.name, planner.summary);
    let _ = writeln!(text, "  guarantee  {}", planner.guarantee);
    let _ = writeln!(text, "  rules      {}", joined(&planner.rules));
    text.push_str(&spelled(&planner.parameters));
    text
}

fn spelled_index(index: &IndexDocument) -> String {
    let mut text = String::new();
    let costs = if index.any_costs { "" } else { "; no weights, no links" };
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{}\n  {}\n", index.name, index.summary);
    let _ = writeln!(text, "  needs      {}", or(&index.needs, "no other"));
    for (readers, names) in [("planners", &index.planners), ("agents", &index.agents)] {
        if !names.is_empty() {
            let _ = writeln!(text, "  {readers:<10} {}", names.join(", "));
        }
    }
    let _ = writeln!(text, "  rules      {}{costs}", joined(&index.rules));
    text
}

/// An agent, whatever it is shown.
fn spelled_agent(agent: &AgentDocument) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{}\n  {}\n", agent.name, agent.summary);
    let _ = writeln!(text, "  guarantee  {}", agent.guarantee);
    let thinking = match agent.max_thinking {
        0 if agent.max_units.is_none() => "every step moves, unless a budget cuts its search".to_owned(),
        0 => "every step moves".to_owned(),
        most => format!("at most {} in a row without a move", counted(most, "step")),
    };
    let map = agent.max_thinking_states;
    let map = map.map_or(String::new(), |states| format!(" on a map of {} states", count(states.into())));
    let units = match (agent.min_units, agent.max_units) {
        (least, None) => format!("{} to a whole search", counted(least, "unit")),
        (least, Some(most)) if least == most => format!("{} of work", counted(most, "unit")),
        (least, Some(most)) => format!("{} to {} of work", count(least), counted(most, "unit")),
    };
    let weights = if agent.weights { "; weights" } else { "" };
    let links = if agent.links { "; links" } else { "" };
    let graphs = if agent.graphs { "; graphs" } else { "" };
    let _ = writeln!(text, "  a step     {units}; {thinking}{map}");
    let _ = writeln!(text, "  memory     {}", agent.memory);
    let without = if agent.without_index && !agent.needs.is_empty() {
        ", or works out what it needs of it"
    } else {
        ""
    };
    let _ = writeln!(text, "  needs      {}{without}", or(&agent.needs, "no index"));
    let _ = writeln!(text, "  rules      {}{weights}{links}{graphs}", joined(&agent.rules));
    text.push_str(&spelled(&agent.parameters));
    text
}

/// The names of rules, or a word for all of them.
fn joined(rules: &[&str]) -> String {
    if rules.len() == Rule::ALL.len() { "all".to_owned() } else { rules.join(", ") }
}

/// The names, or else a word for none.
fn or(names: &[&str], none: &str) -> String {
    if names.is_empty() { none.to_owned() } else { names.join(", ") }
}

/// A line for each parameter.
fn spelled(parameters: &[ParameterDocument]) -> String {
    let spelled = |parameter: &ParameterDocument| match parameter.key {
        Some(key) => format!(":{key}={}", parameter.values),
        None => format!(":{}", parameter.values),
    };
    let width = parameters.iter().map(|parameter| spelled(parameter).len()).max().unwrap_or(0);
    let mut text = String::new();
    for parameter in parameters {
        let default =
            parameter.default.as_ref().map_or(String::new(), |default| format!(" (default: {default})"));
        let _ = writeln!(text, "  {:width$}  {}{default}", spelled(parameter), parameter.meaning);
    }
    text
}

fn rule_table(rules: &[RuleDocument]) -> String {
    let mut table = Table::new(&[("rule", Left), ("moves", Left), ("costs", Left)]);
    for rule in rules {
        let moves = match (rule.neighbours, rule.cuts_corners) {
            (4, _) => "4, up, down, left, right".to_owned(),
            (_, true) => "8, a diagonal between any two free cells".to_owned(),
            (_, false) => "8, a diagonal only if both cells beside it are free".to_owned(),
        };
        let moves = rule.shifted.map_or(moves, |shifted| {
            let whither = if shifted.ends_with("rows") { "to the right" } else { "down" };
            format!("6, {shifted} half a cell {whither}")
        });
        let costs = match rule.diagonal {
            None => "1",
            Some(1.4) => "1, 1.4",
            // The square root of two is not what any scale says exactly.
            Some(_) => "1, sqrt 2",
        };
        table.row(vec![rule.name.to_owned(), moves, costs.to_owned()]);
    }
    table.render()
}

fn estimate_table(estimates: &[EstimateDocument]) -> String {
    let rules = Rule::ALL.map(|rule| (rule.name(), Left));
    let columns: Vec<_> = [("estimate", Left)].into_iter().chain(rules).collect();
    let mut table = Table::new(&columns);
    for estimate in estimates {
        let promise = |promise: &PromiseDocument| match (promise.optimal, promise.least_power) {
            (Some(true), _) => "optimal".to_owned(),
            (None, Some(power)) => format!("optimal for p >= {power}"),
            (None, None) => "-".to_owned(),
            _ => "not optimal".to_owned(),
        };
        let cells = [estimate.name.to_owned()].into_iter().chain(estimate.rules.iter().map(promise));
        table.row(cells.collect());
    }
    table.render()
}
