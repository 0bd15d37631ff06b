//! Index files through the command: built, shown, searched, benchmarked, verified; and everything that may be wrong with them.

use crate::common;
use crate::common::Folder;
use milepost::catalog::{PLANNERS, PlannerEntry};
use serde_json::Value;

/// Small maps of all kinds that every index can be built for.
const MAPS: [(&str, &str); 5] = [
    ("rooms", "--width 60 --height 40 --seed 1"),
    ("caves", "--width 50 --height 50 --seed 2"),
    ("maze", "--width 41 --height 31 --seed 3"),
    ("city", "--width 64 --height 30 --seed 4"),
    ("arena", "--width 40 --height 40 --seed 5"),
];

fn names(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|item| item["name"].as_str().expect("a name")).collect()
}

#[test]
fn what_is_built_is_shown_searched_raced_and_verified() {
    let folder = Folder::new();
    for (kind, size) in MAPS {
        for moves in ["octile", "octile14"] {
            folder.must(&format!("generate {kind} {size} -o a.map"));
            folder.must(&format!("scenarios a.map --count 40 --moves {moves} -o a.scen"));
            let build =
                format!("build a.map --index jump-table,corner-labels --moves {moves} -o a.milepost --json");
            let built = folder.must(&build).json();
            let size = folder.read("a.milepost").len() as u64;
            assert_eq!((&built["file"], &built["bytes"]), (&"a.milepost".into(), &size.into()));
            assert_eq!(names(&built["indexes"]), ["jump-table", "corner-labels"]);

            let (map, info) = (
                folder.must(&format!("info a.map --json --moves {moves}")).json(),
                folder.must("info a.milepost --json").json(),
            );
            for field in ["width", "height", "states", "components", "hash", "scale", "moves"] {
                assert_eq!(map[field], info[field], "{kind}: {field}");
            }
            assert!(
                map["sections"].is_null() && map["file_bytes"].is_null() && map["format_version"].is_null()
            );
            assert_eq!((&info["file_bytes"], &info["format_version"]), (&size.into(), &2.into()));
            assert_eq!(names(&info["sections"]), ["jump-table", "corner-labels"]);
            for (section, index) in [0, 1].map(|at| (&info["sections"][at], &built["indexes"][at])) {
                assert_eq!(section["bytes"], index["bytes"], "{kind}");
                assert!(section["parameter"].is_null() && section["bytes_per_state"].as_f64() > Some(0.0));
            }

            let benchmark = folder.must("bench a.milepost --scen a.scen --json").json();
            assert!(
                names(&benchmark["runs"]).contains(&"corner-labels")
                    && names(&benchmark["runs"]).contains(&"jps-plus")
            );
            for run in benchmark["runs"].as_array().expect("runs") {
                let name = run["name"].as_str().expect("a name");
                assert!(run["build_seconds"].is_null(), "files hold no times: {run}");
                assert_eq!(run["failed"], 0, "{kind}: {run}");
                let is_promised =
                    |entry: &PlannerEntry| entry.name == name && entry.guarantee.contains("optimal");
                if run["kind"] == "planner" && PLANNERS.iter().any(is_promised) {
                    assert_eq!(run["optimal"], benchmark["queries"], "{kind}: {run}");
                }
                let reads = ["jps-plus", "corner-labels"].contains(&name);
                assert_eq!(run["index_bytes"].as_u64() > Some(0), reads, "{kind}: {run}");
            }
            let verified = folder.must("verify a.milepost --map a.map --sample 50 --json").json();
            assert_eq!((&verified["wrong"], &verified["sampled"]), (&0.into(), &50.into()));
            assert_eq!(verified["sections"], serde_json::json!(["jump-table", "corner-labels", "figures"]));
        }
    }
}

#[test]
fn a_path_through_a_file_is_that_through_the_map() {
    let folder = Folder::indexed();
    let path = |words: &str| folder.must(&format!("path {words} --from 2,2 --to 11,7 --json")).json();
    let (map, file) = (path("yard.map --planner dijkstra"), path("yard.milepost"));
    // It is found by the planner that is expected to take the least time.
    let figures = folder.must("info yard.milepost --json").json()["figures"].clone();
    let expected =
        |figure: &&serde_json::Value| figure["expected_us"].as_f64().map_or(u64::MAX, f64::to_bits);
    let fastest =
        figures.as_array().and_then(|figures| figures.iter().min_by_key(expected)).expect("figures");
    assert_eq!((&map["cost"], &file["planner"]), (&file["cost"], &fastest["planner"]));
    let plus = path("yard.milepost --planner jps-plus --moves octile");
    assert_eq!(plus["cost"], map["cost"]);
    // Out of reach and blocked are known as on the map.
    assert_eq!(folder.run("path yard.milepost --from 0,0 --to 4,4").code, 1);
    assert_eq!(folder.run("path yard.milepost --from 0,0 --to 1,1").code, 1);
    assert_eq!(folder.run("path yard.milepost --from 0,0 --to 12,1").code, 2);
}

#[test]
fn threads_change_no_byte_of_a_file() {
    let folder = Folder::new();
    for (kind, size) in [("rooms", "--width 120 --height 90"), ("caves", "--width 100 --height 100")] {
        folder.must(&format!("generate {kind} {size} --seed 6 -o a.map"));
        let mut files = Vec::new();
        for threads in [1, 2, 5] {
            folder.must(&format!(
                "build a.map --index jump-bounds,corner-hierarchy,corner-labels -o a.milepost --threads {threads}"
            ));
            files.push(folder.read("a.milepost"));
        }
        assert!(files.iter().all(|file| *file == files[0]), "{kind}");
    }
}

#[test]
fn one_index_after_the_other_is_all_at_once() {
    let folder = Folder::indexed();
    folder.must("build yard.map --index none -o map.milepost");
    folder.must("build map.milepost --index jump-table -o table.milepost");
    folder.must("build table.milepost --index corner-labels -o labels.milepost");
    folder.must("build yard.map --index corner-labels,jump-table,corner-labels -o twice.milepost");
    folder.must("build table.milepost -o standard.milepost");
    let whole = folder.read("yard.milepost");
    assert!(folder.read("standard.milepost") == whole);
    assert!(folder.read("labels.milepost") == whole && folder.read("twice.milepost") == whole);
    assert_eq!(folder.must("info map.milepost --json").json()["sections"], serde_json::json!([]));
    // Files of graphs and of maps with weights: no index, but searched all the same.
    folder.must("build roads.gr --index none -o roads.milepost");
    assert_eq!(folder.must("path roads.milepost --from #1 --to #3 --json").json()["cost"], 12.0);
    folder.must("build yard.map --weights .=3 --moves hex --index none -o heavy.milepost");
    let cost =
        |words: &str| folder.must(&format!("path {words} --from 0,0 --to 3,0 --json")).json()["cost"].clone();
    assert_eq!(cost("heavy.milepost"), cost("yard.map --weights .=3 --moves hex"));
    folder.must("verify heavy.milepost --map yard.map --weights .=3");
    folder.must("verify roads.milepost --map roads.gr");
}

#[test]
fn build_refuses_what_it_cannot_build_and_names_what_works() {
    let folder = Folder::with_roads();
    folder.must("generate random --width 120 --height 120 -o noise.map");
    for (words, pieces) in [
        (
            "noise.map --index jump-bounds",
            &[
                "does not pay",
                "are corners",
                "can be built here: jump-table, goal-bounds, ",
                "without --index is built corner-labels; ",
                "with these work astar-bounds, jps-plus, ",
            ][..],
        ),
        ("noise.map --index jump-table,jump-bounds", &["does not pay", "with these work "]),
        ("yard.map --index jump-table --moves four", &["jump-table", "octile and octile14", "astar"]),
        (
            "yard.map --index corner-labels --moves hex",
            &["octile and octile14", "dijkstra, astar", "without --index is built first-moves; "],
        ),
        ("yard.map --index jump-bounds --moves octile-cutting", &["octile and octile14", "astar"]),
        ("yard.map --index corner-labels --weights .=2", &["maps with weights", "astar"]),
        ("roads.gr --index jump-table", &["graphs", "dijkstra"]),
    ] {
        folder.fails(&format!("build {words} -o never.milepost"), 2, "cannot_build", pieces);
        folder.fails(&format!("estimate {words}"), 2, "cannot_build", pieces);
    }
    folder.fails(
        "build yard.map --index nosuch -o never.milepost",
        2,
        "unknown_name",
        &["jump-table", "none"],
    );
    folder.fails(
        "build yard.map --index none,jump-table -o never.milepost",
        2,
        "unknown_name",
        &["none alone"],
    );
    folder.fails("build yard.map --index jump-table -o never.map", 2, "unsupported_pair", &["NAME.milepost"]);
    folder.fails("convert yard.map never.milepost", 2, "unsupported_pair", &["milepost build"]);
    assert!(!folder.names().iter().any(|name| name.contains("never")), "{:?}", folder.names());
}

#[test]
fn without_a_list_of_indexes_the_standard_one_of_the_map_is_built() {
    let folder = Folder::with_roads();
    for (words, expected) in [
        ("yard.map", "corner-labels"),
        ("yard.map --moves octile14", "corner-labels"),
        ("yard.map --moves hex", "first-moves"),
        ("yard.map --weights .=3", "first-moves"),
        ("roads.gr", "first-moves"),
    ] {
        let estimate = folder.must(&format!("estimate {words} --json")).json();
        let built = folder.must(&format!("build {words} -o a.milepost --json")).json();
        assert_eq!(names(&estimate["indexes"]), [expected], "{words}");
        assert_eq!(names(&built["indexes"]), [expected], "{words}");
    }
    // A file gets what it lacks.
    folder.must("build yard.map --index jump-table -o table.milepost");
    assert_eq!(
        names(&folder.must("build table.milepost -o b.milepost --json").json()["indexes"]),
        ["corner-labels"]
    );
    // Where every index takes a flood from each of many states there is none.
    folder.must("generate caves --width 260 --height 260 -o wide.map");
    let ran = folder.must("build wide.map --moves hex -o wide.milepost --json");
    assert!(ran.stderr.contains("no index is standard here") && ran.stderr.contains("--index"), "{ran:?}");
    assert_eq!(names(&ran.json()["indexes"]), [""; 0]);
    let ran = folder.must("build wide.map --moves hex --index none -o wide.milepost");
    assert_eq!(ran.stderr, "", "{ran:?}");
}

#[test]
fn an_index_and_a_planner_that_are_gone_are_refused_with_what_took_their_place() {
    let folder = Folder::indexed();
    folder.must("scenarios yard.map --count 3 -o a.scen");
    for call in [
        "build yard.map --index jump-rows -o never.milepost",
        "build yard.map --index jump-table,jump-rows -o never.milepost",
        "build yard.milepost --index jump-rows:3 -o never.milepost",
        "estimate yard.map --index jump-rows",
    ] {
        folder.fails(call, 2, "unknown_name", &["the index `jump-rows` is gone", "`corner-labels`"]);
    }
    for call in [
        "path yard.map --from 0,0 --to 3,0 --planner jump-rows",
        "path yard.milepost --from 0,0 --to 3,0 --planner jump-rows:bounds=on",
        "bench yard.map --scen a.scen --planners astar,jump-rows",
        "bench yard.milepost --scen a.scen --planners all,jump-rows",
    ] {
        folder.fails(call, 2, "unknown_name", &["the planner `jump-rows` is gone", "`corner-labels`"]);
    }
    assert!(!folder.names().iter().any(|name| name.contains("never")), "{:?}", folder.names());
}

#[test]
fn a_planner_without_its_index_names_the_command_that_builds_it() {
    let folder = Folder::indexed();
    folder.must("build yard.map --index jump-table -o table.milepost");
    let call = "--from 0,0 --to 3,0 --planner corner-labels";
    let pieces = ["needs the index `corner-labels`", "--index corner-labels -o"];
    folder.fails(&format!("path table.milepost {call}"), 2, "no_index", &pieces);
    folder.fails(&format!("path yard.map {call}"), 2, "no_index", &pieces);
    folder.must("scenarios yard.map --count 3 -o a.scen");
    folder.fails("bench table.milepost --scen a.scen --planners corner-labels", 2, "no_index", &pieces);
    let benchmark = folder.must("bench table.milepost --scen a.scen --json").json();
    assert!(!names(&benchmark["runs"]).contains(&"corner-labels"), "what is not in a file is not built");
}

#[test]
fn a_benchmark_on_a_map_builds_what_it_needs_and_says_how_long_that_took() {
    let folder = Folder::new();
    folder.must("scenarios yard.map --count 5 -o a.scen");
    let benchmark =
        folder.must("bench yard.map --scen a.scen --planners corner-labels,jps-plus,astar --json").json();
    for (run, reads) in benchmark["runs"].as_array().expect("runs").iter().zip([true, true, false]) {
        assert!(run["build_seconds"].is_number(), "{run}");
        assert_eq!(run["build_seconds"].as_f64() > Some(0.0), reads, "{run}");
        assert_eq!((&run["failed"], &run["optimal"]), (&0.into(), &5.into()), "{run}");
    }
}

#[test]
fn a_file_keeps_the_rule_it_was_built_for() {
    let folder = Folder::indexed();
    for call in ["info yard.milepost", "path yard.milepost --from 0,0 --to 3,0", "verify yard.milepost"] {
        folder.must(&format!("{call} --moves octile"));
        let pieces = ["--moves four", "was built for `octile`", "leave --moves out"];
        folder.fails(&format!("{call} --moves four"), 2, "other_rule", &pieces);
    }
    folder.must("build roads.gr --index none -o roads.milepost");
    folder.fails("info roads.milepost --moves octile", 2, "not_for_this_map", &["holds a graph"]);
    folder.fails("info yard.milepost --weights S=3", 2, "not_for_this_map", &["--weights"]);
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing() {
    let folder = Folder::new();
    std::fs::create_dir(folder.file("taken.milepost")).expect("a folder");
    let before = folder.names();
    for output in ["missing/a.milepost", "taken.milepost"] {
        let words = format!("build yard.map --index corner-labels -o {output}");
        folder.fails(&words, 3, "unwritable", &[output, "cannot be written"]);
        assert_eq!(folder.names(), before);
    }
}

#[test]
fn broken_index_files_are_refused_by_every_command() {
    let folder = Folder::indexed();
    let good = folder.read("yard.milepost");
    folder.write("a.scen", "version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t3\n");
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    let anew = "milepost build MAP --index LIST -o FILE";
    let cases: [(&str, Vec<u8>, Vec<&str>); 9] = [
        ("empty", Vec::new(), vec!["begins with nothing", "expected MILEPOST"]),
        ("a map", folder.read("yard.map"), vec!["begins with type oct", "build an index"]),
        ("another version", changed(8, 9), vec!["version 9", "reads version 2", anew]),
        ("the version before", changed(8, 1), vec!["version 1,", "reads version 2", anew]),
        ("cut in the header", good[..40].to_vec(), vec!["the header", "the end of the file", anew]),
        ("cut at the end", good[..good.len() - 1].to_vec(), vec!["expected a file of", anew]),
        ("a byte of the header", changed(25, good[25] ^ 1), vec!["the header", "checksum", anew]),
        ("a byte of the map", changed(320, good[320] ^ 1), vec!["section `map`", "checksum", anew]),
        ("the last byte", changed(good.len() - 1, 9), vec!["section `figures`", "checksum", anew]),
    ];
    for (what, bytes, pieces) in cases {
        folder.write("bad.milepost", bytes);
        for call in [
            "info bad.milepost",
            "path bad.milepost --from 0,0 --to 3,0",
            "bench bad.milepost --scen a.scen",
            "scenarios bad.milepost --count 3 -o never.scen",
            "build bad.milepost -o never.milepost",
            "verify bad.milepost",
        ] {
            let ran = folder.run(&format!("{call} --json"));
            assert_eq!(ran.code, 3, "{what}: {call}: {ran:?}");
            let (kind, message) = ran.error();
            assert_eq!(
                (kind.as_str(), &ran.json()["error"]["file"]),
                ("damaged", &"bad.milepost".into()),
                "{what}"
            );
            assert!(message.starts_with("bad.milepost: is "), "{what}: {message}");
            for piece in &pieces {
                assert!(message.contains(piece), "{what}: no `{piece}` in: {message}");
            }
        }
        folder.fails("info bad.milepost", 3, "damaged", &pieces);
    }
    folder.fails("verify nowhere.milepost", 3, "unreadable", &["nowhere.milepost"]);
    folder.fails("verify yard.map", 3, "damaged", &["is no index file"]);
    assert!(!folder.names().iter().any(|name| name.contains("never")), "{:?}", folder.names());
}

#[test]
fn verify_tells_a_file_of_another_map() {
    let folder = Folder::indexed();
    folder.must("verify yard.milepost --map yard.map");
    folder.write("other.map", common::YARD.replacen("....", "...@", 1));
    let pieces = ["yard.milepost: was built from another map", "fingerprint", "other.map", "build it anew"];
    folder.fails("verify yard.milepost --map other.map", 3, "damaged", &pieces);
    folder.fails(
        "verify yard.milepost --map yard.map --weights .=2",
        3,
        "damaged",
        &["the same cells as yard.map"],
    );
    folder.fails("verify yard.milepost --map nowhere.map", 3, "unreadable", &["nowhere.map"]);
    let none = folder.must("verify yard.milepost --sample 0 --json").json();
    assert_eq!(
        (&none["sampled"], &none["wrong"], &none["first_wrong"]),
        (&0.into(), &0.into(), &Value::Null)
    );
}

#[test]
fn estimates_are_near_what_is_built() {
    let folder = Folder::new();
    let larger =
        [("rooms", "--width 250 --height 200 --seed 8"), ("caves", "--width 220 --height 220 --seed 9")];
    for (kind, size) in MAPS.into_iter().chain(larger) {
        folder.must(&format!("generate {kind} {size} -o a.map"));
        let estimate = folder.must("estimate a.map --index jump-bounds,corner-labels --json").json();
        let built = folder.must("build a.map --index jump-bounds,corner-labels -o a.milepost --json").json();
        assert_eq!(names(&estimate["indexes"]), names(&built["indexes"]));
        for (about, built) in [0, 1, 2].map(|at| (&estimate["indexes"][at], &built["indexes"][at])) {
            let bytes = |index: &Value| index["bytes"].as_f64().expect("bytes");
            let ratio = bytes(about) / bytes(built);
            println!(
                "{kind} {size}: {}: {} for {}, {ratio:.3}",
                built["name"], about["bytes"], built["bytes"]
            );
            assert!((1.0 / 1.3..1.3).contains(&ratio), "{kind}: {about} for {built}");
            assert!(about["seconds"].as_f64() > Some(0.0));
        }
        assert!(estimate["indexes"][1]["jump_points"].as_u64() > Some(0), "{estimate}");
    }
}
