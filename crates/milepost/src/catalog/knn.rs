//! The parameters of `knn-lrta`.

use super::{Given, NameError, Parameter, Values};
use crate::agent::{Choose, Fallback, KnnLrta};

const fn switch(key: &'static str, meaning: &'static str) -> Parameter {
    Parameter { key, values: Values::Text("on|off"), default: "on", meaning }
}

/// What may be given.
pub(super) const PARAMETERS: [Parameter; 11] = [
    Parameter {
        key: "",
        values: Values::Text("N in 1..1000000|partitions"),
        default: "1000",
        meaning: "records of random problems in the case base, or none beside its regions",
    },
    Parameter {
        key: "climb",
        values: Values::Text("1..1000000"),
        default: "250",
        meaning: "steps after which a climb has failed",
    },
    Parameter {
        key: "select",
        values: Values::Text("1..1000000|all"),
        default: "10",
        meaning: "most similar records that are tried",
    },
    Parameter {
        key: "quota",
        values: Values::Text("1..1000000|off"),
        default: "3",
        meaning: "times the estimate that it learns before it looks for a record again",
    },
    switch("goal-first", "climbs to the goal where it can"),
    switch("subgoal-first", "climbs to the first subgoal of a record, not to its start, where it can"),
    switch("last-leg", "climbs from the last subgoal of a record to the goal where it can"),
    switch("kdtree", "finds similar records by a k-d tree instead of looking at all"),
    Parameter {
        key: "fallback",
        values: Values::Text("chain|lrta"),
        default: "chain",
        meaning: "what it does when no record fits: goes from region to region, or learns",
    },
    Parameter {
        key: "choose",
        values: Values::Text("cheapest|first"),
        default: "cheapest",
        meaning: "which of the records that fit it takes: the cheapest, or, as printed, the most similar",
    },
    Parameter {
        key: "fragments",
        values: Values::Text("on|off"),
        default: "off",
        meaning: "parts of records count as records, too: the index `case-base:N:fragments`",
    },
];

/// The kind of agent that the parameters say.
pub(super) fn read(given: &mut Given<'_>) -> Result<KnnLrta, NameError> {
    let default = KnnLrta::default();
    let cases = number(given, "", "partitions", "a number of records from 1 to 1000000, or partitions")?;
    let select = number(given, "select", "all", "select=M with M from 1 to 1000000, or select=all")?;
    let quota = number(given, "quota", "off", "quota=Q with Q from 1 to 1000000, or quota=off")?;
    let climb = number(given, "climb", "", "climb=C with C from 1 to 1000000")?;
    let fragments = is_on(given, "fragments", false)?;
    if fragments && cases == Some(None) {
        return Err(given.bad_value("fragments=on", "a number of records; partitions have no fragments"));
    }
    Ok(KnnLrta {
        cases: cases.map_or(default.cases, |cases| cases.unwrap_or(0)),
        climb: climb.flatten().unwrap_or(default.climb),
        select: select.map_or(default.select, |select| select.unwrap_or(u32::MAX)),
        quota: quota.unwrap_or(default.quota),
        goal_first: is_on(given, "goal-first", true)?,
        subgoal_first: is_on(given, "subgoal-first", true)?,
        last_leg: is_on(given, "last-leg", true)?,
        kdtree: is_on(given, "kdtree", true)?,
        fallback: match given.take("fallback") {
            None | Some((_, "chain")) => Fallback::Chain,
            Some((_, "lrta")) => Fallback::Lrta,
            Some((text, _)) => return Err(given.bad_value(text, "fallback=chain or fallback=lrta")),
        },
        choose: match given.take("choose") {
            None | Some((_, "cheapest")) => Choose::Cheapest,
            Some((_, "first")) => Choose::First,
            Some((text, _)) => return Err(given.bad_value(text, "choose=cheapest or choose=first")),
        },
        fragments,
    })
}

/// The number under a key, `None` inside for a word that stands for no number; `None` if nothing is given.
fn number(
    given: &mut Given<'_>,
    key: &str,
    word: &str,
    expected: &'static str,
) -> Result<Option<Option<u32>>, NameError> {
    let Some((text, value)) = given.take(key) else { return Ok(None) };
    if !word.is_empty() && value == word {
        return Ok(Some(None));
    }
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.parse().ok().filter(|number| is_number && (1..=1_000_000).contains(number));
    number.map(|number| Some(Some(number))).ok_or_else(|| given.bad_value(text, expected))
}

fn is_on(given: &mut Given<'_>, key: &'static str, default: bool) -> Result<bool, NameError> {
    match given.take(key) {
        None => Ok(default),
        Some((_, "on")) => Ok(true),
        Some((_, "off")) => Ok(false),
        Some((text, _)) => Err(given.bad_value(text, "on or off")),
    }
}
