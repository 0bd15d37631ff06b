use super::*;
use crate::core::Rng;

fn keys(cheapest: u64) -> KeyRange {
    KeyRange { cheapest: Cost::new(cheapest), bound: Cost::new(1 << 40) }
}

/// Pushes and pops at random; `next_f` makes a new key from the last one popped.
fn same_sequence(cheapest: u64, seed: u64, next_f: impl Fn(&mut Rng, u64) -> u64) {
    let (mut heap, mut buckets) = (Heap::default(), Buckets::default());
    for round in 0..3 {
        heap.reset(keys(cheapest));
        buckets.reset(keys(cheapest));
        let mut rng = Rng::new(seed + round);
        let mut last = 1000 * cheapest;
        for _ in 0..20_000 {
            if rng.below(100) < 55 {
                let f = next_f(&mut rng, last);
                let entry = Entry::new(Cost::new(f), rng.below(4), StateId::new(rng.below(1000)));
                heap.push(entry);
                buckets.push(entry);
            } else {
                let entry = heap.pop();
                assert_eq!(buckets.pop(), entry);
                last = entry.map_or(last, |entry| entry.f().units());
                if let Some(entry) = entry.filter(|_| rng.below(10) == 0) {
                    heap.put_back(entry);
                    buckets.put_back(entry);
                }
            }
            assert_eq!(buckets.len(), heap.len());
        }
        let sorted = |mut entries: Vec<Entry>| {
            entries.sort();
            entries
        };
        assert_eq!(sorted(buckets.entries()), sorted(heap.entries()));
        let mut before = Entry::default();
        while let Some(entry) = heap.pop() {
            assert!(before <= entry, "the heap is out of order");
            assert_eq!(buckets.pop(), Some(entry));
            before = entry;
        }
        assert_eq!(buckets.pop(), None);
    }
}

#[test]
fn buckets_give_the_heaps_sequence_for_dijkstras_keys() {
    same_sequence(1000, 1, |rng, last| last + 1000 + u64::from(rng.below(415)));
}

#[test]
fn buckets_give_the_heaps_sequence_for_keys_that_stay_equal() {
    same_sequence(1000, 2, |rng, last| last + [0, 0, 586, 2000][rng.below(4) as usize]);
}

#[test]
fn buckets_give_the_heaps_sequence_for_keys_that_fall() {
    same_sequence(64, 3, |rng, last| (last + u64::from(rng.below(500))).saturating_sub(200));
}

#[test]
fn buckets_give_the_heaps_sequence_for_edges_a_million_times_the_cheapest() {
    same_sequence(1, 4, |rng, last| last + (1 << rng.below(21)) + u64::from(rng.below(3)));
    same_sequence(1000, 5, |rng, last| last + (1 << rng.below(36)));
}

#[test]
fn among_equal_keys_the_lower_tie_and_then_the_lower_state_comes_first() {
    let entry = |f, tie, state| Entry::new(Cost::new(f), tie, StateId::new(state));
    let mut heap = Heap::default();
    for e in [entry(5, 1, 1), entry(5, 0, 9), entry(4, 7, 7), entry(5, 0, 8)] {
        heap.push(e);
    }
    let order: Vec<u32> = std::iter::from_fn(|| heap.pop()).map(|e| e.state().number()).collect();
    assert_eq!(order, [7, 8, 9, 1]);
}
