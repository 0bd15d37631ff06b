//! Problems from a .scen file, held against the map they are for.

use crate::draw::Drawn;
use crate::failure::Failure;
use crate::output;
use crate::world::World;
use milepost::maps::{ListedLength, Problem};
use milepost::{Point, StateId, files};
use std::path::Path;

/// A problem on the map at hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) start: StateId,
    pub(crate) goal: StateId,
    /// What the file says.
    pub(crate) listed: ListedLength,
    /// Where it says so; 0 for a problem from no file.
    pub(crate) line: u32,
}

/// The problems of a race.
#[derive(Debug)]
pub(crate) struct Problems {
    pub(crate) tasks: Vec<Task>,
    /// Problems that were left out because a start or goal is blocked.
    pub(crate) skipped: usize,
}

impl Problems {
    /// Every `every`-th problem of a file, at most `limit`.
    pub(crate) fn open(
        path: &Path,
        world: &World,
        every: u32,
        limit: Option<u32>,
    ) -> Result<Problems, Failure> {
        let problems = files::read_scenario(path)?;
        // All of them are looked at, whichever are chosen: a damaged file is a damaged file.
        let tasks = problems
            .iter()
            .map(|problem| task(path, world, problem))
            .collect::<Result<Vec<Task>, Failure>>()?;
        if let Some(problem) = problems.iter().find(|problem| problem.map_base_name() != world.file_name) {
            output::note(&format!(
                "note: {}: line {} is for `{}`, the map is `{}`",
                path.display(),
                problem.line,
                problem.map_base_name().escape_debug(),
                world.file_name
            ));
        }
        let limit = limit.map_or(usize::MAX, |limit| limit as usize);
        let chosen: Vec<Task> = tasks.into_iter().step_by(every as usize).take(limit).collect();
        let is_free = |task: &Task| world.grid.is_free(task.start) && world.grid.is_free(task.goal);
        let (tasks, blocked): (Vec<Task>, Vec<Task>) = chosen.into_iter().partition(is_free);
        Ok(Problems { tasks, skipped: blocked.len() })
    }

    /// Problems that were drawn.
    pub(crate) fn drawn(world: &World, drawn: &[Drawn]) -> Problems {
        let scale = world.grid.scale();
        let task = |drawn: &Drawn| Task {
            start: drawn.start,
            goal: drawn.goal,
            listed: ListedLength::computed(scale.to_f64(drawn.cost)),
            line: 0,
        };
        Problems { tasks: drawn.iter().map(task).collect(), skipped: 0 }
    }
}

/// A problem of a file on the map at hand, if it can be on that map.
fn task(path: &Path, world: &World, problem: &Problem) -> Result<Task, Failure> {
    let (line, map) = (problem.line, (world.grid.width(), world.grid.height()));
    let damaged = |message: String| Failure::damaged(path, format!("line {line}: {message}"));
    if let Some(size) = problem.size
        && size != map
    {
        return Err(damaged(format!(
            "expected a problem on a map of {} x {}, as {} is, found one on {} x {}; the file belongs to another map",
            map.0, map.1, world.file_name, size.0, size.1
        )));
    }
    let state = |name: &str, (x, y): (u32, u32)| {
        world.grid.state_at(Point::new(x.into(), y.into())).ok_or_else(|| {
            damaged(format!("expected the {name} inside the map of {} x {}, found {x},{y}", map.0, map.1))
        })
    };
    Ok(Task {
        start: state("start", problem.start)?,
        goal: state("goal", problem.goal)?,
        listed: problem.length,
        line,
    })
}
