//! Golden files: what a command wrote once, it writes for ever. `commands.txt` says how each was made.

use crate::common::{Folder, run_in};
use std::path::{Path, PathBuf};

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The files, those that are made together in one entry, with the words that make them.
fn commands() -> Vec<(Vec<String>, String)> {
    let text = std::fs::read_to_string(golden().join("commands.txt")).expect("commands.txt");
    text.lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once('\t').expect("a name, a tab, and words"))
        .map(|(names, words)| (names.split(',').map(str::to_owned).collect(), words.to_owned()))
        .collect()
}

#[test]
fn commands_write_what_they_have_always_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new();
    for (names, words) in commands() {
        let out = folder.file(&names[0]);
        let out = out.to_str().expect("a path that is text");
        let words: Vec<String> = words.split_whitespace().map(|word| word.replace("{out}", out)).collect();
        let ran = run_in(&root, &words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.code, 0, "{names:?}: {ran:?}");
        for name in names {
            let expected = std::fs::read(golden().join(&name)).expect(&name);
            assert!(folder.read(&name) == expected, "{name} is not what it was: see `cargo xtask golden`");
        }
    }
}

#[test]
fn the_picture_of_the_readme_is_what_the_command_draws() {
    let folder = Folder::new();
    folder.must("demo --picture drawn.png");
    let (drawn, page) =
        (folder.read("drawn.png"), Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/milepost.png"));
    assert!(drawn.len() < 300_000, "{} bytes are too many for a page", drawn.len());
    if std::env::var_os("MILEPOST_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&page, &drawn).expect("the picture of the README");
    }
    let shown = std::fs::read(&page).expect("the picture of the README");
    assert!(shown == drawn, "docs/milepost.png is not what it was: see `cargo xtask golden`");
}

#[test]
fn every_golden_file_has_a_command() {
    let mut known: Vec<String> = commands().into_iter().flat_map(|(names, _)| names).collect();
    known.push("commands.txt".to_owned());
    known.sort();
    let entries = std::fs::read_dir(golden()).expect("the folder");
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, known);
}

#[test]
fn golden_problems_have_the_lengths_they_list() {
    let folder = golden();
    let names = commands().into_iter().flat_map(|(names, _)| names);
    for name in names.filter(|name| name.ends_with(".scen")) {
        // A mesh has several, whose names say how they are written.
        let stem = name.trim_end_matches(".scen").trim_end_matches("-mesh").trim_end_matches("-movingai");
        let endings = if name.trim_end_matches(".scen") == stem { [".map", ".gr"] } else { [".mesh", ".gr"] };
        let map =
            endings.map(|ending| format!("{stem}{ending}")).into_iter().find(|map| folder.join(map).exists());
        let map = map.unwrap_or_else(|| panic!("{name}: no map, graph or mesh beside it"));
        let ran =
            run_in(&folder, &["bench", &map, "--scen", &name, "--planners", "astar,dijkstra", "--json"]);
        let document = ran.json();
        assert_eq!((ran.code, &document["scen_disagreements"]), (0, &0.into()), "{name}: {document}");
    }
}
