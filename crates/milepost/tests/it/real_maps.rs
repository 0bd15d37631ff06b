//! Scenario files of real game maps: every tenth problem, every planner that promises optimal paths.

use crate::support;
use milepost::catalog::planner;
use milepost::{Atlas, Budget, Outcome, Point, Query, Rule, Scratch};

#[test]
fn optimal_planners_agree_with_the_scenario_files_of_real_maps() {
    let Some(folder) = support::real_maps() else { return };
    let mut scratch = Scratch::new();
    for name in ["dao/arena", "dao/brc202d", "bg512/AR0701SR", "rooms/8room_000", "mazes/maze512-1-0"] {
        let map = milepost_maps::read_map(folder.join(format!("{name}.map"))).expect("a readable map");
        let problems = milepost_maps::read_scenario(folder.join(format!("{name}.map.scen")))
            .expect("a readable scenario");
        let atlas = Atlas::new(map.grid(Rule::Octile).expect("a map that fits"));
        let state =
            |(x, y): (u32, u32)| atlas.state_at(Point::new(x.into(), y.into())).expect("inside the map");
        for problem in problems.iter().step_by(10) {
            for planner_name in ["astar", "astar:h=euclidean", "jps"] {
                let planner = planner(planner_name).expect("a name");
                let query = Query::new(state(problem.start), state(problem.goal));
                let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                let Outcome::Found { cost, .. } = outcome else {
                    panic!("{name}, line {}: {outcome:?}", problem.line);
                };
                let cost = atlas.space().scale().to_f64(cost);
                assert!(problem.length.agrees_with(cost), "{name}, line {}: {cost}", problem.line);
            }
        }
    }
}
