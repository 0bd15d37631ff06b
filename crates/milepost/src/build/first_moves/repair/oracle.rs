//! How far it is to one target after another, from any state.

use crate::build::first_moves::distances::Distances;
use crate::build::jump_points::lanes::INFINITE;
use crate::build::network::{Network, NetworkFlood};
use crate::index::Jumps;
use std::cell::Cell;

/// Distances to a target. Those that lead nowhere are `u64::MAX`.
pub(super) enum Oracle<'a> {
    /// From distances between jump points.
    Jumps(Box<JumpOracle<'a>>),
    /// By a flood backwards from every target.
    Floods(Box<FloodOracle>),
}

impl Oracle<'_> {
    /// From now on distances are those to this target.
    pub(super) fn aim(&mut self, target: u32) {
        match self {
            Oracle::Jumps(jumps) => jumps.aim(target),
            Oracle::Floods(floods) => floods.flood.measure(&floods.backwards, target),
        }
    }

    /// How far it is from a state.
    #[inline]
    pub(super) fn distance(&self, state: u32) -> u64 {
        self.distance_from(state, 0)
    }

    /// The same where it is known that it is not less than so much.
    #[inline]
    pub(super) fn distance_from(&self, state: u32, least: u64) -> u64 {
        match self {
            Oracle::Jumps(jumps) => jumps.distance(state, least),
            Oracle::Floods(floods) => floods.flood.distance(state),
        }
    }

    /// Whether a target takes a flood.
    pub(super) fn floods(&self) -> bool {
        matches!(self, Oracle::Floods(_))
    }
}

pub(super) struct FloodOracle {
    backwards: Network,
    flood: NetworkFlood,
}

impl FloodOracle {
    pub(super) fn new(network: &Network) -> FloodOracle {
        let backwards = network.reversed();
        let flood = NetworkFlood::new(&backwards);
        FloodOracle { backwards, flood }
    }
}

/// A cell that sees the target is at the octile distance, any other goes over one of its first jump points. Few cells are
/// asked for most targets, so what lies between them and the target is worked out when the repair asks.
pub(super) struct JumpOracle<'a> {
    distances: Distances<'a>,
    target: u32,
    /// By jump point, one more than the last target that it knows the distance to, and that distance.
    row: Vec<Cell<(u32, u32)>>,
}

impl<'a> JumpOracle<'a> {
    pub(super) fn new(distances: Distances<'a>) -> JumpOracle<'a> {
        let row = vec![Cell::new((0, 0)); distances.points()];
        JumpOracle { distances, target: 0, row }
    }

    fn aim(&mut self, target: u32) {
        self.target = target;
    }

    /// From a jump point to the target.
    #[inline]
    fn distance_of_point(&self, point: u32) -> u32 {
        let known = &self.row[point as usize];
        let (target, distance) = known.get();
        if target == self.target + 1 {
            return distance;
        }
        let distance = self.distances.to_point(self.target, point);
        known.set((self.target + 1, distance));
        distance
    }

    #[inline]
    fn distance(&self, cell: u32, least: u64) -> u64 {
        let distances = &self.distances;
        if cell == self.target {
            return 0;
        }
        let over = distances.first(cell).iter().map(|leg| self.distance_of_point(leg.point) + leg.cost).min();
        let octile =
            distances.graph.costs.octile(distances.packed_cell(cell), distances.packed_cell(self.target));
        match over.filter(|&distance| distance < INFINITE) {
            Some(distance) if distance == octile => octile.into(),
            _ if u64::from(octile) >= least
                && distances
                    .graph
                    .flat
                    .is_direct(distances.packed_cell(cell), distances.packed_cell(self.target)) =>
            {
                octile.into()
            }
            over => over.map_or(u64::MAX, u64::from),
        }
    }
}
