//! Quadtrees, octrees and meshes through the command.

use crate::common::{Folder, numbers};
use serde_json::{Value, json};

/// A folder with a quadtree of the yard, and an octree of a room with a pillar.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.must("convert yard.map yard.quad");
    let mut room = "voxel 4 4 3\n".to_owned();
    for layer in 0..3 {
        room.push_str(&format!("1 1 {layer}\n1 2 {layer}\n"));
    }
    folder.write("room.3dmap", &room);
    folder.must("convert room.3dmap room.oct");
    folder
}

#[test]
fn paths_over_trees_run_from_the_middle_of_a_cell_to_that_of_another() {
    let folder = folder();
    for planner in ["dijkstra", "astar", "weighted-astar"] {
        let words = format!("path yard.quad --from 0,0 --to 11,7 --planner {planner} --json");
        let document = folder.must(&words).json();
        let waypoints = numbers(&document["waypoints"]);
        assert_eq!((&waypoints[0], waypoints.last()), (&vec![0.5, 0.5], Some(&vec![11.5, 7.5])), "{planner}");
        let legs = waypoints.windows(2).map(|leg| (leg[0][0] - leg[1][0]).hypot(leg[0][1] - leg[1][1]));
        let length: f64 = legs.sum();
        assert!((document["length"].as_f64().expect("a length") - length).abs() < 1e-9);
        assert!(document["cost"].as_f64().expect("a cost") > 11.0, "in cells: {document}");
        assert!(document["cells"].is_null() && document["moves"].is_null());
        assert!(document["states"].as_array().is_some_and(|states| states.len() > 2));
    }
    let document = folder.must("path room.oct --from 0,0,0 --to 3,3,2 --json").json();
    let waypoints = numbers(&document["waypoints"]);
    assert_eq!((&waypoints[0], waypoints.last()), (&vec![0.5, 0.5, 0.5], Some(&vec![3.5, 3.5, 2.5])));
    let by_voxels = folder.must("path room.3dmap --from 0,0,0 --to 3,3,2 --json").json();
    assert_eq!(by_voxels["cost"], document["cost"]);
    let within = folder.must("path yard.quad --from #0 --to #0 --json").json();
    assert_eq!((within["cost"].to_string(), within["length"].to_string()), ("0.0".into(), "0.0".into()));
}

#[test]
fn a_blocked_cell_of_a_tree_is_a_negative_answer_and_one_outside_is_wrong_usage() {
    let folder = folder();
    let blocked = folder.run("path yard.quad --from 2,1 --to 11,7 --json");
    let document = blocked.json();
    assert_eq!(
        (blocked.code, &document["status"], &document["reason"]),
        (1, &json!("blocked"), &json!("start_blocked"))
    );
    assert_eq!(document["nearest"], json!([2, 0]));
    let snapped = folder.must("path yard.quad --from 2,1 --to 11,7 --snap --json").json();
    assert_eq!(snapped["snapped"], json!([[2, 0], [11, 7]]));
    assert_eq!(snapped["waypoints"][0], json!([2.5, 0.5]));
    let both = folder.run("walk room.oct --from 1,1,0 --to 1,2,2 --json").json();
    assert_eq!((&both["status"], &both["reason"]), (&json!("blocked"), &json!("both_blocked")));
    for (words, kind) in [
        ("path yard.quad --from 12,0 --to 0,0", "outside_map"),
        ("path yard.quad --from 1,1,1 --to 0,0", "wrong_place"),
        ("path room.oct --from 1,0 --to 0,0,0", "wrong_place"),
        ("path room.oct --from 0,0,3 --to 0,0,0", "outside_map"),
        ("path yard.quad --from #99999 --to 0,0", "outside_map"),
        ("path yard.map --from 0,0,0 --to 1,0", "wrong_place"),
        ("info yard.quad --moves four", "not_for_this_map"),
        ("convert yard.map yard.oct", "unsupported_pair"),
        ("convert room.3dmap room.quad", "unsupported_pair"),
        ("convert yard.map yard.quad --keep 0,0,1,1", "not_for_this_map"),
    ] {
        let ran = folder.run(&format!("{words} --json"));
        assert_eq!((ran.code, ran.error().0.as_str()), (2, kind), "{words}: {ran:?}");
    }
    let fraction = folder.run("path yard.quad --from 0.5,0 --to 1,0 --json").error().1;
    assert!(fraction.contains("a quadtree; expected X,Y in whole numbers or #ID"), "{fraction}");
}

#[test]
fn trees_are_read_wherever_a_map_is() {
    let folder = folder();
    let info = folder.must("info yard.quad --json").json();
    assert_eq!(
        (&info["width"], &info["height"], &info["scale"]["one"]),
        (&json!(12), &json!(8), &json!(65536))
    );
    assert_eq!(info["components"], 2, "the yard has a pocket");
    let text = folder.must("info room.oct").stdout;
    assert!(text.contains("4"), "{text}");
    folder.must("build yard.quad --index goal-bounds,first-moves -o yard.milepost");
    let opened = folder.must("info yard.milepost --json").json();
    assert_eq!((&opened["hash"], &opened["scale"]), (&info["hash"], &info["scale"]));
    folder.must("verify yard.milepost --sample 50");
    folder.must("scenarios yard.quad --count 20 -o yard.scenario");
    let scenario = String::from_utf8(folder.read("yard.scenario")).expect("text");
    assert!(scenario.starts_with("milepost-graph-scenario 1\n"), "{scenario}");
    let bench = folder
        .must("bench yard.milepost --scen yard.scenario --planners dijkstra,astar,astar-bounds,first-moves --agents lrta,tba,first-moves --check scen --json")
        .json();
    assert_eq!(bench["scen_disagreements"], 0);
    for run in bench["runs"].as_array().expect("runs") {
        assert_eq!((&run["failed"], &run["solved"]), (&json!(0), &json!(20)), "{run}");
        if run["kind"] == "planner" {
            assert_eq!(run["optimal"], 20, "{run}");
        }
    }
    let walked = folder.must("walk room.oct --from 0,0,0 --to 3,3,2 --json").json();
    assert_eq!(walked["status"], "arrived");
    assert!(numbers(&walked["trail"]).iter().all(|point| point.len() == 3));
    folder.must("path yard.quad --from 0,0 --to 11,7 --png a.png --svg a.svg");
}

#[test]
fn cells_of_trees_are_not_edited_but_nodes_are() {
    let folder = folder();
    folder.write("close.edits", "close 0,1\n");
    let refused = folder.run("path yard.quad --from 0,0 --to 11,7 --edits close.edits --json");
    assert!(refused.code != 0, "{refused:?}");
    let message = refused.error().1;
    assert!(message.contains("unnode") && message.contains("unedge"), "{message}");
    folder.write("unnode.edits", "unnode #0\n");
    let closed = folder.run("path yard.quad --from 0,0 --to 11,7 --edits unnode.edits --json");
    assert_eq!((closed.code, &closed.json()["reason"]), (1, &json!("start_blocked")));
}

#[test]
fn maps_become_meshes_and_meshes_maps() {
    let folder = folder();
    for mesh in ["yard.mesh", "yard.json"] {
        folder.must(&format!("convert yard.map {mesh} --keep 7,3,1,1"));
        folder.must(&format!("convert {mesh} back.map"));
        let (there, back) = (folder.read("yard.map"), folder.read("back.map"));
        assert_eq!(String::from_utf8(there), String::from_utf8(back), "{mesh}");
        folder.must(&format!("convert {mesh} fine.map --cell 0.5"));
        let fine = folder.must("info fine.map --json").json();
        assert_eq!((&fine["width"], &fine["height"]), (&json!(24), &json!(16)));
    }
    folder.must("convert yard.json again.mesh");
    assert_eq!(folder.read("again.mesh"), folder.read("yard.mesh"));
    folder.write("swamp.map", "type octile\nheight 1\nwidth 2\nmap\n.S\n");
    folder.must("convert swamp.map swamp.json --weights S=4");
    let swamp: Value = serde_json::from_slice(&folder.read("swamp.json")).expect("a document");
    assert_eq!(swamp["areas"], json!([{"name": ".", "cost": 1.0}, {"name": "S", "cost": 4.0}]));
    folder.must("convert swamp.map swamp.mesh --weights S=4");
    assert!(folder.read("swamp.mesh").starts_with(b"weighted_mesh\n2\n"));
    let scaled = folder.run("convert yard.mesh x.map --scale 2 --json");
    assert_eq!((scaled.code, scaled.error().0.as_str()), (2, "not_for_this_map"));
    let outside = folder.run("convert yard.map x.mesh --keep 11,7,2,1 --json");
    assert_eq!(outside.code, 2);
    folder.write("walls.map", "type octile\nheight 1\nwidth 2\nmap\n@@\n");
    assert_eq!(folder.run("convert walls.map x.mesh --json").code, 2);
}

#[test]
fn broken_trees_and_meshes_are_refused_with_their_line() {
    let folder = folder();
    for (name, text, place) in [
        ("a.quad", "milepost-quadtree 1\nsize 4 4\nleaves 1\n0 0 3\n", "line 4"),
        ("a.oct", "milepost-octree 1\nsize 4 4\n", "line 2"),
        ("a.3dmap", "voxel 4 4 4\n1 1 9\n", "line 2"),
        ("a.mesh", "mesh\n2\n3 1\n0 0 1 0\n1 0 1 0\n0 1 1 x y\n3 0 1 2 -1 -1 -1\n", "line 6"),
        ("a.json", "{\n\"nvp\": x}", "line 2"),
        ("a.obj", "v 0 0 0\nf 1 2 3\n", "line 2"),
    ] {
        folder.write(name, text);
        let words =
            if name.ends_with("quad") || name.ends_with("oct") { "info {}" } else { "convert {} out.oct" };
        let words = if name.ends_with("mesh") || name.ends_with("json") || name.ends_with("obj") {
            "convert {} out.map"
        } else {
            words
        };
        let ran = folder.run(&format!("{} --json", words.replace("{}", name)));
        assert_eq!(ran.code, 3, "{name}: {ran:?}");
        assert!(ran.error().1.contains(place), "{name}: {ran:?}");
    }
}
