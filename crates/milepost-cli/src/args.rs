//! The command line: every subcommand and option, with the help that users read.

use crate::on_mesh::Areas;
use crate::place::Place;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use milepost::Rule;
use milepost_maps::generate::{Kind, MIN_SIZE};
use milepost_maps::mesh::make::Keep;
use milepost_maps::{Format, GenerateError, Weights, WeightsError};
use std::path::PathBuf;

/// Pathfinding for game worlds: exact paths, agents that move a step at a time, benchmarks of both, and pictures.
///
/// Without a subcommand it runs the demo.
#[derive(Parser, Debug)]
#[command(
    name = "milepost",
    version,
    after_help = "Coordinates are X,Y from the top left corner, 0,0, X,Y,Z in an octree; nodes of a graph are #ID.\n\
    `-` in place of a file is standard input or standard output.\n\
    Exit codes: 0 done; 1 a negative answer; 2 wrong usage; 3 a file that is unreadable, damaged or unwritable."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Options of every subcommand.
#[derive(Args, Debug)]
pub(crate) struct Globals {
    /// Print one JSON document instead of text
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
    /// The movement rule of a map of cells [default: octile; on a hexagonal map of Tiled, its own]
    #[arg(long, global = true, value_name = "RULE", value_parser = rules(), help_heading = "Everywhere")]
    pub(crate) moves: Option<Rule>,
    /// Where random numbers begin: the same seed gives the same results on every machine
    #[arg(long, global = true, value_name = "S", default_value_t = 0, help_heading = "Everywhere")]
    pub(crate) seed: u64,
    /// Threads to work with, at most 1024; 0 means one for each core
    #[arg(
        long,
        global = true,
        value_name = "N",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=1024),
        help_heading = "Everywhere"
    )]
    pub(crate) threads: u32,
}

impl Globals {
    /// The movement rule of a map of cells.
    pub(crate) fn rule(&self) -> Rule {
        self.moves.unwrap_or_default()
    }
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Show on one screen what planners and agents do on a map that comes with the program, with a picture in target/demo
    Demo(DemoArgs),
    /// Show every planner, agent and index with its parameters, rules and guarantees
    List,
    /// Describe a map or graph: size, states, components, hash, scale of costs
    Info(InfoArgs),
    /// Make a map or a road network from a seed
    Generate(GenerateArgs),
    /// Write a map in another format, or larger
    Convert(ConvertArgs),
    /// Draw random problems with their exact optimal lengths, as a .scen file
    Scenarios(ScenariosArgs),
    /// Work out indexes of a map, and write them with the map into one file
    Build(BuildArgs),
    /// Tell how large indexes would be and how long they would take to build
    Estimate(EstimateArgs),
    /// Prove an index file: checksums, every jump and hop against its map, and answers against a plain search
    Verify(VerifyArgs),
    /// Repair the first moves of an index file after edits of its map
    Repair(RepairArgs),
    /// Find one path
    Path(PathArgs),
    /// Let one agent walk, a move at a time
    Walk(WalkArgs),
    /// Open the explorer: a page on which every planner and agent is seen at work
    Explore(ExploreArgs),
    /// Benchmark planners and agents on the problems of a .scen file, and check every path and every step
    Bench(BenchArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all subcommands
    Man(ManArgs),
}

/// A map, and how to read it.
#[derive(Args, Debug)]
pub(crate) struct MapArgs {
    /// A map or graph: .map (MovingAI), .png (a picture), .tmx (Tiled), .gr (DIMACS; coordinates from a .co file
    /// beside it), .quad and .oct (a quadtree, an octree), .3dmap (voxels, as an octree), or .milepost (an index file);
    /// `-` for standard input, whose first bytes tell which
    pub(crate) map: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// What a file holds, whatever its name ends in.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileFormat {
    // No docs: they would stretch the help of every command that reads maps.
    Map,
    Png,
    Tmx,
    Gr,
    Quad,
    Oct,
    #[value(name = "3dmap")]
    Voxels,
    Mesh,
    Json,
    Obj,
    Milepost,
}

impl From<FileFormat> for Format {
    fn from(format: FileFormat) -> Format {
        match format {
            FileFormat::Map => Format::MovingAi,
            FileFormat::Png => Format::Picture,
            FileFormat::Tmx => Format::Tiled,
            FileFormat::Gr => Format::Roads,
            FileFormat::Quad | FileFormat::Oct => Format::Tree,
            FileFormat::Voxels => Format::Voxels,
            FileFormat::Mesh => Format::Mesh,
            FileFormat::Json => Format::MeshJson,
            FileFormat::Obj => Format::MeshObj,
            FileFormat::Milepost => Format::Index,
        }
    }
}

/// How to read a map.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadingArgs {
    /// What the map is, whatever its name ends in and its first bytes tell
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<FileFormat>,
    /// What letters of a .map file weigh, from 1 to 255, such as S=3,G=2: a step costs the mean of its two cells
    #[arg(long, value_name = "LIST", value_parser = weights)]
    pub(crate) weights: Option<Weights>,
    /// What a unit of length costs in areas of a mesh, from 0.01 to 1000, or that they are blocked, such as
    /// water=4,3=2.5,door=blocked
    #[arg(long, value_name = "LIST", value_parser = Areas::parse)]
    pub(crate) areas: Option<Areas>,
    /// Pixels of a picture darker than this are blocked [default: 128]
    #[arg(long, value_name = "N")]
    pub(crate) threshold: Option<u8>,
    /// Grey levels of a picture are weights: white 1, each 16 levels darker one more
    #[arg(long)]
    pub(crate) grey_weights: bool,
    #[command(flatten)]
    pub(crate) tiled: TiledArgs,
}

impl ReadingArgs {
    /// Whether none is given.
    pub(crate) fn are_default(&self) -> bool {
        let ReadingArgs { format, weights, areas, threshold, grey_weights, tiled } = self;
        let is_given = format.is_some() || weights.is_some() || areas.is_some() || threshold.is_some();
        !is_given && !grey_weights && *tiled == TiledArgs::default()
    }
}

/// What a map of Tiled calls things.
#[derive(Args, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TiledArgs {
    /// The bool property of tiles, layers and groups of a .tmx file that says what is blocked [default: blocked]
    #[arg(long, value_name = "NAME")]
    pub(crate) blocked_property: Option<String>,
    /// The int property of tiles, layers and groups of a .tmx file that says what they weigh [default: weight]
    #[arg(long, value_name = "NAME")]
    pub(crate) weight_property: Option<String>,
    /// A layer or group of a .tmx file whose tiles are blocked; may be given several times [default: blocked, walls,
    /// collision]
    #[arg(long, value_name = "NAME")]
    pub(crate) blocked_layer: Vec<String>,
    /// Read tilesets of a .tmx file that lie outside its folder too; without this they are an error, since a map could
    /// name any file of the machine
    #[arg(long)]
    pub(crate) allow_outside: bool,
}

#[derive(Args, Debug)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
}

#[derive(Args, Debug)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// The indexes, separated by commas; `milepost list` shows them; `none` for the map alone [default: the standard one of
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

#[derive(Args, Debug)]
pub(crate) struct EstimateArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// The indexes, separated by commas; `milepost list` shows them [default: the standard one of the map]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) index: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// An index file
    pub(crate) file: PathBuf,
    /// The map that it should have been built from; with the options that it was read with then
    #[arg(long, value_name = "MAP")]
    pub(crate) map: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// How many random problems to put to every planner that the file allows
    #[arg(long, value_name = "K", default_value_t = 100)]
    pub(crate) sample: u32,
}

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

#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    /// What kind of map
    #[arg(value_parser = kinds())]
    pub(crate) kind: Made,
    /// Columns of a map
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(i64::from(MIN_SIZE)..))]
    pub(crate) width: Option<u32>,
    /// Rows of a map
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u32).range(i64::from(MIN_SIZE)..))]
    pub(crate) height: Option<u32>,
    /// Nodes of a road network
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_NODES))]
    pub(crate) nodes: Option<u32>,
    /// The file to write: .map, .png or .tmx for a map; .gr for roads, whose .co file comes beside it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// Road networks with more nodes are not generated: they would take more memory than most machines have.
const MOST_NODES: i64 = 1 << 26;

/// What can be generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Made {
    Map(Kind),
    Roads,
}

impl Made {
    /// The name by which users call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Made::Map(kind) => kind.name(),
            Made::Roads => "roads",
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// The file to read: .map, .png, .tmx, .gr, .3dmap, .mesh, .json or .obj; `-` for standard input
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write: .map, .png, .tmx, .quad, .mesh or .json (a mesh) for a map of cells, .gr for a graph, .oct for
    /// voxels, .map, .mesh or .json for a mesh; `-` for standard output, as .map or .gr
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// What the file to read holds, whatever its name ends in and its first bytes tell
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<FileFormat>,
    /// Every cell becomes N x N cells
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) scale: Option<u32>,
    /// What letters of a .map file weigh, for a mesh: ground of different weight becomes areas of their own
    #[arg(long, value_name = "LIST", value_parser = weights)]
    pub(crate) weights: Option<Weights>,
    /// A rectangle of cells that becomes polygons of its own in a mesh, such as a door; may be given several times
    #[arg(long, value_name = "X,Y,W,H", value_parser = keep)]
    pub(crate) keep: Vec<Keep>,
    /// How large the cells of a map are that is made from a mesh [default: 1]
    #[arg(long, value_name = "S")]
    pub(crate) cell: Option<f64>,
    /// Pixels of a picture darker than this are blocked [default: 128]
    #[arg(long, value_name = "N")]
    pub(crate) threshold: Option<u8>,
    #[command(flatten)]
    pub(crate) tiled: TiledArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ScenariosArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// How many problems
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) count: u32,
    /// Only problems whose optimal path costs at least this much
    #[arg(long, value_name = "C", value_parser = cost, allow_negative_numbers = true)]
    pub(crate) min_cost: Option<f64>,
    /// Only problems whose optimal path costs at most this much
    #[arg(long, value_name = "C", value_parser = cost, allow_negative_numbers = true)]
    pub(crate) max_cost: Option<f64>,
    /// The .scen file to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct PathArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// Where the path begins: X,Y, or #ID on a graph or a mesh
    #[arg(long, value_name = "PLACE", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) from: Place,
    /// Where it ends; if given several times, the goal that costs least
    #[arg(long, value_name = "PLACE", value_parser = Place::parse, allow_hyphen_values = true, required = true)]
    pub(crate) to: Vec<Place>,
    /// The planner, as `NAME[:VALUE][:key=value]...`; `milepost list` shows them all [default: the fastest exact one]
    #[arg(long, value_name = "PLANNER")]
    pub(crate) planner: Option<String>,
    /// If no goal can be reached, or not within the budget: a path to the best place instead
    #[arg(long)]
    pub(crate) partial: bool,
    /// Move a start or goal that is blocked or outside the map to the nearest free cell
    #[arg(long)]
    pub(crate) snap: bool,
    /// Also pull the path straight: segments between cells that see each other; not on hexagons and graphs
    #[arg(long)]
    pub(crate) straight: bool,
    /// Ask for the cost alone: no path is written
    #[arg(long, conflicts_with_all = ["straight", "png", "svg", "trace"])]
    pub(crate) distance: bool,
    /// A grey picture as large as the map that makes cells dearer: white costs 1 times, black 255 times
    #[arg(long, value_name = "PNG", conflicts_with = "trace")]
    pub(crate) overlay: Option<PathBuf>,
    /// The most work to do, in units of about one expanded state
    #[arg(long, value_name = "N", conflicts_with = "trace")]
    pub(crate) budget: Option<u64>,
    /// Edit the map first: lines as `milepost repair` reads them
    #[arg(long, value_name = "FILE")]
    pub(crate) edits: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) picture: PictureArgs,
    #[command(flatten)]
    pub(crate) trace: TraceArgs,
}

/// What is written for a visualiser of searches.
#[derive(Args, Debug, Default)]
pub(crate) struct TraceArgs {
    /// Write what was done, step by step, for the visualiser Posthoc: NAME.trace.json or NAME.trace.yaml
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// The most events of a trace; what is left out is counted
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "trace",
          value_parser = clap::value_parser!(u32).range(3..=10_000_000))]
    pub(crate) events: u32,
}

/// What is drawn.
#[derive(Args, Debug, Default)]
pub(crate) struct PictureArgs {
    /// Draw the map, what was searched and the path or trail with a legend, as a .png file
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// The same as an .svg file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Leave out of pictures what was searched: expanded states, what an agent has seen, where it was more than once
    #[arg(long)]
    pub(crate) no_search: bool,
}

impl PictureArgs {
    /// Whether anything is to be drawn.
    pub(crate) fn are_given(&self) -> bool {
        self.png.is_some() || self.svg.is_some()
    }
}

#[derive(Args, Debug)]
pub(crate) struct WalkArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// Where the agent stands: X,Y, or #ID on a graph or a mesh
    #[arg(long, value_name = "PLACE", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) from: Place,
    /// Where it wants to be
    #[arg(long, value_name = "PLACE", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) to: Place,
    /// The agent, as `NAME[:VALUE][:key=value]...`; `milepost list` shows them all. What it reads is built on the spot
    /// for a map; an index file must hold it [default: the best one that an index file allows; for a map the best one]
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// Move a start or goal that is blocked or outside the map to the nearest free cell
    #[arg(long)]
    pub(crate) snap: bool,
    #[command(flatten)]
    pub(crate) journey: JourneyArgs,
    /// Edit the map on the way: lines as `milepost repair` reads them, those that begin with `@N` before move N, counted
    /// from 0, the others before all of them
    #[arg(long, value_name = "FILE")]
    pub(crate) edits: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) picture: PictureArgs,
    /// Draw the journey as a .gif file, a frame every so many moves
    #[arg(long, value_name = "FILE")]
    pub(crate) gif: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) trace: TraceArgs,
}

/// What agents are allowed.
#[derive(Args, Debug)]
pub(crate) struct JourneyArgs {
    /// How far agents see: so many cells, `los` for lines of sight, `all` for the whole map. Those that know the map take
    /// `all` alone, those that find their way by what they see anything else [default: all, or 1]
    #[arg(long, value_name = "R|los|all", value_parser = Sight::parse)]
    pub(crate) sight: Option<Sight>,
    /// An agent that has not arrived after N moves is stopped
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_moves: u64,
}

#[derive(Args, Debug)]
pub(crate) struct ExploreArgs {
    /// A map, graph, mesh or index file that the page begins with, of any format that the other commands read; `-` for
    /// standard input [default: a map that comes with the program]
    pub(crate) map: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// The port of 127.0.0.1 to listen on [default: a free one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,
    /// Print the address, and open no browser; without this one is opened where the command was typed at a terminal that
    /// has a display
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// How far an agent sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sight {
    /// The whole map, from the beginning.
    All,
    /// So many cells around it.
    Radius(u32),
    /// Whatever no wall hides.
    Lines,
}

impl Sight {
    fn parse(text: &str) -> Result<Sight, String> {
        match text {
            "all" => Ok(Sight::All),
            "los" => Ok(Sight::Lines),
            _ => text
                .parse()
                .ok()
                .filter(|radius| *radius > 0)
                .map(Sight::Radius)
                .ok_or_else(|| "expected a radius from 1 on in cells, `los` or `all`".to_owned()),
        }
    }
}

impl std::fmt::Display for Sight {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sight::All => out.write_str("all"),
            Sight::Radius(radius) => write!(out, "{radius}"),
            Sight::Lines => out.write_str("los"),
        }
    }
}

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

#[derive(Args, Debug)]
#[command(after_long_help = crate::benchmark::column_help())]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// The problems: a .scen file; for a graph also a .p2p file, which lists no lengths
    #[arg(long, value_name = "FILE")]
    pub(crate) scen: PathBuf,
    #[command(flatten)]
    pub(crate) contestants: ContestantArgs,
    /// Only every K-th problem, beginning with the first
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// At most N problems
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    #[command(flatten)]
    pub(crate) journey: JourneyArgs,
    /// What costs are compared with
    #[arg(long, value_enum, default_value_t = Check::Exact)]
    pub(crate) check: Check,
    /// Edit the map on the way: lines as `milepost repair` reads them, those that begin with `@N` before query N, counted
    /// from 0 after --every and --limit, the others before all of them. Each run begins with the map as it was
    #[arg(long, value_name = "FILE")]
    pub(crate) edits: Option<PathBuf>,
    /// Write a line for each problem of each run, as comma-separated values
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) rows: Option<PathBuf>,
    /// Plot the runs as an .svg file: time against memory, and cost against work
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

/// What runs in a benchmark.
#[derive(Args, Debug, Default)]
pub(crate) struct ContestantArgs {
    /// Planners, separated by commas; `all` stands for every planner whose index is built within a minute, `default` for
    /// those that are quick to prepare [default: default, or none if agents are given]
    #[arg(long, value_name = "LIST|all|default", value_delimiter = ',')]
    pub(crate) planners: Option<Vec<String>>,
    /// Agents, separated by commas; `all` and `default` as for planners [default: default, or none if planners are given]
    #[arg(long, value_name = "LIST|all|default", value_delimiter = ',')]
    pub(crate) agents: Option<Vec<String>>,
    /// Say under the tables what the heads of their columns mean
    #[arg(long)]
    pub(crate) explain: bool,
}

/// What the costs of paths are compared with.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Check {
    /// Our own Dijkstra, on all threads
    Exact,
    /// The lengths in the .scen file
    Scen,
    /// Nothing: paths are checked, their costs are not compared
    None,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Write the pages of the program and of all subcommands into this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

fn rules() -> impl TypedValueParser<Value = Rule> {
    PossibleValuesParser::new(Rule::ALL.map(Rule::name))
        .try_map(|name| Rule::from_name(&name).ok_or("there is no such rule"))
}

fn kinds() -> impl TypedValueParser<Value = Made> {
    let names: Vec<&str> =
        Kind::ALL.iter().map(|kind| Made::Map(*kind)).chain([Made::Roads]).map(Made::name).collect();
    PossibleValuesParser::new(names).try_map(|name| {
        if name == Made::Roads.name() {
            return Ok::<Made, GenerateError>(Made::Roads);
        }
        Kind::from_name(&name).map(Made::Map)
    })
}

fn keep(text: &str) -> Result<Keep, String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, width, height]) => Ok(Keep { x, y, width, height }),
        _ => Err("expected X,Y,W,H in whole numbers, such as 12,7,2,1".to_owned()),
    }
}

fn weights(text: &str) -> Result<Weights, WeightsError> {
    Weights::parse(text)
}

fn cost(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| "expected a number that is not negative".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_put_together_right() {
        Cli::command().debug_assert();
    }
}
