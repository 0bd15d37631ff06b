//! `-` in place of files, and words that a terminal would obey.

use crate::common::{Folder, ROADS, YARD, program};
use std::io::Write;
use std::process::Stdio;

/// Runs the program with these bytes on stdin: the exit code, stdout and stderr.
fn piped(folder: &Folder, words: &str, bytes: &[u8]) -> (i32, Vec<u8>, String) {
    let mut child = program(folder.path())
        .args(words.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    // A program that does not read its input is no reason to fail here.
    let _ = child.stdin.take().expect("a pipe").write_all(bytes);
    let output = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8(output.stderr).expect("text");
    assert!(!stderr.contains("panicked"), "{words}: {stderr}");
    (output.status.code().expect("a code"), output.stdout, stderr)
}

#[test]
fn a_map_of_every_format_is_read_from_stdin_and_told_by_its_first_bytes() {
    let folder = Folder::new();
    for name in ["yard.png", "yard.tmx"] {
        folder.must(&format!("convert yard.map {name}"));
    }
    folder.must("build yard.map --index jump-table -o yard.milepost");
    folder.write("roads.gr", ROADS);
    let document = |bytes: &[u8], words: &str| {
        let (code, stdout, stderr) = piped(&folder, &format!("info - {words} --json"), bytes);
        assert_eq!(code, 0, "{stderr} {}", String::from_utf8_lossy(&stdout));
        serde_json::from_slice::<serde_json::Value>(&stdout).expect("a document")
    };
    let hash = |name: &str| folder.must(&format!("info {name} --json")).json()["hash"].clone();
    for name in ["yard.map", "yard.png", "yard.tmx", "yard.milepost", "roads.gr"] {
        let document = document(&folder.read(name), "");
        assert_eq!((&document["hash"], &document["name"]), (&hash(name), &"stdin".into()), "{name}");
    }
    // The format that is given counts, on stdin and for files.
    assert_eq!(document(YARD.as_bytes(), "--format map")["hash"], hash("yard.map"));
    assert_eq!(piped(&folder, "info - --format png", YARD.as_bytes()).0, 3);
    folder.write("yard.txt", folder.read("yard.png"));
    let given = folder.must("info yard.txt --format png --json").json();
    assert_eq!(given["hash"], hash("yard.png"));
    let (code, _, stderr) = piped(&folder, "info -", b"what is this");
    assert_eq!((code, stderr.contains("--format")), (3, true), "{stderr}");
    let (code, _, stderr) = piped(&folder, "info -", b"type octile\nheight 2\nwidth 1\nmap\n.\n");
    assert_eq!((code, stderr.contains("stdin: ")), (3, true), "{stderr}");
}

#[test]
fn problems_edits_and_overlays_are_read_from_stdin_and_only_one_of_them() {
    let folder = Folder::new();
    folder.must("scenarios yard.map --count 3 -o yard.scen");
    let scen = folder.read("yard.scen");
    assert_eq!(piped(&folder, "bench yard.map --scen - --planners astar", &scen).0, 0);
    let words = "path yard.map --from 2,2 --to 11,7 --edits -";
    assert_eq!(piped(&folder, words, b"close 0,0 11,7\n").0, 1);
    let (code, _, stderr) = piped(&folder, "bench - --scen - --planners astar", YARD.as_bytes());
    assert_eq!((code, stderr.contains("read once")), (2, true), "{stderr}");
}

#[test]
fn files_are_written_to_stdout_and_words_beside_them_to_stderr() {
    let folder = Folder::new();
    folder.must("generate caves --width 30 --height 20 --seed 4 -o caves.map");
    let (code, stdout, stderr) = piped(&folder, "generate caves --width 30 --height 20 --seed 4 -o -", b"");
    assert_eq!(
        (code, stdout == folder.read("caves.map"), stderr.contains("wrote -")),
        (0, true, true),
        "{stderr}"
    );
    folder.must("scenarios caves.map --count 4 -o caves.scen");
    assert_eq!(piped(&folder, "scenarios caves.map --count 4 -o -", b"").1, folder.read("caves.scen"));
    folder.must("build caves.map --index jump-table -o caves.milepost");
    assert_eq!(
        piped(&folder, "build caves.map --index jump-table -o -", b"").1,
        folder.read("caves.milepost")
    );
    folder.must("convert caves.map caves.png");
    assert_eq!(piped(&folder, "convert - -", &folder.read("caves.map")).1, folder.read("caves.map"));
    let (code, stdout, _) =
        piped(&folder, "path - --from 0,0 --to 29,19 --snap --png -", &folder.read("caves.map"));
    assert_eq!((code, stdout.starts_with(b"\x89PNG")), (0, true));
    let (_, stdout, _) = piped(&folder, "generate roads --nodes 9 -o -", b"");
    assert!(stdout.starts_with(b"c ") || stdout.starts_with(b"p "));
    let (_, stdout, _) = piped(&folder, "bench caves.map --scen caves.scen --planners astar --rows -", b"");
    assert_eq!(String::from_utf8(stdout).expect("text").lines().count(), 5);
}

#[test]
fn a_file_and_a_document_do_not_share_stdout() {
    let folder = Folder::new();
    folder.must("scenarios yard.map --count 3 -o yard.scen");
    folder.write("a.edits", "close 0,0\n");
    folder.must("build yard.map --index first-moves -o yard.milepost");
    for words in [
        "generate caves --width 30 --height 20 -o -",
        "convert yard.map -",
        "scenarios yard.map --count 3 -o -",
        "build yard.map --index none -o -",
        "repair yard.milepost --edits a.edits -o -",
        "path yard.map --from 2,2 --to 11,7 --png -",
        "walk yard.map --from 2,2 --to 11,7 --gif -",
        "bench yard.map --scen yard.scen --planners astar --rows -",
    ] {
        let ran = folder.run(&format!("{words} --json"));
        let (kind, message) = ran.error();
        assert_eq!((ran.code, kind.as_str()), (2, "usage"), "{words}: {message}");
    }
    let ran = folder.run("path yard.map --from 2,2 --to 11,7 --png - --svg -");
    assert_eq!(ran.code, 2, "{ran:?}");
}

#[test]
fn a_name_that_comes_near_another_is_asked_about() {
    let folder = Folder::new();
    let ends = "yard.map --from 2,2 --to 11,7";
    for (words, near) in [
        (format!("path {ends} --planner jps-pluss"), "did you mean `jps-plus`?"),
        (format!("path {ends} --planner dikstra:h=zero"), "did you mean `dijkstra`?"),
        (format!("walk {ends} --agent lrt"), "did you mean `lrta`?"),
        ("build yard.map --index frist-moves -o a.milepost".to_owned(), "did you mean `first-moves`?"),
        (format!("path {ends} --planer astar"), "'--planner'"),
        (format!("path {ends} --moves octil"), "'octile'"),
        ("bnech yard.map".to_owned(), "'bench'"),
    ] {
        let ran = folder.run(&words);
        assert_eq!((ran.code, ran.stderr.contains(near)), (2, true), "{words}: {}", ran.stderr);
    }
    let ran = folder.run(&format!("path {ends} --planner xyzzy"));
    assert!(!ran.stderr.contains("did you mean"), "{}", ran.stderr);
}

#[test]
fn escape_sequences_in_names_are_spelled_out() {
    let folder = Folder::new();
    let evil = "a\u{1b}[31m\u{9b}2J\u{202e}";
    let name = format!("{evil}.map");
    folder.write(&name, YARD);
    folder.write("short.map", format!("type octile\nheight 1\nwidth 2\nmap\n{evil}\n"));
    folder.write("bad.edits", format!("frob{evil} 1,1\n"));
    let calls: [&[&str]; 8] = [
        &["info", &name],
        &["info", &format!("missing{name}")],
        &["info", "short.map"],
        &["info", "yard.map", &format!("--{evil}")],
        &[&format!("frob{evil}")],
        &["path", &name, "--from", "2,2", "--to", "11,7", "--planner", evil],
        &["path", "yard.map", "--from", evil, "--to", "1,1"],
        &["path", "yard.map", "--from", "2,2", "--to", "11,7", "--edits", "bad.edits"],
    ];
    for words in calls {
        let ran = crate::common::run_in(folder.path(), words);
        for text in [&ran.stdout, &ran.stderr] {
            assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{words:?}: {text:?}");
        }
        let mut with_json = words.to_vec();
        with_json.push("--json");
        let ran = crate::common::run_in(folder.path(), &with_json);
        assert!(!ran.stdout.contains('\u{1b}'), "{words:?}");
    }
    let said = crate::common::run_in(folder.path(), &["info", &name]).stdout;
    assert!(said.contains("a\\u{1b}[31m"), "{said}");
}
