//! What is asked, and what is answered.

use crate::support::{Answered, Page, Told, message};
use milepost_explore::{Explorer, LIMITS};
use serde_json::{Value, json};

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

/// Builds what an answer says is needed, as the page offers it.
fn run_with_needs(page: &mut Page, ask: &Value) -> Answered {
    loop {
        let answer = page.try_ask(ask.clone());
        let needs = answer.header["needs"].as_array().cloned().unwrap_or_default();
        if answer.header["ok"] == true || needs.is_empty() {
            return answer;
        }
        for index in needs {
            page.ask(json!({ "op": "index", "map": ask["map"], "index": index }));
        }
    }
}

#[test]
fn every_algorithm_of_the_catalog_runs_to_its_end_by_messages_alone() {
    let mut page = Page::new();
    let hello = page.ask(json!({ "op": "hello" })).header;
    let opened = page
        .ask(json!({ "op": "open", "generate": { "kind": "rooms", "width": 40, "height": 28, "seed": 3 } }));
    let opened = opened.header;
    let near = &opened["near"];
    let path =
        page.ask(json!({ "op": "path", "map": opened["map"], "start": near[0], "goal": near[1] })).header;
    let optimum = path["cost"].as_f64().expect("a path");
    for entry in hello["algorithms"].as_array().expect("a list") {
        let ask = json!({ "op": "run", "map": opened["map"], "algorithm": entry["name"],
                          "family": entry["family"], "params": {}, "start": near[0], "goal": near[1] });
        let begun = run_with_needs(&mut page, &ask);
        assert_eq!(begun.header["ok"], true, "{}: {}", entry["name"], begun.header);
        assert_eq!(begun.header["optimum"].as_f64(), Some(optimum));
        let (events, last) = page.finish(&begun.header["run"]);
        let (done, cost) = (&last.header["done"], last.header["summary"]["cost"].as_f64());
        assert_eq!(done, "found", "{} {}: {}", entry["family"], entry["name"], last.header);
        assert!(cost.is_some_and(|cost| cost >= optimum - 1e-6), "{}: {cost:?}", entry["name"]);
        let end = events.last().expect("an end");
        assert_eq!((end.kind, f64::from(end.value).round()), (12, cost.unwrap_or(0.0).round()));
        // What is shown is announced: every kind of event belongs to a layer that the entry names.
        let layers = entry["layers"].as_array().expect("layers");
        for event in &events {
            let layer = hello["kinds"][event.kind as usize]["layer"].as_str().unwrap_or_default();
            let is_named = layer.is_empty() || layers.iter().any(|known| known == layer);
            assert!(is_named, "{} {}: {layer}", entry["family"], entry["name"]);
        }
        page.ask(json!({ "op": "drop", "runs": [begun.header["run"]] }));
    }
}

#[test]
fn a_door_that_closes_at_a_step_leaves_the_moves_before_it_as_they_were() {
    let mut page = Page::new();
    let opened = page
        .open_drawing(
            "............
             .@@@@@@@@@@.
             .@........@.
             ............
             .@........@.
             .@@@@@@@@@@.
             ............",
        )
        .header;
    let base = opened["base"].as_u64().expect("a number");
    let cell = |x: u64, y: u64| base + y * opened["stride"].as_u64().expect("a number") + x;
    let ask = |edits: Value| {
        json!({ "op": "run", "map": opened["map"], "algorithm": "lss-lrta:8", "family": "agent", "params": {},
                "start": cell(0, 3), "goal": cell(11, 3), "edits": edits })
    };
    let moves = |events: &[Told]| {
        events.iter().filter(|event| event.kind == 7).map(|event| event.cell).collect::<Vec<u32>>()
    };
    let plain = page.ask(ask(json!([]))).header;
    let (before, last) = page.finish(&plain["run"]);
    assert_eq!(last.header["summary"]["cost"], 11.0);
    let closed = page.ask(ask(json!([{ "at": 6, "cells": [cell(10, 3)], "to": 64 }]))).header;
    let (after, last) = page.finish(&closed["run"]);
    assert_eq!(last.header["done"], "found");
    assert!(last.header["summary"]["cost"].as_f64().expect("a cost") > 11.0);
    assert_eq!(moves(&before)[..6], moves(&after)[..6]);
    assert!(after.iter().any(|event| event.kind == 10 && u64::from(event.cell) == cell(10, 3)));
    // The map itself has not changed.
    let path = json!({ "op": "path", "map": opened["map"], "start": cell(0, 3), "goal": cell(11, 3) });
    assert_eq!(page.ask(path).header["cost"], 11.0);
}

#[test]
fn a_build_tells_how_far_it_has_come_and_stops_when_the_page_goes_away() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "offices" })).header;
    let build = json!({ "id": 7, "op": "index", "map": opened["map"], "index": "goal-bounds" });
    let mut told = 0;
    page.explorer.answer(&message(&build, &[]), &|| 0.0, &mut |_| {
        told += 1;
        told < 3
    });
    assert!((3..20).contains(&told), "the build goes on after {told} messages");
    let answers = page.send(&message(&build, &[]));
    let (last, progress) = answers.split_last().expect("an answer");
    assert_eq!(last.header["indexes"], json!(["goal-bounds"]));
    assert!(
        progress.len() > 3 && progress.iter().all(|part| part.header["progress"]["what"] == "goal-bounds")
    );
    let estimate =
        page.ask(json!({ "op": "index", "map": opened["map"], "index": "jump-table", "estimate": true }));
    assert!(estimate.header["bytes"].as_u64().is_some_and(|bytes| bytes > 0));
    let probe = page.ask(json!({ "op": "probe", "map": opened["map"], "cell": opened["near"][0] })).header;
    assert!(!probe["boxes"].as_array().expect("boxes").is_empty(), "{probe}");
}

#[test]
fn a_build_says_so_often_how_far_it_is_that_it_hears_at_once_when_its_page_has_gone() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "offices" })).header;
    let build = json!({ "id": 7, "op": "index", "map": opened["map"], "index": "goal-bounds" });
    // Whenever the clock is asked, a second has passed.
    let seconds = std::sync::atomic::AtomicU32::new(0);
    let clock = || f64::from(seconds.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) * 1000.0;
    let mut told = Vec::new();
    page.explorer.answer(&message(&build, &[]), &clock, &mut |answer| {
        told.push(String::from_utf8_lossy(&answer[4..]).into_owned());
        told.len() < 5
    });
    let done: Vec<u64> = told
        .iter()
        .filter_map(|answer| serde_json::from_str::<Value>(answer).ok()?["progress"]["done"].as_u64())
        .collect();
    // No hundredth of the cells has passed.
    assert!(done.len() >= 5 && done.iter().all(|done| *done < 60), "{told:?}");
}

#[test]
fn a_probe_knows_hubs_where_the_map_has_labels() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "offices" })).header;
    page.ask(json!({ "op": "index", "map": opened["map"], "index": "corner-labels" }));
    let probe = page.ask(json!({ "op": "probe", "map": opened["map"], "cell": opened["near"][0] })).header;
    let hubs = probe["hubs"].as_array().expect("hubs");
    assert!(!hubs.is_empty(), "{probe}");
    for hub in hubs.iter().take(20) {
        let path =
            json!({ "op": "path", "map": opened["map"], "start": opened["near"][0], "goal": hub["cell"] });
        let cost = page.ask(path).header["cost"].as_f64().expect("a path");
        assert!(hub["distance"].as_f64().expect("a distance") >= cost - 1e-6, "no hub is nearer than it is");
    }
}

#[test]
fn a_batch_has_a_row_for_every_lane_and_problem() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "arena" })).header;
    let lanes = json!([{ "algorithm": "astar", "family": "planner" }, { "algorithm": "lrta", "family": "scout", "sight": 2 }]);
    let batch = page
        .ask(json!({ "op": "batch", "map": opened["map"], "lanes": lanes, "count": 5, "seed": 2 }))
        .header;
    let rows = batch["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 10);
    for row in rows {
        let (cost, optimum) =
            (row["cost"].as_f64().expect("a cost"), row["optimum"].as_f64().expect("a cost"));
        assert!(
            if row["lane"] == 0 { (cost - optimum).abs() < 1e-6 } else { cost >= optimum - 1e-6 },
            "{row}"
        );
    }
}

#[test]
fn what_cannot_be_done_is_said_in_words_with_what_to_do() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "marsh" })).header;
    let near = &opened["near"];
    let run = |algorithm: &str, params: Value| {
        json!({ "op": "run", "map": opened["map"], "algorithm": algorithm, "family": "planner", "params": params,
                "start": near[0], "goal": near[1] })
    };
    for (ask, piece) in [
        (json!({ "op": "nosuch" }), "there is no message `nosuch`"),
        (json!({ "op": "open", "shipped": "nowhere" }), "there is no shipped map `nowhere`"),
        (json!({ "op": "open", "given": true }), "started without a map"),
        (
            json!({ "op": "open", "generate": { "kind": "caves", "width": 100_000, "height": 10 } }),
            "expected at most",
        ),
        (json!({ "op": "path", "map": 99, "start": 1, "goal": 2 }), "there is no map 99"),
        (
            json!({ "op": "path", "map": opened["map"], "start": 4_000_000_000_u64, "goal": 2 }),
            "expected the number of a cell",
        ),
        (json!({ "op": "advance", "run": 99 }), "there is no run 99"),
        (run("jps", json!({})), "does not work on maps with weights"),
        (run("astar", json!({ "h": "fast" })), "expected h=zero"),
        (run("astar", json!({ "speed": "9" })), "has no parameter `speed`"),
        (run("first-moves", json!({})), "needs the index `first-moves`"),
    ] {
        let answer = page.try_ask(ask.clone());
        assert_eq!(answer.header["ok"], false, "{ask}");
        assert!(answer.said().contains(piece), "{ask}: {}", answer.header);
        assert!(!answer.header["error"]["hint"].as_str().expect("a hint").is_empty());
    }
    let broken = page.ask_with(
        json!({ "op": "open", "name": "a.map" }),
        b"type octile\nheight 2\nwidth 4\nmap\n....\n..\n",
    );
    assert!(broken.said().contains("line 6"), "{}", broken.header);
    let other = page.ask_with(json!({ "op": "open", "name": "a.docx" }), b"");
    assert!(other.said().contains("no file that the explorer reads"), "{}", other.header);
}

#[test]
fn a_file_that_was_given_is_offered_and_opened_and_takes_its_problems() {
    let bytes = b"type octile\nheight 1\nwidth 4\nmap\n....\n";
    let mut page = Page::of(Explorer::new().with_file("row.map", bytes.as_slice().into()));
    assert_eq!(page.ask(json!({ "op": "hello" })).header["given"]["name"], "row.map");
    let opened = page.ask(json!({ "op": "open", "given": true }));
    assert_eq!(opened.block("cells"), b"....");
    let map = &opened.header["map"];
    let scenario = b"version 1\n0\trow.map\t4\t1\t0\t0\t3\t0\t3\n";
    let added = page.ask_with(json!({ "op": "open", "name": "row.map.scen", "map": map }), scenario);
    assert_eq!(added.header["problems"], 1, "{}", added.header);
    let problems = page.ask(json!({ "op": "problems", "map": map, "from": 0, "count": 9 })).header;
    let base = opened.header["base"].as_u64().expect("a number");
    assert_eq!(problems["problems"], json!([[base, base + 3, 3.0]]));
}

#[test]
fn meshes_trees_and_graphs_run_and_say_where_their_nodes_lie() {
    let mut page = Page::new();
    for (key, block) in [("navmesh", "polygons"), ("quadtree", "boxes"), ("roads", "edges")] {
        let opened = page.ask(json!({ "op": "open", "shipped": key }));
        assert!(!opened.numbers(block).is_empty(), "{key}");
        let (map, near) = (&opened.header["map"], &opened.header["near"]);
        for (algorithm, family) in [("astar", "planner"), ("lrta", "agent"), ("rtaa", "scout")] {
            let begun = page.ask(json!({ "op": "run", "map": map, "algorithm": algorithm, "family": family,
                                         "start": near[0], "goal": near[1] }));
            let (events, last) = page.finish(&begun.header["run"]);
            assert_eq!(last.header["done"], "found", "{key} {algorithm}");
            if key == "navmesh" && family == "planner" {
                let nodes = begun.numbers("positions").len() as u32 / 2;
                assert!(nodes > 0 && events.iter().all(|event| event.cell < nodes && event.from < nodes));
                assert!(last.block("points").len() >= 16);
            }
        }
        let cell = near[0].clone();
        let at = page.ask(json!({ "op": "near", "map": map, "cell": cell })).header;
        assert_eq!(at["cell"], near[0]);
        let again = page.ask(json!({ "op": "near", "map": map, "at": at["at"] })).header;
        assert_eq!(again["cell"], near[0], "{key}");
    }
}

#[test]
fn no_more_runs_and_maps_are_kept_than_the_limits_say() {
    let mut page = Page::new();
    let first = page.open_drawing("....").header;
    let base = first["base"].as_u64().expect("a number");
    let run =
        json!({ "op": "run", "map": first["map"], "algorithm": "astar", "start": base, "goal": base + 3 });
    let oldest = page.ask(run.clone()).header["run"].clone();
    for _ in 0..LIMITS.runs {
        page.ask(run.clone());
    }
    assert_eq!(page.try_ask(json!({ "op": "advance", "run": oldest })).header["ok"], false);
    let before = page.explorer.bytes();
    for _ in 0..LIMITS.maps {
        page.open_drawing("....");
    }
    assert_eq!(page.try_ask(run).header["ok"], false);
    assert!(page.explorer.bytes() < before + 100_000);
}
