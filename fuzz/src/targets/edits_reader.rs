//! Whatever the bytes, the reader of edits answers with edits or an error; and a map, a graph or a mesh takes such edits or refuses
//! them, and stands.

use milepost::{Atlas, Edge, Edit, Graph, Grid, NavMesh, Position, Rule, Space, StateId};
use milepost_maps::edits_file;
use std::sync::OnceLock;

/// A small space of each sort.
fn spaces() -> &'static [Space] {
    static SPACES: OnceLock<Vec<Space>> = OnceLock::new();
    SPACES.get_or_init(|| {
        let grid =
            |rule| Grid::from_ascii("....@...\n.@@.@.@.\n.@....@.\n........", rule).expect("a small map");
        let weighted = grid(Rule::Hex).with_weights(|x, y| 1 + (x * y % 3) as u8).expect("weights");
        let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 5 + from };
        let graph = Graph::from_edges(4, &[edge(0, 1), edge(1, 2), edge(2, 0), edge(2, 3)], Vec::new());
        vec![
            grid(Rule::Octile).into(),
            weighted.into(),
            graph.expect("a small graph").into(),
            square().into(),
        ]
    })
}

fn square() -> NavMesh {
    let corners = [(0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0)];
    let corners = corners.iter().map(|&(x, y)| Position::new(x, y, 0.0)).collect();
    NavMesh::new(corners, vec![vec![0, 1, 2], vec![0, 2, 3]], &[]).expect("two triangles")
}

pub(super) fn check(bytes: &[u8]) {
    let Ok(edits) = edits_file::read(bytes) else { return };
    let edits: Vec<Edit> = edits.iter().map(|edit| edit.edit).collect();
    for space in spaces() {
        let atlas = Atlas::new(space.clone());
        if let Ok(edited) = atlas.edited(&edits) {
            let again =
                Atlas::from_bytes(&edited.to_bytes()).expect("an edited space we wrote must be readable");
            assert_eq!(again.space().hash(), edited.space().hash(), "the space changed");
        }
    }
}
