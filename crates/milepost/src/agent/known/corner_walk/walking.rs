//! Following the path, and what is done before it is there.

use super::planning::Phase;
use super::{CornerWalkMemory, Known};
use crate::core::Budget;
use crate::index::direction;
use crate::plan::parts::corner_search::Unpacked;
use crate::space::{Cell, Direction, Grid, LineOfSight};
use serde::{Deserialize, Serialize};

/// A free run to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Leg {
    pub(super) to: Cell,
    pub(super) is_diagonal_first: bool,
}

/// What came of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Walked {
    To(Cell),
    /// The next run is not unpacked yet.
    NotYet,
    /// The path leads through a wall, or to nowhere.
    Broken,
}

/// Runs that are unpacked ahead.
pub(super) const AHEAD: usize = 3;

/// Moves without a path that are remembered. After so many it goes to and fro.
pub(super) const MOST_TRAIL: usize = 256;

impl CornerWalkMemory {
    /// Where the path leads next.
    pub(super) fn walk(&mut self, known: Known<'_>, budget: &mut Budget) -> Walked {
        if !self.has_ended && self.legs.len() < 2 && !self.unpack(known, budget) {
            return Walked::Broken;
        }
        let at = known.at;
        if !self.trail.is_empty() && !self.rejoin(known, at, budget) {
            let Some(back) = self.trail.pop() else { return Walked::Broken };
            return step(known.grid, at, usize::from(back) ^ 4);
        }
        if let Some(next) = self.steps.pop() {
            return step(known.grid, at, next.into());
        }
        while self.legs.first().is_some_and(|leg| leg.to == at) {
            self.legs.remove(0);
        }
        match self.legs.first() {
            Some(leg) => step(known.grid, at, towards(at, *leg)),
            None if self.has_ended => Walked::Broken,
            None => {
                self.trail_target = None;
                Walked::NotYet
            }
        }
    }

    /// Where the path leads next, if that takes no index: nearly always. The same as [`CornerWalkMemory::walk`], without
    /// what it would find nothing to do for.
    #[inline]
    pub(super) fn stride(&mut self, grid: &Grid, at: Cell) -> Option<Cell> {
        let is_plain = self.phase == Phase::Walk
            && (self.has_ended || self.legs.len() > 1)
            && self.trail.is_empty()
            && self.steps.is_empty();
        if !is_plain {
            return None;
        }
        let current = self.legs.iter().position(|leg| leg.to != at)?;
        let Walked::To(there) = step(grid, at, towards(at, self.legs[current])) else { return None };
        if current > 0 {
            self.legs.drain(..current);
        }
        Some(there)
    }

    /// Unpacks the next runs. False if the index leads nowhere.
    fn unpack(&mut self, known: Known<'_>, budget: &mut Budget) -> bool {
        while self.legs.len() < AHEAD {
            match self.chain.next_within(&known.index, budget) {
                Unpacked::Leg(leg) => {
                    // A path comes to no corner twice.
                    if self.unpacked as usize >= known.index.corners() {
                        return false;
                    }
                    self.unpacked += 1;
                    let (to, is_diagonal_first) = (known.index.place(leg.corner), leg.is_diagonal_first);
                    self.legs.push(Leg { to, is_diagonal_first });
                }
                Unpacked::End => {
                    let to = known.goal;
                    self.legs.push(Leg { to, is_diagonal_first: false });
                    self.has_ended = true;
                    return true;
                }
                Unpacked::Suspended => return true,
                Unpacked::Damaged => return false,
            }
        }
        true
    }

    /// Whether the path can be followed from beside it.
    fn rejoin(&mut self, known: Known<'_>, at: Cell, budget: &mut Budget) -> bool {
        let Some(leg) = self.legs.first_mut() else { return false };
        let is_on_it = leg.is_diagonal_first && self.trail_target == Some(leg.to);
        let apart = u64::from(at.0.abs_diff(leg.to.0).max(at.1.abs_diff(leg.to.1))) + 2;
        let mut looks = |from: Cell, to: Cell| {
            budget.left() > apart && LineOfSight::new(from, to).advance(known.grid, budget) == Some(true)
        };
        if !is_on_it {
            if looks(at, leg.to) {
                leg.is_diagonal_first = true;
            } else if looks(leg.to, at) {
                leg.is_diagonal_first = false;
            } else {
                return false;
            }
        }
        self.trail.clear();
        true
    }

    /// A move without a path: towards where the path will probably begin, else back, else anywhere.
    pub(super) fn walk_ahead(&mut self, Known { grid, at, goal, .. }: Known<'_>) -> Option<Cell> {
        let to = if self.interim_target == at { goal } else { self.interim_target };
        if self.trail.is_empty() {
            self.trail_target = Some(to);
        } else if self.trail_target != Some(to) {
            self.trail_target = None;
        }
        let ahead = towards(at, Leg { to, is_diagonal_first: true });
        if self.trail.len() < MOST_TRAIL
            && let Walked::To(there) = step(grid, at, ahead)
        {
            self.trail.push(ahead as u8);
            return Some(there);
        }
        self.trail_target = None;
        if let Some(back) = self.trail.pop() {
            if let Walked::To(there) = step(grid, at, usize::from(back) ^ 4) {
                return Some(there);
            }
            self.trail.clear();
        }
        let any = (0..8).find_map(|direction| match step(grid, at, direction) {
            Walked::To(there) => Some((direction, there)),
            _ => None,
        });
        any.map(|(direction, there)| {
            self.trail.push(direction as u8);
            there
        })
    }
}

/// The signs of columns and rows from one cell to another.
#[inline]
pub(super) fn signs(from: Cell, to: Cell) -> (i32, i32) {
    let sign = |from: u32, to: u32| i32::from(to > from) - i32::from(to < from);
    (sign(from.0, to.0), sign(from.1, to.1))
}

/// The direction of the next step of a run.
#[inline]
fn towards(at: Cell, leg: Leg) -> usize {
    let ((dx, dy), wide, high) = (signs(at, leg.to), at.0.abs_diff(leg.to.0), at.1.abs_diff(leg.to.1));
    if leg.is_diagonal_first || wide == high {
        direction(dx, dy)
    } else if wide > high {
        direction(dx, 0)
    } else {
        direction(0, dy)
    }
}

/// Where a step leads that the map allows.
#[inline]
fn step(grid: &Grid, at: Cell, direction: usize) -> Walked {
    if direction > 7 {
        return Walked::Broken;
    }
    let (dx, dy) = Direction::from_number(direction).offset();
    let (column, row, dx, dy) = (at.0 as i32, at.1 as i32, dx as i32, dy as i32);
    let is_free = grid.has_free(column + dx, row + dy)
        && (direction.is_multiple_of(2)
            || grid.has_free(column + dx, row) && grid.has_free(column, row + dy));
    if is_free { Walked::To(((column + dx) as u32, (row + dy) as u32)) } else { Walked::Broken }
}
