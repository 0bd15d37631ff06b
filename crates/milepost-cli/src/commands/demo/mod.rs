//! `milepost demo`: the main job on maps that come with the program. Tells a story of one screen about one map; with `--all`
//! runs planners and agents against each other and draws what a search sees: on squares, on hexagons, over heavy ground,
//! along roads, and on a map of Tiled.
//!
//! | file | what it does |
//! |---|---|
//! | `story` | one screen |
//! | `board` | its picture: one problem, answered in four ways |
//!
//! Two maps were made by this program: `generate rooms --width 320 --height 240 --seed 1` and `generate caves --width
//! 320 --height 240 --seed 1`. The others are made anew each time.

mod board;
mod story;

use crate::args::{Check, ContestantArgs, Globals};
use crate::benchmark::{self, Benchmark, Problems, Terms};
use crate::contestants::Asked;
use crate::draw::{self, Drawn, Limits};
use crate::edits::Schedule;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::world::World;
use crate::{names, picture, pool};
use clap::Args;
use milepost::{Budget, Query, Rule, Scratch, Space};
use milepost_maps::RoadFiles;
use milepost_maps::generate::{Kind, generate, roads};
use milepost_maps::tiled::{self, Shape};
use milepost_maps::{Weights, movingai};
use serde::Serialize;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

#[derive(Args, Debug, Default)]
#[command(after_long_help = crate::benchmark::column_help())]
pub(crate) struct DemoArgs {
    /// Print the whole tables of every map, and draw each of them
    #[arg(long)]
    pub(crate) all: bool,
    /// Draw one problem as four planners and agents answer it, into this .png file, and nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "planners", "agents", "explain"])]
    pub(crate) picture: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) contestants: ContestantArgs,
}

/// The maps that come with the program.
const MAPS: [(&str, &[u8]); 2] = [
    ("rooms.map", include_bytes!("../../../maps/rooms.map")),
    ("caves.map", include_bytes!("../../../maps/caves.map")),
];

/// The one that the story is about.
const STORY: (&str, &[u8]) = MAPS[1];

/// Problems on each of them, and on each of the others.
const PROBLEMS: u32 = 200;
const FEWER_PROBLEMS: u32 = 100;

/// What no agent needs on maps this small.
const MAX_MOVES: u64 = 1_000_000;

/// Where the pictures go.
const FOLDER: &str = "target/demo";

#[derive(Serialize)]
struct Document {
    maps: Vec<MapDocument>,
}

#[derive(Serialize)]
struct MapDocument {
    #[serde(flatten)]
    bench: benchmark::Document,
    /// The picture of the longest problem.
    picture: String,
}

#[derive(Serialize)]
struct BoardDocument {
    picture: String,
}

pub(crate) fn run(globals: &Globals, args: &DemoArgs) -> Result<Answer, Failure> {
    if let Some(path) = &args.picture {
        return draw_board(globals, path);
    }
    let folder = Path::new(FOLDER);
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::unwritable(folder, format!("the folder cannot be made here: {error}")))?;
    pool::start_threads(globals)?;
    // Programs get everything, and so do people who ask for it or choose what runs.
    let chosen = &args.contestants;
    if !(globals.json || args.all || chosen.planners.is_some() || chosen.agents.is_some() || chosen.explain) {
        return story::run(globals, shipped(globals, STORY)?, folder);
    }
    let mut document = Document { maps: Vec::new() };
    let mut is_negative = false;
    for (mut world, problems) in worlds(globals)? {
        let asked = Asked::new(&args.contestants, None)?;
        let contestants = asked.prepare(&mut world, &Schedule::default())?;
        let drawn = draw::draw(&world, problems, Limits::NONE, globals.seed)?;
        let problems = Problems::drawn(&world, &drawn);
        let terms = Terms { check: Check::Exact, max_moves: MAX_MOVES };
        let benchmark = Benchmark::new(&world, &problems, &contestants, terms);
        let picture = draw_longest(folder, &world, &drawn)?;
        is_negative |= benchmark.is_negative();
        if !globals.json {
            let table = benchmark::show(&benchmark, args.contestants.explain);
            output::write(&format!("{table}\npicture: {}\n\n", picture.display()))?;
        }
        let picture = picture.to_string_lossy().into_owned();
        document.maps.push(MapDocument { bench: benchmark::Document::new(&benchmark), picture });
    }
    Ok(Answer::new(globals.json, &document, || NEXT.to_owned()).negative_if(is_negative))
}

/// Draws the picture of the story alone.
fn draw_board(globals: &Globals, path: &Path) -> Result<Answer, Failure> {
    picture::check_ending("--picture", "png", path)?;
    output::check_folder(path)?;
    pool::start_threads(globals)?;
    let mut world = shipped(globals, STORY)?;
    story::prepare(&mut world)?;
    let drawn = draw::draw(&world, story::PROBLEMS, Limits::NONE, globals.seed)?;
    let longest = drawn.iter().max_by_key(|drawn| drawn.cost);
    if let Some(longest) = longest {
        board::save(path, &world, (longest.start, longest.goal))?;
    }
    let document = BoardDocument { picture: path.to_string_lossy().into_owned() };
    Ok(Answer::new(globals.json, &document, || format!("picture     {}\n", document.picture)))
}

/// A map that comes with the program.
fn shipped(globals: &Globals, (file, bytes): (&str, &[u8])) -> Result<World, Failure> {
    let map = movingai::read(bytes).map_err(|error| broken(file, &error))?;
    let grid = map.grid(globals.rule()).map_err(|error| broken(file, &error))?;
    Ok(World::of(file.as_ref(), grid))
}

/// Where the benchmark is run, and with how many problems.
fn worlds(globals: &Globals) -> Result<Vec<(World, u32)>, Failure> {
    let mut worlds = Vec::new();
    for map in MAPS {
        worlds.push((shipped(globals, map)?, PROBLEMS));
    }
    let mut made = |file: &str, space: Space| worlds.push((World::of(file.as_ref(), space), FEWER_PROBLEMS));
    let hexagons = generate(Kind::Caves, 120, 90, 2).map_err(|error| broken("hexagons", &error))?;
    made("hexagons.map", hexagons.grid(Rule::Hex).map_err(|error| broken("hexagons", &error))?.into());

    let city = generate(Kind::City, 160, 120, 1).map_err(|error| broken("city", &error))?;
    let weights = Weights::parse("G=4").map_err(|error| broken("city", &error))?.weights_of(&city);
    let grid = city.grid(globals.rule()).map_err(|error| broken("city", &error))?;
    let weight = |x: u32, y: u32| weights[y as usize * city.width() as usize + x as usize];
    made("weighted-city.map", grid.with_weights(weight).map_err(|error| broken("city", &error))?.into());

    // Through the format of Tiled, whose isometric maps are drawn as rhombi.
    let arena = generate(Kind::Arena, 96, 72, 3).map_err(|error| broken("isometric", &error))?;
    let weights = Weights::parse("G=2,S=5").map_err(|error| broken("isometric", &error))?.weights_of(&arena);
    let bytes =
        tiled::write(&arena, Some(&weights), Shape::Rhombus).map_err(|error| broken("isometric", &error))?;
    let level = tiled::read(&bytes, &tiled::Options::default(), |_| Err(ErrorKind::NotFound.into()))
        .map_err(|error| broken("isometric", &error))?;
    let isometric = World::tiled("isometric.tmx".as_ref(), globals.moves, &level)?;

    let (roads, coordinates) = roads(2_500, 1);
    let graph = RoadFiles { roads, coordinates }.graph().map_err(|error| broken("roads", &error))?;
    made("roads.gr", graph.into());
    worlds.push((isometric, FEWER_PROBLEMS));
    Ok(worlds)
}

/// A map of the program's own that is no good; it does not happen.
fn broken(name: &str, error: &dyn std::error::Error) -> Failure {
    Failure::damaged(Path::new(name), error.to_string())
}

const NEXT: &str = "\
Each picture shows the longest of the problems, what was expanded for it, and the path; its legend says which colour is
what. Next: `milepost list`, or `milepost path MAP --from X,Y --to X,Y --png FILE` on your own map.
";

/// Draws the search of the fastest planner on the longest problem.
fn draw_longest(folder: &Path, world: &World, drawn: &[Drawn]) -> Result<PathBuf, Failure> {
    let path = folder.join(&world.name).with_extension("png");
    if let Some(longest) = drawn.iter().max_by_key(|drawn| drawn.cost) {
        let mut scratch = Scratch::new();
        let query = Query::new(longest.start, longest.goal);
        let planner = names::fastest(&world.atlas, false)?.planner;
        planner.plan(&world.atlas, &query, &mut scratch, &mut Budget::unlimited());
        let goals = [longest.goal];
        let scene = picture::Scene::of_query(world, &scratch, (longest.start, &goals), true);
        picture::save_png(&path, world, &scene)?;
    }
    Ok(path)
}
