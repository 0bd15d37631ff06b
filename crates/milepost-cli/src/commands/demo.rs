//! `milepost demo`: the main job on maps that come with the program. Races all planners and draws what A* sees.
//!
//! The maps were made by this program:
//! `generate rooms --width 320 --height 240 --seed 1` and `generate caves --width 320 --height 240 --seed 1`.

use crate::args::{Check, Globals};
use crate::draw::{self, Drawn, Limits};
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::race::{self, Problems, Race};
use crate::world::World;
use crate::{names, picture, pool};
use milepost::maps::movingai;
use milepost::{Budget, Planner, Query, Scratch};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The maps that come with the program.
const MAPS: [(&str, &[u8]); 2] = [
    ("rooms.map", include_bytes!("../../maps/rooms.map")),
    ("caves.map", include_bytes!("../../maps/caves.map")),
];

/// Problems on each map.
const PROBLEMS: u32 = 200;

/// Where the pictures go.
const FOLDER: &str = "target/demo";

#[derive(Serialize)]
struct Document {
    maps: Vec<MapDocument>,
}

#[derive(Serialize)]
struct MapDocument {
    #[serde(flatten)]
    bench: race::Document,
    /// The picture of the longest problem.
    picture: String,
}

pub(crate) fn run(globals: &Globals) -> Result<Answer, Failure> {
    let folder = Path::new(FOLDER);
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::unwritable(folder, format!("the folder cannot be made here: {error}")))?;
    pool::start_threads(globals)?;
    let planners = names::planners(globals.moves)?;
    let mut document = Document { maps: Vec::new() };
    let mut is_negative = false;
    for (file, bytes) in MAPS {
        let path = Path::new(file);
        let damaged = |message: String| Failure::damaged(path, message);
        let map = movingai::read(bytes).map_err(|error| damaged(error.to_string()))?;
        let world = World::new(path, &map, globals.moves).map_err(|error| damaged(error.to_string()))?;
        let drawn = draw::draw(&world, PROBLEMS, Limits::NONE, globals.seed)?;
        let problems = Problems::drawn(&world, &drawn);
        let race = Race::new(&world, &problems, &planners, Check::Exact);
        let picture = draw_longest(folder, &world, &drawn)?;
        is_negative |= race.is_negative();
        if !globals.json {
            output::write(&format!("{}\npicture: {}\n\n", race::show(&race), picture.display()))?;
        }
        let picture = picture.to_string_lossy().into_owned();
        document.maps.push(MapDocument { bench: race::Document::new(&race), picture });
    }
    Ok(Answer::new(globals.json, &document, || NEXT.to_owned()).negative_if(is_negative))
}

const NEXT: &str = "\
Each picture shows the longest of the problems: from blue to yellow what was expanded, in the order of its cost,
and in red the path. Next: `milepost list`, or `milepost path MAP --from X,Y --to X,Y --png FILE` on your own map.
";

/// Draws the search of the fastest planner on the longest problem.
fn draw_longest(folder: &Path, world: &World, drawn: &[Drawn]) -> Result<PathBuf, Failure> {
    let path = folder.join(&world.name).with_extension("png");
    if let Some(longest) = drawn.iter().max_by_key(|drawn| drawn.cost) {
        let mut scratch = Scratch::new();
        let query = Query::new(longest.start, longest.goal);
        names::fastest(&world.atlas).planner.plan(
            &world.atlas,
            &query,
            &mut scratch,
            &mut Budget::unlimited(),
        );
        picture::save(&path, &world.grid, &scratch, longest.start, &[longest.goal])?;
    }
    Ok(path)
}
