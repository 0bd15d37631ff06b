//! The command line: the options that hold everywhere, and the subcommands. What a subcommand alone takes stands in its file.
//!
//! | file | what it holds |
//! |---|---|
//! | `reading` | how a map is read |
//! | `running` | which planners and agents run, what agents are allowed, what costs are compared with |
//! | `tips` | what a line that cannot be understood may have meant |
//! | `writing` | pictures and traces |

mod reading;
mod running;
mod tips;
mod writing;

use crate::commands::{
    bench::BenchArgs, build::BuildArgs, completions::CompletionsArgs, convert::ConvertArgs, demo::DemoArgs,
    estimate::EstimateArgs, explore::ExploreArgs, generate::GenerateArgs, info::InfoArgs, list::ListArgs,
    man::ManArgs, path::PathArgs, repair::RepairArgs, scenarios::ScenariosArgs, verify::VerifyArgs,
    walk::WalkArgs,
};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use milepost::Rule;

pub(crate) use reading::{FileFormat, MapArgs, ReadingArgs, TiledArgs};
pub(crate) use running::{Check, ContestantArgs, JourneyArgs, Sight};
pub(crate) use tips::add_tips;
pub(crate) use writing::{PictureArgs, TraceArgs};

/// Pathfinding for game worlds: exact paths, agents that move a step at a time, benchmarks of both, and pictures.
///
/// Without a subcommand it runs the demo.
#[derive(Parser, Debug)]
#[command(
    name = "milepost",
    version,
    after_help = "Coordinates are X,Y from the top left corner, 0,0, X,Y,Z in an octree; nodes of a graph are #ID.\n\
    `-` in place of a file is standard input or standard output.\n\
    Exit codes: 0 done; 1 a negative answer; 2 wrong usage; 3 a file that is unreadable, damaged or unwritable;\n\
    130 stopped by Ctrl-C."
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
    List(ListArgs),
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

fn rules() -> impl TypedValueParser<Value = Rule> {
    PossibleValuesParser::new(Rule::ALL.map(Rule::name))
        .try_map(|name| Rule::from_name(&name).ok_or("there is no such rule"))
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
