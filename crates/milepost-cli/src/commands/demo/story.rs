//! What a stranger sees first: one map, what was built for it, how fast each family answers, what agents pay, and where to
//! go on. It fits on one screen.

use super::board;
use crate::agents::{self, NamedAgent};
use crate::args::{Check, Globals};
use crate::benchmark::{Benchmark, Problems, Summary, Terms};
use crate::contestants::{Candidate, Contestants};
use crate::draw::{self, Drawn, Limits};
use crate::failure::Failure;
use crate::names::{self, Named, cannot_build};
use crate::numbers::{bytes, count, counted, seconds, three_digits, time};
use crate::output::Answer;
use crate::save;
use crate::world::World;
use milepost::catalog::{PLANNERS, PlannerEntry};
use milepost::index::IndexSpec;
use milepost::plan::Astar;
use milepost::{Planner, StateId};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// Enough for steady means, and few enough for a minute.
pub(super) const PROBLEMS: u32 = 100;
/// What fits on a screen of 24 lines beside the rest.
const MOST_PLANNERS: usize = 6;
const MOST_AGENTS: usize = 3;
/// What everything is compared with.
const BASELINE: &str = "A*";

/// Runs the story on a map, and draws it.
pub(super) fn run(globals: &Globals, mut world: World, folder: &Path) -> Result<Answer, Failure> {
    let contestants = prepare(&mut world)?;
    let drawn = draw::draw(&world, PROBLEMS, Limits::NONE, globals.seed)?;
    let problems = Problems::drawn(&world, &drawn);
    let terms = Terms { check: Check::Exact, max_moves: super::MAX_MOVES };
    let benchmark = Benchmark::new(&world, &problems, &contestants, terms);
    let file = folder.join(&world.name).with_extension("milepost");
    save::atlas(&file, &world.atlas)?;
    let picture = folder.join("milepost.png");
    let longest = drawn.iter().max_by_key(|drawn| drawn.cost);
    if let Some(longest) = longest {
        board::save(&picture, &world, (longest.start, longest.goal))?;
    }
    let text = told(&benchmark, longest, (&file, &picture));
    Ok(Answer { text, is_negative: benchmark.is_negative() })
}

/// What runs; its indexes are built.
pub(super) fn prepare(world: &mut World) -> Result<Contestants, Failure> {
    let (planners, agents) = (planners(world), agents(world));
    let read = planners.iter().flat_map(Candidate::needs).chain(agents.iter().flat_map(Candidate::needs));
    let needs: Vec<IndexSpec> = read.collect();
    world.build(&needs).map_err(|error| cannot_build(world, &error))?;
    Ok(Contestants { planners, agents, left_out: Vec::new() })
}

/// A*, the best planner that reads no index, and every exact planner whose index is quickly built.
fn planners(world: &World) -> Vec<Named> {
    let baseline = Named { name: BASELINE.to_owned(), planner: Arc::new(Astar::default()) };
    let is_exact = |planner: &dyn Planner| planner.is_optimal(world.space());
    let mut preferred: Vec<&PlannerEntry> = PLANNERS
        .iter()
        .filter(|entry| entry.preference.is_some() && is_exact(entry.planner))
        .filter(|entry| names::is_built_unasked(world, entry.planner.needs()))
        .collect();
    preferred.sort_by_key(|entry| entry.preference);
    let (with, without): (Vec<&PlannerEntry>, Vec<&PlannerEntry>) =
        preferred.into_iter().partition(|entry| !entry.planner.needs().is_empty());
    let works = without.into_iter().find(|entry| entry.planner.refusal(&world.atlas).is_none());
    let chosen = works.into_iter().chain(with).filter_map(|entry| names::planner(entry.name).ok());
    std::iter::once(baseline).chain(chosen).take(MOST_PLANNERS).collect()
}

/// The best agents that know the map, then the best that see their surroundings; those that walk for ever on large maps
/// are left to the whole tables.
fn agents(world: &World) -> Vec<NamedAgent> {
    let (all, _) = agents::all_with_reasons(world, None);
    let quick = |named: &NamedAgent| names::is_built_unasked(world, &named.needs());
    let works = |named: &NamedAgent| named.refusal(world).is_none() || named.lacks_index(world);
    let candidates =
        all.into_iter().filter(|(named, reason)| reason.is_none() && quick(named) && works(named));
    let (by_sight, on_map): (Vec<NamedAgent>, Vec<NamedAgent>) =
        candidates.map(|(named, _)| named).partition(NamedAgent::is_by_sight);
    on_map.into_iter().take(MOST_AGENTS).chain(by_sight.into_iter().take(MOST_AGENTS)).collect()
}

/// The screen. Writing to a string cannot fail.
fn told(benchmark: &Benchmark<'_>, longest: Option<&Drawn>, (file, picture): (&Path, &Path)) -> String {
    let world = benchmark.world;
    let runs = benchmark.summaries();
    let mut text = format!("{}\n", world.headline());
    let built: f64 = world.built.iter().map(|(_, seconds)| seconds).sum();
    let size: usize = world.atlas.sections().iter().map(|section| section.bytes().len()).sum();
    let _ = writeln!(
        text,
        "{} built in {}, {} in all; {}, every answer checked\n",
        counted(world.built.len() as u64, "index").replace("indexs", "indexes"),
        seconds(built),
        bytes(size),
        counted(benchmark.problems.tasks.len() as u64, "problem"),
    );
    let baseline = runs.iter().find(|run| run.name == BASELINE).and_then(|run| run.mean_us);
    let _ = writeln!(
        text,
        "{:<20}{:>12}{:>12}{:>14}{:>16}",
        "WHOLE PATHS", "index", "built in", "a path", "faster than A*"
    );
    let mut paths: Vec<&Summary> = runs.iter().filter(|run| !run.is_agent).collect();
    paths.sort_by(|one, other| other.mean_us.unwrap_or(0.0).total_cmp(&one.mean_us.unwrap_or(0.0)));
    for run in paths {
        let times = baseline.zip(run.mean_us).map(|(baseline, mean)| baseline / mean);
        let _ = writeln!(
            text,
            "{:<20}{:>12}{:>12}{:>14}{:>16}",
            run.name,
            if run.index_bytes > 0 { bytes(run.index_bytes as usize) } else { "-".to_owned() },
            run.build_seconds.filter(|_| run.index_bytes > 0).map_or("-".to_owned(), seconds),
            run.mean_us.map_or("-".to_owned(), time),
            times
                .filter(|_| run.name != BASELINE)
                .map_or("-".to_owned(), |times| format!("{} x", three_digits(times))),
        );
    }
    let _ = writeln!(
        text,
        "\n{:<20}{:>12}{:>12}{:>14}{:>16}",
        "MOVE BY MOVE", "knows", "a move", "most work", "longer by"
    );
    for run in runs.iter().filter(|run| run.is_agent) {
        let _ = writeln!(
            text,
            "{:<20}{:>12}{:>12}{:>14}{:>16}",
            run.name,
            if run.is_by_sight { "what it sees" } else { "the map" },
            run.us_per_move.map_or("-".to_owned(), time),
            run.max_work.map_or("-".to_owned(), |units| format!("{} units", count(units))),
            run.longer_percent.map_or("-".to_owned(), |percent| format!("{} %", three_digits(percent))),
        );
    }
    let place = |state: StateId| world.place(state).to_string();
    let ends = longest
        .map_or(String::new(), |drawn| format!(" --from {} --to {}", place(drawn.start), place(drawn.goal)));
    let file = file.display();
    let _ = write!(
        text,
        "\nPicture: {}. All tables: milepost demo --all.\n\
         Make it a command: `cargo install --locked --path crates/milepost-cli`. Then:\n  \
         milepost list\n  milepost path {file}{ends}\n  milepost walk {file}{ends} --sight 1\n",
        picture.display(),
    );
    text
}
