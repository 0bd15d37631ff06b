//! `milepost build`: indexes of a map, in one file with it.

use crate::args::{Globals, MapArgs};
use crate::checkpoint::Kept;
use crate::failure::Failure;
use crate::figures::{self, FigureDocument};
use crate::numbers::{bytes, seconds};
use crate::output::{self, Answer};
use crate::table::Side::{Left, Right};
use crate::table::Table;
use crate::world::World;
use crate::{names, pool, save};
use clap::Args;
use milepost::Atlas;
use milepost::build::{CheckpointStore, Estimate};
use milepost::index::IndexSpec;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Args, Debug)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// The indexes, separated by commas; `milepost list indexes` shows them; `none` for the map alone [default: the standard one of
    /// the map, which its fastest exact planner reads]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) index: Vec<String>,
    /// The file to write, NAME.milepost
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// A folder that keeps what is finished of `first-moves`: a build that was stopped goes on from there
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
}

#[derive(Serialize)]
struct Document {
    file: String,
    bytes: usize,
    indexes: Vec<IndexDocument>,
    /// None where fewer than two planners compete.
    figures: Option<FiguresDocument>,
    /// Bytes of the whole file for each free state.
    bytes_per_state: f64,
}

#[derive(Serialize)]
struct IndexDocument {
    name: String,
    seconds: f64,
    bytes: u64,
    /// Of trees of subgoals.
    trees: Option<TreesDocument>,
}

/// What planners took on random problems.
#[derive(Serialize)]
struct FiguresDocument {
    /// How long it took to count, apart from the time of the indexes.
    seconds: f64,
    planners: Vec<FigureDocument>,
    /// The planner that is taken where none is named.
    fastest: &'static str,
}

/// How large trees are, their goals not counted.
#[derive(Serialize)]
struct TreesDocument {
    mean: f64,
    min: u32,
    max: u32,
}

pub(crate) fn run(globals: &Globals, args: &BuildArgs) -> Result<Answer, Failure> {
    let indexes = names::indexes(&args.index)?;
    save::check_index_name(&args.output)?;
    output::check_files(globals.json, &[Some(&args.output)])?;
    pool::start_threads(globals)?;
    let mut world = World::open(globals, &args.map)?;
    let kept = args.checkpoint.as_deref().map(Kept::open).transpose()?;
    let store = kept.as_ref().map(|kept| kept as &dyn CheckpointStore);
    for index in names::indexes_on(&world, &indexes) {
        warn(&world, index)?;
        let built = world.build_kept(&[index], store);
        built.map_err(|error| {
            let part = args.checkpoint.as_deref().and_then(|folder| Failure::part(folder, &error));
            part.unwrap_or_else(|| names::cannot_build(&world, &error))
        })?;
    }
    let begin = Instant::now();
    world.atlas = milepost::build::with_figures(&world.atlas);
    let seconds = begin.elapsed().as_secs_f64();
    let size = save::atlas(&args.output, &world.atlas)?;
    let index = |&(index, seconds): &(IndexSpec, f64)| IndexDocument {
        name: index.to_string(),
        seconds,
        bytes: world.index_bytes(&[index]),
        trees: trees(&world.atlas, index),
    };
    let document = Document {
        file: args.output.to_string_lossy().into_owned(),
        bytes: size,
        indexes: world.built.iter().map(index).collect(),
        figures: (!world.atlas.figures().is_empty()).then(|| FiguresDocument {
            seconds,
            planners: figures::of(&world.atlas),
            fastest: world.atlas.fastest().name,
        }),
        bytes_per_state: size as f64 / f64::from(world.space().states().max(1)),
    };
    Ok(Answer::new(globals.json, &document, || render_text(&document)))
}

/// How large the trees of an index are, if it has any.
fn trees(atlas: &Atlas, index: IndexSpec) -> Option<TreesDocument> {
    let fact = |name| atlas.fact(index, name);
    Some(TreesDocument {
        mean: fact("mean tree")?,
        min: fact("least tree")? as u32,
        max: fact("largest tree")? as u32,
    })
}

/// Spaces with fewer states are built without much ado.
const SMALL: u32 = 30_000;

/// Seconds of which the user is told beforehand.
const LONG: f64 = 3600.0;

/// Tells the user before a build that takes hours; refuses one that takes more memory than there is.
fn warn(world: &World, index: IndexSpec) -> Result<(), Failure> {
    if !index.kind.entry().is_dear || world.space().states() < SMALL || world.atlas.has(index) {
        return Ok(());
    }
    let estimate = feasible(world, index)?;
    if estimate.seconds > LONG {
        let (time, size) = (seconds(estimate.seconds), bytes(estimate.bytes as usize));
        output::note(&format!(
            "note: `{index}` will take about {time} and {size}; with --checkpoint DIR a build that is stopped can go on"
        ));
    }
    Ok(())
}

/// What an index would take; refuses one that cannot be built, or takes more memory than there is. For `build` and
/// `estimate` alike.
pub(crate) fn feasible(world: &World, index: IndexSpec) -> Result<Estimate, Failure> {
    let estimate = milepost::build::estimate(&world.atlas, index);
    fitting(index, estimate.map_err(|error| names::cannot_build(world, &error))?)
}

/// The same of an estimate that was made.
pub(crate) fn fitting(index: IndexSpec, estimate: Estimate) -> Result<Estimate, Failure> {
    if let Some(available) = estimate.lacks_memory() {
        let needed = bytes(estimate.memory.unwrap_or(0) as usize);
        let available = bytes(available as usize);
        let message = format!(
            "`{index}` would take about {needed} of memory to build, and there are {available}; close other programs, \
             use fewer threads, or a machine with more"
        );
        return Err(Failure::usage("cannot_build", message));
    }
    Ok(estimate)
}

fn render_text(document: &Document) -> String {
    let file = format!(
        "{}: {}, {:.1} bytes for each state\n",
        document.file,
        bytes(document.bytes),
        document.bytes_per_state
    );
    if document.indexes.is_empty() {
        return file;
    }
    let mut table = Table::new(&[("index", Left), ("time", Right), ("size", Right)]);
    for index in &document.indexes {
        table.row(vec![index.name.clone(), seconds(index.seconds), bytes(index.bytes as usize)]);
    }
    let mut trees = String::new();
    for index in &document.indexes {
        if let Some(sizes) = &index.trees {
            let TreesDocument { mean, min, max } = sizes;
            trees += &format!("{}: trees of {mean:.1} subgoals on average, {min} to {max}\n", index.name);
        }
    }
    let figures = document.figures.as_ref().map_or_else(String::new, |figures| {
        format!(
            "figures of planners: counted in {}; fastest: {}\n",
            seconds(figures.seconds),
            figures.fastest
        )
    });
    format!("{}\n{trees}{figures}{file}", table.render())
}
