//! A factor from 1 to 255 for every cell: terrain weights, and the overlays of single queries.

use crate::core::StateId;
use std::sync::Arc;
use thiserror::Error;

/// A factor of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the factor at {x},{y} is 0; factors are 1 to 255")]
pub struct ZeroFactor {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
}

/// Factors by id; 1 where there is no cell. Cheap to clone.
#[derive(Clone, Debug)]
pub(in crate::space) struct Factors {
    values: Arc<Vec<u8>>,
    /// Of the free cells: what estimates may count on.
    least: u8,
    /// Of all cells, also of those that may be opened later.
    largest: u8,
}

impl Factors {
    pub(in crate::space) fn new(values: Vec<u8>, free: impl Iterator<Item = StateId>) -> Factors {
        let mut factors = Factors { values: Arc::new(values), least: 1, largest: 1 };
        factors.measure(free);
        factors
    }

    fn measure(&mut self, free: impl Iterator<Item = StateId>) {
        self.least = free.map(|state| self.values[state.index()]).min().unwrap_or(1);
        self.largest = self.values.iter().copied().max().unwrap_or(1);
    }

    /// The same with some factors changed, for other free cells.
    pub(in crate::space) fn changed(
        &self,
        changes: impl Iterator<Item = (StateId, u8)>,
        free: impl Iterator<Item = StateId>,
    ) -> Factors {
        let mut factors = self.clone();
        let mut changes = changes.peekable();
        if changes.peek().is_some() {
            let values = Arc::make_mut(&mut factors.values);
            changes.for_each(|(state, factor)| values[state.index()] = factor);
        }
        factors.measure(free);
        factors
    }

    #[inline]
    pub(in crate::space) fn of(&self, state: StateId) -> u64 {
        u64::from(self.values[state.index()])
    }

    pub(in crate::space) fn values(&self) -> &[u8] {
        &self.values
    }

    pub(in crate::space) fn least(&self) -> u64 {
        u64::from(self.least)
    }

    pub(in crate::space) fn largest(&self) -> u64 {
        u64::from(self.largest)
    }

    pub(in crate::space) fn bytes(&self) -> usize {
        self.values.capacity()
    }
}
