//! Whole paths without a search: from jump point to jump point, as rows worked out beforehand say.
//!
//! # The idea
//! If the goal `t` is not seen from the start `s` (by diagonal steps, then straight ones), a shortest path leads over one
//! of the first jump points of `s`. Each of them has a row that names, for every cell, a chain of jump points on a
//! shortest way towards it. So: look at the first jump points of `s`; follow the rows of the most promising one until a
//! jump point sees `t`; follow the others only as long as they could still be shorter. Nothing is expanded, there is no
//! open list, and nothing is kept for each cell.
//!
//! # Paper
//! Ours. It builds on jump points and on the table of JPS+ (D. Harabor, A. Grastien: Online graph pruning for
//! pathfinding on grid maps, AAAI 2011; Improving jump point search, ICAPS 2014), on rows of first moves (A. Botea:
//! Ultra-fast optimal pathfinding without runtime search, AIIDE 2011; B. Strasser, D. Harabor, A. Botea: Fast first-move
//! queries through run-length encoding, SoCS 2014), on first moves at subgoals alone (T. Uras, S. Koenig, C. Hernández:
//! Subgoal graphs for optimal pathfinding in eight-neighbor grids, ICAPS 2013), and on boxes of goals (S. Rabin,
//! N. Sturtevant: Combining bounding boxes and JPS to prune grid pathfinding, AAAI 2016).
//!
//! # Symbols
//! `s` start, `t` goal, `A(x)` the first jump points of a cell, `g` cost so far.
//!
//! # Guarantees
//! Complete and optimal, under `octile` and `octile14` without weights and links.
//!
//! *Why the cost is least.* `d(s,t)` is the octile distance if `s` sees `t`; else the least `c(s,a) + d(a,t)` over `a` in
//! `A(s)`. A row of `a` names a jump point on some shortest way from `a` to `t`, whichever way the builder's ties fell;
//! so following rows from `a` costs `d(a,t)`. Every `a` in `A(s)` is looked at but those that cannot be on a shortest
//! path, and the best one is taken.
//!
//! *Which are left out.* Let a path arrive at `a` by a straight step in direction `d` and go on in direction `e`. If
//! some way around `a` is strictly shorter than that turn, the path is not a shortest one. The directions `e` that are
//! not strictly beaten are stored for each arrival, and the boxes hold all cells to which the row leads on in such a
//! direction. Only what is strictly longer is cut, never what ties: the row's choice among equals may be one that
//! canonical pruning would forbid. So if a shortest path leads over `a`, then so does the one that follows the row of
//! `a`; it turns at `a` in an unbeaten direction; and `a` is not left out.
//!
//! *Ending.* Each step of a walk brings the goal nearer by what it costs, so no walk comes back to a jump point; walks
//! through a file that was tampered with are ended by a count.
//!
//! Work: one unit for each row looked at and each jump point passed. A query is answered in one call: it is begun if
//! there is a unit left, and charged in full.
//!
//! # Deviations
//! 1. A walk that runs into an earlier one ends there: the rest is known.
//! 2. A candidate whose first chain, with a straight line on, or the known rest where an earlier walk passed, would be
//!    no shorter than the best so far is not unpacked.

use super::Scratch;
use super::base::multi_goal::{Attempt, GoalQuery, SingleGoalPlanner};
use super::parts::legs::Legs;
use crate::core::{Budget, Cost, CostScale, StateId, vectorized};
use crate::index::jumps::Ahead;
use crate::index::{Atlas, IndexKind, IndexSpec, JumpRows as Rows, JumpTable, Jumps, PackedCell};
use crate::space::SpaceKind;

/// Paths along rows of jump points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct JumpRows;

const NEEDS: [IndexSpec; 2] = [IndexSpec::of(IndexKind::JUMP_TABLE), IndexSpec::of(IndexKind::JUMP_ROWS)];

impl SingleGoalPlanner for JumpRows {
    fn reads(&self) -> &'static [IndexSpec] {
        &NEEDS
    }

    fn run(
        &self,
        atlas: &Atlas,
        goal_query: &GoalQuery<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Attempt {
        if !budget.take() {
            return Attempt::Suspended;
        }
        let Some(query) = RowQuery::new(atlas, goal_query) else { return Attempt::Damaged };
        let (found, work) = query.run(goal_query.grid.scale(), &mut scratch.walks);
        budget.charge(work.saturating_sub(1));
        scratch.found = found.map(|(_, found)| found);
        match found {
            None => Attempt::Damaged,
            Some((cost, _)) if goal_query.limit.is_some_and(|limit| Cost::new(cost) > limit) => {
                Attempt::NoBetter
            }
            Some((cost, _)) => Attempt::Found(Cost::new(cost)),
        }
    }

    fn best_so_far(&self, goal_query: &GoalQuery<'_>, _: &Scratch) -> (Cost, StateId) {
        (Cost::ZERO, goal_query.start)
    }

    fn write_path(&self, atlas: &Atlas, goal_query: &GoalQuery<'_>, end: StateId, scratch: &mut Scratch) {
        let waypoints = scratch.path.waypoints_mut();
        match (RowQuery::new(atlas, goal_query), scratch.found) {
            (Some(query), Some(found)) if end == goal_query.goal => {
                query.write(found, &scratch.walks, waypoints)
            }
            _ => {
                waypoints.clear();
                waypoints.push(goal_query.start);
            }
        }
    }
}

/// Room for the walks of one query.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowWalks {
    ahead: Vec<Ahead>,
    candidates: Vec<Candidate>,
    steps: Vec<Step>,
    walks: Vec<Walk>,
    chain: Vec<u32>,
    /// For each jump point, the number of the last step that passed it, counted from `epoch`.
    marks: Vec<u32>,
    /// Marks below this are of older queries.
    epoch: u32,
}

impl RowWalks {
    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.ahead.capacity() * size_of::<Ahead>()
            + self.candidates.capacity() * size_of::<Candidate>()
            + self.steps.capacity() * size_of::<Step>()
            + self.walks.capacity() * size_of::<Walk>()
            + (self.chain.capacity() + self.marks.capacity()) * size_of::<u32>()
    }
}

/// A first jump point of the start.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// Cost so far, plus the octile distance to go.
    f: u32,
    g: u32,
    point: u32,
    arrival: u32,
    /// The line of its row, then the hop that this names; [`SEEN`] if it is seen from the goal.
    hop: u32,
}

/// Instead of a hop: the goal sees the jump point.
const SEEN: u32 = u32::MAX;

/// Farther than any path.
const INFINITE: u32 = u32::MAX / 2;

/// A jump point on a walk.
#[derive(Clone, Copy, Debug)]
struct Step {
    at: PackedCell,
    g: u32,
    point: u32,
    walk: u32,
}

/// The steps from one candidate on.
#[derive(Clone, Copy, Debug)]
struct Walk {
    first: usize,
    end: usize,
    /// It goes on at this step of an earlier walk; [`NO_STEP`]: to the goal.
    joins: usize,
    /// Cost to the goal; infinite if the walk was given up.
    total: u32,
}

const NO_STEP: usize = usize::MAX;

/// How a path was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// The start sees the goal.
    Direct,
    /// Over this walk.
    Walk(usize),
}

/// A question to the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowQuery<'a> {
    pub(crate) table: JumpTable<'a>,
    pub(crate) rows: Rows<'a>,
    pub(crate) start: PackedCell,
    pub(crate) goal: PackedCell,
}

impl<'a> RowQuery<'a> {
    #[inline]
    fn new(atlas: &'a Atlas, goal_query: &GoalQuery<'_>) -> Option<RowQuery<'a>> {
        let (start, goal) = (
            PackedCell::of(goal_query.grid, goal_query.start),
            PackedCell::of(goal_query.grid, goal_query.goal),
        );
        Some(RowQuery { table: atlas.jump_table()?, rows: atlas.jump_rows()?, start, goal })
    }

    /// The cost of a shortest path, in units of the space, how it was found, and the work it took. `None` if the rows
    /// lead nowhere: the goal must be one that can be reached.
    pub(crate) fn run(&self, scale: CostScale, walks: &mut RowWalks) -> (Option<(u64, Found)>, u64) {
        let mut work = 0;
        let found = vectorized!(self.find(walks, &mut work));
        let found = found.map(|(cost, found)| (self.rows.header.costs.to_space(cost, scale), found));
        (found, work)
    }

    #[inline(always)]
    fn find(&self, walks: &mut RowWalks, work: &mut u64) -> Option<(u32, Found)> {
        if self.table.is_direct(self.start, self.goal) {
            return Some((self.rows.header.costs.octile(self.start, self.goal), Found::Direct));
        }
        let goal_cell = self.table.number(self.goal);
        walks.candidates.clear();
        if self.table.is_jump_point(self.start) {
            self.start_at_jump_point(goal_cell, walks);
        } else {
            self.collect_candidates(goal_cell, walks);
        }
        *work += walks.candidates.len() as u64;
        walks.steps.clear();
        walks.walks.clear();
        if let [only] = walks.candidates[..] {
            let total = self.follow(only, goal_cell, walks, work)?;
            let end = walks.steps.len();
            walks.walks.push(Walk { first: 0, end, joins: NO_STEP, total });
            return Some((total, Found::Walk(0)));
        }
        walks.candidates.sort_unstable_by_key(|candidate| candidate.f);
        self.compare(goal_cell, walks, work)
    }

    /// The start is its own first jump point.
    #[inline(always)]
    fn start_at_jump_point(&self, goal_cell: u32, walks: &mut RowWalks) {
        let point = self.table.jump_point(self.start);
        let row = self.rows.point(point);
        let hop = if self.rows.sees(&self.table, self.goal, point) {
            SEEN
        } else if row.lines > 0 {
            self.rows.look_up(row, goal_cell)
        } else {
            return;
        };
        walks.candidates.push(Candidate { f: 0, g: 0, point, arrival: 0, hop });
    }

    /// The first jump points of the start that a shortest path may lead over. In passes whose loads do not wait for each
    /// other.
    #[inline(always)]
    fn collect_candidates(&self, goal_cell: u32, walks: &mut RowWalks) {
        let RowWalks { ahead, candidates, .. } = walks;
        let (rows, costs) = (&self.rows, self.rows.header.costs);
        let goal_unit = rows.unit(self.goal);
        ahead.clear();
        self.table.first_jump_points(
            self.start,
            #[inline(always)]
            |point| ahead.push(point),
        );
        for ahead in ahead.iter() {
            let point = self.table.jump_point(ahead.at);
            let arrival = ahead.arrival & 3;
            if rows.point(point).arrivals[arrival as usize].holds(goal_unit) {
                let g = ahead.cost(costs);
                let f = g.saturating_add(costs.octile(ahead.at, self.goal));
                candidates.push(Candidate { f, g, point, arrival, hop: 0 });
            }
        }
        for candidate in candidates.iter_mut() {
            candidate.hop = rows.line_of(rows.point(candidate.point), goal_cell);
        }
        for candidate in candidates.iter_mut() {
            candidate.hop = rows.hop_in(candidate.hop, goal_cell);
        }
        candidates.retain_mut(
            #[inline(always)]
            |candidate| {
                let point = rows.point(candidate.point);
                if rows.sees(&self.table, self.goal, candidate.point) {
                    candidate.hop = SEEN;
                    return true;
                }
                let direction = rows.hop(point.first_hop, candidate.hop).direction;
                point.lines > 0 && point.unbeaten[candidate.arrival as usize & 3] >> direction & 1 == 1
            },
        );
    }

    /// The hop from a jump point towards the goal; `None` if it has no row.
    #[inline(always)]
    fn hop_from(&self, point: u32, goal_cell: u32) -> Option<u32> {
        let row = self.rows.point(point);
        if self.rows.sees(&self.table, self.goal, point) {
            return Some(SEEN);
        }
        (row.lines > 0).then(|| self.rows.look_up(row, goal_cell))
    }

    /// Follows the rows from a candidate to the goal. The next row is looked up before the chain is unpacked: the two
    /// do not wait for each other.
    #[inline(always)]
    fn follow(&self, from: Candidate, goal_cell: u32, walks: &mut RowWalks, work: &mut u64) -> Option<u32> {
        let RowWalks { steps, chain, .. } = walks;
        let (rows, costs) = (&self.rows, self.rows.header.costs);
        let (mut point, mut hop, mut g) = (from.point, from.hop, from.g);
        let mut at = rows.cell_of(point);
        steps.push(Step { at, g, point, walk: 0 });
        let mut looked_up = 0;
        while hop != SEEN {
            let first_hop = rows.point(point).first_hop;
            let next = rows.hop(first_hop, hop).point;
            let next_hop = self.hop_from(next, goal_cell)?;
            looked_up += 1;
            if looked_up > rows.points.len() {
                return None;
            }
            unpack(rows, first_hop, hop, chain);
            *work += 1 + chain.len() as u64;
            for &passed in chain.iter().rev() {
                let there = rows.cell_of(passed);
                g = g.saturating_add(costs.octile(at, there));
                at = there;
                steps.push(Step { at, g, point: passed, walk: 0 });
            }
            (point, hop) = (next, next_hop);
        }
        Some(g.saturating_add(costs.octile(at, self.goal))).filter(|&total| total < INFINITE)
    }

    /// Follows the candidates, the most promising first, and returns the best walk.
    #[inline(always)]
    fn compare(&self, goal_cell: u32, walks: &mut RowWalks, work: &mut u64) -> Option<(u32, Found)> {
        if walks.marks.len() < self.rows.points.len() || walks.epoch > u32::MAX / 2 {
            walks.marks.clear();
            walks.marks.resize(self.rows.points.len(), 0);
            walks.epoch = 1;
        }
        let (mut best, mut winner) = (INFINITE, None);
        for index in 0..walks.candidates.len() {
            let candidate = walks.candidates[index];
            if candidate.f >= best {
                break;
            }
            let walk = if index == 0 {
                let total = self.follow(candidate, goal_cell, walks, work)?;
                for (number, step) in walks.steps.iter().enumerate() {
                    if let Some(mark) = walks.marks.get_mut(step.point as usize) {
                        *mark = walks.epoch + number as u32;
                    }
                }
                Walk { first: 0, end: walks.steps.len(), joins: NO_STEP, total }
            } else {
                self.follow_while_shorter(candidate, index, best, goal_cell, walks, work)
            };
            walks.walks.push(walk);
            if walk.total < best {
                (best, winner) = (walk.total, Some(index));
            }
        }
        walks.epoch += walks.steps.len() as u32 + 1;
        winner.map(|walk| (best, Found::Walk(walk)))
    }

    /// Follows a candidate until it sees the goal, runs into an earlier walk, or cannot be shorter than the best.
    #[inline(always)]
    fn follow_while_shorter(
        &self,
        candidate: Candidate,
        index: usize,
        best: u32,
        goal_cell: u32,
        walks: &mut RowWalks,
        work: &mut u64,
    ) -> Walk {
        let (rows, costs) = (&self.rows, self.rows.header.costs);
        let first = walks.steps.len();
        let given_up = Walk { first, end: first, joins: NO_STEP, total: INFINITE };
        let Candidate { mut point, mut hop, mut g, .. } = candidate;
        let mut at = rows.cell_of(point);
        if hop != SEEN {
            // Deviation 2.
            let end = rows.hop(rows.point(point).first_hop, hop).point;
            let there = rows.cell_of(end);
            let rest = walks.known_rest(end).unwrap_or_else(|| costs.octile(there, self.goal));
            if g.saturating_add(costs.octile(at, there)).saturating_add(rest) >= best {
                return given_up;
            }
        }
        let mut walk = given_up;
        if walks.visit(&mut walk, index, point, at, g) {
            walk.end = walks.steps.len();
            return walk;
        }
        for _ in 0..=rows.points.len() {
            if hop == SEEN {
                walk.total = g.saturating_add(costs.octile(at, self.goal));
                break;
            }
            let mut chain = std::mem::take(&mut walks.chain);
            unpack(rows, rows.point(point).first_hop, hop, &mut chain);
            *work += 1 + chain.len() as u64;
            let mut has_joined = false;
            for &passed in chain.iter().rev() {
                let there = rows.cell_of(passed);
                g = g.saturating_add(costs.octile(at, there));
                (at, point) = (there, passed);
                has_joined = walks.visit(&mut walk, index, point, at, g);
                if has_joined {
                    break;
                }
            }
            walks.chain = chain;
            if has_joined || g.saturating_add(costs.octile(at, self.goal)) >= best {
                break;
            }
            match self.hop_from(point, goal_cell) {
                Some(next) => hop = next,
                None => break,
            }
        }
        walk.end = walks.steps.len();
        walk
    }

    /// Writes the turning points of the path that was found: every cell but those where it goes straight on.
    pub(crate) fn write(&self, found: Found, walks: &RowWalks, waypoints: &mut Vec<StateId>) {
        let mut writer = Legs::begin(self.table.stride(), self.start, waypoints);
        let Found::Walk(winner) = found else {
            writer.diagonal_first(self.start, self.goal);
            return;
        };
        let mut at = self.start;
        let mut walk = walks.walks[winner];
        let mut first = walk.first;
        let mut is_first_leg = true;
        // Each walk joins an earlier one, so there are no more turns than walks.
        for _ in 0..=winner {
            for step in &walks.steps[first..walk.end] {
                if std::mem::take(&mut is_first_leg) {
                    writer.diagonal_first(at, step.at);
                } else {
                    writer.straight_first(at, step.at);
                }
                at = step.at;
            }
            if walk.joins == NO_STEP {
                break;
            }
            first = walk.joins;
            walk = walks.walks[walks.steps[first].walk as usize];
        }
        writer.straight_first(at, self.goal);
    }
}

impl RowWalks {
    /// The step of this query that passed a jump point.
    #[inline(always)]
    fn passed(&self, point: u32) -> Option<usize> {
        let mark = self.marks.get(point as usize).copied().unwrap_or(0);
        let step = mark.wrapping_sub(self.epoch) as usize;
        (step < self.steps.len()).then_some(step)
    }

    /// What is left to the goal from a jump point that a finished walk has passed.
    #[inline(always)]
    fn known_rest(&self, point: u32) -> Option<u32> {
        let step = self.steps[self.passed(point)?];
        let total = self.walks.get(step.walk as usize)?.total;
        (total < INFINITE).then(|| total.saturating_sub(step.g))
    }

    /// Adds a step to a walk. True if the walk ends here: on an earlier one, or (in a damaged file) on itself.
    #[inline(always)]
    fn visit(&mut self, walk: &mut Walk, index: usize, point: u32, at: PackedCell, g: u32) -> bool {
        if let Some(passed) = self.passed(point) {
            if passed >= walk.first {
                return true;
            }
            if let Some(rest) = self.known_rest(point) {
                walk.total = g.saturating_add(rest);
                walk.joins = passed;
                return true;
            }
        }
        if let Some(mark) = self.marks.get_mut(point as usize) {
            *mark = self.epoch + self.steps.len() as u32;
        }
        self.steps.push(Step { at, g, point, walk: index as u32 });
        false
    }
}

/// The jump points of a chain, last first.
#[inline(always)]
fn unpack(rows: &Rows<'_>, first_hop: u32, number: u32, chain: &mut Vec<u32>) {
    chain.clear();
    let mut number = number;
    // No chain is longer than there are numbers; one in a damaged file may be a circle.
    for _ in 0..256 {
        let hop = rows.hop(first_hop, number);
        chain.push(hop.point);
        if rows.is_first(hop.before) {
            break;
        }
        number = hop.before;
    }
}
