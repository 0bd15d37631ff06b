//! `--edits`: maps that change before a query, between queries, and between moves.

use crate::common::Folder;
use serde_json::{Value, json};

/// Three open rows, and five problems along the middle one.
fn rows() -> Folder {
    let folder = Folder::new();
    folder.write("rows.map", "type octile\nheight 3\nwidth 5\nmap\n.....\n.....\n.....\n");
    let problem = "0\trows.map\t5\t3\t0\t1\t4\t1\t4\n";
    folder.write("rows.scen", format!("version 1\n{}", problem.repeat(5)));
    folder.write("twice.scen", format!("version 1\n{}", problem.repeat(12)));
    folder.write(
        "doors.edits",
        "@3 open 0,0 4,2\n@1 close 2,0 2,1 # a door\n@2 close 2,2\n@3 close 4,1\n@4 open 4,1\n@9 close 0,0 4,2\n",
    );
    // A ring around a wall.
    folder.write("ring.map", "type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n");
    folder
}

fn walk(folder: &Folder, edits: &str, words: &str) -> (i32, Value) {
    folder.write("a.edits", edits);
    let ran = folder.run(&format!("walk ring.map --from 0,0 --to 4,0 --edits a.edits {words} --json"));
    (ran.code, ran.json())
}

#[test]
fn bench_edits_the_map_before_query_n_and_each_run_begins_with_the_map_as_it_was() {
    let folder = rows();
    let around = 2.0 + 2.0 * 2_f64.sqrt();
    for words in [
        "--scen rows.scen --planners astar,dijkstra,jps",
        "--scen twice.scen --every 2 --limit 5 --planners astar,dijkstra,jps",
        "--scen rows.scen --agents lss-lrta:100,replan --sight 1",
    ] {
        let document = folder.must(&format!("bench rows.map {words} --edits doors.edits --json")).json();
        assert_eq!((&document["queries"], &document["skipped"]), (&json!(4), &json!(1)), "{document}");
        assert_eq!(document["scen_disagreements"], Value::Null);
        let runs = document["runs"].as_array().expect("runs");
        assert!(runs.len() >= 2);
        for run in runs {
            // Past the door, around it, shut in, skipped because the goal is blocked, and open again.
            assert_eq!((&run["solved"], &run["failed"]), (&json!(4), &json!(0)), "{run}");
            let mean = run["mean_cost"].as_f64().expect("a mean");
            let is_optimal = run["optimal"] == 4;
            assert!(is_optimal || run["kind"] == "agent", "{run}");
            assert!(!is_optimal || (mean - (4.0 + around + 4.0) / 3.0).abs() < 1e-9, "{run}");
            assert_eq!(run["edit_us"].is_number(), run["kind"] == "planner", "{run}");
        }
    }
    let plain = folder.must("bench rows.map --scen rows.scen --planners astar --json").json();
    assert_eq!((&plain["runs"][0]["mean_cost"], &plain["runs"][0]["edit_us"]), (&json!(4.0), &Value::Null));
}

#[test]
fn lengths_of_a_scenario_are_not_compared_on_an_edited_map() {
    let folder = rows();
    let words = "bench rows.map --scen rows.scen --planners astar --edits doors.edits --check scen --json";
    let ran = folder.run(words);
    assert_eq!((ran.code, ran.error().0.as_str()), (2, "no_lengths"));
}

#[test]
fn a_path_is_found_on_the_edited_map_and_takes_no_later_edits() {
    let folder = rows();
    folder.write("now.edits", "close 2,0 2,1\n@0 close 3,0\n");
    let words = "path rows.map --from 0,1 --to 4,1 --edits";
    let document = folder.must(&format!("{words} now.edits --json")).json();
    assert_eq!(document["cost"], json!(2.0 + 2.0 * 2_f64.sqrt()));
    assert!(document["edit_us"].as_f64() >= document["micros"].as_f64());
    let ran = folder.run(&format!("{words} doors.edits --json"));
    let (kind, message) = ran.error();
    assert_eq!((ran.code, kind.as_str()), (2, "later_edit"));
    assert!(message.contains("doors.edits: line 2: `@1`"), "{message}");
    folder.write("outside.edits", "close 1,1\nclose 9,9\n");
    let ran = folder.run(&format!("{words} outside.edits --json"));
    assert_eq!(ran.code, 3);
    assert!(ran.error().1.contains("outside.edits: line 2: 9,9 lies outside"), "{ran:?}");
    folder.write("closed.edits", "close 4,1\n");
    let ran = folder.run(&format!("{words} closed.edits --json"));
    assert_eq!((ran.code, &ran.json()["reason"]), (1, &json!("goal_blocked")));
}

#[test]
fn walk_edits_the_map_before_move_n() {
    let folder = rows();
    for words in ["--agent lss-lrta", "--agent replan", ""] {
        let (code, document) = walk(&folder, "@2 close 3,0\n", words);
        assert_eq!((code, &document["status"]), (0, &json!("arrived")), "{words}: {document}");
        let trail = document["trail"].as_array().expect("a trail");
        assert_eq!((&trail[2], trail.contains(&json!([3, 0]))), (&json!([2, 0]), false), "{words}");
        assert!(trail.contains(&json!([2, 2])), "{words}: it went around");
        assert_eq!(document["optimal_cost"], json!(4.0));
    }
    // Before the first move, and when the agent is there already.
    let (_, document) = walk(&folder, "close 2,0\n@4 close 4,0\n", "--agent replan");
    assert_eq!((&document["status"], &document["optimal_cost"]), (&json!("no_path"), &json!(8.0)));
    let (code, document) = walk(&folder, "@4 close 0,0 4,2\n", "--agent replan");
    assert_eq!((code, &document["moves"]), (0, &json!(4)));
}

#[test]
fn on_a_file_with_labels_an_agent_walks_the_best_path_unasked_though_edits_drop_them() {
    let folder = rows();
    folder.must("build ring.map --index corner-labels -o ring.milepost");
    folder.write("a.edits", "@2 close 3,0\n");
    let ran = folder.must("walk ring.milepost --from 0,0 --to 4,0 --edits a.edits");
    assert!(
        ran.stdout.contains("follow") && ran.stdout.contains("4.000000 before the first move"),
        "{}",
        ran.stdout
    );
    // Two moves before the door closes, two back, and eight the other way round.
    let document = folder.must("walk ring.milepost --from 0,0 --to 4,0 --edits a.edits --json").json();
    assert_eq!((&document["moves"], &document["cost"]), (&json!(12), &json!(12.0)));
}

#[test]
fn walk_takes_links_and_weights_on_the_way() {
    let folder = rows();
    let (_, document) = walk(&folder, "@1 link 1,0 4,0 1\n", "--agent lss-lrta");
    assert_eq!((&document["moves"], &document["cost"]), (&json!(2), &json!(2.0)));
    folder.write("lane.map", "type octile\nheight 1\nwidth 5\nmap\n.....\n");
    folder.write("mud.edits", "@2 weight 3,0 9\n");
    let document =
        folder.must("walk lane.map --from 0,0 --to 4,0 --agent lss-lrta:100 --edits mud.edits --json").json();
    // Two steps over plain ground, one into the mud and one out of it.
    assert_eq!(document["cost"], json!(12.0));
}

#[test]
fn by_sight_a_link_is_taken_once_it_is_seen_and_agents_that_know_steps_alone_are_refused_by_name() {
    let folder = rows();
    for agent in ["replan", "lss-lrta --sight 2", "rtaa"] {
        let (code, document) = walk(&folder, "link 1,0 4,0 1\n", &format!("--agent {agent}"));
        assert_eq!((code, &document["moves"], &document["cost"]), (0, &json!(2), &json!(2.0)), "{agent}");
    }
    let (code, document) = walk(&folder, "@1 link 2,2 4,0 1\n", "--agent block-dstar");
    let message = document["error"]["message"].as_str().expect("a message");
    assert_eq!((code, &document["error"]["kind"]), (2, &json!("not_for_this_map")));
    let named = "`block-dstar` does not work on maps with links; try ";
    assert!(
        message.starts_with(named) && message.contains("replan") && message.contains("rtaa"),
        "{message}"
    );
    // A room without doors: the link into it begins where no way to the goal leads.
    folder.write("room.map", "type octile\nheight 3\nwidth 6\nmap\n...@..\n...@..\n...@..\n");
    for (edits, code) in [("link 0,2 5,2 3\n", 0), ("link 5,2 0,2 3\n", 1)] {
        folder.write("room.edits", edits);
        let words = "walk room.map --from 2,0 --to 5,0 --sight 1 --agent lrta --edits room.edits --json";
        assert_eq!(folder.run(words).code, code, "{edits}");
    }
}

#[test]
fn an_edit_on_the_cell_of_an_agent_is_refused_with_its_line() {
    let folder = rows();
    for (edits, line) in [("@2 open 0,0\n@2 close 1,0 2,0\n", 2), ("close 0,0\n", 1)] {
        let (code, document) = walk(&folder, edits, "--agent replan");
        let message = document["error"]["message"].as_str().expect("a message");
        assert_eq!((code, &document["error"]["kind"]), (2, &json!("agent_stands_there")));
        assert!(message.contains(&format!("a.edits: line {line}: ")), "{message}");
    }
    // One that is opened beforehand is free to stand on, and one that is snapped stands elsewhere.
    folder.write("a.edits", "open 2,1\n");
    folder.must("walk ring.map --from 2,1 --to 4,0 --edits a.edits");
    folder.write("a.edits", "close 0,0\n");
    let document = folder.must("walk ring.map --from 0,0 --to 4,0 --snap --edits a.edits --json").json();
    assert_eq!(document["snapped"], json!([[1, 0], [4, 0]]));
}

#[test]
fn a_goal_that_an_edit_closes_has_no_path() {
    let folder = rows();
    for edits in ["@2 close 4,0\n", "close 4,0\n"] {
        for agent in ["lss-lrta", "replan"] {
            let (code, document) = walk(&folder, edits, &format!("--agent {agent}"));
            assert_eq!((code, &document["status"]), (1, &json!("no_path")), "{edits}: {document}");
            assert_eq!(document["reason"], json!("goal_blocked"));
        }
    }
    let (code, document) = walk(&folder, "@1 close 3,0 3,2\n", "--agent lss-lrta");
    assert_eq!((code, &document["status"]), (1, &json!("no_path")));
    assert_eq!((&document["reason"], &document["nearest"]), (&json!("other_component"), &json!([2, 0])));
}

#[test]
fn edits_drop_the_indexes_of_a_file_so_that_what_needs_one_is_refused_before_anything_runs() {
    let folder = rows();
    folder.must("build rows.map --index first-moves,jump-table -o rows.milepost");
    folder.write("late.edits", "@3 close 2,1\n");
    folder.write("now.edits", "close 2,1\n");
    for words in [
        "walk rows.milepost --from 0,1 --to 4,1 --agent first-moves --edits late.edits",
        "walk rows.map --from 0,1 --to 4,1 --agent first-moves --edits late.edits",
        "path rows.milepost --from 0,1 --to 4,1 --planner jps-plus --edits now.edits",
        "bench rows.milepost --scen rows.scen --planners astar,first-moves --edits late.edits",
        "bench rows.map --scen rows.scen --agents corner-walk --edits late.edits",
    ] {
        let ran = folder.run(&format!("{words} --json"));
        let (kind, message) = ran.error();
        assert_eq!((ran.code, kind.as_str()), (2, "no_index"), "{words}: {message}");
        assert!(message.contains("which --edits drop"), "{message}");
    }
    // Unasked an agent walks that follows planners, and one that learns where it knows no map.
    for (words, agent) in [
        ("rows.milepost", "follow"),
        ("rows.map", "follow"),
        ("rows.map --moves hex", "follow"),
        ("rows.map --sight 1", "block-dstar"),
    ] {
        let document =
            folder.must(&format!("walk {words} --from 0,1 --to 4,1 --edits late.edits --json")).json();
        assert_eq!((&document["agent"], &document["stand_in"]), (&json!(agent), &Value::Null), "{words}");
    }
    let document = folder.must("path rows.milepost --from 0,1 --to 4,1 --edits now.edits --json").json();
    assert_eq!(document["planner"], "jps");
    let document = folder.must("bench rows.milepost --scen rows.scen --edits late.edits --json").json();
    let left_out = document["left_out"].as_array().expect("a list");
    let reason = |name: &str| left_out.iter().find(|left| left["name"] == name).map(|left| &left["reason"]);
    assert_eq!(reason("jps-plus"), Some(&json!("it needs the index `jump-table`, which edits drop")));
    // Links that come later are a reason too.
    folder.write("link.edits", "@2 link 0,0 4,2 1\n");
    let ran = folder.run("bench rows.map --scen rows.scen --planners jps --edits link.edits --json");
    assert_eq!((ran.code, ran.error().0.as_str()), (2, "not_for_this_map"));
    folder.must("bench rows.map --scen rows.scen --edits link.edits");
}
