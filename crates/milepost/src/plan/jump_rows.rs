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
//! Work: one unit for each row looked at and each jump point passed, and for the look from the start what JPS+ takes for
//! it. A query is cut before each row, and before the first jump points of the start are compared: a call takes at most
//! their number more than its budget, or the 256 jump points of a chain.
//!
//! # Deviations
//! 1. A walk that runs into an earlier one ends there: the rest is known.
//! 2. A candidate whose first chain, with a straight line on, or the known rest where an earlier walk passed, would be
//!    no shorter than the best so far is not unpacked.

use super::base::multi_goal::{Attempt, GoalQuery, SingleGoalPlanner};
use super::parts::legs::Legs;
use super::{Phase, Scratch};
use crate::core::{Budget, Cost, StateId, vectorized};
use crate::index::jumps::{Ahead, JumpScan};
use crate::index::{Atlas, IndexKind, IndexSpec, JumpRows as Rows, JumpTable, Jumps, PackedCell};
use crate::space::{Grid, SpaceKind};

/// Paths along rows of jump points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct JumpRows;

const NEEDS: [IndexSpec; 2] = [IndexSpec::of(IndexKind::JUMP_TABLE), IndexSpec::of(IndexKind::JUMP_ROWS)];

impl SingleGoalPlanner for JumpRows {
    fn reads(&self) -> &'static [IndexSpec] {
        &NEEDS
    }

    fn most_overrun(&self, grid: &Grid) -> u64 {
        // Of each of four diagonals at most two jumps from each of its cells, and four straight ones.
        (8 * u64::from(grid.width().min(grid.height())) + 4).max(256)
    }

    fn run(
        &self,
        atlas: &Atlas,
        goal_query: &GoalQuery<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Attempt {
        let Some(query) = RowQuery::new(atlas, goal_query) else { return Attempt::Damaged };
        if goal_query.phase == Phase::Begin {
            scratch.walks.turn = Turn::Direct(query.start);
        }
        match query.run(&mut scratch.walks, budget) {
            Answer::Suspended => Attempt::Suspended,
            Answer::Damaged => Attempt::Damaged,
            Answer::Found(cost, found) => {
                scratch.found = Some(found);
                let cost = Cost::new(query.rows.header.costs.to_space(cost, goal_query.grid.scale()));
                match goal_query.limit.is_some_and(|limit| cost > limit) {
                    true => Attempt::NoBetter,
                    false => Attempt::Found(cost),
                }
            }
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

/// What is done next.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// Does the start see the goal? The look has come to this cell.
    Direct(PackedCell),
    /// The first jump points of the start are found.
    Scan(JumpScan),
    /// Those are collected that a shortest path may lead over.
    Collect,
    /// They are followed: of this one so much.
    Walk(Option<Course>),
}

/// What came of one call.
enum Answer {
    Found(u32, Found),
    Suspended,
    /// The rows lead nowhere.
    Damaged,
}

/// Room for the walks of one query.
#[derive(Clone, Debug)]
pub(crate) struct RowWalks {
    turn: Turn,
    ahead: Vec<Ahead>,
    candidates: Vec<Candidate>,
    steps: Vec<Step>,
    walks: Vec<Walk>,
    chain: Vec<u32>,
    /// For each jump point, the number of the last step that passed it, counted from `epoch`.
    marks: Vec<u32>,
    /// Marks below this are of older queries.
    epoch: u32,
    /// The best walk so far, and what it costs.
    winner: Option<usize>,
    best: u32,
}

impl Default for RowWalks {
    fn default() -> RowWalks {
        RowWalks {
            turn: Turn::Collect,
            ahead: Vec::new(),
            candidates: Vec::new(),
            steps: Vec::new(),
            walks: Vec::new(),
            chain: Vec::new(),
            marks: Vec::new(),
            epoch: 1,
            winner: None,
            best: INFINITE,
        }
    }
}

impl RowWalks {
    /// Room for so many jump points, written to.
    pub(crate) fn warm(&mut self, points: usize) {
        let points = points.max(self.marks.len());
        self.marks.clear();
        self.marks.resize(points, 1);
        self.epoch = 2;
    }

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

/// A walk that is being followed, and where it has come to.
#[derive(Clone, Copy, Debug)]
struct Course {
    walk: Walk,
    point: u32,
    hop: u32,
    g: u32,
    at: PackedCell,
    /// Rows looked up.
    rows: usize,
}

/// What came of following a walk.
enum Followed {
    Ended,
    Suspended,
    Damaged,
}

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

    /// The whole way in one call: its cost in units of the space, and how it was found.
    #[cfg(test)]
    pub(crate) fn answer(&self, scale: crate::core::CostScale, walks: &mut RowWalks) -> Option<(u64, Found)> {
        walks.turn = Turn::Direct(self.start);
        match self.run(walks, &mut Budget::unlimited()) {
            Answer::Found(cost, found) => Some((self.rows.header.costs.to_space(cost, scale), found)),
            _ => None,
        }
    }

    /// Goes on: the goal must be one that can be reached.
    fn run(&self, walks: &mut RowWalks, budget: &mut Budget) -> Answer {
        vectorized!(self.find(walks, budget))
    }

    #[inline(always)]
    fn find(&self, walks: &mut RowWalks, budget: &mut Budget) -> Answer {
        let goal_cell = self.table.number(self.goal);
        let is_jump_point = self.table.is_jump_point(self.start);
        loop {
            match walks.turn {
                Turn::Direct(mut at) => match self.table.look(&mut at, self.goal, budget) {
                    None => {
                        walks.turn = Turn::Direct(at);
                        return Answer::Suspended;
                    }
                    Some(true) => {
                        let cost = self.rows.header.costs.octile(self.start, self.goal);
                        return Answer::Found(cost, Found::Direct);
                    }
                    Some(false) => {
                        walks.ahead.clear();
                        let scan = Turn::Scan(JumpScan::new(self.start));
                        walks.turn = if is_jump_point { Turn::Collect } else { scan };
                    }
                },
                Turn::Scan(mut scan) => {
                    let ahead = &mut walks.ahead;
                    let is_done = scan.advance(
                        &self.table,
                        budget,
                        #[inline(always)]
                        |point| ahead.push(point),
                    );
                    walks.turn = if is_done { Turn::Collect } else { Turn::Scan(scan) };
                    if !is_done {
                        return Answer::Suspended;
                    }
                }
                Turn::Collect => {
                    if !budget.take() {
                        return Answer::Suspended;
                    }
                    walks.candidates.clear();
                    if is_jump_point {
                        self.start_at_jump_point(goal_cell, walks);
                    } else {
                        self.collect_candidates(goal_cell, walks);
                    }
                    budget.charge(walks.ahead.len() as u64);
                    walks.begin(self.rows.points.len());
                }
                Turn::Walk(course) => return self.compare(course, goal_cell, walks, budget),
            }
        }
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

    /// Follows the candidates, the most promising first, and returns the best walk.
    #[inline(always)]
    fn compare(
        &self,
        mut course: Option<Course>,
        goal_cell: u32,
        walks: &mut RowWalks,
        budget: &mut Budget,
    ) -> Answer {
        loop {
            let index = walks.walks.len();
            let begun = match course.take() {
                Some(course) => Ok(course),
                None => match walks.candidates.get(index) {
                    Some(&candidate) if candidate.f < walks.best => self.begin(candidate, walks),
                    _ => break,
                },
            };
            let walk = match begun {
                Err(walk) => walk,
                Ok(mut course) => {
                    let followed = match index {
                        0 => self.follow(&mut course, goal_cell, walks, budget),
                        _ => self.follow_while_shorter(&mut course, goal_cell, walks, budget),
                    };
                    match followed {
                        Followed::Ended => course.walk,
                        Followed::Damaged => return Answer::Damaged,
                        Followed::Suspended => {
                            walks.turn = Turn::Walk(Some(course));
                            return Answer::Suspended;
                        }
                    }
                }
            };
            walks.walks.push(Walk { end: walks.steps.len(), ..walk });
            if walk.total < walks.best {
                (walks.best, walks.winner) = (walk.total, Some(index));
            }
        }
        walks.winner.map_or(Answer::Damaged, |winner| Answer::Found(walks.best, Found::Walk(winner)))
    }

    /// The first step of a walk; the walk itself if it ends there.
    #[inline(always)]
    fn begin(&self, candidate: Candidate, walks: &mut RowWalks) -> Result<Course, Walk> {
        let (rows, costs, first) = (&self.rows, self.rows.header.costs, walks.steps.len());
        let Candidate { point, hop, g, .. } = candidate;
        let at = rows.cell_of(point);
        let mut walk = Walk { first, end: first, joins: NO_STEP, total: INFINITE };
        if hop != SEEN && !walks.walks.is_empty() {
            // Deviation 2.
            let end = rows.hop(rows.point(point).first_hop, hop).point;
            let there = rows.cell_of(end);
            let rest = walks.known_rest(end).unwrap_or_else(|| costs.octile(there, self.goal));
            if g.saturating_add(costs.octile(at, there)).saturating_add(rest) >= walks.best {
                return Err(walk);
            }
        }
        match walks.visit(&mut walk, point, at, g) {
            true => Err(walk),
            false => Ok(Course { walk, point, hop, g, at, rows: 0 }),
        }
    }

    /// Follows the rows from the first candidate to the goal. The next row is looked up before the chain is unpacked: the
    /// two do not wait for each other.
    #[inline(always)]
    fn follow(
        &self,
        course: &mut Course,
        goal_cell: u32,
        walks: &mut RowWalks,
        budget: &mut Budget,
    ) -> Followed {
        let (rows, costs) = (&self.rows, self.rows.header.costs);
        while course.hop != SEEN {
            if !budget.take() {
                return Followed::Suspended;
            }
            let first_hop = rows.point(course.point).first_hop;
            let next = rows.hop(first_hop, course.hop).point;
            let Some(next_hop) = self.hop_from(next, goal_cell) else { return Followed::Damaged };
            course.rows += 1;
            if course.rows > rows.points.len() {
                return Followed::Damaged;
            }
            unpack(rows, first_hop, course.hop, &mut walks.chain);
            budget.charge(walks.chain.len() as u64);
            for &passed in walks.chain.iter().rev() {
                let there = rows.cell_of(passed);
                course.g = course.g.saturating_add(costs.octile(course.at, there));
                course.at = there;
                if let Some(mark) = walks.marks.get_mut(passed as usize) {
                    *mark = walks.epoch + walks.steps.len() as u32;
                }
                walks.steps.push(Step { at: there, g: course.g, walk: 0 });
            }
            (course.point, course.hop) = (next, next_hop);
        }
        course.walk.total = course.g.saturating_add(costs.octile(course.at, self.goal));
        if course.walk.total < INFINITE { Followed::Ended } else { Followed::Damaged }
    }

    /// Follows a candidate until it sees the goal, runs into an earlier walk, or cannot be shorter than the best.
    #[inline(always)]
    fn follow_while_shorter(
        &self,
        course: &mut Course,
        goal_cell: u32,
        walks: &mut RowWalks,
        budget: &mut Budget,
    ) -> Followed {
        let (rows, costs) = (&self.rows, self.rows.header.costs);
        while course.rows <= rows.points.len() {
            if course.hop == SEEN {
                course.walk.total = course.g.saturating_add(costs.octile(course.at, self.goal));
                break;
            }
            if !budget.take() {
                return Followed::Suspended;
            }
            course.rows += 1;
            let mut chain = std::mem::take(&mut walks.chain);
            unpack(rows, rows.point(course.point).first_hop, course.hop, &mut chain);
            budget.charge(chain.len() as u64);
            let mut has_joined = false;
            for &passed in chain.iter().rev() {
                let there = rows.cell_of(passed);
                course.g = course.g.saturating_add(costs.octile(course.at, there));
                (course.at, course.point) = (there, passed);
                has_joined = walks.visit(&mut course.walk, passed, there, course.g);
                if has_joined {
                    break;
                }
            }
            walks.chain = chain;
            if has_joined || course.g.saturating_add(costs.octile(course.at, self.goal)) >= walks.best {
                break;
            }
            match self.hop_from(course.point, goal_cell) {
                Some(next) => course.hop = next,
                None => break,
            }
        }
        Followed::Ended
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
    /// Begins to follow the candidates, over so many jump points.
    #[inline(always)]
    fn begin(&mut self, points: usize) {
        // Steps of the query before have numbers from the epoch on.
        self.epoch += self.steps.len() as u32 + 1;
        if self.marks.len() < points || self.epoch > u32::MAX / 2 {
            self.marks = vec![0; points.max(self.marks.len())];
            self.epoch = 1;
        }
        self.candidates.sort_unstable_by_key(|candidate| candidate.f);
        self.steps.clear();
        self.walks.clear();
        (self.winner, self.best, self.turn) = (None, INFINITE, Turn::Walk(None));
    }

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
    fn visit(&mut self, walk: &mut Walk, point: u32, at: PackedCell, g: u32) -> bool {
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
        self.steps.push(Step { at, g, walk: self.walks.len() as u32 });
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
