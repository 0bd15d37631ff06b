//! Best-first search as a value that is advanced.
//!
//! [`Search::begin`] lays out a query, [`Search::run`] advances it until the goal is reached, the budget is gone
//! or nothing is left. A whole path is one call with an unlimited budget; a frame's slice, a lookahead of an
//! agent and the single step of a viewer are the same call with a small one. Slices of any size visit the same
//! states in the same order as one run.
//!
//! # Paper
//! P. Hart, N. Nilsson, B. Raphael: A formal basis for the heuristic determination of minimum cost paths, IEEE
//! Transactions on Systems Science and Cybernetics, 1968; as told by P. Fulmański, Artificial intelligence in
//! games: Pathfinding, 2016, Algorithms 1 and 2, whose lines the comments name.
//!
//! # Guarantees
//! With an admissible estimate the first state reached is reached at least cost. A closed state for which a
//! better way is found is opened again, so consistency is not needed; with a consistent estimate it never
//! happens, and each state is expanded once. Memory: 16 bytes for each id, and the open list. After warm-up
//! nothing is allocated; starting anew takes O(1). A call is cut between two expansions, or in the middle of one whose
//! expander [can stop there](Expander::expand_part).
//!
//! # Deviations
//! 1. Line 15 of the listing updates an open state even if the new value is worse, and line 16 never opens a
//!    closed one again: right only for estimates that are consistent and graphs where that cannot matter. Here a
//!    state is updated if and only if the new value is better.
//! 2. An update leaves the old entry in the open list; it is recognised when it comes out, because the better one
//!    came out before it and closed the state. Each such stale entry takes a unit of the budget too.

use super::open::{Buckets, Entry, OpenList, Ties};
use super::zeroed::zeroed;
use super::{Budget, Cost, StateId};
use zerocopy::FromZeros;

/// Where one can go from a state. It may be told forwards or backwards: a backward search is a search whose
/// expander follows arcs against their direction.
///
/// Shown by the example `own_planner`.
pub trait Expander {
    /// All ids are below this.
    fn id_bound(&self) -> usize;

    /// What the costs look like.
    fn keys(&self) -> KeyRange;

    /// Names every successor of `state` with the cost of the step, in a fixed order. `parent` is where the best
    /// known way to `state` came from: some expanders leave out successors that are better reached otherwise.
    /// Returns the units of work beyond the one that every expansion takes.
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64;

    /// The same, for a search that has expanded `parent` and come to `state` from there: those may be left out, and only those,
    /// which the parent itself leads to at no greater cost. So nothing is found otherwise or in another order, in searches
    /// that are not finished either.
    fn expand_beyond(
        &self,
        state: StateId,
        _parent: Option<StateId>,
        visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        self.expand(state, None, visit)
    }

    /// Whether [`Expander::expand_part`] may stop in the middle.
    const STOPS: bool = false;

    /// The same as [`Expander::expand`], and takes the units itself. Where an expansion may take many, it stops when they
    /// are gone, and says where: from there, which is 0 at the beginning, the search goes on in its next call. Without
    /// [`Expander::STOPS`] an expansion is made whole, and charged in full.
    #[inline(always)]
    fn expand_part(
        &self,
        state: StateId,
        parent: Option<StateId>,
        _from: u64,
        budget: &mut Budget,
        visit: impl FnMut(StateId, Cost),
    ) -> Option<u64> {
        budget.charge(self.expand(state, parent, visit));
        None
    }
}

/// The size of costs, from which open lists choose their layout.
///
/// Shown by the example `own_planner`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyRange {
    /// The cheapest step there is, or what keys differ by from step to step where that is much more.
    pub cheapest: Cost,
    /// No path costs as much as this. Keys may, where an estimate is inflated: open lists take any.
    pub bound: Cost,
}

/// The successors that [`Expander::expand_beyond`] names, for a search that asks [`Expander::expand`].
pub(crate) struct Beyond<'a, E>(pub(crate) &'a E);

impl<E: Expander> Expander for Beyond<'_, E> {
    fn id_bound(&self) -> usize {
        self.0.id_bound()
    }

    fn keys(&self) -> KeyRange {
        self.0.keys()
    }

    #[inline(always)]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.0.expand_beyond(state, parent, visit)
    }
}

/// Where a search wants to be, and how far that seems to be.
///
/// Shown by the example `own_planner`.
pub trait Goal {
    /// Whether the search may end here.
    fn is_reached(&self, state: StateId) -> bool;

    /// Estimated cost from here to the goal; admissible if it never exceeds the true one, and then paths are optimal. Where it is not
    /// consistent, or inflated, a search expands a state again each time it finds a better way there.
    fn estimate(&self, state: StateId) -> Cost;
}

/// Why [`Search::run`] came back.
///
/// Shown by [`Search`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// This state satisfies the goal and came out of the open list. Running on looks for the next one.
    Reached(StateId),
    /// The budget is gone; run again to go on.
    Suspended,
    /// No state is left (within the limit, if there is one).
    Exhausted,
}

/// What a search knows of one state.
#[derive(Clone, Copy, Debug, Default, FromZeros)]
struct Node {
    g: u64,
    parent: u32,
    /// `2 * epoch + closed`: a node of another epoch is untouched.
    stamp: u32,
}

/// A node of no query, with a bit set: zeros might be left to the system.
const UNTOUCHED: Node = Node { g: 0, parent: StateId::NONE.number(), stamp: 0 };

/// The state nearest to the goal among those expanded: least estimate, then least cost, then least id.
type Nearest = (Cost, Cost, StateId);

/// A best-first search that can stop and go on.
///
/// ```
/// use milepost::search::{Search, Status};
/// use milepost::{Budget, Grid, Point, Rule, Space};
///
/// let grid = Grid::from_ascii("...\n.@.\n...", Rule::Octile)?;
/// let cell = |x, y| grid.state_at(Point::new(x, y)).expect("inside the map");
/// let (start, goal, space) = (cell(0, 1), cell(2, 1), Space::from(&grid));
/// let problem = space.problem(goal); // the moves of the space, and an estimate
/// let mut search: Search = Search::new();
/// search.begin(&problem, &problem, start);
/// while search.run(&problem, &problem, &mut Budget::units(2)) == Status::Suspended {
///     println!("{} states expanded", search.expanded()); // a budget of one is a way to watch it
/// }
/// assert_eq!(search.trace(goal).count(), 5);
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Search<Q = Buckets> {
    /// One for every id that was ever expected, in [zeroed] memory, so that a first query touches no more of it than later
    /// ones do.
    nodes: Vec<Node>,
    /// Number of the current query; at most [`LAST_EPOCH`].
    epoch: u32,
    open: Q,
    ties: Ties,
    /// Estimates are compared in units of `2^tie_shift` where keys tie, so that they fit 32 bits.
    tie_shift: u32,
    pushed: u32,
    limit: Option<Cost>,
    tracks_nearest: bool,
    nearest: Option<Nearest>,
    expanded: u64,
    /// Entries that came out stale: deviation 2.
    stale: u64,
    /// The state in the middle of whose expansion the budget was gone, and where.
    part: Option<(StateId, u64)>,
}

/// The largest epoch whose stamp fits 32 bits.
const LAST_EPOCH: u32 = u32::MAX >> 1;

impl<Q: OpenList> Search<Q> {
    /// An empty search.
    pub fn new() -> Search<Q> {
        Search {
            nodes: Vec::new(),
            epoch: 0,
            open: Q::default(),
            ties: Ties::Deepest,
            tie_shift: 0,
            pushed: 0,
            limit: None,
            tracks_nearest: false,
            nearest: None,
            expanded: 0,
            stale: 0,
            part: None,
        }
    }

    /// Decides between equal keys in all queries that begin from now on: for tests by printed examples.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(crate) fn set_ties(&mut self, ties: Ties) {
        self.ties = ties;
    }

    /// From now on states whose key exceeds `limit` are left in the open list. A new query has no limit.
    pub fn set_limit(&mut self, limit: Option<Cost>) {
        self.limit = limit;
    }

    /// Remembers, from the beginning of the current query on, which expanded state was nearest to the goal.
    pub fn track_nearest(&mut self) {
        self.tracks_nearest = true;
    }

    /// Forgets the last query: no state has been seen, none is open, nothing was expanded. O(1).
    pub fn forget(&mut self) {
        if self.epoch == LAST_EPOCH {
            self.nodes = zeroed(self.nodes.len());
            self.epoch = 0;
        }
        self.epoch += 1;
        self.open.reset(KeyRange { cheapest: Cost::new(1), bound: Cost::MAX });
        self.pushed = 0;
        self.limit = None;
        self.tracks_nearest = false;
        self.nearest = None;
        self.expanded = 0;
        self.stale = 0;
        self.part = None;
    }

    /// Starts a query: forgets the last one and opens `start` (listing, lines 2-4).
    pub fn begin(&mut self, expander: &impl Expander, goal: &impl Goal, start: StateId) {
        self.forget();
        if self.nodes.len() < expander.id_bound() {
            self.nodes = zeroed(expander.id_bound());
        }
        let keys = expander.keys();
        self.open.reset(keys);
        self.tie_shift = tie_shift(keys);
        let h = goal.estimate(start);
        self.nodes[start.index()] = Node { g: 0, parent: StateId::NONE.number(), stamp: self.epoch << 1 };
        self.open.push(Entry::new(h, tie_of(self.ties, h, self.tie_shift, &mut self.pushed), start));
    }

    /// Advances the query. Inlined, so that callers can compile it for the machine's vector instructions.
    #[inline(always)]
    pub fn run<E: Expander, G: Goal>(&mut self, expander: &E, goal: &G, budget: &mut Budget) -> Status {
        let (open_stamp, closed_stamp) = (self.epoch << 1, self.epoch << 1 | 1);
        let Search { nodes, open, ties, tie_shift, pushed, .. } = self;
        let (ties, tie_shift, limit) = (*ties, *tie_shift, self.limit.unwrap_or(Cost::MAX));
        // Where they are stays the same: it is not read anew for every child.
        let nodes = nodes.as_mut_slice();

        let mut ways = Ways { open_stamp, ties, tie_shift, pushed };
        if E::STOPS
            && let Some((state, from)) = self.part.take()
        {
            let Node { g, parent, .. } = nodes[state.index()];
            let visit = |child, cost| ways.offer(nodes, open, goal, (state, g), (child, cost));
            let stopped = expander.expand_part(state, StateId::new(parent).known(), from, budget, visit);
            if let Some(from) = stopped {
                self.part = Some((state, from));
                return Status::Suspended;
            }
        }
        // Line 5: while open is not empty.
        while !open.is_empty() {
            if !budget.take() {
                return Status::Suspended;
            }
            // Line 6: the best state.
            let Some(entry) = open.pop() else { break };
            if entry.f() > limit {
                open.put_back(entry);
                break;
            }
            let state = entry.state();
            let node = &mut nodes[state.index()];
            if node.stamp == closed_stamp {
                self.stale += 1;
                continue;
            }
            // Line 7: into closed.
            node.stamp = closed_stamp;
            let (g, parent) = (node.g, node.parent);
            // Lines 8-10.
            if goal.is_reached(state) {
                return Status::Reached(state);
            }
            self.expanded += 1;
            if self.tracks_nearest {
                let this = (goal.estimate(state), Cost::new(g), state);
                self.nearest = Some(self.nearest.map_or(this, |best| best.min(this)));
            }
            // Lines 11-17: its children.
            let parent = StateId::new(parent).known();
            let visit = |child, cost| ways.offer(nodes, open, goal, (state, g), (child, cost));
            if !E::STOPS {
                budget.charge(expander.expand(state, parent, visit));
            } else if let Some(from) = expander.expand_part(state, parent, 0, budget, visit) {
                self.part = Some((state, from));
                return Status::Suspended;
            }
        }
        // Line 19: there is no path.
        Status::Exhausted
    }

    /// Cost of the best way found to a state in this query.
    pub fn cost(&self, state: StateId) -> Option<Cost> {
        self.node(state).map(|node| Cost::new(node.g))
    }

    /// Where the best way found comes from; `None` for the start and for states not seen.
    pub fn parent(&self, state: StateId) -> Option<StateId> {
        self.node(state).and_then(|node| StateId::new(node.parent).known())
    }

    /// Whether the state has come out of the open list and no better way has been found since.
    pub fn is_closed(&self, state: StateId) -> bool {
        self.node(state).is_some_and(|node| node.stamp & 1 == 1)
    }

    /// The states of the best way found to `state`, backwards.
    pub fn trace(&self, state: StateId) -> impl Iterator<Item = StateId> {
        std::iter::successors(self.node(state).map(|_| state), |&state| self.parent(state))
    }

    /// The expanded state nearest to the goal, if [`Search::track_nearest`] asked for it.
    pub fn nearest(&self) -> Option<StateId> {
        self.nearest.map(|(_, _, state)| state)
    }

    /// Counts the expansions of a search of another kind, which used this one's place.
    pub(crate) fn count_expansions(&mut self, expanded: u64) {
        self.expanded = expanded;
    }

    /// States expanded in this query.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Stale entries that came out in this query: units that a search without any does not take.
    pub(crate) fn stale(&self) -> u64 {
        self.stale
    }

    /// The open list.
    pub(crate) fn open(&self) -> &Q {
        &self.open
    }

    /// Memory held for states; the open list is counted apart.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }

    fn node(&self, state: StateId) -> Option<Node> {
        self.nodes.get(state.index()).copied().filter(|node| node.stamp >> 1 == self.epoch && self.epoch > 0)
    }

    /// All closed states of this query, in the order of their ids. Looks at every id: for pictures.
    pub fn closed(&self) -> impl Iterator<Item = StateId> {
        let closed_stamp = self.epoch << 1 | 1;
        self.nodes
            .iter()
            .enumerate()
            .filter(move |(_, node)| node.stamp == closed_stamp)
            .map(|(index, _)| StateId::new(index as u32))
    }
}

impl Search {
    /// Forgets the last query, makes room for ids below this and for so many that are open, and writes to all of it, so that
    /// the system has nothing left to do when a query comes to a state.
    pub(crate) fn warm(&mut self, id_bound: usize, open: usize) {
        self.open.warm(open);
        self.forget();
        let bound = id_bound.max(self.nodes.len());
        self.nodes.clear();
        self.nodes.resize(bound, UNTOUCHED);
    }
}

/// By how many bits estimates are shifted where keys tie, so that those below this range's bound fit 32 bits.
pub(super) fn tie_shift(keys: KeyRange) -> u32 {
    (u64::BITS - keys.bound.units().leading_zeros()).saturating_sub(u32::BITS)
}

/// What the ways that an expansion finds have in common.
struct Ways<'a> {
    open_stamp: u32,
    ties: Ties,
    tie_shift: u32,
    pushed: &'a mut u32,
}

impl Ways<'_> {
    /// A way over a state, which costs `g`, to one of its children.
    #[inline(always)]
    fn offer<Q: OpenList>(
        &mut self,
        nodes: &mut [Node],
        open: &mut Q,
        goal: &impl Goal,
        (state, g): (StateId, u64),
        (child, cost): (StateId, Cost),
    ) {
        let node = &mut nodes[child.index()];
        // Jumps of an index that was tampered with may add up to anything.
        let new_g = g.saturating_add(cost.units());
        // Deviation 1: open or closed alike, only a better value counts.
        if node.stamp | 1 == self.open_stamp | 1 && node.g <= new_g {
            return;
        }
        *node = Node { g: new_g, parent: state.number(), stamp: self.open_stamp };
        let h = goal.estimate(child);
        let tie = tie_of(self.ties, h, self.tie_shift, self.pushed);
        open.push(Entry::new(Cost::new(new_g).saturating_add(h), tie, child));
    }
}

/// The value that decides between equal keys.
#[inline]
fn tie_of(ties: Ties, h: Cost, tie_shift: u32, pushed: &mut u32) -> u32 {
    match ties {
        Ties::Deepest => (h.units() >> tie_shift).min(u64::from(u32::MAX)) as u32,
        Ties::Oldest => {
            *pushed = pushed.saturating_add(1);
            *pushed
        }
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
