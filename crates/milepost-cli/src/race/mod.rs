//! Planners on the same problems: every path is checked, every cost compared, every query timed.
//!
//! | file | what it does |
//! |---|---|
//! | `problems` | problems from a .scen file, held against the map |
//! | `reference` | the true optima, and how hard the problems are for A* |
//! | `check` | whether a path is what it claims to be |
//! | `run` | one planner on all problems, timed |
//! | `tally` | how good its answers were |
//! | `document` | the result as JSON |
//! | `show` | the result as people read it |

mod check;
mod document;
mod problems;
mod reference;
mod run;
mod show;
mod statistics;
mod tally;

pub(crate) use document::Document;
pub(crate) use problems::{Problems, Task};
pub(crate) use show::show;

use crate::args::Check;
use crate::names::Named;
use crate::world::World;
use reference::{Difficulty, Reference};
use run::Run;

/// What came of a race.
#[derive(Debug)]
pub(crate) struct Race<'a> {
    pub(crate) world: &'a World,
    pub(crate) problems: &'a Problems,
    check: Check,
    references: Vec<Reference>,
    runs: Vec<Run>,
}

impl<'a> Race<'a> {
    /// Lets the planners run.
    pub(crate) fn new(
        world: &'a World,
        problems: &'a Problems,
        planners: &[Named],
        check: Check,
    ) -> Race<'a> {
        let references = reference::references(world, &problems.tasks, check);
        let runs = planners
            .iter()
            .map(|planner| Run::new(world, &problems.tasks, &references, check, planner))
            .collect();
        Race { world, problems, check, references, runs }
    }

    /// Whether a path was wrong, or a planner that promises optimal paths did not find one.
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
