//! Planners and agents that are watched: what they do, step by step, as [events](Event) that a viewer draws. Feature `observe`.
//!
//! A query that is watched is the query itself, advanced unit by unit; an agent that is watched is the agent itself. Neither
//! knows of it: the answer, the path, the moves and the units are those of a run that is not watched.
//!
//! ```
//! use milepost::observe::{EventKind, PlannerRun};
//! use milepost::{Atlas, Grid, Point, Rule, catalog};
//!
//! let atlas = Atlas::new(Grid::from_ascii("....\n.@@.\n....", Rule::Octile)?);
//! let cell = |x, y| atlas.state_at(Point::new(x, y)).expect("inside the map");
//! let mut run = PlannerRun::new(catalog::planner("astar")?, &atlas, cell(0, 1), cell(3, 1));
//! let mut events = Vec::new();
//! while run.step(&atlas, &mut events).is_none() {}
//! assert!(events.iter().any(|event| event.kind == EventKind::Path));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent;
mod known;
mod planner;

pub use crate::core::{Event, EventKind};
pub use agent::AgentRun;
pub use known::{GoalBox, Hub, goal_boxes, hubs};
pub use planner::PlannerRun;

use crate::core::Watch;
use crate::space::Space;

/// A watch for searches on a space.
fn watch_of(space: &Space) -> Watch {
    let stride = space.as_grid().map(|grid| grid.geometry().stride());
    Watch::new(space.scale(), stride.map(|stride| [1, stride - 1, stride, stride + 1]))
}
