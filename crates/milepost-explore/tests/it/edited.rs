//! Edits of every kind of space, of the map itself and on the way of agents.

use crate::support::{Page, Told};
use serde_json::{Value, json};

fn moves(events: &[Told]) -> Vec<u32> {
    events.iter().filter(|event| event.kind == 7).map(|event| event.cell).collect()
}

/// What the best path costs; none if there is none.
fn cost(page: &mut Page, map: &Value, ends: &[Value]) -> Option<f64> {
    let path = json!({ "op": "path", "map": map, "start": ends[0], "goal": ends[1] });
    page.ask(path).header["cost"].as_f64()
}

#[test]
fn nodes_leaves_and_polygons_are_closed_and_opened_again_and_all_is_as_it_was() {
    let mut page = Page::new();
    for key in ["roads", "quadtree", "towers", "navmesh"] {
        let opened = page.ask(json!({ "op": "open", "shipped": key })).header;
        let (map, near) = (&opened["map"], opened["near"].as_array().expect("two ends"));
        let before = cost(&mut page, map, near).expect("a path");
        let path = json!({ "op": "path", "map": map, "start": near[0], "goal": near[1] });
        let cells = page.ask(path).numbers("cells");
        let door = json!([cells[cells.len() / 2]]);
        let edit = |how: &str| json!({ "op": "edit", "map": map, "edits": [{ how: door }] });
        let closed = page.ask(edit("close")).header;
        assert_eq!(closed["free"].as_u64(), opened["free"].as_u64().map(|free| free - 1), "{key}");
        assert!(cost(&mut page, map, near).is_none_or(|cost| cost >= before), "{key}");
        let opened_again = page.ask(edit("open")).header;
        assert_eq!(opened_again["hash"], opened["hash"], "{key}");
        assert_eq!(cost(&mut page, map, near), Some(before), "{key}");
    }
}

#[test]
fn edges_are_cut_both_ways_and_joined_at_what_they_cost() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "roads" }));
    let (map, hash) = (&opened.header["map"], &opened.header["hash"]);
    page.ask(json!({ "op": "index", "map": map, "index": "goal-bounds" }));
    let ends = &opened.numbers("edges")[..2];
    let ends = [json!(ends[0]), json!(ends[1])];
    let before = cost(&mut page, map, &ends).expect("they are neighbours");
    let edit = |how: &str| json!({ "op": "edit", "map": map, "edits": [{ how: [[ends[1], ends[0]]] }] });
    let cut = page.ask(edit("cut")).header;
    assert_eq!(cut["indexes"], json!([]), "an edit drops what it makes untrue");
    assert!(cost(&mut page, map, &ends).is_none_or(|cost| cost > before));
    let joined = page.ask(edit("join")).header;
    assert_eq!((&joined["hash"], &joined["indexes"]), (hash, &json!(["goal-bounds"])), "all is true again");
    assert_eq!(cost(&mut page, map, &ends), Some(before));
    // Grids have none.
    let grid = page.open_drawing("..").header;
    let wrong = page.try_ask(json!({ "op": "edit", "map": grid["map"], "edits": [{ "cut": [[1, 2]] }] }));
    assert!(wrong.said().contains("has no edges"), "{}", wrong.header);
}

#[test]
fn a_door_closes_on_the_way_in_every_kind_of_space() {
    let mut page = Page::new();
    for key in ["roads", "quadtree", "towers", "navmesh"] {
        let opened = page.ask(json!({ "op": "open", "shipped": key })).header;
        let near = &opened["near"];
        for (algorithm, family) in [("rtaa", "scout"), ("lss-lrta", "agent")] {
            let ask = |edits: Value| {
                json!({ "op": "run", "map": opened["map"], "algorithm": algorithm, "family": family,
                        "start": near[0], "goal": near[1], "edits": edits })
            };
            let plain = page.ask(ask(json!([]))).header;
            let (before, _) = page.finish(&plain["run"]);
            let before = moves(&before);
            // The state after the next one is closed before its eyes.
            let at = before.len() / 3;
            let door = before[at + 1];
            let closed = page.ask(ask(json!([{ "at": at, "close": [door] }]))).header;
            let (events, last) = page.finish(&closed["run"]);
            let after = moves(&events);
            assert_eq!(after[..at], before[..at], "{key} {family}: moves before the door");
            assert!(!after[at..].contains(&door), "{key} {family}: it went through the door");
            assert_ne!(last.header["done"], "gave up", "{key} {family}: {}", last.header);
            let told = events.iter().find(|event| event.kind == 10).expect("the edit is told");
            assert_eq!((told.cell, told.from, told.value), (door, door, 1.0), "{key} {family}");
        }
    }
}

#[test]
fn an_edge_that_is_cut_on_the_way_is_told_by_its_ends() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "roads" })).header;
    let near = &opened["near"];
    for (algorithm, family) in [("rtaa", "scout"), ("lss-lrta", "agent")] {
        let ask = |edits: Value| {
            json!({ "op": "run", "map": opened["map"], "algorithm": algorithm, "family": family,
                    "start": near[0], "goal": near[1], "edits": edits })
        };
        let plain = page.ask(ask(json!([]))).header;
        let before = moves(&page.finish(&plain["run"]).0);
        let (from, to) = (before[4], before[5]);
        let cut = page.ask(ask(json!([{ "at": 5, "cut": [[from, to]] }]))).header;
        let (events, last) = page.finish(&cut["run"]);
        assert_eq!(moves(&events)[..5], before[..5]);
        assert_ne!(moves(&events)[5], to, "{family}");
        assert_eq!(last.header["done"], "found", "{family}");
        let told = events.iter().find(|event| event.kind == 10).expect("the edit is told");
        assert_eq!((told.from, told.cell, told.value), (from, to, 1.0));
    }
}

#[test]
fn each_lane_of_a_comparison_has_its_own_moment_of_an_edit() {
    let mut page = Page::new();
    let opened = page.open_drawing("............ .@@@@@@@@@@. ............").header;
    let (base, stride) =
        (opened["base"].as_u64().expect("a number"), opened["stride"].as_u64().expect("one"));
    let cell = |x: u64, y: u64| base + y * stride + x;
    let lane = |at: u64| {
        json!({ "algorithm": "lss-lrta", "family": "agent",
                "edits": [{ "at": at, "cells": [cell(6, 0)], "to": 64 }] })
    };
    let begun = page
        .ask(json!({ "op": "compare", "map": opened["map"], "start": cell(0, 0), "goal": cell(11, 0),
                                 "lanes": [lane(0), lane(2), lane(4)], "edits": [] }));
    let mut told = Vec::new();
    for run in begun.header["runs"].as_array().expect("runs") {
        let (events, last) = page.finish(&run["run"]);
        assert_eq!(last.header["done"], "found");
        let place = events.iter().position(|event| event.kind == 10).expect("the edit is told");
        told.push(moves(&events[..place]).len());
    }
    assert_eq!(told, [0, 2, 4], "moves before the edit");
}

#[test]
fn what_ground_costs_that_is_laid_on_the_way_is_told() {
    let mut page = Page::new();
    let opened = page.open_drawing("............").header;
    let base = opened["base"].as_u64().expect("a number");
    let ask = json!({ "op": "run", "map": opened["map"], "algorithm": "lss-lrta", "family": "agent",
                      "start": base, "goal": base + 11, "edits": [{ "at": 3, "cells": [base + 8], "to": b'6' }] });
    let run = page.ask(ask).header["run"].clone();
    let (events, last) = page.finish(&run);
    let told = events.iter().find(|event| event.kind == 10).expect("the edit is told");
    assert_eq!((told.value, &last.header["summary"]["cost"]), (6.0, &json!(16.0)));
}
