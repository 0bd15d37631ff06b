//! Agents that learn or search in slices, with all their parameters: what their papers prove of them, and what a step takes.

use crate::support::journeys::{journey, random_space, step, truth};
use crate::support::{cell, close, drawn, rounds};
use milepost::agent::SpaceLimits;
use milepost::build::{SILENT, build};
use milepost::catalog::{AnyAgentKind, agent};
use milepost::index::{IndexKind, IndexSpec};
use milepost::search::{Expander, Goal};
use milepost::{Atlas, Budget, Cost, Outcome, Rng, Rule, Scratch, Space, StateId, Step};
use milepost_maps::{Kind, generate};

/// Every algorithm, with small and large parameters.
const NAMES: [&str; 15] = [
    "lrta",
    "lrta:1.999",
    "lrta:2",
    "lrta:3.5",
    "lrta:10",
    "lrta-k:1",
    "lrta-k:5",
    "lrta-k:200",
    "lss-lrta:1",
    "lss-lrta:7",
    "lss-lrta:300",
    "tba:5",
    "tba:5:ratio=1",
    "tba:10",
    "tba:5000:ratio=100",
];

/// Those that learn: a search that is kept learns nothing.
fn learners() -> Vec<(&'static str, AnyAgentKind)> {
    kinds().into_iter().filter(|(name, _)| !name.starts_with("tba")).collect()
}

fn kinds() -> Vec<(&'static str, AnyAgentKind)> {
    NAMES.iter().map(|name| (*name, agent(name).expect("a name of the catalog"))).collect()
}

#[test]
fn with_any_parameter_every_reachable_goal_is_reached_between_all_pairs_of_random_spaces() {
    let mut rng = Rng::new(81);
    let mut scratch = Scratch::new();
    for round in 0..rounds(240) {
        let atlas = Atlas::new(random_space(&mut rng, round));
        let (states, distances) = truth(atlas.space());
        for (name, kind) in kinds() {
            for (from, row) in states.iter().zip(&distances) {
                for (to, expected) in states.iter().zip(row) {
                    let mut agent = kind.start(&atlas, *from, *to);
                    let (end, cost, _) = journey(&mut agent, &atlas, &mut scratch);
                    let wanted = if expected.is_finite() { Step::Arrived } else { Step::NoPath };
                    assert_eq!(end, wanted, "{name}, round {round}: {from} to {to}");
                    let cost = atlas.space().scale().to_f64(cost);
                    assert!(
                        expected.is_infinite() || close(cost, *expected) || cost > *expected,
                        "{name}, round {round}: {from} to {to}: {cost} for {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn with_any_budget_that_is_enough_the_goal_is_reached_and_no_step_takes_more() {
    let mut rng = Rng::new(82);
    let mut scratch = Scratch::new();
    for round in 0..150 {
        let atlas = Atlas::new(random_space(&mut rng, round));
        let (states, distances) = truth(atlas.space());
        for (name, kind) in kinds().into_iter().filter(|_| !states.is_empty()) {
            for _ in 0..4 {
                let mut any = || rng.below(states.len() as u32) as usize;
                let (from, to) = (any(), any());
                let mut agent = kind.start(&atlas, states[from], states[to]);
                let limits = agent.limits();
                let end = loop {
                    let more = u64::from(rng.below(3)) * u64::from(rng.below(40));
                    match step(&mut agent, &atlas, &mut scratch, limits.min_units + more).0 {
                        Step::Move(_) | Step::Thinking => {}
                        end => break end,
                    }
                };
                let wanted = if distances[from][to].is_finite() { Step::Arrived } else { Step::NoPath };
                assert_eq!(end, wanted, "{name}, round {round}");
            }
        }
    }
}

/// The walk that hill climbing makes, if it reaches the goal: always to the successor with the least cost and estimate,
/// of those the nearest, as long as one is nearer than where it stands.
fn climbed(space: &Space, from: StateId, to: StateId) -> Option<(Cost, Vec<StateId>)> {
    let problem = space.problem(to);
    let (mut state, mut cost, mut trail) = (from, Cost::ZERO, Vec::new());
    while !problem.is_reached(state) {
        let (mut best, mut nearest) = (None, Cost::MAX);
        problem.expand(state, None, |child, step| {
            let h = problem.estimate(child);
            nearest = nearest.min(h);
            let this = (step + h, h, step, child);
            if best.is_none_or(|best: (Cost, Cost, Cost, StateId)| (this.0, this.1) < (best.0, best.1)) {
                best = Some(this);
            }
        });
        let (.., step, next) = best.filter(|_| nearest < problem.estimate(state) && trail.len() < 10_000)?;
        (state, cost) = (next, cost + step);
        trail.push(next);
    }
    Some((cost, trail))
}

/// Theorem 5 of the case-based subgoaling paper.
#[test]
fn what_hill_climbing_reaches_is_reached_along_the_same_way_without_coming_anywhere_twice() {
    let mut rng = Rng::new(83);
    let mut scratch = Scratch::new();
    let (mut reached, mut others) = (0, 0);
    for round in 0..600 {
        let atlas = Atlas::new(random_space(&mut rng, round));
        if atlas.space().as_grid().is_some_and(|grid| !grid.is_plain()) {
            continue;
        }
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for (from, to) in states.iter().flat_map(|from| states.iter().map(move |to| (*from, *to))) {
            // In one strong component, where the agent keeps to it.
            if atlas.space().component(from) != atlas.space().component(to) {
                continue;
            }
            let Some((cost, trail)) = climbed(atlas.space(), from, to) else {
                others += 1;
                continue;
            };
            reached += 1;
            let is_inside = |state: &StateId| atlas.space().component(*state) == atlas.space().component(to);
            if !trail.iter().all(is_inside) {
                continue;
            }
            let mut agent = atlas.agent("lrta", from, to).expect("it needs nothing");
            assert_eq!(journey(&mut agent, &atlas, &mut scratch), (Step::Arrived, cost, trail.clone()));
            let mut once = trail;
            once.push(from);
            once.sort_unstable();
            assert!(once.windows(2).all(|pair| pair[0] != pair[1]), "round {round}: {from} to {to}");
        }
    }
    assert!(reached > 10_000 && others > 1000, "{reached} {others}");
}

/// Theorem 6 of the same paper: hugging the wall costs 16.4 and going round it 15, as its figure 10 has it; and where corners
/// may not be cut, on another map, 15.2.
#[test]
fn what_hill_climbing_reaches_need_not_be_reached_by_the_best_path() {
    let figure = "................ ....@........... ..@@@@@@@@...... ................ ................ \
                  ................ ................ ................ ................";
    let strict = "................ ................ ..@@@@@@@@@@.... ................ ................ ................";
    for (map, rule, from, to, best) in [
        (figure, Rule::Octile14Cutting, (1, 1), (13, 7), 15.0),
        (strict, Rule::Octile14, (0, 0), (12, 5), 15.2),
    ] {
        let atlas = drawn(map, rule);
        let (from, to) = (cell(&atlas, from.0, from.1), cell(&atlas, to.0, to.1));
        let mut scratch = Scratch::new();
        let mut agent = atlas.agent("lrta", from, to).expect("it needs nothing");
        let (end, cost, trail) = journey(&mut agent, &atlas, &mut scratch);
        assert_eq!((end, climbed(atlas.space(), from, to)), (Step::Arrived, Some((cost, trail))));
        assert!(close(atlas.space().scale().to_f64(cost), 16.4), "{rule}");
        assert!(matches!(atlas.path(from, to, &mut scratch), Outcome::Found { .. }));
        assert!(close(scratch.path().cost_f64(), best), "{rule}");
    }
}

#[test]
fn the_same_journey_comes_again_in_every_run() {
    let map = generate(Kind::Caves, 60, 44, 7).expect("a size that fits");
    let atlas = Atlas::new(map.grid(Rule::Octile).expect("a small map"));
    let states: Vec<StateId> = atlas.space().free_states().collect();
    for (name, kind) in kinds() {
        let walk = |scratch: &mut Scratch| {
            journey(&mut kind.start(&atlas, states[3], states[states.len() - 5]), &atlas, scratch)
        };
        let mut used = Scratch::new();
        let first = walk(&mut used);
        assert_eq!(walk(&mut used), first, "{name}");
        assert_eq!(walk(&mut Scratch::new()), first, "{name}");
    }
}

/// The largest step of a few hundred moves on maps of 10^3 to 10^6 cells: it is what is stated, or less, and stays so.
#[test]
fn the_largest_step_does_not_grow_with_the_map() {
    let mut scratch = Scratch::new();
    for side in [32, 100, 316, 1000] {
        let map = generate(Kind::Caves, side, side, 3).expect("a size that fits");
        let atlas = Atlas::new(map.grid(Rule::Octile).expect("a map"));
        let states: Vec<StateId> = atlas.space().free_states().collect();
        let from = states[states.len() / 2];
        let here = atlas.space().component(from);
        let to = *states.iter().find(|state| atlas.space().component(**state) == here).expect("itself");
        for (name, kind) in kinds() {
            let mut agent = kind.start(&atlas, from, to);
            let mut most = 0;
            for _ in 0..400 {
                let mut budget = Budget::unlimited();
                let done = agent.step(&atlas, &mut scratch, &mut budget);
                most = most.max(budget.spent());
                if done == Step::Arrived {
                    break;
                }
            }
            assert!(
                most <= kind.limits(SpaceLimits::PLAIN).max_units.expect("bounded"),
                "{name}: {most} on {side} x {side}"
            );
        }
    }
}

#[test]
fn memory_follows_what_was_learned_and_not_the_map() {
    let mut scratch = Scratch::new();
    let atlas = drawn(&[".".repeat(300), ".".repeat(300)].join("\n"), Rule::Octile);
    let (from, to) = (cell(&atlas, 0, 0), cell(&atlas, 299, 1));
    for (name, kind) in learners() {
        let mut agent = kind.start(&atlas, from, to);
        let before = agent.bytes();
        journey(&mut agent, &atlas, &mut scratch);
        // Nothing is in the way, and nothing is to be learned.
        assert_eq!(agent.remembered(), 0, "{name}");
        assert!(agent.bytes() <= before + 2000, "{name}: {}", agent.bytes());
    }
    let atlas = drawn("......... .@@@@@@@. .......@. .@@@@@@@. .........", Rule::Octile);
    let (from, to) = (cell(&atlas, 5, 2), cell(&atlas, 8, 2));
    for (name, kind) in learners() {
        let mut agent = kind.start(&atlas, from, to);
        let before = agent.bytes();
        journey(&mut agent, &atlas, &mut scratch);
        assert!(agent.remembered() > 0 && agent.bytes() > before, "{name}");
        let (remembered, bytes) = (agent.remembered(), agent.bytes());
        agent.retarget(from);
        assert_eq!((agent.remembered(), agent.bytes()), (0, bytes), "{name}: {remembered}");
    }
}

/// Regions of every level, and agents that go from one to the other.
#[test]
fn from_region_to_region_every_goal_is_reached_or_a_circle_is_proved() {
    let mut rng = Rng::new(84);
    let mut scratch = Scratch::new();
    let (mut arrived, mut stopped) = (0, 0);
    for round in 0..180 {
        let level = 1 + round as u32 % 3;
        let index = IndexSpec::new(IndexKind::REGIONS, level);
        let atlas = Atlas::new(random_space(&mut rng, round / 3));
        let atlas = build(&atlas, index, SILENT).expect("every space has regions");
        let (states, distances) = truth(atlas.space());
        for exit in ["last", "first"] {
            let kind = agent(&format!("d-lrta:{level}:exit={exit}")).expect("a name of the catalog");
            for (from, row) in states.iter().zip(&distances) {
                for (to, expected) in states.iter().zip(row) {
                    let mut agent = kind.start(&atlas, *from, *to);
                    let (end, ..) = journey(&mut agent, &atlas, &mut scratch);
                    let wanted = if expected.is_finite() { Step::Arrived } else { Step::NoPath };
                    let may_stop = exit == "first" && wanted == Step::Arrived;
                    assert!(end == wanted || may_stop && end == Step::Stopped, "{round}: {from} to {to}");
                    arrived += u32::from(end == Step::Arrived);
                    stopped += u32::from(end == Step::Stopped);
                }
            }
        }
    }
    assert!(arrived > 10_000, "{arrived} {stopped}");
}
