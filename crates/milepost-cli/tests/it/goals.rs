//! Of several goals the answer says which one won, also where it is the cost alone.

use crate::common::Folder;
use serde_json::{Value, json};

#[test]
fn the_goal_that_costs_least_is_named_with_and_without_a_path() {
    let folder = Folder::with_roads();
    folder.must("convert yard.map yard.mesh");
    for (words, text, goal) in [
        ("yard.map --from 0,0 --to 11,7 --to 5,0", "5,0", json!([5, 0])),
        ("yard.map --from 0,0 --to 11,7 --to 1,1 --snap", "1,0", json!([1, 0])),
        ("roads.gr --from #1 --to #3 --to #2", "#2", json!("#2")),
        ("yard.mesh --from 0.5,0.5 --to 11.5,7.5 --to 5.5,0.5", "5.5,0.5", json!([5.5, 0.5])),
        // In one polygon.
        ("yard.mesh --from 0.5,0.5 --to 10.5,0.5 --to 6.25,0.5 --to 7.5,0.5", "6.25,0.5", json!([6.25, 0.5])),
    ] {
        for option in ["", " --distance"] {
            let words = format!("path {words}{option}");
            let shown = folder.must(&words).stdout;
            assert!(shown.contains(&format!("goal        {text}\n")), "{words}:\n{shown}");
            assert_eq!(folder.must(&format!("{words} --json")).json()["goal"], goal, "{words}");
        }
    }
    // One goal needs no line; a path to another place leads to no goal.
    let only = "path yard.map --from 0,0 --to 5,0";
    assert!(!folder.must(only).stdout.contains("goal "), "{only}");
    assert_eq!(folder.must(&format!("{only} --json")).json()["goal"], json!([5, 0]));
    for words in ["--to 4,4", "--to 4,4 --partial", "--to 1,1"] {
        let ran = folder.run(&format!("path yard.map --from 0,0 {words} --json"));
        assert_eq!((ran.code, &ran.json()["goal"]), (1, &Value::Null), "{words}");
    }
}
