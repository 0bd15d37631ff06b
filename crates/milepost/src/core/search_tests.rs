use super::*;
use crate::core::open::Heap;
use crate::core::{Rng, climb};

/// A drawn graph: edges both ways, and an estimate for each node.
struct Drawn {
    edges: Vec<Vec<(u32, u64)>>,
    h: Vec<u64>,
    goal: u32,
}

impl Expander for Drawn {
    fn id_bound(&self) -> usize {
        self.edges.len()
    }
    fn keys(&self) -> KeyRange {
        let cheapest = self.edges.iter().flatten().map(|edge| edge.1).min().unwrap_or(1);
        KeyRange { cheapest: Cost::new(cheapest), bound: Cost::new(1 << 20) }
    }
    fn expand(&self, state: StateId, _: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        for &(to, cost) in &self.edges[state.index()] {
            visit(StateId::new(to), Cost::new(cost));
        }
        0
    }
}

impl Goal for Drawn {
    fn is_reached(&self, state: StateId) -> bool {
        state.number() == self.goal
    }
    fn estimate(&self, state: StateId) -> Cost {
        Cost::new(self.h[state.index()])
    }
}

/// The worked example of the manual (its section "A* example"): four moves, unit costs, Euclidean estimates cut to
/// two decimals, the oldest entry first among equals. y points up.
///
/// ```text
///  2 .  .  F  .  .  H
///  1 .  .  B1 .  .  E1
///  0 K  B2 A  B4 C  D  .  L1
/// -1 .  .  B3 .  .  E2 I  J  L2
/// -2 .  .  G
/// ```
const MANUAL: [(&str, i64, i64); 18] = [
    ("A", 0, 0),
    ("B4", 1, 0),
    ("B1", 0, 1),
    ("B3", 0, -1),
    ("B2", -1, 0),
    ("C", 2, 0),
    ("D", 3, 0),
    ("E1", 3, 1),
    ("E2", 3, -1),
    ("F", 0, 2),
    ("G", 0, -2),
    ("H", 3, 2),
    ("I", 4, -1),
    ("J", 5, -1),
    ("K", -2, 0),
    ("L1", 5, 0),
    ("L2", 6, -1),
    ("far away", 100, 100),
];

fn manual() -> Drawn {
    let edges = MANUAL.map(|(_, x, y)| {
        let neighbours = [(1, 0), (0, 1), (0, -1), (-1, 0)];
        let at = |(dx, dy)| MANUAL.iter().position(|&(_, nx, ny)| (nx, ny) == (x + dx, y + dy));
        neighbours.into_iter().filter_map(at).map(|index| (index as u32, 100)).collect()
    });
    // Cut to two decimals: hundredths, rounded down.
    let h = MANUAL.map(|(_, x, y)| (10_000 * ((x - 5).pow(2) + y.pow(2)) as u64).isqrt());
    Drawn { edges: edges.into(), h: h.into(), goal: 15 }
}

/// The open list as the manual prints it: "name (f=g+h) parent", and the closed list in the order of closing.
fn printed(search: &Search, graph: &Drawn) -> String {
    let name = |state: StateId| MANUAL[state.index()].0;
    let mut entries = search.open().entries();
    entries.sort();
    let decimals = |value: u64| match value % 100 {
        0 => format!("{}", value / 100),
        rest => format!("{}.{rest:02}", value / 100),
    };
    let describe = |entry: &Entry| {
        let state = entry.state();
        let (g, h) = (search.cost(state).unwrap().units(), graph.h[state.index()]);
        let parent = search.parent(state).map_or("null", name);
        format!("{} ({}={}+{}) {parent}", name(state), decimals(g + h), decimals(g), decimals(h))
    };
    entries.iter().map(describe).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_manuals_worked_example_gives_every_open_and_closed_list_as_printed() {
    let steps = [
        ("A", "B4 (5=1+4) A, B1 (6.09=1+5.09) A, B3 (6.09=1+5.09) A, B2 (7=1+6) A"),
        ("B4", "C (5=2+3) B4, B1 (6.09=1+5.09) A, B3 (6.09=1+5.09) A, B2 (7=1+6) A"),
        ("C", "D (5=3+2) C, B1 (6.09=1+5.09) A, B3 (6.09=1+5.09) A, B2 (7=1+6) A"),
        ("D", "B1 (6.09=1+5.09) A, B3 (6.09=1+5.09) A, E1 (6.23=4+2.23) D, E2 (6.23=4+2.23) D, B2 (7=1+6) A"),
        (
            "B1",
            "B3 (6.09=1+5.09) A, E1 (6.23=4+2.23) D, E2 (6.23=4+2.23) D, B2 (7=1+6) A, F (7.38=2+5.38) B1",
        ),
        (
            "B3",
            "E1 (6.23=4+2.23) D, E2 (6.23=4+2.23) D, B2 (7=1+6) A, F (7.38=2+5.38) B1, G (7.38=2+5.38) B3",
        ),
        (
            "E1",
            "E2 (6.23=4+2.23) D, B2 (7=1+6) A, F (7.38=2+5.38) B1, G (7.38=2+5.38) B3, H (7.82=5+2.82) E1",
        ),
        (
            "E2",
            "I (6.41=5+1.41) E2, B2 (7=1+6) A, F (7.38=2+5.38) B1, G (7.38=2+5.38) B3, H (7.82=5+2.82) E1",
        ),
        ("I", "B2 (7=1+6) A, J (7=6+1) I, F (7.38=2+5.38) B1, G (7.38=2+5.38) B3, H (7.82=5+2.82) E1"),
        ("B2", "J (7=6+1) I, F (7.38=2+5.38) B1, G (7.38=2+5.38) B3, H (7.82=5+2.82) E1, K (9=2+7) B2"),
        (
            "J",
            "L1 (7=7+0) J, F (7.38=2+5.38) B1, G (7.38=2+5.38) B3, H (7.82=5+2.82) E1, L2 (8.41=7+1.41) J, \
             K (9=2+7) B2",
        ),
        // The manual's last open list still holds L1, which it has just removed.
        (
            "L1",
            "F (7.38=2+5.38) B1, G (7.38=2+5.38) B3, H (7.82=5+2.82) E1, L2 (8.41=7+1.41) J, K (9=2+7) B2",
        ),
    ];
    let graph = manual();
    let mut search: Search = Search::new();
    search.set_ties(Ties::Oldest);
    search.begin(&graph, &graph, StateId::new(0));
    assert_eq!(printed(&search, &graph), "A (5=0+5) null");
    let mut closed = Vec::new();
    for (removed, open) in steps {
        let status = search.run(&graph, &graph, &mut Budget::units(1));
        let done = removed == "L1";
        assert_eq!(status == Status::Reached(StateId::new(15)), done, "{removed}");
        assert_eq!(printed(&search, &graph), open, "after {removed}");
        closed.push(removed);
        let mut expected = closed.clone();
        let mut got: Vec<&str> = search.closed().map(|state| MANUAL[state.index()].0).collect();
        expected.sort_unstable();
        got.sort_unstable();
        assert_eq!(got, expected);
    }
    let mut path: Vec<&str> = search.trace(StateId::new(15)).map(|state| MANUAL[state.index()].0).collect();
    path.reverse();
    assert_eq!(path, ["A", "B4", "C", "D", "E2", "I", "J", "L1"]);
}

/// A random graph with an estimate that is admissible but not consistent.
fn random_graph(rng: &mut Rng, nodes: u32) -> Drawn {
    let edges: Vec<Vec<(u32, u64)>> = (0..nodes)
        .map(|_| (0..rng.below(5)).map(|_| (rng.below(nodes), u64::from(1 + rng.below(50)))).collect())
        .collect();
    let goal = rng.below(nodes);
    // True distances to the goal by relaxing all edges until nothing changes.
    let mut distance = vec![u64::MAX; nodes as usize];
    distance[goal as usize] = 0;
    for _ in 0..nodes {
        for from in 0..nodes as usize {
            for &(to, cost) in &edges[from] {
                distance[from] = distance[from].min(distance[to as usize].saturating_add(cost));
            }
        }
    }
    let h = distance.iter().map(|&d| d.min(1000).saturating_sub(u64::from(rng.below(200)))).collect();
    Drawn { edges, h, goal }
}

fn run_whole<Q: OpenList>(search: &mut Search<Q>, graph: &Drawn, slice: u64) -> (Status, Vec<StateId>, u64) {
    search.begin(graph, graph, StateId::new(0));
    loop {
        let status = search.run(graph, graph, &mut Budget::units(slice));
        if status != Status::Suspended {
            return (status, search.trace(StateId::new(graph.goal)).collect(), search.expanded());
        }
    }
}

#[test]
fn slices_of_any_size_and_any_open_list_give_the_same_path_as_one_run() {
    let mut rng = Rng::new(5);
    let (mut buckets, mut heap): (Search, Search<Heap>) = (Search::new(), Search::new());
    for _ in 0..300 {
        let nodes = 2 + rng.below(60);
        let graph = random_graph(&mut rng, nodes);
        let whole = run_whole(&mut buckets, &graph, u64::MAX);
        for slice in [1, 2, 3, 7, 50] {
            assert_eq!(run_whole(&mut buckets, &graph, slice), whole);
            assert_eq!(run_whole(&mut heap, &graph, slice), whole);
        }
    }
}

#[test]
fn an_estimate_that_is_admissible_but_not_consistent_still_gives_optimal_paths() {
    let mut rng = Rng::new(6);
    let mut search: Search = Search::new();
    let mut reopened = 0;
    for _ in 0..500 {
        let nodes = 2 + rng.below(60);
        let graph = random_graph(&mut rng, nodes);
        run_whole(&mut search, &graph, u64::MAX);
        let (found, expanded) = (search.cost(StateId::new(graph.goal)), search.expanded());
        reopened += u32::from(expanded > search.closed().count() as u64);
        let plain = Drawn { h: vec![0; graph.h.len()], ..graph };
        run_whole(&mut search, &plain, u64::MAX);
        assert_eq!(found, search.cost(StateId::new(plain.goal)));
    }
    assert!(reopened > 10, "only {reopened} of the graphs made the search open a state again");
}

#[test]
fn a_state_already_open_is_updated_only_by_a_better_value() {
    // 0 -> 1 costs 10; 0 -> 2 -> 1 costs 5; 0 -> 3 -> 1 costs 20: the printed listing would take the last.
    let edges = vec![vec![(1, 10), (2, 4), (3, 5)], vec![(4, 30)], vec![(1, 1)], vec![(1, 15)], vec![]];
    let graph = Drawn { edges, h: vec![0; 5], goal: 4 };
    let mut search: Search = Search::new();
    run_whole(&mut search, &graph, u64::MAX);
    assert_eq!(search.cost(StateId::new(4)), Some(Cost::new(35)));
    assert_eq!(search.parent(StateId::new(1)), Some(StateId::new(2)));
}

#[test]
fn the_epoch_wraps_without_mistaking_old_nodes_for_new_ones() {
    let graph = manual();
    let mut search: Search = Search::new();
    search.set_ties(Ties::Oldest);
    let first = run_whole(&mut search, &graph, u64::MAX);
    // Nodes stamped with epoch 1 wait; after the wrap the epoch is 1 again.
    search.epoch = LAST_EPOCH - 1;
    assert_eq!(run_whole(&mut search, &graph, u64::MAX), first);
    assert_eq!(search.epoch, LAST_EPOCH);
    search.begin(&graph, &graph, StateId::new(17));
    assert_eq!(search.epoch, 1);
    assert_eq!(search.cost(StateId::new(1)), None, "a node of the first epoch 1 came back");
    assert_eq!(search.closed().count(), 0);
    assert_eq!(run_whole(&mut search, &graph, u64::MAX), first);
}

#[test]
fn a_search_that_is_exhausted_says_so_however_small_the_budget() {
    let graph = Drawn { edges: vec![vec![(1, 1)], vec![(0, 1)], vec![]], h: vec![0; 3], goal: 2 };
    let mut search: Search = Search::new();
    search.begin(&graph, &graph, StateId::new(0));
    let mut budget = Budget::units(3);
    assert_eq!(search.run(&graph, &graph, &mut budget), Status::Exhausted);
    assert_eq!(search.run(&graph, &graph, &mut Budget::units(0)), Status::Exhausted);
    assert_eq!(search.expanded(), 2);
}

#[test]
fn a_limit_keeps_dearer_states_in_the_open_list() {
    let edges = vec![vec![(1, 5)], vec![(2, 5)], vec![(3, 5)], vec![]];
    let graph = Drawn { edges, h: vec![0; 4], goal: 3 };
    let mut search: Search = Search::new();
    search.begin(&graph, &graph, StateId::new(0));
    search.set_limit(Some(Cost::new(9)));
    assert_eq!(search.run(&graph, &graph, &mut Budget::unlimited()), Status::Exhausted);
    assert_eq!(search.expanded(), 2);
    search.set_limit(None);
    assert_eq!(search.run(&graph, &graph, &mut Budget::unlimited()), Status::Reached(StateId::new(3)));
}

#[test]
fn a_run_spends_exactly_its_budget() {
    let graph = manual();
    let mut search: Search = Search::new();
    search.begin(&graph, &graph, StateId::new(0));
    let mut budget = Budget::units(5);
    assert_eq!(search.run(&graph, &graph, &mut budget), Status::Suspended);
    assert_eq!((budget.spent(), budget.left()), (5, 0));
}

#[test]
fn hill_climbing_walks_while_the_estimate_falls_and_stops_at_its_cap() {
    use crate::core::Climb;
    //  0 - 1 - 2 - 3 (goal), and a pit 4 beside the start that seems nearer but is a dead end for node 5.
    let edges = vec![
        vec![(1, 10)],
        vec![(0, 10), (2, 10)],
        vec![(3, 10)],
        vec![],
        vec![(5, 10)],
        vec![(4, 10), (0, 1)],
    ];
    let graph = Drawn { edges, h: vec![30, 20, 10, 0, 5, 15], goal: 3 };
    let walk = |start, cap, units| {
        let mut seen = Vec::new();
        let follow = |state: StateId| seen.push(state.number());
        let end = climb(&graph, &graph, StateId::new(start), cap, &mut Budget::units(units), follow);
        (end, seen)
    };
    assert_eq!(walk(0, 9, 9), (Climb::Reached { cost: Cost::new(30), steps: 3 }, vec![1, 2, 3]));
    assert_eq!(walk(0, 2, 9), (Climb::Capped(StateId::new(2)), vec![1, 2]));
    assert_eq!(walk(0, 9, 1), (Climb::Capped(StateId::new(1)), vec![1]));
    assert_eq!(walk(5, 9, 9), (Climb::Stuck(StateId::new(4)), vec![4]));
    assert_eq!(walk(3, 0, 0), (Climb::Reached { cost: Cost::ZERO, steps: 0 }, vec![]));
}
