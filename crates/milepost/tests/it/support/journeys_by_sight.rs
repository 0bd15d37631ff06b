//! Journeys of agents that see their surroundings only, step by step, and small maps to make them on.

use super::journeys::truth;
use super::random_map;
use milepost::Rng;
use milepost::agent::{Limits, MapSensor, SensorRange};
use milepost::catalog::{AGENTS, AnyAgentKind, agent, restore};
use milepost::space::Link;
use milepost::{Agent, Budget, Cost, Edge, Graph, Grid, Rule, Scratch, Space, StateId, Step};

/// Names with parameters, beside those of the catalog with their defaults.
const VARIANTS: &[&str] = &[
    "bug2:right",
    "rtaa:1",
    "rtaa:3",
    "rtaa:inf",
    "da-rtaa:1",
    "da-rtaa:4",
    "lrta:3",
    "lrta-k:1",
    "lss-lrta:4",
    "frit-rt:1",
    "frit-rt:1:2",
    "frit-rt:3:h=octile:order=ccw",
    "frit-rt:2:search=da-rtaa",
    "p-frit-rt:1",
    "p-frit-rt:1:2",
    "p-frit-rt:4:order=ccw",
    "p-frit-rt:2:h=octile",
    "p-frit-rt:3:5:search=da-rtaa",
    "p-frit-rt:64",
    "p-frit-rt:1:inf",
    "p-frit-rt:4:inf",
    "frit-rt:3:inf",
    "p-frit-rt:1:as-printed",
    "p-frit-rt:8:as-printed",
    "p-frit-rt:2:inf:as-printed",
    "frit-rt:1:2:as-printed",
    "frit-rt:4:as-printed",
];

/// How far agents by sight see: the neighbours, farther, the whole of a small map, and as far as walls let them.
pub const RANGES: [SensorRange; 5] = [
    SensorRange::Radius(1),
    SensorRange::Radius(2),
    SensorRange::Radius(5),
    SensorRange::Radius(1000),
    SensorRange::Lines,
];

/// The rules under which agents by sight work: all of them.
pub const RULES: [Rule; 9] = Rule::ALL;

/// Every kind of agent by sight: with its defaults, and with some other parameters.
pub fn kinds() -> Vec<(&'static str, AnyAgentKind)> {
    let by_sight = AGENTS.iter().filter(|entry| entry.about.by_sight);
    let names = by_sight.map(|entry| entry.about.name).chain(VARIANTS.iter().copied());
    names.map(|name| (name, agent(name).expect("a name of the catalog"))).collect()
}

/// Those that are complete: all but what is built to show how a listing fails.
pub fn complete_kinds() -> Vec<(&'static str, AnyAgentKind)> {
    kinds().into_iter().filter(|(name, _)| !name.contains("as-printed")).collect()
}

/// A map that an agent has to find out, and what it knows of it.
#[derive(Clone, Debug)]
pub struct HiddenMap {
    pub truth: Space,
    /// Of a graph: as it would be if nothing were blocked.
    pub known: Option<Graph>,
    /// How far one sees on a grid.
    pub range: SensorRange,
}

impl HiddenMap {
    pub fn of(truth: Space) -> HiddenMap {
        HiddenMap { truth, known: None, range: SensorRange::default() }
    }

    /// The same map for agents that see so far.
    pub fn seen(&self, range: SensorRange) -> HiddenMap {
        HiddenMap { range, ..self.clone() }
    }

    pub fn sensor(&self) -> MapSensor<'_> {
        match &self.known {
            Some(known) => MapSensor::with_known(&self.truth, known),
            None => MapSensor::new(&self.truth, self.range),
        }
    }

    /// The kinds of agents that work here by sight.
    pub fn supported(&self) -> Vec<(&'static str, AnyAgentKind)> {
        let sensor = self.sensor();
        complete_kinds().into_iter().filter(|(_, kind)| kind.refusal(&sensor).is_none()).collect()
    }

    /// The free states, and the cost between any two of them; infinite without a path.
    pub fn distances(&self) -> (Vec<StateId>, Vec<Vec<f64>>) {
        truth(&self.truth)
    }

    /// Whether every move can be undone.
    pub fn is_two_way(&self) -> bool {
        let links = self.truth.as_grid().map_or(&[][..], |grid| grid.links());
        let is_back = |link: &Link| links.iter().any(|back| (back.from, back.to) == (link.to, link.from));
        links.iter().all(is_back)
            && self.known.as_ref().is_none_or(|graph| {
                graph.edges().all(|edge| graph.edges_from(edge.to).any(|back| back.to == edge.from))
            })
    }
}

/// A small hidden map: grids under every rule, every third of them with weights and half of them with links, graphs of two-way
/// and one-way edges.
pub fn random_hidden_map(rng: &mut Rng, round: usize) -> HiddenMap {
    match round % 5 {
        3 => random_graph(rng, true),
        4 => random_graph(rng, false),
        grid => {
            let rule = RULES[(round / 5 * 3 + grid) % RULES.len()];
            let plain = random_map(rng, 6).grid(rule).expect("a small map");
            let is_weighted = (round / 15 + grid).is_multiple_of(3);
            let grid = if is_weighted { weighted(&plain, rng) } else { plain };
            HiddenMap::of(match round / 5 % 4 {
                1 => linked(&grid, rng, true).into(),
                3 => linked(&grid, rng, false).into(),
                _ => grid.into(),
            })
        }
    }
}

/// The same map with up to four links, all of them both ways or each of them one way.
pub fn linked(grid: &Grid, rng: &mut Rng, is_two_way: bool) -> Grid {
    let cells: Vec<StateId> = grid.all_cells().collect();
    let mut any = || cells[rng.below(cells.len() as u32) as usize];
    let ends: Vec<(StateId, StateId)> = (0..4).map(|_| (any(), any())).collect();
    let mut links = Vec::new();
    for (from, to) in ends.into_iter().take(1 + rng.below(4) as usize) {
        let cost = 1 + rng.below(7);
        links.push(Link { from, to, cost });
        if is_two_way {
            links.push(Link { from: to, to: from, cost: 1 + rng.below(7) });
        }
    }
    grid.with_links(&links).expect("sound links")
}

/// The same map with weights from 2 to 9.
pub fn weighted(grid: &Grid, rng: &mut Rng) -> Grid {
    grid.with_weights(|_, _| 2 + rng.below(8) as u8).expect("no zeros")
}

/// A graph some of whose nodes are blocked.
pub fn random_graph(rng: &mut Rng, is_two_way: bool) -> HiddenMap {
    let nodes = 1 + rng.below(14);
    let mut edges = Vec::new();
    for _ in 0..rng.below(nodes * 3 + 1) {
        let (from, to) = (StateId::new(rng.below(nodes)), StateId::new(rng.below(nodes)));
        let cost = 1 + rng.below(50);
        if from != to {
            edges.push(Edge { from, to, cost });
            if is_two_way {
                edges.push(Edge { from: to, to: from, cost });
            }
        }
    }
    let density = rng.below(50);
    let is_free: Vec<bool> = (0..nodes).map(|_| rng.below(100) >= density).collect();
    hidden_graph(nodes, &edges, is_free)
}

/// A graph without positions, of whose nodes those are blocked that are not free.
pub fn hidden_graph(nodes: u32, edges: &[Edge], is_free: Vec<bool>) -> HiddenMap {
    let known = Graph::from_edges(nodes, edges, Vec::new()).expect("a sound graph");
    let free: Vec<Edge> =
        edges.iter().copied().filter(|edge| is_free[edge.from.index()] && is_free[edge.to.index()]).collect();
    let truth = Graph::from_parts(is_free, &free, Vec::new()).expect("a sound graph");
    HiddenMap { known: Some(known), ..HiddenMap::of(truth.into()) }
}

/// One [`step`] with as little as the agent needs, which one that was saved and restored before it makes alike.
fn step_as_restored(agent: &mut Box<dyn Agent>, hidden_map: &HiddenMap, scratch: &mut Scratch) -> Step {
    let (bytes, least) = (agent.to_bytes(), agent.limits().min_units);
    let mut restored = restore(&bytes, (&hidden_map.sensor()).into()).expect("a save of this map");
    assert_eq!(restored.to_bytes(), bytes, "{}", agent.name());
    let next = step(agent, hidden_map, scratch, least);
    assert_eq!(step(&mut restored, hidden_map, scratch, least), next, "{}", agent.name());
    assert_eq!(restored.to_bytes(), agent.to_bytes(), "{}", agent.name());
    next.0
}

/// Such steps until the journey ends, at most so many; says how many of them were thoughts.
pub fn thoughts_as_restored(
    agent: &mut Box<dyn Agent>,
    hidden_map: &HiddenMap,
    scratch: &mut Scratch,
    most: u32,
) -> u32 {
    let steps = (0..most).map(|_| step_as_restored(agent, hidden_map, scratch));
    let journey = steps.take_while(|step| matches!(step, Step::Move(_) | Step::Thinking));
    journey.filter(|step| *step == Step::Thinking).count() as u32
}

/// One step with a budget. The move must be legal, the work within what the agent states, and a refusal must leave it as
/// it was.
pub fn step(
    agent: &mut Box<dyn Agent>,
    hidden_map: &HiddenMap,
    scratch: &mut Scratch,
    units: u64,
) -> (Step, Cost) {
    let (before, limits) = (agent.state(), agent.limits());
    let saved = (units < limits.min_units).then(|| agent.to_bytes());
    let mut budget = Budget::units(units);
    let step = agent.step(&hidden_map.sensor(), scratch, &mut budget);
    let name = agent.name();
    let Limits { max_units, .. } = limits;
    assert!(
        budget.spent() <= max_units.unwrap_or(u64::MAX).min(units),
        "{name}: {} units of {units}, {limits:?}",
        budget.spent()
    );
    let cost = match step {
        Step::Move(to) => {
            assert_eq!(agent.state(), to, "{name} stands where it says");
            let cost = hidden_map.truth.step_cost(before, to, None);
            cost.unwrap_or_else(|| panic!("{name} goes through a wall: {before} to {to}"))
        }
        _ => {
            assert_eq!(agent.state(), before, "{name} moved without a word");
            Cost::ZERO
        }
    };
    if let Some(saved) = saved {
        assert_eq!(step, Step::Starved { min_units: limits.min_units }, "{name}");
        assert_eq!(agent.to_bytes(), saved, "{name} is starved, and changes all the same");
    }
    (step, cost)
}

/// Lets an agent walk to whatever end: the last step, the cost of the moves, and every state it came to. It may neither
/// think longer than it states nor walk for ever.
pub fn journey(
    agent: &mut Box<dyn Agent>,
    hidden_map: &HiddenMap,
    scratch: &mut Scratch,
    units: u64,
) -> (Step, f64, Vec<StateId>) {
    // Wanderings may cost more than any path, for which costs are made.
    let (mut cost, mut trail, mut thinking) = (0.0, Vec::new(), 0);
    loop {
        let (done, moved) = step(agent, hidden_map, scratch, units);
        match done {
            Step::Move(to) => {
                thinking = 0;
                cost += hidden_map.truth.scale().to_f64(moved);
                trail.push(to);
                assert!(trail.len() < 200_000, "{}: an endless journey", agent.name());
            }
            Step::Thinking => {
                thinking += 1;
                assert!(thinking <= agent.limits().max_thinking, "{} thinks too long", agent.name());
            }
            end => return (end, cost, trail),
        }
    }
}
