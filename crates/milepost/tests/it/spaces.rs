//! Every kind of space: rules x weights x links x overlays, and directed graphs, on all pairs against the oracle.

use crate::support;
use crate::support::{OracleLink, distances_with_links, indexed, plain_dijkstra, random_map};
use milepost::Rng;
use milepost::catalog::planner;
use milepost::index::IndexKind;
use milepost::plan::Refusal;
use milepost::space::Reach;
use milepost::{
    AnyPlanner, Atlas, Budget, Edge, Edit, Graph, Heuristic, NodePosition, Outcome, Overlay, PartialReason,
    Point, Query, Rule, Scratch, Space, StateId,
};

fn planners(names: &[&'static str]) -> Vec<(&'static str, AnyPlanner)> {
    names.iter().map(|&name| (name, planner(name).expect("a name"))).collect()
}

/// Asks every planner for one pair; paths must be legal, and cost what the oracle says, or at most the weight times.
fn ask(
    atlas: &Atlas,
    query: &Query<'_>,
    expected: f64,
    contestants: &[(&'static str, AnyPlanner)],
    scratch: &mut Scratch,
) {
    let space = atlas.space();
    let goal = query.goals.states().next().expect("a state");
    for (name, planner) in contestants {
        let outcome = planner.plan(atlas, query, scratch, &mut Budget::unlimited());
        let no_overlays = query.overlay.filter(|_| !planner.obeys_overlays()).map(|_| Refusal::Overlay);
        if let Some(refusal) = planner.refusal(atlas).or(no_overlays) {
            assert_eq!(outcome, Outcome::Refused(refusal), "{name}");
            continue;
        }
        match outcome {
            Outcome::Unreachable => assert!(expected.is_infinite(), "{name}: {:?} -> {goal}", query.start),
            Outcome::Found { .. } => {
                let cost = scratch.path().cost_f64();
                let most = if planner.is_optimal(space) { expected } else { expected * 1.5 };
                assert!(cost > expected - 1e-6 && cost <= most + 1e-6, "{name}: {cost} for {expected}");
                let cells: Vec<StateId> = space.cells(scratch.path()).collect();
                assert_eq!(
                    (cells.first(), cells.last()),
                    (query.start.state().as_ref(), Some(&goal)),
                    "{name}"
                );
                let steps = cells.windows(2).map(|two| space.step_cost(two[0], two[1], query.overlay));
                let sum: Option<u64> = steps.map(|cost| cost.map(|cost| cost.units())).sum();
                assert_eq!(sum, Some(scratch.path().cost().units()), "{name}: steps do not add up");
            }
            other => panic!("{name}: {other:?}"),
        }
        match space.reach(query.start.state().expect("a state"), goal) {
            Reach::Always => assert!(expected.is_finite()),
            Reach::Never => assert!(expected.is_infinite()),
            Reach::Perhaps => {}
        }
    }
}

#[test]
fn weights_links_and_overlays_under_every_rule_equal_the_oracle_on_all_pairs() {
    let mut rng = Rng::new(61);
    let mut scratch = Scratch::new();
    let contestants = planners(&[
        "dijkstra",
        "astar",
        "astar:h=zero",
        "astar:h=euclidean",
        "weighted-astar:1.5",
        "jps",
        "astar-bounds",
        "dijkstra:bounds=on",
        "weighted-astar:1.5:bounds=on",
        "jps:bounds=on",
    ]);
    for round in 0..2000 {
        let map = random_map(&mut rng, 5);
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let (width, height) = (map.width(), map.height());
        let mut space = Space::from(map.grid(rule).expect("a small map"));
        let random_factors = |rng: &mut Rng, most: u32| -> Vec<u8> {
            (0..width * height).map(|_| 1 + rng.below(most) as u8).collect()
        };
        let top = [1, 2, 9, 255][rng.below(4) as usize];
        let weights = random_factors(&mut rng, top);
        let at = |values: &[u8], x: i64, y: i64| f64::from(values[(y * i64::from(width) + x) as usize]);
        let grid = space.as_grid().expect("a grid");
        space = grid.with_weights(|x, y| weights[(y * width + x) as usize]).expect("no zeros").into();
        let mut links: Vec<OracleLink> = Vec::new();
        for _ in 0..rng.below(4) {
            let mut draw = || (i64::from(rng.below(width)), i64::from(rng.below(height)));
            let (from, to) = (draw(), draw());
            let cost = 1 + rng.below(6);
            links.retain(|link| (link.0, link.1) != (from, to));
            links.push((from, to, f64::from(cost)));
            let point = |(x, y)| Point::new(x, y);
            space =
                space.edited(&[Edit::Link { from: point(from), to: point(to), cost }]).expect("a sound link");
        }
        let overlay_factors = random_factors(&mut rng, 5);
        let grid = space.as_grid().expect("a grid");
        let overlay = Overlay::new(grid, |x, y| overlay_factors[(y * width + x) as usize]).expect("no zeros");
        let with_overlay = rng.chance(1, 3);
        let atlas = indexed(Atlas::new(space.clone()), contestants.iter().map(|(_, planner)| planner));
        assert!(atlas.has(IndexKind::GOAL_BOUNDS), "{rule}");
        for start in space.free_states() {
            let from = space.point(start);
            let factor =
                |x, y| at(&weights, x, y) * if with_overlay { at(&overlay_factors, x, y) } else { 1.0 };
            let truth = distances_with_links(&map, rule, (from.x, from.y), factor, &links);
            for goal in space.free_states() {
                let to = space.point(goal);
                let expected = truth[(to.y * i64::from(width) + to.x) as usize];
                let query = Query::new(start, goal);
                let query = if with_overlay { query.with_overlay(&overlay) } else { query };
                ask(&atlas, &query, expected, &contestants, &mut scratch);
            }
        }
    }
}

#[test]
fn links_through_edits_lead_where_they_say_and_vanish() {
    let atlas = support::drawn("..@.. ..@..", Rule::Octile);
    let (left, right) = (Point::new(0, 0), Point::new(4, 1));
    let (from, to) = (atlas.state_at(left).expect("inside"), atlas.state_at(right).expect("inside"));
    let mut scratch = Scratch::new();
    assert_eq!(atlas.path(from, to, &mut scratch), Outcome::Unreachable);
    let joined =
        Atlas::new(atlas.space().edited(&[Edit::Link { from: left, to: right, cost: 7 }]).expect("sound"));
    assert!(matches!(joined.path(from, to, &mut scratch), Outcome::Found { .. }));
    assert_eq!((scratch.path().cost_f64(), scratch.path().waypoints()), (7.0, [from, to].as_slice()));
    assert_eq!(joined.path(to, from, &mut scratch), Outcome::Unreachable, "links lead one way");
    assert_eq!(joined.space().reach(to, from), Reach::Never);
    assert_ne!(joined.space().hash(), atlas.space().hash());
    let cut = joined.space().edited(&[Edit::Unlink { from: left, to: right }]).expect("there is one");
    assert_eq!(cut.hash(), atlas.space().hash());
    assert!(cut.edited(&[Edit::Unlink { from: left, to: right }]).is_err());
}

/// A graph without coordinates, or with so many heights.
pub(crate) fn random_graph(rng: &mut Rng, nodes: u32, heights: Option<u32>) -> (Graph, Vec<Edge>) {
    let most = [3, 100, 1_000_000][rng.below(3) as usize];
    let edges: Vec<Edge> = (0..rng.below(nodes * 3 + 1))
        .map(|_| Edge {
            from: StateId::new(rng.below(nodes)),
            to: StateId::new(rng.below(nodes)),
            cost: 1 + rng.below(most),
        })
        .collect();
    let mut position = |heights: u32| NodePosition {
        x: rng.below(50) as i32 - 25,
        y: rng.below(50) as i32,
        z: rng.below(heights) as i32,
    };
    let positions = heights.map_or(Vec::new(), |heights| (0..nodes).map(|_| position(heights)).collect());
    (Graph::from_edges(nodes, &edges, positions).expect("a sound graph"), edges)
}

#[test]
fn directed_graphs_equal_the_oracle_on_all_pairs() {
    let mut rng = Rng::new(62);
    let mut scratch = Scratch::new();
    let contestants = planners(&[
        "dijkstra",
        "astar",
        "astar:h=zero",
        "weighted-astar:1.5",
        "jps",
        "astar-bounds",
        "astar-bounds:h=zero",
        "dijkstra:bounds=on",
        "weighted-astar:1.5:bounds=on",
    ]);
    for round in 0..1500 {
        let nodes = 1 + rng.below(14);
        let heights = [None, Some(1), Some(9)][round % 3];
        let (graph, edges) = random_graph(&mut rng, nodes, heights);
        let atlas = indexed(Atlas::new(graph), contestants.iter().map(|(_, planner)| planner));
        assert_eq!(atlas.has(IndexKind::GOAL_BOUNDS), heights.is_some(), "boxes need coordinates");
        for start in 0..nodes {
            let from = |node: usize| {
                let leaving = edges.iter().filter(|edge| edge.from.index() == node);
                leaving.map(|edge| (edge.to.index(), f64::from(edge.cost))).collect()
            };
            let truth = plain_dijkstra(nodes as usize, start as usize, from);
            for goal in 0..nodes {
                let query = Query::new(StateId::new(start), StateId::new(goal));
                ask(&atlas, &query, truth[goal as usize], &contestants, &mut scratch);
            }
        }
    }
}

#[test]
fn estimates_that_mean_nothing_on_a_space_are_refused() {
    let (graph, _) = random_graph(&mut Rng::new(1), 5, Some(9));
    let atlas = Atlas::new(graph);
    let query = Query::new(StateId::new(0), StateId::new(1));
    for name in ["astar:h=manhattan", "astar:h=octile", "astar:p=2", "weighted-astar:2:h=hex"] {
        let outcome = planner(name).expect("a name").plan(
            &atlas,
            &query,
            &mut Scratch::new(),
            &mut Budget::unlimited(),
        );
        assert!(matches!(outcome, Outcome::Refused(Refusal::Estimate(_))), "{name}: {outcome:?}");
    }
    let squares = support::drawn("...", Rule::Octile);
    let query = Query::new(support::cell(&squares, 0, 0), support::cell(&squares, 2, 0));
    let hex = planner("astar:h=hex").expect("a name");
    let outcome = hex.plan(&squares, &query, &mut Scratch::new(), &mut Budget::unlimited());
    assert_eq!(outcome, Outcome::Refused(Refusal::Estimate(Heuristic::Hex)));
}

#[test]
fn a_refused_query_says_why_in_a_sentence() {
    let atlas = support::drawn("...", Rule::Octile);
    let (start, goal) = (support::cell(&atlas, 0, 0), support::cell(&atlas, 2, 0));
    let (Some(grid), other) = (atlas.space().as_grid(), support::drawn("....", Rule::Octile)) else {
        panic!()
    };
    let overlay = |grid| Overlay::new(grid, |_, _| 2).expect("factors");
    let (ours, foreign) = (overlay(grid), overlay(other.space().as_grid().expect("a grid")));
    let query = Query::new(start, goal);
    for (name, query, reason) in [
        ("jps", query.with_overlay(&ours), "does not obey overlays, and was given one"),
        (
            "astar",
            query.with_overlay(&foreign),
            "was given an overlay that was made for another map or another rule",
        ),
        (
            "jps-plus",
            query,
            "needs the index `jump-table`, which is not there: build it with `milepost build MAP --index jump-table`, or `milepost::build::build`; edits drop it: where maps change, take what reads no index",
        ),
        ("astar:h=hex", query, "was given an estimate that means nothing here"),
    ] {
        let planner = planner(name).expect("a name");
        let outcome = planner.plan(&atlas, &query, &mut Scratch::new(), &mut Budget::unlimited());
        let Outcome::Refused(refusal) = outcome else { panic!("{name}: {outcome:?}") };
        assert_eq!(refusal.to_string(), format!("this planner or agent {reason}"), "{name}");
        assert_eq!(refusal.said_of("`it`"), format!("`it` {reason}"), "{name}");
    }
}

#[test]
fn partial_paths_on_directed_graphs_end_at_the_nearest_reachable_node() {
    //  0 -> 1 -> 2    3 (x = 30): from 0 the nearest to 3 is 2; from 2 nothing else is reachable.
    let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 20 };
    let positions = [0, 10, 20, 30].map(|x| NodePosition::new(x, 0));
    let graph = Graph::from_edges(4, &[edge(0, 1), edge(1, 2), edge(3, 2)], positions.into()).expect("sound");
    let atlas = Atlas::new(graph);
    let mut scratch = Scratch::new();
    for (name, planner) in planners(&["dijkstra", "astar"]) {
        for (start, end, cost) in [(0, 2, 40), (2, 2, 0)] {
            let query = Query::new(StateId::new(start), StateId::new(3)).or_partial();
            let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
            let expected = Outcome::Partial {
                cost: milepost::Cost::new(cost),
                end: StateId::new(end),
                reason: PartialReason::Unreachable,
            };
            assert_eq!(outcome, expected, "{name}");
        }
    }
}
