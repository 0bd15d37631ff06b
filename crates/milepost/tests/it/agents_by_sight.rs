//! One table of cases that every agent by sight runs through, against an oracle that is too simple to be wrong.

use crate::support::journeys_by_sight::{
    HiddenMap, RULES, complete_kinds, journey, kinds, random_hidden_map, step, weighted,
};
use crate::support::{close, random_map};
use milepost::Rng;
use milepost::agent::{LookCursor, MapSensor, SensorRange, SpaceLimits};
use milepost::catalog::{AnyAgentKind, restore};
use milepost::space::SpaceKind;
use milepost::{Budget, Edit, Graph, Grid, Point, Refused, Rule, Scratch, Sensor, Space, StateId, Step};
use milepost_maps::{Kind, TileMap, generate};
use std::collections::BTreeSet;

const YARD: &str =
    "............ .@@@@@@@@@.. .@......@@.. .@.@@@@....@ .@.@..@.@@.@ .@.@@@@.@@.. .@......@... ............";

fn yard(rule: Rule) -> HiddenMap {
    drawn(YARD, rule)
}

fn drawn(drawing: &str, rule: Rule) -> HiddenMap {
    let map = TileMap::from_ascii(&drawing.replace(' ', "\n")).expect("a well-drawn map");
    HiddenMap::of(map.grid(rule).expect("a small map").into())
}

fn cell(hidden_map: &HiddenMap, x: i64, y: i64) -> StateId {
    let grid = hidden_map.truth.as_grid().expect("a grid");
    grid.state_at(Point::new(x, y)).expect("inside the map")
}

#[test]
fn every_agent_by_sight_reaches_every_reachable_goal_of_random_maps_within_its_work() {
    let mut rng = Rng::new(171);
    let mut scratch = Scratch::new();
    for round in 0..150 {
        let hidden_map = random_hidden_map(&mut rng, round);
        let (states, distances) = hidden_map.distances();
        let place = |state: StateId| states.iter().position(|other| *other == state).expect("free");
        for (name, kind) in hidden_map.supported() {
            for (from, row) in states.iter().zip(&distances) {
                for (to, expected) in states.iter().zip(row) {
                    let mut agent = kind.start(&hidden_map.sensor(), *from, *to);
                    let (end, cost, _) = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX);
                    let says = || format!("{name}, round {round}: {from} to {to}");
                    // Where moves cannot be undone, an agent that does not know the map may walk into a trap.
                    let is_trapped = distances[place(agent.state())][place(*to)].is_infinite();
                    if expected.is_infinite() || !hidden_map.is_two_way() && is_trapped {
                        assert_eq!(end, Step::NoPath, "{}", says());
                        continue;
                    }
                    assert_eq!((end, agent.state()), (Step::Arrived, *to), "{}", says());
                    assert!(cost > *expected || close(cost, *expected), "{}: {cost} of {expected}", says());
                    // An agent that has arrived stays there.
                    assert_eq!(step(&mut agent, &hidden_map, &mut scratch, u64::MAX).0, Step::Arrived);
                }
            }
        }
    }
}

#[test]
fn every_agent_by_sight_of_the_catalog_works_somewhere() {
    assert_eq!(yard(Rule::OctileCutting).supported().len(), complete_kinds().len());
}

#[test]
fn what_is_blocked_or_outside_has_no_path_and_no_agent_panics() {
    for rule in RULES {
        let hidden_map = yard(rule);
        let (free, wall) = (cell(&hidden_map, 0, 0), cell(&hidden_map, 1, 1));
        let mut scratch = Scratch::new();
        for (name, kind) in kinds() {
            for nowhere in [wall, StateId::NONE, StateId::new(0), StateId::new(u32::MAX - 1)] {
                for (from, to) in [(free, nowhere), (nowhere, free), (nowhere, nowhere)] {
                    let mut agent = kind.start(&hidden_map.sensor(), from, to);
                    let (end, ..) = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX);
                    let has_stopped = name.contains("as-printed") && end == Step::Stopped;
                    assert!(end == Step::NoPath || has_stopped, "{name}: {from} to {to}: {end:?}");
                }
            }
        }
    }
}

/// Two rooms, the goal in the other one.
#[test]
fn goals_behind_walls_end_in_no_path_and_an_agent_that_is_asked_again_looks_again() {
    let hidden_map = drawn("......@... .@@...@... ..@...@... ......@... ...@..@...", Rule::Octile);
    let (from, to) = (cell(&hidden_map, 0, 0), cell(&hidden_map, 8, 2));
    let door = hidden_map.truth.as_grid().expect("a grid").edited(&[Edit::open(Point::new(6, 4))]);
    let opened = HiddenMap::of(door.expect("inside").into());
    let mut scratch = Scratch::new();
    for (name, kind) in hidden_map.supported() {
        let mut agent = kind.start(&hidden_map.sensor(), from, to);
        assert_eq!(journey(&mut agent, &hidden_map, &mut scratch, u64::MAX).0, Step::NoPath, "{name}");
        let mut asked_again = agent.clone();
        assert_eq!(journey(&mut asked_again, &hidden_map, &mut scratch, u64::MAX).0, Step::NoPath, "{name}");
        assert_eq!(journey(&mut agent, &opened, &mut scratch, u64::MAX).0, Step::Arrived, "{name}");
    }
}

#[test]
fn a_budget_below_the_stated_least_starves_an_agent_and_the_least_is_enough_to_get_on() {
    let mut scratch = Scratch::new();
    for rule in RULES {
        let hidden_map = yard(rule);
        let (from, to) = (cell(&hidden_map, 2, 2), cell(&hidden_map, 11, 7));
        for (name, kind) in hidden_map.supported() {
            let min_units = kind.limits(SpaceLimits::UNSEEN).min_units;
            let mut agent = kind.start(&hidden_map.sensor(), from, to);
            for _ in 0..100_000 {
                let units = min_units.saturating_sub(1);
                let (refused, _) = step(&mut agent, &hidden_map, &mut scratch, units);
                assert_eq!(refused, Step::Starved { min_units }, "{name}");
                if step(&mut agent, &hidden_map, &mut scratch, min_units).0 == Step::Arrived {
                    break;
                }
            }
            assert_eq!(agent.state(), to, "{name}");
        }
    }
}

#[test]
fn every_agent_by_sight_is_complete_with_any_budget_that_is_enough() {
    let mut rng = Rng::new(172);
    let mut scratch = Scratch::new();
    for round in 0..100 {
        let hidden_map = random_hidden_map(&mut rng, round);
        let (states, distances) = hidden_map.distances();
        for (name, kind) in hidden_map.supported().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || rng.below(states.len() as u32) as usize;
            let (from, to) = (any(), any());
            let mut agent = kind.start(&hidden_map.sensor(), states[from], states[to]);
            let units = agent.limits().min_units.saturating_add(any() as u64);
            let (end, ..) = journey(&mut agent, &hidden_map, &mut scratch, units);
            let at = states.iter().position(|state| *state == agent.state()).expect("free");
            let wanted = if distances[at][to].is_finite() { Step::Arrived } else { Step::NoPath };
            assert_eq!(end, wanted, "{name}, round {round}");
        }
    }
}

#[test]
fn an_agent_by_sight_that_was_saved_or_cloned_makes_the_same_moves() {
    let mut rng = Rng::new(173);
    let mut scratch = Scratch::new();
    for round in 0..60 {
        let hidden_map = random_hidden_map(&mut rng, round);
        let states: Vec<StateId> = hidden_map.truth.free_states().collect();
        for (name, kind) in hidden_map.supported().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut agent = kind.start(&hidden_map.sensor(), any(), any());
            let (end, _, trail) = journey(&mut agent.clone(), &hidden_map, &mut Scratch::new(), u64::MAX);
            for left in (0..=trail.len()).rev() {
                let bytes = agent.to_bytes();
                let mut restored = restore(&bytes, (&hidden_map.sensor()).into()).expect(name);
                assert_eq!(restored.to_bytes(), bytes, "{name}");
                assert_eq!((restored.state(), restored.limits()), (agent.state(), agent.limits()), "{name}");
                // All the way from some places, one step from the others.
                if left % 7 == 0 {
                    let later = journey(&mut restored, &hidden_map, &mut scratch, u64::MAX);
                    assert_eq!((later.0, &later.2[..]), (end, &trail[trail.len() - left..]), "{name}");
                    restored = restore(&bytes, (&hidden_map.sensor()).into()).expect(name);
                }
                loop {
                    let next = step(&mut agent, &hidden_map, &mut scratch, u64::MAX);
                    assert_eq!(step(&mut restored, &hidden_map, &mut scratch, u64::MAX), next, "{name}");
                    if next.0 != Step::Thinking {
                        break;
                    }
                    restored =
                        restore(&agent.to_bytes(), (&hidden_map.sensor()).into()).expect("our own bytes");
                }
                agent = restored;
            }
        }
    }
}

#[test]
fn two_maps_that_differ_only_where_no_agent_looked_get_the_same_moves() {
    let mut rng = Rng::new(175);
    let mut scratch = Scratch::new();
    for round in 0..120 {
        let map = random_map(&mut rng, 12);
        let plain = map.grid(RULES[round % RULES.len()]).expect("a small map");
        let has_weights = round % 3 == 2;
        let map = if has_weights { weighted(&plain, &mut rng) } else { plain };
        let states: Vec<StateId> = map.free_states().collect();
        for (name, kind) in kinds().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (from, to) = (any(), any());
            // The least weight is known: it must be the same.
            let lightest = Edit::Weight { at: map.point(from), weight: 2 };
            let grid = if has_weights { map.edited(&[lightest]).expect("inside") } else { map.clone() };
            let hidden_map = HiddenMap::of(grid.clone().into());
            if kind.refusal(&hidden_map.sensor()).is_some() {
                assert!(has_weights, "{name}");
                continue;
            }
            let walk = |hidden_map: &HiddenMap, scratch: &mut Scratch| {
                let mut agent = kind.start(&hidden_map.sensor(), from, to);
                journey(&mut agent, hidden_map, scratch, u64::MAX)
            };
            let first = walk(&hidden_map, &mut scratch);
            let mut seen = BTreeSet::new();
            for at in first.2.iter().chain([&from]) {
                MapSensor::new(&hidden_map.truth, SensorRange::default()).look(
                    *at,
                    &mut LookCursor::default(),
                    &mut |sighting| seen.insert(sighting.state) | true,
                );
            }
            let mut weights = Rng::new(round as u64);
            let unseen: Vec<Edit> = grid
                .all_cells()
                .filter(|cell| !seen.contains(cell) && rng.chance(1, 2))
                .map(|cell| match grid.is_free(cell) {
                    true if has_weights && weights.chance(1, 2) => {
                        Edit::Weight { at: grid.point(cell), weight: 2 + weights.below(100) as u8 }
                    }
                    true => Edit::close(grid.point(cell)),
                    false => Edit::open(grid.point(cell)),
                })
                .collect();
            let other = HiddenMap::of(grid.edited(&unseen).expect("inside").into());
            let ((end, cost, trail), (other_end, other_cost, other_trail)) =
                (first, walk(&other, &mut scratch));
            assert_eq!((end, trail), (other_end, other_trail), "{name}, round {round}: {from} to {to}");
            // Heavier ground may have another scale.
            assert!(close(cost, other_cost), "{name}, round {round}: {cost} {other_cost}");
        }
    }
}

/// A swamp that a detour is cheaper than: an agent that sees it goes round, one that learns comes to know it.
#[test]
fn agents_by_sight_obey_weights_that_they_see() {
    let map = drawn(".......... .......... .......... .......... ..........", Rule::Octile);
    let grid = map.truth.as_grid().expect("a grid");
    let swamp = |x: u32, y: u32| if (3..7).contains(&x) && y < 4 { 9 } else { 1 };
    let hidden_map = HiddenMap::of(grid.with_weights(swamp).expect("no zeros").into());
    let (from, to) = (cell(&hidden_map, 0, 1), cell(&hidden_map, 9, 1));
    let mut scratch = Scratch::new();
    let mut names = BTreeSet::new();
    for (name, kind) in hidden_map.supported() {
        names.insert(name.split(':').next().unwrap_or(name));
        let mut agent = kind.start(&hidden_map.sensor(), from, to);
        let (end, cost, trail) = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX);
        assert_eq!(end, Step::Arrived, "{name}");
        let steps = trail.iter().scan(from, |before, to| {
            let step = hidden_map.truth.step_cost(*before, *to, None);
            *before = *to;
            step.map(|cost| hidden_map.truth.scale().to_f64(cost))
        });
        assert!(close(steps.sum(), cost), "{name}");
        // All of it is seen at once: then the way round is the best one.
        if name == "replan" {
            let all = hidden_map.seen(SensorRange::Radius(1000));
            let mut agent = kind.start(&all.sensor(), from, to);
            let (_, cost, _) = journey(&mut agent, &all, &mut scratch, u64::MAX);
            let best = hidden_map.distances();
            let place = |state: StateId| best.0.iter().position(|other| *other == state).expect("free");
            assert!(close(cost, best.1[place(from)][place(to)]), "{cost}");
        }
    }
    let expected = ["da-rtaa", "frit-bfs", "lrta", "lrta-k", "lss-lrta", "replan", "rtaa"];
    assert_eq!(names.into_iter().collect::<Vec<_>>(), expected);
}

/// A weight that falls is something that opened: what was learned is forgotten.
#[test]
fn agents_by_sight_get_on_while_weights_rise_and_fall() {
    let (mut rng, mut scratch) = (Rng::new(181), Scratch::new());
    for round in 0..60 {
        let plain = random_map(&mut rng, 7).grid(RULES[round % RULES.len()]).expect("a small map");
        let mut hidden_map = HiddenMap::of(weighted(&plain, &mut rng).into());
        let (states, distances) = hidden_map.distances();
        for (name, kind) in hidden_map.supported().into_iter().filter(|_| !states.is_empty()) {
            let (from, to) =
                (rng.below(states.len() as u32) as usize, rng.below(states.len() as u32) as usize);
            let mut agent = kind.start(&hidden_map.sensor(), states[from], states[to]);
            for _ in 0..8 {
                step(&mut agent, &hidden_map, &mut scratch, u64::MAX);
                let grid = hidden_map.truth.as_grid().expect("a grid");
                let at = random_point(&mut rng, grid);
                let edit = Edit::Weight { at, weight: 1 + rng.below(9) as u8 };
                hidden_map = HiddenMap::of(grid.edited(&[edit]).expect("inside").into());
            }
            // Without any weights, or with another least one, it is the same map, seen anew.
            let (end, ..) = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX);
            let wanted = if distances[from][to].is_finite() { Step::Arrived } else { Step::NoPath };
            assert_eq!(end, wanted, "{name}, round {round}");
        }
    }
}

#[test]
fn every_agent_by_sight_gets_on_while_doors_open_and_close_and_arrives_when_they_hold_still() {
    let mut rng = Rng::new(176);
    let mut scratch = Scratch::new();
    for round in 0..150 {
        let map = random_map(&mut rng, 8);
        let grid = map.grid(RULES[round % RULES.len()]).expect("a small map");
        let states: Vec<StateId> = grid.free_states().collect();
        let still = HiddenMap::of(grid.clone().into());
        for (name, kind) in still.supported().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (from, to) = (any(), any());
            let mut agent = kind.start(&still.sensor(), from, to);
            let mut hidden_map = still.clone();
            for _ in 0..rng.below(30) {
                let now = hidden_map.truth.as_grid().expect("a grid");
                let at = random_point(&mut rng, now);
                let edit = if now.is_free_at(at) { Edit::close(at) } else { Edit::open(at) };
                // No door closes on the agent.
                if now.state_at(at) != Some(agent.state()) {
                    hidden_map = HiddenMap::of(now.edited(&[edit]).expect("inside").into());
                }
                step(&mut agent, &hidden_map, &mut scratch, u64::MAX);
            }
            let (states, distances) = hidden_map.distances();
            let place = |state: StateId| states.iter().position(|other| *other == state);
            let expected = match (place(agent.state()), place(to)) {
                (Some(at), Some(to)) => distances[at][to],
                _ => f64::INFINITY,
            };
            let mut end = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX).0;
            if end == Step::NoPath {
                // It may have believed in doors that were open again: asked once more, it looks again.
                end = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX).0;
            }
            let wanted = if expected.is_finite() { Step::Arrived } else { Step::NoPath };
            assert_eq!(end, wanted, "{name}, round {round}: {from} to {to}");
        }
    }
}

fn random_point(rng: &mut Rng, grid: &Grid) -> Point {
    Point::new(rng.below(grid.width()).into(), rng.below(grid.height()).into())
}

#[test]
fn no_agent_panics_when_a_wall_appears_where_it_stands() {
    let hidden_map = drawn("... ... ...", Rule::OctileCutting);
    let (from, to) = (cell(&hidden_map, 0, 1), cell(&hidden_map, 2, 1));
    let grid = hidden_map.truth.as_grid().expect("a grid");
    let buried = HiddenMap::of(grid.edited(&[Edit::close(Point::new(0, 1))]).expect("inside").into());
    let mut scratch = Scratch::new();
    for (name, kind) in hidden_map.supported() {
        let mut agent = kind.start(&hidden_map.sensor(), from, to);
        assert_eq!(step(&mut agent, &buried, &mut scratch, u64::MAX).0, Step::NoPath, "{name}");
        assert_eq!(journey(&mut agent, &hidden_map, &mut scratch, u64::MAX).0, Step::Arrived, "{name}");
    }
}

#[test]
fn a_new_goal_is_taken_between_two_moves() {
    let mut rng = Rng::new(177);
    let mut scratch = Scratch::new();
    for round in 0..100 {
        let hidden_map = random_hidden_map(&mut rng, round);
        let (states, distances) = hidden_map.distances();
        for (name, kind) in hidden_map.supported().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || rng.below(states.len() as u32) as usize;
            let mut agent = kind.start(&hidden_map.sensor(), states[any()], states[any()]);
            for _ in 0..4 {
                for _ in 0..any() % 6 {
                    step(&mut agent, &hidden_map, &mut scratch, u64::MAX);
                }
                let goal = any();
                agent.retarget(states[goal]);
                assert_eq!(agent.goal(), states[goal]);
                let mut later = agent.clone();
                let (end, ..) = journey(&mut later, &hidden_map, &mut scratch, u64::MAX);
                let at = states.iter().position(|state| *state == later.state()).expect("a free state");
                let wanted = if distances[at][goal].is_finite() { Step::Arrived } else { Step::NoPath };
                assert_eq!(end, wanted, "{name}, round {round}");
            }
        }
    }
}

/// The goal lies behind the bottom of a bag, in which all learn.
#[test]
fn learning_agents_by_sight_keep_what_they_learned_about_each_goal() {
    let hidden_map = drawn("......... .@@@@@@.. ......@.. ......@.. .@@@@@@.. .........", Rule::Octile);
    let (from, to) = (cell(&hidden_map, 2, 2), cell(&hidden_map, 8, 2));
    let mut scratch = Scratch::new();
    let learners = ["lrta", "lrta-k", "lss-lrta", "rtaa", "da-rtaa"];
    let learns = |name: &str| learners.contains(&name.split(':').next().unwrap_or_default());
    // Moves there, back, and there again.
    let mut moves = [0; 3];
    for (name, kind) in hidden_map.supported().into_iter().filter(|(name, _)| learns(name)) {
        let mut agent = kind.start(&hidden_map.sensor(), from, to);
        for (goal, moves) in [to, from, to].into_iter().zip(&mut moves) {
            let remembered = agent.remembered();
            agent.retarget(goal);
            assert_eq!(agent.remembered(), remembered, "{name} forgets");
            let (end, _, trail) = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX);
            assert_eq!(end, Step::Arrived, "{name}");
            *moves += trail.len();
        }
    }
    assert!(moves[2] > 0 && moves[2] < moves[0], "{moves:?}");
}

#[test]
fn another_map_or_rule_is_refused_and_nothing_has_changed() {
    let hidden_map = yard(Rule::Octile);
    let graph = Graph::from_edges(3, &[], Vec::new()).expect("a small graph");
    let others = [yard(Rule::Octile14), drawn("....", Rule::Octile), HiddenMap::of(Space::from(graph))];
    let mut scratch = Scratch::new();
    for (name, kind) in hidden_map.supported() {
        let mut agent = kind.start(&hidden_map.sensor(), cell(&hidden_map, 2, 2), cell(&hidden_map, 11, 7));
        for _ in 0..10_000 {
            let saved = agent.to_bytes();
            for other in &others {
                let refused = agent.step(&other.sensor(), &mut scratch, &mut Budget::unlimited());
                assert_eq!(refused, Step::Refused(Refused::OtherMap), "{name}");
                assert_eq!(agent.to_bytes(), saved, "{name}");
            }
            if step(&mut agent, &hidden_map, &mut scratch, u64::MAX).0 == Step::Arrived {
                break;
            }
        }
        assert_eq!(agent.state(), agent.goal(), "{name}");
    }
}

#[test]
fn rules_and_spaces_that_an_agent_does_not_know_are_refused() {
    let mut scratch = Scratch::new();
    let graph = Graph::from_edges(3, &[], Vec::new()).expect("a small graph");
    for hidden_map in [HiddenMap::of(Space::from(graph))] {
        let sensor = hidden_map.sensor();
        let free = hidden_map.truth.free_states().next().expect("a free state");
        for (name, kind) in kinds() {
            if let Some(refusal) = kind.refusal(&sensor) {
                let mut agent = kind.start(&sensor, free, free);
                let refused = agent.step(&sensor, &mut scratch, &mut Budget::unlimited());
                assert_eq!(refused, Step::Refused(Refused::Unable(refusal)), "{name}");
            }
        }
    }
}

#[test]
fn the_work_of_a_step_does_not_grow_with_the_map() {
    let mut scratch = Scratch::new();
    for side in [32, 100, 320, 1000] {
        for rule in RULES {
            let map = generate(Kind::Caves, side, side, 3).expect("a size that fits");
            let hidden_map = HiddenMap::of(map.grid(rule).expect("a map").into());
            let states: Vec<StateId> = hidden_map.truth.free_states().collect();
            for (name, kind) in hidden_map.supported() {
                if kind.limits(SpaceLimits::UNSEEN).max_units.is_none() {
                    continue;
                }
                let (from, to) = (states[states.len() / 4], states[states.len() - 1]);
                let mut agent = kind.start(&hidden_map.sensor(), from, to);
                assert_eq!(
                    agent.limits(),
                    kind.limits(SpaceLimits::UNSEEN),
                    "{name}: what is stated knows no map"
                );
                // Each step is held to what is stated.
                for _ in 0..1500 {
                    step(&mut agent, &hidden_map, &mut scratch, u64::MAX);
                }
            }
        }
    }
}

#[test]
fn memory_follows_what_was_seen_and_not_the_size_of_the_map() {
    let mut scratch = Scratch::new();
    let bytes = [100, 400, 1600].map(|side| {
        // A wall across the way, far from all borders but two.
        let grid = Grid::new(side, side, Rule::OctileCutting, |x, y| x != 40 || !(20..50).contains(&y));
        let hidden_map = HiddenMap::of(grid.expect("a map").into());
        let (from, to) = (cell(&hidden_map, 30, 35), cell(&hidden_map, 50, 35));
        let of_agent = |(name, kind): (&'static str, AnyAgentKind)| {
            let mut agent = kind.start(&hidden_map.sensor(), from, to);
            assert_eq!(journey(&mut agent, &hidden_map, &mut scratch, u64::MAX).0, Step::Arrived, "{name}");
            (name, agent.bytes())
        };
        // With the fewest in-tree steps an open plain is searched to its end.
        let usual = hidden_map.supported().into_iter().filter(|(name, _)| !name.contains(':'));
        usual.map(of_agent).collect::<Vec<_>>()
    });
    for ((small, large), (name, largest)) in bytes[0].iter().zip(&bytes[1]).zip(&bytes[2]) {
        // Larger numbers take a few nodes more.
        assert!(*largest < large.1 + 8_000, "{name}: {} {} {largest}", small.1, large.1);
    }
}
