//! `milepost generate`: a map from a seed.

use crate::args::{GenerateArgs, Globals};
use crate::failure::Failure;
use crate::numbers::counted;
use crate::output::Answer;
use crate::world::{MapFacts, World};
use milepost::files;
use milepost::maps::{generate, movingai};
use serde::Serialize;

#[derive(Serialize)]
struct Document {
    file: String,
    kind: &'static str,
    seed: u64,
    bytes: usize,
    map: MapFacts,
}

pub(crate) fn run(globals: &Globals, args: &GenerateArgs) -> Result<Answer, Failure> {
    let wrong = |error: String| Failure::usage("map_size", error);
    let map = generate(args.kind, args.width, args.height, globals.seed)
        .map_err(|error| wrong(error.to_string()))?;
    let world = World::new(&args.output, &map, globals.moves).map_err(|error| wrong(error.to_string()))?;
    let bytes = movingai::write(&map);
    files::save(&args.output, &bytes)?;
    let document = Document {
        file: args.output.to_string_lossy().into_owned(),
        kind: args.kind.name(),
        seed: globals.seed,
        bytes: bytes.len(),
        map: world.facts(),
    };
    Ok(Answer::new(globals.json, &document, || {
        format!(
            "wrote {}: {} {} x {}, seed {}, {}\n",
            document.file,
            document.kind,
            map.width(),
            map.height(),
            document.seed,
            counted(document.map.states.into(), "free cell")
        )
    }))
}
