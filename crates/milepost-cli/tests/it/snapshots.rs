//! What users and programs read, word for word. `cargo xtask golden` writes these snapshots anew.

use crate::common::{Folder, Ran, steady};

fn rendered(ran: &Ran) -> String {
    format!("exit {}\n{}{}", ran.code, ran.stdout, ran.stderr)
}

/// What users read, without what differs from run to run: times and bytes of memory.
macro_rules! assert_text {
    ($name:literal, $ran:expr) => { assert_text!($name, $ran, []) };
    ($name:literal, $ran:expr, [$($filter:expr),*]) => {
        insta::with_settings!({
            omit_expression => true,
            prepend_module_to_snapshot => false,
            filters => vec![
                (r"[0-9.,]+ (ns|µs|ms|s)\b", "[time]"),
                (r"[0-9.,]+ (B|KiB|MiB)\b", "[bytes]"),
                $($filter),*
            ]
        }, { insta::assert_snapshot!($name, rendered(&$ran)) });
    };
}

/// The same for a table whose columns are as wide as the times in them.
macro_rules! assert_table {
    ($name:literal, $ran:expr) => {
        assert_text!($name, $ran, [(r"[^\S\n]{2,}", "  "), (r"-{3,}", "---")]);
    };
}

macro_rules! assert_json {
    ($name:literal, $ran:expr) => {
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!($name, steady($ran.json()))
        });
    };
}

/// Two good problems, one whose listed length is wrong, one without a path, one with a blocked start.
const PROBLEMS: &str = "version 1
0\tyard.map\t12\t8\t0\t0\t3\t0\t3
1\tyard.map\t12\t8\t2\t2\t11\t7\t13.41421
2\tyard.map\t12\t8\t0\t0\t11\t7\t16.5
0\tyard.map\t12\t8\t0\t0\t4\t4\t0
0\tyard.map\t12\t8\t1\t1\t4\t4\t0
";

#[test]
fn list_shows_every_planner_and_agent() {
    let folder = Folder::new();
    assert_text!("list", folder.run("list"));
    assert_json!("list_json", folder.run("list --json"));
}

#[test]
fn info_describes_a_map() {
    let folder = Folder::new();
    assert_text!("info", folder.run("info yard.map"));
    assert_text!("info_octile14", folder.run("info yard.map --moves octile14"));
    assert_json!("info_json", folder.run("info --json yard.map"));
}

#[test]
fn generate_and_scenarios_say_what_they_wrote() {
    let folder = Folder::new();
    assert_text!("generate", folder.run("generate rooms --width 40 --height 30 --seed 5 -o a.map"));
    assert_json!(
        "generate_json",
        folder.run("generate rooms --width 40 --height 30 --seed 5 -o a.map --json")
    );
    assert_text!("scenarios", folder.run("scenarios yard.map --count 4 -o a.scen"));
    assert_json!("scenarios_json", folder.run("scenarios yard.map --count 4 -o a.scen --json"));
    let written = String::from_utf8(folder.read("a.scen")).expect("text");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, { insta::assert_snapshot!("scenarios_file", written) });
}

#[test]
fn repair_says_which_rows_it_touched() {
    let folder = Folder::new();
    folder.must("build yard.map --index first-moves,corner-labels -o yard.milepost");
    folder.write("edits.txt", "close 11,7\n");
    let call = "repair yard.milepost --edits edits.txt -o after.milepost";
    assert_text!("repair", folder.run(call), [(r"[0-9.]+ times", "[factor] times")]);
    assert_json!("repair_json", folder.run(&format!("{call} --json")));
    assert_json!("repair_printed_json", folder.run(&format!("{call} --json --method printed")));
}

#[test]
fn path_shows_a_path() {
    let folder = Folder::new();
    assert_text!("path", folder.run("path yard.map --from 2,2 --to 11,7"));
    assert_json!(
        "path_json",
        folder.run("path yard.map --from 2,2 --to 11,7 --to 11,0 --json --planner dijkstra")
    );
}

#[test]
fn hexagons_weights_and_snapping_are_shown() {
    let folder = Folder::new();
    assert_text!("path_hex", folder.run("path yard.map --from 2,2 --to 11,7 --moves hex"));
    assert_text!("path_snapped", folder.run("path yard.map --from 1,1 --to 20,20 --moves four --snap"));
    assert_text!("info_weights", folder.run("info yard.map --weights .=3"));
}

#[test]
fn straight_paths_are_shown() {
    let folder = Folder::new();
    assert_text!("path_straight", folder.run("path yard.map --from 2,2 --to 11,7 --straight"));
    assert_json!("path_straight_json", folder.run("path yard.map --from 2,2 --to 11,7 --straight --json"));
    assert_text!("error_straight", folder.run("path yard.map --from 2,2 --to 11,7 --straight --moves hex"));
}

#[test]
fn tiled_maps_are_described() {
    let folder = Folder::new();
    folder.must("convert yard.map hex.tmx --moves hex");
    assert_text!("info_tiled", folder.run("info hex.tmx"));
    assert_json!("info_tiled_json", folder.run("info hex.tmx --json"));
}

#[test]
fn graphs_are_described_searched_and_raced() {
    let folder = Folder::with_roads();
    folder.write("odd.scen", "milepost-graph-scenario 1\n1 3 12\n3 1 13\n2 2 0\n");
    assert_text!("graph_info", folder.run("info roads.gr"));
    assert_json!("graph_info_json", folder.run("info bare.gr --json"));
    assert_text!("graph_path", folder.run("path roads.gr --from #1 --to #3"));
    assert_json!("graph_path_json", folder.run("path roads.gr --from #1 --to #3 --json"));
    assert_json!("graph_path_bare_json", folder.run("path bare.gr --from #1 --to #3 --json"));
    assert_table!("graph_bench", folder.run("bench roads.gr --scen odd.scen --planners astar"));
    assert_text!("graph_scenarios", folder.run("scenarios roads.gr --count 3 -o a.scen"));
    assert_json!("graph_generate_json", folder.run("generate roads --nodes 90 -o a.gr --json"));
}

#[test]
fn index_files_are_built_described_and_verified() {
    let folder = Folder::with_roads();
    assert_table!("build", folder.run("build yard.map -o yard.milepost"));
    let build = "build yard.map --index jump-bounds,corner-labels -o yard.milepost --json";
    assert_json!("build_json", folder.run(build));
    assert_text!("build_none", folder.run("build roads.gr --index none -o roads.milepost"));
    assert_table!("estimate", folder.run("estimate yard.map --index jump-bounds,corner-labels"));
    assert_json!("estimate_json", folder.run("estimate yard.map --index jump-bounds,corner-labels --json"));
    assert_text!("verify", folder.run("verify yard.milepost --map yard.map"));
    assert_json!("verify_json", folder.run("verify yard.milepost --sample 10 --json"));
    assert_table!("info_file", folder.run("info yard.milepost"));
    assert_json!("info_file_json", folder.run("info yard.milepost --json"));
    assert_text!("info_file_none", folder.run("info roads.milepost"));
    assert_text!("error_build", folder.run("build roads.gr --index corner-labels -o never.milepost"));
    assert_text!("error_gone", folder.run("build yard.map --index jump-rows -o never.milepost"));
    folder.must("build yard.map --index jump-table -o table.milepost");
    let path = "path table.milepost --from 0,0 --to 3,0 --planner corner-labels";
    assert_text!("error_no_index", folder.run(path));
    assert_text!("error_other_rule", folder.run("info yard.milepost --moves hex"));
}

#[test]
fn convert_says_what_it_wrote() {
    let folder = Folder::with_roads();
    assert_text!("convert", folder.run("convert yard.map a.png --scale 4"));
    assert_json!("convert_json", folder.run("convert yard.map a.map --scale 2 --json"));
    assert_text!("convert_graph", folder.run("convert roads.gr a.gr"));
    assert_text!("error_convert", folder.run("convert yard.map a.gr"));
}

#[test]
fn path_says_why_there_is_none() {
    let folder = Folder::new();
    assert_text!("path_unreachable", folder.run("path yard.map --from 0,0 --to 4,4"));
    assert_json!("path_unreachable_json", folder.run("path yard.map --from 0,0 --to 4,4 --json"));
    assert_json!("path_blocked_json", folder.run("path yard.map --from 0,0 --to 1,1 --json"));
    assert_text!("path_partial", folder.run("path yard.map --from 0,0 --to 4,4 --partial"));
    assert_text!("path_out_of_budget", folder.run("path yard.map --from 0,0 --to 11,7 --budget 3"));
    assert_text!(
        "path_partial_budget",
        folder.run("path yard.map --from 0,0 --to 11,7 --budget 3 --partial")
    );
}

#[test]
fn walk_shows_a_journey_and_why_it_ended() {
    let folder = Folder::with_roads();
    assert_text!("walk", folder.run("walk yard.map --from 2,2 --to 11,7 --agent first-moves"));
    assert_json!("walk_json", folder.run("walk yard.map --from 2,2 --to 11,7 --agent first-moves --json"));
    assert_text!("walk_no_path", folder.run("walk yard.map --from 0,0 --to 4,4 --agent first-moves"));
    assert_json!(
        "walk_no_path_json",
        folder.run("walk yard.map --from 0,0 --to 4,4 --agent first-moves --json")
    );
    assert_text!("walk_blocked", folder.run("walk yard.map --from 0,0 --to 1,1 --agent first-moves"));
    assert_json!(
        "walk_blocked_json",
        folder.run("walk yard.map --from 1,1 --to 0,0 --agent first-moves --json")
    );
    let far = "walk yard.map --from 2,2 --to 11,7 --agent first-moves --max-moves 4";
    assert_text!("walk_stopped", folder.run(far));
    assert_json!("walk_stopped_json", folder.run(&format!("{far} --json")));
    assert_json!("walk_graph_json", folder.run("walk roads.gr --from #1 --to #3 --agent first-moves --json"));
    assert_text!("walk_graph", folder.run("walk bare.gr --from #1 --to #3 --agent first-moves"));
    assert_text!(
        "error_sight",
        folder.run("walk yard.map --from 0,0 --to 3,0 --agent first-moves --sight 1")
    );
    assert_text!("error_agent", folder.run("walk yard.map --from 0,0 --to 3,0 --agent nosuch"));
    folder.must("build yard.map --index none -o bare.milepost");
    assert_text!(
        "error_agent_no_index",
        folder.run("walk bare.milepost --from 0,0 --to 3,0 --agent first-moves")
    );
}

#[test]
fn bench_shows_agents_in_a_table_of_their_own() {
    let folder = Folder::new();
    folder.write("odd.scen", PROBLEMS);
    assert_table!(
        "bench_agents",
        folder.run("bench yard.map --scen odd.scen --planners astar --agents first-moves")
    );
    assert_json!(
        "bench_agents_json",
        folder.run("bench yard.map --scen odd.scen --agents first-moves --json")
    );
    assert_table!(
        "bench_agents_failed",
        folder.run("bench yard.map --scen odd.scen --agents first-moves --max-moves 3")
    );
}

#[test]
fn bench_shows_a_table_and_everything_odd() {
    let folder = Folder::new();
    folder.write("odd.scen", PROBLEMS);
    assert_table!("bench", folder.run("bench yard.map --scen odd.scen"));
    assert_json!(
        "bench_json",
        folder.run("bench yard.map --scen odd.scen --json --planners weighted-astar:3,astar")
    );
    assert_table!("bench_scen", folder.run("bench yard.map --scen odd.scen --planners astar --check scen"));
    assert_table!("bench_none", folder.run("bench yard.map --scen odd.scen --planners astar --check none"));
}

#[test]
fn demo_ends_with_tables_and_pictures() {
    let folder = Folder::new();
    assert_table!("demo", folder.run("demo --all"));
    assert_eq!(folder.names(), ["target", "yard.map"]);
}

#[test]
fn errors_are_one_document() {
    let folder = Folder::new();
    assert_json!("error_usage_json", folder.run("frobnicate --json"));
    assert_json!("error_name_json", folder.run("path yard.map --from 0,0 --to 3,0 --planner nosuch --json"));
    assert_json!("error_file_json", folder.run("--json info nowhere.map"));
    assert_text!("error_name", folder.run("path yard.map --from 0,0 --to 3,0 --planner nosuch"));
    assert_text!("error_outside", folder.run("path yard.map --from 0,0 --to 12,0"));
    assert_text!("error_rule", folder.run("info yard.map --moves knight"));
    assert_text!("error_estimate", folder.run("path yard.map --from 0,0 --to 3,0 --planner astar:h=hex"));
}

#[test]
fn help_tells_what_there_is() {
    let folder = Folder::new();
    assert_text!("help", folder.run("--help"));
    assert_text!("help_bench", folder.run("bench --help"));
    assert_text!("help_path", folder.run("path --help"));
    assert_text!("help_walk", folder.run("walk --help"));
}
