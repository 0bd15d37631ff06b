//! Whatever the bytes, the readers of meshes answer with a mesh or an error, and what a mesh was made of survives being written and
//! read again.

use milepost_maps::mesh::{json, obj, polyanya, read_json};

pub(super) fn check(bytes: &[u8]) {
    for file in [polyanya::read(bytes), obj::read(bytes), read_json(bytes, None)].into_iter().flatten() {
        if file.mesh().is_err() {
            continue;
        }
        let again =
            json::read(json::write(&file.parts).as_bytes()).expect("a mesh we wrote must be readable");
        assert_eq!(again.parts, file.parts, "the mesh changed");
        if let Some(text) = polyanya::write(&file.parts) {
            let again = polyanya::read(text.as_bytes()).expect("a mesh we wrote must be readable");
            assert_eq!(again.parts.polygons, file.parts.polygons, "polygons changed");
            assert_eq!(again.parts.vertices, file.parts.vertices, "vertices changed");
        }
    }
}
