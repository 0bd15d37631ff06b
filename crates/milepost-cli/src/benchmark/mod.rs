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
//! | `document` | the result as JSON |
//! | `show` | the result as text |

mod check;
mod document;
mod journeys;
mod problems;
mod reference;
mod run;
mod show;
mod statistics;
mod tally;

pub(crate) use document::Document;
pub(crate) use problems::{Problems, Task};
pub(crate) use show::show;

use crate::agents::NamedAgent;
use crate::args::Check;
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
}

impl<'a> Benchmark<'a> {
    /// Lets planners and agents run, one after the other.
    pub(crate) fn new(
        world: &'a World,
        problems: &'a Problems,
        (planners, agents): (&[Named], &[NamedAgent]),
        terms: Terms,
    ) -> Benchmark<'a> {
        let tasks = &problems.tasks;
        let references = reference::references(world, tasks, terms.check);
        let planned = planners.iter().map(|named| Run::of_planner(world, tasks, &references, terms, named));
        let walked = agents.iter().map(|named| Run::of_agent(world, tasks, &references, terms, named));
        let runs = planned.chain(walked).collect();
        Benchmark { world, problems, check: terms.check, references, runs }
    }

    /// Whether an answer was wrong, or a planner or agent that promises optimal paths did not find one.
    pub(crate) fn is_negative(&self) -> bool {
        self.runs.iter().any(|run| run.tally.failed > 0 || run.broken_promises > 0)
    }

    /// Problems whose listed length is not the true one, if there are such lengths and that was looked at.
    fn disagreements(&self) -> Option<Vec<(&Task, &Reference)>> {
        let scale = self.world.scale();
        let pairs = self.problems.tasks.iter().zip(&self.references);
        let disagree = pairs.filter(|(task, reference)| !reference.agrees_with(task, scale));
        (self.check != Check::None && self.problems.are_listed()).then(|| disagree.collect())
    }

    fn difficulty(&self) -> Difficulty {
        Difficulty::new(&self.references)
    }
}
