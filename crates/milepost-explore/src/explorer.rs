//! The explorer: what a page has opened and begun, and who answers which message.

use crate::edits::Brush;
use crate::fault::Fault;
use crate::listener::{Clock, Listener, Tell};
use crate::maps::Map;
use crate::message::{Answer, Fields, Message, framed, missing, wrong};
use crate::run::{Run, Slice, scene};
use crate::trace::{TraceFormat, TraceWriter};
use crate::walker::Play;
use crate::{batch, index, open, places, probe, registry};
use milepost::{Place, Scratch};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What one page may hold and ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Events of a run; the rest is counted.
    pub events: u64,
    /// Columns and rows of a map of cells.
    pub side: u32,
    /// Bytes of a file.
    pub bytes: usize,
    /// Runs; the one that was begun first is dropped for one more.
    pub runs: usize,
    /// Maps; the one that was opened first is dropped for one more.
    pub maps: usize,
}

/// The limits of every page.
pub const LIMITS: Limits = Limits { events: 4_000_000, side: 8192, bytes: 256 << 20, runs: 64, maps: 16 };

/// The engine of one page: its maps and runs.
#[derive(Default)]
pub struct Explorer {
    given: Option<(String, Arc<[u8]>)>,
    maps: BTreeMap<u64, Map>,
    runs: BTreeMap<u64, Run>,
    /// One of the runs once more, as far as the page shows it, for questions about a state then.
    echo: Option<(u64, Play)>,
    /// What the best path of the last problem costs: map, version and ends.
    last_optimum: Option<(u64, u64, [Place; 2], Option<f64>)>,
    /// The number of the last map or run.
    last: u64,
    scratch: Scratch,
}

impl std::fmt::Debug for Explorer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Explorer").field("maps", &self.maps.len()).field("runs", &self.runs.len()).finish()
    }
}

impl Explorer {
    /// An explorer with nothing open.
    pub fn new() -> Explorer {
        Explorer::default()
    }

    /// The same with a file that the command was started with: `hello` offers it, and `open` opens it. Pages share its bytes.
    pub fn with_file(self, name: &str, bytes: Arc<[u8]>) -> Explorer {
        Explorer { given: Some((name.to_owned(), bytes)), ..self }
    }

    /// Answers one message. `clock` tells milliseconds that never go back; `tell` takes the bytes of finished messages, the answer
    /// last, and says whether the page is still there: if not, the work stops. Whatever the bytes are, there is an answer.
    pub fn answer(
        &mut self,
        message: &[u8],
        clock: &(dyn Fn() -> f64 + Sync),
        tell: &mut (dyn FnMut(Vec<u8>) -> bool + Send),
    ) {
        let read = Message::read(message);
        let id = read.as_ref().map_or(Value::Null, Message::id);
        let answered = read.and_then(|message| self.answered(&message, clock, tell));
        tell(match answered {
            Ok(answer) => answer.bytes(&id),
            Err(fault) => framed(&fault.header(&id)),
        });
    }

    /// Memory held for maps and runs; a file that pages share is not counted.
    pub fn bytes(&self) -> usize {
        let maps: usize = self.maps.values().map(Map::bytes).sum();
        let runs: usize = self.runs.values().map(Run::bytes).sum();
        maps + runs + self.echo.as_ref().map_or(0, |(_, play)| play.bytes()) + self.scratch.bytes()
    }

    fn answered(&mut self, message: &Message<'_>, clock: Clock<'_>, tell: Tell<'_>) -> Result<Answer, Fault> {
        let fields = message.fields();
        let listener = Listener::new(message.id(), clock, tell);
        match fields.needed_text("op")?.as_str() {
            "hello" => Ok(registry::hello(self.given.as_ref().map(|(name, _)| name.as_str()))),
            "open" => self.open(message),
            "problems" => self.problems(&fields),
            "edit" => self.edit(&fields),
            "near" => places::near(self.map(&fields)?.1, &fields),
            "path" => {
                let id = fields.needed_number("map")?;
                let map = self.maps.get(&id).ok_or_else(|| no_map(id))?;
                let (answer, ends, cost) = places::path(map, &fields, &mut self.scratch, clock)?;
                self.last_optimum = Some((id, map.version, ends, cost));
                Ok(answer)
            }
            "run" => self.run(&fields),
            "compare" => self.compare(&fields),
            "advance" => {
                let id = fields.needed_number("run")?;
                let slice = Slice::read(&fields)?;
                let run = self.runs.get_mut(&id).ok_or_else(|| no_run(id))?;
                Ok(run.advance(id, slice, clock))
            }
            "probe" => self.probe(&fields, clock),
            "index" => self.index(&fields, listener),
            "batch" => {
                let id = fields.needed_number("map")?;
                let map = self.maps.get(&id).ok_or_else(|| no_map(id))?;
                batch::batch(map, &fields, &mut self.scratch, listener)
            }
            "trace" => self.trace(&fields, listener),
            "drop" => self.drop_all(&fields),
            op => Err(Fault::new(
                format!("there is no message `{}`", op.chars().take(40).collect::<String>()),
                "reload the page: page and engine do not fit together",
            )),
        }
    }

    /// The map that a message names, and its number.
    fn map(&self, fields: &Fields<'_>) -> Result<(u64, &Map), Fault> {
        let id = fields.needed_number("map")?;
        self.maps.get(&id).map(|map| (id, map)).ok_or_else(|| no_map(id))
    }

    fn next_id(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn open(&mut self, message: &Message<'_>) -> Result<Answer, Fault> {
        let fields = message.fields();
        if open::is_scenario(&fields)? {
            let id = fields.number("map")?.ok_or_else(|| {
                Fault::new(
                    "a file of problems needs its map",
                    "open the map first, then drop this file again",
                )
            })?;
            let map = self.maps.get_mut(&id).ok_or_else(|| no_map(id))?;
            open::add_problems(map, message)?;
            return Ok(Answer::new(json!({ "map": id, "kind": "problems", "problems": map.problems.len() })));
        }
        let given = self.given.as_ref().map(|(name, bytes)| (name.as_str(), &bytes[..]));
        let map = open::open(message, given)?;
        while self.maps.len() >= LIMITS.maps {
            self.maps.pop_first();
        }
        let id = self.next_id();
        let answer = map.told(id);
        self.maps.insert(id, map);
        Ok(answer)
    }

    fn problems(&self, fields: &Fields<'_>) -> Result<Answer, Fault> {
        let (_, map) = self.map(fields)?;
        let from = fields.number("from")?.unwrap_or(0);
        let count = fields.number("count")?.unwrap_or(100).min(10_000);
        let (from, count) = (usize::try_from(from).unwrap_or(usize::MAX), count as usize);
        let listed = map.problems.iter().skip(from).take(count);
        let problems: Vec<Value> =
            listed.map(|(start, goal, cost)| json!([start.number(), goal.number(), cost])).collect();
        Ok(Answer::new(json!({ "problems": problems, "all": map.problems.len() })))
    }

    fn edit(&mut self, fields: &Fields<'_>) -> Result<Answer, Fault> {
        let (id, map) = self.map(fields)?;
        let mut brushes = Brush::read(map, fields)?;
        for edit in fields.list("edits")? {
            let edit = Fields::of(edit).ok_or_else(|| wrong("edits", "a list of objects", edit))?;
            brushes.extend(Brush::read(map, &edit)?);
        }
        if brushes.is_empty() {
            return Err(missing("edits", "a list of {cells, to}"));
        }
        let map = self.maps.get_mut(&id).ok_or_else(|| no_map(id))?;
        map.edit(&brushes)?;
        Ok(Answer::new(json!({
            "map": id,
            "version": map.version,
            "free": milepost::SpaceKind::states(&**map.space()),
            "hash": format!("{:016x}", milepost::SpaceKind::hash(&**map.space())),
            "indexes": map.indexes(),
        })))
    }

    /// Keeps a run, and gives it a number.
    fn keep(&mut self, run: Run) -> u64 {
        while self.runs.len() >= LIMITS.runs {
            self.runs.pop_first();
        }
        let id = self.next_id();
        self.runs.insert(id, run);
        id
    }

    /// What the best path of a problem costs.
    fn optimum(&mut self, fields: &Fields<'_>) -> Result<Option<f64>, Fault> {
        let id = fields.needed_number("map")?;
        let map = self.maps.get(&id).ok_or_else(|| no_map(id))?;
        let (start, goal) = (places::place(map, fields, "start")?, places::place(map, fields, "goal")?);
        if let Some((of, version, ends, cost)) = self.last_optimum
            && (of, version, ends) == (id, map.version, [start, goal])
        {
            return Ok(cost);
        }
        let cost = places::optimum(map, start, goal, &mut self.scratch);
        self.last_optimum = Some((id, map.version, [start, goal], cost));
        Ok(cost)
    }

    fn run(&mut self, fields: &Fields<'_>) -> Result<Answer, Fault> {
        let optimum = self.optimum(fields)?;
        let (map_id, map) = self.map(fields)?;
        let run = Run::begin(map_id, scene(map, fields, fields)?, optimum)?;
        let id = self.keep(run);
        Ok(self.runs[&id].told(id))
    }

    fn compare(&mut self, fields: &Fields<'_>) -> Result<Answer, Fault> {
        let lanes = fields.list("lanes")?;
        if lanes.is_empty() || lanes.len() > 4 {
            return Err(Fault::new(format!("a comparison of {} lanes", lanes.len()), "compare one to four"));
        }
        let optimum = self.optimum(fields)?;
        let mut begun = Vec::new();
        for lane in lanes {
            let lane = Fields::of(lane).ok_or_else(|| wrong("lanes", "a list of objects", lane))?;
            let (map_id, map) = self.map(fields)?;
            begun.push(Run::begin(map_id, scene(map, fields, &lane)?, optimum)?);
        }
        let ids: Vec<u64> = begun.into_iter().map(|run| self.keep(run)).collect();
        let runs: Vec<Value> = ids.iter().map(|id| self.runs[id].header(*id)).collect();
        Ok(Answer::new(json!({ "runs": runs })))
    }

    fn probe(&mut self, fields: &Fields<'_>, clock: Clock<'_>) -> Result<Answer, Fault> {
        let (map_id, map) = self.map(fields)?;
        let cell = fields.get("cell").ok_or_else(|| missing("cell", "the number of a state"))?;
        let asked = probe::Asked { state: open::state(map, "cell", cell)?, node: fields.number("node")? };
        let Some(id) = fields.number("run")? else { return probe::probe(map, None, asked) };
        let run = self.runs.get(&id).ok_or_else(|| no_run(id))?;
        let now = run.play.steps();
        let at = fields.number("at")?.unwrap_or(now).min(now);
        if at == now {
            return probe::probe(map, Some(&run.play), asked);
        }
        // The run stands at its end: it goes the same way again, as far as the page shows it.
        let echo = match self.echo.take() {
            Some((of, echo)) if of == id && echo.steps() <= at => echo,
            _ => run.play.scene.begin()?,
        };
        let (_, echo) = self.echo.insert((id, echo));
        let (begin, mut events) = (clock(), Vec::new());
        while echo.steps() < at && (echo.steps() % EVERY != 0 || clock() - begin < ECHO_MS) {
            echo.step(&mut events);
            events.clear();
        }
        let map = self.maps.get(&map_id).ok_or_else(|| no_map(map_id))?;
        let is_there = echo.steps() == at;
        Ok(probe::probe(map, is_there.then_some(&*echo), asked)?.with("late", !is_there))
    }

    fn index(&mut self, fields: &Fields<'_>, listener: Listener<'_>) -> Result<Answer, Fault> {
        let (id, map) = self.map(fields)?;
        let indexes = index::named(map, fields)?;
        if fields.flag("estimate") {
            return index::estimated(map, &indexes);
        }
        let (begin, clock) = (listener.now(), listener.clock());
        let built = index::built(map.atlas(), &indexes, listener)?;
        let map = self.maps.get_mut(&id).ok_or_else(|| no_map(id))?;
        map.ground.set_indexes(built);
        let sections = map.atlas().sections().iter();
        let bytes: usize = sections.map(|section| section.bytes().len()).sum();
        Ok(Answer::new(json!({ "map": id, "indexes": map.indexes(), "bytes": bytes, "ms": clock() - begin })))
    }

    /// The scene of a run from its beginning, as it is deterministic, as a trace.
    fn trace(&self, fields: &Fields<'_>, mut listener: Listener<'_>) -> Result<Answer, Fault> {
        let id = fields.needed_number("run")?;
        let run = self.runs.get(&id).ok_or_else(|| no_run(id))?;
        let format = match fields.text("format")?.as_deref() {
            None | Some("json") => TraceFormat::Json,
            Some("yaml") => TraceFormat::Yaml,
            Some(other) => return Err(wrong("format", "`json` or `yaml`", &json!(other))),
        };
        let most = fields.number("events")?.unwrap_or(100_000).min(1_000_000);
        let mut play = run.play.scene.begin()?;
        let mut writer = TraceWriter::new(play.atlas().space(), play.nodes(), play.ends(), most as usize);
        let mut events = Vec::new();
        while play.done().is_none() && play.steps() < TRACE_STEPS {
            let steps = play.steps();
            if steps % EVERY == 0 && !listener.hears("steps", steps, run.play.steps().max(steps)) {
                return Err(Fault::new("the trace was stopped", "ask for it again"));
            }
            events.clear();
            play.step(&mut events);
            writer.add(play.atlas().space(), &events);
        }
        let (text, left) = writer.finish(format);
        let map = self.maps.get(&run.map).map_or("map", |map| map.name.as_str());
        let name = format!("{}-{}{}", plain(map), plain(&play.scene.text), format.ending());
        Ok(Answer::new(json!({ "name": name, "left": left })).with_block("trace", text.into_bytes()))
    }

    fn drop_all(&mut self, fields: &Fields<'_>) -> Result<Answer, Fault> {
        for run in fields.list("runs")?.iter().filter_map(Value::as_u64) {
            self.runs.remove(&run);
            self.echo.take_if(|(of, _)| *of == run);
        }
        for map in fields.list("maps")?.iter().filter_map(Value::as_u64) {
            self.maps.remove(&map);
        }
        Ok(Answer::new(json!({})))
    }
}

/// Steps of a run that a trace is made of at most, and after how many the page is asked whether it is still there.
const TRACE_STEPS: u64 = 4_000_000;
const EVERY: u64 = 64;

/// A question about an earlier step goes on for so many milliseconds at once: the page asks again if it still wants to know.
const ECHO_MS: f64 = 60.0;

/// A text as a part of a file's name.
fn plain(text: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    text.chars().take(60).map(letter).collect()
}

fn no_map(id: u64) -> Fault {
    Fault::new(format!("there is no map {id}"), "open it again")
}

fn no_run(id: u64) -> Fault {
    Fault::new(format!("there is no run {id}"), "run it again")
}
