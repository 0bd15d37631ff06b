//! What is known of a state: the numbers of the search, at any step.

use crate::support::{Page, Told};
use serde_json::{Value, json};

/// Asks about a state until the engine has gone as far as the step.
fn values(page: &mut Page, mut ask: Value) -> Value {
    ask["op"] = json!("probe");
    loop {
        let answer = page.ask(ask.clone()).header;
        if answer["late"] != true {
            return answer["values"].clone();
        }
    }
}

/// The steps after which the engine was asked, and what it had told by then.
fn until(page: &mut Page, ask: &Value, steps: u64) -> (Value, Vec<Told>) {
    let run = page.ask(ask.clone()).header["run"].clone();
    (run.clone(), page.ask(json!({ "op": "advance", "run": run, "steps": steps })).events())
}

#[test]
fn g_h_and_f_are_those_of_the_events_at_every_step() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "caverns" })).header;
    let (map, near) = (&opened["map"], &opened["near"]);
    for (family, algorithm) in [
        ("planner", "astar"),
        ("planner", "weighted-astar"),
        ("planner", "jps"),
        ("planner", "corner-hierarchy"),
        ("agent", "tba"),
    ] {
        let ask = json!({ "op": "run", "map": map, "algorithm": algorithm, "family": family,
                          "start": near[0], "goal": near[1] });
        while let Some(index) = page.try_ask(ask.clone()).header["needs"].get(0).cloned() {
            page.ask(json!({ "op": "index", "map": map, "index": index }));
        }
        let run = page.ask(ask.clone()).header["run"].clone();
        page.finish(&run);
        let mut checked = 0;
        // Back and forth: an earlier step is asked for after a later one.
        for steps in [40, 300, 7, 120] {
            let (_, told) = until(&mut page, &ask, steps);
            for event in told.iter().rev().filter(|event| event.kind <= 2).take(12) {
                let asked = json!({ "map": map, "run": run, "cell": event.cell, "at": steps });
                let known = values(&mut page, asked);
                let last = told.iter().rev().find(|other| other.kind <= 2 && other.cell == event.cell);
                let last = last.expect("it was told of");
                let ways = ["way", "back"].map(|side| known[side].clone());
                let (key, is_closed) = if last.kind == 1 { ("g", true) } else { ("f", false) };
                let matches = ways.iter().any(|way| {
                    let number = |key: &str| way[key].as_f64().unwrap_or(f64::NAN);
                    (number(key) - f64::from(last.value)).abs() < 1e-3
                        && way["expanded"] == is_closed
                        && (number("g") + number("h") - number("f")).abs() < 1e-3
                });
                assert!(matches, "{algorithm} after {steps} steps: {last:?}, {known}");
                checked += 1;
            }
        }
        assert!(checked > 9, "{algorithm}: {checked}");
    }
}

#[test]
fn what_an_agent_believes_is_known_at_every_step() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "caverns" })).header;
    let (map, near) = (&opened["map"], &opened["near"]);
    let ask = json!({ "op": "run", "map": map, "algorithm": "rtaa", "family": "scout", "sight": 8,
                      "start": near[0], "goal": near[1] });
    let run = page.ask(ask.clone()).header["run"].clone();
    let (all, _) = page.finish(&run);
    let learned = all.iter().find(|event| event.kind == 5).expect("it learns");
    let end = values(&mut page, json!({ "map": map, "run": run, "cell": learned.cell }));
    let begin = values(&mut page, json!({ "map": map, "run": run, "cell": learned.cell, "at": 0 }));
    let number = |values: &Value, key: &str| values[key].as_f64();
    assert!(number(&end, "learned") > number(&end, "first"), "{end}");
    assert_eq!(number(&begin, "learned"), None, "{begin}");
    // The last search of a step is known too.
    let (_, told) = until(&mut page, &ask, 1);
    let looked = told.iter().find(|event| event.kind == 4).expect("it looks ahead");
    let known = values(&mut page, json!({ "map": map, "run": run, "cell": looked.cell, "at": 1 }));
    assert!((known["way"]["f"].as_f64().expect("f") - f64::from(looked.value)).abs() < 1e-3, "{known}");
}

#[test]
fn what_a_scout_learns_on_a_mesh_is_told_in_lengths_of_the_mesh() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "navmesh" })).header;
    let near = &opened["near"];
    let ask = json!({ "op": "run", "map": opened["map"], "algorithm": "rtaa", "family": "scout",
                      "start": near[0], "goal": near[1] });
    let run = page.ask(ask).header["run"].clone();
    let (events, last) = page.finish(&run);
    let walked = last.header["summary"]["cost"].as_f64().expect("a cost");
    let told: Vec<f32> =
        events.iter().filter(|event| event.kind == 5 || event.kind == 4).map(|event| event.value).collect();
    assert!(
        !told.is_empty() && told.iter().all(|value| f64::from(*value) <= 4.0 * walked),
        "{walked}: {told:?}"
    );
}

#[test]
fn on_a_mesh_nodes_of_the_search_are_asked_about() {
    let mut page = Page::new();
    let opened = page.ask(json!({ "op": "open", "shipped": "navmesh" })).header;
    let (map, near) = (&opened["map"], &opened["near"]);
    let ask = json!({ "op": "run", "map": map, "algorithm": "astar", "start": near[0], "goal": near[1] });
    let run = page.ask(ask).header["run"].clone();
    let (events, _) = page.finish(&run);
    let closed = events.iter().rev().find(|event| event.kind == 1).expect("it expands");
    let asked = json!({ "map": map, "run": run, "cell": near[0], "node": closed.cell });
    let known = values(&mut page, asked);
    assert!((known["way"]["g"].as_f64().expect("g") - f64::from(closed.value)).abs() < 1e-3, "{known}");
}
