//! Planners and agents on the same problems: every path and step is checked, every cost compared, everything timed.
//!
//! | file | what it does |
//! |---|---|
//! | `problems` | problems from a .scen file, held against the map |
//! | `reference` | the true optima, and how hard the problems are for A* |
//! | `check` | whether an answer is what it claims to be |
//! | `run` | one planner on all problems, timed |
//! | `journeys` | one agent on all problems, timed |
//! | `tally` | how good the answers were |
//! | `statistics` | means and percentiles |
//! | `document` | the result as JSON |
//! | `rows` | a line for each problem of each run, as CSV |
//! | `show` | the result as text |
//! | `tables` | the tables in it |
//! | `summary` | the few figures that a story tells |
//! | `plot` | the result as two plots |
//! | `ticks` | where the ticks of their axes stand |

mod check;
mod document;
mod journeys;
mod plot;
mod problems;
mod reference;
mod rows;
mod run;
mod show;
mod statistics;
mod summary;
mod tables;
mod tally;
mod ticks;

pub(crate) use document::Document;
pub(crate) use plot::plot;
pub(crate) use problems::{Problems, Task};
pub(crate) use rows::rows;
pub(crate) use show::show;
pub(crate) use summary::Summary;
pub(crate) use tables::column_help;

use crate::args::Check;
use crate::contestants::{Contestants, LeftOut};
use crate::names::Named;
use crate::world::World;
use reference::{Difficulty, Reference};
use run::Run;

/// The terms that a benchmark is run on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// What costs are compared with.
    pub(crate) check: Check,
    /// An agent that has not arrived after so many moves has failed.
    pub(crate) max_moves: u64,
}

/// What came of a benchmark.
#[derive(Debug)]
pub(crate) struct Benchmark<'a> {
    pub(crate) world: &'a World,
    pub(crate) problems: &'a Problems,
    check: Check,
    references: Vec<Reference>,
    runs: Vec<Run>,
    left_out: &'a [LeftOut],
}

impl<'a> Benchmark<'a> {
    /// Lets planners and agents run, one after the other.
    pub(crate) fn new(
        world: &'a World,
        problems: &'a Problems,
        contestants: &'a Contestants,
        terms: Terms,
    ) -> Benchmark<'a> {
        let Contestants { planners, agents, left_out } = contestants;
        let references = reference::references(world, problems, terms.check);
        // On a mesh a cost is compared with the least one over the same nodes.
        let (over_centres, of_agents) = match world.mesh() {
            Some(_) => (reference::over_centres(&references), reference::of_agents(&references)),
            None => (references.clone(), references.clone()),
        };
        let truth = |named: &Named| if named.planner.passes_portals() { &references } else { &over_centres };
        let planned =
            planners.iter().map(|named| Run::of_planner(world, problems, truth(named), terms, named));
        let walked = agents.iter().map(|named| Run::of_agent(world, problems, &of_agents, terms, named));
        let runs = planned.chain(walked).collect();
        Benchmark { world, problems, check: terms.check, references, runs, left_out }
    }

    /// Whether an answer was wrong, or a planner or agent that promises optimal paths did not find one.
    pub(crate) fn is_negative(&self) -> bool {
        self.runs.iter().any(|run| run.tally.failed > 0 || run.broken_promises > 0)
    }

    /// Problems whose listed length is not the true one, if there are such lengths and that was looked at.
    fn disagreements(&self) -> Option<Vec<(&Task, &Reference)>> {
        let pairs = self.problems.tasks.iter().zip(&self.references);
        let disagree = pairs.filter(|(task, reference)| !reference.agrees_with(task));
        // Lengths are those of the map before any edit.
        let is_asked = self.check != Check::None && !self.problems.are_edited();
        (is_asked && self.problems.are_listed()).then(|| disagree.collect())
    }

    fn difficulty(&self) -> Difficulty {
        Difficulty::new(&self.references)
    }
}
