//! How far it is to one target after another, from any state.

use crate::build::first_moves::distances::Distances;
use crate::build::jump_points::lanes::INFINITE;
use crate::build::network::{Network, NetworkFlood};

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
        match self {
            Oracle::Jumps(jumps) => jumps.distance(state),
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

/// A cell that sees the target is at the octile distance, any other goes over one of its first jump points.
pub(super) struct JumpOracle<'a> {
    distances: Distances<'a>,
    target: u32,
    /// From the target to all jump points.
    row: Vec<u32>,
    /// By number, one more than the last target that a cell saw.
    seen: Vec<u32>,
}

impl<'a> JumpOracle<'a> {
    pub(super) fn new(distances: Distances<'a>) -> JumpOracle<'a> {
        let (row, seen) = (vec![0; distances.points()], vec![0; distances.study.cells.len()]);
        JumpOracle { distances, target: 0, row, seen }
    }

    fn aim(&mut self, target: u32) {
        self.target = target;
        self.distances.distances_of_cell(target, &mut self.row);
        let seen = &mut self.seen;
        self.distances.seeing(target, |cell| seen[cell as usize] = target + 1);
    }

    #[inline]
    fn distance(&self, cell: u32) -> u64 {
        let distances = &self.distances;
        if cell == self.target {
            return 0;
        }
        if self.seen[cell as usize] == self.target + 1 {
            return distances.study.costs.octile(distances.spot(cell), distances.spot(self.target)).into();
        }
        let over = distances.first(cell).iter().map(|leg| self.row[leg.point as usize] + leg.cost).min();
        over.filter(|&distance| distance < INFINITE).map_or(u64::MAX, u64::from)
    }
}
