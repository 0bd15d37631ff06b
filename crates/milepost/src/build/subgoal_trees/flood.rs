//! Distances from every state to a goal, and the states in the order in which they can be worked through: a shortest
//! path's next state always stands before.

use super::super::dijkstra::Dijkstra;
use super::terrain::Terrain;
use crate::space::Estimates;

/// Up to this many buckets; where costs differ more, a heap.
const MOST_BUCKETS: u64 = 64;

/// Room for one flood after another.
pub(super) struct Flood {
    /// Costs to the goal; `u64::MAX` where there is no path.
    pub(super) g: Vec<u64>,
    /// The states with a path, from the goal on. Two states of one bucket are no neighbours on a shortest path.
    pub(super) order: Vec<u32>,
    is_settled: Vec<bool>,
    /// States by distance in steps of the least cost, from the current one on.
    buckets: Vec<Vec<u32>>,
    heap: Dijkstra,
}

impl Flood {
    pub(super) fn new<E: Estimates>(terrain: &Terrain<E>) -> Flood {
        let (cheapest, dearest) = terrain.cost_range();
        let buckets = dearest / cheapest + 2;
        Flood {
            g: vec![u64::MAX; terrain.states()],
            order: Vec::with_capacity(terrain.states()),
            is_settled: vec![false; terrain.states()],
            buckets: if buckets <= MOST_BUCKETS { vec![Vec::new(); buckets as usize] } else { Vec::new() },
            heap: Dijkstra::default(),
        }
    }

    /// Floods backwards from a goal.
    pub(super) fn run<E: Estimates>(&mut self, terrain: &Terrain<E>, goal: u32) {
        self.g.fill(u64::MAX);
        self.is_settled.fill(false);
        self.order.clear();
        self.g[goal as usize] = 0;
        if !self.buckets.is_empty() {
            return self.by_buckets(terrain, goal);
        }
        let edges = |state: u32| terrain.arcs_back(state).iter().map(|&arc| (arc.to, terrain.cost(arc)));
        let Flood { g, order, heap, .. } = self;
        heap.run(goal, g, edges, |state, _| order.push(state));
    }

    fn by_buckets<E: Estimates>(&mut self, terrain: &Terrain<E>, goal: u32) {
        let Flood { g, order, is_settled, buckets, .. } = self;
        let width = terrain.cost_range().0;
        let (mut end, mut left) = (width, 1_usize);
        buckets[0].push(goal);
        while left > 0 {
            let mut bucket = std::mem::take(&mut buckets[0]);
            left -= bucket.len();
            for &state in &bucket {
                // No step is cheaper than a bucket is wide, so nothing in it can still become nearer.
                if std::mem::replace(&mut is_settled[state as usize], true) {
                    continue;
                }
                order.push(state);
                let here = g[state as usize];
                for &arc in terrain.arcs_back(state) {
                    let there = here + terrain.cost(arc);
                    let known = &mut g[arc.to as usize];
                    if there < *known {
                        *known = there;
                        let (mut place, mut limit) = (0, end);
                        while there >= limit {
                            (place, limit) = (place + 1, limit + width);
                        }
                        buckets[place].push(arc.to);
                        left += 1;
                    }
                }
            }
            bucket.clear();
            buckets[0] = bucket;
            buckets.rotate_left(1);
            end += width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::numbering::numbering;
    use crate::build::subgoal_trees::{TerrainVisitor, visit_terrain};
    use crate::core::Rng;
    use crate::space::{Grid, Rule, Space};

    struct Compare;

    impl TerrainVisitor for Compare {
        type Answer = ();

        fn visit<E: Estimates>(self, terrain: &Terrain<E>) {
            let mut floods = [Flood::new(terrain), Flood::new(terrain)];
            assert!(!floods[0].buckets.is_empty());
            floods[1].buckets.clear();
            for goal in 0..terrain.states() as u32 {
                floods.iter_mut().for_each(|flood| flood.run(terrain, goal));
                let [by_buckets, plain] = &floods;
                assert_eq!(by_buckets.g, plain.g);
                let place = |of: u32| by_buckets.order.iter().position(|&state| state == of);
                assert!(plain.order.iter().all(|&state| place(state).is_some()));
                assert_eq!(by_buckets.order.len(), plain.order.len());
            }
        }
    }

    #[test]
    fn buckets_measure_what_a_heap_measures() {
        let mut rng = Rng::new(44);
        for round in 0..40 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let grid = Grid::new(9, 7, rule, |_, _| rng.below(100) >= 25).unwrap();
            let weighted = grid.with_weights(|x, y| 1 + ((x * 3 + y) % 4) as u8).unwrap();
            for space in [Space::from(grid), Space::from(weighted)] {
                visit_terrain(&space, &numbering(&space).unwrap().order, Compare);
            }
        }
    }
}
