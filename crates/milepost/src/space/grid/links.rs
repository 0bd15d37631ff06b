//! Extra links of a grid: teleports, stairs, one-way drops. A link leads from one cell to any other at a cost of its
//! own, one way.

use super::link_exits::LinkExits;
use crate::core::{Cost, StateId};
use crate::space::GridGeometry;
use std::sync::Arc;

/// A one-way link between two cells.
///
/// ```
/// use milepost::space::Link;
/// use milepost::{Atlas, Grid, Outcome, Point, Rule, Scratch};
///
/// let grid = Grid::from_ascii("..@..", Rule::Octile)?;
/// let cell = |x| grid.state_at(Point::new(x, 0)).expect("inside the map");
/// let drop = Link { from: cell(1), to: cell(3), cost: 5 }; // one way
/// let atlas = Atlas::new(grid.with_links(&[drop]).expect("ends inside the map"));
/// let mut scratch = Scratch::new();
/// assert_eq!(atlas.path(cell(4), cell(0), &mut scratch), Outcome::Unreachable);
/// assert!(matches!(atlas.path(cell(0), cell(4), &mut scratch), Outcome::Found { .. }));
/// assert_eq!(scratch.path().cost_f64(), 7.0);
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Link {
    /// Where it begins.
    pub from: StateId,
    /// Where it ends.
    pub to: StateId,
    /// What it costs, in straight steps over ground of weight 1: from 1 to [`Link::MOST`].
    pub cost: u32,
}

impl Link {
    /// The dearest link there may be.
    pub const MOST: u32 = 1_000_000;
}

/// The links of a grid in increasing order; at most one between two cells in each direction. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(in crate::space) struct Links {
    sorted: Arc<Vec<Link>>,
    /// No cell has more links than this.
    most: u32,
    /// Their ends, when they were brought up to date last.
    exits: LinkExits,
}

impl Links {
    pub(in crate::space) fn as_slice(&self) -> &[Link] {
        &self.sorted
    }

    /// Adds a link, or changes the cost of the one that is there.
    pub(in crate::space) fn add(&mut self, link: Link) {
        self.remove(link.from, link.to);
        let at = self.sorted.partition_point(|other| *other < link);
        Arc::make_mut(&mut self.sorted).insert(at, link);
        self.most = self.most.max(self.from(link.from).1.len() as u32);
    }

    /// Removes a link; false if there was none.
    pub(in crate::space) fn remove(&mut self, from: StateId, to: StateId) -> bool {
        let found = self.sorted.iter().position(|link| (link.from, link.to) == (from, to));
        if let Some(at) = found {
            Arc::make_mut(&mut self.sorted).remove(at);
            // What agents state for a step follows from the links that there are, not from those that there were.
            self.most =
                self.sorted.chunk_by(|a, b| a.from == b.from).map(<[Link]>::len).max().unwrap_or(0) as u32;
        }
        found.is_some()
    }

    /// The links that begin at a cell, and the place of the first of them among all.
    #[inline]
    pub(in crate::space) fn from(&self, state: StateId) -> (usize, &[Link]) {
        let first = self.sorted.partition_point(|link| link.from < state);
        let rest = &self.sorted[first..];
        (first, &rest[..rest.iter().take_while(|link| link.from == state).count()])
    }

    /// Brings the ends up to date.
    pub(super) fn derive_exits(&mut self, geometry: &GridGeometry) {
        self.exits = LinkExits::new(geometry, &self.sorted);
    }

    pub(super) fn exits(&self) -> &LinkExits {
        &self.exits
    }

    /// No cell has more links than this.
    pub(in crate::space) fn most(&self) -> u32 {
        self.most
    }

    pub(in crate::space) fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    pub(in crate::space) fn dearest(&self) -> u64 {
        self.sorted.iter().map(|link| u64::from(link.cost)).max().unwrap_or(0)
    }

    pub(in crate::space) fn bytes(&self) -> usize {
        self.sorted.capacity() * size_of::<Link>() + self.exits.bytes()
    }
}

/// What a link costs in the units of a scale.
pub(in crate::space) fn link_cost(link: &Link, units_of_one: u64) -> Cost {
    Cost::new(u64::from(link.cost) * units_of_one)
}
