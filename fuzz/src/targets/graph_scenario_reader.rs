//! Whatever the bytes, the reader of graph scenarios answers with problems or an error, and problems that were read
//! survive being written and read again.

use milepost_maps::graph_scenario;

pub(super) fn check(bytes: &[u8]) {
    if let Ok(problems) = graph_scenario::read(bytes) {
        let again = graph_scenario::read(graph_scenario::write(&problems).as_bytes())
            .expect("a scenario we wrote must be readable");
        let same = |(a, b): (&graph_scenario::GraphProblem, &graph_scenario::GraphProblem)| {
            (a.from, a.to, a.cost) == (b.from, b.to, b.cost)
        };
        assert!(problems.len() == again.len() && problems.iter().zip(&again).all(same), "problems changed");
    }
}
