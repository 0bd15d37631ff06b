//! Whatever the bytes, the readers of road networks answer with values or an error, and values that were read
//! survive being written and read again.

use milepost_maps::dimacs;

pub(super) fn check(bytes: &[u8]) {
    if let Ok(graph) = dimacs::read_graph(bytes) {
        assert_eq!(dimacs::read_graph(&dimacs::write_graph(&graph)), Ok(graph));
    }
    if let Ok(coordinates) = dimacs::read_coordinates(bytes, None) {
        let written = dimacs::write_coordinates(&coordinates);
        assert_eq!(dimacs::read_coordinates(&written, None), Ok(coordinates));
    }
    if let Ok(pairs) = dimacs::read_pairs(bytes, None) {
        assert_eq!(dimacs::read_pairs(&dimacs::write_pairs(&pairs), None), Ok(pairs));
    }
}
