//! Traces are read back and held against the rules of their format.

use crate::support::Page;
use milepost_explore::{TRACE_VERSION, TraceFormat};
use serde_json::{Value, json};
use std::collections::HashSet;

const TYPES: [&str; 7] = ["source", "destination", "generating", "updating", "expanding", "closing", "end"];

/// A trace in JSON, from its text; YAML in the style in which traces are written is brought into JSON line by line.
fn read(text: &str, format: TraceFormat) -> Value {
    if format == TraceFormat::Json {
        return serde_json::from_str(text).expect("JSON");
    }
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("version: 1.4.0"));
    assert_eq!((lines.next(), lines.next()), (Some("views:"), Some("  main:")));
    let item = |line: &str| -> Value {
        // Plain words get their quotes.
        let (mut json, mut word, mut is_quoted) = (String::new(), String::new(), false);
        for letter in line.trim_start_matches([' ', '-']).chars() {
            if letter == '"' {
                is_quoted = !is_quoted;
            }
            let is_word = !is_quoted && (letter.is_ascii_alphabetic() || letter == '-' && !word.is_empty());
            if is_word {
                word.push(letter);
                continue;
            }
            if !word.is_empty() {
                json += &format!("\"{word}\"");
                word.clear();
            }
            json.push(letter);
        }
        serde_json::from_str(&json).unwrap_or_else(|error| panic!("{line}: {json}: {error}"))
    };
    let mut document = json!({ "version": "1.4.0", "views": { "main": [] }, "events": [] });
    let mut is_event = false;
    for line in lines {
        match line {
            "events:" => is_event = true,
            line => {
                let list = if is_event { &mut document["events"] } else { &mut document["views"]["main"] };
                list.as_array_mut().expect("a list").push(item(line));
            }
        }
    }
    document
}

/// What must hold of every trace.
fn check(trace: &Value, most: usize) {
    assert_eq!(trace["version"], TRACE_VERSION);
    let views = trace["views"]["main"].as_array().expect("views");
    assert!(!views.is_empty());
    for view in views {
        assert!(["rect", "circle", "path"].contains(&view["$"].as_str().expect("a shape")), "{view}");
        assert_eq!(view["fill"], "${{ color[$.type] }}");
    }
    let events = trace["events"].as_array().expect("events");
    assert!(events.len() >= 3 && events.len() <= most, "{} events", events.len());
    assert_eq!((&events[0]["type"], &events[1]["type"]), (&json!("source"), &json!("destination")));
    assert_eq!(events[events.len() - 1]["type"], "end");
    let mut known: HashSet<u64> = HashSet::new();
    for event in events {
        let kind = event["type"].as_str().expect("a type");
        assert!(TYPES.contains(&kind), "{event}");
        let id = event["id"].as_u64().expect("an id");
        if let Some(parent) = event["pId"].as_u64() {
            assert!(known.contains(&parent), "{event}: its parent comes before it");
        }
        for field in ["x", "y"] {
            assert!(event[field].is_number(), "{event}");
        }
        if let (Some(f), Some(g), Some(h)) = (event["f"].as_f64(), event["g"].as_f64(), event["h"].as_f64()) {
            assert!((f - g - h).abs() < 0.01, "{event}: f is g + h");
        }
        if kind == "expanding" && event["pId"].is_null() && event["h"].is_number() {
            assert!(known.contains(&id), "{event} was opened");
        }
        known.insert(id);
    }
}

#[test]
fn a_trace_of_every_algorithm_keeps_the_rules_of_the_format_in_both_forms() {
    let mut page = Page::new();
    let hello = page.ask(json!({ "op": "hello" })).header;
    let opened = page
        .ask(json!({ "op": "open", "generate": { "kind": "caves", "width": 32, "height": 24, "seed": 5 } }));
    let (map, near) = (&opened.header["map"], &opened.header["near"]);
    let mut lefts = 0;
    for entry in hello["algorithms"].as_array().expect("a list") {
        for index in entry["needs"].as_array().expect("a list") {
            page.ask(json!({ "op": "index", "map": map, "index": index }));
        }
        let ask = json!({ "op": "run", "map": map, "algorithm": entry["name"], "family": entry["family"],
                          "start": near[0], "goal": near[1] });
        let run = page.ask(ask).header["run"].clone();
        for (format, name) in [(TraceFormat::Json, "json"), (TraceFormat::Yaml, "yaml")] {
            for most in [50, 100_000] {
                let traced = page.ask(json!({ "op": "trace", "run": run, "format": name, "events": most }));
                let file = traced.header["name"].as_str().expect("a name");
                assert_eq!(TraceFormat::named(file), Some(format), "{file}");
                let text = String::from_utf8(traced.block("trace").to_vec()).expect("text");
                let trace = read(&text, format);
                check(&trace, most);
                let left = traced.header["left"].as_u64().expect("a number");
                let count = trace["events"].as_array().expect("events").len();
                assert!(left == 0 || count == most, "{left} are left out of a trace of {count}");
                lefts += left;
            }
        }
    }
    assert!(lefts > 0, "some traces are cut");
}

#[test]
fn a_trace_on_a_mesh_and_on_a_graph_keeps_the_rules() {
    let mut page = Page::new();
    for key in ["navmesh", "roads", "quadtree"] {
        let opened = page.ask(json!({ "op": "open", "shipped": key })).header;
        let near = &opened["near"];
        let ask = json!({ "op": "run", "map": opened["map"], "algorithm": "astar", "start": near[0], "goal": near[1] });
        let run = page.ask(ask).header["run"].clone();
        let traced = page.ask(json!({ "op": "trace", "run": run, "events": 1000 }));
        check(&serde_json::from_slice(traced.block("trace")).expect("JSON"), 1000);
    }
}

#[test]
fn only_two_endings_are_those_of_traces() {
    assert_eq!(TraceFormat::named("a/b.trace.json"), Some(TraceFormat::Json));
    assert_eq!(TraceFormat::named("B.TRACE.YAML"), Some(TraceFormat::Yaml));
    for other in ["a.json", "a.yaml", "a.trace.yml", "trace.json.gz", ""] {
        assert_eq!(TraceFormat::named(other), None, "{other}");
    }
}
