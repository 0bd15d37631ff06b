//! Landmarks: corners far from each other, and how far every corner is from them. They stand for all goals that an agent
//! may have.

use super::graph::{CornerEdges, spread};
use crate::build::dijkstra::UNREACHED;
use crate::index::corner_hierarchy::NARROW_INFINITE as INFINITE;

/// How many landmarks lists are made for.
pub(super) const LANDMARKS: usize = 128;

/// Distances to landmarks.
pub(super) struct Landmarks {
    distances: Vec<u32>,
}

impl Landmarks {
    /// Each landmark is the corner that is farthest from those before it, so that every component has one as long as
    /// there are enough. What is farther than these numbers tell counts as unreachable.
    pub(super) fn choose(edges: &CornerEdges) -> Landmarks {
        let count = edges.len();
        let mut landmarks = Landmarks { distances: vec![INFINITE; count * LANDMARKS] };
        let (mut nearest, mut distances) = (vec![INFINITE; count], vec![UNREACHED; count]);
        let mut next = 0;
        for number in 0..LANDMARKS.min(count) {
            distances.fill(UNREACHED);
            spread(edges, next, &mut distances);
            let (mut farthest, mut at) = (0, 0);
            for corner in 0..count {
                let distance = distances[corner].min(INFINITE.into()) as u32;
                landmarks.distances[corner * LANDMARKS + number] = distance;
                nearest[corner] = nearest[corner].min(distance);
                if nearest[corner] > farthest {
                    (farthest, at) = (nearest[corner], corner as u32);
                }
            }
            next = at;
        }
        landmarks
    }

    /// The distances of a corner; infinite in other components, and where there are fewer landmarks.
    #[inline]
    pub(super) fn of(&self, corner: u32) -> &[u32; LANDMARKS] {
        let row = self.distances.get(corner as usize * LANDMARKS..).and_then(|rest| rest.first_chunk());
        row.unwrap_or(&[INFINITE; LANDMARKS])
    }
}
