//! An agent, advanced step by step: what it saw, looked at, learned and means to do.

use super::{Event, EventKind, Reached};
use crate::agent::{Agent, Held, Limits, LookCursor, MapSensor, SensorRange, Step, View};
use crate::catalog::{AGENTS, AgentKind};
use crate::core::{Budget, Cost, CostScale, Goal, SharedWatch, StateId, Told, Version, Way};
use crate::index::Atlas;
use crate::plan::Scratch;
use crate::space::{Belief, Graph};
use std::collections::HashMap;

/// An agent that is watched.
///
/// ```
/// use milepost::agent::SensorRange;
/// use milepost::observe::{AgentRun, EventKind};
/// use milepost::{Atlas, Grid, Point, Rule, Step, catalog};
///
/// let atlas = Atlas::new(Grid::from_ascii("....\n.@@.\n....", Rule::Octile)?);
/// let cell = |x, y| atlas.state_at(Point::new(x, y)).expect("inside the map");
/// let sight = Some(SensorRange::Radius(1));
/// let mut run = AgentRun::new(&*catalog::agent("rtaa")?, &atlas, sight, cell(0, 1), cell(3, 1));
/// let mut events = Vec::new();
/// while run.step(&atlas, &mut events) != Step::Arrived {}
/// assert!(events.iter().any(|event| event.kind == EventKind::See));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AgentRun {
    agent: Box<dyn Agent>,
    /// How far it sees; none if it knows the map.
    sight: Option<SensorRange>,
    /// The graph that it takes for the map by sight, where that is another than the true one.
    known: Option<Graph>,
    /// Of the costs of its searches.
    scale: CostScale,
    scratch: Scratch,
    start: StateId,
    /// What the events of a step that were too many are counted in.
    left: u64,
    steps: u64,
    moves: u64,
    cost: f64,
    units: u64,
    largest: u64,
    expanded: u64,
    end: Option<Step>,
    /// What was told of it so far.
    seen: HashMap<StateId, bool>,
    /// Of each state that something was ever learned of, what is held now.
    learned: HashMap<StateId, Option<Cost>>,
    held_values: u64,
    /// What the values are about, and the version of the map that they were learned on.
    target: Option<StateId>,
    version: Version,
    pointers: HashMap<StateId, StateId>,
    plan: Vec<StateId>,
    subgoal: Option<StateId>,
    record: Option<(StateId, StateId)>,
    region: Option<u32>,
}

/// States of the search of a step that are told; the rest is counted.
const MOST_LOOKS: usize = 1500;

impl AgentRun {
    /// An agent of this kind that has not begun, shown the whole map, or what can be seen as far as this.
    pub fn new(
        kind: &dyn AgentKind,
        atlas: &Atlas,
        sight: Option<SensorRange>,
        start: StateId,
        goal: StateId,
    ) -> AgentRun {
        let sensor = sight.map(|range| MapSensor::new(atlas.space(), range));
        let view = view(atlas, &sensor);
        let scale = scale(atlas, view);
        let layers = AGENTS.iter().find(|entry| entry.about.name == kind.about().name);
        // Those that show what is closed keep their searches from step to step.
        let is_kept = layers.is_some_and(|entry| entry.layers.contains(&"closed"));
        let watch = match view {
            View::Map(atlas) => super::watch_of(atlas.space()),
            View::Sensor(_) => super::Watch::new(scale, None),
        };
        let mut scratch = Scratch::new();
        scratch.watch = Some(SharedWatch::new(if is_kept { watch } else { watch.brief() }));
        AgentRun {
            agent: kind.start_in(view, start, goal),
            sight,
            known: None,
            scale,
            scratch,
            start,
            left: 0,
            steps: 0,
            moves: 0,
            cost: 0.0,
            units: 0,
            largest: 0,
            expanded: 0,
            end: None,
            seen: HashMap::new(),
            learned: HashMap::new(),
            held_values: 0,
            target: None,
            version: atlas.space().version(),
            pointers: HashMap::new(),
            plan: Vec::new(),
            subgoal: None,
            record: None,
            region: None,
        }
    }

    /// By sight it takes this graph for the map from now on, and sees which of its nodes are no longer there; without one, all
    /// nodes that there are count as known.
    pub fn set_known(&mut self, known: Option<Graph>) {
        self.known = known;
    }

    /// What it is shown of a map.
    fn sensor<'a>(&self, atlas: &'a Atlas, known: &'a Option<Graph>) -> Option<MapSensor<'a>> {
        self.sight.map(|range| match known {
            Some(known) => MapSensor::with_known(atlas.space(), known),
            None => MapSensor::new(atlas.space(), range),
        })
    }

    /// One step on the map as it is now, with all the units that it wants; tells what happened. Once the agent has ended,
    /// nothing happens.
    pub fn step(&mut self, atlas: &Atlas, events: &mut Vec<Event>) -> Step {
        if let Some(end) = self.end {
            return end;
        }
        let known = self.known.clone();
        let sensor = self.sensor(atlas, &known);
        let view = view(atlas, &sensor);
        self.scale = scale(atlas, view);
        let (before, mut budget) = (self.agent.state(), Budget::unlimited());
        self.scratch.local.clear();
        self.scratch.start = StateId::NONE;
        if let Some(watch) = &self.scratch.watch {
            let mut watch = watch.lock();
            watch.set_scale(self.scale);
            if watch.is_brief() {
                watch.begin();
            }
        }
        let step = self.agent.step_in(view, &mut self.scratch, &mut budget);
        self.steps += 1;
        self.units += budget.spent();
        self.largest = self.largest.max(budget.spent());
        let mut has_changed = self.version != atlas.space().version();
        self.version = atlas.space().version();
        has_changed |= self.tell_seen(view, before, events);
        if self.scratch.start != StateId::NONE {
            // A query was begun in the scratch that the step was lent.
            if let Some(watch) = &self.scratch.watch {
                watch.lock().told = Told::default();
            }
            self.scratch.tell_slice(atlas);
        }
        let looked = self.tell_searched(before, events);
        self.tell_held(view, &looked, has_changed, events);
        let now = self.agent.state();
        match step {
            Step::Move(next) => {
                self.moves += 1;
                let (space, from) = (atlas.space(), before);
                let cost = space.step_cost(from, next, None).unwrap_or(Cost::ZERO);
                self.cost += space.scale().to_f64(cost);
                let value = self.cost as f32;
                events.push(Event::new(EventKind::Move, next.number(), before.number(), value));
            }
            Step::Thinking => events.push(Event::new(EventKind::Wait, now.number(), now.number(), 0.0)),
            Step::Arrived => self.end(step, self.cost as f32, events),
            Step::NoPath => self.end(step, -1.0, events),
            Step::Stopped | Step::Starved { .. } | Step::Refused(_) => self.end(step, -2.0, events),
        }
        step
    }

    fn end(&mut self, step: Step, value: f32, events: &mut Vec<Event>) {
        let at = self.agent.state().number();
        events.push(Event::new(EventKind::End, at, at, value));
        self.end = Some(step);
    }

    /// What the look of this step has shown, from where the agent stood, as far as the agent took it in. Says whether something is
    /// other than it was when it was seen before.
    fn tell_seen(&mut self, view: View<'_>, at: StateId, events: &mut Vec<Event>) -> bool {
        let View::Sensor(sensor) = view else { return false };
        let mut shown = Vec::new();
        sensor.look(at, &mut LookCursor::default(), &mut |sighting| {
            shown.push(sighting.state);
            true
        });
        let (seen, mut has_changed) = (&mut self.seen, false);
        self.agent.tell_held(view, &shown, &mut |held| {
            let Held::Seen { state, is_free } = held else { return };
            let before = seen.insert(state, is_free);
            if before != Some(is_free) {
                has_changed |= before.is_some();
                let value = if is_free { 0.0 } else { 1.0 };
                events.push(Event::new(EventKind::See, state.number(), at.number(), value));
            }
        });
        has_changed
    }

    /// What was searched in this step; the states whose values may be others now.
    fn tell_searched(&mut self, before: StateId, events: &mut Vec<Event>) -> Vec<StateId> {
        let mut told = match &self.scratch.watch {
            Some(watch) => std::mem::take(&mut watch.lock().events),
            None => Vec::new(),
        };
        // A search among cells that are believed asks no moves one by one: what it leaves is read.
        if told.is_empty() {
            let (nodes, scale) = (self.scratch.local.nodes(), self.scale);
            for node in nodes.iter().filter(|node| node.is_closed) {
                let parent = nodes.get(node.parent as usize).map_or(node.state, |parent| parent.state);
                let f = scale.to_f64(node.g.saturating_add(node.h)) as f32;
                told.push(Event::new(EventKind::Look, node.state.number(), parent.number(), f));
            }
        }
        let is_expansion = |event: &&Event| matches!(event.kind, EventKind::Look | EventKind::Close);
        let mut looked: Vec<StateId> =
            told.iter().filter(is_expansion).map(|event| StateId::new(event.cell)).collect();
        self.expanded += looked.len() as u64;
        looked.push(before);
        let mut looks = 0;
        told.retain(|event| {
            looks += usize::from(event.kind == EventKind::Look);
            event.kind != EventKind::Look || looks <= MOST_LOOKS
        });
        self.left += looks.saturating_sub(MOST_LOOKS) as u64;
        events.append(&mut told);
        looked
    }

    /// What the agent remembers otherwise than was told before.
    fn tell_held(&mut self, view: View<'_>, looked: &[StateId], has_changed: bool, events: &mut Vec<Event>) {
        let mut values = (0, self.target);
        let (mut learned, mut plan, mut pointers) = (Vec::new(), Vec::new(), Vec::new());
        let (mut record, mut region) = (None, None);
        self.agent.tell_held(view, looked, &mut |held| match held {
            Held::Seen { .. } => {}
            Held::Values { count, target } => values = (count, Some(target)),
            Held::Learned { state, value } => learned.push((state, value)),
            Held::Plan(state) => plan.push(state),
            Held::Pointer { state, parent } => pointers.push((state, parent)),
            Held::Record { from, to } => record = Some((from, to)),
            Held::Region(number) => region = Some(number),
        });
        let is_other = has_changed || std::mem::replace(&mut self.target, values.1) != values.1;
        for (state, value) in learned {
            self.tell_learned(view, state, Some(value), events);
        }
        if is_other || values.0 < self.held_values {
            self.tell_all_learned(view, events);
        }
        for (state, parent) in pointers {
            if self.pointers.insert(state, parent) != Some(parent) {
                events.push(Event::new(EventKind::Tree, state.number(), parent.number(), 0.0));
            }
        }
        if record != self.record {
            self.record = record;
            if let Some((from, to)) = record {
                events.push(Event::new(EventKind::Record, to.number(), from.number(), 0.0));
            }
        }
        if region != self.region {
            self.region = region;
            if let Some(number) = region {
                let at = self.agent.state().number();
                events.push(Event::new(EventKind::Region, at, at, number as f32));
            }
        }
        let subgoal = self.agent.subgoal();
        if subgoal != self.subgoal {
            self.subgoal = subgoal;
            if let Some(subgoal) = subgoal {
                let at = self.agent.state().number();
                events.push(Event::new(EventKind::Subgoal, subgoal.number(), at, 0.0));
            }
        }
        self.tell_plan(plan, events);
    }

    /// A value that was learned, or that was forgotten.
    fn tell_learned(&mut self, view: View<'_>, state: StateId, now: Option<Cost>, events: &mut Vec<Event>) {
        let before = self.learned.insert(state, now).flatten();
        self.held_values = self.held_values + u64::from(now.is_some()) - u64::from(before.is_some());
        if before != now {
            let more = now.zip(self.target).map_or(0.0, |(value, target)| {
                let first = estimate(view, target, state);
                self.scale.to_f64(Cost::new(value.units().saturating_sub(first.units())))
            });
            events.push(Event::new(EventKind::Learn, state.number(), state.number(), more as f32));
        }
    }

    /// All states that something was ever learned of, where values may be gone, or are about another target.
    fn tell_all_learned(&mut self, view: View<'_>, events: &mut Vec<Event>) {
        let mut states: Vec<StateId> = self.learned.keys().copied().collect();
        states.sort_unstable();
        let mut held: HashMap<StateId, Cost> = HashMap::new();
        self.agent.tell_held(view, &states, &mut |told| {
            if let Held::Learned { state, value } = told {
                held.insert(state, value);
            }
        });
        for state in states {
            self.tell_learned(view, state, held.get(&state).copied(), events);
        }
    }

    /// The plan, if it is not the rest of what was told.
    fn tell_plan(&mut self, plan: Vec<StateId>, events: &mut Vec<Event>) {
        let is_rest = self.plan.ends_with(&plan) && (!plan.is_empty() || self.plan.len() <= 1);
        if !is_rest {
            let at = self.agent.state();
            let first = Event::new(EventKind::Plan, at.number(), at.number(), 0.0);
            events.push(first);
            let mut from = at;
            for &state in plan.iter().filter(|state| **state != at) {
                events.push(Event::new(EventKind::Plan, state.number(), from.number(), 0.0));
                from = state;
            }
        }
        self.plan = plan;
    }

    /// The agent.
    pub fn agent(&self) -> &dyn Agent {
        &*self.agent
    }

    /// How it ended, once it has.
    pub fn ended(&self) -> Option<Step> {
        self.end
    }

    /// What a step takes.
    pub fn limits(&self) -> Limits {
        self.agent.limits()
    }

    /// Where it began.
    pub fn start(&self) -> StateId {
        self.start
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Moves so far.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// What they cost, as users see costs.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// Units taken so far.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// The most that a step has taken so far.
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// States that its searches expanded, as far as they are told of.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Events that were too many for a step.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// What was told of what it has seen: whether each state is free.
    pub fn seen(&self) -> impl Iterator<Item = (StateId, bool)> {
        self.seen.iter().map(|(state, is_free)| (*state, *is_free))
    }

    /// Whether a state was seen to be free; none if it was not seen.
    pub fn has_seen(&self, state: StateId) -> Option<bool> {
        self.seen.get(&state).copied()
    }

    /// The value that was told to have been learned of a state, on the scale of the map.
    pub fn learned(&self, state: StateId) -> Option<Cost> {
        self.learned.get(&state).copied().flatten()
    }

    /// How its last search, or the one that it goes on with, has reached a state.
    pub fn reached(&self, state: StateId) -> Option<Reached> {
        let [way, _] = self.scratch.watch.as_ref()?.lock().ways(state.number());
        let nodes = self.scratch.local.nodes();
        let looked = nodes.iter().find(|node| node.state == state).map(|node| {
            let from = nodes.get(node.parent as usize).map_or(state, |parent| parent.state).number();
            Way { g: node.g.units(), h: node.h.units(), from, is_closed: node.is_closed }
        });
        way.or(looked).map(|way| Reached::new(way, self.scale))
    }

    /// How far what it heads for seems from a state before anything is learned; nothing as long as no value was learned.
    pub fn first_estimate(&self, atlas: &Atlas, state: StateId) -> Option<f64> {
        let sensor = self.sensor(atlas, &self.known);
        let view = view(atlas, &sensor);
        self.target.map(|target| self.scale.to_f64(estimate(view, target, state)))
    }

    /// What it holds of a state in memory, as the agent tells it.
    pub fn tell_held_of(&self, atlas: &Atlas, state: StateId, tell: &mut dyn FnMut(Held)) {
        let sensor = self.sensor(atlas, &self.known);
        self.agent.tell_held(view(atlas, &sensor), &[state], tell);
    }

    /// Memory that the agent holds.
    pub fn bytes(&self) -> usize {
        self.agent.bytes()
    }

    /// Memory that watching it takes.
    pub fn watch_bytes(&self) -> usize {
        let states = self.seen.capacity() + self.pointers.capacity();
        states * 12 + self.learned.capacity() * 24 + self.plan.capacity() * 4 + self.scratch.bytes()
    }
}

fn view<'a>(atlas: &'a Atlas, sensor: &'a Option<MapSensor<'a>>) -> View<'a> {
    match sensor {
        Some(sensor) => View::Sensor(sensor),
        None => View::Map(atlas),
    }
}

/// The scale of the costs that are told. What is believed of a mesh is a graph, whose costs are those of the mesh.
fn scale(atlas: &Atlas, view: View<'_>) -> CostScale {
    match view {
        View::Sensor(sensor) if atlas.space().as_mesh().is_none() => sensor.prior().scale(),
        _ => atlas.space().scale(),
    }
}

/// How far a target seems over open ground, before any link was seen.
fn estimate(view: View<'_>, target: StateId, state: StateId) -> Cost {
    match view {
        View::Map(atlas) => atlas.space().problem(target).estimate(state),
        View::Sensor(sensor) => sensor.prior().any_target(&Belief::new(), target).estimate(state),
    }
}
