//! Every kind of space through the command: rules, weights, pictures and graphs.

use crate::common;
use crate::common::picture::save_grey;
use crate::common::{Folder, steady};
use serde_json::Value;

fn path(folder: &Folder, words: &str) -> Value {
    folder.must(&format!("path {words} --json")).json()
}

/// A picture with the yard's walls.
fn yard_picture(folder: &Folder) {
    folder.must("convert yard.map yard.png");
}

#[test]
fn a_road_of_two_edges_costs_their_sum() {
    let folder = Folder::with_roads();
    for file in ["roads.gr", "bare.gr"] {
        for planner in ["dijkstra", "astar", "astar:h=euclidean", "weighted-astar:3"] {
            let document = path(&folder, &format!("{file} --from #1 --to #3 --planner {planner}"));
            assert_eq!(
                (&document["cost"], &document["states"]),
                (&12.0.into(), &serde_json::json!([1, 2, 3]))
            );
            assert_eq!(document["waypoints"].is_null(), file == "bare.gr");
            assert_eq!(document["length"].is_null(), file == "bare.gr");
        }
    }
    let document = path(&folder, "roads.gr --from #3 --to #1");
    assert_eq!(document["cells"], serde_json::json!([[9, 4], [3, 4], [0, 0]]));
    assert_eq!(document["length"], 11.0);
}

#[test]
fn rules_cost_what_they_say() {
    let folder = Folder::new();
    folder.write("plain.map", "type octile\nheight 3\nwidth 3\nmap\n...\n...\n...\n");
    for (rule, cost, length) in [("octile14", 2.8, 8_f64.sqrt()), ("four", 4.0, 4.0), ("hex", 3.0, 3.0)] {
        let document = path(&folder, &format!("plain.map --from 0,0 --to 2,2 --moves {rule}"));
        assert_eq!((&document["cost"], &document["moves"]), (&cost.into(), &rule.into()));
        assert!((document["length"].as_f64().expect("a length") - length).abs() < 1e-9, "{rule}");
    }
}

#[test]
fn weights_make_ground_dear() {
    let folder = Folder::new();
    folder.write("swamp.map", "type octile\nheight 3\nwidth 3\nmap\n.S.\n.S.\n...\n");
    let cost = |words: &str| {
        let document = path(&folder, &format!("swamp.map --from 0,0 --to 2,0 --moves four {words}"));
        (document["cost"].as_f64().expect("a cost"), document["length"].as_f64().expect("a length"))
    };
    assert_eq!(cost(""), (2.0, 2.0));
    assert_eq!(cost("--weights S=2"), (3.0, 2.0));
    assert_eq!(cost("--weights S=200"), (6.0, 6.0));
    assert_eq!(cost("--weights .=5,S=5"), (10.0, 2.0));
    let info = folder.must("info swamp.map --weights S=7 --json").json();
    assert_eq!(info["weights"], serde_json::json!([1, 7]));
    assert_ne!(info["hash"], folder.must("info swamp.map --json").json()["hash"]);
}

#[test]
fn a_picture_is_the_map_it_was_made_from() {
    let folder = Folder::new();
    yard_picture(&folder);
    let hash = |name: &str| folder.must(&format!("info {name} --json")).json()["hash"].clone();
    assert_eq!(hash("yard.png"), hash("yard.map"));
    folder.must("convert yard.png back.map");
    assert_eq!(hash("back.map"), hash("yard.map"));
    let same = |file: &str| steady(path(&folder, &format!("{file} --from 2,2 --to 11,7")));
    assert_eq!(same("yard.png"), same("yard.map"));
    folder.must("convert yard.map large.png --scale 3");
    folder.must("convert yard.png large.map --scale 3");
    assert_eq!(hash("large.png"), hash("large.map"));
    let info = folder.must("info large.map --json").json();
    assert_eq!((&info["width"], &info["height"]), (&36.into(), &24.into()));
}

#[test]
fn grey_is_blocked_or_heavy() {
    let folder = Folder::new();
    // White, and one grey column.
    save_grey(&folder.file("grey.png"), (3, 1), |x, _| if x == 1 { 127 } else { 255 });
    let words = "grey.png --from 0,0 --to 2,0";
    assert_eq!(folder.run(&format!("path {words}")).code, 1);
    assert_eq!(path(&folder, &format!("{words} --threshold 127"))["cost"], 2.0);
    assert_eq!(path(&folder, &format!("{words} --threshold 127 --grey-weights"))["cost"], 10.0);
}

#[test]
fn snapping_says_where_it_went() {
    let folder = Folder::new();
    let document = path(&folder, "yard.map --from 1,1 --to 50,3 --to 0,0 --snap");
    assert_eq!(document["snapped"], serde_json::json!([[1, 0], [11, 2], [0, 0]]));
    assert_eq!(document["cells"], serde_json::json!([[1, 0], [0, 0]]));
    assert!(path(&folder, "yard.map --from 0,0 --to 1,0")["snapped"].is_null());
}

#[test]
fn problems_of_every_space_have_their_lengths() {
    let folder = Folder::with_roads();
    folder.must("generate roads --nodes 400 --seed 2 -o net.gr");
    folder.must("generate city --width 60 --height 50 -o city.map");
    for options in
        ["city.map --moves four", "city.map --moves hex", "city.map --weights G=9", "net.gr", "roads.gr"]
    {
        folder.must(&format!("scenarios {options} --count 40 -o a.scen"));
        for check in ["exact", "scen"] {
            let words =
                format!("bench {options} --scen a.scen --planners astar,dijkstra --check {check} --json");
            let document = folder.must(&words).json();
            assert_eq!(
                (&document["queries"], &document["scen_disagreements"]),
                (&40.into(), &0.into()),
                "{options}"
            );
            for run in document["runs"].as_array().expect("runs") {
                assert_eq!((&run["optimal"], &run["failed"]), (&40.into(), &0.into()), "{options}: {run}");
            }
        }
    }
}

#[test]
fn problems_without_lengths_are_compared_with_ours() {
    let folder = Folder::with_roads();
    folder.write("a.p2p", "p aux sp p2p 3\nq 1 3\nq 3 1\nq 2 2\n");
    let document = folder.must("bench roads.gr --scen a.p2p --planners astar --json").json();
    assert_eq!((&document["queries"], &document["runs"][0]["optimal"]), (&3.into(), &3.into()));
    assert!(document["scen_disagreements"].is_null() && document["moves"].is_null());
    assert_eq!(document["map"]["edges"], 4);
}

#[test]
fn one_way_roads_lead_one_way() {
    let folder = Folder::new();
    folder.write("oneway.gr", "p sp 3 2\na 1 2 5\na 3 2 1\n");
    folder.write("a.scen", "milepost-graph-scenario 1\n1 2 5\n2 1 -\n1 3 -\n");
    let document = folder.must("bench oneway.gr --scen a.scen --planners astar,dijkstra --json").json();
    assert_eq!((&document["scen_disagreements"], &document["map"]["components"]), (&0.into(), &3.into()));
    let ran = folder.run("path oneway.gr --from #2 --to #1 --json");
    assert_eq!((ran.code, &ran.json()["status"]), (1, &"unreachable".into()));
}

#[test]
fn a_copied_graph_is_the_same_graph() {
    let folder = Folder::with_roads();
    folder.must("convert roads.gr copy.gr");
    assert_eq!(folder.read("copy.gr"), common::ROADS.as_bytes());
    assert_eq!(folder.read("copy.co"), common::PLACES.as_bytes());
    folder.must("convert bare.gr bare2.gr");
    assert!(!folder.file("bare2.co").exists());
}
