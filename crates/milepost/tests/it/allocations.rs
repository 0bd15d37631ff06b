//! After warm-up a planner allocates nothing, and an agent nothing but what it states.

use crate::support;
use crate::support::journeys::{supported, with_indexes};
use crate::support::journeys_by_sight::{HiddenMap, RANGES};
use milepost::agent::View;
use milepost::plan::Refusal;
use milepost::space::Link;
use milepost::{
    Agent, Atlas, Budget, Edge, Graph, Outcome, Overlay, Query, Rule, Scratch, Space, StateId, Step,
};
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
            Some(Refusal::Estimate(_) | Refusal::Nodes) => continue, // of hexagons, say, or of meshes
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

/// Lets an agent walk, and holds every step to the page that was stated before it. Returns the largest page.
fn walk_within_pages(
    name: &str,
    view: View<'_>,
    start: impl Fn() -> Box<dyn Agent>,
    scratch: &mut Scratch,
) -> u64 {
    // The first journey warms the scratch.
    let mut agent = start();
    while let Step::Move(_) | Step::Thinking = agent.step_in(view, scratch, &mut Budget::unlimited()) {}
    let (mut agent, mut largest) = (start(), 0);
    loop {
        let (mut done, stated) = (Step::Thinking, agent.page_bytes() as u64);
        let counted = allocation_counter::measure(|| {
            done = agent.step_in(view, scratch, &mut Budget::unlimited());
        });
        assert!(counted.bytes_total <= stated, "{name}: {} of {stated}", counted.bytes_total);
        largest = largest.max(stated);
        if !matches!(done, Step::Move(_) | Step::Thinking) {
            assert_eq!(agent.state(), agent.goal(), "{name}: {done:?}");
            return largest;
        }
    }
}

/// Every agent of the catalog, on a map, on one with links and on a graph of one-way edges, and by sight of any width.
#[test]
fn a_step_allocates_at_most_the_page_that_is_stated() {
    let map = generate(Kind::Rooms, 32, 32, 5).expect("a size that fits");
    let grid = map.grid(Rule::Octile).expect("a small map");
    let states: Vec<StateId> = Space::from(grid.clone()).free_states().collect();
    let (from, to) = (states[0], states[states.len() - 1]);
    let mut scratch = Scratch::new();
    let links: Vec<Link> = (0..60)
        .map(|number| Link { from: states[3 * number], to: states[5 * number + 2], cost: 40 })
        .collect();
    // A ring, and a tail that leads out of it.
    let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 1 + (from * 7) % 5 };
    let edges: Vec<Edge> = (0..900)
        .flat_map(|node| [edge(node, (node + 1) % 900), edge(node, (node * 31 + 7) % 900)])
        .chain((899..999).map(|node| edge(node, node + 1)))
        .collect();
    let graph = Graph::from_edges(1000, &edges, Vec::new()).expect("a sound graph");
    let known = [
        (Space::from(grid.clone()), from, to),
        (Space::from(grid.with_links(&links).expect("sound links")), from, to),
        (Space::from(graph), StateId::new(5), StateId::new(999)),
    ];
    for (space, from, to) in known {
        // Also without indexes, for those that do without.
        for atlas in [with_indexes(Atlas::new(space.clone())), Atlas::new(space)] {
            for (name, kind) in supported(&atlas) {
                let page =
                    walk_within_pages(name, (&atlas).into(), || kind.start(&atlas, from, to), &mut scratch);
                println!("{name}: {page} bytes");
            }
        }
    }
    for range in RANGES {
        let hidden_map = HiddenMap::of(grid.clone().into()).seen(range);
        let sensor = hidden_map.sensor();
        for (name, kind) in hidden_map.supported() {
            let page =
                walk_within_pages(name, (&sensor).into(), || kind.start(&sensor, from, to), &mut scratch);
            println!("{name} {range:?}: {page} bytes");
        }
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

#[test]
fn warming_leaves_nothing_to_be_allocated_for_the_states_of_a_map() {
    let map = generate(Kind::Caves, 512, 512, 1).expect("a size that fits");
    let atlas = Atlas::new(map.grid(Rule::Octile).expect("a small map"));
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let query = Query::new(states[0], states[states.len() - 1]);
    let mut scratch = Scratch::new();
    scratch.warm(&atlas);
    for (name, planner) in support::catalog_planners() {
        if planner.refusal(&atlas).is_some() {
            continue;
        }
        let counted = allocation_counter::measure(|| {
            let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::units(300));
            assert_eq!(outcome, Outcome::OutOfBudget, "{name}");
        });
        // A list of one target.
        assert!(counted.bytes_total < 100, "{name} allocates {} bytes", counted.bytes_total);
    }
}
