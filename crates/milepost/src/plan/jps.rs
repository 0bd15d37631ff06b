//! A* that jumps: only corners, where a shortest path may have to turn, are states of the search.
//!
//! # Paper
//! D. Harabor, A. Grastien: Online graph pruning for pathfinding on grid maps, AAAI 2011, Algorithms 1 (successors) and
//! 2 (jump); D. Harabor, A. Grastien: Improving jump point search, ICAPS 2014, for scanning 64 cells at a time and for
//! leaving out jump points in the middle of a diagonal run.
//!
//! # Symbols
//! `x` the state expanded, `p(x)` its parent, `d` a direction, `t` the goal. `jump(x, d, s, t)` is a run of
//! [`JumpMoves`], whose file states the rules and proves them.
//!
//! # Guarantees
//! Complete and optimal under `octile` and `octile14`, without weights, links and overlays. Needs no index: what it
//! reads, a byte for each cell, is worked out with the grid. An expansion takes as many units as it scans words and
//! diagonal cells: at most one for each cell of four diagonals and of the lines that cross them, 64 cells to a word.
//!
//! With [goal bounds](super::AstarBounds) a run is begun only if the box of its first edge holds the goal. Let O be the
//! states on shortest paths from the start to the goal. A run from x that gives a state of O its true distance is the
//! beginning of a shortest path from x to the goal, so x is in O and the box of the run's first edge holds the goal; and
//! the proof of [`JumpMoves`], read for a state n of O, speaks of states of O alone.
//!
//! # Deviations
//! 1. The papers allow diagonal steps past one blocked corner. Here both cells beside a diagonal step must be free:
//!    forced neighbours lie beside straight steps alone, and one cell later.
//! 2. The papers' search stops where a diagonal run meets a cell from which a straight run finds a jump point (and in
//!    2014 leaves those out after the fact). Here straight runs that branch off a diagonal one belong to the same
//!    expansion.
//! 3. Which cells are forced is not found out anew by every scan: it stands in bits that are computed when a grid is
//!    made or edited, in a time that reading the map exceeds many times.
//! 4. Several goals are tried one after another: a goal is a jump point, so the jumps depend on it.

use super::Scratch;
use super::astar_bounds::NEEDS;
use super::bounded::Bounded;
use super::one_by_one::{self, Leg, ToOne, Tried};
use crate::core::Budget;
use crate::index::{Atlas, IndexKind};
use crate::space::JumpMoves;

/// Jump point search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Jps {
    /// Whether runs are left out whose first edge has a box of goals that does not hold the goal.
    pub bounds: bool,
}

impl ToOne for Jps {
    fn reads(&self) -> &'static [IndexKind] {
        if self.bounds { &NEEDS } else { &[] }
    }

    fn run(&self, atlas: &Atlas, leg: &Leg<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Tried {
        // Refused before where there is none.
        let Some(moves) = JumpMoves::new(leg.grid, leg.goal) else { return Tried::NoBetter };
        match atlas.goal_bounds().filter(|_| self.bounds) {
            None => one_by_one::search(leg, &moves, scratch, budget),
            Some(bounds) => {
                let bounded = Bounded::new(moves, bounds, &[leg.goal]);
                match one_by_one::search(leg, &bounded, scratch, budget) {
                    // The goal can be reached: boxes that cut it off lie.
                    Tried::NoBetter if leg.limit.is_none() => Tried::Damaged,
                    tried => tried,
                }
            }
        }
    }
}
