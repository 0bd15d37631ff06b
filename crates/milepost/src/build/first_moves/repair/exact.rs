//! Repairs a table such that every move is optimal again, looking only at pairs that an edit can have broken.
//!
//! For a fixed target the stored moves are a tree of shortest paths. An edit that makes edges dearer or removes them
//! breaks a move `z -> x` only if that edge is one of them, or if the distance of `x` has grown; so the distances that
//! grow are found from the edit outwards, always from a state to those whose stored move leads to it. An edit that makes
//! edges cheaper or adds some breaks a move of `z` only if its distance has fallen, and then it has fallen at every
//! state between `z` and the edit too. Either way the wave ends where distances stay, and most targets have none.
//!
//! # Paper
//! G. Ramalingam, T. Reps: An incremental algorithm for a generalization of the shortest-path problem, Journal of
//! Algorithms 21, 1996, for the idea of affected states. Here all targets are repaired, and no distances are stored:
//! [`oracle`](super::oracle) gives them where the wave is.
//!
//! # Symbols
//! `d0` and `d1` are distances to the target before and after the edit. A state is *near* if its edges are not those
//! of before.
//!
//! # Guarantees
//! Exact: afterwards every stored move begins a shortest path. Proof for growing distances: let `d1(z) > d0(z)`, and
//! `z -> x` its stored move. Either this edge has changed, and `z` is near, or `d1(x) > d0(x)`, or else `z` could still
//! go there as before. By induction over `d0` there is a chain of stored moves from `z` to a near state whose distance
//! has grown, and all states on it are visited. A stored move `z -> x` that is no longer optimal although its edge is
//! as before has `d1(x) > d0(x)`, so `z` is looked at when `x` is. For falling distances: a shortest path of the new
//! version from `z` with `d1(z) < d0(z)` uses a changed edge; up to the near state where it does, distances have
//! fallen. [`near`](super::near) has the distances of near states in both versions.
//!
//! # Deviations
//! None of the two waves settles states in the order of distance: the oracle's distances are final.

use super::near::Neighbourhood;
use super::oracle::Oracle;
use super::versions::{Changes, Correction, NO_STATE, Versions};
use crate::build::network::Network;
use crate::index::first_moves::greedy::{bearing, greedy};
use crate::index::{FirstMoves, NextMove, PackedCell, Towards};
use crate::space::EdgeSlot;

/// What the repair found.
pub(super) struct ExactWave {
    pub(super) corrections: Vec<Correction>,
    /// By new number: which states were looked at, and which have other moves now.
    pub(super) is_examined: Vec<bool>,
    pub(super) is_changed: Vec<bool>,
    /// Pairs looked at away from the edit.
    pub(super) pairs: u64,
}

/// More work than a rebuild.
pub(super) struct TooMuch;

/// Work, in pairs looked at.
pub(super) struct Work {
    pub(super) done: u64,
    pub(super) most: u64,
}

impl Work {
    pub(super) fn take(&mut self, units: u64) -> Result<(), TooMuch> {
        self.done = self.done.saturating_add(units);
        if self.done > self.most { Err(TooMuch) } else { Ok(()) }
    }

    /// What a flood counts.
    pub(super) fn flood(&mut self, network: &Network) -> Result<(), TooMuch> {
        self.take(network.states() as u64 / 3)
    }
}

/// A near state and a target to which the distance from it has changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seed {
    pub(super) target: u32,
    pub(super) state: u32,
    pub(super) d0: u64,
    pub(super) d1: u64,
}

/// What is known of a state since it was looked at last.
#[derive(Clone, Copy)]
struct LookedAt {
    /// One more than the target.
    for_target: u32,
    /// The stored move. Several of the states that it may lead to ask for it.
    next: NextMove,
}

impl Default for LookedAt {
    fn default() -> LookedAt {
        LookedAt { for_target: 0, next: NextMove::Unreachable }
    }
}

/// Where a wave is.
struct Front {
    /// By new number: whose edges have changed.
    is_near: Vec<bool>,
    /// Whether the rows of near states have been worked out before the wave, or take part in it.
    rows_are_done: bool,
    looked_at: Vec<LookedAt>,
}

pub(super) struct Repair<'a> {
    pub(super) versions: &'a Versions<'a>,
    pub(super) changes: &'a Changes,
    pub(super) stored: FirstMoves<'a>,
    /// Those to the target that is aimed at.
    pub(super) towards: Towards<'a>,
    /// Backwards, the new version, where that is another network.
    pub(super) backwards: Option<Network>,
    pub(super) oracle: Oracle<'a>,
    /// Distances in the old version, where they may fall.
    pub(super) old_oracle: Option<Oracle<'a>>,
}

impl Repair<'_> {
    /// Everything that an edit which makes edges dearer, or cheaper, but not both, has broken.
    pub(super) fn run(&mut self, work: &mut Work) -> Result<ExactWave, TooMuch> {
        let states = self.versions.new_order.len();
        let mut wave = ExactWave {
            corrections: Vec::new(),
            is_examined: vec![false; states],
            is_changed: vec![false; states],
            pairs: 0,
        };
        let mut front = Front {
            is_near: vec![false; states],
            rows_are_done: false,
            looked_at: vec![LookedAt::default(); states],
        };
        self.changes.near.iter().for_each(|&state| front.is_near[state as usize] = true);
        match Neighbourhood::new(self) {
            Some(mut near) => {
                let is_old = |&target: &u32| self.versions.old_of_new[target as usize] != NO_STATE;
                for target in (0..states as u32).filter(is_old) {
                    work.take(self.changes.near.len() as u64)?;
                    self.aim(target);
                    let mut open = self.near_moves(&mut near, target, &mut wave);
                    self.spread(&mut open, &mut front, &mut wave, work)?;
                }
            }
            None => {
                let mut seeds = self.near_rows(&mut wave, work)?;
                seeds.sort_unstable();
                front.rows_are_done = true;
                for seeds in seeds.chunk_by(|a, b| a.target == b.target) {
                    if self.oracle.floods() {
                        work.flood(self.before())?;
                    }
                    self.aim(seeds[0].target);
                    self.spread(&mut seeds.to_vec(), &mut front, &mut wave, work)?;
                }
            }
        }
        for &target in &self.changes.appeared {
            self.new_target(target, &front, &mut wave, work)?;
        }
        Ok(wave)
    }

    /// From now on distances are those to this target.
    pub(super) fn aim(&mut self, target: u32) {
        self.oracle.aim(target);
        self.towards = self.stored.towards(self.versions.new_order[target as usize]);
        if let Some(old) = &mut self.old_oracle {
            old.aim(self.versions.old_of_new[target as usize]);
        }
    }

    fn spread(
        &self,
        open: &mut Vec<Seed>,
        front: &mut Front,
        wave: &mut ExactWave,
        work: &mut Work,
    ) -> Result<(), TooMuch> {
        match &self.old_oracle {
            Some(old) => self.fall(old, open, front, wave, work),
            None => self.grow(open, front, wave, work),
        }
    }

    /// From states whose distance has grown to those whose stored move leads to them.
    fn grow(
        &self,
        open: &mut Vec<Seed>,
        front: &mut Front,
        wave: &mut ExactWave,
        work: &mut Work,
    ) -> Result<(), TooMuch> {
        let order = &self.versions.new_order;
        while let Some(Seed { target, state: x, d0, d1 }) = open.pop() {
            for arc in self.before().arcs(x) {
                let z = arc.to;
                let is_near = front.is_near[z as usize];
                if is_near && front.rows_are_done {
                    continue;
                }
                let known = &mut front.looked_at[z as usize];
                if known.for_target != target + 1 {
                    let next = self.towards.next_move(order[z as usize]);
                    *known = LookedAt { for_target: target + 1, next };
                }
                // So every state is visited but once.
                if known.next != NextMove::Move(order[x as usize]) {
                    continue;
                }
                let (z_d0, over_x) = (d0 + arc.cost, d1.saturating_add(arc.cost));
                let z_d1 = self.look_at(z, z_d0, wave, work)?;
                if z_d1 != over_x || z_d1 == u64::MAX {
                    self.correct(z, target, z_d1, wave);
                }
                // Near ones were seeds.
                if z_d1 > z_d0 && !is_near {
                    open.push(Seed { target, state: z, d0: z_d0, d1: z_d1 });
                }
            }
        }
        Ok(())
    }

    /// From states whose distance has fallen to all from which an edge leads there.
    fn fall(
        &self,
        old_oracle: &Oracle<'_>,
        open: &mut Vec<Seed>,
        front: &mut Front,
        wave: &mut ExactWave,
        work: &mut Work,
    ) -> Result<(), TooMuch> {
        while let Some(Seed { target, state: x, .. }) = open.pop() {
            for arc in self.before().arcs(x) {
                let z = arc.to;
                let last = &mut front.looked_at[z as usize].for_target;
                if front.is_near[z as usize] || std::mem::replace(last, target + 1) == target + 1 {
                    continue;
                }
                let d1 = self.look_at(z, 0, wave, work)?;
                let old = self.versions.old_of_new[z as usize];
                let d0 = old_oracle.distance(old);
                if d1 < d0 {
                    self.correct(z, target, d1, wave);
                    open.push(Seed { target, state: z, d0, d1 });
                }
            }
        }
        Ok(())
    }

    /// The moves of all states to one that has appeared.
    fn new_target(
        &mut self,
        target: u32,
        front: &Front,
        wave: &mut ExactWave,
        work: &mut Work,
    ) -> Result<(), TooMuch> {
        if self.oracle.floods() {
            work.flood(self.before())?;
        }
        self.oracle.aim(target);
        let is_done = |z: &u32| front.rows_are_done && front.is_near[*z as usize];
        for z in (0..self.versions.new_order.len() as u32).filter(|z| !is_done(z)) {
            let next = self.best_next(z, target, self.oracle.distance(z), NO_STATE);
            wave.is_examined[z as usize] = true;
            wave.is_changed[z as usize] |= next != NO_STATE;
            wave.corrections.push(Correction { target, source: z, next });
        }
        Ok(())
    }

    /// The distance of a state, of which it is known that it is not less than so much.
    fn look_at(&self, state: u32, least: u64, wave: &mut ExactWave, work: &mut Work) -> Result<u64, TooMuch> {
        work.take(1)?;
        wave.pairs += 1;
        wave.is_examined[state as usize] = true;
        Ok(self.oracle.distance_from(state, least))
    }

    /// Backwards, the new version.
    fn before(&self) -> &Network {
        self.backwards.as_ref().unwrap_or(&self.versions.new_network)
    }

    /// Notes the best move of a state, if it is not the stored one.
    fn correct(&self, z: u32, target: u32, d1: u64, wave: &mut ExactWave) {
        let stored = self.stored_next(z);
        let next = self.best_next(z, target, d1, stored);
        if next != stored {
            wave.is_changed[z as usize] = true;
            wave.corrections.push(Correction { target, source: z, next });
        }
    }

    /// Where the stored move to the target that is aimed at leads; [`NO_STATE`] if that is no longer there.
    pub(super) fn stored_next(&self, z: u32) -> u32 {
        match self.towards.next_move(self.versions.new_order[z as usize]) {
            NextMove::Move(next) => self.versions.number(next),
            _ => NO_STATE,
        }
    }

    /// The next state of a shortest path of this length.
    pub(super) fn best_next(&self, z: u32, target: u32, d1: u64, stored: u32) -> u32 {
        if d1 == u64::MAX || z == target {
            return NO_STATE;
        }
        let arcs = self.versions.new_network.named_arcs(z);
        let right = arcs.filter(|(arc, _)| self.oracle.distance(arc.to).saturating_add(arc.cost) == d1);
        let best = right.map(|(arc, slot)| (self.suits(z, target, (arc.to, slot), stored), arc.to)).min();
        best.map_or(NO_STATE, |(_, next)| next)
    }

    /// How well a move suits, the least best: the stored one stays if it can, next comes the greedy one.
    pub(super) fn suits(&self, source: u32, target: u32, (to, slot): (u32, EdgeSlot), stored: u32) -> u8 {
        let EdgeSlot::Direction(direction) = slot else { return if to == stored { 0 } else { 2 } };
        let order = &self.versions.new_order;
        let (state, goal) = (order[source as usize], order[target as usize]);
        let is_greedy = || {
            let grid = self.versions.new.as_grid()?;
            let (dx, dy) = PackedCell::of(grid, state).to(PackedCell::of(grid, goal));
            Some(greedy(grid.directions(state).bits(), bearing(dx, dy)) == direction)
        };
        match to == stored {
            true => 0,
            false if is_greedy() == Some(true) => 1,
            false => 2,
        }
    }
}
