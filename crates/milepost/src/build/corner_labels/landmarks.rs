//! Landmarks: corners far from each other. How far corners are from them bounds from below how far they are from each other.
//!
//! Distances are those of the plain graph: with forbidden turns they would be no metric.

use super::graph::TautGraph;
use crate::build::dijkstra::{Dijkstra, UNREACHED};
use crate::index::corner_labels::{LANDMARKS, MOST_MARK, bits_of};

/// Distances from landmarks, in units of `2^shift`.
pub(super) struct Landmarks {
    pub(super) shift: u32,
    pub(super) marks: Vec<[i16; LANDMARKS]>,
}

/// Distances from a corner.
fn spread(graph: &TautGraph, from: u32, distances: &mut [u64]) -> u64 {
    let mut farthest = 0;
    let edges = |corner: u32| graph.edges(corner).iter().map(|edge| (edge.to, edge.cost));
    Dijkstra::default().run(from, distances, edges, |_, distance| farthest = distance);
    farthest
}

/// The first corner of the largest component, and no less than half of the largest distance in any.
pub(super) fn largest_and_farthest(graph: &TautGraph) -> (u32, u64) {
    let count = graph.edges.len();
    let mut distances = vec![UNREACHED; count];
    let (mut largest, mut farthest) = ((0, 0), 0);
    for corner in 0..count as u32 {
        if distances[corner as usize] != UNREACHED {
            continue;
        }
        let (mut settled, mut last) = (0_u32, 0);
        let edges = |corner: u32| graph.edges(corner).iter().map(|edge| (edge.to, edge.cost));
        Dijkstra::default().run(corner, &mut distances, edges, |_, distance| {
            settled += 1;
            last = distance;
        });
        largest = largest.max((settled, u32::MAX - corner));
        farthest = farthest.max(last);
    }
    (u32::MAX - largest.1, farthest)
}

impl Landmarks {
    /// Each landmark is the corner of the largest component that is farthest from those before it.
    pub(super) fn choose(graph: &TautGraph, first: u32) -> Landmarks {
        let count = graph.edges.len();
        if count == 0 {
            return Landmarks { shift: 0, marks: Vec::new() };
        }
        let mut all: Vec<Vec<u64>> = Vec::new();
        let mut nearest = vec![UNREACHED; count];
        spread(graph, first, &mut nearest);
        let mut largest = 0;
        for _ in 0..LANDMARKS {
            let reached = (0..count).filter(|&corner| nearest[corner] != UNREACHED);
            let Some(farthest) = reached.max_by_key(|&corner| nearest[corner]) else { break };
            let mut distances = vec![UNREACHED; count];
            largest = largest.max(spread(graph, farthest as u32, &mut distances));
            if all.is_empty() {
                nearest.clone_from(&distances);
            }
            nearest
                .iter_mut()
                .zip(&distances)
                .for_each(|(nearest, &distance)| *nearest = (*nearest).min(distance));
            all.push(distances);
        }
        let shift = bits_of(largest).saturating_sub(bits_of(MOST_MARK as u64));
        let mark = |distance: u64| (distance >> shift).min(MOST_MARK as u64) as i16;
        let marks = (0..count)
            .map(|corner| std::array::from_fn(|number| all.get(number).map_or(0, |all| mark(all[corner]))));
        Landmarks { shift, marks: marks.collect() }
    }
}
