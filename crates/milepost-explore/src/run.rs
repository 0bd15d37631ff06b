//! `run`, `compare` and `advance`: a scene that a page has begun.

use crate::edits::Brush;
use crate::explorer::LIMITS;
use crate::fault::Fault;
use crate::maps::Map;
use crate::message::{Answer, Fields, block_of_f32, wrong};
use crate::places::place;
use crate::registry::{SIGHT, UNIT, agent_layers, planner_layers};
use crate::text::text;
use crate::walker::{Family, Play, Scene, sight_on};
use milepost::Atlas;
use milepost::agent::{MapSensor, SensorRange, View};
use milepost::catalog::{self, AGENTS, PLANNERS};
use milepost::index::IndexSpec;
use milepost::observe::Event;
use milepost::plan::Refusal;
use serde_json::{Value, json};

/// A run.
pub(crate) struct Run {
    pub(crate) map: u64,
    pub(crate) play: Play,
    layers: Vec<&'static str>,
    /// The cost of the best path on the map as it is at the beginning.
    optimum: Option<f64>,
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

/// Steps before which edits come, at most.
const MOST_EDITS: usize = 10_000;

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
fn refused(atlas: &Atlas, text: &str, refusal: Refusal, needs: &[IndexSpec]) -> Fault {
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

/// How far a scout sees that a message speaks of; none if it does not say.
fn sight(lane: &Fields<'_>, params: Option<Fields<'_>>) -> Result<Option<SensorRange>, Fault> {
    let given = match lane.text("sight")? {
        Some(text) => Some(text),
        None => params.map_or(Ok(None), |params| params.text("sight"))?,
    };
    let Some(given) = given.filter(|text| !text.is_empty()) else { return Ok(None) };
    if given == "lines" {
        return Ok(Some(SensorRange::Lines));
    }
    let radius = given.parse().ok().filter(|radius| (1..=SensorRange::FARTHEST).contains(radius));
    let expected = format!("a whole number from 1 to {}, or `lines`", SensorRange::FARTHEST);
    radius
        .map(|radius| Some(SensorRange::Radius(radius)))
        .ok_or_else(|| wrong("sight", &expected, &json!(given)))
}

/// The edits of a scene, in the order of their steps: those of all lanes, and those of one.
fn edits(map: &Map, [message, lane]: [&Fields<'_>; 2]) -> Result<Vec<(u64, Brush)>, Fault> {
    let (mut edits, all) = (Vec::new(), message.list("edits")?);
    let own = if lane.is(message) { &[] } else { lane.list("edits")? };
    if all.len() + own.len() > MOST_EDITS {
        let say = format!("a scene with {} edits", all.len() + own.len());
        return Err(Fault::new(say, "edit the map itself"));
    }
    for edit in all.iter().chain(own) {
        let fields = Fields::of(edit).ok_or_else(|| wrong("edits", "a list of objects", edit))?;
        let at = fields.number("at")?.unwrap_or(0);
        edits.extend(Brush::read(map, &fields)?.into_iter().map(|brush| (at, brush)));
    }
    edits.sort_by_key(|(at, _)| *at);
    Ok(edits)
}

/// What a lane of a message says is to run on a map, and what is shown of it.
pub(crate) fn scene(
    map: &Map,
    message: &Fields<'_>,
    lane: &Fields<'_>,
) -> Result<(Scene, Vec<&'static str>), Fault> {
    let name = lane.needed_text("algorithm")?;
    let family = lane.text("family")?.unwrap_or_else(|| "planner".to_owned());
    let params = lane.object("params")?;
    let (start, goal) = (place(map, message, "start")?, place(map, message, "goal")?);
    let base = name.split(':').next().unwrap_or_default();
    let unknown = || Fault::new(format!("there is no {family} `{name}`"), "choose one from the list");
    let named_wrong = |error| Fault::new(error, "change the parameters");
    let mut edits = edits(map, [message, lane])?;
    // A planner answers at one moment: what is edited is edited before. So is what comes before the first step.
    let is_before = |at: u64| at == 0 || family == "planner";
    let first: Vec<Brush> =
        edits.iter().filter(|(at, _)| is_before(*at)).map(|(_, brush)| brush.clone()).collect();
    edits.retain(|(at, _)| !is_before(*at));
    let ground = map.ground.edited(&first)?;
    let atlas = ground.atlas();
    let (family, text, layers) = match family.as_str() {
        "planner" => {
            let entry = PLANNERS.iter().find(|entry| entry.name == base).ok_or_else(unknown)?;
            let text = text(&name, entry.parameters, params)?;
            let planner = catalog::planner(&text).map_err(named_wrong)?;
            if let Some(refusal) = planner.refusal(atlas) {
                return Err(refused(atlas, &text, refusal, planner.needs()));
            }
            (Family::Planner, text, planner_layers(entry))
        }
        "agent" | "scout" => {
            let entry = AGENTS.iter().find(|entry| entry.about.name == base).ok_or_else(unknown)?;
            let text = text(&name, &entry.parameters(), params)?;
            let kind = catalog::agent(&text).map_err(named_wrong)?;
            let is_scout = family == "scout";
            let range = sight_on(atlas, sight(lane, params)?, SIGHT);
            let sensor = is_scout.then(|| MapSensor::new(atlas.space(), range));
            let view = sensor.as_ref().map_or(View::Map(atlas), |sensor| View::Sensor(sensor));
            if let Some(refusal) = kind.refusal_in(view) {
                return Err(refused(atlas, &text, refusal, &kind.needs()));
            }
            let family = if is_scout { Family::Scout(range) } else { Family::Agent };
            (family, text, agent_layers(entry, is_scout))
        }
        _ => {
            let say = format!("there is no family `{family}`");
            return Err(Fault::new(say, "families are planner, agent and scout"));
        }
    };
    Ok((Scene { ground, text, family, start, goal, first, edits }, layers))
}

impl Run {
    /// Begins a scene. `optimum` is that of its problem.
    pub(crate) fn begin(
        map: u64,
        (scene, layers): (Scene, Vec<&'static str>),
        optimum: Option<f64>,
    ) -> Result<Run, Fault> {
        Ok(Run { map, play: scene.begin()?, layers, optimum, written: 0, left: 0 })
    }

    /// What `run` answers.
    pub(crate) fn told(&self, id: u64) -> Answer {
        let answer = Answer::new(self.header(id));
        match self.play.nodes() {
            None => answer,
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
            "map": self.map,
            "algorithm": self.play.scene.text,
            "family": self.play.scene.family.name(),
            "unit": UNIT,
            "bound": self.play.bound(),
            "layers": self.layers,
            "optimum": self.optimum,
            "nodes": Value::Null,
            "needs": Value::Null,
        })
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.play.bytes()
    }

    /// `advance`.
    pub(crate) fn advance(&mut self, id: u64, slice: Slice, clock: &dyn Fn() -> f64) -> Answer {
        let (begin, units) = (clock(), self.play.units());
        let (mut events, mut table): (Vec<Event>, Vec<f64>) = (Vec::new(), Vec::new());
        let (mut bytes, mut steps, mut written) = (Vec::new(), 0, 0);
        // A step of an agent may be a whole search, one of a planner is a unit.
        let every = if self.play.agent().is_some() { 1 } else { 64 };
        while self.play.done().is_none()
            && steps < slice.steps
            && self.play.units() - units < slice.units
            && written < slice.events
            && (steps % every != 0 || clock() - begin < slice.ms)
        {
            events.clear();
            self.play.step(&mut events);
            steps += 1;
            for event in &events {
                if self.written >= LIMITS.events {
                    self.left += 1;
                    continue;
                }
                self.written += 1;
                written += 1;
                write_event(event, &mut bytes);
            }
            let (work, cost) = (self.play.units() as f64, self.play.cost().unwrap_or(0.0));
            table.extend([self.written as f64, work, cost, self.play.expanded() as f64]);
        }
        let answer = Answer::new(json!({
            "run": id,
            "done": self.play.done(),
            "why": self.play.why(),
            "summary": self.summary(),
        }));
        let answer = answer
            .with_block("events", bytes)
            .with_block("steps", table.into_iter().flat_map(f64::to_le_bytes).collect());
        match self.play.points() {
            None => answer,
            Some(points) => {
                let points = points.iter().flat_map(|at| [at.x as f32, at.y as f32]);
                answer.with_block("points", block_of_f32(points))
            }
        }
    }

    fn summary(&self) -> Value {
        json!({
            "cost": self.play.cost(),
            "steps": self.play.steps(),
            "work": self.play.units(),
            "expansions": self.play.expanded(),
            "largest": self.play.largest(),
            "memory": self.play.memory(),
            "events": self.written,
            "left": self.left + self.play.left(),
            "moves": self.play.moves(),
        })
    }
}

/// Sixteen bytes.
fn write_event(event: &Event, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&event.kind.number().to_le_bytes());
    bytes.extend_from_slice(&event.cell.to_le_bytes());
    bytes.extend_from_slice(&event.from.to_le_bytes());
    bytes.extend_from_slice(&event.value.to_le_bytes());
}
