//! A run that is watched is the run itself: the same answer, path, moves and units; and what is told of it is true.

use milepost::agent::{Held, MapSensor, SensorRange, View};
use milepost::build::{SILENT, add_index};
use milepost::catalog::{self, AGENTS, PLANNERS, ParameterInfo, Values};
use milepost::index::IndexSpec;
use milepost::observe::{AgentRun, Event, EventKind, PlannerRun};
use milepost::plan::Refusal;
use milepost::space::RandomPairs;
use milepost::{
    Atlas, Budget, Graph, Grid, NavMesh, Outcome, Query, Rng, Rule, Scratch, Space, StateId, Step,
};
use milepost_maps::{Kind, generate, mesh};
use std::collections::{HashMap, HashSet};

/// Whether the environment asks for a quick answer: then fewer maps are looked at.
fn is_quick() -> bool {
    std::env::var_os("MILEPOST_QUICK").is_some()
}

/// Small spaces of every kind.
fn spaces(cases: u64) -> impl Iterator<Item = Space> {
    let cases = if is_quick() { cases.div_ceil(8) } else { cases };
    (0..cases).flat_map(|seed| {
        let mut rng = Rng::new(seed);
        let (width, height) = (rng.range(8..24), rng.range(8..20));
        let rule = Rule::ALL[rng.below(Rule::ALL.len() as u32) as usize];
        let rule = if seed % 2 == 0 { Rule::Octile } else { rule };
        let kind = Kind::ALL[rng.below(Kind::ALL.len() as u32) as usize];
        let tiles = generate(kind, width, height, seed).expect("a small map");
        let grid = tiles.grid(rule).expect("a small map");
        let weighted = grid.with_weights(|x, y| 1 + ((x * 7 + y * 3) % 5) as u8).expect("weights");
        let tree = Graph::quadtree(&grid).expect("a tree");
        let parts = mesh::make::mesh(&tiles, &mesh::make::Options::default()).expect("a mesh");
        let mesh = NavMesh::from_parts(parts).expect("a mesh");
        [Space::from(grid), Space::from(weighted), Space::from(tree), Space::from(mesh)]
    })
}

/// A name alone, and with each word of each parameter.
fn spellings(name: &str, parameters: &[ParameterInfo]) -> Vec<String> {
    let mut spellings = vec![name.to_owned()];
    for parameter in parameters {
        if let Values::Words(words) = parameter.values {
            let prefix = if parameter.key.is_empty() { String::new() } else { format!("{}=", parameter.key) };
            spellings.extend(words.iter().map(|word| format!("{name}:{prefix}{word}")));
        }
    }
    spellings
}

/// The atlas with these indexes, if they can be built.
fn with(atlas: &Atlas, needs: &[IndexSpec]) -> Option<Atlas> {
    needs.iter().try_fold(atlas.clone(), |atlas, index| add_index(&atlas, *index, SILENT, None).ok())
}

/// What must hold of the events of every search: what is closed was opened, and ways are as long as they are told to be.
fn check_search(events: &[Event], name: &str) {
    let mut opened: HashSet<u32> = HashSet::new();
    for event in events {
        match event.kind {
            EventKind::Open | EventKind::Better => {
                if event.kind == EventKind::Better {
                    assert!(opened.contains(&event.cell), "{name}: {event:?} was not open");
                }
                opened.insert(event.cell);
            }
            EventKind::Close => {
                assert!(opened.contains(&event.cell), "{name}: {event:?} was not opened");
                assert!(opened.contains(&event.from) || event.from == event.cell, "{name}: {event:?}");
            }
            _ => {}
        }
    }
}

#[test]
fn a_planner_that_is_watched_gives_the_same_answer_path_and_units() {
    let (mut runs, mut told) = (0, HashMap::<u32, u64>::new());
    for space in spaces(24) {
        let bare = Atlas::new(space);
        let Some(mut pairs) = RandomPairs::new(bare.space(), 3) else { continue };
        let (start, goal) = pairs.draw();
        for entry in PLANNERS {
            for text in spellings(entry.name, entry.parameters) {
                let planner = catalog::planner(&text).expect("a planner");
                let Some(atlas) = with(&bare, planner.needs()) else { continue };
                if planner.refusal(&atlas).is_some() {
                    continue;
                }
                let (mut scratch, mut budget) = (Scratch::new(), Budget::unlimited());
                let plain = planner.plan(&atlas, &Query::new(start, goal), &mut scratch, &mut budget);
                let mut run = PlannerRun::new(planner, &atlas, start, goal);
                let (mut events, mut steps) = (Vec::new(), 0_u64);
                let outcome = loop {
                    steps += 1;
                    assert!(steps <= 2 + budget.spent(), "{text} takes no end");
                    if let Some(outcome) = run.step(&atlas, &mut events) {
                        break outcome;
                    }
                };
                assert_eq!(outcome, plain, "{text}");
                assert_eq!(run.path(), scratch.path(), "{text}");
                assert_eq!(run.units(), budget.spent(), "{text}");
                check_search(&events, &text);
                check_path(&events, &atlas, &scratch, &text);
                assert!(matches!(events.last(), Some(end) if end.kind == EventKind::End), "{text}");
                events.iter().for_each(|event| *told.entry(event.kind.number()).or_default() += 1);
                runs += 1;
            }
        }
    }
    assert!(runs > 500 || is_quick(), "{runs} runs");
    for kind in [
        EventKind::Open,
        EventKind::Close,
        EventKind::Better,
        EventKind::Jump,
        EventKind::Path,
        EventKind::Hop,
    ] {
        let is_told = told.contains_key(&kind.number()) || is_quick();
        assert!(is_told, "nothing is told of {}", kind.name());
    }
}

/// The path that is told is the path, from start to goal, and its last value is its cost.
fn check_path(events: &[Event], atlas: &Atlas, scratch: &Scratch, name: &str) {
    let told: Vec<&Event> = events.iter().filter(|event| event.kind == EventKind::Path).collect();
    assert!(!told.is_empty(), "{name} tells no path");
    let mut from = told[0].cell;
    for event in &told {
        assert_eq!(event.from, from, "{name}: one state leads to the next");
        from = event.cell;
    }
    if atlas.space().as_mesh().is_none() {
        let cells: Vec<u32> = atlas.space().cells(scratch.path()).map(StateId::number).collect();
        assert_eq!(told.iter().map(|event| event.cell).collect::<Vec<_>>(), cells, "{name}");
        let (last, cost) = (f64::from(told[told.len() - 1].value), scratch.path().cost_f64());
        assert!((last - cost).abs() <= 1e-4 * cost.max(1.0), "{name}: {last} is not {cost}");
    }
}

#[test]
fn an_agent_that_is_watched_makes_the_same_moves_for_the_same_units() {
    let (mut runs, mut told) = (0, HashMap::<u32, u64>::new());
    for space in spaces(12) {
        let bare = Atlas::new(space);
        let Some(mut pairs) = RandomPairs::new(bare.space(), 5) else { continue };
        let (start, goal) = pairs.draw();
        for entry in AGENTS {
            let spellings = spellings(entry.about.name, &entry.parameters());
            for text in spellings.into_iter().chain([entry.ranked.to_owned()]) {
                let Ok(kind) = catalog::agent(&text) else { continue };
                for sight in [
                    None,
                    Some(SensorRange::Radius(1)),
                    Some(SensorRange::Radius(3)),
                    Some(SensorRange::Lines),
                ] {
                    let needs = if sight.is_none() { kind.needs() } else { Vec::new() };
                    let Some(atlas) =
                        with(&bare, &needs).or_else(|| entry.about.without_index.then(|| bare.clone()))
                    else {
                        continue;
                    };
                    let is_far = sight.is_some_and(|range| range != SensorRange::default());
                    if is_far && atlas.space().as_grid().is_none()
                        || sight.is_some() && Refusal::of_unseen(atlas.space()).is_some()
                    {
                        continue;
                    }
                    let sensor = sight.map(|range| MapSensor::new(atlas.space(), range));
                    let view = sensor.as_ref().map_or(View::Map(&atlas), |sensor| View::Sensor(sensor));
                    if kind.refusal_in(view).is_some() {
                        continue;
                    }
                    let events = check_agent(&atlas, view, (&*kind, &text, sight), (start, goal));
                    events.iter().for_each(|event| *told.entry(event.kind.number()).or_default() += 1);
                    runs += 1;
                }
            }
        }
    }
    assert!(runs > 500 || is_quick(), "{runs} runs");
    for kind in EventKind::ALL {
        let is_planners = matches!(kind, EventKind::Path | EventKind::Edit);
        assert!(
            is_quick() || is_planners || told.contains_key(&kind.number()),
            "nothing is told of {}",
            kind.name()
        );
    }
}

/// Walks the same way with and without being watched.
fn check_agent(
    atlas: &Atlas,
    view: View<'_>,
    (kind, text, sight): (&dyn catalog::AgentKind, &str, Option<SensorRange>),
    (start, goal): (StateId, StateId),
) -> Vec<Event> {
    let mut plain = kind.start_in(view, start, goal);
    let mut run = AgentRun::new(kind, atlas, sight, start, goal);
    let (mut scratch, mut all) = (Scratch::new(), Vec::new());
    let states: Vec<StateId> = atlas.space().free_states().collect();
    for number in 0_u64.. {
        assert!(number < 200_000, "{text} takes no end");
        let (mut budget, mut events, units) = (Budget::unlimited(), Vec::new(), run.units());
        let (before, expected) = (plain.state(), plain.step_in(view, &mut scratch, &mut budget));
        let step = run.step(atlas, &mut events);
        assert_eq!(step, expected, "{text}, step {number}");
        assert_eq!(run.units() - units, budget.spent(), "{text}, step {number}");
        assert_eq!(run.agent().to_bytes(), plain.to_bytes(), "{text}, step {number}");
        let moves: Vec<&Event> = events.iter().filter(|event| event.kind == EventKind::Move).collect();
        match step {
            Step::Move(next) => {
                assert_eq!((moves[0].cell, moves[0].from), (next.number(), before.number()), "{text}");
                assert!(atlas.space().step_cost(before, next, None).is_some(), "{text}: no such move");
            }
            _ => assert!(moves.is_empty(), "{text}"),
        }
        all.append(&mut events);
        if number % 64 == 0 || run.ended().is_some() {
            check_held(&run, view, &states, text);
        }
        if run.ended().is_some() {
            break;
        }
    }
    // As they are printed, some may stop.
    let may_stop = text.contains("as-printed") || text.contains("exit=first");
    assert!(may_stop || run.ended() == Some(Step::Arrived), "{text}: {:?}", run.ended());
    check_search(&all, text);
    all
}

/// What is told to have been learned and seen is what the agent holds.
fn check_held(run: &AgentRun, view: View<'_>, states: &[StateId], text: &str) {
    let mut held = HashMap::new();
    run.agent().tell_held(view, states, &mut |told| {
        if let Held::Learned { state, value } = told {
            held.insert(state, value);
        }
    });
    for state in states {
        assert_eq!(run.learned(*state), held.get(state).copied(), "{text}: what was learned of {state}");
    }
    let mut seen: Vec<(StateId, bool)> = Vec::new();
    run.agent().each_seen(view, &mut |state, is_free| seen.push((state, is_free)));
    let mut told: Vec<(StateId, bool)> = run.seen().collect();
    seen.sort_unstable();
    told.sort_unstable();
    assert_eq!(told, seen, "{text}: what was seen");
}

#[test]
fn what_is_learned_is_forgotten_in_the_picture_too_when_the_map_opens() {
    let grid = Grid::from_ascii(
        ".........
         .@@@@@@@.
         .......@.
         .@@@@@@@.
         .........",
        Rule::Octile,
    )
    .expect("a good drawing");
    let atlas = Atlas::new(grid);
    let cell = |x, y| atlas.state_at(milepost::Point::new(x, y)).expect("inside");
    let kind = catalog::agent("lrta").expect("an agent");
    let mut run = AgentRun::new(&*kind, &atlas, None, cell(6, 2), cell(8, 2));
    let mut events = Vec::new();
    for _ in 0..10 {
        run.step(&atlas, &mut events);
    }
    let states: Vec<StateId> = atlas.space().free_states().collect();
    assert!(states.iter().any(|state| run.learned(*state).is_some()), "it has learned");
    let edited = atlas.edited(&[milepost::Edit::open(milepost::Point::new(7, 2))]).expect("an edit");
    events.clear();
    run.step(&edited, &mut events);
    check_held(&run, View::Map(&edited), &states, "lrta");
    assert!(events.iter().any(|event| event.kind == EventKind::Learn && event.value == 0.0), "{events:?}");
}

#[test]
fn a_query_without_a_way_ends_with_no_path() {
    let atlas = Atlas::new(Grid::from_ascii("..@..", Rule::Octile).expect("a good drawing"));
    let cell = |x| atlas.state_at(milepost::Point::new(x, 0)).expect("inside");
    let mut run = PlannerRun::new(catalog::planner("astar").expect("a planner"), &atlas, cell(0), cell(4));
    let mut events = Vec::new();
    assert_eq!(run.step(&atlas, &mut events), Some(Outcome::Unreachable));
    assert_eq!((events[0].kind, events[0].value), (EventKind::End, -1.0));
}
