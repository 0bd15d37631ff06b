//! Meshes of every format: what each number means, what writers write, and real meshes where there are any.

use milepost::{MeshArea, MeshLink, MeshParts, Position};
use milepost_maps::mesh::{json, obj, polyanya, read_json};
use std::path::{Path, PathBuf};

/// Two triangles that share an edge.
const SQUARE: &str =
    "mesh\n2\n4 2\n0 0 2 0 -1\n2 0 3 0 1 -1\n2 2 2 1 -1\n0 2 3 -1 1 0\n3 0 1 3 -1 -1 1\n3 1 2 3 0 -1 -1\n";

#[test]
fn every_number_of_a_polyanya_mesh_reaches_its_place() {
    let file = polyanya::read(SQUARE.as_bytes()).unwrap();
    let parts = &file.parts;
    assert_eq!(parts.vertices[2], Position::new(2.0, 2.0, 0.0));
    assert_eq!(parts.polygons, [[0, 1, 3], [1, 2, 3]]);
    // The first neighbour is beyond the edge from the last vertex to the first one.
    let neighbours = [vec![None, Some(1), None], vec![None, None, Some(0)]];
    assert_eq!(parts.neighbours.as_deref(), Some(&neighbours[..]));
    assert_eq!(file.mesh().unwrap().polygon_count(), 2);
    let in_one_line = SQUARE.replace('\n', " ");
    let mut pieces = in_one_line.split(' ');
    let head: Vec<&str> = pieces.by_ref().take(4).collect();
    let rest: Vec<&str> = pieces.collect();
    let text = format!("{}\n{}\n{} {}\n{}", head[0], head[1], head[2], head[3], rest.join(" "));
    assert_eq!(polyanya::read(text.as_bytes()).unwrap().parts, *parts, "lines mean nothing");
    let weighted = SQUARE
        .replace("mesh\n", "weighted_mesh\n")
        .replace("-1 1\n3", "-1 1 4\n3")
        .replace("0 -1 -1\n", "0 -1 -1 2.5\n");
    let parts = polyanya::read(weighted.as_bytes()).unwrap().parts;
    assert_eq!(parts.areas, [0, 1]);
    assert_eq!(parts.area_kinds, [MeshArea::new("4", 400), MeshArea::new("2.5", 250)]);
}

#[test]
fn version_3_may_have_heights_and_costs() {
    let plain = SQUARE.replace("mesh\n2\n", "mesh\n3\n");
    assert_eq!(
        polyanya::read(plain.as_bytes()).unwrap().parts,
        polyanya::read(SQUARE.as_bytes()).unwrap().parts
    );
    let high = "mesh\n3\n4 2\n0 0 5.5 2 0 -1\n2 0 5 3 0 1 -1\n2 2 5 2 1 -1\n0 2 5 3 -1 1 0\n3 0 1 3 -1 -1 1 2\n3 1 2 3 0 -1 -1 3\n";
    let parts = polyanya::read(high.as_bytes()).unwrap().parts;
    assert_eq!((parts.has_heights, parts.vertices[0].z), (true, 5.5));
    assert_eq!(parts.area_kinds, [MeshArea::new("2", 200), MeshArea::new("3", 300)]);
    let short = "mesh\n3\n4 2\n0 0 0\n2 0 0\n2 2 0\n0 2 0\n3 0 1 3\n3 1 2 3\n";
    let parts = polyanya::read(short.as_bytes()).unwrap().parts;
    assert_eq!((parts.neighbours, parts.polygons.len()), (None, 2));
}

/// A mesh with everything that our own format holds.
fn everything() -> MeshParts {
    let at = |x: f64, y: f64| Position::new(x, y, 0.5);
    let mut parts = MeshParts::flat(
        vec![at(0.0, 0.0), at(2.0, 0.0), at(2.0, 2.0), at(0.0, 2.0), at(4.0, 0.0), at(4.0, 2.0)],
        vec![vec![0, 1, 2, 3], vec![1, 4, 5, 2]],
    );
    (parts.unit, parts.height_unit, parts.y_up) = (0.25, 0.125, true);
    parts.areas = vec![1, 0];
    parts.area_kinds = vec![MeshArea::blocked("door"), MeshArea::new("deep \"water\"", 425)];
    parts.neighbours = Some(vec![vec![None, Some(1), None, None], vec![None, None, None, Some(0)]]);
    parts.links =
        vec![MeshLink { from: at(0.5, 0.5).into(), to: at(3.5, 1.5).into(), cost: 275, both_ways: true }];
    parts
}

#[test]
fn our_own_format_gives_everything_back() {
    let parts = everything();
    assert_eq!(json::read(json::write(&parts).as_bytes()).unwrap().parts, parts);
    let plain = MeshParts::flat(
        vec![Position::new(0.0, 0.0, 0.0), Position::new(1.0, 0.0, 0.0), Position::new(0.0, 1.0, 0.0)],
        vec![vec![0, 1, 2]],
    );
    assert_eq!(json::read(json::write(&plain).as_bytes()).unwrap().parts, plain);
    assert_eq!(polyanya::write(&parts), None, "heights, links and doors have no place there");
}

#[test]
fn faces_become_polygons_and_materials_areas() {
    let text = "# a floor, a wall and a ramp\no level\nv 0 1 0\nv 0 1 2\nv 2 1 2\nv 2 1 0\nv 2 3 0\nvn 0 1 0\nusemtl grass\nf 1//1 2//1 3//1 4//1\n\
                f 3 4 5\nusemtl deep water\nv 2 1 2\nv 2 1 0\nv 4 0 0\nv 4 0 2\nf -4 -1 -2 -3\n";
    let file = obj::read(text.as_bytes()).unwrap();
    let parts = &file.parts;
    assert_eq!(parts.polygons.len(), 2, "the wall is left out");
    assert_eq!(parts.vertices.len(), 7, "the same places are the same vertices");
    assert_eq!(parts.vertices[1], Position::new(0.0, 2.0, 1.0), "x, z and y");
    let names: Vec<&str> = parts.area_kinds.iter().map(|area| area.name.as_str()).collect();
    assert_eq!((names, &parts.areas[..]), (vec!["grass", "deep water"], &[0, 1][..]));
    assert!(parts.y_up && file.mesh().is_ok(), "{:?}", file.mesh().err());
}

#[test]
fn meshes_of_recast_lie_where_their_cells_are() {
    let text = r#"{"verts": [[0,1,0],[2,1,0],[2,3,2],[0,1,2]], "nvp": 3, "cs": 0.5, "ch": 0.25, "bmin": [-10,5,20],
        "polys": [0,3,2,65535,65535,1, 0,2,1,0,65535,32770], "areas": [63, 5], "flags": [0,0], "borderSize": 0}"#;
    let file = read_json(text.as_bytes(), None).unwrap();
    let parts = &file.parts;
    assert_eq!(parts.vertices[2], Position::new(-9.0, 21.0, 5.75));
    assert_eq!((parts.unit, parts.height_unit, parts.y_up, parts.has_heights), (0.5, 0.25, true, true));
    let neighbours = [vec![None, None, Some(1)], vec![Some(0), None, None]];
    assert_eq!(parts.neighbours.as_deref(), Some(&neighbours[..]), "the border of a tile is a wall");
    let names: Vec<&str> = parts.area_kinds.iter().map(|area| area.name.as_str()).collect();
    assert_eq!((names, &parts.areas[..]), (vec!["5", "63"], &[1, 0][..]));
    assert!(file.mesh().is_ok());
    let bare = text.replace("\"cs\": 0.5, \"ch\": 0.25, \"bmin\": [-10,5,20],", "");
    let config = br#"{"cs": 0.5, "ch": 0.25, "bmin": [-11,5,19], "borderSize": 2, "walkableRadius": 2}"#;
    assert_eq!(read_json(bare.as_bytes(), Some(config)).unwrap().parts, *parts);
}

/// The folder of real meshes, beside that of real maps.
fn real_meshes() -> Option<PathBuf> {
    let Some(maps) = std::env::var_os("MILEPOST_MAPS") else {
        println!("skipped: MILEPOST_MAPS is unset");
        return None;
    };
    let folder = Path::new(&maps).join("../meshes");
    if !folder.is_dir() {
        println!("skipped: there is no {}", folder.display());
        return None;
    }
    Some(folder)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn real_meshes_load_and_survive_being_written() {
    let Some(folder) = real_meshes() else { return };
    for part in ["dao", "sc1"] {
        for path in files(&folder.join(part)) {
            let file = milepost_maps::read_mesh(&path).unwrap();
            let mesh = file.mesh().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(mesh.polygon_count() as usize, file.parts.polygons.len());
            let again = polyanya::read(polyanya::write(&file.parts).unwrap().as_bytes()).unwrap();
            assert_eq!(again.parts, file.parts, "{}", path.display());
            let again = json::read(json::write(&file.parts).as_bytes()).unwrap();
            assert_eq!(again.parts, file.parts, "{}", path.display());
        }
    }
    for path in files(&folder.join("recast")) {
        if path.to_string_lossy().ends_with("poly_mesh.json") {
            let file = milepost_maps::read_mesh(&path).unwrap();
            file.mesh().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(file.parts.y_up);
        }
    }
}

#[test]
fn degenerate_meshes_load_or_are_refused_by_name() {
    let Some(folder) = real_meshes() else { return };
    let mut loaded = 0;
    for path in files(&folder.join("degenerate")) {
        match milepost_maps::open_mesh(&path) {
            Ok(_) => loaded += 1,
            Err(error) => {
                let message = error.to_string();
                println!("{message}");
                assert!(message.contains("line ") || message.contains('#'), "{message}");
                if path.ends_with("weighted-arena.mesh") {
                    assert!(message.contains("line 115"), "{message}");
                }
            }
        }
    }
    assert!(loaded >= 3, "{loaded}");
}
