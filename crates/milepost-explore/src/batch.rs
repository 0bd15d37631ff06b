//! `batch`: several algorithms on the same random problems, for a chart of cost against work.

use crate::fault::Fault;
use crate::listener::Listener;
use crate::maps::Map;
use crate::message::{Answer, Fields, wrong};
use crate::places::optimum;
use crate::run::scene;
use milepost::space::RandomPairs;
use milepost::{Place, Scratch};
use serde_json::{Map as Object, Value, json};

/// Problems and lanes that one batch has at most, and steps of one run.
const MOST_PROBLEMS: u64 = 500;
const MOST_LANES: usize = 8;
const MOST_STEPS: u64 = 2_000_000;

/// Steps after which the page is asked whether it is still there.
const EVERY: u64 = 64;

/// Runs every lane on every problem.
pub(crate) fn batch(
    map: &Map,
    fields: &Fields<'_>,
    scratch: &mut Scratch,
    mut listener: Listener<'_>,
) -> Result<Answer, Fault> {
    let lanes = fields.list("lanes")?;
    if lanes.is_empty() || lanes.len() > MOST_LANES {
        return Err(Fault::new(
            format!("a batch of {} lanes", lanes.len()),
            format!("take one to {MOST_LANES}"),
        ));
    }
    let count = fields.number("count")?.unwrap_or(20).min(MOST_PROBLEMS);
    let none = || Fault::new("no two states of this map can reach each other", "open some ground first");
    let mut pairs = RandomPairs::new(map.space(), fields.number("seed")?.unwrap_or(1)).ok_or_else(none)?;
    let mut rows = Vec::new();
    for done in 0..count {
        let (start, goal) = pairs.draw();
        let best = optimum(map, Place::State(start), Place::State(goal), scratch);
        let mut problem = Object::new();
        problem.insert("start".to_owned(), json!(start.number()));
        problem.insert("goal".to_owned(), json!(goal.number()));
        let problem = Value::Object(problem);
        let ends = Fields::of(&problem).ok_or_else(none)?;
        for (number, lane) in lanes.iter().enumerate() {
            let lane = Fields::of(lane).ok_or_else(|| wrong("lanes", "a list of objects", lane))?;
            let (scene, _) = scene(map, &ends, &lane)?;
            let begin = listener.now();
            let mut play = scene.begin()?;
            let mut events = Vec::new();
            while play.done().is_none() && play.steps() < MOST_STEPS {
                if play.steps() % EVERY == 0 && !listener.hears("problems", done, count) {
                    return Err(Fault::new("the batch was stopped", "ask for it again"));
                }
                events.clear();
                play.step(&mut events);
            }
            let cost = play.cost().filter(|_| play.done() == Some("found"));
            rows.push(
                json!({ "lane": number, "problem": done, "start": start.number(), "goal": goal.number(),
                "cost": cost, "optimum": best, "work": play.units(), "largest": play.largest(),
                "steps": play.steps(), "moves": play.moves(), "done": play.done(), "ms": listener.now() - begin }),
            );
        }
    }
    Ok(Answer::new(json!({ "rows": rows })))
}
