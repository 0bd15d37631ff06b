//! Which states are landmarks: each the one that is farthest from those before it.
//!
//! # Paper
//! A. Goldberg, C. Harrelson: Computing the shortest path: A* search meets graph theory, SODA 2005, "farthest" selection.
//!
//! # Deviations
//! 1. Of a map of many islands only those get landmarks that hold at least one state in as many as there are landmarks, and the
//!    largest: farther than any distance is a component that has no landmark yet, and single cells would take them all.
//! 2. A flood ends where another landmark is as near: it only finds the states that are nearest to the new one.

use super::NO_WAY;
use crate::build::dijkstra::{Dijkstra, UNREACHED};
use crate::build::network::Network;
use crate::core::StateId;
use crate::space::{NO_LANDMARK, Space};
use std::cmp::Reverse;
use std::collections::BTreeMap;

// What was not reached cannot be.
const _: () = assert!(UNREACHED == NO_WAY);

/// The landmarks, and which one is nearest to each state.
pub(super) struct Chosen {
    /// Numbers of states, in the order in which they were chosen.
    pub(super) landmarks: Vec<u32>,
    /// From a landmark to each state, and, where that is another matter, from each state to a landmark.
    pub(super) nearest: Vec<Nearest>,
}

/// The landmark nearest to each state, of equals the first, and how far that is.
pub(super) struct Nearest {
    pub(super) landmarks: Vec<u16>,
    pub(super) distances: Vec<u64>,
}

impl Nearest {
    fn new(states: usize) -> Nearest {
        Nearest { landmarks: vec![NO_LANDMARK; states], distances: vec![UNREACHED; states] }
    }

    /// One more landmark: where it is nearer than all before it, it is the nearest.
    fn add(&mut self, network: &Network, landmark: u32, number: u16, heap: &mut Dijkstra) {
        let Nearest { landmarks, distances } = self;
        let edges = |state: u32| network.arcs(state).iter().map(|arc| (arc.to, arc.cost));
        heap.run(landmark, distances, edges, |state, _| landmarks[state as usize] = number);
    }
}

/// At most `count` landmarks of a space whose states are numbered, by its moves and, where that is another matter, the same
/// the other way round; the first `most` of them.
pub(super) fn choose(
    space: &Space,
    states: &[StateId],
    networks: &[&Network],
    count: usize,
    most: usize,
) -> Chosen {
    let candidates = candidates(space, states, count);
    let mut nearest: Vec<Nearest> = networks.iter().map(|_| Nearest::new(states.len())).collect();
    let (mut landmarks, mut heap) = (Vec::new(), Dijkstra::default());
    // Of candidates that are not farther than the most: the farthest, of equals the one with the least number.
    let farthest = |distances: &[u64], most: u64| {
        let distance = |state: u32| distances[state as usize];
        let candidates = candidates.iter().copied().filter(|&state| distance(state) <= most);
        candidates.max_by_key(|&state| (distance(state), Reverse(state)))
    };
    // The first one is farthest from the first state that can be one.
    let mut start = Nearest::new(states.len());
    if let Some(&first) = candidates.first() {
        start.add(networks[0], first, 0, &mut heap);
    }
    let mut next = farthest(&start.distances, UNREACHED - 1);
    while let Some(landmark) = next.filter(|_| landmarks.len() < count.min(most)) {
        let number = landmarks.len() as u16;
        for (nearest, network) in nearest.iter_mut().zip(networks) {
            nearest.add(network, landmark, number, &mut heap);
        }
        landmarks.push(landmark);
        // Where every candidate is a landmark the farthest is at no distance.
        let distances = &nearest[0].distances;
        next = farthest(distances, UNREACHED).filter(|&state| distances[state as usize] > 0);
    }
    Chosen { landmarks, nearest }
}

/// The states of components that are large enough for a landmark, in the order of their numbers.
fn candidates(space: &Space, states: &[StateId], count: usize) -> Vec<u32> {
    let component = |state: StateId| space.component(state).unwrap_or(u32::MAX);
    let mut sizes = BTreeMap::<u32, usize>::new();
    for &state in states {
        *sizes.entry(component(state)).or_default() += 1;
    }
    let largest = sizes.values().copied().max().unwrap_or(0);
    let enough = states.len().div_ceil(count.max(1)).min(largest);
    (0..)
        .zip(states)
        .filter(|(_, state)| sizes[&component(**state)] >= enough)
        .map(|(number, _)| number)
        .collect()
}
