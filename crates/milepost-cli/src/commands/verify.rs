//! `milepost verify`: whether an index file can be trusted.

use crate::args::{Globals, ReadingArgs};
use crate::benchmark::Problems;
use crate::draw::{self, Limits};
use crate::failure::Failure;
use crate::numbers::count;
use crate::output::Answer;
use crate::pool::{self, Scratches};
use crate::world::World;
use crate::{names, progress};
use clap::Args;
use milepost::catalog::{PLANNERS, PlannerEntry};
use milepost::plan::{Dijkstra, Planner};
use milepost::space::SpaceKind;
use milepost::{Budget, Outcome, Query};
use rayon::prelude::*;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Mutex;

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// An index file
    pub(crate) file: PathBuf,
    /// The map that it should have been built from; with the options that it was read with then
    #[arg(long, value_name = "MAP")]
    pub(crate) map: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// How many random problems to put to every planner that the file allows
    #[arg(long, value_name = "K", default_value_t = 100)]
    pub(crate) sample: u32,
}

#[derive(Serialize)]
struct Document {
    file: String,
    states: u32,
    sections: Vec<&'static str>,
    /// Planners that read an index of the file.
    planners: Vec<String>,
    /// Problems put to each of them.
    sampled: usize,
    /// Answers that were not those of a plain search.
    wrong: usize,
    /// The first of these.
    first_wrong: Option<String>,
}

pub(crate) fn run(globals: &Globals, args: &VerifyArgs) -> Result<Answer, Failure> {
    pool::start_threads(globals)?;
    let world = World::open_index(globals, &args.file, "verify")?;
    if let Some(path) = &args.map {
        let map = World::open_for(globals, path, &args.reading, world.rule())?;
        if map.space().hash() != world.space().hash() {
            if is_weighted_otherwise(&world, &map) {
                let message = format!(
                    "holds the same cells as {} with other weights: was it built with --grey-weights or --weights? say the same \
                     to `verify`, or build it anew",
                    path.display()
                );
                return Err(Failure::damaged(&args.file, message));
            }
            let message = format!(
                "was built from another map: its fingerprint is {:016x}, that of {} is {:016x}; build it anew",
                world.space().hash(),
                path.display(),
                map.space().hash()
            );
            return Err(Failure::damaged(&args.file, message));
        }
    }
    milepost::build::verify(&world.atlas)
        .map_err(|error| Failure::damaged(&args.file, format!("is damaged: {error}")))?;
    // On a mesh what passes portals may have an index for centres, too.
    let passes_portals = |entry: &&PlannerEntry| world.mesh().is_some() && entry.planner.passes_portals();
    let on_centres =
        PLANNERS.iter().filter(passes_portals).map(|entry| format!("{}:nodes=centres", entry.name));
    let planners: Vec<names::Named> = PLANNERS
        .iter()
        .map(|entry| entry.name.to_owned())
        .chain(on_centres)
        .filter_map(|name| names::planner(&name).ok())
        .filter(|named| !named.planner.needs().is_empty() && named.planner.refusal(&world.atlas).is_none())
        .collect();
    let (sampled, wrong) = sample(globals, args, &world, &planners)?;
    let sections = world.atlas.sections().iter().map(|section| section.index().kind.name());
    let figures = (!world.atlas.figures().is_empty()).then_some("figures");
    let document = Document {
        file: args.file.to_string_lossy().into_owned(),
        states: world.space().states(),
        sections: sections.chain(figures).collect(),
        planners: planners.iter().map(|named| named.name.clone()).collect(),
        sampled,
        wrong: wrong.len(),
        first_wrong: wrong.first().cloned(),
    };
    let is_negative = document.wrong > 0;
    Ok(Answer::new(globals.json, &document, || render_text(&document)).negative_if(is_negative))
}

/// Whether two maps of cells differ in the weights of cells alone.
fn is_weighted_otherwise(one: &World, other: &World) -> bool {
    let (Some(one), Some(other)) = (one.grid(), other.grid()) else { return false };
    let is_same = (one.width(), one.height(), one.rule()) == (other.width(), other.height(), other.rule())
        && one.links() == other.links()
        && one.free_states().eq(other.free_states());
    is_same && one.free_states().any(|state| one.weight(state) != other.weight(state))
}

/// Puts random problems to the planners. How many, and which answers were wrong, in the order of the problems.
fn sample(
    globals: &Globals,
    args: &VerifyArgs,
    world: &World,
    planners: &[names::Named],
) -> Result<(usize, Vec<String>), Failure> {
    if planners.is_empty() || args.sample == 0 || world.space().states() < 2 {
        return Ok((0, Vec::new()));
    }
    let Ok(drawn) = draw::draw(world, args.sample, Limits::NONE, globals.seed) else {
        return Ok((0, Vec::new()));
    };
    let problems = Problems::drawn(world, &drawn);
    let bar = progress::bar("answers", problems.tasks.len());
    let centres = world.mesh().map(|_| names::over_centres());
    let (scratches, wrong) = (Scratches::default(), Mutex::new(Vec::new()));
    problems.tasks.par_iter().enumerate().for_each(|(index, task)| {
        scratches.lend(|scratch| {
            let query = Query::new(task.start, task.goal);
            let expected = Dijkstra::default().plan(
                &world.atlas,
                &query.distance_only(),
                scratch,
                &mut Budget::unlimited(),
            );
            let over_centres = centres.as_ref().map(|planner| {
                planner.plan(&world.atlas, &query.distance_only(), scratch, &mut Budget::unlimited())
            });
            for named in planners {
                let passes_portals = world.mesh().is_some() && named.planner.passes_portals();
                let expected = over_centres.filter(|_| !passes_portals).unwrap_or(expected);
                let found = named.planner.plan(&world.atlas, &query, scratch, &mut Budget::unlimited());
                let steps: Option<u64> = {
                    let cells: Vec<_> = world.space().cells(scratch.path()).collect();
                    let cost =
                        |pair: &[_]| world.space().step_cost(pair[0], pair[1], None).map(|cost| cost.units());
                    cells.windows(2).map(cost).sum()
                };
                // Over portals a path costs less than its steps from centre to centre.
                let is_walked = match passes_portals {
                    true => steps.is_some(),
                    false => found == Outcome::Unreachable || steps == found.cost().map(|cost| cost.units()),
                };
                if found != expected || !is_walked {
                    let (from, to) = (world.place(task.start), world.place(task.goal));
                    let text =
                        format!("`{}` from {from} to {to}: {found:?}, expected {expected:?}", named.name);
                    wrong.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, text));
                }
            }
        });
        bar.inc(1);
    });
    bar.finish_and_clear();
    let mut wrong = wrong.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    wrong.sort();
    Ok((problems.tasks.len(), wrong.into_iter().map(|(_, text)| text).collect()))
}

fn render_text(document: &Document) -> String {
    let sections =
        if document.sections.is_empty() { "no indexes".to_owned() } else { document.sections.join(", ") };
    let mut text = format!(
        "{}: {} states, {sections}\nchecksums, lengths, jumps and hops are right\n",
        document.file,
        count(document.states.into())
    );
    match (&document.first_wrong, document.sampled) {
        (Some(first), sampled) => {
            text.push_str(&format!(
                "{} of {sampled} sampled answers are wrong, the first: {first}\n",
                document.wrong
            ));
        }
        (None, 0) => {}
        (None, sampled) => {
            let planners = document.planners.join(", ");
            text.push_str(&format!("{sampled} random problems: {planners} answer as a plain search does\n"));
        }
    }
    text
}
