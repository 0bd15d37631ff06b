//! After warm-up a planner allocates nothing, and an agent nothing but what it states.

use crate::support;
use crate::support::journeys::{supported, with_indexes};
use milepost::{Atlas, Budget, Grid, Outcome, Overlay, Query, Rule, Scratch, StateId, Step};
use milepost_maps::{Kind, generate};

#[test]
fn a_warm_scratch_allocates_nothing() {
    let map = generate(Kind::Rooms, 64, 64, 5).expect("a size that fits");
    let grid = map.grid(Rule::Octile).expect("a small map");
    let overlay = Overlay::new(&grid, |x, y| 1 + ((x * 7 + y * 3) % 5) as u8).expect("factors");
    let planners = support::catalog_planners();
    let atlas = support::indexed(Atlas::new(grid), planners.iter().map(|(_, planner)| planner));
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let wall = (0..atlas.space().id_bound() as u32)
        .map(StateId::new)
        .find(|&s| !atlas.space().is_free(s) && s.number() > 200);
    let blocked = wall.expect("rooms have walls");
    let goals = [states[7], states[states.len() / 2], states[states.len() - 1]];
    let mut scratch = Scratch::new();
    for (name, planner) in &planners {
        assert_eq!(planner.refusal(&atlas), None, "{name}");
        let mut ask_all = || {
            for (&start, &goal) in states.iter().zip(states.iter().rev()).step_by(states.len() / 12) {
                for query in [
                    Query::new(start, goal),
                    Query::new(start, goal).distance_only(),
                    Query::new(start, goal).with_overlay(&overlay),
                    Query::nearest_of(start, &goals),
                    Query::new(start, blocked).or_partial(),
                ] {
                    planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                    planner.plan(&atlas, &query, &mut scratch, &mut Budget::units(50));
                    planner.resume(&atlas, &query, &mut scratch, &mut Budget::units(50));
                }
            }
        };
        ask_all();
        let counted = allocation_counter::measure(ask_all);
        assert_eq!(counted.count_total, 0, "{name} allocates");
    }
}

#[test]
fn a_step_allocates_at_most_the_page_that_is_stated() {
    let map = generate(Kind::Rooms, 32, 32, 5).expect("a size that fits");
    let atlas = with_indexes(Atlas::new(map.grid(Rule::Octile).expect("a small map")));
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let mut scratch = Scratch::new();
    for (name, kind) in supported(&atlas) {
        let start = || kind.start(&atlas, states[0], states[states.len() - 1]);
        // The first journey warms the scratch.
        let mut agent = start();
        let mut step = || agent.step(&atlas, &mut scratch, &mut Budget::unlimited());
        while let Step::Move(_) | Step::Thinking = step() {}
        let mut agent = start();
        loop {
            let mut done = Step::Thinking;
            let counted = allocation_counter::measure(|| {
                done = agent.step(&atlas, &mut scratch, &mut Budget::unlimited());
            });
            let stated = agent.page_bytes() as u64;
            assert!(counted.bytes_total <= stated, "{name}: {} of {stated}", counted.bytes_total);
            if !matches!(done, Step::Move(_) | Step::Thinking) {
                break;
            }
        }
        assert_eq!(agent.state(), agent.goal(), "{name}");
    }
}

#[test]
fn scratch_memory_stays_within_its_promise() {
    let map = generate(Kind::Caves, 256, 256, 1).expect("a size that fits");
    let atlas = Atlas::new(map.grid(Rule::Octile).expect("a small map"));
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let mut scratch = Scratch::new();
    atlas.path(states[0], states[states.len() - 1], &mut scratch);
    let per_id = scratch.bytes() as f64 / atlas.space().id_bound() as f64;
    assert!(per_id <= 24.0, "{per_id} bytes for each id");
}

/// Bytes of this process that are in memory, where the system tells.
fn resident_bytes() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split(' ').nth(1)?.parse::<usize>().ok()? * 4096)
}

#[test]
fn the_first_slice_touches_what_it_searches_and_a_warm_scratch_is_touched_already() {
    // Ten million cells; a room in the middle makes corners.
    let is_free = |x: u32, y: u32| !(x == 1600 && y % 40 > 1) && !(y == 1600 && x % 40 > 1);
    let atlas = Atlas::new(Grid::new(3200, 3200, Rule::Octile, is_free).expect("a size that fits"));
    let at = |x, y| atlas.state_at(milepost::Point::new(x, y)).expect("inside");
    let query = Query::new(at(10, 10), at(3190, 3190));
    let nodes = 16 * atlas.space().id_bound();
    for (name, planner) in support::catalog_planners() {
        if planner.refusal(&atlas).is_some() {
            continue; // it needs an index, and what it keeps is smaller
        }
        let mut scratch = Scratch::new();
        let Some(before) = resident_bytes() else { return };
        let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::units(100));
        assert_eq!(outcome, Outcome::OutOfBudget, "{name}");
        let touched = resident_bytes().expect("as before").saturating_sub(before);
        assert!(touched < nodes / 20, "{name}: the first slice touches {touched} bytes");
        assert!(scratch.bytes() >= nodes, "{name}: no room for all states");
    }
    let Some(before) = resident_bytes() else { return };
    let mut scratch = Scratch::new();
    scratch.warm(&atlas);
    let touched = resident_bytes().expect("as before").saturating_sub(before);
    assert!(touched > nodes / 10 * 9, "warming touches {touched} of {nodes} bytes");
    let query = Query::new(at(10, 10), at(300, 300));
    let counted = allocation_counter::measure(|| {
        for (_, planner) in support::catalog_planners().iter().take(1) {
            planner.plan(&atlas, &query, &mut scratch, &mut Budget::units(1000));
        }
    });
    assert!(counted.bytes_max < 1 << 16, "{} bytes allocated after warming", counted.bytes_max);
}
