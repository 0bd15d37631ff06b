//! Negative answers say why, where to ask instead, and what to do.

use crate::common::Folder;
use serde_json::{Value, json};

/// The status, the reason and both places of a negative answer; its advice must be a sentence that is shown as text too.
fn reason(folder: &Folder, words: &str) -> (String, String, Value, Value) {
    let (ran, shown) = (folder.run(&format!("{words} --json")), folder.run(words));
    assert_eq!((ran.code, shown.code), (1, 1), "{words}: {ran:?}");
    let document = ran.json();
    let text =
        |name: &str| document[name].as_str().unwrap_or_else(|| panic!("{name}: {document}")).to_owned();
    let advice = text("advice");
    assert!(advice.split(' ').count() > 4, "{advice}");
    assert!(shown.stdout.contains(&advice), "{advice}: {shown:?}");
    (text("status"), text("reason"), document["nearest"].clone(), document["nearest_goal"].clone())
}

fn expect(folder: &Folder, words: &str, expected: (&str, &str, Value, Value)) {
    let (status, word, nearest, nearest_goal) = reason(folder, words);
    assert_eq!((status.as_str(), word.as_str(), nearest, nearest_goal), expected, "{words}");
}

#[test]
fn a_blocked_end_is_named_with_the_free_cell_nearest_to_it() {
    let folder = Folder::new();
    for command in ["path", "walk"] {
        let ask = |ends: &str, expected| expect(&folder, &format!("{command} yard.map {ends}"), expected);
        ask("--from 1,1 --to 11,7", ("blocked", "start_blocked", json!([1, 0]), Value::Null));
        ask("--from 0,0 --to 8,6", ("blocked", "goal_blocked", json!([7, 6]), Value::Null));
        ask("--from 1,1 --to 8,6", ("blocked", "both_blocked", json!([1, 0]), json!([7, 6])));
    }
    // Of many goals the first counts, if none is free.
    let goals = "path yard.map --from 0,0 --to 8,6 --to 1,1";
    expect(&folder, goals, ("blocked", "goal_blocked", json!([7, 6]), Value::Null));
    folder.write("walls.map", "type octile\nheight 1\nwidth 2\nmap\n@@\n");
    let walls = "path walls.map --from 0,0 --to 1,0";
    expect(&folder, walls, ("blocked", "both_blocked", Value::Null, Value::Null));
}

#[test]
fn a_goal_in_another_component_is_told_with_the_nearest_cell_that_can_be_reached() {
    let folder = Folder::new();
    let ends = "yard.map --from 0,0 --to 4,4";
    expect(&folder, &format!("path {ends}"), ("unreachable", "other_component", json!([4, 2]), Value::Null));
    expect(&folder, &format!("walk {ends}"), ("no_path", "other_component", json!([4, 2]), Value::Null));
    expect(
        &folder,
        &format!("walk {ends} --agent replan"),
        ("no_path", "other_component", json!([4, 2]), Value::Null),
    );
    // Above and below are equally near; a partial path takes the one that costs less.
    expect(
        &folder,
        &format!("path {ends} --partial"),
        ("partial", "unreachable", json!([4, 6]), Value::Null),
    );
}

#[test]
fn a_goal_behind_one_way_moves_is_told_from_one_that_nothing_leads_to() {
    let folder = Folder::new();
    folder.write("a.gr", "p sp 4 3\na 1 2 5\na 2 1 5\na 3 2 7\n");
    folder.write("a.co", "p aux sp co 4\nv 1 0 0\nv 2 3 4\nv 3 9 4\nv 4 9 9\n");
    folder.write("bare.gr", folder.read("a.gr"));
    for (map, nearest) in [("a.gr", json!("#2")), ("bare.gr", Value::Null)] {
        let ask = |to: &str, reason| {
            let words = format!("path {map} --from #1 --to {to}");
            expect(&folder, &words, ("unreachable", reason, nearest.clone(), Value::Null));
        };
        ask("#3", "one_way");
        ask("#4", "other_component");
        let walk = format!("walk {map} --from #1 --to #3 --agent lss-lrta");
        expect(&folder, &walk, ("no_path", "one_way", nearest.clone(), Value::Null));
    }
}

#[test]
fn what_ran_out_is_a_reason_too_and_good_answers_have_none() {
    let folder = Folder::new();
    let ends = "yard.map --from 0,0 --to 11,7";
    let nothing = Value::Null;
    expect(
        &folder,
        &format!("path {ends} --budget 1"),
        ("out_of_budget", "out_of_budget", nothing.clone(), nothing.clone()),
    );
    let partial = reason(&folder, &format!("path {ends} --budget 3 --partial --planner astar"));
    assert_eq!((partial.0.as_str(), partial.1.as_str()), ("partial", "out_of_budget"));
    assert!(partial.2.is_array());
    expect(
        &folder,
        &format!("walk {ends} --max-moves 3"),
        ("stopped", "max_moves", nothing.clone(), nothing.clone()),
    );
    for command in ["path", "walk"] {
        let document = folder.must(&format!("{command} {ends} --json")).json();
        for name in ["reason", "nearest", "nearest_goal", "advice"] {
            assert_eq!(document.get(name), Some(&nothing), "{name} of {command}");
        }
    }
}

#[test]
fn walk_moves_blocked_ends_to_free_cells_when_asked() {
    let folder = Folder::new();
    let document = folder.must("walk yard.map --from 1,1 --to 99,7 --snap --json").json();
    assert_eq!(document["status"], "arrived");
    assert_eq!(document["snapped"], json!([[1, 0], [11, 7]]));
    assert_eq!(document["trail"][0], json!([1, 0]));
    assert!(
        folder.must("walk yard.map --from 1,1 --to 11,7 --snap").stdout.contains("snapped     1,1 -> 1,0\n")
    );
    folder.write("roads.gr", crate::common::ROADS);
    let (kind, message) = folder.run("walk roads.gr --from #1 --to #3 --snap --json").error();
    assert_eq!((kind.as_str(), message.contains("--snap")), ("not_for_this_map", true));
}

#[test]
fn of_a_long_walk_the_text_shows_where_it_begins_and_ends_and_how_to_have_all_of_it() {
    let folder = Folder::new();
    folder.write("lane.map", format!("type octile\nheight 1\nwidth 90\nmap\n{}\n", ".".repeat(90)));
    let places = |to: u32| {
        let text = folder.must(&format!("walk lane.map --from 0,0 --to {to},0")).stdout;
        text.split("\n\n").nth(1).expect("a trail").to_owned()
    };
    let long = places(89);
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines.len(), 3, "{long}");
    assert!(lines[0].starts_with("0,0 1,0 ") && lines[2].ends_with(" 88,0 89,0"), "{long}");
    assert_eq!(lines[1], "... 66 more, all of them with --json ...");
    assert_eq!(lines[0].split(' ').count() + lines[2].split(' ').count() + 66, 90);
    let short = places(47);
    assert_eq!((short.lines().count(), short.split_whitespace().count()), (4, 48), "{short}");
    let document = folder.must("walk lane.map --from 0,0 --to 89,0 --json").json();
    assert_eq!(document["trail"].as_array().expect("a trail").len(), 90);
}
