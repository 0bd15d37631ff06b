//! `milepost scenarios`: random problems with exact optimal lengths.

use crate::args::{Globals, ScenariosArgs};
use crate::draw::{self, Drawn, Limits};
use crate::failure::Failure;
use crate::numbers::counted;
use crate::output::Answer;
use crate::pool;
use crate::world::World;
use milepost::files;
use milepost::maps::{ListedLength, Problem, scenario};
use serde::Serialize;
use std::sync::Arc;

#[derive(Serialize)]
struct Document {
    file: String,
    map: String,
    moves: &'static str,
    seed: u64,
    count: usize,
    /// Lengths of the optimal paths.
    min_length: f64,
    mean_length: f64,
    max_length: f64,
}

pub(crate) fn run(globals: &Globals, args: &ScenariosArgs) -> Result<Answer, Failure> {
    let limits = Limits {
        least: args.min_cost.unwrap_or(Limits::NONE.least),
        most: args.max_cost.unwrap_or(Limits::NONE.most),
    };
    if limits.least > limits.most {
        let message = format!("--min-cost {} is more than --max-cost {}", limits.least, limits.most);
        return Err(Failure::usage("usage", message));
    }
    pool::start_threads(globals)?;
    let world = World::open(&args.map, globals.moves)?;
    let drawn = draw::draw(&world, args.count, limits, globals.seed)?;
    let problems = problems(&world, &drawn);
    files::save(&args.output, scenario::write(&problems).as_bytes())?;

    let lengths = || problems.iter().map(|problem| problem.length.value());
    let document = Document {
        file: args.output.to_string_lossy().into_owned(),
        map: world.file_name.clone(),
        moves: world.grid.rule().name(),
        seed: globals.seed,
        count: problems.len(),
        min_length: lengths().fold(f64::INFINITY, f64::min),
        mean_length: lengths().sum::<f64>() / problems.len() as f64,
        max_length: lengths().fold(0.0, f64::max),
    };
    Ok(Answer::new(globals.json, &document, || {
        format!(
            "wrote {}: {} on {}, seed {}, lengths from {:.2} to {:.2}, {:.2} on average\n",
            document.file,
            counted(document.count as u64, "problem"),
            document.map,
            document.seed,
            document.min_length,
            document.max_length,
            document.mean_length
        )
    }))
}

fn problems(world: &World, drawn: &[Drawn]) -> Vec<Problem> {
    let map: Arc<str> = Arc::from(world.file_name.as_str());
    let cell = |state| {
        let at = world.grid.point(state);
        (at.x as u32, at.y as u32)
    };
    let problem = |drawn: &Drawn| {
        let length = world.grid.scale().to_f64(drawn.cost);
        Problem {
            // Four units of length share a bucket; `as` rounds down.
            bucket: (length / 4.0) as u32,
            map: Arc::clone(&map),
            size: Some((world.grid.width(), world.grid.height())),
            start: cell(drawn.start),
            goal: cell(drawn.goal),
            length: ListedLength::computed(length),
            line: 0,
        }
    };
    drawn.iter().map(problem).collect()
}
