//! A query, advanced unit by unit.

use super::{Event, EventKind, Reached};
use crate::core::{Budget, Cost, Path, Position, SharedWatch, StateId};
use crate::index::Atlas;
use crate::plan::{AnyPlanner, Outcome, Query, Scratch};
use crate::space::{Place, Space};

/// A query that is watched.
///
/// ```
/// use milepost::observe::{Event, EventKind, PlannerRun};
/// use milepost::{Atlas, Grid, Point, Rule, catalog};
///
/// let atlas = Atlas::new(Grid::from_ascii("....\n.@@.\n....", Rule::Octile)?);
/// let cell = |x, y| atlas.state_at(Point::new(x, y)).expect("inside the map");
/// let mut run = PlannerRun::new(catalog::planner("astar")?, &atlas, cell(0, 1), cell(3, 1));
/// let mut events: Vec<Event> = Vec::new();
/// while run.step(&atlas, &mut events).is_none() {}
/// assert!(events.iter().any(|event| event.kind == EventKind::Path));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlannerRun {
    planner: AnyPlanner,
    start: Place,
    goal: Place,
    scratch: Scratch,
    has_begun: bool,
    outcome: Option<Outcome>,
    units: u64,
    largest: u64,
}

impl PlannerRun {
    /// A query that has not begun.
    pub fn new(
        planner: AnyPlanner,
        atlas: &Atlas,
        start: impl Into<Place>,
        goal: impl Into<Place>,
    ) -> PlannerRun {
        let mut scratch = Scratch::new();
        scratch.watch = Some(SharedWatch::new(super::watch_of(atlas.space())));
        let (start, goal) = (start.into(), goal.into());
        if let Some(mesh) = atlas.space().as_mesh() {
            scratch.ends.locate(mesh, start, std::iter::once(goal));
        }
        PlannerRun { planner, start, goal, scratch, has_begun: false, outcome: None, units: 0, largest: 0 }
    }

    /// Goes on for one unit, or for the little more that the planner [takes at once](crate::Planner::overrun), and tells what
    /// happened. Once the answer is known, it stays.
    pub fn step(&mut self, atlas: &Atlas, events: &mut Vec<Event>) -> Option<Outcome> {
        if self.outcome.is_some() {
            return self.outcome;
        }
        let (query, mut budget) = (Query::new(self.start, self.goal), Budget::units(1));
        let outcome = match std::mem::replace(&mut self.has_begun, true) {
            false => self.planner.plan(atlas, &query, &mut self.scratch, &mut budget),
            true => self.planner.resume(atlas, &query, &mut self.scratch, &mut budget),
        };
        self.units += budget.spent();
        self.largest = self.largest.max(budget.spent());
        self.scratch.tell_slice(atlas);
        if let Some(watch) = &self.scratch.watch {
            events.append(&mut watch.lock().events);
        }
        if outcome != Outcome::OutOfBudget {
            self.outcome = Some(outcome);
            self.end(atlas.space(), outcome, events);
        }
        self.outcome
    }

    /// The path, and the end.
    fn end(&mut self, space: &Space, outcome: Outcome, events: &mut Vec<Event>) {
        let path = self.scratch.path();
        let scale = path.scale();
        let (Outcome::Found { cost, .. }, at) = (outcome, self.start_node(space)) else {
            let at = self.start_node(space);
            events.push(Event::new(EventKind::End, at, at, -1.0));
            return;
        };
        let nodes = match self.portal_nodes(space) {
            Some(nodes) => nodes,
            None => space.cells(path).collect(),
        };
        let (mut from, mut g) = (nodes.first().map_or(at, |node| node.number()), Cost::ZERO);
        for node in &nodes {
            let step = space.step_cost(StateId::new(from), *node, None);
            g += step.filter(|_| from != node.number()).unwrap_or(Cost::ZERO);
            let so_far = self.scratch.search.cost(*node).filter(|_| self.is_on_portals(space)).unwrap_or(g);
            events.push(Event::new(EventKind::Path, node.number(), from, scale.to_f64(so_far) as f32));
            from = node.number();
        }
        let value = path.pulled_cost().unwrap_or_else(|| scale.to_f64(cost));
        events.push(Event::new(EventKind::End, from, from, value as f32));
    }

    fn is_on_portals(&self, space: &Space) -> bool {
        space.as_mesh().is_some() && self.planner.passes_portals()
    }

    /// The node where the search begins.
    fn start_node(&self, space: &Space) -> u32 {
        match space.as_mesh().filter(|_| self.planner.passes_portals()) {
            Some(mesh) => mesh.start_node().number(),
            None => self.scratch.start.number(),
        }
    }

    /// The nodes of a path over portals.
    fn portal_nodes(&self, space: &Space) -> Option<Vec<StateId>> {
        let end = self.scratch.watch.as_ref()?.lock().end.filter(|_| self.is_on_portals(space))?;
        let mut nodes: Vec<StateId> = self.scratch.search.trace(end).collect();
        nodes.reverse();
        Some(nodes)
    }

    /// Where the nodes of the search lie, if they are not states: on a mesh whose portals are passed.
    pub fn nodes(&self, atlas: &Atlas) -> Option<Vec<Position>> {
        let mesh = atlas.space().as_mesh().filter(|_| self.planner.passes_portals())?;
        Some(mesh.node_positions(&self.scratch.ends))
    }

    /// The best way to a state, or node of the search on a mesh, that the search knows by now; where it begins at both ends, that
    /// from the goal as well. Planners that look their answer up reach nothing.
    pub fn reached(&self, node: u32) -> [Option<Reached>; 2] {
        let Some(watch) = &self.scratch.watch else { return [None; 2] };
        let watch = watch.lock();
        watch.ways(node).map(|way| way.map(|way| Reached::new(way, watch.scale())))
    }

    /// The answer, once it is known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The path, once it is known.
    pub fn path(&self) -> &Path {
        self.scratch.path()
    }

    /// Units taken so far.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// The most that a step has taken so far.
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// States expanded so far.
    pub fn expanded(&self) -> u64 {
        self.scratch.search().expanded()
    }

    /// Memory that watching it takes.
    pub fn watch_bytes(&self) -> usize {
        self.scratch.watch.as_ref().map_or(0, |watch| watch.lock().bytes())
    }

    /// Memory that the query holds.
    pub fn bytes(&self) -> usize {
        self.scratch.bytes() + self.scratch.open_bytes()
    }
}
