//! What is asked, and what is answered.

use crate::support::Page;
use serde_json::json;

#[test]
fn hello_offers_maps_and_every_algorithm() {
    let hello = Page::new().ask(json!({ "op": "hello" })).header;
    assert_eq!(hello["protocol"], 1);
    for field in ["algorithms", "maps", "generators", "rules", "indexes", "kinds", "files"] {
        assert!(!hello[field].as_array().expect(field).is_empty(), "{field}");
    }
    for entry in hello["algorithms"].as_array().expect("a list") {
        for field in
            ["name", "title", "family", "line", "guarantee", "needs", "unit", "layers", "params", "rules"]
        {
            assert!(!entry[field].is_null(), "{}: {field}", entry["name"]);
        }
    }
}

#[test]
fn a_planner_runs_from_a_start_to_a_goal_and_costs_what_the_best_path_costs() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "harbour" })).header;
    let (map, near) = (&opened["map"], &opened["near"]);
    let path = page.ask(json!({ "op": "path", "map": map, "start": near[0], "goal": near[1] })).header;
    let begun = page.ask(json!({ "op": "run", "map": map, "algorithm": "astar", "family": "planner",
                                 "params": {}, "start": near[0], "goal": near[1] }));
    let mut steps = 0;
    let last = loop {
        let part = page.ask(json!({ "op": "advance", "run": begun.header["run"], "steps": 500 }));
        steps += part.block("steps").len() / 32;
        if !part.header["done"].is_null() {
            break part;
        }
    };
    assert_eq!(last.header["done"], "found");
    assert_eq!(last.header["summary"]["cost"], path["cost"]);
    assert_eq!(last.header["summary"]["steps"], steps);
    assert!(!last.block("events").is_empty());
}

#[test]
fn every_shipped_map_opens_and_has_a_good_first_problem() {
    let mut page = Page::new();
    let maps = page.ask(json!({ "op": "hello" })).header["maps"].clone();
    for map in maps.as_array().expect("a list") {
        let opened = page.ask(json!({ "op": "open", "shipped": map["key"] })).header;
        let near = &opened["near"];
        let asked = json!({ "op": "path", "map": opened["map"], "start": near[0], "goal": near[1] });
        let path = page.ask(asked).header;
        assert!(path["cost"].as_f64().is_some_and(|cost| cost > 0.0), "{}: {path}", map["key"]);
        assert_eq!(opened["kind"], map["kind"]);
    }
}

#[test]
fn a_wall_is_painted_and_taken_away_again() {
    let mut page = Page::new();
    let opened = page.open_drawing("..... ..... .....").header;
    let (map, base, stride) =
        (&opened["map"], opened["base"].as_u64().unwrap(), opened["stride"].as_u64().unwrap());
    let cell = |x: u64, y: u64| base + y * stride + x;
    let ask = json!({ "op": "path", "map": map, "start": cell(0, 1), "goal": cell(4, 1) });
    assert_eq!(page.ask(ask.clone()).header["cost"], 4.0);
    let wall = [cell(2, 0), cell(2, 1), cell(2, 2)];
    let edited = page.ask(json!({ "op": "edit", "map": map, "edits": [{ "cells": wall, "to": 64 }] })).header;
    assert_eq!((&edited["version"], &edited["free"]), (&json!(1), &json!(12)));
    assert!(page.ask(ask.clone()).header["cost"].is_null());
    page.ask(json!({ "op": "edit", "map": map, "edits": [{ "cells": wall, "to": 46 }] }));
    assert_eq!(page.ask(ask.clone()).header["cost"], 4.0);
    // Ground that costs five times as much.
    page.ask(json!({ "op": "edit", "map": map, "edits": [{ "cells": wall, "to": b'5' }] }));
    assert_eq!(page.ask(ask).header["cost"], 8.0);
}
