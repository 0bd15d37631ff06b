//! `milepost bench`: all planners and agents on the same problems.

use crate::args::{BenchArgs, Check, Globals};
use crate::benchmark::{self, Benchmark, Document, Problems, Terms, show};
use crate::contestants::Asked;
use crate::edits::Schedule;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::world::World;
use crate::{picture, pool, save};

pub(crate) fn run(globals: &Globals, args: &BenchArgs) -> Result<Answer, Failure> {
    // Wrong names are refused before a map is read.
    let asked = Asked::new(&args.contestants, args.journey.sight)?;
    if args.edits.is_some() && args.check == Check::Scen {
        let message =
            "--check scen: the lengths of the file are those of the map without --edits; try --check exact";
        return Err(Failure::usage("no_lengths", message));
    }
    output::check_files(globals.json, &[args.rows.as_deref(), args.svg.as_deref()])?;
    if let Some(path) = &args.svg {
        picture::check_ending("--svg", "svg", path)?;
    }
    let schedule = Schedule::open(args.edits.as_deref())?;
    pool::start_threads(globals)?;
    let mut world = World::open(globals, &args.map)?;
    if args.check == Check::Scen && world.mesh().is_some() {
        let message = "--check scen: on a mesh every planner is compared with Dijkstra's algorithm over its own nodes; try --check exact";
        return Err(Failure::usage("no_lengths", message));
    }
    let contestants = asked.prepare(&mut world, &schedule)?;
    let problems = Problems::open(&args.scen, &world, (args.every, args.limit), schedule)?;
    if args.check == Check::Scen && !problems.are_listed() {
        let message = format!("{}: the file lists no lengths; try --check exact", args.scen.display());
        return Err(Failure::usage("no_lengths", message));
    }
    let terms = Terms { check: args.check, max_moves: args.journey.max_moves };
    let benchmark = Benchmark::new(&world, &problems, &contestants, terms);
    if let Some(path) = &args.rows {
        save::bytes(path, benchmark::rows(&benchmark).as_bytes())?;
    }
    if let Some(path) = &args.svg {
        let plot = benchmark::plot(&benchmark).map_err(|problem| Failure::unwritable(path, problem))?;
        save::bytes(path, plot.as_bytes())?;
    }
    let text = || show(&benchmark, args.contestants.explain);
    Ok(Answer::new(globals.json, &Document::new(&benchmark), text).negative_if(benchmark.is_negative()))
}
