//! A factor from 1 to 255 for every cell: terrain weights, and the overlays of single queries.

use crate::core::StateId;
use crate::core::debug_as_sentence;
use std::sync::Arc;
use thiserror::Error;

/// A factor of zero.
///
/// Shown by [`Overlay`](crate::Overlay).
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[error("the factor at {x},{y} is 0; factors are 1 to 255")]
pub struct ZeroFactor {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
}

debug_as_sentence!(ZeroFactor);

/// Factors by id; 1 where there is no cell. Cheap to clone.
#[derive(Clone, Debug)]
pub(in crate::space) struct Factors {
    values: Arc<Vec<u8>>,
    /// Of the free cells: what estimates may count on.
    free: Counts,
    /// Of all cells, also of those that may be opened later.
    all: Counts,
}

/// How many cells have each factor.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Counts(Arc<[u32; 256]>);

impl Counts {
    fn of(factors: impl Iterator<Item = u8>) -> Counts {
        let mut counts = [0; 256];
        factors.for_each(|factor| counts[usize::from(factor)] += 1);
        Counts(Arc::new(counts))
    }

    fn add(&mut self, factor: u8, by: i32) {
        let count = &mut Arc::make_mut(&mut self.0)[usize::from(factor)];
        *count = count.wrapping_add_signed(by);
    }

    fn least(&self) -> u64 {
        self.0.iter().position(|&count| count > 0).unwrap_or(1) as u64
    }

    fn largest(&self) -> u64 {
        self.0.iter().rposition(|&count| count > 0).unwrap_or(1) as u64
    }
}

impl Factors {
    pub(in crate::space) fn new(values: Vec<u8>, free: impl Iterator<Item = StateId>) -> Factors {
        let (free, all) =
            (Counts::of(free.map(|state| values[state.index()])), Counts::of(values.iter().copied()));
        Factors { values: Arc::new(values), free, all }
    }

    /// Follows cells that were opened or closed, each as often as it stands there, and factors that change after that.
    pub(in crate::space) fn follow(
        &mut self,
        flipped: &[StateId],
        changes: &[(StateId, u8)],
        is_free: impl Fn(StateId) -> bool,
    ) {
        let mut flipped = flipped.to_vec();
        flipped.sort_unstable();
        for flips in flipped.chunk_by(|a, b| a == b).filter(|flips| flips.len() % 2 == 1) {
            self.free.add(self.values[flips[0].index()], if is_free(flips[0]) { 1 } else { -1 });
        }
        for &(state, factor) in changes {
            let old = std::mem::replace(&mut Arc::make_mut(&mut self.values)[state.index()], factor);
            self.all.add(old, -1);
            self.all.add(factor, 1);
            if is_free(state) {
                self.free.add(old, -1);
                self.free.add(factor, 1);
            }
        }
    }

    #[inline]
    pub(in crate::space) fn of(&self, state: StateId) -> u64 {
        u64::from(self.values[state.index()])
    }

    pub(in crate::space) fn values(&self) -> &[u8] {
        &self.values
    }

    pub(in crate::space) fn least(&self) -> u64 {
        self.free.least()
    }

    pub(in crate::space) fn largest(&self) -> u64 {
        self.all.largest()
    }

    pub(in crate::space) fn bytes(&self) -> usize {
        self.values.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Point, Rng};
    use crate::space::{Edit, Grid, Rule, SpaceKind};

    #[test]
    fn after_each_of_many_edits_the_least_and_the_largest_factor_are_those_of_new_factors() {
        let mut rng = Rng::new(62);
        let mut grid = Grid::new(9, 8, Rule::Octile, |_, _| rng.below(100) < 70).unwrap();
        let mut weighted = 0;
        for round in 0..2000 {
            let mut edits = Vec::new();
            for _ in 0..1 + rng.below(4) {
                let at = Point::new(rng.below(9).into(), rng.below(8).into());
                let weight = if round % 100 < 30 { 1 } else { 1 + rng.below(4) as u8 };
                let cells = Edit::Cells { from: at, to: at, free: rng.chance(1, 2) };
                edits.push(if rng.chance(1, 2) { cells } else { Edit::Weight { at, weight } });
            }
            grid = grid.edited(&edits).unwrap();
            let Some(factors) = grid.weights() else { continue };
            let anew = Factors::new(factors.values().to_vec(), grid.free_states());
            assert_eq!((&factors.free, &factors.all), (&anew.free, &anew.all), "edit {round}: {edits:?}");
            weighted += 1;
        }
        assert!(weighted > 500 && weighted < 2000, "{weighted}");
    }
}
