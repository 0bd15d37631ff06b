//! Both forms of the hierarchy against the truth.

use super::build_in;
use crate::build::corner_labels::tests::maps::{Truth, UNREACHED, random};
use crate::build::{SILENT, verify};
use crate::core::{Budget, Rng, StateId};
use crate::index::{Atlas, IndexKind, MOST_COLUMNS};
use crate::plan::{CornerHierarchy, Outcome, Planner, Query, Scratch};
use crate::space::{Cell, Grid, Rule, SpaceKind};
use rayon::prelude::*;

fn atlas_of(grid: &Grid, is_wide: bool) -> Atlas {
    let bytes = build_in(grid, is_wide, SILENT).expect("few corners");
    Atlas::new(grid.clone())
        .with_section(IndexKind::CORNER_HIERARCHY, bytes.as_slice())
        .expect("a sound index")
}

fn truth(seed: u64) -> Truth {
    let rule = if seed.is_multiple_of(3) { Rule::Octile14 } else { Rule::Octile };
    Truth::of(random(&mut Rng::new(seed), rule))
}

fn check_paths(truth: &Truth, atlas: &Atlas, scratch: &mut Scratch) {
    let state = |cell: Cell| truth.grid.geometry().state(cell);
    let part = || truth.cells.iter().step_by(1 + truth.cells.len() / 120);
    for (&from, &to) in part().flat_map(|from| part().map(move |to| (from, to))) {
        let (expected, query) = (truth.distance(from, to), Query::new(state(from), state(to)));
        match CornerHierarchy.plan(atlas, &query, scratch, &mut Budget::unlimited()) {
            Outcome::Unreachable if expected == UNREACHED => {}
            Outcome::Found { cost, .. } if cost.units() == expected => {
                let cells: Vec<StateId> = truth.grid.cells(scratch.path()).collect();
                let steps = cells.windows(2).map(|pair| truth.grid.step_cost(pair[0], pair[1], None));
                let sum: Option<u64> = steps.map(|step| step.map(|cost| cost.units())).sum();
                assert_eq!(sum, Some(expected), "{from:?} to {to:?}\n{}", truth.show());
            }
            outcome => panic!("{from:?} to {to:?}: {outcome:?}, expected {expected}\n{}", truth.show()),
        }
    }
}

#[test]
fn all_pairs_of_random_maps_have_shortest_paths_in_both_forms() {
    (0..800_u64).into_par_iter().for_each_init(Scratch::new, |scratch, seed| {
        let truth = truth(seed);
        for is_wide in [false, true] {
            check_paths(&truth, &atlas_of(&truth.grid, is_wide), scratch);
        }
    });
}

#[test]
fn what_was_built_is_verified_in_both_forms() {
    for seed in 0..40 {
        let truth = truth(900 + seed);
        for is_wide in [false, true] {
            assert_eq!(verify(&atlas_of(&truth.grid, is_wide)), Ok(()), "{is_wide}:\n{}", truth.show());
        }
    }
}

/// Every byte of a section is changed: it is refused, or planners go on to some end.
#[test]
fn changed_bytes_of_the_wide_form_are_refused_or_do_no_harm() {
    let truth = truth(17);
    let atlas = atlas_of(&truth.grid, true);
    let bytes = build_in(&truth.grid, true, SILENT).expect("few corners");
    let (mut rng, mut scratch) = (Rng::new(1), Scratch::new());
    let (mut opened, mut refused) = (0, 0);
    for at in 0..bytes.as_slice().len() {
        let mut changed = bytes.as_slice().to_vec();
        changed[at] ^= 1 << rng.below(8);
        let Ok(forged) = atlas.with_section(IndexKind::CORNER_HIERARCHY, &changed) else {
            refused += 1;
            continue;
        };
        opened += 1;
        let _ = verify(&forged);
        let mut any =
            || truth.grid.geometry().state(truth.cells[rng.below(truth.cells.len() as u32) as usize]);
        let query = Query::new(any(), any());
        CornerHierarchy.plan(&forged, &query, &mut scratch, &mut Budget::unlimited());
    }
    assert!(opened > 40 && refused > 100, "{opened} opened, {refused} refused");
}

#[test]
fn the_narrow_form_stays_where_it_fits() {
    let rows = |width: u32, is_wide: bool| {
        let grid =
            Grid::new(width, 3, Rule::Octile, |x, y| y != 1 || x % 9000 != 5).expect("a size that fits");
        build_in(&grid, is_wide, SILENT).expect("few corners").as_slice().to_vec()
    };
    assert!(rows(200, false).len() < rows(200, true).len());
    // One column too many for narrow cells.
    let most = MOST_COLUMNS - 2;
    assert_eq!(rows(most + 1, false), rows(most + 1, true));
}
