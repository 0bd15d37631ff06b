//! Index files that were damaged, and such as were changed with care.

use crate::support::{rounds, tampered};
use milepost::Rng;
use milepost::build::{SILENT, build};
use milepost::index::{INDEXES, IndexKind};
use milepost::{Atlas, Edge, Edit, Graph, NodePosition, Point, Rule, Scratch, StateId};
use milepost_maps::TileMap;
use std::collections::BTreeMap;

const YARD: &str = "
    ............
    .@@@@@@@@@..
    .@......@@..
    .@.@@@@....@
    .@.@..@.@@.@
    .@.@@@@.@@..
    .@......@...
    ............";

/// Rooms with doors, and a cell that no path reaches.
const ROOMS: &str = "
    .......@..........@...
    .......@..........@...
    .......@...@@@....@...
    ...........@.@........
    .......@...@@@....@...
    .......@..........@...
    @@@.@@@@@@@.@@@@@@@@.@
    ......................
    ....@@.....@@.........
    ....@@.....@@...@@....
    .......@........@@....
    ......................";

fn drawn(drawing: &str, rule: Rule) -> Atlas {
    let map = TileMap::from_ascii(drawing.trim()).expect("a well-drawn map");
    Atlas::new(map.grid(rule).expect("a small map"))
}

/// A hall with rows longer than a byte can say.
fn hall() -> Atlas {
    let mut map = TileMap::filled(300, 6, b'.').expect("a small map");
    for (x, y) in [(3, 2), (150, 3), (151, 3), (290, 1), (299, 5), (40, 5), (41, 0)] {
        map.set(x, y, b'@').expect("inside");
    }
    Atlas::new(map.grid(Rule::Octile).expect("a small map"))
}

/// With every index that can be built for it.
fn indexed(atlas: &Atlas) -> Atlas {
    let one_more = |atlas: Atlas, kind| build(&atlas, kind, SILENT).unwrap_or(atlas);
    let indexed = INDEXES.iter().map(|entry| entry.kind).fold(atlas.clone(), one_more);
    assert!(indexed.has(IndexKind::JUMP_TABLE) && indexed.has(IndexKind::CORNER_LABELS));
    indexed
}

/// Maps with weights and links, and graphs: no index, but files all the same.
fn without_indexes() -> Vec<Atlas> {
    let grid = drawn(YARD, Rule::Hex).space().as_grid().expect("a grid").clone();
    let weighted = grid.with_weights(|x, y| 1 + ((x + y) % 3) as u8).expect("weights above zero");
    let link = Edit::Link { from: Point::new(0, 2), to: Point::new(11, 7), cost: 7 };
    let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 5 + from };
    let edges = [edge(1, 2), edge(2, 3), edge(3, 1), edge(1, 3), edge(4, 5)];
    let positions = (0..6).map(|id| NodePosition { x: id, y: -id, z: 3 * id }).collect();
    let nodes = vec![false, true, true, true, true, true];
    vec![
        Atlas::new(weighted.edited(&[link]).expect("cells of the map")),
        Atlas::new(Graph::from_parts(nodes, &edges, positions).expect("a small graph")),
        Atlas::new(Graph::quadtree(&grid).expect("a small tree")),
    ]
}

#[test]
fn every_changed_byte_and_every_truncation_of_a_file_with_indexes_is_an_error() {
    for rule in [Rule::Octile, Rule::Octile14] {
        let bytes = indexed(&drawn(YARD, rule)).to_bytes();
        assert_eq!(Atlas::from_bytes(&bytes).expect("a sound file").to_bytes(), bytes);
        for at in 0..bytes.len() {
            for change in [1, 0x80] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                assert!(Atlas::from_bytes(&changed).is_err(), "byte {at} of {}", bytes.len());
            }
            assert!(Atlas::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
    }
}

#[test]
fn a_file_whose_checksums_were_put_right_never_panics_and_verify_finds_what_cannot_be_walked() {
    let mut rng = Rng::new(91);
    let mut scratch = Scratch::new();
    let atlases = [
        indexed(&drawn(YARD, Rule::Octile)),
        indexed(&drawn(ROOMS, Rule::Octile)),
        indexed(&drawn(ROOMS, Rule::Octile14)),
        indexed(&hall()),
    ];
    // Of every section: how often it was changed, and how often what was changed could be opened.
    let mut changes: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for (index, atlas) in atlases.iter().enumerate() {
        let bytes = atlas.to_bytes();
        assert!(tampered::exercise(atlas, 100, &mut rng, &mut scratch));
        let mut sections = tampered::named_sections(atlas);
        sections.push(("header and table of sections", 0..sections[0].1.start));
        let (mut opened, mut verified) = (0, 0);
        let rounds = if index == 3 { 600 } else { 2000 };
        for round in 0..rounds {
            let (name, range) = sections[round % sections.len()].clone();
            let (tries, opens) = changes.entry(name).or_default();
            *tries += 1;
            let mut changed = bytes.clone();
            tampered::mutate(&mut changed, range, &mut rng);
            let Some(atlas) = tampered::open(&mut changed) else { continue };
            *opens += 1;
            opened += 1;
            verified += usize::from(tampered::exercise(&atlas, 100, &mut rng, &mut scratch));
        }
        assert!(opened > rounds / 10 && verified > 0 && verified < opened, "{opened} {verified}");
    }
    // No kind of section is left out, and each lets some changes through its checks.
    let kinds = INDEXES.iter().map(|entry| entry.name).chain(["map", "figures"]);
    for name in kinds {
        let (tries, opens) = changes.get(name).copied().unwrap_or_default();
        assert!(tries > 400 && opens > 10, "{name}: {opens} of {tries}");
    }
}

#[test]
fn runs_that_change_places_are_found_by_verify_or_do_no_harm() {
    let mut rng = Rng::new(94);
    let mut scratch = Scratch::new();
    let atlas = indexed(&drawn(ROOMS, Rule::Octile));
    let bytes = atlas.to_bytes();
    // The map comes first; of each index, and of the figures, some places will do.
    let sections = tampered::named_sections(&atlas).split_off(1);
    assert!(sections.len() > atlas.sections().len());
    for (_, section) in sections {
        let stride = (section.len() / rounds::<usize>(1600)).max(1) * 2;
        for at in (section.start..section.end.saturating_sub(24)).step_by(stride) {
            let mut changed = bytes.clone();
            (at..at + 8).for_each(|byte| changed.swap(byte, byte + 16));
            if let Some(atlas) = tampered::open(&mut changed) {
                tampered::exercise(&atlas, 20, &mut rng, &mut scratch);
            }
        }
    }
}

#[test]
fn maps_and_graphs_whose_checksums_were_put_right_never_panic() {
    let mut rng = Rng::new(92);
    let mut scratch = Scratch::new();
    for atlas in without_indexes() {
        let bytes = atlas.to_bytes();
        let mut opened = 0;
        for round in 0..3000 {
            let mut changed = bytes.clone();
            let range = if round % 4 == 0 { 0..bytes.len() } else { tampered::sections(&bytes)[0].clone() };
            tampered::mutate(&mut changed, range, &mut rng);
            if let Some(atlas) = tampered::open(&mut changed) {
                opened += 1;
                tampered::exercise(&atlas, 10, &mut rng, &mut scratch);
            }
        }
        assert!(opened > 100, "{opened}");
    }
}

#[test]
fn empty_arrays_and_sections_that_would_begin_behind_the_end_are_refused() {
    // One array of no bytes at byte 64 of a section of 24.
    let words = [1_u64, 64, 0];
    let section: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
    let key = IndexKind::JUMP_TABLE;
    let damage = drawn(YARD, Rule::Octile).with_section(key, &section).expect_err("damage");
    assert!(damage.to_string().contains("expected at least 64 bytes, found 24"), "{damage}");
    // One section of no bytes at byte 128 of a file of 104.
    let mut file = b"MILEPOST".to_vec();
    file.extend([Atlas::FORMAT_VERSION, 1].into_iter().flat_map(u32::to_le_bytes));
    file.extend([104_u64, 0, 1, 1, 1, 1, 1, 128, 0, 0, 0].into_iter().flat_map(u64::to_le_bytes));
    tampered::put_right(&mut file);
    let error = Atlas::from_bytes(&file).expect_err("damage").to_string();
    assert!(error.contains("the table of sections: at byte 64"), "{error}");
}

#[test]
fn a_section_of_another_map_is_refused_or_safe() {
    let mut rng = Rng::new(93);
    let mut scratch = Scratch::new();
    // The same size, one wall moved: every number still points to something.
    let (one, two) = (
        drawn(ROOMS, Rule::Octile),
        drawn(&ROOMS.replacen("@..........@...", "..........@@...", 1), Rule::Octile),
    );
    let sections = indexed(&one);
    let mut atlas = two;
    for section in sections.sections() {
        let bytes = section.bytes();
        match atlas.with_section(section.index(), bytes) {
            Ok(with) => atlas = with,
            Err(damage) => assert!(damage.to_string().contains("expected"), "{damage}"),
        }
    }
    assert!(!tampered::exercise(&atlas, 300, &mut rng, &mut scratch) || atlas.sections().is_empty());
}
