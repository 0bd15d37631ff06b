//! `milepost list`: every planner, agent and index, what it takes, where it works and what it promises.

mod text;

use crate::args::Globals;
use crate::failure::Failure;
use crate::output::Answer;
use milepost::Rule;
use milepost::agent::SpaceLimits;
use milepost::catalog::{
    self, AGENTS, AgentEntry, INDEXES, IndexEntry, PLANNERS, ParameterInfo, PlannerEntry, Values,
};
use milepost::space::{GridGeometry, Heuristic, Power};
use serde::Serialize;
use text::render_text;

#[derive(Serialize)]
struct Document {
    planners: Vec<PlannerDocument>,
    agents: Vec<AgentDocument>,
    /// The name of the field is a contract.
    #[serde(rename = "scouts")]
    agents_by_sight: Vec<AgentDocument>,
    indexes: Vec<IndexDocument>,
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
struct AgentDocument {
    name: &'static str,
    summary: String,
    guarantee: &'static str,
    /// What an agent remembers.
    memory: String,
    /// With its defaults a step takes at least and at most so many units of work ...
    min_units: u64,
    /// None: as much as a whole search takes.
    max_units: Option<u64>,
    /// ... and so many steps in a row may bring no move.
    max_thinking: u64,
    /// For a map of so many states; none if that holds whatever its size.
    max_thinking_states: Option<u32>,
    /// The indexes that it reads.
    needs: Vec<&'static str>,
    /// Whether it works without them.
    without_index: bool,
    /// Whether it works on graphs.
    graphs: bool,
    /// Whether it works where cells have weights.
    weights: bool,
    /// Whether it works where there are links.
    links: bool,
    rules: Vec<&'static str>,
    parameters: Vec<ParameterDocument>,
}

#[derive(Serialize)]
struct ParameterDocument {
    /// None for a plain value.
    key: Option<&'static str>,
    values: String,
    default: Option<String>,
    meaning: &'static str,
    /// Its key, or what texts call the value.
    name: &'static str,
    /// `word`, `number` or `decimal`.
    kind: &'static str,
    /// The range of a number.
    min: Option<u32>,
    max: Option<u32>,
    /// The words that may stand there, also in place of a number.
    words: Vec<&'static str>,
}

#[derive(Serialize)]
struct IndexDocument {
    name: &'static str,
    summary: &'static str,
    /// The indexes that it is read together with; `build` adds them.
    needs: Vec<&'static str>,
    /// What reads it.
    planners: Vec<&'static str>,
    agents: Vec<&'static str>,
    rules: Vec<&'static str>,
    /// Whether it can be built for maps with weights and links, and for graphs.
    any_costs: bool,
}

#[derive(Serialize)]
struct RuleDocument {
    name: &'static str,
    /// Cells that a step may lead to.
    neighbours: u8,
    /// What a step costs.
    straight: f64,
    /// None where no step is diagonal.
    diagonal: Option<f64>,
    cuts_corners: bool,
    /// Of hexagons, which of them lie half a cell further: `odd rows` to the right, `odd columns` down, or the even ones.
    shifted: Option<&'static str>,
}

#[derive(Serialize)]
struct EstimateDocument {
    name: &'static str,
    rules: Vec<PromiseDocument>,
}

#[derive(Serialize)]
struct PromiseDocument {
    moves: &'static str,
    /// Whether A* finds optimal paths with it; none if that depends on the power, or if it means nothing here.
    optimal: Option<bool>,
    /// The least power with which it does.
    least_power: Option<f64>,
}

pub(crate) fn run(globals: &Globals) -> Result<Answer, Failure> {
    let document = Document {
        planners: PLANNERS.iter().map(planner).collect(),
        agents: AGENTS.iter().filter(|entry| entry.about.on_map).filter_map(agent).collect(),
        agents_by_sight: AGENTS
            .iter()
            .filter(|entry| entry.about.by_sight)
            .filter_map(agent_by_sight)
            .collect(),
        indexes: INDEXES.iter().map(index).collect(),
        rules: Rule::ALL.map(rule).into(),
        estimates: estimates(),
    };
    Ok(Answer::new(globals.json, &document, || render_text(&document)))
}

fn parameters(parameters: Vec<ParameterInfo>) -> Vec<ParameterDocument> {
    let document = |parameter: ParameterInfo| {
        let (kind, min, max, words) = match parameter.values {
            Values::Words(words) => ("word", None, None, words.to_vec()),
            Values::Planner => ("planner", None, None, Vec::new()),
            Values::Number { least, greatest, or } => {
                ("number", Some(least), Some(greatest), or.into_iter().collect())
            }
            Values::Decimal { least, greatest } => ("decimal", Some(least), Some(greatest), Vec::new()),
        };
        ParameterDocument {
            key: (!parameter.key.is_empty()).then_some(parameter.key),
            values: parameter.values_text(),
            default: (!parameter.default.is_empty()).then(|| parameter.default.to_string()),
            meaning: parameter.meaning,
            name: parameter.name(),
            kind,
            min,
            max,
            words,
        }
    };
    parameters.into_iter().map(document).collect()
}

/// A map on which an agent says how long it thinks, if that grows with the map.
const LARGE: SpaceLimits = SpaceLimits { states: 1_000_000, ids: 1_000_000, ..SpaceLimits::PLAIN };

/// An agent that knows the map. None only if the catalog did not know its own names.
fn agent(entry: &AgentEntry) -> Option<AgentDocument> {
    let (about, kind) = (entry.about, catalog::agent(entry.about.name).ok()?);
    let (limits, large) = (kind.limits(SpaceLimits::PLAIN), kind.limits(LARGE));
    let grows = large.max_thinking > limits.max_thinking;
    let has_any_costs = kind.needs().iter().all(|index| index.kind.entry().any_costs);
    Some(AgentDocument {
        name: about.name,
        summary: about.summary.to_owned(),
        guarantee: about.guarantee,
        memory: about.memory.to_owned(),
        min_units: limits.min_units,
        max_units: limits.max_units,
        max_thinking: large.max_thinking,
        max_thinking_states: grows.then_some(LARGE.states),
        needs: kind.needs().iter().map(|index| index.kind.name()).collect(),
        without_index: about.without_index || kind.needs().is_empty(),
        graphs: has_any_costs && about.graphs,
        weights: has_any_costs,
        links: has_any_costs,
        rules: about.rules.iter().map(|rule| rule.name()).collect(),
        parameters: parameters(entry.parameters()),
    })
}

/// An agent that sees its surroundings. None only if the catalog did not know its own names.
fn agent_by_sight(entry: &AgentEntry) -> Option<AgentDocument> {
    let limits = catalog::agent(entry.about.name).ok()?.limits(SpaceLimits::UNSEEN);
    Some(AgentDocument {
        name: entry.about.name,
        summary: entry.summary_by_sight(),
        guarantee: entry.about.guarantee,
        memory: entry.memory_by_sight(),
        min_units: limits.min_units,
        max_units: limits.max_units,
        max_thinking: limits.max_thinking,
        max_thinking_states: None,
        needs: Vec::new(),
        without_index: true,
        graphs: entry.about.graphs,
        weights: entry.about.weights_by_sight,
        links: entry.about.links_by_sight,
        rules: entry.about.rules.iter().map(|rule| rule.name()).collect(),
        parameters: parameters(entry.parameters()),
    })
}

fn planner(entry: &PlannerEntry) -> PlannerDocument {
    PlannerDocument {
        name: entry.name,
        summary: entry.summary,
        guarantee: entry.guarantee,
        rules: entry.planner.support().rules.iter().map(|rule| rule.name()).collect(),
        parameters: parameters(entry.parameters.to_vec()),
    }
}

fn index(entry: &IndexEntry) -> IndexDocument {
    IndexDocument {
        name: entry.name,
        summary: entry.summary,
        needs: entry.kind.needs().iter().map(|kind| kind.name()).collect(),
        planners: entry.planners().map(|planner| planner.name).collect(),
        agents: entry.agents().map(|agent| agent.about.name).collect(),
        rules: entry.rules.iter().map(|rule| rule.name()).collect(),
        any_costs: entry.any_costs,
    }
}

fn rule(rule: Rule) -> RuleDocument {
    let scale = GridGeometry::new(1, 1, rule).scale();
    RuleDocument {
        name: rule.name(),
        neighbours: match rule {
            Rule::Four => 4,
            _ if rule.hexagons().is_some() => 6,
            _ => 8,
        },
        straight: 1.0,
        diagonal: rule.is_octile().then(|| scale.diagonal() as f64 / scale.straight() as f64),
        cuts_corners: rule.cuts_corners(),
        shifted: rule.hexagons().map(|layout| match (layout.shifts_rows(), layout.shifts_even()) {
            (true, false) => "odd rows",
            (true, true) => "even rows",
            (false, false) => "odd columns",
            (false, true) => "even columns",
        }),
    }
}

fn estimates() -> Vec<EstimateDocument> {
    let named = Heuristic::NAMED.iter().map(|(name, heuristic)| EstimateDocument {
        name,
        rules: Rule::ALL
            .map(|rule| PromiseDocument {
                moves: rule.name(),
                optimal: means_something(*heuristic, rule).then(|| heuristic.is_admissible(rule)),
                least_power: None,
            })
            .into(),
    });
    let norm = EstimateDocument {
        name: "p-norm",
        rules: Rule::ALL
            .map(|rule| {
                let least_power = least_power(rule);
                let optimal = if least_power.is_some() { None } else { Some(false) };
                PromiseDocument { moves: rule.name(), optimal, least_power }
            })
            .into(),
    };
    named.chain([norm]).collect()
}

/// Whether an estimate says anything under a rule: steps between hexagons need hexagons.
fn means_something(heuristic: Heuristic, rule: Rule) -> bool {
    heuristic != Heuristic::Hex || rule.hexagons().is_some()
}

/// The least power of a p-norm that never exceeds the true cost.
fn least_power(rule: Rule) -> Option<f64> {
    (1_000..=1_000_000)
        .filter_map(Power::from_thousandths)
        .find(|power| Heuristic::PNorm(*power).is_admissible(rule))
        .map(Power::value)
}
