//! One table of cases that every scout runs through, against an oracle that is too simple to be wrong.

use crate::support::errands::{Country, RULES, complete_scouts, errand, random_country, scouts, step};
use crate::support::{close, random_map};
use milepost::Rng;
use milepost::agent::{MapSensor, SensorRange, SpaceLimits};
use milepost::catalog::{AnyAgentKind, restore};
use milepost::space::SpaceKind;
use milepost::{
    Agent, Budget, Edit, Graph, Grid, Point, Refused, Rule, Scratch, Sensor, Space, StateId, Step,
};
use milepost_maps::{Kind, TileMap, generate};
use std::collections::BTreeSet;

const YARD: &str =
    "............ .@@@@@@@@@.. .@......@@.. .@.@@@@....@ .@.@..@.@@.@ .@.@@@@.@@.. .@......@... ............";

fn yard(rule: Rule) -> Country {
    drawn(YARD, rule)
}

fn drawn(drawing: &str, rule: Rule) -> Country {
    let map = TileMap::from_ascii(&drawing.replace(' ', "\n")).expect("a well-drawn map");
    Country::of(map.grid(rule).expect("a small map").into())
}

fn cell(country: &Country, x: i64, y: i64) -> StateId {
    let grid = country.truth.as_grid().expect("a grid");
    grid.state_at(Point::new(x, y)).expect("inside the map")
}

#[test]
fn every_scout_reaches_every_reachable_goal_of_random_countries_within_its_work() {
    let mut rng = Rng::new(171);
    let mut scratch = Scratch::new();
    for round in 0..150 {
        let country = random_country(&mut rng, round);
        let (states, distances) = country.distances();
        let place = |state: StateId| states.iter().position(|other| *other == state).expect("free");
        for (name, kind) in country.willing() {
            for (from, row) in states.iter().zip(&distances) {
                for (to, expected) in states.iter().zip(row) {
                    let mut scout = kind.start(&country.eyes(), *from, *to);
                    let (end, cost, _) = errand(&mut scout, &country, &mut scratch, u64::MAX);
                    let says = || format!("{name}, round {round}: {from} to {to}");
                    // Where moves cannot be undone, somebody who does not know the map may walk into a trap.
                    let is_trapped = distances[place(scout.state())][place(*to)].is_infinite();
                    if expected.is_infinite() || !country.is_two_way() && is_trapped {
                        assert_eq!(end, Step::NoPath, "{}", says());
                        continue;
                    }
                    assert_eq!((end, scout.state()), (Step::Arrived, *to), "{}", says());
                    assert!(cost > *expected || close(cost, *expected), "{}: {cost} of {expected}", says());
                    // Whoever has arrived stays there.
                    assert_eq!(step(&mut scout, &country, &mut scratch, u64::MAX).0, Step::Arrived);
                }
            }
        }
    }
}

#[test]
fn every_scout_of_the_catalog_works_somewhere() {
    assert_eq!(yard(Rule::OctileCutting).willing().len(), complete_scouts().len());
}

#[test]
fn what_is_blocked_or_outside_has_no_path_and_no_scout_panics() {
    for rule in RULES {
        let country = yard(rule);
        let (free, wall) = (cell(&country, 0, 0), cell(&country, 1, 1));
        let mut scratch = Scratch::new();
        for (name, kind) in scouts() {
            for nowhere in [wall, StateId::NONE, StateId::new(0), StateId::new(u32::MAX - 1)] {
                for (from, to) in [(free, nowhere), (nowhere, free), (nowhere, nowhere)] {
                    let mut scout = kind.start(&country.eyes(), from, to);
                    let (end, ..) = errand(&mut scout, &country, &mut scratch, u64::MAX);
                    let has_stopped = name.contains("as-printed") && end == Step::Stopped;
                    assert!(end == Step::NoPath || has_stopped, "{name}: {from} to {to}: {end:?}");
                }
            }
        }
    }
}

/// Two rooms, the goal in the other one.
#[test]
fn goals_behind_walls_end_in_no_path_and_a_scout_that_is_asked_again_looks_again() {
    let country = drawn("......@... .@@...@... ..@...@... ......@... ...@..@...", Rule::Octile);
    let (from, to) = (cell(&country, 0, 0), cell(&country, 8, 2));
    let door = country.truth.as_grid().expect("a grid").edited(&[Edit::open(Point::new(6, 4))]);
    let opened = Country::of(door.expect("inside").into());
    let mut scratch = Scratch::new();
    for (name, kind) in country.willing() {
        let mut scout = kind.start(&country.eyes(), from, to);
        assert_eq!(errand(&mut scout, &country, &mut scratch, u64::MAX).0, Step::NoPath, "{name}");
        let mut asked_again = scout.clone();
        assert_eq!(errand(&mut asked_again, &country, &mut scratch, u64::MAX).0, Step::NoPath, "{name}");
        assert_eq!(errand(&mut scout, &opened, &mut scratch, u64::MAX).0, Step::Arrived, "{name}");
    }
}

#[test]
fn a_budget_below_the_stated_least_is_refused_and_the_least_is_enough_to_get_on() {
    let mut scratch = Scratch::new();
    for rule in RULES {
        let country = yard(rule);
        let (from, to) = (cell(&country, 2, 2), cell(&country, 11, 7));
        for (name, kind) in country.willing() {
            let min_units = kind.limits(SpaceLimits::UNSEEN).min_units;
            let mut scout = kind.start(&country.eyes(), from, to);
            for _ in 0..100_000 {
                let units = min_units.saturating_sub(1);
                let (refused, _) = step(&mut scout, &country, &mut scratch, units);
                assert_eq!(refused, Step::Refused(Refused::TooFewUnits { min_units }), "{name}");
                if step(&mut scout, &country, &mut scratch, min_units).0 == Step::Arrived {
                    break;
                }
            }
            assert_eq!(scout.state(), to, "{name}");
        }
    }
}

#[test]
fn every_scout_is_complete_with_any_budget_that_is_enough() {
    let mut rng = Rng::new(172);
    let mut scratch = Scratch::new();
    for round in 0..100 {
        let country = random_country(&mut rng, round);
        let (states, distances) = country.distances();
        for (name, kind) in country.willing().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || rng.below(states.len() as u32) as usize;
            let (from, to) = (any(), any());
            let mut scout = kind.start(&country.eyes(), states[from], states[to]);
            let units = scout.limits().min_units.saturating_add(any() as u64);
            let (end, ..) = errand(&mut scout, &country, &mut scratch, units);
            let at = states.iter().position(|state| *state == scout.state()).expect("free");
            let wanted = if distances[at][to].is_finite() { Step::Arrived } else { Step::NoPath };
            assert_eq!(end, wanted, "{name}, round {round}");
        }
    }
}

#[test]
fn a_scout_that_was_saved_or_cloned_makes_the_same_moves_as_one_that_was_not() {
    let mut rng = Rng::new(173);
    let mut scratch = Scratch::new();
    for round in 0..60 {
        let country = random_country(&mut rng, round);
        let states: Vec<StateId> = country.truth.free_states().collect();
        for (name, kind) in country.willing().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut scout = kind.start(&country.eyes(), any(), any());
            let (end, _, trail) = errand(&mut scout.clone(), &country, &mut Scratch::new(), u64::MAX);
            for left in (0..=trail.len()).rev() {
                let bytes = scout.to_bytes();
                let mut restored = restore(&bytes, (&country.eyes()).into()).expect(name);
                assert_eq!(restored.to_bytes(), bytes, "{name}");
                assert_eq!((restored.state(), restored.limits()), (scout.state(), scout.limits()), "{name}");
                // All the way from some places, one step from the others.
                if left % 7 == 0 {
                    let later = errand(&mut restored, &country, &mut scratch, u64::MAX);
                    assert_eq!((later.0, &later.2[..]), (end, &trail[trail.len() - left..]), "{name}");
                    restored = restore(&bytes, (&country.eyes()).into()).expect(name);
                }
                loop {
                    let next = step(&mut scout, &country, &mut scratch, u64::MAX);
                    assert_eq!(step(&mut restored, &country, &mut scratch, u64::MAX), next, "{name}");
                    if next.0 != Step::Thinking {
                        break;
                    }
                    restored = restore(&scout.to_bytes(), (&country.eyes()).into()).expect("our own bytes");
                }
                scout = restored;
            }
        }
    }
}

#[test]
fn saved_scouts_that_were_changed_or_cut_are_errors_and_restore_to_nothing_that_panics() {
    use xxhash_rust::xxh3::xxh3_64;
    let country = yard(Rule::Octile);
    let mut rng = Rng::new(174);
    let mut scratch = Scratch::new();
    for (name, kind) in scouts() {
        let mut scout = kind.start(&country.eyes(), cell(&country, 2, 2), cell(&country, 11, 7));
        for steps in [3, 7] {
            for _ in 0..steps {
                step(&mut scout, &country, &mut scratch, u64::MAX);
            }
            let bytes = scout.to_bytes();
            for at in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed[at] ^= 1 + rng.below(255) as u8;
                assert!(restore(&changed, (&country.eyes()).into()).is_err(), "{name}: byte {at}");
                assert!(restore(&bytes[..at], (&country.eyes()).into()).is_err(), "{name}: cut at {at}");
                // Somebody puts the checksum right.
                let content = &changed[..bytes.len() - 8];
                let checksum = xxh3_64(content).to_le_bytes();
                if let Ok(mut restored) = restore(&[content, &checksum].concat(), (&country.eyes()).into()) {
                    errand_to_any_end(&mut restored, &country, &mut scratch);
                }
            }
        }
    }
}

/// An errand whose moves may begin anywhere: it ends, and nobody panics.
fn errand_to_any_end(scout: &mut Box<dyn Agent>, country: &Country, scratch: &mut Scratch) {
    let mut budget = Budget::unlimited();
    for _ in 0..200_000 {
        match scout.step(&country.eyes(), scratch, &mut budget) {
            Step::Move(_) | Step::Thinking => {}
            _ => return,
        }
    }
    panic!("{}: an endless errand", scout.name());
}

#[test]
fn two_maps_that_differ_only_where_nobody_looked_get_the_same_moves() {
    let mut rng = Rng::new(175);
    let mut scratch = Scratch::new();
    for round in 0..120 {
        let map = random_map(&mut rng, 12);
        let grid = map.grid(RULES[round % 3]).expect("a small map");
        let country = Country::of(grid.clone().into());
        let states: Vec<StateId> = grid.free_states().collect();
        for (name, kind) in scouts().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (from, to) = (any(), any());
            let walk = |country: &Country, scratch: &mut Scratch| {
                let mut scout = kind.start(&country.eyes(), from, to);
                errand(&mut scout, country, scratch, u64::MAX)
            };
            let first = walk(&country, &mut scratch);
            let mut seen = BTreeSet::new();
            for at in first.2.iter().chain([&from]) {
                MapSensor::new(&country.truth, SensorRange::default())
                    .look(*at, &mut |state, _| seen.insert(state) | true);
            }
            let unseen: Vec<Edit> = grid
                .all_cells()
                .filter(|cell| !seen.contains(cell) && rng.chance(1, 2))
                .map(|cell| match grid.is_free(cell) {
                    true => Edit::close(grid.point(cell)),
                    false => Edit::open(grid.point(cell)),
                })
                .collect();
            let other = Country::of(grid.edited(&unseen).expect("inside").into());
            assert_eq!(walk(&other, &mut scratch), first, "{name}, round {round}: {from} to {to}");
        }
    }
}

#[test]
fn every_scout_gets_on_while_doors_open_and_close_and_arrives_when_they_hold_still() {
    let mut rng = Rng::new(176);
    let mut scratch = Scratch::new();
    for round in 0..150 {
        let map = random_map(&mut rng, 8);
        let grid = map.grid(RULES[round % 3]).expect("a small map");
        let states: Vec<StateId> = grid.free_states().collect();
        let still = Country::of(grid.clone().into());
        for (name, kind) in still.willing().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (from, to) = (any(), any());
            let mut scout = kind.start(&still.eyes(), from, to);
            let mut country = still.clone();
            for _ in 0..rng.below(30) {
                let now = country.truth.as_grid().expect("a grid");
                let at = random_point(&mut rng, now);
                let edit = if now.is_free_at(at) { Edit::close(at) } else { Edit::open(at) };
                // Nobody closes a door on somebody.
                if now.state_at(at) != Some(scout.state()) {
                    country = Country::of(now.edited(&[edit]).expect("inside").into());
                }
                step(&mut scout, &country, &mut scratch, u64::MAX);
            }
            let (states, distances) = country.distances();
            let place = |state: StateId| states.iter().position(|other| *other == state);
            let expected = match (place(scout.state()), place(to)) {
                (Some(at), Some(to)) => distances[at][to],
                _ => f64::INFINITY,
            };
            let mut end = errand(&mut scout, &country, &mut scratch, u64::MAX).0;
            if end == Step::NoPath {
                // It may have believed in doors that were open again: asked once more, it looks again.
                end = errand(&mut scout, &country, &mut scratch, u64::MAX).0;
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
fn nobody_panics_when_a_wall_appears_where_he_stands() {
    let country = drawn("... ... ...", Rule::OctileCutting);
    let (from, to) = (cell(&country, 0, 1), cell(&country, 2, 1));
    let grid = country.truth.as_grid().expect("a grid");
    let buried = Country::of(grid.edited(&[Edit::close(Point::new(0, 1))]).expect("inside").into());
    let mut scratch = Scratch::new();
    for (name, kind) in country.willing() {
        let mut scout = kind.start(&country.eyes(), from, to);
        assert_eq!(step(&mut scout, &buried, &mut scratch, u64::MAX).0, Step::NoPath, "{name}");
        assert_eq!(errand(&mut scout, &country, &mut scratch, u64::MAX).0, Step::Arrived, "{name}");
    }
}

#[test]
fn a_new_goal_is_taken_between_two_moves() {
    let mut rng = Rng::new(177);
    let mut scratch = Scratch::new();
    for round in 0..100 {
        let country = random_country(&mut rng, round);
        let (states, distances) = country.distances();
        for (name, kind) in country.willing().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || rng.below(states.len() as u32) as usize;
            let mut scout = kind.start(&country.eyes(), states[any()], states[any()]);
            for _ in 0..4 {
                for _ in 0..any() % 6 {
                    step(&mut scout, &country, &mut scratch, u64::MAX);
                }
                let goal = any();
                scout.retarget(states[goal]);
                assert_eq!(scout.goal(), states[goal]);
                let mut later = scout.clone();
                let (end, ..) = errand(&mut later, &country, &mut scratch, u64::MAX);
                let at = states.iter().position(|state| *state == later.state()).expect("a free state");
                let wanted = if distances[at][goal].is_finite() { Step::Arrived } else { Step::NoPath };
                assert_eq!(end, wanted, "{name}, round {round}");
            }
        }
    }
}

/// The goal lies behind the bottom of a bag, in which all learn.
#[test]
fn learning_scouts_keep_what_they_learned_about_each_goal() {
    let country = drawn("......... .@@@@@@.. ......@.. ......@.. .@@@@@@.. .........", Rule::Octile);
    let (from, to) = (cell(&country, 2, 2), cell(&country, 8, 2));
    let mut scratch = Scratch::new();
    let learners = ["lrta", "lrta-k", "lss-lrta", "rtaa", "da-rtaa"];
    let learns = |name: &str| learners.contains(&name.split(':').next().unwrap_or_default());
    // Moves there, back, and there again.
    let mut moves = [0; 3];
    for (name, kind) in country.willing().into_iter().filter(|(name, _)| learns(name)) {
        let mut scout = kind.start(&country.eyes(), from, to);
        for (goal, moves) in [to, from, to].into_iter().zip(&mut moves) {
            let remembered = scout.remembered();
            scout.retarget(goal);
            assert_eq!(scout.remembered(), remembered, "{name} forgets");
            let (end, _, trail) = errand(&mut scout, &country, &mut scratch, u64::MAX);
            assert_eq!(end, Step::Arrived, "{name}");
            *moves += trail.len();
        }
    }
    assert!(moves[2] > 0 && moves[2] < moves[0], "{moves:?}");
}

#[test]
fn another_map_or_rule_is_refused_and_nothing_has_changed() {
    let country = yard(Rule::Octile);
    let graph = Graph::from_edges(3, &[], Vec::new()).expect("a small graph");
    let others = [yard(Rule::Octile14), drawn("....", Rule::Octile), Country::of(Space::from(graph))];
    let mut scratch = Scratch::new();
    for (name, kind) in country.willing() {
        let mut scout = kind.start(&country.eyes(), cell(&country, 2, 2), cell(&country, 11, 7));
        for _ in 0..10_000 {
            let saved = scout.to_bytes();
            for other in &others {
                let refused = scout.step(&other.eyes(), &mut scratch, &mut Budget::unlimited());
                assert_eq!(refused, Step::Refused(Refused::OtherMap), "{name}");
                assert_eq!(scout.to_bytes(), saved, "{name}");
            }
            if step(&mut scout, &country, &mut scratch, u64::MAX).0 == Step::Arrived {
                break;
            }
        }
        assert_eq!(scout.state(), scout.goal(), "{name}");
    }
}

#[test]
fn rules_and_spaces_that_a_scout_does_not_know_are_refused() {
    let mut scratch = Scratch::new();
    let graph = Graph::from_edges(3, &[], Vec::new()).expect("a small graph");
    for country in [yard(Rule::Four), yard(Rule::Hex), Country::of(Space::from(graph))] {
        let eyes = country.eyes();
        let free = country.truth.free_states().next().expect("a free state");
        for (name, kind) in scouts() {
            if let Some(refusal) = kind.refusal(&eyes) {
                let mut scout = kind.start(&eyes, free, free);
                let refused = scout.step(&eyes, &mut scratch, &mut Budget::unlimited());
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
            let country = Country::of(map.grid(rule).expect("a map").into());
            let states: Vec<StateId> = country.truth.free_states().collect();
            for (name, kind) in country.willing() {
                if kind.limits(SpaceLimits::UNSEEN).max_units == u64::MAX {
                    continue;
                }
                let (from, to) = (states[states.len() / 4], states[states.len() - 1]);
                let mut scout = kind.start(&country.eyes(), from, to);
                assert_eq!(
                    scout.limits(),
                    kind.limits(SpaceLimits::UNSEEN),
                    "{name}: what is stated knows no map"
                );
                // Each step is held to what is stated.
                for _ in 0..1500 {
                    step(&mut scout, &country, &mut scratch, u64::MAX);
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
        let country = Country::of(grid.expect("a map").into());
        let (from, to) = (cell(&country, 30, 35), cell(&country, 50, 35));
        let of_scout = |(name, kind): (&'static str, AnyAgentKind)| {
            let mut scout = kind.start(&country.eyes(), from, to);
            assert_eq!(errand(&mut scout, &country, &mut scratch, u64::MAX).0, Step::Arrived, "{name}");
            (name, scout.bytes())
        };
        // With the fewest in-tree steps an open plain is searched to its end.
        let usual = country.willing().into_iter().filter(|(name, _)| !name.contains(':'));
        usual.map(of_scout).collect::<Vec<_>>()
    });
    for ((small, large), (name, largest)) in bytes[0].iter().zip(&bytes[1]).zip(&bytes[2]) {
        // Larger numbers take a few nodes more.
        assert!(*largest < large.1 + 8_000, "{name}: {} {} {largest}", small.1, large.1);
    }
}
