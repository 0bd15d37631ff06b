//! Traces in the format of Posthoc, the search visualiser, version 1.4.0: what a planner, agent or scout did as a file that it shows.
//!
//! A trace is a document with `version`, `views` and `events`. An event has a `type` (`source`, `destination`, `generating`,
//! `updating`, `expanding`, `closing`, `end`), an `id`, and, where it comes from another state, that one's id as `pId`; then where it lies
//! and `f`, `g`, `h` as far as they are known. What is too much is left out at the end, and counted; `end` is always there.
//!
//! | here | `type` |
//! |---|---|
//! | opened, a jump with its line | `generating` |
//! | a better way | `updating` |
//! | expanded, looked at | `expanding`, and `closing` when the next one is |
//! | moved | `expanding`; a state that the agent comes back to, too |
//! | learned | `updating`, with the value as `h` |
//! | seen to be blocked, closed by an edit | `closing` |

use milepost::observe::{Event, EventKind};
use milepost::{Position, Space, StateId};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// The version of the format.
pub const VERSION: &str = "1.4.0";

/// How a trace is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceFormat {
    /// `NAME.trace.json`.
    Json,
    /// `NAME.trace.yaml`.
    Yaml,
}

impl TraceFormat {
    /// The format that the name of a file stands for: it must end in `.trace.json` or `.trace.yaml`.
    pub fn named(name: &str) -> Option<TraceFormat> {
        let name = name.to_ascii_lowercase();
        match () {
            () if name.ends_with(".trace.json") => Some(TraceFormat::Json),
            () if name.ends_with(".trace.yaml") => Some(TraceFormat::Yaml),
            () => None,
        }
    }

    /// The ending of files.
    pub fn ending(self) -> &'static str {
        match self {
            TraceFormat::Json => ".trace.json",
            TraceFormat::Yaml => ".trace.yaml",
        }
    }
}

/// A trace that is being written down.
#[derive(Clone, Debug)]
pub struct TraceWriter {
    shape: Shape,
    /// Where the nodes of a search over portals lie.
    nodes: Option<Vec<Position>>,
    positions: HashMap<u32, Position>,
    events: Vec<Value>,
    most: usize,
    left: u64,
    /// States that an event was written of.
    known: HashSet<u32>,
    parents: HashMap<u32, u32>,
    costs: HashMap<u32, (f64, f64)>,
    expanding: Option<u32>,
    end: Option<Value>,
}

/// What is drawn for a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Cell,
    Place,
}

impl TraceWriter {
    /// A trace on a space, from one state to another, of at most so many events. Where the search has nodes of its own, they lie
    /// at `nodes`.
    pub fn new(
        space: &Space,
        nodes: Option<Vec<Position>>,
        (start, goal): (u32, u32),
        most: usize,
    ) -> TraceWriter {
        let shape = if space.as_grid().is_some() { Shape::Cell } else { Shape::Place };
        let mut writer = TraceWriter {
            shape,
            nodes,
            positions: HashMap::new(),
            events: Vec::new(),
            most: most.max(3),
            left: 0,
            known: HashSet::new(),
            parents: HashMap::new(),
            costs: HashMap::new(),
            expanding: None,
            end: None,
        };
        writer.write(space, "source", start, None, &[]);
        writer.write(space, "destination", goal, None, &[]);
        writer
    }

    /// Takes down what happened, on the map as it was then.
    pub fn add(&mut self, space: &Space, events: &[Event]) {
        for event in events {
            let value = f64::from(event.value);
            let from = Some(event.from).filter(|from| *from != event.cell);
            match event.kind {
                EventKind::Open | EventKind::Better => {
                    let kind = if event.kind == EventKind::Open { "generating" } else { "updating" };
                    self.generate(space, kind, event, from);
                }
                EventKind::Close => {
                    self.close(space);
                    let f = self.costs.get(&event.cell).map_or(value, |(f, _)| *f);
                    let costs = [("f", f), ("g", value), ("h", f - value)];
                    self.write(space, "expanding", event.cell, from, &costs);
                    self.expanding = Some(event.cell);
                }
                EventKind::Look => self.write(space, "expanding", event.cell, from, &[("f", value)]),
                EventKind::Move => self.write(space, "expanding", event.cell, from, &[("g", value)]),
                EventKind::Learn => self.write(space, "updating", event.cell, None, &[("h", value)]),
                EventKind::Hop | EventKind::Record | EventKind::Tree => {
                    self.write(space, "generating", event.cell, from, &[]);
                }
                EventKind::See | EventKind::Edit if event.value == 1.0 => {
                    self.write(space, "closing", event.cell, None, &[]);
                }
                EventKind::End => {
                    self.close(space);
                    let cost = Some(("g", value)).filter(|_| value >= 0.0);
                    // Posthoc draws the path back from here, from parent to parent.
                    let parent = self.parents.get(&event.cell).copied();
                    self.end = Some(self.event(space, "end", event.cell, parent, cost.as_slice()));
                }
                _ => {}
            }
        }
    }

    fn generate(&mut self, space: &Space, kind: &str, event: &Event, from: Option<u32>) {
        let f = f64::from(event.value);
        let step = |from: u32| {
            let cost = space.step_cost(StateId::new(from), StateId::new(event.cell), None)?;
            Some(space.scale().to_f64(cost) + self.costs.get(&from)?.1)
        };
        let g = if self.nodes.is_some() { None } else { from.map_or(Some(0.0), step) };
        self.costs.insert(event.cell, (f, g.unwrap_or(0.0)));
        match g {
            Some(g) => self.write(space, kind, event.cell, from, &[("f", f), ("g", g), ("h", f - g)]),
            None => self.write(space, kind, event.cell, from, &[("f", f)]),
        }
    }

    /// The state that was expanded last is done with.
    fn close(&mut self, space: &Space) {
        if let Some(cell) = self.expanding.take() {
            self.write(space, "closing", cell, None, &[]);
        }
    }

    fn write(&mut self, space: &Space, kind: &str, id: u32, from: Option<u32>, costs: &[(&str, f64)]) {
        // One place is kept for the end.
        if self.events.len() + 1 >= self.most {
            self.left += 1;
            return;
        }
        let event = self.event(space, kind, id, from, costs);
        self.known.insert(id);
        self.parents.extend(from.map(|from| (id, from)));
        self.events.push(event);
    }

    fn event(
        &mut self,
        space: &Space,
        kind: &str,
        id: u32,
        from: Option<u32>,
        costs: &[(&str, f64)],
    ) -> Value {
        let mut event = Map::new();
        event.insert("type".to_owned(), json!(kind));
        event.insert("id".to_owned(), json!(id));
        let from = from.filter(|from| self.known.contains(from));
        if let Some(from) = from {
            event.insert("pId".to_owned(), json!(from));
        }
        let at = self.place(space, id);
        event.insert("x".to_owned(), number(at.x));
        event.insert("y".to_owned(), number(at.y));
        if let Some(from) = from {
            let there = self.place(space, from);
            event.insert("px".to_owned(), number(there.x));
            event.insert("py".to_owned(), number(there.y));
        }
        for (name, value) in costs {
            event.insert((*name).to_owned(), number(*value));
        }
        Value::Object(event)
    }

    fn place(&mut self, space: &Space, id: u32) -> Position {
        if let Some(nodes) = &self.nodes {
            return nodes.get(id as usize).copied().unwrap_or_default();
        }
        *self.positions.entry(id).or_insert_with(|| space.position(StateId::new(id)).unwrap_or_default())
    }

    /// The whole document, and how many events were left out.
    pub fn finish(mut self, format: TraceFormat) -> (String, u64) {
        self.events.extend(self.end.take());
        let views = json!({ "main": self.views() });
        let text = match format {
            TraceFormat::Json => {
                let mut text = format!("{{\"version\": \"{VERSION}\",\n\"views\": {views},\n\"events\": [\n");
                for (place, event) in self.events.iter().enumerate() {
                    let comma = if place + 1 < self.events.len() { "," } else { "" };
                    // A string takes all that is written to it.
                    let _ = writeln!(text, "{event}{comma}");
                }
                text + "]}\n"
            }
            TraceFormat::Yaml => {
                let mut text = format!("version: {VERSION}\nviews:\n  main:\n");
                for view in self.views().as_array().map_or(&[][..], Vec::as_slice) {
                    let _ = writeln!(text, "    - {}", flow(view));
                }
                text += "events:\n";
                for event in &self.events {
                    let _ = writeln!(text, "  - {}", flow(event));
                }
                text
            }
        };
        (text, self.left)
    }

    /// How states and jumps are drawn.
    fn views(&self) -> Value {
        let line = json!({ "$": "path", "points": [
            { "x": "${{ ($.px ?? $.x) + 0.5 }}", "y": "${{ ($.py ?? $.y) + 0.5 }}" },
            { "x": "${{ $.x + 0.5 }}", "y": "${{ $.y + 0.5 }}" } ], "line-width": 0.1, "fill": "${{ color[$.type] }}" });
        match self.shape {
            Shape::Cell => json!([
                { "$": "rect", "x": "${{ $.x }}", "y": "${{ $.y }}", "width": 1, "height": 1,
                  "fill": "${{ color[$.type] }}" },
                line,
            ]),
            Shape::Place => json!([
                { "$": "circle", "x": "${{ $.x }}", "y": "${{ $.y }}", "radius": 0.4,
                  "fill": "${{ color[$.type] }}" },
            ]),
        }
    }
}

/// A number as it is read best: whole ones without decimals, others with few.
fn number(value: f64) -> Value {
    let rounded = (value * 1e4).round() / 1e4;
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 { json!(rounded as i64) } else { json!(rounded) }
}

/// A value in YAML's flow style: JSON, which YAML reads, with plain keys.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| format!("{}: {}", key(name), flow(value));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_lowercase()) => text.clone(),
        other => other.to_string(),
    }
}

/// A key: in quotes where it is no word. A lone `y` is a truth value to some readers.
fn key(name: &str) -> String {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-') && name != "y";
    if is_plain { name.to_owned() } else { format!("\"{name}\"") }
}
