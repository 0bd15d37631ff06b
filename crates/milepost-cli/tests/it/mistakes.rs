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
    ("verify yard.milepost --map other.map", 3, &["yard.milepost", "another map", "other.map", "build it anew"]),
    ("path yard.milepost --from 0,0 --to 1,0 --moves four", 2, &["--moves four", "`octile`", "leave --moves out"]),
    ("build yard.map --index corner-labels -o a.map", 2, &["a.map", "-o a.milepost"]),
    ("build roads.gr --index corner-labels -o a.milepost", 2, &["`corner-labels`", "graph", "first-moves"]),
    // Rules, budgets, sight.
    ("path yard.map --from 0,0 --to 11,7 --planner jps --moves hex", 2, &["`jps`", "`hex`", "try dijkstra, astar"]),
    ("path yard.map --from 0,0 --to 11,7 --budget 3", 1, &["the budget of 3 units", "raise --budget", "--partial"]),
    ("walk yard.map --from 0,0 --to 11,7 --agent corner-walk --sight 1", 2, &["--sight 1", "knows the whole map", "--sight all"]),
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
