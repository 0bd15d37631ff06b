//! Tests of the scenario reader and writer, on small texts, on random ones and on real files.

use proptest::prelude::*;

use super::*;
use crate::any_input::any_damage;

const TABS: &[u8] =
    b"version 1\n3\tdao/a.map\t49\t50\t1\t2\t3\t4\t2.82843\n4\tdao/a.map\t49\t50\t1\t2\t3\t4\t7\n";

fn good(bytes: &[u8]) -> Vec<Problem> {
    read(bytes).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_column_reaches_its_field() {
    let problems = good(TABS);
    let first = &problems[0];
    assert_eq!((first.bucket, &*first.map, first.size), (3, "dao/a.map", Some((49, 50))));
    assert_eq!((first.start, first.goal, first.line), ((1, 2), (3, 4), 2));
    assert_eq!((first.length.value(), problems[1].length.value()), (2.82843, 7.0));
}

#[test]
fn problems_on_one_map_share_its_name() {
    let problems = good(TABS);
    assert!(Arc::ptr_eq(&problems[0].map, &problems[1].map));
    let mixed = good(b"0 a 1 1 1 1 1\n0 b 1 1 1 1 1\n0 a 1 1 1 1 1\n");
    assert!(Arc::ptr_eq(&mixed[0].map, &mixed[2].map) && !Arc::ptr_eq(&mixed[0].map, &mixed[1].map));
}

#[test]
fn the_old_form_has_seven_columns_and_no_size() {
    let problems = good(b"0 a.map 1 2 3 4 5\n\n1 a.map 9 9 1 2 3 4 5.5\n");
    assert_eq!((problems[0].size, problems[0].start, problems[0].goal), (None, (1, 2), (3, 4)));
    assert_eq!((problems[1].size, problems[1].line), (Some((9, 9)), 3));
}

#[test]
fn a_map_name_may_hold_blanks_between_tabs() {
    let problems = good(b"version 1.0\r\n0\tmy maps/the arena.map \t9\t9\t1\t2\t3\t4\t5\r\n");
    assert_eq!((&*problems[0].map, problems[0].map_base_name()), ("my maps/the arena.map", "the arena.map"));
}

#[test]
fn base_names_are_found_behind_either_slash() {
    for (map, base) in
        [("a/b.map", "b.map"), ("a\\b.map", "b.map"), ("b.map", "b.map"), ("a/", ""), ("/", "")]
    {
        let problem = &good(format!("0\t{map}\t1\t1\t1\t1\t0").as_bytes())[0];
        assert_eq!(problem.map_base_name(), base);
    }
}

#[test]
fn a_version_line_alone_is_a_file_without_problems() {
    assert_eq!(good(b"version 1\n"), []);
    assert_eq!(write(&[]), "version 1\n");
}

#[test]
fn writing_keeps_problems_and_precision() {
    for text in [TABS, b"0 a.map 1 2 3 4 160.53\n", b"version 1\n0 m 9 9 1 1 2 2 1234567\n"] {
        let mut problems = good(text);
        let mut again = good(write(&problems).as_bytes());
        problems.iter_mut().chain(&mut again).for_each(|problem| problem.line = 0);
        assert_eq!(problems, again);
    }
}

#[test]
fn a_name_with_a_line_break_cannot_break_the_line() {
    let mut problem = good(TABS)[0].clone();
    problem.map = "a\nb\tc.map".into();
    let text = write(&[problem]);
    assert_eq!((text.lines().count(), &*good(text.as_bytes())[0].map), (2, "a_b_c.map"));
}

/// Every real scenario loads, fits its map in size, and keeps its meaning when it is written again.
#[test]
fn real_scenarios_load_and_survive_the_round_trip() {
    let Some(folder) = std::env::var_os("MILEPOST_MAPS") else {
        println!("skipped: MILEPOST_MAPS is unset");
        return;
    };
    let mut files = 0;
    for set in std::fs::read_dir(&folder).expect("MILEPOST_MAPS names a folder") {
        let set = set.expect("a readable folder").path();
        for file in set.read_dir().into_iter().flatten() {
            let path = file.expect("a readable folder").path();
            if path.extension().is_none_or(|extension| extension != "scen") {
                continue;
            }
            files += 1;
            let problems = good(&std::fs::read(&path).expect("a readable file"));
            assert!(!problems.is_empty(), "{}", path.display());
            let map = crate::movingai::read(&std::fs::read(path.with_extension("")).expect("its map"));
            let map = map.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(problems.iter().all(|problem| problem.size == Some((map.width(), map.height()))));
            let again = good(write(&problems).as_bytes());
            assert!(problems.iter().zip(&again).all(|(a, b)| a.length == b.length && a.goal == b.goal));
            // Some files list pairs without a path, with length 0.
            for problem in &problems {
                let octile = octile_distance(problem.start, problem.goal);
                let is_reached = problem.length.value() > 0.0;
                let is_possible = problem.length.value() + problem.length.tolerance() >= octile;
                assert!(!is_reached || is_possible, "{}: line {}", path.display(), problem.line);
            }
        }
    }
    assert!(files > 0, "no scenario in MILEPOST_MAPS");
}

/// The length of the shortest path on an empty map: no listed length can be shorter.
fn octile_distance(from: (u32, u32), to: (u32, u32)) -> f64 {
    let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    f64::from(dx.max(dy) - dx.min(dy)) + f64::from(dx.min(dy)) * std::f64::consts::SQRT_2
}

fn any_problem() -> impl Strategy<Value = Problem> {
    let size = (1u32..5000, 1u32..5000);
    (
        any::<u32>(),
        "[a-zA-Z0-9_./]([a-z ./\\\\é]{0,20}[a-z.])?",
        size,
        any::<[u32; 4]>(),
        0u32..4_000_000,
        any::<bool>(),
    )
        .prop_map(|(bucket, map, (width, height), at, steps, has_size)| Problem {
            bucket,
            map: map.into(),
            size: has_size.then_some((width, height)),
            start: (at[0] % width, at[1] % height),
            goal: (at[2] % width, at[3] % height),
            length: ListedLength::computed(f64::from(steps) * std::f64::consts::SQRT_2),
            line: 0,
        })
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        let _ = read(&bytes);
    }

    #[test]
    fn arbitrary_columns_never_panic(text in "(version 1\n)?([0-9a.e+-]{0,6}[ \t\r\n]){0,40}") {
        let _ = read(text.as_bytes());
    }

    #[test]
    fn arbitrary_lengths_never_panic(text in "[0-9]{0,30}[.]?[0-9]{0,30}(e[+-]?[0-9]{1,12})?") {
        if let Ok(problems) = read(format!("0 m 1 1 1 1 {text}\n").as_bytes()) {
            let again = read(write(&problems).as_bytes());
            prop_assert!(again.is_ok_and(|again| again.len() == problems.len()));
        }
    }

    #[test]
    fn every_list_of_problems_survives_the_round_trip(
        problems in proptest::collection::vec(any_problem(), 1..10),
    ) {
        let mut again = good(write(&problems).as_bytes());
        for (read, written) in again.iter_mut().zip(&problems) {
            prop_assert!(read.length.agrees_with(written.length.value()));
            read.length = written.length;
            read.line = 0;
        }
        prop_assert_eq!(again, problems);
    }

    #[test]
    fn a_damaged_scenario_never_panics(damage in any_damage()) {
        let bytes = damage.of(TABS);
        if let Ok(problems) = read(&bytes) {
            prop_assert!(read(write(&problems).as_bytes()).is_ok());
        }
    }
}
