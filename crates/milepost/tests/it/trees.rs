//! Quadtrees and octrees: graphs whose nodes are squares and cubes of free cells.

use crate::support::{catalog_planners, close, indexed, journeys, rounds};
use milepost::space::{EditReason, SpaceKind};
use milepost::{
    Atlas, Budget, Edit, Extent, Graph, GraphError, Grid, Leaf, NodePosition, Outcome, Point, Position,
    Query, Rng, Rule, Scratch, Space, StateId, Step,
};

/// The cells of a small random world, and its tree.
struct World {
    extent: Extent,
    is_free: Vec<bool>,
    tree: Graph,
}

impl World {
    fn random(rng: &mut Rng, side: u32, is_flat: bool) -> World {
        let mut draw = || 1 + rng.below(side);
        let (width, height, depth) = (draw(), draw(), draw());
        let extent = Extent { width, height, depth: if is_flat { 0 } else { depth } };
        let cells = width * height * extent.depth.max(1);
        let density = rng.below(60);
        let is_free: Vec<bool> = (0..cells).map(|_| rng.below(100) >= density).collect();
        let tree = if is_flat {
            let free = |x: u32, y: u32| is_free[(y * width + x) as usize];
            Graph::quadtree(&Grid::new(width, height, Rule::Four, free).expect("a small map"))
        } else {
            let cell = |index: u32| [index % width, index / width % height, index / width / height];
            let blocked: Vec<[u32; 3]> =
                (0..cells).filter(|&index| !is_free[index as usize]).map(cell).collect();
            Graph::octree(extent, &blocked)
        };
        World { extent, is_free, tree: tree.expect("a small tree") }
    }

    fn cells(&self) -> impl Iterator<Item = [i64; 3]> + use<> {
        let Extent { width, height, depth } = self.extent;
        let (width, height, depth) = (i64::from(width), i64::from(height), i64::from(depth.max(1)));
        let cell = move |index: i64| [index % width, index / width % height, index / width / height];
        (0..width * height * depth).map(cell)
    }

    fn is_free(&self, [x, y, z]: [i64; 3]) -> bool {
        let index = (z * i64::from(self.extent.height) + y) * i64::from(self.extent.width) + x;
        self.extent.holds([x, y, z]) && self.is_free[index as usize]
    }

    /// The middle of a cell.
    fn middle(&self, [x, y, z]: [i64; 3]) -> Position {
        let half = |at: i64| at as f64 + 0.5;
        Position::new(half(x), half(y), if self.extent.is_flat() { 0.0 } else { half(z) })
    }
}

/// Where a leaf begins and ends along each axis.
fn sides(leaf: Leaf, is_flat: bool) -> [(i64, i64); 3] {
    let size = i64::from(leaf.size);
    let side = |low: u32| (i64::from(low), i64::from(low) + size);
    [side(leaf.x), side(leaf.y), if is_flat { (0, 1) } else { side(leaf.z) }]
}

#[test]
fn leaves_hold_every_free_cell_once_and_edges_join_those_that_share_a_face() {
    let mut rng = Rng::new(2201);
    for round in 0..rounds(600) {
        let world = World::random(&mut rng, 9, round % 2 == 0);
        let (tree, is_flat) = (&world.tree, world.extent.is_flat());
        let mut owners = vec![0; tree.leaves().len()];
        for cell in world.cells() {
            let leaf = tree.leaf_at(cell);
            assert_eq!(leaf.is_some(), world.is_free(cell), "{cell:?}");
            if let Some(leaf) = leaf {
                let holds = |(at, (low, high)): (&i64, (i64, i64))| (low..high).contains(at);
                assert!(cell.iter().zip(sides(tree.leaves()[leaf.index()], is_flat)).all(holds));
                owners[leaf.index()] += 1;
            }
        }
        let dimensions = if is_flat { 2 } else { 3 };
        for (leaf, owned) in tree.leaves().iter().zip(&owners) {
            assert_eq!(leaf.size.pow(dimensions), *owned, "{leaf:?}");
        }
        assert!(tree.leaf_at([-1, 0, 0]).is_none() && tree.leaf_at([0, 1 << 40, 0]).is_none());
        for (a, one) in (0..).zip(tree.leaves()) {
            for (b, other) in (0..).zip(tree.leaves()) {
                let pairs = sides(*one, is_flat).into_iter().zip(sides(*other, is_flat));
                let overlap = pairs.map(|(one, other)| one.1.min(other.1) - one.0.max(other.0));
                let overlap: Vec<i64> = overlap.collect();
                let touching = overlap.iter().filter(|&&overlap| overlap == 0).count();
                let shares_face = touching == 1 && overlap.iter().all(|&overlap| overlap >= 0);
                let cost = tree.step_cost(StateId::new(a), StateId::new(b), None);
                assert_eq!(cost.is_some(), shares_face, "{one:?} {other:?}");
                let Some(cost) = cost else { continue };
                let (from, to) = (tree.position(StateId::new(a)), tree.position(StateId::new(b)));
                let distance = distance(from.expect("a place"), to.expect("a place"));
                let units = distance * 65536.0;
                assert!(cost.units() as f64 >= units - 1e-6 && (cost.units() as f64) < units + 1.0);
                assert!((tree.scale().to_f64(cost) - distance).abs() < 2e-5, "users see cells");
            }
        }
    }
}

fn distance(a: Position, b: Position) -> f64 {
    ((a.x - b.x).powi(2) + (a.y - b.y).powi(2) + (a.z - b.z).powi(2)).sqrt()
}

#[test]
fn every_planner_equals_the_oracle_on_all_pairs_of_small_trees() {
    let mut rng = Rng::new(2202);
    let mut scratch = Scratch::new();
    let planners = catalog_planners();
    let mut answered = std::collections::BTreeSet::new();
    for round in 0..rounds(60) {
        let world = World::random(&mut rng, if round % 2 == 0 { 8 } else { 4 }, round % 2 == 0);
        let atlas = indexed(Atlas::new(world.tree.clone()), planners.iter().map(|(_, planner)| planner));
        let (states, truth) = journeys::truth(atlas.space());
        for (name, planner) in &planners {
            if planner.refusal(&atlas).is_some() {
                continue;
            }
            answered.insert(name.as_str());
            for (start, costs) in states.iter().zip(&truth) {
                for (goal, expected) in states.iter().zip(costs) {
                    let query = Query::new(*start, *goal);
                    let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                    if expected.is_infinite() {
                        assert_eq!(outcome, Outcome::Unreachable, "{name}: {start} -> {goal}");
                        continue;
                    }
                    let cost = scratch.path().cost_f64();
                    let is_right = if planner.is_optimal(atlas.space()) {
                        close(cost, *expected)
                    } else {
                        cost > expected - 1e-6
                    };
                    assert!(is_right, "{name}: {start} -> {goal}: {cost} for {expected}");
                    let points = scratch.path().points();
                    assert_eq!(points.first().copied(), atlas.space().position(*start), "{name}");
                    assert_eq!(points.last().copied(), atlas.space().position(*goal), "{name}");
                }
            }
        }
    }
    for name in ["dijkstra", "astar", "weighted-astar", "astar-bounds", "first-moves"] {
        assert!(answered.contains(name), "{name} refuses trees: {answered:?}");
    }
}

/// Whether a segment touches a cell, its sides included: the part of the segment in each slab, in floats with a little room.
fn touches(from: Position, to: Position, cell: [i64; 3], dimensions: usize) -> bool {
    let (from, to) = ([from.x, from.y, from.z], [to.x, to.y, to.z]);
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for axis in 0..dimensions {
        let (low, high) = (cell[axis] as f64, cell[axis] as f64 + 1.0);
        let along = to[axis] - from[axis];
        if along == 0.0 {
            if from[axis] < low || from[axis] > high {
                return false;
            }
            continue;
        }
        let (a, b) = ((low - from[axis]) / along, (high - from[axis]) / along);
        (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
    }
    enters <= leaves + 1e-12
}

#[test]
fn no_segment_of_a_pulled_path_touches_a_blocked_cell() {
    let mut rng = Rng::new(2203);
    let mut scratch = Scratch::new();
    let (mut paths, mut pulled_length, mut cost) = (0, 0.0, 0.0);
    for round in 0..rounds(500) {
        let is_flat = round % 2 == 0;
        let world = World::random(&mut rng, if is_flat { 14 } else { 7 }, is_flat);
        let dimensions = if is_flat { 2 } else { 3 };
        let blocked: Vec<[i64; 3]> = world.cells().filter(|&cell| !world.is_free(cell)).collect();
        let free: Vec<[i64; 3]> = world.cells().filter(|&cell| world.is_free(cell)).collect();
        let atlas = Atlas::new(world.tree.clone());
        let check = |points: &[Position]| {
            for pair in points.windows(2) {
                let touched = blocked.iter().find(|&&cell| touches(pair[0], pair[1], cell, dimensions));
                assert_eq!(touched, None, "{pair:?} of {points:?}");
                assert_ne!(pair[0], pair[1], "{points:?}");
            }
        };
        for _ in 0..20 {
            if free.is_empty() {
                break;
            }
            let mut draw = || free[rng.below(free.len() as u32) as usize];
            let (from, to) = (draw(), draw());
            let ends = (world.tree.leaf_at(from).expect("free"), world.tree.leaf_at(to).expect("free"));
            if !matches!(atlas.path(ends.0, ends.1, &mut scratch), Outcome::Found { .. }) {
                continue;
            }
            let (from, to) = (world.middle(from), world.middle(to));
            let points = world.tree.pulled(scratch.path().waypoints(), from, to);
            assert_eq!(points.first(), Some(&from));
            assert_eq!(points.last(), Some(&to));
            check(&points);
            check(scratch.path().points());
            let place = |leaf| world.tree.position(leaf).expect("a place");
            let centres = world.tree.pulled(scratch.path().waypoints(), place(ends.0), place(ends.1));
            check(&centres);
            pulled_length += centres.windows(2).map(|pair| distance(pair[0], pair[1])).sum::<f64>();
            cost += scratch.path().cost_f64();
            paths += 1;
        }
    }
    assert!(paths > 100, "{paths}");
    assert!(pulled_length < 0.97 * cost, "pulled {pulled_length} of {cost}");
}

#[test]
fn agents_arrive_on_trees() {
    let mut rng = Rng::new(2204);
    let mut scratch = Scratch::new();
    for round in 0..rounds(24) {
        let world = World::random(&mut rng, 5, round % 2 == 0);
        let atlas = journeys::with_indexes(Atlas::new(world.tree.clone()));
        let supported = journeys::supported(&atlas);
        for name in
            ["lrta", "lrta-k", "lss-lrta", "tba", "subgoal-trees", "knn-lrta", "d-lrta", "first-moves"]
        {
            assert!(supported.iter().any(|(supported, _)| *supported == name), "{name}");
        }
        let (states, truth) = journeys::truth(atlas.space());
        for (name, kind) in supported {
            for (from, costs) in states.iter().zip(&truth).take(6) {
                let reachable = states.iter().zip(costs).filter(|(_, cost)| cost.is_finite());
                for (to, cost) in reachable.take(6) {
                    let mut agent = kind.start(&atlas, *from, *to);
                    let (end, travelled, _) = journeys::journey(&mut agent, &atlas, &mut scratch);
                    assert_eq!(end, Step::Arrived, "{name}");
                    let travelled = atlas.space().scale().to_f64(travelled);
                    assert!(travelled >= cost - 1e-6, "{name}: {travelled} for {cost}");
                }
            }
        }
    }
}

#[test]
fn trees_come_back_from_files_and_have_fingerprints_of_their_own() {
    let mut rng = Rng::new(2205);
    for round in 0..40 {
        let world = World::random(&mut rng, 8, round % 2 == 0);
        let atlas = Atlas::new(world.tree.clone());
        let again = Atlas::from_bytes(&atlas.to_bytes()).expect("our own bytes");
        let graph = again.space().as_graph().expect("a graph");
        assert_eq!((graph.extent(), graph.leaves()), (world.tree.extent(), world.tree.leaves()));
        assert_eq!((graph.hash(), graph.scale()), (world.tree.hash(), world.tree.scale()));
        assert_eq!(again.to_bytes(), atlas.to_bytes());
        let edges: Vec<_> = world.tree.edges().collect();
        let positions = world.tree.positions().to_vec();
        let plain = Graph::from_edges(world.tree.id_bound() as u32, &edges, positions).expect("sound");
        let scaled = plain.with_scale(65536).expect("a scale");
        assert_ne!(plain.hash(), scaled.hash());
        assert_ne!(scaled.hash(), world.tree.hash());
        let again = Atlas::from_bytes(&Atlas::new(scaled.clone()).to_bytes()).expect("our own bytes");
        assert_eq!((again.space().hash(), again.space().scale()), (scaled.hash(), scaled.scale()));
    }
}

#[test]
fn cells_of_trees_are_not_edited_but_leaves_are() {
    // Two leaves of size 2, and four of size 1.
    let grid = Grid::from_ascii("......\n....@.", Rule::Octile).expect("a small map");
    let tree = Space::from(Graph::quadtree(&grid).expect("a small tree"));
    assert_eq!(tree.states(), 5);
    for edit in [Edit::close(Point::new(0, 0)), Edit::open(Point::new(4, 1))] {
        let refused = tree.edited(&[edit]).expect_err("not on trees");
        assert_eq!(refused.reason, EditReason::NotOnTrees);
        let message = refused.to_string();
        assert!(["unnode", "unedge", "edge", "node"].iter().all(|name| message.contains(name)), "{message}");
    }
    let node = |number| StateId::new(number);
    let closed = tree.edited(&[Edit::Unnode { node: node(1) }]).expect("a leaf");
    assert_eq!((closed.states(), closed.component_count()), (4, 2));
    assert_eq!(closed.as_graph().expect("a graph").leaf_at([2, 0, 0]), None);
    let at = NodePosition::new(2, 0);
    let edge = |from, to| Edit::Edge { from: node(from), to: node(to), cost: 2 };
    let back =
        closed.edited(&[Edit::Node { node: node(1), at }, edge(0, 1), edge(1, 0)]).expect("a leaf again");
    assert_eq!((back.states(), back.component_count()), (5, 2));
    assert_eq!(back.step_cost(node(0), node(1), None), tree.step_cost(node(0), node(1), None), "2 cells");
    let far = tree.edited(&[Edit::Edge { from: node(0), to: node(1), cost: 70_000 }]).expect_err("too dear");
    assert_eq!(far.reason, EditReason::DearEdge { most: 65535 });
    let new = tree.edited(&[Edit::Node { node: node(9), at }]).expect_err("no leaf");
    assert_eq!(new.reason, EditReason::NoLeaf { node: node(9) });
    // An edge over a wall is a hop from centre to centre.
    let hop = back.edited(&[edge(0, 4)]).expect("two leaves");
    let hop = hop.as_graph().expect("a graph");
    let points = hop.pulled(&[node(0), node(4)], Position::new(0.5, 0.5, 0.0), Position::new(5.5, 1.5, 0.0));
    assert_eq!(points.len(), 3, "{points:?}");
}

#[test]
fn what_is_no_tree_is_refused() {
    let extent = Extent { width: 8, height: 8, depth: 0 };
    let leaf = |x, y, z, size| Leaf { x, y, z, size };
    for (leaves, piece) in [
        (vec![leaf(0, 0, 0, 3)], "power of two"),
        (vec![leaf(0, 0, 0, 0)], "power of two"),
        (vec![leaf(1, 0, 0, 2)], "multiples"),
        (vec![leaf(0, 0, 4, 2)], "layer"),
        (vec![leaf(8, 0, 0, 2)], "inside"),
        (vec![leaf(4, 0, 0, 4), leaf(0, 0, 0, 4)], "Z-order"),
        (vec![leaf(0, 0, 0, 4), leaf(2, 2, 0, 1)], "Z-order"),
    ] {
        let error = Graph::from_leaves(extent, leaves).expect_err(piece).to_string();
        assert!(error.contains(piece), "{error}");
    }
    let wide = Extent { width: 65537, height: 1, depth: 0 };
    assert!(matches!(Graph::from_leaves(wide, Vec::new()), Err(GraphError::Extent { .. })));
    let huge = Extent { width: 65535, height: 65535, depth: 65535 };
    assert!(matches!(Graph::octree(huge, &[]), Err(GraphError::ManyLeaves { .. })));
}

#[test]
fn the_nearest_leaf_of_a_blocked_cell_is_found() {
    let grid = Grid::from_ascii("....\n..@@\n..@@", Rule::Octile).expect("a small map");
    let tree = Graph::quadtree(&grid).expect("a small tree");
    for (cell, near) in [([3, 2, 0], [1, 2, 0]), ([2, 1, 0], [1, 1, 0]), ([3, 1, 0], [3, 0, 0])] {
        let found = tree.nearest_leaf(cell).expect("a leaf");
        let side = sides(tree.leaves()[found.index()], true);
        let gap = |at: i64, (low, high): (i64, i64)| (low - at).max(at + 1 - high).max(0);
        let squares = gap(cell[0], side[0]).pow(2) + gap(cell[1], side[1]).pow(2);
        let expected: i64 = (0..3).map(|axis: usize| (cell[axis] - near[axis] as i64).pow(2)).sum();
        assert_eq!(squares, expected, "{cell:?}");
    }
}
