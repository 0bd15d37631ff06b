//! `milepost estimate`: what indexes would take.

use crate::args::{Globals, MapArgs};
use crate::commands::build::{feasible, fitting};
use crate::failure::Failure;
use crate::numbers::{bytes, count, seconds};
use crate::output::Answer;
use crate::table::Side::{Left, Right};
use crate::table::Table;
use crate::world::World;
use crate::{names, pool};
use clap::Args;
use milepost::Indexes;
use milepost::index::{INDEXES, IndexSpec};
use serde::Serialize;

#[derive(Args, Debug)]
pub(crate) struct EstimateArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// The indexes, separated by commas; `milepost list indexes` shows them; `all` stands for all that can be built for the
    /// map [default: the standard one of the map]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) index: Vec<String>,
}

#[derive(Serialize)]
struct Document {
    map: String,
    states: u32,
    indexes: Vec<IndexDocument>,
    /// What `all` stands for and cannot be built.
    left_out: Vec<LeftOut>,
}

#[derive(Serialize)]
struct LeftOut {
    name: String,
    /// In words.
    reason: String,
}

/// Instead of a list of indexes.
const ALL: &str = "all";

#[derive(Serialize)]
struct IndexDocument {
    name: String,
    /// Within 1.3 times.
    bytes: u64,
    /// Within 2 times, on this machine with these threads.
    seconds: f64,
    bytes_per_state: f64,
    /// For indexes that are built over jump points.
    jump_points: Option<u32>,
    /// The same without compression, for indexes that have something for each pair of states.
    raw_bytes: Option<u64>,
    /// What building takes, where it is much more than the index.
    memory: Option<u64>,
}

pub(crate) fn run(globals: &Globals, args: &EstimateArgs) -> Result<Answer, Failure> {
    let takes_all = args.index == [ALL];
    let asked = if takes_all { Indexes::standard() } else { names::indexes(&args.index)? };
    pool::start_threads(globals)?;
    let world = World::open(globals, &args.map)?;
    let states = world.space().states();
    // Each with those that it is read together with, once.
    let asked = match takes_all {
        true => INDEXES.iter().filter_map(|entry| IndexSpec::from_text(entry.name).ok()).collect(),
        false => names::indexes_on(&world, &asked),
    };
    let mut all: Vec<IndexSpec> = asked.iter().flat_map(|index| index.with_needs()).collect();
    all.sort_unstable();
    all.dedup();
    let (mut indexes, mut left_out) = (Vec::new(), Vec::new());
    for index in all {
        let estimate = match takes_all {
            false => feasible(&world, index)?,
            true => {
                let estimate =
                    milepost::build::estimate(&world.atlas, index).map_err(|error| error.to_string());
                let fitting = estimate.and_then(|estimate| {
                    fitting(index, estimate).map_err(|failure| failure.message().to_owned())
                });
                match fitting {
                    Ok(estimate) => estimate,
                    Err(reason) => {
                        left_out.push(LeftOut { name: index.to_string(), reason });
                        continue;
                    }
                }
            }
        };
        indexes.push(IndexDocument {
            name: index.to_string(),
            bytes: estimate.bytes,
            seconds: estimate.seconds,
            bytes_per_state: estimate.bytes as f64 / f64::from(states.max(1)),
            jump_points: estimate.jump_points,
            raw_bytes: estimate.raw_bytes,
            memory: estimate.memory,
        });
    }
    let document = Document { map: world.name.clone(), states, indexes, left_out };
    Ok(Answer::new(globals.json, &document, || render_text(&document)))
}

fn render_text(document: &Document) -> String {
    let columns = [
        ("index", Left),
        ("time", Right),
        ("size", Right),
        ("a state", Right),
        ("raw", Right),
        ("memory", Right),
        ("jump points", Right),
    ];
    let mut table = Table::new(&columns);
    let perhaps = |size: Option<u64>| size.map_or_else(|| "-".to_owned(), |size| bytes(size as usize));
    for index in &document.indexes {
        table.row(vec![
            index.name.clone(),
            format!("about {}", seconds(index.seconds)),
            format!("about {}", bytes(index.bytes as usize)),
            format!("{:.1} B", index.bytes_per_state),
            perhaps(index.raw_bytes),
            perhaps(index.memory),
            index.jump_points.map_or_else(|| "-".to_owned(), |points| count(points.into())),
        ]);
    }
    let left_out = document.left_out.iter().map(|left| format!("{} ({})", left.name, left.reason));
    let left_out = left_out.collect::<Vec<String>>().join("; ");
    let left_out = if left_out.is_empty() { left_out } else { format!("\nleft out: {left_out}\n") };
    format!("{}: {} states\n\n{}{left_out}", document.map, count(document.states.into()), table.render())
}
