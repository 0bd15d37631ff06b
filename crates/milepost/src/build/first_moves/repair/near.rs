//! The states whose edges an edit has changed: their distances to all targets before and after it, and their moves.
//!
//! Where paths can jump, distances after the edit are had for the asking, and those before follow from them: the last
//! changed edge of an old path from a near cell leads to a near cell, or else to one that has vanished, whose edges have
//! all changed too. So with `L` the old distances between near cells, `d0(z) = min over near y of L(z, y) + d1(y)`. The
//! same holds for `L` itself, which is closed over the old edges between near and vanished cells and the new distances
//! between near ones. Elsewhere every near state is flooded from, in both versions.

use super::exact::{ExactWave, Repair, Seed, TooMuch, Work};
use super::printed::stored_row;
use super::versions::{Correction, NO_STATE};
use crate::build::network::NetworkFlood;
use crate::core::StateId;
use crate::index::PackedCell;
use crate::index::first_moves::greedy::{bearing, greedy};
use crate::space::Grid;

/// Near and vanished cells beyond which floods are quicker.
const MOST_NEAR: usize = 48;

/// The near cells of a grid on which paths can jump.
pub(super) struct Neighbourhood<'a> {
    /// For each near cell, if it was there before, its greedy moves.
    greedy_moves: Vec<Option<GreedyMoves<'a>>>,
    /// For every two near cells the old distance, where distances grow.
    between: Option<Vec<u64>>,
    d0: Vec<u64>,
    d1: Vec<u64>,
}

impl<'a> Neighbourhood<'a> {
    /// `None` where paths cannot jump, and where near cells are none, or too many.
    pub(super) fn new(repair: &mut Repair<'a>) -> Option<Neighbourhood<'a>> {
        let (versions, near) = (repair.versions, &repair.changes.near);
        let (old, grid) = (versions.old.as_grid()?, versions.new.as_grid()?);
        if repair.oracle.floods() || !(1..=MOST_NEAR).contains(&near.len()) {
            return None;
        }
        let between = match repair.old_oracle {
            Some(_) => None,
            None => Some(between(repair)?),
        };
        let greedy_moves = |&source: &u32| {
            let state = versions.new_order[source as usize];
            let allowed = || [old, grid].map(|grid| grid.directions(state).bits());
            let is_old = versions.old_of_new[source as usize] != NO_STATE;
            is_old.then(|| GreedyMoves { grid, order: versions.new_order, state, allowed: allowed() })
        };
        let (d0, d1) = (vec![u64::MAX; near.len()], vec![u64::MAX; near.len()]);
        Some(Neighbourhood { greedy_moves: near.iter().map(greedy_moves).collect(), between, d0, d1 })
    }

    /// The distances to the target that is aimed at.
    fn measure(&mut self, repair: &Repair<'_>) {
        let near = &repair.changes.near;
        for (d1, &source) in self.d1.iter_mut().zip(near) {
            *d1 = repair.oracle.distance(source);
        }
        if let Some(old_oracle) = &repair.old_oracle {
            for (d0, &source) in self.d0.iter_mut().zip(near) {
                let old = repair.versions.old_of_new[source as usize];
                *d0 = if old == NO_STATE { u64::MAX } else { old_oracle.distance(old) };
            }
        }
        if let Some(between) = &self.between {
            for (d0, between) in self.d0.iter_mut().zip(between.chunks(near.len())) {
                let over = between.iter().zip(&self.d1).map(|(&to, &rest)| to.saturating_add(rest));
                *d0 = over.min().unwrap_or(u64::MAX);
            }
        }
    }
}

/// For every two near cells the distance before an edit that has made distances grow.
fn between(repair: &mut Repair<'_>) -> Option<Vec<u64>> {
    let (versions, near) = (repair.versions, &repair.changes.near);
    let vanished = (0..).zip(&versions.new_of_old).filter(|(_, new)| **new == NO_STATE);
    let mut cells: Vec<u32> = near.iter().map(|&cell| versions.old_of_new[cell as usize]).collect();
    cells.extend(vanished.map(|(old, _)| old));
    let count = cells.len();
    if count > MOST_NEAR {
        return None;
    }
    let place = |old: u32| cells.iter().position(|&cell| cell == old);
    let mut between = vec![u64::MAX; count * count];
    for (from, &old) in cells.iter().enumerate() {
        between[from * count + from] = 0;
        for arc in versions.old_network.arcs(old) {
            match place(arc.to) {
                Some(to) => between[from * count + to] = arc.cost,
                None => {
                    let is_there = |new: u32| {
                        let to = versions.new_of_old[arc.to as usize];
                        versions.new_network.arcs(new).iter().any(|arc| arc.to == to)
                    };
                    // A changed edge that leads elsewhere: not on a grid without links.
                    near.get(from).filter(|&&new| is_there(new))?;
                }
            }
        }
    }
    for (to, &target) in near.iter().enumerate() {
        repair.oracle.aim(target);
        for (from, &source) in near.iter().enumerate() {
            let known = &mut between[from * count + to];
            *known = (*known).min(repair.oracle.distance(source));
        }
    }
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                let over = between[from * count + via].saturating_add(between[via * count + to]);
                let known = &mut between[from * count + to];
                *known = (*known).min(over);
            }
        }
    }
    Some((0..near.len()).flat_map(|from| between[from * count..][..near.len()].to_vec()).collect())
}

impl Repair<'_> {
    /// The moves of near cells to the target that is aimed at, but for those whose stored move leads over an edge that is
    /// still there to a cell whose distance has grown: the wave looks at these. Returns where distances have changed.
    pub(super) fn near_moves(
        &self,
        near: &mut Neighbourhood<'_>,
        target: u32,
        wave: &mut ExactWave,
    ) -> Vec<Seed> {
        near.measure(self);
        let mut seeds = Vec::new();
        for (place, &source) in self.changes.near.iter().enumerate() {
            let (d0, d1) = (near.d0[place], near.d1[place]);
            wave.is_examined[source as usize] = true;
            let greedy_moves = near.greedy_moves[place].as_ref();
            let stored = if greedy_moves.is_some() { self.stored_next(source) } else { NO_STATE };
            let is_there = || self.versions.new_network.arcs(source).iter().any(|arc| arc.to == stored);
            let next = if stored == NO_STATE || d1 < d0 || !is_there() {
                self.best_next(source, target, d1, stored)
            } else {
                stored
            };
            wave.is_changed[source as usize] |= next != stored || greedy_moves.is_none();
            let keeps_symbol = next != NO_STATE
                && next == stored
                && greedy_moves.is_some_and(|moves| moves.keep(target, next));
            if !keeps_symbol {
                wave.corrections.push(Correction { target, source, next });
            }
            if d0 != d1 && greedy_moves.is_some() {
                seeds.push(Seed { target, state: source, d0, d1 });
            }
        }
        seeds
    }

    /// The whole rows of near states, by floods from them in both versions. Returns where distances have changed.
    pub(super) fn near_rows(&mut self, wave: &mut ExactWave, work: &mut Work) -> Result<Vec<Seed>, TooMuch> {
        let versions = self.versions;
        let (network, old_network) = (&versions.new_network, &versions.old_network);
        let (mut flood, mut old_flood) = (NetworkFlood::new(network), NetworkFlood::new(old_network));
        let mut seeds = Vec::new();
        for &source in &self.changes.near {
            work.flood(network)?;
            work.flood(network)?;
            let (stored, old) =
                (stored_row(versions, &self.stored, source), versions.old_of_new[source as usize]);
            wave.is_examined[source as usize] = true;
            wave.is_changed[source as usize] |= old == NO_STATE;
            // The best of the right moves to each target: how well it suits, and where it leads.
            let mut row = vec![(u8::MAX, NO_STATE); network.states()];
            flood.measure(network, source);
            let (arcs, slots) = (network.arcs(source), network.slots(source));
            for (arcs, slots) in arcs.chunks(64).zip(slots.chunks(64)) {
                flood.label(network, arcs, |target, mut label| {
                    while label != 0 {
                        let place = label.trailing_zeros() as usize;
                        label &= label - 1;
                        let to = arcs[place].to;
                        let suits = self.suits(source, target, (to, slots[place]), stored[target as usize]);
                        row[target as usize] = row[target as usize].min((suits, to));
                    }
                });
            }
            if old != NO_STATE {
                old_flood.measure(old_network, old);
            }
            for (target, (_, next)) in (0..).zip(row) {
                wave.corrections.push(Correction { target, source, next });
                wave.is_changed[source as usize] |= next != stored[target as usize];
                let old_target = versions.old_of_new[target as usize];
                if old != NO_STATE && old_target != NO_STATE {
                    let (d0, d1) = (old_flood.distance(old_target), flood.distance(target));
                    if d0 != d1 {
                        seeds.push(Seed { target, state: source, d0, d1 });
                    }
                }
            }
        }
        Ok(seeds)
    }
}

/// The greedy moves of a cell before and after an edit that changes which directions it allows.
struct GreedyMoves<'a> {
    grid: &'a Grid,
    order: &'a [StateId],
    state: StateId,
    allowed: [u8; 2],
}

impl GreedyMoves<'_> {
    /// Whether a symbol that led to the next state towards a target does so still. One that names the direction does; the
    /// greedy one may not.
    fn keep(&self, target: u32, next: u32) -> bool {
        let goal = PackedCell::of(self.grid, self.order[target as usize]);
        let (dx, dy) = PackedCell::of(self.grid, self.state).to(goal);
        let [before, now] = self.allowed.map(|allowed| {
            let direction = greedy(allowed, bearing(dx, dy));
            direction < 8 && self.grid.neighbour(self.state, direction) == self.order[next as usize]
        });
        now || !before
    }
}
