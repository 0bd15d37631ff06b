//! The flood for every space: weights, links, graphs. Dijkstra's algorithm with a heap, then one pass in the order of
//! distance for every 64 edges of the start.

use super::Solid;
use crate::build::Progress;
use crate::core::{Cost, StateId};
use crate::index::goal_bounds::{EMPTY_SOLID, cell_position, extend};
use crate::space::{Graph, Grid, Position, Way, WayExpander};
use rayon::prelude::*;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The states of a space, numbered in the order of their ids, and all edges.
#[derive(Debug)]
pub(super) struct Network {
    /// The edges of state n are those from `first[n]` to `first[n + 1]`.
    first: Vec<usize>,
    edges: Vec<Arc>,
    places: Vec<Position>,
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    to: u32,
    way: Way,
    cost: u64,
}

/// An edge as others see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedEdge {
    /// The number of the state where it begins.
    pub(super) from: usize,
    /// The row of that state.
    pub(super) row: u32,
    pub(super) way: Way,
}

impl Network {
    pub(super) fn of_grid(grid: &Grid) -> Network {
        let states: Vec<StateId> = grid.free_states().collect();
        let places = states.iter().map(|&state| cell_position(grid, state)).collect();
        Network::new(&grid.full_moves(), &states, places)
    }

    pub(super) fn of_graph(graph: &Graph) -> Network {
        let states: Vec<StateId> = graph.nodes().collect();
        let places = states.iter().map(|&state| graph.position(state).unwrap_or_default()).collect();
        Network::new(&graph.moves(), &states, places)
    }

    fn new(moves: &impl WayExpander, states: &[StateId], places: Vec<Position>) -> Network {
        let mut numbers = vec![u32::MAX; moves.id_bound()];
        for (state, number) in states.iter().zip(0..) {
            numbers[state.index()] = number;
        }
        let mut network = Network { first: vec![0], edges: Vec::new(), places };
        for &state in states {
            // The way of the successor that is named next.
            let way = RefCell::new(Way::Edge(0));
            let keeps = |this| {
                *way.borrow_mut() = this;
                true
            };
            moves.expand_ways(state, None, keeps, |child, cost: Cost| {
                let (to, way) = (numbers[child.index()], *way.borrow());
                network.edges.push(Arc { to, way, cost: cost.units() });
            });
            network.first.push(network.edges.len());
        }
        network
    }

    /// All edges, state by state.
    pub(super) fn edges(&self) -> impl Iterator<Item = NamedEdge> {
        (0..self.places.len()).flat_map(move |from| {
            let row = self.places[from].y as u32;
            self.edges[self.first[from]..self.first[from + 1]].iter().map(move |arc| NamedEdge {
                from,
                row,
                way: arc.way,
            })
        })
    }

    /// The boxes of all edges, in their order.
    pub(super) fn boxes(&self, progress: Progress<'_>) -> Vec<Solid> {
        let (states, done) = (self.places.len(), AtomicU64::new(0));
        progress(0, states as u64);
        let by_state: Vec<Vec<Solid>> = (0..states)
            .into_par_iter()
            .map_init(
                || Flood::new(self),
                |flood, start| {
                    let boxes = flood.boxes(start);
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1, states as u64);
                    boxes
                },
            )
            .collect();
        by_state.concat()
    }
}

impl Network {
    /// Floods from some states, spread over the space, and tells from how many.
    pub(super) fn sample(&self, most: usize) -> usize {
        let states = self.places.len();
        let starts: Vec<usize> = (0..states).step_by((states / most).max(1)).collect();
        starts.par_iter().for_each_init(|| Flood::new(self), |flood, &start| drop(flood.boxes(start)));
        starts.len()
    }
}

/// Room for one flood after another.
struct Flood<'a> {
    network: &'a Network,
    distances: Vec<u64>,
    /// The states that can be reached, nearest first.
    order: Vec<u32>,
    /// The edges of the start that begin a shortest path to a state, 64 of them at a time.
    labels: Vec<u64>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<'a> Flood<'a> {
    fn new(network: &'a Network) -> Flood<'a> {
        let states = network.places.len();
        Flood {
            network,
            distances: vec![u64::MAX; states],
            order: Vec::with_capacity(states),
            labels: vec![0; states],
            heap: BinaryHeap::new(),
        }
    }

    fn arcs(&self, state: u32) -> &'a [Arc] {
        let network = self.network;
        &network.edges[network.first[state as usize]..network.first[state as usize + 1]]
    }

    fn boxes(&mut self, start: usize) -> Vec<Solid> {
        self.measure(start as u32);
        let first_edges = self.arcs(start as u32);
        let mut boxes = vec![EMPTY_SOLID; first_edges.len()];
        for (edges, boxes) in first_edges.chunks(64).zip(boxes.chunks_mut(64)) {
            self.label(edges, boxes);
        }
        boxes
    }

    /// Distances from the start, and the order of states.
    fn measure(&mut self, start: u32) {
        self.distances.fill(u64::MAX);
        self.order.clear();
        self.distances[start as usize] = 0;
        self.heap.push(Reverse((0, start)));
        while let Some(Reverse((distance, state))) = self.heap.pop() {
            if distance > self.distances[state as usize] {
                continue;
            }
            self.order.push(state);
            for arc in self.arcs(state) {
                let there = distance + arc.cost;
                if there < self.distances[arc.to as usize] {
                    self.distances[arc.to as usize] = there;
                    self.heap.push(Reverse((there, arc.to)));
                }
            }
        }
    }

    /// The boxes of up to 64 edges of the start.
    fn label(&mut self, edges: &[Arc], boxes: &mut [Solid]) {
        self.labels.fill(0);
        for (bit, arc) in edges.iter().enumerate() {
            if self.distances[arc.to as usize] == arc.cost {
                self.labels[arc.to as usize] |= 1 << bit;
            }
        }
        // All tight predecessors of a state stand before it.
        for &state in self.order.iter().skip(1) {
            let mut label = self.labels[state as usize];
            if label == 0 {
                continue;
            }
            for arc in self.arcs(state) {
                if self.distances[state as usize] + arc.cost == self.distances[arc.to as usize] {
                    self.labels[arc.to as usize] |= label;
                }
            }
            while label != 0 {
                extend(&mut boxes[label.trailing_zeros() as usize], self.network.places[state as usize]);
                label &= label - 1;
            }
        }
    }
}
