//! Writes down what searches do, for viewers: an expander around a search's own that tells what it hands out. It changes nothing
//! that a search sees, so that one that is watched has the same answer and takes the same units as one that is not.

use super::{
    Budget, Cost, CostScale, Erased, ErasedGoal, Event, EventKind, Expander, Goal, KeyRange, Search, StateId,
    Status,
};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A watch that is lent to whatever searches.
#[derive(Clone, Debug)]
pub(crate) struct SharedWatch(Arc<Mutex<Watch>>);

impl SharedWatch {
    pub(crate) fn new(watch: Watch) -> SharedWatch {
        SharedWatch(Arc::new(Mutex::new(watch)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Watch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was written down, and what must be known to go on.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    /// What happened since the caller took it.
    pub(crate) events: Vec<Event>,
    scale: CostScale,
    /// By how much the numbers of two states differ that a step joins, where that tells steps from jumps.
    steps: Option<[u32; 4]>,
    /// Searches are forgotten with the step that they are made in: what is expanded was looked at, and no more.
    is_brief: bool,
    /// Where the search began.
    start: Option<u32>,
    reached: HashMap<u32, Way>,
    /// The same for the half of a search that begins at the goal.
    reached_back: HashMap<u32, Way>,
    /// The node with which the last search ended.
    pub(crate) end: Option<StateId>,
    /// How much was told of planners that are read when a slice is over.
    pub(crate) told: Told,
}

/// The best way to a node that was handed out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) g: u64,
    /// How much is added to it in the order of the search.
    pub(crate) h: u64,
    pub(crate) from: u32,
    pub(crate) is_closed: bool,
}

/// How much was told of what a planner leaves in the scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// States of a way along first moves.
    pub(crate) moves: usize,
    /// Candidates of both ends of a query over labels, and legs of the ways that were unpacked.
    pub(crate) candidates: [usize; 2],
    pub(crate) legs: [usize; 2],
    /// Corners that a side of a search has reached: what that costs, and whether they were expanded.
    pub(crate) corners: HashMap<(usize, u32), (u64, bool)>,
}

impl Watch {
    /// Costs are on this scale; `steps` are the differences of numbers of states that a step joins.
    pub(crate) fn new(scale: CostScale, steps: Option<[u32; 4]>) -> Watch {
        Watch {
            events: Vec::new(),
            scale,
            steps,
            is_brief: false,
            start: None,
            reached: HashMap::new(),
            reached_back: HashMap::new(),
            end: None,
            told: Told::default(),
        }
    }

    /// The same for searches that are forgotten with the step that they are made in.
    pub(crate) fn brief(self) -> Watch {
        Watch { is_brief: true, ..self }
    }

    /// Whether searches are forgotten with the step that they are made in.
    pub(crate) fn is_brief(&self) -> bool {
        self.is_brief
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        let ways = self.reached.capacity() + self.reached_back.capacity();
        self.events.capacity() * size_of::<Event>() + ways * (size_of::<Way>() + 8)
    }

    /// Costs are on another scale from now on.
    pub(crate) fn set_scale(&mut self, scale: CostScale) {
        self.scale = scale;
    }

    /// Forgets the states of the last search.
    pub(crate) fn begin(&mut self) {
        self.reached.clear();
        self.reached_back.clear();
        (self.start, self.end) = (None, None);
    }

    /// What the way to a node costs that was handed out last.
    pub(crate) fn cost(&self, node: u32) -> Option<u64> {
        self.reached.get(&node).map(|way| way.g)
    }

    /// The best way to a node that is known, and, where a search begins at both ends, that from the goal.
    pub(crate) fn ways(&self, node: u32) -> [Option<Way>; 2] {
        [&self.reached, &self.reached_back].map(|ways| ways.get(&node).copied())
    }

    /// The way that one half of a search from both ends knows to a node.
    pub(crate) fn note(&mut self, side: usize, node: u32, way: Way) {
        let ways = if side == 0 { &mut self.reached } else { &mut self.reached_back };
        ways.insert(node, way);
    }

    pub(crate) fn scale(&self) -> CostScale {
        self.scale
    }

    pub(crate) fn tell(&mut self, kind: EventKind, cell: u32, from: u32, units: u64) {
        let value = self.scale.to_f64(Cost::new(units)) as f32;
        self.events.push(Event::new(kind, cell, from, value));
    }

    /// A way over one node to another, which costs `g`, and from there it seems as far as `h`.
    pub(crate) fn offer(&mut self, from: u32, to: u32, g: u64, h: impl FnOnce() -> Cost) {
        let before = self.cost(to);
        if before.is_some_and(|before| before <= g) {
            return;
        }
        let h = h().units();
        self.reached.insert(to, Way { g, h, from, is_closed: false });
        if self.is_brief {
            return;
        }
        let f = g.saturating_add(h);
        if from != to && self.steps.is_some_and(|steps| !steps.contains(&from.abs_diff(to))) {
            self.tell(EventKind::Jump, to, from, f);
        }
        let kind = if before.is_some() { EventKind::Better } else { EventKind::Open };
        self.tell(kind, to, from, f);
    }

    /// A node is expanded, and what the way there costs. A node that was not handed out is where the search began.
    pub(crate) fn close(&mut self, node: u32, h: impl Fn() -> Cost) -> u64 {
        if self.cost(node).is_none() {
            self.start.get_or_insert(node);
            self.offer(node, node, 0, &h);
        }
        let Some(way) = self.reached.get_mut(&node) else { return 0 };
        let was_closed = std::mem::replace(&mut way.is_closed, true);
        let Way { g, h, from, .. } = *way;
        match (was_closed, self.is_brief) {
            (true, _) => {}
            (false, false) => self.tell(EventKind::Close, node, from, g),
            (false, true) => self.tell(EventKind::Look, node, from, g.saturating_add(h)),
        }
        g
    }

    /// Whether what is asked for belongs to a search: where a search is kept, moves of other states are asked for too, each for
    /// itself.
    fn is_of_search(&self, node: u32, parent: Option<StateId>) -> bool {
        self.is_brief || parent.is_some() || self.start.is_none_or(|start| start == node)
    }

    /// Advances a search, and writes down what it is handed out.
    #[inline(never)]
    pub(crate) fn run(
        &mut self,
        search: &mut Search,
        expander: Erased<'_>,
        goal: ErasedGoal<'_>,
        budget: &mut Budget,
    ) -> Status {
        if search.expanded() == 0 {
            self.begin();
        }
        let watched = Watched { inner: expander, goal, watch: RefCell::new(self) };
        let status = search.run(&watched, &goal, budget);
        if let Status::Reached(state) = status {
            self.close(state.number(), || goal.estimate(state));
            self.end = Some(state);
        }
        status
    }
}

/// An expander that writes down what it hands out.
struct Watched<'a, 'w> {
    inner: Erased<'a>,
    goal: ErasedGoal<'a>,
    watch: RefCell<&'w mut Watch>,
}

impl Watched<'_, '_> {
    /// The state is expanded; what the way there costs.
    fn close(&self, state: StateId) -> u64 {
        self.watch.borrow_mut().close(state.number(), || self.goal.estimate(state))
    }

    fn offer(&self, state: StateId, g: u64, child: StateId, cost: Cost) {
        let g = g.saturating_add(cost.units());
        self.watch.borrow_mut().offer(state.number(), child.number(), g, || self.goal.estimate(child));
    }
}

impl Expander for Watched<'_, '_> {
    fn id_bound(&self) -> usize {
        self.inner.id_bound()
    }

    fn keys(&self) -> KeyRange {
        self.inner.keys()
    }

    fn expand(&self, state: StateId, parent: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        let g = self.close(state);
        self.inner.expand(state, parent, |child, cost| {
            self.offer(state, g, child, cost);
            visit(child, cost);
        })
    }

    const STOPS: bool = Erased::STOPS;

    fn expand_part(
        &self,
        state: StateId,
        parent: Option<StateId>,
        from: u64,
        budget: &mut Budget,
        mut visit: impl FnMut(StateId, Cost),
    ) -> Option<u64> {
        // The rest of an expansion is no other one.
        let g = match from {
            0 => self.close(state),
            _ => self.watch.borrow().cost(state.number()).unwrap_or(0),
        };
        self.inner.expand_part(state, parent, from, budget, |child, cost| {
            self.offer(state, g, child, cost);
            visit(child, cost);
        })
    }
}

/// The moves of an agent, which its searches are handed out one by one, and a goal that tells how far it seems.
#[derive(Clone, Debug)]
pub(crate) struct WatchedMoves<E, G> {
    pub(crate) inner: E,
    pub(crate) goal: G,
    pub(crate) watch: SharedWatch,
}

impl<E: Expander, G: Goal> WatchedMoves<E, G> {
    /// Takes note of an expansion.
    fn close(&self, state: StateId, parent: Option<StateId>) -> Option<u64> {
        let mut watch = self.watch.lock();
        let is_told = watch.is_of_search(state.number(), parent);
        is_told.then(|| watch.close(state.number(), || self.goal.estimate(state)))
    }

    /// Takes note of a move.
    fn offer(&self, state: StateId, g: Option<u64>, child: StateId, cost: Cost) {
        let Some(g) = g else { return };
        let g = g.saturating_add(cost.units());
        self.watch.lock().offer(state.number(), child.number(), g, || self.goal.estimate(child));
    }
}

impl<E: Expander, G: Goal> Expander for WatchedMoves<E, G> {
    fn id_bound(&self) -> usize {
        self.inner.id_bound()
    }

    // Visitors are called through a pointer: the moves within may be watched themselves, as far as the compiler knows.

    /// Asked once, when a search begins.
    fn keys(&self) -> KeyRange {
        self.watch.lock().begin();
        self.inner.keys()
    }

    fn expand(&self, state: StateId, parent: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        let g = self.close(state, parent);
        let visit: &mut dyn FnMut(StateId, Cost) = &mut |child, cost| {
            self.offer(state, g, child, cost);
            visit(child, cost);
        };
        self.inner.expand(state, parent, visit)
    }

    fn expand_beyond(
        &self,
        state: StateId,
        parent: Option<StateId>,
        mut visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        let g = self.close(state, parent);
        let visit: &mut dyn FnMut(StateId, Cost) = &mut |child, cost| {
            self.offer(state, g, child, cost);
            visit(child, cost);
        };
        self.inner.expand_beyond(state, parent, visit)
    }
}
