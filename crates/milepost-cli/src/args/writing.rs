//! What is drawn and traced.

use clap::Args;
use std::path::PathBuf;

/// What is written for a visualiser of searches.
#[derive(Args, Clone, Debug, Default)]
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
#[derive(Args, Clone, Debug, Default)]
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
