//! First moves: every look-up begins a shortest path.

use milepost::build::{BuildError, CheckpointStore, SILENT, add_index, build, with_figures};
use milepost::index::{IndexKind, NextMove};
use milepost::{Atlas, Edge, Edit, Graph, Rule, StateId};
use milepost_maps::{Kind, generate};
use std::collections::BTreeMap;
use std::sync::Mutex;

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
    build(&Atlas::new(graph), IndexKind::FIRST_MOVES, SILENT).expect("any graph will do")
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

/// A map large enough to be compressed.
fn caves(rule: Rule) -> Atlas {
    let map = generate(Kind::Caves, 72, 56, 9).expect("a size that fits");
    Atlas::new(map.grid(rule).expect("a small map"))
}

fn bytes_of(atlas: &Atlas) -> Vec<u8> {
    build(atlas, IndexKind::FIRST_MOVES, SILENT).expect("any map will do").to_bytes()
}

#[test]
fn threads_change_no_byte_of_first_moves() {
    for rule in Rule::ALL {
        let atlas = caves(rule);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
            pool.install(|| bytes_of(&atlas))
        };
        assert!(with(1) == with(3), "{rule}");
    }
}

/// Keeps parts in memory, and fails after some.
#[derive(Default)]
struct Drawer {
    parts: Mutex<BTreeMap<String, Vec<u8>>>,
    most: usize,
    loads: Mutex<usize>,
}

impl CheckpointStore for Drawer {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let part = self.parts.lock().unwrap().get(name).cloned();
        *self.loads.lock().unwrap() += usize::from(part.is_some());
        Ok(part)
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let mut parts = self.parts.lock().unwrap();
        if parts.len() >= self.most {
            return Err("cannot be kept (the drawer is full)".to_owned());
        }
        parts.insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }
}

fn build_kept(atlas: &Atlas, drawer: &Drawer) -> Result<Atlas, BuildError> {
    Ok(with_figures(&add_index(atlas, IndexKind::FIRST_MOVES, SILENT, Some(drawer))?))
}

#[test]
fn a_build_that_was_stopped_goes_on_and_gives_the_same_bytes() {
    let atlas = caves(Rule::Octile);
    let expected = bytes_of(&atlas);
    let mut drawer = Drawer { most: 2, ..Drawer::default() };
    let stopped = build_kept(&atlas, &drawer).expect_err("a full drawer");
    assert!(stopped.to_string().contains("the drawer is full"), "{stopped}");
    assert_eq!(drawer.parts.lock().unwrap().len(), 2);
    drawer.most = usize::MAX;
    let built = build_kept(&atlas, &drawer).expect("room enough");
    assert!(built.to_bytes() == expected);
    assert_eq!(*drawer.loads.lock().unwrap(), 2, "what was kept is not worked out again");
    // All of it is there now.
    let again = build_kept(&atlas, &drawer).expect("all parts");
    assert!(again.to_bytes() == expected);
}

#[test]
fn parts_of_another_map_are_left_alone_and_damaged_ones_are_refused() {
    let drawer = Drawer { most: usize::MAX, ..Drawer::default() };
    let (one, other) = (caves(Rule::Octile), caves(Rule::Octile14));
    for atlas in [&one, &other] {
        let built = build_kept(atlas, &drawer).expect("room enough");
        assert!(built.to_bytes() == bytes_of(atlas));
    }
    assert_eq!(*drawer.loads.lock().unwrap(), 0, "no part of one map is taken for one of another");
    for (at, change) in [(0, 1), (9, 1), (40, 0x80), (usize::MAX, 1)] {
        let name = drawer.parts.lock().unwrap().keys().next().cloned().expect("some part");
        let sound = drawer.parts.lock().unwrap()[&name].clone();
        let mut damaged = sound.clone();
        let at = at.min(damaged.len() - 1);
        damaged[at] ^= change;
        drawer.parts.lock().unwrap().insert(name.clone(), damaged);
        let refused = [&one, &other]
            .map(|atlas| build_kept(atlas, &drawer))
            .into_iter()
            .find_map(Result::err)
            .expect("a damaged part");
        let message = refused.to_string();
        assert!(message.contains(&name) && message.contains("is damaged; delete it"), "{message}");
        drawer.parts.lock().unwrap().insert(name, sound);
    }
}

#[test]
fn a_look_up_allocates_nothing_and_answers_for_any_number() {
    let graph = sample_graph();
    let plain = caves(Rule::Octile);
    let atlas = build(&plain, IndexKind::FIRST_MOVES, SILENT).expect("any map will do");
    let bound = atlas.space().id_bound() as u32 + 70;
    let numbers = || (0..bound).step_by(13).chain([u32::MAX - 1, u32::MAX]).map(StateId::new);
    let counted = allocation_counter::measure(|| {
        for atlas in [&atlas, &graph, &plain] {
            for (state, goal) in numbers().flat_map(|a| numbers().map(move |b| (a, b))) {
                let is_pair = atlas.space().is_free(state) && atlas.space().is_free(goal);
                match atlas.next_move(state, goal) {
                    NextMove::NoIndex => assert!(!atlas.has(IndexKind::FIRST_MOVES)),
                    NextMove::Arrived => assert!(is_pair && state == goal),
                    NextMove::Move(next) => assert!(is_pair && atlas.space().is_free(next)),
                    NextMove::Unreachable => assert!(
                        !is_pair || !atlas.space().component(state).eq(&atlas.space().component(goal))
                    ),
                    other => panic!("{other:?}"),
                }
            }
        }
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn an_edited_map_has_no_first_moves_until_they_are_built_anew() {
    let atlas = build(&caves(Rule::Octile), IndexKind::FIRST_MOVES, SILENT).expect("any map will do");
    let state = atlas.space().free_states().next().expect("a free cell");
    let edited = atlas.edited(&[Edit::close(atlas.space().point(state))]).expect("a cell of the map");
    assert_eq!(edited.next_move(state, state), NextMove::NoIndex);
}
