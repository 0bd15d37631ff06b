//! What a stranger sees first: one screen.

use crate::common::Folder;
use crate::common::picture::Picture;

#[test]
fn a_bare_call_is_the_demo_and_tells_its_story_on_one_screen() {
    let folder = Folder::new();
    let ran = folder.must("");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines.len() <= 24, "{} lines:\n{}", lines.len(), ran.stdout);
    for line in &lines {
        assert!(line.chars().count() <= 80, "{} letters: {line}", line.chars().count());
    }
    for piece in [
        "320 x 240",
        "built in",
        "every answer checked",
        "WHOLE PATHS",
        "A* ",
        "corner-labels",
        " x\n",
        "MOVE BY MOVE",
        "the map",
        "what it sees",
        "units",
        "most work",
        "target/demo/milepost.png",
        "demo --all",
        "milepost list",
        "cargo install",
    ] {
        assert!(ran.stdout.contains(piece), "no {piece:?} in\n{}", ran.stdout);
    }
    let at = |piece: &str| ran.stdout.find(piece);
    assert!(
        at("cargo install") < at("  milepost list"),
        "the command is made before it is typed:\n{}",
        ran.stdout
    );
    assert!(ran.stderr.is_empty(), "no progress bar without a terminal: {}", ran.stderr);
    // What it tells to type can be typed.
    for line in lines.iter().filter_map(|line| line.strip_prefix("  milepost ")) {
        folder.must(line);
    }
    assert!(Picture::open(&folder.file("target/demo/milepost.png")).width() > 1000);
}
