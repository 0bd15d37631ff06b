//! Whole queries against the truth on all pairs of many small maps, and each lemma by itself.

mod lemmas;
pub(in crate::build) mod maps;

use super::{Corners, Draft, Hierarchy, LIMITS, Limits, build_within};
use crate::build::{SILENT, verify};
use crate::core::{Budget, Cost, Rng, StateId, rounds};
use crate::index::corner_labels::{Broken, ProofRule};
use crate::index::{Atlas, IndexKind};
use crate::plan::{CornerLabels, Outcome, Planner, Query, Scratch};
use crate::space::{Cell, Rule, SpaceKind};
use lemmas::check_lemmas;
use maps::{Truth, UNREACHED, drawn, numbered, random};
use rayon::prelude::*;

/// All forms that the index has.
const FORMS: [(&str, Limits); 7] = [
    ("narrow", LIMITS),
    ("wide", Limits { is_wide: true, ..LIMITS }),
    ("searched", Limits { entries: 0, ..LIMITS }),
    ("without lists", Limits { members: 0, ..LIMITS }),
    ("searched without lists", Limits { entries: 0, members: 0, ..LIMITS }),
    ("searched over a core", Limits { entries: 0, looks: 150, ..LIMITS }),
    ("nothing contracted", Limits { entries: 0, looks: 0, ..LIMITS }),
];

fn atlas_of(truth: &Truth, limits: &Limits) -> Atlas {
    let bytes = build_within(&truth.grid, limits, SILENT);
    let atlas = Atlas::new(truth.grid.clone());
    atlas.with_section(IndexKind::CORNER_LABELS, bytes.as_slice()).expect("a sound index")
}

/// What is wrong with a query, if anything is.
fn wrong(truth: &Truth, atlas: &Atlas, scratch: &mut Scratch) -> Option<String> {
    let (grid, state) = (&truth.grid, |cell| truth.grid.geometry().state(cell));
    // All pairs of small maps, of others some.
    let part = || truth.cells.iter().step_by(1 + truth.cells.len() / 150);
    for &from in part() {
        for &to in part() {
            let expected = truth.distance(from, to);
            let query = Query::new(state(from), state(to));
            let outcome = CornerLabels.plan(atlas, &query, scratch, &mut Budget::unlimited());
            let says = |what: &str| {
                Some(format!("{from:?} -> {to:?}: {what}, want {expected}: {outcome:?}\n{}", truth.show()))
            };
            match outcome {
                Outcome::Unreachable if expected == UNREACHED => {}
                Outcome::Found { cost, .. } if cost.units() == expected => {
                    let cells: Vec<StateId> = grid.cells(scratch.path()).collect();
                    let costs = cells.windows(2).map(|pair| grid.step_cost(pair[0], pair[1], None));
                    let sum: Option<u64> = costs.map(|cost| cost.map(|cost| cost.units())).sum();
                    let ends = (cells.first() == Some(&state(from))) & (cells.last() == Some(&state(to)));
                    if sum != Some(expected) || !ends {
                        return says("its path is another");
                    }
                }
                _ => return says("it costs something else"),
            }
        }
    }
    None
}

fn hold_lemmas(truth: &Truth) {
    if let Err(what) = check_lemmas(truth, Broken::NONE) {
        panic!("{what}");
    }
}

fn check_whole(truth: &Truth, form: &(&str, Limits), scratch: &mut Scratch) {
    let atlas = atlas_of(truth, &form.1);
    if let Some(what) = wrong(truth, &atlas, scratch) {
        panic!("{}: {what}", form.0);
    }
}

#[test]
fn all_pairs_of_all_maps_of_4_x_4_cells_have_shortest_paths() {
    all_of_4_x_4().for_each_init(Scratch::new, |scratch, number| {
        let truth = Truth::of(numbered(4, 4, Rule::Octile, number));
        check_whole(&truth, &FORMS[0], scratch);
        check_whole(&truth, &FORMS[(number % 7) as usize], scratch);
    });
}

#[test]
fn every_lemma_holds_on_all_maps_of_4_x_4_cells() {
    all_of_4_x_4().for_each(|number| {
        hold_lemmas(&Truth::of(numbered(4, 4, Rule::Octile, number)));
    });
}

#[test]
fn all_pairs_of_random_maps_of_seven_kinds_have_shortest_paths_in_every_form() {
    (0..rounds::<u64>(2000)).into_par_iter().for_each_init(Scratch::new, |scratch, seed| {
        let rule = if seed % 4 == 0 { Rule::Octile14 } else { Rule::Octile };
        let truth = Truth::of(random(&mut Rng::new(seed), rule));
        FORMS.iter().for_each(|form| check_whole(&truth, form, scratch));
    });
}

#[test]
fn every_lemma_holds_on_random_maps_of_seven_kinds() {
    (0..rounds::<u64>(2000)).into_par_iter().for_each(|seed| {
        let rule = if seed % 4 == 1 { Rule::Octile14 } else { Rule::Octile };
        hold_lemmas(&Truth::of(random(&mut Rng::new(7000 + seed), rule)));
    });
}

/// The numbers of the maps of 4 x 4 cells; where a few are asked for, they are spread over all.
fn all_of_4_x_4() -> impl ParallelIterator<Item = u64> {
    const MAPS: u32 = 1 << 16;
    // An odd factor passes every number once.
    (0..rounds::<u64>(MAPS)).into_par_iter().map(|turn| turn * 40_503 % u64::from(MAPS))
}

/// How many random maps the night's run looks at, if it is asked for by `MILEPOST_NIGHT`; a test that gets `None` says that it
/// is skipped.
fn night() -> Option<u64> {
    let Some(maps) = std::env::var_os("MILEPOST_NIGHT") else {
        println!("skipped: MILEPOST_NIGHT is unset");
        return None;
    };
    let maps = maps.to_str().and_then(|maps| maps.parse().ok());
    Some(maps.expect("MILEPOST_NIGHT is a number of random maps"))
}

#[test]
fn in_the_night_paths_are_shortest_and_every_lemma_holds_on_all_maps_of_4_x_5_cells() {
    let numbers = if night().is_some() { 1 << 20 } else { 0_u64 };
    (0..numbers).into_par_iter().for_each_init(Scratch::new, |scratch, number| {
        let truth = Truth::of(numbered(4, 5, Rule::Octile, number));
        hold_lemmas(&truth);
        check_whole(&truth, &FORMS[0], scratch);
        check_whole(&truth, &FORMS[(number % 7) as usize], scratch);
    });
}

#[test]
fn in_the_night_paths_are_shortest_and_every_lemma_holds_on_as_many_random_maps_as_are_asked_for() {
    (0..night().unwrap_or(0)).into_par_iter().for_each_init(Scratch::new, |scratch, seed| {
        let rule = if seed % 4 == 2 { Rule::Octile14 } else { Rule::Octile };
        // None of the maps of every run.
        let truth = Truth::of(random(&mut Rng::new(1_000_000 + seed), rule));
        hold_lemmas(&truth);
        FORMS.iter().for_each(|form| check_whole(&truth, form, scratch));
    });
}

#[test]
fn lines_longer_than_words_have_shortest_paths() {
    (0..rounds::<u64>(60)).into_par_iter().for_each_init(Scratch::new, |scratch, seed| {
        let mut rng = Rng::new(seed);
        let long = [60, 61, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130][rng.below(12) as usize];
        let (thin, percent) = (1 + rng.below(4), [0, 1, 3, 8, 15][rng.below(5) as usize]);
        let (width, height) = if rng.below(2) == 0 { (long, thin) } else { (thin, long) };
        let grid = crate::space::Grid::new(width, height, Rule::Octile, |_, _| rng.below(100) >= percent);
        let truth = Truth::of(grid.expect("a small map"));
        FORMS.iter().for_each(|form| check_whole(&truth, form, scratch));
    });
}

/// The smallest maps on which the rules that look as if they could be dropped cannot.
const SMALLEST: [&str; 9] = [
    "...@@@/....../....../@@@...",
    "..../...@/@.../....",
    ".@../....",
    "@@..../.....@/@.....",
    "@.../...@/@...",
    "...@/..../@.../....",
    "......../...@..../.....@../..@...@./.@....../......../..@.....",
    ".@.../.....",
    "...@/@.../@.../....",
];

#[test]
fn the_smallest_maps_that_show_what_each_rule_is_for_are_right() {
    let mut scratch = Scratch::new();
    for drawing in SMALLEST {
        for rule in [Rule::Octile, Rule::Octile14] {
            let truth = Truth::of(drawn(drawing, rule));
            FORMS.iter().for_each(|form| check_whole(&truth, form, &mut scratch));
            hold_lemmas(&truth);
        }
    }
}

#[test]
fn what_was_built_is_verified_in_every_form() {
    for seed in 0..40 {
        let truth = Truth::of(random(&mut Rng::new(900 + seed), Rule::Octile));
        for (name, limits) in &FORMS {
            assert_eq!(verify(&atlas_of(&truth, limits)), Ok(()), "{name}:\n{}", truth.show());
        }
    }
}

#[test]
fn a_matrix_of_distances_is_that_of_single_queries_in_every_form() {
    let mut scratch = Scratch::new();
    for seed in 0..60 {
        let truth = Truth::of(random(&mut Rng::new(600 + seed), Rule::Octile));
        let state = |cell: &Cell| truth.grid.geometry().state(*cell);
        // A blocked cell, or none, among them.
        let mut states: Vec<StateId> = truth.cells.iter().step_by(2).map(state).collect();
        states.extend(truth.grid.all_cells().find(|state| !truth.grid.is_free(*state)));
        for (name, limits) in &FORMS {
            let atlas = atlas_of(&truth, limits);
            let (from, to) = (&states[..states.len() / 2], &states[..]);
            let mut costs = vec![None; from.len() * to.len()];
            atlas.distance_matrix(from, to, &mut costs, &mut scratch);
            let pairs = from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to)));
            for ((from, to), cost) in pairs.zip(&costs) {
                let is_free = truth.grid.is_free(from) && truth.grid.is_free(to);
                let cell = |state| truth.grid.column_and_row(state);
                let distance = is_free.then(|| truth.distance(cell(from), cell(to)));
                let expected = distance.filter(|&distance| distance != UNREACHED).map(Cost::new);
                assert_eq!(*cost, expected, "{name}: {from:?} to {to:?}\n{}", truth.show());
                assert_eq!(atlas.distance(from, to, &mut scratch), expected, "{name}");
            }
        }
    }
}

#[test]
fn a_query_in_slices_of_one_unit_finds_what_one_call_finds_in_every_form() {
    let mut rng = Rng::new(77);
    let (mut whole, mut sliced) = (Scratch::new(), Scratch::new());
    for seed in 0..60 {
        let truth = Truth::of(random(&mut Rng::new(400 + seed), Rule::Octile));
        let states: Vec<StateId> = truth.grid.free_states().collect();
        for (name, limits) in FORMS.iter().filter(|_| !states.is_empty()) {
            let atlas = atlas_of(&truth, limits);
            for _ in 0..20 {
                let mut any = || states[rng.below(states.len() as u32) as usize];
                let query = Query::new(any(), any());
                let mut budget = Budget::unlimited();
                let expected = CornerLabels.plan(&atlas, &query, &mut whole, &mut budget);
                let (units, mut spent) = (1 + u64::from(rng.below(3)), 0);
                let mut slice = Budget::units(units);
                let mut outcome = CornerLabels.plan(&atlas, &query, &mut sliced, &mut slice);
                while outcome == Outcome::OutOfBudget {
                    assert!(slice.spent() <= units, "{name}: {}", slice.spent());
                    spent += slice.spent();
                    slice = Budget::units(units);
                    outcome = CornerLabels.resume(&atlas, &query, &mut sliced, &mut slice);
                }
                assert_eq!(
                    (outcome, sliced.path().waypoints()),
                    (expected, whole.path().waypoints()),
                    "{name}"
                );
                assert!(spent + slice.spent() >= budget.spent(), "{name}");
            }
        }
    }
}

/// Rules, and the smallest maps known on which a query fails where one is broken.
const BROKEN: [(ProofRule, &str); 8] = [
    (ProofRule::Seen, "...@@@/....../....../@@@..."),
    (ProofRule::RayEnd, ".@../...."),
    (ProofRule::Edges, "@@..../.....@/@....."),
    (ProofRule::Turns, "@.../...@/@..."),
    (ProofRule::CornerCells, "...@/..../@.../...."),
    (ProofRule::ReadAgain, "......../...@..../.....@../..@...@./.@....../......../..@....."),
    (ProofRule::NearEnd, ".@.../....."),
    (ProofRule::Dominance, "...@/@.../@.../...."),
];

#[test]
fn every_rule_that_is_broken_is_found_by_a_query() {
    for (rule, drawing) in BROKEN {
        let truth = Truth::of(drawn(drawing, Rule::Octile));
        let broken = Broken::breaking(rule);
        let atlas = atlas_of(&truth, &Limits { broken, ..LIMITS });
        let mut scratch = Scratch::new();
        scratch.labels.break_rule(broken);
        assert!(wrong(&truth, &atlas, &mut scratch).is_some(), "{rule:?} can be broken on\n{}", truth.show());
    }
}

#[test]
fn a_hierarchy_that_was_begun_tells_how_large_it_will_be() {
    for (percent, side) in [(10, 200), (25, 260)] {
        let mut rng = Rng::new(percent.into());
        let grid = crate::space::Grid::new(side, side, Rule::Octile, |_, _| rng.below(100) >= percent);
        let grid = grid.expect("a size that fits");
        let corners = Corners::of(&grid, Broken::NONE);
        let draft = Draft::new(&corners, &LIMITS);
        let edges = |hierarchy: &Hierarchy| hierarchy.up.iter().map(Vec::len).sum::<usize>() as f64;
        let whole = draft.hierarchy(u64::MAX);
        assert_eq!(whole.order.len(), corners.count(), "{percent} %");
        for part in [4, 12] {
            let begun = draft.hierarchy(whole.work() / part);
            let more = begun.expected(u64::MAX);
            let ratio = (edges(&begun) + more.edges as f64) / edges(&whole);
            assert!((0.77..1.3).contains(&ratio), "{percent} %, a part in {part}: {ratio}");
            let ratio = begun.work() as f64 * (1.0 + more.work) / whole.work() as f64;
            assert!((0.4..2.5).contains(&ratio), "{percent} %, a part in {part}: work {ratio}");
        }
    }
}
