//! `milepost repair`: the first moves of an index file after edits of its map.

use crate::args::Globals;
use crate::failure::Failure;
use crate::numbers::{bytes, count, counted, seconds};
use crate::output::{self, Answer};
use crate::world::World;
use crate::{input, names, pool, save};
use clap::{Args, ValueEnum};
use milepost::build::{RepairError, RepairMethod, RepairReport, SILENT};
use milepost::index::{INDEXES, IndexKind};
use milepost::space::{EditError, SpaceKind};
use milepost::{Edit, Space, StateId};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Args, Debug)]
pub(crate) struct RepairArgs {
    /// An index file with `first-moves`
    pub(crate) file: PathBuf,
    /// The edits, one a line: `close X,Y`, `open X,Y`, `weight X,Y W`, `link X,Y X,Y COST`, `unlink X,Y X,Y`; on graphs
    /// `edge #A #B COST`, `unedge #A #B`, `node #A X,Y`, `unnode #A`. All are made, whatever query they are for
    #[arg(long, value_name = "FILE")]
    pub(crate) edits: PathBuf,
    /// The file to write, NAME.milepost: the edited map with its first moves
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// How: `exact` leaves every move optimal; `printed` is the wave of lecture notes, which may not
    #[arg(long, value_enum, default_value_t = Repairing::Exact)]
    pub(crate) method: Repairing,
}

/// How first moves are repaired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Repairing {
    /// Every move is optimal afterwards
    Exact,
    /// As lecture notes print it, for tables of up to 256 states; may leave moves that are not optimal
    Printed,
}

#[derive(Serialize)]
struct Document {
    file: String,
    bytes: usize,
    method: &'static str,
    edits: usize,
    states: u32,
    examined: Rows,
    rebuilt: Rows,
    changed: Rows,
    /// Pairs of a state and a target that were looked at beside the rebuilt rows.
    pairs: u64,
    /// Why the table was built anew instead.
    built_anew: Option<&'static str>,
    /// The printed method: its list of open nodes at the beginning and after every row.
    open_lists: Option<Vec<Vec<String>>>,
    seconds: f64,
    /// How long it took to count the figures of planners anew.
    figures_seconds: f64,
    /// What building the table anew takes: an estimate, or measured if that was done.
    build_seconds: f64,
    build_is_measured: bool,
    /// Indexes of the file that the edits have made wrong.
    dropped: Vec<&'static str>,
}

#[derive(Serialize)]
struct Rows {
    count: usize,
    /// The first of them.
    states: Vec<String>,
}

/// States that are listed by name.
const MOST_NAMED: usize = 100;

pub(crate) fn run(globals: &Globals, args: &RepairArgs) -> Result<Answer, Failure> {
    save::check_index_name(&args.output)?;
    output::check_files(globals.json, &[Some(&args.output)])?;
    pool::start_threads(globals)?;
    let world = World::open_index(globals, &args.file, "repair")?;
    let timed = input::edits(&args.edits)?;
    let edits: Vec<Edit> = timed.iter().map(|timed| timed.edit).collect();
    let (method, name) = match args.method {
        Repairing::Exact => (RepairMethod::Exact, "exact"),
        Repairing::Printed => (RepairMethod::Printed, "printed"),
    };
    let repairable: Vec<&str> =
        INDEXES.iter().filter(|entry| entry.is_repaired).map(|entry| entry.name).collect();
    let begin = Instant::now();
    let repaired = milepost::build::repair(&world.atlas, &edits, method, SILENT);
    let (atlas, report) = repaired.map_err(|error| match error {
        RepairError::Edit(EditError { place, reason }) => {
            let line = timed.get(place).map_or(0, |timed| timed.line);
            Failure::damaged(&args.edits, format!("line {line}: {reason}"))
        }
        RepairError::Build(error) => names::cannot_build(&world, &error),
        RepairError::NoIndex => {
            let (file, indexes) = (&world.file_name, repairable.join(","));
            let message = format!(
                "`repair` needs the index `{indexes}`, which {file} lacks; build it: \
                 milepost build MAP --index {indexes} -o FILE.milepost"
            );
            Failure::usage("no_index", message)
        }
        error => Failure::usage("not_for_this_map", error.to_string()),
    })?;
    let took = begin.elapsed().as_secs_f64();
    let is_measured = report.built_anew.is_some();
    let build_seconds = if is_measured {
        took
    } else {
        let kinds = atlas.sections().iter().map(|section| section.index().kind);
        let estimates = kinds.map(|kind| milepost::build::estimate(&atlas, kind).map(|found| found.seconds));
        estimates.sum::<Result<f64, _>>().map_err(|error| names::cannot_build(&world, &error))?
    };
    let sections = world.atlas.sections().iter().map(|section| section.index().kind);
    let dropped: Vec<&str> =
        sections.map(IndexKind::name).filter(|name| !repairable.contains(name)).collect();
    if !dropped.is_empty() {
        output::note(&format!(
            "note: left out, since the edits may have made them wrong: {}",
            dropped.join(", ")
        ));
    }
    // Those of the file were counted on the map before the edits.
    let begin = Instant::now();
    let atlas = milepost::build::with_figures(&atlas);
    let figures_seconds = begin.elapsed().as_secs_f64();
    let size = save::atlas(&args.output, &atlas)?;
    let space = atlas.space();
    let document = Document {
        file: args.output.to_string_lossy().into_owned(),
        bytes: size,
        method: name,
        edits: edits.len(),
        states: space.states(),
        examined: rows(space, &report.examined),
        rebuilt: rows(space, &report.rebuilt),
        changed: rows(space, &report.changed),
        pairs: report.pairs,
        built_anew: report.built_anew,
        open_lists: (args.method == Repairing::Printed).then(|| open_lists(space, &report)),
        seconds: took,
        figures_seconds,
        build_seconds,
        build_is_measured: is_measured,
        dropped,
    };
    Ok(Answer::new(globals.json, &document, || render_text(&document)))
}

fn rows(space: &Space, states: &[StateId]) -> Rows {
    Rows {
        count: states.len(),
        states: states.iter().take(MOST_NAMED).map(|&state| named(space, state)).collect(),
    }
}

fn named(space: &Space, state: StateId) -> String {
    match space.as_grid() {
        Some(grid) => {
            let point = grid.point(state);
            format!("{},{}", point.x, point.y)
        }
        None => state.to_string(),
    }
}

fn open_lists(space: &Space, report: &RepairReport) -> Vec<Vec<String>> {
    let list = |states: &Vec<StateId>| states.iter().map(|&state| named(space, state)).collect();
    report.open_lists.iter().map(list).collect()
}

/// Rows that the text names one by one.
const FEW: usize = 12;

fn render_text(document: &Document) -> String {
    let of = |name: &str, rows: &Rows| {
        let list = if (1..=FEW).contains(&rows.count) {
            format!(": {}", rows.states.join(" "))
        } else {
            String::new()
        };
        format!("  {name:<9} {} of {}{list}\n", count(rows.count as u64), count(document.states.into()))
    };
    let mut text = format!("{}, {} repair; rows\n", counted(document.edits as u64, "edit"), document.method);
    text.push_str(&of("examined", &document.examined));
    text.push_str(&of("rebuilt", &document.rebuilt));
    text.push_str(&of("changed", &document.changed));
    match document.built_anew {
        Some(why) => {
            let time = seconds(document.seconds);
            text.push_str(&format!("the table was built anew, in {time}: {why}\n"));
        }
        None => {
            let times = document.build_seconds / document.seconds.max(1e-9);
            let (time, build) = (seconds(document.seconds), seconds(document.build_seconds));
            text.push_str(&format!(
                "{time}; building it anew would take about {build}, {times:.1} times as long (estimated)\n"
            ));
        }
    }
    if document.method == "printed" {
        text.push_str(
            "the printed repair may leave moves that are not optimal; `--method exact` leaves none\n",
        );
    }
    text.push_str(&format!("{}: {}\n", document.file, bytes(document.bytes)));
    text
}
