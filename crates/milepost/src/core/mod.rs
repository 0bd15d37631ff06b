//! The ground floor: ids, exact costs, budgets, open lists and the one resumable search.
//!
//! This room knows nothing of maps. It must not know what a state looks like (cell, graph node), where a
//! cost comes from, or which planner or agent asks.

mod budget;
mod climb;
mod cost;
mod csr;
mod epoch_map;
mod ids;
mod name_args;
pub(crate) mod nodes;
pub(crate) mod open;
mod parameter;
mod path;
mod radix_map;
mod random;
mod saved_table;
mod scale;
mod search;
pub(crate) mod vectors;

pub use budget::Budget;
pub(crate) use climb::{Climb, best_successor, climb};
pub use cost::Cost;
pub(crate) use csr::Csr;
pub(crate) use epoch_map::EpochMap;
pub use ids::{Point, Position, StateId, Version};
pub(crate) use name_args::NameArgs;
pub use name_args::NameError;
pub(crate) use parameter::thousandths;
pub use parameter::{ParameterInfo, Values};
pub use path::Path;
pub(crate) use radix_map::RadixMap;
pub use random::Rng;
pub use scale::CostScale;
pub(crate) use scale::StepRange;
pub(crate) use search::KeptSearch;
pub use search::{Expander, Goal, KeyRange, Search, Status};
pub(crate) use vectors::{first_above, vectorized};
