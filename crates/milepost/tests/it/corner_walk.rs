//! The hierarchy of corners, and the agent that plans over it while it walks, beyond what every index, planner and agent is
//! held to.

use crate::support::saves;
use milepost::Rng;
use milepost::build::{BuildError, SILENT, build, verify};
use milepost::catalog::{planner, restore};
use milepost::index::IndexKind;
use milepost::{Agent, Atlas, Budget, Edit, Outcome, Point, Query, Rule, Scratch, StateId, Step};
use milepost_maps::{Kind, TileMap, generate};

fn with_corners(map: &TileMap, rule: Rule) -> Atlas {
    let atlas = Atlas::new(map.grid(rule).expect("a size that fits"));
    build(&atlas, IndexKind::CORNER_HIERARCHY, SILENT).expect("few corners")
}

/// A hall with some walls in it: few corners however large it is.
fn hall(width: u32, height: u32) -> TileMap {
    let mut map = TileMap::filled(width, height, b'.').expect("a size that fits");
    let mut rng = Rng::new(u64::from(width));
    for wall in 0..12 {
        let length = 1 + rng.below(width.min(height) * 2 / 3);
        let (x, y) = (rng.below(width - 1), rng.below(height - 1));
        for step in 0..length {
            let (x, y) = if wall % 2 == 0 { (x + step, y) } else { (x, y + step) };
            if x < width && y < height {
                map.set(x, y, b'@').expect("inside");
            }
        }
    }
    map
}

/// A journey with a budget for each step: its cost, and the most units, thinking steps and bytes.
fn journey(atlas: &Atlas, name: &str, from: StateId, to: StateId, units: u64) -> (u64, u64, u64, usize) {
    let mut agent = atlas.agent(name, from, to).expect("the index is there");
    let (mut scratch, mut cost) = (Scratch::new(), 0);
    let (mut most, mut thinking, mut longest, mut bytes) = (0, 0, 0, 0);
    loop {
        let (before, mut budget) = (agent.state(), Budget::units(units));
        let step = agent.step(atlas, &mut scratch, &mut budget);
        most = most.max(budget.spent());
        bytes = bytes.max(agent.bytes());
        match step {
            Step::Move(to) => {
                cost += atlas.space().step_cost(before, to, None).expect("a legal move").units();
                thinking = 0;
            }
            Step::Thinking => thinking += 1,
            Step::Arrived => return (cost, most, longest, bytes),
            other => panic!("{other:?}"),
        }
        longest = longest.max(thinking);
    }
}

#[test]
fn no_step_takes_more_than_its_units_on_maps_of_a_thousand_to_ten_million_cells() {
    let mut rng = Rng::new(3);
    for (width, height) in [(32, 32), (100, 100), (400, 250), (1000, 1000), (4000, 2500)] {
        let atlas = with_corners(&hall(width, height), Rule::Octile14);
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for (name, units) in [("corner-walk:96", u64::MAX), ("corner-walk", u64::MAX), ("corner-walk", 96)] {
            let limits =
                milepost::catalog::agent(name).expect("a name").limits(milepost::agent::SpaceLimits::PLAIN);
            for _ in 0..12 {
                let mut any = || states[rng.below(states.len() as u32) as usize];
                let (from, to) = (any(), any());
                if atlas.space().component(from) != atlas.space().component(to) {
                    continue;
                }
                let (_, most, thinking, bytes) = journey(&atlas, name, from, to, units);
                assert!(most <= limits.max_units.expect("bounded").min(units), "{name}: {most}");
                assert!(thinking <= limits.max_thinking, "{name}: {thinking}");
                // 16,384 labels and 2,048 more, and open lists.
                assert!(bytes < 600_000, "{name}: {bytes}");
            }
        }
    }
}

#[test]
fn journeys_are_nearly_as_short_as_paths() {
    let mut rng = Rng::new(4);
    let mut scratch = Scratch::new();
    let planner = planner("corner-hierarchy").expect("a name of the catalog");
    for (kind, rule) in
        [(Kind::Rooms, Rule::Octile), (Kind::Caves, Rule::Octile14), (Kind::City, Rule::Octile)]
    {
        let atlas = with_corners(&generate(kind, 150, 120, 9).expect("a size that fits"), rule);
        let states: Vec<StateId> = atlas.space().free_states().collect();
        let (mut sum, mut count) = (0.0, 0);
        while count < 150 {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let query = Query::new(any(), any());
            let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
            let Outcome::Found { cost, goal } = outcome else { continue };
            let (walked, ..) =
                journey(&atlas, "corner-walk", query.start.state().expect("a state"), goal, u64::MAX);
            assert!(walked >= cost.units());
            sum += walked as f64 / cost.units().max(1) as f64 - 1.0;
            count += 1;
        }
        assert!(sum / f64::from(count) < 0.01, "{kind:?}: {}", sum / f64::from(count));
    }
}

#[test]
fn a_new_goal_or_an_edited_map_in_mid_journey_is_reached_all_the_same() {
    let mut rng = Rng::new(6);
    let mut scratch = Scratch::new();
    let mut atlas = with_corners(&generate(Kind::Caves, 90, 70, 2).expect("a size that fits"), Rule::Octile);
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let mut agent = atlas.agent("corner-walk:96", states[0], states[1]).expect("the index is there");
    for round in 0..120 {
        let goal = states[rng.below(states.len() as u32) as usize];
        agent.retarget(goal);
        for _ in 0..rng.below(40) {
            agent.step(&atlas, &mut scratch, &mut Budget::unlimited());
        }
        if round % 10 == 9 {
            let at = Point::new(rng.below(90).into(), rng.below(70).into());
            let bare = atlas.edited(&[Edit::close(at)]).expect("inside");
            assert!(matches!(agent.step(&bare, &mut scratch, &mut Budget::unlimited()), Step::Refused(_)));
            atlas = build(&bare, IndexKind::CORNER_HIERARCHY, SILENT).expect("few corners");
        }
        let can_reach = atlas.space().component(agent.state()).is_some()
            && atlas.space().component(agent.state()) == atlas.space().component(goal);
        let end = loop {
            match agent.step(&atlas, &mut scratch, &mut Budget::unlimited()) {
                Step::Move(_) | Step::Thinking => {}
                end => break end,
            }
        };
        assert_eq!(end, if can_reach { Step::Arrived } else { Step::NoPath }, "round {round}");
        if !atlas.space().is_free(agent.state()) {
            break;
        }
    }
}

#[test]
fn a_map_with_too_many_corners_is_refused_with_what_to_use_instead() {
    let map = generate(Kind::Random, 200, 200, 1).expect("a size that fits");
    let atlas = Atlas::new(map.grid(Rule::Octile).expect("a size that fits"));
    let error = build(&atlas, IndexKind::CORNER_HIERARCHY, SILENT).expect_err("corners everywhere");
    assert!(matches!(error, BuildError::DoesNotPay { .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("free cells are corners"), "{message}");
    // Boxes of jump points are refused for the same reason.
    let instead = error.alternatives(&atlas);
    assert!(instead.contains(&IndexKind::JUMP_TABLE), "{instead:?}");
    assert!(!instead.contains(&IndexKind::JUMP_BOUNDS), "{instead:?}");
}

/// Every byte of the section is changed: what opens is told from the truth, or does not matter.
#[test]
fn verify_finds_changed_edges_and_lists() {
    let map = generate(Kind::Rooms, 24, 20, 3).expect("a size that fits");
    let atlas = with_corners(&map, Rule::Octile14);
    let section = atlas.sections()[0].clone();
    let (mut opened, mut refused) = (0, 0);
    for at in 0..section.bytes().len() {
        let mut bytes = section.bytes().to_vec();
        bytes[at] ^= 1;
        let Ok(changed) = atlas.with_section(section.index(), &bytes) else { continue };
        opened += 1;
        refused += u32::from(verify(&changed).is_err());
    }
    assert!(verify(&atlas).is_ok());
    assert!(refused > 0 && refused < opened, "{refused} of {opened}");
}

/// Saves from every phase of a plan, bytes of which are changed and the checksum put right: nothing panics, no step takes
/// more than is stated, every move is legal, and every journey ends.
#[test]
fn forged_saves_of_every_phase_neither_panic_nor_exceed_the_limits() {
    let mut rng = Rng::new(8);
    let mut scratch = Scratch::new();
    let atlas = with_corners(&generate(Kind::Caves, 90, 70, 2).expect("a size that fits"), Rule::Octile);
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let (mut restored, mut refused, mut most_bytes) = (0, 0, 0);
    for _ in 0..24 {
        let mut any = || states[rng.below(states.len() as u32) as usize];
        let mut agent = atlas.agent("corner-walk:96", any(), any()).expect("the index is there");
        while let Step::Move(_) | Step::Thinking = agent.step(&atlas, &mut scratch, &mut Budget::units(96)) {
            let bytes = agent.to_bytes();
            most_bytes = most_bytes.max(bytes.len());
            for _ in 0..12 {
                match restore(&saves::forged(&bytes, &mut rng), (&atlas).into()) {
                    Ok(mut agent) => walk_to_any_end(&mut agent, &atlas, &mut scratch),
                    Err(_) => refused += 1,
                }
                restored += 1;
            }
        }
    }
    // While a plan is made a save holds labels and open lists.
    assert!(refused > 0 && refused < restored && most_bytes > 1000, "{refused} of {restored}, {most_bytes}");
}

fn walk_to_any_end(agent: &mut Box<dyn Agent>, atlas: &Atlas, scratch: &mut Scratch) {
    for _ in 0..10_000 {
        let (before, mut budget) = (agent.state(), Budget::unlimited());
        let step = agent.step(atlas, scratch, &mut budget);
        assert!(budget.spent() <= agent.limits().max_units.expect("bounded"), "{} units", budget.spent());
        match step {
            Step::Move(to) => {
                assert!(atlas.space().step_cost(before, to, None).is_some(), "{before} to {to}")
            }
            Step::Thinking => {}
            _ => return,
        }
    }
    panic!("an endless journey");
}

/// Costs of paths by this planner and by jump point search.
fn costs(atlas: &Atlas, query: &Query<'_>, scratch: &mut Scratch) -> [Option<milepost::Cost>; 2] {
    ["corner-hierarchy", "jps"].map(|name| {
        let planner = planner(name).expect("a name of the catalog");
        planner.plan(atlas, query, scratch, &mut Budget::unlimited()).cost()
    })
}

/// Paths and journeys between random cells.
fn compare(atlas: &Atlas, pairs: usize, journeys: usize) {
    let (mut rng, mut scratch) = (Rng::new(11), Scratch::new());
    let states: Vec<StateId> = atlas.space().free_states().collect();
    for round in 0..pairs {
        let [from, to] = [0; 2].map(|_| states[rng.below(states.len() as u32) as usize]);
        let [cost, expected] = costs(atlas, &Query::new(from, to), &mut scratch);
        assert_eq!(cost, expected, "{from} to {to}");
        if let Some(cost) = cost.filter(|_| round < journeys) {
            let (walked, ..) = journey(atlas, "corner-walk", from, to, u64::MAX);
            assert!(walked >= cost.units() && walked <= cost.units() * 2 + 1, "{from} to {to}: {walked}");
        }
    }
}

#[test]
fn maps_of_any_sides_have_paths_and_journeys_under_both_rules() {
    for rule in [Rule::Octile, Rule::Octile14] {
        for (width, height) in [(65_535, 1), (1, 65_535), (70_000, 3), (3, 70_000), (1, 1)] {
            let is_wall = |long: u32, thin: u32| long % 9000 == 7 && thin == 1;
            let is_free = |x: u32, y: u32| if width > height { !is_wall(x, y) } else { !is_wall(y, x) };
            let grid = milepost::Grid::new(width, height, rule, is_free).expect("a size that fits");
            let atlas = build(&Atlas::new(grid), IndexKind::CORNER_HIERARCHY, SILENT).expect("few corners");
            assert_eq!(verify(&atlas), Ok(()), "{width} x {height}");
            compare(&atlas, 24, 2);
        }
    }
}

#[test]
fn an_empty_map_may_be_large() {
    let grid = milepost::Grid::new(3500, 3500, Rule::Octile, |_, _| true).expect("a size that fits");
    compare(&build(&Atlas::new(grid), IndexKind::CORNER_HIERARCHY, SILENT).expect("no corners"), 12, 1);
}

#[test]
fn paths_may_be_as_long_as_a_serpentine() {
    let is_free = |x: u32, y: u32| y.is_multiple_of(2) || x == if y % 4 == 1 { 400 } else { 0 };
    let grid = milepost::Grid::new(401, 301, Rule::Octile, is_free).expect("a size that fits");
    compare(&build(&Atlas::new(grid), IndexKind::CORNER_HIERARCHY, SILENT).expect("few corners"), 24, 1);
}

/// An index of wide cells and costs with changed bytes: an agent comes to some end.
#[test]
fn agents_on_changed_bytes_of_the_wide_form_come_to_an_end() {
    let grid = milepost::Grid::new(3, 33_000, Rule::Octile, |x, y| x != 1 || y % 3000 != 5);
    let bare = Atlas::new(grid.expect("a size that fits"));
    let atlas = build(&bare, IndexKind::CORNER_HIERARCHY, SILENT).expect("few corners");
    let section = atlas.sections()[0].clone();
    let (mut rng, mut scratch, mut opened) = (Rng::new(2), Scratch::new(), 0);
    let states: Vec<StateId> = atlas.space().free_states().take(400).collect();
    for _ in 0..1500 {
        let mut bytes = section.bytes().to_vec();
        let at = rng.below(bytes.len() as u32) as usize;
        bytes[at] ^= 1 << rng.below(8);
        let Ok(forged) = atlas.with_section(section.index(), &bytes) else { continue };
        opened += 1;
        let mut any = || states[rng.below(states.len() as u32) as usize];
        let mut agent = forged.agent("corner-walk:96", any(), any()).expect("the index is there");
        walk_to_any_end(&mut agent, &forged, &mut scratch);
    }
    assert!(opened > 300, "{opened}");
}

/// Real maps enlarged, as far as an optimized build is done with soon.
#[test]
fn a_real_map_may_be_enlarged() {
    let Some(folder) = crate::support::real_maps() else { return };
    let map = milepost_maps::read_map(folder.join("sc1/WheelofWar.map")).expect("a readable map");
    let factors: &[(u32, Rule)] =
        if cfg!(debug_assertions) { &[(2, Rule::Octile)] } else { &[(3, Rule::Octile), (5, Rule::Octile)] };
    for &(factor, rule) in factors {
        let large = map.scaled(factor).expect("a size that fits");
        compare(&with_corners(&large, rule), 40, 5);
    }
}
