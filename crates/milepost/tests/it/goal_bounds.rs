//! What boxes of goals may and may not do: cut expansions, never answers; and what becomes of boxes that lie.

use crate::support::{cell, drawn, indexed, random_map, rounds};
use milepost::Rng;
use milepost::build::{BuildError, SILENT, build};
use milepost::catalog::planner;
use milepost::index::{IndexKind, IndexSpec};
use milepost::{
    AnyPlanner, Atlas, Budget, Edge, Graph, NodePosition, Outcome, Query, Rule, Scratch, StateId,
};
use milepost_maps::{Kind, generate};

fn named(name: &str) -> AnyPlanner {
    planner(name).expect("a name")
}

/// Plans with each, and returns what each expanded and the outcomes, which must be equal.
fn expanded(
    atlas: &Atlas,
    query: &Query<'_>,
    [without, with]: &[AnyPlanner; 2],
    scratch: &mut Scratch,
) -> [Vec<StateId>; 2] {
    let outcome = without.plan(atlas, query, scratch, &mut Budget::unlimited());
    let all = scratch.search().closed().collect();
    assert_eq!(with.plan(atlas, query, scratch, &mut Budget::unlimited()), outcome);
    [all, scratch.search().closed().collect()]
}

#[test]
fn what_is_expanded_with_bounds_is_expanded_without() {
    let mut rng = Rng::new(81);
    let mut scratch = Scratch::new();
    let pairs = [
        ["dijkstra", "dijkstra:bounds=on"],
        ["astar", "astar-bounds"],
        ["jps", "jps:bounds=on"],
        ["jps-plus:search=table", "jps-plus:search=table:bounds=on"],
    ];
    let pairs = pairs.map(|names| names.map(named));
    for round in 0..250 {
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let atlas = Atlas::new(random_map(&mut rng, 14).grid(rule).expect("a small map"));
        let atlas = indexed(atlas, pairs.as_flattened());
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for (&start, &goal) in states.iter().zip(states.iter().rev()).step_by(3) {
            let query = Query::new(start, goal);
            for pair in pairs.iter().filter(|pair| pair[1].refusal(&atlas).is_none()) {
                let [all, some] = expanded(&atlas, &query, pair, &mut scratch);
                assert!(some.iter().all(|state| all.binary_search(state).is_ok()), "{rule}: {pair:?}");
            }
        }
    }
}

#[test]
fn boxes_and_the_published_search_change_no_cost_of_jps_plus_on_all_pairs_of_thousands_of_random_maps() {
    let mut rng = Rng::new(84);
    let mut scratch = Scratch::new();
    let names = [
        "jps-plus:search=graph",
        "jps-plus:search=table",
        "jps-plus:search=graph:bounds=on",
        "jps-plus:search=table:bounds=on",
    ];
    let planners = names.map(named);
    let mut expansions = [0; 4];
    for round in 0..rounds(3000) {
        let rule = if round % 4 == 0 { Rule::Octile14 } else { Rule::Octile };
        let map = random_map(&mut rng, if round % 100 == 0 { 20 } else { 8 });
        let atlas = indexed(Atlas::new(map.grid(rule).expect("a small map")), &planners);
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for (&start, &goal) in states.iter().flat_map(|start| states.iter().map(move |goal| (start, goal))) {
            let mut costs = [None; 4];
            for (index, planner) in planners.iter().enumerate() {
                let outcome =
                    planner.plan(&atlas, &Query::new(start, goal), &mut scratch, &mut Budget::unlimited());
                assert_ne!(outcome, Outcome::IndexDamaged, "{}", names[index]);
                costs[index] = outcome.cost();
                expansions[index] += scratch.search().expanded();
            }
            assert_eq!(costs, [costs[0]; 4], "{round}: {start:?} to {goal:?}");
        }
    }
    assert!(expansions[2] < expansions[0] && expansions[3] < expansions[1], "{expansions:?}");
}

/// The boxes of the chapter in the place of ours, for what takes them for ours.
fn with_boxes_as_printed(atlas: &Atlas) -> Atlas {
    let index = IndexSpec::from_text("goal-bounds:as-printed").expect("a name");
    let printed = build(atlas, index, SILENT).expect("any grid will do");
    let boxes = printed.sections().iter().find(|section| section.index() == index).expect("just built");
    let ready = build(&printed, IndexKind::JUMP_TABLE, SILENT).expect("a grid on which paths can jump");
    ready.with_section(IndexKind::GOAL_BOUNDS, boxes.bytes()).expect("the same layout")
}

#[test]
fn boxes_as_printed_serve_listing_22_1_and_lose_the_paths_of_jps_plus() {
    let mut scratch = Scratch::new();
    let mut plan = |atlas: &Atlas, query: &Query<'_>, planner: &str| {
        named(planner).plan(atlas, query, &mut scratch, &mut Budget::unlimited())
    };
    // Both the east and the south-east begin a shortest path, and the box of the east, which comes first, holds the goal. A search
    // that goes diagonally first looks for no goal in the south-east of a cell that it came to from the west.
    let atlas = with_boxes_as_printed(&drawn("... ...", Rule::Octile));
    let query = Query::new(cell(&atlas, 0, 0), cell(&atlas, 2, 1));
    let truth = plan(&atlas, &query, "dijkstra");
    assert_eq!(plan(&atlas, &query, "astar-bounds:bounds=as-printed"), truth);
    assert_eq!(plan(&atlas, &query, "dijkstra:bounds=on"), truth);
    for lost in ["jps-plus:search=table:bounds=on", "jps:bounds=on", "astar-bounds"] {
        assert_eq!(plan(&atlas, &query, lost), Outcome::IndexDamaged, "{lost}");
    }
    // Over links between jump points, too.
    let atlas = with_boxes_as_printed(&drawn("... ..@ ..@", Rule::Octile));
    let query = Query::new(cell(&atlas, 0, 2), cell(&atlas, 2, 0));
    assert_eq!(plan(&atlas, &query, "jps-plus:search=graph:bounds=on"), Outcome::IndexDamaged);
    assert!(plan(&atlas, &query, "jps-plus").cost().is_some());
}

#[test]
fn with_boxes_as_printed_searches_over_all_edges_stay_optimal_and_no_others_do() {
    let mut rng = Rng::new(85);
    let mut scratch = Scratch::new();
    let all_edges = ["astar-bounds:bounds=as-printed", "dijkstra:bounds=on"].map(named);
    let others = [
        "astar-bounds",
        "jps:bounds=on",
        "jps-plus:search=table:bounds=on",
        "jps-plus:search=graph:bounds=on",
    ]
    .map(named);
    let truth = named("dijkstra");
    // Of each of the others: no path, and a longer one.
    let mut lost = [[0; 2]; 4];
    for round in 0..rounds(2000) {
        let rule = if round % 4 == 0 { Rule::Octile14 } else { Rule::Octile };
        let atlas =
            with_boxes_as_printed(&Atlas::new(random_map(&mut rng, 6).grid(rule).expect("a small map")));
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for (&start, &goal) in states.iter().flat_map(|start| states.iter().map(move |goal| (start, goal))) {
            let query = Query::new(start, goal);
            let mut plan =
                |planner: &AnyPlanner| planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
            let expected = plan(&truth);
            assert!(all_edges.iter().all(|planner| plan(planner) == expected), "{start:?} to {goal:?}");
            for (lost, planner) in lost.iter_mut().zip(&others) {
                let outcome = plan(planner);
                if outcome != expected {
                    lost[usize::from(outcome != Outcome::IndexDamaged)] += 1;
                }
            }
        }
    }
    println!("no path, a longer path: {lost:?}");
    assert!(lost.as_flattened().iter().all(|&lost| lost > 0), "{lost:?}");
}

#[test]
fn in_a_maze_most_expansions_are_saved() {
    let maze = generate(Kind::Maze, 41, 41, 3).expect("a size that fits");
    let mut scratch = Scratch::new();
    for rule in Rule::ALL {
        let atlas = Atlas::new(maze.grid(rule).expect("a small map"));
        let atlas = build(&atlas, IndexKind::GOAL_BOUNDS, SILENT).expect("any grid will do");
        let states: Vec<StateId> = atlas.space().free_states().collect();
        let (mut all, mut some) = (0, 0);
        for (&start, &goal) in states.iter().zip(states.iter().rev()).step_by(7) {
            let query = Query::new(start, goal);
            let pair = [named("astar"), named("astar-bounds")];
            let counts = expanded(&atlas, &query, &pair, &mut scratch).map(|states| states.len());
            all += counts[0];
            some += counts[1];
        }
        assert!(some * 2 < all, "{rule}: {some} of {all}");
    }
}

#[test]
fn bounds_are_the_same_bytes_with_any_number_of_threads() {
    let mut rng = Rng::new(82);
    let mut edges = Vec::new();
    let mut positions = Vec::new();
    for number in 0..300 {
        positions.push(NodePosition {
            x: rng.below(1000) as i32,
            y: rng.below(1000) as i32,
            z: rng.below(3) as i32,
        });
        for _ in 0..3 {
            let (from, to) = (StateId::new(number), StateId::new(rng.below(300)));
            edges.push(Edge { from, to, cost: 1 + rng.below(100) });
        }
    }
    let graph = Graph::from_edges(300, &edges, positions).expect("a sound graph");
    let map = generate(Kind::Caves, 48, 48, 4).expect("a size that fits");
    for atlas in [Atlas::new(map.grid(Rule::Octile).expect("a small map")), Atlas::new(graph)] {
        let bytes = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let built = pool.install(|| build(&atlas, IndexKind::GOAL_BOUNDS, SILENT)).expect("buildable");
            built.sections()[0].bytes().to_vec()
        };
        assert_eq!(bytes(1), bytes(3));
    }
}

/// One byte for each value where that is enough, as the chapter says.
#[test]
fn values_are_as_wide_as_the_map_needs() {
    for (width, height, rule, values, bytes) in [
        (255, 3, Rule::Octile, 32.0, 1),
        (256, 3, Rule::Octile, 32.0, 2),
        (3, 256, Rule::Octile14, 32.0, 2),
        (9, 9, Rule::Four, 16.0, 1),
        (9, 9, Rule::Hex, 24.0, 1),
    ] {
        let grid = milepost::Grid::new(width, height, rule, |_, _| true).expect("a small map");
        let atlas = build(&Atlas::new(grid), IndexKind::GOAL_BOUNDS, SILENT).expect("any grid will do");
        let fact = |name| atlas.fact(IndexKind::GOAL_BOUNDS, name).expect("just built");
        let (states, bytes) = (f64::from(width * height), f64::from(bytes));
        assert_eq!((fact("values per state"), fact("value bytes")), (values, bytes));
        assert_eq!(fact("box bytes"), states * values * bytes);
        assert!(atlas.sections()[0].bytes().len() as f64 >= states * values * bytes);
    }
}

#[test]
fn graphs_without_coordinates_have_no_boxes() {
    let edge = Edge { from: StateId::new(0), to: StateId::new(1), cost: 1 };
    let atlas = Atlas::new(Graph::from_edges(2, &[edge], Vec::new()).expect("a sound graph"));
    let error = build(&atlas, IndexKind::GOAL_BOUNDS, SILENT).expect_err("no coordinates");
    assert!(matches!(error, BuildError::NotForThisSpace { kind: IndexKind::GOAL_BOUNDS, .. }));
    assert_eq!(error.to_string(), "`goal-bounds` is not for graphs without coordinates");
}

/// Whatever stands in the boxes, an answer comes, and a goal that must be reachable is never called unreachable.
#[test]
fn boxes_that_lie_are_told_and_nothing_panics() {
    let mut rng = Rng::new(83);
    let mut scratch = Scratch::new();
    let key = IndexKind::GOAL_BOUNDS;
    let planners = [
        "astar-bounds",
        "dijkstra:bounds=on",
        "weighted-astar:2:bounds=on",
        "jps:bounds=on",
        "jps-plus:search=table:bounds=on",
        "jps-plus:search=graph:bounds=on",
    ]
    .map(named);
    let mut damaged = 0;
    for round in 0..300 {
        let plain = Atlas::new(
            random_map(&mut rng, 9).grid(Rule::ALL[round % Rule::ALL.len()]).expect("a small map"),
        );
        let built = build(&plain, IndexKind::GOAL_BOUNDS, SILENT).expect("any grid will do");
        let mut bytes = built.sections()[0].bytes().to_vec();
        // Heads, lengths and ranks are checked; boxes may say anything. They come last, in the third of four arrays.
        let boxes = u32::from_le_bytes(bytes[40..44].try_into().expect("the offset of the third array"));
        let first = if round % 4 == 0 { 0 } else { boxes };
        if first == bytes.len() as u32 {
            continue;
        }
        for _ in 0..1 + rng.below(200) {
            let at = first + rng.below(bytes.len() as u32 - first);
            bytes[at as usize] = rng.below(256) as u8;
        }
        let Ok(atlas) = plain.with_section(key, &bytes) else { continue };
        let atlas = build(&atlas, IndexKind::JUMP_TABLE, SILENT).unwrap_or(atlas);
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for (&start, &goal) in states.iter().zip(states.iter().rev()) {
            for planner in planners.iter().filter(|planner| planner.refusal(&atlas).is_none()) {
                let query = Query::new(start, goal);
                let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                let reachable = atlas.space().component(start) == atlas.space().component(goal);
                match outcome {
                    Outcome::Found { .. } => assert!(reachable),
                    Outcome::Unreachable => assert!(!reachable),
                    Outcome::IndexDamaged => damaged += 1,
                    other => panic!("{other:?}"),
                }
            }
        }
    }
    assert!(damaged > 0, "the test wants boxes that lie");
}

#[test]
fn sections_of_other_maps_are_refused() {
    let (one, other) = (drawn("... ...", Rule::Octile), drawn("... .@.", Rule::Octile));
    let built = build(&one, IndexKind::GOAL_BOUNDS, SILENT).expect("any grid will do");
    let section = &built.sections()[0];
    for atlas in [&other, &drawn("... ...", Rule::Four), &drawn(".. .. ..", Rule::Octile)] {
        assert!(atlas.with_section(section.index(), section.bytes()).is_err());
    }
    for length in 0..section.bytes().len() {
        assert!(one.with_section(section.index(), &section.bytes()[..length]).is_err());
    }
    let again = one.with_section(section.index(), section.bytes()).expect("its own");
    assert_eq!(again.sections()[0].bytes(), section.bytes());
}
