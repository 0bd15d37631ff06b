//! Every kind of space: rules x weights x links x overlays, and directed graphs, on all pairs against the oracle.

use crate::support;
use crate::support::{OracleLink, close, distances_with_links, indexed, plain_dijkstra, random_map};
use milepost::Rng;
use milepost::catalog::planner;
use milepost::index::IndexKind;
use milepost::plan::Refusal;
use milepost::space::{Reach, SpaceKind};
use milepost::{
    AnyPlanner, Atlas, Budget, Edge, Edit, Graph, Heuristic, NodePosition, Outcome, Overlay, PartialReason,
    Point, Position, Query, Rule, Scratch, Space, StateId,
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
fn random_graph(rng: &mut Rng, nodes: u32, heights: Option<u32>) -> (Graph, Vec<Edge>) {
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
        ("jps-plus", query, "needs the index `jump-table`, which is not there"),
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

#[test]
fn graphs_are_edited_into_new_versions() {
    let mut rng = Rng::new(63);
    let mut scratch = Scratch::new();
    for _ in 0..60 {
        let nodes = 2 + rng.below(8);
        let (graph, mut edges) = random_graph(&mut rng, nodes, Some(9));
        let mut exists = vec![true; nodes as usize];
        let mut space = Space::from(graph);
        let first = space.version();
        for _ in 1..25 {
            let (a, b) = (rng.below(exists.len() as u32), rng.below(exists.len() as u32));
            let (from, to) = (StateId::new(a), StateId::new(b));
            let both = exists[a as usize] && exists[b as usize];
            let known = edges.iter().any(|edge| (edge.from, edge.to) == (from, to));
            let edit = match rng.below(4) {
                0 if both => Edit::Edge { from, to, cost: 1 + rng.below(50) },
                1 if known => Edit::Unedge { from, to },
                2 if exists[a as usize] => Edit::Unnode { node: from },
                _ => Edit::Node {
                    node: StateId::new(a + rng.below(2)),
                    at: NodePosition::new(rng.below(9) as i32, 3),
                },
            };
            match edit {
                Edit::Edge { cost, .. } => {
                    edges.retain(|edge| (edge.from, edge.to) != (from, to));
                    edges.push(Edge { from, to, cost });
                }
                Edit::Unedge { .. } => edges.retain(|edge| (edge.from, edge.to) != (from, to)),
                Edit::Unnode { node } => {
                    exists[node.index()] = false;
                    edges.retain(|edge| edge.from != node && edge.to != node);
                }
                Edit::Node { node, .. } => {
                    exists.resize(exists.len().max(node.index() + 1), false);
                    exists[node.index()] = true;
                }
                _ => unreachable!("no such edit is drawn"),
            }
            space = space.edited(&[edit]).expect("a sound edit");
            assert!(space.version().is_same_map(first));
            assert_eq!(space.states() as usize, exists.iter().filter(|&&exists| exists).count());
            let atlas = Atlas::new(space.clone());
            for start in 0..exists.len() {
                let leaving = |node: usize| {
                    let leaving = edges.iter().filter(|edge| edge.from.index() == node);
                    leaving.map(|edge| (edge.to.index(), f64::from(edge.cost))).collect()
                };
                let truth = plain_dijkstra(exists.len(), start, leaving);
                for goal in 0..exists.len() {
                    let outcome =
                        atlas.path(StateId::new(start as u32), StateId::new(goal as u32), &mut scratch);
                    let reachable = truth[goal].is_finite() && exists[start] && exists[goal];
                    match outcome.cost() {
                        Some(cost) => assert!(reachable && close(cost.units() as f64, truth[goal])),
                        None => assert!(!reachable && outcome == Outcome::Unreachable),
                    }
                }
            }
        }
    }
}

#[test]
fn edits_that_make_no_sense_are_refused_whole_and_the_first_of_them_is_named() {
    let grid = support::drawn("... ...", Rule::Octile);
    let (inside, outside) = (Point::new(1, 1), Point::new(9, 0));
    let node = StateId::new(0);
    for (edit, piece) in [
        (Edit::close(outside), "9,0 lies outside the map of 3 x 2 cells"),
        (Edit::Weight { at: inside, weight: 0 }, "weights are 1 to 255"),
        (Edit::Weight { at: outside, weight: 2 }, "outside"),
        (Edit::Link { from: inside, to: outside, cost: 1 }, "outside"),
        (Edit::Link { from: inside, to: inside, cost: 0 }, "1 to 1000000"),
        (Edit::Unlink { from: inside, to: inside }, "there is no link"),
        (Edit::Unnode { node }, "on grids cells, weights and links are edited"),
    ] {
        let error = grid.space().edited(&[Edit::close(inside), edit]).expect_err(piece);
        assert_eq!(error.place, 1, "{piece}");
        let message = error.to_string();
        assert!(message.starts_with("edit 2: ") && message.contains(piece), "{message}");
    }
    let graph = Space::from(Graph::from_edges(2, &[], Vec::new()).expect("sound"));
    let (a, b, far) = (StateId::new(0), StateId::new(1), StateId::new(4_000_000_000));
    for (edit, piece) in [
        (Edit::Edge { from: a, to: far, cost: 1 }, "there is no node #4000000000"),
        (Edit::Edge { from: a, to: b, cost: 0 }, "an edge costs 1"),
        (Edit::Unedge { from: a, to: b }, "there is no edge from #0 to #1"),
        (Edit::Unnode { node: far }, "there is no node"),
        (Edit::Node { node: far, at: NodePosition::default() }, "without large gaps"),
        (Edit::close(inside), "on graphs edges and nodes are edited"),
    ] {
        let there = Edit::Edge { from: b, to: a, cost: 7 };
        let error = graph.edited(&[there, there, edit, there]).expect_err(piece);
        assert_eq!(error.place, 2, "{piece}");
        assert!(error.to_string().contains(piece), "{error}");
    }
}

#[test]
fn a_path_is_stale_once_an_edit_touches_it() {
    let atlas = support::drawn("..... ..... .....", Rule::Octile);
    let cell = |x, y| support::cell(&atlas, x, y);
    let mut scratch = Scratch::new();
    atlas.path(cell(0, 1), cell(4, 1), &mut scratch);
    let path = scratch.path().clone();
    let space = atlas.space();
    assert!(!space.is_stale(&path));
    let at = Point::new;
    let far = space.edited(&[Edit::close(at(2, 0))]).expect("inside");
    assert!(!far.is_stale(&path), "the edit is elsewhere");
    assert!(far.edited(&[Edit::close(at(2, 1))]).expect("inside").is_stale(&path), "a wall on the path");
    assert!(space.edited(&[Edit::close(at(4, 1))]).expect("inside").is_stale(&path), "a wall on its end");
    let mud = |x| Edit::Weight { at: at(x, if x == 9 { 0 } else { 1 }), weight: 9 };
    assert!(space.edited(&[mud(2)]).expect("inside").is_stale(&path), "dearer than it was");
    let elsewhere = Edit::Weight { at: at(0, 0), weight: 9 };
    assert!(!space.edited(&[elsewhere]).expect("inside").is_stale(&path), "mud elsewhere");
    for (drawing, rule) in [("..... .....", Rule::Octile), ("..... ..... .....", Rule::Octile14)] {
        assert!(support::drawn(drawing, rule).space().is_stale(&path), "another map");
    }
    let corner = support::drawn(".. ..", Rule::Octile);
    corner.path(support::cell(&corner, 0, 0), support::cell(&corner, 1, 1), &mut scratch);
    let beside = corner.space().edited(&[Edit::close(at(1, 0))]).expect("inside");
    assert!(beside.is_stale(scratch.path()), "a diagonal step past a new wall");
}

/// Whether a segment between the middles of two cells touches the closed square of a third: in units of half cells.
fn touches(a: Point, b: Point, cell: Point, with_corners: bool) -> bool {
    let [(ax, ay), (bx, by), (cx, cy)] = [a, b, cell].map(|point| (2 * point.x, 2 * point.y));
    // The square reaches one unit to either side; without its corners and edges a little less.
    let reach = i64::from(with_corners);
    let apart = |low: i64, high: i64, at: i64| at + reach < low || at - reach > high;
    if apart(ax.min(bx), ax.max(bx), cx) || apart(ay.min(by), ay.max(by), cy) {
        return false;
    }
    let side = |x: i64, y: i64| ((bx - ax) * (y - ay) - (by - ay) * (x - ax)).signum();
    let sides = [(-1, -1), (1, -1), (-1, 1), (1, 1)].map(|(dx, dy)| side(cx + dx, cy + dy));
    let all = |sign: i64| {
        sides.iter().all(|&side| if with_corners { side == sign } else { side == sign || side == 0 })
    };
    !all(1) && !all(-1)
}

#[test]
fn no_segment_of_a_straightened_path_touches_a_blocked_cell() {
    let mut rng = Rng::new(64);
    let mut scratch = Scratch::new();
    let mut shorter = 0;
    for round in 0..1200 {
        let map = random_map(&mut rng, 18);
        let rule = [Rule::Octile, Rule::OctileCutting, Rule::Four, Rule::Octile14][round % 4];
        let atlas = Atlas::new(map.grid(rule).expect("a small map"));
        let grid = atlas.space().as_grid().expect("a grid");
        let states: Vec<StateId> = grid.free_states().collect();
        for (&start, &goal) in states.iter().zip(states.iter().rev()).step_by(17) {
            if !matches!(atlas.path(start, goal, &mut scratch), Outcome::Found { .. }) {
                continue;
            }
            let straight = grid.straighten(scratch.path()).expect("squares");
            let ends = (straight.corners.first().copied(), straight.corners.last().copied());
            assert_eq!(ends, (Some(grid.point(start)), Some(grid.point(goal))));
            for segment in straight.corners.windows(2) {
                for blocked in grid.all_cells().filter(|&state| !grid.is_free(state)) {
                    let cell = grid.point(blocked);
                    let touched = touches(segment[0], segment[1], cell, rule != Rule::OctileCutting);
                    assert!(!touched, "{rule}: {} - {} touches {cell}\n{map}", segment[0], segment[1]);
                }
            }
            let cells: Vec<StateId> = grid.cells(scratch.path()).collect();
            let length: f64 = cells
                .windows(2)
                .map(|two| {
                    let (a, b) = (grid.point(two[0]), grid.point(two[1]));
                    (((a.x - b.x).pow(2) + (a.y - b.y).pow(2)) as f64).sqrt()
                })
                .sum();
            assert!(straight.length <= length + 1e-9);
            shorter += u32::from(straight.length < length - 1e-9);
        }
    }
    assert!(shorter > 500, "only {shorter} paths became shorter");
    let hexagons = support::drawn("... ...", Rule::Hex);
    hexagons.path(support::cell(&hexagons, 0, 0), support::cell(&hexagons, 2, 1), &mut scratch);
    assert_eq!(hexagons.space().as_grid().and_then(|grid| grid.straighten(scratch.path())), None);
}

#[test]
fn the_points_of_a_path_are_where_its_waypoints_lie() {
    let mut rng = Rng::new(77);
    let mut scratch = Scratch::new();
    let mut turned = 0;
    for round in 0..200 {
        let map = random_map(&mut rng, 12);
        let grid = map.grid(Rule::ALL[round % Rule::ALL.len()]).expect("a small map");
        let atlas = Atlas::new(grid);
        let states: Vec<StateId> = atlas.space().free_states().collect();
        for (name, planner) in planners(&["astar", "jps", "weighted-astar:1.5"]) {
            if planner.refusal(&atlas).is_some() {
                continue;
            }
            for (&start, &goal) in states.iter().zip(states.iter().rev()).step_by(7) {
                // The points of the query before must not pass for those of this one.
                planner.plan(&atlas, &Query::new(start, goal), &mut scratch, &mut Budget::unlimited());
                let path = scratch.path();
                let expected: Vec<Position> = path
                    .waypoints()
                    .iter()
                    .map(|&state| atlas.space().point(state))
                    .map(|at| Position::new(at.x as f64, at.y as f64, 0.0))
                    .collect();
                assert_eq!(path.points(), expected, "{name}: {start} -> {goal}");
                assert_eq!(path.clone().points(), expected);
                turned += usize::from(expected.len() > 2);
            }
        }
    }
    assert!(turned > 300, "{turned}");
}

#[test]
fn the_points_of_a_path_on_a_graph_have_heights_and_are_none_without_coordinates() {
    let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 9 };
    let at = |x, y, z| NodePosition { x, y, z };
    let positions = vec![at(0, 0, 0), at(2, -1, 5), at(4, 0, 7)];
    let query = Query::new(StateId::new(0), StateId::new(2));
    let mut scratch = Scratch::new();
    for (positions, expected) in [
        (positions, vec![Position::default(), Position::new(2.0, -1.0, 5.0), Position::new(4.0, 0.0, 7.0)]),
        (Vec::new(), Vec::new()),
    ] {
        let graph = Graph::from_edges(3, &[edge(0, 1), edge(1, 2)], positions).expect("a small graph");
        let atlas = Atlas::new(graph);
        let planner = planner("astar").expect("a name");
        let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
        assert!(matches!(outcome, Outcome::Found { .. }));
        assert_eq!((scratch.path().waypoints().len(), scratch.path().points()), (3, &expected[..]));
        planner.plan(&atlas, &query.distance_only(), &mut scratch, &mut Budget::unlimited());
        assert_eq!((scratch.path().waypoints().len(), scratch.path().points().len()), (0, 0));
    }
}
