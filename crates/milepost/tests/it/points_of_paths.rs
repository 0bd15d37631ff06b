//! Where paths turn, and paths pulled straight.

use crate::support;
use crate::support::random_map;
use milepost::catalog::planner;
use milepost::space::SpaceKind;
use milepost::{
    Atlas, Budget, Edge, Graph, NodePosition, Outcome, Point, Position, Query, Rng, Rule, Scratch, StateId,
};

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
        for name in ["astar", "jps", "weighted-astar:1.5"] {
            let planner = planner(name).expect("a name");
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
