//! Meshes through the command.

use crate::common::{Folder, numbers};
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
    let edited = folder.must("info swamp.mesh --areas 4=7.5,1=blocked").stdout;
    assert!(edited.contains("1 = blocked (") && edited.contains("4 = 7.5 ("), "as it is now: {edited}");
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
    assert!(svg.contains(&format!(">{}</text>", polygons - 1)), "polygons have their numbers");
}

#[test]
fn indexes_of_meshes_are_built_estimated_verified_and_read() {
    let folder = folder();
    folder.must("build yard.mesh --index goal-bounds,goal-bounds:centres,first-moves -o yard.milepost");
    let (info, opened) =
        (folder.must("info yard.mesh --json").json(), folder.must("info yard.milepost --json").json());
    assert_eq!((&opened["hash"], &opened["portals"]), (&info["hash"], &info["portals"]));
    assert_eq!(opened["fastest"], "astar-bounds");
    let verified = folder.must("verify yard.milepost --map yard.mesh --sample 50 --json").json();
    assert_eq!((&verified["wrong"], &verified["sampled"]), (&json!(0), &json!(50)));
    let planners = verified["planners"].as_array().expect("planners");
    for name in ["astar-bounds", "astar-bounds:nodes=centres", "first-moves"] {
        assert!(planners.contains(&json!(name)), "{planners:?}");
    }
    let estimated = folder.must("estimate yard.mesh --index goal-bounds --json").json();
    assert!(estimated["indexes"][0]["bytes"].as_u64() > Some(0));
    let ends = "--from 0.5,0.5 --to 11.5,7.5 --json";
    let by_file = folder.must(&format!("path yard.milepost {ends}")).json();
    let by_mesh = folder.must(&format!("path yard.mesh {ends} --planner dijkstra")).json();
    assert_eq!((&by_file["cost"], &by_file["planner"]), (&by_mesh["cost"], &json!("astar-bounds")));
    let refused = folder.run("info yard.milepost --moves four --json");
    assert_eq!((refused.code, refused.error().0.as_str()), (2, "not_for_this_map"));
    assert!(refused.error().1.contains("mesh"));
    let other = folder.run("verify yard.milepost --map swamp.mesh --json");
    assert_eq!(other.code, 3);
}

#[test]
fn scenarios_on_meshes_are_drawn_and_benched_against_the_same_nodes() {
    let folder = folder();
    for mesh in ["yard.mesh", "swamp.mesh"] {
        folder.must(&format!("scenarios {mesh} --count 30 -o mesh.scen"));
        let scenario = String::from_utf8(folder.read("mesh.scen")).expect("text");
        assert!(scenario.starts_with("milepost-mesh-scenario 1\n"), "{scenario}");
        folder.must(&format!("scenarios {mesh} --count 30 -o again.scen"));
        assert_eq!(folder.read("mesh.scen"), folder.read("again.scen"));
        folder.must(&format!("build {mesh} --index goal-bounds,first-moves -o mesh.milepost"));
        let planners = "dijkstra,astar,astar:nodes=centres,astar-bounds,weighted-astar,first-moves";
        let agents = "lrta,lss-lrta,first-moves,follow:astar-bounds";
        let words = format!(
            "bench mesh.milepost --scen mesh.scen --planners {planners} --agents {agents} --rows rows.csv --json"
        );
        let bench = folder.must(&words).json();
        assert_eq!((&bench["queries"], &bench["skipped"]), (&json!(30), &json!(0)));
        assert_eq!(bench["scen_disagreements"], 0);
        for run in bench["runs"].as_array().expect("runs") {
            assert_eq!((&run["failed"], &run["solved"]), (&json!(0), &json!(30)), "{run}");
            if run["kind"] == "planner" && run["name"] != "weighted-astar" {
                assert_eq!(run["optimal"], 30, "{run}");
            }
        }
    }
    let scen = folder.run("bench swamp.mesh --scen mesh.scen --planners astar --check scen --json");
    assert_eq!((scen.code, scen.error().0.as_str()), (2, "no_lengths"));
    folder.write("off.scen", "milepost-mesh-scenario 1\n2.5,1.25 0.5,0.5 1\n0.5,0.5 0.75,0.5 0.25\n");
    let skipped = folder.must("bench yard.mesh --scen off.scen --planners astar --json").json();
    assert_eq!((&skipped["queries"], &skipped["skipped"]), (&json!(1), &json!(1)));
    folder.write("beyond.scen", "milepost-mesh-scenario 1\n0.5,0.5 99,0.5 1\n");
    let beyond = folder.run("bench yard.mesh --scen beyond.scen --planners astar --json");
    assert_eq!(beyond.code, 3);
    assert!(beyond.error().1.contains("line 2"), "{beyond:?}");
    folder.write("reals.scen", "version 1\n0\tyard.map\t12\t8\t0.5\t0.5\t0.75\t0.5\t0.25\n");
    let reals = folder.must("bench yard.mesh --scen reals.scen --planners astar --json").json();
    assert_eq!((&reals["queries"], &reals["scen_disagreements"]), (&json!(1), &json!(0)));
    assert_eq!(folder.run("bench yard.map --scen reals.scen --planners astar --json").code, 3);
}

#[test]
fn an_agent_walks_from_centre_to_centre_through_the_middles_of_portals() {
    let folder = folder();
    for agent in ["lrta", "lss-lrta", "follow:astar"] {
        let words = format!("walk yard.mesh --from 0.5,0.5 --to 11.5,7.5 --agent {agent} --json");
        let document = folder.must(&words).json();
        let (states, trail) =
            (document["states"].as_array().expect("polygons").len(), numbers(&document["trail"]));
        assert_eq!((document["status"].as_str(), trail.len()), (Some("arrived"), 2 * states - 1), "{agent}");
        assert!(document["cost"].as_f64() >= document["optimal_cost"].as_f64(), "{document}");
        let length: f64 =
            trail.windows(2).map(|leg| (leg[0][0] - leg[1][0]).hypot(leg[0][1] - leg[1][1])).sum();
        assert!((document["cost"].as_f64().expect("a cost") - length).abs() < 1e-2, "{document}");
    }
    folder.must("walk yard.mesh --from 0.5,0.5 --to 11.5,7.5 --svg w.svg --gif w.gif");
    let blocked = folder.run("walk yard.mesh --from 2.5,1.25 --to 11.5,7.5 --json");
    assert_eq!((blocked.code, &blocked.json()["status"]), (1, &json!("blocked")));
    let sight = folder.run("walk yard.mesh --from 0.5,0.5 --to 11.5,7.5 --agent lrta --sight 3 --json");
    assert_eq!((sight.code, sight.error().0.as_str()), (2, "not_for_this_map"));
}

#[test]
fn doors_are_closed_by_edits_of_polygons() {
    let folder = folder();
    let words = "path door.json --from 7.5,3.5 --to 0.5,0.5 --json";
    let door = folder.must(words).json()["states"][0].as_u64().expect("a polygon");
    folder.write("close.edits", format!("close #{door}\n"));
    let closed = folder.run(&format!("{words} --edits close.edits"));
    assert_eq!((closed.code, &closed.json()["reason"]), (1, &json!("start_blocked")), "{closed:?}");
    assert!(closed.json()["nearest"].is_array());
}

#[test]
fn areas_cost_what_the_user_says() {
    let folder = folder();
    let info = folder.must("info swamp.mesh --json").json();
    let areas = info["areas"].as_array().expect("areas");
    let dear = areas.iter().find(|area| area["cost"] == 4.0).expect("the swamp")["name"].as_str();
    let dear = dear.expect("a name");
    let ends = "--from 0.5,0.5 --to 5.5,0.5 --json";
    let cost = |words: &str| folder.must(words).json()["pulled_cost"].as_f64().expect("a cost");
    let around = cost(&format!("path swamp.mesh {ends}"));
    let through = cost(&format!("path swamp.mesh {ends} --areas {dear}=1"));
    assert!(through < 5.01 && around > through, "{through} {around}");
    folder.must("build swamp.mesh --index goal-bounds -o swamp.milepost");
    let blocked = folder.must(&format!("path swamp.milepost {ends} --areas {dear}=blocked")).json();
    assert!(blocked["pulled_cost"].as_f64() >= Some(around), "{blocked}");
    for (words, kind) in [
        (format!("info swamp.mesh --areas {dear}=0"), "usage"),
        (format!("info swamp.mesh --areas {dear}"), "usage"),
        ("info swamp.mesh --areas lava=2".to_owned(), "no_such_area"),
        ("info yard.map --areas lava=2".to_owned(), "not_for_this_map"),
    ] {
        let ran = folder.run(&format!("{words} --json"));
        assert_eq!((ran.code, ran.error().0.as_str()), (2, kind), "{words}: {ran:?}");
    }
}

/// A hall, a ramp beside it, a landing, and a gallery that leads back over the hall.
const GALLERY: &str = r#"{
  "milepost-mesh": 1,
  "vertices": [[0,0,0],[4,0,0],[4,2,0],[4,4,0],[0,4,0],[6,0,3],[6,2,3],[8,0,3],[8,4,3],[6,4,3],[2,2,3],[2,4,3]],
  "polygons": [{"vertices": [0,1,2,3,4]}, {"vertices": [1,5,6,2]}, {"vertices": [5,7,8,9,6]}, {"vertices": [10,6,9,11]}]
}"#;

#[test]
fn doors_are_closed_and_opened_by_a_point_in_them_with_a_height_where_floors_lie_over_each_other() {
    let folder = folder();
    let words = "path door.json --from 7.5,3.5 --to 0.5,0.5 --json";
    for line in ["close 7.5,3.5", "close 7.25,3.75 # the door"] {
        folder.write("close.edits", format!("{line}\n"));
        let closed = folder.run(&format!("{words} --edits close.edits"));
        assert_eq!(
            (closed.code, &closed.json()["reason"]),
            (1, &json!("start_blocked")),
            "{line}: {closed:?}"
        );
        folder.write("both.edits", format!("{line}\nopen 7.5,3.5\n"));
        folder.must(&format!("{words} --edits both.edits"));
    }
    folder.write("gallery.json", GALLERY);
    // A whole point means a place, too, on the lowest floor if it has no height.
    for (line, hall, gallery) in [("close 3,3", 1, 0), ("close 3,3,3", 0, 1), ("close 3.5,3.5,0.25", 1, 0)] {
        folder.write("close.edits", format!("{line}\n"));
        for (height, code) in [(0, hall), (3, gallery)] {
            let place = format!("3.25,3.25,{height}");
            let ran = folder
                .run(&format!("path gallery.json --from {place} --to {place} --edits close.edits --json"));
            assert_eq!(ran.code, code, "{line}: {place}: {ran:?}");
        }
    }
    for (map, line, piece) in [
        ("gallery.json", "\nclose 99,99\n", "line 2: no polygon holds 99,99"),
        ("gallery.json", "close 1,1 3,3\n", "line 1: on meshes polygons"),
        ("yard.map", "close 1.5,1\n", "line 1: on grids cells"),
    ] {
        folder.write("bad.edits", line);
        let ran = folder.run(&format!("path {map} --from 1,0 --to 2,0 --edits bad.edits --json"));
        assert_eq!(ran.code, 3, "{line}: {ran:?}");
        assert!(ran.error().1.contains(piece), "{line}: {ran:?}");
    }
}

#[test]
fn what_is_not_for_meshes_is_refused_by_that_word() {
    let folder = folder();
    let path = "path yard.mesh --from 0.5,0.5 --to 11.5,7.5";
    for (words, piece) in [
        (
            "build yard.mesh --index corner-labels -o never.milepost".to_owned(),
            "`corner-labels` is not for meshes",
        ),
        (format!("{path} --overlay grey.png"), "yard is a mesh"),
        (format!("{path} --planner astar:h=manhattan"), "means nothing on a mesh"),
    ] {
        let ran = folder.run(&format!("{words} --json"));
        assert_eq!(ran.code, 2, "{words}: {ran:?}");
        assert!(ran.error().1.contains(piece), "{words}: {ran:?}");
    }
}

#[test]
fn floors_are_drawn_side_by_side() {
    let folder = folder();
    folder.write("gallery.json", GALLERY);
    folder.must("path gallery.json --from 1,1 --to 3,3,3 --svg a.svg --png a.png");
    let svg = String::from_utf8(folder.read("a.svg")).expect("text");
    assert!(svg.contains(">floor 1</text>") && svg.contains(">floor 2</text>"), "{svg}");
    folder.must("path yard.mesh --from 0.5,0.5 --to 11.5,7.5 --svg flat.svg");
    assert!(!String::from_utf8(folder.read("flat.svg")).expect("text").contains("floor"));
}

#[test]
fn the_nearest_place_that_can_be_reached_is_a_point_and_goals_move_there_on_request() {
    let folder = folder();
    // The pocket cannot be reached; what is nearest to it is a point of the wall around it.
    let apart = folder.run("path yard.mesh --from 0.5,0.5 --to 5.75,4.5 --json");
    let document = apart.json();
    assert_eq!((apart.code, &document["reason"]), (1, &json!("other_component")), "{document}");
    assert_eq!(document["nearest"], json!([7.0, 4.5]), "{document}");
    assert!(document["advice"].as_str().is_some_and(|advice| advice.contains("place nearest to it")));
    // A goal in the wall is nearer to the pocket than to the ground around it.
    let snapped = folder.run("path yard.mesh --from 0.5,0.5 --to 6.25,4.5 --snap --json");
    assert_eq!((snapped.code, &snapped.json()["snapped"][1]), (1, &json!([6.0, 4.5])));
    for goal in ["6.25,4.5", "5.75,4.5"] {
        let joined =
            folder.must(&format!("path yard.mesh --from 0.5,0.5 --to {goal} --snap-joined --json")).json();
        assert_eq!(joined["snapped"][1], json!([7.0, 4.5]), "{joined}");
        assert_eq!(joined["waypoints"].as_array().and_then(|all| all.last()), Some(&json!([7.0, 4.5])));
    }
    let stays = folder.must("path yard.mesh --from 0.5,0.5 --to 11.5,7.5 --snap-joined --json").json();
    assert_eq!(stays["snapped"][1], json!([11.5, 7.5]));
    let refused = folder.run("path yard.map --from 0,0 --to 1,0 --snap-joined --json");
    assert_eq!((refused.code, refused.error().0.as_str()), (2, "not_for_this_map"));
}

#[test]
fn scenarios_of_flat_meshes_are_written_in_the_columns_of_movingai_on_request() {
    let folder = folder();
    folder.must("scenarios yard.mesh --count 20 --movingai -o a.scen");
    let text = String::from_utf8(folder.read("a.scen")).expect("text");
    assert!(text.starts_with("version 1\n") && text.contains("\tyard.mesh\t12\t8\t"), "{text}");
    let bench = folder.must("bench yard.mesh --scen a.scen --planners dijkstra,astar --json").json();
    assert_eq!((&bench["queries"], &bench["scen_disagreements"]), (&json!(20), &json!(0)), "{bench}");
    folder.must("scenarios yard.map --count 5 --movingai -o cells.scen");
    folder.write("gallery.json", GALLERY);
    let refused = folder.run("scenarios gallery.json --count 5 --movingai -o b.scen --json");
    assert_eq!((refused.code, refused.error().0.as_str()), (2, "not_for_this_map"), "{refused:?}");
}

#[test]
fn a_benchmark_on_a_mesh_says_what_costs_are_and_what_paths_cost_pulled_tight() {
    let folder = folder();
    // From corner to corner of the yard: what another program lists is the path that was pulled tight.
    folder.write("far.scen", "version 1\n0\tyard.map\t12\t8\t0.5\t0.5\t11.5\t7.5\t15.5\n");
    let words = "bench yard.mesh --scen far.scen --planners astar,astar:nodes=centres --agents lrta";
    let text = folder.must(words).stdout;
    let line = text
        .lines()
        .find(|line| line.starts_with("costs are those over middles of portals"))
        .expect("a line");
    assert!(line.contains("; paths are then pulled tight, and cost on average: astar "), "{line}");
    assert!(line.ends_with("; all others go from centre to centre"), "{line}");
    assert!(text.contains("disagrees with ours, which are those over middles of portals:\n"), "{text}");
    let document = folder.must(&format!("{words} --rows rows.csv --json")).json();
    let run = |at: usize, key: &str| document["runs"][at][key].as_f64();
    let (pulled, cost) = (run(0, "mean_pulled_cost").expect("a mean"), run(0, "mean_cost").expect("a mean"));
    assert!(pulled < cost, "{pulled} {cost}");
    assert_eq!([run(1, "mean_pulled_cost"), run(2, "mean_pulled_cost")], [None, None]);
    assert!(text.contains(&format!(", pulled tight {pulled:.8}")), "{pulled}: {text}");
    let rows = String::from_utf8(folder.read("rows.csv")).expect("text");
    assert!(rows.lines().nth(1).is_some_and(|row| row.ends_with(&format!(",,{pulled}"))), "{rows}");
}
