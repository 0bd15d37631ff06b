//! `milepost bench`: all planners on the same problems.

use crate::args::{BenchArgs, Globals};
use crate::failure::Failure;
use crate::output::Answer;
use crate::race::{Document, Problems, Race, show};
use crate::world::World;
use crate::{names, pool};

pub(crate) fn run(globals: &Globals, args: &BenchArgs) -> Result<Answer, Failure> {
    if let Some(name) = args.agents.iter().flatten().next() {
        let message = format!("there is no agent `{name}`; there are no agents yet, only planners");
        return Err(Failure::name(message));
    }
    let planners = match &args.planners {
        Some(list) => {
            list.iter().map(|text| names::planner(text, globals.moves)).collect::<Result<_, _>>()?
        }
        None => names::planners(globals.moves)?,
    };
    pool::start_threads(globals)?;
    let world = World::open(&args.map, globals.moves)?;
    let problems = Problems::open(&args.scen, &world, args.every, args.limit)?;
    let race = Race::new(&world, &problems, &planners, args.check);
    Ok(Answer::new(globals.json, &Document::new(&race), || show(&race)).negative_if(race.is_negative()))
}
