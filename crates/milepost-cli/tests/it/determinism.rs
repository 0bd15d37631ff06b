//! The same seed gives the same bytes, with any number of threads.

use crate::common::{Folder, steady};

#[test]
fn a_seed_means_a_map() {
    let folder = Folder::new();
    for kind in ["rooms", "maze", "caves", "random", "city", "arena"] {
        for (seed, name) in [(1, "a"), (1, "b"), (2, "c")] {
            folder.must(&format!("generate {kind} --width 70 --height 50 --seed {seed} -o {name}.map"));
        }
        assert_eq!(folder.read("a.map"), folder.read("b.map"), "{kind}");
        assert_ne!(folder.read("a.map"), folder.read("c.map"), "{kind}");
    }
}

#[test]
fn threads_change_no_problem() {
    let folder = Folder::new();
    folder.must("generate caves --width 90 --height 70 -o caves.map");
    for limits in ["", "--min-cost 30 --max-cost 60"] {
        let mut files = Vec::new();
        for threads in ["", "--threads 1", "--threads 2", "--threads 7", "--threads 0"] {
            folder.must(&format!("scenarios caves.map --count 100 --seed 8 -o a.scen {limits} {threads}"));
            files.push(folder.read("a.scen"));
        }
        assert!(files.iter().all(|file| *file == files[0]), "{limits}");
        folder.must(&format!("scenarios caves.map --count 100 --seed 9 -o a.scen {limits}"));
        assert_ne!(folder.read("a.scen"), files[0], "{limits}");
    }
}

#[test]
fn more_problems_begin_with_the_same_ones() {
    let folder = Folder::new();
    folder.must("scenarios yard.map --count 10 -o few.scen");
    folder.must("scenarios yard.map --count 3000 -o many.scen");
    assert!(folder.read("many.scen").starts_with(&folder.read("few.scen")));
}

#[test]
fn limits_are_kept() {
    let folder = Folder::new();
    folder.must("scenarios yard.map --count 200 --min-cost 4 --max-cost 9 -o a.scen");
    let text = String::from_utf8(folder.read("a.scen")).expect("text");
    let lengths: Vec<f64> = text
        .lines()
        .skip(1)
        .map(|line| line.rsplit('\t').next().expect("a length").parse().expect("a number"))
        .collect();
    assert_eq!(lengths.len(), 200);
    assert!(lengths.iter().all(|length| (4.0..=9.0).contains(length)), "{lengths:?}");
}

#[test]
fn threads_change_no_result_of_a_bench() {
    let folder = Folder::new();
    folder.must("generate rooms --width 90 --height 70 -o rooms.map");
    folder.must("scenarios rooms.map --count 50 -o rooms.scen");
    let bench = |threads: u32| {
        steady(folder.must(&format!("bench rooms.map --scen rooms.scen --threads {threads} --json")).json())
    };
    assert_eq!(bench(1), bench(3));
    assert_eq!(bench(1), bench(0));
}
