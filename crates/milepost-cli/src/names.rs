//! From the names that users give to planners.

use crate::failure::Failure;
use milepost::catalog::{self, PLANNERS, PlannerEntry};
use milepost::{AnyPlanner, Atlas, Rule};

/// A planner and the very text that named it.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) planner: AnyPlanner,
}

/// The planner that a text names, if it works under the rule.
pub(crate) fn planner(text: &str, rule: Rule) -> Result<Named, Failure> {
    let planner = catalog::planner(text).map_err(|error| Failure::name(error.to_string()))?;
    if !entry(text).is_none_or(|entry| entry.rules.contains(&rule)) {
        let able: Vec<&str> = all(rule).map(|entry| entry.name).collect();
        let message = format!("`{text}` does not work under the rule `{rule}`; try {}", able.join(", "));
        return Err(Failure::usage("not_for_this_rule", message));
    }
    Ok(Named { name: text.to_owned(), planner })
}

/// Every planner that works under the rule, with its defaults.
pub(crate) fn planners(rule: Rule) -> Result<Vec<Named>, Failure> {
    all(rule).map(|entry| planner(entry.name, rule)).collect()
}

/// The fastest exact planner for an atlas.
pub(crate) fn fastest(atlas: &Atlas) -> Named {
    let planner = catalog::fastest(atlas);
    let is_it = |entry: &&PlannerEntry| catalog::planner(entry.name).is_ok_and(|named| named == planner);
    let name = PLANNERS.iter().find(is_it).map_or("fastest", |entry| entry.name);
    Named { name: name.to_owned(), planner }
}

fn all(rule: Rule) -> impl Iterator<Item = &'static PlannerEntry> {
    PLANNERS.iter().filter(move |entry| entry.rules.contains(&rule))
}

fn entry(text: &str) -> Option<&'static PlannerEntry> {
    let name = text.split(':').next().unwrap_or(text);
    PLANNERS.iter().find(|entry| entry.name == name)
}
