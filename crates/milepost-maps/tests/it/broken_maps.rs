//! Broken map and scenario files: each is refused with a message that says where, what was expected and what was
//! found. And odd ones that must load all the same.

use crate::support::refuse_all;
use milepost_maps::{TileMap, movingai, scenario};

/// A broken file and the pieces that its message must contain.
type Case = (&'static str, &'static [u8], &'static [&'static str]);

#[rustfmt::skip]
const BROKEN_MAPS: &[Case] = &[
    // Nothing, or the end too early.
    ("zero bytes", b"", &["the file is empty", "expected the line `type octile`", "found 0 bytes", "get the map again"]),
    ("blanks only", b" \r\n\t\n", &["the file is empty", "5 bytes of nothing but blanks"]),
    ("a byte order mark only", b"\xef\xbb\xbf", &["the file is empty"]),
    ("cut after the type", b"type octile\n", &["line 2, column 1 (byte 12)", "expected `height` or `width`", "end of the file"]),
    ("cut inside the type", b"type oct", &["line 1, column 6 (byte 5)", "expected `octile`", "found type \"oct\""]),
    ("cut after the height", b"type octile\nheight 2\n", &["line 3", "expected `width`", "end of the file", "cut off"]),
    ("cut after the width", b"type octile\nwidth 2\n", &["line 3", "expected `height`", "end of the file"]),
    ("cut inside a number", b"type octile\nheight", &["line 2", "expected `height` or `width` and a number", "found \"height\""]),
    ("cut before map", b"type octile\nheight 2\nwidth 2\n", &["line 4, column 1 (byte 29)", "expected `map`", "end of the file"]),
    ("cut after map", b"type octile\nheight 2\nwidth 2\nmap\n", &["line 5, column 1 (byte 33)", "expected at least 4 bytes", "2 rows of 2 letters", "found 0 bytes"]),
    ("cut inside the rows", b"type octile\nheight 4\nwidth 4\nmap\n....\n..", &["line 5", "at least 16 bytes", "found 7 bytes", "cut off"]),
    ("cut inside the last row", b"type octile\nheight 3\nwidth 2\nmap\n..\n..\n.", &["line 7, column 2 (byte 40)", "row of 2 letters", "found 1"]),
    ("the last row missing", b"type octile\nheight 4\nwidth 2\nmap\n..\n..\n..\n", &["line 8, column 1 (byte 42)", "expected 4 rows, found 3"]),
    ("the last rows blank", b"type octile\nheight 3\nwidth 2\nmap\n..\n..\n  \n", &["line 7", "expected 3 rows, found 2"]),
    // Not a map at all.
    ("a PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &["line 1, column 1 (byte 0)", "expected `type octile`", "found \"\\x89PNG\"", "plain text"]),
    ("zeros", &[0; 64], &["line 1", "expected `type octile`", "\\0\\0", "...\""]),
    ("UTF-16", b"\xff\xfet\0y\0p\0e\0", &["line 1", "\\xff\\xfet\\0y\\0p\\0e\\0", "plain text"]),
    ("a scenario", b"version 1\n0\ta.map\t1\t1\t0\t0\t0\t0\t0\n", &["line 1", "expected `type octile`", "found \"version 1\""]),
    ("an endless line", &[b'x'; 5000], &["line 1", "found \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\""]),
    ("the rows alone", b"...\n...\n", &["line 1", "expected `type octile`", "found \"...\""]),
    ("a blank first line", b"\ntype octile\nheight 1\nwidth 1\nmap\n.\n", &["line 1", "expected `type octile`", "found \"\""]),
    // The type.
    ("type octile-corner", b"type octile-corner\nheight 2\nwidth 2\nmap\n", &["line 1, column 6 (byte 5)", "`type octile-corner`", "another format", "heights of corners", "convert"]),
    ("another type", b"type hex\nheight 1\nwidth 1\nmap\n.\n", &["line 1", "expected `octile`", "found type \"hex\""]),
    ("two types", b"type octile quad\nheight 1\nwidth 1\nmap\n.\n", &["line 1", "expected `type octile`", "found \"type octile quad\""]),
    ("no type", b"height 1\nwidth 1\nmap\n.\n", &["line 1", "expected `type octile`", "found \"height 1\""]),
    ("the type twice", b"type octile\ntype octile\nheight 1\nwidth 1\nmap\n.\n", &["line 2", "expected `height` or `width`", "found \"type octile\""]),
    // The sizes.
    ("the height twice", b"type octile\nheight 1\nheight 1\nwidth 1\nmap\n.\n", &["line 3, column 1 (byte 21)", "expected `height` once", "first in line 2", "remove"]),
    ("the width twice", b"type octile\nwidth 1\nheight 1\nwidth 2\nmap\n.\n", &["line 4", "expected `width` once", "first in line 2"]),
    ("no width", b"type octile\nheight 1\nmap\n.\n", &["line 3", "expected `width` and a number", "found \"map\""]),
    ("no height", b"type octile\nwidth 1\nmap\n.\n", &["line 3", "expected `height` and a number", "found \"map\""]),
    ("no sizes", b"type octile\nmap\n.\n", &["line 2", "expected `height` or `width`", "found \"map\""]),
    ("height zero", b"type octile\nheight 0\nwidth 1\nmap\n", &["line 2, column 8 (byte 19)", "a height from 1 to 4294967295", "found \"0\""]),
    ("width zero", b"type octile\nheight 1\nwidth 0\nmap\n\n", &["line 3", "a width from 1 to 4294967295", "found \"0\""]),
    ("a negative height", b"type octile\nheight -2\nwidth 1\nmap\n", &["line 2", "a height from 1", "found \"-2\""]),
    ("a width with a sign", b"type octile\nheight 1\nwidth +1\nmap\n.\n", &["line 3", "in digits", "found \"+1\""]),
    ("a width in words", b"type octile\nheight 1\nwidth three\nmap\n...\n", &["line 3", "in digits", "found \"three\""]),
    ("a fraction", b"type octile\nheight 1.5\nwidth 1\nmap\n.\n", &["line 2", "found \"1.5\""]),
    ("a hexadecimal width", b"type octile\nheight 1\nwidth 0x10\nmap\n.\n", &["line 3", "found \"0x10\""]),
    ("more than 32 bits", b"type octile\nheight 4294967296\nwidth 1\nmap\n.\n", &["line 2", "from 1 to 4294967295", "found \"4294967296\""]),
    ("more than 64 bits", b"type octile\nheight 99999999999999999999999999\nwidth 1\nmap\n.\n", &["line 2", "found \"99999999999999999999999999\""]),
    ("two numbers", b"type octile\nheight 1 1\nwidth 1\nmap\n.\n", &["line 2", "`height` or `width` and a number", "found \"height 1 1\""]),
    ("capitals", b"type octile\nHEIGHT 1\nwidth 1\nmap\n.\n", &["line 2", "found \"HEIGHT 1\""]),
    ("a billion rows", b"type octile\nheight 1000000000\nwidth 1000000000\nmap\n...\n", &["line 5, column 1 (byte 51)", "expected at least 1000000000000000000 bytes", "found 4 bytes"]),
    ("the largest sizes", b"type octile\nheight 4294967295\nwidth 4294967295\nmap\n", &["line 5", "18446744065119617025 bytes", "found 0 bytes"]),
    ("something instead of map", b"type octile\nheight 1\nwidth 1\n.\n", &["line 4", "expected `map`", "found \".\""]),
    ("map with something", b"type octile\nheight 1\nwidth 1\nmap 1\n.\n", &["line 4", "expected `map`", "found \"map 1\""]),
    // The rows.
    ("an unknown letter", b"type octile\nheight 2\nwidth 3\nmap\n...\n.x.\n", &["line 6, column 2 (byte 38)", "one of the letters . G S (free) or @ O T W (blocked)", "found \"x\"", "replace"]),
    ("a small letter", b"type octile\nheight 1\nwidth 3\nmap\n.g.\n", &["line 5, column 2", "found \"g\""]),
    ("a zero byte", b"type octile\nheight 1\nwidth 3\nmap\n..\0\n", &["line 5, column 3", "found \"\\0\""]),
    ("a letter of another alphabet", "type octile\nheight 1\nwidth 3\nmap\n.\u{416}.\n".as_bytes(), &["line 5, column 2", "found \"\u{416}\""]),
    ("a broken character", b"type octile\nheight 1\nwidth 3\nmap\n.\xff.\n", &["line 5, column 2", "found \"\\xff\""]),
    ("a blank inside a row", b"type octile\nheight 1\nwidth 3\nmap\n. .\n", &["line 5, column 2 (byte 34)", "found \" \""]),
    ("a blank before a row", b"type octile\nheight 1\nwidth 2\nmap\n ..\n", &["line 5, column 1", "found \" \""]),
    ("a short row", b"type octile\nheight 3\nwidth 3\nmap\n...\n..\n...\n", &["line 6, column 3 (byte 39)", "expected a row of 3 letters, found 2", "correct the row or the width"]),
    ("a short row with CR LF", b"type octile\r\nheight 3\r\nwidth 3\r\nmap\r\n...\r\n..\r\n...\r\n", &["line 6, column 3", "expected a row of 3 letters, found 2"]),
    ("a long row", b"type octile\nheight 2\nwidth 3\nmap\n....\n...\n", &["line 5, column 4 (byte 36)", "expected a row of 3 letters, found 4"]),
    ("a long last row", b"type octile\nheight 2\nwidth 3\nmap\n...\n...@", &["line 6, column 4", "expected a row of 3 letters, found 4"]),
    ("a blank line between rows", b"type octile\nheight 2\nwidth 3\nmap\n...\n\n...\n", &["line 6, column 1", "expected a row of 3 letters, found 0"]),
    ("height and width mixed up", b"type octile\nheight 3\nwidth 2\nmap\n...\n...\n", &["line 5, column 3", "expected a row of 2 letters, found 3"]),
    ("a row too many", b"type octile\nheight 1\nwidth 3\nmap\n...\n...\n", &["line 6, column 1 (byte 37)", "expected nothing after row 1", "found \"...\""]),
    ("words after the rows", b"type octile\nheight 1\nwidth 3\nmap\n...\n\n the end\n", &["line 7, column 2", "nothing after row 1", "found \"the end\""]),
    ("old Macintosh line ends", b"type octile\rheight 1\rwidth 3\rmap\r...\r", &["line 1", "expected `type octile`", "found \"type octile\\rheight 1"]),
];

#[rustfmt::skip]
const BROKEN_SCENARIOS: &[Case] = &[
    ("zero bytes", b"", &["the file is empty", "expected the line `version 1` or a problem", "0 bytes"]),
    ("blanks only", b"\r\n\r\n", &["the file is empty", "4 bytes"]),
    ("another version", b"version 2\n", &["line 1, column 9 (byte 8)", "expected version 1 or 1.0", "found \"2\""]),
    ("a later version", b"version 1.1\n", &["line 1", "found \"1.1\""]),
    ("no version number", b"version\n", &["line 1, column 8 (byte 7)", "expected version 1 or 1.0", "found \"\""]),
    ("two version numbers", b"version 1 0\n", &["line 1", "found \"1 0\""]),
    ("the version twice", b"version 1\nversion 1\n", &["line 2", "expected 9 columns", "found 2 columns in \"version 1\""]),
    ("seven columns in version 1", b"version 1\n0 a.map 1 1 2 2 3\n", &["line 2, column 1 (byte 10)", "expected 9 columns (bucket, map, width, height", "found 7 columns"]),
    ("eight columns", b"version 1\n0\ta.map\t9\t9\t1\t1\t2\t2\n", &["line 2", "expected 9 columns", "found 8 columns"]),
    ("ten columns", b"version 1\n0\ta.map\t9\t9\t1\t1\t2\t2\t1\t1\n", &["line 2", "expected 9 columns", "found 10 columns"]),
    ("a name with blanks between blanks", b"version 1\n0 a b.map 9 9 1 1 2 2 1\n", &["line 2", "found 10 columns", "needs tabs"]),
    ("six columns without a version", b"0 a.map 1 1 2 2\n", &["line 1", "expected 7 columns", "or 9 with width and height", "found 6 columns"]),
    ("eight columns without a version", b"0 a.map 9 1 1 2 2 1\n", &["line 1", "expected 7 columns", "found 8 columns"]),
    ("a map", b"type octile\nheight 1\nwidth 1\nmap\n.\n", &["line 1", "expected 7 columns", "found 2 columns in \"type octile\""]),
    ("a PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &["line 1", "found 1 columns", "\\x89PNG"]),
    ("a bucket in words", b"version 1\nlow\ta\t9\t9\t1\t1\t2\t2\t1\n", &["line 2, column 1", "a whole number from 0 to 4294967295 in digits as bucket", "found \"low\""]),
    ("a negative bucket", b"version 1\n-1\ta\t9\t9\t1\t1\t2\t2\t1\n", &["line 2", "as bucket", "found \"-1\""]),
    ("no map", b"version 1\n0\t\t9\t9\t1\t1\t2\t2\t1\n", &["line 2, column 3", "expected a name as map", "found \"\""]),
    ("a map name that is no text", b"version 1\n0\t\xe4.map\t9\t9\t1\t1\t2\t2\t1\n", &["line 2, column 3 (byte 12)", "a name in UTF-8 as map", "found \"\\xe4.map\""]),
    ("a width beyond 64 bits", b"version 1\n0\ta\t99999999999999999999\t9\t1\t1\t2\t2\t1\n", &["line 2, column 5", "as width", "found \"99999999999999999999\""]),
    ("a height with a fraction", b"version 1\n0\ta\t9\t9.0\t1\t1\t2\t2\t1\n", &["line 2", "as height", "found \"9.0\""]),
    ("an empty column", b"version 1\n0\ta\t9\t9\t\t1\t2\t2\t1\n", &["line 2, column 9 (byte 18)", "as start x", "found \"\""]),
    ("a negative start", b"version 1\n0\ta\t9\t9\t-1\t1\t2\t2\t1\n", &["line 2", "as start x", "found \"-1\""]),
    ("a start in words", b"version 1\n0\ta\t9\t9\t1\tone\t2\t2\t1\n", &["line 2", "as start y", "found \"one\""]),
    ("a goal with a sign", b"version 1\n0\ta\t9\t9\t1\t1\t+2\t2\t1\n", &["line 2", "as goal x", "found \"+2\""]),
    ("a goal beyond 32 bits", b"version 1\n0\ta\t9\t9\t1\t1\t2\t4294967296\t1\n", &["line 2", "as goal y", "found \"4294967296\""]),
    ("a start right of the map", b"version 1\n0\ta\t9\t8\t9\t1\t2\t2\t1\n", &["line 2, column 9 (byte 18)", "expected the start inside the map of 9 x 8", "found 9,1"]),
    ("a start below the map", b"version 1\n0\ta\t9\t8\t1\t8\t2\t2\t1\n", &["line 2", "the start inside the map of 9 x 8", "found 1,8"]),
    ("a goal outside the map", b"version 1\n\n0\ta\t9\t8\t1\t1\t2\t2\t1\n0\ta\t9\t8\t1\t1\t8\t8\t1\n", &["line 4, column 13", "the goal inside the map of 9 x 8", "found 8,8"]),
    ("a map without cells", b"version 1\n0\ta\t0\t0\t0\t0\t0\t0\t0\n", &["line 2", "the start inside the map of 0 x 0", "found 0,0"]),
    ("a negative length", b"version 1\n0\ta\t9\t9\t1\t1\t2\t2\t-1.5\n", &["line 2, column 17 (byte 26)", "a finite number without a sign as length", "found \"-1.5\""]),
    ("a length that is not a number", b"version 1\n0\ta\t9\t9\t1\t1\t2\t2\tNaN\n", &["line 2", "as length", "found \"NaN\""]),
    ("an infinite length", b"version 1\n0\ta\t9\t9\t1\t1\t2\t2\tinf\n", &["line 2", "finite number", "found \"inf\""]),
    ("a length beyond all doubles", b"version 1\n0\ta\t9\t9\t1\t1\t2\t2\t1e999\n", &["line 2", "finite number", "found \"1e999\""]),
    ("a length with a comma", b"0 a 1 1 2 2 1,41\n", &["line 1, column 13 (byte 12)", "as length", "found \"1,41\""]),
    ("a length with two points", b"0 a 1 1 2 2 1.4.1\n", &["line 1", "as length", "found \"1.4.1\""]),
    ("cut inside the last line", b"0 a 1 1 2 2 1.41\n0 a 1 1 2", &["line 2, column 1 (byte 17)", "found 5 columns in \"0 a 1 1 2\""]),
    ("an error after CR LF and a byte order mark", b"\xef\xbb\xbfversion 1\r\n0 a 9 9 1 1 2 x 1\r\n", &["line 2, column 15 (byte 28)", "as goal y", "found \"x\""]),
];

#[test]
fn broken_maps_are_refused_with_a_helpful_message() {
    refuse_all(BROKEN_MAPS, |bytes| movingai::read(bytes).map_err(|error| error.to_string()));
}

#[test]
fn broken_scenarios_are_refused_with_a_helpful_message() {
    refuse_all(BROKEN_SCENARIOS, |bytes| scenario::read(bytes).map_err(|error| error.to_string()));
}

#[test]
fn a_map_cut_off_anywhere_is_refused_until_its_last_letter() {
    let whole = b"type octile\r\nheight 3\r\nwidth 4\r\nmap\r\n....\r\n.@T.\r\nGSWO\r\n";
    let last_letter = whole.len() - 2;
    for end in 0..=whole.len() {
        assert_eq!(movingai::read(&whole[..end]).is_ok(), end >= last_letter, "cut after {end} bytes");
    }
}

/// A map with enough bytes but too many cells cannot be in a table: it is 4 GB. The limit itself can be tested.
#[test]
fn a_map_with_too_many_states_names_the_limit() {
    let message = TileMap::filled(100_000, 100_000, b'.').map_err(|error| error.to_string());
    let message = message.expect_err("ten billion cells");
    for piece in ["map too large", "fewer than 4294967295 states", "found a map of 100000 x 100000"] {
        assert!(message.contains(piece), "{message}");
    }
}

#[test]
fn odd_maps_load_all_the_same() {
    let expected = TileMap::from_ascii("..@\n.TG").expect("a good drawing");
    let odd: &[(&str, &[u8])] = &[
        ("plain", b"type octile\nheight 2\nwidth 3\nmap\n..@\n.TG\n"),
        ("CR LF", b"type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n..@\r\n.TG\r\n"),
        ("mixed line ends", b"type octile\r\nheight 2\nwidth 3\r\nmap\n..@\r\n.TG\n"),
        ("no end of the last line", b"type octile\nheight 2\nwidth 3\nmap\n..@\n.TG"),
        ("CR without LF at the end", b"type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n..@\r\n.TG\r"),
        ("a byte order mark", b"\xef\xbb\xbftype octile\nheight 2\nwidth 3\nmap\n..@\n.TG\n"),
        ("width first", b"type octile\nwidth 3\nheight 2\nmap\n..@\n.TG\n"),
        ("blanks after header lines", b"type octile \nheight 2\t\nwidth 3  \nmap \n..@\n.TG\n"),
        ("blanks in header lines", b" type\toctile\nheight   2\n\twidth 3\nmap\n..@\n.TG\n"),
        ("blanks after rows", b"type octile\nheight 2\nwidth 3\nmap\n..@  \n.TG\t \r\n"),
        ("blanks after a last row without end", b"type octile\nheight 2\nwidth 3\nmap\n..@\n.TG  "),
        ("blank lines at the end", b"type octile\nheight 2\nwidth 3\nmap\n..@\n.TG\n\n \r\n\n"),
        ("zeros before numbers", b"type octile\nheight 0002\nwidth 03\nmap\n..@\n.TG\n"),
    ];
    for (name, bytes) in odd {
        match movingai::read(bytes) {
            Ok(map) => assert_eq!(map, expected, "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn odd_scenarios_load_all_the_same() {
    let odd: &[(&str, &[u8])] = &[
        ("tabs", b"version 1\n3\tm/a.map\t9\t8\t1\t2\t3\t4\t2.82843\n"),
        ("blanks", b"version 1.0\n3 m/a.map 9 8 1 2 3 4 2.82843\n"),
        ("tabs and blanks", b"version 1\n3 m/a.map\t9 8 1\t2 3 4  2.82843\n"),
        ("blanks beside tabs", b"version 1\n3 \t m/a.map\t9\t8\t1\t2\t3\t4\t 2.82843 \n"),
        ("CR LF", b"version 1\r\n3\tm/a.map\t9\t8\t1\t2\t3\t4\t2.82843\r\n"),
        ("no end of the last line", b"version 1\n3\tm/a.map\t9\t8\t1\t2\t3\t4\t2.82843"),
        ("a byte order mark", b"\xef\xbb\xbfversion 1\n3\tm/a.map\t9\t8\t1\t2\t3\t4\t2.82843\n"),
        ("blank lines", b"\n\nversion 1\n\n3\tm/a.map\t9\t8\t1\t2\t3\t4\t2.82843\n \n\n"),
        ("blanks around lines", b" version  1 \n\t3\tm/a.map\t9\t8\t1\t2\t3\t4\t2.82843\t\t\n"),
        ("no version", b"3\tm/a.map\t9\t8\t1\t2\t3\t4\t2.82843\n"),
        ("seven columns", b"3\tm/a.map\t1\t2\t3\t4\t2.82843\n"),
        ("seven columns with blanks", b"3 m/a.map 1 2 3 4 2.82843\n"),
    ];
    for (name, bytes) in odd {
        let problems = scenario::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let [problem] = &problems[..] else { panic!("{name}: {} problems", problems.len()) };
        assert_eq!(
            (problem.bucket, &*problem.map, problem.map_base_name()),
            (3, "m/a.map", "a.map"),
            "{name}"
        );
        assert_eq!((problem.start, problem.goal), ((1, 2), (3, 4)), "{name}");
        assert!(problem.size.is_none() || problem.size == Some((9, 8)), "{name}");
        assert!(problem.length.agrees_with(8f64.sqrt()), "{name}");
    }
}
