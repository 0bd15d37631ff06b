//! A good Tiled map, and many ways to break it. The library and the command run the same table.

/// Three by two cells: floor, wall, swamp; floor, nothing, floor.
pub(crate) const GOOD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="3" height="2" tilewidth="8" tileheight="8" infinite="0">
 <tileset firstgid="1" name="ground" tilewidth="8" tileheight="8" tilecount="3" columns="3">
  <image source="ground.png" width="24" height="8"/>
  <tile id="1">
   <properties>
    <property name="blocked" type="bool" value="true"/>
   </properties>
  </tile>
  <tile id="2">
   <properties>
    <property name="weight" type="int" value="5"/>
   </properties>
  </tile>
 </tileset>
 <layer id="1" name="ground" width="3" height="2">
  <data encoding="csv">
1,2,3,
1,0,1
</data>
 </layer>
</map>
"#;

/// What is broken, what stands in the good map, what stands there instead, and pieces of the message about it.
pub(crate) type Case = (&'static str, &'static str, &'static str, &'static [&'static str]);

const DATA: &str = "<data encoding=\"csv\">\n1,2,3,\n1,0,1\n</data>";
const WEIGHT: &str = r#"type="int" value="5""#;
const ORTHOGONAL: &str = r#"orientation="orthogonal""#;

#[rustfmt::skip]
pub(crate) const BROKEN: &[Case] = &[
    // No map at all.
    ("zero bytes", GOOD, "", &["the file is empty", "expected XML that begins with <map>", "found 0 bytes", "get the file again"]),
    ("blanks only", GOOD, " \r\n\t\n", &["the file is empty", "5 bytes of nothing but blanks"]),
    ("words", GOOD, "not a map", &["line 1, column 1 (byte 0)", "expected XML that begins with <map>", "found \"not a map\""]),
    ("a map of letters", GOOD, "type octile\nheight 1\nwidth 1\nmap\n.\n", &["line 1", "expected XML", "found \"type octile\\nheight"]),
    ("another kind of document", GOOD, "<?xml version=\"1.0\"?>\n<html/>", &["line 2, column 1", "expected <map>, found <html>", "take another file"]),
    ("a tileset", GOOD, "<tileset name=\"a\"/>", &["line 1", "expected <map>, found <tileset>"]),
    ("a declaration alone", GOOD, "<?xml version=\"1.0\"?>\n", &["line 2", "expected <map>, found the end of the file", "cut off"]),
    ("JSON", GOOD, "{\"height\":2, \"layers\":[]}", &["line 1", "expected XML that begins with <map>"]),
    ("a zero byte", GOOD, "\0\0\0\0", &["line 1", "found \"\\0\\0\\0\\0\""]),
    // XML that is none.
    ("cut inside a tag", "tilecount=\"3\" columns=\"3\">\n", "\u{1}", &["expected"]),
    ("cut off", " </layer>\n</map>\n", "", &["line 21, column 1", "expected </layer>, found the end of the file", "the file was cut off"]),
    ("cut inside the data", "\n</data>\n </layer>\n</map>\n", "", &["line 19, column 6", "expected </data>", "the file was cut off"]),
    ("the last end missing", "</map>\n", "", &["expected </map>, found the end of the file"]),
    ("the wrong end", "</layer>", "</lawyer>", &["line 21", "expected well-formed XML", "the file is damaged"]),
    ("an attribute without quotes", r#"width="3" height="2" tilewidth"#, r#"width=3 height="2" tilewidth"#, &["line 2", "expected well-formed XML"]),
    ("an attribute twice", r#"<map version="1.10""#, r#"<map version="1.10" width="4""#, &["line 2", "expected well-formed XML"]),
    ("an attribute twice, once with a prefix", r#"<map version="1.10""#, r#"<map version="1.10" x:width="4""#, &["line 2", "the attribute `width` once", "found it again"]),
    ("entities", "<map version", "<!DOCTYPE map [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n<map version", &["line 2, column 1", "expected a plain document type, or none", "definitions of its own", "remove it"]),
    ("an unknown entity", r#"orientation="orthogonal""#, r#"orientation="&ortho;""#, &["line 2", "expected well-formed XML"]),
    // The map.
    ("no orientation", ORTHOGONAL, "", &["line 2, column 1", "expected the attribute `orientation` in <map>, found none", "save the file anew in Tiled"]),
    ("an unknown orientation", ORTHOGONAL, r#"orientation="spherical""#, &["line 2", "`orthogonal`, `isometric`, `staggered` or `hexagonal`", "found \"spherical\"", "Map Properties: Orientation"]),
    ("an unknown axis", ORTHOGONAL, r#"orientation="staggered" staggeraxis="z""#, &["line 2", "`x` or `y` as `staggeraxis`", "found \"z\""]),
    ("an unknown index", ORTHOGONAL, r#"orientation="staggered" staggerindex="prime""#, &["line 2", "`even` or `odd` as `staggerindex`", "found \"prime\""]),
    ("no version", r#"version="1.10""#, "", &["line 2", "expected the attribute `version` in <map>"]),
    ("no width", r#"width="3" height="2" tilewidth="8""#, r#"height="2" tilewidth="8""#, &["line 2", "the attribute `width` in <map>", "found none"]),
    ("a negative width", r#"width="3" height="2" tilewidth"#, r#"width="-3" height="2" tilewidth"#, &["line 2, column 53", "expected a whole number as `width` of <map>", "found \"-3\""]),
    ("a broken height", r#"width="3" height="2" tilewidth"#, r#"width="3" height="2.5" tilewidth"#, &["line 2", "`height` of <map>", "found \"2.5\""]),
    ("no columns", r#"width="3" height="2" tilewidth"#, r#"width="0" height="2" tilewidth"#, &["line 2", "a map with 1 to 33554432 cells", "found 0 x 2"]),
    ("billions of cells", r#"width="3" height="2" tilewidth"#, r#"width="4294967295" height="4294967295" tilewidth"#, &["line 2", "a map with 1 to 33554432 cells", "found 4294967295 x 4294967295", "cut it into pieces"]),
    ("a width beyond 32 bits", r#"width="3" height="2" tilewidth"#, r#"width="4294967296" height="2" tilewidth"#, &["line 2", "`width` of <map>", "found \"4294967296\""]),
    ("no layer", " <layer id=\"1\" name=\"ground\" width=\"3\" height=\"2\">\n  <data encoding=\"csv\">\n1,2,3,\n1,0,1\n</data>\n </layer>\n", "", &["expected a map with a tile layer, found none", "Tile Layer"]),
    // Tilesets.
    ("a tileset that is missing", "name=\"ground\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"3\" columns=\"3\">", "source=\"nowhere.tsx\">", &["line 3", "expected the tileset \"nowhere.tsx\"", "put it there, or embed it"]),
    ("a tileset here and elsewhere", "name=\"ground\"", "name=\"ground\" source=\"nowhere.tsx\"", &["line 3", "a tileset with `source` or with `tilecount`"]),
    ("no first number", "firstgid=\"1\" ", "", &["line 3", "the attribute `firstgid` in <tileset>"]),
    ("first number zero", "firstgid=\"1\" ", "firstgid=\"0\" ", &["line 3", "a number from 1 to 268435455 as `firstgid`", "found 0"]),
    ("first numbers out of order", " <tileset firstgid=\"1\"", " <tileset firstgid=\"9\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"1\" columns=\"1\"/>\n <tileset firstgid=\"5\"", &["line 4", "a number from 10", "found 5"]),
    ("no count", "tilecount=\"3\"", "", &["line 3", "the attribute `tilecount` in <tileset>"]),
    ("a negative count", "tilecount=\"3\"", "tilecount=\"-3\"", &["line 3", "`tilecount` of <tileset>", "found \"-3\""]),
    ("a picture of no width", " columns=\"3\">\n  <image source=\"ground.png\" width=\"24\"", " margin=\"9\">\n  <image source=\"ground.png\" width=\"0\"", &["line 4", "a picture with tiles in it", "found 0 pixels for tiles of 8, with margins of 9"]),
    ("tiles of no width", "name=\"ground\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"3\" columns=\"3\"", "tilewidth=\"0\" tileheight=\"8\" tilecount=\"3\"", &["line 4", "a picture with tiles in it", "tiles of 0"]),
    ("a tile without number", "<tile id=\"1\">", "<tile>", &["line 5", "the attribute `id` in <tile>"]),
    ("a tile with a huge number", "<tile id=\"1\">", "<tile id=\"4294967295\">", &["line 5", "a number below 268435455", "found 4294967295"]),
    // Properties.
    ("weight zero", WEIGHT, r#"type="int" value="0""#, &["line 12, column 5", "a property of type int from 1 to 255 called \"weight\"", "found \"0\" of type \"int\"", "Add Property"]),
    ("a weight too large", WEIGHT, r#"type="int" value="256""#, &["line 12", "from 1 to 255", "found \"256\""]),
    ("a negative weight", WEIGHT, r#"type="int" value="-5""#, &["line 12", "found \"-5\""]),
    ("a weight in words", WEIGHT, r#"value="heavy""#, &["line 12", "found \"heavy\" of type \"string\""]),
    ("a weight as text", WEIGHT, r#"value="5""#, &["line 12", "of type int", "found \"5\" of type \"string\""]),
    ("a weight with a fraction", WEIGHT, r#"type="float" value="5""#, &["line 12", "found \"5\" of type \"float\""]),
    ("a weight without value", WEIGHT, r#"type="int""#, &["line 12", "found \"\" of type \"int\""]),
    ("blocked as text", r#"type="bool" value="true""#, r#"value="true""#, &["line 7, column 5", "a property of type bool called \"blocked\"", "found \"true\" of type \"string\""]),
    ("blocked as a number", r#"type="bool" value="true""#, r#"type="int" value="1""#, &["line 7", "found \"1\" of type \"int\""]),
    ("blocked perhaps", r#"type="bool" value="true""#, r#"type="bool" value="perhaps""#, &["line 7", "found \"perhaps\" of type \"bool\""]),
    // Layers.
    ("a layer of another size", r#"name="ground" width="3" height="2""#, r#"name="ground" width="2" height="3""#, &["line 16, column 2", "a layer of 3 x 2, as the map has", "found 2 x 3"]),
    ("a layer without size", r#"name="ground" width="3" height="2""#, r#"name="ground""#, &["line 16", "the attribute `width` in <layer>"]),
    ("a layer without data", DATA, "", &["line 16", "a layer with an element <data>", "found none"]),
    ("data twice", DATA, "<data encoding=\"csv\">1,2,3,1,0,1</data><data encoding=\"csv\">1,2,3,1,0,1</data>", &["line 17", "one element <data> in a layer", "found another"]),
    ("an unknown encoding", r#"encoding="csv""#, r#"encoding="rot13""#, &["line 17, column 3", "in CSV, or in Base64: uncompressed, zlib or gzip", "found \"rot13\"", "Tile Layer Format: CSV"]),
    ("compressed CSV", r#"encoding="csv""#, r#"encoding="csv" compression="zlib""#, &["line 17", "found \"csv\" with \"zlib\""]),
    ("zstd", r#"encoding="csv""#, r#"encoding="base64" compression="zstd""#, &["line 17", "found \"base64\" with \"zstd\"", "Tile Layer Format"]),
    ("an element for each tile", DATA, "<data><tile gid=\"1\"/><tile/></data>", &["line 17", "found an element for each tile", "Tile Layer Format: CSV"]),
    ("elements in CSV", DATA, "<data encoding=\"csv\"><tile gid=\"1\"/></data>", &["line 17", "the tiles of the layer as text", "found <tile>"]),
    ("chunks on a finite map", DATA, "<data encoding=\"csv\"><chunk x=\"0\" y=\"0\" width=\"1\" height=\"1\">1</chunk></data>", &["line 17", "found <chunk>"]),
    ("a remark in the data", "1,0,1", "1,<!-- nothing -->0,1", &["line 19", "the tiles of the layer as text alone"]),
    ("one tile too few", "1,0,1", "1,0", &["line 17", "expected 6 tiles for 3 x 2, found 5"]),
    ("one tile too many", "1,0,1", "1,0,1,1", &["expected 6 tiles for 3 x 2, found more"]),
    ("a comma at the end", "1,0,1", "1,0,1,", &["line 20, column 1", "expected the number of a tile, found \"\""]),
    ("no tiles", DATA, "<data encoding=\"csv\"></data>", &["line 17", "expected the number of a tile"]),
    ("a tile in words", "1,0,1", "1,floor,1", &["line 19, column 3", "expected the number of a tile", "found \"floor\""]),
    ("a negative tile", "1,0,1", "1,-1,1", &["line 19, column 3", "found \"-1\""]),
    ("a tile beyond the tileset", "1,0,1", "1,0,4", &["line 19, column 5", "a tile of one of the tilesets", "found number 4", "add the tileset"]),
    ("a tile before the tileset", "firstgid=\"1\"", "firstgid=\"2\"", &["line 18", "a tile of one of the tilesets", "found number 1"]),
    ("an escape sequence", "1,0,1", "1,\u{1b}[31m,1", &["line 19", "found \"\\u{1b}[31m\""]),
    ("Base64 that is none", DATA, "<data encoding=\"base64\">*nothing*</data>", &["line 17, column 27", "tiles in Base64", "the file is damaged"]),
    ("Base64 cut off", DATA, "<data encoding=\"base64\">AQAAAAIAAAADAAAAAQAAAAAAAAABAAA</data>", &["line 17", "tiles in Base64"]),
    ("Base64 of too few tiles", DATA, "<data encoding=\"base64\">AQAAAAIAAAADAAAA</data>", &["line 17", "expected 6 tiles for 3 x 2, found 3"]),
    ("Base64 with a part of a tile", DATA, "<data encoding=\"base64\">AQAAAAIAAAADAAAAAQAAAAAAAAABAAAAAQ==</data>", &["expected 6 tiles for 3 x 2, found more"]),
    ("Base64 of an unknown tile", DATA, "<data encoding=\"base64\">AQAAAAIAAAADAAAAAQAAAAAAAAAJAAAA</data>", &["line 17", "found number 9"]),
    ("zlib that is none", DATA, "<data encoding=\"base64\" compression=\"zlib\">AQAAAAIAAAADAAAAAQAAAAAAAAABAAAA</data>", &["line 17", "tiles in compressed Base64", "the file is damaged"]),
    ("gzip that is none", DATA, "<data encoding=\"base64\" compression=\"gzip\">AQAAAAIAAAADAAAAAQAAAAAAAAABAAAA</data>", &["line 17", "tiles in compressed Base64"]),
    ("zlib that is empty", DATA, "<data encoding=\"base64\" compression=\"zlib\"></data>", &["line 17", "expected"]),
    // Infinite maps.
    ("an infinite map without anything", "infinite=\"0\">\n <tileset firstgid=\"1\" name=\"ground\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"3\" columns=\"3\">\n  <image source=\"ground.png\" width=\"24\" height=\"8\"/>\n  <tile id=\"1\">\n   <properties>\n    <property name=\"blocked\" type=\"bool\" value=\"true\"/>\n   </properties>\n  </tile>\n  <tile id=\"2\">\n   <properties>\n    <property name=\"weight\" type=\"int\" value=\"5\"/>\n   </properties>\n  </tile>\n </tileset>\n <layer id=\"1\" name=\"ground\" width=\"3\" height=\"2\">\n  <data encoding=\"csv\">\n1,2,3,\n1,0,1\n</data>", "infinite=\"1\">\n <layer width=\"3\" height=\"2\"><data encoding=\"csv\"/>", &["expected a map with tiles, found an infinite one without any"]),
];
