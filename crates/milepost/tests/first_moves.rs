//! First moves: every look-up begins a shortest path.

use milepost::build::{SILENT, build};
use milepost::index::{IndexKind, NextMove};
use milepost::{Atlas, Edge, Graph, StateId};

/// The sample graph of the chapter "Precalculated pathfinding": A-B, A-E, B-C, B-E, C-D, D-E, all of length 1.
///
/// ```text
/// A-B-C
///  \| |
///   E |
///    \|
///     D
/// ```
fn sample_graph() -> Atlas {
    let joined = [(0, 1), (0, 4), (1, 2), (1, 4), (2, 3), (3, 4)];
    let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 1 };
    let edges: Vec<Edge> = joined.iter().flat_map(|&(a, b)| [edge(a, b), edge(b, a)]).collect();
    let graph = Graph::from_edges(5, &edges, Vec::new()).expect("a small graph");
    build(&Atlas::new(graph), IndexKind::FirstMoves, SILENT).expect("any graph will do")
}

/// The table as it is printed there.
const PRINTED: [&str; 5] = [".BBEE", "A.CEE", "BB.DB", "EEC.E", "ABBD."];

#[test]
fn the_sample_graph_has_the_printed_table_but_for_four_entries_that_tie() {
    let atlas = sample_graph();
    let name = |state: StateId| char::from(b'A' + state.number() as u8);
    let mut different = Vec::new();
    for (from, row) in (0..).zip(PRINTED) {
        for (to, printed) in (0..).zip(row.chars()) {
            let (from, to) = (StateId::new(from), StateId::new(to));
            let found = match atlas.next_move(from, to) {
                NextMove::Arrived => '.',
                NextMove::Move(state) => name(state),
                other => panic!("{from} to {to}: {other:?}"),
            };
            if found != printed {
                different.push(format!("{}{}", name(from), name(to)));
            }
        }
    }
    let tied = ["BD", "CE", "DB", "EC"];
    assert!(different.iter().all(|pair| tied.contains(&pair.as_str())), "{different:?}");
}
