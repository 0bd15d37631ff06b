//! Meshes through the command.

use crate::common::Folder;
use serde_json::{Value, json};

/// A folder with meshes of the yard, one of them with a door, and of a map with swamp.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.must("convert yard.map yard.mesh");
    folder.must("convert yard.map door.json --keep 7,3,1,1");
    folder.write("swamp.map", "type octile\nheight 3\nwidth 6\nmap\n..SS..\n..SS..\n......\n");
    folder.must("convert swamp.map swamp.mesh --weights S=4");
    folder
}

fn numbers(value: &Value) -> Vec<Vec<f64>> {
    let number = |value: &Value| value.as_f64().expect("a number");
    let point = |value: &Value| value.as_array().expect("a point").iter().map(number).collect();
    value.as_array().expect("a list").iter().map(point).collect()
}

#[test]
fn info_tells_of_polygons_portals_areas_and_the_lattice() {
    let folder = folder();
    let info = folder.must("info yard.mesh --json").json();
    for absent in ["width", "height", "moves", "edges"] {
        assert!(info[absent].is_null(), "{absent}: {info}");
    }
    assert_eq!((&info["name"], &info["components"]), (&json!("yard"), &json!(2)), "the yard has a pocket");
    assert!(info["states"].as_u64() == info["polygons"].as_u64() && info["portals"].as_u64() > Some(2));
    assert_eq!((&info["bounds"], &info["y_up"]), (&json!([0.0, 0.0, 12.0, 8.0]), &json!(false)));
    assert!(info["unit"].as_f64() > info["lattice"].as_f64());
    let text = folder.must("info swamp.mesh").stdout;
    assert!(text.contains("portals") && text.contains(" = 4 ("), "{text}");
    folder.write("up.obj", "v 0 5 0\nv 2 5 0\nv 2 5 2\nv 0 5 2\nf 1 4 3 2\n");
    let up = folder.must("info up.obj --json").json();
    assert_eq!((&up["y_up"], &up["heights"]), (&json!(true), &json!(true)), "{up}");
    assert!(folder.must("info up.obj").stdout.contains("y is up"));
    let refused = folder.run("info yard.mesh --moves four --json");
    assert_eq!((refused.code, refused.error().0.as_str()), (2, "not_for_this_map"));
    folder.write("bad.mesh", "mesh\n2\n4 1\n0 0 1 0\n1 0 1 0\n1 1 1 0\n0 1 1 0\n4 0 1 2 9 -1 -1 -1 -1\n");
    let broken = folder.run("info bad.mesh --json");
    assert_eq!(broken.code, 3);
    assert!(broken.error().1.contains("line 8"), "{broken:?}");
}

#[test]
fn a_path_runs_from_point_to_point_and_is_pulled() {
    let folder = folder();
    let document = folder.must("path yard.mesh --from 0.5,0.5 --to 11.25,7.5 --json").json();
    let waypoints = numbers(&document["waypoints"]);
    assert_eq!((&waypoints[0], waypoints.last()), (&vec![0.5, 0.5], Some(&vec![11.25, 7.5])));
    let legs = waypoints.windows(2).map(|leg| (leg[0][0] - leg[1][0]).hypot(leg[0][1] - leg[1][1]));
    let length = document["length"].as_f64().expect("a length");
    assert!((length - legs.sum::<f64>()).abs() < 1e-9);
    assert!(document["pulled_cost"].as_f64() <= document["cost"].as_f64());
    assert!(document["cells"].is_null() && document["moves"].is_null());
    assert_eq!((&document["status"], &document["links"]), (&json!("found"), &json!([])));
    assert!(document["states"].as_array().is_some_and(|states| states.len() > 2));
    let costs: Vec<Value> = ["dijkstra", "astar", "astar:nodes=portals"]
        .map(|planner| {
            let words = format!("path yard.mesh --from 0.5,0.5 --to 11.25,7.5 --planner {planner} --json");
            folder.must(&words).json()["cost"].clone()
        })
        .to_vec();
    assert!(costs.iter().all(|cost| *cost == document["cost"]), "{costs:?}");
    let centres = folder.must("path yard.mesh --from #0 --to #3 --planner astar:nodes=centres --json").json();
    assert!(centres["pulled_cost"].is_null() && centres["cost"].as_f64() > Some(0.0));
    let nearest = folder.must("path yard.mesh --from 0.5,0.5 --to 11.25,7.5 --to 0.75,0.5 --json").json();
    assert_eq!(nearest["cost"], 0.25);
    let text = folder.must("path yard.mesh --from 0.5,0.5 --to 11.25,7.5").stdout;
    assert!(text.contains("polygons") && text.contains("0.5,0.5") && text.contains("11.25,7.5"), "{text}");
}

#[test]
fn a_place_off_the_mesh_is_blocked_and_one_beyond_its_box_is_wrong_usage() {
    let folder = folder();
    let blocked = folder.run("path yard.mesh --from 2.5,1.25 --to 11.5,7.5 --json");
    let document = blocked.json();
    assert_eq!(
        (blocked.code, &document["status"], &document["reason"]),
        (1, &json!("blocked"), &json!("start_blocked")),
        "{document}"
    );
    assert_eq!(document["nearest"], json!([2.5, 1.0]), "{document}");
    let snapped = folder.must("path yard.mesh --from 2.5,1.25 --to 11.5,7.5 --snap --json").json();
    assert_eq!((&snapped["snapped"][0], &snapped["waypoints"][0]), (&json!([2.5, 1.0]), &json!([2.5, 1.0])));
    for (words, kind) in [
        ("path yard.mesh --from 12.5,0 --to 0,0", "outside_map"),
        ("path yard.mesh --from #999 --to 0,0", "outside_map"),
        ("path yard.map --from 0.5,0 --to 1,0", "wrong_place"),
        ("path yard.mesh --from 0,0 --to 1,0 --straight", "not_for_this_map"),
        ("path yard.mesh --from 0,0 --to 1,0 --planner jps", "not_for_this_map"),
        ("path yard.map --from 0,0 --to 1,0 --planner astar:nodes=centres", "not_for_this_map"),
    ] {
        let ran = folder.run(&format!("{words} --json"));
        assert_eq!((ran.code, ran.error().0.as_str()), (2, kind), "{words}: {ran:?}");
    }
}

#[test]
fn meshes_are_drawn_with_their_polygons_and_the_path() {
    let folder = folder();
    folder.must("path yard.mesh --from 0.5,0.5 --to 11.5,7.5 --png a.png --svg a.svg");
    assert!(folder.read("a.png").starts_with(b"\x89PNG"));
    let svg = String::from_utf8(folder.read("a.svg")).expect("text");
    let polygons = folder.must("info yard.mesh --json").json()["states"].as_u64().expect("a number");
    assert_eq!(svg.matches("<polygon").count() as u64, polygons);
}
