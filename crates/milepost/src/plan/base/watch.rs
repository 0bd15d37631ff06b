//! Writes down what the searches of a planner do, for viewers: an expander around the planner's own that tells what it hands out,
//! and readers of what planners without such a search leave in the scratch. It changes nothing that a search sees, so that a query
//! that is watched has the same answer, path and units as one that is not.

use crate::core::{
    Budget, Cost, CostScale, Event, EventKind, Expander, Goal, KeyRange, Search, StateId, Status,
};
use crate::space::{Grid, Space, SpaceKind};
use std::cell::RefCell;
use std::collections::HashMap;

/// What was written down, and what must be known to go on.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    /// What happened since the caller took it.
    pub(crate) events: Vec<Event>,
    scale: CostScale,
    /// Where steps can be told from jumps.
    grid: Option<Grid>,
    /// What the best way to each node costs that was handed out, and the node before.
    reached: HashMap<u32, (u64, u32)>,
    /// The node with which the last search ended.
    pub(crate) end: Option<StateId>,
    /// How much was told of planners that are read when a slice is over.
    pub(crate) told: Told,
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
    pub(crate) fn new(space: &Space) -> Watch {
        Watch {
            events: Vec::new(),
            scale: space.scale(),
            grid: space.as_grid().cloned(),
            reached: HashMap::new(),
            end: None,
            told: Told::default(),
        }
    }

    /// Forgets the states of the last search.
    pub(in crate::plan) fn begin(&mut self) {
        self.reached.clear();
        self.end = None;
    }

    /// What the way to a node costs that was handed out last.
    pub(in crate::plan) fn cost(&self, node: u32) -> Option<u64> {
        self.reached.get(&node).map(|(g, _)| *g)
    }

    pub(crate) fn tell(&mut self, kind: EventKind, cell: u32, from: u32, units: u64) {
        let value = self.scale.to_f64(Cost::new(units)) as f32;
        self.events.push(Event::new(kind, cell, from, value));
    }

    /// A way over one node to another, which costs `g`, and from there it seems as far as `h`.
    pub(in crate::plan) fn offer(&mut self, from: u32, to: u32, g: u64, h: impl FnOnce() -> Cost) {
        let before = self.cost(to);
        if before.is_some_and(|before| before <= g) {
            return;
        }
        self.reached.insert(to, (g, from));
        let f = g.saturating_add(h().units());
        let step = |grid: &Grid| grid.step_cost(StateId::new(from), StateId::new(to), None);
        if from != to && self.grid.as_ref().is_some_and(|grid| step(grid).is_none()) {
            self.tell(EventKind::Jump, to, from, f);
        }
        let kind = if before.is_some() { EventKind::Better } else { EventKind::Open };
        self.tell(kind, to, from, f);
    }

    /// A node is expanded, and what the way there costs. A node that was not handed out is where the search began.
    pub(in crate::plan) fn close(&mut self, node: u32, h: impl FnOnce() -> Cost) -> u64 {
        self.offer(node, node, self.cost(node).unwrap_or(0), h);
        let (g, from) = self.reached.get(&node).copied().unwrap_or((0, node));
        self.tell(EventKind::Close, node, from, g);
        g
    }

    /// Advances a search, and writes down what it is handed out.
    #[inline(never)]
    pub(in crate::plan) fn run<E: Expander, G: Goal>(
        &mut self,
        search: &mut Search,
        expander: &E,
        goal: &G,
        budget: &mut Budget,
    ) -> Status {
        if search.expanded() == 0 {
            self.begin();
        }
        let watched = Watched { inner: expander, goal, watch: RefCell::new(self) };
        let status = search.run(&watched, goal, budget);
        if let Status::Reached(state) = status {
            self.close(state.number(), || goal.estimate(state));
            self.end = Some(state);
        }
        status
    }
}

/// An expander that writes down what it hands out.
struct Watched<'a, 'w, E, G> {
    inner: &'a E,
    goal: &'a G,
    watch: RefCell<&'w mut Watch>,
}

impl<E: Expander, G: Goal> Watched<'_, '_, E, G> {
    /// The state is expanded; what the way there costs.
    fn close(&self, state: StateId) -> u64 {
        self.watch.borrow_mut().close(state.number(), || self.goal.estimate(state))
    }

    fn offer(&self, state: StateId, g: u64, child: StateId, cost: Cost) {
        let g = g.saturating_add(cost.units());
        self.watch.borrow_mut().offer(state.number(), child.number(), g, || self.goal.estimate(child));
    }
}

impl<E: Expander, G: Goal> Expander for Watched<'_, '_, E, G> {
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

    const STOPS: bool = E::STOPS;

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
