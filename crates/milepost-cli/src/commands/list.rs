//! `milepost list`: every planner, what it takes, where it works and what it promises.

use crate::args::Globals;
use crate::failure::Failure;
use crate::output::Answer;
use crate::table::Side::Left;
use crate::table::Table;
use milepost::catalog::{HEURISTICS, PLANNERS, Parameter, PlannerEntry};
use milepost::space::{Heuristic, Power};
use milepost::{CostScale, Rule};
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Serialize)]
struct Document {
    planners: Vec<PlannerDocument>,
    agents: Vec<()>,
    indexes: Vec<()>,
    rules: Vec<RuleDocument>,
    estimates: Vec<EstimateDocument>,
}

#[derive(Serialize)]
struct PlannerDocument {
    name: &'static str,
    summary: &'static str,
    guarantee: &'static str,
    rules: Vec<&'static str>,
    parameters: Vec<ParameterDocument>,
}

#[derive(Serialize)]
struct ParameterDocument {
    /// None for a plain value.
    key: Option<&'static str>,
    values: &'static str,
    default: Option<&'static str>,
    meaning: &'static str,
}

#[derive(Serialize)]
struct RuleDocument {
    name: &'static str,
    /// What a step costs.
    straight: f64,
    diagonal: f64,
    cuts_corners: bool,
}

#[derive(Serialize)]
struct EstimateDocument {
    name: &'static str,
    rules: Vec<PromiseDocument>,
}

#[derive(Serialize)]
struct PromiseDocument {
    moves: &'static str,
    /// Whether A* finds optimal paths with it; none if that depends on the power.
    optimal: Option<bool>,
    /// The least power with which it does.
    least_power: Option<f64>,
}

pub(crate) fn run(globals: &Globals) -> Result<Answer, Failure> {
    let document = Document {
        planners: PLANNERS.iter().map(planner).collect(),
        agents: Vec::new(),
        indexes: Vec::new(),
        rules: Rule::ALL.map(rule).into(),
        estimates: estimates(),
    };
    Ok(Answer::new(globals.json, &document, || people(&document)))
}

fn planner(entry: &PlannerEntry) -> PlannerDocument {
    let some = |text: &'static str| (!text.is_empty()).then_some(text);
    let parameter = |parameter: &Parameter| ParameterDocument {
        key: some(parameter.key),
        values: parameter.values,
        default: some(parameter.default),
        meaning: parameter.meaning,
    };
    PlannerDocument {
        name: entry.name,
        summary: entry.summary,
        guarantee: entry.guarantee,
        rules: entry.rules.iter().map(|rule| rule.name()).collect(),
        parameters: entry.parameters.iter().map(parameter).collect(),
    }
}

fn rule(rule: Rule) -> RuleDocument {
    let scale: CostScale = rule.scale(1, 1);
    RuleDocument {
        name: rule.name(),
        straight: 1.0,
        diagonal: scale.diagonal() as f64 / scale.straight() as f64,
        cuts_corners: rule.cuts_corners(),
    }
}

fn estimates() -> Vec<EstimateDocument> {
    let named = HEURISTICS.iter().map(|(name, heuristic)| EstimateDocument {
        name,
        rules: Rule::ALL
            .map(|rule| PromiseDocument {
                moves: rule.name(),
                optimal: Some(heuristic.is_admissible(rule)),
                least_power: None,
            })
            .into(),
    });
    let norm = EstimateDocument {
        name: "p-norm",
        rules: Rule::ALL
            .map(|rule| PromiseDocument { moves: rule.name(), optimal: None, least_power: least_power(rule) })
            .into(),
    };
    named.chain([norm]).collect()
}

/// The least power of a p-norm that never exceeds the true cost.
fn least_power(rule: Rule) -> Option<f64> {
    (1_000..=1_000_000)
        .filter_map(Power::from_thousandths)
        .find(|power| Heuristic::PNorm(*power).is_admissible(rule))
        .map(Power::value)
}

fn people(document: &Document) -> String {
    let mut text = String::from("PLANNERS, as NAME[:VALUE][:key=value]...\n");
    for planner in &document.planners {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{}\n  {}\n", planner.name, planner.summary);
        let _ = writeln!(text, "  guarantee  {}", planner.guarantee);
        let _ = writeln!(text, "  rules      {}", planner.rules.join(", "));
        let spelled = |parameter: &ParameterDocument| match parameter.key {
            Some(key) => format!(":{key}={}", parameter.values),
            None => format!(":{}", parameter.values),
        };
        let width = planner.parameters.iter().map(|parameter| spelled(parameter).len()).max().unwrap_or(0);
        for parameter in &planner.parameters {
            let default = parameter.default.map_or(String::new(), |default| format!(" (default: {default})"));
            let _ = writeln!(text, "  {:width$}  {}{default}", spelled(parameter), parameter.meaning);
        }
    }
    text.push_str("\nAGENTS\n\nnone yet\n\nINDEXES\n\nnone yet\n\nRULES for --moves\n\n");
    text.push_str(&rule_table(document));
    text.push_str("\nESTIMATES of A*: whether its paths are optimal\n\n");
    text.push_str(&estimate_table(document));
    text
}

fn rule_table(document: &Document) -> String {
    let mut table = Table::new(&[("rule", Left), ("moves", Left), ("costs", Left)]);
    for rule in &document.rules {
        let moves = if rule.cuts_corners {
            "8, a diagonal between any two free cells"
        } else {
            "8, a diagonal only if both cells beside it are free"
        };
        // The square root of two is not what any scale says exactly.
        let diagonal = if rule.diagonal == 1.4 { "1.4" } else { "sqrt 2" };
        table.row(vec![rule.name.to_owned(), moves.to_owned(), format!("1, {diagonal}")]);
    }
    table.render()
}

fn estimate_table(document: &Document) -> String {
    let rules = document.rules.iter().map(|rule| (rule.name, Left));
    let columns: Vec<_> = [("estimate", Left)].into_iter().chain(rules).collect();
    let mut table = Table::new(&columns);
    for estimate in &document.estimates {
        let promise = |promise: &PromiseDocument| match (promise.optimal, promise.least_power) {
            (Some(true), _) => "optimal".to_owned(),
            (None, Some(power)) => format!("optimal for p >= {power}"),
            _ => "not optimal".to_owned(),
        };
        let cells = [estimate.name.to_owned()].into_iter().chain(estimate.rules.iter().map(promise));
        table.row(cells.collect());
    }
    table.render()
}
