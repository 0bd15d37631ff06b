//! `hello`: everything that there is to choose from, made from the registries of the engine.

use crate::explorer::LIMITS;
use crate::message::Answer;
use crate::open::ENDINGS;
use crate::scenes::scenes;
use crate::shipped::SHIPPED;
use crate::text::{default_of, is_flag};
use milepost::Rule;
use milepost::agent::SensorRange;
use milepost::catalog::{self, AGENTS, AgentEntry, INDEXES, PLANNERS, ParameterInfo, PlannerEntry, Values};
use milepost::index::IndexSpec;
use milepost::observe::EventKind;
use milepost_maps::generate::{Kind, MIN_SIZE};
use serde_json::{Value, json};

/// What work is counted in.
pub(crate) const UNIT: &str = "units";

/// How far a scout sees unless it is told.
pub(crate) const SIGHT: u32 = 3;

/// What is answered to `hello`.
pub(crate) fn hello(given: Option<&str>) -> Answer {
    let planners = PLANNERS.iter().map(planner_entry);
    let known = AGENTS.iter().filter(|entry| entry.about.on_map).map(|entry| agent_entry(entry, false));
    let by_sight = AGENTS.iter().filter(|entry| entry.about.by_sight).map(|entry| agent_entry(entry, true));
    let algorithms: Vec<Value> = planners.chain(known).chain(by_sight).collect();
    let maps: Vec<Value> = SHIPPED
        .iter()
        .map(|map| {
            json!({ "key": map.key, "title": map.title, "line": map.line, "kind": map.kind(),
                    "width": map.width, "height": map.height })
        })
        .collect();
    let rules: Vec<Value> =
        Rule::ALL.iter().map(|rule| json!({ "name": rule.name(), "line": rule_line(*rule) })).collect();
    let indexes: Vec<Value> =
        INDEXES.iter().map(|index| json!({ "name": index.name, "line": index.summary })).collect();
    Answer::new(json!({
        "engine": concat!("milepost ", env!("CARGO_PKG_VERSION")),
        "protocol": 1,
        "algorithms": algorithms,
        "maps": maps,
        "scenes": scenes(),
        "generators": generators(),
        "rules": rules,
        "indexes": indexes,
        "kinds": EventKind::ALL.map(kind),
        "limits": { "events": LIMITS.events, "side": LIMITS.side, "bytes": LIMITS.bytes },
        "given": given.map(|name| json!({ "name": name })),
        "files": ENDINGS,
    }))
}

fn planner_entry(entry: &PlannerEntry) -> Value {
    let support = entry.planner.support();
    let rules: Vec<&str> = support.rules.iter().map(|rule| rule.name()).collect();
    let spaces: &[&str] = if support.any_costs { &["grid", "graph", "tree", "mesh"] } else { &["grid"] };
    json!({
        "name": entry.name,
        "title": entry.title,
        "family": "planner",
        "line": entry.summary,
        "guarantee": entry.guarantee,
        "memory": Value::Null,
        "needs": texts(entry.planner.needs()),
        "unit": UNIT,
        "layers": planner_layers(entry),
        "params": entry.parameters.iter().map(param).collect::<Vec<_>>(),
        "rules": rules,
        "weights": support.any_costs,
        "spaces": spaces,
    })
}

fn agent_entry(entry: &AgentEntry, by_sight: bool) -> Value {
    let about = &entry.about;
    let rules: Vec<&str> = about.rules.iter().map(|rule| rule.name()).collect();
    let spaces: &[&str] = if about.graphs { &["grid", "graph", "tree", "mesh"] } else { &["grid"] };
    let needs = catalog::agent(about.name).map_or_else(|_| Vec::new(), |kind| kind.needs());
    let needs = if by_sight || about.without_index { Vec::new() } else { texts(&needs) };
    let mut params: Vec<Value> = entry.parameters().iter().map(param).collect();
    if by_sight {
        params.push(
            json!({ "key": "sight", "name": "sight", "kind": "number", "min": 1, "max": SensorRange::FARTHEST,
            "step": 1, "also": ["lines"], "default": SIGHT.to_string(),
            "say": "how far it sees, in columns and rows; `lines`: what no wall hides" }),
        );
    }
    let (line, memory) = match by_sight {
        true => (entry.summary_by_sight(), entry.memory_by_sight()),
        false => (about.summary.to_owned(), about.memory.to_owned()),
    };
    json!({
        "name": about.name,
        "title": entry.title,
        "family": if by_sight { "scout" } else { "agent" },
        "line": line,
        "guarantee": about.guarantee,
        "memory": memory,
        "needs": needs,
        "unit": UNIT,
        "layers": agent_layers(entry, by_sight),
        "params": params,
        "rules": rules,
        "weights": if by_sight { about.weights_by_sight } else { true },
        "tedious": about.is_tedious,
        "spaces": spaces,
    })
}

/// What is shown of a planner.
pub(crate) fn planner_layers(entry: &PlannerEntry) -> Vec<&'static str> {
    entry.layers.iter().copied().chain(["path", "best"]).collect()
}

/// What is shown of an agent.
pub(crate) fn agent_layers(entry: &AgentEntry, by_sight: bool) -> Vec<&'static str> {
    let seen = by_sight.then_some("seen");
    ["trail"].into_iter().chain(entry.layers.iter().copied()).chain(seen).chain(["best"]).collect()
}

fn texts(needs: &[IndexSpec]) -> Vec<String> {
    needs.iter().map(ToString::to_string).collect()
}

/// A parameter as a form shows it.
fn param(parameter: &ParameterInfo) -> Value {
    let default = default_of(parameter);
    let mut param = json!({
        "key": parameter.name(),
        "name": parameter.name(),
        "default": default,
        "say": parameter.meaning,
    });
    if default != parameter.default {
        // What holds without it is not one of the values.
        param["unset"] = json!(parameter.default);
    }
    let number = |param: &mut Value, least: u32, greatest: u32, step: f64| {
        param["kind"] = json!("number");
        param["min"] = json!(least);
        param["max"] = json!(greatest);
        param["step"] = json!(step);
    };
    match parameter.values {
        Values::Words(_) if is_flag(parameter).is_some() => {
            param["kind"] = json!("flag");
            param["default"] = json!("");
        }
        Values::Words(words) => {
            param["kind"] = json!("choice");
            param["of"] = json!(words);
        }
        Values::Number { least, greatest, or } => {
            number(&mut param, least, greatest, 1.0);
            if let Some(word) = or {
                param["also"] = json!([word]);
            }
        }
        Values::Decimal { least, greatest } => number(&mut param, least, greatest, 0.1),
        Values::Planner => param["kind"] = json!("text"),
    }
    param
}

fn generators() -> Vec<Value> {
    let side = |key: &str, default: u32| {
        json!({ "key": key, "name": key, "kind": "number", "min": MIN_SIZE, "max": LIMITS.side, "step": 1,
                "default": default.to_string(), "say": "in cells" })
    };
    let seed = json!({ "key": "seed", "name": "seed", "kind": "number", "min": 0, "max": u32::MAX, "step": 1,
                       "default": "1", "say": "another number is another map" });
    Kind::ALL
        .iter()
        .map(|kind| {
            json!({ "kind": kind.name(), "title": title(kind.name()), "line": generator_line(*kind),
                    "params": [side("width", 160), side("height", 100), seed] })
        })
        .collect()
}

fn title(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn generator_line(kind: Kind) -> &'static str {
    match kind {
        Kind::Rooms => "rooms of many sizes along corridors, walls with doors, pillars and pools",
        Kind::Maze => "winding corridors from one to three cells wide, with some ways around",
        Kind::Caves => "winding caverns with ponds, joined by tunnels",
        Kind::Random => "a quarter of the cells blocked, at random",
        Kind::City => "streets, buildings, squares, parks, and a river under its bridges",
        Kind::Arena => "bases, lanes and cover for two teams, the same from both sides",
        _ => "",
    }
}

fn rule_line(rule: Rule) -> &'static str {
    match rule {
        Rule::Octile => "eight neighbours, costs 1 and 1.414; no corner is cut",
        Rule::Octile14 => "eight neighbours, costs 1 and 1.4; no corner is cut",
        Rule::OctileCutting => "eight neighbours, costs 1 and 1.414; corners may be cut",
        Rule::Octile14Cutting => "eight neighbours, costs 1 and 1.4; corners may be cut",
        Rule::Four => "four neighbours, cost 1",
        Rule::Hex => "hexagons in rows, odd rows half a cell to the right",
        Rule::HexEvenR => "hexagons in rows, even rows half a cell to the right",
        Rule::HexOddQ => "hexagons in columns, odd columns half a cell down",
        Rule::HexEvenQ => "hexagons in columns, even columns half a cell down",
        _ => "",
    }
}

/// A kind of event as a legend and a sentence are made from it: `{n}` is how often it happened in a step, `{n|one|more}` the same with
/// its word, `{cell}` and `{value}` are those of the last time.
fn kind(kind: EventKind) -> Value {
    let (say, layer, value) = match kind {
        EventKind::Open => ("opened {n|state|states}", "open", "f"),
        EventKind::Close => ("expanded {n|state|states}, last {cell} at cost {value}", "closed", "g"),
        EventKind::Better => ("found a better way to {n}", "open", "f"),
        EventKind::Jump => ("{n|jump|jumps}", "jumps", "f"),
        EventKind::Look => ("looked at {n|state|states}", "look", "f"),
        EventKind::Learn => ("learned {n|value|values}", "learned", "more than first believed"),
        EventKind::See => ("saw {n|new cell|new cells}", "seen", "1 wall, 0 ground"),
        EventKind::Move => ("moved to {cell}", "trail", "cost so far"),
        EventKind::Plan => ("planned {n|step|steps}", "plan", ""),
        EventKind::Path => ("a path of {n|state|states}", "path", "cost so far"),
        EventKind::Edit => {
            ("the map changed at {n|place|places}", "", "1 closed, 0 open, else what it costs")
        }
        EventKind::Wait => ("stayed where it is", "", ""),
        EventKind::End => ("the end", "", "cost, -1 no way, -2 gave up"),
        EventKind::Hop => ("looked up {n|hop|hops}", "hops", "cost"),
        EventKind::Subgoal => ("heads for {cell}", "subgoals", ""),
        EventKind::Record => ("tried {n|record|records}", "records", ""),
        EventKind::Region => ("{n|state|states} of a region", concat!("region", "s"), "its number"),
        EventKind::Tree => ("set {n|pointer|pointers}", "tree", ""),
    };
    json!({ "kind": kind.number(), "name": kind.name(), "say": say, "layer": layer, "value": value })
}
