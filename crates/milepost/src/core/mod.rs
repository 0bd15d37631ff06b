//! The ground floor: ids, exact costs, budgets, open lists and the one resumable search.
//!
//! This room knows nothing of maps. It must not know what a state looks like (cell, graph node), where a
//! cost comes from, or who asked.

pub mod budget;
pub mod climb;
pub mod cost;
mod csr;
pub mod hash_pages;
pub mod ids;
pub(crate) mod local;
pub mod nodes;
pub mod open;
pub mod parameter;
pub mod path;
pub(crate) mod radix_map;
pub mod random;
mod saved_table;
pub mod scale;
pub mod search;
pub(crate) mod vectors;
pub(crate) mod window;

pub use budget::Budget;
pub(crate) use climb::best_successor;
pub use climb::{Climb, climb};
pub use cost::Cost;
pub(crate) use csr::Csr;
pub use hash_pages::HashPages;
pub use ids::{Point, Position, StateId, Version};
pub(crate) use local::{Local, LocalNode};
pub(crate) use parameter::thousandths;
pub use parameter::{ParameterInfo, Values};
pub use path::Path;
pub(crate) use radix_map::RadixMap;
pub use random::Rng;
pub use scale::{CostScale, StepRange};
pub use search::{Expander, Goal, KeptSearch, KeyRange, Search, Status};
pub(crate) use vectors::{first_above, vectorized};
pub(crate) use window::{SquareFacts, Window, WindowCell, nine_within};
