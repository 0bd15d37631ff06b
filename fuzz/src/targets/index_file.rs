//! Whatever is changed in an index file, checksums put right again: it is refused, or no query panics or goes on for
//! ever; and what `verify` accepts gives paths that can be walked.
//!
//! The first byte chooses a sound file; then four bytes each say where and how to change it.

use crate::support::tampered;
use milepost::Rng;
use milepost::build::{SILENT, build};
use milepost::index::{INDEXES, IndexEntry};
use milepost::{Atlas, Edge, Graph, NodePosition, Rule, Scratch, StateId};
use milepost_maps::TileMap;
use std::sync::OnceLock;

const ROOMS: &str = "
    ......@.....@...
    ......@.....@...
    ..........@@@...
    ..@@............
    ..@.@.@.....@...
    @.@@@.@@@@.@@@@.
    ................
    ....@.....@@....
    ................";

/// Sound files: maps with all indexes that can be built, a map with weights, a graph.
fn sound() -> &'static [Vec<u8>] {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let map = TileMap::from_ascii(ROOMS.trim()).expect("a well-drawn map");
        let grid = |rule| map.grid(rule).expect("a small map");
        let mut hall = TileMap::filled(200, 3, b'.').expect("a small map");
        for x in [40, 90, 180] {
            hall.set(x, x % 3, b'@').expect("inside");
        }
        let indexed = |grid| {
            let one_more =
                |atlas: Atlas, entry: &IndexEntry| build(&atlas, entry.kind, SILENT).unwrap_or(atlas);
            INDEXES.iter().fold(Atlas::new(grid), one_more)
        };
        let weighted = grid(Rule::Hex).with_weights(|x, y| 1 + ((x * y) % 3) as u8).expect("weights");
        let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 5 + from };
        let edges = [edge(1, 2), edge(2, 3), edge(3, 1), edge(1, 3), edge(4, 5)];
        let positions = (0..6).map(|id| NodePosition { x: id, y: -id, z: 3 * id }).collect();
        let nodes = vec![false, true, true, true, true, true];
        [
            indexed(grid(Rule::Octile)),
            indexed(grid(Rule::Octile14)),
            indexed(hall.grid(Rule::Octile).expect("a small map")),
            Atlas::new(weighted),
            Atlas::new(Graph::from_parts(nodes, &edges, positions).expect("a small graph")),
        ]
        .iter()
        .map(Atlas::to_bytes)
        .collect()
    })
}

pub(super) fn check(input: &[u8]) {
    let Some((&first, changes)) = input.split_first() else { return };
    let mut bytes = sound()[usize::from(first) % sound().len()].clone();
    for change in changes.chunks_exact(4) {
        let at = (usize::from(change[0]) | usize::from(change[1]) << 8) % bytes.len();
        match change[2] % 5 {
            0 => bytes[at] = change[3],
            1 => bytes[at] ^= change[3],
            2 => bytes[at] = bytes[at].wrapping_add(change[3]),
            3 => {
                // Eight bytes change places with those a little further on.
                let other = at + 8 * (1 + usize::from(change[3]));
                if other + 8 <= bytes.len() {
                    (0..8).for_each(|byte| bytes.swap(at + byte, other + byte));
                }
            }
            _ => bytes[at..].iter_mut().take(4).for_each(|byte| *byte = change[3]),
        }
    }
    if let Some(atlas) = tampered::open(&mut bytes) {
        let mut rng = Rng::new(u64::from(first) + changes.len() as u64);
        tampered::exercise(&atlas, 20, &mut rng, &mut Scratch::new());
    }
}
