//! `milepost bench`: all planners and agents on the same problems.

use crate::agents::{self, NamedAgent};
use crate::args::{BenchArgs, Check, Globals};
use crate::benchmark::{Benchmark, Document, Problems, Terms, show};
use crate::failure::Failure;
use crate::names::{self, Named};
use crate::output::Answer;
use crate::pool;
use crate::world::World;

pub(crate) fn run(globals: &Globals, args: &BenchArgs) -> Result<Answer, Failure> {
    // Wrong names are refused before a map is read.
    let asked = Asked::new(args)?;
    pool::start_threads(globals)?;
    let mut world = World::open(globals, &args.map)?;
    let planners = names::prepare(&mut world, asked.planners)?;
    let agents = agents::prepare(&mut world, asked.agents, args.journey.sight)?;
    let problems = Problems::open(&args.scen, &world, args.every, args.limit)?;
    if args.check == Check::Scen && !problems.are_listed() {
        let message = format!("{}: the file lists no lengths; try --check exact", args.scen.display());
        return Err(Failure::usage("no_lengths", message));
    }
    let terms = Terms { check: args.check, max_moves: args.journey.max_moves };
    let benchmark = Benchmark::new(&world, &problems, (&planners, &agents), terms);
    Ok(Answer::new(globals.json, &Document::new(&benchmark), || show(&benchmark))
        .negative_if(benchmark.is_negative()))
}

/// The planners and agents that the user named: none of the one sort if only the other was given, all of both if neither was.
struct Asked {
    planners: Option<Vec<Named>>,
    agents: Option<Vec<NamedAgent>>,
}

impl Asked {
    fn new(args: &BenchArgs) -> Result<Asked, Failure> {
        let planners =
            args.planners.as_ref().map(|list| list.iter().map(|text| names::planner(text)).collect());
        let agents = args
            .agents
            .as_ref()
            .map(|list| list.iter().map(|text| agents::agent(text, args.journey.sight)).collect());
        let (planners, agents): (Option<Vec<Named>>, Option<Vec<NamedAgent>>) =
            (planners.transpose()?, agents.transpose()?);
        Ok(match (planners, agents) {
            (None, Some(agents)) => Asked { planners: Some(Vec::new()), agents: Some(agents) },
            (Some(planners), None) => Asked { planners: Some(planners), agents: Some(Vec::new()) },
            (planners, agents) => Asked { planners, agents },
        })
    }
}
