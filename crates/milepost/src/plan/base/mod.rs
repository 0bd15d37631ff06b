//! What every planner is built on.
//!
//! | file | what it holds |
//! |---|---|
//! | `planner` | what a planner is: the trait to implement |
//! | `query` | what is asked for, and what comes of it |
//! | `refusal` | where a planner works, and why it does not |
//! | `task` | a query on its way: from the choice of targets to the path |
//! | `targets` | which goals can be reached, and what stands for those that cannot |
//! | `multi_goal` | a query for planners that know one goal at a time |
//! | `scratch` | the memory that is lent to a query |
//! | `job` | a query that owns its memory and goes on from frame to frame |

mod job;
pub(super) mod multi_goal;
mod planner;
mod query;
mod refusal;
mod scratch;
mod targets;
mod task;

pub use job::PlanJob;
pub use planner::Planner;
pub use query::{Goals, Outcome, PartialReason, Query};
pub use refusal::{Refusal, Support};
pub use scratch::Scratch;
pub use task::{Phase, Task};
