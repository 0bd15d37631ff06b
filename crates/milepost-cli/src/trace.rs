//! What a query or a journey did as a file for Posthoc, the search visualiser. It is done again and watched: planners and agents do
//! the same every time.

use crate::agents::NamedAgent;
use crate::args::TraceArgs;
use crate::failure::Failure;
use crate::journey::course::Course;
use crate::numbers::{count, counted};
use crate::output;
use crate::save;
use crate::world::World;
use milepost::observe::PlannerRun;
use milepost::{AnyPlanner, Place, StateId};
use milepost_explore::{TraceFormat, TraceWriter};
use std::path::Path;

/// Refuses a name that is not that of a trace.
pub(crate) fn check(args: &TraceArgs) -> Result<(), Failure> {
    let Some(path) = &args.trace else { return Ok(()) };
    format(path).map(drop)
}

fn format(path: &Path) -> Result<TraceFormat, Failure> {
    let name = path.to_string_lossy();
    TraceFormat::named(&name).ok_or_else(|| {
        let message = format!("--trace {name}: a trace is called NAME.trace.json or NAME.trace.yaml");
        Failure::usage("unsupported_pair", message)
    })
}

/// Writes the trace of a query, from one place to another.
pub(crate) fn of_query(
    args: &TraceArgs,
    world: &World,
    planner: AnyPlanner,
    (start, goal): (Place, Place),
) -> Result<Option<u64>, Failure> {
    let Some(path) = &args.trace else { return Ok(None) };
    let (atlas, space) = (&world.atlas, world.space());
    let mut run = PlannerRun::new(planner, atlas, start, goal);
    let nodes = run.nodes(atlas);
    let (from, to) = space.states_between(start, goal);
    // The last two nodes of a search over portals are its ends.
    let ends = nodes.as_ref().map_or((from.number(), to.number()), |nodes| {
        let count = nodes.len() as u32;
        (count.saturating_sub(2), count.saturating_sub(1))
    });
    let mut writer = TraceWriter::new(space, nodes, ends, args.events as usize);
    let mut events = Vec::new();
    loop {
        let outcome = run.step(atlas, &mut events);
        writer.add(space, &events);
        events.clear();
        if outcome.is_some() {
            return write(path, args.events, writer).map(Some);
        }
    }
}

/// Writes the trace of a journey over a course.
pub(crate) fn of_journey(
    args: &TraceArgs,
    course: &Course,
    named: &NamedAgent,
    ends: (StateId, StateId),
    max_moves: u64,
) -> Result<Option<u64>, Failure> {
    let Some(path) = &args.trace else { return Ok(None) };
    let numbers = (ends.0.number(), ends.1.number());
    let mut writer = TraceWriter::new(course.world.space(), None, numbers, args.events as usize);
    course.watch(named, ends, max_moves, |world, events| writer.add(world.space(), events))?;
    write(path, args.events, writer).map(Some)
}

/// Writes a file, whole or not at all, and says what was left out.
fn write(path: &Path, most: u32, writer: TraceWriter) -> Result<u64, Failure> {
    let (text, left) = writer.finish(format(path)?);
    save::bytes(path, text.as_bytes())?;
    if left > 0 {
        output::note(&format!(
            "note: {}: {} after the first {} left out; --events N takes more",
            path.display(),
            counted(left, "event"),
            count(most.into())
        ));
    }
    Ok(left)
}
