//! Jump point search that looks jumps up instead of scanning for them.
//!
//! # Paper
//! S. Rabin, F. Silva: JPS+: An extreme A* speed optimization for static uniform cost grids, Game AI Pro 2, 2015, section
//! 14.7 (the search over the table, in [`table`]); S. Rabin, N. Sturtevant: Faster A* with goal bounding, Game AI Pro 3,
//! 2017, section 22.5.1, and: Combining bounding boxes and JPS to prune grid pathfinding, AAAI 2016 (the same with boxes);
//! D. Harabor, A. Grastien: Improving jump point search, ICAPS 2014 (JPS+).
//!
//! # Symbols
//! `x` the state expanded, `d` a direction, `t` the goal, `WithinBoundingBox(x, d, t)` whether the box of goals of the step
//! from `x` in direction `d` holds `t` (Listing 22.1).
//!
//! # Guarantees
//! Complete and optimal under `octile` and `octile14`, without weights, links and overlays. Reads the index
//! `jump-table`, and with `bounds=on` also `goal-bounds`, whose boxes hold the goals of all tied edges. It does not read
//! `goal-bounds:as-printed`: those boxes hold a goal at one of several tied edges, perhaps at one that a search over
//! jumps never follows (`boxes_as_printed_serve_listing_22_1_and_lose_the_paths_of_jps_plus`).
//!
//! *Why boxes lose no path.* Let O be the states on shortest paths from the start to `t`. A jump, or a link, from `x` in
//! direction `d` that gives a state of O its least cost is part of a shortest path from the start to `t`; so `x` is in O,
//! the jump begins a shortest path from `x` to `t`, and the box of (`x`, `d`) holds `t`, since it holds the goals of
//! every shortest path that begins so. So no such jump is left out. The proofs that the searches find a shortest path
//! without boxes ([`table`], [`graph`]), read for states of O, speak of such jumps alone, whichever of tied ones the
//! search prefers. Boxes that hold a goal at one of its tied edges would not do: the search goes diagonally first, the
//! flood that made the boxes may have kept another order, and then the two together cut every shortest path.
//!
//! # Deviations
//! 1. `search=graph` is not the published search: the jumps from jump points are stored as lists ([`graph`]).
//!    `search=table` is.

mod graph;
mod table;

use super::Scratch;
use super::base::multi_goal::{Attempt, GoalQuery, SingleGoalPlanner};
use crate::core::{Budget, Cost, StateId};
use crate::index::{Atlas, IndexKind, IndexSpec};
use graph::{BoundedGraphSearch, GraphSearch};
use table::TableSearch;

/// JPS+.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct JpsPlus {
    /// What is searched; by default what was measured to be faster: links, and with boxes the table.
    pub search: Option<JumpSearch>,
    /// Whether directions are left out whose box of goals does not hold the goal.
    pub bounds: bool,
}

/// What is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum JumpSearch {
    /// The jump table itself, as published.
    Table,
    /// The links between jump points.
    Graph,
}

impl JumpSearch {
    /// By their places among the words of the parameter.
    pub(crate) const ALL: [JumpSearch; 2] = [JumpSearch::Table, JumpSearch::Graph];
}

const TABLE: IndexSpec = IndexSpec::of(IndexKind::JUMP_TABLE);
const BOUNDS: IndexSpec = IndexSpec::of(IndexKind::GOAL_BOUNDS);

impl JpsPlus {
    fn search(self) -> &'static dyn SingleGoalPlanner {
        let faster = if self.bounds { JumpSearch::Table } else { JumpSearch::Graph };
        match (self.search.unwrap_or(faster), self.bounds) {
            (JumpSearch::Table, false) => &TableSearch { bounds: false },
            (JumpSearch::Table, true) => &TableSearch { bounds: true },
            (JumpSearch::Graph, false) => &GraphSearch,
            (JumpSearch::Graph, true) => &BoundedGraphSearch,
        }
    }
}

impl SingleGoalPlanner for JpsPlus {
    fn reads(&self) -> &'static [IndexSpec] {
        self.search().reads()
    }

    fn run(
        &self,
        atlas: &Atlas,
        goal_query: &GoalQuery<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Attempt {
        self.search().run(atlas, goal_query, scratch, budget)
    }

    fn best_so_far(&self, goal_query: &GoalQuery<'_>, scratch: &Scratch) -> (Cost, StateId) {
        self.search().best_so_far(goal_query, scratch)
    }

    fn write_path(&self, atlas: &Atlas, goal_query: &GoalQuery<'_>, end: StateId, scratch: &mut Scratch) {
        self.search().write_path(atlas, goal_query, end, scratch);
    }
}
