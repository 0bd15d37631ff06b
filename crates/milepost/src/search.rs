//! The search that planners run through, for planners and agents of one's own: an [`Expander`] says where one can go, a
//! [`Goal`] where one wants to be, and a [`Search`] is advanced within a budget. The moves and the estimate of a space are
//! a [`Problem`], which is both.

pub use crate::core::{Expander, Goal, KeyRange, Search, Status};
pub use crate::space::Problem;
