//! Whatever the bytes of a message are, there is an answer.

use crate::support::{Page, message};
use milepost::Rng;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Messages of every kind, as a page would send them.
fn good(map: &Value, run: &Value, near: &Value) -> Vec<Value> {
    let lane = json!({ "algorithm": "astar", "family": "planner", "params": { "h": "octile" } });
    vec![
        json!({ "id": 1, "op": "hello" }),
        json!({ "id": 2, "op": "open", "generate": { "kind": "maze", "width": 9, "height": 9, "seed": 1 }, "moves": "four" }),
        json!({ "id": 3, "op": "problems", "map": map, "from": 0, "count": 3 }),
        json!({ "id": 4, "op": "edit", "map": map, "edits": [{ "cells": [near[0]], "to": 46 }] }),
        json!({ "id": 5, "op": "near", "map": map, "at": [3.5, 2.5] }),
        json!({ "id": 6, "op": "path", "map": map, "start": near[0], "goal": near[1] }),
        json!({ "id": 7, "op": "run", "map": map, "algorithm": "lss-lrta", "family": "scout", "params": { "N": "8" },
                "sight": 2, "start": near[0], "goal": near[1], "edits": [{ "at": 3, "cells": [near[1]], "to": 64 }] }),
        json!({ "id": 8, "op": "compare", "map": map, "lanes": [lane], "start": near[0], "goal": near[1] }),
        json!({ "id": 9, "op": "advance", "run": run, "steps": 50, "units": 100, "events": 100, "ms": 5.5 }),
        json!({ "id": 10, "op": "probe", "map": map, "run": run, "cell": near[0] }),
        json!({ "id": 11, "op": "index", "map": map, "index": "jump-table" }),
        json!({ "id": 12, "op": "batch", "map": map, "lanes": [lane], "count": 2, "seed": 4 }),
        json!({ "id": 13, "op": "trace", "run": run, "format": "yaml", "events": 50 }),
    ]
}

/// Something else in the place of a value, somewhere within it.
fn changed(value: &mut Value, rng: &mut Rng) {
    match value {
        Value::Object(fields) if !fields.is_empty() && rng.chance(9, 10) => {
            let place = rng.below(fields.len() as u32) as usize;
            if let Some((_, field)) = fields.iter_mut().nth(place) {
                changed(field, rng);
            }
        }
        Value::Array(items) if !items.is_empty() && rng.chance(9, 10) => {
            let place = rng.below(items.len() as u32) as usize;
            changed(&mut items[place], rng);
        }
        value => {
            let others = [
                json!(null),
                json!(-1),
                json!(0),
                json!(1.5),
                json!(u64::MAX),
                json!(4_294_967_295_u64),
                json!(""),
                json!("astar:::"),
                json!([]),
                json!({}),
                json!(true),
                json!([[[1]]]),
                json!("planner"),
                json!(1e300),
            ];
            *value = others[rng.below(others.len() as u32) as usize].clone();
        }
    }
}

#[test]
fn a_message_with_anything_in_its_fields_is_answered() {
    let mut page = Page::new();
    let opened = page.open_drawing("........ .@@@@@@. ........ .@@@@@@. ........").header;
    let near = opened["near"].clone();
    let begin =
        json!({ "op": "run", "map": opened["map"], "algorithm": "astar", "start": near[0], "goal": near[1] });
    let run = page.ask(begin.clone()).header["run"].clone();
    let (mut rng, mut bad) = (Rng::new(11), 0);
    for _ in 0..4000 {
        let messages = good(&opened["map"], &run, &near);
        let mut header = messages[rng.below(messages.len() as u32) as usize].clone();
        for _ in 0..rng.below(3) {
            changed(&mut header, &mut rng);
        }
        let answers = page.send(&message(&header, &[]));
        let last = answers.last().expect("an answer");
        assert!(last.header["ok"].is_boolean(), "{header}: {}", last.header);
        bad += usize::from(last.header["ok"] == false);
        if last.header["ok"] == false {
            assert!(!last.said().is_empty(), "{header}");
        }
    }
    assert!((500..3900).contains(&bad), "{bad} of 4000 were refused");
}

#[test]
fn a_message_with_any_byte_changed_or_cut_off_is_answered() {
    let mut page = Page::new();
    let opened = page.open_drawing("..... .@@@. .....").header;
    let file = b"type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n";
    let mut header = json!({ "id": 1, "op": "open", "name": "a.map", "blocks": [["bytes", file.len()]] });
    for (name, length) in
        [("a.map", 1), ("a.png", 2), ("a.tmx", 3), ("a.gr", 4), ("a.milepost", 5), ("a.json", 6)]
    {
        header["name"] = json!(name);
        let whole = message(&header, &[file]);
        let mut rng = Rng::new(length);
        for _ in 0..300 {
            let mut bytes = whole.clone();
            for _ in 0..rng.below(4) {
                let place = rng.below(bytes.len() as u32) as usize;
                bytes[place] = rng.below(256) as u8;
            }
            bytes.truncate(bytes.len() - rng.below(6) as usize);
            let answers = page.send(&bytes);
            assert!(answers.last().expect("an answer").header["ok"].is_boolean());
        }
    }
    assert!(opened["map"].is_u64());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let answers = Page::new().send(&bytes);
        prop_assert_eq!(answers.len(), 1);
        prop_assert_eq!(&answers[0].header["ok"], &json!(false));
    }
}
