//! Planners and agents that are watched: what they do, step by step, as [events](Event) that a viewer draws. Feature `observe`.
//!
//! A query that is watched is the query itself, advanced unit by unit; an agent that is watched is the agent itself. Neither
//! knows of it: the answer, the path, the moves and the units are those of a run that is not watched.

mod agent;
mod known;
mod planner;
mod reached;

pub use crate::core::{Event, EventKind};
pub use agent::AgentRun;
pub use known::{GoalBox, Hub, goal_boxes, hubs};
pub use planner::PlannerRun;
pub use reached::Reached;

use crate::core::Watch;
use crate::space::Space;

/// A watch for searches on a space.
fn watch_of(space: &Space) -> Watch {
    let stride = space.as_grid().map(|grid| grid.geometry().stride());
    Watch::new(space.scale(), stride.map(|stride| [1, stride - 1, stride, stride + 1]))
}
