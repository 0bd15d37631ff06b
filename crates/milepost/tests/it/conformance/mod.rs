//! One table of cases that every planner runs through, against an oracle that is too simple to be wrong.
//!
//! | file | what it asks |
//! |---|---|
//! | this one | whether paths are those of the oracle |
//! | `queries` | what comes of everything that a query may ask for |
//! | `slices` | whether a query that was cut comes to the same |

mod queries;
mod slices;

use crate::support::{cell, distances, drawn, indexed, oracle_index, random_map, rounds};
use milepost::Rng;
use milepost::catalog::{PLANNERS, planner};
use milepost::index::IndexKind;
use milepost::space::Space;
use milepost::{AnyPlanner, Atlas, Budget, Edit, Outcome, Point, Query, Rule, Scratch, StateId};
use milepost_maps::{Kind, TileMap, generate};

/// Every planner of the catalog with its defaults, and more of those that take parameters.
fn planners() -> Vec<(String, AnyPlanner)> {
    let more = [
        "astar:h=zero",
        "astar:h=manhattan",
        "astar:h=octile",
        "astar:h=euclidean",
        "astar:p=2",
        "astar:p=3.5",
        "astar:p=1.2",
        "weighted-astar:1",
        "weighted-astar:1.25",
        "weighted-astar:5",
        "weighted-astar:1000",
        "weighted-astar:2:h=euclidean",
        "astar-bounds:h=zero",
        "dijkstra:bounds=on",
        "weighted-astar:1:bounds=on",
        "weighted-astar:1.5:bounds=on",
        "jps:bounds=on",
        "jps-plus:search=table",
        "jps-plus:search=table:bounds=on",
        "jps-plus:search=graph:bounds=on",
        "astar-bounds:bounds=as-printed",
        "astar-bounds:bounds=as-printed:h=zero",
        "astar:h=differential",
        "astar:h=canonical",
        "weighted-astar:1.5:h=differential",
        "astar-bounds:h=canonical",
    ];
    let names = PLANNERS.iter().map(|entry| entry.name).chain(more);
    names.map(|name| (name.to_owned(), planner(name).expect("a name of the table"))).collect()
}

/// A map with all that the planners read.
fn atlas_of(map: &TileMap, rule: Rule, planners: &[(String, AnyPlanner)]) -> Atlas {
    let atlas = Atlas::new(map.grid(rule).expect("a small map"));
    indexed(atlas, planners.iter().map(|(_, planner)| planner))
}

/// The same of a map drawn in the test.
fn drawn_for(drawing: &str, rule: Rule, planners: &[(String, AnyPlanner)]) -> Atlas {
    indexed(drawn(drawing, rule), planners.iter().map(|(_, planner)| planner))
}

/// Those that do not refuse to work on an atlas.
fn supported<'a>(
    planners: &'a [(String, AnyPlanner)],
    atlas: &'a Atlas,
) -> impl Iterator<Item = (&'a String, &'a AnyPlanner)> {
    let works = |(_, planner): &&(String, AnyPlanner)| planner.refusal(atlas).is_none();
    planners.iter().filter(works).map(|(name, planner)| (name, planner))
}

/// How much dearer than the optimum a planner's paths may be.
fn bound(planner: &AnyPlanner, space: &Space) -> f64 {
    planner.bound(space).unwrap_or(f64::MAX)
}

/// Walks a path cell by cell: legal steps, right ends, and the sum of the steps.
fn check_path(atlas: &Atlas, scratch: &Scratch, query: &Query<'_>, end: StateId, name: &str) {
    let (space, path) = (atlas.space(), scratch.path());
    let cells: Vec<StateId> = space.cells(path).collect();
    let mut written = vec![StateId::NONE];
    space.write_cells(path, &mut written);
    assert_eq!(written, cells, "{name}");
    assert_eq!((cells.first(), cells.last()), (query.start.state().as_ref(), Some(&end)), "{name}");
    let step = |pair: &[StateId]| space.step_cost(pair[0], pair[1], query.overlay);
    let sum: Option<u64> = cells.windows(2).map(|pair| step(pair).map(|cost| cost.units())).sum();
    assert_eq!(sum, Some(path.cost().units()), "{name}: steps do not add up");
    let is_square = space.as_grid().is_some_and(|grid| grid.is_plain() && grid.rule().hexagons().is_none());
    for three in path.waypoints().windows(3).filter(|_| is_square) {
        let [a, b, c] = [three[0], three[1], three[2]].map(|state| space.point(state));
        let turn =
            (b.x - a.x).signum() != (c.x - b.x).signum() || (b.y - a.y).signum() != (c.y - b.y).signum();
        assert!(turn, "{name}: {b} is no turning point");
    }
}

/// All pairs of a map with one planner.
fn all_pairs(map: &TileMap, rule: Rule, planners: &[(String, AnyPlanner)], scratch: &mut Scratch) {
    let atlas = atlas_of(map, rule, planners);
    let states: Vec<StateId> = atlas.space().free_states().collect();
    for &start in &states {
        let at = atlas.space().point(start);
        let truth = distances(map, rule, (at.x, at.y), |_, _| 1.0);
        for &goal in &states {
            let expected = truth[oracle_index(&atlas, map, goal)];
            for (name, planner) in supported(planners, &atlas) {
                let query = Query::new(start, goal);
                let outcome = planner.plan(&atlas, &query, scratch, &mut Budget::unlimited());
                let says = || format!("{name} {rule} {at} -> {}", atlas.space().point(goal));
                match outcome {
                    Outcome::Unreachable => assert!(expected.is_infinite(), "{}", says()),
                    Outcome::Found { cost, goal: end } => {
                        assert_eq!(end, goal);
                        let cost = atlas.space().scale().to_f64(cost);
                        let at_most = expected * bound(planner, atlas.space()) + 1e-6;
                        assert!(cost > expected - 1e-6 && cost <= at_most, "{}: {cost}, {expected}", says());
                        check_path(&atlas, scratch, &query, goal, name);
                    }
                    other => panic!("{}: {other:?}", says()),
                }
            }
        }
    }
}

#[test]
fn optimal_planners_equal_the_oracle_on_all_pairs_of_thousands_of_random_maps() {
    let mut rng = Rng::new(31);
    let mut scratch = Scratch::new();
    let small = drawn(".", Rule::Octile);
    let exact: Vec<_> =
        planners().into_iter().filter(|(_, planner)| planner.is_optimal(small.space())).collect();
    for round in 0..rounds(4000) {
        let map = random_map(&mut rng, 6);
        all_pairs(&map, Rule::ALL[round % Rule::ALL.len()], &exact, &mut scratch);
    }
}

#[test]
fn every_planner_keeps_its_bound_on_all_pairs_of_random_maps() {
    let mut rng = Rng::new(32);
    let mut scratch = Scratch::new();
    let planners = planners();
    for round in 0..rounds(300) {
        let map = random_map(&mut rng, 10);
        all_pairs(&map, Rule::ALL[round % Rule::ALL.len()], &planners, &mut scratch);
    }
}

/// Wide enough that runs of cells cross words, against a planner that knows nothing of words.
#[test]
fn optimal_planners_equal_dijkstra_on_random_pairs_of_larger_maps() {
    let mut rng = Rng::new(39);
    let (mut scratch, mut plain) = (Scratch::new(), Scratch::new());
    let planners = planners();
    let flooded = [IndexKind::GOAL_BOUNDS, IndexKind::FIRST_MOVES];
    let floods = |planner: &AnyPlanner| planner.needs().iter().any(|index| flooded.contains(&index.kind));
    let without_floods: Vec<_> = planners.iter().filter(|(_, planner)| !floods(planner)).cloned().collect();
    let dijkstra = planner("dijkstra").expect("a name");
    for round in 0..rounds(300) {
        let map = large_map(&mut rng, [0, 1, 5, 20, 35][round % 5]);
        let rule = Rule::ALL[round / 5 % Rule::ALL.len()];
        // Floods from every cell of a large map are for a few of them.
        let atlas = match map.width() * map.height() < 2000 {
            true => atlas_of(&map, rule, &planners),
            false => atlas_of(&map, rule, &without_floods),
        };
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for _ in 0..20 {
            let mut draw = || states[rng.below(states.len() as u32) as usize];
            let query = Query::new(draw(), draw());
            let goal = query.goals.states().next().expect("a state");
            let expected = dijkstra.plan(&atlas, &query, &mut plain, &mut Budget::unlimited());
            for (name, planner) in supported(&planners, &atlas) {
                if planner.is_optimal(atlas.space()) {
                    let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                    assert_eq!(outcome, expected, "{name}: {:?} -> {goal}\n{map}", query.start);
                    if outcome.cost().is_some() {
                        check_path(&atlas, &scratch, &query, goal, name);
                    }
                }
            }
        }
    }
}

#[test]
fn optimal_planners_equal_dijkstra_after_edits() {
    let mut rng = Rng::new(40);
    let (mut scratch, mut plain) = (Scratch::new(), Scratch::new());
    let planners = planners();
    let dijkstra = planner("dijkstra").expect("a name");
    for round in 0..60 {
        let map = random_map(&mut rng, 20);
        let mut space = Space::from(map.grid(Rule::ALL[round % Rule::ALL.len()]).expect("a small map"));
        for _ in 0..20 {
            let mut draw = || Point::new(rng.below(map.width()).into(), rng.below(map.height()).into());
            let (from, to, at) = (draw(), draw(), draw());
            let is_free = space.as_grid().is_some_and(|grid| grid.is_free_at(at));
            let edit = if is_free { Edit::close(at) } else { Edit::open(at) };
            space = space.edited(&[edit]).expect("inside");
            let atlas = Atlas::new(space.clone());
            let query = Query::new(cell(&atlas, from.x, from.y), cell(&atlas, to.x, to.y));
            let expected = dijkstra.plan(&atlas, &query, &mut plain, &mut Budget::unlimited());
            for (name, planner) in supported(&planners, &atlas) {
                if planner.is_optimal(atlas.space()) {
                    let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                    assert_eq!(outcome, expected, "{name}: {from} -> {to} after {edit:?}");
                }
            }
        }
    }
}

/// From 40 to 150 cells wide and high, `density` of 100 of them blocked, with long walls.
fn large_map(rng: &mut Rng, density: u32) -> TileMap {
    let (width, height) = (40 + rng.below(111), 40 + rng.below(111));
    let mut map = TileMap::filled(width, height, b'.').expect("a small map");
    for cell in 0..width * height {
        if rng.below(100) < density {
            map.set(cell % width, cell / width, b'@').expect("inside");
        }
    }
    for _ in 0..rng.below(12) {
        let (x, y, length, is_row) = (rng.below(width), rng.below(height), rng.below(90), rng.chance(1, 2));
        for step in 0..length {
            let (x, y) = if is_row { (x + step, y) } else { (x, y + step) };
            if x < width && y < height {
                map.set(x, y, b'T').expect("inside");
            }
        }
    }
    map
}

/// A state before the goal may find a better way after the goal was reached through it: the path is then cheaper than
/// what the search knew, and the cost must be the path's. (Between these two cells the search knew 272.36, the steps
/// add up to 261.87.)
#[test]
fn a_weighted_path_costs_what_its_steps_add_up_to() {
    let map = generate(Kind::Rooms, 320, 240, 1).expect("a size that fits");
    let atlas = Atlas::new(map.grid(Rule::Octile).expect("a small map"));
    let mut scratch = Scratch::new();
    let weighted = planner("weighted-astar:1.5").expect("a name");
    let query = Query::new(cell(&atlas, 302, 72), cell(&atlas, 84, 115));
    let outcome = weighted.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
    check_path(&atlas, &scratch, &query, cell(&atlas, 84, 115), "weighted-astar:1.5");
    assert_eq!(outcome.cost(), Some(scratch.path().cost()));
    let alone = weighted.plan(&atlas, &query.distance_only(), &mut scratch, &mut Budget::unlimited());
    assert_eq!(alone, outcome, "the distance alone differs");
}

#[test]
fn an_inadmissible_estimate_does_give_longer_paths_somewhere() {
    let mut rng = Rng::new(33);
    let mut scratch = Scratch::new();
    let manhattan = planner("astar:h=manhattan").expect("a name");
    let mut longer = 0;
    for _ in 0..50 {
        let map = random_map(&mut rng, 14);
        let atlas = Atlas::new(map.grid(Rule::Octile).expect("a small map"));
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for (&start, &goal) in states.iter().zip(states.iter().rev()) {
            let query = Query::new(start, goal);
            let inadmissible = manhattan.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited()).cost();
            let optimal = atlas.path(start, goal, &mut scratch).cost();
            longer += u32::from(inadmissible > optimal);
        }
    }
    assert!(longer > 0);
}

/// A catalog with a planner that no test runs would be worth little: on a map that all rules share, all work.
#[test]
fn every_planner_of_the_catalog_is_run() {
    let planners = planners();
    let atlas = drawn_for("..... .@@@. .....", Rule::Octile, &planners);
    assert_eq!(supported(&planners, &atlas).count(), planners.len());
}

#[test]
fn a_scratch_serves_maps_of_any_size_in_any_order() {
    let mut rng = Rng::new(38);
    let mut lent = Scratch::new();
    for round in 0..200 {
        let map = random_map(&mut rng, [4, 30, 9][round % 3]);
        let atlas = Atlas::new(map.grid(Rule::Octile).expect("a small map"));
        let states: Vec<StateId> = atlas.space().free_states().collect();
        let Some((&start, &goal)) = states.first().zip(states.last()) else { continue };
        let mut fresh = Scratch::new();
        assert_eq!(atlas.path(start, goal, &mut lent), atlas.path(start, goal, &mut fresh));
        assert_eq!(lent.path(), fresh.path());
    }
}

mod shrinking {
    use super::*;
    use proptest::prelude::*;

    /// A map as rows of letters, a rule, and two cells anywhere on it.
    fn cases() -> impl Strategy<Value = (TileMap, Rule, (u32, u32), (u32, u32))> {
        (1_u32..10, 1_u32..10).prop_flat_map(|(width, height)| {
            let letters =
                prop::collection::vec(prop::sample::select(b"...G@T".to_vec()), (width * height) as usize);
            let cell = (0..width, 0..height);
            let map =
                letters.prop_map(move |letters| TileMap::new(width, height, letters).expect("known letters"));
            (map, prop::sample::select(Rule::ALL.to_vec()), cell.clone(), cell)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: rounds(1500), failure_persistence: None, ..ProptestConfig::default() })]

        /// A failure here shrinks to the smallest map that shows it.
        #[test]
        fn every_planner_answers_as_the_oracle_does((map, rule, from, to) in cases()) {
            let planners = planners();
            let atlas = atlas_of(&map, rule, &planners);
            let (start, goal) = (cell(&atlas, from.0.into(), from.1.into()), cell(&atlas, to.0.into(), to.1.into()));
            let blocked = !atlas.space().is_free(start) || !atlas.space().is_free(goal);
            let truth = distances(&map, rule, (from.0.into(), from.1.into()), |_, _| 1.0);
            let expected = if blocked { f64::INFINITY } else { truth[oracle_index(&atlas, &map, goal)] };
            let mut scratch = Scratch::new();
            for (name, planner) in supported(&planners, &atlas) {
                let query = Query::new(start, goal);
                let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                prop_assert_eq!(outcome.cost().is_some(), expected.is_finite(), "{}", name);
                if let Some(cost) = outcome.cost() {
                    let cost = atlas.space().scale().to_f64(cost);
                    let most = expected * bound(planner, atlas.space()) + 1e-6;
                    prop_assert!(cost > expected - 1e-6 && cost <= most, "{}: {} for {}", name, cost, expected);
                    check_path(&atlas, &scratch, &query, goal, name);
                }
            }
        }
    }
}
