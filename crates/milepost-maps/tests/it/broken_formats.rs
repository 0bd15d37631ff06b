//! Broken pictures, road networks, graph scenarios and weights: each is refused with a message that says
//! where, what was expected and what was found. And odd pictures that must load all the same.

use crate::support::refuse_all;
use milepost_maps::{Weights, dimacs, graph_scenario, picture};

/// A broken text and the pieces that its message must contain.
type Case = (&'static str, &'static [u8], &'static [&'static str]);

#[rustfmt::skip]
const BROKEN_GRAPHS: &[Case] = &[
    ("zero bytes", b"", &["the file is empty", "expected the line `p sp NODES ARCS`", "found 0 bytes", "get the file again"]),
    ("blanks only", b" \r\n\t\n", &["the file is empty", "5 bytes"]),
    ("comments only", b"c nothing\nc here\n", &["the file is empty", "17 bytes of nothing but blanks and comments"]),
    ("coordinates", b"p aux sp co 1\nv 1 2 3\n", &["line 1, column 1 (byte 0)", "expected `p sp NODES ARCS`", "found \"p aux sp co 1\"", "take another file"]),
    ("a map", b"type octile\nheight 1\n", &["line 1", "expected a line `c ...`, `p sp NODES ARCS` or `a FROM TO COST`", "found \"type octile\""]),
    ("a PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &["line 1", "found \"\\x89PNG\""]),
    ("an arc first", b"c x\na 1 2 3\np sp 2 1\n", &["line 2, column 1 (byte 4)", "expected `p sp NODES ARCS` before the first line `a FROM TO COST`", "found \"a 1 2 3\""]),
    ("no p", b"c x\n1 2 3\n", &["line 2", "found \"1 2 3\""]),
    ("p alone", b"p\n", &["line 1", "expected `p sp NODES ARCS`", "found \"p\""]),
    ("another problem", b"p max 2 1\na 1 2 3\n", &["line 1", "expected `p sp NODES ARCS`", "found \"p max 2 1\""]),
    ("p without arcs", b"p sp 2\na 1 2 3\n", &["line 1", "found \"p sp 2\""]),
    ("p with too much", b"p sp 2 1 1\na 1 2 3\n", &["line 1", "found \"p sp 2 1 1\""]),
    ("nodes in words", b"p sp two 1\na 1 2 3\n", &["line 1, column 6 (byte 5)", "as NODES", "found \"two\""]),
    ("negative arcs", b"p sp 2 -1\na 1 2 3\n", &["line 1, column 8 (byte 7)", "as ARCS", "found \"-1\""]),
    ("nodes beyond 32 bits", b"p sp 4294967296 1\na 1 2 3\n", &["line 1", "from 0 to 4294967295 in digits as NODES", "found \"4294967296\""]),
    ("p twice", b"c x\np sp 2 1\na 1 2 3\np sp 2 1\n", &["line 4, column 1 (byte 21)", "expected one line `p sp NODES ARCS`", "found another (first in line 2)"]),
    ("a billion arcs", b"p sp 2 1000000000\na 1 2 3\n", &["line 2, column 1 (byte 18)", "at least 7999999999 bytes for the promised 1000000000 arcs", "found 8 bytes"]),
    ("one arc too few", b"p sp 2 2\na 1 2 3\nc the other is missing\n", &["line 4, column 1", "expected 2 arcs, as the line `p` promises", "found 1 and the end of the file"]),
    ("one arc too many", b"p sp 2 1\na 1 2 3\na 2 1 3\n", &["line 3, column 1 (byte 17)", "expected 1 arcs", "found another one, \"a 2 1 3\""]),
    ("an unknown letter", b"p sp 2 1\na 1 2 3\nb 1 2 3\n", &["line 3", "expected a line `c ...`", "found \"b 1 2 3\""]),
    ("a coordinate among the arcs", b"p sp 2 1\nv 1 2 3\na 1 2 3\n", &["line 2", "found \"v 1 2 3\""]),
    ("no cost", b"p sp 2 1\na 1 2\nc.......\n", &["line 2, column 1 (byte 9)", "expected `a FROM TO COST`", "found \"a 1 2\""]),
    ("four numbers", b"p sp 2 1\na 1 2 3 4\n", &["line 2", "expected `a FROM TO COST`", "found \"a 1 2 3 4\""]),
    ("a longer word", b"p sp 2 1\narc 1 2 3\n", &["line 2", "expected `a FROM TO COST`", "found \"arc 1 2 3\""]),
    ("no blank", b"p sp 2 1\na1 2 3 4\n", &["line 2", "expected `a FROM TO COST`", "found \"a1 2 3 4\""]),
    ("node zero", b"p sp 2 1\na 0 2 3\n", &["line 2, column 3 (byte 11)", "expected a node from 1 to 2 as FROM", "found \"0\""]),
    ("a node too large", b"p sp 2 1\na 1 3 3\n", &["line 2, column 5 (byte 13)", "expected a node from 1 to 2 as TO", "found \"3\"", "number of nodes"]),
    ("a node beyond 64 bits", b"p sp 2 1\na 1 99999999999999999999 3\n", &["line 2", "as TO", "found \"99999999999999999999\""]),
    ("a node with a plus", b"p sp 2 1\na +1 2 3\n", &["line 2", "as FROM", "found \"+1\""]),
    ("cost zero", b"p sp 2 1\r\na 1 2 0\r\n", &["line 2, column 7 (byte 16)", "from 1 to 4294967295 in digits as COST", "found \"0\""]),
    ("a negative cost", b"p sp 2 1\na 1 2 -7\n", &["line 2, column 7 (byte 15)", "as COST", "found \"-7\""]),
    ("a cost beyond 32 bits", b"p sp 2 1\na 1 2 4294967296\n", &["line 2", "as COST", "found \"4294967296\""]),
    ("a fraction", b"p sp 2 1\na 1 2 1.5\n", &["line 2", "as COST", "found \"1.5\""]),
    ("a cost in words", b"p sp 2 1\n  a\t1 2 dear\n", &["line 2, column 9 (byte 17)", "as COST", "found \"dear\""]),
    ("old Macintosh line ends", b"p sp 2 1\ra 1 2 3\r", &["line 1", "expected `p sp NODES ARCS`", "found \"p sp 2 1\\ra 1 2 3\""]),
];

#[rustfmt::skip]
const BROKEN_COORDINATES: &[Case] = &[
    ("zero bytes", b"", &["the file is empty", "`p aux sp co NODES`"]),
    ("a graph", b"p sp 2 1\na 1 2 3\n", &["line 1", "expected `p aux sp co NODES`", "found \"p sp 2 1\""]),
    ("pairs", b"p aux sp p2p 1\nq 1 2\n", &["line 1", "expected `p aux sp co NODES`", "found \"p aux sp p2p 1\""]),
    ("another graph", b"p aux sp co 3\nv 1 0 0\nv 2 0 0\nv 3 0 0\n", &["line 1, column 13 (byte 12)", "expected 2 nodes as in the graph, found 3"]),
    ("the first line missing", b"v 1 0 0\nv 2 0 0\n", &["line 1", "before the first line `v ID X Y`"]),
    ("a node twice", b"p aux sp co 2\nv 1 0 0\nv 1 5 5\n", &["line 3, column 3 (byte 24)", "expected every node once", "found node 1 again"]),
    ("node zero", b"p aux sp co 2\nv 0 0 0\nv 1 5 5\n", &["line 2", "a node from 1 to 2 as ID", "found \"0\""]),
    ("a node too large", b"p aux sp co 2\nv 1 0 0\nv 3 5 5\n", &["line 3", "a node from 1 to 2 as ID", "found \"3\""]),
    ("a fraction", b"p aux sp co 2\nv 1 0.5 0\nv 2 5 5\n", &["line 2, column 5 (byte 18)", "a whole number of at most 64 bits in digits as X", "found \"0.5\""]),
    ("a coordinate beyond 64 bits", b"p aux sp co 2\nv 1 0 -9223372036854775809\nv 2 5 5\n", &["line 2", "as Y", "found \"-9223372036854775809\""]),
    ("a minus alone", b"p aux sp co 2\nv 1 - 0\nv 2 5 5\n", &["line 2", "as X", "found \"-\""]),
    ("a node without y", b"p aux sp co 2\nv 1 0\nv 2 5 50\nc\n", &["line 2", "expected `v ID X Y`", "found \"v 1 0\""]),
    ("one too few", b"p aux sp co 2\nv 1 12345678 12345678\n", &["line 3", "expected 2 coordinates", "found 1 and the end of the file"]),
    ("one too many", b"p aux sp co 2\nv 1 0 0\nv 2 0 0\nv 3 0 0\n", &["line 4", "expected 2 coordinates", "found another one, \"v 3 0 0\""]),
];

#[rustfmt::skip]
const BROKEN_PAIRS: &[Case] = &[
    ("zero bytes", b"", &["the file is empty", "`p aux sp p2p PAIRS`"]),
    ("single sources", b"p aux sp ss 1\ns 1\n", &["line 1", "expected `p aux sp p2p PAIRS`", "found \"p aux sp ss 1\""]),
    ("an arc", b"p aux sp p2p 1\na 1 2 3\n", &["line 2", "`q FROM TO`", "found \"a 1 2 3\""]),
    ("one number", b"p aux sp p2p 1\nq 1\nc..\n", &["line 2", "expected `q FROM TO`", "found \"q 1\""]),
    ("three numbers", b"p aux sp p2p 1\nq 1 2 3\n", &["line 2", "expected `q FROM TO`", "found \"q 1 2 3\""]),
    ("node zero", b"p aux sp p2p 1\nq 1 0\n", &["line 2, column 5 (byte 19)", "a node from 1 to 9 as TO", "found \"0\""]),
    ("a node that the graph has not", b"p aux sp p2p 1\nq 10 1\n", &["line 2, column 3", "a node from 1 to 9 as FROM", "found \"10\""]),
    ("a promise that cannot be kept", b"p aux sp p2p 4294967295\nq 1 2\n", &["line 2", "at least 25769803769 bytes for the promised 4294967295 pairs", "found 6 bytes"]),
    ("one too few", b"p aux sp p2p 2\nq 1 2\nc no more\n", &["line 4", "expected 2 pairs", "found 1"]),
    ("one too many", b"p aux sp p2p 0\nq 1 2\n", &["line 2", "expected 0 pairs", "found another one, \"q 1 2\""]),
];

#[rustfmt::skip]
const BROKEN_GRAPH_SCENARIOS: &[Case] = &[
    ("zero bytes", b"", &["the file is empty", "expected the line `milepost-graph-scenario 1`", "found 0 bytes"]),
    ("blanks only", b"\n \r\n", &["the file is empty", "4 bytes"]),
    ("a scenario for grids", b"version 1\n", &["line 1", "expected the line `milepost-graph-scenario 1`", "found \"version 1\""]),
    ("the first line missing", b"1 2 3\n", &["line 1", "found \"1 2 3\""]),
    ("a blank first line", b"\nmilepost-graph-scenario 1\n", &["line 1", "found \"\""]),
    ("no version", b"milepost-graph-scenario\n", &["line 1", "found \"milepost-graph-scenario\""]),
    ("another version", b"milepost-graph-scenario 2\n1 2 3\n", &["line 1, column 25 (byte 24)", "expected version 1", "found \"2\"", "newer program"]),
    ("two words", b"milepost-graph-scenario 1\n1 2\n", &["line 2, column 1 (byte 26)", "expected `FROM TO COST`", "found 2 words in \"1 2\""]),
    ("four words", b"milepost-graph-scenario 1\n1 2 3 4\n", &["line 2", "found 4 words in \"1 2 3 4\""]),
    ("a comment too early", b"milepost-graph-scenario 1\n1 2 # 3\n", &["line 2", "found 2 words in \"1 2\""]),
    ("a negative node", b"milepost-graph-scenario 1\n-1 2 3\n", &["line 2", "as FROM", "found \"-1\""]),
    ("a node beyond 32 bits", b"milepost-graph-scenario 1\n1 4294967296 3\n", &["line 2, column 3 (byte 28)", "from 0 to 4294967295 in digits as TO", "found \"4294967296\""]),
    ("a cost with a fraction", b"milepost-graph-scenario 1\n1 2 3.5\n", &["line 2, column 5 (byte 30)", "`-` or a whole number", "as COST", "found \"3.5\""]),
    ("a negative cost", b"milepost-graph-scenario 1\n\n1 2 -3\n", &["line 3", "as COST", "found \"-3\""]),
    ("a cost beyond 64 bits", b"milepost-graph-scenario 1\n1 2 18446744073709551616\n", &["line 2", "to 18446744073709551615", "found \"18446744073709551616\""]),
    ("a cost with a plus", b"milepost-graph-scenario 1\r\n1 2 +3\r\n", &["line 2, column 5 (byte 31)", "as COST", "found \"+3\""]),
];

#[rustfmt::skip]
const BROKEN_WEIGHTS: &[Case] = &[
    ("nothing", b"", &["character 1", "expected LETTER=WEIGHT, as in `S=3,G=2`", "found nothing"]),
    ("a comma at the end", b"S=3,", &["character 5", "found nothing", "remove the comma"]),
    ("two commas", b"S=3,,G=2", &["character 5", "found nothing"]),
    ("a letter alone", b"S", &["character 1", "expected LETTER=WEIGHT", "found \"S\""]),
    ("a colon", b"G=2,S:3", &["character 5", "expected LETTER=WEIGHT", "found \"S:3\""]),
    ("a blocked letter", b"T=3", &["character 1", "one of the passable letters . G S", "found \"T\""]),
    ("an unknown letter", b"S=3, x=2", &["character 6", "one of the passable letters", "found \"x\""]),
    ("a small letter", b"s=3", &["character 1", "found \"s\""]),
    ("two letters", b"SG=3", &["character 1", "found \"SG\""]),
    ("no letter", b"=3", &["character 1", "one of the passable letters", "found \"\""]),
    ("no weight", b"S=", &["character 3", "from 1 to 255 as the weight of `S`", "found \"\""]),
    ("weight zero", b"S=0", &["character 3", "from 1 to 255", "found \"0\""]),
    ("a weight too large", b"G=2,S=256", &["character 7", "from 1 to 255 as the weight of `S`", "found \"256\""]),
    ("a negative weight", b"S=-1", &["character 3", "found \"-1\""]),
    ("a fraction", b"S=1.5", &["character 3", "a whole number", "found \"1.5\""]),
    ("a plus", b"S=+2", &["found \"+2\""]),
    ("a letter twice", b"S=3,G=2,S=3", &["character 9", "a weight for `S` once", "found it again"]),
    ("a semicolon", b"S=3;G=2", &["character 3", "found \"3;G=2\""]),
];

#[test]
fn broken_graphs_are_refused_with_a_helpful_message() {
    refuse_all(BROKEN_GRAPHS, |bytes| dimacs::read_graph(bytes).map_err(|error| error.to_string()));
}

#[test]
fn broken_coordinates_are_refused_with_a_helpful_message() {
    let read = |bytes: &[u8]| dimacs::read_coordinates(bytes, Some(2)).map_err(|error| error.to_string());
    refuse_all(BROKEN_COORDINATES, read);
}

#[test]
fn broken_pairs_are_refused_with_a_helpful_message() {
    refuse_all(BROKEN_PAIRS, |bytes| dimacs::read_pairs(bytes, Some(9)).map_err(|error| error.to_string()));
}

#[test]
fn broken_graph_scenarios_are_refused_with_a_helpful_message() {
    refuse_all(BROKEN_GRAPH_SCENARIOS, |bytes| {
        graph_scenario::read(bytes).map_err(|error| error.to_string())
    });
}

#[test]
fn broken_weights_are_refused_with_a_helpful_message() {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    refuse_all(BROKEN_WEIGHTS, |bytes| Weights::parse(&text(bytes)).map_err(|error| error.to_string()));
}

/// The parts of a PNG, so that each can be broken by itself.
struct Png {
    width: u32,
    height: u32,
    depth: u8,
    colours: u8,
    interlace: u8,
    /// Chunks between the header and the pixels.
    extra: Vec<(&'static [u8; 4], Vec<u8>)>,
    /// The pixels, row by row, each row after the byte of its filter.
    rows: Vec<u8>,
}

impl Png {
    /// Three by two pixels in eight bits of grey: white, grey 200, black; twice.
    fn grey() -> Self {
        let rows = vec![0, 255, 200, 0, 0, 255, 200, 0];
        Png { width: 3, height: 2, depth: 8, colours: 0, interlace: 0, extra: Vec::new(), rows }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = [number(self.width), number(self.height)].concat();
        header.extend([self.depth, self.colours, 0, 0, self.interlace]);
        chunk(&mut bytes, b"IHDR", &header);
        self.extra.iter().for_each(|(name, data)| chunk(&mut bytes, name, data));
        chunk(&mut bytes, b"IDAT", &stored(&self.rows));
        chunk(&mut bytes, b"IEND", &[]);
        bytes
    }
}

/// The four bytes of a number, the highest first.
fn number(number: u32) -> [u8; 4] {
    [24, 16, 8, 0].map(|shift| (number >> shift) as u8)
}

fn chunk(bytes: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    bytes.extend(number(data.len() as u32));
    let begin = bytes.len();
    bytes.extend(name);
    bytes.extend(data);
    // The check sum of PNG: CRC-32, bit by bit.
    let crc = bytes[begin..].iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ ((crc & 1) * 0xedb8_8320))
    });
    bytes.extend(number(!crc));
}

/// Data in the format of zlib, not compressed.
fn stored(data: &[u8]) -> Vec<u8> {
    let length = data.len() as u16;
    let mut bytes = vec![0x78, 1, 1];
    bytes.extend([length as u8, (length >> 8) as u8, !length as u8, (!length >> 8) as u8]);
    bytes.extend(data);
    let (a, b) = data.iter().fold((1, 0), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    bytes.extend(number(b << 16 | a));
    bytes
}

/// The good picture, broken by a function.
fn broken(change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Png::grey().bytes();
    change(&mut bytes);
    bytes
}

#[test]
fn broken_pictures_are_refused_with_a_helpful_message() {
    let sized = |width, height| Png { width, height, ..Png::grey() }.bytes();
    let formed = |depth, colours| Png { depth, colours, ..Png::grey() }.bytes();
    #[rustfmt::skip]
    let cases: &[(&str, Vec<u8>, &[&str])] = &[
        ("zero bytes", vec![], &["byte 0", "expected a PNG", "found \"\"", "save the picture as PNG"]),
        ("a map", b"type octile\nheight 1\n".to_vec(), &["byte 0", "expected a PNG", "found \"type oct\""]),
        ("a JPEG", b"\xff\xd8\xff\xe0\0\x10JFIF\0".to_vec(), &["byte 0", "found \"\\xff\\xd8\\xff\\xe0\\0\\u{10}JF\""]),
        ("a GIF", b"GIF89a\x01\0\x01\0".to_vec(), &["byte 0", "found \"GIF89a"]),
        ("sent as text", broken(|bytes| bytes.retain(|byte| *byte != b'\r')), &["byte 0", "found \"\\x89PNG\\n"]),
        ("cut inside the signature", broken(|bytes| bytes.truncate(5)), &["byte 5", "the 33 bytes of a PNG's header", "end of the file", "cut off"]),
        ("cut inside the header", broken(|bytes| bytes.truncate(20)), &["byte 20", "the 33 bytes of a PNG's header"]),
        ("cut after the header", broken(|bytes| bytes.truncate(33)), &["byte 16", "expected at least 34 bytes for 3 x 2 pixels", "found 33 bytes"]),
        ("cut inside the pixels", broken(|bytes| bytes.truncate(50)), &["damaged", "get the file again"]),
        ("another chunk first", broken(|bytes| bytes[12] = b'J'), &["byte 8", "expected the chunk IHDR with 13 bytes", "JHDR"]),
        ("a header of another length", broken(|bytes| bytes[11] = 14), &["byte 8", "13 bytes", "found \"\\0\\0\\0\\u{e}IHDR\""]),
        ("a wrong check sum", broken(|bytes| bytes[31] ^= 1), &["damaged", "CRC"]),
        ("no columns", sized(0, 2), &["byte 16", "1 to 268435456 pixels", "found 0 x 2"]),
        ("no rows", sized(3, 0), &["byte 16", "found 3 x 0"]),
        ("a billion columns and rows", sized(1_000_000_000, 1_000_000_000), &["1 to 268435456 pixels", "found 1000000000 x 1000000000", "cut it into pieces"]),
        ("the largest sizes", sized(u32::MAX, u32::MAX), &["found 4294967295 x 4294967295"]),
        ("one pixel too many", sized(16_384, 16_385), &["1 to 268435456 pixels", "found 16384 x 16385"]),
        ("more than can be compressed", sized(16_384, 16_384), &["at least 260161 bytes for 16384 x 16384 pixels", "cut off"]),
        ("more rows than pixels", sized(3, 3), &["damaged"]),
        ("a depth of three", formed(3, 0), &["damaged", "get the file again, or save it anew"]),
        ("colours that do not exist", formed(8, 5), &["damaged"]),
        ("sixteen bits of a palette", formed(16, 3), &["damaged"]),
        ("a palette that is missing", formed(8, 3), &["damaged"]),
        ("a palette with a part of a colour", Png { colours: 3, extra: vec![(b"PLTE", vec![9; 4])], ..Png::grey() }.bytes(), &["byte 33", "a palette of three bytes a colour", "found 4 bytes"]),
        ("an unknown interlacing", Png { interlace: 7, ..Png::grey() }.bytes(), &["damaged"]),
        ("an unknown filter", Png { rows: vec![9, 255, 200, 0, 0, 255, 200, 0], ..Png::grey() }.bytes(), &["damaged"]),
        ("the end missing", broken(|bytes| bytes.truncate(bytes.len() - 12)), &["damaged", "unexpected end of file"]),
    ];
    refuse_all(cases, |bytes| {
        picture::read(bytes, picture::Options::default()).map_err(|error| error.to_string())
    });
}

#[test]
fn a_file_that_only_promises_gets_no_memory() {
    let graph: &[u8] = b"p sp 4294967295 4294967295\na 1 2 3\n";
    let coordinates: &[u8] = b"p aux sp co 4294967295\nv 1 2 3\n";
    let pairs: &[u8] = b"p aux sp p2p 4294967295\nq 1 2\n";
    let picture = Png { width: 16_384, height: 16_384, ..Png::grey() }.bytes();
    let memory = allocation_counter::measure(|| {
        assert!(dimacs::read_graph(graph).is_err());
        assert!(dimacs::read_coordinates(coordinates, None).is_err());
        assert!(dimacs::read_pairs(pairs, None).is_err());
        assert!(picture::read(&picture, picture::Options::default()).is_err());
    });
    assert!(memory.bytes_max < 10_000, "{memory:?}");
}

#[test]
fn odd_pictures_load_all_the_same() {
    let palette = vec![255, 255, 255, 200, 200, 200, 0, 0, 0, 255, 255, 255];
    // Of the last two pixels the first is dark, the second light but transparent.
    let transparent = (b"tRNS", vec![255, 255, 255, 0]);
    let indexed = Png {
        depth: 2,
        colours: 3,
        extra: vec![(b"PLTE", palette), transparent],
        rows: vec![0, 0b0001_1000, 0, 0b0001_1100],
        ..Png::grey()
    };
    let odd = [
        ("plain", Png::grey().bytes()),
        ("one bit", Png { depth: 1, rows: vec![0, 0b1100_0000, 0, 0b1100_0000], ..Png::grey() }.bytes()),
        ("a palette with a transparent colour", indexed.bytes()),
        ("a transparent grey", {
            let rows = vec![0, 255, 200, 7, 0, 255, 200, 7];
            Png { extra: vec![(b"tRNS", vec![0, 7])], rows, ..Png::grey() }.bytes()
        }),
        ("an unknown chunk", Png { extra: vec![(b"miLe", vec![1, 2, 3])], ..Png::grey() }.bytes()),
        (
            "a long text",
            Png { extra: vec![(b"tEXt", [b"Comment\0", &[b'x'; 9000][..]].concat())], ..Png::grey() }.bytes(),
        ),
        ("a profile", {
            let profile = [b"profile\0\0", &stored(&[b'x'; 50_000])[..]].concat();
            Png { extra: vec![(b"iCCP", profile)], ..Png::grey() }.bytes()
        }),
        ("bytes after the end", broken(|bytes| bytes.extend(b"more"))),
        ("interlaced", {
            // Adam7 of three by two pixels: passes 1, 4, 6 and 7 have any.
            let rows = vec![0, 255, 0, 0, 0, 200, 0, 255, 200, 0];
            Png { interlace: 1, rows, ..Png::grey() }.bytes()
        }),
    ];
    for (name, bytes) in odd {
        match picture::read(&bytes, picture::Options { has_weights: true, ..picture::Options::default() }) {
            Ok(picture) => {
                assert_eq!(picture.map.tiles(), b"..@..@", "{name}");
                assert!(picture.weights.is_some_and(|weights| weights.len() == 6), "{name}");
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
}
