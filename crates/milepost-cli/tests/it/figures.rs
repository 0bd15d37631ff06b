//! Figures of planners through the command: counted by `build` and `repair`, shown by `info`, obeyed by `path`.

use crate::common::Folder;
use milepost::Rule;
use milepost::build::{SILENT, build};
use milepost::index::IndexSpec;
use serde_json::Value;

fn planners(figures: &Value) -> Vec<&str> {
    let list = figures.as_array().expect("a list");
    list.iter().map(|figure| figure["planner"].as_str().expect("a name")).collect()
}

/// A folder with the map `a.map`.
fn with_caves() -> Folder {
    let folder = Folder::new();
    folder.must("generate caves --width 90 --height 70 --seed 4 -o a.map");
    folder
}

#[test]
fn an_atlas_that_was_built_in_memory_is_the_file_that_the_command_builds() {
    let folder = with_caves();
    folder.must("build a.map --index jump-bounds,corner-hierarchy,first-moves -o a.milepost");
    let grid = milepost_maps::open_grid(folder.file("a.map"), Rule::Octile).expect("a readable map");
    let atlas = ["corner-hierarchy", "first-moves", "jump-bounds"]
        .map(|index| IndexSpec::from_text(index).expect("an index"))
        .iter()
        .fold(milepost::Atlas::new(grid), |atlas, index| build(&atlas, *index, SILENT).expect("it is built"));
    assert!(atlas.to_bytes() == folder.read("a.milepost"));
}

#[test]
fn build_counts_figures_apart_and_info_shows_them() {
    let folder = with_caves();
    let built = folder.must("build a.map --index jump-bounds,corner-hierarchy -o a.milepost --json").json();
    let figures = &built["figures"];
    assert!(figures["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{figures}");
    let expected = ["corner-hierarchy", "jps", "jps-plus", "jps-plus-bounds"];
    assert_eq!(planners(&figures["planners"]), expected);
    let info = folder.must("info a.milepost --json").json();
    assert_eq!((&info["figures"], &info["fastest"]), (&figures["planners"], &figures["fastest"]));
    // The least expected time decides.
    let least = figures["planners"].as_array().expect("a list").iter().min_by(|one, two| {
        let time = |of: &Value| of["expected_us"].as_f64().expect("a time");
        time(one).total_cmp(&time(two))
    });
    let least = &least.expect("some planners")["planner"];
    assert_eq!(least, &figures["fastest"]);
    let path = folder.run("path a.milepost --from 1,1 --to 80,60 --snap --json").json();
    assert_eq!(&path["planner"], least);
    for piece in ["figures of planners: counted in ", "; fastest: "] {
        let text = folder.must("build a.map --index jump-bounds -o b.milepost").stdout;
        assert!(text.contains(piece), "{text}");
    }
    let text = folder.must("info a.milepost").stdout;
    assert!(text.contains("expected") && text.contains("fastest"), "{text}");
}

#[test]
fn a_file_in_which_nothing_competes_has_no_figures() {
    let folder = with_caves();
    for index in ["none", "case-base:20"] {
        let built = folder.must(&format!("build a.map --index {index} -o a.milepost --json")).json();
        assert!(built["figures"].is_null(), "{built}");
        let info = folder.must("info a.milepost --json").json();
        assert_eq!((planners(&info["figures"]), &info["fastest"]), (vec![], &"jps".into()));
    }
    assert!(folder.must("info a.map --json").json()["figures"].is_null());
}

#[test]
fn a_repaired_file_has_the_figures_of_the_edited_map() {
    let folder = with_caves();
    folder.must("build a.map --index first-moves -o a.milepost");
    let (x, y) = {
        let grid = milepost_maps::open_grid(folder.file("a.map"), Rule::Octile).expect("a readable map");
        let is_open = |&(x, y): &(i64, i64)| {
            let mut around =
                (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| milepost::Point::new(x + dx, y + dy)));
            around.all(|at| grid.is_free_at(at))
        };
        let cells = (10..60).flat_map(|y| (10..80).map(move |x| (x, y)));
        cells.into_iter().find(is_open).expect("an open place")
    };
    folder.write("edits.txt", format!("close {x},{y}\n"));
    let repaired = folder.must("repair a.milepost --edits edits.txt -o after.milepost --json").json();
    assert!(repaired["figures_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{repaired}");
    let figures = |file: &str| folder.must(&format!("info {file} --json")).json()["figures"].clone();
    assert_eq!(planners(&figures("after.milepost")), ["first-moves", "jps"]);
    // Counted anew: those of a build of the edited map, and `verify` says so.
    folder.must("verify after.milepost");
    assert_ne!(figures("after.milepost"), figures("a.milepost"));
}
