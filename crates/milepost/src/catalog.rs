//! Planners, agents and indexes by name. Planners and agents are called `NAME[:VALUE[:VALUE]][:key=value]...`, such as
//! `weighted-astar:1.5` or `astar:h=manhattan`.
//!
//! Names are resolved once, here; after that a planner is a value, and a kind of agent is one. Every planner stands in
//! [`PLANNERS`], every agent in [`AGENTS`], every index in [`INDEXES`], from which help texts and the tables of the
//! README are checked.

mod agents;
mod given;
mod indexes;
mod knn;
mod planners;
mod scouts;

pub use agents::{AGENTS, AgentEntry, AgentError, AnyAgent, AnyAgentKind, agent};
pub use given::{NameError, Parameter, Values};
pub use indexes::{INDEXES, IndexEntry};
pub use planners::{AnyPlanner, HEURISTICS, PLANNERS, PlannerEntry, fastest, planner};
pub use scouts::{AnyScout, AnyScoutKind, SCOUTS, ScoutEntry, scout};

use crate::space::Rule;
use given::Given;

/// The rules under which paths can jump.
const STRICT_CORNERS: [Rule; 2] = [Rule::Octile, Rule::Octile14];
