//! `--trace`: what a query or a journey did, for the visualiser Posthoc.

use crate::common::Folder;
use serde_json::{Value, json};

fn ring() -> Folder {
    let folder = Folder::new();
    folder.write("ring.map", "type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n");
    folder
}

fn trace(folder: &Folder, name: &str) -> Value {
    serde_json::from_slice(&folder.read(name)).expect("JSON")
}

#[test]
fn a_path_and_a_journey_are_written_as_traces() {
    let folder = ring();
    for words in [
        "path ring.map --from 0,0 --to 4,2 --planner astar",
        "path ring.map --from 0,0 --to 4,2 --planner jps",
        "walk ring.map --from 0,0 --to 4,2 --agent lss-lrta:8",
        "walk ring.map --from 0,0 --to 4,2 --agent block-dstar --sight 1",
    ] {
        let document = folder.must(&format!("{words} --trace a.trace.json --json")).json();
        assert_eq!(
            (&document["trace"], &document["trace_left"]),
            (&json!("a.trace.json"), &json!(0)),
            "{words}"
        );
        let trace = trace(&folder, "a.trace.json");
        assert_eq!(trace["version"], "1.4.0");
        let events = trace["events"].as_array().expect("events");
        let (source, end) = (&events[0], &events[events.len() - 1]);
        assert_eq!((&source["type"], &source["x"], &source["y"]), (&json!("source"), &json!(0), &json!(0)));
        assert_eq!((&end["type"], &end["x"], &end["y"]), (&json!("end"), &json!(4), &json!(2)), "{words}");
        assert_eq!(end["g"].as_f64(), document["cost"].as_f64().map(|cost| (cost * 1e4).round() / 1e4));
        folder.must(&format!("{words} --trace a.trace.yaml"));
        assert!(folder.read("a.trace.yaml").starts_with(b"version: 1.4.0\nviews:\n"));
    }
}

#[test]
fn what_is_too_much_is_left_out_and_said() {
    let folder = ring();
    let ran = folder
        .must("path ring.map --from 0,0 --to 4,2 --planner dijkstra --trace a.trace.json --events 5 --json");
    let left = ran.json()["trace_left"].as_u64().expect("a number");
    assert!(left > 0 && ran.stderr.contains("left out; --events N takes more"), "{}", ran.stderr);
    let trace = trace(&folder, "a.trace.json");
    let events = trace["events"].as_array().expect("events");
    assert_eq!((events.len(), &events[4]["type"]), (5, &json!("end")));
}

#[test]
fn a_door_on_the_way_is_in_the_trace_of_the_journey() {
    let folder = ring();
    folder.write("a.edits", "@2 close 3,0\n");
    let words =
        "walk ring.map --from 0,0 --to 4,0 --agent lss-lrta:8 --edits a.edits --trace a.trace.json --json";
    let document = folder.must(words).json();
    let trace = trace(&folder, "a.trace.json");
    let last = trace["events"].as_array().and_then(|events| events.last().cloned()).expect("an end");
    assert_eq!((&last["x"], &last["y"]), (&json!(4), &json!(0)));
    assert!(document["cost"].as_f64().expect("a cost") > 4.0);
}

#[test]
fn another_ending_is_a_usage_error_and_nothing_is_written() {
    let folder = ring();
    for name in ["a.json", "a.yaml", "a.trace", "a.trace.yml", "trace"] {
        for command in ["path", "walk"] {
            let ran = folder.run(&format!("{command} ring.map --from 0,0 --to 4,2 --trace {name} --json"));
            assert_eq!(ran.code, 2, "{command} {name}");
            assert!(ran.json()["error"]["message"].as_str().is_some_and(|text| text.contains(".trace.json")));
        }
    }
    assert_eq!(folder.run("path ring.map --from 0,0 --to 4,2 --events 9").code, 2);
    assert_eq!(folder.run("path ring.map --from 0,0 --to 4,2 --trace a.trace.json --distance").code, 2);
    assert_eq!(folder.run("path ring.map --from 0,0 --to 4,2 --trace nowhere/a.trace.json").code, 3);
    assert_eq!(folder.names(), ["ring.map"]);
}
