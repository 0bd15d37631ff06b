//! One table of cases that every agent runs through, against an oracle that is too simple to be wrong.

use crate::support::journeys::{
    journey, kinds, random_space, random_space_or_mesh, step, supported, truth, with_indexes,
};
use crate::support::{cell, close, drawn, rounds};
use milepost::Rng;
use milepost::agent::SpaceLimits;
use milepost::catalog::restore;
use milepost::index::IndexKind;
use milepost::plan::{Dijkstra, Refusal};
use milepost::{
    Atlas, Budget, Edge, Edit, Graph, Grid, Outcome, Planner, Point, Query, Refused, Rule, Scratch, Space,
    StateId, Step,
};
use milepost_maps::{Kind, TileMap, generate};

const YARD: &str =
    "............ .@@@@@@@@@.. .@......@@.. .@.@@@@....@ .@.@..@.@@.@ .@.@@@@.@@.. .@......@... ............";

#[test]
fn every_agent_reaches_every_reachable_goal_of_random_spaces_within_its_work() {
    let mut rng = Rng::new(71);
    let mut scratch = Scratch::new();
    for round in 0..rounds(600) {
        let atlas = with_indexes(Atlas::new(random_space_or_mesh(&mut rng, round)));
        let (states, distances) = truth(atlas.space());
        for (name, kind) in supported(&atlas) {
            for (from, row) in states.iter().zip(&distances) {
                for (to, expected) in states.iter().zip(row) {
                    let mut agent = kind.start(&atlas, *from, *to);
                    let (end, cost, _) = journey(&mut agent, &atlas, &mut scratch);
                    let says = || format!("{name}, round {round}: {from} to {to}");
                    if expected.is_infinite() {
                        assert_eq!(end, Step::NoPath, "{}", says());
                        continue;
                    }
                    assert_eq!((end, agent.state()), (Step::Arrived, *to), "{}", says());
                    let cost = atlas.space().scale().to_f64(cost);
                    let is_best = close(cost, *expected);
                    assert!(is_best || cost > *expected, "{}: {cost} for {expected}", says());
                    assert!(is_best || !kind.is_optimal(atlas.space()), "{}: {cost} for {expected}", says());
                    // An agent that has arrived stays there.
                    assert_eq!(step(&mut agent, &atlas, &mut scratch, u64::MAX).0, Step::Arrived);
                }
            }
        }
    }
}

/// Large enough that indexes are stored in another way than those of a few cells.
#[test]
fn every_agent_reaches_goals_on_larger_maps_under_every_rule() {
    let mut rng = Rng::new(76);
    let (mut scratch, mut plain) = (Scratch::new(), Scratch::new());
    for rule in Rule::ALL {
        let map = generate(Kind::Caves, 60, 44, 7).expect("a size that fits");
        let atlas = with_indexes(Atlas::new(map.grid(rule).expect("a small map")));
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for (name, kind) in supported(&atlas) {
            for _ in 0..rounds(200) {
                let mut any = || states[rng.below(states.len() as u32) as usize];
                let (from, to) = (any(), any());
                let (end, cost, _) = journey(&mut kind.start(&atlas, from, to), &atlas, &mut scratch);
                let query = Query::new(from, to);
                match Dijkstra::default().plan(&atlas, &query, &mut plain, &mut Budget::unlimited()) {
                    Outcome::Found { cost: least, .. } => {
                        assert_eq!(end, Step::Arrived, "{name} {rule}: {from} to {to}");
                        assert!(
                            cost == least || cost > least && !kind.is_optimal(atlas.space()),
                            "{name} {rule}"
                        );
                    }
                    _ => assert_eq!(end, Step::NoPath, "{name} {rule}: {from} to {to}"),
                }
            }
        }
    }
}

#[test]
fn every_agent_of_the_catalog_works_somewhere() {
    let atlas = with_indexes(drawn(YARD, Rule::Octile));
    assert_eq!(supported(&atlas).len(), kinds().len());
}

#[test]
fn what_is_blocked_or_outside_has_no_path_and_no_agent_panics() {
    let atlas = with_indexes(drawn(YARD, Rule::Octile));
    let (free, wall) = (cell(&atlas, 0, 0), cell(&atlas, 1, 1));
    let mut scratch = Scratch::new();
    for (name, kind) in supported(&atlas) {
        for nowhere in [wall, StateId::NONE, StateId::new(0), StateId::new(u32::MAX - 1)] {
            for (from, to) in [(free, nowhere), (nowhere, free), (nowhere, nowhere)] {
                let mut agent = kind.start(&atlas, from, to);
                let (end, ..) = journey(&mut agent, &atlas, &mut scratch);
                assert_eq!(end, Step::NoPath, "{name}: {from} to {to}");
            }
        }
    }
}

#[test]
fn a_budget_below_the_stated_least_starves_an_agent_and_nothing_has_changed() {
    let atlas = with_indexes(drawn(YARD, Rule::Octile));
    let (from, to) = (cell(&atlas, 2, 2), cell(&atlas, 11, 7));
    let mut scratch = Scratch::new();
    for (name, kind) in supported(&atlas) {
        let min_units = kind.limits(SpaceLimits::PLAIN).min_units;
        let mut agent = kind.start(&atlas, from, to);
        loop {
            for units in 0..min_units {
                let (refused, _) = step(&mut agent, &atlas, &mut scratch, units);
                assert_eq!(refused, Step::Starved { min_units }, "{name}");
            }
            // The least that is stated is enough to get on.
            if step(&mut agent, &atlas, &mut scratch, min_units).0 == Step::Arrived {
                break;
            }
        }
        assert_eq!(agent.state(), to, "{name}");
    }
}

#[test]
fn an_agent_that_was_saved_or_cloned_makes_the_same_moves_as_one_that_was_not() {
    let mut rng = Rng::new(72);
    let mut scratch = Scratch::new();
    for round in 0..120 {
        let atlas = with_indexes(Atlas::new(random_space_or_mesh(&mut rng, round)));
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for (name, kind) in supported(&atlas).into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut agent = kind.start(&atlas, any(), any());
            let (end, _, trail) = journey(&mut agent.clone(), &atlas, &mut scratch);
            for left in (0..=trail.len()).rev() {
                let bytes = agent.to_bytes();
                let mut restored = restore(&bytes, (&atlas).into()).expect("our own bytes");
                assert_eq!(restored.to_bytes(), bytes, "{name}");
                let later = journey(&mut restored, &atlas, &mut scratch);
                assert_eq!((later.0, &later.2[..]), (end, &trail[trail.len() - left..]), "{name}");
                while left > 0 && step(&mut agent, &atlas, &mut scratch, u64::MAX).0 == Step::Thinking {}
            }
        }
    }
}

/// Every byte of a small table is replaced by every other: some of these tables lead in circles.
#[test]
fn a_table_that_leads_in_a_circle_stops_the_agent() {
    let atlas = with_indexes(drawn("...", Rule::Four));
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let section = atlas.sections().iter().find(|section| section.index().kind == IndexKind::FIRST_MOVES);
    let section = section.expect("the table was built");
    let (mut scratch, mut stopped) = (Scratch::new(), 0);
    for (to, from) in (0..section.bytes().len()).flat_map(|to| (0..to).map(move |from| (to, from))) {
        let mut bytes = section.bytes().to_vec();
        bytes.swap(to, from);
        let Ok(changed) = atlas.with_section(section.index(), &bytes) else { continue };
        for (from, to) in states.iter().flat_map(|from| states.iter().map(move |to| (*from, *to))) {
            let mut agent = changed.agent("first-moves", from, to).expect("a table is there");
            let (end, _, trail) = journey(&mut agent, &changed, &mut scratch);
            stopped += u32::from(end == Step::Stopped);
            assert!(trail.len() < 9, "{trail:?}");
        }
    }
    assert!(stopped > 0);
}

#[test]
fn a_new_goal_is_taken_between_two_moves() {
    let mut rng = Rng::new(74);
    let mut scratch = Scratch::new();
    for round in 0..300 {
        let atlas = with_indexes(Atlas::new(random_space(&mut rng, round)));
        let (states, distances) = truth(atlas.space());
        for (name, kind) in supported(&atlas).into_iter().filter(|_| !states.is_empty()) {
            let mut any = || rng.below(states.len() as u32) as usize;
            let mut agent = kind.start(&atlas, states[any()], states[any()]);
            for _ in 0..4 {
                for _ in 0..any() % 4 {
                    step(&mut agent, &atlas, &mut scratch, u64::MAX);
                }
                let at = states.iter().position(|state| *state == agent.state()).expect("a free state");
                let goal = any();
                agent.retarget(states[goal]);
                assert_eq!(agent.goal(), states[goal]);
                let (end, cost, _) = journey(&mut agent.clone(), &atlas, &mut scratch);
                let expected = distances[at][goal];
                let wanted = if expected.is_finite() { Step::Arrived } else { Step::NoPath };
                assert_eq!(end, wanted, "{name}, round {round}");
                if expected.is_finite() && kind.is_optimal(atlas.space()) {
                    let cost = atlas.space().scale().to_f64(cost);
                    assert!(close(cost, expected), "{name}, round {round}: {cost} for {expected}");
                }
            }
        }
    }
}

#[test]
fn an_agent_that_knows_the_map_forgets_what_it_learned_when_it_is_given_a_new_goal() {
    let atlas = with_indexes(drawn(YARD, Rule::Octile));
    let mut scratch = Scratch::new();
    let mut most = 0;
    for (name, kind) in supported(&atlas) {
        let mut agent = kind.start(&atlas, cell(&atlas, 2, 2), cell(&atlas, 11, 7));
        journey(&mut agent, &atlas, &mut scratch);
        most = most.max(agent.remembered());
        agent.retarget(cell(&atlas, 0, 0));
        assert_eq!(agent.remembered(), 0, "{name}");
    }
    assert!(most > 0);
}

#[test]
fn another_map_or_rule_is_refused_and_nothing_has_changed() {
    let atlas = with_indexes(drawn(YARD, Rule::Octile));
    let others = [
        with_indexes(drawn(YARD, Rule::Octile14)),
        with_indexes(drawn(YARD, Rule::Hex)),
        with_indexes(drawn("....", Rule::Octile)),
    ];
    let mut scratch = Scratch::new();
    for (name, kind) in supported(&atlas) {
        let mut agent = kind.start(&atlas, cell(&atlas, 2, 2), cell(&atlas, 11, 7));
        loop {
            for other in &others {
                let (refused, _) = step(&mut agent, other, &mut scratch, u64::MAX);
                assert_eq!(refused, Step::Refused(Refused::OtherMap), "{name}");
            }
            if step(&mut agent, &atlas, &mut scratch, u64::MAX).0 == Step::Arrived {
                break;
            }
        }
    }
}

#[test]
fn on_another_version_of_its_map_an_agent_goes_on_from_where_it_stands() {
    let mut rng = Rng::new(75);
    let mut scratch = Scratch::new();
    for round in 0..rounds(300) {
        let space = random_space(&mut rng, round);
        let Some(grid) = space.as_grid().cloned() else { continue };
        let first = with_indexes(Atlas::new(grid));
        let states: Vec<StateId> = first.space().free_states().collect();
        if states.is_empty() {
            continue;
        }
        // All agents walk through the same versions: indexes are built once for each.
        let mut versions: Vec<Version> = Vec::new();
        for _ in 0..6 {
            versions
                .push(Version::after(versions.last().map_or(&first, |version| &version.indexed), &mut rng));
        }
        for (name, kind) in supported(&first) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (from, to) = (any(), any());
            let mut agent = kind.start(&first, from, to);
            let mut before = &first;
            for Version { edit, bare, indexed, places, distances } in &versions {
                step(&mut agent, before, &mut scratch, u64::MAX);
                // One that calls planners goes on by another.
                if let Some(refusal @ Refusal::NoIndex(_)) = kind.refusal(bare)
                    && !kind.about().calls_planners
                {
                    // Until the index is there again.
                    let (refused, _) = step(&mut agent, bare, &mut scratch, u64::MAX);
                    assert_eq!(refused, Step::Refused(Refused::Unable(refusal)), "{name}");
                }
                let place = |state: StateId| places.iter().position(|other| *other == state);
                let expected = match (place(agent.state()), place(to)) {
                    (Some(at), Some(to)) => distances[at][to],
                    _ => f64::INFINITY,
                };
                let (end, cost, _) = journey(&mut agent.clone(), indexed, &mut scratch);
                let wanted = if expected.is_finite() { Step::Arrived } else { Step::NoPath };
                assert_eq!(end, wanted, "{name}, round {round}, {edit:?}");
                if expected.is_finite() && kind.is_optimal(indexed.space()) {
                    let cost = indexed.space().scale().to_f64(cost);
                    assert!(close(cost, expected), "{name}, round {round}, {edit:?}: {cost} for {expected}");
                }
                before = indexed;
            }
        }
    }
}

/// A map after one edit more.
struct Version {
    edit: Edit,
    /// Without the indexes that the edit drops.
    bare: Atlas,
    indexed: Atlas,
    places: Vec<StateId>,
    distances: Vec<Vec<f64>>,
}

impl Version {
    /// A cell of the map opens or closes.
    fn after(before: &Atlas, rng: &mut Rng) -> Version {
        let at = random_point(rng, before.space());
        let is_free = before.space().as_grid().is_some_and(|grid| grid.is_free_at(at));
        let edit = if is_free { Edit::close(at) } else { Edit::open(at) };
        let bare = before.edited(&[edit]).expect("inside");
        let indexed = with_indexes(bare.clone());
        let (places, distances) = truth(indexed.space());
        Version { edit, bare, indexed, places, distances }
    }
}

fn random_point(rng: &mut Rng, space: &Space) -> Point {
    let (width, height) = space.as_grid().map_or((1, 1), |grid: &Grid| (grid.width(), grid.height()));
    Point::new(rng.below(width).into(), rng.below(height).into())
}

#[test]
fn an_agent_is_made_by_its_name_or_refused_with_the_reason() {
    let bare = drawn(YARD, Rule::Octile);
    let atlas = with_indexes(bare.clone());
    let (from, to) = (cell(&atlas, 2, 2), cell(&atlas, 11, 7));
    let agent = atlas.agent("first-moves", from, to).expect("its table is there");
    assert_eq!((agent.name(), agent.state(), agent.goal()), ("first-moves", from, to));
    let message = |atlas: &Atlas, name: &str| atlas.agent(name, from, to).expect_err(name).to_string();
    assert!(message(&atlas, "nosuch").contains("there is no agent `nosuch`"));
    assert!(message(&atlas, "first-moves:9").contains("takes no parameter"));
    assert_eq!(
        message(&bare, "first-moves"),
        "`first-moves` needs the index `first-moves`, which is not there: build it with `milepost build MAP --index first-moves`, \
         or `milepost::build::build`; edits drop it: where maps change, take what reads no index; agents that work here: \
         follow, tba, subgoal-trees, lss-lrta, lrta-k, lrta"
    );
    for (name, hint) in [
        ("folow", "; did you mean `follow`?"),
        ("lstra", "; did you mean `lrta`?"),
        ("jps", "; `jps` is a planner: `follow:jps` is an agent that walks its paths"),
        ("simplex", ", lrta"),
    ] {
        assert!(message(&atlas, name).ends_with(hint), "{}", message(&atlas, name));
    }
    let message = |name: &str| milepost::catalog::planner(name).expect_err(name).to_string();
    for (name, hint) in [
        ("jsp", "; did you mean `jps`?"),
        ("A*", "; did you mean `astar`?"),
        ("tba", "; `tba` is an agent: `Atlas::agent` starts it"),
    ] {
        assert!(message(name).ends_with(hint), "{}", message(name));
    }
}

#[test]
fn the_work_of_a_step_does_not_grow_with_the_map() {
    let mut scratch = Scratch::new();
    for side in [2, 8, 30, 64] {
        let map = TileMap::filled(side, side, b'.').expect("a small map");
        let atlas = with_indexes(Atlas::new(map.grid(Rule::Octile).expect("a small map")));
        let last = i64::from(side) - 1;
        for (name, kind) in supported(&atlas) {
            let mut agent = kind.start(&atlas, cell(&atlas, 0, 0), cell(&atlas, last, last));
            // Each step is held to what is stated, which knows no map.
            let (end, _, trail) = journey(&mut agent, &atlas, &mut scratch);
            assert_eq!(end, Step::Arrived, "{name}");
            assert!(trail.len() >= last as usize, "{name}: {} moves on {side} x {side}", trail.len());
        }
    }
}

#[test]
fn after_an_edit_that_adds_links_an_agent_states_the_limits_of_the_new_map() {
    let atlas = with_indexes(drawn(YARD, Rule::Octile));
    let (from, to) = (cell(&atlas, 2, 2), cell(&atlas, 11, 7));
    // So many links begin at one cell that its expansion takes more than a unit.
    let links: Vec<Edit> =
        (0..6).map(|x| Edit::Link { from: Point::new(0, 0), to: Point::new(x, 7), cost: 30 }).collect();
    let linked = with_indexes(atlas.edited(&links).expect("inside"));
    let mut scratch = Scratch::new();
    let mut grown = 0;
    for (name, kind) in supported(&atlas).into_iter().filter(|(_, kind)| kind.refusal(&linked).is_none()) {
        let mut agent = kind.start(&atlas, from, to);
        let before = agent.limits();
        let expected = kind.start(&linked, from, to).limits();
        assert_eq!(agent.limits_in((&linked).into()), expected, "{name} is told before it is shown");
        assert_eq!(agent.limits(), before, "{name}");
        if expected.min_units > before.min_units {
            grown += 1;
            let saved = agent.to_bytes();
            let (starved, _) = step(&mut agent, &linked, &mut scratch, before.min_units);
            assert_eq!(starved, Step::Starved { min_units: expected.min_units }, "{name}");
            assert_eq!((agent.limits(), agent.to_bytes()), (expected, saved), "{name}");
            // Shown the old map again, it is what it was.
            agent.clone().step(&atlas, &mut scratch, &mut Budget::unlimited());
            let (done, _) = step(&mut agent.clone(), &atlas, &mut scratch, before.min_units);
            assert!(!matches!(done, Step::Starved { .. }), "{name}");
        }
        step(&mut agent, &linked, &mut scratch, u64::MAX);
        assert_eq!(agent.limits(), expected, "{name}");
        agent.step(&atlas, &mut scratch, &mut Budget::unlimited());
        assert_eq!(agent.limits(), before, "{name}");
    }
    assert!(grown > 3, "{grown}");
}

#[test]
fn what_a_step_takes_does_not_grow_with_the_number_of_links() {
    let mut scratch = Scratch::new();
    let limits = [200, 2000, 6000].map(|count| {
        let grid = Grid::new(120, 120, Rule::Octile, |x, y| (x * 5 + y * 3) % 11 != 0).expect("a map");
        let free: Vec<StateId> = Space::from(grid.clone()).free_states().collect();
        let mut rng = Rng::new(77);
        // A link from each of so many cells.
        let links: Vec<milepost::space::Link> = (0..count)
            .map(|number| {
                let to = free[rng.below(free.len() as u32) as usize];
                milepost::space::Link { from: free[number], to, cost: 20 + rng.below(200) }
            })
            .collect();
        let atlas = Atlas::new(grid.with_links(&links).expect("sound links"));
        let bare = supported(&atlas).into_iter().filter(|(_, kind)| kind.needs().is_empty());
        let stated = bare.map(|(name, kind)| {
            let mut agent = kind.start(&atlas, free[0], free[free.len() - 1]);
            let limits = agent.limits();
            // Each step is held to what is stated.
            for _ in 0..300 {
                step(&mut agent, &atlas, &mut scratch, u64::MAX);
            }
            (name, limits.min_units, limits.max_units)
        });
        stated.collect::<Vec<_>>()
    });
    assert!(limits[0].len() > 3);
    assert_eq!(limits[0], limits[1]);
    assert_eq!(limits[1], limits[2]);
}

/// No way out of a component has to be looked for where every edge leads both ways.
#[test]
fn where_edges_lead_both_ways_agents_think_as_on_grids_and_know_what_cannot_be_reached() {
    let mut rng = Rng::new(78);
    let mut scratch = Scratch::new();
    for round in 0..rounds(200) {
        let nodes = 2 + rng.below(14);
        let pairs: Vec<(u32, u32)> =
            (0..rng.below(2 * nodes)).map(|_| (rng.below(nodes), rng.below(nodes))).collect();
        let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 1 + (from ^ to) };
        let both = |&(a, b): &(u32, u32)| [edge(a, b), edge(b, a)];
        let edges: Vec<Edge> = pairs.iter().flat_map(both).collect();
        let atlas = Atlas::new(Graph::from_edges(nodes, &edges, Vec::new()).expect("a sound graph"));
        let (states, distances) = truth(atlas.space());
        // As many cells for each node as edges lead from it: what an agent searches may count them all.
        let leading = |node: u32| edges.iter().filter(|edge| edge.from == StateId::new(node)).count() as u32;
        let cells = nodes * (0..nodes).map(leading).max().unwrap_or(0).max(1);
        let row = Atlas::new(Grid::new(cells, 1, Rule::Octile, |_, _| true).expect("a small map"));
        for (name, kind) in supported(&atlas).into_iter().filter(|(_, kind)| kind.needs().is_empty()) {
            let (from, to) = (rng.below(nodes) as usize, rng.below(nodes) as usize);
            let mut agent = kind.start(&atlas, states[from], states[to]);
            let on_grids = kind.start(&row, states[0], states[0]).limits().max_thinking;
            assert!(agent.limits().max_thinking <= on_grids, "{name}: {:?}", agent.limits());
            if distances[from][to].is_infinite() {
                assert_eq!(
                    step(&mut agent, &atlas, &mut scratch, u64::MAX).0,
                    Step::NoPath,
                    "{name} at once"
                );
            } else {
                assert_eq!(
                    journey(&mut agent, &atlas, &mut scratch).0,
                    Step::Arrived,
                    "{name}, round {round}"
                );
            }
        }
        // One edge that leads one way is enough.
        let one_way = Edge { from: StateId::new(nodes - 1), to: StateId::new(0), cost: 1 };
        if !edges.iter().any(|edge| edge.from == one_way.to && edge.to == one_way.from) {
            let edges: Vec<Edge> = edges.iter().copied().chain([one_way]).collect();
            let atlas = Atlas::new(Graph::from_edges(nodes, &edges, Vec::new()).expect("a sound graph"));
            let lrta = milepost::catalog::agent("lrta").expect("a name of the catalog");
            let limits = lrta.start(&atlas, states[0], states[0]).limits();
            assert_eq!(limits.max_thinking, 2 * u64::from(nodes) + 2);
        }
    }
}
