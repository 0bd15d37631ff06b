//! Jump point search that looks jumps up instead of scanning for them.
//!
//! # Paper
//! D. Harabor, A. Grastien: Improving jump point search, ICAPS 2014 (JPS+); S. Rabin, N. Sturtevant: Faster A* with goal
//! bounding, Game AI Pro 3, 2017, section 22.3.
//!
//! # Symbols
//! `x` the state expanded, `t` the goal.
//!
//! # Guarantees
//! Complete and optimal under `octile` and `octile14`, without weights, links and overlays: it expands with the rules of
//! [`Jps`](super::Jps), whose proof holds. Reads the index `jump-table`. One unit for each expansion, and one for each
//! jump beyond the eighth.
//!
//! # Deviations
//! 1. Straight jumps that branch off a diagonal belong to the same expansion: all states are corners, and none lies in
//!    the middle of a diagonal.
//! 2. Instead of a target jump point on each diagonal, the goal is a successor of every state that sees it by diagonal
//!    steps followed by straight ones. Such a way is one that a path may take, so no cost is lost or invented.

use super::one_by_one::{self, Leg, ToOne, Tried};
use super::targets::Turn;
use super::{Outcome, Planner, Query, Refusal, Scratch};
use crate::core::{Budget, Cost, Expander, KeyRange, StateId};
use crate::index::{Atlas, IndexKind, JumpTable, Spot};
use crate::space::{Grid, Space};

/// JPS+.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JpsPlus;

const NEEDS: [IndexKind; 1] = [IndexKind::JumpTable];

impl ToOne for JpsPlus {
    fn run(&self, atlas: &Atlas, leg: &Leg<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Tried {
        let Some(table) = atlas.jump_table() else { return Tried::Damaged };
        let moves = TableMoves { grid: leg.grid, table, goal: Spot::of(leg.grid, leg.goal) };
        one_by_one::search(leg, &moves, scratch, budget)
    }
}

impl Planner for JpsPlus {
    fn plan(&self, atlas: &Atlas, query: &Query<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Outcome {
        one_by_one::plan(self, atlas, query, scratch, budget, Turn::First)
    }

    fn resume(
        &self,
        atlas: &Atlas,
        query: &Query<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Outcome {
        one_by_one::plan(self, atlas, query, scratch, budget, Turn::Next)
    }

    fn is_optimal(&self, _: &Space) -> bool {
        true
    }

    fn needs(&self) -> &'static [IndexKind] {
        &NEEDS
    }

    fn refusal(&self, atlas: &Atlas) -> Option<Refusal> {
        Refusal::of_jumping(atlas.space()).or_else(|| Refusal::of_missing(atlas, &NEEDS))
    }

    fn obeys_overlays(&self) -> bool {
        false
    }
}

/// The jumps that a table knows, towards one goal.
#[derive(Clone, Copy, Debug)]
struct TableMoves<'a> {
    grid: &'a Grid,
    table: JumpTable<'a>,
    goal: Spot,
}

/// Every direction.
const ALL: u8 = u8::MAX;

impl TableMoves<'_> {
    /// The directions that a path from the parent must try at a state: all at the start; else straight on, and where a
    /// wall ends beside it.
    #[inline]
    fn directions(&self, state: StateId, spot: Spot, parent: Option<StateId>) -> u8 {
        let Some(parent) = parent else { return ALL };
        let arrival = Spot::of(self.grid, parent).run_to(spot).last_direction() & 7;
        1 << arrival | self.grid.corner(state).forced[arrival / 2 & 3]
    }
}

impl Expander for TableMoves<'_> {
    fn id_bound(&self) -> usize {
        self.grid.id_bound()
    }

    fn keys(&self) -> KeyRange {
        self.grid.moves().keys()
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        let spot = Spot::of(self.grid, state);
        let scale = self.grid.scale();
        let cost = |straight: i32, diagonal: i32| {
            Cost::new(straight as u64 * scale.straight() + diagonal as u64 * scale.diagonal())
        };
        if self.table.is_direct(spot, self.goal) {
            let run = spot.run_to(self.goal);
            visit(self.table.state(self.goal), cost(run.straight, run.diagonal));
        }
        let mut jumps = 0;
        self.table.jump_points_ahead(spot, self.directions(state, spot, parent), |ahead| {
            jumps += 1;
            visit(self.table.state(ahead.at), cost(ahead.straight, ahead.diagonal));
        });
        jumps - jumps.min(8)
    }
}
