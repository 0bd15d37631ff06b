//! `milepost list`: every planner, agent and index, what it takes, where it works and what it promises.

mod text;

use crate::args::Globals;
use crate::failure::Failure;
use crate::output::Answer;
use clap::Args;
use clap::builder::PossibleValuesParser;
use milepost::Rule;
use milepost::agent::SpaceLimits;
use milepost::catalog::{
    self, AGENTS, AgentEntry, INDEXES, IndexEntry, PLANNERS, ParameterInfo, PlannerEntry, Values,
};
use milepost::space::{GridGeometry, Heuristic, Power};
use serde::Serialize;
use text::render_text;

#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Only this part: planners, agents, scouts (the agents that see their surroundings), indexes, rules or estimates; or
    /// only what has this name
    #[arg(value_name = "WHAT", value_parser = PossibleValuesParser::new(words()), hide_possible_values = true)]
    what: Option<String>,
}

/// What the parts of the list are called.
pub(crate) const SECTIONS: [&str; 6] = ["planners", "agents", "scouts", "indexes", "rules", "estimates"];

/// A part that was not asked for is none.
#[derive(Serialize)]
struct Document {
    #[serde(skip_serializing_if = "Option::is_none")]
    planners: Option<Vec<PlannerDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agents: Option<Vec<AgentDocument>>,
    /// The name of the field is a contract.
    #[serde(rename = "scouts", skip_serializing_if = "Option::is_none")]
    agents_by_sight: Option<Vec<AgentDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    indexes: Option<Vec<IndexDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<RuleDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimates: Option<Vec<EstimateDocument>>,
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

pub(crate) fn run(globals: &Globals, args: &ListArgs) -> Result<Answer, Failure> {
    let document = Document::new(args.what.as_deref());
    Ok(Answer::new(globals.json, &document, || render_text(&document, args.what.is_none())))
}

/// What can be asked for: the parts, and all names.
fn words() -> Vec<&'static str> {
    let estimates = estimates();
    let names = PLANNERS.iter().map(|entry| entry.name);
    let names = names.chain(AGENTS.iter().map(|entry| entry.about.name));
    let names = names.chain(INDEXES.iter().map(|entry| entry.name)).chain(Rule::ALL.map(Rule::name));
    let names = names.chain(estimates.iter().map(|estimate| estimate.name));
    let mut words = SECTIONS.to_vec();
    for name in names {
        if !words.contains(&name) {
            words.push(name);
        }
    }
    words
}

impl Document {
    /// The whole list, a part of it, or what has a name.
    fn new(what: Option<&str>) -> Document {
        // Agents that see their surroundings are agents, too.
        let (sighted, on_map) = (&["agents", "scouts"][..], &["agents"][..]);
        let by_sight = AGENTS.iter().filter(|entry| entry.about.by_sight).filter_map(agent_by_sight);
        let knowing = AGENTS.iter().filter(|entry| entry.about.on_map).filter_map(agent);
        Document {
            planners: part(what, &["planners"], PLANNERS.iter().map(planner), |entry| entry.name),
            agents: part(what, on_map, knowing, |entry| entry.name),
            agents_by_sight: part(what, sighted, by_sight, |entry| entry.name),
            indexes: part(what, &["indexes"], INDEXES.iter().map(index), |entry| entry.name),
            rules: part(what, &["rules"], Rule::ALL.map(rule).into_iter(), |entry| entry.name),
            estimates: part(what, &["estimates"], estimates().into_iter(), |entry| entry.name),
        }
    }
}

/// Entries of a part that goes by these words: all of them, or those that have the name that was asked for.
fn part<T>(
    what: Option<&str>,
    words: &[&str],
    entries: impl Iterator<Item = T>,
    name: impl Fn(&T) -> &'static str,
) -> Option<Vec<T>> {
    let is_whole = what.is_none_or(|what| words.contains(&what));
    let asked: Vec<T> = entries.filter(|entry| is_whole || what == Some(name(entry))).collect();
    (!asked.is_empty()).then_some(asked)
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
