//! `milepost bench`: all planners and agents on the same problems.

use crate::args::{Check, ContestantArgs, Globals, JourneyArgs, MapArgs};
use crate::benchmark::{self, Benchmark, Document, Problems, Terms, show};
use crate::contestants::Asked;
use crate::edits::Schedule;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::world::World;
use crate::{input, missing, picture, pool, save};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_long_help = crate::benchmark::column_help())]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// The problems: a .scen file, such as `milepost scenarios` makes; for a graph also a .p2p file, which lists no lengths
    #[arg(long, value_name = "FILE")]
    pub(crate) scen: PathBuf,
    #[command(flatten)]
    pub(crate) contestants: ContestantArgs,
    /// Only every K-th problem, beginning with the first
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// At most N problems
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    #[command(flatten)]
    pub(crate) journey: JourneyArgs,
    /// What costs are compared with
    #[arg(long, value_enum, default_value_t = Check::Exact)]
    pub(crate) check: Check,
    /// Edit the map on the way: lines as `milepost repair` reads them, those that begin with `@N` before query N, counted
    /// from 0 after --every and --limit, the others before all of them. Each run begins with the map as it was
    #[arg(long, value_name = "FILE")]
    pub(crate) edits: Option<PathBuf>,
    /// Write a line for each problem of each run, as comma-separated values
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) rows: Option<PathBuf>,
    /// Plot the runs as an .svg file: time against memory, and cost against work
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

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
    missing::check(&args.scen, || how_to_make_problems(args))?;
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

/// The command that makes the problems that are not there. A name with blanks would have to be quoted.
fn how_to_make_problems(args: &BenchArgs) -> String {
    let map = args.map.map.display().to_string();
    let map =
        if input::is_standard(&args.map.map) || map.contains(char::is_whitespace) { "MAP" } else { &map };
    let file = args.scen.with_extension("scen");
    format!("`milepost scenarios {map} --count 100 -o {}` makes problems", file.display())
}
