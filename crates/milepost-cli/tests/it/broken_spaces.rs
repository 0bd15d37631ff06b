//! Broken pictures, graphs, coordinates and graph problems through the command: exit code 3, a message that names the
//! file and the place, never a panic.

use crate::common;
use crate::common::Folder;

/// A broken file and pieces of the message about it.
type Case = (&'static str, &'static [u8], &'static [&'static str]);

#[rustfmt::skip]
const GRAPHS: &[Case] = &[
    ("nothing", b"", &["empty", "p sp NODES ARCS"]),
    ("comments", b"c one\nc two\n", &["empty"]),
    ("zeros", &[0; 40], &["line 1"]),
    ("a map", b"type octile\nheight 1\nwidth 1\nmap\n.\n", &["line 1", "type octile"]),
    ("coordinates", b"p aux sp co 1\nv 1 0 0\n", &["line 1", "p sp NODES ARCS"]),
    ("an arc too early", b"a 1 2 3\np sp 2 1\n", &["line 1", "before"]),
    ("no numbers", b"p sp\n", &["line 1"]),
    ("a negative number", b"p sp -1 0\n", &["line 1"]),
    ("too large a number", b"p sp 4294967296 0\n", &["line 1"]),
    ("two headers", b"p sp 2 1\np sp 2 1\na 1 2 3\n", &["line 2"]),
    ("an arc too few", b"p sp 2 2\na 1 2 333333333\n", &["line 3", "2 arcs"]),
    ("an arc too many", b"p sp 2 1\na 1 2 3\na 2 1 3\n", &["line 3", "another one"]),
    ("a billion arcs", b"p sp 2 1000000000\na 1 2 3\n", &["line 2", "cut off"]),
    ("billions of nodes", b"p sp 4294967295 0\n", &["4294967295 nodes", "0 arcs"]),
    ("a node zero", b"p sp 2 1\na 0 2 3\n", &["line 2", "1 to 2", "FROM"]),
    ("a node too large", b"p sp 2 1\na 1 3 3\n", &["line 2", "1 to 2", "TO"]),
    ("no cost", b"p sp 2 1\na 1     2\n", &["line 2", "a FROM TO COST"]),
    ("a cost of zero", b"p sp 2 1\na 1 2 0\n", &["line 2", "COST"]),
    ("a negative cost", b"p sp 2 1\na 1 2 -3\n", &["line 2", "COST"]),
    ("a broken cost", b"p sp 2 1\na 1 2 3.5\n", &["line 2", "COST"]),
    ("an escape sequence", b"p sp 2 1\na 1 2 \x1b[31m\n", &["line 2", "\\u{1b}"]),
    ("another letter", b"p sp 2 1\nx 1 2 3\n", &["line 2"]),
];

#[rustfmt::skip]
const COORDINATES: &[Case] = &[
    ("nothing", b"", &["empty", "p aux sp co NODES"]),
    ("a graph", b"p sp 3 0\n", &["line 1", "p aux sp co NODES"]),
    ("other nodes", b"p aux sp co 2\nv 1 0 0\nv 2 0 0\n", &["line 1", "3 nodes", "found 2"]),
    ("a node missing", b"p aux sp co 3\nv 1 0 0\nv 2 0 00000000000\n", &["line 4"]),
    ("a node twice", b"p aux sp co 3\nv 1 0 0\nv 1 0 0\nv 3 0 0\n", &["line 3", "node 1 again"]),
    ("a node zero", b"p aux sp co 3\nv 0 0 0\nv 1 0 0\nv 2 0 0\n", &["line 2"]),
    ("a word", b"p aux sp co 3\nv 1 a 0\nv 2 0 0\nv 3 0 0\n", &["line 2", "as X"]),
    ("far away", b"p aux sp co 3\nv 1 0 0\nv 2 0 -2147483649\nv 3 0 0\n", &["node 2", "0,-2147483649"]),
];

#[rustfmt::skip]
const PROBLEMS: &[Case] = &[
    ("nothing", b"", &["empty"]),
    ("a scenario of a grid", b"version 1\n0\ta.map\t1\t1\t0\t0\t0\t0\t0\n", &["line 1", "no scenario for a graph"]),
    ("version 2", b"milepost-graph-scenario 2\n", &["line 1", "version 1"]),
    ("a word missing", b"milepost-graph-scenario 1\n1 2\n", &["line 2", "FROM TO COST"]),
    ("a word", b"milepost-graph-scenario 1\n1 x 3\n", &["line 2", "TO"]),
    ("a negative cost", b"milepost-graph-scenario 1\n1 2 -3\n", &["line 2", "COST"]),
    ("a node zero", b"milepost-graph-scenario 1\n1 2 5\n0 2 5\n", &["line 3", "start", "1 to 3"]),
    ("a node outside", b"milepost-graph-scenario 1\n1 4 5\n", &["line 2", "goal", "1 to 3", "found 4"]),
];

#[rustfmt::skip]
const PAIRS: &[Case] = &[
    ("nothing", b"", &["empty"]),
    ("a graph", b"p sp 3 0\n", &["line 1", "p aux sp p2p PAIRS"]),
    ("a node outside", b"p aux sp p2p 1\nq 1 4\n", &["line 2", "1 to 3"]),
    ("a pair missing", b"p aux sp p2p 2\nq 1 000000003\n", &["line 3", "2 pairs"]),
];

#[rustfmt::skip]
const PICTURES: &[Case] = &[
    ("nothing", b"", &["expected a PNG"]),
    ("words", b"not a picture", &["byte 0", "expected a PNG"]),
    ("a map", b"type octile\nheight 1\nwidth 1\nmap\n.\n", &["byte 0"]),
    ("a signature alone", b"\x89PNG\r\n\x1a\n", &["byte 8", "cut off"]),
    ("no header", b"\x89PNG\r\n\x1a\n\0\0\0\rIDAT\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\0\0\0\0", &["byte 8", "IHDR"]),
    ("no pixels", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\x01\x08\0\0\0\0\0\0\0\0", &["byte 16", "0 x 1"]),
    ("too many pixels", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\0\0\0\0\0\0\0\0", &["byte 16", "pixels"]),
    ("a promise", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x20\0\0\0\x20\0\x08\0\0\0\0\0\0\0\0", &["byte 16", "cut off"]),
    ("a wrong sum", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\0\0\0\0", &["expected"]),
];

fn refuse_all(cases: &[Case], file: &str, words: &str) {
    let folder = Folder::with_roads();
    for (what, bytes, pieces) in cases {
        folder.write(file, bytes);
        folder.refuses(what, file, words, pieces);
    }
}

#[test]
fn broken_graphs_are_refused_with_file_and_place() {
    refuse_all(GRAPHS, "broken.gr", "info broken.gr");
}

#[test]
fn broken_coordinates_are_refused_with_file_and_place() {
    refuse_all(COORDINATES, "roads.co", "path roads.gr --from #1 --to #3");
}

#[test]
fn broken_graph_problems_are_refused_with_file_and_line() {
    refuse_all(PROBLEMS, "broken.scen", "bench roads.gr --scen broken.scen --limit 1");
    refuse_all(PAIRS, "broken.p2p", "bench roads.gr --scen broken.p2p --limit 1");
}

#[test]
fn broken_pictures_are_refused() {
    refuse_all(PICTURES, "broken.png", "info broken.png");
}

#[test]
fn every_command_refuses_a_broken_graph_and_picture() {
    let folder = Folder::with_roads();
    folder.write("broken.gr", "p sp 2 1\na 1 3 3\n");
    folder.write("broken.png", "words");
    folder.write("good.scen", "milepost-graph-scenario 1\n1 3 12\n");
    for (file, from) in [("broken.gr", "#1"), ("broken.png", "0,0")] {
        let out = if file == "broken.gr" { "never.gr" } else { "never.map" };
        for words in [
            format!("info {file}"),
            format!("path {file} --from {from} --to {from}"),
            format!("scenarios {file} --count 3 -o never.scen"),
            format!("bench {file} --scen good.scen"),
            format!("convert {file} {out}"),
        ] {
            folder.refuses(&words, file, &words, &[]);
        }
        assert!(!folder.file("never.scen").exists() && !folder.file(out).exists());
    }
}

#[test]
fn pictures_cut_off_or_changed_do_no_harm() {
    let folder = Folder::new();
    folder.must("convert yard.map good.png");
    let whole = folder.read("good.png");
    for end in (0..whole.len() - 12).step_by(5) {
        folder.write("broken.png", &whole[..end]);
        assert_eq!(folder.run("info broken.png").code, 3, "{end} of {} bytes", whole.len());
    }
    for at in (0..whole.len()).step_by(5) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        folder.write("broken.png", &bytes);
        assert!([0, 3].contains(&folder.run("info broken.png").code), "byte {at}");
    }
}

#[test]
fn odd_graphs_load_all_the_same() {
    let folder = Folder::with_roads();
    let hash = |name: &str| folder.must(&format!("info {name} --json")).json()["hash"].clone();
    let good = hash("bare.gr");
    for (what, text) in [
        ("CR LF", common::ROADS.replace('\n', "\r\n")),
        ("no last line end", common::ROADS.trim_end().to_owned()),
        ("comments", format!("c first\n{}c last\n", common::ROADS)),
        ("blanks", common::ROADS.replace(' ', "  ")),
        ("a byte order mark", format!("\u{feff}{}", common::ROADS)),
    ] {
        folder.write("odd.gr", text);
        assert_eq!(hash("odd.gr"), good, "{what}");
    }
}

#[test]
fn there_are_many_ways_to_be_broken() {
    let count = GRAPHS.len() + COORDINATES.len() + PROBLEMS.len() + PAIRS.len() + PICTURES.len();
    assert!(count >= 50, "{count}");
}
