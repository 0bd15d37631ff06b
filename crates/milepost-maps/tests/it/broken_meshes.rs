//! Broken meshes of every format: each is refused with a message that says where, what was expected and what was found.

use crate::support::refuse_all;
use milepost_maps::MeshFile;
use milepost_maps::mesh::{json, obj, polyanya, read_json};
use proptest::prelude::*;

/// A broken text and the pieces that its message must contain.
type Case = (&'static str, &'static [u8], &'static [&'static str]);

fn checked(file: Result<MeshFile, milepost_maps::MeshFileError>) -> Result<(), String> {
    let file = file.map_err(|error| error.to_string())?;
    file.mesh().map(|_| ()).map_err(|error| error.to_string())
}

#[rustfmt::skip]
const BROKEN_POLYANYA: &[Case] = &[
    ("zero bytes", b"", &["the file is empty", "`mesh` or `weighted_mesh`", "found 0 bytes"]),
    ("a map", b"type octile\nheight 3\n", &["line 1", "`mesh` or `weighted_mesh`", "octile"]),
    ("version 1", b"mesh\n1\n3 1\n", &["line 2", "version 2 or 3", "\"1\""]),
    ("no version", b"mesh\n", &["line 2", "version 2 or 3", "end of the file"]),
    ("no counts", b"mesh\n2\n", &["line 3", "the numbers of vertices and of polygons"]),
    ("counts in words", b"mesh\n2\nthree 1\n", &["line 3", "the number of vertices", "\"three\""]),
    ("a billion vertices", b"mesh\n2\n4000000000 1\n0 0 2 0 -1\n", &["line 4", "found the end of the file"]),
    ("a vertex that is no number", b"mesh\n2\n3 1\n0 nan 2 0 -1\n1 0 2 0 -1\n0 1 2 0 -1\n3 0 1 2 -1 -1 -1\n", &["line 4, column 3", "y as a finite number", "\"nan\""]),
    ("an infinite vertex", b"mesh\n2\n3 1\n0 1e999 2 0 -1\n1 0 2 0 -1\n0 1 2 0 -1\n3 0 1 2 -1 -1 -1\n", &["line 4, column 3", "\"1e999\""]),
    ("a vertex with a number too many", b"mesh\n2\n3 1\n0 0 2 0 -1 7\n1 0 2 0 -1\n0 1 2 0 -1\n3 0 1 2 -1 -1 -1\n", &["line 4, column 12", "the end of the vertex", "\"7\""]),
    ("a vertex with a number too few", b"mesh\n2\n3 1\n0 0 2 0\n1 0 2 0 -1\n0 1 2 0 -1\n3 0 1 2 -1 -1 -1\n", &["line 4", "a polygon beside the vertex"]),
    ("a vertex out of range", b"mesh\n2\n3 1\n0 0 2 0 -1\n1 0 2 0 -1\n0 1 2 0 -1\n3 0 1 3 -1 -1 -1\n", &["line 7", "a vertex below 3", "\"3\""]),
    ("a neighbour out of range", b"mesh\n2\n3 1\n0 0 2 0 -1\n1 0 2 0 -1\n0 1 2 0 -1\n3 0 1 2 -1 1 -1\n", &["line 7", "a polygon below 1, or -1"]),
    ("a polygon of two vertices", b"mesh\n2\n3 1\n0 0 2 0 -1\n1 0 2 0 -1\n0 1 2 0 -1\n2 0 1 -1 -1\n", &["line 7", "polygon #0"]),
    ("a polygon without area", b"mesh\n2\n3 1\n0 0 2 0 -1\n1 0 2 0 -1\n2 0 2 0 -1\n3 0 1 2 -1 -1 -1\n", &["line 7", "polygon #0"]),
    ("a dent", b"mesh\n2\n4 1\n0 0 2 0 -1\n4 0 2 0 -1\n1 1 2 0 -1\n0 4 2 0 -1\n4 0 1 2 3 -1 -1 -1 -1\n", &["line 8", "polygon #0"]),
    ("mixed winding", b"mesh\n2\n4 2\n0 0 2 0 -1\n2 0 2 0 -1\n2 2 2 0 -1\n0 2 2 0 -1\n3 0 1 2 -1 -1 -1\n3 0 3 2 -1 -1 -1\n", &["line 9", "polygon #1"]),
    ("a neighbour without a shared edge", b"mesh\n2\n6 2\n0 0 1 -1\n1 0 1 -1\n0 1 1 -1\n5 5 1 -1\n6 5 1 -1\n5 6 1 -1\n3 0 1 2 1 -1 -1\n3 3 4 5 -1 -1 -1\n", &["line 10", "do not share that edge"]),
    ("a rest", b"mesh\n2\n3 1\n0 0 2 0 -1\n1 0 2 0 -1\n0 1 2 0 -1\n3 0 1 2 -1 -1 -1\n3 0 1 2 -1 -1 -1\n", &["line 8", "nothing after the last polygon"]),
    ("a cost of nothing", b"weighted_mesh\n2\n3 1\n0 0 2 0 -1\n1 0 2 0 -1\n0 1 2 0 -1\n3 0 1 2 -1 -1 -1 0\n", &["line 7", "a cost from 0.01 to 1000"]),
    ("no cost", b"weighted_mesh\n2\n3 1\n0 0 2 0 -1\n1 0 2 0 -1\n0 1 2 0 -1\n3 0 1 2 -1 -1 -1\n", &["line 7", "what the polygon costs"]),
    ("no polygon", b"mesh\n2\n3 0\n0 0 2 0 -1\n1 0 2 0 -1\n0 1 2 0 -1\n", &["polygon"]),
];

#[rustfmt::skip]
const BROKEN_OBJ: &[Case] = &[
    ("zero bytes", b"", &["the file is empty", "`f A B C`"]),
    ("no face", b"v 0 0 0\nv 1 0 0\n", &["line 2", "at least one face"]),
    ("walls alone", b"v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", &["line 4", "at least one face"]),
    ("two coordinates", b"v 0 0\n", &["line 1", "`v X Y Z`"]),
    ("no number", b"v 0 0 zero\n", &["line 1, column 7", "z as a finite number"]),
    ("vertex 0", b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 0 1 2\n", &["line 4, column 3", "a vertex from 1 to 3", "\"0\""]),
    ("a vertex too far", b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 4//7\n", &["line 4, column 7", "a vertex from 1 to 3"]),
    ("a vertex too far back", b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf -1 -2 -4\n", &["line 4", "-3 to -1"]),
    ("two corners", b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2\n", &["line 4", "at least three"]),
    ("a corner twice", b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3 1\n", &["line 4", "polygon #0"]),
    ("a material without a name", b"usemtl\n", &["line 1", "usemtl NAME"]),
    ("mixed winding", b"v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 1 4 3\n", &["line 6", "polygon #1"]),
    ("three faces at an edge", b"v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1 1\nf 1 2 3\nf 1 2 4\n", &["line 6", "polygon"]),
];

#[rustfmt::skip]
const BROKEN_JSON: &[Case] = &[
    ("zero bytes", b"", &["line 1", "EOF"]),
    ("no object", b"[1, 2]", &["line 1", "column 5"]),
    ("cut off", b"{\"milepost-mesh\": 1,\n\"vertices\": [[0, 0", &["line 2", "EOF"]),
    ("another version", b"{\"milepost-mesh\": 2, \"vertices\": [], \"polygons\": []}", &["milepost-mesh", "version 1", "found 2"]),
    ("no version", b"{\"vertices\": [], \"polygons\": []}", &["milepost-mesh"]),
    ("an unknown member", b"{\"milepost-mesh\": 1, \"vertices\": [],\n \"polygon\": []}", &["line 2", "unknown field `polygon`"]),
    ("an unknown member with a bell", b"{\"a\\u0007\": 1}", &["line 1", "unknown field"]),
    ("a text for a number", b"{\"milepost-mesh\": 1, \"vertices\": [[0, \"1\"]], \"polygons\": []}", &["line 1"]),
    ("nothing in it", b"{\"milepost-mesh\": 1, \"vertices\": [], \"polygons\": []}", &["polygon"]),
    ("a vertex out of range", b"{\"milepost-mesh\": 1, \"vertices\": [[0,0],[1,0],[0,1]], \"polygons\": [{\"vertices\": [0,1,3]}]}", &["polygon #0", "vertices below 3", "found 3"]),
    ("an unknown area", b"{\"milepost-mesh\": 1, \"vertices\": [[0,0],[1,0],[0,1]], \"polygons\": [{\"vertices\": [0,1,2], \"area\": \"lava\"}]}", &["polygon #0", "an area of the list", "lava"]),
    ("a dear area", b"{\"milepost-mesh\": 1, \"areas\": [{\"name\": \"a\", \"cost\": 1001}], \"vertices\": [], \"polygons\": []}", &["area `a`", "0.01 to 1000", "1001"]),
    ("thousandths", b"{\"milepost-mesh\": 1, \"areas\": [{\"name\": \"a\", \"cost\": 1.005}], \"vertices\": [], \"polygons\": []}", &["area `a`", "hundredths"]),
    ("an area twice", b"{\"milepost-mesh\": 1, \"areas\": [{\"name\": \"a\"}, {\"name\": \"a\"}], \"vertices\": [], \"polygons\": []}", &["area `a`", "a name of its own"]),
    ("neighbours for one", b"{\"milepost-mesh\": 1, \"vertices\": [[0,0],[1,0],[1,1],[0,1]], \"polygons\": [{\"vertices\": [0,1,2], \"neighbours\": [null,null,1]}, {\"vertices\": [0,2,3]}]}", &["polygon #1", "for all polygons or for none"]),
    ("a link for nothing", b"{\"milepost-mesh\": 1, \"vertices\": [[0,0],[1,0],[0,1]], \"polygons\": [{\"vertices\": [0,1,2]}], \"links\": [{\"from\": [0,0], \"to\": [0.5,0], \"cost\": 0}]}", &["link 0", "at least 0.01"]),
    ("Recast without numbers", b"{\"nvp\": 6, \"verts\": [], \"polys\": [1, 2]}", &["cs", "nothing"]),
    ("Recast of another length", b"{\"nvp\": 3, \"cs\": 1, \"ch\": 1, \"bmin\": [0,0,0], \"verts\": [], \"polys\": [1, 2]}", &["polys", "6 numbers for each polygon"]),
    ("Recast with a vertex out of range", b"{\"nvp\": 3, \"cs\": 1, \"ch\": 1, \"bmin\": [0,0,0], \"verts\": [[0,0,0],[1,0,0],[0,0,1]], \"polys\": [0,1,7,65535,65535,65535]}", &["polygon #0", "vertices below 3", "found 7"]),
    ("Recast with a neighbour out of range", b"{\"nvp\": 3, \"cs\": 1, \"ch\": 1, \"bmin\": [0,0,0], \"verts\": [[0,0,0],[1,0,0],[0,0,1]], \"polys\": [0,1,2,5,65535,65535]}", &["polygon #0", "neighbours below 1"]),
    ("Recast with cells of nothing", b"{\"nvp\": 3, \"cs\": 0, \"ch\": 1, \"bmin\": [0,0,0], \"verts\": [[0,0,0],[1,0,0],[0,0,1]], \"polys\": [0,1,2,65535,65535,65535]}", &["0"]),
    ("Recast with too few areas", b"{\"nvp\": 3, \"cs\": 1, \"ch\": 1, \"bmin\": [0,0,0], \"verts\": [[0,0,0],[1,0,0],[0,0,1]], \"polys\": [0,1,2,65535,65535,65535], \"areas\": [1, 2]}", &["areas", "1 areas"]),
    ("Recast with many to a polygon", b"{\"nvp\": 4000000000, \"cs\": 1, \"ch\": 1, \"bmin\": [0,0,0], \"verts\": [], \"polys\": []}", &["nvp", "3 to 64"]),
];

#[test]
fn broken_polyanya_meshes_are_refused_with_their_line() {
    refuse_all(BROKEN_POLYANYA, |bytes| checked(polyanya::read(bytes)));
}

#[test]
fn broken_faces_are_refused_with_their_line() {
    refuse_all(BROKEN_OBJ, |bytes| checked(obj::read(bytes)));
}

#[test]
fn broken_documents_are_refused_with_what_is_wrong_in_them() {
    refuse_all(BROKEN_JSON, |bytes| checked(read_json(bytes, None)));
}

/// A small mesh in each format.
const SOUND: [&str; 6] = [
    "mesh\n2\n4 2\n0 0 2 0 -1\n2 0 3 0 1 -1\n2 2 2 1 -1\n0 2 3 -1 1 0\n3 0 1 3 -1 -1 1\n3 1 2 3 0 -1 -1\n",
    "weighted_mesh\n2\n3 1\n0 0 2 0 -1\n1 0 2 0 -1\n0 1 2 0 -1\n3 0 1 2 -1 -1 -1 2.5\n",
    "mesh\n3\n4 2\n0 0 5.5 2 0 -1\n2 0 5 3 0 1 -1\n2 2 5 2 1 -1\n0 2 5 3 -1 1 0\n3 0 1 3 -1 -1 1 2\n3 1 2 3 0 -1 -1 3\n",
    "v 0 0 0\nv 2 0 0\nv 2 0 2\nv 0 0 2\nusemtl mud\nf 1 4 3\nf 1 3 2\n",
    "{\"milepost-mesh\": 1, \"areas\": [{\"name\": \"a\", \"cost\": 2}], \"vertices\": [[0,0,1],[2,0,1],[2,2,1],[0,2,1]], \"polygons\": \
     [{\"vertices\": [0,1,2]}, {\"vertices\": [0,2,3]}], \"links\": [{\"from\": [1.5,0.5], \"to\": [0.5,1.5], \"cost\": 2}]}",
    "{\"nvp\": 3, \"cs\": 0.5, \"ch\": 0.25, \"bmin\": [0,1,0], \"verts\": [[0,0,0],[0,0,4],[4,0,4],[4,0,0]], \"polys\": \
     [0,1,2,65535,65535,1,0,2,3,0,65535,65535], \"areas\": [1, 2]}",
];

/// Reads bytes in every format.
fn read_all(bytes: &[u8]) -> [Result<(), String>; 3] {
    [checked(polyanya::read(bytes)), checked(obj::read(bytes)), checked(read_json(bytes, None))]
}

#[test]
fn meshes_that_are_cut_off_or_have_another_byte_are_read_or_refused_and_never_hang() {
    for text in SOUND {
        assert_eq!(read_all(text.as_bytes()).iter().filter(|read| read.is_ok()).count(), 1, "{text}");
        let mut bytes = text.as_bytes().to_vec();
        for end in 0..bytes.len() {
            let _ = read_all(&bytes[..end]);
        }
        for place in 0..bytes.len() {
            let kept = bytes[place];
            for other in *b"09-. \n\"[]{}e\0\xff" {
                bytes[place] = other;
                let _ = read_all(&bytes);
            }
            bytes[place] = kept;
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        let _ = (checked(polyanya::read(&bytes)), checked(obj::read(&bytes)), checked(read_json(&bytes, None)));
    }

    #[test]
    fn arbitrary_numbers_never_panic(text in "([0-9]{1,2}|-1|[ \n]){0,60}", header in "(mesh|weighted_mesh)\n[23]\n[0-9] [0-9]\n") {
        let _ = checked(polyanya::read((header + &text).as_bytes()));
    }

    #[test]
    fn arbitrary_faces_never_panic(text in "((v|f|usemtl)( [0-9-]{1,2}){1,4}\n){0,20}") {
        let _ = checked(obj::read(text.as_bytes()));
    }

    #[test]
    fn arbitrary_documents_never_panic(
        vertices in prop::collection::vec((-3i32..4, -3i32..4), 0..8),
        polygons in prop::collection::vec(prop::collection::vec(0u32..9, 0..6), 0..6),
    ) {
        let vertices: Vec<String> = vertices.iter().map(|(x, y)| format!("[{x},{y}]")).collect();
        let polygons: Vec<String> = polygons.iter().map(|list| format!("{{\"vertices\":{list:?}}}")).collect();
        let text = format!(
            "{{\"milepost-mesh\":1,\"vertices\":[{}],\"polygons\":[{}]}}", vertices.join(","), polygons.join(",")
        );
        let _ = checked(json::read(text.as_bytes()));
    }
}
