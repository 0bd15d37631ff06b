//! `milepost build`: indexes of a map, in one file with it.

use crate::args::{BuildArgs, Globals};
use crate::failure::Failure;
use crate::numbers::{bytes, seconds};
use crate::output::Answer;
use crate::table::Side::{Left, Right};
use crate::table::Table;
use crate::world::World;
use crate::{names, pool};
use milepost::files::Format;
use milepost::index::IndexKind;
use serde::Serialize;

#[derive(Serialize)]
struct Document {
    file: String,
    bytes: usize,
    indexes: Vec<IndexDocument>,
    /// Bytes of the whole file for each free state.
    bytes_per_state: f64,
}

#[derive(Serialize)]
struct IndexDocument {
    name: &'static str,
    seconds: f64,
    bytes: u64,
}

pub(crate) fn run(globals: &Globals, args: &BuildArgs) -> Result<Answer, Failure> {
    let kinds = names::indexes(&args.index)?;
    if Format::named(&args.output) != Some(Format::Index) {
        let message = format!("{}: an index file is called NAME.milepost", args.output.display());
        return Err(Failure::usage("unsupported_pair", message));
    }
    pool::start_threads(globals)?;
    let mut world = World::open(globals, &args.map)?;
    for &kind in &kinds {
        world.build(&[kind]).map_err(|error| names::cannot_build(&world, &error))?;
    }
    let size = world.atlas.save(&args.output)?;
    let index = |&(kind, seconds): &(IndexKind, f64)| IndexDocument {
        name: kind.name(),
        seconds,
        bytes: world.index_bytes(&[kind]),
    };
    let document = Document {
        file: args.output.to_string_lossy().into_owned(),
        bytes: size,
        indexes: world.built.iter().map(index).collect(),
        bytes_per_state: size as f64 / f64::from(world.space().states().max(1)),
    };
    Ok(Answer::new(globals.json, &document, || people(&document)))
}

fn people(document: &Document) -> String {
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
        table.row(vec![index.name.to_owned(), seconds(index.seconds), bytes(index.bytes as usize)]);
    }
    format!("{}\n{file}", table.render())
}
