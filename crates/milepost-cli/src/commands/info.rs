//! `milepost info`: what a map is like.

use crate::args::{Globals, InfoArgs};
use crate::failure::Failure;
use crate::numbers::{bytes, count};
use crate::output::Answer;
use crate::world::{MapFacts, World};
use serde::Serialize;

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    map: MapFacts,
    moves: &'static str,
    /// Cells of the largest component.
    largest_component: u32,
    memory_bytes: usize,
    /// Of index files only.
    sections: Option<()>,
}

pub(crate) fn run(globals: &Globals, args: &InfoArgs) -> Result<Answer, Failure> {
    let world = World::open(&args.map, globals.moves)?;
    let document = Document {
        map: world.facts(),
        moves: world.grid.rule().name(),
        largest_component: world.grid.components().sizes().iter().copied().max().unwrap_or(0),
        memory_bytes: world.grid.bytes(),
        sections: None,
    };
    Ok(Answer::new(globals.json, &document, || people(&document)))
}

fn people(document: &Document) -> String {
    let map = &document.map;
    let lines = [
        ("name", map.name.clone()),
        ("size", format!("{} x {}", count(map.width.into()), count(map.height.into()))),
        ("states", count(map.states.into())),
        (
            "components",
            format!(
                "{} (largest: {} states)",
                count(map.components.into()),
                count(document.largest_component.into())
            ),
        ),
        ("moves", document.moves.to_owned()),
        ("scale", map.scale.describe()),
        ("hash", map.hash.clone()),
        ("memory", bytes(document.memory_bytes)),
    ];
    lines.iter().map(|(what, value)| format!("{what:<12}{value}\n")).collect()
}
