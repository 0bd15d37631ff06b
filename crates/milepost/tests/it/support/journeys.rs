//! Journeys of agents, step by step, and small spaces of every kind to make them on.

use super::{plain_dijkstra, random_map};
use milepost::Rng;
use milepost::build::{SILENT, add_index, with_figures};
use milepost::catalog::{AGENTS, AnyAgentKind, agent};
use milepost::{Agent, Atlas, Budget, Cost, Edge, Edit, Graph, Point, Rule, Scratch, Space, StateId, Step};

/// Every kind of agent, with its defaults, those that estimate by landmarks, and those that follow a planner that is named.
pub fn kinds() -> Vec<(&'static str, AnyAgentKind)> {
    let known = AGENTS.iter().filter(|entry| entry.about.on_map).map(|entry| entry.about.name);
    let informed =
        ["tba:h=differential", "lrta:h=differential", "lrta-k:h=canonical", "lss-lrta:h=canonical"];
    let following = ["follow:corner-labels", "follow:96:astar", "follow:first-moves"];
    known
        .chain(informed)
        .chain(following)
        .map(|name| (name, agent(name).expect("a name of the catalog")))
        .collect()
}

/// The atlas with every index that an agent reads. Those that cannot be built for this space are left out: their
/// readers refuse.
pub fn with_indexes(mut atlas: Atlas) -> Atlas {
    for (_, agent) in kinds() {
        for index in agent.needs() {
            if !atlas.has(index)
                && let Ok(richer) = add_index(&atlas, index, SILENT, None)
            {
                atlas = richer;
            }
        }
    }
    with_figures(&atlas)
}

/// The kinds that work on an atlas.
pub fn supported(atlas: &Atlas) -> Vec<(&'static str, AnyAgentKind)> {
    kinds().into_iter().filter(|(_, kind)| kind.refusal(atlas).is_none()).collect()
}

/// A small space of any kind: those below, and meshes with areas and links.
pub fn random_space_or_mesh(rng: &mut Rng, round: usize) -> Space {
    let kinds = Rule::ALL.len() + 2;
    match round % kinds == kinds - 1 {
        true => super::random_mesh(rng, 5).into(),
        false => random_space(rng, round - round / kinds),
    }
}

/// A small space: grids under every rule, plain or with weights and links, and directed graphs.
pub fn random_space(rng: &mut Rng, round: usize) -> Space {
    let kinds = Rule::ALL.len() + 1;
    let Some(&rule) = Rule::ALL.get(round % kinds) else {
        let nodes = 1 + rng.below(12);
        let edge = |rng: &mut Rng| Edge {
            from: StateId::new(rng.below(nodes)),
            to: StateId::new(rng.below(nodes)),
            cost: 1 + rng.below(50),
        };
        let edges: Vec<Edge> = (0..rng.below(nodes * 3 + 1)).map(|_| edge(rng)).collect();
        return Graph::from_edges(nodes, &edges, Vec::new()).expect("a sound graph").into();
    };
    let map = random_map(rng, 6);
    let grid = map.grid(rule).expect("a small map");
    if (round / kinds).is_multiple_of(2) {
        return grid.into();
    }
    let weights: Vec<u8> = (0..map.width() * map.height()).map(|_| 1 + rng.below(9) as u8).collect();
    let grid = grid.with_weights(|x, y| weights[(y * map.width() + x) as usize]).expect("no zeros");
    let mut point = || Point::new(rng.below(map.width()).into(), rng.below(map.height()).into());
    let link = Edit::Link { from: point(), to: point(), cost: 3 };
    // A link is part of the map here, not an edit of it.
    Atlas::from_bytes(&Atlas::new(grid.edited(&[link]).expect("inside")).to_bytes())
        .expect("our own bytes")
        .space()
        .clone()
}

/// The free states of a space, and the cost between any two of them by the oracle: infinite without a path.
pub fn truth(space: &Space) -> (Vec<StateId>, Vec<Vec<f64>>) {
    let states: Vec<StateId> = space.free_states().collect();
    let edges: Vec<Vec<(usize, f64)>> = states
        .iter()
        .map(|&from| {
            let step = |to: StateId| space.step_cost(from, to, None).map(|cost| space.scale().to_f64(cost));
            (0..).zip(&states).filter_map(|(index, &to)| Some((index, step(to)?))).collect()
        })
        .collect();
    let distances =
        (0..states.len()).map(|start| plain_dijkstra(states.len(), start, |node| edges[node].clone()));
    let distances = distances.collect();
    (states, distances)
}

/// One step with a budget. The move must be legal, the work within what the agent states, and a refusal must leave it as
/// it was.
pub fn step(agent: &mut Box<dyn Agent>, atlas: &Atlas, scratch: &mut Scratch, units: u64) -> (Step, Cost) {
    let (before, saved) = (agent.state(), agent.to_bytes());
    let mut budget = Budget::units(units);
    let step = agent.step(atlas, scratch, &mut budget);
    // Of this version of the map, which the agent may have seen for the first time.
    let (name, limits) = (agent.name(), agent.limits());
    assert!(
        budget.spent() <= limits.max_units.unwrap_or(u64::MAX).min(units),
        "{name}: {} units of {units}",
        budget.spent()
    );
    let cost = match step {
        Step::Move(to) => {
            assert_eq!(agent.state(), to, "{name} stands where it says");
            atlas.space().step_cost(before, to, None).unwrap_or_else(|| panic!("{name}: {before} to {to}"))
        }
        _ => {
            assert_eq!(agent.state(), before, "{name} moved without a word");
            Cost::ZERO
        }
    };
    if let Step::Refused(_) | Step::Starved { .. } = step {
        assert_eq!(agent.to_bytes(), saved, "{name} says {step:?}, and changes all the same");
    }
    (step, cost)
}

/// Lets an agent walk to whatever end: the last step, the cost of the moves, and every state it came to. It may neither
/// think longer than it states nor walk for ever.
pub fn journey(
    agent: &mut Box<dyn Agent>,
    atlas: &Atlas,
    scratch: &mut Scratch,
) -> (Step, Cost, Vec<StateId>) {
    let (mut cost, mut trail, mut thinking) = (Cost::ZERO, Vec::new(), 0);
    loop {
        let (done, moved) = step(agent, atlas, scratch, u64::MAX);
        match done {
            Step::Move(to) => {
                thinking = 0;
                cost += moved;
                trail.push(to);
                assert!(trail.len() < 1_000_000, "{}: an endless journey", agent.name());
            }
            Step::Thinking => {
                thinking += 1;
                assert!(thinking <= agent.limits().max_thinking, "{} thinks too long", agent.name());
            }
            end => return (end, cost, trail),
        }
    }
}
