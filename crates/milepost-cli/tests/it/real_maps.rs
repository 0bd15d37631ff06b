//! Benchmarks on maps from real games, if there are any: in the folder that `MILEPOST_MAPS` names.

use crate::common::{Folder, run_in};
use std::path::PathBuf;

/// The folder with real maps; none if the variable is not set.
fn real_maps() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("MILEPOST_MAPS").map(PathBuf::from) else {
        println!("skipped: MILEPOST_MAPS is not set");
        return None;
    };
    let is_there = std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some());
    assert!(is_there, "MILEPOST_MAPS names {}, which is missing or empty", folder.display());
    Some(folder)
}

#[test]
fn planners_are_optimal_on_real_maps() {
    let Some(maps) = real_maps() else { return };
    let folder = Folder::new();
    for name in [
        "dao/arena",
        "dao/brc202d",
        "bg512/AR0701SR",
        "rooms/8room_000",
        "mazes/maze512-1-0",
        "random/random512-40-0",
    ] {
        let map = maps.join(format!("{name}.map")).to_string_lossy().into_owned();
        let scen = format!("{map}.scen");
        let words = ["--every", "50", "--planners", "astar,dijkstra,weighted-astar", "--json"];
        let ran = run_in(folder.path(), &[&["bench", &map, "--scen", &scen][..], &words].concat());
        assert_eq!(ran.code, 0, "{name}: {ran:?}");
        let document = ran.json();
        assert!(document["queries"].as_u64() > Some(0), "{name}");
        assert_eq!((&document["scen_disagreements"], &document["skipped"]), (&0.into(), &0.into()), "{name}");
        for run in document["runs"].as_array().expect("runs") {
            assert_eq!((&run["solved"], &run["failed"]), (&document["queries"], &0.into()), "{name}: {run}");
            if run["name"] == "weighted-astar" {
                assert!(run["worst_ratio"].as_f64() <= Some(1.5), "{name}: {run}");
            } else {
                assert_eq!(run["optimal"], document["queries"], "{name}: {run}");
            }
        }
    }
}

#[test]
fn agents_walk_best_paths_on_a_real_map() {
    let Some(maps) = real_maps() else { return };
    let folder = Folder::new();
    let map = maps.join("dao/arena.map").to_string_lossy().into_owned();
    let scen = format!("{map}.scen");
    let words = ["--agents", "first-moves", "--json"];
    let ran = run_in(folder.path(), &[&["bench", &map, "--scen", &scen][..], &words].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    let document = ran.json();
    for run in document["runs"].as_array().expect("runs") {
        assert_eq!((&run["solved"], &run["optimal"]), (&document["queries"], &document["queries"]), "{run}");
        assert_eq!((&run["max_work_per_move"], &run["revisits"]), (&1.into(), &0.0.into()), "{run}");
    }
}

#[test]
fn a_real_path_is_the_listed_one() {
    let Some(maps) = real_maps() else { return };
    let map = maps.join("dao/arena.map").to_string_lossy().into_owned();
    let folder = Folder::new();
    let ran = run_in(folder.path(), &["path", &map, "--from", "1,7", "--to", "47,46", "--json"]);
    let document = ran.json();
    assert_eq!(document["status"], "found");
    assert!((document["cost"].as_f64().expect("a cost") - 62.1543).abs() < 1e-4, "{document}");
}

/// The smallest of the paper's maps. Figures of all of them: `milepost bench` with 500 problems each.
#[test]
fn trees_of_subgoals_lead_along_best_paths_on_a_map_of_the_paper() {
    let Some(maps) = real_maps() else { return };
    let folder = Folder::new();
    let map = maps.join("bg-original/012.map").to_string_lossy().into_owned();
    let run = |words: &[&str]| {
        let ran = run_in(folder.path(), words);
        assert_eq!(ran.code, 0, "{ran:?}");
        ran
    };
    run(&["scenarios", &map, "--count", "500", "--seed", "1", "-o", "012.scen"]);
    let index = "subgoal-trees,subgoal-trees:as-printed";
    let built = run(&["build", &map, "--index", index, "-o", "012.milepost", "--json"]).json();
    let goals = 6176.0;
    for (index, most_bytes) in [(&built["indexes"][0], 24.0), (&built["indexes"][1], 64.0)] {
        assert!(index["bytes"].as_f64() < Some(most_bytes * goals), "{index}");
        assert!(index["trees"]["mean"].as_f64() > Some(40.0), "{index}");
    }
    let agents = "subgoal-trees,subgoal-trees:start-at-sub,subgoal-trees:as-printed";
    let words = ["bench", "012.milepost", "--scen", "012.scen", "--agents", agents, "--json"];
    let document = run(&words).json();
    let runs = document["runs"].as_array().expect("runs");
    for run in runs {
        assert_eq!((&run["solved"], &run["failed"]), (&500.into(), &0.into()), "{run}");
    }
    let total = |run: usize| runs[run]["total_suboptimality_percent"].as_f64();
    assert_eq!((&runs[0]["optimal"], &runs[0]["revisits"]), (&500.into(), &0.0.into()), "{}", runs[0]);
    assert!(total(1) < Some(1.0) && total(2) > Some(1.0), "{:?} {:?}", total(1), total(2));
}
