//! Broken Tiled maps: each is refused with a message that says where, what was expected and what was found.

use crate::support::broken_tmx::{BROKEN, GOOD};
use crate::support::refuse_all;
use milepost_maps::tiled::{self, Options};

fn read(bytes: &[u8]) -> Result<tiled::TiledMap, String> {
    let nowhere = |_: &str| Err(std::io::Error::other("is not there"));
    tiled::read(bytes, &Options::default(), nowhere).map_err(|error| error.to_string())
}

#[test]
fn the_map_that_is_broken_here_is_good() {
    let level = read(GOOD.as_bytes()).expect("a good map");
    assert_eq!((level.map.tiles(), level.weights), (&b".@..@."[..], Some(vec![1, 1, 5, 1, 1, 1])));
}

#[test]
fn broken_tiled_maps_are_refused_with_a_helpful_message() {
    let cases: Vec<(&str, String, &[&str])> = BROKEN
        .iter()
        .map(|(name, good, bad, pieces)| {
            assert!(GOOD.contains(good), "{name}: nothing is broken");
            (*name, GOOD.replacen(good, bad, 1), *pieces)
        })
        .collect();
    assert!(cases.len() >= 60, "{}", cases.len());
    refuse_all(&cases, read);
}

/// Chunks of an infinite map, each with what is wrong about it.
#[test]
fn broken_chunks_are_refused_with_a_helpful_message() {
    let chunk = |x: &str, y: &str, width: &str, height: &str, tiles: &str| {
        let chunk = format!(r#"<chunk x="{x}" y="{y}" width="{width}" height="{height}">{tiles}</chunk>"#);
        GOOD.replace("infinite=\"0\"", "infinite=\"1\"").replace("\n1,2,3,\n1,0,1\n", &chunk)
    };
    assert!(read(chunk("-7", "9", "2", "1", "1,2").as_bytes()).is_ok());
    #[rustfmt::skip]
    let cases: Vec<(&str, String, &[&str])> = vec![
        ("tiles without a chunk", GOOD.replace("infinite=\"0\"", "infinite=\"1\""), &["expected a map with tiles"]),
        ("something else", chunk("0", "0", "1", "1", "1").replace("chunk", "hunk"), &["line 17", "expected <chunk>, found <hunk>"]),
        ("no tiles", chunk("0", "0", "0", "1", ""), &["line 17", "a chunk with at least one tile", "found 0 x 1 at 0,0"]),
        ("too few tiles", chunk("0", "0", "2", "2", "1,1,1"), &["line 17", "expected 4 tiles for 2 x 2, found 3"]),
        ("x in words", chunk("left", "0", "1", "1", "1"), &["line 17", "`x` of <chunk>", "found \"left\""]),
        ("beyond 32 bits", chunk("0", "2147483648", "1", "1", "1"), &["line 17", "`y` of <chunk>", "found \"2147483648\""]),
        ("at the end of the world", chunk("2147483647", "0", "1", "1", "1"), &["line 17", "at most 16777216 cells from the origin", "at 2147483647,0"]),
        ("at the other end", chunk("0", "-2147483648", "1", "1", "1"), &["line 17", "at 0,-2147483648"]),
        ("huge", chunk("0", "0", "16777216", "16777216", "1"), &["at most 33554432 tiles in all layers", "found more"]),
        ("an unknown tile", chunk("0", "0", "2", "1", "1,9"), &["line 17", "found number 9"]),
        ("far apart", chunk("-5000", "-5000", "1", "1", "1").replace("</data>", "<chunk x=\"5000\" y=\"5000\" width=\"1\" height=\"1\">1</chunk></data>"), &["map too large", "at most 1048704 cells", "found 10001 x 10001 of them for 2 tiles"]),
    ];
    refuse_all(&cases, read);
}

#[test]
fn broken_tilesets_are_refused_and_named() {
    let inline = GOOD.find(" <tileset").expect("a tileset")..GOOD.find(" <layer").expect("a layer");
    let mut map = GOOD.to_owned();
    map.replace_range(inline, " <tileset firstgid=\"1\" source=\"a/b.tsx\"/>\n");
    let good =
        "<?xml version=\"1.0\"?>\n<tileset tilewidth=\"8\" tileheight=\"8\" tilecount=\"3\" columns=\"3\"/>";
    let with = |tileset: &[u8]| {
        let give = |_: &str| Ok(tileset.to_vec());
        tiled::read(map.as_bytes(), &Options::default(), give).map_err(|error| error.to_string())
    };
    assert!(with(good.as_bytes()).is_ok());
    #[rustfmt::skip]
    let cases: Vec<(&str, String, &[&str])> = vec![
        ("nothing", String::new(), &["tileset \"a/b.tsx\": the file is empty", "begins with <tileset>"]),
        ("a map", GOOD.to_owned(), &["tileset \"a/b.tsx\": line 2", "expected <tileset>, found <map>"]),
        ("JSON", "{\"columns\":3}".to_owned(), &["tileset \"a/b.tsx\": line 1", "expected XML"]),
        ("cut off", good.replace("/>", ">"), &["tileset \"a/b.tsx\": line 2", "expected </tileset>", "cut off"]),
        ("no count", good.replace("tilecount=\"3\"", ""), &["tileset \"a/b.tsx\": line 2", "the attribute `tilecount`"]),
        ("too few tiles", good.replace("tilecount=\"3\"", "tilecount=\"2\""), &["a tile of one of the tilesets", "found number 3"]),
        ("no columns", good.replace("columns=\"3\"", ""), &["tileset \"a/b.tsx\": line 2", "the attribute `columns`"]),
        ("a weight too large", good.replace("/>", "><tile id=\"0\"><properties>\n<property name=\"weight\" type=\"int\" value=\"999\"/></properties></tile></tileset>"), &["tileset \"a/b.tsx\": line 3", "found \"999\""]),
    ];
    refuse_all(&cases, with);
}

#[test]
fn a_map_cut_off_anywhere_is_refused() {
    let last = GOOD.trim_end().len();
    for end in 0..last {
        assert!(read(&GOOD.as_bytes()[..end]).is_err(), "cut after {end} bytes");
    }
    assert!(read(&GOOD.as_bytes()[..last]).is_ok());
}

#[test]
fn every_byte_may_be_changed_without_harm() {
    for at in 0..GOOD.len() {
        for byte in *b"<>&\"'/=0 x\0\xff" {
            let mut bytes = GOOD.as_bytes().to_vec();
            bytes[at] = byte;
            // A value or an error; that it returns is what counts.
            if let Ok(level) = read(&bytes) {
                assert!(level.map.tiles().len() <= 99, "byte {at}");
            }
        }
    }
}

#[test]
fn groups_in_groups_end_somewhere() {
    let nested = |depth: usize| {
        let (open, close) = ("<group>".repeat(depth), "</group>".repeat(depth));
        GOOD.replace(" <layer", &format!("{open}<layer")).replace("</layer>", &format!("</layer>{close}"))
    };
    assert!(read(nested(32).as_bytes()).is_ok());
    let message = read(nested(33).as_bytes()).expect_err("too deep");
    assert!(message.contains("at most 32 groups in each other"), "{message}");
    assert!(read(nested(100_000).as_bytes()).is_err());
    // What is passed over may be as deep as it likes.
    let (open, close) = ("<a>".repeat(100_000), "</a>".repeat(100_000));
    assert!(read(GOOD.replace(" <layer", &format!("{open}{close} <layer")).as_bytes()).is_ok());
}

/// Neither may take time in proportion to the square of the file.
#[test]
fn very_many_attributes_tilesets_and_layers_do_not_take_for_ever() {
    let attributes: String = (0..200_000).map(|at| format!(" a{at}=\"\"")).collect();
    let message = read(GOOD.replace("<map", &format!("<map{attributes}")).as_bytes()).expect_err("too many");
    assert!(message.contains("at most 64 attributes in <map>"), "{message}");
    let tileset = |at: u32| {
        format!(
            "<tileset firstgid=\"{}\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"9\" columns=\"3\"/>",
            9 * at + 9
        )
    };
    let tilesets = |count: u32| {
        GOOD.replace(" <layer", &format!("{} <layer", (1..count).map(tileset).collect::<String>()))
    };
    assert!(read(tilesets(256).as_bytes()).is_ok());
    let message = read(tilesets(257).as_bytes()).expect_err("too many");
    assert!(message.contains("at most 256 tilesets"), "{message}");
    // Ten thousand layers of one tile each, spread over a million cells.
    let layer = |at: u32| {
        let (x, y) = (at % 100 * 10, at / 100 * 10);
        let chunk = format!("<chunk x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\">1</chunk>");
        format!("<layer width=\"1\" height=\"1\"><data encoding=\"csv\">{chunk}</data></layer>")
    };
    let layers: String = (0..10_000).map(layer).collect();
    let begin = GOOD.find(" <layer").expect("a layer");
    let text = format!("{}{layers}</map>", GOOD[..begin].replace("infinite=\"0\"", "infinite=\"1\""));
    let level = read(text.as_bytes()).expect("a large map");
    assert_eq!((level.map.width(), level.map.passable_cells()), (991, 10_000));
}

#[test]
fn a_map_that_only_promises_gets_no_memory() {
    let promise = |good: &str, bad: &str| GOOD.replacen(good, bad, 1);
    let tiles = promise("tilecount=\"3\"", "tilecount=\"4294967295\"");
    let columns = promise("columns=\"3\"", "columns=\"4294967295\"");
    let size = GOOD.replace("width=\"3\" height=\"2\"", "width=\"33554432\" height=\"1\"");
    let lattice = promise("orientation=\"orthogonal\"", "orientation=\"staggered\"")
        .replace("width=\"3\" height=\"2\"", "width=\"1\" height=\"12000\"")
        .replace("1,2,3,\n1,0,1\n", &format!("1{}", ",1".repeat(11_999)));
    let memory = allocation_counter::measure(|| {
        assert!(read(tiles.as_bytes()).is_ok());
        assert!(read(columns.as_bytes()).is_ok());
        assert!(read(size.as_bytes()).is_err());
    });
    assert!(memory.bytes_max < 100_000, "{memory:?}");
    let memory = allocation_counter::measure(|| {
        let message = read(lattice.as_bytes()).expect_err("too wide a lattice");
        assert!(message.contains("map too large"), "{message}");
    });
    assert!(memory.bytes_max < 3_000_000, "{memory:?}");
}
