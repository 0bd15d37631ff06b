//! The mistakes that newcomers make most: each is answered by what happened, with which value, and what to type instead.

use crate::common::Folder;

/// A call, its exit code, and what its message has to say: the value that was given, and what to type.
type Mistake = (&'static str, i32, &'static [&'static str]);

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    // Places.
    ("path yard.map --from 3 --to 1,0", 2, &["'3'", "--from", "expected X,Y", "3,14"]),
    ("path yard.map --from 3;4 --to 1,0", 2, &["'3;4'", "expected X,Y"]),
    ("path yard.map --from 20,30 --to 1,0", 2, &["--from 20,30", "12 x 8", "0,0 to 11,7"]),
    ("path yard.map --from 7,11 --to 1,0", 2, &["--from 7,11", "X comes first", "did you mean 11,7?"]),
    ("path yard.map --from 1,1 --to 11,7", 1, &["start 1,1 is blocked", "1,0", "--snap"]),
    ("path yard.map --from 0,0 --to 4,4", 1, &["no way leads to the goal 4,4", "4,2", "--partial"]),
    ("path yard.mesh --from 1.5,1.5 --to 11.5,7.5", 1, &["the start 1.5,1.5 is blocked", "nearest to it", "--snap moves it there"]),
    ("path yard.mesh --from 1.5,1.5 --to 8.5,6.5", 1, &["and so is the goal 8.5,6.5", "nearest to the start", "--snap moves both"]),
    ("walk yard.mesh --from 0.5,0.5 --to 1.5,1.5", 1, &["the goal 1.5,1.5 is blocked", "--snap moves it there"]),
    ("path roads.gr --from 0,0 --to 1,0", 2, &["--from 0,0 is a cell", "roads is a graph", "#1"]),
    ("path yard.map --from #1 --to 1,0", 2, &["--from #1 is a node", "map of cells", "X,Y"]),
    // Names.
    ("path yard.map --from 0,0 --to 11,7 --planner a-star", 2, &["`a-star`", "did you mean `astar`?"]),
    ("walk yard.map --from 0,0 --to 11,7 --agent astar", 2, &["`astar` is a planner", "path MAP --planner astar"]),
    ("path yard.map --from 0,0 --to 11,7 --planner tba", 2, &["`tba` is an agent", "walk MAP --agent tba"]),
    ("build yard.map --index jump-tables -o a.milepost", 2, &["`jump-tables`", "did you mean `jump-table`?"]),
    ("path yard.map --form 0,0 --to 11,7", 2, &["'--form'", "'--from'"]),
    ("path yard.map --from 0,0 --to 5,0 --planner weighted-astar:0.5", 2, &["`0.5`", "from 1 to 1000"]),
    ("path yard.map --from 0,0 --to 11,7 --planner a*", 2, &["`a*`", "did you mean `astar`?"]),
    ("walk yard.map --from 0,0 --to 11,7 --agent dstar", 2, &["`dstar`", "did you mean `block-dstar`?"]),
    ("build yard.map --index jps-plus -o a.milepost", 2, &["`jps-plus` is a planner", "reads the index `jump-table`"]),
    ("bench yard.map --scen yard.scen --planners tba", 2, &["`tba` is an agent: --agents tba"]),
    ("bench yard.map --scen yard.scen --agents jps", 2, &["`jps` is a planner: --planners jps", "--agents follow:jps"]),
    ("path yard.map --seed 5 --from 0 5 --to 11,7", 2, &["'5'", "a place is one word"]),
    ("path yard.map --from 5 0 --to 11,7", 2, &["'0'", "a place is one word", "without a blank"]),
    ("path yard.map --from 0,0 --to 11", 2, &["expected X,Y"]),
    ("path yard.map --from 0,0 --to 11,7 --gif a.gif", 2, &["'--gif'", "an option of `milepost walk`"]),
    // Indexes.
    ("path yard.map --from 0,0 --to 11,7 --planner corner-labels", 2,
        &["needs the index `corner-labels`", "milepost build yard.map --index corner-labels -o yard.milepost"]),
    ("walk yard.milepost --from 0,0 --to 11,7 --agent first-moves", 2,
        &["yard.milepost lacks", "milepost build yard.milepost --index first-moves -o yard-2.milepost"]),
    ("walk yard.milepost --from 0,0 --to 11,7 --agent follow:corner-labels --edits door.txt", 2,
        &["`follow:corner-labels`", "edits before the first move drop", "`@1 close X,Y`", "--agent follow"]),
    ("walk yard.map --from 0,0 --to 11,7 --agent corner-walk --edits door.txt", 2,
        &["needs the index `corner-hierarchy`, which --edits drop", "without an index work follow, tba, subgoal-trees, lss-lrta"]),
    ("verify yard.map", 3, &["yard.map: is no index file", "`verify` takes", "milepost build yard.map -o yard.milepost"]),
    ("repair level.png --edits door.txt -o b.milepost", 3, &["`repair` takes", "milepost build level.png -o level.milepost"]),
    ("verify yard.milepost --map yard.map --weights .=2", 3, &["the same cells as yard.map with other weights", "--grey-weights"]),
    ("verify yard.milepost --map other.map", 3, &["yard.milepost", "another map", "other.map", "build it anew"]),
    ("path yard.milepost --from 0,0 --to 1,0 --moves four", 2, &["--moves four", "`octile`", "leave --moves out"]),
    ("build yard.map --index corner-labels -o a.map", 2, &["a.map", "-o a.milepost"]),
    ("build roads.gr --index corner-labels -o a.milepost", 2, &["`corner-labels`", "graph", "first-moves"]),
    // Rules, budgets, sight.
    ("path yard.map --from 0,0 --to 11,7 --planner jps --moves hex", 2, &["`jps`", "`hex`", "try dijkstra, astar"]),
    ("path yard.map --from 0,0 --to 11,7 --budget 3", 1, &["the budget of 3 units", "raise --budget", "--partial"]),
    ("walk yard.map --from 0,0 --to 11,7 --agent corner-walk --sight 1", 2, &["--sight 1", "knows the whole map", "--sight all"]),
    ("walk yard.map --from 0,0 --to 11,7 --sight -1", 2, &["'-1'", "--sight", "expected a radius from 1 on", "`los`"]),
    ("path yard.map --from 0,0 --to 11,7 --budget -1", 2, &["'-1'", "`--budget` takes no negative number"]),
    ("walk yard.map --from 0,0 --to 11,7 --agent replan --sight all", 2, &["--sight all", "by what it sees", "--sight R"]),
    // Files.
    ("path nowhere.map --from 0,0 --to 1,0", 3, &["nowhere.map", "check the name", "milepost generate"]),
    ("path yrd.map --from 0,0 --to 1,0", 3, &["yrd.map", "did you mean `yard.map`?"]),
    ("info lvl.png", 3, &["lvl.png", "did you mean `level.png`?"]),
    ("path yard.png --from 0,0 --to 1,0", 3, &["yard.png", "did you mean `yard.map`?"]),
    ("info nowhere.milepost", 3, &["check the name", "milepost build MAP -o nowhere.milepost"]),
    ("path yard.map --from 0,0 --to 1,0 --edits nope.txt", 3, &["nope.txt", "check the name", "`close 3,14`"]),
    ("bench yard.map --scen nope.scen", 3, &["nope.scen", "milepost scenarios yard.map --count 100 -o nope.scen"]),
    ("bench yard.map", 2, &["--scen <FILE>", "milepost scenarios MAP --count 100 -o FILE.scen"]),
    ("info level.txt", 3, &["level.txt", "line 1", "`type octile`", "hello", ".map, .png, .tmx", "--format FORMAT"]),
    ("path yard.scen --from 0,0 --to 1,0", 3, &["yard.scen: holds problems", "milepost bench MAP --scen yard.scen"]),
    ("path door.txt --from 0,0 --to 1,0", 3, &["door.txt: holds edits", "milepost path MAP --edits door.txt"]),
    ("info walk.gif", 3, &["walk.gif", "a picture of a kind that is not read", ".png"]),
    ("info roads.co", 3, &["where the nodes of a graph lie", "give roads.gr"]),
    ("info drawing", 3, &["drawing", "begins as files of --format png do"]),
    ("info short.map", 3, &["short.map", "line 6", "3 letters, found 2", "correct the row"]),
    ("info bad.milepost", 3, &["bad.milepost", "no index file", "build an index"]),
    ("bench other.map --scen yard.scen", 3, &["yard.scen", "line 2", "3 x 2", "12 x 8", "another map"]),
    ("bench yard.map --scen roads.scen", 3,
        &["roads.scen: line 1: expected a scenario for a map of cells, found one for a graph", "milepost scenarios MAP"]),
    ("generate rooms -o a.map", 2, &["takes --width and --height, such as --width 96"]),
    ("generate rooms --nodes 5 -o a.map", 2, &["--nodes is for roads"]),
    ("generate roads --width 50 --height 50 -o a.gr", 2, &["takes --nodes, such as --nodes 5000"]),
    ("path yard.map --from 0,0 --to 11,7 --png a.jpg", 2, &["a.jpg", ".png"]),
    ("bench yard.map --scen yard.scen --svg a.png", 2, &["--svg a.png", ".svg"]),
    ("build yard.map -o no/a.milepost", 3, &["no/a.milepost", "the folder no does not exist", "create it"]),
    ("generate caves --width 20 --height 20 -o no/a.map", 3, &["no/a.map", "the folder no does not exist"]),
    ("scenarios yard.map --count 2 -o level.txt/a.scen", 3, &["the folder level.txt is no folder", "name another"]),
    ("path yard.map --from 0,0 --to 1,0 --svg no/a.svg", 3, &["no/a.svg", "the folder no does not exist"]),
    ("walk yard.map --from 0,0 --to 1,0 --gif no/a.gif", 3, &["no/a.gif", "the folder no does not exist"]),
    ("bench yard.map --scen yard.scen --rows no/a.csv", 3, &["no/a.csv", "the folder no does not exist"]),
    ("demo --picture no/a.png", 3, &["no/a.png", "the folder no does not exist"]),
    // What there is.
    ("list --agents", 2, &["'--agents'", "`milepost list agents`"]),
    ("list asta", 2, &["'asta'", "'astar'", "planners"]),
    ("list folow", 2, &["'folow'", "'follow'"]),
];

#[test]
fn every_likely_mistake_is_answered_by_what_to_type_instead() {
    let folder = Folder::with_roads();
    folder.write("other.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    folder.write("short.map", "type octile\nheight 3\nwidth 3\nmap\n...\n..\n...\n");
    folder.write("level.txt", "hello\n");
    folder.write("door.txt", "close 5,0\n");
    folder.write("bad.milepost", [0, 1]);
    folder.write("yard.scen", "version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t3\n");
    folder.write("roads.scen", "milepost-graph-scenario 1\n1 3 12\n");
    folder.write("walk.gif", "GIF89a");
    folder.write("drawing", b"\x89PNG\r\n");
    folder.must("build yard.map --index corner-labels -o yard.milepost");
    folder.must("convert yard.map yard.mesh");
    folder.must("convert yard.map level.png");
    for (words, code, pieces) in MISTAKES {
        let ran = folder.run(words);
        assert_eq!(ran.code, *code, "milepost {words}: {ran:?}");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        for piece in *pieces {
            assert!(said.contains(piece), "milepost {words}: no {piece:?} in\n{said}");
        }
    }
}

#[test]
fn what_a_message_tells_to_type_can_be_typed() {
    let folder = Folder::new();
    let ran = folder.run("path yard.map --from 0,0 --to 11,7 --planner corner-labels");
    let command = ran.stderr.split("build it: milepost ").nth(1).and_then(|rest| rest.split(';').next());
    folder.must(command.expect("a command"));
    folder.must("path yard.milepost --from 0,0 --to 11,7 --planner corner-labels");
    let ran = folder.run("bench yard.map --scen new.scen --planners astar");
    let command = ran.stderr.split("`milepost ").nth(1).and_then(|rest| rest.split('`').next());
    folder.must(command.expect("a command"));
    folder.must("bench yard.map --scen new.scen --planners astar");
    let ran = folder.run("path yard.map --from 7,11 --to 0,0");
    let place = ran.stderr.split("did you mean ").nth(1).and_then(|rest| rest.split('?').next());
    folder.must(&format!("path yard.map --from {} --to 0,0", place.expect("a place")));
}

/// A picture of one grey level a pixel.
fn grey_picture(columns: u32, greys: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, columns, greys.len() as u32 / columns);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().expect("a picture");
    writer.write_image_data(greys).expect("a picture");
    drop(writer);
    bytes
}

#[test]
fn mud_that_is_painted_grey_is_not_thrown_away_in_silence() {
    let folder = Folder::new();
    // White, hardly grey, just grey, mud, wall.
    folder.write("level.png", grey_picture(5, &[255, 248, 247, 160, 0]));
    let note = "note: level.png: 2 free pixels are grey and read as plain floor; --grey-weights makes grey slow ground\n";
    for words in ["info level.png", "info level.png --json", "build level.png --index none -o level.milepost"]
    {
        assert_eq!(folder.must(words).stderr, note, "{words}");
    }
    let weighted = folder.must("info level.png --grey-weights");
    assert_eq!(weighted.stderr, "");
    assert!(weighted.stdout.contains("weights     1 to 7\n"), "{weighted:?}");
    folder.write("white.png", grey_picture(3, &[255, 248, 0]));
    assert_eq!(folder.must("info white.png").stderr, "");
    // The file holds the floor without the weights.
    folder.fails(
        "verify level.milepost --map level.png --grey-weights",
        3,
        "damaged",
        &["with other weights"],
    );
}

#[test]
fn names_of_a_list_may_stand_with_blanks_between_them() {
    let folder = Folder::new();
    folder.write("yard.scen", "version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t3\n");
    let run = |words: &[&str]| crate::common::run_in(folder.path(), words);
    let ran = run(&[
        "bench",
        "yard.map",
        "--scen",
        "yard.scen",
        "--planners",
        "astar, jps",
        "--agents",
        "lrta , tba",
        "--json",
    ]);
    let names: Vec<String> =
        ran.json()["runs"].as_array().expect("runs").iter().map(|run| run["name"].to_string()).collect();
    assert_eq!(names.join(""), "\"astar\"\"jps\"\"lrta\"\"tba\"");
    let ran = run(&["build", "yard.map", "--index", "jump-table, corner-labels", "-o", "yard.milepost"]);
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn an_edit_that_closes_the_goal_is_named_and_what_was_given_is_not_advised() {
    let folder = Folder::new();
    folder.write("late.txt", "@3 close 9,9\n@3 close 11,7\n".replace("9,9", "1,7"));
    folder.write("early.txt", "close 11,7\n");
    folder.must("convert yard.map yard.mesh");
    folder.write("mesh.txt", "@1 close 11.5,7.5\n");
    for (words, since, has_snap) in [
        (
            "yard.map --from 0,0 --to 11,7 --snap --edits late.txt",
            "the goal 11,7 is blocked since line 2 of late.txt, before move 3; ",
            false,
        ),
        (
            "yard.map --from 0,0 --to 11,7 --edits late.txt",
            "is blocked since line 2 of late.txt, before move 3; ",
            false,
        ),
        (
            "yard.map --from 0,0 --to 11,7 --edits early.txt",
            "is blocked since line 1 of early.txt, before move 0; ",
            true,
        ),
        (
            "yard.mesh --from 0.5,0.5 --to 11.5,7.5 --snap --edits mesh.txt",
            "is blocked since line 1 of mesh.txt, before move 1; ",
            false,
        ),
    ] {
        let ran = folder.run(&format!("walk {words}"));
        assert_eq!(ran.code, 1, "{words}: {ran:?}");
        assert!(ran.stdout.contains(since), "{words}: {ran:?}");
        assert_eq!(ran.stdout.contains("--snap moves it there"), has_snap, "{words}: {ran:?}");
    }
}

#[test]
fn listed_lengths_that_know_no_weights_are_told_as_such() {
    let folder = Folder::new();
    folder.write("yard.scen", "version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t3\n");
    let ran = folder.must("bench yard.map --scen yard.scen --planners astar --weights .=3");
    let said = "1 listed length of the .scen file disagrees with ours under `octile` with weights, which the file may know nothing of:";
    assert!(ran.stdout.contains(said), "{ran:?}");
}

#[test]
fn a_reason_that_several_share_is_said_of_several() {
    let folder = Folder::new();
    folder.write("yard.scen", "version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t3\n");
    let ran = folder.must("bench yard.map --scen yard.scen --planners all --moves hex");
    let line = ran.stdout.lines().find(|line| line.starts_with("left out: ")).expect("a line");
    assert!(line.contains("(they do not work under the rule `hex`)"), "{line}");
}
