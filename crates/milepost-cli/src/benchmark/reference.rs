//! What a problem's best path costs, by our own plain search, and how hard the problem is for A*.

use super::problems::{Problems, Task};
use super::statistics;
use crate::args::Check;
use crate::names;
use crate::pool::Scratches;
use crate::progress;
use crate::world::World;
use milepost::plan::{Astar, Dijkstra};
use milepost::space::Reach;
use milepost::{Budget, Cost, CostScale, Planner, Query};
use rayon::prelude::*;
use serde::Serialize;

/// The truth about a problem.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reference {
    /// The goal can be reached from the start.
    pub(crate) is_reachable: bool,
    /// The least cost, if it was computed: by Dijkstra's algorithm where all is checked, else by A*.
    pub(crate) optimum: Option<Cost>,
    /// On a mesh the least cost over centres of polygons, and that between the two that an agent walks between.
    over_centres: Option<Cost>,
    of_agents: Option<Cost>,
    /// On a mesh what the path costs once it is pulled tight.
    pub(super) pulled: Option<f64>,
    /// What its costs are measured in.
    pub(super) scale: CostScale,
    /// States that A* expands for each edge of its path; none for a path without edges.
    difficulty: Option<f64>,
}

impl Reference {
    /// Whether the listed length, if there is one, is the true one. Files list 0 where there is no path.
    pub(crate) fn agrees_with(&self, task: &Task) -> bool {
        let Some(listed) = task.listed else { return true };
        match self.optimum {
            Some(optimum) => listed.agrees_with(self.scale.to_f64(optimum)),
            None => self.is_reachable || listed.value() == 0.0,
        }
    }
}

/// The truth for planners that pass centres of polygons on a mesh.
pub(super) fn over_centres(references: &[Reference]) -> Vec<Reference> {
    references.iter().map(|reference| Reference { optimum: reference.over_centres, ..*reference }).collect()
}

/// The truth for agents on a mesh, which walk from centre to centre.
pub(super) fn of_agents(references: &[Reference]) -> Vec<Reference> {
    references.iter().map(|reference| Reference { optimum: reference.of_agents, ..*reference }).collect()
}

/// The truth about all problems, computed on all threads.
pub(super) fn references(world: &World, problems: &Problems, check: Check) -> Vec<Reference> {
    let bar = progress::bar("exact costs", problems.tasks.len());
    let scratches = Scratches::default();
    let centres = world.mesh().map(|_| names::over_centres());
    let mut references = Vec::with_capacity(problems.tasks.len());
    problems.for_each_stretch(world, |stretch| {
        let world = stretch.world;
        references.par_extend(problems.tasks[stretch.tasks].par_iter().map(|task| {
            let reference = scratches.lend(|scratch| {
                let query = task.query();
                let astar = Astar::default().plan(&world.atlas, &query, scratch, &mut Budget::unlimited());
                let pulled = scratch.path().pulled_cost().filter(|_| astar.cost().is_some());
                let edges = world.atlas.space().cells(scratch.path()).count().saturating_sub(1);
                let difficulty = (astar.cost().is_some() && edges > 0)
                    .then(|| scratch.search().expanded() as f64 / edges as f64);
                let optimum = match check {
                    Check::Exact => {
                        let query = query.distance_only();
                        Dijkstra::default()
                            .plan(&world.atlas, &query, scratch, &mut Budget::unlimited())
                            .cost()
                    }
                    Check::Scen => astar.cost(),
                    Check::None => None,
                };
                let mut on_centres = |query: Query<'_>| {
                    let planner = centres.as_ref().filter(|_| check == Check::Exact)?;
                    planner.plan(&world.atlas, &query, scratch, &mut Budget::unlimited()).cost()
                };
                let over_centres = on_centres(task.query().distance_only());
                let of_agents = on_centres(Query::new(task.start, task.goal).distance_only());
                let is_reachable = match world.space().reach(task.start, task.goal) {
                    Reach::Always => true,
                    Reach::Never => false,
                    Reach::Perhaps => astar.cost().or(optimum).is_some(),
                };
                let scale = world.scale();
                Reference { is_reachable, optimum, over_centres, of_agents, pulled, scale, difficulty }
            });
            bar.inc(1);
            reference
        }));
    });
    bar.finish_and_clear();
    references
}

/// How hard the problems are for A*: states expanded for each edge of the path.
#[derive(Serialize, Debug)]
pub(crate) struct Difficulty {
    pub(super) min: Option<f64>,
    pub(super) mean: Option<f64>,
    pub(super) median: Option<f64>,
    /// Standard deviation of these problems, not of a population behind them.
    pub(super) sd: Option<f64>,
    pub(super) max: Option<f64>,
}

impl Difficulty {
    pub(super) fn new(references: &[Reference]) -> Difficulty {
        let values = statistics::sorted(references.iter().filter_map(|reference| reference.difficulty));
        Difficulty {
            min: values.first().copied(),
            mean: statistics::mean(&values),
            median: statistics::median(&values),
            sd: statistics::deviation(&values),
            max: values.last().copied(),
        }
    }
}
