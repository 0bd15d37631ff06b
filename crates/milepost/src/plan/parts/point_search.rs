//! A* over the jump points of a map alone.
//!
//! What tells planners apart is which jumps they follow from a jump point ([`JumpGraph`]); the loop is the same. States
//! are the numbers of jump points, so a search takes 16 bytes for each of them, and most of it stays in the cache.
//!
//! It is [`Search`](crate::core::Search) otherwise: a better way opens a jump point again, and each entry that comes out of
//! the open list takes one unit of the budget. A jump point with more than 8 links takes one for each of them, and is
//! left and taken up again in the middle if the budget ends there; so are the look from the start to its first jump
//! points, and those from jump points to the goal. Entries are 64 bits: costs are rounded down to what fits beside the number
//! of the jump point (see [`Keys`]), the least first, and the least number among equal ones. So jump points come out
//! nearly in the order of their costs. That is enough: the search goes on until no entry can lead to a shorter path, and
//! costs themselves are never rounded. Tests hold it against a plain search.

#[cfg(feature = "observe")]
mod watch;

use super::legs::Legs;
use crate::core::{Budget, Cost, StateId, vectorized, zeroed};
use crate::index::jump_table::MOST_CELLS;
use crate::index::jumps::JumpScan;
use crate::index::{Atlas, IndexSpec, JumpTable, Jumps, PackedCell};
use crate::plan::base::multi_goal::{Attempt, GoalQuery, SingleGoalPlanner};
use crate::plan::{Phase, Scratch};
use crate::space::SpaceKind;
use std::fmt;
use std::ops::Range;
use zerocopy::FromZeros;

/// Where one can go from a jump point.
pub(in crate::plan) trait JumpGraph: Copy {
    /// Legs between jump points are diagonal steps followed by straight ones; else the other way round.
    const DIAGONAL_FIRST: bool;

    /// How many jump points there are.
    fn points(&self) -> usize;

    /// Where a jump point lies.
    fn cell_of(&self, point: u32) -> PackedCell;

    /// From where to where one must look to find out whether a leg leads from a jump point to the goal; `None` if it does
    /// not.
    fn sight(&self, point: u32, goal: PackedCell) -> Option<(PackedCell, PackedCell)>;

    /// The directions, as bits, in which the first jump points of a start that is none are looked for.
    fn first_directions(&self, _start: PackedCell) -> u8 {
        u8::MAX
    }

    /// The links of a jump point, by their places among all of them.
    fn links(&self, point: u32) -> Range<usize>;

    /// Names the next jump points that some of its links lead to. `from` is where the best way to this one came from.
    fn next(&self, point: u32, links: Range<usize>, at: PackedCell, from: PackedCell, visit: impl FnMut(u32));
}

/// A planner that searches over jump points: it says which jumps it follows.
pub(in crate::plan) trait PointPlanner: fmt::Debug + Send + Sync {
    /// The indexes that it reads; `jump-table` is one of them.
    const NEEDS: &'static [IndexSpec];

    /// Its jumps.
    type Jumps<'a>: JumpGraph;

    /// Those towards the goal of a query; `None` if an index is missing.
    fn jumps<'a>(&self, atlas: &'a Atlas, goal_query: &GoalQuery<'_>) -> Option<Self::Jumps<'a>>;
}

impl<P: PointPlanner> SingleGoalPlanner for P {
    fn reads(&self) -> &'static [IndexSpec] {
        P::NEEDS
    }

    fn run(
        &self,
        atlas: &Atlas,
        goal_query: &GoalQuery<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Attempt {
        let Some(query) = query(self, atlas, goal_query) else { return Attempt::Damaged };
        #[cfg(feature = "observe")]
        if let Some(watch) = &scratch.watch {
            let search = &mut scratch.point_search;
            let tried = query.run_watched(goal_query, search, budget, &mut watch.lock());
            scratch.search.count_expansions(scratch.point_search.expanded());
            return tried;
        }
        let tried = query.run(goal_query, &mut scratch.point_search, budget);
        scratch.search.count_expansions(scratch.point_search.expanded());
        tried
    }

    fn best_so_far(&self, goal_query: &GoalQuery<'_>, scratch: &Scratch) -> (Cost, StateId) {
        scratch.point_search.best_so_far(goal_query)
    }

    fn write_path(&self, atlas: &Atlas, goal_query: &GoalQuery<'_>, end: StateId, scratch: &mut Scratch) {
        if let Some(query) = query(self, atlas, goal_query) {
            query.write(&mut scratch.point_search, end == goal_query.goal, scratch.path.waypoints_mut());
        }
    }
}

#[inline]
fn query<'a, P: PointPlanner>(
    planner: &P,
    atlas: &'a Atlas,
    goal_query: &GoalQuery<'_>,
) -> Option<PointQuery<'a, P::Jumps<'a>>> {
    let jumps = planner.jumps(atlas, goal_query)?;
    Some(PointQuery::new(atlas.jump_table()?, jumps, goal_query))
}

/// Farther than any path.
const INFINITE: u64 = u64::MAX;

/// Instead of a jump point before: the start.
const START: u32 = u32::MAX;

/// What is known about a jump point.
#[derive(Clone, Copy, Debug, FromZeros)]
struct Node {
    g: u64,
    before: u32,
    /// Twice the number of the query, plus 1 when it is closed.
    stamp: u32,
}

/// What is done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    /// Does the start see the goal? The look has come to this cell.
    Direct(PackedCell),
    /// The first jump points of the start are opened.
    Scan(JumpScan),
    /// The next jump point comes out of the open list.
    Pop,
    /// Does this jump point see the goal? The look has come to this cell, and leads to that one.
    Sight(u32, PackedCell, PackedCell),
    /// The links of this jump point are followed, from this one on.
    Links(u32, usize),
}

/// Room for a search over jump points.
#[derive(Clone, Debug)]
pub(crate) struct PointSearch {
    /// In [zeroed] memory: a first query touches no more of it than later ones do.
    nodes: Vec<Node>,
    turn: Turn,
    open: OpenPoints,
    keys: Keys,
    query: u32,
    /// The jump point that sees the goal, on the best path so far, and what that costs.
    last: u32,
    best: u64,
    expanded: u64,
    /// The expanded jump point nearest to the goal: estimate, cost, place (in the order of ids).
    nearest: Option<(u64, u64, PackedCell)>,
    chain: Vec<u32>,
}

impl Default for PointSearch {
    fn default() -> PointSearch {
        PointSearch {
            nodes: Vec::new(),
            turn: Turn::Pop,
            open: OpenPoints::default(),
            keys: Keys::default(),
            query: 0,
            last: START,
            best: INFINITE,
            expanded: 0,
            nearest: None,
            chain: Vec::new(),
        }
    }
}

impl PointSearch {
    /// Forgets the last query, makes room for so many jump points and so many that are open, and writes to all of it.
    pub(crate) fn warm(&mut self, points: usize, open: usize) {
        self.open.0.resize(self.open.0.len().max(open), u64::MAX);
        let points = points.max(self.nodes.len());
        self.nodes.clear();
        // A bit is set: zeros might be left to the system.
        self.nodes.resize(points, Node { g: 0, before: START, stamp: 0 });
        self.forget(points);
    }

    /// Memory held for jump points.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.chain.capacity() * size_of::<u32>()
    }

    /// Memory held by the open list.
    pub(crate) fn open_bytes(&self) -> usize {
        self.open.0.capacity() * size_of::<u64>()
    }

    /// Jump points expanded in the last query.
    pub(in crate::plan) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The best jump point so far and what the way there costs; the start if there is none.
    pub(in crate::plan) fn best_so_far(&self, goal_query: &GoalQuery<'_>) -> (Cost, StateId) {
        let Some((_, g, at)) = self.nearest else { return (Cost::ZERO, goal_query.start) };
        (Cost::new(g), at.state(goal_query.grid.stride()))
    }

    fn forget(&mut self, points: usize) {
        if self.nodes.len() < points || self.query == u32::MAX >> 1 {
            self.nodes = zeroed(points.max(self.nodes.len()));
            self.query = 0;
        }
        self.query += 1;
        self.open.0.clear();
        (self.last, self.best, self.expanded, self.nearest) = (START, INFINITE, 0, None);
    }

    /// A jump point sees the goal: a path of this cost.
    #[inline(always)]
    fn arrive(&mut self, point: u32, total: u64) {
        if total < self.best {
            (self.best, self.last) = (total, point);
        }
    }

    /// A way to a jump point: opens it if that is better than what was known and could be part of a better path.
    #[inline(always)]
    fn offer(&mut self, point: u32, before: u32, g: u64, h: impl FnOnce() -> u64) {
        let Some(node) = self.nodes.get_mut(point as usize) else { return };
        if node.stamp >> 1 == self.query && node.g <= g {
            return;
        }
        let f = g + h();
        if f >= self.best {
            return;
        }
        *node = Node { g, before, stamp: self.query << 1 };
        self.open.push(self.keys.entry(f, point));
    }
}

/// A jump point that is being expanded, what the way there costs and where it came from.
#[derive(Clone, Copy, Debug)]
struct Expanded {
    point: u32,
    at: PackedCell,
    g: u64,
    before: u32,
}

/// How entries of the open list are made: a cost in the upper bits, the number of a jump point in the lower ones.
#[derive(Clone, Copy, Debug, Default)]
struct Keys {
    /// No key of this query is less.
    least: u64,
    /// Keys are in units of `2^shift`.
    shift: u32,
}

/// Bits of an entry that hold the number of a jump point: maps have fewer than `2^30` cells.
const POINT_BITS: u32 = 30;
const _: () = assert!(MOST_CELLS < 1 << POINT_BITS);

impl Keys {
    /// Keys from `least` on that tell apart what they can, if none is more than `most`.
    fn new(least: u64, most: u64) -> Keys {
        let bits = u64::BITS - most.saturating_sub(least).leading_zeros();
        Keys { least, shift: bits.saturating_sub(u64::BITS - POINT_BITS) }
    }

    #[inline(always)]
    fn entry(self, key: u64, point: u32) -> u64 {
        let units = (key.saturating_sub(self.least) >> self.shift).min(u64::MAX >> POINT_BITS);
        units << POINT_BITS | u64::from(point)
    }

    /// The least key that such an entry may have.
    #[inline(always)]
    fn least_key(self, entry: u64) -> u64 {
        (entry >> POINT_BITS << self.shift).saturating_add(self.least)
    }

    #[inline(always)]
    fn point(entry: u64) -> u32 {
        (entry & ((1 << POINT_BITS) - 1)) as u32
    }
}

/// A heap of entries in which every one has four children.
#[derive(Clone, Debug, Default)]
struct OpenPoints(Vec<u64>);

impl OpenPoints {
    #[inline(always)]
    fn push(&mut self, entry: u64) {
        let heap = &mut self.0;
        let mut index = heap.len();
        heap.push(entry);
        while index > 0 {
            let above = (index - 1) / 4;
            if heap[above] <= entry {
                break;
            }
            heap[index] = heap[above];
            index = above;
        }
        heap[index] = entry;
    }

    /// Takes the first entry out.
    #[inline(always)]
    fn pop(&mut self) {
        let heap = &mut self.0;
        let Some(last) = heap.pop() else { return };
        if heap.is_empty() {
            return;
        }
        let mut index = 0;
        loop {
            let first = 4 * index + 1;
            let (child, least) = match heap.get(first..first + 4) {
                Some(&[a, b, c, d]) => {
                    let (left, left_at) = if b < a { (b, first + 1) } else { (a, first) };
                    let (right, right_at) = if d < c { (d, first + 3) } else { (c, first + 2) };
                    if right < left { (right_at, right) } else { (left_at, left) }
                }
                _ => match (first..heap.len()).map(|child| (heap[child], child)).min() {
                    Some((least, child)) => (child, least),
                    None => break,
                },
            };
            if least >= last {
                break;
            }
            heap[index] = least;
            index = child;
        }
        heap[index] = last;
    }
}

/// A query, and the jumps that the search may follow.
#[derive(Clone, Copy, Debug)]
pub(in crate::plan) struct PointQuery<'a, W> {
    pub(in crate::plan) table: JumpTable<'a>,
    pub(in crate::plan) jumps: W,
    start: PackedCell,
    goal: PackedCell,
    straight: u64,
    /// What a diagonal step costs more than a straight one.
    slant: u64,
    bound: u64,
    keeps_nearest: bool,
}

impl<'a, W: JumpGraph> PointQuery<'a, W> {
    #[inline]
    pub(in crate::plan) fn new(
        table: JumpTable<'a>,
        jumps: W,
        goal_query: &GoalQuery<'_>,
    ) -> PointQuery<'a, W> {
        let scale = goal_query.grid.scale();
        PointQuery {
            table,
            jumps,
            start: PackedCell::of(goal_query.grid, goal_query.start),
            goal: PackedCell::of(goal_query.grid, goal_query.goal),
            straight: scale.straight(),
            slant: scale.diagonal() - scale.straight(),
            bound: scale.bound(),
            keeps_nearest: goal_query.partial,
        }
    }

    /// What a run costs, walls left aside.
    #[inline(always)]
    fn octile(&self, a: PackedCell, b: PackedCell) -> u64 {
        let (dx, dy) = a.to(b);
        let (wide, high) = (u64::from(dx.unsigned_abs()), u64::from(dy.unsigned_abs()));
        wide.max(high) * self.straight + wide.min(high) * self.slant
    }

    /// Begins, or goes on.
    #[inline]
    pub(in crate::plan) fn run(
        &self,
        goal_query: &GoalQuery<'_>,
        search: &mut PointSearch,
        budget: &mut Budget,
    ) -> Attempt {
        let is_done = vectorized!({
            if goal_query.phase == Phase::Begin {
                self.begin(search);
            }
            self.advance(search, budget)
        });
        match search.best {
            _ if !is_done => Attempt::Suspended,
            // Goals that can be reached are reached: the bytes of the index were changed.
            INFINITE => Attempt::Damaged,
            best if goal_query.limit.is_some_and(|limit| best > limit.units()) => Attempt::NoBetter,
            best => Attempt::Found(Cost::new(best)),
        }
    }

    #[inline(always)]
    fn begin(&self, search: &mut PointSearch) {
        search.forget(self.jumps.points());
        search.keys = Keys::new(self.octile(self.start, self.goal), self.bound);
        search.turn = Turn::Direct(self.start);
    }

    /// Works on. False if the budget is gone before the end.
    #[inline(always)]
    fn advance(&self, search: &mut PointSearch, budget: &mut Budget) -> bool {
        if search.turn != Turn::Pop && !self.take_up(search, budget) {
            return false;
        }
        while let Some(&entry) = search.open.0.first() {
            if search.keys.least_key(entry) >= search.best {
                break;
            }
            if !budget.take() {
                return false;
            }
            search.open.pop();
            let point = Keys::point(entry);
            let Some(node) = search.nodes.get_mut(point as usize) else { continue };
            if node.stamp & 1 == 1 {
                continue; // stale: a better way was found since
            }
            node.stamp |= 1;
            let (g, before) = (node.g, node.before);
            let at = self.jumps.cell_of(point);
            search.expanded += 1;
            if self.keeps_nearest {
                let this = (self.octile(at, self.goal), g, at);
                search.nearest = Some(search.nearest.map_or(this, |nearest| nearest.min(this)));
            }
            if let Some((mut from, to)) = self.jumps.sight(point, self.goal) {
                match self.table.look(&mut from, to, budget) {
                    None => {
                        search.turn = Turn::Sight(point, from, to);
                        return false;
                    }
                    Some(true) => {
                        search.arrive(point, g + self.octile(at, self.goal));
                        continue;
                    }
                    Some(false) => {}
                }
            }
            let links = self.jumps.links(point);
            let first = links.start;
            if !self.follow(search, Expanded { point, at, g, before }, links, first, budget) {
                return false;
            }
        }
        true
    }

    /// Goes on where the last call was cut, up to the point where a jump point comes out of the open list. False if the budget
    /// is gone before that. Inlined: outside what is vectorized it would count bits without an instruction for it.
    #[inline(always)]
    fn take_up(&self, search: &mut PointSearch, budget: &mut Budget) -> bool {
        loop {
            match search.turn {
                Turn::Pop => return true,
                Turn::Direct(mut at) => match self.table.look(&mut at, self.goal, budget) {
                    None => {
                        search.turn = Turn::Direct(at);
                        return false;
                    }
                    Some(true) => {
                        search.best = self.octile(self.start, self.goal);
                        search.turn = Turn::Pop;
                    }
                    Some(false) if self.table.is_jump_point(self.start) => {
                        let h = || self.octile(self.start, self.goal);
                        search.offer(self.table.jump_point(self.start), START, 0, h);
                        search.turn = Turn::Pop;
                    }
                    Some(false) => {
                        let directions = self.jumps.first_directions(self.start);
                        search.turn = Turn::Scan(JumpScan::new(self.start).along(directions));
                    }
                },
                Turn::Scan(mut scan) => {
                    let is_done = scan.advance(
                        &self.table,
                        budget,
                        #[inline(always)]
                        |ahead| {
                            let g = self.octile(self.start, ahead.at);
                            search.offer(self.table.jump_point(ahead.at), START, g, || {
                                self.octile(ahead.at, self.goal)
                            });
                        },
                    );
                    search.turn = if is_done { Turn::Pop } else { Turn::Scan(scan) };
                    if !is_done {
                        return false;
                    }
                }
                Turn::Sight(point, mut from, to) => match self.table.look(&mut from, to, budget) {
                    None => {
                        search.turn = Turn::Sight(point, from, to);
                        return false;
                    }
                    Some(true) => {
                        let expanded = self.expanded(search, point);
                        search.arrive(point, expanded.g + self.octile(expanded.at, self.goal));
                        search.turn = Turn::Pop;
                    }
                    Some(false) => search.turn = Turn::Links(point, self.jumps.links(point).start),
                },
                Turn::Links(point, next) => {
                    search.turn = Turn::Pop;
                    let (expanded, links) = (self.expanded(search, point), self.jumps.links(point));
                    if !self.follow(search, expanded, links, next, budget) {
                        return false;
                    }
                }
            }
        }
    }

    /// A jump point that is being expanded.
    fn expanded(&self, search: &PointSearch, point: u32) -> Expanded {
        let (g, before) = search.nodes.get(point as usize).map_or((0, START), |node| (node.g, node.before));
        Expanded { point, at: self.jumps.cell_of(point), g, before }
    }

    /// Follows the links of a jump point from one of them on. The first has its unit from the jump point; of more than 8 the
    /// others take one each. False if the budget is gone before the last.
    #[inline(always)]
    fn follow(
        &self,
        search: &mut PointSearch,
        expanded: Expanded,
        links: Range<usize>,
        next: usize,
        budget: &mut Budget,
    ) -> bool {
        let Expanded { point, at, g, before } = expanded;
        let mut end = links.end;
        if links.len() > 8 {
            let paid = next.max(links.start + 1);
            end = end.min(paid.saturating_add(usize::try_from(budget.left()).unwrap_or(usize::MAX)));
            budget.charge((end - paid) as u64);
        }
        let from = if before == START { self.start } else { self.jumps.cell_of(before) };
        self.jumps.next(
            point,
            next..end,
            at,
            from,
            #[inline(always)]
            |next| {
                let there = self.jumps.cell_of(next);
                search.offer(next, point, g + self.octile(at, there), || self.octile(there, self.goal));
            },
        );
        if end < links.end {
            search.turn = Turn::Links(point, end);
        }
        end == links.end
    }

    /// Writes the path to the goal, or to the jump point nearest to it so far.
    pub(in crate::plan) fn write(
        &self,
        search: &mut PointSearch,
        to_goal: bool,
        waypoints: &mut Vec<StateId>,
    ) {
        let nearest = |(_, _, at): (u64, u64, PackedCell)| self.table.jump_point(at);
        let mut point = if to_goal { search.last } else { search.nearest.map_or(START, nearest) };
        search.chain.clear();
        // No path passes a jump point twice; with an index that was tampered with it might.
        while let Some(node) =
            search.nodes.get(point as usize).filter(|_| search.chain.len() <= search.nodes.len())
        {
            search.chain.push(point);
            point = node.before;
        }
        let ends = search.chain.iter().rev().map(|&point| self.jumps.cell_of(point));
        Legs::write(self.table.stride(), self.start, search.chain.len() + 1, waypoints, |legs| {
            let mut at = self.start;
            for (index, there) in ends.chain(to_goal.then_some(self.goal)).enumerate() {
                if index == 0 || W::DIAGONAL_FIRST {
                    legs.diagonal_first(at, there);
                } else {
                    legs.straight_first(at, there);
                }
                at = there;
            }
        });
    }
}
