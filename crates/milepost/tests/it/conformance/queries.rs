//! What a query may ask for beside a path: overlays, many goals, the distance alone, a partial path; and that no path is known
//! beforehand.

use super::{atlas_of, bound, check_path, drawn_for, planners, supported};
use crate::support::{cell, close, distances, drawn, indexed, oracle_index, random_map};
use milepost::plan::Refusal;
use milepost::{Atlas, Budget, Outcome, Overlay, PartialReason, Query, Rng, Rule, Scratch, StateId};
use milepost_maps::TileMap;

#[test]
fn overlays_multiply_the_costs_of_cells() {
    let mut rng = Rng::new(34);
    let mut scratch = Scratch::new();
    let planners = planners();
    for round in 0..40 {
        let map = random_map(&mut rng, 8);
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let grid = map.grid(rule).expect("a small map");
        let top = [1, 3, 255][rng.below(3) as usize];
        let factors: Vec<u8> = (0..map.width() * map.height()).map(|_| 1 + rng.below(top) as u8).collect();
        let factor = |x: u32, y: u32| factors[(y * map.width() + x) as usize];
        let overlay = Overlay::new(&grid, factor).expect("factors of at least 1");
        let obeying = planners.iter().map(|(_, planner)| planner).filter(|planner| planner.obeys_overlays());
        let atlas = indexed(Atlas::new(grid), obeying);
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for &start in states.iter().step_by(3) {
            let at = atlas.space().point(start);
            let truth = distances(&map, rule, (at.x, at.y), |x, y| f64::from(factor(x as u32, y as u32)));
            for &goal in &states {
                let expected = truth[oracle_index(&atlas, &map, goal)];
                for (name, planner) in &planners {
                    let query = Query::new(start, goal).with_overlay(&overlay);
                    let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                    if !planner.obeys_overlays() {
                        let refusal = planner.refusal(&atlas).unwrap_or(Refusal::Overlay);
                        assert_eq!(outcome, Outcome::Refused(refusal), "{name}");
                        continue;
                    }
                    let Some(cost) = outcome.cost() else {
                        assert!(expected.is_infinite() && outcome == Outcome::Unreachable);
                        continue;
                    };
                    let cost = overlay.scale().to_f64(cost);
                    assert!(close(cost, scratch.path().cost_f64()));
                    let at_most = expected * bound(planner, atlas.space()) + 1e-6;
                    assert!(cost > expected - 1e-6 && cost <= at_most, "{name} {rule}: {cost}, {expected}");
                    check_path(&atlas, &scratch, &query, goal, name);
                }
            }
        }
    }
}

#[test]
fn an_overlay_of_another_map_is_refused() {
    let atlas = drawn("... ...", Rule::Octile);
    let other = TileMap::from_ascii("..\n..").expect("a map").grid(Rule::Octile).expect("small");
    let overlay = Overlay::new(&other, |_, _| 2).expect("factors");
    let query = Query::new(cell(&atlas, 0, 0), cell(&atlas, 1, 0)).with_overlay(&overlay);
    for (_, planner) in planners() {
        let outcome = planner.plan(&atlas, &query, &mut Scratch::new(), &mut Budget::unlimited());
        let expected = planner.refusal(&atlas).unwrap_or(match planner.obeys_overlays() {
            true => Refusal::ForeignOverlay,
            false => Refusal::Overlay,
        });
        assert_eq!(outcome, Outcome::Refused(expected));
    }
}

#[test]
fn the_nearest_of_many_goals_is_found_and_ties_go_to_the_least_id() {
    let mut rng = Rng::new(35);
    let mut scratch = Scratch::new();
    let planners = planners();
    for round in 0..150 {
        let map = random_map(&mut rng, 10);
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let atlas = atlas_of(&map, rule, &planners);
        let states: Vec<StateId> = atlas.space().free_states().collect();
        if states.is_empty() {
            continue;
        }
        let draw = |rng: &mut Rng| states[rng.below(states.len() as u32) as usize];
        let start = draw(&mut rng);
        let at = atlas.space().point(start);
        let truth = distances(&map, rule, (at.x, at.y), |_, _| 1.0);
        let count = 1 + rng.below(20);
        let mut goals: Vec<StateId> = (0..count).map(|_| draw(&mut rng)).collect();
        goals.extend([StateId::NONE, StateId::new(0)]); // no states: ignored
        let distance = |goal: &StateId| match atlas.space().is_free(*goal) {
            true => truth[oracle_index(&atlas, &map, *goal)],
            false => f64::INFINITY,
        };
        let nearest = goals.iter().map(distance).fold(f64::INFINITY, f64::min);
        let expected = goals.iter().filter(|goal| close(distance(goal), nearest)).min();
        for (name, planner) in supported(&planners, &atlas) {
            if !planner.is_optimal(atlas.space()) {
                continue;
            }
            let query = Query::nearest_of(start, &goals);
            match planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited()) {
                Outcome::Found { cost, goal } => {
                    assert!(close(atlas.space().scale().to_f64(cost), nearest), "{name}");
                    assert_eq!(Some(&goal), expected, "{name}");
                    check_path(&atlas, &scratch, &query, goal, name);
                }
                outcome => assert!(outcome == Outcome::Unreachable && nearest.is_infinite(), "{name}"),
            }
        }
    }
}

#[test]
fn distance_alone_is_the_cost_of_the_path_that_is_not_written() {
    let planners = planners();
    let atlas = drawn_for("..... .@@@. .....", Rule::Octile, &planners);
    let (start, goal) = (cell(&atlas, 0, 1), cell(&atlas, 4, 1));
    let mut scratch = Scratch::new();
    for (name, planner) in planners {
        let whole = planner.plan(&atlas, &Query::new(start, goal), &mut scratch, &mut Budget::unlimited());
        assert!(!scratch.path().waypoints().is_empty(), "{name}");
        let query = Query::new(start, goal).distance_only();
        assert_eq!(planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited()), whole, "{name}");
        assert!(scratch.path().waypoints().is_empty(), "{name}");
        assert_eq!(Some(scratch.path().cost()), whole.cost(), "{name}");
    }
}

#[test]
fn unreachable_is_known_without_a_search() {
    let mut scratch = Scratch::new();
    let planners = planners();
    for rule in Rule::ALL {
        let atlas = drawn_for("..@.. ..@.. ..@.@", rule, &planners);
        let (left, right, wall) = (cell(&atlas, 0, 0), cell(&atlas, 4, 0), cell(&atlas, 2, 2));
        for (name, planner) in supported(&planners, &atlas) {
            for (start, goal) in [
                (left, right),
                (right, left),
                (left, wall),
                (wall, left),
                (wall, wall),
                (left, StateId::NONE),
            ] {
                let mut budget = Budget::units(0);
                let outcome = planner.plan(&atlas, &Query::new(start, goal), &mut scratch, &mut budget);
                assert_eq!((outcome, budget.spent()), (Outcome::Unreachable, 0), "{name}");
                assert!(scratch.path().waypoints().is_empty(), "{name}");
                assert_eq!(scratch.search().expanded(), 0, "{name}: what it tells is of an older query");
            }
        }
    }
}

#[test]
fn a_start_that_is_the_goal_is_a_path_of_one_state() {
    let planners = planners();
    let atlas = drawn_for("...", Rule::Octile, &planners);
    let start = cell(&atlas, 1, 0);
    for (name, planner) in planners {
        let mut scratch = Scratch::new();
        let outcome = planner.plan(&atlas, &Query::new(start, start), &mut scratch, &mut Budget::unlimited());
        assert_eq!(outcome.cost().map(|cost| cost.units()), Some(0), "{name}");
        assert_eq!(scratch.path().waypoints(), [start], "{name}");
    }
}

/// The partial path that is promised, by brute force: least octile distance to a goal, then least cost, then id.
#[test]
fn a_partial_path_leads_to_the_nearest_reachable_state_then_the_cheapest_then_the_least_id() {
    let mut rng = Rng::new(36);
    let mut scratch = Scratch::new();
    let planners = planners();
    let mut partial = 0;
    for round in 0..400 {
        let map = random_map(&mut rng, 9);
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let atlas = atlas_of(&map, rule, &planners);
        let states: Vec<StateId> = atlas.space().free_states().collect();
        if states.is_empty() {
            continue;
        }
        let start = states[rng.below(states.len() as u32) as usize];
        let goal = cell(&atlas, rng.below(map.width()).into(), rng.below(map.height()).into());
        let at = atlas.space().point(start);
        let truth = distances(&map, rule, (at.x, at.y), |_, _| 1.0);
        let empty = TileMap::filled(map.width(), map.height(), b'.').expect("a small map");
        let to = atlas.space().point(goal);
        let from_goal = distances(&empty, rule, (to.x, to.y), |_, _| 1.0);
        let rank = |&state: &StateId| {
            let cost = truth[oracle_index(&atlas, &map, state)];
            let away = from_goal[oracle_index(&atlas, &map, state)];
            ((away * 1e6).round() as u64, (cost * 1e6).round() as u64, state)
        };
        let reachable = states.iter().filter(|&&state| truth[oracle_index(&atlas, &map, state)].is_finite());
        let best = reachable.copied().min_by_key(rank).expect("the start at least");
        for (name, planner) in supported(&planners, &atlas) {
            if !planner.is_optimal(atlas.space()) {
                continue;
            }
            let query = Query::new(start, goal).or_partial();
            match planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited()) {
                Outcome::Partial { end, reason: PartialReason::Unreachable, .. } => {
                    assert_eq!(end, best, "{name} {rule}");
                    check_path(&atlas, &scratch, &query, end, name);
                    partial += 1;
                }
                Outcome::Found { .. } => assert_eq!(goal, best, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
    assert!(partial > 500, "only {partial} partial paths were looked at");
}
