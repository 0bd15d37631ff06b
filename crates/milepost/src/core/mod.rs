//! The ground floor: ids, exact costs, budgets, open lists and the one resumable search.
//!
//! This room knows nothing of maps. It must not know what a state looks like (cell, graph node), where a
//! cost comes from, or which planner or agent asks.

/// Whether the program is to be small rather than fast: of code that is compiled for several types of numbers or moves, the one
/// that serves all of them is enough.
pub(crate) const IS_COMPACT: bool = cfg!(milepost_compact);

mod budget;
mod climb;
mod cost;
mod csr;
mod debug_as_sentence;
mod epoch_map;
mod erased;
#[cfg(feature = "observe")]
mod event;
mod ids;
mod kept_nodes;
mod kept_search;
mod name_args;
mod near_name;
pub(crate) mod open;
mod paged_list;
mod parameter;
mod path;
mod radix_map;
mod random;
mod saved_table;
mod scale;
mod search;
#[cfg(test)]
mod test_rounds;
pub(crate) mod vectors;
#[cfg(feature = "observe")]
mod watch;
mod zeroed;

pub use budget::Budget;
pub(crate) use climb::{Climb, best_successor, climb};
pub use cost::Cost;
pub(crate) use csr::Csr;
pub(crate) use debug_as_sentence::debug_as_sentence;
pub(crate) use epoch_map::EpochMap;
pub(crate) use erased::{Erased, ErasedGoal, run_erased};
#[cfg(feature = "observe")]
pub use event::{Event, EventKind};
pub use ids::{Point, Position, StateId, Version};
pub(crate) use kept_search::KeptSearch;
pub(crate) use name_args::NameArgs;
pub use name_args::NameError;
pub use near_name::did_you_mean;
pub(crate) use paged_list::StateList;
pub(crate) use parameter::thousandths;
pub use parameter::{ParameterInfo, Values};
pub use path::{Path, PathLink};
pub(crate) use radix_map::RadixMap;
pub use random::Rng;
pub use scale::CostScale;
pub(crate) use scale::StepRange;
pub(crate) use search::Beyond;
pub use search::{Expander, Goal, KeyRange, Search, Status};
#[cfg(test)]
pub(crate) use test_rounds::rounds;
pub(crate) use vectors::{first_above, vectorized};
#[cfg(feature = "observe")]
pub(crate) use watch::{SharedWatch, Told, Watch, WatchedMoves, Way};
pub(crate) use zeroed::zeroed;
