//! Budgets cut every planner, and a query that was cut gives the answer of one call.

use super::{atlas_of, check_path, drawn_for, planners, supported};
use crate::support::{catalog_planners, cell, indexed, random_map, random_mesh, rounds};
use milepost::space::{Link, Space};
use milepost::{
    AnyPlanner, Atlas, Budget, Edge, Graph, Outcome, PartialReason, Place, PlanJob, Query, Rng, Rule,
    Scratch, StateId,
};
use milepost_maps::TileMap;

#[test]
fn a_query_cut_into_slices_of_any_size_gives_the_path_of_one_call() {
    let mut rng = Rng::new(37);
    let planners = planners();
    for round in 0..60 {
        let map = random_map(&mut rng, 14);
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let atlas = atlas_of(&map, rule, &planners);
        let states: Vec<StateId> = atlas.space().free_states().collect();
        let Some((&start, rest)) = states.split_first() else { continue };
        let goals: Vec<StateId> = rest.iter().rev().step_by(1 + rng.below(30) as usize).copied().collect();
        let goals = if round % 2 == 0 { &goals[..] } else { &goals[..goals.len().min(1)] };
        for (name, planner) in supported(&planners, &atlas) {
            check_slices(name, planner, &atlas, &Query::nearest_of(start, goals), &mut rng);
        }
    }
}

#[test]
fn states_with_many_successors_are_cut_into_slices_as_others_are() {
    let planners = planners();
    let mut rng = Rng::new(38);
    for round in 0..20 {
        // Every seventh node, or cell, leads to a dozen others.
        let ends = |count: u32, rng: &mut Rng| {
            let pairs =
                (0..count).flat_map(|from| (0..if from % 7 == 0 { 12 } else { 2 }).map(move |_| from));
            pairs.map(|from| (from, rng.below(count))).collect::<Vec<(u32, u32)>>()
        };
        let space: Space = if round % 2 == 0 {
            let edges: Vec<Edge> = ends(80, &mut rng)
                .into_iter()
                .map(|(from, to)| Edge {
                    from: StateId::new(from),
                    to: StateId::new(to),
                    cost: 1 + rng.below(50),
                })
                .collect();
            Graph::from_parts(vec![true; 80], &edges, Vec::new()).expect("a small graph").into()
        } else {
            let grid = random_map(&mut rng, 12).grid(Rule::ALL[round % 5]).expect("a small map");
            let cells: Vec<StateId> = grid.all_cells().collect();
            let link = |(from, to): (u32, u32)| Link {
                from: cells[from as usize],
                to: cells[to as usize],
                cost: 1 + (from + to) % 9,
            };
            let links: Vec<Link> = ends(cells.len() as u32, &mut rng).into_iter().map(link).collect();
            grid.with_links(&links).expect("links of the map").into()
        };
        let atlas = indexed(Atlas::new(space), planners.iter().map(|(_, planner)| planner));
        let states: Vec<StateId> = atlas.space().free_states().collect();
        let Some((&start, rest)) = states.split_first() else { continue };
        let goals: Vec<StateId> = rest.iter().rev().step_by(9).copied().collect();
        for (name, planner) in supported(&planners, &atlas) {
            check_slices(name, planner, &atlas, &Query::nearest_of(start, &goals), &mut rng);
        }
    }
}

#[test]
fn queries_on_meshes_are_cut_into_slices_as_others_are() {
    let planners = catalog_planners();
    let mut rng = Rng::new(39);
    let mut answered = std::collections::BTreeSet::new();
    for round in 0..rounds(40) {
        let mesh = random_mesh(&mut rng, 9);
        let atlas = indexed(Atlas::new(mesh.clone()), planners.iter().map(|(_, planner)| planner));
        let sampler = mesh.sampler(|_| true);
        let mut draw = || sampler.draw(&mut rng).expect("free ground").at;
        let (start, goals) = (draw(), [draw(), draw(), draw()].map(Place::from));
        let goals = if round % 2 == 0 { &goals[..] } else { &goals[..1] };
        for (name, planner) in supported(&planners, &atlas) {
            answered.insert(name.clone());
            check_slices(name, planner, &atlas, &Query::nearest_place(start, goals), &mut rng);
        }
    }
    for name in ["dijkstra", "astar", "astar:nodes=centres", "astar-bounds", "weighted-astar", "first-moves"]
    {
        assert!(answered.contains(name), "{name} refuses meshes: {answered:?}");
    }
}

/// Slices of any size give the answer of one call, take its units and no more turns than those allow, and none takes more
/// than is stated.
fn check_slices(name: &str, planner: &AnyPlanner, atlas: &Atlas, query: &Query<'_>, rng: &mut Rng) {
    let (mut scratch, mut unlimited) = (Scratch::new(), Budget::unlimited());
    let whole = planner.plan(atlas, query, &mut scratch, &mut unlimited);
    for slice in [1, 2, 3, 7, 64, 0] {
        let mut job = PlanJob::new(planner.clone(), query, Scratch::new());
        let (mut units, mut turns, mut given) = (0, 0, 0);
        let sliced = loop {
            // Of the last kind each is drawn.
            let slice = if slice > 0 { slice } else { 1 + u64::from(rng.below(20)) };
            let mut budget = Budget::units(slice);
            let outcome = job.advance(atlas, &mut budget);
            let most = slice + planner.overrun(atlas);
            assert!(budget.spent() <= most, "{name} spent {} of {slice}", budget.spent());
            units += budget.spent();
            turns += 1;
            if outcome != Outcome::OutOfBudget {
                break outcome;
            }
            given += slice;
            assert!(given <= units, "{name} was cut with units left, in turn {turns}");
        };
        assert_eq!(sliced, whole, "{name}");
        assert_eq!(job.path(), scratch.path(), "{name}");
        assert_eq!(units, unlimited.spent(), "{name}: other units in slices of {slice}");
        assert!(slice == 0 || turns <= units / slice + 1, "{name}: {turns} slices for {units} units");
        assert_eq!(job.advance(atlas, &mut Budget::units(0)), whole, "{name}: the answer stays");
    }
}

/// Walls with a gap at one end and at the other in turn: a path goes round the ends of all of them. Beside the first rows
/// there are pillars, so that lists of jumps are long.
fn serpentine() -> TileMap {
    let mut map = TileMap::filled(70, 67, b'.').expect("a small map");
    for (wall, y) in (5..67).step_by(3).enumerate() {
        (0..69).for_each(|x| map.set(if wall % 2 == 0 { x } else { x + 1 }, y, b'@').expect("inside"));
    }
    for (x, y) in (0..33).flat_map(|x| [(2 * x + 1, 1), (2 * x + 2, 3)]) {
        map.set(x, y, b'@').expect("inside");
    }
    map
}

#[test]
fn one_unit_is_never_enough_to_go_round_many_corners() {
    let planners = planners();
    let mut rng = Rng::new(137);
    let atlas = atlas_of(&serpentine(), Rule::Octile, &planners);
    let (start, near, far) = (cell(&atlas, 0, 0), cell(&atlas, 0, 65), cell(&atlas, 69, 66));
    assert_eq!(supported(&planners, &atlas).count(), planners.len());
    for (name, planner) in &planners {
        for query in [Query::new(start, far), Query::nearest_of(start, &[far, near])] {
            let (mut budget, mut scratch) = (Budget::units(1), Scratch::new());
            let outcome = planner.plan(&atlas, &query, &mut scratch, &mut budget);
            assert_eq!(outcome, Outcome::OutOfBudget, "{name}");
            check_slices(name, planner, &atlas, &query, &mut rng);
        }
    }
}

#[test]
fn out_of_budget_with_a_partial_path_leads_to_the_best_expanded_state_and_goes_on() {
    let planners = planners();
    let atlas = drawn_for("........ .@@@@@@. ........", Rule::Octile, &planners);
    let (start, goal) = (cell(&atlas, 0, 1), cell(&atlas, 7, 1));
    let mut scratch = Scratch::new();
    for (name, planner) in planners {
        let query = Query::new(start, goal).or_partial();
        let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::units(0));
        let nothing =
            Outcome::Partial { cost: milepost::Cost::ZERO, end: start, reason: PartialReason::OutOfBudget };
        assert_eq!(outcome, nothing, "{name}");
        let mut outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::units(4));
        for _ in 0..100 {
            let Outcome::Partial { end, reason: PartialReason::OutOfBudget, cost } = outcome else { break };
            assert_eq!(scratch.path().cost(), cost);
            check_path(&atlas, &scratch, &query, end, &name);
            outcome = planner.resume(&atlas, &query, &mut scratch, &mut Budget::units(4));
        }
        assert!(matches!(outcome, Outcome::Found { .. }), "{name}: {outcome:?}");
        let whole = planner.plan(&atlas, &query, &mut Scratch::new(), &mut Budget::unlimited());
        assert_eq!(outcome, whole, "{name}");
    }
}
