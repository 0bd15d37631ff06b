//! Tests of the DIMACS readers and writers.

use proptest::prelude::*;

use super::*;
use crate::any_input::any_damage;

const GRAPH: &[u8] = b"c a triangle\nc\np sp 3 4\na 1 2 803\na 2 1 803\na 2 3 158\na 3 1 4294967295\n";
const COORDINATES: &[u8] = b"p aux sp co 3\nv 1 -73530767 41085396\nv 3 0 -1\nv 2 9 8\n";
const PAIRS: &[u8] = b"c two\np aux sp p2p 2\nq 1 3\nq 3 3\n";

fn arc(from: u32, to: u32, cost: u32) -> Arc {
    Arc { from, to, cost }
}

#[test]
fn every_number_reaches_its_field() {
    let graph = read_graph(GRAPH).expect("a good graph");
    let arcs = vec![arc(1, 2, 803), arc(2, 1, 803), arc(2, 3, 158), arc(3, 1, u32::MAX)];
    assert_eq!(graph, RoadGraph { nodes: 3, arcs });
    let expected = vec![(1, -73_530_767, 41_085_396), (3, 0, -1), (2, 9, 8)];
    assert_eq!(read_coordinates(COORDINATES, Some(3)), Ok(expected));
    assert_eq!(read_pairs(PAIRS, Some(3)), Ok(vec![(1, 3), (3, 3)]));
    assert_eq!(read_pairs(PAIRS, None), Ok(vec![(1, 3), (3, 3)]));
}

#[test]
fn odd_files_load_all_the_same() {
    let expected = RoadGraph { nodes: 2, arcs: vec![arc(1, 2, 3), arc(2, 1, 4)] };
    let odd: &[(&str, &[u8])] = &[
        ("plain", b"p sp 2 2\na 1 2 3\na 2 1 4\n"),
        ("CR LF", b"c\r\np sp 2 2\r\na 1 2 3\r\na 2 1 4\r\n"),
        ("no end of the last line", b"p sp 2 2\na 1 2 3\na 2 1 4"),
        ("a byte order mark", b"\xef\xbb\xbfp sp 2 2\na 1 2 3\na 2 1 4\n"),
        ("blank lines", b"\n\np sp 2 2\n\na 1 2 3\n \t\na 2 1 4\n\n"),
        ("blanks around lines", b" p sp 2 2 \n\ta 1 2 3\t \na 2 1 4  \r\n"),
        ("blanks between words", b"p  sp\t2 2\na\t1  2 3\na 2 1\t4\n"),
        ("comments between arcs", b"c--\np sp 2 2\na 1 2 3\nc a 9 9 9\na 2 1 4\ncc\n"),
        ("zeros before numbers", b"p sp 002 02\na 01 000000000000000000000000002 3\na 2 1 004\n"),
    ];
    for (name, bytes) in odd {
        assert_eq!(read_graph(bytes).as_ref(), Ok(&expected), "{name}");
    }
}

#[test]
fn a_graph_without_arcs_or_nodes_is_a_graph() {
    assert_eq!(read_graph(b"p sp 5 0\n"), Ok(RoadGraph { nodes: 5, arcs: vec![] }));
    assert_eq!(read_graph(b"p sp 0 0"), Ok(RoadGraph { nodes: 0, arcs: vec![] }));
    assert_eq!(read_coordinates(b"p aux sp co 0", None), Ok(vec![]));
    assert_eq!(read_pairs(b"p aux sp p2p 0\n", None), Ok(vec![]));
}

#[test]
fn a_promise_of_a_billion_arcs_is_refused_before_memory_is_reserved() {
    let said = read_graph(b"p sp 9 1000000000\na 1 2 3\n").expect_err("a lie").to_string();
    assert!(said.contains("at least 7999999999 bytes for the promised 1000000000 arcs"), "{said}");
    assert!(said.contains("found 8 bytes"), "{said}");
    assert!(read_coordinates(b"p aux sp co 4294967295\nv 1 1 1\n", None).is_err());
    assert!(read_pairs(b"p aux sp p2p 4294967295\nq 1 1\n", None).is_err());
}

#[test]
fn the_largest_numbers_are_read_and_one_more_is_refused() {
    let graph = |cost: &str| read_graph(format!("p sp 4294967295 1\na 1 4294967295 {cost}\n").as_bytes());
    assert_eq!(graph("4294967295").expect("a good graph").arcs, [arc(1, u32::MAX, u32::MAX)]);
    for cost in ["4294967296", "999999999999999999", "9223372036854775808", "99999999999999999999", "0", "-1"]
    {
        assert!(graph(cost).is_err(), "{cost}");
    }
    let at = |x: &str| read_coordinates(format!("p aux sp co 1\nv 1 {x} 0\n").as_bytes(), None);
    for x in [i64::MIN, i64::MAX, -999_999_999_999_999_999, 1_000_000_000_000_000_000] {
        assert_eq!(at(&x.to_string()), Ok(vec![(1, x, 0)]));
    }
    assert!(at("9223372036854775808").is_err() && at("-9223372036854775809").is_err());
}

#[test]
fn a_graph_cut_off_anywhere_is_refused_until_its_last_digit() {
    for end in 0..=GRAPH.len() {
        // With fewer digits the last cost is another one, but still a cost.
        let is_whole = end >= GRAPH.len() - 10;
        assert_eq!(read_graph(&GRAPH[..end]).is_ok(), is_whole, "cut after {end} bytes");
    }
}

#[test]
fn a_whole_road_network_survives_the_round_trip() {
    let (graph, coordinates) = crate::generate::roads(20_000, 1);
    let (arcs, points) = (write_graph(&graph), write_coordinates(&coordinates));
    assert_eq!(read_graph(&arcs), Ok(graph));
    assert_eq!(read_coordinates(&points, Some(20_000)), Ok(coordinates));
}

fn any_graph() -> impl Strategy<Value = RoadGraph> {
    (1u32..=u32::MAX).prop_flat_map(|nodes| {
        let arc = (1..=nodes, 1..=nodes, 1u32..).prop_map(|(from, to, cost)| arc(from, to, cost));
        proptest::collection::vec(arc, 0..12).prop_map(move |arcs| RoadGraph { nodes, arcs })
    })
}

fn any_coordinates() -> impl Strategy<Value = Vec<Coordinate>> {
    let order = Just((1u32..12).collect::<Vec<_>>()).prop_shuffle();
    (order, proptest::collection::vec(any::<(i64, i64)>(), 11))
        .prop_map(|(order, points)| order.into_iter().zip(points).map(|(id, (x, y))| (id, x, y)).collect())
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        let _ = (read_graph(&bytes), read_coordinates(&bytes, None), read_pairs(&bytes, None));
    }

    #[test]
    fn arbitrary_lines_never_panic(
        header in "(p sp [0-9]{1,2} [0-9]\n|p aux sp (co|p2p) [0-9]\n)?",
        lines in "([acpvq]?( -?[0-9]{1,20}){0,4}[ \r\n]){0,12}",
    ) {
        let text = header + &lines;
        let bytes = text.as_bytes();
        let _ = (read_graph(bytes), read_coordinates(bytes, None), read_pairs(bytes, Some(9)));
    }

    #[test]
    fn every_graph_survives_the_round_trip(graph in any_graph()) {
        prop_assert_eq!(read_graph(&write_graph(&graph)), Ok(graph));
    }

    #[test]
    fn coordinates_survive_the_round_trip(coordinates in any_coordinates()) {
        prop_assert_eq!(read_coordinates(&write_coordinates(&coordinates), Some(11)), Ok(coordinates));
    }

    #[test]
    fn pairs_survive_the_round_trip(pairs in proptest::collection::vec((1u32.., 1u32..), 0..12)) {
        prop_assert_eq!(read_pairs(&write_pairs(&pairs), None), Ok(pairs));
    }

    #[test]
    fn blanks_and_line_ends_change_nothing(
        graph in any_graph(), blanks in "[ \t]{1,3}", end in "[ \t\r]{0,2}",
    ) {
        let text = String::from_utf8(write_graph(&graph)).expect("ASCII");
        let odd = text.replace(' ', &blanks).replace('\n', &format!("{end}\n"));
        prop_assert_eq!(read_graph(odd.as_bytes()), Ok(graph));
    }

    #[test]
    fn a_damaged_file_never_panics(which in 0usize..3, damage in any_damage()) {
        let bytes = damage.of([GRAPH, COORDINATES, PAIRS][which]);
        if let Ok(graph) = read_graph(&bytes) {
            prop_assert_eq!(read_graph(&write_graph(&graph)), Ok(graph));
        }
        if let Ok(coordinates) = read_coordinates(&bytes, None) {
            prop_assert_eq!(read_coordinates(&write_coordinates(&coordinates), None), Ok(coordinates));
        }
        if let Ok(pairs) = read_pairs(&bytes, None) {
            prop_assert_eq!(read_pairs(&write_pairs(&pairs), None), Ok(pairs));
        }
    }
}
