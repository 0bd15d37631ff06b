//! Pictures that are written, and pictures that are read.

use crate::common::Folder;
use crate::common::picture::{Picture, save, save_grey};
use png::{BitDepth, ColorType};

fn size(folder: &Folder, name: &str) -> (u32, u32) {
    Picture::open(&folder.file(name)).map_dimensions()
}

#[test]
fn a_picture_has_the_shape_of_its_map_and_shows_both_ends() {
    let folder = Folder::new();
    folder.must("path yard.map --from 2,2 --to 11,7 --png a.png");
    let picture = Picture::open(&folder.file("a.png"));
    let (width, height) = picture.map_dimensions();
    assert_eq!((width % 12, height * 12), (0, width * 8));
    assert!((512..=4096).contains(&width));
    let cell = width / 12;
    let middle = |x: u32, y: u32| picture.get_pixel(x * cell + cell / 2, y * cell + cell / 2);
    let [red, green, blue] = middle(2, 2);
    assert!(green > red && green > blue, "the start is green");
    let [red, green, blue] = middle(11, 7);
    assert!(red > 2 * green && red > 2 * blue, "the goal is red");
    assert_ne!(middle(1, 1), middle(0, 0), "blocked and free cells differ");
    // From 2,2 the path leads straight to the right.
    assert_ne!(middle(5, 2), middle(0, 0), "the path is drawn");
}

#[test]
fn a_picture_of_a_journey_shows_the_trail_and_both_ends() {
    let folder = Folder::new();
    folder.must("walk yard.map --from 2,2 --to 11,7 --agent first-moves --png walk.png");
    folder.must("path yard.map --from 2,2 --to 11,7 --png path.png");
    assert_eq!(size(&folder, "walk.png"), size(&folder, "path.png"));
    let picture = Picture::open(&folder.file("walk.png"));
    let cell = picture.width() / 12;
    let middle = |x: u32, y: u32| picture.get_pixel(x * cell + cell / 2, y * cell + cell / 2);
    let [red, green, blue] = middle(2, 2);
    assert!(green > red && green > blue, "the start is green");
    let [red, green, blue] = middle(11, 7);
    assert!(red > 2 * green && red > 2 * blue, "the goal is red");
    // There are two ways around the pocket, and neither goes back to the first row.
    assert!([middle(5, 2), middle(2, 5)].iter().any(|pixel| *pixel != middle(0, 0)), "the trail is drawn");
}

#[test]
fn a_straight_path_is_drawn_over_the_one_it_was_pulled_from() {
    let folder = Folder::new();
    let rows = "............\n".repeat(6);
    folder.write("open.map", format!("type octile\nheight 6\nwidth 12\nmap\n{rows}"));
    folder.must("path open.map --from 0,0 --to 11,5 --png bent.png");
    let document =
        folder.must("path open.map --from 0,0 --to 11,5 --straight --png straight.png --json").json();
    assert_eq!(document["straight"]["corners"], serde_json::json!([[0, 0], [11, 5]]));
    assert_eq!(document["straight"]["length"], 146_f64.sqrt());
    let red = |name: &str, x: f64, y: f64| {
        let picture = Picture::open(&folder.file(name));
        let cell = f64::from(picture.width()) / 12.0;
        let [red, green, blue] = picture.get_pixel(((x + 0.5) * cell) as u32, ((y + 0.5) * cell) as u32);
        red > 180 && green < 80 && blue < 140
    };
    // The middle of the straight line is no cell of the path.
    assert!(red("straight.png", 5.5, 2.5) && !red("bent.png", 5.5, 2.5));
}

#[test]
fn pictures_are_written_for_every_answer_and_size() {
    let folder = Folder::new();
    for words in ["--from 0,0 --to 4,4", "--from 1,1 --to 4,4", "--from 0,0 --to 11,7 --budget 3 --partial"] {
        assert_eq!(folder.run(&format!("path yard.map {words} --png no.png")).code, 1);
        assert_eq!(size(&folder, "no.png"), (1536, 1024));
    }
    folder.write("dot.map", "type octile\nheight 1\nwidth 1\nmap\n.\n");
    folder.must("path dot.map --from 0,0 --to 0,0 --png dot.png");
    assert_eq!(size(&folder, "dot.png"), (1536, 1536));
    // Longer than the largest picture: two cells become one pixel.
    folder.write(
        "long.map",
        format!("type octile\nheight 3\nwidth 5000\nmap\n{}", format!("{}\n", ".".repeat(5000)).repeat(3)),
    );
    folder.must("path long.map --from 0,0 --to 4999,2 --png long.png");
    assert_eq!(size(&folder, "long.png"), (2500, 2));
}

#[test]
fn the_demo_draws_its_maps() {
    let folder = Folder::new();
    // The pictures are those of all planners and agents, whose tables a snapshot holds.
    let document = folder.must("demo --all --json --planners astar --agents tba").json();
    let maps = document["maps"].as_array().expect("maps");
    let names: Vec<&str> = maps.iter().filter_map(|map| map["map"]["name"].as_str()).collect();
    assert_eq!(names, ["rooms", "caves", "hexagons", "weighted-city", "roads", "isometric"]);
    for map in &maps[..2] {
        assert_eq!(size(&folder, map["picture"].as_str().expect("a path")), (1280, 960));
        assert_eq!(map["queries"], 200);
    }
    for map in &maps[2..] {
        let (width, height) = size(&folder, map["picture"].as_str().expect("a path"));
        assert!((512..=1536).contains(&width) && (512..=1536).contains(&height), "{width} x {height}");
        assert_eq!(map["queries"], 100);
    }
}

#[test]
fn odd_rows_of_hexagons_lie_half_a_cell_to_the_right() {
    let folder = Folder::new();
    folder.write("two.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    folder.must("path two.map --moves hex --from 0,0 --to 2,1 --png hex.png");
    let picture = Picture::open(&folder.file("hex.png"));
    let (width, height) = picture.map_dimensions();
    // Three and a half cells wide; a row is sqrt(3)/2 of a cell below the other.
    let cell = f64::from(width) / 3.5;
    let expected = cell * (2.0 / 3_f64.sqrt() + 3_f64.sqrt() / 2.0);
    assert!((f64::from(height) - expected).abs() <= 2.0, "{width} x {height}");
    let blocked = picture.get_pixel(width - 2, 2);
    assert_eq!(
        picture.get_pixel(2, height - 2),
        blocked,
        "nothing stands under the left half of the first cell"
    );
    let [red, green, blue] = picture.get_pixel((cell * 0.5) as u32, (cell * 0.577) as u32);
    assert!(green > red && green > blue, "the start is green");
    let [red, green, blue] = picture.get_pixel((cell * 3.0) as u32, (cell * 1.443) as u32);
    assert!(red > 2 * green && red > 2 * blue, "the goal is red");
}

#[test]
fn hexagons_of_every_layout_are_drawn_where_they_lie() {
    let folder = Folder::new();
    folder.write("rows.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    folder.write("columns.map", "type octile\nheight 3\nwidth 2\nmap\n..\n..\n..\n");
    // Where the first and the last cell are along their row or column, and how far from the side across it, in cells.
    for (rule, map, first, last) in [
        ("hex-even-r", "rows.map --to 2,1", (1.0, 0.577), (2.5, 1.443)),
        ("hex-odd-q", "columns.map --to 1,2", (0.5, 0.577), (3.0, 1.443)),
        ("hex-even-q", "columns.map --to 1,2", (1.0, 0.577), (2.5, 1.443)),
    ] {
        folder.must(&format!("path {map} --moves {rule} --from 0,0 --png hex.png"));
        let picture = Picture::open(&folder.file("hex.png"));
        let (width, height) = picture.map_dimensions();
        let is_in_rows = rule.ends_with('r');
        let cell = f64::from(if is_in_rows { width } else { height }) / 3.5;
        let pixel = |(along, across): (f64, f64)| {
            let (along, across) = ((cell * along) as u32, (cell * across) as u32);
            if is_in_rows { picture.get_pixel(along, across) } else { picture.get_pixel(across, along) }
        };
        let [red, green, blue] = pixel(first);
        assert!(green > red && green > blue, "{rule}: the start is green");
        let [red, green, blue] = pixel(last);
        assert!(red > 2 * green && red > 2 * blue, "{rule}: the goal is red");
    }
}

#[test]
fn graphs_with_coordinates_are_drawn() {
    let folder = Folder::with_roads();
    folder.must("path roads.gr --from #1 --to #3 --png roads.png");
    let picture = Picture::open(&folder.file("roads.png"));
    let (width, height) = picture.map_dimensions();
    assert_eq!((width, height), (1536, 710));
    let [red, green, blue] = picture.get_pixel(24, 24);
    assert!(green > red && green > blue, "the start is green");
    let [red, green, blue] = picture.get_pixel(1536 - 25, 709 - 24);
    assert!(red > 2 * green && red > 2 * blue, "the goal is red");
    // One node, or all in one place.
    folder.write("dot.gr", "p sp 2 0\n");
    folder.write("dot.co", "p aux sp co 2\nv 1 -7 7\nv 2 -7 7\n");
    assert_eq!(folder.run("path dot.gr --from #1 --to #2 --png dot.png").code, 1);
    // As wide as a legend must be.
    assert_eq!(size(&folder, "dot.png"), (360, 48));
    // As far apart as can be.
    folder.write("far.gr", "p sp 2 1\na 1 2 1\n");
    folder.write("far.co", "p aux sp co 2\nv 1 -2147483648 -2147483648\nv 2 2147483647 2147483647\n");
    folder.must("path far.gr --from #1 --to #2 --png far.png");
    assert_eq!(size(&folder, "far.png"), (1536, 1536));
}

/// A grey picture as large as the yard.
fn overlay(folder: &Folder, name: &str, grey: impl Fn(u32, u32) -> u8) {
    save_grey(&folder.file(name), (12, 8), grey);
}

#[test]
fn dark_ground_is_dear() {
    let folder = Folder::new();
    let cost = |overlay: &str| {
        let document = folder.must(&format!("path yard.map --from 0,0 --to 0,7 {overlay} --json")).json();
        (document["cost"].as_f64().expect("a cost"), document["length"].as_f64().expect("a length"))
    };
    overlay(&folder, "white.png", |_, _| 255);
    overlay(&folder, "black.png", |_, _| 0);
    overlay(&folder, "three.png", |_, _| 253);
    // The way straight down is dark, the way around costs 1 a step.
    overlay(&folder, "barrier.png", |x, y| if x == 0 && y == 4 { 0 } else { 255 });
    assert_eq!(cost(""), (7.0, 7.0));
    assert_eq!(cost("--overlay white.png"), (7.0, 7.0));
    assert_eq!(cost("--overlay three.png"), (21.0, 7.0));
    assert_eq!(cost("--overlay black.png"), (7.0 * 255.0, 7.0));
    let (around, length) = cost("--overlay barrier.png");
    assert!((around - length).abs() < 1e-9 && length > 25.0, "{around} {length}");
    for planner in ["dijkstra", "astar:h=zero", "astar:h=euclidean"] {
        let (other, _) = cost(&format!("--overlay barrier.png --planner {planner}"));
        assert!((other - around).abs() < 1e-9, "{planner}");
    }
}

#[test]
fn coloured_and_deep_pictures_are_overlays_too() {
    let folder = Folder::new();
    let white = |name: &str, colours, depth, bytes: usize| {
        save(&folder.file(name), (12, 8), colours, depth, &vec![255; 12 * 8 * bytes]);
    };
    white("colour.png", ColorType::Rgba, BitDepth::Eight, 4);
    white("deep.png", ColorType::Grayscale, BitDepth::Sixteen, 2);
    for name in ["colour.png", "deep.png"] {
        let document =
            folder.must(&format!("path yard.map --from 0,0 --to 0,7 --overlay {name} --json")).json();
        assert_eq!(document["cost"], 7.0, "{name}");
    }
}

#[test]
fn a_legend_names_every_colour_of_a_picture() {
    let folder = Folder::new();
    let legend = |words: &str| {
        let _ = folder.run(&format!("{words} --svg a.svg"));
        let text = String::from_utf8(folder.read("a.svg")).expect("text");
        let words = text.split("</text>").filter_map(|piece| piece.rsplit_once('>'));
        let words: Vec<String> =
            words.map(|(_, words)| words.to_owned()).filter(|words| !words.trim().is_empty()).collect();
        words
    };
    assert_eq!(
        legend("path yard.map --from 2,2 --to 11,7 --planner dijkstra"),
        ["start", "goal", "path", "expanded, in bands of cost", "reached, not expanded", "free", "blocked"]
    );
    assert_eq!(
        legend("path yard.map --from 2,2 --to 11,7 --no-search"),
        ["start", "goal", "path", "free", "blocked"]
    );
    assert_eq!(
        legend("path yard.map --from 2,2 --to 11,7 --weights .=3 --straight --no-search"),
        ["start", "goal", "path pulled straight", "path", "free", "heavy ground", "blocked"]
    );
    assert_eq!(legend("path yard.map --from 1,1 --to 4,4"), ["start", "goal", "free", "blocked"]);
    // By sight, into the pocket and out again.
    let scout = legend("walk yard.map --from 2,2 --to 0,7 --agent rtaa:2 --sight 1");
    for words in ["trail", "seen free", "seen blocked", "not seen, believed free"] {
        assert!(scout.iter().any(|item| item == words), "{words}: {scout:?}");
    }
    assert_eq!(
        legend("walk yard.map --from 2,2 --to 11,7 --agent first-moves --no-search"),
        ["start", "goal", "trail", "free", "blocked"]
    );
    // The same words in pixels: dark letters on paper.
    folder.must("path yard.map --from 2,2 --to 11,7 --png a.png");
    let picture = Picture::open(&folder.file("a.png"));
    for colour in
        [[0xff, 0xff, 0xff], [0x18, 0x21, 0x2c], [0x00, 0x67, 0x4b], [0xc2, 0x3b, 0x06], [0xd8, 0xd3, 0xc6]]
    {
        assert!(picture.legend_shows(colour), "{colour:?}");
    }
}

/// The middles of cells of the yard, or of a map that is as wide.
fn middle(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let cell = picture.width() / 12;
    // Off the middle, where a line may run.
    picture.get_pixel(x * cell + cell / 8, y * cell + cell / 8)
}

#[test]
fn terrain_shows_through_the_search_and_nothing_is_searched_when_not_asked_for() {
    let folder = Folder::new();
    let rows = ".....GGG....\n".repeat(6);
    folder.write("mud.map", format!("type octile\nheight 6\nwidth 12\nmap\n{rows}"));
    let words = "path mud.map --from 0,0 --to 11,5 --weights G=9 --planner dijkstra";
    folder.must(&format!("{words} --png with.png"));
    folder.must(&format!("{words} --png without.png --no-search"));
    let (with, without) =
        (Picture::open(&folder.file("with.png")), Picture::open(&folder.file("without.png")));
    // Cells far from the path, all of them expanded.
    let (plain, mud) = (middle(&without, 1, 4), middle(&without, 6, 1));
    assert_eq!((plain, middle(&without, 2, 5)), ([0xff, 0xfe, 0xfa], [0xff, 0xfe, 0xfa]));
    assert!(mud != plain && middle(&with, 1, 4) != plain && middle(&with, 6, 1) != mud);
    // Nearly equal costs on both sides of the edge of the mud, and the mud is darker under both.
    let light = |picture: &Picture, x| middle(picture, x, 4).iter().map(|part| i32::from(*part)).sum::<i32>();
    assert!(light(&with, 4) - light(&with, 5) > 30, "{} {}", light(&with, 4), light(&with, 5));
}

#[test]
fn a_picture_of_a_scout_shows_what_it_has_seen_and_what_it_believes() {
    let folder = Folder::new();
    let words = "walk yard.map --from 0,0 --to 11,0 --agent replan --sight 1";
    folder.must(&format!("{words} --png scout.png"));
    folder.must(&format!("{words} --png plain.png --no-search"));
    let (scout, plain) = (Picture::open(&folder.file("scout.png")), Picture::open(&folder.file("plain.png")));
    // Along the first row it sees two rows: free cells and walls there are as they are, the rest lies in fog.
    assert_eq!((middle(&scout, 5, 0), middle(&scout, 5, 1)), (middle(&plain, 5, 0), middle(&plain, 5, 1)));
    assert_ne!(middle(&scout, 5, 7), middle(&plain, 5, 7), "free and not seen");
    assert_ne!(middle(&scout, 4, 3), middle(&plain, 4, 3), "blocked and not seen");
    assert_ne!(middle(&scout, 5, 7), middle(&scout, 4, 3));
    // Doors that move behind its back: what it believes is not what is.
    folder.write("doors.edits", "@6 open 2,1\n@6 close 1,0\n");
    folder.must(&format!("{words} --edits doors.edits --png doors.png"));
    let doors = Picture::open(&folder.file("doors.png"));
    assert_eq!((middle(&doors, 2, 1), middle(&doors, 1, 0)), ([0xf0, 0xc4, 0x00], [0x43, 0x10, 0x6b]));
    assert!(doors.legend_shows([0xf0, 0xc4, 0x00]) && doors.legend_shows([0x43, 0x10, 0x6b]));
}

#[test]
fn revisits_are_heat_above_the_trail() {
    let folder = Folder::new();
    // A dead end: the agent walks in, learns, and walks out again.
    folder.write(
        "end.map",
        "type octile\nheight 4\nwidth 12\nmap\n@@@@@@@@@@..\n..........@.\n.@@@@@@@@@@.\n............\n",
    );
    let words = "walk end.map --from 1,1 --to 11,1 --agent lrta";
    let document = folder.must(&format!("{words} --png heat.png --json")).json();
    assert!(document["revisits"].as_u64() > Some(5), "{document}");
    folder.must(&format!("{words} --png trail.png --no-search"));
    let (heat, trail) = (Picture::open(&folder.file("heat.png")), Picture::open(&folder.file("trail.png")));
    let cell = heat.width() / 12;
    let at = |picture: &Picture, x: u32, y: u32| picture.get_pixel(x * cell + cell / 2, y * cell + cell / 2);
    // In the dead end the trail itself is covered; where the agent was once it is not.
    assert_eq!(at(&trail, 7, 1), [0x58, 0xbf, 0x9f]);
    assert_ne!(at(&heat, 7, 1), [0x58, 0xbf, 0x9f]);
    let once = document["trail"]
        .as_array()
        .expect("a trail")
        .iter()
        .filter(|place| **place == serde_json::json!([11, 2]))
        .count();
    assert_eq!((once, at(&heat, 11, 2)), (1, [0x58, 0xbf, 0x9f]));
}

#[test]
fn pictures_end_in_what_they_are() {
    let folder = Folder::new();
    let ends = "yard.map --from 2,2 --to 11,7";
    for words in [
        format!("path {ends} --png a.jpg"),
        format!("path {ends} --png a.svg"),
        format!("path {ends} --svg a.png"),
        format!("walk {ends} --gif a.png"),
        format!("walk {ends} --png a.gif"),
    ] {
        let ran = folder.run(&format!("{words} --json"));
        let (kind, message) = ran.error();
        assert_eq!((ran.code, kind.as_str()), (2, "wrong_ending"), "{words}");
        assert!(message.contains(".png and .svg"), "{message}");
    }
    assert_eq!(folder.names(), ["yard.map"]);
    folder.must(&format!("path {ends} --png A.PNG --svg a.svg"));
    let text = String::from_utf8(folder.read("a.svg")).expect("text");
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    assert!(text.contains("width=\"1536\""), "as large as the other");
    for rule in ["hex", "hex-odd-q", "four"] {
        folder.must(&format!("path {ends} --moves {rule} --svg {rule}.svg"));
    }
    for name in ["hex.svg", "hex-odd-q.svg"] {
        assert!(String::from_utf8(folder.read(name)).expect("text").contains("<polygon "));
    }
}

#[test]
fn a_journey_is_animated() {
    let folder = Folder::new();
    let frames = |name: &str| {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let bytes = folder.read(name);
        let mut decoder = options.read_info(&bytes[..]).expect("a GIF");
        let mut frames = 0;
        while decoder.read_next_frame().expect("a frame").is_some() {
            frames += 1;
        }
        (frames, decoder.width(), decoder.height())
    };
    let document = folder.must("walk yard.map --from 2,2 --to 11,7 --agent replan --gif a.gif --json").json();
    assert_eq!(document["gif"], "a.gif");
    let (count, width, height) = frames("a.gif");
    assert_eq!(count, document["moves"].as_u64().expect("moves") + 1, "the start and every move");
    assert!(width == 480 && height > 320, "{width} x {height}");
    // A long journey has no more frames, and one that cannot begin has one.
    folder.write("lane.map", format!("type octile\nheight 1\nwidth 500\nmap\n{}\n", ".".repeat(500)));
    folder.must("walk lane.map --from 0,0 --to 499,0 --gif lane.gif");
    assert_eq!(frames("lane.gif").0, 121);
    assert_eq!(folder.run("walk yard.map --from 1,1 --to 11,7 --gif no.gif").code, 1);
    assert_eq!(frames("no.gif").0, 1);
}
