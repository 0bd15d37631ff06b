//! Labels of corners on maps that are large, long or real.

use crate::support;
use milepost::build::{SILENT, build};
use milepost::catalog::planner;
use milepost::index::IndexKind;
use milepost::{Atlas, Budget, Grid, Outcome, Point, Query, Rng, Rule, Scratch, StateId};
use std::path::Path;

fn labelled(width: u32, height: u32, rule: Rule, is_free: impl FnMut(u32, u32) -> bool) -> Atlas {
    let atlas = Atlas::new(Grid::new(width, height, rule, is_free).expect("a map that fits"));
    build(&atlas, IndexKind::CORNER_LABELS, SILENT).expect("no map is refused")
}

fn cell(atlas: &Atlas, x: u32, y: u32) -> StateId {
    support::cell(atlas, x.into(), y.into())
}

/// What a path costs by labels, and by jump point search; each checked to be a path.
fn costs(atlas: &Atlas, from: StateId, to: StateId, scratch: &mut Scratch) -> [Option<f64>; 2] {
    ["corner-labels", "jps"].map(|name| {
        let planner = planner(name).expect("a name of the catalog");
        let outcome = planner.plan(atlas, &Query::new(from, to), scratch, &mut Budget::unlimited());
        let Outcome::Found { cost, .. } = outcome else { return None };
        let cells: Vec<StateId> = atlas.space().cells(scratch.path()).collect();
        let steps = cells.windows(2).map(|pair| atlas.space().step_cost(pair[0], pair[1], None));
        let sum: Option<u64> = steps.map(|step| step.map(|cost| cost.units())).sum();
        assert_eq!(sum, Some(cost.units()), "{name}");
        Some(atlas.space().scale().to_f64(cost))
    })
}

/// Random pairs cost what jump point search finds.
fn compare(atlas: &Atlas, pairs: usize, scratch: &mut Scratch) {
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let mut rng = Rng::new(41);
    for _ in 0..pairs {
        let mut any = || states[rng.below(states.len() as u32) as usize];
        let (from, to) = (any(), any());
        let [labels, jps] = costs(atlas, from, to, scratch);
        assert_eq!(labels, jps, "{from:?} to {to:?}");
    }
}

#[test]
fn a_cell_may_have_any_number_of_first_corners() {
    // An open field in a frame of single blocked cells two apart: as many first corners as the frame has.
    let mut scratch = Scratch::new();
    for side in [61, 513] {
        let is_free = |x: u32, y: u32| {
            let is_frame = x == 1 || y == 1 || x == side - 2 || y == side - 2;
            !is_frame || !(x + y).is_multiple_of(2)
        };
        compare(&labelled(side, side, Rule::Octile, is_free), 60, &mut scratch);
    }
}

#[test]
fn a_path_may_be_as_long_as_a_serpentine() {
    let mut scratch = Scratch::new();
    for (width, height) in [(801, 801), (61, 41)] {
        let is_free = |x: u32, y: u32| y.is_multiple_of(2) || x == if y % 4 == 1 { width - 1 } else { 0 };
        let atlas = labelled(width, height, Rule::Octile, is_free);
        let last = if (height / 2) % 2 == 0 { width - 1 } else { 0 };
        let [labels, _] = costs(&atlas, cell(&atlas, 0, 0), cell(&atlas, last, height - 1), &mut scratch);
        let steps = (height / 2 + 1) * (width - 1) + height - 1;
        let is_right = labels.is_some_and(|cost| (cost - f64::from(steps)).abs() < 1e-6);
        assert!(is_right, "{width} x {height}: {labels:?} instead of {steps}");
        compare(&atlas, 20, &mut scratch);
    }
}

#[test]
fn unpacking_a_path_is_counted_work_and_can_be_cut() {
    let (width, height) = (9, 401);
    let is_free = |x: u32, y: u32| y.is_multiple_of(2) || x == if y % 4 == 1 { width - 1 } else { 0 };
    let atlas = labelled(width, height, Rule::Octile, is_free);
    let query = Query::new(cell(&atlas, 4, 0), cell(&atlas, 4, height - 1));
    let planner = planner("corner-labels").expect("a name of the catalog");
    let (mut scratch, mut path, mut distance) = (Scratch::new(), Budget::unlimited(), Budget::unlimited());
    planner.plan(&atlas, &query.distance_only(), &mut scratch, &mut distance);
    let whole = planner.plan(&atlas, &query, &mut scratch, &mut path);
    let turns = scratch.path().waypoints().to_vec();
    // A unit for eight corners, of which each is a turning point.
    let unpacked = path.spent() - distance.spent();
    assert!(
        (turns.len() as u64 / 8..=turns.len() as u64 / 8 + 2).contains(&unpacked),
        "{unpacked}: {}",
        turns.len()
    );
    assert!(unpacked > 40, "{unpacked}");
    let (mut spent, mut slice) = (0, Budget::units(1));
    let mut outcome = planner.plan(&atlas, &query, &mut scratch, &mut slice);
    while outcome == Outcome::OutOfBudget {
        assert_eq!(slice.spent(), 1);
        (spent, slice) = (spent + 1, Budget::units(1));
        outcome = planner.resume(&atlas, &query, &mut scratch, &mut slice);
    }
    assert_eq!((outcome, spent + slice.spent()), (whole, path.spent()));
    assert_eq!(scratch.path().waypoints(), turns);
}

#[test]
fn a_map_may_have_any_sides() {
    let mut scratch = Scratch::new();
    for (width, height) in [(65_535, 1), (1, 65_535), (70_000, 2), (2, 70_000), (1, 1)] {
        let atlas =
            labelled(width, height, Rule::Octile, |x, y| (x + y) % 1000 != 7 || (x % 2 == 0 && height == 2));
        compare(&atlas, 30, &mut scratch);
        let open = labelled(width, height, Rule::Octile14, |_, _| true);
        let ends = (cell(&open, 0, 0), cell(&open, width - 1, height - 1));
        let [labels, jps] = costs(&open, ends.0, ends.1, &mut scratch);
        assert!(labels.is_some() && labels == jps, "{width} x {height}");
    }
    let blocked = labelled(30, 30, Rule::Octile, |_, _| false);
    assert_eq!(costs(&blocked, cell(&blocked, 1, 1), cell(&blocked, 2, 2), &mut scratch), [None, None]);
}

#[test]
fn what_is_strewn_with_obstacles_is_searched_instead_of_refused() {
    let mut rng = Rng::new(12);
    let atlas = labelled(400, 400, Rule::Octile, |_, _| rng.below(100) >= 10);
    compare(&atlas, 40, &mut Scratch::new());
}

#[test]
fn labels_agree_with_the_scenario_files_of_real_maps() {
    let Some(folder) = support::real_maps() else { return };
    let mut scratch = Scratch::new();
    let mut lines = 0;
    // Both scenario files of wc3maps512 name blocked ends and lengths that are too short.
    for family in ["bg512", "dao", "mazes", "random", "rooms", "sc1"] {
        let entries = std::fs::read_dir(folder.join(family)).expect("a folder of maps");
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        for file in files.iter().filter(|path| path.extension().is_some_and(|kind| kind == "scen")) {
            lines += check_scenario(file, &mut scratch);
        }
    }
    assert!(lines > 10_000, "{lines}");
}

/// Every second line of a scenario file; returns how many these are.
fn check_scenario(file: &Path, scratch: &mut Scratch) -> usize {
    let map = milepost_maps::read_map(file.with_extension("")).expect("a readable map");
    let problems = milepost_maps::read_scenario(file).expect("a readable scenario");
    let atlas = Atlas::new(map.grid(Rule::Octile).expect("a map that fits"));
    let atlas = build(&atlas, IndexKind::CORNER_LABELS, SILENT).expect("no map is refused");
    let state = |(x, y): (u32, u32)| atlas.state_at(Point::new(x.into(), y.into())).expect("inside the map");
    let chosen = problems.iter().step_by(2);
    for problem in chosen.clone() {
        let (from, to) = (state(problem.start), state(problem.goal));
        let cost = atlas.distance(from, to, scratch).map(|cost| atlas.space().scale().to_f64(cost));
        let place = format!("{}, line {}: {cost:?}", file.display(), problem.line);
        // Some files list problems without a path, with a length of 0.
        let expected = cost.unwrap_or(0.0);
        assert!((cost.is_some() || from != to) && problem.length.agrees_with(expected), "{place}");
    }
    chosen.count()
}
