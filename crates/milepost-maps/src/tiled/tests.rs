use std::io::Write as _;

use proptest::prelude::*;

use super::*;
use milepost::HexLayout;

/// Four tiles: floor, wall, swamp of weight 7, bridge that is not blocked.
const TILESET: &str = r#"tilewidth="8" tileheight="8" tilecount="4" columns="4">
 <image source="missing.png" width="32" height="8"/>
 <tile id="1"><properties><property name="blocked" type="bool" value="true"/></properties></tile>
 <tile id="2"><properties><property name="weight" type="int" value="7"/></properties></tile>
 <tile id="3"><properties><property name="blocked" type="bool" value="false"/></properties></tile>
</tileset>"#;

/// A map of these layers; attributes come first.
fn document(attributes: &str, width: u32, height: u32, layers: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.11.0" width="{width}" height="{height}" tilewidth="8" tileheight="8" {attributes}>
 <tileset firstgid="1" name="ground" {TILESET}
 {layers}
</map>
"#
    )
}

fn layer(name: &str, width: u32, height: u32, csv: &str) -> String {
    format!(
        r#"<layer name="{name}" width="{width}" height="{height}"><data encoding="csv">
{csv}</data></layer>"#
    )
}

fn none(path: &str) -> io::Result<Vec<u8>> {
    Err(io::Error::other(format!("there is no {path}")))
}

fn read_text(text: &str) -> TiledMap {
    read_with(text, &Options::default())
}

fn read_with(text: &str, options: &Options) -> TiledMap {
    read(text.as_bytes(), options, none).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn orthogonal(width: u32, height: u32, layers: &str) -> TiledMap {
    read_text(&document(r#"orientation="orthogonal""#, width, height, layers))
}

fn drawn(map: &TiledMap) -> String {
    map.map.to_string().trim_end().replace('\n', " ")
}

#[test]
fn tiles_say_what_is_blocked_and_what_it_weighs() {
    let level = orthogonal(4, 2, &layer("ground", 4, 2, "1,2,3,4,\n0,1,1,1"));
    assert_eq!(drawn(&level), ".@.. @...");
    assert_eq!(level.weights, Some(vec![1, 1, 7, 1, 1, 1, 1, 1]));
    assert_eq!((level.shape, level.origin, level.is_marked), (Shape::Square, (0, 0), true));
}

#[test]
fn the_topmost_tile_that_says_something_is_believed() {
    let ground = layer("ground", 5, 1, "2,2,3,3,2");
    let above = layer("above", 5, 1, "1,4,1,2,0");
    let level = orthogonal(5, 1, &format!("{ground}{above}"));
    // Floor over a wall says nothing; a bridge does; floor over swamp leaves its weight.
    assert_eq!(drawn(&level), "@..@@");
    assert_eq!(level.weights, Some(vec![1, 1, 7, 1, 1]));
}

#[test]
fn layers_block_by_their_name_or_property() {
    let ground = layer("ground", 3, 1, "1,1,1");
    for (what, above) in [
        ("a name", layer("Walls", 3, 1, "0,1,0")),
        ("another name", layer("COLLISION", 3, 1, "0,1,0")),
        ("a hidden layer", layer("blocked", 3, 1, "0,1,0").replace("<layer", r#"<layer visible="0""#)),
        ("a group", format!(r#"<group name="walls">{}</group>"#, layer("a", 3, 1, "0,1,0"))),
        (
            "a group in a group",
            format!(r#"<group name="walls"><group name="x">{}</group></group>"#, layer("a", 3, 1, "0,1,0")),
        ),
        (
            "a property",
            layer("a", 3, 1, "0,1,0").replace(
                "<data",
                r#"<properties><property name="blocked" type="bool" value="true"/></properties><data"#,
            ),
        ),
    ] {
        assert_eq!(drawn(&orthogonal(3, 1, &format!("{ground}{above}"))), ".@.", "{what}");
    }
    // Tiles speak louder than their layer, and properties than names.
    let bridge = layer("walls", 3, 1, "0,4,1");
    assert_eq!(drawn(&orthogonal(3, 1, &format!("{ground}{bridge}"))), "..@");
    let harmless = layer("walls", 3, 1, "0,1,0").replace(
        "<data",
        r#"<properties><property name="blocked" type="bool" value="false"/></properties><data"#,
    );
    assert_eq!(drawn(&orthogonal(3, 1, &format!("{ground}{harmless}"))), "...");
}

#[test]
fn where_only_walls_are_drawn_the_rest_is_free() {
    assert_eq!(drawn(&orthogonal(3, 1, &layer("walls", 3, 1, "0,1,0"))), ".@.");
    assert_eq!(drawn(&orthogonal(3, 1, &layer("ground", 3, 1, "0,1,0"))), "@.@");
}

#[test]
fn a_layer_can_weigh_something() {
    let heavy = layer("mud", 3, 1, "1,3,0").replace(
        "<data",
        r#"<properties><property name="weight" type="int" value="255"/></properties><data"#,
    );
    let level = orthogonal(3, 1, &format!("{}{heavy}", layer("ground", 3, 1, "1,1,1")));
    assert_eq!(level.weights, Some(vec![255, 7, 1]));
}

#[test]
fn properties_and_layers_can_have_other_names() {
    let text = document(r#"orientation="orthogonal""#, 4, 1, &layer("Rocks", 4, 1, "1,2,3,0"));
    let text = text.replace("name=\"blocked\"", "name=\"solid\"").replace("name=\"weight\"", "name=\"mud\"");
    assert_eq!((drawn(&read_text(&text)), read_text(&text).is_marked), ("...@".to_owned(), false));
    let options =
        Options { blocked_property: "solid".into(), weight_property: "mud".into(), ..Options::default() };
    let level = read_with(&text, &options);
    assert_eq!((drawn(&level), level.weights), (".@.@".to_owned(), Some(vec![1, 1, 7, 1])));
    let options = Options { blocked_layers: Some(vec!["rocks".into()]), ..Options::default() };
    assert_eq!(drawn(&read_with(&text, &options)), "@@@.");
    let options = Options { blocked_layers: Some(vec!["trees".into()]), ..Options::default() };
    let error = read(text.as_bytes(), &options, none).expect_err("no such layer").to_string();
    assert!(error.contains("called \"trees\", found \"Rocks\""), "{error}");
}

#[test]
fn turned_tiles_are_the_same_tiles() {
    let turns = [0x8000_0000_u32, 0x4000_0000, 0x2000_0000, 0x1000_0000, 0xf000_0000];
    let csv: Vec<String> = turns.iter().map(|turn| (turn | 2).to_string()).collect();
    let ground = layer("ground", 5, 1, "1,1,1,1,1");
    let level = orthogonal(5, 1, &format!("{ground}{}", layer("above", 5, 1, &csv.join(","))));
    assert_eq!(drawn(&level), "@@@@@");
    // A turn alone is no tile.
    let csv: Vec<String> = turns.iter().map(u32::to_string).collect();
    assert_eq!(
        drawn(&orthogonal(5, 1, &format!("{ground}{}", layer("above", 5, 1, &csv.join(","))))),
        "....."
    );
}

#[test]
fn all_encodings_are_read() {
    use base64::Engine as _;
    use flate2::{Compression, write};
    let gids: [u32; 6] = [1, 2, 3, 4, 0, 0x8000_0002];
    let raw: Vec<u8> = gids.iter().flat_map(|gid| gid.to_le_bytes()).collect();
    let mut zlib = write::ZlibEncoder::new(Vec::new(), Compression::best());
    zlib.write_all(&raw).expect("room");
    let mut gzip = write::GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&raw).expect("room");
    let base64 = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    for (attributes, data) in [
        (r#"encoding="csv""#, "1,2,3,\n4,0,2147483650".to_owned()),
        (r#"encoding="csv""#, "1,2, 3 ,\r\n4,0,2147483650\r\n".to_owned()),
        (r#"encoding="base64""#, base64(&raw)),
        (r#"encoding="base64" compression="zlib""#, base64(&zlib.finish().expect("room"))),
        (
            r#"encoding="base64" compression="gzip""#,
            format!("\n   {}\n  ", base64(&gzip.finish().expect("room"))),
        ),
    ] {
        let data =
            format!(r#"<layer name="a" width="3" height="2"><data {attributes}>{data}</data></layer>"#);
        let level = orthogonal(3, 2, &data);
        assert_eq!((drawn(&level), level.weights), (".@. .@@".to_owned(), Some(vec![1, 1, 7, 1, 1, 1])));
    }
}

/// Found by fuzzing: five tiles and three bytes of a sixth passed for six.
#[test]
fn a_layer_that_ends_within_a_tile_is_refused() {
    use base64::Engine as _;
    use flate2::{Compression, write};
    let base64 = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    for length in 0..=30 {
        let raw: Vec<u8> = (0..length).map(|at| u8::from(at % 4 == 0)).collect();
        let mut zlib = write::ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(&raw).expect("room");
        let zlib = base64(&zlib.finish().expect("room"));
        for (attributes, data) in
            [(r#"encoding="base64""#, base64(&raw)), (r#"encoding="base64" compression="zlib""#, zlib)]
        {
            let layer =
                format!(r#"<layer name="a" width="3" height="2"><data {attributes}>{data}</data></layer>"#);
            let text = document(r#"orientation="orthogonal""#, 3, 2, &layer);
            let found = match (length / 4, length % 4) {
                (6, 0) => {
                    assert_eq!(drawn(&read_text(&text)), "... ...");
                    continue;
                }
                (6.., _) => "more".to_owned(),
                (whole, 0) => whole.to_string(),
                (whole, _) => format!("{whole} and a part of one"),
            };
            let error = read(text.as_bytes(), &Options::default(), none).expect_err("not six").to_string();
            let expected = format!("expected 6 tiles for 3 x 2, found {found};");
            assert!(error.contains(&expected), "{length}: {error}");
        }
    }
}

#[test]
fn infinite_maps_begin_at_their_first_chunk() {
    let chunk =
        |x: i32, y: i32, csv: &str| format!(r#"<chunk x="{x}" y="{y}" width="2" height="2">{csv}</chunk>"#);
    let text = |attributes: &str, chunks: &str| {
        let layer =
            format!(r#"<layer name="a" width="9" height="9"><data encoding="csv">{chunks}</data></layer>"#);
        read_text(&document(&format!(r#"infinite="1" {attributes}"#), 9, 9, &layer))
    };
    let chunks = chunk(-3, -1, "1,2,\n1,1") + &chunk(1, 0, "3,1,\n1,1");
    let level = text(r#"orientation="orthogonal""#, &chunks);
    assert_eq!((level.origin, drawn(&level)), ((-3, -1), ".@@@@@ ..@@.. @@@@..".to_owned()));
    assert_eq!(level.weights.expect("weights")[6 + 4], 7);
    // Hexagons keep the parity of their rows and columns.
    for layout in HexLayout::ALL {
        let level = text(&hexagons(layout), &chunks);
        assert_eq!((level.origin, level.map.height(), level.shape), ((-4, -2), 4, Shape::Hexagon(layout)));
    }
}

#[test]
fn a_staggered_map_is_a_lattice() {
    // Three columns and three rows, the middle row half a tile to the right:
    //
    //     0 1 2
    //      3 4 5
    //     6 7 8
    let text = document(
        r#"orientation="staggered" staggeraxis="y" staggerindex="odd""#,
        3,
        3,
        &layer("a", 3, 3, "1,2,1,\n2,1,1,\n1,1,3"),
    );
    let level = read_text(&text);
    // Columns of the lattice run to the lower right, rows to the lower left.
    assert_eq!(drawn(&level), "@@.. @@.. .@.@ @.@@");
    let Shape::Staggered(stagger) = level.shape else { panic!("{:?}", level.shape) };
    let letter = |x: u32, y: u32| {
        let (a, b) = stagger.lattice(x, y);
        level.map.tile(a, b)
    };
    let row = |y: u32| [0, 1, 2].map(|x| letter(x, y).expect("a cell"));
    assert_eq!([row(0), row(1), row(2)], [*b".@.", *b"@..", *b"..."]);
    assert_eq!(level.map.passable_cells(), 7);
    let (a, b) = stagger.lattice(2, 2);
    assert_eq!(level.weights.expect("weights")[(b * level.map.width() + a) as usize], 7);
}

/// What a map says of its hexagons.
fn hexagons(layout: HexLayout) -> String {
    let (axis, index) = match layout {
        HexLayout::OddRows => ("y", "odd"),
        HexLayout::EvenRows => ("y", "even"),
        HexLayout::OddColumns => ("x", "odd"),
        HexLayout::EvenColumns => ("x", "even"),
    };
    format!(r#"orientation="hexagonal" staggeraxis="{axis}" staggerindex="{index}" hexsidelength="4""#)
}

#[test]
fn shapes_are_told_apart() {
    let shape = |attributes: &str| read_text(&document(attributes, 2, 1, &layer("a", 2, 1, "1,1"))).shape;
    assert_eq!(shape(r#"orientation="isometric""#), Shape::Rhombus);
    assert_eq!(
        shape(r#"orientation="hexagonal" hexsidelength="4""#),
        Shape::Hexagon(HexLayout::OddRows),
        "as Tiled takes them where nothing is said"
    );
    for layout in HexLayout::ALL {
        assert_eq!(shape(&hexagons(layout)), Shape::Hexagon(layout));
    }
    let stagger = Stagger { axis: Axis::Columns, index: Index::Even, columns: 2, rows: 1 };
    assert_eq!(
        shape(r#"orientation="staggered" staggeraxis="x" staggerindex="even""#),
        Shape::Staggered(stagger)
    );
}

#[test]
fn what_does_not_matter_is_passed_over() {
    let ground = layer("ground", 2, 1, "1,2");
    let clutter = r##"
 <!-- a remark -->
 <properties><property name="blocked" value="nonsense"/><property name="sky" type="color" value="no colour"/></properties>
 <objectgroup name="walls"><object id="x" template="missing.tx"><polygon points="nonsense"/></object></objectgroup>
 <imagelayer name="sky"><image source="missing.png"/></imagelayer>
 <editorsettings><export target="x"/></editorsettings>"##;
    let tidy = document(r#"orientation="orthogonal""#, 2, 1, &ground);
    for text in [
        document(r#"orientation="orthogonal""#, 2, 1, &format!("{clutter}{ground}{clutter}")),
        format!("\u{feff}{tidy}"),
        format!(
            "\u{feff}{}",
            document(r#"orientation="orthogonal""#, 2, 1, &format!("{clutter}{ground}{clutter}"))
        ),
        tidy.replace('\n', "\r\n"),
        tidy.replace("<map ", "<!DOCTYPE map SYSTEM \"http://mapeditor.org/dtd/1.0/map.dtd\">\n<map "),
        tidy.replace(" columns=\"4\"", ""),
        tidy.replace(r#"<tile id="1">"#, r#"<tile id="1"><animation><frame tileid="x"/></animation>"#),
        tidy.replace("name=\"ground\"", "name=\"&lt;gro&amp;nd&gt;\""),
    ] {
        assert_eq!(drawn(&read_text(&text)), ".@", "{text}");
    }
}

#[test]
fn tilesets_can_stand_in_files_of_their_own() {
    let text = document(r#"orientation="orthogonal""#, 3, 1, &layer("ground", 3, 1, "1,2,12"));
    let at = text.find(" <tileset").expect("a tileset");
    let end = text.find("</tileset>").expect("its end") + "</tileset>".len();
    let sources = r#" <tileset firstgid="1" source="../a &amp; b.tsx"/><tileset firstgid="11" source="../a &amp; b.tsx"/>"#;
    let text = format!("{}{sources}{}", &text[..at], &text[end..]);
    let file = format!("<?xml version=\"1.0\"?>\n<tileset version=\"1.10\" name=\"a\" {TILESET}");
    let mut asked = Vec::new();
    let level = read(text.as_bytes(), &Options::default(), |path| {
        asked.push(path.to_owned());
        Ok(file.clone().into_bytes())
    });
    assert_eq!(drawn(&level.expect("a good map")), ".@@");
    assert_eq!(asked, ["../a & b.tsx", "../a & b.tsx"]);
}

#[test]
fn a_map_that_marks_nothing_says_so() {
    let plain =
        document(r#"orientation="orthogonal""#, 2, 1, &layer("a", 2, 1, "1,1")).replace("blocked", "other");
    assert!(!read_text(&plain).is_marked);
    assert!(orthogonal(2, 1, &layer("a", 2, 1, "1,1")).is_marked);
}

#[test]
fn a_layer_that_unpacks_to_far_more_than_it_promises_is_not_unpacked() {
    use base64::Engine as _;
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    (0..64).for_each(|_| zlib.write_all(&vec![0; 1 << 20]).expect("room"));
    let packed = base64::engine::general_purpose::STANDARD.encode(zlib.finish().expect("room"));
    let layer = format!(
        r#"<layer name="a" width="3" height="2"><data encoding="base64" compression="zlib">{packed}</data></layer>"#
    );
    let text = document(r#"orientation="orthogonal""#, 3, 2, &layer);
    let memory = allocation_counter::measure(|| {
        let error = read(text.as_bytes(), &Options::default(), none).expect_err("a bomb").to_string();
        assert!(error.contains("expected 6 tiles for 3 x 2, found more"), "{error}");
    });
    assert!(memory.bytes_max < 1_000_000, "{memory:?} for {} bytes", text.len());
}

fn any_map() -> impl Strategy<Value = (TileMap, Option<Vec<u8>>)> {
    (1u32..12, 1u32..12).prop_flat_map(|(width, height)| {
        let count = (width * height) as usize;
        let letters = proptest::sample::select(b".GS@OTW".to_vec());
        let weights = proptest::option::of(proptest::collection::vec(1u8.., count));
        (proptest::collection::vec(letters, count), weights).prop_map(move |(tiles, weights)| {
            (TileMap::new(width, height, tiles).expect("known letters"), weights)
        })
    })
}

proptest! {
    #[test]
    fn what_was_written_is_what_was_read(
        (map, weights) in any_map(),
        shape in proptest::sample::select(
            HexLayout::ALL.map(Shape::Hexagon).into_iter().chain([Shape::Square, Shape::Rhombus]).collect::<Vec<_>>()
        ),
    ) {
        let bytes = write(&map, weights.as_deref(), shape).expect("a small map");
        let level = read(&bytes, &Options::default(), none).expect("a map we wrote must be readable");
        prop_assert_eq!(level.shape, shape);
        for (at, letter) in map.tiles().iter().enumerate() {
            let is_free = crate::tiles::is_passable_letter(*letter);
            prop_assert_eq!(level.map.tiles()[at], if is_free { b'.' } else { b'@' });
            let weight = weights.as_ref().map_or(1, |weights| weights[at]);
            let found = level.weights.as_ref().map_or(1, |weights| weights[at]);
            prop_assert_eq!(found, if is_free { weight } else { 1 });
        }
    }

    #[test]
    fn staggered_maps_survive_the_round_trip(
        columns in 1u32..9, rows in 1u32..9, is_row: bool, is_odd: bool, seed: u64,
    ) {
        let axis = if is_row { Axis::Rows } else { Axis::Columns };
        let index = if is_odd { Index::Odd } else { Index::Even };
        let stagger = Stagger { axis, index, columns, rows };
        let (width, height) = stagger.size();
        let mut map = TileMap::filled(width as u32, height as u32, b'@').expect("a small map");
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            let (a, b) = stagger.lattice(x, y);
            if seed >> ((7 * x + y) % 64) & 1 == 1 {
                map.set(a, b, b'.').expect("inside");
            }
        }
        let bytes = write(&map, None, Shape::Staggered(stagger)).expect("a small map");
        let level = read(&bytes, &Options::default(), none).expect("a map we wrote must be readable");
        prop_assert_eq!((level.map, level.shape), (map, Shape::Staggered(stagger)));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        let _ = read(&bytes, &Options::default(), none);
    }

    #[test]
    fn arbitrary_numbers_never_panic(
        width in 0u32..5, height in 0u32..5, x: i32, y: i32, infinite in 0u8..2, csv in "[0-4,x \n]{0,30}",
    ) {
        let chunk = format!(r#"<chunk x="{x}" y="{y}" width="{width}" height="{height}">{csv}</chunk>"#);
        let data = if infinite == 1 { chunk } else { csv };
        let layer = format!(
            r#"<layer name="a" width="{width}" height="{height}"><data encoding="csv">{data}</data></layer>"#
        );
        let attributes = format!(r#"infinite="{infinite}" orientation="orthogonal""#);
        let _ = read(document(&attributes, width, height, &layer).as_bytes(), &Options::default(), none);
    }

    #[test]
    fn a_damaged_map_never_panics(
        (map, weights) in any_map(), at: prop::sample::Index, byte: u8, kind in 0u8..5,
    ) {
        let mut bytes = write(&map, weights.as_deref(), Shape::Square).expect("a small map");
        let at = at.index(bytes.len());
        match kind {
            0 => bytes[at] = byte,
            1 => bytes.insert(at, byte),
            2 => drop(bytes.remove(at)),
            3 => bytes[at] = b"<>/\"&'=! "[usize::from(byte) % 9],
            _ => bytes.truncate(at),
        }
        let _ = read(&bytes, &Options::default(), none);
    }
}
