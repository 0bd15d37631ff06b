//! `run`, `compare` and `advance`: a planner, agent or scout on its way, step by step.

use crate::explorer::LIMITS;
use crate::fault::Fault;
use crate::maps::Map;
use crate::message::{Answer, Fields, block_of_f32};
use crate::places::place;
use crate::registry::{UNIT, planner_layers};
use crate::text::text;
use milepost::catalog::{self, PLANNERS, PlannerEntry};
use milepost::observe::{Event, PlannerRun};
use milepost::plan::Refusal;
use milepost::{Atlas, Outcome, Place};
use serde_json::{Value, json};

/// What runs, and on which map.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub(crate) map: u64,
    /// As it is typed at the command.
    pub(crate) text: String,
    pub(crate) family: &'static str,
    pub(crate) start: Place,
    pub(crate) goal: Place,
    layers: Vec<&'static str>,
    bound: Option<u64>,
    /// The cost of the best path on the map as it is at the beginning.
    optimum: Option<f64>,
}

/// A run.
pub(crate) struct Run {
    pub(crate) spec: Spec,
    /// The map as it is by now.
    pub(crate) atlas: Atlas,
    walker: PlannerRun,
    steps: u64,
    written: u64,
    left: u64,
}

/// How far a run may go on in one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    steps: u64,
    units: u64,
    events: u64,
    ms: f64,
}

/// Events that one answer holds at most, and steps.
const MOST_IN_ANSWER: u64 = 1_000_000;

impl Slice {
    /// What a message allows.
    pub(crate) fn read(fields: &Fields<'_>) -> Result<Slice, Fault> {
        Ok(Slice {
            steps: fields.number("steps")?.unwrap_or(MOST_IN_ANSWER).min(MOST_IN_ANSWER),
            units: fields.number("units")?.unwrap_or(u64::MAX),
            events: fields.number("events")?.unwrap_or(MOST_IN_ANSWER).min(MOST_IN_ANSWER),
            ms: fields.decimal("ms")?.unwrap_or(f64::INFINITY),
        })
    }
}

/// Why an algorithm does not work here; with the indexes that would help, if that is all.
pub(crate) fn refused(
    atlas: &Atlas,
    text: &str,
    refusal: Refusal,
    needs: &[milepost::index::IndexSpec],
) -> Fault {
    let say = refusal.said_of(&format!("`{text}`"));
    match refusal {
        Refusal::NoIndex(_) => {
            let missing = needs.iter().filter(|index| !atlas.has(**index)).map(ToString::to_string).collect();
            Fault::new(say, "build the index, or choose another algorithm").needing(missing)
        }
        Refusal::Rule(_) => Fault::new(say, "choose another rule for moves, or another algorithm"),
        _ => Fault::new(say, "choose another algorithm, or another map"),
    }
}

/// Begins what `lane` says on a map. `optimum` is that of the problem.
pub(crate) fn begin(
    map: &Map,
    (map_id, message, lane): (u64, &Fields<'_>, &Fields<'_>),
    optimum: Option<f64>,
) -> Result<Run, Fault> {
    let name = lane.needed_text("algorithm")?;
    let family = lane.text("family")?.unwrap_or_else(|| "planner".to_owned());
    let (start, goal) = (place(map, message, "start")?, place(map, message, "goal")?);
    let params = lane.object("params")?;
    let unknown = |kind: &str| Fault::new(format!("there is no {kind} `{name}`"), "choose one from the list");
    match family.as_str() {
        "planner" => {
            let is_named = |entry: &&PlannerEntry| name.split(':').next() == Some(entry.name);
            let entry = PLANNERS.iter().find(is_named).ok_or_else(|| unknown("planner"))?;
            let text = text(&name, entry.parameters, params)?;
            let planner =
                catalog::planner(&text).map_err(|error| Fault::new(error, "change the parameters"))?;
            if let Some(refusal) = planner.refusal(&map.atlas) {
                return Err(refused(&map.atlas, &text, refusal, planner.needs()));
            }
            let walker = PlannerRun::new(planner, &map.atlas, start, goal);
            let layers = planner_layers(entry);
            let spec =
                Spec { map: map_id, text, family: "planner", start, goal, layers, bound: None, optimum };
            Ok(Run { spec, atlas: map.atlas.clone(), walker, steps: 0, written: 0, left: 0 })
        }
        _ => {
            Err(Fault::new(format!("there is no family `{family}`"), "families are planner, agent and scout"))
        }
    }
}

impl Run {
    /// What `run` answers.
    pub(crate) fn told(&self, id: u64) -> Answer {
        let answer = Answer::new(self.header(id));
        match self.walker.nodes(&self.atlas) {
            None => answer.with("nodes", Value::Null),
            Some(nodes) => {
                let positions = nodes.iter().flat_map(|at| [at.x as f32, at.y as f32]);
                answer.with("nodes", json!({ "dims": 2 })).with_block("positions", block_of_f32(positions))
            }
        }
    }

    /// The same without blocks.
    pub(crate) fn header(&self, id: u64) -> Value {
        json!({
            "run": id,
            "algorithm": self.spec.text,
            "family": self.spec.family,
            "unit": UNIT,
            "bound": self.spec.bound,
            "layers": self.spec.layers,
            "optimum": self.spec.optimum,
            "needs": Value::Null,
        })
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.walker.bytes()
    }

    /// `advance`.
    pub(crate) fn advance(&mut self, id: u64, slice: Slice, clock: &dyn Fn() -> f64) -> Answer {
        let (begin, units) = (clock(), self.walker.units());
        let (mut events, mut table): (Vec<Event>, Vec<f64>) = (Vec::new(), Vec::new());
        let (mut bytes, mut steps, mut written) = (Vec::new(), 0, 0);
        while self.walker.outcome().is_none()
            && steps < slice.steps
            && self.walker.units() - units < slice.units
            && written < slice.events
            && (steps % 64 != 0 || clock() - begin < slice.ms)
        {
            events.clear();
            self.walker.step(&self.atlas, &mut events);
            steps += 1;
            self.steps += 1;
            for event in &events {
                if self.written >= LIMITS.events {
                    self.left += 1;
                    continue;
                }
                self.written += 1;
                written += 1;
                write_event(event, &mut bytes);
            }
            let cost = self.cost().unwrap_or(0.0);
            table.extend([
                self.written as f64,
                self.walker.units() as f64,
                cost,
                self.walker.expanded() as f64,
            ]);
        }
        let done = self.walker.outcome().map(|outcome| match outcome {
            Outcome::Found { .. } => "found",
            Outcome::Unreachable => "unreachable",
            _ => "gave up",
        });
        let mut answer = Answer::new(json!({
            "run": id,
            "done": done,
            "summary": {
                "cost": self.cost(),
                "steps": self.steps,
                "work": self.walker.units(),
                "expansions": self.walker.expanded(),
                "largest": self.walker.largest(),
                "memory": self.walker.bytes(),
                "events": self.written,
                "left": self.left,
                "moves": 0,
            },
        }));
        answer = answer
            .with_block("events", bytes)
            .with_block("steps", table.into_iter().flat_map(f64::to_le_bytes).collect());
        if done == Some("found") {
            let points = self.walker.path().points().iter().flat_map(|at| [at.x as f32, at.y as f32]);
            answer = answer.with_block("points", block_of_f32(points));
        }
        answer
    }

    /// What the path costs, once it is known.
    fn cost(&self) -> Option<f64> {
        let path = self.walker.path();
        let is_found = matches!(self.walker.outcome(), Some(Outcome::Found { .. }));
        is_found.then(|| path.pulled_cost().unwrap_or_else(|| path.cost_f64()))
    }
}

/// Sixteen bytes.
pub(crate) fn write_event(event: &Event, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&event.kind.number().to_le_bytes());
    bytes.extend_from_slice(&event.cell.to_le_bytes());
    bytes.extend_from_slice(&event.from.to_le_bytes());
    bytes.extend_from_slice(&event.value.to_le_bytes());
}
