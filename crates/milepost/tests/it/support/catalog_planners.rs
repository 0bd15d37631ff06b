//! Every planner of the catalog, also with each word of its parameters.

use milepost::AnyPlanner;
use milepost::catalog::{PLANNERS, PlannerEntry, Values, planner};

/// Every planner of the catalog with its defaults, and with each value of each parameter that is a word, by its name.
pub fn catalog_planners() -> Vec<(String, AnyPlanner)> {
    let words = |entry: &PlannerEntry| {
        let words = entry.parameters.iter().filter_map(|parameter| match parameter.values {
            Values::Words(words) => Some(words.iter().map(move |word| format!("{}={word}", parameter.key))),
            _ => None,
        });
        words.flatten().collect::<Vec<String>>()
    };
    let names = PLANNERS.iter().flat_map(|entry| {
        let with_words = words(entry).into_iter().map(|word| format!("{}:{word}", entry.name));
        std::iter::once(entry.name.to_owned()).chain(with_words)
    });
    let named = |name: String| (planner(&name).expect("a name of the catalog"), name);
    names.map(named).map(|(planner, name)| (name, planner)).collect()
}
