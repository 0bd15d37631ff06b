//! Proves that estimates by landmarks never exceed what ways cost, on the map as it is: also after cells were closed, when the
//! distances that are stored are no longer exact.
//!
//! # Guarantees
//! *Differential.* If for every move from u to v of cost c and every landmark d(s, v) <= d(s, u) + c and d(u, s) <= c + d(v, s),
//! then along any path from a to b the sum of its moves is at least d(s, b) - d(s, a) and d(a, s) - d(b, s), whatever
//! the numbers are. A distance that is not known at one end, but at the other, is in order where estimates do without: at v from u
//! never, since a way leads there.
//!
//! *Canonical.* For every landmark i the least of d(i, a) + d(a, b) + d(b, C(b)) over all states a whose nearest landmark is i must
//! be at least d(i, C(b)): one flood for each landmark, from all those states at once.

use crate::build::dijkstra::UNREACHED;
use crate::build::network::Network;
use crate::build::parallel;
use crate::core::StateId;
use crate::index::{Section, landmarks};
use crate::space::{Distances, Landmarks, Space, StoredDistance};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Every estimate is at most what the cheapest way costs.
pub(in crate::build) fn verify(space: &Space, section: &Section) -> Result<(), String> {
    let landmarks = landmarks::open(space, section).ok_or("distances are too long for this map")?;
    let states: Vec<StateId> = space.free_states().collect();
    if landmarks::states(section).count() != landmarks.count {
        return Err("there are other landmarks than are counted".to_owned());
    }
    let proof = Proof { landmarks, network: Network::new(space, &states), states };
    match landmarks.distances {
        Distances::Short(distances) => proof.check(distances),
        Distances::Straight(distances) => proof.check(distances),
        Distances::Long(distances) => proof.check(distances),
    }
}

struct Proof<'a> {
    landmarks: Landmarks<'a>,
    states: Vec<StateId>,
    network: Network,
}

impl Proof<'_> {
    fn check<D: StoredDistance + Sync>(&self, distances: &[D]) -> Result<(), String> {
        let rows: Vec<Option<usize>> =
            self.states.iter().map(|&state| self.landmarks.rows.of(state)).collect();
        match self.landmarks.nearest {
            None => self.check_differences(distances, &rows),
            Some(nearest) => self.check_nearest(distances, nearest, &rows),
        }
    }

    fn cost(&self, distance: impl StoredDistance) -> Option<u64> {
        let (straight, diagonal) = distance.steps()?;
        Some(straight * self.landmarks.units.0 + diagonal * self.landmarks.units.1)
    }

    fn directions(&self) -> usize {
        if self.landmarks.is_directed { 2 } else { 1 }
    }

    fn check_differences<D: StoredDistance>(
        &self,
        distances: &[D],
        rows: &[Option<usize>],
    ) -> Result<(), String> {
        let (count, directions) = (self.landmarks.count, self.directions());
        let row = |state: u32, direction: usize| {
            let row = rows[state as usize]? * directions + direction;
            distances.get(row * count..(row + 1) * count)
        };
        for from in 0..self.states.len() as u32 {
            for arc in self.network.arcs(from) {
                let is_sound = |(nearer, farther): (&D, &D)| match (self.cost(*nearer), self.cost(*farther)) {
                    (Some(nearer), Some(farther)) => farther <= nearer + arc.cost,
                    (Some(_), None) => false,
                    (None, _) => true,
                };
                let rows = |direction| row(from, direction).zip(row(arc.to, direction));
                let last = directions - 1;
                let is_sound =
                    rows(0).zip(rows(last)).is_some_and(|((from_here, from_there), (to_here, to_there))| {
                        from_here.iter().zip(from_there).all(is_sound)
                            && to_there.iter().zip(to_here).all(is_sound)
                    });
                if !is_sound {
                    let (from, to) = (self.states[from as usize], self.states[arc.to as usize]);
                    return Err(format!(
                        "the distances of {from} and {to} differ by more than the move between them"
                    ));
                }
            }
        }
        Ok(())
    }

    fn check_nearest<D: StoredDistance + Sync>(
        &self,
        distances: &[D],
        nearest: &[u16],
        rows: &[Option<usize>],
    ) -> Result<(), String> {
        let (count, directions) = (self.landmarks.count, self.directions());
        // The nearest landmark of a state and how far it is, from the landmark and to it.
        let near = |state: usize, direction: usize| {
            let place = rows[state]? * directions + direction;
            let landmark = usize::from(*nearest.get(place)?);
            Some((landmark, self.cost(*distances.get(place)?)?)).filter(|(landmark, _)| *landmark < count)
        };
        let mut members: Vec<Vec<(u32, u64)>> = vec![Vec::new(); count];
        for state in 0..self.states.len() {
            if let Some((landmark, distance)) = near(state, 0) {
                members[landmark].push((state as u32, distance));
            }
        }
        let check = |landmark: usize| {
            let reached = self.flood(&members[landmark]);
            for (state, &distance) in reached.iter().enumerate() {
                let Some((to, rest)) = near(state, directions - 1).filter(|_| distance != UNREACHED) else {
                    continue;
                };
                let between =
                    distances.get(nearest.len() + landmark * count + to).and_then(|d| self.cost(*d));
                if between.is_some_and(|between| between > distance.saturating_add(rest)) {
                    return Err(format!(
                        "landmarks {landmark} and {to} are nearer to each other than is said"
                    ));
                }
            }
            Ok(())
        };
        parallel::try_each(count, check)
    }

    /// How far every state is from some that begin with distances of their own.
    fn flood(&self, members: &[(u32, u64)]) -> Vec<u64> {
        let mut distances = vec![UNREACHED; self.states.len()];
        let mut open: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
        for &(state, distance) in members {
            distances[state as usize] = distance;
            open.push(Reverse((distance, state)));
        }
        while let Some(Reverse((distance, state))) = open.pop() {
            if distance > distances[state as usize] {
                continue;
            }
            for arc in self.network.arcs(state) {
                let there = distance + arc.cost;
                if there < distances[arc.to as usize] {
                    distances[arc.to as usize] = there;
                    open.push(Reverse((there, arc.to)));
                }
            }
        }
        distances
    }
}
