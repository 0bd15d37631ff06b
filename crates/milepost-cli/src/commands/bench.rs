//! `milepost bench`: all planners on the same problems.

use crate::args::{BenchArgs, Check, Globals};
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
    // Wrong names are refused before a map is read.
    let named = args.planners.as_ref().map(|list| list.iter().map(|text| names::planner(text)).collect());
    let named: Option<Vec<names::Named>> = named.transpose()?;
    pool::start_threads(globals)?;
    let mut world = World::open(globals, &args.map)?;
    let planners = names::prepare(&mut world, named)?;
    let problems = Problems::open(&args.scen, &world, args.every, args.limit)?;
    if args.check == Check::Scen && !problems.are_listed() {
        let message = format!("{}: the file lists no lengths; try --check exact", args.scen.display());
        return Err(Failure::usage("no_lengths", message));
    }
    let race = Race::new(&world, &problems, &planners, args.check);
    Ok(Answer::new(globals.json, &Document::new(&race), || show(&race)).negative_if(race.is_negative()))
}
