//! Broken files through the command: exit code 3, a message that names the file and the place, never a panic.
//! And odd ones that must load all the same.

use crate::common;
use crate::common::Folder;
use crate::common::picture::save_grey;

/// A broken file and pieces of the message about it.
type Case = (&'static str, &'static [u8], &'static [&'static str]);

#[rustfmt::skip]
const BROKEN_MAPS: &[Case] = &[
    ("nothing", b"", &["empty", "0 bytes"]),
    ("blanks", b" \r\n\t\n", &["empty", "5 bytes"]),
    ("a byte order mark", b"\xef\xbb\xbf", &["empty"]),
    ("zeros", &[0; 100], &["line 1, column 1 (byte 0)", "`type octile`"]),
    ("high bytes", &[0xff; 100], &["line 1", "\\xff"]),
    ("a PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &["line 1", "plain text"]),
    ("a scenario", b"version 1\n0\ta.map\t1\t1\t0\t0\t0\t0\t0\n", &["line 1", "found \"version 1\""]),
    ("rows alone", b"...\n...\n", &["line 1", "`type octile`"]),
    ("cut after the type", b"type octile\n", &["line 2, column 1 (byte 12)", "end of the file"]),
    ("cut in the type", b"type oct", &["line 1", "found type \"oct\""]),
    ("cut before map", b"type octile\nheight 2\nwidth 2\n", &["line 4", "`map`", "end of the file"]),
    ("cut after map", b"type octile\nheight 2\nwidth 2\nmap\n", &["line 5", "at least 4 bytes"]),
    ("cut in a row", b"type octile\nheight 3\nwidth 2\nmap\n..\n..\n.", &["line 7, column 2 (byte 40)"]),
    ("a row missing", b"type octile\nheight 4\nwidth 2\nmap\n..\n..\n..\n", &["line 8", "expected 4 rows, found 3"]),
    ("another type", b"type hex\nheight 1\nwidth 1\nmap\n.\n", &["line 1", "\"hex\""]),
    ("corners", b"type octile-corner\nheight 2\nwidth 2\nmap\n", &["line 1", "octile-corner"]),
    ("height twice", b"type octile\nheight 1\nheight 1\nwidth 1\nmap\n.\n", &["line 3", "once"]),
    ("no width", b"type octile\nheight 1\nmap\n.\n", &["line 3", "`width`"]),
    ("height zero", b"type octile\nheight 0\nwidth 1\nmap\n", &["line 2", "from 1"]),
    ("a negative width", b"type octile\nheight 1\nwidth -1\nmap\n.\n", &["line 3", "\"-1\""]),
    ("a width in words", b"type octile\nheight 1\nwidth three\nmap\n...\n", &["line 3", "in digits"]),
    ("more than 32 bits", b"type octile\nheight 4294967296\nwidth 1\nmap\n.\n", &["line 2", "4294967295"]),
    ("a billion rows", b"type octile\nheight 1000000000\nwidth 1000000000\nmap\n...\n", &["line 5", "found 4 bytes"]),
    ("the largest sizes", b"type octile\nheight 4294967295\nwidth 4294967295\nmap\n", &["line 5", "found 0 bytes"]),
    ("no map line", b"type octile\nheight 1\nwidth 1\n.\n", &["line 4", "`map`"]),
    ("an unknown letter", b"type octile\nheight 2\nwidth 3\nmap\n...\n.x.\n", &["line 6, column 2 (byte 38)", "\"x\""]),
    ("a zero byte", b"type octile\nheight 1\nwidth 3\nmap\n..\0\n", &["line 5, column 3", "\\0"]),
    ("a broken character", b"type octile\nheight 1\nwidth 3\nmap\n.\xff.\n", &["line 5, column 2", "\\xff"]),
    ("an escape sequence", b"type octile\nheight 1\nwidth 3\nmap\n.\x1b[31m\n", &["line 5", "\\u{1b}"]),
    ("a short row", b"type octile\nheight 3\nwidth 3\nmap\n...\n..\n...\n", &["line 6", "found 2"]),
    ("a long row", b"type octile\nheight 2\nwidth 3\nmap\n....\n...\n", &["line 5, column 4", "found 4"]),
    ("a blank in a row", b"type octile\nheight 1\nwidth 3\nmap\n. .\n", &["line 5, column 2", "\" \""]),
    ("words at the end", b"type octile\nheight 1\nwidth 3\nmap\n...\n\nthe end\n", &["line 7", "nothing after row 1"]),
    ("old line ends", b"type octile\rheight 1\rwidth 3\rmap\r...\r", &["line 1"]),
];

#[rustfmt::skip]
const BROKEN_SCENARIOS: &[Case] = &[
    ("nothing", b"", &["empty"]),
    ("blanks", b"\n\n  \n", &["empty"]),
    ("zeros", &[0; 50], &["line 1"]),
    ("a map", b"type octile\nheight 1\nwidth 1\nmap\n.\n", &["line 1", "columns"]),
    ("version 2", b"version 2\n", &["line 1, column 9 (byte 8)", "version 1"]),
    ("no version", b"version\n", &["line 1", "version 1"]),
    ("a missing column", b"version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\n", &["line 2", "9 columns", "found 8"]),
    ("a column too many", b"version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t3\t3\n", &["line 2", "found 10"]),
    ("a word for a number", b"version 1\n0\tyard.map\t12\t8\tx\t0\t3\t0\t3\n", &["line 2", "start x", "\"x\""]),
    ("a negative start", b"version 1\n0\tyard.map\t12\t8\t-1\t0\t3\t0\t3\n", &["line 2", "start x", "\"-1\""]),
    ("a huge number", b"version 1\n0\tyard.map\t12\t8\t99999999999\t0\t3\t0\t3\n", &["line 2", "start x"]),
    ("a negative length", b"version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t-3\n", &["line 2", "length", "\"-3\""]),
    ("no length", b"version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\tNaN\n", &["line 2", "length", "NaN"]),
    ("an endless length", b"version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\tinf\n", &["line 2", "length"]),
    ("too large a length", b"version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t1e999\n", &["line 2", "length"]),
    ("a start outside", b"version 1\n0\tyard.map\t12\t8\t12\t0\t3\t0\t3\n", &["line 2", "start inside the map of 12 x 8", "12,0"]),
    ("a goal outside", b"version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t3\n0\tyard.map\t12\t8\t0\t0\t3\t8\t3\n", &["line 3", "goal inside", "3,8"]),
    ("an old start outside", b"0\tyard.map\t12\t0\t3\t0\t3\n", &["line 1", "start inside the map of 12 x 8", "12,0"]),
    ("an old goal outside", b"0\tyard.map\t0\t0\t3\t0\t3\n0\tyard.map\t0\t0\t3\t8\t3\n", &["line 2", "goal inside", "3,8"]),
    ("another size", b"version 1\n0\tyard.map\t13\t8\t0\t0\t3\t0\t3\n", &["line 2", "12 x 8", "13 x 8", "another map"]),
    ("another size later", b"version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t3\n0\tyard.map\t8\t12\t0\t0\t3\t0\t3\n", &["line 3", "8 x 12"]),
    ("a name that is no text", b"version 1\n0\tyard\xff.map\t12\t8\t0\t0\t3\t0\t3\n", &["line 2", "UTF-8"]),
    ("no name", b"version 1\n0\t\t12\t8\t0\t0\t3\t0\t3\n", &["line 2", "map"]),
];

/// What is wrong with the overlay, and the message about it.
#[rustfmt::skip]
const BROKEN_OVERLAYS: &[Case] = &[
    ("nothing", b"", &["expected a PNG"]),
    ("words", b"not a picture", &["expected a PNG"]),
    ("a signature alone", b"\x89PNG\r\n\x1a\n", &["expected a PNG"]),
    ("a wrong header", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0\0", &["expected a PNG"]),
];

#[test]
fn broken_maps_are_refused_with_file_and_place() {
    let folder = Folder::new();
    for (what, bytes, pieces) in BROKEN_MAPS {
        folder.write("broken.map", bytes);
        folder.refuses(what, "broken.map", "info broken.map", pieces);
    }
}

#[test]
fn every_command_refuses_a_broken_map() {
    let folder = Folder::new();
    folder.write("broken.map", "type octile\nheight 2\nwidth 3\nmap\n...\n.x.\n");
    folder.write("good.scen", "version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t3\n");
    for words in [
        "info broken.map",
        "path broken.map --from 0,0 --to 1,0",
        "scenarios broken.map --count 3 -o never.scen",
        "bench broken.map --scen good.scen",
    ] {
        folder.refuses(words, "broken.map", words, &["line 6, column 2"]);
    }
    assert!(!folder.file("never.scen").exists());
}

#[test]
fn broken_scenarios_are_refused_with_file_and_line() {
    let folder = Folder::new();
    for (what, bytes, pieces) in BROKEN_SCENARIOS {
        folder.write("broken.scen", bytes);
        folder.refuses(what, "broken.scen", "bench yard.map --scen broken.scen --planners astar", pieces);
        // A damaged file is a damaged file, whichever of its problems are chosen.
        let words = "bench yard.map --scen broken.scen --planners astar --limit 1";
        assert_eq!(folder.run(words).code, 3, "{what}");
    }
}

#[test]
fn broken_overlays_are_refused() {
    let folder = Folder::new();
    save_grey(&folder.file("good.png"), (12, 8), |_, _| 0);
    let whole = folder.read("good.png");
    let words = "path yard.map --from 0,0 --to 3,0 --overlay broken.png";
    for (what, bytes, pieces) in BROKEN_OVERLAYS {
        folder.write("broken.png", bytes);
        folder.refuses(what, "broken.png", words, pieces);
    }
    // Cut off anywhere before its end it is refused; every changed byte is refused or does no harm.
    for end in (0..whole.len() - 12).step_by(3) {
        folder.write("broken.png", &whole[..end]);
        assert_eq!(folder.run(words).code, 3, "{end} of {} bytes", whole.len());
    }
    for at in (0..whole.len()).step_by(4) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        folder.write("broken.png", &bytes);
        assert!([0, 2, 3].contains(&folder.run(words).code), "byte {at}");
    }
}

#[test]
fn odd_files_load_all_the_same() {
    let folder = Folder::new();
    let hash = |name: &str| folder.must(&format!("info {name} --json")).json()["hash"].clone();
    let good = hash("yard.map");
    for (what, text) in [
        ("CR LF", common::YARD.replace('\n', "\r\n")),
        ("no last line end", common::YARD.trim_end().to_owned()),
        ("trailing blanks", common::YARD.replace('\n', " \t \n")),
        ("blank lines at the end", format!("{}\n \n\n", common::YARD)),
        ("a byte order mark", format!("\u{feff}{}", common::YARD)),
        ("width first", common::YARD.replace("height 8\nwidth 12", "width 12\nheight 8")),
        ("other letters", common::YARD.replace('@', "T")),
    ] {
        folder.write("odd.map", text);
        assert_eq!(hash("odd.map"), good, "{what}");
    }

    let scenario = "version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t3\n1\tyard.map\t12\t8\t0\t0\t0\t7\t7\n";
    for (what, text) in [
        ("as it is", scenario.to_owned()),
        ("CR LF", scenario.replace('\n', "\r\n")),
        ("no last line end", scenario.trim_end().to_owned()),
        ("trailing blanks", scenario.replace('\n', "  \t\n")),
        ("version 1.0", scenario.replace("version 1", "version 1.0")),
        ("blanks for tabs", scenario.replace('\t', " ")),
        ("blank lines", scenario.replace('\n', "\n\n")),
    ] {
        folder.write("odd.scen", text);
        let document = folder.must("bench yard.map --scen odd.scen --planners astar --json").json();
        assert_eq!((&document["queries"], &document["scen_disagreements"]), (&2.into(), &0.into()), "{what}");
    }
}

#[test]
fn folders_and_missing_files_are_named() {
    let folder = Folder::new();
    std::fs::create_dir(folder.file("taken.map")).expect("a folder");
    std::fs::create_dir(folder.file("taken.png")).expect("a folder");
    for (words, piece) in [
        ("info taken.map", "taken.map: is a folder"),
        ("info nowhere.map", "nowhere.map: cannot be read"),
        ("bench yard.map --scen taken.map", "taken.map: is a folder"),
        ("bench yard.map --scen nowhere.scen", "nowhere.scen: cannot be read"),
        ("path yard.map --from 0,0 --to 3,0 --overlay nowhere.png", "nowhere.png: cannot be read"),
        ("path yard.map --from 0,0 --to 3,0 --png taken.png", "taken.png: cannot be written"),
        (
            "generate rooms --width 9 --height 9 -o no/such/folder.map",
            "no/such/folder.map: cannot be written",
        ),
    ] {
        let ran = folder.run(words);
        assert_eq!(ran.code, 3, "{words}: {ran:?}");
        assert!(ran.stderr.contains(piece), "{words}: {ran:?}");
    }
    assert_eq!(folder.names(), ["taken.map", "taken.png", "yard.map"]);
}

#[test]
fn there_are_many_ways_to_be_broken() {
    let count = BROKEN_MAPS.len() + BROKEN_SCENARIOS.len() + BROKEN_OVERLAYS.len();
    assert!(count >= 45, "{count}");
}
