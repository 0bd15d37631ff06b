//! Rows against plain searches.

use super::{JumpPointGraph, batches, rows_of};
use crate::build::{SILENT, build};
use crate::catalog::{AnyPlanner, planner};
use crate::core::{Budget, Path, Rng, Search, StateId};
use crate::index::{Atlas, IndexKind, PackedCell};
use crate::plan::jump_rows::{RowQuery, RowWalks};
use crate::plan::{Query, Scratch};
use crate::space::{Grid, Rule, Space, SpaceKind, Target, ZeroMetric};

/// A random map of thick and thin walls.
fn random_grid(rng: &mut Rng, side: u32, rule: Rule) -> Grid {
    let (width, height) = (1 + rng.below(side), 1 + rng.below(side));
    let (density, thickness) = (rng.below(45), 1 + rng.below(3));
    let mut blocked = vec![false; (width * height) as usize];
    for y in 0..height {
        for x in 0..width {
            if rng.below(100) < density / (thickness * thickness) + 1 {
                for (dx, dy) in (0..thickness).flat_map(|dx| (0..thickness).map(move |dy| (dx, dy))) {
                    if x + dx < width && y + dy < height {
                        blocked[((y + dy) * width + x + dx) as usize] = true;
                    }
                }
            }
        }
    }
    Grid::new(width, height, rule, |x, y| !blocked[(y * width + x) as usize]).unwrap()
}

#[test]
fn rows_are_the_same_with_words_of_both_widths() {
    let mut rng = Rng::new(68);
    for round in 0..200 {
        let rule = if round % 4 == 0 { Rule::Octile14 } else { Rule::Octile };
        let grid = random_grid(&mut rng, 30, rule);
        let atlas = build(&Atlas::new(grid.clone()), IndexKind::JUMP_TABLE, SILENT).unwrap();
        let mut graph =
            JumpPointGraph::new(&grid, atlas.jump_table().unwrap(), IndexKind::JUMP_ROWS).unwrap();
        let all: Vec<u32> = (0..batches::count(&graph)).collect();
        assert!(graph.is_narrow);
        let narrow = rows_of(&graph, &all, SILENT).unwrap();
        graph.is_narrow = false;
        assert_eq!(narrow, rows_of(&graph, &all, SILENT).unwrap(), "{round}");
    }
}

/// Every planner that reads something built over jump points.
fn planners() -> [AnyPlanner; 3] {
    ["jps-plus", "jps-plus-bounds", "jump-rows"].map(|name| planner(name).unwrap())
}

#[test]
fn planners_over_jump_points_equal_a_search_on_all_pairs_of_random_maps() {
    let mut rng = Rng::new(67);
    let mut scratch = Scratch::new();
    let mut search: Search = Search::new();
    for round in 0..300 {
        let rule = if round % 4 == 0 { Rule::Octile14 } else { Rule::Octile };
        let grid = random_grid(&mut rng, if round % 20 == 0 { 30 } else { 14 }, rule);
        let kinds = [IndexKind::JUMP_BOUNDS, IndexKind::JUMP_ROWS];
        let atlas = kinds
            .into_iter()
            .fold(Atlas::new(grid.clone()), |atlas, kind| build(&atlas, kind, SILENT).unwrap());
        let nowhere = Target::new(&grid, StateId::NONE, ZeroMetric, 1);
        for start in grid.free_states() {
            search.begin(&grid.moves(), &nowhere, start);
            search.run(&grid.moves(), &nowhere, &mut Budget::unlimited());
            for goal in grid.free_states() {
                for planner in planners() {
                    let query = Query::new(start, goal);
                    let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                    let says = || format!("{round}: {planner:?} {} {}", grid.point(start), grid.point(goal));
                    assert_eq!(outcome.cost(), search.cost(goal), "{}", says());
                    let cells: Vec<StateId> = atlas.space().cells(scratch.path()).collect();
                    let step =
                        |pair: &[StateId]| grid.step_cost(pair[0], pair[1], None).map(|cost| cost.units());
                    let sum: Option<u64> = cells.windows(2).map(step).sum();
                    assert_eq!(sum, outcome.cost().map_or(Some(0), |cost| Some(cost.units())), "{}", says());
                }
            }
        }
    }
}

#[test]
fn following_rows_costs_what_a_search_finds_for_all_pairs_of_random_maps() {
    let mut rng = Rng::new(66);
    let mut walks = RowWalks::default();
    let mut search: Search = Search::new();
    let mut pairs = 0;
    for round in 0..400 {
        let rule = if round % 4 == 0 { Rule::Octile14 } else { Rule::Octile };
        let side = if round % 20 == 0 { 40 } else { 16 };
        let grid = random_grid(&mut rng, side, rule);
        let atlas = build(&Atlas::new(grid.clone()), IndexKind::JUMP_ROWS, SILENT).unwrap();
        let (table, rows) = (atlas.jump_table().unwrap(), atlas.jump_rows().unwrap());
        let nowhere = Target::new(&grid, StateId::NONE, ZeroMetric, 1);
        for start in grid.free_states() {
            search.begin(&grid.moves(), &nowhere, start);
            search.run(&grid.moves(), &nowhere, &mut Budget::unlimited());
            for goal in grid.free_states() {
                let Some(expected) = search.cost(goal) else { continue };
                let (from, to) = (PackedCell::of(&grid, start), PackedCell::of(&grid, goal));
                let query = RowQuery { table, rows, start: from, goal: to };
                let found = query.answer(grid.scale(), &mut walks);
                let (cost, found) = found.unwrap_or_else(|| panic!("{round}: no way {from:?} {to:?}"));
                assert_eq!(cost, expected.units(), "{round}: {from:?} {to:?}");
                let mut path = Path::default();
                query.write(found, &walks, path.waypoints_mut());
                let space = Space::Grid(grid.clone());
                let cells: Vec<StateId> = space.cells(&path).collect();
                assert_eq!((cells.first(), cells.last()), (Some(&start), Some(&goal)), "{round}");
                let step = |pair: &[StateId]| space.step_cost(pair[0], pair[1], None);
                let sum: Option<u64> = cells.windows(2).map(|pair| step(pair).map(|cost| cost.units())).sum();
                assert_eq!(sum, Some(cost), "{round}: {from:?} {to:?}");
                pairs += 1;
            }
        }
    }
    assert!(pairs > 1_000_000, "{pairs}");
}
