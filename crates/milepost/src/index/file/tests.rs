use super::*;
use crate::core::{Point, Rng, StateId};
use crate::space::{Edge, Edit, Extent, Graph, Grid, NodePosition};

fn atlases() -> Vec<Atlas> {
    let mut rng = Rng::new(71);
    let mut atlases = Vec::new();
    for rule in Rule::ALL {
        let grid = Grid::new(37, 21, rule, |_, _| rng.below(4) > 0).unwrap();
        let weighted = grid.with_weights(|x, y| 1 + ((x + y) % 3) as u8).unwrap();
        let link = Edit::Link { from: Point::new(1, 2), to: Point::new(30, 20), cost: 7 };
        atlases.push(Atlas::new(weighted.edited(&[link]).unwrap()));
        atlases.push(Atlas::new(grid));
    }
    let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 5 + from };
    let edges = [edge(1, 2), edge(2, 3), edge(3, 1), edge(1, 3)];
    let positions = (0..4).map(|id| NodePosition { x: id, y: -id, z: 3 * id }).collect();
    atlases.push(Atlas::new(Graph::from_parts(vec![false, true, true, true], &edges, positions).unwrap()));
    atlases.push(Atlas::new(Graph::from_edges(4, &edges, Vec::new()).unwrap()));
    atlases.push(Atlas::new(Graph::from_edges(4, &edges, Vec::new()).unwrap().with_scale(100).unwrap()));
    let grid = Grid::new(21, 13, Rule::Octile, |_, _| rng.below(4) > 0).unwrap();
    atlases.push(Atlas::new(Graph::quadtree(&grid).unwrap()));
    let voxels = Extent { width: 5, height: 7, depth: 6 };
    atlases.push(Atlas::new(Graph::octree(voxels, &[[1, 2, 3], [4, 0, 5]]).unwrap()));
    atlases
}

#[test]
fn an_atlas_comes_back_from_its_bytes() {
    for atlas in atlases() {
        let bytes = atlas.to_bytes();
        let again = Atlas::from_bytes(&bytes).unwrap();
        assert_eq!(again.space().hash(), atlas.space().hash());
        assert_eq!(again.space().scale(), atlas.space().scale());
        assert!(again.space().free_states().eq(atlas.space().free_states()));
        assert_eq!(again.to_bytes(), bytes, "written again, it is the same");
        assert_eq!(
            again.space().version(),
            atlas.space().version(),
            "a map that was saved is the same version"
        );
    }
}

#[test]
fn every_single_byte_change_and_every_truncation_is_an_error() {
    for atlas in atlases() {
        let bytes = atlas.to_bytes();
        for at in 0..bytes.len() {
            for change in [1, 0x80] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                assert!(Atlas::from_bytes(&changed).is_err(), "byte {at} of {}", bytes.len());
            }
            assert!(Atlas::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
        let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
        assert!(Atlas::from_bytes(&longer).is_err(), "one byte more");
    }
}

#[test]
fn other_files_and_versions_are_named() {
    let message = |bytes: &[u8]| Atlas::from_bytes(bytes).map(|_| ()).unwrap_err().to_string();
    assert!(message(b"type octile\n").contains("begins with type oct, expected MILEPOST"));
    assert!(message(b"").contains("begins with nothing"));
    let mut bytes = atlases()[0].to_bytes();
    bytes[8] = 9;
    assert!(message(&bytes).contains("version 9, and this program reads version 2; build it anew"));
}

#[test]
fn version_1_is_refused_with_both_versions_and_the_command_that_builds_anew() {
    // Version 1 wrote some kinds of sections in another order: its files look like those of today.
    for atlas in atlases() {
        let mut bytes = atlas.to_bytes();
        bytes[8] = 1;
        let table_end = HEADER + ENTRY;
        let checksum = xxh3_64(&bytes[..table_end]).to_le_bytes();
        bytes[table_end..table_end + CHECKSUM].copy_from_slice(&checksum);
        let error = Atlas::from_bytes(&bytes).map(|_| ()).unwrap_err();
        assert_eq!(error, IndexFileError::OtherVersion { found: 1 });
        let message = error.to_string();
        for piece in ["version 1,", "reads version 2;", "milepost build MAP --index LIST -o FILE"] {
            assert!(message.contains(piece), "{message}");
        }
    }
}

#[test]
fn a_file_with_an_index_that_is_gone_is_refused_with_what_took_its_place() {
    const JUMP_ROWS: u16 = 19;
    for atlas in atlases() {
        // A second section of that kind, whatever it holds.
        let bytes = atlas.to_bytes();
        let map_at = number(&bytes, HEADER + 8, 8).unwrap() as usize;
        let map = &bytes[map_at..];
        let rows = [7_u8; 100];
        let table_end = HEADER + 2 * ENTRY;
        let map_begin = (table_end + CHECKSUM).next_multiple_of(ALIGNMENT);
        let rows_begin = (map_begin + map.len()).next_multiple_of(ALIGNMENT);
        let mut file = bytes[..HEADER].to_vec();
        file[12] = 2;
        file[16..24].copy_from_slice(&((rows_begin + rows.len()) as u64).to_le_bytes());
        let map_kind = number(&bytes, HEADER, 2).unwrap() as u16;
        Entry::of(map_kind, None, map_begin, map).write(&mut file);
        Entry::of(JUMP_ROWS, None, rows_begin, &rows).write(&mut file);
        file.extend(xxh3_64(&file).to_le_bytes());
        file.resize(map_begin, 0);
        file.extend(map);
        file.resize(rows_begin, 0);
        file.extend(rows);
        let message = Atlas::from_bytes(&file).map(|_| ()).unwrap_err().to_string();
        for piece in
            ["holds the index `jump-rows`, which is gone", "milepost build MAP --index corner-labels -o FILE"]
        {
            assert!(message.contains(piece), "{message}");
        }
        // Damage comes first, and names it.
        *file.last_mut().unwrap() ^= 1;
        let message = Atlas::from_bytes(&file).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains("is damaged, section `jump-rows`"), "{message}");
    }
}
