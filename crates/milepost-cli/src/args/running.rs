//! What runs, and what it is held against.

use clap::{Args, ValueEnum};

/// What agents are allowed.
#[derive(Args, Debug)]
pub(crate) struct JourneyArgs {
    /// How far agents see: so many cells, `los` for lines of sight, `all` for the whole map. Those that know the map take
    /// `all` alone, those that find their way by what they see anything else [default: all, or 1]
    #[arg(long, value_name = "R|los|all", value_parser = Sight::parse, allow_negative_numbers = true)]
    pub(crate) sight: Option<Sight>,
    /// An agent that has not arrived after N moves is stopped
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_moves: u64,
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

/// What runs in a benchmark.
#[derive(Args, Debug, Default)]
pub(crate) struct ContestantArgs {
    /// Planners, separated by commas; `all` stands for every planner whose index is built within a minute, `default` for
    /// those that are quick to prepare; on an index file both for those whose index it holds [default: default, or none if agents are given]
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
