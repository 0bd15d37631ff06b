//! Edits of grids and graphs: what comes of them, which are refused, and which paths they make stale.

use crate::spaces::random_graph;
use crate::support;
use crate::support::{close, plain_dijkstra};
use milepost::{Atlas, Edge, Edit, Graph, NodePosition, Outcome, Point, Rng, Rule, Scratch, Space, StateId};

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
