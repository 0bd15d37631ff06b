//! Algorithms that find their way by a sensor: one file or folder each.

mod block_dstar;
mod bug2;
mod frit;
mod frit_bfs;
mod replan;

pub(crate) use block_dstar::BlockDStar;
pub(crate) use bug2::Bug2;
pub(crate) use frit::{FritRt, PFritRt};
pub(crate) use frit_bfs::FritBfs;
pub(crate) use replan::Replan;
