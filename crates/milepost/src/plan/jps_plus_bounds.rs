//! A* from jump point to jump point that takes only ways whose box holds the goal.
//!
//! # Paper
//! S. Rabin, N. Sturtevant: Combining bounding boxes and JPS to prune grid pathfinding, AAAI 2016; S. Rabin,
//! N. Sturtevant: Faster A* with goal bounding, Game AI Pro 3, 2017, Listing 22.1 (one extra test for each edge).
//!
//! # Symbols
//! `s` start, `t` goal, `A(s)` the first jump points of the start, `g` cost so far, `h` octile distance, `f = g + h`.
//!
//! # Guarantees
//! Complete and optimal under `octile` and `octile14`, without weights, links and overlays. Reads the indexes
//! `jump-table` and `jump-bounds`.
//!
//! *Why no path is lost.* If `s` does not see `t`, a shortest path leads over some `a` in `A(s)`, and all of these are
//! opened. At a jump point `j` that does not see `t`, one edge begins a shortest path from `j` to `t`, and the box of that
//! very edge holds `t`, whichever way the builder's ties fell; it is the only one that must be kept, so nothing is
//! pruned by how `j` was reached. By induction a path of least cost stays in the graph that is searched, and `h` is
//! consistent on it.
//!
//! Work: one unit for each jump point expanded.
//!
//! # Deviations
//! 1. Boxes at jump points alone, one for each edge to another jump point instead of one for each direction. The start
//!    is expanded without boxes.
//! 2. A loop of its own, over jump points alone and with 32-bit costs: twelve bytes of search for each jump point. It is
//!    [`Search`](crate::core::Search) otherwise, with ties to the least number; tests hold it against `dijkstra`.

use super::legs::Legs;
use super::one_by_one::{self, Leg, ToOne, Tried};
use super::targets::Turn;
use super::{Outcome, Planner, Query, Refusal, Scratch};
use crate::core::{Budget, Cost, StateId, with_vectors};
use crate::index::{Atlas, IndexKind, JumpBounds, JumpTable, LegCosts, Spot};
use crate::space::Space;

/// JPS+ with boxes of goals at jump points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JpsPlusBounds;

const NEEDS: [IndexKind; 2] = [IndexKind::JumpTable, IndexKind::JumpBounds];

impl Planner for JpsPlusBounds {
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

impl ToOne for JpsPlusBounds {
    fn run(&self, atlas: &Atlas, leg: &Leg<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Tried {
        let Some(query) = BoundQuery::new(atlas, leg) else { return Tried::Damaged };
        let search = &mut scratch.bound_search;
        if leg.turn == Turn::First {
            with_vectors(|| query.begin(search));
        }
        if !with_vectors(|| query.advance(search, budget)) {
            return Tried::Suspended;
        }
        scratch.search.count_expansions(search.expanded);
        if search.best == INFINITE {
            // Reachable goals are reached: somebody has changed the boxes.
            return Tried::Damaged;
        }
        let cost = Cost::new(query.bounds.header.costs.to_space(search.best, leg.grid.scale()));
        if leg.limit.is_some_and(|limit| cost > limit) { Tried::NoBetter } else { Tried::Found(cost) }
    }

    fn best_so_far(&self, leg: &Leg<'_>, scratch: &Scratch) -> (Cost, StateId) {
        let search = &scratch.bound_search;
        let Some((_, g, at)) = search.nearest else { return (Cost::ZERO, leg.start) };
        (Cost::new(search.costs.to_space(g, leg.grid.scale())), at.state(leg.grid.stride()))
    }

    fn write_path(&self, atlas: &Atlas, leg: &Leg<'_>, end: StateId, scratch: &mut Scratch) {
        let waypoints = scratch.path.waypoints_mut();
        if let Some(query) = BoundQuery::new(atlas, leg) {
            query.write(&mut scratch.bound_search, end == leg.goal, waypoints);
        }
    }
}

/// Farther than any path.
const INFINITE: u32 = u32::MAX / 2;

/// Instead of a jump point before: the start.
const START: u32 = u32::MAX;

/// What is known about a jump point.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    g: u32,
    before: u32,
    /// Twice the number of the query, plus 1 when it is closed.
    stamp: u32,
}

/// Room for a search over jump points.
#[derive(Clone, Debug)]
pub(crate) struct BoundSearch {
    nodes: Vec<Node>,
    /// Key in the upper, jump point in the lower half: a binary heap.
    open: Vec<u64>,
    query: u32,
    /// The jump point that sees the goal, on the best path so far, and what that costs.
    last: u32,
    best: u32,
    expanded: u64,
    costs: LegCosts,
    /// The expanded jump point nearest to the goal: estimate, cost, place (in the order of ids).
    nearest: Option<(u32, u32, Spot)>,
    chain: Vec<u32>,
}

impl Default for BoundSearch {
    fn default() -> BoundSearch {
        BoundSearch {
            nodes: Vec::new(),
            open: Vec::new(),
            query: 0,
            last: START,
            best: INFINITE,
            expanded: 0,
            costs: LegCosts { straight: 1, diagonal: 1 },
            nearest: None,
            chain: Vec::new(),
        }
    }
}

impl BoundSearch {
    /// Memory held for jump points.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.chain.capacity() * size_of::<u32>()
    }

    /// Memory held by the open list.
    pub(crate) fn open_bytes(&self) -> usize {
        self.open.capacity() * size_of::<u64>()
    }

    fn forget(&mut self, points: usize) {
        if self.nodes.len() < points || self.query == u32::MAX >> 1 {
            self.nodes.clear();
            self.nodes.resize(points, Node::default());
            self.query = 0;
        }
        self.query += 1;
        self.open.clear();
        (self.last, self.best, self.expanded, self.nearest) = (START, INFINITE, 0, None);
    }

    /// A way to a jump point: opens it if that is better than what was known.
    #[inline(always)]
    fn offer(&mut self, point: u32, before: u32, g: u32, h: u32) {
        let Some(node) = self.nodes.get_mut(point as usize) else { return };
        if node.stamp >> 1 == self.query && node.g <= g {
            return;
        }
        *node = Node { g, before, stamp: self.query << 1 };
        let key = u64::from(g.wrapping_add(h)) << 32 | u64::from(point);
        let mut index = self.open.len();
        self.open.push(key);
        while index > 0 && self.open[(index - 1) / 2] > key {
            self.open[index] = self.open[(index - 1) / 2];
            index = (index - 1) / 2;
        }
        self.open[index] = key;
    }

    #[inline(always)]
    fn pop(&mut self) {
        let Some(last) = self.open.pop() else { return };
        let length = self.open.len();
        if length == 0 {
            return;
        }
        let mut index = 0;
        loop {
            let left = 2 * index + 1;
            if left >= length {
                break;
            }
            let right = (left + 1).min(length - 1);
            let child = if self.open[right] < self.open[left] { right } else { left };
            if self.open[child] >= last {
                break;
            }
            self.open[index] = self.open[child];
            index = child;
        }
        self.open[index] = last;
    }
}

#[derive(Clone, Copy, Debug)]
struct BoundQuery<'a> {
    table: JumpTable<'a>,
    bounds: JumpBounds<'a>,
    start: Spot,
    goal: Spot,
    keeps_nearest: bool,
}

impl<'a> BoundQuery<'a> {
    #[inline]
    fn new(atlas: &'a Atlas, leg: &Leg<'_>) -> Option<BoundQuery<'a>> {
        let (start, goal) = (Spot::of(leg.grid, leg.start), Spot::of(leg.grid, leg.goal));
        let (table, bounds) = (atlas.jump_table()?, atlas.jump_bounds()?);
        Some(BoundQuery { table, bounds, start, goal, keeps_nearest: leg.partial })
    }

    /// Opens the first jump points of the start.
    #[inline(always)]
    fn begin(&self, search: &mut BoundSearch) {
        search.forget(self.bounds.points());
        let costs = self.bounds.header.costs;
        search.costs = costs;
        if self.table.is_direct(self.start, self.goal) {
            search.best = costs.octile(self.start, self.goal);
        } else if self.table.is_jump_point(self.start) {
            let h = costs.octile(self.start, self.goal);
            search.offer(self.table.jump_point(self.start), START, 0, h);
        } else {
            self.table.first_jump_points(self.start, |ahead| {
                let h = costs.octile(ahead.at, self.goal);
                search.offer(self.table.jump_point(ahead.at), START, ahead.cost(costs), h);
            });
        }
    }

    /// Works on. False if the budget is gone before the end.
    #[inline(always)]
    fn advance(&self, search: &mut BoundSearch, budget: &mut Budget) -> bool {
        let costs = self.bounds.header.costs;
        let goal_unit = self.bounds.unit(self.goal);
        while let Some(&key) = search.open.first() {
            if key >> 32 >= u64::from(search.best) {
                break;
            }
            if !budget.take() {
                return false;
            }
            search.pop();
            let point = key as u32;
            let Some(node) = search.nodes.get_mut(point as usize) else { continue };
            if node.stamp & 1 == 1 {
                continue; // stale: a better way was found since
            }
            node.stamp |= 1;
            let g = node.g;
            let at = self.bounds.spot(point);
            search.expanded += 1;
            if self.keeps_nearest {
                let this = (costs.octile(at, self.goal), g, at);
                search.nearest = Some(search.nearest.map_or(this, |nearest| nearest.min(this)));
            }
            if self.bounds.sees(&self.table, self.goal, point) {
                let total = g.wrapping_add(costs.octile(at, self.goal));
                if total < search.best {
                    (search.best, search.last) = (total, point);
                }
                continue;
            }
            for edge in self.bounds.edges(point) {
                if edge.goals.holds(goal_unit) {
                    let there = self.bounds.spot(edge.point);
                    let g = g.wrapping_add(costs.octile(at, there));
                    search.offer(edge.point, point, g, costs.octile(there, self.goal));
                }
            }
        }
        true
    }

    /// Writes the path to the goal, or to the jump point nearest to it so far.
    fn write(&self, search: &mut BoundSearch, to_goal: bool, waypoints: &mut Vec<StateId>) {
        let mut legs = Legs::begin(&self.table, self.start, waypoints);
        let nearest = |(_, _, at): (u32, u32, Spot)| self.table.jump_point(at);
        let mut point = if to_goal { search.last } else { search.nearest.map_or(START, nearest) };
        if to_goal && point == START {
            legs.diagonal_first(self.start, self.goal);
            return;
        }
        search.chain.clear();
        // No path passes a jump point twice; in a damaged file it might.
        while let Some(node) =
            search.nodes.get(point as usize).filter(|_| search.chain.len() <= search.nodes.len())
        {
            search.chain.push(point);
            point = node.before;
        }
        let mut at = self.start;
        for (index, &point) in search.chain.iter().rev().enumerate() {
            let there = self.bounds.spot(point);
            if index == 0 {
                legs.diagonal_first(at, there)
            } else {
                legs.straight_first(at, there)
            }
            at = there;
        }
        if to_goal {
            legs.straight_first(at, self.goal);
        }
    }
}
