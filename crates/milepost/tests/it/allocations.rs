//! After warm-up a planner allocates nothing, and an agent nothing but what it states.

use crate::support;
use crate::support::journeys::{supported, with_indexes};
use milepost::plan::Refusal;
use milepost::{AnyPlanner, Atlas, Budget, Grid, Outcome, Overlay, Query, Rule, Scratch, StateId, Step};
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
        match planner.refusal(&atlas) {
            None => {}
            Some(Refusal::Estimate(_)) => continue, // of hexagons, say
            Some(refusal) => panic!("{name}: {refusal}"),
        }
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

/// By how many bytes of memory the process grows, where the system tells: the least of three tries, since other tests may
/// run beside this one.
fn touched_bytes(mut work: impl FnMut() -> Scratch) -> Option<usize> {
    let resident = || {
        let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
        Some(pages.split(' ').nth(1)?.parse::<usize>().ok()? * 4096)
    };
    let mut one_try = || {
        let before = resident()?;
        let scratch = work();
        let after = resident()?;
        drop(scratch);
        Some(after.saturating_sub(before))
    };
    let tries = [one_try()?, one_try()?, one_try()?];
    tries.into_iter().min()
}

#[test]
fn the_first_slice_touches_what_it_searches_and_a_warm_scratch_is_touched_already() {
    // Ten million cells, in four rooms with many doors.
    let is_free = |x: u32, y: u32| !(x == 1600 && y % 40 > 1) && !(y == 1600 && x % 40 > 1);
    let atlas = Atlas::new(Grid::new(3200, 3200, Rule::Octile, is_free).expect("a size that fits"));
    let at = |x, y| atlas.state_at(milepost::Point::new(x, y)).expect("inside");
    let query = Query::new(at(10, 10), at(3190, 3190));
    let nodes = 16 * atlas.space().id_bound();
    let planners = support::catalog_planners();
    let is_supported = |(_, planner): &&(String, AnyPlanner)| planner.refusal(&atlas).is_none();
    // Those that need an index keep less: there are fewer jump points and corners than cells.
    for (name, planner) in planners.iter().filter(is_supported) {
        let touched = touched_bytes(|| {
            let mut scratch = Scratch::new();
            let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::units(100));
            assert_eq!(outcome, Outcome::OutOfBudget, "{name}");
            assert!(scratch.bytes() >= nodes, "{name}: no room for all states");
            scratch
        });
        assert!(touched.is_none_or(|touched| touched < nodes / 20), "{name} touches {touched:?} bytes");
    }
    let warmed = || {
        let mut scratch = Scratch::new();
        scratch.warm(&atlas);
        scratch
    };
    let touched = touched_bytes(warmed);
    assert!(touched.is_none_or(|touched| touched > nodes / 10 * 9), "warming touches {touched:?} bytes");
    let mut scratch = warmed();
    for (name, planner) in planners.iter().filter(is_supported) {
        let counted = allocation_counter::measure(|| {
            planner.plan(&atlas, &query, &mut scratch, &mut Budget::units(1000));
        });
        // A list of one target.
        assert!(counted.bytes_total < 100, "{name} allocates {} bytes", counted.bytes_total);
    }
}
