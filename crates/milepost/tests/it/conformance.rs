//! One table of cases that every planner runs through, against an oracle that is too simple to be wrong.

use crate::support::{
    catalog_planners, cell, close, distances, drawn, indexed, oracle_index, random_map, random_mesh, rounds,
};
use milepost::Rng;
use milepost::catalog::{PLANNERS, planner};
use milepost::index::IndexKind;
use milepost::plan::Refusal;
use milepost::space::{Link, Space};
use milepost::{
    AnyPlanner, Atlas, Budget, Edge, Edit, Graph, Outcome, Overlay, PartialReason, Place, PlanJob, Point,
    Query, Rule, Scratch, StateId,
};
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
        let atlas = match map.width() * map.height() < 4000 {
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

#[test]
fn a_query_cut_into_slices_of_any_size_gives_the_path_of_one_call() {
    let mut rng = Rng::new(37);
    let planners = planners();
    for round in 0..60 {
        let map = random_map(&mut rng, 14);
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let atlas = atlas_of(&map, rule, &planners);
        let states: Vec<StateId> = atlas.space().free_states().collect();
        let Some((&start, rest)) = states.split_first() else { continue };
        let goals: Vec<StateId> = rest.iter().rev().step_by(1 + rng.below(30) as usize).copied().collect();
        let goals = if round % 2 == 0 { &goals[..] } else { &goals[..goals.len().min(1)] };
        for (name, planner) in supported(&planners, &atlas) {
            check_slices(name, planner, &atlas, &Query::nearest_of(start, goals), &mut rng);
        }
    }
}

#[test]
fn states_with_many_successors_are_cut_into_slices_as_others_are() {
    let planners = planners();
    let mut rng = Rng::new(38);
    for round in 0..20 {
        // Every seventh node, or cell, leads to a dozen others.
        let ends = |count: u32, rng: &mut Rng| {
            let pairs =
                (0..count).flat_map(|from| (0..if from % 7 == 0 { 12 } else { 2 }).map(move |_| from));
            pairs.map(|from| (from, rng.below(count))).collect::<Vec<(u32, u32)>>()
        };
        let space: Space = if round % 2 == 0 {
            let edges: Vec<Edge> = ends(80, &mut rng)
                .into_iter()
                .map(|(from, to)| Edge {
                    from: StateId::new(from),
                    to: StateId::new(to),
                    cost: 1 + rng.below(50),
                })
                .collect();
            Graph::from_parts(vec![true; 80], &edges, Vec::new()).expect("a small graph").into()
        } else {
            let grid = random_map(&mut rng, 12).grid(Rule::ALL[round % 5]).expect("a small map");
            let cells: Vec<StateId> = grid.all_cells().collect();
            let link = |(from, to): (u32, u32)| Link {
                from: cells[from as usize],
                to: cells[to as usize],
                cost: 1 + (from + to) % 9,
            };
            let links: Vec<Link> = ends(cells.len() as u32, &mut rng).into_iter().map(link).collect();
            grid.with_links(&links).expect("links of the map").into()
        };
        let atlas = indexed(Atlas::new(space), planners.iter().map(|(_, planner)| planner));
        let states: Vec<StateId> = atlas.space().free_states().collect();
        let Some((&start, rest)) = states.split_first() else { continue };
        let goals: Vec<StateId> = rest.iter().rev().step_by(9).copied().collect();
        for (name, planner) in supported(&planners, &atlas) {
            check_slices(name, planner, &atlas, &Query::nearest_of(start, &goals), &mut rng);
        }
    }
}

#[test]
fn queries_on_meshes_are_cut_into_slices_as_others_are() {
    let planners = catalog_planners();
    let mut rng = Rng::new(39);
    let mut answered = std::collections::BTreeSet::new();
    for round in 0..rounds(40) {
        let mesh = random_mesh(&mut rng, 9);
        let atlas = indexed(Atlas::new(mesh.clone()), planners.iter().map(|(_, planner)| planner));
        let sampler = mesh.sampler(|_| true);
        let mut draw = || sampler.draw(&mut rng).expect("free ground").at;
        let (start, goals) = (draw(), [draw(), draw(), draw()].map(Place::from));
        let goals = if round % 2 == 0 { &goals[..] } else { &goals[..1] };
        for (name, planner) in supported(&planners, &atlas) {
            answered.insert(name.clone());
            check_slices(name, planner, &atlas, &Query::nearest_place(start, goals), &mut rng);
        }
    }
    for name in ["dijkstra", "astar", "astar:nodes=centres", "astar-bounds", "weighted-astar", "first-moves"]
    {
        assert!(answered.contains(name), "{name} refuses meshes: {answered:?}");
    }
}

/// Slices of any size give the answer of one call, take its units and no more turns than those allow, and none takes more
/// than is stated.
fn check_slices(name: &str, planner: &AnyPlanner, atlas: &Atlas, query: &Query<'_>, rng: &mut Rng) {
    let (mut scratch, mut unlimited) = (Scratch::new(), Budget::unlimited());
    let whole = planner.plan(atlas, query, &mut scratch, &mut unlimited);
    for slice in [1, 2, 3, 7, 64, 0] {
        let mut job = PlanJob::new(planner.clone(), query, Scratch::new());
        let (mut units, mut turns, mut given) = (0, 0, 0);
        let sliced = loop {
            // Of the last kind each is drawn.
            let slice = if slice > 0 { slice } else { 1 + u64::from(rng.below(20)) };
            let mut budget = Budget::units(slice);
            let outcome = job.advance(atlas, &mut budget);
            let most = slice + planner.overrun(atlas);
            assert!(budget.spent() <= most, "{name} spent {} of {slice}", budget.spent());
            units += budget.spent();
            turns += 1;
            if outcome != Outcome::OutOfBudget {
                break outcome;
            }
            given += slice;
            assert!(given <= units, "{name} was cut with units left, in turn {turns}");
        };
        assert_eq!(sliced, whole, "{name}");
        assert_eq!(job.path(), scratch.path(), "{name}");
        assert_eq!(units, unlimited.spent(), "{name}: other units in slices of {slice}");
        assert!(slice == 0 || turns <= units / slice + 1, "{name}: {turns} slices for {units} units");
        assert_eq!(job.advance(atlas, &mut Budget::units(0)), whole, "{name}: the answer stays");
    }
}

/// Walls with a gap at one end and at the other in turn: a path goes round the ends of all of them. Beside the first rows
/// there are pillars, so that lists of jumps are long.
fn serpentine() -> TileMap {
    let mut map = TileMap::filled(70, 67, b'.').expect("a small map");
    for (wall, y) in (5..67).step_by(3).enumerate() {
        (0..69).for_each(|x| map.set(if wall % 2 == 0 { x } else { x + 1 }, y, b'@').expect("inside"));
    }
    for (x, y) in (0..33).flat_map(|x| [(2 * x + 1, 1), (2 * x + 2, 3)]) {
        map.set(x, y, b'@').expect("inside");
    }
    map
}

#[test]
fn one_unit_is_never_enough_to_go_round_many_corners() {
    let planners = planners();
    let mut rng = Rng::new(137);
    let atlas = atlas_of(&serpentine(), Rule::Octile, &planners);
    let (start, near, far) = (cell(&atlas, 0, 0), cell(&atlas, 0, 65), cell(&atlas, 69, 66));
    assert_eq!(supported(&planners, &atlas).count(), planners.len());
    for (name, planner) in &planners {
        for query in [Query::new(start, far), Query::nearest_of(start, &[far, near])] {
            let (mut budget, mut scratch) = (Budget::units(1), Scratch::new());
            let outcome = planner.plan(&atlas, &query, &mut scratch, &mut budget);
            assert_eq!(outcome, Outcome::OutOfBudget, "{name}");
            check_slices(name, planner, &atlas, &query, &mut rng);
        }
    }
}

#[test]
fn out_of_budget_with_a_partial_path_leads_to_the_best_expanded_state_and_goes_on() {
    let planners = planners();
    let atlas = drawn_for("........ .@@@@@@. ........", Rule::Octile, &planners);
    let (start, goal) = (cell(&atlas, 0, 1), cell(&atlas, 7, 1));
    let mut scratch = Scratch::new();
    for (name, planner) in planners {
        let query = Query::new(start, goal).or_partial();
        let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::units(0));
        let nothing =
            Outcome::Partial { cost: milepost::Cost::ZERO, end: start, reason: PartialReason::OutOfBudget };
        assert_eq!(outcome, nothing, "{name}");
        let mut outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::units(4));
        for _ in 0..100 {
            let Outcome::Partial { end, reason: PartialReason::OutOfBudget, cost } = outcome else { break };
            assert_eq!(scratch.path().cost(), cost);
            check_path(&atlas, &scratch, &query, end, &name);
            outcome = planner.resume(&atlas, &query, &mut scratch, &mut Budget::units(4));
        }
        assert!(matches!(outcome, Outcome::Found { .. }), "{name}: {outcome:?}");
        let whole = planner.plan(&atlas, &query, &mut Scratch::new(), &mut Budget::unlimited());
        assert_eq!(outcome, whole, "{name}");
    }
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
