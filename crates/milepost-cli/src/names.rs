//! From the names that users give to planners.

use crate::failure::Failure;
use crate::world::World;
use milepost::catalog::{self, HEURISTICS, PLANNERS, PlannerEntry};
use milepost::{AnyPlanner, Atlas, Heuristic};

/// A planner and the very text that named it.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) planner: AnyPlanner,
}

impl Named {
    /// Refuses a planner that does not work on this map, or whose estimate means nothing there.
    pub(crate) fn check(&self, world: &World) -> Result<(), Failure> {
        let name = &self.name;
        if let Some(rule) = world.rule()
            && !entry(name).is_none_or(|entry| entry.rules.contains(&rule))
        {
            let able: Vec<&str> = all(world).map(|entry| entry.name).collect();
            let message = format!("`{name}` does not work under the rule `{rule}`; try {}", able.join(", "));
            return Err(Failure::usage("not_for_this_rule", message));
        }
        let Some(heuristic) = heuristic(&self.planner).filter(|heuristic| !world.space().knows(*heuristic))
        else {
            return Ok(());
        };
        let known = HEURISTICS.iter().filter(|(_, heuristic)| world.space().knows(*heuristic));
        let known: Vec<String> = known.map(|(name, _)| format!("h={name}")).collect();
        let estimate = match heuristic {
            Heuristic::PNorm(power) => format!("p={}", power.value()),
            named => {
                let name = HEURISTICS.iter().find(|(_, other)| *other == named).map_or("?", |(name, _)| name);
                format!("h={name}")
            }
        };
        let (kind, place) = match world.rule() {
            Some(rule) => ("not_for_this_rule", format!("under the rule `{rule}`")),
            None => ("not_for_this_map", "on a graph".to_owned()),
        };
        let message =
            format!("`{name}`: the estimate {estimate} means nothing {place}; try {}", known.join(", "));
        Err(Failure::usage(kind, message))
    }
}

/// The estimate that a planner was told to use.
fn heuristic(planner: &AnyPlanner) -> Option<Heuristic> {
    match planner {
        AnyPlanner::Dijkstra(_) => None,
        AnyPlanner::Astar(planner) => planner.heuristic,
        AnyPlanner::WeightedAstar(planner) => planner.heuristic,
    }
}

/// The planner that a text names.
pub(crate) fn planner(text: &str) -> Result<Named, Failure> {
    let planner = catalog::planner(text).map_err(|error| Failure::name(error.to_string()))?;
    Ok(Named { name: text.to_owned(), planner })
}

/// Every planner that works on the map, with its defaults.
pub(crate) fn planners(world: &World) -> Result<Vec<Named>, Failure> {
    all(world).map(|entry| planner(entry.name)).collect()
}

/// The fastest exact planner for an atlas.
pub(crate) fn fastest(atlas: &Atlas) -> Named {
    let planner = catalog::fastest(atlas);
    let is_it = |entry: &&PlannerEntry| catalog::planner(entry.name).is_ok_and(|named| named == planner);
    let name = PLANNERS.iter().find(is_it).map_or("fastest", |entry| entry.name);
    Named { name: name.to_owned(), planner }
}

fn all(world: &World) -> impl Iterator<Item = &'static PlannerEntry> {
    let rule = world.rule();
    PLANNERS.iter().filter(move |entry| rule.is_none_or(|rule| entry.rules.contains(&rule)))
}

fn entry(text: &str) -> Option<&'static PlannerEntry> {
    let name = text.split(':').next().unwrap_or(text);
    PLANNERS.iter().find(|entry| entry.name == name)
}
