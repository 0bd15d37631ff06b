//! Problems from a file, held against the map or graph they are for.

use crate::draw::Drawn;
use crate::edits::Schedule;
use crate::failure::Failure;
use crate::input;
use crate::on_mesh::{position_of, spelled};
use crate::output;
use crate::place::Place;
use crate::world::{World, first_node};
use milepost::space::SpaceKind;
use milepost::{Graph, Grid, NavMesh, Point, Position, Query, StateId};
use milepost_maps::{ListedLength, MeshPlace, Problem};
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

/// A problem on the map at hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) start: StateId,
    pub(crate) goal: StateId,
    /// On a mesh the points that a planner leads between; an agent walks between the states.
    pub(crate) points: Option<[Position; 2]>,
    /// What the file says, if it says anything; 0 where it says that there is no path.
    pub(crate) listed: Option<ListedLength>,
    /// Where it says so; 0 for a problem from no file.
    pub(crate) line: u32,
    /// How many problems were chosen before this one, skipped ones too.
    pub(crate) number: u32,
}

impl Task {
    /// Its start, 0, or its goal, 1, as users spell it.
    pub(super) fn place(&self, world: &World, end: usize) -> Place {
        match (world.mesh(), self.points) {
            (Some(mesh), Some(points)) => Place::Spot(spelled(mesh, points[end])),
            _ => world.place([self.start, self.goal][end]),
        }
    }

    /// What a planner is asked.
    pub(crate) fn query(&self) -> Query<'static> {
        match self.points {
            Some([from, to]) => Query::new(from, to),
            None => Query::new(self.start, self.goal),
        }
    }
}

/// The problems of a benchmark.
#[derive(Debug)]
pub(crate) struct Problems {
    pub(crate) tasks: Vec<Task>,
    /// Problems that were left out because a start or goal is blocked when it is their turn.
    pub(crate) skipped: usize,
    are_listed: bool,
    /// What is edited on the way.
    schedule: Schedule,
}

/// A row of problems between two edits.
pub(super) struct Stretch<'a> {
    /// The map meanwhile.
    pub(super) world: &'a World,
    /// Which of the problems.
    pub(super) tasks: Range<usize>,
    /// When the edits before it began, if there were any.
    pub(super) edited: Option<Instant>,
}

impl Problems {
    /// Every `every`-th problem of a file, at most `limit`; the map is edited on the way.
    pub(crate) fn open(
        path: &Path,
        world: &World,
        (every, limit): (u32, Option<u32>),
        schedule: Schedule,
    ) -> Result<Problems, Failure> {
        // All of them are looked at, whichever are chosen: a damaged file is a damaged file.
        let has_pairs = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("p2p"));
        let tasks = match (world.grid(), world.graph()) {
            (Some(grid), _) => on_grid(path, world, grid)?,
            (_, Some(graph)) if has_pairs => pairs(path, graph)?,
            (_, Some(graph)) => on_graph(path, graph)?,
            _ => world.mesh().map(|mesh| on_mesh(path, world, mesh)).transpose()?.unwrap_or_default(),
        };
        let are_listed = world.graph().is_none() || !has_pairs;
        let limit = limit.map_or(usize::MAX, |limit| limit as usize);
        let chosen = tasks.into_iter().step_by(every as usize).take(limit).zip(0..);
        let chosen: Vec<Task> = chosen.map(|(task, number)| Task { number, ..task }).collect();
        let all = Problems { tasks: chosen, skipped: 0, are_listed, schedule };
        let mut tasks = Vec::with_capacity(all.tasks.len());
        all.for_each_stretch(world, |stretch| {
            let is_free = |state: StateId| stretch.world.space().is_free(state);
            let free =
                all.tasks[stretch.tasks].iter().filter(|task| is_free(task.start) && is_free(task.goal));
            tasks.extend(free.copied());
        });
        Ok(Problems { skipped: all.tasks.len() - tasks.len(), tasks, ..all })
    }

    /// Goes through the problems with the map as it is when it is their turn, from the map without edits on.
    pub(super) fn for_each_stretch(&self, world: &World, mut visit: impl FnMut(Stretch<'_>)) {
        let (mut from, mut place) = (0, 0);
        let mut current = Cow::Borrowed(world);
        while let Some(task) = self.tasks.get(from) {
            let mut edited = None;
            while self.schedule.before(place).is_some_and(|before| before <= task.number) {
                edited.get_or_insert_with(Instant::now);
                // All edits were made once before anything ran: they can be made.
                if let Ok(next) = self.schedule.edited(&current, place) {
                    current = Cow::Owned(next);
                }
                place += 1;
            }
            let rest = &self.tasks[from..];
            let next = self.schedule.before(place);
            let until =
                from + next.map_or(rest.len(), |next| rest.partition_point(|task| task.number < next));
            visit(Stretch { world: &current, tasks: from..until, edited });
            from = until;
        }
    }

    /// Problems that were drawn.
    pub(crate) fn drawn(world: &World, drawn: &[Drawn]) -> Problems {
        let scale = world.scale();
        let task = |(drawn, number): (&Drawn, u32)| Task {
            start: drawn.start,
            goal: drawn.goal,
            points: None,
            listed: Some(ListedLength::computed(scale.to_f64(drawn.cost))),
            line: 0,
            number,
        };
        Problems {
            tasks: drawn.iter().zip(0..).map(task).collect(),
            skipped: 0,
            are_listed: true,
            schedule: Schedule::default(),
        }
    }

    /// Problems of a test.
    #[cfg(test)]
    pub(super) fn of(tasks: &[Task]) -> Problems {
        Problems { tasks: tasks.to_vec(), skipped: 0, are_listed: false, schedule: Schedule::default() }
    }

    /// Whether the map is edited on the way.
    pub(crate) fn are_edited(&self) -> bool {
        !self.schedule.is_empty()
    }

    /// Whether the problems come with the lengths of their best paths.
    pub(crate) fn are_listed(&self) -> bool {
        self.are_listed
    }
}

/// The problems of a .scen file.
fn on_grid(path: &Path, world: &World, grid: &Grid) -> Result<Vec<Task>, Failure> {
    let problems = input::scenario(path)?;
    let task = |problem| cell_task(path, world, grid, problem);
    let tasks = problems.iter().map(task).collect::<Result<Vec<Task>, Failure>>()?;
    if let Some(problem) = problems.iter().find(|problem| !is_for(problem, world)) {
        output::note(&format!(
            "note: {}: line {} is for `{}`, the map is `{}`",
            path.display(),
            problem.line,
            problem.map_base_name().escape_debug(),
            world.file_name
        ));
    }
    Ok(tasks)
}

/// Whether a problem is for the map at hand, as far as names say: an index file and the map that it was built from differ in their
/// endings, and so does a map that was written in another format, which a size tells from another map.
fn is_for(problem: &Problem, world: &World) -> bool {
    let name = problem.map_base_name();
    let has_stem = Path::new(name).file_stem().is_some_and(|stem| stem == world.name.as_str());
    name == world.file_name || has_stem && (world.is_file || problem.size.is_some())
}

/// A problem of a file on the map at hand, if it can be on that map.
fn cell_task(path: &Path, world: &World, grid: &Grid, problem: &Problem) -> Result<Task, Failure> {
    let (line, map) = (problem.line, (grid.width(), grid.height()));
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
        grid.state_at(Point::new(x.into(), y.into())).ok_or_else(|| {
            damaged(format!("expected the {name} inside the map of {} x {}, found {x},{y}", map.0, map.1))
        })
    };
    Ok(Task {
        start: state("start", problem.start)?,
        goal: state("goal", problem.goal)?,
        points: None,
        listed: Some(problem.length),
        line,
        number: 0,
    })
}

/// The problems of a graph scenario.
fn on_graph(path: &Path, graph: &Graph) -> Result<Vec<Task>, Failure> {
    let node = |line: u32, name: &str, id: u32| {
        let state = StateId::new(id);
        if graph.is_free(state) {
            return Ok(state);
        }
        let (first, last) = (first_node(graph), graph.id_bound().saturating_sub(1));
        let message =
            format!("line {line}: expected a node from {first} to {last} as the {name}, found {id}");
        Err(Failure::damaged(path, message))
    };
    let problems = input::graph_scenario(path)?;
    let tasks = problems.iter().map(|problem| {
        let line = problem.line;
        Ok(Task {
            start: node(line, "start", problem.from)?,
            goal: node(line, "goal", problem.to)?,
            points: None,
            listed: Some(ListedLength::computed(
                problem.cost.unwrap_or(0) as f64 / f64::from(graph.units_of_one()),
            )),
            line,
            number: 0,
        })
    });
    tasks.collect()
}

/// The problems of a mesh scenario, or of a .scen file with real numbers.
fn on_mesh(path: &Path, world: &World, mesh: &NavMesh) -> Result<Vec<Task>, Failure> {
    let task = |problem: &(MeshPlace, MeshPlace, ListedLength, u32)| {
        let &(from, to, listed, line) = problem;
        let point = |name: &str, at: MeshPlace| {
            let place = position_of(at);
            if mesh.is_within_bounds(place) {
                return Ok(place);
            }
            let (low, high) = mesh.bounds();
            let message = format!(
                "line {line}: expected the {name} within {},{} to {},{}, the box around the mesh, found {}",
                low.x,
                low.y,
                high.x,
                high.y,
                Place::Spot(at)
            );
            Err(Failure::damaged(path, message))
        };
        let points = [point("start", from)?, point("goal", to)?];
        // Where no free polygon is there is no state, and the problem is skipped.
        let (start, goal) = world.space().states_between(points[0].into(), points[1].into());
        Ok(Task { start, goal, points: Some(points), listed: Some(listed), line, number: 0 })
    };
    input::mesh_scenario(path)?.iter().map(task).collect()
}

/// The problems of a .p2p file, which lists no costs.
fn pairs(path: &Path, graph: &Graph) -> Result<Vec<Task>, Failure> {
    let last = graph.id_bound().saturating_sub(1);
    let pairs = input::pairs(path, last as u32)?;
    let task = |(from, to): (u32, u32)| Task {
        start: StateId::new(from),
        goal: StateId::new(to),
        points: None,
        listed: None,
        line: 0,
        number: 0,
    };
    Ok(pairs.into_iter().map(task).collect())
}
