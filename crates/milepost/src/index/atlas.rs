//! One version of a space with the indexes that were built for it.

use crate::space::{Grid, Space};

/// What planners and agents are given: a space, and what is known about it. Immutable, `Send + Sync`, cheap to
/// clone, never touched by a query.
#[derive(Clone, Debug)]
pub struct Atlas {
    space: Space,
}

impl Atlas {
    /// An atlas of a space about which nothing has been worked out beforehand.
    pub fn new(space: impl Into<Space>) -> Atlas {
        Atlas { space: space.into() }
    }

    /// The space.
    pub fn space(&self) -> &Space {
        &self.space
    }
}

impl From<Grid> for Atlas {
    fn from(grid: Grid) -> Atlas {
        Atlas::new(grid)
    }
}
