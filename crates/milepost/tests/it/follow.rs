//! The agent that follows any planner: its cost is the planner's, in slices of any size; new goals, edits and saves in the midst of
//! planning and of walking; which planner stands in where its own refuses.

use crate::support::journeys::{journey, random_space_or_mesh, step, truth, with_indexes};
use crate::support::saves::{content_of, varint, varint_at, with_content};
use crate::support::{catalog_planners, cell, close, drawn, indexed, random_map, rounds};
use milepost::build::{SILENT, build};
use milepost::catalog::{AnyAgentKind, PLANNERS, agent, planner, restore};
use milepost::index::IndexKind;
use milepost::plan::Refusal;
use milepost::{
    Agent, Atlas, Budget, Cost, Edge, Edit, Graph, Grid, Outcome, Overlay, Point, Query, Refused, Rng, Rule,
    Scratch, Space, StateId, Step,
};
use milepost_maps::{Kind, generate};
use std::sync::Arc;

fn kind(name: &str) -> AnyAgentKind {
    agent(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// As [`journey`], with so many units in every step: also how many steps were thinking.
fn sliced(
    agent: &mut Box<dyn Agent>,
    atlas: &Atlas,
    scratch: &mut Scratch,
    units: u64,
) -> (Step, Cost, Vec<StateId>, u64) {
    let (mut cost, mut trail, mut thinking, mut thought) = (Cost::ZERO, Vec::new(), 0, 0);
    loop {
        let (done, moved) = step(agent, atlas, scratch, units);
        match done {
            Step::Move(to) => {
                thinking = 0;
                cost += moved;
                trail.push(to);
            }
            Step::Thinking => {
                thinking += 1;
                thought += 1;
                assert!(thinking <= agent.limits().max_thinking, "{} thinks too long", agent.name());
            }
            end => return (end, cost, trail, thought),
        }
    }
}

/// Caves under a rule, large enough that a query takes several slices.
fn caves(rule: Rule, seed: u64) -> Atlas {
    let map = generate(Kind::Caves, 40, 30, seed).expect("a size that fits");
    Atlas::new(map.grid(rule).expect("a small map"))
}

/// Halls between walls with doors: every cell can be reached from every other.
fn halls(rule: Rule) -> Atlas {
    Atlas::new(Grid::new(40, 31, rule, |x, y| x % 6 != 3 || y % 10 == 0).expect("a small map"))
}

#[test]
fn its_journey_costs_what_the_path_of_its_planner_costs_with_every_planner_of_the_catalog() {
    let mut rng = Rng::new(211);
    let (mut scratch, planners) = (Scratch::new(), catalog_planners());
    let mut exact = 0;
    for round in 0..rounds(60) {
        let space = random_space_or_mesh(&mut rng, round);
        let atlas = indexed(Atlas::new(space), planners.iter().map(|(_, planner)| planner));
        let (states, distances) = truth(atlas.space());
        for (name, planner) in planners.iter().filter(|_| !states.is_empty()) {
            let kind = kind(&format!("follow:{name}"));
            assert_eq!(kind.refusal(&atlas), planner.refusal(&atlas), "{name}");
            assert_eq!(kind.needs(), planner.needs(), "{name}");
            let is_optimal = planner.is_optimal_from_state_to_state(atlas.space());
            assert_eq!(kind.is_optimal(atlas.space()), is_optimal, "{name}");
            // Over portals it walks the corridor, and its moves cost what those from centre to centre cost.
            let is_corridor = atlas.space().as_mesh().is_some() && planner.passes_portals();
            if kind.refusal(&atlas).is_some() {
                continue;
            }
            for _ in 0..12 {
                let mut any = || rng.below(states.len() as u32) as usize;
                let (from, to) = (any(), any());
                let mut agent = kind.start(&atlas, states[from], states[to]);
                let (end, cost, trail) = journey(&mut agent, &atlas, &mut scratch);
                let query = Query::new(states[from], states[to]);
                match planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited()) {
                    Outcome::Found { .. } if is_corridor => {
                        let corridor = scratch.path().states();
                        assert_eq!(
                            (end, &trail[..]),
                            (Step::Arrived, &corridor[1..]),
                            "{name}, round {round}"
                        );
                    }
                    Outcome::Found { cost: planned, .. } => {
                        assert_eq!((end, cost), (Step::Arrived, planned), "{name}, round {round}");
                        if planner.is_optimal(atlas.space()) {
                            let walked = atlas.space().scale().to_f64(cost);
                            assert!(close(walked, distances[from][to]), "{name}, round {round}");
                            exact += 1;
                        }
                    }
                    _ => assert_eq!(end, Step::NoPath, "{name}, round {round}"),
                }
            }
        }
    }
    assert!(exact > rounds::<u32>(2_000), "{exact}");
}

#[test]
fn slices_of_any_size_give_the_moves_of_a_whole_plan_and_no_step_takes_more_than_is_stated() {
    let mut rng = Rng::new(212);
    let (mut scratch, mut thought) = (Scratch::new(), 0);
    for (name, rule) in [
        ("follow:96:dijkstra", Rule::OctileCutting),
        ("follow:96:astar", Rule::Hex),
        ("follow:96:astar:h=manhattan", Rule::Octile),
        ("follow:120:weighted-astar:3", Rule::Four),
        ("follow:96:greedy", Rule::Octile14),
        ("follow:96:jps", Rule::Octile),
        ("follow:96:jps-plus", Rule::Octile),
        ("follow:96:corner-hierarchy", Rule::Octile14),
        ("follow:96:corner-labels", Rule::Octile),
        ("follow:96:first-moves", Rule::Octile),
        ("follow:96", Rule::Octile),
    ] {
        let kind = kind(name);
        let needs = kind.needs();
        let atlas = needs
            .iter()
            .fold(caves(rule, 3), |atlas, index| build(&atlas, *index, SILENT).expect("a small map"));
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for _ in 0..rounds(12) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let start = kind.start(&atlas, any(), any());
            let whole = journey(&mut start.clone(), &atlas, &mut scratch);
            for more in [0, 1, 7, 19, 1000] {
                let mut agent = start.clone();
                let units = agent.limits().min_units + more;
                let cut = sliced(&mut agent, &atlas, &mut scratch, units);
                assert_eq!((cut.0, cut.1, &cut.2), (whole.0, whole.1, &whole.2), "{name}, {units} units");
                thought += cut.3;
            }
            let least = start.limits().min_units;
            let starved = step(&mut start.clone(), &atlas, &mut scratch, least - 1).0;
            assert_eq!(starved, Step::Starved { min_units: least }, "{name}");
        }
    }
    assert!(thought > rounds::<u64>(100), "{thought}");
}

#[test]
fn with_labels_it_never_thinks_and_never_owns_a_search() {
    let atlas = build(&halls(Rule::Octile), IndexKind::CORNER_LABELS, SILENT).expect("a small map");
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let mut scratch = Scratch::new();
    for (from, to) in states.iter().zip(states.iter().rev()).step_by(17) {
        let mut agent = atlas.agent("follow:corner-labels", *from, *to).expect("its index is there");
        let mut most = 0;
        loop {
            match step(&mut agent, &atlas, &mut scratch, u64::MAX).0 {
                Step::Move(_) => most = most.max(agent.bytes()),
                Step::Thinking => panic!("it thinks: {agent:?}"),
                _ => break,
            }
        }
        assert!(most < 4096, "{most} bytes");
    }
}

/// Saved before every step: what is restored makes the same steps, thinking or not, and is saved as the same bytes.
#[test]
fn a_plan_that_was_saved_in_its_midst_goes_on_with_the_same_steps() {
    let mut rng = Rng::new(213);
    let (mut scratch, mut midst) = (Scratch::new(), 0);
    for name in ["follow:96:dijkstra", "follow:96:astar", "follow:96:jps", "follow:96:jps-plus", "follow:96"]
    {
        let kind = kind(name);
        let bare = halls(Rule::Octile);
        let needs = kind.needs();
        let atlas =
            needs.iter().fold(bare, |atlas, index| build(&atlas, *index, SILENT).expect("a small map"));
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for _ in 0..rounds(8) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut agent = kind.start(&atlas, any(), any());
            let least = agent.limits().min_units;
            let mut last = 0;
            loop {
                let bytes = agent.to_bytes();
                let mut restored = restore(&bytes, (&atlas).into()).expect(name);
                assert_eq!(restored.to_bytes(), bytes, "{name}");
                let units = least + u64::from(rng.below(30));
                let next = step(&mut agent, &atlas, &mut scratch, units);
                assert_eq!(step(&mut restored, &atlas, &mut scratch, units), next, "{name}");
                assert_eq!(restored.to_bytes(), agent.to_bytes(), "{name}");
                // The rest of the journey too, by the one that was restored.
                match next.0 {
                    Step::Move(_) => last = 0,
                    Step::Thinking => {
                        last += 1;
                        midst += 1;
                        assert!(bytes.len() < 120, "{name}: no search is saved: {} bytes", bytes.len());
                        if last % 9 == 4 {
                            agent = restored;
                        }
                    }
                    _ => break,
                }
            }
        }
    }
    assert!(midst > rounds::<u32>(40), "{midst}");
}

/// At random times it gets another goal, or a cell is opened or closed; the indexes come back now and then.
#[test]
fn new_goals_and_edits_in_the_midst_of_planning_and_of_walking_are_planned_for() {
    let mut rng = Rng::new(214);
    let (mut scratch, mut plain) = (Scratch::new(), Scratch::new());
    let dijkstra = planner("dijkstra").expect("a name of the catalog");
    for round in 0..rounds(150) {
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let mut atlas = Atlas::new(random_map(&mut rng, 14).grid(rule).expect("a small map"));
        let names =
            ["follow", "follow:96:astar", "follow:96:dijkstra", "follow:96:jps", "follow:first-moves"];
        let kind = kind(names[rng.below(5) as usize]);
        if let Some(index) = kind.needs().first() {
            atlas = build(&atlas, *index, SILENT).expect("a small map");
        }
        let states: Vec<StateId> = atlas.space().free_states().collect();
        if kind.refusal(&atlas).is_some() || states.is_empty() {
            continue;
        }
        let mut any = || states[rng.below(states.len() as u32) as usize];
        let mut agent = kind.start(&atlas, any(), any());
        // It has begun.
        step(&mut agent, &atlas, &mut scratch, u64::MAX);
        for _ in 0..40 {
            match rng.below(3) {
                0 => agent.retarget(states[rng.below(states.len() as u32) as usize]),
                1 => {
                    let grid = atlas.space().as_grid().expect("a grid");
                    let at = Point::new(rng.below(grid.width()).into(), rng.below(grid.height()).into());
                    let edit = if grid.is_free_at(at) { Edit::close(at) } else { Edit::open(at) };
                    if grid.state_at(at) != Some(agent.state()) {
                        atlas = atlas.edited(&[edit]).expect("inside");
                    }
                }
                _ => {
                    if let Some(Ok(richer)) = kind.needs().first().map(|index| build(&atlas, *index, SILENT))
                    {
                        atlas = richer;
                    }
                }
            }
            let least = agent.limits_in((&atlas).into()).min_units;
            for _ in 0..rng.below(4) {
                let units = least + u64::from(rng.below(40));
                let (done, _) = step(&mut agent, &atlas, &mut scratch, units);
                assert!(!matches!(done, Step::Refused(_) | Step::Starved { .. }), "round {round}: {done:?}");
            }
            let query = Query::new(agent.state(), agent.goal());
            let best = dijkstra.plan(&atlas, &query, &mut plain, &mut Budget::unlimited());
            let (end, cost, ..) = sliced(&mut agent.clone(), &atlas, &mut scratch, least);
            match best.cost() {
                Some(best) => assert_eq!((end, cost), (Step::Arrived, best), "round {round}"),
                None => assert_eq!(end, Step::NoPath, "round {round}"),
            }
        }
    }
}

#[test]
fn where_its_planner_refuses_another_version_the_fastest_stands_in_and_it_says_so() {
    let bare = halls(Rule::Octile);
    let mut scratch = Scratch::new();
    for (name, index) in [
        ("follow:corner-labels", IndexKind::CORNER_LABELS),
        ("follow:96:first-moves", IndexKind::FIRST_MOVES),
        ("follow:jps-plus", IndexKind::JUMP_TABLE),
    ] {
        let atlas = build(&bare, index, SILENT).expect("a small map");
        let states: Vec<StateId> = atlas.space().free_states().collect();
        let (from, to) = (states[0], states[states.len() - 1]);
        // Where it would not begin it does not begin.
        let kind = kind(name);
        assert_eq!(kind.refusal(&bare), Some(Refusal::NoIndex(index.into())), "{name}");
        let mut early = kind.start(&bare, from, to);
        let refused = step(&mut early, &bare, &mut scratch, u64::MAX).0;
        assert_eq!(refused, Step::Refused(Refused::Unable(Refusal::NoIndex(index.into()))), "{name}");

        let mut agent = kind.start(&atlas, from, to);
        for _ in 0..5 {
            step(&mut agent, &atlas, &mut scratch, u64::MAX);
        }
        assert_eq!(agent.stand_in(), None, "{name}");
        let edited = atlas.edited(&[Edit::close(Point::new(20, 15))]).expect("inside");
        step(&mut agent, &edited, &mut scratch, u64::MAX);
        assert_eq!(agent.stand_in(), Some(edited.fastest().name), "{name}");
        let saved = restore(&agent.to_bytes(), (&edited).into()).expect("our own bytes");
        assert_eq!(saved.stand_in(), agent.stand_in(), "{name}");
        let (at, best) = (agent.state(), planner("dijkstra").expect("a name of the catalog"));
        let query = Query::new(at, to);
        let best = best.plan(&edited, &query, &mut scratch, &mut Budget::unlimited());
        let (end, cost, _) = journey(&mut agent.clone(), &edited, &mut scratch);
        assert_eq!((end, Some(cost)), (Step::Arrived, best.cost()), "{name}");
        // With its index again it plans itself, when it plans again.
        let whole = build(&edited, index, SILENT).expect("a small map");
        agent.retarget(from);
        step(&mut agent, &whole, &mut scratch, u64::MAX);
        assert_eq!(agent.stand_in(), None, "{name}");
        assert_eq!(journey(&mut agent, &whole, &mut scratch).0, Step::Arrived, "{name}");
    }
    // Links that come with an edit are refused by planners that jump.
    let states: Vec<StateId> = bare.space().free_states().collect();
    let mut agent = bare.agent("follow:jps", states[0], states[states.len() - 1]).expect("no index");
    step(&mut agent, &bare, &mut scratch, u64::MAX);
    let link =
        Edit::Link { from: bare.space().point(states[3]), to: bare.space().point(states[90]), cost: 9000 };
    let linked = bare.edited(&[link]).expect("inside");
    let end = journey(&mut agent, &linked, &mut scratch).0;
    assert_eq!((end, agent.stand_in()), (Step::Arrived, Some("astar")));
}

#[test]
fn under_an_overlay_a_planner_that_obeys_stands_in_and_the_journey_costs_least() {
    let mut rng = Rng::new(215);
    let mut scratch = Scratch::new();
    let atlas = build(&halls(Rule::Octile), IndexKind::CORNER_LABELS, SILENT).expect("a small map");
    let grid = atlas.space().as_grid().expect("a grid");
    let overlay = Arc::new(Overlay::new(grid, |_, _| 1 + rng.below(9) as u8).expect("no zeros"));
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let dijkstra = planner("dijkstra").expect("a name of the catalog");
    for (name, expected) in
        [("follow:96:corner-labels", Some("astar")), ("follow:96:astar", None), ("follow:96", None)]
    {
        for _ in 0..10 {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (from, to) = (any(), any());
            let mut agent = atlas.agent(name, from, to).expect(name);
            agent.set_overlay(Some(overlay.clone())).expect("it obeys");
            let least = agent.limits().min_units;
            // A save in the midst of planning is given the overlay again, and makes the same moves.
            let mut all = vec![from];
            for _ in 0..2 {
                if let Step::Move(to) = step(&mut agent, &atlas, &mut scratch, least).0 {
                    all.push(to);
                }
            }
            let mut restored = restore(&agent.to_bytes(), (&atlas).into()).expect(name);
            restored.set_overlay(Some(overlay.clone())).expect("it obeys");
            let trail = sliced(&mut agent, &atlas, &mut scratch, least).2;
            assert_eq!(sliced(&mut restored, &atlas, &mut scratch, least).2, trail, "{name}");
            if from == to {
                continue;
            }
            assert_eq!(agent.stand_in(), expected, "{name}");
            all.extend(trail);
            let cost = |pair: &[StateId]| atlas.space().step_cost(pair[0], pair[1], Some(&overlay));
            let walked: Option<u64> = all.windows(2).map(|pair| cost(pair).map(|cost| cost.units())).sum();
            let query = Query::new(from, to).with_overlay(&overlay);
            let best = dijkstra.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
            assert_eq!(walked, best.cost().map(|cost| cost.units()), "{name}");
        }
    }
}

/// On graphs of one-way edges planners find out what cannot be reached, and the agent never walks into a dead end.
#[test]
fn where_moves_cannot_be_undone_it_walks_only_whole_paths() {
    let mut rng = Rng::new(216);
    let mut scratch = Scratch::new();
    for _ in 0..rounds(200) {
        let nodes = 2 + rng.below(30);
        let edge = |rng: &mut Rng| Edge {
            from: StateId::new(rng.below(nodes)),
            to: StateId::new(rng.below(nodes)),
            cost: 1 + rng.below(50),
        };
        let edges: Vec<Edge> = (0..2 * nodes).map(|_| edge(&mut rng)).collect();
        let atlas = Atlas::new(Graph::from_edges(nodes, &edges, Vec::new()).expect("a sound graph"));
        let (states, distances) = truth(atlas.space());
        for name in ["follow", "follow:96:dijkstra", "follow:96:greedy"] {
            let kind = kind(name);
            let (from, to) = (rng.below(nodes) as usize, rng.below(nodes) as usize);
            let mut agent = kind.start(&atlas, states[from], states[to]);
            let least = agent.limits().min_units;
            let (end, cost, trail, _) = sliced(&mut agent, &atlas, &mut scratch, least);
            if distances[from][to].is_infinite() {
                assert_eq!((end, trail.len()), (Step::NoPath, 0), "{name}");
            } else {
                let cost = atlas.space().scale().to_f64(cost);
                assert_eq!(end, Step::Arrived, "{name}");
                assert!(!kind.is_optimal(atlas.space()) || close(cost, distances[from][to]), "{name}");
            }
        }
    }
}

/// A save is forged so that its planner has spent all that is stated: the plain one plans instead, and says so.
#[test]
fn a_planner_that_takes_more_than_is_stated_for_planning_is_given_up() {
    let atlas = halls(Rule::Octile);
    let (from, to) = (cell(&atlas, 0, 0), cell(&atlas, 39, 30));
    let (mut scratch, mut given_up) = (Scratch::new(), 0);
    let mut agent = atlas.agent("follow:96:astar", from, to).expect("no index");
    for _ in 0..4 {
        let least = agent.limits().min_units;
        assert_eq!(step(&mut agent, &atlas, &mut scratch, least).0, Step::Thinking);
    }
    let saved = agent.to_bytes();
    let expected = journey(&mut agent, &atlas, &mut scratch).1;
    let (content, most) = (content_of(&saved), 4096 + 16 * u64::from(atlas.space().states()));
    for at in 0..content.len() {
        let mut changed = content.to_vec();
        changed.splice(varint_at(content, at), varint(most));
        let Ok(mut forged) = restore(&with_content(&saved, &changed), (&atlas).into()) else { continue };
        let least = forged.limits().min_units;
        if step(&mut forged, &atlas, &mut scratch, least).0 == Step::Thinking
            && forged.stand_in() == Some("dijkstra")
        {
            given_up += 1;
            let (end, cost, trail, _) = sliced(&mut forged, &atlas, &mut scratch, least);
            assert_eq!((end, trail.last(), cost), (Step::Arrived, Some(&to), expected));
        }
    }
    assert_eq!(given_up, 1);
}

#[test]
fn thinking_is_stated_from_states_and_units() {
    let atlas = caves(Rule::Octile, 3);
    let states = u64::from(atlas.space().states());
    let at = atlas.space().free_states().next().expect("a free state");
    for (units, least) in [(96, 10), (500, 50), (5000, 500)] {
        let limits = kind(&format!("follow:{units}:astar")).start(&atlas, at, at).limits();
        let planning = 4096 + 16 * states;
        let plain = 2 + 10 * states;
        let expected = 1 + planning.div_ceil(least) + plain.div_ceil(least);
        assert_eq!(limits.max_thinking, expected, "{units}");
        assert_eq!(limits.max_units, Some(units), "{units}");
    }
    // Where a node has many successors its expansion takes as many units.
    let edges: Vec<Edge> =
        (1..3000).map(|node| Edge { from: StateId::new(0), to: StateId::new(node), cost: node }).collect();
    let star = Atlas::new(Graph::from_edges(3000, &edges, Vec::new()).expect("a sound graph"));
    let mut agent = star.agent("follow:dijkstra", StateId::new(0), StateId::new(2999)).expect("a graph");
    let limits = agent.limits();
    assert_eq!(limits.min_units, 50 + 2999 + 2998 + 1);
    assert_eq!(limits.max_units, Some(limits.min_units));
    let least = limits.min_units;
    assert_eq!(sliced(&mut agent, &star, &mut Scratch::new(), least).0, Step::Arrived);
}

#[test]
fn what_follows_the_units_is_the_planner_and_its_errors_are_the_planners() {
    for (text, piece) in [
        ("follow:nosuch", "there is no planner `nosuch`; there are dijkstra, astar"),
        ("follow:200:nosuch", "there is no planner `nosuch`"),
        ("follow:", "there is no planner ``"),
        ("follow:200:", "there is no planner ``"),
        ("follow:lrta", "there is no planner `lrta`"),
        ("follow:astar:h=fast", "`h=fast` is no value for `astar`: expected h=zero"),
        ("follow:astar:9", "`astar` takes no parameter `9`"),
        ("follow:300:weighted-astar:0.5", "`0.5` is no value for `weighted-astar`"),
        ("follow:95", "`95` is no value for `follow`: expected a number of units from 96 to 1000000"),
        ("follow:95:astar", "`95` is no value for `follow`"),
        ("follow:200:300", "`follow` takes no parameter `300`; it takes UNITS in 96..1000000, PLANNER"),
    ] {
        let message = agent(text).expect_err(text).to_string();
        assert!(message.contains(piece), "{text}: {message}");
    }
    let (bare, sight) = (drawn("...", Rule::Octile), milepost::agent::SensorRange::default());
    let sensor = milepost::agent::MapSensor::new(bare.space(), sight);
    for entry in PLANNERS {
        assert!(agent(&format!("follow:{}", entry.name)).is_ok(), "{}", entry.name);
        assert_eq!(
            kind(&format!("follow:{}", entry.name)).refusal(&sensor),
            Some(Refusal::NotBySight),
            "{}",
            entry.name
        );
    }
    assert_eq!(kind("follow").refusal(&bare), None);
    assert_eq!(kind("follow").limits(milepost::agent::SpaceLimits::PLAIN).max_units, Some(500));
    assert_eq!(kind("follow:astar:h=manhattan").needs(), []);
}

#[test]
fn a_save_that_names_another_planner_or_another_place_is_walked_within_its_limits_or_refused() {
    let atlas = with_indexes(drawn("....... .@@@@@. ......@ .@@.@.. .......", Rule::Octile));
    let (from, to) = (cell(&atlas, 0, 0), cell(&atlas, 6, 4));
    let mut scratch = Scratch::new();
    let mut agent = atlas.agent("follow:96:astar", from, to).expect("no index");
    step(&mut agent, &atlas, &mut scratch, u64::MAX);
    let saved = agent.to_bytes();
    let place = saved.windows(5).position(|bytes| bytes == b"astar").expect("the planner's text");
    for (other, is_one) in [(*b"nosuc", false), (*b"jps:b", false), (*b"astar", true)] {
        let mut bytes = saved.clone();
        bytes[place..place + 5].copy_from_slice(&other);
        let forged = with_content(&bytes, content_of(&bytes));
        assert_eq!(restore(&forged, (&atlas).into()).is_ok(), is_one);
    }
}

#[test]
fn a_hundred_agents_share_one_scratch_and_each_gets_the_path_of_its_planner() {
    let atlas = caves(Rule::Octile, 13);
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let (mut rng, mut scratch) = (Rng::new(217), Scratch::new());
    let names = ["follow:96:astar", "follow:96:jps", "follow:96:dijkstra", "follow:96:greedy"];
    let mut agents: Vec<(usize, StateId, Box<dyn Agent>)> = (0..100)
        .map(|number| {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (name, from, to) = (number % names.len(), any(), any());
            (name, from, atlas.agent(names[name], from, to).expect("no index"))
        })
        .collect();
    let mut walked = vec![Cost::ZERO; agents.len()];
    for _ in 0..800 {
        for ((_, _, agent), walked) in agents.iter_mut().zip(&mut walked) {
            let units = agent.limits().min_units;
            *walked += step(agent, &atlas, &mut scratch, units).1;
        }
    }
    for ((name, from, agent), walked) in agents.iter().zip(&walked) {
        let planner = planner(names[*name].trim_start_matches("follow:96:")).expect("a name of the catalog");
        let query = Query::new(*from, agent.goal());
        let planned = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
        let expected = planned.cost().unwrap_or(Cost::ZERO);
        assert_eq!(*walked, expected, "{}", names[*name]);
    }
}

#[test]
fn shown_a_space_of_one_state_or_of_none_it_says_what_others_say() {
    let mut scratch = Scratch::new();
    for is_free in [true, false] {
        let grid = Grid::new(1, 1, Rule::Octile, |_, _| is_free).expect("a small map");
        let atlas = Atlas::new(Space::from(grid));
        let at = cell(&atlas, 0, 0);
        let mut agent = atlas.agent("follow", at, at).expect("no index");
        let expected = if is_free { Step::Arrived } else { Step::NoPath };
        assert_eq!(step(&mut agent, &atlas, &mut scratch, u64::MAX).0, expected);
    }
}
