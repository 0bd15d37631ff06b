//! A planner, agent or scout on its way, whichever it is; and all that says how to begin it again.

use crate::edits::Brush;
use crate::fault::Fault;
use crate::ground::Ground;
use milepost::agent::SensorRange;
use milepost::catalog;
use milepost::observe::{AgentRun, Event, EventKind, PlannerRun, Reached};
use milepost::{Atlas, Outcome, Place, Position, StateId, Step};

/// What runs from where to where, on which map, and how that changes on the way.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// The map as it is at the beginning.
    pub(crate) ground: Ground,
    /// As it is typed at the command.
    pub(crate) text: String,
    pub(crate) family: Family,
    pub(crate) start: Place,
    pub(crate) goal: Place,
    /// Edits that were made before it begins: the first step tells of them.
    pub(crate) first: Vec<Brush>,
    /// Edits and the step before which each comes, in their order.
    pub(crate) edits: Vec<(u64, Brush)>,
}

/// What kind of algorithm it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Family {
    Planner,
    Agent,
    Scout(SensorRange),
}

impl Family {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Family::Planner => "planner",
            Family::Agent => "agent",
            Family::Scout(_) => "scout",
        }
    }

    /// How far it sees; none if it knows the map.
    pub(crate) fn sight(self) -> Option<SensorRange> {
        if let Family::Scout(range) = self { Some(range) } else { None }
    }
}

/// What is on its way.
enum Walker {
    Planner(Box<PlannerRun>),
    Agent(Box<AgentRun>),
}

/// A scene as far as it has come.
pub(crate) struct Play {
    pub(crate) scene: Scene,
    /// The map as it is by now.
    ground: Ground,
    walker: Walker,
    steps: u64,
    /// Edits that were made.
    edited: usize,
}

impl Scene {
    /// Begins it.
    pub(crate) fn begin(&self) -> Result<Play, Fault> {
        let wrong = |error| Fault::new(error, "change the parameters");
        let (atlas, start, goal) = (self.ground.atlas(), self.start, self.goal);
        let walker = match self.family {
            Family::Planner => {
                let planner = catalog::planner(&self.text).map_err(wrong)?;
                Walker::Planner(Box::new(PlannerRun::new(planner, atlas, start, goal)))
            }
            family => {
                let kind = catalog::agent(&self.text).map_err(wrong)?;
                let (start, goal) = atlas.space().states_between(start, goal);
                let mut run = AgentRun::new(&*kind, atlas, family.sight(), start, goal);
                run.set_known(self.ground.known());
                Walker::Agent(Box::new(run))
            }
        };
        Ok(Play { scene: self.clone(), ground: self.ground.clone(), walker, steps: 0, edited: 0 })
    }
}

impl Play {
    /// One step, before it the edits that come then.
    pub(crate) fn step(&mut self, events: &mut Vec<Event>) {
        self.edit(events);
        self.steps += 1;
        match &mut self.walker {
            Walker::Planner(run) => drop(run.step(self.ground.atlas(), events)),
            Walker::Agent(run) => drop(run.step(self.ground.atlas(), events)),
        }
    }

    /// The map as it is by now, with its indexes.
    pub(crate) fn atlas(&self) -> &Atlas {
        self.ground.atlas()
    }

    fn edit(&mut self, events: &mut Vec<Event>) {
        if self.steps == 0 {
            self.scene.first.iter().for_each(|brush| tell_edit(brush, events));
        }
        while let Some((at, brush)) = self.scene.edits.get(self.edited) {
            if *at > self.steps {
                return;
            }
            self.edited += 1;
            // Nothing is closed where the agent stands.
            let under = if let Walker::Agent(run) = &self.walker { Some(run.agent().state()) } else { None };
            let (mut brush, closes) = (brush.clone(), brush.closes());
            brush.cells.retain(|cell| Some(*cell) != under || !closes);
            let Ok(edited) = self.ground.edited(std::slice::from_ref(&brush)) else { continue };
            self.ground = edited;
            if let Walker::Agent(run) = &mut self.walker {
                run.set_known(self.ground.known());
            }
            tell_edit(&brush, events);
        }
    }

    /// How it ended, once it has.
    pub(crate) fn done(&self) -> Option<&'static str> {
        match &self.walker {
            Walker::Planner(run) => run.outcome().map(|outcome| match outcome {
                Outcome::Found { .. } => "found",
                Outcome::Unreachable => "unreachable",
                _ => "gave up",
            }),
            Walker::Agent(run) => run.ended().map(|step| match step {
                Step::Arrived => "found",
                Step::NoPath => "unreachable",
                _ => "gave up",
            }),
        }
    }

    /// Why it gave up, in words.
    pub(crate) fn why(&self) -> Option<String> {
        let who = format!("`{}`", self.scene.text);
        match &self.walker {
            Walker::Planner(run) => match run.outcome()? {
                Outcome::Refused(refusal) => Some(refusal.said_of(&who)),
                Outcome::IndexDamaged => Some(format!("{who} was led nowhere by an index that was changed")),
                _ => None,
            },
            Walker::Agent(run) => match run.ended()? {
                Step::Refused(refused) => Some(refused.said_of(&who)),
                Step::Stopped => Some(format!("{who} has proved that it walks in a circle")),
                Step::Starved { min_units } => Some(format!("{who} needs {min_units} units a step")),
                _ => None,
            },
        }
    }

    /// What the path costs, or the moves so far.
    pub(crate) fn cost(&self) -> Option<f64> {
        match &self.walker {
            Walker::Planner(run) => {
                let is_found = matches!(run.outcome(), Some(Outcome::Found { .. }));
                is_found.then(|| run.path().pulled_cost().unwrap_or_else(|| run.path().cost_f64()))
            }
            Walker::Agent(run) => Some(run.cost()),
        }
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    pub(crate) fn units(&self) -> u64 {
        match &self.walker {
            Walker::Planner(run) => run.units(),
            Walker::Agent(run) => run.units(),
        }
    }

    pub(crate) fn largest(&self) -> u64 {
        match &self.walker {
            Walker::Planner(run) => run.largest(),
            Walker::Agent(run) => run.largest(),
        }
    }

    pub(crate) fn expanded(&self) -> u64 {
        match &self.walker {
            Walker::Planner(run) => run.expanded(),
            Walker::Agent(run) => run.expanded(),
        }
    }

    pub(crate) fn moves(&self) -> u64 {
        if let Walker::Agent(run) = &self.walker { run.moves() } else { 0 }
    }

    /// Events that were too many for a step.
    pub(crate) fn left(&self) -> u64 {
        if let Walker::Agent(run) = &self.walker { run.left() } else { 0 }
    }

    /// Memory that the algorithm holds.
    pub(crate) fn memory(&self) -> usize {
        match &self.walker {
            Walker::Planner(run) => run.bytes(),
            Walker::Agent(run) => run.bytes(),
        }
    }

    /// Memory that it takes here.
    pub(crate) fn bytes(&self) -> usize {
        let watch = match &self.walker {
            Walker::Planner(run) => run.watch_bytes(),
            Walker::Agent(run) => run.watch_bytes(),
        };
        self.memory() + watch + self.scene.edits.iter().map(|(_, brush)| 4 * brush.cells.len()).sum::<usize>()
    }

    /// The most units that a step takes, if there is such a number.
    pub(crate) fn bound(&self) -> Option<u64> {
        if let Walker::Agent(run) = &self.walker { run.limits().max_units } else { None }
    }

    /// Where the nodes of its search lie, if they are no states.
    pub(crate) fn nodes(&self) -> Option<Vec<Position>> {
        if let Walker::Planner(run) = &self.walker { run.nodes(self.ground.atlas()) } else { None }
    }

    /// Where the path turns, once a planner has found it.
    pub(crate) fn points(&self) -> Option<Vec<Position>> {
        match &self.walker {
            Walker::Planner(run) if self.done() == Some("found") => Some(run.path().points().to_vec()),
            _ => None,
        }
    }

    /// How its search has reached a state or node, from the start and, where it begins at both ends, from the goal.
    pub(crate) fn reached(&self, node: u32) -> [Option<Reached>; 2] {
        match &self.walker {
            Walker::Planner(run) => run.reached(node),
            Walker::Agent(run) => [run.reached(StateId::new(node)), None],
        }
    }

    /// The agent, if it is one.
    pub(crate) fn agent(&self) -> Option<&AgentRun> {
        if let Walker::Agent(run) = &self.walker { Some(&**run) } else { None }
    }
}

/// The places that an edit has changed: states, and edges by their ends.
fn tell_edit(brush: &Brush, events: &mut Vec<Event>) {
    let states = brush.cells.iter().map(|cell| [cell, cell]);
    let ends = states.chain(brush.edges.iter().map(|[from, to]| [from, to]));
    let told =
        |[from, to]: [&StateId; 2]| Event::new(EventKind::Edit, to.number(), from.number(), brush.value());
    events.extend(ends.map(told));
}

/// How far a scout sees on a map.
pub(crate) fn sight_on(atlas: &Atlas, asked: Option<SensorRange>, plain: u32) -> SensorRange {
    match atlas.space().as_grid() {
        Some(_) => asked.unwrap_or(SensorRange::Radius(plain)),
        None => SensorRange::default(),
    }
}

impl Play {
    /// The nodes where it begins and ends.
    pub(crate) fn ends(&self) -> (u32, u32) {
        let (start, goal) = self.ground.space().states_between(self.scene.start, self.scene.goal);
        match self.nodes() {
            // The last two nodes of a search over portals.
            Some(nodes) => (nodes.len() as u32 - 2, nodes.len() as u32 - 1),
            None => (start.number(), goal.number()),
        }
    }
}
