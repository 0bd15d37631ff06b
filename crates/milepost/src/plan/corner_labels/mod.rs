//! Whole paths from labels: the first corners of the start and of the goal, a hub that the labels of two of them have in
//! common, and nothing that could be called a search.
//!
//! # Paper
//! Ours. It builds on corners as subgoals (T. Uras, S. Koenig, C. Hernández: Subgoal graphs for optimal pathfinding in
//! eight-neighbor grids, ICAPS 2013), on the rules of jump point search (see [`JumpMoves`](crate::space::JumpMoves)), on hub
//! labels (I. Abraham, D. Delling, A. Goldberg, R. Werneck: Hierarchical hub labelings for shortest paths, ESA 2012) and on
//! landmarks (A. Goldberg, C. Harrelson: Computing the shortest path: A* search meets graph theory, SODA 2005).
//!
//! # Symbols
//! Directions are numbered clockwise from north, sums modulo 8; e is straight, D diagonal, e' = e + 4, D' = D + 4. An *octant*
//! (D, e) has e beside D. d(x, y) is the distance, oct(x, y) that on an empty map. A *leg* from x to y, which x *sees*: steps D,
//! then steps e, all legal. Corners, their kinds, forced_e, touch_D, T and U: see
//! [`CornerSight`](crate::space::CornerSight). G is the taut graph of corners, d_G >= d the distance over it; a pair of
//! corners with d_G = d is *true*. A(x) are the first corners of a cell.
//!
//! # Guarantees
//! Complete and optimal, under `octile` and `octile14` without weights and links, with labels and where a search takes their
//! place. Work: a unit for eight members of a list, for a candidate that is bounded, for eight entries of labels, and for eight
//! hops of the path as it is unpacked; where there are no labels, for a corner expanded, or for each of its edges if it has more
//! than 8. A query can be cut anywhere. Memory: a word for each hub, and for as many more as lead to a power of two.
//!
//! *Why no cost is too little.* Every value is the length of a legal path: legs of lists, edges and labels are legal, and
//! entries are sums of them.
//!
//! *Why the cost is least.* **L2**: of the shortest paths from s to t take the one whose word (1 diagonal, 0 straight) is
//! lexicographically largest. It is a chain of legs over corners a_1 ... a_n, each but the last arriving by some e, forced_e,
//! and going on by e + s or e + 2s with e + 3s in its kind, s = 1 or -1; so a leg that leaves by D has touch_D there. n = 0 iff s
//! sees t. **L5**: else A(s) has a corner alpha on the path at or before a_1, and (alpha, a_i) are true pairs along the path.
//!
//! **L6**: unless d = oct, the path has a corner a*, at or after alpha, from which it uses only steps of one octant (D, e), at
//! least one e, and a* is forced_e'. For take the octant whose steps reach farthest back from t; let g be the step before. If g
//! is diagonal, g = e - s, and L3 gives a* on the run; if g is straight, the corner there will do.
//!
//! **L7**: either *Seen* holds for some a in A(s), which t sees with c(s, a) + oct(a, t) = oct(s, t), or there are a in A(s)
//! and b in A(t) with c(s, a) + d_G(a, b) + c(t, b) = d(s, t), a true pair.
//! - d > oct: take the canonical path of L2 from t to a*. Its corners bend from e' to D', so all touch D, as does a*, or L3 from
//!   t's side gives one that does on the last run; the first leg has a step e', so A(t) has beta on it (L5). All consecutive
//!   pairs have d_G = oct (L4): (alpha, beta).
//! - d = oct: a_1 touches D. Let w be alpha if it lies on the ray before the first leg's bend, else a_1. If the canonical
//!   path from t to w has corners, all touch D and beta is found as above. If it has none, t sees w, and alpha behind it
//!   on the same run: Seen.
//!
//! A corner that dominance left out has a substitute in the same list that touches D and stands before it: take that.
//!
//! **L12**: let (a, b) be the pair of L7, h its hub of L10 ([`labels`](crate::build)). The path over a, h and b has length d,
//! so no turn on it is forbidden (L8): its first direction at a is one that the arrival allows, in the half that is read, and
//! likewise at b. If a is not b, an edge leads on from both, so neither is one that leads to no other; if they are the same they
//! are compared by number or share the hub a. A candidate is skipped only if its bound is no less than the best sum. With the
//! [search]: (a, b) is a true pair of the hierarchy too (L9), so the search finds c + d_G + c'. ∎
//!
//! [search]: super::parts::corner_search
//!
//! # Deviations
//! 1. Whether the goal sees the start is asked too, which L7 does not need: it spares the rest.

mod candidates;
mod comparison;
mod graph;
mod hubs;
mod marks;
mod matrix;
mod path;
#[cfg(feature = "observe")]
mod watch;

use super::Scratch;
use super::base::multi_goal::{Attempt, GoalQuery, SingleGoalPlanner};
use super::parts::corner_search::{CornerSearch, Searched};
use crate::core::{Budget, Cost, StateId, vectorized};
use crate::index::corner_labels::{Broken, Listed, ProofRule};
use crate::index::{Atlas, CornerLabels as Index, IndexKind, IndexSpec};
use crate::plan::{Phase, Planner};
use crate::space::{Cell, Grid};
use candidates::{Candidates, eights};
use comparison::{Comparison, Turn};
use graph::Climb;
use matrix::Room;
use path::{Chain, Edge, Hop};

/// The distances of all pairs, row by row, if the atlas has labels; false if it has none.
pub(crate) fn labelled_distances(
    atlas: &Atlas,
    ends: (&[StateId], &[StateId]),
    costs: &mut [Option<Cost>],
    scratch: &mut Scratch,
) -> bool {
    let refuses = CornerLabels.refusal(atlas).is_some();
    let labels = atlas.corner_labels().filter(|index| index.header.entry_bytes > 0 && !refuses);
    let (Some(index), Some(grid)) = (labels, atlas.space().as_grid()) else { return false };
    vectorized!(scratch.labels.distances(&index, grid, ends, costs));
    true
}

/// Paths over hub labels of corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CornerLabels;

const NEEDS: [IndexSpec; 1] = [IndexSpec::of(IndexKind::CORNER_LABELS)];

/// How a path was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    /// One end sees the other: the start, or the goal.
    Leg { is_seen: bool },
    /// Both ends see this corner.
    Over(Cell),
    /// Over a hub: the candidate of the start, the entry of its label, and the entry at the goal's side.
    Hub { candidate: u32, entry: u32, goal_entry: usize },
    /// By the search.
    Searched,
}

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    #[default]
    Look,
    Collect(usize),
    /// Which candidate of the start is looked at.
    Seen(usize),
    /// Candidates that lead to no other corner, of the start and then of the goal: are they the other's, too?
    Meet(Pairs),
    Bound(usize),
    Compare(Turn),
    /// Which candidate of a side begins a search next.
    Seed(usize, usize),
    Search,
}

/// Which pair of candidates is compared next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Pairs {
    side: usize,
    row: usize,
    column: usize,
}

/// Room for one query.
#[derive(Clone, Debug)]
pub(crate) struct LabelQuery {
    stage: Stage,
    candidates: [Candidates; 2],
    /// The best way over a corner that leads to no other.
    meeting: Option<(u64, Cell)>,
    narrow: Comparison<u64>,
    wide: Comparison<u128>,
    search: CornerSearch,
    found: Found,
    cost: Cost,
    /// The next hop of the path, once its cost is known, and how many a unit was taken for.
    next_hop: Option<Hop>,
    hops_left: u32,
    /// The corners of the path from the first ones of the start, and of the goal, to the hub.
    chains: [Chain; 2],
    /// Edges of the search's path that are to be unpacked, the next one last.
    edges: Vec<Edge>,
    /// For many distances at once.
    narrow_ends: Room<u64>,
    wide_ends: Room<u128>,
    /// Labels that were entered and read.
    labels: u64,
    /// For tests.
    broken: Broken,
}

impl Default for LabelQuery {
    fn default() -> LabelQuery {
        LabelQuery {
            stage: Stage::Look,
            candidates: Default::default(),
            meeting: None,
            narrow: Comparison::default(),
            wide: Comparison::default(),
            search: CornerSearch::default(),
            found: Found::Searched,
            cost: Cost::ZERO,
            next_hop: None,
            hops_left: 0,
            chains: Default::default(),
            edges: Vec::new(),
            narrow_ends: Room::default(),
            wide_ends: Room::default(),
            labels: 0,
            broken: Broken::NONE,
        }
    }
}

impl LabelQuery {
    /// Breaks a rule in all queries from now on.
    #[cfg(test)]
    pub(crate) fn break_rule(&mut self, broken: Broken) {
        self.broken = broken;
    }

    /// Room for so many corners of a search.
    pub(crate) fn warm(&mut self, corners: usize) {
        self.search.reserve(corners);
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.candidates.iter().map(Candidates::bytes).sum::<usize>()
            + self.narrow.hubs.bytes()
            + self.wide.hubs.bytes()
            + self.search.bytes()
            + self.narrow_ends.bytes()
            + self.wide_ends.bytes()
            + self.chains.iter().map(Chain::bytes).sum::<usize>()
            + self.edges.capacity() * size_of::<Edge>()
    }
}

/// What came of one call.
type Answer = Option<Result<u64, ()>>;

impl SingleGoalPlanner for CornerLabels {
    fn reads(&self) -> &'static [IndexSpec] {
        &NEEDS
    }

    fn finds_distances(&self) -> bool {
        true
    }

    fn run(
        &self,
        atlas: &Atlas,
        goal_query: &GoalQuery<'_>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Attempt {
        let Some(index) = atlas.corner_labels() else { return Attempt::Damaged };
        let Scratch { search, labels: query, .. } = scratch;
        let grid = goal_query.grid;
        if goal_query.phase == Phase::Begin {
            query.begin(grid.column_and_row(goal_query.start), grid.column_and_row(goal_query.goal));
        }
        let attempt = vectorized!(query.run(&index, goal_query, budget));
        search.count_expansions(query.labels + query.search.expanded());
        attempt
    }

    fn best_so_far(&self, goal_query: &GoalQuery<'_>, _: &Scratch) -> (Cost, StateId) {
        (Cost::ZERO, goal_query.start)
    }

    fn write_path(&self, _: &Atlas, goal_query: &GoalQuery<'_>, end: StateId, scratch: &mut Scratch) {
        let Scratch { labels: query, path, .. } = scratch;
        let waypoints = path.waypoints_mut();
        if end == goal_query.goal {
            query.write(goal_query.grid, waypoints);
        } else {
            waypoints.clear();
            waypoints.push(goal_query.start);
        }
    }
}

impl LabelQuery {
    #[inline(always)]
    fn begin(&mut self, start: Cell, goal: Cell) {
        (self.stage, self.meeting, self.labels) = (Stage::Look, None, 0);
        // What an earlier query found is no path of this one.
        (self.found, self.next_hop) = (Found::Leg { is_seen: false }, None);
        self.search.begin(u64::MAX);
        self.candidates[0].begin(start);
        self.candidates[1].begin(goal);
    }

    /// Goes on until the cost is known and the path, if it is asked for, is unpacked.
    #[inline(always)]
    fn run(&mut self, index: &Index<'_>, goal_query: &GoalQuery<'_>, budget: &mut Budget) -> Attempt {
        if self.next_hop.is_none() {
            self.cost = match self.advance(index, goal_query.grid, budget) {
                None => return Attempt::Suspended,
                Some(Err(())) => return Attempt::Damaged,
                Some(Ok(cost)) => Cost::new(index.cost_in_space(cost, goal_query.grid)),
            };
            if goal_query.limit.is_some_and(|limit| self.cost > limit) {
                return Attempt::NoBetter;
            }
            if goal_query.distance_only {
                return Attempt::Found(self.cost);
            }
            self.begin_unpacking(index);
        }
        if !self.unpack(index, budget) {
            return Attempt::Suspended;
        }
        Attempt::Found(self.cost)
    }

    /// Goes on until the cost is known, in the units of the index; `None` if the budget is gone before. Stages follow each other
    /// here as they do in a query, so that a processor has none to guess.
    #[inline(always)]
    fn advance(&mut self, index: &Index<'_>, grid: &Grid, budget: &mut Budget) -> Answer {
        let (start, goal) = (self.candidates[0].end, self.candidates[1].end);
        let octile = index.header.costs.octile(start, goal);
        if self.stage == Stage::Look {
            if !budget.take() {
                return None;
            }
            let sight = grid.sight();
            let sees = sight.sees(start, goal);
            if sees || sight.sees(goal, start) {
                self.found = Found::Leg { is_seen: !sees };
                return Some(Ok(octile));
            }
            self.stage = Stage::Collect(0);
        }
        while let Stage::Collect(side) = self.stage {
            let other = self.candidates[1 - side].end;
            if !self.candidates[side].collect(index, grid, other, budget) {
                return None;
            }
            self.stage = if side == 0 { Stage::Collect(1) } else { Stage::Seen(0) };
        }
        while let Stage::Seen(first) = self.stage {
            let from = &self.candidates[0];
            let place = from.next_as_long(first, octile);
            let Some(place) = place.filter(|_| !self.broken.breaks(ProofRule::Seen)) else {
                self.stage = Stage::Meet(Pairs::default());
                break;
            };
            self.stage = Stage::Seen(place);
            if !budget.take() {
                return None;
            }
            if grid.sight().sees(goal, from.cell(place)) {
                self.found = Found::Over(from.cell(place));
                return Some(Ok(octile));
            }
            self.stage = Stage::Seen(place + 1);
        }
        if let Stage::Meet(pairs) = self.stage {
            if let Some(pairs) = self.meet(pairs, budget) {
                self.stage = Stage::Meet(pairs);
                return None;
            }
            if self.candidates.iter().any(|candidates| candidates.leading == 0) {
                return Some(self.met());
            }
            self.stage = Stage::Bound(0);
            if index.header.entry_bytes == 0 {
                self.search.begin(self.meeting.map_or(u64::MAX, |(length, _)| length));
                self.stage = Stage::Seed(0, 0);
            }
        }
        while let Stage::Bound(side) = self.stage {
            let span = self.candidates[1 - side].span;
            if !self.candidates[side].bound(index, &span, budget) {
                return None;
            }
            self.stage = Stage::Bound(1);
            if side == 1 {
                self.begin_comparison(index, grid);
                self.stage = Stage::Compare(Turn::default());
            }
        }
        if let Stage::Compare(turn) = self.stage {
            if index.header.entry_bytes != 8 {
                return self.compare_wide(index, turn, budget);
            }
            let LabelQuery { candidates, narrow, labels, broken, .. } = self;
            let stop = narrow.advance(index, candidates, turn, (labels, *broken), budget);
            let answer = narrow.found();
            return self.compared(stop, answer);
        }
        self.climb(index, budget)
    }

    /// Looks for candidates that lead to no other corner among those of the other end, eight for a unit; the pair to go on
    /// with if the budget is gone.
    fn meet(&mut self, mut pairs: Pairs, budget: &mut Budget) -> Option<Pairs> {
        while pairs.side < 2 {
            let [own, other] = [&self.candidates[pairs.side], &self.candidates[1 - pairs.side]];
            // Pairs of which both lead to no other are found from the start's side.
            let others = if pairs.side == 0 { other.listed() } else { &other.listed()[..other.leading] };
            let row = own.leading + pairs.row;
            if row >= own.listed().len() || others.is_empty() {
                pairs = Pairs { side: pairs.side + 1, row: 0, column: 0 };
                continue;
            }
            let corner = Listed(own.listed()[row]).corner();
            let count = eights(others.len() - pairs.column, budget);
            let part = &others[pairs.column..pairs.column + count];
            let length = own.straight_on()[row];
            let is_met = || part.iter().fold(false, |met, &listed| met | (Listed(listed).corner() == corner));
            if self.meeting.is_none_or(|(best, _)| length < best) && is_met() {
                self.meeting = Some((length, own.cell(row)));
            }
            pairs.column += count;
            if pairs.column < others.len() {
                return Some(pairs);
            }
            pairs = Pairs { side: pairs.side, row: pairs.row + 1, column: 0 };
        }
        None
    }

    /// The way over a corner that leads to no other is the only one.
    fn met(&mut self) -> Result<u64, ()> {
        let (length, cell) = self.meeting.ok_or(())?;
        self.found = Found::Over(cell);
        Ok(length)
    }

    #[inline(always)]
    fn begin_comparison(&mut self, index: &Index<'_>, grid: &Grid) {
        let best = self.candidates.each_ref().map(|candidates| candidates.best);
        let meeting = self.meeting.map(|(length, _)| length);
        if index.header.entry_bytes == 8 {
            self.narrow.begin(index, grid, best, meeting);
        } else {
            self.begin_wide(index, grid, best, meeting);
        }
    }

    /// Words of 128 bits, apart: code that most maps run lies together.
    #[inline(never)]
    fn begin_wide(&mut self, index: &Index<'_>, grid: &Grid, best: [usize; 2], meeting: Option<u64>) {
        self.wide.begin(index, grid, best, meeting);
    }

    /// The comparison in words of 128 bits.
    #[inline(never)]
    fn compare_wide(&mut self, index: &Index<'_>, turn: Turn, budget: &mut Budget) -> Answer {
        let LabelQuery { candidates, wide, labels, broken, .. } = self;
        let stop = wide.advance(index, candidates, turn, (labels, *broken), budget);
        let answer = wide.found();
        self.compared(stop, answer)
    }

    fn compared(&mut self, stop: Option<Turn>, (cost, found): (u64, Option<Found>)) -> Answer {
        if let Some(turn) = stop {
            self.stage = Stage::Compare(turn);
            return None;
        }
        Some(match found {
            Some(found) => {
                self.found = found;
                Ok(cost)
            }
            None => self.met(),
        })
    }

    /// Begins the search with the candidates of a side, a unit each; the one to go on with if the budget is gone. The others
    /// were compared before: no other corner leads to them.
    fn seed(
        &mut self,
        index: &Index<'_>,
        (side, first): (usize, usize),
        budget: &mut Budget,
    ) -> Option<usize> {
        let LabelQuery { candidates, search, .. } = self;
        let (climb, own) = (Climb::new(index, candidates), &candidates[side]);
        for place in first..own.leading {
            if !budget.take() {
                return Some(place);
            }
            search.seed(&climb, side, Listed(own.listed()[place]).corner(), own.costs()[place]);
        }
        None
    }

    /// The search from the candidates of both ends, where there are no labels.
    #[inline(never)]
    fn climb(&mut self, index: &Index<'_>, budget: &mut Budget) -> Answer {
        while let Stage::Seed(side, place) = self.stage {
            if let Some(place) = self.seed(index, (side, place), budget) {
                self.stage = Stage::Seed(side, place);
                return None;
            }
            self.stage = if side == 0 { Stage::Seed(1, 0) } else { Stage::Search };
        }
        match self.search.run(&Climb::new(index, &self.candidates), budget) {
            Searched::Suspended => return None,
            // No corner is unsure.
            Searched::Look { .. } | Searched::Done => {}
        }
        if self.search.meeting.is_none() {
            return Some(self.met());
        }
        self.found = Found::Searched;
        Some(Ok(self.search.best))
    }
}
