//! Maps of Tiled through the command: read, asked, benchmarked, converted, drawn, and refused if broken.

#[path = "../../../milepost-maps/tests/it/support/broken_tmx.rs"]
mod broken_tmx;
use crate::common::picture::{Colour, Picture};
use crate::common::{Folder, steady};
use broken_tmx::{BROKEN, GOOD};
use serde_json::{Value, json};

/// The yard as a map of Tiled with these attributes.
fn yard(folder: &Folder, name: &str, attributes: &str) {
    folder.must("convert yard.map plain.tmx");
    let text = String::from_utf8(folder.read("plain.tmx")).expect("text");
    assert!(text.contains("orientation=\"orthogonal\""));
    folder.write(name, text.replace("orientation=\"orthogonal\"", attributes));
}

fn info(folder: &Folder, words: &str) -> Value {
    folder.must(&format!("info {words} --json")).json()
}

#[test]
fn a_tiled_map_is_the_map_it_was_made_from() {
    let folder = Folder::new();
    folder.must("convert yard.map yard.tmx");
    let hash = |name: &str| info(&folder, name)["hash"].clone();
    assert_eq!(hash("yard.tmx"), hash("yard.map"));
    folder.must("convert yard.tmx back.map");
    folder.must("convert yard.tmx back.png");
    assert_eq!((hash("back.map"), hash("back.png")), (hash("yard.map"), hash("yard.map")));
    let same = |file: &str| steady(folder.must(&format!("path {file} --from 2,2 --to 11,7 --json")).json());
    assert_eq!(same("yard.tmx"), same("yard.map"));
    folder.must("convert yard.tmx large.tmx --scale 3");
    folder.must("convert yard.map large.map --scale 3");
    assert_eq!(hash("large.tmx"), hash("large.map"));
    folder.must("generate caves --width 30 --height 20 --seed 4 -o caves.tmx");
    folder.must("generate caves --width 30 --height 20 --seed 4 -o caves.map");
    assert_eq!(hash("caves.tmx"), hash("caves.map"));
}

#[test]
fn the_shape_is_shown_and_hexagons_are_walked_as_such() {
    let folder = Folder::new();
    folder.must("convert yard.map hex.tmx --moves hex");
    yard(&folder, "iso.tmx", "orientation=\"isometric\"");
    yard(&folder, "staggered.tmx", "orientation=\"staggered\" staggeraxis=\"y\" staggerindex=\"odd\"");
    let found = |name: &str| {
        let info = info(&folder, name);
        [&info["shape"], &info["moves"], &info["width"], &info["height"], &info["states"]].map(Value::clone)
    };
    let states = info(&folder, "yard.map")["states"].clone();
    let expected = |shape: &str, moves: &str, width: u32, height: u32| {
        [json!(shape), json!(moves), json!(width), json!(height), states.clone()]
    };
    assert_eq!(found("plain.tmx"), expected("orthogonal", "octile", 12, 8));
    assert_eq!(found("iso.tmx"), expected("isometric", "octile", 12, 8));
    assert_eq!(found("hex.tmx"), expected("hexagonal", "hex", 12, 8));
    assert_eq!(found("staggered.tmx"), expected("staggered", "octile", 16, 15));
    assert_eq!(found("plain.tmx --moves four"), expected("orthogonal", "four", 12, 8));
    assert!(info(&folder, "yard.map")["shape"].is_null());
    let cost = |words: &str| {
        folder.must(&format!("path {words} --from 2,2 --to 11,7 --json")).json()["cost"].clone()
    };
    assert_eq!(cost("hex.tmx"), cost("yard.map --moves hex"));
    assert_eq!(cost("iso.tmx"), cost("yard.map"));
}

#[test]
fn hexagons_of_every_layout_keep_their_rule_and_take_no_other() {
    let folder = Folder::new();
    for rule in ["hex", "hex-even-r", "hex-odd-q", "hex-even-q"] {
        folder.must(&format!("convert yard.map {rule}.tmx --moves {rule}"));
        let found = info(&folder, &format!("{rule}.tmx"));
        assert_eq!((&found["shape"], &found["moves"]), (&json!("hexagonal"), &json!(rule)));
        let cost = |words: &str| {
            folder.must(&format!("path {words} --from 2,2 --to 11,7 --json")).json()["cost"].clone()
        };
        assert_eq!(cost(&format!("{rule}.tmx")), cost(&format!("yard.map --moves {rule}")));
        assert_eq!(cost(&format!("{rule}.tmx --moves {rule}")), cost(&format!("{rule}.tmx")));
        for other in ["octile", "hex", "hex-even-r", "hex-odd-q"].into_iter().filter(|other| *other != rule) {
            let ran = folder.run(&format!("info {rule}.tmx --moves {other} --json"));
            let (kind, message) = ran.error();
            assert_eq!((ran.code, kind.as_str()), (2, "other_rule"), "{message}");
            assert!(message.contains(&format!("`{rule}`")), "{message}");
        }
    }
}

#[test]
fn rows_of_a_staggered_map_are_neighbours_as_on_the_screen() {
    let folder = Folder::new();
    // Three columns, three rows, the middle one half a tile to the right; all free but the first of the middle row.
    let text = GOOD
        .replace(
            "orientation=\"orthogonal\"",
            "orientation=\"staggered\" staggeraxis=\"y\" staggerindex=\"odd\"",
        )
        .replace("width=\"3\" height=\"2\"", "width=\"3\" height=\"3\"")
        .replace("1,2,3,\n1,0,1\n", "1,1,1,\n2,1,1,\n1,1,1\n");
    folder.write("s.tmx", text);
    // In Tiled 1,0 and 1,2; in the lattice 1,1 and 2,2: corner to corner, past the wall at 0,1 and the floor at 1,1.
    let path = |words: &str| folder.must(&format!("path s.tmx --from 1,1 --to 2,2 --json {words}")).json();
    assert_eq!(path("")["cells"], json!([[1, 1], [2, 1], [2, 2]]));
    assert_eq!(path("--moves octile-cutting")["cells"], json!([[1, 1], [2, 2]]));
}

#[test]
fn weights_and_names_come_from_properties() {
    let folder = Folder::new();
    folder.write("good.tmx", GOOD);
    assert_eq!(info(&folder, "good.tmx")["weights"], json!([1, 5]));
    let renamed =
        GOOD.replace("name=\"blocked\"", "name=\"solid\"").replace("name=\"weight\"", "name=\"mud\"");
    folder.write("other.tmx", renamed);
    assert_eq!(info(&folder, "other.tmx")["states"], 5);
    assert!(info(&folder, "other.tmx")["weights"].is_null());
    let options = "--blocked-property solid --weight-property mud";
    assert_eq!(info(&folder, &format!("other.tmx {options}"))["hash"], info(&folder, "good.tmx")["hash"]);
    assert_eq!(info(&folder, "good.tmx --blocked-layer GROUND")["states"], 1);
    // Weights stay in a map of Tiled, also when it is enlarged.
    folder.must(&format!("convert other.tmx large.tmx --scale 2 {options}"));
    let large = info(&folder, "large.tmx");
    assert_eq!((&large["weights"], &large["states"]), (&json!([1, 5]), &json!(16)));
    let ran = folder.must("convert good.tmx flat.map");
    assert!(ran.stderr.contains("note: flat.map: only .tmx and meshes keep weights"), "{ran:?}");
}

#[test]
fn a_user_who_forgot_to_say_what_is_blocked_is_told() {
    let folder = Folder::new();
    let silent = GOOD.replace("name=\"blocked\"", "name=\"solid\"").replace("1,0,1", "1,1,1");
    folder.write("silent.tmx", &silent);
    let ran = folder.must("info silent.tmx");
    assert!(ran.stderr.contains("note: silent.tmx: nothing says what is blocked"), "{ran:?}");
    folder.write("void.tmx", silent.replace("1,1,1", "1,0,1"));
    for name in ["void.tmx", "silent.tmx --blocked-property solid"] {
        assert_eq!(folder.must(&format!("info {name}")).stderr, "", "{name}");
    }
}

#[test]
fn infinite_maps_say_where_they_begin() {
    let folder = Folder::new();
    let chunks = "<chunk x=\"-16\" y=\"32\" width=\"2\" height=\"2\">1,1,1,2</chunk>";
    let text = GOOD.replace("infinite=\"0\"", "infinite=\"1\"").replace("\n1,2,3,\n1,0,1\n", chunks);
    folder.write("endless.tmx", text);
    let found = info(&folder, "endless.tmx");
    assert_eq!(
        (&found["origin"], &found["width"], &found["states"]),
        (&json!([-16, 32]), &json!(2), &json!(3))
    );
    let said = folder.must("info endless.tmx").stdout;
    assert!(said.contains("orthogonal, 0,0 is -16,32 in Tiled"), "{said}");
}

/// The map with its tileset in a file of its own, and the tileset.
fn with_external_tileset(source: &str) -> (String, String) {
    let inline = GOOD.find(" <tileset").expect("a tileset")..GOOD.find(" <layer").expect("a layer");
    let tileset = GOOD[inline.clone()].trim().replace("firstgid=\"1\" ", "");
    let mut map = GOOD.to_owned();
    map.replace_range(inline, &format!(" <tileset firstgid=\"1\" source=\"{source}\"/>\n"));
    (map, tileset)
}

#[test]
fn tilesets_are_found_beside_the_map() {
    let folder = Folder::new();
    let (map, tileset) = with_external_tileset("tiles/ground.tsx");
    std::fs::create_dir_all(folder.file("levels/tiles")).expect("a folder");
    folder.write("levels/a.tmx", map);
    let ran = folder.run("info levels/a.tmx --json");
    let (kind, message) = ran.error();
    assert_eq!((ran.code, kind.as_str()), (3, "damaged"));
    for piece in ["levels/a.tmx: line 3", "\"tiles/ground.tsx\"", "cannot be read at levels/tiles/ground.tsx"]
    {
        assert!(message.contains(piece), "{message}");
    }
    folder.write("levels/tiles/ground.tsx", &tileset);
    folder.write("good.tmx", GOOD);
    assert_eq!(info(&folder, "levels/a.tmx")["hash"], info(&folder, "good.tmx")["hash"]);
    folder.write("levels/tiles/ground.tsx", tileset.replace("value=\"5\"", "value=\"500\""));
    let (_, message) = folder.run("info levels/a.tmx --json").error();
    assert!(message.contains("levels/a.tmx: tileset \"tiles/ground.tsx\": line 10"), "{message}");
}

#[test]
fn every_command_that_reads_a_map_reads_tilesets_outside_its_folder_only_where_that_is_allowed() {
    let folder = Folder::new();
    let (map, tileset) = with_external_tileset("../ground.tsx");
    std::fs::create_dir_all(folder.file("levels")).expect("a folder");
    folder.write("levels/a.tmx", map);
    folder.write("ground.tsx", &tileset);
    folder.write("good.tmx", GOOD);
    folder.must("build good.tmx --index none -o good.milepost");
    folder.must("scenarios good.tmx --count 5 -o good.scen");
    for words in [
        "info levels/a.tmx",
        "build levels/a.tmx --index none -o a.milepost",
        "estimate levels/a.tmx --index goal-bounds",
        "verify good.milepost --map levels/a.tmx",
        "scenarios levels/a.tmx --count 5 -o a.scen",
        "path levels/a.tmx --from 0,0 --to 0,1",
        "walk levels/a.tmx --from 0,0 --to 0,1",
        "bench levels/a.tmx --scen good.scen --planners astar",
        "convert levels/a.tmx a.map",
    ] {
        let ran = folder.run(&format!("{words} --json"));
        let (kind, message) = ran.error();
        assert_eq!((ran.code, kind.as_str()), (3, "unreadable"), "{words}: {message}");
        for piece in ["levels/a.tmx: line 3", "\"../ground.tsx\"", "lies outside", "--allow-outside"] {
            assert!(message.contains(piece), "{words}: {message}");
        }
        folder.must(&format!("{words} --allow-outside"));
    }
    // What stands in the file is not told, not even where it may be read.
    folder.write("ground.tsx", "root:hunter2:0:0\n");
    for option in ["", "--allow-outside"] {
        let ran = folder.run(&format!("info levels/a.tmx {option}"));
        assert!(ran.code == 3 && !ran.stderr.contains("hunter"), "{ran:?}");
    }
    // For other maps there is nothing to allow.
    folder.must("info yard.map --allow-outside");
}

#[test]
fn problems_on_tiled_maps_have_their_lengths() {
    let folder = Folder::new();
    folder.must("generate city --width 40 --height 30 -o city.map");
    folder.must("convert city.map hex.tmx --moves hex");
    folder.write("good.tmx", GOOD);
    for name in ["hex.tmx", "good.tmx"] {
        folder.must(&format!("scenarios {name} --count 20 -o a.scen"));
        let document =
            folder.must(&format!("bench {name} --scen a.scen --planners astar,dijkstra --json")).json();
        assert_eq!(
            (&document["queries"], &document["scen_disagreements"]),
            (&20.into(), &0.into()),
            "{name}"
        );
    }
}

#[test]
fn broken_tiled_maps_are_refused_with_file_and_place() {
    let folder = Folder::new();
    for (what, good, bad, pieces) in BROKEN {
        folder.write("broken.tmx", GOOD.replacen(good, bad, 1));
        let ran = folder.run("info broken.tmx");
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{what}: {ran:?}");
        assert!(ran.stderr.starts_with("error: broken.tmx: "), "{what}: {}", ran.stderr);
        assert!(!ran.stderr.contains(['\0', '\u{1b}']), "{what}: {}", ran.stderr);
        let ran = folder.run("info broken.tmx --json");
        let (kind, message) = ran.error();
        assert_eq!((ran.code, kind.as_str()), (3, "damaged"), "{what}: {message}");
        for piece in *pieces {
            assert!(message.contains(piece), "{what}: expected `{piece}` in: {message}");
        }
    }
}

#[test]
fn every_command_refuses_a_broken_tiled_map() {
    let folder = Folder::new();
    folder.write("broken.tmx", GOOD.replace("1,0,1", "1,0"));
    folder.write("good.scen", "version 1\n0\tbroken.tmx\t3\t2\t0\t0\t0\t1\t1\n");
    for words in [
        "info broken.tmx",
        "path broken.tmx --from 0,0 --to 0,1",
        "scenarios broken.tmx --count 3 -o never.scen",
        "bench broken.tmx --scen good.scen",
        "convert broken.tmx never.map",
        "convert broken.tmx never.tmx",
    ] {
        let ran = folder.run(words);
        assert_eq!(ran.code, 3, "{words}: {ran:?}");
        assert!(ran.stderr.contains("broken.tmx: line 17"), "{words}: {}", ran.stderr);
    }
    assert_eq!(folder.names(), ["broken.tmx", "good.scen", "yard.map"]);
}

/// The middle of a cell on the picture of a map that is drawn as rhombi.
fn middle(picture: &Picture, halves: u32, right: u32, down: u32) -> Colour {
    let half = f64::from(picture.width()) / f64::from(halves);
    picture.get_pixel((half * f64::from(right + 1)) as u32, (half * f64::from(down + 1) / 2.0) as u32)
}

#[test]
fn isometric_and_staggered_maps_are_drawn_as_rhombi() {
    let is_start = |[red, green, blue]: Colour| green > red && green > blue;
    let is_goal = |[red, green, blue]: Colour| red > 2 * green && red > 2 * blue;
    let folder = Folder::new();
    yard(&folder, "iso.tmx", "orientation=\"isometric\"");
    folder.must("path iso.tmx --from 2,2 --to 11,7 --png iso.png");
    let picture = Picture::open(&folder.file("iso.png"));
    // Twelve columns to the lower right, eight rows to the lower left: ten cells wide, half as high.
    let (width, height) = picture.map_dimensions();
    assert!(width.abs_diff(2 * height) <= 2, "{width} x {height}");
    assert!(
        is_start(middle(&picture, 20, 7 + 2 - 2, 2 + 2)) && is_goal(middle(&picture, 20, 7 + 11 - 7, 11 + 7))
    );
    let outside = picture.get_pixel(2, 2)[0];
    assert!(outside < middle(&picture, 20, 7, 2)[0], "a wall is lighter than what lies around the map");

    yard(&folder, "s.tmx", "orientation=\"staggered\" staggeraxis=\"y\" staggerindex=\"odd\"");
    // Tiled's 0,0 and 11,7 are 0,11 and 15,3 in the lattice.
    folder.must("path s.tmx --from 0,11 --to 15,3 --moves octile-cutting --png s.png");
    let picture = Picture::open(&folder.file("s.png"));
    assert!(is_start(middle(&picture, 25, 0, 0)) && is_goal(middle(&picture, 25, 2 * 11 + 1, 7)));
}
