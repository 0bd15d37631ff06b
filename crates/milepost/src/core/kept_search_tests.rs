use super::*;
use crate::core::{KeyRange, Rng, Search};
use std::cell::RefCell;

/// A random graph with an estimate that need not be consistent. It takes note of what is expanded, and from which parent.
struct Watched {
    edges: Vec<Vec<(u32, u64)>>,
    h: Vec<u64>,
    /// How far apart the numbers of neighbouring nodes are.
    spread: u32,
    goal: StateId,
    expanded: RefCell<Vec<(StateId, Option<StateId>)>>,
}

impl Watched {
    fn random(rng: &mut Rng, spread: u32) -> Watched {
        let nodes = 2 + rng.below(200);
        let mut edges = Vec::new();
        for _ in 0..nodes {
            let out = rng.below(6);
            edges.push((0..out).map(|_| (rng.below(nodes), u64::from(1 + rng.below(50)))).collect());
        }
        let h = (0..nodes).map(|_| u64::from(rng.below(60))).collect();
        let goal = StateId::new(rng.below(nodes) * spread);
        Watched { edges, h, spread, goal, expanded: RefCell::default() }
    }

    fn states(&self) -> impl Iterator<Item = StateId> {
        (0..self.h.len() as u32).map(|node| StateId::new(node * self.spread))
    }
}

impl Expander for Watched {
    fn id_bound(&self) -> usize {
        self.h.len() * self.spread as usize
    }

    fn keys(&self) -> KeyRange {
        KeyRange { cheapest: Cost::new(1), bound: Cost::new(1 << 20) }
    }

    fn expand(&self, state: StateId, parent: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        self.expanded.borrow_mut().push((state, parent));
        for &(to, cost) in &self.edges[(state.number() / self.spread) as usize] {
            visit(StateId::new(to * self.spread), Cost::new(cost));
        }
        0
    }
}

impl Goal for Watched {
    fn is_reached(&self, state: StateId) -> bool {
        state == self.goal
    }

    fn estimate(&self, state: StateId) -> Cost {
        Cost::new(self.h[(state.number() / self.spread) as usize])
    }
}

#[test]
fn a_kept_search_expands_what_a_plain_one_does_in_its_order_and_nothing_stale() {
    let mut rng = Rng::new(31);
    let (mut plain, mut kept): (Search, _) = (Search::new(), KeptSearch::default());
    let (mut stale, mut again) = (0, 0);
    for round in 0..600 {
        let graph = Watched::random(&mut rng, [1, 3, 20, 3_000][round % 4]);
        plain.begin(&graph, &graph, StateId::new(0));
        let mut budget = Budget::unlimited();
        let end = plain.run(&graph, &graph, &mut budget);
        let expanded = graph.expanded.take();
        stale += budget.spent() - expanded.len() as u64;
        // In slices, and now and then saved and restored.
        kept.begin(&graph, &graph, StateId::new(0));
        let mut units = 0;
        loop {
            let first = kept.first_open();
            let mut budget = Budget::units(u64::from(1 + rng.below(9)));
            let status = kept.run(&graph, &graph, &mut budget);
            assert!(status == Status::Exhausted || first.is_some());
            units += budget.spent();
            if status != Status::Suspended {
                assert_eq!(status, end);
                break;
            }
            if rng.below(4) == 0 {
                let bytes = postcard::to_allocvec(&kept).expect("a vector takes everything");
                let restored: KeptSearch = postcard::from_bytes(&bytes).expect("what was written");
                // Both go on to the same save.
                let noted = graph.expanded.borrow().len();
                let [a, b] = [&kept, &restored].map(|search| {
                    let mut search = search.clone();
                    search.run(&graph, &graph, &mut Budget::units(3));
                    postcard::to_allocvec(&search).expect("a vector takes everything")
                });
                assert_eq!(a, b);
                graph.expanded.borrow_mut().truncate(noted);
                kept = restored;
            }
        }
        let is_reached = u64::from(matches!(end, Status::Reached(_)));
        assert_eq!(units, expanded.len() as u64 + is_reached, "a unit is an expansion");
        again += u64::from(expanded.len() as u64 + is_reached > kept.touched());
        assert_eq!(graph.expanded.take(), expanded);
        for state in graph.states() {
            assert_eq!((kept.cost(state), kept.parent(state)), (plain.cost(state), plain.parent(state)));
        }
        let touched: Vec<StateId> = graph.states().filter(|state| plain.cost(*state).is_some()).collect();
        assert_eq!(kept.touched_states().collect::<Vec<_>>(), touched);
        assert_eq!(kept.touched(), touched.len() as u64);
    }
    assert!(stale > 1_000 && again > 10, "{stale} stale entries, {again} searches opened states again");
}

#[test]
fn a_saved_search_whose_open_states_are_not_its_nodes_is_refused() {
    let node = |state: u32, parent: u32, is_closed| (state, 7 * u64::from(state), parent, is_closed);
    let none = StateId::NONE.number();
    let entry = |state: u32| (100, u64::from(state));
    let restored = |nodes: Vec<(u32, u64, u32, bool)>, entries: Vec<(u64, u64)>| {
        KeptSearch::from_parts(&SearchParts { nodes, entries, tie_shift: 3 }).is_some()
    };
    let nodes = || vec![node(0, none, true), node(9, 0, false)];
    assert!(restored(nodes(), vec![entry(9)]));
    for entries in [vec![], vec![5], vec![9, 9], vec![9, 0], vec![9, 5], vec![9, 90]] {
        let entries = entries.into_iter().map(entry).collect();
        assert!(!restored(nodes(), entries));
    }
    assert!(!restored(vec![node(0, none, true), node(9, 4, false)], vec![entry(9)]), "an unknown parent");
    assert!(!restored(vec![node(0, none, true), node(0, none, true)], vec![]), "a state twice");
}

#[test]
fn memory_of_a_kept_search_follows_what_was_touched_and_not_how_large_its_numbers_are() {
    let none = StateId::NONE.number();
    let bytes = [1, 5_000, 2_000_000, none - 1].map(|far| {
        let nodes = vec![(0, 0, none, true), (far, 1, 0, true)];
        let search = KeptSearch::from_parts(&SearchParts { nodes, entries: vec![], tie_shift: 0 });
        let search = search.expect("two closed states");
        let states = [0, far].map(StateId::new);
        assert_eq!(search.touched_states().collect::<Vec<_>>(), states);
        assert_eq!(search.parent(states[1]), Some(states[0]));
        assert_eq!(search.cost(StateId::new(far / 3 + 2)), None);
        search.bytes()
    });
    assert!(bytes.iter().all(|held| *held < 16_384), "{bytes:?}");
}

#[test]
fn a_kept_search_holds_about_sixteen_bytes_for_each_state_of_a_dense_search() {
    let nodes = 100_000_u32;
    let edges = (0..nodes).map(|node| vec![((node + 1) % nodes, 1)]).collect();
    let goal = StateId::new(nodes - 1);
    let line = Watched { edges, h: vec![0; nodes as usize], spread: 1, goal, expanded: RefCell::default() };
    let mut search = KeptSearch::default();
    search.begin(&line, &line, StateId::new(0));
    assert_eq!(search.run(&line, &line, &mut Budget::unlimited()), Status::Reached(goal));
    let each = search.bytes() as f64 / search.touched() as f64;
    assert!((16.0..17.5).contains(&each), "{each} bytes");
    let held = search.bytes();
    search.forget();
    assert_eq!((search.touched(), search.bytes()), (0, held));
}
