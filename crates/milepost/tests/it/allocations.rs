//! After warm-up a planner allocates nothing, and an agent nothing but what it states.

use crate::support;
use crate::support::journeys::{supported, with_indexes};
use milepost::catalog::planner;
use milepost::{Atlas, Budget, Overlay, Query, Rule, Scratch, StateId, Step};
use milepost_maps::{Kind, generate};

#[test]
fn a_warm_scratch_allocates_nothing() {
    let map = generate(Kind::Rooms, 64, 64, 5).expect("a size that fits");
    let grid = map.grid(Rule::Octile).expect("a small map");
    let overlay = Overlay::new(&grid, |x, y| 1 + ((x * 7 + y * 3) % 5) as u8).expect("factors");
    let names = [
        "dijkstra",
        "astar",
        "weighted-astar:1.5",
        "astar:h=euclidean",
        "astar:p=3",
        "astar-bounds",
        "dijkstra:bounds=on",
        "jps",
        "jps:bounds=on",
        "jps-plus",
        "jump-rows",
        "corner-labels",
        "first-moves",
    ];
    let planners: Vec<_> = names.iter().map(|name| planner(name).expect("a name")).collect();
    let atlas = support::indexed(Atlas::new(grid), &planners);
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let wall = (0..atlas.space().id_bound() as u32)
        .map(StateId::new)
        .find(|&s| !atlas.space().is_free(s) && s.number() > 200);
    let blocked = wall.expect("rooms have walls");
    let goals = [states[7], states[states.len() / 2], states[states.len() - 1]];
    let mut scratch = Scratch::new();
    for (name, planner) in names.iter().zip(&planners) {
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
